"""`pack_files`: lattices in one file that is read faster than it is searched."""

from __future__ import annotations

from typing import Any

from fstmetrics.commands.convert import heard_of, target_of
from fstmetrics.commands.option_tables import Options, PathLike, fields_of_options, path_of, under
from fstmetrics.convert import Conversion
from fstmetrics.convert.files import convert
from fstmetrics.io.formats import FORMAT
from fstmetrics.io.formats.packed_lattices import WRITER as PACKED
from fstmetrics.io.reading import check_paths
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.options import FLAG, PATH, Option
from fstmetrics.support.output import named_output

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
