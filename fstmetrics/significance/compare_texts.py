"""Systems against a baseline, from their texts: `compare`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from itertools import compress, product
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from fstmetrics.data.fields import Fields, FieldsGiven, NamedRows, fields_by_id, fields_of_items
from fstmetrics.data.groupings import Grouping, groupings_of, refuse_unknown
from fstmetrics.engine.api import SOME, check_errors, check_looks
from fstmetrics.engine.resampling import Resampling
from fstmetrics.engine.results import CorpusResult
from fstmetrics.engine.search import DEFAULT, SETTINGS, SearchOptions, all_grammars
from fstmetrics.engine.sides import Corpus, Input, are_oracles, are_texts, is_dropped
from fstmetrics.engine.signatures import ORACLE
from fstmetrics.engine.statistics import Statistics
from fstmetrics.metrics import CorpusMetric, as_corpus_metric
from fstmetrics.metrics.corpus_metric import name_of, units_of
from fstmetrics.significance.block_statistics import Runner, SystemStatistics, here, is_searched
from fstmetrics.significance.compare_statistics import compare_statistics, refuse_unfit
from fstmetrics.significance.comparison import (
    Blocks,
    Comparison,
    Design,
    Pairs,
    Progress,
    blocks_for,
    checked_labels,
)
from fstmetrics.significance.external_scores import GivenBySystem, statistics_by_name
from fstmetrics.significance.p_values import CorrectionName, tests_of
from fstmetrics.significance.scored_corpora import SCORED, rows_of, scored_systems
from fstmetrics.support.arguments import (
    OUTPUTS,
    by_id,
    by_name,
    check_texts,
    described,
    described_columns,
    expect,
    is_table,
    items_of,
    paired_by_id,
    refuse_other_labels,
    row_labels,
    shortened,
)
from fstmetrics.support.equal_rows import TextRows
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import counted
from fstmetrics.text.normalisation import PLAIN, Normalisation

if TYPE_CHECKING:
    from fstmetrics.engine.several import Scores
    from fstmetrics.grammars.library import Grammars


NO_SCORES: Mapping[str, GivenBySystem] = {}


@dataclass(frozen=True, eq=False)
class Runs:
    """Several outputs of one system, as of several runs of an optimizer, for `compare`.

    Args:
        outputs: of each run, as `score` takes them.

    Raises:
        FstmetricsError: fewer than two runs.
    """

    outputs: Sequence[Corpus]

    def __post_init__(self) -> None:
        if isinstance(self.outputs, str | Mapping) or not isinstance(self.outputs, Sequence):
            raise FstmetricsError(
                f"runs are a list of the outputs of each run, not {described(self.outputs)}"
            )
        if len(self.outputs) < 2:
            raise FstmetricsError("a system with several runs has two or more")


@by_name(SETTINGS)
def compare(
    systems: Mapping[str, Corpus | Runs | CorpusResult | Statistics | Scores[Any]] | None = None,
    references: Corpus | None = None,
    metrics: str | CorpusMetric | Iterable[str | CorpusMetric] | None = None,
    *,
    test: str | Sequence[str] = "bootstrap",
    samples: int = 10_000,
    seed: int = 1,
    networks: Corpus | None = None,
    grammars: Grammars = (),
    one_sided: bool = False,
    both_ways: bool = False,
    correction: CorrectionName = "none",
    pairs: Pairs = "baseline",
    confidence: float = 0.95,
    scores: Mapping[str, GivenBySystem] = NO_SCORES,
    lower: Sequence[str] = (),
    higher: Sequence[str] = (),
    fields: FieldsGiven | None = None,
    by: str | Sequence[str | Grouping] = (),
    blocks: str | Sequence[str] | Mapping[str, str] | Blocks | None = None,
    normalisation: Normalisation = PLAIN,
    options: SearchOptions = DEFAULT,
    lists: Sequence[frozenset[str]] = (),
    run: Runner = here,
    progress: Progress = lambda what, done, of: None,
) -> Comparison:
    """Compare `systems` with the first of them by `references`, under one or several metrics.

    Args:
        systems: the outputs of each, by name, as `score` takes them, or `Runs` of several; the first is the baseline.
            None: those that have `scores`. What `score` returned for each is not scored again: give no `references`.
        references: one or several an item, in the same order; or a dict by id, and then the outputs of every system are
            one with the same ids. None: the networks.
        metrics: names or metric objects, or one; by default `wer`, and of scored systems all that they have.
        test: `bootstrap`, `paired-bootstrap`, `randomization`, `sign`, `plain-sign`, `sacrebleu-bootstrap` or
            `poisson-bootstrap`; of NIST's sc_stats `mapsswe`, `mcnemar`, `wilcoxon` and, with blocks, `sign`. Of
            several, in a list or joined by commas, `tests` has one, mapsswe if it is among them; `others` has the rest.
        samples: resamples.
        seed: of the random numbers; the same seed gives the same p values everywhere.
        networks: references of finite-state metrics (`wer`, `grr`, `hyter`, ...), where they differ from those of
            metrics of strings.
        grammars: what widens the references of finite-state metrics: names, paths or `Grammar` objects.
        one_sided, both_ways, correction, pairs, confidence: see `Design`.
        scores: of other programs, as of neural metrics: by their name and by system a score an item, in the order of
            the items, or one of the whole system (`external_statistics`).
        lower: names of those of which the lower score is better. Error rates are known by their names.
        higher: names of those of which the higher score is better.
        fields: what else is known of the items, as `score` takes it.
        by: a field, or several: all is repeated with the items that have each of its values (`Comparison.by`). As of
            the option `--by`.
        blocks: the speaker, or the session, of each item: labels in the order of the items, a dict by id, or the name
            of a field. They are resampled and compared instead of items.
        normalisation: changes to the words of both sides.
        options: route and limits of the engine's search.
        lists: of each item, in order, the words that `ClassRate` metrics count apart, normalised.
        run: what has the statistics found: in this process, or `fstmetrics.batches.dispatch.statistics_runner`
            of an engine for many machines.
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
    if scores or blocks is not None or isinstance(fields, Mapping):
        _refuse_other_labels(systems, references, scores, fields, blocks)
    external = _external(scores, lower, higher)
    are_scored = isinstance(systems, Mapping) and not {*map(type, systems.values())}.isdisjoint(SCORED)
    name, labels, in_blocks = "block", None, blocks if isinstance(blocks, Blocks) else None
    if isinstance(blocks, str):
        name, blocks = blocks, _of_field(blocks, fields, systems if are_scored else None)
    if blocks is not None and not isinstance(blocks, Blocks):
        known = _known_items(systems or {}) if are_scored else _known(references, external)
        labels = _labels(blocks, known)
    designs = [
        Design(
            each, Resampling(samples, seed), one_sided, both_ways, correction, confidence,
            in_blocks if labels is None else blocks_for(each, name, labels), pairs, _groupings(by),
        )
        for each in tests_of(test)
    ]  # fmt: skip
    if systems is None and external:
        return compare_statistics(_scores_only(external, fields), designs[0], progress, others=designs[1:])
    if isinstance(metrics, str | CorpusMetric) or callable(metrics):
        metrics = [metrics]
    chosen = [
        as_corpus_metric(metric) for metric in items_of(["wer"] if metrics is None else metrics, "metrics")
    ]
    if are_scored:
        if not (
            references is networks is None and normalisation is PLAIN and options is DEFAULT and not grammars
        ):
            raise FstmetricsError(
                "references, networks, normalisation, grammars and options are for texts; these systems are scored"
            )
        scored = scored_systems(
            systems or {}, None if metrics is None else chosen, designs[0].compares == "segments"
        )
        return _scored_compared(scored, external, fields, designs, progress)
    if not isinstance(systems, Mapping):
        raise FstmetricsError(f"systems are a dict of outputs by name, not {described_columns(systems)}")
    if not systems or not (chosen or external):
        raise FstmetricsError("compare() needs at least one system and one metric")
    if references is None:
        references = networks
    if references is None:
        raise FstmetricsError("compare() needs references of the systems' outputs")
    expect(normalisation, Normalisation, "normalisation")
    units = units_of(chosen, normalisation.unit)
    names = [name_of(metric.name, unit) for metric, unit in zip(chosen, units, strict=True)] + list(external)
    if len({*names}) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise FstmetricsError(f"two metrics are called {twice}: their scores could not be told apart")
    expect(options, SearchOptions, "options")
    grammars = all_grammars(grammars, normalisation)
    if networks is not None and not any(map(is_searched, chosen)):
        raise FstmetricsError(
            f"networks are for finite-state metrics (wer, hyter, ...), not for {', '.join(names)}"
        )
    for metric, design in product(chosen, designs):
        refuse_unfit(design.compares, metric)
    spread = {name: run_names(str(name), cast("Corpus | Runs", outputs)) for name, outputs in systems.items()}
    outputs_of = {key: outputs for runs in spread.values() for key, outputs in runs.items()}
    texts, refs, others = same_items(outputs_of, references, chosen, networks, normalisation)
    every = _items_fields(fields, references, len(refs))
    joined = {name: _fitting(name, by_system, spread, len(refs)) for name, by_system in external.items()}
    if normalisation.drops:
        kept = _kept(normalisation, texts, refs)
        every = None if every is None else list(compress(every, kept))
        joined = {
            name: {system: _kept_scores(each, kept) for system, each in found.items()}
            for name, found in joined.items()
        }
        texts = {name: list(compress(items, kept)) for name, items in texts.items()}
        refs = list(compress(refs, kept))
        others = None if others is None else list(compress(others, kept))
        lists = list(compress(lists, kept))
        designs = [_kept_blocks(design, kept) for design in designs]
    if grammars and not any(map(is_searched, chosen)):
        raise FstmetricsError(f"grammars are for best paths; {names[0]} takes none")
    work = SystemStatistics(
        refs, others, chosen, normalisation, options, grammars, designs[0].compares == "segments", run, lists=lists
    )  # fmt: skip
    found = work.of_systems(texts, progress)
    together = {
        name: _with_fields(as_one([found[key] for key in runs]), every)
        | {n: joined[n][str(name)] for n in joined}
        for name, runs in spread.items()
    }
    compared = compare_statistics(together, designs[0], progress, others=designs[1:])
    if not all(map(are_texts, texts.values())):
        compared = replace(compared, remarks=_remarks(map(are_oracles, texts.values()), texts))
    if not grammars:
        return compared
    from fstmetrics.grammars.library import signature

    return replace(compared, grammars=signature(grammars))


