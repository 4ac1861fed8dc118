"""Samples of a model as several files, or as columns of a table: the same as an n-best list of them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from command import fstmetrics, written

import fstmetrics as fm


@pytest.mark.parametrize("metric", ["wer", "chrf"])
def test_files_and_columns_are_lists_of_samples(tmp_path: Path, metric: str) -> None:
    draw = random.Random(3)
    samples = [
        [" ".join(draw.choices(["a", "b", "c", "d"], k=draw.randrange(1, 5))) for _ in range(5)]
        for _ in range(4)
    ]
    expected = [" ".join(fm.mbr([texts[i] for texts in samples], metric).words) for i in range(5)]
    names = [f"s{n}" for n in range(4)]
    plain = [
        written(tmp_path / name, "\n".join(texts) + "\n") for name, texts in zip(names, samples, strict=True)
    ]
    assert fstmetrics("mbr", *plain, "--metric", metric).out.splitlines() == expected
    assert [" ".join(r["hypothesis"]) for r in fm.mbr_files(plain, metric=metric).records or ()] == expected
    orders = [draw.sample(range(5), 5) for _ in samples]
    with_ids = [
        written(tmp_path / f"{name}.trn", "".join(f"{texts[i]} (u_{i})\n" for i in order))
        for name, texts, order in zip(names, samples, orders, strict=True)
    ]
    found = fstmetrics("mbr", *with_ids, "--metric", metric).out.splitlines()
    assert sorted(found) == [f"u_{i} {text}" for i, text in enumerate(expected)]
    rows = [",".join(["id", *names])] + [
        ",".join([f"u{i}", *(texts[i] for texts in samples)]) for i in range(5)
    ]
    table = written(tmp_path / "table.csv", "\n".join(rows) + "\n")
    fields = ",".join(f"hyp={name}" for name in names)
    found = fstmetrics("mbr", table, "--fields", fields, "--metric", metric).out.splitlines()
    assert found == [f"u{i} {text}" for i, text in enumerate(expected)]


def test_shards_of_samples_are_merged(tmp_path: Path) -> None:
    plain = [written(tmp_path / name, f"a {name}\nb\na b\n") for name in ("s1", "s2")]
    whole = fstmetrics("mbr", *plain).out
    parts = [str(tmp_path / f"part{n}") for n in (1, 2)]
    for n, part in enumerate(parts, 1):
        assert fstmetrics("mbr", *plain, "--shard", f"{n}/2", "--output", part).status == 0
    assert fstmetrics("merge", *parts, "--output", tmp_path / "all").out == whole


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ("a\n", "s2: 1 item, and"),
        ("", "s2: is empty: there is nothing to decode"),
        (
            "1 ||| a ||| ||| -1\n2 ||| b ||| ||| -1\n",
            "is no text: of several files, or columns, each has one sample",
        ),
    ],
)
def test_other_items_are_refused(tmp_path: Path, second: str, message: str) -> None:
    first, other = written(tmp_path / "s1", "a\nb\n"), written(tmp_path / "s2", second)
    outcome = fstmetrics("mbr", first, other)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert message in outcome.err


def test_every_column_that_is_used_is_told(tmp_path: Path) -> None:
    table = written(tmp_path / "t.csv", "s1,s2\na b,a c\nd,d\n")
    told = fstmetrics("mbr", table, "--fields", "hyp=s1,hyp=s2")
    for column in ("s1", "s2"):
        assert f"no id, hypothesis {column}\n" in told.out + told.err
