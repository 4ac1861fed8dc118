"""`compare --shard` and `fstmetrics merge` print what one command prints of all items, to the byte."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from command import EXAMPLES, fstmetrics, with_options, written
from texts_in_files import leave_in_files

SPEECH = [EXAMPLES / "speech" / f"{name}.trn" for name in ("ref", "old", "new")]
SIGN_TEST = [EXAMPLES / "sign-test" / f"{name}.txt" for name in ("ref", "long", "short")]
POISSON = ["--test", "poisson-bootstrap", "--samples", "40"]


def compare(*arguments: object) -> list[str]:
    return with_options(["compare", *POISSON], ["--ref", *map(str, arguments)])


RUNS = {
    "recognisers": compare(*SPEECH),
    "several metrics": compare(*SIGN_TEST, "--metric", "bleu,ter,chrf,wer,bleu-sbp", "--seed", "7"),
    "json": compare(*SIGN_TEST, "--json", "--confidence", "0.9", "--one-sided", "--lowercase"),
    "all pairs": compare(*SPEECH, f"third={SPEECH[2]}", "--pairs", "all", "--correction", "holm"),
    "characters": compare(*SPEECH, "--unit", "char", "--markdown"),
    "runs": compare(SIGN_TEST[0], f"a={SIGN_TEST[1]},{SIGN_TEST[2]}", f"b={SIGN_TEST[2]},{SIGN_TEST[1]}"),
    "costs of rewriting": compare(*SPEECH, "--metric", "wer", "--grammar", "en.contractions@0.25"),
    "a letter": compare(*SPEECH, "-m", "sclite", "--lowercase"),
    "one system": compare(*SPEECH[:2]),
}


def shards(run: list[str], number: int, folder: Path) -> list[Path]:
    """The files of all shards."""
    paths = [folder / f"{n}-{number}.sums" for n in range(1, number + 1)]
    for n, path in enumerate(paths, 1):
        outcome = fstmetrics(*run, "--shard", f"{n}/{number}", "--output", path)
        assert (outcome.status, outcome.err) == (0, "")
        assert outcome.out.startswith(f"shard {n}/{number}: ")
    return paths


@pytest.mark.parametrize("run", RUNS.values(), ids=list(RUNS))
def test_shards_in_any_order_are_the_whole(run: list[str], tmp_path: Path) -> None:
    whole = fstmetrics(*run)
    assert whole.status == 0, whole.err
    # Sums have no texts, of which this remark is; `long` has a word more in each item.
    printed = re.sub("long: most insertions are of zzz.*\n", "", whole.out)
    paths = shards(run, 3, tmp_path)
    for seed in range(2):
        random.Random(seed).shuffle(paths)
        assert fstmetrics("merge", *paths) == replace(whole, out=printed)
    if "--json" not in run:
        assert fstmetrics("merge", *paths, "--json").summary["settings"]["test"] == "poisson-bootstrap"


@pytest.mark.parametrize("number", [1, 2, 80])
def test_any_number_of_shards_will_do_also_empty_ones(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_in_files(monkeypatch, window=64)
    lines = {"ref": "a b c d", "one": "a b x d", "two": "a c d"}
    files = [written(tmp_path / name, f"{text}\n" * 70) for name, text in lines.items()]
    run = compare(*files, "--metric", "wer,bleu", "--samples", "10")
    assert fstmetrics("merge", *shards(run, number, tmp_path)) == fstmetrics(*run)


def test_what_cannot_be_put_together_is_refused(tmp_path: Path) -> None:
    one, two, three = shards(RUNS["one system"], 3, tmp_path)
    (tmp_path / "others").mkdir()
    other = shards([*RUNS["one system"], "--seed", "2"], 3, tmp_path / "others")[1]
    damaged = written(tmp_path / "damaged", two.read_text().replace('"sums": [', '"sums": [1', 1))
    records = written(tmp_path / "records", "{}\n")
    for files, message in [
        ((one, three), "shard 2/3 is missing; give the --output of every shard"),
        ((one, two, two, three), "is given twice"),
        ((one, other, three), f"shards of different runs: seed is 1 in {one} and 2 in {other}"),
        ((one, damaged, three), f"{damaged}: is damaged; run the shard again"),
        ((one, records, three), f"{records}: is no file of compare --shard, as the others are"),
        (
            (records, two, three),
            f"{records}: is no file of compare --shard, as the others are: shards of two",
        ),
        ((one, two, three, "--output", "x"), "shards of compare have no records; leave --output out"),
    ]:
        outcome = fstmetrics("merge", *files)
        assert (outcome.status, outcome.out) == (2, "")
        assert message in outcome.err
        assert outcome.err.count("\n") == 1


def test_shards_have_read_the_same_bytes_wherever_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, path in zip(("ref.txt", "sys.txt"), SIGN_TEST, strict=False):
        written(tmp_path / name, path.read_text())
    paths = []
    for number, folder in enumerate(("", f"{tmp_path}/"), 1):
        run = compare(f"{folder}ref.txt", f"{folder}sys.txt")
        paths.append(f"{number}.sums")
        assert fstmetrics(*run, "--shard", f"{number}/2", "--output", paths[-1]).status == 0
    assert fstmetrics("merge", *paths) == fstmetrics(*compare("ref.txt", "sys.txt"))
    text = (tmp_path / "ref.txt").read_text()
    written(tmp_path / "ref.txt", text.replace("e", "o"))
    assert fstmetrics(*run, "--shard", "2/2", "--output", paths[1]).status == 0
    outcome = fstmetrics("merge", *paths)
    assert outcome.status == 2
    assert "ref.txt of shard 2/2 is not that of shard 1/2: it has as many bytes" in outcome.err


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--test", "bootstrap"], "those of --test bootstrap do not: give --test poisson-bootstrap"),
        (["--by", "speaker"], "--by needs all items, and --shard has a part of them"),
        (["--blocks", "speaker"], "--blocks needs all items"),
        (["--metric", "mean-wer"], "the statistics of mean-wer are none; compare without --shard"),
        (["--metric", "nist"], "the statistics of nist are none"),
    ],
)
def test_what_a_shard_cannot_do_is_refused(more: list[str], message: str, tmp_path: Path) -> None:
    output = tmp_path / "x"
    outcome = fstmetrics(*with_options(RUNS["recognisers"], more), "--shard", "1/2", "--output", output)
    assert outcome.status == 2
    assert message in outcome.err
    assert not output.exists()


def test_a_shard_needs_a_file_and_a_file_a_shard(tmp_path: Path) -> None:
    run = RUNS["recognisers"]
    assert (
        "writes the sums of a part of a run: give --output FILE, too"
        in fstmetrics(*run, "--shard", "1/2").err
    )
    assert "--output is for --shard I/N" in fstmetrics(*run, "--output", tmp_path / "x").err
