"""Real-looking text: words of a topic made into sentences, sentences into paragraphs.

Each topic has 256 paragraphs, made once when first asked for. A page is a choice among them, one
byte of chance for each paragraph: so a page costs one join, and yet no two are alike.
"""

from functools import cache
from random import Random
from statistics import NormalDist

from gossamer.lab.vocabulary import FOREIGN, TOPICS, Vocabulary

PARAGRAPHS = 256

_FORMS = (
    "The {a} {n} {v} the {m}, and every {o} near it {w} the {b} {p}.",
    "A {a} {n} rarely {v} a {m} before the {b} {o} is ready.",
    "Most people who know the {n} say that the {b} {m} {v} it better than any {o}.",
    "When the {m} {v} the {a} {n}, nobody asks where the {o} has gone.",
    "There is no {n} without a {m}; the {a} {o} {v} both of them.",
    "In the end the {n} {v} the {a} {m}, as it did last year.",
    "It takes a {b} {o} to see how the {n} {v} the {m}.",
    "Our guide explains the {n}, the {m} and the {a} {o} in plain words.",
    "If your {m} is {a}, look for the {b} {n} first.",
    "Few things are as {a} as a {n} that {v} its own {m}.",
    "Many a {n} {v} the {o} only because the {m} was too {b}.",
    "What the {a} {n} {v} today, the {p} {w} tomorrow.",
)
_FOREIGN_FORMS = {
    "ru": ("{a} {n} {v} {m}, {b} {o} {w} {p}.", "{n} {v} {m}.", "{b} {o} {v} {n} и {m}."),
    "ja": ("{a}{n}は{m}を{v}。", "{b}{o}と{n}。{m}を{w}。", "{n}の{p}を{v}。"),
    "fr": ("{a} {n} {v} {m}, où {o} {w} {p}.", "{n} {v} {m}.", "À côté, {b} {o} {v} {n}."),
}


def _sentence(words: Vocabulary, forms: tuple[str, ...], random: Random) -> str:
    n, m, o, p = random.choices(words.nouns, k=4)
    a, b = random.choices(words.adjectives, k=2)
    v, w = random.choices(words.verbs, k=2)
    text = random.choice(forms).format(n=n, m=m, o=o, p=p, a=a, b=b, v=v, w=w)
    return text[0].upper() + text[1:]


def _paragraph(words: Vocabulary, forms: tuple[str, ...], random: Random) -> bytes:
    """At least 400 and less than 560 bytes."""
    sentences: list[str] = []
    size = 0
    while size < 400:
        sentences.append(_sentence(words, forms, random))
        size += len(sentences[-1].encode())
    return f"<p>{' '.join(sentences)}</p>\n".encode()


def _paragraphs(words: Vocabulary, forms: tuple[str, ...]) -> tuple[bytes, ...]:
    random = Random(words.name)
    return tuple(_paragraph(words, forms, random) for _ in range(PARAGRAPHS))


@cache
def paragraphs_about(topic: int) -> tuple[bytes, ...]:
    """The 256 paragraphs of a topic, each a `<p>` element in UTF-8."""
    return _paragraphs(TOPICS[topic], _FORMS)


@cache
def paragraphs_in(language: str) -> tuple[bytes, ...]:
    """The 256 paragraphs of a foreign language, in UTF-8."""
    return _paragraphs(FOREIGN[language], _FOREIGN_FORMS[language])


def _text_lengths() -> tuple[int, ...]:
    """The number of paragraphs for each value of a byte: log-normal, 4 to 103, median 13."""
    normal = NormalDist(2.6, 0.85)
    drawn = (2.718281828 ** normal.inv_cdf((byte + 0.5) / 256) for byte in range(256))
    return tuple(min(103, max(4, round(length))) for length in drawn)


TEXT_LENGTHS = _text_lengths()
LONGEST_TEXT = max(TEXT_LENGTHS)
