"""The notation of grammar files (docs/grammar-rules.md), a line at a time, to a `Grammar`.

list BE: am are is            accept: it's late == it is late
open N: cardinal              reject: its late == it is late
don't <-> do not              the ->             e-mail = email = e mail
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import chain
from math import prod
from typing import TYPE_CHECKING

from fstmetrics.grammars.model import (
    BEGIN,
    END,
    MAX_SIDES,
    REFERENCE,
    Example,
    Grammar,
    Kind,
    Rule,
    Side,
    checked_cost,
    reference,
)
from fstmetrics.grammars.open_words import KINDS, Open, text
from fstmetrics.support.errors import FstmetricsError, InputError

if TYPE_CHECKING:
    from fstmetrics.grammars.number_rules import NumberRules

OPERATORS: dict[str, Kind] = {"->": "to", "<->": "both", "=": "any"}
# In how many ways a word can be read grows with every open word in it.
MAX_OPEN_IN_A_WORD = 4
# Plain rules of a grammar, lists filled in: a rule with three lists of a thousand rows would be a thousand million.
MAX_PLAIN = 1_000_000
COMMENT = re.compile(r"(^|\s)#(\s.*)?$")
DEFINITION = re.compile(r"(list|open|numbers)\s+(\w+)\s*:(.*)")
SETTING = re.compile(r"(title|suits|cost|case|only|compounds|accept|reject|homographs)\s*:(.*)")
# A reference, an escaped character, or a plain one.
PIECE = re.compile(r"\{(\w+)(?:\.(\d+))?\}|\\(.)|(.)")
# Inside a row of a list: a space, and a text that is empty.
SPACE, EMPTY = "_", "~"


def parse(content: str, name: str, path: str | None = None) -> Grammar:
    """Read a grammar.

    Args:
        content: the file's text.
        name: the grammar's name.
        path: for messages.

    Raises:
        InputError: a line that cannot be read.
    """
    reader = _Reader(name)
    for number, line in enumerate(content.splitlines(), 1):
        try:
            reader.take(line, number)
        except FstmetricsError as error:
            raise InputError(str(error), path or name, number) from None
    if not reader.rules:
        raise InputError("there is no rule in this grammar", path or name)
    return reader.grammar()


class _Reader:
    """What has been read so far, and what holds for the rules to come."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.title = ""
        self.cost = Fraction(0)
        self.exact_case = self.mixed_case = self.only_hits = False
        self.suits: tuple[str, ...] = ("text",)
        self.lists: dict[str, list[tuple[str, ...]]] = {}
        self.plain = 0  # rules, lists filled in
        self.opens: dict[str, Open] = {}
        self.numbers: dict[str, NumberRules] = {}
        self.rules: list[Rule] = []
        self.examples: list[Example] = []
        self.homographs: set[str] = set()
        self.growing: Callable[[str], None] | None = None  # what an indented line continues

    def grammar(self) -> Grammar:
        return Grammar(
            self.name, tuple(self.rules), self.title, {name: tuple(rows) for name, rows in self.lists.items()},
            self.opens, tuple(self.examples), homographs=frozenset(self.homographs),
            suits=self.suits,
        )  # fmt: skip

    def take(self, line: str, number: int) -> None:
        if BEGIN in line or END in line:
            raise FstmetricsError("characters U+E000 and U+E001 have no place in a grammar")
        line = COMMENT.sub("", line).rstrip()
        if not line:
            return
        if line[0].isspace() and self.growing:
            self.growing(line)
            return
        self.growing = None
        line = line.strip()
        if found := DEFINITION.fullmatch(line):
            self._define(*found.groups())
        elif found := SETTING.fullmatch(line):
            self._set(found[1], found[2].strip(), number)
        else:
            self.rules.append(self._rule(line, number))

    def _define(self, what: str, name: str, content: str) -> None:
        if name in self.lists or name in self.opens or name in self.numbers:
            raise FstmetricsError(f"{name} is defined twice")
        if what == "list":
            self.lists[name] = []
            self.growing = partial(self._rows, name)
            self.growing(content)
        elif what == "numbers":
            from fstmetrics.grammars.number_rules import NumberRules  # few grammars have them

            self.numbers[name] = NumberRules(name, self.numbers)
            self.growing = self.numbers[name].add
            self.growing(content)
        else:
            self.opens[name] = _open(name, content.strip())

    def _rows(self, name: str, content: str) -> None:
        for token in content.split():
            row = tuple(map(_column, re.split(r"(?<!\\)/", token)))
            rows = self.lists[name]
            if rows and len(row) != len(rows[0]):
                raise FstmetricsError(
                    f"the rows of list {name} have {len(rows[0])} columns, but {'/'.join(row)!r} has {len(row)}"
                )
            rows.append(row)

    def _set(self, key: str, value: str, number: int) -> None:
        if key == "title":
            self.title = value
        elif key == "cost":
            self.cost = checked_cost(value, "cost")
        elif key == "case":
            if value not in ("exact", "mixed", "free"):
                raise FstmetricsError(f'case is "exact", "mixed" or "free", not {value!r}')
            self.exact_case, self.mixed_case = value != "free", value == "mixed"
        elif key == "suits":
            if not value or not {"text", "speech"} >= set(value.split()):
                raise FstmetricsError(f"suits: text, speech or both, not {value!r}")
            self.suits = tuple(dict.fromkeys(value.split()))
        elif key == "only":
            if value not in ("hits", "any"):
                raise FstmetricsError(f'only is "hits" or "any", not {value!r}')
            self.only_hits = value == "hits"
        elif key == "compounds":
            self._compounds(value, number)
        elif key == "homographs":
            self.growing = lambda words: self.homographs.update(words.lower().split())
            self.growing(value)
        else:
            self.examples.append(_example(value, key == "accept", number))

    def _compounds(self, value: str, number: int) -> None:
        kinds, cost = _priced(["compounds:", *value.split()], self.cost)
        known: dict[str, Kind] = {"join": "join", "split": "split", "fragment": "fragment"}
        if not kinds[1:] or not known.keys() >= set(kinds[1:]):
            raise FstmetricsError(f"compounds: join, split or fragment, or several of them, not {value!r}")
        self.rules += (
            Rule((), known[kind], kind, number, cost, only_hits=True) for kind in dict.fromkeys(kinds[1:])
        )

    def _rule(self, line: str, number: int) -> Rule:
        tokens, cost = _priced(line.split(), self.cost)
        operators = {token for token in tokens if token in OPERATORS}
        if len(operators) != 1:
            raise FstmetricsError(
                f"expected a rule with one of ->, <-> and =, or a line that begins with list, open, numbers, title:, "
                f"suits:, cost:, case:, only:, compounds:, homographs:, accept: or reject:; found {line!r}"
            )
        (operator,) = operators
        kind = OPERATORS[operator]
        if kind != "any" and tokens.count(operator) != 1:
            raise FstmetricsError(f"a rule has one {operator}; alternatives are set apart by ;")
        sides = [
            self._side(words) for words in _groups(tokens, {"=", ";"} if kind == "any" else {operator, ";"})
        ]
        rule = Rule(tuple(sides), kind, line, number, cost, self.exact_case, self.mixed_case, self.only_hits)
        self._check(rule)
        return rule

    def _side(self, words: list[str]) -> Side:
        return tuple(word for token in words if token != EMPTY and (word := self._word(token)))

    def _word(self, token: str) -> str:
        word = ""
        for name, column, escaped, plain in PIECE.findall(token):
            if plain in ("{", "}"):
                raise FstmetricsError(
                    f"{token!r}: a brace that is not part of {{NAME}} or {{NAME.2}} is written \\{plain}"
                )
            word += self._reference(name, int(column[:9] or 1), token) if name else escaped or plain
        return word

    def _reference(self, name: str, column: int, token: str) -> str:
        if name in self.numbers and name not in self.opens:
            self.opens |= self.numbers[name].opens()
        if name not in self.lists and name not in self.opens:
            raise FstmetricsError(f"{{{name}}} is no list and no open word that is defined above")
        columns = self.opens[name].columns if name in self.opens else len((self.lists[name] or [()])[0])
        if not 1 <= column <= columns:
            raise FstmetricsError(f"{{{name}.{column}}}: {name} has {columns} column{'s' * (columns != 1)}")
        if (
            name in self.opens
            and self.opens[name].in_words(column)
            and not re.fullmatch(r"\{[^{}]*\}", token)
        ):
            raise FstmetricsError(f"{token!r}: {{{name}.{column}}} is in words and must be a word of its own")
        return reference(name, column)

    def _check(self, rule: Rule) -> None:
        if len(rule.sides) > MAX_SIDES:
            raise FstmetricsError(f"a rule has at most {MAX_SIDES} sides, not {len(rule.sides)}")
        if any(not side for i, side in enumerate(rule.sides) if rule.matches(i)):
            raise FstmetricsError(
                "only the right side of -> can be empty: there is nothing to look for on the left"
            )
        words = {word for side in rule.sides for word in side}
        named = {word: [name for name, _ in REFERENCE.findall(word)] for word in words}
        if any(sum(name in self.opens for name in names) > MAX_OPEN_IN_A_WORD for names in named.values()):
            raise FstmetricsError(f"a word has at most {MAX_OPEN_IN_A_WORD} references to open words in it")
        self.plain += prod(len(self.lists[name]) for name in set(chain(*named.values())) & self.lists.keys())
        if self.plain > MAX_PLAIN:
            raise FstmetricsError(
                f"with this rule there are {self.plain} plain rules, one for each choice of rows; "
                f"the limit is {MAX_PLAIN}"
            )
        opens = [
            {name for word in side for name, _ in REFERENCE.findall(word)} & set(self.opens)
            for side in rule.sides
        ]
        for i, known in enumerate(opens):
            if missing := set().union(*(opens[j] for j in rule.outputs(i))) - known:
                raise FstmetricsError(
                    f"{{{min(missing)}}} is not on every side: it would not be known what to write"
                )


