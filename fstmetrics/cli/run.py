"""What commands that score end with: `run`, which writes records and prints; `BestPaths`, what it does with items."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import repeat
from typing import Any

from fstmetrics.cli import terminal
from fstmetrics.cli.inputs import Inputs
from fstmetrics.cli.messages import show
from fstmetrics.cli.options import Request
from fstmetrics.cli.records import run_settings, scored
from fstmetrics.cli.taken import choices_taken, full_record
from fstmetrics.cli.work import Work
from fstmetrics.json_text import written_json
from fstmetrics.metrics import CorpusMetric, Metric
from fstmetrics.output import whole_file
from fstmetrics.pairing import Pair
from fstmetrics.reports.records import part, path_conditions, signature_of, summary
from fstmetrics.reports.summary import summary_lines
from fstmetrics.results import OracleResult, Result
from fstmetrics.runs.tallies import Counts, RunTally
from fstmetrics.searching import search_items


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
    from fstmetrics.reports.printable import printable

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
