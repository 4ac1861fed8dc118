"""Writes `known_formats.py`, the outlines of the formats that ship: `python -m fstmetrics.readers.list_formats`."""

from __future__ import annotations

import re
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Iterable, Iterator
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from fstmetrics.readers import formats
from fstmetrics.readers.outlines import Outline, formats_of

PLACE = Path(__file__).with_name("known_formats.py")


def outlines() -> list[Outline]:
    """Those of all modules of the folder, in the order of help pages."""
    modules = [module.name for module in iter_modules(formats.__path__)]
    found = {format.name: Outline.of(format, module) for module in modules for format in formats_of(module)}
    found = {name: outline._replace(literal=literal(outline)) for name, outline in found.items()}
    return sorted(found.values(), key=formats.place)


def literal(outline: Outline) -> bytes:
    """The longest run of bytes that is in whatever has the signature; empty where none is seen."""
    if outline.signature is None or re.compile(outline.signature, outline.flags).flags & re.IGNORECASE:
        return b""
    return max(_runs(parser.parse(outline.signature, outline.flags)), key=len, default=b"")


def _runs(parsed: Iterable[tuple[Any, Any]]) -> Iterator[bytes]:
    """The runs of literals in a row that a match cannot be without: neither in branches nor repeated."""
    run = b""
    for kind, given in parsed:
        if str(kind) == "LITERAL":
            run += bytes([given])
        else:
            yield run
            run = b""
    yield run


def text() -> str:
    """The module."""
    rows = "".join(f"    {outline!r},\n" for outline in outlines())
    return (
        '"""The outlines of the formats that ship. Written by `python -m fstmetrics.readers.list_formats`."""\n\n'
        f"from fstmetrics.readers.outlines import Outline\n\nKNOWN = (\n{rows})\n"
    )


if __name__ == "__main__":
    PLACE.write_text(text(), encoding="utf-8")
