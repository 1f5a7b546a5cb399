"""`crawl.toml`: read with care, written with a comment on every knob."""

import difflib
import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec

from gossamer.core.errors import SettingsError
from gossamer.core.secret_settings import has_users, hold_secrets, read_secrets
from gossamer.core.setting_errors import describe_mistake
from gossamer.core.settings import CHANGEABLE, Settings


def read(path: Path) -> Settings:
    """The settings in a file, and the secret ones in the file that it names, if that is there to be read.

    A mistake in one of them is one clear `SettingsError`.
    """
    return _with_secrets(build(_without_gone(_tree(path)), f"{path}: "), path)


def _with_secrets(settings: Settings, path: Path) -> Settings:
    place = path.parent / settings.fetch.secrets
    if not settings.fetch.secrets or not os.access(place, os.R_OK):
        return settings
    return change(settings, read_secrets(place))


def holds_secrets(text: str) -> bool:
    """Is there something in the text of a `crawl.toml` that only its owner should read?"""
    settings = build(_without_gone(tomllib.loads(text)))
    return hold_secrets(settings.fetch) or has_users(settings.crawl.seeds)


def names_secrets(path: Path) -> str:
    """The file that has the secret settings of a `crawl.toml`; empty when there are none."""
    return build(_without_gone(_tree(path))).fetch.secrets


def _tree(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"{path}: is not valid TOML: {error}; correct it, or restore it from a copy"
        ) from None


_GONE = {"detect": {"memory", "demote_below", "pause_below"}}
"""Settings that earlier versions had, and wrote into their files."""


def _without_gone(tree: dict[str, Any]) -> dict[str, Any]:
    """A crawl that an earlier version began can go on: what it had to set and is gone says nothing.

    >>> _without_gone({"detect": {"memory": 8, "looks": 5}})
    {'detect': {'looks': 5}}
    """
    for section, names in _GONE.items():
        if isinstance(values := tree.get(section), dict):
            tree[section] = {name: value for name, value in values.items() if name not in names}
    return tree


def build(tree: Mapping[str, Any], where: str = "") -> Settings:
    """Settings from nested mappings, as TOML gives them.

    >>> build({"fetch": {"timeout": 5}}).fetch.timeout
    5.0
    >>> build({"fetch": {"timeuot": 5}})
    Traceback (most recent call last):
    gossamer.core.errors.SettingsError: there is no setting fetch.timeuot; did you mean fetch.timeout?
    """
    known = {section: set(fields) for section, fields in _fields().items()}
    for section, values in tree.items():
        _check_name(section, known, where, "")
        if not isinstance(values, Mapping):
            raise SettingsError(f"{where}{section} is a section; write [{section}]")
        for name in values:
            _check_name(name, known[section], where, f"{section}.")
    try:
        return msgspec.convert(tree, Settings, strict=True)
    except msgspec.ValidationError as error:
        raise SettingsError(f"{where}{_explain(str(error), tree)}") from None


def change(settings: Settings, changes: Mapping[str, Any]) -> Settings:
    """Settings with some knobs turned, each named `section.name`.

    >>> change(Settings(), {"fetch.timeout": 5}).fetch.timeout
    5.0
    """
    tree: dict[str, Any] = msgspec.to_builtins(settings)
    for name, value in changes.items():
        section, _, field = name.partition(".")
        tree.setdefault(section, {})[field] = value
    return build(tree)


def find(name: str) -> str:
    """The full name of a knob that is named by its field alone.

    >>> find("max_pages")
    'crawl.max_pages'
    """
    fields = _fields()
    places = [f"{section}.{name}" for section in fields if name in fields[section]]
    if len(places) == 1:
        return places[0]
    if places:
        raise SettingsError(
            f"{name} is in several sections: {' and '.join(places)}; give it in settings="
        )
    _check_name(name, {field for section in fields.values() for field in section}, "", "")
    raise AssertionError("unreachable")


def write(settings: Settings) -> str:
    """The settings as TOML, every knob shown and described."""
    return "\n".join(_lines(settings))


def write_section(name: str, values: Mapping[str, Any]) -> str:
    """One section as TOML, with these values alone."""
    lines = [f"[{name}]", *(f"{field} = {_value(value)}" for field, value in values.items())]
    return "\n".join([*lines, ""])


def describe() -> dict[str, dict[str, tuple[str, str, str]]]:
    """For every section and field: its type, its default as TOML, and what it is for."""
    defaults = msgspec.to_builtins(Settings())
    return {
        section: {
            name: (_type_name(hint), _value(defaults[section][name]), _description(hint))
            for name, hint in fields.items()
        }
        for section, fields in _fields().items()
    }


def is_changeable(name: str) -> bool:
    """May this setting, named `section.name`, be changed while a crawl runs?

    >>> is_changeable("politeness.delay"), is_changeable("order.name")
    (True, False)
    """
    section, _, field = name.partition(".")
    hint = _fields().get(section, {}).get(field)
    return any((meta.extra or {}).get(CHANGEABLE) for meta in get_args(hint)[1:])


def _lines(settings: Settings) -> Iterator[str]:
    values = msgspec.to_builtins(settings)
    for section, fields in _fields().items():
        yield f"# {(type(getattr(settings, section)).__doc__ or '').strip()}"
        yield f"[{section}]"
        for name, hint in fields.items():
            yield f"# {_description(hint)}"
            yield f"{name} = {_value(values[section][name])}"
        yield ""


@cache  # Python takes milliseconds to look at all annotations
def _fields() -> dict[str, dict[str, Any]]:
    sections = get_type_hints(Settings)
    return {
        name: get_type_hints(section, include_extras=True) for name, section in sections.items()
    }


def _description(hint: Any) -> str:
    """Describe a setting; those that may change while a crawl runs are marked."""
    for meta in get_args(hint)[1:]:
        mark = " May change while a crawl runs." if (meta.extra or {}).get(CHANGEABLE) else ""
        return f"{meta.description}{mark}"
    return ""


def _type_name(hint: Any) -> str:
    kind = get_args(hint)[0]
    choices = [choice for choice in get_args(kind) if isinstance(choice, str)]
    if choices:
        return " | ".join(f'"{choice}"' for choice in choices)
    return _CONTAINERS.get(str(kind)) or str(kind.__name__)


_CONTAINERS = {"tuple[str, ...]": "list of str", "dict[str, str]": "table of str"}


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_value(key)} = {_value(one)}' for key, one in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(one) for one in value)}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _check_name(name: str, known: Any, where: str, prefix: str) -> None:
    if name in known:
        return
    near = difflib.get_close_matches(name, list(known), n=1)
    hint = f"did you mean {prefix}{near[0]}?" if near else f"known: {', '.join(sorted(known))}"
    raise SettingsError(f"{where}there is no setting {prefix}{name}; {hint}")


def _explain(message: str, tree: Mapping[str, Any]) -> str:
    """msgspec says "Expected `int` >= 1 - at `$.fetch.transfers`"; we say it in words, the place first."""
    _, _, place = message.partition(" - at `$.")
    section, _, rest = place.rstrip("`").partition(".")
    name = rest.partition("[")[0]
    hint = _fields().get(section, {}).get(name)
    if hint is None:
        return message
    return f"{section}.{name}: {describe_mistake(tree[section][name], hint)}"
