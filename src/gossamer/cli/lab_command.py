"""`gossamer lab`: virtual crawls and simulations."""

from gossamer.cli import lab_fresh_command, lab_order_command, lab_simulate_command
from gossamer.cli.help_page import HelpfulApp

app = HelpfulApp(help="Virtual crawls and simulations.", no_args_is_help=True)


@app.callback()
def _lab() -> None:
    """Virtual crawls that compare orders and revisit policies, and the crawler in a simulator."""


app.command("order")(lab_order_command.order)
app.command("fresh")(lab_fresh_command.fresh)
app.command("simulate")(lab_simulate_command.simulate)
