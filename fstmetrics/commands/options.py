"""Options, declared once: the command line makes its options of them, and `fields_of_options` what Python gives.

A table has the options of a command by their names in Python: `--lm-scale` is `lm_scale`. What several commands have is
a table of its own, or a name: `INPUT`, `WORDS`, `MISSING`. `SCORING` is that of `score` and `hyter`, `ORACLE` of
`oracle`; other commands have theirs in their own modules. Metrics declare their options themselves: `of_metrics` is
the row of a table that stands for them, and `with_metrics` puts them in its place.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from decimal import Decimal
from functools import partial, wraps
from inspect import signature
from numbers import Real
from typing import Any, ParamSpec, TypeVar

from fstmetrics.data.groupings import groupings_of
from fstmetrics.data.transcripts import NOTATIONS
from fstmetrics.engine.search import MOST_THREADS, ROUTES
from fstmetrics.io import FORMATS
from fstmetrics.metrics.corpus import COLLAR, MEAN, MOST_COLLAR
from fstmetrics.metrics.registry import METRICS, SOME_METRICS, MetricParameters, metric_options, registered
from fstmetrics.reports.summary import table_lines
from fstmetrics.reports.table_forms import FORMS as FORMS_OF_TABLES
from fstmetrics.scoring.request import REPORTS, Sweep, beams, weights
from fstmetrics.scoring.shards import Shard
from fstmetrics.streams.cuts import CRITERIA
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import MOST_PATHS
from fstmetrics.support.names import did_you_mean
from fstmetrics.support.options import (
    FLAG,
    JOINED,
    MANY_NAMED,
    MOST_WEIGHT,
    PATH,
    TEXT,
    WEIGHT,
    Kind,
    Option,
    dashed,
    each_once,
    many,
    named,
    number_text,
    one_of,
    path,
    real,
    several,
    some_of,
    text,
    whole,
    written_file,
)
from fstmetrics.text.normalisation import FORMS, OPTIONAL_WORDS, UNITS
from fstmetrics.text.profiles import is_profile, profile, profile_names

Options = Mapping[str, Option]
P = ParamSpec("P")
T = TypeVar("T")
# What is scored and what it is scored against, in calls on paths.
SIDES = ("references", "networks", "hypotheses", "lattices")


# Beyond it no run has as many items.
MOST_EVERY = 10**12


FORMAT = named("format", FORMATS)


# Where items are scored: here, or on an engine that ships.
PLACES = ("local", "ray", "spark")


def _place(given: Any) -> str:
    if given in PLACES:
        return str(given)
    from fstmetrics.batches.engines import ENGINES  # those of other packages are few, and seldom asked for

    return str(one_of(*dict.fromkeys((*PLACES, *ENGINES.other_names)))(given))


PLACE = Kind(_place, f"[{'|'.join(PLACES)}]", offers=PLACES)


def _profile(given: Any) -> str:
    names = text(given).split(",")
    if len(names) > 1 and all(is_profile(name) for name in names):
        raise FstmetricsError(
            f"--profile takes one profile; for several: fstmetrics compare --profiles {given} --ref REF SYSTEM..."
        )
    profile(given)
    return str(given)


PROFILE = Kind(_profile)
# Fields to make tables by, as `speaker,domain`; a field may have bins, as `duration:5,10`.
GROUPINGS = Kind(partial(each_once, names=groupings_of), offers=(), repeated=True)


def _columns(given: Any) -> list[str]:
    if not isinstance(given, Mapping):
        return several(given, text)
    return [
        f"{text(name)}={text(column)}"
        for name, columns in given.items()
        for column in ([columns] if isinstance(columns, str) else columns)
    ]


# Columns of a table by the fields that they are; Python may have a dict, whose values are columns or lists of them.
COLUMNS = Kind(_columns, repeated=True)


def _beams(given: Any) -> tuple[float, ...]:
    if isinstance(given, str):
        return beams(given)
    found = list(map(number_text, given if isinstance(given, Iterable) else [given]))
    return beams(",".join(found)) if found else ()


def _weights(given: Any) -> float | Sweep:
    if isinstance(given, str):
        return weights(given)
    return weights(",".join(map(number_text, given if isinstance(given, Iterable) else [given])))


# Numbers from 0 up, or inf, joined by commas; in order, each once.
BEAMS = Kind(_beams, "B[,B...]", offers=())
# A weight, or several: `7:17` in steps of 1, `0:1:.1` in steps of .1, or these and numbers joined by commas.
WEIGHTS = Kind(_weights, "X|A:B[:STEP]|X,...", offers=())


def _check(given: Any) -> int:
    judge, equals, every = text(given).partition("=")
    if judge != "openfst":
        raise ValueError(f"expected openfst or openfst=N, not {given!r}")
    return int(whole(1, MOST_EVERY)(every)) if equals else 1


# `openfst` or `openfst=N`: every N-th item is solved again by OpenFst.
CHECK = Kind(_check)
# `I/N`: shard I of N.
SHARD = Kind(
    lambda given: given if isinstance(given, Shard) else Shard.parsed(text(given)),
    "I/N",
    offers=(),
)
RECORDS = written_file("JSON Lines", ".jsonl")


def under(heading: str, options: Options | None = None, /, **more: Option) -> dict[str, Option]:
    """Options under a heading; the field of each has a name."""
    return {
        name: option._replace(heading=heading, field=option.field or name)
        for name, option in {**(options or {}), **more}.items()
    }


# The row of a table that stands for options of metrics, and the field that has their values.
PARAMETERS = "parameters"


def of_metrics(*metrics: str, but: Sequence[str] = (), without: Sequence[str] = ()) -> dict[str, Option]:
    """A row of a table that stands for options of metrics.

    Args:
        metrics: of which; none: of all, or those that are asked for.
        but: metrics whose options are left out.
        without: options that are left out.
    """

    def options(asked: Sequence[str] | None) -> dict[str, Option]:
        found = metric_options(metrics or asked, but)
        return {name: option for name, option in found.items() if name not in without}

    return under("Metric", parameters=Option(Kind(options), ""))


def with_metrics(known: Options, written: Iterable[str] | None = None, asked: Any = None) -> Options:
    """A table with the options of metrics in the place of the row that stands for them.

    Metrics are imported only as far as need be: none where the table has all options that are written; those that are
    asked for, or the default, where they have the others; else all. What a command calls its own stays that.

    Args:
        known: the table.
        written: options as Python or the command line calls them; None: the options of all metrics are wanted.
        asked: names of metrics, joined by commas, or several.

    Raises:
        FstmetricsError: metrics that are asked for have different options of one name.

    >>> [name for name in with_metrics(SCORING, ["window"], "hyter") if name not in SCORING]
    ['window', 'reordering']
    """
    row = known.get(PARAMETERS)
    if row is None:
        return known
    names = {name.removeprefix("--").replace("-", "_") for name in written or ()}
    others = None if written is None else names - (known.keys() - {PARAMETERS})
    found: dict[str, Option] = {}
    if others:
        found = row.kind(metric_names(asked or known["metric"].default if "metric" in known else ()))
    if others is None or not others <= found.keys():
        found = row.kind(None)
    taken = {*known, *(option.field for option in known.values())}
    own = under(row.heading, {name: option for name, option in found.items() if name not in taken})
    spliced: dict[str, Option] = {}
    for name, option in known.items():
        spliced |= own if option is row else {name: option}
    return spliced


def metric_names(asked: Any) -> list[str]:
    """The metrics of some names, as they are registered; what is none, or the mean of one, by its own name."""
    several = asked if isinstance(asked, list | tuple) else [asked]
    names = [name.strip() for part in several if isinstance(part, str) for name in part.split(",")]
    return [name for each in names if (name := registered(each).removeprefix(MEAN)) in METRICS]


def some(options: Options, *names: str) -> dict[str, Option]:
    """Those of some names, in that order."""
    return {name: options[name] for name in names}


# Of metrics of several speakers.
COLLARED = under(
    "Metric",
    collar=Option(
        real(0, MOST_COLLAR), "tcpwer, tcorcwer: how far a hypothesis word may be off.", COLLAR, "SECONDS"
    ),
)


FORMATS_READ = under(
    "Input",
    format=Option(
        FORMAT, "Format of the hypotheses. Default: recognised. fstmetrics convert --help lists all."
    ),
    ref_format=Option(FORMAT, "Format of the references. Default: recognised."),
)
FIELDS = under(
    "Input",
    fields=Option(
        COLUMNS,
        "Which columns of a table are the id, the reference, the hypothesis, or another field: "
        "id=audio_filepath,ref=text,hyp=pred_text,speaker=spk. Default: recognised, and said in the summary.",
        metavar="NAME=COLUMN,...",
    ),
)
ALTERNATIONS = under(
    "Input",
    alternations=Option(
        one_of(*NOTATIONS),
        "How plain and Kaldi references write choices: sclite `{ a / b / @ }`, braces `{a|b|}`, brackets `[a|b]`, "
        "or wildcards, where only `<*>` is special: it means any words, as in the others. trn, stm and ctm "
        "always use sclite.",
    ),
)
OPTIONAL = under(
    "Input",
    optional_words=Option(
        one_of(*OPTIONAL_WORDS),
        "What `(word)` is in sclite's notation, as in trn and stm: free to be left out; a word, as in sclite; or "
        "correct where it is left out, as in sclite -D (under --metric sclite).",
        "free",
    ),
)
SYMBOLS = under(
    "Input",
    symbols=Option(
        PATH, "Symbol table (lines `word integer`) where lattices hold numbers for words.", metavar="FILE"
    ),
)
FEATURE_WEIGHTS = under(
    "Input",
    weights=Option(
        PATH,
        "Feature weights (lines `name value` or `name= value ...`) of n-best lists, hypergraphs and PLF.",
        metavar="FILE",
    ),
)
HYPOTHESES = {**some(FORMATS_READ, "format"), **SYMBOLS, **FEATURE_WEIGHTS}
INPUT = under(
    "Input",
    {
        "ref": Option(
            many(PATH), "More references for the same items. Repeatable.", metavar="FILE", field="more_references"
        ),
        **FORMATS_READ,
        **FIELDS,
        **ALTERNATIONS,
        **OPTIONAL,
        "tag_candidates": Option(
            PATH,
            "fstalign's norm.json: other ways to write the tagged words of references in its NLP format. Each is an "
            "alternative of the words as written.",
            metavar="FILE",
        ),
        **SYMBOLS,
        **FEATURE_WEIGHTS,
    },
    missing=Option(
        one_of("error", "skip", "empty"),
        "An id that one side lacks: stop, skip the item, or score it against an empty sentence.", "error",
    ),
)  # fmt: skip
RESEGMENT = under(
    "Input",
    resegment=Option(
        FLAG,
        "The hypotheses have no segment ends, or others than the references: cut each document into the segments of "
        "the references, at the fewest edits (docs/streams.md).",
    ),
    criterion=Option(
        one_of(*CRITERIA),
        "With --resegment: cut at the fewest edits, or at the most similar pairs of words (soft).", "edits",
    ),
    documents=Option(
        PATH,
        "With --resegment: the document of each segment of the references, a line each: DOCUMENT, ID DOCUMENT, or "
        "docid=DOCUMENT,segid=N.",
        metavar="FILE",
    ),
)  # fmt: skip
# Of several systems.
MISSING = under(
    "Input",
    missing=Option(
        one_of("error", "skip"),
        "An id that a file lacks: stop, or leave the item out for all systems.", "error",
    ),
)  # fmt: skip
NETWORKS = under(
    "Input",
    networks=Option(
        PATH,
        "Reference networks, for wer, hyter and other finite-state metrics: a file or a folder.",
        metavar="NETWORKS",
    ),
)
WORDS = under(
    "Words",
    profile=Option(
        PROFILE,
        f"The rules of a scoring tool or leaderboard: {', '.join(profile_names())}. docs/profiles.md says "
        "what they do. The options below add to them.",
        metavar="NAME",
    ),
    lowercase=Option(FLAG, "Ignore case."),
    remove_punctuation=Option(FLAG, "Remove punctuation characters from words."),
    unit=Option(
        one_of(*UNITS),
        "What is compared. With char, wer is the character error rate; a space between words is a character. "
        "char-no-space: characters without spaces. mixed: Han characters, and words of other scripts.",
        "word",
    ),
    ignore=Option(
        many(TEXT),
        'Words that do not count, separated by spaces: --ignore "uh um". Repeatable.', metavar="WORDS",
    ),
    ignore_ref=Option(
        many(TEXT), "The same, in references only.", metavar="WORDS", field="ignore_reference"
    ),
    ignore_hyp=Option(
        many(TEXT), "The same, in hypotheses only.", metavar="WORDS", field="ignore_hypothesis"
    ),
    tokenize=Option(
        TEXT,
        "A tokenizer of sacrebleu (13a, intl, char, zh, ja-mecab, ko-mecab, spm, flores101, flores200, "
        "spBLEU-1K), or none. Default: 13a for BLEU and similar metrics (as in sacrebleu), none for others.",
        metavar="NAME",
    ),
    allow_download=Option(
        FLAG, "Let a tokenizer load its model from the network (flores200 and similar)."
    ),
    normalise_unicode=Option(
        one_of(*FORMS), "Convert both sides to this Unicode normal form first.", "as-is"
    ),
)  # fmt: skip
GRAMMAR = under(
    "Words",
    grammar=Option(
        many(PATH),
        "Rewrite rules that widen the references: names (en.spelling,en.numbers) or files; en is for written "
        "text, en.speech for speech, compounds for any language. NAME@0.5: each rewrite costs 0.5. fstmetrics grammar "
        "list shows all.",
        metavar="NAMES",
        field="grammars",
    ),
)
SCALES = under(
    "Lattices",
    lm_scale=Option(
        WEIGHT,
        "Weight of graph costs, or of the scores of n-best lists. Default: as the file says, or 1.",
    ),
    acoustic_scale=Option(WEIGHT, "Weight of acoustic costs. Default: 1."),
    word_penalty=Option(WEIGHT, "Cost added for every word. Default: as the file says, or 0."),
)
LATTICES = under(
    "Lattices",
    lm_scale=Option(
        WEIGHTS,
        "Weight of graph costs, or of the scores of n-best lists. Default: as the file says, or 1. Of several "
        "(7:17, 0:1:.1 or 7,8,12) each has a row of its own, and the best is marked.",
    ),
    acoustic_scale=SCALES["acoustic_scale"],
    word_penalty=Option(
        WEIGHTS,
        "Cost added for every word. Default: as the file says, or 0. Of several as above; in such a sweep the "
        "lm scale multiplies it, as in Kaldi's score.sh.",
    ),
    beam=Option(
        BEAMS,
        "Keep only paths that cost at most B more than the best path. One beam prunes the lattices first; of "
        "several, each has a row of its own.",
        (),
        field="beams",
    ),
    model_weight=Option(
        real(0, MOST_WEIGHT),
        "Also find hope and fear: the least W x model cost plus, or minus, the metric's cost.", metavar="W",
    ),
    depth=Option(FLAG, "Count how many arcs there are at the same time."),
)  # fmt: skip
OUTPUT = Option(
    RECORDS,
    "Write one JSON record per item to FILE; - is standard output. With --alignment, show, errors and report can "
    "read them.",
    metavar="FILE",
)
JSON = Option(FLAG, "Print the summary as one JSON object.", field="as_json", printed=True)
SPEAKERS = Option(
    PATH,
    "Who speaks, where files do not say: spu_id (ids are speaker-utterance or speaker_utterance, as for sclite), "
    "wsj (the first three characters), or a file of lines `id speaker`.",
    metavar="RULE",
)
BIASING = Option(
    PATH,
    "Words that a recogniser was biased towards: also count errors on them and on all others, B-WER and U-WER. A file "
    "with a list for each id, or a word a line for all; COLUMN=FILE names the column of a table (docs/biasing.md).",
    metavar="FILE",
)
# The form of tables, one value; a command has JSON beside it, or among it where that is all it prints.
TABLE_FORMS = under(
    "Output",
    {
        name: Option(FLAG, f"Print {what}.", field="form", printed=True)
        for name, what in FORMS_OF_TABLES.items()
    },
)
FORMS_PRINTED = {
    **under("Output", json=Option(FLAG, "Print one JSON object.", field="form", printed=True)),
    **TABLE_FORMS,
}
PERCENT = under(
    "Output",
    percent=Option(
        FLAG, "Print rates in percent, as 21.71 for 0.2171; not in JSON, CSV and TSV.", printed=True
    ),
)
RECORDS_WRITTEN = under(
    "Output",
    alignment=Option(FLAG, "Print the alignment of every item, or write it into the records."),
    nbest=Option(whole(1, MOST_PATHS), "Find the K best different paths of every item.", 1, "K"),
    output=OUTPUT,
    json=JSON._replace(
        help="Print the summary as one JSON object. With --nbest or --alignment and without --output, it "
        "contains all records."
    ),
    by=Option(
        GROUPINGS,
        "Also print a table by a field of the items: speaker. Several, joined by commas, make a table each; "
        "domain+gender is one table of both; duration:5,10,20 has bins. Repeatable.",
        metavar="FIELDS",
    ),
    speakers=SPEAKERS,
    biasing=BIASING,
    report=Option(
        some_of(REPORTS),
        "Also make reports as sclite's: sys or raw (by speaker), lur (by labels of stm), dtl or spk (words in error). "
        "Joined by commas. They are printed, or written beside --output FILE as FILE.sys and so on.",
        metavar="NAMES",
        field="reports",
    ),
    times=Option(
        FLAG,
        "Also compare the times of matched words: both sides are ctm, or JSON of Whisper with times of words "
        "(docs/word-times.md). With --by, by field, too.",
    ),
)
LABELS = under(
    "Output",
    by=Option(
        GROUPINGS,
        "Also compare the items with each value of a field: domain; domain,speaker are two tables, "
        "domain+speaker one; duration:5,10 has bins. Repeatable.",
        metavar="FIELDS",
    ),
    labels=Option(
        MANY_NAMED,
        "A field of the items: a file with one value a line, in the order of the items. Repeatable.",
        metavar="FIELD=FILE",
    ),
    documents=Option(
        PATH,
        "The fields domain and document: WMT's documents/LP.docs, lines `DOMAIN DOCUMENT`. With --resegment: the "
        "document of each segment, a line each.",
        metavar="FILE",
    ),
)  # fmt: skip
SCORES = under(
    "Scores",
    scores=Option(
        MANY_NAMED,
        "Scores of another program, as of COMET, for all systems: WMT's .seg.score and .sys.score, tables with "
        "columns system and segment, JSON of comet-score. NAME:SYSTEM=FILE: scores of one system, as one a "
        "line. Repeatable.",
        metavar="NAME=FILE",
    ),
    lower=Option(JOINED, "Those of --scores where lower is better.", "", "NAMES"),
)
WHERE = under(
    "Long runs",
    jobs=Option(
        whole(1, MOST_THREADS), "Search N items at the same time. The results are the same for any N.", 1
    ),
    on=Option(
        PLACE,
        "Where to score: on this machine, or on an engine for many machines (docs/scale.md). The results are "
        "the same. --jobs: how many workers an engine has that is started here; by default one a CPU.",
        "local",
    ),
)
SHARDS = under(
    "Long runs",
    shard=Option(
        SHARD,
        "Score every N-th item from the I-th on (I from 1), as job I of N. fstmetrics merge puts the records of all "
        "shards together.",
    ),
)
RUN = under(
    "Long runs",
    {
        **WHERE,
        "keep_going": Option(
            FLAG, "Report items that cannot be read or scored, leave them out, and exit with status 1."
        ),
        "resume": Option(
            FLAG, "Continue a run of the same command that was stopped, from the records of --output."
        ),
        **SHARDS,
    },
)


def scoring(metric: str) -> dict[str, Option]:
    """The options of `score`, `oracle` and `hyter`.

    Args:
        metric: the default.
    """
    return {
        **under(
            "Metric",
            metric=Option(
                SOME_METRICS,
                "wer, cer, wrr, grr, hyter, bleu or another metric, or several; --help metric lists them.", metric,
                field="metric_name",
            ),
        ),
        **of_metrics(),
        **INPUT,
        **RESEGMENT,
        **WORDS,
        **GRAMMAR,
        **LATTICES,
        **RECORDS_WRITTEN,
        **TABLE_FORMS,
        **PERCENT,
        **RUN,
        **under(
            "Long runs",
            route=Option(
                one_of(*ROUTES),
                f"How to search. The results are the same. One of {', '.join(ROUTES)}.", "auto", "ROUTE",
            ),
            check=Option(
                CHECK,
                "Solve every N-th item again by OpenFst alone (docs/compile.md). Where its answer differs the run ends "
                "with status 1, and the machines of the item are written into a folder. Needs pynini.",
                metavar="openfst[=N]",
            ),
        ),
    }  # fmt: skip


SCORING = scoring("wer")
# Segments are cut out of texts.
ORACLE: Options = {name: option for name, option in SCORING.items() if name not in RESEGMENT}


def fields_of_options(function: str, known: Options, given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of all options of a call; None is an option that is not given.

    Args:
        function: the function that was called.
        known: its options.
        given: those that it was given.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: a value that an option does not take.

    >>> found = fields_of_options("score_files", SCORING, {"beam": [8, 4.5], "ref": "b.txt"})
    >>> found["beams"], found["more_references"], found["unit"]
    ((4.5, 8.0), ['b.txt'], 'word')
    """
    own = {name: option for name, option in known.items() if not option.printed}
    options = with_metrics(own, given, given.get("metric"))
    for name in given:
        if name not in options:
            near = did_you_mean(name, list(options))
            raise TypeError(f"{function}() has no option {name!r}{'; ' if near else ''}{near}")
    found: dict[str, Any] = {}
    for name, option in options.items():
        value = given.get(name)
        try:
            if name in own or value is not None:
                found[option.field] = _value(name, option, value)
        except FstmetricsError:
            raise  # it says what it is about
        except ValueError as error:
            raise FstmetricsError(f"{name}: {error}") from None
    if PARAMETERS in own:
        take_parameters({name: option for name, option in options.items() if name not in own}, found)
    return found


