"""Shards on other machines, searched where they lie.

    the machine that asks                         the machine with the shards
    SeveralParts ── RemotePart ── call, reply ──▶ ShardServer ── IndexPart
                               (a line that both have proved to know a secret for)

A call is the name of what is wanted and its arguments, a reply is what came of it, or one line that says why
not. Who asks hears from all machines, or says which one does not answer: an answer with pages missing is
none.

Files: `shard_calls` (what can be asked, and how it is written), `remote_shards` (asks), `shard_server`
(answers).
"""

from gossamer.search.remote.remote_shards import open_remote
from gossamer.search.remote.shard_secret import make_secret, read_secret
from gossamer.search.remote.shard_server import ShardServer

__all__ = ["ShardServer", "make_secret", "open_remote", "read_secret"]
