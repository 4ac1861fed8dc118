"""How far annotators agree on a sentence: `agreement`, with the union of their networks and SPU [H12 §2.3, §2.4]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from typing import Any

from fstmetrics import Card, FstmetricsError, Network, Normalisation
from fstmetrics.apps.annotate.project_store import ProjectText
from fstmetrics.apps.annotate.rooted_cards import RootedCard, root_of, whole_sentence
from fstmetrics.apps.annotate.sentence_cards import ROOT_NAME, Cards, compiled
from fstmetrics.apps.annotate.typing_feedback import aligned, sizes
from fstmetrics.networks.distances import distance
from fstmetrics.networks.paths import Paths
from fstmetrics.networks.unions import spu, union
from fstmetrics.text.normalisation import PLAIN

# Paths of each network that are looked for in the others: all of them where they are so few, else so many drawn.
LISTED, DRAWN = 1000, 200


def agreement(
    cards: Mapping[str, Cards], texts: Sequence[ProjectText], normalisation: Normalisation = PLAIN
) -> dict[str, Any]:
    """Sizes of every annotator's network, of the union and of SPU; how far each has the sentences of the others.

    Args:
        cards: of each annotator who has some for a sentence, by name.
        texts: references and outputs, of which each network's distance is told.
        normalisation: of the project.

    Returns:
        For JSON: `networks` (with `distance` and `words`, both added up over the references), and `pairs`: of
        the paths of `one` the share that `other` has, and their HyTER against it. `exact` says whether all paths were
        looked at; else, of more than 1,000, 200 were drawn uniformly.
    """
    made = {name: compiled(each, normalisation) for name, each in cards.items()}
    roots = {name: whole_sentence(each) for name, each in made.items()}
    parts = {name: root for name, root in roots.items() if root is not None}
    references = tuple(text.words for text in texts if text.kind == "reference")
    networks = [_row(name, each, references) for name, each in parts.items()]
    if len(parts) > 1:
        for name in ("union", "spu"):
            combined = _combined(name, tuple(tuple(made[part].cards.values()) for part in parts))
            if combined is not None:
                networks.append(_row(name, combined, references))
    pairs = [{"one": a, "other": b, **_share(parts[a], parts[b])} for a, b in permutations(parts, 2)]
    return {"networks": networks, "pairs": pairs}


@lru_cache(maxsize=64)
def _combined(how: str, parts: tuple[tuple[Card, ...], ...]) -> RootedCard | None:
    try:
        networks = [Network(cards, ROOT_NAME) for cards in parts]
        return root_of((spu if how == "spu" else union)(*networks))
    except FstmetricsError:
        return None


def _row(name: str, root: RootedCard, references: tuple[tuple[str, ...], ...]) -> dict[str, Any]:
    row: dict[str, Any] = {"name": name, **sizes(root).as_dict(), "distance": None, "words": None}
    try:
        results = aligned(root, references)
    except FstmetricsError:
        return row
    return row | {
        "distance": sum(map(distance, results)),
        "words": sum(len(result.closest) for result in results),
    }


@lru_cache(maxsize=256)
def _share(one: RootedCard, other: RootedCard) -> dict[str, Any]:
    try:
        paths = Paths(one.network)
        exact = paths.count <= LISTED
        results = aligned(other, tuple(paths if exact else paths.sample(DRAWN, 1)))
    except FstmetricsError:
        return {"share": None, "hyter": None, "exact": False}
    words = sum(len(result.closest) for result in results)
    edits = sum(map(distance, results))
    return {
        "share": sum(not distance(result) for result in results) / len(results),
        "hyter": edits / words if words else None,
        "exact": exact,
    }
