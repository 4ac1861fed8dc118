"""Formats and metrics of other packages: the package of docs/plugins.md, installed by pip, and broken ones."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import fstmetrics, started, written
from places import ROOT

import fstmetrics as fm
from fstmetrics.io import FORMATS, Deferred, Format, Item, Items, ReadOptions, Source, open_stream
from fstmetrics.metrics import METRICS
from fstmetrics.scoring.reports import REPORTS
from fstmetrics.scoring.request import ENGINES
from fstmetrics.support.plugins import PluginWarning

PAGE = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
LATTICE = "#acme 1\n0 1 the 0.5\n1 2 cat 1.5\n1 2 hat 1.0\nfinal 2\n"


def block(language: str) -> str:
    """The last block of a language on the page: those before are for programs without a package."""
    *_, found = re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)
    return str(found)


def wheel(folder: Path, name: str, module: str, groups: dict[str, dict[str, str]]) -> Path:
    """A package of one module as pip installs it."""
    path, bare = folder / f"{name.replace('-', '_')}-1.0-py3-none-any.whl", name.replace("-", "_")
    info = f"{bare}-1.0.dist-info"
    entries = "".join(
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in names.items())
        for group, names in groups.items()
    )
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(f"{bare}.py", module)
        file.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        file.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr(f"{info}/entry_points.txt", entries)
        file.writestr(f"{info}/RECORD", "")
    return path


def test_an_item_may_be_a_text_alone() -> None:
    assert Item("u1", text="the cat sat").value == ("the", "cat", "sat")


def install(folder: Path, *wheels: Path) -> None:
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            "-q",
            "--no-deps",
            "--no-index",
            "--target",
            folder,
            *wheels,
        ],
        check=True,
    )


def forget() -> None:
    """Have entry points looked up anew."""
    importlib.invalidate_caches()
    for registry in (FORMATS, METRICS, ENGINES, REPORTS):
        for name in ("others", "_entries"):
            vars(registry).pop(name, None)


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package of the page, and one of which nothing can be used."""
    project = tomllib.loads(block("toml"))["project"]
    folder = tmp_path_factory.mktemp("packages")
    broken = {
        "fstmetrics.formats": {
            "boom": "nothing_here:FORMAT",
            "slf": "broken:FORMAT",
            "plain2": "broken:NO_FORMAT",
        },
        "fstmetrics.metrics": {"wer": "broken:WER", "lost": "broken:LOST"},
        "fstmetrics.reports": {"none": "broken:NO_FORMAT"},
        "fstmetrics.commands": {"gone": "nothing_here:GONE", "score": "broken:SCORE"},
    }
    install(
        folder / "installed",
        wheel(folder, project["name"], block("python"), project["entry-points"]),
        wheel(folder, "broken", "NO_FORMAT = 1\n", broken),
        wheel(
            folder, "leaving", "raise SystemExit(0)\n", {"fstmetrics.metrics": {"leaving": "leaving:METRIC"}}
        ),
    )
    return folder / "installed"


@pytest.fixture
def installed(packages: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(packages))
    forget()
    yield
    monkeypatch.undo()
    forget()


@pytest.fixture
def sides(tmp_path: Path) -> tuple[Path, Path]:
    return written(tmp_path / "ref.txt", "the big cat\n"), written(tmp_path / "hyp.txt", "the cat\n")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    written(tmp_path / "utt1.acme", LATTICE)
    written(tmp_path / "ref.txt", "utt1 the big cat\n")
    return tmp_path


