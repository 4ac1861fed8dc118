"""Terms and tagged spans: what happens to the words of a list, or of labelled stretches of references.

`term_counts` looks for terms on closest paths and in hypotheses, `span_counts` takes labelled stretches of closest
paths; both give `TermCounts`, a `TermRow` each and their sum. `terms` is what users call.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fstmetrics.analysis.record_table import RecordTable, Vocabulary
from fstmetrics.analysis.result_table import table_of_results
from fstmetrics.engine.results import CorpusResult
from fstmetrics.io.arcs import shown
from fstmetrics.io.formats.nlp import Tagged, read_tagged
from fstmetrics.support.arguments import described, sentences_of
from fstmetrics.support.errors import FstmetricsError, InputError, warn
from fstmetrics.support.source import Source
from fstmetrics.text.normalisation import Normalisation

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class TermRow:
    """A term, or the spans of one label.

    Attributes:
        term: its words, or the label.
        reference: how often it is on a closest path.
        correct: how often the hypothesis has it there: all its words are hits, with nothing between them.
        hypothesis: how often hypotheses have it; None of labels, which hypotheses do not have.
        words: the words of all that are on closest paths.
        edits: errors among these: substitutions, deletions, and insertions between two words of one.
    """

    term: str
    reference: int
    correct: int
    hypothesis: int | None
    words: int
    edits: int

    @property
    def recall(self) -> float | None:
        """Correct ones of those in references; None where there are none."""
        return self.correct / self.reference if self.reference else None

    @property
    def precision(self) -> float | None:
        """Correct ones of those in hypotheses; None where there are none."""
        return self.correct / self.hypothesis if self.hypothesis else None

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall; None where there is nothing to find and nothing found."""
        if self.hypothesis is None or not (both := self.reference + self.hypothesis):
            return None
        return 2 * self.correct / both

    @property
    def score(self) -> float | None:
        """Edits per word; None where there is no word."""
        return self.edits / self.words if self.words else None

    def __add__(self, other: TermRow) -> TermRow:
        found = None
        if self.hypothesis is not None and other.hypothesis is not None:
            found = self.hypothesis + other.hypothesis
        return TermRow(
            self.term, self.reference + other.reference, self.correct + other.correct, found,
            self.words + other.words, self.edits + other.edits,
        )  # fmt: skip

    def as_dict(self) -> dict[str, Any]:
        """Counts and rates by name."""
        names = ("term", "reference", "correct", "hypothesis", "words", "edits")
        rates = ("recall", "precision", "f1", "score")
        return {name: getattr(self, name) for name in (*names, *rates)}


class Unlike(NamedTuple):
    """Terms that are not counted, since words have another case, or punctuation, as `York.` for `York`.

    Attributes:
        reference: how often they are on closest paths, and not counted there.
        hypothesis: likewise in hypotheses, or in how many items that list one.
        rules: which rules of `Normalisation` make all of them alike.
        example: a word there, and that of the term.
    """

    reference: int
    hypothesis: int
    rules: tuple[str, ...]
    example: tuple[str, str]

    def remark(self, advice: str) -> str:
        """What to say of them; the advice is how the rules are asked for."""
        places = [(self.reference, "in references"), (self.hypothesis, "in hypotheses")]
        more = " and ".join(f"{count} {where}" for count, where in places if count)
        what = " and ".join(_RULES[rule] for rule in self.rules)
        return (
            f"terms that differ in {what} alone, as {self.example[0]!r} for {self.example[1]!r}, are not counted: "
            f"{more}; {advice} counts them"
        )


@dataclass(frozen=True)
class TermCounts:
    """What happened to some terms, or to spans by label.

    Attributes:
        rows: one a term, in the order of the list; one a label, in the order of the alphabet.
        unlike: terms that are not counted; None where there are none.
    """

    rows: tuple[TermRow, ...]
    unlike: Unlike | None = None

    @cached_property
    def total(self) -> TermRow:
        """All together; a word of two terms counts twice."""
        return sum(self.rows[1:], TermRow("all", *_counts(self.rows[0]))) if self.rows else _NOTHING

    def as_dict(self, rows: Callable[[Iterable[Any]], Any] = list) -> dict[str, Any]:
        """All rows and their sum, for programs; `rows` makes the table of its rows."""
        return {"terms": rows(row.as_dict() for row in self.rows), "all": self.total.as_dict()}


