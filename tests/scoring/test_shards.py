"""Runs in shards: put together they are the run that was not cut, byte for byte; anything else is refused."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from command import EXAMPLES, HYTER, ORACLE, Outcome, fstmetrics, written
from places import ROOT
from time_limits import ran

from fstmetrics.scoring.pair_blocks import Pair, PairBlock
from fstmetrics.scoring.shards import Shard

WORDS = ["a", "b", "c", "d", "e", "F", "G"]


@pytest.fixture
def texts(tmp_path: Path) -> list[str]:
    """References and hypotheses of 41 items, some of them empty."""
    draw = random.Random(4)
    rows = [f"ann-{n:02d} {' '.join(draw.choices(WORDS, k=draw.randrange(7)))}".rstrip() for n in range(41)]
    heard = [row.lower().replace(" a", " b" if n % 3 else "") for n, row in enumerate(rows)]
    sides = [
        written(tmp_path / name, "\n".join(some) + "\n") for name, some in (("ref", rows), ("hyp", heard))
    ]
    return [*map(str, sides), "--format", "kaldi-text", "--ref-format", "kaldi-text"]


def in_shards(folder: Path, arguments: Sequence[str], shards: int) -> list[str]:
    """The records of all shards, the last one first."""
    paths = []
    for number in range(1, shards + 1):
        path = str(folder / f"{number}.jsonl")
        outcome = fstmetrics(*arguments, "--shard", f"{number}/{shards}", "--output", path)
        assert outcome.status in (0, 1), outcome.err
        paths.insert(0, path)
    return paths


def assert_same(folder: Path, arguments: Sequence[str], shards: int) -> tuple[Outcome, str]:
    """Compare a run with its shards put together; returns how it ended, and its records."""
    whole, merged = folder / "whole.jsonl", folder / "merged.jsonl"
    paths = in_shards(folder, arguments, shards)
    outcome = fstmetrics(*arguments, "--output", whole)
    for options in ((), ("--json",)):
        expected = fstmetrics(*arguments, "--output", whole, *options)
        found = fstmetrics("merge", *paths, "--output", merged, *options)
        assert merged.read_bytes() == whole.read_bytes()
        assert (found.status, found.out) == (expected.status, expected.out)
    return outcome, whole.read_text()


@pytest.mark.parametrize("shards", [1, 2, 3, 16, 50])
def test_any_number_of_shards_is_the_run(tmp_path: Path, texts: list[str], shards: int) -> None:
    outcome, records = assert_same(tmp_path, ["score", *texts], shards)
    assert "of case" in outcome.out  # a remark that looks at texts
    assert records.count("\n") == 41


@pytest.mark.parametrize("shards", [1, 2, 5])
def test_records_are_put_together_a_few_at_a_time(
    tmp_path: Path, texts: list[str], shards: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for few in (1, 2, 3, 8):
        monkeypatch.setattr("fstmetrics.scoring.shards.RECORDS", few)
        assert_same(tmp_path, ["score", *texts], shards)


OPTIONS = [
    ("--metric", "chrf"),
    ("-m", "sclite", "--lowercase"),
    ("-mchrf",),
    ("--metric", "bleu", "--by", "speaker", "--speakers", "spu_id"),
    ("--metric", "grr", "--alignment", "--nbest", "2"),
    ("--by", "speaker", "--speakers", "spu_id"),
    ("--profile", "whisper-en"),
    ("--lm-scale", "2"),
]


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
def test_shards_under_other_options(tmp_path: Path, texts: list[str], options: tuple[str, ...]) -> None:
    if "--lm-scale" in options:
        texts = [*ORACLE]
    if "--profile" in options:
        pytest.importorskip("whisper_normalizer")
    assert_same(tmp_path, ["score", *texts, *options], 3)


@pytest.mark.parametrize(
    "arguments",
    [
        ("oracle", *ORACLE, "--alignment"),
        ("oracle", *ORACLE, "--beam", "5,inf", "--depth"),
        ("oracle", *ORACLE, "--lm-scale", "7:9"),
        ("hyter", *HYTER, "--window", "3"),
        ("mbr", ORACLE[1]),
        ("score", str(EXAMPLES / "manifests" / "small.jsonl"), "--by", "speaker,duration:2,5"),
    ],
    ids=" ".join,
)
def test_shards_of_other_commands(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert_same(tmp_path, arguments, 3)


@pytest.mark.parametrize("few", [2, 4096])
def test_faults_leave_gaps_that_the_other_shards_do_not_fill(
    tmp_path: Path, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fstmetrics.scoring.shards.RECORDS", few)
    folder = tmp_path / "lattices"
    shutil.copytree(ORACLE[1], folder)
    files = sorted(folder.iterdir())
    for number, path in enumerate(files * 2):
        target = folder / f"more{number}.slf"
        target.write_bytes(b"VERSION=1.0\nN=" if number in (1, 2, 6) else path.read_bytes())
        if path.suffix == ".gz" and number not in (1, 2, 6):
            target.rename(f"{target}.gz")
    ids = [path.name.partition(".")[0] for path in sorted(folder.iterdir())]
    references = written(tmp_path / "ref", "".join(f"{id} a house of cards\n" for id in ids))
    outcome, records = assert_same(tmp_path, ["oracle", str(references), str(folder), "--keep-going"], 5)
    assert outcome.status == 1
    assert records.count("\n") == len(ids) - 3


def test_a_shard_that_was_stopped_goes_on(tmp_path: Path, texts: list[str]) -> None:
    paths = in_shards(tmp_path, ["score", *texts], 2)
    expected = [Path(path).read_bytes() for path in paths]
    again = fstmetrics("score", *texts, "--shard", "1/2", "--output", paths[1], "--resume")
    assert again.status == 0
    assert [Path(path).read_bytes() for path in paths] == expected
    other = fstmetrics("score", *texts, "--shard", "2/2", "--output", paths[1])
    assert other.status == 0
    assert Path(paths[1]).read_bytes() == expected[0]


OF_SHARDS = {
    "correlate": ("human.tsv", "old={0}", "new={0}", "--samples", "0"),
    "report": ("{0}", "--source", "src", "--output", "page.html"),
    "score": ("ref", "{0}"),
    "convert": ("{0}", "said.txt"),
    "errors": ("{0}",),
}
# What counts words needs no places.
TAKEN = {("errors", "shard")}


@pytest.mark.parametrize("has_ids", [True, False])
@pytest.mark.parametrize("given", ["together", "shard", "merged"])
@pytest.mark.parametrize("command", OF_SHARDS)
def test_what_needs_places_of_items_takes_no_records_of_shards_without_ids(
    command: str, given: str, has_ids: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = [f"u{n}" for n in range(1, 7)] if has_ids else [""] * 6
    texts = ["a b c", "b c d e", "c c", "d a b", "e e e a", "F a b c d"]
    for side, last in (("ref", "x"), ("hyp", "y"), ("src", "z")):
        lines = [f"{id} {text} {last}".strip() for id, text in zip(names, texts, strict=True)]
        written(tmp_path / side, "\n".join([*lines, ""]))
    rows = [f"{s}\t{id or n}\t{n % 4}\n" for s in ("old", "new") for n, id in enumerate(names, 1)]
    written(tmp_path / "human.tsv", "".join(["system\tsegment\thuman\n", *rows]))
    shards = in_shards(tmp_path, ["score", "ref", "hyp", "--alignment"], 2)
    assert fstmetrics("merge", *shards, "--output", "merged").status == 0
    written(tmp_path / "together", "".join(Path(path).read_text() for path in shards))
    os.rename(shards[0], "shard")
    outcome = fstmetrics(command, *(each.format(given) for each in OF_SHARDS[command]))
    if has_ids:
        assert "fstmetrics merge" not in outcome.err
    elif given == "merged" or (command, given) in TAKEN:
        assert outcome.status == 0, outcome.err
    else:
        assert outcome.status == 2
        assert "a record of a shard, without an id, so its place in the run is not known" in outcome.err
        assert "`fstmetrics merge SHARDS... --output FILE`" in outcome.err


def test_shards_part_the_items_whatever_the_blocks_are() -> None:
    pairs = [Pair(str(n), "a", ("a",)) for n in range(23)]
    draw = random.Random(1)
    for of in (1, 2, 3, 7, 30):
        cuts = sorted({0, 23, *(draw.randrange(24) for _ in range(6))})
        blocks = [PairBlock.of(pairs[a:b]) for a, b in pairwise(cuts)]
        for number in range(1, of + 1):
            found = [pair.id for block in Shard(number, of).blocks(blocks) for pair in block]
            assert found == [str(n) for n in range(23) if n % of == number - 1]


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "1/0", "-1/3", "1/3/3", "a/b", "", "1/9999999"])
def test_what_is_no_shard_is_refused(texts: list[str], tmp_path: Path, text: str) -> None:
    outcome = fstmetrics("score", *texts, "--shard", text, "--output", tmp_path / "out")
    assert outcome.status == 2
    assert "expected I/N, as 1/8" in outcome.err
    assert not (tmp_path / "out").exists()


def refused(folder: Path, *paths: str) -> str:
    """Why these are not put together."""
    outcome = fstmetrics("merge", *paths, "--output", folder / "merged.jsonl")
    assert outcome.status == 2
    assert outcome.err.count("\n") == 1
    assert not (folder / "merged.jsonl").exists()
    return outcome.err


def test_shards_that_are_missing_or_there_twice_are_refused(tmp_path: Path, texts: list[str]) -> None:
    third, second, first = in_shards(tmp_path, ["score", *texts], 3)
    assert "shard 2/3 is missing" in refused(tmp_path, first, third)
    assert "shard 1/3 and 1 more is missing" in refused(tmp_path, third)
    assert "is given twice" in refused(tmp_path, first, second, second, third)
    for end in ("", ".shard"):
        shutil.copy(second + end, f"{tmp_path}/copy{end}")
    assert "are both shard 2/3" in refused(tmp_path, first, second, f"{tmp_path}/copy", third)
    (tmp_path / "whole.jsonl").write_text("{}\n")
    assert "is not there, which --shard writes" in refused(tmp_path, str(tmp_path / "whole.jsonl"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--metric", "wrr"), "shards of different runs: metric"),
        (("--lowercase",), "shards of different runs: lowercase"),
        (("--by", "speaker", "--speakers", "spu_id"), "shards of different runs: speakers"),
        (("--keep-going",), "shards of different runs: keep_going"),
        (("--missing", "empty"), "shards of different runs: missing"),
    ],
)
def test_shards_of_different_runs_are_refused(
    tmp_path: Path, texts: list[str], options: tuple[str, ...], message: str
) -> None:
    second, first = in_shards(tmp_path, ["score", *texts], 2)
    assert fstmetrics("score", *texts, *options, "--shard", "2/2", "--output", second).status == 0
    assert message in refused(tmp_path, first, second)


def test_shards_of_other_inputs_are_refused(tmp_path: Path, texts: list[str]) -> None:
    second, first = in_shards(tmp_path, ["score", *texts], 2)
    hypotheses = Path(texts[1])
    assert fstmetrics("merge", first, second, "--output", tmp_path / "all").status == 0
    hypotheses.write_text(hypotheses.read_text().replace(" c", " d"))
    assert fstmetrics("score", *texts, "--shard", "2/2", "--output", second).status == 0
    assert "hyp of shard 2/2 is not that of shard 1/2: it has as many bytes, and others" in refused(
        tmp_path, first, second
    )


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [("u9.txt", "a\n", "it has 4 files, not 3"), ("u1.txt", "a b\n", "its files have other names or sizes")],
)
def test_folders_are_compared_by_names_and_sizes(tmp_path: Path, name: str, text: str, what: str) -> None:
    """What is in the files of one item each, only one shard reads."""
    for side in ("ref", "hyp"):
        (tmp_path / side).mkdir()
        for number in range(3):
            written(tmp_path / side / f"u{number}.txt", "a\n")
    sides = [str(tmp_path / side) for side in ("ref", "hyp")]
    second, first = in_shards(tmp_path, ["score", *sides], 2)
    assert fstmetrics("merge", first, second, "--output", tmp_path / "all").status == 0
    for side in ("ref", "hyp"):
        written(tmp_path / side / name, text)
    assert fstmetrics("score", *sides, "--shard", "2/2", "--output", second).status == 0
    assert f"hyp/ of shard 2/2 is not that of shard 1/2: {what}" in refused(tmp_path, first, second)


@pytest.mark.parametrize("form", ["file", "folder", "list"])
def test_copies_on_another_machine_are_the_same_inputs(
    tmp_path: Path, texts: list[str], form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other paths, other times."""
    monkeypatch.chdir(tmp_path)
    for node in ("one", "two"):
        for name in ("ref", "hyp"):
            (tmp_path / node / name).mkdir(parents=True)
            shutil.copyfile(tmp_path / name, tmp_path / node / name / f"{name}.txt")
        os.utime(tmp_path / node / "ref" / "ref.txt", (0, {"one": 1, "two": 2}[node]))
        for name in ("ref", "hyp"):
            written(tmp_path / node / f"{name}.list", f"{node}/{name}/{name}.txt\n")

    def sides(node: str) -> list[str]:
        given = {"file": "{0}/{1}/{1}.txt", "folder": "{0}/{1}", "list": "@{0}/{1}.list"}[form]
        return [given.format(node, name) for name in ("ref", "hyp")]

    options = texts[2:]
    whole = fstmetrics("score", *sides("one"), *options, "--output", "whole")
    for number, node in enumerate(("one", "two"), 1):
        run = fstmetrics(
            "score", *sides(node), *options, "--shard", f"{number}/2", "--output", f"{number}.out"
        )
        assert run.status == 0, run.err
    merged = fstmetrics("merge", "1.out", "2.out", "--output", "merged")
    assert (merged.status, merged.err) == (0, "")
    assert merged.out == whole.out
    assert Path("merged").read_bytes() == Path("whole").read_bytes()


