"""The metric of torchmetrics: exact sums over any batches, and over two real processes."""

from __future__ import annotations

import json
import math
import pickle
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fstmetrics as fm

torch = pytest.importorskip("torch", reason="torch is not installed")
torchmetrics = pytest.importorskip("torchmetrics", reason="torchmetrics is not installed")
PathScore = pytest.importorskip("fstmetrics.apps.adapters.torchmetrics").PathScore

TEXTS = st.lists(st.sampled_from("abc"), max_size=5).map(" ".join)
# Longer than any run here, so that a process that waits for ever fails.
SECONDS = 100

PROCESS = """
import json, sys
from datetime import timedelta
import torch
from fstmetrics.apps.adapters.torchmetrics import PathScore
place, rank, pairs = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
torch.distributed.init_process_group(
    "gloo", init_method=f"file://{place}", rank=rank, world_size=2, timeout=timedelta(seconds=60)
)
metric = PathScore("wer", counts=True)
for hypothesis, reference in pairs:
    metric.update([hypothesis], [reference])
found = {name: value.item() for name, value in metric.compute().items()}
print(json.dumps([found, metric.totals()]))
torch.distributed.destroy_process_group()
"""


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=8), st.integers(1, 4))
def test_batches_add_up_to_the_corpus(pairs: list[tuple[str, str]], size: int) -> None:
    metric = PathScore("wer")
    for begin in range(0, len(pairs), size):
        metric.update(*map(list, zip(*pairs[begin : begin + size], strict=True)))
    hypotheses, references = map(list, zip(*pairs, strict=True))
    corpus = fm.score(hypotheses, references)
    assert metric.totals() == corpus.totals
    assert metric.compute().item() == corpus.score
    if any(reference.split() for reference in references):
        peer = torchmetrics.text.WordErrorRate()
        assert peer(hypotheses, references).item() == pytest.approx(corpus.score)


def test_sums_are_exact_where_floats_are_not() -> None:
    """torchmetrics' own word error rate counts in single precision, in which 2^24 + 1 is 2^24."""
    metric = PathScore("wer", counts=True)
    metric.update(["b"], ["a"])
    metric.counts_state += 2**40
    metric.update(["b"], ["a"])
    assert metric.compute()["units"].item() == 2**40 + 2


def test_two_processes_have_the_sums_of_all(tmp_path: Path) -> None:
    draw = random.Random(3)
    pairs = [[" ".join(draw.choices("abc", k=draw.randrange(6))) for _ in range(2)] for _ in range(41)]
    running = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS, str(tmp_path / "meet"), str(rank), json.dumps(part)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for rank, part in enumerate((pairs[:30], pairs[30:]))
    ]  # fmt: skip
    try:
        outputs = [each.communicate(timeout=SECONDS) for each in running]
    finally:
        for each in running:
            each.kill()
    corpus = fm.score(*map(list, zip(*pairs, strict=True)))
    parts = [fm.score(*map(list, zip(*part, strict=True))) for part in (pairs[:30], pairs[30:])]
    for (out, err), process, part in zip(outputs, running, parts, strict=True):
        assert process.returncode == 0, err
        found, own = json.loads(out)
        assert found["score"] == corpus.score
        assert (found["items"], found["edits"], found["denominator"]) == (
            41, corpus.edits, corpus.totals.denominator,
        )  # fmt: skip
        assert tuple(own) == part.totals  # after `compute` a process has its own again


def test_empty_references_and_hypotheses_count() -> None:
    metric = PathScore("wer")
    assert math.isnan(metric.compute().item())
    metric.update([], [])
    metric.update(["oh"], [""])
    assert metric.compute().item() == math.inf
    metric.reset()
    metric.update(["oh", ""], ["", "the cat"])
    assert metric.compute().item() == 1.5


def test_several_references_lattices_and_settings() -> None:
    metric = PathScore("wer", normalisation=fm.Normalisation(lowercase=True))
    metric.update(["A b"], [["a c", "a b"]])
    metric.update([fm.Lattice.from_arcs([(0, 1, "a"), (0, 1, "b")], finals=[1])], ["b"])
    assert metric.totals().edits == 0
    assert metric.totals().matches == 3


def test_a_metric_is_copied_reset_and_put_into_collections() -> None:
    metric = PathScore("grr")
    metric.update("a b", "a b")
    assert metric.higher_is_better
    assert pickle.loads(pickle.dumps(metric)).compute().item() == metric.clone().compute().item() == 1
    metric.half()
    assert metric.counts_state.dtype == torch.int64
    both = torchmetrics.MetricCollection([PathScore("wer"), torchmetrics.text.WordErrorRate()])
    found = both(["a cat"], ["the cat"])
    assert found["PathScore"].item() == found["WordErrorRate"].item() == 0.5


def test_what_cannot_be_scored_adds_nothing() -> None:
    metric = PathScore("wer")
    with pytest.raises(fm.FstmetricsError, match="1 hypothesis but 2 references"):
        metric.update(["a"], ["b", "c"])
    with pytest.raises(fm.FstmetricsError):
        metric.update(["a", None], ["b", "c"])
    assert metric.items_state.item() == 0
    metric(["a b"], ["a c"])
    with pytest.raises(fm.FstmetricsError):
        metric(["a", None], ["b", "c"])
    assert (metric.items_state.item(), metric.totals().edits, metric.compute().item()) == (1, 1, 0.5)
    with pytest.raises(fm.FstmetricsError, match="bleu has no best path"):
        PathScore("bleu")
