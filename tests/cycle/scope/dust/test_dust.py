"""Rules are learned from pairs, tried on samples, used, and given up."""

from collections.abc import Iterable

from gossamer.base.settings import DetectSettings
from gossamer.cycle.scope.dust import Dust, RuleStage, describe
from gossamer.cycle.scope.dust.rule import RuleState
from gossamer.cycle.scope.texts_met import Texts

A = "http://a.test"
SETTINGS = DetectSettings(pairs=3, samples=2)


class World:
    """A learner, and pages that it is told of."""

    def __init__(self, states: Iterable[RuleState] = ()) -> None:
        self.texts = Texts()
        self.dust = Dust(SETTINGS, self.texts, states)

    def page(self, path: str, said: int) -> None:
        met = self.texts.meet(A + path, A, said)
        self.dust.observe(A + path, A, met.here)

    def missing(self, path: str) -> None:
        self.texts.note_failure(A + path)
        self.dust.observe(A + path, A, "")

    def suspect_sid(self) -> None:
        for number in range(3):
            self.page(f"/{number}?sid=1", 100 + number)
            self.page(f"/{number}?sid=2", 100 + number)

    def respell(self, path: str) -> str:
        return self.dust.respell(A + path, A)[0].removeprefix(A)


def test_a_rule_is_used_when_samples_agree() -> None:
    world = World()
    world.suspect_sid()
    assert world.dust.is_in_doubt(f"{A}/7?sid=9", A)
    assert world.respell("/7?sid=9") == "/7?sid=9", "not before it was tried"
    for number in (7, 8):
        assert world.dust.sample(f"{A}/{number}?sid=9", A, False) == f"{A}/{number}"
        world.page(f"/{number}?sid=9", number)
        assert world.respell("/9?sid=9") == "/9?sid=9"
        world.page(f"/{number}", number)
    assert world.respell("/9?sid=9&x=1") == "/9?x=1"
    assert world.dust.sample(f"{A}/9?sid=9", A, False) is None


def test_a_rule_is_refuted_by_one_sample_that_differs() -> None:
    world = World()
    world.suspect_sid()
    world.dust.sample(f"{A}/7?sid=9", A, False)
    world.page("/7?sid=9", 7)
    world.missing("/7")
    [state] = world.dust.states()
    assert (state.stage, state.failed) == (RuleStage.REFUTED, 1)
    assert world.respell("/9?sid=9") == "/9?sid=9"
    world.suspect_sid()
    assert not world.dust.is_in_doubt(f"{A}/9?sid=9", A), "it is not tried again"


def test_rivals_keep_each_other_from_being_tried() -> None:
    world = World()
    for number, folder in enumerate(["sea", "sky", "sea", "sky", "sea", "sky"]):
        world.page(f"/{folder}/{number}", 100 + number)
        world.page(f"/print/{number}", 100 + number)
    assert world.dust.states() == []


def test_a_better_spelling_is_recognised() -> None:
    world = World()
    texts = world.texts
    texts.meet(f"{A}/x?sid=1", A, 5)
    assert world.dust.observe(f"{A}/x", A, f"{A}/x?sid=1")
    assert not world.dust.observe(f"{A}/x?sid=2", A, f"{A}/x")


def test_a_rule_in_use_is_audited_and_given_up_when_it_fails() -> None:
    world = World()
    world.suspect_sid()
    for number in (7, 8):
        world.dust.sample(f"{A}/{number}?sid=9", A, False)
        world.page(f"/{number}?sid=9", number)
        world.page(f"/{number}", number)
    samples = [world.dust.respell(f"{A}/u{number}?sid=1", A) for number in range(300)]
    audited = [spelled for spelled, sample in samples if sample]
    assert len(audited) == 3, "after 64, 128 and 256 uses"
    for url in audited:
        path = url.removeprefix(A)
        world.page(path, 5000 + len(path) + hash(path) % 1000)
        world.missing(path.partition("?")[0])
    assert world.respell("/9?sid=9") == "/9?sid=9"


def test_rules_survive_a_restart_and_have_words() -> None:
    world = World()
    world.suspect_sid()
    for number in (7, 8):
        world.dust.sample(f"{A}/{number}?sid=9", A, False)
        world.page(f"/{number}?sid=9", number)
        world.page(f"/{number}", number)
    states = world.dust.states()
    again = World(states)
    assert again.respell("/9?sid=9") == "/9"
    assert again.dust.states() == states
    assert "the parameter sid changes nothing" in describe(states[0])
