"""Records of `--output` and their schema (docs/records.md): `read_objects`, then `check` of each object.

Everything that reads records reads them here, and takes what `check` let through without a further look: every field
has its type, and the fields agree with one another. So a record that was damaged or edited is refused with its file and
line.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import eq
from typing import Any, NamedTuple, TypeVar

from fstmetrics.metrics import METRICS, Metric
from fstmetrics.metrics.corpus import metric_of, name_of
from fstmetrics.support.json_text import json_parser, written_json
from fstmetrics.support.source import Source

# What errors advise.
MAKE = "score, hyter and oracle write records with --alignment --output FILE"
EDITED = "the record was damaged or edited; score again with --output FILE"
COUNTS = ("edits", "matches", "substitutions", "insertions", "deletions", "moves", "path_length")
# By these a record is known to be of a best path, or of a part of one.
PATH_FIELDS = frozenset({*COUNTS, "hypothesis", "closest", "gain", "max_gain", "alignment", "order", "nbest"})
# What scores divide: edits and moves by words, or gain by max_gain; the costs of `edit` are not in records.
ERROR_RATES = frozenset({"wer", "hyter", "sclite"})
RECOGNITION_RATES = frozenset({"wrr", "grr"})
# Rates of the counts of a path that is best under WER.
ALIGNMENT_RATES = frozenset({"mer", "wil", "wip"})
PATH_METRICS = ERROR_RATES | RECOGNITION_RATES | {"edit"}
# Scores and quotients may have been rounded by a program in between, to ten digits or so.
NEAR = 1e-9
# What an operation may be: its letter, and the types of its hypothesis and reference word.
OPERATIONS = frozenset(
    {
        ("=", str, str),
        ("S", str, str),
        ("I", str, type(None)),
        ("D", type(None), str),
        ("*", str, type(None)),
    }
)
# Counts of the engine are below this.
MOST = 2**53
# Characters of a value that an error shows.
SHOWN = 60

Check = Callable[[Mapping[str, Any], str], None]
Checked = TypeVar("Checked")
_NONE = type(None)


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


def read_objects(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """The JSON objects of a file, one a line, with the numbers of their lines; blank lines are passed over.

    Raises:
        InputError: a line that is no JSON object, or nothing at all.
    """
    if not source.data.strip():
        raise source.error("is empty: scoring writes records with --alignment --output FILE")
    parsed = json_parser(parse_float=_finite)
    for number, line in source.lines():
        if line and not line.isspace():
            yield number, _object(source, number, line, parsed)


def _object(source: Source, number: int, line: str, parsed: Callable[[str], Any]) -> dict[str, Any]:
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


def check(source: Source, number: int, record: Mapping[str, Any]) -> Aligned | None:
    """Check a whole record, of any command.

    Args:
        source: the file, for messages.
        number: of the line.
        record: the object.

    Returns:
        The alignment of a best path; None where the record has none.

    Raises:
        InputError: a field is missing or has another type or range, or fields do not agree.
    """
    try:
        return checked(record)
    except KeyError as error:
        why = f"no field {error}"
    except ValueError as error:
        why = str(error)
    raise source.error(f"not a record of fstmetrics: {why}; {EDITED}", number)


def kind_of(record: Mapping[str, Any]) -> str:
    """Which kind of record it is, by its fields: `risk` (of mbr), `statistics`, `path`, or `score` (a score alone)."""
    if "expected_loss" in record:
        return "risk"
    if "statistics" in record:
        return "statistics"
    return "path" if not PATH_FIELDS.isdisjoint(record) else "score"


def unit_of(metric: str) -> str:
    """What the counts of a record are of, by the name of its metric.

    >>> unit_of("wer"), unit_of("cer")
    ('word', 'character')
    """
    return "word" if metric_of(metric) == metric else "character"


def checked(record: Mapping[str, Any]) -> Aligned | None:
    """The alignment of a record, as of `check`.

    Raises:
        KeyError, ValueError: something is wrong with the record.
    """
    kind = kind_of(record)
    if type(record["id"]) not in (str, int, _NONE):
        raise _other("id", "a text or null", record["id"])
    if type(record["metric"]) is not str:
        raise _other("metric", "the name of a metric", record["metric"])
    if "signature" in record:
        _text(record, "signature")
    if "fields" in record and not are_fields(record["fields"]):
        raise _other("fields", "an object of texts, numbers, true, false and null", record["fields"])
    if kind == "path":
        return _path(record, is_whole=True)
    _all(record, _KINDS[kind])
    return None


def _path(record: Mapping[str, Any], is_whole: bool) -> Aligned | None:
    """A best path; `is_whole` says that it is the record's own, which may have others beside it."""
    metric = metric_of(record["metric"])
    if not _has_paths(metric) or record["metric"] not in (metric, name_of(metric, "char")):
        best = f"one that has best paths ({', '.join(sorted(PATH_METRICS))})"
        raise _other("metric", best, record["metric"])
    _sums(record, metric)
    hypothesis, closest = record["hypothesis"], record["closest"]
    _words(record, "closest")
    if len(closest) != record["path_length"]:
        raise ValueError(f"closest has {len(closest)} words, path_length is {record['path_length']}")
    aligned = None
    if "alignment" in record:
        aligned = _alignment(record)
    else:
        _words(record, "hypothesis")
        if len(hypothesis) < record["matches"] + record["substitutions"] + record["insertions"]:
            raise ValueError(
                f"hypothesis has {len(hypothesis)} words, fewer than matches + substitutions + insertions"
            )
    aligned = _with_order(record, aligned)
    return _with_further(record, aligned) if is_whole else aligned


