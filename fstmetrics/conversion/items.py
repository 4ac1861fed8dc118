"""Items on their way from a file to another: `Fitted`, and `Conversion`, the accounts that are kept of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from fstmetrics.conversion.faults import Faults
from fstmetrics.conversion.fitting import Fitting
from fstmetrics.conversion.inputs import Place, loaded, stem_of
from fstmetrics.conversion.numbered import Counted, id_of
from fstmetrics.conversion.rounded import is_rounded
from fstmetrics.errors import FstmetricsError, InputError
from fstmetrics.readers.base import Item
from fstmetrics.readers.writing import Writer

# No file system takes longer names; the rest is for endings.
MAX_NAME = 200


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
        counted: the id of the first item, where ids that only count items were left out.
        format: the name of the format that the files written are read as.
        remarks: what was read and yet may not be what its maker meant.
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
    counted: str = ""
    format: str = ""
    remarks: Collection[str] = ()
    misleading: str = ""


class Fitted:
    """Items as they are to be written, with ids where the format wants them; keeps the accounts.

    Args:
        fitting: how items are made to fit.
        writer: what writes them.
        done: the accounts.
        place: where items come from, for messages.
        into_folder: whether each gets a file.
        faults: what becomes of those that cannot be read or written.
    """

    def __init__(
        self,
        fitting: Fitting,
        writer: Writer,
        done: Conversion,
        place: Place,
        into_folder: bool,
        faults: Faults,
    ) -> None:
        self._fitting, self._writer, self._done, self._place = fitting, writer, done, place
        self._into_folder, self._faults = into_folder, faults
        self._wants_id = writer.carries.ids or into_folder
        self._stem = stem_of(place.file)
        self._ids: set[str] = set()
        self._counted = Counted()
        self._is_lost = False  # whether some of the items before are not even counted

    def items(self, items: Iterator[Item]) -> Iterator[Item]:
        """Of each item what is written.

        Raises:
            FstmetricsError: an item that cannot be read or written, and may not be left out.
        """
        for number, item in enumerate(items, 1):
            self._place.item = item.id or str(number)
            self._refuse_unknown(item)
            try:
                fitted = self._fitted(item, number)
            except FstmetricsError as error:
                self._faults.take(self._place.fault(error))
                self._done.faults = self._faults.count
            else:
                self._done.items += 1
                yield fitted

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

    def _fitted(self, item: Item, number: int) -> Item:
        item = self._named(loaded(item), number)
        fitted, lost = self._fitting.fit(item, self._done.to)
        if self._faults.told is not None:
            self._try(fitted)
        self._done.rounded += is_rounded(fitted.value, self._writer.carries.rounding)
        for what in lost:
            self._done.lost[what] = self._done.lost.get(what, 0) + 1
        return fitted

    def _named(self, item: Item, number: int) -> Item:
        """With an id, or without, as the format wants it."""
        carries, done = self._writer.carries, self._done
        if item.id is None and self._wants_id:
            is_ranked = carries.content == "n-best" and carries.scores
            # Lists without ids are numbered as decoders do it.
            item = replace(item, id=str(number - 1) if is_ranked else id_of(self._stem, number))
            done.numbered = done.numbered or (item.id or "")
        name = "" if item.id is None else item.id
        self._place.item = name or str(number)
        if self._wants_id and name in self._ids:
            raise InputError(
                f"the id {name!r} comes twice, and in {done.to} ids tell items apart; convert the files one by one",
                self._place.file,
            )
        self._ids.add(name)
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


def file_name(id: str, writer: Writer, place: Place) -> str:
    """The name of an item's file. Ids come from files, and must not lead anywhere else."""
    ending = writer.extensions[0] if writer.extensions else f".{writer.name}"
    if (
        not id
        or id.startswith(".")
        or "/" in id
        or "\\" in id
        or not id.isprintable()
        or len(id.encode()) > MAX_NAME
    ):
        raise InputError(f"the id {id!r} is no name for a file; an archive may hold it", place.file)
    return id + ending
