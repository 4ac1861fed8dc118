"""Systems of which one is worse than the next, with made-up human scores; what `correlate` prints of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from command import Outcome, written


def texts(folder: Path) -> dict[str, Path]:
    """Outputs, references and made-up human scores as files."""
    systems, references = outputs(3)
    found = {
        name: written(folder / f"{name}.txt", "\n".join(lines) + "\n") for name, lines in systems.items()
    }
    found["ref"] = written(folder / "ref.txt", "\n".join(references) + "\n")
    rows = ["system\tsegment\thuman"]
    for rank, name in enumerate(systems):
        rows += [f"{name}\t{i + 1}\t{50 - 5 * rank - (i * 7 + rank) % 11}" for i in range(len(references))]
    found["human"] = written(folder / "human.tsv", "\n".join(rows) + "\n")
    return found


def value(summary: dict[str, Any], metric: str, level: str, coefficient: str, size: int | None = None) -> Any:
    key = (metric, level, coefficient, size)
    (found,) = [
        c["value"]
        for c in summary["correlations"]
        if (c["metric"], c["level"], c["coefficient"], c["size"]) == key
    ]
    return found


def refused(outcome: Outcome, *parts: str) -> None:
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    for part in parts:
        assert part in outcome.err


def outputs(seed: int) -> tuple[dict[str, list[str]], list[str]]:
    """Systems that get more and more words wrong."""
    chance = np.random.default_rng(seed)
    references = [" ".join(chance.choice(list("abcdefgh"), size=10)) for _ in range(60)]

    def spoilt(text: str, share: float) -> str:
        return " ".join("x" if chance.random() < share else word for word in text.split())

    return {name: [spoilt(r, i / 20) for r in references] for i, name in enumerate("stuv", 1)}, references
