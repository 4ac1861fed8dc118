"""Types of option values. Each refuses a wrong value with one line that says what was expected.

Numbers: `Whole`, `Real` and `Decimal` have a range, which the help shows, and are written in ASCII digits. A range
ends where more would be a typing error: nobody has the memory or the time.
Names: `FormatName` and `MetricName`. Lists: `Beams`, `Weights`, `Groupings`. `SEED`, `ROWS`, `WEIGHT`, `ARCS`: ranges
of several commands. Names of what is written: `Output`, `OutputFile`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import click

from fstmetrics.cli.completing import Text, offered
from fstmetrics.metrics import METRICS
from fstmetrics.metrics.base import exact
from fstmetrics.readers import FORMATS
from fstmetrics.runs import on_request
from fstmetrics.runs.option_values import (
    MOST_EVERY,
    MOST_SEED,
    MOST_WEIGHT,
    beams,
    known_names,
    metric_name,
    real,
    refuse_ending,
    short,
    weights,
)
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import unknown
from fstmetrics.support.output import named_output
from fstmetrics.values.groupings import groupings_of

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class Whole(click.IntRange):
    """A whole number of a range, in ASCII digits."""

    def __init__(self, least: int, most: int) -> None:
        super().__init__(least, most)

    def _describe_range(self) -> str:
        return f"{self.min} to {self.max}"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number; others are refused in a line that has the range."""
        if isinstance(value, str) and not re.fullmatch(r"[+-]?[0-9]{1,100}", value):
            self.fail(f"expected a whole number ({self._describe_range()}), not {value!r}", param, ctx)
        return super().convert(value, param, ctx)


class CheckedBy(Text):
    """`openfst` or `openfst=N`: every N-th item is solved again by OpenFst."""

    name = "check"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """N."""
        if not isinstance(value, str):
            return value
        judge, equals, every = value.partition("=")
        if judge != "openfst":
            self.fail(f"expected openfst or openfst=N, not {value!r}", param, ctx)
        return Whole(1, MOST_EVERY).convert(every, param, ctx) if equals else 1


class Real(click.FloatRange):
    """A finite number of a range, in ASCII digits.

    Args:
        least, most: the range.
        without_least, without_most: whether its ends do not belong to it.
    """

    def __init__(
        self, least: float, most: float, without_least: bool = False, without_most: bool = False
    ) -> None:
        super().__init__(least, most, without_least, without_most)

    def _describe_range(self) -> str:
        low = f"{'above ' if self.min_open else ''}{short(self.min)}"
        return f"{low} to {'below ' if self.max_open else ''}{short(self.max)}"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number; others are refused in a line that has the range."""
        if isinstance(value, str) and real(value) is None:
            self.fail(f"expected a number ({self._describe_range()}), not {value!r}", param, ctx)
        return super().convert(value, param, ctx)


class Decimal(Real):
    """A finite number, kept as it is written so that it can be read exactly."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """What was written, if it is such a number."""
        super().convert(value, param, ctx)
        try:
            exact(value, "the value")
        except FstmetricsError as error:
            self.fail(str(error), param, ctx)
        return value


class Output(Text):
    """The name of a file or folder that is written; - is standard output, whatever else it is called."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name."""
        return named_output(value)


class OutputFile(Output):
    """The name of a file of one kind that is written.

    Args:
        written: what is written.
        endings: those of files of it, the usual one first.
    """

    def __init__(self, written: str, *endings: str) -> None:
        self.written, self.endings = written, endings

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name; one that says that something else is in the file is refused."""
        refuse_ending(value, self.written, *self.endings)
        return super().convert(value, param, ctx)


RECORDS = OutputFile("JSON Lines", ".jsonl")


SEED = Whole(0, MOST_SEED)
# Rows of a list that is there anyway; as many are never there.
ROWS = Whole(0, 2**31 - 1)
WEIGHT = Real(-MOST_WEIGHT, MOST_WEIGHT)
# Arcs of what is written out: states and arcs of every format are numbered by 32 bits.
ARCS = Whole(1, 2**31 - 1)


class Beams(click.ParamType):  # type: ignore[type-arg]
    """Numbers from 0 up, or inf, joined by commas; in order, each once."""

    name = "beams"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The numbers."""
        if not isinstance(value, str):
            return value
        try:
            return beams(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class ShardType(click.ParamType):  # type: ignore[type-arg]
    """`I/N`: shard I of N."""

    name = "shard"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The shard."""
        try:
            return on_request.Shard.parsed(value) if isinstance(value, str) else value
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Weights(click.ParamType):  # type: ignore[type-arg]
    """A weight, or several: `7:17` in steps of 1, `0:1:.1` in steps of .1, or these and numbers joined by commas."""

    name = "weights"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, or a `Sweep`."""
        if not isinstance(value, str):
            return value
        try:
            return weights(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """What help pages call it."""
        return "X|A:B[:STEP]|X,..."


class Groupings(click.ParamType):  # type: ignore[type-arg]
    """Fields to make tables by, as `speaker,domain`; a field may have bins, as `duration:5,10`."""

    name = "fields"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """What each table puts items together by."""
        try:
            return groupings_of(value) if isinstance(value, str) else value
        except FstmetricsError as error:
            self.fail(str(error), param, ctx)


class Names(click.ParamType):  # type: ignore[type-arg]
    """Some of a few names, joined by commas; each once.

    Args:
        known: the names.
    """

    name = "names"

    def __init__(self, known: Sequence[str]) -> None:
        self._known = known

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The names; an error has those that there are."""
        if not isinstance(value, str):
            return value
        try:
            return known_names(value, self._known)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class FormatName(click.ParamType):  # type: ignore[type-arg]  # generic only from click 8.4 on
    """A name of a format. There are too many for the line of an option; `fstmetrics convert --help` lists them.

    Args:
        known: all names, shipped ones and those of other packages, which are looked up when they are needed.
    """

    name = "format"

    def __init__(self, known: Collection[str]) -> None:
        self._known = known

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name, if there is one; an error has the nearest first."""
        if value not in self._known:
            self.fail(unknown("format", value, self._known), param, ctx)
        return str(value)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """What help pages call it."""
        return "FORMAT"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names that begin so."""
        return offered(self._known, incomplete)


FORMAT = FormatName(FORMATS)


class MetricName(click.ParamType):  # type: ignore[type-arg]
    """The name of one metric."""

    name = "metric"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name, if it is one; an error has the nearest first."""
        if value in METRICS:
            return str(value)
        try:
            return metric_name(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """What help pages call it."""
        return "NAME"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names that begin so."""
        return offered(METRICS, incomplete)


METRIC = MetricName()
