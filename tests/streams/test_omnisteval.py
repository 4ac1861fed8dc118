"""Latency beside OmniSTEval's own scorers, and cuts beside its own alignment, on random segments."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import fstmetrics as fm
from fstmetrics.streams.soft import soft_cuts

scoring = pytest.importorskip("omnisteval.scoring", reason="no omnisteval here")
alignment = pytest.importorskip("omnisteval.alignment", reason="no omnisteval here")


@pytest.mark.parametrize("is_long", [False, True])
def test_latency(is_long: bool) -> None:
    from omnisteval.data import Instance

    draw = random.Random(11)
    ours, theirs = [], []
    for _ in range(500):
        length, words = draw.randint(500, 6000), draw.randint(1, 9)
        least, end = (-500.0, float(draw.randint(length, 9000))) if is_long else (0.0, None)
        delays = sorted(
            draw.choice([draw.uniform(least, 1.3 * length), length]) for _ in range(draw.randint(0, 9))
        )
        ours.append(fm.latency(delays, length, words, end))
        theirs.append(Instance("", " ".join("a" * words), "word", 0, length, delays, None, end))
    counted = 0
    for place, name in enumerate(fm.Latency._fields):
        for one, other in zip(ours, theirs, strict=True):
            scorer = getattr(scoring, f"{name.upper()}Scorer")(
                **({"is_longform": is_long} if name == "yaal" else {})
            )
            found, value = scorer([replace(other, metrics={})]), one[place]
            assert found != found if value is None else found == pytest.approx(value, rel=1e-12)
            counted += value is not None
    assert counted > 2000


def test_cuts() -> None:
    """The pieces are words here; the beginning of a stream, where OmniSTEval loses words, has a piece that fits."""
    draw = random.Random(12)
    for _ in range(200):
        references = [draw.choices(["ab", "bc", "cd", ".", "ad,"], k=draw.randint(1, 5)) for _ in range(3)]
        hypothesis = [references[0][0], *draw.choices(["ab", "b", "cd", ".", "ad,"], k=draw.randint(0, 12))]
        words = [alignment.Word(word, k) for k, segment in enumerate(references) for word in segment]
        aligned = alignment.align_sequences(words, [alignment.Word(word) for word in hypothesis], False)
        found = [word.seq_id for word in alignment.process_alignment(*aligned, False)]
        cuts = soft_cuts(references, hypothesis, "none")
        if len(found) == len(hypothesis):
            assert found == [k for k in range(3) for _ in range(cuts[k], cuts[k + 1])]
