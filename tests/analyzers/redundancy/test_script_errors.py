"""Scripts that never say "not found", beside honest ones whose pages look alike."""

import re
from collections.abc import Callable, Iterable, Sequence

import pytest
from msgspec.structs import replace

from gossamer.analyzers.redundancy.script_answers import ask_for, read_query
from gossamer.analyzers.redundancy.script_errors import ScriptState
from gossamer.analyzers.redundancy.soft_error_detection import SoftErrorDetector
from gossamer.analyzers.redundancy.text_signature import read_said
from gossamer.core.page_links import Links
from gossamer.core.records import Original, Via
from gossamer.core.settings import DetectSettings
from gossamer.core.url import Spelling
from tests.pipeline.scope.scope_pages import kept, prose
from tests.present import parse

A = "http://a.test"
SORRY = "Sorry, there is no page {} on this server, how about another page"

Answering = Callable[[str], tuple[int, str, Sequence[str]]]
"""From a path to a status, a text and links."""


class World:
    """A host that answers, and a redundancy filter that sees it."""

    def __init__(self, answers: Answering, states: Iterable[ScriptState] = ()) -> None:
        self.answers = answers
        self.soft = SoftErrorDetector(DetectSettings(same_answers=3), Spelling(), (), states)
        self.asked: list[str] = []
        self.original: str = ""

    def visit(self, path: str, new_words: int = 0, via: Via = Via.LINK) -> bool:
        status, text, links = self.answers(path)
        location = text if 300 <= status < 400 else ""
        found = kept(A + path, "" if location else text, status=status, location=location, via=via)
        targets = [parse(A + link) for link in links]
        document = replace(found.document, links=Links(A + path, targets))
        original = Original(A + self.original, 0.0) if self.original else None
        found = replace(found, document=document, new_words=new_words, same_text_as=original)
        return self.soft.judge(found, read_said(found).masked)

    def go_on(self) -> None:
        """Let the host answer what it is asked."""
        for question in self.soft.questions():
            path = question.url.text.removeprefix(A)
            self.asked.append(path)
            assert not self.visit(path, via=Via.PROBE)

    def look_at(self, *paths: str, new_words: int = 0) -> list[str]:
        """Those that are marked."""
        marked = []
        for path in paths:
            marked += [path] if self.visit(path, new_words) else []
            self.go_on()
        return marked


PAGES = {"about": 11, "tea": 222, "wiki:start": 3333, "cup": 44444}


def value_of(path: str) -> str:
    query = read_query(A + path)
    assert query is not None
    return query.values.get("page", "")


def wiki(path: str) -> tuple[int, str, Sequence[str]]:
    """One script; a page that does not exist has its name in the text, and a link to create it."""
    name = value_of(path)
    number = PAGES.get(name)
    links = ["/w.php?page=about", f"/w.php?page={name}&do=edit"]
    return (200, prose(number), links) if number else (200, SORRY.format(name), links)


def good(pattern: str = "/w.php?page={}") -> list[str]:
    return [pattern.format(name) for name in PAGES]


LOST = [f"/w.php?page=lost:{name}" for name in ("leaf", "page", "root", "stem")]


def test_a_script_is_asked_once_for_a_page_that_cannot_exist() -> None:
    world = World(wiki)
    world.look_at(*good(), new_words=90)
    world.look_at(*LOST)
    [question] = world.asked
    assert question.startswith("/w.php?page=lost:")
    assert question not in LOST
    assert world.look_at("/w.php?page=nowhere", "/w.php?page=another_page") == [
        "/w.php?page=nowhere",
        "/w.php?page=another_page",
    ]
    assert world.look_at(*good()) == [], "what has a page is one, though nothing in it is new"
    assert world.look_at("/w.php?page=nowhere", new_words=60) == [], "there is something new in it"


def test_what_was_found_out_survives_a_restart() -> None:
    world = World(wiki)
    world.look_at(*good(), new_words=90)
    world.look_at(*LOST)
    again = World(wiki, world.soft.script_states())
    assert again.look_at("/w.php?page=nowhere") == ["/w.php?page=nowhere"]
    assert again.asked == []


def test_redirects_of_a_script() -> None:
    def answers(path: str) -> tuple[int, str, Sequence[str]]:
        name = value_of(path)
        return (302, f"/sorry?was={name}", ()) if name not in PAGES else wiki(path)

    world = World(answers)
    world.look_at(*good(), new_words=90)
    world.look_at(*LOST)
    assert world.look_at("/w.php?page=nowhere", "/w.php?page=tea") == ["/w.php?page=nowhere"]


