"""State that cannot be read: what depends on it says so, the rest is shown."""

from pathlib import Path

import pytest

from gossamer.engine.control.typed_commands import send_command
from gossamer.pipeline.frontier import blocks
from tests.dashboard.faces import shown


@pytest.mark.parametrize("what", ["frontier", "orders"])
def test_hosts_name_what_cannot_be_read(finished_copy: Path, what: str) -> None:
    """A whole block of another file was a status of 500; lost commands were no blocks."""
    send_command(finished_copy, "block", "elsewhere.test")
    if what == "frontier":
        [file, *_] = sorted(finished_copy.glob("state/*/frontier/snapshot-*.bin"))
        blocks.write(file, [{"of": "another file"}])
    else:
        [file] = finished_copy.glob("state/control/journal-*.log")
        file.unlink()
    with shown(finished_copy) as visitor:
        page, json = visitor.get("/hosts"), visitor.get("/api/hosts").json
    assert page.status == 200
    assert [file.name in line for line in json["damaged"]] == [True]
    assert file.name in page.text
