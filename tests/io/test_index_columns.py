"""The column of an index, as pandas and R write it: it counts the rows of its file, is the id, or is refused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from command import fstmetrics, written

REF = ["the cat sat", "a dog ran", "it rains now", "she sings"]
HYP = ["the cat sat", "the dog ran", "it rains", "she sings"]
OTHER = [2, 0, 1, 3]
NAMES = ["", "Unnamed: 0", "index", "Index", "__index_level_0__"]


def table(path: Path, name: str, column: str, values: Sequence[object], texts: Sequence[str]) -> str:
    """A table of an index and texts, as its ending says."""
    if path.suffix == ".parquet":
        arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        parquet.write_table(arrow.table({name or "Unnamed: 0": list(values), column: list(texts)}), path)
        return str(path)
    mark = "\t" if path.suffix == ".tsv" else ","
    rows = zip([name, *values], [column, *texts], strict=True)
    return written(path, "".join(f"{value}{mark}{text}\n" for value, text in rows))


def edits(*arguments: object) -> int:
    return int(fstmetrics("score", *arguments, "--json").summary["edits"])


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".parquet"])
@pytest.mark.parametrize("name", NAMES)
def test_an_index_that_counts_the_rows_tells_nothing(name: str, ending: str, tmp_path: Path) -> None:
    references = table(tmp_path / f"r{ending}", name, "text", range(4), REF)
    hypotheses = table(tmp_path / f"h{ending}", name, "pred_text", range(4), HYP)
    plain = written(tmp_path / "h.txt", "".join(f"{text}\n" for text in HYP))
    for hypothesis in (hypotheses, plain):
        outcome = fstmetrics("score", references, hypothesis, "--output", "-")
        assert outcome.records[1]["edits"] == 1
        assert not [record for record in outcome.records if record.get("fields")]


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".parquet"])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("values", [OTHER, [1, 2, 3, 4], ["u1", "u2", "u3", "u4"]])
def test_an_index_that_does_not_is_refused_or_the_id(
    name: str, ending: str, values: list[object], tmp_path: Path
) -> None:
    place = [values.index(value) for value in values] if values != OTHER else OTHER
    hypotheses = table(tmp_path / f"h{ending}", name, "pred_text", values, [HYP[i] for i in place])
    keys = sorted(values, key=str)
    references = table(tmp_path / f"r{ending}", name, "text", keys, REF)
    plain = written(tmp_path / "r.txt", "".join(f"{text}\n" for text in REF))
    called = name or "Unnamed: 0"
    for reference in (references, plain):
        for command in (["score", reference, hypotheses], ["compare", "--ref", reference, hypotheses, plain]):
            outcome = fstmetrics(*command)
            assert (outcome.status, outcome.out) == (2, "")
            assert f"{called!r} looks like an index, and is" in outcome.err
            assert f"--fields 'id={called}'" in outcome.err
    assert edits(references, hypotheses, "--fields", f"id={called}") == 2
    assert edits(references, hypotheses, "--fields", "id=") >= 2


@pytest.mark.parametrize("name", NAMES)
def test_rows_of_both_sides_or_with_ids_do_not_need_it(name: str, tmp_path: Path) -> None:
    rows = [f"{number},u{i},{REF[i]},{HYP[i]}" for number, i in zip([7, 3, 5, 1], range(4), strict=True)]
    both = written(tmp_path / "b.csv", "\n".join([f"{name},id,text,pred_text", *rows]) + "\n")
    assert edits(both) == edits(both, "--fields", "id=") == 2
    outcome = fstmetrics("compare", both, "--fields", "id=,ref=text,hyp=pred_text", "--fields", "hyp=id")
    assert outcome.status == 0, outcome.err


def test_a_second_head_is_seen_beside_a_column_without_a_name(tmp_path: Path) -> None:
    path = written(tmp_path / "r.csv", ",text\n0,a b\n1,c d\n,text\n0,e f\n")
    outcome = fstmetrics("score", path, written(tmp_path / "h.txt", "a b\nc d\ntext\ne f\n"))
    assert "r.csv:4: the row repeats the head" in outcome.err
