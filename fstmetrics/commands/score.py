"""The command `score`, and `score_files`, the same as a call. `call_score` is that of `oracle` and `hyter`, too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, overload

import click

from fstmetrics.cli.click_options import called, check_form, command, options_of, ref_leads
from fstmetrics.cli.option_tables import (
    ORACLE,
    SCORING,
    PathLike,
    fields_of_options,
    metric_table,
    sides_by_name,
    written,
)
from fstmetrics.cli.terminal import show_score, tell
from fstmetrics.engine.unlike_sides import NO_SPACES, OWED
from fstmetrics.metrics import CorpusMetric, Metric
from fstmetrics.reports.table_forms import Form
from fstmetrics.scoring.inputs import Inputs
from fstmetrics.scoring.request import Request
from fstmetrics.scoring.run import Elsewhere
from fstmetrics.scoring.score import Score, Scores
from fstmetrics.scoring.scored_files import Reports, scored_files
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.options import as_given, path, several
from fstmetrics.support.printable import number

# Options that remarks on spellings name, and their fields.
NAMED_RULES = re.compile(r"(--lowercase|--remove-punctuation|--normalise-unicode) ?(nfk?c)?")
RULES = {
    "--lowercase": "lowercase",
    "--remove-punctuation": "remove_punctuation",
    "--normalise-unicode": "normalise_unicode",
}
# A profile is named where it takes away a quarter of the score.
MUCH = 0.75
# Items that are scored again for a hint, a second of work at most.
MOST_HINTED = 20_000
Several = list[str | CorpusMetric] | tuple[str | CorpusMetric, ...]


@overload
def score_files(
    *,
    references: PathLike | Iterable[PathLike],
    hypotheses: PathLike | None = None,
    metric: str | CorpusMetric = ...,
    **options: Any,
) -> Score: ...
@overload
def score_files(
    *,
    references: PathLike | Iterable[PathLike],
    hypotheses: PathLike | None = None,
    metric: Several,
    **options: Any,
) -> Scores: ...
@sides_by_name
def score_files(
    *,
    references: PathLike | Iterable[PathLike],
    hypotheses: PathLike | None = None,
    metric: str | CorpusMetric | Several = "wer",
    **options: Any,
) -> Score | Scores:
    """Score the file `hypotheses=` against the file `references=`, as `fstmetrics score` does.

    Both are paths, and are given by name. `fm.score` takes the texts themselves. They are two functions, as a str is a
    text for one and a path for the other: no number depends on whether a file of some name exists. Nothing is printed.

    Args:
        references: a file, a folder or a pattern such as "ref.*.txt"; of a list each is one set of references. A table
            (JSON Lines, CSV, Parquet, ...) may have the hypotheses, too.
        hypotheses: likewise; None where `references` is a table that has them.
        metric: the name of a metric, or a metric; or a list of them.
        options: those of the command, with `_` for `-`: `lowercase=True`, `unit="char"`, `ref=["b.txt"]`,
            `fields={"id": "path", "hyp": "pred_text"}`, `by=["speaker"]`, `beam=8`, `lm_scale="7:17"`. A value is
            what Python has for it, or text as on the command line; None is an option that is not given. `--json` and
            `--max` are none of them: see `Score.summary` and `fm.limited`. With `output`, records go to that file;
            with `alignment` or `nbest` and without `output`, the results of all items are kept.

    Returns:
        Sums, scores and remarks; its `summary()` is what the command prints with `--json`. Of a list of metrics, or of
        names joined by commas, a `Scores`.

    Raises:
        TypeError: an option that the command does not have; it names those that are near.
        FstmetricsError: whatever the command refuses: options that contradict one another, a file that cannot be read
            (`InputError`), items that do not pair. Messages call options as the command line does.

    >>> import fstmetrics as fm
    >>> from importlib.resources import files
    >>> file = files("fstmetrics") / "examples" / "oracle" / "ref.txt"
    >>> found = fm.score_files(references=file, hypotheses=file, lowercase=True)
    >>> found.score, len(found), found.summary()["signature"] == found.signature
    (0.0, 4, True)
    """
    return call_score("score", references, hypotheses, {"metric": metric, **options})


def call_score(
    command: str,
    references: PathLike | Iterable[PathLike],
    hypotheses: PathLike | None,
    options: dict[str, Any],
    **kind: bool,
) -> Score | Scores:
    """A call of Python as one of the command `score`, `oracle` or `hyter`."""
    known = ORACLE if command == "oracle" else SCORING
    found = fields_of_options(f"{command}_files", known, options)
    try:
        first, *more = several(references, path)
        second = None if hypotheses is None else path(hypotheses)
    except (ValueError, TypeError):
        raise FstmetricsError(
            f"{command}_files() takes paths of references and of hypotheses, not {as_given(references)} and "
            f"{as_given(hypotheses)}; fm.score takes texts"
        ) from None
    found["more_references"] = [*more, *found.get("more_references", ())]
    if found.get("shard"):
        if not isinstance(options["metric"], str):
            raise FstmetricsError("shards are put together by the name of their metric: give its name")
        arguments = written({**options, "ref": found["more_references"]})
        found["called"] = (command, [first, *([] if second is None else [second]), *arguments])
    return score_from(first, second, found, **kind)


def score_from(
    references: str, hypotheses: str | None, options: dict[str, Any], **kind: bool
) -> Score | Scores:
    """The score of files by fields of requests, with engines and sclite's reports; `kind` as of `score_files`."""
    return scored_files(references, hypotheses, options, **kind, elsewhere=engine, reports=_reports)


