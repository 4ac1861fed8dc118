"""The long-form speech translation of ../shared/data/st-omnisteval, and what OmniSTEval 0.1.7 made of it."""

from __future__ import annotations

import gzip
import json
import re
from typing import Any

import pytest
from places import SHARED

FOLDER = SHARED / "st-omnisteval"
OMNISTEVAL = pytest.mark.skipif(not FOLDER.is_dir(), reason="needs ../shared/data/st-omnisteval")


def lines(name: str) -> list[str]:
    """Of a file, without the ending .gz."""
    return gzip.decompress((FOLDER / f"{name}.gz").read_bytes()).decode().splitlines()


def instances() -> list[dict[str, Any]]:
    """SimulEval's log, a recording each."""
    return list(map(json.loads, lines("speech.instances.log")))


def recordings() -> dict[str, list[str]]:
    """The references of the segments of each recording."""
    found: dict[str, list[str]] = {}
    for line, reference in zip(
        lines("speech.ref_segments.yaml"), lines("speech.references.txt"), strict=True
    ):
        match = re.search(r"wav: (\S+)}", line)
        assert match
        found.setdefault(match[1], []).append(reference)
    return found


def resegmented(example: str) -> list[dict[str, Any]]:
    """What became of the segments of `speech` or `text`."""
    return list(map(json.loads, lines(f"{example}.expected.resegmented.jsonl")))


def scores(example: str) -> dict[str, float]:
    """What OmniSTEval printed."""
    rows = [line.split("\t") for line in (FOLDER / f"{example}.expected.scores.tsv").read_text().splitlines()]
    return {name: float(value) for name, value in rows[1:]}
