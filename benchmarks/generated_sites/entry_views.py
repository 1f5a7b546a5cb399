"""What readers come for: entries, their parts, and what others say about them."""

from random import Random

from benchmarks.generated_sites.addresses import Address
from benchmarks.generated_sites.entries import COMMENTS_PER_PAGE, SiteEntry, item_name
from benchmarks.generated_sites.frame import SiteFrame
from benchmarks.generated_sites.generated_page import SiteLink, SitePage
from benchmarks.generated_sites.numbers import number_of
from gossamer.lab.prose import paragraphs_about


def show(frame: SiteFrame, address: Address) -> SitePage | None:
    """One part of an entry, with the first comments if it is the first part."""
    entry = frame.entries.named(address.subject)
    part = number_of(address.option("part", "1"))
    if entry is None:
        return _missing(frame, address)
    if not 1 <= part <= entry.parts or set(dict(address.options)) > {"part", "key"}:
        return None
    links = [frame.to_entry(number) for number in entry.others]
    links += [frame.link("tag", tag, tag) for tag in entry.tags]
    links += [
        frame.link("show", entry.name, f"Part {n}", part=n) for n in range(2, entry.parts + 1)
    ]
    main = entry.part(part)
    if part == 1:
        main += _comments(entry, 1)
        links += _after_comments(frame, entry, 1)
    return frame.content(address, entry, item_name(entry.number, part), main, links)


def show_comments(frame: SiteFrame, address: Address) -> SitePage | None:
    """Further comments."""
    entry = frame.entries.named(address.subject)
    page = number_of(address.option("page"))
    if entry is None or not 2 <= page <= entry.comment_pages:
        return None
    links = _after_comments(frame, entry, page)
    item = f"comments:{entry.number}/{page}"
    return frame.content(address, entry, item, _comments(entry, page), links)


def _missing(frame: SiteFrame, address: Address) -> SitePage | None:
    """What somebody linked to and nobody wrote."""
    number = number_of(address.subject.rpartition("-")[2])
    if not frame.traits.is_missing_soft or number < frame.entries.count:
        return None
    if address.subject != frame.entries.name_of(number):
        return None
    return frame.tool("Nothing here yet", f"<p>Nobody has written about {address.subject} yet.</p>")


def _comments(entry: SiteEntry, page: int) -> str:
    first = (page - 1) * COMMENTS_PER_PAGE
    return "\n".join(
        _comment(entry, number)
        for number in range(first, min(first + COMMENTS_PER_PAGE, entry.comments))
    )


def _comment(entry: SiteEntry, number: int) -> str:
    random = Random(f"comment {entry.number} {number}")
    said = random.choice(paragraphs_about(entry.topic)).decode()
    return f"<h3>Comment {number + 1} on {entry.title}</h3>{said}"


def _after_comments(frame: SiteFrame, entry: SiteEntry, page: int) -> list[SiteLink]:
    links = []
    if page < entry.comment_pages:
        links.append(frame.link("comments", entry.name, "More comments", page=page + 1))
    if frame.has("reply"):
        first = (page - 1) * COMMENTS_PER_PAGE
        links += [
            frame.link("reply", entry.name, "Reply", frame.tool_rel(), reply=number)
            for number in range(first, min(first + COMMENTS_PER_PAGE, entry.comments))
        ]
    return links
