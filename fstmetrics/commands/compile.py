"""The command `compile`, and `compile_files`, the same as a call."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import click

from fstmetrics.cli.click_options import command, options_of, options_of_line, ref_leads
from fstmetrics.cli.option_tables import (
    GRAMMAR,
    INPUT,
    SCORING,
    WORDS,
    Options,
    PathLike,
    fields_of_options,
    given_options,
    metric_table,
    of_metrics,
    path_of,
    sides_by_name,
    under,
)
from fstmetrics.cli.terminal import show
from fstmetrics.engine.search import COUNTS_ONLY, search
from fstmetrics.grammars.library import resolve
from fstmetrics.io.reading import check_paths
from fstmetrics.metrics import CorpusMetric, Metric
from fstmetrics.metrics.corpus_metric import units_of
from fstmetrics.metrics.registry import METRIC
from fstmetrics.openfst.folder import write_grammars, write_machines
from fstmetrics.openfst.machines import Machines
from fstmetrics.openfst.problem import problem_of
from fstmetrics.openfst.pynini_objects import import_pynini
from fstmetrics.reports.summary import table_lines
from fstmetrics.scoring.inputs import Inputs, read_inputs
from fstmetrics.scoring.pair_blocks import Pair
from fstmetrics.scoring.request import Request, of_unit
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import nearest
from fstmetrics.support.options import PATH, TEXT, Option, dashed
from fstmetrics.support.printable import counted, printable

# Ids that an error names.
NEAR = 3
# Behind numbers that stand for ids.
FROM_ZERO = " (from 0)"

COMPILING: Options = {
    **under(
        "Output",
        item=Option(
            TEXT, "Which item: its id; of items without ids its number, the first is 0.", metavar="ID"
        ),
        to=Option(
            PATH, "Where to write; a folder that is new or empty.", metavar="FOLDER", field="folder", required=True
        ),
    ),
    "metric": SCORING["metric"]._replace(
        kind=METRIC, help="wer, cer, wrr, grr, hyter or another metric of alignments."
    ),
    **of_metrics(),
    **INPUT,
    **WORDS,
    **GRAMMAR,
}  # fmt: skip
# Options that say nothing of items.
OF_GRAMMARS = ("grammar", "to", "max")


@sides_by_name
def compile_files(
    *,
    references: PathLike | None = None,
    hypotheses: PathLike | None = None,
    to: PathLike,
    metric: str | CorpusMetric = "wer",
    **options: Any,
) -> list[str]:
    """Write the machines of an item of `hypotheses=` and `references=`, or grammars, as `fstmetrics compile` does.

    `fm.compile` makes the machines of an item in Python. Both need pynini.

    Args:
        references, hypotheses: files; neither, where only grammars are written.
        to: a folder that is new or empty.
        metric: a finite-state metric.
        options: those of the command, as of `score_files`: `item="u1"`, `grammar="en.spelling"`.

    Returns:
        What the command prints: the sizes of the machines, and how to run them.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.
    """
    asked = {**options, "metric": None if metric == "wer" else metric}
    given = given_options(COMPILING, asked)
    sides = [None if each is None else path_of("compile_files", each) for each in (references, hypotheses)]
    folder = path_of("compile_files", to)
    found = fields_of_options("compile_files", COMPILING, {"metric": metric, **options, "to": folder})
    return compile_from(sides[0], sides[1], found, given)


def compile_from(
    references: str | None, hypotheses: str | None, options: dict[str, Any], given: Sequence[str]
) -> list[str]:
    """The machines by the options of `COMPILING`, of which some are `given`; as of `compile_files`."""
    import_pynini()
    folder, item, name = (options.pop(name) for name in ("folder", "item", "metric_name"))
    if folder in ("", "-"):
        raise FstmetricsError(f"--to is a folder's name, not {folder!r}")
    parameters = options.pop("parameters")
    request = Request(**options)
    if references is None:
        if of_items := [option for option in given if option not in OF_GRAMMARS]:
            raise FstmetricsError(f"{dashed(of_items[0])} is for an item: give REF and HYP, too")
        check_paths(request.grammar_files, folder)
        return list(_grammars(request, folder))
    (metric,) = parameters.metrics([name])
    units_of([metric], request.normalisation.unit)
    request = of_unit(request, options, metric)
    if not isinstance(metric, Metric):
        raise FstmetricsError(f"{metric.name} has no best path to find, and so no machines")
    check_paths((references, hypotheses, *request.more_references, *request.grammar_files), folder)
    inputs = read_inputs(request, references, hypotheses, networks_first=metric.name == "hyter")
    pair = _pair(inputs, item)
    it = f"item {pair.id}" if pair.id else f"item {item}{FROM_ZERO}" if item else "the item"
    return [*_item(request, metric, pair, it, folder), *inputs.remarks]


def _grammars(request: Request, folder: str) -> Iterator[str]:
    """Write grammars; yields what is said of each."""
    if not request.grammars:
        raise FstmetricsError("there is nothing to compile: give REF and HYP, or --grammar NAME")
    for name, rewrites, left_out in write_grammars(resolve(request.grammars), folder):
        without = f"; without {counted(left_out, 'rule')} of endlessly many words" if left_out else ""
        yield f"{name}: {counted(rewrites, 'rewrite')}{without}"


def _pair(inputs: Inputs, item: str | None) -> Pair:
    """The item of that id, or the only one.

    Raises:
        FstmetricsError: there is none of that id, or there are several and no id.
    """
    pairs, names = list[Pair](), list[str]()
    from_zero = ""
    for number, pair in enumerate(chain.from_iterable(inputs.source.blocks())):
        from_zero = FROM_ZERO if pair.id is None else ""
        name = str(number) if pair.id is None else pair.id
        if item == name:
            return pair.loaded()
        pairs = pairs or [pair]
        names.append(name)
    some = ", ".join(map(printable, names[:NEAR])) + (", ..." if len(names) > NEAR else "")
    if not names:
        raise FstmetricsError("there is no item to compile")
    if item is not None:
        near = ", ".join(map(printable, nearest(item, names)[:NEAR])) or some
        raise FstmetricsError(
            f"there is no item {item!r} among {counted(len(names), 'item')}; there is {near}{from_zero}"
        )
    if len(names) > 1:
        raise FstmetricsError(f"there are {len(names)} items: give --item ID, one of {some}{from_zero}")
    return pairs[0].loaded()


def _item(request: Request, metric: Metric, pair: Pair, it: str, folder: str) -> Sequence[str]:
    """Write the machines of an item; returns what is said of them."""
    normalisation, grammars = request.normalisation, request.grammars
    sides = [pair.id], [pair.hypothesis], [pair.reference]
    result = search(*sides, metric, 1, normalisation, COUNTS_ONLY, grammars)[0]
    try:
        problem = problem_of(pair.hypothesis, pair.reference, metric, normalisation, grammars)
    except FstmetricsError as error:
        raise type(error)(f"{it}: {error}") from None
    machines = Machines(problem, units=True)
    write_machines(machines, folder, f"{it}, {metric.signature(normalisation.unit)}")
    rows = [("machine", "states", "arcs")]
    rows += [(name, str(size.states), str(size.arcs)) for name, size in machines.built_sizes().items()]
    return [
        *table_lines(rows),
        "",
        f"{it}, {metric.signature(normalisation.unit)}: the engine finds cost {result.cost:g}",
        f"by OpenFst's programs: sh {shlex.quote(str(Path(folder, 'run.sh')))}",
    ]


@command(
    usual=("--item", "--to", "--metric", "--window", "--grammar"),
    ending=metric_table,
    several="one item at a time; for several files of one side give a pattern in quotes, such as 'lat.*.gz'",
)
@click.argument("references", metavar="[REF]", required=False)
@click.argument("hypotheses", metavar="[HYP]", required=False)
@options_of(COMPILING)
def compile_command(references: str | None, hypotheses: str | None, **options: Any) -> None:
    """Write an item's machines for OpenFst: H, T and R, whose composition has the answer.

    \b
    Example:  fstmetrics compile ref.txt hyp.txt --item u1 --to u1
              sh u1/run.sh
              fstmetrics compile --grammar en.spelling --to spelling

    run.sh gets the cost by OpenFst's own programs. Weights are whole numbers. Without REF and HYP the rules of
    --grammar are written, each grammar as a transducer. docs/compile.md explains all machines. Needs pynini.
    """
    options["ref_leads"] = ref_leads()
    show(*compile_from(references, hypotheses, options, options_of_line()))
