"""The date of publication that a text says: in a sentence, behind a label, before its first words.

Input is the text of a page, a line for each block. A date counts only if the text says what it is, or if it
stands where press releases have it; several days are none. Words are those of some thirty languages.
"""

import re
from collections.abc import Iterator

from gossamer.pipeline.parse.extraction.written_dates import DATE, day_of

_SAYING = {
    # A part that is looked for first, as most texts have none: the words that have it.
    "publi": (
        "published", "publication date", "date of publication", "publiziert", "publié", "publiée",
        "date de publication", "publicado", "publicada", "fecha de publicación", "data de publicação",
        "publicat", "data publicării", "data de publicació", "gepubliceerd", "publicatiedatum", "publicerad",
        "publicerat", "publisert", "publiceret", "opublikowano", "opublikowany", "data publikacji",
        "publikováno", "publikované", "dipublikasikan",
    ),
    "pubbli": ("pubblicato", "pubblicata", "data di pubblicazione", "data pubblicazione"),
    "post": ("posted", "postado"),
    "erschienen": ("erschienen",),
    "online seit": ("online seit",),
    "en ligne": ("mis en ligne", "mise en ligne"),
    "paru le": ("paru",),
    "geplaatst": ("geplaatst",),
    "offentliggjort": ("offentliggjort",),
    "udgivet": ("udgivet",),
    "julkaistu": ("julkaistu",),
    "objavljen": ("objavljeno", "objavljen"),
    "megjelent": ("megjelent",),
    "diterbitkan": ("diterbitkan",),
}  # fmt: skip
_SAYING_BEYOND_ASCII = {
    "veröffentlich": ("veröffentlicht", "veröffentlichungsdatum"),
    "zveřejněno": ("zveřejněno",),
    "zverejnené": ("zverejnené",),
    "публик": ("опубликовано", "опубликована", "дата публикации", "публикувано"),
    "публік": ("опубліковано", "дата публікації"),
    "објављено": ("објављено",),
    "közzétéve": ("közzétéve",),
    "yayın": ("yayınlanma tarihi", "yayınlanma", "yayın tarihi", "yayınlandı"),
    "δημοσ": ("δημοσιεύθηκε", "δημοσιεύτηκε", "δημοσίευση"),
    "đăng": ("đăng ngày", "ngày đăng"),
    "发布": ("发布时间", "发布于", "发布日期"),
    "发表": ("发表于",),
    "發": ("發布時間", "發佈於", "發布日期", "發表於"),
    "日": ("公開日", "投稿日", "掲載日", "配信日"),
    "일": ("게시일", "등록일"),
    "입력": ("입력",),
}
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
    saying = _SAYING if lowered.isascii() else _SAYING | _SAYING_BEYOND_ASCII
    for part, words in saying.items():
        for word in words if part in lowered else ():
            yield from _behind(lowered, word)


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
