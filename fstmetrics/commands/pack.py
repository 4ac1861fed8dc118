"""The command `pack`, and `pack_files`, the same as a call: lattices in one file of ours."""

from __future__ import annotations

from typing import Any

import click

from fstmetrics.cli.click_options import command, options_of
from fstmetrics.cli.option_tables import Options, PathLike, fields_of_options, path_of, under
from fstmetrics.cli.terminal import tell
from fstmetrics.commands.convert import format_list, heard_of, target_of
from fstmetrics.convert import Conversion
from fstmetrics.convert.files import convert
from fstmetrics.io.formats import FORMAT
from fstmetrics.io.formats.packed_lattices import WRITER as PACKED
from fstmetrics.io.reading import check_paths
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.options import (
    FLAG,
    PATH,
    Option,
)
from fstmetrics.support.output import named_output
from fstmetrics.support.printable import counted

PACKING: Options = under(
    "",
    format=Option(FORMAT, "Format of LATTICES, one of those below. Default: recognised."),
    symbols=Option(PATH, "Symbol table (lines `word integer`): the words of numbers.", metavar="FILE"),
    keep_going=Option(FLAG, "Report lattices that cannot be read, leave them out, and exit with status 1."),
)


def pack_files(lattices: PathLike, output: PathLike, **options: Any) -> Conversion:
    """Write lattices to one file that is read faster than it is searched, as `fstmetrics pack` does.

    Args:
        lattices: a file, a folder or a pattern.
        output: a file, which is read as lattices everywhere.
        options: those of the command: `format`, `symbols`, `keep_going`.

    Returns, raises: as of `convert_files`.
    """
    found = fields_of_options("pack_files", PACKING, options)
    return pack_from(path_of("pack_files", lattices), target_of("pack_files", output), found)


def pack_from(lattices: str, output: str, options: dict[str, Any]) -> Conversion:
    """Packed lattices by the options of `PACKING`; as of `pack_files`."""
    output = named_output(output)
    check_paths((lattices, options["symbols"]), output)
    if output.endswith("/"):
        raise FstmetricsError(f"{output}: packed lattices are one file; give its name without a slash")
    heard = heard_of("packing", output, options.pop("keep_going"))
    return convert(lattices, output, to=PACKED.name, lossy=True, only_lattices=True, **options, **heard)


@command(ending=format_list)
@click.argument("lattices", metavar="LATTICES")
@click.argument("output", metavar="OUT")
@options_of(PACKING)
def pack_command(lattices: str, output: str, **options: Any) -> int:
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
