"""Questions as people write them: sentences, names of code, other scripts, long texts."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from gossamer.core.settings import SearchSettings
from gossamer.search import TextIndex
from gossamer.search.fields import FORMAT, IndexedPage, key_of, weights_of
from gossamer.search.index_manifest import IndexManifest, shard_folder, write_manifest
from gossamer.search.shard import ShardWriter

Make = Callable[[Sequence[IndexedPage]], TextIndex]
FILLER = "Nothing in particular is said on this page about anything at all."


@pytest.fixture
def search(tmp_path: Path) -> Make:
    """Make an index of some pages."""

    def made(pages: Sequence[IndexedPage]) -> TextIndex:
        groups = tuple(sorted({page.words_group for page in pages}))
        manifest = IndexManifest(FORMAT, 1, weights_of(SearchSettings()), groups)
        writer = ShardWriter(shard_folder(tmp_path, 0), manifest.weights, 1 << 24)
        for page in pages:
            writer.put(page, key_of(page.url), 1)
        writer.commit()
        writer.close()
        write_manifest(tmp_path, manifest)
        return TextIndex(tmp_path)

    return made


def page(
    name: str, text: str, language: str = "en", title: str = "", host: str = "a.test"
) -> IndexedPage:
    return IndexedPage(
        f"http://{host}/{name}", title, main_text=text, full_text=text, language=language
    )


def found(index: TextIndex, question: str, limit: int = 10) -> list[str]:
    hits = index.search(question, limit, most_of_host=0).hits
    return [hit.url.rpartition("/")[2] for hit in hits]


def others(count: int = 30, language: str = "en") -> list[IndexedPage]:
    return [page(f"other{number}", f"{FILLER} {number}", language) for number in range(count)]


def test_two_matching_words_outweigh_one_pair_of_neighbours(search: Make) -> None:
    pages = [
        page("neighbours", "A copper kettle stands here. It is old and rather heavy to carry."),
        page("answer", "To descale a kettle, boil vinegar; copper needs care, and limescale goes."),
        *others(),
    ]
    assert found(search(pages), "copper kettle vinegar limescale")[0] == "answer"


def test_an_answer_that_lacks_a_word_of_the_sentence_may_come_first(search: Make) -> None:
    pages = [
        page("all", f"{FILLER} How do people know their crawler? They wonder, limit, and rate it."),
        page("answer", "Rate limits: limit the rate of a crawler by its crawl delay. Rate limits."),
        *others(),
    ]
    assert found(search(pages), "how do I limit the rate of my crawler?")[0] == "answer"


def test_words_of_which_sentences_are_built_do_not_count(search: Make) -> None:
    pages = [
        page("chatter", "How do I get what I want? How can I get it? What do I do to get it?"),
        page("answer", f"{FILLER} A checkpoint is written now and then."),
        *others(),
    ]
    assert found(search(pages), "how do I get a checkpoint?")[0] == "answer"
    assert found(search(pages), "how can I")[0] == "chatter"


def test_what_is_in_quotes_is_needed(search: Make) -> None:
    pages = [page("yes", "an url frontier here"), page("no", "the frontier, and then an url")]
    assert found(search(pages), '"url frontier" mercator') == ["yes"]
    assert set(found(search(pages), '"frontier mercator"')) == {"yes", "no"}  # as nothing has it


def test_a_long_question_is_asked_by_its_rarest_words(search: Make) -> None:
    pages = [page("answer", "The ptarmigan moults in winter."), *others(200)]
    question = f"{FILLER} " * 20 + " ".join(f"unknown{number}" for number in range(300))
    assert found(search(pages), f"{question} ptarmigan")[0] == "answer"


def test_all_words_of_an_abstract_are_looked_for(search: Make) -> None:
    """Rare words say little of what a text is about, when the usual ones of its subject are left out."""
    strange = [f"strange{number}" for number in range(70)]
    pages = [
        page("answer", "Crawlers wait between requests."),
        *(
            page(word, f"{FILLER} {word} crawlers {number % 9}")
            for number, word in enumerate(strange)
        ),
        *(page(f"other{number}", f"{FILLER} crawlers wait requests") for number in range(5)),
    ]
    question = f"{' '.join(strange)} crawlers wait between requests"
    assert "answer" in found(search(pages), question, 100)


def test_what_hangs_on_a_word_is_not_looked_for(search: Make) -> None:
    pages = [
        page("chatter", f"{FILLER} It's the kettle's. Don't ask what's in it, I'd say it isn't."),
        page("answer", "Kettle limescale: a user may remove it with vinegar."),
        *others(),
    ]
    index = search(pages)
    assert found(index, "what's in my kettle's limescale, I don't know")[0] == "answer"
    assert found(index, "user\u2019s vinegar") == ["answer"]
    assert index.search("kettle's vinegar").total == 1


def test_the_parts_of_a_word_with_a_hyphen_count_a_little(search: Make) -> None:
    pages = [
        page("apart", "The transfer of heat in a kettle."),
        page("together", "A kettle: heat transfer."),
        page("kettle", "A kettle is a kettle."),
        *others(),
    ]
    index = search(pages)
    assert found(index, "heat-transfer kettle") == ["together", "apart", "kettle"]
    assert found(index, '"heat-transfer" kettle') == ["together"]
    assert index.search("heat-transfer kettle").total == 1
    assert set(found(index, "kettle -heat-transfer")) == {"apart", "kettle"}


def test_neighbours_written_as_one_word_do_not_outweigh_the_words(search: Make) -> None:
    pages = [
        page("joined", "A filesystem."),
        page("answer", "The system is slow, as the file is on a slow disk of the system."),
        *[page(f"system{number}", f"A system and a file. {FILLER}") for number in range(20)],
        *[page(f"slow{number}", f"Slow. {FILLER}") for number in range(20)],
    ]
    index = search(pages)
    assert found(index, "slow file system")[0] == "answer"
    assert "joined" in found(index, "slow file system", 50)


def test_what_is_rare_in_a_text_says_what_it_is_about(search: Make) -> None:
    usual = "page word line note part"
    pages = [
        page("usual", usual),
        page("answer", "The ptarmigan eats."),
        *(page(f"some{number}", f"{usual} {number}") for number in range(5)),
        *others(60),
    ]
    text = f"{usual} ptarmigan eats " + " ".join(f"unknown{one}" for one in range(30))
    index = search(pages)
    assert found(index, f"{usual} ptarmigan eats")[0] == "usual"
    assert found(index, text)[0] == "answer"


def test_a_text_as_a_question_may_quote(search: Make) -> None:
    pages = [page("answer", "The ptarmigan moults in winter."), page("no", "A winter."), *others()]
    text = f'{FILLER} {FILLER} {FILLER} "Nothing in particular", they said. Does a ptarmigan moult?'
    assert found(search(pages), text)[0] == "answer"
    assert found(search(pages), '"nothing in particular" ptarmigan')[0] != "answer"


@pytest.mark.parametrize(
    ("question", "text", "language"),
    [
        ("東京天気", "東京の天気は晴れです。", "ja"),
        ("明日の天気", "天気予報によると、明日は雨です。", "ja"),
        ("北京故宫", "故宫位于北京市中心。", "zh"),
        ("水", "水道の水は飲めます。", "ja"),
        ("อากาศกรุงเทพ", "กรุงเทพมหานครมีอากาศร้อน", "th"),
        ("ﾃﾚﾋﾞ", "テレビを見る。", "ja"),
    ],
)
def test_scripts_without_spaces(search: Make, question: str, text: str, language: str) -> None:
    index = search([page("answer", text, language), page("no", "別のページです。", language)])
    assert found(index, question) == ["answer"]
    assert index.search(question).total == 1


def test_a_stop_word_of_another_language_is_no_stop_word(search: Make) -> None:
    pages = [
        page("both", "The war and its market."),
        page("market", "A market of goods and nothing more."),
        *others(20, "de"),
        page("deutsch", "Das war ein Markt.", "de"),
    ]
    index = search(pages)
    assert found(index, "war market")[0] == "both"
    assert index.search("war market").total == 1
    assert "both" in found(index, "war")


@pytest.mark.parametrize(
    ("question", "text", "language"),
    [
        ("securite", "La sécurité du réseau.", "fr"),
        ("sécurité", "LA SECURITE DU RESEAU.", "fr"),
        ("istanbul", "İstanbul büyük bir şehir.", "tr"),
        ("İSTANBUL", "istanbul buyuk bir sehir.", "tr"),
        ("resume", "Send a re\u0301sume\u0301 by post.", "en"),
        ("munchen", "Ein Tag in München.", "de"),
        ("pristina", "Prishtina, also Pri\u0161tina.", "en"),
    ],
)
def test_accents_make_no_difference(search: Make, question: str, text: str, language: str) -> None:
    index = search([page("answer", text, language), page("no", FILLER, language)])
    assert found(index, question) == ["answer"]


@pytest.mark.parametrize("question", ["concurrent hash map", "ConcurrentHashMap", "hash map"])
def test_names_in_camel_case(search: Make, question: str) -> None:
    index = search([page("answer", "ConcurrentHashMap and HashMap are classes."), *others()])
    assert found(index, question)[:1] == ["answer"]


def test_a_name_in_camel_case_finds_its_words(search: Make) -> None:
    pages = [page("answer", "A concurrent hash map is shared."), *others()]
    assert found(search(pages), "ConcurrentHashMap")[:1] == ["answer"]


def test_half_of_a_name_does_not_find_it(search: Make) -> None:
    pages = [page("java", "Java has classes."), page("script", "JavaScript has prototypes.")]
    assert found(search(pages), "java") == ["java"]


@pytest.mark.parametrize(
    ("question", "answer"), [("C++", "plus"), ("c#", "sharp"), ("C++ or C#", "")]
)
def test_languages_whose_names_are_letters_and_signs(
    search: Make, question: str, answer: str
) -> None:
    pages = [
        page("plus", "Written in C++ and fast."),
        page("sharp", "Written in C# and safe."),
        page("c", "Written in C and old."),
    ]
    assert set(found(search(pages), question)) == ({answer} if answer else {"plus", "sharp"})


def test_a_site_with_its_port(search: Make) -> None:
    pages = [page("one", FILLER, host="a.test:8080"), page("other", FILLER, host="a.test:8081")]
    index = search(pages)
    assert found(index, "particular site:a.test:8080") == ["one"]
    assert set(found(index, "particular site:a.test")) == {"one", "other"}


def test_filetype_is_type(search: Make) -> None:
    pdf = IndexedPage("http://a.test/b", main_text=FILLER, media_type="application/pdf")
    text = IndexedPage("http://a.test/c/notes.TXT?v=2.1", main_text=FILLER, media_type="text/plain")
    index = search([pdf, text, page("page", FILLER)])
    assert found(index, "particular filetype:pdf") == ["b"]
    assert found(index, "particular filetype:txt") == ["notes.TXT?v=2.1"]
    assert found(index, "particular filetype:plain") == ["notes.TXT?v=2.1"]
    assert found(index, "particular ext:1") == []


def test_the_nearest_word_is_suggested(search: Make) -> None:
    pages = [
        page("corrupt", FILLER, title="A corrupt database"),
        *(page(f"count{n}", FILLER, title=f"Count the cost {n}") for n in range(60)),
    ]
    assert search(pages).search("corupt databse").suggestion == "corrupt database"


def test_a_snippet_ends_with_a_whole_word(search: Make) -> None:
    words = " ".join(f"extraordinarily{number}" for number in range(100))
    index = search([page("long", f"beginning {words}")])
    text = index.search("beginning").hits[0].snippet.text
    assert text.split()[-1] in words.split()
    assert len(text) > 200


def test_a_snippet_begins_with_a_word(search: Make) -> None:
    index = search([page("long", f"{'t' * 40}\n\n{'x' * 20} kettle")])
    text = index.search("kettle").hits[0].snippet.text
    assert text == text.lstrip()


def test_a_snippet_of_a_sentence_shows_what_was_asked_for(search: Make) -> None:
    text = f"{'How do I get what I want? ' * 40} The checkpoint is written here."
    index = search([page("long", text), *others()])
    assert "checkpoint" in index.search("how do I get the checkpoint I want?").hits[0].snippet.text
