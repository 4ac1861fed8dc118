"""Options that the files of a command have nothing for are refused, and no number is shown."""

from __future__ import annotations

from pathlib import Path

from command import fstmetrics, written
from long_runs import archive, references

IDS = ["ann_1", "ann_2", "bob_1"]


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
