"""Options of `gossamer crawl`: which setting each changes, and the headings of its help."""

from gossamer.cli.help_page import HelpfulCommand

START = "Start and output"
SCOPE = "What to fetch"
LIMITS = "When to stop"
POLITENESS = "Politeness and identity"
NETWORK = "Network"
ORDER = "Which pages first"
AGAIN = "Pages that were fetched before"
MACHINES = "Processes and machines"
SHOWN = "What is shown and logged"

SETTING_OF = {
    "scope": "scope.kind",
    "include": "scope.include",
    "exclude": "scope.exclude",
    "max_depth": "scope.max_depth",
    "max_pages": "crawl.max_pages",
    "max_time": "crawl.max_seconds",
    "max_stored_pages": "store.max_stored_pages",
    "delay": "politeness.delay",
    "per_host": "politeness.per_host",
    "dns": "dns.servers",
    "allow_private": "fetch.allow_private",
    "page_requisites": "parse.page_requisites",
    "contact": "agent.contact",
    "partitions": "crawl.partitions",
    "order": "order.name",
    "known": "crawl.known",
    "home": "crawl.home",
    "continuous": "revisit.continuous",
    "visits_per_day": "revisit.visits_per_day",
    "new_share": "revisit.new_share",
    "revisit": "revisit.policy",
    "log_level": "log.log_level",
    "log_json": "log.log_json",
}
"""For each option that changes a setting: the setting."""

_SAID_IN_HELP = {"partitions"}
"""Options whose help says what their default depends on."""


class CrawlCommand(HelpfulCommand):
    """`gossamer crawl`: the default of an option is that of its setting."""

    def default_of(self, name: str) -> str:
        from gossamer.base.recipe import describe

        if name not in SETTING_OF or name in _SAID_IN_HELP:
            return ""
        section, _, field = SETTING_OF[name].partition(".")
        value = describe()[section][field][1].strip('"')
        return "" if value in ("", "[]", "{}", "false") else value.removesuffix(".0")