# A JSON list or object, or one behind an id and a tab: biasing lists and tables.
_LISTS = re.compile(r"""\s*(?:\[\s*(?:"|\]|\{)|\{\s*"|[^\t,;]*[\t,;].*\[\s*["\]])""")
_NOTHING = TermRow("all", 0, 0, 0, 0, 0)
# Rules that make words alike, and what words differ in without them.
_RULES = {"lowercase": "case", "remove_punctuation": "punctuation"}


def _counts(row: TermRow) -> tuple[int, int, int | None, int, int]:
    return row.reference, row.correct, row.hypothesis, row.words, row.edits


@dataclass(frozen=True, slots=True)
class ListedTerm:
    """A term that is in the lists of some items.

    Attributes:
        term: its words.
        items: how many items list it.
        found: of how many of these the hypothesis has it.
        is_absent: whether no item has it, on neither side: the records may have its words in another form.
    """

    term: str
    items: int
    found: int
    is_absent: bool = False

    @property
    def share(self) -> float | None:
        """That of the items whose hypothesis has it: to be 1 of terms that are required, 0 of forbidden ones."""
        return self.found / self.items if self.items else None

    def as_dict(self) -> dict[str, Any]:
        """Counts and the share by name."""
        return {"term": self.term, "items": self.items, "found": self.found, "share": self.share}


@dataclass(frozen=True)
class ListedTerms:
    """Whether hypotheses have the terms that their items list.

    Attributes:
        rows: one a term, as terms first come.
        unlike: terms that are not counted; None where there are none.
    """

    rows: tuple[ListedTerm, ...]
    unlike: Unlike | None = None

    @property
    def total(self) -> ListedTerm:
        """All together."""
        return ListedTerm("all", sum(row.items for row in self.rows), sum(row.found for row in self.rows))

    def as_dict(self) -> dict[str, Any]:
        """All rows and their sum, for programs."""
        return {"terms": [row.as_dict() for row in self.rows], "all": self.total.as_dict()}


class Span(NamedTuple):
    """A labelled stretch of a closest path: the words from `start` to before `end`."""

    item: int
    start: int
    end: int
    label: str


def terms(corpus: CorpusResult, terms: Iterable[str | Sequence[str]]) -> TermCounts:
    """Recall, precision and error rate of terms, each of one word or several.

    Args:
        corpus: results with their alignments, as of `fstmetrics.score`.
        terms: strings, split at white space, or sequences of words. They are normalised as the words of the results
            were, where that is known; of characters, they are looked for as such.

    Raises:
        FstmetricsError: a term without a word, or twice; results without alignments, or of strings (BLEU).

    >>> import fstmetrics as fm
    >>> corpus = fm.score(["i flew to new york", "new work is good"], ["i flew to new york", "new york is good"])
    >>> found = fm.terms(corpus, ["new york", "good"])
    >>> [(row.term, row.reference, row.correct, row.recall, row.precision, row.score) for row in found.rows]
    [('new york', 2, 1, 0.5, 1.0, 0.25), ('good', 1, 1, 1.0, 1.0, 0.0)]
    """
    if not isinstance(corpus, CorpusResult):
        raise FstmetricsError(
            f"terms are counted in the best paths of results, as of fm.score(hypotheses, references, 'wer'), and "
            f"{described(corpus)} has none"
        )
    given = map(" ".join, sentences_of(terms, "terms"))
    words = [each for term in given for each in normalised_terms([term], corpus.normalisation)]
    found = term_counts([table_of_results(corpus)], words)[0]
    if found.unlike:
        rules = ", ".join(f"{rule}=True" for rule in found.unlike.rules)
        warn(found.unlike.remark(f"normalisation=Normalisation({rules})"))
    return found


def read_terms(path: str | Path) -> list[str]:
    """The terms of a file, one a line; lines that are empty or begin with `# ` are left out.

    Raises:
        InputError: no term, or one twice.
    """
    source = Source.open(path)
    found: dict[str, int] = {}
    for number, line in source.lines():
        if found_list := _LISTS.match(line):
            raise source.error(
                f"a list of words for each item, {shown(found_list[0])}, and expected a term a line; "
                "score --biasing FILE counts errors on such lists (B-WER)",
                number,
            )
        term = " ".join(line.split())
        if not term or line.startswith("# ") or term == "#":
            continue
        if term in found:
            raise source.error(f"the term {term!r} is already in line {found[term]}", number)
        found[term] = number
    if not found:
        raise InputError("there is no term: expected one a line", str(path))
    return list(found)


