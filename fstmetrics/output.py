"""Files written whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from fstmetrics.errors import FstmetricsError


@contextmanager
def whole_file(path: str) -> Iterator[TextIO]:
    """A text file that appears under its name only when all of it is written; "-" is standard output.

    Raises:
        FstmetricsError: it cannot be written.
    """
    if path == "-":
        yield sys.stdout
        return
    target = Path(path)
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.unfinished")
    try:
        with unfinished.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        unfinished.replace(target)
    except OSError as error:
        raise FstmetricsError(f"{path}: cannot be written: {error.strerror}") from None
    finally:
        unfinished.unlink(missing_ok=True)
