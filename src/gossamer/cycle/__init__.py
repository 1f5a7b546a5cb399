"""The rooms a URL passes through, in this order: frontier, dns, robots, fetch, parse, content, scope, seen.

No room knows another; `gossamer.crawl.ring` introduces them.
"""
