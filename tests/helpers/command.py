"""The command line for tests: `fstmetrics(...)` in this process, `started(...)` in one of its own; records checked."""

from __future__ import annotations

import contextlib
import io
import json
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from inspect import signature
from pathlib import Path
from typing import Any
from unittest import mock

import click

from fstmetrics.cli import main

EXAMPLES = Path(str(files("fstmetrics") / "examples"))
ORACLE = (str(EXAMPLES / "oracle" / "ref.txt"), str(EXAMPLES / "oracle" / "lattices"))
HYTER = (str(EXAMPLES / "hyter" / "networks"), str(EXAMPLES / "hyter" / "hyp.txt"))

COUNTS = ("edits", "matches", "substitutions", "insertions", "deletions", "moves", "path_length")
FIELDS = {"id", "metric", "score", *COUNTS, "hypothesis", "closest", "gain", "max_gain"}
BRIEF = {"score", *COUNTS, "gain", "max_gain"}
ORACLE_FIELDS = {"arcs", "density", "one_best", "reference_digest"}


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def summary(self) -> dict[str, Any]:
        """The one JSON object on standard output."""
        assert self.status == 0, self.err
        assert self.out.count("\n") == 1
        found: dict[str, Any] = json.loads(self.out)
        return found

    @property
    def records(self) -> list[dict[str, Any]]:
        """The JSON lines on standard output."""
        assert self.status == 0, self.err
        return [json.loads(line) for line in self.out.splitlines()]


class Terminal(io.BytesIO):
    """Bytes that say that they are a terminal."""

    def isatty(self) -> bool:
        return True


def called(function: Callable[..., Any], *paths: object, **options: Any) -> Any:
    """A call of Python whose paths are in the order of the command, though it takes its sides by name."""
    known = signature(function).parameters.values()
    names = [each.name for each in known if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]
    return function(**dict(zip(names, paths, strict=False)), **options)


def fstmetrics(*arguments: object, stdin: bytes = b"", terminal: bool = False) -> Outcome:
    """Run a command in this process, by the same function as the installed script; its output on a terminal, or not."""
    kinds = (io.BytesIO, *(2 * (Terminal if terminal else io.BytesIO,)))
    streams = [
        io.TextIOWrapper(kind(data), encoding="utf-8")
        for kind, data in zip(kinds, (stdin, b"", b""), strict=True)
    ]
    handler = signal.getsignal(signal.SIGTERM)
    status: Any = 0
    with (
        mock.patch.object(sys, "argv", ["fstmetrics", *map(str, arguments)]),
        mock.patch.object(sys, "stdin", streams[0]),
        contextlib.redirect_stdout(streams[1]),
        contextlib.redirect_stderr(streams[2]),
    ):
        try:
            main()
        except SystemExit as stop:
            status = stop.code
        finally:
            signal.signal(signal.SIGTERM, handler)
    texts = []
    for stream in streams[1:]:
        stream.flush()
        texts.append(stream.buffer.getvalue().decode(errors="surrogateescape"))  # type: ignore[attr-defined]
    return Outcome(int(status or 0), *texts)


def started(
    *arguments: object, program: tuple[str, str] = ("-m", "fstmetrics"), **options: Any
) -> subprocess.Popen[bytes]:
    """Start a command in a process of its own; it hears signals, as conftest.py sees to."""
    return subprocess.Popen([sys.executable, *program, *map(str, arguments)], **options)


def written(path: Path, text: str | bytes) -> Path:
    """A file with this content."""
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def check_record(record: dict[str, Any], metric: str, further: set[str] = frozenset()) -> None:  # type: ignore[assignment]
    """Fields, types, and that they fit one another."""
    assert set(record) - {"signature"} == FIELDS | further
    assert record["metric"] == metric
    assert record["id"] is None or isinstance(record["id"], str)
    assert record["score"] is None or isinstance(record["score"], float)
    assert all(type(record[name]) is int and record[name] >= 0 for name in COUNTS)
    assert record["edits"] == record["substitutions"] + record["insertions"] + record["deletions"]
    assert record["path_length"] == record["matches"] + record["substitutions"] + record["deletions"]
    for side, missing in (("hypothesis", "deletions"), ("closest", "insertions")):
        assert all(isinstance(word, str) for word in record[side])
        total = record["matches"] + record["edits"] - record[missing]
        assert len(record[side]) == total
    _check_gain(record, metric)
    if "alignment" in further:
        _check_alignment(record)


def _check_gain(record: dict[str, Any], metric: str) -> None:
    if metric not in ("wrr", "grr"):
        assert record["gain"] is record["max_gain"] is None
        return
    assert type(record["max_gain"]) is int
    assert isinstance(record["gain"], int | float)
    if record["max_gain"]:
        assert abs(record["score"] - record["gain"] / record["max_gain"]) < 1e-12


def _check_alignment(record: dict[str, Any]) -> None:
    pairs = record["alignment"]
    assert [hyp for _, hyp, _ in pairs if hyp is not None] == record["hypothesis"]
    assert [ref for _, _, ref in pairs if ref is not None] == record["closest"]
    for op, hyp, ref in pairs:
        assert op == ("I" if ref is None else "D" if hyp is None else "=" if hyp == ref else "S")


def all_params(command: click.Command) -> list[click.Parameter]:
    """The parameters of a command, those of metrics too, without --help."""
    return command.get_params(click.Context(command, help_option_names=[]))


def with_options(arguments: Sequence[str], options: Sequence[str]) -> list[str]:
    """Arguments with these options, which take the place of those of the same names; `--ref` may be given again.

    >>> with_options(["ref", "--metric", "wer", "--json"], ["--metric", "cer", "--lowercase"])
    ['ref', '--json', '--metric', 'cer', '--lowercase']
    """
    found, parts = [], list(arguments)
    while parts:
        part = parts.pop(0)
        if not part.startswith("--") or part == "--ref" or part not in options:
            found.append(part)
        elif parts and not parts[0].startswith("--"):
            parts.pop(0)
    return [*found, *options]
