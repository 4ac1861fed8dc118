"""Distances of outputs to a network: `aligned` finds the closest paths, `distance` counts edits and moves; `held_back`:
what accepted phrases do for outputs that did not suggest them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from fstmetrics.data.cards import parse_phrase, write_phrase
from fstmetrics.data.network import Network
from fstmetrics.engine.network_words import adopted, left_for
from fstmetrics.engine.results import Result
from fstmetrics.engine.search import DEFAULT, SearchOptions, search_items
from fstmetrics.metrics import Metric
from fstmetrics.metrics.hyter import HyTER
from fstmetrics.networks.cards_used import cards_taken
from fstmetrics.networks.new_phrases import Phrase
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import PLAIN, Normalisation

Kind = Literal["system", "reference"]
Outputs = Mapping[str, str | Sequence[str]]


def distance_metric(metric: object) -> Metric:
    """The metric of distances, by default HyTER; raises FstmetricsError for one that is no error rate."""
    if metric is None:
        return HyTER()
    if not isinstance(metric, Metric) or metric.recognition:
        raise FstmetricsError(
            f"{getattr(metric, 'name', metric)} counts no edits to a closest path: hyter, wer and sclite do"
        )
    return metric


def by_words(network: Network, normalisation: Normalisation) -> tuple[Network, Normalisation]:
    """A network and what is left to be done, for outputs that are cut already (`outputs_of`) as its words are.

    Raises:
        FstmetricsError: as of `left_for`.
    """
    if network.tokenize is None and not network.lowercase:
        return network, normalisation
    left = left_for(network, adopted(network, normalisation))
    return network.changed(tokenize=None, lowercase=False), left


class Output(NamedTuple):
    """A sentence that is compared with a network, and what it is of."""

    name: str
    kind: Kind
    text: str | Sequence[str]


def outputs_of(systems: Outputs, references: Outputs, network: Network) -> list[Output]:
    """Systems and references in one list, cut as the words of a network are that says how.

    Raises:
        FstmetricsError: two of the same name.
    """
    if twice := [name for name in references if name in systems]:
        raise FstmetricsError(f"a system and a reference are both called {twice[0]!r}")
    own = Normalisation(network.tokenize, network.lowercase, unit=network.unit or "word")
    says = network.unit is not None or own != PLAIN
    cut = own.words if says else lambda text: text
    return [
        *(Output(name, "system", cut(text)) for name, text in systems.items()),
        *(Output(name, "reference", cut(text)) for name, text in references.items()),
    ]


def aligned(
    network: Network,
    outputs: Sequence[Output],
    metric: Metric,
    normalisation: Normalisation,
    options: SearchOptions,
) -> list[Result]:
    """The closest path of each output."""
    if not outputs:
        return []
    if network.unit is not None:
        normalisation = replace(normalisation, unit=network.unit)
    items = [(network.id or None, output.text, network) for output in outputs]
    return list(search_items(items, metric, 1, normalisation, options))


def distance(result: Result) -> float:
    """Edits and moves to the closest path, by the metric's costs; a whole number where they are."""
    found = result.metric.numerator(result.totals)
    return found.numerator if found.denominator == 1 else float(found)


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
