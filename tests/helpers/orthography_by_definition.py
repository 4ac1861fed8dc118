"""Counts of punctuation and case from their definition in docs/punctuation.md, one cell at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache


def tokens_by_definition(text: str, marks: str) -> list[str]:
    """Words and marks, character by character."""
    found, word = [], ""
    for character in text + " ":
        if character.isalnum() or character in "_'":
            word += character
            continue
        found += [word] if word else []
        word = ""
        found += [character] if character in marks else []
    return found


def counts_by_definition(hypothesis: str, reference: str, marks: str) -> Counter[str]:
    """How often each outcome of each mark is there, as `correct .`; `words`, and `case_errors` among them."""
    counts: Counter[str] = Counter()
    for written, spoken in _pairs(hypothesis, reference, marks, str):
        is_written, is_spoken = (token is not None and token in marks for token in (written, spoken))
        if is_written and is_spoken:
            counts[f"{'correct' if written == spoken else 'substitutions'} {written}"] += 1
        else:
            counts[f"deletions {written}"] += is_written
            counts[f"insertions {spoken}"] += is_spoken
    for written, spoken in _pairs(hypothesis, reference, marks, str.lower):
        if written and spoken and written not in marks and written.lower() == spoken.lower():
            counts["words"] += 1
            counts["case_errors"] += written != spoken
    return +counts


def _pairs(
    hypothesis: str, reference: str, marks: str, seen: Callable[[str], str]
) -> Iterator[tuple[str | None, str | None]]:
    """What stands beside each other where tokens are compared as they are `seen`."""
    h, r = tokens_by_definition(hypothesis, marks), tokens_by_definition(reference, marks)

    def alike(i: int, j: int) -> bool:
        return seen(h[j]) == seen(r[i]) or (h[j] in marks and r[i] in marks)

    @cache
    def cost(i: int, j: int) -> int:
        """The fewest edits of the first tokens of both."""
        if not i or not j:
            return i + j
        return min(cost(i - 1, j - 1) + (not alike(i - 1, j - 1)), cost(i - 1, j) + 1, cost(i, j - 1) + 1)

    i, j = len(r), len(h)
    while i or j:
        written = spoken = None
        if i and j and (alike(i - 1, j - 1) or cost(i, j) == cost(i - 1, j - 1) + 1):
            i, j = i - 1, j - 1
            written, spoken = r[i], h[j]
        elif j and (not i or cost(i, j) == cost(i, j - 1) + 1):
            j -= 1
            spoken = h[j]
        else:
            i -= 1
            written = r[i]
        yield written, spoken