def normalised_terms(
    terms: Iterable[str], normalisation: Normalisation | None, path: str | None = None, owner: str = ""
) -> list[tuple[str, ...]]:
    """The words of terms, each term once, as the words of records became what they are.

    Args:
        terms: as they are written.
        normalisation: what was done to the records' words; None where that is not known, and terms are as written.
        path: their file, if there is one, for messages.
        owner: what messages say before a term.

    Raises:
        InputError: a term of which no word is left.
    """
    found: dict[tuple[str, ...], None] = {}
    for term in terms:
        words = tuple(term.split() if normalisation is None else normalisation.words(term))
        if not words:
            left = (
                f"no word is left of the term {term!r} after normalisation"
                if term.split()
                else "a term without a word"
            )
            raise InputError(f"{owner}{left}", path)
        found[words] = None
    return list(found)


def refuse_lists_of_items(
    terms: Sequence[str], parts: Iterable[RecordTable], path: str
) -> Iterator[RecordTable]:
    """The parts, of which terms are to be counted.

    Raises:
        InputError: behind the last, where each term begins with the id of an item: they are a list for each.
    """
    begins = {term.partition(" ")[0] for term in terms} if all(" " in term for term in terms) else {""}
    for table in parts:
        begins.difference_update(table.ids)
        yield table
    if not begins:
        raise InputError(
            f"each line begins with the id of an item, as {terms[0].partition(' ')[0]!r}: a list for each, and "
            "expected a term a line; score --biasing FILE counts errors on such lists, "
            "as lines `id<tab>reference<tab>[list]`",
            path,
        )


def term_counts(
    parts: Iterable[RecordTable], terms: Sequence[str | Sequence[str]]
) -> tuple[TermCounts, int, str]:
    """The same as `terms`, of records in parts that share their vocabulary; how many there are, and their signature."""
    chosen = [tuple(term.split()) if isinstance(term, str) else tuple(term) for term in terms]
    for number, words in enumerate(chosen):
        if not words or not all(words):
            raise FstmetricsError(f"term {number} (from 0) has no word")
    if len(set(chosen)) < len(chosen):
        twice = next(" ".join(words) for words, times in Counter(chosen).items() if times > 1)
        raise FstmetricsError(f"the term {twice!r} is there twice")
    counts = np.zeros((5, len(chosen)), dtype=np.int64)
    items, signature, trie, folded = 0, "", None, _Folded(chosen)
    unlike = [0, 0]
    for table in parts:
        items, signature = items + len(table), table.signature
        trie = trie or _Trie([table.words.numbers(words) for words in chosen])
        sides = _Side(table, "=SD", table.reference), _Side(table, "=SI", table.hypothesis)
        occurrences = [side.occurrences(trie) for side in sides]
        counts += _counted(sides[0], trie, *occurrences)
        for number, (side, own) in enumerate(zip(sides, occurrences, strict=True)):
            found = folded.unlike(side, own, table.words)
            folded.keep(side, *found, table.words)
            unlike[number] += len(found[0])
    rows = (TermRow(" ".join(words), *row) for words, row in zip(chosen, counts.T.tolist(), strict=True))
    return TermCounts(tuple(rows), folded.told(*unlike)), items, signature


def _counted(
    reference: _Side, trie: _Trie, closest: tuple[Integers, Integers], heard: tuple[Integers, Integers]
) -> Integers:
    """The numbers of a `TermRow`, of all terms, by where they are on both sides; shape [numbers, terms]."""
    which, starts = closest
    lengths = trie.lengths[which]
    edits, hits = reference.stretches(starts, starts + lengths)
    bounds = np.searchsorted(which, np.arange(len(trie.lengths) + 1))
    correct, words, errors = (
        np.diff(np.concatenate([[0], np.cumsum(values)])[bounds]) for values in (hits, lengths, edits)
    )
    return np.array(
        [np.diff(bounds), correct, np.bincount(heard[0], minlength=len(trie.lengths)), words, errors]
    )


