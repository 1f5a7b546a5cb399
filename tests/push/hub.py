"""A small WebSub hub: it takes subscriptions, verifies them, and tells subscribers what is new."""

import hmac
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Queue
from threading import Thread
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qs, urlencode

from tests.engine.listening import Answering, Listening
from tests.patience import PATIENCE

LEASE = 864_000


class SmallHub:
    """What was asked of it, and how to let it speak."""

    def __init__(self, address: str = "127.0.0.1", lease: int = LEASE) -> None:
        self.asked: Queue[dict[str, str]] = Queue()
        """Subscriptions, as soon as they are verified, each with what was said to that."""
        self.lease = lease
        self.refuses = False
        hub = self

        class Handler(Answering):
            def take(self) -> None:
                length = int(self.headers["Content-Length"])
                form = parse_qs(self.rfile.read(length).decode())
                self.send_response(202 if not hub.refuses else 403)
                self.send_header("Content-Length", "0")
                self.end_headers()
                self.wfile.flush()
                wanted = {name: values[0] for name, values in form.items()}
                Thread(target=hub.verify, args=(wanted,), daemon=True).start()

            do_POST = take  # noqa: N815 (the name is http.server's)

        self._server = Listening(Handler, address)
        self.url = f"http://{address}:{self._server.server_port}/hub"

    def verify(self, wanted: dict[str, str]) -> None:
        with suppress(URLError):  # the test is over, and the subscriber has gone
            status, said = (0, "") if self.refuses else self.ask_back(wanted)
            self.asked.put({**wanted, "said": said, "status": str(status)})

    def ask_back(self, wanted: dict[str, str], **changes: str) -> tuple[int, str]:
        """Verify the intent of a subscriber."""
        query = {
            "hub.mode": wanted["hub.mode"],
            "hub.topic": wanted["hub.topic"],
            "hub.challenge": "chäl&lenge",
            "hub.lease_seconds": str(self.lease),
        } | {f"hub.{name}": value for name, value in changes.items()}
        return _ask(f"{wanted['hub.callback']}?{urlencode(query)}")

    def tell(self, wanted: dict[str, str], **signed: str) -> int:
        """Send content to a subscriber; `signed` changes the method, the secret or the whole signature."""
        body, method = b"<feed/>", signed.get("method", "sha256")
        secret = signed.get("secret", wanted["hub.secret"])
        made = f"{method}={hmac.new(secret.encode(), body, method).hexdigest()}"
        fields = {"X-Hub-Signature": signed.get("signature", made), "Content-Type": "text/xml"}
        return _ask(wanted["hub.callback"], body, fields)[0]

    def close(self) -> None:
        self._server.end()


def _ask(
    url: str, body: bytes | None = None, fields: dict[str, str] | None = None
) -> tuple[int, str]:
    request = urllib.request.Request(url, body, fields or {})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        with error:
            return error.code, ""


@contextmanager
def serve_hub(address: str = "127.0.0.1", lease: int = LEASE) -> Iterator[SmallHub]:
    hub = SmallHub(address, lease)
    try:
        yield hub
    finally:
        with suppress(OSError):
            hub.close()
