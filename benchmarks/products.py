"""How well products of real pages are read: F1 of price, SKU and availability, field by field.

    python -m benchmarks.products [FOLDER]

FOLDER holds `products.tar.xz`, else GOSSAMER_DATA/products does: 79 pages of 35 hosts
(scrapinghub/product-extraction-benchmark). A value is right if it is one of those that the benchmark accepts.
Published for all of that benchmark: price Zyte .918, Diffbot .824, extruct .685; SKU .841, .765, .537;
availability .957, .943, .626.
"""

import gzip
import json
import os
import sys
import tarfile
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, NamedTuple

from gossamer.items import read_items
from gossamer.pipeline.parse.encodings import sniff_encoding, to_utf8

FIELDS = ("price", "sku", "availability")


class ProductSample(NamedTuple):
    name: str
    url: str
    html: str
    truth: dict[str, list[str]]


class ProductScore(NamedTuple):
    f1: dict[str, float]
    errors: list[str]


def samples(folder: Path) -> Iterator[ProductSample]:
    """The pages and their facts."""
    with tarfile.open(folder / "products.tar.xz") as archive:
        files = {Path(one.name).name: one for one in archive.getmembers() if one.isfile()}
        facts = archive.extractfile(files["ground-truth.json"])
        assert facts is not None
        for name, truth in json.load(facts).items():
            packed = archive.extractfile(files[f"{name}.html.gz"])
            assert packed is not None
            data = gzip.decompress(packed.read())
            html = to_utf8(data, sniff_encoding(data)).decode("utf-8", "replace")
            yield ProductSample(name, truth["url"], html, truth)


def score(pages: list[ProductSample]) -> ProductScore:
    right, wrong = dict.fromkeys(FIELDS, 0), dict.fromkeys(FIELDS, 0)
    errors = []
    for page in pages:
        items = [one for one in read_items(page.html, page.url).items if one.type == "Product"]
        fields: dict[str, Any] = items[0].fields if items else {}
        for name in FIELDS:
            wanted = {_plain(name, one) for one in page.truth.get(name, ())}
            found = _plain(name, str(fields[name])) if name in fields else None
            if found is not None and found in wanted:
                right[name] += 1
            else:
                wrong[name] += (found is not None) + bool(wanted)
                if found is not None or wanted:
                    errors.append(f"{page.name[:8]} {name}: {found}, not {page.truth.get(name)}")
    f1 = {name: 2 * right[name] / max(1, 2 * right[name] + wrong[name]) for name in FIELDS}
    return ProductScore(f1, errors)


def _plain(name: str, value: str) -> str:
    if name != "price":
        return value.strip()
    try:
        return f"{Decimal(value.strip()).normalize():f}"
    except InvalidOperation:
        return value.strip()


def main() -> None:
    folder = Path(
        sys.argv[1] if len(sys.argv) > 1 else Path(os.environ["GOSSAMER_DATA"]) / "products"
    )
    found = score(list(samples(folder)))
    print(*found.errors, sep="\n")
    print(", ".join(f"{name} {value:.3f}" for name, value in found.f1.items()))


if __name__ == "__main__":
    main()