def _refuse_other_labels(
    systems: object, references: object, scores: object, fields: object, blocks: object
) -> None:
    """Raise an FstmetricsError for columns beside the texts whose rows have other labels."""
    outputs = systems if isinstance(systems, Mapping) else {}
    sides = [
        ("references", references),
        *((f"{OUTPUTS}{shortened(str(name))}", each) for name, each in outputs.items()),
    ]
    beside = {
        f"scores[{name!r}][{system!r}]": given
        for name, by_system in (scores.items() if isinstance(scores, Mapping) else ())
        for system, given in (by_system.items() if isinstance(by_system, Mapping) else ())
    }
    labelled = ((name, rows_of(each) if isinstance(each, SCORED) else each) for name, each in sides)
    first = next(([side] for side in labelled if row_labels(side[1]) is not None), [])
    beside |= (
        {f"fields[{name!r}]": each for name, each in fields.items()} if isinstance(fields, Mapping) else {}
    )
    refuse_other_labels({**dict(first), **beside, "blocks": blocks})


def _scored_compared(
    systems: dict[str, dict[str, Statistics]],
    external: Mapping[str, Mapping[str, Statistics]],
    fields: FieldsGiven | None,
    designs: Sequence[Design],
    progress: Progress,
) -> Comparison:
    """The comparison of systems that are scored, with given scores beside."""
    first = next(iter(next(iter(systems.values())).values()))
    every = _items_fields(fields, _known_items(systems), len(first))
    joined = {
        name: _fitting(name, given, {system: {system: ()} for system in systems}, len(first))
        for name, given in external.items()
    }
    together = {
        name: _with_fields(found, every) | {n: joined[n][name] for n in joined}
        for name, found in systems.items()
    }
    best = [ORACLE in next(iter(found.values())).conditions for found in systems.values()]
    return replace(
        compare_statistics(together, designs[0], progress, others=designs[1:]),
        grammars=first.grammars,
        remarks=_remarks(best, systems),
    )


