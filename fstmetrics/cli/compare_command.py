"""`fstmetrics compare`, and the picture of its `--plot`: `draw`."""

from __future__ import annotations

from typing import Any, Literal

import click

from fstmetrics.cli.options import (
    called,
    command,
    given_options,
    group,
    metric_table,
    option,
    options_of,
    together,
)
from fstmetrics.cli.terminal import show, show_json, width
from fstmetrics.commands.compare import (
    OUTPUTS_COMPARED,
    PROFILES,
    TESTED,
    WRITTEN,
    FilesComparison,
    compare_prepared,
    prepared,
)
from fstmetrics.reports.comparison_report import latex_lines, markdown_lines, text_lines
from fstmetrics.reports.profile_tables import left_out_lines, profile_lines, profile_signatures
from fstmetrics.reports.summary import items_lines
from fstmetrics.support.errors import FstmetricsError

Layout = Literal["json", "markdown", "latex"]
LAYOUTS: dict[Layout, str] = {
    "json": "one JSON object",
    "markdown": "a Markdown table",
    "latex": "a LaTeX table",
}


def _choose(context: click.Context, parameter: click.Parameter, given: bool) -> None:
    """Keep the layout that is asked for, of which there may be one."""
    if given:
        before = context.meta.setdefault("layout", parameter.name)
        if before != parameter.name:
            raise FstmetricsError(
                f"--{before} and --{parameter.name}: a table is printed in one form; give one of them"
            )


layout_options = group(
    "Output",
    *(
        option(
            f"--{layout}", layout, is_flag=True, expose_value=False, callback=_choose, help=f"Print {what}."
        )
        for layout, what in LAYOUTS.items()
    ),
)


@command(
    usual=("--ref", "--metric", "--test", "--lowercase", "--json", "--markdown"),
    ending=metric_table,
)
@click.argument("systems", metavar="SYSTEM...", nargs=-1)
@together(
    options_of(OUTPUTS_COMPARED),
    options_of(PROFILES),
    options_of(TESTED),
    layout_options,
    options_of(WRITTEN),
)
def compare(systems: tuple[str, ...], top: int, are_systems: bool, **options: Any) -> None:
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
    layout = click.get_current_context().meta.get("layout")
    found = compare_prepared(prepared(systems, options, given_options()))
    show_comparison(found, layout, top)


def show_comparison(found: FilesComparison, layout: Layout | None, top: int = 10) -> int:
    """What is printed; the exit status.

    Args:
        found: the comparison.
        layout: the form; None for tables.
        top: rows of words for each profile.
    """
    if layout == "json" and not found.shard:
        show_json(found.summary())
    elif found.profiles is not None:
        compared, items, conditions = found.profiles
        show(
            *profile_lines(compared, top or None, width()),
            *items_lines(items),
            *left_out_lines(compared, items),
            *found.remarks,
            *profile_signatures(compared, conditions),
        )
    elif found.comparison is None:
        show(found.shard)
    elif layout:
        show(*(markdown_lines if layout == "markdown" else latex_lines)(found.comparison))
    else:
        show(*text_lines(found.comparison, found.remarks, width()))
    return 0
