"""`fstmetrics oracle` with records over archives of lattices: the whole command against reading the same file."""

from __future__ import annotations

import gzip
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from bench.inputs import SHARED, Inputs
from bench.measure import Line, agree, cost_line, ratio_line, wall_ms_once
from bench.processes import cpu_of_process, environment
from fstmetrics.io.formats import FORMATS
from fstmetrics.io.items import Item
from fstmetrics.io.writing import WriteOptions
from fstmetrics.io.written_words import Numbering

COUNT, TINY_COUNT = 20_000, 60
# Runs: the middle one of these by CPU time, the shortest of those by the clock.
REPEATS, CLOCK_REPEATS = 3, 7
# Goals: times reading alone, and two threads against one.
READING, THREADS = 1.5, 1.8
# Reads blocks of native columns, as the command does, and counts their lattices.
READ = """
import sys
from fstmetrics.support.source import File
from fstmetrics.io.formats import FORMATS
from fstmetrics.io.items import ReadOptions
path, name, *symbols = sys.argv[1:]
print(sum(map(len, FORMATS[name].blocks(File(path), ReadOptions(*symbols)))))
"""
ALONE = "ours, reading alone (ratio: all / reading)"


def command(inputs: Inputs) -> Iterator[Line]:
    """CPU time of whole processes, by format; then two threads against one by the clock, records compared.

    The command with one thread reads on another one, so two cores are also compared with a single one.
    """
    count, repeats, clock_repeats = (TINY_COUNT, 1, 1) if inputs.tiny else (COUNT, REPEATS, CLOCK_REPEATS)
    archive, references, symbols = _archive(inputs, count)
    table = ("--symbols", str(symbols))
    binary, packed = inputs.folder / "oracle.ark", inputs.folder / "oracle.packed"
    for path, to in ((binary, "kaldi-lattice"), (packed, "packed")):
        run("convert", str(archive), str(path), "--to", to, "--lossy", *table)
    records = {threads: inputs.folder / f"oracle-{threads}.jsonl" for threads in (1, 2)}
    for name, path, format, named in (
        ("text", archive, "kaldi-lattice", table),
        ("binary", binary, "kaldi-lattice", table),
        ("packed", packed, "packed", ()),
    ):
        work = f"fstmetrics oracle, {count} Kaldi lattices, {name}, records"
        given = str(path), format, *named[1:]
        agree(work, int(subprocess.check_output([sys.executable, "-c", READ, *given])), count, "counted")
        ours, reading = zip(*(_times(references, path, named, given) for _ in range(repeats)), strict=True)
        yield cost_line(work, ALONE, ours, reading, READING, note="CPU time of the processes")
        calls = {
            threads: partial(run, *arguments(references, path, named, output, threads))
            for threads, output in records.items()
        }
        for call in calls.values():
            call()
        if records[1].read_bytes() != records[2].read_bytes():
            raise AssertionError(f"{work}: two threads write other records than one")
        two, one = ([min(wall_ms_once(calls[n]) for _ in range(clock_repeats))] for n in (2, 1))
        yield ratio_line(work, "ours, --jobs 1", two, one, note="--jobs 2, wall time")
        if hasattr(os, "sched_setaffinity"):  # not on every system
            alone = [min(wall_ms_once(partial(_on_one_core, calls[1])) for _ in range(clock_repeats))]
            yield ratio_line(
                work, "ours, --jobs 1 on one core", two, alone, THREADS, note="--jobs 2, wall time"
            )


def _on_one_core(call: Callable[[], None]) -> None:
    """Call it with one core for the processes that it starts."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        call()
    finally:
        os.sched_setaffinity(0, cores)


def _times(
    references: Path, path: Path, named: tuple[str, ...], given: tuple[str, ...]
) -> tuple[float, float]:
    """CPU milliseconds of the command, and of reading, one after the other."""
    output = path.with_suffix(".jsonl")
    ours = cpu_of_process(sys.executable, "-m", "fstmetrics", *arguments(references, path, named, output, 1))
    return ours, cpu_of_process(sys.executable, "-c", READ, *given)


def arguments(references: Path, path: Path, named: tuple[str, ...], output: Path, threads: int) -> list[str]:
    """Of the command."""
    given = [str(references), str(path), *named, "--ref-format", "kaldi-text"]
    return ["oracle", *given, "--output", str(output), "--jobs", str(threads)]


def run(*arguments: str) -> None:
    """The program, whose output nobody reads."""
    command = [sys.executable, "-m", "fstmetrics", *arguments]
    subprocess.run(command, check=True, capture_output=True, env=environment())


def _archive(inputs: Inputs, count: int) -> tuple[Path, Path, Path]:
    """A text archive, its references, and the symbol table: real lattices again and again under new ids.

    References differ from one time to the next, so that few items have the same counts. Lattices are generated where
    the real ones are not there.
    """
    archive, references = inputs.folder / "oracle.ark.txt", inputs.folder / "oracle.ref.txt"
    folder = SHARED / "asr-kaldi-weather"
    real = folder.is_dir() and not inputs.tiny
    symbols = folder / "words.txt" if real else inputs.folder / "oracle.words.txt"
    items = _real(folder) if real else _generated(inputs, symbols)
    rng = random.Random(0)
    with open(archive, "w", encoding="utf-8") as lattices, open(references, "w", encoding="utf-8") as texts:
        for number in range(count):
            body, words = items[number % len(items)]
            said = [
                rng.choice(words) if rng.random() < 0.1 else word for word in words if rng.random() > 0.05
            ]
            lattices.write(f"utt-{number:06d} \n{body}\n\n")
            texts.write(f"utt-{number:06d} {' '.join(said)}\n")
    return archive, references, symbols


def _real(folder: Path) -> list[tuple[str, list[str]]]:
    lines = (folder / "ref.txt").read_text(encoding="utf-8").splitlines()
    references = {id: words for id, *words in map(str.split, lines)}
    found = []
    for system in ("tri1", "mono"):
        text = gzip.decompress((folder / system / "lat.txt.gz").read_bytes()).decode()
        for item in re.split(r"\n[ \t]*\n", text):
            if item.strip():
                id, body = item.strip("\n").split("\n", 1)
                found.append((body, references[id.strip()]))
    return found


def _generated(inputs: Inputs, table: Path) -> list[tuple[str, list[str]]]:
    numbering, found = Numbering(), []
    writer = next(each for each in FORMATS["kaldi-lattice"].writers if each.name == "kaldi-lattice-text")
    for seed in range(20):
        problem = inputs.generated_oracle(8, 100, seed)
        item, options = Item("one", problem.lattice), WriteOptions(numbering=numbering)
        text = b"".join(writer.write(iter([item]), options)).decode()
        found.append((text.strip("\n").split("\n", 1)[1], problem.reference.split()))
    rows = (f"{word} {number}\n" for word, number in numbering.numbers.items())
    table.write_text("".join(rows), encoding="utf-8")
    return found
