"""Control of a crawl: what people order while it runs, and what they ask it.

    tell, ask ─▶ the socket ─▶ the desk ─▶ the journal of orders ─▶ what is in force ─▶ every ring
    client.py    door.py       desk.py     order_journal.py         in_force.py         crawl/obedience.py

In: one line of JSON for each order or question. Out: one line for each answer.

An order (`orders.py`) is a frozen record; `words.py` reads it from the words that people type. The desk takes
it, puts it into the journal in `state/control/`, with its number, its time and who gave it, and only then
answers. What is in force is a pure fold over the journal. So whoever is killed after an answer was given
comes back to the same orders, and `history_of_orders` lists them all.

The process that runs the crawl serves the socket, with the poller that it waits with anyway. A crawl that
does not run is told as well: then the client takes the lock of the directory and writes the journal itself.

Invariants:
- an order is in the journal before its effect and its answer;
- to give what is in force to a ring twice changes nothing;
- a client can hold up nobody: nothing waits for it, and what it may send and leave unread is bounded.
"""

from gossamer.crawl.control.client import ask, tell
from gossamer.crawl.control.in_force import InForce
from gossamer.crawl.control.order_journal import history_of_orders
from gossamer.crawl.control.orders import Order, Ordered
from gossamer.crawl.control.words import read_order

__all__ = ["InForce", "Order", "Ordered", "ask", "history_of_orders", "read_order", "tell"]
