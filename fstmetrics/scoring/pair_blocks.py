"""Items to score: `Pair`, one hypothesis with its references; `PairBlock`, many of them in columns; `in_batches`, which
cuts blocks into what one call of the engine gets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import Any, overload

from fstmetrics._native import TextColumn
from fstmetrics.data.fields import NO_FIELDS, Fields, merged, merged_columns
from fstmetrics.data.transcripts import Texts, TranscriptColumn
from fstmetrics.engine.search import Pace, workers
from fstmetrics.engine.sides import AlternativeColumn, Alternatives
from fstmetrics.io import Item
from fstmetrics.io.blocks import Block, Column, Deferred, lattices_of
from fstmetrics.support.equal_rows import EqualRows
from fstmetrics.support.errors import FstmetricsError

# So many texts with choices are searched together: as graphs they take a hundred times their memory.
MOST_CHOICES = 1024
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
    fields: Fields = NO_FIELDS

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
        values = tuple(scored_value(item.scored) for item in references if item is not None)
        told = [item.fields for item in (*references, hypothesis) if item is not None and item.fields]
        fields = merged(told) if told else NO_FIELDS
        return cls(id, "" if hypothesis is None else scored_value(hypothesis.scored), values or ("",), fields)

    @classmethod
    def of_rest(cls, rest: Item) -> Pair:
        """What stands for the rest of a damaged file; whoever loads it is told."""
        return cls(None, rest.value, ("",))

    def loaded(self) -> Pair:
        """The pair with what was deferred.

        Raises:
            InputError: it cannot be read.
        """
        values = [self.hypothesis, *self.references]
        items = [v.item() if isinstance(v, Deferred) else None for v in values]
        if not any(items):
            return self
        hypothesis, *references = [
            v if item is None else scored_value(item.scored) for v, item in zip(values, items, strict=True)
        ]
        later = [item.fields for item in (*items[1:], items[0]) if item is not None and item.fields]
        fields = merged([self.fields, *later]) if later else self.fields
        return Pair(self.id, hypothesis, tuple(references), fields)


def scored_value(value: Any) -> Any:
    """What is scored of what a side has (`Item.scored`): several texts are alternatives."""
    return Alternatives(value.texts) if isinstance(value, Texts) else value


class PairBlock(EqualRows[Pair]):
    """Pairs in columns.

    Args:
        ids: of each; None where no item has one.
        hypotheses: a value each.
        references: a column for every set of references, where every item has as many.
        fields: of each; None where none has any.
        places: of each among the items of a run, from 0, for messages; None: this is all of them.

    Attributes:
        is_native: whether a side is a native column, so that no Python object is made of its items before somebody
            looks.
        is_in_columns: whether every side is a native column.
        has_choices: whether a side is a column of texts of which some leave a choice.

    >>> block = PairBlock.of([Pair("u1", "a cat", ("the cat",)), Pair("u2", "a dog", ("a dog",))])
    >>> len(block), block[1].hypothesis, block[:1].ids
    (2, 'a dog', ['u1'])
    """

    __slots__ = (
        "_is_deferred",
        "_pairs",
        "fields",
        "has_choices",
        "hypotheses",
        "ids",
        "is_in_columns",
        "is_native",
        "places",
        "references",
    )

    def __init__(
        self,
        ids: Sequence[str | None] | None,
        hypotheses: Column,
        references: tuple[Column, ...],
        fields: Sequence[Fields] | None = None,
        places: Sequence[int] | None = None,
    ) -> None:
        self.ids, self.hypotheses, self.references, self.fields = ids, hypotheses, references, fields
        self.places: Sequence[int] = range(len(hypotheses)) if places is None else places
        kinds = {*map(type, (hypotheses, *references))}
        self.is_native, self.is_in_columns = kinds != {list}, list not in kinds
        self.has_choices = TranscriptColumn in kinds
        self._is_deferred = False if self.is_in_columns else None
        self._pairs: Sequence[Pair] | None = None

    @classmethod
    def of(cls, pairs: Sequence[Pair], places: Sequence[int] | None = None) -> PairBlock:
        """A block of pairs as they are; some may have more references than others."""
        fields = [pair.fields for pair in pairs]
        block = cls(
            [pair.id for pair in pairs],
            [pair.hypothesis for pair in pairs],
            (),
            fields if any(fields) else None,
            places,
        )
        block._pairs = pairs
        return block

    @classmethod
    def of_sides(cls, ids: Sequence[str | None] | None, sides: Sequence[Block]) -> PairBlock:
        """The columns of sides without faults in the same order: the hypotheses, then the references."""
        hypotheses, *references = [
            side.values if side.is_native else list(map(scored_value, side.values)) for side in sides
        ]
        first, *others = sides
        told = [side.fields for side in (*others, first) if side.fields is not None]
        return cls(ids, hypotheses, tuple(references), merged_columns(told) if told else None)

    def plain_places(self, most: int) -> Iterable[int]:
        """Of the first so many pairs of such sides those that leave no choice."""
        places: Iterable[int] = range(min(len(self), most))
        for column in (self.hypotheses, *self.references):
            if isinstance(column, TranscriptColumn):
                places = sorted(set(column.plain_places()).intersection(places))
        return places

    @property
    def is_deferred(self) -> bool:
        """Whether a value is still to be read."""
        if self._is_deferred is None:
            told: list[Column] = [
                column for column in (self.hypotheses, *self.references) if type(column) is list
            ]
            told += [pair.references for pair in self._pairs or ()]
            self._is_deferred = Deferred in map(type, chain.from_iterable(told))
        return self._is_deferred

    @property
    def reference(self) -> Sequence[Any]:
        """The references of each: the only one, or all as alternatives."""
        if self._pairs is not None:
            return [pair.reference for pair in self._pairs]
        if len(self.references) == 1:
            return self.references[0]
        return AlternativeColumn(self.references)

    def readable(self, keep_going: bool = False) -> tuple[PairBlock, dict[int, FstmetricsError]]:
        """The pairs with what was deferred, and what is wrong with those that cannot be read, by their place; without
        `keep_going` up to the first of them."""
        if not self.is_deferred:
            return self, {}
        if (columns := self.in_columns()) is not None:
            return columns, {}
        faults: dict[int, FstmetricsError] = {}
        pairs: list[Pair] = []
        for place, pair in enumerate(self):
            try:
                pairs.append(pair.loaded())
            except FstmetricsError as error:
                faults[place] = error
                if not keep_going:
                    break
                pairs.append(pair)
        return PairBlock.of(pairs, self.places[: len(pairs)]), faults

    def in_columns(self) -> PairBlock | None:
        """The pairs with their hypotheses, which were deferred, in a native column; None: they are read one by one."""
        references: Sequence[Column] = self.references
        if self._pairs is not None:
            sides = [pair.references for pair in self._pairs]
            references = list(map(list, zip(*sides, strict=True))) if len({*map(len, sides)}) == 1 else []
        if not references or Deferred in map(type, chain.from_iterable(references)):
            return None
        lattices = lattices_of(self.hypotheses)
        if lattices is None:
            return None
        texts = (TextColumn(list(each)) if set(map(type, each)) == {str} else each for each in references)
        return PairBlock(self.ids, lattices, tuple(texts), self.fields, self.places)

    def __len__(self) -> int:
        return len(self.hypotheses)

    @overload
    def __getitem__(self, index: int) -> Pair: ...
    @overload
    def __getitem__(self, index: slice) -> PairBlock: ...
    def __getitem__(self, index: int | slice) -> Pair | PairBlock:
        if self._pairs is not None:
            if isinstance(index, slice):
                return PairBlock.of(self._pairs[index], self.places[index])
            return self._pairs[index]
        if isinstance(index, slice):
            return PairBlock(
                None if self.ids is None else self.ids[index],
                self.hypotheses[index],
                tuple(map(itemgetter(index), self.references)),
                None if self.fields is None else self.fields[index],
                self.places[index],
            )
        place = range(len(self))[index]
        return Pair(
            None if self.ids is None else self.ids[place],
            self.hypotheses[place],
            tuple(map(itemgetter(place), self.references)),
            NO_FIELDS if self.fields is None else self.fields[place],
        )


def numbered(blocks: Iterable[PairBlock]) -> Iterator[PairBlock]:
    """The blocks of a run, whose items are counted on from block to block."""
    begin = 0
    for block in blocks:
        block.places = range(begin, begin + len(block))
        yield block
        begin += len(block)


def in_batches(blocks: Iterable[PairBlock], threads: int = 1) -> Iterator[PairBlock]:
    """The pairs of all blocks, as of `in_parts`, so that reading and scoring a batch takes a tenth of a second."""
    pace = Pace(workers(threads))
    for batch in in_parts(blocks, lambda: pace.size):
        yield batch
        pace.took(len(batch))


def in_parts(blocks: Iterable[PairBlock], size: Callable[[], int]) -> Iterator[PairBlock]:
    """The pairs of all blocks, cut and put together.

    Native columns are cut, not put together: a part of theirs ends with its block.

    Args:
        blocks: the pairs.
        size: about how many the next part is to have; it has at most twice as many.

    Raises:
        FstmetricsError: the blocks raised it, and what they gave before has been worked on.
    """
    held: list[PairBlock] = []
    failure: FstmetricsError | None = None
    room = 0
    try:
        for block in blocks:
            at = 0
            while at < len(block):
                if held and block.is_native:
                    yield _together(held)
                    held = []
                room = room - len(held[-1]) if held else size()
                if block.is_native:
                    room = min(room, MOST_CHOICES) if block.has_choices else room
                    left = len(block) - at
                    room = left if left <= 2 * room else room  # what is left would be a call for a few
                # A part of columns that stay in their files is in memory.
                is_whole = at == 0 and len(block) <= room and not block.is_native
                part = block if is_whole else block[at : at + room]
                at += len(part)
                held.append(part)
                if block.is_native or len(part) == room:
                    yield _together(held)
                    held = []
    except FstmetricsError as error:
        failure = error
    if held:
        yield _together(held)
    if failure:
        raise failure


def _together(parts: Sequence[PairBlock]) -> PairBlock:
    if len(parts) == 1:
        return parts[0]
    places = [place for part in parts for place in part.places]
    return PairBlock.of([pair for part in parts for pair in part], places)