def with_optional(record: Mapping[str, Any], aligned: Aligned) -> Aligned | None:
    """The alignment with all that a record may have beside counts, words and alignment, which have been checked.

    Raises:
        KeyError, ValueError: something is wrong with it.
    """
    if kind_of(record) != "path":
        return checked(record)
    return _with_further(record, _with_order(record, aligned))


def _with_order(record: Mapping[str, Any], aligned: Aligned | None) -> Aligned | None:
    """The alignment with the order of the words, after a check of that and of what else some best paths have."""
    if record["moves"] or "order" in record:
        aligned = _reordered(record, aligned)
    for name in _OF_PATHS.keys() & record.keys():
        _OF_PATHS[name](record, name)
    return aligned


def _with_further(record: Mapping[str, Any], aligned: Aligned | None) -> Aligned | None:
    """The alignment with those of further paths, after a check of what a record has beside its best path."""
    if not _OF_ORACLES.keys().isdisjoint(record):
        _oracle(record)
    if "nbest" in record:
        others = _nbest(record)
        return aligned and aligned._replace(nbest=others)
    return aligned


def _sums(record: Mapping[str, Any], metric: str) -> None:
    """The counts, which add up, and the score, which follows from them."""
    for name in COUNTS:
        count = record[name]
        if type(count) is not int or not 0 <= count < MOST:
            raise _other(name, "a whole number from 0 up", count)
    matches, substitutions, deletions = record["matches"], record["substitutions"], record["deletions"]
    insertions, edits, length = record["insertions"], record["edits"], record["path_length"]
    if edits != substitutions + insertions + deletions:
        raise ValueError(f"edits is {edits}, not substitutions + insertions + deletions")
    if length != matches + substitutions + deletions:
        raise ValueError(f"path_length is {length}, not matches + substitutions + deletions")
    score, gain, most = record["score"], record["gain"], record["max_gain"]
    if score is not None and not _is_number(score):
        raise _other("score", "a number or null", score)
    if metric in ALIGNMENT_RATES:
        _no_gain(metric, gain, most)
        spoken = matches + substitutions + insertions
        both = length * spoken or length + spoken
        rates = {"mer": (edits, edits + matches), "wip": (matches**2, both), "wil": (both - matches**2, both)}
        _follows(score, *rates[metric], int(metric == "wip"))
        return
    if metric not in PATH_METRICS:  # of another package, which alone knows how they make a score
        return
    if metric not in RECOGNITION_RATES:
        _no_gain(metric, gain, most)
        if metric in ERROR_RATES:
            _follows(score, edits + record["moves"], length, 0)
        return
    if not _is_number(gain):
        raise _other("gain", "a number", gain)
    if type(most) is not int or not length <= most <= length * (length + 1) // 2:
        raise _other("max_gain", f"what {length} reference words can gain", most)
    if metric == "wrr" and (gain, most) != (matches - insertions, length):
        raise ValueError("gain and max_gain are not matches - insertions and path_length")
    _follows(score, gain, most, 1)


