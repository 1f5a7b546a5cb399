"""The newest version of each page, asked of the tables in SQL (DuckDB)."""

LATEST = """\
with seen as (
    select url,
           max(fetched_at) as seen_at,
           arg_max(status, fetched_at) as last_status
    from pages
    where outcome = 'fetched'
      and (status between 200 and 303 or status between 305 and 399 or status in (404, 410)
           or (status = 304 and is_unchanged))
    group by url
)
select pages.*, seen.seen_at
from pages join seen using (url)
where outcome = 'fetched'
  and (status between 200 and 299 or (status = 304 and is_unchanged))
  and (last_status between 200 and 299 or last_status = 304)
qualify row_number() over (
    partition by url
    order by is_unchanged, case when is_unchanged then fetched_at end, fetched_at desc
) = 1
"""
"""One row for each page that is not gone: that of its newest version, and when it was last seen so.

A row without a change has no content of its own; it only counts where its version is in an earlier crawl.
"""
