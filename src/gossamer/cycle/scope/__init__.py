"""Keep or refuse a link, and say why.

In: a link and how far it is from a seed. Out: None when it may be followed, otherwise a `Refusal`.
The tests are made in a fixed order, the cheap ones first; the first that says no gives the reason.
"""

from gossamer.cycle.scope.scope import Scope, ScopeRule

__all__ = ["Scope", "ScopeRule"]
