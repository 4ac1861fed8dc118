"""Systems that are scored already, for `compare`: their statistics, if they are of the same items by the same rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from fstmetrics.data.fields import Fields
from fstmetrics.engine.reference_digests import of_words, other_digest
from fstmetrics.engine.results import CorpusResult, References
from fstmetrics.engine.several import Scores
from fstmetrics.engine.statistics import Statistics
from fstmetrics.metrics import CorpusMetric
from fstmetrics.metrics.corpus_metric import reference_columns
from fstmetrics.support.arguments import Labelled, described, shortened
from fstmetrics.support.errors import FstmetricsError, warn
from fstmetrics.support.printable import counted

Corpora = CorpusResult | Statistics
# Types of what `score` returns.
SCORED = (CorpusResult, Statistics, Scores)


def scored_systems(
    systems: Mapping[str, object], metrics: Sequence[CorpusMetric] | None, paths: bool
) -> dict[str, dict[str, Statistics]]:
    """Statistics by system and metric.

    Args:
        systems: what `fm.score` gives, by the systems' names.
        metrics: those that are wanted; None: all that the systems are scored under.
        paths: whether alignments are wanted, too.

    Raises:
        FstmetricsError: a system that is not scored, or under other metrics, by other rules, or of other items.
    """
    every = {str(name): _by_metric(str(name), given) for name, given in systems.items()}
    first, *others = every
    wanted = [metric.name for metric in metrics] if metrics is not None else [*every[first]]
    for name, found in every.items():
        if lacking := [metric for metric in wanted if metric not in found]:
            raise FstmetricsError(
                f"{name} is not scored under {', '.join(lacking)}, but under {', '.join(found)}"
            )
    unknown = [
        name
        for name, found in every.items()
        if any(isinstance(each, CorpusResult) and each.normalisation is None for each in found.values())
    ]
    if unknown and others:
        warn(
            f"by which rules and against which references {' and '.join(unknown)} were scored is not known; what "
            "score() returns knows it"
        )
    for name in others:
        for metric in wanted:
            _check_same(first, every[first][metric], name, every[name][metric])
    return {
        name: {
            metric: each if isinstance(each, Statistics) else Statistics.of(each, paths)
            for metric, each in ((metric, found[metric]) for metric in wanted)
        }
        for name, found in every.items()
    }


def _by_metric(name: str, given: object) -> dict[str, Corpora]:
    if isinstance(given, CorpusResult | Statistics):
        return {given.name: given}
    if isinstance(given, Scores) and all(
        isinstance(each, CorpusResult | Statistics) for each in given.values()
    ):
        return dict(given)
    raise FstmetricsError(
        f"{name} is not scored, and others are: give what score() returns for each, not {described(given)}"
    )


def rows_of(scored: object) -> Labelled | None:
    """The labels of the columns that were scored; None where they had none."""
    if isinstance(scored, Scores):
        scored = next(iter(scored.values()), None)
    return getattr(scored, "row_labels", None)


def _check_same(first: str, one: Corpora, name: str, other: Corpora) -> None:
    """Raise an FstmetricsError unless two systems are of the same items and references by the same rules."""
    if one.signature != other.signature:
        raise FstmetricsError(
            f"{first} and {name} were scored by other rules, which would be compared, too: {one.signature} and "
            f"{other.signature}"
        )
    if one.metric != other.metric:
        raise FstmetricsError(
            f"{first} and {name} were scored by different metrics that are both called {one.name}: {one.metric} and "
            f"{other.metric}"
        )
    if len(one) != len(other):
        raise FstmetricsError(f"numbers of items differ: {len(one)} in {first}, {len(other)} in {name}")
    for place, (id, its) in enumerate(zip(one.ids or (), other.ids or (), strict=False)):
        if None not in (id, its) and id != its:
            raise FstmetricsError(
                f"item {place} is {id} in {first}, and {its} in {name}: score the same items in one order"
            )
    if one.ids is None or other.ids is None or None in (*one.ids, *other.ids):
        _check_order(first, one.fields or (), name, other.fields or ())
        rows, others = rows_of(one), rows_of(other)
        if rows and others and not rows.index.equals(others.index):
            raise FstmetricsError(
                f"the rows of {first} and {name} had different labels (index): score the same items in one order"
            )
    if isinstance(one, CorpusResult) and isinstance(other, CorpusResult):
        if one.skipped != other.skipped:
            raise FstmetricsError(
                f"{counted(one.skipped, 'item')} left out of {first}, and {other.skipped} of {name}: not the same items"
            )
        if "refs:1" in one.conditions and not one.grammars:
            _check_references(first, one, name, other)
    elif isinstance(one, Statistics) and isinstance(other, Statistics) and "refs:1" in one.conditions:
        _check_lengths(first, one, name, other)
    if (at := _other_item(one.references, other.references)) is not None:
        item = at if one.ids is None or one.ids[at] is None else one.ids[at]
        raise FstmetricsError(
            f"the references of item {item} have other words in {first} than in {name}: score both against the same "
            "references; without ids, in the same order"
        )


def _other_item(one: References | None, other: References | None) -> int | None:
    """The first item that has other references in the other; None where none has, rules differ, or one is unknown."""
    if one is None or other is None or of_words(one.normalisation) != of_words(other.normalisation):
        return None
    return other_digest(one.digests, other.digests) if len(one.digests) == len(other.digests) else None


def _check_lengths(first: str, one: Statistics, name: str, other: Statistics) -> None:
    """Raise an FstmetricsError where statistics of an item's only reference are not those in the other."""
    for column in reference_columns(one.metric.columns):
        found, its = (each.values[:, column] for each in (one, other))
        for place in np.flatnonzero(found != its)[:1].tolist():
            raise FstmetricsError(
                f"item {place} has the {one.metric.columns[column]} {found[place]:g} in {first}, and {its[place]:g} in "
                f"{name}: the references are not the same; score the same items in one order"
            )


def _check_references(first: str, one: CorpusResult, name: str, other: CorpusResult) -> None:
    """Raise an FstmetricsError where an item's only reference has other words in the other, where they are known."""
    lengths = [each.columns()["path_length"] for each in (one, other)]
    for place in np.flatnonzero(lengths[0] != lengths[1])[:1].tolist():
        raise FstmetricsError(
            f"item {place} has {lengths[0][place]} reference words in {first}, and {lengths[1][place]} in "
            f"{name}: the references are not the same"
        )
    for place, (words, its) in enumerate(zip(_references(one), _references(other), strict=True)):
        if words and its and words != its:
            at, word = next((at, word) for at, word in enumerate(words) if word != its[at])
            raise FstmetricsError(
                f"the reference of item {place} has {shortened(word)} as word {at + 1} in {first}, and "
                f"{shortened(its[at])} in {name}: the references are not the same; score the same items in one order"
            )


def _references(corpus: CorpusResult) -> Iterator[tuple[str, ...]]:
    """The words of each reference, of which there is one; empty where alignments were not asked for."""
    return (item.closest for item in corpus.items)


def _check_order(first: str, one: Sequence[Fields], name: str, other: Sequence[Fields]) -> None:
    """Raise an FstmetricsError where a field whose values are all different has them in another order in the other."""
    for field in one[0] if one and other else ():
        values, its = ([fields.get(field) for fields in each] for each in (one, other))
        if values != its and len({*values}) == len(values) and {*values} == {*its}:
            raise FstmetricsError(
                f"the items have no ids, and {field!r} has its values in one order in {first} and in another in "
                f"{name}: if it tells items apart, score(..., id={field!r}) makes ids of it; score the same items in "
                "one order"
            )
