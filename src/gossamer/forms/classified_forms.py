"""Classify the forms of a page and their fields.

Input: a page and its URL. Output: its forms in document order, each with its kind, the probability
of the kind by the model, its fields by kind, and the reason why it must not be submitted, if there
is one.
"""

from collections import Counter
from functools import cache
from importlib.resources import files
from urllib.parse import urlsplit

from msgspec import Struct

from gossamer.core.page_tree import PageTree, parse_page
from gossamer.core.softmax_model import SoftmaxModel, load_model
from gossamer.core.url import Url, base, join, parse
from gossamer.core.word_sets import word_set
from gossamer.forms.field_features import field_features
from gossamer.forms.form_features import form_features
from gossamer.forms.form_words import split_words, topics_of
from gossamer.forms.page_forms import PageForm, find_forms
from gossamer.forms.submission_rules import refuse_submission

_TYPED = word_set("text search email tel url number textarea date month week range")
_CHOICES = frozenset(("select", "radio", "checkbox"))


class FormModel(Struct, frozen=True):
    """The two models that classify forms, and fields within a form of a known kind."""

    forms: SoftmaxModel
    fields: SoftmaxModel


class ClassifiedForm(Struct, frozen=True):
    """A form with its kind."""

    kind: str
    probability: float
    """That the model gives the kind; 1 at most."""
    method: str
    action: str
    """The absolute URL that it is sent to."""
    fields: dict[str, str]
    """Kinds of its fields by their names, those that a person does not see left out."""
    refused: str
    """Why it must not be submitted; empty if it may be."""


@cache
def own_model() -> FormModel:
    """The model that comes with the package."""
    folder = files("gossamer.forms")
    return FormModel(
        *(load_model((folder / f"{one}_model.json").read_bytes()) for one in ("form", "field"))
    )


def classify_page(html: str, url: str, model: FormModel | None = None) -> list[ClassifiedForm]:
    """Classify all forms of a page, in document order.

    >>> classify_page('<form action="/s"><input name=q><input type=submit value=Search></form>', "https://a.example/")[0].kind
    'search'
    """
    tree = parse_page(html)
    forms = find_forms(tree)
    title = _title(tree)
    declared = next((one.get("href") for one in tree.find("base") if one.get("href")), "")
    there = _join(url, declared)
    whole = there.text if there is not None else url
    return [
        # a form without an action is sent to its page, whatever the base of links is
        classify_form(one, title, whole if one.action else url, len(forms), model or own_model())
        for one in forms
    ]


def classify_form(
    form: PageForm, title: str, url: str, forms_on_page: int, model: FormModel
) -> ClassifiedForm:
    """Classify one form of a page with this title and URL."""
    features = form_features(form, title, urlsplit(url).path, forms_on_page)
    found = model.forms.probabilities(features)
    general = max(found, key=lambda one: found[one])
    kind = _particular(form, general)
    fields = _field_kinds(form, general, model.fields)
    action = _join(url, form.action)
    return ClassifiedForm(
        kind=kind,
        probability=round(found[general], 4),
        method=form.method,
        action=action.text if action is not None else "",
        fields=fields,
        refused=refuse_submission(form, kind, found[general], fields, action),
    )


def _join(url: str, href: str) -> Url | None:
    """The URL that an action of a page at `url` leads to."""
    there = base(url)
    return join(there, href) if href and there is not None else parse(url)


def _title(tree: PageTree) -> str:
    titles = tree.find("title")
    return titles[0].text(is_whole=True) if titles else ""


def _field_kinds(form: PageForm, kind: str, model: SoftmaxModel) -> dict[str, str]:
    shown = [one for one in form.fields if one.type != "hidden"]
    found: dict[str, str] = {}
    for place, field in enumerate(shown):
        if not field.name or field.name in found:
            continue
        chances = model.probabilities(field_features(shown, place, kind))
        found[field.name] = max(chances, key=lambda one: chances[one])
    return found


def _particular(form: PageForm, kind: str) -> str:
    """The kind within the general one of the model: structured searches, and kinds of other forms."""
    shown = [one for one in form.fields if not one.is_hidden and not one.is_button]
    typed = [one for one in shown if one.type in _TYPED]
    choices = {one.name for one in shown if one.type in _CHOICES}
    if kind == "search":
        return (
            "structured search"
            if len(choices) + len(typed) > 2 or (choices and not typed)
            else kind
        )
    if kind != "other":
        return kind
    topics = _count_topics(form)
    if topics["poll"] and choices:
        return "poll"
    if topics["payment"] and (typed or not choices):
        return "payment"
    if typed or not choices:
        return kind
    if topics["sort"] > topics["navigate"]:
        return "display options"
    return "navigation" if topics["navigate"] else kind


def _count_topics(form: PageForm) -> Counter[str]:
    """Count the parts of a form that have words of a topic, by topic."""
    parts = [form.names, form.action, form.heading, form.text[:300]]
    parts += [f"{one.name} {one.value} {one.label}" for one in form.fields]
    return Counter(topic for one in parts for topic in topics_of(split_words(one)))
