"""Optional words that are correct where they are left out, as for sclite -D: `Skipping`, `Credited`.

sclite's alignment takes 2 for leaving out an optional word (3 for any other), and its counts have the word as correct.
Here the reference has two arcs for the word: the word, and the word in parentheses, which stands for leaving it out. No
hypothesis says that; it can only be deleted, at a cost of 2. What was found is then counted as sclite counts
(`Credited`): such a deletion is a hit of the word in parentheses. Source: SCTK 2.4, word.c, wwd_WORD.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics.data.lattice import Lattice
from fstmetrics.data.network import Network
from fstmetrics.data.transcripts import IN_PARENTHESES
from fstmetrics.engine.sides import Alternatives, Input
from fstmetrics.metrics import Metric
from fstmetrics.metrics.path_metric import EditTable, Op
from fstmetrics.metrics.sclite import Sclite
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import Normalisation

if TYPE_CHECKING:
    from fstmetrics._native import Found, Tally
    from fstmetrics.engine.results import AlignedPair, Integers

# Of a substitution, an insertion and a deletion.
WEIGHTS = (4, 3, 3)
SKIPPED = 2


@dataclass(frozen=True)
class Skipping(Sclite):
    """sclite's alignment where words in parentheses stand for words that are left out."""

    @cached_property
    def table(self) -> EditTable:
        """Its weights."""
        return EditTable(next=((0, 0, 0, 0),), cost=((0, *WEIGHTS[:2], SKIPPED),), word_cost=_word_cost)


def _word_cost(op: Op, hypothesis: str | None, reference: str | None) -> int:
    is_skip = reference is not None and IN_PARENTHESES.fullmatch(reference) is not None
    if op == Op.DELETION:
        return 0 if is_skip else WEIGHTS[2] - SKIPPED
    # That a word stands for one that is left out is never better than that it stands for the word.
    return int(op == Op.SUBSTITUTION and is_skip)


def skipping(metric: Metric, normalisation: Normalisation) -> Skipping:
    """The metric that searches.

    Raises:
        FstmetricsError: another metric than sclite's, or words that are changed so that parentheses may be lost.
    """
    if type(metric) is not Sclite or metric.table.scale != 1:
        raise FstmetricsError(
            "optional words are correct where they are left out (sclite -D) under the metric sclite only, and where "
            "rewriting costs nothing"
        )
    changes = (normalisation.remove_punctuation, normalisation.ignore, normalisation.ignore_hypothesis,
               normalisation.ignore_reference, normalisation.normaliser)  # fmt: skip
    if any(changes) or normalisation.unit != "word" or normalisation.tokenize not in (None, "none"):
        raise FstmetricsError(
            "optional words are correct where they are left out (sclite -D) only where words stay as they are, but "
            "for case: without a tokenizer, a profile, ignored words, removed punctuation and another unit"
        )
    return Skipping()


def refuse_skips(words: Sequence[str], side: str = "hypothesis") -> None:
    """Raise FstmetricsError for an ordinary word in parentheses, which is not told from one that is left out."""
    if word := next((word for word in words if IN_PARENTHESES.fullmatch(word)), None):
        raise FstmetricsError(
            f"the word {word!r} of the {side} is in parentheses, which stand for optional words of references in "
            "sclite's notation; write it without them"
        )


def refuse_written_skips(reference: Input) -> None:
    """The same for a reference whose words in parentheses are no optional words, as of a text without choices."""
    if isinstance(reference, Alternatives):
        reference = reference.items
    if isinstance(reference, str):
        refuse_skips(reference.split(), "reference")
    elif isinstance(reference, Lattice | Network):
        refuse_skips(reference.symbols.words, "reference")
    elif isinstance(reference, list | tuple):
        for one in reference:
            refuse_written_skips(one)


def credited(cost: int, matches: int, s: int, i: int, d: int) -> tuple[int, int, int, int, int]:
    """Cost and counts of a path in which a deletion that costs less than its weight is a hit: of a word that may be
    left out."""
    left_out = sum(w * n for w, n in zip(WEIGHTS, (s, i, d), strict=True)) - cost
    return cost, matches + left_out, s, i, d - left_out


class Credited:
    """What was found, as counts of sclite -D; the same methods as of `_native.Found`."""

    def __init__(self, found: Found) -> None:
        self._found = found

    def __len__(self) -> int:
        return len(self._found)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._found, name)

    def all_counts(self) -> Integers:
        """As of `Found`."""
        counts = self._found.all_counts().copy()
        # A deletion that costs less than its weight was of a word that may be left out.
        left_out = counts[:, 2:5] @ np.array(WEIGHTS) - counts[:, 0]
        counts[:, 1] += left_out
        counts[:, 4] -= left_out
        return counts

    def add_to(self, tally: Tally) -> Integers:
        """As of the engine, with what is credited."""
        return tally.add(self.all_counts())

    def sums(self) -> None:
        """None: all_counts() has to be added up."""
        return

    def counts(self, item: int, path: int) -> list[int]:
        """As of `Found`."""
        cost, matches, s, i, d, *rest = self._found.counts(item, path)
        return [*credited(cost, matches, s, i, d), *rest]

    def written(
        self, item: int, path: int, type: type[AlignedPair]
    ) -> tuple[tuple[str, ...], tuple[str, ...], tuple[AlignedPair, ...]]:
        """As of `Found`; a word that is left out is in parentheses on both sides."""
        _, closest, pairs = self._found.written(item, path, type)
        pairs = tuple(
            pair._replace(op="=", hypothesis=pair.reference)
            if pair.op == "D" and IN_PARENTHESES.fullmatch(pair.reference)
            else pair
            for pair in pairs
        )
        return tuple(pair.hypothesis for pair in pairs if pair.hypothesis is not None), closest, pairs
