"""Where an output and its closest path differ, as phrases that a card could have: `changes`.

The alignment says which words differ, `cards_taken` which cards the path took. A run of words that differ becomes a
phrase of the smallest card that holds all of it: the phrase that was taken, with the output's words in place of the
path's. What the run leaves alone stays as it is, calls of other cards above all, so that a new phrase has as many
strings as they allow. Where a run reaches into several cards, each of them also gets its own part of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from fstmetrics.data.cards import Call, Token, parse_phrase, write_phrase
from fstmetrics.engine.results import AlignedPair
from fstmetrics.networks.cards_used import CardTaken
from fstmetrics.text.normalisation import Normalisation


@dataclass(frozen=True, slots=True)
class Change:
    """A phrase that a card lacks.

    Attributes:
        card: its name.
        phrase: the phrase, as annotators write it.
        taken: the phrase of this card on the closest path.
        removed, added: the words of the path that differ, and those of the output in their place.
        start, end: where the removed words are on the closest path, half-open.
        whole: the phrase for the whole run of words that differ, where this is for a part of it; "" where that is too
            long; else `phrase`.
        parts: cards and phrases that do the same one by one, where the run reaches into cards that are called.
    """

    card: str
    phrase: str
    taken: str
    removed: tuple[str, ...]
    added: tuple[str, ...]
    start: int
    end: int
    whole: str
    parts: tuple[tuple[str, str], ...] = ()


class _Token(NamedTuple):
    """A word or call of a phrase that was taken: the words of the path it covers, and what the call entered."""

    token: Token
    start: int
    end: int
    inner: _Node | None


@dataclass(slots=True)
class _Node:
    """A card on the closest path."""

    taken: CardTaken
    tokens: list[_Token]


class _Op(NamedTuple):
    """An operation of the alignment, and the place on the path where it is."""

    op: str
    word: str | None
    at: int

    @property
    def consumes(self) -> bool:
        return self.op in "SD="


def changes(
    taken: Sequence[CardTaken],
    alignment: Sequence[AlignedPair],
    words: Sequence[str],
    closest: Sequence[str],
    normalisation: Normalisation,
    longest: int,
) -> Iterator[Change]:
    """The phrases that would bring an output closer to its closest path, from left to right.

    Args:
        taken: the cards of the path, as of `cards_taken`.
        alignment: of the output with the path.
        words: the output's words by their positions, as they are to be written.
        closest: the words of the path.
        normalisation: what was done to the network's words.
        longest: words that a phrase may remove or add; 0 is no limit.
    """
    nodes = _nodes(taken, normalisation)
    for run in _runs(alignment, words):
        removed, added = sum(op.consumes for op in run), sum(op.word is not None for op in run)
        is_long = bool(longest) and max(removed, added) > longest
        for node in nodes:
            part = _part_in(node, run, is_root=node is nodes[0])
            for change in _changes_of(node, run, part, closest, longest) if part else ():
                if not longest or max(len(change.removed), len(change.added)) <= longest:
                    # How the words of a long run are aligned is chance: what it makes of a card is only a part.
                    yield replace(change, whole="", parts=()) if is_long else change


def _changes_of(
    node: _Node, run: Sequence[_Op], part: tuple[int, int], closest: Sequence[str], longest: int
) -> Iterator[Change]:
    """What a run makes of one card's phrase: all of it, what is in its own words, and every stretch of the run."""
    first, last = part
    own = _own_stretches(node, run[first:last])
    inner = [token.inner for token in node.tokens if token.inner is not None]
    parts = [_changed(node, stretch, closest) for stretch in own]
    if own != [run[first:last]]:
        yield from filter(None, parts)
        for child in inner:
            within = _part_in(child, run, is_root=False)
            parts.append(_changed(child, run[slice(*within)], closest) if within else None)
    whole = _changed(node, run[first:last], closest)
    if whole is None:
        return
    others = tuple((one.card, one.phrase) for one in parts if one and one.phrase != whole.phrase)
    yield replace(whole, parts=others)
    for one in range(first, last):
        for other in range(one + 1, min(last, one + (longest or last)) + 1):
            if (one, other) != (first, last) and not _in_a_child(node, run[one:other]):
                piece = _changed(node, run[one:other], closest, whole.phrase)
                if piece is not None and piece.phrase != whole.phrase:
                    yield piece


