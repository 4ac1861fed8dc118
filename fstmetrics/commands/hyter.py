"""The command `hyter`, and `hyter_files`, the same as a call."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, overload

import click

from fstmetrics.cli.click_options import MORE_FILES, called, check_form, command, options_of
from fstmetrics.cli.option_tables import PathLike, metric_table, scoring, sides_by_name
from fstmetrics.cli.terminal import show_score
from fstmetrics.commands.score import Several, call_score, score_from
from fstmetrics.metrics import CorpusMetric
from fstmetrics.reports.table_forms import Form
from fstmetrics.scoring.score import Score, Scores


@overload
def hyter_files(
    *,
    networks: PathLike | Iterable[PathLike],
    hypotheses: PathLike,
    metric: str | CorpusMetric = ...,
    **options: Any,
) -> Score: ...
@overload
def hyter_files(
    *, networks: PathLike | Iterable[PathLike], hypotheses: PathLike, metric: Several, **options: Any
) -> Scores: ...
@sides_by_name
def hyter_files(
    *,
    networks: PathLike | Iterable[PathLike],
    hypotheses: PathLike,
    metric: str | CorpusMetric | Several = "hyter",
    **options: Any,
) -> Score | Scores:
    """Score the file `hypotheses=` against reference `networks=`, as `fstmetrics hyter` does.

    Args:
        networks: a file, a folder or a pattern of networks, or plain references. Each of a list is a set for all items;
            of files with a network each, give the folder, or a pattern.
        hypotheses: the translations.
        metric, options: as of `score_files`.

    Returns:
        As of `score_files`.

    Raises:
        TypeError, FstmetricsError: as of `score_files`.

    >>> import fstmetrics as fm
    >>> from importlib.resources import files
    >>> examples = files("fstmetrics") / "examples" / "hyter"
    >>> found = fm.hyter_files(networks=examples / "networks", hypotheses=examples / "hyp.txt", window=3)
    >>> found.corpus.moves == found.summary()["moves"]
    True
    """
    return call_score("hyter", networks, hypotheses, {"metric": metric, **options}, networks_first=True)


@command(
    usual=("--window", "--reordering", "--alignment", "--lowercase", "--output", "--jobs"),
    ending=metric_table,
    several=MORE_FILES,
)
@click.argument("networks", metavar="NETWORKS")
@click.argument("hypotheses", metavar="HYP")
@options_of(scoring(metric="hyter"))
def hyter_command(networks: str, hypotheses: str, form: Form | None, percent: bool, **options: Any) -> int:
    """Score translations against reference networks.

    \b
    Example:  fstmetrics hyter networks/ hyp.txt --window 3

    NETWORKS: a file, a folder or a pattern in quotes of networks, or plain references. HYP: the translations. Items
    pair by id. The score is the fewest edits and moves to any path of the network, divided by the number of words of
    the closest path.
    """
    if form:
        check_form(form, options)
    if options["shard"]:
        options["called"] = called()
    return show_score(score_from(networks, hypotheses, options, networks_first=True), options, form, percent)
