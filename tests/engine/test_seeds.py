from pathlib import Path

import pytest

import gossamer
from gossamer.core.agent import name_agent
from gossamer.core.url import Spelling
from gossamer.engine.seeds import read_seeds


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("https://Example.org", "https://example.org/"),
        ("example.org/x", "https://example.org/x"),
        ("example.org:8080", "https://example.org:8080/"),
        ("localhost:8000", "http://localhost:8000/"),
        ("127.0.0.1/x", "http://127.0.0.1/x"),
        ("http://[::1]:80/#frag", "http://[::1]/"),
    ],
)
def test_seeds_as_people_type_them(typed: str, meant: str) -> None:
    assert [seed.text for seed in read_seeds([typed], Spelling())] == [meant]


@pytest.mark.parametrize("typed", ["", "mailto:a@b.c", "ftp://a.test/", "http://", "http://a b/"])
def test_bad_seeds_are_one_clear_line(typed: str) -> None:
    with pytest.raises(gossamer.SeedError, match="is not an http or https URL"):
        read_seeds([typed], Spelling())


def test_no_seed_at_all(tmp_path: Path) -> None:
    with pytest.raises(gossamer.SeedError, match="no seed given"):
        gossamer.Crawl(out=tmp_path / "x")


def test_unknown_knob(tmp_path: Path) -> None:
    with pytest.raises(gossamer.SettingsError, match=r"did you mean max_pages\?"):
        gossamer.Crawl("http://a.test/", out=tmp_path / "x", max_page=1)  # type: ignore[call-arg]


def test_the_agent_names_itself() -> None:
    settings = gossamer.Settings().agent
    assert name_agent(settings).startswith("Gossamer/")
