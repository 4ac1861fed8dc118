"""Paths that cannot be used are refused before anything is read: `check_paths`, `check_run_paths`."""

from __future__ import annotations

import os
from collections.abc import Iterable

from fstmetrics.readers.reading import resolve
from fstmetrics.runs import on_request
from fstmetrics.runs.journal import files_of_run
from fstmetrics.runs.request import Request
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.file_sets import files_of, is_several
from fstmetrics.support.output import is_plain, refuse_overwriting


def check_paths(inputs: Iterable[str | None], *outputs: str | None) -> None:
    """Raise an FstmetricsError for inputs that cannot be read together, or an output that is one of them, or another.

    Args:
        inputs: paths or Kaldi's specifiers; None for what was not given.
        outputs: paths, likewise.
    """
    given = [path for path in inputs if path is not None]
    if "" in given or "" in outputs:
        raise FstmetricsError("a file's name is empty")
    files = [resolve(path, None)[0] for path in given]
    if files.count("-") > 1:
        raise FstmetricsError("standard input (-) can be read only once")
    several = [file for file in files if is_several(file) and not os.path.isdir(file)]
    refuse_overwriting(outputs, [*files, *(str(file) for path in several for file in files_of(path))])


def check_run_paths(request: Request, paths: Iterable[str]) -> None:
    """Likewise for the inputs of a run, and the files that it writes."""
    inputs = [*paths, *request.beside]
    outputs: tuple[str, ...] = ()
    if request.output and is_plain(request.output):
        outputs = (request.output, *files_of_run(request.output)[1:])
        outputs += (on_request.shard_path(request.output),) if request.shard else ()
    check_paths(inputs, *outputs)
