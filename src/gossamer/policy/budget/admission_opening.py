"""Open an admission: for a folder, or in memory."""

from pathlib import Path

import msgspec

from gossamer.core.mistakes import Mistakes
from gossamer.core.settings import BudgetSettings, Settings
from gossamer.policy.budget.admission import (
    Admission,
    AdmissionManifest,
    BudgetedAdmission,
    FreeAdmission,
    has_budgets,
)
from gossamer.policy.budget.beast import Beast
from gossamer.policy.budget.budget_functions import find_function
from gossamer.policy.budget.domain_degrees import InDegrees, MemoryInDegrees
from gossamer.policy.budget.drum_degrees import DrumInDegrees
from gossamer.policy.budget.queue_protocol import MemoryQueueStore
from gossamer.policy.budget.record_queues import DiskQueueStore
from gossamer.policy.budget.star import Star, in_degrees_of

_NOTHING = AdmissionManifest(b"", b"", b"")


def open_admission(
    settings: Settings,
    folder: Path | None,
    manifest: bytes = b"",
    mistakes: Mistakes | None = None,
) -> Admission:
    """Open the admission for these settings, as it was at the checkpoint, or new.

    Without a folder, everything is in memory.

    >>> open_admission(Settings(), None).admit([], waiting=0, now=0.0)
    []
    """
    if not has_budgets(settings) and not manifest:
        return FreeAdmission()  # a crawl that had budgets keeps them: URLs are in their queues
    return open_budgeted(settings.budget, folder, manifest, mistakes)


def open_budgeted(
    settings: BudgetSettings,
    folder: Path | None,
    manifest: bytes = b"",
    mistakes: Mistakes | None = None,
) -> BudgetedAdmission:
    """An admission with budgets."""
    saved = msgspec.msgpack.decode(manifest, type=AdmissionManifest) if manifest else _NOTHING
    degrees = _open_degrees(settings, folder, in_degrees_of(saved.star))
    star = Star(degrees, find_function(settings, mistakes), settings.top, saved.star)
    queue_store = (
        DiskQueueStore(folder / "queues", saved.queue_store)
        if folder
        else MemoryQueueStore(saved.queue_store)
    )
    beast = Beast(
        queue_store,
        star.budgets,
        queues=min(settings.queues, settings.most_queues),
        most_queues=settings.most_queues,
        seats=settings.seats,
        manifest=saved.beast,
    )
    return BudgetedAdmission(settings, star, beast, queue_store)


def _open_degrees(settings: BudgetSettings, folder: Path | None, manifest: bytes) -> InDegrees:
    if folder is None:
        return MemoryInDegrees(manifest)
    return DrumInDegrees(folder, settings.memory, manifest)
