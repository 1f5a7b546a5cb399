"""The dashboard of a crawl: its progress, its results, and commands to it.

    crawl directory ──▶ ShownCrawl ──▶ view ─────▶ record ─┬─▶ template ──▶ HTML, live by server-sent events
                                                           └─▶ JSON below /api/
    browser, POST   ──▶ access ─▶ control channel of the running crawl

A *view* is one page: the overview, hosts, one URL. It is a function from the crawl and a query to one frozen
record (`views/`), and knows nothing of the web. `web/` makes HTML and JSON of the same record, so that both
always say the same. `access/` checks each request before: the password, the name of the host, and that a
change comes from a page of the dashboard.

A crawl whose files are in remote storage is shown from a folder to which they come, as much of them as is
needed (`remote_crawl_view.py`, `cluster/storage/storage_snapshot.py`). Else nothing here changes a crawl
directory. What changes a crawl goes through its control channel. The server is a process of its own beside
the crawl, with a lower priority, so that a crawl keeps its speed.

Invariants: no request to another host; no script of a crawled page runs in our origin; without JavaScript
everything works, only not live.
"""
