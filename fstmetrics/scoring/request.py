"""What a command is asked for: options as dataclasses.

`Request` has what every run needs, `LatticeOptions` what is asked of lattices; `OfNetworks`, `OfSystems` and
`OfSessions` are for options of commands of their own. Each option is declared on its field; tables of `commands` choose
among them. `fields_of` makes a dataclass of the options that click hands over.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from fstmetrics.data.groupings import GROUPINGS, Grouping
from fstmetrics.data.lattice import Lattice, Scales
from fstmetrics.data.nbest import NBest
from fstmetrics.data.network import Network
from fstmetrics.data.transcripts import NOTATIONS, Notation
from fstmetrics.engine.oracle_results import Weighting, weightings
from fstmetrics.engine.search import MOST_THREADS, ROUTES, SearchOptions, grammar_signature, workers
from fstmetrics.io.column_roles import COLUMNS, NOTHING_GIVEN, Given, given_fields
from fstmetrics.io.formats import FORMAT
from fstmetrics.io.items import FeatureOptions
from fstmetrics.io.reading import check_paths
from fstmetrics.metrics import CorpusMetric, Metric
from fstmetrics.metrics.corpus_metric import COLLAR, MOST_COLLAR, TextMetric, units_of
from fstmetrics.scoring.journal import files_of_run
from fstmetrics.scoring.pairing import Missing
from fstmetrics.scoring.reports import REPORTS
from fstmetrics.scoring.shards import SHARD, Shard, shard_path
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import MOST_PATHS
from fstmetrics.support.options import (
    FLAG,
    JOINED,
    MANY_NAMED,
    MOST_WEIGHT,
    PATH,
    RECORDS,
    TEXT,
    WEIGHT,
    Kind,
    dashed,
    finite,
    many,
    number_text,
    one_of,
    option,
    options_of_fields,
    real,
    some_of,
    text,
    whole,
)
from fstmetrics.support.output import is_plain
from fstmetrics.support.plugins import Registry
from fstmetrics.support.source import named_path
from fstmetrics.text.normalisation import FORMS, OPTIONAL_WORDS, UNITS, Normalisation, OptionalWords
from fstmetrics.text.profiles import PROFILE, added, profile, profile_names

if TYPE_CHECKING:
    from fstmetrics.scoring.shards import MergedShards
    from fstmetrics.streams.segmenting import Criterion

Asked = TypeVar("Asked")


def fields_of(kind: Callable[..., Asked], options: dict[str, Any]) -> Asked:
    """A dataclass of those options that it has fields for; they are taken out."""
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    return kind(**{name: options.pop(name) for name in names if name in options})


# Beyond it no run has as many items.
MOST_EVERY = 10**12


def _check(given: Any) -> int:
    judge, equals, every = text(given).partition("=")
    if judge != "openfst":
        raise ValueError(f"expected openfst or openfst=N, not {given!r}")
    return int(whole(1, MOST_EVERY)(every)) if equals else 1


# `openfst` or `openfst=N`: every N-th item is solved again by OpenFst.
CHECK = Kind(_check)
# Engines, by the name that `--on` takes: what is called with a number of workers, or None for one a CPU. A package
# names one as an entry point of the group `fstmetrics.engines`.
ENGINES: Registry[Callable[[int | None], Any]] = Registry("engine", "fstmetrics.engines", dict)

# What sclite writes with -o NAME, and ours for the same.
OF_SCLITE = {
    **{name: f"--report {name}" for name in ("sys", "raw", "dtl", "spk", "lur")},
    **{"sum": "--report sys", "rsum": "--report raw", "pra": "--alignment", "prf": "--alignment"},
}


@dataclass(frozen=True)
class Request:
    """What a command is asked to do, whatever the metric.

    Attributes are options, in the order of the help page, but for these. `merged` are the shards of a run that is not
    scored, but put together. `called` is the command and its arguments, by which shards are put together. `bare_cuts`:
    as of `bare_cuts`. `ref_leads`: whether `--ref REF HYP` was written, so that a text that stands alone is the
    hypotheses. `features`: what is wanted of features of n-best lists. `in_sessions`: as of `ReadOptions`.

    What follows from options is found when they are given: `normalisation` is what is done to words, `columns` what
    `fields` says of the columns of tables, `shows_items` whether every item is to be printed, `partnerless` what is
    done with an id that one side lacks (a run that keeps going leaves it out), `grammar_signature` the grammars as
    signatures have them, and `search` how to search: words and alignments are written out only where they are printed
    or recorded.

    Raises:
        FstmetricsError: options that contradict one another, or a tokenizer that there is not.
    """

    more_references: Sequence[str] = option(
        (), many(PATH), "More references for the same items. Repeatable.", "FILE", name="ref"
    )
    ref_leads: bool = False
    in_sessions: tuple[str, ...] = ()
    format: str | None = option(
        None, FORMAT, "Format of the hypotheses. Default: recognised. fstmetrics convert --help lists all."
    )
    ref_format: str | None = option(None, FORMAT, "Format of the references. Default: recognised.")
    fields: Sequence[str] = option(
        (),
        COLUMNS,
        "Which columns of a table are the id, the reference, the hypothesis, or another field: "
        "id=audio_filepath,ref=text,hyp=pred_text,speaker=spk. Default: recognised, and said in the summary.",
        "NAME=COLUMN,...",
    )
    alternations: Notation | None = option(
        None,
        one_of(*NOTATIONS),
        "How plain and Kaldi references write choices: sclite `{ a / b / @ }`, braces `{a|b|}`, brackets `[a|b]`, "
        "or wildcards, where only `<*>` is special: it means any words, as in the others. trn, stm and ctm "
        "always use sclite.",
    )
    optional_words: OptionalWords = option(
        "free",
        one_of(*OPTIONAL_WORDS),
        "What `(word)` is in sclite's notation, as in trn and stm: free to be left out; a word, as in sclite; or "
        "correct where it is left out, as in sclite -D (under --metric sclite).",
    )
    tag_candidates: str | None = option(
        None,
        PATH,
        "fstalign's norm.json: other ways to write the tagged words of references in its NLP format. Each is an "
        "alternative of the words as written.",
        "FILE",
    )
    symbols: str | None = option(
        None, PATH, "Symbol table (lines `word integer`) where lattices hold numbers for words.", "FILE"
    )
    weights: str | None = option(
        None,
        PATH,
        "Feature weights (lines `name value` or `name= value ...`) of n-best lists, hypergraphs and PLF.",
        "FILE",
    )
    features: FeatureOptions | None = None
    missing: Missing = option(
        "error",
        one_of("error", "skip", "empty"),
        "An id that one side lacks: stop, skip the item, or score it against an empty sentence.",
    )
    resegment: bool = option(
        False,
        FLAG,
        "The hypotheses have no segment ends, or others than the references: cut each document into the segments of "
        "the references, at the fewest edits (docs/streams.md).",
    )
    criterion: Criterion = option(
        "edits",
        one_of("edits", "soft"),
        "With --resegment: cut at the fewest edits, or at the most similar pairs of words (soft).",
    )
    documents: str | None = option(
        None,
        PATH,
        "With --resegment: the document of each segment of the references, a line each: DOCUMENT, ID DOCUMENT, or "
        "docid=DOCUMENT,segid=N.",
        "FILE",
    )
    bare_cuts: bool = False
    profile: str | None = option(
        None,
        PROFILE,
        f"The rules of a scoring tool or leaderboard: {', '.join(profile_names())}. docs/profiles.md says "
        "what they do. The options below add to them.",
        "NAME",
    )
    lowercase: bool = option(False, FLAG, "Ignore case.")
    remove_punctuation: bool = option(False, FLAG, "Remove punctuation characters from words.")
    unit: Any = option(
        "word",
        one_of(*UNITS),
        "What is compared. With char, wer is the character error rate; a space between words is a character. "
        "char-no-space: characters without spaces. mixed: Han characters, and words of other scripts.",
    )
    ignore: Sequence[str] = option(
        (), many(TEXT), 'Words that do not count, separated by spaces: --ignore "uh um". Repeatable.', "WORDS"
    )
    ignore_reference: Sequence[str] = option(
        (), many(TEXT), "The same, in references only.", "WORDS", name="ignore_ref"
    )
    ignore_hypothesis: Sequence[str] = option(
        (), many(TEXT), "The same, in hypotheses only.", "WORDS", name="ignore_hyp"
    )
    tokenize: str | None = option(
        None,
        TEXT,
        "A tokenizer of sacrebleu (13a, intl, char, zh, ja-mecab, ko-mecab, spm, flores101, flores200, "
        "spBLEU-1K), or none. Default: 13a for BLEU and similar metrics (as in sacrebleu), none for others.",
        "NAME",
    )
    allow_download: bool = option(
        False, FLAG, "Let a tokenizer load its model from the network (flores200 and similar)."
    )
    normalise_unicode: Any = option(
        "as-is", one_of(*FORMS), "Convert both sides to this Unicode normal form first."
    )
    grammars: Sequence[str] = option(
        (),
        many(PATH),
        "Rewrite rules that widen the references: names (en.spelling,en.numbers) or files; en is for written "
        "text, en.speech for speech, compounds for any language. NAME@0.5: each rewrite costs 0.5. fstmetrics grammar "
        "list shows all.",
        "NAMES",
        name="grammar",
    )
    alignment: bool = option(False, FLAG, "Print the alignment of every item, or write it into the records.")
    nbest: int = option(1, whole(1, MOST_PATHS), "Find the K best different paths of every item.", "K")
    output: str | None = option(
        None,
        RECORDS,
        "Write one JSON record per item to FILE; - is standard output. With --alignment, show, errors and report can "
        "read them.",
        "FILE",
    )
    as_json: bool = option(
        False,
        FLAG,
        "Print the summary as one JSON object. With --nbest or --alignment and without --output, it contains all "
        "records.",
        name="json",
        printed=True,
    )
    by: Sequence[Grouping] = option(
        (),
        GROUPINGS,
        "Also print a table by a field of the items: speaker. Several, joined by commas, make a table each; "
        "domain+gender is one table of both; duration:5,10,20 has bins. Repeatable.",
        "FIELDS",
    )
    speakers: str | None = option(
        None,
        PATH,
        "Who speaks, where files do not say: spu_id (ids are speaker-utterance or speaker_utterance, as for sclite), "
        "wsj (the first three characters), or a file of lines `id speaker`.",
        "RULE",
    )
    biasing: str | None = option(
        None,
        PATH,
        "Words that a recogniser was biased towards: also count errors on them and on all others, B-WER and U-WER. A "
        "file with a list for each id, or a word a line for all; COLUMN=FILE names the column of a table "
        "(docs/biasing.md).",
        "FILE",
    )
    reports: Sequence[str] = option(
        (),
        some_of(REPORTS),
        "Also make reports as sclite's: sys or raw (by speaker), lur (by labels of stm), dtl or spk (words in error). "
        "Joined by commas. They are printed, or written beside --output FILE as FILE.sys and so on.",
        "NAMES",
        name="report",
    )
    times: bool = option(
        False,
        FLAG,
        "Also compare the times of matched words: both sides are ctm, or JSON of Whisper with times of words "
        "(docs/word-times.md). With --by, by field, too.",
    )
    jobs: int = option(
        1, whole(1, MOST_THREADS), "Search N items at the same time. The results are the same for any N."
    )
    on: str = option(
        "local",
        one_of("local", "ray", "spark", others=lambda: ENGINES.other_names),
        "Where to score: on this machine, or on an engine for many machines (docs/scale.md). The results are "
        "the same. --jobs: how many workers an engine has that is started here; by default one a CPU.",
    )
    keep_going: bool = option(
        False, FLAG, "Report items that cannot be read or scored, leave them out, and exit with status 1."
    )
    resume: bool = option(
        False, FLAG, "Continue a run of the same command that was stopped, from the records of --output."
    )
    shard: Shard | None = option(
        None,
        SHARD,
        "Score every N-th item from the I-th on (I from 1), as job I of N. fstmetrics merge puts the records of all "
        "shards together.",
    )
    route: str = option(
        "auto",
        one_of(*ROUTES),
        f"How to search. The results are the same. One of {', '.join(ROUTES)}.",
        "ROUTE",
    )
    check: int | None = option(
        None,
        CHECK,
        "Solve every N-th item again by OpenFst alone (docs/compile.md). Where its answer differs the run ends with "
        "status 1, and the machines of the item are written into a folder. Needs pynini.",
        "openfst[=N]",
    )
    merged: MergedShards | None = None
    called: tuple[str, list[str]] = ("", [])
    normalisation: Normalisation = field(init=False, repr=False)
    columns: Given = field(init=False, repr=False)
    shows_items: bool = field(init=False, repr=False)
    partnerless: Missing = field(init=False, repr=False)
    grammar_signature: str = field(init=False, repr=False)
    search: SearchOptions = field(init=False, repr=False)
    # Those that say what words, weights and tags are, as signatures have them.
    named_files: tuple[str, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.resegment and (self.documents is not None or self.criterion != "edits"):
            option = "--criterion" if self.documents is None else "--documents"
            raise FstmetricsError(f"{option} says how --resegment cuts documents; give that, too")
        if self.output == "":
            raise FstmetricsError("--output needs a file's name, or - for standard output")
        if own := OF_SCLITE.get(self.output or ""):
            raise FstmetricsError(
                f"--output {self.output}: what sclite prints with -o {self.output} is {own} here; a file with records "
                f"of items is --output FILE.jsonl, or ./{self.output}"
            )
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
        found = vars(self)  # it is frozen from here on
        ignored = (self.ignore, self.ignore_hypothesis, self.ignore_reference)
        both, hypothesis, reference = [frozenset(" ".join(values).split()) for values in ignored]
        asked = Normalisation(
            self.tokenize, self.lowercase, self.remove_punctuation, both, self.unit, hypothesis, reference,
            self.normalise_unicode, self.allow_download, optional_words=self.optional_words,
        )  # fmt: skip
        found["normalisation"] = added(profile(self.profile), asked) if self.profile else asked
        found["grammars"] = (*self.normalisation.grammars, *self.grammars)
        found["columns"] = given_fields(self.fields) if self.fields else NOTHING_GIVEN
        if self.reports and self.output == "-":
            raise FstmetricsError("--report and --output - both want standard output; give --output a file")
        if self.reports and self.as_json and not self.output:
            raise FstmetricsError(
                "--report and --json both want standard output; with --output FILE, reports are files"
            )
        if self.check and not self.merged:
            from fstmetrics.openfst.pynini_objects import import_pynini

            import_pynini()
        if not self.normalisation.is_plain:
            self.normalisation.words("")  # fails here, before anything is read, if there is no such tokenizer
        names = [grouping.name for grouping in self.by]
        if twice := [name for name in names if names.count(name) > 1]:
            raise FstmetricsError(
                f"--by {twice[0]} comes twice with different bins; one table has one set of bins"
            )
        found["named_files"] = ()
        for name in ("symbols", "weights", "tag_candidates"):
            if path := getattr(self, name):
                file = os.path.basename(path).replace(" ", "-")
                found["named_files"] += (f"{name.replace('_', '-')}:{file}",)
        found["grammar_signature"] = grammar_signature(self.grammars) if self.grammars else ""  # likewise
        found["partnerless"] = "skip" if self.keep_going and self.missing == "error" else self.missing
        found["shows_items"] = self.output is None and (self.alignment or self.nbest > 1)
        words = self.times or [name for name in self.reports if REPORTS[name].needs_words]
        written = bool(words) or self.shows_items or self.output is not None or self.biasing is not None
        written = written or self.normalisation.unit == "mixed"  # where scripts are counted apart
        threads = workers(self.jobs) if self.on == "local" else 1
        found["search"] = SearchOptions(self.route, written, threads)

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

    def in_grammar_units(self, metric: Metric) -> Metric:
        """A metric in units that costs of rewriting are whole numbers of, as results under grammars have it."""
        from fstmetrics.grammars.library import widening_of
        from fstmetrics.metrics.cost_units import in_units_of

        return in_units_of(metric, widening_of(self.grammars, self.normalisation).scale)

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
        given = [self.symbols, self.weights, self.tag_candidates, self.documents]
        given += self.grammar_files if self.grammars else []
        if self.speakers and os.path.isfile(self.speakers):
            given.append(self.speakers)
        if self.biasing:
            given.append(named_path(self.biasing)[1])
        return [path for path in given if path]


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


def of_unit(request: Request, options: dict[str, Any], metric: CorpusMetric) -> Request:
    """The request of a metric with a unit of its own, as `cer` has. Documents are cut in the unit that is asked for."""
    own = request.normalisation.unit
    unit = metric.unit_beside(own)
    return request if unit == own else Request(**options | {"unit": unit})


def refuse_unready(metrics: Sequence[CorpusMetric], normalisation: Normalisation, cuts: bool = False) -> None:
    """Raise an FstmetricsError, before anything is read, if a metric's own tokenizer is not installed, or a tokenizer
    or a unit is asked for that no metric takes, nor cuts of documents."""
    if not cuts and normalisation.unit != "word":
        units_of(metrics, normalisation.unit)
    asked = normalisation.tokenize
    if asked not in (None, "none") and metrics and not cuts:
        inner = [metric.underlying for metric in metrics]
        if all(isinstance(metric, TextMetric) and metric.untokenized for metric in inner):
            names = ", ".join(metric.name for metric in metrics)
            raise FstmetricsError(
                f"--tokenize {asked} does not fit {names}, which takes texts as they are written; leave it out"
            )
    for metric in metrics:
        if not (own := metric.normalisation(normalisation)).is_plain:
            own.words("")


def beams(given: Any) -> tuple[float, ...]:
    """Numbers from 0 up, or inf, joined by commas; in order, each once. Python may have a number, or several.

    Raises:
        ValueError: they are none.

    >>> beams("8,inf,2"), beams([8, 4.5])
    ((2.0, 8.0, inf), (4.5, 8.0))
    """
    text = _joined(given)
    if not text and given != "":
        return ()
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


def weights(given: Any) -> float | Sweep:
    """A weight, or several: `7:17` in steps of 1, `0:1:.1` in steps of .1, or these and numbers joined by commas.

    Python may have a number, or several.

    Raises:
        ValueError: it is none of these, or too many.

    >>> weights("7"), weights("7:8")
    (7.0, Sweep(values=(7.0, 8.0), written='7:8'))
    """
    text, found = _joined(given), dict[float, None]()
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


def _joined(given: Any) -> str:
    """Numbers as the command line has them."""
    if isinstance(given, str):
        return given
    return ",".join(map(number_text, given if isinstance(given, Iterable) else [given]))


BEAMS = Kind(beams, "B[,B...]", offers=())
WEIGHTS = Kind(weights, "X|A:B[:STEP]|X,...", offers=())
# Rows of a sweep, each of which is a search of its own in every lattice.
MOST_ROWS = 10_000


# The options of scales, by their names in `Scales`.
NAMES_OF_SCALES = {"lm": "lm-scale", "acoustic": "acoustic-scale", "word_penalty": "word-penalty"}


@dataclass(frozen=True)
class LatticeOptions:
    """What is asked of lattices beyond the best path under the metric; scales that are None are as the files say.

    What follows from the options is found when they are given: `given` are the options that were; `written_scales` the
    scales, and sweeps as they were written; `scales` the scales by their names in `Scales`, of a sweep those that are
    the same in all rows; `sweep` the rows of a sweep, none unless an option gives several weights; `beam` what lattices
    are pruned to first, and `further_beams` those of further oracles.
    """

    lm_scale: float | Sweep | None = option(
        None,
        WEIGHTS,
        "Weight of graph costs; with --model-weight, of the scores of n-best lists, too. Default: as the file says, "
        "or 1. Of several "
        "(7:17, 0:1:.1 or 7,8,12) each has a row of its own, and the best is marked.",
    )
    acoustic_scale: float | None = option(None, WEIGHT, "Weight of acoustic costs. Default: 1.")
    word_penalty: float | Sweep | None = option(
        None,
        WEIGHTS,
        "Cost added for every word, which no scale multiplies. Default: as the file says, or 0. Of several as above.",
    )
    beams: tuple[float, ...] = option(
        (),
        BEAMS,
        "Keep only paths that cost at most B more than the best path. One beam prunes the lattices first; of "
        "several, each has a row of its own.",
        name="beam",
    )
    model_weight: float | None = option(
        None,
        real(0, MOST_WEIGHT),
        "Also find hope and fear: the least W x model cost plus, or minus, the metric's cost.",
        "W",
    )
    depth: bool = option(False, FLAG, "Count how many arcs there are at the same time.")

    given: Sequence[str] = field(init=False, repr=False, compare=False)
    written_scales: Mapping[str, Any] = field(init=False, repr=False, compare=False)
    scales: Mapping[str, float] = field(init=False, repr=False, compare=False)
    sweep: tuple[Weighting, ...] = field(init=False, repr=False, compare=False)
    beam: float | None = field(init=False, repr=False, compare=False)
    further_beams: tuple[float, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        found = vars(self)  # it is frozen from here on
        found["given"] = [
            name for of, name in LATTICE_NAMES.items() if getattr(self, of) != getattr(LatticeOptions, of)
        ]
        of_name = {"lm": self.lm_scale, "acoustic": self.acoustic_scale, "word_penalty": self.word_penalty}
        scales = {name: scale for name, scale in of_name.items() if scale is not None}
        found["beam"] = self.beams[0] if len(self.beams) == 1 else None
        found["further_beams"] = () if len(self.beams) == 1 else self.beams
        swept = [name for name, scale in scales.items() if isinstance(scale, Sweep)]
        if not swept:
            found["written_scales"] = found["scales"] = scales
            found["sweep"] = ()
            return
        if self.beams or self.model_weight is not None:
            other = "--beam" if self.beams else "--model-weight"
            options = " and ".join([f"--{NAMES_OF_SCALES[name]}" for name in swept])
            raise FstmetricsError(
                f"{other} needs one weight of graph costs and one word penalty, and {options} gives several"
            )
        values = {
            name: scale.values if isinstance(scale, Sweep) else (scale,) for name, scale in scales.items()
        }
        found["sweep"] = weightings(values.get("lm", ()), values.get("word_penalty", ()))
        if len(self.sweep) > MOST_ROWS:
            raise FstmetricsError(
                f"--lm-scale and --word-penalty make {len(self.sweep)} rows, more than {MOST_ROWS}; give larger steps"
            )
        # The rows have the others.
        found["scales"] = {name: scales[name] for name in scales if name == "acoustic"}
        found["written_scales"] = {
            name: scale.written if isinstance(scale, Sweep) else scale for name, scale in scales.items()
        }

    def scaled(self, hypothesis: Any) -> Any:
        """A lattice or forest under the scales that were given; others stay as its file says.

        An n-best list's total scores count as graph costs. What is none of them stays as it is.
        """
        if not self.scales:
            return hypothesis
        if isinstance(hypothesis, Lattice | Network):
            return hypothesis.weighed(replace(hypothesis.scales, **self.scales))
        if isinstance(hypothesis, NBest):
            return hypothesis.weighed(Scales(**self.scales))
        return hypothesis

    def pruned(self, hypothesis: Any) -> Any:
        """The same, and a lattice pruned to the one beam.

        Raises:
            FstmetricsError: a beam, and no lattice; or the lattice cannot be pruned; or scales for an n-best list of
                which the first entry is the 1-best, whatever their scores are.
        """
        found = self.scaled(hypothesis)
        if isinstance(found, NBest) and self.scales and self.model_weight is None:
            options = [f"--{NAMES_OF_SCALES[name]}" for name in self.scales]
            raise FstmetricsError(
                f"{' and '.join(options)} would change nothing of n-best lists, whose first entry is the 1-best: "
                f"fstmetrics best LISTS --lm-scale X --nbest K --to nbest writes lists in the order of their scores"
            )
        if self.beam is None:
            return found
        if isinstance(found, NBest | Network):
            raise FstmetricsError("--beam is for lattices, not for n-best lists or networks")
        return found.pruned(self.beam) if isinstance(found, Lattice) else found


# What the command line calls options of lattices, by their fields.
LATTICE_NAMES = {option.field: dashed(name) for name, option in options_of_fields(LatticeOptions).items()}


@dataclass(frozen=True)
class OfNetworks:
    """Options of what takes reference networks, too."""

    networks: str | None = option(
        None,
        PATH,
        "Reference networks, for wer, hyter and other finite-state metrics: a file or a folder.",
        "NETWORKS",
    )


@dataclass(frozen=True)
class OfSystems(OfNetworks):
    """Options of what takes outputs of several systems: scores of other programs, and what items have alike."""

    scores: Sequence[str] = option(
        (),
        MANY_NAMED,
        "Scores of another program, as of COMET, for all systems: WMT's .seg.score and .sys.score, tables with "
        "columns system and segment, JSON of comet-score. NAME:SYSTEM=FILE: scores of one system, as one a "
        "line. Repeatable.",
        "NAME=FILE",
    )
    lower: str = option(
        "", JOINED, "Those of --scores where lower is better. Error rates are known by their names.", "NAMES"
    )
    higher: str = option(
        "", JOINED, "Those where higher is better, though their names may say otherwise.", "NAMES"
    )
    by: Sequence[Grouping] = option(
        (),
        GROUPINGS,
        "Also compare the items with each value of a field: domain; domain,speaker are two tables, "
        "domain+speaker one; duration:5,10 has bins. Repeatable.",
        "FIELDS",
    )
    labels: Sequence[str] = option(
        (),
        MANY_NAMED,
        "A field of the items: a file with one value a line, in the order of the items. Repeatable.",
        "FIELD=FILE",
    )
    documents: str | None = option(
        None,
        PATH,
        "The fields domain and document: WMT's documents/LP.docs, lines `DOMAIN DOCUMENT`. With --resegment: the "
        "document of each segment, a line each.",
        "FILE",
    )


@dataclass(frozen=True)
class OfSessions:
    """Options of metrics of several speakers."""

    collar: float = option(
        COLLAR, real(0, MOST_COLLAR), "tcpwer, tcorcwer: how far a hypothesis word may be off.", "SECONDS"
    )


def check_run_paths(request: Request, paths: Iterable[str]) -> None:
    """Likewise for the inputs of a run, and the files that it writes."""
    inputs = [*paths, *request.beside]
    outputs: tuple[str, ...] = ()
    if request.output and is_plain(request.output):
        outputs = (request.output, *files_of_run(request.output)[1:])
        outputs += (shard_path(request.output),) if request.shard else ()
    check_paths(inputs, *outputs)
    if outputs and outputs[0].endswith(".gz"):
        raise FstmetricsError(
            f"--output {outputs[0]}: records are written as they come, and not packed: give a name without .gz, and "
            "pack the file behind the run (gzip FILE)"
        )
