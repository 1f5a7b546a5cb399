"""Numbers in URLs: does a URL name a page of a series, and is it of the series of another?

Two URLs are of one series if they differ in a page number only: `/list` and `/list?page=2`, `/list/page/3`,
`/list-p3.html`, `/list/index4.html`, `/list?start=40`.
"""

import re
from urllib.parse import unquote, urlsplit

_DIGITS = re.compile(r"\d+")
_PAGE_NAMES = (
    "page|pages|pagina|paginas|página|pag|paged|pg|p|pn|pageno|pagenum|pagenumber|pageid|pageindex|page_no|"
    "page_num|currentpage|curpage|cur_page|seite|sivu|sida|side|strona|str|stranica|oldal|lap|trang|halaman|"
    "hal|sayfa|pagination|pager|start|startat|st|from|offset|skip|first|begin|limitstart|startrow|"
    "startindex|start_index|cpage|comment-page|pagenr|npage|pgno|pnum|upto|before|after|cursor|max_id|"
    "catlistingoffset|o|b|pagingoffset|pos|row|list_page|current|nr|num_page|ipage|iid|xpage|curr_page|"
    "updated-max|seitennr|from_page|section|paging|goto|cp"
)
_PAGE_NAME = re.compile(rf"(?:.*[\[._-])?(?:{_PAGE_NAMES})\]?", re.IGNORECASE)
_LOOSE_NAME = re.compile(r"page|pag(?:e|in)|offset|start", re.IGNORECASE)
_SESSION = re.compile(
    r"s|sid|phpsessid|jsessionid|session_id|sessionid|utm_.*|ref|ipp|per_?page|perpage|limit|max-results|"
    r"ajax|ajaxtoolbar|size|sort.*|order.*|dir|by-date|count|hitsperpage|pagesize",
    re.IGNORECASE,
)
_PATH_MARK = re.compile(
    r"(?:^|(?<=[/_.,;:=~+-]))(?:page|pagina|pag|pg|p|seite|sivu|sida|side|strona|stranica|str|oldal|trang|"
    r"halaman|sayfa|index|offset|start|default|paged|pages|comment-page|stran|страница|puslapis|lapa)"
    r"[/_.,;:=~-]?(\d{1,6})(?=$|[/_.,;-])",
    re.IGNORECASE,
)
_PATH_TAIL = re.compile(r"[/_.,;-](\d{1,5})(?=/?$|\.[a-z]{2,5}$|/?index\.[a-z]+$)", re.IGNORECASE)
_INDEX = re.compile(r"(?:index|default)(?:\.[a-z]{2,5})?$", re.IGNORECASE)


def split_query(query: str) -> list[tuple[str, str]]:
    """Names and values of a query, as they are written."""
    pairs = [one.partition("=") for one in re.split("[&;]", query) if one]
    return [(name, value) for name, _, value in pairs]


def is_page_name(name: str) -> bool:
    """Does a query parameter of this name say which page it is?

    >>> is_page_name("page"), is_page_name("list[offset]"), is_page_name("id")
    (True, True, False)
    """
    name = unquote(name)
    return bool(_PAGE_NAME.fullmatch(name) or _LOOSE_NAME.search(name)) and not _SESSION.fullmatch(
        name
    )


def page_number(url: str) -> int | None:
    """The number by which a URL says which page it is, or where it begins.

    >>> page_number("https://a.example/list/page/3/?s=1"), page_number("https://a.example/?start=40")
    (3, 40)
    """
    parts = urlsplit(url)
    for name, value in split_query(parts.query):
        if is_page_name(name) and value.isascii() and value.isdigit() and len(value) < 8:
            return int(value)
    found = _PATH_MARK.findall(parts.path) or _PATH_TAIL.findall(parts.path)
    return int(found[-1]) if found else None


def series_stems(url: str) -> set[str]:
    """The spellings of a URL without what may say which page of its series it is.

    >>> series_stems("https://a.example/list/") & series_stems("https://a.example/list/page/3")
    {'a.example/list'}
    """
    parts = urlsplit(url)
    host = (parts.hostname or "").removeprefix("www.")
    path = unquote(parts.path)
    rest = sorted(
        f"{name}={value}"
        for name, value in split_query(parts.query)
        if value and not is_page_name(name) and not _SESSION.fullmatch(name)
    )
    query = "?" + "&".join(rest) if rest else ""
    paths = {path, _PATH_MARK.sub("", path), _PATH_TAIL.sub(_keep_end, path)}
    return {host + _trim(one) + query for one in paths} | {
        host + _trim(one) for one in paths if not query
    }


def _keep_end(match: re.Match[str]) -> str:
    return ""


def _trim(path: str) -> str:
    path = re.sub(r"/{2,}", "/", path)
    path = _INDEX.sub("", path)
    path = re.sub(r"\.(?:html?|php|aspx?|jsp|cfm)/?$", "", path)
    path = re.sub(r"/index$", "/", path)
    return path.rstrip("/_.,;:=~+-")


def mask(url: str) -> tuple[str, tuple[int, ...]]:
    """A URL with each run of digits as `#`, and the numbers.

    >>> mask("http://a.example/page/12")
    ('http://a.example/page/#', (12,))
    """
    return _DIGITS.sub("#", url), tuple(int(one[:18]) for one in _DIGITS.findall(url))
