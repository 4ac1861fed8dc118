"""Records with alignments, many at a time: `aligned_batches`, what `record_lines.check` lets through, in columns.

The native parser cuts lines into columns, and the checks are those of `record_schema.checked`, made for a batch of
records at once. Where a batch is not as it should be, its records are checked one by one in their order, so that the
first fault is found and described in one place only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics import _native
from fstmetrics.metrics.corpus import metric_of
from fstmetrics.readers.field_checks import MOST
from fstmetrics.readers.record_lines import MAKE, check, object_in_line, record_parser, refuse_empty
from fstmetrics.readers.record_schema import (
    ALIGNMENT_RATES,
    COUNTS,
    ERROR_RATES,
    NEAR,
    OPTIONAL,
    PATH_METRICS,
    RECOGNITION_RATES,
    Aligned,
    checked,
    with_optional,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from fstmetrics.support.source import Source

    Integers = npt.NDArray[np.int64]
    Numbers = npt.NDArray[np.int32]
    Floats = npt.NDArray[np.float64]
    Fields = Mapping[str, Sequence[Any]]

# Records checked at once: enough for numpy, few enough to stay in a processor's cache.
BATCH = 1000
# Numbers of a record that are not counts.
MEASURES = ("score", "gain", "max_gain")
_NONE = type(None)


@dataclass(frozen=True, eq=False)
class Batch:
    """Some records in a row, and their alignments by columns.

    Attributes:
        ids: of the items; the number of its line where an item has none.
        objects: the records, as JSON.
        metric, signature: of all of them; no signature is an empty one.
        counts: `edits`, `matches` and so on, by name; shape [records].
        measures: `score`, `gain`, `max_gain`, likewise; nan where a record has none.
        fields: what is known of the items, by name; None where an item has no such field.
        starts: where each record's operations begin, and the end of the last; shape [records + 1].
        letters: of all operations, one record after the other, as numbers of ASCII.
        words: the distinct words.
        hypothesis, reference: the number of every operation's words; -1 where a side has none.
        special: of records that have more than counts, words and alignment, by their number in the batch: the alignment
            with its order and its n-best list.
    """

    ids: Sequence[str]
    objects: Sequence[Mapping[str, Any]]
    metric: str
    signature: str
    counts: Mapping[str, Integers]
    measures: Mapping[str, Floats]
    fields: Fields
    starts: Integers
    letters: npt.NDArray[np.uint8]
    words: Sequence[str]
    hypothesis: Numbers
    reference: Numbers
    special: Mapping[int, Aligned]

    def aligned(self) -> Iterator[Aligned]:
        """The alignment of each record."""
        for i in range(len(self.ids)):
            yield self.special.get(i) or self.plain(i)

    def plain(self, record: int) -> Aligned:
        """The alignment of a record, without an order and an n-best list."""
        some = slice(*self.starts[record : record + 2].tolist())
        hypothesis, reference = (
            tuple(None if number < 0 else self.words[number] for number in numbers[some].tolist())
            for numbers in (self.hypothesis, self.reference)
        )
        return Aligned(self.letters[some].tobytes().decode(), hypothesis, reference)


def aligned_batches(source: Source) -> Iterator[Batch]:
    """The records of a file of JSON lines, in batches.

    Raises:
        InputError: a line that is no record, a record without an alignment (`--alignment` writes them), one of another
            metric than those before it, an id that comes twice, or no record.
    """
    refuse_empty(source)
    run = Run(source)
    while batch := run.following():
        yield batch


def batch_of(ids: Sequence[str], objects: Sequence[Mapping[str, Any]], found: Sequence[Aligned]) -> Batch:
    """A batch of records that have been checked.

    Args:
        ids: of the items.
        objects: the records, as JSON; at least one.
        found: their alignments.
    """
    sides = [list(chain.from_iterable(side)) for side in zip(*(each[1:3] for each in found), strict=True)]
    words = [word for word in dict.fromkeys(chain(*sides)) if word is not None]
    numbers: dict[str | None, int] = {word: number for number, word in enumerate(words)} | {None: -1}
    hypothesis, reference = (
        np.fromiter(map(numbers.__getitem__, side), np.int32, len(side)) for side in sides
    )
    return Batch(
        ids,
        objects,
        str(objects[-1].get("metric", "")),
        str(objects[-1].get("signature", "")),
        {name: np.array([record[name] for record in objects], dtype=np.int64) for name in COUNTS},
        {name: np.array([record[name] for record in objects], dtype=np.float64) for name in MEASURES},
        _field_columns([record.get("fields", {}) for record in objects]),
        _offsets([len(aligned.operations) for aligned in found]),
        np.frombuffer("".join(aligned.operations for aligned in found).encode(), np.uint8),
        words,
        hypothesis,
        reference,
        {i: found[i] for i, record in enumerate(objects) if _is_special(record)},
    )


class _Irregular(Exception):
    """Records that have to be looked at one by one."""


class _Lines(Sequence[Mapping[str, Any]]):
    """Lines as JSON, each parsed when it is looked at for the first time."""

    def __init__(self, text: bytes, places: Sequence[tuple[int, int]], parsed: Callable[[str], Any]) -> None:
        self._text, self._places, self._parsed = text, places, parsed
        self._known: dict[int, Mapping[str, Any]] = {}

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, index: Any) -> Any:
        if index not in self._known:
            begin, end = self._places[index]
            self._known[index] = self._parsed(self._text[begin:end].decode())
        return self._known[index]


class Run:
    """Records of a file, and what is known of those so far: which metric they have, and their ids."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._pieces = source.pieces()
        self._text = b""
        self._at = self._line = 0
        self._parsed = record_parser()
        self._ids = _Known()
        self._before = ""

    def following(self) -> Batch | None:
        """The next records; None at the end."""
        while self._at < len(self._text) or self._has_more():
            if batch := self._next():
                return batch
        return None

    def _has_more(self) -> bool:
        """Whether there is another piece of the file; it is the text then."""
        self._text, self._at = next(self._pieces, b""), 0
        return bool(self._text)

    def _next(self) -> Batch | None:
        """The next records of this piece; None where blank lines are all that is left."""
        found = _native.record_columns(self._text, self._at, self._line, BATCH)
        if found is not None:
            try:
                batch = self._all(found) if len(found.lines) else None
            except (_Irregular, KeyError, TypeError, ValueError, OverflowError):
                pass
            else:
                self._at, self._line = found.end, found.last_line
                return batch
        return self._following_lines()

    def _following_lines(self) -> Batch | None:
        """The same for lines of any form."""
        numbers: list[int] = []
        objects: list[dict[str, Any]] = []
        try:
            while self._at < len(self._text) and len(objects) < BATCH:
                end = self._text.find(b"\n", self._at)
                end = len(self._text) if end < 0 else end
                line = self._text[self._at : end].decode().removesuffix("\r")
                self._at, self._line = min(end + 1, len(self._text)), self._line + 1
                if line and not line.isspace():
                    objects.append(object_in_line(self._source, self._line, line, self._parsed))
                    numbers.append(self._line)
        except Exception:
            # What is wrong with records before a line comes before what is wrong with it.
            self.each(numbers, objects)
            raise
        return self.each(numbers, objects)

    def _all(self, found: _native.RecordColumns) -> Batch:
        """All at once.

        Raises:
            _Irregular, KeyError, TypeError, ValueError, OverflowError: something may be wrong with one of them.
        """
        columns = {name: self._parsed(values.decode()) for name, values in found.values.items()}
        metrics, signatures, words = (
            self._parsed(texts.decode()) for texts in (found.metrics, found.signatures, found.words)
        )
        _hold(len({*metrics}) == len({*signatures}) == 1)
        objects = _Lines(
            self._text, list(zip(found.begins.tolist(), found.ends.tolist(), strict=True)), self._parsed
        )
        further = found.further.tolist()
        kinds = {"arcs" in objects[i] for i in further} | ({False} if len(further) < len(objects) else set())
        _hold(len(kinds) == 1)
        what = _what(metrics[0], signatures[0], kinds.pop())
        _hold(self._before in ("", what))
        _only({str, int, _NONE}, columns["id"])
        numbers = found.lines.tolist()
        ids = [str(n if id is None else id) for n, id in zip(numbers, columns["id"], strict=True)]
        _hold(len({*ids}) == len(ids) and not self._ids.may_have(ids))
        # The metric and the signature are the same in all: one check is enough.
        checked(objects[0])
        counts = _counts(columns)
        _check_scores(metric_of(metrics[0]), columns, counts)
        fields = _field_columns(columns["fields"])
        _check_fields(fields)
        starts = _offsets(found.operations)
        special: dict[int, Aligned] = {}
        batch = Batch(
            ids,
            objects,
            metrics[0],
            signatures[0],
            counts,
            {name: np.array(columns[name], dtype=np.float64) for name in MEASURES},
            fields,
            starts,
            found.letters,
            *_words(found, starts, counts, words),
            special,
        )
        for i in further:
            if _is_special(objects[i]):
                special[i] = _with_optional(objects[i], batch.plain(i))
        self._before = what
        self._ids.add(ids)
        return batch

    def each(self, numbers: Sequence[int], objects: Sequence[Mapping[str, Any]]) -> Batch | None:
        """Check some records one by one; None where there is none."""
        source, lines, found = self._source, dict[str, int](), list[Aligned]()
        for number, fields in zip(numbers, objects, strict=True):
            if "alignment" not in fields:
                raise source.error(_without_alignment(fields), number)
            aligned = check(source, number, fields)
            if aligned is None:
                raise source.error(_without_alignment(fields), number)
            what = _what(fields["metric"], fields.get("signature", ""), "arcs" in fields)
            if what != (before := self._before or what):
                raise source.error(
                    f"a record of {what} after those of {before}; one file has one run", number
                )
            self._before = what
            id = str(number if fields["id"] is None else fields["id"])
            first = lines.setdefault(id, number)
            if first == number and self._ids.may_have([id]):
                first = self._line_of(id, number)
            if first != number:
                raise source.error(f"id {id!r} comes twice, first in line {first}", number)
            found.append(aligned)
        if not objects:
            return None
        self._ids.add(ids := list(lines))
        return batch_of(ids, objects, found)

    def _line_of(self, id: str, end: int) -> int:
        """The line of the record with an id, of those before a line; that line where none has it."""
        for number, line in self._source.lines():
            if number == end:
                break
            if line and not line.isspace():
                own = self._parsed(line)["id"]
                if id == str(number if own is None else own):
                    return number
        return end


