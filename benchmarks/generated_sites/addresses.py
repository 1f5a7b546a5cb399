"""How an application spells its URLs: from what is meant to a target, and back."""

from typing import NamedTuple

from benchmarks.generated_sites.traits import OPTIONS, VIEWS, Traits

_NOBODY = "-"
"""The subject of views that are about nothing in particular."""


class Address(NamedTuple):
    """What a URL means."""

    view: str
    subject: str = ""
    options: tuple[tuple[str, str], ...] = ()

    def option(self, name: str, default: str = "") -> str:
        return dict(self.options).get(name, default)


class Addresses:
    """Spells and reads the targets of one application below a folder.

    >>> from benchmarks.generated_sites.traits import draw_traits
    >>> spelling = Addresses(draw_traits(1), "/app")
    >>> meant = Address("diff", "tea", (("rev", "1"), ("to", "2")))
    >>> spelling.read(spelling.spell(meant)) == meant
    True
    """

    def __init__(self, traits: Traits, base: str) -> None:
        self._traits = traits
        self._base = base
        self._views = {traits.words[name]: name for name in VIEWS}
        self._options = {traits.words[name]: name for name in OPTIONS}

    @property
    def storage(self) -> str:
        return f"{self._base}/"

    def spell(self, address: Address) -> str:
        word = self._traits.words[address.view]
        subject = address.subject or _NOBODY
        options = [(self._traits.words[name], value) for name, value in address.options]
        is_plain = address.view == "show"
        match self._traits.style:
            case "front":
                return self._with(f"{self._base}/{word}/{subject}", options)
            case "back":
                path = f"{self._base}/{subject}" if is_plain else f"{self._base}/{subject}/{word}"
                return self._with(path, options)
            case "query":
                what = [] if is_plain else [(self._traits.words["view"], word)]
                return self._with(
                    f"{self._base}/index.php", [self._named(subject), *what, *options]
                )
        what = [(self._traits.words["view"], word), self._named(subject)]
        return self._with(f"{self._base}/app.cgi", [*what, *options])

    def _named(self, subject: str) -> tuple[str, str]:
        return self._traits.words["subject"], subject

    def _with(self, path: str, pairs: list[tuple[str, str]]) -> str:
        query = self._traits.separator.join(f"{name}={value}" for name, value in pairs)
        return f"{path}?{query}" if query else path

    def read(self, target: str) -> Address | None:
        """What a target means; None when it is none of this application's."""
        path, _, query = target.removeprefix(self._base).partition("?")
        pairs = [part.partition("=") for part in query.split(self._traits.separator) if part]
        options = {self._options.get(name, ""): value for name, _, value in pairs}
        view, subject = self._said(path, options)
        if not subject or "" in options:
            return None
        return Address(view, "" if subject == _NOBODY else subject, tuple(options.items()))

    def _said(self, path: str, options: dict[str, str]) -> tuple[str, str]:
        """View and subject; taken out of the options where they stand there."""
        parts = path.split("/")[1:]
        if self._traits.style in ("query", "script"):
            view = self._views.get(options.pop("view", self._traits.words["show"]), "")
            is_known = parts == ["index.php" if self._traits.style == "query" else "app.cgi"]
            return view, options.pop("subject", "") if is_known else ""
        if self._traits.style == "back":
            parts = [self._traits.words["show"], *parts] if len(parts) == 1 else parts[::-1]
        return (self._views.get(parts[0], ""), parts[1]) if len(parts) == 2 else ("", "")

    def beginning(self, view: str) -> str:
        """What all targets of a view begin with, for a robots.txt; empty where there is no such thing."""
        word = self._traits.words[view]
        match self._traits.style:
            case "front":
                return f"{self._base}/{word}/"
            case "back":
                return f"{self._base}/*/{word}"
            case "script":
                return f"{self._base}/app.cgi?{self._traits.words['view']}={word}"
        return ""
