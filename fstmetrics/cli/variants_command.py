"""`fstmetrics variants`: how much BLEU cannot see."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import click
import numpy as np

from fstmetrics.cli.option_types import FORMAT, SEED
from fstmetrics.cli.options import command, fields_option
from fstmetrics.cli.terminal import bar, show, show_json
from fstmetrics.evaluation.variants import Variants, permuted, substituted
from fstmetrics.evaluation.variants import variants as variants_of
from fstmetrics.metrics.bleu import BLEU
from fstmetrics.readers.reading import check_paths
from fstmetrics.reports.plots import check_pictures
from fstmetrics.reports.summary import table_lines
from fstmetrics.runs.inputs import read_inputs
from fstmetrics.runs.request import Request, refuse_unready
from fstmetrics.scoring.signatures import signature_of
from fstmetrics.scoring.statistics import as_wanted, looks_tokenized
from fstmetrics.support.errors import FstmetricsError
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
    "unmatched",
    "sentences",
)


@command()
@click.argument("hypotheses", metavar="HYP")
@click.option(
    "--ref", "references", multiple=True, required=True, metavar="FILE", help="References. Repeatable."
)
@click.option("--format", "format", type=FORMAT, help="Format of HYP. Default: recognised.")
@click.option("--ref-format", type=FORMAT, help="Format of the references. Default: recognised.")
@click.option("--lowercase", is_flag=True, help="Ignore case, as in the example of the paper.")
@click.option(
    "--tokenize",
    metavar="NAME",
    help="A tokenizer of sacrebleu, or none. Default: 13a, as for BLEU.",
)
@click.option(
    "--seed", type=SEED, default=1, show_default=True, help="Seed of the random order of every sentence."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with all items.")
@fields_option
@click.option(
    "--plot",
    metavar="FILE",
    help="Draw orders against sentence length, as [CB06 fig. 1]: PNG, SVG or PDF.",
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
    fields: tuple[str, ...],
    plot: str | None,
) -> None:
    """Count the orders and words of each sentence that BLEU scores the same or better [CB06 §3].

    \b
    Example:  fstmetrics variants hyp.txt --ref ref.txt

    A sentence of HYP is cut where a bigram is in no reference. The pieces can then be in any order without losing a
    match. The table shows the n-gram matches, BLEU, the number of cuts, of orders, and of different strings among the
    orders (- where they are too many to count), and BLEU of one random order. Words that no reference has can be any
    other words that it has not: the table shows how many there are (unmatched), and how many sentences of the words of
    HYP have the same BLEU.
    """  # fmt: skip
    check_paths([hypotheses, *references], plot)
    check_pictures(plot)
    sys.set_int_max_str_digits(0)  # orders of a long sentence have thousands of digits
    request = Request(
        more_references=references[1:],
        format=format,
        ref_format=ref_format,
        lowercase=lowercase,
        tokenize=tokenize,
        fields=fields,
    )
    metric = BLEU(smoothing="none")
    refuse_unready([metric], request.normalisation)
    normalisation = as_wanted(metric, request.normalisation)
    words = normalisation.words
    inputs = read_inputs(request, references[0], hypotheses)
    pairs = inputs.pairs
    items: list[dict[str, Any]] = []
    if not all(isinstance(side, str) for pair in pairs for side in (pair.hypothesis, *pair.references)):
        raise FstmetricsError("BLEU's variants are of plain text, one sentence a line")
    texts = [words(pair.hypothesis) for pair in pairs]
    vocabulary = {word for text in texts for word in text}
    sums = np.zeros((3, len(metric.columns)))
    for number, pair in enumerate(bar(pairs, len(pairs), "counting"), 1):
        refs = [words(reference) for reference in pair.references]
        found = variants_of(texts[number - 1], refs)
        items.append(_item(pair.id or str(number), found, refs, vocabulary, seed))
        drawn = [items[-1][name]["words"] for name in ("permuted", "substituted")]
        sums += metric.statistics([found.words, *drawn], [refs] * 3)
    names = ("bleu", "permuted_bleu", "substituted_bleu")
    corpus = dict(zip(names, metric.corpus_score(sums).tolist(), strict=True))
    given = [pair.hypothesis for pair in pairs]
    remark = looks_tokenized(normalisation, given)
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
        show_json(everything)
    else:
        show(*_table(items, corpus), *inputs.remarks, *filter(None, [remark]), signature)


def _item(
    id: str, found: Variants, references: Sequence[Sequence[str]], vocabulary: set[str], seed: int
) -> dict[str, Any]:
    other, bleu = permuted(found, references, seed)
    replaced, same = substituted(found, references, vocabulary, seed)
    own = len(vocabulary.difference(*references))
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
        "unmatched": [found.words[place] for place in found.unmatched],
        "substitutions": found.substitutions(own),
        "substituted": {"words": list(replaced), "bleu": same},
    }


def _table(items: Sequence[dict[str, Any]], corpus: dict[str, float]) -> Iterator[str]:
    rows = [
        (i["id"], *(f"{m}/{t}" for m, t in zip(i["matches"], i["totals"], strict=True)), f"{i['bleu']:.2f}",
         str(i["mismatch_sites"]), _short(i["permutations"]), _short(i["strings"]), f"{i['permuted']['bleu']:.2f}",
         str(len(i["unmatched"])), _short(i["substitutions"]))
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
    yield (
        "each with other words for those that no reference has, drawn from all of HYP: {substituted_bleu:.2f}"
    ).format_map(corpus)


def _short(number: int | None) -> str:
    """A number as it is, or as a power of ten; - where it is not known."""
    if number is None:
        return "-"
    digits = str(number)
    return digits if len(digits) <= 9 else f"{digits[0]}.{digits[1]}e{len(digits) - 1}"
