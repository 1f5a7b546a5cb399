"""The language of pages, in a crawl."""

from pathlib import Path

import pyarrow.parquet as pq

import gossamer
from tests.engine.static import serve_static

ENGLISH = "<p>The committee will meet on Thursday to discuss what they have found out.</p>" * 3
JAPANESE = "<p>これは日本語で書かれた短い文章です。天気が良いので散歩に行きましょう。</p>"
PAGES = {
    "/": ("text/html; charset=utf-8", f"<a href=/ja>ja</a><a href=/x>x</a>{ENGLISH}".encode()),
    "/ja": ("text/html; charset=utf-8", JAPANESE.encode()),
    "/x": ("text/html; charset=utf-8", b"<p>1</p>"),
}


def crawl(out: Path, **sections: object) -> gossamer.Summary:
    with serve_static(PAGES) as site:
        settings = {f"language.{name}": value for name, value in sections.items()}
        knobs = gossamer.core.settings_file.change(gossamer.Settings(), settings)
        run = gossamer.Crawl(
            f"{site.origin}/", out=out, settings=knobs, allow_private=True, delay=0
        )
        return run.run()


def test_each_page_has_its_language(tmp_path: Path) -> None:
    summary = crawl(tmp_path / "out", detect=True)
    assert summary.found == {"language_en": 1, "language_ja": 1}
    rows = gossamer.open(tmp_path / "out").pages.to_table(["url", "language"]).to_pylist()
    assert sorted(str(row["language"]) for row in rows) == ["None", "en", "ja"]


def test_without_being_asked_for_there_is_no_such_column(tmp_path: Path) -> None:
    assert crawl(tmp_path / "out").found == {}
    [file] = tmp_path.glob("out/pages/*.parquet")
    assert "language" not in pq.read_schema(file).names
