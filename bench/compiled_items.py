"""Items as the peer takes them: the machines of `fstmetrics.compile` in a folder (peers/machines.h)."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import fstmetrics as fm
from bench import peers

# No limit: which route can do with an item is the bench's to say.
LARGEST = 10**15


def folder_of(root: Path, hypothesis: Any, reference: Any, metric: fm.Metric, id: str) -> Path:
    """The folder of an item, written when it is first asked for.

    Args:
        root: where folders of items are.
        hypothesis, reference, metric: as of `fstmetrics.compile`.
        id: what nothing else with the same metric is called.

    Raises:
        MissingError: pynini is not installed.
    """
    peers.package("pynini")
    folder = root / f"item-{hashlib.sha256(f'{id} {metric.signature()}'.encode()).hexdigest()[:16]}"
    if folder.exists():
        return folder
    with fm.limited(expansion=LARGEST):
        machines = fm.compile(hypothesis, reference, metric, units=True)
        left, right = machines.factors
    (folder / "cards").mkdir(parents=True)
    named = {"h": machines.hypothesis, "t-left": left, "t-right": right}
    named |= {f"cards/{number}": card for number, card in enumerate(machines.cards.values(), 1)}
    for name, fst in named.items():
        fst.write(str(folder / f"{name}.fst"))
    (folder / "calls").write_text("".join(f"{label}\n" for label in machines.calls.values()))
    return folder
