"""Runs of any length: items paired and scored as they come, sums without the items, and going on after a stop."""
