"""Values of options as they are written: `real`, `beams`, `weights` and others. A wrong one is refused in one line."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple, get_args

from fstmetrics.metrics import METRICS, as_corpus_metric
from fstmetrics.metrics.corpus import MEAN
from fstmetrics.support.errors import FstmetricsError

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
DECIMAL = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"


def real(text: str) -> float | None:
    """A finite number as it is written; None if it is none.

    >>> real("-.5e3"), real("1_0"), real("1e999")
    (-500.0, None, None)
    """
    value = float(text) if re.fullmatch(DECIMAL, text) else math.inf
    return value if math.isfinite(value) else None


def beams(text: str) -> tuple[float, ...]:
    """Numbers from 0 up, or inf, joined by commas; in order, each once.

    Raises:
        ValueError: they are none.

    >>> beams("8,inf,2")
    (2.0, 8.0, inf)
    """
    found = [math.inf if part == "inf" else real(part) for part in text.split(",")]
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
    """The name of one metric.

    Raises:
        ValueError: there is none of that name, or these are several; an error has the nearest names first.
    """
    names = text.split(",")
    if len(names) > 1 or names[0].startswith(MEAN):
        raise ValueError(
            f"expected one metric, not {text!r}; the mean of the item scores is always printed; for several "
            f"metrics: fstmetrics compare --metric {text} --ref REF HYP"
        )
    if text not in METRICS:
        try:
            as_corpus_metric(text)
        except FstmetricsError as error:
            raise ValueError(str(error)) from None
    return text


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
