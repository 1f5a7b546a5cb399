"""Titles and headings by which pages say that there is no such page (soft 404)."""

import re

_SAYS_SO = frozenset(
    {
        *("404 error", "error 404", "error 404 not found", "404 not found", "http 404"),
        *("404 page not found", "404 file not found", "http error 404", "http 404 not found"),
        *("404 page", "page 404", "not found", "page not found", "file not found"),
        *(
            "the page you requested was not found",
            "page cannot be found",
            "page could not be found",
        ),
        *(
            "the page cannot be found",
            "the page could not be found",
            "this page could not be found",
        ),
        *("this page cannot be found", "the page was not found", "this page does not exist"),
        *("page does not exist", "that page doesn t exist", "this page doesn t exist"),
        *("oops page not found", "sorry page not found", "page unavailable"),
        *("this page isn t available", "this page is not available", "page no longer available"),
        *("oops that page can t be found", "we can t find that page", "page introuvable"),
        *("page non trouvée", "erreur 404", "cette page n existe pas", "fehler 404"),
        *("seite nicht gefunden", "seite wurde nicht gefunden", "nicht gefunden"),
        *(
            "die seite wurde nicht gefunden",
            "página no encontrada",
            "no encontrado",
            "error 404 página no encontrada",
        ),
        *(
            "página não encontrada",
            "não encontrado",
            "erro 404",
            "pagina non trovata",
            "errore 404",
        ),
        *("pagina niet gevonden", "niet gevonden", "sidan hittades inte", "siden blev ikke fundet"),
        *("sivua ei löytynyt", "fant ikke siden", "nie znaleziono strony", "strona nie istnieje"),
        *("stránka nenalezena", "az oldal nem található", "страница не найдена", "ошибка 404"),
        *(
            "сторінку не знайдено",
            "sayfa bulunamadı",
            "ページが見つかりません",
            "页面不存在",
            "页面未找到",
        ),
        *(
            "找不到页面",
            "找不到網頁",
            "頁面不存在",
            "페이지를 찾을 수 없습니다",
            "الصفحة غير موجودة",
        ),
    }
)
_PARTS = re.compile(r"\s[-|–—·»•/]+\s|[|–—·»•]")
"""What stands between the parts of a title, one of which is the site's name."""
_COLON = re.compile(r":\s")
_VAGUE = frozenset(
    {"not found", "nicht gefunden", "no encontrado", "não encontrado", "niet gevonden"}
)
"""Before or behind a colon these may be the beginning of anything."""
_NO_LETTERS = re.compile(r"[\W_]+")


def is_error_title(title: str) -> bool:
    """Does the title of a page, or a part of it, say nothing but that there is no such page?

    A bare 404 is no such title: it is a year, and a car.

    >>> is_error_title("Page not found – Example"), is_error_title("Error 404 | Example")
    (True, True)
    >>> is_error_title("How to mend 404 errors"), is_error_title("HTTP 404 pages in nginx")
    (False, False)
    """
    parts = {_plain(part) for part in (title, *_PARTS.split(title))}
    behind = {_plain(part) for part in _COLON.split(title)} if ":" in title else frozenset()
    return not _SAYS_SO.isdisjoint(parts | (behind - _VAGUE))


def is_error_heading(heading: str) -> bool:
    """The same of a page with hardly any text, where the bare number will do.

    >>> is_error_heading("404"), is_error_title("404")
    (True, False)
    """
    return is_error_title(heading) or any(_plain(part) == "404" for part in _PARTS.split(heading))


def _plain(part: str) -> str:
    """
    >>> _plain(" Error 404: Not Found! ")
    'error 404 not found'
    """
    return _NO_LETTERS.sub(" ", part).strip().lower()
