"""SURT as pywb has it: what it answers to these was found out by asking it."""

import pytest

from gossamer.core.url import parse

HEX = "0123456789abcdef0123456789abcdef"

CASES = {
    "http://example.com": "com,example)/",
    "https://www.example.com/": "com,example)/",
    "http://www2.example.com/A/B?X=Y&b=1&a=2": "com,example)/a/b?a=2&b=1&x=y",
    "http://www.www.example.com/": "com,example,www)/",
    "http://wwwx.www.com/a": "com,www,wwwx)/a",
    "http://www/": "www)/",
    "http://example.com:8080/": "com,example:8080)/",
    "https://example.com:80/": "com,example:80)/",
    "http://example.com/a/": "com,example)/a",
    "http://example.com/a//b/?c": "com,example)/a/b?c",
    "http://example.com//": "com,example)/",
    "http://example.com/a?b=&c": "com,example)/a?b=&c",
    "http://example.com/a?&b=2&&a=1": "com,example)/a?&&a=1&b=2",
    "http://example.com/?b&a=1&a&A=0&ab=1": "com,example)/?a&a=0&a=1&ab=1&b",
    "http://192.168.1.254:8080/info/": "254,1,168,192:8080)/info",
    "http://[2001:db8::1]:8080/x": "2001:db8::1:8080)/x",
    "http://xn--bcher-kva.example/": "example,xn--bcher-kva)/",
    "http://user:pw@example.com./x": "com,example)/x",
    f"http://example.com/a;jsessionid={HEX}": f"com,example)/a;jsessionid={HEX}",
    f"http://example.com/a?PHPSESSID={HEX}&x=1": "com,example)/a?x=1",
    f"http://example.com/a?x=1&sid={HEX}": "com,example)/a?&x=1",
    f"http://example.com/a?jsessionid={HEX}": "com,example)/a",
    "http://example.com/a?x=1&cfid=12&cftoken=34&z=1": "com,example)/a?x=1&z=1",
    "http://example.com/(S(0hqfr555jjhz4w45mmj5yi55))/x.aspx": "com,example)/x.aspx",
    "http://example.com/(0hqfr555jjhz4w45mmj5yi55)/x.aspx": "com,example)/x.aspx",
    "http://example.com/(S(0hqfr555jjhz4w45mmj5yi55))/x.html": (
        "com,example)/(s(0hqfr555jjhz4w45mmj5yi55))/x.html"
    ),
    "http://example.com/a%20b/%C3%BC?q=%C3%BC%26": "com,example)/a%20b/%c3%bc?&q=%c3%bc",
    "http://example.com/a%2Fb": "com,example)/a/b",
    "http://example.com/a%2f%2e%2e%2fx": "com,example)/x",
    "http://example.com/%25%41%2541": "com,example)/%aa",
    "http://example.com/100%": "com,example)/100%25",
    "http://example.com/a%23b%3Fc?d%23e": "com,example)/a%23b?c?d%23e",
    "ftp://ftp.example.com/x/Y": "com,example,ftp)/x/y",
    "mailto:A@b.com": "mailto:a@b.com",
}


@pytest.mark.parametrize(("text", "surt"), CASES.items())
def test_surt(text: str, surt: str) -> None:
    url = parse(text)
    assert url is not None
    assert url.surt == surt


def test_a_domain_stays_together_when_sorted() -> None:
    texts = ["http://b.org/", "http://a.com/", "http://x.b.org/", "http://z.com/", "http://b.org/c"]
    urls = [url for text in texts if (url := parse(text))]
    domains = [url.domain for url in sorted(urls, key=lambda url: url.surt)]
    assert domains == ["a.com", "z.com", "b.org", "b.org", "b.org"]
