"""Met this content before: exactly, in other markup, or nearly?

In: documents. Out: the same documents as `Judged`, each with its digest and, when the same or nearly the
same was met before, where. Three questions, each asked only if the one before it was answered with no:

1. *The same body?* (`Judged.duplicate_of`) Fingerprint: SHA-1 of the body. Of the payload as sent, which
   decides whether the archive needs only a `revisit` record, the SHA-1 of the payload. For a response that
   is neither chunked nor compressed they are one number, computed once.
2. *The same text in other markup?* (`Judged.same_text_as`) Fingerprint: SHA-1 of the text without case, space
   and punctuation, of which `Judged.text_print` is the number.
3. *Nearly the same text?* (`Judged.similar_to`) Words → shingles → sketch (`sketch.py`) → bands → the few
pages
   that share a band → compared sketch by sketch (`leaders.py`). `reference.py` does the same simply.
   A page with the same text in other markup is asked this as well, so that it has a group.

The text is read once (`core/text_words`). That yields what the last two questions need, and
`Judged.masked_print`, by which the redundancy filter tells what a page says apart from numbers and its own
name. Documents that come together are read one after the other, looked up together, and then judged in
their order: an earlier one can be the original of a later one.

A page with less than `content.least_text` letters is only asked the first: "Not found" is too little text
to compare. It still has a `text_print`.

Where things are (`originals.py`, `leaders.py`, `streaks.py`): what is known stands in files that only grow,
whose lengths lead back to any commit (`duplicates_state.py`). What finds it are lookups
(`core/disk/lookup`): answers at once, one page of the disk for each number, in `content.memory` bytes at
most. After a crash they are made again. What counts no more is left out at a checkpoint when it is much
(`file_compaction.py`).

Invariants: the first page with some content stays its original; a group is what is near to its first page;
a page that changed is compared by what it says now; what came after the last commit is forgotten.

In a crawl that visits pages again (`holdings.py`) a page holds what it was last seen with, and leaves what it
had before: then the next page that has the same is the original. An error is not what a page says, so it
changes nothing until the page is given up (`forget`).

With several partitions the first question is asked of the partition that owns the body's fingerprint
(`cluster/shared_content.py`), the other two within each partition. All fingerprints and bands are 64-bit
hashes, and each lookup is asked by such a number alone, so that these can have owners as well: nothing
here needs the host of a URL.
"""

from gossamer.analyzers.duplicates.content_protocol import ContentTest
from gossamer.analyzers.duplicates.content_seen import Content, body_print
from gossamer.analyzers.duplicates.duplicates_state import (
    ContentState,
    ContentStatistics,
    NearState,
    read_content_state,
)
from gossamer.analyzers.duplicates.holdings import Holdings
from gossamer.analyzers.duplicates.originals import First, Left, Originals

__all__ = [
    "Content",
    "ContentState",
    "ContentStatistics",
    "ContentTest",
    "First",
    "Holdings",
    "Left",
    "NearState",
    "Originals",
    "body_print",
    "read_content_state",
]
