"""What there is to look at, in the order of the menu. A file has one subject, or a few that belong together.

A subject reads; it never writes. It answers within 300 ms for a million pages of 100,000 hosts: what takes
longer is kept by the crawl that is shown (`ShownCrawl.keep`), or is cut, and the record says so.
"""

from gossamer.serve.subject import Subject
from gossamer.serve.subjects.act import ACT
from gossamer.serve.subjects.control import CONTROL
from gossamer.serve.subjects.difference import DIFFERENCE
from gossamer.serve.subjects.freshness import FRESHNESS
from gossamer.serve.subjects.frontier import FRONTIER
from gossamer.serve.subjects.graph import GRAPH
from gossamer.serve.subjects.graph_hosts import GRAPH_HOSTS
from gossamer.serve.subjects.graph_near import GRAPH_NEAR
from gossamer.serve.subjects.host import HOST
from gossamer.serve.subjects.hosts import HOSTS
from gossamer.serve.subjects.links import LINKS
from gossamer.serve.subjects.log import LOG
from gossamer.serve.subjects.overview import OVERVIEW
from gossamer.serve.subjects.page import PAGE
from gossamer.serve.subjects.pages import PAGES
from gossamer.serve.subjects.replay import REPLAY
from gossamer.serve.subjects.search import SEARCH
from gossamer.serve.subjects.verdict import VERDICT

SUBJECTS: tuple[Subject, ...] = (
    OVERVIEW,
    HOSTS,
    PAGES,
    FRONTIER,
    SEARCH,
    GRAPH,
    FRESHNESS,
    CONTROL,
    LOG,
    VERDICT,
    HOST,
    PAGE,
    REPLAY,
    ACT,
    DIFFERENCE,
    LINKS,
    GRAPH_HOSTS,
    GRAPH_NEAR,
)
