"""Numbers in words by rules that are data, as lines `numbers NAME:` of a grammar have them: `NumberRules`.

The rules are those of ICU (RBNF, Unicode Technical Standard 35, part 3), less the parts that these languages do not
need: `20: [>und]zwanzig` is for 20 to the number before that of the next rule; `<` is how many times ten it is, `>`
what is left over, and what is in brackets is said only where something is left over.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from fstmetrics.grammars.model import reference
from fstmetrics.grammars.numerals import LARGEST, PhraseArc
from fstmetrics.grammars.open_words import Open, text
from fstmetrics.support.errors import FstmetricsError

ROW = re.compile(r"(\d{1,13})(?:/(\d{1,13}))?\s*:(.*)")
# What a form is made of: a number by this or another set of rules, or letters.
PIECE = re.compile(r"<(\w+)<|>(\w+)>|([<>])|([^<>]+)")
# Words that a number may have: 999,999,999 has 20 in French.
MOST_WORDS = 24
KEPT = 2**16


class Part(NamedTuple):
    """A number inside a number: `<` or `>`, and by which rules; or letters, where `which` is empty."""

    which: str
    content: str


class Row(NamedTuple):
    """A rule: from which number on, what it is divided by, and the ways to say it; each with whether it has < and >."""

    start: int
    divisor: int
    forms: tuple[tuple[Part, ...], ...]


class NumberRules:
    """The numbers of a language in words.

    Args:
        name: of these rules, which `<` and `>` stand for.
        others: rules that are named in them, by name.

    >>> rules = NumberRules("N", {})
    >>> rules.add("1: eins; zwei; drei; vier; fünf")
    >>> rules.add("20: [>und]zwanzig")
    >>> rules.write(24), rules.read("fünfundzwanzig"), rules.read("zwei")
    (('vierundzwanzig',), 25, 2)
    """

    def __init__(self, name: str, others: Mapping[str, NumberRules]) -> None:
        self.name = name
        self._others = others
        self._rows: list[Row] = []
        self._starts: list[int] = []
        self.write = lru_cache(maxsize=KEPT)(self._write)
        self._values = lru_cache(maxsize=KEPT)(self._values_of)

    def add(self, line: str) -> None:
        """Add rules, `VALUE: FORM | FORM`; what follows a semicolon is for the next number.

        Raises:
            FstmetricsError: no such line, or a number that is not above those before.
        """
        if not line.strip():
            return
        if not (found := ROW.fullmatch(line.strip())):
            raise FstmetricsError(f"numbers {self.name}: expected NUMBER: WORDS, found {line.strip()!r}")
        first = int(found[1])
        for start, content in enumerate(found[3].split(";"), first):
            if self._starts and start <= self._starts[-1]:
                raise FstmetricsError(f"numbers {self.name}: {start} stands behind {self._starts[-1]}")
            divisor = int(found[2] or 10 ** (len(str(start)) - 1))
            if divisor < 1:
                raise FstmetricsError(f"numbers {self.name}: {start} cannot be divided by {divisor}")
            forms = [form.strip() for form in content.split("|")]
            parts = tuple(self._parts(shape) for form in forms if form for shape in _shapes(form))
            self._rows.append(Row(start, divisor, parts))
            self._starts.append(start)

    def _parts(self, form: str) -> tuple[Part, ...]:
        parts = []
        for times, rest, mark, letters in PIECE.findall(form):
            name = times or rest or self.name
            if letters:
                parts.append(Part("", letters))
            elif name != self.name and name not in self._others:
                raise FstmetricsError(f"numbers {self.name}: there are no numbers {name} above")
            else:
                parts.append(Part(mark or ("<" if times else ">"), name))
        if [part.which for part in parts if part.which] not in ([], ["<"], [">"], ["<", ">"], [">", "<"]):
            raise FstmetricsError(f"numbers {self.name}: {form!r} has < or > more than once")
        return tuple(parts)

    def _of(self, name: str) -> NumberRules:
        return self if name == self.name else self._others[name]

    def _write(self, value: int) -> tuple[str, ...]:
        """The ways to say a number; none where the rules have no such number."""
        at = bisect_right(self._starts, value) - 1
        if at < 0:
            return ()
        row, found = self._rows[at], dict[str, None]()
        for form in row.forms:
            if _fits(row, form, value):
                inner = {"<": value // row.divisor, ">": value % row.divisor}
                ways = [self._of(p.content).write(inner[p.which]) if p.which else (p.content,) for p in form]
                found |= dict.fromkeys("".join(words) for words in product(*ways))
        return tuple(found)

    def read(self, said: str) -> int | None:
        """The number that words say; hyphens and spaces are the same. None where they say none, or several."""
        values = self._values(_spaced(said.lower()))
        return values[0] if len(values) == 1 else None

    def _values_of(self, said: str) -> tuple[int, ...]:
        found = set()
        for row, end in zip(self._rows, [*self._starts[1:], LARGEST + 1], strict=True):
            for form in row.forms:
                for inner in self._readings(form, said):
                    times = inner.get("<", row.start // row.divisor)
                    value = times * row.divisor + inner.get(">", 0) if inner else row.start
                    if row.start <= value < end and _fits(row, form, value) and value // row.divisor == times:
                        found.add(value)
        return tuple(found)

    def _readings(self, form: Sequence[Part], said: str) -> Iterator[dict[str, int]]:
        """The numbers inside that a form leaves for a text."""
        if not form:
            if not said:
                yield {}
            return
        (which, content), rest = form[0], form[1:]
        if not which:
            letters = _spaced(content.lower())
            if said.startswith(letters):
                yield from self._readings(rest, said[len(letters) :])
            return
        for end in _ends(rest, said):
            for value in self._of(content)._values(said[:end]):
                for others in self._readings(rest, said[end:]):
                    yield others | {which: value}

    @property
    def word(self) -> str:
        """A regular expression of the words that numbers are made of."""
        names, pieces = [self.name], set[str]()
        for name in names:
            for row in self._of(name)._rows:
                for part in (part for form in row.forms for part in form):
                    if part.which and part.content not in names:
                        names.append(part.content)
                    elif not part.which:
                        pieces.update(_spaced(part.content.lower()).split())
        one = "|".join(sorted(map(re.escape, pieces), key=lambda piece: (-len(piece), piece)))
        return f"(?i:(?:{one})(?:-?(?:{one}))*)"

    def forms(self, value: int) -> list[str]:
        """The ways to write a number in words: as the rules have it, and with all or none of the hyphens."""
        found = list(self.write(value))
        hyphened = [form for form in found if "-" in form]
        return list(
            dict.fromkeys([*found, *map(_spaced, hyphened), *(f.replace(" ", "-") for f in hyphened)])
        )

    def opens(self) -> dict[str, Open]:
        """The open words that the rules make: columns 1205, 1.205, and in words; and the words that these are of."""
        word, lead, group = (f"{self.name}__{part}" for part in ("word", "lead", "group"))
        arcs: list[PhraseArc] = []
        for state in range(MOST_WORDS):
            ends = (state + 1, MOST_WORDS) if state + 1 < MOST_WORDS else (MOST_WORDS,)
            arcs += ((state, reference(word), end) for end in ends)
        arcs = [(state, part, end + 3 * (end == MOST_WORDS)) for state, part, end in arcs]
        arcs += _grouped_digits(reference(lead), reference(group))

        def written(value: Hashable, column: int) -> Sequence[str]:
            assert isinstance(value, int)
            grouped = f"{value:,}"
            if column == 1:
                return [str(value)]
            if column == 3:
                return [*self.forms(value), *[grouped.replace(",", " ")] * (value > 999)]
            return [grouped.replace(",", ".")] * (value > 999)

        def value_of(found: str, column: int) -> int | None:
            value = int(found.replace(".", ""))
            return value if found in written(value, column) and self.write(value) else None

        def read_words(words: Sequence[str]) -> int | None:
            said = "".join(words)
            if not said.isdigit():
                return self.read(" ".join(words))
            return int(said) if self.write(int(said)) else None

        number = Open(
            (r"\d{1,13}", r"\d{1,3}(?:\.\d{3})+"),
            value_of,
            written,
            arcs,
            read_words,
            dotted=True,
        )
        parts = {word: text(self.word), lead: text(r"[1-9]\d{0,2}"), group: text(r"\d{3}")}
        return parts | {self.name: number}


def _grouped_digits(lead: str, group: str) -> Iterator[PhraseArc]:
    """Digits in groups that stand apart, 1 200 300 400, behind the states of words."""
    last = MOST_WORDS + 3
    yield 0, lead, MOST_WORDS
    for state in range(MOST_WORDS, last):
        yield state, group, last
        if state + 1 < last:
            yield state, group, state + 1


def _shapes(form: str) -> tuple[str, ...]:
    """A form without what is in brackets, and with it."""
    if "[" not in form:
        return (form,)
    return re.sub(r"\[[^\]]*\]", "", form), form.replace("[", "").replace("]", "")


def _fits(row: Row, form: Sequence[Part], value: int) -> bool:
    """Whether a form is for a number: without < and > for that of its rule alone."""
    marks = [part.which for part in form if part.which]
    if (value % row.divisor != 0) != (">" in marks) and marks:
        return False
    return (
        bool(marks) and ("<" in marks or value // row.divisor == row.start // row.divisor)
    ) or value == row.start


def _ends(rest: Sequence[Part], said: str) -> Iterator[int]:
    """Where a number may end before the rest of a form."""
    if not rest:
        yield len(said)
    elif rest[0].which:
        yield from range(1, len(said))
    else:
        letters, at = _spaced(rest[0].content.lower()), 0
        while (at := said.find(letters, at + 1)) > 0:
            yield at


def _spaced(said: str) -> str:
    return said.replace("-", " ")
