"""Options that commands share, and what they become: `Request`, and `run`, which scores, writes and prints."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, TypeVar

import click

from fstmetrics.errors import FstmetricsError
from fstmetrics.metrics import Metric
from fstmetrics.normalisation import Normalisation
from fstmetrics.output import whole_file
from fstmetrics.pairing import Missing, Pair, pair
from fstmetrics.readers import FORMATS, Items, read_items
from fstmetrics.reports.records import record, summary
from fstmetrics.reports.summary import summary_lines
from fstmetrics.results import CorpusResult, Result
from fstmetrics.scoring import SearchOptions

Function = TypeVar("Function", bound=Callable[..., Any])

INPUT = click.Path(exists=False, path_type=str)


def input_options(function: Function) -> Function:
    """Which files, and how they pair."""
    for option in reversed(
        [
            click.option("--ref", "more_references", multiple=True, type=INPUT, metavar="FILE",
                         help="Further references for the same items; repeatable."),
            click.option("--format", "format", type=click.Choice(list(FORMATS)),
                         help="Format of the hypotheses; recognised by default."),
            click.option("--ref-format", type=click.Choice(list(FORMATS)),
                         help="Format of the references; recognised by default."),
            click.option("--symbols", type=INPUT, metavar="FILE",
                         help="Symbol table (`word integer` lines) of hypotheses that hold numbers."),
            click.option("--missing", type=click.Choice(["error", "skip", "empty"]), default="error", show_default=True,
                         help="What to do with an id that one side lacks."),
        ]
    ):  # fmt: skip
        function = option(function)
    return function


def word_options(function: Function) -> Function:
    """What is done to words."""
    for option in reversed(
        [
            click.option("--lowercase", is_flag=True, help="Fold case on both sides."),
            click.option("--remove-punctuation", is_flag=True, help="Take punctuation characters out of words."),
            click.option("--ignore", multiple=True, metavar="WORD", help="A word that does not count; repeatable."),
            click.option("--unit", type=click.Choice(["word", "char"]), default="word", show_default=True,
                         help="What is compared; with char, the space between two words is a character."),
            click.option("--tokenize", default="none", show_default=True, metavar="NAME",
                         help="A tokenizer of sacrebleu: 13a, zh, intl, ..."),
        ]
    ):  # fmt: skip
        function = option(function)
    return function


def output_options(function: Function) -> Function:
    """What is found, shown and written."""
    for option in reversed(
        [
            click.option("--nbest", type=click.IntRange(min=1), default=1, show_default=True, metavar="K",
                         help="Distinct best paths an item."),
            click.option("--alignment", is_flag=True,
                         help="Print every item's alignment, or put it into the records of --output."),
            click.option("--output", type=click.Path(path_type=str), metavar="FILE",
                         help="Write one JSON record an item to this file; - is standard output."),
            click.option("--json", "as_json", is_flag=True, help="Print the summary as one JSON object."),
            click.option("--route", default="auto", show_default=True,
                         type=click.Choice(["auto", "topological", "best-first", "dijkstra"]),
                         help="How to search; the answer is the same."),
        ]
    ):  # fmt: skip
        function = option(function)
    return function


@dataclass(frozen=True)
class Request:
    """What a command was asked to do, beyond its own options."""

    more_references: Sequence[str] = ()
    format: str | None = None
    ref_format: str | None = None
    symbols: str | None = None
    missing: Missing = "error"
    lowercase: bool = False
    remove_punctuation: bool = False
    ignore: Sequence[str] = ()
    unit: Any = "word"
    tokenize: str = "none"
    nbest: int = 1
    alignment: bool = False
    output: str | None = None
    as_json: bool = False
    route: str = "auto"
    formats: dict[str, str] = field(default_factory=dict, compare=False)

    @property
    def normalisation(self) -> Normalisation:
        """What is done to words."""
        return Normalisation(
            self.tokenize, self.lowercase, self.remove_punctuation, frozenset(self.ignore), self.unit
        )

    @property
    def search(self) -> SearchOptions:
        """How to search."""
        return SearchOptions(route=self.route)

    def read(self, references: str, hypotheses: str) -> tuple[list[Pair], int]:
        """Read and pair both sides; lattices and networks come first, as their ids are certain.

        Raises:
            FstmetricsError: a file that cannot be read, or items that do not pair.
        """
        paths = [hypotheses, references, *self.more_references]
        if paths.count("-") > 1:
            raise FstmetricsError("standard input (-) can be read only once")
        formats = [self.format, *[self.ref_format] * (len(paths) - 1)]
        sides = self._read_sides(paths, formats)
        self.formats.update({path: ",".join(side.formats) for path, side in zip(paths, sides, strict=True)})
        return pair(sides[0], sides[1:], self.missing)

    def _read_sides(self, paths: Sequence[str], formats: Sequence[str | None]) -> list[Items]:
        def read(i: int, known: frozenset[str]) -> Items:
            return read_items(
                paths[i], format=formats[i], symbols=self.symbols if i == 0 else None, known_ids=known
            )

        sides = [read(i, frozenset()) for i in range(len(paths))]
        certain = {
            item.id for side in sides if not _is_text(side) for item in side.items if item.id is not None
        }
        if not certain or "-" in paths:
            return sides
        # A text file does not say whether its lines begin with ids; the lattices' names do.
        return [read(i, frozenset(certain)) if _is_text(side) else side for i, side in enumerate(sides)]


def _is_text(side: Items) -> bool:
    return set(side.formats) <= {"plain", "kaldi-text"}


def run(
    request: Request,
    metric: Metric,
    results: Iterable[Result],
    total: int,
    skipped: int,
    settings: dict[str, Any],
) -> None:
    """Score with a progress bar, write records, print the summary."""
    if request.as_json and request.output == "-":
        raise FstmetricsError("--json and --output - both want standard output; give --output a file")
    shown: list[Result] = []
    with ExitStack() as stack:
        stream = stack.enter_context(whole_file(request.output)) if request.output else None
        for result in progress(results, total, metric.name):
            if stream:
                stream.write(json.dumps(record(result, request.alignment), ensure_ascii=False) + "\n")
            shown.append(result)
    corpus = CorpusResult.of(shown, skipped, request.normalisation)
    if request.as_json:
        click.echo(json.dumps(summary(corpus, settings | _settings(request, metric)), ensure_ascii=False))
        return
    if request.output == "-":
        return
    if not request.output and (request.alignment or request.nbest > 1):
        print_items(shown, request.alignment)
    for line in summary_lines(corpus):
        click.echo(line)


def _settings(request: Request, metric: Metric) -> dict[str, Any]:
    return {
        **metric.settings(),
        **request.normalisation.settings(),
        "route": request.route,
        "missing": request.missing,
        "formats": request.formats,
    }


def print_items(results: Iterable[Result], alignment: bool) -> None:
    """Each item, or each of its best paths, with its alignment or its words."""
    from rich.console import Console

    from fstmetrics.reports.alignment import alignment_text, title

    console = Console(highlight=False, soft_wrap=True)
    width = console.width if console.is_terminal else 100
    for result in results:
        for rank, path in enumerate(result.nbest or (result,), 1):
            console.print(
                ("" if not result.nbest else f"{rank:>3}. ") + title(path), markup=False, style="bold"
            )
            if alignment:
                console.print(alignment_text(path, width))
            else:
                console.print(
                    f"     HYP {' '.join(path.hypothesis)}\n     REF {' '.join(path.closest)}", markup=False
                )


def progress(items: Iterable[Result], total: int, title: str) -> Iterator[Result]:
    """Pass items on, with a bar on standard error while that is a terminal."""
    if not sys.stderr.isatty() or total < 2:
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(items, title, total, console=Console(stderr=True), transient=True)