def listed_terms(
    table: RecordTable,
    lists: Mapping[str, Sequence[str]],
    path: str,
    normalisation: Normalisation | None = None,
) -> ListedTerms:
    """Whether hypotheses have the terms that are required of their items, or forbidden.

    Args:
        table: the records.
        lists: the terms of each item, each of one word or several.
        path: the file of the lists, for messages.
        normalisation: what is done to terms; None: they are as the records have words.

    Raises:
        InputError: an item without a list, a list without an item, or a term without a word.
    """
    places = {id: place for place, id in enumerate(table.ids)}
    for having, lacking, what in (
        (places, lists, "no list for"),
        (lists, places, "a list, and no record, of"),
    ):
        if missing := [id for id in having if id not in lacking]:
            raise InputError(f"{what} item {missing[0]}; an empty list is []", path)
    items: dict[tuple[str, ...], set[int]] = {}
    for id, terms in lists.items():
        for words in normalised_terms(terms, normalisation, path, f"item {id}: "):
            items.setdefault(words, set()).add(places[id])
    trie = _Trie([table.words.numbers(words) for words in items])
    present: list[set[int]] = [set() for _ in items]  # in which items hypotheses have each
    side = _Side(table, "=SI", table.hypothesis)
    spoken, starts = side.occurrences(trie)
    for number, item in zip(spoken.tolist(), side.items_of(starts), strict=True):
        present[number].add(item)
    known = {*spoken.tolist(), *_Side(table, "=SD", table.reference).occurrences(trie)[0].tolist()}
    rows = tuple(
        ListedTerm(" ".join(words), len(own), len(own & found), number not in known)
        for number, ((words, own), found) in enumerate(zip(items.items(), present, strict=True))
    )
    folded = _Folded([*items])
    without: list[set[int]] = [set() for _ in items]  # in which items each is not found
    for group, own, found in zip(folded.groups.tolist(), items.values(), present, strict=True):
        without[group] |= own - found
    unlike, starts = folded.unlike(side, (spoken, starts), table.words)
    rows_of = list(zip(unlike.tolist(), side.items_of(starts), strict=True))
    are_listed = np.array([item in without[group] for group, item in rows_of], dtype=np.bool_)
    folded.keep(side, unlike[are_listed], starts[are_listed], table.words)
    return ListedTerms(rows, folded.told(0, sum(item in without[group] for group, item in {*rows_of})))


def span_counts(table: RecordTable, spans: Iterable[Span]) -> TermCounts:
    """What happened to labelled stretches of closest paths, by label.

    Raises:
        FstmetricsError: a span that is not within the closest path of its item.
    """
    side = _Side(table, "=SD", table.reference)
    by_label: dict[str, list[tuple[int, int]]] = {}
    for span in spans:
        first, last = side.words_of(span.item)
        if not 0 <= span.start < span.end <= last - first:
            raise FstmetricsError(
                f"item {table.ids[span.item]}: the span {span.start} to {span.end} of {span.label} is not within the "
                f"{last - first} words of the closest path"
            )
        by_label.setdefault(span.label, []).append((first + span.start, first + span.end))
    rows = []
    for label in sorted(by_label):
        ends = np.array(by_label[label], dtype=np.int64)
        edits, hits = side.stretches(ends[:, 0], ends[:, 1])
        words = int((ends[:, 1] - ends[:, 0]).sum())
        rows.append(TermRow(label, len(ends), int(hits.sum()), None, words, int(edits.sum())))
    return TermCounts(tuple(rows))


class _Trie:
    """Terms by their words: a level has an edge for each word that may follow, and terms that end there.

    Args:
        terms: the numbers of the words of each.
    """

    def __init__(self, terms: Sequence[npt.NDArray[np.int32]]) -> None:
        self.lengths = np.array([len(words) for words in terms], dtype=np.int64)
        # By depth: edges in order, as node << 32 | word, each to the node of its place; the term of each, -1 for none.
        self.levels: list[tuple[Integers, Integers]] = []
        words = np.concatenate([np.zeros(0, dtype=np.int64), *terms])
        begins = np.cumsum(self.lengths) - self.lengths
        left, nodes = np.arange(len(terms)), np.zeros(len(terms), dtype=np.int64)
        while len(left):
            depth = len(self.levels)
            edges, nodes = np.unique(nodes << 32 | words[begins[left] + depth], return_inverse=True)
            ends = self.lengths[left] == depth + 1
            term = np.full(len(edges), -1, dtype=np.int64)
            term[nodes[ends]] = left[ends]
            self.levels.append((edges, term))
            left, nodes = left[~ends], nodes[~ends]


