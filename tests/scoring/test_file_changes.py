"""What `--resume` says of inputs that are not those of the run that was stopped."""

from __future__ import annotations

import pytest

from fstmetrics.scoring.run_files import SECOND, file_changes


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        ([10, 5, 5, 1], [10, 6, 6, 1], "x was of 1970-01-01 00:00:00.000000005 and is of "
         "1970-01-01 00:00:00.000000006 (UTC), 10 bytes as before"),
        ([10, 0, 0, 1], [10, SECOND, 0, 1],
         "x was of 1970-01-01 00:00:00 and is of 1970-01-01 00:00:01 (UTC), 10 bytes as before"),
        ([10, 0, 0, 1], [11, 0, 0, 1],
         "x had 10 bytes of 1970-01-01 00:00:00 and has 11 bytes of 1970-01-01 00:00:00 (UTC)"),
        ([10, 0, 0, 1], [10, 0, SECOND, 1],
         "x was changed or replaced on 1970-01-01 00:00:01 (UTC), 10 bytes of the same time of writing as before"),
        ([10, 0, 0, 1], [10, 0, 0, 2],
         "x was changed or replaced on 1970-01-01 00:00:00 (UTC), 10 bytes of the same time of writing as before"),
        ([10, 0, 0, 1, 3, 0, 0, 2], [10, 0, 0, 1], "x were 2 files and is 1"),
        ([10, 0, 0, 1, 3, 0, 0, 2], [10, 0, 0, 1, 3, 1, 0, 2], "x were 2 files, and 1 of them has changed"),
        ([10, 0, 0, 1, 3, 0, 0, 2], [9, 0, 0, 1, 3, 0, 0, 4], "x were 2 files, and 2 of them have changed"),
        ([10, 0, 0, 1], "", "x was a file and is a folder or pipe"),
        ("1f", "2e", "x has changed"),
        (["1f", "00"], ["2e", "00"], "x are files by URL, and some have changed"),
    ],
)  # fmt: skip
def test_one_input(before: object, now: object, said: str) -> None:
    assert file_changes([["x", before], ["y", [1, 1]]], [["x", now], ["y", [1, 1]]]) == [said]


def test_other_inputs() -> None:
    before, now = [["a", ""], ["b", [1, 2]]], [["a", ""], ["c", [1, 3]]]
    assert file_changes(before, now) == ["the inputs were a, b and are a, c"]
