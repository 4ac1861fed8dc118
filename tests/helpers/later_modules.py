"""Modules of other packages that are imported when something of them is asked for.

Each process of tests collects all test modules, and runs some: what is large, only those shall import that use it.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest


class Later:
    """Stands for a module."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith(("_", "pytest")) and name != "__file__":  # as pytest asks of all that a module has
            raise AttributeError(name)
        return getattr(import_module(self._name), name)


def later(name: str, reason: str) -> Any:
    """A module, by its whole name; where its package is not installed, the module of tests is skipped for a reason."""
    if find_spec(name.partition(".")[0]) is None:
        pytest.skip(reason, allow_module_level=True)
    return Later(name)
