"""Grammars applied to the reference side: `Widening`, which puts other ways to say things beside what is there.

Every match of a rule on a path gets a parallel path between the same two states. Only what was there is looked at,
so a path of the result rewrites stretches that do not overlap, each once. A network is written out for it, as a match
may begin in one card and end in another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fstmetrics import _native
from fstmetrics._native import Automaton, Patterns
from fstmetrics.grammars.compiled import Compiled, Way, compiled
from fstmetrics.grammars.compounds import WordRules, patterns_of
from fstmetrics.grammars.model import Grammar, Rule
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.values.normalisation import Normalisation
from fstmetrics.values.symbols import WILDCARD, SymbolTable

if TYPE_CHECKING:
    from fstmetrics.values.symbols import Labels

    Flags = np.ndarray[tuple[int], np.dtype[np.uint8]]

# Places where rules apply, at most: a guard of memory, far beyond what texts and networks have.
MAX_MATCHES = 20_000_000


class Rewrite(NamedTuple):
    """A rule that was used on the closest path.

    Attributes:
        grammar: the grammar's name.
        rule: the rule as it is written.
        line: where in the grammar's file.
        before: the words of the reference as it was given.
        after: the words that stand for them in the closest path.
        position: how many words of the closest path come before.
        cost: what the rewrite costs.
    """

    grammar: str
    rule: str
    line: int
    before: tuple[str, ...]
    after: tuple[str, ...]
    position: int
    cost: float

    def as_dict(self) -> dict[str, Any]:
        """By the names of records."""
        return self._asdict() | {"before": list(self.before), "after": list(self.after)}


@dataclass(frozen=True, slots=True)
class _Choice:
    """One other way to say certain words."""

    grammar: str
    rule: Rule
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True)
class Widened:
    """References with other ways to say things beside what was there.

    Attributes:
        machine: the automaton, prepared; origins of its arcs are numbers in `choice_of`.
        symbols: the words of its labels.
        choices: what was added, each kind once.
        choice_of: for each arc the choice it is part of, or -1.
        begins: for each arc 1 where it is the first of its choice.
    """

    machine: Automaton
    symbols: SymbolTable
    choices: tuple[_Choice, ...]
    choice_of: Labels
    begins: Flags
    _costs: dict[int, np.ndarray[tuple[int], np.dtype[np.int64]]] = field(default_factory=dict)

    def arc_costs(self, scale: int) -> np.ndarray[tuple[int], np.dtype[np.int64]] | None:
        """What taking each arc costs in units, `scale` of which make 1; None where nothing does.

        Raises:
            FstmetricsError: a cost that is beyond 64 bits in these units.
        """
        if not any(choice.rule.cost for choice in self.choices):
            return None
        if scale not in self._costs:
            units = [int(choice.rule.cost * scale) for choice in self.choices]
            # The last entry is what -1, no choice, stands for.
            if max(units) >= 2**62:
                raise FstmetricsError("what a rewrite costs is too much for exact sums; use smaller costs")
            self._costs[scale] = np.array([*units, 0], dtype=np.int64)[self.choice_of] * self.begins
        return self._costs[scale]

    @property
    def only_hits(self) -> Flags | None:
        """1 for the arcs that only a match can take; None where there are none."""
        flags = [choice.rule.only_hits for choice in self.choices]
        return np.array([*flags, False], dtype=np.uint8)[self.choice_of] if any(flags) else None

    def rewrites(self, closest: Sequence[str]) -> tuple[Rewrite, ...]:
        """The rules used on a path with these words: of all such paths, one at the least cost, and of those one with
        the fewest rewrites."""
        labels = [self.symbols.index[word] for word in closest]
        scale = lcm(*(choice.rule.cost.denominator for choice in self.choices))
        costs = self.begins.astype(np.int64)
        if (dear := self.arc_costs(scale)) is not None:
            costs += dear * (len(labels) + self.machine.num_states)  # more than there can be rewrites
        path = _native.cheapest_path(self.machine, np.array(labels, dtype=np.int32), costs)
        found: list[Rewrite] = []
        position = 0
        for arc in path.tolist():
            if self.begins[arc]:
                choice = self.choices[int(self.choice_of[arc])]
                found.append(
                    Rewrite(
                        choice.grammar, choice.rule.text, choice.rule.line, choice.before, choice.after, position,
                        float(choice.rule.cost),
                    )
                )  # fmt: skip
            position += bool(self._labels[arc])
        return tuple(found)

    @cached_property
    def _labels(self) -> Labels:
        """The label of every arc, by origin."""
        labels = np.zeros(len(self.choice_of), dtype=np.int32)
        labels[self.machine.origins] = self.machine.labels
        return labels


class Spoken(NamedTuple):
    """What the hypothesis of an item says.

    Attributes:
        words: its words, normalised, in any order.
        compounds: whether they may make compounds with those of the reference, or complete fragments.
    """

    words: Sequence[str]
    compounds: bool = True


class Widening:
    """Grammars compiled for a normalisation. `Widening.of` keeps those that were made.

    Attributes:
        parts: the rules that have sides.
        compounds: the rules that join, split and complete fragments.
        has_fragments: whether one of them completes fragments.
        has_costs: whether a rewrite may cost something.
        of_hits: the name of a grammar with rules that are used only for hits, if there is one.
        all_hits: whether all rules are such.
        scale: units that make 1, so that every cost is a whole number of them.
    """

    def __init__(self, grammars: Sequence[Grammar], normalisation: Normalisation) -> None:
        self.parts = tuple(compiled(grammar, normalisation) for grammar in grammars)
        self.compounds = tuple(rules for rules in map(WordRules, grammars) if rules)
        self.has_fragments = any(rules.fragment for rules in self.compounds)
        rules = [rule for grammar in grammars for rule in grammar.rules]
        self.has_costs = any(rule.cost for rule in rules)
        self.all_hits = all(rule.only_hits for rule in rules)
        self.of_hits = next((g.name for g in grammars if any(rule.only_hits for rule in g.rules)), None)
        self.scale = lcm(*(rule.cost.denominator for rule in rules))

    @staticmethod
    @lru_cache(maxsize=64)
    def of(grammars: tuple[Grammar, ...], normalisation: Normalisation) -> Widening:
        """The widening of these grammars under a normalisation."""
        return Widening(grammars, normalisation)

    @property
    def only_compounds(self) -> bool:
        """Whether no rule applies where there is no compound."""
        return not any(part.rules for part in self.parts)

    def __call__(
        self, machine: Automaton, symbols: SymbolTable, spoken: Spoken | None = None
    ) -> Widened | None:
        """Widen a prepared automaton; None where no rule applies.

        Args:
            machine: the reference.
            symbols: the words of its labels.
            spoken: the hypothesis. Without it there are no compounds; with it, rules of hits alone write only words
                that it has.

        Raises:
            FstmetricsError: rules apply at too many places, or there are cycles where rewriting costs something or
                makes compounds.
        """
        finder = _Finder(machine, symbols, frozenset(spoken.words) if spoken and self.of_hits else None)
        for part in self.parts:
            finder.take(part)
        for compounds in self.compounds if spoken and spoken.compounds else ():
            finder.take_compounds(compounds, spoken.words if spoken else ())
        if not finder.choices:
            return None
        if not machine.sorted:
            if any(choice.rule.only_hits for choice in finder.choices):
                name = next(choice.grammar for choice in finder.choices if choice.rule.only_hits)
                raise FstmetricsError(
                    f"grammar {name} has rules of hits alone, which need acyclic references; leave it out"
                )
            if any(choice.rule.cost for choice in finder.choices):
                raise FstmetricsError("rewriting at a cost needs acyclic references; rewrite at no cost")
        return finder.widened()


class _Finder:
    """What was found so far in one automaton, grammar by grammar."""

    def __init__(self, machine: Automaton, symbols: SymbolTable, spoken: frozenset[str] | None) -> None:
        self._machine = machine
        self._spoken = spoken  # all that rules of hits alone can use; None where nobody says
        self._symbols = symbols
        self._matches: list[Labels] = []
        self._ways: list[list[int]] = []  # by number of what was found, over all grammars: numbers of choices
        self.choices: list[_Choice] = []

    def take(self, part: Compiled) -> None:
        words = self._symbols.words
        patterns = part.patterns  # before words are looked up: it is what makes symbols
        of_labels = [part.vocabulary.of(word) if word and word != WILDCARD else () for word in words]
        if not any(of_labels):
            return
        for pattern, before in self._found(patterns, *_flat(of_labels), part.grammar):
            ways = part.ways(pattern, before)
            if self._all_capitals:
                ways = tuple(way for way in ways if not way.rule.mixed_case)
            if (spoken := self._spoken) is not None:
                ways = tuple(way for way in ways if not way.rule.only_hits or spoken.issuperset(way.words))
            self._add(part.grammar, before, ways)

    def take_compounds(self, compounds: WordRules, hypothesis: Iterable[str]) -> None:
        words = self._symbols.words
        ways: dict[tuple[int, ...], list[Way]] = {}
        for labels, way in compounds.of(words, hypothesis):
            ways.setdefault(labels, []).append(way)
        if not ways:
            return
        own = np.arange(len(words) + 1, dtype=np.int32)
        rules = list(ways.values())
        for pattern, before in self._found(patterns_of(ways), own, own[:-1], compounds.grammar):
            self._add(compounds.grammar, before, rules[pattern])

    def _found(
        self, patterns: Patterns, offsets: Labels, symbols: Labels, grammar: Grammar
    ) -> Iterator[tuple[int, tuple[str, ...]]]:
        """The patterns that are found, and the words that they cover; `_add` is called for each before the next."""
        try:
            rows, found, word_offsets, labels = patterns.find(self._machine, offsets, symbols, MAX_MATCHES)
        except ValueError as error:
            raise FstmetricsError(f"grammar {grammar.name}: {error}") from None
        rows[:, 2] += len(self._ways)
        self._matches.append(rows)
        ends = word_offsets.tolist()
        texts = [self._symbols.words[label] for label in labels.tolist()]
        for pattern, begin, end in zip(found.tolist(), ends, ends[1:], strict=False):
            yield pattern, tuple(texts[begin:end])

    def _add(self, grammar: Grammar, before: tuple[str, ...], ways: Iterable[Way]) -> None:
        """What else can be said for words that were found."""
        first = len(self.choices)
        self.choices += (_Choice(grammar.name, way.rule, before, way.words) for way in ways)
        self._ways.append(list(range(first, len(self.choices))))

    @cached_property
    def _all_capitals(self) -> bool:
        """Whether no letter of the text is a small one, so that case says nothing: TELL US is no country."""
        words = (self._symbols.words[label] for label in np.unique(self._machine.labels).tolist())
        return not any(word.upper() != word for word in words)

    def widened(self) -> Widened:
        symbols, _ = SymbolTable.intern(
            [*self._symbols.words, *(word for choice in self.choices for word in choice.after)]
        )
        labels = [[symbols.index[word] for word in choice.after] for choice in self.choices]
        automaton, choice_of, begins = _native.widened(
            self._machine, np.concatenate(self._matches), *_flat(self._ways), *_flat(labels)
        )
        return Widened(automaton.prepared(), symbols, tuple(self.choices), choice_of, begins)


def _flat(lists: Iterable[Sequence[int]]) -> tuple[Labels, Labels]:
    """Lists in one array, and where each begins and ends."""
    offsets, values = [0], list[int]()
    for numbers in lists:
        values += numbers
        offsets.append(len(values))
    return np.array(offsets, dtype=np.int32), np.array(values, dtype=np.int32)
