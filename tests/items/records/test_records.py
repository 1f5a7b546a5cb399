"""Records of lists and their items, kinds of links, and the posts of threads."""

import pytest

from gossamer.items import read_items
from gossamer.items.records.link_purposes import LinkPurpose, link_purpose

URL = "https://forum.example/viewtopic.php?t=7"


def _threads(number: int) -> str:
    rows = "".join(
        f"""<li class="row {"odd" if n % 2 else "even"}"><a class="topictitle"
        href="/viewtopic.php?t={n}">A thread on tea number {n}</a> by <a href="/member/{n}">someone{n}</a>
        <a href="/viewtopic.php?t={n}&amp;view=print">Print</a> <a
        href="/newreply.php?t={n}">Reply</a></li>"""
        for n in range(number)
    )
    menu = '<li><a href="/">Home page of it</a></li><li><a href="/faq">Questions</a></li>'
    return f'<ul class="nav">{menu}</ul><ul>{rows}</ul>'


def _posts(number: int, heading: str = "") -> str:
    posts = "".join(
        f"""<div class="post bg{n % 2}" id="p{n}">{heading.format(n)}<p class="author">by <a class="username"
        href="/member/{n}">user{n}</a> » <time datetime="2020-05-0{n + 1}T10:00:00+00:00">May</time></p><div
        class="content">This is what post number {n} has to say on tea.</div><a
        href="/vote?p={n}">Like</a></div>"""
        for n in range(number)
    )
    return f"<h1>On tea</h1><div id=page>{posts}</div>"


def test_the_records_of_a_list_are_its_items_and_nothing_else() -> None:
    found = read_items(_threads(8), "https://forum.example/viewforum.php?f=2")
    assert found.records == tuple(f"https://forum.example/viewtopic.php?t={n}" for n in range(8))


def test_a_page_without_a_list_has_no_records() -> None:
    assert (
        read_items(
            "<p>One paragraph.</p><p>Another paragraph.</p><p>And more text.</p>", URL
        ).records
        == ()
    )


def test_posts_of_a_thread_in_their_order() -> None:
    found = read_items(_posts(3), URL).items
    assert [one.type for one in found] == ["DiscussionForumPosting"] * 3
    assert found[0].fields == {
        "text": "This is what post number 0 has to say on tea.",
        "position": 1,
        "datePublished": "2020-05-01T10:00:00+00:00",
        "identifier": "p0",
        "headline": "On tea",
    }
    assert [one.key for one in found] == [
        f"DiscussionForumPosting:forum.example:p{n}" for n in range(3)
    ]


def test_authors_of_posts_are_kept_when_asked_for() -> None:
    assert read_items(_posts(2), URL, has_persons=True).items[1].fields["author"] == "user1"


def test_comments_are_named_so() -> None:
    html = _posts(3).replace('class="post ', 'class="comment ')
    assert {one.type for one in read_items(html, URL).items} == {"Comment"}


def test_articles_with_headings_of_their_own_are_no_posts() -> None:
    assert read_items(_posts(4, '<h2><a href="/a{0}">Article {0}</a></h2>'), URL).items == ()


def test_posts_that_say_what_they_answer_are_posts() -> None:
    assert len(read_items(_posts(4, "<h3>Re: On tea</h3>"), URL).items) == 4


def test_structured_posts_are_not_read_twice() -> None:
    script = '<script type="application/ld+json">{"@type": "Comment", "text": "Tea"}</script>'
    assert [one.source for one in read_items(script + _posts(3), URL).items] == ["json-ld"]


@pytest.mark.parametrize(
    ("url", "label", "kind"),
    [
        ("https://a.example/posting.php?mode=reply&t=2", "", LinkPurpose.REPLY),
        ("https://a.example/2020/tea/?replytocom=9#respond", "Antworten", LinkPurpose.REPLY),
        ("https://a.example/list?sort=price&dir=asc", "Price", LinkPurpose.SORT),
        ("https://a.example/wp-login.php", "Log in", LinkPurpose.LOGIN),
        ("https://www.facebook.com/sharer.php?u=https://a.example/", "", LinkPurpose.SHARE),
        ("https://a.example/vote?id=9&how=up", "▲", LinkPurpose.VOTE),
        ("https://a.example/members/ada.7/", "Ada", LinkPurpose.USER),
        ("https://a.example/memberlist.php?mode=viewprofile&u=7", "Ada", LinkPurpose.USER),
        ("https://a.example/tea?print=1", "", LinkPurpose.PRINT),
        ("https://a.example/list?filter=green", "Green", LinkPurpose.FILTER),
        ("https://a.example/report.php?p=9", "", LinkPurpose.REPORT),
        ("https://a.example/tea/green-tea-42.html", "Green tea", LinkPurpose.OTHER),
        ("https://a.example/guide-for-all/tea.html", "A guide", LinkPurpose.OTHER),
        ("https://a.example/", "Home", LinkPurpose.OTHER),
    ],
)
def test_kinds_of_links(url: str, label: str, kind: LinkPurpose) -> None:
    assert link_purpose(url, label) is kind
