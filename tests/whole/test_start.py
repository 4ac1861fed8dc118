"""What starting costs, by what is imported rather than by the clock: a run that needs little loads little."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from command import written

import fstmetrics as fm
from fstmetrics.metrics import METRICS
from fstmetrics.metrics.corpus_metric import name_of
from fstmetrics.metrics.registry import SHIPPED, as_corpus_metric

# What no run over two texts needs; each is dear to load, or a part that another command or option is for.
OTHERS = (
    "rich",
    "importlib.metadata",
    "email",
    "hashlib",
    "secrets",
    "socket",
    "fstmetrics.analysis",
    "fstmetrics.lattices",
    "fstmetrics.apps.metaeval",
    "fstmetrics.grammars",
    "fstmetrics.openfst",
    "fstmetrics.networks",
    "fstmetrics.metrics.bleu",
    "fstmetrics.metrics.gtm",
    "fstmetrics.metrics.maxsim",
    "fstmetrics.metrics.nist_meteor",
    "fstmetrics.metrics.tesla",
    "fstmetrics.reports.sclite_reports",
)
PACKAGE = "fstmetrics"


def loaded(code: str, *arguments: str) -> set[str]:
    """The modules that a fresh interpreter has after some code, which may end the program."""
    code = f"import sys\ntry:\n    {code}\nfinally:\n    print(*sys.modules, file=sys.stderr)"
    shown = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True, text=True, check=True, cwd=Path(sys.executable).parent,
    )  # fmt: skip
    return set(shown.stderr.split())


def command(*arguments: object) -> set[str]:
    """The same after a command."""
    return loaded("sys.argv[0] = 'fstmetrics'; from fstmetrics.cli import main; main()", *map(str, arguments))


def among(modules: set[str], names: tuple[str, ...]) -> list[str]:
    """Those of some names, and what is in them."""
    return sorted(module for module in modules if any(f"{module}.".startswith(f"{name}.") for name in names))


def own(modules: set[str]) -> list[str]:
    """The modules of fstmetrics."""
    return among(modules, (PACKAGE,))


@pytest.fixture
def texts(tmp_path: Path) -> tuple[Path, Path]:
    return written(tmp_path / "ref.txt", "the cat sat\n"), written(tmp_path / "hyp.txt", "a cat sat\n")


def test_score_of_two_texts_loads_what_it_needs(texts: tuple[Path, Path]) -> None:
    modules = command("score", *texts)
    assert among(modules, OTHERS) == []
    assert len(own(modules)) <= 123


def test_a_word_error_rate_in_python_loads_what_it_needs() -> None:
    modules = loaded("import fstmetrics as fm; fm.wer('a b', 'a c'); fm.score(['a'], ['b'])")
    assert among(modules, (*OTHERS, "click", "fstmetrics.cli", "fstmetrics.io", "fstmetrics.reports")) == []
    assert len(own(modules)) <= 47


def test_a_metric_has_the_name_of_its_row() -> None:
    named = [name_of(METRICS[name].name, as_corpus_metric(name).unit or "word") for name in SHIPPED]
    assert named == list(SHIPPED)
    assert METRICS["bleu"] is fm.BLEU
