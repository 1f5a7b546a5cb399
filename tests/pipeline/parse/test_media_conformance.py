"""Media types as web-platform-tests expect them, as far as we use them: essence and charset."""

import json
from pathlib import Path

import pytest

from gossamer.core.http import read_media_type
from gossamer.pipeline.parse.labels import encoding_of
from tests.conformance_report import ConformanceReport


@pytest.mark.parametrize("name", ["mime-types.json", "generated-mime-types.json"])
def test_web_platform(
    name: str, conformance_data: Path, conformance_report: ConformanceReport
) -> None:
    cases = json.loads((conformance_data / "mime" / name).read_text())
    with conformance_report(f"media types ({name})", {}) as suite:
        for case in cases:
            if isinstance(case, str):  # a heading
                continue
            got = read_media_type(case["input"])
            essence = (case["output"] or "").partition(";")[0]
            suite.check(f"{case['input']!r} essence", got.essence, essence)
            if "encoding" in case:
                wanted = (case["encoding"] or "").lower()
                suite.check(f"{case['input']!r} charset", encoding_of(got.charset), wanted)
