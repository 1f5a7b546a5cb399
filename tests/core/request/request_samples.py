"""Requests with their lookup keys: written by hand, and drawn by a seed."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple
from urllib.parse import urlencode

FORM = "application/x-www-form-urlencoded"
_SIGNS = "abcXYZ0129 _-.~%&=+#?/\\'\"[]{}<>|é日😀\t\n\r;:,@!$()*^`"


class Sample(NamedTuple):
    url: str
    media_type: str
    body: bytes


WRITTEN = {
    Sample("http://example.com/", FORM, b"q=cake"): "com,example)/?__wb_method=post&q=cake",
    Sample("http://example.com/", FORM, b""): "com,example)/?__wb_method=post",
    Sample("http://www.example.com/S?x=1", FORM, b"b=+2+&a=%C3%BC%23not"): (
        "com,example)/s?__wb_method=post&a=%c3%bc&b=%202%20&x=1"
    ),
    Sample("http://example.com/", FORM, b"\xff\x00"): (
        "com,example)/?__wb_method=post&__wb_post_data=/wa="
    ),
    Sample("http://example.com/", "application/json", b'{"a": [1, true, null, 2.0], "A": "x y"}'): (
        "com,example)/?__wb_method=post&a=1&a=x+y&a.2_=true&a.3_=null&a.4_=2"
    ),
    Sample("http://example.com/", "application/json", b'{"a": NaN, "b": -0.0}'): (
        "com,example)/?__wb_method=post&a=nan&b=0"
    ),
    Sample("http://example.com/", "application/json", b'{"a": Infinity}'): (
        "com,example)/?__wb_method=post"
    ),
    Sample("http://example.com/", "application/json", b"{broken"): "com,example)/?__wb_method=post",
    Sample("http://example.com/", "text/plain", b"just words"): (
        "com,example)/?__wb_method=post&__wb_post_data=anvzdcb3b3jkcw=="
    ),
    Sample("http://example.com/", "text/plain;charset=UTF-8", b'{"query": "{ me }"}'): (
        "com,example)/?__wb_method=post&query={+me+}"
    ),
    Sample("http://example.com/", "image/png", b"\x89PNG"): (
        "com,example)/?__wb_method=post&__wb_post_data=ivborw=="
    ),
    Sample(
        "http://example.com/up",
        "multipart/form-data; boundary=b",
        b'--b\r\nContent-Disposition: form-data; name="t"\r\n\r\na b\r\n'
        b'--b\r\nContent-Disposition: form-data; name="f"; filename="x.png"\r\n'
        b"Content-Type: image/png\r\n\r\n\x89\r\n--b--\r\n",
    ): "com,example)/up?__wb_method=post&f=%89&t=a+b",
    Sample("http://example.com/up", "multipart/form-data", b"no boundary"): (
        "com,example)/up?__wb_method=post&__wb_post_data=bm8gym91bmrhcnk="
    ),
}
"""Samples with the keys that pywb 2.10 has for them."""


def draw(seed: int, count: int) -> Iterator[Sample]:
    """Requests of every kind that bodies have, with what is hard in each."""
    chance = Random(seed)
    for _ in range(count):
        path = chance.choice(["/", "/s", "/S?x=1", "/a//b/?z=%41&b=2", "/p", "/q?a"])
        media_type, body = chance.choice(_KINDS)(chance)
        yield Sample(f"http://www.example.com{path}", media_type, body)


def _word(chance: Random) -> str:
    return "".join(chance.choices(_SIGNS, k=chance.randrange(9)))


def _octets(chance: Random, most: int) -> bytes:
    return chance.randbytes(chance.randrange(most))


def _form(chance: Random) -> tuple[str, bytes]:
    pairs = [(_word(chance), _word(chance)) for _ in range(chance.randrange(5))]
    return chance.choice([FORM, f"{FORM}; charset=utf-8"]), urlencode(pairs).encode()


def _odd_form(chance: Random) -> tuple[str, bytes]:
    return FORM, chance.choice([_word(chance).encode(), _octets(chance, 20)])


def _value(chance: Random, depth: int = 0) -> Any:
    kind = chance.randrange(7 if depth < 3 else 5)
    if kind < 5:
        plain = (None, chance.random() < 0.5, chance.randrange(-9, 10**20), _word(chance))
        floats = (1.0, 0.5, -3.25, 1e300, 1e-7, 1e16, -0.0)
        return chance.choice([*plain, chance.choice(floats)])
    values = [_value(chance, depth + 1) for _ in range(chance.randrange(4))]
    return values if kind == 5 else {chance.choice(["a", "b", _word(chance)]): x for x in values}


def _json(chance: Random) -> tuple[str, bytes]:
    text = json.dumps(_value(chance), ensure_ascii=chance.random() < 0.5)
    return chance.choice(["application/json", "text/plain"]), text.encode()


def _odd_json(chance: Random) -> tuple[str, bytes]:
    return chance.choice(["application/json", "text/plain"]), _word(chance).encode()


def _binary(chance: Random) -> tuple[str, bytes]:
    return chance.choice(["image/png", "application/octet-stream"]), _octets(chance, 5000)


def _multipart(chance: Random) -> tuple[str, bytes]:
    boundary = f"----x{chance.randrange(9999)}"
    parts = [_part(chance) for _ in range(chance.randrange(4))]
    body = b"".join(f"--{boundary}\r\n".encode() + part + b"\r\n" for part in parts)
    return f"multipart/form-data; boundary={boundary}", body + f"--{boundary}--\r\n".encode()


def _part(chance: Random) -> bytes:
    name = "n" + "".join(chance.choices("abcé日[]_-.", k=chance.randrange(5)))
    head = f'Content-Disposition: form-data; name="{name}"'
    if chance.random() < 0.3:
        head += '; filename="f.png"\r\nContent-Type: image/png'
        return f"{head}\r\n\r\n".encode() + _octets(chance, 30)
    value = chance.choice([_word(chance), "a\r\nb", "x" * 10])
    return f"{head}\r\n\r\n{value}".encode()


_KINDS = (_form, _odd_form, _json, _odd_json, _binary, _multipart)
