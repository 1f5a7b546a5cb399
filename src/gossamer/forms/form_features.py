"""Features of a form, from which the model infers its kind.

Each feature is a name that is there or not. Names of places (`button`, `field`, `label`) are joined
with the topics of the words that stand there, so that what is learned in one language holds in
others; the words are features too.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from gossamer.core.word_sets import word_set
from gossamer.forms.form_words import split_words, topics_of
from gossamer.forms.page_forms import FormField, PageForm

_COUNTED = word_set(
    "text search password email tel checkbox radio select textarea file hidden number"
)
_BROAD = frozenset(
    ("text", "links", "hrefs", "title", "path", "options", "around", "pictures", "host")
)
"""Places whose words may be about something else."""
_WHOLE_PAGE = 0.5
_SIGN = "[$€£¥₽₴]"
_CURRENCY = "usd|eur|kč|zł|руб|грн|лв|lei|kr|chf"
_PRICE = re.compile(
    rf"(?:{_SIGN}|\b(?:{_CURRENCY}|rp)\b\.?)\s*\d|\d[\d.,\s]*(?:{_SIGN}|(?:{_CURRENCY})\b)",
    re.IGNORECASE,
)
_QUERY_NAMES = word_set(
    "q s qs query search keyword keywords k w term terms text st ss sq words searchterm "
    "searchtext as_q"
)


def form_features(form: PageForm, title: str, path: str, forms_on_page: int) -> set[str]:
    """All features of a form on a page with this title and path."""
    return {*_structure(form, forms_on_page), *_words(form, title, path)}


def _structure(form: PageForm, forms_on_page: int) -> Iterator[str]:
    shown = [one for one in form.fields if not one.is_hidden and not one.is_button]
    by_type = Counter(one.type for one in form.fields if not one.is_hidden or one.type == "hidden")
    yield f"method={form.method}"
    for kind in sorted(_COUNTED):
        yield f"{kind}={_bucket(by_type[kind])}"
    typed = [
        one for one in shown if one.type in ("text", "search", "email", "tel", "url", "number")
    ]
    yield f"shown={_bucket(len(shown))}"
    yield f"typed={_bucket(len(typed))}"
    yield f"buttons={_bucket(sum(one.is_button for one in form.fields))}"
    yield f"method={form.method} typed={_bucket(len(typed))} shown={_bucket(len(shown))}"
    yield f"password={_bucket(by_type['password'])} typed={_bucket(len(typed))}"
    yield f"textarea={_bucket(by_type['textarea'])} password={_bucket(by_type['password'])}"
    yield f"forms={_bucket(forms_on_page)}"
    if len(typed) == 1 and by_type["password"] == 0 and by_type["textarea"] == 0:
        yield from _single(form, typed[0], len(shown))
    if not typed and not by_type["password"] and not by_type["textarea"]:
        yield "nothing typed"
        yield f"nothing typed {form.method} select={_bucket(by_type['select'])}"
    if any(one.type == "image" for one in form.fields):
        yield "image button"
    if form.encoding.startswith("multipart"):
        yield "multipart"
    if form.share > _WHOLE_PAGE:
        yield "whole page"
    if _PRICE.search(form.text):
        yield "price"
        yield f"price {_bucket(len(typed))}"
    if any(one.type == "hidden" and one.name.startswith("__VIEWSTATE") for one in form.fields):
        yield "view state"


def _single(form: PageForm, field: FormField, shown: int) -> Iterator[str]:
    """Features of a form into which one thing is typed: a search, a mailing list, or a recovery."""
    yield "single"
    name = field.name.lower()
    words = split_words(
        " ".join((field.name, field.label, field.placeholder, field.words, field.value))
    )
    topics = topics_of(words)
    is_query = name in _QUERY_NAMES
    if is_query:
        yield "single query name"
    if field.type == "email" or "email" in topics:
        yield "single email"
    for topic in topics:
        yield f"single:{topic}"
        yield f"single:{topic} {form.method}"
    yield f"single {field.type} {form.method} {_bucket(shown)}"


def _words(form: PageForm, title: str, path: str) -> Iterator[str]:
    buttons = [one for one in form.fields if one.is_button]
    shown = [one for one in form.fields if not one.is_hidden and not one.is_button]
    hidden = [one for one in form.fields if one.is_hidden]
    action = urlsplit(form.action) if _is_plain(form.action) else urlsplit("")
    places = {
        "button": " ".join(f"{one.value} {one.label if not one.value else ''}" for one in buttons),
        "buttonname": " ".join(f"{one.name} {one.words}" for one in buttons),
        "name": " ".join(one.name for one in shown),
        "css": " ".join(one.words for one in shown),
        "label": " ".join(f"{one.label} {one.placeholder}" for one in shown),
        "hidden": " ".join(f"{one.name} {one.value}" for one in hidden if one.type == "hidden"),
        "form": form.names,
        "action": f"{action.path} {action.query}",
        "host": action.netloc,
        "links": " ".join(text for _, text in form.links),
        "hrefs": " ".join(href.split("?")[0] for href, _ in form.links),
        "heading": form.heading,
        "text": form.text,
        "around": form.around,
        "title": title,
        "path": path,
        "pictures": form.pictures,
        "options": " ".join(text for one in shown for _, text in one.options[:5]),
    }
    zones: Counter[str] = Counter()
    for place, text in places.items():
        words = split_words(text)[:200]
        for topic in topics_of(words):
            yield f"{place}:{topic}"
            zones[topic] += place not in _BROAD
        for word in set(words):
            if len(word) < 24 and not word.isdigit():
                yield f"{place}={word}"
    for one in shown:
        name = "_".join(split_words(one.name))[:40]
        for start in range(len(name) - 3):
            yield f"gram={name[start : start + 4]}"
    yield from (f"any:{topic}" for topic in zones)
    for topic, number in zones.items():
        yield from (f"zones:{topic}>{least}" for least in (1, 2, 4) if number > least)
    if zones:
        first = max(sorted(zones), key=lambda one: zones[one])
        yield f"most:{first}"


def _is_plain(url: str) -> bool:
    try:
        urlsplit(url)
    except ValueError:
        return False
    return True


def _bucket(number: int) -> str:
    """A count as one of few names."""
    return str(number) if number < 4 else "4-6" if number < 7 else "7+"


def known_names(features: Iterable[set[str]], least: int) -> list[str]:
    """The features that are seen at least so often, in order."""
    by_type = Counter(one for some in features for one in some)
    return sorted(name for name, number in by_type.items() if number >= least)
