from math import inf
from typing import Any

import msgspec
import pytest

from gossamer.core.outcomes import Outcome, Truncation
from gossamer.core.records import Headers, Page, Visit
from gossamer.core.settings import RobotsSettings
from gossamer.core.url import Url, parse
from gossamer.pipeline.robots import Explanation, Gate, KnownRobots, Verdict, trouble_of
from gossamer.pipeline.robots.robots_lines import LIMIT
from tests.present import present

ORIGIN = "http://example.org"
RULES = b"User-agent: *\nDisallow: /private/\nCrawl-delay: 5\nSitemap: /map.xml\n"
HOUR, DAY = 3600.0, 86_400.0


def url(text: str) -> Url:
    found = parse(text)
    assert found is not None
    return found


PUBLIC, PRIVATE = url(ORIGIN + "/a"), url(ORIGIN + "/private/a")


def page(
    status: int = 200,
    body: bytes = RULES,
    at: str = ORIGIN + "/robots.txt",
    truncated: Truncation = Truncation.NONE,
    is_damaged: bool = False,
    **fields: str,
) -> Page:
    headers = Headers([(name.replace("_", "-"), value) for name, value in fields.items()])
    return Page(
        Visit(url(at)),
        Outcome.FETCHED,
        started=0.0,
        status=status,
        headers=headers,
        body=body,
        truncated=truncated,
        is_damaged=is_damaged,
    )


def failure(outcome: Outcome = Outcome.TIMEOUT) -> Page:
    return Page(Visit(url(ORIGIN + "/robots.txt")), outcome, started=0.0)


def gate(**settings: float) -> Gate:
    return Gate(RobotsSettings(**settings), "Gossamer/1.0")  # type: ignore[arg-type]


def taught(answer: Page, now: float = 0.0, **settings: float) -> Gate:
    made = gate(**settings)
    assert made.learn(ORIGIN, answer, now) is None
    return made


class TestVerdict:
    def test_an_origin_is_unknown_until_it_was_asked(self) -> None:
        made = gate()
        assert made.verdict(PUBLIC, 0) is Verdict.UNKNOWN
        assert made.request(PUBLIC.origin).text == "http://example.org/robots.txt"
        assert made.learn(ORIGIN, page(), 0) is None
        assert made.verdict(PUBLIC, 1) is Verdict.ALLOWED
        assert made.verdict(PRIVATE, 1) is Verdict.DISALLOWED

    @pytest.mark.parametrize("other", ["https://example.org/a", "http://example.org:81/a"])
    def test_permission_is_per_origin(self, other: str) -> None:
        made = taught(page())
        assert made.verdict(url(other), 1) is Verdict.UNKNOWN
        assert made.request(url(other).origin).text == other.removesuffix("a") + "robots.txt"

    def test_not_obeying_asks_nobody(self) -> None:
        made = gate(obey=False)
        assert made.verdict(PRIVATE, 0) is Verdict.ALLOWED
        assert made.explain(PRIVATE, 0).verdict is Verdict.ALLOWED

    def test_other_schemes_have_no_robots_txt(self) -> None:
        assert gate().verdict(url("data:text/plain,x"), 0) is Verdict.ALLOWED
        assert gate().explain(url("data:text/plain,x"), 0).verdict is Verdict.ALLOWED

    def test_the_query_counts(self) -> None:
        made = taught(page(body=b"user-agent: *\ndisallow: /*?session="))
        assert made.verdict(url(ORIGIN + "/a?session=1"), 1) is Verdict.DISALLOWED

    def test_our_group_goes_before_that_of_everyone(self) -> None:
        made = taught(page(body=b"user-agent: gossamer\nallow: /\nuser-agent: *\ndisallow: /"))
        assert made.verdict(PUBLIC, 1) is Verdict.ALLOWED


