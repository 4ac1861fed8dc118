"""Records of fstmetrics: what they say (docs/records.md), by the kinds of their metrics, and those of a file, many at a
time: `record_columns`, of any kind, and `aligned_batches`, of those with alignments.

That records are as they should be, the native parser checks (native/formats/record_columns.cc): what it lets through
needs no further look. `read_objects` has lines of records as objects of JSON, unchecked.

Their alignments by columns: `Aligned`; `native/formats/alignment_notation.h` says how records write them.

The format `records` are the words of the hypotheses, with their ids, as `--output` of score and mbr writes them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import numpy as np

from fstmetrics._native import RecordColumns, RecordSchema, operation_columns, paid_moves
from fstmetrics.io.arcs import shown, take_id
from fstmetrics.io.detection.text_signs import is_columnar
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.writing import parts_of_turn
from fstmetrics.metrics import METRICS, Metric
from fstmetrics.metrics.corpus_metric import SESSION_RATES, metric_of, name_of
from fstmetrics.metrics.path_metric import EditTable, Quotient
from fstmetrics.metrics.registry import PathName
from fstmetrics.support.errors import InputError
from fstmetrics.support.json_text import json_parser, parsed_json, written_json
from fstmetrics.support.source import Source

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]
    Numbers = npt.NDArray[np.int32]
    Floats = npt.NDArray[np.float64]
    Fields = Mapping[str, Sequence[Any]]

# Numbers of a record that are not counts.
MEASURES = ("score", "gain", "max_gain", "reference_digest")
# Metrics of best paths that ship. Scores of cer are of the metric wer; the costs of `edit` are not in records.
PATH_METRICS = frozenset(get_args(PathName)) - {"cer"} | SESSION_RATES | {"edit"}


def unit_of(metric: str) -> str:
    """What the counts of a record are of, by the name of its metric.

    >>> unit_of("wer"), unit_of("cer")
    ('word', 'character')
    """
    return "word" if metric_of(metric) == metric else "character"


def aligns_itself(metric: str) -> bool:
    """Whether the alignments of records are those of their metric; a score of strings has word edits beside it.

    >>> aligns_itself("cer"), aligns_itself("bleu")
    (True, False)
    """
    return _has_paths(metric_of(metric))


def _has_paths(metric: str) -> bool:
    """Whether a metric has best paths, be it one of another package."""
    return metric in PATH_METRICS or path_metric(metric) is not None


def path_metric(metric: str) -> type[Metric] | None:
    """The class of a metric of best paths, by the name that records have for its scores; None of any other.

    >>> path_metric("cer"), path_metric("bleu")
    (<class 'fstmetrics.metrics.wer.WER'>, None)
    """
    found = METRICS.get(metric_of(metric))
    return found if found is not None and issubclass(found, Metric) else None


def quotient_of(metric: str) -> Quotient | None:
    """What the score of a record divides, by the name of its metric; None where counts do not tell.

    How a rate follows from `counts` say `sums` of record_columns.cc, `statistics_of` of apps/pages/shown.py, and
    `scoreOf` and `parts` of its views.js.

    >>> quotient_of("char-hyter"), quotient_of("grr"), quotient_of("mer"), quotient_of("bleu")
    ('errors', 'gain', 'counts', None)
    """
    if metric_of(metric) in SESSION_RATES:
        return "errors"
    found = path_metric(metric)
    return None if found is None else vars(found).get("quotient")


def rate_numerator(record: Mapping[str, Any]) -> float:
    """What the score of an error rate divides: edits, moves and what rewrites cost.

    >>> rate_numerator({"edits": 1, "moves": 0, "rules": [{"cost": 0.5}]})
    1.5
    """
    errors: float = record["edits"] + record["moves"] + sum(rule["cost"] for rule in record.get("rules", ()))
    return errors


def word_edits(metric: str) -> EditTable | None:
    """What edits cost under a metric whose records count those of words in their order; None of any other.

    >>> word_edits("sclite").cost, word_edits("hyter"), word_edits("grr")
    (((0, 4, 3, 3),), None, None)
    """
    found = path_metric(metric)
    if found is None or quotient_of(metric) not in ("errors", "counts"):
        return None
    table = found().table
    return None if table.move_cost else table


def add_rule(schema: RecordSchema, name: bytes) -> None:
    """Tell the native parser of a metric, by what records call it, as JSON."""
    called = parsed_json(name.decode())
    metric = metric_of(called)
    columns = METRICS[metric].columns if metric in METRICS else ()
    has_paths = _has_paths(metric) and (
        metric in SESSION_RATES or called in (metric, name_of(metric, "char"))
    )
    schema.add(
        name,
        ("wer" if metric in SESSION_RATES else metric) if has_paths else "",
        has_paths,
        list(columns) if isinstance(columns, tuple) else None,  # some have more for higher orders
    )


class Aligned(NamedTuple):
    """An alignment by columns, a letter or word an operation.

    Attributes:
        operations: the letters.
        hypothesis, reference: the words; None where a side has none.
        positions: of every operation, the position of its hypothesis word in the string as given; None for a deletion.
            Empty where nothing is reordered.
        paid: of every operation, whether a reordering move is paid there; empty where nothing is reordered.
        nbest: the alignments of the k best paths, where more than one was asked for.
    """

    operations: str = ""
    hypothesis: tuple[str | None, ...] = ()
    reference: tuple[str | None, ...] = ()
    positions: tuple[int | None, ...] = ()
    paid: tuple[bool, ...] = ()
    nbest: tuple[Aligned, ...] = ()


def aligned_of(record: Mapping[str, Any]) -> Aligned:
    """The alignment of a record that has one, with its order and its n-best list."""
    further = () if "statistics" in record else tuple(map(aligned_of, record.get("nbest", ())))
    aligned = Aligned(*operation_columns(record["alignment"]), nbest=further)
    if not record["moves"]:
        return aligned
    order = record["order"]
    readings = (paid_moves(order, jumps) for jumps in (False, True))
    paid = next(reading for reading in readings if sum(reading) == record["moves"])
    taken = iter(zip(order, paid, strict=True))
    both = [(None, False) if word is None else next(taken) for word in aligned.hypothesis]
    positions, at = zip(*both, strict=True)
    return aligned._replace(positions=positions, paid=at)


# Characters of a value that an error shows.
SHOWN = 60
# What errors advise.
MAKE = (
    "score, hyter and oracle write records with --alignment --output FILE, score of a table with both sides, too "
    "(errors and show read the table itself with --fields ref=COLUMN,hyp=COLUMN)"
)
EDITED = "the record was damaged or edited; score again with --output FILE"


def read_objects(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """The JSON objects of a file, one a line, with the numbers of their lines; blank lines are passed over.

    Raises:
        InputError: a line that is no JSON object, or nothing at all.
    """
    _refuse_others(source)
    parsed = record_parser()
    for number, line in source.lines():
        if line and not line.isspace():
            yield number, object_in_line(source, number, line, parsed)


def refuse_shard(path: str | Path, signature: str, number: int | None = None) -> None:
    """Raise InputError for a signature of a shard of a run without ids, whose records are not numbered as its items."""
    if "|shard:" in signature:
        raise InputError(
            "a record of a shard, without an id, so its place in the run is not known: `fstmetrics merge SHARDS... "
            "--output FILE` puts shards together",
            path,
            number,
        )


def _refuse_others(source: Source) -> None:
    """Raise InputError for a file without anything, or of anything but lines."""
    if source.is_blank:
        raise source.error("is empty: scoring writes records with --alignment --output FILE")
    if is_columnar(source):
        raise source.error(f"no record: a table of Parquet or Arrow; {MAKE}")
    if source.content[:100].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
        raise source.error(
            f"no record: a JSON list, where an object a line is expected, as jq -c '.[]' FILE writes them; {MAKE}"
        )


def record_parser() -> Callable[[str], Any]:
    """JSON as records have it: finite numbers."""
    return json_parser(parse_float=_finite)


def object_in_line(source: Source, number: int, line: str, parsed: Callable[[str], Any]) -> dict[str, Any]:
    """The object of a line.

    Raises:
        InputError: it is none.
    """
    try:
        value = parsed(line)
    except ValueError as error:
        why = f"not JSON: {error}" if line.lstrip()[:1] in "{[" else "the line is not JSON"
        raise source.error(f"no record: {why}; {MAKE}", number) from None
    if not isinstance(value, dict):
        raise source.error(f"no record: expected a JSON object, found {type(value).__name__}; {MAKE}", number)
    return value


def _finite(digits: str) -> float:
    if math.isfinite(number := float(digits)):
        return number
    raise ValueError(f"the number {digits[:SHOWN]} is too large")


# Records checked at once: few enough to stay in a processor's cache.
BATCH = 1000


@dataclass(frozen=True, eq=False)
class Batch:
    """Some records in a row, and their alignments by columns.

    Attributes:
        ids: of the items; the number of its line where an item has none.
        objects: the records, as JSON.
        metric, signature: of all of them; no signature is an empty one.
        counts: `edits`, `matches` and so on, by name; shape [records].
        measures: `score`, `gain`, `max_gain`, `reference_digest`, likewise; nan where a record has none.
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


