"""What everything else stands on: errors, limits, output files, signals, the bytes of a file."""
