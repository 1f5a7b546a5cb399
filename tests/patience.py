"""How long a test waits for what must come. It is a hang after that, however busy the machine is."""

PATIENCE = 800.0
"""Seconds; the limit of a whole test is a little longer (`timeout` in pyproject.toml)."""
