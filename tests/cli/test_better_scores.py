"""Whether higher scores of other programs are better: `compare`, `correlate`, `report` and Python say the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import fstmetrics, written

import fstmetrics as fm
from fstmetrics.apps.metaeval.table import ScoreTable

GOOD, BAD = [0.1, 0.3, 0.2, 0.0], [0.4, 0.3, 0.6, 0.2]
# Names of scores, what is done to them, options, and whether lower is better.
CASES = [
    ("wer", 1, [], True),
    ("TER", 1, [], True),
    ("mean-cer", 1, [], True),
    ("hyter", 1, [], True),
    ("ter", -1, [], False),  # turned round, as WMT's files have it
    ("bleu", 1, [], False),
    ("comet", 1, [], False),
    ("metricx", 1, [], True),
    ("MetricX-24", 1, [], True),
    ("metricx", -1, [], False),
    ("metricx", 1, ["--lower", "metricx"], True),
    ("wer_ours", 1, [], True),
    *((name, 1, [], True) for name in ("rank", "edit_distance", "PED", "penalty", "pe_time", "severity")),
    ("brevity_penalty", 1, [], False),
    ("reciprocal_rank", 1, [], False),
    ("pagerank", 1, [], False),
    ("rank", -1, [], False),
    ("gestalt", 1, [], False),
    ("gestalt", 1, ["--lower", "gestalt"], True),
]


@pytest.mark.parametrize(("name", "sign", "options", "is_lower"), CASES)
def test_error_rates_are_known_by_their_names(
    name: str, sign: int, options: list[str], is_lower: bool, tmp_path: Path
) -> None:
    rows = [("good", GOOD), ("bad", BAD)]
    lines = [f"{system}\t{i}\t{sign * x}\n" for system, values in rows for i, x in enumerate(values, 1)]
    table = written(tmp_path / "t.tsv", f"system\tsegment\t{name}\n" + "".join(lines))
    alone = [
        written(tmp_path / f"{system}.scores", "".join(f"{sign * x}\n" for x in v)) for system, v in rows
    ]
    words = [written(tmp_path / f"{system}.txt", "a b\nc d\ne f\ng h\n") for system, _ in rows]
    ref = written(tmp_path / "ref.txt", "a b\nc d\ne f\ng h\n")
    said = f"{name}, {'lower' if is_lower else 'higher'} is better"
    by_file = [f"--scores={name}:{system}={path}" for (system, _), path in zip(rows, alone, strict=True)]
    for command in (
        ["compare", "--scores", table],
        ["compare", *by_file],
        ["compare", "--ref", ref, *words, "-m", "wip", "--scores", table],
    ):
        assert said in fstmetrics(*command, *options).out
    given = {name: {system: [sign * x for x in values] for system, values in rows}}
    assert said in str(fm.compare(scores=given, lower=options[1:], samples=100))
    human = [[5, 4, 5, 6], [2, 3, 1, 4]]
    scored = ScoreTable.of(
        ["good", "bad"], {name: [[sign * x for x in v] for _, v in rows]}, human, options[1:]
    )
    assert scored.metrics[name].sign == (-1 if is_lower else 1)


def test_items_of_a_comparison_are_compared_alike(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref.txt", "the cat sat\na dog ran\nit rains\nshe sings\n")
    good = written(tmp_path / "good.txt", "the cat sat\na dog ran\nit rained\nshe sings\n")
    bad = written(tmp_path / "bad.txt", "a cat\na dog\nit rained\nhe sang\n")
    items = tmp_path / "items.tsv"
    metrics = ["-m", "wer,ter,bleu,chrf", "--samples", "100"]
    first = fstmetrics("compare", "--ref", ref, good, bad, *metrics, "--items", items)
    heads = [line.partition("  ")[0] for line in first.out.splitlines() if " is better" in line]
    again = fstmetrics("compare", "--scores", items, "--samples", "100")
    assert heads == [line.partition("  ")[0] for line in again.out.splitlines() if " is better" in line]
    assert len(heads) == 4
