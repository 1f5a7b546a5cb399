"""What an application is: how it is filled and served, and how one knows what a fetch has shown."""

import shutil
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import ClassVar

from benchmarks.applications.origin import Origin, Reply

OLD = "old:"
"""What begins with this in the truth is the older state of an item. Such are counted apart: somebody may
want them, but a crawl is not judged by them."""


class Application:
    """One kind of site. Subclasses say in their docstring what counts as content, and why."""

    name: ClassVar[str] = ""
    packages: ClassVar[str] = ""
    """What to install, for people; nothing is ever installed from here."""
    installer: ClassVar[str] = "apt-get install --no-install-recommends"
    needs: ClassVar[tuple[str, ...]] = ()
    """Programs and files without which it cannot be served."""
    is_set_aside: ClassVar[bool] = False
    """Nobody looks at these while a judgement is built: they show whether it holds elsewhere."""
    start: ClassVar[str] = "/"

    def missing(self) -> list[str]:
        return [need for need in self.needs if not (shutil.which(need) or Path(need).exists())]

    @property
    def url(self) -> str:
        """Where a crawl begins. The name exists behind the witness only, so it never changes."""
        return f"http://{self.name}.test{self.start}"

    def fill(self, root: Path, pages: int, seed: int) -> Iterable[str]:
        """Set it up in an empty folder; returns its items, from its own data; older states after `OLD`."""
        raise NotImplementedError

    def served(self, root: Path) -> AbstractContextManager[Callable[[str], Reply]]:
        """Serve a filled folder; what is yielded answers any target, path with query."""
        raise NotImplementedError

    def item_of(self, target: str, reply: Reply) -> str | None:
        """The item that an answer shows; None if it shows none of its own."""
        raise NotImplementedError

    def others_of(self, target: str, reply: Reply) -> tuple[str, ...]:
        """Further items that an answer shows in full, such as the messages of a thread."""
        return ()

    def is_useful(self, target: str) -> bool:
        """Would a careful reader go there to find or to read items? For the oracle."""
        raise NotImplementedError


__all__ = ["OLD", "Application", "Origin", "Reply"]
