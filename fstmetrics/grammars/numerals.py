"""English numbers between digits and words. Words come in lower case.

- `cardinal_forms`, `ordinal_forms`, `year_forms`, `decimal_forms`: the ways to write a value in words.
- `cardinal_value`, `ordinal_value`, `year_value`, `decimal_value`: the value of words, or None.

The word sequences that may be numbers, for the engine to find: `PHRASES`, automata over `WORD_CLASSES`.

They accept all that `numerals` reads, and little else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from graphlib import TopologicalSorter
from itertools import groupby, pairwise, product

UNITS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TEENS = [
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
ORDINAL_UNITS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
ORDINAL_TEENS = [
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
]
ORDINAL_TENS = [ten[:-1] + "ieth" for ten in TENS]
SCALES = {"billion": 10**9, "million": 10**6, "thousand": 10**3}
LARGEST = 10**12 - 1

SMALL = {word: n for n, word in enumerate([*UNITS, *TEENS], 1)} | {w: 10 * n for n, w in enumerate(TENS, 2)}
ORDINAL_SMALL = {word: n for n, word in enumerate([*ORDINAL_UNITS, *ORDINAL_TEENS], 1)} | {
    w: 10 * n for n, w in enumerate(ORDINAL_TENS, 2)
}
DIGITS = ["zero", *UNITS]
OH = ("oh", "o")


def small_value(words: Sequence[str]) -> int | None:
    """1 to 99 as one word, two words or a hyphenated word."""
    if len(words) == 1:
        words = words[0].split("-")
    if len(words) == 1:
        return SMALL.get(words[0])
    if len(words) == 2 and words[0] in TENS and words[1] in UNITS:
        return SMALL[words[0]] + SMALL[words[1]]
    return None


def _group_value(words: Sequence[str]) -> int | None:
    """1 to 999."""
    if "hundred" not in words:
        return small_value(words)
    at = words.index("hundred")
    if at != 1 or not (words[0] in UNITS or words[0] == "a"):
        return None
    hundreds, rest = 100 * SMALL.get(words[0], 1), words[2:]
    if rest[:1] == ["and"]:
        rest = rest[1:]
        if not rest:
            return None
    small = small_value(rest) if rest else 0
    return None if small is None else hundreds + small


def cardinal_value(words: Sequence[str]) -> int | None:
    """The number that words say, 0 to 10^12 - 1.

    >>> cardinal_value("two thousand and twenty-one".split()), cardinal_value(["two", "two"])
    (2021, None)
    """
    words = list(words)
    if words == ["zero"]:
        return 0
    total, found = 0, False
    for scale, factor in SCALES.items():
        if scale in words:
            at = words.index(scale)
            group = 1 if words[:at] == ["a"] and not found else _group_value(words[:at])
            if group is None:
                return None
            total, found, words = total + group * factor, True, words[at + 1 :]
    if found and not words:
        return total
    if found and words[0] == "and":
        words = words[1:]
    rest = _group_value(words)
    return None if rest is None else total + rest


def small_forms(n: int) -> list[str]:
    """The ways to say a number from 1 to 99."""
    if n < 20:
        return [[*UNITS, *TEENS][n - 1]]
    ten, unit = TENS[n // 10 - 2], n % 10
    return [f"{ten}-{UNITS[unit - 1]}", f"{ten} {UNITS[unit - 1]}"] if unit else [ten]


def _group_form(n: int, hyphen: int, link: str, one: str) -> str:
    parts = []
    if n >= 100:
        parts.append(f"{one if n < 200 else UNITS[n // 100 - 1]} hundred")
    if n % 100:
        small = small_forms(n % 100)
        parts.append(small[min(hyphen, len(small) - 1)])
    return link.join(parts)


def _with_scales(n: int, hyphen: int, link: str, one: str) -> str:
    parts = []
    for scale, factor in SCALES.items():
        if n >= factor:
            parts.append(
                f"{one if n // factor == 1 else _group_form(n // factor, hyphen, link, 'one')} {scale}"
            )
            n, one = n % factor, "one"
    if not n:
        return " ".join(parts)
    last = _group_form(n, hyphen, link, one)
    return (link if n < 100 else " ").join([" ".join(parts), last]) if parts else last


def cardinal_forms(n: int) -> list[str]:
    """The ways to say a number: with and without hyphens and "and", with "one" and "a".

    >>> cardinal_forms(121)[0], len(cardinal_forms(121))
    ('one hundred and twenty-one', 8)
    """
    if n == 0:
        return ["zero"]
    variants = product((0, 1), (" and ", " "), ("one", "a"))
    forms = [_with_scales(n, hyphen, link, one) for hyphen, link, one in variants]
    return list(dict.fromkeys(form for form in forms if form != "a"))


def ordinal_value(words: Sequence[str]) -> int | None:
    """The number that an ordinal says, 1 to 999; none of "second" alone, which is a time as well."""
    *before, last = words
    if not before and last == "second":
        return None
    if last == "hundredth" and len(before) == 1:
        return 100 * SMALL[before[0]] if before[0] in UNITS else 100 if before == ["a"] else None
    ten, hyphen, unit = last.rpartition("-")
    parts = [*before, ten] if hyphen else before
    if unit not in ORDINAL_SMALL:
        return None
    value = ORDINAL_SMALL[unit]
    if parts and parts[-1] in TENS and value < 10:
        value += SMALL[parts.pop()]
    elif hyphen:
        return None
    if not parts:
        return value
    hundreds = _group_value(parts[:-1] if parts[-1] == "and" else parts)
    return None if hundreds is None or hundreds % 100 or "hundred" not in parts else hundreds + value


def ordinal_forms(n: int) -> list[str]:
    """The ways to say an ordinal.

    >>> ordinal_forms(21)
    ['twenty-first', 'twenty first']
    """
    found = []
    for form in cardinal_forms(n):
        head, sign, last = _split_last(form)
        if last == "hundred":
            found.append(f"{head}{sign}hundredth")
        else:
            small = next(o for o, value in ORDINAL_SMALL.items() if value == SMALL[last])
            found.append(f"{head}{sign}{small}")
    return list(dict.fromkeys(found))


def _split_last(form: str) -> tuple[str, str, str]:
    """The last word, which a hyphen may join to the one before it."""
    at = max(form.rfind(" "), form.rfind("-"))
    return (form[:at], form[at], form[at + 1 :]) if at >= 0 else ("", "", form)


def year_value(words: Sequence[str]) -> int | None:
    """The year that words say the way years are read, 1100 to 2099: "nineteen ninety-one", "twenty oh five".

    Of those that are also a time of day, "eleven fifteen" and "twelve thirty", none.
    """
    words = list(words)
    if words[:2] == ["two", "thousand"]:
        rest = words[3:] if words[2:3] == ["and"] and words[3:] else words[2:]
        small = small_value(rest) if rest else 0
        return None if small is None else 2000 + small
    century = SMALL.get(words[0], 0)
    if not 11 <= century <= 20 or len(words) < 2:
        return None
    rest = words[1:]
    if rest == ["hundred"]:
        return 100 * century if century < 20 else None
    if len(rest) == 2 and rest[0] in OH and rest[1] in UNITS:
        return 100 * century + SMALL[rest[1]] if century > 12 else None
    small = small_value(rest)
    if small is None or small < 10 or (century <= 12 and small < 60):
        return None
    return 100 * century + small


def year_forms(n: int) -> list[str]:
    """The ways to read a year.

    >>> year_forms(1905), year_forms(2021)[:2]
    (['nineteen oh five', 'nineteen o five'], ['twenty twenty-one', 'twenty twenty one'])
    """
    century, rest = divmod(n, 100)
    found = []
    if rest >= 10:
        found = [f"{small_forms(century)[0]} {small}" for small in small_forms(rest)]
    elif rest:
        found = [f"{small_forms(century)[0]} {oh} {UNITS[rest - 1]}" for oh in OH]
    elif century < 20:
        found = [f"{small_forms(century)[0]} hundred"]
    if century == 20:
        smalls = small_forms(rest) if rest else []
        found += [f"two thousand {small}" for small in smalls] + [
            f"two thousand and {small}" for small in smalls
        ]
        found += [] if rest else ["two thousand"]
    return found


def decimal_value(words: Sequence[str]) -> str | None:
    """The number with digits after the point that words say, as digits: "two point five" is "2.5"."""
    if "point" not in words:
        return None
    at = list(words).index("point")
    whole, digits = cardinal_value(words[:at]), words[at + 1 :]
    if whole is None or not digits or not all(d in {*DIGITS, *OH} for d in digits):
        return None
    return f"{whole}." + "".join("0" if d in OH else str(DIGITS.index(d)) for d in digits)


# Of a digit string as it is read out: fewest and most digits. Two digits in words are as likely two numbers.
LEAST_DIGITS, MOST_DIGITS = 3, 20
REPEATS = {"double": 2, "triple": 3}


def digits_value(words: Sequence[str]) -> str | None:
    """The digit string that words read out.

    >>> digits_value("nine one one".split()), digits_value("double oh seven".split()), digits_value(["one", "two"])
    ('911', '007', None)
    """
    found, repeats = "", 1
    for word in words:
        if word in REPEATS and repeats == 1:
            repeats = REPEATS[word]
            continue
        digit = "0" if word in OH else str(DIGITS.index(word)) if word in DIGITS else word
        if len(digit) != 1 or not (digit.isascii() and digit.isdigit()):
            return None
        found, repeats = found + repeats * digit, 1
    return found if repeats == 1 and LEAST_DIGITS <= len(found) <= MOST_DIGITS else None


def digits_forms(value: str) -> list[str]:
    """The ways to read out a digit string, and the digits apart; of runs all are doubled, or none.

    >>> digits_forms("007")
    ['zero zero seven', 'double zero seven', 'oh oh seven', 'double oh seven', 'o o seven', 'double o seven', '0 0 7']
    """
    found = []
    for zero in ("zero", *OH):
        names = [zero, *DIGITS[1:]]
        runs = [(names[int(digit)], len(list(run))) for digit, run in groupby(value)]
        found.append(" ".join(word for word, times in runs for _ in range(times)))
        found.append(" ".join(_doubled(word, times) for word, times in runs))
    return list(dict.fromkeys([*found, " ".join(value)]))


def _doubled(word: str, times: int) -> str:
    """A run of a digit with double or triple, where it is that long."""
    return {2: f"double {word}", 3: f"triple {word}"}.get(times, " ".join([word] * times))


def decimal_forms(value: str) -> list[str]:
    """The ways to say a number with digits after the point.

    >>> decimal_forms("2.05")
    ['two point zero five', 'two point oh five']
    """
    whole, _, digits = value.partition(".")
    found = []
    for zero in ("zero", "oh"):
        spelt = " ".join(zero if d == "0" else DIGITS[int(d)] for d in digits)
        found += [f"{form} point {spelt}" for form in cardinal_forms(int(whole))]
    return list(dict.fromkeys(found))


def hundreds_value(words: Sequence[str]) -> int | None:
    """The number that hundreds are counted in: "twelve hundred" is 1200; of thousands none."""
    small = small_value(words[:-1]) if words and words[-1] == "hundred" else None
    return 100 * small if small and small > 10 and small % 10 else None


def hundreds_forms(n: int) -> list[str]:
    """The ways to count hundreds.

    >>> hundreds_forms(1200), hundreds_forms(2500)
    (['twelve hundred'], ['twenty-five hundred', 'twenty five hundred'])
    """
    return [f"{small} hundred" for small in small_forms(n // 100)]


def pair_value(words: Sequence[str]) -> int | None:
    """Two digits as they are read behind others: "fifty" is 50, "oh five" 05; "five" is none."""
    if len(words) == 2 and words[0] in OH and words[1] in UNITS:
        return SMALL[words[1]]
    small = small_value(words)
    return small if small and small >= 10 else None


def pair_forms(n: int) -> list[str]:
    """The ways to read two digits.

    >>> pair_forms(5), pair_forms(25)
    (['oh five', 'o five'], ['twenty-five', 'twenty five'])
    """
    return small_forms(n) if n >= 10 else [f"{oh} {UNITS[n - 1]}" for oh in OH]


# Words of a class are interchangeable in `PHRASES`; every other word there is a class of its own.
WORD_CLASSES: dict[str, frozenset[str]] = {
    "UNIT": frozenset(UNITS),
    "TEEN": frozenset(TEENS),
    "TENS": frozenset(TENS),
    "TENS-UNIT": frozenset(f"{ten}-{unit}" for ten in TENS for unit in UNITS),
    "ORDINAL": frozenset(ORDINAL_SMALL),
    "ORDINAL-UNIT": frozenset(ORDINAL_UNITS),
    "TENS-ORDINAL": frozenset(f"{ten}-{unit}" for ten in TENS for unit in ORDINAL_UNITS),
    "DIGIT": frozenset([*DIGITS, *OH]),
    "SPOKEN-DIGIT": frozenset([*DIGITS, *OH, *"0123456789"]),
}

# An arc of a phrase automaton: from, word or class, to. State 0 is the start, the highest the end; arcs go up.
PhraseArc = tuple[int, str, int]
_NamedArc = tuple[str, str, str]


def _chain(start: str, words: Sequence[str], end: str) -> Iterator[_NamedArc]:
    inner = [f"{start}>{' '.join(words)}>{end}:{i}" for i in range(1, len(words))]
    yield from ((a, word, b) for (a, b), word in zip(pairwise([start, *inner, end]), words, strict=True))


def _small(start: str, end: str) -> Iterator[_NamedArc]:
    for words in ("UNIT", "TEEN", "TENS", "TENS-UNIT", "TENS UNIT"):
        yield from _chain(start, words.split(), end)


def _hundreds(start: str, end: str) -> Iterator[_NamedArc]:
    for one in ("UNIT", "a"):
        yield from _chain(start, [one, "hundred"], end)


def _group(start: str, end: str) -> Iterator[_NamedArc]:
    yield from _small(start, end)
    yield from _hundreds(start, end)
    middle = f"{start}+{end}"
    yield from _hundreds(start, middle)
    yield from _small(middle, end)
    yield middle, "and", middle + "&"
    yield from _small(middle + "&", end)


def _cardinal(start: str, end: str) -> Iterator[_NamedArc]:
    yield start, "zero", end
    yield from _group(start, end)
    levels = [start, *(f"{start}.{scale}" for scale in SCALES)]
    for i, level in enumerate(levels):
        counted = f"{level}#"
        if i < len(SCALES):
            yield from _group(level, counted)
        if i == 0:
            yield level, "a", counted
        else:
            yield from _group(level, end)
            yield level, "and", level + "&"
            yield from _group(level + "&", end)
        for scale, after in list(zip(SCALES, levels[1:], strict=True))[i:]:
            yield counted, scale, after
            yield counted, scale, end


def _ordinal(start: str, end: str) -> Iterator[_NamedArc]:
    for words in ("UNIT hundredth", "a hundredth"):
        yield from _chain(start, words.split(), end)
    yield from _hundreds(start, "h")
    yield "h", "and", "h&"
    for state in (start, "h", "h&"):
        for words in ("ORDINAL", "TENS-ORDINAL", "TENS ORDINAL-UNIT"):
            yield from _chain(state, words.split(), end)


def _year(start: str, end: str) -> Iterator[_NamedArc]:
    for words in ("two thousand", "two thousand and"):
        yield from _chain(start, words.split(), words)
        yield from _small(words, end)
    yield from _chain(start, ["two", "thousand"], end)
    for century in ("TEEN", "twenty"):
        yield start, century, "century"
    yield from _small("century", end)
    yield "century", "hundred", end
    for oh in OH:
        yield from _chain("century", [oh, "UNIT"], end)


def _decimal(start: str, end: str) -> Iterator[_NamedArc]:
    yield from _cardinal(start, "whole")
    yield "whole", "point", "."
    for digits in range(1, 5):
        yield from _chain(".", ["DIGIT"] * digits, end)


def _counted_hundreds(start: str, end: str) -> Iterator[_NamedArc]:
    yield from _small(start, "hundreds")
    yield "hundreds", "hundred", end


def _pair(start: str, end: str) -> Iterator[_NamedArc]:
    yield from _small(start, end)
    for oh in OH:
        yield from _chain(start, [oh, "UNIT"], end)


def _digits(start: str, end: str) -> Iterator[_NamedArc]:
    for read in range(MOST_DIGITS):
        here = f"digits:{read}" if read else start
        for words, count in (
            (["SPOKEN-DIGIT"], 1),
            *(([name, "SPOKEN-DIGIT"], n) for name, n in REPEATS.items()),
        ):
            if read + count < MOST_DIGITS:
                yield from _chain(here, words, f"digits:{read + count}")
            if LEAST_DIGITS <= read + count <= MOST_DIGITS:
                yield from _chain(here, words, end)


def _numbered(arcs: Iterator[_NamedArc]) -> list[PhraseArc]:
    """States as numbers, so that arcs go up and the end is last."""
    found = list(dict.fromkeys(arcs))
    before: dict[str, set[str]] = {}
    for source, _, target in found:
        before.setdefault(target, set()).add(source)
    order = [state for state in TopologicalSorter(before).static_order() if state != "end"]
    number = {state: n for n, state in enumerate([*order, "end"])}
    return [(number[source], word, number[target]) for source, word, target in found]


PHRASES: dict[str, list[PhraseArc]] = {
    name: _numbered(arcs("start", "end"))
    for name, arcs in {
        "cardinal": _cardinal,
        "ordinal": _ordinal,
        "year": _year,
        "decimal": _decimal,
        "digits": _digits,
        "hundreds": _counted_hundreds,
        "pair": _pair,
        "cents": _small,
    }.items()
}
