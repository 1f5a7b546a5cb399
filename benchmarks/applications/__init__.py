"""Real web applications, and generated ones, to judge a crawler by.

An application is filled from a seed with texts that the machine has, served on loopback, and crawled by
Gossamer and by a plain crawler that follows links first in, first out. Its own data say what it has to
read (the *items*), so that each fetch can be called new, seen before or of no use.

    texts ──fill──▶ Application ──served──▶ Origin ──kept──▶ Witness ──▶ FIFO, Gossamer
                        │                                       │
                        └──────── truth: items ─────▶ Figures ◀─┘ fetches in order

- `texts`: what the pages say; `application`: what an application is, one file for each.
- `web_server`, `database`: lighttpd and MariaDB as processes of our own, in folders of our own.
- `origin`: who answers; `answers`: the answers, kept in a file, so that later crawls are quick.
- `witness`: stands between crawler and origin, and notes each fetch with the item it showed.
- `fifo`, `ours`: the crawlers; `oracle`: which items can be reached at all; `figures`: the judgement.

Two promises are looked at. A crawl without a limit that says "finished" has every item that can be
reached and is allowed. And at every number of fetches it has at least as many items as FIFO.
"""
