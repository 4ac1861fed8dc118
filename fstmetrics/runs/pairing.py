"""Which hypothesis belongs to which reference: by id where both sides have ids, by order otherwise.

Pairing where one side is read item by item: `StreamedPairs`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Literal, Protocol

from fstmetrics.readers import Item, Items, Stream
from fstmetrics.readers.formats import nbest_lists as nbest
from fstmetrics.readers.items import Deferred
from fstmetrics.scoring.sides import Alternatives
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.values.segments import TimedWords, cut, lonely

Missing = Literal["error", "skip", "empty"]

# How many ids an error names before it only counts.
NAMED = 3


@dataclass(frozen=True, slots=True)
class Pair:
    """One item to score; `references` has one entry for every set of references. Values may be deferred."""

    id: str | None
    hypothesis: Any
    references: tuple[Any, ...]

    @property
    def reference(self) -> Any:
        """The reference, or all of them as alternatives."""
        return self.references[0] if len(self.references) == 1 else Alternatives(self.references)

    def loaded(self) -> Pair:
        """The pair with what was deferred.

        Raises:
            InputError: it cannot be read.
        """
        values = [self.hypothesis, *self.references]
        if not any(isinstance(value, Deferred) for value in values):
            return self
        hypothesis, *references = (_value(v.item()) if isinstance(v, Deferred) else v for v in values)
        return Pair(self.id, hypothesis, tuple(references))


class Pairs(Protocol):
    """Pairs that are made as they are asked for.

    Attributes:
        skipped: how many items had no partner and were left out, so far.
    """

    skipped: int

    @property
    def expected(self) -> int | None:
        """About how many there will be; None where nobody knows."""

    def __iter__(self) -> Iterator[Pair]:
        """From the first one on."""


def pair(
    hypotheses: Items,
    references: Sequence[Items],
    missing: Missing | None = "error",
    hint: str = "",
    nothing: bool = False,
) -> tuple[list[Pair], int]:
    """Pair hypotheses with one or more sets of references.

    Args:
        hypotheses: one side.
        references: the sets of references.
        missing: what to do with an id that lacks a partner: `error`; `skip` it; or score it against `empty`.
            None: an error, where there is no `--missing` to advise.
        hint: what to add to an error: how else the files could be read.
        nothing: whether the hypotheses are an empty text: each of the references has an empty sentence then.

    Returns:
        The pairs, in the order of the first references, and how many items were skipped.

    Raises:
        FstmetricsError: ids without a partner (the first few are named), or different numbers of items.
    """
    rest = rest_of((hypotheses, *references), missing)
    sides = [without_rest(side) for side in (hypotheses, *references)]
    if nothing and missing != "skip":
        sides[0] = replace(sides[0], items=tuple(Item(item.id, None, "") for item in sides[1].items))
    timed = by_time(sides[0], sides[1:])
    if timed:
        sides = _cut(sides[0], sides[1:], missing)
    if timed or nothing:
        sides = _without_ignored(sides)
    for i, side in enumerate(sides):
        if not side.items:
            raise FstmetricsError(f"{_name(i, side)} holds no item: there is nothing to score")
    pairs, skipped = _paired(sides, missing, hint, bool(rest))
    return [*pairs, *rest], skipped


def rest_of(sides: Iterable[Items], missing: Missing | None) -> list[Pair]:
    """What stands for the rest of files that are damaged; whoever loads it is told.

    Raises:
        InputError: there is some, and an item may not be missing.
    """
    rest = [item for side in sides for item in side.items if item.is_rest]
    if rest and missing in (None, "error"):
        rest[0].value.item()
    return [Pair(None, item.value, ("",)) for item in rest]


def without_rest(side: Items) -> Items:
    """The items that can be told apart."""
    whole = tuple(item for item in side.items if not item.is_rest)
    return side if len(whole) == len(side.items) else replace(side, items=whole)


def _paired(
    sides: Sequence[Items], missing: Missing | None, hint: str, is_cut: bool
) -> tuple[list[Pair], int]:
    if all(has_ids(side) for side in sides):
        return _by_id(sides, missing, hint)
    counts = [len(side.items) for side in sides]
    if is_cut:  # order tells what the items before the damage are, and no more
        sides = [replace(side, items=side.items[: min(counts)]) for side in sides]
    return _by_order(sides, hint), max(counts) - min(counts) if is_cut else 0


def by_time(hypotheses: Items, references: Sequence[Items]) -> bool:
    """Whether words with times stand against segments with times."""
    return any(isinstance(item.given, TimedWords) for item in hypotheses.items) and all(
        item.segment is not None for item in references[0].items
    )


def _cut(hypotheses: Items, references: Sequence[Items], missing: Missing | None) -> list[Items]:
    """Hypotheses a segment of the references. What lacks a channel, or a segment, lacks a partner.

    Raises:
        FstmetricsError: there is some, and an item may not be missing.
    """
    segments = [item.segment for item in references[0].items if item.segment is not None]
    channels = [item.given for item in hypotheses.items]
    alone = lonely(channels, segments)
    if alone and missing in (None, "error"):
        raise FstmetricsError(f"{alone}{ADVICE if missing else ''}")
    homes = {channel.home for channel in channels}
    rows = zip(references[0].items, segments, cut(channels, segments), strict=True)
    spoken = [Item(item.id, words) for item, segment, words in rows if segment.home in homes]
    homes = {segment.home for segment in segments}
    beside = [Item(i.id, i.given.transcript()) for i in hypotheses.items if i.given.home not in homes]
    return [replace(hypotheses, items=(*spoken, *beside)), *references]


def _without_ignored(sides: Sequence[Items]) -> list[Items]:
    """The items without those of segments that the references want ignored."""
    ignored = {item.id for side in sides[1:] for item in side.items if item.segment and item.segment.ignored}
    if not ignored:
        return list(sides)
    return [replace(side, items=tuple(i for i in side.items if i.id not in ignored)) for side in sides]


def has_ids(side: Items) -> bool:
    """Whether all items of a side have ids."""
    return all(item.id is not None or item.is_rest for item in side.items)


def _name(index: int, side: Items) -> str:
    if side.path == "-":
        return "standard input"
    return side.path or ("the references" if index else "the hypotheses")


def _value(item: Item) -> Any:
    """What is scored: plain text as it was written, so that a tokenizer sees it whole."""
    return item.given if item.text is None else item.text


def _by_id(sides: Sequence[Items], missing: Missing | None, hint: str) -> tuple[list[Pair], int]:
    tables = [_table(side, sides) for side in sides]
    refuse_shifted((_name(i, side), tables[i].keys()) for i, side in enumerate(sides))
    if _lonely(tables):
        tables = _without_case(tables) or tables
    ids = list(dict.fromkeys([*tables[1], *(id for table in tables for id in table)]))
    lonely = _lonely(tables)
    if lonely and missing in (None, "error"):
        raise FstmetricsError(_lonely_message(ids, sides, tables) + (ADVICE if missing else "") + hint)
    if missing == "skip":
        ids = [id for id in ids if id not in lonely]
        if not ids:
            raise FstmetricsError(f"there is nothing to score: no id stands on both sides{hint}")
    skipped = len(lonely) if missing == "skip" else 0
    return [pair_of(id, [table.get(id) for table in tables]) for id in ids], skipped


Table = dict[str | None, Item]


def _table(side: Items, sides: Sequence[Items]) -> Table:
    """The items by their ids; words of a channel may go by their file, or by file and channel, as other sides do."""
    if not any(isinstance(item.given, TimedWords) for item in side.items):
        return {item.id: item for item in side.items}
    known = {item.id for other in sides if other is not side for item in other.items}
    found: Table = {}
    for item in side.items:
        names = (
            (item.id, item.given.file, item.given.id) if isinstance(item.given, TimedWords) else (item.id,)
        )
        found[next((name for name in names if name in known and name not in found), item.id)] = item
    return found


def refuse_shifted(sides: Iterable[tuple[str, Set[str | None]]]) -> None:
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


def first_number(ids: Set[str | None]) -> int | None:
    """0 or 1 where the ids are no more than the items counted from there; None otherwise."""
    return next((start for start in (0, 1) if str(start) in ids and ids == _numbers(start, len(ids))), None)


def _numbers(start: int, items: int) -> set[str]:
    return {str(number) for number in range(start, start + items)}


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


def pair_of(id: str | None, row: Sequence[Item | None]) -> Pair:
    """An item and its partners, hypothesis first; an empty sentence where a whole side has nothing."""
    hypothesis, *references = row
    values = tuple(_value(item) for item in references if item is not None)
    return Pair(id, "" if hypothesis is None else _value(hypothesis), values or ("",))


ADVICE = " (--missing skip leaves such items out, --missing empty scores them against nothing)"


def _lonely_message(ids: Sequence[str | None], sides: Sequence[Items], tables: Sequence[Table]) -> str:
    lacking = ([str(id) for id in ids if id not in table] for table in tables)
    return lacking_message(
        ("reference" if i else "hypothesis", side.path, some)
        for i, (side, some) in enumerate(zip(sides, lacking, strict=True))
        if some
    )


def lacking_message(sides: Iterable[tuple[str, str, Sequence[str]]]) -> str:
    """What to say where sides lack ids: for each, whether it has references or hypotheses, its path, and the ids."""
    parts = []
    for kind, path, lacking in sides:
        more = f" and {len(lacking) - NAMED} more" if len(lacking) > NAMED else ""
        where = f" in {path}" if path else ""
        parts.append(f"no {kind} for {', '.join(lacking[:NAMED])}{more}{where}")
    return "; ".join(parts)


def _load(sides: Iterable[Items]) -> None:
    """Raise what is wrong with damaged items: one may be why sides do not fit."""
    for item in (item for side in sides for item in side.items if isinstance(item.given, Deferred)):
        item.given.item()


def _by_order(sides: Sequence[Items], hint: str) -> list[Pair]:
    for side in sides:
        if side.formats == (nbest.FORMAT.name,):
            try:
                nbest.refuse_gaps(side.path, (item.id for item in side.items))
            except InputError:
                _load([side])
                raise
    if len({len(side.items) for side in sides}) > 1:
        _load(sides)
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


class StreamedPairs:
    """Pairs of a stream with what is in memory, in the order of the stream; what it lacks comes at the end.

    In memory are the other sides, and a set of the ids that have come.

    Args:
        stream: the side that is read item by item.
        others: the other sides, in order: the hypotheses if the references are streamed, then references.
        hypotheses: whether the stream holds the hypotheses.
        missing: as of `pairing.pair`.
        hint: what to add to an error.
        nothing: whether the hypotheses are an empty text, and the first of the other sides: each item has an empty
            sentence then.

    Attributes:
        skipped: how many items had no partner and were left out, so far.
    """

    def __init__(
        self,
        stream: Stream,
        others: Sequence[Items],
        hypotheses: bool,
        missing: Missing,
        hint: str = "",
        nothing: bool = False,
    ) -> None:
        self.stream = stream
        self.others = [without_rest(side) for side in others]
        self._nothing = nothing and missing != "skip"
        if nothing:
            self.others[0] = replace(self.others[0], items=())
        self.skipped = 0
        self._place = 0 if hypotheses else 1
        self._missing = missing
        self._rest = rest_of(others, missing)
        self._hint = hint
        self._paths = [stream.path, *(side.path for side in others)]

    @property
    def expected(self) -> int:
        """About how many pairs there will be."""
        return max(len(side.items) for side in self.others)

    def __iter__(self) -> Iterator[Pair]:
        """The pairs, whose values may be deferred.

        Raises:
            FstmetricsError: an id without a partner, an id that comes twice, or different numbers of items.
        """
        self.skipped = 0
        found = self._by_id() if all(map(has_ids, self.others)) else self._by_order()
        pairs = chain(found, self._rest)
        empty = True
        for pair in pairs:
            empty = False
            yield pair
        if empty:
            raise FstmetricsError(f"{self.stream.path}: there is nothing to score")

    def _by_id(self) -> Iterator[Pair]:
        tables: list[Table] = [{item.id: item for item in side.items} for side in self.others]
        spelling = _written_forms(tables)
        seen: set[str | None] = set()
        came: set[str | None] = set()
        for item in self.stream.once():
            id = item.id
            came.add(id)
            if id is not None and not any(id in table for table in tables):
                id = spelling.get(id.casefold(), id)
            if id in seen:
                raise InputError(f"id {id!r} comes twice", self.stream.path)
            present = [id in table for table in tables]
            if any(present):
                seen.add(id)
            # What cannot be read, so that its id is not known, is a pair, too: whoever loads it is told.
            if id is None or all(present) or self._is_kept(id, [True, *present]):
                yield self._pair(id, item, tables)
        refuse_shifted(zip(self._paths, (came, *(table.keys() for table in tables)), strict=True))
        rest = [id for id in dict.fromkeys(id for table in tables for id in table) if id not in seen]
        if rest and self._missing == "error":
            raise FstmetricsError(self._lacking(rest, tables))
        for id in rest:
            if self._is_kept(id, [False, *(id in table for table in tables)]):
                yield self._pair(id, None, tables)

    def _pair(self, id: str | None, item: Item | None, tables: Sequence[Table]) -> Pair:
        found = [table.get(id) for table in tables]
        return pair_of(id, [*found[: self._place], item, *found[self._place :]])

    def _is_kept(self, id: str | None, present: Sequence[bool]) -> bool:
        """Whether an id that some side lacks is scored; if not, it is counted."""
        lacking = [i for i, there in enumerate(present) if not there]
        if self._nothing and lacking == [1]:  # all lack the hypothesis
            return True
        if self._missing == "error":
            raise FstmetricsError(self._message({i: [str(id)] for i in lacking}) + self._count_hint(id))
        self.skipped += self._missing == "skip"
        return self._missing == "empty"

    def _count_hint(self, id: str | None) -> str:
        """What may be the matter where an id is one before or behind those that count another side's items."""
        for side in self.others:
            first = first_number({item.id for item in side.items})
            if first is not None and id == (str(len(side.items)), "0")[first]:
                return f"; {side.path} counts its items from {first}: number both alike if they count differently"
        return ""

    def _lacking(self, rest: Iterable[str | None], tables: Sequence[Table]) -> str:
        ids = list(map(str, rest))
        lacking = {0: ids}
        for i, table in enumerate(tables, 1):
            if absent := [id for id in ids if id not in table]:
                lacking[i] = absent
        return self._message(lacking)

    def _message(self, lacking: dict[int, list[str]]) -> str:
        hypotheses = 0 if self._place == 0 else 1
        sides = (
            ("hypothesis" if i == hypotheses else "reference", self._paths[i], ids)
            for i, ids in lacking.items()
        )
        return lacking_message(sides) + ADVICE + self._hint

    def _by_order(self) -> Iterator[Pair]:
        counts = {len(side.items) for side in self.others}
        rows = zip(*(side.items for side in self.others), strict=False)
        came = 0
        for item in self.stream.once():
            if item.is_rest:
                yield Pair(None, item.value, ("",))
                self.skipped += max(counts) - came
                return
            came += 1
            if (row := next(rows, None)) is not None:
                id = next((other.id for other in (item, *row) if other.id is not None), None)
                yield pair_of(id, [*row[: self._place], item, *row[self._place :]])
        if counts != {came}:
            sides = [(came, self.stream.path), *((len(side.items), side.path) for side in self.others)]
            found = ", ".join(f"{n} in {path}" for n, path in sides)
            raise FstmetricsError(
                f"numbers of items differ: {found}; not all have ids to pair them by{self._hint}"
            )


def _written_forms(tables: Sequence[Table]) -> dict[str, str | None]:
    """Ids by their case-folded forms, as sclite pairs; without those that are written in two ways."""
    spelled: dict[str, str | None] = {}
    twice: set[str] = set()
    for table in tables:
        for id in table:
            form = str(id).casefold()
            if spelled.setdefault(form, id) != id:
                twice.add(form)
    return {form: id for form, id in spelled.items() if form not in twice}
