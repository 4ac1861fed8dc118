"""What judging systems works on: `Statistics`, a row of numbers an item; their sums have the scores of sets of items.

`text_statistics` finds them for metrics of strings; `Statistics.of` takes them from the engine's results.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from fstmetrics._native import Graph
from fstmetrics.data.fields import NO_FIELDS, Fields, columns_of
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.nbest import NBest
from fstmetrics.data.network import Network
from fstmetrics.data.segments import TimedWords
from fstmetrics.data.symbols import SENTENCE_MARKERS
from fstmetrics.data.transcripts import Transcript, said
from fstmetrics.engine.batch import Batch
from fstmetrics.engine.item_tables import ItemTable, TableWriter, beside
from fstmetrics.engine.results import CorpusResult, References, Result, Scores, added, same_rules
from fstmetrics.engine.search import named
from fstmetrics.engine.sides import (
    Alternatives,
    Input,
    alternatives_of,
    is_sentence,
    is_sequence_of_strings,
    references_of,
    snapshot,
)
from fstmetrics.engine.signatures import (
    ORACLE,
    conditions_of_both,
    path_conditions,
    sacrebleu_signature_of,
    signature_of,
)
from fstmetrics.engine.unlike_sides import FEW_TEXTS, unspaced_sides
from fstmetrics.metrics.corpus_metric import CorpusMetric, Mean, TextMetric, Words, name_of, summands
from fstmetrics.metrics.path_metric import Totals
from fstmetrics.support.arguments import Labelled, column, described, expect, instance
from fstmetrics.support.equal_rows import TextRows
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import finite
from fstmetrics.support.printable import counted
from fstmetrics.support.tables import Tabular, arrow_stream
from fstmetrics.text.normalisation import PLAIN, Normalisation

if TYPE_CHECKING:
    from fstmetrics.engine.aligned_paths import Paths
    from fstmetrics.engine.breakdown import Breakdown
    from fstmetrics.metrics.corpus_metric import Table
    from fstmetrics.metrics.nist_meteor import NIST, WeightedNIST

# Items counted at once: enough for numpy, few enough for a progress bar to move.
BATCH = 500

Progress = Callable[[int], None]
# A hypothesis and its references, as they are given.
_Pair = tuple[Words | str, list[Words | str]]


@dataclass(frozen=True, eq=False)
class Statistics(Tabular):
    """One system under one metric. Adds up like a `CorpusResult`, and has its `score` and `mean_score`.

    Attributes:
        metric: what is computed from them.
        rows: the numbers of each item, shape [items, columns of the metric].
        ids: of the items, or None.
        normalisation: what was done to the words.
        whole_score: the score, of a metric that has no statistics.
        conditions: what else the score depends on, as of a `CorpusResult`.
        fields: of the items; None where none has any.
        totals: the counts of the best paths together, of a finite-state metric.
        paths: alignments of the best paths, where they were asked for.
        remark: what there is to say of the texts: that they look tokenized, and were tokenized again.
        grammars: what widened the references, as signatures have it; empty where nothing did.
        row_labels: those of the columns that were scored, of pandas; None where they had none.
        references: what the items were scored against, where that is known.
        as_given: whether the texts were strings of which nothing was taken out: sacrebleu counts the same words.
    """

    metric: CorpusMetric
    rows: Table | ItemTable
    ids: tuple[str | None, ...] | None = None
    normalisation: Normalisation | None = None
    whole_score: float | None = None
    remark: str = ""
    conditions: tuple[str, ...] = ()
    fields: Sequence[Fields] | None = None
    totals: Totals | None = None
    paths: Paths | None = None
    grammars: str = ""
    as_given: bool = False
    row_labels: Labelled | None = None
    references: References | None = None

    @cached_property
    def table(self) -> ItemTable:
        """The numbers of each item, of which parts may be in a file."""
        return self.rows if isinstance(self.rows, ItemTable) else ItemTable(self.rows)

    @property
    def values(self) -> Table:
        """All of them as an array, shape [items, columns of the metric]."""
        return self.table.values

    @property
    def details(self) -> str:
        """What a summary says of the corpus beside its score, as BLEU's precisions; mostly nothing."""
        return self.metric.details(self.sums) if self.metric.columns and len(self) else ""

    @property
    def remarks(self) -> list[str]:
        """What there is to say of the texts."""
        return [*filter(None, [self.remark])]

    @property
    def detail_values(self) -> dict[str, object]:
        """The same for programs."""
        return self.metric.detail_values(self.sums) if self.metric.columns and len(self) else {}

    @classmethod
    def of(cls, corpus: CorpusResult, paths: bool = False) -> Statistics:
        """Those of the engine's results: numerators and denominators; with `paths`, alignments, too."""
        instance(CorpusResult).check(corpus, "corpus")
        values = _counts(corpus)
        fields = corpus.fields if any(corpus.fields) else None
        aligned = None
        if paths:
            from fstmetrics.engine.aligned_paths import Paths  # few tests look at words

            words = [(item.hypothesis, item.closest) for item in corpus]
            aligned = Paths([hypothesis for hypothesis, _ in words], [reference for _, reference in words])
        return cls(
            corpus.metric,
            values,
            corpus.ids,
            corpus.normalisation,
            conditions=path_conditions(corpus.conditions, corpus.alternations, ""),
            grammars=corpus.grammars,
            fields=fields,
            totals=corpus.totals,
            paths=aligned,
            row_labels=corpus.row_labels,
            references=corpus.references,
        )

    @classmethod
    def of_runs(cls, runs: Sequence[Statistics]) -> Statistics:
        """Those of one system with several outputs, as of several runs of an optimizer: scores are their means.

        Raises:
            FstmetricsError: runs of different numbers of items, or of different metrics.
        """
        from fstmetrics.metrics.compared_rates import MeanOfRuns  # most runs have one output a system

        first = runs[0]
        if len({len(run) for run in runs}) > 1 or any(run.metric != first.metric for run in runs):
            raise FstmetricsError("runs of one system have the same items and the same metric")
        return cls(
            MeanOfRuns(first.metric, len(runs)),
            beside([run.table for run in runs]),
            first.ids,
            first.normalisation,
            remark=next((run.remark for run in runs if run.remark), ""),
            conditions=(*first.conditions, f"runs:{len(runs)}"),
            fields=first.fields,
            row_labels=first.row_labels,
            references=first.references,
        )

    @property
    def signature(self) -> str:
        """All that the score depends on, in one line.

        >>> import fstmetrics as fm
        >>> fm.score(["the cat"], ["a cat"], "bleu").signature.split("|")[:4]
        ['fstmetrics', 'metric:bleu', 'ref_length:closest', 'smoothing:exp']
        """
        conditions = path_conditions(self.conditions, "", self.grammars)
        return signature_of(self.metric, self.normalisation, conditions)

    @property
    def sacrebleu_signature(self) -> str:
        """sacrebleu's name and signature of the same score; empty where sacrebleu has another one, or none.

        >>> import fstmetrics as fm
        >>> fm.score(["the cat"], ["a cat"], "chrf++").sacrebleu_signature.rpartition("|")[0]
        'chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no'
        >>> fm.score(["the cat"], ["a cat"], "bleu-sbp").sacrebleu_signature
        ''
        """
        if not self.as_given:
            return ""
        return sacrebleu_signature_of(self.metric, self.normalisation, self.conditions)

    @property
    def sums(self) -> Table:
        """Sums over the items, shape [columns]."""
        return self.table.sums

    @property
    def score(self) -> float:
        """The score of the corpus."""
        return float(self.metric.corpus_score(self.sums)) if self.whole_score is None else self.whole_score

    @cached_property
    def item_scores(self) -> Table:
        """The score of each item; empty for a metric that has no statistics."""
        if not self.metric.columns:
            return np.zeros(0)
        parts = [self.metric.scores_of_items(part) for part in self.table.parts()]
        return np.concatenate([np.zeros(0), *parts])

    @property
    def mean_score(self) -> float:
        """Mean of the items' finite scores; nan where there is none."""
        finite = self.item_scores[np.isfinite(self.item_scores)]
        return math.fsum(finite) / len(finite) if len(finite) else math.nan

    @property
    def infinite(self) -> int:
        """How many items have no score that is finite; they count in the sums, and in no mean."""
        return int(np.count_nonzero(~np.isfinite(self.item_scores)))

    def mean(self, metric: Mean | None = None) -> Statistics:
        """Those of the mean of item scores; `metric` is a mean of this metric with a name of its own."""
        mean = metric or Mean(self.metric)
        writer = TableWriter(len(mean.columns), self.table.room)
        for part in self.table.parts() if self.metric.columns else ():
            writer.add(summands(self.metric.scores_of_items(part)))
        return replace(self, metric=mean, rows=writer.table(), totals=None, paths=None)

    def by(
        self, field: str | Sequence[str], bins: Iterable[float] = (), samples: int = 1000, seed: int = 1
    ) -> Breakdown:
        """The items by the values of a field: `Statistics` for each; arguments and errors as of `CorpusResult.by`."""
        from fstmetrics.engine.breakdown import breakdown

        return breakdown(self, field, bins, samples, seed)

    def interval(
        self,
        samples: int = 10_000,
        seed: int = 1,
        confidence: float = 0.95,
        blocks: Sequence[object] | Mapping[str, object] | str | None = None,
    ) -> tuple[float, float]:
        """The bootstrap interval of the score; arguments and errors as of `CorpusResult.interval`."""
        from fstmetrics.significance.compare_statistics import interval

        return interval(self, samples, seed, confidence, blocks)

    def as_dict(self) -> dict[str, Any]:
        """Scores and sums by the names that the summary of `--json` has for them, without the items.

        >>> import fstmetrics as fm
        >>> found = fm.score(["the cat sat on a mat"], ["the cat sat on the mat"], "ter").as_dict()
        >>> found["metric"], found["items"], round(found["score"], 2), found["statistics"]
        ('ter', 1, 16.67, {'edits': 1.0, 'reference_length': 6.0})
        """
        return {
            "metric": self.name,
            "items": len(self),
            "score": finite(self.score),
            "mean_score": finite(self.mean_score),
            "infinite_scores": self.infinite,
            "statistics": dict(zip(self.metric.columns, self.sums.tolist(), strict=True)),
        }

    def columns(self) -> dict[str, Any]:
        """The items as columns: id, score, and the metric's statistics by their names; shape [items].

        >>> import fstmetrics as fm
        >>> found = fm.score(["the cat sat on a mat"], ["the cat sat on the mat"], "ter").columns()
        >>> found["edits"].tolist(), found["reference_length"].tolist()
        ([1.0], [6.0])
        """
        ids = [None] * len(self) if self.ids is None else list(self.ids)
        scores = {"score": self.item_scores} if self.metric.columns else {}
        found = {"id": ids, **scores, **dict(zip(self.metric.columns, self.values.T, strict=True))}
        return found | columns_of(self.labels(), found)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The items for libraries that know Arrow's C interface, a row an item; see `columns`."""
        return arrow_stream(self.columns(), len(self))

    def _repr_html_(self) -> str:
        from fstmetrics.reports.notebook import statistics_html

        return statistics_html(self)

    @property
    def name(self) -> str:
        """What the score is called: the metric's name, `cer` for the WER of characters."""
        return name_of(self.metric.name, self.normalisation.unit if self.normalisation else "word")

    def __len__(self) -> int:
        return len(self.rows)

    def __add__(self, other: Statistics) -> Statistics:
        if not isinstance(other, Statistics):
            return NotImplemented
        if other.metric != self.metric or not self.metric.columns:
            raise FstmetricsError("statistics of different metrics, or of one without any, cannot be added")
        ids = None if self.ids is None or other.ids is None else self.ids + other.ids
        same, grammars = same_rules(self, other)
        conditions = conditions_of_both(self.conditions, other.conditions)
        values = np.concatenate([self.values, other.values])
        fields = None
        if self.fields is not None or other.fields is not None:
            fields = [*self.labels(), *other.labels()]
        totals = None if self.totals is None or other.totals is None else self.totals + other.totals
        paths = None if self.paths is None or other.paths is None else self.paths + other.paths
        as_given = self.as_given and other.as_given
        rows = self.row_labels and other.row_labels and self.row_labels + other.row_labels
        return Statistics(
            self.metric, values, ids, same, conditions=conditions, fields=fields, totals=totals, paths=paths,
            grammars=grammars, as_given=as_given, row_labels=rows,
            references=added(self.references, other.references),
        )  # fmt: skip

    def __getitem__(self, index: object) -> NoReturn:
        by_id = (
            f"; by id: dict(zip(result.ids, result.item_scores))[{index!r:.80}]"
            if isinstance(index, str)
            else ""
        )
        raise FstmetricsError(f"items have scores and no paths: result.item_scores has them in order{by_id}")

    def labels(self) -> Sequence[Fields]:
        """The fields of each item; none where it has none."""
        return [NO_FIELDS] * len(self) if self.fields is None else self.fields

    def __repr__(self) -> str:
        said = self.sacrebleu_signature
        called = f"{self.name} oracle" if ORACLE in self.conditions else self.name
        return f"Statistics({called} {self.score:.4f}, {counted(len(self), 'item')}{said and ', '}{said})"


