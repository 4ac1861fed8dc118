"""Pairs of texts against today's fastest packages, the same texts in one call; answers are compared first.

We count substitutions, insertions and deletions; most peers find only how many edits there are, and the note of a line
says what they leave out. `corpus` has the packages of the field: jiwer, kaldialign and rapidfuzz pair by pair.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import fstmetrics as fm
from bench import generate, peers
from bench.inputs import Inputs
from bench.measure import Line, agree, cpu_ms, missing, ratio_line, wall_ms

CHARACTERS = fm.Normalisation(unit="char")


@dataclass(frozen=True, slots=True)
class Texts:
    """Hypotheses and references, pair by pair."""

    hypotheses: list[str]
    references: list[str]

    def crossed(self, references: int, hypotheses: int) -> Texts:
        """Each of the first so many references with each of the first so many hypotheses."""
        pairs = [(h, r) for r in self.references[:references] for h in self.hypotheses[:hypotheses]]
        return Texts([h for h, _ in pairs], [r for _, r in pairs])


def pairs(inputs: Inputs) -> Iterator[Line]:
    """Words, then characters, which are bytes here."""
    count = 50 if inputs.tiny else 3000
    references, hypotheses = generate.string_pairs(3, count, 25, 0.2)
    texts = Texts(hypotheses, references)
    threads = min(os.cpu_count() or 1, 8)
    work = f"WER of {count} pairs, one call"
    workers = partial(_cpdist, texts, threads)
    yield _against(
        f"{work}, {threads} threads, wall time", "rapidfuzz.process.cpdist + split", _edits(texts, threads), workers,
        "distances only", wall_ms,
    )  # fmt: skip
    yield _against(work, "werpy.wer", partial(_rate, texts), partial(_werpy, texts), "the rate only")
    yield _against(work, "torchmetrics", _edits(texts, 1), partial(_torchmetrics, texts), "the rate only")
    work = f"edits of characters of {count} pairs, one call"
    strings = partial(_cpdist, texts, 1, split=False)
    yield _against(work, "rapidfuzz.process.cpdist", _edits(texts, 1, CHARACTERS), strings, "distances only")
    yield _against(
        work, "polars-strsim", _edits(texts, 1, CHARACTERS), partial(_polars, texts), "distances only"
    )
    rows, columns = (10, 5) if inputs.tiny else (60, 50)
    crossed = texts.crossed(rows, columns)
    yield _against(
        f"edits of characters, {rows} texts x {columns}, one call", "stringzillas",
        _edits(crossed, 1, CHARACTERS), partial(_stringzillas, texts, rows, columns),
        "bytes, distances only, and each text with each",
    )  # fmt: skip


def _edits(texts: Texts, threads: int, unit: fm.Normalisation | None = None) -> Callable[[], int]:
    options = fm.SearchOptions(alignment=False, threads=threads)
    settings = {"normalisation": unit} if unit else {}
    return lambda: fm.score(texts.hypotheses, texts.references, options=options, **settings).edits


def _rate(texts: Texts) -> float:
    return fm.score(texts.hypotheses, texts.references, options=fm.SearchOptions(alignment=False)).score


def _cpdist(texts: Texts, workers: int, split: bool = True) -> int:
    process = peers.package("rapidfuzz.process")
    distance = peers.package("rapidfuzz.distance").Levenshtein.distance
    sides = (texts.references, texts.hypotheses)
    words = ([text.split() for text in side] if split else side for side in sides)
    return int(process.cpdist(*words, scorer=distance, workers=workers).sum())


def _werpy(texts: Texts) -> float:
    return float(peers.package("werpy").wer(texts.references, texts.hypotheses))


def _torchmetrics(texts: Texts) -> int:
    peers.package("torch", "torch torchmetrics")
    rate = peers.package("torchmetrics.functional.text").word_error_rate(texts.hypotheses, texts.references)
    return round(float(rate) * sum(len(text.split()) for text in texts.references))  # a rate of 32 bits


def _polars(texts: Texts) -> int:
    polars, levenshtein = peers.package("polars"), peers.package("polars_strsim", "polars-strsim").levenshtein
    table = polars.DataFrame({"a": texts.references, "b": texts.hypotheses})
    longer = polars.max_horizontal(*(polars.col(name).str.len_bytes() for name in "ab"))
    edits = ((1 - levenshtein("a", "b")) * longer).round()  # it gives similarities
    return int(table.select(edits.sum()).item())


def _stringzillas(texts: Texts, references: int, hypotheses: int) -> int:
    engine = peers.package("stringzillas", "stringzillas-cpus").LevenshteinDistances()
    strings = peers.package("stringzilla").Strs
    sides = map(strings, (texts.references[:references], texts.hypotheses[:hypotheses]))
    return int(engine(*sides).sum())


def _against(
    work: str,
    peer: str,
    ours: Callable[[], Any],
    theirs: Callable[[], Any],
    leaves_out: str,
    clock: Callable[[Callable[[], Any]], float] = cpu_ms,
) -> Line:
    try:
        theirs_found = theirs()
    except peers.MissingError as hint:
        return missing(work, peer, str(hint))
    agree(work, ours(), theirs_found, peer)
    return ratio_line(work, peer, [clock(ours)], [clock(theirs)], note=leaves_out)
