"""What the name of a file says, before anything is read: `file_name`, `stem`."""

from __future__ import annotations

from pathlib import Path


def file_name(path: str | Path) -> str:
    """A file's name without `.gz`.

    >>> file_name("lattices/utt.1.slf.gz")
    'utt.1.slf'
    """
    return Path(path).name.removesuffix(".gz")


def stem(path: str | Path) -> str:
    """A file's name without `.gz` and the extension: the id that most formats of one item a file give it.

    >>> stem("lattices/utt.1.slf.gz")
    'utt.1'
    """
    return Path(file_name(path)).stem
