"""Outputs of systems scored for a page: `score_systems`, under every metric, with the alignments to be shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics import (
    TER,
    WER,
    Alternatives,
    CorpusMetric,
    CorpusResult,
    FstmetricsError,
    InputError,
    Metric,
    Statistics,
)
from fstmetrics.analysis.record_table import RecordTable, Vocabulary
from fstmetrics.analysis.result_table import table_of_parts, table_of_shifts, words_of
from fstmetrics.apps.pages.shown import System
from fstmetrics.convert.network_files import rows_by_id
from fstmetrics.data.groupings import Grouping, refuse_unknown
from fstmetrics.data.transcripts import Texts
from fstmetrics.engine.api import scored
from fstmetrics.engine.search import DEFAULT, placed_at
from fstmetrics.engine.sides import is_dropped, references_of
from fstmetrics.engine.signatures import path_conditions, signature_of
from fstmetrics.metrics.ter import ShiftedAlignment
from fstmetrics.scoring.opened_sides import read_source, side_of, texts_by_id
from fstmetrics.scoring.pairing import BY_ORDER
from fstmetrics.scoring.path_scoring import choices_taken
from fstmetrics.scoring.request import Request
from fstmetrics.significance.block_statistics import (
    BlockFound,
    StatisticsParts,
    SystemParts,
    SystemStatistics,
    is_searched,
)
from fstmetrics.significance.system_outputs import Columns
from fstmetrics.support.source import Source, named_path

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]

Progress = Callable[[str, int, int], None]

# Items whose best paths are found together.
TOGETHER = 1 << 11


@dataclass(frozen=True)
class Aligned:
    """What is aligned: the metric whose best paths are shown, the words, and what is said of it.

    Attributes:
        metric: a finite-state metric, or TER.
        normalisation: what is done to words.
        note: what is said where a metric that was asked for does not count what the alignments show; else empty.
    """

    metric: Metric | TER
    normalisation: Any
    note: str


def aligned_by(
    metrics: Sequence[CorpusMetric], request: Request, networks: bool, one_reference: bool = False
) -> Aligned:
    """The alignment of a page: of the first finite-state metric, else the fewest edits between words.

    Words are then cut as the first metric cuts them, so that the alignment is of the words that it counts.

    Args:
        metrics: what was asked for.
        request: how words are compared.
        networks: whether references are networks.
        one_reference: whether every item has one text as its reference.
    """
    to = (
        "the reference"
        if one_reference
        else f"the closest path of the {'network' if networks else 'references'}"
    )
    own = next((metric for metric in metrics if isinstance(metric, Metric)), None)
    if own is not None:
        others = ", ".join(metric.name for metric in metrics if not is_searched(metric))
        note = f"The alignments are those of {own.name}, to {to}."
        note += f" They are not what {others} counts."
        return Aligned(own, own.normalisation(request.normalisation), note if others else "")
    moving = next((metric for metric in metrics if isinstance(metric, TER)), None)
    if moving is not None and not networks:
        others = ", ".join(metric.name for metric in metrics if metric != moving)
        note = "The alignments are those of ter: edits of words, and moved blocks."
        note += f" They are not what {others} counts." if others else ""
        return Aligned(moving, moving.normalisation(request.normalisation), note)
    inner = metrics[0].underlying.normalisation(request.normalisation) if metrics else request.normalisation
    normalisation = replace(request.normalisation, tokenize=(cut := inner.tokenize))
    words = f"words as {cut} cuts them" if cut not in (None, "none") else "words between spaces"
    names = ", ".join(metric.name for metric in metrics)
    return Aligned(
        WER(),
        normalisation,
        f"The alignments show the fewest word edits (WER) to {to}, of {words}. They are not what {names} counts."
        if names else f"The alignments show the fewest word edits (WER) to {to}.",
    )  # fmt: skip


def score_systems(
    request: Request,
    columns: Columns,
    metrics: Sequence[CorpusMetric],
    aligned: Aligned,
    external: Mapping[str, Mapping[str, Statistics]],
    progress: Progress,
) -> dict[str, System]:
    """Every system under every metric.

    Args:
        request: how words are compared.
        columns: the outputs, the references and the networks.
        metrics: what was asked for.
        aligned: whose best paths are shown.
        external: scores that were given: by their name and by system, those of all items that are kept.
        progress: told what is being done, and how far it is.
    """
    ids = columns.numbered_ids()
    words = Vocabulary()
    texts = [metric for metric in metrics if metric != aligned.metric or isinstance(metric, TER)]
    work = SystemStatistics(
        columns.references, columns.networks, texts, request.normalisation, DEFAULT, request.grammars
    )
    of_references = aligned.normalisation.of_references
    several = [] if columns.networks else written_references(columns.references)
    written = [[of_references.words(text) for text in texts] for texts in several]
    found = {}
    for number, (name, outputs) in enumerate(columns.systems.items()):
        parts = work.parts(name, outputs)

        def slices(
            what: str, done: int = number * len(ids), every: int = len(columns.systems) * len(ids)
        ) -> Iterator[slice]:
            for begin in range(0, len(ids), TOGETHER):
                progress(what, done + begin, every)
                yield slice(begin, begin + TOGETHER)

        if isinstance(aligned.metric, TER):
            progress(f"aligning {name}", number, len(columns.systems))
            shifts, own = _shifts(aligned, outputs, columns.references), None
            table = table_of_shifts(shifts, words, ids, ({"fields": dict(each)} for each in columns.fields))
            del shifts
            for some in slices(f"scoring {name}"):
                parts.find(some)
        else:
            told = slices(f"aligning {name}")
            table, own = _best_paths(request, columns, aligned, outputs, words, ids, parts, told)
        others = parts.statistics()
        scores, signatures = {}, {}
        for metric in metrics:
            is_own = own is not None and metric == aligned.metric
            statistics = own if is_own else next(s for s in others.values() if s.metric == metric)
            assert statistics is not None
            widened = request.grammar_signature if isinstance(metric, Metric) else ""
            scores[statistics.name] = statistics
            read = (*statistics.conditions, *columns.conditions)
            conditions = path_conditions(read, request.alternations or "", widened)
            own_line = signature_of(metric, statistics.normalisation, conditions)
            same_texts = statistics is not own and not columns.has_mark
            others_line = statistics.sacrebleu_signature if same_texts else ""
            signatures[statistics.name] = f"sacrebleu: {others_line}\n{own_line}" if others_line else own_line
        for title, given in external.items():
            scores[title] = given[name]
        table = replace(table, signature=signatures.get(table.metric, ""))
        nearest = closest_references(table, written) if written else None
        found[name] = System(table, scores, signatures, nearest)
    return found


def _best_paths(
    request: Request,
    columns: Columns,
    aligned: Aligned,
    outputs: Sequence[Any],
    words: Vocabulary,
    ids: Sequence[str],
    beside: SystemParts,
    slices: Iterable[slice],
) -> tuple[RecordTable, Statistics]:
    """The best paths of a system's items, of which the results are kept of some at a time, and their statistics.

    What is found `beside` them is found of the same items, slice by slice, so that a tokenizer has their texts at hand.
    """
    assert isinstance(aligned.metric, Metric)
    against = columns.networks or columns.references
    sums = StatisticsParts(aligned.metric)
    normalisation = aligned.normalisation

    def parts() -> Iterator[tuple[CorpusResult, Iterable[Mapping[str, Any]]]]:
        nonlocal normalisation
        for some in slices:
            sides = outputs[some], against[some]
            with placed_at(range(some.start, some.start + len(sides[0]))):
                corpus = scored(
                    *sides, aligned.metric, normalisation=aligned.normalisation,
                    options=replace(DEFAULT, alignment=True), grammars=request.grammars,
                )  # fmt: skip
            assert isinstance(corpus, CorpusResult)
            own = Statistics.of(corpus)
            sums.add(BlockFound(own.metric, own.values, own.totals, grammars=own.grammars))
            normalisation = own.normalisation or normalisation
            beside.find(some)
            closest = zip(columns.fields[some], sides[1], words_of(corpus, "closest"), strict=True)
            yield (
                corpus,
                (
                    {"fields": dict(told), **choices_taken(path, reference, aligned.normalisation)}
                    for told, reference, path in closest
                ),
            )

    table = table_of_parts(parts(), words, ids)
    return table, sums.statistics(normalisation, len(outputs), f"refs:{references_of(against, outputs)}")


def _shifts(aligned: Aligned, outputs: Sequence[Any], references: Sequence[Any]) -> list[ShiftedAlignment]:
    """TER's alignments of all items."""
    assert isinstance(aligned.metric, TER)
    of_hypotheses, of_references = aligned.normalisation.of_hypotheses, aligned.normalisation.of_references
    sides = [[of_references.words(text) for text in texts_of(reference)] for reference in references]
    return aligned.metric.alignments([of_hypotheses.words(text) for text in outputs], sides)


