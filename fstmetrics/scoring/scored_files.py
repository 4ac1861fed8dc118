"""What `oracle`, `hyter` and `score` do: `scored_files`, which reads, scores and records.

`BestPaths` is what happens to items under a finite-state metric, with the 1-best beside the best path or without;
under a metric of strings (BLEU and the like) it is `text_scoring.ScoredTexts`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from fstmetrics._native import LatticeColumn
from fstmetrics.data.fields import SPEAKER, TOGETHER, names_of
from fstmetrics.data.groupings import Grouping, refuse_unknown
from fstmetrics.data.nbest import outscored_remark
from fstmetrics.engine.misplaced_items import misplaced_remark
from fstmetrics.engine.results import CorpusResult, Result
from fstmetrics.engine.signatures import path_conditions, signature_of
from fstmetrics.engine.unlike_sides import (
    FEWEST_ITEMS,
    FIRST_GRAPHS,
    LEAST,
    OF_WORDS,
    SAMPLE,
    as_texts,
    empty_remark,
    error_remarks,
)
from fstmetrics.io.register import MACHINES
from fstmetrics.metrics import CorpusMetric, Metric, TextMetric
from fstmetrics.metrics.corpus_metric import name_of
from fstmetrics.metrics.hyter import HyTER
from fstmetrics.metrics.path_metric import Totals
from fstmetrics.scoring.inputs import Inputs, read_inputs
from fstmetrics.scoring.pair_blocks import Pair, PairBlock
from fstmetrics.scoring.path_scoring import PathScoring
from fstmetrics.scoring.reports import REPORTS
from fstmetrics.scoring.request import (
    NAMES_OF_SCALES,
    LatticeOptions,
    Request,
    bare_cuts,
    fields_of,
    of_unit,
    refuse_unready,
)
from fstmetrics.scoring.run import (
    Elsewhere,
    Faults,
    Task,
    conditions,
    run_items,
    shard_remark,
    shown_settings,
    status,
)
from fstmetrics.scoring.score import LeftOut, Score, Scores, Shown
from fstmetrics.scoring.side_remarks import weight_remarks
from fstmetrics.scoring.speaker_fields import with_speakers
from fstmetrics.scoring.sums import BEST, ONE_BEST, OUTSCORED, SCRIPT, Series, Sum, Sums, Terms
from fstmetrics.scoring.work import Work, Worked
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.json_text import finite
from fstmetrics.text.normalisation import Normalisation

if TYPE_CHECKING:
    from fstmetrics.engine.breakdown import Breakdown
    from fstmetrics.engine.word_classes import Biasing
    from fstmetrics.lattices.oracles import OracleSearch
    from fstmetrics.openfst.referee import Check
    from fstmetrics.scoring.field_sums import FieldSums
    from fstmetrics.scoring.gathered_times import GatheredTimes
    from fstmetrics.scoring.shards import MergedShards


class Reports(Protocol):
    """What gathers counts for reports of a run, as sclite's."""

    def add(self, pair: Pair, totals: Totals) -> None:
        """Add an item."""

    def add_words(self, pair: Pair, result: Result) -> None:
        """Add the words of an item."""

    def made(self, partial: bool) -> dict[str, str]:
        """The reports by the endings of their files; `partial`: items were left out."""

    def write(self, made: Mapping[str, str]) -> tuple[str, ...]:
        """Write them beside the records, where there are any; the names of the files."""


