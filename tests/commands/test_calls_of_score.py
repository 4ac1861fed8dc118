"""`fm.score_files`, `oracle_files` and `hyter_files` beside the commands: the same numbers, records and errors."""

from __future__ import annotations

import json
import os
import pickle
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any

import click
import pytest
from command import HYTER, ORACLE, all_params, called, fstmetrics, written

import fstmetrics as fm
from fstmetrics.cli import cli
from fstmetrics.cli.option_tables import ORACLE as OF_ORACLE
from fstmetrics.cli.option_tables import SCORING, with_metrics
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.options import dashed

CALLS: dict[str, Callable[..., fm.Score]] = {
    "score": fm.score_files,
    "oracle": fm.oracle_files,
    "hyter": fm.hyter_files,
}
# Options as Python has them, and as the command line has them.
OPTIONS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, []),
    ({"lowercase": True, "remove_punctuation": True}, ["--lowercase", "--remove-punctuation"]),
    ({"metric": "bleu", "tokenize": "none", "smoothing": None}, ["--metric", "bleu", "--tokenize", "none"]),
    ({"metric": fm.BLEU(), "tokenize": "none"}, ["--metric", "bleu", "--tokenize", "none"]),
    ({"metric": "grr", "order": 2, "alpha": 0.5}, ["--metric", "grr", "--order", "2", "--alpha", "0.5"]),
    ({"metric": "grr", "alpha": Decimal("0.25")}, ["--metric", "grr", "--alpha", "0.25"]),
    ({"unit": "char", "ignore": ["uh um", "mm"]}, ["--unit", "char", "--ignore", "uh um", "--ignore", "mm"]),
    ({"ignore_ref": "the", "ignore_hyp": "a"}, ["--ignore-ref", "the", "--ignore-hyp", "a"]),
    ({"alignment": True}, ["--alignment"]),
    ({"nbest": 2, "route": "auto"}, ["--nbest", "2"]),
    ({"grammar": "en.contractions"}, ["--grammar", "en.contractions"]),
    ({"missing": "skip"}, ["--missing", "skip"]),
    ({"jobs": "2"}, ["--jobs", "2"]),
]
LATTICES: list[tuple[dict[str, Any], list[str]]] = [
    ({}, []),
    ({"beam": 4}, ["--beam", "4"]),
    ({"beam": [8, 4.5, float("inf")]}, ["--beam", "8,4.5,inf"]),
    ({"lm_scale": "7:9", "word_penalty": [0, 0.5]}, ["--lm-scale", "7:9", "--word-penalty", "0,0.5"]),
    ({"lm_scale": 7, "acoustic_scale": 0.5}, ["--lm-scale", "7", "--acoustic-scale", "0.5"]),
    ({"model_weight": 0.25, "nbest": 2}, ["--model-weight", "0.25", "--nbest", "2"]),
    ({"depth": True, "alignment": True}, ["--depth", "--alignment"]),
]
# What the command refuses.
REFUSED: list[tuple[dict[str, Any], list[str]]] = [
    ({"order": 3}, ["--order", "3"]),
    ({"metric": "bleu", "alignment": True}, ["--metric", "bleu", "--alignment"]),
    ({"resume": True}, ["--resume"]),
    ({"shard": "1/2"}, ["--shard", "1/2"]),
    ({"tokenize": "nobodys"}, ["--tokenize", "nobodys"]),
    ({"beam": 3}, ["--beam", "3"]),
    ({"by": ["speaker"]}, ["--by", "speaker"]),
    ({"by": "topic"}, ["--by", "topic"]),
    ({"report": "sys"}, ["--report", "sys"]),
    ({"fields": {"id": "nowhere"}}, ["--fields", "id=nowhere"]),
    ({"symbols": "nowhere.txt"}, ["--symbols", "nowhere.txt"]),
    ({"ref": ["nowhere.txt"]}, ["--ref", "nowhere.txt"]),
    ({"output": "out.xlsx"}, ["--output", "out.xlsx"]),
    ({"format": "trn"}, ["--format", "trn"]),
    ({"profile": "nobodys"}, ["--profile", "nobodys"]),
]


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    monkeypatch.chdir(tmp_path)
    references = "u1 the cat Sat\nu2 it's a dog .\nu3 one two three\n"
    hypotheses = "u1 a cat sat uh\nu2 it is a dog\nu3 two one three\n"
    return written(tmp_path / "ref.txt", references), written(tmp_path / "hyp.txt", hypotheses)


def names(cases: list[tuple[dict[str, Any], list[str]]]) -> list[str]:
    return [" ".join(options) or "no options" for _, options in cases]


