"""One file a format: how it is recognised, read and, where that makes sense, written.

A `Format` in a module of this folder is registered by being there: `FORMATS` has them all by name, and those that other
packages add (`support.plugins`). They are in the order of help pages: by what they hold, then by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import get_args

from fstmetrics.readers.items import Format, Holds
from fstmetrics.support.plugins import Registry


def _shipped() -> Mapping[str, Format]:
    """The formats of all modules here."""
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    found = [value for module in modules for value in vars(module).values() if isinstance(value, Format)]
    found.sort(key=lambda format: (get_args(Holds).index(format.holds), format.name))
    return {format.name: format for format in found}


def _fault(name: str, given: object) -> str:
    if not isinstance(given, Format):
        return f"expected a fstmetrics.readers.Format, found {type(given).__name__}"
    return "" if given.name == name else f"it is registered as {name!r}, and calls itself {given.name!r}"


FORMATS: Registry[Format] = Registry("format", "fstmetrics.formats", _shipped, _fault)
