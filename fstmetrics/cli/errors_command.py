"""`fstmetrics errors`: what goes wrong most, from records."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.options import command, options_of
from fstmetrics.cli.terminal import show, show_json
from fstmetrics.commands.records import COUNTING, errors_from


@command(several="of two systems: fstmetrics errors RECORDS --against RECORDS")
@click.argument("records", metavar="RECORDS")
@options_of(COUNTING)
def errors(records: str, top: int, as_json: bool, **options: Any) -> None:
    """Count the errors of a run: which words go wrong most.

    \b
    Example:  fstmetrics score ref.txt hyp.txt --alignment --output records.jsonl
              fstmetrics errors records.jsonl

    RECORDS: what `score`, `oracle` or `hyter` writes with --alignment --output RECORDS. The tables show substitutions,
    insertions and deletions with counts and rates, errors by position and by sentence length, missing n-grams, and
    which alternatives, cards and rules the closest paths use.
    """
    found = errors_from(records, options)
    if as_json:
        show_json(found.summary())
    else:
        show(*found.lines(top or None))
