"""The forms of a page: what a person sees of each, and where it leads.

Input: the tree of a page. Output: one `PageForm` for each form, in document order, with its fields,
their labels and its surroundings.
"""

from collections.abc import Iterator

from msgspec import Struct

from gossamer.core.page_tree import Element, PageTree, collapse
from gossamer.core.word_sets import word_set

_MOST_FIELDS = 500
_MOST_LABEL = 120
_MOST_AROUND = 2_000
"""Elements that are looked at around a form, or beside a control: a page may hold thousands of each."""
_CONTROLS = frozenset({"input", "select", "textarea", "button"})
_BUTTONS = frozenset({"submit", "image", "button", "reset"})
_HEADINGS = frozenset(
    {"h1", "h2", "h3", "h4", "h5", "h6", "legend", "caption", "th", "strong", "b", "dt"}
)
_TYPES = word_set(
    "button checkbox color date datetime-local email file hidden image month number password "
    "radio range reset search submit tel text time url week"
)
_FORM_NAMING = ("class", "id", "name", "role", "aria-label", "onsubmit", "target")
_NAMING = ("id", "class", "title", "autocomplete", "src", "onclick")


class FormField(Struct, frozen=True):
    """A control of a form."""

    name: str
    type: str
    """As a browser understands it: an unknown type of an input is `text`."""
    label: str
    """From `label`, `aria-label`, the text before it, or the placeholder."""
    placeholder: str
    value: str
    words: str
    """Its id, class, title and autocompletion."""
    options: tuple[tuple[str, str], ...]
    """Values and texts of a choice."""
    is_hidden: bool
    is_required: bool
    pattern: str
    limits: tuple[str, str]
    """The attributes `min` and `max`."""
    elsewhere: str = ""
    """Of a button: the address or method of its own that it sends the form with."""
    icon: str = ""
    """Of a button: the names of the elements in it, such as icons."""

    @property
    def is_button(self) -> bool:
        return self.type in _BUTTONS


class PageForm(Struct, frozen=True):
    """A form as it stands on a page."""

    method: str
    """`get`, `post` or `dialog`."""
    action: str
    """As the page spells it; empty for the page itself."""
    encoding: str
    names: str
    """Its class, id, name and role."""
    fields: tuple[FormField, ...]
    text: str
    """What a person reads within it, without options."""
    heading: str
    """The nearest heading in it or before it."""
    links: tuple[tuple[str, str], ...]
    """Addresses and texts of the links in it."""
    pictures: str
    """Names and texts of the pictures in it."""
    place: int
    """The number of its element."""
    around: str
    """Class and id of the elements around it."""
    share: float
    """Part of the page's elements that it holds."""


def find_forms(page: PageTree) -> list[PageForm]:
    """All forms of a page, in document order."""
    labels = {
        one.get("for"): one.text()
        for one in page.elements
        if one.tag == "label" and one.get("for") and one.end - one.start < _MOST_LABEL
    }
    forms = [one for one in page.elements if one.tag == "form"]
    named = _controls_by_name(page, forms)
    found = []
    reached = 0
    for number, form in enumerate(forms):
        later = forms[number + 1].start if number + 1 < len(forms) else len(page.elements)
        cut_off = _controls_cut_off(page, form, max(form.end, reached), later)
        reached = max(reached, form.end)
        found.append(_read(page, form, labels, [*cut_off, *named.get(form, [])]))
    return found


def _controls_cut_off(page: PageTree, form: Element, first: int, later: int) -> list[Element]:
    """Controls of a form that the parser closed at once, as it stood between the rows of a table.

    Those before `first` stand in another form.
    A browser still sends them with it: they belong to the form begun last (HTML standard, form owner).
    """
    if any(one.tag in _CONTROLS for one in page.below(form)):
        return []
    within = next((one for one in _some(form.ancestors, 50) if one.tag == "table"), form.parent)
    last = min(later, within.end if within is not None else later)
    return [
        one for one in page.elements[first:last] if one.tag in _CONTROLS and not one.get("form")
    ]


def _controls_by_name(page: PageTree, forms: list[Element]) -> dict[Element, list[Element]]:
    """Controls that name their form by its id instead of standing in it."""
    by_id = {one.get("id"): one for one in reversed(forms) if one.get("id")}
    found: dict[Element, list[Element]] = {}
    for one in page.elements:
        owner = by_id.get(one.get("form")) if one.tag in _CONTROLS and one.get("form") else None
        if owner is not None and not owner.contains(one):
            found.setdefault(owner, []).append(one)
    return found


