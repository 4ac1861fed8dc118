"""MQM as Google distributes it: weights, scores, tables, and where they may be given."""

from __future__ import annotations

import csv
import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from command import fstmetrics, written

from fstmetrics.apps.metaeval import read_scores
from fstmetrics.apps.metaeval.ranking_files import read_rankings
from fstmetrics.io.scores.mqm_files import MqmErrors
from fstmetrics.support.errors import FstmetricsError

HEAD = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"
KINDS = [
    ("No-error", "No-error", "0"), ("Accuracy/Mistranslation", "Major", "5"), ("Style/Awkward", "minor", "1"),
    ("Fluency/Punctuation", "Minor", "0.1"), ("Fluency/Punctuation", "Major", "5"),
    ("Non-translation!", "Major", "25"), ("Style/Awkward", "Neutral", "0"), ("Source error", "Major", "5"),
]  # fmt: skip


def drawn(folder: Path, ending: str = "") -> tuple[str, dict[tuple[str, str], dict[str, list[Fraction]]]]:
    """A file, and the weights of the errors that each rater marked in each segment of each system."""
    draw, lines = random.Random(4), [HEAD + ending.replace("x", "comment")]
    weights: dict[tuple[str, str], dict[str, list[Fraction]]] = {}
    for system in ("A", "B", "C"):
        for segment in range(1, 9):
            for rater in draw.sample(["r1", "r2", "r3"], draw.randrange(1, 3)):
                for category, severity, weight in draw.choices(KINDS, k=draw.randrange(1, 4)):
                    place = f"{system}\td{segment // 5}\t{segment}\t{segment}\t{rater}"
                    lines.append(f'{place}\ta "b\tc <v>d</v>\t{category}\t{severity}{ending}')
                    own = weights.setdefault((system, str(segment)), {})
                    own.setdefault(rater, []).append(Fraction(weight))
    return written(folder / "mqm.tsv", "\n".join(lines) + "\n"), weights


@pytest.mark.parametrize("ending", ["", "\tx"])
def test_scores_are_means_of_raters_of_sums_of_weights(tmp_path: Path, ending: str) -> None:
    path, weights = drawn(tmp_path, ending)
    found = read_scores(path)
    assert found.systems == ("A", "B", "C")
    assert found.documents is not None
    assert set(found.documents) == {"d0", "d1"}
    assert found.human is not None
    assert found.segments is not None
    for i, system in enumerate(found.systems):
        for j, segment in enumerate(found.segments):
            own = [sum(each) for each in weights[system, segment].values()]
            assert found.human[i, j] == float(-sum(own) / len(own))


@pytest.mark.parametrize("form", ["csv", "jsonl", "json", "parquet", "feather"])
def test_other_tables_of_errors_say_the_same(form: str, tmp_path: Path) -> None:
    path, _ = drawn(tmp_path)
    names, *lines = (line.split("\t") for line in Path(path).read_text().splitlines())
    rows: list[dict[str, Any]] = [dict(zip(names, line, strict=True)) for line in lines]
    rows = [row | {"seg_id": int(row["seg_id"]), "target": "one, two\n"} for row in rows]
    other = tmp_path / f"mqm.{form}"

    def write(rows: list[dict[str, Any]]) -> None:
        if form == "csv":
            with other.open("w", newline="") as file:
                writer = csv.DictWriter(file, ["", *names])
                writer.writeheader()
                writer.writerows({"": place, **row} for place, row in enumerate(rows))
        elif form.startswith("json"):
            text = (
                "".join(json.dumps(row) + "\n" for row in rows)
                if form == "jsonl"
                else json.dumps(rows, indent=1)
            )
            other.write_text(text)
        else:
            pa, feather = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.feather")
            table = pa.Table.from_pylist(rows)
            if form == "feather":
                feather.write_feather(table, other, compression="uncompressed")
            else:
                pytest.importorskip("pyarrow.parquet").write_table(table, other)

    write(rows)
    for command in ("correlate", "rankings"):
        found = fstmetrics(command, other)
        assert (found.status, found.out) == (0, fstmetrics(command, path).out)
    write([*rows, rows[0] | {"severity": "Huge"}])
    found = fstmetrics("correlate", other)
    assert "the severity 'huge' has no weight" in found.err
    assert (f"row {len(rows) + 1}: " in found.err) == (form not in ("csv", "jsonl"))


@pytest.mark.parametrize(
    ("system", "rater", "lacking"),
    [("SYS", "rater", "system;"), ("system", "coder", "rater: add it, with one name")],
)
@pytest.mark.parametrize("mark", ["\t", ","])
def test_the_column_that_errors_lack_is_named(
    system: str, rater: str, lacking: str, mark: str, tmp_path: Path
) -> None:
    lines = [[system, "segment_id", rater, "category", "severity"], ["A", "1", "r", "Style", "Major"]]
    path = written(tmp_path / "mqm", "".join(mark.join(line) + "\n" for line in lines))
    assert (
        f"looks like MQM, a line an error, and has no column {lacking}" in fstmetrics("correlate", path).err
    )
    written(path, path.read_text().replace("SYS", "system").replace("coder", "rater"))
    assert fstmetrics("correlate", path).status == 0


