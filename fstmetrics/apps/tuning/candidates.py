"""What tuning chooses from: `Candidates`, the hypotheses of every item with their features and statistics."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from warnings import warn

import numpy as np

from fstmetrics import (
    CorpusMetric,
    CorpusResult,
    FstmetricsError,
    Lattice,
    NBest,
    Normalisation,
    SearchOptions,
    Statistics,
    TextMetric,
    _native,
)
from fstmetrics.data.feature_forest import FeatureForest
from fstmetrics.data.features import Features
from fstmetrics.engine.api import check_looks, scored
from fstmetrics.engine.search import DEFAULT
from fstmetrics.metrics import as_corpus_metric
from fstmetrics.support.arguments import NUMBER, described, paired
from fstmetrics.support.names import listed
from fstmetrics.text.normalisation import PLAIN

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.metrics.corpus_metric import Table

    Longs = npt.NDArray[np.int64]
    Doubles = npt.NDArray[np.float64]

# What sums of scores may come to; the largest double is not much larger.
MOST = 1e300
# One item's hypotheses, as they are read.
Hypotheses = NBest | Lattice | FeatureForest


class Candidates:
    """The hypotheses of every item, of which a model with weights chooses one, and what a metric says of each.

    Args:
        hypotheses: for each item an `NBest` with features, a `Lattice` (whose costs are its features, see
            `FeatureForest.of_lattice`) or a `FeatureForest`; or several of them, say of all iterations so far, which
            count as one.
        references: of each item, as `fstmetrics.score` has them.
        metric: a name or a metric. Its statistics must add up; error rates are minimised, others maximised.
        normalisation: changes to the words of both sides. Words are compared as they are written: other than
            elsewhere, no metric tokenizes unless `tokenize` is asked for, as decoders write tokenized text.
        options: of the search, for finite-state metrics.
        remarks: where what is odd about scores goes; None: it is warned of, and of texts that look like no sentences.

    Attributes:
        forests: of each item.
        features: of all edges, item after item.
        metric: the metric.

    Raises:
        FstmetricsError: other numbers of references than of hypotheses, no hypotheses, a list without features, or a
            metric whose statistics do not add up.

    >>> from fstmetrics.data.features import Features
    >>> features = Features.from_rows([{"lm": -1.0, "tm": -2.0}, {"lm": -2.0, "tm": -0.5}])
    >>> nbest = NBest("0", (("a", "cat"), ("the", "cat")), ("a cat", "the cat"), features=features)
    >>> candidates = Candidates([nbest], ["the cat"], "wer")
    >>> candidates.score({"lm": 1.0, "tm": 0.5}), candidates.score({"lm": 0.5, "tm": 1.0})
    (0.5, 0.0)
    """

    def __init__(
        self,
        hypotheses: Sequence[Hypotheses | Sequence[Hypotheses]],
        references: Sequence[Any],
        metric: str | CorpusMetric = "bleu",
        *,
        normalisation: Normalisation = PLAIN,
        options: SearchOptions = DEFAULT,
        remarks: dict[str, None] | None = None,
    ) -> None:
        if len(hypotheses) != len(references):
            raise FstmetricsError(
                f"{len(hypotheses)} items have hypotheses, and {len(references)} have references: give one for each"
            )
        if not hypotheses:
            raise FstmetricsError("there is no item to tune on")
        if remarks is None:
            check_looks({"hypotheses": hypotheses}, references, normalisation, None, False)
        self.remarks = remarks
        self.forests = tuple(map(merged, hypotheses))
        self.features = Features.stacked([forest.features for forest in self.forests])
        self._of_edges, self._native = _joined(self.forests)
        self._all_lists = all(forest.is_list for forest in self.forests)
        self._prepare(references, metric, normalisation, options)

    def _prepare(
        self,
        references: Sequence[Any],
        metric: str | CorpusMetric,
        normalisation: Normalisation,
        options: SearchOptions,
    ) -> None:
        self.metric = as_corpus_metric(metric)
        if not self.metric.columns:
            raise FstmetricsError(
                f"{self.metric.name} has no statistics that add up, so nothing is tuned towards it"
            )
        if normalisation.tokenize is None:
            normalisation = replace(normalisation, tokenize="none")
        self._references, self._normalisation, self._options = references, normalisation, options
        self._rows: dict[tuple[int, tuple[str, ...]], int] = {}
        self._tables: list[Table] = []
        self._statistics: Table | None = None
        self._row_of_edge = self._of_lists() if self._all_lists else None

    def under(
        self,
        metric: str | CorpusMetric,
        references: Sequence[Any] | None = None,
        options: SearchOptions | None = None,
    ) -> Candidates:
        """The same hypotheses, under another metric, and other references where they are given."""
        found = object.__new__(Candidates)
        found.__dict__.update(self.__dict__)
        found._prepare(
            self._references if references is None else references,
            metric,
            self._normalisation,
            options or self._options,
        )
        return found

    def __len__(self) -> int:
        return len(self.forests)

    def __repr__(self) -> str:
        return f"Candidates({self.metric.name}, {len(self)} items, {len(self.features)} edges)"

    @property
    def names(self) -> tuple[str, ...]:
        """The features that some hypothesis has."""
        return self.features.names

    @property
    def all_lists(self) -> bool:
        """Whether every item has a list of strings, and no lattice or forest."""
        return self._all_lists

    @property
    def sign(self) -> int:
        """1 where a higher score is better, -1 where a lower one is."""
        return 1 if self.metric.recognition else -1

    @property
    def statistics(self) -> Table:
        """The statistics of all strings that have been asked for, shape [strings, columns]."""
        if self._statistics is None:
            self._statistics = np.ascontiguousarray(np.concatenate(self._tables))
            self._tables = [self._statistics]
        return self._statistics

    @property
    def item_rows(self) -> Sequence[tuple[int, int]]:
        """Of lists: the first edge of each item, and the end."""
        return list(pairwise(self._of_edges.tolist()))

    @property
    def row_of_edge(self) -> Longs:
        """Of lists: the row of `statistics` of each edge.

        Raises:
            FstmetricsError: an item has a lattice or forest.
        """
        if self._row_of_edge is None:
            raise FstmetricsError(
                "this is for n-best lists; `listed` makes lists of the best paths of lattices and forests"
            )
        return self._row_of_edge

    def envelopes(self, slopes: Doubles, intercepts: Doubles) -> tuple[Longs, Doubles, Longs]:
        """The best hypotheses along a line of weights.

        Args:
            slopes, intercepts: of each edge.

        Returns:
            Where the segments of each item begin, shape [items + 1]; where each segment begins on the line; and its row
            of `statistics`.

        Raises:
            FstmetricsError: slopes or intercepts whose sums may be infinite.
        """
        _refuse_too_large(slopes, intercepts)
        offsets, begins, edges, ends, words, *_ = self._native.envelopes(
            np.ascontiguousarray(slopes), np.ascontiguousarray(intercepts), not self._all_lists
        )
        if self._row_of_edge is not None:
            return offsets, begins, self._row_of_edge[edges]
        return offsets, begins, self._rows_of_words(offsets, ends, words)

    def check_weights(self, weights: Mapping[str, float], name: str = "weights") -> None:
        """Refuse weights under which hypotheses have no score.

        Raises:
            FstmetricsError: one is no finite number; or a feature of a hypothesis has none.
        """
        for each, value in weights.items():
            if not NUMBER.holds(value) or not math.isfinite(value):
                raise FstmetricsError(f"{name}: {each!r} is {value!r}, no finite number")
        if missing := [each for each in self.names if each not in weights]:
            raise FstmetricsError(
                f"{name}: {listed(missing)} of the hypotheses have no weight; give them one, say 0"
            )

    def best(self, weights: Mapping[str, float] | Doubles) -> list[tuple[str, ...]]:
        """The words of each item's best hypothesis under the weights; a feature without one weighs 0."""
        scores = self.features.dot(weights)
        _refuse_too_large(scores)
        _, _, _, ends, words, *_ = self._native.envelopes(np.zeros(len(scores)), scores, True)
        parts = [words[begin:end].tolist() for begin, end in pairwise(ends.tolist())]
        return [
            tuple(forest.words[word] for word in part)
            for forest, part in zip(self.forests, parts, strict=True)
        ]

    def listed(self, weights: Doubles, ways: Doubles) -> Candidates:
        """As n-best lists the hypotheses that are best somewhere on lines of weights.

        Args:
            weights: where the lines begin, shape [features].
            ways: where they lead, shape [lines, features].
        """
        scores = self.features.dot(weights)
        of_items: list[list[FeatureForest]] = [[] for _ in self.forests]
        for way in ways:
            slopes = self.features.dot(way)
            _refuse_too_large(slopes, scores)
            offsets, _, _, ends, words, derivations, taken = self._native.envelopes(slopes, scores, True)
            edges = self.features.taken(taken)
            rows = Features(edges.names, edges.offsets[derivations], edges.columns, edges.values)
            for item, (first, last) in enumerate(pairwise(offsets.tolist())):
                names, forest = self.forests[item].words, self.forests[item]
                texts = [
                    tuple(names[word] for word in words[begin:end].tolist())
                    for begin, end in pairwise(ends[first : last + 1].tolist())
                ]
                features = rows.taken(np.arange(first, last))
                of_items[item].append(FeatureForest.from_edges([texts], features, id=forest.id))
        return self._of(of_items)

    def with_lists(self, others: Candidates) -> Candidates:
        """The lists of both; entries with the same words and features are one."""
        both = [list(pair) for pair in zip(self.forests, others.forests, strict=True)]
        return self._of(both)

    def _of(self, hypotheses: Sequence[Sequence[Hypotheses]]) -> Candidates:
        return Candidates(
            hypotheses, self._references, self.metric, normalisation=self._normalisation, options=self._options,
            remarks=self.remarks,
        )  # fmt: skip

    def sums(self, weights: Mapping[str, float] | Doubles) -> Table:
        """The sums of the statistics of the best hypotheses under the weights, shape [columns]."""
        scores = self.features.dot(weights)
        _, _, rows = self.envelopes(np.zeros(len(scores)), scores)
        found: Table = self.statistics[rows].sum(axis=0)
        return found

    def score(self, weights: Mapping[str, float] | Doubles) -> float:
        """The metric of the best hypotheses under the weights; errors as of `check_weights`."""
        if isinstance(weights, Mapping):
            self.check_weights(weights)
        return float(self.metric.corpus_score(self.sums(weights)))

    def _of_lists(self) -> Longs:
        items, texts = list[int](), list[tuple[str, ...]]()
        for item, forest in enumerate(self.forests):
            entries = forest.texts()
            items += [item] * len(entries)
            texts += entries
        return self._rows_of(items, texts)

    def _rows_of_words(self, offsets: Longs, ends: Longs, words: npt.NDArray[np.int32]) -> Longs:
        items = np.repeat(np.arange(len(self)), np.diff(offsets)).tolist()
        texts = []
        for item, (begin, end) in zip(items, pairwise(ends.tolist()), strict=True):
            names = self.forests[item].words
            texts.append(tuple(names[word] for word in words[begin:end].tolist()))
        return self._rows_of(items, texts)

    def _rows_of(self, items: Sequence[int], texts: Sequence[tuple[str, ...]]) -> Longs:
        """The rows of `statistics` of strings; those that are not there yet are found first, all in one go.

        What is kept changes last, so that a call that is stopped or refused leaves the others right: rows first, which
        nothing refers to yet, then their numbers.
        """
        keys = list(zip(items, texts, strict=True))
        if new := [key for key in dict.fromkeys(keys) if key not in self._rows]:
            found, first = self._found(new), sum(map(len, self._tables))
            self._tables.append(found)
            self._statistics = None
            self._rows.update(zip(new, range(first, first + len(new)), strict=True))
        return np.array([self._rows[key] for key in keys], dtype=np.int64)

    def _found(self, keys: Sequence[tuple[int, tuple[str, ...]]]) -> Table:
        own: dict[str, Any] = {} if isinstance(self.metric, TextMetric) else {"options": self._options}
        texts = [" ".join(words) for _, words in keys]
        texts, references, _ = paired(texts, [self._references[item] for item, _ in keys])
        scores = scored(texts, references, self.metric, normalisation=self._normalisation, **own)
        for remark in [] if isinstance(scores, CorpusResult) else scores.remarks:
            if self.remarks is None:
                warn(remark, stacklevel=2)
            else:
                self.remarks[remark] = None
        found = Statistics.of(scores) if isinstance(scores, CorpusResult) else scores
        values = found.values
        if not np.isfinite(values).all():
            raise FstmetricsError(f"{self.metric.name}: a statistic of a hypothesis is no finite number")
        return values


