"""IndexNow (indexnow.org): a site's owner names URLs that are new, changed or gone.

Who the owner is, a key says: it must be in a file at the site itself. It is looked for there before anything
is taken. A file in a folder speaks for the URLs of that folder.

What is said, by the protocol: 200 taken; 202 taken as soon as the key is found; 400 not understood; 403 no
such key there; 422 not the URLs of this site, or no key at all; 429 too many.
"""

import asyncio
import re
from asyncio import Task
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from gossamer.core.clock import Clock
from gossamer.core.outcomes import Outcome
from gossamer.core.settings import ListenSettings
from gossamer.core.url import Spelling, Url, parse
from gossamer.push.abuse import Abuse, Counts, RefusedError
from gossamer.push.floods import HourlyLimit
from gossamer.push.push_http import HttpAnswer, HttpRequest
from gossamer.push.push_intake import Gathering
from gossamer.push.push_requests import Asker

MOST_URLS = 10_000
"""URLs that one request may name."""
_KEY = re.compile(r"[A-Za-z0-9-]{8,128}")
_KEY_FILE = 1 << 12
"""Bytes of a key file that are read."""
_GOOD_FOR, _BAD_FOR = 3600.0, 300.0
"""Seconds for which a key that was found, or not found, is not looked for again."""
_MOST_REMEMBERED = 10_000
_HOSTS = 100
"""Keys are checked in an hour for this many hosts, if each has as many as it may."""
_MOST_UNCHECKED = 16
"""Requests that wait for a key to be checked."""


class _Body(Struct):
    """The JSON of a request."""

    host: str
    key: str
    url_list: list[str] = msgspec.field(name="urlList")
    location: str = msgspec.field(name="keyLocation", default="")


class _Claim(Struct, frozen=True):
    """A key, and the file that it must be in."""

    key: str
    file: Url

    def covers(self, url: Url) -> bool:
        """Does the key speak for this URL? Then it is of the same origin, in the folder of the file."""
        folder = self.file.text.partition("?")[0].rpartition("/")[0]
        return url.origin == self.file.origin and url.text.startswith(f"{folder}/")


class IndexNow:
    """Answers requests at `/indexnow`."""

    def __init__(
        self,
        settings: ListenSettings,
        spelling: Spelling,
        gathering: Gathering,
        asker: Asker,
        clock: Clock,
        counts: Counts,
    ) -> None:
        self._timeout = settings.key_seconds
        self._spelling = spelling
        self._gathering = gathering
        self._asker = asker
        self._clock = clock
        self._counts = counts
        self._keys = HourlyLimit(settings.keys_per_hour, clock)
        self._all_keys = HourlyLimit(_HOSTS * settings.keys_per_hour, clock)
        self._known: dict[_Claim, tuple[float, Outcome | None]] = {}
        """What came of claims, and until when that counts; None for a key that was found."""
        self._checks: dict[_Claim, Task[Outcome | None]] = {}
        self._waiting: set[Task[None]] = set()

    async def get(self, request: HttpRequest) -> HttpAnswer:
        query = request.query
        url = self._read_url(query.get("url", ""))
        claim = self._claim(query.get("key", ""), query.get("keyLocation", ""), url)
        return await self._take(claim, [url])

    async def post(self, request: HttpRequest) -> HttpAnswer:
        try:
            said = msgspec.json.decode(request.body, type=_Body)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise RefusedError(400, Abuse.BAD_REQUEST, "not the JSON of IndexNow") from None
        if not 0 < len(said.url_list) <= MOST_URLS:
            raise RefusedError(400, Abuse.BAD_REQUEST, f"name 1 to {MOST_URLS} URLs")
        urls = [self._read_url(text) for text in said.url_list]
        claim = self._claim(said.key, said.location, urls[0])
        host = parse(f"http://{said.host}/")
        if host is None or host.host != urls[0].host:
            raise RefusedError(422, Abuse.WRONG_HOST)
        return await self._take(claim, urls)

    def _read_url(self, text: str) -> Url:
        return _check_url(self._spelling.parse(text))

    def _claim(self, key: str, location: str, url: Url) -> _Claim:
        if not _KEY.fullmatch(key):
            raise RefusedError(422, Abuse.BAD_KEY, "a key has 8 to 128 letters, digits or dashes")
        return _Claim(key, _check_url(parse(location or f"{url.origin}/{key}.txt")))

    async def _take(self, claim: _Claim, urls: Sequence[Url]) -> HttpAnswer:
        if not all(map(claim.covers, urls)):
            raise RefusedError(422, Abuse.WRONG_HOST)
        wanted = self._gathering.choose(urls, claim.file.text)
        check = self._begin_check(claim)
        if isinstance(check, Task):
            await asyncio.wait([check], timeout=self._timeout)
            if not check.done():
                self._take_later(claim, wanted, check)
                return HttpAnswer(202, "the key is being checked\n")
            check = check.result()
        self._settle(claim, wanted, check)
        return HttpAnswer(200, "taken\n")

    def _settle(self, claim: _Claim, urls: Sequence[Url], outcome: Outcome | None) -> None:
        """Take in URLs, if the key was found."""
        if outcome is Outcome.PRIVATE_ADDRESS:
            raise RefusedError(403, Abuse.PRIVATE_ADDRESS, f"{claim.file.host} is not public")
        if outcome is not None:
            raise RefusedError(403, Abuse.BAD_KEY, f"no such key at {claim.file.text}")
        self._gathering.write("indexnow", claim.file.text, urls)

    def _take_later(self, claim: _Claim, urls: Sequence[Url], check: Task[Outcome | None]) -> None:
        async def wait() -> None:
            try:
                self._settle(claim, urls, await check)
            except RefusedError as refused:
                self._counts.refuse(refused.abuse, refused.said)

        task = asyncio.create_task(wait())
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)

    # Keys.

    def _begin_check(self, claim: _Claim) -> Task[Outcome | None] | Outcome | None:
        """Return the result for a key, or begin to check it."""
        until, outcome = self._known.get(claim, (0.0, None))
        if self._clock.now() < until:
            return outcome
        if (under_way := self._checks.get(claim)) is not None:
            return under_way
        host = claim.file.host
        is_busy = max(len(self._checks), len(self._waiting)) >= _MOST_UNCHECKED
        has_room = self._keys.has_room(host, 1) and self._all_keys.has_room("", 1)
        if is_busy or not has_room:
            raise RefusedError(429, Abuse.TOO_MANY_KEYS)
        self._keys.take(host, 1)
        self._all_keys.take("", 1)
        task = self._checks[claim] = asyncio.create_task(self._check(claim))
        return task

    async def _check(self, claim: _Claim) -> Outcome | None:
        try:
            page = await self._asker.get(claim.file, _KEY_FILE)
            is_good = (
                page.status == 200 and claim.key in page.body.decode("utf-8", "replace").split()
            )
            outcome = None if is_good else _reason(page.outcome)
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            until = self._clock.now() + (_GOOD_FOR if is_good else _BAD_FOR)
            self._known[claim] = (until, outcome)
            return outcome
        finally:
            del self._checks[claim]


def _check_url(url: Url | None) -> Url:
    if url is None or url.scheme not in ("http", "https") or not url.host:
        raise RefusedError(400, Abuse.BAD_REQUEST, "not an http or https URL")
    return url


def _reason(outcome: Outcome) -> Outcome:
    """The reason why no key was found; empty when the file has another key."""
    return Outcome.BAD_RESPONSE if outcome is Outcome.FETCHED else outcome
