"""The timeline of one host, however few its visits are."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest

import gossamer
from gossamer.lab import Web, serve
from tests.dashboard.faces import shown


def test_a_host_that_was_visited_once_is_shown(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    with serve(Web(seed=3, pages=400, hosts=60, behaviours=("correct",))) as served:
        gossamer.Crawl(
            [
                f"http://{name}:{urlsplit(served.seed_url).port or 80}/"
                for name in served.web.names[:30]
            ],
            out=out,
            scope="all",
            delay=0,
            max_pages=30,
            servers=(served.dns_address,),
            allow_private=True,
        ).run()
    with shown(out) as visitor:
        hosts = [one["host"] for one in visitor.get("/api/hosts").json["hosts"]]
        assert [one for one in hosts if one["visits"] == 1]
        for host in hosts:
            page, json = (visitor.get(f"{at}/host?name={host['name']}") for at in ("", "/api"))
            assert (page.status, json.status) == (200, 200), host
            timeline = json.json["timeline"]
            assert sum(bar["visits"] for bar in timeline) == host["visits"]
            begins = [bar["begin"] for bar in timeline]
            assert begins == sorted(set(begins))
            assert begins[0] == pytest.approx(host["first"], abs=1e-3)
