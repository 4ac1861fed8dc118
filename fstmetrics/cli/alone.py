"""Inputs that stand against nothing: `read_alone`, for commands without references."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fstmetrics.cli.clashes import refuse_clashes_of_run
from fstmetrics.cli.inputs import Inputs
from fstmetrics.cli.options import Request
from fstmetrics.cli.side import Side, read_side, settled
from fstmetrics.errors import InputError
from fstmetrics.pairing import Pair


class Alone:
    """The items of a side, in order, as `Pairs` without references; of a stream, read as they are asked for."""

    def __init__(self, side: Side) -> None:
        self.skipped = 0
        self._side = side

    @property
    def expected(self) -> int | None:
        """How many there are; None where that is not known before the end."""
        return None if self._side.stream else len(self._side.items.items)

    def __iter__(self) -> Iterator[Pair]:
        for item in self._side.stream.once() if self._side.stream else self._side.items.items:
            yield Pair(item.id, item.value, ())


def read_alone(request: Request, path: str, refusal: Callable[[object], str]) -> tuple[Inputs, bool]:
    """Read one side, folders and archives item by item.

    Args:
        request: how to read.
        path: a file or folder.
        refusal: what to say of a value that the command is not for; empty for others. The first item is looked at.

    Returns:
        The inputs, and whether all items have ids.

    Raises:
        FstmetricsError: what cannot be read, holds nothing, or is not what the command is for.
    """
    refuse_clashes_of_run(request, [path])
    (side,) = settled([read_side(request, path, True, True)])
    if not (side.stream or side.items.items):
        raise InputError("is empty: there is nothing to decode", side.path)
    first = side.first()
    if first is not None and (message := refusal(first)):
        raise InputError(message, side.path)
    formats = {side.path: ",".join(side.formats)}
    return Inputs(Alone(side), 0, formats, (), (side,), False, False, False), side.has_ids
