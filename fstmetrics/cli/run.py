"""What commands that score end with: `run`, which writes records and prints; `BestPaths`, what it does with items.

Scoring pairs as they are read, batch by batch: `outcomes`.

What a run does with its items: `Work`; `records.scored` is the run.

Runs with records on the side, which go on where they were stopped: `scored`, `run_settings`.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import Any, ClassVar, Generic, Protocol, TextIO, TypeVar

from fstmetrics.cli import terminal
from fstmetrics.cli.choices import choices_taken, full_record
from fstmetrics.cli.inputs import Inputs
from fstmetrics.cli.options import Request
from fstmetrics.cli.terminal import counter, say, show
from fstmetrics.metrics import CorpusMetric, Metric
from fstmetrics.reports.json_records import part, path_conditions, signature_of, summary
from fstmetrics.reports.summary import summary_lines
from fstmetrics.runs.journal import Entry, Summand, Unfinished
from fstmetrics.runs.pairing import Pair
from fstmetrics.runs.tallies import Counts, RunTally
from fstmetrics.scoring.results import OracleResult, Result
from fstmetrics.scoring.search import batches, search_items
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import written_json
from fstmetrics.support.output import is_plain, whole_file
from fstmetrics.support.signals import Stopped
from fstmetrics.support.version import __version__

Made = TypeVar("Made")
Added = TypeVar("Added", bound=Summand)
Adds = TypeVar("Adds", contravariant=True)


class Sums(Protocol[Adds]):
    """Where what the items of a run add up to is kept, whatever their number."""

    def add(self, counts: Adds, /) -> None:
        """Count one more item."""

    def __len__(self) -> int:
        """How many items there are."""


class Work(ABC, Generic[Made, Added]):
    """What becomes of items, and what they add up to.

    A run asks for the `results` of a batch, and of each item for its `counts` and, where records are written, its
    `record`; once they are written the counts go into `tally`, and the item is `shown`. Of items that were finished
    before the run was stopped it has the counts alone, and says `passed`.

    Attributes:
        title: of the progress bar.
        signature: all that the score of an item depends on.
        tally: the sums.
        prints: whether items are printed as they come.
    """

    title: ClassVar[str] = "scoring"
    signature: str = ""
    prints: bool = False
    tally: Sums[Added]

    @abstractmethod
    def results(self, pairs: Sequence[Pair]) -> Sequence[Made]:
        """What some items come to, in order; the same for an item whatever the others are."""

    @abstractmethod
    def record(self, result: Made, pair: Pair) -> dict[str, Any]:
        """An item as a JSON object."""

    def signed(self, result: Made, pair: Pair) -> dict[str, Any]:
        """The same with the signature, as it is written."""
        return self.record(result, pair) | {"signature": self.signature}

    @abstractmethod
    def counts(self, result: Made, pair: Pair) -> Added:
        """What an item adds to the sums."""

    @abstractmethod
    def restored(self, value: list[Any]) -> Added:
        """Counts again, of what their `as_json` wrote; TypeError or ValueError if it is something else."""

    def passed(self, pair: Pair) -> None:
        """Hear of an item that was finished before, and is not among the results."""

    def shown(self, result: Made, pair: Pair) -> None:
        """Print an item, or keep it to be printed."""


class BestPaths(Work[Result, Counts]):
    """Best paths of pairs under a finite-state metric.

    Args:
        request: what was asked for.
        metric: what is computed.

    Attributes:
        kept: results that are to be shown, with what they are of.
    """

    tally: RunTally

    def __init__(self, request: Request, metric: Metric) -> None:
        self.request = request
        self.metric = metric
        self.tally = RunTally()
        self.kept: list[tuple[Result, Pair]] = []

    def results(self, pairs: Sequence[Pair]) -> Sequence[Result]:
        """All in one call of the engine."""
        items = [(pair.id, pair.hypothesis, pair.reference) for pair in pairs]
        asked = self.request
        return search_items(
            items, self.metric, asked.nbest, asked.normalisation, asked.search, asked.grammars
        )

    def record(self, result: Result, pair: Pair) -> dict[str, Any]:
        """With what was taken of the reference."""
        return full_record(result, pair, self.request)

    def counts(self, result: Result, pair: Pair) -> Counts:
        """Those of the result."""
        return Counts.of(result)

    def restored(self, value: list[Any]) -> Counts:
        """Counts."""
        return Counts.from_json(value)

    def shown(self, result: Result, pair: Pair) -> None:
        """Keep what is printed at the end."""
        if self.request.shows_items:
            self.kept.append((result, pair))


def run(
    request: Request,
    metric: Metric,
    inputs: Inputs,
    work: BestPaths | None = None,
    settings: dict[str, Any] | None = None,
    remarks: Callable[[RunTally], Iterable[str]] = lambda tally: (),
) -> int:
    """Score with a progress bar, write records, print the summary.

    Args:
        request: what was asked for.
        metric: what is computed.
        inputs: what is to be read.
        work: what is done with it; by default best paths are found.
        settings: the command's own, for the JSON summary.
        remarks: the command's own, for the text summary.

    Returns:
        The exit status: 1 if items were left out because something is wrong with them.
    """
    work = work or BestPaths(request, metric)
    how = {"route": request.route, "missing": request.missing}
    every = {**(settings or {}), **how, **shown_settings(request, metric, inputs)}
    of_results, parts = request.metric_of_results(metric), conditions(request, inputs, settings or {})
    alternations = (request.alternations or "sclite") if inputs.has_choices else ""
    widened = path_conditions(of_items(parts), alternations, request.grammar_signature)
    work.signature = signature_of(of_results, request.normalisation, widened)
    faults = scored(request, inputs, work, run_settings(request, inputs, metric, every))
    corpus = work.tally.corpus(
        of_results,
        skipped=inputs.skipped,
        normalisation=request.normalisation,
        grammars=request.grammar_signature,
        alternations=alternations,
        conditions=parts,
    )
    if request.as_json:
        records = [work.signed(*each) for each in work.kept] if request.shows_items else None
        print_json({**summary(corpus, every, faults, records), "remarks": list(inputs.remarks)})
    elif request.output != "-":
        if request.shows_items:
            kept = [result for result, _ in work.kept]
            taken = [partial(choices_taken, pair=pair, request=request) for _, pair in work.kept]
            print_items(kept, request.alignment, taken)
        more = [*remarks(work.tally), *inputs.remarks]
        if inputs.references_choose and not (request.alignment or request.output):
            more.insert(0, "references leave choices: --alignment shows what was taken, --output records it")
        show(*summary_lines(corpus, more, faults))
    return status(request, inputs, faults)


# What commands set that changes numbers, by the names of their settings.
CONDITIONS = ("scales", "beam", "model_weight", "scale", "candidates", "evidence")


def conditions(request: Request, inputs: Inputs, settings: dict[str, Any]) -> tuple[str, ...]:
    """What scores depend on beside the metric and what was done to words, as signatures have it."""
    found = [part(name, settings[name]) for name in CONDITIONS if settings.get(name) is not None]
    missing = [f"missing:{request.missing}"] if request.missing != "error" else []
    files = {"symbols": request.symbols, "weights": request.weights}
    named = [part(name, os.path.basename(path)) for name, path in files.items() if path]
    return (*inputs.conditions, *missing, *named, *found)


def of_items(parts: Iterable[str]) -> tuple[str, ...]:
    """Those of them that the score of a single item depends on: whether others are skipped is all the same to it."""
    return tuple(part for part in parts if not part.startswith("missing:"))


def status(request: Request, inputs: Inputs, faults: int) -> int:
    """The exit status: 1 if items were left out because something is wrong with them."""
    return 1 if faults or (request.keep_going and inputs.skipped and request.missing == "error") else 0


def print_json(value: dict[str, Any]) -> None:
    """One object on standard output."""
    with whole_file("-") as stream:
        stream.write(written_json(value) + "\n")


def shown_settings(request: Request, metric: CorpusMetric, inputs: Inputs) -> dict[str, Any]:
    """What the summary says of what was computed, whatever the command."""
    return {
        **metric.settings(),
        **request.normalisation.settings(),
        **({"grammars": request.grammar_signature} if request.grammars else {}),
        "formats": inputs.formats,
        "pairing": inputs.pairing,
    }


def print_items(
    results: Sequence[Result],
    alignment: bool,
    taken: Iterable[Callable[[Result], Iterable[str]]] | None = None,
) -> None:
    """Each item, or each of its best paths, with its alignment or its words.

    Args:
        results: the items.
        alignment: whether to show alignments.
        taken: for each item, what says which choices of its reference a path took.
    """
    from fstmetrics.reports.alignment import ORDERED, alignment_text, as_given, legend, title
    from fstmetrics.support.printable import printable

    console = terminal.console()
    width = console.width if console.is_terminal else 100
    if alignment:
        console.print(legend(results) + "\n", style="dim")
    nothing: Iterable[Callable[[Result], Iterable[str]]] = repeat(lambda _: ())
    for number, (result, choices) in enumerate(zip(results, taken or nothing, strict=False), 1):
        for name, path in _shown_paths(result):
            console.print(name + title(path, number), style="bold")
            for rewrite in path.rewrites:
                text = f"{' '.join(rewrite.before)} -> {' '.join(rewrite.after) or '~'}"
                console.print(
                    f"     rewritten: {printable(text)}  ({rewrite.grammar}:{rewrite.line})", style="dim"
                )
            for choice in choices(path):
                console.print(f"     taken: {printable(choice)}", style="dim")
            if alignment:
                console.print(alignment_text(path.alignment, width))
            else:
                given = [str(pair.hypothesis) for pair in as_given(path.alignment)]
                rows = {"HYP": given, "REF": path.closest}
                if path.moves:
                    rows = {"HYP": given, ORDERED: path.hypothesis, "REF": path.closest}
                for label, words in rows.items():
                    console.print(f"     {label} {printable(' '.join(words))}")
        if result.nbest and not alignment:
            console.print()


def _shown_paths(result: Result) -> Iterator[tuple[str, Result]]:
    """The best path or paths of an item, and what else was found beside an oracle, each with what it is."""
    for rank, path in enumerate(result.nbest or (result,), 1):
        yield (f"{rank:>3}. " if result.nbest else ""), path
    if isinstance(result, OracleResult):
        for name in ("hope", "fear"):
            for rank, weighed in enumerate(getattr(result, name), 1):
                yield f"{name} {rank}. ", weighed.result


Results = Callable[[Sequence[Pair]], Sequence[Made]]


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Made]):
    """A pair, and its result or what is wrong with it."""

    pair: Pair
    result: Made | None = None
    fault: str = ""


def outcomes(
    pairs: Iterable[Pair], results: Results[Made], threads: int, keep_going: bool
) -> Iterator[list[Outcome[Made]]]:
    """Outcomes of the pairs in order.

    Args:
        pairs: values may be deferred.
        results: those of some pairs.
        threads: how many it works on at the same time.
        keep_going: whether a fault is an outcome; otherwise it is raised.

    Raises:
        FstmetricsError: what is wrong with an item, or with the pairs as a whole.
    """
    for batch in batches(pairs, threads):
        if not keep_going:
            loaded = [pair.loaded() for pair in batch]
            yield _outcomes(loaded, results)
            continue
        read: list[Outcome[Made]] = [_attempt(pair) for pair in batch]
        good = iter(_scored([outcome.pair for outcome in read if not outcome.fault], results))
        yield [outcome if outcome.fault else next(good) for outcome in read]


def _attempt(pair: Pair) -> Outcome[Made]:
    """The pair with what was deferred, or why it cannot be read."""
    try:
        return Outcome(pair.loaded())
    except FstmetricsError as error:
        return Outcome(pair, fault=str(error))


def _outcomes(pairs: Sequence[Pair], results: Results[Made]) -> list[Outcome[Made]]:
    return [Outcome(pair, result) for pair, result in zip(pairs, results(pairs), strict=True)]


def _scored(pairs: Sequence[Pair], results: Results[Made]) -> list[Outcome[Made]]:
    """The outcomes of pairs at once; if one fails, which it is comes out by halves."""
    if not pairs:
        return []
    try:
        return _outcomes(pairs, results)
    except FstmetricsError as error:
        if len(pairs) == 1:
            return [Outcome(pairs[0], fault=str(error))]
    half = len(pairs) // 2
    return _scored(pairs[:half], results) + _scored(pairs[half:], results)


def of_item(pairs: Sequence[Pair], error: FstmetricsError) -> FstmetricsError:
    """An error that names its item, where it is known which: among one. What the engine says names it already."""
    if len(pairs) != 1 or pairs[0].id is None or str(error).startswith(f"item {pairs[0].id}: "):
        return error
    return type(error)(f"item {pairs[0].id}: {error}")


def scored(request: Request, inputs: Inputs, work: Work[Made, Added], settings: dict[str, Any]) -> int:
    """Work on all items, and write their records if they are asked for.

    Args:
        request: what was asked for.
        inputs: the items.
        work: what becomes of them; its tally has their sums afterwards.
        settings: what has to be the same for the run to go on later.

    Returns:
        How many items were left out because something is wrong with them.

    Raises:
        FstmetricsError: something is wrong with an item or with the pairs, or the records cannot be written.
    """
    if request.output is None or not is_plain(request.output):
        with ExitStack() as stack:
            stream = stack.enter_context(whole_file(request.output)) if request.output else None
            return _score(request, inputs, work, stream)
    with Unfinished(request.output, settings, request.resume, work.restored) as unfinished:
        try:
            faults = _score(request, inputs, work, unfinished)
            unfinished.complete()
        except FstmetricsError as error:
            remark = f"; {unfinished.remark_on_error(request.keep_going)}" if unfinished.finished else ""
            raise FstmetricsError(f"{error}{remark}") from None
        except Stopped as stopped:
            stopped.remark = unfinished.remark
            raise
    return faults


def _score(
    request: Request, inputs: Inputs, work: Work[Made, Added], to: TextIO | Unfinished[Added] | None
) -> int:
    faults = 0
    with counter(work.title, inputs.expected, work.prints or request.output == "-") as progress:
        pairs = iter(inputs.source)
        if isinstance(to, Unfinished):
            faults += _passed_over(to.entries(), pairs, work)
            progress(to.finished)
        for some in outcomes(pairs, work.results, request.jobs, request.keep_going):
            items = [_item(outcome, work, to is not None) for outcome in some]
            if isinstance(to, Unfinished):
                to.write(items)
            elif to:
                to.writelines(line for line, _ in items)
            for outcome, (_, entry) in zip(some, items, strict=True):
                if outcome.result is None or entry.counts is None:
                    faults += 1
                    say(outcome.fault)
                else:
                    work.tally.add(entry.counts)
                    work.shown(outcome.result, outcome.pair)
            progress(len(some))
    if not len(work.tally):
        raise FstmetricsError("there is no item to score")
    return faults


def _passed_over(entries: Iterable[Entry[Added]], pairs: Iterator[Pair], work: Work[Made, Added]) -> int:
    """Count the items that are finished; returns how many of them were left out."""
    faults = 0
    for entry in entries:
        pair = _next(entry, pairs)
        if entry.counts is None:
            faults += 1
        else:
            work.tally.add(entry.counts)
            work.passed(pair)
    return faults


def _next(entry: Entry[Added], pairs: Iterator[Pair]) -> Pair:
    """The pair of an item that is finished."""
    pair = next(pairs, None)
    if pair is None or pair.id != entry.id:
        found = "there is none" if pair is None else f"now it is {pair.id!r}"
        raise FstmetricsError(
            f"the inputs or --missing have changed since the run was stopped: item {entry.id!r} was next, {found}; "
            "without --resume the run starts anew"
        )
    return pair


def _item(outcome: Outcome[Made], work: Work[Made, Added], recorded: bool) -> tuple[str, Entry[Added]]:
    """The record of an item, and what is said of it in the journal."""
    result, pair = outcome.result, outcome.pair
    if result is None:
        return "", Entry(pair.id, fault=outcome.fault)
    line = written_json(work.signed(result, pair)) + "\n" if recorded else ""
    return line, Entry(pair.id, work.counts(result, pair))


def run_settings(
    request: Request, inputs: Inputs, metric: CorpusMetric, shown: dict[str, Any]
) -> dict[str, Any]:
    """What has to be the same for a run to go on: whatever a record depends on.

    Which items there are (`--missing`) is seen from their ids.

    Args:
        request: what was asked for.
        inputs: what is read.
        metric: what is computed.
        shown: the settings that the summary shows.
    """
    names = [*inputs.formats, *filter(None, (request.symbols, request.weights)), *request.grammar_files]
    found = {name: value for name, value in shown.items() if name not in ("route", "missing")}
    found |= {"metric": metric.signature(), "nbest": request.nbest, "alignment": request.alignment}
    found |= {"alternations": request.alternations, "version": __version__}
    return found | {
        "inputs": [[name, _state(name)] for name in names]
    }  # in order: which side each is on matters


def _state(path: str) -> Sequence[int] | str:
    """Size and time of a file; a folder may have files repaired, and its ids are compared."""
    if path == "-" or not os.path.isfile(path):
        return ""
    status = os.stat(path)
    return [status.st_size, status.st_mtime_ns]