def _remarks(are_best: Iterable[bool], systems: Iterable[str]) -> tuple[str, ...]:
    """What is said of systems whose best paths are scored."""
    if not (names := list(compress(systems, are_best))):
        return ()
    from fstmetrics.scoring.side_remarks import oracle_remark

    return (oracle_remark(names, "fm.oracle", "fm.best_files writes it"),)


def _first_scored(systems: Mapping[str, Any]) -> Any:
    """The first system under the first of its metrics."""
    first = next(iter(systems.values()))
    return next(iter(first.values())) if isinstance(first, Mapping) else first


def _known_items(systems: Mapping[str, Any]) -> Corpus:
    """What tells the order of the items of scored systems."""
    corpus = _first_scored(systems)
    ids = corpus.ids or [None]
    return [""] * len(corpus) if None in ids else dict.fromkeys(map(str, ids), "")


def run_names(name: str, outputs: Corpus | Runs) -> dict[str, Corpus]:
    """The outputs of a system; of several runs by what messages call them."""
    if not isinstance(outputs, Runs):
        return {name: outputs}
    return {f"{name} (run {number})": each for number, each in enumerate(outputs.outputs, 1)}


def as_one(runs: Sequence[dict[str, Statistics]]) -> dict[str, Statistics]:
    """The statistics of a system under each metric, from those of its runs."""
    if len(runs) == 1:
        return runs[0]
    return {name: Statistics.of_runs([run[name] for run in runs]) for name in runs[0]}