class TestStatus:
    @pytest.mark.parametrize("status", [200, 201, 203, 204, 206, 299])
    def test_success_brings_rules(self, status: int) -> None:
        assert taught(page(status)).verdict(PRIVATE, 1) is Verdict.DISALLOWED

    @pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 418, 451, 499])
    def test_unavailable_allows_everything(self, status: int) -> None:
        assert taught(page(status)).verdict(PRIVATE, 1) is Verdict.ALLOWED

    @pytest.mark.parametrize("status", [500, 502, 503, 504, 599, 429, 0, 100, 304, 600, 999])
    def test_failing_forbids_everything(self, status: int) -> None:
        made = taught(page(status))
        assert made.verdict(PUBLIC, 1) is Verdict.UNREACHABLE

    @pytest.mark.parametrize("outcome", [one for one in Outcome if one is not Outcome.FETCHED])
    def test_so_does_every_failed_exchange(self, outcome: Outcome) -> None:
        assert taught(failure(outcome)).verdict(PUBLIC, 1) is Verdict.UNREACHABLE

    @pytest.mark.parametrize("why", [Truncation.TIME, Truncation.DISCONNECT])
    def test_so_does_a_body_that_broke_off(self, why: Truncation) -> None:
        assert taught(page(truncated=why)).verdict(PUBLIC, 1) is Verdict.UNREACHABLE

    def test_so_does_a_body_that_cannot_be_decoded(self) -> None:
        for body in (b"", b"User-agent: *\n"):
            made = taught(page(body=body, is_damaged=True))
            assert made.verdict(PUBLIC, 1) is Verdict.UNREACHABLE
            assert "could not be read (undecodable)" in made.explain(PUBLIC, 1).reason

    def test_a_failed_refresh_that_cannot_be_decoded_leaves_the_copy(self) -> None:
        made = taught(page())
        made.learn(ORIGIN, page(body=b"", is_damaged=True), DAY)
        assert made.verdict(PUBLIC, DAY + 1) is Verdict.ALLOWED
        assert made.verdict(PRIVATE, DAY + 1) is Verdict.DISALLOWED

    def test_a_damaged_end_does_not_matter_when_all_that_counts_has_arrived(self) -> None:
        made = taught(page(body=RULES.ljust(LIMIT, b"\n"), is_damaged=True))
        assert made.verdict(PRIVATE, 1) is Verdict.DISALLOWED

    @pytest.mark.parametrize(
        ("answer", "trouble"),
        [
            (page(), ""),
            (page(404), ""),
            (page(301), ""),
            (page(429), "429"),
            (page(503), "503"),
            (failure(), "timeout"),
            (page(truncated=Truncation.DISCONNECT), "truncated_disconnect"),
            (page(truncated=Truncation.TIME), "truncated_time"),
            (page(is_damaged=True), "undecodable"),
        ],
    )
    def test_every_trouble_has_a_name(self, answer: Page, trouble: str) -> None:
        assert trouble_of(answer) == trouble
        assert present(taught(answer).look(ORIGIN)).trouble == trouble

    @pytest.mark.parametrize("why", Truncation)
    def test_but_not_when_all_that_counts_has_arrived(self, why: Truncation) -> None:
        made = taught(page(body=RULES.ljust(LIMIT, b"\n"), truncated=why))
        assert made.verdict(PRIVATE, 1) is Verdict.DISALLOWED

    def test_a_body_cut_at_our_limit_loses_its_last_line_only(self) -> None:
        body = b"user-agent: *\ndisallow: /private\ndisallow: /"
        made = taught(page(body=body, truncated=Truncation.LENGTH))
        assert made.verdict(PUBLIC, 1) is Verdict.ALLOWED
        assert made.verdict(PRIVATE, 1) is Verdict.DISALLOWED

    def test_an_error_page_with_status_200_is_read_as_it_is(self) -> None:
        made = taught(page(body=b"<html><p>Disallow: /</p></html>", content_type="text/html"))
        assert made.verdict(PUBLIC, 1) is Verdict.ALLOWED


