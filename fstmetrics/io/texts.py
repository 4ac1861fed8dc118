"""Texts of a file for calls of Python: `read_text`."""

from __future__ import annotations

from pathlib import Path

from fstmetrics.data.transcripts import Notation, Transcript
from fstmetrics.io.formats import FORMATS
from fstmetrics.io.reading import read_items
from fstmetrics.support.errors import InputError

Text = str | Transcript
# What reads other files.
OTHERS = "Lattice.read_all, NBest.read_all and Network.read_all read those"


def read_text(
    path: str | Path, format: str | None = None, *, alternations: Notation | None = None
) -> list[Text] | dict[str, Text]:
    """The texts of a file, as `score` takes them: a list, or a dict by id where the file has ids.

    Args:
        path: lines of text, with ids or without, or trn; gzip is transparent. Files with times (stm, ctm) and tables
            are for `score_files`, which knows what they leave out and how they pair.
        format: as of the commands' `--format`; by default it is recognised.
        alternations: how plain text writes choices, as of `--alternations`.

    Returns:
        A text an item; one with choices is a `Transcript`.

    Raises:
        InputError: a file that cannot be read, that has other things than texts, or an id twice.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "hyp.trn"
    >>> _ = file.write_text("the cat sat (u1)\\na dog (u2)\\n")
    >>> read_text(file)
    {'u1': 'the cat sat', 'u2': 'a dog'}
    """
    try:
        found = read_items(str(path), format=format, alternations=alternations, format_option="format=")
    except InputError as error:
        if "--fields" not in str(error):
            raise
        raise InputError("is a table: give score() its columns, or score_files() the file", path) from None
    texts: list[Text] = []
    ids: list[str | None] = []
    for item in found.items:
        value, names = item.scored, " and ".join(found.formats)
        if item.segment is not None or FORMATS[found.formats[0]].has_times:
            raise InputError(f"is {names}, which has times; score_files() reads it", path)
        if not isinstance(value, str | Transcript):
            raise InputError(f"is {names}, no texts; {OTHERS}", path)
        texts.append(value)
        ids.append(item.id)
    if None in ids:
        return texts
    named = dict(zip(map(str, ids), texts, strict=True))
    if len(named) < len(texts):
        twice = next(id for id in named if ids.count(id) > 1)
        raise InputError(f"has two items with the id {twice}", path)
    return named
