"""`fstmetrics compile`: a folder of machines whose script gets the answer by OpenFst's own programs."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import HYTER, ORACLE, fstmetrics, written
from error_cases import error_cases, label

import fstmetrics as fm

pynini = pytest.importorskip("pynini", reason="needs pynini: pip install 'fstmetrics[openfst]'")
CASES = error_cases("compile")
programs = pytest.mark.skipif(
    shutil.which("fstcompose") is None, reason="needs OpenFst's programs: libfst-tools"
)


def cost_by_programs(folder: Path) -> str:
    """What the script prints of the cost, from another folder than its own."""
    done = subprocess.run(["sh", str(folder / "run.sh")], capture_output=True, text=True, check=True, cwd="/")
    return done.stdout.splitlines()[0]


ITEMS = {
    "lattice": ((*ORACLE, "--item", "holmes21"), "cost: 1"),
    "lattice, recognition": ((*ORACLE, "--item", "holmes37", "--metric", "grr", "--order", 2), None),
    "network": ((*HYTER, "--item", "station", "--metric", "hyter", "--window", 3), "cost: 2"),
    "jumps": ((*HYTER, "--item", "approval", "--metric", "hyter", "--window", 2, "--reordering", "jumps"), None),
    "characters": ((ORACLE[0], ORACLE[0], "--item", "holmes01", "--unit", "char"), "cost: 0"),
    "characters, by the metric": ((ORACLE[0], ORACLE[0], "--item", "holmes01", "--metric", "cer"), "cost: 0"),
    "fractions": ((ORACLE[0], ORACLE[0], "--item", "holmes01", "--metric", "grr", "--alpha", "0.9"),
                  "cost: -780 units, 10 of which make 1"),
}  # fmt: skip


@programs
@pytest.mark.parametrize("kind", ITEMS)
def test_openfst_s_own_programs_get_the_engine_s_cost(kind: str, tmp_path: Path) -> None:
    arguments, expected = ITEMS[kind]
    found = fstmetrics("compile", *arguments, "--to", tmp_path / "new")
    assert (found.status, found.err) == (0, "")
    engine = found.out.partition("the engine finds cost ")[2].split()[0]
    printed = cost_by_programs(tmp_path / "new")
    assert printed == (expected or f"cost: {engine}")
    if kind != "fractions":
        assert printed == f"cost: {engine}"


@programs
def test_a_network_of_one_card_has_nothing_to_replace(tmp_path: Path) -> None:
    network = written(tmp_path / "u1.cards", "[S]: a b; a c\n")
    said = written(tmp_path / "hyp", "u1 a b c\n")
    found = fstmetrics(
        "compile", network, said, "--item", "u1", "--metric", "hyter", "--to", tmp_path / "new"
    )
    assert found.status == 0, found.err
    assert cost_by_programs(tmp_path / "new") == "cost: 1"


@programs
def test_the_script_says_that_its_path_is_one_of_the_cheapest(tmp_path: Path) -> None:
    fstmetrics("compile", *HYTER, "--item", "station", "--metric", "hyter", "--to", tmp_path / "new")
    done = subprocess.run(
        ["sh", str(tmp_path / "new" / "run.sh")], capture_output=True, text=True, check=True
    )
    said = "one of the paths with that cost: from state, to state, word of H, word of R, cost"
    assert done.stdout.splitlines()[1] == said
    assert (done.stdout.count("\n"), done.stderr) > (5, "")


@programs
@pytest.mark.parametrize("seed", range(12))
def test_random_items_by_openfst_s_own_programs(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)

    def text() -> str:
        return " ".join(rng.choice("abc") for _ in range(rng.randint(1, 6)))

    said, references = text(), [text() for _ in range(2)]
    for name, line in (("hyp", said), ("one", references[0]), ("two", references[1])):
        written(tmp_path / f"{name}.txt", line + "\n")
    metrics: list[tuple[fm.Metric, list[object]]] = [
        (fm.WRR(), ["wrr"]), (fm.Sclite(), ["sclite"]), (fm.HyTER(3), ["hyter", "--window", 3]),
        (fm.GRR(3), ["grr", "--order", 3]),
    ]  # fmt: skip
    metric, asked = rng.choice(metrics)
    found = fstmetrics("compile", tmp_path / "one.txt", tmp_path / "hyp.txt", "--ref", tmp_path / "two.txt", "--metric",
                       *asked, "--to", tmp_path / "new")  # fmt: skip
    assert found.status == 0, found.err
    assert cost_by_programs(tmp_path / "new") == f"cost: {fm.align(said, references, metric).cost:g}"


def test_what_is_in_the_folder(tmp_path: Path) -> None:
    found = fstmetrics(
        "compile", *HYTER, "--item", "station", "--metric", "hyter", "--window", 3, "--to", tmp_path / "new"
    )
    assert found.out.splitlines()[:3] == ["machine          states  arcs", "H                    13    22",
                                          "T, left factor        1    13"]  # fmt: skip
    new = tmp_path / "new"
    names = {str(path.relative_to(new)) for path in new.rglob("*") if path.is_file()}
    machines = {"h", "t-left", "t-right", "cards/1", "cards/2", "cards/3"}
    assert names == {"run.sh", "words.txt", *(f"{name}.{end}" for name in machines for end in ("fst", "svg"))}
    table = dict(
        line.split("\t")[::-1] for line in (new / "words.txt").read_text(encoding="utf-8").splitlines()
    )
    assert table["0"] == "<eps>"
    assert {"where", "station", "<sub>", "<ins>", "<del>", "[STATION]"} <= set(table.values())
    root = pynini.Fst.read(str(new / "cards" / "1.fst"))
    assert root.input_symbols().find(1) == table["1"]
    assert (new / "run.sh").stat().st_mode & 0o111


def test_an_id_or_a_card_cannot_write_into_the_script(tmp_path: Path) -> None:
    """What comes from files stands in comments alone, in one line."""
    cards = {"S": {"phrases": ["a [X\ntouch here;]"]}, "X\ntouch here;": {"phrases": ["b"]}}
    network = fm.Network.from_dict({"format": "fstmetrics-network/1", "root": "S", "cards": cards})
    from fstmetrics.openfst.folder import write_machines

    write_machines(fm.compile("a b", network), str(tmp_path / "new"), "item u\ntouch there")
    script = (tmp_path / "new" / "run.sh").read_text()
    assert not [line for line in script.splitlines() if line.startswith("touch")]


def test_items_without_ids_have_numbers_and_one_needs_none(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "ref.txt", "a b\nc\n"), written(tmp_path / "hyp.txt", "a b\nd e\n")
    found = fstmetrics("compile", ref, hyp, "--item", 1, "--to", tmp_path / "new")
    assert "item 1 (from 0), metric:wer: the engine finds cost 2" in found.out
    one = written(tmp_path / "one.txt", "a b\n")
    assert "the engine finds cost 0" in fstmetrics("compile", one, one, "--to", tmp_path / "other").out
    rows = written(tmp_path / "rows.jsonl", '{"id": "u1", "ref": "a b", "hyp": "a"}\n')
    command = (
        "compile",
        rows,
        "--fields",
        "id=id,ref=ref,hyp=hyp",
        "--item",
        "u1",
        "--to",
        tmp_path / "third",
    )
    assert "the engine finds cost 1" in fstmetrics(*command).out


def test_grammars_are_transducers(tmp_path: Path) -> None:
    found = fstmetrics("compile", "--grammar", "en.spelling@0.5,en.contractions", "--to", tmp_path / "new")
    assert found.status == 0
    assert [line.split(":")[0] for line in found.out.splitlines()] == ["en.spelling", "en.contractions"]
    assert "without 3 rules of endlessly many words" in found.out
    assert {path.name for path in (tmp_path / "new").iterdir()} == {
        "en.spelling.fst", "en.contractions.fst", "words.txt",
    }  # fmt: skip
    rules = pynini.Fst.read(str(tmp_path / "new" / "en.spelling.fst"))
    words = rules.input_symbols()
    reference = pynini.accep("colour", token_type=words)
    widened = pynini.compose(reference, rules.arcsort("ilabel")).project("output").rmepsilon()
    assert {(text, float(str(weight))) for _, text, weight in widened.paths(output_token_type=words).items()} == {
        ("colour", 0), ("color", 0.5),
    }  # fmt: skip


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in CASES["files"].items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        written(tmp_path / name, text)
    return tmp_path


@pytest.mark.parametrize("case", CASES["case"], ids=label)
def test_what_cannot_be_compiled_is_refused_in_one_line(case: dict[str, Any], here: Path) -> None:
    before = sorted(here.rglob("*"))
    found = fstmetrics("compile", *case["command"].split())
    assert (found.status, found.out, found.err.count("\n")) == (2, "", 1), found
    assert case["message"] in found.err
    assert sorted(here.rglob("*")) == before


def test_a_lattice_in_a_window_is_refused_as_by_score(tmp_path: Path) -> None:
    command = (*ORACLE, "--metric", "hyter", "--window", 2)
    found = fstmetrics("compile", *command, "--item", "holmes01", "--to", tmp_path / "new")
    assert found.status == 2
    assert "item holmes01: reordering in a window is for strings" in found.err
    assert not (tmp_path / "new").exists()


def test_without_pynini_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pynini", None)
    found = fstmetrics("compile", *HYTER, "--item", "station", "--to", tmp_path / "new")
    assert (found.status, found.err.count("\n")) == (2, 1)
    assert "needs pynini, which is not installed: pip install 'fstmetrics[openfst]'" in found.err
