"""Corpus WER and one very long pair, from Python strings, against jiwer and rapidfuzz."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import fstmetrics as fm
from bench import generate, peers
from bench.inputs import Inputs
from bench.measure import Line, agree, cpu_ms, missing, ratio_line
from bench.rows.hyter import COUNTS


def corpus(inputs: Inputs) -> Iterator[Line]:
    """Pairs of 25 words at about 20% WER."""
    count = 50 if inputs.tiny else 3000
    references, hypotheses = generate.string_pairs(3, count, 25, 0.2)
    counts = partial(fm.score, hypotheses, references, options=COUNTS)
    kept = partial(fm.score, hypotheses, references)
    edits = counts().edits
    work = f"corpus WER, {count} pairs"

    def looked_at() -> list[object]:
        return [result.alignment for result in kept()]

    def jiwer_edits() -> int:
        words = peers.package("jiwer").process_words(references, hypotheses)
        return int(words.substitutions + words.insertions + words.deletions)

    def rapidfuzz_edits() -> int:
        distance = peers.package("rapidfuzz.distance").Levenshtein.distance
        return sum(distance(r.split(), h.split()) for r, h in zip(references, hypotheses, strict=True))

    def kaldialign_edits() -> int:
        pairs = ([r.split() for r in references], [h.split() for h in hypotheses])
        return int(peers.package("kaldialign").batch_error_rate(*pairs)["total"])

    def kaldialign_operations() -> int:
        align = peers.package("kaldialign").align
        pairs = zip(references, hypotheses, strict=True)
        return sum(a != b for r, h in pairs for a, b in align(r.split(), h.split(), "<eps>"))

    def rapidfuzz_operations() -> int:
        editops = peers.package("rapidfuzz.distance").Levenshtein.editops
        return sum(len(editops(r.split(), h.split())) for r, h in zip(references, hypotheses, strict=True))

    yield _against(f"{work}, counts", "jiwer", counts, jiwer_edits, edits, 20.0)
    yield _against(f"{work}, counts", "rapidfuzz + split", counts, rapidfuzz_edits, edits, 3.0)
    yield _against(f"{work}, counts", "kaldialign + split", counts, kaldialign_edits, edits, None)
    yield _against(f"{work}, alignments", "jiwer", kept, jiwer_edits, edits, 20.0)
    yield _against(f"{work}, alignments", "rapidfuzz + split", kept, rapidfuzz_operations, edits, None)
    yield _against(f"{work}, alignments", "kaldialign + split", kept, kaldialign_operations, edits, None)
    yield _against(f"{work}, alignments looked at", "jiwer", looked_at, jiwer_edits, edits, None)
    yield from _drop_in(references, hypotheses)


def _drop_in(references: list[str], hypotheses: list[str]) -> Iterator[Line]:
    """fstmetrics.jiwer against jiwer, the same calls."""
    for name in ("wer", "mer", "process_words", "cer"):
        work = f"fstmetrics.jiwer.{name}, {len(references)} pairs"
        try:
            theirs = partial(getattr(peers.package("jiwer"), name), references, hypotheses)
        except peers.MissingError as hint:
            yield missing(work, "jiwer", str(hint), None)
            continue
        ours = partial(getattr(fm.jiwer, name), references, hypotheses)
        answers = [getattr(found, "wil", found) for found in (ours(), theirs())]
        agree(work, *answers, "jiwer")
        yield ratio_line(work, "jiwer", [cpu_ms(ours)], [cpu_ms(theirs)], None)


def long_pair(inputs: Inputs) -> Iterator[Line]:
    """One pair of very many words."""
    words = 500 if inputs.tiny else 20_000
    (reference,), (hypothesis,) = generate.string_pairs(4, 1, words, 0.2)
    call = partial(fm.wer, hypothesis, reference)
    edits = fm.align(hypothesis, reference, options=COUNTS).edits

    def rapidfuzz_edits() -> int:
        return int(
            peers.package("rapidfuzz.distance").Levenshtein.distance(reference.split(), hypothesis.split())
        )

    yield _against(f"one pair of {words} words", "rapidfuzz + split", call, rapidfuzz_edits, edits, 1.0)


def _against(
    work: str, peer: str, ours: Callable[[], Any], theirs: Callable[[], int], edits: int, goal: float | None
) -> Line:
    try:
        agree(work, edits, theirs(), peer)
    except peers.MissingError as hint:
        return missing(work, peer, str(hint), goal)
    return ratio_line(work, peer, [cpu_ms(ours)], [cpu_ms(theirs)], goal)