class _Side:
    """The words of one side of all items in a row."""

    def __init__(self, table: RecordTable, letters: str, words: npt.NDArray[np.int32]) -> None:
        self._ops = np.flatnonzero(table.has(letters))
        self.words = words[self._ops]
        self._items = table.items[self._ops]
        self._wrong = np.concatenate([[0], np.cumsum(table.has("SID"))])
        self._ends = np.searchsorted(self._items, np.arange(len(table) + 1))

    def words_of(self, item: int) -> tuple[int, int]:
        """Where the words of an item begin and end."""
        return int(self._ends[item]), int(self._ends[item + 1])

    def items_of(self, starts: Integers) -> list[int]:
        """The items of places."""
        found: list[int] = self._items[starts].tolist()
        return found

    def occurrences(
        self, trie: _Trie, folds: npt.NDArray[np.int32] | None = None
    ) -> tuple[Integers, Integers]:
        """Where terms are: their numbers, in order, and where each begins, from the left, none within the same term.
        With `folds`, of each word another number, those of the terms are such.

        All places go down the trie together, a level at a time: O(words * log terms) where terms are short.
        """
        words = self.words if folds is None else folds[self.words]
        starts = np.arange(len(words))
        nodes = np.zeros(len(starts), dtype=np.int64)
        found = [(nodes[:0], starts[:0])]
        for depth, (edges, terms) in enumerate(trie.levels):
            inside = starts + depth < self._ends[self._items[starts] + 1]
            starts, nodes = starts[inside], nodes[inside]
            wanted = nodes << 32 | words[starts + depth]
            nodes = np.searchsorted(edges[:-1], wanted)
            known = edges[nodes] == wanted
            starts, nodes = starts[known], nodes[known]
            ends = terms[nodes] >= 0
            found.append((terms[nodes[ends]], starts[ends]))
        which, places = map(np.concatenate, zip(*found, strict=True))
        return _apart(which, places, trie.lengths)

    def stretches(self, starts: Integers, ends: Integers) -> tuple[Integers, Flags]:
        """Of stretches of words: how many errors are in each, and whether it is nothing but hits in a row."""
        first, last = self._ops[starts], self._ops[ends - 1]
        edits = self._wrong[last + 1] - self._wrong[first]
        return edits, (edits == 0) & (last - first == ends - 1 - starts)


class _Folded:
    """Terms without case and punctuation, by numbers of groups, and the words of records that are such a term.

    Args:
        terms: the words of each.
    """

    def __init__(self, terms: Sequence[tuple[str, ...]]) -> None:
        known: dict[tuple[str, ...], int] = {}
        groups = [known.setdefault(tuple(map(_fold, words)), len(known)) for words in terms]
        self.groups = np.array(groups, dtype=np.int64)  # of each term
        self._terms = dict(zip(reversed(groups), reversed(terms), strict=True))  # the first of each group
        self._vocabulary = Vocabulary()
        self._trie = _Trie([self._vocabulary.numbers(words) for words in known])
        self._folds = np.zeros(0, dtype=np.int32)  # of each word of the records
        self._pairs: dict[tuple[str, str], None] = {}

    def unlike(
        self, side: _Side, own: tuple[Integers, Integers], words: Vocabulary
    ) -> tuple[Integers, Integers]:
        """Where words are a term of a group, and none as they are: groups, and where each begins.

        Args:
            side: the words of records, in parts.
            own: where terms are as they are.
            words: the vocabulary.
        """
        new = self._vocabulary.numbers(map(_fold, islice(words, len(self._folds), None)))
        self._folds = np.concatenate([self._folds, new])
        which, starts = side.occurrences(self._trie, self._folds)
        size = len(self._terms)
        kept = ~np.isin(starts * size + which, own[1] * size + self.groups[own[0]])
        return which[kept], starts[kept]

    def keep(self, side: _Side, which: Integers, starts: Integers, words: Vocabulary) -> None:
        """Keep in mind in which words some of these differ from the terms."""
        names = list(words) if len(which) else []
        for depth in range(len(self._trie.levels)):
            inside = self._trie.lengths[which] > depth
            pairs = np.unique(which[inside] << 32 | side.words[starts[inside] + depth]).tolist()
            both = ((names[pair & 0xFFFFFFFF], self._terms[pair >> 32][depth]) for pair in pairs)
            self._pairs.update((pair, None) for pair in both if pair[0] != pair[1])

    def told(self, reference: int, hypothesis: int) -> Unlike | None:
        """So many, with what they differ in; None where there are none."""
        if not self._pairs:
            return None
        ways = [("lowercase",), ("remove_punctuation",), tuple(_RULES)]
        rules = next(way for way in ways if all(_fold(a, way) == _fold(b, way) for a, b in self._pairs))
        return Unlike(reference, hypothesis, rules, next(iter(self._pairs)))


