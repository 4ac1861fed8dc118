"""`fstmetrics mbr`."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any, Literal

import click

from fstmetrics.cli.lattice_options import asked_scales, scale_options, scaled
from fstmetrics.cli.metric_options import MetricOptions, grr_options
from fstmetrics.cli.options import Request, finite, word_options
from fstmetrics.cli.progress import bar, spinner
from fstmetrics.decoding.minimum_risk import FROM_LATTICE, MBR, Candidate
from fstmetrics.decoding.minimum_risk import mbr as decode
from fstmetrics.errors import FstmetricsError, InputError
from fstmetrics.lattice import Lattice
from fstmetrics.metrics import Metric
from fstmetrics.nbest import NBest
from fstmetrics.output import whole_file
from fstmetrics.readers import FORMATS, Item, read_items
from fstmetrics.readers.base import Source

Text = Literal["kaldi", "trn", "plain"]


@click.command()
@click.argument("hypotheses", metavar="LATTICES|NBEST")
@click.option(
    "--metric",
    "metric_name",
    type=click.Choice(["wer", "wrr", "grr", "sclite"]),
    default="wer",
    show_default=True,
    help="Whose loss is expected: edits, or minus the gain.",
)
@grr_options
@click.option(
    "--scale",
    type=float,
    default=1.0,
    show_default=True,
    callback=finite,
    help="Factor of log probabilities; below 1 posteriors are flatter.",
)
@scale_options
@click.option(
    "--candidates",
    type=click.IntRange(min=1),
    default=FROM_LATTICE,
    show_default=True,
    help="Best word sequences of a lattice to choose among.",
)
@click.option(
    "--evidence",
    type=click.IntRange(min=1),
    default=FROM_LATTICE,
    show_default=True,
    help="Best word sequences of a lattice that stand for what may be right.",
)
@click.option(
    "--nbest",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Candidates an item, best first; text lines then repeat the id.",
)
@click.option(
    "--text",
    type=click.Choice(["kaldi", "trn", "plain"]),
    help="What is printed: `id words`, `words (id)` or `words`; by default the first where there are ids.",
)
@click.option(
    "--format", "format", type=click.Choice(list(FORMATS)), help="Format of the input; recognised by default."
)
@click.option(
    "--symbols", metavar="FILE", help="Symbol table (`word integer` lines) of lattices that hold numbers."
)
@word_options
@click.option(
    "--output", metavar="FILE", help="Write one JSON record an item to this file; - is standard output."
)
def mbr(
    hypotheses: str, metric_name: str, order: int, alpha: str, beta: str, scale: float, lm_scale: float | None,
    acoustic_scale: float | None, word_penalty: float | None, candidates: int, evidence: int, nbest: int,
    text: Text | None, format: str | None, symbols: str | None, output: str | None, **words: Any,
) -> None:  # fmt: skip
    """Choose the hypothesis of least expected loss of every n-best list or lattice, and print its words.

    Posteriors are exp(scale x score) over their sum. Over an n-best list the choice is exact. Of a lattice the
    best word sequences are taken; the last line, on standard error, says what share of the probability they hold.
    """
    request = Request(output=output, **words)
    metric = MetricOptions(order, alpha, beta).metric(metric_name)
    assert isinstance(metric, Metric)
    items, asked = _read(hypotheses, format, symbols), asked_scales(lm_scale, acoustic_scale, word_penalty)
    text = _layout(text, items)
    found = []
    with ExitStack() as stack:
        records = stack.enter_context(whole_file(output)) if output else None
        for item in bar(items, len(items), "decoding"):
            result = _decoded(
                item, scaled(item.value, asked), metric=metric, scale=scale, nbest=nbest, candidates=candidates,
                evidence=evidence, normalisation=request.normalisation,
            )  # fmt: skip
            found.append(result)
            if records:
                records.write(json.dumps(record(item.id, result), ensure_ascii=False, allow_nan=False) + "\n")
    if output != "-":
        with whole_file("-") as stream:
            for item, result in zip(items, found, strict=True):
                stream.writelines(_line(text, item.id, best.words) + "\n" for best in result.best)
    for line in _summary(found, items):
        click.echo(line, err=True)


def _read(path: str, format: str | None, symbols: str | None) -> Sequence[Item]:
    with spinner(f"reading {path}"):
        items = read_items(Source.open("-") if path == "-" else path, format=format, symbols=symbols).items
    if any(not isinstance(item.value, Lattice | NBest) for item in items):
        raise InputError(
            "holds other things than the lattices or n-best lists that mbr is for; --format says what it is",
            path,
        )
    if not items:
        raise InputError("holds no item: there is nothing to decode", path)
    return items


def _decoded(item: Item, hypotheses: Any, **options: Any) -> MBR:
    try:
        return decode(hypotheses, **options)
    except FstmetricsError as error:
        raise type(error)(f"item {item.id}: {error}" if item.id else str(error)) from None


def _layout(text: Text | None, items: Sequence[Item]) -> Text:
    has_ids = all(item.id is not None for item in items)
    if text in ("kaldi", "trn") and not has_ids:
        raise FstmetricsError(f"not every item has an id, which --text {text} needs; use --text plain")
    return text or ("kaldi" if has_ids else "plain")


def _line(text: Text, id: str | None, words: Sequence[str]) -> str:
    spoken = " ".join(words)
    if text == "plain":
        return spoken
    return f"{id} {spoken}".rstrip() if text == "kaldi" else f"{spoken} ({id})".lstrip()


def record(id: str | None, result: MBR) -> dict[str, Any]:
    """One item as a JSON object."""
    return {
        "id": id,
        "metric": result.metric.name,
        **_candidate(result.best[0]),
        "one_best": _candidate(result.one_best),
        "candidates": result.candidates,
        "evidence": result.evidence,
        "mass": result.mass,
        "exact": result.exact,
        **({"nbest": [_candidate(each) for each in result.best]} if len(result.best) > 1 else {}),
    }


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {
        "hypothesis": list(candidate.words),
        "expected_loss": candidate.expected_loss,
        "posterior": candidate.posterior,
    }


def _summary(found: Sequence[MBR], items: Sequence[Item]) -> Iterator[str]:
    chosen = math.fsum(result.best[0].expected_loss for result in found)
    first = math.fsum(result.one_best.expected_loss for result in found)
    other = sum(result.words != result.one_best.words for result in found)
    yield (
        f"{len(found)} item{'' if len(found) == 1 else 's'}: expected {found[0].metric.name} loss {chosen:.4f}, of the "
        f"1-best {first:.4f}; {other} chosen otherwise than the 1-best"
    )
    if lattices := [result for result in found if not result.exact]:
        masses = [result.mass for result in lattices]
        yield (
            f"of {len(lattices)} lattices the evidence holds {math.fsum(masses) / len(masses):.4f} of the probability "
            f"in the mean, {min(masses):.4f} at least"
        )
    if unscored := sum(isinstance(item.value, NBest) and item.value.scores is None for item in items):
        yield f"{unscored} lists have no scores: every entry counts the same"
