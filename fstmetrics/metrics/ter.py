"""TER: edits and moved blocks, with Tercom's search and sacrebleu's numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.metrics.corpus_metric import TextMetric, Words, ratio, yes_or_no
from fstmetrics.metrics.tercom import ShiftedAlignment, shift_alignments, shift_edits, tercom_words
from fstmetrics.support.options import FLAG, option

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.metrics.corpus_metric import Table

    Ints = npt.NDArray[np.int32]


@dataclass(frozen=True)
class TER(TextMetric):
    """Translation edit rate, 0 to 100 and beyond, 0 is perfect: edits and block moves over the references' mean length.

    Snover et al. 2006, by Tercom's greedy search for moves with the conventions, options and defaults of sacrebleu: the
    numbers are the same. Like Tercom it folds case unless told otherwise. Of several references the one with the fewest
    edits counts.

    Args:
        case_sensitive: whether case counts.
        normalized: whether tercom's own tokenizer cuts punctuation off; of references twice, as by sacrebleu.
        no_punct: whether punctuation is taken out.
        asian_support: whether the two above know Asian characters, too.
    """

    case_sensitive: bool = option(False, FLAG, "ter: case counts.", name="ter_case_sensitive")
    normalized: bool = option(
        False, FLAG, "ter: cut punctuation off words, as tercom does.", name="ter_normalized"
    )
    no_punct: bool = option(False, FLAG, "ter: remove punctuation.", name="ter_no_punct")
    asian_support: bool = option(
        False, FLAG, "ter: the two options above know Asian characters, too.", name="ter_asian_support"
    )

    name = "ter"
    percent = True
    recognition = False
    decomposable = "always"  # the average length of the references is the same for all systems
    columns = ("edits", "reference_length")

    @property
    def folds_case(self) -> bool:  # type: ignore[override]
        """Unless it is told otherwise."""
        return not self.case_sensitive

    @property
    def as_written(self) -> bool:  # type: ignore[override]
        """Where tercom's tokenizer cuts: it joins words that a line's end divides."""
        return self.normalized

    def of_sacrebleu(
        self, lowercase: bool, tokenizer: str, one_reference: bool
    ) -> tuple[str, dict[str, object]] | None:
        """Those of its TER, which has no tokenizer beside tercom's."""
        if tokenizer != "none":
            return None
        flags = {"norm": self.normalized, "punct": not self.no_punct, "asian": self.asian_support}
        named = {name: yes_or_no(flag) for name, flag in flags.items()}
        return "TER", {"case": "lc" if lowercase else "mixed", "tok": "tercom", **named}

    def words(self, text: Words) -> list[str]:
        """What is compared of a text's words: they are joined by spaces and split again."""
        return tercom_words(
            " ".join(text), self.case_sensitive, self.normalized, self.no_punct, self.asian_support
        )

    def reference_words(self, text: Words) -> list[str]:
        """The same of a reference, which sacrebleu tokenizes twice: `..5` is `. .5` and then `. . 5`."""
        words = self.words(text)
        return self.words(words) if self.normalized else words

    def statistics(self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> Table:
        """The edits to the best reference, and the mean length of all."""
        if not len(hypotheses):
            return np.empty((0, 2))
        by_item, firsts, pairs = self._paired(hypotheses, references)
        edits = np.minimum.reduceat(shift_edits(*pairs), firsts)
        lengths = np.array([np.mean([len(words) for words in refs]) for refs in by_item])
        return np.column_stack([edits, lengths]).astype(np.float64)

    def pair_statistics(self, hypotheses: Sequence[Words], references: Sequence[Words]) -> Table:
        """The statistics of every hypothesis with every reference alone, shape [hypotheses, references, columns].

        >>> words = [text.split() for text in ("a b c", "c a b", "a b")]
        >>> TER().pair_statistics(words, words)[..., 0].astype(int).tolist()
        [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
        """
        hyps, refs = (
            [self.words(text) for text in hypotheses],
            [self.reference_words(text) for text in references],
        )
        of_hypothesis = np.repeat(np.arange(len(hyps), dtype=np.int32), len(refs))
        of_reference = np.tile(np.arange(len(refs), dtype=np.int32), len(hyps))
        edits = shift_edits(hyps, refs, of_hypothesis, of_reference).reshape(len(hyps), len(refs))
        lengths = np.broadcast_to([len(words) for words in refs], edits.shape)
        return np.stack([edits, lengths], axis=-1).astype(np.float64)

    def alignments(
        self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]
    ) -> list[ShiftedAlignment]:
        """The moves and edits of each item, to the reference that has the fewest; arguments as of `statistics`.

        >>> (found,) = TER().alignments(["to the mat the cat went".split()], [["the cat went to the mat".split()]])
        >>> found.shifts, " ".join(found.moved), found.order, found.edits
        ((Shift(start=0, length=3, to=3),), 'the cat went to the mat', (3, 4, 5, 0, 1, 2), 1)
        """
        by_item, firsts, pairs = self._paired(hypotheses, references)
        found = shift_alignments(*pairs)
        best = []
        for first, refs in zip(firsts, by_item, strict=True):
            nearest = min(found[first : first + len(refs)], key=lambda alignment: alignment.edits)
            best.append(replace(nearest, number=nearest.number - first))
        return best

    def _paired(
        self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]
    ) -> tuple[list[list[list[str]]], list[int], tuple[list[list[str]], list[list[str]], Ints, Ints]]:
        """The references of each item as they are compared; where the pairs of each item begin, which are of its
        hypothesis with all of them; hypotheses, references, and the numbers of both in each pair.
        """
        by_item = [[self.reference_words(text) for text in refs] for refs in references]
        counts = list(map(len, by_item))
        texts = list(chain.from_iterable(by_item))
        items = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        pairs = [self.words(text) for text in hypotheses], texts, items, np.arange(len(texts), dtype=np.int32)
        return by_item, list(accumulate(counts, initial=0))[:-1], pairs

    def corpus_score(self, sums: Table) -> Table:
        """Edits over reference length; 100 for words where the references have none, as sacrebleu."""
        return 100 * np.nan_to_num(ratio(sums[..., 0], sums[..., 1], empty=0.0), posinf=1.0)
