"""Systems against a baseline, from their texts: `compare`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.evaluation.significance.compare_statistics import compare_statistics, refuse_unfit
from fstmetrics.evaluation.significance.comparison import (
    Blocks,
    Comparison,
    Correction,
    Design,
    Progress,
    blocks_for,
)
from fstmetrics.metrics import NIST, CorpusMetric, HyTER, Mean, Metric, TextMetric, as_corpus_metric
from fstmetrics.metrics.nist_meteor import WeightedNIST
from fstmetrics.metrics.totals import Totals
from fstmetrics.scoring.api import scored
from fstmetrics.scoring.resampling import Resampling
from fstmetrics.scoring.results import CorpusResult
from fstmetrics.scoring.search import DEFAULT, SETTINGS, SearchOptions, all_grammars
from fstmetrics.scoring.sides import Corpus, Input, is_dropped, references_of
from fstmetrics.scoring.statistics import BATCH, Statistics, text_statistics, weighted
from fstmetrics.support.arguments import (
    by_id,
    by_name,
    check_texts,
    described,
    expect,
    items_of,
    paired_by_id,
    refuse_other_index,
    shortened,
)
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.values.fields import present
from fstmetrics.values.normalisation import PLAIN, Normalisation

if TYPE_CHECKING:
    from fstmetrics.grammars.library import Grammars


# What is computed where nobody says, but for tests of speech.
USUAL = ("bleu",)


@by_name(SETTINGS)
def compare(
    systems: Mapping[str, Corpus],
    references: Corpus,
    metrics: str | CorpusMetric | Iterable[str | CorpusMetric] = USUAL,
    *,
    test: str = "bootstrap",
    samples: int = 10_000,
    seed: int = 1,
    networks: Corpus | None = None,
    grammars: Grammars = (),
    one_sided: bool = False,
    both_ways: bool = False,
    correction: Correction = "none",
    confidence: float = 0.95,
    blocks: Sequence[str] | Mapping[str, str] | Blocks | None = None,
    normalisation: Normalisation = PLAIN,
    options: SearchOptions = DEFAULT,
    progress: Progress = lambda what, done, of: None,
) -> Comparison:
    """Compare systems with the first of them, under one or several metrics.

    Args:
        systems: the outputs of each, by name, as `score` takes them; the first is the baseline.
        references: one or several an item, in the same order; or a dict by id, and then the outputs of every system are
            one with the same ids.
        metrics: names or metric objects, or one; by default `bleu`, and `wer` for the tests of sc_stats.
        test: `bootstrap`, `paired-bootstrap`, `randomization`, `sign`, `plain-sign` or `sacrebleu-bootstrap`; of NIST's
            sc_stats `mapsswe`, `mcnemar`, `wilcoxon` and, with blocks, `sign`.
        samples: resamples.
        seed: of the random numbers; the same seed gives the same p values everywhere.
        networks: references of finite-state metrics (`wer`, `grr`, `hyter`, ...), where they differ from those of
            metrics of strings.
        grammars: what widens the references of finite-state metrics: names, paths or `Grammar` objects.
        one_sided, both_ways, correction, confidence: see `Design`.
        blocks: the speaker, or the session, of each item: labels in the order of the items, or a dict by id. They are
            resampled and compared instead of items.
        normalisation: changes to the words of both sides.
        options: route and limits of the engine's search.
        progress: told what is being done, and how far it is.

    Raises:
        FstmetricsError: different numbers of items, or something that cannot be scored or tested.

    >>> references = ["the cat sat on the mat", "a dog barked at the moon", "we are late again today"]
    >>> old = ["the cat sat on a mat", "a dog barked to the moon", "we were late again today"]
    >>> new = ["the cat sat on the mat", "a dog barked at the moon", "we were late again today"]
    >>> found = compare({"old": old, "new": new}, references, ["wer"], samples=1000)
    >>> round(found.systems["new"]["wer"].score, 4), round(found.test("new", "wer").delta, 4)
    (0.0588, -0.1176)
    """
    if blocks is not None and not isinstance(blocks, Blocks):
        blocks = blocks_for(test, "block", _labels(blocks, references))
    resampling = Resampling(samples, seed)
    design = Design(test, resampling, one_sided, both_ways, correction, confidence, blocks)
    if metrics is USUAL and design.compares != "items":
        metrics = ["wer"]
    if isinstance(metrics, str | CorpusMetric):
        metrics = [metrics]
    chosen = [as_corpus_metric(metric) for metric in items_of(metrics, "metrics")]
    if not isinstance(systems, Mapping):
        raise FstmetricsError(f"systems are a dict of outputs by name, not {described(systems)}")
    if not systems or not chosen:
        raise FstmetricsError("compare() needs at least one system and one metric")
    names = [metric.name for metric in chosen]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise FstmetricsError(f"two metrics are called {twice}: their scores could not be told apart")
    expect(normalisation, Normalisation, "normalisation")
    expect(options, SearchOptions, "options")
    grammars = all_grammars(grammars, normalisation)
    if networks is not None and not any(map(is_searched, chosen)):
        raise FstmetricsError(
            f"networks are for finite-state metrics (wer, hyter, ...), not for {', '.join(names)}"
        )
    for metric in chosen:
        refuse_unfit(design.compares, metric)
    texts, refs, others = same_items(systems, references, networks)
    if normalisation.drops:
        kept = _kept(normalisation, texts, refs)
        texts = {name: list(compress(items, kept)) for name, items in texts.items()}
        refs = list(compress(refs, kept))
        others = None if others is None else list(compress(others, kept))
        if design.blocks is not None:
            labels = tuple(compress(design.blocks.labels, kept))
            design = replace(design, blocks=blocks_for(test, design.blocks.name, labels))
    if grammars and not any(map(is_searched, chosen)):
        raise FstmetricsError(f"grammars are for best paths; {chosen[0].name} takes none")
    work = Work(refs, others, chosen, normalisation, options, grammars, design.compares == "segments")
    found: dict[str, dict[str, Statistics]] = {}
    for name, outputs in texts.items():
        before = len(found) * work.steps

        def scoring(what: str, done: int, name: str = name, before: int = before) -> None:
            progress(f"{what} of {name}", before + done, len(texts) * work.steps)

        found[name] = work.statistics(outputs, scoring)
    return replace(compare_statistics(found, design, progress), grammars=work.signature)


def _labels(blocks: Sequence[str] | Mapping[str, str], references: Corpus) -> tuple[str, ...]:
    """The block of each item, in order.

    Raises:
        FstmetricsError: something other than labels, or an item by id that has none.
    """
    if isinstance(blocks, Mapping):
        ids, _ = by_id(references, "references")
        given: list[object] = paired_by_id(blocks, "blocks", ids)
    else:
        given = items_of(blocks, "blocks")
    wrong = [item for item, label in enumerate(given) if not _is_label(label)]
    if wrong:
        lacking = sum(given[item] is None or isinstance(given[item], str | float) for item in wrong)
        count = f"; {lacking} of {len(given)} items have none" if lacking else ""
        raise FstmetricsError(
            f"blocks[{wrong[0]}] must be the name of a speaker or session, not {described(given[wrong[0]])}{count}"
        )
    return tuple(map(str, given))


def _is_label(label: object) -> bool:
    return isinstance(label, str | int | float) and present(label) is not None


def same_items(
    systems: Mapping[str, Corpus], references: Corpus, networks: Corpus | None = None
) -> tuple[dict[str, list[Input]], list[Input], list[Input] | None]:
    """Every system's outputs, the references and the networks, of the same items in the same order.

    Raises:
        FstmetricsError: as of `fstmetrics.support.arguments.paired`.
    """
    given = {f"the outputs of {shortened(str(name))}": outputs for name, outputs in systems.items()}
    given |= {} if networks is None else {"networks": networks}
    if any(isinstance(side, Mapping) for side in (references, *given.values())):
        ids, refs = by_id(references, "references")
        lists = [paired_by_id(side, name, ids) for name, side in given.items()]
    else:
        refs = items_of(references, "references")
        lists = [items_of(side, name) for name, side in given.items()]
        for (name, side), items in zip(given.items(), lists, strict=True):
            refuse_other_index(side, references, name)
            if len(items) != len(refs):
                raise FstmetricsError(f"{len(items)} items in {name}, but {len(refs)} references")
        if not refs:
            raise FstmetricsError("there is no item to score")
    others = None if networks is None else lists.pop()
    for items in lists:
        check_texts(items, refs)
    return dict(zip(map(str, systems), lists, strict=True)), refs, others


def _kept(
    normalisation: Normalisation, texts: Mapping[str, Sequence[Input]], references: Sequence[Input]
) -> list[bool]:
    """Which items a profile does not leave out."""
    first = next(iter(texts.values()))
    kept = [not is_dropped(r, normalisation, h) for r, h in zip(references, first, strict=True)]
    if not any(kept):
        raise FstmetricsError(f"there is no item to score: {normalisation.label} leaves all out")
    return kept


@dataclass(frozen=True)
class Work:
    """What every system is measured by.

    Attributes:
        references: of each item.
        networks: for finite-state metrics, or None.
        metrics: what to find.
        normalisation, options, grammars: as of `compare`.
        paths: whether the words of best paths are wanted.
    """

    references: Sequence[Input]
    networks: Sequence[Input] | None
    metrics: Sequence[CorpusMetric]
    normalisation: Normalisation
    options: SearchOptions
    grammars: Grammars
    paths: bool = False
    _weights: dict[NIST, WeightedNIST] = field(default_factory=dict, repr=False, compare=False)

    @property
    def steps(self) -> int:
        """What progress counts: items under each metric."""
        return len(self.metrics) * len(self.references)

    @property
    def signature(self) -> str:
        """The grammars, as signatures have them; empty where there are none."""
        if not self.grammars:
            return ""
        from fstmetrics.grammars.library import signature

        return signature(self.grammars)

    def statistics(
        self, outputs: Sequence[Input], progress: Callable[[str, int], None]
    ) -> dict[str, Statistics]:
        """One system's statistics by metric; those that several metrics share are found once."""
        found: dict[str, Statistics] = {}
        shared: dict[object, Statistics] = {}
        for number, metric in enumerate(self.metrics):
            inner = metric.metric if isinstance(metric, Mean) else metric
            inner = self._weighted(inner, outputs) if isinstance(inner, NIST) else inner
            source = inner.source if isinstance(inner, TextMetric) else inner
            if source not in shared:
                steps = _steps(metric.name, number * len(outputs), progress)
                shared[source] = self._found(outputs, inner, steps)
            own = shared[source] if isinstance(inner, Metric) else replace(shared[source], metric=inner)
            own = own.mean(metric) if isinstance(metric, Mean) else own
            found[own.name] = own
        return found

    def _weighted(self, metric: NIST, outputs: Sequence[Input]) -> WeightedNIST:
        """NIST with the weights of the references, which are the same for all systems."""
        if metric not in self._weights:
            self._weights[metric] = weighted(metric, outputs, self.references, self.normalisation)
        return self._weights[metric]

    def _found(
        self, outputs: Sequence[Input], metric: CorpusMetric, progress: Callable[[int], None]
    ) -> Statistics:
        against = self.references
        if self.networks is not None and is_searched(metric):
            against = self.networks
        if isinstance(metric, TextMetric):
            return text_statistics(metric, outputs, against, None, self.normalisation, progress)
        counts = replace(self.options, alignment=self.paths)
        parts = []
        for first in range(0, max(len(outputs), 1), BATCH):
            some = slice(first, first + BATCH)
            corpus = scored(
                outputs[some], against[some], metric, normalisation=self.normalisation, options=counts,
                grammars=self.grammars,
            )  # fmt: skip
            assert isinstance(corpus, CorpusResult)
            parts.append(Statistics.of(corpus, self.paths))
            progress(len(parts[-1]))
        conditions = (f"refs:{references_of(against, outputs)}",)
        values = np.concatenate([part.values for part in parts])
        totals = sum((part.totals for part in parts if part.totals is not None), Totals())
        paths = None
        if self.paths:
            sides = zip(*(part.paths for part in parts if part.paths is not None), strict=True)
            hypotheses, references = ([words for part in side for words in part] for side in sides)
            paths = hypotheses, references
        return replace(parts[0], values=values, ids=None, conditions=conditions, totals=totals, paths=paths)


def _steps(what: str, done: int, progress: Callable[[str, int], None]) -> Callable[[int], None]:
    """Counts the items done under one metric, after those of the metrics before it."""
    progress(what, done)

    def more(items: int) -> None:
        nonlocal done
        done += items
        progress(what, done)

    return more


def is_hyter(metric: CorpusMetric) -> bool:
    """Whether a metric is HyTER or the mean of its item scores."""
    return isinstance(metric.metric if isinstance(metric, Mean) else metric, HyTER)


def is_searched(metric: CorpusMetric) -> bool:
    """Whether the engine finds a metric's best paths."""
    return isinstance(metric.metric if isinstance(metric, Mean) else metric, Metric)
