"""Bodies and fields that are well framed and still not what they say."""

from tests.misbehaving.behaviour import add_answer, answered


def page(name: str, description: str, body: bytes, *fields: str, status: str = "200 OK") -> None:
    """A complete response: what is wrong with it shows only when it is read."""
    lines = [f"HTTP/1.1 {status}", *fields, f"Content-Length: {len(body)}", "", ""]
    raw = "\r\n".join(lines).encode("latin-1") + body
    add_answer(name, description, raw, answered(int(status[:3]), body=body))


HTML = "Content-Type: text/html"
UMLAUTS = "<title>Größe</title><a href=/ok/1>schön</a>"

page("nul_in_body", "NUL bytes in HTML", b"<a\0 href=/ok/1>\0</a>" * 50, HTML)
page("only_nul_in_body", "64 KB of NUL bytes", bytes(65536), HTML)
page("charset_wrong", "says UTF-8, is Latin-1", UMLAUTS.encode("latin-1"), HTML + "; charset=utf-8")
page(
    "charset_utf16",
    "says UTF-8, is UTF-16 with a BOM",
    UMLAUTS.encode("utf-16"),
    HTML + "; charset=utf-8",
)
page("charset_unknown", "a charset nobody knows", UMLAUTS.encode(), HTML + "; charset=klingon")
page("charset_empty", "a charset without a value", UMLAUTS.encode(), HTML + "; charset=")
page("charset_twice", "two charsets", UMLAUTS.encode(), HTML + "; charset=utf-8; charset=koi8-r")
page("type_missing", "no Content-Type", UMLAUTS.encode())
page("type_nonsense", "a Content-Type that is none", UMLAUTS.encode(), "Content-Type: ///;;;=")
page("type_twice", "two Content-Types", UMLAUTS.encode(), HTML, "Content-Type: image/png")
page("type_wrong", "says HTML, is a picture", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), HTML)
page("empty_page", "200 with nothing", b"", HTML)

NOT_NOW = "503 Service Unavailable"
page("retry_after_words", "Retry-After: soon", b"", "Retry-After: soon", status=NOT_NOW)
page("retry_after_negative", "Retry-After: -10", b"", "Retry-After: -10", status=NOT_NOW)
page("retry_after_ages", "Retry-After: 10^30", b"", "Retry-After: 1" + "0" * 30, status=NOT_NOW)
page("retry_after_fraction", "Retry-After: 1.5", b"", "Retry-After: 1.5", status=NOT_NOW)
page("retry_after_empty", "Retry-After without a value", b"", "Retry-After:", status=NOT_NOW)
page(
    "retry_after_past",
    "Retry-After in the past",
    b"",
    "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT",
    status="429 Too Many Requests",
)
page(
    "retry_after_impossible",
    "Retry-After on a day that never was",
    b"",
    "Retry-After: Mon, 31 Feb 2030 99:99:99 GMT",
    status="429 Too Many Requests",
)
page(
    "retry_after_twice",
    "two different Retry-After",
    b"",
    "Retry-After: 1",
    "Retry-After: 3600",
    status="429 Too Many Requests",
)
page("etag_nonsense", "an ETag without quotes, full of blanks", b"hello", 'ETag: W/ "a" b"')
page("date_nonsense", "a Last-Modified in no language", b"hello", "Last-Modified: yesterday")
page(
    "cache_nonsense", "a Cache-Control beyond numbers", b"hello", "Cache-Control: max-age=1e99, ,="
)
