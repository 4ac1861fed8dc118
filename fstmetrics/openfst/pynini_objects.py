"""Between `Lattice` and OpenFst's Python objects (pynini, pywrapfst), which are imported only here.

Machines cross over as bytes in OpenFst's binary form: one call, whatever the size, where adding arcs one
at a time is a call an arc.

- `lattice_from_fst`: a machine of either library to a Lattice.
- `lattice_to_fst`: a Lattice to a pynini acceptor.
- `symbols_to_fst`: a SymbolTable to a pynini one.
- `Columns`: a machine as columns of numbers, to and from objects of pynini.

A grammar as a transducer of OpenFst: `grammar_to_fst`, for work with pynini. Scoring does not use it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fstmetrics._native import FstArchiveReader, Labels, LatticeColumn, Vocabulary
from fstmetrics.data.lattice import Lattice, Scales, scales_of
from fstmetrics.data.symbols import EPSILON, SENTENCE_MARKERS, SymbolTable
from fstmetrics.grammars.expansion import PlainRule, plain_rules
from fstmetrics.grammars.model import BEGIN, Grammar
from fstmetrics.io.arcs import note_errors
from fstmetrics.io.formats.openfst_binary import ARC, STATE, machine_bytes, vector_bytes
from fstmetrics.io.written_words import EPSILON_NAME
from fstmetrics.support.arguments import STRING, described
from fstmetrics.support.errors import FstmetricsError, need
from fstmetrics.support.limits import item_limits
from fstmetrics.support.source import Source
from fstmetrics.text.normalisation import Normalisation

if TYPE_CHECKING:
    import numpy.typing as npt
    import pynini
    import pywrapfst

    Integers = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]

LAST_BYTE = 255
UNCOUNTED = SENTENCE_MARKERS | {""}


def lattice_from_fst(fst: Any, symbols: Any = None, id: str = "", *, numbers: bool = False) -> Lattice:
    """Convert a `pynini.Fst` or `pywrapfst.Fst`; its weights become graph costs.

    Of a transducer the output side is taken.

    Args:
        fst: a machine with standard, log or log64 arcs.
        symbols: words of the labels: a symbol table of either library or a mapping from integers to
            words. By default the machine's own, that of the outputs, of an acceptor also that of the inputs; if it
            has none, words are the labels' digits, and the lattice is `numbered`: refused against words.
        id: the lattice's id.
        numbers: the labels of a machine without symbols are words themselves: numbers.

    Raises:
        FstmetricsError: a label without a word, not such a machine, or labels that look like the bytes of a string.

    >>> import pynini
    >>> words = pynini.SymbolTable()
    >>> words.add_symbol("<eps>"), words.add_symbol("hello"), words.add_symbol("there")
    (0, 1, 2)
    >>> string = pynini.accep("hello there", token_type=words)
    >>> lattice_from_fst(string, words).best_path().words
    ('hello', 'there')
    """
    if not hasattr(fst, "output_symbols"):
        raise FstmetricsError(f"expected a pynini.Fst or pywrapfst.Fst, not {described(fst)}")
    STRING.check(id, "id")
    own = None if symbols is not None else fst.output_symbols() or fst.input_symbols()
    # Without its symbol tables, which would be copied and parsed for nothing.
    bare = _vector(fst).set_input_symbols(None).set_output_symbols(None)
    source = Source("(OpenFst machine)", bare.write_to_string())
    column = _read(source, id, None)
    if symbols is None and (fst.output_symbols() or not column.left_out(0)):
        symbols = own
    labels = [] if column.damaged else list(map(int, column[0].symbols.words[1:]))
    if symbols is None and not numbers:
        _refuse_bytes(fst, labels)
    if symbols is not None:
        names = _names(symbols)
        column = _read(
            source, id, {label: word for label in labels if (word := names.get(label)) is not None}
        )
    lattice: Lattice = column[0]
    lattice.numbered = lattice.numbered and not numbers
    return lattice


def _read(source: Source, id: str, names: dict[int, str] | None) -> LatticeColumn:
    """The machine of a source, its labels named, or numbers; perhaps damaged."""
    vocabulary = Vocabulary()
    labels = Labels(vocabulary, "numbers") if names is None else Labels(vocabulary, "table", names, "given")
    column = LatticeColumn(vocabulary)
    FstArchiveReader(labels, item_limits(), "none").read_one(source.data, 0, id, column)
    note_errors(column, lambda _: source)
    return column


def _refuse_bytes(fst: Any, labels: list[int]) -> None:
    """Refuse a machine of pynini whose labels may be bytes of text, which is how pynini compiles strings."""
    if type(fst).__module__ == "_pynini" and any(labels) and 0 <= min(labels) <= max(labels) <= LAST_BYTE:
        raise FstmetricsError(
            "the machine has no symbol table, and its labels look like the bytes of a string: give the words "
            "(symbols=), compile strings by a table of words (token_type=), or take labels as numbers (numbers=True)"
        )


def _vector(fst: Any) -> Any:
    if fst.fst_type() == "vector":
        return fst.copy()
    import pywrapfst

    return pywrapfst.convert(fst, "vector")


def _names(symbols: Any) -> Mapping[int, str]:
    if isinstance(symbols, Mapping):
        return symbols
    try:
        return {int(label): str(word) for label, word in symbols}
    except (TypeError, ValueError):
        raise FstmetricsError(
            f"symbols are a symbol table or a mapping from integers to words, not {type(symbols).__name__}"
        ) from None


def lattice_to_fst(lattice: Lattice, scales: Scales | None = None) -> pynini.Fst:
    """Convert to a `pynini.Fst`, an acceptor over the tropical semiring with its symbol table attached.

    Args:
        lattice: what to convert; epsilon becomes label 0, `<eps>`.
        scales: how an arc's two costs and its word make its weight; by default the lattice's own.

    Raises:
        FstmetricsError: pynini is not installed.
    """
    pynini = import_pynini()
    scales = scales_of(scales, lattice.scales)
    automaton, weights = lattice.automaton, (scales.lm, scales.acoustic)
    # As in Lattice.best_path: sentence markers pay no word penalty.
    penalties = [scales.word_penalty * (word not in UNCOUNTED) for word in lattice.symbols.words]
    costs = automaton.arc_costs @ weights + np.array(penalties)[automaton.labels]
    fst = pynini.Fst.read_from_string(vector_bytes(automaton, costs, automaton.final_costs @ weights))
    table = symbols_to_fst(lattice.symbols)
    return fst.set_input_symbols(table).set_output_symbols(table)  # type: ignore[no-any-return]


def symbols_to_fst(table: SymbolTable) -> pywrapfst.SymbolTable:
    """Convert to a `pynini.SymbolTable`, epsilon being `<eps>` with label 0.

    Raises:
        FstmetricsError: pynini is not installed.
    """
    symbols = import_pynini().SymbolTable()
    symbols.add_symbol(EPSILON_NAME, EPSILON)
    for label, word in enumerate(table.words[1:], 1):
        symbols.add_symbol(word, label)
    return symbols  # type: ignore[no-any-return]


def import_pynini() -> Any:
    """The pynini module.

    Raises:
        FstmetricsError: it is not installed.
    """
    return need("pynini", "an object of OpenFst", "openfst")


# Left side, right side, cost.
Pair = tuple[tuple[str, ...], tuple[str, ...], float]


def pairs(grammar: Grammar) -> list[Pair]:
    """Every rewriting of the rules without open words, as they are written, once, at the least cost."""
    found: dict[tuple[tuple[str, ...], tuple[str, ...]], float] = {}
    for rule, sides, *_ in _without_open_words(grammar):
        for i in filter(rule.matches, range(len(sides))):
            for j in rule.outputs(i):
                if sides[i] != sides[j]:
                    key = (sides[i], sides[j])
                    found[key] = min(float(rule.cost), found.get(key, float(rule.cost)))
    return [(before, after, cost) for (before, after), cost in found.items()]


def rules_with_pairs(grammar: Grammar) -> set[int]:
    """The lines of the rules that `pairs` are of."""
    return {plain.rule.line for plain in _without_open_words(grammar)}


def _without_open_words(grammar: Grammar) -> Iterator[PlainRule]:
    for plain in plain_rules(grammar, Normalisation()):
        if not any(BEGIN in word for side in plain.sides for word in side):
            yield plain


def grammar_to_fst(grammar: Grammar, words: Iterable[str] = ()) -> pynini.Fst:
    """A transducer that copies words and rewrites, in one pass, stretches that do not overlap, each at its cost.

    R composed with it and projected to its output is the reference R widened. Rules with open words and
    compounds are left out, as they stand for endlessly many; case is as the rules are written.

    Args:
        grammar: the rules.
        words: words to be copied, beside those of the rules.

    Raises:
        FstmetricsError: pynini is not installed.
    """
    rules = pairs(grammar)
    symbols, _ = SymbolTable.intern([*words, *(w for before, after, _ in rules for w in (*before, *after))])
    arcs: list[tuple[int, int, int, float, int]] = [
        (0, label, label, 0, 0) for label in range(1, len(symbols))
    ]
    states = 1
    for before, after, cost in rules:
        length = max(len(before), len(after))
        for i, state in enumerate([0, *range(states, states + length - 1)]):
            read, write = (symbols.index[side[i]] if i < len(side) else EPSILON for side in (before, after))
            following = 0 if i + 1 == length else states + i
            arcs.append((state, read, write, cost if i == 0 else 0, following))
        states += length - 1
    return Columns.made(states, [0], arcs).fst(symbols_to_fst(symbols))


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
