"""Fills a Roundup tracker, and serves it at a Unix socket. Runs in the Python that has Roundup.

python roundup_site.py fill FOLDER < texts.json
python roundup_site.py serve FOLDER SOCKET
"""

import json
import os
import random
import socketserver
import sys
from wsgiref.simple_server import ServerHandler, WSGIRequestHandler

from roundup import date, instance
from roundup.cgi.wsgi_handler import RequestDispatcher

_AUTHORS = ("anna", "boris", "chen", "dora", "emil")
_WORDS = ("wiki", "index", "network", "storage", "pages", "links")
_FIRST_DAY = date.Date("2015-01-01")


def fill(folder, given):
    draw = random.Random(given["seed"])
    tracker = instance.open(folder)
    db = tracker.open("admin")
    users = [db.user.create(username=name, roles="User", realname=name) for name in _AUTHORS]
    words = [db.keyword.create(name=name) for name in _WORDS]
    issues, messages, files = [], [], []
    for title, paragraphs in given["texts"]:
        said = []
        for paragraph in paragraphs[: draw.randrange(2, 6)]:
            who, when = draw.choice(users), _FIRST_DAY + date.Interval(f"{draw.randrange(1500)}d")
            said.append(db.msg.create(author=who, date=when, content=paragraph, summary=title))
        kept = []
        if draw.random() < 0.3:
            text = "\n".join(paragraphs[::-1])
            kept = [db.file.create(name=f"log{len(issues)}.txt", type="text/plain", content=text)]
        near = draw.sample(issues, min(2, len(issues)))
        issues.append(
            db.issue.create(
                title=title,
                messages=said,
                files=kept,
                superseder=near[:1] if draw.random() < 0.1 else [],
                keyword=draw.sample(words, 2),
                priority=draw.choice(db.priority.list()),
                status=draw.choice(db.status.list()),
                assignedto=draw.choice(users),
            )
        )
        messages += said
        files += kept
    for number in draw.sample(issues, len(issues) // 2):
        db.issue.set(number, status=draw.choice(db.status.list()))
    db.commit()
    db.close()
    items = [f"issue:{one}" for one in issues] + [f"file:{file}" for file in files]
    with open(os.path.join(folder, "items.json"), "w", encoding="utf-8") as told:
        json.dump(items, told)


def serve(folder, path):
    answer = RequestDispatcher(folder)

    class Handler(WSGIRequestHandler):
        def address_string(self):
            return "127.0.0.1"

        def setup(self):
            self.client_address = ("127.0.0.1", 0)
            super().setup()

        def handle(self):
            self.raw_requestline = self.rfile.readline(65537)
            if self.parse_request():
                handler = ServerHandler(self.rfile, self.wfile, sys.stderr, self.get_environ())
                handler.run(answer)

        def log_message(self, *words):
            pass

    with socketserver.UnixStreamServer(path, Handler) as server:
        server.server_name, server.server_port = "roundup.test", 80
        server.base_environ = {
            "SERVER_NAME": "roundup.test",
            "SERVER_PORT": "80",
            "SCRIPT_NAME": "",
        }
        server.base_environ |= {
            "GATEWAY_INTERFACE": "CGI/1.1",
            "REMOTE_HOST": "",
            "CONTENT_LENGTH": "",
        }
        server.serve_forever()


if __name__ == "__main__":
    if sys.argv[1] == "fill":
        fill(sys.argv[2], json.load(sys.stdin))
    else:
        serve(sys.argv[2], sys.argv[3])
