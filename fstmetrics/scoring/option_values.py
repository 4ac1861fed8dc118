"""What options take: `Kind`, which reads a value as it is written on the command line, and as Python has it.

Of a number or a name of a few: `whole`, `real`, `DECIMAL`, `one_of`. Of a file: `PATH`, `written_file`. Several of one
kind: `many`, and `MANY_NAMED` where each has a name. What a kind does not take is a ValueError that says what was
expected, and an FstmetricsError where the message stands for itself. `finite`, `beams`, `weights` and others read what
is written, without a kind.
"""

from __future__ import annotations

import decimal
import math
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from numbers import Real
from typing import Any, Literal, NamedTuple, get_args

from fstmetrics.data.groupings import groupings_of
from fstmetrics.io import FORMATS
from fstmetrics.metrics import METRICS, CorpusMetric, as_corpus_metric
from fstmetrics.metrics.base import exact
from fstmetrics.metrics.corpus import MEAN
from fstmetrics.metrics.registry import registered
from fstmetrics.scoring.shards import Shard
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import unknown
from fstmetrics.support.output import named_output
from fstmetrics.text.profiles import is_profile, profile

# Where items are scored.
Place = Literal["local", "ray", "spark"]
PLACES: tuple[Place, ...] = get_args(Place)
# Beyond it no run has as many items.
MOST_EVERY = 10**12
# Seeds that every generator of random numbers takes.
MOST_SEED = 2**32 - 1
# Weights of costs, which are added up exactly, in 64 bits.
MOST_WEIGHT = 1e9
# A number as JSON has it, or with a sign or point at its beginning or end. float() also reads 1_0, inf and １.
WRITTEN = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"


def finite(text: str) -> float | None:
    """A finite number as it is written; None if it is none.

    >>> finite("-.5e3"), finite("1_0"), finite("1e999")
    (-500.0, None, None)
    """
    value = float(text) if re.fullmatch(WRITTEN, text) else math.inf
    return value if math.isfinite(value) else None


def beams(text: str) -> tuple[float, ...]:
    """Numbers from 0 up, or inf, joined by commas; in order, each once.

    Raises:
        ValueError: they are none.

    >>> beams("8,inf,2")
    (2.0, 8.0, inf)
    """
    found = [math.inf if part == "inf" else finite(part) for part in text.split(",")]
    if any(beam is None or beam < 0 for beam in found):
        raise ValueError(f"expected numbers from 0 up, joined by commas, not {text!r}")
    return tuple(sorted({beam for beam in found if beam is not None}))


class Sweep(NamedTuple):
    """Several weights, and how they were written.

    Attributes:
        values: each once, in the order in which they were written.
        written: the option's value.
    """

    values: tuple[float, ...]
    written: str


def weights(text: str) -> float | Sweep:
    """A weight, or several: `7:17` in steps of 1, `0:1:.1` in steps of .1, or these and numbers joined by commas.

    Raises:
        ValueError: it is none of these, or too many.

    >>> weights("7"), weights("7:8")
    (7.0, Sweep(values=(7.0, 8.0), written='7:8'))
    """
    found: dict[float, None] = {}
    try:
        for part in text.split(","):
            for number in _between(part):
                found[number] = None
                if len(found) > MOST_SWEPT:
                    raise ValueError(f"more than {MOST_SWEPT} numbers")
    except ValueError as error:
        raise ValueError(
            f"expected a number, a range A:B or A:B:STEP, or a list A,B,..., not {text!r}: {error}"
        ) from None
    is_one = len(found) == 1 and "," not in text and ":" not in text
    return next(iter(found)) if is_one else Sweep(tuple(found), text)


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
    numbers = [finite(end) for end in ends]
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


def known_names(text: str, known: Sequence[str]) -> list[str]:
    """Some of a few names, joined by commas.

    Raises:
        ValueError: one of them is not known.
    """
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in known:
            raise ValueError(f"expected {', '.join(known)}, joined by commas, not {name!r}")
    return names


def metric_name(text: str) -> str:
    """The name of a metric as it is registered, of one in any case.

    Raises:
        ValueError: there is none of that name, or it is a mean; an error has the nearest names first.
    """
    if text.startswith(MEAN):
        raise ValueError(
            f"expected a metric, not {text!r}; the mean of the item scores is always printed, and fstmetrics compare "
            f"--metric {text} --ref REF HYP has it as a metric"
        )
    if text not in METRICS:
        try:
            as_corpus_metric(text)
        except FstmetricsError as error:
            raise ValueError(str(error)) from None
    return registered(text)


def short(number: float | None) -> str:
    """A bound as people write it: 1e9, 0.5."""
    return f"{number:g}".replace("e+0", "e")


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


