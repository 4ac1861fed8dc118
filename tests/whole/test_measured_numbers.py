"""The times in the README are those that were measured: each is a ratio of the table of bench/README.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from places import ROOT

if not (ROOT / "bench").is_dir():
    pytest.skip("needs a clone", allow_module_level=True)

PLAIN = "OpenFst, A*, lengths + hypothesis"
BEST = "OpenFst, A*, both sides"
ARCS = (1000, 10000, 100000)
# For each row of the README's table, in order: the row and the peer of the bench's table for each number.
SOURCES: list[list[tuple[str, str]]] = [
    [("fstmetrics score, 1,000,000 pairs of lines", "jiwer, a script")],
    [("alignments of 100,000 pairs as arrays", "jiwer")],
    [(f"HyTER single, window {window}", PLAIN) for window in (1, 3, 5)],
    [(f"HyTER single, window {window}", BEST) for window in (1, 3, 5)],
    [(f"HyTER combined, window {window}", PLAIN) for window in (1, 3, 5)],
    [(f"HyTER combined, window {window}", BEST) for window in (1, 3, 5)],
    [(f"oracle, 25 words, {arcs} arcs", PLAIN) for arcs in ARCS],
    [(f"oracle, 25 words, {arcs} arcs", BEST) for arcs in ARCS],
    [(f"oracle, 200 words, {arcs} arcs", PLAIN) for arcs in ARCS],
    [(f"oracle, 200 words, {arcs} arcs", BEST) for arcs in ARCS],
    [(f"oracle, 25 words, {arcs} arcs", "kaldifst, compose + shortest_path") for arcs in ARCS[:2]],
    [(f"4-GRR oracle, 25 words, {arcs} arcs", "OpenFst, H ∘ T ∘ R, lazy") for arcs in ARCS],
    [(f"{side} x network, combined", BEST) for side in ("lattice", "network")],
    [
        ("corpus WER, 3000 pairs, counts", peer)
        for peer in ("jiwer", "kaldialign + split", "rapidfuzz + split")
    ],
    [("fstmetrics.jiwer.wer, 3000 pairs", "jiwer")],
    [("one pair of 20000 words", "rapidfuzz + split")],
    [("sacrebleu-bootstrap, 10 systems, 4 metrics, 3000 items, 2000 samples", "sacrebleu")],
    [(f"preparation, {kind}", "pynini, replace + optimize") for kind in ("single", "combined", "large")],
]
# What the table of other programs has: the words of a question of the bench's first table, and of the program.
SHORT = {
    "6.8: WER": [("WER of 100,000 utterances", "jiwer")],
    "17: WER": [("WER of 100,000 utterances", "sclite")],
    "22: oracle, by OpenFst": [("50 lattices", "OpenFst")],
    "1.6: BLEU and chrF, 3.4: bootstrap": [
        ("What are BLEU and chrF", "sacrebleu"),
        ("new translation better", "sacrebleu"),
    ],
    "6.2: page": [("How long does a page take", "compare-mt")],
    "25: WER, 3.1: cpWER": [("WER of 100,000 utterances", "meeteval"), ("cpWER of a meeting", "meeteval")],
}


def cells(page: Path) -> list[list[str]]:
    lines = page.read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]


def measured() -> dict[tuple[str, str], float]:
    rows = (row for row in cells(ROOT / "bench" / "README.md") if len(row) > 4)
    return {
        (re.sub(r" \(\d{4}-\d\d-\d\d\)$", "", row[0]), row[1]): float(row[4].replace(",", ""))
        for row in rows
        if re.fullmatch(r"[\d,.]+", row[4])
    }


def shown() -> list[list[str]]:
    """The numbers in the README's table of times, row by row."""
    rows = [row for row in cells(ROOT / "README.md") if len(row) == 3]
    first = next(place for place, row in enumerate(rows) if row[2].startswith("times faster"))
    return [row[2].split(" / ") for row in rows[first + 2 :]]


def rounds_to(ratio: float, number: str) -> bool:
    """Whether a ratio, itself rounded to three digits, is written so with the number's digits."""
    text = number.replace(",", "")
    last = 10.0 ** -len(text.partition(".")[2])
    return abs(ratio - float(text)) <= last / 2 * 1.001


def test_times_in_the_readme_are_the_bench_s() -> None:
    ratios = measured()
    assert len(shown()) == len(SOURCES)
    for numbers, sources in zip(shown(), SOURCES, strict=True):
        found = [ratios[source] for source in sources]
        assert len(numbers) == len(found), sources
        assert all(map(rounds_to, found, numbers)), (numbers, found)


def of_commands() -> list[tuple[str, str, float]]:
    """Question, command and ratio of the bench's table of whole commands."""
    found, question = [], ""
    for row in cells(ROOT / "bench" / "README.md"):
        if len(row) == 7 and re.fullmatch(r"[\d.]+", row[5]):
            question = row[0] or question
            found.append((question, row[1], float(row[5])))
    return found


@pytest.mark.parametrize("cell", SHORT)
def test_times_beside_other_programs_are_the_bench_s(cell: str) -> None:
    (row,) = (row for row in cells(ROOT / "README.md") if row[0].startswith("CPU time of its command"))
    assert cell in row
    for number, (question, program) in zip(cell.split(", "), SHORT[cell], strict=False):
        (ratio,) = (
            ratio
            for asked, command, ratio in of_commands()
            if question in asked and command.startswith(f"`{program}")
        )
        assert rounds_to(ratio, number.partition(":")[0])
