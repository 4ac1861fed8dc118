"""Which hypothesis belongs to which reference: by id where both sides have ids, by order otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from fstmetrics.errors import FstmetricsError
from fstmetrics.readers import Item, Items
from fstmetrics.sides import Alternatives

Missing = Literal["error", "skip", "empty"]

# How many ids an error names before it only counts.
NAMED = 3


@dataclass(frozen=True, slots=True)
class Pair:
    """One item to score; `references` has one entry for every set of references."""

    id: str | None
    hypothesis: Any
    references: tuple[Any, ...]

    @property
    def reference(self) -> Any:
        """The reference, or all of them as alternatives."""
        return self.references[0] if len(self.references) == 1 else Alternatives(self.references)


def pair(
    hypotheses: Items, references: Sequence[Items], missing: Missing = "error"
) -> tuple[list[Pair], int]:
    """Pair hypotheses with one or more sets of references.

    Args:
        hypotheses: one side.
        references: the sets of references.
        missing: what to do with an id that lacks a partner: `error`; `skip` it; or score it against `empty`.

    Returns:
        The pairs, in the order of the first references, and how many items were skipped.

    Raises:
        FstmetricsError: ids without a partner (the first few are named), or different numbers of items.
    """
    sides = [hypotheses, *references]
    if not all(side.items for side in sides):
        raise FstmetricsError("there is nothing to score: one side has no item")
    if all(_has_ids(side) for side in sides):
        return _by_id(sides, missing)
    return _by_order(sides), 0


def _has_ids(side: Items) -> bool:
    return all(item.id is not None for item in side.items)


def _value(item: Item | None) -> Any:
    """What is scored: plain text as it was written, so that a tokenizer sees it whole."""
    if item is None:
        return ""
    return item.value if item.text is None else item.text


def _by_id(sides: Sequence[Items], missing: Missing) -> tuple[list[Pair], int]:
    tables = [{item.id: item for item in side.items} for side in sides]
    ids = list(dict.fromkeys([*tables[1], *(id for table in tables for id in table)]))
    lonely = [id for id in ids if any(id not in table for table in tables)]
    if lonely and missing == "error":
        raise FstmetricsError(_lonely_message(lonely, tables))
    if lonely and missing == "skip":
        dropped = set(lonely)
        ids = [id for id in ids if id not in dropped]
        if not ids:
            raise FstmetricsError("there is nothing to score: no id stands on both sides")
    skipped = len(lonely) if missing == "skip" else 0
    rows = ([_value(table.get(id)) for table in tables] for id in ids)
    return [Pair(id, row[0], tuple(row[1:])) for id, row in zip(ids, rows, strict=True)], skipped


def _lonely_message(lonely: Sequence[str | None], tables: Sequence[dict[str | None, Item]]) -> str:
    def of(ids: Sequence[str | None]) -> str:
        more = f" and {len(ids) - NAMED} more" if len(ids) > NAMED else ""
        return ", ".join(str(id) for id in ids[:NAMED]) + more

    without_hypothesis = [id for id in lonely if id not in tables[0]]
    without_reference = [id for id in lonely if id in tables[0]]
    parts = []
    if without_hypothesis:
        parts.append(f"no hypothesis for {of(without_hypothesis)}")
    if without_reference:
        parts.append(f"no reference for {of(without_reference)}")
    return (
        "; ".join(parts)
        + " (--missing skip leaves such items out, --missing empty scores them against nothing)"
    )


def _by_order(sides: Sequence[Items]) -> list[Pair]:
    lengths = [len(side.items) for side in sides]
    if len(set(lengths)) > 1:
        raise FstmetricsError(
            f"{lengths[0]} hypotheses but {' and '.join(str(n) for n in lengths[1:])} references, "
            "and not all have ids to pair them by"
        )
    rows = zip(*(side.items for side in sides), strict=True)
    return [
        Pair(
            next((item.id for item in row if item.id is not None), None),
            _value(row[0]),
            tuple(map(_value, row[1:])),
        )
        for row in rows
    ]