def _read(page: PageTree, form: Element, labels: dict[str, str], apart: list[Element]) -> PageForm:
    below = page.below(form)
    inside = [one for one in below if one.tag in _CONTROLS]
    whole = form if inside or not apart else _common(form, apart[-1])
    method = form.get("method").strip().lower()
    return PageForm(
        method=method if method in ("post", "dialog") else "get",
        action=form.get("action").strip(),
        encoding=form.get("enctype").strip().lower(),
        names=" ".join(form.get(one)[:_MOST_LABEL] for one in _FORM_NAMING),
        fields=tuple(_field(page, one, labels) for one in [*inside, *apart][:_MOST_FIELDS]),
        text=_text(whole)[:4_000],
        heading=_heading(page, form, page.below(whole)),
        links=tuple(
            (one.get("href"), one.text()[:_MOST_LABEL])
            for one in page.below(whole)
            if one.tag == "a"
        ),
        pictures=" ".join(
            f"{one.get('alt')} {one.get('src').rsplit('/', 1)[-1][:_MOST_LABEL]}"
            for one in [each for each in page.below(whole) if each.tag == "img"][:20]
        ),
        place=form.start,
        around=" ".join(f"{one.get('class')} {one.get('id')}" for one in _some(form.ancestors, 3)),
        share=(form.end - form.start) / len(page.elements),
    )


def _common(one: Element, other: Element) -> Element:
    """The smallest element that holds both."""
    for above in _some(one.ancestors, 50):
        if above.end - above.start > _MOST_AROUND:
            break
        if above.contains(other):
            return above
    return one


def _some(elements: Iterator[Element], most: int) -> list[Element]:
    return [one for _, one in zip(range(most), elements, strict=False)]


def _text(form: Element) -> str:
    """The text of a form without that of its choices."""
    pieces: list[str] = []
    waiting: list[Element | str] = [form]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            pieces.append(one)
        elif one.tag not in ("select", "script", "style", "template", "noscript", "textarea"):
            pieces.append(" ")
            waiting.extend(reversed(one.children))
    return collapse("".join(pieces))


def _heading(page: PageTree, form: Element, below: list[Element]) -> str:
    empty = 0
    for one in below:
        if one.tag in _HEADINGS and one.start >= empty:
            if text := one.text():
                return text[:_MOST_LABEL]
            empty = one.end
    earliest = max(0, form.start - 40)
    for one in reversed(page.elements[earliest : form.start]):
        if one.tag in _HEADINGS and not one.contains(form) and (text := one.text()):
            return text[:_MOST_LABEL]
    return ""


def _field(page: PageTree, one: Element, labels: dict[str, str]) -> FormField:
    options = tuple(
        (each.attributes.get("value", each.text()), each.text()[:_MOST_LABEL])
        for each in (page.below(one) if one.tag == "select" else ())
        if each.tag == "option"
    )
    value = one.get("value")
    below = page.below(one)[1:20] if one.tag == "button" else []
    if one.tag == "button":
        value = one.text() or value or one.get("aria-label") or one.get("title")
    elif one.get("type").lower() == "image":
        value = value or one.get("alt") or one.get("title")
    return FormField(
        name=one.get("name") or one.get("id"),
        type=_type(one),
        label=_label(one, labels)[:_MOST_LABEL],
        placeholder=one.get("placeholder")[:_MOST_LABEL],
        value=value[:_MOST_LABEL],
        words=" ".join(one.get(each)[:_MOST_LABEL] for each in _NAMING),
        options=options,
        is_hidden=one.get("type").lower() == "hidden" or one.is_hidden,
        is_required="required" in one.attributes or one.get("aria-required") == "true",
        pattern=one.get("pattern"),
        limits=(one.get("min"), one.get("max")),
        elsewhere=_elsewhere(one),
        icon=" ".join(f"{each.get('class')} {each.get('src')}" for each in below)[:_MOST_LABEL],
    )


def _elsewhere(one: Element) -> str:
    """The address or method of a button's own."""
    method = one.get("formmethod").strip().lower()
    return one.get("formaction").strip() or (method if method != "get" else "")


def _type(one: Element) -> str:
    if one.tag != "input":
        said = one.get("type").lower()
        return (
            (said if said in ("reset", "button") else "submit") if one.tag == "button" else one.tag
        )
    said = one.get("type").strip().lower()
    return said if said in _TYPES else "text"


def _label(one: Element, labels: dict[str, str]) -> str:
    """The text that names a control for a person."""
    if said := labels.get(one.get("id"), "") or one.get("aria-label"):
        return said
    for above in _some(one.ancestors, 3):
        if above.tag == "label":
            return above.text()
        if above.tag == "form":
            break
    return _text_before(one)


def _text_before(one: Element) -> str:
    """The nearest text before a control: beside it, or in the cell before its own."""
    child = one
    for above in _some(one.ancestors, 3):
        if len(above.children) > _MOST_AROUND:
            break
        pieces: list[str] = []
        for each in above.children:
            if each is child:
                break
            if isinstance(each, str):
                pieces.append(each)
            elif each.tag in _CONTROLS:
                pieces = []
            else:
                pieces.append(f" {each.text()} ")
        if text := collapse("".join(pieces)):
            return text[-_MOST_LABEL:]
        if above.tag == "form":
            break
        child = above
    return ""
