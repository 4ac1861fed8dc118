"""Items of a stream and their partners in memory, by id: `Arrivals`; `gathered` makes blocks of pairs of them.

Where a block and all other sides are native columns, its ids are looked up in one call. What that does not tell (an id
without a partner, one that comes twice, or is spelled in another case) is looked at item by item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import chain, repeat
from typing import Any, NamedTuple

import numpy as np

from fstmetrics._native import FieldRows, TextColumn, TextIndex
from fstmetrics.io import Item, Items
from fstmetrics.io.items import Block
from fstmetrics.scoring.pair_blocks import Pair, PairBlock
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.names import folded_id

Id = str | None
Table = Mapping[Id, Item]


class Arrivals:
    """What has come of a stream, beside sides that are in memory.

    Args:
        sides: all sides; the stream is empty among them.
        place: which of them the stream is.
        table: the items of a side by their ids, given all sides.
        recase: is told of each id of the stream that another side has in another case, and of the other's.
    """

    def __init__(
        self,
        sides: Sequence[Items],
        place: int,
        table: Callable[[Items, Sequence[Items]], Table],
        recase: Callable[[Id, Id], None],
    ) -> None:
        self._all, self._place, self._table, self._recase = sides, place, table, recase
        self._indexes = _indexes([side for n, side in enumerate(sides) if n != place])
        # Of the first other side: the items whose ids came in a block, and all whose partner has come.
        size = len(self._indexes[0].block) if self._indexes else 0
        self._in_blocks, self._marked = np.zeros(size, dtype=bool), np.zeros(size, dtype=bool)
        # What came one by one: ids as the stream has them, and those of partners.
        self._one_by_one: set[Id] = set()
        self._seen: set[Id] = set()

    @cached_property
    def tables(self) -> list[Table]:
        """The items of every side by their ids; of the stream none."""
        return [self._table(side, self._all) for side in self._all]

    @cached_property
    def _spelling(self) -> dict[str, Id]:
        return written_forms(self.tables)

    @cached_property
    def _places(self) -> dict[Id, int]:
        """Where the first other side has each id, if blocks are looked up in it."""
        ids = self._indexes[0].block.ids if self._indexes else None
        return {id: place for place, id in enumerate(ids or ())}

    def matched(self, block: Block) -> PairBlock | None:
        """The pairs of a native block whose items all have partners; None: they are looked at one by one."""
        ids = block.ids
        if not self._indexes or not block.is_native or block.faults:
            return None
        if not isinstance(block.fields, FieldRows | None) or not isinstance(ids, TextColumn):
            return None
        found = [index.ids.found(ids) for index in self._indexes]
        first = found[0]
        if any((places < 0).any() for places in found) or self._marked[first].any():
            return None
        ordered = np.sort(first)
        if (ordered[1:] == ordered[:-1]).any():
            return None
        self._in_blocks[first] = self._marked[first] = True
        sides = [index.block.taken(places)[:] for index, places in zip(self._indexes, found, strict=True)]
        sides.insert(self._place, block)
        return PairBlock.of_sides(ids, sides)

    def rows(self, block: Block, path: str) -> Iterator[Placed]:
        """The items of a block one by one, with what every other side has of them.

        Raises:
            InputError: an id comes twice; it names the stream by its path.
        """
        for id, at in placed([block]):
            self._one_by_one.add(id)
            row: list[Any] = [table.get(id) for table in self.tables]
            if id is not None and not any(row):
                given, id = id, self._spelling.get(folded_id(id), id)
                self._recase(given, id)
                row = [table.get(id) for table in self.tables]
            place = self._places.get(id)
            if id in self._seen or (place is not None and self._marked[place]):
                raise InputError(f"id {id!r} comes twice", path)
            if any(row):
                self._seen.add(id)
                if place is not None:
                    self._marked[place] = True
            row[self._place] = at
            yield id, row, at

    @property
    def are_all(self) -> bool:
        """Whether blocks alone have brought the partner of every item."""
        sizes = {len(index.block) for index in self._indexes}
        return len(sizes) == 1 and bool(self._in_blocks.all())

    def ids_of_sides(self) -> list[Set[Id]]:
        """The ids of every side, those of the stream as they came."""
        came = {id for id, place in self._places.items() if self._in_blocks[place]} | self._one_by_one
        return [came if side == self._place else set(table) for side, table in enumerate(self.tables)]

    def rest(self) -> Iterator[Placed]:
        """What the stream lacks."""
        for id in dict.fromkeys(chain(*self.tables)):
            place = self._places.get(id)
            if id not in self._seen and (place is None or not self._marked[place]):
                yield id, [table.get(id) for table in self.tables], None


class _Index(NamedTuple):
    """A side whose ids are looked up many at a time.

    Attributes:
        block: the side.
        ids: its ids.
    """

    block: Block
    ids: TextIndex


def _indexes(sides: Sequence[Items]) -> list[_Index]:
    """An index of every side; none where a side is no plain column of texts, or an id stands twice in it."""
    found = []
    for side in sides:
        block = side.native
        if block is None or not block.is_in_columns or not isinstance(block.ids, TextColumn):
            return []
        index = TextIndex(block.ids)
        if len(index) < len(block):
            return []
        found.append(_Index(block, index))
    return found


class At(NamedTuple):
    """Where an item of a stream stands."""

    block: Block
    place: int

    @property
    def item(self) -> Item:
        """The item itself."""
        return self.block[self.place]

    @property
    def is_rest(self) -> bool:
        """Whether it stands for the rest of a file."""
        return not self.block.is_native and self.item.is_rest


# An id, what every side has of it, and where the stream has it.
Placed = tuple[Id, "list[Any]", At | None]


def placed(blocks: Iterable[Block]) -> Iterator[tuple[Id, At]]:
    """The ids of blocks of a stream, and where each is."""
    for block in blocks:
        ids = block.ids or repeat(None, len(block))
        for place, id in enumerate(ids):
            yield id, At(block, place)


def gathered(rows: Iterable[Placed], side: int) -> Iterator[PairBlock]:
    """Rows as blocks: those that stand together in a native block of the stream, the side of that number, as one."""
    together: list[tuple[Id, list[Any]]] = []
    last: At | None = None
    try:
        for id, row, at in rows:
            native = (
                at is not None and at.block.is_native and at.place not in at.block.faults and None not in row
            )
            follows = last and at and native and at.block is last.block and at.place == last.place + 1
            if last and not follows:
                yield _block(together, last, side)
                together, last = [], None
            if at and native:
                together.append((id, row))
                last = at
                if at.place == len(at.block) - 1:
                    yield _block(together, at, side)
                    together, last = [], None
            else:
                item = None if at is None else at.item
                if item is not None and item.is_rest:
                    yield PairBlock.of([Pair.of_rest(item)])
                else:
                    yield PairBlock.of([Pair.of(id, [item if each is at else each for each in row])])
    except FstmetricsError:
        # What came before is scored first.
        if last:
            yield _block(together, last, side)
        raise
    if last:
        yield _block(together, last, side)


def _block(rows: Sequence[tuple[Id, list[Any]]], last: At, side: int) -> PairBlock:
    """Rows that end at a place of a native block."""
    part = last.block[last.place + 1 - len(rows) : last.place + 1]
    sides = [
        part if n == side else Block.of(items)
        for n, items in enumerate(zip(*(row for _, row in rows), strict=True))
    ]
    return PairBlock.of_sides([id for id, _ in rows], sides)


def written_forms(tables: Sequence[Table]) -> dict[str, Id]:
    """Ids by what they have alike in any case and form of Unicode; without those that are written in two ways."""
    spelled: dict[str, Id] = {}
    twice: set[str] = set()
    for id in chain(*tables):
        form = folded_id(str(id))
        if spelled.setdefault(form, id) != id:
            twice.add(form)
    return {form: id for form, id in spelled.items() if form not in twice}
