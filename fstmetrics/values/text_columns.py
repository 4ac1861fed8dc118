"""Texts of many items in columns: `TextRows`."""

from __future__ import annotations

from collections.abc import Sequence

from fstmetrics._native import TextColumn


class TextRows(Sequence[str]):
    """Texts, all of them strings, of which no Python object is made before somebody looks."""

    __slots__ = ()


TextRows.register(TextColumn)
