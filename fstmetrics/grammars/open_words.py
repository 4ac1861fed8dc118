"""Open words: parts of rules that stand for anything of a kind, the same on all sides.

`Text` is what a regular expression matches inside a word; the numbers `cardinal`, `ordinal`, `year` and `decimal`
have a column a way of writing them, the last of which is in words; `accents` are names with accents (`KINDS`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

from fstmetrics.grammars import numerals
from fstmetrics.grammars.numerals import PHRASES, PhraseArc

# In an expression of a grammar; Python's own limit depends on who calls.
MAX_NESTED = 50


@dataclass(frozen=True)
class Open:
    """One kind of open word.

    Attributes:
        patterns: for each column a regular expression that matches it inside a word.
        read: the value of a column's text; None where it has none.
        write: the ways to write a value in a column.
        words: the word sequences of the column after those, which is in words; or None where there is none.
        read_words: the value of such a sequence, in lower case.
        dotted: whether it is a number of a language that may write ordinals with a full stop.
    """

    patterns: tuple[str, ...]
    read: Callable[[str, int], Hashable | None]
    write: Callable[[Hashable, int], Sequence[str]]
    words: Sequence[PhraseArc] | None = None
    read_words: Callable[[Sequence[str]], Hashable | None] | None = None
    dotted: bool = False

    @property
    def columns(self) -> int:
        """How many ways of writing there are."""
        return len(self.patterns) + (self.words is not None)

    @cached_property
    def beside_others(self) -> tuple[str, ...]:
        """The patterns for an expression with others in it: one with groups, whose names and numbers hold only where
        it stands alone, is anything there, and what it finds is looked at again."""
        return tuple(".*" if re.compile(pattern).groups else pattern for pattern in self.patterns)

    def in_words(self, column: int) -> bool:
        """Whether a column (from 1) is several words rather than a part of one."""
        return column > len(self.patterns)


def text(pattern: str) -> Open:
    """What a regular expression matches inside a word, as it stands there. Its case counts, unlike that of rules.

    Raises:
        re.error: not a regular expression.
    """
    depth = deepest = 0
    for character in re.sub(r"\\.", "", pattern):
        depth += {"(": 1, ")": -1}.get(character, 0)
        deepest = max(deepest, depth)
    if deepest > MAX_NESTED:
        raise re.error(f"parentheses nest {deepest} deep; the limit is {MAX_NESTED}")
    own_case = f"(?-i:{pattern})"
    try:
        re.compile(pattern)
        re.compile(own_case)
    except (OverflowError, RecursionError) as error:
        raise re.error(str(error)) from None
    except re.error as error:
        hint = "; flags go around what they are for, as in (?i:a)" if "global flags" in error.msg else ""
        raise re.error(error.msg + hint) from None
    return Open((own_case,), lambda found, column: found, lambda value, column: (str(value),))


def grouped(n: int) -> str:
    """Digits with a comma between thousands."""
    return f"{n:,}"


def ordinal_digits(n: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th, ..."""
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


def _read_cardinal(found: str, column: int) -> int | None:
    value = int(found.replace(",", ""))
    # 007 is no number that is written 7.
    fits = str(value) == found if column == 1 else grouped(value) == found
    return value if fits and value <= numerals.LARGEST else None


def _write_cardinal(value: Hashable, column: int) -> Sequence[str]:
    n = _int(value)
    if column == 1:
        return [str(n)]
    return [grouped(n)] if column == 2 and n >= 1000 else numerals.cardinal_forms(n) if column == 3 else []


def _read_ordinal(found: str, column: int) -> int | None:
    value = int(found[:-2])
    return value if ordinal_digits(value) == found.lower() and 0 < value < 1000 else None


def _int(value: Hashable) -> int:
    assert isinstance(value, int)
    return value


