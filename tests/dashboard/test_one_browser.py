"""The browser of the tests leaves no event loop behind, whichever test comes next."""

import asyncio
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page


async def _seven() -> int:
    return 7


@pytest.mark.parametrize("number", range(2))
def test_a_page_is_opened_again(tab: "Page", number: int) -> None:
    tab.goto(f"data:text/html,<title>{number}</title>")
    assert tab.title() == str(number)


@pytest.mark.usefixtures("one_browser")
def test_another_loop_runs_beside_the_browser() -> None:
    assert asyncio.run(_seven()) == 7
