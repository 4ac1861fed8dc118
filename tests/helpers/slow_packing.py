"""Packed lattices written one by one with numpy: what `PackedColumns` must give."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from fstmetrics.data.lattice import Lattice
from fstmetrics.data.times import Durations, Times
from fstmetrics.io.formats import packed_lattices as packed
from fstmetrics.io.packed_file import Columns, PackedFileWriter, strings


class _Batch:
    """Lattices that wait to be written, as the columns of a batch."""

    def __init__(self, words: dict[str, int]) -> None:
        self.size = 0
        self._words = words
        self._texts: dict[str, list[str]] = {"id": [], "time_unit": []}
        self._arrays: dict[str, list[Any]] = {}
        self._lengths: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self._texts["id"])

    def add(self, id: str, lattice: Lattice) -> None:
        """Add a lattice under an id."""
        automaton, times, scales = lattice.automaton, lattice.times, lattice.scales
        has_costs = automaton.has_costs
        self._texts["id"].append(id)
        self._texts["time_unit"].append("" if times is None else times.unit)
        self._add("states", [automaton.num_states])
        self._add("start", [automaton.start])
        self._add("numbered", [lattice.numbered])
        self._add("scales.item", [scales.lm, scales.acoustic, scales.word_penalty])
        numbers = [self._words.setdefault(word, len(self._words)) for word in lattice.symbols.words]
        self._add("words.item", numbers, "words")
        self._add("arcs.item.source", automaton.sources, "arcs")
        self._add("arcs.item.destination", automaton.destinations)
        self._add("arcs.item.label", automaton.labels)
        self._add("finals.item", automaton.finals, "finals")
        for path, costs in (("arc_costs", automaton.arc_costs), ("final_costs", automaton.final_costs)):
            self._lengths.setdefault(path, []).append(len(costs) if has_costs else 0)
            self._add(f"{path}.item.item", costs.reshape(-1) if has_costs else ())
        self._add("state_times.item", times.of_state if isinstance(times, Times) else (), "state_times")
        self._add("arc_durations.item", times.of_arc if isinstance(times, Durations) else (), "arc_durations")
        self.size += automaton.num_states + automaton.num_arcs

    def _add(self, path: str, values: Any, of_list: str = "") -> None:
        self._arrays.setdefault(path, []).append(np.asarray(values))
        if of_list:
            self._lengths.setdefault(of_list, []).append(len(values))

    def columns(self) -> Columns:
        """The arrays of all."""
        columns: dict[str, Any] = {path: np.concatenate(arrays) for path, arrays in self._arrays.items()}
        for path, lengths in self._lengths.items():
            columns[f"{path}.offsets"] = np.concatenate([[0], np.cumsum(lengths)])
        for path, texts in self._texts.items():
            columns |= strings(texts, path)
        return columns


def slowly_packed(lattices: Iterable[tuple[str, Lattice]]) -> bytes:
    """A file of lattices under ids."""
    writer, words = PackedFileWriter(), {"": 0}
    pieces = [writer.begin(), writer.words(list(words))]
    known, batch = len(words), _Batch(words)

    for id, lattice in lattices:
        batch.add(id, lattice)
        if batch.size >= packed.BATCH_SIZE or len(batch) >= packed.BATCH_ROWS:
            pieces += _ended(writer, batch, list(words)[known:])
            known, batch = len(words), _Batch(words)
    if len(batch):
        pieces += _ended(writer, batch, list(words)[known:])
    return b"".join([*pieces, writer.end()])


def _ended(writer: PackedFileWriter, batch: _Batch, new: list[str]) -> list[bytes]:
    return [writer.words(new) if new else b"", writer.batch(batch.columns(), len(batch))]
