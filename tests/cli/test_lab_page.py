"""Pages of experiments: the command that made them."""

from pathlib import Path
from typing import Annotated

import typer
from typer.testing import CliRunner

from gossamer.cli.lab_page import options_given, put_page


def test_a_page_names_the_command_that_made_it(tmp_path: Path) -> None:
    """With the options that were given, and no others."""
    app = typer.Typer()

    @app.command()
    def play(
        context: typer.Context,
        names: Annotated[list[str] | None, typer.Option("--name")] = None,
        days: float = 9.0,
        pages: int = 5,
        file: Path | None = None,
        out: Path = tmp_path,
    ) -> None:
        command = f"play{options_given(context, but='out')} --out"
        put_page(out, names, command, lambda *_: None, lambda found, line: f"{line}: {found}")

    options = ["--name", "a", "--name", "b", "--days", "2", "--file", "/some/where/file.gz"]
    done = CliRunner().invoke(app, [*options, "--out", str(tmp_path / "page")])
    assert done.exit_code == 0, done.output
    written = (tmp_path / "page" / "README.md").read_text("utf-8")
    assert written == "play --name a --name b --days 2 --file file.gz --out docs/page: ['a', 'b']"
