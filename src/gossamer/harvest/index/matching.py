"""From a question to what the engine is asked.

A word is looked for in the fields of each language that the index has, by its stem there; weakly also in what
surrounds the main text. A word that is several terms is a phrase. Conditions narrow down and do not count.

That two words of the question stand side by side counts as a word does, by how often and in which part. Words
with others in between do not: the engine counts these from the rarest word on, which differs from segment to
segment, and as something that counts once they made known pages harder to find (`benchmarks.known_items`).
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from gossamer.base.settings import SearchSettings
from gossamer.harvest.index.fields import key_of, key_text, rest_field, words_field
from gossamer.harvest.index.query import (
    All,
    Any,
    Condition,
    Node,
    Not,
    Phrase,
    QueryError,
    Where,
    words_of,
)
from gossamer.harvest.index.terms import is_stop_word, spread, terms_of

if TYPE_CHECKING:
    import tantivy

Finder = Callable[[str], Sequence[str]]
"""The URLs of pages that link to a URL."""


class Matcher:
    """Asks the engine about one index."""

    def __init__(
        self,
        schema: "tantivy.Schema",
        groups: Sequence[str],
        settings: SearchSettings,
        linking: Finder | None = None,
    ) -> None:
        self._schema = schema
        self._groups = groups
        self._settings = settings
        self._linking = linking

    def strict(self, node: Node) -> "tantivy.Query":
        """Pages that have all that is asked for, those first where the words stand together."""
        return self._favour_near(self._query(node, needs_all=True), node)

    def loose(self, node: Node) -> "tantivy.Query":
        """Pages that have some of the words, and meet every condition."""
        return self._favour_near(self._query(node, needs_all=False), node)

    def _favour_near(self, query: "tantivy.Query", node: Node) -> "tantivy.Query":
        from tantivy import Occur, Query

        weight = self._settings.near
        near = [*self._near([*words_of(node)])] if weight else []
        if not near:
            return query
        return Query.boolean_query([(Occur.Must, query), *((Occur.Should, one) for one in near)])

    def _near(self, words: Sequence[str]) -> "list[tantivy.Query]":
        """Each two neighbours of the question as neighbours on the page."""
        found, weight = [], self._settings.near
        for group in self._groups:
            terms = [term for word in words for term in terms_of(word, group)]
            pairs = [pair for pair in pairwise(terms) if pair[0] != pair[1]]
            found += [self._leaf(words_field(group), pair, weight) for pair in pairs]
        return found

    def _query(self, node: Node, *, needs_all: bool) -> "tantivy.Query":
        if isinstance(node, Phrase):
            return self._words(node.text)
        if isinstance(node, Where):
            return self._where(node)
        if isinstance(node, Not):
            return self._parts([node], needs_all=True)
        if isinstance(node, Any):
            return self._choice([self._query(part, needs_all=needs_all) for part in node.parts])
        return self._parts(node.parts, needs_all=needs_all)

    def _parts(self, parts: Sequence[Node], *, needs_all: bool) -> "tantivy.Query":
        from tantivy import Occur, Query

        parts = self._that_say_something(parts)
        clauses = []
        for part in parts:
            if isinstance(part, Not):
                clauses.append((Occur.MustNot, self._query(part.what, needs_all=True)))
                continue
            is_needed = needs_all or isinstance(part, Where)
            occur = Occur.Must if is_needed else Occur.Should
            clauses.append((occur, self._query(part, needs_all=needs_all)))
        if all(occur is Occur.MustNot for occur, _ in clauses):
            clauses.append((Occur.Must, Query.all_query()))
        some = any(occur is Occur.Should for occur, _ in clauses)
        return Query.boolean_query(clauses, minimum_number_should_match=1 if some else None)

    def _that_say_something(self, parts: Sequence[Node]) -> Sequence[Node]:
        """Without words like `the`, unless there are no others."""
        kept = [part for part in parts if not self._is_stop_word(part)]
        return kept if any(isinstance(part, Phrase) for part in kept) else parts

    def _is_stop_word(self, part: Node) -> bool:
        if not isinstance(part, Phrase) or not part.text.isalpha():
            return False
        return any(is_stop_word(part.text, group) for group in self._groups)

    def _words(self, text: str) -> "tantivy.Query":
        found = []
        for group in self._groups:
            terms = terms_of(text, group)
            if terms:
                found.append(self._leaf(words_field(group), terms, 1.0))
            if len(terms) == 1:
                found.append(self._leaf(rest_field(group), terms, self._settings.surroundings))
        return self._choice(found)

    def _leaf(self, field: str, terms: Sequence[str], weight: float) -> "tantivy.Query":
        """What a score is made of: a word, or several in this order, in one field."""
        from tantivy import Query

        if len(terms) > 1:
            query = Query.phrase_query(self._schema, field, [*terms])
        else:
            has_places = field.startswith(words_field(""))
            option = "position" if has_places else "freq"
            query = Query.term_query(self._schema, field, terms[0], option)
        return query if weight == 1.0 else Query.boost_query(query, weight)

    def _choice(self, queries: "Sequence[tantivy.Query]") -> "tantivy.Query":
        from tantivy import Occur, Query

        if not queries:
            return Query.empty_query()
        return (
            queries[0]
            if len(queries) == 1
            else Query.boolean_query([(Occur.Should, one) for one in queries])
        )

    def _where(self, where: Where) -> "tantivy.Query":
        from tantivy import Query

        return Query.const_score_query(self._condition(where), 0.0)

    def _condition(self, where: Where) -> "tantivy.Query":
        from tantivy import FieldType, Query

        value = where.value
        match where.condition:
            case Condition.SITE:
                return self._exact("host", value.lower().partition("://")[2] or value.lower())
            case Condition.LANG | Condition.TYPE as one:
                return self._exact(one.value, value.lower())
            case Condition.INTITLE:
                return self._in_order("title", value)
            case Condition.INURL:
                return self._in_order("in_url", value)
            case Condition.AFTER:
                return Query.range_query(
                    self._schema, "moment", FieldType.Integer, int(where.moment), None
                )
            case Condition.BEFORE:
                last = int(where.moment)
                return Query.range_query(
                    self._schema, "moment", FieldType.Integer, None, last, include_upper=False
                )
            case Condition.LINK:
                return self._pages(self._linking(value) if self._linking else ())
        raise QueryError(f"{f'related:{value}'!r} stands alone; leave the other words out")

    def _exact(self, field: str, value: str) -> "tantivy.Query":
        from tantivy import Query

        return Query.term_query(self._schema, field, value.strip("/"), "basic")

    def _in_order(self, field: str, text: str) -> "tantivy.Query":
        from tantivy import Query

        terms = terms_of(spread(text))
        if not terms:
            return Query.empty_query()
        if len(terms) == 1:
            return Query.term_query(self._schema, field, terms[0])
        return Query.phrase_query(self._schema, field, [*terms])

    def _pages(self, urls: Sequence[str]) -> "tantivy.Query":
        from tantivy import Query

        keys = [key_text(key_of(url)) for url in urls]
        return Query.term_set_query(self._schema, "key", keys) if keys else Query.empty_query()


def has_condition(node: Node, condition: Condition) -> bool:
    """Is a condition anywhere in a question?"""
    return any(True for _ in asked_about(node, condition))


def asked_about(node: Node, condition: Condition) -> Iterator[str]:
    """The values of a condition, wherever it stands in a question."""
    if isinstance(node, Where):
        if node.condition is condition:
            yield node.value
    elif isinstance(node, Not):
        yield from asked_about(node.what, condition)
    elif isinstance(node, All | Any):
        for part in node.parts:
            yield from asked_about(part, condition)
