"""Symbol table files: `word integer` lines, as OpenFst and Kaldi (words.txt) write them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from fstmetrics.readers.arcs import shown
from fstmetrics.readers.base import Source


def read_symbols(path: str | Path) -> dict[int, str]:
    """Read a symbol table file: the word of each integer.

    A word may have several integers; the last field of a line is the integer. The caller must not
    change the result, which is kept for the next call.

    Raises:
        InputError: the file cannot be read, a line has not two fields, the second is no integer, or an
            integer is given twice.
    """
    try:
        status = Path(path).stat()
    except OSError:
        return _parsed(str(path), 0, 0)
    return _parsed(str(path), status.st_mtime_ns, status.st_size)


# A folder of lattices asks for the same table once a file. Time and size make a changed file a new one.
@lru_cache(maxsize=4)
def _parsed(path: str, _time: int, _size: int) -> dict[int, str]:
    source = Source.open(path)
    words: dict[int, str] = {}
    lines: dict[int, int] = {}
    for number, line in source.lines():
        fields = line.split()
        if not fields:
            continue
        if len(fields) != 2:
            raise source.error(f"a symbol table line is `word integer`, not {shown(line)}", number)
        word, key = fields
        if not (key.removeprefix("-").isdigit() and key.isascii() and len(key) < 20):
            raise source.error(f"{shown(key)} is not an integer (expected `word integer`)", number)
        label = int(key)
        if label in words:
            raise source.error(f"integer {label} is given twice, first in line {lines[label]}", number)
        words[label], lines[label] = word, number
    return words
