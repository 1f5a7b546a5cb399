"""Links that do something when they are followed: log out, delete, vote, put into a cart …

In: a link. Out: what in it says so, or nothing. `action_words` has the words, `action_urls` looks at the
URL, `link_action` puts URL, anchor text and rel together. It is asked only of hosts where the crawl is
logged in.

A word counts only where an application has its actions: in a parameter such as `action`, as the name of a
parameter, beside a number in the path, as the name of a script. A page about a word is left in peace:
`/wiki/Delete`, `sql-delete.html`, `/tag/remove`, `/t/how-to-vote/17`.
"""

from gossamer.pipeline.scope.actions.link_action import describe, find_action

__all__ = ["describe", "find_action"]
