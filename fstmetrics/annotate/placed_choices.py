"""A proposed phrase as a choice within the phrase that it differs from: `placed_choice`.

A phrase of thirty words that differs in one of them is not written a second time: `(by scoring|with a goal)` in the
first one holds it, and goes together with the other choices there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fstmetrics.annotate.typed_alternatives import (
    TypedChoice,
    TypedRow,
    typed_phrases,
    typed_row,
    typed_token,
)
from fstmetrics.values.cards import Token, parse_phrase

# A shorter phrase is added as a whole.
LONG = 8
# Words on either side of a choice, at most.
MOST_MIDDLE = 8


class PlacedChoice(NamedTuple):
    """A choice in the text of a card.

    Attributes:
        text: of the card, with the choice.
        before, after: the words of the phrase that is there, and those of the proposed one; either may be empty.
    """

    text: str
    before: str
    after: str


def placed_choice(text: str, instead: str, phrase: str, after: str | None = None) -> PlacedChoice | None:
    """Where a proposed phrase differs from one that a card has; None where it is short, or has no place there.

    Args:
        text: of the card, as it was typed.
        instead: a phrase that the card has, without choices.
        phrase: the proposed one.
        after: other words for those that the proposed phrase has instead.

    >>> placed = placed_choice("he won the cup by scoring in the last round", "he won the cup by scoring in the last "
    ...                        "round", "he won the cup with a goal in the last round")
    >>> placed.text
    'he won the cup (by scoring|with a goal) in the last round'
    """
    old, new = tuple(parse_phrase(instead)), tuple(parse_phrase(phrase))
    if len(new) <= LONG:
        return None
    phrases = typed_phrases(text)
    for begin, back in _middles(old, new):
        end, middle = len(old) - back, new[begin : len(new) - back]
        for at, typed in enumerate(phrases):
            row = typed.row
            found = None if row is None else _place(row, old, begin, end)
            if row is None or found is None:
                continue
            first, last = found
            words = " ".join(map(typed_token, middle)) if after is None else after.strip()
            made = (
                f"{typed_row(row[:first])} {_choice(row[first:last], words)} {typed_row(row[last:])}".strip()
            )
            texts = [each.text for each in phrases]
            whole = "; ".join([*texts[:at], " ".join(made.split()), *texts[at + 1 :]])
            return PlacedChoice(whole, " ".join(map(typed_token, old[begin:end])), words)
    return None


def _middles(old: Sequence[Token], new: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """How many tokens at the beginning and the end of two phrases are the same, most first."""
    shorter = min(len(old), len(new))
    begin = next((n for n in range(shorter) if old[n] != new[n]), shorter)
    back = next((n for n in range(shorter - begin) if old[-1 - n] != new[-1 - n]), shorter - begin)
    more = [(a, b) for a in range(begin, -1, -1) for b in range(back, -1, -1)]
    largest = max(len(old), len(new))
    yield from sorted(
        (pair for pair in more if largest - sum(pair) <= MOST_MIDDLE), key=lambda pair: -sum(pair)
    )


def _place(row: TypedRow, tokens: Sequence[Token], begin: int, end: int) -> tuple[int, int] | None:
    """Which items of a row are the tokens from `begin` to `end` of one of its paths: words, or a choice with a row of
    them. None where there are no such items."""
    middle, size = tuple(tokens[begin:end]), end - begin
    reached: set[int] = {0}
    for first in range(len(row) + 1):
        if begin in reached:
            items = row[first : first + 1]
            among = any(isinstance(item, TypedChoice) and middle in item.rows for item in items)
            lasts = [first + size] if tuple(row[first : first + size]) == middle else []
            for last in [*lasts, *([first + 1] if among else [])]:
                if len(tokens) in _ends(row[last:], tokens, {end}):
                    return first, last
        reached = _ends(row[first : first + 1], tokens, reached)
    return None


def _ends(row: TypedRow, tokens: Sequence[Token], starts: set[int]) -> set[int]:
    """Where in some tokens a row can end that begins at one of some places."""
    for item in row:
        if isinstance(item, TypedChoice):
            starts = set[int]().union(*(_ends(each, tokens, starts) for each in item.rows))
        else:
            starts = {at + 1 for at in starts if at < len(tokens) and tokens[at] == item}
    return starts


def _choice(items: TypedRow, words: str) -> str:
    """Some items of a row or other words, as they are typed."""
    if len(items) == 1 and isinstance(items[0], TypedChoice):
        rows = [typed_row(each) for each in items[0].rows]
        return f"({'|'.join(dict.fromkeys([*rows, words]))})"
    if not items or not words:
        return f"({typed_row(items) or words})"
    return f"({typed_row(items)}|{words})"
