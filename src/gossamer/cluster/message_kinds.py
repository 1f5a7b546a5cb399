"""Kinds of messages between partitions."""

from enum import IntEnum
from typing import NamedTuple


class Topic(IntEnum):
    """The first byte of a message. A number once given keeps its meaning: outboxes live on disk."""

    LINKS = 1
    EDGES = 2
    ROOTS = 3
    PRINTS = 4
    ROBOTS = 5
    CONTENT = 6
    ORDER = 7
    LEFT = 8
    PRINTS_MET = 9
    HINTS = 10
    COMPARE = 11
    ALIKE = 12
    MIRRORS = 13


class Message(NamedTuple):
    """A message from one partition to another; it is delivered exactly once."""

    topic: int
    payload: bytes


class Question(NamedTuple):
    """A question of one partition to another; it is asked until it is answered."""

    partition: int
    """Who asks, or is asked."""
    number: int
    topic: int
    payload: bytes
