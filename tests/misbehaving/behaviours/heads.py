"""Status lines and header fields that are wrong, strange or too large."""

from gossamer.core.outcomes import Outcome
from tests.misbehaving.behaviour import Expectation, add_answer, answered, failed

HELLO = b"hello"
TAIL = b"Content-Length: 5\r\n\r\nhello"
FINE = answered(body=HELLO)
REFUSED = failed(Outcome.BAD_RESPONSE)
CUT = failed(Outcome.RESET, says="within the header")
TOO_LARGE = failed(Outcome.HEADERS_TOO_LARGE)


def field(name: str, description: str, raw: bytes, expect: Expectation) -> None:
    """A response that is correct but for one header field."""
    add_answer(name, description, b"HTTP/1.1 200 OK\r\n" + raw + b"\r\n" + TAIL, expect)


def status_line(name: str, description: str, line: bytes, expect: Expectation) -> None:
    """A response that is correct but for its status line."""
    add_answer(name, description, line + b"\r\n" + TAIL, expect)


# Size
field("header_of_1mb", "one header field of 1 MB", b"X-Long: " + b"y" * (1 << 20), TOO_LARGE)
field(
    "many_headers",
    "20,000 header fields",
    b"\r\n".join(b"X-%d: y" % n for n in range(20_000)),
    TOO_LARGE,
)
field("cookie_of_1mb", "one cookie of 1 MB", b"Set-Cookie: a=" + b"b" * (1 << 20), TOO_LARGE)
field(
    "many_cookies",
    "1 MB of cookies, 4 KB each",
    b"\r\n".join(b"Set-Cookie: a%d=%s" % (n, b"b" * 4000) for n in range(256)),
    TOO_LARGE,
)
field("header_of_30kb", "a header field of 30 KB, long but bearable", b"X: " + b"y" * 30_000, FINE)
status_line("reason_of_1mb", "a reason of 1 MB", b"HTTP/1.1 200 " + b"OK" * (1 << 19), TOO_LARGE)

# Characters
field("nul_in_header_value", "a NUL byte in a value", b"X-Nul: a\0b", REFUSED)
field("nul_in_header_name", "a NUL byte in a name", b"X-\0Nul: a", REFUSED)
status_line("nul_in_status_line", "a NUL byte in the reason", b"HTTP/1.1 200 O\0K", REFUSED)
field(
    "bytes_in_header",
    "all bytes from 128 to 255 in a value",
    b"X-B: " + bytes(range(128, 256)),
    FINE,
)
field("control_codes_in_header", "terminal control codes in a value", b"X-Red: \x1b[31m\x07", FINE)
field("bare_cr_in_header", "a CR without LF in a value", b"X-Cr: a\rX-Injected: b", REFUSED)

# Form
field("folded_header", "a field folded over two lines (obs-fold)", b"X-Folded: a\r\n b", FINE)
field("fold_first", "the first header line begins with a space", b" X-Folded: a", FINE)
field("space_before_colon", "a space between name and colon", b"X-Spaced : a", FINE)
field("header_without_colon", "a header line without a colon", b"no colon here", REFUSED)
field("header_without_name", "a header line that begins with the colon", b": no name", FINE)
field("header_without_value", "a field without a value", b"X-Empty:", FINE)
field("header_line_of_nothing", "a header line of blanks only", b"   ", REFUSED)
add_answer(
    "bare_lf",
    "lines that end with LF alone",
    b"HTTP/1.1 200 OK\nContent-Length: 5\n\nhello",
    FINE,
)
add_answer(
    "bare_cr",
    "lines that end with CR alone",
    b"HTTP/1.1 200 OK\rContent-Length: 5\r\rhello",
    failed(Outcome.BAD_RESPONSE, Outcome.EMPTY_REPLY),
)
add_answer(
    "header_never_ends", "closes after a status line and no header", b"HTTP/1.1 200 OK\r\n", CUT
)
add_answer("header_cut_in_field", "closes in a header field", b"HTTP/1.1 200 OK\r\nContent-Le", CUT)
add_answer(
    "header_cut_after_field",
    "closes before the empty line",
    b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n",
    CUT,
)
add_answer(
    "header_cut_after_continue",
    "says 100, then closes within the real header",
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nX:",
    CUT,
)

