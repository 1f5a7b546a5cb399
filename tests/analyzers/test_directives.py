"""What a page asks of robots, and whether it is obeyed."""

from gossamer.analyzers.directives import DirectiveAnalyzer
from gossamer.core.analyzer_protocol import AnalyzerPlace
from gossamer.core.outcomes import Outcome, Refusal
from gossamer.core.page_batch import PageBatch
from gossamer.core.records import Document, Headers, Judged, Page, Visit
from gossamer.core.settings import ScopeSettings, Settings
from tests.present import parse


def page(*, may_index: bool = True, may_follow: bool = True, location: str = "") -> Judged:
    status, fields = (301, [("Location", location)]) if location else (200, [])
    visit = Visit(parse("http://a.test/"))
    arrived = Page(visit, Outcome.FETCHED, 0.0, status=status, headers=Headers(fields))
    return Judged(Document(arrived, is_indexable=may_index, is_followable=may_follow))


def test_links_of_pages_that_ask_for_it_are_not_followed() -> None:
    batch = PageBatch([page(), page(may_index=False), page(may_follow=False)])
    columns = DirectiveAnalyzer(AnalyzerPlace(Settings())).look(batch)
    assert columns == {
        "is_indexable": [True, False, True],
        "is_followable": [True, True, False],
    }
    assert [one.refusal for one in batch.pages] == [None, None, Refusal.NOFOLLOW]


def test_where_a_redirect_leads_is_no_link() -> None:
    batch = PageBatch([page(may_follow=False, location="/b")])
    DirectiveAnalyzer(AnalyzerPlace(Settings())).look(batch)
    assert batch.pages[0].refusal is None


def test_a_crawl_may_follow_all_the_same() -> None:
    disobedient = Settings(scope=ScopeSettings(nofollow=False))
    analyzer = DirectiveAnalyzer(AnalyzerPlace(Settings()))
    analyzer.change(disobedient)
    for one in (analyzer, DirectiveAnalyzer(AnalyzerPlace(disobedient))):
        batch = PageBatch([page(may_follow=False)])
        assert one.look(batch)["is_followable"] == [False]
        assert batch.pages[0].refusal is None
