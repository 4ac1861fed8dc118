"""Commands on Ray and Spark against the same commands on this machine with as many threads."""

from __future__ import annotations

import contextlib
import gc
import io
import random
import time
from collections.abc import Iterator
from pathlib import Path

import fstmetrics as fm
from bench import probe
from bench.inputs import Inputs
from bench.measure import Line, agree, cost_line, missing
from fstmetrics.batches.dispatch import engine_of
from fstmetrics.cli import cli
from fstmetrics.io.formats import packed_lattices
from fstmetrics.io.items import Item
from fstmetrics.io.writing import WriteOptions
from fstmetrics.support.errors import FstmetricsError

WORKERS = 2
REPEATS = 3
GOAL = 1.5
PAIRS, LATTICES, ARCS, LATTICE_WORDS = 1_000_000, 100_000, 100, 10
INSTALL = {"ray": "pip install 'fstmetrics[ray]'", "spark": "pip install 'fstmetrics[spark]', and Java 17"}


def engines(inputs: Inputs) -> Iterator[Line]:
    """Start-up, then whole commands in a process that has an engine; wall time, the median of three."""
    runs = [] if inputs.tiny else [_pairs(inputs), _lattices(inputs)]
    for name in INSTALL:
        work = f"{name}, {WORKERS} workers"
        if inputs.tiny:
            yield missing(work, "(not measured)", "not with --size tiny")
            continue
        begin = time.perf_counter()
        try:
            engine = engine_of(name, WORKERS)
            next(iter(engine.map(list, [[]])))
        except FstmetricsError:
            yield missing(work, "(not measured)", INSTALL[name])
            continue
        with contextlib.closing(engine):
            yield Line(f"{work}, start-up", "", (time.perf_counter() - begin) * 1e3)
            for what, arguments in runs:
                here, there = inputs.folder / "here.jsonl", inputs.folder / "there.jsonl"
                _run(arguments, "local", here)
                _run(arguments, name, there)
                agree(what, 1, here.read_bytes() == there.read_bytes(), name)
                local, other = [], []
                for _ in range(REPEATS):
                    local.append(_run(arguments, "local", here))
                    other.append(_run(arguments, name, there))
                middle = REPEATS // 2
                yield cost_line(
                    f"{what}, on {name}", f"{WORKERS} threads (ratio: {name} / local)",
                    [sorted(other)[middle]], [sorted(local)[middle]], GOAL,
                )  # fmt: skip


def _run(arguments: list[str], on: str, output: Path) -> float:
    """Wall milliseconds of a command."""
    output.unlink(missing_ok=True)
    gc.collect()
    begin = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        cli.main(
            [*arguments, "--on", on, "--jobs", str(WORKERS), "--output", str(output)], standalone_mode=False
        )
    return (time.perf_counter() - begin) * 1e3


def _pairs(inputs: Inputs) -> tuple[str, list[str]]:
    """Files of texts of 5 to 20 words, an eighth of them wrong."""
    rng = random.Random(1)
    words = [f"w{n}" for n in range(2000)]
    paths = [inputs.folder / name for name in ("engines-ref.txt", "engines-hyp.txt")]
    with paths[0].open("w") as references, paths[1].open("w") as hypotheses:
        for number in range(PAIRS):
            spoken = rng.choices(words, k=rng.randint(5, 20))
            heard = [rng.choice(words) if rng.random() < 0.125 else word for word in spoken]
            references.write(f"u{number:08} {' '.join(spoken)}\n")
            hypotheses.write(f"u{number:08} {' '.join(heard)}\n")
    return f"score, {PAIRS:,} pairs", ["score", *map(str, paths)]


def _lattices(inputs: Inputs) -> tuple[str, list[str]]:
    """Packed lattices and their references."""
    text, packed, references = (inputs.folder / f"engines.{end}" for end in ("att", "packed", "ref"))
    probe.write_wide(text, ARCS, LATTICE_WORDS)
    lattice = fm.Lattice.read(text, format="att")
    items = (Item(f"u{number:08}", lattice) for number in range(LATTICES))
    with packed.open("wb") as stream:
        stream.writelines(packed_lattices.write(items, WriteOptions()))
    spoken = " ".join(f"w{word}" for word in probe.reference(LATTICE_WORDS))
    references.write_text("".join(f"u{number:08} {spoken}\n" for number in range(LATTICES)))
    return f"oracle, {LATTICES:,} packed lattices of {ARCS} arcs", ["oracle", str(references), str(packed)]
