"""Phrases that the tool proposes to an annotator (`open_proposals`), and those that are not proposed again
(`rejected_phrases`): rejected ones, and those that were added with another text.

The proposals are those of `fstmetrics.networks.proposals`: each is tried, and what it saves is exact.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from fstmetrics import FstmetricsError, Normalisation
from fstmetrics.apps.annotate.change_history import Mark
from fstmetrics.apps.annotate.placed_choices import placed_choice
from fstmetrics.apps.annotate.project_store import Annotator, LoggedEvent, Project, ProjectText
from fstmetrics.apps.annotate.rooted_cards import RootedCard, whole_sentence
from fstmetrics.apps.annotate.sentence_cards import Cards, Compiled, TypedCard, changed, compiled
from fstmetrics.apps.annotate.typed_alternatives import tokens_as_typed, typed_text, worded_phrases
from fstmetrics.apps.annotate.typing_feedback import SEARCH, aligned
from fstmetrics.networks.distances import distance
from fstmetrics.networks.new_phrases import Phrase
from fstmetrics.networks.proposals import Evidence, Proposal, propose
from fstmetrics.networks.short_forms import Joined
from fstmetrics.text.normalisation import PLAIN, Unit

REJECTED = "reject"
MOST_SHOWN = 30


def open_proposals(
    cards: Cards,
    texts: Sequence[ProjectText],
    rejected: frozenset[tuple[str, str]],
    normalisation: Normalisation = PLAIN,
    least: int = 0,
) -> list[dict[str, Any]]:
    """What would bring texts closer to the network of some cards, that which saves most first; none without a network.

    Args:
        cards: of a sentence.
        texts: references and outputs that the annotator sees.
        rejected: phrases, with the id of their card, that are not proposed.
        normalisation: of the project.
        least: how many outputs of systems a phrase brings closer at least.

    Raises:
        SearchError: the network is too large.
    """
    made = compiled(cards, normalisation)
    root = whole_sentence(made)
    if root is None or not texts:
        return []
    ids = {card.name: card.id for card in cards.values()}
    names = {card.id: card.name for card in cards.values()}
    refused = frozenset(Phrase("", names[id], phrase) for id, phrase in rejected if id in names)
    found = _with_typed_cards(
        _proposed(root, tuple(texts), refused), cards, made, texts, rejected, normalisation
    )
    total = len(texts)
    kept = [
        one
        for one in found
        if sum(each.kind == "system" for each in one.evidence) >= least
        and _can_be_typed(one.phrase, normalisation, made.joined)
    ]
    return [
        _shown(one, cards[ids[one.phrase.card]], total, normalisation, made.joined)
        for one in kept[:MOST_SHOWN]
    ]


@lru_cache(maxsize=256)
def _proposed(
    root: RootedCard, texts: tuple[ProjectText, ...], rejected: frozenset[Phrase]
) -> list[Proposal]:
    systems = {f"{text.kind} {text.name}": list(text.words) for text in texts if text.kind == "system"}
    references = {f"{text.kind} {text.name}": list(text.words) for text in texts if text.kind == "reference"}
    return propose(root.network, systems, references, rejected=rejected, options=SEARCH)


def _with_typed_cards(
    found: Sequence[Proposal],
    cards: Cards,
    made: Compiled,
    texts: Sequence[ProjectText],
    rejected: Collection[tuple[str, str]],
    normalisation: Normalisation,
) -> list[Proposal]:
    """Proposals for cards that people typed: those for `[PM]'s` are for `PM`, and save what they save there."""
    ids = {card.name: card.id for card in cards.values()}
    kept = {one.phrase: one for one in found if one.phrase.card not in made.joined}
    for one in [one for one in found if one.phrase.card in made.joined][:MOST_SHOWN]:
        call = made.joined[one.phrase.card]
        id, text = ids[call.name], _without_joined(one.phrase.phrase, call, normalisation)
        phrase = one.phrase._replace(card=call.name, phrase=text)
        if not text or phrase in kept or (id, text) in rejected:
            continue
        op = {"op": "add", "card": id, "phrase": as_typed(text, normalisation.unit, made.joined)}
        try:
            after = whole_sentence(compiled(changed(cards, op, 0).on(cards), normalisation))
            before = whole_sentence(made)
            assert before is not None
            assert after is not None
            words = tuple(each.words for each in texts)
            pairs = zip(texts, aligned(before, words), aligned(after, words), strict=True)
        except FstmetricsError:
            continue
        evidence = tuple(
            Evidence(f"{each.kind} {each.name}", each.kind, distance(old), distance(new))
            for each, old, new in pairs
            if distance(new) < distance(old)
        )
        if evidence:
            instead = _without_joined(one.instead, call, normalisation)
            kept[phrase] = replace(one, phrase=phrase, evidence=evidence, instead=instead)
    return sorted(kept.values(), key=lambda one: -one.saved)


def _without_joined(phrase: str, call: Joined, normalisation: Normalisation) -> str:
    """A phrase without the words that are joined to it; "" where it does not have them."""
    before, behind = (" ".join(normalisation.words(side)) for side in (call.before, call.behind))
    if phrase.startswith(before) and phrase.endswith(behind) and len(phrase) > len(before) + len(behind):
        return phrase[len(before) : len(phrase) - len(behind)].strip()
    return ""


def _can_be_typed(phrase: Phrase, normalisation: Normalisation, joined: Mapping[str, Joined]) -> bool:
    """Whether a phrase has the same words when somebody types it: a tokenizer may cut ends of sentences otherwise."""
    text = as_typed(phrase.phrase, normalisation.unit, joined)
    rows = [each.row for each in worded_phrases(text, normalisation)]
    return rows == [tokens_as_typed(phrase.phrase, joined)]


def as_typed(phrase: str, unit: Unit, joined: Mapping[str, Joined]) -> str:
    """A proposed phrase as somebody would type it."""
    return typed_text([phrase], unit, joined)


def _shown(
    one: Proposal, card: TypedCard, texts: int, normalisation: Normalisation, joined: Mapping[str, Joined]
) -> dict[str, Any]:
    placed = placed_choice(
        card.text, one.instead, one.phrase.phrase, normalisation=normalisation, joined=joined
    )
    evidence = [
        {"name": each.name.partition(" ")[2], "kind": each.kind, "before": each.before, "after": each.after}
        for each in one.evidence
    ]
    return {
        "id": one.id, "card": card.id, "name": one.phrase.card, "phrase": one.phrase.phrase,
        "text": as_typed(one.phrase.phrase, normalisation.unit, joined), "saved": one.saved, "closer": one.closer,
        "texts": texts,
        "instead": one.instead, "removed": list(one.removed), "added": list(one.added), "left": list(one.left),
        "right": list(one.right), "evidence": evidence,
        "choice": None if placed is None else {"before": placed.before, "after": placed.after},
    }  # fmt: skip


def rejected_phrases(project: Project, sentence: int, annotator: Annotator) -> frozenset[tuple[str, str]]:
    """The phrases that are not proposed to an annotator of a sentence any more, with the ids of their cards."""
    found = answered(project.events(REJECTED, sentence))
    return frozenset((card, phrase) for name, _, card, phrase in found if name == annotator.name)


def answered(events: Iterable[LoggedEvent]) -> dict[tuple[str, int | None, str, str], bool]:
    """The phrases that are not proposed any more, by annotator, sentence, card and phrase: whether they were rejected,
    rather than added with another text. What was undone is not among them."""
    found: dict[tuple[str, int | None, str, str], bool] = {}
    for event in events:
        key = (event.annotator, event.sentence, event.data["card"], event.data["phrase"])
        if event.data.get("undone"):
            found.pop(key, None)
        else:
            found[key] = not event.data.get("edited", False)
    return found


def answer_mark(card: str, phrase: str, edited: bool) -> Mark:
    """That a phrase of a card was rejected, or added with another text."""
    about = {"card": card, "phrase": phrase}
    return Mark(REJECTED, about | ({"edited": True} if edited else {}), about | {"undone": True})
