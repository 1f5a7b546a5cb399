import json

from gossamer.output.warcinfo import describe_crawl


def fields(block: bytes) -> dict[str, str]:
    return dict(line.split(": ", 1) for line in block.decode().split("\r\n")[:-1])


def test_it_names_software_format_agent_operator_and_policy() -> None:
    found = fields(describe_crawl("", "Gossamer/0.1 (+http://x.org/)", "http://x.org/"))
    assert found["software"].startswith("Gossamer/")
    assert found["format"] == "WARC File Format 1.1"
    assert found["conformsTo"].endswith("/warc-1.1/")
    assert found["http-header-user-agent"] == "Gossamer/0.1 (+http://x.org/)"
    assert found["operator"] == "http://x.org/"
    assert found["robots"] == "obey"


def test_the_settings_can_be_read_back() -> None:
    toml = '# mine\n\n[crawl]\nseeds = ["http://ü.example/"]\n\n[robots]\nobey = false\n'
    found = fields(describe_crawl(toml, "", ""))
    assert json.loads(found["settings"]) == {
        "crawl": {"seeds": ["http://ü.example/"]},
        "robots": {"obey": False},
    }
    assert found["robots"] == "ignore"


def test_what_is_not_known_is_not_said() -> None:
    assert "operator" not in fields(describe_crawl("", "agent", ""))


def test_a_line_break_cannot_bring_in_a_field() -> None:
    found = fields(describe_crawl("", "agent\r\nrobots: ignore", ""))
    assert found["http-header-user-agent"] == "agent robots: ignore"
    assert found["robots"] == "obey"


def test_secrets_are_not_kept() -> None:
    toml = """
    [crawl]
    seeds = ["http://me:secret@a.test/", "b.test/@name"]
    [fetch]
    proxy = "http://me:secret/@secret@127.0.0.1:3128"
    timeout = 5
    logins = {"a.test" = "me:secret"}
    cookies = {"b.test" = "key=secret"}
    """
    block = describe_crawl(toml, "agent", "")
    assert b"secret" not in block
    assert json.loads(fields(block)["settings"]) == {
        "crawl": {"seeds": ["http://[not kept]@a.test/", "b.test/@name"]},
        "fetch": {
            "proxy": "http://[not kept]@127.0.0.1:3128",
            "timeout": 5,
            "logins": {"a.test": "[not kept]"},
            "cookies": {"b.test": "[not kept]"},
        },
    }


def test_a_proxy_without_a_password_is_named() -> None:
    found = fields(describe_crawl('[fetch]\nproxy = "http://127.0.0.1:3128"', "agent", ""))
    assert json.loads(found["settings"]) == {"fetch": {"proxy": "http://127.0.0.1:3128"}}