def scored_files(
    references: str,
    hypotheses: str | None,
    options: dict[str, Any],
    one_best: bool = False,
    text: bool = True,
    networks_first: bool = False,
    elsewhere: Callable[[str, int], Elsewhere] | None = None,
    reports: Callable[[Request, Metric, Inputs], Reports] | None = None,
) -> Score | Scores:
    """Read and pair files, score the items, write their records.

    Args:
        references: the path of the first references.
        hypotheses: the path of the hypotheses; None where the first references are a table that has them, too.
        options: `metric_name`, a metric or several, and fields of `Request` and `LatticeOptions`, and `parameters`.
        one_best: whether the decoder's own choice is scored beside the best path. Options of lattices ask for it, too.
        text: whether hypotheses may be recognised as text.
        networks_first: whether networks are references and nothing else.
        elsewhere: makes the engine that `on` names.
        reports: makes what gathers counts for `reports`.

    Returns:
        The score; of several metrics that of each.

    Raises:
        FstmetricsError: options that contradict one another, a file that cannot be read, items that do not pair or
            cannot be scored.
    """
    parameters, lattices = options.pop("parameters"), fields_of(LatticeOptions, options)
    asked = options.pop("metric_name")
    metrics = parameters.metrics([asked] if isinstance(asked, str | CorpusMetric) else asked)
    options["bare_cuts"] = bool(options.get("resegment")) and bare_cuts(metrics)
    request = Request(**options)
    requests = [request if metric.unit is None else of_unit(request, options, metric) for metric in metrics]
    one_best = one_best or bool(lattices.given)
    for metric, own in zip(metrics, requests, strict=True):
        if isinstance(metric, TextMetric):
            _refuse_for_texts(metric, own, lattices, one_best)
    refuse_unready(metrics, request.normalisation, request.resegment)
    biasing = _biasing(metrics, requests) if requests[0].biasing is not None else {}
    if len(metrics) > 1:
        _refuse_for_several(
            [name_of(m.name, r.unit) for m, r in zip(metrics, requests, strict=True)], requests[0]
        )
    inputs = read_inputs(request, references, hypotheses, text, networks_first, one_best)
    if inputs.network_words != (None, False):
        options, inputs = _as_networks(request, options, inputs)
        request = Request(**options)
        requests = [of_unit(request, options, metric) for metric in metrics]
    # Entries of all lists are chosen together: it refuses tables itself.
    of_lists = isinstance(metrics[0], TextMetric) and one_best and not inputs.hypotheses_are_text
    asks = (request.by or request.reports) and not of_lists
    asker = _asker_of_speakers(request) if asks else None
    if (asker or request.speakers is not None) and not request.merged:
        inputs = with_speakers(inputs, request.speakers, asker)
    if request.by and not of_lists:
        _refuse_fields(request.by, inputs)
    inputs.refuse_for_text(lattices.given, hypotheses or references)
    if biasing:
        _refuse_other_lists(biasing, request, inputs)
    if request.times:
        from fstmetrics.scoring.gathered_times import refuse_times

        refuse_times(requests[0], metrics[0], inputs)
    found = []
    for metric, request in zip(metrics, requests, strict=True):
        engine = elsewhere(request.on, request.jobs) if elsewhere and request.on != "local" else None
        if isinstance(metric, Metric):
            gathering = reports(request, metric, inputs) if reports and request.reports else None
            of_paths = lattices if one_best else None
            lists = biasing.get(metric.name) if request.unit == "word" else None
            found.append(_score_paths(request, metric, inputs, of_paths, gathering, engine, lists))
            continue
        assert isinstance(metric, TextMetric)
        if not (one_best or inputs.hypotheses_are_text or request.merged or inputs.sides[0].is_empty):
            raise InputError(
                f"{metric.name} compares strings, and not lattices or n-best lists: fstmetrics oracle --metric "
                f"{metric.name} finds the best entries or paths, fstmetrics best writes the 1-best as text",
                hypotheses or references,
            )
        if one_best and not inputs.hypotheses_are_text:
            from fstmetrics.scoring.corpus_oracle_run import oracle_of_lists

            found.append(oracle_of_lists(request, metric, inputs, lattices.model_weight))
        else:
            found.append(_score_texts(request, metric, inputs, engine))
    return found[0] if len(found) == 1 else Scores(found)


