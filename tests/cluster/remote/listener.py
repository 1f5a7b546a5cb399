"""Somebody between the ends of a connection, who hears all that passes."""

from contextlib import suppress
from socket import SHUT_RDWR, create_connection, create_server, socket
from threading import Thread


class Listener:
    """In the midst of a connection: hears all that passes."""

    def __init__(self, goal: tuple[str, int]) -> None:
        self.heard = bytearray()
        self._goal = goal
        self._callers: list[tuple[Thread, Thread, socket]] = []
        self._server = create_server(("127.0.0.1", 0))
        self.address: tuple[str, int] = self._server.getsockname()[:2]
        self._thread = Thread(target=self._listen, daemon=True)
        self._thread.start()

    def hear_out(self) -> None:
        """Until those who called have hung up."""
        for there, back, goal in self._callers:
            there.join()
            with suppress(OSError):
                goal.shutdown(
                    SHUT_RDWR
                )  # else the other thread would wait for an end of the answers
            back.join()
        self._server.shutdown(SHUT_RDWR)  # else the thread would wait for callers for ever
        self._thread.join()
        self._server.close()

    def _listen(self) -> None:
        while True:
            try:
                line, _ = self._server.accept()
            except OSError:
                return
            goal = create_connection(self._goal)
            there, back = (
                Thread(target=self._pass_on, args=ends, daemon=True)
                for ends in ((line, goal), (goal, line))
            )
            there.start()
            back.start()
            self._callers.append((there, back, goal))

    def _pass_on(self, source: socket, goal: socket) -> None:
        try:
            while piece := source.recv(1 << 16):
                self.heard += piece
                goal.sendall(piece)
            goal.shutdown(1)
        except OSError:
            pass
