"""`Texts`: several references of one item in one place, as a row of a table has them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Texts:
    """Several texts of one item, as they were written; the closest one counts."""

    texts: tuple[str, ...]
