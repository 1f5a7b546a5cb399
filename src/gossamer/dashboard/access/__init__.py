"""Access control: the right name, the right secret, requests that the visitor meant, and limits for pages.

In this order, before anything else is done for a request: `names` (against DNS rebinding), `session_store`
(password or token), `forgery` (a change was wanted by who sent it). `policy` goes out with every answer.
"""
