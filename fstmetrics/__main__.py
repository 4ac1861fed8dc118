"""`python -m fstmetrics` is the command line."""

from fstmetrics.cli import main

main()
