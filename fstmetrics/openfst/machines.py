"""`compile`: an item as real machines of OpenFst, H, T and R, whose composition has the answer: `Machines`.

`machine_svg` draws a small one, and `machines_svg` all three, without Graphviz.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from fstmetrics.engine.search import SETTINGS, all_grammars
from fstmetrics.engine.sides import Input
from fstmetrics.metrics import Metric, as_metric
from fstmetrics.networks.svg import MOST_ARCS, arcs_svg
from fstmetrics.openfst.edit_factors import factors_of
from fstmetrics.openfst.problem import Network, Problem, SideArc, SideMachine, Size, check_size, problem_of
from fstmetrics.openfst.pynini_objects import Columns, import_pynini
from fstmetrics.support.arguments import FLAG, by_name, check_pair
from fstmetrics.support.printable import in_a_line
from fstmetrics.text.normalisation import PLAIN, Normalisation

if TYPE_CHECKING:
    import pynini
    import pywrapfst

    from fstmetrics.grammars.library import Grammars


class Machines:
    """H, T and R of one item as objects of pynini, made when they are looked at; what `fstmetrics.compile` gives.

    Weights are costs: that of the shortest path through H ∘ T ∘ R is `fstmetrics.align(...).cost`, exactly where costs
    are sums of powers of two, as 1, 3 and 0.25 are. Others, as 0.9, OpenFst rounds to 32 bits. With `units` weights are
    whole numbers, `scale` of which make 1, and nothing is rounded.

    Attributes:
        scale: what weights are divided by to be costs.
    """

    def __init__(self, problem: Problem, units: bool = False) -> None:
        self._problem = problem
        self._units = units
        self.scale = problem.scale if units else 1

    def __repr__(self) -> str:
        h, r, _ = self._problem.sizes
        return in_a_line(self, metric=self._problem.metric.name, H=f"at most {h}", R=f"at most {r}")

    @cached_property
    def symbols(self) -> pywrapfst.SymbolTable:
        """The words of both sides, and what is no word: `<eps>`, marks of operations, calls of cards `[NAME]`."""
        self._factor_columns  # noqa: B018 (it adds the marks)
        return self._problem.labels.table()

    @cached_property
    def hypothesis(self) -> pynini.Fst:
        """H: an acceptor of the hypotheses; of a string and a window Π(x, k), whose arcs carry the price of moves."""
        return self._side(self._problem.hypothesis)

    @cached_property
    def reference(self) -> pynini.Fst:
        """R: an acceptor of the references; of a network with every call replaced by what it calls."""
        return self._side(self._problem.reference)

    @cached_property
    def metric(self) -> pynini.Fst:
        """T: a transducer from words of H to words of R, with the metric's memories as states.

        It is the composition of `factors`, and has an arc for each pair of words, which these have not.

        Raises:
            InputError: that is too much.
        """
        words, memories = self._problem.words, len(self._problem.table.next)
        pairs = memories * (len(words.hypothesis) + 1) * (len(words.reference) + 1)
        check_size(Size(memories, pairs), "T, which has factors that are smaller,")
        left, right = self.factors
        return import_pynini().compose(left.copy().arcsort("olabel"), right)  # type: ignore[no-any-return]

    @cached_property
    def factors(self) -> tuple[pynini.Fst, pynini.Fst]:
        """T in two: from words of H to themselves or marks of operations, and from these to words of R."""
        left, right = self._factor_columns
        return left.fst(self.symbols), right.fst(self.symbols)

    @cached_property
    def cards(self) -> Mapping[str, pynini.Fst]:
        """The cards of a network by their names, the root first, with their calls `[NAME]`; else R alone, as `R`."""
        reference = self._problem.reference
        if not isinstance(reference, Network):
            return {"R": self.reference}
        return {
            reference.names[call]: self._columns(card).fst(self.symbols)
            for call, card in reference.cards.items()
        }

    @property
    def has_cards(self) -> bool:
        """Whether R is a network."""
        return isinstance(self._problem.reference, Network)

    @property
    def calls(self) -> Mapping[str, int]:
        """The label that calls each of `cards`; none where R is no network."""
        reference = self._problem.reference
        if not isinstance(reference, Network):
            return {}
        return {reference.names[call]: call for call in reference.cards}

    def in_units(self) -> Machines:
        """The same with whole numbers as weights."""
        return self if self._units else Machines(self._problem, units=True)

    @property
    def sizes(self) -> dict[str, Size]:
        """States and arcs of H, of R and of H ∘ T ∘ R at most, by formulas (docs/compile.md)."""
        return dict(zip(("H", "R", "H ∘ T ∘ R"), self._problem.sizes, strict=True))

    def built_sizes(self) -> dict[str, Size]:
        """States and arcs of H, of both factors of T, and of R, or of its cards."""
        left, right = self.factors
        named = {"H": self.hypothesis, "T, left factor": left, "T, right factor": right}
        named |= (
            {f"R, card {name}": card for name, card in self.cards.items()} if self.has_cards else self.cards
        )
        return {
            name: Size(fst.num_states(), sum(map(fst.num_arcs, fst.states()))) for name, fst in named.items()
        }

    def compose(self) -> pynini.Fst:
        """H ∘ T ∘ R, by way of the factors."""
        left, right = self.factors
        return composed(self.hypothesis, left, right, self.reference)

    def shortest(self) -> pynini.Fst:
        """A shortest path of H ∘ T ∘ R: words of H and what becomes of them; of equally short ones any."""
        return import_pynini().shortestpath(self.compose()).topsort()  # type: ignore[no-any-return]

    def _repr_svg_(self) -> str | None:
        return machines_svg(self)

    def tagged(self) -> tuple[pynini.Fst, int]:
        """H with other input labels for words whose taking is a move, and by how much these differ."""
        shift = len(self._problem.labels)
        hypothesis = self._problem.hypothesis
        if isinstance(hypothesis, Network):
            return self.hypothesis, shift
        return self._columns(hypothesis, shift).fst(), shift

    @cached_property
    def _factor_columns(self) -> tuple[Columns, Columns]:
        p = self._problem
        return factors_of(p.table, p.words, p.labels, self._weight, p.word_cost)

    def _weight(self, units: int) -> float:
        return units // self._problem.unit if self._units else units / self._problem.table.scale

    def _side(self, side: SideMachine | Network) -> pynini.Fst:
        if not isinstance(side, Network):
            return self._columns(side).fst(self.symbols)
        import pywrapfst

        pairs = [(call, self._columns(card).fst()) for call, card in side.cards.items()]
        fst = import_pynini().Fst.from_pywrapfst(pywrapfst.replace(pairs, epsilon_on_replace=True))
        return fst.set_input_symbols(self.symbols).set_output_symbols(self.symbols).connect()  # type: ignore[no-any-return]

    def _columns(self, machine: SideMachine, shift: int = 0) -> Columns:
        def arc(a: SideArc) -> tuple[int, int, int, float, int]:
            return a.source, a.label + shift * a.moves, a.label, self._weight(a.cost), a.destination

        found = Columns.made(machine.states, machine.finals, map(arc, machine.arcs))
        return found._replace(start=machine.start)


def composed(
    hypothesis: pynini.Fst, left: pynini.Fst, right: pynini.Fst, reference: pynini.Fst
) -> pynini.Fst:
    """H ∘ T ∘ R, T being given in its factors; machines that are given stay as they are.

    Without a filter of epsilons: states are pairs of states then, and that some paths are there several times, in
    another order of epsilons, changes no shortest one.
    """

    def compose(one: pynini.Fst, other: pynini.Fst) -> pynini.Fst:
        return import_pynini().compose(one, other, compose_filter="trivial")  # type: ignore[no-any-return]

    before = compose(hypothesis, left.copy().arcsort("ilabel")).arcsort("olabel")
    return compose(before, compose(right.copy().arcsort("olabel"), reference.copy().arcsort("ilabel")))


@by_name(SETTINGS)
def compile(
    hypothesis: Input,
    reference: Input,
    metric: str | Metric = "wer",
    *,
    normalisation: Normalisation = PLAIN,
    grammars: Grammars = (),
    units: bool = False,
) -> Machines:
    """A `hypothesis` and its `reference` as machines of OpenFst: H, T and R. Needs pynini.

    The shortest path of their composition has the cost that `align` finds. docs/compile.md draws and explains them.

    Args:
        hypothesis, reference, metric, normalisation, grammars: as of `fstmetrics.align`.
        units: whether weights are whole numbers, `Machines.scale` of which make 1.

    Raises:
        FstmetricsError: pynini is not installed; as of `align`; machines too large to be built; or costs beyond what
            32-bit floats hold.

    >>> from fstmetrics import HyTER
    >>> machines = compile("where train station is", "where is the train station", HyTER(3))
    >>> composition = machines.hypothesis @ machines.metric @ machines.reference
    >>> import pynini
    >>> print(pynini.shortestdistance(composition, reverse=True)[composition.start()])
    2
    """
    import_pynini()
    FLAG.check(units, "units")
    check_pair(hypothesis, reference)
    wider = all_grammars(grammars, normalisation)
    return Machines(problem_of(hypothesis, reference, as_metric(metric), normalisation, wider), units)


# In pixels: the line of a name over a drawing.
NAME = 22
# T has all its arcs between few states.
LABELS = 40
SIZE = re.compile(r'width="(\d+)" height="(\d+)"')


def machine_svg(fst: pynini.Fst) -> str | None:
    """A machine with its symbols; None where it is too large to be drawn.

    An arc is labelled `word/cost`, or `in:out/cost` where both sides differ; no word is ε, and a cost of 0 is left out.
    """
    arcs = Columns.of(fst)
    if len(arcs.sources) > MOST_ARCS:
        return None
    names = [dict(table) for table in (fst.input_symbols() or [], fst.output_symbols() or [])]

    def name(side: int, label: int) -> str:
        return names[side].get(label, str(label)) if label else "ε"

    labels = []
    for given, taken, weight in zip(
        arcs.inputs.tolist(), arcs.outputs.tolist(), arcs.weights.tolist(), strict=True
    ):
        words = name(0, given) if given == taken else f"{name(0, given)}:{name(1, taken)}"
        labels.append(f"{words}/{weight:g}" if weight else words)
    ends = zip(arcs.sources.tolist(), arcs.destinations.tolist(), labels, strict=True)
    finals = [state for state, weight in enumerate(arcs.finals.tolist()) if weight != float("inf")]
    return arcs_svg(ends, arcs.start, finals, LABELS)


def machines_svg(machines: Machines) -> str | None:
    """H, T and R, one over the other, each with its name; None where one is too large to be drawn."""
    named = {"H": machines.hypothesis, "T": machines.metric, "R": machines.reference}
    rows, top, most = list[str](), 0, 0
    for name, fst in named.items():
        drawn = machine_svg(fst)
        if drawn is None:
            return None
        size = SIZE.search(drawn)
        assert size is not None
        width, height = map(int, size.groups())
        rows.append(f'<text x="6" y="{top + NAME - 6}" font-weight="bold">{name}</text>')
        rows.append(drawn.replace("<svg ", f'<svg y="{top + NAME}" ', 1))
        top, most = top + NAME + height, max(most, width)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{most}" height="{top}" '
        'font-family="Helvetica,Arial,sans-serif" font-size="12">'
    )
    return "\n".join([head, f'<rect width="{most}" height="{top}" rx="6" fill="#fff"/>', *rows, "</svg>"])
