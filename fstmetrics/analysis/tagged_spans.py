"""Tagged spans of references, from fstalign's NLP files, as stretches of the closest paths of records: `spans_of`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from fstmetrics.analysis.record_table import RecordTable
from fstmetrics.analysis.terms import Span
from fstmetrics.readers.formats.nlp import Tagged, read_tagged
from fstmetrics.support.errors import InputError

SUFFIXES = (".ref.nlp", ".nlp")


def spans_of(table: RecordTable, path: str) -> Iterator[Span]:
    """The spans of all items.

    Args:
        table: records whose closest paths are the references as the files have them.
        path: the NLP file of the one item, or a folder with a file `ID.nlp` or `ID.ref.nlp` for each.

    Raises:
        InputError: a file that is not there or cannot be read; several items and one file; other words than the closest
            path has.
    """
    if not os.path.isdir(path) and len(table) != 1:
        raise InputError(
            f"one NLP file is for one item, and there are {len(table)}; give the folder with one a id", path
        )
    for item, id in enumerate(table.ids):
        file = _file_of(path, id)
        tagged = read_tagged(file)
        _check(tagged, table.sides(item)[0], id, file)
        yield from (Span(item, start, end, label) for label, start, end in tagged.spans)


def _file_of(path: str, id: str) -> str:
    if not os.path.isdir(path):
        return path
    files = [Path(path) / f"{id}{suffix}" for suffix in SUFFIXES]
    found = next((file for file in files if file.is_file()), None)
    if found is None:
        raise InputError(f"item {id}: there is neither {files[0].name} nor {files[1].name}", path)
    return str(found)


def _check(tagged: Tagged, closest: list[str], id: str, path: str) -> None:
    """Refuse a closest path that is not the reference of the file, case and punctuation aside."""
    advice = "score against this file, without grammars, choices or removed words"
    if len(tagged.words) != len(closest):
        raise InputError(
            f"item {id}: expected the {len(tagged.words)} words of the file, the closest path has {len(closest)}; "
            + advice,
            path,
        )
    for number, (word, other) in enumerate(zip(tagged.words, closest, strict=True), 1):
        if _letters(word) != _letters(other):
            raise InputError(
                f"item {id}: word {number} is {word!r}, on the closest path {other!r}; {advice}", path
            )


def _letters(word: str) -> str:
    return "".join(filter(str.isalnum, word.casefold())) or word
