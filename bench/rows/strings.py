"""Metrics of strings: TER against sacrebleu's, from texts to the score of the corpus."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterator
from functools import partial

import fstmetrics as fm
from bench import peers
from bench.inputs import SHARED, Inputs
from bench.measure import Line, agree, cpu_ms_cold, missing, ratio_line

GOAL = 30.0

Side = list[str]


def ter(inputs: Inputs) -> Iterator[Line]:
    """TER of a test set, CPU time of all threads."""
    hypotheses, references = _generated(40) if inputs.tiny else _real() or _generated(2489)
    work = f"TER, {len(hypotheses)} segments"
    try:
        sacrebleu = peers.package("sacrebleu.metrics")
    except peers.MissingError as hint:
        yield missing(work, "sacrebleu", str(hint), GOAL)
        return
    ours = partial(_ours, hypotheses, references)
    # A new metric each time: its tokenizer keeps what it has seen.
    theirs = lambda: sacrebleu.TER().corpus_score(hypotheses, [references]).score  # noqa: E731
    agree("TER", ours(), theirs(), "sacrebleu")
    yield ratio_line(work, "sacrebleu", [cpu_ms_cold(ours)], [cpu_ms_cold(theirs)], GOAL)


def _ours(hypotheses: Side, references: Side) -> float:
    return fm.score(hypotheses, references, "ter").score


def _real() -> tuple[Side, Side] | None:
    """Translated talks."""
    folder = SHARED / "mt-compare-mt"
    if not folder.is_dir():
        return None
    hypotheses, references = (
        gzip.decompress((folder / f"ted.{name}.eng.gz").read_bytes()).decode().splitlines()
        for name in ("sys1", "ref")
    )
    return hypotheses, references


def _generated(segments: int) -> tuple[Side, Side]:
    """Sentences of 20 words, some of them exchanged or moved."""
    rng = random.Random(5)
    vocabulary = [f"w{i}" for i in range(300)]
    hypotheses, references = [], []
    for _ in range(segments):
        words = rng.choices(vocabulary, k=rng.randint(5, 40))
        references.append(" ".join(words))
        for _ in range(len(words) // 3):
            words[rng.randrange(len(words))] = rng.choice(vocabulary)
        start, target = rng.randrange(len(words)), rng.randrange(len(words))
        moved = words[start : start + 3]
        del words[start : start + 3]
        words[target:target] = moved
        hypotheses.append(" ".join(words))
    return hypotheses, references
