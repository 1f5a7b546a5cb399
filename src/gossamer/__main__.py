"""`python -m gossamer`: the same as `gossamer`."""

from gossamer.cli import main

main()
