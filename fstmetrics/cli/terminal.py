"""How wide the terminal is: `width`; coloured rows: `console`."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def width() -> int | None:
    """Columns of the terminal that output goes to; None where it goes elsewhere, and lines may be of any length."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def console() -> Console:
    """What prints alignments on standard output: in colour on a terminal, as plain text elsewhere."""
    from rich.console import Console

    class Output(Console):
        def on_broken_pipe(self) -> None:
            """Leave a reader that has gone to `main`, as everywhere else."""
            raise BrokenPipeError

    return Output(highlight=False, markup=False, emoji=False, soft_wrap=True)
