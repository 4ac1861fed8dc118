"""Records that the engine writes from columns: `NativeRecords`, for best paths, alone or beside 1-bests.

The numbers of paths are columns, between which the engine puts ids, words and operations. So the records are what
`Result.as_dict` has, and the journal's entries what `terms` say.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics._native import FieldRows, KindTexts, PathWords, RecordRows, TextColumn
from fstmetrics.data.fields import Fields
from fstmetrics.engine.batch import Batch
from fstmetrics.engine.oracle_results import WORDS, OracleBatch, Weights
from fstmetrics.engine.results import Result
from fstmetrics.engine.search import DEFAULT, SearchOptions, searched, workers
from fstmetrics.metrics import Metric
from fstmetrics.metrics.path_metric import COUNTS, Totals
from fstmetrics.scoring.sums import BEAM, BEST, DEPTH, ONE_BEST, Series
from fstmetrics.support.json_text import written_json
from fstmetrics.text.normalisation import Unit

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.data.depth import DepthColumn
    from fstmetrics.engine.results import Integers

    Numbers = npt.NDArray[np.float64]


# Parts records; no JSON has one in it.
LINE = b"\n"


class NativeRecords:
    """Records of batches, and what the journal of a run says of their items; any number of threads may write some.

    Args:
        unit: what was compared.
        signature: of the score of an item.
        alignment: whether records have the operations.
        options: how to search, and by how many threads.
    """

    def __init__(self, unit: Unit, signature: str, alignment: bool, options: SearchOptions = DEFAULT) -> None:
        self._options, self._threads = SearchOptions(threads=options.threads), workers(options.threads)
        self._unit: Unit = unit
        self._alignment = alignment
        self._tail = b", " + _json({"signature": signature})[1:] + b"\n"
        self._known: dict[Totals, tuple[float, float | None]] = {}

    def written(
        self,
        results: Batch | OracleBatch,
        ids: Sequence[str | None] | None,
        fields: Sequence[Fields] | None = None,
        alternatives: Sequence[bytes] | None = None,
        digests: Integers | None = None,
        arcs: Sequence[int] | None = None,
    ) -> tuple[bytes, bytes] | None:
        """The records of a batch, and its items as arrays of JSON for the journal; None where a number is too large.

        Args:
            results: of a metric that does not reorder.
            ids: of the items; those of all, or of none.
            fields: of each item; None where none has any.
            alternatives: what each of a batch takes at the choices of its reference, as JSON, empty where there are
                none; None: no reference leaves any.
            digests: of the references of each; None: records have the words of all.
            arcs: of the lattices, lists or forests of a batch; None: of texts.
        """
        best = results if isinstance(results, Batch) else results.best
        names = ids if isinstance(ids, TextColumn) or ids is None else _column(ids)
        table = self._table(best)
        others = self._table(results.one_best) if isinstance(results, OracleBatch) else None
        if table is None or (isinstance(results, OracleBatch) and others is None):
            return None
        beams = (
            [self._table(batch) for _, _, batch in results.beams] if isinstance(results, OracleBatch) else []
        )
        if None in beams:
            return None
        nbest = self._paths(best, names) if best.nbest > 1 else []
        if nbest is None:
            return None
        records, entries = RecordRows(len(results)), RecordRows(len(results))
        self._add_path(records, best, table, names)
        _add_id(entries, b"[", names, ascii=True)
        entries.text(b", [")
        table.add_term(entries, BEST)
        if isinstance(results, OracleBatch) and others is not None:
            self._add_one_best(records, entries, results, table, others)
            for number, (left, each) in enumerate(zip(results.beams, beams, strict=True)):
                assert each is not None
                records.text(b", " if number else b', "beams": [')
                _add_beam(records, entries, *left, each)
            if beams:
                records.text(b"]")
            if results.depths is not None:
                _add_depths(records, entries, results.depths)
        else:
            entries.text(b", null]")
        if nbest:
            _add_each(records, nbest)
        if alternatives is not None:
            _add_each(records, [each and b', "alternatives": ' + each for each in alternatives])
        if arcs is not None:
            _add_arcs(records, table, np.array(arcs, dtype=np.int64))
            records.text(b', "one_best": null')
        if fields is None:
            entries.text(b"], null, {}]")
        elif isinstance(fields, FieldRows):
            records.fields(fields, b', "fields": ')
            entries.text(b"], null, ")
            entries.fields(fields, b"", ascii=True)
            entries.text(b"]")
        else:
            _add_each(records, [b', "fields": ' + _json(dict(each)) if each else b"" for each in fields])
            _add_each(entries, [b"], null, %b]" % json.dumps(dict(each)).encode() for each in fields])
        if digests is not None and digests.min() >= 0:
            records.text(b', "reference_digest": ')
            records.integers(digests)
        elif digests is not None:
            _add_each(
                records,
                [b', "reference_digest": %d' % each if each >= 0 else b"" for each in digests.tolist()],
            )
        records.text(self._tail)
        return records.written(threads=self._threads), entries.written(b", ", self._threads)

    def _paths(self, batch: Batch, ids: TextColumn | None) -> list[bytes] | None:
        """Of each item all its paths, as records have them; None where a number is too large."""
        found, offsets = batch.found.paths_apart()
        apart = Batch(found, batch.metric, None)
        table, rows = self._table(apart), RecordRows(len(apart))
        if table is None:
            return None
        places = np.repeat(np.arange(len(batch)), np.diff(offsets))
        self._add_path(rows, apart, table, None if ids is None else ids.taken(places))
        rows.text(b"}")
        paths = rows.written(LINE, self._threads).split(LINE)
        return [b', "nbest": [' + b", ".join(paths[a:b]) + b"]" for a, b in pairwise(offsets.tolist())]

    def _add_path(self, records: RecordRows, batch: Batch, table: _Table, ids: TextColumn | None) -> None:
        """What a record begins with: a path."""
        _add_id(records, b'{"id": ', ids, ascii=False)
        title = Result(batch.metric, Totals(), unit=self._unit).name
        records.text(f', "metric": {written_json(title)}, '.encode())
        table.add_numbers(records)
        records.text(b', "hypothesis": ')
        records.words(batch.found, "hypothesis")
        records.text(b', "closest": ')
        records.words(batch.found, "closest")
        table.add_gains(records)
        if self._alignment:
            records.text(b', "alignment": ')
            records.alignments(batch.found)

    def _add_one_best(
        self, records: RecordRows, entries: RecordRows, results: OracleBatch, best: _Table, own: _Table
    ) -> None:
        """What stands beside the best paths, behind them."""
        arcs = np.array(results.arcs, dtype=np.int64)
        _add_arcs(records, best, arcs)
        records.text(b', "one_best": {')
        own.add_numbers(records)
        own.add_gains(records)
        records.text(b', "hypothesis": ')
        records.words(results.one_best.found, "hypothesis")
        if self._alignment:
            self._add_alignment(records, results)
        records.text(b"}")
        entries.text(b', {"arcs": ')
        entries.integers(arcs)
        entries.text(b"}], ")
        own.add_term(entries, ONE_BEST)
        entries.text(b", ")
        entries.kinds(*_kinds_of_weights(results.weights))
        entries.text(b"]")

    def _add_alignment(self, records: RecordRows, results: OracleBatch) -> None:
        """How 1-bests align, and where they part from the best paths, as `parts_of` finds it."""
        records.text(b', "closest": ')
        records.words(results.one_best.found, "closest")
        records.text(b', "alignment": ')
        records.alignments(results.one_best.found)
        own, best = (PathWords(each.found, "hypothesis") for each in (results.one_best, results.best))
        records.text(b', "parts": ')
        records.parts(searched(None, own, best, WORDS, 1, self._options))

    def _table(self, batch: Batch) -> _Table | None:
        """The numbers of paths; None where one is beyond 64 bits, as costs of a metric of one's own may be."""
        *totals, lengths = np.ascontiguousarray(batch.found.all_counts().T)
        different, places = np.unique(lengths, return_inverse=True)
        metric = batch.metric
        try:
            divisors = np.array([metric.denominator(n) for n in different.tolist()], dtype=np.int64)[places]
        except OverflowError:
            return None
        scores, gains = metric.quotients(totals[0], divisors) or self._scores_of(metric, [*totals, divisors])
        return _Table(totals, divisors, scores, gains)

    def _scores_of(self, metric: Metric, columns: Sequence[Integers]) -> tuple[Numbers, Numbers | None]:
        """Scores and gains, found once for all paths with the same totals."""
        totals = [Totals(*row) for row in np.stack(columns, axis=1).tolist()]
        for each in set(totals):
            if each not in self._known:
                path = Result(metric, each)
                self._known[each] = path.score, path.gain
        scores, gains = zip(*map(self._known.__getitem__, totals), strict=True)
        return np.array(scores, dtype=np.float64), None if gains[0] is None else np.array(gains)


