"""Records as scoring wrote them (docs/records.md): `read_records`, `Record`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fstmetrics.errors import InputError
from fstmetrics.json_text import parsed_json
from fstmetrics.readers.base import Source
from fstmetrics.results import AlignedPair

# Which sides of an operation have a word.
_SIDES = {"=": (True, True), "S": (True, True), "I": (True, False), "D": (False, True), "*": (True, False)}
# What errors advise.
MAKE = "score, hyter and oracle write records with --alignment --output FILE"
_COUNTS = ("edits", "matches", "substitutions", "insertions", "deletions", "moves", "path_length")


@dataclass(frozen=True, slots=True)
class Record:
    """One item as it was scored.

    Attributes:
        id: the item's id; its number in the file where it has none, from 1.
        metric: what was computed.
        score: the score; None where it is infinite.
        edits, matches, substitutions, insertions, deletions, moves, path_length: counts, as of a `Result`.
        alignment: the operations.
        nbest: further best paths, the first included.
        fields: all of the record, as JSON.
    """

    id: str
    metric: str
    score: float | None
    edits: int
    matches: int
    substitutions: int
    insertions: int
    deletions: int
    moves: int
    path_length: int
    alignment: tuple[AlignedPair, ...]
    nbest: tuple[Record, ...]
    fields: Mapping[str, Any]

    @property
    def hypothesis(self) -> list[str]:
        """The words of the hypothesis that count, in the order of the alignment: not those under wildcards."""
        return [p.hypothesis for p in self.alignment if p.hypothesis is not None and p.op != "*"]

    @property
    def closest(self) -> list[str]:
        """The words of the closest path."""
        return [pair.reference for pair in self.alignment if pair.reference is not None]


def read_records(path: str | Path) -> Iterator[Record]:
    """The records of a JSON Lines file, one after the other; gzip is transparent, "-" is standard input.

    Raises:
        InputError: a line that is no record, a record without an alignment (`--alignment` writes them), or no record.
    """
    source = Source.open(path)
    if not source.data.strip():
        raise source.error("is empty: scoring writes records with --alignment --output FILE")
    for number, line in source.lines():
        if line.strip():
            yield _record(source, number, _object(source, number, line))


def _object(source: Source, number: int, line: str) -> dict[str, Any]:
    try:
        value = parsed_json(line)
    except ValueError as error:
        raise source.error(f"no record: {_unread(line, error)}; {MAKE}", number) from None
    if not isinstance(value, dict):
        raise source.error(f"no record: expected a JSON object, found {type(value).__name__}; {MAKE}", number)
    return value


def _unread(line: str, error: ValueError) -> str:
    """Why a line is no JSON: of what begins like it, where it goes wrong."""
    return f"not JSON: {error}" if line.lstrip()[:1] in "{[" else "the line is not JSON"


def _record(source: Source, number: int, fields: dict[str, Any]) -> Record:
    if "alignment" not in fields:
        raise source.error(_without_alignment(fields), number)
    try:
        counts = {name: int(fields[name]) for name in _COUNTS}
        alignment = _ordered([_pair(pair) for pair in fields["alignment"]], fields)
        score = None if fields["score"] is None else float(fields["score"])
        metric = str(fields["metric"])
        _ = [float(fields.get(name) or 0) for name in ("gain", "max_gain")]
        nbest = tuple(fields.get("nbest") or ())
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise source.error(f"not a record of fstmetrics: {_fault(error)}", number) from None
    id = str(number if fields.get("id") is None else fields["id"])
    # Paths of an item have no paths of their own.
    others = tuple(
        _record(source, number, other | {"nbest": ()}) for other in nbest if isinstance(other, dict)
    )
    return Record(id, metric, score, **counts, alignment=alignment, nbest=others, fields=fields)


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


def _pair(pair: Any) -> AlignedPair:
    op, hypothesis, reference = pair
    if not all(isinstance(word, str | None) for word in (hypothesis, reference)) or not isinstance(op, str):
        raise ValueError(f"operation {pair!r}")
    words = (hypothesis is not None, reference is not None)
    if words != _SIDES.get(op):
        raise ValueError(f"operation {pair!r}")
    return AlignedPair(op, hypothesis, reference)


def _ordered(pairs: list[AlignedPair], fields: Mapping[str, Any]) -> tuple[AlignedPair, ...]:
    """The operations with what the order of the words tells: their positions, and the moves paid for them."""
    order = fields.get("order")
    if not order:
        return tuple(pairs)
    places = [at for at, pair in enumerate(pairs) if pair.hypothesis is not None]
    if sorted(order) != list(range(len(places))):
        raise ValueError(f"order {order!r} is no order of the {len(places)} words of the hypothesis")
    # Which of the two counts of docs/hyter.md was made, the number of moves tells.
    readings = [paid_moves(order, jumps) for jumps in (False, True)]
    paid = next((reading for reading in readings if sum(reading) == fields["moves"]), None)
    if paid is None:
        raise ValueError(f"order {order!r} does not take {fields['moves']!r} moves")
    for at, position, is_paid in zip(places, order, paid, strict=True):
        pairs[at] = pairs[at]._replace(position=position, moves=int(is_paid))
    return tuple(pairs)


def paid_moves(order: Sequence[int], jumps: bool) -> list[bool]:
    """Of every word in the order in which they are taken, whether a reordering move is paid for it.

    Args:
        order: positions of the words, in the order in which they are taken.
        jumps: whether every word out of turn is paid for, not only the first of a block that moves.

    >>> paid_moves([0, 2, 3, 1], jumps=False), paid_moves([0, 2, 3, 1], jumps=True)
    ([False, True, False, False], [False, True, True, False])
    """
    leftmost, before, taken, paid = 0, None, set[int](), list[bool]()
    for position in order:
        follows = before is not None and position == before + 1
        paid.append(position != leftmost and (jumps or not follows))
        taken.add(position)
        before = position
        while leftmost in taken:
            leftmost += 1
    return paid


def _fault(error: Exception) -> str:
    return f"no field {error}" if isinstance(error, KeyError) else str(error)


def by_id(path: str | Path) -> dict[str, Record]:
    """The records of a file by their ids.

    Raises:
        InputError: as of `read_records`, or an id that comes twice.
    """
    found: dict[str, Record] = {}
    for record in read_records(path):
        if record.id in found:
            raise InputError(f"id {record.id!r} comes twice", path)
        found[record.id] = record
    return found
