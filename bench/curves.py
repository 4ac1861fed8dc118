"""How whole commands grow with what they are given: `python -m bench --growth picture.svg`.

A program is measured at 10^2, 10^3, ... until it would take more than a minute of CPU time, or the largest size.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bench import peers
from bench.chart import Panel, Series, log_log
from bench.measure import Use
from bench.processes import Command, StoppedError, check_same, used
from bench.rows import whole

SIZES = (100, 1_000, 10_000, 100_000, 1_000_000)
TINY_SIZES = (100, 300)
# CPU seconds that a command may take; by the clock it may take longer, as the machine may be busy.
MOST, MOST_WALL = 60.0, 300.0
# Runs of what takes less than so many seconds, of which the middle one counts.
REPEATS, SHORT = 3, 5.0

# Arcs of lattices, and words of networks, up to which there are machines for OpenFst: of more, they are gigabytes.
MOST_COMPILED = 100_000, 10_000

Commands = tuple[Command, Sequence[Command]]
Progress = Callable[[str], None]


def draw_growth(path: Path, tiny: bool, progress: Progress) -> None:
    """Measure all panels and write the picture."""
    sizes = TINY_SIZES if tiny else SIZES
    makers: list[tuple[str, str, Callable[[Path, int], Commands]]] = [
        ("fstmetrics score: WER", "utterances of 15 words", _score),
        ("fstmetrics compare: two recognisers, MAPSSWE", "utterances of 15 words", _compare),
        ("fstmetrics oracle: a lattice, 25 words", "arcs", _oracle),
        ("fstmetrics hyter: a network, window 3", "words of the network", _hyter),
    ]
    panels = [
        Panel(title, x, "CPU seconds of the whole command", list(_series(make, sizes, progress)))
        for title, x, make in makers
    ]
    path.write_text(log_log(panels), encoding="utf-8")


def _series(
    make: Callable[[Path, int], Commands], sizes: Sequence[int], progress: Progress
) -> Iterator[Series]:
    """A line for each program, of which all have the same inputs."""
    points: dict[str, list[tuple[float, float]]] = {}
    stopped: set[str] = set()
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="fstmetrics-bench-") as folder:
            ours, others = make(Path(folder), size)
            answers = {}
            for command in (ours, *others):
                known = points.setdefault(command.program, [])
                expected = known[-1][1] * size / known[-1][0] if known else 0.0
                if command.name in stopped or expected > MOST:
                    continue
                try:
                    use, text = _measured(command, Path(folder))
                except (StoppedError, RuntimeError, peers.MissingError) as error:
                    stopped.add(command.name)
                    progress(f"{command.name}, {size}: {error}")
                    continue
                if command.answer:
                    answers[command.name] = command.answer(text)
                known.append((size, use.cpu))
                progress(
                    f"{command.name}, {size}: CPU {use.cpu:.2f} s, wall {use.wall:.2f} s, peak {use.peak:.0f} MB"
                )
            check_same(f"{size}", answers)
    return (Series(name, found) for name, found in points.items() if found)


def _measured(command: Command, folder: Path) -> tuple[Use, str]:
    """The run of the median CPU time; a long one runs once."""
    found = [used(command, folder, MOST_WALL)]
    if found[0][0].cpu < SHORT:
        found += [used(command, folder, MOST_WALL) for _ in range(REPEATS - 1)]
    middle = statistics.median_low(use.cpu for use, _ in found)
    return next(each for each in found if each[0].cpu == middle)


def _score(folder: Path, size: int) -> Commands:
    whole.write_speech(folder, size)
    return whole.score_commands(folder)


def _compare(folder: Path, size: int) -> Commands:
    whole.write_speech(folder, size)
    return whole.compare_commands(folder)


def _oracle(folder: Path, size: int) -> Commands:
    whole.write_lattices(folder, 1, size, compiled=size <= MOST_COMPILED[0])
    return whole.oracle_commands(folder, 1)


def _hyter(folder: Path, size: int) -> Commands:
    whole.write_networks(folder, 1, max(size // 20, 1), 3 if size <= MOST_COMPILED[1] else None)
    return whole.hyter_commands(folder, 1, 3)