@pytest.mark.parametrize("change", [b"", b"{}\n", b"cut", b"flip"])
def test_records_that_have_changed_are_refused(tmp_path: Path, texts: list[str], change: bytes) -> None:
    second, first = in_shards(tmp_path, ["score", *texts], 2)
    data = Path(second).read_bytes()
    changed = {b"cut": data[:-30], b"flip": data.replace(b'"edits": 1', b'"edits": 2', 1), b"": b""}
    Path(second).write_bytes(changed.get(change, data + change))
    assert "has changed since the shard was written" in refused(tmp_path, first, second)


def test_a_damaged_file_beside_the_records_is_refused(tmp_path: Path, texts: list[str]) -> None:
    second, first = in_shards(tmp_path, ["score", *texts], 2)
    beside = Path(f"{second}.shard")
    whole = beside.read_bytes()
    for data in (b"", whole[:-20], whole.replace(b"items", b"itams", 1), b"{}\n"):
        beside.write_bytes(data)
        assert "is damaged; run the shard again" in refused(tmp_path, first, second)


# Runs a command for each line of its input, as GNU parallel does.
PARALLEL = """import subprocess, sys
for line in sys.stdin:
    subprocess.run([each.replace("{}", line.strip()) for each in sys.argv[1:]], check=True)
"""


