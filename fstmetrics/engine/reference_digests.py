"""What tells references apart: `digests_of`, a number for each item; `other_digest` finds the first that differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from fstmetrics._native import TextColumn
from fstmetrics.data.transcripts import TranscriptColumn
from fstmetrics.engine.sides import (
    Input,
    StringLists,
    alternatives_of,
    are_texts,
    is_sentence,
    is_sequence_of_strings,
    text_lists,
)
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import Normalisation

if TYPE_CHECKING:
    import numpy.typing as npt

    Digests = npt.NDArray[np.int64]

# Digests are below this: every reader of JSON has such whole numbers.
DIGESTS = 1 << 53
UNKNOWN = -1


def of_words(normalisation: Normalisation) -> Normalisation:
    """What is done to the words of references; tokens and characters follow from words."""
    return replace(normalisation.of_references, tokenize=None, unit="word")


def digests_of(
    references: Sequence[Input] | StringLists, hypotheses: Sequence[Input], normalisation: Normalisation
) -> Digests:
    """Of each item a number of 53 bits, made of the words of all its references in any order; -1 where one is no text.

    Args:
        references: of each item.
        hypotheses: what they stand beside, which says what a list of strings is; one is enough if all are texts.
        normalisation: what was done to words. Tokens are none of it: they follow from words.

    >>> one, same, other = (digests_of([each], ["x"], Normalisation()) for each in (["a b", "c"], ["c", "a  b"], "a b"))
    >>> one.tolist() == same.tolist(), one.tolist() == other.tolist()
    (True, False)
    """
    changes = of_words(normalisation)
    references = references.lists() if isinstance(references, StringLists) else references

    def of_texts(texts: Sequence[Any]) -> Digests:
        if not changes.is_plain:
            texts = list(map(changes.joined, texts))
        return (texts if isinstance(texts, TextColumn) else TextColumn(list(texts))).digests()

    if isinstance(references, TranscriptColumn):
        found = np.full(len(references), UNKNOWN)
        found[references.plain_places()] = of_texts(list(references.plain()))
        return found
    if are_texts(references):
        return of_texts(references)
    beside_texts = are_texts(hypotheses)
    if (lists := text_lists(references, beside_texts)) is not None:
        columns = list(map(of_texts, lists.columns))
        together = sum(columns) if lists.begins is None else np.add.reduceat(columns[0], lists.begins[:-1])
        return np.asarray(together % DIGESTS)
    beside: Iterable[Any] = repeat("") if beside_texts else hypotheses
    sentences = list(map(_sentences, references, beside))
    begins = np.cumsum([0, *(len(each) or 1 for each in sentences)])[:-1]
    found = of_texts([changes.joined(text) for each in sentences for text in each or [""]])
    return np.where([bool(each) for each in sentences], np.add.reduceat(found, begins) % DIGESTS, UNKNOWN)


def _sentences(reference: Any, hypothesis: Any) -> Sequence[Any]:
    """The sentences of a reference; none where it is, or has, something else."""
    if is_sentence(reference, hypothesis):
        return [reference]
    try:
        items = alternatives_of(reference, hypothesis)
    except FstmetricsError:
        return []
    are_sentences = all(isinstance(each, str) or is_sequence_of_strings(each) for each in items)
    return items if are_sentences else []


def other_digest(one: Any, other: Any) -> int | None:
    """The first place where digests differ, which are nan or negative where nothing is known; None where none do."""
    found = np.flatnonzero((one != other) & (one >= 0) & (other >= 0))
    return int(found[0]) if len(found) else None
