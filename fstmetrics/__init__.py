"""fstmetrics: error rates, oracles and HyTER as best paths through finite-state machines.

`wer`, `wrr`, `grr` and `hyter` give a number; `align`, `oracle` and `score` give results; `compare` tests systems
against a baseline; `networks` works on networks of references. A hypothesis or reference is a string, a sequence of
words, a `Lattice`, a `Network`, or a list of those.

A name is imported from its module when it is first used, so that importing the package, as the command line does for
`--help`, costs next to nothing. A new one has a place in `_NAMES` and an import for type checkers and editors.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from fstmetrics.support import former_modules
from fstmetrics.support.errors import MISSING_CORE

if TYPE_CHECKING:
    from fstmetrics import networks as networks
    from fstmetrics.analysis.terms import TermCounts as TermCounts
    from fstmetrics.analysis.terms import TermRow as TermRow
    from fstmetrics.analysis.terms import terms as terms
    from fstmetrics.apps import jiwer as _jiwer
    from fstmetrics.apps import metaeval as _metaeval
    from fstmetrics.apps import tuning as _tuning
    from fstmetrics.apps.calibration.calibration import Calibration as Calibration
    from fstmetrics.apps.calibration.calibration import calibration as calibration
    from fstmetrics.apps.calibration.calibration import confidence as confidence
    from fstmetrics.apps.calibration.confidence_command import FilesCalibration as FilesCalibration
    from fstmetrics.apps.calibration.confidence_command import confidence_files as confidence_files
    from fstmetrics.apps.calibration.variants_command import FilesVariants as FilesVariants
    from fstmetrics.apps.calibration.variants_command import variants_files as variants_files
    from fstmetrics.apps.metaeval.correlate_command import FilesCorrelation as FilesCorrelation
    from fstmetrics.apps.metaeval.correlate_command import correlate_files as correlate_files
    from fstmetrics.apps.metaeval.rankings_command import FilesRankings as FilesRankings
    from fstmetrics.apps.metaeval.rankings_command import rankings_files as rankings_files
    from fstmetrics.apps.pages.notebook_page import report as report
    from fstmetrics.apps.pages.report_command import Page as Page
    from fstmetrics.apps.pages.report_command import report_files as report_files
    from fstmetrics.apps.proficiency.features_command import FilesFeatures as FilesFeatures
    from fstmetrics.apps.proficiency.features_command import features_files as features_files
    from fstmetrics.apps.proficiency.proficiency_command import FilesProficiency as FilesProficiency
    from fstmetrics.apps.proficiency.proficiency_command import proficiency_files as proficiency_files
    from fstmetrics.apps.tuning.tune_command import FilesTuning as FilesTuning
    from fstmetrics.apps.tuning.tune_command import tune_files as tune_files
    from fstmetrics.combination.combining import Combination as Combination
    from fstmetrics.combination.combining import combine as combine
    from fstmetrics.commands.best import best_files as best_files
    from fstmetrics.commands.combine import FilesCombination as FilesCombination
    from fstmetrics.commands.combine import combine_files as combine_files
    from fstmetrics.commands.compare import FilesComparison as FilesComparison
    from fstmetrics.commands.compare import compare_files as compare_files
    from fstmetrics.commands.compile import compile_files as compile_files
    from fstmetrics.commands.convert import convert_files as convert_files
    from fstmetrics.commands.doctor import doctor as doctor
    from fstmetrics.commands.errors import FilesErrors as FilesErrors
    from fstmetrics.commands.errors import errors_files as errors_files
    from fstmetrics.commands.grammar import FilesSavings as FilesSavings
    from fstmetrics.commands.grammar import savings_files as savings_files
    from fstmetrics.commands.hyter import hyter_files as hyter_files
    from fstmetrics.commands.index import index_files as index_files
    from fstmetrics.commands.latency import FilesLatency as FilesLatency
    from fstmetrics.commands.latency import latency_files as latency_files
    from fstmetrics.commands.mbr import FilesMBR as FilesMBR
    from fstmetrics.commands.mbr import mbr_files as mbr_files
    from fstmetrics.commands.merge import merge_files as merge_files
    from fstmetrics.commands.network_checks import FilesAcceptance as FilesAcceptance
    from fstmetrics.commands.network_checks import network_accepts_files as network_accepts_files
    from fstmetrics.commands.network_checks import network_info_files as network_info_files
    from fstmetrics.commands.network_checks import network_paths_files as network_paths_files
    from fstmetrics.commands.network_checks import network_validate_files as network_validate_files
    from fstmetrics.commands.networks import network_build_files as network_build_files
    from fstmetrics.commands.networks import network_convert_files as network_convert_files
    from fstmetrics.commands.networks import network_draw_files as network_draw_files
    from fstmetrics.commands.networks import network_normalise_files as network_normalise_files
    from fstmetrics.commands.networks import network_spu_files as network_spu_files
    from fstmetrics.commands.networks import network_union_files as network_union_files
    from fstmetrics.commands.oracle import oracle_files as oracle_files
    from fstmetrics.commands.pack import pack_files as pack_files
    from fstmetrics.commands.partials import FilesPartials as FilesPartials
    from fstmetrics.commands.partials import partials_files as partials_files
    from fstmetrics.commands.proposals import network_propose_files as network_propose_files
    from fstmetrics.commands.proposals import network_review_files as network_review_files
    from fstmetrics.commands.score import score_files as score_files
    from fstmetrics.commands.segment import FilesSegments as FilesSegments
    from fstmetrics.commands.segment import segment_files as segment_files
    from fstmetrics.commands.show import show_files as show_files
    from fstmetrics.commands.speakers import FilesOfSpeakers as FilesOfSpeakers
    from fstmetrics.commands.speakers import speakers_files as speakers_files
    from fstmetrics.commands.verify import Verified as Verified
    from fstmetrics.commands.verify import verify_files as verify_files
    from fstmetrics.data.cards import Call as Call
    from fstmetrics.data.lattice import Lattice as Lattice
    from fstmetrics.data.lattice import Scales as Scales
    from fstmetrics.data.nbest import NBest as NBest
    from fstmetrics.data.network import Card as Card
    from fstmetrics.data.network import Network as Network
    from fstmetrics.data.sessions import Utterance as Utterance
    from fstmetrics.data.symbols import SymbolTable as SymbolTable
    from fstmetrics.data.transcripts import Transcript as Transcript
    from fstmetrics.engine.api import align as align
    from fstmetrics.engine.api import bleu as bleu
    from fstmetrics.engine.api import cer as cer
    from fstmetrics.engine.api import chrf as chrf
    from fstmetrics.engine.api import grr as grr
    from fstmetrics.engine.api import hyter as hyter
    from fstmetrics.engine.api import mer as mer
    from fstmetrics.engine.api import score as score
    from fstmetrics.engine.api import ter as ter
    from fstmetrics.engine.api import wer as wer
    from fstmetrics.engine.api import wil as wil
    from fstmetrics.engine.api import wip as wip
    from fstmetrics.engine.api import wrr as wrr
    from fstmetrics.engine.oracle_results import OracleResult as OracleResult
    from fstmetrics.engine.results import AlignedPair as AlignedPair
    from fstmetrics.engine.results import CorpusResult as CorpusResult
    from fstmetrics.engine.results import Result as Result
    from fstmetrics.engine.search import SearchOptions as SearchOptions
    from fstmetrics.engine.several import Scores as Scores
    from fstmetrics.engine.sides import Alternatives as Alternatives
    from fstmetrics.engine.statistics import Statistics as Statistics
    from fstmetrics.grammars import Grammar as Grammar
    from fstmetrics.io.reading import read_text as read_text
    from fstmetrics.lattices.minimum_risk import MBR as MBR
    from fstmetrics.lattices.minimum_risk import mbr as mbr
    from fstmetrics.lattices.oracles import oracle as oracle
    from fstmetrics.metrics.bleu import BLEU as BLEU
    from fstmetrics.metrics.bleu import BLEUSBP as BLEUSBP
    from fstmetrics.metrics.bleu import SentenceBLEU as SentenceBLEU
    from fstmetrics.metrics.chrf import ChrF as ChrF
    from fstmetrics.metrics.chrf import ChrFPlusPlus as ChrFPlusPlus
    from fstmetrics.metrics.corpus_metric import CorpusMetric as CorpusMetric
    from fstmetrics.metrics.corpus_metric import Mean as Mean
    from fstmetrics.metrics.corpus_metric import TextMetric as TextMetric
    from fstmetrics.metrics.custom import EditMetric as EditMetric
    from fstmetrics.metrics.grr import GRR as GRR
    from fstmetrics.metrics.gtm import GTM as GTM
    from fstmetrics.metrics.hyter import HyTER as HyTER
    from fstmetrics.metrics.maxsim import MaxSim as MaxSim
    from fstmetrics.metrics.mer import MER as MER
    from fstmetrics.metrics.nist_meteor import METEOR as METEOR
    from fstmetrics.metrics.nist_meteor import NIST as NIST
    from fstmetrics.metrics.orthography import PER as PER
    from fstmetrics.metrics.orthography import CaseErrors as CaseErrors
    from fstmetrics.metrics.path_metric import Metric as Metric
    from fstmetrics.metrics.registry import METRICS as METRICS
    from fstmetrics.metrics.sclite import Sclite as Sclite
    from fstmetrics.metrics.ter import TER as TER
    from fstmetrics.metrics.terp import TERp as TERp
    from fstmetrics.metrics.tesla import TeslaM as TeslaM
    from fstmetrics.metrics.tesla_f import TeslaF as TeslaF
    from fstmetrics.metrics.wer import CER as CER
    from fstmetrics.metrics.wer import WER as WER
    from fstmetrics.metrics.wil import WIL as WIL
    from fstmetrics.metrics.wil import WIP as WIP
    from fstmetrics.metrics.wrr import WRR as WRR
    from fstmetrics.networks import CardTaken as CardTaken
    from fstmetrics.networks import NetworkInfo as NetworkInfo
    from fstmetrics.networks import Paths as Paths
    from fstmetrics.networks import cards_taken as cards_taken
    from fstmetrics.networks import network_accepts as network_accepts
    from fstmetrics.networks import network_info as network_info
    from fstmetrics.networks import normal_form as normal_form
    from fstmetrics.networks import spu as spu
    from fstmetrics.networks import union as union
    from fstmetrics.openfst.machines import Machines as Machines
    from fstmetrics.openfst.machines import compile as compile
    from fstmetrics.openfst.referee import Refereed as Refereed
    from fstmetrics.openfst.referee import refereed as refereed
    from fstmetrics.reports.notebook_calls import errors as errors
    from fstmetrics.reports.notebook_calls import show as show
    from fstmetrics.scoring.score import Score as Score
    from fstmetrics.significance import Comparison as Comparison
    from fstmetrics.significance import Runs as Runs
    from fstmetrics.significance import compare as compare
    from fstmetrics.significance.profile_comparison import ProfileComparison as ProfileComparison
    from fstmetrics.significance.profile_comparison import compare_profiles as compare_profiles
    from fstmetrics.speakers.meetings import cpwer as cpwer
    from fstmetrics.speakers.meetings import dicpwer as dicpwer
    from fstmetrics.speakers.meetings import orcwer as orcwer
    from fstmetrics.speakers.meetings import tcorcwer as tcorcwer
    from fstmetrics.speakers.meetings import tcpwer as tcpwer
    from fstmetrics.speakers.speaker_results import SpeakerResult as SpeakerResult
    from fstmetrics.speakers.speaker_results import SpeakerScores as SpeakerScores
    from fstmetrics.streams.latency import Latency as Latency
    from fstmetrics.streams.latency import latency as latency
    from fstmetrics.streams.partials import PartialScores as PartialScores
    from fstmetrics.streams.partials import partials as partials
    from fstmetrics.streams.segmenting import segment as segment
    from fstmetrics.support.errors import FstmetricsError as FstmetricsError
    from fstmetrics.support.errors import InputError as InputError
    from fstmetrics.support.errors import SearchError as SearchError
    from fstmetrics.support.limits import Limits as Limits
    from fstmetrics.support.limits import limited as limited
    from fstmetrics.support.version import __version__ as __version__
    from fstmetrics.text.normalisation import Normalisation as Normalisation
    from fstmetrics.text.profiles import profile as profile

    decoding, evaluation, jiwer = _tuning, _metaeval, _jiwer

# Modules that are public by a name of their own, and the public names that others have.
_MODULES = {
    "decoding": "apps.tuning",
    "evaluation": "apps.metaeval",
    "jiwer": "apps.jiwer",
    "networks": "networks",
}
_NAMES = {
    "analysis.terms": "TermCounts TermRow terms",
    "combination.combining": "Combination combine",
    "commands.combine": "FilesCombination combine_files",
    "commands.compare": "FilesComparison compare_files",
    "apps.calibration.confidence_command": "FilesCalibration confidence_files",
    "commands.best": "best_files",
    "commands.convert": "convert_files",
    "commands.pack": "pack_files",
    "commands.errors": "FilesErrors errors_files",
    "commands.index": "index_files",
    "commands.compile": "compile_files",
    "apps.metaeval.correlate_command": "FilesCorrelation correlate_files",
    "commands.doctor": "doctor",
    "commands.grammar": "FilesSavings savings_files",
    "commands.latency": "FilesLatency latency_files",
    "commands.mbr": "FilesMBR mbr_files",
    "commands.merge": "merge_files",
    "commands.network_checks": "FilesAcceptance network_accepts_files network_info_files network_paths_files "
    "network_validate_files",
    "commands.networks": "network_build_files network_convert_files network_draw_files network_normalise_files "
    "network_spu_files network_union_files",
    "commands.partials": "FilesPartials partials_files",
    "apps.proficiency.features_command": "FilesFeatures features_files",
    "apps.proficiency.proficiency_command": "FilesProficiency proficiency_files",
    "commands.proposals": "network_propose_files network_review_files",
    "apps.metaeval.rankings_command": "FilesRankings rankings_files",
    "commands.show": "show_files",
    "commands.verify": "Verified verify_files",
    "apps.pages.report_command": "Page report_files",
    "commands.score": "score_files",
    "commands.oracle": "oracle_files",
    "commands.hyter": "hyter_files",
    "commands.segment": "FilesSegments segment_files",
    "commands.speakers": "FilesOfSpeakers speakers_files",
    "apps.tuning.tune_command": "FilesTuning tune_files",
    "apps.calibration.variants_command": "FilesVariants variants_files",
    "lattices.minimum_risk": "MBR mbr",
    "lattices.oracles": "oracle",
    "apps.calibration.calibration": "Calibration calibration confidence",
    "significance.profile_comparison": "ProfileComparison compare_profiles",
    "significance": "Comparison Runs compare",
    "grammars": "Grammar",
    "metrics.path_metric": "Metric",
    "metrics.bleu": "BLEU BLEUSBP SentenceBLEU",
    "metrics.chrf": "ChrF ChrFPlusPlus",
    "metrics.corpus_metric": "CorpusMetric Mean TextMetric",
    "metrics.custom": "EditMetric",
    "metrics.grr": "GRR",
    "metrics.gtm": "GTM",
    "metrics.hyter": "HyTER",
    "metrics.maxsim": "MaxSim",
    "metrics.mer": "MER",
    "metrics.nist_meteor": "METEOR NIST",
    "metrics.orthography": "PER CaseErrors",
    "metrics.registry": "METRICS",
    "metrics.sclite": "Sclite",
    "metrics.ter": "TER",
    "metrics.terp": "TERp",
    "metrics.tesla": "TeslaM",
    "metrics.tesla_f": "TeslaF",
    "metrics.wer": "CER WER",
    "metrics.wil": "WIL WIP",
    "metrics.wrr": "WRR",
    "networks": "CardTaken NetworkInfo Paths cards_taken network_accepts network_info normal_form spu union",
    "openfst.machines": "Machines compile",
    "openfst.referee": "Refereed refereed",
    "io.reading": "read_text",
    "apps.pages.notebook_page": "report",
    "reports.notebook_calls": "errors show",
    "scoring.score": "Score",
    "engine.api": "align bleu cer chrf grr hyter mer score ter wer wil wip wrr",
    "engine.oracle_results": "OracleResult",
    "engine.results": "AlignedPair CorpusResult Result",
    "engine.search": "SearchOptions",
    "engine.several": "Scores",
    "engine.sides": "Alternatives",
    "speakers.meetings": "cpwer dicpwer orcwer tcorcwer tcpwer",
    "speakers.speaker_results": "SpeakerResult SpeakerScores",
    "engine.statistics": "Statistics",
    "streams.latency": "Latency latency",
    "streams.partials": "PartialScores partials",
    "streams.segmenting": "segment",
    "support.errors": "FstmetricsError InputError SearchError",
    "support.limits": "Limits limited",
    "support.version": "__version__",
    "data.cards": "Call",
    "data.lattice": "Lattice Scales",
    "data.nbest": "NBest",
    "data.network": "Card Network",
    "text.normalisation": "Normalisation",
    "text.profiles": "profile",
    "data.sessions": "Utterance",
    "data.symbols": "SymbolTable",
    "data.transcripts": "Transcript",
}
_PLACES = _MODULES | {name: place for place, names in _NAMES.items() for name in names.split()}

__all__ = list(_PLACES)

former_modules.install()

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        try:
            module = import_module(f"{__name__}.{_PLACES[name]}")
        except ModuleNotFoundError as error:
            if error.name != "fstmetrics._native":
                raise
            raise ImportError(MISSING_CORE) from error
        globals()[name] = value = module if name in _MODULES else getattr(module, name)
        return value

    def __dir__() -> list[str]:
        return __all__
