"""The measuring stick: fstmetrics and its peers on the same inputs in one run. See bench/README.md."""
