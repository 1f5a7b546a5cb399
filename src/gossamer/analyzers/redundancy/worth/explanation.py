"""Explain the estimate for a URL in words."""

from collections.abc import Iterator

from gossamer.analyzers.redundancy.worth.clues import Clue
from gossamer.analyzers.redundancy.worth.estimate import ALL, OWN, Estimate, Reason
from gossamer.core.url import Url

_MOST = 4
_LEAST_WEIGHT = 0.05


def explain(estimate: Estimate, url: Url) -> Iterator[str]:
    """One line for what is expected of a URL, and one for each of the reasons that count most."""
    text = url.text.encode("utf-8", "surrogatepass")
    ((own, with_links),) = estimate.expect([text], [0])[:, (OWN, ALL)]
    reasons = [one for one in estimate.reasons(text) if one.tries and one.weight]
    if not reasons:
        yield "nothing is known about similar URLs yet"
        return
    yield f"{own:.0%} of a page full of new content, {with_links:.0%} with what its links promise"
    for reason in reasons[:_MOST]:
        if abs(reason.weight) >= _LEAST_WEIGHT:
            yield _describe(reason)


def _describe(reason: Reason) -> str:
    """
    >>> _describe(Reason(Clue.PAIR, "do=edit", -1.5, 14, 0.02))
    'less, because of its parameter do=edit: 14 pages with it brought 2% on average'
    """
    way = "more" if reason.weight > 0 else "less"
    what = f"{_WORDS[reason.clue]} {reason.words}".strip()
    return f"{way}, because of {what}: {reason.tries} pages with it brought {reason.mean:.0%} on average"


_WORDS = {
    Clue.HOST: "its host",
    Clue.SHAPE: "the shape of its path",
    Clue.PATTERN: "its pattern",
    Clue.FORM: "its pattern and the form of its values",
    Clue.FOLDER: "its folder",
    Clue.FIRST: "the first word of its path",
    Clue.NAME: "a parameter named",
    Clue.PAIR: "its parameter",
    Clue.SEGMENT: "the word",
    Clue.ENDING: "its ending",
    Clue.PARAMETERS: "the number of its parameters",
    Clue.DEPTH: "the length of its path",
    Clue.KIND: "the kind of the link",
    Clue.REL: "the rel of the link",
    Clue.PLACE: "the place of the link",
    Clue.ANCHOR: "the text of the link",
    Clue.SOURCE: "the pattern of the page that has the link",
}
