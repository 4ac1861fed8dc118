"""What an annotator sees while typing: `feedback`, computed by the engine, quick enough for every letter.

Networks are kept by their content, with what the engine has prepared for them, so that what did not change is not
computed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from fstmetrics.annotate.project_store import ProjectText, SourceSentence
from fstmetrics.annotate.sentence_cards import ROOT_ID, ROOT_NAME, Cards, Compiled, compiled
from fstmetrics.annotate.typed_alternatives import typed_phrases
from fstmetrics.metrics import HyTER
from fstmetrics.networks.calls import callees_first
from fstmetrics.networks.distances import distance
from fstmetrics.networks.drawing import expanded_card
from fstmetrics.networks.paths import Paths
from fstmetrics.networks.pool import minimal_card
from fstmetrics.networks.sizes import NetworkInfo, network_info
from fstmetrics.networks.svg import MOST_ARCS, Drawing, card_drawing
from fstmetrics.scoring.results import Result
from fstmetrics.scoring.search import SearchOptions, search_items
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.values.cards import Card
from fstmetrics.values.network import Network
from fstmetrics.values.normalisation import PLAIN

# Searches and counts stop here, within about a second; networks of 10^12 paths need a hundredth of it.
SEARCH = SearchOptions(max_expanded_arcs=500_000, max_cells=20_000_000, max_nodes=500_000)
# Distinct strings are counted in expansions of so many arcs, with so many sets of states: within a tenth of a second.
MOST_COUNTED_ARCS, MOST_SETS = 50_000, 20_000
MOST_SAMPLES = 50
# Digits of a number that is shown.
MOST_DIGITS = 400


class CardSizes(NamedTuple):
    """How much a card holds: paths, distinct strings, and the words of the shortest and longest; None where not
    counted."""

    paths: int | None
    strings: int | None
    shortest: int = 0
    longest: int | None = 0

    def as_dict(self) -> dict[str, Any]:
        """For JSON: numbers that may be beyond 2^53 as strings."""
        return {
            "paths": _digits(self.paths), "strings": _digits(self.strings), "shortest": self.shortest,
            "longest": self.longest,
        }  # fmt: skip


EMPTY = CardSizes(0, 0)


def feedback(
    sentence: SourceSentence,
    cards: Cards,
    texts: Sequence[ProjectText],
    *,
    card: str = ROOT_ID,
    seed: int = 0,
    samples: int = 5,
    drawing: str = "card",
) -> dict[str, Any]:
    """All that is shown of a card while somebody types; `README.md` has the fields.

    Args:
        sentence: the sentence.
        cards: its cards.
        texts: references and outputs whose distance is shown.
        card: the id of the card that somebody looks at.
        seed: of the samples.
        samples: how many to draw.
        drawing: `card`, with its calls; `network`, with all that it calls written out; or `none`.

    Raises:
        KeyError: no card of this id.
    """
    shown = cards[card]
    made = compiled(cards)
    found: dict[str, Any] = {
        "card": card,
        "phrases": [
            {
                "text": phrase.text,
                "error": phrase.error,
                "waits_for": [n for n in phrase.calls if n in made.empty],
            }
            for phrase in typed_phrases(shown.text)
        ],
        "sizes": {each.id: sizes(made, each.name).as_dict() for each in cards.values()},
        "samples": [],
        "drawing": None,
    }
    if shown.name in made.cards:
        network = kept_network(closure(made, shown.name), shown.name)
        found["samples"] = [list(words) for words in _samples(network, samples, seed)]
        found["drawing"] = drawn(network, shown.name, drawing)
    return found | distances(made, texts)


def closure(made: Compiled, name: str) -> tuple[Card, ...]:
    """A card and all that it calls, callees first."""
    return tuple(made.cards[each] for each in callees_first(lambda n: list(made.cards[n].calls()), [name]))


@lru_cache(maxsize=512)
def kept_network(cards: tuple[Card, ...], root: str) -> Network:
    """A network, the same object for the same cards."""
    return Network(cards, root)


def sizes(made: Compiled, name: str) -> CardSizes:
    """How much a card holds."""
    return sizes_of(closure(made, name), name) if name in made.cards else EMPTY


@lru_cache(maxsize=8192)
def sizes_of(cards: tuple[Card, ...], root: str) -> CardSizes:
    """How much the root of some cards holds."""
    try:
        info: NetworkInfo = network_info(kept_network(cards, root), MOST_COUNTED_ARCS, MOST_SETS)
    except FstmetricsError:
        return CardSizes(None, None)
    return CardSizes(info.paths, info.strings, info.shortest, info.longest)


def _digits(number: int | None) -> str | None:
    if number is None:
        return None
    # Python does not write numbers of more than 4300 digits; nobody reads half as many.
    return (
        str(number) if number.bit_length() < 3 * MOST_DIGITS else f"10^{int(number.bit_length() * 0.30103)}"
    )


def _samples(network: Network, size: int, seed: int) -> Iterable[tuple[str, ...]]:
    try:
        return list(Paths(network).sample(min(size, MOST_SAMPLES), seed))
    except FstmetricsError:
        return []


def drawn(network: Network, name: str, kind: str) -> dict[str, Any] | None:
    """A drawing for JSON; None where it is too large, or none is wanted."""
    if kind == "none":
        return None
    found = _drawing(tuple(network.cards.values()), name, kind)
    return None if found is None else found._asdict()


@lru_cache(maxsize=512)
def _drawing(cards: tuple[Card, ...], root: str, kind: str) -> Drawing | None:
    network = kept_network(cards, root)
    card = network.cards[root]
    if kind == "network":
        try:
            card = expanded_card(network, MOST_ARCS)
        except FstmetricsError:
            return None
    if len(card.arcs) > 20 * MOST_ARCS:
        return None
    return card_drawing(minimal_card(card))


def distances(made: Compiled, texts: Sequence[ProjectText]) -> dict[str, Any]:
    """Of each reference and output, its distance to the whole sentence's network, and the words that no path has."""
    if ROOT_NAME not in made.cards:
        return {"distances": [], "unknown": [], "why": "no whole sentence has a path yet"}
    cards = closure(made, ROOT_NAME)
    try:
        results = aligned(cards, ROOT_NAME, tuple(text.words for text in texts))
    except FstmetricsError as error:
        return {"distances": [], "unknown": [], "why": str(error)}
    known = frozenset(kept_network(cards, ROOT_NAME).symbols.words)
    rows = [_row(text, result, known) for text, result in zip(texts, results, strict=True)]
    unknown: dict[str, int] = {}
    for row in rows:
        for word in row["unknown"]:
            unknown[word] = unknown.get(word, 0) + 1
    words = sorted(unknown.items(), key=lambda pair: (-pair[1], pair[0]))
    return {"distances": rows, "unknown": [list(pair) for pair in words], "why": ""}


@lru_cache(maxsize=512)
def aligned(cards: tuple[Card, ...], root: str, texts: tuple[tuple[str, ...], ...]) -> tuple[Result, ...]:
    """The results of texts against a network of cards.

    Raises:
        SearchError: the network is too large for a search that answers at once.
    """
    if not texts:
        return ()
    network = kept_network(cards, root)
    return tuple(search_items([(None, list(words), network) for words in texts], HyTER(), 1, PLAIN, SEARCH))


def _row(text: ProjectText, result: Result, known: frozenset[str]) -> Mapping[str, Any]:
    return {
        "name": text.name,
        "kind": text.kind,
        "distance": distance(result),
        "words": len(text.words),
        "closest": list(result.closest),
        "alignment": [[pair.op, pair.hypothesis, pair.reference] for pair in result.alignment],
        "unknown": list(dict.fromkeys(word for word in text.words if word not in known)),
    }