def _refuse_too_large(*scores: Doubles) -> None:
    for each in scores:
        if not np.abs(each).max(initial=0.0) < MOST / (len(each) + 1):
            raise FstmetricsError(
                f"the score of an edge is {each[np.argmax(np.abs(each))]:g}: weights or features are too large for sums"
            )


def merged(hypotheses: Hypotheses | Sequence[Hypotheses]) -> FeatureForest:
    """One item's hypotheses as a forest. Of several lists, entries with the same words and features are one.

    Raises:
        FstmetricsError: something else, none, or a list without features.
    """
    if isinstance(hypotheses, Hypotheses):
        return as_forest(hypotheses)
    if not isinstance(hypotheses, list | tuple) or not hypotheses:
        raise FstmetricsError(
            f"an item's hypotheses are an NBest, a Lattice or a FeatureForest, or several, not {described(hypotheses)}"
        )
    parts = list(map(as_forest, hypotheses))
    if len(parts) == 1:
        return parts[0]
    id, features = parts[0].id, Features.stacked([part.features for part in parts])
    if all(part.is_list for part in parts):
        texts = [text for part in parts for text in part.texts()]
        keep = list(dict(reversed([(key, row) for row, key in enumerate(_keys(texts, features))])).values())
        keep.sort()
        return FeatureForest.from_edges([[texts[row] for row in keep]], features.taken(keep), id=id)
    vertices: list[list[tuple[str | int, ...]]] = []
    goals: list[tuple[str | int, ...]] = []
    for part in parts:
        first, edges = len(vertices), part.edge_tokens()
        vertices += [
            [tuple(t + first if isinstance(t, int) else t for t in edge) for edge in edges[begin:end]]
            for begin, end in pairwise(part.edges.tolist())
        ]
        goals.append((len(vertices) - 1,))
    none = Features.from_rows([{}] * len(parts))
    return FeatureForest.from_edges([*vertices, goals], Features.stacked([features, none]), id=id)


