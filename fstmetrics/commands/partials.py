"""The command `partials`, and `partials_files`, the same as a call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

import click

from fstmetrics.cli.click_options import FormOfTables, command, options_of
from fstmetrics.cli.option_tables import (
    FORMS_PRINTED,
    UNSPACED,
    UNSPACED_UNITS,
    Options,
    PathLike,
    fields_of_options,
    path_of,
    under,
)
from fstmetrics.cli.terminal import show_report
from fstmetrics.engine.unlike_sides import FEW_TEXTS, NO_SPACES, SAMPLE, spelling_remarks, unspaced_remark
from fstmetrics.io.marks import FIRST, MARKS, Texts, one_sided
from fstmetrics.io.reading import check_paths
from fstmetrics.io.stream_logs import read_ends, read_partials
from fstmetrics.metrics.wer import WER
from fstmetrics.reports.summary import Part, Printed, Table
from fstmetrics.scoring.request import Request
from fstmetrics.streams.partials import PERCENTILES, EndOfWord, Partial, PartialScores, partial_scores
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.options import PATH, Option, one_of
from fstmetrics.support.printable import counted
from fstmetrics.support.version import __version__
from fstmetrics.text.normalisation import Normalisation

SHOWN: Options = {
    **under(
        "Input",
        ref=Option(
            PATH, "References with times of words (ctm), for latencies.", metavar="CTM", field="references"
        ),
    ),
    **under("Words", UNSPACED, "lowercase", "remove_punctuation", "normalise_unicode"),
    **under("Words", unit=UNSPACED["unit"]._replace(kind=one_of(*UNSPACED_UNITS))),
    **FORMS_PRINTED,
}


@dataclass(frozen=True)
class FilesPartials(Printed):
    """How far the partial results of a file change.

    Attributes:
        scores: of all utterances, and of each.
        signature: all that the numbers depend on.
        remarks: what is odd about words and times.
    """

    scores: PartialScores
    signature: str
    remarks: tuple[str, ...] = ()

    def summary(self) -> dict[str, Any]:
        """What the command prints with `--json`."""
        told = {"remarks": list(self.remarks)} if self.remarks else {}
        return self.scores.as_dict() | told | {"signature": self.signature}

    def parts(self) -> Iterator[Part]:
        """What the command prints."""
        found = self.scores.as_dict()
        rows: list[tuple[str, ...]] = [("", "unstable words", "edit overhead", "unneeded edits")]
        shares = ("unstable_word_ratio", "edit_overhead", "unneeded_edits")
        rows.append(("stability", *(_number(found[name]) for name in shares)))
        yield Table(rows)
        if "latency" in found:
            heads = ["mean", *(f"p{percentile}" for percentile in PERCENTILES)]
            names = ["latency", *(f"latency_p{percentile}" for percentile in PERCENTILES)]
            yield Table([("", *heads), ("latency (s)", *(_number(found[name]) for name in names))])
            match = "matches" if found["matched_words"] == 1 else "match"
            yield f"{counted(found['matched_words'], 'word')} of {found['words']} {match} the references"
        yield (
            f"{counted(found['utterances'], 'utterance')}, {counted(found['partials'], 'result')}, "
            f"{counted(found['words'], 'final word')}"
        )
        yield from self.remarks
        yield self.signature


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def partials_files(results: PathLike, **options: Any) -> FilesPartials:
    """How far the partial results of a recogniser change, and how late words stay, as `fstmetrics partials` finds it.

    Args:
        results: a file of JSON Lines with `id`, `time`, `text` and `final`.
        options: those of the command: `ref="ref.ctm"`, `lowercase=True`.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.

    >>> import tempfile, fstmetrics as fm
    >>> from pathlib import Path
    >>> file = Path(tempfile.mkdtemp()) / "partials.jsonl"
    >>> lines = ['{"id": "u", "time": 0.5, "text": "a"}', '{"id": "u", "time": 1, "text": "the cat", "final": true}']
    >>> _ = file.write_text("\\n".join(lines))
    >>> fm.partials_files(file).scores.edit_overhead
    1.0
    """
    path = path_of("partials_files", results)
    return partials_from(path, fields_of_options("partials_files", SHOWN, options))


def partials_from(results: str, options: dict[str, Any]) -> FilesPartials:
    """The numbers by the options of `SHOWN`; as of `partials_files`."""
    references = options.pop("references")
    check_paths([results, references])
    normalisation = Request(**options).normalisation
    given = read_partials(results)
    ends = None if references is None else read_ends(references, given)
    if ends is not None and (unlike := sorted(set(ends) ^ set(given))):
        there, lacking = (references, results) if unlike[0] in ends else (results, references)
        raise FstmetricsError(
            f"the utterance {unlike[0]!r} is in {there}, and not in {lacking}; expected the same utterances in both"
        )
    words = normalisation.signature()
    parts = ["fstmetrics", "partials", words, f"version:{__version__}"]
    scores = partial_scores(given, ends, normalisation)
    return FilesPartials(
        scores,
        "|".join(filter(None, parts)),
        tuple(_remarks((results, references or ""), given, ends or {}, normalisation)),
    )


def _remarks(
    paths: tuple[str, str],
    results: Mapping[str, Sequence[Partial]],
    ends: Mapping[str, Sequence[EndOfWord]],
    rules: Normalisation,
) -> Iterator[str]:
    """Whether spaces part words; whether words of results and references, whose paths are given, are written unlike;
    whether one side goes on for more than twice as long as the other, as where one is in other units."""
    last = [each[-1].text for each in islice(results.values(), FEW_TEXTS)]
    yield from unspaced_remark(last, rules, f"{NO_SPACES}, or mixed for Han characters")
    if not ends:
        return
    pairs = [(results[id][-1].text, " ".join(each.word for each in words)) for id, words in ends.items()]
    texts = [
        Texts(
            path,
            True,
            "",
            format == "ctm",
            False,
            side[:FIRST],
            partial(iter, side),
            format == "ctm",
            (format,),
        )
        for path, format, side in zip(paths, ("jsonl", "ctm"), zip(*pairs, strict=True), strict=True)
    ]
    for one in one_sided(MARKS, texts, rules.joined):
        yield f"{one.having.path} {one.message}"
    for remark in spelling_remarks(pairs[:SAMPLE], WER(), rules):
        yield f"of final results, {remark}"
    shown = sum(results[id][-1].time for id, words in ends.items() if words)
    spoken = sum(words[-1].end for words in ends.values() if words)
    if 2 * min(shown, spoken) < max(shown, spoken):
        number = sum(map(bool, ends.values()))
        yield (
            f"the last results come at {shown / number:g} seconds on average, and the words of the references end at "
            f"{spoken / number:g}; are the times of both in seconds, from the same beginning?"
        )


@command()
@click.argument("results", metavar="FILE")
@options_of(SHOWN)
def partials_command(results: str, form: FormOfTables, **options: Any) -> None:
    """Stability of partial results of a recogniser, and how late words stay as they are.

    \b
    Example:  fstmetrics partials partials.jsonl --ref ref.ctm

    FILE: JSON Lines, a result each, with id, time (seconds), text and final. Unstable words are the share of words
    shown that were changed later. Edit overhead: edits between successive results per final word. Unneeded edits: the
    share of edits beyond one a final word. Latency: from the end of a word in the reference to the first result from
    which on it stayed, of words that the final result has right.
    """
    found = partials_from(results, options)
    show_report(found.parts(), found.summary, form)
