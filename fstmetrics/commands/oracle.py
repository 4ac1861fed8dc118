"""The command `oracle`, and `oracle_files`, the same as a call."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, overload

import click

from fstmetrics.cli.click_options import MORE_FILES, called, check_form, command, options_of, ref_leads
from fstmetrics.cli.option_tables import ORACLE, PathLike, metric_table, sides_by_name
from fstmetrics.cli.terminal import show_score
from fstmetrics.commands.score import Several, call_score, score_from
from fstmetrics.metrics import CorpusMetric
from fstmetrics.reports.table_forms import Form
from fstmetrics.scoring.score import Score, Scores


@overload
def oracle_files(
    *,
    references: PathLike | Iterable[PathLike],
    lattices: PathLike | None = None,
    metric: str | CorpusMetric = ...,
    **options: Any,
) -> Score: ...
@overload
def oracle_files(
    *,
    references: PathLike | Iterable[PathLike],
    lattices: PathLike | None = None,
    metric: Several,
    **options: Any,
) -> Scores: ...
@sides_by_name
def oracle_files(
    *,
    references: PathLike | Iterable[PathLike],
    lattices: PathLike | None = None,
    metric: str | CorpusMetric | Several = "wer",
    **options: Any,
) -> Score | Scores:
    """Find the best path of each of `lattices=`, by `references=`, as `fstmetrics oracle` does.

    Args:
        references: text or networks; as of `score_files`.
        lattices: a file, a folder, or a pattern such as "lat.*.gz"; None where `references` is a table with both.
        metric, options: as of `score_files`.

    Returns:
        As of `score_files`: scores of the best paths, and in `summary()` those of the decoder's 1-best beside them.

    Raises:
        TypeError, FstmetricsError: as of `score_files`.

    >>> import fstmetrics as fm
    >>> from importlib.resources import files
    >>> examples = files("fstmetrics") / "examples" / "oracle"
    >>> found = fm.oracle_files(references=examples / "ref.txt", lattices=examples / "lattices")
    >>> found.score < found.summary()["one_best"]["score"]
    True
    """
    return call_score(
        "oracle", references, lattices, {"metric": metric, **options}, one_best=True, text=False
    )


@command(
    usual=("--metric", "--symbols", "--lm-scale", "--beam", "--alignment", "--output"),
    ending=metric_table,
    several=MORE_FILES,
)
@click.argument("references", metavar="REF")
@click.argument("lattices", metavar="[LATTICES]", required=False)
@options_of(ORACLE)
def oracle_command(
    references: str, lattices: str | None, form: Form | None, percent: bool, **options: Any
) -> int:
    """Find the best path of every lattice or n-best list, and compare it with the decoder's 1-best.

    \b
    Example:  fstmetrics oracle ref.txt lattices/

    REF: the references, text or networks. LATTICES: a file, a folder, or a pattern in quotes, such as 'lat.*.gz'.
    Items pair by id where both have ids. The 1-best is the path with the least weighted cost. For n-best lists, the
    oracle of the first 1, 2, 5, 10, ... entries is also printed. Rows that have references and n-best lists (JSON
    Lines) are one file.
    """
    if form:
        check_form(form, options)
    if options["shard"]:
        options["called"] = called()
    if lattices is None:
        options["ref_leads"] = ref_leads()
    return show_score(
        score_from(references, lattices, options, one_best=True, text=False), options, form, percent
    )
