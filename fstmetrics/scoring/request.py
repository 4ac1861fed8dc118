"""What a command is asked for: options as dataclasses.

`Request` has what every run needs, `LatticeOptions` what is asked of lattices. `fields_of` makes one of them of the
options that click hands over.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from fstmetrics.data.groupings import Grouping
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.nbest import NBest
from fstmetrics.data.network import Network
from fstmetrics.data.scales import Scales
from fstmetrics.data.transcripts import Notation
from fstmetrics.engine.oracle_results import Weighting, weightings
from fstmetrics.engine.search import SearchOptions, workers
from fstmetrics.io.columns import SideName, TableOptions, given_fields
from fstmetrics.io.items import FeatureOptions
from fstmetrics.io.reading import check_paths
from fstmetrics.metrics import CorpusMetric, Metric
from fstmetrics.metrics.corpus import TextMetric
from fstmetrics.scoring.journal import files_of_run
from fstmetrics.scoring.pairing import Missing
from fstmetrics.scoring.shards import shard_path
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.options import MOST_WEIGHT, finite
from fstmetrics.support.output import is_plain
from fstmetrics.text.normalisation import Normalisation, OptionalWords
from fstmetrics.text.profiles import added, profile

if TYPE_CHECKING:
    from fstmetrics.scoring.shards import MergedShards, Shard
    from fstmetrics.streams.cuts import Criterion

Kind = TypeVar("Kind")


def fields_of(kind: Callable[..., Kind], options: dict[str, Any]) -> Kind:
    """A dataclass of those options that it has fields for; they are taken out."""
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    return kind(**{name: options.pop(name) for name in names if name in options})


# sclite's reports.
REPORTS = ("sys", "raw", "spk", "lur", "dtl")
# Those that need speakers.
REPORTS_OF_SPEAKERS = ("sys", "raw", "spk", "lur")
# Those that need words, beside counts.
REPORTS_OF_WORDS = ("spk", "dtl")


@dataclass(frozen=True)
class Request:
    """What a command is asked to do, whatever the metric.

    Attributes are options; `merged` are the shards of a run that is not scored, but put together. `called` is the
    command and its arguments, by which shards are put together. `bare_cuts`: as of `bare_cuts`. `ref_leads`: whether
    `--ref REF HYP` was written, so that a text that stands alone is the hypotheses.

    Raises:
        FstmetricsError: options that contradict one another, or a tokenizer that there is not.
    """

    more_references: Sequence[str] = ()
    ref_leads: bool = False
    format: str | None = None
    ref_format: str | None = None
    alternations: Notation | None = None
    tag_candidates: str | None = None
    optional_words: OptionalWords = "free"
    symbols: str | None = None
    weights: str | None = None
    features: FeatureOptions | None = None
    fields: Sequence[str] = ()
    missing: Missing = "error"
    resegment: bool = False
    criterion: Criterion = "edits"
    documents: str | None = None
    bare_cuts: bool = False
    profile: str | None = None
    lowercase: bool = False
    remove_punctuation: bool = False
    ignore: Sequence[str] = ()
    ignore_reference: Sequence[str] = ()
    ignore_hypothesis: Sequence[str] = ()
    unit: Any = "word"
    normalise_unicode: Any = "as-is"
    tokenize: str | None = None
    allow_download: bool = False
    grammars: Sequence[str] = ()
    by: Sequence[Grouping] = ()
    speakers: str | None = None
    biasing: str | None = None
    reports: Sequence[str] = ()
    times: bool = False
    nbest: int = 1
    alignment: bool = False
    output: str | None = None
    as_json: bool = False
    route: str = "auto"
    check: int | None = None
    jobs: int = 1
    on: str = "local"
    keep_going: bool = False
    resume: bool = False
    shard: Shard | None = None
    merged: MergedShards | None = None
    called: tuple[str, list[str]] = ("", [])

    def __post_init__(self) -> None:
        if not self.resegment and (self.documents is not None or self.criterion != "edits"):
            option = "--criterion" if self.documents is None else "--documents"
            raise FstmetricsError(f"{option} says how --resegment cuts documents; give that, too")
        if self.output == "":
            raise FstmetricsError("--output needs a file's name, or - for standard output")
        if self.resume and (self.output is None or not is_plain(self.output)):
            raise FstmetricsError("--resume continues the records of --output FILE; give that, too")
        if self.as_json and self.output == "-":
            raise FstmetricsError("--json and --output - both want standard output; give --output a file")
        if self.shard and (self.output is None or not is_plain(self.output)):
            raise FstmetricsError("--shard writes the records of a part of a run: give --output FILE, too")
        if self.shard and self.reports:
            raise FstmetricsError("--report is of a whole run, and --shard is a part of one")
        if self.times and (self.shard or self.resume):
            option = "--shard" if self.shard else "--resume"
            raise FstmetricsError(f"--times is of all items, and {option} scores some of them; leave one out")
        object.__setattr__(self, "grammars", (*self.normalisation.grammars, *self.grammars))
        given_fields(self.fields)
        if self.reports and self.output == "-":
            raise FstmetricsError("--report and --output - both want standard output; give --output a file")
        if self.reports and self.as_json and not self.output:
            raise FstmetricsError(
                "--report and --json both want standard output; with --output FILE, reports are files"
            )
        if self.check and not self.merged:
            from fstmetrics.openfst.pynini_objects import import_pynini

            import_pynini()
        self.normalisation.words("")  # fails here, before anything is read, if there is no such tokenizer
        names = [grouping.name for grouping in self.by]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise FstmetricsError(
                f"--by {twice} comes twice with different bins; one table has one set of bins"
            )
        if self.grammars:
            from fstmetrics.grammars.library import resolve

            resolve(self.grammars)  # likewise

    def refuse_rules(self, command: str, *, widening: bool = False) -> None:
        """Raise an FstmetricsError for a profile with rules that a command does not have.

        Args:
            command: its name.
            widening: whether it widens references; no such command leaves items out.
        """
        what = {"leaves items out": bool(self.normalisation.drops)}
        what |= {} if widening else {"widens references": bool(self.normalisation.grammars)}
        for rule, found in what.items():
            if found:
                raise FstmetricsError(f"the profile {self.profile} {rule}, which {command} does not do")

    def table(self, side: SideName, both: bool = False) -> TableOptions:
        """What is wanted of a table: the side, and whether the other one is in it, too."""
        return TableOptions(side, both, given_fields(self.fields))

    @property
    def shows_items(self) -> bool:
        """Whether every item is to be printed."""
        return self.output is None and (self.alignment or self.nbest > 1)

    @property
    def partnerless(self) -> Missing:
        """What is done with an id that one side lacks: a run that keeps going leaves it out."""
        return "skip" if self.keep_going and self.missing == "error" else self.missing

    @cached_property
    def normalisation(self) -> Normalisation:
        """What is done to words."""
        ignored = (self.ignore, self.ignore_hypothesis, self.ignore_reference)
        both, hypothesis, reference = (frozenset(" ".join(values).split()) for values in ignored)
        asked = Normalisation(
            self.tokenize,
            self.lowercase,
            self.remove_punctuation,
            both,
            self.unit,
            hypothesis,
            reference,
            self.normalise_unicode,
            self.allow_download,
            optional_words=self.optional_words,
        )
        return added(profile(self.profile), asked) if self.profile else asked

    @property
    def of_cuts(self) -> Normalisation:
        """What is done to words before documents are cut."""
        own = self.normalisation
        return replace(own, lowercase=True, remove_punctuation=True) if self.bare_cuts else own

    @property
    def grammar_files(self) -> list[str]:
        """Those of the grammars that may be files, without what a rewrite costs."""
        names = [name.strip() for names in self.grammars for name in names.split(",")]
        return [name if os.path.exists(name) else name.rpartition("@")[0] or name for name in names if name]

    @property
    def beside(self) -> list[str]:
        """The paths of files that are read beside the sides."""
        given = [self.symbols, self.weights, self.tag_candidates, self.documents, *self.grammar_files]
        if self.speakers and os.path.isfile(self.speakers):
            given.append(self.speakers)
        if self.biasing:
            from fstmetrics.io.word_lists import column_and_path

            given.append(column_and_path(self.biasing)[1])
        return [path for path in given if path]

    @property
    def grammar_signature(self) -> str:
        """The grammars, as the signature has them; empty where there are none."""
        if not self.grammars:
            return ""
        from fstmetrics.grammars.library import signature

        return signature(self.grammars)

    def metric_of_results(self, metric: Metric) -> Metric:
        """The metric as results have it: in units that costs of rewriting are whole numbers of."""
        if not self.grammars:
            return metric
        from fstmetrics.grammars.library import widening_of
        from fstmetrics.metrics.cost_units import in_units_of

        return in_units_of(metric, widening_of(self.grammars, self.normalisation).scale)

    @property
    def search(self) -> SearchOptions:
        """How to search; words and alignments are written out only where they are printed or recorded."""
        words = self.times or any(name in REPORTS_OF_WORDS for name in self.reports)
        written = words or self.shows_items or self.output is not None or self.biasing is not None
        written = written or self.normalisation.unit == "mixed"  # where scripts are counted apart
        return SearchOptions(self.route, written, workers(self.jobs) if self.on == "local" else 1)


def bare_cuts(metrics: Sequence[CorpusMetric]) -> bool:
    """Whether documents are cut without case and punctuation: metrics that measure these must not have them decide.

    Raises:
        FstmetricsError: beside metrics whose documents are cut by what these compare.
    """
    bare = [metric.name for metric in metrics if isinstance(metric, TextMetric) and metric.needs]
    others = [metric.name for metric in metrics if metric.name not in bare]
    if bare and others:
        raise FstmetricsError(
            f"--resegment cuts without case and punctuation for {','.join(bare)}, and by all that is compared for "
            f"{','.join(others)}; run the command for each: --metric {','.join(bare)}, and --metric {','.join(others)}"
        )
    return bool(bare)


def refuse_unready(metrics: Iterable[CorpusMetric], normalisation: Normalisation) -> None:
    """Raise an FstmetricsError, before anything is read, if a metric's own tokenizer is not installed."""
    for metric in metrics:
        metric.normalisation(normalisation).words("")


