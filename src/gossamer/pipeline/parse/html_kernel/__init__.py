"""One pass over the bytes of an HTML page, without a tree.

In comes a page in UTF-8, out goes a `PageReading`: a row for each element that a crawler looks at, and the
page's text. `page_scan` goes from tag to tag, as the tokenizer of the HTML standard does (`tokens`), and
keeps the few rules of tree construction that change what we look at:

- which link is open (`contexts`): tables, cells and objects decide that, too;
- where pictures and formulas begin and end (`foreign`), and what is read differently in them;
- that templates are not on the page, `noscript` is (no scripts run), and framesets hold only frames;
- where the body begins (`head_boundary`), which ends a `noscript` of the head;
- where on the page we are (`landmarks`).

`rows` says what a row holds; `text_output` writes the text, with references (`entities`) resolved, each
white space one space, and a space between two blocks; `kernel_names` knows the elements,
`kernel_workspace` holds all of it. Nothing here makes an object per tag.

Invariants: every byte is looked at a bounded number of times; rows, stacks and the text have fixed
bounds; rows stand in the order of their start tags; a link's text is a piece of the page's text.
"""

from gossamer.pipeline.parse.html_kernel.kernel_result import PageReading, Reader

__all__ = ["PageReading", "Reader"]
