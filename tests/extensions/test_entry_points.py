"""Every kind of entry point, of a package that pip installed, in a crawl of a process by itself."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import gossamer
from gossamer.core.errors import SettingsError
from gossamer.engine.ledger import Ledger
from gossamer.lab import ServedWeb, Web, serve
from gossamer.policy.revisit import allocate, make_allocation
from tests.engine.engine_crawling import query
from tests.engine.engine_forks import command

SAMPLER = Path(__file__).parent / "sampler"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the package was installed into."""
    folder = tmp_path_factory.mktemp("sampler")
    sources = shutil.copytree(SAMPLER, folder / "sources")  # where the build leaves its traces
    offline = ("--quiet", "--no-index", "--no-deps", "--no-build-isolation")
    target = folder / "installed"
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        *offline,
        "--target",
        str(target),
        str(sources),
    ]
    subprocess.run(install, check=True)
    return target


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=9, pages=40, hosts=4)) as served:
        yield served


class Runner:
    """Runs commands in an environment that has the package."""

    def __init__(self, installed: Path, served: ServedWeb, folder: Path) -> None:
        self.served, self.out, self.log = served, folder / "out", folder / "log"
        path = os.pathsep.join([str(installed), *filter(None, [os.environ.get("PYTHONPATH")])])
        self._environment = {**os.environ, "PYTHONPATH": path, "SAMPLER_LOG": str(self.log)}

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "gossamer", *arguments],
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def crawl(self, *more: str) -> subprocess.CompletedProcess[str]:
        return self.run(*self.arguments(*more))

    def arguments(self, *more: str) -> tuple[str, ...]:
        here = ("--dns", self.served.dns_address, "--allow-private", "--delay", "0")
        place = ("--scope", "all", "-o", str(self.out), "--partitions", "1", "--quiet")
        return ("crawl", *here, *place, *more)


@pytest.fixture
def runner(installed: Path, served: ServedWeb, tmp_path: Path) -> Runner:
    return Runner(installed, served, tmp_path)


def test_every_kind_is_used_in_a_crawl(runner: Runner, served: ServedWeb) -> None:
    settings = {
        "fetch.schemes": '["http", "https", "sample", "faulty"]',
        "url.rules": '["unsampled"]',
        "budget.kind": "on",
        "budget.function": "threefold",
        "order.name": "shallow:weight=2",
        "politeness.retries": "0",
    }
    options = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    host = urlsplit(served.seed_url).hostname
    seeds = (f"{served.seed_url}?sampled=yes", f"sample://{host}/words", f"faulty://{host}/x")
    ended = runner.crawl(*seeds, *options)
    assert ended.returncode == 0, ended.stderr
    rows = query(runner.out, "from pages select url, outcome, title, detail")
    pages = {url: row for url, *row in rows}
    assert pages[served.seed_url], "the URL rule had dropped what means nothing"
    titles = [title for url, (_, title, _) in pages.items() if url.startswith("http:")]
    assert titles == ["read in the crawl"] * 40
    outcome, title, _ = pages[f"sample://{host}/words"]
    assert (outcome, title[:8]) == ("fetched", "read by ")
    outcome, _, why = pages[f"faulty://{host}/x"]
    assert outcome == "bad_response"
    assert why.startswith(
        "OSError: the queue store is empty (fetch_nothing, gossamer_sampler.py line "
    )
    noted = [line.split(" ", 1) for line in runner.log.read_text("utf-8").splitlines()]
    assert {what for _, what in noted} == {"order 2", "budget 30"}
    assert title.removeprefix("read by ") not in {process for process, _ in noted}, "it ran apart"


@pytest.fixture
def forking(runner: Runner, installed: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """The same, in forks of this process, which finds the package like any other on its path."""
    monkeypatch.syspath_prepend(str(installed))
    return runner


def test_an_order_that_fails_costs_its_pages_their_place_only(forking: Runner) -> None:
    ended = command(*forking.arguments(forking.served.seed_url, "--order", "hopeless"))
    assert ended.status == 0, ended.err
    assert "no idea" in ended.err
    assert len(query(forking.out, "from pages select url")) >= 40


def test_revisit_policies_share_visits(
    installed: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.syspath_prepend(str(installed))
    visits = allocate("weighty:power=2", [1.0, 1.0], [1.0, 3.0], 1.0, 20.0)
    assert visits.tolist() == pytest.approx([2.0, 18.0])
    visits = allocate("clueless", [1.0, 5.0], 1.0, 1.0, 4.0)
    assert visits.tolist() == pytest.approx([2.0, 2.0])
    assert "ValueError: no plan" in caplog.text
    assert len(caplog.records) == 1, "it is told once"
    with pytest.raises(SettingsError, match=r"did you mean weighty\?"):
        make_allocation("weigthy")
    with pytest.raises(SettingsError, match="weighty has no option 'force'"):
        make_allocation("weighty:force=2")


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (("--order", "shalow"), "there is no order shalow; did you mean shallow?"),
        (("--order", "shallow:wait=2"), "the order shallow has no option 'wait'"),
        (("--set", 'fetch.schemes=["http", "smple"]'), "there is no fetcher for 'smple'"),
        (("--set", 'url.rules=["unsample"]'), "did you mean 'unsampled'?"),
        (
            ("--set", "budget.function=treefold", "--set", "budget.kind=on"),
            "mean 'threefold'?",
        ),
    ],
)
def test_a_name_that_is_nearly_right(forking: Runner, options: tuple[str, ...], line: str) -> None:
    ended = command(*forking.arguments("http://a.test/", *options))
    assert ended.status == 1
    assert line in ended.err
    assert len(ended.err.splitlines()) == 1


