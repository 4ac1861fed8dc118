"""The stage of NeMo Curator: tasks of its own kinds, and its pipeline on Ray Data."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import pytest

import fstmetrics as fm
from fstmetrics.batches import scorer

tasks: Any = pytest.importorskip("nemo_curator.tasks", reason="NeMo Curator is not installed")
ScoreStage: Any = pytest.importorskip("fstmetrics.apps.adapters.nemo_curator").ScoreStage

SCORER = scorer("wer", id=None, hypothesis="pred_text", reference="text")
ENTRIES = [("the cat", "a cat"), ("", "oh"), ("x", None)]
PIPELINE = """
import json, ray
from nemo_curator.backends.ray_data import RayDataExecutor
from nemo_curator.pipeline import Pipeline
from nemo_curator.tasks import AudioTask
from fstmetrics.apps.adapters.nemo_curator import ScoreStage
from fstmetrics.batches import scorer
ray.init(num_cpus=2, include_dashboard=False)
stage = ScoreStage(scorer("wer", id=None, hypothesis="pred_text", reference="text"), batch_size=2)
given = [AudioTask(data={"text": t, "pred_text": h}) for t, h in [("the cat", "a cat"), ("", "oh"), ("x", None)]]
for task in Pipeline("test", stages=[stage]).run(RayDataExecutor(), initial_tasks=given):
    print("RESULT", json.dumps([task.data["edits"], task.data["fault"]]))
"""


def entries() -> list[Any]:
    return [tasks.AudioTask(data={"text": text, "pred_text": found}) for text, found in ENTRIES]


def test_entries_get_counts_or_a_fault() -> None:
    found = ScoreStage(SCORER).process_batch(entries())
    assert [task.data["edits"] for task in found] == [1, 1, None]
    assert [task.data["score"] for task in found] == [0.5, None, None]
    assert [task.data["fault"] for task in found] == [None, None, "pred_text is null"]


@pytest.mark.parametrize("kind", ["pandas", "pyarrow"])
def test_documents_keep_their_kind(kind: str) -> None:
    library = pytest.importorskip(kind)
    columns = {"text": ["the cat", ""], "pred_text": ["a cat", "oh"]}
    data = library.DataFrame(columns) if kind == "pandas" else library.table(columns)
    found = ScoreStage(SCORER, "wer_").process(tasks.DocumentBatch(dataset_name="d", data=data))
    assert type(found.data) is type(data)
    assert list(found.to_pyarrow()["wer_edits"].to_pylist()) == [1, 1]


def test_what_a_profile_leaves_out_is_filtered() -> None:
    pytest.importorskip("whisper_normalizer", reason="the profile's rules are not installed")
    score = scorer(
        "wer", id=None, hypothesis="pred_text", reference="text", normalisation=fm.profile("open-asr")
    )
    assert [task is None for task in ScoreStage(score).process_batch(entries())] == [False, True, False]


def test_keys_that_are_wrong_are_told() -> None:
    with pytest.raises(fm.FstmetricsError, match="the entry has no 'pred_text'; it has text, pred_txt"):
        ScoreStage(SCORER).process(tasks.AudioTask(data={"text": "a", "pred_txt": "b"}))
    with pytest.raises(fm.FstmetricsError, match="the entry has 'score' already"):
        ScoreStage(SCORER).process(tasks.AudioTask(data={"text": "a", "pred_text": "b", "score": 1}))


def test_a_stage_is_copied_and_pickled() -> None:
    stage = pickle.loads(pickle.dumps(copy.deepcopy(ScoreStage(SCORER, batch_size=7))))
    assert (stage.batch_size, stage.name) == (7, "FstmetricsScore")
    assert [task.data["edits"] for task in stage.process_batch(entries())] == [1, 1, None]


def test_a_pipeline_runs_it() -> None:
    shown = subprocess.run([sys.executable, "-c", PIPELINE], capture_output=True, text=True, timeout=180)
    assert shown.returncode == 0, shown.stderr
    found = sorted(line for line in shown.stdout.splitlines() if line.startswith("RESULT"))
    assert found == [
        'RESULT [1, null]', 'RESULT [1, null]', 'RESULT [null, "pred_text is null"]',
    ]  # fmt: skip
