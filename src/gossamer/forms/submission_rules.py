"""Decide whether a form may be submitted.

The rules are hard: no probability lifts one. A form that is no search, that is sent by POST, or
that asks for anything personal is refused, whatever the model says. A user who names a POST form
lifts the rule on methods and no other.
"""

from collections.abc import Mapping

from gossamer.core.url import Url
from gossamer.core.word_sets import word_set
from gossamer.forms.changing_words import (
    is_named_for_change,
    names_operation,
    says_nothing,
    speaks_of_change,
)
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
_CHANGING_TOPICS = frozenset(
    ("login", "register", "forgot", "list", "contact", "order", "payment", "poll")
)
_PERSONAL_TOPICS = frozenset(("email", "password"))
_SEARCHING_TOPICS = frozenset(("search", "filter", "sort"))
_EMPTY = word_set("go to from order max min date range price")
"""Words of these topics that stand on every other button: `Add to cart`, `Order now`."""


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
    return _refuse_operation(field)


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
    return next(
        filter(None, (_refuse_button(one) for one in form.fields if one.is_button)), ""
    ) or _refuse_address(action)


def _refuse_button(button: FormField) -> str:
    if button.type == "reset":
        return ""
    if button.elsewhere:
        return f"has a button that sends it elsewhere: {button.elsewhere}"
    said = split_words(button.value)
    named = split_words(button.name)
    words = said + [
        one for one in named if one != "edit" or "submit" not in named
    ]  # as Drupal does
    topics = topics_of([one for one in words if one not in _EMPTY])
    is_search = bool(topics & _SEARCHING_TOPICS)
    if (
        speaks_of_change(words)
        or is_named_for_change(split_words(f"{button.words} {button.icon}"))
        or (topics & _CHANGING_TOPICS and not is_search)
    ):  # fmt: skip
        return (
            f"has a button that may change something: {button.value or button.name or button.icon}"
        )
    if button.type != "button" and not is_search and not says_nothing(said):
        return f"has a button that does not speak of searching: {button.value}"
    return ""


def _refuse_operation(field: FormField) -> str:
    """A value that says what shall be done, fixed or chosen, and a mark at what shall be done beside."""
    name = split_words(field.name)
    told = f"{field.name}={field.value}".rstrip("=")
    if names_operation(name) and not field.is_button:
        values = [field.value, *(one for pair in field.options for one in pair)]
        if any(speaks_of_change(split_words(one)) for one in values):
            return f"carries an operation that may change something: {told}"
    if {"impersonate", "masquerade"} & set(name) or {"switch", "user"} <= set(name):
        return f"carries an operation that may change something: {told}"
    if field.type == "checkbox" and speaks_of_change(name):
        return f"carries an operation that may change something: {told}"
    return ""


def _refuse_address(action: Url) -> str:
    address, _, query = action.text.partition("?")
    words = split_words(address.split("//", 1)[-1].partition("/")[2])
    topics = topics_of([one for one in words if one not in _EMPTY])
    if "search" in topics:
        words = [one for one in words if one != "post"]  # the search of a blog
    pairs = [one.partition("=") for one in query.split("&")]
    if (
        speaks_of_change(words)
        or (topics & _CHANGING_TOPICS and "search" not in topics)
        or any(
            names_operation(split_words(name)) and speaks_of_change(split_words(value))
            for name, _, value in pairs
        )
    ):
        return f"is sent to an address that may change something: {address}"
    return ""