def _counts(corpus: CorpusResult) -> Table:
    """Numerators and denominators of the engine's results, found once for all items with the same counts."""
    metric = corpus.metric
    if isinstance(corpus.items, Batch):
        numbers, totals = corpus.items.kinds()
        return _rows_of(metric, map(metric.statistics, totals))[numbers]
    return _rows_of(metric, corpus.each(metric.statistics))


def _rows_of(metric: CorpusMetric, rows: Iterable[Sequence[int]]) -> Table:
    return np.array(list(rows), dtype=np.float64).reshape(-1, len(metric.columns))


if TYPE_CHECKING:  # where a type checker sees that they meet the protocol
    KINDS: tuple[type[Scores], ...] = (Result, CorpusResult, Statistics)


def text_statistics(
    metric: TextMetric,
    hypotheses: Sequence[Input],
    references: Sequence[Input],
    ids: Sequence[str | None] | None = None,
    normalisation: Normalisation = PLAIN,
) -> Statistics:
    """Statistics of strings.

    Args:
        metric: what to compute.
        hypotheses: a string or a sequence of words an item.
        references: one or several strings an item, in the same order.
        ids: names of the items.
        normalisation: changes to the words of both sides.

    Raises:
        FstmetricsError: something other than strings, with the item and the side; or a package that the metric needs is
            not installed.
    """
    kept = settled(metric, hypotheses, references, normalisation, ids)
    remark = looks_tokenized(kept, hypotheses, references) or texts_remark(
        metric, hypotheses, references, kept, ids
    )
    writer, as_given = TableWriter(len(metric.columns)), True
    for given, rows in _tables(metric, hypotheses, references, kept, ids):
        writer.add(rows)
        as_given = as_given and _are_as_given(given)
    whole = None if metric.columns else whole_score(metric, hypotheses, references, kept)
    conditions = (f"refs:{references_of(references, hypotheses)}",)
    names = None if ids is None else tuple(ids)
    against = References(normalisation, (snapshot(references, hypotheses),))
    return Statistics(
        metric, writer.table(), names, kept, whole, remark, conditions, as_given=as_given, references=against
    )


