"""Clipped n-gram matches of whole corpora at once: `ngram_matches`, in numpy.

N-grams are numbered exactly, order by order: an n-gram is the pair of its (n-1)-gram and its last word. No hashing, no
collisions. A test compares with counting in dictionaries.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from fstmetrics.metrics.corpus_metric import Words

if TYPE_CHECKING:
    import numpy.typing as npt

    from fstmetrics.metrics.corpus_metric import Table

    Ints = npt.NDArray[np.int64]


def ngram_matches(
    hypotheses: Sequence[Words], references: Sequence[Sequence[Words]], order: int = 4
) -> tuple[Table, Table]:
    """Matches and totals of n-grams, n = 1..order.

    A hypothesis' n-gram matches at most as often as it occurs in the reference that has most of it: the bag of the
    hypothesis is intersected with the union of the references' bags [C08 §2].

    Returns:
        Two arrays of shape [items, order].
    """
    count = len(hypotheses)
    items = np.repeat(np.arange(count), [len(refs) for refs in references])  # of references
    matches, totals = np.zeros((count, order)), np.zeros((count, order))
    for n, (segments, grams) in enumerate(_ngrams([*hypotheses, *chain.from_iterable(references)], order)):
        # One bag for every segment: (segment, n-gram) and how often.
        distinct = int(grams.max(initial=-1)) + 1
        keys, counts = np.unique(segments * distinct + grams, return_counts=True)
        bags = keys // max(distinct, 1), keys % max(distinct, 1)
        here = bags[0] < count
        hypothesis_items, own = bags[0][here], counts[here]
        wanted = hypothesis_items * distinct + bags[1][here]
        keys = items[bags[0][~here] - count] * distinct + bags[1][~here]
        clipped = np.minimum(own, _largest(wanted, keys, counts[~here]))
        matches[:, n] = np.bincount(hypothesis_items, clipped, minlength=count)
        totals[:, n] = np.bincount(hypothesis_items, own, minlength=count)
    return matches, totals


# N-grams whose counts in all texts are laid side by side at once.
WIDTH = 4096


def pair_matches(hypotheses: Sequence[Words], references: Sequence[Words], order: int = 4) -> Table:
    """Matches of each hypothesis with each reference alone, shape [hypotheses, references, order].

    The smaller of two counts is the number of levels that both reach; so each level is one product of matrices.
    """
    count = len(hypotheses)
    texts = [*hypotheses, *references]
    found = np.zeros((count, len(references), order))
    for n, (segments, grams) in enumerate(_ngrams(texts, order)):
        here = segments < count
        shared = _only_shared(grams, here)
        segments, grams = segments[shared >= 0], shared[shared >= 0]
        for begin in range(0, int(grams.max(initial=-1)) + 1, WIDTH):
            chosen = (grams >= begin) & (grams < begin + WIDTH)
            counts = np.zeros((len(texts), min(WIDTH, int(grams.max()) + 1 - begin)), dtype=np.float32)
            np.add.at(counts, (segments[chosen], grams[chosen] - begin), 1)
            for level in range(1, int(min(counts[:count].max(), counts[count:].max())) + 1):
                reached = (counts >= level).astype(np.float32)
                found[:, :, n] += reached[:count] @ reached[count:].T
    return found


def _only_shared(grams: Ints, here: npt.NDArray[np.bool_]) -> Ints:
    """The n-grams that are on both sides, numbered anew from 0; -1 for the others."""
    both = np.intersect1d(grams[here], grams[~here])
    place = np.minimum(np.searchsorted(both, grams), max(len(both) - 1, 0))
    same = both[place] == grams if len(both) else np.zeros(len(grams), dtype=bool)
    return np.where(same, place, -1)


def _ngrams(texts: Sequence[Words], order: int) -> list[tuple[Ints, Ints]]:
    """For n = 1..order: the text and the number of every n-gram, by its first word."""
    index: dict[str, int] = {}
    words = np.array([index.setdefault(word, len(index)) for text in texts for word in text], dtype=np.int64)
    segments = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    grams, starts = words, np.arange(len(words))
    found = [(segments, grams)]
    for n in range(1, order):
        inside = starts + n < len(words)
        grams, starts = grams[inside], starts[inside]
        same = segments[starts] == segments[starts + n]
        grams, starts = grams[same], starts[same]
        _, grams = np.unique(grams * len(index) + words[starts + n], return_inverse=True)
        found.append((segments[starts], grams))
    return found


def _largest(wanted: Ints, keys: Ints, counts: Ints) -> Ints:
    """The largest count of every key that is wanted; 0 where it is absent."""
    if not len(keys):
        return np.zeros_like(wanted)
    order = np.lexsort((-counts, keys))
    distinct, first = np.unique(keys[order], return_index=True)
    place = np.minimum(np.searchsorted(distinct, wanted), len(distinct) - 1)
    return np.where(distinct[place] == wanted, counts[order][first][place], 0)
