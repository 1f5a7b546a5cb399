"""`gossamer forms`: the forms of a page by kind, and training on labels of one's own."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.page_file import PageFile, PageUrl, decode_page, read_page_file
from gossamer.core.errors import SeedError

if TYPE_CHECKING:
    from gossamer.forms.classified_forms import ClassifiedForm, FormModel


def forms(
    page: PageFile = None,
    url: PageUrl = "",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON list.")] = False,
    model: Annotated[
        Path | None, typer.Option(help="A model file to use instead of the one delivered.")
    ] = None,
    train: Annotated[
        Path | None,
        typer.Option(help="Train on the labelled pages of this JSON file; writes --model."),
    ] = None,
) -> int:
    """Tell the kinds of the forms of one stored page apart, and say which may be submitted."""
    if train is not None:
        return _train(train, model)
    from gossamer.forms.classified_forms import classify_page, own_model

    html = read_page_file(page, url)
    found = classify_page(html, url, _load(model) if model is not None else own_model())
    if json:
        import msgspec

        sys.stdout.buffer.write(msgspec.json.encode(found) + b"\n")
    else:
        _print(found)
    return 0


def _load(path: Path) -> "FormModel":
    import msgspec

    from gossamer.forms.classified_forms import FormModel

    try:
        return msgspec.json.decode(path.read_bytes(), type=FormModel)
    except OSError as error:
        raise SeedError(f"{path} cannot be read: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise SeedError(f"{path} is no model of forms: {error}") from None


def _train(labels: Path, model: Path | None) -> int:
    import msgspec

    from gossamer.forms.form_training import cross_validate, read_labels, train_forms

    if model is None:
        raise SeedError("name the model file to write with --model FILE")
    examples = read_labels(labels, decode_page)
    for name in examples.skipped:
        print(f"left out: {name} has not as many forms as labels")
    confusion = cross_validate(examples.forms)
    print(f"right on hosts not trained on: {confusion.accuracy:.1%} of {len(examples.forms)} forms")
    for (label, said), number in sorted(confusion.pairs.items(), key=lambda one: (-one[1], one[0])):
        if label != said:
            print(f"    {label} taken for {said}: {number}")
    try:
        model.write_bytes(msgspec.json.encode(train_forms(examples)) + b"\n")
    except OSError as error:
        raise SeedError(f"{model} cannot be written: {error.strerror}") from None
    print(f"{model} is written; use it with gossamer forms --model {model}")
    return 0


def _print(found: "list[ClassifiedForm]") -> None:
    for one in found:
        verdict = f"not submitted: {one.refused}" if one.refused else "may be submitted"
        print(f"{one.kind} ({one.probability:.2f})  {one.method.upper()} {one.action}")
        print(f"    {verdict}")
        for name, kind in one.fields.items():
            print(f"    {name}: {kind}")
    if not found:
        print("no forms found")
