"""The command `features`, and `features_files`, the same as a call."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import click

from fstmetrics import FstmetricsError, HyTER, Network
from fstmetrics.apps.proficiency.passage_features import (
    NAMES,
    FeatureTable,
    passage_features,
    table_rows,
)
from fstmetrics.cli.click_options import FormOfTables, command, options_of, refuse_shared_output
from fstmetrics.cli.option_tables import (
    FORMS_PRINTED,
    REQUEST,
    Options,
    PathLike,
    fields_of_options,
    path_of,
    sides_by_name,
    under,
)
from fstmetrics.cli.terminal import say, show_report
from fstmetrics.io.reading import check_paths
from fstmetrics.reports.summary import Part, Printed, Table
from fstmetrics.scoring.inputs import read_inputs
from fstmetrics.scoring.request import Request
from fstmetrics.support.options import PATH, Option, options_of_fields, written_file
from fstmetrics.support.output import whole_file
from fstmetrics.support.printable import counted
from fstmetrics.support.progress import ticks
from fstmetrics.support.source import Source

# Examinations to generate: half an hour of work, and as many folds.

FEATURES: Options = under(
    "",
    FORMS_PRINTED,
    passages=Option(PATH, "Lines `id passage`. Default: every sentence is a passage.", metavar="FILE"),
    window=options_of_fields(HyTER)["window"]._replace(
        help="Words may be reordered within N words; 1 is no reordering.", metavar=None
    ),
    lowercase=REQUEST["lowercase"],
    format=REQUEST["format"]._replace(help="Format of HYP. Default: recognised."),
    fields=REQUEST["fields"],
    output=Option(
        written_file("a table", ".tsv", ".csv"),
        "Write to FILE instead of standard output: with tabs, or as CSV if it ends in .csv.",
        metavar="FILE",
    ),
)


@dataclass(frozen=True)
class FilesFeatures(Printed):
    """Features of translations in a file.

    Attributes:
        table: a row a passage.
        remarks: what was guessed about the files, and what is odd about them.
    """

    table: FeatureTable
    remarks: tuple[str, ...]

    def summary(self) -> dict[str, Any]:
        """What the command prints with `--json`: a row a passage."""
        rows = zip(self.table.passages, self.table.values.tolist(), strict=True)
        return {"passages": [{"passage": name, **dict(zip(NAMES, row, strict=True))} for name, row in rows]}

    def parts(self) -> Iterator[Part]:
        """The table, with numbers of four decimals."""
        rows = zip(self.table.passages, self.table.values.tolist(), strict=True)
        yield Table([("passage", *NAMES), *((name, *(f"{n:.4f}" for n in row)) for name, row in rows)])


@sides_by_name
def features_files(*, networks: PathLike, hypotheses: PathLike, **options: Any) -> FilesFeatures:
    """Find features of `hypotheses=` against reference `networks=`, as `fstmetrics features` does [H12 §5.3].

    Both are paths. Nothing is printed.

    Args:
        networks: a file, a folder or a pattern of networks.
        hypotheses: the translations.
        options: those of the command, with `_` for `-`, as of `score_files`: `passages="passages.txt"`, `window=3`,
            `output="table.tsv"`.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.

    >>> import fstmetrics as fm
    >>> from importlib.resources import files
    >>> examples = files("fstmetrics") / "examples" / "hyter"
    >>> found = fm.features_files(networks=examples / "networks", hypotheses=examples / "hyp.txt", window=3)
    >>> len(found.table.passages) == len(found.table.values)
    True
    """
    found = fields_of_options("features_files", FEATURES, options)
    paths = path_of("features_files", networks), path_of("features_files", hypotheses)
    return features_from(*paths, found)


def features_from(networks: str, hypotheses: str, options: Mapping[str, Any]) -> FilesFeatures:
    """The features by the options of `FEATURES`; they are written where `output` says.

    Raises:
        FstmetricsError: as of `features_files`.
    """
    passages, output = options["passages"], options["output"]
    check_paths((networks, hypotheses, passages), output)
    request = Request(**{name: options[name] for name in ("lowercase", "format", "fields")})
    inputs = read_inputs(request, networks, hypotheses, advice="")
    of = _passages(passages) if passages else None
    sentences = [
        (
            _passage(of, str(number) if p.id is None else p.id, passages),
            _words(p.hypothesis),
            _network(p.reference),
        )
        for number, p in enumerate(inputs.pairs, 1)
    ]
    counted = ticks(sentences, "scoring", len(sentences))
    table = passage_features(counted, HyTER(window=options["window"]), request.normalisation)
    if output:
        with whole_file(output) as stream:
            if output.lower().removesuffix(".gz").endswith(".csv"):
                csv.writer(stream, lineterminator="\n").writerows(table_rows(table))
            else:
                stream.writelines("\t".join(row) + "\n" for row in table_rows(table))
    return FilesFeatures(table, tuple(inputs.remarks))


def _passages(path: str) -> dict[str, str]:
    source = Source.open(path)
    found: dict[str, str] = {}
    for number, line in source.lines():
        fields = line.split()
        if len(fields) != 2:
            raise source.error(f"expected `id passage`, found {counted(len(fields), 'column')}", number)
        found[fields[0]] = fields[1]
    return found


def _passage(of: dict[str, str] | None, id: str, path: str | None) -> str:
    if of is not None and id not in of:
        raise FstmetricsError(f"{path}: no passage for {id}")
    return id if of is None else of[id]


def _words(hypothesis: Any) -> str:
    if not isinstance(hypothesis, str):
        raise FstmetricsError("features are of plain translations, one a line")
    return hypothesis


def _network(reference: Any) -> Network:
    if not isinstance(reference, Network):
        raise FstmetricsError("features need reference networks (fstmetrics-network/1), not other references")
    return reference


@command()
@click.argument("networks", metavar="NETWORKS")
@click.argument("hypotheses", metavar="HYP")
@options_of(FEATURES)
def features_command(
    networks: str, hypotheses: str, output: str | None, form: FormOfTables, **options: Any
) -> None:
    """Write a table of features of translations, one row per passage [H12 §5.3].

    \b
    Example:  fstmetrics features networks/ hyp.txt --output table.tsv

    The features of HYP against the reference NETWORKS are HyTER; insertions, deletions, substitutions, and insertions
    or deletions, as counts and per word; and n-gram precisions for n = 1 to 20 against all paths. With a last column
    `level` the table is input for `fstmetrics proficiency`.
    """
    refuse_shared_output(form, output)
    found = features_from(networks, hypotheses, {**options, "output": output or (None if form else "-")})
    if form:
        show_report(found.parts(), found.summary, form)
    say(*found.remarks)