def _external(
    scores: Mapping[str, GivenBySystem], lower: Sequence[str], higher: Sequence[str]
) -> dict[str, dict[str, Statistics]]:
    """Statistics of scores that are given, by their name and by system.

    Raises:
        FstmetricsError: as of `statistics_by_name`.
    """
    if not isinstance(scores, Mapping):
        raise FstmetricsError(f"scores are a dict by name, of dicts by system, not {described(scores)}")
    return statistics_by_name(scores, lower, higher) if scores or lower or higher else {}


def _fitting(
    name: str, given: Mapping[str, Statistics], systems: Mapping[str, Mapping[str, Corpus]], items: int
) -> Mapping[str, Statistics]:
    """The given scores of all systems, which must be there for each, of all items.

    Raises:
        FstmetricsError: a system without scores, or with those of another number of items; or several runs.
    """
    for system, runs in systems.items():
        if len(runs) > 1:
            raise FstmetricsError(f"{name}: there is one score of {system}, which has {len(runs)} runs")
        if str(system) not in given:
            raise FstmetricsError(
                f"{name} has no scores of the system {system}; it has those of {', '.join(given)}"
            )
        found = given[str(system)]
        if found.metric.columns and len(found) != items:
            raise FstmetricsError(
                f"{name} has {len(found)} scores of {system}, but there are {items} items: scores of another test set?"
            )
    return given


def _kept_scores(statistics: Statistics, kept: Sequence[bool]) -> Statistics:
    """Those of the items that a profile does not leave out; scores of whole systems cannot leave any out."""
    if not statistics.metric.columns:
        raise FstmetricsError(
            f"{statistics.name}: scores of whole systems are of all items, and the profile leaves items out"
        )
    return replace(statistics, rows=statistics.table.taken(np.array(kept)))


def _scores_only(
    external: Mapping[str, Mapping[str, Statistics]], fields: FieldsGiven | None
) -> dict[str, dict[str, Statistics]]:
    """The systems that the first scores are of, which must be in all of them.

    Raises:
        FstmetricsError: a system is missing, or has scores of another number of items.
    """
    first = next(iter(external.values()))
    numbers = {name: _number(given) for name, given in external.items()}
    items = next(filter(None, numbers.values()), 0)
    every = None if fields is None else fields_of_items(fields, items)
    systems = {system: {system: ()} for system in first}
    fitting = {name: _fitting(name, given, systems, items) for name, given in external.items()}
    return {
        system: _with_fields({name: given[system] for name, given in fitting.items()}, every)
        for system in systems
    }


def _number(given: Mapping[str, Statistics]) -> int:
    """Of items that have scores; 0 where only systems have some."""
    return len(next(iter(given.values())))


def _known(references: Corpus | None, external: Mapping[str, Mapping[str, Statistics]]) -> Corpus:
    """What tells the order of items."""
    if references is not None:
        return references
    return [""] * max((_number(given) for given in external.values()), default=0)


def _groupings(by: str | Sequence[str | Grouping]) -> tuple[Grouping, ...]:
    """What is to be compared by."""
    found: list[Grouping] = []
    for name in [by] if isinstance(by, str) else items_of(by, "by"):
        found += [name] if isinstance(name, Grouping) else groupings_of(str(name))
    return tuple(found)


