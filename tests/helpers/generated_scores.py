"""The table of scores that ships as an example: made by chance, from a fixed seed."""

from __future__ import annotations

import random
from collections.abc import Iterator

SYSTEMS = ("aspen", "birch", "cedar", "dogwood", "elm", "fir")
DOCUMENTS, LENGTH = 8, 5


def lines() -> Iterator[str]:
    """Systems differ a little in quality, segments much in difficulty; `wer` is the worse of the two metrics."""
    chance = random.Random(2014)
    yield "system\tsegment\tdocument\thuman\tscore\twer"
    difficulty = [chance.gauss(0, 9) for _ in range(DOCUMENTS * LENGTH)]
    for rank, system in enumerate(SYSTEMS):
        for segment, hard in enumerate(difficulty):
            quality = 70 - 2.5 * rank - hard + chance.gauss(0, 5)
            human = "" if chance.random() < 0.05 else str(max(0, min(100, round(quality))))
            score = f"{quality / 100 + chance.gauss(0, 0.06):.3f}"
            wer = f"{max(0.0, 1 - quality / 100 + chance.gauss(0, 0.15)):.3f}"
            yield f"{system}\t{segment + 1}\tdoc{segment // LENGTH + 1}\t{human}\t{score}\t{wer}"