class Lines(Sequence[Mapping[str, Any]]):
    """Lines as JSON, each parsed when it is looked at for the first time."""

    def __init__(self, text: bytes, found: RecordColumns, parsed: Callable[[str], Any]) -> None:
        self._text, self._parsed = text, parsed
        self._places = list(zip(found.begins.tolist(), found.ends.tolist(), strict=True))
        self._known: dict[int, Mapping[str, Any]] = {}

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, index: Any) -> Any:
        if index not in self._known:
            begin, end = self._places[index]
            self._known[index] = self._parsed(self._text[begin:end].decode())
        return self._known[index]


class Part(NamedTuple):
    """Some records in a row.

    Attributes:
        columns: what the native parser found; its `fault` is of the record behind them.
        objects: the records, as JSON.
        fault: what is wrong with the next one, and its JSON if it is an object.
    """

    columns: RecordColumns
    objects: Lines
    fault: tuple[InputError, Mapping[str, Any]] | None


def record_columns(source: Source) -> Iterator[Part]:
    """The records of a file of JSON lines, of any command, up to what is wrong.

    Whoever reads looks at records before a fault first, and raises it then.

    Raises:
        InputError: nothing at all.
    """
    _refuse_others(source)
    schema = RecordSchema(", ".join(sorted(PATH_METRICS)))
    parsed = json_parser()  # of what is JSON for sure
    line = 0
    for text in source.pieces():
        at = 0
        while at < len(text):
            found = schema.read(text, at, line, BATCH)
            while found.unknown is not None:
                add_rule(schema, found.unknown)
                found = schema.read(text, at, line, BATCH)
            yield Part(found, Lines(text, found, parsed), _fault(source, text, found))
            at, line = found.end, found.last_line


