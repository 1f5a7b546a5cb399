"""Pages of the crawl, made safe to look at.

    pages table, archive ──▶ copies ──▶ kinds ─┬─▶ markup, styles ──▶ rewritten, with links into the archive
                                               └─▶ pictures, sound, fonts by their first bytes; else text

A page of the web may be written to do harm. Two things stand between it and the reader.
Nothing that runs, loads, sends or leads elsewhere is written out (`replay_markup`: what is not known to
be harmless is left out). And the answer says to the browser that it is a page of an origin of its own,
without scripts, forms and frames (`access/content_security.py`), so that a hole in the first would open
nothing.

Links lead to `/replay`, a page of ours that has the copy in a frame, below a bar with its URL, time and
versions. Whatever else a copy asks for is at `/archive/copy`.

Invariants: every address in what is written leads to one of these two; text is always escaped; memory and
time are bounded by the size of the body, which is bounded.
"""
