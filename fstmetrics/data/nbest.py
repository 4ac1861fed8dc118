"""N-best lists: a recogniser's or translator's ranked strings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, overload

from fstmetrics._native import TextColumn
from fstmetrics.data.features import Features
from fstmetrics.data.lattice import Lattice, Scales, scales_of
from fstmetrics.data.symbols import SENTENCE_MARKERS, has_phrases, words_of
from fstmetrics.support.arguments import NUMBER, STRING, STRINGS, column
from fstmetrics.support.errors import FstmetricsError, warn
from fstmetrics.support.printable import counted, in_a_line

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True)
class NBest:
    """A ranked list of strings, the decoder's first choice first. Entries may repeat.

    >>> NBest("u1", ["a cat", "the cat"]).entries
    (('a', 'cat'), ('the', 'cat'))

    Attributes:
        id: what references pair with.
        entries: the words of each entry; one with white space in it is a phrase, and becomes several. Strings are split
            at white space.
        texts: each entry as it was written, for tokenizers; as many as `entries`. By default the words with spaces
            between them, or the strings.
        scores: the decoder's total score of each entry, where the file has one.
        features: the values of the decoder's features, a row an entry, where they were asked for.
    """

    id: str
    entries: tuple[tuple[str, ...], ...] = ()
    texts: tuple[str, ...] = ()
    scores: tuple[float, ...] | None = None
    features: Features | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if isinstance(self.id, list | tuple) and isinstance(self.entries, tuple) and not self.entries:
            raise FstmetricsError(
                'an n-best list has an id before its entries: NBest("u1", ["a cat", "the cat"])'
            )
        STRING.check(self.id, "id")
        what = f"n-best list {self.id!r}"
        if isinstance(self.entries, list | tuple) and self.entries and STRINGS.holds(self.entries):
            if isinstance(self.texts, list | tuple) and not self.texts:
                object.__setattr__(self, "texts", tuple(self.entries))
            object.__setattr__(self, "entries", tuple(tuple(text.split()) for text in self.entries))  # type: ignore[attr-defined]
        if not (isinstance(self.entries, list | tuple) and set(map(type, self.entries)) <= {list, tuple}):
            raise FstmetricsError(f"{what}: entries are a tuple of tuples of words, not {self.entries!r:.80}")
        if not self.entries:
            raise FstmetricsError(f"{what} has no entry")
        if not all(isinstance(word, str) for word in chain.from_iterable(self.entries)):
            raise FstmetricsError(f"{what}: a word is a string")
        if isinstance(self.texts, list | tuple) and not self.texts:
            object.__setattr__(self, "texts", tuple(map(" ".join, self.entries)))
        if any(map(has_phrases, self.entries)):
            object.__setattr__(self, "entries", tuple(map(words_of, self.entries)))
        if not STRINGS.holds(self.texts) or len(self.texts) != len(self.entries):
            raise FstmetricsError(f"{what}: texts are strings, one an entry ({len(self.entries)})")
        if (listed := column(self.scores)) is not None:
            object.__setattr__(self, "scores", tuple(listed))
        scores = self.scores
        if scores is not None and (not isinstance(scores, list | tuple) or len(scores) != len(self.entries)):
            raise FstmetricsError(f"{what}: scores are numbers, one an entry ({len(self.entries)})")
        if scores is not None and not (all(map(NUMBER.holds, scores)) and not any(map(math.isnan, scores))):
            raise FstmetricsError(f"{what}: a score is a number, and not nan")
        if self.features is not None and len(self.features) != len(self.entries):
            raise FstmetricsError(
                f"{what}: {len(self.features)} rows of features for {len(self.entries)} entries"
            )

    def _repr_html_(self) -> str:
        from fstmetrics.reports.notebook import nbest_html

        return nbest_html(self)

    def __repr__(self) -> str:
        return in_a_line(self, id=self.id, entries=len(self.entries), scored=self.scores is not None)

    @classmethod
    def read_all(cls, path: str | Path, format: str | None = None, *, features: bool = False) -> list[NBest]:
        """Read every n-best list of a file or folder; with `features`, the values of the decoder's features, too.

        Raises:
            InputError: a file cannot be read, or holds something else; or features are asked for and it has none.
        """
        from fstmetrics.io import read_all

        return read_all(path, cls, format=format, features=features)

    def lattice(self, first: int | None = None) -> Lattice:
        """The first entries, or all, as a lattice whose paths are the distinct entries."""
        return Lattice.from_strings(self.entries[:first], id=self.id)

    def weighed(self, scales: Scales) -> NBest:
        """The same list, its scores weighed: each is one cost, which `lm` multiplies, and words cost the word penalty.

        Sentence markers count as no words. A list without scores has them by a word penalty alone. A score of minus
        infinity, the logarithm of 0, stays.

        >>> nbest = NBest("x", entries=(("a", "b"), ("c",)), texts=("a b", "c"), scores=(-1.0, -1.5))
        >>> nbest.weighed(Scales(lm=2, word_penalty=0.5)).scores
        (-3.0, -3.5)
        """
        scales = scales_of(scales)
        if self.scores is None and scales.word_penalty == 0:
            return self
        words = [sum(word not in SENTENCE_MARKERS for word in entry) for entry in self.entries]
        scores = self.scores or (0.0,) * len(words)
        weighed = [
            score if score == -math.inf else scales.lm * score - scales.word_penalty * n
            for score, n in zip(scores, words, strict=True)
        ]
        return replace(self, scores=tuple(weighed))

    def scored_lattice(self) -> Lattice:
        """The distinct entries as a lattice whose paths cost minus their scores, as graph costs.

        Of equal entries the best score counts.

        Raises:
            FstmetricsError: the list has no scores.
        """
        return Lattice.from_strings(self.entries, costs=self.model_costs, id=self.id)

    @property
    def is_outscored(self) -> bool:
        """Whether another entry has a better score, which is a higher one, than the first."""
        return self.scores is not None and max(self.scores) > self.scores[0]

    @property
    def may_have_costs(self) -> bool:
        """Whether a score is above 0, as no logarithm of a probability is, and costs are."""
        return max(self.scores or (0.0,)) > 0

    @property
    def model_costs(self) -> list[float]:
        """Minus the scores of the entries.

        Raises:
            FstmetricsError: the list has no scores.
        """
        if self.scores is None:
            raise FstmetricsError(
                f"n-best list {self.id!r} has no scores, so its entries have no model costs"
            )
        return [-score for score in self.scores]


def order_remark(lists: int, may_have_costs: bool, scales: str = "--lm-scale -1") -> str:
    """The same, where scores weigh entries: not the first has the best, which costs would have.

    Args:
        lists, may_have_costs: as of `outscored_remark`.
        scales: the option that makes scores of costs.
    """
    return (
        f"in {counted(lists, 'list')} another entry has a better score than the first, that is, a higher one"
        f"{f'; if scores are costs, give {scales}' if may_have_costs else ''}"
    )


def warn_of_order(nbest: NBest, scales: Scales | None) -> None:
    """Warn of `order_remark`, where scores weigh the entries of a list under these scales."""
    weighed = nbest.weighed(scales) if scales and nbest.scores else nbest
    if weighed.is_outscored:
        costs = nbest.may_have_costs and weighed.may_have_costs  # and nobody has turned them
        warn(order_remark(1, costs, "scales=Scales(lm=-1)"))


def outscored_remark(lists: int, may_have_costs: bool, scales: str = "--lm-scale 1") -> str:
    """What is said of lists that are not in the order of their scores.

    Args:
        lists: how many there are.
        may_have_costs: whether some of them may, as of `NBest`.
        scales: the options that order lists.
    """
    return (
        f"the 1-best is the first entry, and of {counted(lists, 'item')} another has a better score: fstmetrics best "
        f"LISTS {scales} --nbest K --to nbest writes lists in the order of their scores"
        f"{'; if these are costs, it is --lm-scale -1' if may_have_costs else ''}"
    )


class NBestColumn(Sequence[NBest]):
    """Many lists with scores: a sequence of NBest, each made when it is looked at.

    Args:
        ids: of each list.
        texts: the entries of all, one list behind the other; words are between white space.
        scores: of all entries.
        begins: where the entries of each list begin, and the end.

    >>> import numpy as np
    >>> lists = NBestColumn(["u"], TextColumn(["a b", "a"]), np.array([-1.0, -2.0]), [0, 2])
    >>> lists[0].entries, lists[0].scores
    ((('a', 'b'), ('a',)), (-1.0, -2.0))
    """

    def __init__(
        self, ids: Sequence[str], texts: TextColumn, scores: npt.NDArray[np.float64], begins: Sequence[int]
    ) -> None:
        self._ids, self._texts, self._scores, self._begins = ids, texts, scores, begins

    def __len__(self) -> int:
        return len(self._ids)

    @overload
    def __getitem__(self, index: int) -> NBest: ...
    @overload
    def __getitem__(self, index: slice) -> list[NBest]: ...
    def __getitem__(self, index: int | slice) -> NBest | list[NBest]:
        if isinstance(index, slice):
            return [self[place] for place in range(len(self))[index]]
        id, texts, scores = self._row(range(len(self))[index])
        return NBest(id, tuple(tuple(text.split()) for text in texts), tuple(texts), tuple(scores))

    def rows(self) -> Iterator[tuple[str, Sequence[str], list[float]]]:
        """The id, the texts and the scores of each list."""
        return map(self._row, range(len(self)))

    def _row(self, place: int) -> tuple[str, Sequence[str], list[float]]:
        entries = slice(self._begins[place], self._begins[place + 1])
        return self._ids[place], self._texts[entries], self._scores[entries].tolist()
