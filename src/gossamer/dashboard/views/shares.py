"""Shares of the work: partitions, and the machines that they are on."""

from msgspec import Struct

from gossamer.dashboard.present_rate import rate
from gossamer.engine.summary import MachineShare, Summary
from gossamer.engine.timeline import Timeline


class PartitionFigures(Struct, frozen=True):
    number: int
    pages: int
    waiting: int
    hosts: int
    errors: int
    pages_per_second: float
    in_flight: int = 0
    machine: str = ""
    """Where it is; empty when all are on one machine, or it is being started."""


class MachineFigures(Struct, frozen=True):
    """Figures of the partitions that are on a machine now, including their time elsewhere."""

    name: str
    partitions: tuple[int, ...]
    pages: int
    pages_per_second: float
    waiting: int
    in_flight: int


def by_partition(timeline: Timeline, summary: Summary, present: float) -> list[PartitionFigures]:
    """One for each partition, by the last point of the timeline; none before there is one."""
    if not len(timeline):
        return []
    places = {
        number: name for name, share in summary.machines.items() for number in share.partitions
    }
    return [
        _figures(timeline, number, present, places.get(number, ""))
        for number in range(timeline.partitions)
    ]


def by_machine(summary: Summary, partitions: list[PartitionFigures]) -> list[MachineFigures]:
    """One for each of several machines; none when there is no other than this one."""
    speeds = {partition.number: partition.pages_per_second for partition in partitions}
    return [_share(name, share, speeds) for name, share in summary.machines.items()]


def _share(name: str, share: MachineShare, speeds: dict[int, float]) -> MachineFigures:
    speed = sum(speeds.get(number, 0.0) for number in share.partitions)
    return MachineFigures(
        name, share.partitions, share.pages, speed, share.waiting, share.in_flight
    )


def _figures(timeline: Timeline, number: int, present: float, machine: str) -> PartitionFigures:
    def last(name: str) -> int:
        return int(timeline.column(name, number)[-1])

    return PartitionFigures(
        number=number,
        pages=last("pages"),
        waiting=last("waiting"),
        hosts=last("hosts"),
        errors=last("errors"),
        pages_per_second=rate(timeline, "pages", present, number),
        in_flight=last("in_flight"),
        machine=machine,
    )
