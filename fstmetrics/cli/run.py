"""What commands that score end with: `run` and `run_statistics`, which write records and print."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import click

from fstmetrics.cli.inputs import Inputs
from fstmetrics.cli.options import Request
from fstmetrics.cli.progress import bar
from fstmetrics.metrics import CorpusMetric, Metric
from fstmetrics.output import whole_file
from fstmetrics.pairing import Pair
from fstmetrics.reports.records import record, statistics_records, statistics_summary, summary
from fstmetrics.reports.summary import statistics_lines, summary_lines
from fstmetrics.results import CorpusResult, OracleResult, Result
from fstmetrics.statistics import Statistics
from fstmetrics.transcripts import Transcript, alternatives_taken


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
                stream.write(_line(record(result, request.alignment) | _alternatives(result, pair, request)))
            kept.append(result if request.shows_items else result.counts_only())
    return kept


def _alternatives(result: Result, pair: Pair, request: Request) -> dict[str, Any]:
    """What was taken where the one reference leaves a choice."""
    if not isinstance(pair.reference, Transcript) or not pair.reference.choices:
        return {}
    return {"alternatives": alternatives_taken(pair.reference, result.closest, request.normalisation)}


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

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    width = console.width if console.is_terminal else 100
    shown = list(results)
    if alignment:
        console.print(legend(shown) + "\n", style="dim")
    for number, result in enumerate(shown, 1):
        for name, path in _shown_paths(result):
            console.print(name + title(path, number), style="bold")
            if alignment:
                console.print(alignment_text(path.alignment, width))
            else:
                console.print(f"     HYP {' '.join(path.hypothesis)}\n     REF {' '.join(path.closest)}")
            for rewrite in path.rewrites:
                text = f"{' '.join(rewrite.before)} -> {' '.join(rewrite.after) or '~'}"
                console.print(f"     rewritten: {text}  ({rewrite.grammar}:{rewrite.line})", style="dim")
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
