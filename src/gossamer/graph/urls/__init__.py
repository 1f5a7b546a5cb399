"""URLs and their numbers: sorted by reversed host, front-coded in blocks, mapped into memory.

keys          a URL becomes a key, in whose order URLs are numbered, and back
front_coding  sorted keys become bytes; a key is found by its number, and a number by its key
url_map       both, over files
"""

from gossamer.graph.urls.url_keys import keys_of, urls_of
from gossamer.graph.urls.url_map import UrlMap, UrlMapWriter

__all__ = ["UrlMap", "UrlMapWriter", "keys_of", "urls_of"]
