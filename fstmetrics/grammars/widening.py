"""Grammars applied to the reference side: `Widening`, which puts other ways to say things beside what is there.

Every match of a rule on a path gets a parallel path between the same two states. Only what was there is looked at,
so a path of the result rewrites stretches that do not overlap, each once. A network is written out for it, as a match
may begin in one card and end in another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fstmetrics import _native
from fstmetrics._native import Automaton, Patterns
from fstmetrics.data.symbols import WILDCARD, SymbolTable
from fstmetrics.grammars.compiled import Compiled, Way, compiled, flat
from fstmetrics.grammars.compounds import WordRules, patterns_of_labels
from fstmetrics.grammars.model import Grammar, Rule
from fstmetrics.grammars.written_numbers import DIGIT, GROUP, Beside, same_number
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import Normalisation, without_ends

if TYPE_CHECKING:
    from fstmetrics.data.symbols import Labels

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
        written: its words as they are written, in lower case, where that may be something else.
    """

    words: Sequence[str]
    compounds: bool = True
    written: Callable[[], Set[str]] = frozenset


# Where a rewrite of a sentence is made once it is normalised: between which states, and by which words.
Placed = tuple[int, int, tuple[str, ...]]


class Seen(NamedTuple):
    """A reference as rules see it, and as it is compared.

    Attributes:
        machine, symbols: as rules see it: prepared, and the words of its labels.
        compared, words: the same as it is compared; the same object where nothing is done to words after rules.
        finish: what becomes of words after rules.
        places: of the states that rules see those of `compared`; None: the same numbers.
        place: instead, where what is written for the words between two states stands in `compared`; None: nowhere.
    """

    machine: Automaton
    symbols: SymbolTable
    compared: Automaton
    words: SymbolTable
    finish: Callable[[tuple[str, ...]], tuple[str, ...]] | None = None
    places: Labels | None = None
    place: Callable[[int, int, tuple[str, ...]], Placed | None] | None = None

    @classmethod
    def plain(cls, machine: Automaton, symbols: SymbolTable) -> Seen:
        """A reference that is compared as rules see it."""
        return cls(machine, symbols, machine, symbols)


