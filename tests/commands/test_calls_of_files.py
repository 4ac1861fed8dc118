"""Calls of Python that do what commands do, beside the commands: the same summaries, files and errors."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click
import pytest
from command import EXAMPLES, all_params, called, fstmetrics, written

import fstmetrics as fm
from fstmetrics.apps.calibration.variants_command import VARYING
from fstmetrics.cli import cli
from fstmetrics.cli.option_tables import with_metrics
from fstmetrics.commands.best import BEST
from fstmetrics.commands.convert import CONVERTING
from fstmetrics.commands.errors import COUNTED
from fstmetrics.commands.grammar import SAVING
from fstmetrics.commands.mbr import DECODING
from fstmetrics.commands.pack import PACKING
from fstmetrics.commands.show import SHOWN
from fstmetrics.commands.verify import VERIFYING
from fstmetrics.support.errors import FstmetricsError

LATTICES = str(EXAMPLES / "oracle" / "lattices")
# A command, what stands behind it, the same as a call, and the arguments of both.
SUMMARIES: list[tuple[str, Callable[..., Any], tuple[str, ...], dict[str, Any], list[str]]] = [
    ("mbr", fm.mbr_files, ("lists.txt",), {"scale": 0.5, "nbest": 2}, ["--scale", "0.5", "--nbest", "2"]),
    ("mbr", fm.mbr_files, ("lists.txt",), {"metric": "bleu", "unit": "char"}, ["--metric", "bleu", "--unit", "char"]),
    ("mbr", fm.mbr_files, (LATTICES,), {"candidates": 5, "lm_scale": 2}, ["--candidates", "5", "--lm-scale", "2"]),
]  # fmt: skip
SUMMARIES += [
    (
        "variants",
        fm.variants_files,
        ("hyp.txt", "ref.txt"),
        {"seed": 3, "lowercase": True},
        ["--seed", "3", "--lowercase"],
    ),
    ("errors", fm.errors_files, ("a.jsonl",), {}, []),
    ("errors", fm.errors_files, ("a.jsonl",), {"op": "S", "word": "cat"}, ["--op", "S", "--word", "cat"]),
    ("errors", fm.errors_files, ("a.jsonl",), {"against": "b.jsonl"}, ["--against", "b.jsonl"]),
    ("errors", fm.errors_files, ("a.jsonl",), {"terms": "hyp.txt"}, ["--terms", "hyp.txt"]),
]
# Files that are written: the command, the call, their arguments.
FILES: list[tuple[str, Callable[..., fm.Conversion], tuple[str, ...], dict[str, Any], list[str]]] = [
    ("best", fm.best_files, (LATTICES,), {"nbest": 3}, ["--nbest", "3"]),
    ("best", fm.best_files, (LATTICES,), {"to": "nbest", "lm_scale": "2"}, ["--to", "nbest", "--lm-scale", "2"]),
    ("convert", fm.convert_files, (LATTICES,), {"to": "far", "lossy": True, "scale": {"lm": 2, "word-penalty": 1}},
     ["--to", "far", "--lossy", "--scale", "lm=2", "--scale", "word-penalty=1"]),
    ("convert", fm.convert_files, ("hyp.txt",), {"to": "trn"}, ["--to", "trn"]),
    ("pack", fm.pack_files, (LATTICES,), {}, []),
]  # fmt: skip
REFUSED: list[tuple[str, Callable[..., Any], tuple[str, ...], dict[str, Any], list[str]]] = [
    ("mbr", fm.mbr_files, ("lists.txt",), {"precision_ratio": 0.5}, ["--precision-ratio", "0.5"]),
    ("mbr", fm.mbr_files, ("hyp.txt",), {}, []),
    ("mbr", fm.mbr_files, ("lists.txt",), {"resume": True}, ["--resume"]),
    ("convert", fm.convert_files, ("hyp.txt", "hyp.fst"), {}, []),
    ("convert", fm.convert_files, ("nowhere.txt", "hyp.trn"), {}, []),
    ("best", fm.best_files, ("hyp.txt", "out.txt"), {}, []),
    ("pack", fm.pack_files, (LATTICES, "out/"), {}, []),
    (
        "errors",
        fm.errors_files,
        ("a.jsonl",),
        {"op": "S", "against": "b.jsonl"},
        ["--op", "S", "--against", "b.jsonl"],
    ),
    ("errors", fm.errors_files, ("hyp.txt",), {}, []),
    ("show", fm.show_files, ("a.jsonl",), {"id": "3"}, ["--id", "3"]),
    ("verify", fm.verify_files, ("hyp.txt", "ref.txt", "hyp.txt"), {}, []),
    ("report", fm.report_files, ("a.jsonl",), {"metric": "wer"}, ["--metric", "wer"]),
    ("report", fm.report_files, ("hyp.txt",), {"ref": "nowhere.txt"}, ["--ref", "nowhere.txt"]),
]
OPTIONS: dict[str, tuple[Callable[..., Any], Mapping[str, Any], int]] = {
    "mbr": (fm.mbr_files, DECODING, 1),
    "best": (fm.best_files, BEST, 2),
    "convert": (fm.convert_files, CONVERTING, 2),
    "pack": (fm.pack_files, PACKING, 2),
    "errors": (fm.errors_files, COUNTED, 1),
    "show": (fm.show_files, SHOWN, 1),
    "verify": (fm.verify_files, VERIFYING, 3),
    "variants": (fm.variants_files, VARYING, 2),
    "grammar savings": (fm.savings_files, SAVING, 2),
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "ref.txt", "the cat sat down\na dog\n")
    written(tmp_path / "hyp.txt", "the cat sat\na dog\n")
    written(tmp_path / "b.txt", "the dog sat\na cat\n")
    for side, records in (("hyp.txt", "a.jsonl"), ("b.txt", "b.jsonl")):
        fm.score_files(references="ref.txt", hypotheses=side, alignment=True, output=records)
    entries = [("0", "a b", -1), ("0", "a c", -1.1), ("0", "d c", -1.2), ("1", "x", -1)]
    written(tmp_path / "lists.txt", "".join(f"{id} ||| {words} ||| f ||| {n}\n" for id, words, n in entries))
    return tmp_path


def names(cases: list[Any]) -> list[str]:
    return [" ".join((case[0], Path(case[2][0]).name, *case[4])) for case in cases]


@pytest.mark.parametrize(("command", "call", "given", "own", "options"), SUMMARIES, ids=names(SUMMARIES))
def test_summaries_are_what_the_command_prints(
    command: str, call: Callable[..., Any], given: tuple[str, ...], own: dict[str, Any], options: list[str],
    here: Path, capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    found = called(call, *map(Path, given), **own)
    assert capfd.readouterr() == ("", "")
    line = [given[0], "--ref", *given[1:]] if command == "variants" else [*given]
    told = fstmetrics(command, *line, "--json", *options)
    assert json.loads(json.dumps(found.summary())) == told.summary


@pytest.mark.parametrize(("command", "call", "given", "own", "options"), FILES, ids=names(FILES))
def test_files_are_those_of_the_command(
    command: str, call: Callable[..., fm.Conversion], given: tuple[str, ...], own: dict[str, Any], options: list[str],
    here: Path, capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    done = called(call, *given, "ours", **own)
    assert capfd.readouterr() == ("", "")
    target = ["--output", "theirs"] if command == "best" else ["theirs"]
    told = fstmetrics(command, *given, *target, *options)
    assert (told.status, done.faults) == (0, 0)
    assert Path("ours").read_bytes() == Path("theirs").read_bytes() != b""
    assert "\n".join(done.lines()).replace("ours", "theirs") in told.err


@pytest.mark.parametrize(("command", "call", "given", "own", "options"), REFUSED, ids=names(REFUSED))
def test_what_the_command_refuses_is_refused(
    command: str, call: Callable[..., Any], given: tuple[str, ...], own: dict[str, Any], options: list[str],
    here: Path,
) -> None:  # fmt: skip
    words = [given[0], "--output", given[1]] if command == "best" else [*given]
    told = fstmetrics(command, *words, *options)
    assert told.status == 2
    with pytest.raises(FstmetricsError) as refused:
        called(call, *given, **own)
    assert told.err == f"fstmetrics: {refused.value}\n"


@pytest.mark.parametrize("command", OPTIONS)
def test_options_are_those_of_the_command(command: str) -> None:
    call, table, paths = OPTIONS[command]
    context = click.Context(cli)
    name, _, rest = command.partition(" ")
    parsed = cli.get_command(context, name)
    if isinstance(parsed, click.Group):
        parsed = parsed.get_command(context, rest)
    assert parsed is not None
    own = {
        option.removeprefix("--").replace("-", "_"): param.name
        for param in all_params(parsed)
        if isinstance(param, click.Option)
        for option in param.opts
        if option.startswith("--") and param.name != "form"  # how it is printed
    }
    fields = {name: option.field for name, option in with_metrics(table).items() if option.field != "form"}
    assert own == fields | {"max": "limits", "verbose": "verbose"}
    with pytest.raises(TypeError, match=rf"{call.__name__}\(\) has no option 'nobodys'"):
        called(call, *["x"] * paths, nobodys=True)
    with pytest.raises(FstmetricsError, match=rf"{call.__name__}\(\) takes paths: expected a path, not 3"):
        called(call, *[3] * paths)


@pytest.mark.parametrize("target", ["-", "/dev/stdout"])
def test_nothing_is_written_to_standard_output(target: str, here: Path) -> None:
    for call, source in ((fm.convert_files, "hyp.txt"), (fm.pack_files, LATTICES), (fm.best_files, LATTICES)):
        with pytest.raises(FstmetricsError, match="what is printed is printed by the command only"):
            call(source, target)


def test_what_says_how_a_command_prints_is_no_option() -> None:
    with pytest.raises(TypeError, match=r"mbr_files\(\) has no option 'json'"):
        fm.mbr_files("lists.txt", json=True)


def test_shards_and_records_of_mbr_are_those_of_the_command(here: Path) -> None:
    whole = fm.mbr_files("lists.txt", output="whole.jsonl", nbest=2)
    assert whole.records is None
    parts = [fm.mbr_files("lists.txt", nbest=2, output=f"{n}.jsonl", shard=f"{n}/2") for n in (1, 2)]
    with pytest.raises(FstmetricsError, match="a shard is a part of a run"):
        parts[0].summary()
    merged = fstmetrics("merge", "1.jsonl", "2.jsonl", "--output", "merged.jsonl", "--json")
    assert merged.summary == json.loads(json.dumps(whole.summary()))
    assert Path("merged.jsonl").read_bytes() == Path("whole.jsonl").read_bytes() != b""


@pytest.mark.parametrize("given", [{}, {"against": "b.jsonl"}, {"terms": "hyp.txt"}, {"op": "I"}])
def test_lines_of_errors_are_what_the_command_prints(given: dict[str, str], here: Path) -> None:
    found = fm.errors_files("b.jsonl" if "op" in given else "a.jsonl", **given)
    options = [part for name, value in given.items() for part in (f"--{name}", value)]
    for top in (1, None):
        told = fstmetrics("errors", "b.jsonl" if "op" in given else "a.jsonl", "--top", top or 0, *options)
        assert told.out == "".join(f"{line}\n" for line in found.lines(top))


@pytest.mark.parametrize(
    "given", [{}, {"sort": "file"}, {"limit": "1"}, {"word": "cat"}, {"op": "S"}, {"id": "2"}]
)
def test_records_that_are_shown_are_those_of_the_command(given: dict[str, str], here: Path) -> None:
    found = fm.show_files("b.jsonl", **given)
    options = [part for name, value in given.items() for part in (f"--{name}", value)]
    told = fstmetrics("show", "b.jsonl", "--style", "jsonl", *options)
    assert [json.loads(line) for line in told.out.splitlines()] == [dict(record.fields) for record in found]


def test_proofs_are_those_of_the_command(here: Path) -> None:
    records = Path("a.jsonl").read_text(encoding="utf-8")
    written(here / "false.jsonl", records.replace('"edits": 1', '"edits": 0'))
    for name, proved in (("a.jsonl", 2), ("false.jsonl", 1)):
        found = fm.verify_files(name, references="ref.txt", hypotheses="hyp.txt")
        told = fstmetrics("verify", name, "ref.txt", "hyp.txt")
        assert (found.proved, found.records, told.status) == (proved, 2, int(proved < 2))
        assert told.out.splitlines() == [*found.faults, *found.remarks]


@pytest.mark.parametrize(
    ("systems", "references", "given", "line"),
    [
        ("a.jsonl", (), {}, "a.jsonl"),
        ({"one": "hyp.txt", "two": "b.txt"}, "ref.txt", {"metric": ["wer", "bleu"], "title": "A title"},
         "one=hyp.txt two=b.txt --ref ref.txt --metric wer,bleu --title 'A title'"),
        (["a.jsonl"], [], {"against": "b.jsonl", "drawn": "ref.txt", "audio": True},
         "a.jsonl --against b.jsonl --references ref.txt --audio"),
    ],
)  # fmt: skip
def test_pages_are_those_of_the_command(
    systems: Any, references: Any, given: dict[str, Any], line: str, here: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    page = fm.report_files(systems, references=references, **given, output="page.html")
    assert capfd.readouterr() == ("", "")
    ours = Path("page.html").read_bytes()
    told = fstmetrics("report", *shlex.split(line), "-o", "page.html")
    assert (told.status, told.err.splitlines()) == (0, list(page.remarks))
    assert told.out == f"{page.path}: {page.items} items\n"
    assert ours == Path("page.html").read_bytes() != b""


def test_options_of_pages_are_those_of_the_command(here: Path) -> None:
    with pytest.raises(TypeError, match=r"report_files\(\) has no option 'nobodys'"):
        fm.report_files("a.jsonl", nobodys=True)
    with pytest.raises(FstmetricsError, match=r"report_files\(\) takes paths"):
        fm.report_files([["a b"]])


def test_lines_of_variants_and_savings_are_what_the_commands_print(here: Path) -> None:
    found = fm.variants_files(hypotheses="hyp.txt", references=["ref.txt", "b.txt"], tokenize="none")
    told = fstmetrics("variants", "hyp.txt", "--ref", "ref.txt", "--ref", "b.txt", "--tokenize", "none")
    assert told.out.splitlines() == found.lines()
    written(here / "ours.txt", "the colour of two dogs\nit is\n")
    written(here / "theirs.txt", "the color of 2 dogs\nit's\n")
    saved = fm.savings_files(
        references="ours.txt", hypotheses="theirs.txt", grammar=["en.spelling", "en.numbers"]
    )
    told = fstmetrics("grammar", "savings", "ours.txt", "theirs.txt", "--grammar", "en.spelling,en.numbers")
    assert told.out.splitlines() == saved.lines()
    assert [row.saved for row in saved.rows] == [0, 1, 1, 2]


def test_machines_are_those_of_the_command(here: Path) -> None:
    pytest.importorskip("pynini")
    lines = fm.compile_files(
        references="ref.txt", hypotheses="hyp.txt", to="ours", item="1", metric="wer", lowercase=True
    )
    told = fstmetrics("compile", "ref.txt", "hyp.txt", "--to", "theirs", "--item", "1", "--lowercase")
    assert told.out.replace("theirs", "ours").splitlines() == lines
    for file in Path("theirs").iterdir():
        assert (Path("ours") / file.name).read_bytes() == file.read_bytes()
    assert fm.compile_files(to="rules", grammar="en.contractions")[0].startswith("en.contractions: ")
    for call, line in (
        (lambda: fm.compile_files(to="x", window=2), "--window 2"),
        (lambda: fm.compile_files(references="ref.txt", hypotheses="hyp.txt", to="x"), "ref.txt hyp.txt"),
        (
            lambda: fm.compile_files(references="ref.txt", hypotheses="hyp.txt", to="x", metric="bleu"),
            "ref.txt hyp.txt --metric bleu",
        ),
    ):
        told = fstmetrics("compile", *line.split(), "--to", "x")
        with pytest.raises(FstmetricsError) as refused:
            call()
        assert told.err == f"fstmetrics: {refused.value}\n"


# What is shown of a call is what its command prints.
PRINTED: list[tuple[list[str], Callable[[], Any]]] = [
    (
        ["oracle", f"{EXAMPLES}/oracle/ref.txt", LATTICES, "--beam", "4"],
        lambda: fm.oracle_files(references=EXAMPLES / "oracle/ref.txt", lattices=LATTICES, beam=[4]),
    ),
    (
        ["speakers", f"{EXAMPLES}/speakers/ref.stm", f"{EXAMPLES}/speakers/hyp.stm"],
        lambda: fm.speakers_files(
            references=EXAMPLES / "speakers/ref.stm", hypotheses=EXAMPLES / "speakers/hyp.stm"
        ),
    ),
    (
        ["compare", "--ref", "ref.txt", "a=hyp.txt", "b=ref.txt", "--metric", "wer"],
        lambda: fm.compare_files({"a": "hyp.txt", "b": "ref.txt"}, references="ref.txt", metric="wer"),
    ),
    (["errors", "a.jsonl"], lambda: fm.errors_files("a.jsonl")),
]


@pytest.mark.parametrize(("command", "call"), PRINTED, ids=[command[0] for command, _ in PRINTED])
@pytest.mark.usefixtures("here")
def test_what_is_printed_of_a_call_is_what_the_command_prints(
    command: list[str], call: Callable[[], Any]
) -> None:
    assert str(call()) == fstmetrics(*command).out.rstrip("\n")
