"""Around the search: preparation, threads, start-up, memory."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import fstmetrics as fm
from bench import peers, probe
from bench.inputs import HyterProblem, Inputs
from bench.measure import Line, agree, cost_line, cpu_ms_cold, missing, ratio_line, wall_ms
from bench.processes import cpu_of_process, environment
from bench.rows.hyter import COUNTS

STARTS = 7
SCORE_GOAL = 2.0
WORDS = 25  # of the reference whose oracle takes memory


def preparation(inputs: Inputs) -> Iterator[Line]:
    """From the file of a network to one that has scored a word, against pynini's replace and optimize.

    pynini starts from automata that are already built: its reading is not counted.
    """
    peer = "pynini, replace + optimize"
    for kind in ("single", "combined", "large"):
        work = f"preparation, {kind}"
        problems = inputs.hyter_problems(kind, 1)
        try:
            rows = [_prepared(problem) for problem in problems]
        except peers.MissingError as hint:
            yield missing(work, peer, str(hint), 5.0)
            continue
        ours, theirs = zip(*rows, strict=True)
        yield ratio_line(work, peer, ours, theirs, 5.0)


def _prepared(problem: HyterProblem) -> tuple[float, float]:
    pynini = peers.package("pynini")
    cards = pynini_cards(pynini, problem, {"<eps>": 0})
    expand = partial(_expanded, pynini, cards)
    counted = pynini.arcmap(expand(), map_type="times", weight=1.0)  # every word, and the end, costs 1
    fewest = float(pynini.shortestdistance(counted, reverse=True)[counted.start()]) - 1
    agree(problem.id, fm.align("", problem.network, options=COUNTS).cost, fewest, "pynini")
    ours = cpu_ms_cold(lambda: fm.hyter("a", fm.Network.read(problem.json)))
    return ours, cpu_ms_cold(expand)


def _expanded(pynini: Any, cards: list[tuple[int, Any]]) -> Any:
    return pynini.replace(cards, epsilon_on_replace=True).optimize()


def pynini_cards(pynini: Any, problem: HyterProblem, labels: dict[str, int]) -> list[tuple[int, Any]]:
    """The cards as pynini's automata, with the labels of their calls, from the file the other peers read.

    The root is first. `labels` of words are added to; calls get new ones.
    """
    rows = [line.split() for line in problem.machine.read_text().splitlines()]
    cards: list[Any] = []
    for kind, *fields in rows:
        if kind == "card":
            cards.append(pynini.Fst())
            cards[-1].add_states(int(fields[0]))
            cards[-1].set_start(int(fields[1]))
        elif kind == "final":
            cards[-1].set_final(int(fields[0]))
        else:
            label = labels.setdefault(f"[{fields[2]}]" if kind == "call" else fields[2], len(labels))
            cards[-1].add_arc(int(fields[0]), pynini.Arc(label, label, 0, int(fields[1])))
    return [(labels.setdefault(f"[{i}]", len(labels)), card) for i, card in enumerate(cards)]


def threads(inputs: Inputs) -> Iterator[Line]:
    """A corpus of hypotheses by one thread and by two, by the clock on the wall."""
    problems = inputs.hyter_problems("combined", 2)
    times = 1 if inputs.tiny else 5
    hypotheses = [p.hypothesis for p in problems] * times
    networks = [p.network for p in problems] * times
    corpora = {
        n: partial(
            fm.score, hypotheses, networks, fm.HyTER(window=5),
            options=fm.SearchOptions(alignment=False, threads=n),
        )
        for n in (1, 2)
    }  # fmt: skip
    one, two = corpora[1](), corpora[2]()
    for a, b in zip(one, two, strict=True):
        agree("threads", a.cost, b.cost, "one thread")
        agree("threads", a.score, b.score, "one thread")
    yield ratio_line(
        f"two threads, HyTER combined, window 5, {len(hypotheses)} items", "ours, one thread",
        [wall_ms(corpora[2])], [wall_ms(corpora[1])], 1.8, note="wall time",
    )  # fmt: skip


def start(inputs: Inputs) -> Iterator[Line]:
    """What importing adds to numpy, and how long `--help` takes."""
    for work, touched in [
        ("import fstmetrics", ""),
        ("import fstmetrics, align named", "; fstmetrics.align"),
    ]:
        code = f"import time, numpy; t = time.perf_counter(); import fstmetrics{touched}; "
        code += "print(time.perf_counter() - t)"
        seconds = [float(_run("-c", code)) for _ in range(STARTS)]
        yield _milliseconds(work, "beyond numpy's own import", [1e3 * s for s in seconds], 30.0)
    times = []
    for _ in range(STARTS):
        begin = time.perf_counter()
        _run("-m", "fstmetrics", "--help")
        times.append((time.perf_counter() - begin) * 1e3)
    yield _milliseconds("fstmetrics --help", "with Python's own start", times, 200.0)


def commands(inputs: Inputs) -> Iterator[Line]:
    """CPU time of small commands and of a first call, as a ratio to Python with numpy: what nobody can do without."""
    reference, hypothesis = inputs.folder / "start.ref.txt", inputs.folder / "start.hyp.txt"
    reference.write_text("the cat sat on the mat\n", encoding="utf-8")
    hypothesis.write_text("the cat sat on a mat\n", encoding="utf-8")
    peer = 'python -c "import numpy"'
    score = ("-m", "fstmetrics", "score", str(reference), str(hypothesis))
    for work, goal, arguments in [
        ("fstmetrics score, a line each", SCORE_GOAL, score),
        ("fstmetrics score --help", None, ("-m", "fstmetrics", "score", "--help")),
        ("fm.wer, first call", None, ("-c", "import fstmetrics as fm; fm.wer('a b', 'a c')")),
        ("fm.score, first call", None, ("-c", "import fstmetrics as fm; fm.score(['a b'], ['a c'])")),
    ]:
        ours, theirs = zip(
            *((_cpu(*arguments), _cpu("-c", "import numpy")) for _ in range(STARTS)), strict=True
        )
        yield cost_line(work, peer, ours, theirs, goal)


def _cpu(*arguments: str) -> float:
    """CPU milliseconds of Python with these arguments."""
    return cpu_of_process(sys.executable, *arguments)


def _milliseconds(work: str, what: str, times: Sequence[float], goal: float) -> Line:
    median = statistics.median(times)
    return Line(work, what, median, value=median, worst=max(times), goal=goal, sense="at most", note="ms")


def _run(*arguments: str) -> str:
    command = [sys.executable, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment()).stdout


def memory(inputs: Inputs) -> Iterator[Line]:
    """Peak memory of one oracle of 25 words, in a process of its own: a lattice as deep as that, and a long one."""
    arcs = 20_000 if inputs.tiny else 1_000_000
    path = inputs.folder / "memory.fst.txt"
    probe.write_wide(path, arcs, WORDS)
    yield from _memory(f"memory, oracle, {WORDS} words, {arcs} arcs", path, arcs, 1.0)
    probe.write_long(path, arcs)
    yield from _memory(f"memory, oracle, {WORDS} words, {arcs} arcs, long lattice", path, arcs, 1.0)


def _memory(work: str, path: Path, arcs: int, goal: float) -> Iterator[Line]:
    before, read, reading, peak = (int(n) for n in _run("-m", "bench.probe", str(path), str(WORDS)).split())
    note = f"GB at the peak, of which reading the text {reading / 1e9:.2f}"
    yield Line(work, "whole process", value=peak / 1e9, goal=goal, sense="at most", unit="GB", note=note)
    for what, grown in [("lattice, held", read), ("lattice, peak of reading", reading), ("all, peak", peak)]:
        yield Line(work, what, value=(grown - before) / arcs, note="bytes an arc")