@pytest.mark.usefixtures("installed")
@pytest.mark.filterwarnings("ignore::fstmetrics.support.plugins.PluginWarning")
def test_a_format_of_another_package_in_python(files: Path) -> None:
    lattice = fm.Lattice.read(files / "utt1.acme")
    assert (lattice.id, lattice.num_arcs) == ("utt1", 3)
    named = written(files / "x.txt", LATTICE)
    assert fm.Lattice.read(named, format="acme").best_path().words == ("the", "hat")
    assert fm.Lattice.read(written(files / "y", LATTICE)).num_arcs == 3
    damaged = written(files / "z.acme", LATTICE.replace("1.5", "a lot"))
    with pytest.raises(fm.InputError, match=re.escape("z.acme:3: expected `from to word cost`")):
        fm.Lattice.read(damaged)
    assert list(FORMATS)[-1] == "acme"
    stream = open_stream(str(files), "acme")
    assert isinstance(stream, Items)
    assert [item.id for item in stream if isinstance(item.given, Deferred)] == ["utt1", "x", "y", "z"]
    nowhere = written(files / "z.acme", LATTICE.replace("final 2", "final -9"))
    with pytest.raises(fm.InputError, match=rf"^{re.escape(str(nowhere))}: .*9"):
        fm.Lattice.read(nowhere)


def test_an_error_of_its_own_kind_in_the_reader_of_another_package_names_the_file() -> None:
    def read(source: Source, options: ReadOptions) -> Iterator[Item]:
        yield Item("u", source.text[7])  # type: ignore[arg-type]  # no such character

    format = Format("acme", "", read)
    with pytest.raises(
        fm.InputError, match=r"^x: cannot be read by \S*test_plugins: IndexError: string index"
    ):
        list(format.read(Source("x", b"short"), ReadOptions()))


@pytest.mark.usefixtures("installed")
def test_a_metric_of_another_package_in_python() -> None:
    assert fm.score(["the cat"], ["the big cat"], "half").score == pytest.approx(0.5 / 3)
    result = fm.align("the cat", "the big cat", "half")
    assert (result.score, result.edits) == (pytest.approx(0.5 / 3), 1)
    lattice = fm.Lattice.from_arcs([(0, 1, "the"), (1, 2, "cat"), (1, 2, "hat")], finals=[2])
    assert fm.oracle(lattice, "the big cat", METRICS["half"]()).score == pytest.approx(0.5 / 3)
    assert fm.score(["the cat"], ["the big cat"], "mean-half").score == pytest.approx(0.5 / 3)


@pytest.mark.usefixtures("installed")
def test_an_option_of_a_metric_of_another_package(sides: tuple[Path, Path], tmp_path: Path) -> None:
    """One field of its class: on the command line, in Python, in signatures, help pages and refusals."""
    given = ("--metric", "half,mean-half,wer", "--half-gap", "25", "--json")
    told = fstmetrics("compare", sides[1], "--ref", sides[0], *given).summary
    assert [each["score"] for each in told["systems"]["hyp"].values()] == pytest.approx(
        [0.25 / 3, 0.25 / 3, 1 / 3]
    )
    found = fm.score_files(references=sides[0], hypotheses=sides[1], metric="half", half_gap="25")
    assert found.score == pytest.approx(0.25 / 3)
    assert "|metric:half|gap:25|" in found.signature
    shard = {"metric": "half", "half_gap": 25, "output": tmp_path / "1.jsonl", "shard": "1/1"}
    fm.score_files(references=sides[0], hypotheses=sides[1], **shard)
    assert fm.merge_files([tmp_path / "1.jsonl"], output=tmp_path / "all.jsonl").signature == found.signature  # type: ignore[union-attr]
    for options, said in (
        (("--half-gap", "25"), "--half-gap is for the metric half, not for wer; give --metric, too"),
        (("--metric", "half", "--half-gap", "101"), "101 is not in the range 0 to 100"),
        (("--metric", "half", "--window", "3"), "--window is for the metric hyter, not for half"),
        (("--half-gab", "25"), "no such option '--half-gab'; did you mean --half-gap?"),
    ):
        refused = fstmetrics("score", *sides, *options)
        assert refused.status == 2
        assert said in refused.err
    page = fstmetrics("score", "--metric", "half", "--help").out
    assert "percent. [default: 50; 0 to 100]" in " ".join(page.partition("Options of half:")[2].split())
    assert METRICS["half"](25) == METRICS["half"](gap=25)


