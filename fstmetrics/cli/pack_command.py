"""`fstmetrics pack`."""

from __future__ import annotations

from collections.abc import Iterator

import click

from fstmetrics.cli.convert_command import remarks
from fstmetrics.cli.option_types import FORMAT, Output
from fstmetrics.cli.options import command, format_list
from fstmetrics.cli.terminal import say, tell, ticks
from fstmetrics.convert import convert
from fstmetrics.convert.files import Some, size_of
from fstmetrics.readers.formats.packed_lattices import WRITER
from fstmetrics.readers.reading import check_paths
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.printable import counted


@command(ending=format_list)
@click.argument("lattices", metavar="LATTICES")
@click.argument("output", metavar="OUT", type=Output())
@click.option("--format", type=FORMAT, help="Format of LATTICES, one of those below. Default: recognised.")
@click.option("--symbols", metavar="FILE", help="Symbol table (lines `word integer`): the words of numbers.")
@click.option(
    "--keep-going",
    is_flag=True,
    help="Report lattices that cannot be read, leave them out, and exit with status 1.",
)
def pack(lattices: str, output: str, format: str | None, symbols: str | None, keep_going: bool) -> int:
    """Write lattices to one file that is read faster than it is searched.

    \b
    Example:  fstmetrics pack lat.1.gz lattices.packed --symbols words.txt
              fstmetrics oracle ref.txt lattices.packed

    LATTICES: a file or a folder. OUT: a file, which every command reads as lattices. It keeps states, arcs, words, both
    costs, scales and times as they were read, and is an Arrow file with checksums.
    """

    def fault(error: FstmetricsError) -> None:
        say(str(error))

    def shown(items: Iterator[Some]) -> Iterator[Some]:
        return ticks(items, "packing", printing=output == "-", size=size_of)

    check_paths((lattices, symbols), output)
    if output.endswith("/"):
        raise FstmetricsError(f"{output}: packed lattices are one file; give its name without a slash")
    done = convert(
        lattices, output, format=format, to=WRITER.name, symbols=symbols, lossy=True, only_lattices=True,
        progress=shown, faulty=fault if keep_going else None,
    )  # fmt: skip
    if output != "-" and not done.faults:
        tell(f"{output}: {counted(done.items, 'lattice')}")
    for line in remarks(done):
        tell(line)
    return 1 if done.faults else 0
