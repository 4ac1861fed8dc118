"""Which hypothesis belongs to which reference: by id where all sides have ids, by order otherwise.

`Pairs` pairs them, whether all sides are in memory or one is read item by item. What it says of items without a
partner is the same either way; what is in memory is checked as a whole before anything is scored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Literal

from fstmetrics.readers import Item, Items, Stream
from fstmetrics.readers.items import Deferred
from fstmetrics.scoring.sides import Alternatives
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.names import listed
from fstmetrics.values.fields import Fields, merged, no_fields
from fstmetrics.values.references import Texts
from fstmetrics.values.segments import TimedWords, cut, lonely

# What becomes of an item without a partner: an error; it is left out; or it is scored against nothing. None: an error,
# where there is no `--missing` to advise.
Missing = Literal["error", "skip", "empty"] | None
ADVICE = " (--missing skip leaves such items out, --missing empty scores them against nothing)"

Id = str | None
Table = Mapping[Id, Item]
# What every side has of an item; None where a side lacks it.
Row = Sequence[Item | None]


@dataclass(frozen=True, slots=True)
class Pair:
    """One item to score; `references` has one entry for every set of references. Values may be deferred.

    `fields` are those of all sides; where two have the same, the first references' count, the hypothesis' last.
    """

    id: str | None
    hypothesis: Any
    references: tuple[Any, ...]
    fields: Fields = field(default_factory=no_fields)

    @property
    def reference(self) -> Any:
        """The reference, or all of them as alternatives."""
        return self.references[0] if len(self.references) == 1 else Alternatives(self.references)

    @property
    def is_deferred(self) -> bool:
        """Whether a value is still to be read."""
        return any(isinstance(value, Deferred) for value in (self.hypothesis, *self.references))

    @classmethod
    def of(cls, id: str | None, row: Row) -> Pair:
        """What every side has of an item, hypothesis first; an empty sentence where nothing is left of a side."""
        hypothesis, *references = row
        values = tuple(_value(item) for item in references if item is not None)
        fields = merged([item.fields for item in (*references, hypothesis) if item is not None])
        return cls(id, "" if hypothesis is None else _value(hypothesis), values or ("",), fields)

    @classmethod
    def of_rest(cls, rest: Item) -> Pair:
        """What stands for the rest of a damaged file; whoever loads it is told."""
        return cls(None, rest.value, ("",))

    def loaded(self) -> Pair:
        """The pair with what was deferred.

        Raises:
            InputError: it cannot be read.
        """
        if not self.is_deferred:
            return self
        values = [self.hypothesis, *self.references]
        items = [v.item() if isinstance(v, Deferred) else None for v in values]
        hypothesis, *references = (
            v if item is None else _value(item) for v, item in zip(values, items, strict=True)
        )
        later = [item.fields for item in (*items[1:], items[0]) if item is not None]
        return Pair(self.id, hypothesis, tuple(references), merged([self.fields, *later]))


def _value(item: Item) -> Any:
    """What is scored: plain text as it was written, so that a tokenizer sees it whole."""
    if item.text is not None:
        return item.text
    return Alternatives(item.given.texts) if isinstance(item.given, Texts) else item.given


class Pairs:
    """Pairs, made as they are asked for where a side is read item by item.

    Args:
        hypotheses: one side.
        references: the sets of references. One of all sides may be a stream.
        missing: what becomes of an id that lacks a partner.
        hint: what to add to an error: how else the files could be read.
        nothing: whether the hypotheses are an empty text: each of the first references has an empty sentence then.

    Attributes:
        skipped: how many items had no partner and were left out, so far.

    In memory they come in the order of the first references. Beside a stream they come in its order, then what it
    lacks; in memory are the other sides, and a set of the ids that have come.

    Raises:
        FstmetricsError: ids without a partner (the first few are named), different numbers of items, or none; where a
            side is a stream, when the pairs are asked for.
    """

    def __init__(
        self,
        hypotheses: Items | Stream,
        references: Sequence[Items | Stream],
        missing: Missing = "error",
        hint: str = "",
        nothing: bool = False,
    ) -> None:
        self.skipped = 0
        self._missing, self._hint = missing, hint
        self._takes_none = nothing and missing != "skip"
        sides = [hypotheses, *references]
        self._names = [_name(i, side) for i, side in enumerate(sides)]
        self._paths = [side.path for side in sides]
        self._rest = _rest_of(sides, missing)
        self._stream = next((side for side in sides if not isinstance(side, Items)), None)
        self._place = next((i for i, side in enumerate(sides) if side is self._stream), 1)
        self._sides = [_without_rest(side) if isinstance(side, Items) else EMPTY for side in sides]
        if self._stream is None:
            self._pairs: list[Pair] | None = list(self._in_memory(nothing))
            return
        self._pairs = None
        if nothing:
            self._sides[0] = EMPTY
        self._refuse_empty({*range(nothing, len(sides))} - {self._place})

    @property
    def expected(self) -> int:
        """About how many there will be."""
        if self._pairs is not None:
            return len(self._pairs)
        return max(len(side.items) for side in self._sides)

    @property
    def remarks(self) -> tuple[str, ...]:
        """There is nothing to say of them."""
        return ()

    @property
    def known(self) -> Sequence[Pair] | None:
        """The pairs, if all are in memory; those with deferred values may get more fields when they are loaded."""
        return self._pairs

    def __iter__(self) -> Iterator[Pair]:
        """From the first one on."""
        return self._streamed() if self._pairs is None else iter(self._pairs)

    def _in_memory(self, nothing: bool) -> Iterator[Pair]:
        if self._takes_none:
            spoken = tuple(Item(item.id, None, "") for item in self._sides[1].items)
            self._sides[0] = replace(self._sides[0], items=spoken)
        timed = by_time(self._sides[0], self._sides[1:])
        if timed:
            self._sides[0] = self._cut()
        if timed or nothing:
            self._sides = _without_ignored(self._sides)
        self._refuse_empty(range(len(self._sides)))
        yield from self._by_id() if all(map(has_ids, self._sides)) else self._by_order()
        yield from self._rest

    def _refuse_empty(self, places: Iterable[int]) -> None:
        for place in places:
            if not self._sides[place].items:
                raise FstmetricsError(f"{self._names[place]} holds no item: there is nothing to score")

    def _cut(self) -> Items:
        """Hypotheses a segment of the references. What lacks a channel, or a segment, lacks a partner."""
        hypotheses, references = self._sides[:2]
        segments = [item.segment for item in references.items if item.segment is not None]
        channels = [item.given for item in hypotheses.items]
        alone = lonely(channels, segments)
        if alone and self._missing in (None, "error"):
            raise FstmetricsError(f"{alone}{ADVICE if self._missing else ''}")
        homes = {channel.home for channel in channels}
        rows = zip(references.items, segments, cut(channels, segments), strict=True)
        spoken = [Item(item.id, words) for item, segment, words in rows if segment.home in homes]
        homes = {segment.home for segment in segments}
        others = [Item(i.id, i.given.transcript()) for i in hypotheses.items if i.given.home not in homes]
        return replace(hypotheses, items=(*spoken, *others))

    def _streamed(self) -> Iterator[Pair]:
        assert self._stream is not None
        self.skipped = 0
        found = self._by_id() if all(map(has_ids, self._sides)) else self._by_order()
        empty = True
        for pair in chain(found, self._rest):
            empty = False
            yield pair
        if empty:
            raise FstmetricsError(f"{self._stream.path}: there is nothing to score")

    def _by_id(self) -> Iterator[Pair]:
        tables = [_table(side, self._sides) for side in self._sides]
        rows = self._rows_of_stream(self._stream, tables) if self._stream else self._rows(tables)
        for id, row in rows:
            lacking = [side for side, item in enumerate(row) if item is None]
            # What cannot be read, so that its id is not known, is a pair, too: whoever loads it is told.
            if id is None or not lacking or self._is_kept(id, lacking):
                yield Pair.of(id, row)

    def _rows(self, tables: Sequence[Table]) -> Iterator[tuple[Id, Row]]:
        """All ids, the first references' first, with what every side has."""
        refuse_shifted(zip(self._names, map(set, tables), strict=True))
        if _lonely(tables):
            tables = _without_case(tables) or tables
        ids = list(dict.fromkeys([*tables[1], *chain(*tables)]))
        alone = _lonely(tables)
        if alone and self._missing in (None, "error"):
            raise FstmetricsError(self._lacking(ids, tables))
        if self._missing == "skip" and len(alone) == len(ids):
            raise FstmetricsError(f"there is nothing to score: no id is on both sides{self._hint}")
        for id in ids:
            yield id, [table.get(id) for table in tables]

    def _rows_of_stream(self, stream: Stream, tables: Sequence[Table]) -> Iterator[tuple[Id, Row]]:
        """The ids of the stream, then those it lacks, with what every side has."""
        others = [table for side, table in enumerate(tables) if side != self._place]
        spelling = _written_forms(others)
        seen: set[Id] = set()
        came: set[Id] = set()
        for item in stream.once():
            id = item.id
            came.add(id)
            if id is not None and not any(id in table for table in others):
                id = spelling.get(id.casefold(), id)
            if id in seen:
                raise InputError(f"id {id!r} comes twice", stream.path)
            row = [table.get(id) for table in tables]
            if any(other is not None for other in row):
                seen.add(id)
            row[self._place] = item
            yield id, row
        keys = [came if side == self._place else set(table) for side, table in enumerate(tables)]
        refuse_shifted(zip(self._names, keys, strict=True))
        rest = [id for id in dict.fromkeys(chain(*others)) if id not in seen]
        if rest and self._missing == "error":
            raise FstmetricsError(self._lacking(rest, tables))
        for id in rest:
            yield id, [table.get(id) for table in tables]

    def _is_kept(self, id: str, lacking: Sequence[int]) -> bool:
        """Whether an id that some side lacks is scored; if not, it is counted."""
        if self._takes_none and lacking == [0]:
            return True
        if self._missing in (None, "error"):
            first = self._message({side: [id] for side in lacking}) + self._count_hint(id)
            raise FstmetricsError(f"{first}; it is the first such id, and what comes after it was not read")
        self.skipped += self._missing == "skip"
        return self._missing == "empty"

    def _count_hint(self, id: str) -> str:
        """What may be the matter where an id is one before or behind those that count another side's items."""
        for side in self._sides:
            first = first_number({item.id for item in side.items})
            if first is not None and id == (str(len(side.items)), "0")[first]:
                return f"; {side.path} counts its items from {first}: number both alike if they count differently"
        return ""

    def _lacking(self, ids: Iterable[Id], tables: Sequence[Table]) -> str:
        """What to say of ids that some side lacks."""
        named = list(map(str, ids))
        lacking = {side: [id for id in named if id not in table] for side, table in enumerate(tables)}
        return self._message({side: some for side, some in lacking.items() if some})

    def _message(self, lacking: Mapping[int, Sequence[str]]) -> str:
        parts = []
        for side, ids in lacking.items():
            where = f" in {self._paths[side]}" if self._paths[side] else ""
            parts.append(f"no {'reference' if side else 'hypothesis'} for {listed(ids)}{where}")
        return "; ".join(parts) + (ADVICE if self._missing else "") + self._hint

    def _by_order(self) -> Iterator[Pair]:
        if self._stream is None:
            self._check_order()
        held = [side for i, side in enumerate(self._sides) if not (self._stream and i == self._place)]
        rows = zip(*(side.items for side in held), strict=False)
        came = 0
        for item in self._stream.once() if self._stream else ():
            if item.is_rest:
                yield Pair.of_rest(item)
                self.skipped += max(len(side.items) for side in held) - came
                return
            came += 1
            if (row := next(rows, None)) is not None:
                yield _in_order([*row[: self._place], item, *row[self._place :]])
        if self._stream is None:
            yield from map(_in_order, rows)
            return
        counts = [len(side.items) for side in self._sides]
        counts[self._place] = came
        self._refuse_other_counts(counts)

    def _check_order(self) -> None:
        """Refuse sides of different lengths; beside damaged files, order tells what comes before the damage."""
        for side in self._sides:
            if side.formats == ("nbest",):
                from fstmetrics.readers.formats.nbest_lists import refuse_gaps  # texts do without it

                try:
                    refuse_gaps(side.path, (item.id for item in side.items))
                except InputError:
                    _load([side])
                    raise
        counts = [len(side.items) for side in self._sides]
        if self._rest:
            self.skipped = max(counts) - min(counts)
        elif len(set(counts)) > 1:
            _load(self._sides)
            self._refuse_other_counts(counts)

    def _refuse_other_counts(self, counts: Sequence[int]) -> None:
        if len(set(counts)) > 1:
            found = ", ".join(f"{n} in {name}" for n, name in zip(counts, self._names, strict=True))
            raise FstmetricsError(
                f"numbers of items differ: {found}; not all have ids to pair them by{self._hint}"
            )


