"""Run rows one after another: `run`."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import fstmetrics as fm
from bench import peers
from bench.inputs import Inputs, Size
from bench.measure import Line, missing
from bench.rows import ROWS, rows_named


def _answered(name: str, inputs: Inputs) -> Iterator[Line]:
    """The lines of a row; where our search refuses or a peer is missing, a line that says so in place of the rest."""
    try:
        yield from ROWS[name].lines(inputs)
    except fm.SearchError as error:
        yield Line(name, "(not measured)", note=f"fstmetrics refused: {error}", refused=True)
    except peers.MissingError as hint:
        yield missing(name, "(not measured)", str(hint))


def run(only: str, size: Size, progress: Callable[[str], None]) -> tuple[list[Line], str]:
    """Lines of the rows whose names contain `only`, or whose group it is, and where the inputs came from."""
    names = rows_named(only)
    if not names:
        raise SystemExit(
            f"no row's name contains {only!r}, and no group is called so; there are {', '.join(ROWS)}"
        )
    lines: list[Line] = []
    with tempfile.TemporaryDirectory(prefix="fstmetrics-bench-") as folder:
        inputs = Inputs(Path(folder), size)
        for name in names:
            progress(f"{name}: {ROWS[name].question}")
            for line in _answered(name, inputs):
                progress(f"  {line.work}, {line.peer}")
                # Goals are about full sizes.
                lines.append(replace(line, goal=None) if inputs.tiny else line)
        return lines, inputs.source()
