"""Pages written out as HTML. This is the hot path of the server: one join of ready-made bytes.

Links are made of fragments that are remembered for the pages most often linked to; text is made of
paragraphs chosen by bytes of chance.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from html import escape

from gossamer.lab.linking import CHANCE_NEEDED, MENU, plan_links
from gossamer.lab.page_identity import foreign_title, identity_of, write_items
from gossamer.lab.prose import LONGEST_TEXT, TEXT_LENGTHS, paragraphs_about, paragraphs_in
from gossamer.lab.seeded_chance import draw_bytes
from gossamer.lab.simulated_sites import Sites
from gossamer.lab.spelling_variants import respell
from gossamer.lab.url_answer import Answer, LabLink, Tongue

_CHANCE = CHANCE_NEEDED + 1 + LONGEST_TEXT
_UTF8 = b'<meta charset="utf-8">\n'
_REMEMBERED = 1 << 16


class Renderer:
    """Writes the pages of one web."""

    def __init__(
        self,
        seed: int,
        sites: Sites,
        origins: Sequence[str],
        tongue_of: Callable[[int], Tongue | None],
    ) -> None:
        self._seed = seed
        self._sites = sites
        self._origins = origins
        self._tongue_of = tongue_of
        # Bound here and not with a decorator, so that each web has memories of its own.
        self._item = lru_cache(_REMEMBERED)(self._make_item)
        self._root_items: list[bytes] = [b""] * len(sites)
        self._menu = lru_cache(_REMEMBERED // 16)(self._make_menu)

    def title_of(self, site: int, index: int) -> str:
        tongue = self._tongue_of(site)
        if tongue is not None:
            return foreign_title(tongue.language, self._seed, site, index)
        return identity_of(self._seed, site, index).title

    def chance_of(self, site: int, index: int) -> bytes:
        """The chance of a page: first for its links, then for the length and words of its text."""
        return draw_bytes(self._seed, site, index, _CHANCE)

    def body_of(self, answer: Answer) -> bytes:
        """The whole body of an answer."""
        if answer.content is not None:
            return answer.content
        body = self._ordinary(answer) if answer.is_ordinary else self._leaf(answer)
        if answer.mirror:
            body += b"<!-- served by %b -->\n" % answer.mirror.encode()
        if answer.tongue is not None:
            return body.decode().encode(answer.tongue.charset, "xmlcharrefreplace")
        return body

    def _ordinary(self, answer: Answer) -> bytes:
        site, index, absolute = answer.site, answer.index, answer.is_absolute
        chance = self.chance_of(site, index)
        local, remote, spelling = plan_links(self._sites, site, index, chance)
        identity = identity_of(self._seed, site, index)
        title = (identity.title if answer.tongue is None else self.title_of(site, index)).encode()
        words = self._words(answer, chance)
        half = len(words) // 2
        item, root = self._item, self._root_item
        return b"".join(
            (
                self._opening(answer, title),
                b'<link rel="canonical" href="',
                (self._origins[site] + identity.path).replace("&", "&amp;").encode(),
                b'">\n</head><body>\n',
                self._menu(site, absolute),
                b"<h1>",
                title,
                b"</h1>\n",
                *words[:half],
                b"<ul>\n",
                self._local_items(answer, local, spelling),
                b"</ul>\n",
                *words[half:],
                b"<ul>\n",
                *[item(other, page, True) if page else root(other) for other, page in remote],
                *[write_link(link) for link in answer.extra],
                b"</ul>\n<footer>Made of chance and words.</footer>\n</body></html>\n",
            )
        )

    def _leaf(self, answer: Answer) -> bytes:
        """A page beside the ordinary ones: same looks, but only the menu and its own links."""
        title = f"{self.title_of(answer.site, answer.index)} ({answer.kind})".encode()
        menu = self._menu(answer.site, answer.is_absolute) if answer.has_menu else b""
        words = self._words(answer, self.chance_of(answer.site, answer.index))
        return b"".join(
            (
                self._opening(answer, title),
                b"</head><body>\n",
                menu,
                b"<h1>",
                title,
                b"</h1>\n<ul>\n",
                *[write_link(link) for link in answer.extra],
                b"</ul>\n",
                *words,
                b"</body></html>\n",
            )
        )

    def _opening(self, answer: Answer, title: bytes) -> bytes:
        tongue = answer.tongue
        meta, language = _UTF8, b"en"
        if tongue is not None:
            meta = b'<meta charset="%b">\n' % tongue.charset.encode() if tongue.in_meta else b""
            language = tongue.language.encode()
        if answer.robots:
            meta += b'<meta name="robots" content="%b">\n' % answer.robots.encode()
        return b'<!DOCTYPE html>\n<html lang="%b"><head>\n%b<title>%b</title>\n' % (
            language,
            meta,
            title,
        )

    def _paragraphs(self, answer: Answer) -> tuple[bytes, ...]:
        """The paragraphs that the text of a page is chosen from."""
        if answer.tongue is not None:
            return paragraphs_in(answer.tongue.language)
        return paragraphs_about(identity_of(self._seed, answer.site, answer.index).topic)

    def _words(self, answer: Answer, chance: bytes) -> list[bytes]:
        paragraphs = self._paragraphs(answer)
        count = TEXT_LENGTHS[chance[CHANCE_NEEDED]]
        chosen = chance[CHANCE_NEEDED + 1 : CHANCE_NEEDED + 1 + count]
        return list(map(paragraphs.__getitem__, chosen))

    def _local_items(self, answer: Answer, local: list[int], spelling: int) -> bytes:
        site = answer.site
        if answer.is_absolute or answer.tongue is not None:
            return b"".join([self._item(site, page, answer.is_absolute) for page in local])
        if spelling and local and not answer.mirror:
            rest = write_items(self._seed, site, local[1:])
            return self._respelled(site, local[0], spelling) + rest.encode()
        return write_items(self._seed, site, local).encode()

    def _make_item(self, site: int, index: int, absolute: bool) -> bytes:
        """One link in a list, as bytes."""
        path = identity_of(self._seed, site, index).path.replace("&", "&amp;")
        href = self._origins[site] + path if absolute else path
        return f'<li><a href="{href}">{self.title_of(site, index)}</a></li>\n'.encode()

    def _root_item(self, site: int) -> bytes:
        """A link to the root of another host: these are too many to look for in a cache."""
        item = self._root_items[site]
        if not item:
            item = self._root_items[site] = self._make_item(site, 0, True)
        return item

    def _make_menu(self, site: int, absolute: bool) -> bytes:
        count = min(MENU, self._sites.sizes[site])
        items = [self._item(site, page, absolute) for page in range(count)]
        return b"<nav><ul>\n%b</ul></nav>\n" % b"".join(items)

    def _respelled(self, site: int, index: int, spelling: int) -> bytes:
        path = identity_of(self._seed, site, index).path.replace("&", "&amp;")
        href = respell(spelling, self._origins[site].removeprefix("http://"), path)
        return f'<li><a href="{href}">{self.title_of(site, index)}</a></li>\n'.encode()


def write_link(link: LabLink) -> bytes:
    rel = f' rel="{link.rel}"' if link.rel else ""
    return f'<li><a href="{escape(link.url)}"{rel}>{link.anchor}</a></li>\n'.encode()