def _own_stretches(node: _Node, ops: Sequence[_Op]) -> list[list[_Op]]:
    """Stretches of operations on words that are the card's own, not of cards that it calls."""
    calls = [(token.start, token.end) for token in node.tokens if token.inner is not None]
    stretches: list[list[_Op]] = []
    stretch: list[_Op] = []
    # Insertions go with the word before them, those at the beginning with the first word.
    at = next((op.at for op in ops if op.consumes), None)
    for op in ops:
        at = op.at if op.consumes else at
        if at is None or not any(start <= at < end for start, end in calls):
            stretch.append(op)
        elif stretch:
            stretches.append(stretch)
            stretch = []
    return [*stretches, stretch] if stretch else stretches


def _nodes(taken: Sequence[CardTaken], normalisation: Normalisation) -> list[_Node]:
    """The cards of a path with the places of their words, callers before what they call."""
    nodes: list[_Node] = []
    waiting: list[
        _Node
    ] = []  # of cards further right, those that no caller has claimed yet; the next one is last
    for one in reversed(taken):
        node, at = _Node(one, []), one.start
        for token in parse_phrase(one.phrase):
            if isinstance(token, Call):
                inner = waiting.pop()
                node.tokens.append(_Token(token, inner.taken.start, inner.taken.end, inner))
                at = inner.taken.end
            else:
                end = at + len(normalisation.arc_words(token))
                node.tokens.append(_Token(token, at, end, None))
                at = end
        waiting.append(node)
        nodes.append(node)
    return nodes[::-1]


def _runs(alignment: Sequence[AlignedPair], words: Sequence[str]) -> Iterator[list[_Op]]:
    """Runs of operations that are no matches."""
    at = 0
    for differs, pairs in groupby(alignment, lambda pair: pair.op in "SID"):
        run: list[_Op] = []
        for pair in pairs:
            place = pair.position
            word = pair.hypothesis if place is None or place >= len(words) else words[place]
            run.append(_Op(pair.op, word, at))
            at += pair.reference is not None
        if differs:
            yield run


def _part_in(node: _Node, run: Sequence[_Op], is_root: bool) -> tuple[int, int] | None:
    """Which operations of a run change this card's own phrase; None where none do, or one card that it calls has all.

    Insertions belong to the words beside them in the run; alone, to the smallest card that has words on both sides.
    """
    start, end = node.taken.start, node.taken.end
    own = [i for i, op in enumerate(run) if op.consumes and start <= op.at < end]
    if not own:
        alone = not any(op.consumes for op in run) and (start < run[0].at < end or is_root)
        return (0, len(run)) if alone and not _in_a_child(node, run) else None
    first, last = own[0], own[-1] + 1
    if not any(op.consumes for op in run[:first]):
        first = 0
    while last < len(run) and not run[last].consumes:
        last += 1
    return None if _in_a_child(node, run[first:last]) else (first, last)


def _in_a_child(node: _Node, ops: Sequence[_Op]) -> bool:
    """Whether one card that is called holds all of the operations."""
    own = [op.at for op in ops if op.consumes]
    for _, start, end, inner in node.tokens:
        if inner is None:
            continue
        if own and start <= own[0] and own[-1] < end:
            return True
        if not own and start < ops[0].at < end:
            return True
    return False


def _changed(node: _Node, ops: Sequence[_Op], closest: Sequence[str], whole: str = "") -> Change | None:
    """The card's phrase with these operations done; None where nothing changes."""
    consumed = [op.at for op in ops if op.consumes]
    start = consumed[0] if consumed else ops[0].at
    end = consumed[-1] + 1 if consumed else start
    added = tuple(op.word for op in ops if op.word is not None)
    left, right = _around(node, start, end)
    phrase = write_phrase([*left, *added, *right])
    if phrase == node.taken.phrase:
        return None
    removed = tuple(closest[start:end])
    return Change(node.taken.card, phrase, node.taken.phrase, removed, added, start, end, whole or phrase)


def _around(node: _Node, start: int, end: int) -> tuple[list[Token], list[Token]]:
    """The words and calls before and after a stretch of the path; a call that it reaches into is written out."""
    left: list[Token] = []
    right: list[Token] = []
    for token, begin, stop, inner in node.tokens:
        if stop <= start:
            left.append(token)
        elif begin >= end:
            right.append(token)
        elif inner is not None and (begin < start or stop > end):
            before, after = _around(inner, start, end)
            left += before
            right += after
    return left, right
