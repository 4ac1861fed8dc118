"""`fstmetrics proficiency`: how well features tell translators' levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from fstmetrics.cli.option_types import SEED, Whole
from fstmetrics.cli.options import command
from fstmetrics.cli.terminal import show
from fstmetrics.reports.summary import table_lines
from fstmetrics.support.errors import FstmetricsError

# Examinations to generate: half an hour of work, and as many folds.
MOST_EXAMS = 10_000


@command(several="")
@click.argument("table", metavar="TABLE", required=False)
@click.option(
    "--generated", type=Whole(10, MOST_EXAMS), metavar="N", help="Use N generated exams instead of TABLE."
)
@click.option(
    "--folds", type=Whole(2, MOST_EXAMS), default=10, show_default=True, help="Folds of the cross-validation."
)
@click.option(
    "--seed", type=SEED, default=1, show_default=True, help="Seed of folds, shuffling and generated exams."
)
@click.option(
    "--rules",
    metavar="FILE",
    help="Rules that make levels of labels of passages: lines such as SM,MM,*<tab>1|1+. The last column of TABLE is "
    "then `labels`.",
)
def proficiency(table: str | None, generated: int | None, folds: int, seed: int, rules: str | None) -> None:
    """Learn the levels of translators from features, and measure how well that works.

    \b
    Example:  fstmetrics proficiency table.tsv

    TABLE: what `fstmetrics features` writes, with a last column `level`; accepted levels are joined by `|`. A
    multi-class support vector machine is cross-validated and compared with two baselines: the most frequent level, and
    the same machine on shuffled levels. The figures are those of [H12 table 5].
    """
    from fstmetrics.evaluation.proficiency.classifier import (
        agreement,
        cross_validated,
        most_frequent,
        shuffled,
    )

    if (table is None) == (generated is None):
        raise FstmetricsError("give a TABLE, or --generated N exams")
    if rules is not None and table is None:
        raise FstmetricsError("--rules is for the labels of a TABLE; generated exams have levels")
    values, levels = _from_table(table, rules) if table is not None else _generated(generated or 0, seed)
    mixed = shuffled(levels, seed)
    rows = [
        ("features", agreement(cross_validated(values, levels, folds=folds, seed=seed), levels)),
        ("shuffled levels", agreement(cross_validated(values, mixed, folds=folds, seed=seed), mixed)),
        ("most frequent level", agreement(most_frequent(levels), levels)),
    ]
    figures = [
        (name, *(f"{100 * figure:.2f}" for figure in (a.accuracy, a.precision, a.recall, a.f1)))
        for name, a in rows
    ]
    show(*table_lines([("", "accuracy", "precision", "recall", "F1"), *figures]))
    show("", f"{len(levels)} exams, {folds} folds; precision, recall and F1 of level 2 or better")


def _from_table(path: str, rules: str | None) -> tuple[Any, Sequence[frozenset[str]]]:
    from fstmetrics.evaluation.proficiency.passage_rules import PassageRules
    from fstmetrics.evaluation.proficiency.tables import read_labelled

    found = read_labelled(path, None if rules is None else PassageRules.read(rules))
    return found.values, found.levels


def _generated(count: int, seed: int) -> tuple[Any, Sequence[frozenset[str]]]:
    from fstmetrics.cli.terminal import bar
    from fstmetrics.evaluation.proficiency.exams import generated_exams
    from fstmetrics.evaluation.proficiency.passage_features import passage_features

    exams = list(bar(generated_exams(count, seed), count, "generating"))
    return passage_features(s for e in exams for s in e.sentences).values, [e.levels for e in exams]
