"""`fstmetrics compare`, and the picture of its `--plot`: `draw`."""

from __future__ import annotations

import re
from os.path import commonprefix
from typing import Any, Literal

import click

from fstmetrics.cli.click_options import FormOfTables, called, command, given_options, options_of, together
from fstmetrics.cli.terminal import show, show_formed, show_json, show_report, width
from fstmetrics.commands.compare import (
    OUTPUTS_COMPARED,
    PROFILES,
    TESTED,
    WRITTEN,
    FilesComparison,
    compare_prepared,
    prepared,
)
from fstmetrics.commands.option_tables import metric_table
from fstmetrics.reports.comparison_report import text_lines, without_prefix
from fstmetrics.reports.formed_comparisons import formed_lines
from fstmetrics.reports.profile_tables import left_out_lines, profile_parts, profile_signatures
from fstmetrics.reports.summary import items_lines, shortened
from fstmetrics.reports.table_forms import Form, is_pasted
from fstmetrics.support.printable import in_percent

# What is left out of names that all begin so: parts that end, and are longer than a version.
PREFIX = re.compile(r".{3,}[._-]")


@command(
    usual=("--ref", "--metric", "--test", "--lowercase", "--json", "--markdown"),
    ending=metric_table,
)
@click.argument("systems", metavar="SYSTEM...", nargs=-1)
@together(*map(options_of, (OUTPUTS_COMPARED, PROFILES, TESTED, WRITTEN)))
def compare(
    systems: tuple[str, ...],
    top: int,
    are_systems: bool,
    percent: bool,
    form: Form | Literal["json"] | None,
    **options: Any,
) -> None:
    """Score several systems, and test each against the first, the baseline.

    \b
    Example:  fstmetrics compare --ref ref.txt base.txt new.txt --metric bleu,wer
              fstmetrics compare --ref ref.trn base.trn new.trn --test mapsswe
              fstmetrics compare base.jsonl new.jsonl --fields ref=text,hyp=pred
              fstmetrics compare --ref ref.txt old=b1,b2 new=n1,n2 --metric bleu
              fstmetrics compare --ref ref.txt a.txt b.txt --scores comet=c.json
              fstmetrics compare --scores comet=wmt.seg.score --pairs all

    SYSTEM: a file with the system's outputs, one sentence per line. Its name in the table is the file's name without
    ending; NAME=FILE gives another. NAME=FILE,FILE are several runs of one system, as of an optimizer. Of lattices and
    n-best lists the best paths are scored (oracles). Lines pair by id where all files have ids (Kaldi text), otherwise
    by order. Tables (JSON Lines, CSV, Parquet, ...) may have the references, too, and several systems, hyp=A,hyp=B:
    docs/tables.md. With --scores alone, SYSTEM is the name of a system in its file; without any, all are compared.
    """
    if not (systems or options["scores"]):
        raise click.MissingParameter(param_hint="'SYSTEM...'", param_type="argument")
    if options["shard"]:
        options["called"] = called()
    found = compare_prepared(prepared(systems, options, given_options()))
    if percent:
        click.get_current_context().with_resource(in_percent())
    show_comparison(found, form, top)


def show_comparison(found: FilesComparison, form: FormOfTables, top: int = 10) -> int:
    """What is printed; the exit status.

    Args:
        found: the comparison.
        form: of the tables; None for text.
        top: rows of words for each profile.
    """
    if form == "json" and not found.shard:
        show_json(found.summary())
    elif found.profiles is not None:
        compared, items, conditions = found.profiles
        parts = [
            *profile_parts(compared, top or None, width()),
            *items_lines(items),
            *left_out_lines(compared, items),
            *shortened(found.remarks),
            *profile_signatures(compared, conditions),
        ]
        show_report(parts, found.summary, form, width())
    elif found.comparison is None:
        show(found.shard)
    elif form and form != "json" and not is_pasted(form):
        show_formed(formed_lines(found.comparison, form), form)
    else:
        comparison, remarks = found.comparison, found.remarks
        names = list(comparison.systems)
        prefix = PREFIX.match(commonprefix(names))  # noqa: RUF071 (no paths)
        if prefix and len(names) > 1 and all(re.search(r"[^\W\d_]", name[prefix.end() :]) for name in names):
            comparison = without_prefix(comparison, prefix[0])
            remarks = (f"the names of the systems begin with {prefix[0]}, which is left out", *remarks)
        if form and form != "json":
            show_formed(formed_lines(comparison, form), form)
        else:
            show(*text_lines(comparison, remarks, width()))
    return 0
