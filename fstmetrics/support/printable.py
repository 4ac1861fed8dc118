r"""Words as they can be shown: control characters, which a terminal would obey, are written as `\x1b`.

- `printable`: a line as it can be shown. `printable_lines`: several. `cells_of`: how wide a text is then.
- `brief`: a message whose quotes are cut to a length that can be read.

Numbers in lines of text: `counted`, `in_full`, `number`, `magnitude`. Cells of tables with the best
numbers, in bold: `marked`, `BoldLine`. Objects in a line: `in_a_line`, `as_changed`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import MISSING, fields
from reprlib import repr as cut_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from fstmetrics.support.styled import Styled

# Beside the control characters: all that Unicode calls controls of direction, and the separators of lines.
TURNING = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
UNSAFE = f"[\\x00-\\x1f\\x7f-\\x9f\ud800-\udfff{TURNING}\u2028\u2029]"
UNSAFE_BUT_ROWS = rf"(?![\n\t]){UNSAFE}"
# Characters of a message, and of what has no space in it: a word, an id, a file's name.
LONGEST, LONGEST_WORD = 700, 200


def printable(text: str) -> str:
    r"""The text with control characters, lone surrogates and marks of direction as escapes.

    Joiners and other marks that scripts need stay. Line ends are escaped, too: a word has none.

    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return text if text.isprintable() else re.sub(UNSAFE, _escaped, text)


def printable_lines(text: str) -> str:
    """Lines, likewise: their ends and tabs stay."""
    return text if text.isprintable() else re.sub(UNSAFE_BUT_ROWS, _escaped, text)


def brief(message: str) -> str:
    """A message of at most so many characters: long words lose their middle, and then the message does.

    >>> len(brief("x" * 30_000)), brief("u1: " + "x" * 300 + " is no number")[-20:]
    (200, 'xxxxxxx is no number')
    """
    return _cut(re.sub(rf"\S{{{LONGEST_WORD},}}", lambda word: _cut(word[0], LONGEST_WORD), message), LONGEST)


def _cut(text: str, most: int) -> str:
    """The beginning and the end, which says what to do."""
    return text if len(text) <= most else f"{text[: most * 2 // 3 - 3]}...{text[-(most - most * 2 // 3) :]}"


