"""Compounds and fragments: rules that the words of an item leave (`WordRules`).

Compounds: adjacent words of the reference as one word of the hypothesis, and one word as several.

A reference may be rewritten so at a place where every word that is written is a hit. What else the hypothesis has
between the parts of a word is an insertion. Letters stay as they are, so this works in any language. Several words as
several others (`an ice` as `a nice`) are no compound.

The rules are those that the words of an item leave: `some one -> someone` where the hypothesis has "someone".

Fragments, as sclite's -F has them: `fi-` on one side and `fish` on the other, `-ish` and `fish` (`is_fragment_of`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fstmetrics import _native
from fstmetrics._native import Patterns
from fstmetrics.data.symbols import WILDCARD
from fstmetrics.grammars.compiled import Way, patterns_of
from fstmetrics.grammars.model import Grammar
from fstmetrics.support.errors import FstmetricsError

# Ways to put the words of one item together, at most: a guard of memory.
MAX_WAYS = 100_000


def is_fragment_of(reference: str, hypothesis: str) -> bool:
    """Whether one word is a fragment of the other by its hyphen, as sclite's -F sees it: a fragment of the reference
    comes first, and a hyphen in front before one at the end.

    >>> is_fragment_of("fi-", "fish"), is_fragment_of("fish", "-ish"), is_fragment_of("fis-", "fi-")
    (True, True, False)
    """
    if is_fragment(reference):
        return _has(hypothesis, reference)
    return is_fragment(hypothesis) and _has(reference, hypothesis)


def is_fragment(word: str) -> bool:
    """Whether a word begins or ends with a hyphen, and has more than that."""
    return len(word) > 1 and (word[0] == "-" or word[-1] == "-")


def _has(word: str, fragment: str) -> bool:
    return word.endswith(fragment[1:]) if fragment[0] == "-" else word.startswith(fragment[:-1])


class WordRules:
    """The rules of a grammar that the words of an item leave; False where it has none.

    Args:
        grammar: its rules `join`, `split` and `fragment` count.
    """

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self._join = next((rule for rule in grammar.rules if rule.kind == "join"), None)
        self._split = next((rule for rule in grammar.rules if rule.kind == "split"), None)
        self.fragment = next((rule for rule in grammar.rules if rule.kind == "fragment"), None)

    def __bool__(self) -> bool:
        return self._join is not None or self._split is not None or self.fragment is not None

    def of(
        self, reference: Sequence[str], hypothesis: Iterable[str]
    ) -> Iterator[tuple[tuple[int, ...], Way]]:
        """The rules that the words of both sides leave: labels of the reference, and what may stand for them.

        Args:
            reference: words by label, the first for epsilon.
            hypothesis: words of the other side, in any order.

        Raises:
            FstmetricsError: words can be put together in more than `MAX_WAYS` ways.
        """
        labels = [label for label, word in enumerate(reference) if word and word != WILDCARD]
        words = [reference[label] for label in labels]
        others = list(dict.fromkeys(word for word in hypothesis if word))
        if self.fragment:
            yield from self._fragments(labels, reference, others)
        if self._join:
            for whole, parts in self._partings(others, words):
                yield tuple(labels[part] for part in parts), Way(self._join, (others[whole],))
        if self._split:
            for whole, parts in self._partings(words, others):
                yield (labels[whole],), Way(self._split, tuple(others[part] for part in parts))

    def _fragments(
        self, labels: Sequence[int], reference: Sequence[str], others: Sequence[str]
    ) -> Iterator[tuple[tuple[int, ...], Way]]:
        assert self.fragment is not None
        broken = [word for word in others if is_fragment(word)]
        for label in labels:
            word = reference[label]
            for other in others if is_fragment(word) else broken:
                if other != word and is_fragment_of(word, other):
                    yield (label,), Way(self.fragment, (other,))

    def _partings(self, wholes: Sequence[str], parts: Sequence[str]) -> Iterator[tuple[int, list[int]]]:
        try:
            owners, offsets, numbers = _native.partings(wholes, parts, MAX_WAYS)
        except ValueError as error:
            raise FstmetricsError(f"grammar {self.grammar.name}: {error}") from None
        ends, flat = offsets.tolist(), numbers.tolist()
        for owner, begin, end in zip(owners.tolist(), ends, ends[1:], strict=False):
            yield owner, flat[begin:end]


def patterns_of_labels(sequences: Iterable[Sequence[int]]) -> Patterns:
    """Sequences of labels to be looked for, each of which is a pattern; a label is its own symbol."""
    children: list[dict[int, int]] = [{}]
    ends: dict[int, list[int]] = {}
    for number, labels in enumerate(sequences):
        node = 0
        for label in labels:
            child = children[node].get(label)
            if child is None:
                child = children[node][label] = len(children)
                children.append({})
            node = child
        ends.setdefault(node, []).append(number)
    return patterns_of((node.items() for node in children), ends)
