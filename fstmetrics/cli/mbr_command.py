"""`fstmetrics mbr`, and what it does with items: `Decoding`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import click

from fstmetrics.cli.option_types import Real, Whole
from fstmetrics.cli.options import (
    called,
    clicked,
    command,
    fields_option,
    group,
    option,
    options_of,
    scale_options,
    word_options,
)
from fstmetrics.cli.terminal import show_json, tell
from fstmetrics.commands import options as declared
from fstmetrics.commands.score import engine
from fstmetrics.decoding.expected_losses import Utilities
from fstmetrics.decoding.linear_bleu import LinearBLEU
from fstmetrics.decoding.minimum_risk import FROM_LATTICE, MBR, Candidate
from fstmetrics.decoding.minimum_risk import mbr as decode
from fstmetrics.metrics import CorpusMetric
from fstmetrics.metrics.corpus import name_of
from fstmetrics.readers import FORMATS
from fstmetrics.readers.formats import kaldi_text, plain
from fstmetrics.readers.formats import trn as trn_writing
from fstmetrics.readers.items import Item
from fstmetrics.readers.utilities import read_utilities
from fstmetrics.readers.writing import WriteOptions, Writer
from fstmetrics.reports.risk import risk_lines, risk_summary
from fstmetrics.runs.inputs import read_unpaired
from fstmetrics.runs.option_values import MOST_WEIGHT
from fstmetrics.runs.pair_blocks import Pair, PairBlock
from fstmetrics.runs.request import (
    LatticeOptions,
    MetricParameters,
    Request,
    check_run_paths,
    fields_of,
    refuse_unready,
)
from fstmetrics.runs.risk_sums import risk_terms
from fstmetrics.runs.run import (
    Task,
    conditions,
    of_items,
    run_items,
    run_settings,
    shard_remark,
    shown_settings,
    status,
)
from fstmetrics.runs.sums import Sums, Terms
from fstmetrics.runs.work import Work, of_item
from fstmetrics.scoring.search import workers
from fstmetrics.scoring.signatures import signature_of
from fstmetrics.scoring.statistics import as_wanted
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import MOST_EVIDENCE, MOST_PATHS
from fstmetrics.support.names import listed
from fstmetrics.support.output import is_plain, whole_file
from fstmetrics.values.lattice import Lattice
from fstmetrics.values.nbest import NBest
from fstmetrics.values.network import Network

Text = Literal["kaldi", "trn", "plain"]
WRITERS: Mapping[Text, Writer] = {
    "kaldi": kaldi_text.WRITER,
    "trn": trn_writing.WRITER,
    "plain": plain.WRITER,
}


@command(usual=("--metric", "--scale", "--lm-scale", "--nbest", "--text", "--output"))
@click.argument("hypotheses", metavar="LATTICES|FORESTS|NBEST")
@group(
    "Metric",
    option(
        "--metric",
        "metric_name",
        metavar="NAME",
        help="The loss: the edits (wer, the default; sclite), minus the gain (wrr, grr), the item scores of a "
        "metric of strings (bleu, chrf, ter, ...), or linear-bleu, which takes all paths of a lattice.",
    ),
    option(
        "--utilities",
        metavar="FILE",
        help="n-best lists, instead of a metric: how good each entry is if another is right, by any other program; "
        ".npz with a matrix for each id, or a table with id, candidate, evidence, utility.",
    ),
    option(
        "--unigram-precision",
        type=Real(0, 1, without_least=True),
        help="linear-bleu: the unigram precision expected of the decoder. Default: 0.85.",
    ),
    option(
        "--precision-ratio",
        type=Real(0, 1, without_least=True),
        help="linear-bleu: the precision of n-grams over that of n-grams with a word less. Default: 0.72.",
    ),
)
@options_of({**declared.GRR, **declared.TEXT_METRICS})
@group(
    "Posteriors",
    option(
        "--scale",
        type=Real(0, MOST_WEIGHT),
        default=1.0,
        show_default=True,
        help="Factor of the log probabilities. Below 1 the posteriors are flatter.",
    ),
    option(
        "--candidates",
        type=Whole(1, MOST_EVIDENCE),
        default=FROM_LATTICE,
        show_default=True,
        help="Lattices and forests: choose among the N best word sequences.",
    ),
    option(
        "--evidence",
        type=Whole(1, MOST_EVIDENCE),
        default=FROM_LATTICE,
        show_default=True,
        help="Lattices and forests: the expected loss is over the N best word sequences.",
    ),
)
@scale_options
@options_of(declared.HYPOTHESES)
@fields_option
@word_options
@group(
    "Output",
    option(
        "--nbest",
        type=Whole(1, MOST_PATHS),
        default=1,
        show_default=True,
        metavar="N",
        help="Candidates per item, the best first. Text lines then repeat the id.",
    ),
    option(
        "--text",
        type=click.Choice(["kaldi", "trn", "plain"]),
        help="Print `id words`, `words (id)` or `words`. Default: kaldi where there are ids, otherwise plain.",
    ),
    clicked("output", declared.OUTPUT._replace(field="output")),
    option(
        "--json",
        "as_json",
        is_flag=True,
        help="Print one JSON object instead of text. Without --output it contains all records.",
    ),
)
@options_of(declared.RUN)
def mbr(
    hypotheses: str, metric_name: str | None, utilities: str | None, unigram_precision: float | None,
    precision_ratio: float | None, scale: float, candidates: int, evidence: int, text: Text | None, **options: Any,
) -> int:  # fmt: skip
    """Choose the hypothesis with the least expected loss (minimum Bayes risk), and print its words.

    \b
    Example:  fstmetrics mbr nbest.txt --scale 0.1

    Input: n-best lists, lattices or forests, in a file, a folder, or files by a pattern in quotes, 'lat.*.gz'.
    Posteriors are exp(scale x score), normalised to 1. For an n-best list the choice is exact. For a lattice or forest
    the best word sequences are used; the summary on standard error says how much of the probability they have. With
    linear-bleu all paths are used. Hypergraphs, and n-best lists with features, get scores from --weights.
    """
    parameters, lattices = fields_of(MetricParameters, options), fields_of(LatticeOptions, options)
    given = {"precision": unigram_precision, "ratio": precision_ratio}
    metric = _metric(parameters, metric_name, utilities, {k: v for k, v in given.items() if v is not None})
    if options["shard"]:
        options["called"] = called()
    request = Request(**options)
    request.refuse_rules("mbr")
    if utilities is not None and request.weights is not None:
        raise FstmetricsError(
            "--weights change the order of n-best lists, and --utilities go by it: give one of the two"
        )
    normalisation = as_wanted(metric, request.normalisation)
    refuse_unready([metric], request.normalisation)
    inputs, has_ids = read_unpaired(request, hypotheses, refusal)
    chosen = _layout(text, has_ids)
    own: dict[str, Any] = {"scale": scale}
    formats = {name for names in inputs.formats.values() for name in names.split(",")}
    only_lists = all(name in FORMATS and FORMATS[name].holds == "n-best" for name in formats)
    if not (only_lists or isinstance(metric, LinearBLEU | Utilities)):
        own |= {"candidates": candidates, "evidence": evidence}
    search: Callable[[Any], MBR] = partial(
        decode, metric=metric, nbest=request.nbest, normalisation=request.normalisation, **own
    )
    if utilities is not None:
        search = _Given(request, scale, utilities)
        metric = search.metric
    settings = (
        own | {"scales": lattices.scales or "as the files say"} | shown_settings(request, metric, inputs)
    )
    settings |= normalisation.settings()
    written = request.output not in (None, "-") and is_plain(str(request.output))
    prints = not request.as_json and request.output != "-"
    parts = conditions(request, inputs, settings)
    with Decoding(request, search, lattices, chosen if prints else None, at_once=not written) as task:
        task.scoring.signature = signature_of(metric, normalisation, of_items(parts), "mbr")
        elsewhere = None if request.on == "local" else engine(request.on, request.jobs)
        faults = run_items(
            request, inputs, task, run_settings(request, inputs, metric, settings), elsewhere
        ).number
        if request.shard:
            tell(shard_remark(request, inputs, task, faults))
            return status(request, inputs, faults)
    if request.as_json:
        records = task.kept if request.output is None else None
        show_json(risk_summary(task.sums, metric, normalisation, settings, faults, records, parts))
    elif prints and written:
        # Of a run that went on, some of it was found before.
        write_text(chosen, records_of(str(request.output)))
    is_whole = not (request.resume or request.merged)  # only then has it looked up every list
    unused = search.remarks() if isinstance(search, _Given) and is_whole else []
    tell(*risk_lines(task.sums, metric, request.normalisation, faults), *unused, *inputs.remarks)
    return status(request, inputs, faults)


def _metric(
    parameters: MetricParameters, name: str | None, utilities: str | None, of_linear_bleu: dict[str, Any]
) -> CorpusMetric:
    """What is expected.

    Raises:
        FstmetricsError: no metric of that name, or options that do not go together.
    """
    if of_linear_bleu and name != LinearBLEU.name:
        raise FstmetricsError("--unigram-precision and --precision-ratio are for --metric linear-bleu")
    if utilities is not None:
        if name is not None:
            raise FstmetricsError("--utilities take the place of --metric: give one of the two")
        return Utilities([[0.0]])
    if name == LinearBLEU.name:
        return LinearBLEU(**of_linear_bleu)
    (metric,) = parameters.metrics([name or "wer"])
    return metric


class _Given:
    """Choices by utilities that a file has: those of each n-best list by its id.

    Attributes:
        metric: names the file and what is in it, for signatures and for runs that go on.
    """

    def __init__(self, request: Request, scale: float, path: str) -> None:
        check_run_paths(request, [path])
        self._by_id, self._path = read_utilities(path), path
        self._asked: dict[str, Any] = {
            "nbest": request.nbest, "normalisation": request.normalisation, "scale": scale
        }  # fmt: skip
        self._used: set[str] = set()
        digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
        self.metric = Utilities([[0.0]], f"{Path(path).name}:{digest}")

    def remarks(self) -> list[str]:
        """What is said of utilities that no list asked for."""
        unused = [id for id in self._by_id if id not in self._used]
        return (
            [f"{self._path} has utilities of ids that no n-best list has: {listed(unused)}"] if unused else []
        )

    def __call__(self, hypotheses: Any) -> MBR:
        if hypotheses.id not in self._by_id:
            raise FstmetricsError(f"{self._path} has no utilities of the n-best list {hypotheses.id!r}")
        self._used.add(hypotheses.id)
        return decode(hypotheses, utilities=self._by_id[hypotheses.id], **self._asked)


def _layout(text: Text | None, has_ids: bool) -> Text:
    if text in ("kaldi", "trn") and not has_ids:
        raise FstmetricsError(f"not every item has an id, which --text {text} needs; use --text plain")
    return text or ("kaldi" if has_ids else "plain")


@dataclass
class RiskScoring:
    """What is decoded of lists, lattices and forests; it can be pickled.

    Attributes:
        decode: what is asked of one, as of `mbr`.
        lattices: the scales of lattices.
        text: how words are printed, which is tried where a fault is the item's own; None: they are not.
        unit: what is compared.
        nbest: how many candidates an item.
        signature: all that the choice depends on.
        pool: threads that decode an item each; None: one after the other. It stays where it is.
    """

    decode: Callable[[Any], MBR]
    lattices: LatticeOptions
    text: Text | None
    unit: Any
    nbest: int
    signature: str = ""
    pool: ThreadPoolExecutor | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "pool": None}

    def results(self, pairs: PairBlock) -> Sequence[MBR]:
        """One by one, as many at the same time as there are threads; the engine works without Python's lock."""
        return list((self.pool.map if self.pool else map)(self.result, pairs))

    def result(self, pair: Pair) -> MBR:
        """Of one item."""
        try:
            if message := refusal(pair.hypothesis):
                raise FstmetricsError(message)
            result = self.decode(self.lattices.scaled(pair.hypothesis))
            if self.text:
                for candidate in result.best:
                    _line(self.text, pair.id, candidate.words)
            return result
        except FstmetricsError as error:
            raise of_item([pair], error) from None

    def record(self, result: MBR, pair: Pair) -> dict[str, Any]:
        """One item as a JSON object."""
        return {
            "id": pair.id,
            "metric": name_of(result.metric.name, self.unit),
            **_candidate(result.best[0]),
            "one_best": _candidate(result.one_best),
            "candidates": result.candidates,
            "evidence": result.evidence,
            "mass": result.mass,
            "exact": result.exact,
            **({"nbest": [_candidate(each) for each in result.best]} if self.nbest > 1 else {}),
        }

    def signed(self, result: MBR, pair: Pair) -> dict[str, Any]:
        """The same with the fields of the pair and the signature, as it is written."""
        fields = {"fields": dict(pair.fields)} if pair.fields else {}
        return self.record(result, pair) | fields | {"signature": self.signature}

    def item_terms(self, result: MBR, pair: Pair) -> Terms:
        """Its losses, and what share of the probability they are of."""
        return risk_terms(result, _has_scores(pair.hypothesis), isinstance(pair.hypothesis, Network))

    def columns(self, results: Sequence[MBR]) -> None:
        """Item by item."""

    def written(self, results: Sequence[MBR], pairs: PairBlock) -> None:
        """Item by item."""


