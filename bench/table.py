"""The report: a table for people, JSON for programs."""

from __future__ import annotations

import dataclasses
import json
import os
import platform
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from rich.console import Console
from rich.table import Table

import fstmetrics as fm
from bench.measure import Line, Use

PACKAGES = ("numpy", "jiwer", "rapidfuzz", "kaldialign", "sacrebleu", "pynini", "kaldifst")
REACHED = {True: "[green]yes[/]", False: "[red]no[/]", None: ""}


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def cells(line: Line) -> list[str]:
    """A line as the table's columns."""
    goal = "" if line.goal is None else f"{'>=' if line.sense == 'at least' else '<='} {line.goal:g}"
    states = " / ".join(_number(x) for x in (line.explored, line.their_explored) if x is not None)
    return [
        line.work, line.peer, _number(line.ours), _number(line.theirs), _number(line.value), _number(line.worst),
        goal, REACHED[line.reached], states, line.note,
    ]  # fmt: skip


COLUMNS = [
    "work",
    "against",
    "ours, ms",
    "theirs, ms",
    "ratio",
    "worst",
    "goal",
    "reached",
    "explored",
    "note",
]


def show(lines: Iterable[Line]) -> None:
    """The table on standard output, as wide as it needs to be where that is not a terminal."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=220)
    table = Table(*COLUMNS, title=machine())
    for line in lines:
        table.add_row(*cells(line))
    console.print(table)


def markdown(lines: Iterable[Line]) -> str:
    """The tables as bench/README.md has them: of whole commands, if there are any, and of all other lines."""
    lines = list(lines)
    commands = [line for line in lines if line.our_use is not None]
    tables = [_commands(commands)] if commands else []
    others = [line for line in lines if line.our_use is None]
    if others:
        tables.append(_others(others))
    return "\n".join(tables)


def _commands(lines: Sequence[Line]) -> str:
    """A row a command, ours before those of others."""
    rows = [["question", "command", "seconds", "CPU seconds", "MB", "CPU, ours 1", "what it leaves out"]]
    asked = ""
    for line in lines:
        first, asked = line.work != asked, line.work
        if first:
            rows.append([f"**{line.work}**", f"`{line.ours_is}`", *_used(line.our_use), "1", ""])
        ratio = "" if line.value is None else f"{line.value:.2g}"
        rows.append(["", f"`{line.peer}`", *_used(line.their_use), ratio, line.leaves_out])
    return _table(rows)


def _used(use: Use | None) -> list[str]:
    return ["", "", ""] if use is None else [f"{use.wall:.2g}", f"{use.cpu:.2g}", f"{use.peak:,.0f}"]


def _others(lines: Sequence[Line]) -> str:
    rows = [["work", "peer", "ours", "theirs", "ratio", "worst", "goal", "reached"]]
    for line in lines:
        goal = "" if line.goal is None else f"{line.sense} {line.goal:g}"
        numbers = [_number(value) for value in (line.ours, line.theirs, line.value, line.worst)]
        reached = {True: "yes", False: "no", None: ""}[line.reached]
        rows.append([line.work, line.peer, *numbers, goal, reached])
    return _table(rows)


def _table(rows: Sequence[Sequence[str]]) -> str:
    head, *others = [f"| {' | '.join(row)} |\n" for row in rows]
    return "".join([head, f"{'|---' * len(rows[0])}|\n", *others])


def machine() -> str:
    """Date, machine and versions."""
    versions = [f"fstmetrics {fm.__version__}", f"Python {platform.python_version()}"]
    for name in PACKAGES:
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    return f"{datetime.now(UTC):%Y-%m-%d}, {_processor()}, {os.cpu_count()} cores; " + ", ".join(versions)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def write(path: Path, lines: Iterable[Line], size: str, source: str) -> None:
    """Everything measured, as JSON."""
    records = [{**dataclasses.asdict(line), "reached": line.reached} for line in lines]
    report = {"machine": machine(), "size": size, "inputs": source, "lines": records}
    path.write_text(json.dumps(report, indent=1) + "\n")