# Status
status_line("status_999", "status 999", b"HTTP/1.1 999 Request denied", answered(999, body=HELLO))
status_line("status_600", "status 600", b"HTTP/1.1 600 What", answered(600, body=HELLO))
status_line("status_099", "status 099", b"HTTP/1.1 099 Below", REFUSED)
status_line("status_000", "status 000", b"HTTP/1.1 000 Nothing", REFUSED)
status_line("status_of_two_digits", "status 20", b"HTTP/1.1 20 OK", REFUSED)
status_line("status_of_four_digits", "status 2000", b"HTTP/1.1 2000 OK", REFUSED)
status_line("status_negative", "status -200", b"HTTP/1.1 -200 OK", REFUSED)
status_line("status_in_words", "status OK, no number", b"HTTP/1.1 OK", REFUSED)
status_line("status_missing", "a version and nothing else", b"HTTP/1.1", REFUSED)
status_line("reason_missing", "no reason after the number", b"HTTP/1.1 200", FINE)
status_line("status_far_away", "many blanks before the number", b"HTTP/1.1     200 OK", REFUSED)

# Version
add_answer("http_0_9", "a body and nothing else, as in HTTP/0.9", b"<html>hello</html>", REFUSED)
status_line("http_1_0", "version 1.0", b"HTTP/1.0 200 OK", FINE)
status_line("http_1_2", "version 1.2", b"HTTP/1.2 200 OK", REFUSED)
status_line("http_9_9", "version 9.9", b"HTTP/9.9 200 OK", REFUSED)
status_line("http_2_in_clear", "version 2, written like version 1", b"HTTP/2 200 OK", REFUSED)
status_line("http_lower_case", "http in lower case", b"http/1.1 200 OK", FINE)
status_line("icy", "a radio station of the nineties", b"ICY 200 OK", REFUSED)
add_answer("ssh_banner", "an SSH server", b"SSH-2.0-OpenSSH_9.2\r\n", REFUSED)
add_answer("smtp_banner", "a mail server", b"220 mail.example ESMTP\r\n", REFUSED)
add_answer("binary_noise", "random bytes", bytes(range(256)) * 16, REFUSED)
add_answer(
    "empty_line_first",
    "an empty line before the status line",
    b"\r\nHTTP/1.1 200 OK\r\n" + TAIL,
    REFUSED,
)

add_answer(
    "http_lower_case_chunks",
    "http in lower case, and chunks",
    b"http/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    FINE,
)

# Informational responses
GOOD = b"HTTP/1.1 200 OK\r\n" + TAIL
HINTS = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"
add_answer(
    "informational_100",
    "100 Continue first, unasked",
    b"HTTP/1.1 100 Continue\r\n\r\n" + GOOD,
    FINE,
)
add_answer(
    "informational_102", "102 Processing first", b"HTTP/1.1 102 Processing\r\n\r\n" + GOOD, FINE
)
add_answer("informational_103", "103 Early Hints first", HINTS + GOOD, FINE)
add_answer("informational_five", "five informational responses first", HINTS * 5 + GOOD, FINE)
add_answer(
    "informational_199",
    "an informational response nobody knows",
    b"HTTP/1.1 199 Hm\r\n\r\n" + GOOD,
    FINE,
)
add_answer(
    "informational_with_length",
    "100 Continue with a Content-Length of its own",
    b"HTTP/1.1 100 Continue\r\nContent-Length: 3\r\n\r\n" + GOOD,
    FINE,
)
add_answer(
    "informational_only",
    "100 Continue, then the end",
    b"HTTP/1.1 100 Continue\r\n\r\n",
    failed(Outcome.EMPTY_REPLY),
)
add_answer(
    "switching_unasked",
    "101 Switching Protocols, which nobody asked for",
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: chess\r\nConnection: Upgrade\r\n\r\ne2e4",
    answered(101),
)

# Responses that have no body, with one
add_answer(
    "no_content_with_body",
    "204 with a body",
    b"HTTP/1.1 204 No Content\r\n" + TAIL,
    answered(204, body=b""),
)
add_answer(
    "not_modified_with_body",
    "304 with a body, though nothing was asked conditionally",
    b"HTTP/1.1 304 Not Modified\r\n" + TAIL,
    answered(304, body=b""),
)
add_answer(
    "not_modified_with_length",
    "304 with the length of a body that rightly does not follow",
    b"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n",
    answered(304, body=b""),
)
add_answer(
    "reset_content_with_body",
    "205 with a body",
    b"HTTP/1.1 205 Reset Content\r\n" + TAIL,
    answered(205),
)
