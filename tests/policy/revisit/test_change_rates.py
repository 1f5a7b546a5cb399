"""The online form: against whole histories, with fading, and with what is learned from other pages."""

import math

import numpy as np
import numpy.typing as npt
import pytest

from gossamer.policy.revisit import EVIDENCE_COLUMNS, ChangeModel, Evidence, Sight, no_evidence
from gossamer.policy.revisit.sightings import Sightings
from tests.policy.revisit.simulated import error_of, visits_of

Floats = npt.NDArray[np.float64]


def play(model: ChangeModel, seen: Sightings, keys: npt.ArrayLike = ()) -> tuple[Evidence, Floats]:
    """One visit after the other, to all pages."""
    pages = len(seen.starts) - 1
    evidence, rates = no_evidence(pages), np.zeros(pages)
    columns = [column.reshape(pages, -1).T for column in seen[1:]]
    for intervals, kinds, details in zip(*columns, strict=True):
        rates = model.learn(evidence, keys, intervals, kinds, details)
    return evidence, rates


def posterior(kinds: list[int], details: list[float], interval: float = 2.0) -> list[float]:
    """What the visits to one page add to what was thought of it."""
    model, evidence = ChangeModel(), no_evidence(1)
    for kind, detail in zip(kinds, details, strict=True):
        model.learn(evidence, (), [interval], [kind], [detail])
    [row] = evidence.tolist()
    return [float(number) for number in row]


def test_a_page_takes_few_bytes() -> None:
    assert no_evidence(1).nbytes == 4 * EVIDENCE_COLUMNS == 8


def test_what_can_be_exact_is_exact() -> None:
    assert posterior([Sight.UNCHANGED] * 3, [0.0] * 3) == [0.0, 6.0]
    assert posterior([Sight.DATED], [0.5]) == [1.0, 0.5]
    assert posterior([Sight.COUNTED], [7.0]) == [7.0, 2.0]


def test_a_change_says_less_the_longer_it_took() -> None:
    added = [posterior([Sight.CHANGED], [0.0], interval) for interval in (0.01, 1.0, 100.0, 1e6)]
    events = [one[0] for one in added]
    assert events == sorted(events, reverse=True)
    assert events[0] == pytest.approx(1.0, abs=0.01)
    assert events[-1] < 0.1
    assert min(one[1] for one in added) >= 0


def bayesian(seen: Sightings, shape: float, days: float) -> Floats:
    """The mean of what is known after all visits, by a sum over rates: the least squared error there is."""
    rates = np.geomspace(1e-9, 1e3, 600)  # dλ is λ times the step
    logs = np.tile(shape * np.log(rates) - days * rates, (len(seen.starts) - 1, 1))
    columns = (column.reshape(len(logs), -1).T for column in (seen.intervals, seen.kinds))
    for intervals, kinds in zip(*columns, strict=True):
        expected = intervals[:, None] * rates
        with np.errstate(divide="ignore"):
            logs += np.where(kinds[:, None] > 0, np.log(-np.expm1(-expected)), -expected)
    parts = np.exp(logs - logs.max(axis=1, keepdims=True))
    found: Floats = parts @ rates / parts.sum(axis=1)
    return found


@pytest.mark.parametrize(("shape", "mean"), [(0.3, 0.3), (1.0, 1.0), (3.0, 0.1)])
@pytest.mark.parametrize("even", [True, False])
def test_online_is_about_as_good_as_bayes_with_the_true_prior(
    shape: float, mean: float, even: bool
) -> None:
    """It has to learn the prior by the way, and keeps two numbers of all visits."""
    chance = np.random.default_rng(7)
    rates = chance.gamma(shape, mean / shape, 3000) + 1e-9
    seen = visits_of(chance, rates, 12, even=even)
    _, found = play(ChangeModel(), seen)
    assert error_of(found, rates) < 1.05 * error_of(bayesian(seen, shape, shape / mean), rates)


def test_dates_and_counts_are_used() -> None:
    chance = np.random.default_rng(8)
    rates = chance.gamma(0.5, 4.0, 2000) + 1e-9
    seen, known = visits_of(chance, rates, 10), visits_of(chance, rates, 10, dates=True)
    _, plain = play(ChangeModel(), seen)
    _, dates = play(ChangeModel(), known)
    counts = known._replace(
        kinds=np.full_like(known.kinds, Sight.COUNTED),
        details=chance.poisson(np.repeat(rates, 10)).astype(np.float64),
    )
    _, counted = play(ChangeModel(), counts)
    errors = [error_of(found, rates) for found in (counted, dates, plain)]
    assert errors == sorted(errors)
    assert errors[1] < 0.8 * errors[2]


