"""`gossamer listen`: a small HTTP endpoint by which others announce pages to a crawl.

In come requests of strangers; out go URLs, durable in the crawl's inbox (`engine/inbox.py`). The crawl may be
running or resting; it is never spoken to.

    a site's owner ──▶ IndexNow ──▶ key checked at the site ──┐
                                                              ├──▶ in scope? not too many? ──▶ inbox
    a hub ───────────▶ WebSub ───▶ signature checked ─────────┘
                         ▲
    pages of the crawl ──┴─ hubs found ─▶ subscriptions, renewed before they end

`push_server` reads requests (`push_http`) and knows nothing of what they mean. `index_now` and `web_sub` do.
`push_requests` asks other servers, through the guard that fetching uses. `push_service` puts all together.

Invariants: nothing is taken that is not in the crawl's scope, whose owner was not asked (IndexNow), or whose
signature is wrong (WebSub). Each refusal has a name (`abuse`) and is counted. A request is bounded in time
and size, and there are only this many at once.
"""

from gossamer.push.push_service import ListeningService

__all__ = ["ListeningService"]