def _no_gain(metric: str, gain: object, most: object) -> None:
    if gain is not None or most is not None:
        raise ValueError(f"gain and max_gain are of recognition rates, and the metric is {metric}")


def _has_paths(metric: str) -> bool:
    """Whether a metric has best paths, be it one of another package."""
    return metric in PATH_METRICS or (metric in METRICS and issubclass(METRICS[metric], Metric))


def _follows(score: float | None, numerator: float, denominator: int, empty: int) -> None:
    """That a score is a quotient; `empty` is that of nothing by nothing."""
    expected = numerator / denominator if denominator else None if numerator else empty
    same = (
        score is expected
        if None in (score, expected)
        else math.isclose(score, expected, rel_tol=NEAR, abs_tol=NEAR)  # type: ignore[arg-type]
    )
    if not same:
        is_given, follows = ("null" if number is None else number for number in (score, expected))
        raise ValueError(f"score is {is_given}, but {numerator} / {denominator} gives {follows}")


def _alignment(record: Mapping[str, Any]) -> Aligned:
    pairs = record["alignment"]
    if type(pairs) is not list:
        raise _other("alignment", "a list of operations", pairs)
    for pair in pairs:
        if type(pair) is not list or len(pair) != 3:
            raise _other("alignment", "operations of a letter and two words", pair)
    letters, hypothesis, reference = zip(*pairs) if pairs else ((), (), ())  # noqa: B905 (all have three)
    if not all(map(_is_text, letters)) or not OPERATIONS.issuperset(
        zip(letters, map(type, hypothesis), map(type, reference), strict=True)
    ):
        wrong = next(
            p for p in pairs if not _is_text(p[0]) or (p[0], type(p[1]), type(p[2])) not in OPERATIONS
        )
        raise _other("alignment", 'operations as ["S", word, word]', wrong)
    operations = "".join(letters)
    if list(map(eq, hypothesis, reference)) != [letter == "=" for letter in letters]:
        raise ValueError("alignment has matches of different words, or substitutions of equal ones")
    for letter, name in zip("=SID", ("matches", "substitutions", "insertions", "deletions"), strict=True):
        if operations.count(letter) != record[name]:
            raise ValueError(f"alignment has {operations.count(letter)} {name}, {name} is {record[name]}")
    for name, words in (("hypothesis", hypothesis), ("closest", reference)):
        if [word for word in words if word is not None] != record[name]:
            raise ValueError(f"the words of alignment are not those of {name}")
    return Aligned(operations, hypothesis, reference)


def _reordered(record: Mapping[str, Any], aligned: Aligned | None) -> Aligned | None:
    """The alignment with what the order of the words tells: their positions, and the moves paid for them."""
    order, moves = record["order"], record["moves"]
    if metric_of(record["metric"]) != "hyter":
        raise ValueError(f"order and moves are of hyter, and the metric is {record['metric']}")
    words = len(record["hypothesis"])
    if (
        type(order) is not list
        or not all(type(at) is int for at in order)
        or sorted(order) != list(range(words))
    ):
        raise _other("order", f"an order of the {words} words of the hypothesis", order)
    # Which of the two counts of docs/hyter.md was made, the number of moves tells.
    readings = [paid_moves(order, jumps) for jumps in (False, True)]
    paid = next((reading for reading in readings if sum(reading) == moves), None)
    if paid is None:
        raise ValueError(f"order does not take {moves} moves")
    if aligned is None or not moves:
        return aligned
    taken = iter(zip(order, paid, strict=True))
    both = [(None, False) if word is None else next(taken) for word in aligned.hypothesis]
    positions, at = zip(*both, strict=True)
    return aligned._replace(positions=positions, paid=at)


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


