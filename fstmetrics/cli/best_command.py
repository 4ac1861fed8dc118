"""`fstmetrics best`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from fstmetrics.cli.convert_command import remarks
from fstmetrics.cli.option_types import FormatName, Output, Real, Whole
from fstmetrics.cli.options import command, fields_option, group, option, options_of, scale_options
from fstmetrics.cli.terminal import say, tell, ticks
from fstmetrics.commands.options import HYPOTHESES
from fstmetrics.convert.best_words import DEFAULT, TARGETS, write_best
from fstmetrics.convert.files import Some, size_of
from fstmetrics.readers.reading import check_paths
from fstmetrics.runs.option_values import refuse_ending
from fstmetrics.runs.request import LatticeOptions, fields_of
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import MOST_PATHS


@command(usual=("--nbest", "--to", "--symbols", "--lm-scale", "--word-penalty", "--output"))
@click.argument("lattices", metavar="LATTICES")
@group(
    "Output",
    option(
        "--nbest",
        type=Whole(1, MOST_PATHS),
        default=1,
        show_default=True,
        metavar="K",
        help="Write the K best different word sequences of every item. In text, those of utt are utt-1, utt-2, ...",
    ),
    option(
        "--to",
        type=FormatName(TARGETS),
        metavar="FORMAT",
        help=f"Format of the output. Default: by the ending of FILE, or {DEFAULT}. One of {', '.join(TARGETS)}.",
    ),
    option(
        "--output",
        type=Output(),
        default="-",
        metavar="FILE",
        help="Write to FILE, or to a folder (it ends with a slash), which gets one file per item. Default: standard "
        "output.",
    ),
    option(
        "--frame-length",
        type=Real(0, 1e9, without_least=True),
        metavar="SECONDS",
        help="Length of a frame, to write ctm where the lattices have frames (Kaldi).",
    ),
)
@scale_options
@options_of(HYPOTHESES)
@fields_option
@group(
    "Long runs",
    option("--keep-going", is_flag=True,
           help="Report items that cannot be read or written, leave them out, and exit with status 1."),
)  # fmt: skip
def best(
    lattices: str, nbest: int, to: str | None, output: str, frame_length: float | None, keep_going: bool,
    **options: Any,
) -> int:  # fmt: skip
    """Write the decoder's best word sequences of lattices, forests or n-best lists.

    \b
    Example:  fstmetrics best lat.1.gz --symbols words.txt --lm-scale 12
              fstmetrics best lattices/ --nbest 10 --to nbest

    LATTICES: a file, a folder or a pattern in quotes, 'lat.*.gz'. The best path is the one of least weighted cost, the
    1-best of oracle. Costs are not rounded or pruned, and the K best are different word sequences.
    """

    def fault(error: FstmetricsError) -> None:
        say(str(error))

    def shown(items: Iterator[Some]) -> Iterator[Some]:
        return ticks(items, "decoding", printing=output == "-", size=size_of)

    scales = fields_of(LatticeOptions, options)
    format, symbols, weights = options["format"], options["symbols"], options["weights"]
    fields = options["fields"]
    check_paths((lattices, symbols, weights), output)
    refuse_ending(output, "words", ".txt", ".ctm", ".trn")
    done = write_best(
        lattices, output, nbest=nbest, to=to, scales=scales, format=format, symbols=symbols, weights=weights,
        fields=fields, frame_length=frame_length, progress=shown, faulty=fault if keep_going else None,
    )  # fmt: skip
    for line in remarks(done):
        tell(line)
    return 1 if done.faults else 0
