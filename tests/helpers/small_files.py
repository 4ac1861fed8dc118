"""Small lattices, networks and lists, as each format writes them: the files of tests/samples/small."""

from __future__ import annotations

from places import DATA


def _text(name: str) -> str:
    return (DATA / "small" / name).read_text(encoding="utf-8")


MESH = _text("utt-1.mesh")
WLAT = _text("lattice.wlat")
PFSG = _text("grammar.pfsg")
CITY = _text("city.pfsg")
GRAPH = _text("search-graph.moses")
SPHINX = _text("lattice.sphinx")
K2 = _text("lattice.k2")
PLF_LINE = _text("line.plf")
TARGET_GRAPH = _text("target-graph.txt")
CDEC_TEXT = _text("forest.cdec")
SCORED = _text("scores.srilm")
# Line by line, the text of a test of k2's own (fsa_utils_test.cu, K2TransducerRagged1) without its first output labels.
RAGGED = _text("ragged.k2")
CICADA = {
    "rules": ["[A] ||| a", '[A] ||| b "', "[S] ||| [A,2] and [A,1]", "[S] ||| [A]"],
    "nodes": [
        [{"tail": [1, 2], "rule": 3, "feature": {"f": -1.5}}, {"tail": [1], "rule": 4}],
        [{"rule": 1, "feature": {"f": -1}}, {"rule": 2, "attribute": {"span": 3}}],
        [{"rule": 2}],
    ],
    "goal": 0,
}
