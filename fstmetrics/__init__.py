"""fstmetrics: error rates, oracles and HyTER as best paths through finite-state machines.

`wer`, `wrr`, `grr` and `hyter` give a number; `align`, `oracle` and `score` give results; `compare` tests systems
against a baseline. A hypothesis or reference is a string, a sequence of words, a `Lattice`, a `Network`, or a list
of those.

Names are imported from their modules when they are first used, so that importing the package, as the command
line does for `--help`, costs next to nothing.
"""

from __future__ import annotations

import importlib

from fstmetrics.support.version import __version__

TYPE_CHECKING = False  # for type checkers it is true; to import typing would take longer than all else here
if TYPE_CHECKING:
    from typing import Any

    from fstmetrics.decoding.minimum_risk import MBR, mbr
    from fstmetrics.decoding.oracles import oracle
    from fstmetrics.evaluation.significance import Comparison, compare
    from fstmetrics.grammars import Grammar
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
    from fstmetrics.scoring.api import align, grr, hyter, score, wer, wrr
    from fstmetrics.scoring.results import AlignedPair, CorpusResult, OracleResult, Result
    from fstmetrics.scoring.search import SearchOptions
    from fstmetrics.scoring.sides import Alternatives
    from fstmetrics.scoring.statistics import Statistics
    from fstmetrics.support.errors import FstmetricsError, InputError, SearchError
    from fstmetrics.support.limits import Limits, limited
    from fstmetrics.values.lattice import Lattice
    from fstmetrics.values.nbest import NBest
    from fstmetrics.values.network import Card, Network
    from fstmetrics.values.normalisation import Normalisation
    from fstmetrics.values.scales import Scales
    from fstmetrics.values.symbols import SymbolTable
    from fstmetrics.values.transcripts import Transcript

# The module of every name, as above; a test holds the two together.
_MODULES = {
    "decoding.minimum_risk": ["MBR", "mbr"],
    "decoding.oracles": ["oracle"],
    "evaluation.significance": ["Comparison", "compare"],
    "grammars": ["Grammar"],
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
    "scoring.api": ["align", "grr", "hyter", "score", "wer", "wrr"],
    "scoring.results": ["AlignedPair", "CorpusResult", "OracleResult", "Result"],
    "scoring.search": ["SearchOptions"],
    "scoring.sides": ["Alternatives"],
    "scoring.statistics": ["Statistics"],
    "support.errors": ["FstmetricsError", "InputError", "SearchError"],
    "support.limits": ["Limits", "limited"],
    "values.lattice": ["Lattice"],
    "values.nbest": ["NBest"],
    "values.network": ["Card", "Network"],
    "values.normalisation": ["Normalisation"],
    "values.scales": ["Scales"],
    "values.symbols": ["SymbolTable"],
    "values.transcripts": ["Transcript"],
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