EMPTY = Items((), ())


def _name(index: int, side: Items | Stream) -> str:
    if side.path == "-":
        return "standard input"
    return side.path or ("the references" if index else "the hypotheses")


def _rest_of(sides: Iterable[Items | Stream], missing: Missing) -> list[Pair]:
    """What stands for the rest of files in memory that are damaged; whoever loads it is told.

    Raises:
        InputError: there is some, and an item may not be missing.
    """
    rest = [item for side in sides if isinstance(side, Items) for item in side.items if item.is_rest]
    if rest and missing in (None, "error"):
        rest[0].value.item()
    return list(map(Pair.of_rest, rest))


def _without_rest(side: Items) -> Items:
    """The items that can be told apart."""
    whole = tuple(item for item in side.items if not item.is_rest)
    return side if len(whole) == len(side.items) else replace(side, items=whole)


def _load(sides: Iterable[Items]) -> None:
    """Raise what is wrong with damaged items: one may be why sides do not fit."""
    for item in (item for side in sides for item in side.items if isinstance(item.given, Deferred)):
        item.given.item()


def by_time(hypotheses: Items, references: Sequence[Items]) -> bool:
    """Whether words with times stand against segments with times."""
    return any(isinstance(item.given, TimedWords) for item in hypotheses.items) and all(
        item.segment is not None for item in references[0].items
    )


