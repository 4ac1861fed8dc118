"""References widened by grammars, as sides: `widened_side`."""

from __future__ import annotations

from dataclasses import replace
from threading import RLock
from typing import TYPE_CHECKING

from fstmetrics._native import Graph
from fstmetrics.errors import FstmetricsError
from fstmetrics.lattice import Lattice
from fstmetrics.network import Network
from fstmetrics.normalisation import Normalisation
from fstmetrics.renaming import spelled
from fstmetrics.sides import Input, Side, as_side, written_out

if TYPE_CHECKING:
    from fstmetrics.grammars.widening import Widened, Widening

# A reference as the engine wants it, and what was added to it, by which the rules used can be told; None where that is
# nothing, or where the side is over characters.
WidenedSide = tuple[Side, "Widened | None"]

# Whichever thread comes first widens a lattice or network, and the others wait for it.
_WIDENING = RLock()


def widened_side(
    value: Input, normalisation: Normalisation, hypothesis: object, widening: Widening, scale: int
) -> WidenedSide:
    """A reference widened by grammars; lattices and networks keep it.

    Args:
        value: a reference.
        normalisation: changes to its words, made before rules apply.
        hypothesis: what it is compared with; see `fstmetrics.sides.is_sentence`.
        widening: the grammars.
        scale: units of the metric that make 1; what rewriting costs is a whole number of them.

    Raises:
        FstmetricsError: as of `as_side`; a network that is too large to be written out.
    """
    if not isinstance(value, Lattice | Network):
        return _widened(value, normalisation, hypothesis, widening, scale)
    key = (widening, normalisation, scale)
    with _WIDENING:
        kept: dict[object, WidenedSide] = value.__dict__.setdefault("_widened_sides", {})
        if key not in kept:
            kept[key] = _widened(value, normalisation, hypothesis, widening, scale)
        return kept[key]


def _widened(
    value: Input, normalisation: Normalisation, hypothesis: object, widening: Widening, scale: int
) -> WidenedSide:
    by_words = normalisation.unit == "word"
    if widening.has_costs and not by_words:
        raise FstmetricsError("rewriting at a cost works on words, not on characters; rewrite at no cost")
    words = as_side(value, replace(normalisation, unit="word"), hypothesis)
    wider = widening(*written_out(words))
    if wider is None:
        return (words if by_words else as_side(value, normalisation, hypothesis)), None
    if not by_words:
        return spelled(wider.machine, wider.symbols), None
    return Graph(wider.machine, wider.symbols.words, wider.arc_costs(scale)), wider
