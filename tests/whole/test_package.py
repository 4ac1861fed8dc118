"""The package as it is installed: quick to import, typed, its stub and its documentation true."""

from __future__ import annotations

import ast
import doctest
import importlib
import os
import pickle
import pkgutil
import pydoc
import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from command import fstmetrics as run_here
from other_programs import program
from places import ROOT, TESTS

import fstmetrics

HEAVY = (
    "pynini",
    "pywrapfst",
    "_pywrapfst",
    "rich",
    "click",
    "sacrebleu",
    "fstmetrics.cli",
    "fstmetrics.reports",
)


def modules_after(code: str) -> set[str]:
    """What is loaded in a fresh interpreter after some code."""
    shown = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(' '.join(sys.modules))"],
        capture_output=True, text=True, check=True, cwd=Path(sys.executable).parent,
    )  # fmt: skip
    return set(shown.stdout.split())


@pytest.mark.parametrize(
    "code",
    [
        "import fstmetrics",
        "import fstmetrics as f; f.wer('a', 'b'); f.hyter('a b', ['b a', 'c'], window=2); f.grr('a', 'a')",
        "import fstmetrics as f; f.align(f.Lattice.from_arcs([(0, 1, 'a')], finals=[1]), 'a', nbest=2)",
    ],
)
def test_scoring_loads_nothing_heavy(code: str) -> None:
    loaded = modules_after(code)
    assert not {name for name in loaded if name.startswith(HEAVY)}


def test_help_loads_no_engine() -> None:
    loaded = modules_after("import fstmetrics.cli; list(fstmetrics.cli.cli.list_commands(None))")
    assert "rich" not in loaded


def test_stub_of_the_core_is_up_to_date(tmp_path: Path) -> None:
    stubgen = pytest.importorskip("nanobind.stubgen", reason="nanobind is not installed")
    written = tmp_path / "_native.pyi"
    stubgen.main(["-q", "-m", "fstmetrics._native", "-o", str(written)])
    assert written.read_text() == (ROOT / "fstmetrics" / "_native.pyi").read_text(), (
        "regenerate it: python -m nanobind.stubgen -m fstmetrics._native -o fstmetrics/_native.pyi"
    )


def test_names_for_type_checkers_are_those_that_are_imported_on_use() -> None:
    source = (ROOT / "fstmetrics" / "__init__.py").read_text(encoding="utf-8")
    block = next(part for part in ast.parse(source).body if isinstance(part, ast.If))
    imports = [part for part in block.body if isinstance(part, ast.ImportFrom)]
    shown = {name.asname or "": f"{part.module}.{name.name}" for part in imports for name in part.names}
    renamed = {name: place for name, place in fstmetrics._MODULES.items() if name != place}
    whole = {f"_{place.rpartition('.')[2]}": f"fstmetrics.{place}" for place in renamed.values()}
    names = {name: f"fstmetrics.{place}.{name}" for name, place in fstmetrics._PLACES.items()}
    assert shown == {
        name: place for name, place in names.items() if name not in fstmetrics._MODULES
    } | whole | {"networks": "fstmetrics.networks"}
    for name, place in fstmetrics._PLACES.items():
        module = importlib.import_module(f"fstmetrics.{place}")
        assert getattr(fstmetrics, name) is (module if name in fstmetrics._MODULES else getattr(module, name))


def test_a_missing_core_is_said_to_be_missing() -> None:
    code = "import sys; sys.modules['fstmetrics._native'] = None; import fstmetrics; fstmetrics.wer"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "ImportError: the compiled core of fstmetrics is missing here" in done.stderr


def all_modules() -> list[str]:
    return [
        m.name for m in pkgutil.walk_packages(fstmetrics.__path__, "fstmetrics.") if "__main__" not in m.name
    ]


# What modules of `adapters` import at once.
LIBRARIES = {
    "datasets": ["datasets"],
    "evaluate": ["evaluate"],
    "torchmetrics": ["torch", "torchmetrics"],
    "nemo_curator": ["nemo_curator.stages.base"],
}


@pytest.mark.parametrize("name", [n for n in all_modules() if not n.endswith("_native")])
def test_docstring_examples_run(name: str) -> None:
    if name == "fstmetrics.openfst.classical":
        pytest.importorskip("pynini", reason="needs pynini: pip install 'fstmetrics[openfst]'")
    if name.startswith("fstmetrics.apps.adapters."):
        for library in LIBRARIES.get(name.rpartition(".")[2], ()):
            pytest.importorskip(library, reason=f"needs {library}")
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_everything_public_is_documented() -> None:
    for name in fstmetrics.__all__:
        thing = getattr(fstmetrics, name)
        if not name.startswith("__") and name != "METRICS":
            assert thing.__doc__, name


