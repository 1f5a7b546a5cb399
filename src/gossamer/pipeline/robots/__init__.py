"""Permission per origin: all of RFC 9309.

In comes a URL, right before it is fetched, and the time; out goes a `Verdict`. The component never
fetches: when an origin is UNKNOWN, the ring fetches `Gate.request(origin)` as it fetches any
page, politely, and hands what came of it to `Gate.learn`, hop by hop, until that returns None.

    bytes ──lines──▶ fields ──rules──▶ Robots ──for_agent──▶ Rules ──is_allowed──▶ yes or no
    Page ──answer──▶ Answer ──settling──▶ Known ──memory──▶ Entry ──gate──▶ Verdict

`robots_lines` forgives what webmasters get wrong, `robots_escapes` gives equivalent percent-encodings one
spelling, `rule_pattern` matches wildcards.

How an exchange is read, where RFC 9309 leaves a choice:
- 2xx brings rules. Of a longer file the first 500 KiB count, without the line cut in two.
- 4xx (also 401 and 403) means: no robots.txt, all is allowed. 429 counts as a failure.
- 5xx, every failed exchange, and a body that broke off early or cannot be decoded mean: nothing is
  allowed. The server is asked again after the wait that its Retry-After asks for, or else after
  `failure_wait`; either doubles with each failure, up to a ceiling. A copy that we have goes on being
  used for `stale_age`; a failure of `failure_limit` (30 days) counts as 4xx.
- More redirects than `max_redirects`, or one to nowhere, count as 4xx.
- An answer is used for `max_age` (at most 24 h), or shorter if Cache-Control or Expires say so,
  but at least for `min_age`: a server that forbids caching does not mean us to fetch its
  robots.txt before every page.

Invariants: a verdict is a function of what was learned and of `now`; nothing here sees a clock
or a socket. No input raises. A question costs at most path × file steps and nothing taken from
a file is kept beyond its bounds; the memory is bounded in origins and in bytes. What is
forgotten is only asked for again, though the count of days that a server failed begins again.
"""

from gossamer.pipeline.robots.origin_cache import KnownRobots
from gossamer.pipeline.robots.robots_answer import trouble_of
from gossamer.pipeline.robots.robots_gate import Gate, GateStatistics
from gossamer.pipeline.robots.robots_lines import ENOUGH
from gossamer.pipeline.robots.robots_rules import RobotsFile, Rule, Rules, parse
from gossamer.pipeline.robots.robots_verdict import Explanation, Verdict

__all__ = [
    "ENOUGH",
    "Explanation",
    "Gate",
    "GateStatistics",
    "KnownRobots",
    "RobotsFile",
    "Rule",
    "Rules",
    "Verdict",
    "parse",
    "trouble_of",
]
