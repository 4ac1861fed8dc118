"""Items to the bytes of a format and back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from fstmetrics.convert.files import WRITERS
from fstmetrics.convert.fitting import Fitting
from fstmetrics.data.fields import Fields
from fstmetrics.io import FORMATS, Item, ReadOptions, Source
from fstmetrics.io.writing import WriteOptions
from fstmetrics.io.written_words import Numbering

FORMAT_OF = {writer.name: format for format in FORMATS.values() for writer in format.writers}
MESHES = ("srilm-mesh", "moses-cn")
# Posteriors make costs by a logarithm; PFSG has whole numbers of ten thousandths, an arc, of up to seven on a path.
PRECISION = {"srilm-mesh": 1e-12, "moses-cn": 1e-12, "pfsg": 7 * 0.5 / 10000}


# Who speaks, and when, which stm says of every sentence.
SPOKEN: Fields = {"speaker": "x", "start": 0.0, "end": 1.5}


def written(name: str, items: list[Item], numbering: Numbering | None = None, **fitting: Any) -> bytes:
    """A file's content."""
    writer = WRITERS[name]
    options = WriteOptions(numbering)
    fit = Fitting(writer.carries, options, **fitting)
    if name == "stm":
        items = [replace(item, fields={"session": item.id, **SPOKEN, **item.fields}) for item in items]
    return b"".join(writer.pieces((fit.fit(item, name)[0] for item in items), options))


def read(name: str, data: bytes, folder: Path, numbering: Numbering | None = None) -> list[Item]:
    """What the reader makes of it; the numbers of words through a symbol table file."""
    symbols = None
    if numbering is not None:
        symbols = folder / "symbols.txt"
        symbols.write_text(numbering.text(), encoding="utf-8")
    options = ReadOptions(None if symbols is None else str(symbols), tell_left_out=True)
    return list(FORMAT_OF[name].read(Source("utt-1.x", data), options))


# What means something in sclite's notation, and the same behind a backslash; any of its characters in a row.
MARKS = [
    "{", "}", "/", "and/or", ";;", "a;b", "\\", "\\{", "(uh)", "(a;b)", "\\(uh)", "@", "\\@", "<*>", "|||x",
]  # fmt: skip


SAID = st.sampled_from(["a", "don't", "東京", *MARKS]) | st.text("a@(){}/;\\<*>", min_size=1)
