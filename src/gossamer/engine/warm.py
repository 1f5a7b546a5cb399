"""`python -m gossamer.engine.warm`: have the compilers' work done before the first crawl.

Kernels are compiled when they are first called, and are kept on disk. An installation calls each of those
that every crawl needs once, those of texts, and those of graphs; those of some orders and of the lab are
compiled when they are first used. Python's own compiler takes a fifth of a second for the package, at every
start where the environment tells it to keep nothing, so its work is done here too.

What is compiled here is kept with the package, where all its users can read it. So modules with kernels are
imported in functions, after that was said.
"""

import tempfile
from compileall import compile_dir
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path

from gossamer.core.outcomes import Outcome
from gossamer.core.records import Candidate, Document, Page, Visit
from gossamer.core.url import Spelling, pay_level_domain

_WORDS = " ".join(f"word{number % 61}" for number in range(400))
_ARTICLE = (
    "<html lang=en><title>T {number}</title><body><nav><ul><li><a href=/>Home</a></ul></nav>"
    "<div class=content><h1>Number {number}</h1><p>Text {number} of many, {words}.</p>"
    "<p>Another {number}: {words}.</p><p>If you like this, tell your friends, and subscribe to it.</p>"
    "</div><div class=footer><a href=/x>Imprint</a> <a href=/y>Contact</a></div></body></html>"
)
_PAGES = (_WORDS, _WORDS.replace("word7", "another"), _WORDS[::-1])


@cache
def load() -> None:
    """Load what every crawl needs, so that processes forked from this one need not load it again."""
    import_module("pyarrow.parquet")
    pay_level_domain("a.test")  # reads the list of public suffixes
    with suppress(OSError):  # the crawl itself reports a disk that fails
        warm_up()


def warm_up() -> list[Document]:
    """Read some pages that are nearly the same, and look them up."""
    from gossamer.analyzers.duplicates.content_seen import Content
    from gossamer.core.disk.disk_cache import DiskCache
    from gossamer.core.page_links import as_links
    from gossamer.core.settings import ContentSettings
    from gossamer.output.links_table import link_columns, pack_links
    from gossamer.pipeline.parse import Parsers
    from gossamer.pipeline.seen import DiskSeen

    spelling = Spelling()
    parsers = Parsers(spelling, "Gossamer")
    with tempfile.TemporaryDirectory() as folder:
        documents, state = parsers.parse(list(_pages(spelling))), None
        for _ in range(2):  # what is new, and what was kept on disk
            content = Content(Path(folder) / "content", ContentSettings(), state)
            for document in documents:
                content.judge([document])
            content.judge(documents)
            state = content.commit()
            content.close()
        links = [as_links(document.links) for document in documents]
        link_columns([pack_links(page) for page in links], sum(map(len, links)))
        disk_cache = DiskCache(Path(folder) / "disk_cache", 1 << 20)
        for record in (b"a", b"b"):
            disk_cache.put({1: record})
        disk_cache.get(1)
        disk_cache.close()
        seen = DiskSeen(Path(folder) / "seen")
        seen.admit([Candidate(document.page.visit.url) for document in documents])
        seen.close()
    parsers.close()
    _warm_up_worth(documents)
    return documents


def _warm_up_worth(documents: list[Document]) -> None:
    """Learn what URLs are worth, and say why."""
    from gossamer.analyzers.redundancy.worth import Worth
    from gossamer.core.settings import DetectSettings

    worth = Worth(DetectSettings())
    for document in documents:
        visit = document.page.visit
        worth.observe(visit, 0.5)
        worth.note_new([Candidate(visit.url, source=visit.url.text)])
        worth.learn()
        worth.shift(visit)
        worth.estimate.reasons(visit.url.text.encode())


def _pages(spelling: Spelling) -> list[Page]:
    pages = []
    for number, words in enumerate(_PAGES):
        url = spelling.parse(f"http://a.test/{number}")
        assert url is not None, "that is a URL"
        body = f"<meta charset=utf-8><title>T</title><p>{words}<a href=x>y</a>".encode()
        pages.append(Page(Visit(url), Outcome.FETCHED, 0.0, status=200, body=body, payload=body))
    return pages


def warm_up_revisits() -> None:
    """Compile kernels that only continuous crawls need: each policy has some."""
    from gossamer.core.settings import RevisitSettings
    from gossamer.policy.revisit import ALLOCATIONS, Revisits

    for policy in ALLOCATIONS:
        Revisits(RevisitSettings(policy=policy))


def warm_up_texts() -> None:
    """Read pages deeply, as the text table and the text index need them."""
    from gossamer.pipeline.parse.extraction import leave_out_shared, read_page

    url = Spelling().parse("http://a.test/")
    assert url is not None, "that is a URL"
    readings = []
    for number in range(6):
        words = _WORDS * (1 if number else 100)  # long pages are looked at before they are read
        body = _ARTICLE.format(number=number, words=words).encode()
        page = Page(Visit(url), Outcome.FETCHED, 0.0, status=200, body=body, payload=body)
        readings.append(read_page(Document(page, charset="utf-8", media_type="text/html")))
    leave_out_shared(readings)


def warm_up_graph() -> None:
    """Compile kernels for building a graph, asking it and ranking its pages."""
    import numpy as np
    from pyarrow import Table, parquet

    from gossamer.graph import Choice, Graph
    from gossamer.graph.build import GraphBuilder
    from gossamer.graph.graph_paths import shortest_path
    from gossamer.graph.rank.graph_opening import open_web
    from gossamer.graph.rank.rank_measures import MEASURES, Measures, Wishes
    from gossamer.graph.rank.web_shape import find_shape
    from gossamer.output.links_table import links_schema

    with tempfile.TemporaryDirectory() as name:
        folder, empty = Path(name), dict.fromkeys(links_schema().names)
        (folder / "links").mkdir()
        for number in range(2):  # the second is merged in
            ends = [
                (f"http://a.test/{one}", f"http://b.test/{one % 3}")
                for one in range(9 * number + 9)
            ]
            rows = [empty | {"source": a, "target": b, "kind": "a", "rel": ""} for a, b in ends]
            table = Table.from_pylist(rows, schema=links_schema())
            parquet.write_table(table, folder / "links" / f"00000-{number:05}.parquet")
            for _ in GraphBuilder(folder, Choice()).run():
                pass
        graph, web = Graph.open(folder), open_web(folder)
        graph.number(graph.url(0))
        shortest_path(graph, 0, 1)
        wishes = Wishes(trusted=("a.test",), root=np.array([0], np.uint32))
        Measures(web, wishes).columns(MEASURES)
        find_shape(web, with_distances=True)


def compile_modules(package: Path) -> None:
    """Have Python compile a package, with the modules that warming up does not load."""
    compile_dir(package, quiet=2)


if __name__ == "__main__":
    from gossamer.core.compiled_kernels import is_complete

    print("Compiling, once …", flush=True)
    if not is_complete():
        from gossamer.core.machine_code import keep_with_package

        keep_with_package()
    compile_modules(Path(__file__).parents[1])
    warm_up()
    warm_up_revisits()
    warm_up_texts()
    warm_up_graph()
