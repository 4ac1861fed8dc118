"""Peak memory of one oracle, in a process of its own: `python -m bench.probe ARCS WORDS` prints four byte counts.

They are: before the lattice, with the lattice read, the peak of reading, and the peak of all.
"""

from __future__ import annotations

import random
import resource
import sys
from pathlib import Path

import numpy as np

import fstmetrics as fm

# Words a lattice of the probe is drawn from.
VOCABULARY = 1000


def resident() -> int:
    """Bytes resident now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def peak() -> int:
    """Most bytes resident so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def write(path: Path, arcs: int) -> None:
    """A lattice of so many arcs as OpenFst text, 4 arcs a state, each to one of the 20 states that follow."""
    rng = np.random.default_rng(5)
    states = arcs // 4
    sources = np.repeat(np.arange(states), 4)
    targets = sources + rng.integers(1, 20, len(sources))
    targets[::4] = sources[::4] + 1  # so that every state is reached
    labels = rng.integers(0, VOCABULARY, len(sources))
    rows = (f"{a} {min(b, states)} w{w}" for a, b, w in zip(sources, targets, labels, strict=True))
    path.write_text("\n".join([*rows, str(states)]) + "\n")


def main(path: str, words: str) -> None:
    """Read the lattice, find its oracle, print the four counts."""
    rng = random.Random(6)
    reference = " ".join(f"w{rng.randrange(VOCABULARY)}" for _ in range(int(words)))
    fm.wer("a", "b")
    before = resident()
    lattice = fm.Lattice.read(path)
    read, reading = resident(), peak()
    fm.wer(lattice, reference)
    print(before, read, reading, peak())


if __name__ == "__main__":
    main(*sys.argv[1:])
