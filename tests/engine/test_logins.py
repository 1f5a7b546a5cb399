"""When a login ends, a crawl says so, once and with what to do; an ordinary refusal is no end."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.engine.scripted import Bench, Said, ScriptedWorld

HOST = "http://a.test"
COOKIES = {"a.test": "sid=1; theme=dark"}
QUICK: dict[str, Any] = {"delay": 0, "traps": False}
INSIDE = "<a href='/logout'>Log out</a>"
OUTSIDE = "<a href='/login'>Log in</a>"


def page(body: str, status: int = 200, **fields: str) -> Said:
    named = {name.replace("_", "-"): value for name, value in fields.items()}
    return status, {"Content-Type": "text/html", **named}, f"<title>t</title>{body}"


def row(number: int, frame: str) -> str:
    """The body of the page of a number, which leads to the next one."""
    return f"{frame}<p>text {number}</p><a href='/p/{number + 1}'>next</a>"


def script(ends: Callable[[int], Said], good: int = 8, bad: int = 8) -> dict[str, Said]:
    """Pages for insiders; after them, what has come in their place. The seed leads to all."""
    links = "".join(f"<a href='/p/{number}'>x</a>" for number in range(good + bad))
    said = {f"{HOST}/p/{number}": page(row(number, INSIDE)) for number in range(good)}
    said |= {f"{HOST}/p/{number}": ends(number) for number in range(good, good + bad)}
    return {f"{HOST}/": page(INSIDE + links), **said}


def play(out: Path, said: dict[str, Said], cookies: dict[str, str] | None = None) -> Bench:
    bench = Bench(out, ScriptedWorld({**said}), f"{HOST}/", cookies=cookies or COOKIES, **QUICK)
    ring = bench.begin()
    bench.turn_until(lambda: ring.idle_time.is_idle)
    return bench


def login_page(number: int) -> Said:
    return page(f"<form action='/login'><input type='password' name='p{number}'></form>")


ENDS: dict[str, Callable[[int], Said]] = {
    "a redirect to a login page": lambda number: page("", 302, Location=f"/login?to={number}"),
    "a login form": login_page,
    "401": lambda number: page("", 401),
    "a form with 403": lambda number: page("<input type=password>", 403),
    "only 403 from now on": lambda number: page(f"no {number}", 403),
    "pages for strangers": lambda number: page(row(number, OUTSIDE)),
    "a cookie deleted": lambda number: page(row(number, ""), Set_Cookie="sid=x; Max-Age=0"),
    "a cookie from long ago": lambda number: page(
        row(number, ""), Set_Cookie="sid=; expires=Thu, 01-Jan-1970 00:00:01 GMT"
    ),
    "a cookie replaced": lambda number: page(row(number, ""), Set_Cookie=f"sid={number}; path=/"),
}


@pytest.mark.parametrize("how", ENDS)
def test_the_end_of_a_login_is_said_once(
    tmp_path: Path, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    bench = play(tmp_path / "out", script(ENDS[how], bad=12))
    [line] = bench.job.sum_up().logins
    assert line.startswith("a.test: the crawl does not seem to be logged in now (")
    assert "gossamer resume" in line
    assert caplog.messages.count(line) == 1
    assert "sid=1" not in line
    bench.job.close()


FRAMES: dict[str, Callable[[int], Said]] = {
    "forbidden": lambda number: page(f"no {number}", 403),
    "not found": lambda number: page(f"no {number}", 404),
    "plain": lambda number: page(row(number, "")),
    "another cookie": lambda number: page(row(number, ""), Set_Cookie="flash=; Max-Age=0"),
    "a new password": lambda number: page(row(number, INSIDE) + "<input type=password>"),
}


@pytest.mark.parametrize("how", FRAMES)
def test_an_ordinary_answer_is_no_end(
    tmp_path: Path, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    bench = play(tmp_path / "out", script(FRAMES[how], bad=4))
    assert bench.job.sum_up().logins == ()
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
    bench.job.close()


@pytest.mark.parametrize(
    "answer", [page("", 302, Location="/login"), page("no", 403), page("", 401), login_page(0)]
)
def test_a_part_that_was_never_open_is_no_end(tmp_path: Path, answer: Said) -> None:
    """A part for others says no to all, and had no page before."""
    links = "".join(f"<a href='/admin/{number}'>x</a>" for number in range(30))
    said = {f"{HOST}/": page(INSIDE + links)}
    said |= {f"{HOST}/admin/{number}": answer for number in range(30)}
    bench = play(tmp_path / "out", said)
    assert bench.job.sum_up().logins == ()
    bench.job.close()


def test_forbidden_pages_among_others_are_no_end(tmp_path: Path) -> None:
    said = script(lambda number: page(row(number, INSIDE)), good=30)
    said |= {f"{HOST}/p/{number}": page("no", 403) for number in range(0, 30, 2)}
    bench = play(tmp_path / "out", said)
    assert bench.job.sum_up().logins == ()
    bench.job.close()


def test_a_cookie_that_is_always_set_anew_is_no_end(tmp_path: Path) -> None:
    links = "".join(f"<a href='/p/{number}'>x</a>" for number in range(20))
    said = {f"{HOST}/": page(links, Set_Cookie="sid=new")}
    said |= {f"{HOST}/p/{n}": page(f"text {n}", Set_Cookie=f"sid=new{n}") for n in range(20)}
    bench = play(tmp_path / "out", said)
    assert bench.job.sum_up().logins == ()
    bench.job.close()


def test_a_login_that_never_held_is_said_at_the_seed(tmp_path: Path) -> None:
    said = {f"{HOST}/": page("", 302, Location="/login"), f"{HOST}/login": login_page(0)}
    bench = play(tmp_path / "out", said)
    assert "a redirect to http://a.test/login" in bench.job.sum_up().logins[0]
    bench.job.close()


def test_without_cookies_nobody_looks(tmp_path: Path) -> None:
    bench = play(tmp_path / "out", script(login_page, bad=12), {"b.test": "sid=1"})
    assert bench.job.sum_up().logins == ()
    bench.job.close()


def test_the_end_is_still_known_after_a_kill_and_forgotten_with_a_fresh_cookie(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out, said = tmp_path / "out", script(login_page)
    bench = play(out, said)
    bench.job.ring.recorder.commit(1.0)
    bench.job.close()  # as a kill leaves it: no checkpoint

    again = Bench(out, ScriptedWorld({**said}), is_new=False)
    again.begin()
    assert len(again.job.sum_up().logins) == 1
    again.job.finish()
    again.job.close()

    fresh = Bench(out, ScriptedWorld({**said}), is_new=False, cookies={"a.test": "sid=2"})
    fresh.begin()
    assert fresh.job.sum_up().logins == ()
    fresh.job.close()


def test_half_an_end_before_a_kill_and_half_after(tmp_path: Path) -> None:
    """Signs are counted on: a crawl that is killed often would otherwise never say it."""
    out, said = tmp_path / "out", script(login_page)
    bench = Bench(out, ScriptedWorld({**said}), f"{HOST}/", cookies=COOKIES, **QUICK)
    ring = bench.begin()
    bench.turn_until(lambda: ring.counters.pages == 12)
    assert ring.logins.endings() == ()
    ring.recorder.commit(1.0)
    bench.job.close()
    again = Bench(out, ScriptedWorld({**said}), is_new=False)
    ring = again.begin()
    again.turn_until(lambda: ring.idle_time.is_idle)
    assert len(ring.logins.endings()) == 1
    again.job.close()


def test_a_login_that_holds_again_is_no_longer_complained_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    said = script(login_page, bad=6)
    said[f"{HOST}/p/13"] = page(row(13, OUTSIDE))
    said[f"{HOST}/p/14"] = page(row(14, INSIDE))
    bench = play(tmp_path / "out", said)
    assert bench.job.sum_up().logins == ()
    assert "a.test: the crawl is logged in again" in caplog.messages
    bench.job.close()


def test_the_summary_shows_it(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from gossamer.cli.end_summary import print_summary

    bench = play(tmp_path / "out", script(login_page))
    bench.job.finish()
    assert bench.job.last_word is not None
    print_summary(bench.job.last_word)
    assert "does not seem to be logged in" in " ".join(capfd.readouterr().out.split())
    bench.job.close()
