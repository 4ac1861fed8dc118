"""Between `Lattice` and the Python objects of kaldifst and k2, arc by arc; nothing goes through a file.

- `lattice_from_kaldifst`, `lattice_to_kaldifst`: Kaldi's lattices, and OpenFst machines as kaldifst has them.
- `lattice_from_k2`, `lattice_to_k2`: k2's machines; scores are logs there, so costs with the opposite sign.

Labels are integers in both. `openfst` has the same for pynini and pywrapfst.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from fstmetrics.data.lattice import Lattice
from fstmetrics.data.symbols import EPSILON_WORDS, labelled_arcs
from fstmetrics.io.arcs import words_of
from fstmetrics.io.formats import k2_machines
from fstmetrics.io.items import Item
from fstmetrics.io.writing import WriteOptions
from fstmetrics.io.written_words import EPSILON_NAME, Numbering, check_words
from fstmetrics.support.arguments import STRING, described
from fstmetrics.support.errors import FstmetricsError, InputError, need

Row = tuple[int, int, int, float, float]


def lattice_from_kaldifst(
    fst: Any, symbols: Mapping[int, str] | None = None, id: str = "", *, numbers: bool = False
) -> Lattice:
    """Convert a `kaldifst.Lattice` or `kaldifst.StdVectorFst`; of a transducer the output side is taken.

    Args:
        fst: the machine. A Lattice has graph and acoustic costs, other weights become graph costs.
        symbols: words of the labels, a mapping or a `kaldifst.SymbolTable`. By default the machine's own, that of
            the outputs, of an acceptor also that of the inputs; if it has none, words are the labels' digits, 0 is no
            word, and the lattice is `numbered`: refused against words.
        id: the lattice's id.
        numbers: the labels of a machine without symbols are words themselves: numbers.

    Raises:
        FstmetricsError: kaldifst is not installed, or a label without a word.
    """
    if not hasattr(fst, "num_states") or not hasattr(fst, "start"):
        raise FstmetricsError(f"expected a kaldifst.Lattice or kaldifst.StdVectorFst, not {described(fst)}")
    STRING.check(id, "id")
    table = symbols if symbols is not None else fst.output_symbols
    is_acceptor = True
    rows: list[Row] = []
    finals: dict[int, tuple[float, float]] = {}
    for state in range(fst.num_states):
        graph, acoustic = _costs(fst.final(state))
        if math.isfinite(graph + acoustic):
            finals[state] = (graph, acoustic)
        for arc in _arcs(fst, state):
            costs = _costs(arc.weight)
            is_acceptor = is_acceptor and arc.ilabel == arc.olabel
            if math.isfinite(sum(costs)):
                rows.append((state, arc.nextstate, arc.olabel, *costs))
    if table is None and is_acceptor:
        table = fst.input_symbols
    has_start = fst.start >= 0  # a machine without one has no path
    if table is not None and not isinstance(table, Mapping):  # a SymbolTable
        labels = {row[2] for row in rows if row[2] >= 0}
        table = {label: word for label in labels if (word := table.find(label))}
    return _lattice(rows, finals if has_start else {}, max(fst.start, 0), fst.num_states, table, id, numbers)


def _costs(weight: Any) -> tuple[float, float]:
    if hasattr(weight, "value1"):
        return weight.value1, weight.value2
    return float(getattr(weight, "value", weight)), 0.0


def _arcs(fst: Any, state: int) -> Iterator[Any]:
    kaldifst = need("kaldifst", "this machine", "kaldi")
    if not isinstance(fst, kaldifst.Lattice):
        yield from kaldifst.ArcIterator(fst, state)
        return
    # kaldifst 1.8 exports no iterator over a lattice's arcs by a public name.
    arcs = need("kaldifst.lib._kaldifst", "", "kaldi")._ArcIteratorLattice(fst, state)
    while not arcs.done:
        yield arcs.value
        arcs.next()


def lattice_to_kaldifst(lattice: Lattice, symbols: Mapping[int, str] | None = None) -> Any:
    """Convert to a `kaldifst.Lattice`: words are output labels, input labels (transition ids) are 0.

    Costs become 32-bit floats. The lattice's scales stay behind. The table of the words that it has is attached to the
    outputs, unless they are the digits of labels or one of them would be read as no word (`<eps>`).

    Args:
        lattice: what to convert.
        symbols: words of the labels; by default labels are those of `lattice.symbols`.

    Raises:
        FstmetricsError: kaldifst is not installed, or a word that `symbols` lacks.
    """
    kaldifst = need("kaldifst", "a lattice of kaldifst", "kaldi")
    labels = _labels(lattice, symbols)
    automaton = lattice.automaton
    fst = kaldifst.Lattice()
    for _ in range(automaton.num_states):
        fst.add_state()
    fst.start = automaton.start
    arcs = labelled_arcs(automaton, labels)
    for (source, destination, label), costs in zip(arcs, automaton.arc_costs.tolist(), strict=True):
        fst.add_arc(source, kaldifst.LatticeArc(0, label, kaldifst.LatticeWeight(*costs), destination))
    for state, costs in zip(automaton.finals.tolist(), automaton.final_costs.tolist(), strict=True):
        fst.set_final(state, kaldifst.LatticeWeight(*costs))
    if not lattice.numbered and EPSILON_WORDS.isdisjoint(lattice.symbols.words):
        table = kaldifst.SymbolTable()
        table.add_symbol(EPSILON_NAME, 0)
        for word, label in zip(lattice.symbols.words[1:], labels[1:], strict=True):
            table.add_symbol(word, label)
        fst.output_symbols = table
    return fst


def lattice_from_k2(
    fsa: Any, symbols: Mapping[int, str] | None = None, id: str = "", *, numbers: bool = False
) -> Lattice:
    """Convert a `k2.Fsa`, one machine; its scores, with their signs turned, become graph costs.

    By k2's documented attributes: `fsa.arcs.values()` are rows of source, destination and label, `fsa.scores` the
    scores, `fsa.aux_labels`, where there are some, the words. Tested against objects with the same attributes: there is
    no wheel of k2 for the Python this was written with.

    Args:
        fsa: the machine; its tensors may be on any device.
        symbols: words of the labels, a mapping or a `k2.SymbolTable`. By default the one that k2 draws the fsa with,
            `fsa.aux_labels_sym` or, where there are no output labels, `fsa.labels_sym`; without it words are the
            labels' digits, 0 is no word, and the lattice is `numbered`: refused against words.
        id: the lattice's id.
        numbers: the labels of a machine without symbols are words themselves: numbers.

    Raises:
        FstmetricsError: a vector of machines, output labels that are lists, or a label without a word.
    """
    if len(getattr(fsa, "shape", (0, 0))) != 2:
        raise FstmetricsError("expected one k2.Fsa, not a vector of them; take one by its index")
    if not hasattr(fsa, "arcs"):
        raise FstmetricsError(f"expected a k2.Fsa, not {described(fsa)}")
    STRING.check(id, "id")
    arcs = _array(fsa.arcs.values())
    outputs = _array(fsa.aux_labels) if hasattr(fsa, "aux_labels") else arcs[:, 2]
    if outputs.shape != arcs.shape[:1]:
        raise FstmetricsError(
            "the fsa's aux_labels are no tensor of one label an arc; lists of labels are read from text, as k2.to_str "
            "writes it (format k2)"
        )
    if symbols is None:
        symbols = getattr(fsa, "aux_labels_sym" if hasattr(fsa, "aux_labels") else "labels_sym", None)
    if symbols is not None and not isinstance(symbols, Mapping):
        symbols = {int(i): symbols[int(i)] for i in symbols.ids}
    into_final = arcs[:, 2] == -1
    words = np.where(into_final, 0, outputs).tolist()
    costs = (0.0 - _array(fsa.scores).astype(np.float64)).tolist()
    rows = list(zip(arcs[:, 0].tolist(), arcs[:, 1].tolist(), words, costs, [0.0] * len(costs), strict=True))
    final = int(fsa.shape[0]) - 1
    kept = [row for row in rows if math.isfinite(row[3])]
    return _lattice(
        kept, {final: (0.0, 0.0)} if final >= 0 else {}, 0, max(final + 1, 1), symbols, id, numbers
    )


def _array(tensor: Any) -> Any:
    for step in ("detach", "cpu"):
        tensor = getattr(tensor, step, lambda tensor=tensor: tensor)()
    return np.asarray(tensor)


def lattice_to_k2(lattice: Lattice, symbols: Mapping[int, str] | None = None) -> Any:
    """Convert to a `k2.Fsa`, an acceptor, by `k2.Fsa.from_str`. Not run against k2 itself, as `lattice_from_k2`.

    Args:
        lattice: what to convert; graph and acoustic costs add up by its scales.
        symbols: words of the labels; by default labels are those of `lattice.symbols`.

    Raises:
        FstmetricsError: k2 is not installed, no path, or a word that `symbols` lacks.
    """
    from fstmetrics.lattices.costs import summed, weighed

    k2 = need("k2", "a machine of k2", "k2")
    check_words(lattice.symbols)
    numbers = dict(zip(lattice.symbols.words, _labels(lattice, symbols), strict=True))
    plain = Lattice(summed(weighed(lattice, lattice.scales)), lattice.symbols)
    options = WriteOptions(Numbering(numbers, False, "given"))
    return k2.Fsa.from_str(b"".join(k2_machines.write(iter([Item(None, plain)]), options)).decode())


def _labels(lattice: Lattice, symbols: Mapping[int, str] | None) -> list[int]:
    """The integer of each label."""
    if symbols is None:
        return list(range(len(lattice.symbols)))
    numbering = Numbering.of_table(symbols, "given")
    return [0, *map(numbering.of, lattice.symbols.words[1:])]


def _lattice(
    rows: list[Row],
    finals: Mapping[int, tuple[float, float]],
    start: int,
    states: int,
    symbols: Mapping[int, str] | None,
    id: str,
    numbers: bool,
) -> Lattice:
    number: dict[int, int] = {}
    labels = np.array([number.setdefault(row[2], len(number)) for row in rows], dtype=np.int32)

    def fail(message: str, arc: int) -> InputError:
        return InputError(f"arc {arc}: {message}")

    words = words_of(list(number), labels, symbols, "given", fail)
    lattice = Lattice.from_labels(
        [row[0] for row in rows], [row[1] for row in rows], labels, words, finals=list(finals), start=start,
        num_states=max(states, 1), costs=[row[3:] for row in rows] or None,
        final_costs=list(finals.values()) or None, id=id,
    )  # fmt: skip
    lattice.numbered = symbols is None and not numbers and any(words)
    return lattice
