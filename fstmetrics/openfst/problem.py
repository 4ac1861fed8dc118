"""One item in numbers: both sides as arcs over one numbering of words, costs in whole units: `Problem`, `problem_of`.

Here is decided what is too large, before anything is built, by formulas for each machine (docs/compile.md): OpenFst
builds a composition as a whole, and a process that runs out of memory then is ended without an exception.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import gcd
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

from fstmetrics._native import Automaton, Graph, Rtn
from fstmetrics.data.network import Network as ReferenceNetwork
from fstmetrics.data.symbols import WILDCARD
from fstmetrics.engine.search import prepared
from fstmetrics.engine.sides import Input, Side, Strings, labelled_words
from fstmetrics.metrics import Metric
from fstmetrics.metrics.path_metric import EditTable, Op, Reordering
from fstmetrics.networks.calls import bottom_up
from fstmetrics.openfst.edit_factors import Labels, WordCost, Words
from fstmetrics.support.errors import FstmetricsError, SearchError
from fstmetrics.support.limits import limits
from fstmetrics.support.printable import counted
from fstmetrics.text.normalisation import PLAIN, Normalisation

if TYPE_CHECKING:
    from fstmetrics.grammars.library import Grammars
    from fstmetrics.grammars.widening import Widened


class SideArc(NamedTuple):
    """An arc of H or R.

    Attributes:
        source, destination: states.
        label: of the word, 0 for none; of a call, where it is a card's.
        cost: what taking it costs beside the operation, in units of the metric's table.
        moves: reordering moves.
    """

    source: int
    destination: int
    label: int
    cost: int = 0
    moves: int = 0


@dataclass
class SideMachine:
    """A side, or one of the cards of a network.

    Attributes:
        states: how many; the start is one of them.
        start: the first.
        finals: the last ones.
        arcs: all arcs.
        longest: words of the longest path; of one with a cycle, as many as there are states.
        is_cyclic: whether it has a cycle, other than loops of a wildcard.
    """

    states: int
    start: int
    finals: Sequence[int]
    arcs: list[SideArc]
    longest: int
    is_cyclic: bool = False


@dataclass
class Network:
    """A side made of cards.

    Attributes:
        cards: by the label of what calls each; the first is the root.
        names: of each, by the same.
    """

    cards: dict[int, SideMachine]
    names: dict[int, str]


@dataclass
class Problem:
    """H, T and R of an item.

    Attributes:
        labels: numbers of words, calls and marks.
        hypothesis, reference: the sides.
        words: of the item, by labels.
        metric: what is computed, in whose units costs are.
        table: the metric's edit automaton.
        word_cost: of words by their labels; None where costs do not depend on words.
        unit: units of the table that are one here: what all costs are multiples of.
        sizes: of H, R and their composition, at most.
        is_credited: whether what is found has to be counted anew; see `fstmetrics.engine.left_out_words.Credited`.
    """

    labels: Labels
    hypothesis: SideMachine | Network
    reference: SideMachine | Network
    words: Words
    metric: Metric
    table: EditTable
    word_cost: WordCost | None
    unit: int
    sizes: tuple[Size, Size, Size]
    is_credited: bool = False

    @property
    def scale(self) -> int:
        """How many units here make 1."""
        return self.table.scale // self.unit


def problem_of(
    hypothesis: Input,
    reference: Input,
    metric: Metric,
    normalisation: Normalisation = PLAIN,
    grammars: Grammars = (),
) -> Problem:
    """H, T and R of an item, as searches get them.

    Raises:
        FstmetricsError: as of `fstmetrics.align`; or the machines are too large, or costs beyond what weights hold.
    """
    sides = prepared(None, [hypothesis], [reference], metric, normalisation, grammars, apart=True)
    h_side, r_side = sides.hypotheses[0], sides.references[0]
    widened = sides.widened[0] if sides.widened else None
    metric = sides.metric
    table = sides.searched.table  # in units that what rewriting costs is a whole number of
    h_size, r_size = size_of_hypothesis(h_side, metric), _size(r_side)
    composed = size_of_composition(h_size, len(table.next), r_size)
    for size, what in (
        (h_size, "H"),
        (r_size, "R"),
        (composed, f"H ∘ T ∘ R, with H of {h_size} and R of {r_size},"),
    ):
        check_size(size, what)
    if WILDCARD in _words(h_side):
        raise SearchError(
            "there is a wildcard <*> in a hypothesis; only references can have one (an ordinary word is written \\<*>)"
        )
    labels = Labels()
    h = _hypothesis(h_side, metric, labels)
    names = list(reference.cards) if isinstance(reference, ReferenceNetwork) else ()
    r = _side(r_side, labels, widened, metric.table.scale, names)
    words = _used(h, r, labels)
    if table.word_cost is not None:
        check_size(
            Size(0, len(words.hypothesis) * len(words.reference)), "T, whose costs depend on the words,"
        )
    word_cost = _by_labels(table, labels) if table.word_cost else None
    costs = _costs(table, word_cost, words, metric.window)
    _refuse_cycles(h, r, min(costs[Op.DELETION], default=0))
    all_costs = [cost for some in costs.values() for cost in some]
    arc_costs = [arc.cost for machine in parts(r) for arc in machine.arcs]
    unit = gcd(table.scale, *all_costs, *arc_costs)
    steps = _longest(h) + _longest(r) + (_longest(h) if metric.window > 1 else 0)
    most = (steps * max(map(abs, all_costs), default=0) + sum(map(abs, arc_costs))) // unit
    if max(most, steps) >= MOST_UNITS:
        raise FstmetricsError(
            f"a path may cost {most} units, {table.scale // unit} of which make 1, and OpenFst's weights, 32-bit "
            f"floats, hold whole numbers below {MOST_UNITS}; give costs with fewer decimals"
        )
    sizes = (h_size, r_size, composed)
    return Problem(
        labels, h, r, words, metric, table, word_cost, unit, sizes, sides.searched is not sides.metric
    )


# OpenFst's weights are 32-bit floats, which have all whole numbers up to there.
MOST_UNITS = 2**24


class Size(NamedTuple):
    """States and arcs of a machine."""

    states: int
    arcs: int

    def __add__(self, other: Size) -> Size:  # type: ignore[override]
        return Size(self.states + other.states, self.arcs + other.arcs)

    def __str__(self) -> str:
        return f"{counted(self.states, 'state')} and {counted(self.arcs, 'arc')}"


def size_of_permutations(words: int, window: int, reordering: Reordering) -> Size:
    """Of Π(x, k), at most: every place has as many states and arcs as one in the middle of a long string.

    A state has a set of k - 1 places, and its arcs are the places left: (k + 1) / 2 of them on average. Where moves
    are counted, the block that is read may end behind any place taken whose neighbour is free: another (k - 2) / 4 of
    the states.

    >>> size_of_permutations(10, 3, "jumps"), size_of_permutations(10, 3, "moves")
    (Size(states=41, arcs=80), Size(states=51, arcs=100))
    """
    k = min(window, words)
    if k < 2:
        return Size(words + 1, words)
    if reordering == "jumps":
        return Size(words * 2 ** (k - 1) + 1, words * (k + 1) * 2 ** (k - 1) // 2)
    return Size(words * (k + 2) * 2 ** (k - 1) // 4 + 1, words * (k + 1) * (k + 2) * 2 ** (k - 1) // 8)


def size_of_network(rtn: Rtn) -> Size:
    """Of a network with every call replaced by a copy of what it calls, at most.

    A call becomes an arc into the copy, and one out of each of its final states.
    """
    cards, known = rtn.cards, dict[int, Size]()
    for number in bottom_up(rtn):
        card = cards[number]
        known[number] = Size(card.num_states, card.num_arcs)
        for label in card.labels.tolist():
            if label < 0:
                known[number] += known[-label - 1] + Size(0, len(cards[-label - 1].finals))
    return known[rtn.root]


def size_of_composition(h: Size, memories: int, r: Size) -> Size:
    """Of H ∘ T ∘ R, at most: M(2 E_H E_R + E_H Q_R + Q_H E_R) arcs, with Q states and E arcs.

    Two arcs lie on each other at once as a match and as a substitution at most; or one stands still, in any of the
    other's states.

    >>> size_of_composition(Size(3, 2), 1, Size(4, 3))
    Size(states=12, arcs=29)
    """
    arcs = memories * (2 * h.arcs * r.arcs + h.arcs * r.states + h.states * r.arcs)
    return Size(memories * h.states * r.states, arcs)


def check_size(size: Size, what: str) -> None:
    """Whether a machine may be built, by the limit on what is written out.

    Raises:
        InputError: it may not; says how many arcs it could have, and how to raise the limit.
    """
    limits().check("expansion", size.arcs, f"{what} could have", "arcs as a machine of OpenFst")


def _refuse_cycles(h: SideMachine | Network, r: SideMachine | Network, deletion: int) -> None:
    """Raise SearchError where there may be no shortest path: a cycle of H, or one of R around which costs fall."""
    if any(machine.is_cyclic for machine in parts(h)):
        raise SearchError("the hypothesis has a cycle; hypotheses must be acyclic")
    if deletion < 0 and any(machine.is_cyclic for machine in parts(r)):
        raise SearchError(
            "the references have a cycle around which deletions cost less than nothing: no path is best"
        )


def size_of_hypothesis(side: Side | Strings, metric: Metric) -> Size:
    """Of H, at most.

    Raises:
        SearchError: a lattice or network, and a window.
    """
    if isinstance(side, Graph):
        if metric.window > 1:
            raise SearchError(
                "reordering in a window is for strings; of a lattice or network, every path would have to be reordered "
                "by itself: take its n-best list, or use window 1"
            )
        return _size(side)
    if are_strings(side):
        parts = [size_of_permutations(len(words), metric.window, metric.reordering) for words in side]
        return sum(parts, Size(1, len(parts)))
    return size_of_permutations(len(labelled(side)), metric.window, metric.reordering)  # type: ignore[arg-type]


def are_strings(side: Side | Strings) -> TypeGuard[Strings]:
    """Whether these are several sentences, each to be reordered by itself."""
    return isinstance(side, tuple) and bool(side) and isinstance(side[0], tuple)


def labelled(side: str | Sequence[str]) -> list[str]:
    """The words of a text, in order."""
    return PLAIN.words(side) if isinstance(side, str) else [word for word in side if word]


def _words(side: Side | Strings) -> Sequence[str]:
    if are_strings(side):
        return [word for words in side for word in words]
    return labelled_words(side)  # type: ignore[arg-type]


def _size(side: Side) -> Size:
    if not isinstance(side, Graph):
        words = len(labelled(side))
        return Size(words + 1, words)
    machine = side.machine
    if isinstance(machine, Rtn):
        return size_of_network(machine)
    return Size(machine.num_states, machine.num_arcs)


# Both sides as arcs


def _hypothesis(side: Side | Strings, metric: Metric, labels: Labels) -> SideMachine | Network:
    if isinstance(side, Graph):
        return _side(side, labels, None, 1, ())
    texts = side if are_strings(side) else [labelled(side)]  # type: ignore[arg-type]
    made = [_reordered(words, metric, labels) for words in texts]
    return made[0] if len(made) == 1 else _beside(made)


def _reordered(words: Sequence[str], metric: Metric, labels: Labels) -> SideMachine:
    number = list(map(labels.word, words))
    cost = metric.table.move_cost
    taken, states, final = permutations(len(words), metric.window, metric.reordering)
    arcs = [SideArc(a, b, number[place], moves * cost, moves) for a, place, moves, b in taken]
    return SideMachine(states, 0, [final], arcs, len(words))


# Π(x, k) as arcs: the permutations of a string in a local window [H12 §3, after Kanthak et al. 2005].
#
# A permutation is read from left to right. Each word taken is at most k - 1 places right of the leftmost word not yet
# taken. So a state is that leftmost place, the set of words taken beyond it, and, where moves are counted, the place
# whose word would continue the block that is being read.


class Taken(NamedTuple):
    """A word taken: from state to state, which word of the string, and whether that is a move."""

    source: int
    position: int
    moves: int
    destination: int


# The leftmost place not yet taken, places taken beyond it, and the place that continues the block or -1.
Reached = tuple[int, frozenset[int], int]


def permutations(words: int, window: int, reordering: Reordering) -> tuple[list[Taken], int, int]:
    """The arcs, the number of states and the final state; state 0 is the start.

    Args:
        words: how many the string has.
        window: k.
        reordering: what is a move; see `fstmetrics.HyTER`.

    >>> arcs, states, final = permutations(3, 2, "moves")
    >>> [(arc.source, arc.position, arc.moves, arc.destination) for arc in arcs]
    [(0, 0, 0, 1), (0, 1, 1, 2), (1, 1, 0, 3), (1, 2, 1, 4), (2, 0, 0, 3), (3, 2, 0, 5), (4, 1, 0, 5)]
    >>> states, final
    (6, 5)
    """
    start: Reached = (0, frozenset(), -1)
    number, todo = {start: 0}, [start]
    arcs: list[Taken] = []
    for here in todo:
        for position, moves, there in _ways_on(here, words, window, reordering):
            if there not in number:
                number[there] = len(number)
                todo.append(there)
            arcs.append(Taken(number[here], position, moves, number[there]))
    return arcs, len(number), number[words, frozenset(), -1]


def _ways_on(
    here: Reached, words: int, window: int, reordering: Reordering
) -> Iterator[tuple[int, int, Reached]]:
    """The place of each word that can be taken next, whether that is a move, and the state behind it."""
    leftmost, taken, continuing = here
    for position in range(leftmost, min(words, leftmost + window)):
        if position in taken:
            continue
        left, beyond = leftmost, taken | {position}
        while left in beyond:
            beyond, left = beyond - {left}, left + 1
        after = position + 1
        # It matters only where it could be taken out of turn.
        matters = reordering == "moves" and left < after < min(words, left + window) and after not in beyond
        yield position, int(position not in (leftmost, continuing)), (left, beyond, after if matters else -1)


def _beside(machines: Sequence[SideMachine]) -> SideMachine:
    """Machines from one start, which an epsilon leads from to each."""
    arcs, finals, states = list[SideArc](), list[int](), 1
    for each in machines:
        arcs.append(SideArc(0, states + each.start, 0))
        arcs += [
            arc._replace(source=states + arc.source, destination=states + arc.destination)
            for arc in each.arcs
        ]
        finals += [states + final for final in each.finals]
        states += each.states
    return SideMachine(states, 0, finals, arcs, max(each.longest for each in machines))


def _side(
    side: Side, labels: Labels, widened: Widened | None, scale: int, names: Sequence[str]
) -> SideMachine | Network:
    if not isinstance(side, Graph):
        words = labelled(side)
        arcs = [SideArc(i, i + 1, labels.word(word)) for i, word in enumerate(words)]
        return SideMachine(len(words) + 1, 0, [len(words)], arcs, len(words))
    machine = side.machine
    if isinstance(machine, Automaton):
        return _automaton(machine, side.words, labels, widened, scale)
    number = [labels.word(word) for word in side.words]
    cards = machine.cards
    if len(names) != len(cards):
        names = [str(card) for card in range(1, len(cards) + 1)]
    calls = [labels.mark(f"[{name}]") for name in names]
    made: dict[int, SideMachine] = {}
    for card in bottom_up(machine):
        called = {call: part.longest for call, part in made.items()}
        arcs = [
            SideArc(source, destination, number[label] if label >= 0 else calls[-label - 1])
            for source, destination, label in _rows(cards[card])
        ]
        made[calls[card]] = _machine(cards[card], arcs, labels, called)
    # The root first.
    order = list(reversed(made))
    return Network({call: made[call] for call in order}, dict(zip(calls, names, strict=True)))


def _automaton(
    machine: Automaton, words: Sequence[str], labels: Labels, widened: Widened | None, scale: int
) -> SideMachine:
    number = [labels.word(word) for word in words]
    costs = widened.arc_costs(scale) if widened else None
    hits = widened.only_hits if widened else None
    arcs = []
    for (source, destination, label), origin in zip(_rows(machine), machine.origins.tolist(), strict=True):
        is_hit = hits is not None and hits[origin] and label
        taken = labels.only_hit(words[label]) if is_hit else number[label]
        arcs.append(SideArc(source, destination, taken, 0 if costs is None else int(costs[origin])))
    return _machine(machine, arcs, labels, {})


def _rows(machine: Automaton) -> Iterator[tuple[int, int, int]]:
    columns = (machine.sources, machine.destinations, machine.labels)
    yield from zip(*(column.tolist() for column in columns), strict=True)


def _machine(
    machine: Automaton, arcs: list[SideArc], labels: Labels, called: Mapping[int, int]
) -> SideMachine:
    """With the words of the longest path; a call has as many as the longest path of what it calls."""
    wildcard = labels.wildcard
    steps = [arc for arc in arcs if not (arc.label == wildcard and arc.source == arc.destination)]
    is_cyclic = any(arc.destination <= arc.source for arc in steps)
    if is_cyclic:
        longest = machine.num_states * max([1, *called.values()])
    else:
        words = [0] * machine.num_states
        for arc in steps:  # in topological order
            more = words[arc.source] + called.get(arc.label, int(arc.label != 0))
            words[arc.destination] = max(words[arc.destination], more)
        longest = max(words, default=0)
    return SideMachine(machine.num_states, machine.start, machine.finals.tolist(), arcs, longest, is_cyclic)


# Words and costs


def parts(side: SideMachine | Network) -> list[SideMachine]:
    """The machines that a side is made of."""
    return list(side.cards.values()) if isinstance(side, Network) else [side]


def _longest(side: SideMachine | Network) -> int:
    """Words of the longest path; the root comes first."""
    return parts(side)[0].longest


def _used(h: SideMachine | Network, r: SideMachine | Network, labels: Labels) -> Words:
    """The words on the arcs of both sides."""
    words, hits, wildcard = labels.words(), labels.only_hits, labels.wildcard
    on = [{arc.label for machine in parts(side) for arc in machine.arcs} for side in (h, r)]
    said, known = (sorted(label for label in some if label in words and label != wildcard) for some in on)
    only_hits = {label: hits[label] for label in sorted(on[1]) if label in hits}
    return Words(said, known, only_hits, wildcard if wildcard in on[1] else None)


def _by_labels(table: EditTable, labels: Labels) -> WordCost:
    """The metric's function of words, by their labels, each once."""
    function, words = table.word_cost, labels.words()
    assert function is not None

    @cache
    def cost(op: Op, hypothesis: int | None, reference: int | None) -> int:
        h, r = (None if label is None else words[label] for label in (hypothesis, reference))
        return function(op, h, r)

    return cost


def _costs(table: EditTable, word_cost: WordCost | None, words: Words, window: int) -> dict[Op, list[int]]:
    """All that each operation may cost; a move is among what insertions do."""
    own = {op: sorted({row[op] for row in table.cost}) for op in Op}
    if word_cost is not None:
        hits = {*words.reference, *words.only_hits.values()} & set(words.hypothesis)
        by_word = {
            Op.MATCH: {word_cost(Op.MATCH, word, word) for word in hits},
            Op.SUBSTITUTION: {
                word_cost(Op.SUBSTITUTION, h, r) for h in words.hypothesis for r in words.reference if h != r
            },
            Op.INSERTION: {word_cost(Op.INSERTION, h, None) for h in words.hypothesis},
            Op.DELETION: {word_cost(Op.DELETION, None, r) for r in words.reference},
        }
        own = {op: sorted({a + b for a in own[op] for b in by_word[op]}) for op in Op}
    if window > 1:
        own[Op.INSERTION] = sorted({*own[Op.INSERTION], table.move_cost})
    return own
