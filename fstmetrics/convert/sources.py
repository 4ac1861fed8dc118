"""What is to be converted: the `Place` where items are, `networks` of an archive, or its machines `apart`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fstmetrics._native import LatticeColumn
from fstmetrics.io.blocks import Block
from fstmetrics.io.items import Item
from fstmetrics.io.written_words import WordsSoFar
from fstmetrics.networks.automata import calls_in, from_machines
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.source import stem


@dataclass
class Place:
    """Where what is being converted comes from, for messages: of items that are read and written one by one the last.

    Attributes:
        file: the file.
        item: the id, or the number from 1.
    """

    file: str
    item: str = ""

    def fault(self, error: FstmetricsError) -> InputError:
        """The error, with the file and the item, unless it says where it is."""
        return error if isinstance(error, InputError) else InputError(f"item {self.item}: {error}", self.file)

    def enter(self, file: str) -> None:
        """What follows comes from another file."""
        self.file = file


def stem_of(path: str) -> str:
    """What items without ids are called."""
    return "item" if path == "-" else stem(path.rstrip("/"))


def networks(machines: Iterator[Item], path: str) -> Iterator[Block]:
    """An archive whose machines call one another is one network, any other as many as it has machines.

    Raises:
        InputError: the machines make no network.
    """
    items = [machine.loaded() for machine in machines]
    keys = {item.id for item in items}
    if not any(call.name in keys for item in items for call in calls_in(item.value.symbols.words[1:])):
        return iter([Block.of(items)])
    id = stem_of(path)
    try:
        network = from_machines({item.value.id: item.value for item in items}, id=id)
        return iter([Block.of([Item(id, network)])])
    except FstmetricsError as error:
        raise InputError(str(error), path) from None


def apart(blocks: Iterator[Block], path: str, lost: dict[str, int], lossy: bool) -> Iterator[Block]:
    """The machines of an archive one by one, for files that have no room for calls; `lost` has how many call others.

    Lattices stay in their columns.

    Raises:
        InputError: behind the last machine, where some call one another and that is not to be lost.
    """
    keys: set[str] = set()
    calls: list[tuple[str, str]] = []
    plain = WordsSoFar(lambda word: not word.startswith("["))
    for block in blocks:
        if not isinstance(block.values, LatticeColumn) or block.faults:
            for given in block:
                try:
                    item = given.loaded()
                except FstmetricsError:  # whoever takes it says so
                    yield Block.of([given])
                    continue
                keys.add(str(item.id))
                calls += [(str(item.id), token.name) for token in calls_in(item.value.symbols.words[1:])]
                yield Block.of([item])
            continue
        ids = list(map(str, block.ids or ()))
        keys.update(ids)
        if not plain.are_such(block.values.vocabulary):
            for row, id in enumerate(ids):
                calls += [(id, token.name) for token in calls_in(block.values.words(row)[1:])]
        yield block
    _tell_calls(calls, keys, path, lost, lossy)


def _tell_calls(
    calls: list[tuple[str, str]], keys: set[str], path: str, lost: dict[str, int], lossy: bool
) -> None:
    callers = [(id, name) for id, name in calls if name in keys]
    if callers and not lossy:
        id, name = callers[0]
        raise InputError(
            f"machine {id!r} calls machine {name!r} by the label '[{name}]', for which this format has no room; "
            "network, slf and pfsg have, and of such a file --lossy writes the expansion; --lossy here makes words of "
            "calls",
            path,
        )
    if callers:
        lost["calls between machines"] = len({id for id, _ in callers})
