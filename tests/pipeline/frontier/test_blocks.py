"""Files of checked blocks."""

from pathlib import Path

import pytest

from gossamer.core.errors import DamageError
from gossamer.pipeline.frontier import blocks


def test_a_file_in_the_place_of_another_is_damage(tmp_path: Path) -> None:
    """Its checksums are right: the dashboard answered with status 500."""
    blocks.write(tmp_path / "numbers", [[1, 2], [3]])
    blocks.write(tmp_path / "names", [["a"]])
    assert [*blocks.read(tmp_path / "numbers", list[int])] == [[1, 2], [3]]
    (tmp_path / "names").replace(tmp_path / "numbers")
    with pytest.raises(DamageError, match="numbers does not hold what was written to it"):
        list(blocks.read(tmp_path / "numbers", list[int]))
