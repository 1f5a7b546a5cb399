"""Lookup keys of requests are those that pywb looks up, and those of cdxj-indexer where the two agree."""

import json
import os
import subprocess
from base64 import b64encode

import pytest

from gossamer.core.request import Request, RequestUrl
from gossamer.core.url import parse
from tests.core.request.request_samples import WRITTEN, Sample, draw
from tests.engine.test_known_replay import PYWB_PYTHON
from tests.needs import needs

CASES = int(os.environ.get("GOSSAMER_LOOKUP_CASES", "1500"))

_ASK = """
import base64, contextlib, io, json, sys
import surt
from pywb.utils.canonicalize import canonicalize
from pywb.warcserver.inputrequest import MethodQueryCanonicalizer
try:
    from cdxj_indexer.postquery import append_method_query
except ImportError:
    append_method_query = None
for line in sys.stdin:
    url, kind, coded = json.loads(line)
    body = base64.b64decode(coded)
    with contextlib.redirect_stderr(io.StringIO()):
        asked = MethodQueryCanonicalizer("POST", kind, len(body), io.BytesIO(body)).append_query(url)
        keys = [canonicalize(asked), ""]
        if append_method_query:
            _, more = append_method_query("POST", kind, str(len(body)), io.BytesIO(body), url)
            keys[1] = surt.surt(url + more)
    print(json.dumps(keys))
"""


def asked(sample: Sample) -> RequestUrl:
    url = parse(sample.url)
    assert url is not None
    found = Request(sample.url, body=sample.body, media_type=sample.media_type).at(url)
    assert isinstance(found, RequestUrl)
    return found


def key_of(sample: Sample) -> str:
    url = asked(sample)
    return url.surt_of(url.written_query(()))


def keys_of_others(samples: list[Sample]) -> list[tuple[str, str]]:
    """The keys that pywb has, and cdxj-indexer, if it is there."""
    assert PYWB_PYTHON is not None
    lines = (
        json.dumps([asked(one).text, one.media_type, b64encode(one.body).decode()])
        for one in samples
    )
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [PYWB_PYTHON, "-c", _ASK],
        input="\n".join(lines),
        env=clean,
        capture_output=True,
        text=True,
        check=True,
    )
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("sample", WRITTEN)
def test_written_samples(sample: Sample) -> None:
    assert key_of(sample) == WRITTEN[sample]


def test_a_long_body_is_cut() -> None:
    url = asked(Sample("http://a.test/", "image/png", bytes(10_000)))
    assert len(url.written_query(())) == len("__wb_method=POST&") + 4096


def test_bodies_that_are_alike_in_the_key_are_different_requests() -> None:
    one, other = (
        asked(Sample("http://a.test/", "image/png", bytes(9000) + end)) for end in (b"a", b"b")
    )
    assert one.written_query(()) == other.written_query(())
    assert one.key != other.key


@pytest.mark.skipif(
    PYWB_PYTHON is None,
    reason=needs("pywb", "it is not installed; GOSSAMER_PYWB may name the folder it is in"),
)
def test_keys_are_those_of_pywb() -> None:
    samples = [*WRITTEN, *draw(seed=1, count=CASES)]
    others = keys_of_others(samples)
    differing = [
        (sample, key_of(sample), pywb)
        for sample, (pywb, _) in zip(samples, others, strict=True)
        if key_of(sample) != pywb
    ]
    assert differing == []
    if others[0][
        1
    ]:  # cdxj-indexer is there: it differs from pywb where the two write JSON differently
        alike = [pywb == cdxj for pywb, cdxj in others]
        kinds = {
            sample.media_type.partition(";")[0]
            for sample, is_alike in zip(samples, alike, strict=True)
            if not is_alike and sample.body
        }
        assert kinds <= {"application/json", "text/plain"}
