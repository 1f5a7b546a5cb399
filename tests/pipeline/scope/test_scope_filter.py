from collections.abc import Callable
from typing import Any

import pytest

from gossamer.core.errors import SettingsError
from gossamer.core.outcomes import Refusal
from gossamer.core.records import Link
from gossamer.core.settings import ScopeSettings
from gossamer.pipeline.scope import Scope
from tests.present import parse

SEED = "http://www.shop.example.co.uk/docs/index.html?x=1"


def judge(
    target: str,
    depth: int = 1,
    rel: str = "",
    rule: Callable[[Link], bool] | None = None,
    **settings: Any,
) -> Refusal | None:
    scope = Scope(ScopeSettings(**settings), [parse(SEED)], 100, rule)
    return scope.judge(Link(SEED, parse(target), rel=rel), depth)


@pytest.mark.parametrize(
    ("kind", "target", "is_kept"),
    [
        ("site", "http://www.shop.example.co.uk/docs/deep/er.html", True),
        ("site", "https://www.shop.example.co.uk/docs/", True),
        ("site", "http://www.shop.example.co.uk/other/", False),
        ("host", "http://www.shop.example.co.uk/other/", True),
        ("host", "https://www.shop.example.co.uk:8443/", True),
        ("host", "http://shop.example.co.uk/", False),
        ("domain", "http://blog.example.co.uk/", True),
        ("domain", "http://another.co.uk/", False),
        ("all", "http://another.co.uk/", True),
    ],
)
def test_kinds(kind: str, target: str, is_kept: bool) -> None:
    assert judge(target, kind=kind) is (None if is_kept else Refusal.OUT_OF_SCOPE)


def test_every_refusal_has_its_reason() -> None:
    here = "http://www.shop.example.co.uk/"
    assert judge("ftp://www.shop.example.co.uk/") is Refusal.SCHEME
    assert judge(here + "x" * 100) is Refusal.URL_TOO_LONG
    assert judge(here, rel="nofollow noopener") is Refusal.NOFOLLOW
    assert judge(here, rel="nofollow", nofollow=False) is None
    assert judge(here, depth=3, max_depth=2) is Refusal.TOO_DEEP
    assert judge(here, depth=2, max_depth=2) is None
    assert judge(here + "a.png", exclude=(r"\.png$",)) is Refusal.EXCLUDED
    assert judge(here + "a.png", include=(r"\.html$",)) is Refusal.NOT_INCLUDED
    assert judge(here + "a.html", include=(r"\.png$", r"\.html$")) is None
    assert judge(here, rule=lambda link: False) is Refusal.CUSTOM


def test_a_scope_can_be_extended() -> None:
    scope = Scope(ScopeSettings(kind="host"), [parse(SEED)], 100)
    link = Link(SEED, parse("http://moved.test/"))
    assert scope.judge(link, 0) is Refusal.OUT_OF_SCOPE
    scope.extend(parse("http://moved.test/"))
    assert scope.judge(link, 0) is None


def test_a_bad_pattern_is_one_clear_line() -> None:
    with pytest.raises(SettingsError, match=r"scope.exclude: '\(' is not a regular expression"):
        judge(SEED, exclude=("(",))
