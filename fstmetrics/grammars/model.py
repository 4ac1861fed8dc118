"""What a grammar is: `Grammar`, a list of `Rule`s with the lists and open words they use, and its `Example`s.

A rule has two or more sides, each a sequence of words. A word may hold references: to a column of a list (the rule
then stands for one plain rule a row) or to an open word (anything of a kind, a number for instance). References are
kept inside words between two characters of Unicode's private use area; `reference` writes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from fstmetrics.metrics.path_metric import Number, exact
from fstmetrics.support.arguments import STRING
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import in_a_line

if TYPE_CHECKING:
    import pynini

    from fstmetrics.grammars.open_words import Open

# Around a reference inside a word; a text that holds them is refused.
BEGIN, END = "\ue000", "\ue001"
REFERENCE = re.compile(f"{BEGIN}(\\w+)\\.(\\d+){END}")

# A side's number has ten bits where rules are compiled.
MAX_SIDES = 1024

# Which sides a side may be rewritten as: `to` the first as the others, `both` that and back, `any` each as each.
# `join`, `split` and `fragment` have no sides: what they rewrite is in `fstmetrics.grammars.compounds`.
Kind = Literal["to", "both", "any", "join", "split", "fragment"]
# A side, its words in a row; empty for nothing.
Side = tuple[str, ...]


def reference(name: str, column: int = 1) -> str:
    """A reference to a column (from 1) of a list or open word, as it stands inside a word."""
    return f"{BEGIN}{name}.{column}{END}"


@dataclass(frozen=True, slots=True)
class Rule:
    """Sides that say the same.

    Attributes:
        sides: at least two, but none of `join`, `split` and `fragment`; see the module for references.
        kind: which side may be rewritten as which.
        text: the rule as it was written.
        line: where.
        cost: what one rewrite costs.
        exact_case: whether it only matches words in the case they are written in.
        mixed_case: whether it only applies to texts with small letters, as case says nothing in the others.
        only_hits: whether it is used only where every word that it writes is a hit.
    """

    sides: tuple[Side, ...]
    kind: Kind
    text: str
    line: int = 0
    cost: Fraction = Fraction(0)
    exact_case: bool = False
    mixed_case: bool = False
    only_hits: bool = False

    def outputs(self, side: int) -> range | tuple[int, ...]:
        """The sides that a side may be rewritten as; a side with open words also as another form of itself."""
        if self.kind == "any":
            return range(len(self.sides))
        if side == 0:
            return range(1, len(self.sides))
        return (0,) if self.kind == "both" else ()

    def matches(self, side: int) -> bool:
        """Whether a side is ever looked for."""
        return side == 0 or self.kind != "to"


@dataclass(frozen=True, slots=True)
class Example:
    """A pair of texts that a grammar makes equal, or must not."""

    reference: str
    hypothesis: str
    accepted: bool
    line: int = 0


# Identity is equality, so that what is compiled from a grammar can be kept by it.
@dataclass(frozen=True, eq=False)
class Grammar:
    """A named list of rewrite rules.

    Attributes:
        name: how results refer to it.
        rules: in the order of the file.
        title: one line that says what it covers.
        lists: rows of columns, by name.
        opens: open words, by name.
        examples: pairs that it accepts and rejects.
        notes: what was left out of a file in another format, and why.
        suits: what it is for: `text`, `speech` or both.
        homographs: words, in lower case, that mean something else: a side of one word that is one of them without its
            punctuation ("we're" and "were", "U.S." and "us") counts only as it is written.

    >>> grammar = Grammar.parse("don't <-> do not", "mine")
    >>> grammar.rules[0].sides
    (("don't",), ('do', 'not'))
    """

    name: str
    rules: tuple[Rule, ...]
    title: str = ""
    lists: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    opens: Mapping[str, Open] = field(default_factory=dict)
    examples: tuple[Example, ...] = ()
    notes: tuple[str, ...] = ()
    homographs: frozenset[str] = frozenset()
    suits: tuple[str, ...] = ("text",)

    def __repr__(self) -> str:
        return in_a_line(self, name=self.name, rules=len(self.rules))

    @classmethod
    def parse(cls, text: str, name: str = "grammar") -> Grammar:
        """Read a grammar in the notation of docs/grammar-rules.md.

        Raises:
            InputError: a line that cannot be read; it names the line.
        """
        STRING.check(text, "text")
        STRING.check(name, "name")
        from fstmetrics.grammars.rule_notation import parse

        return parse(text, name)

    @classmethod
    def load(cls, name: str) -> Grammar:
        """A shipped grammar by its name, or a file (the notation, NIST GLM, synonyms) by its path.

        Raises:
            FstmetricsError: no such grammar or file.
            InputError: a file that cannot be read.
        """
        from fstmetrics.grammars.library import load

        return load(name)

    def at_cost(self, cost: Number) -> Grammar:
        """The same rules, each rewrite at this cost.

        Raises:
            FstmetricsError: a negative cost, or no finite number.
        """
        price = checked_cost(cost, f"the cost of grammar {self.name}")
        return replace(self, rules=tuple(replace(rule, cost=price) for rule in self.rules))

    def of_hits(self) -> Grammar:
        """The same rules, each used only where every word that it writes is a hit."""
        return replace(self, rules=tuple(replace(rule, only_hits=True) for rule in self.rules))

    def to_pynini(self, words: Iterable[str] = ()) -> pynini.Fst:
        """The rules without open words as a transducer; see `fstmetrics.openfst.pynini_objects.grammar_to_fst`."""
        from fstmetrics.openfst.pynini_objects import grammar_to_fst

        return grammar_to_fst(self, words)

    def signature(self) -> str:
        """Its name; `@hits` where every rule with sides is used for hits alone; what rewriting costs, if anything."""
        costs = sorted({rule.cost for rule in self.rules} - {0})
        with_sides = [rule for rule in self.rules if rule.sides]
        hits = "@hits" if with_sides and all(rule.only_hits for rule in with_sides) else ""
        return self.name + hits + "".join(f"@{float(cost):g}" for cost in costs)


def checked_cost(cost: Number, what: str) -> Fraction:
    """A cost that is not negative.

    Raises:
        FstmetricsError: negative, beyond 10^9, or no finite number.
    """
    price = exact(cost, what)
    if price > 10**9:
        raise FstmetricsError(f"{what} is {cost}; rewriting costs at most 10^9")
    if price < 0:
        raise FstmetricsError(f"{what} is {cost}; rewriting must not cost less than nothing")
    return price