@pytest.mark.parametrize(("given", "options"), OPTIONS, ids=names(OPTIONS))
def test_summaries_of_texts_are_what_the_command_prints(
    given: dict[str, Any], options: list[str], texts: tuple[Path, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    found = called(fm.score_files, *texts, **given)
    assert capfd.readouterr() == ("", "")
    expected = fstmetrics("score", *texts, "--json", *options).summary
    assert json.loads(json.dumps(found.summary())) == expected
    assert (found.score, len(found)) == (expected["score"], expected["items"])
    assert pickle.loads(pickle.dumps(found)).summary() == found.summary()


@pytest.mark.parametrize(("given", "options"), LATTICES, ids=names(LATTICES))
@pytest.mark.parametrize("command", ["oracle", "score"])
def test_summaries_of_lattices_are_what_the_command_prints(
    command: str, given: dict[str, Any], options: list[str]
) -> None:
    found = called(CALLS[command], *ORACLE, **given)
    assert json.loads(json.dumps(found.summary())) == fstmetrics(command, *ORACLE, "--json", *options).summary


@pytest.mark.parametrize("given", [{"window": 3}, {"metric": fm.HyTER(window=3)}])
def test_summaries_of_networks_are_what_the_command_prints(given: dict[str, Any]) -> None:
    found = fm.hyter_files(networks=HYTER[0], hypotheses=HYTER[1], **given)
    assert (
        json.loads(json.dumps(found.summary()))
        == fstmetrics("hyter", *HYTER, "--json", "--window", 3).summary
    )


def test_entries_of_lists_that_together_score_best(tmp_path: Path) -> None:
    references = written(tmp_path / "ref.txt", "u1 the cat sat\nu2 a dog\n")
    lists = written(tmp_path / "lists.txt", "u1-1 the cat\nu1-2 a cat sat\nu2-1 a dog\nu2-2 the dog\n")
    options = {"metric": "bleu", "format": "nbest-kaldi", "tokenize": "none"}
    found = fm.oracle_files(references=references, lattices=lists, **options)
    given = [part for name, value in options.items() for part in (f"--{name}", value)]
    assert (
        json.loads(json.dumps(found.summary()))
        == fstmetrics("oracle", references, lists, "--json", *given).summary
    )


def test_tables_by_fields_are_those_of_the_command(tmp_path: Path) -> None:
    rows = [
        {"path": f"u{n}", "text": "a b c", "pred": "a x c"[: n + 2], "speaker": f"s{n % 2}", "duration": n}
        for n in range(6)
    ]
    table = written(tmp_path / "rows.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    fields = {"id": "path", "ref": "text", "hyp": "pred"}
    found = fm.score_files(references=table, fields=fields, by=["speaker", "duration:2,4"])
    options = ["--fields", "id=path,ref=text,hyp=pred", "--by", "speaker,duration:2,4"]
    assert json.loads(json.dumps(found.summary())) == fstmetrics("score", table, "--json", *options).summary
    assert [table.name for table in found.breakdowns] == ["speaker", "duration"]


def test_records_are_those_of_the_command(texts: tuple[Path, Path], tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours.jsonl", tmp_path / "theirs.jsonl"
    found = called(fm.score_files, *texts, output=ours, alignment=True, nbest=2)
    assert fstmetrics("score", *texts, "--output", theirs, "--alignment", "--nbest", 2).status == 0
    assert ours.read_bytes() == theirs.read_bytes() != b""
    assert found.results == []
    kept = called(fm.score_files, *texts, alignment=True, nbest=2)
    assert [json.dumps(record) for record in kept.summary()["records"]] == [
        json.dumps(json.loads(line)) for line in ours.read_text().splitlines()
    ]
    assert [result.id for result in kept.results] == ["u1", "u2", "u3"]


@pytest.mark.parametrize("metric", ["wer", "bleu", "hyter"])
def test_scores_of_files_are_printed_as_those_of_lists(metric: str, tmp_path: Path) -> None:
    references, hypotheses = ["a b c d e", "c d"], ["a b c e d", "c"]
    paths = [
        written(tmp_path / str(n), "\n".join(side) + "\n") for n, side in enumerate((references, hypotheses))
    ]
    options = {"window": 2} if metric == "hyter" else {}
    found = called(fm.score_files, *paths, metric=metric, **options)
    lists = fm.score(hypotheses, references, fm.HyTER(2) if options else metric)
    assert str(found) == str(lists)
    assert repr(found) == f"Score({lists!r})"


def test_shards_of_python_are_merged_by_the_command(texts: tuple[Path, Path], tmp_path: Path) -> None:
    options: dict[str, Any] = {"lowercase": True, "ignore": ["uh"], "ref": [texts[0]]}
    parts = [tmp_path / f"{n}.jsonl" for n in (1, 2)]
    for n, part in enumerate(parts, 1):
        found = called(fm.score_files, *texts, **options, output=part, shard=f"{n}/2")
        assert str(found) == repr(found)
        with pytest.raises(FstmetricsError, match="a shard is a part of a run"):
            found.summary()
    whole, merged = tmp_path / "whole.jsonl", tmp_path / "merged.jsonl"
    expected = called(fm.score_files, *texts, **options, output=whole).summary()
    assert fstmetrics("merge", *parts, "--output", merged, "--json").summary == json.loads(
        json.dumps(expected)
    )
    assert merged.read_bytes() == whole.read_bytes()


def test_reports_of_sclite_are_those_of_the_command(tmp_path: Path) -> None:
    sides = [
        written(tmp_path / "ref.trn", "a b (ann_1)\nc d (ann_2)\ne f (bob_1)\n"),
        written(tmp_path / "hyp.trn", "a b (ann_1)\nc x (ann_2)\ne (bob_1)\n"),
    ]
    found = called(fm.score_files, *sides, report=["sys", "dtl"])
    assert found.reports is not None
    assert list(found.reports) == ["sys", "dtl"]
    printed = fstmetrics("score", *sides, "--report", "sys,dtl").out
    assert all(text.rstrip("\n") in printed for text in found.reports.values())
    output = tmp_path / "out.jsonl"
    files = called(fm.score_files, *sides, report="sys,dtl", output=output).shown.files
    assert [Path(file).name for file in files] == ["out.sys", "out.dtl"]
    assert (tmp_path / "out.sys").read_text() == found.reports["sys"]


def test_items_with_faults_are_named(tmp_path: Path) -> None:
    lattices = tmp_path / "lattices"
    shutil.copytree(ORACLE[1], lattices)
    damaged = sorted(lattices.iterdir())[1]
    damaged.write_bytes(damaged.read_bytes()[:40])
    with pytest.raises(fm.InputError):
        fm.oracle_files(references=ORACLE[0], lattices=lattices)
    found = fm.oracle_files(references=ORACLE[0], lattices=lattices, keep_going=True)
    told = fstmetrics("oracle", ORACLE[0], lattices, "--keep-going", "--json")
    assert (found.status, told.status, found.left_out.faults) == (1, 1, 1)
    assert [f"fstmetrics: {fault}" for fault in found.faults] == told.err.splitlines()
    assert json.loads(json.dumps(found.summary())) == json.loads(told.out)


@pytest.mark.parametrize(("given", "options"), REFUSED, ids=names(REFUSED))
def test_what_the_command_refuses_is_refused(
    given: dict[str, Any], options: list[str], texts: tuple[Path, Path]
) -> None:
    told = fstmetrics("score", *texts, *options)
    assert told.status == 2
    with pytest.raises(FstmetricsError) as refused:
        called(fm.score_files, *texts, **given)
    assert told.err == f"fstmetrics: {refused.value}\n" or str(refused.value).startswith(
        f"{next(iter(given))}: "
    )
    assert str(refused.value).partition(": ")[2].partition("; ")[0] in told.err


OF_SCORE = with_metrics(SCORING)


def test_options_are_those_of_the_commands() -> None:
    context = click.Context(cli)
    for name in CALLS:
        command = cli.get_command(context, name)
        assert command is not None
        own = {
            option.removeprefix("--").replace("-", "_"): param
            for param in all_params(command)
            if isinstance(param, click.Option)
            for option in param.opts
            if option.startswith("--")
        }
        assert own.keys() - OF_SCORE.keys() == {"max", "verbose"}
        known = with_metrics(OF_ORACLE) if name == "oracle" else OF_SCORE
        assert known.keys() - own.keys() == set()
        assert all(own[option].name == known[option].field for option in known)


SAMPLES = [
    "", "0", "1", "-1", "2", "0.5", "1e3", "1e400", "nan", "1_0", "x", "7:9", "wer", "word", "none", "1/2", "openfst",
    "openfst=3", "openfst=0", "error", "sys,dtl", "sys,no", "speaker", "a:3,2", "plain", "exp", "openasr", "wer,cer",
]  # fmt: skip


@pytest.mark.parametrize("name", OF_SCORE)
def test_values_are_those_of_the_command_line(name: str) -> None:
    """What is written on the command line is taken, or refused, by both."""
    command = cli.get_command(click.Context(cli), "score")
    assert command is not None
    (param,) = (p for p in all_params(command) if dashed(name) in p.opts)
    assert isinstance(param, click.Option)
    context = click.Context(command)

    def of_command(sample: str) -> Any:
        value = param.type_cast_value(context, [sample] if param.multiple else sample)
        return param.callback(context, param, value) if param.callback else value

    plain = not param.is_flag and param.name != "form" and name != "output"
    for sample in SAMPLES if plain else ():
        theirs = _value_or_none(lambda sample=sample: of_command(sample))
        ours = _value_or_none(lambda sample=sample: OF_SCORE[name].kind(sample))
        if isinstance(theirs, list | tuple) and isinstance(ours, list | tuple):
            theirs, ours = list(theirs), list(ours)
        assert ours == theirs, sample


def _value_or_none(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except (click.ClickException, ValueError, FstmetricsError):
        return None


def test_unknown_options_name_those_that_are_near(texts: tuple[Path, Path]) -> None:
    with pytest.raises(
        TypeError, match=r"score_files\(\) has no option 'lower_case'; did you mean lowercase\?"
    ):
        called(fm.score_files, *texts, lower_case=True)
    with pytest.raises(TypeError, match="has no option 'json'"):
        called(fm.score_files, *texts, json=True)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"lowercase": 1}, "lowercase: expected True or False, not 1"),
        ({"nbest": True}, r"nbest: expected a whole number \(1 to .*\), not True"),
        ({"nbest": 0}, "nbest: 0 is not in the range 1 to"),
        ({"beam": "x"}, "beam: expected numbers from 0 up, joined by commas, not 'x'"),
        ({"beam": [-1]}, "beam: expected numbers from 0 up"),
        ({"unit": "words"}, "unit: 'words' is not one of 'word', 'char'"),
        ({"output": "-"}, "output: expected a file"),
        ({"metric": 3}, "metric: expected text, not 3"),
        ({"metric": "wre"}, "metric: unknown metric 'wre'; did you mean wer"),
        ({"metric": fm.GRR(2), "order": 3}, "--order is for metrics by name"),
        ({"metric": fm.GRR(2), "order": 4}, "--order is for metrics by name"),  # the default
        ({"metric": [fm.BLEU(smoothing="none")], "smoothing": "exp"}, "--smoothing is for metrics by name"),
        ({"ref": 3}, "ref: expected one or a list, not 3"),
        ({"format": "kaldi-latice"}, "format: unknown format 'kaldi-latice'; did you mean"),
    ],
)
def test_values_that_are_none(given: dict[str, Any], message: str, texts: tuple[Path, Path]) -> None:
    with pytest.raises(FstmetricsError, match=message):
        called(fm.score_files, *texts, **given)


def test_texts_are_no_paths(texts: tuple[Path, Path]) -> None:
    with pytest.raises(FstmetricsError, match=r"takes paths .* fm\.score takes texts"):
        fm.score_files(references=["a b"], hypotheses=["a c"])  # type: ignore[arg-type]
    with pytest.raises(FstmetricsError):
        fm.score_files(references="the cat sat", hypotheses="a cat sat")


def test_paths_of_several_references(texts: tuple[Path, Path]) -> None:
    several = fm.score_files(references=[str(texts[0]), texts[1]], hypotheses=texts[1]).summary()
    assert (
        several == fm.score_files(references=texts[0], hypotheses=os.fspath(texts[1]), ref=texts[1]).summary()
    )
    assert several["score"] == 0


def test_threads_do_not_disturb_each_other(texts: tuple[Path, Path]) -> None:
    expected = called(fm.score_files, *texts).summary()
    with ThreadPoolExecutor(4) as pool:
        assert (
            list(pool.map(lambda _: called(fm.score_files, *texts).summary(), range(16))) == [expected] * 16
        )


def test_a_corpus_of_files_has_the_items_that_are_kept(tmp_path: Path) -> None:
    ref, one, two = (written(tmp_path / name, text) for name, text in (
        ("ref", "the cat sat\na dog ran\n"), ("one", "the cat\na dog ran\n"), ("two", "a cat sat\na dog\n"),
    ))  # fmt: skip
    first, second = (
        fm.score_files(references=ref, hypotheses=path, alignment=True).corpus for path in (one, two)
    )
    assert list(first) == list(fm.score(["the cat", "a dog ran"], ["the cat sat", "a dog ran"]))
    assert [item.edits for item in first] == [1, 0]
    assert fm.compare({"one": first, "two": second}).systems["two"]["wer"].score == second.score
    with pytest.raises(fm.FstmetricsError, match="only the sums"):
        fm.score_files(references=ref, hypotheses=one).corpus[0]
