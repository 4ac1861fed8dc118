"""The schema of records (docs/records.md), slowly and record by record: `check`, of a record of any command.

The native parser does the same for many at once, and is compared with this.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from operator import eq
from typing import Any

from slow_field_checks import (
    COUNT,
    MOST,
    NUMBER,
    NUMBER_OR_NULL,
    TEXT,
    TRUE_OR_FALSE,
    WORDS,
    Check,
    are_fields,
    check_all,
    each_of,
    field_check,
    is_count,
    is_number,
    is_text,
    is_words,
    list_of,
    object_in,
    objects_in,
    unexpected,
    within,
)

from fstmetrics.io.formats.records import EDITED, Aligned
from fstmetrics.metrics import METRICS, Metric
from fstmetrics.metrics.corpus_metric import metric_of, name_of
from fstmetrics.support.source import Source

COUNTS = ("edits", "matches", "substitutions", "insertions", "deletions", "moves", "path_length")
# By these a record is known to be of a best path, or of a part of one.
PATH_FIELDS = frozenset({*COUNTS, "hypothesis", "closest", "gain", "max_gain", "alignment", "order", "nbest"})
# What scores divide: edits and moves by words, or gain by max_gain; the costs of `edit` are not in records.
SESSION_RATES = frozenset({"cpwer", "tcpwer", "orcwer", "tcorcwer", "dicpwer"})
ERROR_RATES = frozenset({"wer", "hyter", "sclite"}) | SESSION_RATES
RECOGNITION_RATES = frozenset({"wrr", "grr"})
# Rates of the counts of a path that is best under WER.
ALIGNMENT_RATES = frozenset({"mer", "wil", "wip"})
PATH_METRICS = ERROR_RATES | RECOGNITION_RATES | ALIGNMENT_RATES | {"edit"}
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


def kind_of(record: Mapping[str, Any]) -> str:
    """Which kind of record it is, by its fields: `risk` (of mbr), `statistics`, `path`, or `score` (a score alone)."""
    if "expected_loss" in record:
        return "risk"
    if "statistics" in record:
        return "statistics"
    return "path" if not PATH_FIELDS.isdisjoint(record) else "score"


def check(source: Source, number: int, record: Mapping[str, Any]) -> Aligned | None:
    """The alignment of the record in a line; None where it has none.

    Raises:
        InputError: something is wrong with the record.
    """
    try:
        return checked(record)
    except KeyError as error:
        why = f"no field {error}"
    except ValueError as error:
        why = str(error)
    raise source.error(f"not a record of fstmetrics: {why}; {EDITED}", number)


def checked(record: Mapping[str, Any]) -> Aligned | None:
    """The alignment of a record, as of `check`.

    Raises:
        KeyError, ValueError: something is wrong with the record.
    """
    kind = kind_of(record)
    if type(record["id"]) not in (str, int, type(None)):
        raise unexpected("id", "a text or null", record["id"])
    if type(record["metric"]) is not str:
        raise unexpected("metric", "the name of a metric", record["metric"])
    if "signature" in record:
        TEXT(record, "signature")
    if "fields" in record and not are_fields(record["fields"]):
        raise unexpected("fields", "an object of texts, numbers, true, false and null", record["fields"])
    if kind == "path":
        return _path(record, is_whole=True)
    check_all(record, _KINDS[kind])
    return _edits_beside(record) if kind == "statistics" and "alignment" in record else None


def _edits_beside(record: Mapping[str, Any]) -> Aligned | None:
    """The alignment that stands beside a score of strings: the fewest word edits, as of the word error rate."""
    check_all(record, dict.fromkeys(COUNTS, COUNT))
    if record["gain"] is not None or record["max_gain"] is not None:
        raise ValueError(f"gain and max_gain are of recognition rates, and the metric is {record['metric']}")
    edits, length = record["edits"], record["path_length"]
    rate = edits / length if length else None if edits else 0
    return _path({**record, "metric": "wer", "score": rate}, is_whole=False)


def _path(record: Mapping[str, Any], is_whole: bool) -> Aligned | None:
    """A best path; `is_whole` says that it is the record's own, which may have others beside it."""
    metric = metric_of(record["metric"])
    if not _has_paths(metric) or record["metric"] not in (metric, name_of(metric, "char")):
        best = f"one that has best paths ({', '.join(sorted(PATH_METRICS))})"
        raise unexpected("metric", best, record["metric"])
    if "rules" in record:
        each_of(_RULE)(record, "rules")
    _sums(record, metric, sum(rule["cost"] for rule in record.get("rules", ())))
    hypothesis, closest = record["hypothesis"], record["closest"]
    WORDS(record, "closest")
    if len(closest) != record["path_length"]:
        raise ValueError(f"closest has {len(closest)} words, path_length is {record['path_length']}")
    aligned = None
    if "alignment" in record:
        aligned = _alignment(record)
    else:
        WORDS(record, "hypothesis")
        if len(hypothesis) < record["matches"] + record["substitutions"] + record["insertions"]:
            raise ValueError(
                f"hypothesis has {len(hypothesis)} words, fewer than matches + substitutions + insertions"
            )
    aligned = _with_order(record, aligned)
    return _with_further(record, aligned) if is_whole else aligned