def _priced(tokens: list[str], cost: Fraction) -> tuple[list[str], Fraction]:
    """The rule without its own cost, `@ NUMBER` at its end, and what it costs."""
    if len(tokens) > 2 and tokens[-2] == "@":
        return tokens[:-2], checked_cost(tokens[-1], "the cost after @")
    return tokens, cost


def _groups(tokens: list[str], separators: set[str]) -> list[list[str]]:
    groups: list[list[str]] = [[]]
    for token in tokens:
        if token in separators:
            groups.append([])
        else:
            groups[-1].append(token)
    return groups


def _column(text: str) -> str:
    if text == EMPTY:
        return ""
    unescaped: Callable[[re.Match[str]], str] = lambda m: m[1] or " "  # noqa: E731
    return re.sub(rf"\\(.)|{SPACE}", unescaped, text)


def _open(name: str, content: str) -> Open:
    if content in KINDS:
        return KINDS[content]
    if len(content) < 3 or content[0] != "/" or content[-1] != "/":
        raise FstmetricsError(
            f"open {name} is {', '.join(KINDS)} or a regular expression between slashes, not {content!r}"
        )
    try:
        return text(content[1:-1])
    except re.error as error:
        raise FstmetricsError(f"open {name}: {content} is no regular expression: {error}") from None


def _example(content: str, accepted: bool, number: int) -> Example:
    reference, found, hypothesis = content.partition("==")
    if not found:
        raise FstmetricsError("an example is REFERENCE == HYPOTHESIS")
    return Example(reference.strip(), hypothesis.strip(), accepted, number)
