"""Drawings that make much of little: they are given up before they do."""

import tracemalloc
from collections.abc import Callable

import pytest

from gossamer.dashboard.replay.replay_links import CopyAddresses
from gossamer.dashboard.replay.svg_rewriting import rewrite_drawing

SVG = "http://www.w3.org/2000/svg"


def drawing(declared: str, attributes: str, inner: str = "", encoding: str = "utf-8") -> bytes:
    text = f'<!DOCTYPE svg [{declared}]><svg xmlns="{SVG}" {attributes}>{inner}</svg>'
    return text.encode(encoding)


def rewrite(body: bytes) -> bytes | None:
    return rewrite_drawing(body, CopyAddresses("http://a.test/", 0, lambda url: ""))


def entity(name: str, value: str) -> str:
    return f'<!ENTITY {name} "{value}">'


def default(name: str, value: str) -> str:
    return f'<!ATTLIST g {name} CDATA "{value}">'


def large(encoding: str = "utf-8", attributes: str = "", inner: str = "") -> bytes:
    return drawing(entity("a", "x" * 300_000), attributes, inner, encoding)


def small(more: str, attribute: str) -> bytes:
    return drawing(entity("a", "x" * 1000) + more, f'other="{attribute}"')


HOSTILE: dict[str, Callable[[], bytes]] = {
    "a long entity in an attribute": lambda: large(attributes=f'other="{"&a;" * 95}"'),
    "in one that is drawn": lambda: large(attributes=f'fill="{"&a;" * 95}"'),
    "in a text": lambda: large(inner=f"<text>{'&a;' * 95}</text>"),
    "in UTF-16": lambda: large("utf-16", f'other="{"&a;" * 95}"'),
    "a short one many times": lambda: small("", "&a;" * 30_000),
    "entities of entities": lambda: small(
        entity("b", "&a;" * 30) + entity("c", "&b;" * 30) + entity("d", "&c;" * 30), "&d;"
    ),
    "by a number": lambda: small(entity("b", "&#38;a;" * 2000), "&b;" * 20),
    "a long value of all elements": lambda: drawing(
        default("other", "x" * 100_000), "", "<g/>" * 300
    ),
    "many values of all elements": lambda: drawing(
        "".join(default(f"a{one}", "x") for one in range(3000)), "", "<g/>" * 3000
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_much_of_little_is_given_up(name: str) -> None:
    body = HOSTILE[name]()
    tracemalloc.start()
    try:
        assert rewrite(body) is None
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 3 << 20


def test_entities_as_programs_write_them_are_drawn() -> None:
    """Those that name a namespace, and those that name a style, which many elements have."""
    declared = (
        f'<!ENTITY ns "{SVG}"><!ENTITY st0 "fill:#fff;stroke:none"><!ENTITY no SYSTEM "a.txt">'
    )
    declared += "<!ATTLIST svg xmlns:a CDATA #IMPLIED>"
    paths = '<path style="&st0;" d="M0 0"/>' * 2000
    found = rewrite(f'<!DOCTYPE svg [{declared}]><svg xmlns="&ns;">{paths}</svg>'.encode())
    assert found is not None
    assert found.count(b'<path style="fill:#fff;stroke:none" d="M0 0"></path>') == 2000


def test_a_drawing_without_entities_may_be_long() -> None:
    found = rewrite(drawing("", "", f"<text>{'&amp;' * 50_000}</text>"))
    assert found is not None
    assert found.count(b"&amp;") == 50_000