def rule_hints(
    score: Score | Scores, references: str, hypotheses: str | None, options: Mapping[str, Any]
) -> Iterator[str]:
    """What the score would be by other rules, where a remark says that the rules explain much: it is scored again.

    Nothing of many items, of files that cannot be read twice, and where a profile was asked for.
    """
    given = [references, hypotheses, *options["more_references"]]
    if (
        isinstance(score, Scores)
        or score.corpus is None
        or len(score) > MOST_HINTED
        or "-" in given
        or options["profile"]
    ):
        return
    plain: dict[str, Any] = {
        "output": None,
        "by": [],
        "reports": [],
        "alignment": False,
        "nbest": 1,
        "times": False,
        "biasing": None,
    }
    least = score.score
    for alternatives, share in _other_rules(score.remarks):
        found: dict[str, Score] = {}
        for option, rules in alternatives:
            with suppress(FstmetricsError):  # as of a unit that does not go with another option
                other = score_from(references, hypotheses, {**options, **plain, **rules})
                if isinstance(other, Score):
                    found[option] = other
        best = min(found, key=lambda option: found[option].score, default=None)
        if best is not None and found[best].score < share * least:
            least = found[best].score
            said = " (rules for English)" if best.startswith("--profile") else ""
            yield f"with {best} it would be {found[best].name} {number(found[best].score)}{said}"


def _other_rules(remarks: Sequence[str]) -> Iterator[tuple[list[tuple[str, dict[str, Any]]], float]]:
    """Options that may explain much, by what remarks say: as written, and by their fields. Of several the best counts.

    Beside them stands the share of the score that it has to be below. A profile changes words otherwise, too.

    >>> next(_other_rules(["most errors are of case: 12, and 0 with --lowercase"]))
    ([('--lowercase', {'lowercase': True})], 1.0)
    """
    if any(NO_SPACES in remark for remark in remarks):
        yield [(NO_SPACES, {"unit": "char-no-space"})], 1.0
        return
    for remark in remarks:
        named = NAMED_RULES.findall(remark) if remark.startswith(OWED) else []
        if named:
            rules = {RULES[option]: value or True for option, value in named}
            yield [(" ".join(" ".join(filter(None, each)) for each in named), rules)], 1.0
    yield [("--profile whisper-en", {"profile": "whisper-en"})], MUCH


def engine(name: str, jobs: int) -> Elsewhere:
    """As of `elsewhere`, which loads what engines need."""
    from fstmetrics.batches.dispatch import elsewhere

    return elsewhere(name, jobs)


def _reports(request: Request, metric: Metric, inputs: Inputs) -> Reports:
    from fstmetrics.reports.run_reports import RunReports

    return RunReports(request, metric, inputs)


@command(
    usual=("--metric", "--unit", "--lowercase", "--ref", "--alignment", "--output"),
    ending=metric_table,
    several="more references: --ref FILE for each; several systems: fstmetrics compare --ref REF SYSTEM...; "
    "several files of one: a pattern in quotes, such as 'hyp.*.txt'",
)
@click.argument("references", metavar="REF")
@click.argument("hypotheses", metavar="[HYP]", required=False)
@options_of(SCORING)
def score_command(
    references: str, hypotheses: str | None, form: Form | None, percent: bool, **options: Any
) -> int:
    """Score the hypotheses in HYP against the references in REF.

    \b
    Example:  fstmetrics score ref.txt hyp.txt --alignment
              fstmetrics score rows.jsonl --fields id=path,ref=text,hyp=pred_text

    One sentence per line. Lines pair by id where both files have ids (Kaldi text), otherwise by order. With more
    references (--ref) the closest one counts; BLEU counts matches in all of them. Several files of one side are a
    folder or a pattern in quotes. A table that has references and hypotheses (JSON Lines, CSV, Parquet, ...) is one
    file: docs/tables.md.
    """
    if form:
        check_form(form, options)
    if options["shard"]:
        options["called"] = called()
    if hypotheses is None:
        options["ref_leads"] = ref_leads()
    found = score_from(references, hypotheses, {**options})
    status = show_score(found, options, form, percent)
    remarks = found.remarks if isinstance(found, Score) and not (form or options["as_json"]) else ()
    if [each for each in remarks if each.startswith(OWED) or NO_SPACES in each]:
        tell(*rule_hints(found, references, hypotheses, options))
    return status
