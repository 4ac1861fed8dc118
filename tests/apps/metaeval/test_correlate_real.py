"""WMT's human scores of 2021 and our metrics: read as they are published, and what [docs/correlation.md] shows.

The data may not be redistributed; these tests are skipped where it is absent.
"""

from __future__ import annotations

import glob
import gzip
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from command import fstmetrics
from human_scores import refused, value
from places import ROOT

import fstmetrics as fm
from fstmetrics.apps.metaeval import Intervals, ScoreTable, correlate, kendall, pearson


@pytest.fixture(scope="session")
def wmt(shared: Path) -> Path:
    return shared / "mt-wmt"


def texts_of(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().split("\n")[:-1]


def outputs(folder: Path) -> list[str]:
    """All systems; the scores call NVIDIA-NeMo by another name."""
    return [f"Nemo={path}" if "NeMo" in path.name else str(path) for path in sorted(folder.glob("hyp.*.gz"))]


def test_mqm_scores_of_english_german(wmt: Path, tmp_path: Path) -> None:
    folder = wmt / "newstest2021.en-de"
    human, table = folder / "mqm.avg_seg_scores.tsv.gz", tmp_path / "all.tsv"
    arguments = (
        "correlate",
        human,
        *outputs(folder),
        "--ref",
        folder / "ref.C.de.gz",
        "--metric",
        "bleu,wer",
    )
    found = fstmetrics(*arguments, "--samples", 0, "--json", "--output", table).summary
    assert {(c["level"], c["points"]) for c in found["correlations"]} == {("system", 8), ("segment", 4216)}
    # The same from the published lines, by hand.
    judged: dict[str, list[float]] = {}
    for line in texts_of(human)[1:]:
        system, score, _ = line.split()
        if score != "None":
            judged.setdefault(system, []).append(float(score))
    names = [name for name in judged if not name.startswith("ref-")]
    assert len(names) == 8
    bleu = {}
    for name in names:
        path = folder / f"hyp.{'NVIDIA-NeMo' if name == 'Nemo' else name}.de.gz"
        scored = ("score", folder / "ref.C.de.gz", path, "--metric", "bleu", "--json")
        bleu[name] = fstmetrics(*scored).summary["score"]
    means = [np.mean(judged[name]) for name in names]
    assert value(found, "bleu", "system", "pearson") == pytest.approx(
        pearson(list(bleu.values()), means), abs=1e-12
    )
    assert value(found, "bleu", "system", "kendall") == kendall(list(bleu.values()), means)
    rows = [line.split("\t") for line in table.read_text().splitlines()[1:]]
    both = [(float(human_), -float(wer)) for _, _, human_, _, wer in rows if human_]
    assert len(both) == 4216
    stats = pytest.importorskip("scipy.stats")
    peers = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
    for coefficient, theirs in peers.items():
        expected = theirs(*zip(*both, strict=True)).statistic
        assert value(found, "wer", "segment", coefficient) == pytest.approx(expected, abs=1e-9)


def test_direct_assessments_of_czech_english(wmt: Path) -> None:
    folder = wmt / "newstest2021.cs-en"
    arguments = (
        "correlate",
        folder / "da.seg-scores.csv.gz",
        *outputs(folder),
        "--ref",
        folder / "ref.A.en.gz",
    )
    found = fstmetrics(*arguments, "--samples", 0, "--json").summary
    # People's means of systems are published, too.
    published = {}
    for line in (folder / "da.sys-scores.csv").read_text().splitlines()[1:]:
        _, z, _, name, _ = line.split()
        published[name.rpartition(".")[0]] = float(z)
    names = [
        path.name.removeprefix("hyp.").removesuffix(".en.gz") for path in sorted(folder.glob("hyp.*.gz"))
    ]
    bleu = []
    for name in names:
        scored = ("score", folder / "ref.A.en.gz", folder / f"hyp.{name}.en.gz", "--metric", "bleu", "--json")
        bleu.append(fstmetrics(*scored).summary["score"])
    expected = pearson(bleu, [published[name] for name in names])
    assert value(found, "bleu", "system", "pearson") == pytest.approx(expected, abs=1e-9)
    raw = fstmetrics(*arguments, "--human", "RAW.SCR", "--threshold", 25, "--samples", 0, "--json").summary
    assert not math.isnan(value(raw, "bleu", "segment", "wmt12"))


def test_people_score_worse_than_machines(wmt: Path) -> None:
    """With other people's translations as references, people's are further from them than the machines': [H12] found
    the opposite with networks, and with BLEU and TERp in 2012."""
    folder = wmt / "newstest2021.en-de"
    people = [f"ref-{name}={folder / f'ref.{name}.de.gz'}" for name in "AD"]
    found = fstmetrics(
        "correlate", folder / "mqm.avg_seg_scores.tsv.gz", *outputs(folder), *people, "--ref", folder / "ref.C.de.gz",
        "--people", "ref-A,ref-D", "--metric", "bleu", "--samples", 0, "--json",
    ).summary  # fmt: skip
    quotients = {row["metric"]: row["quotient"] for row in found["separations"]}
    assert quotients["human scores"] == pytest.approx(1.61, abs=0.005)
    assert quotients["bleu"] == pytest.approx(0.846, abs=0.0005)


def test_what_does_not_fit_is_named(wmt: Path, tmp_path: Path) -> None:
    folder = wmt / "newstest2021.en-de"
    human, ref = folder / "mqm.avg_seg_scores.tsv.gz", ("--ref", folder / "ref.C.de.gz")
    refused(
        fstmetrics("correlate", human, *sorted(folder.glob("hyp.*.gz")), *ref),
        "no human scores of hyp.NVIDIA-NeMo", "Nemo", "NAME=FILE",
    )  # fmt: skip
    short = tmp_path / "ref.txt"
    short.write_text("\n".join(texts_of(folder / "ref.C.de.gz")[:1000]) + "\n")
    refused(fstmetrics("correlate", human, *outputs(folder), "--ref", short), "1000", "1002", "ref.txt")


def test_the_page_shows_what_the_command_prints(wmt: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The session on real scores in docs/correlation.md, which the other tests of documentation cannot run."""
    page = (ROOT / "docs" / "correlation.md").read_text(encoding="utf-8")
    command, _, output = (
        page.split("```text\nfstmetrics ")[1].split("```")[0].replace("\\\n", "").partition("\n")
    )
    monkeypatch.chdir(wmt / "newstest2021.en-de")
    arguments = [
        word for part in command.split() for word in (sorted(glob.glob(part)) if "*" in part else [part])
    ]
    shown = fstmetrics(*arguments)
    assert shown.status == 0, shown.err
    versions = re.compile(r"\|sacrebleu:[^|]*")
    assert versions.sub("", output) == versions.sub("", shown.out)


@pytest.mark.parametrize("name", ["sentBLEU", "chrF", "chrF2++"])
def test_correlations_of_segments_are_those_of_mt_metrics_eval(wmt: Path, name: str) -> None:
    """Google's tool on given scores: all segments of all systems in one row, those that nobody judged left out."""
    folder = wmt / "newstest2021.en-de" / "expected"
    expected = json.loads((folder / "mt-metrics-eval.json").read_text())
    tables = {}
    for key, file in (("human", "mqm"), (name, f"{name}-refA")):
        rows: dict[str, list[float]] = {}
        for line in texts_of(folder / f"{file}.seg.score.gz"):
            system, score = line.split()
            rows.setdefault(system, []).append(math.nan if score == "None" else float(score))
        tables[key] = rows
    systems = list(tables["human"])
    human, metric = ([tables[key][system] for system in systems] for key in ("human", name))
    table = ScoreTable.of(systems, {name: np.array(metric)}, np.array(human))
    found = {c.coefficient: c.value for c in correlate(table, ["segment"], intervals=Intervals(samples=0))}
    for ours, theirs in (("pearson", "pearson"), ("spearman", "spearman"), ("kendall", "kendall-b")):
        assert found[ours] == pytest.approx(expected[name][f"{theirs} by none"], abs=1e-12)


def test_sentence_scores_are_those_that_were_published_for_it(wmt: Path) -> None:
    """sacrebleu's sentence scores of one system: BLEU's item scores, with nothing asked for."""
    pytest.importorskip("sacrebleu")
    folder = wmt / "newstest2021.en-de"
    given = [line.split() for line in texts_of(folder / "expected" / "sentBLEU-refA.seg.score.gz")]
    expected = [float(score) for system, score in given if system == "UEdin"]
    found = fm.score(texts_of(folder / "hyp.UEdin.de.gz"), texts_of(folder / "ref.A.de.gz"), "bleu")
    assert found.item_scores == pytest.approx(np.array(expected), abs=1e-6)