class Decoding(Task[MBR], AbstractContextManager["Decoding"]):
    """The hypotheses of least expected loss; a context, behind which no thread of it works any more.

    Args:
        request: what was asked for.
        decode: what is asked of a list, lattice or forest, as of `mbr`.
        lattices: the scales of lattices.
        text: how to print the words of items; None: records are wanted.
        at_once: whether to print each item as it is done, and not all of them at the end.

    Attributes:
        kept: records, where they are to be printed at the end.
    """

    title = "decoding"
    scoring: RiskScoring

    def __init__(
        self,
        request: Request,
        decode: Callable[[Any], MBR],
        lattices: LatticeOptions,
        text: Text | None,
        at_once: bool = True,
    ) -> None:
        self.sums = Sums()
        self._request = request
        self.scoring = RiskScoring(decode, lattices, text, request.unit, request.nbest)
        self._text, self.prints = text, text is not None and at_once
        self.scoring.pool = ThreadPoolExecutor(workers(request.jobs)) if request.jobs > 1 else None
        self.kept: list[dict[str, Any]] = []

    def __exit__(self, *_: object) -> None:
        if self.scoring.pool:
            self.scoring.pool.shutdown(cancel_futures=True)

    def work(self, elsewhere: bool) -> Work[MBR]:
        """Of lists, lattices and forests; utilities of a file are looked up here."""
        if elsewhere and isinstance(self.scoring.decode, _Given):
            raise FstmetricsError("--utilities are for runs on this machine: leave --on out")
        request = self._request
        shows = self.prints or (request.as_json and request.output is None)
        return Work(self.scoring, request.keep_going, request.output is not None, True, shows)

    def shown(self, result: MBR | None, pair: Pair) -> None:
        """Its words, or its record for the end."""
        if result is None:
            return
        if self._text and self.prints:
            write_text(self._text, [self.scoring.record(result, pair)])
        elif self._request.as_json and self._request.output is None:
            self.kept.append(self.scoring.signed(result, pair))


