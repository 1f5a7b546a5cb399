"""The comparison of BEAST with two queues as text: the paper's formulas beside what was counted."""

from collections.abc import Iterator, Sequence

from gossamer.lab.beast import Comparison, Model

_PAPER_PAGES = (100e6, 8e9, 80e9)


def report(rows: Sequence[Comparison]) -> Iterator[str]:
    """Lines to print."""
    yield "URLs written to and read from disk for each page fetched"
    yield "                    two queues         BEAST               queues"
    yield "   pages  budgets   Theorem 4  counted  Theorem 5  counted  eq. 11  counted"
    for row in rows:
        yield (
            f"{row.pages:8,}  {row.alpha:7.1f}  {row.naive_paper:10.1f}  {row.naive:7.1f}"
            f"  {row.beast_paper:9.1f}  {row.beast:7.1f}  {row.queues_paper:6}  {row.queues:7}"
        )
    yield f"BEAST's bound (equation 10): {rows[0].bound:.1f}"
    yield ""
    yield from _at_scale(Model())


def _at_scale(model: Model) -> Iterator[str]:
    yield (
        f"At IRLbot's scale (V = {model.domains / 1e6:.0f} million domains, E[B] = {model.budget:.0f}, "
        f"L = {model.links}, {model.rate:,.0f} pages/s, {model.url_bytes:.0f} bytes a URL)"
    )
    yield "           pages  two queues MB/s  BEAST MB/s  queues"
    for pages in _PAPER_PAGES:
        naive, beast = model.naive(pages) / 1e6, model.beast(pages) / 1e6
        yield f"{pages:16,.0f}  {naive:15.1f}  {beast:10.1f}  {model.queues(pages):6}"
    yield f"BEAST's bound: {model.bound / 1e6:.1f} MB/s"
