"""The best path of a lattice beside the decoder's own: `OracleResult`, and what may stand beside them both; many of
them in columns: `OracleBatch`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from fstmetrics.data.lattice import Lattice, Scales
from fstmetrics.data.nbest import NBest
from fstmetrics.engine.batch import Batch, BatchRow
from fstmetrics.engine.results import AlignedPair, Result, Rules
from fstmetrics.engine.search import search
from fstmetrics.engine.signatures import ORACLE
from fstmetrics.metrics.wer import WER
from fstmetrics.support.arguments import NUMBER
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import finite

if TYPE_CHECKING:
    from fstmetrics._native import Found
    from fstmetrics.data.depth import Depth, DepthColumn
    from fstmetrics.metrics import Metric


def arcs_of(hypothesis: Any) -> int | None:
    """How many arcs or entries a lattice, forest or list has, of which the best path is an oracle; None of others."""
    from fstmetrics.data.network import Network  # scoring of texts starts without it

    if isinstance(hypothesis, NBest):
        return len(hypothesis.entries)
    if isinstance(hypothesis, Lattice):
        return hypothesis.num_arcs
    is_forest = isinstance(hypothesis, Network)
    return sum(len(card.arcs) for card in hypothesis.cards.values()) if is_forest else None


class Weighed(NamedTuple):
    """A hypothesis that a model and a metric weigh together; see `fstmetrics.lattices.hope_and_fear`.

    Attributes:
        result: the metric's view: words, closest path, counts, score.
        model_cost: the least cost of a path with these words: a weighted negative natural log.
        combined: what was minimised: weight x model cost + metric's cost (hope), or - metric's cost (fear); the
            model costs rounded as the search has them.
    """

    result: Result
    model_cost: float
    combined: float

    def as_dict(self) -> dict[str, Any]:
        """A path in brief with its costs."""
        costs = {"combined": self.combined, "model_cost": self.model_cost, "cost": self.result.cost}
        return costs | self.result._brief()


class Pruned(NamedTuple):
    """A lattice pruned to a beam: how many arcs are left, and their oracle."""

    beam: float
    arcs: int
    result: Result

    def as_dict(self) -> dict[str, Any]:
        """A path in brief with the beam and what it left."""
        return {
            "beam": finite(self.beam),
            "arcs": self.arcs,
            "density": finite(self.density),
        } | self.result._brief()

    @property
    def density(self) -> float:
        """Arcs per word of the chosen reference."""
        return density(self.arcs, self.result.path_length)


class Weights(NamedTuple):
    """What the decoder's own path of a lattice or forest was found with.

    Attributes:
        lm, acoustic, word_penalty: as of `Scales`.
        graph_costs, acoustic_costs: whether any such cost is not zero.
        forest: whether it is a forest.
    """

    lm: float
    acoustic: float
    word_penalty: float
    graph_costs: bool
    acoustic_costs: bool
    forest: bool


class Weighting(NamedTuple):
    """One row of a sweep.

    Attributes:
        lm_scale: the weight of graph costs; None: as the lattice says.
        word_penalty: a cost for every word, as of `Scales`; None: as the lattice says.

    >>> Weighting(10, 0.5).of(Scales())
    Scales(lm=10, acoustic=1.0, word_penalty=0.5)
    """

    lm_scale: float | None = None
    word_penalty: float | None = None

    def of(self, own: Scales) -> Scales:
        """The scales that this is, of a lattice with scales of its own."""
        lm = own.lm if self.lm_scale is None else self.lm_scale
        penalty = own.word_penalty if self.word_penalty is None else self.word_penalty
        return Scales(lm, own.acoustic, penalty)


def weightings(lm_scales: Sequence[float], word_penalties: Sequence[float]) -> tuple[Weighting, ...]:
    """The rows of a sweep: each scale with each penalty; None stands for what the lattices say. None of none.

    Raises:
        FstmetricsError: a weight is no finite number.

    >>> weightings((7, 8), ())
    (Weighting(lm_scale=7, word_penalty=None), Weighting(lm_scale=8, word_penalty=None))
    """
    for value in (*lm_scales, *word_penalties):
        if not NUMBER.holds(value) or not math.isfinite(value):
            raise FstmetricsError(f"a scale or word penalty of a sweep is a finite number, not {value!r:.80}")
    if not (lm_scales or word_penalties):
        return ()
    return tuple(Weighting(*row) for row in product(lm_scales or (None,), word_penalties or (None,)))


class Swept(NamedTuple):
    """The decoder's own best path under one row of a sweep, and the scales that it is of."""

    weighting: Weighting
    scales: Scales
    result: Result

    def as_dict(self) -> dict[str, Any]:
        """A path in brief with the weights."""
        return sweep_fields(self.weighting, self.scales) | self.result._brief()