def take_parameters(known: Options, fields: dict[str, Any]) -> None:
    """Make one field of those that options of metrics have; values that say that texts are plain make formats plain.

    Args:
        known: the options of metrics.
        fields: the fields of all options.
    """
    values = {name: fields.pop(name) for name in known if name in fields}
    given = {
        name: value
        for name, value in values.items()
        if value is not None and value is not False and value != known[name].default
    }
    if [name for name, value in given.items() if value in known[name].plain]:
        # Hypotheses of tune are lists.
        for name in ("ref_format",) if "feature_names" in fields else ("format", "ref_format"):
            if fields.get(name, "") is None:
                fields[name] = "plain"
    fields[PARAMETERS] = MetricParameters(given, known)


def sides_by_name(function: Callable[P, T]) -> Callable[P, T]:
    """Says how a function takes its sides where they are given without names."""
    parameters = signature(function).parameters.values()
    by_place = sum(each.kind is each.POSITIONAL_OR_KEYWORD for each in parameters)
    sides = ", ".join(f"{each.name}=..." for each in parameters if each.name in SIDES)

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> T:
        if len(args) > by_place:
            raise TypeError(f"{function.__name__}() takes its sides by name: {sides}")
        return function(*args, **kwargs)

    return checked


def path_of(function: str, given: Any, advice: str = "") -> str:
    """The path of a call.

    Args:
        function: the function that was called.
        given: what it was given.
        advice: which other function takes other things.

    Raises:
        FstmetricsError: it is no path.
    """
    try:
        return path(given)
    except ValueError as error:
        raise FstmetricsError(f"{function}() takes paths: {error}{advice and '; '}{advice}") from None


