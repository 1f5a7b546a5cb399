"""The figures of a crawl over time, for charts.

In comes a summary of each partition, about once a second while pages come, else once a minute. Out comes a
`Timeline`: a column for each figure, of the whole crawl or of one partition. The crawl may be running.

    timeline_columns   which figures of a summary are kept
    timeline_record    a point as bytes, with a checksum; the head of the file says which columns it has
    thinning           which points stay when there are many: newer ones lie closer together
    timeline_recorder  appends points to `state/timeline`, and thins it out now and then
    timeline           reads it

Invariants:
- The file has a bounded number of points, however long the crawl.
- It is for people. A point that a crash tore is left out, a file that cannot be read is begun again, and
  nothing in a crawl depends on it. So it is never synced, but when it is thinned out.
- After a resume the curves go on.
"""

from gossamer.engine.timeline.timeline import Timeline, read_timeline
from gossamer.engine.timeline.timeline_columns import COLUMNS
from gossamer.engine.timeline.timeline_recorder import TimelineRecorder

__all__ = ["COLUMNS", "Timeline", "TimelineRecorder", "read_timeline"]
