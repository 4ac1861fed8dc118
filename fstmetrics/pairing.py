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
    hypotheses: Items, references: Sequence[Items], missing: Missing = "error", hint: str = ""
) -> tuple[list[Pair], int]:
    """Pair hypotheses with one or more sets of references.

    Args:
        hypotheses: one side.
        references: the sets of references.
        missing: what to do with an id that lacks a partner: `error`; `skip` it; or score it against `empty`.
        hint: what to add to an error: how else the files could be read.

    Returns:
        The pairs, in the order of the first references, and how many items were skipped.

    Raises:
        FstmetricsError: ids without a partner (the first few are named), or different numbers of items.
    """
    sides = [hypotheses, *references]
    for i, side in enumerate(sides):
        if not side.items:
            raise FstmetricsError(f"{_name(i, side)} holds no item: there is nothing to score")
    if all(has_ids(side) for side in sides):
        return _by_id(sides, missing, hint)
    return _by_order(sides, hint), 0


def has_ids(side: Items) -> bool:
    """Whether all items of a side have ids."""
    return all(item.id is not None for item in side.items)


def _name(index: int, side: Items) -> str:
    if side.path == "-":
        return "standard input"
    return side.path or ("the references" if index else "the hypotheses")


def _value(item: Item) -> Any:
    """What is scored: plain text as it was written, so that a tokenizer sees it whole."""
    return item.value if item.text is None else item.text


def _by_id(sides: Sequence[Items], missing: Missing, hint: str) -> tuple[list[Pair], int]:
    tables = [{item.id: item for item in side.items} for side in sides]
    ids = list(dict.fromkeys([*tables[1], *(id for table in tables for id in table)]))
    lonely = {id for id in ids if any(id not in table for table in tables)}
    if lonely and missing == "error":
        raise FstmetricsError(_lonely_message(ids, sides, tables) + hint)
    if missing == "skip":
        ids = [id for id in ids if id not in lonely]
        if not ids:
            raise FstmetricsError(f"there is nothing to score: no id stands on both sides{hint}")
    skipped = len(lonely) if missing == "skip" else 0
    return [_pair(id, tables) for id in ids], skipped


def _pair(id: str | None, tables: Sequence[dict[str | None, Item]]) -> Pair:
    """What there is under an id; an empty sentence where a whole side has nothing."""
    hypotheses, *references = tables
    hypothesis = _value(hypotheses[id]) if id in hypotheses else ""
    return Pair(id, hypothesis, tuple(_value(table[id]) for table in references if id in table) or ("",))


def _lonely_message(
    ids: Sequence[str | None], sides: Sequence[Items], tables: Sequence[dict[str | None, Item]]
) -> str:
    parts = []
    for i, (side, table) in enumerate(zip(sides, tables, strict=True)):
        if lacking := [str(id) for id in ids if id not in table]:
            more = f" and {len(lacking) - NAMED} more" if len(lacking) > NAMED else ""
            kind, where = ("reference" if i else "hypothesis"), (f" in {side.path}" if side.path else "")
            parts.append(f"no {kind} for {', '.join(lacking[:NAMED])}{more}{where}")
    return (
        "; ".join(parts)
        + " (--missing skip leaves such items out, --missing empty scores them against nothing)"
    )


def _by_order(sides: Sequence[Items], hint: str) -> list[Pair]:
    if len({len(side.items) for side in sides}) > 1:
        counts = ", ".join(f"{len(side.items)} in {_name(i, side)}" for i, side in enumerate(sides))
        raise FstmetricsError(f"numbers of items differ: {counts}; not all have ids to pair them by{hint}")
    rows = zip(*(side.items for side in sides), strict=True)
    return [
        Pair(
            next((item.id for item in row if item.id is not None), None),
            _value(row[0]),
            tuple(map(_value, row[1:])),
        )
        for row in rows
    ]