def texts_remark(
    metric: TextMetric,
    hypotheses: Sequence[Input],
    references: Sequence[Input],
    normalisation: Normalisation,
    ids: Sequence[str | None] | None = None,
) -> str:
    """What is said of marks that count for nothing, or of words that no spaces part; mostly nothing."""
    if not metric.only_marks:
        some = [*islice(zip(hypotheses, references, strict=False), FEW_TEXTS)]
        spaced = {
            isinstance(text, str) and text.isascii() and " " in text for texts in some for text in texts
        }
        return "".join(unspaced_sides(some, normalisation, metric.ways_to_cut) if False in spaced else ())
    from fstmetrics.metrics.orthography import uncounted, uncounted_remark  # the metric's own file

    found: Counter[str] = Counter()
    for hypothesis, texts in _pairs(metric, hypotheses, references, ids):
        for text in (hypothesis, *texts):
            found.update(uncounted(text if isinstance(text, str) else " ".join(text), metric.only_marks))
    return uncounted_remark(found, metric.only_marks)


def text_part(
    metric: TextMetric,
    hypotheses: Sequence[Input],
    references: Sequence[Input],
    normalisation: Normalisation,
) -> tuple[Table, bool, int]:
    """Statistics of some items, shape [items, columns]; arguments and errors as of `text_rows`.

    Beside them, whether all texts are strings of which nothing is taken out, and how many items end as tokenized ones.
    """
    tables, as_given = [], True
    for given, rows in _tables(metric, hypotheses, references, normalisation):
        tables.append(rows)
        as_given = as_given and _are_as_given(given)
    return _joined(tables, metric), as_given, tokenized_ends(hypotheses, references)


