"""The switch in the header from a crawl to another one of the same server."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from starlette.requests import Request


class CrawlLink(Struct, frozen=True):
    """A crawl that the switch leads to."""

    name: str
    href: str
    """Relative: whatever begins with a slash is below the path of this crawl."""
    is_here: bool


def switch_from(names: Sequence[str], here: str, request: Request | None) -> Iterator[CrawlLink]:
    """Links to the list of crawls, and to each of them; none when a crawl is alone."""
    if len(names) > 1 and request is not None:
        up = _climb(request.url.path)
        yield CrawlLink("All crawls", up, False)
        for name in names:
            yield CrawlLink(name, f"{up}crawls/{name}/", name == here)


def _climb(path: str) -> str:
    """From a page of a crawl to the list of crawls.

    >>> _climb("/"), _climb("/graph/near")
    ('../../', '../../../')
    """
    return "../" * (path.count("/") + 1)
