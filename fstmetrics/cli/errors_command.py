"""`fstmetrics errors`: what goes wrong most, from records."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from fstmetrics.cli.click_options import FormOfTables, command, given_options, options_of
from fstmetrics.cli.terminal import show_report
from fstmetrics.commands.errors import COUNTED, errors_from
from fstmetrics.support.printable import in_percent


@command(
    usual=("--against", "--terms", "--loops", "--top", "--lowercase", "--json"),
    several="of two systems: fstmetrics errors REF HYP --against HYP, or of records",
)
@click.argument("records", metavar="REF|RECORDS")
@click.argument("hypotheses", metavar="[HYP]", required=False)
@options_of(COUNTED)
def errors(
    records: str, hypotheses: str | None, top: int, form: FormOfTables, percent: bool, **options: Any
) -> None:
    """Count the errors of a run: which words go wrong most.

    \b
    Example:  fstmetrics errors ref.txt hyp.txt
              fstmetrics score ref.txt hyp.txt --alignment --output records.jsonl
              fstmetrics errors records.jsonl

    REF and HYP are scored first, by the fewest word edits or another --metric. RECORDS: what `score`, `oracle` or
    `hyter` writes with --alignment --output RECORDS. The tables show substitutions,
    insertions and deletions with counts and rates, errors by position and by sentence length, missing n-grams, and
    which alternatives, cards and rules the closest paths use.
    """
    found = errors_from(records, hypotheses, options, given_options())
    if percent:
        click.get_current_context().with_resource(in_percent())
    parts = () if form == "json" else found.parts(top or None)
    show_report(parts, partial(found.summary, iter if form == "json" else list), form)
