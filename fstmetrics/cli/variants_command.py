"""`fstmetrics variants`: how much BLEU cannot see."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import click
import numpy as np

from fstmetrics.cli.inputs import read_inputs
from fstmetrics.cli.metric_options import refuse_unready
from fstmetrics.cli.numbers import SEED
from fstmetrics.cli.options import Request, format_options
from fstmetrics.cli.path_checks import refuse_clashes, refuse_no_picture
from fstmetrics.cli.terminal import bar, show
from fstmetrics.evaluation.variants import Variants, permuted
from fstmetrics.evaluation.variants import variants as variants_of
from fstmetrics.metrics import BLEU
from fstmetrics.reports.json_records import signature_of
from fstmetrics.reports.summary import table_lines
from fstmetrics.scoring.statistics import as_wanted, looks_tokenized
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import written_json
from fstmetrics.support.output import whole_file
from fstmetrics.support.printable import counted

# Rows of the text table; --json has them all.
SHOWN = 20
HEAD = (
    "id",
    "1-grams",
    "2-grams",
    "3-grams",
    "4-grams",
    "BLEU",
    "cuts",
    "orders",
    "strings",
    "BLEU reordered",
)


@click.command()
@click.argument("hypotheses", metavar="HYP")
@click.option(
    "--ref", "references", multiple=True, required=True, metavar="FILE", help="References; repeatable."
)
@format_options
@click.option("--lowercase", is_flag=True, help="Fold case on both sides, as in the paper's example.")
@click.option(
    "--tokenize",
    metavar="NAME",
    help="A tokenizer of sacrebleu, or none; 13a by default, as for BLEU.",
)
@click.option(
    "--seed", type=SEED, default=1, show_default=True, help="Of the order that is drawn for every sentence."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with all items.")
@click.option(
    "--plot", metavar="FILE", help="Draw orders against sentence length, as [CB06 fig. 1]; PNG, SVG or PDF."
)
def variants(
    hypotheses: str,
    references: tuple[str, ...],
    format: str | None,
    ref_format: str | None,
    lowercase: bool,
    tokenize: str | None,
    seed: int,
    as_json: bool,
    plot: str | None,
) -> None:
    """Count the orders of each sentence of HYP that BLEU scores the same or better [CB06 §3].

    A sentence is cut where a bigram occurs in no reference; the pieces may come in any order without losing a match.
    The table has matches of n-grams, BLEU, the number of cuts, of orders, and of different strings among the orders
    (- where there are too many to tell), and BLEU in one of these orders.
    """  # fmt: skip
    refuse_clashes([hypotheses, *references], plot)
    refuse_no_picture(plot)
    sys.set_int_max_str_digits(0)  # orders of a long sentence have thousands of digits
    request = Request(
        more_references=references[1:],
        format=format,
        ref_format=ref_format,
        lowercase=lowercase,
        tokenize=tokenize,
    )
    metric = BLEU(smoothing="none")
    refuse_unready([metric], request.normalisation)
    normalisation = as_wanted(metric, request.normalisation)
    words = normalisation.words
    inputs = read_inputs(request, references[0], hypotheses)
    pairs = inputs.pairs
    items: list[dict[str, Any]] = []
    sums = np.zeros((2, len(metric.columns)))
    for number, pair in enumerate(bar(pairs, len(pairs), "counting"), 1):
        if not all(isinstance(side, str) for side in (pair.hypothesis, *pair.references)):
            raise FstmetricsError("BLEU's variants are of plain text, one sentence a line")
        refs = [words(reference) for reference in pair.references]
        found = variants_of(words(pair.hypothesis), refs)
        items.append(_item(pair.id or str(number), found, refs, seed))
        sums += metric.statistics([found.words, items[-1]["permuted"]["words"]], [refs, refs])
    corpus = dict(zip(("bleu", "permuted_bleu"), metric.corpus_score(sums).tolist(), strict=True))
    given = [pair.hypothesis for pair in pairs]
    remark = looks_tokenized(normalisation, given) if tokenize is None else ""
    signature = signature_of(metric, normalisation, [*inputs.conditions, f"seed:{seed}"])
    if plot:
        from fstmetrics.reports.plots import variants_plot

        variants_plot([(i["totals"][0], i["permutations"]) for i in items], plot)
    if as_json:
        everything = {
            "items": items,
            "corpus": corpus,
            "pairing": inputs.pairing,
            "remarks": list(inputs.remarks),
            "signature": signature,
        }
        with whole_file("-") as stream:
            stream.write(written_json(everything) + "\n")
    else:
        show(*_table(items, corpus), *inputs.remarks, *filter(None, [remark]), signature)


def _item(id: str, found: Variants, references: Sequence[Sequence[str]], seed: int) -> dict[str, Any]:
    other, bleu = permuted(found, references, seed)
    return {
        "id": id,
        "matches": list(found.matches),
        "totals": list(found.totals),
        "precisions": list(found.precisions),
        "bleu": found.bleu,
        "mismatch_sites": found.mismatch_sites,
        "pieces": [" ".join(piece) for piece in found.pieces],
        "permutations": found.permutations,
        "strings": found.strings,
        "permuted": {"words": list(other), "bleu": bleu},
    }


def _table(items: Sequence[dict[str, Any]], corpus: dict[str, float]) -> Iterator[str]:
    rows = [
        (i["id"], *(f"{m}/{t}" for m, t in zip(i["matches"], i["totals"], strict=True)), f"{i['bleu']:.2f}",
         str(i["mismatch_sites"]), _short(i["permutations"]), _short(i["strings"]), f"{i['permuted']['bleu']:.2f}")
        for i in items[:SHOWN]
    ]  # fmt: skip
    yield from table_lines([HEAD, *rows])
    if len(items) > SHOWN:
        yield f"and {len(items) - SHOWN} more; --json has all"
    yield ""
    most = max(items, key=lambda item: item["permutations"], default=None)
    if most is not None:
        yield (
            f"{counted(len(items), 'item')}; most orders: {_short(most['permutations'])}, of item {most['id']}, which "
            f"are {_short(most['strings'])} different strings"
        )
    yield "BLEU of all items as they are: {bleu:.2f}".format_map(corpus)
    yield "each in one of its orders, drawn at random: {permuted_bleu:.2f}".format_map(corpus)


def _short(number: int | None) -> str:
    """A number as it is, or as a power of ten; - where it is not known."""
    if number is None:
        return "-"
    digits = str(number)
    return digits if len(digits) <= 9 else f"{digits[0]}.{digits[1]}e{len(digits) - 1}"
