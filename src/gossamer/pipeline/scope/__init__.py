"""Keep or refuse a link, and say why.

`scope_filter`: in, a link and how far it is from a seed; out, None when it may be followed, otherwise a
`Refusal`. The tests are made in a fixed order, the cheap ones first; the first that says no gives the
reason. What a page needs to be shown (`REQUISITES`) may be anywhere and at any depth: of the rules only
those that exclude, and the user's own test, are asked. Where the crawl is logged in, links that do
something (`actions`) are left alone, whatever kind they are of.
"""

from gossamer.pipeline.scope.actions import describe as describe_action
from gossamer.pipeline.scope.actions import find_action
from gossamer.pipeline.scope.scope_filter import Scope, ScopeRule

__all__ = [
    "Scope",
    "ScopeRule",
    "describe_action",
    "find_action",
]
