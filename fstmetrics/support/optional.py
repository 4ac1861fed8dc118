"""Packages that only some metrics need: `need` imports one, or says how to install it."""

from __future__ import annotations

import importlib
from typing import Any

from fstmetrics.support.errors import FstmetricsError


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
