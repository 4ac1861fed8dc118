"""Ratings that Appraise exports: which lines and cells count, and where they may be given."""

from __future__ import annotations

import csv
import io
import json
import random
from pathlib import Path

import pytest
from command import fstmetrics, written

from fstmetrics.apps.metaeval import read_scores
from fstmetrics.support.errors import FstmetricsError

ERRORS = '[{"start_i": 0, "end_i": 5, "severity": "major"}, {"start_i": 7}]'


def rated() -> list[tuple[str, str, str, str, int, str, bool]]:
    """User, system, item, type, score, document, whole document."""
    draw, found = random.Random(2), []
    for system in ("A", "B", "C"):
        for document in ("news#1", "talk"):
            for item in range(1, 5):
                for user in draw.sample(["u1", "u2"], draw.randrange(1, 3)):
                    found.append((user, system, str(item), "TGT", draw.randrange(100), document, False))
            found.append(("u1", system, "9", "TGT", 50, document, True))
            found.append(("u1", system, "2", "BAD", 3, document, False))
    return found


def headless(quoted: bool) -> str:
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    for user, system, item, kind, score, document, whole in rated():
        more = [ERRORS, 1.5, 2.5] if quoted else []
        rows.writerow([user, system, item, kind, "eng", "deu", score, document, whole, *more])
    return out.getvalue()


def headed() -> str:
    lines = [
        "systemID,username,email,segmentID,score,durationInSeconds,itemType,documentID,isCompleteDocument"
    ]
    lines += [
        f"{system},{user},,{item},{score},3.5,{kind},{document},{whole},{ERRORS}"
        for user, system, item, kind, score, document, whole in rated()
    ]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("content", [headless(False), headless(True), headed()])
def test_means_of_people_by_document_and_item(tmp_path: Path, content: str) -> None:
    path = written(tmp_path / "ratings.csv", content)
    found = read_scores(path, standardise=False)
    said: dict[tuple[str, str], list[int]] = {}
    for _, system, item, kind, score, document, whole in rated():
        if kind == "TGT" and not whole:
            said.setdefault((system, f"{document}:{item}"), []).append(score)
    assert found.human is not None
    assert found.segments is not None
    assert {
        (system, segment): found.human[i, j]
        for i, system in enumerate(found.systems)
        for j, segment in enumerate(found.segments)
    } == {cell: sum(scores) / len(scores) for cell, scores in said.items()}
    assert found.documents == tuple(segment.rpartition(":")[0] for segment in found.segments)
    assert read_scores(path).standardised
    metric = ["system\tsegment\tm"] + [
        f"{s}\t{d}:{n}\t{ord(s) * n % 7}" for s in "ABC" for d in ("news#1", "talk") for n in range(1, 5)
    ]
    scores = written(tmp_path / "metric.tsv", "\n".join(metric) + "\n")
    outcome = fstmetrics("correlate", path, scores, "--samples", 0, "--json")
    assert len(json.loads(outcome.out)["correlations"]) > 5


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("u,A,1,TGT,eng,deu,5,d,True\n", "no rating of a segment: expected lines with TGT and False"),
        (
            "u,A,1,TGT,eng,deu,5,d,False\nu,A,1,TGT,eng,deu,five,d,False\n",
            ":2: the score 'five' is no number",
        ),
        ("u,A,1,TGT,eng,deu,5,d,False\nu,A,1\n", ":2: 3 columns, and Appraise writes 9 or more"),
    ],
)
def test_wrong_ratings_are_refused(tmp_path: Path, content: str, message: str) -> None:
    path = written(tmp_path / "ratings.csv", content)
    with pytest.raises(FstmetricsError, match=message):
        read_scores(path)


@pytest.mark.parametrize("content", [headless(False), headless(True), headed()])
def test_an_assessor_prefers_the_system_with_the_higher_score(tmp_path: Path, content: str) -> None:
    path = written(tmp_path / "ratings.csv", content)
    found = json.loads(fstmetrics("rankings", path, "--json").out)
    scores = {
        (user, document, item, system): score
        for user, system, item, kind, score, document, whole in rated()
        if kind == "TGT" and not whole
    }
    for pair in found["pairs"]:
        first, second = pair["a"], pair["b"]
        both = [
            (score, scores[(*cell, second)])
            for (*cell, system), score in scores.items()
            if system == first and (*cell, second) in scores
        ]
        assert pair["better"] == sum(one > other for one, other in both) > 0
        assert pair["worse"] == sum(one < other for one, other in both) > 0


@pytest.mark.parametrize(
    ("renamed", "lacking"),
    [
        ({"isCompleteDocument": "x"}, "1 column: isCompleteDocument"),
        ({"score": "esa_score"}, "1 column: score"),
        ({"score": "esa_score", "username": "who"}, "2 columns: username, score"),
    ],
)
def test_a_table_that_is_nearly_appraise_s_is_told_what_it_lacks(
    renamed: dict[str, str], lacking: str, tmp_path: Path
) -> None:
    content = headed().replace(f",{ERRORS}\n", "\n")
    for name, other in renamed.items():
        content = content.replace(f",{name}", f",{other}", 1)
    path = written(tmp_path / "ratings.csv", content)
    for call in (("correlate",), ("rankings",), ("compare", "--scores")):
        done = fstmetrics(*call, path)
        assert (done.status, f"; as a table of Appraise's it lacks {lacking}\n" in done.err) == (2, True)


def test_some_of_appraise_s_names_make_no_table_of_it(tmp_path: Path) -> None:
    path = written(tmp_path / "r.csv", "username,score,segmentID,A,B\nu,1,1,1,2\n")
    assert "Appraise" not in fstmetrics("correlate", path).err + fstmetrics("rankings", path).err