def _as_networks(request: Request, options: dict[str, Any], inputs: Inputs) -> tuple[dict[str, Any], Inputs]:
    """Options with the tokenizer and the case of the networks, unless a tokenizer is asked for, and a remark on it."""
    tokenize, lowercase = inputs.network_words
    if request.normalisation.tokenize is not None:
        tokenize = None
    said = [*([f"tokenized by {tokenize}"] if tokenize else []), *(["in lower case"] if lowercase else [])]
    more: dict[str, Any] = {"lowercase": True} if lowercase else {}
    more |= {"tokenize": tokenize} if tokenize else {}
    remark = f"hypotheses are {' and '.join(said)}, as the networks are"
    return {**options, **more}, replace(inputs, assumed=(*inputs.assumed, *([remark] if said else [])))


# What is of one metric: records, and what is printed or kept of items.
OF_ONE_METRIC = ("output", "alignment", "reports", "times", "resume", "shard")


def _refuse_for_several(named: Sequence[str], request: Request) -> None:
    """Raise an FstmetricsError for what only one metric may be asked for, and for two of one name."""
    options = [name for name in OF_ONE_METRIC if getattr(request, name)]
    options += ["nbest"] if request.nbest > 1 else []
    if options:
        option = "report" if options[0] == "reports" else options[0]
        raise FstmetricsError(
            f"--{option} is of one metric, and these are several: {','.join(named)}; run the command for each"
        )
    if twice := next((name for name in named if named.count(name) > 1), None):
        raise FstmetricsError(f"two of the metrics are called {twice}; give one of them")


def _biasing(metrics: Sequence[CorpusMetric], requests: Sequence[Request]) -> Mapping[str, Biasing]:
    """The words that are counted apart, before anything else is read, by the names of metrics that count them."""
    from fstmetrics.scoring.biasing_lists import METRICS, biasing_of, refuse_metrics

    refuse_metrics(metrics)
    request = next((each for each in requests if each.unit == "word"), requests[0])
    lists = biasing_of(request)
    return dict.fromkeys(METRICS, lists)


def _refuse_other_lists(biasing: Mapping[str, Biasing], request: Request, inputs: Inputs) -> None:
    """Raise an FstmetricsError, before anything is scored, for items without a list, or lists without an item."""
    from fstmetrics.scoring.biasing_lists import refuse_other_ids

    pairs = inputs.source.known  # of others, whoever scores an item finds that it has no list
    if pairs is not None and not request.merged:
        ids = pairs.ids or [None] * len(pairs)
        refuse_other_ids(next(iter(biasing.values())), ids, request.partnerless)


def _asker_of_speakers(request: Request) -> str | None:
    """The option that needs speakers; None where none does."""
    if any(SPEAKER in grouping.fields for grouping in request.by):
        return "--by speaker"
    report = next((name for name in request.reports if REPORTS[name].needs_speakers), None)
    return f"--report {report}" if report else None


def _refuse_fields(groupings: Sequence[Grouping], inputs: Inputs) -> None:
    """Raise an FstmetricsError, before anything is scored, for fields that cannot make a table, where that is known."""
    pairs = inputs.source.known
    if pairs is None or pairs.is_deferred:
        names = inputs.fields
        for grouping in groupings if names is not None else ():
            refuse_unknown(grouping, names or ())
        return
    ids, fields = pairs.ids, pairs.fields or ()
    known = names_of(fields)
    for grouping in groupings:
        refuse_unknown(grouping, known)
        for begin in range(0, len(fields) if grouping.bins else 0, TOGETHER):
            part = slice(begin, begin + TOGETHER)
            grouping.coded(fields[part], None if ids is None else ids[part])


