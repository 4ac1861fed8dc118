"""The command `convert`, and `convert_files`, the same as a call: files of one format to files of another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from fstmetrics.cli.click_options import command, options_of
from fstmetrics.cli.option_tables import REQUEST, Options, PathLike, fields_of_options, path_of, under
from fstmetrics.cli.terminal import tell
from fstmetrics.convert import Conversion
from fstmetrics.convert.files import WRITERS, convert
from fstmetrics.data.lattice import Scales
from fstmetrics.data.transcripts import NOTATIONS
from fstmetrics.io import FORMATS
from fstmetrics.io.blocks import Block
from fstmetrics.io.formats import FORMAT
from fstmetrics.io.reading import check_paths
from fstmetrics.networks.automata import MAX_ARCS
from fstmetrics.reports.summary import table_lines
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.options import (
    ARCS,
    FLAG,
    PATH,
    Kind,
    Option,
    finite,
    named,
    one_of,
    real,
    several,
    text,
    written_file,
)
from fstmetrics.support.output import named_output
from fstmetrics.support.progress import listener, ticks

FACTORS = {"lm": "lm", "acoustic": "acoustic", "word-penalty": "word_penalty"}


def _scales(given: Any) -> Scales | None:
    """The scales of `lm=12,acoustic=1,word-penalty=0.5`; those that are not named are 1, 1 and 0."""
    if isinstance(given, Scales):
        return given
    if isinstance(given, Mapping):
        given = [f"{text(name).replace('_', '-')}={value}" for name, value in given.items()]
    values, found = several(given, text), dict[str, float]()
    for part in ",".join(values).split(",") if values else ():
        name, equals, value = part.partition("=")
        if not equals or name not in FACTORS:
            raise ValueError(f"expected lm=, acoustic= or word-penalty= and a number, not {part!r}")
        factor = finite(value)
        if factor is None:
            raise ValueError(f"expected a finite number for {name}, not {value!r}")
        found[FACTORS[name]] = factor
    return Scales(**found) if values else None


FRAMES = real(0, 1e9, without_least=True)
CONVERTING: Options = {
    **under(
        "",
        format=Option(FORMAT, "Format of IN, one of those below. Default: recognised."),
        to=Option(
            named("format", WRITERS), f"Format of OUT. Default: by its ending. One of {', '.join(WRITERS)}."
        ),
        symbols=Option(
            PATH,
            "Symbol table (lines `word integer`): the words of numbers in IN, the numbers of words in OUT.",
            metavar="FILE",
        ),
        write_symbols=Option(
            written_file(), "Write numbers for words, and their symbol table to FILE.", metavar="FILE"
        ),
        scale=Option(
            Kind(_scales, repeated=True),
            "Multiply the costs, and add them up where OUT has one cost per arc.",
            metavar="lm=..,acoustic=..,word-penalty=..", field="scales",
        ),
        alternations=Option(
            one_of(*NOTATIONS), "How plain and Kaldi text write choices; fstmetrics score --help explains them."
        ),
        weights=Option(
            PATH, "Feature weights (lines `name value`) of hypergraphs and lattices.", metavar="FILE"
        ),
        max_arcs=Option(ARCS, "Largest size of an expanded network.", MAX_ARCS),
        frame_length=Option(
            FRAMES, "Length of a frame, to write times in seconds (SLF) where IN has frames.", metavar="SECONDS"
        ),
    ),
    **under("Input", REQUEST, "fields"),
    **under(
        "",
        lossy=Option(FLAG, "Leave out what the format of OUT cannot hold, and say what."),
        keep_going=Option(
            FLAG, "Report items that cannot be read or written, leave them out, and exit with status 1."
        ),
    ),
}  # fmt: skip


def convert_files(source: PathLike, target: PathLike, **options: Any) -> Conversion:
    """Write what is in a file or folder in another format, as `fstmetrics convert` does.

    Args:
        source: a file, a folder, or a pattern such as "lat.*.gz".
        target: a file, or a folder, which ends with a slash and gets one file per item.
        options: those of the command, with `_` for `-`, as of `score_files`: `to="slf"`, `lossy=True`,
            `scale={"lm": 12}`.

    Returns:
        What was done, and what was left out; its `lines()` are what the command prints.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses; nothing is written then.

    >>> import tempfile, fstmetrics as fm
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "hyp.txt").write_text("the cat\\n")
    >>> fm.convert_files(folder / "hyp.txt", folder / "hyp.trn").lines()
    ['the items have no ids; their ids in OUT are hyp-000001, ...']
    """
    found = fields_of_options("convert_files", CONVERTING, options)
    return convert_from(path_of("convert_files", source), target_of("convert_files", target), found)


def target_of(function: str, given: PathLike) -> str:
    """What is written.

    Raises:
        FstmetricsError: it is no path, or standard output.
    """
    found = named_output(path_of(function, given))
    if found == "-":
        raise FstmetricsError(f"{function}() writes a file; what is printed is printed by the command only")
    return found


def convert_from(source: str, target: str, options: dict[str, Any]) -> Conversion:
    """A conversion by the options of `CONVERTING`; as of `convert_files`."""
    target = named_output(target)
    check_paths((source, options["symbols"], options["weights"]), target, options["write_symbols"])
    heard = heard_of("converting", target, options.pop("keep_going"))
    options["scales"] = options["scales"] or None
    return convert(source, target, **options, **heard)


def heard_of(title: str, output: str, keep_going: bool) -> dict[str, Any]:
    """Who hears of items, and of faults where the run keeps going."""

    def progress(blocks: Iterator[Block]) -> Iterator[Block]:
        return ticks(blocks, title, printing=output == "-", size=len)

    def faulty(error: FstmetricsError) -> None:
        listener.get().say(str(error))

    return {"progress": progress, "faulty": faulty if keep_going else None}


def format_list() -> str:
    """The end of the help page of `convert`: each format that is read, and what it is."""
    rows = [("--format", "what it is")]
    rows += [(name, format.description) for name, format in FORMATS.items()]
    return "\b\n" + "\n".join(table_lines(rows, 2))


@command(usual=("--format", "--to", "--lossy", "--scale", "--keep-going"), ending=format_list)
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@options_of(CONVERTING)
def convert_command(source: str, target: str, **options: Any) -> int:
    """Convert IN to OUT in another format.

    \b
    Example:  fstmetrics convert lat.1.gz lattices/ --to slf

    IN: a file, a folder or a pattern in quotes, 'lat.*.gz'. OUT: a file (compressed if it ends with .gz), or a folder
    (it ends with a slash), which gets one file per item. What the format of OUT cannot hold is an error that names it;
    with --lossy it is left out.
    """
    done = convert_from(source, target, options)
    tell(*done.lines())
    return 1 if done.faults else 0