def _fault(source: Source, text: bytes, found: RecordColumns) -> tuple[InputError, Mapping[str, Any]] | None:
    """The error of a record that is wrong, and its JSON."""
    if found.fault is None:
        return None
    number, begin, end, why, piece = found.fault
    parsed = record_parser()
    try:
        record = object_in_line(source, number, text[begin:end].decode(), parsed)
    except InputError as error:
        return error, {}
    if not why:  # Python would read it
        return source.error(f"no record: not JSON: brackets are nested too deeply; {MAKE}", number), {}
    if piece:
        value = written_json(parsed(piece.decode()))
        why = why.replace("{}", value if len(value) <= SHOWN else f"{value[:SHOWN]}...")
    return source.error(f"not a record of fstmetrics: {why}; {EDITED}", number), record


def aligned_batches(source: Source) -> Iterator[Batch]:
    """The records of a file of JSON lines, in batches.

    Raises:
        InputError: a line that is no record, a record without an alignment (`--alignment` writes them), one of another
            metric than those before it, an id that comes twice, or no record.
    """
    known, before, parsed = _Known(), "", json_parser()
    for found, objects, fault in record_columns(source):
        lines = found.lines.tolist()
        metrics, signatures = (parsed(texts.decode()) for texts in (found.metrics, found.signatures))
        ids = [
            str(line if id is None else id)
            for line, id in zip(lines, parsed(found.ids.decode()), strict=True)
        ]
        runs = list(zip(found.metric.tolist(), found.signature.tolist(), found.oracles.tolist(), strict=True))
        names = {run: _what(metrics[run[0]], signatures[run[1]], bool(run[2])) for run in dict.fromkeys(runs)}
        before = before or next(iter(names.values()), "")
        good = len(lines)
        if not found.aligned.all():
            good = int(np.argmin(found.aligned))
        if set(names.values()) - {before}:
            other = next(at for at, run in enumerate(runs) if names[run] != before)
        else:
            other = len(lines)
        _refuse_twice(source, ids[: min(good, other)], lines, known)
        if good <= other < len(lines) or good < other:
            raise source.error(_without_alignment(objects[good]), lines[good])
        if other < len(lines):
            what = names[runs[other]]
            refuse_shard(source.path, what, lines[other])
            raise source.error(
                f"a record of {what} after those of {before}; one file has one run", lines[other]
            )
        if fault:
            error, record = fault
            if found.fault and record and "alignment" not in record:
                raise source.error(_without_alignment(record), found.fault[0])
            raise error
        if not lines:
            continue
        known.add(ids)
        yield Batch(
            ids,
            objects,
            metrics[0],
            signatures[0],
            found.counts,
            found.measures,
            field_columns(parsed(found.fields.decode())),
            np.concatenate([[0], np.cumsum(found.operations, dtype=np.int64)]).astype(np.int64),
            found.letters,
            parsed(found.words.decode()),
            found.hypothesis,
            found.reference,
            {i: aligned_of(objects[i]) for i in found.further.tolist()},
        )


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


