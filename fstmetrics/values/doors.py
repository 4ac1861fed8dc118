"""The one way up: what the objects of the lower layers do with the help of the layers above them.

`Lattice.read` is a method of a lattice, but readers are built on lattices. So that method calls
`doors.read_one`. This is the only module that imports from the layers above its own, each name when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fstmetrics.decoding.best_paths import best_paths as best_paths
    from fstmetrics.decoding.depth import lattice_depth as lattice_depth
    from fstmetrics.decoding.pruning import pruned as pruned
    from fstmetrics.grammars.library import load as load
    from fstmetrics.grammars.notation import parse as parse
    from fstmetrics.interop.classical import reference_automaton as reference_automaton
    from fstmetrics.interop.kaldifst import lattice_from_k2 as lattice_from_k2
    from fstmetrics.interop.kaldifst import lattice_from_kaldifst as lattice_from_kaldifst
    from fstmetrics.interop.kaldifst import lattice_to_k2 as lattice_to_k2
    from fstmetrics.interop.kaldifst import lattice_to_kaldifst as lattice_to_kaldifst
    from fstmetrics.interop.openfst import grammar_to_fst as grammar_to_fst
    from fstmetrics.interop.openfst import has_pynini as has_pynini
    from fstmetrics.interop.openfst import lattice_from_fst as lattice_from_fst
    from fstmetrics.interop.openfst import lattice_to_fst as lattice_to_fst
    from fstmetrics.interop.openfst import minimal as minimal
    from fstmetrics.interop.pocketsphinx import lattice_from_pocketsphinx as lattice_from_pocketsphinx
    from fstmetrics.networks.automata import expanded as expanded
    from fstmetrics.networks.svg import lattice_svg as lattice_svg
    from fstmetrics.networks.svg import network_svg as network_svg
    from fstmetrics.readers import read_all as read_all
    from fstmetrics.readers import read_one as read_one
    from fstmetrics.reports.alignment import alignment_text as alignment_text
    from fstmetrics.reports.alignment import corpus_title as corpus_title
    from fstmetrics.reports.alignment import title as title
    from fstmetrics.reports.comparison_report import comparison_dict as comparison_dict
    from fstmetrics.reports.comparison_report import text_lines as text_lines
    from fstmetrics.reports.notebook import comparison_html as comparison_html
    from fstmetrics.reports.notebook import corpus_html as corpus_html
    from fstmetrics.reports.notebook import result_html as result_html
    from fstmetrics.reports.notebook import risk_html as risk_html
    from fstmetrics.reports.notebook import sizes_html as sizes_html
    from fstmetrics.reports.notebook import statistics_html as statistics_html

# The modules of these names, as above; a test holds the two together.
MODULES = {
    "decoding.best_paths": ["best_paths"],
    "decoding.depth": ["lattice_depth"],
    "decoding.pruning": ["pruned"],
    "grammars.library": ["load"],
    "grammars.notation": ["parse"],
    "interop.classical": ["reference_automaton"],
    "interop.kaldifst": ["lattice_from_k2", "lattice_from_kaldifst", "lattice_to_k2", "lattice_to_kaldifst"],
    "interop.openfst": ["grammar_to_fst", "has_pynini", "lattice_from_fst", "lattice_to_fst", "minimal"],
    "interop.pocketsphinx": ["lattice_from_pocketsphinx"],
    "networks.automata": ["expanded"],
    "networks.svg": ["lattice_svg", "network_svg"],
    "readers": ["read_all", "read_one"],
    "reports.alignment": ["alignment_text", "corpus_title", "title"],
    "reports.comparison_report": ["comparison_dict", "text_lines"],
    "reports.notebook": [
        "comparison_html",
        "corpus_html",
        "result_html",
        "risk_html",
        "sizes_html",
        "statistics_html",
    ],
}
_MODULE_OF = {name: module for module, names in MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'fstmetrics.values.doors' has no attribute {name!r}")
    return getattr(import_module(f"fstmetrics.{_MODULE_OF[name]}"), name)
