"""Metrics of strings: TER and chrF against sacrebleu's, from texts to the score of the corpus."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterator
from functools import partial

import fstmetrics as fm
from bench import peers
from bench.inputs import SHARED, Inputs
from bench.measure import Line, agree, cpu_ms_cold, missing, ratio_line

GOALS = {"ter": 30.0, "chrf": 10.0, "chrf++": 10.0}
SHOWN = {"ter": "TER", "chrf": "chrF", "chrf++": "chrF++"}

Side = list[str]


def ter(inputs: Inputs) -> Iterator[Line]:
    """TER of a test set, CPU time of all threads."""
    yield from _against_sacrebleu(inputs, "TER", "ter", {})


def chrf(inputs: Inputs) -> Iterator[Line]:
    """chrF and chrF++ of a test set, CPU time of all threads."""
    yield from _against_sacrebleu(inputs, "CHRF", "chrf", {})
    yield from _against_sacrebleu(inputs, "CHRF", "chrf++", {"word_order": 2})


def _against_sacrebleu(inputs: Inputs, peer: str, name: str, options: dict[str, int]) -> Iterator[Line]:
    hypotheses, references = _generated(40) if inputs.tiny else _real() or _generated(2489)
    work = f"{SHOWN[name]}, {len(hypotheses)} segments"
    try:
        sacrebleu = peers.package("sacrebleu.metrics")
    except peers.MissingError as hint:
        yield missing(work, "sacrebleu", str(hint), GOALS[name])
        return
    ours = partial(_ours, hypotheses, references, name)
    # A new metric each time: its tokenizer keeps what it has seen.
    theirs = lambda: getattr(sacrebleu, peer)(**options).corpus_score(hypotheses, [references]).score  # noqa: E731
    agree(SHOWN[name], ours(), theirs(), "sacrebleu")
    yield ratio_line(work, "sacrebleu", [cpu_ms_cold(ours)], [cpu_ms_cold(theirs)], GOALS[name])


def _ours(hypotheses: Side, references: Side, name: str) -> float:
    return fm.score(hypotheses, references, name).score


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
