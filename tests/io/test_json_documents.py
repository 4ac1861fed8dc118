"""Files that are one object of JSON: columns, or one item with several references and an n-best list, or refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import fstmetrics, written

REF = ["the cat sat", "a dog ran", "it rains"]
HYP = ["a cat sat", "a dog ran", "it rains"]


def edits(*arguments: object) -> tuple[int, int]:
    """The edits and the items of a run."""
    summary = fstmetrics("score", *arguments, "--json").summary
    return summary["edits"], summary["items"]


@pytest.mark.parametrize(
    "beside", [{}, {"wer": 0.2}, {"wer": 0.2, "model": "x", "fine": True, "options": {"beam": 5}}]
)
@pytest.mark.parametrize("names", [("ref", "hyp"), ("references", "predictions"), ("text", "pred_text")])
@pytest.mark.parametrize("is_behind", [True, False])
def test_what_is_beside_columns_is_of_the_whole_table(
    beside: dict[str, object], names: tuple[str, str], is_behind: bool, tmp_path: Path
) -> None:
    columns = dict(zip(names, (REF, HYP), strict=True))
    document = {**columns, **beside} if is_behind else {**beside, **columns}
    assert edits(written(tmp_path / "t.json", json.dumps(document))) == (1, 3)


@pytest.mark.parametrize("labels", [("0", "1", "2"), ("u1", "u2", "u3")])
def test_cells_of_columns_are_told_by_their_labels(labels: tuple[str, ...], tmp_path: Path) -> None:
    ref, hyp = (dict(zip(labels, column, strict=True)) for column in (REF, HYP))
    for document in ({"ref": ref, "hyp": hyp}, {"ref": ref, "hyp": dict(reversed(hyp.items()))}):
        assert edits(written(tmp_path / "t.json", json.dumps(document))) == (1, 3)


def test_columns_that_are_named_are_columns_too(tmp_path: Path) -> None:
    path = written(tmp_path / "t.json", json.dumps({"n": 3, "gold_x": REF, "refs": HYP}))
    assert edits(path, "--fields", "ref=gold_x,hyp=refs") == (1, 3)


@pytest.mark.parametrize("beside", [{}, {"wer": 0.2}])
@pytest.mark.parametrize("document", [
    {"references": REF, "hypotheses": HYP[:2]},
    {"refs": REF, "hyps": HYP[:2]},
    {"ref": REF, "hyp": []},
    {"id": ["a", "b", "c"], "ref": REF, "hyp": HYP[:2]},
    {"ref": REF, "hyp": HYP, "path": "whisper"},
])  # fmt: skip
def test_columns_or_an_item_that_cannot_be_told_are_refused(
    document: dict[str, object], beside: dict[str, object], tmp_path: Path
) -> None:
    outcome = fstmetrics("score", written(tmp_path / "t.json", json.dumps({**document, **beside})))
    assert (outcome.status, outcome.out) == (2, "")
    assert "looks like a JSON object with lists of both sides" in outcome.err
    assert "--format nbest-json (of REF --ref-format) reads one item with several references" in outcome.err


def test_an_item_of_lists_is_a_line_or_asked_for(tmp_path: Path) -> None:
    rows = [{"ref": REF, "hyp": HYP}, {"ref": REF, "hyp": HYP[:2]}]
    assert edits(written(tmp_path / "t.jsonl", "".join(json.dumps(row) + "\n" for row in rows))) == (0, 2)
    document = written(tmp_path / "t.json", json.dumps(rows[0]))
    assert edits(document, "--format", "nbest-json") == (0, 1)
    assert edits(document) == edits(document, "--format", "jsonl") == (1, 3)


def test_a_single_line_of_json_lines_is_read_as_its_caller_says(tmp_path: Path) -> None:
    path = written(tmp_path / "t.jsonl", json.dumps({"ref": REF, "hyp": HYP}) + "\n")
    outcome = fstmetrics("score", path)
    assert (outcome.status, outcome.out) == (2, "")
    assert "--format jsonl reads columns, an item for each element; --format nbest-json" in outcome.err
    assert (edits(path, "--format", "jsonl"), edits(path, "--format", "nbest-json")) == ((1, 3), (0, 1))
    # These may be but one.
    alone = written(tmp_path / "u.jsonl", json.dumps({"ref": REF[:1], "hyp": HYP[:1]}) + "\n")
    with_ids = written(
        tmp_path / "v.jsonl", json.dumps({"id": ["a", "b", "c"], "ref": REF, "hyp": HYP}) + "\n"
    )
    assert (edits(alone), edits(with_ids)) == ((1, 1), (1, 3))


@pytest.mark.parametrize("beside", [{}, {"model": "x"}])
def test_a_list_of_texts_alone_is_not_taken_for_an_item(beside: dict[str, object], tmp_path: Path) -> None:
    one = written(tmp_path / "one.txt", "it rains\n")
    references = written(tmp_path / "r.json", json.dumps({"references": REF, **beside}))
    hypotheses = written(tmp_path / "h.json", json.dumps({"predictions": HYP, **beside}))
    for sides in ((references, hypotheses), (one, hypotheses), (references, one)):
        outcome = fstmetrics("score", *sides)
        assert (outcome.status, outcome.out) == (2, "")
        assert "a JSON object with one list" in outcome.err
    assert edits(references, one, "--ref-format", "jsonl") == (0, 1)
    assert edits(one, hypotheses, "--format", "nbest-json") == (0, 1)
