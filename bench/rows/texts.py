"""Whole commands on files of text, and the columns of their results, with Python's own start."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import fstmetrics as fm
from bench import generate, peers
from bench.inputs import Inputs
from bench.measure import Line, agree, cost_line, cpu_ms, missing, ratio_line
from bench.processes import cpu_of_process

REPEATS = 3
# Words of letters: digits at the beginnings of lines would look like ids.
LETTERS = str.maketrans("0123456789", "abcdefghij")
# What a user of jiwer writes for the same.
SCRIPT = """
import sys, jiwer
texts = [[line.strip() for line in open(path, encoding="utf-8")] for path in sys.argv[1:]]
found = jiwer.process_words(*texts)
print(found.substitutions + found.insertions + found.deletions)
"""


def files(inputs: Inputs) -> Iterator[Line]:
    """`fstmetrics score` of two files of lines, against what reading their words takes, and against jiwer."""
    pairs = 1000 if inputs.tiny else 1_000_000
    paths = _written(inputs, pairs)
    work = f"fstmetrics score, {pairs:,} pairs of lines"
    command = ("-m", "fstmetrics", "score", *paths)
    found = json.loads(subprocess.check_output([sys.executable, *command, "--json"]))
    ours = [cpu_of_process(sys.executable, *command) for _ in range(REPEATS)]
    limit = "reading, splitting and hashing once in C++ (ratio: ours / theirs)"
    try:
        programme = str(peers.words())
    except peers.MissingError as hint:
        yield missing(work, limit, str(hint), 3.0)
    else:
        theirs = [cpu_of_process(programme, *paths) for _ in range(REPEATS)]
        yield cost_line(work, limit, ours, theirs, 3.0)
    try:
        peers.package("jiwer")
    except peers.MissingError as hint:
        yield missing(work, "jiwer, a script", str(hint), 40.0)
        return
    edits = int(subprocess.check_output([sys.executable, "-c", SCRIPT, *paths]))
    agree(work, found["edits"], edits, "jiwer")
    yield ratio_line(
        work, "jiwer, a script", ours[:1], [cpu_of_process(sys.executable, "-c", SCRIPT, *paths)], 40.0
    )


def columns(inputs: Inputs) -> Iterator[Line]:
    """Alignments of many pairs from Python strings, as arrays and as Python objects."""
    pairs = 100 if inputs.tiny else 100_000
    references, hypotheses = generate.string_pairs(3, pairs, 12, 0.1)

    def arrays() -> int:
        letters = fm.score(hypotheses, references).alignment_columns()["letters"]
        return int((letters != ord("=")).sum())

    def objects() -> int:
        return sum(pair.op != "=" for result in fm.score(hypotheses, references) for pair in result.alignment)

    def jiwer() -> int:
        words = peers.package("jiwer").process_words(references, hypotheses)
        return int(words.substitutions + words.insertions + words.deletions)

    for way, ours, goal in (("arrays", arrays, 30.0), ("Python objects", objects, 5.0)):
        work = f"alignments of {pairs:,} pairs as {way}"
        try:
            agree(work, ours(), jiwer(), "jiwer")
        except peers.MissingError as hint:
            yield missing(work, "jiwer", str(hint), goal)
            continue
        yield ratio_line(work, "jiwer", [cpu_ms(ours)], [cpu_ms(partial(jiwer))], goal)


def _written(inputs: Inputs, pairs: int) -> tuple[str, str]:
    """Paths of references and hypotheses."""
    paths = inputs.folder / "lines.ref.txt", inputs.folder / "lines.hyp.txt"
    sides = generate.string_pairs(3, min(pairs, 20_000), 12, 0.1)
    for path, texts in zip(paths, sides, strict=True):
        _write(path, [text.translate(LETTERS) for text in texts], pairs)
    return str(paths[0]), str(paths[1])


def _write(path: Path, texts: list[str], lines: int) -> None:
    times, rest = divmod(lines, len(texts))
    with path.open("w", encoding="utf-8") as stream:
        for some in (*([texts] * times), texts[:rest]):
            stream.writelines(text + "\n" for text in some)
