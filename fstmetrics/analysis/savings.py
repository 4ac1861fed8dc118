"""What grammars do: `savings`, edits with none, with each alone and with all together; `failures`, a grammar's own
examples that do not come out as its file says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fstmetrics.engine.api import align
from fstmetrics.engine.results import CorpusResult, Result
from fstmetrics.engine.search import DEFAULT, batches, search_items
from fstmetrics.engine.sides import Input
from fstmetrics.grammars.compiled import compiled
from fstmetrics.grammars.library import Grammars, resolve
from fstmetrics.grammars.model import Example, Grammar
from fstmetrics.grammars.widening import Rewrite
from fstmetrics.metrics.wer import WER
from fstmetrics.text.normalisation import PLAIN, Normalisation

NONE, ALL = "none", "all together"

# A rewrite: the rule as written, the words of the reference and those that stood for them.
Used = tuple[str, tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True)
class Saving:
    """The corpus under some grammars.

    Attributes:
        name: the grammar's, `none` or `all together`.
        rules: plain rules, after lists are filled in; open words count once.
        corpus: sums over the items.
        saved: edits without any grammar minus edits with these. Negative where rewriting costs something and a
            longer way was cheaper.
        items: how many items have fewer edits.
        used: the rewrites on closest paths of such items whose words the hypothesis has, with how often.
        only_length: the rewrites to more or fewer words in items with as many edits as without any grammar: they
            changed nothing but the length of the reference.
    """

    name: str
    rules: int
    corpus: CorpusResult
    saved: int
    items: int
    used: Counter[Used]
    only_length: Counter[Used]


def savings(
    hypotheses: Sequence[Input],
    references: Sequence[Input],
    grammars: Grammars = "en",
    *,
    normalisation: Normalisation = PLAIN,
) -> list[Saving]:
    """Edits without grammars, with each alone, and with all of them.

    Args:
        hypotheses: one an item.
        references: one an item.
        grammars: what to compare; by default all that ship.
        normalisation: changes to the words of both sides.

    Raises:
        FstmetricsError: as `fstmetrics.score`.

    >>> [row.saved for row in savings(["it is grey"], ["it's gray"], ["en.contractions", "en.spelling"])]
    [0, 2, 1, 3]
    """
    chosen = resolve(grammars)
    items = [(None, h, r) for h, r in zip(hypotheses, references, strict=True)]

    def scored(some: tuple[Grammar, ...]) -> list[Result]:
        return [
            result
            for batch in batches(items, DEFAULT.threads)
            for result in search_items(batch, WER(), 1, normalisation, DEFAULT, some)
        ]

    plain = scored(())
    rows = [_saving(NONE, (), plain, plain, normalisation)]
    rows += [
        _saving(grammar.name, (grammar,), scored((grammar,)), plain, normalisation) for grammar in chosen
    ]
    if len(chosen) > 1:
        rows.append(_saving(ALL, chosen, scored(chosen), plain, normalisation))
    return rows


def _saving(
    name: str,
    grammars: Sequence[Grammar],
    results: Sequence[Result],
    plain: Sequence[Result],
    normalisation: Normalisation,
) -> Saving:
    corpus = CorpusResult.of(results)
    better = [new for new, old in zip(results, plain, strict=True) if new.edits < old.edits]
    used = Counter(
        (rewrite.rule, rewrite.before, rewrite.after) for result in better for rewrite in _confirmed(result)
    )
    same = [new for new, old in zip(results, plain, strict=True) if new.edits == old.edits]
    only_length = Counter(
        (rewrite.rule, rewrite.before, rewrite.after)
        for result in same
        for rewrite in result.rewrites
        if len(rewrite.before) != len(rewrite.after)
    )
    rules = sum(len(compiled(grammar, normalisation).rules) for grammar in grammars)
    saved = sum(old.edits for old in plain) - corpus.edits
    return Saving(name, rules, corpus, saved, len(better), used, only_length)


def _confirmed(result: Result) -> Iterator[Rewrite]:
    """The rewrites whose words are all matched. Others are on the path only because they are no worse, or shorter."""
    matched = [pair.op == "=" for pair in result.alignment if pair.reference is not None]
    for rewrite in result.rewrites:
        if all(matched[rewrite.position : rewrite.position + len(rewrite.after)]):
            yield rewrite


class Failure(NamedTuple):
    """An example, and how it came out: accepted means that no edit is left."""

    example: Example
    result: Result


def failures(grammar: Grammar) -> list[Failure]:
    """The examples that are not accepted or rejected as they should be."""
    free = grammar.at_cost(0)
    found = []
    for example in grammar.examples:
        # As sequences of words: a string beside a string could be a list of alternatives one day, words never.
        result = align(example.hypothesis.split(), example.reference.split(), grammars=free)
        if (result.edits == 0) != example.accepted:
            found.append(Failure(example, result))
    return found
