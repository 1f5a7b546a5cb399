"""Fills a Trac environment, and serves it at a Unix socket. Runs in the Python that has Trac.

python trac_site.py fill FOLDER < texts.json
python trac_site.py serve FOLDER SOCKET
"""

import io
import json
import os
import random
import socketserver
import sys
from datetime import UTC, datetime, timedelta
from wsgiref.simple_server import ServerHandler, WSGIRequestHandler

from trac.attachment import Attachment
from trac.env import Environment, open_environment
from trac.ticket.model import Milestone, Ticket
from trac.web.main import dispatch_request
from trac.wiki.model import WikiPage

_FIRST_DAY = datetime(2015, 1, 1, tzinfo=UTC)
_AUTHORS = ("anna", "boris", "chen", "dora", "emil")


def fill(folder, given):
    draw = random.Random(given["seed"])
    settings = [("project", "name", "Manuals"), ("trac", "base_url", "http://trac.test")]
    settings.append(("components", "tracopt.versioncontrol.git.*", "enabled"))
    for place, path in enumerate(given["repositories"]):
        settings += [
            ("repositories", f"r{place}.dir", path),
            ("repositories", f"r{place}.type", "git"),
        ]
    env = Environment(folder, create=True, options=settings)
    texts = given["texts"]
    pages, tickets = texts[: len(texts) // 2], texts[len(texts) // 2 :]
    names = [_name(title) for title, _ in pages]
    for number, (title, paragraphs) in enumerate(pages):
        _write_page(env, draw, names, number, title, paragraphs)
    for number in range(1, 7):
        milestone = Milestone(env)
        milestone.name = f"part{number}"
        milestone.description = f"All of part {number}."
        milestone.insert()
    for title, paragraphs in tickets:
        _write_ticket(env, draw, names, title, paragraphs)
    lines = "\n".join(f" * [wiki:{name}]" for name in names[: len(names) // 2])
    _save(WikiPage(env, "WikiStart"), f"= Manuals =\n{lines}\n", draw)
    with env.db_query as db:
        items = [f"wiki:{name}" for (name,) in db("SELECT DISTINCT name FROM wiki")]
        items += [f"ticket:{number}" for (number,) in db("SELECT id FROM ticket")]
        items += [f"attachment:{one}" for (one,) in db("SELECT filename FROM attachment")]
    with open(os.path.join(folder, "items.json"), "w", encoding="utf-8") as told:
        json.dump(items, told)
    env.shutdown()


def _write_page(env, draw, names, number, title, paragraphs):
    links = " ".join(f"[wiki:{name}]" for name in draw.sample(names, 3))
    text = f"= {title} =\n\n" + "\n\n".join(paragraphs[:-1] or paragraphs) + f"\n\nSee {links}\n"
    page = WikiPage(env, names[number])
    _save(page, text, draw)
    if draw.random() < 0.5:
        _save(page, text + "\n" + paragraphs[-1] + "\n", draw)
    if draw.random() < 0.3:
        _attach(env, "wiki", names[number], f"notes{number}.txt", paragraphs[::-1], draw)


def _write_ticket(env, draw, names, title, paragraphs):
    ticket = Ticket(env)
    ticket["summary"], ticket["reporter"] = title, draw.choice(_AUTHORS)
    ticket["description"] = paragraphs[0] + f"\n\nSee [wiki:{draw.choice(names)}]"
    ticket["milestone"] = f"part{draw.randrange(1, 7)}"
    ticket["component"] = draw.choice(("component1", "component2"))
    ticket["priority"] = draw.choice(("blocker", "critical", "major", "minor"))
    ticket["type"], ticket["status"] = draw.choice(("defect", "task")), "new"
    when = _moment(draw)
    number = ticket.insert(when=when)
    for place, paragraph in enumerate(paragraphs[1:4], 1):
        ticket["keywords"] = f"word{place}"
        ticket.save_changes(draw.choice(_AUTHORS), paragraph, when=when + timedelta(days=place))
    if draw.random() < 0.3:
        _attach(env, "ticket", number, f"log{number}.txt", paragraphs[4:] or paragraphs, draw)


def _save(page, text, draw):
    page.text = text
    page.save(draw.choice(_AUTHORS), "as it was found", _moment(draw))


def _attach(env, realm, parent, name, paragraphs, draw):
    body = "\n".join(paragraphs).encode()
    attachment = Attachment(env, realm, parent)
    attachment.author, attachment.description = draw.choice(_AUTHORS), "more of it"
    attachment.insert(name, io.BytesIO(body), len(body), _moment(draw))


def _moment(draw):
    return _FIRST_DAY + timedelta(minutes=draw.randrange(2_000_000))


def _name(title):
    return "".join(word.capitalize() for word in title.split())


class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True


def serve(folder, path):
    open_environment(folder, use_cache=True)

    def answer(environ, start_response):
        environ["trac.env_path"] = folder
        return dispatch_request(environ, start_response)

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

    with _Server(path, Handler) as server:
        server.server_name, server.server_port = "trac.test", 80
        server.base_environ = {"SERVER_NAME": "trac.test", "SERVER_PORT": "80", "SCRIPT_NAME": ""}
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