@pytest.mark.usefixtures("installed")
def test_an_engine_of_another_package(sides: tuple[Path, Path]) -> None:
    told = fstmetrics("score", *sides, "--on", "here", "--json")
    assert told.summary == fstmetrics("score", *sides, "--json").summary
    assert fm.score_files(references=sides[0], hypotheses=sides[1], on="here").summary() == told.summary
    refused = fstmetrics("score", *sides, "--on", "there")
    assert "'there' is not one of 'local', 'ray', 'spark', 'here'" in refused.err


@pytest.mark.usefixtures("installed")
@pytest.mark.filterwarnings("ignore::fstmetrics.support.plugins.PluginWarning")
def test_a_report_of_another_package(tmp_path: Path) -> None:
    """Of its file, beside those that ship; it refuses items without speakers as these do."""
    ref = written(tmp_path / "ref.txt", "ann-1 the big cat\nbob-1 a dog ran\n")
    hyp = written(tmp_path / "hyp.txt", "ann-1 the cat\nbob-1 a hog sat\n")
    command = ("score", ref, hyp, "--speakers", "spu_id", "--output", tmp_path / "records.jsonl")
    assert fstmetrics(*command, "--report", "worst,raw").status == 0
    assert (tmp_path / "records.worst.txt").read_text() == "bob 2\nann 1\n"
    assert re.search(r"^\| +ann +\| +1 +3", (tmp_path / "records.raw").read_text(), re.MULTILINE)
    assert "bob 2\nann 1\n" in fstmetrics("score", ref, hyp, "--speakers", "spu_id", "--report", "worst").out
    plain = written(tmp_path / "plain.txt", "the big cat\n")
    refused = fstmetrics("score", plain, plain, "--report", "worst")
    assert (refused.status, "speakers" in refused.err) == (2, True)
    refused = fstmetrics("score", ref, hyp, "--report", "best")
    assert "expected dtl, lur, raw, spk, sys, worst, joined by commas, not 'best'" in refused.err
    refused = fstmetrics("score", ref, hyp, "--report", "none")
    said = "the report 'none' of the package broken cannot be used: it is no class of Report"
    assert (refused.status, said in refused.err) == (2, True)


@pytest.mark.usefixtures("installed")
def test_what_cannot_be_used_is_named_once_and_left_out() -> None:
    with pytest.warns(PluginWarning) as told:
        names = [*FORMATS, *METRICS]
    assert set(names) == {*FORMATS.shipped, *METRICS.shipped, "acme", "half"}
    ships = "has the name of one that ships with fstmetrics: register another; it is left out"
    assert sorted(str(one.message) for one in told) == [
        "the format 'boom' of the package broken cannot be used: ModuleNotFoundError: No module named "
        "'nothing_here'; it is left out",
        "the format 'plain2' of the package broken cannot be used: expected a fstmetrics.io.Format, found int; "
        "it is left out",
        f"the format 'slf' of the package broken {ships}",
        "the metric 'leaving' of the package leaving cannot be used: SystemExit: 0; it is left out",
        "the metric 'lost' of the package broken cannot be used: AttributeError: module 'broken' has no attribute "
        "'LOST'; it is left out",
        f"the metric 'wer' of the package broken {ships}",
    ]
    assert METRICS["wer"] is fm.WER
    with pytest.raises(fm.FstmetricsError, match="the metric 'lost' of the package broken cannot be used"):
        fm.align("a", "a", "lost")


@pytest.mark.usefixtures("installed")
def test_a_format_of_another_package_on_the_command_line(packages: Path, files: Path) -> None:
    for further in ((), ("--format", "acme")):
        outcome = fstmetrics("oracle", files / "ref.txt", files / "utt1.acme", "--json", *further)
        assert (outcome.summary["edits"], outcome.summary["arcs"]) == (1, 3)
    # Help is made when a command is loaded, so by a process that has loaded none.
    process = started(
        "convert", "--help", stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(packages)}
    )
    assert b"acme" in process.communicate(timeout=600)[0]


