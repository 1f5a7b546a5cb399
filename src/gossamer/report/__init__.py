"""Report the faults of a site, as a crawl of it has seen them: tables for people who keep the site.

A crawl comes in, running or not; a list of `Section`s goes out, one for each question: broken links,
soft errors, fragments, malformed links, forms, canonical links and translations, redirects of more than
one step, links to old addresses, what sitemaps name in vain, pages that the sitemap or the links leave
out, titles, copies, slow pages, mixed content, what robots.txt and nofollow keep away, and how deep pages
lie.

`crawled_site.py` reads the pages table, once: what the last visit says of each URL. `contents.py` reads
the archived HTML pages, once, for what no table has: a crawl without a report pays nothing for it.
`references.py` reads the links table, once, and keeps for each question the rows that matter. The files
of `sections` answer one question each: pure functions of these. `writing.py` makes CSV files and one HTML
page of the answers.

Pages are in memory (some hundred bytes each); links are not, but for those that are reported.
"""

from gossamer.report.report_build import ReportOptions, make_report
from gossamer.report.report_section import Section
from gossamer.report.writing import write_report

__all__ = ["ReportOptions", "Section", "make_report", "write_report"]