def _with_order(record: Mapping[str, Any], aligned: Aligned | None) -> Aligned | None:
    """The alignment with the order of the words, after a check of that and of what else some best paths have."""
    if record["moves"] or "order" in record:
        aligned = _reordered(record, aligned)
    for name, checks in _OF_PATHS.items():
        if name in record:
            checks(record, name)
    return aligned


def _with_further(record: Mapping[str, Any], aligned: Aligned | None) -> Aligned | None:
    """The alignment with those of further paths, after a check of what a record has beside its best path."""
    if not _OF_ORACLES.keys().isdisjoint(record):
        _oracle(record)
    if "nbest" in record:
        others = _nbest(record)
        return aligned and aligned._replace(nbest=others)
    return aligned


def _sums(record: Mapping[str, Any], metric: str, cost: float | None = 0) -> None:
    """The counts, which add up, and the score, which follows from them and what rewrites cost, where that is known."""
    for name in COUNTS:
        count = record[name]
        if type(count) is not int or not 0 <= count < MOST:
            raise unexpected(name, "a whole number from 0 up", count)
    matches, substitutions, deletions = record["matches"], record["substitutions"], record["deletions"]
    insertions, edits, length = record["insertions"], record["edits"], record["path_length"]
    if edits != substitutions + insertions + deletions:
        raise ValueError(f"edits is {edits}, not substitutions + insertions + deletions")
    if length != matches + substitutions + deletions:
        raise ValueError(f"path_length is {length}, not matches + substitutions + deletions")
    score, gain, most = record["score"], record["gain"], record["max_gain"]
    if score is not None and not is_number(score):
        raise unexpected("score", "a number or null", score)
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
        if metric in ERROR_RATES and cost is not None:
            _follows(score, edits + record["moves"] + cost, length, 0)
        return
    if not is_number(gain):
        raise unexpected("gain", "a number", gain)
    if type(most) is not int or not length <= most <= length * (length + 1) // 2:
        raise unexpected("max_gain", f"what {length} reference words can gain", most)
    if metric == "wrr" and cost is not None:
        rest = matches - insertions - cost
        if not math.isclose(gain, rest, rel_tol=NEAR, abs_tol=NEAR) or most != length:
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
        raise unexpected("alignment", "a list of operations", pairs)
    for pair in pairs:
        if not (type(pair) is list and len(pair) == 3 and is_text(pair[0])) or (
            (pair[0], type(pair[1]), type(pair[2])) not in OPERATIONS
        ):
            raise unexpected("alignment", 'operations as ["S", word, word]', pair)
    letters, hypothesis, reference = zip(*pairs) if pairs else ((), (), ())  # noqa: B905 (all have three)
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
        raise unexpected("order", f"an order of the {words} words of the hypothesis", order)
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
    for path in objects_in(record, "nbest"):
        if path.get("metric") != record["metric"]:
            raise ValueError("nbest has paths of another metric")
        if "nbest" in path:
            raise ValueError("nbest has paths that have paths of their own")
        if ("alignment" in path) != ("alignment" in record):
            raise ValueError("nbest has paths with and paths without an alignment")
        if aligned := within("nbest", _path, path, False):
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
    about = metric_of(record["metric"]), "|grammars:" in record.get("signature", "")
    _density(record)
    if record["one_best"] is not None:
        own = object_in(record, "one_best")
        within("one_best", _part, own, {}, *about)
        if "parts" in own:
            within("one_best", each_of(_ONE_BEST_PART), own, "parts")
    for name, more in _PARTS.items():
        for part in objects_in(record, name) if name in record else ():
            within(name, _part, part, more, *about)


