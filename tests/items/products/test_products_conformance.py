"""Products of 79 real pages: the floors lie a little below what is reached."""

from pathlib import Path

from benchmarks.products import samples, score

from tests.conformance_report import ConformanceReport

FLOORS = {"price": 0.9, "sku": 0.9, "availability": 0.9}


def test_products_of_real_pages(
    conformance_data: Path, conformance_report: ConformanceReport
) -> None:
    found = score(list(samples(conformance_data / "products")))
    with conformance_report("products of real pages (product-extraction-benchmark)") as suite:
        for name, floor in FLOORS.items():
            suite.check(f"{name}: F1 {found.f1[name]:.3f}", found.f1[name] >= floor, True)
