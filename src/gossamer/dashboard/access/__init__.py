"""Access control: the right name, the right secret, requests that the visitor meant, and limits for pages.

In this order, before anything else is done for a request: `host_header` (against DNS rebinding),
`session_store` (password or token), `request_forgery` (a change was wanted by who sent it).
`content_security` goes out with every answer.
"""