def refusal(value: Any) -> str:
    """What to say of a value that has no distribution to decode; nothing of others."""
    if isinstance(value, Lattice | NBest | Network):
        return ""
    return "expected lattices, forests or n-best lists; if it is one of these, give --format"


def _has_scores(value: Any) -> bool:
    """Whether anything says how likely the entries of a list or the derivations of a forest are."""
    if isinstance(value, NBest):
        return value.scores is not None
    return not isinstance(value, Network) or value.has_costs


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {
        "hypothesis": list(candidate.words),
        "expected_loss": candidate.expected_loss,
        "posterior": candidate.posterior,
    }


def write_text(text: Text, records: Iterable[dict[str, Any]]) -> None:
    """Print the words of records, as other programs read them."""
    with whole_file("-") as stream:
        for record in records:
            paths = record.get("nbest", (record,))
            stream.writelines(_line(text, record["id"], path["hypothesis"]) for path in paths)


def records_of(path: str) -> Iterator[dict[str, Any]]:
    """The records of a file that a run has finished."""
    with open(path, encoding="utf-8") as stream:
        yield from map(json.loads, stream)


def _line(text: Text, id: str | None, words: Sequence[str]) -> str:
    """What the format's own writer makes of it, which refuses what would be read as something else."""
    item = Item(None if text == "plain" else id, tuple(words))
    return b"".join(WRITERS[text].pieces(iter([item]), WriteOptions())).decode()
