"""What a small index answers."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gossamer.core.errors import DirectoryError
from gossamer.core.settings import SearchSettings
from gossamer.search import QueryError, TextIndex
from gossamer.search.fields import FORMAT, IndexedPage, key_of, weights_of
from gossamer.search.index_manifest import IndexManifest, shard_folder, write_manifest
from gossamer.search.shard import ShardWriter
from gossamer.search.snippet import make_snippet
from gossamer.search.terms import GROUPS
from tests.examples import examples

DAY = 86400
LATIN = "The polite crawler waits between two visits to a host. "
SCRIPTS = {
    "Arabic": ("ar", "الزاحف ينتظر بين الزيارات", "الزاحف"),
    "Armenian": ("hy", "Սողունը սպասում է այցերի միջև", "սպասում"),
    "Chinese": ("zh", "网络爬虫在两次访问之间等待", "爬虫"),
    "Cyrillic": ("ru", "Вежливый паук ждёт между посещениями", "паук"),
    "Devanagari": ("hi", "विनम्र क्रॉलर यात्राओं के बीच प्रतीक्षा करता है", "क्रॉलर"),
    "Georgian": ("ka", "თავაზიანი ობობა ელოდება ვიზიტებს შორის", "ობობა"),
    "Greek": ("el", "Η ευγενική αράχνη περιμένει", "αράχνη"),
    "Hebrew": ("he", "הזחלן המנומס ממתין בין ביקורים", "הזחלן"),
    "Japanese": ("ja", "丁寧なクローラーは訪問の間に待ちます", "クローラー"),
    "Korean": ("ko", "예의 바른 크롤러는 방문 사이에 기다립니다", "크롤러"),
    "Tamil": ("ta", "கண்ணியமான வலைச்சிலந்தி காத்திருக்கிறது", "வலைச்சிலந்தி"),
    "Thai": ("th", "โปรแกรมรวบรวมข้อมูลรอระหว่างการเยี่ยมชม", "ข้อมูล"),
}


def page(name: str, text: str = LATIN, **parts: object) -> IndexedPage:
    said = {
        "main_text": text,
        "full_text": text,
        "language": "en",
        "media_type": "text/html",
        **parts,
    }
    return IndexedPage(f"http://{name}", **said)  # type: ignore[arg-type]


def index_of(
    folder: Path,
    pages: Sequence[IndexedPage],
    settings: SearchSettings = SearchSettings(),  # noqa: B008  # it cannot change
    links: dict[str, list[str]] | None = None,
) -> TextIndex:
    links = links or {}
    weights = weights_of(settings)
    shard = ShardWriter(shard_folder(folder, 0), weights, 1 << 24)
    for one in pages:
        shard.put(one, key_of(one.url), 1)
    shard.commit()
    shard.close()
    write_manifest(folder, IndexManifest(FORMAT, 1, weights, GROUPS))
    return TextIndex(folder, lambda url: links.get(url.partition("://")[2], []), settings)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> TextIndex:
    pages = [
        page("a.test/crawler", title="Crawler", moment=10 * DAY),
        page("a.test/dns", "How names are resolved. A crawler asks often.", title="DNS"),
        page("a.test/robots", f"{LATIN}Robots exclusion.", headings=("Robots exclusion",)),
        page("docs.b.test/guide-to-sitemaps", "Lists of pages.", anchors=("sitemap guide",) * 2),
        page("b.test/paper", "Mercator", media_type="application/pdf", moment=400 * DAY),
        page("b.test/haus", "Die Häuser stehen am Fluss.", language="de"),
        page("c.test/", "Nothing here.", full_text="Nothing here.\nimprint contact", also=("http://d.test/",)),
        page("c.test/odd", "odd", title="\x1b[31m<b>red\u202e\n</b>\0", description="d"),
        *(page(f"{name}.script.test/", text, language=code) for name, (code, text, _) in SCRIPTS.items()),
    ]  # fmt: skip
    folder = tmp_path_factory.mktemp("index")
    return index_of(folder, pages, links={"a.test/dns": ["http://a.test/crawler"]})


def urls(index: TextIndex, question: str, limit: int = 10) -> list[str]:
    return [hit.url.removeprefix("http://") for hit in index.search(question, limit).hits]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("mercator", ["b.test/paper"]),
        ("HÄUSER", ["b.test/haus"]),
        ("haus", ["b.test/haus"]),
        ('"names are resolved"', ["a.test/dns"]),
        ("crawler site:a.test -robots -dns", ["a.test/crawler"]),
        ("site:b.test lists", ["docs.b.test/guide-to-sitemaps"]),
        ("sitemap", ["docs.b.test/guide-to-sitemaps"]),
        ("type:pdf", ["b.test/paper"]),
        ("lang:de", ["b.test/haus"]),
        ("intitle:crawler", ["a.test/crawler"]),
        ("inurl:guide", ["docs.b.test/guide-to-sitemaps"]),
        ("after:1971", ["b.test/paper"]),
        ("crawler after:1970-01-11 before:1970-01-12", ["a.test/crawler"]),
        ("link:http://a.test/dns", ["a.test/crawler"]),
        ("imprint", ["c.test/"]),
        ("mercator OR sitemap", ["b.test/paper", "docs.b.test/guide-to-sitemaps"]),
    ],
)
def test_what_is_asked_for_is_found(index: TextIndex, question: str, expected: list[str]) -> None:
    found = index.search(question)
    assert sorted(urls(index, question)[: found.total]) == sorted(expected)
    assert found.total == len(expected)


def test_a_page_that_is_called_so_comes_before_one_that_says_so(index: TextIndex) -> None:
    assert urls(index, "crawler")[0] == "a.test/crawler"
    assert urls(index, "robots exclusion")[0] == "a.test/robots"


def test_pages_with_some_of_the_words_follow_those_with_all(index: TextIndex) -> None:
    found = index.search("crawler robots mercator")
    assert found.total == 0
    assert {hit.url for hit in found.hits} >= {"http://a.test/robots", "http://b.test/paper"}


def test_words_that_say_nothing_are_left_out(index: TextIndex) -> None:
    assert index.search("is the mercator").total == 1
    assert index.search("the").total > 1, "unless there is no other"
    assert index.search('"to a host"').total == 2, "in phrases they count"


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts(index: TextIndex, script: str) -> None:
    found = index.search(SCRIPTS[script][2])
    assert [hit.url for hit in found.hits][:1] == [f"http://{script}.script.test/"]
    assert found.total == 1
    assert found.hits[0].snippet.marks, "the word is shown"


def test_words_of_the_question_are_marked(index: TextIndex) -> None:
    snippet = index.search("visiting hosts").hits[0].snippet
    marked = snippet.marked("[", "]")
    assert marked.startswith("The polite crawler waits between two [visits] to a [host].")


def test_what_moves_a_cursor_is_not_shown(index: TextIndex) -> None:
    [hit] = index.search("inurl:odd").hits
    assert hit.snippet.text == "odd"
    assert hit.title.startswith("\x1b"), "the title is the page's own; whoever prints it takes care"


def test_a_mistyped_word(index: TextIndex) -> None:
    assert index.search("sitmap").suggestion == "sitemap"
    assert index.search("sitemap").suggestion == ""


def test_pages_that_are_alike_take_no_place_from_others(tmp_path: Path) -> None:
    """Eight copies become one result: there are as many results as were asked for all the same."""
    words = "penguins breed on cold islands "
    alike = [page(f"alike.test/{one}", words * 9, group=7) for one in range(8)]
    others = [page(f"{one}.test/", words + LATIN * 2) for one in "abcdef"]
    unlike = [page(f"unlike.test/{one}", LATIN) for one in range(30)]
    asked = page("asked.test/", words * 5)
    index = index_of(tmp_path, [asked, *alike, *others, *unlike])
    found = [hit.url for hit in index.search("related:http://asked.test/", 4).hits]
    assert len(found) == 4
    assert sum("alike.test/" in url for url in found) == 1


def test_a_page_about_the_same(index: TextIndex) -> None:
    assert urls(index, "related:http://a.test/robots")[0] == "a.test/crawler"
    with pytest.raises(QueryError, match="is not in the index"):
        index.search("related:http://nowhere.test/")
    with pytest.raises(QueryError, match="must be the only term"):
        index.search("related:http://a.test/robots crawler")


def test_hosts_take_turns_and_likes_are_folded(tmp_path: Path) -> None:
    many = [page(f"a.test/{number}", f"tea {number}", title="Tea") for number in range(5)]
    likes = [page(f"c.test/{number}", "tea for two", group=7) for number in range(3)]
    index = index_of(tmp_path / "index", [*many, page("b.test/", "tea"), *likes])
    hosts = [hit.url.split("/")[2] for hit in index.search("tea").hits]
    assert hosts[:2] == ["a.test", "a.test"]
    assert {*hosts[2:4]} == {"b.test", "c.test"}
    assert hosts[4:] == ["a.test"] * 3
    [folded] = [hit for hit in index.search("tea").hits if "c.test" in hit.url]
    assert len(folded.also) == 2
    assert index.search("tea", most_of_host=0).hits[4].url.startswith("http://a.test")


def test_of_equals_the_one_that_is_worth_more_comes_first(tmp_path: Path) -> None:
    pages = [page(f"{name}.test/", "tea", worth=worth) for name, worth in (("a", 0.1), ("b", 0.9))]
    assert urls(index_of(tmp_path / "index", pages), "tea") == ["b.test/", "a.test/"]


def test_a_page_that_is_put_again_replaces_what_was_there(tmp_path: Path) -> None:
    index_of(tmp_path / "index", [page("a.test/", "old words"), page("b.test/", "others")])
    index = index_of(tmp_path / "index", [page("a.test/", "new words")])
    assert len(index) == 2
    assert index.search("old").total == 0
    assert urls(index, "new") == ["a.test/"]


def test_no_index_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError, match="has no index; make one with: gossamer index"):
        TextIndex(tmp_path / "index")


@pytest.mark.parametrize("name", ["meta.json", "*.store"])
def test_a_shard_that_is_damaged_is_one_line(tmp_path: Path, name: str) -> None:
    """It is not taken for an index without pages."""
    index_of(tmp_path / "index", [page("a.test/", "tea")])
    for path in shard_folder(tmp_path / "index", 0).glob(name):
        path.unlink()
    with pytest.raises(DirectoryError, match="rebuild the index with --rebuild"):
        TextIndex(tmp_path / "index")


@pytest.mark.parametrize(
    ("text", "words"), [("{", "damaged"), ('{"format": 9, "shards": 1, "weights": {}}', "format 9")]
)
def test_a_manifest_that_cannot_be_read_is_one_line(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(DirectoryError, match=words):
        TextIndex(tmp_path)


@settings(
    max_examples=examples(150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.text(max_size=40)
    | st.lists(
        st.sampled_from(
            ['"', "(", "-", " OR ", "crawler", "site:", "a", "漢字", "ü", "after:2026"]
        ),
        max_size=12,
    ).map("".join)
)
def test_no_question_ends_in_an_exception(index: TextIndex, question: str) -> None:
    try:
        found = index.search(question, 3)
    except QueryError as error:
        said = str(error)
    else:
        said = ""
    assert "\n" not in said
    if said:
        return
    assert len(found.hits) <= 3
    assert all(hit.url.startswith("http://") for hit in found.hits)


def test_what_counts_is_said_by_settings(tmp_path: Path) -> None:
    pages = [
        page("a.test/tea", "One kettle boils water.", title="Assam"),
        page("b.test/tea", "Assam, assam and once more assam.", title="Tea"),
        page("c.test/tea", "One sencha, and a long way to a cup.", full_text="menu\nassam"),
    ]
    usual = index_of(tmp_path / "usual", pages)
    assert urls(usual, "assam") == ["a.test/tea", "b.test/tea", "c.test/tea"]
    flat = SearchSettings(title=0, surroundings=0.0)
    found = index_of(tmp_path / "flat", pages, flat).search("assam").hits
    assert [hit.url for hit in found if hit.score > 0] == ["http://b.test/tea"]


def test_words_side_by_side_count_more(tmp_path: Path) -> None:
    pages = [
        page("a.test/", "A frontier of each host, and its url."),
        page("b.test/", "A host, and each url frontier of its."),
    ]
    assert urls(index_of(tmp_path / "index", pages), "url frontier")[0] == "b.test/"


def test_an_accent_or_an_underscore_hides_no_word_from_a_snippet() -> None:
    for text, word in (
        ("Un ÉTÉ chaud", "été"),
        ("see pg_tables", "tables"),
        ("Pythonで検索", "検索"),
    ):
        snippet = make_snippet(f"x y {text}", [word], "")
        assert len(snippet.marks) == 1, text
    assert make_snippet("nothing is asked", []).marks == ()


@given(st.lists(st.sampled_from(["tea", "cup", "pot", "x" * 30]), max_size=60))
def test_what_follows_a_piece_with_all_words_changes_no_snippet(said: list[str]) -> None:
    """So texts need not be looked at to their ends."""
    text = " ".join([*said, "tea cup"])
    first = make_snippet(text, ["tea", "cup"], "en")
    assert {first.text[begin:end] for begin, end in first.marks} == {"tea", "cup"}
    longer = make_snippet(f"{text} {'x' * 300} tea cup tea cup", ["tea", "cup"], "en")
    assert longer.text.startswith(first.text)
    assert longer.marks[: len(first.marks)] == first.marks


def test_what_waits_for_the_engine_is_bounded(tmp_path: Path) -> None:
    """It would take thousands of pages, however long they are."""
    memory = 1 << 19
    writer = ShardWriter(tmp_path, weights_of(SearchSettings()), memory)
    long = "tea " * (memory // 40)
    for number in range(8):
        one = IndexedPage(f"http://a.test/{number}", main_text=long, full_text=long)
        writer.put(one, key_of(one.url), 1)
    keys, _ = writer.held()
    assert len(keys) >= 6, "all but the last few are written before anybody asks for it"
    writer.close()
