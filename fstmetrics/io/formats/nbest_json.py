"""N-best lists in rows of JSON: a column that holds a list of texts, or of objects with a text and a score.

The best choice comes first; ranks of entries must say the same. Lists of Whisper, NeMo and sherpa are written so, under
names of many kinds; HyPoradise has `input` for the list and `output` for the reference.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

from fstmetrics.io.arcs import shown
from fstmetrics.io.column_roles import HYPOTHESIS, REFERENCE, TWO_HYPOTHESES, Given, names_hypothesis
from fstmetrics.io.detection.head import LINES
from fstmetrics.io.detection.json_signs import (
    INPUT,
    OUTPUT,
    has_list,
    is_nbest,
    list_column,
    text_in_pairs,
    text_key,
)
from fstmetrics.io.formats import json_rows
from fstmetrics.io.formats.nbest_lists import ranks_of
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.rows import Rows, items_of_rows
from fstmetrics.support.names import listed
from fstmetrics.support.printable import counted, have
from fstmetrics.support.source import Source

# In an entry that is an object: its score.
MEAN = "avg_logprob"  # of a token, in Whisper
SCORES = ("score", "total_score", "log_prob", "logprob", MEAN)
# The same, of which a lower one is better: minus the score.
COSTS = ("cost", "total_cost")
# A probability, whose score is its natural logarithm. Google writes 0 where it is not known.
PROBABILITY = "confidence"
KNOWN_SCORES = (*SCORES, *COSTS, PROBABILITY)
# Its place in the list.
RANK = "rank"


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The lists of the rows, in the order of the file; or their references, where those are wanted.

    Raises:
        InputError: as of rows; a row without a list of texts; scores in some entries of a list only, or one
            that is not finite; or ranks in another order.
    """
    table = json_rows.table_of(source, options.table.columns, has_list)
    said = options.table.given
    given = _given(table.rows[0], said) if table.rows else said
    options = replace(options, table=replace(options.table, given=given))
    if options.table.side == "reference":
        yield from items_of_rows(table, options)
    else:
        options = replace(options, table=replace(options.table, side="hypothesis"))
        columns = options.table.given.get(HYPOTHESIS, ())
        if HYPOTHESIS not in said:
            _tell_texts(table, columns, options)
        lists = [row.get(name) for row in table.rows for name in columns]
        if empty := lists.count([]):
            options.remark(
                f"{counted(empty, 'n-best list')} of {source.path} {'is' if empty == 1 else 'are'} empty: nothing said"
            )
        first = [each[0] for each in lists if isinstance(each, list) and each and isinstance(each[0], dict)]
        if [entry for entry in first if MEAN in entry and not {*SCORES[:-1], *COSTS} & {*entry}]:
            options.remark(
                f"the scores of {source.path} are {MEAN}, the mean of a token: posteriors (fstmetrics mbr) need the "
                "log probability of a text, which is as many times that as it has tokens, called log_prob"
            )
        _tell_other_scores(table, first, options)
        _tell_numbers_beside(table, columns, options)
        if alone := sum(_scores_first_alone(each) for each in lists if isinstance(each, list)):
            options.remark(
                f"of {counted(alone, 'n-best list')} of {source.path} the first entry alone has a {PROBABILITY}: no "
                f"scores are read of {'it' if alone == 1 else 'them'}"
            )
        _tell_ranks(table, columns, options)
        have_scores = any(isinstance(each, list) and each and _score(each[0]) is not None for each in lists)
        yield from items_of_rows(table, options, partial(_entries, have_scores=have_scores))


def _tell_texts(table: Rows, columns: Sequence[str], options: ReadOptions) -> None:
    """Say that rows have a text, too, that may be the hypothesis."""
    first = table.rows[0] if table.rows else {}
    if text := next(
        (name for name, value in first.items() if isinstance(value, str) and names_hypothesis(name)), None
    ):
        options.remark(f"{table.source.path}: {listed(columns)} is read, and not {text}{TWO_HYPOTHESES}")


def _tell_other_scores(table: Rows, entries: Sequence[Mapping[str, Any]], options: ReadOptions) -> None:
    """Say which numbers of entries may be scores, where none is known to be."""
    if any(name in entry for entry in entries for name in KNOWN_SCORES):
        return
    numbers = dict.fromkeys(
        name
        for entry in entries
        for name, value in entry.items()
        if type(value) in (int, float) and name not in (RANK, "id", "index")
    )
    if numbers:
        options.remark(
            f"{table.source.path}: entries of n-best lists have {listed(list(numbers))}, and no score by a name that "
            f"is known ({', '.join(KNOWN_SCORES)})"
        )


def _tell_numbers_beside(table: Rows, columns: Sequence[str], options: ReadOptions) -> None:
    """Say that numbers of a list beside the texts are not read as their scores."""
    row = table.rows[0] if table.rows else {}
    for texts in [name for name in columns if {*map(type, row.get(name) or ())} == {str}]:
        for name, values in row.items():
            if isinstance(values, list) and [*map(type, values)] == [float] * len(row[texts]):
                options.remark(
                    f"{table.source.path}: the numbers of {name} are not read as scores of {texts}; if they are, jq -c "
                    f"'.{texts} = [[.{texts}, .{name}] | transpose[] | {{text: .[0], score: .[1]}}]' FILE puts them "
                    "there"
                )


