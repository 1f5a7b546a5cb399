"""Plain addresses lead where the URL standard says that they lead."""

from random import Random

import pytest

from gossamer.core.url import Spelling
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
    expected = spelling.join_all(spelling.base(base), [href.decode() for href in hrefs])
    targets = Targets(spelling)
    for _ in range(2):  # joined, and remembered
        assert [found or None for found in targets.join(base, "utf-8", hrefs)] == [
            url if url and url.text.startswith(("http", "ftp:", "file:")) else None
            for url in expected
        ]


def test_a_url_that_many_folders_name_is_made_once() -> None:
    targets = Targets(Spelling())
    (one,) = targets.join("http://a.test/b/c/d", "utf-8", [b"../../x.html"])
    (other,) = targets.join("http://a.test/e/f", "utf-8", [b"../x.html"])
    assert one is other