def says_so(path: str) -> tuple[int, str, Sequence[str]]:
    status, text, links = wiki(path)
    return (status if text[0] != "S" or path in LOST else 404), text, links


def search(path: str) -> tuple[int, str, Sequence[str]]:
    """A search that repeats the word, and sometimes finds a page that has no words."""
    name = value_of(path)
    found = [f"/leaf/{len(name)}"] if name.startswith("word") and len(name) % 3 else []
    return 200, f"You searched for {name} and there are these leaves", found


def table(path: str) -> tuple[int, str, Sequence[str]]:
    """One number on each page, none where there is no such station."""
    name = value_of(path)
    number = "" if len(name) > 5 else str(int(name) * 37)
    return 200, f"The temperature at station {name} of our network is now {number} degrees", ()


def gallery(path: str) -> tuple[int, str, Sequence[str]]:
    """Pictures without a word; there are none on a page that does not exist."""
    name = value_of(path)
    pictures = [] if len(name) > 5 else [f"/picture?id={name}{place}" for place in range(9)]
    return 200, "All the pictures of our gallery on many pages", pictures


def pages_beyond_the_end(path: str) -> tuple[int, str, Sequence[str]]:
    """Empty pages of a list, each with a link to the next."""
    number = int(value_of(path))
    text = prose(number * 37) if number < 4 else "There are no entries on this page of the list"
    return 200, text, [f"/w.php?page={number + 1}"]


NUMBERS = [f"/w.php?page={number}" for number in range(1, 4)]


@pytest.mark.parametrize(
    ("answers", "pages", "more"),
    [
        (says_so, good(), [*LOST, *LOST]),
        (table, NUMBERS, [f"/w.php?page={number}" for number in range(10, 30)]),
        (gallery, NUMBERS, [f"/w.php?page={number}" for number in range(10, 30)]),
        (pages_beyond_the_end, NUMBERS, [f"/w.php?page={number}" for number in range(10, 30)]),
    ],
)
def test_no_page_of_an_honest_script_is_marked(
    answers: Answering, pages: list[str], more: list[str]
) -> None:
    world = World(answers)
    assert world.look_at(*pages, new_words=90) == []
    assert world.look_at(*more) == []


def test_of_a_search_only_what_found_nothing_is_marked() -> None:
    words = [f"/w.php?page=word{'x' * place}" for place in range(1, 30)]
    world = World(search)
    world.look_at(*good(), new_words=90)
    marked = world.look_at(*words)
    assert len(world.asked) == 1
    assert marked
    assert [path for path in marked if search(path)[2]] == []


def test_a_session_is_no_reason_to_ask() -> None:
    def answers(path: str) -> tuple[int, str, Sequence[str]]:
        return 200, prose(PAGES[value_of(path)]), ()

    world = World(answers)
    world.look_at(*good("/w.php?page={}&sid=1"), new_words=90)
    assert world.look_at(*(f"/w.php?page=tea&sid={number}" for number in range(2, 30))) == []
    assert world.asked == [], "whatever the session, the page is that of its name"


def test_the_home_page_as_an_answer_is_a_copy_and_no_error() -> None:
    def answers(path: str) -> tuple[int, str, Sequence[str]]:
        return 200, prose(PAGES.get(value_of(path), 777)), ()

    world = World(answers)
    world.look_at(*good(), new_words=90)
    world.original = "/"
    assert world.look_at(*LOST, "/w.php?page=nowhere") == []
    assert len(world.asked) == 1


def test_few_scripts_of_a_host_are_asked() -> None:
    def answers(path: str) -> tuple[int, str, Sequence[str]]:
        return wiki(path.replace(path.partition("?")[0], "/w.php"))

    world = World(answers)
    for number in range(30):
        world.look_at(*(path.replace("w.php", f"w{number}.php") for path in good()), new_words=90)
        world.look_at(*(path.replace("w.php", f"w{number}.php") for path in LOST))
    assert len(world.asked) == 4


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("/?id=17&x=1", r"/\?id=7\d{8}&x=1"),
        ("/?x=1;id=wiki:tea_cup", r"/\?x=1;id=wiki:tea_[a-p]{16}"),
        ("/?id=0123456789abcdef0123", r"/\?id=[0-9a-f]{20}"),
        ("/?id=caf%C3%A9.html", r"/\?id=[a-p]{16}\.html"),
        ("/?id=", r"/\?id=[a-p]{16}"),
    ],
)
def test_a_question_is_of_the_kind_that_the_script_knows(url: str, kind: str) -> None:
    assert re.fullmatch(kind, ask_for(A + url, "id", 0x123456789ABCDEF0).removeprefix(A))
