"""The command `proficiency`, and `proficiency_files`, the same as a call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import click
import numpy as np
import numpy.typing as npt

from fstmetrics import FstmetricsError
from fstmetrics.apps.proficiency.classifier import (
    SCALE,
    Agreement,
    agreement,
    cross_validated,
    most_frequent,
    other_levels,
    shuffled,
)
from fstmetrics.apps.proficiency.exams import generated_exams
from fstmetrics.apps.proficiency.passage_features import (
    PassageRules,
    passage_features,
    read_labelled,
)
from fstmetrics.cli.click_options import FormOfTables, command, options_of
from fstmetrics.cli.option_tables import (
    FORMS_PRINTED,
    Options,
    PathLike,
    fields_of_options,
    path_of,
    under,
)
from fstmetrics.cli.terminal import show_report
from fstmetrics.reports.summary import Part, Printed, Table
from fstmetrics.support.options import PATH, SEED, Option, whole
from fstmetrics.support.progress import ticks

# Examinations to generate: half an hour of work, and as many folds.
MOST_EXAMS = 10_000
# So many levels of another scale are named.
MOST_LEVELS = 5
LEVELS: Options = under(
    "",
    FORMS_PRINTED,
    generated=Option(whole(10, MOST_EXAMS), "Use N generated exams instead of TABLE."),
    folds=Option(whole(2, MOST_EXAMS), "Folds of the cross-validation.", 10),
    seed=Option(SEED, "Seed of folds, shuffling and generated exams.", 1),
    rules=Option(
        PATH,
        "Rules that make levels of labels of passages: lines such as SM,MM,*<tab>1|1+. The last column of TABLE is "
        "then `labels`.",
        metavar="FILE",
    ),
)


@dataclass(frozen=True)
class FilesProficiency(Printed):
    """How well levels of translators are learned from features.

    Attributes:
        agreement: of the machine on `features`, of the same on `shuffled levels`, and of the `most frequent level`.
        exams: how many exams there are.
        folds: of the cross-validation.
        other_levels: levels that are none of `SCALE`, so that nobody knows which are 2 or better.
    """

    agreement: Mapping[str, Agreement]
    exams: int
    folds: int
    other_levels: Sequence[str] = ()

    def summary(self) -> dict[str, Any]:
        """What the command prints with `--json`: shares of 1, null for what is not defined."""
        rows = [
            {"levels": name, **asdict(figures), "f1": figures.f1} for name, figures in self.agreement.items()
        ]
        return {"exams": self.exams, "folds": self.folds, "agreement": rows}

    def parts(self) -> Iterator[Part]:
        """What the command prints."""
        figures = [
            (
                name,
                *("-" if x is None else f"{100 * x:.2f}" for x in (a.accuracy, a.precision, a.recall, a.f1)),
            )
            for name, a in self.agreement.items()
        ]
        yield Table([("", "accuracy", "precision", "recall", "F1"), *figures])
        yield f"{self.exams} exams, {self.folds} folds; precision, recall and F1 of level 2 or better"
        if self.other_levels:
            shown = ", ".join(self.other_levels[:MOST_LEVELS])
            yield f"-: not defined, as levels are {shown}, and a level 2 is of the scale {', '.join(SCALE)}"


def proficiency_files(table: PathLike | None = None, **options: Any) -> FilesProficiency:
    """Learn the levels of translators from a table of features, as `fstmetrics proficiency` does [H12 table 5].

    Needs scikit-learn. Nothing is printed.

    Args:
        table: what `features_files` writes, with a last column `level`; None with `generated`.
        options: those of the command, as of `score_files`: `folds=5`, `seed=2`, `rules="rules.txt"`, `generated=195`.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.
    """
    found = fields_of_options("proficiency_files", LEVELS, options)
    return proficiency_from(None if table is None else path_of("proficiency_files", table), found)


def proficiency_from(table: str | None, options: Mapping[str, Any]) -> FilesProficiency:
    """What is learned, by the options of `LEVELS`.

    Raises:
        FstmetricsError: as of `proficiency_files`.
    """
    generated, folds, seed, rules = (options[name] for name in ("generated", "folds", "seed", "rules"))
    if (table is None) == (generated is None):
        raise FstmetricsError("give a TABLE, or --generated N exams")
    if rules is not None and table is None:
        raise FstmetricsError("--rules is for the labels of a TABLE; generated exams have levels")
    values, levels = (
        _generated(generated, seed)
        if table is None
        else read_labelled(table, None if rules is None else PassageRules.read(rules))
    )
    mixed = shuffled(levels, seed)
    found = {
        "features": agreement(cross_validated(values, levels, folds=folds, seed=seed), levels),
        "shuffled levels": agreement(cross_validated(values, mixed, folds=folds, seed=seed), mixed),
        "most frequent level": agreement(most_frequent(levels), levels),
    }
    return FilesProficiency(found, len(levels), folds, other_levels(levels))


def _generated(count: int, seed: int) -> tuple[npt.NDArray[np.float64], list[frozenset[str]]]:
    exams = list(ticks(generated_exams(count, seed), "generating", count))
    return passage_features(s for e in exams for s in e.sentences).values, [e.levels for e in exams]


@command(several="")
@click.argument("table", metavar="TABLE", required=False)
@options_of(LEVELS)
def proficiency_command(table: str | None, form: FormOfTables, **options: Any) -> None:
    """Learn the levels of translators from features, and measure how well that works.

    \b
    Example:  fstmetrics proficiency table.tsv

    TABLE: what `fstmetrics features` writes, or the same as CSV, with a last column `level`; accepted levels are
    joined by `|`. A multi-class support vector machine is cross-validated and compared with two baselines: the most
    frequent level, and the same machine on shuffled levels. The figures are those of [H12 table 5].
    """
    found = proficiency_from(table, options)
    show_report(found.parts(), found.summary, form)