def _keys(texts: Sequence[tuple[str, ...]], features: Features) -> list[tuple[tuple[str, ...], bytes]]:
    """What tells entries apart: their words, and their features, of which 0 is as good as none."""
    if features.table is not None:
        return [(text, row.tobytes()) for text, row in zip(texts, features.table + 0.0, strict=True)]
    values = [
        sorted((name, value) for name, value in features.row(row).items() if value)
        for row in range(len(texts))
    ]
    return [(text, repr(row).encode()) for text, row in zip(texts, values, strict=True)]


def as_forest(hypotheses: Hypotheses) -> FeatureForest:
    """A list, lattice or forest as a forest with features.

    Raises:
        FstmetricsError: as of `FeatureForest.of_list` and `of_lattice`; or something else.
    """
    if isinstance(hypotheses, NBest):
        return FeatureForest.of_list(hypotheses)
    if isinstance(hypotheses, Lattice):
        return FeatureForest.of_lattice(hypotheses)
    if isinstance(hypotheses, FeatureForest):
        return hypotheses
    raise FstmetricsError(
        f"hypotheses are an NBest, a Lattice or a FeatureForest, not {described(hypotheses)}"
    )


def _joined(forests: Sequence[FeatureForest]) -> tuple[Longs, _native.Forests]:
    """Where the edges of each forest begin, and all forests as the engine has them."""
    vertices = np.cumsum([0, *(forest.num_vertices for forest in forests)])
    edges = np.cumsum([0, *(forest.num_edges for forest in forests)])
    tokens = np.cumsum([0, *(len(forest.tokens) for forest in forests)])
    native = _native.Forests(
        vertices,
        np.concatenate([[0], *(f.edges[1:] + at for f, at in zip(forests, edges, strict=False))]),
        np.concatenate([[0], *(f.offsets[1:] + at for f, at in zip(forests, tokens, strict=False))]),
        np.concatenate(
            [
                np.where(f.tokens < 0, f.tokens - at, f.tokens)
                for f, at in zip(forests, vertices, strict=False)
            ]
        ).astype(np.int32),
    )
    return edges, native
