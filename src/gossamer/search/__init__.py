"""The text index of a crawl, and its search.

In come pages with their texts, what others call them and what they are worth (`gossamer.search.build` gathers
them). Out come the pages that a question is about, the best ones first.

    terms                 from text to terms, by language
    fields                what the engine is told of a page, and how much each part counts
    shard                 the engine's files: what is put in, what is taken out
    combined_scores       several folders of the engine, searched as one
    index_manifest        how an index was made
    query                 what a user asks for
    matching              from a question to what the engine is asked
    index_part            pages that are searched together: the best for a question
    scoring               scores by statistics that are not the engine's own
    several_indexes       parts on several machines, searched as one
    text_index            searches, and puts together what was found
    snippet               the part of a text that shows why
    spelling_suggestions  what may have been meant

The engine is tantivy, a library of Lucene's kind. Nothing but this component knows it.

Invariants:
- A question has an answer, or is refused in one line.
- However an index is cut, it answers as one: the same pages in the same order.
- What is in a shard says itself which version of a page it is; a commit is whole, or not there.
"""

from gossamer.search.fields import FieldWeights, Shown
from gossamer.search.query import QueryError
from gossamer.search.snippet import Snippet
from gossamer.search.text_index import Hit, SearchResults, TextIndex

__all__ = ["FieldWeights", "Hit", "QueryError", "SearchResults", "Shown", "Snippet", "TextIndex"]
