"""The command `best`, and `best_files`, the same as a call: the decoder's best word sequences of lattices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import click

from fstmetrics.cli.click_options import FormOfTables, command, options_of
from fstmetrics.cli.option_tables import (
    FORMS_PRINTED,
    REQUEST,
    SCALES,
    Options,
    PathLike,
    fields_of_options,
    path_of,
    under,
)
from fstmetrics.cli.terminal import show_report, tell
from fstmetrics.commands.convert import CONVERTING, FRAMES, heard_of
from fstmetrics.convert import Conversion
from fstmetrics.convert.best_words import DEFAULT, TARGETS, write_best
from fstmetrics.io.reading import check_paths, read_items
from fstmetrics.reports.summary import Part, Table
from fstmetrics.scoring.request import LatticeOptions, fields_of
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import MOST_PATHS
from fstmetrics.support.options import Option, dashed, named, refuse_ending, whole, written_file
from fstmetrics.support.printable import in_full

BEST: Options = {
    **under(
        "Output",
        nbest=Option(
            whole(1, MOST_PATHS),
            "Write the K best different word sequences of every item. In text, those of utt are utt-1, utt-2, ...",
            1, "K",
        ),
        to=Option(
            named("format", TARGETS),
            f"Format of the output. Default: by the ending of FILE, or {DEFAULT}. One of {', '.join(TARGETS)}.",
        ),
        output=Option(
            written_file(),
            "Write to FILE, or to a folder (it ends with a slash), which gets one file per item. Default: standard "
            "output.",
            metavar="FILE",
        ),
        frame_length=Option(
            FRAMES, "Length of a frame, to write ctm where the lattices have frames (Kaldi).", metavar="SECONDS"
        ),
    ),
    **SCALES,
    **under("Input", REQUEST, "format", "symbols", "weights", "fields"),
    **FORMS_PRINTED,
    **under("Long runs", keep_going=CONVERTING["keep_going"]),
}  # fmt: skip


def best_files(lattices: PathLike, output: PathLike, **options: Any) -> Conversion:
    """Write the decoder's best word sequences of the lattices of a file, as `fstmetrics best` does.

    Args:
        lattices: a file, a folder or a pattern of lattices, forests or n-best lists.
        output: a file, or a folder, which ends with a slash and gets one file per item.
        options: those of the command, as of `convert_files`: `nbest=10`, `to="nbest"`, `lm_scale=12`.

    Returns, raises: as of `convert_files`.

    >>> import tempfile, fstmetrics as fm
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "lat.txt").write_text("u\\n0 1 the 1,0,\\n0 1 a 2,0,\\n1\\n\\n")
    >>> fm.best_files(folder / "lat.txt", folder / "best.txt", nbest=5).items
    2
    """
    target = path_of("best_files", output)
    found = fields_of_options("best_files", BEST, {**options, "output": target})
    return best_from(path_of("best_files", lattices), found)


def best_from(lattices: str, options: dict[str, Any]) -> Conversion:
    """The best words by the options of `BEST`; as of `best_files`."""
    scales = fields_of(LatticeOptions, options)
    output = options.pop("output") or "-"
    check_paths((lattices, options["symbols"], options["weights"]), output)
    refuse_ending(output, "words", ".txt", ".ctm", ".trn")
    heard = heard_of("decoding", output, options.pop("keep_going"))
    return write_best(lattices, output, scales=scales, **options, **heard)


class BestWords(NamedTuple):
    """The best word sequences of lattices, as tables have them.

    Attributes:
        rows: of each item and rank the words, and the cost; None where the file has no scores.
        done: as of `best_files`.
    """

    rows: Sequence[dict[str, Any]]
    done: Conversion

    def summary(self) -> dict[str, Any]:
        """What the command prints with `--json`."""
        told = {"items": self.done.items, "faults": self.done.faults, "best": list(self.rows)}
        return told | {"remarks": self.done.lines()}

    def parts(self) -> list[Part]:
        """What the command prints as tables."""
        rows = [("id", "rank", "words", "cost")]
        for row in self.rows:
            cost = "" if row["cost"] is None else in_full(row["cost"])
            rows.append((str(row["id"]), str(row["rank"]), " ".join(row["words"]), cost))
        return [Table(rows, 3), *self.done.lines()]


def best_words(lattices: str, options: dict[str, Any]) -> BestWords:
    """The same as rows.

    Raises:
        FstmetricsError: as of `best_files`, or an option that says how words are written.
    """
    for name in ("output", "to", "frame_length"):
        if options[name] is not None:
            raise FstmetricsError(
                f"{dashed(name)} says how words are written, and a table is printed: leave one out"
            )
    with TemporaryDirectory() as folder:
        path = f"{folder}/best.nbest"
        done = best_from(lattices, {**options, "output": path, "to": "nbest"})
        rows = [
            {
                "id": number if item.id is None else item.id,
                "rank": rank,
                "words": list(words),
                "cost": None if score is None else -score,
            }
            for number, item in enumerate(read_items(path, format="nbest"), 1)
            for rank, (words, score) in enumerate(_entries(item.value), 1)
        ]
    return BestWords(rows, done)


def _entries(found: Any) -> Iterator[tuple[Sequence[str], float | None]]:
    scores = found.scores or (None,) * len(found.entries)
    return zip(found.entries, scores, strict=True)


@command(usual=("--nbest", "--to", "--symbols", "--lm-scale", "--word-penalty", "--output"))
@click.argument("lattices", metavar="LATTICES")
@options_of(BEST)
def best_command(lattices: str, form: FormOfTables, **options: Any) -> int:
    """Write the decoder's best word sequences of lattices, forests or n-best lists.

    \b
    Example:  fstmetrics best lat.1.gz --symbols words.txt --lm-scale 12
              fstmetrics best lattices/ --nbest 10 --to nbest

    LATTICES: a file, a folder or a pattern in quotes, 'lat.*.gz'. The best path is the one of least weighted cost, the
    1-best of oracle. Nothing is pruned; the K best are different word sequences, found by costs to 2^-24. N-best lists
    stay in their own order, unless --lm-scale or --word-penalty orders them by their scores.
    """
    if form:
        found = best_words(lattices, options)
        show_report(found.parts(), found.summary, form)
        return 1 if found.done.faults else 0
    done = best_from(lattices, options)
    tell(*done.lines())
    return 1 if done.faults else 0
