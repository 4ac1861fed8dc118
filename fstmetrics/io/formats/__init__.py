"""One file a format, or a few of one subject: how it is read and, where that makes sense, written.

`FORMATS` has those of `register.SHIPPED`, each imported when it is asked for, and those that other packages
add (`support.plugins`). They are in the order of help pages: by what they hold, then by name.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module

from fstmetrics.io.items import Format
from fstmetrics.io.register import SHIPPED
from fstmetrics.support.options import named
from fstmetrics.support.plugins import Registry


def _format(name: str) -> Format:
    """The format of a name; its module is imported."""
    found = vars(import_module(f"{__name__}.{SHIPPED[name].module}")).values()
    return next(value for value in found if isinstance(value, Format) and value.name == name)


def _fault(name: str, given: object) -> str:
    if not isinstance(given, Format):
        return f"expected a fstmetrics.io.Format, found {type(given).__name__}"
    return "" if given.name == name else f"it is registered as {name!r}, and calls itself {given.name!r}"


FORMATS: Registry[Format] = Registry(
    "format", "fstmetrics.formats", lambda: {name: partial(_format, name) for name in SHIPPED}, _fault
)
FORMAT = named("format", FORMATS)
