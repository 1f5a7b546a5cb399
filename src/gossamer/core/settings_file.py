"""`crawl.toml`: read with care, written with a comment on every knob."""

import difflib
import json
import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gossamer.core.errors import SettingsError
from gossamer.core.request import is_request_line
from gossamer.core.secret_settings import has_users, hold_secrets, read_secrets
from gossamer.core.setting_errors import describe_mistake
from gossamer.core.settings import CHANGEABLE, Settings


def read(path: Path) -> Settings:
    """The settings in a file, and the secret ones in the file that it names, if that is there to be read.

    A mistake in one of them is one clear `SettingsError`.
    """
    return _with_secrets(_read(path), path)


def _with_secrets(settings: Settings, path: Path) -> Settings:
    place = path.parent / settings.fetch.secrets
    if not settings.fetch.secrets or not os.access(place, os.R_OK):
        return settings
    return change(settings, read_secrets(place))


def holds_secrets(text: str) -> bool:
    """Is there something in the text of a `crawl.toml` that only its owner should read?"""
    settings = _settings_in(text)
    seeds = settings.crawl.seeds
    return hold_secrets(settings.fetch) or has_users(seeds) or any(map(is_request_line, seeds))


def names_secrets(path: Path) -> str:
    """The file that has the secret settings of a `crawl.toml`; empty when there are none."""
    return _read(path).fetch.secrets


@lru_cache(maxsize=4)  # Python takes milliseconds, and a command reads the same file several times
def _settings_in(text: str) -> Settings:
    return build(_without_gone(tomllib.loads(text)))


def _read(path: Path) -> Settings:
    try:
        return _settings_in(path.read_text("utf-8"))
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from None
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
    known = {section: set(fields) for section, fields in fields_of(tree).items()}
    for section, values in tree.items():
        _check_name(section, known, where, "")
        if not isinstance(values, Mapping):
            raise SettingsError(f"{where}{section} is a section; write [{section}]")
        for name in values:
            _check_name(name, known[section], where, f"{section}.")
    own = {name: values for name, values in tree.items() if name in _own_fields()}
    others = {name: dict(values) for name, values in tree.items() if name not in own}
    try:
        settings = msgspec.convert(own, Settings, strict=True)
        return replace(settings, analyzers=_check_analyzers(others)) if others else settings
    except msgspec.ValidationError as error:
        raise SettingsError(f"{where}{_explain(str(error), tree)}") from None


def _check_analyzers(sections: Mapping[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The sections of analyzers; one that says nothing but its defaults is left out."""
    found = {}
    for name, values in sections.items():
        kind = _section_kind(name)
        try:
            own = msgspec.convert(values, kind, strict=True)
        except msgspec.ValidationError as error:
            message = str(error).replace("`$.", f"`$.{name}.")
            raise msgspec.ValidationError(message) from None
        if own != kind():
            found[name] = msgspec.to_builtins(own)
    return found


def _section_kind(name: str) -> type[Struct]:
    """The type of the section of an analyzer."""
    from gossamer.core.analyzer_registry import find_analyzer

    found = find_analyzer(name)
    assert found is not None, "sections are checked before"
    assert found.settings is not None, "and so is that it has one"
    return found.settings


def to_tree(settings: Settings) -> dict[str, Any]:
    """Nested mappings, as TOML gives them."""
    tree: dict[str, Any] = msgspec.to_builtins(settings)
    analyzers: dict[str, Any] = tree.pop("analyzers")
    return {**tree, **analyzers}


def change(settings: Settings, changes: Mapping[str, Any]) -> Settings:
    """Settings with some knobs turned, each named `section.name`.

    >>> change(Settings(), {"fetch.timeout": 5}).fetch.timeout
    5.0
    """
    tree = to_tree(settings)
    for name, value in changes.items():
        section, _, field = name.partition(".")
        tree.setdefault(section, {})[field] = value
    return build(tree)


def find(name: str) -> str:
    """The full name of a knob that is named by its field alone.

    >>> find("max_pages")
    'crawl.max_pages'
    """
    fields = _own_fields()
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
    defaults = _with_defaults(Settings())
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
    hint = _own_fields().get(section, {}).get(field)
    return any((meta.extra or {}).get(CHANGEABLE) for meta in get_args(hint)[1:])


def _lines(settings: Settings) -> Iterator[str]:
    values = _with_defaults(settings)
    for section, fields in fields_of(settings.analyzers).items():
        yield f"# {section_about(section)}"
        yield f"[{section}]"
        for name, hint in fields.items():
            yield f"# {_description(hint)}"
            yield f"{name} = {_value(values[section][name])}"
        yield ""


def _with_defaults(settings: Settings) -> dict[str, Any]:
    """All values of all sections."""
    from gossamer.core.analyzer_registry import sections

    defaults = {name: msgspec.to_builtins(kind()) for name, kind in sections().items()}
    return {**defaults, **to_tree(settings)}


def section_about(section: str) -> str:
    """A section in one sentence."""
    kind = _own_sections().get(section) or _section_kind(section)
    return (kind.__doc__ or "").strip()


def fields_of(sections: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The fields of all sections, those of installed analyzers among them that are named here."""
    from gossamer.core.analyzer_registry import find_analyzer

    fields = _fields()
    for name in sections:
        if name not in fields and (found := find_analyzer(name)) and found.settings is not None:
            fields = {**fields, name: get_type_hints(found.settings, include_extras=True)}
    return fields


@cache  # Python takes milliseconds to look at all annotations
def _own_fields() -> dict[str, dict[str, Any]]:
    """Of the sections that are always there."""
    return {
        name: get_type_hints(section, include_extras=True)
        for name, section in _own_sections().items()
    }


@cache
def _own_sections() -> dict[str, type[Struct]]:
    return {name: kind for name, kind in get_type_hints(Settings).items() if name != "analyzers"}


@cache
def _fields() -> dict[str, dict[str, Any]]:
    """With those of our own analyzers."""
    from gossamer.core.analyzer_registry import sections

    return {
        **_own_fields(),
        **{name: get_type_hints(kind, include_extras=True) for name, kind in sections().items()},
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
    hint = fields_of([section]).get(section, {}).get(name)
    if hint is None:
        return message
    return f"{section}.{name}: {describe_mistake(tree[section][name], hint)}"