def _fold(word: str, rules: Iterable[str] = tuple(_RULES)) -> str:
    """A word under rules of normalisation; one of punctuation alone stays."""
    return " ".join(_of_rules(tuple(rules)).words(word)) or word


@cache
def _of_rules(rules: tuple[str, ...]) -> Normalisation:
    return Normalisation(lowercase="lowercase" in rules, remove_punctuation="remove_punctuation" in rules)


def _apart(which: Integers, starts: Integers, lengths: Integers) -> tuple[Integers, Integers]:
    """Terms and places in order, without places that are within one of the same term further left, which is kept."""
    order = np.lexsort((starts, which))
    which, starts = which[order], starts[order]
    near = np.zeros(len(starts), dtype=np.bool_)
    near[1:] = (np.diff(which) == 0) & (np.diff(starts) < lengths[which[1:]])
    kept = ~near
    free = 0
    for place in np.flatnonzero(near).tolist():
        if not near[place - 1]:
            free = starts[place - 1] + lengths[which[place]]
        if starts[place] >= free:
            kept[place] = True
            free = starts[place] + lengths[which[place]]
    return which[kept], starts[kept]


# Endings of the files of fstalign, by ids.
SUFFIXES = (".ref.nlp", ".nlp")


def spans_of(table: RecordTable, path: str) -> Iterator[Span]:
    """The tagged spans of fstalign's NLP files, as stretches of the closest paths of records.

    Args:
        table: records whose closest paths are the references as the files have them.
        path: the NLP file of the one item, or a folder with a file `ID.nlp` or `ID.ref.nlp` for each.

    Raises:
        InputError: a file that is not there or cannot be read; several items and one file; other words than the closest
            path has.
    """
    if not os.path.isdir(path) and len(table) != 1:
        raise InputError(
            f"one NLP file is for one item, and there are {len(table)}; give the folder with one a id", path
        )
    for item, id in enumerate(table.ids):
        file = _tagged_file(path, id)
        tagged = read_tagged(file)
        _check_words(tagged, table.sides(item)[0], id, file)
        yield from (Span(item, start, end, label) for label, start, end in tagged.spans)


def _tagged_file(path: str, id: str) -> str:
    if not os.path.isdir(path):
        return path
    files = [Path(path) / f"{id}{suffix}" for suffix in SUFFIXES]
    found = next((file for file in files if file.is_file()), None)
    if found is None:
        raise InputError(f"item {id}: there is neither {files[0].name} nor {files[1].name}", path)
    return str(found)


def _check_words(tagged: Tagged, closest: list[str], id: str, path: str) -> None:
    """Refuse a closest path that is not the reference of the file, case and punctuation aside."""
    advice = "score against this file, without grammars, choices or removed words"
    if len(tagged.words) != len(closest):
        raise InputError(
            f"item {id}: expected the {len(tagged.words)} words of the file, the closest path has {len(closest)}; "
            + advice,
            path,
        )
    for number, (word, other) in enumerate(zip(tagged.words, closest, strict=True), 1):
        if _letters(word) != _letters(other):
            raise InputError(
                f"item {id}: word {number} is {word!r}, on the closest path {other!r}; {advice}", path
            )


def _letters(word: str) -> str:
    return "".join(filter(str.isalnum, word.casefold())) or word