def _refuse_twice(source: Source, ids: Sequence[str], lines: Sequence[int], known: _Known) -> None:
    """Raise InputError for an id that comes twice, or has come before."""
    if len(set(ids)) == len(ids) and not known.may_have(ids):
        return
    first: dict[str, int] = {}
    for id, line in zip(ids, lines, strict=False):
        earlier = first.setdefault(id, line)
        if earlier == line and known.may_have([id]):
            earlier = _line_of(source, id, line)
        if earlier != line:
            raise source.error(f"id {id!r} comes twice, first in line {earlier}", line)


def _line_of(source: Source, id: str, end: int) -> int:
    """The line of the record with an id, of those before a line; that line where none has it."""
    parsed = json_parser()
    for number, line in source.lines():
        if number == end:
            break
        if line and not line.isspace():
            own = parsed(line)["id"]
            if id == str(number if own is None else own):
                return number
    return end


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


def field_columns(fields: Sequence[Mapping[str, Any]]) -> Fields:
    """Of every field that an item has, those of all items."""
    names = list(dict.fromkeys(chain.from_iterable(fields)))
    if all(len(each) == len(names) for each in fields):
        return {name: [each[name] for each in fields] for name in names}
    return {name: [each.get(name) for each in fields] for name in names}


# What a signature says where the words are as they were given, and parts that say that they are not.
_KEPT = {"unit": "word", "case": "mixed", "punctuation": "kept", "tok": "none"}
_CHANGED = frozenset(
    {"unicode", "profile", "normaliser", "drops", "ignore", "ignore-hyp", "ignore-ref", "optional-words"}
)


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The hypothesis of each record, in order.

    Raises:
        InputError: not JSON (with the line), a record of another unit than words, one without the words of a
            hypothesis, as those of BLEU, one of an oracle, or an id that was there before.
    """
    source.refuse_empty()
    seen: dict[str, int] = {}
    for number, record in read_objects(source):
        signature = str(record.get("signature"))
        refuse_shard(source.path, signature, number)
        if not _are_as_given(signature):
            raise source.error(
                "expected the words as they were given (unit:word, case:mixed, punctuation:kept, tok:none, no window, "
                f"and nothing else done to them), found {shown(signature)}; give the texts that were scored",
                number,
            )
        if record.get("arcs", 1) not in (0, 1):  # of no more than one arc or entry nothing was chosen
            raise source.error(
                "the words of this record are an oracle: what of a lattice or n-best list is nearest to its reference, "
                "and not what a system said; give the 1-best, which fstmetrics best LATTICES writes",
                number,
            )
        words: Any = record.get("hypothesis")
        id = record.get("id")
        if not _are_words(words):
            raise source.error(
                "this record has no words of a hypothesis: give the texts that were scored", number
            )
        if id is not None and not isinstance(id, str):
            raise source.error(f"expected a text or null as id, found {shown(str(id))}", number)
        take_id(source, id, number, seen)
        own = record.get("fields")
        left_out = parts_of_turn(own) if options.tell_left_out and isinstance(own, dict) else ()
        yield Item(id, None, " ".join(words), left_out=left_out)
    options.remark(f"{source.path} read as records of fstmetrics: their hypotheses")


def _are_as_given(signature: str) -> bool:
    """Whether nothing was done to the words of hypotheses, and none was moved in a window."""
    parts = {name: value for name, _, value in (part.partition(":") for part in signature.split("|"))}
    is_kept = all(parts.get(name) == value for name, value in _KEPT.items())
    return is_kept and parts.get("window", "1") == "1" and _CHANGED.isdisjoint(parts)


def _are_words(words: Any) -> bool:
    return isinstance(words, list) and all(isinstance(w, str) and w and not w.isspace() for w in words)


FORMAT = Format("records", "records of fstmetrics: the words of their hypotheses", read, by_lines=True)
