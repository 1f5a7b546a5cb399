"""Files of seeds, and what is said of lines that are none."""

from pathlib import Path

import pytest

from tests.cli.test_commands import forked

MARK = b"\xef\xbb\xbf"
"""What some editors begin a file with."""


def test_all_bad_lines_are_named_with_their_numbers(tmp_path: Path) -> None:
    seeds = tmp_path / "seeds.txt"
    seeds.write_bytes(MARK + b"https://a.test/\n# comment\nnot a url\n\nftp://b.test/ # no\n")
    done = forked("crawl", "--seeds", str(seeds), "-o", str(tmp_path / "out"))
    assert done.returncode == 1
    assert done.stderr == (
        f"gossamer: seeds 'not a url' ({seeds}, line 3); 'ftp://b.test/' ({seeds}, line 5) are not http or "
        "https URLs; write e.g. https://example.org/\n"
    )
    assert not (tmp_path / "out").exists()


def test_of_many_bad_lines_ten_are_named(tmp_path: Path) -> None:
    text = "".join(f"no url {number}\n" for number in range(25))
    done = forked("crawl", "-", "-o", str(tmp_path / "out"), stdin=text)
    assert done.returncode == 1
    assert done.stderr.count("standard input, line ") == 10
    assert "and 15 more are not http or https URLs" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "data", [b"http://a.test/\n\xff\n", MARK + b"http://a.test/\nd\xe9j\xe0\n"]
)
def test_a_line_that_is_no_text(tmp_path: Path, data: bytes) -> None:
    seeds = tmp_path / "seeds.txt"
    seeds.write_bytes(data)
    done = forked("crawl", "--seeds", str(seeds), "-o", str(tmp_path / "out"))
    complaint = f"gossamer: {seeds}, line 2: this is not UTF-8; save the file as UTF-8\n"
    assert (done.returncode, done.stderr) == (1, complaint)
