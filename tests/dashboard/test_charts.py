"""Charts: axes and units without a script, values by pointing and by keys, marks for what happened."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gossamer.dashboard.views.chart_marks import ChartMark
from gossamer.dashboard.web.chart import Chart, Series, draw_chart
from gossamer.dashboard.web.chart_axes import time_ticks, top_of, value_ticks
from gossamer.engine.control import command_history
from gossamer.lab import Web
from tests.dashboard.faces import shown
from tests.dashboard.live import crawling, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WEB = Web(seed=5, pages=100_000, hosts=20)


@pytest.mark.parametrize("width", [1280, 390])
def test_axes_and_units_need_no_script(
    browser: "Browser", finished_crawl: Path, width: int
) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 800}, java_script_enabled=False
    )
    tab = context.new_page()
    with shown(finished_crawl) as visitor:
        tab.goto(visitor.url)
        assert tab.locator(".chart").count() == 6
        for chart in tab.locator(".chart").all():
            words = chart.locator("svg[role=img] > text")
            assert sum(":" in one for one in words.all_text_contents()) >= 2, "times"
            assert words.first.text_content() in ("0", "0 B", "0 B/s")
            sizes = {one.bounding_box()["height"] for one in words.all()}  # type: ignore[index]
            assert min(sizes) > 9, "words are not shrunk with the picture"
        said = tab.locator("svg[aria-label^='Bytes/s:']").get_attribute("aria-label")
        assert re.search(r"Bytes/s: .*B/s, at most .*B/s, .* UTC", said or "")
    context.close()


@pytest.mark.parametrize("begin", [0.0, 1_700_000_003.0, 1_699_999_999.0])
def test_times_on_an_axis_do_not_touch(begin: float) -> None:
    """In the narrowest plot, of 255 pixels; those at its ends stand within it."""
    seconds = "3 9 12 35 40 44 59 70 150 240 299 600 3e3 9e3 4e4 8e4 3e5 1e7 9e7 3e8"
    for span in map(float, seconds.split()):
        end = -50.0  # beside the values
        for tick in time_ticks(begin, begin + span):
            width, at = 6.6 * len(tick.words), 255 * tick.part
            left = at if tick.part < 0.06 else at - width if tick.part > 0.94 else at - width / 2
            assert left > end, (span, tick)
            end = left + width


def test_values_are_read_by_pointing_and_by_keys(tab: "Page", finished_crawl: Path) -> None:
    with shown(finished_crawl) as visitor:
        curve = next(one for one in visitor.get("/api/").json["curves"] if one["name"] == "pages")
        tab.goto(visitor.url)
        reader = tab.get_by_role("slider", name="Pages", exact=True)
        reader.focus()
        tab.keyboard.press("Home")
        assert f"{curve['values'][0]:,.0f} pages" in reader.locator("output").inner_text()
        tab.keyboard.press("End")
        assert f"{curve['values'][-1]:,.0f} pages" in reader.locator("output").inner_text()
        tab.keyboard.press("ArrowLeft")
        words = reader.get_attribute("aria-valuetext")
        assert words is not None
        assert f"{curve['values'][-2]:,.0f} pages" in words
        tab.keyboard.press("Escape")
        assert not reader.locator("output").is_visible()
        box = reader.bounding_box()
        assert box is not None
        tab.mouse.move(box["x"] + box["width"] - 1, box["y"] + 20)
        assert f"{curve['values'][-1]:,.0f} pages" in reader.locator("output").inner_text()


def test_commands_are_marked_and_what_is_read_stays(tab: "Page", tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    with crawling(out, WEB) as (served, _), shown(out) as visitor:
        wait_until(lambda: len(served.requests()) > 20)
        for words in ("pause", "go-on", f"block {served.web.names[3]}"):
            order = {"token": visitor.token(), "order": words}
            assert visitor.post("/control", order).status == 303
        tab.goto(visitor.url)
        first = command_history(out)[0].time
        marks = visitor.get("/api/").json["marks"]
        pause = next(one for one in marks if one["kind"] == "pause")
        assert pause["time"] == first < pause["until"]
        tab.wait_for_selector(".mark.command", state="attached")
        assert tab.locator(".mark.command title").first.text_content()
        tab.locator("#marks summary").click()
        assert served.web.names[3] in tab.locator("#marks").inner_text()
        reader = tab.get_by_role("slider", name="Waiting")
        reader.focus()
        tab.keyboard.press("Home")
        moment = reader.locator("output").inner_text()[:19]
        before = tab.locator("main [data-live]").get_attribute("data-drawn")
        live = tab.locator("main [data-live]")
        wait_until(lambda: live.get_attribute("data-drawn") != before)
        assert reader.locator("output").inner_text()[:19] == moment
        assert tab.locator("#marks").get_attribute("open") is not None


def test_starts_and_ends_are_marked_though_no_value_is_as_early_or_as_late() -> None:
    times = [100.0, 101.0, 103.0]
    marks = [ChartMark(at, "run", f"at {at}") for at in (50.0, 98.0, 104.5, 150.0)]
    series = [Series("pages", [1.0, 2.0, 3.0])]
    chart = Chart(title="t", unit="pages", times=times, end=103.0, series=series, marks=marks)
    places = re.findall(r'class="mark run"><line x1="([\d.]+)%".*?at ([\d.]+)<', draw_chart(chart))
    assert places == [("0.0", "98.0"), ("100.0", "104.5")]


def test_axes_end_at_round_numbers() -> None:
    for most in (0.0, 0.4, 1.0, 7.0, 47.0, 999.0, 123_456.0, 3.2e9):
        for unit in ("pages", "pages/s", "bytes/s", "days"):
            ticks = value_ticks(most, unit)
            assert top_of(most, unit) >= most
            assert 2 <= len(ticks) <= 5
            assert len({tick.words for tick in ticks}) == len(ticks), (most, unit)
            assert (ticks[0].part, ticks[-1].part) == (0.0, 1.0)


def test_axes_of_any_span_have_a_few_times() -> None:
    span = 0.5
    while span < 1e9:
        ticks = time_ticks(1_700_000_123.4, 1_700_000_123.4 + span)
        assert 2 <= len(ticks) <= 5, span
        assert all(0 <= tick.part <= 1 for tick in ticks)
        span *= 1.7


def test_words_of_others_are_no_markup() -> None:
    mark = ChartMark(2.0, "command", '"><script>alert(1)</script>')
    drawn = draw_chart(
        Chart(
            title="<b>",
            unit="pages",
            times=[1.0, 2.0, 3.0],
            end=3.0,
            series=[Series("<i>", [1.0, None, 2.0])],
            marks=[mark],
        )
    )
    assert "<script" not in drawn
    assert "<b>" not in drawn
    assert drawn.count("<polyline") == 2, "a gap where there is no value"


def test_the_start_and_the_end_of_a_crawl_are_on_its_charts(finished_crawl: Path) -> None:
    with shown(finished_crawl) as visitor:
        marks = [one["words"] for one in visitor.get("/api/").json["marks"] if one["kind"] == "run"]
        page = visitor.get("/").text
    assert {one.partition(":")[0] for one in marks} >= {"started", "stopped"}
    assert page.count('<g class="mark run">') == 6 * len(marks)
