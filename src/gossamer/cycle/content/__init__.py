"""Met this content before?

In: documents. Out: the same documents as `Kept`, each with its digest and, when the same content
was met before, where. The fingerprint of content is the SHA-1 of the body; of the payload as sent,
which decides whether the archive needs only a `revisit` record, the SHA-1 of the payload.
For a response that is neither chunked nor compressed they are one number, computed once.
"""

from gossamer.cycle.content.exact import ContentStatistics, ExactContent

__all__ = ["ContentStatistics", "ExactContent"]
