"""Pages, questions and files that mean harm: nothing but plain text reaches the terminal."""

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.cli import run
from gossamer.core.directory import Directory
from gossamer.core.errors import DirectoryError
from gossamer.core.settings import Settings
from gossamer.search import Hit, QueryError, TextIndex
from gossamer.search.build import Index
from gossamer.search.fields import IndexedPage
from tests.examples import examples
from tests.search.made import pages, questions, write_index

ODD = "\x1b]0;owned\x07\x1b[31m<b>red</b> <script>1</script> \u202egnp.exe\u2066 \x9b2J\r\n\0 end\u200f"
PAGE = IndexedPage(
    "http://a.test/odd",
    title=ODD,
    headings=(ODD,),
    anchors=(ODD,),
    description=ODD,
    main_text=f"kettle {ODD} kettle",
    full_text=f"kettle {ODD} kettle",
    language="en",
)


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl directory with an index of odd pages, cut into two shards."""
    out = tmp_path_factory.mktemp("crawl")
    Directory(out).write_settings(Settings())
    some = [PAGE, *pages(20)]
    write_index(out / "index", some, 2, lambda page: (len(page.url) % 2, 0))
    return out


@pytest.fixture(scope="module")
def index(crawl: Path) -> Index:
    return Index.open(crawl)


def test_a_title_that_means_harm_is_shown_as_text(
    crawl: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["search", str(crawl), "kettle"]) == 0
    shown = capsys.readouterr().out
    assert "<b>red</b>" in shown
    assert all(one.isprintable() or one == "\n" for one in shown)
    assert shown.splitlines()[1].startswith("  http://a.test/odd")


def test_json_has_the_title_as_it_is_and_no_such_character(
    crawl: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["search", str(crawl), "kettle", "--json"]) == 0
    [line] = capsys.readouterr().out.splitlines()
    assert all(one.isprintable() for one in line)
    hit = json.loads(line)
    assert (hit["url"], hit["title"]) == (PAGE.url, ODD)
    assert {"text", "marks"} == {*hit["snippet"]}
    [same] = Index.open(crawl).search("kettle").hits
    assert (same.url, same.title, same.score) == (hit["url"], hit["title"], hit["score"])


@pytest.mark.parametrize(
    "question",
    [
        "related:http://nowhere.test/\x1b[31m",
        "after:\x1b[31m",
        "link:\u202e",
        "a\ud800b after:\udcff",
    ],
)
def test_what_is_refused_is_repeated_as_text(
    crawl: Path, question: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["search", str(crawl), question]) == 1
    said = capsys.readouterr().err
    assert said.startswith("gossamer: ")
    assert said.count("\n") == 1
    assert all(one.isprintable() for one in said.rstrip("\n"))


CONDITIONS = (
    "site",
    "inurl",
    "intitle",
    "lang",
    "type",
    "after",
    "before",
    "link",
    "related",
    "no",
)
PIECES = st.one_of(
    st.sampled_from(['"', "(", ")", "|", "-", "+", " ", " OR ", " AND ", " NOT ", "kettle", "http://"]),
    st.sampled_from([f"{name}:" for name in CONDITIONS]),
    st.sampled_from(["爬虫", "паук", "αράχνη", "הזחלן", "الزاحف", "크롤러", "ข้อมูล", "ობობა"]),
    st.text(max_size=6),
    st.characters(categories=["Cs", "Cc", "Cf"]),
    st.from_regex(r"-?[0-9]{1,5}(-[0-9]{1,3}){0,2}", fullmatch=True),
)  # fmt: skip


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(PIECES, max_size=14).map("".join), st.integers(-1, 3), st.integers(0, 2))
def test_every_question_has_an_answer_or_one_line(
    index: Index, question: str, limit: int, most: int
) -> None:
    hits, said = tuple[Hit, ...](), ""
    try:
        hits = index.search(question, limit, most_of_host=most).hits
    except QueryError as error:
        said = str(error)
    assert said.isprintable()
    assert len(hits) <= max(0, limit)


@pytest.mark.parametrize("kind", ["idx", "pos", "term", "store", "fast", "fieldnorm", "json"])
def test_damage_is_one_line_or_does_no_harm(tmp_path: Path, kind: str) -> None:
    write_index(tmp_path, pages(30))
    random = Random(kind)
    for file in tmp_path.glob(f"00000/*.{kind}"):
        data = bytearray(file.read_bytes())
        for _ in range(20):
            data[random.randrange(len(data))] ^= 1 << random.randrange(8)
        file.write_bytes(data)
    said = "rebuild the index with --rebuild"
    try:
        index = TextIndex(tmp_path)
        for question in questions(5):
            index.search(question)
    except DirectoryError as error:
        said = str(error)
    assert "rebuild the index with --rebuild" in said
    assert "\n" not in said


def test_cut_files_are_one_line(tmp_path: Path) -> None:
    write_index(tmp_path, pages(30))
    for file in tmp_path.glob("00000/*.store"):
        file.write_bytes(file.read_bytes()[:-10])
    with pytest.raises(DirectoryError, match="rebuild the index with --rebuild"):
        TextIndex(tmp_path).search("site:test")