def test_correlate_shows_tables_of_errors_and_takes_the_scores_beside_metrics(tmp_path: Path) -> None:
    path, weights = drawn(tmp_path)
    told = json.loads(fstmetrics("correlate", path, "--json").out)
    found = {each["system"]: each["score"] for each in told["systems"]}
    means = {
        system: -sum(sum(sum(each) for each in w.values()) / len(w) for (s, _), w in weights.items() if s == system) / 8
        for system in "ABC"
    }  # fmt: skip
    assert list(found) == sorted(means, key=lambda system: -means[system])
    for system, score in found.items():
        assert score == pytest.approx(float(means[system]), rel=1e-12)
    errors = MqmErrors.read(path).errors
    marked = sum(error.severity != "no-error" for error in errors)
    assert sum(each["count"] for each in told["errors"]) == marked
    rows = [*csv.DictReader(fstmetrics("correlate", path, "--csv").out.splitlines())]
    assert [row["system"] for row in rows if row["table"] == "systems"] == list(found)
    assert sum(int(row["count"]) for row in rows if row["table"] == "errors") == marked
    shown = fstmetrics("correlate", path, "--output", tmp_path / "scores.tsv").out
    assert "Non-translation!, major" in shown
    assert "minor punctuation 0.1" in shown
    metric = ["system\tsegment\tm"] + [
        f"{s}\t{n}\t{(ord(s) * 31 + n * 17) % 97}" for s in "ABC" for n in range(1, 9)
    ]
    scores = written(tmp_path / "metric.tsv", "\n".join(metric) + "\n")
    one, other = (
        json.loads(fstmetrics("correlate", human, scores, "--samples", 0, "--json").out)["correlations"]
        for human in (path, tmp_path / "scores.tsv")
    )
    assert one == other
    assert len(one) > 5


def test_rankings_are_of_raters_and_segments(tmp_path: Path) -> None:
    path, weights = drawn(tmp_path)
    found = read_rankings(path)
    for segment, rater, row in zip(found.segments, found.judges, found.ranks.tolist(), strict=True):
        for system, cost in zip(found.systems, row, strict=True):
            own = weights[system, segment].get(rater)
            assert cost == float(sum(own)) if own else cost != cost
    assert fstmetrics("rankings", path).status == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "A\td\t1\t1\tr\ts\tt\tStyle\tHuge",
            ":2: the severity 'huge' has no weight; known are major, minor",
        ),
        ("A\td\t1\t1\t\ts\tt\tStyle\tMajor", "an error without a rater"),
        ("A\td\t1\t1\tr\ts\tt\tStyle", "8 columns, but the head has 9"),
        ("A\td\t1\t1\tr\ts\tt\tStyle\tMajor\tmore", "10 columns, but the head has 9"),
        (
            "A\td\t1\t1\tr\ts\tt\tStyle\tMajor\nB\te\t1\t1\tr\ts\tt\tStyle\tMajor",
            "is in the documents d and e",
        ),
        ("", "a head, and no errors under it"),
    ],
)
def test_wrong_files_are_refused(tmp_path: Path, line: str, message: str) -> None:
    path = written(tmp_path / "mqm.tsv", f"{HEAD}\n{line}\n")
    with pytest.raises(FstmetricsError, match=message):
        read_scores(path)
    outcome = fstmetrics("correlate", path)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err


def test_options_that_have_nothing_to_do_beside_errors_alone_are_refused(tmp_path: Path) -> None:
    path, _ = drawn(tmp_path)
    outcome = fstmetrics("correlate", path, "--level", "segment")
    assert outcome.status == 2
    assert "so --level has nothing to do" in outcome.err


@pytest.mark.parametrize("command", ["correlate", "rankings"])
def test_a_file_is_read_from_standard_input_too(tmp_path: Path, command: str) -> None:
    lines = ["system\tdoc\tseg_id\trater\tcategory\tseverity"]
    lines += [
        f"{system}\td\t{n}\tr\tFluency/Grammar\t{how}"
        for n in "12"
        for system, how in (("A", "Minor"), ("B", "Major"))
    ]
    text = "\n".join(lines) + "\n"
    expected = fstmetrics(command, written(tmp_path / "m.tsv", text))
    found = fstmetrics(command, "-", stdin=text.encode())
    assert (found.status, found.out) == (0, expected.out)


def test_errors_without_a_rater_are_told_from_scores(tmp_path: Path) -> None:
    """With the column that the message asks for they are read."""
    lines = ["system\tseg_id\tcategory\tseverity", "A\t1\tStyle\tMajor", "B\t1\tNo-error\tno-error"]
    found = fstmetrics("correlate", written(tmp_path / "mqm.tsv", "\n".join(lines)))
    assert "mqm.tsv:1: looks like MQM, a line an error, and has no column rater: add it" in found.err
    rated = [f"{line}\t{'r' if number else 'rater'}" for number, line in enumerate(lines)]
    assert fstmetrics("correlate", written(tmp_path / "rated.tsv", "\n".join(rated))).status == 0
    levels = written(
        tmp_path / "levels.tsv", "system\tseg_id\tcategory\tseverity\thuman\nA\t1\t1\t2\t3\nB\t1\t2\t3\t4\n"
    )
    assert fstmetrics("correlate", levels, "--samples", 0).status == 0
