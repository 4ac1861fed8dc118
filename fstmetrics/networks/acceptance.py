"""Sentences that a network is to accept or to reject, as a test of it: `network_accepts`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fstmetrics.data.network import Network
from fstmetrics.engine.network_words import adopted, left_for
from fstmetrics.engine.results import Result
from fstmetrics.engine.search import search
from fstmetrics.metrics.wer import WER
from fstmetrics.networks.cards_used import CardTaken, cards_taken
from fstmetrics.networks.new_phrases import Phrase
from fstmetrics.networks.proposals import propose
from fstmetrics.support.arguments import expect, instance, sentences_of
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import PLAIN, Normalisation

# Phrases that are shown for a sentence that is not accepted.
MOST_PHRASES = 3


@dataclass(frozen=True)
class Judged:
    """A sentence, and whether a network has it.

    Attributes:
        network: the network's id.
        sentence: as it was given.
        accept: whether it was to be accepted.
        result: its alignment with the closest path of the network, by the fewest edits.
        phrases: phrases of which each alone would bring a sentence that is not accepted closest to a path; none where
            the sentence is as wanted.
        completes: whether the sentence is accepted with one of them.
        taken: the phrases on the path of a sentence that is accepted though it was to be rejected: one has to go.
    """

    network: str
    sentence: str
    accept: bool
    result: Result
    phrases: tuple[Phrase, ...] = ()
    completes: bool = False
    taken: tuple[CardTaken, ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether some path of the network is the sentence."""
        return self.result.edits == 0

    @property
    def as_wanted(self) -> bool:
        """Whether it is accepted or rejected, as it was to be."""
        return self.accepted == self.accept

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "network": self.network,
            "sentence": self.sentence,
            "wanted": "accept" if self.accept else "reject",
            "accepted": self.accepted,
            "edits": self.result.edits,
            "closest": " ".join(self.result.closest),
            "phrases": [{"card": one.card, "phrase": one.phrase} for one in self.phrases],
            "completes": self.completes,
            "taken": [{"card": one.card, "phrase": one.phrase} for one in self.taken],
        }


def network_accepts(
    network: Network,
    accept: Iterable[str | Sequence[str]],
    reject: Iterable[str | Sequence[str]] = (),
    normalisation: Normalisation = PLAIN,
) -> list[Judged]:
    """Whether a network accepts the sentences that it should, and rejects those that it should not.

    Args:
        network: of one sentence.
        accept: sentences of which each should be a path.
        reject: sentences of which none should be one.
        normalisation: changes to the words of both sides; the tokenizer and case of a network that says them count.

    Returns:
        All sentences, in order, those to be accepted first.

    Raises:
        FstmetricsError: a sentence that is on both sides, or a tokenizer that is not the network's.

    >>> from fstmetrics import Card
    >>> network = Network([Card.from_phrases("S", ["the [PM] spoke"]), Card.from_phrases("PM", ["premier", "PM"])], "S")
    >>> wrong = [one for one in network_accepts(network, ["the head spoke"], ["the PM spoke"]) if not one.as_wanted]
    >>> [(" ".join(one.result.closest), one.result.edits) for one in wrong]
    [('the premier spoke', 1), ('the PM spoke', 0)]
    >>> wrong[0].phrases[0].phrase, wrong[0].completes, wrong[1].taken[1].phrase
    ('head', True, 'PM')
    """
    instance(Network).check(network, "network")
    expect(normalisation, Normalisation, "normalisation")
    wanted = [(text, True) for text in sentences_of(accept, "accept")]
    wanted += [(text, False) for text in sentences_of(reject, "reject")]
    if not wanted:
        return []
    normalisation = adopted(network, normalisation)
    words = [tuple(normalisation.of_hypotheses.words(text)) for text, _ in wanted]
    refused = {found for found, (_, accepted) in zip(words, wanted, strict=True) if not accepted}
    for found, (text, accepted) in zip(words, wanted, strict=True):
        if accepted and found in refused:
            raise FstmetricsError(f"the sentence {_text(text)!r} is both to be accepted and to be rejected")
    texts = [text for text, _ in wanted]
    results = search(None, texts, [network] * len(texts), WER(), normalisation=normalisation)
    return [
        _judged(network, text, accepted, result, normalisation)
        for (text, accepted), result in zip(wanted, results, strict=True)
    ]


def _text(text: str | Sequence[str]) -> str:
    return text if isinstance(text, str) else " ".join(text)


def _judged(
    network: Network,
    text: str | Sequence[str],
    accept: bool,
    result: Result,
    normalisation: Normalisation,
) -> Judged:
    found = Judged(network.id, _text(text), accept, result)
    if found.as_wanted:
        return found
    if not accept:
        taken = cards_taken(network, result.closest, left_for(network, normalisation))
        return Judged(network.id, found.sentence, accept, result, taken=taken)
    if normalisation.unit != "word" or normalisation.needs_sentences or network.has_costs:
        return found
    proposals = propose(network, {"sentence": text}, metric=WER(), normalisation=normalisation, longest=0)
    best = [one for one in proposals if one.saved == proposals[0].saved][:MOST_PHRASES]
    completes = bool(best) and best[0].saved == result.edits
    return Judged(network.id, found.sentence, accept, result, tuple(one.phrase for one in best), completes)