def _without_ignored(sides: Sequence[Items]) -> list[Items]:
    """The items without those of segments that the references want ignored."""
    ignored = {item.id for side in sides[1:] for item in side.items if item.segment and item.segment.ignored}
    if not ignored:
        return list(sides)
    return [replace(side, items=tuple(i for i in side.items if i.id not in ignored)) for side in sides]


def has_ids(side: Items) -> bool:
    """Whether all items of a side have ids."""
    return all(item.id is not None or item.is_rest for item in side.items)


def _table(side: Items, sides: Sequence[Items]) -> dict[Id, Item]:
    """The items by their ids; words of a channel may go by their file, or by file and channel, as other sides do."""
    if not any(isinstance(item.given, TimedWords) for item in side.items):
        return {item.id: item for item in side.items}
    known = {item.id for other in sides if other is not side for item in other.items}
    found: dict[Id, Item] = {}
    for item in side.items:
        names = (
            (item.id, item.given.file, item.given.id) if isinstance(item.given, TimedWords) else (item.id,)
        )
        found[next((name for name in names if name in known and name not in found), item.id)] = item
    return found


def refuse_shifted(sides: Iterable[tuple[str, Set[Id]]]) -> None:
    """Refuse ids that count items from 0 on one side, and as many from 1 on another: equal ids are different sentences.

    Args:
        sides: what to call each, and its ids.

    Raises:
        FstmetricsError: two such sides.
    """
    places: dict[tuple[int, int | None], str] = {}
    for place, ids in sides:
        places.setdefault((len(ids), first_number(ids)), place)
    for (items, first), place in places.items():
        if first == 0 and (other := places.get((items, 1))):
            raise FstmetricsError(
                f"{place} counts its {items} items from 0 and {other} from 1, so that equal ids are different "
                "sentences; number both alike"
            )


