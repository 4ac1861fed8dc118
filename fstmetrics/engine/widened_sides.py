"""References as the engine wants them, widened by grammars: `widened_side`."""

from __future__ import annotations

from dataclasses import replace
from threading import RLock
from typing import TYPE_CHECKING

from fstmetrics._native import Graph
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.network import Network
from fstmetrics.engine.renaming import spelled
from fstmetrics.engine.sides import Input, Side, as_side
from fstmetrics.engine.written_sides import seen
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import Normalisation

if TYPE_CHECKING:
    from fstmetrics.grammars.widening import Spoken, Widened, Widening

# A reference as the engine wants it, and what was added to it, by which the rules used can be told; None where that is
# nothing, or where the side is over characters.
WidenedSide = tuple[Side, "Widened | None"]

# Whichever thread comes first widens a lattice or network, and the others wait for it.
_WIDENING = RLock()


def widened_side(
    value: Input,
    normalisation: Normalisation,
    hypothesis: object,
    widening: Widening,
    scale: int,
    spoken: Spoken | None = None,
) -> WidenedSide:
    """A reference widened by grammars; lattices and networks keep it, but for compounds.

    Args:
        value: a reference.
        normalisation: changes to its words; punctuation is taken out, and texts are rewritten, after rules apply.
        hypothesis: what it is compared with; see `fstmetrics.engine.sides.is_sentence`.
        widening: the grammars.
        scale: units of the metric that make 1; what rewriting costs is a whole number of them.
        spoken: the hypothesis, where rules depend on it.

    Raises:
        FstmetricsError: as of `as_side`; a network that is too large to be written out.
    """
    if widening.compounds or not isinstance(value, (Lattice, Network)):
        return _widened(value, normalisation, hypothesis, widening, scale, spoken)
    key = (widening, normalisation, scale)
    with _WIDENING:
        kept: dict[object, WidenedSide] = value.__dict__.setdefault("_widened_sides", {})
        if key not in kept:
            kept[key] = _widened(value, normalisation, hypothesis, widening, scale, None)
        return kept[key]


def _widened(
    value: Input,
    normalisation: Normalisation,
    hypothesis: object,
    widening: Widening,
    scale: int,
    spoken: Spoken | None,
) -> WidenedSide:
    by_words = normalisation.unit == "word"
    if widening.has_costs and not by_words:
        raise FstmetricsError("rewriting at a cost works on words, not on characters; rewrite at no cost")
    of_words = normalisation if by_words else replace(normalisation, unit="word")
    wider = widening(seen(value, of_words, hypothesis, widening.has_number_rules), spoken)
    if wider is None:
        return as_side(value, normalisation, hypothesis), None
    if not by_words:
        return spelled(wider.machine, wider.symbols, normalisation.unit), None
    return Graph(wider.machine, wider.symbols.words, wider.arc_costs(scale), wider.only_hits), wider