def sweep_fields(weighting: Weighting, scales: Scales | None) -> dict[str, Any]:
    """A row of a sweep as JSON has it: the weights, and the scales, None where items have different ones.

    Weights that were not asked for are those of the scales.
    """
    if scales is None:
        return weighting._asdict() | {"scales": None}
    own = weighting.of(scales)
    named = {"lm": scales.lm, "acoustic": scales.acoustic, "word_penalty": scales.word_penalty}
    return {"lm_scale": own.lm, "word_penalty": own.word_penalty, "scales": named}


class Part(NamedTuple):
    """A place where the decoder's own path has other words than the best one.

    Attributes:
        at: how many words of the best path come before.
        oracle: the words of the best path there; empty where it has none.
        one_best: those of the decoder's own.
    """

    at: int
    oracle: tuple[str, ...]
    one_best: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """As records have it."""
        return {"at": self.at, "oracle": list(self.oracle), "one_best": list(self.one_best)}

    def text(self, space: str = " ") -> str:
        """In one line, words parted by `space`: `a -> the`."""
        return " -> ".join(space.join(words) or "nothing" for words in (self.one_best, self.oracle))


def parts_of(oracle: Sequence[str], one_best: Sequence[str]) -> tuple[Part, ...]:
    """Where two word sequences part, by the fewest edits.

    >>> parts_of("the cat sat".split(), "a cat".split())
    (Part(at=0, oracle=('the',), one_best=('a',)), Part(at=2, oracle=('sat',), one_best=()))
    """
    if tuple(oracle) == tuple(one_best):
        return ()
    # Words by number: characters may be white space, which no word is.
    number: dict[str, str] = {}
    sides = [tuple(number.setdefault(word, str(len(number))) for word in side) for side in (one_best, oracle)]
    (result,) = search(None, sides[:1], sides[1:], WORDS)
    found: list[Part] = []
    own = other = 0
    begin: tuple[int, int] | None = None
    for pair in (*result.alignment, END):
        if pair.op != "=":
            begin = begin or (other, own)
        elif begin:
            found.append(Part(begin[0], tuple(oracle[begin[0] : other]), tuple(one_best[begin[1] : own])))
            begin = None
        own += pair.hypothesis is not None
        other += pair.reference is not None
    return tuple(found)


WORDS, RULES = WER(), Rules(conditions=(ORACLE,))
END = AlignedPair("=", None, None)


# Further fields of an oracle where nobody asked for them.
BESIDE: dict[str, Any] = {
    "one_best": None, "after": (), "beams": (), "hope": (), "fear": (), "depth": None, "weights": None, "sweep": (),
}  # fmt: skip


