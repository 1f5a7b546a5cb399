import pytest

from gossamer.pipeline.robots.robots_lines import LIMIT, Field, as_text, read_fields


def fields(body: bytes, is_cut: bool = False) -> list[tuple[Field, bytes]]:
    return [(field, value) for _, field, value in read_fields(body, is_cut)]


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("User-agent", Field.USER_AGENT),
        ("USERAGENT", Field.USER_AGENT),
        ("user agent", Field.USER_AGENT),
        ("Allow", Field.ALLOW),
        ("Disallow", Field.DISALLOW),
        ("Dissallow", Field.DISALLOW),
        ("Dissalow", Field.DISALLOW),
        ("Disalow", Field.DISALLOW),
        ("Diasllow", Field.DISALLOW),
        ("Disallaw", Field.DISALLOW),
        ("Disallowed", Field.DISALLOW),
        ("Crawl-Delay", Field.CRAWL_DELAY),
        ("Sitemap", Field.SITEMAP),
        ("Site-map", Field.SITEMAP),
    ],
)
def test_names(name: str, field: Field) -> None:
    assert fields(f" {name} : x ".encode()) == [(field, b"x")]


@pytest.mark.parametrize(
    "line", [b"", b"# Disallow: /", b"Host: x", b": /x", b"disallow / x", b"/x"]
)
def test_lines_that_say_nothing(line: bytes) -> None:
    assert fields(line) == []


def test_a_missing_colon_is_understood() -> None:
    assert fields(b"disallow /x # y") == [(Field.DISALLOW, b"/x")]


@pytest.mark.parametrize("ending", [b"\n", b"\r", b"\r\n"])
def test_line_endings_and_numbers(ending: bytes) -> None:
    body = ending.join([b"User-agent: *", b"", b"Disallow: /"])
    assert [number for number, _, _ in read_fields(body)] == [1, 3]


@pytest.mark.parametrize("other", ["\x0b", "\x0c", "\x85", "\u2028"])
def test_nothing_else_ends_a_line(other: str) -> None:
    assert len(fields(f"Allow: /a{other}Disallow: /b".encode())) == 1


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xef\xbb", b"\xef"])
def test_a_byte_order_mark_is_skipped(mark: bytes) -> None:
    assert fields(mark + b"Allow: /") == [(Field.ALLOW, b"/")]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_nuls_are_dropped_so_utf_16_is_read(encoding: str) -> None:
    assert fields("Allow: /\r\nDisallow: /x".encode(encoding)) == [
        (Field.ALLOW, b"/"),
        (Field.DISALLOW, b"/x"),
    ]


def test_only_the_first_500_kib_count_and_only_whole_lines() -> None:
    line = b"Disallow: /123\n"
    assert LIMIT % len(line) != 0
    assert len(fields(line * (50_000_000 // len(line)))) == LIMIT // len(line)


@pytest.mark.parametrize("rest", [b"\nAllow: /", b"\r\n"])
def test_a_line_that_ends_at_the_limit_is_whole(rest: bytes) -> None:
    body = b"Disallow: /".ljust(LIMIT, b"x")
    assert len(fields(body + rest)) == 1
    assert fields(body + b"x") == []


def test_a_cut_body_loses_its_last_line() -> None:
    assert fields(b"Allow: /a\nDisallow: /b", is_cut=True) == [(Field.ALLOW, b"/a")]
    assert fields(b"Allow: /a\n", is_cut=True) == [(Field.ALLOW, b"/a")]
    assert fields(b"Allow: /a", is_cut=True) == []


def test_text_of_broken_utf_8() -> None:
    assert as_text(b"/\xc3\xa4/\xff") == "/%C3%A4/%FF"
