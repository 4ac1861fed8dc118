"""Items on their way from a file to another: `Fitted`, and `Conversion`, the accounts that are kept of them.

Items that cannot be read or written: `Faults`, which stops a conversion at the first, or counts them.

Ids that only count items, as `convert` makes them where items have none: `id_of`, `Counted`.

Whether a format rounds the costs of an item: `is_rounded`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Protocol

import numpy as np

from fstmetrics._native import LatticeColumn
from fstmetrics.convert.fitting import OWN_SCALES, Fitting, has_costs
from fstmetrics.convert.sources import Place, stem_of
from fstmetrics.data.fields import first_given
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.network import Network
from fstmetrics.data.segments import TimedWords
from fstmetrics.data.sessions import SESSION
from fstmetrics.io.blocks import Block
from fstmetrics.io.items import Item
from fstmetrics.io.writing import Rounding, Writer
from fstmetrics.io.written_words import WordsSoFar
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.names import may_name_file
from fstmetrics.support.printable import counted

NO_LATTICE = "expected a lattice; fstmetrics convert makes lattices of text, n-best lists and networks"


@dataclass
class Conversion:
    """What was done.

    Attributes:
        formats: names of the formats read.
        to: the name of the format written.
        items: how many items were written.
        faults: how many were left out, as they cannot be read or written.
        lost: what was left out, and of how many items.
        rounded: of how many items costs were rounded.
        rounding: to what, where the format rounds.
        numbered: the id given to the first item, where items had none and the format wants some.
        integers: whether words are digits of numbers that no symbol table named, in a format that holds words.
        counted: the id of the first item, where ids that only count items were left out.
        format: the name of the format that the files written are read as.
        remarks: what was read and yet may not be what its maker meant.
        parted: of how many items words stand apart that no blank parts where they were read.
        misleading: the first file written that is taken for another format by a reader that is not told.
    """

    formats: tuple[str, ...]
    to: str
    items: int = 0
    faults: int = 0
    lost: dict[str, int] = field(default_factory=dict)
    rounded: int = 0
    rounding: str = ""
    numbered: str = ""
    integers: bool = False
    counted: str = ""
    format: str = ""
    remarks: Collection[str] = ()
    parted: int = 0
    misleading: str = ""

    def lines(self) -> list[str]:
        """What a reader of what was written ought to know, a line each."""
        return list(self._lines())

    def _lines(self) -> Iterator[str]:
        yield from self.remarks
        if self.numbered:
            without = "; --to plain writes none" if self.to == "kaldi-text" else ""
            yield f"the items have no ids; their ids in OUT are {self.numbered}, ...{without}"
        if self.counted and "ids" not in self.lost:
            yield f"the ids only count the items ({self.counted}, ...) and are left out"
        if self.integers:
            yield "labels are integers without a symbol table; give --symbols FILE to store words"
        for what, count in self.lost.items():
            multiplied = ", by which the costs are multiplied" if what.startswith(OWN_SCALES) else ""
            yield f"written without {what}{multiplied} ({count} of {counted(self.items, 'item')})"
        if self.faults:
            why = "not readable, or not written because of an error"
            yield f"{counted(self.items, 'item')}; {self.faults} left out: {why}"
        if self.rounded:
            yield f"rounded: costs, to {self.rounding} ({self.rounded} of {counted(self.items, 'item')})"
        if self.parted:
            yield (
                f"{self.to} has a word for each piece of a text without spaces ({self.parted} of "
                f"{counted(self.items, 'item')}): score it with --unit char-no-space"
            )
        if self.misleading:
            advice = f"read it with --format {self.format}"
            yield f"{self.misleading}: its content may be recognised as another format; {advice}"


class Each(Protocol):
    """What is written of an item instead of it."""

    def of(self, item: Item, /) -> Sequence[Item]:
        """One item, or several with ids of their own.

        Raises:
            FstmetricsError: an item of which nothing can be written.
        """

    def of_block(self, block: Block, /) -> Block | None:
        """The same of lattices in a column, known to be writable; None where they are to be looked at one by one."""


class Fitted:
    """Items as they are to be written, with ids where the format wants them; keeps the accounts.

    Args:
        fitting: how items are made to fit.
        writer: what writes them.
        done: the accounts.
        place: where items come from, for messages.
        into_folder: whether each gets a file.
        faults: what becomes of those that cannot be read or written.
        each: what is written of an item instead of it; None: the item.
        only_lattices: whether anything else is refused.
    """

    def __init__(
        self,
        fitting: Fitting,
        writer: Writer,
        done: Conversion,
        place: Place,
        into_folder: bool,
        faults: Faults,
        each: Each | None = None,
        only_lattices: bool = False,
    ) -> None:
        self._each, self._only_lattices = each, only_lattices
        self._fitting, self._writer, self._done, self._place = fitting, writer, done, place
        self._into_folder, self._faults = into_folder, faults
        self._holds_words = writer.carries.numbers == "never"
        self._wants_id = writer.carries.ids or into_folder
        self._looks_at_ids = self._wants_id
        self._stem = stem_of(place.file)
        self._ids: set[str] = set()
        self._counted = Counted()
        self._number = 0  # of the last item
        self._safe = WordsSoFar(lambda word: "\0" not in word)
        self._is_lost = False  # whether some of the items before are not even counted

    def items(self, blocks: Iterable[Block]) -> Iterator[Item]:
        """Of each item of blocks what is written.

        Raises:
            FstmetricsError: an item that cannot be read or written, and may not be left out.
        """
        for item in chain.from_iterable(map(self._entered, blocks)):
            self._number += 1
            self._place.item = item.id or str(self._number)
            self._refuse_unknown(item)
            try:
                fitted = self._fitted(item, self._number)
            except FstmetricsError as error:
                self._faults.take(self._place.fault(error))
                self._done.faults = self._faults.count
            else:
                self._done.items += len(fitted)
                yield from fitted

    def blocks(self, blocks: Iterator[Block]) -> Iterator[Block]:
        """The same of blocks: of lattices in columns no object is made where nothing is to be said of one.

        Raises:
            FstmetricsError: as of `items`.
        """
        for block in blocks:
            if (taken := self._taken(block)) is not None:
                yield taken
                continue
            yield from (Block.of([item]) for item in self.items([block]))

    def _entered(self, block: Block) -> Iterator[Item]:
        """The items of a block; ids of a text are known to be different."""
        self._looks_at_ids = self._wants_id and (self._each is not None or not block.is_text)
        return told_items(block)

    def _taken(self, block: Block) -> Block | None:
        """What is written of lattices in a column, accounted for; None where something is to be said of one of them."""
        column, own = block.values, block.ids
        if not isinstance(column, LatticeColumn) or own is None or block.faults or column.damaged:
            return None
        lost = column.counts_left_out
        if (lost and not self._fitting.lossy) or not self._safe.are_such(column.vocabulary):
            return None
        taken = block if self._each is None else self._each.of_block(block)
        if taken is None or taken.ids is None:
            return None
        names = {id for id in taken.ids if id and "\0" not in id}
        if len(names) < len(taken) or not names.isdisjoint(self._ids):
            return None
        self._ids |= names
        self._number += len(own)
        self._place.item = str(own[-1])
        self._done.items += len(taken)
        self._done.integers = self._done.integers or (self._holds_words and column.has_numbers)
        for what, count in lost.items():
            self._done.lost[what] = self._done.lost.get(what, 0) + count
        return taken

    def _refuse_unknown(self, item: Item) -> None:
        """Raise an InputError for an item of which nobody knows how many there were before it."""
        if item.is_rest:
            self._is_lost = True
        elif self._is_lost and item.id is None:
            raise InputError(
                "the items have no ids, and those of a file before are lost, so their numbers are not known; convert "
                "the files one by one",
                self._place.file,
            )

    def _fitted(self, item: Item, number: int) -> list[Item]:
        named = self._named(item.loaded(), number)
        if self._only_lattices and not isinstance(named.value, Lattice):
            raise FstmetricsError(NO_LATTICE)
        if self._holds_words and isinstance(named.value, Lattice) and named.value.numbered:
            self._done.integers = True
        found = []
        for part in (named,) if self._each is None else self._each.of(named):
            self._take_id(part.id or "")
            fitted, lost = self._fitting.fit(part, self._done.to, self._try)
            if self._faults.told is not None:
                self._try(fitted)
            self._done.parted += isinstance(fitted.value, TimedWords) and fitted.value.joined != ""
            self._done.rounded += is_rounded(fitted.value, self._writer.carries.rounding)
            for what in lost:
                self._done.lost[what] = self._done.lost.get(what, 0) + 1
            found.append(fitted)
        return found

    def _take_id(self, name: str) -> None:
        """Remember an id that is written, where the format tells items apart by ids.

        Raises:
            InputError: this one was there before.
        """
        if not (self._looks_at_ids and name):
            return
        if name in self._ids:
            raise InputError(
                f"the id {name!r} comes twice, and in {self._done.to} ids tell items apart; convert the files one by "
                "one",
                self._place.file,
            )
        self._ids.add(name)

    def _named(self, item: Item, number: int) -> Item:
        """With an id, or without, as the format wants it."""
        carries, done = self._writer.carries, self._done
        is_of_session = carries.turns and first_given(item.fields, SESSION) is not None
        if item.id is None and self._wants_id and not is_of_session:
            is_ranked = carries.content == "n-best" and carries.scores
            # Lists without ids are numbered as decoders do it.
            item = replace(item, id=str(number - 1) if is_ranked else id_of(self._stem, number))
            done.numbered = done.numbered or (item.id or "")
        name = "" if item.id is None else item.id
        self._place.item = name or str(number)
        if item.id is not None and not self._wants_id and carries.several:
            # An id is lost where a file holds several items without; where it holds one, its name is the id.
            left_out = () if self._counted.takes(item.id, number) else ("ids",)
            item = replace(item, id=None, left_out=(*item.left_out, *left_out))
            done.counted = self._counted.first
        return item

    def _try(self, item: Item) -> None:
        """Write an item for nothing: what fails in the middle of a file would end it."""
        if self._into_folder:
            file_name(item.id or "", self._writer, self._place)
        options = self._fitting.options
        alone = self._writer.write if self._done.items and not self._into_folder else self._writer.pieces
        known = len(options.numbering.numbers) if options.numbering else 0
        try:
            for _ in alone(iter([item]), options):
                pass
        except FstmetricsError:
            while options.numbering and len(options.numbering.numbers) > known:
                options.numbering.numbers.popitem()  # its words, which nothing that is written has
            raise


def told_items(block: Block) -> Iterator[Item]:
    """The items of a block, with what their file says and they leave out."""
    column = block.values
    if not isinstance(column, LatticeColumn):
        return iter(block)
    return (replace(item, left_out=tuple(column.left_out(row))) for row, item in enumerate(block))


def file_name(id: str, writer: Writer, place: Place) -> str:
    """The name of an item's file."""
    ending = writer.extensions[0] if writer.extensions else f".{writer.name}"
    if not may_name_file(id):
        raise InputError(f"the id {id!r} is no name for a file; an archive may hold it", place.file)
    return id + ending


