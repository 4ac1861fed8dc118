"""Whole commands on tables of a million rows, against the same texts as lines: CPU time, and the peak of memory."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench import generate
from bench.inputs import Inputs
from bench.measure import Line, agree, cost_line
from bench.processes import cpu_of_process, environment
from bench.rows.texts import LETTERS

REPEATS = 3
# The peak of a child's memory, in KiB.
PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
GOAL_MB, GOAL_TIMES = 100, 5.0


def tables(inputs: Inputs) -> Iterator[Line]:
    """`fstmetrics score` of manifests and tables."""
    rows = 1000 if inputs.tiny else 1_000_000
    lines, ways = _written(inputs.folder, rows)
    base = [_cpu(lines) for _ in range(REPEATS)]
    edits = _edits(lines)
    for way, arguments in ways.items():
        work = f"fstmetrics score, {rows:,} rows, {way}"
        agree(work, _edits(arguments), edits, "lines")
        is_plain = not any(argument.startswith("--") for argument in arguments)
        peer = "the same texts as lines" + ("" if is_plain else ", without the option")
        times = [_cpu(arguments) for _ in range(REPEATS)]
        yield cost_line(work, peer, times, base, GOAL_TIMES if is_plain else None)
        command = [sys.executable, "-m", "fstmetrics", "score", *arguments]
        said = subprocess.check_output([sys.executable, "-c", PEAK, *command], env=environment())
        peak = int(said) * 1024 / 1e6
        yield Line(work, "peak of memory", value=peak, goal=GOAL_MB, sense="at most", unit="MB", note="MB")


def _cpu(arguments: Sequence[str]) -> float:
    return cpu_of_process(sys.executable, "-m", "fstmetrics", "score", *arguments)


def _edits(arguments: Sequence[str]) -> int:
    command = [sys.executable, "-m", "fstmetrics", "score", *arguments, "--json"]
    return int(json.loads(subprocess.check_output(command))["edits"])


def _written(folder: Path, rows: int) -> tuple[Sequence[str], dict[str, Sequence[str]]]:
    """Arguments of `score`: the lines, and the tables by what they are called."""
    sides = generate.string_pairs(3, min(rows, 20_000), 12, 0.1)
    references, hypotheses = ([text.translate(LETTERS) for text in texts] for texts in sides)
    paths = {
        name: folder / f"rows.{name}"
        for name in ("ref.txt", "hyp.txt", "ref.jsonl", "hyp.jsonl", "csv", "tsv")
    }
    streams = {name: path.open("w", encoding="utf-8") for name, path in paths.items()}
    for name, delimiter in (("csv", ","), ("tsv", "\t")):
        streams[name].write(delimiter.join(["path", "duration", "speaker", "text", "pred_text"]) + "\n")
    for number in range(rows):
        reference, hypothesis = references[number % len(references)], hypotheses[number % len(references)]
        own = {
            "audio_filepath": f"/data/{number:07}.wav",
            "duration": number % 997 / 50,
            "speaker": f"s{number % 50}",
        }
        streams["ref.txt"].write(reference + "\n")
        streams["hyp.txt"].write(hypothesis + "\n")
        streams["ref.jsonl"].write(json.dumps({**own, "text": reference}) + "\n")
        streams["hyp.jsonl"].write(json.dumps({**own, "pred_text": hypothesis}) + "\n")
        for name, delimiter in (("csv", ","), ("tsv", "\t")):
            streams[name].write(delimiter.join([*map(str, own.values()), reference, hypothesis]) + "\n")
    for stream in streams.values():
        stream.close()
    of = {name: str(path) for name, path in paths.items()}
    manifests = (of["ref.jsonl"], of["hyp.jsonl"])
    return (of["ref.txt"], of["hyp.txt"]), {
        "two manifests in JSON Lines": manifests,
        "the same, --by speaker": (*manifests, "--by", "speaker"),
        "the same, --output": (*manifests, "--output", str(folder / "rows.records.jsonl")),
        "CSV of both sides": (of["csv"],),
        "TSV of both sides": (of["tsv"],),
    }
