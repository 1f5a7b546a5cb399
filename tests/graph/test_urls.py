"""URLs and their numbers."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from gossamer.core.errors import GossamerError
from gossamer.graph.urls import UrlMap, UrlMapWriter, keys_of, urls_of
from gossamer.graph.urls.url_keys import Octets, Places

_ODD = [
    "http://[::1]:80/x", "http://[::1]/x", "mailto:x@y", "http://u:p@h.org/", "https://a.org.", "https://a.org./x",
    "http://127.0.0.1:99/", "", "/", "x", "https://a.org?x/", "http://:80/x", "https://ä.org/é", "a://b/c://d/",
]  # fmt: skip


def _lay_out(texts: list[str]) -> tuple[Places, Octets]:
    data = [text.encode() for text in texts]
    return np.cumsum([0, *map(len, data)], dtype=np.int64), np.frombuffer(
        bytearray(b"".join(data)), np.uint8
    )


def _cut(offsets: Places, text: Octets) -> list[str]:
    data = text.tobytes()
    return [data[a:b].decode() for a, b in pairwise(offsets)]


def _map(folder: Path, urls: list[str]) -> UrlMap:
    keys = sorted({key.encode() for key in _cut(*keys_of(*_lay_out(urls)))})
    writer = UrlMapWriter(folder / "urls")
    for begin in range(0, len(keys), 37):
        writer.add(*_lay_out([key.decode() for key in keys[begin : begin + 37]]))
    writer.close()
    return UrlMap(folder / "urls")


def test_a_key_has_its_host_reversed() -> None:
    urls = ["https://www.example.org/a?b", "http://example.org:8080/", "nothing"]
    keys = ["org.example.www/https/a?b", "org.example/http:8080/", "/nothing"]
    assert _cut(*keys_of(*_lay_out(urls))) == keys


def test_a_key_can_be_turned_back() -> None:
    assert _cut(*urls_of(*keys_of(*_lay_out(_ODD)))) == _ODD


def test_hosts_of_a_domain_come_in_a_row(tmp_path: Path) -> None:
    names = ["example.org", "www.example.org", "example-x.org", "examplf.org", "a.www.example.org"]
    found = _map(tmp_path, [f"https://{name}/" for name in names])
    inside = [number for number, url in enumerate(found.urls(np.arange(5))) if "example.org" in url]
    assert inside == [*range(inside[0], inside[0] + 3)]


def test_numbers_lead_to_urls_and_back(tmp_path: Path) -> None:
    long = [f"https://a.org/{'x' * 2034}{end}" for end in "abc"]
    urls = [f"https://h{n % 7}.example.org/{'d/' * (n % 5)}{n}" for n in range(500)] + _ODD + long
    found = _map(tmp_path, urls)
    numbers = found.numbers(urls)
    assert sorted(numbers) == [*range(len(urls))]
    assert found.urls(numbers) == urls
    assert found.url_array(numbers).to_pylist() == urls
    assert max(map(len, long)) == 2049
    assert [found.number(url + "!") for url in urls] == [None] * len(urls)
    assert [found.number(url[:-1]) for url in urls[:500] if url[:-1] not in urls] != []


def test_urls_that_are_not_there_have_no_number(tmp_path: Path) -> None:
    urls = [f"https://a.org/{n:03}" for n in range(0, 200, 2)]
    found = _map(tmp_path, urls)
    assert {found.number(f"https://a.org/{n:03}") for n in range(1, 200, 2)} == {None}
    assert found.number("https://0.org/") is None
    assert found.number("https://z.org/") is None
    with pytest.raises(IndexError, match="from 0 to 99 only"):
        found.urls([100])


def test_there_may_be_no_url(tmp_path: Path) -> None:
    found = _map(tmp_path, [])
    assert (len(found), found.number("https://a.org/"), found.urls([])) == (0, None, [])


def test_damage_is_told_and_never_leads_outside(tmp_path: Path) -> None:
    urls = [f"https://h{n % 7}.example.org/{n}" for n in range(100)]
    _map(tmp_path, urls)
    path, whole = tmp_path / "urls.keys", (tmp_path / "urls.keys").read_bytes()
    chance, told = np.random.default_rng(5), 0
    for _ in range(100):
        data = bytearray(whole)
        data[int(chance.integers(0, len(data)))] = int(chance.integers(128, 256))
        path.write_bytes(data)
        found = UrlMap(tmp_path / "urls")
        for read in (partial(found.urls, np.arange(100)), partial(found.numbers, urls)):
            told += _complaint(read).endswith(
                "urls.keys is damaged; rebuild it: `gossamer graph build DIR --rebuild`"
            )
    assert told


def _complaint(read: Callable[[], object]) -> str:
    try:
        read()
    except GossamerError as error:
        return str(error)
    return ""
