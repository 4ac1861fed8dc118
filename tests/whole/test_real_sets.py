"""Every other set of real hypotheses and lattices: they run, and give the totals recorded here.

The totals were measured with this project and hold it still; rapidfuzz gave the same edits where there is one
reference. Where other tools' numbers came with a set, test_real_data.py has them. [items, edits, reference
words] of `score`; [oracle edits, 1-best edits, reference words] of `oracle`.
"""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest
from places import CASE_FILES

import fstmetrics as fm
from fstmetrics.io import read_items
from fstmetrics.scoring.pairing import Pairs

RECORDED = json.loads((CASE_FILES / "real_sets.json").read_text())

# Name, hypotheses, sets of references.
TEXTS = [
    ("compare-mt sys1", "mt-compare-mt/ted.sys1.eng.gz", ["mt-compare-mt/ted.ref.eng.gz"]),
    ("compare-mt sys2", "mt-compare-mt/ted.sys2.eng.gz", ["mt-compare-mt/ted.ref.eng.gz"]),
    ("multeval set1, 4 references", "mt-multeval/set1.out.0.gz", [f"mt-multeval/set1.ref{i}.gz" for i in range(4)]),
    ("multeval test2010", "mt-multeval/hyps.lc.tok.en.baseline.opt0.gz",
     ["mt-multeval/refs.test2010.lc.tok.en.0.gz"]),
    ("wmt21 cs-en, 2 references", "mt-wmt/newstest2021.cs-en/hyp.Facebook-AI.en.gz",
     [f"mt-wmt/newstest2021.cs-en/ref.{r}.en.gz" for r in "AB"]),
    ("wmt21 en-de", "mt-wmt/newstest2021.en-de/hyp.Facebook-AI.de.gz", ["mt-wmt/newstest2021.en-de/ref.A.de.gz"]),
    ("wmt17 KIT", "expected-wmt17-significance/sys.KIT.4950.de.gz", ["expected-wmt17-significance/ref.de.gz"]),
    ("wmt19 paraphrase against reference", "refs-wmt19-paraphrased/wmt19-ende-arp.ref.gz",
     ["refs-wmt19-paraphrased/wmt19-ende-ar.ref.gz"]),
    ("fisher recogniser against oracle line", "asr-fisher-callhome/fisher_dev.asr.es.gz",
     ["asr-fisher-callhome/fisher_dev.oracle.es.gz"]),
    ("fstalign test1", "expected-fstalign/test1.hyp.txt", ["expected-fstalign/test1.ref.txt"]),
    ("pocketsphinx 1-best", "asr-pocketsphinx/hyp.txt", ["asr-pocketsphinx/ref.txt"]),
]  # fmt: skip


def measure_texts(shared: Path, hypotheses: str, references: list[str]) -> list[int]:
    """[items, edits, reference words]."""
    format = None if "pocketsphinx" in hypotheses else "plain"
    sides = [read_items(shared / name, format=format) for name in (hypotheses, *references)]
    pairs = list(Pairs(sides[0], sides[1:]))
    corpus = fm.score([p.hypothesis for p in pairs], [p.reference for p in pairs])
    return [len(corpus), corpus.edits, corpus.path_length]


@pytest.mark.parametrize(("name", "hypotheses", "references"), TEXTS, ids=[name for name, *_ in TEXTS])
def test_real_texts_give_the_recorded_totals(
    shared: Path, name: str, hypotheses: str, references: list[str]
) -> None:
    assert measure_texts(shared, hypotheses, references) == RECORDED[name]


def test_meeting_lattices_have_no_errors_against_their_own_best_path(shared: Path) -> None:
    """AMI lattices have no references: against their own best path an oracle has no errors, and a 4-GRR of 1."""
    for item in read_items(shared / "asr-htk-ami").items:
        best = item.value.best_path().words
        assert fm.oracle(item.value, best).edits == 0
        assert fm.oracle(item.value, best, "grr").score == 1
        assert fm.oracle(item.value, best[::2]).edits <= len(best) - len(best[::2])


def measure_synthetic(shared: Path, tmp: Path, name: str) -> list[int]:
    """[oracle edits, edits of the 1-best, reference words]."""
    with tarfile.open(shared / "synthetic-lattices" / f"{name}.tar.gz") as archive:
        archive.extractall(tmp, filter="data")
    lattice = fm.Lattice.read(next(tmp.rglob("lat.txt")), format="att", symbols=next(tmp.rglob("syms.txt")))
    reference = next(tmp.rglob("ref.txt")).read_text()
    result = fm.oracle(lattice, reference)
    assert result.one_best is not None
    return [result.edits, result.one_best.edits, result.path_length]


SYNTHETIC = ["lat-W025-A001000-00", "lat-W025-A010000-00", "lat-W025-A100000-00", "lat-W200-A001000-00"]


@pytest.mark.parametrize("name", SYNTHETIC)
def test_synthetic_lattices(shared: Path, tmp_path: Path, name: str) -> None:
    assert measure_synthetic(shared, tmp_path, name) == RECORDED[name]
