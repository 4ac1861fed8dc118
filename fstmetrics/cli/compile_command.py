"""`fstmetrics compile`: an item, or a grammar, as machines of OpenFst."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from fstmetrics.cli.options import (
    command,
    grammar_option,
    group,
    input_options,
    metric_parameters,
    metric_table,
    option,
    options_of,
    together,
    word_options,
)
from fstmetrics.cli.terminal import show
from fstmetrics.commands.options import SCORING
from fstmetrics.grammars.library import resolve
from fstmetrics.interop.openfst import import_pynini
from fstmetrics.metrics import Metric
from fstmetrics.openfst.folder import write_grammars, write_machines
from fstmetrics.openfst.machines import Machines
from fstmetrics.openfst.problem import problem_of
from fstmetrics.readers.reading import check_paths
from fstmetrics.reports.summary import table_lines
from fstmetrics.runs.inputs import Inputs, read_inputs
from fstmetrics.runs.pair_blocks import Pair
from fstmetrics.runs.request import MetricParameters, Request, fields_of
from fstmetrics.scoring.search import COUNTS_ONLY, search
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import nearest
from fstmetrics.support.printable import counted, printable

# Ids that an error names.
NEAR = 3
# Behind numbers that stand for ids.
FROM_ZERO = " (from 0)"

OPTIONS = (
    option(
        "--item", metavar="ID", help="Which item: its id; of items without ids its number, the first is 0."
    ),
    option(
        "--to",
        "folder",
        metavar="FOLDER",
        required=True,
        help="Where to write; a folder that is new or empty.",
    ),
)


@command(
    usual=("--item", "--to", "--metric", "--window", "--grammar"),
    ending=metric_table,
    several="one item at a time; for several files of one side give a pattern in quotes, such as 'lat.*.gz'",
)
@click.argument("references", metavar="[REF]", required=False)
@click.argument("hypotheses", metavar="[HYP]", required=False)
@together(
    group("Output", *OPTIONS),
    options_of({"metric": SCORING["metric"]}),
    metric_parameters,
    input_options,
    word_options,
    grammar_option,
)
def compile(
    references: str | None, hypotheses: str | None, item: str | None, folder: str, **options: Any
) -> None:
    """Write an item's machines for OpenFst: H, T and R, whose composition has the answer.

    \b
    Example:  fstmetrics compile ref.txt hyp.txt --item u1 --to u1
              sh u1/run.sh
              fstmetrics compile --grammar en.spelling --to spelling

    run.sh gets the cost by OpenFst's own programs. Weights are whole numbers. Without REF and HYP the rules of
    --grammar are written, each grammar as a transducer. docs/compile.md explains all machines. Needs pynini.
    """
    import_pynini()
    if folder in ("", "-"):
        raise FstmetricsError(f"--to is a folder's name, not {folder!r}")
    parameters = fields_of(MetricParameters, options)
    name = options.pop("metric_name")
    request = Request(**options)
    if references is None:
        _refuse_for_grammars(click.get_current_context())
        check_paths(request.grammar_files, folder)
        show(*_grammars(request, folder))
        return
    (metric,) = parameters.metrics([name])
    if not isinstance(metric, Metric):
        raise FstmetricsError(f"{metric.name} has no best path to find, and so no machines")
    check_paths((references, hypotheses, *request.more_references, *request.grammar_files), folder)
    inputs = read_inputs(request, references, hypotheses, networks_first=metric.name == "hyter")
    pair = _pair(inputs, item)
    it = f"item {pair.id}" if pair.id else f"item {item}{FROM_ZERO}" if item else "the item"
    show(*_item(request, metric, pair, it, folder), *inputs.remarks)


def _refuse_for_grammars(context: click.Context) -> None:
    """Raise an FstmetricsError for an option that says something of items, where there are none."""
    for param in context.command.params:
        is_given = context.get_parameter_source(str(param.name)) == ParameterSource.COMMANDLINE
        if is_given and param.expose_value and param.name not in ("grammars", "folder"):
            raise FstmetricsError(f"{param.opts[0]} is for an item: give REF and HYP, too")


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
    for number, pair in enumerate(inputs.source):
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
    write_machines(machines, folder, f"{it}, {metric.signature()}")
    rows = [("machine", "states", "arcs")]
    rows += [(name, str(size.states), str(size.arcs)) for name, size in machines.built_sizes().items()]
    return [
        *table_lines(rows),
        "",
        f"{it}, {metric.signature()}: the engine finds cost {result.cost:g}",
        f"by OpenFst's programs: sh {shlex.quote(str(Path(folder, 'run.sh')))}",
    ]
