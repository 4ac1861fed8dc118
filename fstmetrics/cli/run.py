"""What commands that score end with: `run` and `run_statistics`, which write records and print."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import Any

import click

from fstmetrics.cli.inputs import Inputs
from fstmetrics.cli.options import Request
from fstmetrics.cli.progress import bar
from fstmetrics.cli.taken import full_record
from fstmetrics.metrics import CorpusMetric, Metric
from fstmetrics.output import whole_file
from fstmetrics.pairing import Pair
from fstmetrics.reports.records import statistics_records, statistics_summary, summary
from fstmetrics.reports.summary import statistics_lines, summary_lines
from fstmetrics.results import CorpusResult, Result
from fstmetrics.statistics import Statistics


def run(
    request: Request,
    metric: Metric,
    results: Iterable[Result],
    inputs: Inputs,
    settings: dict[str, Any] | None = None,
    remarks: Iterable[str] = (),
) -> None:
    """Score with a progress bar, write records, print the summary.

    Args:
        request: what was asked for.
        metric: what is computed.
        results: the items, scored as they are taken.
        inputs: what was read.
        settings: the command's own, for the JSON summary.
        remarks: the command's own, for the text summary.
    """
    shown = _scored(request, bar(results, len(inputs.pairs), "scoring"), inputs.pairs)
    alternations = (request.alternations or "sclite") if inputs.has_choices else ""
    corpus = CorpusResult.of(
        shown, inputs.skipped, request.normalisation, request.grammar_signature, alternations
    )
    if request.as_json:
        everything = {**(settings or {}), **_settings(request, metric, inputs)}
        with whole_file("-") as stream:
            stream.write(_line(summary(corpus, everything)))
    elif request.output != "-":
        if request.shows_items:
            print_items(shown, request.alignment)
        for line in summary_lines(corpus, (*remarks, *inputs.remarks)):
            click.echo(line)


def run_statistics(request: Request, statistics: Statistics, inputs: Inputs) -> None:
    """Write records and print the summary of a metric of strings."""
    if request.output:
        with whole_file(request.output) as stream:
            stream.writelines(map(_line, statistics_records(statistics)))
    if request.as_json:
        settings = _settings(request, statistics.metric, inputs)
        with whole_file("-") as stream:
            stream.write(_line(statistics_summary(statistics, inputs.skipped, settings)))
    elif request.output != "-":
        for line in statistics_lines(statistics, inputs.skipped, inputs.remarks):
            click.echo(line)


def _scored(request: Request, results: Iterable[Result], pairs: Sequence[Pair]) -> list[Result]:
    """All results; those written as records, or not to be shown, are kept as counts only."""
    kept = []
    with ExitStack() as stack:
        stream = stack.enter_context(whole_file(request.output)) if request.output else None
        for result, pair in zip(results, pairs, strict=True):
            if stream:
                stream.write(_line(full_record(result, pair, request)))
            kept.append(result if request.shows_items else result.counts_only())
    return kept


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"


def _settings(request: Request, metric: CorpusMetric, inputs: Inputs) -> dict[str, Any]:
    return {
        **metric.settings(),
        **request.normalisation.settings(),
        **({"grammars": request.grammar_signature} if request.grammars else {}),
        "route": request.route,
        "missing": request.missing,
        "formats": inputs.formats,
    }


def print_items(results: Iterable[Result], alignment: bool) -> None:
    """Each item, or each of its best paths, with its alignment or its words."""
    from rich.console import Console

    from fstmetrics.reports.alignment import alignment_text, legend, title
    from fstmetrics.reports.printable import printable

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    width = console.width if console.is_terminal else 100
    shown = list(results)
    if alignment:
        console.print(legend(shown) + "\n", style="dim")
    for number, result in enumerate(shown, 1):
        for rank, path in enumerate(result.nbest or (result,), 1):
            console.print((f"{rank:>3}. " if result.nbest else "") + title(path, number), style="bold")
            if alignment:
                console.print(alignment_text(path.alignment, width))
            else:
                rows = (printable(" ".join(words)) for words in (path.hypothesis, path.closest))
                console.print("     HYP {}\n     REF {}".format(*rows))
            for rewrite in path.rewrites:
                text = f"{' '.join(rewrite.before)} -> {' '.join(rewrite.after) or '~'}"
                console.print(
                    f"     rewritten: {printable(text)}  ({rewrite.grammar}:{rewrite.line})", style="dim"
                )
        if result.nbest and not alignment:
            console.print()
