"""How wide the terminal is: `width`."""

from __future__ import annotations

import shutil
import sys


def width() -> int | None:
    """Columns of the terminal that output goes to; None where it goes elsewhere, and lines may be of any length."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