@pytest.mark.usefixtures("installed")
def test_a_metric_of_another_package_on_the_command_line(files: Path) -> None:
    """Also in records, which `show` and `errors` read again."""
    outcome = fstmetrics("oracle", files / "ref.txt", files / "utt1.acme", "--metric", "half", "--json")
    assert outcome.summary["score"] == pytest.approx(0.5 / 3)
    hypotheses, records = written(files / "hyp.txt", "utt1 the cat\n"), files / "records.jsonl"
    command = ("score", files / "ref.txt", hypotheses, "--metric", "half", "--alignment", "--output", records)
    assert fstmetrics(*command).status == 0
    assert "big" in fstmetrics("show", records).out
    assert fstmetrics("errors", records).status == 0
    told = fstmetrics(
        "compare", hypotheses, "--ref", files / "ref.txt", "--metric", "half,mean-half,wer", "--json"
    )
    assert list(told.summary["systems"]["hyp"]) == ["half", "mean-half", "wer"]
    assert re.search(r"^ *half +lower ", fstmetrics("score", "--help", "metric").out, re.MULTILINE)


@pytest.mark.usefixtures("installed")
def test_a_command_of_another_package(packages: Path, files: Path) -> None:
    def ran(*arguments: str) -> tuple[int, str, str]:
        process = started(
            *arguments, cwd=files, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(packages)},
        )  # fmt: skip
        out, err = process.communicate(timeout=600)
        return process.returncode, out.decode(), err.decode()

    assert ran("arcs", "utt1.acme")[:2] == (0, "3\n")
    status, _, err = ran("arcs", "lost.acme")
    assert (status, err.splitlines()[-1].startswith("fstmetrics: lost.acme: ")) == (2, True)
    status, page, _ = ran("--help")
    assert status == 0
    assert re.search(r"Other packages:\n +arcs +Count the arcs of a lattice\.", page)
    assert re.search(r"gone +the command 'gone' of the package\s+\S+\s+cannot", page)
    assert re.search(
        r"score +the command 'score' of the package\s+\S+\s+has\s+the\s+name\s+of\s+one\s+that\s+ships", page
    )
    assert ran("gone")[0] == 2
    assert "did you mean arcs" in ran("arc")[2]


@pytest.mark.usefixtures("installed")
def test_the_command_line_names_a_broken_package_in_one_line(files: Path) -> None:
    outcome = fstmetrics("oracle", files / "ref.txt", files / "utt1.acme", "--format", "boom")
    why = "the format 'boom' of the package broken cannot be used: ModuleNotFoundError: No module named 'nothing_here'"
    assert (outcome.status, outcome.err) == (2, f"fstmetrics: {why}\n")
    outcome = fstmetrics("oracle", files / "ref.txt", files / "utt1.acme")
    assert (outcome.status, len(outcome.err.splitlines())) == (0, 3)
    assert f"fstmetrics: {why}; it is left out" in outcome.err.splitlines()


def test_other_packages_are_not_asked_for_what_ships(files: Path) -> None:
    """Nor are names of theirs looked up, which takes time."""
    code = (
        "import sys, fstmetrics as fm\n"
        "from fstmetrics.metrics import METRICS\n"
        "from fstmetrics.io import FORMATS\n"
        "fm.align('a', 'b', 'wrr'); fm.Lattice.read(sys.argv[1]); fm.Lattice.read(sys.argv[1], format='slf')\n"
        "assert 'importlib.metadata' not in sys.modules\n"
    )
    path = written(files / "a.slf", "VERSION=1.0\nN=2 L=1\nI=0\nI=1\nJ=0 S=0 E=1 W=a\n")
    subprocess.run([sys.executable, "-c", code, path], check=True)