def texts_of(reference: Any) -> Sequence[Any]:
    """The references of an item, one or several."""
    if isinstance(reference, Alternatives):
        return reference.items
    if isinstance(reference, Texts):
        return reference.texts
    return reference if isinstance(reference, list | tuple) else (reference,)


def without_dropped(request: Request, columns: Columns) -> tuple[Columns, list[bool]]:
    """The items that a profile does not leave out, and which these are."""
    first = next(iter(columns.systems.values()))
    against = columns.references or columns.networks or []
    if not request.normalisation.drops:
        return columns, [True] * len(first)
    kept = [not is_dropped(r, request.normalisation, h) for r, h in zip(against, first, strict=True)]
    if not any(kept):
        raise FstmetricsError(f"there is no item to score: {request.normalisation.label} leaves all out")
    chosen = replace(
        columns,
        systems={name: list(compress(items, kept)) for name, items in columns.systems.items()},
        references=list(compress(columns.references, kept)),
        networks=columns.networks and list(compress(columns.networks, kept)),
        ids=list(compress(columns.ids, kept)),
        fields=list(compress(columns.fields, kept)),
    )
    return chosen, kept


def read_sources(
    path: str, format: str | None, items: str, ids: Sequence[str | None], fields: Sequence[str] = ()
) -> list[str]:
    """The source text of each item, by id where a file has ids.

    Args:
        path: the file: text, or a table, of which it is the column `source`.
        format: as `--ref-format` says it; None where it is recognised.
        items: the file that has the items, for messages.
        ids: of the items.
        fields: as `--fields` says them; `id=` is of the source, too.

    Raises:
        FstmetricsError: it cannot be read, has ids where the items have none, or lacks an item.
    """
    items, by_order = named_path(items)[1], "id=" in fields
    beside = [side_of(items, [""] * len(ids), "plain", ids)] if None not in ids else []
    side = read_source(path, format, ["id="] * by_order, "--ref-format", beside)
    texts, known = texts_by_id(side), set(ids)
    has_ids = side.has_ids and not by_order
    if has_ids and beside:
        texts = [(id, text) for id, text in texts if id in known]
    texts = [(id if has_ids else None, text) for id, text in texts]
    own = [(id if has_ids else None, "") for id in ids]
    return [row[1] for _, row in rows_by_id([items, path], [own, texts], by_order=BY_ORDER)]


