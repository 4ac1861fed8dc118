"""Packages that something needs and that are not installed here, by what fstmetrics and Python say of them."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec

SAID = re.compile(r"needs (\S+?),\s+which\s+is\s+not\s+installed|No module named '(\w+)")


def missing_package(text: str) -> str | None:
    """The first package that a text says is not installed, if it is not."""
    for said in SAID.finditer(text):
        name = said[1] or said[2]
        if find_spec(name) if said[2] else _is_installed(name):
            continue
        return name
    return None


def _is_installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True
