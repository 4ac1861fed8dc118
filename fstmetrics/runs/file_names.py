"""Items whose ids are paths of files, by the names of the files: `paired_by_file_name`, `file_stem`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath

from fstmetrics.readers import Items


def file_stem(path: str) -> str:
    """The name of a file, without folder and ending."""
    return PurePosixPath(path).stem


def paired_by_file_name(items: Items, others: frozenset[str]) -> Items | None:
    """The items with the names of their files as ids, without folder and ending.

    None unless these are the ids of the other side, all of them, and no two are the same.

    >>> from fstmetrics.readers.items import Item
    >>> found = paired_by_file_name(Items((Item("/data/u1.wav", None, "a"),), ()), frozenset({"u1"}))
    >>> [item.id for item in found], paired_by_file_name(found, frozenset({"u1", "u2"}))
    (['u1'], None)
    """
    if len(items.items) != len(others) or any(item.id is None for item in items.items):
        return None
    names = [file_stem(str(item.id)) for item in items.items]
    if set(names) != others:
        return None
    renamed = (replace(item, id=name) for item, name in zip(items.items, names, strict=True))
    return replace(items, items=tuple(renamed))
