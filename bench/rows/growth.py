"""How our time grows: fitted exponents."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np

import fstmetrics as fm
from bench import generate, probe
from bench.inputs import Inputs
from bench.measure import Line, cpu_ms, cpu_ms_cold
from bench.rows.hyter import COUNTS


def growth(inputs: Inputs) -> Iterator[Line]:
    """Exponents of time against arcs, words, edits and window: least squares on logarithms."""
    arcs = (100, 300, 1000) if inputs.tiny else (100, 1_000, 10_000, 100_000, 1_000_000)
    base = 300 if inputs.tiny else 10_000
    for words in (25, 200):
        arcs = arcs[:4] if words == 200 else arcs
        times = [_oracle_ms(inputs, words, a) for a in arcs]
        yield _exponent(f"time against arcs, oracle, {words} words", arcs, times, 1.1)
    for name, lengths, goal in [("up to 64", (8, 16, 32, 64), 1.1), ("beyond 64", (64, 128, 256, 512), 2.0)]:
        times = [_oracle_ms(inputs, w, base) for w in lengths]
        yield _exponent(f"time against words {name}, oracle, {base} arcs", lengths, times, goal)
    yield from _against_edits(inputs)
    yield from _against_items(inputs)
    yield from _whole_lattices(inputs)
    problems = inputs.hyter_problems("combined", 1)[:4]
    windows = (1, 2, 3, 4, 5)
    times = [
        sum(
            cpu_ms(partial(fm.hyter, p.hypothesis, p.network, window=k, reordering="jumps")) for p in problems
        )
        for k in windows
    ]
    yield _exponent("time against the window, HyTER combined", windows, times, None)


def _oracle_ms(inputs: Inputs, words: int, arcs: int) -> float:
    problem = inputs.generated_oracle(words, arcs)
    return cpu_ms(partial(fm.wer, problem.lattice, problem.reference))


def _against_items(inputs: Inputs) -> Iterator[Line]:
    """Pairs of texts and lattices in one call, by their number."""
    references, hypotheses = generate.string_pairs(3, 100 if inputs.tiny else 1000, 25, 0.2)
    sizes = (100, 300, 1000) if inputs.tiny else (100, 1_000, 10_000, 100_000, 1_000_000)
    times = []
    for size in sizes:
        many = size // len(references) or 1
        pair = (hypotheses[:size] * many, references[:size] * many)
        times.append(cpu_ms(partial(fm.score, *pair, options=COUNTS)))
    yield _exponent("time against items, WER of pairs of 25 words, one call", sizes, times, 1.1)
    problem = inputs.generated_oracle(8 if inputs.tiny else 25, 100 if inputs.tiny else 1_000)
    sizes = (10, 100, 300) if inputs.tiny else (100, 1_000, 10_000, 100_000)
    times = [
        cpu_ms(partial(fm.score, [problem.lattice] * size, [problem.reference] * size, options=COUNTS))
        for size in sizes
    ]
    yield _exponent(f"time against items, oracle, {problem.arcs} arcs, one call", sizes, times, 1.1)


def _whole_lattices(inputs: Inputs) -> Iterator[Line]:
    """From a file's bytes to the first oracle, by arcs: parsing, preparing, the first search."""
    sizes = (100, 300, 1000) if inputs.tiny else (100, 1_000, 10_000, 100_000, 1_000_000)
    times = []
    for arcs in sizes:
        path = inputs.folder / f"growth-{arcs}.txt"
        probe.write_wide(path, arcs, 25)
        reference = " ".join(f"w{number}" for number in range(25))
        times.append(cpu_ms_cold(partial(_first_oracle, path, reference)))
    yield _exponent("time against arcs, AT&T text to the first oracle, 25 words", sizes, times, 1.1)


def _first_oracle(path: Path, reference: str) -> float:
    return fm.wer(fm.Lattice.read(path, format="att"), reference)


def _against_edits(inputs: Inputs) -> Iterator[Line]:
    problem = inputs.hyter_problems("combined", 1)[0]
    words = problem.hypothesis.split()
    rng = random.Random(2)
    fresh = generate.Zipf(rng)
    hypotheses = [" ".join(generate.corrupted(rng, words, rate, fresh)) for rate in (0.0, 0.2, 0.4, 0.6, 0.9)]
    edits = [fm.align(h, problem.network, "hyter", options=COUNTS).edits for h in hypotheses]
    times = [cpu_ms(partial(fm.hyter, h, problem.network, window=1)) for h in hypotheses]
    yield _exponent("time against edits, HyTER combined, window 1", edits, times, None)


def _exponent(work: str, sizes: Sequence[float], times: Sequence[float], goal: float | None) -> Line:
    kept = [(s, t) for s, t in zip(sizes, times, strict=True) if s > 0]
    logs = np.log(np.array(kept))
    slope = float(np.polyfit(logs[:, 0], logs[:, 1], 1)[0]) if len(set(logs[:, 0])) > 1 else None
    span = f"exponent; {kept[0][0]:g} to {kept[-1][0]:g}: {kept[0][1]:.3g} to {kept[-1][1]:.3g} ms"
    return Line(work, "fitted exponent", times[-1], value=slope, goal=goal, sense="at most", note=span)
