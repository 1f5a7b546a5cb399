"""Who may come in: the right name, the right secret, a wish of one's own, and what a page may do.

In this order, before anything else is done for a request: `names` (against DNS rebinding), `session_store`
(password or token), `forgery` (a change was wanted by who sent it). `policy` goes out with every answer.
"""