def _refuse_for_texts(metric: TextMetric, request: Request, lattices: LatticeOptions, oracle: bool) -> None:
    """Raise an FstmetricsError for options of best paths, which a metric of strings does not have."""
    if request.nbest > 1 or (oracle and request.alignment):
        raise FstmetricsError(f"{metric.name} has no alignments and no n-best paths to show")
    if request.alignment and request.output is None:
        raise FstmetricsError(
            f"{metric.name} has no alignments to print; --alignment --output FILE records the fewest word edits beside "
            "its scores, and fstmetrics show prints them"
        )
    if request.by and not metric.columns:
        raise FstmetricsError(f"{metric.name} is of all texts at once: it has no scores by field")
    if request.reports:
        raise FstmetricsError(f"--report counts words of best paths; {metric.name} has none")
    if request.grammars:
        raise FstmetricsError(f"grammars are for best paths; {metric.name} takes none")
    if request.check:
        raise FstmetricsError(f"--check solves best paths again by OpenFst; {metric.name} has none")
    if given := [option for option in lattices.given if option != "--model-weight"]:
        raise FstmetricsError(f"{given[0]} is for best paths; {metric.name} takes none")
    if request.shard and (oracle or not metric.columns):
        what = "texts" if not metric.columns else "n-best lists"
        raise FstmetricsError(f"--shard parts items, and {metric.name} is of all {what} at once")


# Resamples for the intervals of tables by field.
SAMPLES_BY_FIELD = 1000