class _Known:
    """Ids that have come: eight bytes of each."""

    def __init__(self) -> None:
        self._hashes: list[Integers] = []  # each in order, and longer than the next one

    def add(self, ids: Sequence[str]) -> None:
        """Take some more."""
        more = np.sort(_hashes(ids))
        while self._hashes and len(self._hashes[-1]) <= len(more):
            more = np.sort(np.concatenate([self._hashes.pop(), more]), kind="stable")
        self._hashes.append(more)

    def may_have(self, ids: Sequence[str]) -> bool:
        """Whether one of these may be among them; if not, it is certain that none is."""
        wanted = _hashes(ids)
        return any((known[np.searchsorted(known[:-1], wanted)] == wanted).any() for known in self._hashes)


def _hashes(ids: Sequence[str]) -> Integers:
    return np.fromiter(map(hash, ids), np.int64, len(ids))


def _is_special(record: Mapping[str, Any]) -> bool:
    """Whether a record has more than counts, words and alignment."""
    return bool(record["moves"]) or not OPTIONAL.isdisjoint(record)


def _with_optional(record: Mapping[str, Any], plain: Aligned) -> Aligned:
    """As of `record_schema`, which knows records without an alignment as well."""
    aligned = with_optional(record, plain)
    if aligned is None:
        raise _Irregular
    return aligned


