"""Work on a crawl that is started from the browser: resume it, build its text index or its graph.

    POST /control/job ──▶ jobs ──▶ a process of its own ──▶ progress, line by line ──▶ JobState ──▶ page, JSON

Invariants: of builds, one at a time on a server, with little claim to the processor and the memory that the
settings give; a process that was started goes on when the browser leaves; builds end with the server, a crawl
does not. What a process says is bounded before it is kept.
"""

from gossamer.dashboard.jobs.background_jobs import JOBS, Jobs, JobState

__all__ = ["JOBS", "JobState", "Jobs"]
