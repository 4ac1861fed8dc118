"""Which hypothesis belongs to which reference: by id where both sides have ids, by order otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from fstmetrics.errors import FstmetricsError
from fstmetrics.readers import Item, Items
from fstmetrics.segments import TimedWords, cut
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
    if hypotheses_by_time(hypotheses, references):
        hypotheses, references = _cut(hypotheses, references)
    sides = [hypotheses, *references]
    for i, side in enumerate(sides):
        if not side.items:
            raise FstmetricsError(f"{_name(i, side)} holds no item: there is nothing to score")
    if all(has_ids(side) for side in sides):
        return _by_id(sides, missing, hint)
    return _by_order(sides, hint), 0


def hypotheses_by_time(hypotheses: Items, references: Sequence[Items]) -> bool:
    """Whether words with times stand against segments with times."""
    return any(isinstance(item.given, TimedWords) for item in hypotheses.items) and all(
        item.segment is not None for item in references[0].items
    )


def _cut(hypotheses: Items, references: Sequence[Items]) -> tuple[Items, list[Items]]:
    """Hypotheses a segment of the references, those to be ignored left out on all sides."""
    segments = [item.segment for item in references[0].items if item.segment is not None]
    transcripts = cut([item.given for item in hypotheses.items], segments)
    ids = [item.id for item in references[0].items]
    ignored = {id for id, segment in zip(ids, segments, strict=True) if segment.ignored}
    spoken = [Item(id, transcript) for id, transcript in zip(ids, transcripts, strict=True)]
    every = [replace(hypotheses, items=tuple(spoken)), *references]
    kept = [replace(side, items=tuple(i for i in side.items if i.id not in ignored)) for side in every]
    return kept[0], kept[1:]


def has_ids(side: Items) -> bool:
    """Whether all items of a side have ids."""
    return all(item.id is not None for item in side.items)


def _name(index: int, side: Items) -> str:
    if side.path == "-":
        return "standard input"
    return side.path or ("the references" if index else "the hypotheses")


def _value(item: Item) -> Any:
    """What is scored: plain text as it was written, so that a tokenizer sees it whole."""
    return item.given if item.text is None else item.text


def _by_id(sides: Sequence[Items], missing: Missing, hint: str) -> tuple[list[Pair], int]:
    tables = [{item.id: item for item in side.items} for side in sides]
    if _lonely(tables):
        tables = _without_case(tables) or tables
    ids = list(dict.fromkeys([*tables[1], *(id for table in tables for id in table)]))
    lonely = _lonely(tables)
    if lonely and missing == "error":
        raise FstmetricsError(_lonely_message(ids, sides, tables) + hint)
    if missing == "skip":
        ids = [id for id in ids if id not in lonely]
        if not ids:
            raise FstmetricsError(f"there is nothing to score: no id stands on both sides{hint}")
    skipped = len(lonely) if missing == "skip" else 0
    return [_pair(id, tables) for id in ids], skipped


Table = dict[str | None, Item]


def _lonely(tables: Sequence[Table]) -> set[str | None]:
    """Ids that some side lacks."""
    return {id for table in tables for id in table if any(id not in other for other in tables)}


def _without_case(tables: Sequence[Table]) -> list[Table] | None:
    """The same with the references' ids for those of other case, as sclite pairs.

    None where two of a side differ in case only.
    """
    spelled = {str(id).casefold(): id for table in reversed(tables) for id in table}
    spelled |= {str(id).casefold(): id for id in tables[1]}
    changed = [{spelled[str(id).casefold()]: item for id, item in table.items()} for table in tables]
    return changed if all(len(new) == len(old) for new, old in zip(changed, tables, strict=True)) else None


def _pair(id: str | None, tables: Sequence[Table]) -> Pair:
    """What there is under an id; an empty sentence where a whole side has nothing."""
    hypotheses, *references = tables
    hypothesis = _value(hypotheses[id]) if id in hypotheses else ""
    return Pair(id, hypothesis, tuple(_value(table[id]) for table in references if id in table) or ("",))


def _lonely_message(ids: Sequence[str | None], sides: Sequence[Items], tables: Sequence[Table]) -> str:
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