def _what(metric: str, signature: str, is_oracle: bool) -> str:
    """What a record is of, in words: all records of a file must agree."""
    what = f"{'an oracle under' if is_oracle else 'a score by'} {metric}"
    return f"{what} ({signature})" if signature else what


def _without_alignment(fields: Mapping[str, Any]) -> str:
    """Why a record has no alignment, and what to do."""
    if "expected_loss" in fields:
        return (
            "a record of mbr has no alignment, as there was no reference; put what mbr prints into a file, and score "
            "that with --alignment --output FILE"
        )
    if "statistics" in fields:
        return (
            f"{fields.get('metric')} aligns no words; score with wer or another metric that does, "
            "or with --alignment --output FILE, which writes the fewest word edits beside the score"
        )
    return f"the record has no alignment; {MAKE}"


def _hold(holds: bool | np.bool_) -> None:
    if not holds:
        raise _Irregular


def _field_columns(fields: Sequence[Mapping[str, Any]]) -> Fields:
    """Of every field that an item has, those of all items."""
    names = list(dict.fromkeys(chain.from_iterable(fields)))
    if all(len(each) == len(names) for each in fields):
        return {name: [each[name] for each in fields] for name in names}
    return {name: [each.get(name) for each in fields] for name in names}


def _check_fields(fields: Fields) -> None:
    """As of `field_checks.are_fields`."""
    for values in fields.values():
        _only({str, int, float, bool, _NONE}, values)


def _offsets(lengths: Sequence[int] | Integers) -> Integers:
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


def _check_scores(metric: str, columns: Mapping[str, Sequence[Any]], counts: Mapping[str, Integers]) -> None:
    """Scores are the quotients that the counts or the gain make."""
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


def _words(
    found: _native.RecordColumns, starts: Integers, counts: Mapping[str, Integers], words: Sequence[str]
) -> tuple[Sequence[str], Numbers, Numbers]:
    """The words of the alignments, which agree with the letters, the counts and the words of both sides."""
    letters = found.letters
    both, fields = (found.hypothesis, found.reference), (found.spoken_words, found.nearest_words)
    if len(numbers := {word: number for number, word in enumerate(dict.fromkeys(words))}) < len(words):
        # Some are written in several ways.
        number_of = np.array([*map(numbers.__getitem__, words), -1], dtype=np.int32)
        both = number_of[found.hypothesis], number_of[found.reference]
        fields = number_of[found.spoken_words], number_of[found.nearest_words]
        words = list(numbers)
    hypothesis, reference = both
    _hold(((hypothesis == reference) == (letters == ord("="))).all())
    for letter, name in zip("=SID", ("matches", "substitutions", "insertions", "deletions"), strict=True):
        _hold((_each_has(letters == ord(letter), starts) == counts[name]).all())
    for side, of_field, lengths in zip(both, fields, (found.spoken, found.nearest), strict=True):
        present = side >= 0
        _hold((_each_has(present, starts) == lengths).all())
        _hold((side[present] == of_field).all())
    return words, hypothesis, reference


def _each_has(mask: npt.NDArray[np.bool_], starts: Integers) -> Integers:
    """How many of each record's operations a mask has."""
    before = np.concatenate([[0], np.cumsum(mask, dtype=np.int64)])
    counts: Integers = before[starts[1:]] - before[starts[:-1]]
    return counts
