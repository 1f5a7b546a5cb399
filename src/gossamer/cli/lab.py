"""`gossamer lab`: virtual crawls and simulations."""

from gossamer.cli import lab_fresh, lab_order, lab_simulate
from gossamer.cli.help_page import HelpfulApp

app = HelpfulApp(help="Virtual crawls and simulations.", no_args_is_help=True)


@app.callback()
def _lab() -> None:
    """Virtual crawls that compare orders and revisit policies, and the crawler in a simulator."""


app.command("order")(lab_order.order)
app.command("fresh")(lab_fresh.fresh)
app.command("simulate")(lab_simulate.simulate)
