"""A proposed phrase as a choice within the phrase that it differs from: `placed_choice`; and what was typed for a
phrase of a network: `typed_for`.

A phrase of thirty words that differs in one of them is not written a second time: `(by scoring|with a goal)` in the
first one holds it, and goes together with the other choices there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from fstmetrics import Normalisation
from fstmetrics.apps.annotate.target_units import target_words
from fstmetrics.apps.annotate.typed_alternatives import (
    TypedPhrase,
    tokens_as_typed,
    typed_phrases,
    typed_row,
    typed_token,
    worded_phrases,
)
from fstmetrics.data.cards import Call, parse_phrase
from fstmetrics.networks.short_forms import Choice, Joined, Row
from fstmetrics.text.normalisation import PLAIN

Token = str | Call | Joined

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


def placed_choice(
    text: str,
    instead: str,
    phrase: str,
    after: str | None = None,
    normalisation: Normalisation = PLAIN,
    joined: Mapping[str, Joined] | None = None,
) -> PlacedChoice | None:
    """Where a proposed phrase differs from one that a card has; None where it is short, or has no place there.

    Args:
        text: of the card, as it was typed.
        instead: a phrase that the card has, without choices.
        phrase: the proposed one.
        after: other words for those that the proposed phrase has instead.
        normalisation: of the project; where words are cut into units, there is no place.
        joined: calls that something is joined to, by the names that phrases of the network have for them.

    >>> placed = placed_choice("he won the cup by scoring in the last round", "he won the cup by scoring in the last "
    ...                        "round", "he won the cup with a goal in the last round")
    >>> placed.text
    'he won the cup (by scoring|with a goal) in the last round'
    """
    old, new = (tokens_as_typed(each, joined or {}) for each in (instead, phrase))
    if len(new) <= LONG or normalisation.unit != "word":
        return None
    phrases = typed_phrases(text)
    for begin, back in _middles(old, new):
        end, middle = len(old) - back, new[begin : len(new) - back]
        for at, typed in enumerate(phrases):
            row = typed.row
            found = None if row is None else _place(row, old, begin, end, normalisation)
            if row is None or found is None:
                continue
            first, last = found
            words = " ".join(map(typed_token, middle)) if after is None else after.strip()
            made = (
                f"{typed_row(row[:first])} {_choice(row[first:last], words)} {typed_row(row[last:])}".strip()
            )
            if any(one.row is None for one in worded_phrases(made, normalisation)):
                continue
            texts = [each.text for each in phrases]
            whole = "; ".join([*texts[:at], " ".join(made.split()), *texts[at + 1 :]])
            return PlacedChoice(whole, " ".join(map(typed_token, old[begin:end])), words)
    return None


def typed_for(phrases: Sequence[TypedPhrase], phrase: str) -> str:
    """What was typed for a phrase of a card, which may be one of several that a choice makes; or "".

    Args:
        phrases: of the card, with words cut as those of the phrase.
        phrase: of its network.

    >>> typed_for(typed_phrases("a cat; the (big|small) dog"), "the big dog")
    'the (big|small) dog'
    """
    tokens = tuple(parse_phrase(phrase))
    for one in phrases:
        if one.row is not None and len(tokens) in _ends(one.row, tokens, {0}, PLAIN):
            return one.text
    return ""


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


def _place(
    row: Row, tokens: Sequence[Token], begin: int, end: int, normalisation: Normalisation
) -> tuple[int, int] | None:
    """Which items of a row are the tokens from `begin` to `end` of one of its paths: words, or a choice with a row of
    them. None where there are no such items."""
    middle = tuple(tokens[begin:end])
    reached: set[int] = {0}
    for first in range(len(row) + 1):
        if begin in reached:
            for last in _lasts(row, first, middle, normalisation):
                if len(tokens) in _ends(row[last:], tokens, {end}, normalisation):
                    return first, last
        reached = _ends(row[first : first + 1], tokens, reached, normalisation)
    return None


def _lasts(row: Row, first: int, middle: tuple[Token, ...], normalisation: Normalisation) -> Iterator[int]:
    """Where items of a row end that are some tokens: words and calls; a choice with a row of them; or words and choices
    with a path of them."""
    for last in range(first, len(row) + 1):
        found = _tokens(row[first:last], normalisation)
        if found == middle:
            yield last
            break
        if found is None or len(found) > len(middle):
            break
    item = row[first] if first < len(row) else ""
    if isinstance(item, Choice) and middle in [_tokens(each, normalisation) for each in item.rows]:
        yield first + 1
    for last in range(first + 1, len(row) + 1):
        if len(middle) in _ends(row[first:last], middle, {0}, normalisation):
            yield last


def _tokens(row: Row, normalisation: Normalisation) -> tuple[Token, ...] | None:
    """The tokens of words and calls; None where there is a choice."""
    found: list[Token] = []
    for item in row:
        if isinstance(item, Choice):
            return None
        found += (
            target_words(item, normalisation)
            if isinstance(item, str) and not normalisation.is_plain
            else [item]
        )
    return tuple(found)


def _ends(row: Row, tokens: Sequence[Token], starts: set[int], normalisation: Normalisation) -> set[int]:
    """Where in some tokens a row can end that begins at one of some places."""
    for item in row:
        if isinstance(item, Choice):
            starts = set[int]().union(*(_ends(each, tokens, starts, normalisation) for each in item.rows))
        else:
            own = _tokens((item,), normalisation)
            starts = {
                at + len(own) for at in starts if own is not None and tuple(tokens[at : at + len(own)]) == own
            }
    return starts


def _choice(items: Row, words: str) -> str:
    """Some items of a row or other words, as they are typed."""
    if len(items) == 1 and isinstance(items[0], Choice):
        rows = [typed_row(each) for each in items[0].rows]
        return f"({'|'.join(dict.fromkeys([*rows, words]))})"
    if not items or not words:
        return f"({typed_row(items) or words})"
    return f"({typed_row(items)}|{words})"
