"""The user agent: how the crawler identifies itself."""

import re
from importlib.metadata import version

from gossamer.core.errors import SettingsError
from gossamer.core.settings import AgentSettings

VERSION = __version__ = version("gossamer")


def name_agent(settings: AgentSettings) -> str:
    """The User-Agent line.

    >>> name_agent(AgentSettings(user_agent="Mine/1.0"))
    'Mine/1.0'
    >>> name_agent(AgentSettings(contact="https://example.org/bot")).partition(" ")[2]
    '(+https://example.org/bot)'
    """
    for name in ("contact", "user_agent"):
        value = getattr(settings, name)
        if not (value.isascii() and value.isprintable()) and value:
            raise SettingsError(f"agent.{name}: {value!r} cannot be sent; use printable ASCII")
    if not re.fullmatch("[A-Za-z_-]+", settings.product):
        raise SettingsError(
            f"agent.product: {settings.product!r} is not a product token; use letters, - and _ only"
        )
    if settings.user_agent:
        return settings.user_agent
    contact = f" (+{settings.contact})" if settings.contact else ""
    return f"{settings.product}/{VERSION}{contact}"