class TestAge:
    @pytest.mark.parametrize("status", [200, 404])
    def test_an_answer_serves_for_a_day(self, status: int) -> None:
        made = taught(page(status), now=100.0)
        assert made.verdict(PUBLIC, 100 + DAY - 1) is Verdict.ALLOWED
        assert made.verdict(PUBLIC, 100 + DAY) is Verdict.UNKNOWN

    @pytest.mark.parametrize(
        ("control", "seconds"),
        [("max-age=7200", 7200), ("max-age=999999", DAY), ("max-age=1", 300), ("no-store", 300)],
    )
    def test_or_as_long_as_the_server_says_within_bounds(
        self, control: str, seconds: float
    ) -> None:
        made = taught(page(cache_control=control))
        assert made.verdict(PUBLIC, seconds - 1) is Verdict.ALLOWED
        assert made.verdict(PUBLIC, seconds) is Verdict.UNKNOWN
        assert made.retry_at(ORIGIN) == seconds

    def test_what_is_new_replaces_what_was_known(self) -> None:
        made = taught(page())
        made.learn(ORIGIN, page(body=b"User-agent: *\nDisallow: /a"), DAY)
        assert made.verdict(PUBLIC, DAY + 1) is Verdict.DISALLOWED
        assert made.verdict(PRIVATE, DAY + 1) is Verdict.ALLOWED
        assert made.delay(ORIGIN) == 0.0

    def test_not_modified_renews_a_copy(self) -> None:
        made = taught(page())
        made.learn(ORIGIN, page(304), DAY)
        assert made.verdict(PRIVATE, 2 * DAY - 1) is Verdict.DISALLOWED
        assert made.verdict(PRIVATE, 2 * DAY) is Verdict.UNKNOWN


class TestTiming:
    """In a crawl that never ends: somebody says when a robots.txt is due again."""

    def timed(self, seconds: float) -> tuple[Gate, list[tuple[float, float, float, bool]]]:
        asked = []

        def timing(*known: Any) -> tuple[float, float, float]:
            asked.append(known)
            return known[0] + known[3], known[1] + 1, seconds

        made = taught(page())
        made.timing = timing
        return made, asked

    def test_it_is_asked_with_what_readings_have_found(self) -> None:
        made, asked = self.timed(7200.0)
        other = b"User-agent: *\nDisallow: /a"
        for hour, answer in enumerate((page(), page(body=other), page(304), page(404)), 1):
            made.learn(ORIGIN, answer, hour * 3600.0)
            assert made.retry_at(ORIGIN) == hour * 3600 + 7200
        assert asked == [
            (0.0, 0.0, 3600.0, False),
            (0.0, 1.0, 3600.0, True),
            (1.0, 2.0, 3600.0, False),
            (1.0, 3.0, 3600.0, True),
        ]

    @pytest.mark.parametrize(("seconds", "until"), [(1.0, 300.0), (9 * DAY, DAY), (inf, DAY)])
    def test_but_it_serves_for_a_day_at_most_and_not_less_than_it_may(
        self, seconds: float, until: float
    ) -> None:
        made, _ = self.timed(seconds)
        made.learn(ORIGIN, page(), 3600.0)
        assert made.retry_at(ORIGIN) == 3600 + until

    def test_a_failure_says_nothing_of_changes(self) -> None:
        made, asked = self.timed(7200.0)
        made.learn(ORIGIN, failure(), 3600.0)
        assert not asked
        never_read = gate()
        never_read.timing = made.timing
        never_read.learn(ORIGIN, failure(), 0.0)
        never_read.learn(ORIGIN, page(), 3600.0)
        assert not asked


