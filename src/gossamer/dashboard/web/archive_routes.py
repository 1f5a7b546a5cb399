"""`/archive/copy`: pages of the crawl as they were archived, for a frame that may do nothing."""

from html import escape

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.core.errors import GossamerError
from gossamer.dashboard.access.content_security import ARCHIVED_DRAWINGS, ARCHIVED_PAGES, in_frame
from gossamer.dashboard.replay.archived_copies import find_copy, find_kind
from gossamer.dashboard.replay.body_kinds import DRAWING, Handed, hand_out
from gossamer.dashboard.replay.replay_links import PATH, CopyAddresses
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.views.page_view import PageAsked
from gossamer.dashboard.web.harmless_text import plain
from gossamer.dashboard.web.live_questions import convert
from gossamer.dashboard.web.request_gate import RequestGate
from gossamer.dashboard.web.reverse_proxy import root_of

_THREADS = 2
"""Copies that are made at once."""


class ArchivedCopies:
    """Hands out copies."""

    def __init__(self, crawl: ShownCrawl, request_gate: RequestGate) -> None:
        self._crawl = crawl
        self._request_gate = request_gate
        self._limiter = CapacityLimiter(_THREADS)

    def routes(self) -> list[Route]:
        return [Route(PATH, self._copy)]

    async def _copy(self, request: Request) -> Response:
        """A page that is hard to read takes up one of these threads, and none of those of others."""
        return await to_thread.run_sync(self._answer, request, limiter=self._limiter)

    def _answer(self, request: Request) -> Response:
        asked = {name: one for name, one in request.query_params.items() if name != "key"}
        try:
            wanted = convert(asked, PageAsked)
            assert isinstance(wanted, PageAsked)
            handed, status = self._read(wanted, root_of(request.scope)), 200
        except (GossamerError, OSError) as error:
            handed, status = _say(str(error)), 404
        policy = ARCHIVED_DRAWINGS if handed.media_type == DRAWING else ARCHIVED_PAGES
        if request.headers.get("sec-fetch-dest") == "iframe":
            policy = in_frame(policy)
        fields = {"Content-Security-Policy": policy, **_for_frames(self._request_gate, request)}
        if handed.is_file:
            fields["Content-Disposition"] = 'attachment; filename="copy"'
        return Response(handed.body, status, fields, media_type=handed.media_type)

    def _read(self, wanted: PageAsked, root: str) -> Handed:
        copy = find_copy(self._crawl, wanted.url, wanted.at)
        at = wanted.at or copy.at

        def find_addresses() -> CopyAddresses:
            make, kind = (
                self._request_gate.copy_keys.make,
                lambda url: find_kind(self._crawl, url, at),
            )
            return CopyAddresses(copy.url, at, make, kind, root)

        return hand_out(copy.body, copy.media_type, copy.charset, find_addresses)


def _for_frames(request_gate: RequestGate, request: Request) -> dict[str, str]:
    """A page in a frame has an origin of its own: with the key, it may have what it asks for.

    A page of such an origin cannot be in the same group of tabs as ours (Cross-Origin-Opener-Policy).
    """
    fields = {"Cross-Origin-Opener-Policy": "unsafe-none"}
    if request_gate.opens_copy(request):
        fields["Cross-Origin-Resource-Policy"] = "cross-origin"
        fields["Access-Control-Allow-Origin"] = "*"  # fonts are asked for in this way
    return fields


def _say(what: str) -> Handed:
    head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Not shown</title>'
    return Handed(f"{head}<p>{escape(plain(what))}".encode(), "text/html; charset=utf-8")