def beams(text: str) -> tuple[float, ...]:
    """Numbers from 0 up, or inf, joined by commas; in order, each once.

    Raises:
        ValueError: they are none.

    >>> beams("8,inf,2")
    (2.0, 8.0, inf)
    """
    found = [math.inf if part == "inf" else finite(part) for part in text.split(",")]
    if any(beam is None or beam < 0 for beam in found):
        raise ValueError(f"expected numbers from 0 up, joined by commas, not {text!r}")
    return tuple(sorted({beam for beam in found if beam is not None}))


class Sweep(NamedTuple):
    """Several weights, and how they were written.

    Attributes:
        values: each once, in the order in which they were written.
        written: the option's value.
    """

    values: tuple[float, ...]
    written: str


def weights(text: str) -> float | Sweep:
    """A weight, or several: `7:17` in steps of 1, `0:1:.1` in steps of .1, or these and numbers joined by commas.

    Raises:
        ValueError: it is none of these, or too many.

    >>> weights("7"), weights("7:8")
    (7.0, Sweep(values=(7.0, 8.0), written='7:8'))
    """
    found: dict[float, None] = {}
    try:
        for part in text.split(","):
            for number in _between(part):
                found[number] = None
                if len(found) > MOST_SWEPT:
                    raise ValueError(f"more than {MOST_SWEPT} numbers")
    except ValueError as error:
        raise ValueError(
            f"expected a number, a range A:B or A:B:STEP, or a list A,B,..., not {text!r}: {error}"
        ) from None
    is_one = len(found) == 1 and "," not in text and ":" not in text
    return next(iter(found)) if is_one else Sweep(tuple(found), text)