@dataclass(frozen=True, eq=False)
class Kind:
    """What an option takes.

    Attributes:
        read: makes the value of what is given, text or a value of Python; of a kind that is repeated, of all of it.
        word: what help pages call it.
        extent: the range of a number, for help pages.
        offers: what a shell offers: these names; None: files.
        repeated: whether the command line may give it several times.
    """

    read: Callable[[Any], Any]
    word: str = "TEXT"
    extent: str = ""
    offers: Collection[str] | None = None
    repeated: bool = False

    def __call__(self, given: Any) -> Any:
        """The value.

        Raises:
            ValueError: it is none of this kind.
        """
        return self.read(given)


def path(given: Any) -> str:
    """A path, as text.

    Raises:
        ValueError: it is none.
    """
    found = os.fspath(given) if isinstance(given, str | os.PathLike) else given
    if not isinstance(found, str):
        raise ValueError(f"expected a path, not {given!r}")
    return found


def text(given: Any) -> str:
    """Text.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(given, str):
        raise ValueError(f"expected text, not {given!r}")
    return given


def _flag(given: Any) -> bool:
    if not isinstance(given, bool):
        raise ValueError(f"expected True or False, not {given!r}")
    return given


PATH, TEXT, FLAG = Kind(path), Kind(text), Kind(_flag)


def whole(least: int, most: int) -> Kind:
    """A whole number of a range, in ASCII digits.

    >>> whole(1, 9)("7"), whole(1, 9).extent
    (7, '1 to 9')
    """
    extent = f"{least} to {most}"

    def read(given: Any) -> int:
        is_written = isinstance(given, str) and re.fullmatch(r"[+-]?[0-9]{1,100}", given)
        if isinstance(given, bool) or not (is_written or hasattr(given, "__index__")):
            raise ValueError(f"expected a whole number ({extent}), not {given!r}")
        number = int(given)
        if not least <= number <= most:
            raise ValueError(f"{number} is not in the range {extent}")
        return number

    return Kind(read, "N", extent, ())


def real(least: float, most: float, without_least: bool = False, without_most: bool = False) -> Kind:
    """A finite number of a range, in ASCII digits.

    Args:
        least, most: the range.
        without_least, without_most: whether its ends do not belong to it.

    >>> real(0, 1)(".5"), real(0, 1e9, without_least=True).extent
    (0.5, 'above 0 to 1e9')
    """
    extent = f"{'above ' * without_least}{short(least)} to {'below ' * without_most}{short(most)}"

    def read(given: Any) -> float:
        number = finite(given if isinstance(given, str) else _number(given))
        if number is None:
            raise ValueError(f"expected a number ({extent}), not {given!r}")
        at_an_end = (without_least and number == least) or (without_most and number == most)
        if at_an_end or not least <= number <= most:
            raise ValueError(f"{number if isinstance(given, str) else given} is not in the range {extent}")
        return number

    return Kind(read, "X", extent, ())


def _decimal(given: Any) -> str:
    """A number as it is written, which is read exactly; a float is the decimal that Python writes for it."""
    written = str(given) if isinstance(given, str | decimal.Decimal) else _number(given)
    WEIGHT(written)
    try:
        exact(written, "the value")
    except FstmetricsError as error:
        raise ValueError(str(error)) from None
    return written


def _number(given: Any) -> str:
    if not isinstance(given, Real) or isinstance(given, bool):
        raise ValueError(f"expected numbers, not {given!r}")
    return str(given) if isinstance(given, int) else repr(float(given))


WEIGHT = real(-MOST_WEIGHT, MOST_WEIGHT)
DECIMAL = Kind(_decimal, "X", WEIGHT.extent, ())
SEED = whole(0, MOST_SEED)
# Rows of a list that is there anyway; as many are never there.
ROWS = whole(0, 2**31 - 1)
# Arcs of what is written out: states and arcs of every format are numbered by 32 bits.
ARCS = whole(1, 2**31 - 1)


def one_of(*known: str, of_any_case: bool = False) -> Kind:
    """One of a few names.

    Args:
        known: the names.
        of_any_case: whether capitals do not count.
    """

    def read(given: Any) -> str:
        found = given.lower() if of_any_case and isinstance(given, str) else given
        if found not in known:
            raise ValueError(f"{given!r} is not one of {', '.join(map(repr, known))}")
        return str(found)

    return Kind(read, f"[{'|'.join(known)}]", offers=known)


def joined_of(*known: str) -> Kind:
    """One or several of a few names in any case, joined by commas; Python may have a list of them."""
    one = one_of(*known, of_any_case=True)

    def read(given: Any) -> str:
        names = [name.strip() for name in ",".join(several(given, text)).split(",")]
        return ",".join(dict.fromkeys(map(one, names)))

    return Kind(read, offers=known)


def named(what: str, known: Collection[str]) -> Kind:
    """One of more names than an error or a help page lists.

    Args:
        what: what they are names of.
        known: the names, which may be looked up when they are needed.
    """

    def read(given: Any) -> str:
        if given not in known:
            raise ValueError(unknown(what, str(given), known))
        return str(given)

    return Kind(read, what.upper(), offers=known)


FORMAT = named("format", FORMATS)


def metric(given: Any) -> str | CorpusMetric:
    """A metric, or the name of one.

    Raises:
        ValueError: it is none.
    """
    return given if isinstance(given, CorpusMetric) else metric_name(text(given))


def metrics(given: Any) -> str | CorpusMetric | list[str | CorpusMetric]:
    """A metric, or several: names joined by commas, or a list.

    Raises:
        ValueError: one of them is none.
    """
    if isinstance(given, str):
        return ",".join([metric_name(name.strip()) for name in given.split(",")])
    return [metric(each) for each in given] if isinstance(given, list | tuple) else metric(given)


METRIC = Kind(metric, "NAME", offers=METRICS)
SOME_METRICS = Kind(metrics, "NAME,...", offers=METRICS)


def _profile(given: Any) -> str:
    names = text(given).split(",")
    if len(names) > 1 and all(is_profile(name) for name in names):
        raise FstmetricsError(
            f"--profile takes one profile; for several: fstmetrics compare --profiles {given} --ref REF SYSTEM..."
        )
    profile(given)
    return str(given)


PROFILE = Kind(_profile)


def several(given: Any, one: Callable[[Any], Any]) -> list[Any]:
    """What one thing, or each of several, is read as.

    Raises:
        ValueError: it is neither.
    """
    found = [given] if isinstance(given, str | os.PathLike) else given
    if not isinstance(found, Iterable):
        raise ValueError(f"expected one or a list, not {given!r}")
    return [one(each) for each in found]


def many(kind: Kind) -> Kind:
    """Several of a kind, or one."""
    return Kind(partial(several, one=kind), kind.word, kind.extent, kind.offers, True)


def _flat(given: Any, names: Callable[[str], Iterable[Any]]) -> list[Any]:
    """What each of some texts names, each once."""
    try:
        found = several(given, lambda each: list(names(text(each))))
    except FstmetricsError as error:
        raise ValueError(str(error)) from None
    return list(dict.fromkeys(one for each in found for one in each))


def some_of(known: Sequence[str]) -> Kind:
    """Some of a few names, joined by commas; each once."""
    return Kind(partial(_flat, names=partial(known_names, known=known)), offers=(), repeated=True)


# Fields to make tables by, as `speaker,domain`; a field may have bins, as `duration:5,10`.
GROUPINGS = Kind(partial(_flat, names=groupings_of), offers=(), repeated=True)


def _named(given: Any) -> list[str]:
    if not isinstance(given, Mapping):
        return several(given, path)
    return [f"{text(name)}={path(file)}" for name, file in given.items()]


# Files, or NAME=FILE each; Python may have a dict of files by their names.
MANY_NAMED = Kind(_named, repeated=True)


def _columns(given: Any) -> list[str]:
    if not isinstance(given, Mapping):
        return several(given, text)
    return [
        f"{text(name)}={text(column)}"
        for name, columns in given.items()
        for column in ([columns] if isinstance(columns, str) else columns)
    ]


# Columns of a table by the fields that they are; Python may have a dict, whose values are columns or lists of them.
COLUMNS = Kind(_columns, repeated=True)
# Names joined by commas, or a list of them.
JOINED = Kind(lambda given: ",".join(several(given, text)))


def _beams(given: Any) -> tuple[float, ...]:
    if isinstance(given, str):
        return beams(given)
    found = list(map(_number, given if isinstance(given, Iterable) else [given]))
    return beams(",".join(found)) if found else ()


def _weights(given: Any) -> float | Sweep:
    if isinstance(given, str):
        return weights(given)
    return weights(",".join(map(_number, given if isinstance(given, Iterable) else [given])))


# Numbers from 0 up, or inf, joined by commas; in order, each once.
BEAMS = Kind(_beams, "B[,B...]", offers=())
# A weight, or several: `7:17` in steps of 1, `0:1:.1` in steps of .1, or these and numbers joined by commas.
WEIGHTS = Kind(_weights, "X|A:B[:STEP]|X,...", offers=())


def _check(given: Any) -> int:
    judge, equals, every = text(given).partition("=")
    if judge != "openfst":
        raise ValueError(f"expected openfst or openfst=N, not {given!r}")
    return int(whole(1, MOST_EVERY)(every)) if equals else 1


# `openfst` or `openfst=N`: every N-th item is solved again by OpenFst.
CHECK = Kind(_check)
# `I/N`: shard I of N.
SHARD = Kind(
    lambda given: given if isinstance(given, Shard) else Shard.parsed(text(given)),
    "I/N",
    offers=(),
)


def written_file(what: str = "", *endings: str) -> Kind:
    """The name of a file or folder that is written; - is standard output, whatever else it is called.

    Args:
        what: what is written.
        endings: those of files of it, the usual one first; others that say what is in a file are refused.
    """

    def read(given: Any) -> str:
        name = path(given)
        if endings:
            refuse_ending(name, what, *endings)
        return named_output(name)

    return Kind(read)


RECORDS = written_file("JSON Lines", ".jsonl")
