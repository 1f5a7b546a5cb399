"""Optional spelling rules: each takes path and query and returns them, perhaps shorter.

They are named in the settings and applied in that order, again and again until nothing changes:
one rule may uncover work for another (`/index.html;jsessionid=…`), and a spelling must be final.
A rule is a pure function of path (beginning with `/`) and query (without `?`), both in canonical
spelling, and returns both so. It may shorten or reorder, and must not leave a `.` or `..` segment.

A package of one's own adds rules through entry points of the group `gossamer.url_rules`.

There is no rule for `www.`, `http:` or a slash at the end, though other crawlers have them: the
spelling is also what is fetched, and where the one spelling redirects to the other, such a rule
makes the page unreachable. The content test finds these duplicates without that risk. The same can
happen, rarely, with `index` and `session`; that is why they are optional.
"""

from gossamer.core.url.rules.url_rule_registry import Rule, find_rules, known_rules, settle

__all__ = ["Rule", "find_rules", "known_rules", "settle"]
