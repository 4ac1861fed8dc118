"""Punctuation and case, of words and marks that are aligned: `PER`, the punctuation error rate, and `CaseErrors`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fstmetrics import _native
from fstmetrics.metrics.corpus_metric import TextMetric, Words, best_of_each, ratio
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.json_text import finite
from fstmetrics.support.limits import limits
from fstmetrics.support.options import TEXT, option
from fstmetrics.support.printable import number
from fstmetrics.text.normalisation import Normalisation

if TYPE_CHECKING:
    from collections import Counter

    import numpy.typing as npt

    from fstmetrics.metrics.corpus_metric import Table

# What happens to a mark, as columns have it; then what happens to words.
OUTCOMES = ("correct", "substitutions", "deletions", "insertions")
OF_WORDS = ("words", "case_errors", "capitals", "word_edits", "reference_words")
# Text without case and punctuation, whose word error rate stands beside.
PLAIN_WORDS = Normalisation(lowercase=True, remove_punctuation=True)
# Marks that count where nobody says which.
MARKS = ".,?!"
# So many signs that do not count are named.
MOST_SIGNS = 5
# Punctuation that is no pause and no end; signs that do not stand within a word of ASCII.
NO_MARKS = frozenset("\"#%&'*/@\\§¶·†‡•‰′″")
_SIGNS = re.compile(r"[^\w\s](?![0-9A-Za-z])|(?<![0-9A-Za-z])[^\w\s]")


@dataclass(frozen=True)
class Orthography(TextMetric):
    """What `PER` and `CaseErrors` have in common: their counts.

    A text is cut into words, runs of letters, digits, `_` and `'`, and marks; other characters part words. The tokens
    of both sides are aligned with the fewest edits, all marks being alike and case being told apart: so marks are
    counted. Of equally good alignments, from the end of the texts: what is equal stands beside each other, else a
    substitution comes before an insertion and that before a deletion. These are the alignments of NeMo's
    `DatasetPunctuationErrorRate`. Words are counted where the same is done without regard to case.

    Args:
        marks: the punctuation marks that count, each a character.

    Raises:
        FstmetricsError: no mark, one twice, or a letter, a digit, a space, `_` or `'`.
    """

    marks: str = option(MARKS, TEXT, "per, case: the punctuation marks that count.", "MARKS")

    recognition = False
    as_written = True

    def __post_init__(self) -> None:
        if not isinstance(self.marks, str) or not self.marks or len(set(self.marks)) < len(self.marks):
            raise FstmetricsError(
                f"marks are different characters in a row, as {MARKS!r}, not {self.marks!r}"
            )
        if bad := next((mark for mark in self.marks if re.match(r"[\w\s']", mark)), None):
            raise FstmetricsError(f"marks are punctuation; {bad!r} parts words or is a part of one")

    @property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """For each mark what happened to it, then what happened to words."""
        return (*(f"{outcome} {mark}" for mark in self.marks for outcome in OUTCOMES), *OF_WORDS)

    @property
    def source(self) -> object:
        """Of several references each metric takes its own best: the two share nothing."""
        return type(self), self.marks

    @cached_property
    def _tokens(self) -> re.Pattern[str]:
        return re.compile(rf"[\w']+|[{re.escape(self.marks)}]")

    def tokens(self, text: str) -> list[str]:
        """The words and marks of a text.

        >>> PER().tokens("Hi, dear! What's up - now?")
        ['Hi', ',', 'dear', '!', "What's", 'up', 'now', '?']
        """
        return self._tokens.findall(text)

    def statistics(self, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> Table:
        """The counts of each item, of several references against the one with the best score."""
        counts = [len(refs) for refs in references]
        rows = self._rows(
            [" ".join(words) for words, n in zip(hypotheses, counts, strict=True) for _ in range(n)],
            [" ".join(words) for refs in references for words in refs],
        )
        if len(rows) == len(counts):
            return rows
        errors = np.nan_to_num(self.scores_of_items(rows))  # what cannot be judged has no error
        return best_of_each(rows, -errors, counts)

    def _rows(self, hypotheses: Sequence[str], references: Sequence[str]) -> Table:
        rows = np.zeros((len(hypotheses), len(self.columns)))
        places = {mark: len(OUTCOMES) * place for place, mark in enumerate(self.marks)}
        for row, hypothesis, reference in zip(rows, hypotheses, references, strict=True):
            self._count(row, places, self.tokens(hypothesis), self.tokens(reference))
        if len(rows):
            sides = ([PLAIN_WORDS.words(text) for text in side] for side in (hypotheses, references))
            spoken, written = sides
            items = _native.program_errors(spoken, written, True)[0]
            rows[:, -2] = np.bincount(items, minlength=len(rows))
            rows[:, -1] = list(map(len, written))
        return rows

    def _count(self, row: Table, places: dict[str, int], spoken: list[str], written: list[str]) -> None:
        """Add one pair: marks by the alignment that tells case apart, words by that which does not."""
        pairs = list(pairs_of(spoken, written, self.marks))
        for j, i in pairs:
            one, other = (None if n is None else side[n] for n, side in ((j, spoken), (i, written)))
            if other in places and one in places:
                row[places[other] + (one != other)] += 1
                continue
            if other in places:
                row[places[other] + 2] += 1
            if one in places:
                row[places[one] + 3] += 1
        ours, theirs = ([token.lower() for token in side] for side in (spoken, written))
        if ours != spoken or theirs != written:
            pairs = list(pairs_of(ours, theirs, self.marks))
        for j, i in pairs:
            if j is None or i is None or ours[j] != theirs[i] or written[i] in places:
                continue
            row[-5] += 1
            row[-4] += spoken[j] != written[i]
            row[-3] += (spoken[j], written[i]) != (ours[j], theirs[i])

    def _by_mark(self, sums: Table) -> Table:
        """Counts by mark and outcome, shape [..., marks, outcomes]."""
        return sums[..., : -len(OF_WORDS)].reshape(*sums.shape[:-1], len(self.marks), len(OUTCOMES))

    def punctuation(self, sums: Table) -> Table:
        """S + D + I of marks over S + D + I + correct, shape [..., columns] to [...]; 0 without a mark."""
        counts = self._by_mark(sums).sum(axis=-2)
        return ratio(counts[..., 1:].sum(axis=-1), counts.sum(axis=-1), empty=0.0)

    def case(self, sums: Table) -> Table:
        """Words that differ in case alone over words that are the same but for it; nan where none has a capital."""
        return np.where(sums[..., -3] > 0, ratio(sums[..., -4], sums[..., -5], empty=np.nan), np.nan)

    def details(self, sums: Table) -> str:
        """The rates, and those of each mark that occurs; no rate of case where no word has a capital.

        >>> metric = PER()
        >>> metric.details(metric.statistics(["Hi dear!".split()], [["hi, dear.".split()]]).sum(axis=0))
        'per 1.0000 (2 / 2), case 0.5000 (1 / 2), wer without both 0.0000 (0 / 2); .: 1.0000 (1 sub), ,: 1.0000 (1 del)'
        """
        counts = self._by_mark(sums)
        wrong, whole = counts[:, 1:].sum(), counts.sum()
        parts = [
            f"per {self.punctuation(sums):.4f} ({wrong:.0f} / {whole:.0f})",
            f"case {number(float(self.case(sums)))} ({sums[-4]:.0f} / {sums[-5]:.0f})",
            f"wer without both {_rate(sums[-2], sums[-1])} ({sums[-2]:.0f} / {sums[-1]:.0f})",
        ]
        marks = [_of_mark(mark, row) for mark, row in zip(self.marks, counts, strict=True) if row.any()]
        rest = ", ".join(marks) if marks else f"no mark of {self.marks} on either side"
        return f"{', '.join(parts)}; {rest}"

    def detail_values(self, sums: Table) -> dict[str, object]:
        """The same for programs: `per`, `case`, `wer` without both, and `marks`, the counts and the rate of each.

        None where there is nothing to divide by, of `case` also where no word has a capital.
        """
        marks: dict[str, object] = {}
        for mark, row in zip(self.marks, self._by_mark(sums), strict=True):
            counts = dict(zip(OUTCOMES, map(int, row), strict=True))
            marks[mark] = {"per": float(row[1:].sum() / row.sum()) if row.any() else None, **counts}
        wer = float(sums[-2] / sums[-1]) if sums[-1] else None
        return {
            "per": float(self.punctuation(sums)),
            "case": finite(float(self.case(sums))),
            "wer": wer,
            "marks": marks,
        }


class PER(Orthography):
    """Punctuation error rate: marks that are wrong, missing or too many, over these and the correct ones; 0 is perfect.

    Source: Meister et al., "LibriSpeech-PC: Benchmark for evaluation of punctuation and capitalization capabilities of
    end-to-end ASR models", ASRU 2023; the numbers are those of NeMo's `punct_er.py`.
    """

    name = "per"
    needs: ClassVar[tuple[str, ...]] = ("punctuation",)

    @property
    def only_marks(self) -> str:  # type: ignore[override]
        """Those of `marks`."""
        return self.marks

    def corpus_score(self, sums: Table) -> Table:
        """See `punctuation`."""
        return self.punctuation(sums)


def uncounted(text: str, marks: str) -> list[str]:
    """The marks of a text that stand for pauses or ends and are not among those that count; none within words.

    >>> uncounted("¿Qué tal? A las 10:30; bien...", MARKS)
    ['¿', ';']
    """
    signs = [] if text.isalnum() else _SIGNS.findall(text)
    return [c for c in signs if unicodedata.category(c) == "Po" and c not in marks and c not in NO_MARKS]


def uncounted_remark(found: Counter[str], marks: str) -> str:
    """Which marks of a corpus do not count, and how all are counted; "" where there is none."""
    if not found:
        return ""
    told = ", ".join(f"{count} {sign}" for sign, count in found.most_common(MOST_SIGNS))
    every = "".join([marks, *(sign for sign, _ in found.most_common())])
    return f"only the marks {marks} count; others of the texts do not ({told}): --marks '{every}' counts all"


class CaseErrors(Orthography):
    """Case error rate: words that differ in case alone, of all aligned words that are the same but for case.

    It is nan, of items, too, where none of these words has a capital on either side: there is nothing to judge.
    """

    name = "case"
    needs: ClassVar[tuple[str, ...]] = ("punctuation", "case")

    def corpus_score(self, sums: Table) -> Table:
        """See `case`."""
        return self.case(sums)


def _rate(part: float, whole: float) -> str:
    return f"{part / whole:.4f}" if whole else "-"


def _of_mark(mark: str, row: Table) -> str:
    kinds = zip(row[1:], ("sub", "del", "ins"), strict=True)
    counts = ", ".join(f"{n:.0f} {kind}" for n, kind in kinds if n)
    return f"{mark}: {row[1:].sum() / row.sum():.4f}{f' ({counts})' if counts else ''}"


def pairs_of(
    hypothesis: Sequence[str], reference: Sequence[str], marks: str
) -> Iterator[tuple[int | None, int | None]]:
    """The places of tokens that stand beside each other, from the end, as `Orthography` aligns them.

    Raises:
        FstmetricsError: texts too long for the limit `cells`.
    """
    mask = dict.fromkeys(marks, "")
    spoken, written = ([mask.get(token, token) for token in side] for side in (hypothesis, reference))
    i, j = len(written), len(spoken)
    while i and j and written[i - 1] == spoken[j - 1]:
        i, j = i - 1, j - 1
        yield j, i
    costs = _costs(written[:i], spoken[:j])
    while i or j:
        if i and j and (written[i - 1] == spoken[j - 1] or costs[i, j] == costs[i - 1, j - 1] + 1):
            i, j = i - 1, j - 1
            yield j, i
        elif j and (not i or costs[i, j] == costs[i, j - 1] + 1):
            j -= 1
            yield j, None
        else:
            i -= 1
            yield None, i


def _costs(written: Sequence[str], spoken: Sequence[str]) -> npt.NDArray[np.int32]:
    """The fewest edits between all beginnings of two texts, shape [written + 1, spoken + 1]."""
    cells = (len(written) + 1) * (len(spoken) + 1)
    if cells > 2 * limits().cells:  # of 4 bytes
        raise FstmetricsError(
            f"to align {len(written)} and {len(spoken)} words and marks takes {cells} cells of 4 bytes, more than the "
            f"limit of {2 * limits().cells}; cut the texts into shorter segments"
        )
    numbers: dict[str, int] = {}
    one, two = (
        np.array([numbers.setdefault(t, len(numbers)) for t in side], dtype=np.int32)
        for side in (written, spoken)
    )
    places = np.arange(len(spoken) + 1, dtype=np.int32)
    costs = np.empty((len(written) + 1, len(spoken) + 1), dtype=np.int32)
    costs[0] = places
    for i, token in enumerate(one.tolist(), 1):
        row = costs[i]
        row[0] = i
        np.minimum(costs[i - 1, :-1] + (two != token), costs[i - 1, 1:] + 1, out=row[1:])
        np.minimum.accumulate(row - places, out=row)
        row += places
    return costs
