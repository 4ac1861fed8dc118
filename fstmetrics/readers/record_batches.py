"""Records with alignments, many at a time: `aligned_batches`, what `record_lines.check` lets through, in columns.

The checks are those of `record_schema.checked`, made for a batch of records at once. Where a batch is not as it should
be, its records are checked one by one in their order, so that the first fault is found and described in one place only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, compress, pairwise
from operator import eq, itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.metrics.corpus import metric_of
from fstmetrics.readers.field_checks import MOST, are_fields
from fstmetrics.readers.record_lines import MAKE, check, read_objects
from fstmetrics.readers.record_schema import (
    ALIGNMENT_RATES,
    COUNTS,
    ERROR_RATES,
    NEAR,
    OPERATIONS,
    OPTIONAL,
    PATH_METRICS,
    RECOGNITION_RATES,
    Aligned,
    checked,
    with_optional,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.support.source import Source

    Integers = npt.NDArray[np.int64]
    Mask = npt.NDArray[np.bool_]

# Records checked at once: enough for numpy, few enough to stay in a processor's cache.
BATCH = 100
_NONE = type(None)
_ALWAYS = (*COUNTS, "id", "metric", "score", "gain", "max_gain", "hypothesis", "closest", "alignment")


@dataclass(frozen=True, eq=False)
class Batch:
    """Some records in a row, and their alignments by columns.

    Attributes:
        ids: of the items; the number of its line where an item has none.
        objects: the records, as JSON.
        operations: the letters of all alignments, one after the other.
        hypothesis, reference: the words of every operation; None where a side has none.
        starts: where each record's operations begin, and the end of the last; shape [records + 1].
        special: of records that have more than counts, words and alignment, by their number in the batch: the alignment
            with its order and its n-best list.
    """

    ids: Sequence[str]
    objects: Sequence[Mapping[str, Any]]
    operations: str
    hypothesis: Sequence[str | None]
    reference: Sequence[str | None]
    starts: Integers
    special: Mapping[int, Aligned]

    def aligned(self) -> Iterator[Aligned]:
        """The alignment of each record."""
        starts = self.starts.tolist()
        for i, (start, end) in enumerate(pairwise(starts)):
            yield self.special.get(i) or Aligned(
                self.operations[start:end],
                tuple(self.hypothesis[start:end]),
                tuple(self.reference[start:end]),
            )

    @cached_property
    def letters(self) -> npt.NDArray[np.uint8]:
        """The operations as numbers of ASCII."""
        return np.frombuffer(self.operations.encode(), np.uint8)


def aligned_batches(source: Source) -> Iterator[Batch]:
    """The records of a file of JSON lines, in batches.

    Raises:
        InputError: a line that is no record, a record without an alignment (`--alignment` writes them), one of another
            metric than those before it, an id that comes twice, or no record.
    """
    run = Run(source)
    numbers: list[int] = []
    objects: list[dict[str, Any]] = []
    lines = read_objects(source)
    while True:
        try:
            for number, record in lines:
                numbers.append(number)
                objects.append(record)
                if len(objects) == BATCH:
                    break
        except Exception:
            # What is wrong with records before a line comes before what is wrong with it.
            run.batch(numbers, objects)
            raise
        if not objects:
            return
        yield run.batch(numbers, objects)
        numbers, objects = [], []


class _Irregular(Exception):
    """Records that have to be looked at one by one."""


class Run:
    """What is known of the records so far: which metric they have, and their ids."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._lines: dict[str, int] = {}
        self._before = ""

    def batch(self, numbers: Sequence[int], objects: Sequence[Mapping[str, Any]]) -> Batch:
        """Check the next records."""
        try:
            return self._all(numbers, objects)
        except (_Irregular, KeyError, TypeError, ValueError, OverflowError):
            return self.each(numbers, objects)

    def _all(self, numbers: Sequence[int], objects: Sequence[Mapping[str, Any]]) -> Batch:
        """All at once.

        Raises:
            _Irregular, KeyError, TypeError, ValueError, OverflowError: something may be wrong with one of them.
        """
        columns = _columns(objects, _ALWAYS)
        _only({str}, columns["metric"])
        _only({str}, [record.get("signature", "") for record in objects])
        _hold(all(map(are_fields, [record["fields"] for record in objects if "fields" in record])))
        kinds = {_what(record) for record in objects} | ({self._before} if self._before else set())
        _hold(len(kinds) == 1)
        _hold({str, int, _NONE}.issuperset(map(type, columns["id"])))
        ids = [str(n if id is None else id) for n, id in zip(numbers, columns["id"], strict=True)]
        known = dict(zip(ids, numbers, strict=True))
        _hold(len(known) == len(ids) and self._lines.keys().isdisjoint(known))
        # The metric and the signature are the same in all: one check is enough.
        checked(objects[0])
        counts = _counts(columns)
        _check_scores(columns, counts)
        batch = _aligned(ids, objects, columns, counts)
        self._before = kinds.pop()
        self._lines |= known
        return batch

    def each(self, numbers: Sequence[int], objects: Sequence[Mapping[str, Any]]) -> Batch:
        """One by one."""
        source, ids, found = self._source, list[str](), list[Aligned]()
        for number, fields in zip(numbers, objects, strict=True):
            if "alignment" not in fields:
                raise source.error(_without_alignment(fields), number)
            aligned = check(source, number, fields)
            if aligned is None:
                raise source.error(_without_alignment(fields), number)
            what = _what(fields)
            if what != (before := self._before or what):
                raise source.error(
                    f"a record of {what} after those of {before}; one file has one run", number
                )
            self._before = what
            id = str(number if fields["id"] is None else fields["id"])
            if self._lines.setdefault(id, number) != number:
                raise source.error(f"id {id!r} comes twice, first in line {self._lines[id]}", number)
            ids.append(id)
            found.append(aligned)
        return Batch(
            ids,
            objects,
            "".join(aligned.operations for aligned in found),
            list(chain.from_iterable(aligned.hypothesis for aligned in found)),
            list(chain.from_iterable(aligned.reference for aligned in found)),
            _offsets([len(aligned.operations) for aligned in found]),
            {i: found[i] for i, record in enumerate(objects) if is_special(record)},
        )


