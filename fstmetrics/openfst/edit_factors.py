"""T in two factors, whose composition is the edit transducer: `factors_of`.

The left factor takes a word of H to itself or to the mark of an operation, the right one takes words and marks to words
of R and has the metric's memory as its states. So T has an arc a word, not one for each pair of words.

A single mark for substitutions would let a word stand for itself. That does no harm where a match is never worse
(`match_is_best`). Elsewhere words of both sides are the leaves of a binary tree, and a mark is a node and the side on
which a word lies below it: two words differ where their ways part, which is at one node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from fstmetrics.data.symbols import EPSILON
from fstmetrics.metrics.path_metric import EditTable, Op, match_is_best
from fstmetrics.openfst.machine_columns import Columns
from fstmetrics.openfst.machine_labels import DELETED, INSERTED, SUBSTITUTED, UNDER_WILDCARD, Labels

# Source, input, output, weight, destination.
Arc = tuple[int, int, int, float, int]
# What an operation on words, given by their labels, costs beside the table; in units.
WordCost = Callable[[Op, int | None, int | None], int]


class Words(NamedTuple):
    """The labels of an item's words.

    Attributes:
        hypothesis: those on arcs of H.
        reference: those on arcs of R.
        only_hits: for each label of R on arcs that only a match can take, that of the word.
        wildcard: the label of R that takes any word; None without one.
    """

    hypothesis: Sequence[int]
    reference: Sequence[int]
    only_hits: dict[int, int]
    wildcard: int | None


def factors_of(
    table: EditTable, words: Words, labels: Labels, weight: Callable[[int], float], word_cost: WordCost | None
) -> tuple[Columns, Columns]:
    """Both factors.

    Args:
        table: the metric's.
        words: of the item.
        labels: get the marks.
        weight: of an arc of so many units.
        word_cost: costs by word; with it the right factor has an arc for each pair of words.
    """
    if word_cost is not None:
        return _with_word_costs(table, words, labels, weight, word_cost)
    if match_is_best(table):
        mark = labels.mark(SUBSTITUTED)
        given = {h: [mark] for h in words.hypothesis}
        taken = {r: [mark] for r in words.reference}
    else:
        given, taken = _parting_marks(words, labels)
    inserted, deleted = labels.mark(INSERTED), labels.mark(DELETED)
    hits = {*words.reference, *words.only_hits.values()}
    left: list[Arc] = [(0, h, h, 0, 0) for h in words.hypothesis if h in hits]
    left += [(0, h, mark, 0, 0) for h in words.hypothesis for mark in (*given[h], inserted)]
    left.append((0, EPSILON, deleted, 0, 0))
    right: list[Arc] = []
    for m, (follow, cost) in enumerate(zip(table.next, table.cost, strict=True)):

        def arc(op: Op, given: int, taken: int) -> Arc:
            return m, given, taken, weight(cost[op]), follow[op]  # noqa: B023 (called before the next memory)

        right += [arc(Op.MATCH, word, label) for word, label in _hits(words)]
        right += [arc(Op.SUBSTITUTION, mark, r) for r in words.reference for mark in taken[r]]
        right += [arc(Op.DELETION, deleted, r) for r in words.reference]
        right.append(arc(Op.INSERTION, inserted, EPSILON))
    return _made(left, right, words, labels, len(table.next))


def _hits(words: Words) -> Iterator[tuple[int, int]]:
    """A word and the label of R that a match with it takes."""
    known = set(words.hypothesis)
    yield from ((r, r) for r in words.reference if r in known)
    yield from ((word, label) for label, word in words.only_hits.items() if word in known)


def _made(
    left: list[Arc], right: list[Arc], words: Words, labels: Labels, memories: int
) -> tuple[Columns, Columns]:
    """Both factors of these arcs; a word under a wildcard counts nowhere, and the memory stays."""
    if words.wildcard is not None:
        mark = labels.mark(UNDER_WILDCARD)
        left += [(0, h, mark, 0, 0) for h in words.hypothesis]
        right += [(m, mark, words.wildcard, 0, m) for m in range(memories)]
    return Columns.made(1, [0], left), Columns.made(memories, range(memories), right)


def _parting_marks(words: Words, labels: Labels) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """The marks that stand for each word of H, and those that each word of R takes: one in common where two differ."""
    both = sorted(set(words.hypothesis) & set(words.reference))
    bits = max(1, (len(both) - 1).bit_length())
    place = {word: f"{number:0{bits}b}" for number, word in enumerate(both)}
    # Words of one side alone differ from all of the other.
    alone_left, alone_right = labels.mark(SUBSTITUTED), labels.mark("<sub:other>")
    given, taken = {}, {}
    for h in words.hypothesis:
        way = place.get(h)
        below = [] if way is None else [labels.mark(f"<sub:{way[: i + 1]}>") for i in range(bits)]
        given[h] = [alone_left] if way is None else [alone_right, *below]
    for r in words.reference:
        way = place.get(r)
        if way is None:
            taken[r] = [alone_left, alone_right]
        else:
            other = [way[:i] + str(1 - int(way[i])) for i in range(bits)]
            taken[r] = [alone_left, *(labels.mark(f"<sub:{node}>") for node in other)]
    return given, taken


def _with_word_costs(
    table: EditTable, words: Words, labels: Labels, weight: Callable[[int], float], word_cost: WordCost
) -> tuple[Columns, Columns]:
    """The left factor keeps the word, so that the right one can tell what the pair costs."""
    inserted, deleted = labels.mark(INSERTED), labels.mark(DELETED)
    left: list[Arc] = [(0, h, h, 0, 0) for h in words.hypothesis]
    left += [(0, h, inserted, weight(word_cost(Op.INSERTION, h, None)), 0) for h in words.hypothesis]
    left.append((0, EPSILON, deleted, 0, 0))
    pairs = [(Op.MATCH, word, label, word_cost(Op.MATCH, word, word)) for word, label in _hits(words)]
    pairs += [
        (Op.SUBSTITUTION, h, r, word_cost(Op.SUBSTITUTION, h, r))
        for h in words.hypothesis
        for r in words.reference
        if h != r
    ]
    pairs += [(Op.DELETION, deleted, r, word_cost(Op.DELETION, None, r)) for r in words.reference]
    pairs.append((Op.INSERTION, inserted, EPSILON, 0))
    right: list[Arc] = [
        (m, given, taken, weight(table.cost[m][op] + cost), table.next[m][op])
        for m in range(len(table.next))
        for op, given, taken, cost in pairs
    ]
    return _made(left, right, words, labels, len(table.next))
