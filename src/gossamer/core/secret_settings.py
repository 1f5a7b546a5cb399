"""Settings that only the owner of a crawl may read, in a file beside `crawl.toml` that has mode 0600.

`crawl.toml` names the file (`fetch.secrets`) and has none of them itself, so it can be shown and copied. The
file is never sent to remote storage. Secrets are logins, cookies, and a proxy with a user and a password.
User and password in a seed are no secret settings: a URL has none here, so they are left out at once.
"""

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from gossamer.core.errors import SettingsError
from gossamer.core.settings import FetchSettings, Settings

SECRETS = "secrets.toml"
MODE = 0o600
_NAMES = ("logins", "cookies", "proxy")
_USER = re.compile(r"(?!mailto:|\s*\{)^((?:[A-Za-z][A-Za-z0-9+.-]*://)?)[^/?#]*@")


def hold_secrets(fetch: FetchSettings) -> bool:
    """Is one of these settings for the owner alone?"""
    return bool(fetch.logins or fetch.cookies or "@" in fetch.proxy)


def secrets_of(settings: Settings) -> dict[str, Any]:
    """The secret settings that have a value.

    >>> secrets_of(Settings(fetch=FetchSettings(cookies={"a.test": "x=1"}, proxy="http://b.test:80")))
    {'cookies': {'a.test': 'x=1'}}
    """
    fetch = settings.fetch
    found: dict[str, Any] = {"logins": fetch.logins, "cookies": fetch.cookies}
    if "@" in fetch.proxy:
        found["proxy"] = fetch.proxy
    return {name: value for name, value in found.items() if value}


def without_secrets(settings: Settings) -> Settings:
    """The settings as they stand in `crawl.toml`: the name of the file in the place of what is in it."""
    secrets = secrets_of(settings)
    empty = {name: type(value)() for name, value in secrets.items()}
    named = SECRETS if secrets else ""
    return replace(settings, fetch=replace(settings.fetch, **empty, secrets=named))


def read_secrets(path: Path) -> dict[str, Any]:
    """Secret settings in a file, by their full names."""
    try:
        tree = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: is not valid TOML: {error}; correct it") from None
    fetch = tree.get("fetch", {})
    others = [name for name in tree if name != "fetch"]
    others += [f"fetch.{name}" for name in fetch if name not in _NAMES]
    if others:
        raise SettingsError(
            f"{path}: {others[0]} does not belong here; only fetch.logins, fetch.cookies and fetch.proxy do"
        )
    return {f"fetch.{name}": value for name, value in fetch.items()}


def give_secrets(changes: Mapping[str, Any]) -> dict[str, Any]:
    """The changes, and what is in the file that `fetch.secrets` names among them."""
    named = changes.get("fetch.secrets")
    return {**read_secrets(Path(named)), **changes} if named else dict(changes)


def has_users(seeds: Iterable[str]) -> bool:
    """Is there a user or a password in a seed?"""
    return any(_USER.match(seed) for seed in seeds)


def without_user(seed: str) -> str:
    """
    >>> without_user("https://me:word@a.test/@b"), without_user("me:word@a.test"), without_user("a.test/@b")
    ('https://a.test/@b', 'a.test', 'a.test/@b')
    >>> without_user("mailto:me@a.test")  # no page, and refused as it is
    'mailto:me@a.test'
    """
    return _USER.sub(r"\1", seed.strip())


def keep_private(path: Path) -> None:
    """Let only the owner read a file that an earlier version made readable to others."""
    with suppress(OSError):  # of another owner, on a disk that is read-only, or not there
        if path.stat().st_mode & 0o077:
            os.chmod(path, MODE)
