"""Options of wget, Scrapy, HTTrack and curl, and what does the same here.

Input: an option that a command does not have. Output: a hint, for the one line of complaint.
"""

from collections.abc import Iterable
from difflib import get_close_matches

_LIKENESS = 0.75
"""Two names that are less alike than this are not the same with a mistake in it."""


def suggest(option: str, known: Iterable[str], is_crawl: bool) -> str:
    """Suggest an option in place of an unknown one; empty if none is near.

    >>> suggest("--wait", ["--delay"], is_crawl=True)
    'use --delay SECONDS'
    >>> suggest("--dealy", ["--delay"], is_crawl=True)
    'did you mean --delay?'
    >>> suggest("--wait", ["--delay"], is_crawl=False)
    ''
    """
    if is_crawl and option in INSTEAD:
        return INSTEAD[option]
    bare = {name.lstrip("-"): name for name in known if name.startswith("--")}
    near = get_close_matches(option.lstrip("-"), list(bare), n=1, cutoff=_LIKENESS)
    return f"did you mean {bare[near[0]]}?" if near else ""


_AGENT = "use --contact URL, or for the whole line --set agent.user_agent=TEXT"
_CONTENT = "pages are kept in WARC files; for files to be browsed: gossamer export DIR FOLDER --format mirror"
_HEADER = (
    "only the user agent (--set agent.user_agent=TEXT), logins and cookies (in a file: --set "
    "fetch.secrets=FILE) can be set"
)
_LOGIN = "use --set fetch.secrets=FILE, with logins or cookies for each host"
_ENDS = "use --include REGEX or --exclude REGEX, such as --exclude '\\.zip$'"
_PARALLEL = (
    "many hosts are fetched from at the same time anyway; for one host --per-host NUMBER, for all "
    "--set fetch.transfers=NUMBER"
)
_RESUME = "use gossamer resume DIR"
_ROBOTS = "for your own servers: --set robots.obey=false"
_SCOPE = "use --scope site, host, domain or all"
_TRIES = "use --set politeness.retries=NUMBER"
_TIMEOUT = "use --set fetch.timeout=SECONDS"
_TLS = "use --set fetch.verify_tls=false"
_DEPTH = "use --max-depth NUMBER"
_DELAY = "use --delay SECONDS"
_FILE = "use --seeds FILE"
_OUT = "use --out DIR"
_SET = "use --set section.name=value; gossamer settings prints all settings"
_PROXY = "use --set fetch.proxy=URL"
_LOG = "use --log-level LEVEL; the log is read with gossamer log DIR"
_SIZE = "use --set fetch.max_body=BYTES for one page, --max-pages NUMBER for all"

INSTEAD = {
    "--user-agent": _AGENT,
    "-U": _AGENT,
    "--agent": _AGENT,
    "--header": _HEADER,
    "-H": _HEADER,
    "--headers": _HEADER,
    "--referer": _HEADER,
    "--user": _LOGIN,
    "--password": _LOGIN,
    "--http-user": _LOGIN,
    "--http-password": _LOGIN,
    "--load-cookies": _LOGIN,
    "--cookie": _LOGIN,
    "--cookies": _LOGIN,
    "-b": _LOGIN,
    "--wait": _DELAY,
    "-w": _DELAY,
    "--random-wait": _DELAY,
    "--download-delay": _DELAY,
    "--limit-rate": _DELAY,
    "--waitretry": _TRIES,
    "--tries": _TRIES,
    "-t": _TRIES,
    "--retry": _TRIES,
    "--retries": _TRIES,
    "--timeout": _TIMEOUT,
    "-T": _TIMEOUT,
    "--read-timeout": _TIMEOUT,
    "--connect-timeout": "use --set fetch.connect_timeout=SECONDS",
    "--max-redirect": "use --set fetch.max_redirects=NUMBER",
    "--level": _DEPTH,
    "-l": _DEPTH,
    "--depth": _DEPTH,
    "--depth-limit": _DEPTH,
    "--recursive": "links are followed anyway; limit them with --scope KIND or --max-depth NUMBER",
    "-r": "links are followed anyway; limit them with --scope KIND or --max-depth NUMBER",
    "--accept": _ENDS,
    "-A": _ENDS,
    "--reject": _ENDS,
    "-R": _ENDS,
    "--accept-regex": "use --include REGEX",
    "--reject-regex": "use --exclude REGEX",
    "--include-directories": "use --include REGEX",
    "-I": "use --include REGEX",
    "--exclude-directories": "use --exclude REGEX",
    "-X": "use --exclude REGEX",
    "--exclude-domains": "use --exclude REGEX",
    "--domains": _SCOPE,
    "-D": _SCOPE,
    "--allowed-domains": _SCOPE,
    "--span-hosts": "use --scope all",
    "--no-parent": "use --scope site",
    "-n": "for -np use --scope site; -nc and -nd are not needed",
    "--mirror": f"links are followed anyway; {_CONTENT}",
    "-m": f"links are followed anyway; {_CONTENT}",
    "--convert-links": _CONTENT,
    "-k": _CONTENT,
    "--adjust-extension": _CONTENT,
    "-E": _CONTENT,
    "--page-requisite": "use --page-requisites",
    "-p": "use --page-requisites",
    "--input-file": _FILE,
    "-i": _FILE,
    "--directory-prefix": _OUT,
    "-P": _OUT,
    "--output-document": _OUT,
    "-O": _OUT,
    "--output": _OUT,
    "--output-dir": _OUT,
    "--continue": _RESUME,
    "-c": _RESUME,
    "--execute": _ROBOTS,
    "-e": _ROBOTS,
    "--no-robots": _ROBOTS,
    "--robots": _ROBOTS,
    "--no-check-certificate": _TLS,
    "--insecure": _TLS,
    "--ca-certificate": "use --set fetch.ca_file=FILE",
    "--proxy": _PROXY,
    "--quota": _SIZE,
    "-Q": _SIZE,
    "--max-filesize": _SIZE,
    "--concurrency": _PARALLEL,
    "--concurrent-requests": _PARALLEL,
    "--threads": _PARALLEL,
    "--parallel": _PARALLEL,
    "--dns-servers": "use --dns HOST",
    "--warc-file": "WARC files are written anyway, into the crawl directory",
    "--loglevel": _LOG,
    "-L": _LOG,
    "--logfile": _LOG,
    "--output-file": _LOG,
    "--append-output": _LOG,
    "--verbose": _LOG,
    "-v": _LOG,
    "--debug": _LOG,
    "-d": _LOG,
    "-s": _SET,
    "-a": _SET,
    "--spider": "each answer is in the pages table anyway; gossamer report DIR names broken links",
    "--timestamping": "use --known DIR, the directory of an earlier crawl",
    "-N": "use --known DIR, the directory of an earlier crawl",
    "--limit": "use --max-pages NUMBER",
    "--max-requests": "use --max-pages NUMBER",
    "--time-limit": "use --max-time TIME",
}
"""For options of other programs: what to write here."""
