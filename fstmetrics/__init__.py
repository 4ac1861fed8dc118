"""fstmetrics: error rates, oracles and HyTER as best paths through finite-state machines.

`wer`, `wrr`, `grr` and `hyter` give a number; `align`, `oracle` and `score` give results. A hypothesis or
reference is a string, a sequence of words, a `Lattice`, a `Network`, or a list of those.
"""

from __future__ import annotations

from fstmetrics.errors import FstmetricsError, InputError, SearchError
from fstmetrics.lattice import Lattice, Scales
from fstmetrics.metrics import GRR, METRICS, WER, WRR, EditMetric, HyTER, Metric, Sclite
from fstmetrics.nbest import NBest
from fstmetrics.network import Card, Network
from fstmetrics.normalisation import Normalisation
from fstmetrics.oracles import oracle
from fstmetrics.results import AlignedPair, CorpusResult, OracleResult, Result
from fstmetrics.scoring import SearchOptions, align, grr, hyter, score, wer, wrr
from fstmetrics.sides import Alternatives
from fstmetrics.symbols import SymbolTable
from fstmetrics.version import __version__

__all__ = [
    "GRR",
    "METRICS",
    "WER",
    "WRR",
    "AlignedPair",
    "Alternatives",
    "Card",
    "CorpusResult",
    "EditMetric",
    "FstmetricsError",
    "HyTER",
    "InputError",
    "Lattice",
    "Metric",
    "NBest",
    "Network",
    "Normalisation",
    "OracleResult",
    "Result",
    "Scales",
    "Sclite",
    "SearchError",
    "SearchOptions",
    "SymbolTable",
    "__version__",
    "align",
    "grr",
    "hyter",
    "oracle",
    "score",
    "wer",
    "wrr",
]
