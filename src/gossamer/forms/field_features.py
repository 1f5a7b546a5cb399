"""Features of one field of a form, from which the model infers its kind."""

import itertools
from collections.abc import Iterator, Sequence
from functools import lru_cache

from gossamer.forms.form_words import split_words, topics_of
from gossamer.forms.page_forms import FormField

_MOST_GRAMS = 40


def field_features(fields: Sequence[FormField], place: int, form_kind: str) -> set[str]:
    """All features of the field at this place among those that a person sees."""
    return {*_own(fields[place], form_kind), *_neighbours(fields, place)}


def _own(field: FormField, form_kind: str) -> Iterator[str]:
    yield f"type={field.type}"
    yield f"form={form_kind}"
    yield f"form={form_kind} type={field.type}"
    if field.options:
        yield f"options={min(len(field.options), 60) // 6}"
        numbers = [text for _, text in field.options if text.strip().isdigit()]
        if len(numbers) * 2 > len(field.options):
            yield f"numbers={_range_of([int(one) for one in numbers if len(one) < 9])}"
    places = {
        "name": field.name,
        "label": f"{field.label} {field.placeholder}",
        "value": field.value,
        "words": field.words,
        "options": " ".join(text for _, text in field.options[:12]),
    }
    for place, text in places.items():
        words = split_words(text)[:60]
        for topic in topics_of(words):
            yield f"{place}:{topic}"
            yield f"any:{topic}"
            yield f"{topic} {field.type}"
        for word in words:
            if len(word) < 24:
                yield f"{place}={word}"
                yield f"any={word}"
        if place in ("name", "label"):
            yield from (
                f"{place}={first} {second}" for first, second in itertools.pairwise(words[:8])
            )
            yield f"{place} is {' '.join(words)[:40]}"
    for text in (field.name, field.label):
        plain = "_".join(split_words(text))[:_MOST_GRAMS]
        for start in range(len(plain) - 2):
            yield f"gram={plain[start : start + 3]}"
            yield f"gram={plain[start : start + 4]}"


def _neighbours(fields: Sequence[FormField], place: int) -> Iterator[str]:
    yield f"place={min(place, 5)}"
    if place == len(fields) - 1:
        yield "last"
    for name, other in (("before", place - 1), ("after", place + 1)):
        if 0 <= other < len(fields):
            yield f"{name}={fields[other].type}"
            for topic in topics_of(split_words(fields[other].name)):
                yield f"{name}:{topic}"
    own = _topics(fields[place].name, fields[place].label)
    earlier = [_topics(one.name, one.label) for one in fields[:place]]
    for topic in own:
        yield f"{topic} again={min(2, sum(topic in one for one in earlier))}"
    same = sum(one.type == fields[place].type for one in fields[:place])
    yield f"{fields[place].type} again={min(2, same)}"
    if sum(one.type == "password" for one in fields[:place]):
        yield f"after a password {fields[place].type}"


@lru_cache(1_000)
def _topics(name: str, label: str) -> set[str]:
    """Kept, as each field looks at all before it."""
    return topics_of(split_words(f"{name} {label}"))


def _range_of(numbers: list[int]) -> str:
    if not numbers:
        return "none"
    if max(numbers) > 1_900:
        return "years"
    return "days" if max(numbers) == 31 else "months" if max(numbers) == 12 else "others"
