"""Alignments that prefer words that are spelled alike: against all alignments, one by one."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from command import fstmetrics, written

import fstmetrics as fm
from fstmetrics import _native

Pairs = tuple[tuple[str | None, str | None], ...]
WORDS = ("anna", "ana", "smith", "smyth", "Ä", "a", "naïve", "naive", "1")


def alignments(reference: tuple[str, ...], hypothesis: tuple[str, ...]) -> Iterator[Pairs]:
    """All there are, as pairs of a hypothesis and a reference word."""
    if not reference and not hypothesis:
        yield ()
    if reference:
        yield from (((None, reference[0]), *rest) for rest in alignments(reference[1:], hypothesis))
    if hypothesis:
        yield from (((hypothesis[0], None), *rest) for rest in alignments(reference, hypothesis[1:]))
    if reference and hypothesis:
        rest_of = alignments(reference[1:], hypothesis[1:])
        yield from (((hypothesis[0], reference[0]), *rest) for rest in rest_of)


@cache
def characters(one: str, other: str) -> int:
    """Edits of characters."""
    if not one or not other:
        return len(one) + len(other)
    changed = characters(one[1:], other[1:]) + (one[0] != other[0])
    return min(changed, characters(one[1:], other) + 1, characters(one, other[1:]) + 1)


def unlike(pairs: Pairs) -> int:
    """The sum over substitutions, in millionths."""
    return sum(
        characters(one, other) * 1_000_000 // max(len(one), len(other))
        for one, other in pairs
        if one and other and one != other
    )


def cost(pairs: Pairs, substitution: int, gap: int) -> tuple[int, int]:
    """The cost; then the most matches."""
    gaps = sum(None in pair for pair in pairs)
    matches = sum(one == other for one, other in pairs)
    return gap * gaps + substitution * (len(pairs) - gaps - matches), -matches


def beside(letters: str, reference: tuple[str, ...], hypothesis: tuple[str, ...]) -> Pairs:
    said, heard = iter(reference), iter(hypothesis)
    pairs = tuple((None if x == "D" else next(heard), None if x == "I" else next(said)) for x in letters)
    assert not [*said, *heard]
    for letter, (one, other) in zip(letters, pairs, strict=True):
        assert letter not in "=S" or (letter == "=") == (one == other)
    return pairs


@pytest.mark.parametrize("costs", [(1, 1), (4, 3)])
@pytest.mark.parametrize("seed", range(150))
def test_least_of_all_alignments(seed: int, costs: tuple[int, int]) -> None:
    rng = random.Random(seed)
    reference, hypothesis = (tuple(rng.choices(WORDS, k=rng.randint(0, 5))) for _ in range(2))
    found = beside(_native.similar_operations(reference, hypothesis, *costs, 10_000), reference, hypothesis)
    least = min(cost(each, *costs) for each in alignments(reference, hypothesis))
    best = [each for each in alignments(reference, hypothesis) if cost(each, *costs) == least]
    assert cost(found, *costs) == least
    assert unlike(found) == min(map(unlike, best))


REF = "we met anna smith today\nwe met smith anna today\nthe naive plan\n"
HYP = "we met smyth today\nwe met smyth today\na naïve plan\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    return str(written(tmp_path / "ref.txt", REF)), str(written(tmp_path / "hyp.txt", HYP))


def test_confusions_of_names(files: tuple[str, str]) -> None:
    def pairs(*options: str) -> list[tuple[str, str]]:
        found = fstmetrics("errors", *files, "--op", "S", "--json", *options).summary
        return [(each["reference"], each["hypothesis"]) for each in found["errors"]]

    assert ("smith", "smyth") in pairs("--prefer-similar")
    assert ("anna", "smyth") not in pairs("--prefer-similar")


@pytest.mark.parametrize("metric", ["wer", "sclite", "mer"])
def test_counts_stay_the_same(metric: str, files: tuple[str, str], tmp_path: Path) -> None:
    records, similar = (str(tmp_path / name) for name in ("a.jsonl", "b.jsonl"))
    fstmetrics("score", *files, "--metric", metric, "--alignment", "--output", records)
    options = ("--prefer-similar", "--style", "jsonl", "--sort", "file", "--limit", "0")
    fstmetrics("show", records, *options, "--output", similar)
    pairs: list[list[dict[str, Any]]] = [
        [json.loads(line) for line in Path(file).read_text().splitlines()] for file in (records, similar)
    ]
    for before, after in zip(*pairs, strict=True):
        assert {**before, "alignment": 0} == {**after, "alignment": 0}
    assert pairs[0] != pairs[1]
    assert fstmetrics("errors", similar).status == 0  # as records must be


def test_two_systems(files: tuple[str, str]) -> None:
    found = fstmetrics("errors", *files, "--against", files[0], "--prefer-similar")
    assert found.status == 0
    assert "hyp.txt" in found.out or "hyp" in found.out


def test_what_has_other_costs_is_refused(tmp_path: Path, files: tuple[str, str]) -> None:
    refused = fstmetrics("errors", *files, "--metric", "hyter", "--prefer-similar")
    assert refused.status == 2
    assert "wer, sclite" in refused.err
    ref = str(written(tmp_path / "wild.txt", "we <*> today\nwe met\nthe plan\n"))
    refused = fstmetrics("show", ref, files[1], "--alternations", "wildcards", "--prefer-similar")
    assert refused.status == 2
    assert "wildcard" in refused.err


def test_python_calls(files: tuple[str, str]) -> None:
    (first, *_) = fm.show_files(references=files[0], hypotheses=files[1], prefer_similar=True, sort="file")
    assert ("S", "smyth", "smith") in [pair[:3] for pair in first.alignment]
