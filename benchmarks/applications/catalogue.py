"""All applications, those that are set aside last."""

from benchmarks.applications.application import Application
from benchmarks.applications.application_inbox import PublicInbox
from benchmarks.applications.cgit import Cgit
from benchmarks.applications.datasette import Datasette
from benchmarks.applications.dokuwiki import DokuWiki, OpenDokuWiki
from benchmarks.applications.fossil import Fossil
from benchmarks.applications.gitweb import GitWeb
from benchmarks.applications.mediawiki import MediaWiki
from benchmarks.applications.roundup import Roundup
from benchmarks.applications.trac import Trac
from benchmarks.applications.wordpress import WordPress

APPLICATIONS: tuple[Application, ...] = (
    DokuWiki(),
    OpenDokuWiki(),
    WordPress(),
    Cgit(),
    Datasette(),
    Trac(),
    Roundup(),
    GitWeb(),
    MediaWiki(),
    Fossil(),
    PublicInbox(),
)


def named(wanted: list[str]) -> list[Application]:
    """The applications of these names; without names, all that are not set aside."""
    known = {application.name: application for application in APPLICATIONS}
    for name in wanted:
        if name not in (*known, "apart", "all"):
            raise SystemExit(
                f"there is no application {name!r}; choose from: {', '.join(known)}, all, apart"
            )
    if "all" in wanted:
        return list(APPLICATIONS)
    return [
        one
        for one in APPLICATIONS
        if one.name in wanted
        or (one.is_set_aside and "apart" in wanted)
        or (not wanted and not one.is_set_aside)
    ]


def installed(applications: list[Application]) -> list[Application]:
    """Those that this machine can serve; the others are named, with what they need."""
    found = []
    for application in applications:
        if missing := application.missing():
            print(f"{application.name} is left out, for {', '.join(missing)} is missing;")
            print(f"  {application.installer} {application.packages}")
        else:
            found.append(application)
    return found
