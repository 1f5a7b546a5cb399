"""The components a URL passes through, in this order: frontier, dns, robots, fetch, parse, content, scope,
seen.

No component knows another; `gossamer.engine.ring` introduces them.
"""
