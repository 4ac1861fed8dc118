"""Paths that people judge: is a sentence of a network grammatical, odd or wrong [H12 §2.4]?

First come the paths that are closest to some output or reference, as these decide scores, then paths at random. A wrong
path leads to the cards and phrases that made it; phrases of wrong paths that are in no fine one come first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fstmetrics import FstmetricsError, Network, Normalisation
from fstmetrics.apps.annotate.change_history import Mark
from fstmetrics.apps.annotate.placed_choices import typed_for
from fstmetrics.apps.annotate.project_store import LoggedEvent, Project, ProjectText
from fstmetrics.apps.annotate.rooted_cards import whole_sentence
from fstmetrics.apps.annotate.sentence_cards import Cards, compiled
from fstmetrics.apps.annotate.typed_alternatives import typed_text, typed_token
from fstmetrics.apps.annotate.typing_feedback import aligned
from fstmetrics.networks.cards_used import CardTaken, cards_taken
from fstmetrics.networks.paths import Paths
from fstmetrics.text.normalisation import PLAIN

JUDGED = "judge"
VERDICTS = ("grammatical", "odd", "wrong")
Words = tuple[str, ...]
# Of each path, what each judge says.
Verdicts = Mapping[Words, Mapping[str, str]]


def verdicts(project: Project, sentence: int) -> dict[Words, dict[str, str]]:
    """What judges said last of paths of a sentence, by words and judge."""
    found: dict[Words, dict[str, str]] = {}
    for (judge, _, words), verdict in judged_paths(project.events(JUDGED, sentence)).items():
        found.setdefault(words, {})[judge] = verdict
    return found


def judged_paths(events: Iterable[LoggedEvent]) -> dict[tuple[str, int | None, Words], str]:
    """What was said last of paths, by judge, sentence and words; what was taken back is not among it."""
    found: dict[tuple[str, int | None, Words], str] = {}
    for event in events:
        key = (event.annotator, event.sentence, tuple(event.data["words"]))
        found.pop(key, None)
        if event.data["verdict"] is not None:
            found[key] = event.data["verdict"]
    return found


def verdict_mark(words: Sequence[str], before: str | None, verdict: str | None) -> Mark:
    """That a path is judged, which was judged otherwise before, or not at all."""
    done, undone = ({"words": list(words), "verdict": each} for each in (verdict, before))
    return Mark(JUDGED, done, undone)


def paths_to_judge(
    cards: Cards,
    texts: Sequence[ProjectText],
    said: Verdicts,
    judge: str,
    seed: int = 0,
    samples: int = 10,
    normalisation: Normalisation = PLAIN,
) -> dict[str, Any]:
    """Paths of a network to be judged, with what `judge` said, where each comes from, and suspect phrases.

    Raises:
        SearchError: the network is too large.
    """
    made = compiled(cards, normalisation)
    root = whole_sentence(made)
    if root is None:
        return {"paths": [], "suspects": [], "judged": 0}
    network = root.network
    chosen: dict[Words, list[str]] = {}
    for text, result in zip(texts, aligned(root, tuple(text.words for text in texts)), strict=True):
        chosen.setdefault(result.closest, []).append(text.name)
    for words in Paths(network).some(samples, seed):
        chosen.setdefault(words, [])
    by_name = {card.name: card for card in cards.values()}

    def shown(name: str, phrase: str) -> dict[str, Any]:
        card = by_name[made.typed_name(name)]
        typed = typed_for(made.phrases[name], phrase)
        named = typed_token(made.joined[name]) if name in made.joined else name
        text = typed_text([phrase], normalisation.unit, made.joined)
        return {"card": card.id, "name": named, "phrase": phrase, "text": text, "typed": typed}

    rows = []
    for words, names in chosen.items():
        opinions = said.get(words, {})
        rows.append({
            "words": list(words), "closest_to": names, "verdict": opinions.get(judge),
            "others": sorted(verdict for name, verdict in opinions.items() if name != judge),
            "taken": [
                {"start": each.start, "end": each.end, **shown(each.card, each.phrase)}
                for each in _taken(network, words)
            ],
        })  # fmt: skip
    found = [{**shown(card, phrase), **counts} for card, phrase, counts in suspects(network, said)]
    return {"paths": rows, "suspects": found, "judged": len(said)}


def suspects(network: Network, said: Verdicts) -> list[tuple[str, str, dict[str, int]]]:
    """Cards and phrases on wrong paths that the network still has, with how many `fine` and `wrong` paths have them:
    those first that are on the fewest fine ones, then on the most wrong ones."""
    counts: dict[tuple[str, str], list[int]] = {}
    for words, opinions in said.items():
        wrong = "wrong" in opinions.values()
        for each in _taken(network, words):
            counts.setdefault((each.card, each.phrase), [0, 0])[wrong] += 1
    found = [
        (card, phrase, {"fine": fine, "wrong": wrong})
        for (card, phrase), (fine, wrong) in counts.items()
        if wrong
    ]
    return sorted(found, key=lambda one: (one[2]["fine"], -one[2]["wrong"], one[0]))


def _taken(network: Network, words: Words) -> tuple[CardTaken, ...]:
    """The cards and phrases of a path; none where the network has it no more."""
    try:
        return cards_taken(network, words)
    except FstmetricsError:
        return ()


def counted_verdicts(said: Verdicts) -> dict[str, int]:
    """How many paths were judged, and of these how many grammatical, and grammatical or odd, by at least one judge."""
    return {
        "judged": len(said),
        "grammatical": sum("grammatical" in opinions.values() for opinions in said.values()),
        "acceptable": sum(
            not {"grammatical", "odd"}.isdisjoint(opinions.values()) for opinions in said.values()
        ),
    }
