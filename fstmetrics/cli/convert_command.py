"""`fstmetrics convert`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from fstmetrics.cli.option_types import ARCS, FORMAT, FormatName, Output, Real
from fstmetrics.cli.options import command, fields_option, format_list
from fstmetrics.cli.terminal import say, tell, ticks
from fstmetrics.convert import Conversion
from fstmetrics.convert import convert as convert_files
from fstmetrics.convert.files import WRITERS, Some, size_of
from fstmetrics.convert.fitting import OWN_SCALES
from fstmetrics.networks.automata import MAX_ARCS
from fstmetrics.readers.reading import check_paths
from fstmetrics.runs.option_values import finite
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import counted
from fstmetrics.values.scales import Scales
from fstmetrics.values.transcripts import NOTATIONS, Notation

SCALES = {"lm": "lm", "acoustic": "acoustic", "word-penalty": "word_penalty"}


def scales_of(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> Scales | None:
    """The scales of `lm=12,acoustic=1,word-penalty=0.5`; those that are not named are 1, 1 and 0."""
    found: dict[str, float] = {}
    for part in ",".join(values).split(",") if values else ():
        name, equals, value = part.partition("=")
        if not equals or name not in SCALES:
            raise click.BadParameter(f"expected lm=, acoustic= or word-penalty= and a number, not {part!r}")
        factor = finite(value)
        if factor is None:
            raise click.BadParameter(f"expected a finite number for {name}, not {value!r}")
        found[SCALES[name]] = factor
    return Scales(**found) if values else None


@command(usual=("--format", "--to", "--lossy", "--scale", "--keep-going"), ending=format_list)
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT", type=Output())
@click.option("--format", type=FORMAT, help="Format of IN, one of those below. Default: recognised.")
@click.option(
    "--to",
    type=FormatName(WRITERS),
    metavar="FORMAT",
    help=f"Format of OUT. Default: by its ending. One of {', '.join(WRITERS)}.",
)
@click.option(
    "--symbols",
    metavar="FILE",
    help="Symbol table (lines `word integer`): the words of numbers in IN, the numbers of words in OUT.",
)
@click.option(
    "--write-symbols",
    type=Output(),
    metavar="FILE",
    help="Write numbers for words, and their symbol table to FILE.",
)
@click.option(
    "--scale",
    "scales",
    multiple=True,
    callback=scales_of,
    metavar="lm=..,acoustic=..,word-penalty=..",
    help="Multiply the costs, and add them up where OUT has one cost per arc.",
)
@click.option(
    "--alternations",
    type=click.Choice(NOTATIONS),
    help="How plain and Kaldi text write choices; fstmetrics score --help explains them.",
)
@click.option(
    "--weights", metavar="FILE", help="Feature weights (lines `name value`) of hypergraphs and lattices."
)
@click.option(
    "--max-arcs",
    type=ARCS,
    default=MAX_ARCS,
    show_default=True,
    metavar="N",
    help="Largest size of an expanded network.",
)
@click.option(
    "--frame-length",
    type=Real(0, 1e9, without_least=True),
    metavar="SECONDS",
    help="Length of a frame, to write times in seconds (SLF) where IN has frames.",
)
@fields_option
@click.option("--lossy", is_flag=True, help="Leave out what the format of OUT cannot hold, and say what.")  # fmt: skip
@click.option(
    "--keep-going",
    is_flag=True,
    help="Report items that cannot be read or written, leave them out, and exit with status 1.",
)
def convert(
    source: str,
    target: str,
    format: str | None,
    to: str | None,
    symbols: str | None,
    write_symbols: str | None,
    scales: Scales | None,
    alternations: Notation | None,
    weights: str | None,
    max_arcs: int,
    frame_length: float | None,
    lossy: bool,
    keep_going: bool,
    fields: Sequence[str],
) -> int:
    """Convert IN to OUT in another format.

    \b
    Example:  fstmetrics convert lat.1.gz lattices/ --to slf

    IN: a file, a folder or a pattern in quotes, 'lat.*.gz'. OUT: a file (compressed if it ends with .gz), or a folder
    (it ends with a slash), which gets one file per item. What the format of OUT cannot hold is an error that names it;
    with --lossy it is left out.
    """

    def fault(error: FstmetricsError) -> None:
        say(str(error))

    check_paths((source, symbols, weights), target, write_symbols)

    def shown(items: Iterator[Some]) -> Iterator[Some]:
        return ticks(items, "converting", printing=target == "-", size=size_of)

    done = convert_files(
        source, target, format=format, to=to, symbols=symbols, write_symbols=write_symbols, scales=scales,
        alternations=alternations, weights=weights, lossy=lossy, max_arcs=max_arcs,
        frame_length=frame_length, fields=fields, progress=shown, faulty=fault if keep_going else None,
    )  # fmt: skip
    for line in remarks(done):
        tell(line)
    return 1 if done.faults else 0


def remarks(done: Conversion) -> Iterator[str]:
    """What a reader of OUT ought to know."""
    yield from done.remarks
    if done.numbered:
        yield f"the items have no ids; their ids in OUT are {done.numbered}, ..."
    if done.counted and "ids" not in done.lost:
        yield f"the ids only count the items ({done.counted}, ...) and are left out"
    if done.integers:
        yield "labels are integers without a symbol table; give --symbols FILE to store words"
    for what, count in done.lost.items():
        multiplied = ", by which the costs are multiplied" if what.startswith(OWN_SCALES) else ""
        yield f"written without {what}{multiplied} ({count} of {counted(done.items, 'item')})"
    if done.faults:
        yield f"{counted(done.items, 'item')}; {done.faults} left out: not readable, or not written because of an error"
    if done.rounded:
        yield f"rounded: costs, to {done.rounding} ({done.rounded} of {counted(done.items, 'item')})"
    if done.misleading:
        yield f"{done.misleading}: its content may be recognised as another format; read it with --format {done.format}"
