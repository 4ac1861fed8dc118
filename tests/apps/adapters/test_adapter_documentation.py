"""The examples of docs/adapters.md run, each with its library."""

from __future__ import annotations

import doctest
import re

import pytest
from places import ROOT

SECTIONS = dict(
    re.findall(r"^## (.+?)$(.*?)(?=^## |\Z)", (ROOT / "docs" / "adapters.md").read_text("utf-8"), re.M | re.S)
)
LIBRARIES = {
    "datasets": "datasets", "evaluate": "evaluate", "torchmetrics": "torchmetrics", "Lhotse": "lhotse",
    "NeMo Curator": "nemo_curator.tasks",
}  # fmt: skip


@pytest.mark.parametrize("section", SECTIONS)
def test_examples_run(section: str) -> None:
    pytest.importorskip(LIBRARIES[section], reason=f"{section} is not installed")
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    blocks = re.findall(r"```py\n(.*?)```", SECTIONS[section], re.S)
    for block in blocks:
        test = doctest.DocTestParser().get_doctest(block, names, section, "adapters.md", 0)
        runner.run(test, clear_globs=False)
        names = test.globs
    assert runner.summarize(verbose=False).attempted > 2
    assert runner.failures == 0