def _part(part: Mapping[str, Any], more: Mapping[str, Check], metric: str, is_rewritten: bool) -> None:
    """Another path of an oracle's lattice, in brief, with more fields; it does not say what its rewrites cost."""
    for field, checks in more.items():
        checks(part, field)
    _sums(part, metric, None if is_rewritten else 0)
    if "density" in more:
        _density(part)
    WORDS(part, "hypothesis")
    if len(part["hypothesis"]) < part["matches"] + part["substitutions"] + part["insertions"]:
        raise ValueError("a hypothesis has fewer words than matches + substitutions + insertions")


def _density(record: Mapping[str, Any]) -> None:
    length, density = record["path_length"], record["density"]
    expected = record["arcs"] / length if length else None
    if (density is None) != (expected is None) or (
        expected is not None and not math.isclose(density, expected, rel_tol=NEAR)
    ):
        raise ValueError("density is not arcs / path_length")


def _cards(record: Mapping[str, Any], name: str) -> None:
    cards, words = record[name], len(record["closest"])
    for card in cards if type(cards) is list else (cards,):
        if not (
            type(card) is list and len(card) == 4 and is_words(card[:2]) and all(map(is_count, card[2:]))
        ):
            raise unexpected(name, "a list of [card, phrase, from, to]", card)
        if not card[2] <= card[3] <= words:
            raise unexpected(name, f"positions in the {words} words of closest", card)


def _depth(record: Mapping[str, Any], name: str) -> None:
    within(name, check_all, object_in(record, name), _OF_DEPTH)


_OF_DEPTH: Mapping[str, Check] = {
    "unit": TEXT,
    "mean": NUMBER_OR_NULL,
    "max": COUNT,
    "times": list_of("numbers", is_number),
    "arcs": list_of("whole numbers", is_count),
    "untimed": COUNT,
}
_RULE: Mapping[str, Check] = {
    "grammar": TEXT,
    "rule": TEXT,
    "line": COUNT,
    "before": WORDS,
    "after": WORDS,
    "position": COUNT,
    "cost": NUMBER,
}
# Fields of a best path that are not always there.
_OF_PATHS: Mapping[str, Check] = {
    "alternatives": each_of({"written": TEXT, "taken": TEXT}),
    "cards": _cards,
}
# Lists of further paths that an oracle may have, and what they say beside counts and words.
_WEIGHED: Mapping[str, Check] = {"combined": NUMBER, "model_cost": NUMBER, "cost": NUMBER}
_PARTS: Mapping[str, Mapping[str, Check]] = {
    "after": {"entries": COUNT},
    "beams": {"beam": NUMBER_OR_NULL, "arcs": COUNT, "density": NUMBER_OR_NULL},
    "hope": _WEIGHED,
    "fear": _WEIGHED,
    "sweep": {"lm_scale": NUMBER_OR_NULL, "word_penalty": NUMBER_OR_NULL},
}
# Where the 1-best has other words than the oracle.
_ONE_BEST_PART: Mapping[str, Check] = {"at": COUNT, "oracle": WORDS, "one_best": WORDS}
_OF_ORACLES: Mapping[str, Check] = {
    "arcs": COUNT,
    "density": NUMBER_OR_NULL,
    "one_best": field_check("an object", lambda value: type(value) is dict, or_null=True),
    "depth": _depth,
    **dict.fromkeys(_PARTS, lambda record, name: None),
}
_CANDIDATE: Mapping[str, Check] = {"hypothesis": WORDS, "expected_loss": NUMBER, "posterior": NUMBER}


def _candidate(record: Mapping[str, Any], name: str) -> None:
    within(name, check_all, object_in(record, name), _CANDIDATE)


def _candidates_if_any(record: Mapping[str, Any], name: str) -> None:
    if name in record:
        each_of(_CANDIDATE)(record, name)


def _statistics(record: Mapping[str, Any], name: str) -> None:
    statistics, metric = object_in(record, name), metric_of(record["metric"])
    for statistic in statistics:
        within(name, NUMBER, statistics, statistic)
    columns = METRICS[metric].columns if metric in METRICS else ()
    # Some metrics have more columns for higher orders.
    if isinstance(columns, tuple) and columns != tuple(statistics):
        raise ValueError(f"statistics are not those of {record['metric']}")


_KINDS: Mapping[str, Mapping[str, Check]] = {
    "score": {"score": NUMBER_OR_NULL},
    "statistics": {"score": NUMBER_OR_NULL, "statistics": _statistics},
    "risk": {
        **_CANDIDATE,
        "one_best": _candidate,
        "candidates": COUNT,
        "evidence": COUNT,
        "mass": NUMBER,
        "exact": TRUE_OR_FALSE,
        "nbest": _candidates_if_any,
    },
}
