"""A grammar ready to be applied: `Compiled`, its left sides as one automaton for the engine, and its right sides.

The engine finds where a left side lies and which words it covers; what else can be said there is worked out here,
once for each sequence of words that is found. `compiled` keeps what it made.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple
from weakref import WeakKeyDictionary

from fstmetrics._native import Patterns
from fstmetrics.grammars.case import as_found
from fstmetrics.grammars.expansion import BETWEEN_DIGITS, PlainRule, plain_rules
from fstmetrics.grammars.model import MAX_SIDES, Grammar, Rule
from fstmetrics.grammars.open_sides import bindings, spelt
from fstmetrics.grammars.trie import Trie
from fstmetrics.grammars.vocabulary import Vocabulary
from fstmetrics.normalisation import Normalisation

# Sequences of words whose rewritings are kept.
MAX_KEPT = 200_000

_kept: WeakKeyDictionary[Grammar, dict[Normalisation, Compiled]] = WeakKeyDictionary()


class Way(NamedTuple):
    """Another way to say something: the rule, and the words it writes."""

    rule: Rule
    words: tuple[str, ...]


def compiled(grammar: Grammar, normalisation: Normalisation) -> Compiled:
    """A grammar compiled for words under a normalisation; made once and kept as long as the grammar."""
    made = _kept.setdefault(grammar, {})
    if normalisation not in made:
        made[normalisation] = Compiled(grammar, normalisation)
    return made[normalisation]


class Compiled:
    """A grammar's plain rules, and where in the patterns of the engine they are.

    A pattern is a side of a plain rule: number of the rule times `MAX_SIDES`, plus number of the side.
    """

    def __init__(self, grammar: Grammar, normalisation: Normalisation) -> None:
        self.grammar = grammar
        self.normalisation = normalisation
        self.rules: tuple[PlainRule, ...] = tuple(plain_rules(grammar, normalisation))
        self.vocabulary = Vocabulary(grammar.opens)
        self._ways: dict[tuple[int, tuple[str, ...]], tuple[Way, ...]] = {}

    @cached_property
    def patterns(self) -> Patterns:
        """The sides that are looked for."""
        trie = Trie(self.vocabulary, self.grammar.opens)
        for number, (rule, sides) in enumerate(self.rules):
            for i, side in enumerate(sides):
                if rule.matches(i):
                    trie.add(side, number * MAX_SIDES + i, rule.exact_case)
        return trie.patterns()

    def ways(self, pattern: int, words: tuple[str, ...]) -> tuple[Way, ...]:
        """What else can be said for words that a pattern was found to cover; the cheapest rule for each."""
        key = (pattern, words)
        ways = self._ways.get(key)
        if ways is None:
            if len(self._ways) >= MAX_KEPT:
                self._ways.clear()
            cheapest: dict[tuple[str, ...], Way] = {}
            for way in self._outputs(pattern, words):
                if way.words != words and way.words not in cheapest:
                    cheapest[way.words] = way
            ways = self._ways[key] = tuple(cheapest.values())
        return ways

    def _outputs(self, pattern: int, words: tuple[str, ...]) -> Iterator[Way]:
        (rule, sides), side = self.rules[pattern // MAX_SIDES], pattern % MAX_SIDES
        opens = self.grammar.opens
        for bound, written in bindings(sides[side], words, opens):
            for output in rule.outputs(side):
                for spelling in spelt(sides[output], bound, opens) if bound else (sides[output],):
                    if bound and not self.normalisation.is_plain:
                        if self.normalisation.remove_punctuation and any(
                            map(BETWEEN_DIGITS.search, spelling)
                        ):
                            continue
                        spelling = tuple(w for word in spelling for w in self.normalisation.arc_words(word))
                    yield Way(rule, spelling if rule.exact_case else as_found(words, written, spelling))