class _Table:
    """The numbers of paths in columns.

    Args:
        totals: cost, matches, substitutions, insertions, deletions and moves.
        divisors: the denominators.
        scores, gains: the scores, and the gains of recognition rates.

    Attributes:
        counts: by the names of records.
    """

    def __init__(
        self, totals: Sequence[Integers], divisors: Integers, scores: Numbers, gains: Numbers | None
    ) -> None:
        self._totals, self._divisors, self._scores, self._gains = totals, divisors, scores, gains
        _, matches, substitutions, insertions, deletions, moves = totals
        edits, length = substitutions + insertions + deletions, matches + substitutions + deletions
        counts = edits, matches, substitutions, insertions, deletions, moves, length
        self.counts: dict[str, Integers] = dict(zip(COUNTS, counts, strict=True))

    def add_numbers(self, records: RecordRows) -> None:
        """As `PathNumbers.numbers` has them, but for the gains, which stand behind the words."""
        records.text(b'"score": ')
        records.numbers(self._scores)
        for name, column in self.counts.items():
            records.text(f', "{name}": '.encode())
            records.integers(column)

    def add_gains(self, records: RecordRows) -> None:
        """The gains of recognition rates."""
        if self._gains is None:
            records.text(b', "gain": null, "max_gain": null')
            return
        records.text(b', "gain": ')
        records.numbers(self._gains)
        records.text(b', "max_gain": ')
        records.integers(self._divisors)

    def densities(self, arcs: Integers) -> Numbers:
        """Arcs per word of the chosen reference; inf for an empty one."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.counts["path_length"] > 0, arcs / self.counts["path_length"], np.inf)

    def add_term(self, entries: RecordRows, series: Series) -> None:
        """What the journal says, but for further numbers and the end."""
        before = f"[{json.dumps(series)}, [".encode()
        for column in (*self._totals, self._divisors):
            entries.text(before)
            entries.integers(column)
            before = b", "
        entries.text(b"]")


def _add_arcs(records: RecordRows, table: _Table, arcs: Integers) -> None:
    """How many arcs there are, by which records are told to be of oracles, and how many per word."""
    records.text(b', "arcs": ')
    records.integers(arcs)
    records.text(b', "density": ')
    records.numbers(table.densities(arcs))


def _add_beam(
    records: RecordRows, entries: RecordRows, beam: float, arcs: Sequence[int], batch: Batch, table: _Table
) -> None:
    """What a beam leaves."""
    left = np.array(arcs, dtype=np.int64)
    records.text(b'{"beam": %b' % _json(beam))
    _add_arcs(records, table, left)
    records.text(b", ")
    table.add_numbers(records)
    table.add_gains(records)
    records.text(b', "hypothesis": ')
    records.words(batch.found, "hypothesis")
    records.text(b"}")
    entries.text(b", ")
    table.add_term(entries, Series(BEAM, beam))
    entries.text(b', {"arcs": ')
    entries.integers(left)
    entries.text(b"}]")


def _add_depths(records: RecordRows, entries: RecordRows, depths: DepthColumn) -> None:
    """How deep lattices are; the journal has it of those that take time."""
    units = [depths.unit(unit) for unit in depths.units.tolist()]
    _add_each(records, [f', "depth": {{"unit": "{unit}", "mean": '.encode() for unit in units])
    records.numbers(depths.means)
    records.text(b', "max": ')
    records.integers(depths.most)
    records.text(b', "times": ')
    records.number_lists(depths.times, depths.offsets)
    records.text(b', "arcs": ')
    records.integer_lists(depths.arcs, depths.steps)
    records.text(b', "untimed": ')
    records.integers(depths.untimed)
    records.text(b"}")
    terms = zip(units, depths.spans.tolist(), depths.means.tolist(), depths.most.tolist(), strict=True)
    texts = []
    for unit, time, mean, most in terms:
        numbers = {"time": time, "area": mean * time, "most": most}
        texts.append(b", " + json.dumps([Series(DEPTH, unit), None, numbers]).encode() if most else b"")
    _add_each(entries, texts)


def _add_each(rows: RecordRows, texts: Sequence[bytes]) -> None:
    """A text for each row, of which many may be the same."""
    numbers: dict[bytes, int] = {}
    kinds = KindTexts()
    for text in texts:
        if text not in numbers:
            numbers[text] = len(numbers)
            kinds.append(text)
    rows.kinds(np.array([numbers[text] for text in texts], dtype=np.int64), kinds)


def _add_id(rows: RecordRows, before: bytes, ids: TextColumn | None, ascii: bool) -> None:
    rows.text(before)
    if ids is None:
        rows.text(b"null")
    else:
        rows.ids(ids, ascii)


def _kinds_of_weights(weights: Sequence[Weights]) -> tuple[Integers, KindTexts]:
    """The number of each, and what journals have of those that there are."""
    is_one = weights.count(weights[0]) == len(weights)
    numbers = {each: number for number, each in enumerate(dict.fromkeys(weights[:1] if is_one else weights))}
    texts = KindTexts()
    for each in numbers:
        texts.append(json.dumps(each._asdict()).encode())
    kinds = [0] * len(weights) if is_one else [numbers[each] for each in weights]
    return np.array(kinds, dtype=np.int64), texts


def _column(ids: Sequence[str | None]) -> TextColumn | None:
    """A column of ids that all items have; None where none has one."""
    return TextColumn([id for id in ids if id is not None]) if ids[0] is not None else None


def _json(value: Any) -> bytes:
    return written_json(value).encode()
