"""The classical automaton of a metric and a reference [C08 §4.3], as an OpenFst acceptor with tropical weights.

Composing a lattice with it and taking the shortest path is the textbook way to an oracle. The engine does not
use it; it is for export, and for OpenFst to be the referee. Needs pynini.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fstmetrics.data.symbols import EPSILON, SymbolTable
from fstmetrics.metrics.path_metric import Metric, Op, match_is_best
from fstmetrics.openfst.pynini_objects import Columns, import_pynini, symbols_to_fst
from fstmetrics.support.errors import FstmetricsError

if TYPE_CHECKING:
    import pynini

# The word that stands for any word where no symbol table spells it out.
STAR = "★"

# An arc as OpenFst's text has it: source, destination, word, cost.
Arc = tuple[int, int, str, float]


def reference_automaton(metric: Metric, reference: str | Sequence[str], symbols: Any = None) -> pynini.Fst:
    """Build the automaton: states (i, m), reference position and memory; final where i = |r|.

    Match r_{i+1}: (i, m) -> (i+1, m'). Deletion: the same on epsilon. Substitution: on any word ★. Insertion: on any
    word, i stays. Weights are costs, a gain being a negative cost. Of any metric, with reordering too, and of
    references that branch, `fstmetrics.compile` makes machines.

    Args:
        metric: what costs what.
        reference: a string or its words.
        symbols: the words that ★ stands for, a `SymbolTable` or `pynini.SymbolTable`: every ★ becomes an arc a
            word, of substitutions one for each word but the matching one. None leaves ★ as a label of its own: it
            includes the matching word, as in the paper, which changes no best path where a match is never worse.

    Returns:
        An acceptor with |r| + 1 times as many states as the metric has memories, symbol table attached.

    Raises:
        FstmetricsError: pynini is not installed; the metric reorders words; a reference word is missing from
            `symbols`; or there are no `symbols`, and costs depend on words, or a match may be worse than a
            substitution.

    >>> from fstmetrics import WRR
    >>> fst = reference_automaton(WRR(), "the cat")
    >>> fst.num_states(), fst.num_arcs(0)
    (3, 4)
    """
    import_pynini()
    if metric.window > 1:
        raise FstmetricsError(
            f"{metric.name} reorders the words of the hypothesis in a window of {metric.window}, which no automaton of "
            "the reference alone does; fstmetrics.compile(hypothesis, reference, metric) has machines for it"
        )
    words = reference.split() if isinstance(reference, str) else list(reference)
    known = symbols_to_fst(symbols) if isinstance(symbols, SymbolTable) else symbols
    if known is None and metric.table.word_cost is not None:
        raise FstmetricsError(
            "the metric's costs depend on the words: give the symbol table of the words that ★ means"
        )
    if known is None and not match_is_best(metric.table):
        raise FstmetricsError(
            "★ would let a word stand for itself, and under this metric that may cost less than a match: give the "
            "symbol table of the words that ★ means"
        )
    if known is None and STAR in words:
        raise FstmetricsError(
            "the reference has the word ★, which without a symbol table stands for any word: give the symbol table "
            "of the words that ★ means"
        )
    names = known or symbols_to_fst(SymbolTable(dict.fromkeys([*words, STAR])))
    number = {word: label for label, word in names if label != EPSILON}
    if strange := [word for word in words if word not in number]:
        raise FstmetricsError(f"the reference word {strange[0]!r} is not in the symbol table")
    memories = len(metric.table.next)
    finals = range(len(words) * memories, (len(words) + 1) * memories)
    arcs = _arcs(metric, words, list(number) if known else [STAR])
    labels = {**number, "": EPSILON}
    rows = (
        (source, labels[word], labels[word], cost, destination) for source, destination, word, cost in arcs
    )
    return Columns.made(finals.stop, finals, rows).fst(names)


def _arcs(metric: Metric, words: Sequence[str], any_word: Sequence[str]) -> Iterator[Arc]:
    table = metric.table
    memories = len(table.next)

    def cost(op: Op, memory: int, hypothesis: str | None, reference: str | None) -> float:
        words = 0 if table.word_cost is None else table.word_cost(op, hypothesis, reference)
        return (table.cost[memory][op] + words) / table.scale

    for i in range(len(words) + 1):
        word = words[i] if i < len(words) else None
        for memory in range(memories):
            here, beyond = i * memories + memory, (i + 1) * memories
            follow = table.next[memory]
            if word is not None:
                yield here, beyond + follow[Op.MATCH], word, cost(Op.MATCH, memory, word, word)
                yield here, beyond + follow[Op.DELETION], "", cost(Op.DELETION, memory, None, word)
                for star in any_word:
                    if star != word:
                        other = beyond + follow[Op.SUBSTITUTION]
                        yield here, other, star, cost(Op.SUBSTITUTION, memory, star, word)
            for star in any_word:
                yield here, i * memories + follow[Op.INSERTION], star, cost(Op.INSERTION, memory, star, None)
