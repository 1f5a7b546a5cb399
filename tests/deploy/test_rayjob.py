"""The manifest for Kubernetes: fields that KubeRay documents for a RayJob, and options that there are."""

import re
from pathlib import Path
from typing import Literal

import msgspec
import pytest

ROOT = Path(__file__).parents[2]
MANIFEST = ROOT / "deploy" / "rayjob.json"


class Strict(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What is not named here is refused; what has no default must be there."""


class Metadata(Strict):
    name: str


class Mount(Strict):
    name: str
    mountPath: str  # noqa: N815


class Variable(Strict):
    name: str
    value: str


class Resources(Strict):
    requests: dict[Literal["cpu", "memory"], str]
    limits: dict[Literal["cpu", "memory"], str]


class Container(Strict):
    name: str
    image: str
    resources: Resources
    env: list[Variable] = []
    volumeMounts: list[Mount] = []  # noqa: N815


class Volume(Strict):
    name: str
    configMap: Metadata | None = None  # noqa: N815
    emptyDir: dict[Literal["sizeLimit", "medium"], str] | None = None  # noqa: N815


class PodSpec(Strict):
    containers: list[Container]
    volumes: list[Volume] = []


class Template(Strict):
    spec: PodSpec


class HeadGroup(Strict):
    rayStartParams: dict[str, str]  # noqa: N815
    template: Template


class WorkerGroup(HeadGroup):
    groupName: str  # noqa: N815
    replicas: int
    minReplicas: int  # noqa: N815
    maxReplicas: int  # noqa: N815


class ClusterSpec(Strict):
    headGroupSpec: HeadGroup  # noqa: N815
    workerGroupSpecs: list[WorkerGroup]  # noqa: N815


class JobSpec(Strict):
    entrypoint: str
    rayClusterSpec: ClusterSpec  # noqa: N815
    shutdownAfterJobFinishes: bool = False  # noqa: N815
    ttlSecondsAfterFinished: int = 0  # noqa: N815
    backoffLimit: int = 0  # noqa: N815


class RayJob(Strict):
    apiVersion: Literal["ray.io/v1"]  # noqa: N815
    kind: Literal["RayJob"]
    metadata: Metadata
    spec: JobSpec


def test_it_has_the_fields_of_a_rayjob() -> None:
    job = msgspec.json.decode(MANIFEST.read_bytes(), type=RayJob)
    cluster = job.spec.rayClusterSpec
    assert cluster.headGroupSpec.rayStartParams["num-cpus"] == "0", "no partition on the head"
    for workers in cluster.workerGroupSpecs:
        assert 0 < workers.minReplicas <= workers.replicas <= workers.maxReplicas
    for group in (cluster.headGroupSpec, *cluster.workerGroupSpecs):
        pod = group.template.spec
        mounted = {mount.name for one in pod.containers for mount in one.volumeMounts}
        assert mounted == {volume.name for volume in pod.volumes}
    assert job.spec.backoffLimit == 0, "a second try would be refused: the home holds a crawl"


def test_a_field_that_there_is_not_would_be_noticed() -> None:
    text = MANIFEST.read_bytes().replace(b"maxReplicas", b"mostReplicas")
    with pytest.raises(msgspec.ValidationError, match=r"mostReplicas|maxReplicas"):
        msgspec.json.decode(text, type=RayJob)


def test_its_command_has_options_that_there_are() -> None:
    job = msgspec.json.decode(MANIFEST.read_bytes(), type=RayJob)
    told = (ROOT / "docs" / "commands.md").read_text("utf-8")
    options = re.findall(r"--[a-z-]+", job.spec.entrypoint)
    assert "--ray" in options
    assert [option for option in options if f"`{option}" not in told] == []