def with_groups(columns: Columns, by: Sequence[Grouping]) -> tuple[Columns, list[str]]:
    """The items with a field for every grouping that is no field by itself, and the names of the groupings' fields.

    Raises:
        FstmetricsError: a field that no item has, or bins of something that is no number.
    """
    if not by:
        return columns, []
    known = {name for own in columns.fields for name in own}
    names = []
    rows: list[dict[str, Any]] = [dict(own) for own in columns.fields]
    for grouping in by:
        refuse_unknown(grouping, known)
        name = "+".join(grouping.fields) + (" in bins" if grouping.bins else "")
        names.append(name)
        if name not in known:
            for row, own, id in zip(rows, columns.fields, columns.ids, strict=True):
                key = grouping.key(own, id)
                row[name] = (
                    None if key is None else ", ".join(map(str, key)) if isinstance(key, tuple) else str(key)
                )
    return replace(columns, fields=[*rows]), names


def closest_references(table: RecordTable, words: Sequence[Sequence[Sequence[str]]]) -> Integers:
    """Which reference each item's closest path is, from 1; the first of those that are equal; 0: none.

    Args:
        table: the best paths.
        words: of every reference of each item.
    """
    found = np.zeros(len(table), dtype=np.int64)
    for item, references in enumerate(words):
        closest, _ = table.sides(item)
        found[item] = next((n for n, own in enumerate(references, 1) if list(own) == list(closest)), 0)
    return found


def written_references(references: Sequence[Any], always: bool = False) -> list[list[str]]:
    """The references of each item as they are written, where these are several texts or `always`; else nothing."""

    def written(reference: Any) -> list[str]:
        return [text for text in texts_of(reference) if isinstance(text, str)]

    if not any(len(texts) > 1 or (texts and always) for texts in map(written, references)):
        return []
    return list(map(written, references))


def word_counts(path: str, normalisation: Any) -> dict[str, int]:
    """How often words are in a text; or lines `WORD<TAB>COUNT`.

    Raises:
        InputError: nothing in it.
    """
    lines = [line for _, line in Source.open(path).lines()]
    cells = [line.rsplit("\t", 1) for line in lines if line.strip()]
    if not cells:
        raise InputError("there is no word", path)
    if all(len(pair) == 2 and pair[1].strip().isdecimal() for pair in cells):
        return {word: int(number) for word, number in cells}
    of_references = normalisation.of_references
    return Counter(word for line in lines for word in of_references.words(line))