def first_number(ids: Set[Id]) -> int | None:
    """0 or 1 where the ids are no more than the items counted from there; None otherwise."""
    return next((start for start in (0, 1) if str(start) in ids and ids == _numbers(start, len(ids))), None)


def _numbers(start: int, items: int) -> set[str]:
    return {str(number) for number in range(start, start + items)}


def _lonely(tables: Sequence[Table]) -> set[Id]:
    """Ids that some side lacks."""
    return {id for table in tables for id in table if any(id not in other for other in tables)}


def _without_case(tables: Sequence[Table]) -> list[Table] | None:
    """The same with the references' ids for those of other case, as sclite pairs.

    None where two of a side differ in case only.
    """
    spelled = {str(id).casefold(): id for table in reversed(tables) for id in table}
    spelled |= {str(id).casefold(): id for id in tables[1]}
    changed = [{spelled[str(id).casefold()]: item for id, item in table.items()} for table in tables]
    same = all(len(new) == len(old) for new, old in zip(changed, tables, strict=True))
    return list(changed) if same else None


def _written_forms(tables: Sequence[Table]) -> dict[str, Id]:
    """Ids by their case-folded forms, as sclite pairs; without those that are written in two ways."""
    spelled: dict[str, Id] = {}
    twice: set[str] = set()
    for id in chain(*tables):
        form = str(id).casefold()
        if spelled.setdefault(form, id) != id:
            twice.add(form)
    return {form: id for form, id in spelled.items() if form not in twice}


def _in_order(row: Row) -> Pair:
    """Items that order pairs, by the first id of them."""
    return Pair.of(next((item.id for item in row if item is not None and item.id is not None), None), row)
