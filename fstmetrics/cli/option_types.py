"""Types of option values. Each refuses a wrong value with one line that says what was expected.

Numbers: `Whole`, `Real` and `Decimal` have a range, which the help shows, and are written in ASCII digits. A range
ends where more would be a typing error: nobody has the memory or the time.
Names: `FormatName` and `MetricName`. Lists: `Beams`, `Weights`, `Groupings`. `SEED`, `ROWS`, `WEIGHT`, `ARCS`: ranges
of several commands. Names of what is written: `Output`, `OutputFile`.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import click

from fstmetrics.cli import on_request
from fstmetrics.cli.completing import Text, offered
from fstmetrics.metrics import METRICS, as_corpus_metric
from fstmetrics.metrics.base import exact
from fstmetrics.metrics.corpus import MEAN
from fstmetrics.readers import FORMATS
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import unknown
from fstmetrics.support.output import named_output
from fstmetrics.values.groupings import groupings_of

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# Where items are scored.
Place = Literal["local", "ray", "spark"]
PLACES: tuple[Place, ...] = get_args(Place)
# A number as JSON has it, or with a sign or point at its beginning or end. float() also reads 1_0, inf and １.
DECIMAL = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"


def real(text: str) -> float | None:
    """A finite number as it is written; None if it is none.

    >>> real("-.5e3"), real("1_0"), real("1e999")
    (-500.0, None, None)
    """
    value = float(text) if re.fullmatch(DECIMAL, text) else math.inf
    return value if math.isfinite(value) else None


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


# Beyond it no run has as many items.
MOST_EVERY = 10**12


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
        low = f"{'above ' if self.min_open else ''}{_short(self.min)}"
        return f"{low} to {'below ' if self.max_open else ''}{_short(self.max)}"

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


_PAGE = "fstmetrics report makes a page of outputs or of records"
_TABLE = "in Python, to_pandas() makes a table of results"
_CSV = "fstmetrics show RECORDS --style csv lists the operations of records"
_WORDS = "fstmetrics best writes the words of lattices"
_PICTURE = "fstmetrics compare and correlate draw with --plot"
# Endings that say what is in a file, and what writes such a file.
TELLING = {
    ".html": _PAGE, ".htm": _PAGE,
    ".csv": _CSV, ".tsv": _CSV,
    ".xlsx": _TABLE, ".xls": _TABLE, ".ods": _TABLE, ".parquet": _TABLE, ".arrow": _TABLE, ".feather": _TABLE,
    ".trn": _WORDS, ".ctm": _WORDS,
    ".png": _PICTURE, ".pdf": _PICTURE, ".svg": _PICTURE,
}  # fmt: skip


def refuse_ending(path: str, written: str, *endings: str) -> None:
    """Refuse the name of a file whose ending says that something else is in it than what is written.

    Args:
        path: the name.
        written: what is written.
        endings: those of files of it, the usual one first.

    Raises:
        FstmetricsError: the name ends so.

    >>> refuse_ending("out.jsonl", "JSON Lines", ".jsonl")
    >>> refuse_ending("out.xlsx", "JSON Lines", ".jsonl")
    Traceback (most recent call last):
    fstmetrics.support.errors.FstmetricsError: out.xlsx: JSON Lines would be written there: end the name in .jsonl; in \
