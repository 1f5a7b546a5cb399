"""JSON as pages have it, broken in the ways that people and templates break it."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.items.structured_data.loose_json import read_json
from tests.examples import examples

BROKEN: list[tuple[str, str, Any]] = [
    ("comma at the end of an object", '{"name": "Tea", "price": 3,}', {"name": "Tea", "price": 3}),
    ("comma at the end of a list", '{"image": ["a.png", "b.png",]}', {"image": ["a.png", "b.png"]}),
    ("two commas", '{"name": "Tea",, "price": 3}', {"name": "Tea", "price": 3}),
    ("no comma between members", '{"name": "Tea"\n"price": 3}', {"name": "Tea", "price": 3}),
    ("no comma between objects", '[{"a": 1} {"b": 2}]', [{"a": 1}, {"b": 2}]),
    ("a line break in a text", '{"name": "Green\nTea"}', {"name": "Green\nTea"}),
    ("a tab in a text", '{"name": "Green\tTea"}', {"name": "Green\tTea"}),
    ("a quote in a text", '{"name": "A 5" pipe", "sku": "x"}', {"name": 'A 5" pipe', "sku": "x"}),
    ("quotes around words", '{"name": "The "best" tea", "sku": "x"}', {"name": 'The "best" tea', "sku": "x"}),
    ("single quotes", "{'name': 'Tea', 'price': '3'}", {"name": "Tea", "price": "3"}),
    ("names without quotes", '{name: "Tea", price: 3}', {"name": "Tea", "price": 3}),
    ("curly quotes", "{“name”: “Tea”}", {"name": "Tea"}),
    ("an HTML comment around", '<!--\n{"name": "Tea"}\n-->', {"name": "Tea"}),
    ("CDATA around", '//<![CDATA[\n{"name": "Tea"}\n//]]>', {"name": "Tea"}),
    ("CDATA in comments around", '/*<![CDATA[*/{"name": "Tea"}/*]]>*/', {"name": "Tea"}),
    ("line comments", '{"name": "Tea", // the name\n"price": 3}', {"name": "Tea", "price": 3}),
    ("block comments", '{"name": /* what */ "Tea"}', {"name": "Tea"}),
    ("a semicolon at the end", '{"name": "Tea"};', {"name": "Tea"}),
    ("an assignment", 'var data = {"name": "Tea"};', {"name": "Tea"}),
    ("a missing value", '{"name": "Tea", "price": , "sku": "x"}', {"name": "Tea", "sku": "x"}),
    ("a missing value at the end", '{"name": "Tea", "price": }', {"name": "Tea"}),
    ("a missing brace", '{"name": "Tea", "offers": {"price": 3}', {"name": "Tea", "offers": {"price": 3}}),
    ("a brace too much", '{"name": "Tea"}}', {"name": "Tea"}),
    ("cut within a text", '{"name": "Tea", "description": "Green', {"name": "Tea", "description": "Green"}),
    ("a list left open in an object", '{"image": ["a.png", "b.png"}', {"image": ["a.png", "b.png"]}),
    ("an escape that is none", r'{"name": "Men\'s \Tea"}', {"name": "Men's Tea"}),
    ("a cut surrogate", r'{"name": "Tea \ud83d"}', {"name": "Tea �"}),
    ("a number with leading zeros", '{"sku": 00123}', {"sku": "00123"}),
    ("a number with a point and no more", '{"price": 3.}', {"price": 3.0}),
    ("NaN and undefined", '{"a": NaN, "b": undefined, "c": 1,}', {"c": 1}),
    ("words of Python", "{'a': True, 'b': None, 'c': False}", {"a": True, "c": False}),
    ("quotes as entities", "{&quot;name&quot;: &quot;Tea&quot;}", {"name": "Tea"}),
    ("a byte order mark", '\ufeff{"name": "Tea",}', {"name": "Tea"}),
    ("spaces that do not break", '{\u00a0"name": "Tea",}', {"name": "Tea"}),
    ("text before it", 'JSON-LD: {"name": "Tea"}', {"name": "Tea"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "value"), [one[1:] for one in BROKEN], ids=[one[0] for one in BROKEN]
)
def test_reads_what_is_broken(text: str, value: Any) -> None:
    assert read_json(text) == [value]


def test_reads_several_values_one_after_the_other() -> None:
    assert read_json('{"a": 1}\n{"b": 2}') == [{"a": 1}, {"b": 2}]


def test_leaves_whole_json_to_the_standard() -> None:
    assert read_json('{"a": "x, \\"y\\": z", "b": [1, 2.5, null, true]}') == [
        {"a": 'x, "y": z', "b": [1, 2.5, None, True]}
    ]


def test_nests_as_deep_as_it_reads_and_no_deeper() -> None:
    [found] = read_json("[" * 5000 + "1")
    depth = 0
    while isinstance(found, list) and found:
        found = found[0]
        depth += 1
    assert depth == 100


@given(st.text(alphabet="{}[]\",:'\\/*<!-a1 \n\u201c", max_size=60))
@settings(max_examples=examples(400), deadline=None)
def test_ends_for_any_text(text: str) -> None:
    for value in read_json(text):
        assert isinstance(value, (dict, list, str, int, float, bool)) or value is None