class TestFailure:
    def test_the_wait_doubles_up_to_its_ceiling(self) -> None:
        made = gate(failure_wait=60, failure_ceiling=600)
        now, waits = 0.0, []
        for _ in range(6):
            made.learn(ORIGIN, failure(), now)
            waits.append(made.retry_at(ORIGIN) - now)
            assert made.verdict(PUBLIC, made.retry_at(ORIGIN) - 1) is Verdict.UNREACHABLE
            now = made.retry_at(ORIGIN)
            assert made.verdict(PUBLIC, now) is Verdict.UNKNOWN
        assert waits == [60, 120, 240, 480, 600, 600]

    def test_thousands_of_failures_overflow_nothing(self) -> None:
        made = gate()
        for number in range(3000):
            made.learn(ORIGIN, failure(), float(number))
        assert made.retry_at(ORIGIN) == 2999 + 6 * HOUR

    @pytest.mark.parametrize(
        ("asked", "wait"),
        [("5", 5), ("300", 300), ("999999", 6 * HOUR), ("0", 1), ("soon", 60)],
    )
    @pytest.mark.parametrize("status", [429, 503])
    def test_retry_after_is_heard(self, status: int, asked: str, wait: float) -> None:
        assert taught(page(status, retry_after=asked)).retry_at(ORIGIN) == wait

    def test_a_server_that_goes_on_failing_is_asked_less_often_than_it_says(self) -> None:
        made, now, waits = gate(failure_ceiling=100), 0.0, []
        for _ in range(6):
            made.learn(ORIGIN, page(429, retry_after="5"), now)
            waits.append(made.retry_at(ORIGIN) - now)
            now = made.retry_at(ORIGIN)
        assert waits == [5, 10, 20, 40, 80, 100]

    def test_success_ends_the_failure(self) -> None:
        made = taught(failure())
        made.learn(ORIGIN, failure(), 60)
        made.learn(ORIGIN, page(), 200)
        assert made.verdict(PUBLIC, 201) is Verdict.ALLOWED
        made.learn(ORIGIN, failure(), 2 * DAY)
        assert made.retry_at(ORIGIN) == 2 * DAY + 60

    def test_after_thirty_days_it_counts_as_missing(self) -> None:
        made = taught(page(503))
        made.learn(ORIGIN, page(503), 30 * DAY - 1)
        assert made.verdict(PUBLIC, 30 * DAY) is Verdict.UNREACHABLE
        made.learn(ORIGIN, failure(), 30 * DAY + HOUR)
        assert made.verdict(PRIVATE, 30 * DAY + HOUR + 1) is Verdict.ALLOWED
        made.learn(ORIGIN, failure(), 31 * DAY)
        assert made.verdict(PRIVATE, 31 * DAY + 1) is Verdict.ALLOWED

    def test_a_copy_serves_while_refreshing_fails(self) -> None:
        made = taught(page())
        made.learn(ORIGIN, failure(), DAY)
        assert made.verdict(PRIVATE, DAY + 1) is Verdict.DISALLOWED
        assert made.verdict(PUBLIC, DAY + 1) is Verdict.ALLOWED
        assert made.delay(ORIGIN) == 5.0
        assert made.verdict(PUBLIC, DAY + 60) is Verdict.UNKNOWN

    def test_but_not_for_ever(self) -> None:
        made = taught(page())
        made.learn(ORIGIN, failure(), 7 * DAY - 1)
        assert made.verdict(PUBLIC, 7 * DAY) is Verdict.ALLOWED
        made.learn(ORIGIN, failure(), 7 * DAY + 100)
        assert made.verdict(PUBLIC, 7 * DAY + 101) is Verdict.UNREACHABLE

    def test_a_missing_robots_txt_is_no_copy(self) -> None:
        made = taught(page(404))
        made.learn(ORIGIN, page(500), DAY)
        assert made.verdict(PUBLIC, DAY + 1) is Verdict.UNREACHABLE


