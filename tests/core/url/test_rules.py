"""The optional rules."""

import pytest

from gossamer.core.errors import SettingsError
from gossamer.core.settings import Settings
from gossamer.core.url import Spelling
from gossamer.core.url.rules import known_rules

HEX = "0123456789abcdef0123456789abcdef"

CASES = [
    ("tracking", "/?utm_source=a&utm_medium=b", "/"),
    ("tracking", "/?id=1&gclid=x&UTM_Term=y&b=2", "/?id=1&b=2"),
    ("tracking", "/?%75tm_source=a", "/"),
    ("tracking", "/?putm_source=a&x=utm_source", "/?putm_source=a&x=utm_source"),
    ("tracking", "/?&fbclid", "/"),
    ("session", "/a;jsessionid=1A2B", "/a"),
    ("session", "/a;JSESSIONID=1A2B/b;v=1?c", "/a/b;v=1?c"),
    ("session", "/..;jsessionid=1/b", "/..;jsessionid=1/b"),
    ("session", "/(S(lit3py55t21z5v55vlm25s55))/a.aspx", "/a.aspx"),
    ("session", "/(S(lit3py55t21z5v55vlm25s55)F(abcdefghijklmnopqrst))/a", "/a"),
    ("session", "/(S(short))/a", "/(S(short))/a"),
    ("session", f"/?PHPSESSID=abc&sid={HEX}&x=1", "/?x=1"),
    ("session", f"/?s={HEX}&t={HEX}", f"/?t={HEX}"),
    ("session", "/?s=machine-learning-2024&sid=17", "/?s=machine-learning-2024&sid=17"),
    ("session", "/?session=internationalisation", "/?session=internationalisation"),
    ("session", "/?ASPSESSIONIDQQGGGNCK=X&CFID=1&CFTOKEN=2", "/"),
    ("session", "/?phpsessid=&a", "/?phpsessid=&a"),
    ("index", "/index.html", "/"),
    ("index", "/a/INDEX.PHP?id=1", "/a/?id=1"),
    ("index", "/a/Default.aspx", "/a/"),
    ("index", "/index.html/a", "/index.html/a"),
    ("index", "/myindex.html", "/myindex.html"),
    ("index", "/index.htmlx", "/index.htmlx"),
    ("query_order", "/?b=1&a=2&a=1&c", "/?a=2&a=1&b=1&c"),
    ("query_order", "/?b", "/?b"),
    ("index session", f"/index.html;jsessionid={HEX}", "/"),
    ("query_order tracking", "/?z&utm_id=1&a", "/?a&z"),
]


@pytest.mark.parametrize(("rules", "given", "wanted"), CASES)
def test_rule(rules: str, given: str, wanted: str) -> None:
    url = Spelling(rules.split()).parse("http://h" + given)
    assert url is not None
    assert url.path == wanted


def test_without_rules_nothing_of_this_happens() -> None:
    for _, given, _ in CASES:
        url = Spelling().parse("http://h" + given)
        assert url is not None
        assert url.path.lower() == given.lower().replace("%75", "u")


def test_rules_touch_only_what_has_an_origin() -> None:
    url = Spelling(sorted(known_rules())).parse("mailto:a@b?utm_source=c")
    assert str(url) == "mailto:a@b?utm_source=c"


def test_an_unknown_rule_is_an_error_that_names_the_nearest() -> None:
    with pytest.raises(SettingsError, match=r"no rule 'traking'; did you mean 'tracking'\?"):
        Spelling(["index", "traking"])


def test_the_settings_name_rules() -> None:
    assert Settings().url.rules == ()
    described = str(Settings.__annotations__["url"].__annotations__["rules"])
    assert all(rule in described for rule in known_rules())
