"""The command `variants`, and `variants_files`, the same as a call."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import click
import numpy as np

from fstmetrics import BLEU, FstmetricsError
from fstmetrics.apps.calibration.variants import Variants, permuted, substituted, variants
from fstmetrics.cli.click_options import FormOfTables, command, options_of
from fstmetrics.cli.option_tables import (
    FORMS_PRINTED,
    REQUEST,
    Options,
    PathLike,
    fields_of_options,
    path_of,
    sides_by_name,
    under,
)
from fstmetrics.cli.terminal import show_report
from fstmetrics.engine.signatures import signature_of
from fstmetrics.engine.statistics import looks_tokenized
from fstmetrics.io.reading import check_paths
from fstmetrics.reports.plots import check_pictures, variants_plot
from fstmetrics.reports.summary import Part, Printed, Table
from fstmetrics.scoring.inputs import read_inputs
from fstmetrics.scoring.request import Request, refuse_unready
from fstmetrics.support.options import PATH, SEED, Option, many, path, several
from fstmetrics.support.printable import counted
from fstmetrics.support.progress import ticks

VARYING: Options = {
    **under(
        "",
        ref=Option(many(PATH), "References. Repeatable.", metavar="FILE", field="references", required=True),
        format=REQUEST["format"]._replace(help="Format of HYP. Default: recognised."),
        ref_format=REQUEST["ref_format"],
        lowercase=REQUEST["lowercase"]._replace(help="Ignore case, as in the example of the paper."),
        tokenize=REQUEST["tokenize"]._replace(
            help="A tokenizer of sacrebleu, or none. Default: 13a, as for BLEU."
        ),
        seed=Option(SEED, "Seed of the random order of every sentence.", 1),
    ),
    **under("Input", REQUEST, "fields"),
    **under(
        "",
        plot=Option(
            PATH, "Draw orders against sentence length, as [CB06 fig. 1]: PNG, SVG or PDF.", metavar="FILE"
        ),
    ),
    **FORMS_PRINTED,
}
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


@dataclass(frozen=True)
class FilesVariants(Printed):
    """How much BLEU cannot see of the sentences of a file.

    Attributes:
        items: what is found of each sentence, as the JSON object has it.
        corpus: BLEU of all as they are, each in one of its orders, and with other words.
        pairing: how the files were paired.
        remarks: what was guessed about the files.
        tokenized: what is said of texts that look tokenized; else empty.
        signature: all that the scores depend on.
    """

    items: Sequence[dict[str, Any]]
    corpus: dict[str, float]
    pairing: Any
    remarks: Sequence[str]
    tokenized: str
    signature: str

    def summary(self) -> dict[str, Any]:
        """What the command prints with `--json`."""
        return {
            "items": self.items,
            "corpus": self.corpus,
            "pairing": self.pairing,
            "remarks": list(self.remarks),
            "signature": self.signature,
        }

    def parts(self) -> Iterator[Part]:
        """What the command prints."""
        said = filter(None, [self.tokenized])
        yield from (*_parts(self.items, self.corpus), *self.remarks, *said, self.signature)


@sides_by_name
def variants_files(
    *, hypotheses: PathLike, references: PathLike | Iterable[PathLike], **options: Any
) -> FilesVariants:
    """Count what BLEU scores like `hypotheses=`, or better, against `references=`, as `fstmetrics variants` does.

    These are other orders and words of each sentence.

    Args:
        hypotheses: a file of sentences.
        references: a file, or several sets of references.
        options: those of the command, as of `score_files`: `lowercase=True`, `seed=3`, `plot="orders.svg"`.

    Raises:
        TypeError: an option that there is not; it names those that are near.
        FstmetricsError: whatever the command refuses.

    >>> import tempfile, fstmetrics as fm
    >>> from pathlib import Path
    >>> file = Path(tempfile.mkdtemp()) / "a.txt"
    >>> _ = file.write_text("the cat sat down\\n")
    >>> fm.variants_files(hypotheses=file, references=file).summary()["items"][0]["permutations"]
    1
    """
    hypothesis = path_of("variants_files", hypotheses)
    try:
        given = several(references, path)
    except ValueError as error:
        raise FstmetricsError(f"variants_files() takes paths: {error}") from None
    return variants_from(hypothesis, fields_of_options("variants_files", VARYING, {"ref": given, **options}))


def variants_from(hypotheses: str, options: dict[str, Any]) -> FilesVariants:
    """The variants by the options of `VARYING`; as of `variants_files`."""
    references, seed, plot = (options.pop(name) for name in ("references", "seed", "plot"))
    check_paths([hypotheses, *references], plot)
    check_pictures(plot)
    sys.set_int_max_str_digits(0)  # orders of a long sentence have thousands of digits
    request = Request(more_references=references[1:], **options)
    metric = BLEU(smoothing="none")
    refuse_unready([metric], request.normalisation)
    normalisation = metric.normalisation(request.normalisation)
    words = normalisation.words
    inputs = read_inputs(request, references[0], hypotheses, advice="")
    pairs = inputs.pairs
    items: list[dict[str, Any]] = []
    if not all(isinstance(side, str) for pair in pairs for side in (pair.hypothesis, *pair.references)):
        raise FstmetricsError("BLEU's variants are of plain text, one sentence a line")
    texts = [words(pair.hypothesis) for pair in pairs]
    vocabulary = {word for text in texts for word in text}
    sums = np.zeros((3, len(metric.columns)))
    for number, pair in enumerate(ticks(pairs, "counting", len(pairs)), 1):
        refs = [words(reference) for reference in pair.references]
        found = variants(texts[number - 1], refs)
        items.append(_item(pair.id or str(number), found, refs, vocabulary, seed))
        drawn = [items[-1][name]["words"] for name in ("permuted", "substituted")]
        sums += metric.statistics([found.words, *drawn], [refs] * 3)
    names = ("bleu", "permuted_bleu", "substituted_bleu")
    corpus = dict(zip(names, metric.corpus_score(sums).tolist(), strict=True))
    remark = looks_tokenized(
        normalisation, [pair.hypothesis for pair in pairs], [pair.references for pair in pairs]
    )
    signature = signature_of(metric, normalisation, [*inputs.conditions, f"seed:{seed}"])
    if plot:
        variants_plot([(i["totals"][0], i["permutations"]) for i in items], plot)
    return FilesVariants(items, corpus, inputs.pairing, inputs.remarks, remark or "", signature)


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


def _parts(items: Sequence[dict[str, Any]], corpus: dict[str, float]) -> Iterator[Part]:
    rows = [
        (i["id"], *(f"{m}/{t}" for m, t in zip(i["matches"], i["totals"], strict=True)), f"{i['bleu']:.2f}",
         str(i["mismatch_sites"]), _short(i["permutations"]), _short(i["strings"]), f"{i['permuted']['bleu']:.2f}",
         str(len(i["unmatched"])), _short(i["substitutions"]))
        for i in items[:SHOWN]
    ]  # fmt: skip
    more = max(len(items) - SHOWN, 0)
    yield Table([HEAD, *rows], notes=[f"and {more} more; --json has all"] if more else ())
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


@command(usual=("--ref", "--lowercase", "--tokenize", "--seed", "--json"))
@click.argument("hypotheses", metavar="HYP")
@options_of(VARYING)
def variants_command(hypotheses: str, form: FormOfTables, **options: Any) -> None:
    """Count the orders and words of each sentence that BLEU scores the same or better [CB06 §3].

    \b
    Example:  fstmetrics variants hyp.txt --ref ref.txt

    A sentence of HYP is cut where a bigram is in no reference. The pieces can then be in any order without losing a
    match. The table shows the n-gram matches, BLEU, the number of cuts, of orders, and of different strings among the
    orders (- where they are too many to count), and BLEU of one random order. Words that no reference has can be any
    other words that it has not: the table shows how many there are (unmatched), and how many sentences of the words of
    HYP have the same BLEU.
    """
    found = variants_from(hypotheses, options)
    show_report(found.parts(), found.summary, form)
