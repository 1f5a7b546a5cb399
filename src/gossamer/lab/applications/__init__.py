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

The behaviour `Applications` puts one on hosts of a simulated web; the benchmark of applications crawls
them one by one.
"""

from gossamer.lab.applications.application import GeneratedApplication
from gossamer.lab.applications.catalogue import FacetedCatalogue
from gossamer.lab.applications.honest import KINDS, HonestSite
from gossamer.lab.applications.page import GeneratedSite, SitePage
from gossamer.lab.applications.traits import Traits, draw_traits

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
