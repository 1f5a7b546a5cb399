"""A finished crawl in the forms that other programs read.

wacz.py ──▶ one file that is replayed in a browser
  ├─ page_list.py   which pages people begin with
  └─ zipnum.py      the index, in blocks
mirror/   ─▶ files that a browser opens without a server
tables.py ─▶ rows as JSON lines or CSV
"""

from gossamer.export.mirror import write_mirror
from gossamer.export.table_export import write_table
from gossamer.export.wacz import write_wacz

__all__ = ["write_mirror", "write_table", "write_wacz"]
