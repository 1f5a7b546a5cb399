"""Kinds of links by what they are for, after iRobot (Cai et al., WWW 2008).

Most links of a forum lead nowhere new. Told by words of the label, by the class of the link, and by the path
and the query of its URL.
"""

import re
from enum import StrEnum
from urllib.parse import urlsplit


class LinkPurpose(StrEnum):
    """The purpose of a link; one of kind `OTHER` may lead to an item."""

    REPLY = "reply"
    SORT = "sort"
    FILTER = "filter"
    SHARE = "share"
    LOGIN = "login"
    VOTE = "vote"
    USER = "user"
    PRINT = "print"
    REPORT = "report"
    OTHER = "other"


_SHARERS = re.compile(
    r"(?:^|\.)(?:facebook|twitter|x|linkedin|pinterest|reddit|tumblr|whatsapp|telegram|t|vk|addtoany|addthis|"
    r"getpocket|digg|delicious|xing|line)\.(?:com|me|org|cc|us)$"
)
_SHARE_PATH = re.compile(
    r"/(?:shar\w*|intent|submit|pin/create|dialog)\b|[?&](?:u|url)=http", re.IGNORECASE
)
_URLS = {
    LinkPurpose.LOGIN: r"log-?in|log-?on|sign-?in|sign-?up|register|logout|lostpassword|ucp\.php|wp-login",
    LinkPurpose.REPLY: "reply(?:to(?:com)?)?|newreply|posting|quote|newthread|add-?comment|respond",
    LinkPurpose.VOTE: "vote|up-?vote|down-?vote|like|thanks?|rate|karma|favou?rite|bookmark",
    LinkPurpose.SORT: "sort(?:by|dir|_by|order)?|order(?:by|dir|_by)?|sk|sd|orderdir",
    LinkPurpose.PRINT: "print(?:able|er|page|thread)?|printview",
    LinkPurpose.REPORT: "report(?:post)?|flag|abuse",
    LinkPurpose.USER: r"users?|members?|profiles?|memberlist|author|u|viewprofile|people|@\w+",
    LinkPurpose.FILTER: r"filters?|facet\w*|refine|prefn\d*|prefv\d*",
}
_PATTERNS = tuple(
    (kind, re.compile(rf"(?:^|[/?&;._-])(?:{words})(?:$|[/?&;=._-])", re.IGNORECASE))
    for kind, words in _URLS.items()
)
_LABELS = {
    LinkPurpose.REPLY: (
        "reply|quote|respond|comment|antworten|zitieren|répondre|citer|responder|citar|rispondi|ответить|"
        "цитировать|odpowiedz|cytuj|返信|回复|답글|add (?:a )?comment|post reply|leave a (?:reply|comment)"
    ),
    LinkPurpose.LOGIN: (
        "log ?in|sign ?(?:in|up)|register|anmelden|registrieren|einloggen|connexion|s'inscrire|entrar|accedi|"
        "iniciar sesión|registrarse|registrati|войти|регистрация|zaloguj|ログイン|登录|로그인"
    ),
    LinkPurpose.SHARE: (
        "share|tweet|teilen|partager|compartir|condividi|поделиться|udostępnij|pin it|e-?mail this"
    ),
    LinkPurpose.VOTE: (
        "(?:up|down)?vote|like|thanks?|gefällt mir|j'aime|me gusta|mi piace|нравится|いいね|[▲▼]"
    ),
    LinkPurpose.PRINT: "print|drucken|imprimer|imprimir|stampa|печать|drukuj|printer[ -]friendly",
    LinkPurpose.REPORT: "report|flag|melden|signaler|denunciar|segnala|пожаловаться|zgłoś",
    LinkPurpose.SORT: (
        "sort by .*|newest first|oldest first|sortieren.*|price: (?:low|high) to (?:high|low)"
    ),
}
_WORDS = tuple(
    (kind, re.compile(rf"(?:{words})\W*", re.IGNORECASE)) for kind, words in _LABELS.items()
)


def link_purpose(url: str, label: str, hints: str = "") -> LinkPurpose:
    """The kind of a link, by its URL, its label, and the words of its class.

    >>> link_purpose("https://a.example/newreply.php?t=3", "Post reply").value
    'reply'
    >>> link_purpose("https://a.example/tea-3.html", "On tea").value
    'other'
    """
    parts = urlsplit(url)
    if _SHARERS.search(parts.hostname or "") and _SHARE_PATH.search(parts.path + "?" + parts.query):
        return LinkPurpose.SHARE
    for kind, pattern in _WORDS:
        if len(label) < 40 and pattern.fullmatch(label.strip()):
            return kind
    for kind, pattern in _PATTERNS:
        if pattern.search(parts.path) or pattern.search(_names_of(parts.query)):
            return kind
    if re.search(r" (?:user|username|author|member|profile|avatar) ", f" {hints} "):
        return LinkPurpose.USER
    return LinkPurpose.OTHER


def _names_of(query: str) -> str:
    """The names of a query, and the values that are words."""
    pairs = [one.partition("=") for one in re.split("[&;]", query) if one]
    return "&".join(f"{name}={value if value.isalpha() else ''}" for name, _, value in pairs)
