"""`fm.compare_files` beside the command: the same numbers, remarks and errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest
from command import HYTER, all_params, fstmetrics, written

import fstmetrics as fm
from fstmetrics.cli import cli
from fstmetrics.cli.option_tables import with_metrics
from fstmetrics.commands.compare import COMPARING
from fstmetrics.support.errors import FstmetricsError

# Options as Python has them, and as the command line has them.
OPTIONS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, []),
    ({"metric": "bleu,wer", "lowercase": True}, ["--metric", "bleu,wer", "--lowercase"]),
    ({"metric": ["wer", "mean-wer"], "seed": 3}, ["--metric", "wer", "--metric", "mean-wer", "--seed", "3"]),
    ({"metric": "wer", "test": "Randomization", "one_sided": True},
     ["--metric", "wer", "--test", "randomization", "--one-sided"]),
    ({"test": "sign", "both_ways": True}, ["--test", "sign", "--both-ways"]),
    ({"pairs": "all", "correction": "holm", "confidence": 0.9},
     ["--pairs", "all", "--correction", "holm", "--confidence", "0.9"]),
    ({"metric": "wer", "blocks": "speaker", "speakers": "spu_id"},
     ["--metric", "wer", "--blocks", "speaker", "--speakers", "spu_id"]),
    ({"metric": "wer", "grammar": ["en.contractions"]}, ["--metric", "wer", "--grammar", "en.contractions"]),
    ({"labels": {"domain": "domains.txt"}, "by": ["domain"]},
     ["--labels", "domain=domains.txt", "--by", "domain"]),
    ({"scores": {"comet": "comet.tsv"}, "lower": ["comet"]}, ["--scores", "comet=comet.tsv", "--lower", "comet"]),
]  # fmt: skip
# What the command refuses.
REFUSED: list[tuple[dict[str, Any], list[str]]] = [
    ({"metric": "wre"}, ["--metric", "wre"]),
    ({"order": 3}, ["--order", "3"]),
    ({"output": "out.sums"}, ["--output", "out.sums"]),
    ({"shard": "1/2"}, ["--shard", "1/2"]),
    ({"shard": "1/2", "output": "out.sums"}, ["--shard", "1/2", "--output", "out.sums"]),
    ({"labels": ["domain"]}, ["--labels", "domain"]),
    ({"documents": "nowhere.docs"}, ["--documents", "nowhere.docs"]),
    ({"scores": "nowhere.json"}, ["--scores", "nowhere.json"]),
    ({"networks": "nowhere"}, ["--networks", "nowhere"]),
    ({"plot": "picture.txt"}, ["--plot", "picture.txt"]),
    ({"output": "out.png"}, ["--output", "out.png"]),
    (
        {"profiles": "whisper-en,open-asr", "seed": 3},
        ["--profiles", "whisper-en,open-asr", "--seed", "3"],
    ),
    ({"profiles": "whisper-en", "metric": "bleu"}, ["--profiles", "whisper-en", "--metric", "bleu"]),
    ({"profiles": ["whisper-en", "nobodys"]}, ["--profiles", "whisper-en,nobodys"]),
]
PROFILES = ["none", "whisper-en"]
ITEMS = ("the cat Sat", "it's a dog", "one two three", "a b c d", "x y", "last one")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    ids = [f"{who}-{n}" for n, who in enumerate(("ann", "ann", "bob", "bob", "cy", "cy"))]

    def lines(items: list[str]) -> str:
        return "".join(f"{id} {item}\n" for id, item in zip(ids, items, strict=True))

    written(tmp_path / "ref.txt", lines(list(ITEMS)))
    written(tmp_path / "a.txt", lines([item.lower() for item in ITEMS]))
    written(tmp_path / "b.txt", lines([item.replace("a", "o") for item in ITEMS]))
    written(tmp_path / "domains.txt", "news\nnews\ntalks\ntalks\nnews\ntalks\n")
    rows = [f"{system}\t{id}\t{n / 7}" for system in ("a", "b") for n, id in enumerate(ids)]
    written(tmp_path / "comet.tsv", "\n".join(["system\tsegment\tcomet", *rows]) + "\n")
    return ["a.txt", "b.txt"]


@pytest.mark.parametrize(("given", "options"), OPTIONS, ids=lambda value: " ".join(value))
def test_summaries_are_what_the_command_prints(
    given: dict[str, Any], options: list[str], files: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    found = fm.compare_files(files, references="ref.txt", samples=99, **given)
    assert capfd.readouterr() == ("", "")
    told = fstmetrics("compare", "--ref", "ref.txt", *files, "--samples", 99, "--json", *options)
    assert json.loads(json.dumps(found.summary())) == told.summary


def test_systems_have_the_names_of_a_dict(files: list[str]) -> None:
    found = fm.compare_files(
        {"old": ["b.txt", "a.txt"], "new": ["a.txt", "b.txt"]},
        references=["ref.txt"],
        metric="wer",
        samples=9,
    )
    options = ["--metric", "wer", "--samples", 9, "--json"]
    told = fstmetrics("compare", "--ref", "ref.txt", "old=b.txt,a.txt", "new=a.txt,b.txt", *options)
    assert json.loads(json.dumps(found.summary())) == told.summary
    assert found.comparison is not None
    assert list(found.comparison.systems) == ["old", "new"]


def test_networks_and_tables(tmp_path: Path) -> None:
    found = fm.compare_files([HYTER[1]], networks=HYTER[0], metric="hyter", window=3, samples=9)
    options = ["--metric", "hyter", "--window", 3, "--samples", 9, "--json"]
    told = fstmetrics("compare", HYTER[1], "--networks", HYTER[0], *options)
    assert json.loads(json.dumps(found.summary())) == told.summary


def test_profiles(files: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    found = fm.compare_files(files, references="ref.txt", profiles=PROFILES, unit="char", lowercase=False)
    assert capfd.readouterr() == ("", "")
    options = ["--profiles", ",".join(PROFILES), "--unit", "char", "--json"]
    told = fstmetrics("compare", "--ref", "ref.txt", *files, *options)
    assert json.loads(json.dumps(found.summary())) == told.summary
    assert found.comparison is None
    with pytest.raises(FstmetricsError, match="nothing is tested under several profiles"):
        found.whole  # noqa: B018
    assert found.profiles is not None
    assert list(found.profiles.found.profiles) == PROFILES


def test_shards_of_python_are_merged_by_the_command(files: list[str]) -> None:
    options: dict[str, Any] = {"metric": "wer", "test": "poisson-bootstrap", "samples": 50, "lowercase": True}
    for n in (1, 2):
        part = fm.compare_files(files, references="ref.txt", **options, shard=f"{n}/2", output=f"{n}.sums")
        assert part.shard.startswith(f"shard {n}/2: 3 items")
        with pytest.raises(FstmetricsError, match="a shard is a part of a run"):
            part.summary()
    expected = fm.compare_files(files, references="ref.txt", **options).summary()
    assert fstmetrics("merge", "1.sums", "2.sums", "--json").summary == json.loads(json.dumps(expected))


@pytest.mark.parametrize(("given", "options"), REFUSED, ids=lambda value: " ".join(value))
def test_what_the_command_refuses_is_refused(
    given: dict[str, Any], options: list[str], files: list[str]
) -> None:
    told = fstmetrics("compare", "--ref", "ref.txt", *files, *options)
    assert told.status == 2
    with pytest.raises(FstmetricsError) as refused:
        fm.compare_files(files, references="ref.txt", **given)
    said = str(refused.value)
    assert told.err == f"fstmetrics: {said}\n" or said.partition(": ")[2] in told.err


def test_options_are_those_of_the_command() -> None:
    command = cli.get_command(click.Context(cli), "compare")
    assert command is not None
    own = {
        option.removeprefix("--").replace("-", "_"): param.name
        for param in all_params(command)
        if isinstance(param, click.Option)
        for option in param.opts
        if option.startswith("--")
    }
    assert own.keys() - with_metrics(COMPARING).keys() == {"max", "verbose"}
    assert {name: option.field for name, option in with_metrics(COMPARING).items()}.items() <= own.items()


def test_what_is_no_system_or_option(files: list[str]) -> None:
    with pytest.raises(TypeError, match=r"compare_files\(\) has no option 'markdown'"):
        fm.compare_files(files, references="ref.txt", markdown=True)
    with pytest.raises(FstmetricsError, match="there is no system to compare"):
        fm.compare_files([], references="ref.txt")
    with pytest.raises(FstmetricsError, match=r"takes paths .* fm\.compare takes texts"):
        fm.compare_files([["a b"]], references="ref.txt")  # type: ignore[list-item]
    with pytest.raises(FstmetricsError, match="a=b: a system has a name without ="):
        fm.compare_files({"a=b": "a.txt"}, references="ref.txt")
    with pytest.raises(FstmetricsError, match="confidence: 1 is not in the range above 0 to below 1"):
        fm.compare_files(files, references="ref.txt", confidence=1)