def is_special(record: Mapping[str, Any]) -> bool:
    """Whether a record has more than counts, words and alignment."""
    return bool(record["moves"]) or not OPTIONAL.isdisjoint(record)


def _what(fields: Mapping[str, Any]) -> str:
    """What a record is of, in words: all records of a file must agree."""
    what = f"{'an oracle under' if 'arcs' in fields else 'a score by'} {fields['metric']}"
    return f"{what} ({signature})" if (signature := fields.get("signature")) else what


def _without_alignment(fields: Mapping[str, Any]) -> str:
    """Why a record has no alignment, and what to do."""
    if "expected_loss" in fields:
        return (
            "a record of mbr has no alignment, as there was no reference; put what mbr prints into a file, and score "
            "that with --alignment --output FILE"
        )
    if "statistics" in fields:
        return f"{fields.get('metric')} aligns no words; score with wer or another metric that does"
    return f"the record has no alignment; {MAKE}"


def _hold(holds: bool | np.bool_) -> None:
    if not holds:
        raise _Irregular


def _columns(objects: Sequence[Mapping[str, Any]], names: Sequence[str]) -> dict[str, Sequence[Any]]:
    """Fields that every record has, by name."""
    return dict(zip(names, zip(*map(itemgetter(*names), objects), strict=True), strict=True))


def _offsets(lengths: Sequence[int]) -> Integers:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)


def _only(types: Set[type], values: Sequence[Any]) -> None:
    _hold(types >= set(map(type, values)))


def _counts(columns: Mapping[str, Sequence[Any]]) -> dict[str, Integers]:
    """The counts, which add up."""
    found = {}
    for name in COUNTS:
        _only({int}, columns[name])
        found[name] = np.array(columns[name], dtype=np.int64)
        _hold((found[name] >= 0).all() and (found[name] < MOST).all())
    errors = found["substitutions"] + found["deletions"]
    _hold((found["edits"] == errors + found["insertions"]).all())
    _hold((found["path_length"] == errors + found["matches"]).all())
    return found