def _escaped(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()


def cells_of(text: str) -> int:
    """How many columns of a terminal a text takes: letters of East Asian scripts take two, combining marks none.

    >>> cells_of("day"), cells_of("天气"), cells_of("é")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(map(_columns_of, text))


def _columns_of(letter: str) -> int:
    from unicodedata import category, east_asian_width

    if category(letter) in NO_WIDTH and letter != SOFT_HYPHEN:
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1


# Combining and enclosing marks, joiners and marks of direction.
NO_WIDTH = ("Mn", "Me", "Cf")
# Terminals show it as a hyphen.
SOFT_HYPHEN = "\u00ad"
# From here up six digits do not have all of a whole number.
MILLION = 10**6


# Of words that have more than an s.
PLURALS = {"entry": "entries", "hypothesis": "hypotheses"}


def counted(number: int, what: str) -> str:
    """A number of things.

    >>> counted(1, "item"), counted(2, "item"), counted(2, "entry"), counted(0, "hypothesis")
    ('1 item', '2 items', '2 entries', '0 hypotheses')
    """
    return f"{number} {what if number == 1 else PLURALS.get(what) or what + 's'}"


def have(number: float) -> str:
    """The verb behind so many things: `1 of 40 items has`, `2 items have`."""
    return "has" if number == 1 else "have"


def in_full(number: float) -> str:
    """A number in six digits, or where it is larger without an exponent.

    >>> in_full(28.41), in_full(10677100.0), in_full(1067710.25)
    ('28.41', '10677100', '1067710.25')
    """
    return f"{number:g}" if abs(number) < MILLION else f"{number:.2f}".removesuffix(".00")


def magnitude(number: int) -> str:
    """A whole number, or how large it is where it has more digits than one can read.

    >>> magnitude(30720), magnitude(3 * 10**2000)
    ('30720', 'about 10^2000')
    """
    return str(number) if abs(number) < 10**15 else f"about 10^{int(math.log10(abs(number)))}"


def in_a_line(thing: object, **facts: object) -> str:
    """The `repr` of an object of which only some facts are said; long ones are cut.

    >>> in_a_line(3, arcs=7, id="x" * 100)
    "int(arcs=7, id='xxxxxxxxxxxx...xxxxxxxxxxxxx')"
    """
    return f"{type(thing).__name__}({', '.join(f'{name}={cut_repr(fact)}' for name, fact in facts.items())})"


def as_changed(thing: DataclassInstance) -> str:
    """The `repr` of settings: those that differ from their defaults."""
    changed: dict[str, Any] = {}
    for each in fields(thing):
        value = getattr(thing, each.name)
        if each.repr and (each.default is MISSING or value != each.default):
            changed[each.name] = sorted(value) if isinstance(value, frozenset) else value
    return in_a_line(thing, **changed)


# Whether of remarks that say the same the first is shown, as commands do without `--verbose`.
ARE_SHORT: ContextVar[bool] = ContextVar("remarks are short", default=False)
# Whether rates, which are 0 to 1, are shown as 0 to 100.
IN_PERCENT: ContextVar[bool] = ContextVar("in percent", default=False)


@contextmanager
def in_percent() -> Iterator[None]:
    """Rates are shown in percent while a `with` block runs."""
    before = IN_PERCENT.set(True)
    try:
        yield
    finally:
        IN_PERCENT.reset(before)


def number(value: float, percent: bool | None = False) -> str:
    """A score with four decimals, or two where it is 0 to 100; inf as a word, and `-` for nan: there is none.

    Args:
        value: the score.
        percent: whether it is 0 to 100 rather than 0 to 1; None where nobody knows.
    """
    if math.isnan(value):
        return "-"
    if percent is False and IN_PERCENT.get():
        return f"{100 * value:.2f}" if math.isfinite(value) else str(value)
    return f"{value:.{2 if percent else 4}f}" if math.isfinite(value) else str(value)


class Best(str):
    """A cell with the best number of its column, which is printed in bold."""

    __slots__ = ()


class BoldLine(str):
    """A line of a table in which some cells are bold where there are styles.

    Args:
        cells: with their gaps, as they stand in the line.
        bold: which of them are.
    """

    cells: Sequence[str]
    bold: Sequence[bool]

    def __new__(cls, cells: Sequence[str], bold: Sequence[bool]) -> BoldLine:
        """The line, as `str` has it."""
        made = super().__new__(cls, "  ".join(cells).rstrip())
        made.cells, made.bold = cells, bold
        return made

    def styled(self) -> Styled:
        """For a terminal."""
        from fstmetrics.support.styled import Styled

        found = Styled()
        for number, (cell, bold) in enumerate(zip(self.cells, self.bold, strict=True)):
            found.append("  " * (number > 0)).append(cell, "bold" if bold else None)
        found.rstrip()
        return found


def marked(
    cells: Sequence[str], values: Sequence[float | None], higher: bool, shown: Callable[[float], str]
) -> list[str]:
    """The cells of a column, those that show the best value as `Best`; none where all show the same.

    >>> [type(cell).__name__ for cell in marked(["a .10", "b .20", "c .20"], [0.1, 0.2, 0.2], True, str)]
    ['str', 'Best', 'Best']
    """
    texts = [None if value is None or value != value else shown(value) for value in values]
    known = [value for value in values if value is not None and value == value]
    best = shown(max(known) if higher else min(known)) if known else None
    if best is None or texts.count(best) == len(texts):
        return list(cells)
    return [Best(cell) if text == best else cell for cell, text in zip(cells, texts, strict=True)]
