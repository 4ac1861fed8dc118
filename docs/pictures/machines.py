"""The drawings of compile.md: `python docs/pictures/machines.py` writes them beside itself. Needs pynini, no Graphviz.

They are the machines that `fstmetrics.compile` makes of the example of the page.
"""

from __future__ import annotations

from pathlib import Path

import pynini

import fstmetrics as fm
from fstmetrics.openfst.machines import machine_svg

HERE = Path(__file__).parent
SAID = "where train station is"
NETWORK = fm.Network(
    [
        fm.Card.from_phrases("S", ["where is [TS]", "[TS] where"]),
        fm.Card.from_phrases("TS", ["the train station", "the railway station"]),
    ],
    "S",
)


def best_paths(machines: fm.Machines) -> pynini.Fst:
    """What the first step of the referee leaves of H ∘ T ∘ R: the shortest paths."""
    return pynini.prune(machines.compose(), weight=0).rmepsilon()


def drawings() -> dict[str, pynini.Fst]:
    """Each by the name of its file."""
    machines = fm.compile(SAID, NETWORK, fm.HyTER(3))
    grr = fm.compile("a b", "a b", fm.GRR(2))
    root, card = machines.cards.values()
    return {
        "compile-line": fm.compile(SAID, NETWORK).hypothesis,
        "compile-h": machines.hypothesis,
        "compile-jumps": fm.compile(
            "where station is", "where is the station", fm.HyTER(2, "jumps")
        ).hypothesis,
        "compile-left": machines.factors[0],
        "compile-right": machines.factors[1],
        "compile-grr": grr.factors[1],
        "compile-root": root,
        "compile-card": card,
        "compile-r": machines.reference.copy().rmepsilon(),
        "compile-best": best_paths(machines),
        "compile-wrr": fm.WRR().compile("the train station"),
    }


def main() -> None:
    """Write all."""
    for name, fst in drawings().items():
        drawn = machine_svg(fst)
        assert drawn is not None, name
        (HERE / f"{name}.svg").write_text(drawn + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
