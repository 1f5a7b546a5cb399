"""Whom to believe: nobody unheard, those who are right, and no liar, however often pages change."""

from random import Random

import pytest

from gossamer.policy.revisit import honesty as module
from gossamer.policy.revisit.honesty import ChangeSource, Honesty

HOST = 7


def listen(
    honesty: Honesty, chance: float, visits: int, says: str, seed: int = 1, weight: float = 1.0
) -> None:
    """Visits to pages that change with a chance, of which a host says something each time."""
    draw = Random(seed)
    for _ in range(visits):
        is_changed = draw.random() < chance
        said = {
            "truth": is_changed,
            "always": True,
            "never": False,
            "anything": draw.random() < 0.5,
        }
        honesty.note(
            *(HOST, ChangeSource.SITEMAP),
            says_changed=said[says],
            is_changed=is_changed,
            chance=chance,
            weight=weight,
        )


def test_nobody_is_believed_unheard() -> None:
    honesty = Honesty()
    assert not honesty.believes(HOST, ChangeSource.SITEMAP)
    assert honesty.may_be_right(HOST, ChangeSource.SITEMAP)
    assert honesty.announced_share(HOST, ChangeSource.SITEMAP) == 0.0
    assert not honesty.hides_changes(HOST, ChangeSource.SITEMAP)


@pytest.mark.parametrize("chance", [0.05, 0.3, 0.6])
def test_who_tells_the_truth_is_believed(chance: float) -> None:
    honesty = Honesty()
    listen(honesty, chance, int(30 / chance), "truth")
    assert honesty.believes(HOST, ChangeSource.SITEMAP)
    assert honesty.announced_share(HOST, ChangeSource.SITEMAP) > 0.85
    assert not honesty.believes(HOST, ChangeSource.FEED), "each way is judged by itself"


@pytest.mark.parametrize("chance", [0.05, 0.3, 0.6, 0.9, 0.97])
@pytest.mark.parametrize("says", ["always", "anything"])
def test_who_says_it_of_all_is_not_believed_however_often_pages_change(
    chance: float, says: str
) -> None:
    honesty = Honesty()
    for seed in range(40):
        listen(honesty, chance, 10, says, seed)
        assert not honesty.believes(HOST, ChangeSource.SITEMAP)


def test_who_says_nothing_tells_nothing() -> None:
    honesty = Honesty()
    listen(honesty, 0.3, 100, "never")
    assert not honesty.believes(HOST, ChangeSource.SITEMAP)
    assert honesty.hides_changes(HOST, ChangeSource.SITEMAP)


def test_who_is_right_but_tells_half_is_believed_for_half() -> None:
    honesty = Honesty()
    for _ in range(30):
        for says in (True, False):
            honesty.note(HOST, ChangeSource.FEED, says_changed=says, is_changed=True, chance=0.1)
    assert honesty.believes(HOST, ChangeSource.FEED)
    assert 0.3 < honesty.announced_share(HOST, ChangeSource.FEED) < 0.5


def test_who_begins_to_lie_is_not_believed_for_long() -> None:
    honesty = Honesty()
    listen(honesty, 0.3, 400, "truth")
    listen(honesty, 0.3, 40, "always")
    assert not honesty.believes(HOST, ChangeSource.SITEMAP)
    listen(honesty, 0.3, 400, "truth")
    assert honesty.believes(HOST, ChangeSource.SITEMAP), "and who has changed is forgiven"


def test_liars_are_found_out_after_some_words() -> None:
    honesty = Honesty()
    listen(honesty, 0.05, 8, "always")
    assert not honesty.may_be_right(HOST, ChangeSource.SITEMAP)


def test_it_is_found_again_as_it_was() -> None:
    honesty = Honesty()
    listen(honesty, 0.3, 50, "truth")
    honesty.note((1 << 62) - 1, ChangeSource.FEED, says_changed=True, is_changed=False, chance=0.5)
    again = Honesty(honesty.dump())
    share = honesty.announced_share(HOST, ChangeSource.SITEMAP)
    assert again.announced_share(HOST, ChangeSource.SITEMAP) == share > 0
    assert again.dump() == honesty.dump()
    assert Honesty(Honesty().dump()).dump() == b""


def test_it_remembers_those_who_spoke_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST", 5)
    honesty = Honesty()
    listen(honesty, 0.3, 50, "truth")
    for host in range(100, 104):
        honesty.note(host, ChangeSource.FEED, says_changed=True, is_changed=False, chance=0.5)
    assert honesty.believes(HOST, ChangeSource.SITEMAP)
    honesty.note(104, ChangeSource.FEED, says_changed=True, is_changed=False, chance=0.5)
    assert not honesty.believes(HOST, ChangeSource.SITEMAP)
    assert len(honesty.dump()) == 5 * 32
