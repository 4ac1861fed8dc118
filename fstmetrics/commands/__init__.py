"""A file a command: its options, what it does as a call of Python of the same name, and its command line."""
