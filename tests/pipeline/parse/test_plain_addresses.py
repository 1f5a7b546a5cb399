"""Plain addresses lead where the URL standard says that they lead."""

from random import Random

import pytest

from gossamer.core.url import Spelling, Url, parse
from gossamer.pipeline.parse.targets import Targets

BASES = (
    "http://a.test/",
    "http://a.test/x.html",
    "http://a.test:8080/b/c/d.html?q=../e/",
    "https://a.test/b//c/x",
    "http://a.test/b/~c/d-e_f/9/x.html",
    "http://a.test/b/.well-known/x",
    "http://a.test/b%20c/d/x",
    "http://user@a.test/b/c/d",
    "http://a.test/%7Eb/c",
    "file:///b/c/d.html",
    "ftp://a.test/b/c/d.html",
    "http://[::1]/b/c/d.html",
    "http://a.test/b;c/d",
)
PIECES = (
    "..",
    "..",
    ".",
    "",
    "a",
    "b.html",
    "c..d",
    "~e",
    "-f",
    "g_h",
    ".i",
    "%2e%2e",
    "j:k",
    "?l",
    "é",
)


def drawn(random: Random) -> bytes:
    return "/".join(random.choices(PIECES, k=random.randint(1, 5))).encode()


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("rules", [(), ("index",)])
def test_addresses_lead_where_they_lead_one_by_one(base: str, rules: tuple[str, ...]) -> None:
    random, spelling = Random(base), Spelling(rules)
    hrefs = [drawn(random) for _ in range(400)] + [b"a" * 600, b"a.html", b"../" * 9 + b"b"]
    hrefs += [b"/" + drawn(random) for _ in range(100)]
    hrefs += [b"http://c.test/" + drawn(random) for _ in range(100)] * 2
    expected = spelling.join_all(spelling.base(base), [href.decode() for href in hrefs])
    page = spelling.parse(base)
    own = page if page is not None and page.text == base else None
    targets = Targets(spelling)
    for _ in range(2):  # joined, and remembered
        assert [found or None for found in targets.join(base, "utf-8", hrefs, own)] == [
            url if url and url.text.startswith(("http", "ftp:", "file:")) else None
            for url in expected
        ]


def test_a_url_that_many_folders_name_is_made_once() -> None:
    targets = Targets(Spelling())
    found = [
        targets.join(base, "utf-8", [href], parsed(base))[0]
        for base, href in (
            ("http://a.test/b/c/d", b"../../x.html"),
            ("http://a.test/e/f", b"../x.html"),
            ("http://a.test/g/", b"/x.html"),
            ("http://b.test/", b"http://a.test/x.html"),
        )
    ]
    assert found[0]
    assert all(one is found[0] for one in found)


def test_an_address_of_another_host_is_parsed_once() -> None:
    targets = Targets(Spelling())
    one, other = (
        targets.join(base, "utf-8", [b"http://a.test/?x=1&y"], parsed(base))[0]
        for base in ("http://b.test/", "http://c.test/d/")
    )
    assert one
    assert one is other


def parsed(text: str) -> Url:
    url = parse(text)
    assert url is not None
    return url