class BestPaths(Task[Result]):
    """Best paths of pairs under a finite-state metric.

    Args:
        request: what was asked for.
        metric: what is computed.
        lattices: what is asked of lattices, if the 1-best is to be scored beside the best path; else None.
        reports: what gathers counts for sclite's reports, if they are asked for.
        biasing: the words that are counted apart, if any are.

    Attributes:
        kept: results that are to be printed, with what they are of.
        times: those of matched words, if they are asked for.
    """

    scoring: PathScoring

    def __init__(
        self,
        request: Request,
        metric: Metric,
        lattices: LatticeOptions | None = None,
        reports: Reports | None = None,
        biasing: Biasing | None = None,
    ) -> None:
        self.sums = Sums()
        self.request, self.metric = request, metric
        # The engine does all of it; normalisers and grammars are Python, one thread at a time.
        self.shares_batches = request.normalisation.normaliser is None and not request.grammars
        self.kept: list[tuple[Result, Pair]] = []
        self.texts, self.numbers = [], []
        self._reports = reports
        self._fields: FieldSums | None = None
        if request.by:
            from fstmetrics.scoring import field_sums

            beside = {"one_best": ONE_BEST}
            if biasing:
                from fstmetrics.scoring.biasing_lists import BESIDE

                beside |= BESIDE
            self._fields = field_sums.FieldSums(request.by, BEST, beside)
        self.times: GatheredTimes | None = None
        if request.times:
            from fstmetrics.scoring.gathered_times import GatheredTimes

            self.times = GatheredTimes(request)
        self.scoring = PathScoring(
            metric,
            request.nbest,
            request.normalisation,
            request.search,
            request.grammars,
            _oracle_search(request, metric, lattices) if lattices else None,
            lattices,
            request.alignment,
            check=_check(request) if request.check else None,
            biasing=biasing,
            by_script=request.normalisation.unit == "mixed"
            and request.normalisation.optional_words != "correct"
            and metric.name in ("wer", "sclite"),
        )

    def work(self, elsewhere: bool) -> Work[Result]:
        """Of best paths: in columns, where nothing is to be kept of an item."""
        request = self.request
        shows = request.shows_items or self._reports is not None or self.times is not None
        by_item = shows or (elsewhere and self._fields is not None)
        return Work(self.scoring, request.keep_going, request.output is not None, by_item, shows)

    def take(self, some: Worked[Result]) -> None:
        """Add them, also to the sums by field, and keep the first texts."""
        pairs, wanted = some.pairs, SAMPLE - len(self.texts)
        if isinstance(pairs.hypotheses, LatticeColumn):
            wanted = 0  # no texts
        before = len(self.sums) if wanted else 0
        if some.columns is not None and self._fields:
            self._fields.add_all(pairs.fields, pairs.ids, some.columns)
        super().take(some)
        if wanted and (some.columns or some.sums):
            places = pairs.plain_places(wanted) if pairs.has_choices else range(min(len(pairs), wanted))
            hypotheses, references = pairs.hypotheses, pairs.reference
            for place in places:
                self.keep_texts(before + place, hypotheses[place], references[place])

    def add(self, pair: Pair, terms: Terms) -> None:
        """Add an item to the sums, and to those by field."""
        super().add(pair, terms)
        if self._fields:
            self._fields.add(pair.fields, terms, pair.id)
        if self._reports:
            best = next(term.totals for term in terms if term.series == BEST)
            assert best is not None
            self._reports.add(pair, best)

    def breakdowns(self, corpus: CorpusResult) -> list[Breakdown]:
        """The tables by field of all items."""
        if self._fields is None:
            return []
        from fstmetrics.engine.resampling import Resampling

        return self._fields.breakdowns(corpus, Resampling(SAMPLES_BY_FIELD))

    def remarks(self, corpus: CorpusResult, known: PairBlock | None) -> list[str]:
        """What is said of sides that are unlike, or of loops.

        Args:
            corpus: the result.
            known: all pairs, of which the first are looked at where hypotheses are no texts; None of a stream.
        """
        one_best = self.sums.of(ONE_BEST) if self.scoring.oracles else Sum()
        are_one_best = len(one_best) > 0  # oracles match by chance, too
        totals = one_best.sum() if are_one_best else corpus.totals
        found: list[str] = []
        if totals.edits >= FEWEST_ITEMS:
            pairs = [] if self.request.grammars else self.texts
            tally = one_best.tally() if are_one_best else corpus.tally()
            asked, items = self.request.normalisation, tally.total()
            graphs = partial(_graphs, None if self.request.grammars else known)
            found = error_remarks(
                pairs, totals, items, tally, self.metric, asked, are_one_best, graphs, self.scoring.are_best
            )
            silent = sum([n for each, n in tally.items() if not each.hypothesis_length and each.path_length])
            found += filter(None, [empty_remark(silent, items)] if silent else [])
        found += self.times.remarks() if self.times else []
        if self.scoring.oracles and (outscored := self.sums.of(OUTSCORED)):
            costs = outscored.number("costs").total > 0
            found.append(outscored_remark(len(outscored), costs, self._scales()))
        return found

    def list_remarks(self, items: int, unheard: bool) -> list[str]:
        """What is said of the words that are counted apart, where none is on either side, or some are written otherwise
        there."""
        from fstmetrics.scoring.biasing_lists import other_case_remark, other_marks_remark, unheard_remark

        lists, rules = self.scoring.biasing, self.request.normalisation
        assert lists
        texts = [text for pair in self.texts for text in as_texts(*pair) if isinstance(text, str)]
        where = f" of the first {len(self.texts)} items" if len(self.texts) < items else ""
        first = unheard_remark(lists, rules) if unheard else other_case_remark(lists, texts, where, rules)
        return [*filter(None, [first, other_marks_remark(lists, texts, where, rules)])]

    def _scales(self) -> str:
        """The options that have `best` order lists as they are scored here."""
        scales = self.scoring.lattices.scales if self.scoring.lattices else {}
        given = [f"--{NAMES_OF_SCALES[name]} {value:g}" for name, value in scales.items()]
        return " ".join(given) or "--lm-scale 1"

    def shown(self, result: Result | None, pair: Pair) -> None:
        """Keep what is printed at the end, and the first texts."""
        self.keep_texts(len(self.sums) - 1, pair.hypothesis, pair.reference)
        if result is None:
            return
        if self._reports:
            self._reports.add_words(pair, result)
        if self.times:
            self.times.add(pair, result)
        if self.request.shows_items:
            self.kept.append((result, pair))

    def state(self) -> dict[str, Any]:
        """With the first texts; tables by field hear of the items one by one."""
        return {**({} if self._fields else super().state()), "texts": self.texts_as_json()}

    def restore(self, merged: MergedShards) -> None:
        """With the first texts of all items."""
        super().restore(merged)
        self.restore_texts(merged)


def _check(request: Request) -> Check:
    """What is solved again; workers of an engine are to write into the folder of the command."""
    from fstmetrics.openfst.referee import CHECK_FOLDER, Check

    folder = CHECK_FOLDER if request.on == "local" else os.path.abspath(CHECK_FOLDER)
    return Check(request.check or 1, folder)


