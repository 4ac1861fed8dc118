"""B-WER and U-WER by their definition [Le et al. 2021], over every alignment with the fewest edits, one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set


def counts_by_definition(
    hypothesis: Sequence[str], reference: Sequence[str], words: Set[str]
) -> set[tuple[int, ...]]:
    """What cheapest alignments may count: errors and reference words in the list, then those outside of it."""
    found = [_counts(each, words) for each in _alignments(tuple(hypothesis), tuple(reference))]
    fewest = min(b + u for b, _, u, _ in found)
    return {each for each in found if each[0] + each[2] == fewest}


def _counts(pairs: Sequence[tuple[str | None, str | None]], words: Set[str]) -> tuple[int, ...]:
    b_errors = b_words = u_errors = u_words = 0
    for spoken, written in pairs:
        listed = (spoken if written is None else written) in words
        wrong = spoken != written
        b_errors += wrong and listed
        u_errors += wrong and not listed
        b_words += written is not None and listed
        u_words += written is not None and not listed
    return b_errors, b_words, u_errors, u_words


def _alignments(
    hypothesis: tuple[str, ...], reference: tuple[str, ...]
) -> Iterator[list[tuple[str | None, str | None]]]:
    """All of them, cheap or not; a pair has None where a side has no word."""
    if not hypothesis and not reference:
        yield []
    if hypothesis and reference:
        for rest in _alignments(hypothesis[1:], reference[1:]):
            yield [(hypothesis[0], reference[0]), *rest]
    if hypothesis:
        for rest in _alignments(hypothesis[1:], reference):
            yield [(hypothesis[0], None), *rest]
    if reference:
        for rest in _alignments(hypothesis, reference[1:]):
            yield [(None, reference[0]), *rest]
