"""The module of Hugging Face's evaluate: jiwer's numbers where both have one, also from two real processes."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from later_modules import later

import fstmetrics as fm

jiwer: Any = pytest.importorskip("jiwer", reason="jiwer is not installed")
evaluate = later("evaluate", "evaluate is not installed")
adapter = later("fstmetrics.apps.adapters.evaluate", "")

SECONDS = 100
PROCESS = """
import json, sys
from fstmetrics.apps.adapters.evaluate import PathScore
cache, process, pairs = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
module = PathScore("wer", num_process=2, process_id=process, experiment_id="two", cache_dir=cache, timeout=60)
for hypothesis, reference in pairs:
    module.add(prediction=hypothesis, reference=reference)
print(json.dumps(module.compute()))
"""


def random_pairs(count: int) -> list[list[str]]:
    draw = random.Random(count)
    return [[" ".join(draw.choices("abc", k=draw.randrange(6))) for _ in range(2)] for _ in range(count)]


@pytest.fixture
def module(tmp_path: Path) -> Any:
    return adapter.PathScore("wer", cache_dir=str(tmp_path))


def test_batches_have_jiwer_s_number_and_exact_counts(module: Any) -> None:
    pairs = random_pairs(50)
    hypotheses, references = map(list, zip(*pairs, strict=True))
    for begin in range(0, 50, 7):
        module.add_batch(predictions=hypotheses[begin : begin + 7], references=references[begin : begin + 7])
    found = module.compute()
    assert found["wer"] == pytest.approx(jiwer.wer(references, hypotheses), abs=1e-15)
    corpus = fm.score(hypotheses, references)
    assert found == {
        "wer": corpus.score, "items": 50, "signature": corpus.signature,
        **{name: getattr(corpus, name) for name in
           ("edits", "matches", "substitutions", "insertions", "deletions", "moves", "path_length")},
    }  # fmt: skip


def test_the_score_has_the_name_of_what_is_compared(tmp_path: Path) -> None:
    texts: dict[str, list[str]] = {"predictions": ["a cat"], "references": ["the cat"]}
    characters = fm.Normalisation(unit="char")
    for settings in ({"config_name": "cer"}, {"config_name": "wer", "normalisation": characters}):
        found = adapter.PathScore(**settings, cache_dir=str(tmp_path)).compute(**texts)
        assert found["cer"] == fm.cer("a cat", "the cat")
        assert "wer" not in found


def test_several_references_and_empty_ones(module: Any) -> None:
    found = module.compute(predictions=["a b", "x"], references=[["a c", "a b"], [""]])
    assert (found["wer"], found["edits"], found["path_length"]) == (0.5, 1, 2)


def test_columns_of_pandas_whose_rows_have_other_labels_are_refused(module: Any) -> None:
    pandas = pytest.importorskip("pandas")
    hypotheses = pandas.Series(["a b", "c"], index=[1, 0])
    with pytest.raises(fm.FstmetricsError, match=r"have different labels \(index\)"):
        module.compute(predictions=hypotheses, references=pandas.Series(["c", "a b"]))
    assert module.compute(predictions=hypotheses, references=hypotheses)["wer"] == 0


def test_evaluate_loads_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluate.config, "HF_MODULES_CACHE", tmp_path / "modules")
    monkeypatch.setattr(evaluate.config, "HF_EVALUATE_OFFLINE", True)
    loaded = evaluate.load(adapter.__file__, "grr", cache_dir=str(tmp_path))
    assert loaded.compute(predictions=["a b"], references=["a b"])["grr"] == 1


def test_metrics_of_strings_are_refused() -> None:
    with pytest.raises(fm.FstmetricsError, match="bleu has no best path"):
        adapter.PathScore("bleu")


def test_two_processes_have_the_sums_of_all(tmp_path: Path) -> None:
    pairs = random_pairs(31)
    running = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS, str(tmp_path), str(process), json.dumps(part)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for process, part in enumerate((pairs[:20], pairs[20:]))
    ]  # fmt: skip
    try:
        outputs = [each.communicate(timeout=SECONDS) for each in running]
    finally:
        for each in running:
            each.kill()
    assert [process.returncode for process in running] == [0, 0], outputs
    first, second = (json.loads(out.splitlines()[-1]) for out, _ in outputs)
    corpus = fm.score(*map(list, zip(*pairs, strict=True)))
    assert (first["wer"], first["edits"], first["items"]) == (corpus.score, corpus.edits, 31)
    assert second is None
