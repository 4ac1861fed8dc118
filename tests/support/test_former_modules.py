"""Modules by the names that the documentation had: the same objects, in whatever order both are imported."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

from fstmetrics.support.former_modules import PLACES


@pytest.mark.parametrize("name", PLACES)
def test_a_module_is_the_same_by_its_former_name(name: str) -> None:
    assert import_module(name) is import_module(PLACES[name])


@pytest.mark.parametrize(
    "code",
    [
        "from fstmetrics.readers import Format, Item, stem; import fstmetrics.io as io; assert io.Format is Format",
        "import fstmetrics.readers.formats.att as old; from fstmetrics.io.formats import att; assert att is old",
        "from fstmetrics.values.cards import Call; from fstmetrics.data import cards; assert cards.Call is Call",
        "import fstmetrics.jiwer as jiwer; import fstmetrics as fm; assert fm.jiwer is jiwer",
        "from fstmetrics.evaluation.agreement import kappa; from fstmetrics import evaluation; assert evaluation.kappa",
        "import fstmetrics.decoding as old; import fstmetrics as fm; assert fm.decoding is old and old.mert",
    ],
)
def test_former_names_come_first(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_has_never_been_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"fstmetrics\.io\.nothing"):
        import_module("fstmetrics.readers.nothing")
