"""A table of numbers about translations, one row a passage: `passage_features` [H12 §5.3].

`table_rows` are for files; `read_labelled` reads it with a last column `level` or `labels`. `ngram_matches` says which
n-grams of a sentence occur somewhere on a path of a network.

In [H12 §5] graders label each passage SM, MM, IM, HM or NT, and over 100 rules, which are not published, make a level
of the three labels. Here the rules are a file, `PassageRules`, so that those who have such rules can use them.
"""

from __future__ import annotations

import csv
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fstmetrics import FstmetricsError, HyTER, Network, Normalisation, align
from fstmetrics._native import Automaton, Rtn
from fstmetrics.engine.sides import Input, as_graph
from fstmetrics.scoring.sums import Series, Sum, Sums, Term
from fstmetrics.support.limits import limits
from fstmetrics.support.source import Source

# Fits every label.
ANY = "*"


def parted(text: str, mark: str) -> tuple[str, ...]:
    """The parts between marks, without white space around them.

    >>> parted("SM, MM ,*", ",")
    ('SM', 'MM', '*')
    """
    return tuple(part.strip() for part in text.split(mark))


def levels_of(text: str) -> frozenset[str]:
    """Levels with bars between them; whole numbers as such, as tables have 2.0 for 2.

    >>> sorted(levels_of("1+ | 2.0"))
    ['1+', '2']
    """
    return frozenset(re.sub(r"^(\d+)\.0+$", r"\1", level) for level in parted(text, "|"))


@dataclass(frozen=True)
class PassageRules:
    """Rules in order: labels of the passages, `*` for any, and the levels that an examination with such labels has.

    >>> rules = PassageRules(((("HM", "HM"), frozenset({"3"})), (("*", "HM"), frozenset({"2", "2+"}))))
    >>> sorted(rules.levels(["MM", "HM"]))
    ['2', '2+']
    """

    rules: tuple[tuple[tuple[str, ...], frozenset[str]], ...]

    @classmethod
    def read(cls, path: str | Path) -> PassageRules:
        """Read lines of labels, a tab, and levels: `SM,MM,*<tab>1|1+`; empty lines and comments (#) are none.

        Raises:
            InputError: a line without a tab, an empty label or level, or another number of passages than in the first.
        """
        source = Source.open(path)
        rules: list[tuple[tuple[str, ...], frozenset[str]]] = []
        for number, line in source.lines():
            if not line.strip() or line.startswith("#"):
                continue
            labels, tab, levels = line.partition("\t")
            rule = parted(labels, ","), levels_of(levels)
            if not tab or "" in rule[0] or "" in rule[1]:
                raise source.error("expected labels, a tab and levels, such as SM,MM,*<tab>1|1+", number)
            if rules and len(rule[0]) != len(rules[0][0]):
                raise source.error(
                    f"expected labels of {len(rules[0][0])} passages as in the first rule, found {len(rule[0])}",
                    number,
                )
            rules.append(rule)
        if not rules:
            raise source.error(
                "there is no rule; a line is labels, a tab and levels, such as SM,MM,*<tab>1|1+"
            )
        return cls(tuple(rules))

    def levels(self, labels: Sequence[str]) -> frozenset[str]:
        """The levels by the first rule that fits.

        Raises:
            FstmetricsError: no rule fits the labels.
        """
        for wanted, levels in self.rules:
            if len(wanted) == len(labels) and all(
                rule in (ANY, label) for rule, label in zip(wanted, labels, strict=True)
            ):
                return levels
        raise FstmetricsError(f"no rule fits the labels {','.join(labels)}")


MAX_ORDER = 20
# A word of what a column of names is called: then numbers are names, too.
NAMED = frozenset({
    "candidate", "document", "essay", "exam", "file", "id", "learner", "name", "participant", "passage", "person",
    "speaker", "student", "text", "translator",
})  # fmt: skip
_COUNTS = ("insertions", "deletions", "substitutions", "insertions_or_deletions")
NAMES: tuple[str, ...] = (
    "hyter",
    *_COUNTS,
    *(f"{name}_per_word" for name in _COUNTS),
    *(f"precision_{n}" for n in range(1, MAX_ORDER + 1)),
)


@dataclass(frozen=True)
class FeatureTable:
    """Features of passages, for scikit-learn.

    Attributes:
        passages: the row names.
        values: shape [passages, features]; the columns are `NAMES`.
    """

    passages: tuple[str, ...]
    values: npt.NDArray[np.float64]


