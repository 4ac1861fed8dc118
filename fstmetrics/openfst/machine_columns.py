"""Machines of OpenFst as columns of numbers: `Columns`, to and from objects of pynini in one call.

pynini adds and changes arcs one at a time, a call an arc. As bytes a machine crosses over at once.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fstmetrics.io.fst_binary import ARC, STATE, machine_bytes
from fstmetrics.openfst.pynini_objects import import_pynini

if TYPE_CHECKING:
    import numpy.typing as npt
    import pynini

    Integers = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]

# Behind the names of machine and arcs: version, flags, properties, start, states and arcs.
HEADER = struct.Struct("<iiQqqq")
STATE_HEAD = struct.Struct("<fq")


class Columns(NamedTuple):
    """A transducer over the tropical semiring.

    Attributes:
        start: the first state.
        finals: the weight of each state as a final one, infinite where it is none; shape [states].
        sources, inputs, outputs, destinations: states and labels of the arcs, shape [arcs].
        weights: of the arcs.
    """

    start: int
    finals: Floats
    sources: Integers
    inputs: Integers
    outputs: Integers
    weights: Floats
    destinations: Integers

    @classmethod
    def made(
        cls, states: int, finals: Iterable[int], arcs: Iterable[tuple[int, int, int, float, int]]
    ) -> Columns:
        """A machine that begins in state 0.

        Args:
            states: how many.
            finals: which are final, at no cost.
            arcs: source, input, output, weight, destination.
        """
        weights = np.full(states, np.inf)
        weights[list(finals)] = 0
        rows = np.array(list(arcs), dtype=np.float64).reshape(-1, 5)
        sources, inputs, outputs, _, destinations = rows.astype(np.int64).T
        return cls(0, weights, sources, inputs, outputs, rows[:, 3], destinations)

    @classmethod
    def of(cls, fst: pynini.Fst) -> Columns:
        """The columns of a vector machine with standard arcs; symbol tables are left behind."""
        data = fst.copy().set_input_symbols(None).set_output_symbols(None).write_to_string()
        at = 4
        for _ in range(2):  # the names of machine and arcs
            (length,) = struct.unpack_from("<i", data, at)
            at += 4 + length
        *_, start, states, _ = HEADER.unpack_from(data, at)
        at += HEADER.size
        finals = np.empty(states)
        pieces, numbers = [], np.empty(states, dtype=np.int64)
        for state in range(states):
            finals[state], numbers[state] = STATE_HEAD.unpack_from(data, at)
            at += STATE.itemsize
            end = at + int(numbers[state]) * ARC.itemsize
            pieces.append(data[at:end])
            at = end
        arcs = np.frombuffer(b"".join(pieces), dtype=ARC)
        names = ("input", "output", "weight", "next")
        inputs, outputs, weights, destinations = (arcs[name] for name in names)
        return cls(
            start, finals, np.repeat(np.arange(states), numbers), inputs.astype(np.int64),
            outputs.astype(np.int64), weights.astype(np.float64), destinations.astype(np.int64),
        )  # fmt: skip

    def fst(self, symbols: Any = None) -> pynini.Fst:
        """The machine as an object of pynini.

        Args:
            symbols: a symbol table of pynini for both sides.

        Raises:
            FstmetricsError: pynini is not installed.
        """
        order = np.argsort(self.sources, kind="stable")
        arcs, states = np.zeros(len(order), dtype=ARC), np.zeros(len(self.finals), dtype=STATE)
        columns = (self.inputs, self.outputs, self.weights, self.destinations)
        for name, column in zip(("input", "output", "weight", "next"), columns, strict=True):
            arcs[name] = column[order]
        states["weight"] = self.finals
        data = machine_bytes("standard", self.start, self.sources[order], states, arcs)
        fst = import_pynini().Fst.read_from_string(data)
        return fst.set_input_symbols(symbols).set_output_symbols(symbols)  # type: ignore[no-any-return]
