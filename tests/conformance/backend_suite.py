"""What every fetch backend must do."""

from gossamer.core.records import Page, Visit
from gossamer.core.url import parse
from gossamer.pipeline.fetch.backend import Backend
from tests.patience import PATIENCE


def visit_to(text: str) -> Visit:
    url = parse(text)
    assert url is not None
    return Visit(url)


def fetch(backend: Backend, *texts: str) -> list[Page]:
    """Make these visits, which the backend wants and has room for."""
    for text in texts:
        assert backend.free_slots() > 0
        backend.start(visit_to(text), "")
    pages: list[Page] = []
    for _ in range(int(PATIENCE) * 1000):
        backend.tick()
        pages += backend.finished()
        if len(pages) >= len(texts):
            break
    return pages


class BackendSuite:
    """`urls` are some that the backend wants, as many as one may start at a time."""

    urls: tuple[str, ...]
    unwanted = ("http://other.test/", "https://other.test/")

    def make(self) -> Backend:
        raise NotImplementedError

    def test_it_wants_its_own_only(self) -> None:
        backend = self.make()
        assert all(backend.wants(visit_to(text)) for text in self.urls)
        assert not any(backend.wants(visit_to(text)) for text in self.unwanted)
        backend.close()

    def test_each_visit_has_one_page(self) -> None:
        backend = self.make()
        pages = fetch(backend, *self.urls)
        assert sorted(page.url for page in pages) == sorted(self.urls)
        assert backend.finished() == []
        assert backend.in_flight == 0
        assert backend.next_timeout() is None
        backend.close()

    def test_what_is_under_way_takes_room(self) -> None:
        backend = self.make()
        before = backend.free_slots()
        backend.start(visit_to(self.urls[0]), "")
        assert (backend.in_flight, backend.free_slots()) == (1, before - 1)
        fetch(backend)
        while backend.in_flight:
            backend.tick()
            backend.finished()
        assert backend.free_slots() == before
        backend.close()

    def test_a_closed_one_has_nothing_under_way(self) -> None:
        backend = self.make()
        backend.start(visit_to(self.urls[0]), "")
        backend.close()
        assert backend.in_flight == 0