# As many weights of one option as nobody tries.
MOST_SWEPT = 1000


def _between(part: str) -> Iterator[float]:
    """The numbers of `A`, `A:B` or `A:B:STEP`, reckoned as the decimals that they are written as.

    Raises:
        ValueError: it is none of these.

    >>> list(_between("0:1:.25")), list(_between("7:9"))
    ([0.0, 0.25, 0.5, 0.75, 1.0], [7.0, 8.0, 9.0])
    """
    ends = part.split(":")
    numbers = [finite(end) for end in ends]
    for end, number in zip(ends, numbers, strict=True):
        if number is None:
            raise ValueError(f"{end!r} is no number")
        if abs(number) > MOST_WEIGHT:
            raise ValueError(f"{end} is beyond {MOST_WEIGHT:g}")
    if len(ends) > 3:
        raise ValueError(f"{part!r} has more than three parts")
    if len(ends) == 1:
        yield float(ends[0])
        return
    first, last, step = Fraction(ends[0]), Fraction(ends[1]), Fraction(ends[2] if len(ends) > 2 else 1)
    if step <= 0:
        raise ValueError("a step is above 0")
    if last < first:
        raise ValueError(f"{part!r} ends below its beginning")
    while first <= last:
        yield float(first)
        first += step


# Rows of a sweep, each of which is a search of its own in every lattice.
MOST_ROWS = 10_000


