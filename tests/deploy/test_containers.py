"""Image, services and metrics: what can be checked without an engine that runs them."""

import json
import re
import shlex
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
KNOWN = {
    *("FROM", "ARG", "WORKDIR", "COPY", "RUN", "USER", "VOLUME"),
    *("STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT", "CMD"),
}


def read(name: str) -> Any:
    return json.loads((DEPLOY / name).read_text())


def instructions() -> list[tuple[str, str]]:
    """The lines of the Dockerfile, those that go on joined."""
    text = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


def test_the_image_has_known_instructions_in_two_stages() -> None:
    words = [word for word, _ in instructions()]
    assert set(words) <= KNOWN
    assert words.count("FROM") == 2
    assert words[-2:] == ["ENTRYPOINT", "CMD"]
    assert all(":" in rest for word, rest in instructions() if word == "FROM"), "no latest"


def test_the_image_is_not_root_and_looks_after_itself() -> None:
    last = [word for word, _ in instructions()]
    users = [rest for word, rest in instructions() if word == "USER"]
    assert users[-1] == "10001:10001"
    assert last.index("USER") < last.index("ENTRYPOINT")
    assert "HEALTHCHECK" in last
    assert dict(instructions())["STOPSIGNAL"] == "SIGTERM"
    assert json.loads(dict(instructions())["ENTRYPOINT"]) == ["gossamer"]


def test_what_the_image_is_made_of_is_there_and_reaches_the_builder() -> None:
    let_in = (ROOT / ".dockerignore").read_text().splitlines()
    for word, rest in instructions():
        if word == "COPY":
            *sources, _ = [part for part in shlex.split(rest) if not part.startswith("--")]
            for source in sources:
                assert (ROOT / source).exists(), source
                assert f"!{source}" in let_in


def test_shell_lines_of_the_image_can_be_read() -> None:
    for word, rest in instructions():
        if word == "RUN":
            assert shlex.split(re.sub(r"^--mount=\S+", "", rest))
    (check,) = [rest for word, rest in instructions() if word == "HEALTHCHECK"]
    assert re.search(r"CMD find /crawl/data/state/status\.json -mmin -5 ", check)


def test_the_image_wants_extras_and_modules_that_there_are() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    wanted = {
        extra
        for word, rest in instructions()
        if word == "ARG"
        for extra in rest.partition("=")[2].split(",")
    }
    known = set(re.findall(r"^(\w+) = \[", project, re.MULTILINE))
    assert wanted <= known
    modules = re.findall(r"python -m ([\w.]+)", (DEPLOY / "Dockerfile").read_text())
    assert modules
    assert all(find_spec(module) for module in modules)


@pytest.mark.parametrize("service", ["crawl", "face"])
def test_services_have_no_more_rights_than_they_need(service: str) -> None:
    one = read("compose.json")["services"][service]
    assert one["cap_drop"] == ["ALL"]
    assert one["security_opt"] == ["no-new-privileges:true"]
    assert one["read_only"] is True
    assert all(port.startswith("127.0.0.1:") for port in one.get("ports", []))


def test_services_name_volumes_secrets_and_files_that_there_are() -> None:
    compose = read("compose.json")
    for one in compose["services"].values():
        for mount in one["volumes"]:
            source = mount.partition(":")[0]
            assert source in compose["volumes"] or (DEPLOY / source).is_file()
        assert set(one.get("secrets", [])) <= set(compose["secrets"])
    build = compose["services"]["crawl"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()


def test_a_service_has_longer_to_stop_than_a_crawl_takes() -> None:
    from gossamer.core.settings import Settings

    grace = int(read("compose.json")["services"]["crawl"]["stop_grace_period"].rstrip("s"))
    assert grace > Settings().crawl.stop_within + 10


def test_commands_of_services_have_options_that_there_are() -> None:
    told = (ROOT / "docs" / "commands.md").read_text("utf-8")
    for name in ("crawl", "face"):
        command, *options = read("compose.json")["services"][name]["command"]
        assert f"## `gossamer {command} " in told
        for option in options:
            assert not option.startswith("--") or f"`{option}" in told, option


def test_prometheus_asks_the_face_where_it_listens() -> None:
    (job,) = read("prometheus.json")["scrape_configs"]
    (target,) = job["static_configs"][0]["targets"]
    name, _, port = target.partition(":")
    service = read("compose.json")["services"][name]
    assert service["ports"][0].endswith(f":{port}")
    assert name in service["command"], "it answers only to names that it knows"
    assert job["authorization"]["credentials_file"] == "/run/secrets/password"


def test_panels_lie_apart_and_ask_something() -> None:
    panels = read("grafana.json")["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels) >= 10
    places = {(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels}
    assert len(places) == len(panels)
    assert all(target["expr"] for panel in panels for target in panel["targets"])
    text = (DEPLOY / "grafana.json").read_text()
    assert text.count("(") == text.count(")")


def test_every_metric_of_the_dashboard_exists() -> None:
    from gossamer.dashboard.views.shares import PartitionFigures
    from gossamer.dashboard.web.prometheus import write_metrics
    from gossamer.engine.crawl_health import CrawlSnapshot, judge
    from gossamer.engine.summary import NOTHING

    two = [PartitionFigures(number, 1, 1, 1, 0, 0.0) for number in range(2)]
    at = CrawlSnapshot(0.0, NOTHING, True)
    written = write_metrics(at, judge(at), two)
    known = dict(re.findall(r"^# TYPE (\w+) (\w+)$", written, re.MULTILINE))
    used = set(re.findall(r"gossamer_\w+", (DEPLOY / "grafana.json").read_text()))
    assert used <= set(known)
    rated = re.findall(r"rate\((\w+)", (DEPLOY / "grafana.json").read_text())
    assert {known[name] for name in rated} == {"counter"}
