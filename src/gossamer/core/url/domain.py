"""Pay-level domains (PLD: the unit that IRLbot gives its budgets to, Lee et al., 2008)."""

from functools import cache, lru_cache

from publicsuffixlist import PublicSuffixList

from gossamer.core.url.address import is_address


@lru_cache(maxsize=1 << 16)
def pay_level_domain(host: str) -> str:
    """The shortest part of the host's name that is no public suffix; if there is none, the host.

    >>> pay_level_domain("www.example.co.uk"), pay_level_domain("192.0.2.1")
    ('example.co.uk', '192.0.2.1')
    """
    return registrable_domain(host) or host


def registrable_domain(host: str) -> str | None:
    """The part of a name that can be registered; None for addresses and public suffixes."""
    if is_address(host):
        return None
    domain: str | None = _suffixes().privatesuffix(host)
    return domain


@cache
def _suffixes() -> PublicSuffixList:
    """The public suffix list, read when it is first asked for: it takes some 30 ms."""
    return PublicSuffixList()
