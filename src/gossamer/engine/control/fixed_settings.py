"""Settings that a crawl has for ever: neither a command nor `gossamer resume` may change them."""

from gossamer.core.errors import SettingsError
from gossamer.core.settings import Settings


def check_unchanged(before: Settings, after: Settings) -> None:
    """Refuse changes of settings that a crawl has learned or stored data under."""
    if before.order.name != after.order.name:
        raise SettingsError(
            f"order.name: the order of this crawl is {before.order.name} and cannot be changed; start "
            f"another crawl for {after.order.name}"
        )
    if before.revisit.continuous != after.revisit.continuous:
        began = "with" if before.revisit.continuous else "without"
        raise SettingsError(
            f"revisit.continuous: this crawl began {began} it, and what it has learned is of use "
            "for that only; leave it as it is, or start another crawl with --known"
        )
    if not before.store.max_stored_pages and after.store.max_stored_pages:
        raise SettingsError(
            "store.max_stored_pages: this crawl began without a limit, so its records refer to each other "
            "and none can be removed; start another crawl with the limit"
        )
    _check_partitions(before.crawl.partitions or 1, after.crawl.partitions or 1)


def _check_partitions(there: int, wanted: int) -> None:
    """A host stays with its partition, so their number must not change."""
    if wanted != there:
        raise SettingsError(
            f"crawl.partitions: this crawl was started with {there} and cannot continue with {wanted}; "
            "leave the number as it is, or start another crawl"
        )