def _oracle_search(request: Request, metric: Metric, lattices: LatticeOptions) -> OracleSearch:
    from fstmetrics.lattices.oracles import OracleSearch

    return OracleSearch(
        metric,
        nbest=request.nbest,
        normalisation=request.normalisation,
        grammars=request.grammars,
        options=request.search,
        beams=lattices.further_beams,
        model_weight=lattices.model_weight,
        depth=lattices.depth,
        sweep=lattices.sweep,
    )


def _score_paths(
    request: Request,
    metric: Metric,
    inputs: Inputs,
    lattices: LatticeOptions | None,
    reports: Reports | None,
    elsewhere: Elsewhere | None,
    biasing: Biasing | None = None,
) -> Score:
    """Best paths, with the 1-best beside them where lattice options are given."""
    task = BestPaths(request, metric, lattices, reports, biasing)
    task.scoring.are_best = inputs.are_oracles and lattices is None
    own: dict[str, Any] = {}
    if lattices is not None:
        own["scales"] = lattices.written_scales or "as the files say"
        own["beam"] = None if lattices.beam is None else finite(lattices.beam)
        own["beams"] = [finite(beam) for beam in lattices.beams]
        own |= {"model_weight": lattices.model_weight, "depth": lattices.depth}
    if biasing:
        own["biasing"] = biasing.label
    settings = {**own, "route": request.route, "missing": request.missing}
    settings |= shown_settings(request, metric, inputs)
    of_results = request.in_grammar_units(metric) if request.grammars else metric
    # Also without a choice, the notation reads backslashes.
    alternations = request.alternations or ("sclite" if inputs.has_choices else "")
    of_item = conditions(request, inputs, own, of_items=True)
    widened = path_conditions(of_item, alternations, request.grammar_signature)
    task.scoring.signature = signature_of(of_results, request.normalisation, widened)
    faults = run_items(request, inputs, task, metric, settings, elsewhere)
    if request.shard:
        return _part(request, inputs, task, settings, faults)
    skipped = inputs.skipped
    corpus = task.sums.of(BEST).corpus(
        of_results,
        skipped=skipped,
        normalisation=request.normalisation,
        grammars=request.grammar_signature,
        alternations=alternations,
        conditions=conditions(request, inputs, own),
    )
    if task.kept and len(task.kept) == len(corpus):
        corpus = replace(corpus, items=tuple(result for result, _ in task.kept))
    if request.check:
        settings["check"] = f"openfst={request.check}"
    of_words = metric.name in OF_WORDS and request.normalisation.unit == "word"
    few_errors = of_words and corpus.totals.edits < LEAST
    said = (
        [] if few_errors else _misplaced(inputs, request.normalisation, corpus.totals if of_words else None)
    )
    made = reports.made(bool(faults.number or skipped)) if reports else None
    classes, unheard = None, list[str]()
    if biasing:
        from fstmetrics.scoring.biasing_lists import LISTED, OTHERS

        classes = task.sums.of(LISTED).sum(), task.sums.of(OTHERS).sum()
        unheard = task.list_remarks(len(corpus), not any(classes[0]))
    if lattices and inputs.sides and MACHINES.issuperset(inputs.sides[0].formats):
        said += weight_remarks(inputs.sides[:1], lattices.scales.get("lm", 1.0))
    return Score(
        corpus,
        task.sums,
        settings,
        LeftOut(skipped, faults.number),
        faults.said,
        tuple(task.breakdowns(corpus)) if request.by else (),
        (*said, *task.remarks(corpus, inputs.source.known), *unheard, *inputs.remarks),
        made,
        status=status(request, inputs, faults.number),
        shown=Shown(
            tuple(task.kept),
            task.scoring,
            notes=tuple(_remarks(request, metric, inputs, lattices)),
            is_oracle=inputs.are_oracles,
            weights_asked=lattices is None or bool(lattices.written_scales),
            lacks=inputs.lacks if skipped else "",
            files=reports.write(made) if reports and made else (),
        ),
        classes=classes,
        scripts=_scripts(task.sums) if task.scoring.by_script else {},
        times=task.times.made() if task.times else None,
    )


