"""Decide whether a form may be submitted.

The rules are hard: no probability lifts one. A form that is no search, that is sent by POST, or
that asks for anything personal is refused, whatever the model says. A user who names a POST form
lifts the rule on methods and no other.
"""

from collections.abc import Mapping

from gossamer.core.url import Url
from gossamer.core.word_sets import word_set
from gossamer.forms.form_kinds import SEARCHES
from gossamer.forms.form_words import split_words, topics_of
from gossamer.forms.page_forms import FormField, PageForm

LEAST_PROBABILITY = 0.6
"""Of a search, for it to be submitted."""
_PERSONAL_TYPES = {
    "password": "a password",
    "email": "an e-mail address",
    "file": "a file",
    "tel": "a phone number",
}
_PERSONAL_KINDS = frozenset(
    (
        "password",
        "password confirmation",
        "email",
        "email confirmation",
        "username",
        "username or email",
        "captcha",
        "honeypot",
        "terms",
        "receive email",
        "first name",
        "last name",
        "middle name",
        "full name",
        "phone",
        "fax",
        "address",
        "security question",
        "security answer",
        "about me",
        "comment",
        "subject",
        "openid",
        "quantity",
    )
)
_TOKENS = word_set(
    "token csrf xsrf nonce authenticity viewstate formkey sesskey sessid securitytoken crumb"
)
_CHANGING = word_set(
    "delete remove unsubscribe subscribe buy checkout logout signout vote save update edit create "
    "add post send upload löschen entfernen kaufen speichern supprimer acheter enregistrer "
    "eliminar borrar comprar guardar usuń kup удалить купить сохранить 删除 购买 保存 削除 購入"
)
"""Words of a button or an address that speak of a change."""
_CHANGING_TOPICS = frozenset(
    ("login", "register", "forgot", "list", "contact", "order", "payment", "poll")
)
_PERSONAL_TOPICS = frozenset(("email", "password"))
_SEARCHING_TOPICS = frozenset(("search", "filter", "sort"))


def refuse_submission(
    form: PageForm,
    kind: str,
    probability: float,
    field_kinds: Mapping[str, str],
    action: Url | None,
    is_named: bool = False,
) -> str:
    """The reason why a form must not be submitted, or nothing; `is_named` lifts the rule on methods only."""
    if action is None or not action.text.startswith(("http:", "https:")):
        return "leads nowhere"
    if kind not in SEARCHES:
        return f"is no search: {kind}"
    if form.method != "get" and not is_named:
        return f"is sent by {form.method.upper()}"
    if form.encoding.startswith("multipart"):
        return "sends files"
    if probability < LEAST_PROBABILITY:
        return f"is a search with a probability of {probability:.2f} only"
    return next(filter(None, map(_refuse_field, form.fields)), "") or _refuse_words(
        form, field_kinds, action
    )


def _refuse_field(field: FormField) -> str:
    if field.type in _PERSONAL_TYPES:
        return f"asks for {_PERSONAL_TYPES[field.type]}: {field.name or field.type}"
    asked = topics_of(split_words(f"{field.name} {field.label} {field.placeholder}"))
    if (
        not (field.is_hidden or field.is_button)
        and asked & _PERSONAL_TOPICS
        and "search" not in asked
    ):
        return f"asks for something personal: {field.name or field.label}"
    if field.type == "textarea":
        return f"takes a longer text: {field.name or field.type}"
    if field.type == "hidden" and _is_token(field):
        return f"carries a token: {field.name}"
    return ""


def _is_token(field: FormField) -> bool:
    """Is it a value that the server made for this visitor?"""
    words = split_words(field.name)
    joined = "".join(words)
    return any(one in joined for one in _TOKENS) or (
        len(field.value) >= 32 and field.value.isalnum() and not field.value.isalpha()
    )


def _refuse_words(form: PageForm, field_kinds: Mapping[str, str], action: Url) -> str:
    personal = [name for name, kind in field_kinds.items() if kind in _PERSONAL_KINDS]
    if personal:
        return f"asks for something personal: {personal[0]} ({field_kinds[personal[0]]})"
    asked = set(field_kinds.values()) - {"submit button", "reset button", "cancel button"}
    if asked <= {"sort order", "style"}:
        return "changes at most how the page is shown"
    for button in form.fields:
        if not button.is_button or button.type == "reset":
            continue
        words = split_words(f"{button.value} {button.name}")
        topics = topics_of(words)
        if (
            _CHANGING.intersection(words) or topics & _CHANGING_TOPICS
        ) and not topics & _SEARCHING_TOPICS:
            return f"has a button that may change something: {button.value or button.name}"
    words = split_words(action.text.split("?")[0].split("//", 1)[-1].partition("/")[2])
    is_doubted = _CHANGING.intersection(words) or topics_of(words) & _CHANGING_TOPICS
    if is_doubted and "search" not in topics_of(words):
        return f"is sent to an address that may change something: {action.text.split('?')[0]}"
    return ""
