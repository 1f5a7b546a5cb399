"""Where the body ends: lengths and chunks that lie or contradict each other."""

from gossamer.core.outcomes import Outcome, Truncation
from tests.misbehaving.behaviour import Expectation, add_answer, answered, failed

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
HELLO = b"hello"
FINE = answered(body=HELLO)
REFUSED = failed(Outcome.BAD_RESPONSE)
CUT_OFF = answered(truncated=Truncation.DISCONNECT)
BAD_CHUNKS = answered(truncated=Truncation.DISCONNECT, body=b"", is_explained=True)


def lengths(name: str, description: str, fields: bytes, expect: Expectation) -> None:
    """A body of `hello`, framed by other than good means."""
    add_answer(name, description, OK + fields + b"\r\n\r\n" + HELLO, expect)


def chunks(name: str, description: str, raw: bytes, expect: Expectation) -> None:
    """A chunked body, with its chunks as given."""
    add_answer(name, description, OK + b"Transfer-Encoding: chunked\r\n\r\n" + raw, expect)


# Lengths
lengths("length_too_long", "promises 1,000 bytes and sends 5", b"Content-Length: 1000", CUT_OFF)
lengths(
    "length_too_short", "promises 3 bytes and sends 5", b"Content-Length: 3", answered(body=b"hel")
)
lengths(
    "length_zero", "promises nothing and sends 5 bytes", b"Content-Length: 0", answered(body=b"")
)
lengths("length_negative", "a length of -5", b"Content-Length: -5", REFUSED)
lengths("length_in_words", "a length of `five`", b"Content-Length: five", REFUSED)
lengths("length_in_hex", "a length of 0x5", b"Content-Length: 0x5", REFUSED)
lengths("length_with_plus", "a length of +5", b"Content-Length: +5", REFUSED)
lengths("length_empty", "a length without a number", b"Content-Length:", REFUSED)
lengths("length_over_64_bits", "a length of 10^30", b"Content-Length: 1" + b"0" * 30, FINE)
lengths("length_twice", "the same length twice", b"Content-Length: 5\r\nContent-Length: 5", FINE)
lengths("length_listed_twice", "the same length twice, in one field", b"Content-Length: 5, 5", FINE)
lengths(
    "length_contradicting",
    "two different lengths",
    b"Content-Length: 3\r\nContent-Length: 5",
    REFUSED,
)
lengths("length_list_contradicting", "two lengths in one field", b"Content-Length: 3, 5", REFUSED)
lengths(
    "length_missing", "neither length nor chunks: the end of the connection ends it", b"X: y", FINE
)

# Transfer codings
add_answer(
    "length_and_chunks",
    "a length and chunks: the chunks decide (RFC 9112, 6.3)",
    OK + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    FINE,
)
add_answer(
    "chunks_and_length",
    "chunks and a length, in the other order",
    OK + b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    FINE,
)
lengths("coding_unknown", "a transfer coding nobody knows", b"Transfer-Encoding: rot13", FINE)
lengths("coding_misspelt", "a transfer coding `xchunked`", b"Transfer-Encoding: xchunked", FINE)
lengths("coding_identity", "the transfer coding `identity`", b"Transfer-Encoding: identity", FINE)
add_answer(
    "coding_chunked_twice",
    "says chunked twice, which the RFC forbids, and is so once",
    OK + b"Transfer-Encoding: chunked, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    FINE,
)
add_answer(
    "chunks_in_http_1_0",
    "chunks under version 1.0, which has none",
    b"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    FINE,
)

# Chunks
chunks(
    "chunk_size_bad", "a chunk size that is not a number", b"zz\r\nhello\r\n0\r\n\r\n", BAD_CHUNKS
)
chunks("chunk_bad_after_good", "a good chunk, then a bad one", b"5\r\nhello\r\nzz\r\n", CUT_OFF)
chunks("chunk_size_negative", "a chunk of -5 bytes", b"-5\r\nhello\r\n0\r\n\r\n", BAD_CHUNKS)
chunks("chunk_size_empty", "an empty chunk size", b"\r\nhello\r\n0\r\n\r\n", BAD_CHUNKS)
chunks(
    "chunk_size_prefixed", "a chunk size written as 0x5", b"0x5\r\nhello\r\n0\r\n\r\n", BAD_CHUNKS
)
chunks("chunk_size_huge", "a chunk of 2^63-1 bytes", b"7FFFFFFFFFFFFFFF\r\nhello", CUT_OFF)
chunks(
    "chunk_size_wraps",
    "a chunk of 2^64+5 bytes",
    b"10000000000000005\r\nhello\r\n0\r\n\r\n",
    BAD_CHUNKS,
)
chunks(
    "chunk_size_of_zeros",
    "a chunk size of 100,000 zeros",
    b"0" * 100_000 + b"5\r\nhello\r\n",
    BAD_CHUNKS,
)
chunks(
    "chunk_longer_than_said", "a chunk longer than its size", b"3\r\nhello\r\n0\r\n\r\n", CUT_OFF
)
chunks(
    "chunk_shorter_than_said", "a chunk shorter than its size", b"9\r\nhello\r\n0\r\n\r\n", CUT_OFF
)
chunks("chunk_without_line_end", "no line end after a chunk", b"5\r\nhello0\r\n\r\n", CUT_OFF)
chunks("chunk_cut_in_size", "closes inside a chunk size", b"5\r\nhello\r\n1", CUT_OFF)
chunks("chunk_cut_in_data", "closes inside a chunk", b"64\r\nhello", CUT_OFF)
chunks("chunk_without_last", "closes before the last, empty chunk", b"5\r\nhello\r\n", CUT_OFF)
chunks(
    "chunk_last_cut", "closes inside the last chunk's line ends", b"5\r\nhello\r\n0\r\n", CUT_OFF
)
chunks("chunk_none", "closes before any chunk", b"", CUT_OFF)
chunks("chunk_bare_lf", "chunk lines that end with LF alone", b"5\nhello\n0\n\n", FINE)
chunks("chunk_with_blanks", "blanks after a chunk size", b"5   \r\nhello\r\n0\r\n\r\n", FINE)
chunks("chunk_with_extension", "a chunk extension", b'5;a="b\\""\r\nhello\r\n0\r\n\r\n', FINE)
chunks("chunk_with_trailers", "trailer fields", b"5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n", FINE)
chunks(
    "chunk_trailers_smuggle",
    "trailer fields that would change the framing",
    b"5\r\nhello\r\n0\r\nContent-Length: 99\r\nTransfer-Encoding: gzip\r\n\r\n",
    FINE,
)