class OracleRow(BatchRow):
    """The best path of an item with what stands beside it; its attributes are the fields of an `OracleResult`.

    Args:
        batch, item: which path; a batch that is None is made of `own` when it is looked at.
        arcs: of the lattice.
        own: what has the 1-best, if nothing else stands beside the best path; None where `others` say it all.
        others: further fields, if any.
    """

    __slots__ = ("arcs", "others", "own")

    def __init__(
        self,
        batch: Batch | None,
        item: int,
        arcs: int,
        own: OracleBatch | None,
        others: Mapping[str, Any] = BESIDE,
    ) -> None:
        if batch is not None:
            self.batch = batch
        self.item = item
        self.path = 0
        self.arcs = arcs
        self.own = own
        self.others = others

    def __getattr__(self, name: str) -> Any:
        # Python comes here for all that is not looked at in every result.
        if self.own is not None and name == "batch":
            self.batch = self.own.best
            return self.batch
        if name not in BESIDE:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if self.own is not None and name == "one_best":
            return self.own.one_best[self.item]
        if self.own is not None and name == "weights":
            return self.own.weights[self.item]
        if self.own is not None and name == "beams":
            return self.own.pruned(self.item)
        if self.own is not None and name == "depth":
            return None if self.own.depths is None else self.own.depths[self.item]
        return self.others.get(name, BESIDE[name])


@dataclass(frozen=True, slots=True)
class OracleResult(Result):
    """The best path of a lattice, beside the decoder's own.

    Attributes:
        one_best: the decoder's own best path, scored against the same references; for an n-best list, its
            first entry.
        arcs: arcs of the lattice as read, or entries of an n-best list.
        density: arcs per word of the chosen reference; inf for an empty reference.
        after: for an n-best list, the oracle among the first n entries, n = 1, 2, 5, 10, 20, 50, ... and all.
        beams: the oracle of the lattice pruned to each beam that was asked for.
        hope, fear: where a model's weight was given, what `fstmetrics.lattices.hope_and_fear` finds, best first.
        depth: arcs side by side over time, where it was asked for.
        weights: what `one_best` was found with; None for n-best lists, forests without costs, and text.
        sweep: the decoder's own best path under each of several weights, where they were asked for; `one_best` is then
            None, as none of them is chosen.
    """

    one_best: Result | None = None
    arcs: int = 0
    after: tuple[tuple[int, Result], ...] = ()
    beams: tuple[Pruned, ...] = ()
    hope: tuple[Weighed, ...] = ()
    fear: tuple[Weighed, ...] = ()
    depth: Depth | None = None
    weights: Weights | None = None
    sweep: tuple[Swept, ...] = ()

    @property
    def _rules(self) -> Rules:
        """That it is of an oracle."""
        return RULES

    def counts_only(self) -> OracleResult:
        """The result, and those beside it, without their words."""
        return OracleResult(
            self.metric, self.totals, self.id, stats=self.stats, arcs=self.arcs, depth=self.depth,
            weights=self.weights, unit=self.unit, fields=self.fields,
            one_best=self.one_best and self.one_best.counts_only(),
            after=tuple((n, best.counts_only()) for n, best in self.after),
            beams=tuple(each._replace(result=each.result.counts_only()) for each in self.beams),
            hope=tuple(each._replace(result=each.result.counts_only()) for each in self.hope),
            fear=tuple(each._replace(result=each.result.counts_only()) for each in self.fear),
            sweep=tuple(each._replace(result=each.result.counts_only()) for each in self.sweep),
        )  # fmt: skip

    def __repr__(self) -> str:
        one_best = f", 1-best {self.one_best.score:.4f}" if self.one_best else ""
        return f"{Result.__repr__(self)[:-1]}{one_best})"

    @property
    def density(self) -> float:
        """Arcs per word of the chosen reference."""
        return density(self.arcs, self.path_length)

    @classmethod
    def further_columns(cls, items: Sequence[Result]) -> dict[str, Any]:
        """Arcs, and the score of the decoder's own path, nan where there is none."""
        oracles = [item for item in items if isinstance(item, cls)]
        bests = [oracle.one_best for oracle in oracles]
        return {
            "arcs": [oracle.arcs for oracle in oracles],
            "one_best_score": [best.score if best else math.nan for best in bests],
        }

    @property
    def parts(self) -> tuple[Part, ...]:
        """Where the decoder's own path parts from the best one; empty where they have the same words, or there is none.

        >>> from fstmetrics import Lattice, oracle
        >>> lattice = Lattice.from_arcs([(0, 1, "a"), (0, 1, "the"), (1, 2, "cat")], finals=[2])
        >>> oracle(lattice, "the cat").parts
        (Part(at=0, oracle=('the',), one_best=('a',)),)
        """
        return parts_of(self.hypothesis, self.one_best.hypothesis) if self.one_best else ()

    def _more(self, alignment: bool) -> dict[str, Any]:
        found: dict[str, Any] = {"arcs": self.arcs, "density": finite(self.density)}
        found["one_best"] = self.one_best._brief() if self.one_best else None
        if self.one_best and alignment:
            written = self.one_best.as_dict()
            found["one_best"] |= {name: written[name] for name in ("closest", "alignment")}
            found["one_best"]["parts"] = [part.as_dict() for part in self.parts]
        if self.after:
            found["after"] = [{"entries": n} | best._brief() for n, best in self.after]
        for name in ("beams", "hope", "fear", "sweep"):
            if paths := getattr(self, name):
                found[name] = [path.as_dict() for path in paths]
        if self.depth:
            found["depth"] = self.depth.as_dict()
        return found


