"""Policies by name."""

import pytest

from gossamer.core.errors import SettingsError
from gossamer.policy.revisit import ALLOCATIONS, describe_allocations, make_allocation
from gossamer.policy.revisit.policies import UpdateCapture


def test_every_policy_can_be_made_and_is_described() -> None:
    described = {name: (options, about) for name, options, about in describe_allocations()}
    assert set(described) == set(ALLOCATIONS)
    assert all(about for _, about in described.values())
    assert described["capture"][0] == "sure=0.5"
    assert isinstance(make_allocation(" capture : sure = 0.7 "), UpdateCapture)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fresh", "there is no revisit policy fresh; did you mean freshness?"),
        ("", "there is no revisit policy ''; known: uniform"),
        ("capture:sur=1", "the revisit policy capture has no option 'sur'; did you mean sure?"),
        ("freshness:a=1", "the revisit policy freshness has no option 'a'; known: none"),
        ("capture:sure=x", "capture:sure: 'x' is not a number from 0 on"),
        ("capture:sure=nan", "capture:sure: 'nan' is not a number from 0 on"),
        ("capture:sure", "capture:sure: '' is not a number from 0 on"),
    ],
)
def test_mistakes_are_one_clear_line(text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        make_allocation(text)
