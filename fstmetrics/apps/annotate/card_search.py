"""Cards to choose from: those that `[` completes (`completions`), those of the same source words (`same_words`), and
what becomes of a copy (`copied`)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from fstmetrics.apps.annotate.project_store import Annotator, Project
from fstmetrics.apps.annotate.sentence_cards import (
    ROOT_ID,
    Cards,
    ChangeRefusedError,
    Effect,
    Span,
    TypedCard,
    new_id,
    settled,
)
from fstmetrics.apps.annotate.typed_alternatives import renamed_calls
from fstmetrics.data.cards import reached
from fstmetrics.networks.calls import callees_first
from fstmetrics.support.names import unused

MOST_FOUND = 50
# Cards of the same source words that are offered.
MOST_OFFERED = 5


def completions(
    project: Project, sentence: int, annotator: Annotator, query: str, card: str = "", others: bool = True
) -> list[dict[str, Any]]:
    """Cards whose name, text or source words have the query in them, the most useful first.

    First come those of this sentence that are within the span of the card that somebody types in, then other ones of
    this sentence, then those of other annotators for this sentence, then those of other sentences. Cards that would
    make a circle are left out.

    Args:
        project: where to look.
        sentence: the one that somebody works on.
        annotator: who.
        query: what was typed; "" finds all.
        card: the id of the card that they type in, or "".
        others: whether cards of other annotators are found.
    """
    own = project.history(sentence, annotator).cards
    here = own.get(card)
    wanted = _plain(query)
    source = project.sentence(sentence).source
    found: list[tuple[tuple[int, ...], dict[str, Any]]] = []
    callers = _callers(own, here.name) if here else set[str]()
    for one in own.values():
        if one.id != ROOT_ID and one.name not in callers and (rank := _rank(one, wanted, source)) is not None:
            found.append(((_nearness(one, here), rank), {"where": "own", **_shown(one)}))
    for nearness, origin, source, one in _elsewhere(project, sentence, annotator) if others else ():
        if (rank := _rank(one, wanted, source)) is not None:
            found.append(((nearness, rank), {**origin, **_shown(one)}))
    found.sort(key=lambda pair: (pair[0], pair[1]["name"]))
    return [shown for _, shown in found[:MOST_FOUND]]


def same_words(
    project: Project, sentence: int, annotator: Annotator, span: Span, others: bool = True
) -> list[dict[str, Any]]:
    """Cards elsewhere whose source words are those of a span, case aside: one of each text, that of most cards first.

    Args:
        project: where to look.
        sentence: the one that somebody works on.
        annotator: who.
        span: of the sentence.
        others: whether cards of other annotators are found.
    """
    wanted = _words_of(project.sentence(sentence).source, span)
    found: dict[str, list[dict[str, Any]]] = {}
    for _, origin, source, one in _elsewhere(project, sentence, annotator):
        is_seen = others or origin["annotator"] == annotator.name
        if is_seen and one.span and _words_of(source, one.span) == wanted:
            found.setdefault(one.text, []).append({**origin, **_shown(one)})
    rows = [{**cards[0], "count": len(cards)} for cards in found.values()]
    return sorted(rows, key=lambda row: -row["count"])[:MOST_OFFERED]


def _words_of(source: Sequence[str], span: Span) -> tuple[str, ...]:
    return tuple(word.casefold() for word in source[slice(*span)])


def _elsewhere(
    project: Project, sentence: int, annotator: Annotator
) -> Iterator[tuple[int, dict[str, Any], tuple[str, ...], TypedCard]]:
    """How near it is, where it is, the source there, and the card: all that others wrote, and this one elsewhere."""
    here = ((who, sentence, cards) for who, cards in project.annotated(sentence).items() if who != annotator)
    others = (each for each in project.all_cards() if each[1] != sentence)
    for who, key, cards in (*here, *others):
        nearness = 4 if key == sentence else 5 if who == annotator else 6
        where = "others" if key == sentence else "sentences"
        origin = {"where": where, "annotator": who.name, "sentence": key}
        source = project.sentence(key).source
        for card in cards.values():
            if card.id != ROOT_ID and card.text:
                yield nearness, origin, source, card


def _callers(cards: Cards, name: str) -> set[str]:
    """The cards that call a card, directly or not, and itself."""
    callers: dict[str, list[str]] = {}
    for card in cards.values():
        for called in card.calls:
            callers.setdefault(called, []).append(card.name)
    return reached(callers, [name])


def _rank(card: TypedCard, wanted: str, source: Sequence[str]) -> int | None:
    """How well a card fits: its name begins with the query, has it in it, its text has, or its source words; None if
    not at all."""
    name = _plain(card.name)
    if name.startswith(wanted):
        return 0
    words = " ".join(source[slice(*card.span)]) if card.span else ""
    places = (name, _plain(card.text), _plain(words))
    return next((rank for rank, place in enumerate(places, 1) if wanted in place), None)


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    """Letters without case and accents, which people leave out where they search.

    >>> _plain("Journée") == _plain("JOURNEE")
    True
    """
    letters = unicodedata.normalize("NFD", text.casefold())
    return "".join(letter for letter in letters if unicodedata.category(letter) != "Mn")


def _nearness(card: TypedCard, here: TypedCard | None) -> int:
    """0 for a card of the same span, 1 within it, 2 elsewhere."""
    if here is None or here.span is None or card.span is None:
        return 2
    if card.span == here.span:
        return 0
    return 1 if here.span[0] <= card.span[0] and card.span[1] <= here.span[1] else 2


def _shown(card: TypedCard) -> dict[str, Any]:
    return {
        "card": card.id,
        "name": card.name,
        "text": card.text[:200],
        "span": list(card.span) if card.span else None,
    }


def copied(
    cards: Cards,
    given: Cards,
    id: str,
    origin: tuple[str, str],
    same_sentence: bool,
    words: int,
    span: Span | None = None,
) -> Effect:
    """The effect of copying a card, with all that it calls.

    A card that is there already with the same text, and of no other span than the one asked for, stays; a name that is
    taken by another one gets a number.

    Args:
        cards: the cards of the one who copies.
        given: the cards that the card is among.
        id: of the card.
        origin: the annotator and the sentence that the copies come from.
        same_sentence: whether spans are of the same sentence; otherwise copies have none.
        words: of the sentence copied to.
        span: of the copy; None for that of `same_sentence`.

    Raises:
        ChangeRefusedError: no such card, or the whole sentence of another one.

    >>> from fstmetrics.apps.annotate.sentence_cards import first_cards
    >>> theirs = {"c1": TypedCard("c1", "PM", (0, 1), "[ITALIAN] PM"), "c2": TypedCard("c2", "ITALIAN")}
    >>> effect = copied(first_cards(2), theirs, "c1", ("ben", "3"), True, 2)
    >>> [(card.name, card.origin) for card in effect.put]
    [('ITALIAN', ('ben', '3', 'ITALIAN')), ('PM', ('ben', '3', 'PM'))]
    """
    if id not in given or (id == ROOT_ID):
        raise ChangeRefusedError(f"there is no card with the id {id!r:.60} to be copied")
    by_name = {card.name: card for card in given.values()}
    after = dict(cards)
    names: dict[str, str] = {}
    last = ""
    calls = {name: [called for called in card.calls if called in by_name] for name, card in by_name.items()}
    for name in callees_first(calls.__getitem__, [given[id].name]):
        one = by_name[name]
        text = renamed_calls(one.text, names.get)
        there = next((card for card in after.values() if card.name == name), None)
        place = one.span if same_sentence and one.span and one.span[1] <= words else None
        wanted = span if name == given[id].name and span is not None else None
        same = there is not None and there.text == text and not there.asked
        if there is not None and same and wanted in (None, there.span):
            names[name], last = name, there.id
            continue
        if there is not None and same and there.span is None:
            made = replace(there, span=wanted)
        elif there is not None and there.asked:
            made = replace(there, span=wanted or place, text=text, asked=False, origin=(*origin, name))
        else:
            taken = {card.name for card in after.values()} | set(by_name)
            new = name if there is None else unused(name, taken)
            made = TypedCard(
                new_id(after, cards), new, wanted or place, text, named=True, origin=(*origin, name)
            )
        after[made.id] = made
        names[name], last = made.name, made.id
    return settled(cards, after, last)
