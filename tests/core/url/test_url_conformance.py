"""Suites of others: the URL standard's own cases, and the public suffix list's."""

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import can_ada

from gossamer.core.url import Url, base, join, parse
from gossamer.core.url.domain import registrable_domain
from gossamer.core.url.standard import CarefulUrl
from gossamer.core.url.url_limits import scrub
from tests.conformance_report import ConformanceReport

FIELDS = ["href", "origin", "protocol", "username", "password"]
FIELDS += ["host", "hostname", "port", "pathname", "search", "hash"]
WITH_ORIGIN = {"http:", "https:", "ftp:", "ws:", "wss:"}

_SPACES = "can_ada leaves the last space of an opaque path unescaped; Spelling asks ada-url instead"
_CARET = "can_ada leaves ^ unescaped in paths; Spelling escapes it"
_PUNYCODE = "can_ada refuses labels of invalid Punycode; Spelling asks ada-url instead"

CAN_ADA_ALONE = {
    "'non-special:opaque  ?hi' on None": _SPACES,
    "'non-special:opaque  #hi' on None": _SPACES,
    "'non-special:opaque \\t\\t  \\t#hi' on None": _SPACES,
    "'non-special:opaque \\t\\t  #hi' on None": _SPACES,
    "'non-special:opaque\\t\\t  \\r #hi' on None": _SPACES,
    "'http://a.b.c.xn--pokxncvks' on None": _PUNYCODE,
    "'http://10.0.0.xn--pokxncvks' on None": _PUNYCODE,
    "'http://a.b.c.XN--pokxncvks' on None": _PUNYCODE,
    "'http://a.b.c.Xn--pokxncvks' on None": _PUNYCODE,
    "'http://10.0.0.XN--pokxncvks' on None": _PUNYCODE,
    "'http://10.0.0.xN--pokxncvks' on None": _PUNYCODE,
    "'file://xn--/p' on None": _PUNYCODE,
    "'https://xn--/' on None": _PUNYCODE,
    "'foo://host/ !\"$%&\\'()*+,-./:;<=>@[\\\\]^_`{|}~' on None": _CARET,
    "'wss://host/ !\"$%&\\'()*+,-./:;<=>@[\\\\]^_`{|}~' on None": _CARET,
}


def cases(file: Path) -> list[dict[str, Any]]:
    """The cases of a web-platform-tests file, without its comments."""
    return [case for case in json.loads(file.read_text()) if isinstance(case, dict)]


def named(case: dict[str, Any]) -> str:
    return f"{case['input']!r} on {case['base']!r}"


def fields(parsed: Any, case: dict[str, Any]) -> dict[str, str]:
    return {field: getattr(parsed, field) for field in FIELDS if field in case}


def wanted(case: dict[str, Any]) -> dict[str, str] | None:
    return None if case.get("failure") else {key: case[key] for key in FIELDS if key in case}


def test_the_fast_parser(conformance_data: Path, conformance_report: ConformanceReport) -> None:
    with conformance_report("URL standard, can_ada alone", CAN_ADA_ALONE) as suite:
        for case in cases(conformance_data / "url" / "urltestdata.json"):
            text, address = scrub(case["input"]), case["base"]
            try:
                parsed = can_ada.parse(address) + text if address else can_ada.parse(text)
                got = fields(parsed, case)
            except ValueError:
                got = None
            suite.check(named(case), got, wanted(case))


def test_the_careful_parser(conformance_data: Path, conformance_report: ConformanceReport) -> None:
    with conformance_report("URL standard, ada-url alone") as suite:
        for case in cases(conformance_data / "url" / "urltestdata.json"):
            try:
                got = fields(CarefulUrl(scrub(case["input"]), case["base"]), case)
            except ValueError:
                got = None
            suite.check(named(case), got, wanted(case))


def spell(case: dict[str, Any]) -> Url | None:
    if case["base"] is None:
        return parse(case["input"])
    address = base(case["base"])
    assert address is not None, case
    return join(address, case["input"])


def canonical(case: dict[str, Any]) -> tuple[str, str, str] | None:
    """What the suite wants of text, host and origin, less what a canonical spelling leaves out."""
    if case.get("failure"):
        return None
    text = case["protocol"] + ("//" if has_authority(case) else "") + case["host"]
    if not has_authority(case) and case["pathname"].startswith("//"):
        text += "/."
    text += case["pathname"] + case["search"]
    if case["protocol"] not in WITH_ORIGIN:
        return text, case["hostname"], case.get("origin", "null")
    host = case["hostname"]
    origin = case.get("origin", f"{case['protocol']}//{case['host']}")
    return without_dot(normalised(text), host), without_dot(host, host), without_dot(origin, host)


