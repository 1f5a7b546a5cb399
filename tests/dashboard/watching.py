"""What a tab does that a page of ours should not."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Dialog, Page, Request


def watch(tab: "Page", url: str) -> list[str]:
    """A list that grows with requests to anybody but this server, with dialogs and with complaints."""
    seen: list[str] = []

    def open_dialog(dialog: "Dialog") -> None:
        seen.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def ask(request: "Request") -> None:
        if not request.url.startswith(url):
            seen.append(f"request: {request.url}")

    def say(message: "ConsoleMessage") -> None:
        seen.append(f"console: {message.text}")

    tab.on("dialog", open_dialog)
    tab.on("request", ask)
    tab.on("console", say)
    return seen
