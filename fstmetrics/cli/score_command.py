"""`fstmetrics score`, and what it, `oracle` and `hyter` print: `report`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from fstmetrics.cli import terminal
from fstmetrics.cli.options import called, command, metric_table, scoring_options
from fstmetrics.cli.terminal import show, show_json
from fstmetrics.commands.score import score_from
from fstmetrics.reports.summary import score_lines
from fstmetrics.runs.score import Score

if TYPE_CHECKING:
    from fstmetrics.scoring.breakdown import Breakdown

# Names of files that are shown.
MOST_NAMES = 8


@command(
    usual=("--metric", "--unit", "--lowercase", "--ref", "--alignment", "--output"),
    ending=metric_table,
    several="several systems: fstmetrics compare --ref REF SYSTEM...; "
    "several files of one: a pattern in quotes, such as 'hyp.*.txt'",
)
@click.argument("references", metavar="REF")
@click.argument("hypotheses", metavar="[HYP]", required=False)
@scoring_options(metric="wer")
def score(references: str, hypotheses: str | None, **options: Any) -> int:
    """Score the hypotheses in HYP against the references in REF.

    \b
    Example:  fstmetrics score ref.txt hyp.txt --alignment
              fstmetrics score rows.jsonl --fields id=path,ref=text,hyp=pred_text

    One sentence per line. Lines pair by id where both files have ids (Kaldi text), otherwise by order. With more
    references (--ref) the closest one counts; BLEU counts matches in all of them. Several files of one side are a
    folder or a pattern in quotes. A table that has references and hypotheses (JSON Lines, CSV, Parquet, ...) is one
    file: docs/tables.md.
    """
    return report(score_from(references, hypotheses, {**options, "called": called()}), options)


def report(score: Score, options: dict[str, Any]) -> int:
    """Print it, as the options of the command ask; the exit status."""
    if score.shard:
        show(score.shard)
    elif options["as_json"]:
        show_json(score.summary())
    elif options["output"] != "-":
        if score.scored:
            _show_items(score, options["alignment"])
        show(*score_lines(score))
        if score.breakdowns:
            _show_fields(score.breakdowns)
    for text in (score.reports or {}).values() if options["output"] is None else ():
        show("", *text.rstrip("\n").split("\n"))
    if score.written and not options["as_json"]:
        show(
            f"reports: {', '.join(score.written[:MOST_NAMES])}{', ...' if len(score.written) > MOST_NAMES else ''}"
        )
    return score.status


def _show_fields(tables: Sequence[Breakdown]) -> None:
    from fstmetrics.reports.field_tables import field_lines

    console = terminal.Console()
    show(*field_lines(tables, console.width if console.is_terminal else None))


def _show_items(score: Score, alignment: bool) -> None:
    from fstmetrics.reports.item_texts import item_texts

    console = terminal.Console()
    for text in item_texts(score, alignment, console.width if console.is_terminal else 100):
        console.print(text)