def settled(
    metric: TextMetric,
    hypotheses: Sequence[Input],
    references: Sequence[Input],
    normalisation: Normalisation,
    ids: Sequence[str | None] | None = None,
) -> Normalisation:
    """What is done to the words of all items of a corpus; arguments and errors as of `text_statistics`."""
    expect(normalisation, Normalisation, "normalisation")
    normalisation.refuse_optional_words()
    as_words = _given_as_words(metric, hypotheses, references, normalisation, ids)
    return metric.normalisation(normalisation, as_words)


def text_rows(
    metric: TextMetric,
    hypotheses: Sequence[Input],
    references: Sequence[Input],
    normalisation: Normalisation,
    ids: Sequence[str | None] | None = None,
) -> Table:
    """The statistics alone, shape [items, columns]; arguments and errors as of `text_statistics`, but that
    `normalisation` is what the metric makes of it."""
    return _joined([rows for _, rows in _tables(metric, hypotheses, references, normalisation, ids)], metric)


def _joined(tables: Sequence[Table], metric: TextMetric) -> Table:
    return np.concatenate(tables) if tables else np.zeros((0, len(metric.columns)))


def whole_score(
    metric: TextMetric, hypotheses: Sequence[Input], references: Sequence[Input], normalisation: Normalisation
) -> float | None:
    """The score of a metric without columns; arguments and errors as of `text_rows`."""
    parts = list(_batches(metric, hypotheses, references, normalisation))
    return metric.whole_score(
        [each for _, words, _ in parts for each in words], [each for _, _, words in parts for each in words]
    )


