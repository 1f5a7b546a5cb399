"""What may be asked for outside of a crawl."""

from gossamer.core.url import Spelling
from gossamer.core.url_patterns import UrlPatterns
from gossamer.report.contents import ArchivedMarkup
from gossamer.report.crawled_site import Site
from gossamer.report.page_markup import Form, PageMarkup
from gossamer.report.references import References
from gossamer.report.sections.checked_links_section import outward_links
from tests.report.test_crawled_site import links, row

NOTHING = UrlPatterns("scope.exclude", [])


def outward(site: Site, *named: tuple[str, str, str], refused: str) -> set[str]:
    [batch] = links(*((*one, 1) for one in named))
    batch["refused"] = [refused] * len(named)
    return {
        *outward_links(
            References(site).take([batch]).outward, site, ArchivedMarkup(site, Spelling()), NOTHING
        )
    }


def test_links_out_of_scope_are_asked_for_and_what_was_excluded_is_not() -> None:
    site, link = Site([row("http://a/", 1)]), ("http://a/", "http://b/", "a")
    assert outward(site, link, refused="out_of_scope") == {"http://b/"}
    assert outward(site, link, refused="excluded") == set()


def test_nofollow_counts_within_a_host() -> None:
    site = Site([row("http://a/", 1)])
    named = (("http://a/", "http://a/cart?item=1", "a"), ("http://a/", "http://b/", "a"))
    assert outward(site, *named, refused="nofollow") == {"http://b/"}


def test_what_changes_something_is_not_asked_for() -> None:
    site = Site([row("http://a/", 1)])
    named = ("http://a/", "http://b/node/5/delete", "a")
    assert outward(site, named, refused="out_of_scope") == set()


def test_a_redirect_out_of_the_crawl_is_asked_for_where_it_leads() -> None:
    moved = row(
        "http://a/b", 1, status=301, redirect_to="http://b/", redirect_refused="out_of_scope"
    )
    site = Site([row("http://a/", 1), moved])
    [batch] = links(("http://a/", "http://a/b", "a", 1))
    found = References(site).take([batch]).outward
    assert [*found] == ["http://b/"]


def test_forms_are_asked_for_unless_they_post() -> None:
    site = Site([row("http://a/", 1)])
    contents = ArchivedMarkup(site, Spelling())
    page = site.get("http://a/")
    assert page is not None
    forms = [Form("/search", "get"), Form("/buy", "post"), Form("/logout", "get"), Form("", "get")]
    contents.take(page, PageMarkup(forms=forms), "utf-8", is_whole=True)
    assert {*outward_links({}, site, contents, NOTHING)} == {"http://a/search"}