@dataclass(frozen=True)
class LatticeOptions:
    """What is asked of lattices beyond the best path under the metric.

    Attributes:
        lm_scale, acoustic_scale, word_penalty: weights of costs, or several of the first and last; None: as the files
            say.
        beams: one: lattices are pruned to it first; several: further oracles.
        model_weight: of hope and fear.
        depth: whether to count arcs side by side.
    """

    lm_scale: float | Sweep | None = None
    acoustic_scale: float | None = None
    word_penalty: float | Sweep | None = None
    beams: tuple[float, ...] = ()
    model_weight: float | None = None
    depth: bool = False

    def __post_init__(self) -> None:
        if self.swept and (self.beams or self.model_weight is not None):
            other = "--beam" if self.beams else "--model-weight"
            raise FstmetricsError(
                f"{other} needs one weight of graph costs and one word penalty, and {' and '.join(self.swept)} gives "
                "several"
            )
        if len(self.sweep) > MOST_ROWS:
            raise FstmetricsError(
                f"--lm-scale and --word-penalty make {len(self.sweep)} rows, more than {MOST_ROWS}; give larger steps"
            )

    @property
    def swept(self) -> list[str]:
        """The options that give several weights."""
        weights = {"--lm-scale": self.lm_scale, "--word-penalty": self.word_penalty}
        return [name for name, weight in weights.items() if isinstance(weight, Sweep)]

    @property
    def sweep(self) -> tuple[Weighting, ...]:
        """The rows of a sweep; none unless an option gives several weights."""
        if not self.swept:
            return ()
        scales, penalties = (
            weight.values if isinstance(weight, Sweep) else () if weight is None else (weight,)
            for weight in (self.lm_scale, self.word_penalty)
        )
        return weightings(scales, penalties)

    @property
    def written_scales(self) -> dict[str, Any]:
        """The scales that were given, and the sweeps as they were written."""
        found = {"lm": self.lm_scale, "acoustic": self.acoustic_scale, "word_penalty": self.word_penalty}
        return {
            name: value.written if isinstance(value, Sweep) else value
            for name, value in found.items()
            if value is not None
        }

    @property
    def given(self) -> list[str]:
        """The options that were given."""
        found = [field.name for field in fields(self) if getattr(self, field.name) != field.default]
        return ["--beam" if name == "beams" else f"--{name.replace('_', '-')}" for name in found]

    @property
    def scales(self) -> dict[str, float]:
        """The scales that were given, by their names in `Scales`; of a sweep, those that are the same in all rows."""
        if self.swept:  # the rows have the others
            return {} if self.acoustic_scale is None else {"acoustic": self.acoustic_scale}
        return self.written_scales

    @property
    def beam(self) -> float | None:
        """What lattices are pruned to first."""
        return self.beams[0] if len(self.beams) == 1 else None

    @property
    def further_beams(self) -> tuple[float, ...]:
        """The beams of further oracles."""
        return self.beams if self.beam is None else ()

    def scaled(self, hypothesis: Any) -> Any:
        """A lattice or forest under the scales that were given; others stay as its file says.

        An n-best list's total scores count as graph costs. What is none of them stays as it is.
        """
        scales = self.scales
        if not scales:
            return hypothesis
        if isinstance(hypothesis, Lattice | Network):
            return hypothesis.weighed(replace(hypothesis.scales, **scales))
        if isinstance(hypothesis, NBest):
            return hypothesis.weighed(Scales(**scales))
        return hypothesis

    def pruned(self, hypothesis: Any) -> Any:
        """The same, and a lattice pruned to the one beam.

        Raises:
            FstmetricsError: a beam, and no lattice; or the lattice cannot be pruned.
        """
        found = self.scaled(hypothesis)
        if self.beam is None:
            return found
        if isinstance(found, NBest | Network):
            raise FstmetricsError("--beam is for lattices, not for n-best lists or networks")
        return found.pruned(self.beam) if isinstance(found, Lattice) else found


def check_run_paths(request: Request, paths: Iterable[str]) -> None:
    """Likewise for the inputs of a run, and the files that it writes."""
    inputs = [*paths, *request.beside]
    outputs: tuple[str, ...] = ()
    if request.output and is_plain(request.output):
        outputs = (request.output, *files_of_run(request.output)[1:])
        outputs += (shard_path(request.output),) if request.shard else ()
    check_paths(inputs, *outputs)
