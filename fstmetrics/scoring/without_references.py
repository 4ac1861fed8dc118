"""What a command without references reads: `read_unpaired`, one side, or several texts with a sample of each item; and
`system_rows`, outputs of several systems side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from fstmetrics.data.nbest import NBest
from fstmetrics.io.column_roles import HYPOTHESIS
from fstmetrics.io.items import Item
from fstmetrics.scoring.inputs import Inputs, NoPairs, inputs_of_shards, states_of_paths
from fstmetrics.scoring.opened_sides import open_sides, read_side, settled
from fstmetrics.scoring.pair_blocks import Pair, PairBlock
from fstmetrics.scoring.pairing import table_of
from fstmetrics.scoring.piece_marks import unmarked
from fstmetrics.scoring.request import Request, check_run_paths
from fstmetrics.scoring.run_sides import Side
from fstmetrics.scoring.side_remarks import hint_of, id_remarks
from fstmetrics.scoring.why_unpaired import half_with_ids, other_counts, refuse_shifted
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.names import listed


class Unpaired(NoPairs):
    """The items of a side, in order, as `Pairs` without references; of a stream, read as they are asked for."""

    def __init__(self, side: Side) -> None:
        super().__init__(expected=None if side.stream else len(side.items.items))
        self._side = side

    def blocks(self) -> Iterator[PairBlock]:
        """Each item alone."""
        stream = self._side.stream
        for item in chain.from_iterable(stream.blocks()) if stream else self._side.items.items:
            yield PairBlock.of([Pair(item.id, item.value, ())])


def sampled(sides: Sequence[Side]) -> Side:
    """Texts that each have one sample of every item, as one n-best list an item.

    Raises:
        InputError: a side that is no text, has other items, or none.
    """
    first = sides[0]
    samples: list[dict[Any, str]] = []
    for side in sides:
        items = list(side.stream or side.items.items)
        if not items:
            raise InputError("is empty: there is nothing to decode", side.path)
        texts: dict[Any, str] = {}
        for number, item in enumerate(items):
            if item.text is None:
                raise InputError(
                    f"item {item.id or number} is no text: of several files, or columns, each has one sample of every "
                    "item; lists and lattices are given in one file",
                    side.path,
                )
            texts[item.id if side.has_ids else number] = item.text
        if side.has_ids != first.has_ids:
            having, lacking = (side, first) if side.has_ids else (first, side)
            raise InputError(
                f"has no ids, and {having.path} has: give samples of the same items", lacking.path
            )
        if samples and texts.keys() != samples[0].keys():
            strange = sorted(map(str, texts.keys() ^ samples[0].keys()))[0]
            own = f"{len(texts)} item{'s' * (len(texts) != 1)}"
            what = (
                f"item {strange} is in one of them alone" if side.has_ids else "samples are of the same items"
            )
            raise InputError(f"{own}, and {first.path} has {len(samples[0])}: {what}", side.path)
        samples.append(texts)
    lists = []
    for key in samples[0]:
        lines = tuple(texts[key] for texts in samples)
        nbest = NBest(str(key), tuple(tuple(text.split()) for text in lines), lines)
        lists.append(Item(key if first.has_ids else None, nbest))
    formats = tuple(dict.fromkeys(name for side in sides for name in side.formats))
    path = ", ".join(dict.fromkeys(side.path for side in sides))
    remarks = tuple(dict.fromkeys(said for side in sides for said in (side.stream or side.items).remarks))
    found = replace(first.items, items=tuple(lists), formats=formats, path=path, remarks=remarks)
    return replace(first, path=path, stream=None, items=found)


def read_unpaired(
    request: Request, paths: Sequence[str], refusal: Callable[[object], str]
) -> tuple[Inputs, bool]:
    """Read one side, folders and archives item by item.

    Args:
        request: how to read.
        paths: a file or folder; or several texts that each have one sample of every item, which a table may have in
            several columns, too.
        refusal: what to say of a value that the command is not for; empty for others. The first item is looked at.

    Returns:
        The inputs, and whether all items have ids.

    Raises:
        FstmetricsError: what cannot be read, holds nothing, or is not what the command is for.
    """
    if request.merged:
        inputs = inputs_of_shards(request.merged)
        return inputs, "none" not in inputs.pairing["ids"].values()
    check_run_paths(request, paths)
    states = states_of_paths(request, paths) if request.output else {}
    columns = request.columns.get(HYPOTHESIS, ())
    if len(paths) > 1 or len(columns) > 1:
        sides = [
            read_side(request, path, True, False, column=column)
            for path in paths
            for column in (columns if len(columns) > 1 else ("",))
        ]
        side = sampled(unmarked(settled(sides), request))
        return Inputs.of(Unpaired(side), [side], states), side.has_ids
    (side,) = settled([read_side(request, paths[0], True, True)])
    if not (side.stream or side.items.items):
        raise InputError("is empty: there is nothing to decode", side.path)
    (side,) = unmarked([side], request)
    first = side.first
    if first is not None and (message := refusal(first)):
        raise InputError(message, side.path)
    return Inputs.of(Unpaired(side), [side], states), side.has_ids


# What an error advises of an item that a system lacks.
LACKING = " (--missing skip leaves such items out, --missing empty takes it that a system has no word there)"


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
            f"{LACKING if some_shared else ''}{hint_of(sides)}"
        )
    kept = [id for id in ids if id not in alone or request.missing == "empty"]
    rows = [[table[id].loaded() if id in table else None for table in tables] for id in kept]
    return list(map(str, kept)), rows, len(ids) - len(kept)