def _graphs(known: PairBlock | None) -> list[tuple[Any, Any]]:
    """The first hypotheses and references, read."""
    with suppress(FstmetricsError):
        pairs = [pair.loaded() for pair in known[:FIRST_GRAPHS]] if known is not None else []
        return [(pair.hypothesis, pair.reference) for pair in pairs]
    return []


def _misplaced(inputs: Inputs, normalisation: Normalisation, totals: Totals | None = None) -> list[str]:
    """What is said of items that are paired by order and match others better than their own; totals where of words."""
    pairs = inputs.source.known
    is_by_order = inputs.pairing.get("by") == "order" and not any(side.has_both for side in inputs.sides)
    if not is_by_order or pairs is None or inputs.are_oracles:
        return []
    said = misplaced_remark(pairs.hypotheses, pairs.reference, normalisation, totals)
    return [said] if said else []


def _scripts(sums: Sums) -> dict[str, Totals]:
    """What happened to the units of each script, that of most reference units first."""
    found = {str(name): sums.of(Series(SCRIPT, name)).sum() for name in sums.at(SCRIPT)}
    return dict(sorted(found.items(), key=lambda each: (-each[1].path_length, each[0])))


def _part(
    request: Request, inputs: Inputs, task: Task[Any], settings: Mapping[str, Any], faults: Faults
) -> Score:
    """What came of a shard."""
    return Score(
        None,
        task.sums,
        settings,
        LeftOut(inputs.skipped, faults.number),
        faults.said,
        status=status(request, inputs, faults.number),
        shown=Shown(part=shard_remark(request, inputs, task, faults.number)),
    )


def _remarks(
    request: Request, metric: Metric, inputs: Inputs, lattices: LatticeOptions | None
) -> Iterator[str]:
    """What the summary says of options and references."""
    if request.check:
        which = "every item" if request.check == 1 else f"the first of every {request.check} items"
        yield f"solved again by OpenFst, with the same answers: {which}"
    if lattices and lattices.beam is not None:
        yield f"lattices pruned to beam {lattices.beam:g}"
    if inputs.references_choose and not (request.alignment or request.output):
        yield "references leave choices: --alignment prints the chosen words, --output records them"
    widened = inputs.references_choose or request.grammars
    if isinstance(metric, HyTER) and metric.window == 1 and inputs.references_are_text and not widened:
        yield "the references are plain text and the window is 1: this HyTER is the word error rate"


def _score_texts(request: Request, metric: TextMetric, inputs: Inputs, elsewhere: Elsewhere | None) -> Score:
    """Scores of a metric of strings."""
    from fstmetrics.scoring.text_scoring import ScoredTexts  # most runs are of best paths

    task = ScoredTexts(request, metric, inputs)
    settings = {"missing": request.missing, **shown_settings(request, metric, inputs)}
    settings |= task.normalisation.settings()
    of_item = conditions(request, inputs, {}, of_items=True)
    task.scoring.signature = signature_of(metric, task.normalisation, of_item)
    faults = run_items(request, inputs, task, metric, settings, elsewhere)
    if request.shard:
        return _part(request, inputs, task, settings, faults)
    statistics = replace(task.statistics(), conditions=conditions(request, inputs, {}))
    order = _misplaced(inputs, request.normalisation)
    tables: list[Breakdown] = []
    if request.by:
        from fstmetrics.engine.breakdown import breakdown

        tables = [breakdown(statistics, each.fields, each.bins) for each in request.by]
    return Score(
        statistics,
        task.sums,
        settings,
        LeftOut(inputs.skipped, faults.number),
        faults.said,
        tuple(tables),
        (*order, *task.remarks(not order), *inputs.remarks),
        status=status(request, inputs, faults.number),
        shown=Shown(notes=tuple(statistics.remarks), lacks=inputs.lacks if inputs.skipped else ""),
    )