_OWN_PARSERS = ("--set", "parse.installed=false")
"""The parser of the sample reads no text."""


def test_an_analyzer_brings_a_column_a_setting_a_count_and_a_line(forking: Runner) -> None:
    seed, asked = forking.served.seed_url, ("--set", "mentions.word=harbour", *_OWN_PARSERS)
    ended = command(*forking.arguments(seed, *asked))
    assert ended.status == 0, ended.err
    rows = query(forking.out, "from pages select url, mentions")
    mentioning = [url for url, times in rows if times]
    assert 0 < len(mentioning) < len(rows)
    shown = command("status", str(forking.out), "--json")
    assert json.loads(shown.out)["found"] == {"mentioning": len(mentioning)}
    explained = command("explain", mentioning[0], "--crawl", str(forking.out))
    assert "the word is there" in explained.out
    settings = (forking.out / "crawl.toml").read_text("utf-8")
    assert (
        '[mentions]\n# The word to look for, in any case; empty: none.\nword = "harbour"'
        in settings
    )
    stored = gossamer.open(forking.out).pages.to_table(["url", "mentions"]).to_pylist()
    assert {(one["url"], one["mentions"]) for one in stored} == set(rows)


def test_an_analyzer_can_be_switched_on_and_off_between_runs(forking: Runner) -> None:
    """Its state is in the checkpoint, and rows that wait in the spool keep what it said."""
    out, few = str(forking.out), ("--max-pages", "10", *_OWN_PARSERS)
    assert command(*forking.arguments(forking.served.seed_url, *few)).status == 0
    on = command("resume", out, "--max-pages", "20", "--set", "mentions.word=harbour", "--quiet")
    assert on.status == 0, on.err
    state = Ledger.read(forking.out / "state" / "00000").state("analyzers/mentions")
    again = command("resume", out, "--max-pages", "30", "--quiet")
    assert again.status == 0, again.err
    rows = gossamer.open(forking.out).pages.to_table(["url", "fetched_at", "mentions"]).to_pylist()
    first = min((row for row in rows if row["mentions"]), key=lambda row: str(row["fetched_at"]))
    assert state.decode() == first["url"]
    assert Ledger.read(forking.out / "state" / "00000").state("analyzers/mentions") == state
    off = command("resume", out, "--max-pages", "40", "--set", "mentions.word=", "--quiet")
    assert off.status == 0, off.err
    found = gossamer.open(forking.out).pages.to_table(["mentions"]).column(0)
    assert found.null_count == len(found) - 20
    assert command("verify", out).status == 0


def test_an_analyzer_that_fails_costs_its_columns_only(forking: Runner) -> None:
    ended = command(*forking.arguments(forking.served.seed_url, "--set", "confused.is_on=true"))
    assert ended.status == 0, ended.err
    assert "the analyzer confused failed at" in ended.err
    assert "which page?" in ended.err
    assert set(query(forking.out, "from pages select confusion")) == {(None,)}
    said = json.loads(command("status", str(forking.out), "--json").out)
    assert said["errors"]["analyzer_error"] > 0
    assert said["found"] == {}


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("mentions.wrod=tea", "there is no setting mentions.wrod; did you mean mentions.word?"),
        ("mentoins.word=tea", "there is no setting mentoins"),
        ("mentions.word=[1]", "mentions.word: this value is not allowed; give a text in quotes"),
    ],
)
def test_a_mistake_in_the_section_of_an_analyzer_is_one_line(
    forking: Runner, setting: str, message: str
) -> None:
    ended = command(*forking.arguments(forking.served.seed_url, "--set", setting))
    assert ended.status != 0
    assert message in ended.err
    assert len(ended.err.strip().splitlines()) == 1
