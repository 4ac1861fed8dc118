"""Small machines of OpenFst as SVG, without Graphviz: `machine_svg` of one, `machines_svg` of H, T and R."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fstmetrics.networks.svg import MOST_ARCS, arcs_svg
from fstmetrics.openfst.columns import Columns

if TYPE_CHECKING:
    import pynini

    from fstmetrics.openfst.machines import Machines

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
