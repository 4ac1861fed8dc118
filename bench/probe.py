"""Peak memory of one oracle, in a process of its own: `python -m bench.probe ARCS WORDS` prints four byte counts.

They are: before the lattice, with the lattice read, the peak of reading, and the peak of all.
"""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

import fstmetrics as fm

Column = npt.NDArray[np.int64]

# Words a lattice of the probe is drawn from.
VOCABULARY = 1000


def resident() -> int:
    """Bytes resident now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def peak() -> int:
    """Most bytes resident so far. (`ru_maxrss` would begin with the peak of the process that started this one.)"""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:", 1)[1].split()[0]) * 1024


def reference(words: int) -> list[int]:
    """The reference, as numbers of words."""
    rng = random.Random(6)
    return [rng.randrange(VOCABULARY) for _ in range(words)]


def write_long(path: Path, arcs: int) -> None:
    """A lattice of so many arcs, 4 a state, each to one of the 20 states that follow: arcs / 80 words at least."""
    rng = np.random.default_rng(5)
    states = arcs // 4
    sources = np.repeat(np.arange(states), 4)
    targets = sources + rng.integers(1, 20, len(sources))
    targets[::4] = sources[::4] + 1  # so that every state is reached
    _write(path, sources, np.minimum(targets, states), rng.integers(0, VOCABULARY, len(sources)), states)


def write_wide(path: Path, arcs: int, words: int) -> None:
    """A lattice of so many arcs around the reference: as deep as it has words, 12 competing words a place.

    A fifth of the places lack the word of the reference.
    """
    rng = np.random.default_rng(5)
    width = arcs // (4 * words)
    competitors = rng.integers(0, VOCABULARY, (words, 12))
    spoken = rng.random(words) < 0.8
    competitors[spoken, 0] = np.array(reference(words))[spoken]
    # States: 0, then `width` of each place between two words, then the end.
    places = np.repeat(np.arange(words), 4 * width)
    states = np.tile(np.repeat(np.arange(width), 4), words)
    sources = np.where(places == 0, 0, 1 + (places - 1) * width + states)
    others = rng.integers(0, width, len(states))
    others[::4] = states[::4]  # so that every state is reached
    end = 1 + (words - 1) * width
    targets = np.where(places == words - 1, end, 1 + places * width + others)
    labels = competitors[places, rng.integers(0, 12, len(places))]
    _write(path, sources, targets, labels, end)


def _write(path: Path, sources: Column, targets: Column, labels: Column, final: int) -> None:
    rows = (f"{a} {b} w{w}" for a, b, w in zip(sources, targets, labels, strict=True))
    path.write_text("\n".join([*rows, str(final)]) + "\n")


def main(path: str, words: str) -> None:
    """Read the lattice, find its oracle, print the four counts."""
    reference_text = " ".join(f"w{word}" for word in reference(int(words)))
    fm.wer("a", "b")
    before = resident()
    lattice = fm.Lattice.read(path)
    read, reading = resident(), peak()
    fm.wer(lattice, reference_text)
    print(before, read, reading, peak())


if __name__ == "__main__":
    main(*sys.argv[1:])
