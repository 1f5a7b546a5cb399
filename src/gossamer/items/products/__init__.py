"""Products: name, price, currency, SKU, availability, brand, codes, pictures and rating of what a page sells.

In: the tree of a page, its URL, its structured data. Out: fields with the place that each came from.
Structured data comes first, then labelled values (`labelled_values`), then the price that stands nearest to
the heading and the cart button (`shown_prices`).
"""