class Widening:
    """Grammars compiled for a normalisation. `Widening.of` keeps those that were made.

    Attributes:
        parts: the rules that have sides.
        compounds: the rules that join, split and complete fragments.
        has_fragments: whether one of them completes fragments.
        has_costs: whether a rewrite may cost something.
        has_number_rules: whether there are numbers of a language that may write ordinals with a full stop.
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
        self.has_number_rules = any(
            number.dotted for grammar in grammars for number in grammar.opens.values()
        )
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

    def __call__(self, seen: Seen, spoken: Spoken | None = None) -> Widened | None:
        """Widen a reference; None where no rule applies.

        Args:
            seen: the reference.
            spoken: the hypothesis. Without it there are no compounds, and nothing is written that says something else
                without its punctuation; with it, rules of hits alone write only words that it has.

        Raises:
            FstmetricsError: rules apply at too many places, or there are cycles where rewriting costs something or
                makes compounds.
        """
        finder = _Finder(seen, spoken, self.of_hits is not None)
        for part in self.parts:
            finder.take(part)
        for compounds in self.compounds if spoken and spoken.compounds else ():
            finder.take_compounds(compounds, spoken.words if spoken else ())
        if not finder.choices:
            return None
        if not seen.machine.sorted:
            if any(choice.rule.only_hits for choice in finder.choices):
                name = next(choice.grammar for choice in finder.choices if choice.rule.only_hits)
                raise FstmetricsError(
                    f"grammar {name} has rules of hits alone, which need acyclic references; leave it out"
                )
            if any(choice.rule.cost for choice in finder.choices):
                raise FstmetricsError("rewriting at a cost needs acyclic references; rewrite at no cost")
        return finder.widened()


class _Finder:
    """What was found so far in one reference, grammar by grammar."""

    def __init__(self, seen: Seen, spoken: Spoken | None, of_hits: bool) -> None:
        self._seen = seen
        self._hits = frozenset(spoken.words) if spoken and of_hits else None  # None where nobody says
        self._spoken = spoken
        self._matches: list[Labels] = []
        self._ways: list[list[int]] = []  # by number of what was found, over all grammars: numbers of choices
        self.choices: list[_Choice] = []

    def take(self, part: Compiled) -> None:
        words = self._seen.symbols.words
        patterns = part.patterns  # before words are looked up: it is what makes symbols
        of_labels = [part.vocabulary.of(word) if word and word != WILDCARD else () for word in words]
        if not any(of_labels):
            return
        rows, found = _found(self._seen.machine, patterns, *flat(of_labels), words, part.grammar)
        if part.grammar.opens:
            rows = self._whole_numbers(rows, [before for _, before in found])
        ways = [(before, self._usable(part.ways(pattern, before))) for pattern, before in found]
        if self._seen.place:
            return self._place(part.grammar, rows, ways)
        self._take(rows)
        for before, usable in ways:
            self._add(part.grammar, before, self._finished(before, usable))

    def _whole_numbers(self, rows: Labels, covered: Sequence[tuple[str, ...]]) -> Labels:
        """What was found, without parts of numbers, and, where marks will be taken out, without what has them between
        its words, and numbers that have a sign as a word of its own."""

        def is_whole(begin: int, end: int, number: int) -> bool:
            beside, words = self._beside, covered[number]
            if not words or beside.splits(begin, end, words):
                return not words
            if not self._loses_marks:
                return True
            return not beside.signed(begin, end, words) and not (
                len(words) > 1 and beside.divided(begin, end, words)
            )

        if not self._loses_marks and not any(map(GROUP.match, self._seen.symbols.words)):
            return rows
        kept: Labels = rows[np.array([is_whole(*row) for row in rows.tolist()], dtype=bool)]
        return kept

    @cached_property
    def _beside(self) -> Beside:
        return Beside(self._seen.machine, self._seen.symbols.words)

    @property
    def _loses_marks(self) -> bool:
        """Whether something is done to words after rules."""
        return self._seen.finish is not None or self._seen.place is not None

    def _usable(self, ways: Iterable[Way]) -> list[Way]:
        """The ways that may be written in this text, beside this hypothesis."""
        return [
            way
            for way in ways
            if (not way.said or self._written >= set(way.said))
            and self._says_numbers(way)
            and not (way.rule.mixed_case and self._all_capitals)
        ]

    def _says_numbers(self, way: Way) -> bool:
        """Whether numbers in digits are as the hypothesis has them, where marks are taken out: not 20 for 20%."""
        if not self._spoken or not self._loses_marks:
            return True
        numbers = {word.lower() for word in way.words if DIGIT.search(word)}
        if self._seen.place and way.rule.only_hits:  # a profile may make the same of words: 911
            return numbers <= self._written
        return numbers.isdisjoint(self._signed)

    @cached_property
    def _signed(self) -> Set[str]:
        """What is left of numbers of the hypothesis without marks that count."""
        numbers = [word for word in self._written if DIGIT.search(word)]
        return {
            part for word in numbers for part in without_ends(word) if not same_number(word, part)
        } - self._written

    @cached_property
    def _written(self) -> Set[str]:
        """The words that the hypothesis has as they are written."""
        return self._spoken.written() if self._spoken else frozenset()

    def _finished(
        self, before: tuple[str, ...], ways: Iterable[Way]
    ) -> Iterator[tuple[Rule, tuple[str, ...]]]:
        """What ways write as it is compared, each once."""
        finish = self._seen.finish
        if finish is None:
            yield from ((way.rule, way.words) for way in ways if self._may_hit(way.rule, way.words))
            return
        if not (own := finish(before)):
            return
        written = {own}
        for way in ways:
            if (words := finish(way.words)) not in written and self._may_hit(way.rule, words):
                written.add(words)
                yield way.rule, words

    def _may_hit(self, rule: Rule, words: tuple[str, ...]) -> bool:
        """Whether a rule may write these words: all of them are hits where it is for hits alone."""
        return self._hits is None or not rule.only_hits or self._hits.issuperset(words)

    def _place(
        self, grammar: Grammar, rows: Labels, ways: Sequence[tuple[tuple[str, ...], list[Way]]]
    ) -> None:
        """Add what was found to a sentence that is normalised as a whole, each rewrite by itself."""
        place = self._seen.place
        assert place is not None
        placed: dict[Placed, tuple[tuple[str, ...], Rule]] = {}
        for begin, end, number in rows.tolist():
            before, usable = ways[number]
            for way in usable:
                at = place(begin, end, way.words)
                if at and self._may_hit(way.rule, at[2]):
                    placed.setdefault(at, (before, way.rule))
        first = len(self._ways)
        ends = [(begin, end, first + i) for i, (begin, end, _) in enumerate(placed)]
        self._matches.append(np.array(ends, dtype=np.int32).reshape(-1, 3))
        for (*_, words), (before, rule) in placed.items():
            self._add(grammar, before, [(rule, words)])

    def take_compounds(self, compounds: WordRules, hypothesis: Iterable[str]) -> None:
        words = self._seen.words.words
        ways: dict[tuple[int, ...], list[Way]] = {}
        for labels, way in compounds.of(words, hypothesis):
            ways.setdefault(labels, []).append(way)
        if not ways:
            return
        own = np.arange(len(words) + 1, dtype=np.int32)
        rules = list(ways.values())
        rows, found = _found(
            self._seen.compared, patterns_of_labels(ways), own, own[:-1], words, compounds.grammar
        )
        rows[:, 2] += len(self._ways)
        self._matches.append(rows)
        for pattern, before in found:
            self._add(compounds.grammar, before, [(way.rule, way.words) for way in rules[pattern]])

    def _take(self, rows: Labels) -> None:
        """Take what was found where rules look, at its place in what is compared."""
        rows[:, 2] += len(self._ways)
        if self._seen.places is not None:
            rows[:, :2] = self._seen.places[rows[:, :2]]
        self._matches.append(rows)

    def _add(
        self, grammar: Grammar, before: tuple[str, ...], ways: Iterable[tuple[Rule, tuple[str, ...]]]
    ) -> None:
        """What else can be said for words that were found."""
        first = len(self.choices)
        self.choices += (_Choice(grammar.name, rule, before, words) for rule, words in ways)
        self._ways.append(list(range(first, len(self.choices))))

    @cached_property
    def _all_capitals(self) -> bool:
        """Whether no letter of the text is a small one, so that case says nothing: TELL US is no country."""
        words = (self._seen.symbols.words[label] for label in np.unique(self._seen.machine.labels).tolist())
        return not any(word.upper() != word for word in words)

    def widened(self) -> Widened:
        symbols, _ = SymbolTable.intern(
            [*self._seen.words.words, *(word for choice in self.choices for word in choice.after)]
        )
        labels = [[symbols.index[word] for word in choice.after] for choice in self.choices]
        automaton, choice_of, begins = _native.widened(
            self._seen.compared, np.concatenate(self._matches), *flat(self._ways), *flat(labels)
        )
        return Widened(automaton.prepared(), symbols, tuple(self.choices), choice_of, begins)


def _found(
    machine: Automaton,
    patterns: Patterns,
    offsets: Labels,
    symbols: Labels,
    words: Sequence[str],
    grammar: Grammar,
) -> tuple[Labels, list[tuple[int, tuple[str, ...]]]]:
    """Where patterns are found, as rows (begin, end, number); and by number the pattern and the words it covers."""
    try:
        rows, found, word_offsets, labels = patterns.find(machine, offsets, symbols, MAX_MATCHES)
    except ValueError as error:
        raise FstmetricsError(f"grammar {grammar.name}: {error}") from None
    ends = word_offsets.tolist()
    texts = [words[label] for label in labels.tolist()]
    covered = (tuple(texts[begin:end]) for begin, end in pairwise(ends))
    return rows, list(zip(found.tolist(), covered, strict=True))
