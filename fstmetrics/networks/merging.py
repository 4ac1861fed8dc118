"""Several plain references as one lattice that shares the places they agree on: `merged`.

Such a lattice also holds sentences that nobody wrote; `Merged` counts and lists them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice

import numpy as np

from fstmetrics.data.lattice import Lattice, word_arcs, word_automaton
from fstmetrics.data.symbols import leaving
from fstmetrics.engine.api import align
from fstmetrics.engine.results import AlignedPair
from fstmetrics.networks.calls import callees_first
from fstmetrics.support.arguments import STRING, sentences_of, takes
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import in_a_line

Arc = tuple[int, int, str]


@dataclass(frozen=True)
class Merged:
    """References merged.

    Attributes:
        lattice: every reference is a path; other paths mix them.
        given: the different sentences that were merged.
        strings: how many different sentences the lattice holds.
    """

    lattice: Lattice
    given: tuple[tuple[str, ...], ...]
    strings: int

    def __repr__(self) -> str:
        return in_a_line(self, lattice=self.lattice, references=self.references, strings=self.strings)

    @property
    def references(self) -> int:
        """How many different sentences were given."""
        return len(self.given)

    @property
    def extra(self) -> int:
        """Sentences that nobody wrote."""
        return self.strings - self.references

    def added(self, limit: int) -> list[tuple[str, ...]]:
        """The sentences that nobody wrote, at most so many, in the order of the first references."""
        known = set(self.given)
        return list(islice((words for words in self._sentences() if words not in known), limit))

    def _sentences(self) -> Iterator[tuple[str, ...]]:
        """Every different sentence: the paths of the determinised lattice, each when it is asked for."""
        by_state = leaving(word_arcs(self.lattice))
        final = self.lattice.automaton.finals.tolist()[0]
        stack: list[tuple[frozenset[int], tuple[str, ...]]] = [
            (frozenset([self.lattice.automaton.start]), ())
        ]
        while stack:
            states, words = stack.pop()
            if final in states:
                yield words
                continue
            by_word: dict[str, set[int]] = {}
            for destination, word in (arc for state in sorted(states) for arc in by_state.get(state, ())):
                by_word.setdefault(word, set()).add(destination)
            stack += [
                (frozenset(by_word[word]), (*words, word) if word else words) for word in reversed(by_word)
            ]


@takes(id=STRING)
def merged(references: Iterable[str | Sequence[str]], id: str = "") -> Merged:
    """Merge references, one after the other, where they agree with what is there.

    Each is aligned (fewest edits) with the closest path of the lattice so far. It shares those places of the path that
    have the same word before and the same word after them in both; the ends of a sentence count as words. So whatever
    three words follow one another in a sentence that nobody wrote do so in some reference, and one word that two
    sentences have by chance, such as a comma or "the", mixes nothing. Nor is a place shared where a sentence would then
    have a word more often than every reference, or less often: what one reference says at the beginning and another at
    the end is neither said twice nor left out. The order of the references matters.

    Args:
        references: the sentences, as strings or words.
        id: the lattice's id.

    Raises:
        FstmetricsError: no reference at all.

    >>> both = merged(["the prime minister spoke to us", "the head of government spoke to them"])
    >>> [" ".join(words) for words in both.added(10)]
    ['the prime minister spoke to them', 'the head of government spoke to us']
    """
    sentences = list(dict.fromkeys(map(tuple, sentences_of(references, "references"))))
    if not sentences:
        raise FstmetricsError("there is no reference to merge")
    arcs = _Arcs(
        sentences[0], "." * (1 + max((len(word) for words in sentences for word in words), default=0))
    )
    for words in sentences[1:]:
        arcs.add(words)
    return Merged(arcs.lattice("", id), tuple(sentences), arcs.strings())


class _Arcs:
    """The lattice while it grows. State 0 is the start, state 1 the end.

    Every sentence ends with one more word, `end`, which none has: so its last word has a word after it like all others.
    """

    def __init__(self, words: Sequence[str], end: str) -> None:
        self._end = end
        self._arcs: dict[Arc, None] = {}
        self._states = 2
        self._given = [Counter([*words, self._end])]
        self._write(0, 1, [*words, self._end])

    def add(self, words: Sequence[str]) -> None:
        """Makes the words a path, which shares as many places as it may, those of the longest runs first."""
        sentence = [*words, self._end]
        self._given.append(Counter(sentence))
        result = align(sentence, self.lattice(self._end))
        path = self._path(result.closest)
        runs = [run for run in matched_runs(result.alignment) if run[1] > run[0] or run[0] == run[2] == 0]
        before, states = dict(self._arcs), self._states
        kept = runs
        self._add(sentence, path, kept)
        if self._keeps_counts():
            return
        kept = []
        for run in sorted(runs, key=lambda run: run[0] - run[1]):
            self._arcs, self._states = dict(before), states
            self._add(sentence, path, sorted([*kept, run]))
            if self._keeps_counts():
                kept = sorted([*kept, run])
        self._arcs, self._states = before, states
        self._add(sentence, path, kept)

    def _add(
        self, sentence: Sequence[str], path: Sequence[tuple[int, int]], runs: Iterable[tuple[int, int, int]]
    ) -> None:
        """Of a run of matched words, the first and the last are written out, unless the sentence begins or ends there:
        before the first, and after the last, the words around differ.
        """
        state = begun = 0  # the state that was shared last, and the first word after it
        for first, last, at in runs:
            starts = first == at == 0
            ends = last == len(sentence) - 1
            enter = 0 if starts else path[at][1]
            leave = 1 if ends else path[at + last - first][0]
            self._write(state, enter, sentence[begun : first + (not starts)])
            state, begun = leave, last + ends
        self._write(state, 1, sentence[begun:])

    def _keeps_counts(self) -> bool:
        """Whether every sentence has every word as often as some reference, or something between two of them."""
        number: dict[str, int] = {}
        for given in self._given:
            for word in given:
                number.setdefault(word, len(number))
        counts = np.array([[given[word] for word in number] for given in self._given])
        by_state = leaving(self._arcs)
        order = callees_first(lambda state: [d for d, _ in by_state.get(state, ())], [0])
        place = {state: i for i, state in enumerate(order)}
        # From every state to the end, how often every word comes at least, and at most.
        bounds = np.zeros((len(order), 2, len(number)), np.int32)
        for state in order:
            ways = by_state.get(state, ())
            if len(ways) == 1:
                ((destination, word),) = ways
                bounds[place[state]] = bounds[place[destination]]
                bounds[place[state], :, number[word]] += 1
            elif ways:
                after = bounds[[place[destination] for destination, _ in ways]]
                for i, (_, word) in enumerate(ways):
                    after[i, :, number[word]] += 1
                bounds[place[state], 0] = after[:, 0].min(axis=0)
                bounds[place[state], 1] = after[:, 1].max(axis=0)
        least, most = bounds[place[0]]
        return bool((least >= counts.min(axis=0)).all() and (most <= counts.max(axis=0)).all())

    def strings(self) -> int:
        """How many different sentences there are: paths of the determinised lattice, length by length."""
        by_state = leaving(self._arcs)
        count, layer = 0, {frozenset([0]): 1}
        while layer:
            following: dict[frozenset[int], int] = {}
            for states, number in layer.items():
                by_word: dict[str, set[int]] = {}
                for destination, word in (arc for state in states for arc in by_state.get(state, ())):
                    by_word.setdefault(word, set()).add(destination)
                count += number * (self._end in by_word)
                for word in by_word.keys() - {self._end}:
                    reached = frozenset(by_word[word])
                    following[reached] = following.get(reached, 0) + number
            layer = following
        return count

    def lattice(self, end: str, id: str = "") -> Lattice:
        """What there is, with a word for the ends, or "" for none."""
        arcs = [(a, b, end if word == self._end else word) for a, b, word in self._arcs]
        automaton, symbols = word_automaton(arcs, self._states, 0, [1])
        return Lattice(automaton, symbols, id=id)

    def _write(self, start: int, end: int, words: Sequence[str]) -> None:
        """A path of these words between two states; none of no words, as then they are one state."""
        inner = [start, *range(self._states, self._states + len(words) - 1), end]
        self._states += max(0, len(words) - 1)
        self._arcs.update(dict.fromkeys(zip(inner, inner[1:], words, strict=False)))

    def _path(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """The states before and after every word of a path that spells the words."""
        by_state = leaving(self._arcs)
        came: list[dict[int, int]] = []  # of every word: the states after it, and before it
        current = {0}
        for word in words:
            came.append({d: s for s in sorted(current) for d, w in by_state.get(s, ()) if w == word})
            current = set(came[-1])
        path: list[tuple[int, int]] = []
        state = 1
        for after in reversed(came):
            path.append((after[state], state))
            state = after[state]
        return path[::-1]


def matched_runs(alignment: Iterable[AlignedPair]) -> Iterator[tuple[int, int, int]]:
    """Runs of matched words: of the sentence the first and the last, of the path the first."""
    word = at = 0
    for matched, pairs in groupby(alignment, lambda pair: pair.op == "="):
        run = list(pairs)
        if matched:
            yield word, word + len(run) - 1, at
        word += sum(pair.hypothesis is not None for pair in run)
        at += sum(pair.reference is not None for pair in run)
