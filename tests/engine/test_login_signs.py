"""Answers that are made to hurt whoever looks for signs of a login in them."""

import pytest

from gossamer.core.outcomes import Outcome
from gossamer.core.records import Headers, Page, Visit
from gossamer.core.url import parse
from gossamer.engine.login_signs import read_sign
from tests.present import present


def page(body: bytes = b"", *cookies: str) -> Page:
    fields = [("Content-Type", "text/html"), *(("Set-Cookie", cookie) for cookie in cookies)]
    visit = Visit(present(parse("http://a.test/page")))
    return Page(visit, Outcome.FETCHED, 0.0, status=200, headers=Headers(fields), body=body)


@pytest.mark.parametrize(
    "piece", [b"<input ", b"type=", b"type =", b"log", b"href=logou", b"<input type=passwor"]
)
def test_a_page_of_nothing_but_beginnings_is_read_in_one_go(piece: bytes) -> None:
    """Half a megabyte; what goes back to the start for each of them would take minutes."""
    assert read_sign(page(piece * (1 << 19)), {}, (), offers_logout=True).outside == ""


@pytest.mark.parametrize("tag", [b"<input type=password>", b'<INPUT name=p TYPE = "Password">'])
def test_a_field_for_a_password_is_found(tag: bytes) -> None:
    assert "login form" in read_sign(page(b"<form>" + tag), {}, (), offers_logout=False).outside


def test_a_text_about_passwords_is_none() -> None:
    text = b"<p>write <code>type=password</code> into it</p>"
    assert read_sign(page(text), {}, (), offers_logout=False).outside == ""


@pytest.mark.parametrize("age", ["9" * 5000, "\u00b2", "-", "--1", "1e3", ""])
def test_an_odd_age_of_a_cookie_is_no_end(age: str) -> None:
    answer = page(b"<p>hello", f"sid=7; Max-Age={age}")
    assert read_sign(answer, {"sid": "7"}, (), offers_logout=False).is_page


@pytest.mark.parametrize("age", ["0", "-1", "-" + "9" * 18])
def test_a_cookie_that_is_taken_back(age: str) -> None:
    answer = page(b"<p>hello", f"sid=7; Max-Age={age}")
    assert (
        "deleted the cookie sid" in read_sign(answer, {"sid": "7"}, (), offers_logout=False).outside
    )
