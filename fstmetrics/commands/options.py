"""Options, declared once: the command line makes its options of them, and `fields_of_options` what Python gives.

A table has the options of a command by their names in Python: `--lm-scale` is `lm_scale`. What several commands have is
a table of its own, or a name: `METRIC_PARAMETERS`, `INPUT`, `WORDS`, `MISSING`. `SCORING` is that of `score` and
`hyter`, `ORACLE` of `oracle`; other commands have theirs in their own modules.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sized
from decimal import Decimal
from functools import wraps
from inspect import signature
from numbers import Real
from typing import Any, NamedTuple, ParamSpec, TypeVar

from fstmetrics.data.transcripts import NOTATIONS
from fstmetrics.engine.search import MOST_THREADS, ROUTES
from fstmetrics.metrics.corpus import (
    COLLAR,
    MARKS,
    MOST_CHRF,
    MOST_COLLAR,
    MOST_EXPONENT,
    MOST_ORDER,
    MOST_WINDOW,
)
from fstmetrics.reports.table_forms import FORMS as FORMS_OF_TABLES
from fstmetrics.scoring.option_values import (
    BEAMS,
    CHECK,
    COLUMNS,
    DECIMAL,
    FLAG,
    FORMAT,
    GROUPINGS,
    JOINED,
    MANY_NAMED,
    MOST_WEIGHT,
    PATH,
    PLACES,
    PROFILE,
    RECORDS,
    SHARD,
    SOME_METRICS,
    TEXT,
    WEIGHT,
    WEIGHTS,
    Kind,
    many,
    one_of,
    path,
    real,
    some_of,
    whole,
)
from fstmetrics.scoring.request import REPORTS
from fstmetrics.scoring.shards import Shard
from fstmetrics.streams.cuts import CRITERIA
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import MOST_PATHS
from fstmetrics.support.names import did_you_mean
from fstmetrics.text.normalisation import FORMS, OPTIONAL_WORDS, UNITS
from fstmetrics.text.profiles import profile_names


class Option(NamedTuple):
    """An option.

    Attributes:
        kind: what it takes.
        help: what the help page says of it.
        default: its value where it is not given; of flags and of what may be repeated, False and nothing.
        metavar: what the help page calls its value, where its kind has no better word.
        field: what a request, or the function of the command, calls it; as Python calls the option, if empty.
        heading: where it stands on the help page.
        bare: its value where nothing stands behind it.
        short: one more name, of a letter.
        required: whether the command line has to have it.
        printed: whether it says how the command prints, so that Python does not have it.
    """

    kind: Kind
    help: str
    default: Any = None
    metavar: str | None = None
    field: str = ""
    heading: str = ""
    bare: Any = None
    short: str = ""
    required: bool = False
    printed: bool = False


Options = Mapping[str, Option]
P = ParamSpec("P")
T = TypeVar("T")
# What is scored and what it is scored against, in calls on paths.
SIDES = ("references", "networks", "hypotheses", "lattices")


def under(heading: str, options: Options | None = None, /, **more: Option) -> dict[str, Option]:
    """Options under a heading; the field of each has a name."""
    return {
        name: option._replace(heading=heading, field=option.field or name)
        for name, option in {**(options or {}), **more}.items()
    }


def some(options: Options, *names: str) -> dict[str, Option]:
    """Those of some names, in that order."""
    return {name: options[name] for name in names}


GRR = under(
    "Metric",
    order=Option(whole(1, MOST_ORDER), "grr: the length of the n-grams.", 4),
    alpha=Option(DECIMAL, "grr: the loss of an insertion.", "1"),
    beta=Option(DECIMAL, "grr: the loss of a deletion.", "0"),
)
HYTER = under(
    "Metric",
    window=Option(whole(1, MOST_WINDOW), "hyter: words may be reordered within K words; 1 is no reordering.", 1, "K"),
    reordering=Option(
        one_of("moves", "jumps"),
        "hyter: count each block that moves, or each word that is out of order (jumps).", "moves",
    ),
)  # fmt: skip
# What the features of tesla-f depend on.
TESLA_F = under(
    "Metric",
    analyser=Option(
        one_of("wordnet", "factored", "factored-wordnet"),
        "tesla-m, tesla-f, maxsim: lemmas from WordNet, or from words written as word|lemma|POS.", "wordnet",
    ),
    discount=Option(
        one_of("subtract", "factor"),
        "tesla-m, tesla-f: the weight of a function word: 0.1 less for each, or times 0.1 for each.", "subtract",
    ),
    pivot_table=Option(PATH, "tesla-f: a phrase table of Moses, to the pivot language.", metavar="FILE"),
    language_model=Option(PATH, "tesla-f: a language model in ARPA format.", metavar="FILE"),
)  # fmt: skip
TEXT_METRICS = under(
    "Metric",
    ref_length=Option(
        one_of("closest", "shortest", "average"),
        "bleu, bleu-sbp: the length that counts where there are several references.", "closest",
    ),
    smoothing=Option(
        one_of("exp", "plus-one", "none"),
        "bleu, bleu-sbp, sentence-bleu: smoothing where an n-gram order has no match; exp is sacrebleu's.", "exp",
    ),
    chrf_char_order=Option(whole(1, MOST_CHRF), "chrf, chrf++: n-grams of up to N characters.", 6),
    chrf_word_order=Option(
        whole(0, MOST_CHRF), "chrf, chrf++: n-grams of up to N words. Default: none; chrf++: 2."
    ),
    chrf_beta=Option(
        whole(1, MOST_CHRF), "chrf, chrf++: how many times as important as precision recall is.", 2, "B"
    ),
    chrf_whitespace=Option(FLAG, "chrf, chrf++: spaces are characters."),
    chrf_eps_smoothing=Option(FLAG, "chrf, chrf++: smoothing as in chrF++.py, nltk and Moses."),
    ter_case_sensitive=Option(FLAG, "ter: case counts."),
    ter_normalized=Option(FLAG, "ter: cut punctuation off words, as tercom does."),
    ter_no_punct=Option(FLAG, "ter: remove punctuation."),
    ter_asian_support=Option(FLAG, "ter: the two options above know Asian characters, too."),
    synonyms=Option(one_of("wordnet", "none"), "meteor, terp: where synonyms come from.", "wordnet"),
    terp_costs=Option(
        one_of("adequacy", "hter", "unit"), "terp: costs as TERp's authors tuned them, or 1 an edit.", "adequacy"
    ),
    terp_paraphrases=Option(PATH, "terp: a phrase table of Moses, of references' phrases.", metavar="FILE"),
    gtm_exponent=Option(
        real(1, MOST_EXPONENT),
        "gtm: a run of L words counts as L to the power of E; with 1 the order of words does not count.", 1, "E",
    ),
    marks=Option(TEXT, "per, case: the punctuation marks that count.", MARKS, "MARKS"),
    analyser=TESLA_F["analyser"],
    maxsim_recall_weight=Option(real(0, 1), "maxsim: what recall weighs in F.", 0.9, "A"),
    **some(TESLA_F, "discount", "pivot_table", "language_model"),
    tesla_f_weights=Option(
        PATH, "tesla-f: lines `feature weight`. Default: the mean of the six F.", metavar="FILE"
    ),
)  # fmt: skip
# Of metrics of several speakers.
COLLARED = under(
    "Metric",
    collar=Option(
        real(0, MOST_COLLAR), "tcpwer, tcorcwer: how far a hypothesis word may be off.", COLLAR, "SECONDS"
    ),
)
METRIC_PARAMETERS = {**GRR, **HYTER, **TEXT_METRICS}


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
        one_of(*PLACES),
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
        **METRIC_PARAMETERS,
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
    >>> found["beams"], found["more_references"], found["order"]
    ((4.5, 8.0), ['b.txt'], 4)
    """
    options = {name: option for name, option in known.items() if not option.printed}
    for name in given:
        if name not in options:
            near = did_you_mean(name, list(options))
            raise TypeError(f"{function}() has no option {name!r}{'; ' if near else ''}{near}")
    found: dict[str, Any] = {}
    for name, option in options.items():
        value = given.get(name)
        try:
            found[option.field] = _value(name, option, value)
        except FstmetricsError:
            raise  # it says what it is about
        except ValueError as error:
            raise FstmetricsError(f"{name}: {error}") from None
    return found


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


def dashed(name: str) -> str:
    """What the command line calls an option.

    >>> dashed("lm_scale")
    '--lm-scale'
    """
    return f"--{name.replace('_', '-')}"


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
    return [name for name in known if name in said and name not in empty]
