"""Keep or refuse a link, and say why; notice what is not worth following.

`scope`: in, a link and how far it is from a seed; out, None when it may be followed, otherwise a `Refusal`.
The tests are made in a fixed order, the cheap ones first; the first that says no gives the reason.
What a page needs to be shown (`REQUISITES`) may be anywhere and at any depth: of the rules only those
that exclude, and the user's own test, are asked. Where the crawl is logged in, links that do something
(`actions`) are left alone, whatever kind they are of.

`watch`: in, every page that was read and every new URL; out, pages marked that are none, URLs spelled in one
way, and for every URL whether it is asked for in its turn, last, or held back:

    pages ──▶ look ──▶ soft_errors   a page that looks like the host's answer to what does not exist
                  ├──▶ traps         the yield of each URL pattern
                  ├──▶ dust          different spellings, same text
                  └──▶ mirrors       different hosts, same paths and texts
    new URLs ──▶ respell (dust) ──▶ seen? ──▶ place (traps, mirrors) ──▶ frontier ──▶ turns_away ──▶ fetch
                                                └──▶ held, on disk ──▶ freed ──▶ frontier

What `respell` folds is on disk, too (`folded`), and comes out when its rule is refuted (`unfolding`).

Invariants:
- No URL is dropped: what is held waits on disk, comes back when its pattern or host turns out to be worth it,
  and is looked at again when nothing else is left.
- Memory is bounded: patterns, hosts and texts that were not in use for longest are forgotten, and
  judged anew when they are met again.
- After a crash everything is as it was at the last checkpoint: decisions made since are made again.
"""

from gossamer.cycle.scope.actions import describe as describe_action
from gossamer.cycle.scope.actions import find_action
from gossamer.cycle.scope.report import decided, explain, respelled, shorten
from gossamer.cycle.scope.scope import Scope, ScopeRule
from gossamer.cycle.scope.watch import Watch, WatchState, WatchStatistics, read_state
from gossamer.cycle.scope.worth import LEVELS, name_pattern, pack_context

__all__ = [
    "LEVELS",
    "Scope",
    "ScopeRule",
    "Watch",
    "WatchState",
    "WatchStatistics",
    "decided",
    "describe_action",
    "explain",
    "find_action",
    "name_pattern",
    "pack_context",
    "read_state",
    "respelled",
    "shorten",
]
