"""Generated applications: whole sites of a kind, with the diseases that real ones have.

A wiki, blog or repository browser shows each of its texts in a dozen ways: to edit, to print, as it
was, as a feed, sorted otherwise. Readers want one of them. A `GeneratedApplication` is such a site, drawn
from a seed: how it spells its URLs, which tools it has, whether it says noindex. An `HonestSite` is the
opposite: its pages look alike, and each of them is worth reading. A `FacetedCatalogue` shows some
rows in thousands of lists.

    seed ──▶ Traits ──▶ Addresses: view and subject ◀──▶ target
      │                     │
      └──▶ SiteEntry ──▶ views ──▶ SitePage ──▶ bytes, lab answer

A site answers any target with a `SitePage`, which knows the item that it shows. So the truth needs no
second source: `items` are all there is to read, and who walks over `is_useful` pages only finds them all.

The benchmark of applications crawls them one by one.
"""

from benchmarks.generated_sites.application import GeneratedApplication
from benchmarks.generated_sites.catalogue import FacetedCatalogue
from benchmarks.generated_sites.generated_page import GeneratedSite, SitePage
from benchmarks.generated_sites.honest import KINDS, HonestSite
from benchmarks.generated_sites.traits import Traits, draw_traits

__all__ = [
    "KINDS",
    "FacetedCatalogue",
    "GeneratedApplication",
    "GeneratedSite",
    "HonestSite",
    "SitePage",
    "Traits",
    "draw_traits",
]
