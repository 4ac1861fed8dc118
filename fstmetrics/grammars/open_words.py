"""Open words: parts of rules that stand for anything of a kind, the same on all sides.

`Text` is what a regular expression matches inside a word; the numbers `cardinal`, `ordinal`, `year` and `decimal`
have a column a way of writing them, the last of which is in words; `accents` are names with accents (`KINDS`).

Sides with open words: `bindings`, what they stand for in a text; `spelt`, how such a side is written then.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, chain, pairwise, product

from fstmetrics.grammars import numerals
from fstmetrics.grammars.model import REFERENCE, Side
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
    """

    patterns: tuple[str, ...]
    read: Callable[[str, int], Hashable | None]
    write: Callable[[Hashable, int], Sequence[str]]
    words: Sequence[PhraseArc] | None = None
    read_words: Callable[[Sequence[str]], Hashable | None] | None = None

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
    # 5551234, 555-1234, five five five one two three four.
    "digits": Open(
        (r"[0-9]{3,20}", r"[0-9]+(?:-[0-9]+)+"),
        _read_digits,
        _write_digits,
        PHRASES["digits"],
        numerals.digits_value,
    ),
}


Opens = Mapping[str, Open]
# The values of open words, by name.
Bound = dict[str, Hashable]
# Of a word: a literal piece, or the name and column of an open word.
Piece = tuple[str, str, int]
_Ways = Iterator[tuple[int, Bound, tuple[str, ...]]]


def word_pattern(word: str, opens: Opens) -> str:
    """A regular expression that matches every word that a word with open words in it stands for."""
    pattern, last = "", 0
    for found in REFERENCE.finditer(word):
        pattern += re.escape(word[last : found.start()])
        pattern += f"(?:{opens[found[1]].beside_others[int(found[2]) - 1]})"
        last = found.end()
    return pattern + re.escape(word[last:])


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def bindings(side: Side, words: Sequence[str], opens: Opens) -> Iterator[tuple[Bound, tuple[str, ...]]]:
    """What the open words of a side stand for, given words that the engine has found to fit the side.

    Yields:
        The values, and the words as the rule has them.
    """
    if not side:
        if not words:
            yield {}, ()
        return
    written: list[tuple[str, ...]] = []
    stack: list[tuple[_Ways, int, Bound]] = [(_ways(side[0], words, 0, opens), 0, {})]
    while stack:
        ways, at, known = stack[-1]
        del written[len(stack) - 1 :]
        if (way := next(ways, None)) is None:
            stack.pop()
            continue
        taken, bound, found = way
        if any(known.get(name, value) != value for name, value in bound.items()):
            continue
        written.append(found)
        at, known = at + taken, known | bound
        if len(stack) < len(side):
            stack.append((_ways(side[len(stack)], words, at, opens), at, known))
        elif at == len(words):
            yield known, tuple(chain.from_iterable(written))


def _ways(word: str, words: Sequence[str], at: int, opens: Opens) -> _Ways:
    """The ways to read one word of a side: how many words it takes, what is bound, the words as the rule has them."""
    references = REFERENCE.findall(word)
    if references and opens[references[0][0]].in_words(int(references[0][1])):
        return _phrases(references[0][0], words[at:], opens)
    if at == len(words):
        return iter(())
    return _word(word, words[at], opens) if references else iter([(1, {}, (word,))])


def _phrases(name: str, words: Sequence[str], opens: Opens) -> Iterator[tuple[int, Bound, tuple[str, ...]]]:
    """Beginnings of the words that are a number."""
    read = opens[name].read_words
    assert read is not None
    lowered = tuple(word.lower() for word in words)
    for taken in range(1, len(words) + 1):
        value = read(lowered[:taken])
        if value is not None:
            yield taken, {name: value}, lowered[:taken]


def _word(word: str, found: str, opens: Opens) -> Iterator[tuple[int, Bound, tuple[str, ...]]]:
    """A word with open words in it, taken apart in every way."""
    for bound, written in _parts(_pieces(word), found, opens):
        yield 1, bound, (written,)


def _parts(pieces: Sequence[Piece], found: str, opens: Opens) -> Iterator[tuple[Bound, str]]:
    """What the open words stand for in what is left of a word, and that as the rule has it."""
    if not pieces:
        if not found:
            yield {}, ""
        return
    literal, name, column = pieces[0]
    if name:
        ends = range(len(found) + 1) if len(pieces) > 1 else (len(found),)
        first = ((end, _value(opens[name], column, found[:end]), found[:end]) for end in ends)
    else:
        fits = found[: len(literal)].lower() == literal.lower()
        first = (whole for whole in [(len(literal), None, literal)] if fits)
    for end, value, written in first:
        if name and value is None:
            continue
        for others, rest in _parts(pieces[1:], found[end:], opens):
            if not name or others.get(name, value) == value:
                yield (others | {name: value} if name else others), written + rest


def _value(kind: Open, column: int, found: str) -> Hashable | None:
    return kind.read(found, column) if _compiled(kind.patterns[column - 1]).fullmatch(found) else None


@lru_cache(maxsize=4096)
def _pieces(word: str) -> tuple[Piece, ...]:
    """A word as literal pieces and references: (literal, "", 0) or ("", name, column)."""
    pieces: list[Piece] = []
    last = 0
    for found in REFERENCE.finditer(word):
        pieces += [(word[last : found.start()], "", 0), ("", found[1], int(found[2]))]
        last = found.end()
    return tuple(piece for piece in (*pieces, (word[last:], "", 0)) if any(piece))


def spelt(side: Side, bound: Bound, opens: Opens) -> Iterator[tuple[str, ...]]:
    """The ways to write a side, given what its open words stand for."""
    for words in product(*(_written(word, bound, opens) for word in side)):
        yield tuple(part for word in words for part in word.split())


def _written(word: str, bound: Bound, opens: Opens) -> list[str]:
    forms, last = [""], 0
    for found in REFERENCE.finditer(word):
        texts = opens[found[1]].write(bound[found[1]], int(found[2]))
        between = word[last : found.start()]
        forms = [form + between + text for form in forms for text in texts]
        last = found.end()
    return [form + word[last:] for form in forms]
