"""Small indexes, made without a crawl."""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from gossamer.core.settings import SearchSettings
from gossamer.search import TextIndex
from gossamer.search.fields import FORMAT, IndexedPage, key_of, weights_of
from gossamer.search.index_manifest import IndexManifest, shard_folder, write_manifest
from gossamer.search.shard import ShardWriter

_SYLLABLES = [
    "ba",
    "cu",
    "di",
    "fo",
    "ge",
    "hi",
    "ko",
    "la",
    "mu",
    "ne",
    "po",
    "ri",
    "sa",
    "te",
    "vu",
]
GROUPS = ("any", "de", "en")


def words(random: Random, count: int) -> list[str]:
    """Words of a made-up language, some of which are far more frequent than others."""
    made = []
    for _ in range(count):
        number = int(random.paretovariate(0.7)) % 3000
        made.append("".join(_SYLLABLES[number // 15**place % 15] for place in range(3)))
    return made


def pages(count: int, seed: int = 1) -> list[IndexedPage]:
    """Pages of very different lengths, in three languages, of hosts of very different sizes."""
    random, made = Random(seed), []
    for number in range(count):
        text = " ".join(words(random, random.choice([5, 20, 80, 300])))
        host = f"h{int(random.paretovariate(0.8)) % 40}.test"
        made.append(
            IndexedPage(
                f"http://{host}/{number}",
                title=" ".join(words(random, 3)),
                anchors=tuple(words(random, random.randrange(3))),
                main_text=text,
                full_text=f"{text}\n{' '.join(words(random, 5))}",
                language=random.choice(["en", "en", "de", ""]),
                worth=random.randrange(33) / 32,
            )
        )
    return made


def write_index(
    folder: Path,
    some: Sequence[IndexedPage],
    shards: int = 1,
    piece: Callable[[IndexedPage], tuple[int, int]] = lambda _: (0, 0),
    best_from: int = 0,
) -> None:
    """An index cut into shards and tiers; `piece` tells the shard and the tier of a page."""
    manifest = IndexManifest(FORMAT, shards, weights_of(SearchSettings()), GROUPS, best_from)
    for shard in range(shards):
        for tier in range(manifest.tiers):
            writer = ShardWriter(shard_folder(folder, shard, tier), manifest.weights, 1 << 24)
            for one in some:
                if piece(one) == (shard, tier):
                    writer.put(one, key_of(one.url), 1)
            writer.commit()
            writer.close()
    write_manifest(folder, manifest)


def open_index(folder: Path) -> TextIndex:
    return TextIndex(folder)


def questions(count: int, seed: int = 2) -> list[str]:
    """Questions of one to four words, some with phrases, choices and conditions."""
    random, made = Random(seed), []
    for _ in range(count):
        some = words(random, random.randrange(1, 5))
        made.append(
            random.choice(
                [
                    " ".join(some),
                    " OR ".join(some),
                    f'"{" ".join(some[:2])}" {some[-1]}',
                    f"{some[0]} -{some[-1]}x {' '.join(some)}",
                    f"{some[0]} site:h{random.randrange(5)}.test",
                    f"{some[0]} lang:en",
                ]
            )
        )
    return made