def weighted(
    metric: NIST, hypotheses: Sequence[Input], references: Sequence[Input], normalisation: Normalisation
) -> WeightedNIST:
    """NIST with the weights of these references; arguments and errors as of `text_statistics`.

    The hypotheses say only whether texts are lists of words.
    """
    as_words = _given_as_words(metric, hypotheses, references, normalisation, None)
    kept = metric.normalisation(normalisation, as_words)
    batches = _batches(metric, hypotheses, references, kept)
    return metric.weighted([each for _, _, words in batches for each in words])


def _given_as_words(
    metric: TextMetric,
    hypotheses: Sequence[Input],
    references: Sequence[Input],
    normalisation: Normalisation,
    ids: Sequence[str | None] | None,
) -> bool:
    """Whether texts are lists of words; asked only where it decides whether they are tokenized.

    Raises:
        FstmetricsError: some are, and some are not.
    """
    if metric.tokenizer == "none" or normalisation.tokenize is not None:
        return False
    if isinstance(hypotheses, TextRows) and isinstance(references, TextRows):
        return False
    kinds = {
        isinstance(text, str)
        for hypothesis, texts in _pairs(metric, hypotheses, references, ids)
        for text in (*texts, hypothesis)
        if len(text)
    }
    if len(kinds) > 1:
        raise FstmetricsError(
            f"some texts are strings, which {metric.name} tokenizes by {metric.tokenizer}, and others lists of words, "
            "which it takes as they are: give all in one way, or say Normalisation(tokenize=...)"
        )
    return kinds == {False}


def is_as_given(text: object) -> bool:
    """Whether sacrebleu counts the same words of a text: it is a string, and no sentence marker is taken out of it.

    >>> [is_as_given(text) for text in ("a b", "<s> a b </s>", ["a", "b"])]
    [True, False, False]
    """
    return isinstance(text, str) and not (
        any(map(text.__contains__, SENTENCE_MARKERS)) and not SENTENCE_MARKERS.isdisjoint(text.split())
    )


def _are_as_given(pairs: Iterable[_Pair]) -> bool:
    """Whether all texts are strings of which nothing is taken out."""
    return all(is_as_given(text) for hypothesis, texts in pairs for text in (*texts, hypothesis))


def looks_tokenized(
    normalisation: Normalisation, hypotheses: Sequence[Input], references: Sequence[Input]
) -> str:
    """What is said of strings that are tokenized a second time, as sacrebleu says it; empty if they do not look so."""
    if normalisation.tokenize in (None, "none"):
        return ""
    return tokenized_remark(
        str(normalisation.tokenize), tokenized_ends(hypotheses, references), len(hypotheses)
    )


def tokenized_ends(hypotheses: Sequence[Input], references: Sequence[Input]) -> int:
    """Of how many items the hypothesis and a reference end in a period with a space before it."""
    return sum(
        ends_tokenized(hypothesis) and ends_tokenized(reference)
        for hypothesis, reference in zip(hypotheses, references, strict=False)
    )


def ends_tokenized(side: object) -> bool:
    """Whether a text, or one of several, ends so."""
    if isinstance(side, str):
        return side.endswith(" .")
    several = side.items if isinstance(side, Alternatives) else side if isinstance(side, list | tuple) else ()
    return any(isinstance(text, str) and text.endswith(" .") for text in several)


