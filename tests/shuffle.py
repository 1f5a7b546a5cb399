"""Runs the tests in a random order (`--shuffle[=SEED]`), or one part of them (`--shard=2/5`).

The order is drawn over all tests, not within files: neighbours in a file are far apart then, and the fixtures
of a file are made again and again. The same seed gives the same order.
"""

import os
from random import Random

import pytest


def add_options(parser: pytest.Parser) -> None:
    """Add the options of the command line."""
    parser.addoption(
        "--shuffle",
        nargs="?",
        const="",
        metavar="SEED",
        help="run tests in a random order; the seed is printed",
    )
    parser.addoption(
        "--shard", metavar="I/N", help="run only part I of N: every N-th test, from the I-th on"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Draw the seed once: the processes of pytest-xdist get the options as they are then."""
    if config.option.shuffle == "":
        config.option.shuffle = str(int.from_bytes(os.urandom(3), "big"))
    if config.option.shard is not None:
        part_of(config.option.shard)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the other parts, then draw the order."""
    if config.option.shard is not None:
        part, parts = part_of(config.option.shard)
        chosen = items[part - 1 :: parts]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(chosen)])
        items[:] = chosen
    if config.option.shuffle is not None:
        Random(str(config.option.shuffle)).shuffle(items)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the seed, to get the same order again."""
    if config.option.shuffle is not None:
        terminalreporter.write_line(f"order: make shuffle SEED={config.option.shuffle}")


def part_of(text: str) -> tuple[int, int]:
    """`2/5` as two numbers."""
    part, slash, parts = text.partition("/")
    if slash and part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts):
        return int(part), int(parts)
    raise pytest.UsageError(f"--shard={text}: it is I/N, such as 2/5")
