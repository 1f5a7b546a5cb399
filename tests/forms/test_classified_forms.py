"""Forms by kind: what may be submitted, in many languages; labelled pages, where their data are."""

import pytest

from gossamer.forms.classified_forms import classify_page
from gossamer.forms.form_kinds import SEARCHES as SEARCH_KINDS
from tests.forms.sloppy_forms import OTHERS, SEARCHES

URL = "https://a.example/page"


@pytest.mark.parametrize("name", SEARCHES)
def test_searches_may_be_submitted(name: str) -> None:
    [form] = classify_page(SEARCHES[name], URL)
    assert form.kind in SEARCH_KINDS
    assert form.refused == ""


@pytest.mark.parametrize("name", OTHERS)
def test_forms_that_may_change_something_are_refused(name: str) -> None:
    forms = classify_page(OTHERS[name], URL)
    assert len(forms) == 1
    assert forms[0].refused


def test_there_are_forms_in_many_languages() -> None:
    names = [*SEARCHES, *OTHERS]
    assert len(names) >= 140
    assert len({one.split(":")[0] for one in names} - {"none"}) >= 16


def test_a_model_that_calls_everything_a_search_lifts_no_rule() -> None:
    from gossamer.core.softmax_model import SoftmaxModel
    from gossamer.forms.classified_forms import FormModel

    credulous = FormModel(
        SoftmaxModel(("search",), (0,), {}), SoftmaxModel(("search query",), (0,), {})
    )
    for name, html in OTHERS.items():
        [form] = classify_page(html, URL, credulous)
        if name not in _ONLY_BY_KIND:
            assert form.refused, name


_ONLY_BY_KIND = {
    "en: language",
    "en: jump",
}
"""Forms that only their kind keeps from being submitted."""


def test_fields_and_targets_of_a_form() -> None:
    html = (
        '<base href="/deep/"><form action="find?x=1" method=GET><label for=a>Search words</label>'
        "<input id=a name=q>"
        "<select name=category><option>Books<option>Maps</select><input type=hidden name=h value=1>"
        "<button>Search</button></form>"
    )
    [form] = classify_page(html, URL)
    assert form.method == "get"
    assert form.action == "https://a.example/deep/find?x=1"
    assert form.fields == {"q": "search query", "category": "search category"}


def test_fields_outside_of_their_form_belong_to_it() -> None:
    html = (
        "<form id=f action=/search></form><input form=f name=q placeholder=Search>"
        "<button form=f>Search</button>"
    )
    [form] = classify_page(html, URL)
    assert form.fields == {"q": "search query"}
    assert form.kind == "search"


def test_forms_come_in_the_order_of_the_page() -> None:
    html = SEARCHES["en: a bare box"] + OTHERS["en: login"] + SEARCHES["de: Suche"]
    assert [one.kind for one in classify_page(html, URL)] == ["search", "login", "search"]


def test_a_form_without_an_action_is_sent_to_its_page() -> None:
    html = '<base target=_top><base href="/deep/"><form><input name=q></form><form action=s></form>'
    assert [one.action for one in classify_page(html, URL)] == [URL, "https://a.example/deep/s"]


def test_of_forms_with_one_id_the_first_has_the_controls_that_name_it() -> None:
    html = "<form id=f></form><form id=f></form><input form=f name=q>"
    assert [list(one.fields) for one in classify_page(html, URL)] == [["q"], []]
