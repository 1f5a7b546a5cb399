"""Amounts of money in text: `1.299,00 €`, `$1,299`, `CHF 12.–`, `Rs 23,450`."""

import re
from decimal import Decimal, InvalidOperation

from msgspec import Struct

from gossamer.core.word_sets import word_set

_SYMBOLS = {
    "€": "EUR", "£": "GBP", "$": "USD", "¥": "JPY", "￥": "JPY", "円": "JPY", "₹": "INR",
    "₽": "RUB", "₩": "KRW", "원": "KRW", "₺": "TRY", "₴": "UAH", "₪": "ILS", "฿": "THB",
    "₫": "VND", "₸": "KZT", "zł": "PLN", "kč": "CZK", "ft": "HUF", "lei": "RON",
    "руб": "RUB", "руб.": "RUB", "р.": "RUB", "тг": "KZT", "тг.": "KZT", "лв": "BGN",
    "kn": "HRK", "kr": "SEK", "kr.": "DKK", "rs": "INR", "rs.": "INR", "us$": "USD",
    "us $": "USD", "c$": "CAD", "ca$": "CAD", "a$": "AUD", "au$": "AUD", "nz$": "NZD",
    "hk$": "HKD", "nt$": "TWD", "s$": "SGD", "r$": "BRL", "mx$": "MXN", "ر.س": "SAR",
    "د.إ": "AED", "ден": "MKD", "дин": "RSD", "rub": "RUB", "元": "CNY", "грн": "UAH",
    "br": "BYN", "₦": "NGN", "₱": "PHP", "rm": "MYR", "rp": "IDR", "r": "ZAR", "fr.": "CHF",
    "sfr.": "CHF", "din": "RSD", "den": "MKD", "tl": "TRY", "ksh": "KES", "so'm": "UZS",
    "сум": "UZS", "дирхам": "AED",
}  # fmt: skip
_CODES = word_set(
    "EUR USD GBP JPY CNY RUB RUR INR KRW TRY UAH ILS THB VND KZT PLN CZK HUF RON BGN HRK SEK "
    "DKK NOK ISK CHF CAD AUD NZD HKD TWD SGD BRL MXN ARS CLP COP PEN UYU ZAR SAR AED QAR KWD "
    "BHD OMR EGP MAD TND NGN KES GHS PKR BDT LKR NPR PHP MYR IDR BYN RSD MKD ALL BAM GEL AMD "
    "AZN UZS RMB"
)
_NUMBER = (
    r"\d{1,3}(?:[.,'’\s\u00a0\u202f]\d{3})+(?:[.,]\s?\d{1,2})?(?!\d)|"
    r"\d+(?:[.,]\s?(?:\d{1,2}|\d{3,4}))?(?!\d)"
)
_CURRENCY = "|".join(
    sorted(
        (re.escape(one) for one in (*_SYMBOLS, *(c.lower() for c in _CODES))), key=len, reverse=True
    )
)
_BEFORE = re.compile(
    rf"(?<![\w])(?P<currency>{_CURRENCY})[\s\u00a0:]*(?P<number>{_NUMBER})(?:[.,][-–—]+)?",
    re.IGNORECASE,
)
_AFTER = re.compile(
    rf"(?<![\w.,])(?P<number>{_NUMBER})(?:[.,][-–—]+)?[\s\u00a0]*(?P<currency>{_CURRENCY})(?![\w])",
    re.IGNORECASE,
)
_PLAIN = re.compile(rf"(?<![\w.,])(?P<number>{_NUMBER})(?:[.,][-–—]+)?(?![\w])")
_DIGITS = str.maketrans("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹０１２３４５６７８９٫٬", "0123456789" * 3 + ".,")


class Amount(Struct, frozen=True):
    """A price as a number, with its currency as it is written."""

    value: Decimal
    currency: str = ""
    start: int = 0

    @property
    def text(self) -> str:
        """Whole amounts without decimals, others with two or more.

        >>> Amount(Decimal("12.50")).text, Amount(Decimal("12.00")).text
        ('12.50', '12')
        """
        value = self.value.normalize()
        exponent = value.as_tuple().exponent
        if not isinstance(exponent, int) or exponent >= 0:
            return f"{value:f}"
        return f"{value:.2f}" if exponent >= -2 else f"{value:f}"


def find_amounts(text: str, is_plain: bool = False) -> list[Amount]:
    """The amounts in a text that have a currency; with `is_plain`, any numbers if none has.

    >>> [(one.text, one.currency) for one in find_amounts("was 1.299,00 €, now $ 999")]
    [('1299', '€'), ('999', '$')]
    """
    text = text.translate(_DIGITS)
    found: dict[int, Amount] = {}
    for pattern in (_BEFORE, _AFTER):
        for match in pattern.finditer(text):
            start = match.start("number")
            value = read_number(match["number"])
            if value is not None and start not in found:
                found[start] = Amount(value, match["currency"], match.start())
    if not found and is_plain:
        for match in _PLAIN.finditer(text):
            if (value := read_number(match["number"])) is not None:
                found[match.start()] = Amount(value, "", match.start())
    return [found[start] for start in sorted(found)]


def read_number(text: str) -> Decimal | None:
    """A number as people write prices: the last separator is the decimal one if it can be.

    >>> read_number("1.299,00"), read_number("1,299"), read_number("12.5"), read_number("1 299")
    (Decimal('1299.00'), Decimal('1299'), Decimal('12.5'), Decimal('1299'))
    """
    text = re.sub(r"[\s\u00a0\u202f'’]", "", text.translate(_DIGITS))
    points, commas = text.count("."), text.count(",")
    if points and commas:
        decimal = "." if text.rindex(".") > text.rindex(",") else ","
        text = text.replace("," if decimal == "." else ".", "").replace(decimal, ".")
    elif points + commas > 1:
        text = text.replace(".", "").replace(",", "")
    elif points + commas == 1:
        whole, _, rest = text.replace(",", ".").partition(".")
        text = whole + rest if len(rest) == 3 and whole not in ("0", "") else f"{whole}.{rest}"
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    return value if value < Decimal(10) ** 12 else None


def read_price(value: object) -> Amount | None:
    """The price that a property of structured data is: `49.00`, `"26,00 €"`, `"1299"`, `49.0`.

    >>> read_price("26,00 €").text, read_price(13.4).text, read_price("call us") is None
    ('26', '13.40', True)
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return Amount(Decimal(repr(value))) if 0 <= value < 1e12 else None
    if not isinstance(value, str):
        return None
    found = find_amounts(value.strip()[:80], is_plain=True)
    return found[0] if found else None


def currency_code(text: str) -> str:
    """The code of a currency, as far as its sign says.

    >>> currency_code("€"), currency_code("rur"), currency_code("Kč")
    ('EUR', 'RUB', 'CZK')
    """
    plain = text.strip()
    if plain.upper() in _CODES:
        return {"RUR": "RUB", "RMB": "CNY"}.get(plain.upper(), plain.upper())
    return _SYMBOLS.get(plain.lower(), "")