def passage_features(
    sentences: Iterable[tuple[str, str, Network]],
    metric: HyTER | None = None,
    normalisation: Normalisation | None = None,
) -> FeatureTable:
    """Features of passages [H12 §5.3].

    The HyTER score (sums over the passage's sentences); insertions, deletions, substitutions and
    insertions-or-deletions, as they are and divided by the passage's words; and n-gram precisions for n = 1 .. 20
    against all paths of the networks: unclipped, no n-gram crosses sentences, 0 where a passage has none of that order.

    Args:
        sentences: passage, translation and reference network of every sentence.
        metric: HyTER by default.
        normalisation: of both sides.

    Raises:
        FstmetricsError: a network that is too large to look for n-grams in it.

    >>> from fstmetrics import Card
    >>> network = Network([Card.from_phrases("S", ["the cat sat", "a cat sat"])], "S")
    >>> table = passage_features([("p1", "the cat", network)])
    >>> dict(zip(NAMES, table.values[0].tolist(), strict=True))["precision_2"]
    1.0
    """
    metric, normalisation = metric or HyTER(), normalisation or Normalisation()
    sums: defaultdict[str, Sums] = defaultdict(Sums)
    for passage, translation, network in sentences:
        sums[passage].add([_sentence(translation, network, metric, normalisation)])
    rows = [_features(each.of(SENTENCES)) for each in sums.values()]
    values = np.array(rows, dtype=np.float64).reshape(len(rows), len(NAMES))
    return FeatureTable(tuple(sums), values)


SENTENCES = Series("sentences")


def _sentence(translation: str, network: Network, metric: HyTER, normalisation: Normalisation) -> Term:
    """What a sentence adds: its words, the totals of its best path, and its n-grams and those of them that match."""
    result = align(translation, network, metric, normalisation=normalisation)
    words = normalisation.of_hypotheses.words(translation)
    matches = ngram_matches(words, network, MAX_ORDER, normalisation.of_references).tolist()
    numbers = {"words": len(words)}
    for order, number in enumerate(matches, 1):
        numbers |= {f"matches_{order}": number, f"ngrams_{order}": max(0, len(words) - order + 1)}
    return Term(SENTENCES, result.totals, numbers)


def _features(passage: Sum) -> list[float]:
    totals, words = passage.sum(), passage.number("words").total
    errors = totals.edits + totals.moves
    score = errors / totals.path_length if totals.path_length else float(errors > 0)
    edits = totals.insertions, totals.deletions, totals.substitutions, totals.insertions + totals.deletions
    counts = list(map(float, edits))
    orders = range(1, MAX_ORDER + 1)
    pairs = [(passage.number(f"matches_{n}").total, passage.number(f"ngrams_{n}").total) for n in orders]
    precisions = [matches / max(ngrams, 1) for matches, ngrams in pairs]
    return [score, *counts, *(count / max(words, 1) for count in counts), *precisions]


def ngram_matches(
    words: Sequence[str], reference: Input, max_order: int, normalisation: Normalisation | None = None
) -> npt.NDArray[np.int64]:
    """How many n-grams of a sentence occur on some path, for n = 1 .. max_order.

    Not clipped: every occurrence in the sentence counts. An n-gram occurs in an automaton if a path from the start to a
    final state reads it somewhere. One sweep over the sentence decides all orders: for every state, the longest run of
    words just read that ends there on some path. O(words x arcs that carry the word, or none).

    Args:
        words: the sentence's words, normalised like the reference.
        reference: a network, or anything else that can be a reference.
        max_order: the largest n.
        normalisation: of the reference's words.

    Returns:
        Counts, shape [max_order].

    Raises:
        FstmetricsError: the network is too large to be written out.

    >>> import fstmetrics as fm
    >>> ngram_matches("the cat sat".split(), fm.Alternatives(["the cat", "a cat sat"]), 3).tolist()
    [3, 2, 0]
    """
    graph = as_graph(reference, normalisation or Normalisation())
    machine = graph.machine
    automaton = machine.expanded(limits().expansion) if isinstance(machine, Rtn) else machine
    if automaton is None:
        raise FstmetricsError("the network is too large to look for n-grams in it")
    automaton = automaton.prepared()
    longest = np.zeros(automaton.num_states, dtype=np.int64)
    counts = np.zeros(max_order, dtype=np.int64)
    arcs = _Arcs(automaton)
    labels = {word: label for label, word in enumerate(graph.words)}
    for word in words:
        longest = arcs.read(longest, labels.get(word, 0))
        counts[: min(int(longest.max(initial=0)), max_order)] += 1
    return counts


