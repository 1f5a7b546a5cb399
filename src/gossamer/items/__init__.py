"""Items: the things that a page is about, with their fields, and how the list that it shows goes on.

A page comes in as HTML with its URL; `read_items` returns its items and its pagination. It works on one page
alone, without network, state or knowledge of hosts:

- `page_tree` holds the elements, `labelled_values` finds pairs such as `SKU: 12`;
- `structured_data` reads JSON-LD, microdata, RDFa, OpenGraph and microformats;
- `products` puts a product together from all that its page says of it;
- `pagination` finds the links to the next, the previous and other pages;
- `records` finds the list that a page shows, the links to its items, and posts and comments;
- `item_reader` makes items of them: a type, fields, a stable key, and the source of each field.

Personal data (persons, authors) is left out unless it is asked for.
"""

from gossamer.items.item_reader import Item, ItemPage, read_items

__all__ = ["Item", "ItemPage", "read_items"]
