"""Outputs of several systems put together: whole commands against SCTK's rover, and the median string."""

from __future__ import annotations

import itertools
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import fstmetrics as fm
from bench.inputs import Inputs
from bench.measure import DisagreementError, Line, agree, cpu_ms, missing, ratio_line
from bench.processes import cpu_of_process

# Systems, recordings, and words of each.
SIZE, TINY = (5, 500, 40), (3, 10, 12)
# Systems and words of each item; a table over all places has the product of the words as cells.
MEDIANS, TINY_MEDIANS = ((3, 25), (4, 12)), ((3, 6),)
ITEMS = 5
TABLE = "Python, a table over all places"


def votes(inputs: Inputs) -> Iterator[Line]:
    """`fstmetrics combine` of ctm with confidences, against rover on the same files."""
    count, recordings, words = TINY if inputs.tiny else SIZE
    paths = _written(inputs.folder, count, recordings, words)
    for method, options in (("freq", ("meth1", "1")), ("avgconf", ("avgconf", "0.5"))):
        work = f"combine, {method}, {count} systems, {recordings * words:,} words"
        if (sctk := shutil.which("sctk")) is None:
            yield missing(work, "rover", "needs SCTK: apt-get install sctk")
            continue
        ours, theirs = inputs.folder / "ours.ctm", inputs.folder / "theirs.ctm"
        given = [part for path in paths for part in ("-h", str(path), "ctm")]
        rover = [
            sctk,
            "rover",
            *given,
            "-s",
            "-f",
            "0",
            "-m",
            options[0],
            "-a",
            options[1],
            "-o",
            str(theirs),
        ]
        command = [sys.executable, "-m", "fstmetrics", "combine", *map(str, paths), "--method", method]
        command += [] if method == "freq" else ["--alpha", options[1]]
        command += ["-o", str(ours)]
        for each in (command, rover):
            subprocess.run(each, check=True, capture_output=True)
        if _said(ours) != _said(theirs):
            raise DisagreementError(f"{work}: fstmetrics and rover write other words")
        yield ratio_line(work, "rover", [cpu_of_process(*command)], [cpu_of_process(*rover)])


def median(inputs: Inputs) -> Iterator[Line]:
    """`fstmetrics.combine(outputs, "median")`, against the plain table over all tuples of places."""
    for count, words in TINY_MEDIANS if inputs.tiny else MEDIANS:
        ours, theirs = [], []
        for seed in range(ITEMS):
            rng = random.Random(seed)
            said = _sentence(rng, words)
            outputs = [_heard(rng, said) for _ in range(count)]
            found = fm.combine(outputs, "median")
            agree("edits of the median", float(found.edits or 0), float(_edits(outputs)), TABLE)
            ours.append(cpu_ms(lambda outputs=outputs: fm.combine(outputs, "median")))  # type: ignore[misc]
            theirs.append(cpu_ms(lambda outputs=outputs: _edits(outputs)))  # type: ignore[misc]
        yield ratio_line(f"median, {count} systems, {words} words", TABLE, ours, theirs)


def _edits(outputs: Sequence[Sequence[str]]) -> int:
    """All edits of the string that has the fewest: over tuples of places, each step takes words of some outputs.

    A step has one word in the string, the commonest of those that it takes, or none.
    """
    steps = [step for step in itertools.product((0, 1), repeat=len(outputs)) if any(step)]
    fewest: dict[tuple[int, ...], int] = {(0,) * len(outputs): 0}
    for places in itertools.product(*(range(len(output) + 1) for output in outputs)):
        for step in steps if any(places) else ():
            before = tuple(place - one for place, one in zip(places, step, strict=True))
            if min(before) < 0:
                continue
            taken = Counter(o[at] for o, at, one in zip(outputs, before, step, strict=True) if one)
            cost = min(sum(step), len(outputs) - max(taken.values()))
            fewest[places] = min(fewest.get(places, sys.maxsize), fewest[before] + cost)
    return fewest[tuple(map(len, outputs))]


def _sentence(rng: random.Random, words: int) -> list[str]:
    return [f"w{int(2000 ** rng.random())}" for _ in range(words)]


def _heard(rng: random.Random, said: Sequence[str]) -> list[str]:
    """What a system makes of it: two words of ten are wrong or missing; the first is there."""
    found = [said[0]]
    for word in said[1:]:
        chance = rng.random()
        found += [] if chance < 0.1 else _sentence(rng, 1) if chance < 0.2 else [word]
    return found


def _written(folder: Path, count: int, recordings: int, words: int) -> list[Path]:
    """ctm files of systems, without pauses: where there are some, rover takes words of the next recording."""
    rng = random.Random(count)
    said = [_sentence(rng, words) for _ in range(recordings)]
    paths = [folder / f"system-{number}.ctm" for number in range(count)]
    for path in paths:
        with path.open("w") as stream:
            for number, sentence in enumerate(said):
                for place, word in enumerate(_heard(rng, sentence)):
                    stream.write(
                        f"r{number:05} 1 {place / 4:.2f} 0.25 {word} {rng.randint(1, 99) / 100:.2f}\n"
                    )
    return paths


def _said(path: Path) -> list[tuple[str, str]]:
    lines = map(str.split, path.read_text().splitlines())
    return [(line[0], line[4]) for line in lines]
