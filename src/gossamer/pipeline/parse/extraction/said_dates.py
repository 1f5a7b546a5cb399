"""The date of publication that a text says: in a sentence, behind a label, before its first words.

Input is the text of a page, a line for each block. A date counts only if the text says what it is, or if it
stands where press releases have it; several days are none. Words are those of some thirty languages.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import re2

from gossamer.pipeline.parse.extraction.written_dates import DATE, day_of

_SAYING = (
    "published", "publication date", "date of publication", "publiziert", "publié", "publiée",
    "date de publication", "publicado", "publicada", "fecha de publicación", "data de publicação",
    "publicat", "data publicării", "data de publicació", "gepubliceerd", "publicatiedatum",
    "publicerad", "publicerat", "publisert", "publiceret", "opublikowano", "opublikowany",
    "data publikacji", "publikováno", "publikované", "dipublikasikan", "pubblicato", "pubblicata",
    "data di pubblicazione", "data pubblicazione", "posted", "postado", "erschienen", "online seit",
    "mis en ligne", "mise en ligne", "paru le", "geplaatst", "offentliggjort", "udgivet", "julkaistu",
    "objavljeno", "objavljen", "megjelent", "diterbitkan", "veröffentlicht", "veröffentlichungsdatum",
    "zveřejněno", "zverejnené", "опубликовано", "опубликована", "дата публикации", "публикувано",
    "опубліковано", "дата публікації", "објављено", "közzétéve", "yayınlanma tarihi", "yayınlanma",
    "yayın tarihi", "yayınlandı", "δημοσιεύθηκε", "δημοσιεύτηκε", "δημοσίευση", "đăng ngày",
    "ngày đăng", "发布时间", "发布于", "发布日期", "发表于", "發布時間", "發佈於", "發布日期", "發表於",
    "公開日", "投稿日", "掲載日", "配信日", "게시일", "등록일", "입력",
)  # fmt: skip
_SAID = re.compile(
    r"(?:\s(?:on|am|le|el|il|op|em|den|dne|dnia|på|dana))?(?:\s?[:：|-])?\s{0,20}"
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s|(?:\w{4,10}tag|mittwoch),?\s(?:(?:den|dem)\s)?)?"
    + DATE
)
_PASSIVE = re.compile(
    r"(?:artikel|beitrag|text|meldung|seite|eintrag|nachricht)\b[^.]{0,200}?\bwurde\sam\s"
    + DATE
    + r"[^.]{0,200}?\b(?:veröffentlicht|publiziert|erstellt|eingestellt)\b"
)
"""`Der Artikel „Tee“ wurde am 15.02.2023 von Anna veröffentlicht`."""
_LABELS = ("date", "datum", "fecha", "data", "dato", "päivämäärä", "дата", "日期", "日付")
_LABELLED = re.compile(rf"(?:{'|'.join(_LABELS)})\s?[:：]\s{{0,20}}{DATE}")
_OF_AN_EVENT = re.compile(
    r"(?:time|where|venue|location|place|ort|uhrzeit|beginn|zeit|wo|lieu|heure|lugar|hora|luogo|ora|plats|sted)"
    r"\s?[:：]"
)
"""A label beside which a date is that of what will be."""
_PLACE = r"(?:[^\W\d_][\w.'’-]*(?:[ /][^\W\d_][\w.'’-]*){0,2},\s){1,2}(?:(?:den|le|am)\s)?"
_DATELINE = re.compile(
    rf"(?P<bracket>\()?(?P<place>{_PLACE})?{DATE}\s?"
    r"(?(bracket)\)|(?:[-–—:|/]|\([^()]{2,30}\)|(?(place)–|\.)))\s{0,3}[^\W\d_]",
    re.IGNORECASE,
)
_PROSE = 100
"""Characters of a line that is a paragraph."""
_LONGEST_TEXT = 200_000


def find_said_date(text: str, main_text: str = "", is_day_first: bool = False) -> float | None:
    """The day on which a page says that it was published, in seconds since 1970.

    If it says several, the main text may say one only.

    >>> find_said_date("Published on February 15, 2023 by Ann.") == find_said_date("Posted: 15.02.2023")
    True
    """
    days = _said_days(text, is_day_first)
    if len(days) > 1:
        days = _said_days(main_text, is_day_first)
    return days.pop() if len(days) == 1 else None


def find_dateline(main_text: str, is_day_first: bool = False) -> float | None:
    """The day before the first words of an article, in seconds since 1970.

    >>> tea = "Tea is hot" + ", and hot" * 20
    >>> find_dateline(f"TOKYO, Feb. 15, 2023 – {tea}") == find_dateline(f"(15.02.2023) {tea}")
    True
    """
    lines = map(str.strip, main_text[:_LONGEST_TEXT].splitlines())
    found = next((_DATELINE.match(line) for line in lines if len(line) >= _PROSE), None)
    return None if found is None else day_of(found, is_day_first)


def _said_days(text: str, is_day_first: bool) -> set[float | None]:
    lowered = text[:_LONGEST_TEXT].lower()
    ways = (_in_sentences, _in_the_passive, _labelled)
    said = ({day_of(found, is_day_first) for found in way(lowered)} for way in ways)
    return next(filter(None, said), set())


def _in_sentences(lowered: str) -> Iterator[re.Match[str]]:
    """`published on …`, in any of the languages."""
    for word in said_words(lowered):
        yield from _behind(lowered, word.removesuffix(" le"))


def said_words(lowered: str) -> Iterable[str]:
    """Those of `_SAYING` that stand in a text."""
    found = _looked_for().Match(lowered)
    return [_SAYING[place - 1] for place in found if place] if found else _SAYING


@cache
def _looked_for() -> Any:
    """All words at once: RE2 looks at each byte once, whatever their number.

    The first is in every text: where it is not found, there was too little memory for the search.
    """
    options = re2.Options()
    options.literal = True
    words = re2.Set.SearchSet(options)
    for word in ("", *_SAYING):
        words.Add(word)
    words.Compile()
    return words


def _behind(lowered: str, word: str) -> Iterator[re.Match[str]]:
    at = lowered.find(word)
    while at >= 0:
        found = _SAID.match(lowered, at + len(word))
        if found is not None:
            yield found
        at = lowered.find(word, at + 1)


def _in_the_passive(lowered: str) -> Iterator[re.Match[str]]:
    if "wurde am" in lowered:
        yield from filter(None, map(_PASSIVE.search, lowered.splitlines()))


def _labelled(lowered: str) -> Iterator[re.Match[str]]:
    """`Date: …` at the beginning of a line, unless there is a place or an hour, too."""
    lines = lowered.splitlines()
    numbers = [number for number, line in enumerate(lines) if line.startswith(_LABELS)]
    if numbers and not any(map(_OF_AN_EVENT.match, lines)):
        both = ("\n".join(lines[number : number + 2]) for number in numbers)
        yield from filter(None, map(_LABELLED.match, both))
