"""Between `Lattice` and OpenFst's Python objects (pynini, pywrapfst), which are imported only here.

Machines cross over as bytes in OpenFst's binary form: one call, whatever the size, where adding arcs one
at a time is a call an arc.

- `lattice_from_fst`: a machine of either library to a Lattice.
- `lattice_to_fst`: a Lattice to a pynini acceptor.
- `symbols_to_fst`: a SymbolTable to a pynini one.

A grammar as a transducer of OpenFst: `grammar_to_fst`, for work with pynini. Scoring does not use it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics._native import FstArchiveReader, Labels, LatticeColumn, Vocabulary
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.scales import Scales, scales_of
from fstmetrics.data.symbols import EPSILON, SENTENCE_MARKERS, SymbolTable
from fstmetrics.grammars.expansion import PlainRule, plain_rules
from fstmetrics.grammars.model import BEGIN, Grammar
from fstmetrics.io.arcs import note_errors
from fstmetrics.io.fst_binary import vector_bytes
from fstmetrics.io.written_words import EPSILON_NAME
from fstmetrics.support.arguments import STRING, described
from fstmetrics.support.errors import FstmetricsError, need
from fstmetrics.support.limits import item_limits
from fstmetrics.support.source import Source
from fstmetrics.text.normalisation import Normalisation

if TYPE_CHECKING:
    import pynini
    import pywrapfst


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
    fst = pynini.Fst.read_from_string(_binary(lattice, scales_of(scales, lattice.scales)))
    table = symbols_to_fst(lattice.symbols)
    return fst.set_input_symbols(table).set_output_symbols(table)  # type: ignore[no-any-return]


def _binary(lattice: Lattice, scales: Scales) -> bytes:
    automaton, weights = lattice.automaton, (scales.lm, scales.acoustic)
    # As in Lattice.best_path: sentence markers pay no word penalty.
    penalties = [scales.word_penalty * (word not in UNCOUNTED) for word in lattice.symbols.words]
    costs = automaton.arc_costs @ weights + np.array(penalties)[automaton.labels]
    return vector_bytes(automaton, costs, automaton.final_costs @ weights)


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
    pynini = import_pynini()
    rules = pairs(grammar)
    symbols, _ = SymbolTable.intern([*words, *(w for before, after, _ in rules for w in (*before, *after))])
    fst = pynini.Fst()
    start = fst.add_state()
    fst.set_start(start)
    fst.set_final(start)
    for label in range(1, len(symbols)):
        fst.add_arc(start, pynini.Arc(label, label, 0, start))
    for before, after, cost in rules:
        state = start
        for i in range(length := max(len(before), len(after))):
            following = start if i + 1 == length else fst.add_state()
            read, write = (symbols.index[side[i]] if i < len(side) else EPSILON for side in (before, after))
            fst.add_arc(state, pynini.Arc(read, write, cost if i == 0 else 0, following))
            state = following
    table = symbols_to_fst(symbols)
    return fst.set_input_symbols(table).set_output_symbols(table)  # type: ignore[no-any-return]
