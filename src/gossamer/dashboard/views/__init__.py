"""Views of the dashboard, in the order of the menu. A file has one view, or a few that belong together.

A subject reads; it never writes. It answers within 300 ms for a million pages of 100,000 hosts: what takes
longer is kept by the crawl that is shown (`ShownCrawl.keep`), or is cut, and the record says so.
"""

from gossamer.dashboard.view_protocol import View
from gossamer.dashboard.views.act_view import ACT
from gossamer.dashboard.views.control_view import CONTROL
from gossamer.dashboard.views.difference_view import DIFFERENCE
from gossamer.dashboard.views.freshness_view import FRESHNESS
from gossamer.dashboard.views.frontier_view import FRONTIER
from gossamer.dashboard.views.graph_hosts import GRAPH_HOSTS
from gossamer.dashboard.views.graph_near import GRAPH_NEAR
from gossamer.dashboard.views.graph_view import GRAPH
from gossamer.dashboard.views.host_view import HOST
from gossamer.dashboard.views.hosts_view import HOSTS
from gossamer.dashboard.views.links_view import LINKS
from gossamer.dashboard.views.log_view import LOG
from gossamer.dashboard.views.overview_view import OVERVIEW
from gossamer.dashboard.views.page_view import PAGE
from gossamer.dashboard.views.pages_view import PAGES
from gossamer.dashboard.views.replay_view import REPLAY
from gossamer.dashboard.views.search_view import SEARCH
from gossamer.dashboard.views.verdict_view import VERDICT

VIEWS: tuple[View, ...] = (
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