# What has no accent to take off.
LETTERS = str.maketrans(
    {"ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th"}
    | {"Þ": "Th", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ı": "i", "İ": "I"}
)
TWO_LETTERS = str.maketrans(
    {
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "Ä": "Ae",
        "Ö": "Oe",
        "Ü": "Ue",
        "å": "aa",
        "Å": "Aa",
        "ø": "oe",
        "Ø": "Oe",
    }
)


def plain_letters(name: str) -> str:
    """A name without accents: Růžička is Ruzicka."""
    decomposed = unicodedata.normalize("NFD", name.translate(LETTERS))
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def two_letters(name: str) -> str:
    """A name with two letters where German and Scandinavian languages may have them: Rockström is Rockstroem."""
    return plain_letters(unicodedata.normalize("NFC", name).translate(TWO_LETTERS))


# How a telephone number is written with hyphens, by its length.
GROUPS = {7: (3, 4), 10: (3, 3, 4), 11: (1, 3, 3, 4)}


def _read_digits(found: str, column: int) -> str | None:
    digits = found.replace("-", "")
    fits = found == digits if column == 1 else found in _hyphened(digits)
    return digits if fits and numerals.LEAST_DIGITS <= len(digits) <= numerals.MOST_DIGITS else None


def _hyphened(digits: str) -> list[str]:
    """A telephone number with hyphens, if it is as long as one."""
    ends = list(accumulate(GROUPS.get(len(digits), ())))
    return ["-".join(digits[a:b] for a, b in pairwise([0, *ends]))] if ends else []


def _write_digits(value: Hashable, column: int) -> Sequence[str]:
    digits = str(value)
    return [digits] if column == 1 else _hyphened(digits) if column == 2 else numerals.digits_forms(digits)


KINDS: dict[str, Open] = {
    "cardinal": Open(
        (r"\d+", r"\d{1,3}(?:,\d{3})+"),
        _read_cardinal,
        _write_cardinal,
        PHRASES["cardinal"],
        numerals.cardinal_value,
    ),
    "ordinal": Open(
        (r"\d+(?:st|nd|rd|th)",),
        _read_ordinal,
        lambda v, column: [ordinal_digits(_int(v))] if column == 1 else numerals.ordinal_forms(_int(v)),
        PHRASES["ordinal"],
        numerals.ordinal_value,
    ),
    "year": Open(
        (r"(?:1[1-9]|20)\d\d",),
        lambda found, column: int(found),
        lambda v, column: [str(v)] if column == 1 else numerals.year_forms(_int(v)),
        PHRASES["year"],
        numerals.year_value,
    ),
    # A name with accents: as it is, without them, and with two letters where German and Scandinavian have them.
    "accents": Open(
        (r"[^\W\d_]*", r"[^\W\d_]*", r"[^\W\d_]*"),
        lambda found, column: found if column == 1 and plain_letters(found) != found else None,
        lambda v, column: [(str, plain_letters, two_letters)[column - 1](str(v))],
    ),
    "decimal": Open(
        (r"(?:0|[1-9]\d{0,11})\.\d{1,4}",),
        lambda found, column: found,
        lambda v, column: [str(v)] if column == 1 else numerals.decimal_forms(str(v)),
        PHRASES["decimal"],
        numerals.decimal_value,
    ),
    # 1200, 1,200, twelve hundred.
    "hundreds": Open(
        (r"[1-9][1-9]00", r"[1-9],[1-9]00"),
        lambda found, column: int(found.replace(",", "")),
        lambda v, column: (
            [str(v)]
            if column == 1
            else [grouped(_int(v))]
            if column == 2
            else numerals.hundreds_forms(_int(v))
        ),
        PHRASES["hundreds"],
        numerals.hundreds_value,
    ),
    # Two digits behind others: 05, oh five; 50, fifty.
    "pair": Open(
        (r"\d\d",),
        lambda found, column: int(found) or None,
        lambda v, column: [f"{v:02}"] if column == 1 else numerals.pair_forms(_int(v)),
        PHRASES["pair"],
        numerals.pair_value,
    ),
    # Cents: 05, 5, five.
    "cents": Open(
        (r"\d\d", r"[1-9]\d?"),
        lambda found, column: int(found) or None,
        lambda v, column: (
            [f"{v:02}"] if column == 1 else [str(v)] if column == 2 else numerals.small_forms(_int(v))
        ),
        PHRASES["cents"],
        numerals.small_value,
    ),
    # 5551234, 555-1234, five five five one two three four.
    "digits": Open(
        (r"[0-9]{3,20}", r"[0-9]+(?:-[0-9]+)+"),
        _read_digits,
        _write_digits,
        PHRASES["digits"],
        numerals.digits_value,
    ),
}
