"""What accepted phrases do for outputs that did not suggest them: `held_back`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from fstmetrics.data.cards import parse_phrase, write_phrase
from fstmetrics.data.network import Network
from fstmetrics.engine.search import DEFAULT, SearchOptions
from fstmetrics.metrics import Metric
from fstmetrics.networks.cards_used import cards_taken
from fstmetrics.networks.distances import Outputs, aligned, by_words, distance, distance_metric, outputs_of
from fstmetrics.networks.new_phrases import Phrase
from fstmetrics.text.normalisation import PLAIN, Normalisation


@dataclass(frozen=True, slots=True)
class HeldBack:
    """What accepted phrases do for outputs that did not suggest them; sums over sentences add up.

    Attributes:
        outputs: how many there are.
        words: of these outputs.
        before, after: their distances, added up.
        closer: how many come closer.
        through: how many closest paths take a phrase that was added.
        used: phrases that were added and are on the closest path of at least one output.
        added: phrases that were added.
    """

    outputs: int = 0
    words: int = 0
    before: float = 0
    after: float = 0
    closer: int = 0
    through: int = 0
    used: int = 0
    added: int = 0

    def __add__(self, other: HeldBack) -> HeldBack:
        return HeldBack(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    def as_dict(self) -> dict[str, float]:
        """For JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


def held_back(
    network: Network,
    wider: Network,
    phrases: Collection[Phrase],
    outputs: Outputs,
    *,
    metric: Metric | None = None,
    normalisation: Normalisation = PLAIN,
    options: SearchOptions = DEFAULT,
) -> dict[str, HeldBack]:
    """Of every output, its distance to a network before and after phrases were accepted, and what it takes of them.

    Args:
        network: before.
        wider: after, as `accept` made it.
        phrases: those that were accepted.
        outputs: by name; they should not be among those that `propose` saw.
        metric, normalisation, options: as of `propose`.

    >>> from fstmetrics import Card, Network
    >>> from fstmetrics.networks import accept
    >>> cards = [Card.from_phrases("S", ["the [PM] spoke"]), Card.from_phrases("PM", ["prime minister"])]
    >>> network, phrase = Network(cards, "S"), Phrase("", "PM", "premier")
    >>> found = held_back(network, accept(network, [phrase]), [phrase], {"c": "a premier spoke"})["c"]
    >>> found.before, found.after, found.used
    (3, 1, 1)
    """
    metric = distance_metric(metric)
    rows = outputs_of(outputs, {}, network)
    (network, _), (wider, normalisation) = (by_words(one, normalisation) for one in (network, wider))
    before, after = (aligned(one, rows, metric, normalisation, options) for one in (network, wider))
    new = {(phrase.card, write_phrase(parse_phrase(phrase.phrase))) for phrase in phrases}
    found: dict[str, HeldBack] = {}
    for row, one, other in zip(rows, before, after, strict=True):
        taken = {(each.card, each.phrase) for each in cards_taken(wider, other.closest, normalisation)} & new
        closer = int(other.totals.units < one.totals.units)
        words = one.totals.hypothesis_length
        found[row.name] = HeldBack(
            1, words, distance(one), distance(other), closer, int(bool(taken)), len(taken), len(new)
        )
    return found
