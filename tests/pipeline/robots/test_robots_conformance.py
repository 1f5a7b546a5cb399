"""Google's 146 expectations for robots.txt matching."""

import re
from pathlib import Path

from gossamer.pipeline.robots import parse
from tests.conformance_report import ConformanceReport
from tests.pipeline.robots.textproto import expectations

_ESCAPES = (
    "written for a draft; RFC 9309, 2.2.2 percent-encodes what is not ASCII and decodes "
    "escaped unreserved characters before it compares"
)


def _path(url: str) -> str:
    """What Google's matcher takes as path: from the first slash after the host, at least `/`."""
    found = re.match(r"https?://[^/?#]*(/[^#]*)", url)
    return found[1] if found else "/"


def test_google_expectations(conformance_data: Path, conformance_report: ConformanceReport) -> None:
    text = (conformance_data / "robots" / "google-ctc-correctness.textproto").read_text("utf-8")
    cases = list(expectations(text))
    assert len(cases) == 146
    reasons = {
        case.name: _ESCAPES
        for case in cases
        if not case.is_allowed and (case.url.endswith("ツ") or b"%62%61%7A" in case.robots)
    }
    with conformance_report("robots.txt matching (Google)", reasons) as suite:
        for case in cases:
            rules = parse(case.robots).for_agent(case.agent)
            suite.check(case.name, rules.is_allowed(_path(case.url)), case.is_allowed)
        assert len(reasons) == 3
