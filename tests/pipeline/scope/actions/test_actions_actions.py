"""Links that do something are told from pages about the same words."""

import pytest

from gossamer.core.records import Link
from gossamer.core.url import Url, parse
from gossamer.pipeline.scope import find_action
from gossamer.pipeline.scope.actions.action_words import VERBS

ACTIONS = [
    "/logout",
    "/user/logout/",
    "/account/signout?successPage=%2F",
    "/logout.php",
    "/wp-login.php?action=logout&_wpnonce=03d8175509",
    "/wp-admin/post.php?post=5&action=trash&_wpnonce=03d8175509",
    "/wp-admin/comment.php?c=4&action=unapprovecomment&_wpnonce=1",
    "/wp-admin/post.php?post=5&action=edit",
    "/wp-admin/post-new.php?post_type=page",
    "/wp-admin/admin.php?page=x&my-nonce=12ab",
    "/doku.php?id=start&do=logout&sectok=",
    "/doku.php?id=start&do=edit",
    "/lib/exe/mediamanager.php?ns=wiki&delete=wiki%3Aa.png&sectok=9f",
    "/forum/ucp.php?mode=logout&sid=77f0",
    "/forum/posting.php?mode=delete&f=2&p=5",
    "/forum/viewtopic.php?t=5&watch=topic&hash=9f1c",
    "/forum/viewforum.php?f=2&hash=9f1c&mark=topics",
    "/smf/index.php?action=logout;c7f1=90ab",
    "/smf/index.php?action=deletemsg;topic=1.0;msg=3",
    "/mybb/member.php?action=logout&logoutkey=ab",
    "/mybb/misc.php?action=markread&fid=2",
    "/vb/login.php?do=logout&logouthash=1-2",
    "/delete.php?id=5",
    "/delete_comment.php?id=5",
    "/delete/5",
    "/node/5/delete",
    "/posts/5/like",
    "/blog/12/edit",
    "/wiki/Page/7/delete",
    "/comments/12/upvote",
    "/cart/add/5",
    "/shop/?add-to-cart=15",
    "/cart/?remove_item=ab12&_wpnonce=9",
    "/?like_comment=491&_wpnonce=681c",
    "/vote?id=7&how=up&auth=9f&goto=news",
    "/index.php?title=Special:UserLogout&returnto=Main",
    "/wiki/Spezial:Abmelden",
    "/w/index.php?title=Main&action=watch",
    "/w/index.php?title=Main&action=rollback&from=x&token=y",
    "/index.php?option=com_users&task=user.logout",
    "/course/view.php?id=2&edit=on&sesskey=9f",
    "/list?unsubscribe=me%40example.org",
    "/t?_method=delete",
    "/abmelden",
    "/admin/delete/7",
]


@pytest.mark.parametrize("path", ACTIONS)
def test_an_action_is_known_by_its_url(path: str) -> None:
    assert _found(path)


SAID = [
    ("/exit", "Log out"),
    ("/session?u=7", "Abmelden"),
    ("/x.php?u=7", "Déconnexion"),
    ("/x.php?p=12", "Löschen"),
    ("/x.php?p=12", "[Delete]"),
    ("/item/12", "× Remove"),
    ("/item/12", "Supprimer"),
    ("/f.php?f=3", "Mark all as read"),
]


@pytest.mark.parametrize(("path", "anchor"), SAID)
def test_an_action_is_known_by_its_words(path: str, anchor: str) -> None:
    assert _found(path, anchor)
    assert not _found(path, "An ordinary title")


def test_an_action_is_known_by_its_rel() -> None:
    assert _found("/thing/x", rel="edit") == "rel=edit"
    assert not _found("/thing/x", rel="editors-pick")


