import pytest

from gossamer.pipeline.robots import parse
from gossamer.pipeline.robots.robots_escapes import canonical_parts, canonical_path


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # The table in RFC 9309, 2.2.2.
        ("/foo/bar?baz=quz", "/foo/bar?baz=quz"),
        ("/foo/bar?baz=http://foo.bar", "/foo/bar?baz=http%3A%2F%2Ffoo.bar"),
        ("/foo/bar/ツ", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%e3%83%84", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz"),
        # What a browser writes either way.
        ("/a[]=|{}", "/a%5b%5D=%7c%7B%7d"),
        ("/a b", "/a%20b"),
        ("/100%", "/100%25"),
        ("/%zz", "/%25zz"),
        # Reserved characters that separate nothing where they stand.
        ("/Special:Search", "/Special%3ASearch"),
        ("/@me!(a),b;c=d+e", "/%40me%21%28a%29%2Cb%3Bc%3Dd%2Be"),
        ("/it's", "/it%27s"),
        ("/R&D", "/R%26D"),
        ("/?q=it's(a),!;", "/?q=it%27s%28a%29%2C%21%3B"),
        # Literal signs, RFC 9309, 2.2.3.
        ("/a*$", "/a%2A%24"),
    ],
)
def test_equivalent_paths_are_spelled_alike(one: str, other: str) -> None:
    assert canonical_path(one) == canonical_path(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/a%2Fb", "/a/b"),
        ("/a%3Fb", "/a?b"),
        ("/a%23b", "/a#b"),
        ("/?a=%26b", "/?a=&b"),
        ("/?a%3Db", "/?a=b"),
        ("/?a=%2Bb", "/?a=+b"),
        ("/%2525", "/%25"),
    ],
)
def test_other_paths_are_not(one: str, other: str) -> None:
    assert canonical_path(one) != canonical_path(other)


def test_a_path_without_escapes_is_left_alone() -> None:
    path = "/a/b.html?c=http://d/[e]*$"
    assert canonical_path(path) is path


def test_what_follows_a_wildcard_may_be_path_or_query() -> None:
    assert canonical_parts(["/%2F", "%2F?", "%2F"], is_query=False) == ["/%2F", "%2F?", "/"]
    assert canonical_parts(["/%2F", "%2F?", "%2F"], is_query=True) == ["/%2F", "/?", "/"]


@pytest.mark.parametrize(
    ("rule", "path", "is_match"),
    [
        ("/*u=http%3A%2F%2Fx", "/go?u=http://x", True),
        ("/*u=http%3A%2F%2Fx", "/go?u=http%3A%2F%2Fx", True),
        ("/*u=http://x", "/go?u=http%3a%2f%2fx", True),
        ("/*a%2Fb", "/x/a%2Fb", True),
        ("/*a%2Fb", "/x/a/b", False),
        ("/file-%2A.html", "/file-*.html", True),
        ("/file-%2A.html", "/file-x.html", False),
        ("/foo-%24", "/foo-$bar", True),
        ("/foo-%24", "/foo-", False),
        ("/a$b", "/a%24b", True),
        ("/ä", "/%C3%A4", True),
        ("/%c3%A4", "/ä", True),
    ],
)
def test_rules_compare_octets(rule: str, path: str, is_match: bool) -> None:
    rules = parse(f"user-agent: *\ndisallow: {rule}".encode()).for_agent("x")
    assert rules.is_allowed(path) is not is_match


def test_a_rule_in_latin_1_means_its_octets() -> None:
    rules = parse("user-agent: *\ndisallow: /ä".encode("latin-1")).for_agent("x")
    assert not rules.is_allowed("/%E4")
    assert rules.is_allowed("/%C3%A4")


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ("/Special:", "/Special%3ASearch"),
        ("/Special%3A", "/Special:Search"),
        ("/*/Special:*x$", "/wiki/Special%3Aax"),
        ("/*/Special%3a", "/wiki/Special:a"),
        ("/it's", "/it%27s/here"),
        ("/?q='", "/?q=%27a"),
        ("/*q='", "/find?q=%27a"),
        ("/R%26D$", "/R&D"),
        ("/R&D$", "/R%26D"),
    ],
)
def test_a_rule_forbids_both_spellings_of_a_reserved_character(rule: str, path: str) -> None:
    rules = parse(f"User-agent: *\nDisallow: {rule}".encode()).for_agent("Gossamer")
    assert not rules.is_allowed(path)
