"""What `errors` and `show` read: records, or those of files that are scored first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

from fstmetrics.analysis.similar_pairs import similar_records
from fstmetrics.cli.option_tables import (
    GRAMMAR,
    INPUT,
    RESEGMENT,
    SCORING,
    WORDS,
    Options,
    PathLike,
    fields_of_options,
    of_metrics,
    path_of,
    with_metrics,
)
from fstmetrics.commands.score import score_from
from fstmetrics.metrics.registry import METRIC, PathName
from fstmetrics.scoring.score import Score
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.options import FLAG, Option, dashed
from fstmetrics.text.normalisation import Normalisation

# What files are scored by, where they are no records.
SCORED: Options = {
    "metric": SCORING["metric"]._replace(
        kind=METRIC, help="The metric whose best paths are counted: wer, sclite, hyter, ...", default=None
    ),
    **of_metrics(*get_args(PathName)),
    **INPUT,
    **RESEGMENT,
    **WORDS,
    **GRAMMAR,
}
# Of an alignment, where several are equally cheap.
SIMILAR = Option(
    FLAG,
    "Of equally cheap alignments, take the one whose substituted words are spelled most alike. Counts stay the same "
    "(docs/errors.md).",
)


def scoring_of(
    options: dict[str, Any], hypotheses: str | None, given: Sequence[str]
) -> dict[str, Any] | None:
    """The options of `SCORED`, taken out; None where they are of records, which are scored already.

    One file with `fields` is a table with both sides.

    Raises:
        FstmetricsError: there is one beside records.
    """
    is_scored = hypotheses is None and "fields" not in given
    if is_scored and (beside := [name for name in given if name in with_metrics(SCORED)]):
        raise FstmetricsError(
            f"{dashed(beside[0])} is for REF and HYP, and records are scored already: give it to fstmetrics score"
        )
    scoring = {option.field: options.pop(option.field) for option in SCORED.values()}
    return None if is_scored else scoring


def records_or_sides(
    function: str, records: PathLike | None, references: PathLike | None, hypotheses: PathLike | None
) -> tuple[str, str | None]:
    """The path of records, and None; or those of references and hypotheses.

    Raises:
        FstmetricsError: neither, or more than one of them; or no path.
    """
    sides = (references, hypotheses)
    if (records is None) == (sides == (None, None)) or (records is None and None in sides):
        raise FstmetricsError(f"{function}() takes records, or references= and hypotheses=")
    if records is not None:
        return path_of(function, records), None
    return path_of(function, references), path_of(function, hypotheses)


def scored_first(
    references: str, hypotheses: Iterable[str | None], scoring: Mapping[str, Any], folder: str
) -> tuple[list[str], list[str], Normalisation | None]:
    """The records of hypotheses, written into a folder, the remarks on them, and what was done to words; None are those
    in the rows of the references.

    Raises:
        FstmetricsError: as of `score_files`; or a metric without alignments.
    """
    asked = {**fields_of_options("score_files", SCORING, {}), **scoring}
    asked["metric_name"] = scoring["metric_name"] or "wer"
    paths: list[str] = []
    remarks: list[str] = []
    for number, hypothesis in enumerate(hypotheses):
        paths.append(f"{folder}/{number}.jsonl")
        found = score_from(references, hypothesis, {**asked, "alignment": True, "output": paths[-1]})
        assert isinstance(found, Score)
        if found.settings["formats"].get(references) == "records":
            raise InputError(
                "is records of a run, and references are expected beside HYP; of two runs: fstmetrics errors RECORDS "
                "--against RECORDS",
                references,
            )
        assert found.corpus is not None  # which a part of the items would not have
        normalisation = found.corpus.normalisation
        remarks += found.remarks
    return paths, list(dict.fromkeys(remarks)), normalisation


def word_of_texts(word: str | None, normalisation: Normalisation | None) -> str | None:
    """A word that is asked for, as texts have it after what was done to them, where that is known.

    Raises:
        FstmetricsError: no word is left of it, or several.
    """
    if word is None or normalisation is None:
        return word
    words = normalisation.words(word)
    if len(words) != 1:
        became = f"becomes {' and '.join(map(repr, words))}" if words else "is no word"
        raise FstmetricsError(f"--word: {word!r} {became} after normalisation; give one word")
    return words[0]


def most_similar(records: str, path: str) -> str:
    """The path of a new file that has records with alignments which prefer words that are spelled alike."""
    with open(path, "w", encoding="utf-8", errors="backslashreplace") as stream:
        stream.writelines(similar_records(records))
    return path
