"""The release, as signatures print it."""

__version__ = "0.1.0"
