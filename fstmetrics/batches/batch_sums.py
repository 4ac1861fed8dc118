"""Results of batches added up: `merge`, whose sums are the same in whatever order batches come."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics._native import TextColumn, TextIndex
from fstmetrics.batches.arrow_sides import texts
from fstmetrics.batches.batch_scorer import EXTRA, WHAT, record_batch
from fstmetrics.batches.result_columns import ONE_BEST, SIGNATURE_NAME, VERSION, VERSION_NAME, result_metadata
from fstmetrics.engine.results import CorpusResult
from fstmetrics.engine.search import refuse_other_unit
from fstmetrics.engine.signatures import ORACLE
from fstmetrics.metrics import as_metric
from fstmetrics.metrics.path_metric import Totals
from fstmetrics.scoring.sums import BEST, Sums, terms_from_json
from fstmetrics.scoring.sums import ONE_BEST as ONE_BEST_SERIES
from fstmetrics.support.errors import FstmetricsError, need
from fstmetrics.support.names import listed
from fstmetrics.support.output import whole_file

if TYPE_CHECKING:
    import pyarrow as pa

    from fstmetrics.metrics import Metric

FORMAT = "fstmetrics-sums/2"
# Sums of more rows have no ids, so that their size does not grow with the items.
MOST_IDS = 100_000
SAME = "the same sums come twice; each item counts once"


@dataclass
class Merged:
    """Exact sums of results. They add up, and have the same bytes whatever their order.

    Attributes:
        signature: of the scores.
        sums: of the items, by series.
        faults: how many items have no result.
        ids: of all items, so that none is added twice; None of more than 100,000, or where some had no column of ids.
    """

    signature: str
    sums: Sums = field(default_factory=Sums)
    faults: int = 0
    ids: frozenset[str] | None = frozenset()

    @property
    def items(self) -> int:
        """How many items are in the sums."""
        return len(self.sums)

    @property
    def totals(self) -> Totals:
        """The sums of the counts, of the best paths."""
        return self.sums.of(BEST).sum()

    def corpus(self, metric: str | Metric = "wer") -> CorpusResult:
        """The score of all items under the metric that they were scored with.

        Raises:
            FstmetricsError: it is another metric, or of characters where words were compared, or there is no item.
        """
        found = as_metric(metric)
        unit: Any = next((part[5:] for part in self.signature.split("|") if part.startswith("unit:")), "word")
        refuse_other_unit(found, unit)
        if not self.signature.startswith(f"fstmetrics|{found.signature(unit)}|"):
            raise FstmetricsError(f"these items were scored otherwise than by {found.name}: {self.signature}")
        if not self.items:
            raise FstmetricsError("there is no item to score")
        are_oracles = any(f"|{part}" in self.signature for part in (ORACLE, "scales:"))
        return replace(self.sums.of(BEST), unit=unit).corpus(found, conditions=(ORACLE,) * are_oracles)

    def __add__(self, other: Merged) -> Merged:
        if not isinstance(other, Merged):
            return NotImplemented
        return merge([self, other])

    def update(self, other: Merged) -> None:
        """Add other sums.

        Raises:
            FstmetricsError: they are of other scores, the same object, or have an id that is in these, as far as both
                have ids.
        """
        if other is self:
            raise FstmetricsError(SAME)
        if self.ids and other.ids and (twice := self.ids & other.ids):
            raise _twice(twice)
        self._add(other)
        self.ids = None if self.ids is None or other.ids is None else _kept(self.ids | other.ids)

    def _add(self, other: Merged) -> None:
        if other.signature != self.signature:
            raise FstmetricsError(
                f"results of different scores cannot be added: {self.signature} and {other.signature}"
            )
        self.sums.update(other.sums)
        self.faults += other.faults

    def to_bytes(self) -> bytes:
        """All of it as JSON behind its CRC-32, for `from_bytes`; equal sums have equal bytes."""
        sums = sorted(
            [group, items, sorted((_sorted_cell(cell) for cell in cells), key=str)]
            for group, items, cells in self.sums.as_json()
        )
        told = {"format": FORMAT, "signature": self.signature, "faults": self.faults, "sums": sums}
        told["ids"] = None if self.ids is None else sorted(self.ids)
        written = json.dumps(told, sort_keys=True).encode()
        return b"%d %b" % (zlib.crc32(written), written)

    @classmethod
    def from_bytes(cls, data: bytes) -> Merged:
        """The sums again.

        Raises:
            FstmetricsError: other bytes, damaged ones, or those of another version.
        """
        try:
            checksum, _, written = data.partition(b" ")
            if checksum != b"%d" % zlib.crc32(written):
                raise ValueError
            told = json.loads(written)
            if told["format"] != FORMAT:
                raise FstmetricsError(f"expected sums of the format {FORMAT}, found {told['format']!r}")
            ids = told.get("ids")
            sums = Sums.from_json(told["sums"])
            return cls(told["signature"], sums, told["faults"], None if ids is None else frozenset(ids))
        except (ValueError, TypeError, KeyError):
            raise FstmetricsError("these bytes are no sums of fstmetrics, or are damaged") from None


def _sorted_cell(cell: list[Any]) -> list[Any]:
    series, (items, counts, numbers) = cell
    return [list(series), [items, sorted([list(totals), n] for totals, n in counts), numbers]]


def merge(results: Iterable[Any], output: str | None = None) -> Merged:
    """Add results of batches up.

    Args:
        results: record batches or tables that a scorer made, and what `merge` has made of others. Read one by one. Or
            one batch or table, as of `results.toArrow()` of Spark.
        output: a file for the records, in the order of their ids; the scorer has to have `records=True`. They are
            in memory until then.

    Raises:
        FstmetricsError: no results, or of different scores; an id that comes twice, as far as sums have ids; the same
            sums twice; batches without records where they are asked for. The file is not written then.

    >>> import pyarrow as pa
    >>> from fstmetrics.batches import scorer
    >>> score = scorer("wer")
    >>> rows = [{"id": str(n), "hypothesis": "a b", "reference": "a c"} for n in range(4)]
    >>> parts = [score(pa.RecordBatch.from_pylist(rows[n : n + 2])) for n in (0, 2)]
    >>> found = merge(parts)
    >>> found.items, found.totals.edits, found.corpus("wer").score
    (4, 4, 0.5)
    >>> merge(reversed(parts)).to_bytes() == found.to_bytes()
    True
    """
    found: Merged | None = None
    ids: list[pa.Array] = []
    records: list[tuple[str, str]] = []
    sums: list[Merged] = []
    has_ids = True
    is_one = hasattr(results, "__arrow_c_stream__") or hasattr(results, "__arrow_c_array__")
    for given in [results] if is_one else results:
        part = given if isinstance(given, Merged) else _added(batch := record_batch(given))
        if output is not None and (isinstance(given, Merged) or "record" not in batch.schema.names):
            raise FstmetricsError(
                "records are asked for, and a part has none: give scorer(..., records=True)"
            )
        if isinstance(given, Merged):
            if any(given is each for each in sums):
                raise FstmetricsError(SAME)
            sums.append(given)
        elif "id" in batch.schema.names:
            ids.append(batch.column("id"))
        else:
            has_ids = False
        if output is not None:
            records += _records(batch)
        if found is None:
            found = Merged(part.signature)
        found._add(part)
    if found is None:
        raise FstmetricsError("there are no results to merge")
    named = _distinct([*ids, *(sorted(each.ids) for each in sums if each.ids)])
    has_ids = has_ids and all(each.ids is not None for each in sums)
    found.ids = _kept(named) if has_ids else None
    if output is not None:
        with whole_file(output) as stream:
            stream.writelines(record + "\n" for _, record in sorted(records))
    return found


def _records(batch: pa.RecordBatch) -> list[tuple[str, str]]:
    names = batch.column("id").to_pylist() if "id" in batch.schema.names else [""] * batch.num_rows
    rows = zip(names, batch.column("record").to_pylist(), strict=True)
    return [(id, record) for id, record in rows if record is not None]


def _added(batch: pa.RecordBatch) -> Merged:
    """The sums of one batch."""
    told = result_metadata(batch.schema)
    if told.get(VERSION_NAME) != VERSION:
        version = told.get(VERSION_NAME)
        raise FstmetricsError(
            "expected results of fstmetrics.batches.scorer, with their metadata"
            if version is None
            else f"results are of version {version} of the columns, and {VERSION} is known; install a later version"
        )
    names = batch.schema.names
    found = Merged(told[SIGNATURE_NAME], faults=batch.num_rows - batch.column("fault").null_count)
    if found.faults:
        batch = batch.filter(batch.column("fault").is_null())
    if "terms" in names:
        for text, times in Counter(batch.column("terms").to_pylist()).items():
            terms = terms_from_json(json.loads(text))
            for _ in range(times):
                found.sums.add(terms)
        return found
    oracle = "arcs" in names
    series = {BEST: "", **({ONE_BEST_SERIES: ONE_BEST} if oracle else {})}
    cells: list[Any] = [
        [each, _cell(batch, prefix, oracle and each == BEST)] for each, prefix in series.items()
    ]
    if batch.num_rows:
        found.sums = Sums.from_json([["", batch.num_rows, [cell for cell in cells if cell[1][0]]]])
    return found


def _cell(batch: pa.RecordBatch, prefix: str, arcs: bool) -> list[Any]:
    """One series, as of `Sum.as_json`."""
    columns = [batch.column(prefix + name) for name in Totals._fields]
    there = columns[0].is_valid().to_numpy(zero_copy_only=False)
    rows = np.stack([column.drop_null().to_numpy() for column in columns], axis=1)
    counts = Counter(map(tuple, rows.tolist()))
    numbers = {}
    if arcs:
        values = batch.column("arcs").to_numpy()
        if len(values):
            numbers["arcs"] = [len(values), sum(values.tolist()), [], int(values.min()), int(values.max())]
    return [int(there.sum()), [[totals, n] for totals, n in counts.items()], numbers]


def _distinct(ids: list[Any]) -> TextColumn | list[str]:
    """All ids, of arrays and lists; an FstmetricsError for one that comes twice."""
    if not ids:
        return []
    pa = need("pyarrow", WHAT, EXTRA)
    arrays = [pa.array(some, pa.string()) if isinstance(some, list) else some for some in ids]
    column, _ = texts(pa.concat_arrays([some.drop_null().cast(pa.large_string()) for some in arrays]))
    first = TextIndex(column).found(column)
    again = np.flatnonzero(first != np.arange(len(column)))
    if len(again):
        raise _twice({column[place] for place in again[:100].tolist()})
    return column


def _twice(ids: Iterable[str]) -> FstmetricsError:
    return FstmetricsError(f"ids come twice: {listed(sorted(ids))}; each item is one row of one batch")


def _kept(ids: Collection[str]) -> frozenset[str] | None:
    """The ids, if they are not too many."""
    return frozenset(ids) if len(ids) <= MOST_IDS else None
