"""Forms of real pages that were labelled by hand, by models that were not trained on their hosts."""

import json
import tarfile
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from gossamer.cli.page_file import decode_page
from gossamer.forms.classified_forms import FormModel, classify_page, own_model
from gossamer.forms.form_kinds import MODEL_FORM_KINDS
from gossamer.forms.form_training import read_labels, train_forms
from tests.conformance_report import ConformanceReport

_LEAST_RIGHT = 0.90
"""A little below what is reached: 91.8 % on the hosts apart that were looked at once."""


def test_forms_of_labelled_pages(
    conformance_data: Path, conformance_report: ConformanceReport, tmp_path: Path
) -> None:
    with tarfile.open(conformance_data / "forms" / "forms.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    labels = json.loads((tmp_path / "index.json").read_text("utf-8"))
    others = {name: page for name, page in labels.items() if not _is_apart(page["url"])}
    (tmp_path / "others.json").write_bytes(msgspec.json.encode(others))
    trained = train_forms(read_labels(tmp_path / "others.json", decode_page))
    model = FormModel(trained.forms, own_model().fields)
    right, all_labelled, submitted = 0, 0, []
    for name in labels.keys() - others.keys():
        forms = classify_page(decode_page(tmp_path / name), labels[name]["url"], model)
        if len(forms) != len(labels[name]["forms"]):
            continue
        for form, label in zip(forms, labels[name]["forms"], strict=True):
            kind = MODEL_FORM_KINDS.get(label)
            if kind is None:
                continue
            all_labelled += 1
            right += _general(form.kind) == kind
            if kind != "search" and not form.refused:
                submitted.append(f"{name}: {label}")
    with conformance_report("kinds of labelled forms (Formasaurus)") as suite:
        suite.check(f"right: {right} of {all_labelled}", right >= _LEAST_RIGHT * all_labelled, True)
        suite.check("submitted though no search", submitted, [])


def _is_apart(url: str) -> bool:
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    return sum(host.encode()) % 3 == 0


def _general(kind: str) -> str:
    if kind == "structured search":
        return "search"
    return kind if kind in MODEL_FORM_KINDS.values() else "other"
