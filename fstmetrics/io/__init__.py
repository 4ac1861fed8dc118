"""Files to hypotheses and references, and back. One module a format, in `formats`; `FORMATS` is the registry. To add
one: write its module, a row in `register.py`, and, where content tells what it is, a rule in `detection`.

What a file is says `detection`, one table of rules; which lines begin with ids, `ids`; which names pair, `names`; which
marks only one side has, `marks`. Tables of scores and of human judgments are read in `scores`.

Read `items` for the shape of a format, then any one of the formats.

- `read_items(path, ...)`: everything in a file or folder, in order, by id where there are ids.
- `read_one(path, kind, ...)`: the single lattice or network of a file; `read_all`: all of them.
- `open_stream(path, ...)`: a folder or file of many items, item by item.
- `NBest`: a ranked list of strings.
"""

from __future__ import annotations

from fstmetrics.data.nbest import NBest
from fstmetrics.io.formats import FORMATS
from fstmetrics.io.items import Deferred, Format, Item, Items, ReadOptions
from fstmetrics.io.reading import Stream, open_stream, read_all, read_items, read_one
from fstmetrics.support.source import Source, stem

__all__ = [
    "FORMATS",
    "Deferred",
    "Format",
    "Item",
    "Items",
    "NBest",
    "ReadOptions",
    "Source",
    "Stream",
    "open_stream",
    "read_all",
    "read_items",
    "read_one",
    "stem",
]
