"""Calls of Python beside the commands of their names: the same numbers, files and errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest
from command import HYTER, ORACLE, all_params, called, fstmetrics, written

import fstmetrics as fm
from fstmetrics.apps.calibration.confidence_command import JUDGING
from fstmetrics.apps.metaeval.correlate_command import CORRELATING
from fstmetrics.apps.metaeval.rankings_command import RANKING
from fstmetrics.apps.proficiency.features_command import FEATURES
from fstmetrics.apps.proficiency.proficiency_command import LEVELS
from fstmetrics.apps.tuning.tune_command import TUNING
from fstmetrics.cli import cli
from fstmetrics.cli.option_tables import Options, with_metrics
from fstmetrics.commands.latency import STREAMED
from fstmetrics.commands.partials import SHOWN
from fstmetrics.support.errors import FstmetricsError


class Call(NamedTuple):
    """A function, the table of its options, arguments, and options that only the command has."""

    function: Callable[..., Any]
    options: Options
    example: tuple[str, ...]
    of_command: frozenset[str] = frozenset()


CALLS = {
    "confidence": Call(fm.confidence_files, JUDGING, ("ref.stm", "hyp.ctm")),
    "correlate": Call(fm.correlate_files, CORRELATING, ("human.tsv",)),
    "tune": Call(partial(fm.tune_files, weights="start.weights"), TUNING, ("lists.nbest",)),
    "latency": Call(fm.latency_files, STREAMED, ("good.log",)),
    "partials": Call(fm.partials_files, SHOWN, ("partials.jsonl",)),
    "features": Call(fm.features_files, FEATURES, ("ref.txt", "a.txt")),
    "proficiency": Call(fm.proficiency_files, LEVELS, ("human.tsv",)),
    "rankings": Call(fm.rankings_files, RANKING, ("ranks.tsv",), frozenset({"lower"})),
}
# Arguments and options of Python, and what the command line has for them.
SAME: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("confidence", ["ref.stm", "hyp.ctm"], {}, "ref.stm hyp.ctm"),
    ("confidence", [Path("ref.stm"), Path("hyp.ctm")], {"metric": "sclite", "bins": 3},
     "ref.stm hyp.ctm --metric sclite --bins 3"),
    ("confidence", ["ref.stm", "hyp.ctm"], {"lowercase": True, "ignore": ["good"], "missing": "skip"},
     "ref.stm hyp.ctm --lowercase --ignore good --missing skip"),
    ("rankings", ["ranks.tsv"], {}, "ranks.tsv"),
    ("rankings", ["human.tsv"], {"ranks": "human", "higher": True}, "human.tsv --ranks human --higher"),
    ("rankings", ["ranks.tsv"], {"systems": ["C", "A"], "higher": False}, "ranks.tsv --systems C,A --lower"),
    ("rankings", ["ranks.tsv", {"A": "a.tagged", "B": Path("b.tagged")}],
     {"ref": "ref.tagged", "learn_weights": "out.weights", "lowercase": True, "pivot_table": "pivots",
      "analyser": "factored"},
     "ranks.tsv A=a.tagged B=b.tagged --ref ref.tagged --learn-weights out.weights --lowercase --pivot-table pivots "
     "--analyser factored"),
    ("tune", ["lists.nbest", "ref.txt"], {"weights": "start.weights", "starts": 1},
     "lists.nbest --ref ref.txt --weights start.weights --starts 1"),
    ("tune", [["lists.nbest", Path("lists.nbest")]],
     {"weights": Path("start.weights"), "ref": "ref.txt", "metric": ["wer", "bleu"], "algorithm": "pro", "tune": ["lm"],
      "output": "out.d", "lowercase": True},
     "lists.nbest lists.nbest --weights start.weights --ref ref.txt --metric wer,bleu --algorithm pro --tune lm "
     "--output out.d --lowercase"),
    ("tune", ["lists.nbest", ["ref.txt"]],
     {"weights": "start.weights", "metric": "wer", "held_out": "lists.nbest", "held_out_ref": ["a.txt"],
      "output": "out.weights", "starts": 2, "seed": 5},
     "lists.nbest --weights start.weights --ref ref.txt --metric wer --held-out lists.nbest --held-out-ref a.txt "
     "--output out.weights --starts 2 --seed 5"),
    ("correlate", ["human.tsv"], {"samples": 20, "lowercase": False, "rename": []}, "human.tsv --samples 20"),
    ("correlate", ["human.tsv"],
     {"level": ["segment"], "coefficients": ["pearson:item", "acc-eq"], "samples": 0, "threshold": 1, "lower": "ter"},
     "human.tsv --level segment --coefficients pearson:item,acc-eq --samples 0 --threshold 1 --lower ter"),
    ("correlate", ["human.tsv"], {"documents": [1, 2], "per_size": 5, "seed": 2, "samples": 0, "output": "out.tsv"},
     "human.tsv --documents 1,2 --per-size 5 --seed 2 --samples 0 --output out.tsv"),
    ("correlate", ["human.tsv"], {"test": "sign", "p_level": 0.5, "samples": 20},
     "human.tsv --test sign --p-level 0.5 --samples 20"),
    ("correlate", [["human.tsv", "A=a.txt", "B=b.txt"]],
     {"ref": ["ref.txt"], "metric": ["wer", "mean-wer"], "format": "plain", "ref_format": "plain", "samples": 0},
     "human.tsv A=a.txt B=b.txt --ref ref.txt --metric wer,mean-wer --format plain --ref-format plain --samples 0"),
]  # fmt: skip
# What the command refuses.
REFUSED: list[tuple[str, list[Any], dict[str, Any], str]] = [
    ("confidence", ["ref.stm", "nowhere.ctm"], {}, "ref.stm nowhere.ctm"),
    ("confidence", ["ref.stm", "hyp.ctm"], {"bins": 0}, "ref.stm hyp.ctm --bins 0"),
    ("confidence", ["ref.stm", "hyp.ctm"], {"metric": "bleu"}, "ref.stm hyp.ctm --metric bleu"),
    ("confidence", ["ref.stm", "hyp.ctm"], {"plot": "plot.txt"}, "ref.stm hyp.ctm --plot plot.txt"),
    ("rankings", ["ranks.tsv", ["a.txt"]], {}, "ranks.tsv a.txt"),
    ("rankings", ["ranks.tsv"], {"lowercase": True}, "ranks.tsv --lowercase"),
    ("rankings", ["ranks.tsv"], {"systems": "A,D"}, "ranks.tsv --systems A,D"),
    ("rankings", ["ranks.tsv"], {"learn_weights": "w"}, "ranks.tsv --learn-weights w"),
    ("rankings", ["ranks.tsv"], {"regularisation": 0}, "ranks.tsv --regularisation 0"),
    ("correlate", ["human.tsv"], {"lowercase": True}, "human.tsv --lowercase"),
    ("correlate", ["human.tsv"], {"metric": "wer"}, "human.tsv --metric wer"),
    ("correlate", ["human.tsv"], {"tasks": "wmt23", "by": "domain"}, "human.tsv --tasks wmt23 --by domain"),
    ("correlate", ["human.tsv"], {"tasks": "wmt23", "seed": 3}, "human.tsv --tasks wmt23 --seed 3"),
    ("correlate", ["human.tsv"], {"level": "word"}, "human.tsv --level word"),
    ("correlate", ["human.tsv"], {"documents": "0"}, "human.tsv --documents 0"),
    ("correlate", ["human.tsv"], {"p_level": 0}, "human.tsv --p-level 0"),
    ("correlate", ["human.tsv"], {"test": "t-test"}, "human.tsv --test t-test"),
    ("correlate", ["human.tsv"], {"fluency": "fluency"}, "human.tsv --fluency fluency"),
    (
        "correlate",
        [
            "human.tsv",
        ],
        {"output": "out.html"},
        "human.tsv --output out.html",
    ),
    ("correlate", ["nowhere.tsv"], {}, "nowhere.tsv"),
    ("tune", ["lists.nbest"], {"weights": "start.weights"}, "lists.nbest --weights start.weights"),
    (
        "tune",
        ["lists.nbest", "ref.txt"],
        {"weights": "nowhere"},
        "lists.nbest --ref ref.txt --weights nowhere",
    ),
    (
        "tune",
        ["lists.nbest", "ref.txt"],
        {"weights": "start.weights", "epochs": 2},
        "lists.nbest --ref ref.txt --weights start.weights --epochs 2",
    ),
    (
        "tune",
        ["lists.nbest", "ref.txt"],
        {"weights": "start.weights", "held_out": "lists.nbest"},
        "lists.nbest --ref ref.txt --weights start.weights --held-out lists.nbest",
    ),
    (
        "tune",
        ["lists.nbest", "ref.txt"],
        {"weights": "start.weights", "weights_format": "text"},
        "lists.nbest --ref ref.txt --weights start.weights --weights-format text",
    ),
    ("features", ["ref.txt", "a.txt"], {}, "ref.txt a.txt"),
    ("features", ["ref.txt", "a.txt"], {"window": 0}, "ref.txt a.txt --window 0"),
    ("features", ["ref.txt", "a.txt"], {"output": "out.html"}, "ref.txt a.txt --output out.html"),
    ("proficiency", [], {}, ""),
    ("proficiency", [], {"generated": 3}, "--generated 3"),
    ("proficiency", ["human.tsv"], {"folds": 1}, "human.tsv --folds 1"),
    ("proficiency", [], {"generated": 20, "rules": "r"}, "--generated 20 --rules r"),
]
# What Python alone can say wrongly.
NOT_PATHS: list[tuple[str, list[Any]]] = [
    ("confidence", [3, "hyp.ctm"]),
    ("rankings", ["ranks.tsv", ["a.txt", 3]]),
    ("rankings", ["ranks.tsv", 3]),
    ("correlate", [["human.tsv", 3]]),
    ("tune", [["lists.nbest", 3]]),
    ("tune", ["lists.nbest", 3]),
    ("features", ["ref.txt", 3]),
    ("proficiency", [3]),
]
ITEMS = ("the cat sat down", "it is a dog", "one two three", "a b c d", "the dog sat", "last one here")


def tagged(text: str) -> str:
    """Words as word|lemma|POS."""
    return " ".join(f"{word}|{word}|NN" for word in text.split())


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    said = "a 1 ann 0 2 good morning\na 1 bob 2 4 how are You\n"
    heard = ["good 0.9", "evening 0.2", "how 0.8", "are 0.95", "you 0.6"]
    written(tmp_path / "ref.stm", said)
    written(
        tmp_path / "hyp.ctm", "".join(f"a 1 {0.1 + 0.7 * n:.1f} 0.2 {word}\n" for n, word in enumerate(heard))
    )
    changes = {"ref": ("", ""), "a": ("down", "up"), "b": ("t", "o")}
    texts = {name: [item.replace(*change) for item in ITEMS] for name, change in changes.items()}
    for name, items in texts.items():
        written(tmp_path / f"{name}.txt", "".join(f"{item}\n" for item in items))
        written(tmp_path / f"{name}.tagged", "".join(f"{tagged(item)}\n" for item in items))
    ranks = [f"{n}\t{1 + n % 2}\t{1 + n % 3}\t3" for n in range(1, 7)]
    written(tmp_path / "ranks.tsv", "segment\tA\tB\tC\n" + "".join(f"{row}\n" for row in ranks))
    words = sorted({word for items in texts.values() for item in items for word in item.split()})
    pivots = [f"{tagged(word)} ||| {word[0]} ||| 1\n" for word in words]
    written(tmp_path / "pivots", "".join(pivots))
    scores = [
        f"{system}\t{n}\t{(3 * n + i) % 5}\t{(n + i) % 4}\t{n % 3}"
        for n in range(1, 7)
        for i, system in enumerate("AB")
    ]
    written(
        tmp_path / "human.tsv", "system\tsegment\thuman\tcomet\tter\n" + "".join(f"{row}\n" for row in scores)
    )
    lists = [f"{n} ||| {text} ||| lm= {m} tm= {n + 2 - m} ||| 0\n" for n in range(6)
             for m, text in enumerate((texts["a"][n], texts["ref"][n], texts["b"][n]))]  # fmt: skip
    written(tmp_path / "lists.nbest", "".join(lists))
    written(tmp_path / "start.weights", "lm 0.5\ntm 1\n")
    return tmp_path


def outputs(folder: Path) -> dict[str, bytes]:
    """The files that were written, by their names."""
    found = [path for path in folder.rglob("*") if path.is_file() and "out." in str(path.relative_to(folder))]
    return {str(path): path.read_bytes() for path in found}


@pytest.mark.parametrize(("name", "arguments", "options", "line"), SAME, ids=lambda value: str(value)[:60])
def test_calls_give_what_commands_print(
    name: str,
    arguments: list[Any],
    options: dict[str, Any],
    line: str,
    files: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    found = called(CALLS[name].function, *arguments, **options)
    assert capfd.readouterr() == ("", "")
    files_of_call = outputs(files)
    for path in files_of_call:
        Path(path).unlink()
    told = fstmetrics(name, *line.split(), "--json")
    assert json.loads(json.dumps(found.summary())) == told.summary
    assert outputs(files) == files_of_call
    assert bool(files_of_call) == ("out." in line)
    if not files_of_call:
        assert f"{found}\n" == fstmetrics(name, *line.split()).out


@pytest.mark.parametrize(("name", "arguments", "options", "line"), REFUSED, ids=lambda value: str(value)[:60])
def test_what_commands_refuse_is_refused(
    name: str, arguments: list[Any], options: dict[str, Any], line: str
) -> None:
    told = fstmetrics(name, *line.split())
    assert told.status == 2
    with pytest.raises(FstmetricsError) as refused:
        called(CALLS[name].function, *arguments, **options)
    said = str(refused.value)
    names = [f"{option}: " for option in options]
    assert told.err == f"fstmetrics: {said}\n" or said.startswith(tuple(names)), (told.err, said)


@pytest.mark.parametrize(("name", "arguments"), NOT_PATHS, ids=str)
def test_what_is_no_path_is_refused(name: str, arguments: list[Any]) -> None:
    with pytest.raises(FstmetricsError, match=rf"{name}_files\(\) takes paths: expected a path, not 3"):
        called(CALLS[name].function, *arguments)


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda: fm.tune_files(hypotheses=[], references="ref.txt", weights="start.weights"),
         r"tune_files\(\) takes paths of hypotheses"),
        (lambda: fm.tune_files(hypotheses="lists.nbest", references="ref.txt", weights=None),  # type: ignore[arg-type]
         "give --weights START to begin at"),
        (lambda: fm.merge_files([], output="out.jsonl"), r"merge_files\(\) takes paths of shards"),
        (lambda: fm.index_files((), "out.jsonl"), r"index_files\(\) takes paths of archives"),
        (lambda: fm.correlate_files({}), r"correlate_files\(\) takes paths of scores"),
    ],
)  # fmt: skip
def test_nothing_is_refused(call: Callable[[], Any], what: str, files: Path) -> None:
    with pytest.raises(FstmetricsError, match=what):
        call()
    assert not outputs(files)


@pytest.mark.parametrize("kind", [set, frozenset])
@pytest.mark.parametrize(
    "call",
    [
        lambda paths: fm.compare_files(paths, references="ref.txt"),
        lambda paths: fm.compare_files("a.txt", references=paths),
        lambda paths: fm.compare_files("a.txt", references="ref.txt", scores=paths),
        lambda paths: fm.report_files(paths, references="ref.txt"),
        lambda paths: fm.report_files("a.txt", references=paths),
        lambda paths: fm.score_files(references=paths, hypotheses="a.txt"),
        lambda paths: fm.score_files(references="ref.txt", hypotheses="a.txt", ref=paths),
        lambda paths: fm.combine_files(paths),
        lambda paths: fm.correlate_files(paths),
        lambda paths: fm.merge_files(paths, output="out.jsonl"),
    ],
)
def test_sets_of_paths_have_no_order(call: Callable[[Any], Any], kind: Any, files: Path) -> None:
    with pytest.raises(FstmetricsError, match=rf"a {kind.__name__}, which has no order \(give a list\)"):
        call(kind(["a.txt", "b.txt"]))
    with pytest.raises(FstmetricsError, match="takes paths of systems"):
        fm.compare_files({"a": kind(["a.txt", "b.txt"])}, references="ref.txt")
    assert not outputs(files)


@pytest.mark.parametrize("name", CALLS)
def test_options_are_those_of_the_command(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    own = {
        option.removeprefix("--").replace("-", "_"): param.name
        for param in all_params(command)
        if isinstance(param, click.Option)
        for option in (*param.opts, *param.secondary_opts)
        if option.startswith("--")
    }
    call = CALLS[name]
    assert own.keys() - with_metrics(call.options).keys() == call.of_command | {"max", "verbose"}
    assert {name: option.field for name, option in with_metrics(call.options).items()}.items() <= own.items()
    with pytest.raises(TypeError, match=rf"{name}_files\(\) has no option 'jsno'"):
        called(call.function, *call.example, jsno=True)


def test_features_are_those_of_the_command(capfd: pytest.CaptureFixture[str], files: Path) -> None:
    found = called(fm.features_files, *HYTER, window=3, lowercase=True, output="out.tsv")
    assert capfd.readouterr() == ("", "")
    told = fstmetrics("features", *HYTER, "--window", 3, "--lowercase")
    assert (files / "out.tsv").read_text(encoding="utf-8") == told.out
    assert told.err == "".join(f"fstmetrics: {remark}\n" for remark in found.remarks)
    names = [line.split("\t")[0] for line in told.out.splitlines()[1:]]
    assert list(found.table.passages) == names


def test_learned_levels_are_those_of_the_command(capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sklearn")
    found = fm.proficiency_files(generated=20, folds=4, seed=3)
    assert capfd.readouterr() == ("", "")
    told = fstmetrics("proficiency", "--generated", 20, "--folds", 4, "--seed", 3)
    assert list(found.lines()) == told.out.splitlines()
    assert found.exams == 20
    assert found.agreement["features"].accuracy > 0


# Of each command that has shards: a call, paths, and options.
SHARDS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = {
    "score": (fm.score_files, ("ref.txt", "a.txt"), {"lowercase": True, "ref": ["b.txt"]}),
    "oracle": (fm.oracle_files, ORACLE, {"beam": [4, 8]}),
    "hyter": (fm.hyter_files, HYTER, {"window": 3, "keep_going": True}),
    "mbr": (fm.mbr_files, ("lists.nbest",), {"scale": 0.5, "weights": "start.weights", "nbest": 2}),
    "compare": (fm.compare_files, ({"a": "a.txt", "b": "b.txt"}, "ref.txt"),
                {"metric": ["wer", "bleu"], "test": "poisson-bootstrap", "samples": 50}),
}  # fmt: skip


@pytest.mark.parametrize("name", SHARDS)
def test_merged_shards_are_those_of_the_command(
    name: str, capfd: pytest.CaptureFixture[str], files: Path
) -> None:
    call, paths, options = SHARDS[name]
    ending = "sums" if name == "compare" else "jsonl"
    parts = [f"{n}.{ending}" for n in (1, 2, 3)]
    for n, part in enumerate(parts, 1):
        called(call, *paths, **options, shard=f"{n}/3", output=part)
    output: dict[str, Any] = {} if name == "compare" else {"output": Path("out.jsonl")}
    merged = fm.merge_files([parts[2], Path(parts[0]), parts[1]], **output)
    assert capfd.readouterr() == ("", "")
    records = outputs(files)
    assert bool(records) == bool(output)
    told = fstmetrics("merge", *parts, *(["--output", "out.jsonl"] if output else []), "--json")
    assert json.loads(json.dumps(merged.summary())) == told.summary
    assert outputs(files) == records
    whole = called(call, *paths, **options, **output)
    assert json.loads(json.dumps(whole.summary())) == told.summary
    assert outputs(files) == records


def test_what_is_no_shard_is_refused(files: Path) -> None:
    for shard in "12":
        fm.score_files(references="ref.txt", hypotheses="a.txt", shard=f"{shard}/2", output=f"{shard}.jsonl")
    for shards, output, said in (
        (["1.jsonl", "1.jsonl"], "out.jsonl", "1.jsonl is given twice"),
        (["1.jsonl"], "out.jsonl", "shard 2/2 is missing"),
        (["nowhere.jsonl"], "out.jsonl", "nowhere.jsonl"),
        (["1.jsonl"], "out.html", "JSON Lines would be written there"),
        (["1.jsonl", "2.jsonl"], None, "output='FILE' in Python"),
        ("1.jsonl", "-", "expected a file"),
        (3, "out.jsonl", r"merge_files\(\) takes paths"),
    ):
        with pytest.raises(FstmetricsError, match=said):
            fm.merge_files(shards, output=output)  # type: ignore[arg-type]
    assert not (files / "out.jsonl").exists()


def test_an_index_is_that_of_the_command(capfd: pytest.CaptureFixture[str], files: Path) -> None:
    found = fm.index_files(["lists.nbest", Path("lists.nbest")], "out.jsonl", format="nbest")
    assert capfd.readouterr() == ("", "")
    told = fstmetrics("index", "lists.nbest", "lists.nbest", "--format", "nbest")
    assert (files / "out.jsonl").read_text(encoding="utf-8") == told.out
    assert found == told.out.count("\n") == 12
    with pytest.raises(FstmetricsError, match="expected a file"):
        fm.index_files("lists.nbest", "-")


def test_doctor_is_that_of_the_command(capfd: pytest.CaptureFixture[str]) -> None:
    found = json.loads(json.dumps(fm.doctor()))
    assert capfd.readouterr() == ("", "")
    assert {**found, "encoding": ""} == {**fstmetrics("doctor", "--json").summary, "encoding": ""}
