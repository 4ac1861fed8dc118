"""Calls of Python that do what `network` commands do, beside the commands: the same networks, files and errors."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click
import pytest
from command import EXAMPLES, all_params, fstmetrics, written

import fstmetrics as fm
from fstmetrics.cli import cli
from fstmetrics.cli.option_tables import with_metrics
from fstmetrics.commands.network_checks import ACCEPTING, COUNTING, LISTING
from fstmetrics.commands.networks import BUILDING, COMBINING, CONVERTING, DRAWING
from fstmetrics.commands.proposals import PROPOSING, REVIEWING

NETWORKS = str(EXAMPLES / "hyter" / "networks")
OUTPUTS = str(EXAMPLES / "hyter" / "hyp.txt")
ONE, OTHER = (str(EXAMPLES / "networks" / f"annotator-{n}.cards") for n in (1, 2))
REFERENCES = [str(EXAMPLES / "references" / f"{n}.txt") for n in ("one", "two")]
# A command, its call, the arguments of both, and the options of both. All write an `output`.
FILES: list[tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any], list[str]]] = [
    ("build", fm.network_build_files, (REFERENCES,), {}, []),
    ("build", fm.network_build_files, (REFERENCES,), {"merge": True, "to": "cards"}, ["--merge", "--to", "cards"]),
    ("build", fm.network_build_files, (REFERENCES[0],), {"lowercase": True}, ["--lowercase"]),
    ("union", fm.network_union_files, ([ONE, OTHER],), {"id": "x", "to": "json"}, ["--id", "x", "--to", "json"]),
    ("union", fm.network_union_files, ([NETWORKS, ONE],), {"missing": "without"}, ["--missing", "without"]),
    ("spu", fm.network_spu_files, ([ONE, OTHER],), {"to": "cards"}, ["--to", "cards"]),
    ("normalise", fm.network_normalise_files, (NETWORKS,), {"item": "station"}, ["--item", "station"]),
    ("convert", fm.network_convert_files, (NETWORKS,), {"to": "att"}, ["--to", "att"]),
    ("draw", fm.network_draw_files, (ONE,), {"to": "svg"}, ["--to", "svg"]),
    ("draw", fm.network_draw_files, (ONE,), {"to": "dot", "card": ["S"]}, ["--to", "dot", "--card", "S"]),
    ("draw", fm.network_draw_files, (NETWORKS,), {"to": "svg", "all": True}, ["--to", "svg", "--all"]),
    ("propose", fm.network_propose_files, (NETWORKS,), {"system": f"a={OUTPUTS}", "top": 3},
     ["--system", f"a={OUTPUTS}", "--top", "3"]),
    ("review", fm.network_review_files, ("proposals.json", NETWORKS), {"accept_all": True}, ["--accept-all"]),
]  # fmt: skip
REFUSED: list[tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any], list[str]]] = [
    ("build", fm.network_build_files, ("nowhere.txt",), {}, []),
    ("build", fm.network_build_files, (REFERENCES,), {"tokenize": "x"}, ["--tokenize", "x"]),
    ("union", fm.network_union_files, ([NETWORKS, ONE],), {"missing": "skip"}, ["--missing", "skip"]),
    ("info", fm.network_info_files, (NETWORKS,), {"item": "x"}, ["--item", "x"]),
    ("paths", fm.network_paths_files, (NETWORKS,), {"seed": 3}, ["--seed", "3"]),
    ("accepts", fm.network_accepts_files, (NETWORKS, OUTPUTS), {"reject": OUTPUTS}, ["--reject", OUTPUTS]),
    ("convert", fm.network_convert_files, (OUTPUTS,), {}, []),
    ("review", fm.network_review_files, ("proposals.json", NETWORKS), {"accept": "x"}, ["--accept", "x"]),
]
OPTIONS: dict[str, tuple[Callable[..., Any], Mapping[str, Any], int]] = {
    "build": (fm.network_build_files, BUILDING, 1),
    "info": (fm.network_info_files, COUNTING, 1),
    "paths": (fm.network_paths_files, LISTING, 1),
    "accepts": (fm.network_accepts_files, ACCEPTING, 2),
    "draw": (fm.network_draw_files, DRAWING, 2),
    "union": (fm.network_union_files, COMBINING, 1),
    "spu": (fm.network_spu_files, COMBINING, 1),
    "normalise": (fm.network_normalise_files, CONVERTING, 1),
    "convert": (fm.network_convert_files, CONVERTING, 1),
    "propose": (fm.network_propose_files, PROPOSING, 1),
    "review": (fm.network_review_files, REVIEWING, 2),
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    fm.network_propose_files(NETWORKS, system=f"a={OUTPUTS}", output="proposals.json")
    written(tmp_path / "s.txt", "approval the approval rate was zero\nstation where is the train station\n")
    return tmp_path


def flat(given: tuple[Any, ...]) -> list[str]:
    return [path for each in given for path in (each if isinstance(each, list) else [each])]


def content(path: Path) -> dict[str, bytes]:
    files = [path] if path.is_file() else sorted(path.iterdir())
    return {file.name if path.is_dir() else "": file.read_bytes() for file in files}


@pytest.mark.parametrize(
    ("command", "call", "given", "own", "options"), FILES, ids=[f"{c[0]} {' '.join(c[4][:2])}" for c in FILES]
)
def test_files_are_those_of_the_command(
    command: str, call: Callable[..., Any], given: tuple[Any, ...], own: dict[str, Any], options: list[str],
    here: Path, capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    names = ("mine.json", "theirs.json") if command == "propose" else ("mine", "theirs")
    if command == "draw":
        call(*given, names[0], **own)
    else:
        call(*given, output=names[0], **own)
    assert capfd.readouterr() == ("", "")
    done = fstmetrics("network", command, *flat(given), "-o", names[1], *options)
    assert done.status == 0, done.err
    assert content(here / names[0]) == content(here / names[1])


@pytest.mark.parametrize("options", [{}, {"item": "station", "max_states": 0}])
def test_sizes_are_those_of_the_command(options: dict[str, Any], here: Path) -> None:
    line = [part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", value)]
    paths = [NETWORKS] if options else [NETWORKS, ONE]
    told = fstmetrics("network", "info", *paths, *line, "--json")
    assert [each.to_dict() for each in fm.network_info_files(paths, **options)] == told.records


@pytest.mark.parametrize(
    "options", [{}, {"limit": 3}, {"sample": 4, "seed": 7}, {"limit": 3, "item": "station"}]
)
def test_paths_are_those_of_the_command(options: dict[str, Any], here: Path) -> None:
    line = [part for name, value in options.items() for part in (f"--{name}", value)]
    told = fstmetrics("network", "paths", NETWORKS, *line).out
    found = fm.network_paths_files(NETWORKS, **options)
    assert [
        " ".join((*filter(None, [id]), *words)) for id, paths in found for words in paths
    ] == told.splitlines()


def test_judgements_are_those_of_the_command(here: Path) -> None:
    found = fm.network_accepts_files(NETWORKS, "s.txt", lowercase=True)
    done = fstmetrics("network", "accepts", NETWORKS, "s.txt", "--lowercase", "--json")
    assert (done.status, json.loads(done.out)) == (found.status, found.summary())
    assert found.status == 1


def test_what_was_built_is_what_the_command_says(here: Path) -> None:
    found = fm.network_build_files(REFERENCES, merge=True, output="mine")
    done = fstmetrics("network", "build", *REFERENCES, "--merge", "-o", "theirs", "--json")
    assert {**found.summary(), "output": "theirs"} == done.summary


def test_faults_are_those_of_the_command(here: Path) -> None:
    written(here / "x.cards", "[S]: a; a\n")
    written(here / "y.json", '{"format": "fstmetrics-network/1", "cards": {}}')
    found = fm.network_validate_files(["x.cards", "y.json"])
    done = fstmetrics("network", "validate", "x.cards", "y.json")
    said = [line for file in found.files for line in (*found.faults[file], *found.remarks[file])]
    assert [*said, "2 networks, 1 with faults"] == done.out.splitlines()


def test_nothing_is_written_where_nothing_is_asked_for(here: Path) -> None:
    before = sorted(here.iterdir())
    assert fm.networks.info(fm.network_union_files([ONE, OTHER]).made[0]).paths == 8
    assert len(fm.network_convert_files(NETWORKS).after) == 3
    assert fm.network_build_files(REFERENCES).networks[0].references == 2
    assert sorted(here.iterdir()) == before


@pytest.mark.parametrize(
    ("command", "call", "given", "own", "options"),
    REFUSED,
    ids=[f"{c[0]} {' '.join(c[4][:1])}" for c in REFUSED],
)
def test_what_the_command_refuses_is_refused(
    command: str, call: Callable[..., Any], given: tuple[Any, ...], own: dict[str, Any], options: list[str],
    here: Path,
) -> None:  # fmt: skip
    with pytest.raises(fm.FstmetricsError) as error:
        call(*given, **own)
    done = fstmetrics("network", command, *flat(given), *options)
    assert done.status == 2
    said = str(error.value)
    assert done.err == f"fstmetrics: {said}\n" or said.split(": ")[-1][:30] in done.err


@pytest.mark.parametrize("command", OPTIONS)
def test_calls_have_the_options_of_their_commands(command: str, here: Path) -> None:
    call, known, paths = OPTIONS[command]
    group = cli.get_command(click.Context(cli), "network")
    assert isinstance(group, click.Group)
    made = group.get_command(click.Context(group), command)
    assert made is not None
    names = {
        max(p.opts, key=len).removeprefix("--").replace("-", "_")
        for p in all_params(made)
        if isinstance(p, click.Option)
    }
    assert names - {"help", "max", "verbose"} == set(with_metrics(known))
    printed = [name for name, option in known.items() if option.printed]
    for name in [*printed, "no_such_option"]:
        with pytest.raises(TypeError, match=name):
            call(*paths * ["x"], **{name: True})