def has_authority(case: dict[str, Any]) -> bool:
    return str(case["href"]).startswith(case["protocol"] + "//")


def without_dot(text: str, host: str) -> str:
    """The text in which the host has lost its last dot, if it has one that it can lose."""
    if host.endswith(".") and host != "." and not host.endswith(".."):
        return text.replace(host, host[:-1], 1)
    return text


def normalised(text: str) -> str:
    """Percent-encoding in one form: written down once more, to be compared with."""
    text = re.sub(r"\?\Z", "", text) if text.count("?") == 1 else text
    text = re.sub("%(?![0-9A-Fa-f]{2})", "%25", text)
    text = re.sub("%..", lambda escape: escape[0].upper(), text)
    return re.sub("%(2[DE]|3[0-9]|[46][1-9A-F]|[57][0-9A]|5F|7E)", decoded, text)


def decoded(escape: re.Match[str]) -> str:
    return bytes.fromhex(escape[1]).decode()


def test_canonical_spelling(conformance_data: Path, conformance_report: ConformanceReport) -> None:
    with conformance_report("URL standard, Gossamer's spelling: text, host, origin") as suite:
        for case in cases(conformance_data / "url" / "urltestdata.json"):
            url = spell(case)
            got = None if url is None else (url.text, url.host, url.origin)
            suite.check(named(case), got, canonical(case))


def test_names_to_ascii(conformance_data: Path, conformance_report: ConformanceReport) -> None:
    with conformance_report("URL standard, names to ASCII") as suite:
        for case in cases(conformance_data / "url" / "toascii.json"):
            url = parse(f"https://{case['input']}/x")
            output = case["output"]
            want = None if output is None else without_dot(output, output)
            suite.check(repr(case["input"]), url and url.host, want)


PYTHONS_CODECS = {
    "'\\x0eA' in iso-2022-jp": "Python's codec passes on the shift characters 0E and 0F",
    "'\\ue5e5' in gb18030": "Python's codec has a place for this private character",
}


def test_percent_encoding(conformance_data: Path, conformance_report: ConformanceReport) -> None:
    with conformance_report("URL standard, encodings of queries", PYTHONS_CODECS) as suite:
        for case in cases(conformance_data / "url" / "percent-encoding.json"):
            for encoding, output in case["output"].items():
                page = base("https://example.org/", encoding)
                assert page is not None
                url = join(page, f"?{case['input']}")
                suite.check(f"{case['input']!r} in {encoding}", url and url.path, f"/?{output}")


def test_setters(conformance_data: Path, conformance_report: ConformanceReport) -> None:
    """Nothing in a crawler sets parts of a URL; the parser we rely on is tested all the same."""
    attributes = json.loads((conformance_data / "url" / "setters_tests.json").read_text())
    del attributes["comment"]
    with conformance_report("URL standard, setters (of ada-url; Gossamer has none)") as suite:
        for attribute, several in attributes.items():
            for case in several:
                name = f"{attribute} of {case['href']!r} to {case['new_value']!r}"
                suite.check(name, after_setting(attribute, case), case["expected"])


def after_setting(attribute: str, case: dict[str, Any]) -> dict[str, str]:
    url = CarefulUrl(case["href"])
    with suppress(ValueError):  # a browser ignores what cannot be set
        setattr(url, attribute, case["new_value"])
    return {field: getattr(url, field) for field in case["expected"]}


def test_registrable_domains(conformance_data: Path, conformance_report: ConformanceReport) -> None:
    pattern = re.compile(r"^checkPublicSuffix\('([^']+)', (?:'([^']+)'|null)\);", re.MULTILINE)
    text = (conformance_data / "suffix" / "test_psl.txt").read_text()
    with conformance_report("Public suffix list, registrable domains") as suite:
        suite.skip("null", "a host is always a string")
        for name, domain in pattern.findall(text):
            url = parse(f"http://{name}/")
            found = url and registrable_domain(url.host)
            suite.check(repr(name), found, as_ascii(domain) or None)


def as_ascii(domain: str) -> str:
    url = parse(f"http://{domain}/")
    return url.host if url else ""
