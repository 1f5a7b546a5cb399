"""Names of files: harmless whatever a URL says."""

from hypothesis import given
from hypothesis import strategies as st

from gossamer.core.url import parse
from gossamer.export.mirror.mirror_files import FileNames

KINDS = ["text/html", "text/plain", "image/png", "text/css", "image/svg+xml", "", "odd/kind"]
paths = st.lists(
    st.text(st.sampled_from("abAB./%?&=~_- é\\\0:*\n<>\"'|#"), max_size=12)
    | st.sampled_from(
        ["..", "%2e%2e", "%00", "%2f", "con", "a.html", "index.html", "x" * 300, "_"]
    ),
    max_size=15,
).map("/".join)


@given(st.lists(st.tuples(paths, st.sampled_from(KINDS)), max_size=12))
def test_names_stay_inside_and_apart(pages: list[tuple[str, str]]) -> None:
    names, files = FileNames(), {}
    for path, kind in pages:
        for origin in ("http://a.test", "https://a.test", "http://A.test:8080"):
            url = parse(f"{origin}/{path}")
            if url is not None and url.text not in files:
                files[url.text] = names.name(url, kind)
    low = [file.casefold() for file in files.values()]
    assert len(set(low)) == len(low)
    for file in low:
        parts = file.split("/")
        assert not any(part in ("", ".", "..") or part.startswith(".") for part in parts)
        assert all(part.isascii() and part.isprintable() and len(part) < 100 for part in parts)
        assert not set(file) & set("\\:*?\"'<>|%&# \0")
        assert not any(other.startswith(f"{file}/") for other in low)


def test_what_is_no_html_is_not_opened_as_html() -> None:
    names = FileNames()
    url = parse("http://a.test/evil.html")
    assert url is not None
    assert names.name(url, "text/plain") == "a.test/evil.html.txt"
