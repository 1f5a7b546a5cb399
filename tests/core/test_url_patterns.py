"""Regular expressions of users: found in linear time, refused in one line."""

import pytest

import gossamer
from gossamer.core.errors import SettingsError
from gossamer.core.url_patterns import UrlPatterns
from gossamer.engine.control.command_words import check_change

HOSTILE = "http://a.test/" + "a" * 2000 + "!"
CATASTROPHIC = (r"(a+)+$", r"(a|aa)+$", r"(.*a){30}$", r"^(([a-z])+.)+[A-Z]([a-z])+$")


@pytest.mark.parametrize("text", CATASTROPHIC)
def test_no_expression_is_slow_on_a_hostile_url(text: str) -> None:
    """With backtracking, each of these would take longer than the universe is old."""
    assert not UrlPatterns("scope.exclude", [text]).find(HOSTILE)


def test_each_of_several_is_found() -> None:
    patterns = UrlPatterns("scope.include", [r"/a/\d+$", r"[?&]id=", "(?i)PDF"])
    texts = ("http://x.test/a/12", "http://x.test/?id=1", "http://x.test/y.pdf", "http://x.test/a/")
    assert [patterns.find(text) for text in texts] == [True, True, True, False]
    assert not UrlPatterns("scope.include", []).find("http://x.test/")


def test_an_expression_that_needs_too_much_memory_together_is_still_looked_for() -> None:
    many = [f"(?:.*{letter}){{900}}$" for letter in "abc"]
    assert UrlPatterns("scope.exclude", many).find("http://a.test/" + "c" * 950)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(?!x)", "look-ahead, which is not supported"),
        ("(?<=x)y", "look-behind, which is not supported"),
        (r"(a)\1", "a back-reference, which is not supported"),
        ("(", "is not a regular expression: missing"),
        ("x" * 5000, "has 5,000 characters; 2,000 are allowed"),
    ],
)
def test_others_are_refused_in_one_line(text: str, said: str) -> None:
    settings = gossamer.Settings()
    for name in ("scope.include", "scope.exclude"):
        with pytest.raises(SettingsError) as refused:
            check_change(settings, name, [text])
        assert str(refused.value).startswith(f"{name}: ")
        assert said in str(refused.value)
        assert "\n" not in str(refused.value)
    with pytest.raises(SettingsError, match=r"^detect\.as_found: "):
        UrlPatterns("detect.as_found", [text])