def _value(name: str, option: Option, given: Any) -> Any:
    """The value of a field.

    Raises:
        ValueError: it is not what the option takes.
    """
    if given is None:
        given = [] if option.kind.repeated else False if option.kind is FLAG else option.default
    elif option.bare is not None and given is True:
        given = option.bare
    found = None if given is None else option.kind(given)
    if name == "output" and found == "-":
        raise ValueError("expected a file; what is printed is printed by the command only")
    return found


def written(given: Mapping[str, Any]) -> list[str]:
    """Options as the command line has them, by which `merge` calls the command of shards.

    >>> written({"lowercase": True, "ref": ["b.txt", "c.txt"], "beam": [8, 4.5], "fields": {"id": "path"}})
    ['--lowercase', '--ref', 'b.txt', '--ref', 'c.txt', '--beam', '8,4.5', '--fields', 'id=path']
    """
    found: list[str] = []
    for name, value in given.items():
        option = dashed(name)
        if value is True:
            found.append(option)
        elif isinstance(value, Mapping):
            for each in COLUMNS(value) if name == "fields" else MANY_NAMED(value):
                found += [option, each]
        elif value is None or value is False:
            continue
        elif isinstance(value, str | os.PathLike | Real | Decimal | Shard):
            found += [option, str(value)]
        elif name in ("beam", "lm_scale", "word_penalty"):
            found += [option, ",".join(map(str, value))]
        else:
            for each in value:
                found += [option, str(each)]
    return found