class TestRedirect:
    def test_five_hops_across_hosts_are_followed(self) -> None:
        made = gate()
        at = made.request(ORIGIN)
        for hop in range(1, 6):
            target = made.learn(ORIGIN, page(301, at=at.text, location=f"http://h{hop}.test/r"), 0)
            assert target == url(f"http://h{hop}.test/r")
            at = target
        assert made.verdict(PUBLIC, 0) is Verdict.UNKNOWN
        assert made.learn(ORIGIN, page(at=at.text), 0) is None
        assert made.verdict(PRIVATE, 1) is Verdict.DISALLOWED
        assert made.verdict(url("http://h5.test/private/"), 1) is Verdict.UNKNOWN

    def test_a_sixth_counts_as_missing(self) -> None:
        made = gate()
        target = made.request(ORIGIN)
        hops = 0
        while target is not None:
            followed = made.learn(ORIGIN, page(302, at=target.text, location="/robots.txt"), 0)
            hops += 1
            target = followed  # type: ignore[assignment]
        assert hops == 6
        assert made.verdict(PRIVATE, 1) is Verdict.ALLOWED

    def test_each_search_counts_its_own_hops(self) -> None:
        made = gate()
        for _ in range(20):
            at = made.request(ORIGIN)
            assert made.learn(ORIGIN, page(301, at=at.text, location="/r"), 0) is not None

    @pytest.mark.parametrize(
        ("location", "target"),
        [
            ("r.txt", "http://other.test/a/r.txt"),
            ("/r.txt", "http://other.test/r.txt"),
            ("//third.test", "http://third.test/"),
            ("?q", "http://other.test/a/b?q"),
        ],
    )
    def test_a_hop_is_relative_to_the_last(self, location: str, target: str) -> None:
        hop = page(307, at="http://other.test/a/b", location=location)
        assert gate().learn(ORIGIN, hop, 0) == url(target)

    @pytest.mark.parametrize("location", ["", "http://", "ftp://x/robots.txt", "javascript:1"])
    def test_a_redirect_to_nowhere_counts_as_missing(self, location: str) -> None:
        assert taught(page(301, location=location)).verdict(PRIVATE, 1) is Verdict.ALLOWED

    @pytest.mark.parametrize("status", [300, 305, 399])
    def test_so_does_any_other_redirection(self, status: int) -> None:
        assert taught(page(status, location="/r")).verdict(PRIVATE, 1) is Verdict.ALLOWED

    def test_a_hop_that_fails_forbids_everything(self) -> None:
        made = gate()
        assert made.learn(ORIGIN, page(301, location="http://10.0.0.1/"), 0) is not None
        assert made.learn(ORIGIN, failure(Outcome.PRIVATE_ADDRESS), 0) is None
        assert made.verdict(PUBLIC, 1) is Verdict.UNREACHABLE

    def test_the_robots_txt_it_ends_at_is_learned_for_its_own_origin(self) -> None:
        made = gate()
        secure = made.learn(ORIGIN, page(301, location="https://example.org/robots.txt"), 0)
        assert secure is not None
        made.learn(ORIGIN, page(at=secure.text), 0)
        assert made.verdict(PRIVATE, 1) is Verdict.DISALLOWED
        assert made.verdict(url("https://example.org/private/a"), 1) is Verdict.DISALLOWED
        assert made.sitemaps("https://example.org") == ("https://example.org/map.xml",)


class TestDelayAndSitemaps:
    def test_crawl_delay_has_a_ceiling(self) -> None:
        assert taught(page()).delay(ORIGIN) == 5.0
        assert taught(page(), max_crawl_delay=2).delay(ORIGIN) == 2.0
        assert taught(page(404)).delay(ORIGIN) == 0.0
        assert gate().delay(ORIGIN) == 0.0

    def test_sitemaps_are_absolute_urls(self) -> None:
        body = b"Sitemap: https://cdn.test/s.xml#x\nSitemap: s.gz\nSitemap: mailto:a@b\nSitemap: http://["
        made = taught(page(body=body, at="http://www.example.org/robots.txt"))
        assert made.sitemaps(ORIGIN) == ("https://cdn.test/s.xml", "http://www.example.org/s.gz")
        assert made.sitemaps("http://unknown.test") == ()


