"""Whether a difference between systems is real, and whether metrics agree with people."""