def several_paths(function: str, given: Any, needed: str = "") -> list[str]:
    """One path that a function is given, or some.

    Args:
        function, given: as of `path_of`.
        needed: what at least one has to be there of.

    Raises:
        FstmetricsError: as of `path_of`, or there is none.
    """
    is_one = isinstance(given, str | os.PathLike) or not isinstance(given, Iterable)
    found = [path_of(function, each) for each in ([given] if is_one else given)]
    if needed and not found:
        raise FstmetricsError(f"{function}() takes paths of {needed}, and there is none: give one or more")
    return found


def systems_of(function: str, given: Any, needed: str = "") -> list[str]:
    """Files of systems, as the command line has them: `NAME=FILE` where a dict has their names.

    Raises:
        FstmetricsError: as of `path_of`, or a name that the command line cannot have.
    """
    if not isinstance(given, Mapping) or not given:
        return several_paths(function, given, needed)
    for name in given:
        if not isinstance(name, str) or "=" in name:
            raise FstmetricsError(f"{name}: a system has a name without =")
    return [f"{name}={path_of(function, file)}" for name, file in given.items()]


def given_options(known: Options, given: Mapping[str, Any]) -> list[str]:
    """The options that Python gives, in the order of those that are known.

    >>> given_options(SCORING, {"lowercase": False, "ref": [], "lm_scale": 7})
    ['lm_scale']
    """
    said = {name: value for name, value in given.items() if value is not None and value is not False}
    empty = [name for name, value in said.items() if isinstance(value, Sized) and not len(value)]
    options = with_metrics(known, said, said.get("metric"))
    return [name for name in options if name in said and name not in empty]


def metric_table() -> str:
    """The end of a help page: each metric, which scores are better, and when it is decomposable."""
    rows = [("metric", "better", "decomposable")]
    rows += [
        (name, "higher" if metric.recognition else "lower", metric.decomposable)
        for name, metric in METRICS.items()
    ]
    table = "\n".join(table_lines(rows, 3))
    return (
        f"\b\n{table}\n\nDecomposable: a better sentence never makes the corpus worse (Chiang et al., EMNLP 2008). "
        "This is always so for the mean of the item scores (mean-NAME in compare and correlate). docs/metrics.md "
        "says which metric is for what. sclite itself ignores case: for its numbers add --lowercase."
    )