def test_the_prior_learns_its_mean_and_its_shape() -> None:
    chance = np.random.default_rng(9)
    for shape, mean in ((0.3, 0.2), (4.0, 1.0)):
        rates = chance.gamma(shape, mean / shape, 5000) + 1e-9
        model = ChangeModel()
        play(model, visits_of(chance, rates, 10))
        [[found, days]] = model.priors([()])
        assert found / days == pytest.approx(mean, rel=0.2)
        assert 0.5 < found / shape < 2


def test_a_page_seen_once_has_the_rate_of_its_narrowest_known_group() -> None:
    """Hosts differ, sections of hosts differ again; a new section of a known host is like the host."""
    chance = np.random.default_rng(10)
    hosts = np.repeat(np.arange(20), 200)
    sections = hosts * 4 + chance.integers(0, 4, len(hosts))
    host_rates, section_factors = chance.gamma(1.0, 0.5, 20), chance.gamma(2.0, 0.5, 80)
    means = np.maximum(host_rates[hosts] * section_factors[sections], 1e-4)
    rates = means * chance.gamma(2.0, 0.5, len(hosts)) + 1e-9
    model = ChangeModel(levels=2)
    play(model, visits_of(chance, rates, 6), np.column_stack((hosts, sections)))

    known = np.unique(np.column_stack((hosts, sections, means)), axis=0)
    fresh = model.rates(no_evidence(len(known)), known[:, :2])
    assert np.corrcoef(np.log(fresh), np.log(known[:, 2]))[0, 1] > 0.9
    strangers = model.rates(no_evidence(20), [[host, 1000 + host] for host in range(20)])
    means_of_hosts = [means[hosts == host].mean() for host in range(20)]
    assert np.corrcoef(np.log(strangers), np.log(means_of_hosts))[0, 1] > 0.85
    [nobody] = model.rates(no_evidence(1), [[-1, -1]])
    assert fresh.min() < nobody < fresh.max()


def test_groups_that_cross_are_multiplied() -> None:
    """A group by depth and one by host; a pair that never came together is foretold from both."""
    chance = np.random.default_rng(11)
    hosts, depths = chance.integers(0, 8, 6000), chance.integers(0, 4, 6000)
    seen_pair = (hosts != 7) | (depths != 0)
    host_rate, depth_factor = np.geomspace(0.05, 2.0, 8), np.geomspace(2.0, 0.25, 4)
    rates = host_rate[hosts] * depth_factor[depths] * chance.gamma(3.0, 1 / 3, 6000)
    keys = np.column_stack((hosts, depths))[seen_pair]
    model = ChangeModel(levels=2)
    play(model, visits_of(chance, rates[seen_pair] + 1e-9, 6), keys)
    [[found, without]] = [model.rates(no_evidence(2), [[7, 0], [0, 3]]).tolist()]
    assert found == pytest.approx(4.0, rel=0.5)
    assert without == pytest.approx(0.0125, rel=0.6)


def test_one_page_that_is_watched_for_long_does_not_speak_for_its_group() -> None:
    """What it says of its group ends with what one page can say, however often it is visited."""
    chance = np.random.default_rng(13)
    model = ChangeModel(levels=1)
    rates = chance.gamma(1.0, 0.1, 1000) + 1e-9
    play(model, visits_of(chance, rates, 10), chance.integers(0, 20, (1000, 1)))
    evidence, thought = no_evidence(1), []
    for visit in range(1000):
        [same] = model.learn(evidence, [[50]], [1.0], [Sight.CHANGED])
        if visit % 100 == 99:
            thought += model.rates(no_evidence(1), [[50]]).tolist()
    assert same > 3
    assert max(thought) < same / 3
    assert thought[-1] < 1.5 * thought[0]