def _check_scores(columns: Mapping[str, Sequence[Any]], counts: Mapping[str, Integers]) -> None:
    """Scores are the quotients that the counts or the gain make."""
    metric = metric_of(columns["metric"][0])
    score = _numbers(columns["score"], or_null=True)
    if metric in ALIGNMENT_RATES:
        _only({_NONE}, columns["gain"])
        _only({_NONE}, columns["max_gain"])
        _check_alignment_rate(metric, score, counts)
        return
    if metric not in PATH_METRICS:  # of another package, which alone knows how they make a score
        return
    if metric not in RECOGNITION_RATES:
        _only({_NONE}, columns["gain"])
        _only({_NONE}, columns["max_gain"])
        if metric in ERROR_RATES:
            _check_quotients(score, counts["edits"] + counts["moves"], counts["path_length"], 0)
        return
    length = counts["path_length"]
    gain = _numbers(columns["gain"], or_null=False)
    _only({int}, columns["max_gain"])
    most = np.array(columns["max_gain"], dtype=np.int64)
    # Longer ones are left to the exact integers of `checked`: this product may not overflow.
    _hold((length < 2**31).all() and (length <= most).all() and (most <= length * (length + 1) // 2).all())
    _hold((most < MOST).all())
    if metric == "wrr":
        _hold((gain == counts["matches"] - counts["insertions"]).all() and (most == length).all())
    _check_quotients(score, gain, most, 1)


def _check_alignment_rate(
    metric: str, score: npt.NDArray[np.float64], counts: Mapping[str, Integers]
) -> None:
    matches, length, edits = counts["matches"], counts["path_length"], counts["edits"]
    spoken = matches + counts["substitutions"] + counts["insertions"]
    _hold((length < 2**31).all() and (spoken < 2**31).all())  # products may not overflow
    both = np.where(length * spoken, length * spoken, length + spoken)
    rates = {"mer": (edits, edits + matches), "wip": (matches**2, both), "wil": (both - matches**2, both)}
    _check_quotients(score, *rates[metric], int(metric == "wip"))


def _numbers(values: Sequence[Any], or_null: bool) -> npt.NDArray[np.float64]:
    """Numbers of JSON; nan, which it has not, for null."""
    types = set(map(type, values))
    _hold(types <= {int, float, *((_NONE,) if or_null else ())})
    if int in types:
        _hold(all(abs(value) < MOST for value in values if type(value) is int))
    return np.array(values, dtype=np.float64)


def _check_quotients(
    score: npt.NDArray[np.float64], numerator: npt.NDArray[Any], denominator: Integers, empty: int
) -> None:
    """As of `record_schema._follows`."""
    with np.errstate(divide="ignore", invalid="ignore"):
        nothing = np.where(numerator != 0, np.nan, empty)
        expected = np.where(denominator != 0, numerator / denominator, nothing)
        near = NEAR * np.maximum(1.0, np.maximum(np.abs(score), np.abs(expected)))
        # math.isclose takes the larger of both tolerances; so does this, where the larger side is above 1.
        same = np.abs(score - expected) <= near
    _hold((same | (np.isnan(score) & np.isnan(expected))).all())


def _aligned(
    ids: Sequence[str],
    objects: Sequence[Mapping[str, Any]],
    columns: Mapping[str, Sequence[Any]],
    counts: Mapping[str, Integers],
) -> Batch:
    """The alignments, which agree with the words and the counts."""
    for name in ("alignment", "hypothesis", "closest"):
        _only({list}, columns[name])
    pairs = list(chain.from_iterable(columns["alignment"]))
    _only({list}, pairs)
    _hold({3}.issuperset(map(len, pairs)))
    flat = list(chain.from_iterable(pairs))
    letters, hypothesis, reference = flat[0::3], flat[1::3], flat[2::3]
    _only({str}, letters)
    _hold(OPERATIONS.issuperset(zip(letters, map(type, hypothesis), map(type, reference), strict=True)))
    starts = _offsets(list(map(len, columns["alignment"])))
    batch = Batch(ids, objects, "".join(letters), hypothesis, reference, starts, {})
    codes = batch.letters
    equal = np.fromiter(map(eq, hypothesis, reference), np.bool_, len(letters))
    _hold((equal == (codes == ord("="))).all())
    for letter, name in zip("=SID", ("matches", "substitutions", "insertions", "deletions"), strict=True):
        _hold((_each_has(codes == ord(letter), starts) == counts[name]).all())
    for words, name, lacks in ((hypothesis, "hypothesis", "D"), (reference, "closest", "I*")):
        present = ~np.isin(codes, np.frombuffer(lacks.encode(), np.uint8))
        _hold((_each_has(present, starts) == list(map(len, columns[name]))).all())
        # Equal to words of alignments, these are texts as well.
        _hold(list(compress(words, present.tolist())) == list(chain.from_iterable(columns[name])))
    special = {}
    some = [i for i, record in enumerate(objects) if is_special(record)]
    if some:
        plain = list(batch.aligned())
        for i in some:
            record = objects[i]
            aligned = with_optional(record, plain[i])
            if aligned is None:
                raise _Irregular
            special[i] = aligned
    return replace(batch, special=special)


def _each_has(mask: Mask, starts: Integers) -> Integers:
    """How many of each record's operations a mask has."""
    before = np.concatenate([[0], np.cumsum(mask, dtype=np.int64)])
    counts: Integers = before[starts[1:]] - before[starts[:-1]]
    return counts