def _items_fields(fields: FieldsGiven | None, references: Corpus, items: int) -> Sequence[Fields] | None:
    """The fields of each item, in order or by id; those that files say are as they must be."""
    if fields is None or isinstance(fields, NamedRows):
        return fields  # type: ignore[return-value]
    if isinstance(references, Mapping):
        return fields_by_id(fields, by_id(references, "references")[0])
    return fields_of_items(fields, items)


def _with_fields(found: Mapping[str, Statistics], fields: Sequence[Fields] | None) -> dict[str, Statistics]:
    return {name: each if fields is None else replace(each, fields=fields) for name, each in found.items()}


def _kept_blocks(design: Design, kept: Sequence[bool]) -> Design:
    """A design with the blocks of the items that are not dropped."""
    if design.blocks is None:
        return design
    labels = tuple(compress(design.blocks.labels, kept))
    return replace(design, blocks=blocks_for(design.test, design.blocks.name, labels))


def _of_field(name: str, fields: FieldsGiven | None, scored: Mapping[str, Any] | None) -> Any:
    """The values of a field, in order or by id; without fields, those that systems were scored with.

    Raises:
        FstmetricsError: no item has the field.
    """
    given: Any = fields
    if fields is None and scored:
        corpus = _first_scored(scored)
        given = corpus.labels() if isinstance(corpus, Statistics) else corpus.fields
    if is_table(given):
        raise FstmetricsError("fields are a dict of columns, {'speaker': [...]}; of a frame give dict(frame)")
    rows = [*given.values()] if isinstance(given, Mapping) else given or ()
    if isinstance(given, Mapping) and not any(isinstance(row, Mapping) for row in rows):
        refuse_unknown(Grouping((name,)), given)
        return given[name]
    refuse_unknown(Grouping((name,)), {each for row in rows for each in row})
    values = [row.get(name) for row in rows]
    return dict(zip(given, values, strict=True)) if isinstance(given, Mapping) else values


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
    return checked_labels(given)


# Whether texts were looked at where they were read, as those of files are.
LOOKED_AT: ContextVar[bool] = ContextVar("looked_at", default=False)


def same_items(
    systems: Mapping[str, Corpus],
    references: Corpus,
    metrics: Sequence[CorpusMetric],
    networks: Corpus | None = None,
    normalisation: Normalisation = PLAIN,
) -> tuple[dict[str, Sequence[Input]], Sequence[Input], Sequence[Input] | None]:
    """Every system's outputs, the references and the networks, of the same items in the same order.

    Columns of texts stay what they are: those of large files are not in memory.

    Raises:
        FstmetricsError: as of `fstmetrics.support.arguments.paired`.
    """
    given = {f"{OUTPUTS}{shortened(str(name))}": outputs for name, outputs in systems.items()}
    given |= {} if networks is None else {"networks": networks}
    refs: Sequence[Input]
    lists: list[Sequence[Input]]
    ids: Sequence[str] | None = None
    if any(isinstance(side, Mapping) for side in (references, *given.values())):
        ids, refs = by_id(references, "references")
        lists = [paired_by_id(side, name, ids) for name, side in given.items()]
    else:
        refs = _items(references, "references")
        lists = [_items(side, name) for name, side in given.items()]
        refuse_other_labels({"references": references, **given})
        for name, items in zip(given, lists, strict=True):
            if len(items) != len(refs):
                raise FstmetricsError(
                    f"{counted(len(items), 'item')} in {name}, but {counted(len(refs), 'reference')}"
                )
        if not refs:
            raise FstmetricsError("there is no item to score")
    others = None if networks is None else lists.pop()
    for items in lists:
        check_texts(items, refs)
    if lists and not LOOKED_AT.get():
        looked_at = dict(zip(given, lists, strict=False))
        check_looks(looked_at, refs, normalisation, ids, ids is None)
        if len(refs) >= SOME:
            check_errors(looked_at, refs, metrics, normalisation, ids is None)
    return dict(zip(map(str, systems), lists, strict=True)), refs, others


def _items(given: Corpus, name: str) -> Sequence[Input]:
    return given if isinstance(given, TextRows) else items_of(given, name)


def _kept(
    normalisation: Normalisation, texts: Mapping[str, Sequence[Input]], references: Sequence[Input]
) -> list[bool]:
    """Which items a profile does not leave out."""
    first = next(iter(texts.values()))
    kept = [not is_dropped(r, normalisation, h) for r, h in zip(references, first, strict=True)]
    if not any(kept):
        raise FstmetricsError(f"there is no item to score: {normalisation.label} leaves all out")
    return kept
