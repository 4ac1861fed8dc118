"""T in two factors, whose composition is the edit transducer: `factors_of`.

The left factor takes a word of H to itself or to the mark of an operation, the right one takes words and marks to words
of R and has the metric's memory as its states. So T has an arc a word, not one for each pair of words.

A single mark for substitutions would let a word stand for itself. That does no harm where a match is never worse
(`match_is_best`). Elsewhere words of both sides are the leaves of a binary tree, and a mark is a node and the side on
which a word lies below it: two words differ where their ways part, which is at one node.

`Labels` numbers words, marks of operations and calls of cards, and names them: a word of the item keeps its name, and
what is no word gets a name that no word has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from fstmetrics.data.symbols import EPSILON, WILDCARD
from fstmetrics.io.written_words import EPSILON_NAME
from fstmetrics.metrics.path_metric import EditTable, Op, match_is_best
from fstmetrics.openfst.pynini_objects import Columns, import_pynini
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    import pywrapfst

# A space is a character where characters are compared, and no symbol of a file's lines.
SPACE, SPACE_NAME = " ", "<space>"
WILDCARD_NAME = "<*>"
# Marks between the factors of T.
SUBSTITUTED, INSERTED, DELETED, UNDER_WILDCARD = "<sub>", "<ins>", "<del>", "<any>"


class Labels:
    """Numbers and names, from 1; label 0 is epsilon.

    >>> labels = Labels()
    >>> labels.word("the"), labels.mark("<sub>"), labels.word("<sub>"), labels.word("the")
    (1, 2, 3, 1)
    >>> labels.names()
    ['<eps>', 'the', '<sub>_', '<sub>']
    """

    def __init__(self) -> None:
        self._words: dict[str, int] = {}
        self._marks: dict[str, int] = {}
        # For each label that only a match with a word can take, that of the word.
        self.only_hits: dict[int, int] = {}

    def __len__(self) -> int:
        return 1 + len(self._words) + len(self._marks)

    def word(self, word: str) -> int:
        """The label of a word of the item; that of the empty one is epsilon."""
        return EPSILON if word == "" else self._words.setdefault(word, len(self))

    @property
    def wildcard(self) -> int | None:
        """The label of the wildcard, if it is among the words."""
        return self._words.get(WILDCARD)

    def mark(self, name: str) -> int:
        """The label of something that is no word."""
        return self._marks.setdefault(name, len(self))

    def only_hit(self, word: str) -> int:
        """The label of a word on arcs of R that only a match can take, as those of compounds."""
        label = self.mark(f"<hit:{word}>")
        self.only_hits[label] = self.word(word)
        return label

    def words(self) -> dict[int, str]:
        """The words by their labels."""
        return {label: word for word, label in self._words.items()}

    def names(self) -> Sequence[str]:
        """What each label is called, epsilon first."""
        found = {label: word for word, label in self._words.items() if word not in (SPACE, WILDCARD)}
        given = set(found.values())
        others = {label: name for name, label in self._marks.items()}
        named = ((SPACE, SPACE_NAME), (WILDCARD, WILDCARD_NAME))
        others |= {self._words[word]: name for word, name in named if word in self._words}
        for label, name in sorted({EPSILON: EPSILON_NAME, **others}.items()):
            while name in given:
                name += "_"
            given.add(name)
            found[label] = name
        return [found[label] for label in range(len(self))]

    def table(self) -> pywrapfst.SymbolTable:
        """The names as a symbol table of pynini.

        Raises:
            FstmetricsError: pynini is not installed, or a word is not Unicode.
        """
        table = import_pynini().SymbolTable()
        for label, name in enumerate(self.names()):
            try:
                table.add_symbol(name, label)
            except UnicodeEncodeError:
                raise FstmetricsError(
                    f"the word {name!r} holds half a character (a surrogate), which symbol tables of OpenFst cannot; "
                    "mend the text"
                ) from None
        return table  # type: ignore[no-any-return]


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
