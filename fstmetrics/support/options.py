"""Options, each declared in one place: `Option`, what is said of one; `Kind`, what it takes; `option`, one of a field.

Of a number or a name of a few: `whole`, `real`, `one_of`. Of a file: `PATH`. Several of one kind: `many`, and
`MANY_NAMED` where each has a name. A kind reads a value as it is written on the command line, and as Python has it.
What it does not take is a ValueError that says what was expected, and an FstmetricsError where the message stands for
itself.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from numbers import Real
from typing import Any, NamedTuple

from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import did_you_mean, unknown
from fstmetrics.support.output import named_output

# Seeds that every generator of random numbers takes.
MOST_SEED = 2**32 - 1
# Options that have one more name, of a letter, in all commands.
SHORT = {"metric": "-m", "output": "-o"}
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


def known_names(text: str, known: Collection[str]) -> list[str]:
    """Some of a few names, joined by commas.

    Raises:
        ValueError: one of them is not known.
    """
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in known:
            raise ValueError(
                f"expected {', '.join(known)}, joined by commas, not {name!r}{_or_meant(name, known)}"
            )
    return names


def _or_meant(given: Any, known: Collection[str]) -> str:
    """A question about the names that may have been meant, behind a refusal."""
    meant = did_you_mean(given, known) if isinstance(given, str) else ""
    return f"; {meant}" if meant else ""


def short(number: float | None) -> str:
    """A bound as people write it: 1e9, 0.5."""
    return f"{number:g}".replace("e+0", "e")


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
        raise ValueError(f"expected a path, not {as_given(given)}")
    return found


def as_given(value: Any) -> str:
    """What is said of a value that is no path; of a set, that it has no order."""
    if isinstance(value, set | frozenset):
        return f"a {type(value).__name__}, which has no order (give a list)"
    return f"{value!r:.80}"


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
        number = finite(given if isinstance(given, str) else number_text(given))
        if number is None:
            raise ValueError(f"expected a number ({extent}), not {given!r}")
        at_an_end = (without_least and number == least) or (without_most and number == most)
        if at_an_end or not least <= number <= most:
            raise ValueError(f"{number if isinstance(given, str) else given} is not in the range {extent}")
        return number

    return Kind(read, "X", extent, ())


def number_text(given: Any) -> str:
    """A number of Python as it is written.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(given, Real) or isinstance(given, bool):
        raise ValueError(f"expected numbers, not {given!r}")
    return str(given) if isinstance(given, int) else repr(float(given))


WEIGHT = real(-MOST_WEIGHT, MOST_WEIGHT)


SEED = whole(0, MOST_SEED)


# Rows of a list that is there anyway; as many are never there.
ROWS = whole(0, 2**31 - 1)
# Arcs of what is written out: states and arcs of every format are numbered by 32 bits.
ARCS = whole(1, 2**31 - 1)


def one_of(*known: str, of_any_case: bool = False, others: Callable[[], Collection[str]] = tuple) -> Kind:
    """One of a few names.

    Args:
        known: the names.
        of_any_case: whether capitals do not count.
        others: gives names that are good as well, but on no help page: those of other packages.
    """

    def read(given: Any) -> str:
        found = given.lower() if of_any_case and isinstance(given, str) else given
        if found not in known and found not in (every := list(dict.fromkeys((*known, *others())))):
            said = f"{given!r} is not one of {', '.join(map(repr, every))}"
            raise ValueError(said + _or_meant(given, every))
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


def several(given: Any, one: Callable[[Any], Any]) -> list[Any]:
    """What one thing, or each of several, is read as.

    Raises:
        ValueError: it is neither, or a set.
    """
    found = [given] if isinstance(given, str | os.PathLike) else given
    if not isinstance(found, Iterable) or isinstance(found, set | frozenset):
        raise ValueError(f"expected one or a list, not {as_given(given)}")
    return [one(each) for each in found]


def many(kind: Kind) -> Kind:
    """Several of a kind, or one."""
    return Kind(partial(several, one=kind), kind.word, kind.extent, kind.offers, True)


def each_once(given: Any, names: Callable[[str], Iterable[Any]]) -> list[Any]:
    """What each of some texts names, each once."""
    try:
        found = several(given, lambda each: list(names(text(each))))
    except FstmetricsError as error:
        raise ValueError(str(error)) from None
    return list(dict.fromkeys(one for each in found for one in each))


def some_of(known: Collection[str]) -> Kind:
    """Some of a few names, joined by commas; each once."""
    return Kind(partial(each_once, names=partial(known_names, known=known)), offers=(), repeated=True)


def _named(given: Any) -> list[str]:
    if not isinstance(given, Mapping):
        return several(given, path)
    return [f"{text(name)}={path(file)}" for name, file in given.items()]


# Files, or NAME=FILE each; Python may have a dict of files by their names.
MANY_NAMED = Kind(_named, repeated=True)
# Names joined by commas, or a list of them.
JOINED = Kind(lambda given: ",".join(several(given, text)))


class Option(NamedTuple):
    """An option.

    Attributes:
        kind: what it takes.
        help: what the help page says of it.
        default: its value where it is not given; of flags and of what may be repeated, False and nothing.
        metavar: what the help page calls its value, where its kind has no better word.
        field: what a request, or the function of the command, calls it; as Python calls the option, if empty.
        heading: where it stands on the help page.
        bare: its value where nothing stands behind it.
        short: one more name, of a letter.
        required: whether the command line has to have it.
        printed: whether it says how the command prints, so that Python does not have it.
        plain: values with which texts are plain text, whatever they look like.
    """

    kind: Kind
    help: str
    default: Any = None
    metavar: str | None = None
    field: str = ""
    heading: str = ""
    bare: Any = None
    short: str = ""
    required: bool = False
    printed: bool = False
    plain: Collection[Any] = ()


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


def dashed(name: str) -> str:
    """What the command line calls an option.

    >>> dashed("lm_scale")
    '--lm-scale'
    """
    return f"--{name.replace('_', '-')}"


def option(
    default: Any,
    kind: Kind,
    help: str,
    metavar: str | None = None,
    *,
    name: str = "",
    shown: Any = field,
    **more: Any,
) -> Any:
    """A field of a dataclass that is an option, too, as of a metric.

    Args:
        default: of the field.
        kind, help, metavar: as of `Option`.
        name: what the option is called, if not as the field.
        shown: what the help page says is the default, if not that; None: nothing, as of flags.
        more: as of `Option`.
    """
    is_plain = kind is FLAG or (kind.repeated and not default)
    said = shown if shown is not field else None if is_plain else default
    declared = Option(kind, help, said, metavar, field=name, **more)
    return field(default=default, metadata={Option: declared})


def options_of_fields(kind: type) -> dict[str, Option]:
    """The options of a dataclass, those of its bases too, by what they are called; each has the name of its field."""
    found: dict[str, Option] = {}
    for base in reversed(kind.__mro__):
        for name, each in vars(base).get("__dataclass_fields__", {}).items():
            if Option in each.metadata:
                found[name] = each.metadata[Option]
    return {declared.field or name: declared._replace(field=name) for name, declared in found.items()}