def test_old_visits_fade() -> None:
    """A page that was quiet for a year, and now changes daily."""
    rates = []
    for half_life in (20.0, math.inf):
        model, evidence = ChangeModel(half_life=half_life), no_evidence(1)
        for kind in [Sight.UNCHANGED] * 365 + [Sight.CHANGED] * 30:
            [rate] = model.learn(evidence, (), [1.0], [kind])
        rates.append(rate)
    assert rates[0] > 0.7
    assert rates[1] < 0.2


def test_fading_has_a_half_life_and_the_last_visits_always_count() -> None:
    faded = []
    for interval in (1.0, 100.0):
        model, evidence = ChangeModel(half_life=10.0), no_evidence(1)
        evidence[0] = 50.0, 25.0
        model.learn(evidence, (), [interval], [Sight.COUNTED], [0.0])
        faded.append(float(evidence[0, 0]))
    assert faded == pytest.approx([50 * 2**-0.1, 50 * 0.9])


@pytest.mark.parametrize("interval", [0.0, 1e-9, 1e9])
@pytest.mark.parametrize("kind", list(Sight))
def test_odd_intervals_leave_numbers(interval: float, kind: Sight) -> None:
    model, evidence = ChangeModel(levels=1, half_life=90.0), no_evidence(1)
    for _ in range(50):
        model.learn(evidence, [[3]], [interval], [kind], [min(interval, 5.0)])
    [rate] = model.rates(evidence, [[3]])
    assert 0 < rate < 1e9
    assert (evidence >= 0).all()


def test_clocks_that_go_back_and_dates_that_cannot_be() -> None:
    assert posterior([Sight.UNCHANGED], [0.0], interval=-3.0) == [0.0, 0.0]
    assert posterior([Sight.DATED], [-1.0]) == [1.0, 0.0]
    assert posterior([Sight.DATED], [99.0]) == [1.0, 2.0]


def test_columns_of_other_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="one entry for each visit"):
        ChangeModel().learn(no_evidence(2), (), [1.0], [1])
    with pytest.raises(ValueError, match="reshape"):
        ChangeModel(levels=2).learn(no_evidence(1), [[1]], [1.0], [1])


def test_a_model_goes_on_from_its_dump() -> None:
    chance = np.random.default_rng(12)
    rates = chance.gamma(0.5, 1.0, 500) + 1e-9
    keys = chance.integers(0, 30, (500, 2))
    model = ChangeModel(levels=2, half_life=90.0)
    evidence, _ = play(model, visits_of(chance, rates, 4), keys)
    again, copy = ChangeModel(levels=2, half_life=90.0, state=model.dump()), evidence.copy()
    more = visits_of(chance, rates, 1)
    assert (model.learn(evidence, keys, *more[1:]) == again.learn(copy, keys, *more[1:])).all()
    assert again.dump() == model.dump()


def test_a_dump_of_other_groups_is_not_read() -> None:
    model = ChangeModel(levels=2)
    model.learn(no_evidence(1), [[1, 2]], [1.0], [1])
    fresh = ChangeModel(levels=1, state=model.dump())
    assert fresh.rates(no_evidence(1), [[1]]) == ChangeModel(levels=1).rates(no_evidence(1), [[1]])


def test_a_dump_is_as_large_as_the_groups_that_were_met() -> None:
    model = ChangeModel(levels=1)
    empty = len(model.dump())
    model.learn(no_evidence(10), [[key] for key in range(10)], [1.0] * 10, [1] * 10)
    assert len(model.dump()) - empty == 11 * (4 + 2 * 8)


def test_groups_that_say_nothing_cost_little() -> None:
    """Small groups by lot, on a small web: a page moves its own groups, and must not be believed twice."""
    errors = []
    for web in range(12):
        chance = np.random.default_rng(web)
        rates = chance.gamma(2.0, 0.15, 100) + 1e-9
        lot = chance.integers(0, 25, (100, 6))
        found = []
        for levels in (1, 7):
            model, known = ChangeModel(levels), no_evidence(100)
            keys = np.column_stack((np.zeros(100, np.int64), lot))[:, :levels]
            visits = np.random.default_rng(web)
            for _ in range(5):
                changed = visits.random(100) < -np.expm1(-rates)
                found_rates = model.learn(known, keys, np.ones(100), changed)
            found.append(float(np.sqrt(np.mean((found_rates - rates) ** 2))))
        errors.append(found)
    alone, with_groups = np.mean(errors, axis=0)
    assert with_groups < 1.3 * alone
