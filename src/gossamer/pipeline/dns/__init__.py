"""Names to addresses, remembered.

In come host names, by `Resolver.start`; out go the same names, by `finished`, each once per start
that was not yet under way; `lookup` then has the `NameAnswer`: addresses, or a named reason for there
being none. Nothing here blocks, sleeps or starts a thread: c-ares says which sockets it wants
watched, the partition's poller watches them, and `tick` serves the timers.

The way of a name:
1. *At once* (`literal_hosts`): addresses, localhost and what is no name are answered without asking.
2. *Its domain's line* (`lookup_turns`), filled by `start`: the pay-level domains take turns, each with at
   most `per_domain` names under way. A domain that makes up names only lengthens its own line.
3. *The first lane* (`lane`): at most `in_flight` names, each for `first_wait` seconds.
4. *The later lanes*: what was not answered goes from lane to lane, each more patient than the one
   before. Silent names gather there and take no capacity from fresh ones.
5. *The cache* (`dns_cache`), filled when a name settles: found for its TTL within bounds, not found
   for `not_found_ttl`, failed in all attempts for `failed_ttl`.

Invariants: a host has at most one resolution under way; a domain never has more than `per_domain`;
every start settles, after the sum of all waits at the latest once its turn came and if the lanes
have room; an answer that settled stays known for a second at least, unless half a cache of others
settle meanwhile.

With servers in the settings only those are asked; without, the system's own configuration counts,
`/etc/hosts` included.
"""

from gossamer.pipeline.dns.dns_answer import NameAnswer, RememberedName
from gossamer.pipeline.dns.proxied import ProxiedNames
from gossamer.pipeline.dns.resolver import DnsStatistics, Resolver

__all__ = ["DnsStatistics", "NameAnswer", "ProxiedNames", "RememberedName", "Resolver"]
