"""Rules are learned from pairs, tried on samples, used, and given up."""

from collections.abc import Iterable

from gossamer.analyzers.redundancy.dust import Dust, RuleStage, describe
from gossamer.analyzers.redundancy.dust.rule import RuleState
from gossamer.analyzers.redundancy.texts_met import Texts
from gossamer.core.settings import DetectSettings

A = "http://a.test"
SETTINGS = DetectSettings(pairs=3, samples=2)


class World:
    """A learner, and pages that it is told of."""

    def __init__(self, states: Iterable[RuleState] = ()) -> None:
        self.texts = Texts()
        self.dust = Dust(SETTINGS, self.texts, states)

    def page(self, path: str, said: int, alike: int = 0) -> None:
        met = self.texts.meet(A + path, A, said, (0, alike))
        self.dust.observe(A + path, A, met.here)

    def missing(self, path: str) -> None:
        self.texts.note_failure(A + path)
        self.dust.observe(A + path, A, "")

    def suspect_sid(self) -> None:
        for number in range(3):
            self.page(f"/{number}?sid=1", 100 + number)
            self.page(f"/{number}?sid=2", 100 + number)

    def sample(self, name: int, said: int, other: int, alike: int = 0) -> None:
        """Fetch a page with its session and without; each says something, or they say nearly the same."""
        self.dust.sample(f"{A}/s{name}?sid=9", A, False)
        self.page(f"/s{name}?sid=9", said, alike)
        self.page(f"/s{name}", other, alike)

    def sample_some(self, count: int, first: int = 100) -> None:
        """Fetch pages that say the same with their session and without."""
        for name in range(first, first + count):
            self.sample(name, 7000 + name, 7000 + name)

    def stage(self) -> RuleStage:
        return self.dust.states()[0].stage

    def respell(self, path: str) -> str:
        return self.dust.respell(A + path, A).text.removeprefix(A)


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


def test_one_sample_that_differs_has_to_be_made_up_for() -> None:
    world = World()
    world.suspect_sid()
    world.sample(1, 11, 12)
    assert world.stage() is RuleStage.TRIED, "there may have been an advertisement"
    world.sample_some(9)
    assert world.stage() is RuleStage.TRIED
    world.sample_some(1, 200)
    assert world.stage() is RuleStage.USED
    assert world.respell("/9?sid=9") == "/9"


def test_samples_that_differ_refute_a_rule() -> None:
    world = World()
    world.suspect_sid()
    world.sample(1, 11, 12)
    world.sample(2, 21, 22)
    assert world.stage() is RuleStage.REFUTED


def test_what_is_nearly_the_same_says_nothing_but_has_to_be_the_smaller_part() -> None:
    world = World()
    world.suspect_sid()
    for name in range(4):
        world.sample(name, 10 * name + 1, 10 * name + 2, alike=1000 + name)
    assert world.dust.states()[0].failed == 0
    world.sample_some(3)
    assert world.stage() is RuleStage.TRIED, "more are unclear than agree"
    world.sample_some(1, 200)
    assert world.stage() is RuleStage.USED


def test_pages_that_are_all_nearly_the_same_are_not_sampled_for_ever() -> None:
    world = World()
    world.suspect_sid()
    for name in range(50):
        world.sample(name, 10 * name + 1, 10 * name + 2, alike=5)
    assert world.stage() is RuleStage.REFUTED
    assert world.dust.states()[0].unclear < 10


def test_a_refuted_rule_comes_back_when_much_more_speaks_for_it() -> None:
    world = World()
    world.suspect_sid()
    returns = []
    for number in range(400):
        if world.stage() is RuleStage.TRIED:
            returns.append(world.dust.states()[0].pairs)
            world.sample(3 * number, 11 * number + 5000, 11 * number + 5001)
            world.sample(3 * number + 1, 11 * number + 5002, 11 * number + 5003)
        world.page(f"/p{number}?sid=1", 100_000 + number)
        world.page(f"/p{number}?sid=2", 100_000 + number)
    assert returns == [3, 16, 64, 256], "it is tried ever more rarely"
    again = World(world.dust.states())
    assert again.dust.states() == world.dust.states()


def test_a_rule_is_refuted_where_a_spelling_does_not_exist() -> None:
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
    audited = [one.text for one in samples if one.beside]
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
