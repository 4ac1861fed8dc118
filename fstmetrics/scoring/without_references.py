"""What a command without references reads: `read_unpaired`, one side, or several texts with a sample of each item."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from fstmetrics.data.nbest import NBest
from fstmetrics.io.column_roles import HYPOTHESIS
from fstmetrics.io.items import Item
from fstmetrics.scoring.inputs import Inputs, NoPairs, inputs_of_shards, states_of_paths
from fstmetrics.scoring.opened_sides import read_side, settled
from fstmetrics.scoring.pair_blocks import Pair, PairBlock
from fstmetrics.scoring.piece_marks import unmarked
from fstmetrics.scoring.request import Request, check_run_paths
from fstmetrics.scoring.run_sides import Side
from fstmetrics.support.errors import InputError


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
