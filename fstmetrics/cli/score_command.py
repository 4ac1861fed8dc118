"""`fstmetrics score`."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.click_options import called, check_form, command, options_of, ref_leads
from fstmetrics.cli.terminal import show_score, tell
from fstmetrics.commands.option_tables import SCORING, metric_table
from fstmetrics.commands.score import rule_hints, score_from
from fstmetrics.engine.unlike_sides import NO_SPACES, OWED
from fstmetrics.reports.table_forms import Form
from fstmetrics.scoring.score import Score


@command(
    usual=("--metric", "--unit", "--lowercase", "--ref", "--alignment", "--output"),
    ending=metric_table,
    several="more references: --ref FILE for each; several systems: fstmetrics compare --ref REF SYSTEM...; "
    "several files of one: a pattern in quotes, such as 'hyp.*.txt'",
)
@click.argument("references", metavar="REF")
@click.argument("hypotheses", metavar="[HYP]", required=False)
@options_of(SCORING)
def score(references: str, hypotheses: str | None, form: Form | None, percent: bool, **options: Any) -> int:
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
