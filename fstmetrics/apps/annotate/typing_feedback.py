"""What an annotator sees while typing: `feedback`, computed by the engine, quick enough for every letter.

Networks are kept by their content, with what the engine has prepared for them, so that what did not change is not
computed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from fstmetrics import FstmetricsError, HyTER, Network, Normalisation, Result, SearchOptions
from fstmetrics.apps.annotate.project_store import ProjectText
from fstmetrics.apps.annotate.rooted_cards import RootedCard, rooted_cards
from fstmetrics.apps.annotate.sentence_cards import ROOT_ID, ROOT_NAME, Cards, Compiled, compiled
from fstmetrics.apps.annotate.typed_alternatives import typed_token
from fstmetrics.data.cards import Call, write_label
from fstmetrics.engine.search import search_items
from fstmetrics.networks.distances import distance
from fstmetrics.networks.drawing import expanded_card
from fstmetrics.networks.paths import Paths
from fstmetrics.networks.pool import minimal_card
from fstmetrics.networks.sizes import NetworkInfo, network_info
from fstmetrics.networks.svg import MOST_ARCS, Drawing, card_drawing, shown_label
from fstmetrics.text.normalisation import PLAIN

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
            "paths": digits(self.paths), "strings": digits(self.strings), "shortest": self.shortest,
            "longest": self.longest,
        }  # fmt: skip


EMPTY = CardSizes(0, 0)


def feedback(
    cards: Cards,
    texts: Sequence[ProjectText],
    *,
    card: str = ROOT_ID,
    seed: int = 0,
    samples: int = 5,
    drawing: str = "card",
    normalisation: Normalisation = PLAIN,
) -> dict[str, Any]:
    """All that is shown of a card while somebody types; `README.md` has the fields.

    Args:
        cards: of a sentence.
        texts: references and outputs whose distance is shown.
        card: the id of the card that somebody looks at.
        seed: of the samples.
        samples: how many to draw.
        drawing: `card`, with its calls; `network`, with all that it calls written out; or `none`.
        normalisation: of the project.

    Raises:
        KeyError: no card of this id.
    """
    shown = cards[card]
    made = compiled(cards, normalisation)
    rooted = rooted_cards(made)
    found: dict[str, Any] = {
        "card": card,
        "phrases": [
            {
                "text": phrase.text,
                "error": phrase.error or (made.without_words(phrase) if card == ROOT_ID else ""),
                "waits_for": [n for n in phrase.calls if n in made.empty],
            }
            for phrase in made.phrases[shown.name]
        ],
        "sizes": {each.id: sizes(rooted.get(each.name)).as_dict() for each in cards.values()},
        "samples": [],
        "drawing": None,
    }
    if (own := rooted.get(shown.name)) is not None:
        found["samples"] = [list(words) for words in _samples(own.network, samples, seed)]
        found["drawing"] = _with_typed_calls(drawn(own, drawing), made)
    return found | distances(rooted.get(ROOT_NAME), texts)


def sizes(root: RootedCard | None) -> CardSizes:
    """How much a card holds; nothing, where it has no path."""
    return EMPTY if root is None else _sizes(root)


@lru_cache(maxsize=8192)
def _sizes(root: RootedCard) -> CardSizes:
    try:
        info: NetworkInfo = network_info(root.network, MOST_COUNTED_ARCS, MOST_SETS)
    except FstmetricsError:
        return CardSizes(None, None)
    return CardSizes(info.paths, info.strings, info.shortest, info.longest)


def digits(number: int | None) -> str | None:
    """A number as it is shown: of very many digits, how many; None where it is not counted."""
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


def _with_typed_calls(drawing: dict[str, Any] | None, made: Compiled) -> dict[str, Any] | None:
    """A drawing in which calls are shown as they were typed: `[PM]'s`."""
    if drawing is None or not made.joined:
        return drawing
    typed = {
        shown_label(write_label(Call(name))): shown_label(typed_token(call))
        for name, call in made.joined.items()
    }
    labels = [(x, y, [typed.get(line, line) for line in lines]) for x, y, lines in drawing["labels"]]
    return drawing | {"labels": labels}


def drawn(root: RootedCard, kind: str) -> dict[str, Any] | None:
    """A drawing for JSON; None where it is too large, or none is wanted."""
    found = None if kind == "none" else _drawing(root, kind)
    return None if found is None else found._asdict()


@lru_cache(maxsize=512)
def _drawing(root: RootedCard, kind: str) -> Drawing | None:
    card = root.card
    if kind == "network":
        try:
            card = expanded_card(root.network, MOST_ARCS)
        except FstmetricsError:
            return None
    if len(card.arcs) > 20 * MOST_ARCS:
        return None
    return card_drawing(minimal_card(card))


def distances(root: RootedCard | None, texts: Sequence[ProjectText]) -> dict[str, Any]:
    """Of each reference and output, its distance to the whole sentence's network, and the words that no path has."""
    if root is None:
        return {"distances": [], "unknown": [], "why": "no whole sentence has a path yet"}
    try:
        results = aligned(root, tuple(text.words for text in texts))
    except FstmetricsError as error:
        return {"distances": [], "unknown": [], "why": str(error)}
    known = frozenset(root.network.symbols.words)
    rows = [_row(text, result, known) for text, result in zip(texts, results, strict=True)]
    unknown: dict[str, int] = {}
    for row in rows:
        for word in row["unknown"]:
            unknown[word] = unknown.get(word, 0) + 1
    words = sorted(unknown.items(), key=lambda pair: (-pair[1], pair[0]))
    return {"distances": rows, "unknown": [list(pair) for pair in words], "why": ""}


@lru_cache(maxsize=512)
def aligned(root: RootedCard, texts: tuple[tuple[str, ...], ...]) -> tuple[Result, ...]:
    """The results of texts against the network of a card.

    Raises:
        SearchError: the network is too large for a search that answers at once.
    """
    if not texts:
        return ()
    return tuple(
        search_items([(None, list(words), root.network) for words in texts], HyTER(), 1, PLAIN, SEARCH)
    )


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
