"""What tests have other processes do: a module that they can import by its own name, whatever else is installed."""

from __future__ import annotations

from typing import Any

import fstmetrics as fm


def edits_of(pair: tuple[Any, str]) -> int:
    """The edits of a hypothesis and its reference."""
    return fm.align(*pair).edits
