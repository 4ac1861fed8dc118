"""fstmetrics: error rates, oracles and HyTER as best paths through finite-state machines.

`wer`, `wrr`, `grr` and `hyter` give a number; `align`, `oracle` and `score` give results; `compare` tests systems
against a baseline. A hypothesis or reference is a string, a sequence of words, a `Lattice`, a `Network`, or a list
of those.

Names are imported from their modules when they are first used, so that importing the package, as the command
line does for `--help`, costs next to nothing.
"""

from __future__ import annotations

import importlib

from fstmetrics.version import __version__

TYPE_CHECKING = False  # for type checkers it is true; to import typing would take longer than all else here
if TYPE_CHECKING:
    from typing import Any

    from fstmetrics.decoding.minimum_risk import MBR, mbr
    from fstmetrics.errors import FstmetricsError, InputError, SearchError
    from fstmetrics.grammars import Grammar
    from fstmetrics.lattice import Lattice
    from fstmetrics.limits import Limits, limited
    from fstmetrics.metrics import (
        BLEU,
        BLEUSBP,
        GRR,
        METEOR,
        METRICS,
        NIST,
        TER,
        WER,
        WRR,
        ChrF,
        ChrFPlusPlus,
        CorpusMetric,
        EditMetric,
        HyTER,
        Mean,
        Metric,
        Sclite,
        SentenceBLEU,
        TeslaM,
        TextMetric,
    )
    from fstmetrics.nbest import NBest
    from fstmetrics.network import Card, Network
    from fstmetrics.networks import (
        CardTaken,
        NetworkInfo,
        Paths,
        cards_taken,
        network_info,
        normal_form,
        spu,
        union,
    )
    from fstmetrics.normalisation import Normalisation
    from fstmetrics.oracles import oracle
    from fstmetrics.results import AlignedPair, CorpusResult, OracleResult, Result
    from fstmetrics.scales import Scales
    from fstmetrics.scoring import align, grr, hyter, score, wer, wrr
    from fstmetrics.searching import SearchOptions
    from fstmetrics.sides import Alternatives
    from fstmetrics.significance import Comparison, compare
    from fstmetrics.statistics import Statistics
    from fstmetrics.symbols import SymbolTable
    from fstmetrics.transcripts import Transcript

# The module of every name, as above; a test holds the two together.
_MODULES = {
    "errors": ["FstmetricsError", "InputError", "SearchError"],
    "grammars": ["Grammar"],
    "lattice": ["Lattice"],
    "limits": ["Limits", "limited"],
    "metrics": [
        "BLEU",
        "BLEUSBP",
        "GRR",
        "METEOR",
        "METRICS",
        "NIST",
        "TER",
        "WER",
        "WRR",
        "ChrF",
        "ChrFPlusPlus",
        "CorpusMetric",
        "EditMetric",
        "HyTER",
        "Mean",
        "Metric",
        "Sclite",
        "SentenceBLEU",
        "TeslaM",
        "TextMetric",
    ],
    "decoding.minimum_risk": ["MBR", "mbr"],
    "nbest": ["NBest"],
    "network": ["Card", "Network"],
    "networks": [
        "CardTaken",
        "NetworkInfo",
        "Paths",
        "cards_taken",
        "network_info",
        "normal_form",
        "spu",
        "union",
    ],
    "normalisation": ["Normalisation"],
    "oracles": ["oracle"],
    "results": ["AlignedPair", "CorpusResult", "OracleResult", "Result"],
    "scales": ["Scales"],
    "scoring": ["align", "grr", "hyter", "score", "wer", "wrr"],
    "searching": ["SearchOptions"],
    "sides": ["Alternatives"],
    "significance": ["Comparison", "compare"],
    "statistics": ["Statistics"],
    "symbols": ["SymbolTable"],
    "transcripts": ["Transcript"],
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'fstmetrics' has no attribute {name!r}")
    try:
        module = importlib.import_module(f"fstmetrics.{_HOME[name]}")
    except ModuleNotFoundError as error:
        if error.name != "fstmetrics._native":
            raise
        raise ImportError(
            "the compiled core of fstmetrics is missing here: this is the source folder of an install elsewhere. "
            "Install it in place (pip install -e .), or run from another folder"
        ) from error
    value = getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__


__all__ = [
    "BLEU",
    "BLEUSBP",
    "GRR",
    "MBR",
    "METEOR",
    "METRICS",
    "NIST",
    "TER",
    "WER",
    "WRR",
    "AlignedPair",
    "Alternatives",
    "Card",
    "CardTaken",
    "ChrF",
    "ChrFPlusPlus",
    "Comparison",
    "CorpusMetric",
    "CorpusResult",
    "EditMetric",
    "FstmetricsError",
    "Grammar",
    "HyTER",
    "InputError",
    "Lattice",
    "Limits",
    "Mean",
    "Metric",
    "NBest",
    "Network",
    "NetworkInfo",
    "Normalisation",
    "OracleResult",
    "Paths",
    "Result",
    "Scales",
    "Sclite",
    "SearchError",
    "SearchOptions",
    "SentenceBLEU",
    "Statistics",
    "SymbolTable",
    "TeslaM",
    "TextMetric",
    "Transcript",
    "__version__",
    "align",
    "cards_taken",
    "compare",
    "grr",
    "hyter",
    "limited",
    "mbr",
    "network_info",
    "normal_form",
    "oracle",
    "score",
    "spu",
    "union",
    "wer",
    "wrr",
]
