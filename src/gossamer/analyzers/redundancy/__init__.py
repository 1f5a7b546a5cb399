"""Notice what is not worth fetching: soft errors, traps, other spellings of a URL, mirrors.

In, every page that was read and every new URL; out, pages marked that are none, URLs spelled in one
way, and for every URL whether it is asked for in its turn, last, or held back:

    pages ──▶ look ──▶ soft_errors   a page that looks like the host's answer to what does not exist
                  ├──▶ traps         the yield of each URL pattern
                  ├──▶ dust          different spellings, same text
                  └──▶ mirrors       different hosts, same paths and texts
    new URLs ──▶ respell (dust) ──▶ seen? ──▶ place (traps, mirrors) ──▶ frontier ──▶ turns_away ──▶ fetch
                                                └──▶ held, on disk ──▶ freed ──▶ frontier

What `respell` folds is on disk, too (`folded`), and comes out when its rule is refuted (`unfolding`).

Invariants:
- No URL is dropped: what is held waits on disk, comes back when its pattern or host turns out to be worth it,
  and is looked at again when nothing else is left.
- Memory is bounded: patterns, hosts and texts that were not in use for longest are forgotten, and
  judged again when they are met again.
- After a crash everything is as it was at the last checkpoint: decisions made since are made again.
"""
