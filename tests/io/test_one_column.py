"""One column of texts as tables write it: with its name above, and with quotes around what has commas."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import pytest
from command import fstmetrics, written

REF = ["well, the cat sat", "a dog ran", 'she said "no"', "it rains, now", "fine"]
HYP = ["well, a cat sat", "a dog ran", 'she said "no"', "it rains, now", "fine"]
NAMES = ["text", "Text", "pred_text", "sentence", "reference", "hypothesis", "transcript", "ground_truth"]
FORMATS = ["--format", "csv", "--ref-format", "csv"]


def lines(texts: Sequence[str], quoting: bool = False) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for text in texts:
        if quoting:
            writer.writerow([text])
        else:
            out.write(f"{text}\n")
    return out.getvalue()


def edits(*arguments: object) -> int:
    return int(fstmetrics("score", *arguments, "--json").summary["edits"])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("ending", [".txt", "", ".lst"])
def test_a_name_of_a_column_is_no_sentence(name: str, ending: str, tmp_path: Path) -> None:
    plain = written(tmp_path / "plain.txt", lines(REF))
    path = written(tmp_path / f"column{ending}", name + "\n" + lines(HYP, quoting=True))
    for sides in ((plain, path), (path, plain), (path, path)):
        outcome = fstmetrics("score", *sides)
        assert (outcome.status, outcome.out) == (2, "")
        assert f"a table of one column by its first line, {name}" in outcome.err
    given = ["--fields", f"hyp={name}"] if name in ("reference", "ground_truth") else []
    assert edits(plain, path, "--format", "csv", *given) == 1
    # A text of one line has none, and another text may begin so.
    alone = written(tmp_path / "alone.txt", f"{name}\n")
    assert edits(alone, alone) == 0
    outcome = fstmetrics("score", path, path, "--format", "plain", "--ref-format", "plain", "--json")
    assert outcome.summary["items"] == len(HYP) + 1


@pytest.mark.parametrize("ending", [".csv", ".tsv"])
def test_one_column_is_a_table(ending: str, tmp_path: Path) -> None:
    mark = "\t" if ending == ".tsv" else ","
    texts = [*REF, "", "the end"]
    for name, column in (("r", "text"), ("h", "pred_text")):
        with (tmp_path / f"{name}{ending}").open("w", newline="") as out:
            csv.writer(out, delimiter=mark).writerows([[column], *([text] for text in texts)])
    outcome = fstmetrics("score", tmp_path / f"r{ending}", tmp_path / f"h{ending}", "--output", "-")
    assert [" ".join(record["hypothesis"]) for record in outcome.records] == texts


def test_a_blank_line_within_one_column_is_refused(tmp_path: Path) -> None:
    """Some programs write an empty text so, and order pairs."""
    path = written(tmp_path / "r.csv", "text\na dog ran\n\nfine\n")
    assert "r.csv:3: a blank line in a table of one column" in fstmetrics("score", path, path).err
    for text in ("\ntext\na\nb\n\n\n", "text\na\nb", "text\r\na\r\nb\r\n\r\n"):
        path = written(tmp_path / "b.csv", text)
        assert edits(path, path) == 0


def test_a_row_of_more_cells_than_one_column_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "r.csv", "text\na dog ran\nwell, the cat sat\n")
    assert "r.csv:3: 2 cells, and the head has 1: text" in fstmetrics("score", path, path).err


ONE_SIDED = [(True, True), (True, False), (False, True)]


@pytest.mark.parametrize("sides", ONE_SIDED)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_quotes_around_what_has_commas_are_those_of_a_table(
    sides: tuple[bool, bool], ends: str, tmp_path: Path
) -> None:
    for number in (0, 1000):  # also behind the lines that tell what a file is
        before = ["a dog ran"] * number
        paths = [
            written(tmp_path / name, lines([*before, *texts], quoting).replace("\n", ends))
            for name, texts, quoting in zip(("r.txt", "h.txt"), (REF, HYP), sides, strict=True)
        ]
        outcome = fstmetrics("score", *paths)
        assert (outcome.status, outcome.out) == (2, "")
        assert "a text in which the lines with commas are in quotes, and no others" in outcome.err
        headed = [
            written(
                tmp_path / f"{name}.csv", f"text{ends}" + lines([*before, *texts], True).replace("\n", ends)
            )
            for name, texts in (("r", REF), ("h", HYP))
        ]
        assert edits(*headed) == 1


OTHER_QUOTES = [
    '"yes," she said\nno, never\n',
    'she said "no"\nyes\n',
    '"well, yes"\nno, never\n',
    '"hello"\nyes\n',
    '"the cat"\n"a dog"\n',
    '"one line"\n',
]


@pytest.mark.parametrize("text", OTHER_QUOTES)
def test_other_quotes_are_of_the_text(text: str, tmp_path: Path) -> None:
    path = written(tmp_path / "h.txt", text)
    assert edits(path, path) == 0
