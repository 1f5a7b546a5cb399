"""What every seen set must do."""

from gossamer.core.protocols import Seen
from gossamer.core.records import Candidate
from tests.conformance.frontier_suite import candidate


def offer(seen: Seen, *texts: str) -> list[str]:
    """Offer URLs and settle; returns what came out as new."""
    new = [*seen.admit([candidate(text) for text in texts]), *seen.settle()]
    return [one.url.text for one in new]


class SeenSuite:
    def make(self) -> Seen:
        raise NotImplementedError

    def test_new_urls_come_out_in_order(self) -> None:
        urls = [f"http://a.test/{number}" for number in range(1000)]
        assert offer(self.make(), *urls) == urls

    def test_each_url_is_released_once(self) -> None:
        seen = self.make()
        assert offer(seen, "http://a.test/", "http://b.test/", "http://a.test/") == [
            "http://a.test/",
            "http://b.test/",
        ]
        assert offer(seen, "http://b.test/", "http://c.test/") == ["http://c.test/"]

    def test_the_first_of_equals_is_kept_whole(self) -> None:
        seen = self.make()
        url = candidate("http://a.test/").url
        first = Candidate(url, depth=2, source="http://x.test/")
        new = [*seen.admit([first, Candidate(url, depth=9)]), *seen.settle()]
        assert new == [first]

    def test_nothing_is_kept_back_after_settling(self) -> None:
        seen = self.make()
        offer(seen, "http://a.test/")
        assert seen.settle() == []
        assert seen.admit([]) == []

    def test_counts(self) -> None:
        seen = self.make()
        offer(seen, "http://a.test/", "http://a.test/", "http://b.test/")
        assert (seen.statistics().known, seen.statistics().offered) == (2, 3)