Told = Callable[[FstmetricsError], None]


@dataclass
class Faults:
    """What becomes of items that cannot be read or written.

    Attributes:
        told: hears of each of them, and it is left out; None: the first one is raised.
        ordered: the name of the format written, if its items have no ids.
        count: how many there were.
    """

    told: Told | None
    ordered: str = ""
    count: int = 0

    def take(self, error: FstmetricsError) -> None:
        """One more.

        Raises:
            FstmetricsError: it may not be left out.
        """
        if self.told is None:
            raise error
        if self.ordered:
            raise FstmetricsError(
                f"{error}; it cannot be left out, as {self.ordered} has no ids and those behind it would move up: a "
                "format with ids, or a folder, has room for gaps"
            )
        self.count += 1
        self.told(error)


# So many digits that the order of ids is that of items, which archives keep; more where there are more items.
COUNTING = re.compile(r"(?P<stem>.*)-(?P<number>\d{6,})", re.DOTALL | re.ASCII)


def id_of(stem: str, number: int) -> str:
    """The id of an item without one, counted from 1.

    >>> id_of("hyp", 7)
    'hyp-000007'
    """
    return f"{stem}-{number:06}"


class Counted:
    """Whether the ids of a file say no more than the order of its items does: one name, and 1, 2, 3, ..."""

    def __init__(self) -> None:
        self.first = ""
        self._stem: str | None = None

    def takes(self, id: str, number: int) -> bool:
        """Whether the ids up to this one do; they are to be given in order.

        >>> ids = Counted()
        >>> ids.takes("hyp-000001", 1), ids.takes("hyp-000002", 2), ids.takes("hyp-000004", 3)
        (True, True, False)
        """
        found = COUNTING.fullmatch(id)
        if number == 1 and found:
            self.first, self._stem = id, found["stem"]
        return found is not None and found["stem"] == self._stem and id == id_of(found["stem"], number)


def is_rounded(value: Any, rounding: Rounding | None) -> bool:
    """Whether costs of a lattice or network, as it is to be written, come back with other digits."""
    if rounding is None or not isinstance(value, Lattice | Network) or not has_costs(value):
        return False
    return not all(rounding.keeps(np.asarray(costs)) for costs in _costs(value))


def _costs(value: Lattice | Network) -> list[Any]:
    if isinstance(value, Network):
        return [costs for card in value.cards.values() for costs in (card.costs, card.final_costs)]
    return [value.automaton.arc_costs, value.automaton.final_costs]
