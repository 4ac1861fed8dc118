"""`compare` of systems in tables: references from the same rows, several systems as columns of one table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import EXAMPLES, fstmetrics, written

SMALL, LARGE = (EXAMPLES / "manifests" / f"{name}.jsonl" for name in ("small", "large"))
ROWS = [
    {**small, "pred_small": small["pred_text"], "pred_large": large["pred_text"]}
    for small, large in zip(
        *([json.loads(line) for line in path.open()] for path in (SMALL, LARGE)), strict=True
    )
]
QUICK = ("--metric", "wer", "--samples", "100", "--json")


def lines(rows: list[dict[str, object]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def expected(tmp_path: Path) -> dict[str, object]:
    """What the same texts give without tables."""
    for name, column in (("ref", "text"), ("small", "pred_small"), ("large", "pred_large")):
        written(
            tmp_path / f"{name}.trn", "".join(f"{row[column]} ({row['audio_filepath']})\n" for row in ROWS)
        )
    ref, small, large = (tmp_path / f"{name}.trn" for name in ("ref", "small", "large"))
    return fstmetrics("compare", "--ref", ref, small, large, *QUICK).summary["systems"]


def test_tables_have_their_references_themselves(expected: dict[str, object]) -> None:
    for command in ((SMALL, LARGE), ("--ref", LARGE, SMALL, LARGE)):
        assert fstmetrics("compare", *command, *QUICK).summary["systems"] == expected


def test_columns_of_one_table_are_several_systems(expected: dict[str, object], tmp_path: Path) -> None:
    table = lines(ROWS)
    path = written(tmp_path / "both.jsonl", table)
    fields = ("--fields", "ref=text,hyp=pred_small,hyp=pred_large")
    for found in (
        fstmetrics("compare", path, *fields, *QUICK),
        fstmetrics("compare", "-", *fields, *QUICK, stdin=table.encode()),
        fstmetrics("compare", "--ref", SMALL, path, *fields, *QUICK),
    ):
        named = {name.removeprefix("pred_"): value for name, value in found.summary["systems"].items()}
        assert named == expected


def test_columns_of_several_tables_have_the_names_of_both(tmp_path: Path) -> None:
    a, b = (written(tmp_path / f"{name}.jsonl", lines(ROWS)) for name in "ab")
    found = fstmetrics("compare", a, b, "--fields", "ref=text,hyp=pred_small,hyp=pred_large", *QUICK)
    assert list(found.summary["systems"]) == ["a:pred_small", "a:pred_large", "b:pred_small", "b:pred_large"]


def test_fields_of_the_rows_are_blocks() -> None:
    found = fstmetrics("compare", SMALL, LARGE, "--test", "mapsswe", "--metric", "wer", "--json").summary
    (row,) = [row for row in found["tests"] if row.get("systems") == ["small", "large"] or "p" in row][:1]
    assert row["test"] == "mapsswe"
    remark = "resamples are of items; --blocks speaker resamples the 4 speakers"
    assert remark in found["remarks"]
    for name in ("speaker", "item"):
        found = fstmetrics("compare", SMALL, LARGE, "--metric", "wer", "--blocks", name)
        resampled = "4 speakers" if name == "speaker" else "items"
        assert (f"bootstrap resamples of {resampled}, seed 1" in found.out, remark in found.out) == (
            True,
            False,
        )


def test_other_references_are_refused(tmp_path: Path) -> None:
    rows = [dict(row, pred_text=row["pred_large"]) for row in ROWS]
    rows[3] = dict(rows[3], text="something else")
    odd = written(tmp_path / "odd.jsonl", lines(rows))
    assert fstmetrics("compare", SMALL, odd).err == (
        f"fstmetrics: {odd}: the references of audio/anna_4.wav are not those of {SMALL}; give one of them by --ref\n"
    )
    assert fstmetrics("compare", SMALL, odd, "--ref", SMALL, *QUICK).status == 0
    for row in rows:
        row.pop("audio_filepath")
    odd, plain = written(tmp_path / "odd.jsonl", lines(rows)), written(tmp_path / "p.jsonl", lines(rows[:3]))
    assert f"its references are not those of {odd}" in fstmetrics("compare", odd, plain).err


# What is said where no file is a table, so that none could have references.
NONE = "no references: all files are taken as systems; give --ref FILE"


def test_texts_without_references_need_some(tmp_path: Path) -> None:
    text = written(tmp_path / "a.txt", "a b\n")
    empty = written(tmp_path / "empty.json", "")
    because = f"wer (the default metric, as {SMALL} is no plain text)"
    for lacking, options, why in (
        (text, ("--metric", "wer"), "wer"),
        (text, ("--metric", "bleu"), "bleu"),
        (text, (), "bleu (the default metric, as all files are plain text)"),
        (text, ("--test", "mapsswe"), "wer (the metric of --test mapsswe)"),
        (text, (SMALL,), because),
        (empty, (SMALL,), because),
    ):
        said = fstmetrics("compare", lacking, *options).err
        start = f"{lacking}: has no references: --ref FILE gives them" if options == (SMALL,) else NONE
        assert said == f"fstmetrics: {start}, for {why}\n"
