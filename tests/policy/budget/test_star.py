from gossamer.core.settings import BudgetSettings
from gossamer.policy.budget import MemoryInDegrees, Star, domain_id, find_function
from gossamer.policy.budget.star import in_degrees_of


def make(function: str = "interpolated", top: int = 10_000, manifest: bytes = b"") -> Star:
    settings = BudgetSettings(function=function, top=top)
    degrees = MemoryInDegrees(in_degrees_of(manifest))
    return Star(degrees, find_function(settings), top, manifest)


def budget(star: Star, name: str) -> int:
    return star.budgets([domain_id(name)])[0]


def test_the_more_domains_link_to_a_domain_the_more_it_may_have() -> None:
    star = make(top=3)
    for source in "abcdef":
        star.observe(source, ["liked", *(["loved"] if source < "f" else ["liked"])])
    star.observe("g", ["loved"])
    star.observe("h", ["loved"])
    star.observe("a", ["lonely"])
    star.refresh()
    assert [one.name for one in star.top(3)] == ["loved", "liked", "lonely"]
    assert (budget(star, "loved"), budget(star, "liked"), budget(star, "lonely")) == (
        10_000,
        5005,
        10,
    )


def test_pages_and_hosts_of_one_domain_count_once() -> None:
    star = make()
    for _ in range(1000):
        star.observe("farm", ["shop"])
    star.observe("a", ["news"])
    star.observe("b", ["news"])
    star.refresh()
    assert [(one.name, one.in_degree) for one in star.top(9)] == [("news", 2), ("shop", 1)]
    assert star.edges == 3


def test_what_a_domain_says_of_itself_does_not_count() -> None:
    star = make()
    star.observe("farm", ["farm"])
    star.refresh()
    assert star.edges == 0


def test_only_the_top_has_more_than_the_default() -> None:
    star = make(top=2)
    for number, name in enumerate(["first", "second", "third"]):
        for source in range(5 - number):
            star.observe(f"s{source}", [name])
    star.refresh()
    assert [budget(star, name) for name in ("first", "second", "third")] == [10_000, 10, 10]
    assert [one.name for one in star.top(9)] == ["first", "second"]


def test_a_seed_is_a_link_from_the_user() -> None:
    star = make("popular")
    star.observe_seeds(["home"])
    star.refresh()
    assert (budget(star, "home"), budget(star, "elsewhere")) == (10_000, 0)


def test_budgets_change_only_when_refreshed() -> None:
    star = make("popular")
    star.observe("a", ["b"])
    assert budget(star, "b") == 0
    assert star.refresh()
    assert budget(star, "b") == 10_000
    assert not star.refresh(is_urgent=True), "there is no news"


def test_many_links_refresh_budgets_by_themselves() -> None:
    star = make("popular")
    for number in range(20_000):
        star.observe(f"s{number}", [f"t{number}"])
    assert budget(star, "t0") == 10_000


def test_a_checkpoint_brings_back_counts_ranks_and_budgets() -> None:
    star = make(top=2)
    star.observe("a", ["b", "c"])
    star.observe("b", ["c"])
    star.refresh()
    again = make(top=2, manifest=star.checkpoint())
    assert again.top(9) == star.top(9)
    assert budget(again, "c") == 10_000
    again.observe("a", ["b", "c"])  # replayed, and counted already
    again.observe("d", ["c"])
    again.refresh(is_urgent=True)
    assert [one.in_degree for one in again.top(9)] == [3, 1]