def tokenized_remark(tokenizer: str, ends: int, items: int) -> str:
    """The same of so many items that end in a period with a space before it."""
    if ends < TOKENIZED or tokenizer in ("none", "None"):
        return ""
    return (
        f"{ends} of {items} items end in ' .' on both sides: they look tokenized, and are tokenized again by "
        f"{tokenizer}, which may change the score; --tokenize none (tokenize='none' in Python) takes words as spaces "
        "separate them"
    )


# As many hypotheses with a tokenized end are a reason to warn, as in sacrebleu.
TOKENIZED = 100


def _tables(metric: TextMetric, *sides: Any) -> Iterator[tuple[list[_Pair], Table]]:
    """Items, some at a time: as they are given, and their statistics; other arguments as of `_batches`.

    Raises:
        FstmetricsError: what the metric gives has not a row an item and a column a statistic.
    """
    for given, words, others in _batches(metric, *sides):
        rows, shape = metric.statistics(words, others), (len(words), len(metric.columns))
        if not isinstance(rows, np.ndarray) or rows.shape != shape:
            found = f"shape {list(rows.shape)}" if isinstance(rows, np.ndarray) else described(rows)
            raise FstmetricsError(
                f"statistics() of {metric.name} gave {found}, and a numpy array of shape {list(shape)} is expected: a "
                "row an item, a column a statistic"
            )
        yield given, rows


def _batches(
    metric: TextMetric,
    hypotheses: Sequence[Input],
    references: Sequence[Input],
    normalisation: Normalisation,
    ids: Sequence[str | None] | None = None,
) -> Iterator[tuple[list[_Pair], list[Words], list[list[Words]]]]:
    """Items, some at a time: as they are given, the words of their hypotheses, and those of their references."""
    of_hypotheses, of_references = normalisation.of_hypotheses, normalisation.of_references

    def words(text: Words | str, changes: Normalisation) -> Words:
        as_written = metric.as_written and isinstance(text, str)
        return [changes.text(text)] if as_written else changes.words(text)  # type: ignore[arg-type]

    pairs = _pairs(metric, hypotheses, references, ids)
    while some := list(islice(pairs, BATCH)):
        yield (
            some,
            [words(text, of_hypotheses) for text, _ in some],
            [[words(each, of_references) for each in texts] for _, texts in some],
        )


def _pairs(
    metric: TextMetric,
    hypotheses: Sequence[Input],
    references: Sequence[Input],
    ids: Sequence[str | None] | None,
) -> Iterator[_Pair]:
    """The hypothesis of each item and its references; an error names the item and the side."""
    for item, (hypothesis, reference) in enumerate(zip(hypotheses, references, strict=True)):
        side = "reference"
        try:
            texts = _texts(metric, reference, hypothesis)
            side = "hypothesis"
            alone = [hypothesis] if isinstance(hypothesis, str) else _texts(metric, said(hypothesis), None)
            if len(alone) > 1:
                raise FstmetricsError(f"{metric.name} compares one hypothesis an item, not {len(alone)}")
        except FstmetricsError as error:
            raise FstmetricsError(named(ids, item, len(hypotheses), side) + str(error)) from None
        yield alone[0], texts


# What is no sentence, in words.
NOT_TEXTS: Mapping[type, str] = {
    Lattice: "lattices", NBest: "n-best lists", Network: "networks", Transcript: "texts with choices",
    TimedWords: "words with times", Graph: "graphs",
}  # fmt: skip


def _texts(metric: TextMetric, value: Input, hypothesis: object) -> list[Words | str]:
    """One or several sentences."""
    if is_sentence(value, hypothesis):
        return [value]  # type: ignore[list-item]
    if (listed := column(value)) is not None:
        return _texts(metric, listed, hypothesis)
    if kind := next((said for kind, said in NOT_TEXTS.items() if isinstance(value, kind)), None):
        best = "; best writes their 1-best" if isinstance(value, Lattice | NBest) else ""
        best += ", and oracle (fm.oracle_files) finds the best entries of files" * isinstance(value, NBest)
        raise FstmetricsError(
            f"{metric.name} compares strings, not {kind}; lattices, networks and choices are for wer, wrr, sclite, grr "
            f"and hyter{best}"
        )
    items = alternatives_of(value, hypothesis)
    for item in items:
        if not (isinstance(item, str) or is_sequence_of_strings(item)):
            raise FstmetricsError(f"{metric.name} compares strings; in a list there is {described(item)}")
    return list(items)  # type: ignore[arg-type]