def _tell_ranks(table: Rows, columns: Sequence[str], options: ReadOptions) -> None:
    """Say that the first or last words of texts count in each list, as they do for words."""
    for name in columns:
        lists = [value for row in table.rows[:LINES] if (value := row.get(name)) and is_nbest(value)]
        if ranks := ranks_of([[_text(entry).split() for entry in each] for each in lists]):
            first = lists[0][0]
            key = "" if isinstance(first, str) else f".{text_key(first)} |= "
            sub = r'sub("\\s+\\S+\\s*$"; "")' if ranks.place else r'sub("^\\s*\\S+\\s+"; "")'
            jq = f"jq -c '.{name} |= (map({key}{sub}){' | reverse' * (ranks.step < 0)})' FILE"
            options.remark(ranks.remark(table.source.path, jq))


def _text(entry: Any) -> str:
    return entry if isinstance(entry, str) else str(entry[text_key(entry)])


def _given(first: Mapping[str, Any], given: Given) -> Given:
    """The columns, with those that this format knows."""
    found: dict[str, tuple[str, ...]] = {}
    if column := list_column(first):
        found[HYPOTHESIS] = (column,)
        if column == INPUT:
            found[REFERENCE] = (OUTPUT,)
    return {**found, **given}


def _entries(
    table: Rows, row: int, name: str, value: Any, have_scores: bool
) -> tuple[tuple[str, ...], tuple[float, ...] | None]:
    if (place := text_in_pairs(value)) is not None:
        jq = f"jq -c '.{name} |= map({{text: .[{place}], score: .[{1 - place}]}})' FILE"
        raise table.error(
            row,
            f"{name!r} has pairs of a text and a number, which does not say whether a higher one is better: {jq} makes "
            "scores of numbers, of which it is; write cost for score where a lower one is",
        )
    if not is_nbest(value):
        raise table.error(row, f"{name!r} is no list of texts, but {shown(str(value))}")
    if not value:
        return ("",), (0.0,) if have_scores else None
    _refuse_other_ranks(table, row, name, value)
    texts = tuple(map(_text, value))
    scores = [_score(entry) for entry in value]
    if None in scores:
        _refuse_texts(table, row, name, value)
    for score, probability in zip(scores, map(_probability, value), strict=True):
        if probability is not None and not 0 <= probability <= 1:
            raise table.error(
                row,
                f"a {PROBABILITY} in {name!r} is {probability}, expected a probability, from 0 to 1; if it is the "
                f"logarithm of one, call it log_prob: jq -c '.{name}[] |= (.log_prob = .{PROBABILITY})'",
            )
        if score is not None and probability is None and not math.isfinite(score):
            raise table.error(row, f"a score in {name!r} is {score}, expected a finite number")
    if _scores_first_alone(value):
        return texts, None
    given = tuple(score for score in scores if score is not None)
    if given and len(given) < len(texts):
        raise table.error(
            row, f"{len(given)} of the {len(texts)} entries of {name!r} {have(len(given))} a score"
        )
    return texts, None if set(given) <= {-math.inf} else given


def _scores_first_alone(entries: Sequence[Any]) -> bool:
    """Whether of several entries the first has a probability, as Google writes it, and no other has a score."""
    scores = [_score(entry) for entry in entries]
    return len(scores) > 1 == len(scores) - scores.count(None) and _probability(entries[0]) is not None


def _refuse_texts(table: Rows, row: int, name: str, value: Sequence[Any]) -> None:
    for entry in value:
        for known in KNOWN_SCORES if isinstance(entry, dict) else ():
            if isinstance(found := entry.get(known), str):
                raise table.error(
                    row,
                    f"in {name!r} the {known} {shown(found)} is a text, expected a number: "
                    f"jq -c '.{name}[] |= (.{known} |= tonumber)'",
                )


def _score(entry: Any) -> float | None:
    score, probability = _written(entry), _probability(entry)
    if probability is None:
        return score
    return math.log(probability) if probability > 0 else -math.inf


def _written(entry: Any) -> float | None:
    """The score that an entry has as it is written, or minus the cost."""
    if not isinstance(entry, dict):
        return None
    signed = (*((entry.get(name), 1) for name in SCORES), *((entry.get(name), -1) for name in COSTS))
    return next((sign * float(value) for value, sign in signed if isinstance(value, int | float)), None)


def _probability(entry: Any) -> float | None:
    """What an entry may have in place of a score."""
    found = entry.get(PROBABILITY) if isinstance(entry, dict) and _written(entry) is None else None
    return found if isinstance(found, int | float) else None


def _refuse_other_ranks(table: Rows, row: int, name: str, entries: list[Any]) -> None:
    ranks = [entry[RANK] for entry in entries if isinstance(entry, dict) and type(entry.get(RANK)) is int]
    for rank, following in pairwise(ranks):
        if following <= rank:
            raise table.error(
                row,
                f"in {name!r} the rank {following} follows the rank {rank}, and the best choice comes first: write the "
                f"entries in the order of their ranks, as jq -c '.{name} |= sort_by(.{RANK})' does",
            )


FORMAT = Format(
    "nbest-json", "n-best lists in rows of JSON: a list of texts in a column", read, has_sides=True
)
