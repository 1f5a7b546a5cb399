"""Pure judgement: no I/O, no clock, no randomness that was not passed in."""
