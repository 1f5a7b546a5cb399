"""A request that was made is answered by pywb from the archive, each with its own answer."""

import urllib.error
import urllib.request
from pathlib import Path

import pytest

from gossamer import Request
from tests.engine.asked_site import AskedSite, asked_site
from tests.engine.engine_crawling import query
from tests.engine.test_known_replay import needs_pywb, replay

__all__ = ["asked_site"]

FORM = "application/x-www-form-urlencoded"
MULTIPART = (
    b'--b\r\nContent-Disposition: form-data; name="t"\r\n\r\na b\r\n'
    b'--b\r\nContent-Disposition: form-data; name="f"; filename="x.png"\r\n'
    b"Content-Type: image/png\r\n\r\n\x89\r\n--b--\r\n"
)
BODIES = [
    (FORM, b"q=cake&page=2"),
    (FORM, b"q=%C3%BC+x"),
    ("application/json", b'{"query": "{ me }", "n": [1, true, null]}'),
    ("text/plain", b"words and words"),
    ("image/png", b"\x89PNG\x00"),
    ("multipart/form-data; boundary=b", MULTIPART),
]


def ask(url: str, media_type: str, body: bytes) -> tuple[int, str]:
    request = urllib.request.Request(url, body, {"Content-Type": media_type}, method="POST")
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, ""


@needs_pywb
@pytest.mark.parametrize("whose", ["ours", "of pywb"])
def test_requests_are_replayed(asked_site: AskedSite, tmp_path: Path, whose: str) -> None:
    out, url = tmp_path / "out", f"{asked_site.url}/s"
    requests = [Request(url, body=body, media_type=kind) for kind, body in BODIES]
    asked_site.crawl(out, url, *requests)
    made = len(asked_site.asked)
    when = "select strftime(min(fetched_at) at time zone 'UTC', '%Y%m%d%H%M%S') from pages"
    [(date,)] = query(out, when)
    folder = tmp_path / "pywb"
    folder.mkdir()
    index = out / "warc" / "index.cdxj" if whose == "ours" else None
    with replay(folder, [*(out / "warc").glob("*.warc.gz")], index) as collection:
        where = f"{collection}/{date}id_/{url}"
        for kind, body in BODIES:
            status, text = ask(where, kind, body)
            assert (status, f"POST /s {len(body)} bytes" in text) == (200, True), (kind, body)
        with urllib.request.urlopen(where) as answer:
            assert "GET /s 0 bytes" in answer.read().decode()
    assert len(asked_site.asked) == made, "all came from the archive"
