"""Types of click for options that a command declares itself: kinds of `runs.option_values`, under short names."""

from __future__ import annotations

from collections.abc import Collection

from fstmetrics.cli.options import Ranged, Value
from fstmetrics.runs import option_values as kinds


class Whole(Ranged):
    """A whole number of a range, in ASCII digits."""

    def __init__(self, least: int, most: int) -> None:
        super().__init__(kinds.whole(least, most))


class Real(Ranged):
    """A finite number of a range, in ASCII digits; `without_least`, `without_most`: without its ends."""

    def __init__(
        self, least: float, most: float, without_least: bool = False, without_most: bool = False
    ) -> None:
        super().__init__(kinds.real(least, most, without_least, without_most))


class OutputFile(Value):
    """The name of a file of one kind that is written; as of `kinds.written_file`."""

    def __init__(self, written: str, *endings: str) -> None:
        super().__init__(kinds.written_file(written, *endings))


class Output(OutputFile):
    """The name of a file or folder that is written; - is standard output."""

    def __init__(self) -> None:
        super().__init__("")


class FormatName(Value):
    """A name of a format."""

    def __init__(self, known: Collection[str]) -> None:
        super().__init__(kinds.named("format", known))


FORMAT, METRIC, RECORDS = Value(kinds.FORMAT), Value(kinds.METRIC), Value(kinds.RECORDS)
SEED, ROWS, ARCS = Ranged(kinds.SEED), Ranged(kinds.ROWS), Ranged(kinds.ARCS)