HONEST = [
    "/",
    "/delete.html",
    "/wiki/Delete",
    "/wiki/Logout",
    "/sql-delete.html",
    "/docs/sql/delete",
    "/docs/authenticate/logout",
    "/help/logout",
    "/how-to-vote",
    "/blog/how-to-delete-your-account",
    "/tag/remove",
    "/tag/delete/2",
    "/t/delete-my-account/1234",
    "/t/delete/1234",
    "/viewtopic.php?t=5&sid=77f0",
    "/search.php?keywords=delete&sid=77f0",
    "/?s=vote",
    "/?q=remove&page=2",
    "/index.php?title=Delete",
    "/w/index.php?title=Special:Log&type=delete&page=Main",
    "/w/index.php?title=Main&action=history",
    "/doku.php?id=start&do=diff",
    "/doku.php?id=start&do=login&sectok=9f",
    "/2024/11/05/vote",
    "/2024/delete",
    "/vote/2024",
    "/watch/1234",
    "/archive/2023",
    "/report/2023/edit-distance",
    "/episode/5/watch",
    "/wp-admin/edit.php?post_type=page",
    "/wp-admin/edit-comments.php?comment_status=approved",
    "/?preview_id=5&preview_nonce=9f&preview=true",
    "/download?file=7&token=abc",
    "/manual/en/function.delete.php",
    "/list?mode=deleted",
    "/members?do=subscribers",
    "/index.php?action=view_report",
    "/products?remove=color",
    "/shop?order=5",
    "/products?delete=0",
    "/library/os.html",
    "/logout-page-design",
    "/edit",
    "/static/delete.png",
    "/lib/exe/fetch.php?tok=9f&media=x.png",
]


@pytest.mark.parametrize("path", HONEST)
def test_a_page_about_such_words_is_left_in_peace(path: str) -> None:
    assert not _found(path)


TITLES = [
    ("/wiki/Delete", "Delete"),
    ("/sql-delete.html", "DELETE"),
    ("/index.php?title=Delete&oldid=5", "Delete"),
    ("/search?q=delete&page=2", "delete"),
    ("/docs/12/overview", "Delete"),
    ("/library/os.html", "remove"),
    ("/article/12", "How to delete"),
    ("/tag/remove", "remove"),
]


@pytest.mark.parametrize(("path", "anchor"), TITLES)
def test_a_title_is_no_action(path: str, anchor: str) -> None:
    assert not _found(path, anchor)


def test_a_page_that_leads_to_itself_is_no_action() -> None:
    """Its link has a script behind it, and its URL is that of the page."""
    target = _parse("/story/18348200")
    assert not find_action(Link(target.text, target, anchor="Logout"))
    assert find_action(Link(_parse("/other").text, target, anchor="Logout"))


SHAPES = [
    *(
        "/{word}.html",
        "/wiki/{word}",
        "/docs/{word}",
        "/docs/x/{word}/",
        "/tag/{word}",
        "/tags/{word}/2",
    ),
    *(
        "/how-to-{word}",
        "/{word}-explained",
        "/t/how-to-{word}/17",
        "/2021/03/{word}-day",
        "/2021/03/04/{word}",
    ),
    *("/search?q={word}", "/search?q={word}&page=3", "/index.php?title={word}", "/img/{word}.png"),
    *("/manual/function.{word}.php", "/news/{word}", "/forum/viewtopic.php?t=7&highlight={word}"),
    *("/glossary/{word}", "/api/reference/{word}", "/sql-{word}.html", "/a/{word}/overview.html"),
]


@pytest.mark.parametrize("shape", SHAPES)
def test_no_honest_url_is_caught_whatever_the_word(shape: str) -> None:
    for word in sorted(VERBS):
        for spelled in (word, word.title(), word.upper()):
            path = shape.format(word=spelled)
            assert not _found(path), path
            assert not _found(path, spelled), f"{spelled}: {path}"


def _found(path: str, anchor: str = "", rel: str = "") -> str:
    return find_action(Link("http://a.test/here", _parse(path), anchor=anchor, rel=rel))


def _parse(path: str) -> Url:
    url = parse(f"http://a.test{path}")
    assert url is not None
    return url
