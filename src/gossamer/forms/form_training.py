"""Train the models of forms on labelled pages.

Input: a JSON file that names pages (relative to itself), each with its `url`, the kinds of its
`forms` in document order, and the kinds of their visible fields by name (`visible_html_fields`).
Kinds are the names that `gossamer forms` prints, or the short ones of Formasaurus's annotations;
`X`, `-`, `XX` and `--` stand for no label. Output: models, and how well they do on hosts that they
were not trained on.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from gossamer.core.errors import SeedError
from gossamer.core.page_tree import parse_page
from gossamer.core.softmax_model import SoftmaxModel, train
from gossamer.forms.classified_forms import FormModel
from gossamer.forms.field_features import field_features
from gossamer.forms.form_features import form_features
from gossamer.forms.form_kinds import (
    FORM_KINDS,
    MODEL_FIELD_KINDS,
    MODEL_FORM_KINDS,
    SAME_FIELD_KINDS,
)
from gossamer.forms.page_forms import find_forms

_NO_LABEL = frozenset(("X", "-", "XX", "--", ""))
_FIELD_PENALTY = 0.3
_FOLDS = 10


class LabelledPage(Struct, frozen=True):
    """A page of the labels' file."""

    url: str
    forms: tuple[str, ...]
    visible_html_fields: tuple[dict[str, str], ...] = ()


class LabelledExample(Struct, frozen=True):
    """One form or field as the model sees it, with its kind and its host."""

    features: set[str]
    kind: str
    host: str


class LabelledForms(Struct, frozen=True):
    """All examples of some labelled pages."""

    forms: tuple[LabelledExample, ...]
    fields: tuple[LabelledExample, ...]
    skipped: tuple[str, ...]
    """Pages whose forms are not as many as their labels."""


def read_labels(path: Path, decode: Callable[[Path], str]) -> LabelledForms:
    """Read labelled pages; a SeedError if the file is none of labels, or a page cannot be read."""
    try:
        labels = msgspec.json.decode(path.read_bytes(), type=dict[str, LabelledPage])
    except OSError as error:
        raise SeedError(f"{path} cannot be read: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise SeedError(f"{path} is no file of labels: {error}") from None
    forms: list[LabelledExample] = []
    fields: list[LabelledExample] = []
    skipped = []
    for name, page in labels.items():
        tree = parse_page(decode(path.parent / name))
        found = find_forms(tree)
        if len(found) != len(page.forms):
            skipped.append(name)
            continue
        titles = tree.find("title")
        title = titles[0].text(is_whole=True) if titles else ""
        parts = urlsplit(page.url)
        host = (parts.hostname or name).removeprefix("www.")
        kinds = page.visible_html_fields or ({},) * len(found)
        for form, label, own in zip(found, page.forms, kinds, strict=True):
            kind = "" if label in _NO_LABEL else _form_kind(label, name)
            if kind:
                forms.append(
                    LabelledExample(form_features(form, title, parts.path, len(found)), kind, host)
                )
            shown = [one for one in form.fields if one.type != "hidden"]
            for place, said in _labelled(own, [one.name for one in shown]):
                fields.append(
                    LabelledExample(field_features(shown, place, kind or "other"), said, host)
                )
    return LabelledForms(tuple(forms), tuple(fields), tuple(skipped))


def _form_kind(label: str, page: str) -> str:
    kind = MODEL_FORM_KINDS.get(label, label)
    if kind not in FORM_KINDS:
        raise SeedError(f"{page}: {label!r} is no kind of form; kinds are {', '.join(FORM_KINDS)}")
    if kind == "structured search":
        return "search"
    return kind if kind in MODEL_FORM_KINDS.values() else "other"


def _labelled(labels: dict[str, str], names: Sequence[str]) -> Iterator[tuple[int, str]]:
    for name, label in labels.items():
        if label not in _NO_LABEL and name in names:
            short = SAME_FIELD_KINDS.get(label, label)
            yield names.index(name), MODEL_FIELD_KINDS.get(short, short)


def train_forms(labels: LabelledForms) -> FormModel:
    """Train both models on all examples."""
    return FormModel(_train(labels.forms, 3, 1.0), _train(labels.fields, 3, _FIELD_PENALTY))


def _train(examples: Sequence[LabelledExample], least_groups: int, penalty: float) -> SoftmaxModel:
    if len({one.kind for one in examples}) < 2:
        raise SeedError("the labels have fewer than two kinds: there is nothing to learn")
    return train(
        [one.features for one in examples],
        [one.kind for one in examples],
        [one.host for one in examples],
        least_groups=least_groups,
        penalty=penalty,
    )


class Confusion(Struct, frozen=True):
    """Counts of kinds as labelled and as found, on hosts that were not trained on."""

    pairs: Counter[tuple[str, str]]
    """The kind of the label and that of the model, and how often."""

    @property
    def accuracy(self) -> float:
        right = sum(number for (label, said), number in self.pairs.items() if label == said)
        return right / max(1, self.pairs.total())


def cross_validate(
    examples: Sequence[LabelledExample], least_groups: int = 3, penalty: float = 1.0
) -> Confusion:
    """Train on nine tenths of the hosts and ask about the last, for each tenth."""
    pairs: Counter[tuple[str, str]] = Counter()
    folds = [_fold(one.host) for one in examples]
    for number in sorted(set(folds)):
        model = _train(
            [one for one, fold in zip(examples, folds, strict=True) if fold != number],
            least_groups,
            penalty,
        )
        for one, fold in zip(examples, folds, strict=True):
            if fold == number:
                chances = model.probabilities(one.features)
                pairs[one.kind, max(chances, key=lambda kind: chances[kind])] += 1
    return Confusion(pairs)


def _fold(host: str) -> int:
    return int.from_bytes(hashlib.sha256(host.encode()).digest()[:4], "big") % _FOLDS
