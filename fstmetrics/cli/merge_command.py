"""`fstmetrics merge`."""

from __future__ import annotations

import click

from fstmetrics.cli.click_options import command, options_of
from fstmetrics.cli.compare_command import show_comparison
from fstmetrics.cli.mbr_command import show_mbr, show_words
from fstmetrics.cli.terminal import show_score
from fstmetrics.commands.compare import FilesComparison
from fstmetrics.commands.merge import MERGING, merge_from
from fstmetrics.reports.table_forms import FORMS, Form
from fstmetrics.scoring.score import Score
from fstmetrics.support.printable import in_percent


@command()
@click.argument("shards", metavar="SHARD...", nargs=-1, required=True)
@options_of(MERGING)
def merge(shards: tuple[str, ...], output: str | None, as_json: bool, form: Form | None) -> int:
    """Put the shards of a run together: the records, and the summary of all items.

    \b
    Example:  fstmetrics score ref.txt hyp.txt --shard 1/2 --output a.jsonl
              fstmetrics score ref.txt hyp.txt --shard 2/2 --output b.jsonl
              fstmetrics merge a.jsonl b.jsonl --output all.jsonl

    Shards of compare (--test poisson-bootstrap) give the table of all items: fstmetrics merge a.sums b.sums

    SHARD: the --output of each shard, in any order; what --shard writes beside it (a.jsonl.shard) is read, too. Records
    and summary are those of the run without --shard, byte for byte. No item is scored again. Shards of different runs,
    one that is missing and one that has changed are refused.
    """
    found, options = merge_from(shards, output, as_json, None if form else show_words)
    if options.get("percent"):
        click.get_current_context().with_resource(in_percent())
    if isinstance(found, Score):
        return show_score(found, options, form)
    if isinstance(found, FilesComparison):
        form = form or next((each for each in FORMS if each in options), None)
        return show_comparison(found, "json" if as_json or "json" in options else form)
    return show_mbr(found, "json" if as_json else form)
