"""Counted costs: calls, bytecodes, allocations, calls of the system and bytes of fixed simulated crawls.

    python -m tools.costs                compares the counts with the budget
    python -m tools.costs --write        writes the budget
    python -m tools.costs --by package   shows the calls by package, file or function

    crawls ──▶ child (one fork for each count) ──▶ budget ──▶ findings
                 ├─ code: Python calls, bytecodes, calls of the operating system
                 ├─ allocations
                 └─ seams: writes, bytes and syncs of files, frames between partitions

Invariants: a count depends on the code, the Python version and the libraries; not on the machine, its load,
its clock or earlier runs. What the simulator itself does is left out as far as it can be told apart.
"""
