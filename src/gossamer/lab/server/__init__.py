"""A web on the wire: HTTP/1.1 and DNS on loopback addresses, from one process and one thread.

In come connections and queries, out go answers as the web describes them, and a log of requests.
`web_http` turns a request into steps and knows no socket; `web_connection` carries the steps out and knows
no web; `web_dns` turns a query into a response; `web_server` holds the loop; `server_child` runs it all in a
process of its own.

Invariants: nothing blocks (waits are timers); only loopback addresses are listened on; a request is
logged exactly once, when its last byte went to the kernel or its connection ended.
"""

from gossamer.lab.server.request_log import Request, RequestLog, read_log
from gossamer.lab.server.server_child import ServedWeb, serve
from gossamer.lab.server.web_server import Server

__all__ = ["Request", "RequestLog", "ServedWeb", "Server", "read_log", "serve"]