def _nbest(record: Mapping[str, Any]) -> tuple[Aligned, ...]:
    """The alignments of the best paths of an item, the first of which is the record's own."""
    found = []
    for path in _objects(record, "nbest"):
        if path.get("metric") != record["metric"]:
            raise ValueError("nbest has paths of another metric")
        if "nbest" in path:
            raise ValueError("nbest has paths that have paths of their own")
        if ("alignment" in path) != ("alignment" in record):
            raise ValueError("nbest has paths with and paths without an alignment")
        if aligned := _within("nbest", _path, path, False):
            found.append(aligned)
    first = next(iter(record["nbest"]), record)
    if any(first[name] != record[name] for name in ("score", *COUNTS, "hypothesis", "closest")):
        raise ValueError("the first path of nbest is not the record's own")
    return tuple(found)


def _oracle(record: Mapping[str, Any]) -> None:
    """What oracles have beside their best path."""
    for name, checks in _OF_ORACLES.items():
        if name in record or name in ("arcs", "density", "one_best"):
            checks(record, name)
    metric = metric_of(record["metric"])
    _density(record)
    if record["one_best"] is not None:
        own = _object_in(record, "one_best")
        _within("one_best", _part, own, {}, metric)
        if "parts" in own:
            _within("one_best", _each(_ONE_BEST_PART), own, "parts")
    for name, more in _PARTS.items():
        for part in _objects(record, name) if name in record else ():
            _within(name, _part, part, more, metric)


def _part(part: Mapping[str, Any], more: Mapping[str, Check], metric: str) -> None:
    """Another path of an oracle's lattice, in brief, with more fields."""
    for field, checks in more.items():
        checks(part, field)
    _sums(part, metric)
    if "density" in more:
        _density(part)
    _words(part, "hypothesis")
    if len(part["hypothesis"]) < part["matches"] + part["substitutions"] + part["insertions"]:
        raise ValueError("a hypothesis has fewer words than matches + substitutions + insertions")


def _density(record: Mapping[str, Any]) -> None:
    length, density = record["path_length"], record["density"]
    expected = record["arcs"] / length if length else None
    if (density is None) != (expected is None) or (
        expected is not None and not math.isclose(density, expected, rel_tol=NEAR)
    ):
        raise ValueError("density is not arcs / path_length")


def _within(name: str, check: Callable[..., Checked], *arguments: Any) -> Checked:
    """A check of a part of a record; errors name the part."""
    try:
        return check(*arguments)
    except KeyError as error:
        raise ValueError(f"{name}: no field {error}") from None
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _all(record: Mapping[str, Any], fields: Mapping[str, Check]) -> None:
    for name, checks in fields.items():
        checks(record, name)


def _other(name: str, expected: str, found: object) -> ValueError:
    shown = written_json(found)
    return ValueError(
        f"{name}: expected {expected}, found {shown if len(shown) <= SHOWN else shown[:SHOWN] + '...'}"
    )


def are_fields(value: object) -> bool:
    """Whether a value is what a record may say of its item, by name."""
    return type(value) is dict and all(
        _is_number(one) or type(one) in (str, bool, _NONE) for one in value.values()
    )


def _is_text(value: object) -> bool:
    return type(value) is str


def _is_number(value: object) -> bool:
    return type(value) is float or (type(value) is int and abs(value) < MOST)


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < MOST


def _is_words(value: object) -> bool:
    return type(value) is list and all(map(_is_text, value))


def _field(expected: str, holds: Callable[[Any], bool], or_null: bool = False) -> Check:
    """A check of one field of an object: that it is there, and is what is expected."""

    def check(record: Mapping[str, Any], name: str) -> None:
        value = record[name]
        if not (holds(value) or (or_null and value is None)):
            raise _other(name, expected + (" or null" if or_null else ""), value)

    return check


def _list_of(expected: str, holds: Callable[[Any], bool]) -> Check:
    return _field(f"a list of {expected}", lambda value: type(value) is list and all(map(holds, value)))


