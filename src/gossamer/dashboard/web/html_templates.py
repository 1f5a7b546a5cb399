"""Records as pages: the templates, and how numbers, times and URLs are written in them."""

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape
from msgspec import Struct, structs

from gossamer.core.quantities import write_bytes, write_duration
from gossamer.dashboard.web.chart import CHARTS
from gossamer.dashboard.web.crawl_times import write_coming, write_day, write_moment
from gossamer.dashboard.web.dashboard_urls import address
from gossamer.dashboard.web.figure_words import write_figure, write_number, write_rate
from gossamer.dashboard.web.harmless_text import plain
from gossamer.dashboard.web.passages import lines, marked_changes
from gossamer.dashboard.web.record_pictures import PICTURES
from gossamer.dashboard.web.sorting import in_order
from gossamer.engine.crawl_figures import FIGURES

_LINKED = ("http://", "https://")


@cache
def environment() -> Environment:
    """The templates. Everything that is not marked as HTML by our own code is escaped."""
    made = Environment(
        loader=PackageLoader("gossamer.dashboard"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "number": write_number,
        "commands": mark_commands,
        "figure": write_figure,
        "rate": write_rate,
        "size": write_bytes,
        "duration": write_duration,
        "moment": write_moment,
        "day": write_day,
        "coming": write_coming,
        "rank": write_rank,
        "plain": plain,
        "in_order": in_order,
        "outside": link_outside,
        "lines": lines,
        "marked_changes": marked_changes,
    }
    made.globals |= {"address": address, "again": again, "definitions": FIGURES}
    made.globals |= {**PICTURES, **CHARTS}
    return made


def render(template: str, **values: Any) -> str:
    return environment().get_template(template).render(**values)


def mark_commands(text: str) -> Markup:
    """Mark text in backticks as commands.

    >>> mark_commands("`a <b>` goes on.")
    Markup('<code>a &lt;b&gt;</code> goes on.')
    """
    parts = map(escape, plain(text).split("`"))
    marked = (f"<code>{markup}</code>" if at % 2 else markup for at, markup in enumerate(parts))
    return Markup("").join(map(Markup, marked))  # each part is escaped


def write_rank(value: float) -> str:
    """A whole number, or the first digits of a small one.

    >>> write_rank(1234.0), write_rank(0.0105683), write_rank(3.25)
    ('1,234', '0.01057', '3.25')
    """
    return f"{value:,.0f}" if value == int(value) else f"{value:.4g}"


def again(path: str, asked: Struct, **changes: Any) -> str:
    """The same question once more, but for what changes; what is as it would be anyway is left out."""
    fields = {field_info.name: field_info.default for field_info in structs.fields(asked)}
    wanted = {**structs.asdict(asked), **changes}
    said = {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in wanted.items()
        if value != fields.get(name)
    }
    return address(path, **said)


def link_outside(url: str) -> Markup:
    """A URL of the crawl that can be followed, if it is one of http; whatever else it is stays text.

    >>> link_outside("javascript:alert(1)")
    Markup('javascript:alert(1)')
    """
    shown = escape(plain(url))
    if not url.startswith(_LINKED):
        return shown
    return Markup('<a rel="noreferrer noopener external" href="{}">{}</a>').format(url, shown)
