"""Errors added up over the records of a run: `total` and `added_up` do that; `Errors.rows` and the like are what tables
show.

Every count can be seen as a rate: of substitutions and deletions, how many of the reference word's occurrences; of
insertions, how many of the hypothesis word's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.analysis.missing_ngrams import MAX_ORDER, RowCounts, missing_ngrams
from fstmetrics.analysis.oracle_scores import OracleScores
from fstmetrics.analysis.record_table import RecordTable, Vocabulary
from fstmetrics.engine.results import AlignedPair
from fstmetrics.engine.word_classes import totals_of_record
from fstmetrics.io.formats.records import aligns_itself
from fstmetrics.metrics.path_metric import Totals
from fstmetrics.support.printable import counted
from fstmetrics.support.tables import Tabular

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.analysis.read_records import Record

    Integers = npt.NDArray[np.int64]

# Parts of the reference in which errors by position are counted.
PARTS = 10
# Upper ends of the classes of reference length; the last class has no end.
LENGTHS = (5, 10, 15, 20, 30, 40, 60)
# Rows of a table that `print` shows.
SHOWN = 20
# Rows that are made together.
TOGETHER = 4096
# Letters of errors, in the order of tables.
LETTERS = "SID"

# Of a rewrite: the grammar, the words of the reference, and those that stand for them.
Rewritten = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """One kind of error.

    Attributes:
        op: `S`, `I` or `D`.
        reference, hypothesis: the words; None where that side has none.
        count: how often.
        of: how often the word occurs on its side: the reference word for S and D, the hypothesis word for I.
    """

    op: str
    reference: str | None
    hypothesis: str | None
    count: int
    of: int

    @property
    def rate(self) -> float:
        """Count divided by occurrences, 0 to 1."""
        return self.count / self.of


@dataclass(frozen=True, slots=True)
class Bin:
    """Errors in a part of all references: `errors` edits among `words` reference words of `items` items."""

    name: str
    items: int
    words: int
    errors: int

    @property
    def rate(self) -> float | None:
        """Errors per reference word; None where there is no word."""
        return self.errors / self.words if self.words else None


class Errors(Tabular):
    """The errors of a run. As a table: a row a kind of error, as `rows` has them.

    Args:
        max_order: words of the longest n-grams that are looked at; 0: none are.

    Attributes:
        items: how many there are.
        moves: how many reordering moves.
        items_with_moves: how many items have one.
        paths: the most best paths that an item has beside one another; 0 where one was asked for.
        metric, signature: of the scores.
        references, hypotheses: how often each word is in closest paths and in hypotheses, where it counts.
        alternatives, rules, cards: how often each is on a closest path.
        rewrites: how often rules rewrote words as others; `not_hits`: those of which a word is no match.
        moved: blocks of words that moved, and the words that they moved before.
        scores: of oracles.
        classes: the counts of words of lists, and of all others, of runs with `--biasing`; else None.

    >>> import fstmetrics as fm
    >>> from fstmetrics.analysis.result_table import table_of_results
    >>> errors = total(table_of_results(fm.score(["hat"], ["cat sat"])))
    >>> [(row.op, row.reference, row.hypothesis, row.count) for row in errors.rows()]
    [('S', 'sat', 'hat', 1), ('D', 'cat', None, 1)]
    """

    def __init__(self, max_order: int = MAX_ORDER) -> None:
        self.items = self.moves = self.items_with_moves = self.paths = 0
        self.metric = self.signature = ""
        self.scores = OracleScores()
        self.classes: tuple[Totals, Totals] | None = None
        self.references = self.hypotheses = np.zeros(0, dtype=np.int64)
        self.alternatives: Counter[tuple[str, str]] = Counter()
        self.rules: Counter[str] = Counter()
        self.rewrites: Counter[Rewritten] = Counter()
        self.not_hits: Counter[Rewritten] = Counter()
        self.cards: Counter[tuple[str, str]] = Counter()
        self.moved: Counter[tuple[str, str]] = Counter()
        self._vocabulary = Vocabulary()
        # Of each kind of error, the numbers of its words, from 1; 0 is no word.
        self._kinds = RowCounts(2)
        self._missing = {order: RowCounts(order) for order in range(1, max_order + 1)}
        # Of each part of the references, and of each class of their lengths: items, words, errors.
        self._positions = np.zeros((3, PARTS), dtype=np.int64)
        self._lengths = np.zeros((3, len(LENGTHS) + 1), dtype=np.int64)

    def __repr__(self) -> str:
        return f"Errors({self.metric}: {counted(len(self.rows()), 'kind')} in {counted(self.items, 'item')})"

    def __str__(self) -> str:
        from fstmetrics.reports.error_tables import error_text

        return error_text(self, SHOWN)

    def _repr_html_(self) -> str:
        from fstmetrics.reports.notebook import errors_html

        return errors_html(self)

    def add(self, table: RecordTable) -> None:
        """Add records of the same run; all tables share a vocabulary."""
        moves = table.counts["moves"]
        self.items += len(table)
        self.moves += int(moves.sum())
        self.items_with_moves += int(np.count_nonzero(moves))
        self.metric, self.signature, self._vocabulary = table.metric, table.signature, table.words
        self.references = _added(self.references, _occurrences(table, table.reference, "=SD"))
        self.hypotheses = _added(self.hypotheses, _occurrences(table, table.hypothesis, "=SI"))
        reference, hypothesis, counts = table.kinds
        self._kinds.add(np.stack([reference + 1, hypothesis + 1], axis=1), counts)
        for order, ngrams in missing_ngrams(table, len(self._missing)).items():
            self._missing[order].add(ngrams.words, ngrams.counts)
        self._positions += _by_position(table)
        self._lengths += _by_length(table)
        for record in table.special.values():
            self._take(record)

    def _take(self, record: Record) -> None:
        fields = record.fields
        self.paths = max(self.paths, len(record.aligned.nbest))
        self.scores.take(record)
        if (found := totals_of_record(fields)) is not None:
            known = self.classes or (Totals(), Totals())
            self.classes = known[0] + found[0], known[1] + found[1]
        self.alternatives.update((c["written"], c["taken"]) for c in fields.get("alternatives", ()))
        self._take_rewrites(record)
        self.cards.update((card, phrase) for card, phrase, *_ in fields.get("cards", ()))
        if record.moves and aligns_itself(self.metric):  # TER moves blocks to the right, too
            self.moved.update(moved_blocks(record.alignment))

    def _take_rewrites(self, record: Record) -> None:
        """A rewrite is not of hits alone where one of its words is no match: it may have changed only the length."""
        rules = record.fields.get("rules", ())
        if not rules:
            return
        hits = [op == "=" for op in record.aligned.operations if op in "=SD"]
        for rule in rules:
            self.rules[rule["rule"]] += 1
            rewritten = rule["grammar"], " ".join(rule["before"]), " ".join(rule["after"])
            self.rewrites[rewritten] += 1
            after = slice(rule["position"], rule["position"] + len(rule["after"]))
            self.not_hits[rewritten] += not all(hits[after])

    @cached_property
    def _words(self) -> list[str]:
        return list(self._vocabulary)

    @cached_property
    def ranks(self) -> npt.NDArray[np.int32]:
        """Where each word is in the alphabet."""
        return self._vocabulary.ranks()

    def rows(self, op: str | None = None, word: str | None = None, min_count: int = 1) -> list[ErrorRow]:
        """Kinds of errors, the most frequent first.

        Args:
            op: only this operation, `S`, `I` or `D`.
            word: only errors with this word on either side.
            min_count: only those that happened at least so often.
        """
        return list(self.each_row(op, word, min_count))

    def each_row(
        self, op: str | None = None, word: str | None = None, min_count: int = 1
    ) -> Iterator[ErrorRow]:
        """The same one by one."""
        kinds, times = self._kinds.total()
        letters = np.where(kinds[:, 0] == 0, 1, np.where(kinds[:, 1] == 0, 2, 0)).astype(np.int8)
        kept = times >= min_count
        if op is not None:
            kept &= letters == LETTERS.index(op)
        letters, counts = letters[kept], times[kept].astype(np.int64)
        reference, hypothesis = (column[kept].astype(np.int32) - 1 for column in kinds.T)
        order = np.lexsort((self.ranks[hypothesis], self.ranks[reference], letters, -counts))
        of = np.where(reference < 0, self.hypotheses[hypothesis], self.references[reference])
        words = [*self._words, None]
        for letter, r, h, n, whole in _numbers(letters, reference, hypothesis, counts, of, order=order):
            if word in (None, words[r], words[h]):
                yield ErrorRow(LETTERS[letter], words[r], words[h], n, whole)

    def columns(self) -> dict[str, list[Any]]:
        """The kinds of errors as columns: op, reference, hypothesis, count, of, rate."""
        names, rows = ("op", "reference", "hypothesis", "count", "of", "rate"), self.rows()
        return {name: [getattr(row, name) for row in rows] for name in names}

    def by_position(self) -> list[Bin]:
        """Errors in each tenth of the references."""
        names = [f"{100 * i // PARTS}-{100 * (i + 1) // PARTS}%" for i in range(PARTS)]
        return [Bin(name, *counts) for name, counts in zip(names, self._positions.T.tolist(), strict=True)]

    def by_length(self) -> list[Bin]:
        """Errors by the length of the reference, in words; classes without an item are left out."""
        ends = pairwise((-1, *LENGTHS))
        names = [*(f"{low + 1}-{high}" for low, high in ends), f"over {LENGTHS[-1]}"]
        rows = zip(names, self._lengths.T.tolist(), strict=True)
        return [Bin(name, items, words, errors) for name, (items, words, errors) in rows if items]

    def missing_ngrams(self, order: int, min_count: int = 1) -> list[tuple[tuple[str, ...], int]]:
        """N-grams of the references that the hypotheses lack, the most frequent first.

        Counted as BLEU clips: an n-gram that a hypothesis has once and its reference twice is missing once.
        """
        return list(self.each_missing(order, min_count))

    def each_missing(self, order: int, min_count: int = 1) -> Iterator[tuple[tuple[str, ...], int]]:
        """The same one by one."""
        grams, times = self._missing[order].total()
        words, by_count = self._words, np.argsort(times, kind="stable")
        ends = np.flatnonzero(np.diff(times[by_count], prepend=0, append=0))
        # Those of a count are put in order when they are asked for.
        for begin, end in reversed([*pairwise(ends.tolist())]):
            some = by_count[begin:end]
            if (count := int(times[some[0]])) < min_count:
                return
            for (gram,) in _numbers(grams, order=some[np.lexsort(self.ranks[grams[some]].T[::-1])]):
                yield tuple([words[n] for n in gram]), count


def _numbers(*columns: npt.NDArray[Any], order: Integers) -> Iterator[tuple[Any, ...]]:
    """Rows of columns in an order, as numbers of Python, of which few are made at a time."""
    for begin in range(0, len(order), TOGETHER):
        some = order[begin : begin + TOGETHER]
        yield from zip(*(column[some].tolist() for column in columns), strict=True)


def _occurrences(table: RecordTable, words: npt.NDArray[np.int32], letters: str) -> Integers:
    """How often each word is on one side of some operations."""
    return np.bincount(words[table.has(letters)], minlength=len(table.words)).astype(np.int64)


def _added(known: Integers, more: Integers) -> Integers:
    """The sums of two columns, of which the first may be shorter."""
    sums = more.copy()
    sums[: len(known)] += known
    return sums


def _by_position(table: RecordTable) -> Integers:
    """Items, words and errors of each tenth of the references, shape [3, PARTS]."""
    length = table.counts["path_length"]
    # An insertion counts where the next reference word is, at the end with the last.
    has_word = table.has("=SD")
    words = np.concatenate([[0], np.cumsum(has_word)])
    of_operation = table.items
    position = words[:-1] - words[table.starts[:-1]][of_operation]
    of_item = length[of_operation]
    some = of_item > 0
    part = np.minimum(position[some], of_item[some] - 1) * PARTS // of_item[some]
    errors = np.bincount(part[table.has("SID")[some]], minlength=PARTS)
    part = part[has_word[some]]
    item = of_operation[has_word]
    begins = np.ones(len(part), dtype=np.bool_)
    begins[1:] = (part[1:] != part[:-1]) | (item[1:] != item[:-1])
    items = np.bincount(part[begins], minlength=PARTS)
    return np.stack([items, np.bincount(part, minlength=PARTS), errors]).astype(np.int64)


def _by_length(table: RecordTable) -> Integers:
    """Items, words and errors of each class of lengths, shape [3, classes]."""
    classes = len(LENGTHS) + 1
    part = np.searchsorted(LENGTHS, table.counts["path_length"])
    columns = [np.bincount(part, minlength=classes).astype(np.int64)]
    for name in ("path_length", "edits"):
        sums = np.zeros(classes, dtype=np.int64)
        np.add.at(sums, part, table.counts[name])
        columns.append(sums)
    return np.stack(columns)


def moved_blocks(alignment: Sequence[AlignedPair]) -> list[tuple[str, str]]:
    """Of every block that moves its words, and the words to the left of it that it moves before.

    A block is a word that a move is paid for, and its right neighbours that come along.
    """
    words = {p.position: p.hypothesis for p in alignment if p.position is not None and p.hypothesis}
    blocks: list[tuple[list[str], str]] = []
    waiting = sorted(words)  # positions of words that are not taken yet
    next_position: int | None = None  # in the hypothesis, behind the block that is being taken
    for pair in alignment:
        if pair.hypothesis is None or pair.position is None:
            continue
        if pair.moves:
            before = [words[at] for at in waiting if at < pair.position]
            blocks.append(([], " ".join(before)))
        elif pair.position != next_position:
            next_position = None
        if pair.moves or next_position is not None:
            blocks[-1][0].append(pair.hypothesis)
            next_position = pair.position + 1
        waiting.remove(pair.position)
    return [(" ".join(block), before) for block, before in blocks]


def added_up(tables: Iterable[RecordTable], max_order: int = MAX_ORDER) -> Errors:
    """All records of a run added up, which may come in parts; `max_order` as of `Errors`."""
    errors = Errors(max_order)
    for table in tables:
        errors.add(table)
    return errors


def total(table: RecordTable, max_order: int = MAX_ORDER) -> Errors:
    """The same of one table."""
    return added_up(table.parts(), max_order)
