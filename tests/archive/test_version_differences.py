"""What is told of two versions of a page, and that it stays short."""

from gossamer.archive.version_differences import Version, compare


def version(*lines: str, links: tuple[str, ...] = (), title: str = "") -> Version:
    return Version(title, list(lines), dict.fromkeys(links))


def test_a_block_that_came_is_shown_between_its_neighbours() -> None:
    found = compare(
        version("First block.", "Last block."), version("First block.", "New.", "Last block.")
    )
    assert found.passages == ["First block. {+New.+} Last block."]
    assert (found.words_added, found.words_removed) == (1, 0)


def test_the_same_is_no_difference() -> None:
    one = version("The same.", links=("http://a.test/",), title="A")
    found = compare(one, one)
    assert not any((found.title, found.passages, found.links_gained, found.links_lost))
    assert found.words_added == found.words_removed == 0


def test_only_words_that_stand_near_a_change_are_shown() -> None:
    words = [f"w{number}" for number in range(100)]
    found = compare(version(" ".join(words)), version(" ".join([*words[:50], "new", *words[50:]])))
    assert found.passages == ["w44 w45 w46 w47 w48 w49 {+new+} w50 w51 w52 w53 w54 w55"]


def test_a_long_passage_is_cut_in_its_middle() -> None:
    words = " ".join(f"w{number}" for number in range(1000))
    [passage] = compare(version("short"), version(words)).passages
    assert "… 960 words …" in passage
    assert len(passage) < 1000


def test_a_page_that_is_another_one_is_told_shortly() -> None:
    """However many blocks, words and links there are, and however long these words."""
    before = [f"{number} was here " + "x" * 10_000 for number in range(300)]
    after = [f"{number} is here " + "y" * 10_000 for number in range(300)]
    links = [tuple(f"http://{name}.test/{n}" for n in range(1000)) for name in "ab"]
    mixed = [line for pair in zip(before, map(str, range(300)), strict=True) for line in pair]
    other = [line for pair in zip(after, map(str, range(300)), strict=True) for line in pair]
    found = compare(version(*mixed, links=links[0]), version(*other, links=links[1]))
    assert len(found.passages) <= 12
    assert found.more_passages > 0
    assert max(map(len, found.passages)) < 20_000
    assert len(found.links_gained) == len(found.links_lost) == 20
    assert found.more_links == 2 * 980


def test_words_beyond_what_is_compared_count_as_others() -> None:
    many = [f"w{number}" for number in range(5000)]
    found = compare(version(" ".join(many)), version(" ".join(["new", *many])))
    assert (found.words_added, found.words_removed) == (1002, 1001)
