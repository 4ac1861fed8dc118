"""What commands that score end with: `run` and `run_statistics`, which write records and print."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import repeat
from typing import Any

import click

from fstmetrics.cli.batches import Score
from fstmetrics.cli.inputs import Inputs
from fstmetrics.cli.options import Request
from fstmetrics.cli.records import json_line, run_settings, scored
from fstmetrics.cli.taken import choices_taken
from fstmetrics.metrics import CorpusMetric, Metric
from fstmetrics.output import whole_file
from fstmetrics.pairing import Pair
from fstmetrics.reports.records import statistics_records, statistics_summary, summary
from fstmetrics.reports.summary import statistics_lines, summary_lines
from fstmetrics.results import OracleResult, Result
from fstmetrics.scoring import search_items
from fstmetrics.statistics import Statistics


def run(
    request: Request,
    metric: Metric,
    score: Score,
    inputs: Inputs,
    settings: dict[str, Any] | None = None,
    remarks: Iterable[str] = (),
) -> int:
    """Score with a progress bar, write records, print the summary.

    Args:
        request: what was asked for.
        metric: what is computed.
        score: results of some pairs.
        inputs: what is to be read.
        settings: the command's own, for the JSON summary.
        remarks: the command's own, for the text summary.

    Returns:
        The exit status: 1 if items were left out because something is wrong with them.
    """
    alternations = (request.alternations or "sclite") if inputs.has_choices else ""
    every = {**(settings or {}), **_settings(request, metric, inputs)}
    done = scored(request, inputs, score, run_settings(request, inputs, metric, every))
    corpus = done.tally.corpus(
        request.metric_of_results(metric),
        skipped=inputs.skipped,
        normalisation=request.normalisation,
        grammars=request.grammar_signature,
        alternations=alternations,
    )
    if request.as_json:
        with whole_file("-") as stream:
            stream.write(json_line(summary(corpus, every, done.faults)))
    elif request.output != "-":
        if request.shows_items:
            kept = [result for result, _ in done.kept]
            taken = [partial(choices_taken, pair=pair, request=request) for _, pair in done.kept]
            print_items(kept, request.alignment, taken)
        left_out = [f"{done.faults} left out, which could not be read or scored"] if done.faults else []
        if inputs.has_choices and not (request.alignment or request.output):
            left_out.append("references leave choices: --alignment shows what was taken, --output records it")
        for line in summary_lines(corpus, (*left_out, *remarks, *inputs.remarks)):
            click.echo(line)
    return 1 if done.faults or (request.keep_going and inputs.skipped and request.missing == "error") else 0


def searching(request: Request, metric: Metric) -> Score:
    """What scores pairs by their best paths."""

    def score(pairs: Sequence[Pair]) -> Sequence[Result]:
        items = [(pair.id, pair.hypothesis, pair.reference) for pair in pairs]
        return search_items(
            items, metric, request.nbest, request.normalisation, request.search, request.grammars
        )

    return score


def run_statistics(request: Request, statistics: Statistics, inputs: Inputs) -> None:
    """Write records and print the summary of a metric of strings."""
    if request.output:
        with whole_file(request.output) as stream:
            stream.writelines(map(json_line, statistics_records(statistics)))
    if request.as_json:
        settings = _settings(request, statistics.metric, inputs)
        with whole_file("-") as stream:
            stream.write(json_line(statistics_summary(statistics, inputs.skipped, settings)))
    elif request.output != "-":
        for line in statistics_lines(statistics, inputs.skipped, inputs.remarks):
            click.echo(line)


def _settings(request: Request, metric: CorpusMetric, inputs: Inputs) -> dict[str, Any]:
    return {
        **metric.settings(),
        **request.normalisation.settings(),
        **({"grammars": request.grammar_signature} if request.grammars else {}),
        "route": request.route,
        "missing": request.missing,
        "formats": inputs.formats,
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
    from rich.console import Console

    from fstmetrics.reports.alignment import alignment_text, legend, title
    from fstmetrics.reports.printable import printable

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
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
                rows = (printable(" ".join(words)) for words in (path.hypothesis, path.closest))
                console.print("     HYP {}\n     REF {}".format(*rows))
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