class _Arcs:
    """The arcs of an automaton by label; 0 is that of epsilon."""

    def __init__(self, automaton: Automaton) -> None:
        order = np.argsort(automaton.labels, kind="stable")
        self._labels = automaton.labels[order]
        self._sources = automaton.sources[order]
        self._destinations = automaton.destinations[order]

    def _of(self, label: int) -> slice:
        first, last = np.searchsorted(self._labels, [label, label + 1])
        return slice(int(first), int(last))

    def read(self, longest: npt.NDArray[np.int64], label: int) -> npt.NDArray[np.int64]:
        """The longest runs after one more word; no state has any after a word that no arc has."""
        after = np.zeros_like(longest)
        if not label:
            return after
        arcs = self._of(label)
        np.maximum.at(after, self._destinations[arcs], longest[self._sources[arcs]] + 1)
        self._pass_epsilons(after)
        return after

    def _pass_epsilons(self, longest: npt.NDArray[np.int64]) -> None:
        arcs = self._of(0)
        while arcs.stop > arcs.start:
            before = longest.copy()
            np.maximum.at(longest, self._destinations[arcs], before[self._sources[arcs]])
            if np.array_equal(before, longest):
                return


def table_rows(table: FeatureTable) -> Iterator[list[str]]:
    """The rows of a table in a file, the head first."""
    yield ["passage", *NAMES]
    for passage, row in zip(table.passages, table.values.tolist(), strict=True):
        yield [passage, *(f"{value:.10g}" for value in row)]


def read_labelled(
    path: str | Path, rules: PassageRules | None = None
) -> tuple[npt.NDArray[np.float64], list[frozenset[str]]]:
    """Read a table with tabs, or CSV: a name, numbers, and last a level, or several joined by `|`.

    Args:
        path: the table.
        rules: what makes levels of labels of passages; the last column is then `labels`, which commas separate.

    Returns:
        The features of exams, shape [exams, features], and the levels that graders accept for each.

    Raises:
        InputError: no head with `level` (`labels`) at its end, a feature in the place of the names, a line of another
            length, a name that comes twice, a field that is no number, or labels that no rule fits.
    """
    last = "level" if rules is None else "labels"
    source = Source.open(path)
    written = [(number, line) for number, line in source.lines() if line.strip()]
    has_tabs = not written or "\t" in written[0][1]
    lines = [(n, line.split("\t") if has_tabs else _quoted(source, n, line)) for n, line in written]
    if lines and lines[0][1][:2] == ["table", "passage"]:  # as `features --csv` and `--tsv` print it
        lines = [(number, fields[1:]) for number, fields in lines]
    if not lines or lines[0][1][-1] != last:
        raise source.error(
            f"expected a table whose first line ends with a column `{last}`, with tabs, or commas, between columns",
            1,
        )
    head, width = lines[0][1][0], len(lines[0][1])
    for number, fields in lines[1:]:
        if len(fields) != width:
            raise source.error(f"expected {width} columns as in the first line, found {len(fields)}", number)
        if not all(_is_number(field) for field in fields[1:-1]):
            raise source.error("expected numbers between the first column and the last", number)
        if not fields[-1].strip():
            raise source.error(f"the last column, `{last}`, is empty", number)
    names = [fields[0] for _, fields in lines[1:]]
    if head in NAMES or _are_a_feature(names, head):
        what = "numbers of" if _are_numbers(names) else "names under the name of a feature,"
        raise source.error(
            f"expected names of exams in the first column, found {what} {head!r:.80}: put a column of names before "
            "it, or call it `exam` if these are names",
            1,
        )
    levels = []
    seen: dict[str, int] = {}
    for number, fields in lines[1:]:
        if (first := seen.setdefault(fields[0], number)) != number:
            raise source.error(f"{fields[0]!r:.80} is also in line {first}; expected each exam once", number)
        try:
            found = levels_of(fields[-1]) if rules is None else rules.levels(parted(fields[-1], ","))
        except FstmetricsError as error:
            raise source.error(str(error), number) from None
        levels.append(found)
    rows = [fields for _, fields in lines[1:]]
    values = np.array([[float(x) for x in row[1:-1]] for row in rows], dtype=np.float64).reshape(
        len(rows), width - 2
    )
    return values, levels


def _quoted(source: Source, number: int, line: str) -> list[str]:
    """The cells of a line of CSV."""
    try:
        return next(csv.reader([line], strict=True))
    except csv.Error as error:
        raise source.error(f"quotes are not as CSV has them: {error}", number) from None


def _are_a_feature(fields: Sequence[str], head: str) -> bool:
    """Whether a column has numbers alone that do not count the rows, and is not called as names are."""
    if not fields or not _are_numbers(fields):
        return False
    is_count = fields[0].isdecimal() and fields == [str(int(fields[0]) + row) for row in range(len(fields))]
    words = re.split(r"[\W_]+|(?<=[a-z])(?=[A-Z])", head)
    return not is_count and NAMED.isdisjoint(map(str.lower, words))


def _are_numbers(fields: Iterable[str]) -> bool:
    """Also where some are missing, as nan."""
    return all(_is_number(field) or field.strip().lower() == "nan" for field in fields)


def _is_number(field: str) -> bool:
    try:
        return math.isfinite(float(field))
    except ValueError:
        return False