def _object_in(record: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    _field("an object", lambda value: type(value) is dict)(record, name)
    found: Mapping[str, Any] = record[name]
    return found


def _objects(record: Mapping[str, Any], name: str) -> Sequence[Mapping[str, Any]]:
    _list_of("objects", lambda value: type(value) is dict)(record, name)
    found: Sequence[Mapping[str, Any]] = record[name]
    return found


def _each(fields: Mapping[str, Check]) -> Check:
    """A check of a list of objects."""

    def check(record: Mapping[str, Any], name: str) -> None:
        for part in _objects(record, name):
            _within(name, _all, part, fields)

    return check


def _cards(record: Mapping[str, Any], name: str) -> None:
    cards, words = record[name], len(record["closest"])
    for card in cards if type(cards) is list else (cards,):
        if not (
            type(card) is list and len(card) == 4 and _is_words(card[:2]) and all(map(_is_count, card[2:]))
        ):
            raise _other(name, "a list of [card, phrase, from, to]", card)
        if not card[2] <= card[3] <= words:
            raise _other(name, f"positions in the {words} words of closest", card)


def _depth(record: Mapping[str, Any], name: str) -> None:
    _within(name, _all, _object_in(record, name), _OF_DEPTH)


_text = _field("a text", _is_text)
_number = _field("a number", _is_number)
_number_or_null = _field("a number", _is_number, or_null=True)
_count = _field("a whole number from 0 up", _is_count)
_words = _field("a list of words", _is_words)
_true_or_false = _field("true or false", lambda value: type(value) is bool)

_OF_DEPTH: Mapping[str, Check] = {
    "unit": _text,
    "mean": _number_or_null,
    "max": _count,
    "times": _list_of("numbers", _is_number),
    "arcs": _list_of("whole numbers", _is_count),
    "untimed": _count,
}
_RULE: Mapping[str, Check] = {
    "grammar": _text,
    "rule": _text,
    "line": _count,
    "before": _words,
    "after": _words,
    "position": _count,
    "cost": _number,
}
# Fields of a best path that are not always there.
_OF_PATHS: Mapping[str, Check] = {
    "alternatives": _each({"written": _text, "taken": _text}),
    "cards": _cards,
    "rules": _each(_RULE),
}
# Lists of further paths that an oracle may have, and what they say beside counts and words.
_WEIGHED: Mapping[str, Check] = {"combined": _number, "model_cost": _number, "cost": _number}
_PARTS: Mapping[str, Mapping[str, Check]] = {
    "after": {"entries": _count},
    "beams": {"beam": _number_or_null, "arcs": _count, "density": _number_or_null},
    "hope": _WEIGHED,
    "fear": _WEIGHED,
    "sweep": {"lm_scale": _number_or_null, "word_penalty": _number_or_null},
}
# Where the 1-best has other words than the oracle.
_ONE_BEST_PART: Mapping[str, Check] = {"at": _count, "oracle": _words, "one_best": _words}
_OF_ORACLES: Mapping[str, Check] = {
    "arcs": _count,
    "density": _number_or_null,
    "one_best": _field("an object", lambda value: type(value) is dict, or_null=True),
    "depth": _depth,
    **dict.fromkeys(_PARTS, lambda record, name: None),
}
# What some best paths have beside counts, words and alignment, and by what other records are known.
OPTIONAL = frozenset({*_OF_PATHS, *_OF_ORACLES, "order", "nbest", "expected_loss", "statistics"})
_CANDIDATE: Mapping[str, Check] = {"hypothesis": _words, "expected_loss": _number, "posterior": _number}


def _candidate(record: Mapping[str, Any], name: str) -> None:
    _within(name, _all, _object_in(record, name), _CANDIDATE)


def _candidates_if_any(record: Mapping[str, Any], name: str) -> None:
    if name in record:
        _each(_CANDIDATE)(record, name)


def _statistics(record: Mapping[str, Any], name: str) -> None:
    statistics, metric = _object_in(record, name), metric_of(record["metric"])
    for statistic in statistics:
        _within(name, _number, statistics, statistic)
    columns = METRICS[metric].columns if metric in METRICS else ()
    # Some metrics have more columns for higher orders.
    if isinstance(columns, tuple) and columns != tuple(statistics):
        raise ValueError(f"statistics are not those of {record['metric']}")


_KINDS: Mapping[str, Mapping[str, Check]] = {
    "score": {"score": _number_or_null},
    "statistics": {"score": _number_or_null, "statistics": _statistics},
    "risk": {
        **_CANDIDATE,
        "one_best": _candidate,
        "candidates": _count,
        "evidence": _count,
        "mass": _number,
        "exact": _true_or_false,
        "nbest": _candidates_if_any,
    },
}
