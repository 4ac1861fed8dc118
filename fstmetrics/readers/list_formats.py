"""Writes `known_formats.py`, the outlines of the formats that ship: `python -m fstmetrics.readers.list_formats`."""

from __future__ import annotations

from pathlib import Path
from pkgutil import iter_modules

from fstmetrics.readers import formats
from fstmetrics.readers.outlines import Outline, formats_of

PLACE = Path(__file__).with_name("known_formats.py")


def outlines() -> list[Outline]:
    """Those of all modules of the folder, in the order of help pages."""
    modules = [module.name for module in iter_modules(formats.__path__)]
    found = {format.name: Outline.of(format, module) for module in modules for format in formats_of(module)}
    return sorted(found.values(), key=formats.place)


def text() -> str:
    """The module."""
    rows = "".join(f"    {outline!r},\n" for outline in outlines())
    return (
        '"""The outlines of the formats that ship. Written by `python -m fstmetrics.readers.list_formats`."""\n\n'
        f"from fstmetrics.readers.outlines import Outline\n\nKNOWN = (\n{rows})\n"
    )


if __name__ == "__main__":
    PLACE.write_text(text(), encoding="utf-8")
