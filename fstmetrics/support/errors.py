"""Errors that fstmetrics raises on purpose; the command line prints them as one line and exits with 2.

`FstmetricsError` is the base of all, `InputError` names the place in a file, `SearchError` says why a
search cannot be done as asked. `warn` warns of what is used all the same. `need` imports a package that only some
metrics need, or says how to install it.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from typing import Any, ClassVar

MISSING_CORE = (
    "the compiled core of fstmetrics is missing here: this is the source folder of an install elsewhere. "
    "Install it in place (pip install -e .), or run from another folder"
)


def warn(message: str) -> None:
    """Warn, with the line outside of the package that called."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and str(frame.f_globals.get("__name__")).partition(".")[0] == "fstmetrics":
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)


class FstmetricsError(ValueError):
    """Something given cannot be used; the message says what, why, and what to do.

    Attributes:
        exit_status: with which it ends a command.
    """

    exit_status: ClassVar[int] = 2


class InputError(FstmetricsError):
    """A file or record cannot be read.

    Args:
        message: what was found and what was expected.
        path: the file, or "-" for standard input.
        line: number of the line, from 1.
        byte: offset of the byte, from 0, in the data after decompression.
    """

    def __init__(
        self, message: str, path: object = None, line: int | None = None, byte: int | None = None
    ) -> None:
        place = "" if path is None else f"{path}"
        if line is not None:
            place = f"{place}:{line}" if place else f"line {line}"
        if byte is not None:
            place += f": byte {byte}"
        super().__init__(f"{place}: {message}" if place else message)


class SearchError(FstmetricsError):
    """A search is outside the reach of the route asked for, or beyond a limit."""


def need(module: str, what: str, extra: str = "mt", called: str = "") -> Any:
    """Import a module of a package that may be absent; `called`: where its name is not that of the package.

    Raises:
        FstmetricsError: it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        package = module.partition(".")[0]
        if (error.name or "").partition(".")[0] != package:
            raise
        raise FstmetricsError(
            f"{what} needs {called or package}, which is not installed: pip install 'fstmetrics[{extra}]'"
        ) from None
