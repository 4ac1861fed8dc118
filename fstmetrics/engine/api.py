"""Best path in H ∘ T ∘ R, for one item or many: `align`, `score`, and a function for each number.

A hypothesis or reference is a `str` (split on white space), a sequence of words, a `Lattice` or a `Network`; a
reference is also a list of those as alternatives (`Alternatives` says it of a hypothesis, and where a list of strings
could be mistaken for words). What is something else by its type, or by its looks (the name of a file, a record), is
refused: `fstmetrics.support.arguments`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import compress, islice
from typing import TYPE_CHECKING, Any, overload
from unicodedata import is_normalized

from fstmetrics._native import are_strings, best
from fstmetrics.data.fields import Fields, FieldsGiven, fields_by_id, fields_of_items
from fstmetrics.data.lattice import Lattice
from fstmetrics.data.network import Network
from fstmetrics.data.symbols import NOTHING
from fstmetrics.engine.results import CorpusResult, References, Result, Rules, Scores
from fstmetrics.engine.search import (
    COUNTS_ONLY,
    DEFAULT,
    SETTINGS,
    SearchOptions,
    all_grammars,
    grammar_signature,
    search,
)
from fstmetrics.engine.sides import (
    Alternatives,
    Corpus,
    Input,
    are_oracles,
    as_alternatives,
    graph_of,
    is_dropped,
    references_of,
    refuse_listed_hypothesis,
    snapshot,
)
from fstmetrics.engine.signatures import ORACLE
from fstmetrics.metrics import CorpusMetric, Mean, Metric, TextMetric, as_corpus_metric, as_metric
from fstmetrics.metrics.corpus_metric import units_of
from fstmetrics.metrics.grr import GRR
from fstmetrics.metrics.hyter import HyTER
from fstmetrics.metrics.mer import MER
from fstmetrics.metrics.path_metric import Number, Reordering, quotient
from fstmetrics.metrics.wer import WER
from fstmetrics.metrics.wil import WIL, WIP
from fstmetrics.metrics.wrr import WRR
from fstmetrics.support.arguments import (
    Labelled,
    by_name,
    check_pair,
    check_text,
    expect,
    is_table,
    paired,
    refuse_other_labels,
    row_labels,
    whole_number,
)
from fstmetrics.support.errors import FstmetricsError, warn
from fstmetrics.support.limits import MOST_PATHS
from fstmetrics.text.normalisation import PLAIN, Normalisation

if TYPE_CHECKING:
    from fstmetrics.engine.several import Scores as SeveralScores
    from fstmetrics.engine.statistics import Statistics
    from fstmetrics.grammars.library import Grammars
    from fstmetrics.metrics.registry import PathName, TextName


# Rows as dicts, or what a library of tables makes.
Table = object
CHARACTERS = Normalisation(unit="char")
# What the functions that give a number do not take.
OF_ALIGN = SETTINGS | dict.fromkeys(("metric", "nbest", "grammars", "options"), "{}")
OF_ALIGN["normalisation"] = f"normalisation=Normalisation(...), or {SETTINGS['profile']}"

# Of fewer items nobody knows what their errors are owed to; of more, about so many are scored, and looked at.
SOME, ABOUT, MANY = 10, 50, 1000
# So many texts tell whether there is a sign that they may be no sentences: one of `SIGNS` in any, one of `AT_ENDS` in
# the first and the last (beyond ASCII `WIDE_AT_ENDS`), or what `MISREAD` finds in their bytes.
FEW = 100
SIGNS = tuple("<&[{|\\\u2581\uffed\ufeff\ufffd\u2669\u266a\u266b\u266c")
# Signs of several characters, of which one is found much sooner.
LONGER_SIGNS = {
    "@": ("@@", "@-@", "@/@", "@.@", "@,@"),
    "#": ("##",),
    ">": (">>",),
    "%": ("%20", *(f"%{digit}" for digit in "CDEcde")),
    "(": tuple(f"({n})" for n in range(2, 10)),
    ":": ("peaker", "PEAKER"),
    "_": ("PEAKER",),
}
AT_ENDS = re.compile("[0-9_/\\\\|+\"<>()\\[\\]{}*:;,\t\x1b-]|^b?'")
WIDE_AT_ENDS = re.compile(
    f"{AT_ENDS.pattern}|[\u2018\u201a\u201c-\u201e\u2039\u203a\u05f4\u00ab\u00bb\u300a\u300c\u300e\u2022\u2013\u2014\u2192\uffe8\u0120]"
)
MISREAD = re.compile(rb"\xc3[\x82-\xaf][\xc2-\xef]")


@by_name(SETTINGS)
def align(
    hypothesis: Input,
    reference: Input,
    metric: str | Metric = "wer",
    *,
    nbest: int = 1,
    normalisation: Normalisation = PLAIN,
    grammars: Grammars = (),
    options: SearchOptions = DEFAULT,
) -> Result:
    """The best path between one `hypothesis` and one `reference`, each possibly branching.

    Args:
        hypothesis: what the system said; a lattice must be acyclic.
        reference: what it should have said, or several, or a network.
        metric: a name (`wer`, `wrr`, `grr`, `hyter`, `sclite`) or a metric object.
        nbest: how many distinct pairs of hypothesis and closest path to find; they are in `Result.nbest`.
        normalisation: changes to the words of both sides.
        grammars: what widens the references: names (`en.spelling`), paths or `Grammar` objects.
        options: route and limits of the search.

    Raises:
        SearchError: the search cannot be done as asked, or reached a limit.
        FstmetricsError: an input that cannot be scored.

    >>> result = align("the cat sat", "the hat sat down")
    >>> result.score, result.substitutions, result.deletions
    (0.5, 1, 1)
    """
    check_pair(hypothesis, reference)
    wider = all_grammars(grammars, normalisation)
    found = as_metric(metric)
    if found.unit is not None:
        units_of([found], normalisation.unit)
        normalisation = found.normalisation(normalisation)
    results = search(None, [hypothesis], [reference], found, nbest, normalisation, options, wider)
    conditions = (f"refs:{references_of([reference], [hypothesis])}", *(ORACLE,) * are_oracles([hypothesis]))
    results.rules = Rules(normalisation, grammar_signature(wider), conditions)
    return results[0]


@overload
def score(
    hypotheses: Corpus | Table,
    references: Corpus | Table | None,
    metric: TextName | TextMetric,
    *,
    hypothesis: str | None = None,
    reference: str | None = None,
    id: str | None = None,
    ids: Sequence[str] | None = None,
    normalisation: Normalisation = PLAIN,
    fields: FieldsGiven | Sequence[str] | None = None,
) -> Statistics: ...


@overload
def score(
    hypotheses: Corpus | Table,
    references: Corpus | Table | None = None,
    metric: PathName | Metric = "wer",
    *,
    hypothesis: str | None = None,
    reference: str | None = None,
    id: str | None = None,
    ids: Sequence[str] | None = None,
    nbest: int = 1,
    normalisation: Normalisation = PLAIN,
    grammars: Grammars = (),
    options: SearchOptions = DEFAULT,
    fields: FieldsGiven | Sequence[str] | None = None,
) -> CorpusResult: ...


@overload
def score(
    hypotheses: Corpus | Table,
    references: Corpus | Table | None,
    metric: list[str | CorpusMetric] | list[str] | tuple[str | CorpusMetric, ...],
    *,
    hypothesis: str | None = None,
    reference: str | None = None,
    id: str | None = None,
    ids: Sequence[str] | None = None,
    nbest: int = 1,
    normalisation: Normalisation = PLAIN,
    grammars: Grammars = (),
    options: SearchOptions = DEFAULT,
    fields: FieldsGiven | Sequence[str] | None = None,
) -> SeveralScores[CorpusResult | Statistics]: ...


@overload
def score(
    hypotheses: Corpus | Table,
    references: Corpus | Table | None,
    metric: str | CorpusMetric,
    *,
    hypothesis: str | None = None,
    reference: str | None = None,
    id: str | None = None,
    ids: Sequence[str] | None = None,
    nbest: int = 1,
    normalisation: Normalisation = PLAIN,
    grammars: Grammars = (),
    options: SearchOptions = DEFAULT,
    fields: FieldsGiven | Sequence[str] | None = None,
) -> Scores: ...


@by_name(SETTINGS)
def score(
    hypotheses: Corpus | Table,
    references: Corpus | Table | None = None,
    metric: str | CorpusMetric | list[Any] | tuple[Any, ...] = "wer",
    *,
    hypothesis: str | None = None,
    reference: str | None = None,
    id: str | None = None,
    ids: Sequence[str] | None = None,
    nbest: int = 1,
    normalisation: Normalisation = PLAIN,
    grammars: Grammars = (),
    options: SearchOptions = DEFAULT,
    fields: FieldsGiven | Sequence[str] | None = None,
) -> Any:
    """Score a corpus of `hypotheses` against its `references`, item by item in order.

    Args:
        hypotheses: one an item: a list, an iterator, or a column of a table (numpy, pandas, polars, pyarrow); or a
            dict by id. Or a table, whose columns are named by `hypothesis`, `reference` and `id`: rows as dicts, a
            frame of pandas or polars, a table of pyarrow, a dataset of Hugging Face, whatever has Arrow's stream.
        references: one an item, in the same order; a dict with the same ids in any order; another table; or None where
            the first table has them. Beside a string, a list of strings is a list of alternatives, also where each is
            one word: of what is split into words, split both sides.
        metric: a name or a metric object; or a list of them.
        hypothesis, reference, id: columns of tables; ids are those of a column `id` where none is named. Two tables, or
            a table and a dict, pair by id where both have ids.
        ids: names of the items; those of dicts are their keys. A list with `ids` pairs with a dict by id.
        nbest: distinct best pairs an item; of finite-state metrics.
        normalisation: changes to the words of both sides.
        grammars: what widens the references: names (`en.spelling`), paths or `Grammar` objects; of finite-state
            metrics.
        options: route and limits of the search; of finite-state metrics.
        fields: what else is known of the items, for `by()`: a dict of columns, as `{"speaker": ["ann", "bob"]}`, or a
            dict an item, by id where the texts are; of a table, the names of columns. A frame of pandas or polars
            brings all its other columns of texts and numbers, unless some are named, or none, by `[]`.

    Returns:
        Results of best paths; for BLEU and other metrics of strings, and for means of item scores, their
        `Statistics`. Both have `score`, `mean_score`, `item_scores`, `interval()` and `as_dict()`, and add up. Of a
        list of metrics a `Scores`: these by the metrics' names.

    Raises:
        FstmetricsError: different numbers of hypotheses and references, or different ids; none at all; or an input that
            cannot be scored, with the item and the side.

    Items of dicts come in the order of the references.

    >>> corpus = score(["the cat", "a dog"], ["the cat", "the dog"])
    >>> corpus.score, corpus.mean_score, len(corpus)
    (0.25, 0.25, 2)
    >>> [(item.id, item.edits) for item in score({"u2": "a dog", "u1": "the cat"}, {"u1": "the cat", "u2": "the dog"})]
    [('u1', 0), ('u2', 1)]
    >>> round(score(["the cat sat on a mat"], ["the cat sat on the mat"], "bleu").score, 2)
    53.73
    >>> rows = [{"text": "the cat", "pred_text": "a cat", "speaker": "ann"}]
    >>> corpus = score(rows, hypothesis="pred_text", reference="text", fields=["speaker"])
    >>> corpus.edits, corpus[0].fields
    (1, {'speaker': 'ann'})
    """
    labelled: list[object] = [hypotheses, references]
    if not (hypothesis is None and reference is None and id is None):
        from fstmetrics.engine.table_inputs import Named, sides_of_tables

        named = Named(hypothesis, reference, id)
        labelled = named.labelled(hypotheses, references)
        hyps, refs, names, labels = sides_of_tables(hypotheses, references, named, ids, fields)
    else:
        if references is None or isinstance(references, str):
            _refuse_columns(hypotheses, references)
        hyps, refs, names = paired(hypotheses, references, ids, "; align() takes one of each")
        labels = None
        if fields is not None:
            by_id = isinstance(references, Mapping)
            labels = fields_by_id(fields, names or ()) if by_id else fields_of_items(fields, len(hyps))
    may_be_sets = not (references is None or isinstance(references, Mapping) or reference is not None)
    by_order = may_be_sets and not isinstance(hypotheses, Mapping)
    check_looks({"hypotheses": hyps}, refs, normalisation, names, may_be_sets)
    rows = None
    for side, column in zip((hypotheses, references), labelled, strict=True):
        if type(column) is not list and hasattr(row_labels(column), "equals"):
            rows = Labelled(row_labels(column))
        elif names is not None and (isinstance(side, Mapping) or is_table(side)):
            rows = None  # items that pair by id come in the order of the references
    if isinstance(fields, Mapping):
        refuse_other_labels(
            {"hypotheses": rows, **{f"fields[{name!r}]": each for name, each in fields.items()}}
        )
    chosen = [as_corpus_metric(each) for each in (metric if isinstance(metric, list | tuple) else [metric])]
    if isinstance(normalisation, Normalisation) and normalisation.unit != "word":
        units_of(chosen, normalisation.unit)
    if isinstance(metric, list | tuple):
        from fstmetrics.engine.several import Scores as SeveralScores

        are_searched = [isinstance(each, Metric) for each in chosen]
        # Grammars are for those that take them; where none does, they are refused.
        several = [
            scored(hyps, refs, one, names, nbest, normalisation, options,
                   grammars if is_searched or not any(are_searched) else (), labels, rows)
            for one, is_searched in zip(chosen, are_searched, strict=True)
        ]  # fmt: skip
        others = [each for each in several if not isinstance(each, CorpusResult)]
        _warn(dict.fromkeys(remark for each in others for remark in each.remarks))
        if len(refs) >= SOME:
            check_errors({"hypotheses": hyps}, refs, chosen, normalisation, by_order)
        return SeveralScores(several)
    found = scored(hyps, refs, chosen[0], names, nbest, normalisation, options, grammars, labels, rows)
    if not isinstance(found, CorpusResult):
        _warn(found.remarks)
    if len(refs) >= SOME:
        check_errors({"hypotheses": hyps}, refs, chosen, normalisation, by_order)
    return found


def _warn(remarks: Collection[str]) -> None:
    if remarks:
        from fstmetrics.scoring.doubtful_texts import in_python  # few texts have one

        for remark in remarks:
            warn(in_python(remark))


def check_errors(
    hypotheses: Mapping[str, Sequence[Any]],
    references: Sequence[Any],
    metrics: Sequence[CorpusMetric],
    normalisation: Normalisation,
    by_order: bool,
) -> None:
    """Warn of texts in another order than their references, and of sides that are unlike, where every third word of
    some is wrong; of one of several systems that says what the references say; of empty hypotheses; and of words that
    stand for none, as nan.

    Args:
        hypotheses, references, normalisation: as of `check_looks`.
        metrics: what they are scored by.
        by_order: whether order pairs the items.
    """
    some = range(0, len(references), 1 + len(references) // ABOUT)
    first, *_ = hypotheses.values()
    expected = [as_alternatives(references[place], first[place]) for place in some]
    if not {*map(type, expected)} <= {str, Alternatives} or normalisation.normaliser is not None:
        return
    for name, texts in (*hypotheses.items(), ("references", references)):
        shown = {
            texts[place]
            for place in range(0, len(texts), 1 + len(texts) // MANY)
            if type(texts[place]) is str
        }
        for word in sorted(NOTHING & shown):
            number = [*texts].count(word)
            warn(
                f"{number} of {name} are {word!r}: scored as a word; leave the text empty where it is missing"
            )
        if name in hypotheses and not all(map(str.strip, shown)):
            from fstmetrics.engine.unlike_sides import empty_remark, silent  # few texts are empty

            several = [*map(as_alternatives, references, texts)]
            if remark := empty_remark(silent(texts, several), len(texts)):
                warn(remark if len(hypotheses) == 1 else f"{name}: {remark}")
    for name, texts in hypotheses.items():
        said = [*map(texts.__getitem__, some)]
        if said == expected and len(hypotheses) > 1 and list(texts) == list(references):
            warn(f"{name} are the texts of the references")
        elif {*map(type, said)} == {str}:
            found = search(
                None, said, expected, WER(), 1, replace(normalisation, unit="word"), COUNTS_ONLY
            ).sum()
            if 3 * found.edits > found.path_length:
                from fstmetrics.scoring.doubtful_texts import remarks_of_errors  # few texts have as many

                for remark in remarks_of_errors(texts, references, metrics, normalisation, by_order):
                    warn(remark if len(hypotheses) == 1 else f"{name}: {remark}")


def check_looks(
    hypotheses: Mapping[str, Sequence[Any]],
    references: Sequence[Any],
    normalisation: Normalisation,
    ids: Sequence[str] | None,
    may_be_sets: bool,
) -> None:
    """Warn of texts that look like no sentences, of ids among words, of sets of references, and of marks.

    Args:
        hypotheses: of each system, by what messages call them.
        references: of the same items.
        normalisation: what is done to words, which may take marks out.
        ids: of the items; None: nothing says them.
        may_be_sets: whether lists of references may be sets; those of dicts and rows belong to an item.
    """
    sides = [*hypotheses.values(), references]
    texts = [text for side in sides for text in side[:FEW]]
    if not are_strings(texts):
        listed = [each if type(each) in (list, tuple) else [each] for each in texts]
        texts = [text for each in listed for text in each if type(text) is str]
    text, first = "\n".join(texts), references[0]
    are_doubtful = any(map(text.__contains__, SIGNS))
    for character, signs in LONGER_SIGNS.items():
        if character in text and any(map(text.__contains__, signs)):
            are_doubtful = True
    if not are_doubtful and not text.isascii():
        are_doubtful = not is_normalized("NFC", text) or bool(MISREAD.search(text.encode("utf-8", "replace")))
    at_ends = AT_ENDS if text.isascii() else WIDE_AT_ENDS
    several = len(references) > 1 and not are_doubtful
    for begin, end in [(side[0], side[-1]) for side in sides] if several else []:
        if type(begin) is str and type(end) is str and at_ends.search(begin) and at_ends.search(end):
            are_doubtful = True
    if ids and not are_doubtful:
        are_doubtful = any(_has_own_id(ids, side) for side in sides)
    if are_doubtful or (type(first) in (list, tuple) and len(first) == len(references) > 1):
        from fstmetrics.scoring.doubtful_texts import check  # few texts are

        check(hypotheses, references, normalisation, ids, may_be_sets)


def _has_own_id(ids: Sequence[str], texts: Sequence[Any]) -> bool:
    """Whether the first text with words, of several the first, has the id of its item at an end."""
    ones = (text[0] if type(text) in (list, tuple) and text else text for text in texts)
    said = (
        (id, text.split()) for id, text in zip(ids, ones, strict=False) if type(text) is str and text.strip()
    )
    return any(id in (words[0].strip("()"), words[-1].strip("()")) for id, words in islice(said, 1))


def scored(
    hypotheses: Sequence[Input],
    references: Sequence[Input],
    metric: CorpusMetric,
    ids: Sequence[str] | None = None,
    nbest: int = 1,
    normalisation: Normalisation = PLAIN,
    options: SearchOptions = DEFAULT,
    grammars: Grammars = (),
    fields: Sequence[Fields] | None = None,
    rows: Labelled | None = None,
) -> CorpusResult | Statistics:
    """`score` of any metric, by the engine or not; `fields`, and the labels of `rows`, are of the items, in order."""
    kept: list[bool] = []
    grammars = all_grammars(grammars, normalisation)
    expect(normalisation, Normalisation, "normalisation")
    if normalisation.drops:
        kept = [
            not is_dropped(reference, normalisation, hypothesis)
            for reference, hypothesis in zip(references, hypotheses, strict=True)
        ]
        hypotheses, references = list(compress(hypotheses, kept)), list(compress(references, kept))
        ids = list(compress(ids, kept)) if ids is not None else None
        fields = list(compress(fields, kept)) if fields is not None else None
        rows = rows[kept] if rows is not None else None
        if not any(kept):
            raise FstmetricsError(f"there is no item to score: {normalisation.label} leaves all out")
    if not isinstance(metric, Metric):
        whole_number(nbest, "nbest", 1, MOST_PATHS)
        expect(options, SearchOptions, "options")
    if grammars and not isinstance(metric, Metric):
        raise FstmetricsError(f"grammars are for best paths; {metric.name} takes none")
    if isinstance(metric, Mean) and isinstance(metric.metric, Metric):
        from fstmetrics.engine.statistics import Statistics

        inner = scored(
            hypotheses, references, metric.metric, ids, 1, normalisation, options, fields=fields, rows=rows
        )
        assert isinstance(inner, CorpusResult)
        return Statistics.of(inner).mean(metric)
    if isinstance(metric, TextMetric):
        from fstmetrics.engine.statistics import text_statistics

        return replace(
            text_statistics(metric, hypotheses, references, ids, normalisation),
            fields=fields,
            row_labels=rows,
        )
    assert isinstance(metric, Metric)
    if metric.unit is not None:
        normalisation = metric.normalisation(normalisation)
    results = search(ids, hypotheses, references, metric, nbest, normalisation, options, grammars, later=True)
    results.fields, results.row_labels = fields, rows
    widened = grammar_signature(grammars)
    is_oracle = {*map(type, hypotheses)} != {str} and are_oracles(hypotheses)
    conditions = (f"refs:{references_of(references, hypotheses)}", *(ORACLE,) * is_oracle)
    results.rules = Rules(normalisation, widened, conditions)
    return CorpusResult.of(
        results,
        kept.count(False),
        **results.rules._asdict(),
        references=References(normalisation, (snapshot(references, hypotheses),)),
        row_labels=rows,
    )


@by_name(OF_ALIGN)
def wer(hypothesis: Input, reference: Input) -> float:
    """Word error rate of `hypothesis` against `reference`, (S + I + D) / |r| of the best path.

    A list of references is one item with alternatives, not a corpus; of a corpus, `score` has the rate:

    >>> wer("the cat sat", ["the cat sat down", "a cat sat"])
    0.25
    >>> score(["the cat sat", "a dog"], ["the cat sat down", "a dog"]).score
    0.16666666666666666
    """
    return _number(hypothesis, reference, _metric(WER))


@by_name(OF_ALIGN)
def cer(hypothesis: Input, reference: Input) -> float:
    """Character error rate of `hypothesis` against `reference`: `wer` of characters; a space between words is one.

    Of a corpus: `score(..., "cer")`.

    >>> cer("a cat", "the cat")
    0.42857142857142855
    """
    return align(hypothesis, reference, _metric(WER), normalisation=CHARACTERS, options=COUNTS_ONLY).score


@by_name(OF_ALIGN)
def mer(hypothesis: Input, reference: Input) -> float:
    """Match error rate of `hypothesis` against `reference`, (S + I + D) / (M + S + I + D); see `fstmetrics.MER`.

    Counts are those of the path that is best under WER. Of a corpus: `score(..., "mer")`.

    >>> mer("the cat sat on", "the cat sat")
    0.25
    """
    return align(hypothesis, reference, _metric(MER), options=COUNTS_ONLY).score


@by_name(OF_ALIGN)
def wil(hypothesis: Input, reference: Input) -> float:
    """Word information lost of `hypothesis` against `reference`, 1 - M / |r| * M / |h|; see `fstmetrics.WIL`.

    Counts are those of the path that is best under WER. Of a corpus: `score(..., "wil")`.

    >>> wil("the cat sat on", "the cat sat")
    0.25
    """
    return align(hypothesis, reference, _metric(WIL), options=COUNTS_ONLY).score


@by_name(OF_ALIGN)
def wip(hypothesis: Input, reference: Input) -> float:
    """Word information preserved of `hypothesis` against `reference`, M / |r| * M / |h|; see `fstmetrics.WIP`.

    >>> wip("the cat sat on", "the cat sat")
    0.75
    """
    return align(hypothesis, reference, _metric(WIP), options=COUNTS_ONLY).score


@by_name(OF_ALIGN)
def wrr(hypothesis: Input, reference: Input) -> float:
    """Word recognition rate of `hypothesis` against `reference`, (M - I) / |r| of the best path [C08 eq. 5].

    >>> wrr("the cat sat", "the cat sat down")
    0.75
    """
    return _number(hypothesis, reference, _metric(WRR))


@by_name(OF_ALIGN)
def grr(
    hypothesis: Input, reference: Input, *, order: int = 4, alpha: Number = 1.0, beta: Number = 0.0
) -> float:
    """N-gram recognition rate of `hypothesis` against `reference` [C08 eq. 6]; see `fstmetrics.GRR`.

    >>> grr("the cat sat", "the cat sat")
    1.0
    """
    return _number(hypothesis, reference, _metric(GRR, order, alpha, beta))


@by_name(OF_ALIGN)
def hyter(hypothesis: Input, network: Input, window: int = 1, reordering: Reordering = "moves") -> float:
    """HyTER of `hypothesis` against `network` [H12 eq. 1]; see `fstmetrics.HyTER`.

    Edits and moves to the closest path, divided by its words.

    >>> hyter("where train station is", "where is the train station", window=3)
    0.4
    """
    return _number(hypothesis, network, _metric(HyTER, window, reordering))


@by_name(OF_ALIGN)
def bleu(hypothesis: Input, reference: Input) -> float:
    """BLEU of one `hypothesis` against `reference`, 0 to 100, as sacrebleu's `sentence_bleu`; see `fstmetrics.BLEU`.

    A list of references counts together. Of a corpus, whose BLEU is no mean of these: `score(..., "bleu")`.

    >>> round(bleu("the cat sat on the mat", "the cat sat on a mat"), 2)
    53.73
    """
    return _of_texts("bleu", hypothesis, reference)


@by_name(OF_ALIGN)
def chrf(hypothesis: Input, reference: Input) -> float:
    """chrF of one `hypothesis` against `reference`, 0 to 100, as sacrebleu's `sentence_chrf`; see `fstmetrics.ChrF`.

    Of several references the best counts. Of a corpus: `score(..., "chrf")`, or `"chrf++"`.

    >>> round(chrf("the cat sat", "the cat sat down"), 2)
    66.02
    """
    return _of_texts("chrf", hypothesis, reference)


@by_name(OF_ALIGN)
def ter(hypothesis: Input, reference: Input) -> float:
    """TER of one `hypothesis` against its `reference` in percent, as sacrebleu's `sentence_ter`; see `fstmetrics.TER`.

    Of a corpus: `score(..., "ter")`.

    >>> ter("down sat the cat", "the cat sat down")
    50.0
    """
    return _of_texts("ter", hypothesis, reference)


def _refuse_columns(hypotheses: object, references: str | None) -> None:
    """Raise an FstmetricsError where there are no references, or the name of a column of a table is in their place."""
    from fstmetrics.engine.table_inputs import EXAMPLE

    if references is None:
        raise FstmetricsError(f"references are missing; of a table name the columns: {EXAMPLE}")
    are_rows = isinstance(hypotheses, list) and isinstance(next(iter(hypotheses), None), Mapping)
    if are_rows or is_table(hypotheses):
        raise FstmetricsError(f"{references!r:.80} is no list of references: columns go by name, {EXAMPLE}")


def _of_texts(metric: str, hypothesis: Input, reference: Input) -> float:
    """The score of an item under a metric of strings."""
    from fstmetrics.engine.statistics import text_statistics

    check_pair(hypothesis, reference)
    refuse_listed_hypothesis(hypothesis)
    found = as_corpus_metric(metric)
    assert isinstance(found, TextMetric)
    return text_statistics(found, [hypothesis], [reference]).mean_score


def _number(hypothesis: Input, reference: Input, metric: Metric) -> float:
    """The score alone: of two texts, or of one and a graph, from cost and length, in units of the metric's table; else
    `align`'s.
    """
    found = sides = None
    one, other = type(hypothesis) is str, type(reference) is str
    if one:
        check_text(hypothesis, "the hypothesis")  # type: ignore[arg-type]
    if other:
        check_text(reference, "the reference")  # type: ignore[arg-type]
    if one and other:
        sides = hypothesis, reference
    elif one and _is_graph(reference):
        sides = hypothesis, graph_of(reference)  # type: ignore[arg-type]
    elif other and metric.window == 1 and _is_graph(hypothesis):  # `align` refuses graphs in a window
        sides = graph_of(hypothesis), reference  # type: ignore[arg-type]
    if sides is not None:
        found = best(*sides, metric.table.native, metric.window, metric.reordering, *DEFAULT.most)  # type: ignore[arg-type]
    if found is None:
        return align(hypothesis, reference, metric, options=COUNTS_ONLY).score
    units, words = found
    gain_or_cost = -units if metric.recognition else units
    return quotient(gain_or_cost, metric.table.scale * metric.denominator(words), metric.recognition)


def _is_graph(value: Input) -> bool:
    """Whether it is a lattice or network; `align` looks at whether words stand against labels without words."""
    return isinstance(value, (Lattice, Network)) and not (type(value) is Lattice and value.numbered)


def _metric(kind: Callable[..., Metric], *settings: object) -> Metric:
    """A metric, of which the engine has all that it needs if it was met before."""
    try:
        return _met_before(kind, *settings)
    except TypeError:  # settings that cannot be kept
        return kind(*settings)


@lru_cache(maxsize=64, typed=True)
def _met_before(kind: Callable[..., Metric], *settings: object) -> Metric:
    return kind(*settings)
