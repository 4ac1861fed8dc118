"""REF comes first, HYP second; options may say which is which, and `--ref REF HYP` is the order of `compare`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from command import EXAMPLES, fstmetrics, written

# Commands that take references and hypotheses as arguments, and what they are called with besides.
COMMANDS = {
    "score": ("ref.txt", "hyp.txt", "--json"),
    "oracle": ("oracle/ref.txt", "oracle/lattices", "--json"),
    "hyter": ("hyter/networks", "hyter/hyp.txt", "--json"),
    "errors": ("ref.txt", "hyp.txt", "--json"),
    "show": ("ref.txt", "hyp.txt", ""),
    "segment": ("ref.txt", "hyp.txt", "--json"),
    "speakers": ("speakers/ref.stm", "speakers/hyp.stm", "--json"),
    "features": ("hyter/networks", "hyter/hyp.txt", ""),
    "grammar savings": ("ref.txt", "hyp.txt", "--json"),
}
ORDERS = [
    "REF --hyp HYP", "--hyp HYP REF", "--hyp=HYP REF", "HYP --references REF", "--reference REF HYP",
    "--hypotheses HYP --references REF", "--references=REF --hypothesis=HYP", "--hyp HYP --ref REF", "--ref REF HYP",
]  # fmt: skip
# With a second set of references, of commands that have them.
MORE = [
    "REF --hyp HYP --ref MORE", "--hyp HYP REF --ref MORE", "--hyp HYP --ref REF --ref MORE",
    "--references REF --references MORE HYP", "--ref REF HYP --ref MORE", "--ref REF --ref MORE HYP",
]  # fmt: skip


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with texts whose sides cannot be exchanged."""
    monkeypatch.chdir(tmp_path)
    for folder in ("oracle", "hyter", "speakers"):
        shutil.copytree(EXAMPLES / folder, tmp_path / folder)
    for name, text in (("ref", "the cat sat down"), ("hyp", "a cat"), ("more", "a cat sat")):
        written(tmp_path / f"{name}.txt", f"{text}\n")
    row = '{"id": "u1", "text": "the cat sat down", "pred_text": "a cat"}\n'
    written(tmp_path / "both.jsonl", row)
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("order", ORDERS)
def test_any_order_that_is_clear(command: str, order: str, here: Path) -> None:
    references, hypotheses, form = COMMANDS[command]
    usual = fstmetrics(*command.split(), references, hypotheses, *form.split())
    places = order.replace("REF", references).replace("HYP", hypotheses)
    found = fstmetrics(*command.split(), *places.split(), *form.split())
    assert usual.status == 0
    assert (found.status, found.out, found.err) == (0, usual.out, usual.err)
    swapped = fstmetrics(*command.split(), hypotheses, references, *form.split())
    assert swapped.out != usual.out


@pytest.mark.parametrize("command", ["score", "errors", "segment"])
@pytest.mark.parametrize("order", MORE)
def test_with_more_references(command: str, order: str, here: Path) -> None:
    usual = fstmetrics(command, "ref.txt", "hyp.txt", "--ref", "more.txt", "--json")
    places = order.replace("REF", "ref.txt").replace("HYP", "hyp.txt").replace("MORE", "more.txt")
    found = fstmetrics(command, *places.split(), "--json")
    assert (found.status, found.out) == (usual.status, usual.out) == (0, usual.out)


def test_a_table_of_both_sides_keeps_its_references(here: Path) -> None:
    before = fstmetrics("score", "both.jsonl", "--ref", "more.txt", "--fields", "id=", "--json").summary
    after = fstmetrics("score", "--ref", "more.txt", "both.jsonl", "--fields", "id=", "--json").summary
    assert before == after
    assert before["edits"] == 1  # of the closer one


def test_one_text_behind_which_references_stand_is_refused(here: Path) -> None:
    outcome = fstmetrics("score", "hyp.txt", "--ref", "ref.txt")
    said, _, advice = outcome.err.rstrip().rpartition(": ")
    assert (outcome.status, outcome.out) == (2, "")
    assert "one of them is missing" in said
    assert fstmetrics("score", *advice.split(), "--json").summary["edits"] == 3


def test_lattices_in_the_place_of_references(here: Path) -> None:
    outcome = fstmetrics("oracle", "oracle/lattices", "oracle/ref.txt")
    _, _, advice = outcome.err.rstrip().rpartition(": fstmetrics ")
    assert (outcome.status, outcome.out) == (2, "")
    assert advice == "oracle oracle/ref.txt oracle/lattices"
    assert fstmetrics(*advice.split()).status == 0


def test_systems_without_references_are_told_of_the_option(here: Path) -> None:
    outcome = fstmetrics("compare", "ref.txt", "hyp.txt", "more.txt")
    _, _, advice = outcome.err.rstrip().rpartition(": ")
    assert (outcome.status, advice) == (2, "--ref ref.txt hyp.txt more.txt")
    assert fstmetrics("compare", *advice.split()).status == 0


@pytest.mark.parametrize("order", ["--ref REF HYP", "--hyp HYP --references REF"])
def test_shards_know_the_order(order: str, here: Path) -> None:
    written(here / "two.txt", "the cat sat down\nso it is\n")
    written(here / "said.txt", "a cat\nso is it\n")
    places = order.replace("REF", "two.txt").replace("HYP", "said.txt").split()
    for number in (1, 2):
        assert not fstmetrics("score", *places, "--shard", f"{number}/2", "-o", f"{number}.jsonl").status
    whole = fstmetrics("score", "two.txt", "said.txt", "-o", "whole.jsonl")
    merged = fstmetrics("merge", "1.jsonl", "2.jsonl", "-o", "merged.jsonl")
    assert (merged.status, merged.out) == (0, whole.out)
    assert Path("merged.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()


def test_hypotheses_alone(here: Path) -> None:
    outcome = fstmetrics("score", "--hyp", "hyp.txt")
    assert (outcome.status, outcome.out) == (2, "")
    assert "hypotheses are the second argument: REF HYP" in outcome.err
