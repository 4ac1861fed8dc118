"""Outputs of several systems without references, side by side: `system_rows`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fstmetrics.io.items import Item
from fstmetrics.scoring.opened_sides import open_sides
from fstmetrics.scoring.pairing import table_of
from fstmetrics.scoring.request import Request
from fstmetrics.scoring.run_sides import Side
from fstmetrics.scoring.side_remarks import hint_of, id_remarks
from fstmetrics.scoring.why_unpaired import half_with_ids, other_counts, refuse_shifted
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.names import listed

ADVICE = " (--missing skip leaves such items out, --missing empty takes it that a system has no word there)"


@dataclass(frozen=True)
class SystemRows:
    """Items of several systems.

    Attributes:
        sides: what was read, a side a system.
        ids: of each item, in the order of the first system, then of the others; None: order pairs, and there are none.
        rows: of each item what each system has; None where it lacks the item.
        skipped: how many items were left out, since a system lacks them.
    """

    sides: tuple[Side, ...]
    ids: Sequence[str] | None
    rows: Sequence[Sequence[Item | None]]
    skipped: int

    @property
    def remarks(self) -> list[str]:
        """What was guessed about the files, and what is odd about them."""
        return id_remarks(self.sides)


def system_rows(request: Request, paths: Sequence[str]) -> SystemRows:
    """Read the outputs of several systems, and pair them: by id, or by order where no file has ids.

    Args:
        request: how to read, and what becomes of an item that a system lacks.
        paths: a file a system.

    Raises:
        FstmetricsError: a file that cannot be read, or systems with other items.
    """
    sides = open_sides(request, paths, len(paths))
    for side in sides:
        if not side.items.items:
            raise InputError("is empty: there is nothing to combine", side.path)
    have_ids = [side.has_ids for side in sides]
    if all(have_ids):
        ids, rows, skipped = _by_id(request, sides)
        return SystemRows(tuple(sides), ids, rows, skipped)
    if any(have_ids):
        having, lacking = sides[have_ids.index(True)], sides[have_ids.index(False)]
        first = (item.id for item in having.items)
        is_plain = lacking.formats == ("plain",)
        raise half_with_ids(having.path, first, lacking.path, hint_of(sides), lacking.is_table, is_plain)
    counts = [len(side.items.items) for side in sides]
    if len(set(counts)) > 1:
        raise other_counts(counts, paths, [side.items for side in sides], hint_of(sides))
    return SystemRows(
        tuple(sides),
        None,
        [[item.loaded() for item in row] for row in zip(*(s.items for s in sides), strict=True)],
        0,
    )


def _by_id(request: Request, sides: Sequence[Side]) -> tuple[list[str], list[list[Item | None]], int]:
    items = [side.items for side in sides]
    tables = [table_of(side, items) for side in items]
    refuse_shifted((side.path, set(map(str, table))) for side, table in zip(sides, tables, strict=True))
    ids = list(dict.fromkeys(id for table in tables for id in table))
    alone = {id for id in ids if any(id not in table for table in tables)}
    if len(alone) == len(ids) and request.missing == "skip":
        raise FstmetricsError(
            "there is nothing to combine: no item is in all files, and --missing skip leaves the others out (--missing "
            f"empty takes it that a system has no word there){hint_of(sides)}"
        )
    if alone and request.missing == "error":
        some_shared = len(alone) < len(ids)
        number, table = next((n, t) for n, t in enumerate(tables) if any(id not in t for id in ids))
        lacking = [str(id) for id in ids if id not in table]
        other = next(side for side, t in zip(sides, tables, strict=True) if lacking[0] in t)
        raise FstmetricsError(
            f"{sides[number].path} has no item {listed(lacking)}, which {other.path} has"
            f"{ADVICE if some_shared else ''}{hint_of(sides)}"
        )
    kept = [id for id in ids if id not in alone or request.missing == "empty"]
    rows = [[table[id].loaded() if id in table else None for table in tables] for id in kept]
    return list(map(str, kept)), rows, len(ids) - len(kept)
