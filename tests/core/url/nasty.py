"""Hypothesis strategies for links as bad as the web's."""

from hypothesis import strategies as st

RULES = ["tracking", "session", "index", "query_order"]

PIECES = [
    *(
        "http://",
        "https://",
        "HTTP:",
        "ftp://",
        "ws://",
        "file:///",
        "//",
        "\\\\",
        "mailto:",
        "data:",
    ),
    *(
        "blob:https://",
        "foo:",
        "foo://",
        "javascript:",
        "user:pw@",
        "@",
        ":80",
        ":443",
        ":8080",
        ":",
    ),
    *(
        "example.com",
        "EXAMPLE.com.",
        "a..",
        "1.2.3.4",
        "0x7f.1",
        "[::1]",
        "bücher.de",
        "xn--a",
        "ẞ",
    ),
    *(
        "localhost",
        "www.",
        ".",
        "..",
        "%2e",
        "%2E%2e",
        "C|",
        "C:",
        "%43|",
        "%2F",
        "%5c",
        "%00",
        "%",
    ),
    *(
        "%41",
        "%7e",
        "%%34%31",
        "%e4%bd",
        "%25",
        "%zz",
        "^",
        "|",
        "{}",
        "[",
        "]",
        "`",
        "'",
        '"',
        "<>",
    ),
    *("index.html", "/index.html", "/Default.ASP", ";jsessionid=1f", "/..;jsessionid=2", ";"),
    *("/(S(lit3py55t21z5v55vlm25s55))", "utm_source=x", "&gclid=1", "PHPSESSID=3", "&sid="),
    *("0123456789abcdef", "b=2", "&a=1", "&a=0", "&", "=", "?", "??", "?#", "#", "#x", " ", "  "),
    *("\t", "\n", "\r", "\x00", "\x1f", "\x7f", "\u00ad", "\u200d", "\ufffd", "\ud800", "\udc00"),
    *("/", "//", "/a", "/A/", "a", "+", "~", "\\", "日本", "é", "\U0001f600"),
]

characters = st.characters(exclude_categories=())
"""Every character, also surrogates without a partner."""

links = st.one_of(
    st.lists(st.sampled_from(PIECES) | characters, max_size=12).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=10).map(
        lambda pieces: "http://h/" + "".join(pieces)
    ),
    st.lists(st.sampled_from(PIECES), max_size=10).map(lambda pieces: "foo:" + "".join(pieces)),
    st.text(characters, max_size=40),
)

bases = st.sampled_from(
    [
        "http://example.com/a/b?c",
        "https://user:pw@example.com.:8443/a/index.html?utm_source=1",
        "http://[::1]/",
        "https://xn--a.example/x/",
        "http://s.example/.a/%41/",
        "ftp://h/d/e",
        "file:///C:/x/y",
        "foo://h/a/b",
        "foo:opaque",
        "blob:https://example.com/1",
    ]
)

rule_lists = st.lists(st.sampled_from(RULES), unique=True)
