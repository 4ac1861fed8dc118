"""`python -m fstmetrics` is the command line."""

from fstmetrics.stopping import main

main()
