"""The distance of every system's output to what all annotators wrote for its sentence: `SentenceDistances`."""

from __future__ import annotations

import threading

from fstmetrics.apps.annotate.project_store import Project
from fstmetrics.apps.annotate.rooted_cards import whole_sentence
from fstmetrics.apps.annotate.sentence_cards import compiled
from fstmetrics.apps.annotate.typing_feedback import SEARCH
from fstmetrics.data.network import Network
from fstmetrics.engine.search import search_items
from fstmetrics.metrics.hyter import HyTER
from fstmetrics.networks.distances import distance
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.text.normalisation import PLAIN


class SentenceDistances:
    """Distances, kept until somebody changes the sentence."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[object, dict[str, float]]] = {}
        self._one = threading.Lock()

    def of(self, project: Project, sentence: int) -> dict[str, float]:
        """By system, the distance to the nearest of the annotators' networks and of the references; where there is
        neither, all words of the output."""
        annotated = project.annotated(sentence)
        key = tuple((who.id, tuple(cards.values())) for who, cards in annotated.items())
        with self._one:
            kept = self._kept.get(sentence)
            if kept is not None and kept[0] == key:
                return kept[1]
        texts = project.texts(sentence)
        systems = [text for text in texts if text.kind == "system"]
        nearest: dict[str, float] = {}
        references: list[Network | list[str]] = [
            list(text.words) for text in texts if text.kind == "reference"
        ]
        for cards in annotated.values():
            if (root := whole_sentence(compiled(cards, project.normalisation))) is not None:
                references.append(root.network)
        for reference in references:
            items = [(None, list(text.words), reference) for text in systems]
            try:
                results = list(search_items(items, HyTER(), 1, PLAIN, SEARCH)) if items else []
            except FstmetricsError:  # too large to be searched at once
                continue
            for text, result in zip(systems, results, strict=True):
                nearest[text.name] = min(nearest.get(text.name, distance(result)), distance(result))
        found = {text.name: nearest.get(text.name, float(len(text.words))) for text in systems}
        with self._one:
            self._kept[sentence] = (key, found)
        return found
