"""WebSub (W3C Recommendation, 2018), as a subscriber: hubs tell when a feed or page has something new.

A hub is asked to subscribe us (section 5.1). It verifies that by asking back, with a challenge (5.3), and
says for how long it holds. Then it sends content, signed with the secret of this subscription (7.1). What
it sends is not read: the topic is fetched, by the crawl, from where it belongs.
"""

import asyncio
import hmac
import logging
from collections.abc import Callable
from urllib.parse import urlencode

from gossamer.core.clock import Clock
from gossamer.core.outcomes import Outcome
from gossamer.core.settings import ListenSettings
from gossamer.core.url import Spelling, parse
from gossamer.push.abuse import Abuse, Counts, RefusedError
from gossamer.push.floods import HourlyLimit
from gossamer.push.push_http import HttpAnswer, HttpRequest
from gossamer.push.push_intake import Gathering
from gossamer.push.push_requests import Asker
from gossamer.push.subscriptions import Subscription, Subscriptions

_log = logging.getLogger("gossamer")

METHODS = ("sha1", "sha256", "sha384", "sha512")
"""What may be signed with."""
_DAY = 86_400.0
_LONGEST_LEASE = 365 * _DAY
_HUB_PER_HOUR = 200
"""Requests to the same host of hubs: pages may name anybody as their hub."""
_WAIT = 600.0
"""Seconds after which a hub that was asked too often is asked again."""
_OFTEN = 10.0
"""Seconds between two looks which subscriptions are to be renewed, at most."""


class WebSub:
    """Answers requests at `/websub/NAME`, and keeps subscriptions alive."""

    def __init__(
        self,
        settings: ListenSettings,
        spelling: Spelling,
        subscriptions: Subscriptions,
        gathering: Gathering,
        asker: Asker,
        clock: Clock,
        counts: Counts,
    ) -> None:
        self._lease = settings.lease_days * _DAY
        self._spelling = spelling
        self._subscriptions = subscriptions
        self._gathering = gathering
        self._asker = asker
        self._clock = clock
        self._counts = counts
        self._of_hub = HourlyLimit(_HUB_PER_HOUR, clock)
        self._has_news = asyncio.Event()

    # What hubs ask.

    async def get(self, request: HttpRequest) -> HttpAnswer:
        """A hub verifies what it was asked for, or says that it will not do it."""
        one, query, now = self._find(request), request.query, self._clock.now()
        mode, is_topic = query.get("hub.mode"), query.get("hub.topic") == one.topic
        if mode == "denied" and is_topic:
            one.deny(now)
            self._subscriptions.save()
            return HttpAnswer(200)
        challenge = query.get("hub.challenge", "")
        if mode != "subscribe" or not is_topic or not one.is_asked_for(now) or not challenge:
            raise RefusedError(404, Abuse.NOT_ASKED_FOR)
        one.verify(now, _read_lease(query.get("hub.lease_seconds", ""), self._lease))
        self._subscriptions.save()
        self._counts.taken["subscriptions"] += 1
        self._has_news.set()
        return HttpAnswer(200, challenge)

    async def post(self, request: HttpRequest) -> HttpAnswer:
        """A hub has something new. A wrong signature is not told, as the specification wants it."""
        one = self._find(request)
        if not one.is_active(self._clock.now()):
            raise RefusedError(410, Abuse.NOT_ASKED_FOR)
        signature = request.fields.get("x-hub-signature", "")
        if not is_signed(request.body, one.secret, signature):
            self._counts.refuse(Abuse.BAD_SIGNATURE, one.hub)
            return HttpAnswer(202)
        topic = self._spelling.parse(one.topic)
        assert topic is not None, "it was a URL when it was found"
        self._gathering.write("websub", one.hub, self._gathering.choose([topic], one.hub))
        return HttpAnswer(202)

    def _find(self, request: HttpRequest) -> Subscription:
        one = self._subscriptions.find(request.path.removeprefix("/websub/"))
        if one is None:
            raise RefusedError(404, Abuse.NOT_ASKED_FOR)
        return one

    # What hubs are asked.

    def add(self, topic: str, hub: str) -> None:
        """Subscribe to a topic at its hub, unless that is done already."""
        if self._subscriptions.add(topic, hub):
            self._has_news.set()

    async def keep_alive(self, callback: Callable[[str], str]) -> None:
        """Ask hubs for what is new, and again before a lease ends; `callback` gives the URL for a name."""
        while True:
            self._has_news.clear()
            now = self._clock.now()
            due = [
                subscription
                for subscription in self._subscriptions
                if subscription.next_ask <= now and self._may_ask(subscription)
            ]
            if due:
                self._subscriptions.save()
            await asyncio.gather(*(self._ask(one, callback(one.name)) for one in due))
            times = [subscription.next_ask for subscription in self._subscriptions]
            wait = min(times, default=now + _OFTEN) - self._clock.now()
            try:
                async with asyncio.timeout(min(max(wait, 0.0), _OFTEN)):
                    await self._has_news.wait()
            except TimeoutError:
                continue

    def _may_ask(self, one: Subscription) -> bool:
        """Begin to ask a hub, unless it was asked too often."""
        hub, now = parse(one.hub), self._clock.now()
        if hub is None or not self._of_hub.has_room(hub.host, 1):
            one.next_ask = now + _WAIT
            return False
        self._of_hub.take(hub.host, 1)
        one.begin(now)
        return True

    async def _ask(self, one: Subscription, callback: str) -> None:
        """Ask a hub. It may verify this before it has answered."""
        hub = parse(one.hub)
        assert hub is not None, "it was looked at before"
        form = {
            "hub.mode": "subscribe",
            "hub.topic": one.topic,
            "hub.callback": callback,
            "hub.lease_seconds": str(round(self._lease)),
            "hub.secret": one.secret,
        }
        page = await self._asker.post(hub, urlencode(form).encode())
        if page.outcome is Outcome.PRIVATE_ADDRESS:
            self._counts.refuse(Abuse.PRIVATE_ADDRESS, f"hub {one.hub}")
            one.deny(self._clock.now())
        elif not 200 <= page.status < 300:
            said = page.status or page.detail or page.outcome.value
            _log.info("hub %s refused the subscription to %s: %s", one.hub, one.topic, said)


def is_signed(body: bytes, secret: str, signature: str) -> bool:
    """Is this the signature of the body, made with the secret? How long this takes tells nothing.

    >>> made = hmac.new(b"secret", b"news", "sha256").hexdigest()
    >>> is_signed(b"news", "secret", f"sha256={made}"), is_signed(b"newt", "secret", f"sha256={made}")
    (True, False)
    """
    method, _, given = signature.partition("=")
    if method.lower() not in METHODS:
        return False
    wanted = hmac.new(secret.encode(), body, method.lower()).hexdigest()
    return hmac.compare_digest(wanted.encode(), given.strip().lower().encode())


def _read_lease(text: str, default: float) -> float:
    """Read the duration of a subscription from the hub's request."""
    if not (text.isascii() and text.isdigit()):
        return default
    return min(float(text[:12]), _LONGEST_LEASE)