Python, to_pandas() makes a table of results
    """
    found = os.path.splitext(path.lower().removesuffix(".gz"))[1]
    if found in TELLING and found not in endings:
        raise FstmetricsError(
            f"{path}: {written} would be written there: end the name in {endings[0]}; {TELLING[found]}"
        )


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


def _short(number: float | None) -> str:
    """A bound as people write it: 1e9, 0.5."""
    return f"{number:g}".replace("e+0", "e")


# Seeds that every generator of random numbers takes.
SEED = Whole(0, 2**32 - 1)
# Rows of a list that is there anyway; as many are never there.
ROWS = Whole(0, 2**31 - 1)
# Weights of costs, which are added up exactly, in 64 bits.
MOST_WEIGHT = 1e9
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
        beams = [math.inf if part == "inf" else real(part) for part in value.split(",")]
        if any(beam is None or beam < 0 for beam in beams):
            self.fail(f"expected numbers from 0 up, joined by commas, not {value!r}", param, ctx)
        return tuple(sorted({beam for beam in beams if beam is not None}))


class ShardType(click.ParamType):  # type: ignore[type-arg]
    """`I/N`: shard I of N."""

    name = "shard"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The shard."""
        try:
            return on_request.Shard.parsed(value) if isinstance(value, str) else value
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Sweep(NamedTuple):
    """Several weights, and how they were written.

    Attributes:
        values: each once, in the order in which they were written.
        written: the option's value.
    """

    values: tuple[float, ...]
    written: str


class Weights(click.ParamType):  # type: ignore[type-arg]
    """A weight, or several: `7:17` in steps of 1, `0:1:.1` in steps of .1, or these and numbers joined by commas."""

    name = "weights"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, or a `Sweep`."""
        if not isinstance(value, str):
            return value
        found: dict[float, None] = {}
        try:
            for part in value.split(","):
                for number in _between(part):
                    found[number] = None
                    if len(found) > MOST_SWEPT:
                        raise ValueError(f"more than {MOST_SWEPT} numbers")
        except ValueError as error:
            self.fail(
                f"expected a number, a range A:B or A:B:STEP, or a list A,B,..., not {value!r}: {error}",
                param,
                ctx,
            )
        is_one = len(found) == 1 and "," not in value and ":" not in value
        return next(iter(found)) if is_one else Sweep(tuple(found), value)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """What help pages call it."""
        return "X|A:B[:STEP]|X,..."


# As many weights of one option as nobody tries.
MOST_SWEPT = 1000


def _between(part: str) -> Iterator[float]:
    """The numbers of `A`, `A:B` or `A:B:STEP`, reckoned as the decimals that they are written as.

    Raises:
        ValueError: it is none of these.

    >>> list(_between("0:1:.25")), list(_between("7:9"))
    ([0.0, 0.25, 0.5, 0.75, 1.0], [7.0, 8.0, 9.0])
    """
    ends = part.split(":")
    numbers = [real(end) for end in ends]
    for end, number in zip(ends, numbers, strict=True):
        if number is None:
            raise ValueError(f"{end!r} is no number")
        if abs(number) > MOST_WEIGHT:
            raise ValueError(f"{end} is beyond {MOST_WEIGHT:g}")
    if len(ends) > 3:
        raise ValueError(f"{part!r} has more than three parts")
    if len(ends) == 1:
        yield float(ends[0])
        return
    first, last, step = Fraction(ends[0]), Fraction(ends[1]), Fraction(ends[2] if len(ends) > 2 else 1)
    if step <= 0:
        raise ValueError("a step is above 0")
    if last < first:
        raise ValueError(f"{part!r} ends below its beginning")
    while first <= last:
        yield float(first)
        first += step


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
        names = [name.strip() for name in value.split(",")]
        for name in names:
            if name not in self._known:
                self.fail(f"expected {', '.join(self._known)}, joined by commas, not {name!r}", param, ctx)
        return names


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
        names = str(value).split(",")
        if len(names) > 1 or names[0].startswith(MEAN):
            self.fail(
                f"expected one metric, not {value!r}; the mean of the item scores is always printed; for several "
                f"metrics: fstmetrics compare --metric {value} --ref REF HYP",
                param,
                ctx,
            )
        if value not in METRICS:
            try:
                as_corpus_metric(value)
            except FstmetricsError as error:
                self.fail(str(error), param, ctx)
        return str(value)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """What help pages call it."""
        return "NAME"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names that begin so."""
        return offered(METRICS, incomplete)


METRIC = MetricName()