class OracleBatch(Sequence[OracleResult]):
    """Oracles of lattices with their 1-bests, of one call of the engine: a sequence of `OracleResult`.

    Args:
        found: of each lattice two items: its best path, and its own best path's words.
        metric: what was computed.
        ids: names of the lattices, or None.
        arcs: how many each has.
        weights: makes what each 1-best was found with, when it is looked at.
        beams: what each beam leaves: the beam, the arcs of each lattice, and the best paths.
        depths: of all lattices, where they are asked for.
        nbest: how many paths were asked for.
    """

    def __init__(
        self,
        found: Found,
        metric: Metric,
        ids: Sequence[str | None] | None,
        arcs: Sequence[int],
        weights: Callable[[], Sequence[Weights]],
        beams: Sequence[tuple[float, Sequence[int], Batch]] = (),
        depths: DepthColumn | None = None,
        nbest: int = 1,
    ) -> None:
        self.found = found
        self.metric, self.ids, self.nbest = metric, ids, nbest
        self.arcs, self._weights = arcs, weights
        self.beams, self.depths = beams, depths

    @cached_property
    def best(self) -> Batch:
        """The best paths."""
        return Batch(self.found.part(0, 2), self.metric, self.ids, self.nbest)

    @cached_property
    def one_best(self) -> Batch:
        """The 1-bests."""
        return Batch(self.found.part(1, 2), self.metric, self.ids, self.nbest)

    @cached_property
    def weights(self) -> Sequence[Weights]:
        """What each 1-best was found with."""
        return self._weights()

    def pruned(self, item: int) -> tuple[Pruned, ...]:
        """What beams leave of a lattice."""
        return tuple(Pruned(beam, arcs[item], batch[item]) for beam, arcs, batch in self.beams)

    def __len__(self) -> int:
        return len(self.arcs)

    @overload
    def __getitem__(self, index: int) -> OracleResult: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[OracleResult, ...]: ...
    def __getitem__(self, index: int | slice) -> OracleResult | tuple[OracleResult, ...]:
        items = range(len(self))[index]
        return self._result(items) if isinstance(items, int) else tuple(map(self._result, items))

    def __iter__(self) -> Iterator[OracleResult]:
        return map(self._result, range(len(self)))

    def _result(self, item: int) -> OracleResult:
        return OracleResult.of_row(OracleRow(None, item, self.arcs[item], self))


def density(arcs: int, words: int) -> float:
    """Arcs per word of the chosen reference; inf for an empty one."""
    return arcs / words if words else math.inf
