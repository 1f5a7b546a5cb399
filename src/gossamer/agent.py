"""Who we say we are."""

from importlib.metadata import version

from gossamer.base.settings import AgentSettings

VERSION = version("gossamer")


def name_agent(settings: AgentSettings) -> str:
    """The User-Agent line.

    >>> name_agent(AgentSettings(user_agent="Mine/1.0"))
    'Mine/1.0'
    >>> name_agent(AgentSettings(contact="https://example.org/bot")).partition(" ")[2]
    '(+https://example.org/bot)'
    """
    if settings.user_agent:
        return settings.user_agent
    contact = f" (+{settings.contact})" if settings.contact else ""
    return f"{settings.product}/{VERSION}{contact}"
