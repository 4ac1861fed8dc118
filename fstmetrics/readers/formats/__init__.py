"""One file a format: how it is recognised, read and, where that makes sense, written.

A `Format` in a module of this folder is registered by being there: `FORMATS` has them all by name, and those that other
packages add (`support.plugins`). They are in the order of help pages: by what they hold, then by name. A module is
imported when its format is asked for; `outlines` has what recognises each before that.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import get_args

from fstmetrics.readers.items import Format, Holds
from fstmetrics.readers.known_formats import KNOWN
from fstmetrics.readers.outlines import Outline, formats_of
from fstmetrics.support.plugins import OnUse, Registry


class Shipped(OnUse[Format]):
    """The formats of this folder, in order; each is imported when it is asked for.

    Attributes:
        outlines: what tells each without that, by name.
    """

    def __init__(self, outlines: Iterable[Outline]) -> None:
        self.outlines = {outline.name: outline for outline in sorted(outlines, key=place)}
        super().__init__(self.outlines, lambda name: self.outlines[name].format)


def place(outline: Outline) -> tuple[int, str]:
    """A key for the order of help pages."""
    return get_args(Holds).index(outline.holds), outline.name


def outlines() -> Mapping[str, Outline]:
    """What tells the formats of this folder, by name, in order."""
    shipped = FORMATS.shipped
    assert isinstance(shipped, Shipped)
    return shipped.outlines


def _shipped() -> Shipped:
    """Those that are known, and those of modules that are new."""
    known = {outline.module for outline in KNOWN}
    new = [module for module in _modules() if module not in known]
    return Shipped([*KNOWN, *(Outline.of(format, module) for module in new for format in formats_of(module))])


def _modules() -> Iterator[str]:
    """The modules of this folder."""
    for folder in __path__:
        with suppress(OSError):  # an archive, where nothing is new
            files = (name.partition(".") for name in os.listdir(folder))
            yield from (name for name, _, ending in files if ending == "py" and not name.startswith("_"))


def _fault(name: str, given: object) -> str:
    if not isinstance(given, Format):
        return f"expected a fstmetrics.readers.Format, found {type(given).__name__}"
    return "" if given.name == name else f"it is registered as {name!r}, and calls itself {given.name!r}"


FORMATS: Registry[Format] = Registry("format", "fstmetrics.formats", _shipped, _fault)
