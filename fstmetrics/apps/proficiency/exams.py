"""Generated examinations: `generated_exams`. The papers' exams are not public, so what is shown is shown on these.

A translator of a level makes mistakes at a rate of that level's: words dropped, added, replaced, moved, away from a
random path of the sentence's network. Levels go by the scale of the Interagency Language Roundtable, as in [H12 §5].
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from fstmetrics import Card, Network

LEVELS = ("0", "0+", "1", "1+", "2", "2+", "3", "3+")
PASSAGES, SENTENCES = 3, 4
# Mistakes per word: of level 0, and how far each level is from the one below.
WORST, STEP = 0.62, 0.082
# How much translators of one level differ, in mistakes per word.
SPREAD = 0.018
# Graders also accept the next level where a translator is this much of a level away from their own.
DOUBT = 0.25
VOCABULARY = 2000


@dataclass(frozen=True)
class Exam:
    """One translator's examination.

    Attributes:
        id: its name.
        sentences: pairs of passage and (translation, network), passage by passage.
        levels: the levels that graders accept for it, one or two.
    """

    id: str
    sentences: tuple[tuple[str, str, Network], ...]
    levels: frozenset[str]


def generated_exams(count: int, seed: int) -> Iterator[Exam]:
    """Examinations of three passages of four sentences each, from a seed; the same seed gives the same ones."""
    rng = random.Random(seed)
    networks = [_network(rng, f"n{i}") for i in range(PASSAGES * SENTENCES)]
    for number in range(count):
        level = rng.randrange(len(LEVELS))
        rate = min(0.9, max(0.0, rng.gauss(WORST - STEP * level, SPREAD)))
        sentences = tuple(
            (f"exam{number}", _translation(rng, network, rate), network) for network in networks
        )
        beyond = (WORST - rate) / STEP - level  # in levels
        accepted = {level}
        if abs(beyond) > DOUBT:
            accepted.add(min(max(level + (1 if beyond > 0 else -1), 0), len(LEVELS) - 1))
        yield Exam(f"exam{number}", sentences, frozenset(LEVELS[i] for i in accepted))


def _word(rng: random.Random) -> str:
    """Zipf's law, roughly: small numbers are frequent."""
    return f"w{int(VOCABULARY ** rng.random())}"


def _network(rng: random.Random, name: str) -> Network:
    """A sentence of about 24 words: eight choices of phrases in a row."""
    cards = []
    for i in range(8):
        phrases = {" ".join(_word(rng) for _ in range(rng.randint(2, 4))) for _ in range(rng.randint(2, 6))}
        cards.append(Card.from_phrases(f"P{i}", sorted(phrases)))
    cards.append(Card.from_phrases("S", [" ".join(f"[P{i}]" for i in range(8))]))
    return Network(cards, "S", id=name)


def _translation(rng: random.Random, network: Network, rate: float) -> str:
    phrases = [rng.choice(network.cards[f"P{i}"].phrases or ("",)).split() for i in range(8)]
    out: list[str] = []
    for word in (word for phrase in phrases for word in phrase):
        if rng.random() >= rate:
            out.append(word)
            continue
        mistake = rng.choice(("drop", "add", "replace", "replace", "move"))
        if mistake == "add":
            out += [word, _word(rng)]
        elif mistake == "replace":
            out.append(_word(rng))
        elif mistake == "move":
            out.insert(max(0, len(out) - 1), word)
    return " ".join(out)
