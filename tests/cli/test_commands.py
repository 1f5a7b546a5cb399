"""The command line as a user meets it: real processes, a real (simulated) web."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.lab import ServedWeb, Web, serve
from tests.engine.engine_crawling import query
from tests.engine.engine_forks import Begun, command
from tests.patience import PATIENCE
from tests.processes import wait_until


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=9, pages=100, hosts=8)) as served:
        yield served


def gossamer(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gossamer.cli", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def forked(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """The same without the time that a new process takes to begin, where it is not about that."""
    ended = command(*arguments, stdin=stdin)
    return subprocess.CompletedProcess(arguments, ended.status, ended.out, ended.err)


def local(served: ServedWeb) -> list[str]:
    return ["--dns", served.dns_address, "--allow-private", "--delay", "0", "--scope", "all"]


def test_json_is_one_object_with_everything_in_it(served: ServedWeb, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = gossamer("crawl", served.seed_url, "-o", str(out), *local(served), "--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["pages"] == 100
    assert summary["stopped_by"] == "finished"
    assert {
        *("pages", "bytes", "seconds", "pages_per_second", "links", "unique_urls"),
        *("refused", "errors", "stopped_by"),
    } <= set(summary)
    status = json.loads(forked("status", str(out), "--json").stdout)
    assert status.pop("verdict")["state"] == "ended"
    assert status == summary


def test_a_plain_run_prints_lines_and_a_summary(served: ServedWeb, tmp_path: Path) -> None:
    done = forked("crawl", served.seed_url, "-o", str(tmp_path / "out"), *local(served))
    assert done.returncode == 0
    assert "pages/s" in done.stderr
    assert "100 in" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr, "no terminal, no colours"


@pytest.mark.parametrize("by", ["stdin", "file", "dash-file"])
def test_seeds_from_elsewhere(served: ServedWeb, tmp_path: Path, by: str) -> None:
    text = f"# seeds\n\n{served.seed_url} # the root\n"
    (tmp_path / "seeds.txt").write_text(text)
    arguments = {
        "stdin": ["-"],
        "file": ["--seeds", str(tmp_path / "seeds.txt")],
        "dash-file": ["--seeds", "-"],
    }[by]
    out = str(tmp_path / "out")
    run = gossamer if by == "stdin" else forked  # a pipe once
    done = run(
        "crawl", *arguments, "-o", out, *local(served), "--max-pages", "5", "--json", stdin=text
    )
    assert json.loads(done.stdout)["pages"] == 5


def test_settings_file_and_command_line_together(served: ServedWeb, tmp_path: Path) -> None:
    config = tmp_path / "my.toml"
    config.write_text(
        f'[crawl]\nseeds = ["{served.seed_url}"]\nmax_pages = 50\n[scope]\nkind = "all"'
    )
    out = tmp_path / "out"
    done = forked(
        *("crawl", "-o", str(out), "--config", str(config), *local(served)),
        *("--max-pages", "7", "--set", "store.links=false", "--json"),
    )
    assert json.loads(done.stdout)["pages"] == 7
    assert not (out / "links").exists()
    checked = gossamer("settings", str(out / "crawl.toml"))
    assert "max_pages = 7" in checked.stdout, "the settings as run can be read again"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["crawl", "http://a.test/"], "there is no crawl directory; name one with -o DIR"),
        (["crawl", "-o", "{tmp}/x"], "no seed given"),
        (["crawl", "not a url", "-o", "{tmp}/x"], "is not an http or https URL"),
        (["crawl", "http://a.test/", "-o", "{tmp}"], "exists and is not empty"),
        (["crawl", "http://a.test/", "-o", "{tmp}/x", "--scope", "web"], 'choose "site" or "host"'),
        (["crawl", "http://a.test/", "-o", "{tmp}/x", "--max-time", "1y"], "is not a duration"),
        (
            ["crawl", "http://a.test/", "-o", "{tmp}/x", "--visits-per-day", "150%"],
            "e.g. 5000 or 50%",
        ),
        (
            ["crawl", "http://a.test/", "-o", "{tmp}/x", "--delay", "-1"],
            "politeness.delay: -1.0 is not allowed; give a number from 0 to 2592000",
        ),
        (["crawl", "http://a.test/", "-o", "{tmp}/x", "--config", "{tmp}/no"], "cannot be read"),
        (["crawl", "http://a.test/", "-o", "{tmp}/x", "--set", "x"], "write section.name=value"),
        (
            ["crawl", "http://a.test/", "-o", "{tmp}/x", "--exclude", "("],
            "not a regular expression",
        ),
        (["crawl", "http://a.test/", "-o", "{tmp}/x", "--dns", "x:y"], "dns.servers"),
        (["crawl", "--seeds", "{tmp}/none", "-o", "{tmp}/x"], "cannot be read"),
        (["crawl", "--frobnicate"], "No such option"),
        (["frobnicate"], "No such command"),
        (["status", "{tmp}"], "holds no crawl; give the directory that was named with -o"),
        (["resume", "{tmp}"], "holds no crawl; give the directory that was named with -o"),
        (["verify", "{tmp}"], "holds no crawl; give the directory that was named with -o"),
        (["text", "{tmp}"], "holds no crawl; give the directory that was named with -o"),
        (["rules", "{tmp}"], "holds no crawl; give the directory that was named with -o"),
        (["duplicates", "{tmp}"], "holds no crawl; give the directory that was named with -o"),
        (["explain", "http://a.test/", "--crawl", "{tmp}"], "holds no crawl; give the directory"),
        (["sim", "serve", "--pages", "0"], "gossamer: "),
    ],
)
def test_a_mistake_is_one_clear_line(arguments: list[str], complaint: str, tmp_path: Path) -> None:
    (tmp_path / "occupied").touch()
    run = forked if "-o" in arguments else gossamer  # each command begins for itself at least once
    done = run(*(argument.format(tmp=tmp_path) for argument in arguments))
    assert done.returncode == 1
    assert complaint in done.stderr
    assert done.stderr.startswith("gossamer: ")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert not (tmp_path / "x").exists(), "nothing is left behind by a mistake"


def test_nothing_fetched_is_status_two(tmp_path: Path) -> None:
    done = forked(
        *("crawl", "http://127.0.0.1:1/", "-o", str(tmp_path / "out"), "--allow-private"),
        *("--set", "robots.give_up=1", "--json"),
    )
    assert done.returncode == 2
    assert "nothing was fetched: robots_connect_failed" in done.stderr
    assert json.loads(done.stdout)["pages"] == 0


def test_warnings(served: ServedWeb, tmp_path: Path) -> None:
    done = forked(
        *("crawl", "http://example.com/", "-o", str(tmp_path / "out"), "--dns", served.dns_address),
        *("--delay", "0", "--scope", "all", "--quiet", "--set", "robots.give_up=1"),
    )
    assert (
        "--delay 0 sends requests without a pause, and example.com looks like a public"
        in done.stderr
    )
    assert "without --contact" in done.stderr
    quiet = forked(
        *("crawl", served.seed_url, "-o", str(tmp_path / "two"), *local(served), "--max-pages", "1")
    )
    assert "warning" not in quiet.stderr


def test_partitions_by_default(
    served: ServedWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One a core in broad crawls, if the order works across them."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 3, 5})
    for scope, order, expected in [
        ("all", "pagerank", 3),
        ("all", "site-rank", 1),
        ("host", "pagerank", 1),
    ]:
        done = forked(
            *("crawl", served.seed_url, "-o", str(tmp_path / f"{scope}-{order}"), *local(served)),
            *("--scope", scope, "--order", order, "--max-pages", "5", "--json"),
        )
        assert json.loads(done.stdout)["partitions"] == expected
    warned = forked(
        *("crawl", served.seed_url, "-o", str(tmp_path / "two"), *local(served)),
        *("--order", "site-rank", "--partitions", "2", "--max-pages", "5", "--json"),
    )
    assert "is approximate with several partitions" in warned.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupting_leaves_valid_files(tmp_path: Path, number: int) -> None:
    out = tmp_path / "out"
    with serve(Web(seed=9, pages=50_000, hosts=50)) as served:
        process = Begun("crawl", served.seed_url, "-o", str(out), *local(served), "--json")
        try:
            _wait_for(out / "state" / "status.json", process)
            process.send(number)
            ended = process.end()
        finally:
            process.kill()
    assert ended.status == 130
    summary = json.loads(ended.out)
    assert summary["stopped_by"] == "interrupted"
    assert query(out, "select count(*) from pages where status > 0") == [(summary["pages"],)]
    lines = (out / "warc" / "index.cdxj").read_text().splitlines()
    assert lines == sorted(lines)
    assert len(lines) >= summary["pages"]


def _wait_for(path: Path, process: Begun) -> None:
    wait_until(lambda: path.exists() or process.poll() is not None)
    assert process.poll() is None, "the crawl ended by itself"


def test_a_limit_that_was_reached_before_is_named(served: ServedWeb, tmp_path: Path) -> None:
    """It stands in crawl.toml, whoever set it: a plain resume ends at once, and must not look finished."""
    out = tmp_path / "out"
    begin = ("crawl", served.seed_url, "-o", str(out), *local(served), "--json")
    done = forked(*begin, "--max-pages", "3")
    assert done.stderr == ""
    again = forked("resume", str(out), "--json")
    assert json.loads(again.stdout)["stopped_by"] == "max_pages"
    assert again.stderr == (
        f"gossamer: nothing was done: an earlier run has reached crawl.max_pages in {out}/crawl.toml; "
        f"remove the limit with `gossamer resume {out} --max-pages 0`\n"
    )
    shown = "".join(forked("status", str(out)).stdout.split())  # long paths are folded anywhere
    assert f"gossamerresume{out}--max-pages0" in shown
    more = forked("resume", str(out), "--json", "--max-pages", "5")
    assert (json.loads(more.stdout)["pages"], more.stderr) == (5, "")


def test_settings_changed_by_hand_are_used_and_named_once(
    served: ServedWeb, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    forked("crawl", served.seed_url, "-o", str(out), *local(served), "--max-pages", "10")
    file = out / "crawl.toml"
    said = (
        f"gossamer: warning: {file} was changed since the last run; this run uses it as it is now"
    )
    untouched = forked("resume", str(out), "--max-pages", "20")
    assert said not in untouched.stderr
    written = file.read_text()
    assert written.count("max_pages = 20\n") == 1
    file.write_text(written.replace("max_pages = 20\n", "max_pages = 30\n"))
    changed = forked("resume", str(out), "--quiet", "--json")
    assert changed.stderr.splitlines().count(said) == 1
    assert json.loads(changed.stdout)["pages"] == 30
    assert said.removeprefix("gossamer: warning: ") in (out / "log" / "crawl.log").read_text()
    assert said not in forked("resume", str(out), "--max-pages", "40").stderr


def test_explain(served: ServedWeb, tmp_path: Path) -> None:
    out = tmp_path / "out"
    forked("crawl", served.seed_url, "-o", str(out), *local(served), "--max-pages", "3", "--json")
    done = forked("explain", served.seed_url + "#x", "--crawl", str(out))
    facts = dict(line.split(None, 1) for line in done.stdout.splitlines())
    assert facts["url"] == served.seed_url
    assert facts["scope"] == "would be followed"
    assert facts["visited"] == "fetched 200"
    assert facts["robots.txt"].startswith("allowed")
    assert "rule: no_waiting" in facts["delay"]
    elsewhere = forked("explain", "http://nowhere.test/", "--crawl", str(out))
    assert "dns_not_found" in elsewhere.stdout
    offline = forked("explain", "mailto:a@b.c", "--offline")
    assert "url" in offline.stdout
    assert forked("explain", "::").returncode == 1


def test_retired_pages_are_spoken_of(served: ServedWeb, tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    limits = ("--max-pages", "50", "--max-stored-pages", "10", "--partitions", "2", "--quiet")
    done = forked("crawl", served.seed_url, "-o", out, *local(served), *limits)
    [(url,), *others] = query(tmp_path / "out", "select url from pages where is_retired")
    retired = 1 + len(others)  # more than 40, when one partition has less than its half to keep
    assert 40 <= retired <= 45
    assert f"{retired} deleted for more valuable pages" in done.stdout
    assert json.loads(forked("status", out, "--json").stdout)["retired"] == retired
    explained = forked("explain", url, "--crawl", out, "--offline").stdout
    assert "no longer: it was deleted" in explained


def test_rules_and_reasons(tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    with serve(Web(seed=7, pages=600, hosts=1, behaviours=("aliases", "calendar"))) as served:
        done = forked(
            "crawl", served.seed_url, "-o", out, *local(served), "--max-pages", "500", "-q"
        )
        assert done.returncode == 0, done.stderr
        plain = served.web.url(0, 7)
    rules = forked("rules", out)
    assert rules.returncode == 0
    assert "in use: " in rules.stdout
    assert "the parameter ref changes nothing" in rules.stdout
    known = [json.loads(line) for line in forked("rules", out, "--json").stdout.splitlines()]
    assert {"kind", "origin", "left", "right", "stage"} <= known[0].keys()
    explained = forked("explain", f"{plain}?ref=0123456789ab", "--crawl", out, "--offline")
    assert f"would be fetched as {plain}; in use: " in explained.stdout
    assert "pattern " in explained.stdout
    mistake = forked("rules", str(tmp_path))
    assert mistake.returncode == 1
    assert "holds no crawl" in mistake.stderr