@pytest.mark.skipif(shutil.which("sh") is None, reason="the system has no shell")
@pytest.mark.parametrize("number", range(3))
def test_the_scripts_of_the_documentation_make_shards_of_a_run(tmp_path: Path, number: int) -> None:
    """Of Slurm, SGE and GNU parallel, two tasks each."""
    page = (
        (ROOT / "docs" / "long-runs.md").read_text().partition("\n## Job arrays\n")[2].partition("\n## ")[0]
    )
    scripts = [text for text in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) if "oracle" in text]
    script = scripts[number].replace("seq 8", "seq 2").replace("/8 ", "/2 ")
    archive, references, scp = (str(tmp_path / name) for name in ("lat.ark", "ref.txt", "lattices.scp"))
    assert fstmetrics("convert", ORACLE[1], archive, "--to", "kaldi-lattice-text", "--lossy").status == 0
    shutil.copy(ORACLE[0], references)
    rows = fstmetrics("index", archive).records
    written(Path(scp), "".join(f"{row['id']} {archive}:{row['offset'] + len(row['id'])}\n" for row in rows))
    (tmp_path / "shards").mkdir()
    for name, code in (("fstmetrics", "from fstmetrics.cli import main\nmain()\n"), ("parallel", PARALLEL)):
        (tmp_path / "bin").mkdir(exist_ok=True)
        written(tmp_path / "bin" / name, f"#!{sys.executable}\n{code}").chmod(0o755)
    for task in ("1", "2") if number < 2 else ("",):
        told = {"SLURM_CPUS_PER_TASK": "1", "SLURM_ARRAY_TASK_ID": task, "SLURM_ARRAY_TASK_COUNT": "2"}
        told |= {"SGE_TASK_ID": task, "SGE_TASK_LAST": "2"}
        told["PATH"] = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
        ended = ran(
            ["sh", "-c", script], cwd=tmp_path, env={**os.environ, **told}, capture_output=True, text=True
        )
        assert ended.returncode == 0, ended.stderr
    whole = fstmetrics("oracle", references, f"scp:{scp}", "--output", tmp_path / "whole.jsonl")
    merged = fstmetrics(
        "merge", *sorted((tmp_path / "shards").glob("*.jsonl")), "--output", tmp_path / "all.jsonl"
    )
    assert (merged.status, merged.out) == (0, whole.out.replace(references, "ref.txt"))
    assert (tmp_path / "all.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


@pytest.mark.parametrize("content", ["ann-01 a c\n", "ann-01 a b c\n"])
def test_an_input_by_url_that_has_changed_is_refused(tmp_path: Path, content: str) -> None:
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
    memory = fsspec.filesystem("memory")
    heard = written(tmp_path / "hyp.txt", "ann-01 a b\n")
    memory.pipe_file("/ref.txt", b"ann-01 a b\n")
    arguments = ["score", "memory://ref.txt", heard, "--format", "kaldi-text", "--ref-format", "kaldi-text"]
    assert_same(tmp_path, arguments, 2)
    (tmp_path / "merged.jsonl").unlink()
    second, first = in_shards(tmp_path, arguments, 2)
    memory.pipe_file("/ref.txt", content.encode())
    assert fstmetrics(*arguments, "--shard", "2/2", "--output", second).status == 0
    told = refused(tmp_path, first, second)
    assert "memory://ref.txt of shard 2/2 is not that of shard 1/2: it has changed" in told


def test_damaged_statistics_beside_the_records_are_refused(tmp_path: Path, texts: list[str]) -> None:
    """Changed ones, and those of fewer items."""
    second, first = in_shards(tmp_path, ["score", *texts, "--metric", "bleu"], 2)
    beside = Path(f"{second}.shard")
    whole = beside.read_bytes()
    told, entries = whole.split(b"\n", 1)
    others = entries.replace(b": 1.0", b": 2.0", 1), entries[:-20], b"", entries * 2
    for data in others:
        assert data != entries
        beside.write_bytes(told + b"\n" + data)
        assert "is damaged; run the shard again" in refused(tmp_path, first, second)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "give --output FILE"),
        (("--output", "-"), "give --output FILE"),
        (("--output", "out", "--report", "sys"), "--report is of a whole run"),
        (("--output", "out", "--metric", "nist"), "nist is of all texts at once"),
    ],
)
def test_what_cannot_be_parted_is_refused(
    texts: list[str], options: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = fstmetrics("score", *texts, "--shard", "1/2", *options)
    assert outcome.status == 2
    assert message in outcome.err


def test_an_output_that_is_a_shard_is_refused(tmp_path: Path, texts: list[str]) -> None:
    paths = in_shards(tmp_path, ["score", *texts], 2)
    for output in (paths[0], f"{paths[0]}.shard"):
        outcome = fstmetrics("merge", *paths, "--output", output)
        assert outcome.status == 2
        assert "would overwrite the input" in outcome.err


def test_a_shard_is_written_before_its_records_have_their_name(tmp_path: Path, texts: list[str]) -> None:
    (path,) = in_shards(tmp_path, ["score", *texts], 1)
    told = json.loads(Path(f"{path}.shard").read_text().partition(" ")[2])
    assert told["format"] == "fstmetrics-shard/3"
    assert (told["items"], told["faults"], told["shard"]) == (41, [], [1, 1])
    assert told["size"] == len(Path(path).read_bytes())
