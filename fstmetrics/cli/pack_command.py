"""`fstmetrics pack`."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.click_options import command, options_of
from fstmetrics.cli.terminal import tell
from fstmetrics.commands.convert import PACKING, format_list, pack_from
from fstmetrics.support.output import named_output
from fstmetrics.support.printable import counted


@command(ending=format_list)
@click.argument("lattices", metavar="LATTICES")
@click.argument("output", metavar="OUT")
@options_of(PACKING)
def pack(lattices: str, output: str, **options: Any) -> int:
    """Write lattices to one file that is read faster than it is searched.

    \b
    Example:  fstmetrics pack lat.1.gz lattices.packed --symbols words.txt
              fstmetrics oracle ref.txt lattices.packed

    LATTICES: a file or a folder. OUT: a file, which every command reads as lattices. It keeps states, arcs, words, both
    costs, scales and times as they were read, and is an Arrow file with checksums.
    """
    done = pack_from(lattices, output, options)
    if named_output(output) != "-" and not done.faults:
        tell(f"{output}: {counted(done.items, 'lattice')}")
    tell(*done.lines())
    return 1 if done.faults else 0
