"""Makes the engine's query from a question.

A question is asked once for each group of languages that the index has: a page has its text in the fields of
one group, so its words are stemmed, and words like `the` left out, by the rules of that language only. A word
counts in the text, among the names of the page, and weakly in what surrounds the main text. A word that is
several terms is a phrase, and its parts count a little. Conditions narrow down and do not count.

Pages with some of the words are found, by the sum of what each word says (BM25). Words in quotes are needed.
Two words of the question that stand side by side on the page count a little more. To put pages with all words
first, or to let neighbours count as words do, hides the answers to questions in full sentences
(`benchmarks.questions`).
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from gossamer.core.settings import SearchSettings
from gossamer.search.fields import (
    key_of,
    key_text,
    names_field,
    rest_field,
    words_field,
)
from gossamer.search.query import (
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
from gossamer.search.terms import (
    has_unspaced,
    humps,
    is_unspaced_letter,
    spread,
    stop_words,
    terms_asked,
    terms_of,
)

if TYPE_CHECKING:
    import tantivy

Finder = Callable[[str], Sequence[str]]
"""The URLs of pages that link to a URL."""
_OTHERWISE = 0.3
"""So much counts what is written otherwise than in the question: `file name` as `filename`, the parts of
`user-agent` apart from each other."""


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
        """Pages that have all that is asked for."""
        return self._choice([self._query(node, group, needs_all=True) for group in self._groups])

    def loose(self, node: Node) -> "tantivy.Query":
        """Pages that have some of the words, and meet every condition."""
        return self._choice([self._ranked(node, group) for group in self._groups])

    def _ranked(self, node: Node, group: str) -> "tantivy.Query":
        from tantivy import Occur, Query

        query = self._query(node, group, needs_all=False)
        near = self._near([*words_of(node)], group) if self._settings.near else []
        if not near:
            return query
        return Query.boolean_query([(Occur.Must, query), *((Occur.Should, one) for one in near)])

    def _near(self, words: Sequence[str], group: str) -> "list[tantivy.Query]":
        """Each two neighbours of the question that say something, as neighbours on the page."""
        stopped = stop_words(words, group)
        terms = [(term, word in stopped) for word in words for term in terms_asked(word, group)]
        pairs = {
            (one, other): None
            for (one, is_stopped), (other, is_other_stopped) in pairwise(terms)
            if one != other and not (is_stopped or is_other_stopped)
        }
        field, weight = words_field(group), self._settings.near
        return [self._leaf(field, pair, weight) for pair in pairs]

    def _query(self, node: Node, group: str, *, needs_all: bool) -> "tantivy.Query":
        if isinstance(node, Phrase):
            return self._words(node, group, needs_all=needs_all)
        if isinstance(node, Where):
            return self._where(node)
        if isinstance(node, Any):
            return self._choice(
                [self._query(part, group, needs_all=needs_all) for part in node.parts]
            )
        parts = node.parts if isinstance(node, All) else (node,)
        return self._parts(parts, group, needs_all=needs_all)

    def _parts(self, parts: Sequence[Node], group: str, *, needs_all: bool) -> "tantivy.Query":
        from tantivy import Occur, Query

        parts = _that_say_something(parts, group)
        clauses = []
        for part in parts:
            if isinstance(part, Not):
                clauses.append((Occur.MustNot, self._query(part.what, group, needs_all=True)))
                continue
            is_needed = needs_all or _is_needed(part)
            occur = Occur.Must if is_needed else Occur.Should
            clauses.append((occur, self._query(part, group, needs_all=needs_all)))
        if all(occur is Occur.MustNot for occur, _ in clauses):
            clauses.append((Occur.Must, Query.all_query()))
        clauses += [(Occur.Should, query) for query in self._joined(parts, group)]
        some = any(occur is Occur.Should for occur, _ in clauses)
        is_quoted = any(isinstance(part, Phrase) and part.is_quoted for part in parts)
        least = 1 if some and not needs_all and not is_quoted else None
        return Query.boolean_query(clauses, minimum_number_should_match=least)

    def _words(self, phrase: Phrase, group: str, *, needs_all: bool) -> "tantivy.Query":
        if phrase.is_quoted:
            return self._exactly(terms_of(phrase.text, group), group)
        terms = terms_asked(phrase.text, group)
        if len(terms) > 1 and has_unspaced(phrase.text):
            return self._some_of(terms, group, needs_all=needs_all)
        found = [self._exactly(terms, group)]
        if parts := humps(phrase.text):
            found += self._in_fields(terms_of(parts, group), group)
        if len(terms) > 1 and not needs_all:
            apart = (one for one in dict.fromkeys(terms) if len(one) > 1)
            found += [query for one in apart for query in self._in_fields([one], group, _OTHERWISE)]
        return self._choice(found)

    def _exactly(self, terms: Sequence[str], group: str) -> "tantivy.Query":
        found = [*self._in_fields(terms, group)]
        if len(terms) == 1 and is_unspaced_letter(terms[0]):
            found.append(self._letter(terms[0], group))
        return self._choice(found)

    def _in_fields(
        self, terms: Sequence[str], group: str, share: float = 1.0
    ) -> "Iterator[tantivy.Query]":
        if terms:
            yield self._leaf(words_field(group), terms, share)
            if self._settings.names:
                yield self._leaf(names_field(group), terms, share * self._settings.names)
        if len(terms) == 1 and self._settings.surroundings:
            yield self._leaf(rest_field(group), terms, share * self._settings.surroundings)

    def _joined(self, parts: Sequence[Node], group: str) -> "Iterator[tantivy.Query]":
        """Neighbours written as one word: `hash map` is about HashMap, `file name` about filename."""
        words = [_joinable(part) for part in parts]
        for count in (2, 3):
            for at in range(len(words) - count + 1):
                if all(some := words[at : at + count]):
                    yield from self._in_fields(terms_of("".join(some), group), group, _OTHERWISE)

    def _some_of(self, terms: Sequence[str], group: str, *, needs_all: bool) -> "tantivy.Query":
        """Pairs of letters that overlap: those across the border of two words stand on few pages."""
        from tantivy import Occur, Query

        pairs = [self._choice([*self._in_fields([one], group)]) for one in dict.fromkeys(terms)]
        least = (len(pairs) + 1) // 2 if needs_all else 1
        return Query.boolean_query(
            [(Occur.Should, query) for query in pairs], minimum_number_should_match=least
        )

    def _letter(self, letter: str, group: str) -> "tantivy.Query":
        """One letter of a script without spaces stands in the index as a part of pairs."""
        from tantivy import Query

        return Query.regex_query(self._schema, words_field(group), f"{letter}.|.{letter}")

    def _leaf(self, field: str, terms: Sequence[str], weight: float) -> "tantivy.Query":
        """One unit of a score: a word, or several in this order, in one field."""
        from tantivy import Query

        if len(terms) > 1:
            query = Query.phrase_query(self._schema, field, [*terms])
        else:
            option = "freq" if field.startswith(rest_field("")) else "position"
            query = Query.term_query(self._schema, field, terms[0], option)
        return query if weight == 1.0 else Query.boost_query(query, weight)

    def _choice(self, queries: "Sequence[tantivy.Query]") -> "tantivy.Query":
        from tantivy import Occur, Query

        if not queries:
            return Query.empty_query()
        return (
            queries[0]
            if len(queries) == 1
            else Query.boolean_query([(Occur.Should, query) for query in queries])
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
        raise QueryError(f"{f'related:{value}'!r} must be the only term; remove the other words")

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


def _that_say_something(parts: Sequence[Node], group: str) -> Sequence[Node]:
    """Without words like `the`, unless there are no others."""
    words = [part.text for part in parts if isinstance(part, Phrase) and not part.is_quoted]
    stopped = stop_words(words, group)
    return [part for part in parts if not (isinstance(part, Phrase) and part.text in stopped)]


def _joinable(part: Node) -> str:
    if not isinstance(part, Phrase) or part.is_quoted or not part.text.isascii():
        return ""
    return part.text if part.text.isalpha() else ""


def _is_needed(part: Node) -> bool:
    return isinstance(part, Where) or (isinstance(part, Phrase) and part.is_quoted)


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
