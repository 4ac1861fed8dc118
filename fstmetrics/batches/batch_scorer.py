"""The function from batches to batches: `scorer` makes a `Scorer`, which may be pickled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics._native import TextColumn, TextIndex
from fstmetrics.batches.arrow_sides import ArrowSide, is_text, refuse_version, refuse_words, texts
from fstmetrics.batches.result_columns import SIGNATURE_NAME, VERSION, VERSION_NAME, ResultColumns
from fstmetrics.data.fields import NO_FIELDS, Fields
from fstmetrics.engine.api import check_looks
from fstmetrics.engine.search import (
    DEFAULT,
    SETTINGS,
    SearchOptions,
    all_grammars,
    grammar_signature,
    refuse_other_unit,
)
from fstmetrics.engine.sides import is_dropped
from fstmetrics.engine.signatures import ORACLE, path_conditions, signature_of
from fstmetrics.metrics import Metric, as_metric
from fstmetrics.scoring.pair_blocks import Pair, PairBlock
from fstmetrics.scoring.path_scoring import PathScoring
from fstmetrics.scoring.run_files import Fingerprint
from fstmetrics.scoring.work import Worked, attempted
from fstmetrics.support.arguments import by_name, described, expect
from fstmetrics.support.errors import FstmetricsError, need
from fstmetrics.support.names import did_you_mean
from fstmetrics.text.normalisation import PLAIN, Normalisation

if TYPE_CHECKING:
    import pyarrow as pa

    from fstmetrics.data.lattice import Scales
    from fstmetrics.grammars.library import Grammars

WHAT = "scoring batches"
EXTRA = "tables"
# So many rows of the first batch show whether texts are no sentences.
LOOKED_AT = 1000


@dataclass(frozen=True)
class InputColumns:
    """Names of the columns of a batch.

    Attributes:
        id, hypothesis, reference: of each item; `id` is None where no column has ids.
    """

    id: str | None = "id"
    hypothesis: str = "hypothesis"
    reference: str = "reference"

    @property
    def names(self) -> list[str]:
        """The columns that have to be there."""
        return [*([] if self.id is None else [self.id]), self.hypothesis, self.reference]


@dataclass
class Scorer:
    """A function from batches to batches; `scorer` makes one.

    Attributes:
        scoring: what is computed.
        inputs: the columns that are read.
        words: whether results have the words of either side and the operations.
        records: whether they have records and what items add to sums.
        symbols: a symbol table, for lattices whose labels are numbers.

    Calls of one scorer may come from several threads at the same time.
    """

    scoring: PathScoring
    inputs: InputColumns = field(default_factory=InputColumns)
    words: bool = False
    records: bool = False
    symbols: str | None = None
    _is_looked_at: bool = field(default=False, init=False, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        """A copy is the same, whatever was scored: it looks at its first batch again."""
        return {**self.__dict__, "_is_looked_at": False}

    def __call__(self, batch: Any) -> pa.RecordBatch:
        """The results of a batch, a row an item in the same order; texts of the first batch that look like no sentences
        are warned of.

        Args:
            batch: a RecordBatch or Table of pyarrow, or whatever has Arrow's C array or stream.

        Raises:
            FstmetricsError: a column that is missing, or of a type that is none of its side; lists of the words of one
                text. Nothing is scored then.
        """
        return self.placed(batch)[0]

    def placed(self, batch: Any) -> tuple[pa.RecordBatch, Sequence[int]]:
        """The results of a batch, and the row of the batch that each is of; arguments and errors as of a call.

        >>> import pyarrow as pa
        >>> batch = pa.RecordBatch.from_pylist([{"hypothesis": "a", "reference": "a"}])
        >>> found, rows = scorer("wer", id=None).placed(batch)
        >>> found["edits"].to_pylist(), list(rows)
        ([0], [0])
        """
        given = record_batch(batch)
        scoring, sides = self._scoring(given.schema), self._sides(given.schema)
        ids, id_faults = self._ids(given)
        hypotheses, faults = sides[0].read(given.column(self.inputs.hypothesis))
        references, others = sides[1].read(given.column(self.inputs.reference))
        refuse_words(sides, (hypotheses, references))
        if (
            given.num_rows
            and not self._is_looked_at
            and all(side.is_text or side.has_lists for side in sides)
        ):
            self._is_looked_at = True
            first = [list(side[:LOOKED_AT]) for side in (hypotheses, references)]
            named = None if ids is None else list(ids[:LOOKED_AT])
            # References of a row are of one item.
            check_looks({"hypotheses": first[0]}, first[1], self.scoring.normalisation, named, False)
        faults = {**others, **faults, **id_faults}
        fields = self._fields(given) if self.records else None
        pairs = _pairs(ids, hypotheses, references, fields, faults)
        good = [place for place in range(given.num_rows) if place not in faults] if faults else None
        rows: Sequence[int] = range(given.num_rows)
        if self.scoring.normalisation.drops:
            rows, good, pairs, faults = self._without_dropped(good, pairs, given, faults)
            given = given if len(rows) == given.num_rows else given.take(list(rows))
        return self._written(given, attempted(pairs, scoring.results), good, faults, scoring), rows

    def files(self) -> tuple[object, ...]:
        """What was read of files that the settings name, of which scores depend on the content.

        Raises:
            FstmetricsError: one cannot be read.
        """
        read: list[object] = [] if self.symbols is None else [Fingerprint.of(self.symbols)]
        if self.scoring.grammars:
            from fstmetrics.grammars.library import resolve  # few scorers have grammars

            read += resolve(self.scoring.grammars)
        return tuple(read)

    def names_archives(self, given: pa.Schema) -> bool:
        """Whether rows of a schema name files that hold their items."""
        types = [given.field(name).type for name in (self.inputs.hypothesis, self.inputs.reference)]
        return any(getattr(type, "get_field_index", lambda _: -1)("path") >= 0 for type in types)

    def schema(self, given: pa.Schema) -> pa.Schema:
        """The schema of the results of batches of a schema.

        Raises:
            FstmetricsError: as of a call.
        """
        pa = need("pyarrow", WHAT, EXTRA)
        self._sides(given)
        own = ResultColumns(self.scoring, self.words, self.records).fields()
        kept = self._kept(given)
        ids = [] if self.inputs.id is None else [pa.field("id", pa.string())]
        metadata = {VERSION_NAME: VERSION, SIGNATURE_NAME: self._scoring(given).signature}
        return pa.schema(
            [*ids, *map(given.field, kept), *(pa.field(name, kind) for name, kind in own)], metadata
        )

    def _scoring(self, given: pa.Schema) -> PathScoring:
        """What is computed of batches of a schema, for this call alone, with the signature."""
        scoring = copy(self.scoring)
        if not scoring.signature:
            hypotheses, references = self._sides(given)
            parts = [f"refs:{references.references}", f"ids:{'no' if self.inputs.id is None else 'yes'}"]
            if scoring.oracles:
                parts.append("scales:as-the-files-say")
            elif not hypotheses.is_text:
                parts.append(ORACLE)
            widened = grammar_signature(scoring.grammars)
            scoring.signature = signature_of(
                scoring.metric, scoring.normalisation, path_conditions(parts, "", widened)
            )
        return scoring

    def _fields(self, given: pa.RecordBatch) -> list[Fields] | None:
        """What else is known of each item, as records have it."""
        kept = self._kept(given.schema)
        if not kept:
            return None
        from fstmetrics.io.formats.columnar import field_columns

        pa = need("pyarrow", WHAT, EXTRA)
        columns = field_columns(pa.Table.from_batches([given.select(kept)]))
        names = list(columns)
        rows = zip(*columns.values(), strict=True) if columns else repeat((), given.num_rows)
        return [
            {name: value for name, value in zip(names, row, strict=True) if value is not None} for row in rows
        ]

    def _kept(self, given: pa.Schema) -> list[str]:
        """The fields that are handed on."""
        kept = [name for name in given.names if name not in self.inputs.names]
        taken = {"id", *(name for name, _ in ResultColumns(self.scoring, self.words, self.records).fields())}
        if clash := next((name for name in kept if name in taken), None):
            raise FstmetricsError(f"column {clash!r} is a column of the results, too; rename it")
        return kept

    def _sides(self, given: pa.Schema) -> tuple[ArrowSide, ArrowSide]:
        names = given.names
        for name in self.inputs.names:
            if name not in names:
                guess = did_you_mean(name, names)
                more = f"; {guess}" if guess else ""
                raise FstmetricsError(
                    f"the batch has no column {name!r}; it has {', '.join(names) or 'none'}{more}"
                )
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise FstmetricsError(f"the batch has two columns that are called {twice!r}; rename one")
        self._kept(given)
        if self.inputs.id is not None:
            pa = need("pyarrow", WHAT, EXTRA)
            kind = given.field(self.inputs.id).type
            kind = kind.value_type if pa.types.is_dictionary(kind) else kind
            # Of null are the columns of a batch whose rows all have none.
            if not (is_text(kind) or pa.types.is_integer(kind) or pa.types.is_null(kind)):
                raise FstmetricsError(
                    f"column {self.inputs.id!r}: expected ids as text or integers, found {kind}"
                )
        hypothesis, reference = self.inputs.hypothesis, self.inputs.reference
        for name in (hypothesis, reference):
            for metadata in (given.metadata, given.field(name).metadata):
                refuse_version(metadata, name)
        return (
            ArrowSide(hypothesis, given.field(hypothesis).type, True, self.symbols),
            ArrowSide(reference, given.field(reference).type, False),
        )

    def _ids(self, given: pa.RecordBatch) -> tuple[TextColumn | None, dict[int, str]]:
        """The ids; a null, or one that comes twice in the batch, is a fault."""
        if self.inputs.id is None:
            return None, {}
        pa = need("pyarrow", WHAT, EXTRA)
        column = given.column(self.inputs.id)
        if not is_text(column.type):
            column = column.cast(pa.string())
        ids, _ = texts(column)
        nulls = column.is_null().to_numpy(zero_copy_only=False)
        there = np.flatnonzero(~nulls)
        named = ids.taken(there)
        first = TextIndex(named).found(named)
        again = np.isin(first, first[first != np.arange(len(named))])
        faults = {place: f"id {ids[place]!r} comes twice in the batch" for place in there[again].tolist()}
        faults |= dict.fromkeys(np.flatnonzero(nulls).tolist(), f"{self.inputs.id} is null")
        return ids, faults

    def _without_dropped(
        self, good: list[int] | None, pairs: PairBlock, given: pa.RecordBatch, faults: Mapping[int, str]
    ) -> tuple[Sequence[int], list[int] | None, PairBlock, Mapping[int, str]]:
        """The rows that are left where a profile leaves some out for what their references become."""
        places = range(given.num_rows) if good is None else good
        normalisation = self.scoring.normalisation
        dropped = {
            place
            for place, pair in zip(places, pairs, strict=True)
            if is_dropped(pair.reference, normalisation, pair.hypothesis)
        }
        if not dropped:
            return range(given.num_rows), good, pairs, faults
        rest = [place for place in range(given.num_rows) if place not in dropped]
        now = {place: number for number, place in enumerate(rest)}
        left = [pair for place, pair in zip(places, pairs, strict=True) if place not in dropped]
        found = {now[place]: fault for place, fault in faults.items()}
        return rest, [now[p] for p in places if p not in dropped], PairBlock.of(left), found

    def _written(
        self,
        given: pa.RecordBatch,
        some: Worked[Any],
        good: list[int] | None,
        faults: Mapping[int, str],
        scoring: PathScoring,
    ) -> pa.RecordBatch:
        pa = need("pyarrow", WHAT, EXTRA)
        places = range(given.num_rows) if good is None else good
        faults = {**faults, **{places[place]: fault for place, fault in some.faults.items()}}
        scored = some.pairs
        if some.faults:
            scored = PairBlock.of([pair for place, pair in enumerate(scored) if place not in some.faults])
        own = ResultColumns(scoring, self.words, self.records)
        columns = dict(own.columns(some.results or (), scored)) if len(scored) else {}
        schema = self.schema(given.schema)
        rows = [place for place in range(given.num_rows) if place not in faults]
        spread = None
        if faults:
            numbers = np.full(given.num_rows, -1)
            numbers[rows] = np.arange(len(rows))
            spread = pa.array(numbers, mask=numbers < 0)
        found = []
        for each in schema:
            if each.name == "id" and self.inputs.id is not None:
                found.append(given.column(self.inputs.id).cast(each.type))
            elif each.name == "fault":
                told = [faults.get(place) for place in range(given.num_rows)] if faults else None
                found.append(pa.array(told, each.type) if told else pa.nulls(given.num_rows, each.type))
            elif each.name in given.schema.names and each.name not in self.inputs.names:
                found.append(given.column(each.name))
            else:
                values = columns.get(each.name, ())
                missing = values.mask if isinstance(values, np.ma.MaskedArray) else None
                column = pa.array(
                    np.ma.getdata(values) if missing is not None else values, each.type, missing
                )
                found.append(column if spread is None else column.take(spread))
        return pa.record_batch(found, schema=schema)


def _pairs(
    ids: TextColumn | None,
    hypotheses: Sequence[Any],
    references: Sequence[Any],
    fields: list[Fields] | None,
    faults: Mapping[int, str],
) -> PairBlock:
    """The pairs of the rows without faults; references are several where they are tuples of texts."""
    if faults:
        good = np.array([place for place in range(len(hypotheses)) if place not in faults], dtype=np.int64)
        ids = None if ids is None else ids.taken(good)
        hypotheses, references = (_taken(side, good) for side in (hypotheses, references))
        fields = None if fields is None else [fields[place] for place in good.tolist()]
    if not isinstance(references, list):
        return PairBlock(ids, hypotheses, (references,), fields)
    rows = zip(ids or repeat(None), hypotheses, references, fields or repeat(NO_FIELDS), strict=False)
    return PairBlock.of([Pair(id, h, r if isinstance(r, tuple) else (r,), own) for id, h, r, own in rows])


def _taken(values: Sequence[Any], places: Any) -> Sequence[Any]:
    return values.taken(places) if isinstance(values, TextColumn) else [values[p] for p in places.tolist()]


def record_batch(given: Any) -> pa.RecordBatch:
    """A batch of pyarrow, of whatever has Arrow's C interface.

    Raises:
        FstmetricsError: it has none, or its buffers are not what its schema says.
    """
    pa = need("pyarrow", WHAT, EXTRA)
    if hasattr(given, "__arrow_c_array__"):
        batch = given if isinstance(given, pa.RecordBatch) else pa.record_batch(given)
    elif hasattr(given, "__arrow_c_stream__"):
        table = given if isinstance(given, pa.Table) else pa.table(given)
        parts = table.combine_chunks().to_batches()
        batch = parts[0] if parts else pa.RecordBatch.from_pylist([], schema=table.schema)
    else:
        found = (
            "a dict; of its columns make pyarrow.table(dict)" if isinstance(given, dict) else described(given)
        )
        raise FstmetricsError(f"expected a record batch of Arrow, not {found}")
    try:
        batch.validate(full=True)
    except pa.ArrowInvalid as error:
        raise FstmetricsError(f"the batch is damaged: {error}") from None
    return batch


@by_name(SETTINGS)
def scorer(
    metric: str | Metric = "wer",
    *,
    id: str | None = "id",
    hypothesis: str = "hypothesis",
    reference: str = "reference",
    normalisation: Normalisation = PLAIN,
    grammars: Grammars = (),
    options: SearchOptions = DEFAULT,
    oracle: bool = False,
    scales: Scales | None = None,
    words: bool = False,
    records: bool = False,
    symbols: str | None = None,
) -> Scorer:
    """A function from a batch of Arrow to a batch of results, which other engines may call.

    Args:
        metric: a name (`wer`, `wrr`, `grr`, `hyter`, `sclite`, ...) or a metric object.
        id, hypothesis, reference: names of the columns; `id=None` where there are no ids.
        normalisation: changes to the words of both sides.
        grammars: what widens the references.
        options: route and limits of the search.
        oracle: score the decoder's own path beside the best one of lattices and n-best lists.
        scales: weights of the lattices' costs for that; by default as their files say.
        words: add the words of the best path on either side, and the operations.
        records: add the records that commands write, and what each item adds to sums.
        symbols: a symbol table file, for lattices of archives whose labels are numbers.

    Returns:
        The function. It can be pickled, and called by several threads at the same time. The types of columns, and the
        columns of results, are in docs/batches.md.

    Raises:
        FstmetricsError: settings that do not go together.

    >>> import pyarrow as pa
    >>> rows = [
    ...     {"id": "u1", "hypothesis": "a cat", "reference": "the cat", "speaker": "ann"},
    ...     {"id": "u2", "hypothesis": None, "reference": "a dog", "speaker": "bob"},
    ... ]
    >>> found = scorer("wer")(pa.RecordBatch.from_pylist(rows)).to_pylist()
    >>> [(row["id"], row["speaker"], row["edits"], row["path_length"], row["fault"]) for row in found]
    [('u1', 'ann', 1, 2, None), ('u2', 'bob', None, None, 'hypothesis is null')]
    """
    measured = as_metric(metric)
    wider = all_grammars(grammars, normalisation)
    expect(normalisation, Normalisation, "normalisation")
    refuse_other_unit(measured, normalisation.unit)
    expect(options, SearchOptions, "options")
    options = replace(options, alignment=words or records)
    oracles = None
    if oracle:
        from fstmetrics.lattices.oracles import OracleSearch

        oracles = OracleSearch(measured, scales, 1, normalisation, wider, options)
    elif scales is not None:
        raise FstmetricsError("scales weigh costs for the decoder's own path; give oracle=True, too")
    scoring = PathScoring(measured, 1, normalisation, options, wider, oracles, alignment=words)
    return Scorer(scoring, InputColumns(id, hypothesis, reference), words, records, symbols)
