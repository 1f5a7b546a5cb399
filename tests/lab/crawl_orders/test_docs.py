"""What the documentation says about orders is so."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gossamer.policy.order import ORDERS, Waiting, describe_orders
from tests.policy.order.feeding import crawled

TEXT = (Path(__file__).parents[3] / "docs" / "ordering.md").read_text("utf-8")


def test_every_order_is_listed_with_its_options() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| ?`?([^`|]*)`? \| .+ \|$", TEXT, re.MULTILINE)
    listed = {name: options.strip() for name, options in rows}
    assert listed == {name: options for name, options, _ in describe_orders()}
    assert list(listed) == list(ORDERS)


def test_the_policy_of_ones_own_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    blocks = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert len(blocks[0].split("class FreshHosts")[1].splitlines()) <= 20
    for block in blocks:
        exec(block, names)
    assert len(names["first"]) == len(set(names["first"])) == 10
    policy = names["FreshHosts"]()
    policy.learn(crawled({1: [], 2: []}, hosts={1: 7, 2: 7}))
    again = names["FreshHosts"]()
    again.load(policy.dump())
    hosts = np.array([7, 8], np.uint64)
    pages = Waiting(np.array([3, 4], np.uint64), np.array([1, 1]), hosts, hosts)
    assert again.score(pages).tolist() == policy.score(pages).tolist() == [-2.0, 0.0]
