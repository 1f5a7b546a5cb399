"""the dashboard of a crawl: what it does, what it found, and how to steer it.

    crawl directory ──▶ ShownCrawl ──▶ subject ──▶ record ─┬─▶ template ──▶ HTML, live by server-sent events
                                                           └─▶ JSON below /api/
    browser, POST   ──▶ guard ──▶ control channel of the running crawl

A *subject* is something to look at: the overview, hosts, one page. It is a function from the crawl and what
was asked to one frozen record (`subjects/`), and knows nothing of the web. `web/` makes HTML and JSON of
the same record, so that both always say the same. `guard/` stands before all of it: who may come in, by
which name, and that a change was wanted by who sent it.

A crawl whose files are in remote storage is shown from a folder to which they come, as much of them as is
needed (`in_storage.py`, `cluster/storage/storage_snapshot.py`). Else nothing here changes a crawl
directory. What changes a crawl goes through its control channel. The server is a process of its own beside
the crawl, with less claim to the processor, so that a crawl keeps its speed.

Invariants: no request to another host; no script of a crawled page runs in our origin; without JavaScript
everything works, only not live.
"""
