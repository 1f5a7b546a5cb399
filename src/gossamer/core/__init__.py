"""Words every component shares: records, protocols, settings, clock, errors.

Nothing here imports anything else of Gossamer. `records` are what travels round the ring,
`outcomes` the names of what can become of a visit or a link, `protocols` the contracts that
interchangeable parts fulfil, `settings` the knobs of `crawl.toml`, `clock` and `poller` the
only ways to see time and sockets.
"""
