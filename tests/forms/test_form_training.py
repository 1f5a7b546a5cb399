"""Training on labels of one's own: what is learned, and one line for each mistake."""

import json
from pathlib import Path

import msgspec
import pytest

from tests.cli.test_commands import gossamer
from tests.forms.sloppy_forms import OTHERS, SEARCHES


def write_labels(folder: Path) -> Path:
    labels = {}
    for number in range(24):
        pages = {"s": SEARCHES["en: a bare box"], "l": OTHERS["en: login"]}
        (folder / f"{number}.html").write_text("".join(pages.values()), "utf-8")
        labels[f"{number}.html"] = {
            "url": f"https://host{number}.example/",
            "forms": list(pages),
            "visible_html_fields": [{"q": "qq"}, {"user": "us", "pass": "p1"}],
        }
    path = folder / "labels.json"
    path.write_text(json.dumps(labels), "utf-8")
    return path


def test_a_model_of_own_labels_is_written_and_used(tmp_path: Path) -> None:
    labels, model = write_labels(tmp_path), tmp_path / "own.json"
    result = gossamer("forms", "--train", str(labels), "--model", str(model))
    assert result.returncode == 0, result.stderr
    assert "right on hosts not trained on: 100.0% of 48 forms" in result.stdout
    page = str(tmp_path / "0.html")
    result = gossamer(
        "forms", "--page", page, "--url", "https://b.example/", "--json", "--model", str(model)
    )
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    assert [one["kind"] for one in found] == ["search", "login"]
    assert found[1]["fields"] == {"user": "username", "pass": "password"}
    assert found[1]["refused"] == "is no search: login"


def test_mistakes_are_one_line(tmp_path: Path) -> None:
    labels = write_labels(tmp_path)
    wrong, odd, bad = tmp_path / "wrong.json", tmp_path / "odd.json", tmp_path / "bad.json"
    wrong.write_text("[]")
    odd.write_bytes(labels.read_bytes().replace(b'"s"', b'"seek"', 1))
    bad.write_bytes(msgspec.json.encode({"forms": {"classes": ["a"], "bias": [], "weights": {}}}))
    row, unfit = {"classes": ["a"], "bias": [0], "weights": {"x": [7, 1]}}, tmp_path / "unfit.json"
    unfit.write_bytes(msgspec.json.encode({"forms": row, "fields": row}))
    page = ("--page", str(tmp_path / "0.html"), "--url", "https://a.example/")
    for arguments, words in (
        ((), "name an HTML file with --page"),
        (("--train", str(labels)), "name the model file to write with --model"),
        (("--train", str(wrong), "--model", "m"), "is no file of labels"),
        (("--train", str(odd), "--model", "m"), "is no kind of form"),
        (("--train", str(tmp_path / "none"), "--model", "m"), "cannot be read"),
        ((*page, "--model", str(bad)), "is no model of forms"),
        ((*page, "--model", str(unfit)), "its weights do not fit its classes"),
        ((*page, "--model", str(tmp_path / "none")), "cannot be read"),
    ):
        result = gossamer("forms", *arguments)
        assert result.returncode != 0
        assert words in result.stderr
        assert len(result.stderr.splitlines()) == 1


def test_json_is_utf8_whatever_the_terminal_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    (tmp_path / "a.html").write_text("<form><input name=&#21517;></form>", "utf-8")
    page = ("--page", str(tmp_path / "a.html"), "--url", "https://a.example/", "--json")
    for command in ("forms", "items"):
        result = gossamer(command, *page)
        assert result.returncode == 0, result.stderr
        json.loads(result.stdout)
