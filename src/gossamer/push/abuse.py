"""Refusals of announcements, by name."""

import logging
from collections import Counter
from enum import StrEnum

_log = logging.getLogger("gossamer")


class Abuse(StrEnum):
    """Reasons why a request, or a part of it, was refused."""

    BAD_REQUEST = "bad_request"
    """It is no HTTP, or says nothing that can be understood."""
    BAD_PATH = "bad_path"
    """There is nothing at this path."""
    BAD_METHOD = "bad_method"
    """The path is there, but not for this method."""
    TOO_LARGE = "too_large"
    """Its body is larger than `listen.max_request`, or its head larger than 16 KB."""
    SLOW_CLIENT = "slow_client"
    """It was not there after `listen.request_seconds`."""
    TOO_MANY_CLIENTS = "too_many_clients"
    """There are `listen.max_clients` connections already."""
    FOREIGN_HOST = "foreign_host"
    """The URL is not in the crawl's scope."""
    WRONG_HOST = "wrong_host"
    """The URL does not belong to the host, or the folder, that the key is for."""
    BAD_KEY = "bad_key"
    """The key is no key by the protocol, or is not in the site's key file."""
    TOO_MANY_KEYS = "too_many_keys"
    """More than `listen.keys_per_hour` keys of a host were to be checked, or too many in all."""
    PRIVATE_ADDRESS = "private_address"
    """A key file or a hub is at an address that must not be asked."""
    TOO_MANY = "too_many"
    """More than `listen.urls_per_hour` URLs."""
    TOO_MANY_OF_HOST = "too_many_of_host"
    """More than `listen.host_urls_per_hour` URLs of a host."""
    NOT_ASKED_FOR = "not_asked_for"
    """A hub speaks of a subscription that nobody asked for, or that has ended."""
    BAD_SIGNATURE = "bad_signature"
    """Content from a hub has no signature, or a wrong one."""


class RefusedError(Exception):
    """A request is refused: the status to be said, and the reason."""

    def __init__(self, status: int, abuse: Abuse, said: str = "") -> None:
        super().__init__(abuse)
        self.status = status
        self.abuse = abuse
        self.said = said or abuse.value


class Counts:
    """Counts of accepted and refused requests; each kind of refusal is logged once."""

    def __init__(self) -> None:
        self.taken: Counter[str] = Counter()
        """URLs, by the protocol that brought them."""
        self.refused: Counter[str] = Counter()

    def refuse(self, abuse: Abuse, detail: str = "", times: int = 1) -> None:
        if not self.refused[abuse.value]:
            said = f" ({detail})" if detail and detail != abuse.value else ""
            _log.warning("refused: %s%s", abuse.value, said)
        self.refused[abuse.value] += times
