"""Binary archives in memory to batches of lattices, by windows of a file; and packed lattices."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

import fstmetrics as fm
from bench import peers, probe
from bench.inputs import Inputs
from bench.measure import BLOCKS, Line, agree, cost_line, cpu_ms, missing, ratio_line
from bench.rows.reading import WORDS
from fstmetrics._native import FstArchiveReader, LatticeColumn
from fstmetrics.io.formats import packed_lattices
from fstmetrics.io.formats.openfst_binary import lattice_bytes, vector_bytes
from fstmetrics.io.items import Item, ReadOptions
from fstmetrics.io.lattice_batches import text_labels
from fstmetrics.io.window import BLOCK
from fstmetrics.io.writing import WriteOptions
from fstmetrics.support.limits import item_limits

SIZE = 20_000_000  # bytes of an archive
# Goals: megabytes a second of binary archives, and times OpenFst's own reader.
BINARY, READER = 1500.0, 3.0


def binary(inputs: Inputs) -> Iterator[Line]:
    """Kaldi's binary archives of lattices of 1,000 arcs without transition ids, and OpenFst's machines in one."""
    lattice = _lattice(inputs, 1000)
    numbers = np.arange(len(lattice.symbols), dtype=np.int32)
    kinds = {
        "compact lattices": lattice_bytes(lattice.automaton, numbers, True),
        "lattices": lattice_bytes(lattice.automaton, numbers, False),
        "standard machines": vector_bytes(lattice.automaton, lattice.automaton.arc_costs[:, 0]),
    }
    for name, machine in kinds.items():
        work = f"binary archive, {name}, 1000 arcs"
        count = max(1, (SIZE // 100 if inputs.tiny else SIZE) // len(machine))
        windows = _windows([b"utt-%06d " % n + machine for n in range(count)])
        options = ReadOptions()
        reader = FstArchiveReader(text_labels(options, True), item_limits(), "word")
        read = partial(_read, reader, windows, options)
        ours, size = cpu_ms(read), sum(map(len, windows))
        yield Line(work, "bytes: MB/s", ours, value=size / 1e3 / ours, goal=BINARY, note="MB/s")
        if name == "standard machines":
            try:
                peer = peers.package("pywrapfst")
            except peers.MissingError as hint:
                yield missing(work, "pywrapfst, read", str(hint))
                continue
            states = peer.Fst.read_from_string(machine).num_states()
            agree(work, read() * lattice.num_states, count * states, "pywrapfst")
            theirs = cpu_ms(lambda: [peer.Fst.read_from_string(machine) for _ in range(count)])  # noqa: B023
            yield ratio_line(work, "pywrapfst, read", [ours], [theirs], READER)


def packed(inputs: Inputs) -> Iterator[Line]:
    """Reading packed lattices, checksums included, against the first search of what is read."""
    for arcs in (1000,) if inputs.tiny else (1000, 10_000, 100_000):
        lattice, count = _lattice(inputs, arcs), max(4, (5_000 if inputs.tiny else 400_000) // arcs)
        items = (Item(f"u{n}", lattice) for n in range(count))
        data = b"".join(packed_lattices.write(items, WriteOptions()))
        reference = " ".join(lattice.best_path().words)

        def read(data: bytes = data) -> list[LatticeColumn]:
            columns = packed_lattices._columns(memoryview(data), "packed", ReadOptions())
            return [column for column, _ in columns]

        def search(lattices: Sequence[fm.Lattice], reference: str = reference) -> list[float]:
            return [fm.wer(each, reference) for each in lattices]

        found = [each for column in read() for each in column]
        agree("packed", sum(search(found)), count * fm.wer(lattice, reference), "from memory")
        searching = statistics.median(_first(search, read()) for _ in range(BLOCKS)) / count
        work = f"packed lattices, {arcs} arcs, a lattice"
        yield cost_line(
            work, "its first search (ratio: reading / search)", [cpu_ms(read) / count], [searching], 1.0
        )


def _first(search: Callable[[Sequence[fm.Lattice]], Any], columns: Sequence[LatticeColumn]) -> float:
    """CPU milliseconds of searching what has not been searched."""
    lattices = [each for column in columns for each in column]
    begin = time.process_time()
    search(lattices)
    return (time.process_time() - begin) * 1e3


def _lattice(inputs: Inputs, arcs: int) -> fm.Lattice:
    """One with a graph and an acoustic cost an arc, which are 32-bit numbers."""
    path = inputs.folder / f"files-{arcs}.txt"
    probe.write_wide(path, arcs, WORDS)
    lattice = fm.Lattice.read(path, format="att")
    automaton, words = lattice.automaton, lattice.symbols.words
    costs = [(n * 7919 % 1000 / 8, n * 104729 % 1000 / 16) for n in range(lattice.num_arcs)]
    return fm.Lattice.from_arrays(
        automaton.sources, automaton.destinations, [words[label] for label in automaton.labels],
        finals=automaton.finals, costs=costs,
    )  # fmt: skip


def _windows(entries: Sequence[bytes]) -> list[bytes]:
    """Entries joined to about the size of a window."""
    many = max(1, BLOCK // len(entries[0]))
    return [b"".join(entries[at : at + many]) for at in range(0, len(entries), many)]


def _read(reader: FstArchiveReader, windows: Sequence[bytes], options: ReadOptions) -> int:
    """How many machines there are."""
    count = 0
    for window in windows:
        column = LatticeColumn(options.vocabulary)
        reader.read(window, 0, column)
        count += len(column)
    return count
