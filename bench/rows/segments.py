"""Documents cut into segments: whole commands, against mweralign and OmniSTEval, and the peak of memory."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.inputs import Inputs
from bench.measure import Line, agree, missing, ratio_line
from bench.processes import cpu_of_process, environment
from bench.rows.tables import PEAK

GOAL_SECONDS, GOAL_MB = 10.0, 500.0
# OmniSTEval fills a table of Python's, mweralign one of its own: so many words take them seconds.
LONG, OF_MWERALIGN, OF_OMNISTEVAL = 100_000, 10_000, 1500
OMNISTEVAL = "OmniSTEval, soft"


def segments(inputs: Inputs) -> Iterator[Line]:
    """`fstmetrics segment` of one document, 20 words a segment, three words of ten wrong."""
    sizes = (400, 300, 200) if inputs.tiny else (LONG, OF_MWERALIGN, OF_OMNISTEVAL)
    long, shorter, shortest = (_written(inputs.folder, size) for size in sizes)
    work = f"segment, {sizes[0]:,} words"
    goals = (None, None) if inputs.tiny else (GOAL_SECONDS, GOAL_MB)
    seconds = cpu_of_process(*_ours(long)) / 1000
    yield Line(work, "CPU time", value=seconds, goal=goals[0], sense="at most", unit="s", note="s")
    peak = int(subprocess.check_output([sys.executable, "-c", PEAK, *_ours(long)], env=environment()))
    yield Line(
        work, "peak of memory", value=peak * 1024 / 1e6, goal=goals[1], sense="at most", unit="MB", note="MB"
    )
    yield _mweralign(f"segment, {sizes[1]:,} words", shorter)
    yield _omnisteval(f"segment, {sizes[2]:,} words", shortest)


def _ours(folder: Path) -> list[str]:
    paths = [str(folder / name) for name in ("ref.txt", "hyp.txt", "ours.txt")]
    return [sys.executable, "-m", "fstmetrics", "segment", *paths[:2], "-o", paths[2]]


def _mweralign(work: str, folder: Path) -> Line:
    if (program := shutil.which("mweralign")) is None:
        return missing(work, "mweralign", "needs mweralign: pip install mweralign")
    given = ["-r", "ref.txt", "-t", "hyp.txt", "-m", "none", "-o", "theirs.txt"]
    theirs = _cpu_in(folder, [program, *given])
    ours = cpu_of_process(*_ours(folder))
    agree(f"edits of {work}", _edits(folder, "ours.txt"), _edits(folder, "theirs.txt"), "mweralign")
    return ratio_line(work, "mweralign -m none", [ours], [theirs])


def _omnisteval(work: str, folder: Path) -> Line:
    """Its criterion is another one: only the times are compared."""
    if (program := shutil.which("omnisteval")) is None:
        return missing(work, OMNISTEVAL, "needs OmniSTEval: pip install omnisteval")
    count = len((folder / "ref.txt").read_text().splitlines())
    (folder / "docs.txt").write_text("".join(f"docid=0,segid={n}\n" for n in range(count)))
    given = [
        "longform", "--text_segmentation", "docs.txt", "--ref_sentences_file", "ref.txt", "--hypothesis_file",
        "hyp.txt", "--hypothesis_format", "text", "--lang", "en", "--word_level", "--no_quality", "--no_latency",
        "--output_folder", "theirs",
    ]  # fmt: skip
    theirs = _cpu_in(folder, [program, *given])
    return ratio_line(work, OMNISTEVAL, [cpu_of_process(*_ours(folder))], [theirs])


def _cpu_in(folder: Path, command: Sequence[str]) -> float:
    call = "import os, subprocess, sys; os.chdir(sys.argv[1]); sys.exit(subprocess.call(sys.argv[2:]))"
    return cpu_of_process(sys.executable, "-c", call, str(folder), *command)


def _edits(folder: Path, name: str) -> int:
    paths = [str(folder / "ref.txt"), str(folder / name)]
    command = [
        sys.executable,
        "-m",
        "fstmetrics",
        "score",
        *paths,
        "--format",
        "plain",
        "--ref-format",
        "plain",
        "--json",
    ]
    return int(json.loads(subprocess.check_output(command))["edits"])


def _written(folder: Path, words: int) -> Path:
    """References and a document of so many words; the first word is right, so that mweralign may find the best cuts."""
    rng = random.Random(words)

    def drawn() -> str:
        return f"w{int(20_000 ** rng.random())}"

    said = [drawn() for _ in range(words)]
    heard = [said[0]]
    for word in said[1:]:
        chance = rng.random()
        kept = [] if chance < 0.1 else [drawn()] if chance < 0.2 else [word]
        heard += [*kept, *([drawn()] if 0.2 <= chance < 0.3 else [])]
    home = folder / f"segments-{words}"
    home.mkdir(exist_ok=True)
    lines = (" ".join(said[at : at + 20]) for at in range(0, words, 20))
    (home / "ref.txt").write_text("".join(f"{line}\n" for line in lines))
    (home / "hyp.txt").write_text(" ".join(heard) + "\n")
    return home
