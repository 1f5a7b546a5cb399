"""Markdown: its links, its title and its text, in time linear in its length.

Links are read as CommonMark has them: `[text](target "title")`, `[text][name]` with `[name]: target`
somewhere, `<http://…>`, HTML's own `<a href>`; and bare URLs, as GitHub adds them. What stands in code or
in a comment is no link.

`mask` blanks out code and comments, `inline` finds the links in the rest, `parser` makes a document of
it. Masked text is as long as the text itself, so that places in one are places in the other.

This is no full parser of CommonMark: links in indented code count, and where brackets overlap in ways
that nobody writes, it may see a link more or less.
"""

from gossamer.pipeline.parse.markdown.parser import MarkdownParser

__all__ = ["MarkdownParser"]
