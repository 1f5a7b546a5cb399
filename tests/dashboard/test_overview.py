"""The overview: its figures are those of the crawl, as a page, as JSON and for Prometheus."""

from pathlib import Path

from gossamer.engine.status_file import read_summary
from tests.dashboard.faces import shown


def test_figures_are_those_of_the_crawl(finished_crawl: Path) -> None:
    summary = read_summary(finished_crawl)
    with shown(finished_crawl) as visitor:
        page, json = visitor.get("/"), visitor.get("/api/")
        metrics = visitor.get("/metrics").text
    assert page.status == 200
    assert f'<dd id="figure-pages">{summary.pages:,}</dd>' in page.text
    assert json.json["summary"]["pages"] == summary.pages > 0
    assert f"gossamer_pages_total {summary.pages}\n" in metrics
    assert f'gossamer_answers_total{{status="200"}} {summary.statuses["200"]}\n' in metrics
