"""Options that the files of a command have nothing for are refused, and no number is shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import fstmetrics, written
from long_runs import archive, references

IDS = ["ann_1", "ann_2", "bob_1"]


@pytest.fixture(params=["text", "packed"])
def lattices(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    text = written(tmp_path / "lat.ark", archive(IDS, 1))
    if request.param == "text":
        return text
    assert fstmetrics("pack", text, tmp_path / "lat.packed").status == 0
    return tmp_path / "lat.packed"


@pytest.mark.parametrize(
    ("field", "advice"), [("foo", ""), ("speaker", "; --speakers of the command line takes")]
)
@pytest.mark.parametrize("command", ["oracle", "score"])
def test_a_field_that_no_item_has(
    command: str, field: str, advice: str, lattices: Path, tmp_path: Path
) -> None:
    """Also of lattices that are read one by one: these have no fields."""
    ref = written(tmp_path / "ref", references(IDS, 1))
    output = tmp_path / "o.jsonl"
    refused = fstmetrics(command, ref, lattices, "--by", field, "--output", output)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.startswith(
        f"fstmetrics: no item has a field {field!r}; the items have no fields{advice}"
    )
    speakers = fstmetrics(command, ref, lattices, "--by", "speaker", "--speakers", "spu_id")
    assert (speakers.status, speakers.err) == (0, "")


def test_a_symbol_table_beside_packed_lattices(tmp_path: Path) -> None:
    ref, text = written(tmp_path / "ref", references(IDS, 1)), written(tmp_path / "lat.ark", archive(IDS, 1))
    packed, words = tmp_path / "lat.packed", written(tmp_path / "words.txt", "<eps> 0\nhat 1\n")
    assert fstmetrics("pack", text, packed).status == 0
    refused = fstmetrics("oracle", ref, packed, "--symbols", words)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err == (
        f"fstmetrics: {words}: names words by numbers, and packed has its words in the file; leave --symbols out\n"
    )
    assert fstmetrics("oracle", ref, text, "--symbols", words).status == 0