def python_blocks(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_in_the_documentation_runs(page: Path) -> None:
    """Doctest sessions and plain code; a page's blocks share their names."""
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for block in python_blocks(page):
        if ">>>" in block:
            test = doctest.DocTestParser().get_doctest(block, names, page.name, str(page), 0)
            runner.run(test, clear_globs=False)
            names = test.globs
        else:
            exec(compile(block, str(page), "exec"), names)
    assert runner.failures == 0


@pytest.mark.parametrize(
    "page", sorted((ROOT / "docs" / "tutorials").glob("*-*.md")), ids=lambda page: page.name
)
def test_cells_of_tutorials_run_without_a_warning(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is read wrongly is warned of. The cells of the shell and the first one, which goes there, are left out."""
    pytest.importorskip("matplotlib", reason="needs matplotlib: pip install 'fstmetrics[plot]'").use("agg")
    shutil.copytree(ROOT / "fstmetrics" / "examples", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    cells = re.findall(r"```\{code-cell\} python\n(?::.*\n)*(.*?)```", text, flags=re.DOTALL)
    names: dict[str, object] = {"fm": fstmetrics}
    ran = [cell for cell in cells if not re.search("^[%!]", cell, flags=re.MULTILINE)]
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        for cell in ran:
            exec(compile(cell, str(page), "exec"), names)
    assert ran


def console_sessions(page: Path, *programs: str) -> list[tuple[str, str]]:
    """Commands that begin with `$ ` and one of the programs, and the output shown under each."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            if command.split()[0] in programs:
                found.append((command, output))
    return found


@pytest.mark.parametrize(
    ("command", "output"), [session for page in PAGES for session in console_sessions(page, "fstmetrics")]
)
def test_commands_in_the_documentation_print_what_is_shown(
    command: str, output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run from the root of the repository; `...` in the page stands for anything."""
    monkeypatch.chdir(ROOT)
    shown = run_here(*command.split()[1:])
    lax = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.OutputChecker().check_output(output, shown.out, lax), shown.out + shown.err


OTHERS = ("sclite", "jiwer", "sacrebleu", "compare-mt", "meeteval-wer")


@pytest.mark.parametrize(
    ("command", "output"), [session for page in PAGES for session in console_sessions(page, *OTHERS)]
)
def test_commands_of_other_programs_in_the_documentation_print_what_is_shown(
    command: str, output: str
) -> None:
    name, *arguments = command.split()
    there = program("sclite", "sctk") if name == "sclite" else program(name)
    shown = subprocess.run([*there, *arguments], capture_output=True, text=True, cwd=ROOT, check=False)
    lax = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.OutputChecker().check_output(output, shown.stdout, lax), shown.stdout + shown.stderr


def shell_blocks(page: Path) -> list[str]:
    """Those that work on the examples, apart from what waits for somebody in a browser."""
    blocks = re.findall(
        r"```sh\n(cd fstmetrics/examples.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL
    )
    return [block for block in blocks if "fstmetrics annotate" not in block]


SHELL = [(page.name, block) for page in PAGES for block in shell_blocks(page)]


@pytest.mark.parametrize(("page", "block"), SHELL, ids=[f"{page}-{n}" for n, (page, _) in enumerate(SHELL)])
def test_blocks_of_shell_on_the_examples_run(page: str, block: str, tmp_path: Path) -> None:
    """In a copy of the examples, as the commands write files beside them."""
    shutil.copytree(ROOT / "fstmetrics" / "examples", tmp_path / "fstmetrics" / "examples")
    command = tmp_path / "bin" / "fstmetrics"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m fstmetrics "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    environment = os.environ | {"PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["sh", "-e", "-c", block], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.count("fstmetrics: ")) == (0, 0), done.stdout + done.stderr


def test_pages_about_files_have_blocks_that_run() -> None:
    assert {"report.md", "packed.md", "long-runs.md", "batches.md"} <= {page for page, _ in SHELL}


def test_the_package_says_that_it_is_typed() -> None:
    from importlib.resources import files

    assert files("fstmetrics").joinpath("py.typed").is_file()


def test_the_package_can_be_looked_at() -> None:
    here: dict[str, object] = {}
    exec("from fstmetrics import *", here)
    assert {*here} - {"__builtins__"} == {*dir(fstmetrics)}
    assert "wer(hypothesis" in pydoc.plain(pydoc.render_doc(fstmetrics))
    with pytest.raises(AttributeError, match="module 'fstmetrics' has no attribute 'werr'"):
        fstmetrics.werr  # noqa: B018
    assert pickle.loads(pickle.dumps(fstmetrics.WER)) is fstmetrics.WER


def test_networks_has_what_works_on_networks() -> None:
    networks = fstmetrics.networks
    assert networks.info is fstmetrics.network_info
    for name in ("union", "spu", "normal_form", "cards_taken", "Paths", "NetworkInfo", "CardTaken"):
        assert getattr(networks, name) is getattr(fstmetrics, name)


def test_tests_have_the_folders_of_the_package_and_share_by_helpers() -> None:
    """No test module imports another: it would change with the tests that it holds."""
    modules = [path for path in TESTS.rglob("test_*.py") if path.parent != TESTS]
    package = ROOT / "fstmetrics"
    packages = {
        path.name for folder in (package, package / "apps") for path in folder.iterdir() if path.is_dir()
    }
    assert {path.parent.name for path in modules} <= packages | {"whole"}
    assert len({path.name for path in modules}) == len(modules)
    for path in modules:
        assert not re.search(r"^\s*(from|import) test_", path.read_text(encoding="utf-8"), re.MULTILINE), path


def test_the_top_level_is_what_the_house_has() -> None:
    """What a trial leaves in the first folder that people see is no part of the project."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode or not listed.stdout:
        pytest.skip("this is no clone")
    first = {name.split("/")[0] for name in listed.stdout.splitlines()}
    folders = {"bench", "docs", "fstmetrics", "grammars", "recipe", "tests"}
    files = {"CHANGELOG.md", "CITATION.cff", "Dockerfile", "LICENSE", "README.md", "pyproject.toml"}
    assert {name for name in first if not name.startswith(".")} == folders | files


def test_the_bench_imports_what_there_is() -> None:
    if not (ROOT / "bench").is_dir():
        pytest.skip("the bench is not here")
    done = subprocess.run(
        [sys.executable, "-c", "import bench.rows"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
