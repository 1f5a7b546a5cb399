"""Dates as people write them: `15 February 2023`, `3. Mai 2021`, `27.01.2022`.

Only whole dates count. `03/04/2023` is a day in April for most people and in March for some: it is no date.
"""

import re
from datetime import UTC, datetime

_MONTHS = (
    "january jan januar jänner janvier janv enero ene gennaio gen januari janeiro stycznia января ledna "
    "tammikuuta januára január ianuarie ocak ιανουαρίου січня gener",
    "february feb februar février févr fév febrero febbraio febr februari fevereiro lutego февраля února "
    "helmikuuta februára február februarie şubat φεβρουαρίου лютого februari febrer",
    "march mar märz mrz mär mars marzo maart março marca марта března marts maaliskuuta március martie mart "
    "μαρτίου березня maret",
    "april apr avril avr abril abr aprile kwietnia апреля dubna huhtikuuta apríla április aprilie nisan "
    "απριλίου квітня",
    "may mai mayo maggio mag mei maio maja мая května maj toukokuuta mája május mayıs μαΐου травня maig",
    "june jun juni juin junio giugno giu junho czerwca июня června kesäkuuta júna június iunie haziran "
    "ιουνίου червня juny",
    "july jul juli juillet juil julio luglio lug julho lipca июля července heinäkuuta júla július iulie "
    "temmuz ιουλίου липня juliol",
    "august aug août aout agosto ago augustus sierpnia августа srpna augusti elokuuta augusta augusztus "
    "ağustos αυγούστου серпня agustus agost",
    "september sep sept septembre septiembre settembre set setembro września сентября září syyskuuta "
    "septembra szeptember septembrie eylül σεπτεμβρίου вересня setembre",
    "october oct oktober okt octobre octubre ottobre ott outubro października октября října lokakuuta "
    "októbra október octombrie ekim οκτωβρίου жовтня",
    "november nov novembre noviembre novembro listopada ноября marraskuuta novembra noiembrie kasım "
    "νοεμβρίου листопада",
    "december dec dezember dez décembre déc diciembre dic dicembre dezembro grudnia декабря prosince "
    "joulukuuta decembra decembrie aralık δεκεμβρίου грудня desember desembre",
)
_NUMBERS = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_NAME = "(?P<{}>" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + r")\b\.?"
_DAY = r"(?P<{}>[0-3]?\d)"
_YEAR = r"(?P<{}>(?:19|20)\d\d)(?!\d)"
DATE = (
    r"(?<![\d.,/-])(?:"
    + _YEAR.format("y1") + r"(?P<s1>[-/.])\s?(?P<m1>[01]?\d)(?P=s1)\s?" + _DAY.format("d1") + r"(?!\d)"
    + "|" + _YEAR.format("y2") + r"[年년]\s?(?P<m2>[01]?\d)[月월]\s?" + _DAY.format("d2") + "[日일]"
    + "|" + _DAY.format("d3") + r"(?P<s3>[./-])\s?(?P<m3>[01]?\d)(?P=s3)\s?(?P<y3>(?:19|20)?\d\d)"
    + r"(?![\d/.]\d|\d)"
    + "|" + _DAY.format("d4") + r"(?:\.[\s-]?|(?:st|nd|rd|th|er|º)?[\s-])(?:(?:de|of)\s)?"
    + _NAME.format("n4") + r"(?:,?\s|-)(?:(?:de|del)\s)?" + _YEAR.format("y4")
    + "|" + r"\b" + _NAME.format("n5") + r"\s" + _DAY.format("d5") + r"(?:st|nd|rd|th)?,?\s"
    + _YEAR.format("y5")
    + "|" + _YEAR.format("y6") + r"\.\s" + _NAME.format("n6") + r"\s" + _DAY.format("d6") + r"(?!\d)"
    + ")"
)  # fmt: skip
"""A pattern for one date, to be searched for without regard to case."""
WRITTEN_DATE = re.compile(DATE, re.IGNORECASE)
_DAY_FIRST = frozenset(
    (
        *("ca", "cs", "da", "de", "el", "es", "fi", "fr", "gl", "hr", "it", "nb"),
        *("nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "tr", "uk", "vi"),
    )
)
"""Languages that write 03/04/2023 for a day in April."""
_DAY_FIRST_IN_ENGLISH = frozenset(("en-gb", "en-ie", "en-au", "en-nz", "en-in", "en-za"))
_FIRST_YEAR = 1990
"""There were no pages before; two digits are a year from then on."""


def read_written_date(text: str, is_day_first: bool = False) -> float | None:
    """The one day that a text names, in seconds since 1970; None if it names none or several.

    `is_day_first` says that the language writes days before months.

    >>> read_written_date("Published on January 2, 1991") == read_written_date("2. Januar 1991")
    True
    >>> read_written_date("03/04/2023"), read_written_date("1.2.2020 – 3.2.2020")
    (None, None)
    >>> read_written_date("03/04/2023", True) == read_written_date("3 April 2023")
    True
    """
    days = {day_of(found, is_day_first) for found in WRITTEN_DATE.finditer(text)}
    return days.pop() if len(days) == 1 else None


def writes_day_first(language: str) -> bool:
    """Is `03/04/2023` a day in April in this language? In English nobody knows, if it does not say where.

    >>> writes_day_first("es-MX"), writes_day_first("en-GB"), writes_day_first("en"), writes_day_first("")
    (True, True, False, False)
    """
    said = language.strip().lower().replace("_", "-")
    return said in _DAY_FIRST_IN_ENGLISH or said.partition("-")[0] in _DAY_FIRST


def day_of(found: re.Match[str], is_day_first: bool = False) -> float | None:
    """The day that a match of `DATE` names; None if there is no such day, or no certain one."""
    said = {name[0]: value for name, value in found.groupdict().items() if value}
    year, day = int(said["y"]), int(said["d"])
    month = _NUMBERS.get(said.get("n", "").lower()) or int(said.get("m", 0))
    if year < 100:
        year += 2000
    is_unordered = not is_day_first and bool(found["d3"]) and said.get("s") in ("/", "-")
    if is_unordered and day <= 12 and day != month:
        return None  # which of them is the month is not known
    try:
        moment = datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return None
    return moment.timestamp() if year >= _FIRST_YEAR else None