class TestExplanation:
    def test_the_rule_and_its_line(self) -> None:
        assert taught(page()).explain(PRIVATE, 1) == Explanation(
            Verdict.DISALLOWED,
            "the longest rule for * that matches",
            rule="Disallow: /private/",
            line=2,
            agent="*",
            until=DAY,
        )

    @pytest.mark.parametrize(
        ("made", "target", "words"),
        [
            (gate(), PUBLIC, "not been asked for"),
            (taught(page(), now=-DAY), PUBLIC, "asked for again"),
            (taught(page()), PUBLIC, "no rule matches"),
            (
                taught(page(body=b"user-agent: *\ndisallow: /")),
                url(ORIGIN + "/robots.txt"),
                "itself",
            ),
            (taught(page(404)), PUBLIC, "no robots.txt (status 404)"),
            (taught(page(503)), PUBLIC, "status 503"),
            (taught(failure()), PUBLIC, "could not be fetched"),
            (taught(failure(), failure_limit=0), PUBLIC, "so long"),
        ],
    )
    def test_or_what_else_decided(self, made: Gate, target: Url, words: str) -> None:
        explanation = made.explain(target, 1)
        assert words in explanation.reason
        assert explanation.verdict is made.verdict(target, 1)
        assert (explanation.rule, explanation.line) == ("", 0)


def known_of(made: Gate) -> dict[str, KnownRobots]:
    """All that a gate knows, as a checkpoint has it."""
    known = msgspec.msgpack.decode(made.checkpoint(), type=list[KnownRobots])
    return {one.origin: one for one in known}


class TestMemory:
    def test_what_is_known_survives_the_disk(self) -> None:
        made = taught(page(body=RULES + "Disallow: /ä/*/\xff\n".encode()))
        made.learn("http://failing.test", failure(), 0)
        again = gate()
        again.replay([made.checkpoint()])
        assert known_of(again) == known_of(made)
        assert again.verdict(PRIVATE, 1) is Verdict.DISALLOWED
        assert again.verdict(url("http://failing.test/"), 1) is Verdict.UNREACHABLE
        assert again.explain(PRIVATE, 1) == made.explain(PRIVATE, 1)
        assert again.delay(ORIGIN) == 5.0

    def test_what_was_learned_since_a_commit_is_noted(self) -> None:
        made = taught(page())
        first = made.note()
        made.noted()
        assert made.note() == b"", "it is recorded"
        made.learn("http://failing.test", failure(), 0)
        again = gate()
        again.replay([first, made.note()])
        assert known_of(again) == known_of(made)

    def test_rules_for_another_agent_are_not_taken_over(self) -> None:
        other = Gate(RobotsSettings(), "Other")
        other.replay([taught(page()).checkpoint()])
        assert other.verdict(PRIVATE, 1) is Verdict.UNKNOWN

    def test_it_is_bounded(self) -> None:
        made = gate(cached_origins=10)
        for number in range(100):
            made.learn(f"http://h{number}.test", page(at=f"http://h{number}.test/robots.txt"), 0)
        statistics = made.statistics()
        assert (statistics.origins, statistics.evicted, statistics.rules) == (10, 90, 100)
        assert made.verdict(url("http://h99.test/"), 1) is Verdict.ALLOWED
        assert made.verdict(url("http://h0.test/"), 1) is Verdict.UNKNOWN

    def test_statistics_count_exchanges(self) -> None:
        made = taught(page(404))
        made.learn(ORIGIN, failure(), 1)
        made.learn(ORIGIN, page(301, location="/r"), 2)
        made.learn(ORIGIN, page(), 3)
        counted = made.statistics()
        assert (counted.rules, counted.unavailable) == (1, 1)
        assert (counted.unreachable, counted.redirects) == (1, 1)
        assert counted.bytes > 0
