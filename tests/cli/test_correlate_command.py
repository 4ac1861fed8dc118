"""`fstmetrics correlate`: tables, records and outputs, joined; what does not fit is refused by name; pictures."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from pathlib import Path

import generated_scores
import numpy as np
import pytest
from command import EXAMPLES, Outcome, fstmetrics, written
from human_scores import refused, texts, value

from fstmetrics.apps.metaeval import pearson

SCORES = EXAMPLES / "correlate" / "scores.tsv"


def test_the_example_is_what_it_says_it_is() -> None:
    assert SCORES.read_text().splitlines() == list(generated_scores.lines())


def test_the_example() -> None:
    found = fstmetrics(
        "correlate", SCORES, "--level", "system,document,segment", "--samples", 50, "--json"
    ).summary
    assert set(found) == {"correlations", "separations", "conclusions", "settings", "remarks"}
    rows = [line.split("\t") for line in SCORES.read_text().splitlines()[1:]]
    judged = [(float(human), float(score), float(wer)) for *_, human, score, wer in rows if human]
    human, score, wer = map(np.array, zip(*judged, strict=True))
    assert value(found, "score", "segment", "pearson") == pytest.approx(pearson(score, human))
    assert value(found, "wer", "segment", "pearson") == pytest.approx(pearson(-wer, human))
    documents: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for system, _, document, said, score_, _ in rows:
        pair = (float(score_), float(said) if said else np.nan)
        documents.setdefault((system, document), []).append(pair)
    means = np.array([np.nanmean(pairs, axis=0) for pairs in documents.values()])
    assert len(means) == 48
    assert value(found, "score", "document", "pearson") == pytest.approx(pearson(means[:, 0], means[:, 1]))


def test_records_have_the_scores_of_corpora(tmp_path: Path) -> None:
    files = texts(tmp_path)
    means, scores = {}, {}
    human = [line.split("\t") for line in files["human"].read_text().splitlines()[1:]]
    for metric in ("bleu", "wer", "grr", "chrf"):
        (tmp_path / metric).mkdir()
        for name in "stuv":
            record = tmp_path / metric / f"hyp.{name}.jsonl"
            arguments = ("score", files["ref"], files[name], "--metric", metric, "--output", record, "--json")
            scores[metric, name] = fstmetrics(*arguments).summary["score"]
    for name in "stuv":
        means[name] = np.mean([float(said) for system, _, said in human if system == name])
    records = sorted(tmp_path.glob("*/*.jsonl"))
    found = fstmetrics("correlate", files["human"], *records, "--samples", 0, "--json").summary
    for metric, sign in (("bleu", 1), ("wer", -1), ("grr", 1), ("chrf", 1)):
        expected = pearson([sign * scores[metric, name] for name in "stuv"], [means[name] for name in "stuv"])
        assert value(found, metric, "system", "pearson") == pytest.approx(expected, abs=1e-12)
    direct = fstmetrics(
        "correlate", files["human"], *(files[name] for name in "stuv"), "--ref", files["ref"],
        "--metric", "bleu,wer,grr,chrf", "--samples", 0, "--json",
    ).summary  # fmt: skip
    for c in direct["correlations"]:
        same = value(found, c["metric"], c["level"], c["coefficient"])
        assert same == pytest.approx(c["value"], abs=1e-12)


def test_hyter_records(tmp_path: Path) -> None:
    """Edits and moves over the words of the closest path."""
    networks, hypotheses = EXAMPLES / "hyter" / "networks", EXAMPLES / "hyter" / "hyp.txt"
    scores, rows = {}, ["system segment human"]
    lines = hypotheses.read_text().splitlines()
    ids = [line.split()[0] for line in lines]
    for rank, name in enumerate(("one", "two", "three")):
        changed = "\n".join([lines[0], *(f"{line} {'x ' * rank}" for line in lines[1:])]) + "\n"
        hyp = written(tmp_path / f"{name}.txt", changed)
        output = tmp_path / f"{name}.jsonl"
        run = fstmetrics("hyter", networks, hyp, "--window", 3, "--output", output, "--json")
        scores[name] = run.summary["score"]
        rows += [f"{name} {id} {10 - rank * rank - i}" for i, id in enumerate(ids)]
    human = written(tmp_path / "human.txt", "\n".join(rows) + "\n")
    found = fstmetrics(
        "correlate", human, *(tmp_path / f"{n}.jsonl" for n in scores), "--samples", 0, "--json"
    ).summary
    assert value(found, "hyter", "system", "pearson") == pytest.approx(
        pearson([-score for score in scores.values()], [-(rank**2) for rank in range(3)])
    )


def test_outputs_are_scored_with_networks_windows_and_grammars(tmp_path: Path) -> None:
    """The scores of segments are those of `score` under the same options."""
    networks, lines = EXAMPLES / "hyter" / "networks", (EXAMPLES / "hyter" / "hyp.txt").read_text()
    ids = [line.split()[0] for line in lines.splitlines()]
    lines = "".join(f"{line.split(maxsplit=1)[1]} ({line.split()[0]})\n" for line in lines.splitlines())
    systems = {"one": lines, "two": lines.replace("was", "is").replace("plane", "color")}
    for name, text in systems.items():
        written(tmp_path / f"{name}.trn", text)
    rows = [f"{name} {id} {i + len(name)}" for name in systems for i, id in enumerate(ids)]
    human = written(tmp_path / "human.txt", "\n".join(["system segment human", *rows]) + "\n")
    outputs = [tmp_path / f"{name}.trn" for name in systems]
    reference = written(tmp_path / "ref.trn", lines.replace("was", "wasn't").replace("plane", "colour"))
    cases = [
        (["--networks", networks], networks, "hyter", ["--window", "3", "--reordering", "jumps"]),
        (["--ref", reference], reference, "hyter", ["--grammar", "en.spelling"]),
        (["--ref", reference], reference, "wer", ["--grammar", "en.spelling,en.contractions@0.5"]),
    ]
    for given, against, metric, options in cases:
        table = tmp_path / "table.tsv"
        arguments = ("correlate", human, *outputs, *given, "--metric", metric, *options, "--samples", 0)
        shown = fstmetrics(*arguments, "--output", table)
        assert shown.status == 0
        found = {
            tuple(line.split("\t")[:2]): line.split("\t")[-1] for line in table.read_text().splitlines()[1:]
        }
        for output in outputs:
            records = tmp_path / "records.jsonl"
            fstmetrics("score", against, output, "--metric", metric, *options, "--output", records)
            scored = [json.loads(line) for line in records.read_text().splitlines()]
            for record in scored:
                assert float(found[output.stem, record["id"]]) == pytest.approx(record["score"])
            assert scored[0]["signature"] in shown.out


def test_options_that_score_outputs_need_outputs() -> None:
    for options in (
        ["--metric", "hyter", "--window", "3"],
        ["--window", "3"],
        ["--grammar", "en"],
        ["--lowercase"],
    ):
        refused(fstmetrics("correlate", SCORES, *options), options[0], "--networks NETWORKS")
    plain = ("correlate", SCORES, SCORES, "--ref", SCORES, "--grammar", "en.spelling")
    refused(fstmetrics(*plain), "--ref and --networks are for")


def test_grammars_need_best_paths(tmp_path: Path) -> None:
    files = texts(tmp_path)
    systems = [files[name] for name in "stuv"]
    arguments = ("correlate", files["human"], *systems, "--ref", files["ref"])
    refused(
        fstmetrics(*arguments, "--metric", "bleu", "--grammar", "en"), "grammars are for best paths", "bleu"
    )


def test_scores_written_are_scores_read(tmp_path: Path) -> None:
    files, table = texts(tmp_path), tmp_path / "all.tsv"
    arguments = ("correlate", files["human"], *(files[name] for name in "stuv"), "--ref", files["ref"])
    first = fstmetrics(
        *arguments, "--metric", "ter,sentence-bleu", "--output", table, "--samples", 20, "--json"
    ).summary
    again = fstmetrics("correlate", table, "--samples", 20, "--json").summary
    for one, other in zip(first["correlations"], again["correlations"], strict=True):
        assert one["metric"] == other["metric"]
        if one["level"] == "segment":
            assert one == other


def test_direct_assessments(tmp_path: Path) -> None:
    """Systems with numbers, two human columns, segments that not every system has."""
    lines = ["SYS SID RAW.SCR Z.SCR N "]
    for rank, name in enumerate(("A-B.3", "c.d.10", "E.0")):
        lines += [f"{name} {i} {90 - rank * i} {i - rank * rank * 0.5} 1 " for i in range(1 + rank, 9)]
    human = written(tmp_path / "da.csv", "\n".join(lines) + "\n")
    rows = ["system\tsegment\tm"] + [
        f"{s}\t{i}\t{7 - j + i % 2}" for j, s in enumerate(("A-B", "c.d", "E")) for i in range(1, 10)
    ]
    metric = written(tmp_path / "metric.tsv", "\n".join(rows) + "\n")
    found = fstmetrics("correlate", human, metric, "--samples", 0, "--json").summary
    z = [[i - rank * rank * 0.5 for i in range(1 + rank, 9)] for rank in range(3)]
    m = [np.mean([7 - j + i % 2 for i in range(1, 10)]) for j in range(3)]
    assert value(found, "m", "system", "pearson") == pytest.approx(pearson(m, [np.mean(row) for row in z]))
    assert "scores of systems are means of those of 9 segments: m" in found["remarks"]
    taken = f"human scores are Z.SCR of {human}; --human RAW.SCR takes that column"
    assert taken in found["remarks"]
    raw = fstmetrics("correlate", human, metric, "--human", "RAW.SCR", "--samples", 0, "--json").summary
    assert not [remark for remark in raw["remarks"] if "human scores are" in remark]
    expected = [np.mean([90 - rank * i for i in range(1 + rank, 9)]) for rank in range(3)]
    assert value(raw, "m", "system", "pearson") == pytest.approx(pearson(m, expected))
    low = fstmetrics("correlate", human, metric, "--lower", "m", "--samples", 0, "--json").summary
    assert value(low, "m", "system", "pearson") == -value(found, "m", "system", "pearson")
    # An error rate of the project's, in any case.
    values = set()
    for name in ("wer", "WER", "mean-Ter"):
        written(metric, "\n".join([f"system\tsegment\t{name}", *rows[1:]]) + "\n")
        rate = fstmetrics("correlate", human, metric, "--samples", 0, "--json").summary
        values.add(value(rate, name, "system", "pearson"))
    assert values == {-value(found, "m", "system", "pearson")}
    written(metric, "\n".join(rows) + "\n")
    part = fstmetrics(
        "correlate", human, metric, "--documents", "1,5", "--per-size", 7, "--samples", 0, "--json"
    ).summary
    assert {c["points"] for c in part["correlations"] if c["level"] == "document"} == {21}


@pytest.mark.parametrize(
    ("head", "rows"),
    [
        ("system\thuman\tm", "A-B\t1\t7\nc.d\t2\t9\nE\t4\t8\n"),
        ("system,m,human", "A-B,7,1\nc.d,9,2\nE,8,4\n"),
        ("RAW.SCR Z.SCR N SYS N.ALL m ", "77 1 9 A-B.3 12 7\n78 2 8 c.d.10 9 9\n79 4 1 E.0 2 8\n"),
    ],
)
def test_tables_of_whole_systems(head: str, rows: str, tmp_path: Path) -> None:
    path = written(tmp_path / "sys.csv", f"{head}\n{rows}")
    found = fstmetrics("correlate", path, "--level", "system", "--samples", 0, "--json").summary
    assert value(found, "m", "system", "pearson") == pytest.approx(pearson([7, 9, 8], [1, 2, 4]))
    usual = fstmetrics("correlate", path, "--samples", 0)
    assert "means of those" not in usual.out
    assert ("--human RAW.SCR takes that column" in usual.out) == ("RAW.SCR" in head)
    assert [word in usual.out for word in ("3 systems", "spa", "not defined")] == [True, False, False]
    twice = written(tmp_path / "twice.csv", f"{head}\n{rows}{rows.splitlines()[0]}\n")
    refused(fstmetrics("correlate", twice), "twice.csv:5", "the system A-B once more")


BY_LINE = ["outputs", "records", "lines", "blocks"]


@pytest.mark.parametrize(
    ("segment", "kind", "is_said"),
    [
        *(("SID", kind, True) for kind in BY_LINE),
        *(("segment", kind, False) for kind in BY_LINE),
        ("SID", "table", False),
        ("SID", "records with ids", False),
    ],
)
def test_segments_of_direct_assessments_are_remarked_on_beside_lines(
    segment: str, kind: str, is_said: bool, tmp_path: Path
) -> None:
    system, human_name = ("SYS", "Z.SCR") if segment == "SID" else ("system", "human")
    scores = {name: [i * 3 + len(name) * (i % 3) for i in range(1, 6)] for name in ("a", "bb")}
    rows = [f"{name} {i} {score}" for name, own in scores.items() for i, score in enumerate(own, 1)]
    human = written(tmp_path / "da.csv", "\n".join([f"{system} {segment} {human_name}", *rows]))
    files: dict[str, Path | str] = {
        "table": written(tmp_path / "m.tsv", "\n".join(["system segment m", *rows]).replace(" ", "\t")),
        "blocks": written(tmp_path / "m.seg.score", "\n".join(re.sub(" .* ", "\t", row) for row in rows)),
    }
    ref, *outputs = (
        written(tmp_path / f"{name}.txt", "".join(f"the {word} sat {i}\n" for i in range(5)))
        for name, word in (("ref", "cat"), ("a", "cat"), ("bb", "dog"))
    )
    given = []
    for name, output in zip(scores, outputs, strict=True):
        records = tmp_path / f"{name}.jsonl"
        assert fstmetrics("score", ref, output, "--metric", "chrf", "--output", records).status == 0
        if kind == "records with ids":
            named = enumerate(records.read_text().splitlines(True), 1)
            written(records, "".join(line.replace("null", f'"{i}"', 1) for i, line in named))
        lines = written(tmp_path / f"{name}.scores", "".join(f"{score}\n" for score in scores[name]))
        given += [files.get(kind, f"m:{name}={lines}" if kind == "lines" else records)]
    if kind == "outputs":
        given = [*outputs, "--ref", ref, "--metric", "chrf"]
    call = "correlate", human, *dict.fromkeys(given), "--samples", 0
    outcome = fstmetrics(*call)
    assert (outcome.status, "SID need not be the line" in outcome.out) == (0, is_said)
    assert "SID need not be the line" not in fstmetrics(*call, "--level", "system").out


@pytest.mark.parametrize("assessors", ["", "j k j k"])
@pytest.mark.parametrize("suffix", ["tsv", "csv"])
@pytest.mark.parametrize(
    ("name", "sign", "lower", "turned"),
    [
        ("hter", 1, [], True),
        ("TER", 1, [], True),
        ("mqm_penalty", 1, [], True),
        ("edits", 1, ["--lower", "edits"], True),
        ("rank", 1, [], True),
        ("pe_time", 1, [], True),
        ("order", 1, ["--lower", "order"], True),
        ("order", 1, ["--lower", "human"], True),
        ("hter", -1, [], False),  # turned round by its maker
        ("adequacy", 1, [], False),
        ("order", 1, [], False),
        ("order", 1, ["--lower", "m"], True),
    ],
)
def test_error_rates_of_people_are_turned_round(
    name: str, sign: int, lower: list[str], turned: bool, suffix: str, assessors: str, tmp_path: Path
) -> None:
    by = ["rater"] if assessors else []
    rows = [["system", "segment", *by, name, "m"]]
    for j, system in enumerate("ABC"):
        for i in range(1, 5):
            own = [assessors.split()[i - 1]] if by else []
            rows.append([system, str(i), *own, str(sign * (9 - 3 * j + i % 3)), str(j + 1 + i % 2)])
    tab = "\t" if suffix == "tsv" else ","
    table = written(tmp_path / f"t.{suffix}", "".join(tab.join(row) + "\n" for row in rows))
    all_scores = tmp_path / "all.tsv"
    arguments = ("correlate", table, "--human", name, *lower, "--samples", 0, "--output", all_scores)
    out = fstmetrics(*arguments, "--json").summary
    assert (value(out, "m", "system", "pearson") > 0) == (turned or sign < 0)
    of_people = turned and lower != ["--lower", "m"]
    assert (f"human scores {name}: lower is better" in out["remarks"]) == of_people
    assert all_scores.read_text().split()[2] == (name if of_people else "human")
    as_written = name if of_people else "human"
    again = fstmetrics(
        "correlate", all_scores, "--human", as_written, "--samples", 0, "--level", "system", "--json"
    ).summary
    assert value(again, "m", "system", "pearson") == value(out, "m", "system", "pearson")
    said = any("turned round, so that higher is better" in remark for remark in out["remarks"])
    assert said == (lower[1:] in (["order"], ["human"], ["m"]))  # edits tells it by its name


@pytest.mark.parametrize("form", ["comet", "tsv", "jsonl", "json", "sys.score"])
def test_a_metric_may_be_in_a_file_of_each_system(form: str, tmp_path: Path) -> None:
    """As `comet-score` is run for each; all scores of a system may be the same."""
    rows = [
        (s, n, (n * 7 + p * 3) % 5, 7 if s == "B" else (n * 3 + p * p) % 7)
        for p, s in enumerate("ABCD")
        for n in (1, 2, 3)
    ]
    whole = "system\tsegment\thuman\tm\n" + "".join("\t".join(map(str, row)) + "\n" for row in rows)
    people = "system\tsegment\thuman\n" + "".join("\t".join(map(str, row[:3])) + "\n" for row in rows)
    human, together = written(tmp_path / "h.tsv", people), written(tmp_path / "all.tsv", whole)
    files = []
    for system in "ABCD":
        own = [(row[1], row[3]) for row in rows if row[0] == system]
        objects = [json.dumps({"system": system, "segment": n, "m": m}) for n, m in own]
        content = {
            "comet": json.dumps({f"hyp.{system}.txt": [{"mt": "x", "m": m} for _, m in own]}),
            "tsv": "system\tsegment\tm\n" + "".join(f"{system}\t{n}\t{m}\n" for n, m in own),
            "jsonl": "".join(f"{row}\n" for row in objects),
            "json": f"[{', '.join(objects)}]",
            "sys.score": f"{system}\t{sum(m for _, m in own) / 3}\n",
        }[form]
        (tmp_path / system).mkdir()
        files.append(written(tmp_path / system / f"m.{form}", content))
    levels = ("--level", "system", "--coefficients", "kendall") if form == "sys.score" else ()

    def correlations(*given: Path) -> Sequence[object]:
        return fstmetrics("correlate", *given, *levels, "--samples", 0, "--json").summary["correlations"]

    assert correlations(human, *files) == correlations(together)
    said = "both of A; give one of them, or, if each is of a system, say of which: m:SYSTEM=FILE\n"
    refused(fstmetrics("correlate", human, *files, files[0]), "scores of m in ", said)
    assert "left out, as only" in fstmetrics("correlate", human, *files[:3], *levels, "--samples", 0).out


def test_sentences_about_systems_are_no_tables(tmp_path: Path) -> None:
    files = texts(tmp_path)
    for name in "stuv":
        lines = files[name].read_text().splitlines()
        written(files[name], "\n".join(["each system and segment", *lines[1:]]) + "\n")
    arguments = (
        "correlate",
        files["human"],
        *(files[n] for n in "stuv"),
        "--ref",
        files["ref"],
        "--samples",
        0,
    )
    assert fstmetrics(*arguments).status == 0
    refused(
        fstmetrics("correlate", files["human"], "-", "--ref", files["ref"], stdin=b"a b\n"), "standard input"
    )


def test_people_among_systems(tmp_path: Path) -> None:
    files = texts(tmp_path)
    arguments = (
        "correlate",
        files["human"],
        *(files[n] for n in "stuv"),
        "--ref",
        files["ref"],
        "--samples",
        0,
    )
    found = fstmetrics(*arguments, "--metric", "wer,bleu,grr", "--people", "s", "--json").summary
    scores = {
        (metric, name): fstmetrics("score", files["ref"], files[name], "--metric", metric, "--json").summary[
            "score"
        ]
        for metric in ("wer", "bleu", "grr")
        for name in "stuv"
    }
    for metric, perfect in (("wer", 0), ("bleu", 100), ("grr", 1)):
        losses = [abs(perfect - scores[metric, name]) for name in "stuv"]
        (row,) = [row for row in found["separations"] if row["metric"] == metric]
        assert row["quotient"] == pytest.approx(np.mean(losses[1:]) / losses[0])
    assert {c["points"] for c in found["correlations"] if c["level"] == "system"} == {3}
    refused(fstmetrics(*arguments, "--people", "who"), "'who'", "s, t, u, v")


def test_conclusions(tmp_path: Path) -> None:
    files, grid = texts(tmp_path), tmp_path / "grid.png"
    arguments = (
        "correlate",
        files["human"],
        *(files[n] for n in "stuv"),
        "--ref",
        files["ref"],
        "--metric",
        "wer",
    )
    found = fstmetrics(*arguments, "--test", "randomization", "--samples", 200, "--json").summary
    (row,) = found["conclusions"]
    assert (row["metric"], row["total"]) == ("wer", 6)
    assert 0 <= row["low"] < row["count"] / 6 <= row["high"] <= 1
    refused(fstmetrics(*arguments, "--grid", grid), "--grid", "--test")
    assert not grid.exists()


def test_fluency_decides_where_adequacy_does_not(tmp_path: Path) -> None:
    """[G14 §4]: a is better than b by adequacy; c and d are equal in it, and c is better by fluency."""
    rows = ["system\tsegment\tadequacy\tfluency\tright\twrong"]
    for i in range(1, 31):
        for name, adequacy, fluency in (("a", 9, 1), ("b", 5, 5), ("c", 2, 8), ("d", 2, 4)):
            right = adequacy + fluency / 100 + (i % 3) / 1000
            rows.append(f"{name}\t{i}\t{adequacy + i % 3}\t{fluency + i % 2}\t{right}\t{-right}")
    table = written(tmp_path / "t.tsv", "\n".join(rows) + "\n")
    arguments = ("correlate", table, "--human", "adequacy", "--test", "randomization", "--samples", 99)
    without = fstmetrics(*arguments, "--lower", "fluency", "--json").summary["conclusions"]
    found = fstmetrics(*arguments, "--fluency", "fluency", "--json").summary
    shares = {row["metric"]: (row["count"], row["total"]) for row in found["conclusions"]}
    assert shares == {"right": (6, 6), "wrong": (0, 6)}
    assert {row["metric"]: row["count"] for row in without}["right"] == 5  # c and d
    assert {c["metric"] for c in found["correlations"]} == {"right", "wrong"}
    (compared,) = found["chi_squares"]
    scipy = pytest.importorskip("scipy.stats", reason="scipy is not installed")
    expected = scipy.chi2_contingency([[6, 0], [0, 6]])
    assert compared["metrics"] == ["right", "wrong"]
    assert (compared["statistic"], compared["p"]) == pytest.approx((expected.statistic, expected.pvalue))
    text = fstmetrics(*arguments, "--fluency", "fluency").out
    assert "right, wrong" in text
    refused(fstmetrics(*arguments, "--fluency", "none"), "'none'", "known are", "fluency")
    refused(fstmetrics("correlate", table, "--human", "adequacy", "--fluency", "fluency"), "--test")


def test_what_does_not_fit_is_refused_by_name(tmp_path: Path) -> None:
    files = texts(tmp_path)
    human = files["human"]
    short = written(tmp_path / "short.txt", "".join(files["v"].read_text().splitlines(keepends=True)[:-1]))
    named = [files[name] for name in "stu"]
    ref = ("--ref", files["ref"])
    refused(fstmetrics("correlate", human, *named, f"v={short}", *ref), "59", "60", "short.txt")
    refused(fstmetrics("correlate", human, *named, files["v"]), "--ref", "s.txt")
    refused(
        fstmetrics("correlate", human, *named, f"who={files['v']}", *ref),
        "no human scores of who",
        "human.tsv",
        ": v",
        "--rename OLD=NEW",
    )
    named_as_column = fstmetrics("correlate", SCORES, "--human", human)
    refused(named_as_column, f"--human names a column, and {human} is a file", f"correlate {human} {SCORES}`")
    refused(fstmetrics("correlate", *named, *ref), "no human scores")
    refused(fstmetrics("correlate", human), "no metric")
    refused(fstmetrics("correlate", human, human, *named, *ref), "human scores in")
    refused(fstmetrics("correlate", human, SCORES), "human scores in", "scores.tsv")
    refused(fstmetrics("correlate", SCORES, *ref), "--ref and --networks are for")
    refused(fstmetrics("correlate", SCORES, "--lower", "x"), "'x'", "score, wer")
    refused(fstmetrics("correlate", SCORES, "--level", "word"), "'word'", "system, document, segment")
    refused(fstmetrics("correlate", SCORES, "--documents", "1,x"), "1,x")
    refused(
        fstmetrics("correlate", human, *named, files["v"], *ref, "--level", "document"),
        "a column document",
        "--documents 1,2,4,8 draws",
    )
    refused(fstmetrics("correlate", SCORES, "--documents", "64"), "64 segments cannot be drawn from")
    nist = "--metric", "nist", "--samples", 0
    assert fstmetrics("correlate", human, *named, files["v"], *ref, *nist).status == 0
    refused(fstmetrics("correlate", tmp_path / "none"), "none", "cannot be read")
    cut = written(tmp_path / "cut.tsv", "".join(human.read_text().splitlines(keepends=True)[:-1]))
    shown = fstmetrics("correlate", cut, *named, files["v"], *ref, "--samples", 0)
    assert shown.status == 0  # people need not have judged everything
    everything = [line for line in human.read_text().splitlines(keepends=True) if "\t60\t" not in line]
    fewer = written(tmp_path / "fewer.tsv", "".join(everything))
    refused(fstmetrics("correlate", fewer, *named, files["v"], *ref), "fewer.tsv", "59 segments", "60")
    more = written(tmp_path / "more.tsv", human.read_text() + "s\t61\t3\n")
    refused(fstmetrics("correlate", more, *named, files["v"], *ref), "more.tsv", "61")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("system\tsegment\thuman\nA\t1\n", (":2", "2 columns", "3")),
        ("system\tsegment\thuman\nA\t1\tgood\n", (":2", "human is 'good'")),
        ("system\tsegment\thuman\nA\t1\tinf\n", (":2", "'inf'")),
        ("system\tsegment\thuman\nA\t1\t1\nA\t1\t2\n", (":3", "after line 2")),
        ("system\tsegment\thuman\nA\t\t1\n", (":2", "without a system or a segment")),
        ("system\tsegment\thuman\n", ("no scores under it",)),
        ("system\tsegment\thuman\thuman\n", (":1", "same name")),
        ("system\tsegment\tassessor\thuman\nA\t1\tj\t1\nA\t1\tj\t2\n", (":3", "of A by j", "after line 2")),
        (
            "system\tsegment\trater\thuman\tm\nA\t1\tj\t1\t5\nA\t1\tk\t2\t6\n",
            (":3", "m of segment 1 of A is 6 here"),
        ),
        ("system\tsegment\tdocument\thuman\nA\t1\td\t1\nB\t1\te\t1\n", (":3", "two documents, d and e")),
    ],
)
def test_damaged_tables(tmp_path: Path, text: str, parts: tuple[str, ...]) -> None:
    refused(fstmetrics("correlate", written(tmp_path / "t.tsv", text)), "t.tsv", *parts)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('{"id": null, "metric": "wer"}\n', (":1", "not a record")),
        (
            '{"id": null, "metric": "m", "score": 1}\n{"id": null, "metric": "n", "score": 1}\n',
            (":2", "n after those of m"),
        ),
        ('{"id": null, "metric": "m", "score": 1}\n{"id": "b", "metric": "m", "score": 1}\n', ("ids",)),
        ('{"metric"]\n', (":1", "no record: not JSON")),
        ('{"id": null, "metric": "m", "score": NaN}\n', (":1", "NaN is not a JSON number")),
        ('{"id": null, "metric": "bleu", "score": 1, "statistics": {"a": 1}}\n', (":1", "not those of bleu")),
        ('{"id": null, "metric": "wer", "score": 1, "edits": 1}\n', (":1", "no field 'matches'")),
    ],
)
def test_damaged_records(tmp_path: Path, text: str, parts: tuple[str, ...]) -> None:
    files = texts(tmp_path)
    refused(fstmetrics("correlate", files["human"], written(tmp_path / "s.jsonl", text)), "s.jsonl", *parts)


def test_records_of_other_metrics_have_means(tmp_path: Path) -> None:
    """A record of which only the score is known."""
    rows = ["system\tsegment\thuman"]
    for rank, name in enumerate("ab"):
        rows += [f"{name}\t{i}\t{rank + i}" for i in (1, 2)]
        lines = [{"id": None, "metric": "wer", "score": s} for s in (0.5 - rank / 10, None)]
        written(tmp_path / f"{name}.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    human = written(tmp_path / "h.tsv", "\n".join(rows) + "\n")
    shown = fstmetrics("correlate", human, tmp_path / "a.jsonl", tmp_path / "b.jsonl", "--samples", 0)
    assert "means of those of 1 segment: wer" in shown.out
    found = fstmetrics(
        "correlate", human, tmp_path / "a.jsonl", tmp_path / "b.jsonl", "--samples", 0, "--json"
    ).summary
    assert value(found, "wer", "segment", "pearson") == 1.0  # the infinite ones are left out
    assert {c["points"] for c in found["correlations"]} == {2}


def test_scores_are_standardised_by_assessor(tmp_path: Path) -> None:
    """[G14 §4]: two assessors who agree on everything, but use the scale differently and see different systems most."""
    random = np.random.default_rng(5)
    quality = {(s, i): rank + random.normal() for rank, s in enumerate("abc") for i in range(1, 41)}
    severe = {(s, i): bool(random.random() < (0.9 if s == "c" else 0.2)) for s, i in quality}
    rows = ["system\tsegment\tassessor\thuman\tm"]
    for (s, i), q in quality.items():
        name, said = ("severe", 20 + 5 * q) if severe[s, i] else ("kind", 80 + 10 * q)
        rows.append(f"{s}\t{i}\t{name}\t{said}\t{q}")
    table = written(tmp_path / "t.tsv", "\n".join(rows) + "\n")
    found = fstmetrics("correlate", table, "--samples", 0, "--json").summary
    raw = fstmetrics("correlate", table, "--raw", "--samples", 0, "--json").summary
    z = {}
    for who in (True, False):
        own = {cell: q for cell, q in quality.items() if severe[cell] == who}
        mean, spread = np.mean(list(own.values())), np.std(list(own.values()), ddof=1)
        z |= {cell: (q - mean) / spread for cell, q in own.items()}
    expected = pearson([z[cell] for cell in quality], list(quality.values()))
    assert value(found, "m", "segment", "pearson") == pytest.approx(expected)
    as_given = [20 + 5 * q if severe[cell] else 80 + 10 * q for cell, q in quality.items()]
    assert value(raw, "m", "segment", "pearson") == pytest.approx(pearson(as_given, list(quality.values())))
    assert value(found, "m", "segment", "pearson") > value(raw, "m", "segment", "pearson") + 0.5
    assert (
        "human scores of 2 assessors, standardised by assessor"
        in fstmetrics("correlate", table, "--samples", 0).out
    )
    assert "2 assessors, averaged as they are" in fstmetrics("correlate", table, "--raw", "--samples", 0).out


def test_several_assessors_of_one_translation_are_averaged(tmp_path: Path) -> None:
    rows = [
        "system segment rater human m",
        "s 1 j 1 7",
        "s 1 k 30 7",
        "s 2 j 3 9",
        "t 1 k 10 1",
        "t 1 l 50 1",
        "t 2 j None 2",
    ]
    table = written(tmp_path / "t.txt", "\n".join(rows) + "\n")
    half = 0.5**0.5  # of two scores, one lies so many deviations above their mean
    fstmetrics("correlate", table, "--samples", 0, "--output", tmp_path / "all.tsv")
    lines = [line.split("\t") for line in (tmp_path / "all.tsv").read_text().splitlines()]
    human = {(cells[0], cells[1]): cells[lines[0].index("human")] for cells in lines[1:]}
    assert float(human["s", "1"]) == pytest.approx(0)  # j's lower, k's higher
    assert float(human["s", "2"]) == pytest.approx(half)
    assert float(human["t", "1"]) == pytest.approx(-half / 2)  # k's lower; l gave one score, which is 0
    assert human["t", "2"] == ""


@pytest.mark.parametrize("test", ["bootstrap", "perm-both", "perm-inputs", "perm-systems"])
def test_too_few_samples_for_any_significance(test: str) -> None:
    level = ("--level", "system") if test == "perm-systems" else ()
    arguments = ("correlate", EXAMPLES / "correlate" / "scores.tsv", "--test", test, *level, "--samples")
    for samples, least in ((0, "1"), (1, "0.5"), (10, "0.091"), (19, "0.05")):
        refused(fstmetrics(*arguments, samples), f"no p of --test {test}", f"below {least},", "at 0.05")
    assert fstmetrics(*arguments, 20).status == 0
    assert fstmetrics(*arguments, 10, "--p-level", 0.1).status == 0


def test_tests_that_draw_nothing_need_no_samples() -> None:
    arguments = ("correlate", EXAMPLES / "correlate" / "scores.tsv", "--samples", 0, "--level", "system")
    assert fstmetrics(*arguments, "--test", "williams", "--coefficients", "pearson").status == 0


def test_an_undefined_coefficient_is_null() -> None:
    """People's means of the two systems are the same."""
    text = b"system segment human m\na 1 3 1\na 2 2 1\nb 1 2 2\nb 2 3 5\n"
    found = fstmetrics("correlate", "-", "--json", "--samples", 5, stdin=text).summary
    (value,) = (
        c["value"] for c in found["correlations"] if (c["level"], c["coefficient"]) == ("system", "pearson")
    )
    assert value is None
    shown = fstmetrics("correlate", "-", "--samples", 5, stdin=text).out.splitlines()
    assert shown[1].split()[:2] == ["m", "-"]


def hyter_files(folder: Path) -> list[object]:
    """Three systems of the example's networks, and people's scores of them."""
    lines = (EXAMPLES / "hyter" / "hyp.txt").read_text().splitlines()
    rows = ["system segment human"]
    for rank, name in enumerate(("one", "two", "three")):
        written(folder / name, "\n".join(f"{line} {'x ' * rank}" for line in lines) + "\n")
        rows += [f"{name} {line.split()[0]} {10 - rank * rank - i}" for i, line in enumerate(lines)]
    return [
        written(folder / "human.txt", "\n".join(rows) + "\n"),
        *(folder / n for n in ("one", "two", "three")),
    ]


def test_hyter_of_outputs_is_of_networks(tmp_path: Path) -> None:
    """With networks and a window, as `compare` has it; without, it would be nothing but the WER, and is refused."""
    files, networks = hyter_files(tmp_path), EXAMPLES / "hyter" / "networks"
    found = fstmetrics(
        "correlate", *files, "--networks", networks, "--metric", "hyter,mean-hyter", "--window", 3, "--samples", 0,
        "--output", tmp_path / "table", "--json",
    ).summary  # fmt: skip
    compared = fstmetrics(
        "compare",
        *files[1:],
        "--networks",
        networks,
        "--metric",
        "hyter",
        "--window",
        3,
        "--samples",
        9,
        "--json",
    ).summary
    scores = [compared["systems"][name]["hyter"]["score"] for name in ("one", "two", "three")]
    expected = pearson([-score for score in scores], [-(rank**2) for rank in range(3)])
    assert value(found, "hyter", "system", "pearson") == pytest.approx(expected)
    assert "|window:3|" in found["settings"]["signatures"][0]
    assert "|refs:network|" in found["settings"]["signatures"][0]


@pytest.mark.parametrize("metric", ["hyter", "mean-hyter", "wer,hyter"])
def test_a_hyter_that_is_the_word_error_rate_is_refused(metric: str, tmp_path: Path) -> None:
    files = texts(tmp_path)
    systems = [files[name] for name in "stuv"]
    commands: list[tuple[object, ...]] = [("correlate", files["human"], *systems), ("compare", *systems)]
    for command in commands:
        arguments = (*command, "--ref", files["ref"], "--metric", metric)
        refused(fstmetrics(*arguments), "word error rate", "--networks", "--window")
        assert fstmetrics(*arguments, "--window", 2, "--samples", 20).status == 0
    refused(
        fstmetrics(*commands[0], "--networks", EXAMPLES / "hyter" / "networks"), "--networks is for", "hyter"
    )
    plain = fstmetrics("hyter", files["ref"], files["s"]).out
    assert "this HyTER is the word error rate" in plain
    assert "word error rate" not in fstmetrics("hyter", files["ref"], files["s"], "--window", 2).out


def test_without_people_s_scores_of_segments_there_is_no_table_of_them(tmp_path: Path) -> None:
    files = texts(tmp_path)
    rows = "".join(f"{name}\t{score}\n" for score, name in enumerate("stuv"))
    human = written(tmp_path / "sys.tsv", f"system\thuman\n{rows}")
    command = ("correlate", human, *(files[n] for n in "stuv"), "--ref", files["ref"], "--samples", 0)
    said = fstmetrics(*command).out
    assert [word in said for word in ("4 systems", "segments", "spa", "not defined")] == [True] + 3 * [False]
    assert "0 segments" in fstmetrics(*command, "--level", "segment").out


def test_a_pattern_in_quotes_is_the_files_that_fit_it(tmp_path: Path) -> None:
    files = texts(tmp_path)
    for name in "stuv":
        (tmp_path / f"out.{name}.txt").write_bytes(files[name].read_bytes())
    outputs = sorted(tmp_path.glob("out.*.txt"))
    rest = ("--ref", files["ref"], "--metric", "wer", "--samples", 0)
    found = fstmetrics("correlate", files["human"], f"{tmp_path}/out.*.txt", *rest)
    assert found == fstmetrics("correlate", files["human"], *outputs, *rest)
    assert (found.status, "4 systems" in found.out) == (0, True)
    refused(fstmetrics("correlate", files["human"], f"{tmp_path}/none.*", *rest), "no file fits this pattern")
    named = [f"s[{n}]={path}" for n, path in enumerate(outputs)]
    refused(fstmetrics("correlate", files["human"], *named, *rest), "no human scores of s[0]")


@pytest.mark.parametrize(("systems", "is_remarked"), [("AB", True), ("ABC", False)])
def test_a_correlation_of_two_systems_is_remarked_on(systems: str, is_remarked: bool, tmp_path: Path) -> None:
    rows = [
        f"{name}\t{i}\t{i + len(systems) - k}\t{k * i % 3}"
        for k, name in enumerate(systems)
        for i in range(3)
    ]
    file = tmp_path / "scores.tsv"
    file.write_text("\n".join(["system\tsegment\thuman\tm", *rows, ""]))
    assert ("of two systems" in fstmetrics("correlate", file, "--samples", 0).out) == is_remarked


def test_a_part_of_which_people_s_scores_are_all_the_same_says_why_it_has_no_coefficient(
    tmp_path: Path,
) -> None:
    rows = [
        f"{system}\t{i}\t{part}\t{3 if part == 'chat' else human}\t{human + i % 2}"
        for i, part in enumerate(["chat", "chat", "news", "news", "news"])
        for system, human in [("A", 5 - i % 2), ("B", 3), ("C", 1 + i)]
    ]
    path = written(
        tmp_path / "scores.tsv", "\n".join(["system\tsegment\tdomain\thuman\tmetric", *rows]) + "\n"
    )
    command = ["correlate", path, "--coefficients", "pearson,acc-eq", "--samples", "0"]
    reason = "-: not defined, as people's or the metric's scores there are all the same, or too few"
    assert reason in fstmetrics(*command, "--by", "domain").out.splitlines()
    assert reason not in fstmetrics(*command).out.splitlines()


@pytest.mark.parametrize(
    "test", [[], *(["--test", name] for name in ("williams", "perm-both", "perm-systems", "sign"))]
)
@pytest.mark.parametrize("people", ["A", "A,B"])
def test_one_machine_or_none_is_refused(test: list[str], people: str, tmp_path: Path) -> None:
    rows = [f"{system}\t{n}\t{n}\t{n + 1}\t{9 - n}\n" for system in "AB" for n in range(3)]
    path = tmp_path / "x.tsv"
    path.write_text("system\tsegment\thuman\tcomet\tbleu\n" + "".join(rows))
    found = fstmetrics("correlate", path, "--people", people, "--samples", 20, *test)
    left = "B" if people == "A" else "none"
    assert found.status == 2
    assert found.err == f"fstmetrics: correlation needs two systems or more; found {left}\n"


def numbered_tables(tmp_path: Path) -> list[Path]:
    """References, three outputs, and people's scores of their segments: by place, and numbered from 0 and from 1."""
    draw = np.random.default_rng(5)
    references = [" ".join(draw.choice(list("abcdef"), 6)) for _ in range(12)]
    outputs = {
        name: [
            " ".join(word if draw.random() > noise else "x" for word in text.split()) for text in references
        ]
        for name, noise in (("A", 0.1), ("B", 0.4), ("C", 0.7))
    }
    said = {name: [100 - 9.5 * text.count("x") for text in rows] for name, rows in outputs.items()}
    written(tmp_path / "ref.txt", "".join(f"{text}\n" for text in references))
    for name, own in outputs.items():
        written(tmp_path / f"{name}.txt", "".join(f"{text}\n" for text in own))
    for name, rows in {
        "from0.tsv": range(12), "from1.tsv": range(1, 13), "last.tsv": range(1, 12), "some.tsv": range(3, 8)
    }.items():  # fmt: skip
        lines = [
            f"{s}\t{row}\t{value}"
            for s, values in said.items()
            for row, value in zip(rows, values, strict=False)
        ]
        written(tmp_path / name, "\n".join(["system\tsegment\thuman", *lines, ""]))
    rows_of_all = [f"{s}\t{value}\n" for s, values in said.items() for value in values]
    written(tmp_path / "da.seg.score", "".join(rows_of_all))
    return [tmp_path / f"{name}.txt" for name in outputs]


@pytest.mark.parametrize("human", ["from0.tsv", "from1.tsv", "da.seg.score"])
def test_networks_that_are_numbered_from_0_are_judged_by_either_numbering(human: str, tmp_path: Path) -> None:
    outputs = numbered_tables(tmp_path)
    assert fstmetrics("network", "build", tmp_path / "ref.txt", "-o", tmp_path / "nets").status == 0
    assert (tmp_path / "nets" / "11.json").is_file()
    own = ("--human", "da") if human == "da.seg.score" else ()
    common = (
        "correlate",
        tmp_path / human,
        *own,
        *outputs,
        "--metric",
        "wer",
        "--level",
        "segment",
        "--samples",
        0,
    )
    found = [
        fstmetrics(*common, *against, "--json").summary
        for against in (("--networks", tmp_path / "nets"), ("--ref", tmp_path / "ref.txt"))
    ]
    assert value(found[0], "wer", "segment", "pearson") == value(found[1], "wer", "segment", "pearson")
    assert value(found[0], "wer", "segment", "pearson") == pytest.approx(1)


@pytest.mark.parametrize("human", ["some.tsv", "last.tsv"])
def test_a_numbering_that_is_not_clear_is_refused(human: str, tmp_path: Path) -> None:
    outputs = numbered_tables(tmp_path)
    fstmetrics("network", "build", tmp_path / "ref.txt", "-o", tmp_path / "nets")
    common = ("correlate", tmp_path / human, *outputs, "--metric", "wer", "--samples", 0)
    refused(
        fstmetrics(*common, "--networks", tmp_path / "nets"), "from 0 or from 1", human, "outputs with ids"
    )


def test_the_advice_on_numberings_leads_to_the_right_segments(tmp_path: Path) -> None:
    """References and outputs with ids from 1, of which people have judged all but the last."""
    outputs = numbered_tables(tmp_path)
    for path in (tmp_path / "ref.txt", *outputs):
        lines = path.read_text().splitlines()
        written(path, "".join(f"{number} {line}\n" for number, line in enumerate(lines, 1)))
    kaldi = ("--format", "kaldi-text")
    built = fstmetrics("network", "build", tmp_path / "ref.txt", *kaldi, "-o", tmp_path / "nets")
    assert built.status == 0
    assert (tmp_path / "nets" / "12.json").is_file()
    common = ("correlate", tmp_path / "from1.tsv", *outputs, "--networks", tmp_path / "nets", *kaldi)
    found = fstmetrics(*common, "--metric", "wer", "--level", "segment", "--samples", 0, "--json").summary
    assert value(found, "wer", "segment", "pearson") == pytest.approx(1)


@pytest.mark.parametrize("as_records", [True, False])
@pytest.mark.parametrize("kind", ["ids", "numbers", "empty scores"])
def test_people_may_judge_a_sample_of_segments_with_ids(kind: str, as_records: bool, tmp_path: Path) -> None:
    """All but the first three of each system; where lines have numbers only, rows of these say how they count."""
    outputs = numbered_tables(tmp_path)
    head, *rows = (tmp_path / "from1.tsv").read_text().splitlines()
    name = "s{:02d}".format if kind == "ids" else str
    lines = [head]
    for system, segment, score in (row.split("\t") for row in rows):
        is_judged = int(segment) > 3
        if is_judged or kind == "empty scores":
            lines.append(f"{system}\t{name(int(segment))}\t{score if is_judged else ''}")
    human = written(tmp_path / "human.tsv", "\n".join([*lines, ""]))
    for path in (tmp_path / "ref.txt", *outputs) if kind == "ids" else ():
        named = enumerate(path.read_text().splitlines(), 1)
        written(path, "".join(f"{name(number)} {line}\n" for number, line in named))
    against: tuple[object, ...] = (*outputs, "--ref", tmp_path / "ref.txt", "--metric", "wer")
    if as_records:
        against = tuple(path.with_suffix(".jsonl") for path in outputs)
        for path, records in zip(outputs, against, strict=True):
            assert fstmetrics("score", tmp_path / "ref.txt", path, "-o", records).status == 0
    outcome = fstmetrics("correlate", human, *against, "--samples", 0, "--json")
    if kind == "numbers":
        refused(
            outcome, "human.tsv: 9 segments of A, but 12 in", "a row with an empty score for each segment"
        )
    else:
        assert value(outcome.summary, "wer", "segment", "pearson") == pytest.approx(1)
        assert "human scores of 9 of 12 segments" in outcome.summary["remarks"]


def test_records_that_are_numbered_from_0_are_told(tmp_path: Path) -> None:
    outputs = numbered_tables(tmp_path)
    fstmetrics("network", "build", tmp_path / "ref.txt", "-o", tmp_path / "nets")
    records = []
    for path in outputs:
        records.append(path.with_suffix(".jsonl"))
        run = fstmetrics("hyter", tmp_path / "nets", path, "--window", 2, "--output", records[-1])
        assert run.status == 0
    arguments = ("correlate", tmp_path / "from1.tsv", *records, "--samples", 0)
    refused(
        fstmetrics(*arguments),
        "counts its 12 items from 0 and",
        "from1.tsv from 1, so that equal ids are different",
    )
    last = fstmetrics("correlate", tmp_path / "last.tsv", *records, "--samples", 0)
    refused(last, "11 segments of A, but 12 in", "numbers them from 0")
    found = fstmetrics(
        "correlate", tmp_path / "from0.tsv", *records, "--level", "segment", "--samples", 0, "--json"
    )
    assert value(found.summary, "hyter", "segment", "pearson") > 0.9


@pytest.mark.parametrize("metric", ["wer", "chrf", "bleu"])
def test_records_of_other_references_or_rules_are_no_one_metric(metric: str, tmp_path: Path) -> None:
    draw = random.Random(5)
    reference = [" ".join(draw.choices(["Ab", "c", "de", "fgh"], k=draw.randint(3, 9))) for _ in range(12)]
    sides = {"ref": reference, "rev": reference[::-1]}
    for number, name in enumerate("abc"):
        sides[name] = [" ".join(w for w in text.split() if draw.random() > number / 5) for text in reference]
    human = [f"{name}\t{n}\t{draw.randint(0, 100)}" for name in "abc" for n in range(1, 13)]
    table = written(tmp_path / "human.tsv", "\n".join(["system\tsegment\thuman", *human, ""]))
    for name, lines in sides.items():
        written(tmp_path / f"{name}.txt", "".join(f"{text}\n" for text in lines))

    def records(name: str, ref: str = "ref", *options: str) -> str:
        path = f"{tmp_path}/{name}-{ref}{''.join(options)}.jsonl"
        sides = (
            f"{tmp_path}/{ref}.txt",
            f"{tmp_path}/{name}.txt",
            "--ref-format",
            "plain",
            "--format",
            "plain",
        )
        assert fstmetrics("score", *sides, "--metric", metric, "--output", path, *options).status == 0
        return f"{name}={path}"

    a, b, c = map(records, "abc")
    text = ("--ref", f"{tmp_path}/ref.txt", "--metric", metric, "--ref-format", "plain", "--format", "plain")
    assert fstmetrics("correlate", table, a, b, c).status == 0
    assert fstmetrics("correlate", table, a, b, f"c={tmp_path}/c.txt", *text).status == 0
    other = fstmetrics("correlate", table, a, records("b", "rev"), c).err
    item = 2 if metric == "bleu" else 1  # whose lengths differ
    assert f"the reference of segment {item} is not the same in " in other
    for given in (
        (a, b, records("c", "ref", "--lowercase")),
        (a, b, f"c={tmp_path}/c.txt", *text, "--lowercase"),
    ):
        assert " were scored by other rules: " in fstmetrics("correlate", table, *given).err
    mixed = written(tmp_path / "mixed.jsonl", "".join(Path(each.partition("=")[2]).read_text() for each in
                    (records("c"), records("c", "ref", "--lowercase"))))  # fmt: skip
    assert (
        "records that were scored by different rules"
        in fstmetrics("correlate", table, a, b, f"c={mixed}").err
    )


def test_segments_that_a_metric_lacks_of_some_systems_are_counted(tmp_path: Path) -> None:
    rows = [f"{system},{segment},{n},{n / 10}" for segment in (1, 2) for n, system in enumerate("abc", 1)]
    whole = "\n".join(["system,segment,human,m", *rows, ""])
    assert (
        "unlike segments"
        not in fstmetrics("correlate", written(tmp_path / "c.csv", whole), "--samples", "0").out
    )
    lacking = whole.replace("a,1,1,0.1", "a,1,1,").replace("c,2,3,0.3", "c,2,3,NA")
    out = fstmetrics("correlate", written(tmp_path / "d.csv", lacking), "--samples", "0").out
    assert "\nm: systems have scores of unlike segments; a lacks 1, c lacks 1\n" in f"{out}\n"
    # Segments of which no system has a score are alike.
    rows[3:] = [f"{row.rsplit(',', 1)[0]}," for row in rows[3:]]
    none = "\n".join(["system,segment,human,m", *rows, ""])
    assert (
        "unlike segments"
        not in fstmetrics("correlate", written(tmp_path / "e.csv", none), "--samples", "0").out
    )


def tables(
    folder: Path, human: Sequence[str], metric: Sequence[str], *left_out: tuple[str, int]
) -> list[Path]:
    """People's scores and a metric's of the same segments, which the files call by these ids."""
    draw = random.Random(3)
    rows = [(system, i, draw.random()) for system in "abc" for i in range(max(len(human), len(metric)))]
    files = []
    for column, ids in (("human", human), ("m", metric)):
        lines = [
            f"{system}\t{ids[i]}\t{score + (i % 3) * (column == 'm') / 4}\n"
            for system, i, score in rows
            if i < len(ids) and ids[i] and (column == "m" or (system, i) not in left_out)
        ]
        files.append(written(folder / f"{column}.tsv", f"system\tsegment\t{column}\n" + "".join(lines)))
    return files


FROM_0, FROM_1 = ([str(n) for n in range(first, first + 12)] for first in (0, 1))


@pytest.mark.parametrize(
    ("human", "metric", "example"),
    [
        (FROM_1, FROM_1, ""),
        ([f"{n:03}" for n in range(1, 13)], FROM_1, "1, 001"),
        (FROM_1, [f"{n}.0" for n in range(1, 13)], "1.0, 1"),
        ([f"u-{n}" for n in FROM_1], [f"U-{n}" for n in FROM_1], "U-1, u-1"),
        ([f"{n:03}" for n in range(12)], FROM_0, "0, 000"),
    ],
)
def test_segments_pair_however_their_numbers_are_written(
    human: Sequence[str], metric: Sequence[str], example: str, tmp_path: Path
) -> None:
    options = ("--samples", 0, "--json")
    found = fstmetrics("correlate", *tables(tmp_path, human, metric), *options).summary
    alike = fstmetrics("correlate", *tables(tmp_path, FROM_1, FROM_1), *options).summary
    assert found["correlations"] == alike["correlations"]
    said = [remark for remark in found["remarks"] if "written otherwise" in remark]
    assert [f"({example}): paired all the same" in remark for remark in said] == [True] * bool(example)


@pytest.mark.parametrize("form", ["{}", "{:03}", "{}.0"])
@pytest.mark.parametrize("kind", ["table", "lines", "blocks", "of one system"])
def test_segments_from_0_and_from_1_are_refused(kind: str, form: str, tmp_path: Path) -> None:
    human, metric = tables(tmp_path, [form.format(n) for n in range(12)], FROM_1)
    lines = [line.split("\t") for line in metric.read_text().splitlines()[1:]]
    given: list[object] = [metric]
    if kind == "lines":
        rows = [{"system": system, "segment": int(n), "m": float(score)} for system, n, score in lines]
        written(metric, "".join(f"{json.dumps(row)}\n" for row in rows))
    elif kind == "blocks":
        written(metric, "".join(f"{system}\t{score}\n" for system, _, score in lines))
    elif kind == "of one system":
        given = [
            f"m:{name}={written(tmp_path / name, ''.join(f'{x}{chr(10)}' for s, _, x in lines if s == name))}"
            for name in "abc"
        ]
    refused(fstmetrics("correlate", human, *given), "counts its 12 items from", "from 1", "number both alike")


def test_a_metric_with_a_part_of_people_s_segments_is_said(tmp_path: Path) -> None:
    half = [n if i < 6 else "" for i, n in enumerate(FROM_1)]
    options = ("--samples", 0, "--json")
    found = fstmetrics("correlate", *tables(tmp_path, FROM_1, half), *options).summary
    assert "m: scores of 6 of the 12 segments that people judged" in found["remarks"]
    fewer = fstmetrics("correlate", *tables(tmp_path, half, FROM_1), *options).summary
    assert fewer["remarks"][1:] == [
        "human scores of 6 of 12 segments",
        "scores of systems are means of those of 12 segments: m",
    ]
    files = tables(tmp_path, FROM_1, FROM_1, ("a", 3), ("a", 5), ("c", 1))
    assert (
        "human scores: systems have scores of unlike segments; a lacks 2, c lacks 1"
        in fstmetrics("correlate", *files, *options).summary["remarks"]
    )


@pytest.mark.parametrize(
    ("human", "metric", "said"),
    [
        (
            ["", *FROM_1[:9], "11", "12"],
            FROM_0,
            "m.tsv counts 12 items from 0, and",
        ),  # judged in part, counted from 1
        (["0", "3"], FROM_1, "m.tsv counts 12 items from 1, and"),
        (["3", "11"], FROM_0, ""),
        (["3", "11"], FROM_1, ""),
        (["20", "3"], FROM_0, ""),
    ],
)
def test_a_part_of_the_segments_may_be_numbered_otherwise(
    human: Sequence[str], metric: Sequence[str], said: str, tmp_path: Path
) -> None:
    files = tables(tmp_path, human, metric)
    remarks = fstmetrics("correlate", *files, "--samples", 0, "--json").summary["remarks"]
    assert [said in remark for remark in remarks if "number both alike" in remark] == [True] * bool(said)


def test_scores_of_other_segments_are_refused(tmp_path: Path) -> None:
    files = tables(tmp_path, [f"x{n}" for n in FROM_1], [f"y{n}" for n in FROM_1])
    refused(
        fstmetrics("correlate", *files, "--samples", 0),
        "human.tsv: no segment that people judged has a score of m: they judged x1, x2, x3 and 9 more, and ",
        "m.tsv has y1, y2, y3 and 9 more",
    )


@pytest.mark.parametrize("alone", [False, True])
def test_scores_are_of_the_outputs_that_are_there(alone: bool, tmp_path: Path) -> None:
    """COMET's JSON says which translations it is of."""
    files = texts(tmp_path)
    told = {name: files[name].read_text().splitlines() for name in "stuv"}

    def outcome(said: dict[str, list[str]]) -> Outcome:
        rows = {
            f"{name}.txt": [{"mt": text, "COMET": n + ord(name)} for n, text in enumerate(lines)]
            for name, lines in said.items()
        }
        given = [written(tmp_path / "c.json", json.dumps(rows))]
        if alone:
            given = [
                f"COMET:{name[0]}={written(tmp_path / f'{name}.json', json.dumps({name: lines}))}"
                for name, lines in rows.items()
            ]
        outputs = [files[name] for name in "stuv"]
        return fstmetrics(
            "correlate", files["human"], *given, *outputs, "--ref", files["ref"], "--samples", 0
        )

    assert outcome(told).status == 0
    assert outcome(told | {"u": [f" {text.upper()} ." for text in told["u"]]}).status == 0
    other = outcome(told | {"u": [*told["u"][:2], "nothing", *told["u"][3:]]})
    refused(other, "its score 3 of u is of the translation 'nothing', and the output there is")
    refused(outcome(told | {"u": told["u"][::-1]}), "the same texts are there in another order")


SMALL = "{}\nA{s}0{s}d0{s}1{s}1\nA{s}0{s}d1{s}2{s}2\nB{s}0{s}d0{s}3{s}3\nB{s}0{s}d1{s}4{s}4\n"


@pytest.mark.parametrize(
    ("head", "sep", "said"),
    [
        (
            "system segment doc human m",
            "\t",
            "doc is 'd0', not a number; call it document, and, where each document",
        ),
        (
            "system segment worker human m",
            "\t",
            "worker is 'd0', not a number; call it assessor if it says who",
        ),
        (
            "system segment lp human m",
            "\t",
            "lp is 'd0', not a number; give each language pair in a file of its own",
        ),
        (
            "system segment genre human m",
            "\t",
            "genre is 'd0', not a number; leave it empty where there is none",
        ),
        (
            "system segment document human m",
            "\t",
            "after line 2; where each document counts its own segments, call",
        ),
        (
            "system segment document human m",
            ";",
            "no records; its columns are parted by semicolons: write tabs, and decimal commas, if there are some, as",
        ),
        (
            "System Segment doc Human M",
            "\t",
            "the names are System, Segment, doc, Human, M: write them in small",
        ),
        *(
            (f"{system} {segment} lang human m", "\t", said)
            for system, segment, said in (
                (
                    "system",
                    "Segment",
                    "the system A once more, after line 2, and no column is called segment; if Seg",
                ),
                ("sys", "segment", "no records; if sys is the system of a row, call it system\n"),
                ("model", "segment_id", "no records; if model is the system of a row, call it system\n"),
                (
                    "MT-system",
                    "Segment-ID",
                    "no records; if MT-system is the system of a row, call it system; if Segment-ID",
                ),
                (
                    "System",
                    "Segment-ID",
                    "; if Segment-ID is the segment of a row, call it segment, and leave it",
                ),
            )
        ),
    ],
)
def test_tables_that_are_nearly_right_are_told_what_is_wrong(
    head: str, sep: str, said: str, tmp_path: Path
) -> None:
    table = written(tmp_path / "t.csv", SMALL.format(head.replace(" ", sep), s=sep))
    refused(fstmetrics("correlate", table), said)
    assert said.partition("; ")[2] in fstmetrics("compare", "--scores", table).err


SEGMENTS_OTHERWISE = ("Segment ID", "seg", "item", "sentence_id", "line", "sid", "index")


@pytest.mark.parametrize("name", SEGMENTS_OTHERWISE)
@pytest.mark.parametrize("human", ["human", "rating"])
def test_a_column_that_may_be_the_segment_is_named(name: str, human: str, tmp_path: Path) -> None:
    """It is neither counted anew nor a metric: rows need not be in the order of segments."""
    rows = [f"{s}\t{n}\t{n * 7 % 5 + p}\t{n * 3 % 7 - p}\n" for n in (3, 1, 2) for p, s in enumerate("ABC")]
    head = f"system\t{name}\t{human}\tm\n"
    table = written(tmp_path / "t.tsv", head + "".join(rows))
    options = ("--human", human, "--samples", 0)
    found = fstmetrics("correlate", table, *options)
    refused(found, f"; if {name} is the segment of a row, call it segment, and leave it out if it is not\n")
    assert ("the system A once more, after line 2, and no column is called segment" in found.err) == (
        human == "human"
    )
    doubled = [
        f"segment\t{head.replace('system', name, 1)}".replace(f"\t{name}\t{human}", f"\tsystem\t{human}")
    ]
    doubled += [f"{row.split(chr(9))[1]}\t7\t{row[0]}\t{row.split(chr(9), 2)[2]}" for row in rows]
    metrics = fstmetrics("correlate", written(table, "".join(doubled)), *options, "--json").summary
    assert {row["metric"] for row in metrics["correlations"]} == {"m"}


@pytest.mark.parametrize("name", SEGMENTS_OTHERWISE)
def test_objects_that_may_name_their_segments_are_not_counted(name: str, tmp_path: Path) -> None:
    rows = [json.dumps({"system": s, name: n, "comet": n / 4}) + "\n" for s in "ab" for n in (2, 1)]
    scores = written(tmp_path / "s.jsonl", "".join(rows))
    ref = written(tmp_path / "ref", "a b\nc d\n")
    call = (
        "compare",
        "--ref",
        ref,
        *(f"{s}={ref}" for s in "ab"),
        "--samples",
        9,
        "--scores",
        f"comet={scores}",
    )
    refused(
        fstmetrics(*call), f"s.jsonl: no object names its segment; if {name} is the segment of a row, call it"
    )
    written(scores, scores.read_text().replace(f'"{name}"', '"segment"'))
    assert fstmetrics(*call).status == 0


def test_tables_with_semicolons_are_read_once_their_advice_is_followed(tmp_path: Path) -> None:
    rows = ["system;segment;human;m", "A;1;0,5;0,1168", "A;2;0,7;1,2", "B;1;0,1;0,3", "B;2;0,2;-0,25"]
    table = written(tmp_path / "t.csv", "\n".join([*rows, ""]))
    calls = ("correlate",), ("compare", "--scores"), ("rankings", "--ranks", "human", "--higher")
    said = (
        "its columns are parted by semicolons: write tabs, and decimal commas, if there are some, as points"
    )
    for call in calls:
        refused(fstmetrics(*call, table), said)
    written(table, table.read_text().replace(";", "\t"))
    for call in calls:
        done = fstmetrics(*call, table)
        assert (done.status, "', not a number; write 0." in done.err) == (2, True)
    written(table, table.read_text().replace(",", "."))
    assert [fstmetrics(*call, table).status for call in calls] == [0, 0, 0]


@pytest.mark.parametrize(
    ("value", "advice"),
    [
        ("0,5", "write 0.5"),
        ("-12,25", "write -12.25"),
        ("0,125", "write 0.125"),
        ("1,125", "write 1.125 if the comma is decimal, 1125 if it is not"),
        ("1,125,000", "leave it empty where there is none"),
        ("a,b", "leave it empty where there is none"),
    ],
)
def test_a_comma_in_a_number_is_told_from_no_number(value: str, advice: str, tmp_path: Path) -> None:
    table = written(tmp_path / "t.tsv", f"system\tsegment\thuman\tm\nA\t1\t{value}\t2\nB\t1\t3\t4\n")
    refused(fstmetrics("correlate", table), f"human is '{value}', not a number; {advice}\n")
    blocks = written(tmp_path / "m.seg.score", f"A\t1\nA\t{value}\n")
    said = advice.replace("leave it empty where", "None where")
    assert (
        f"m.seg.score:2: the score of A is '{value}', not a number; {said}\n"
        in fstmetrics("compare", "--scores", blocks).err
    )


def test_human_takes_one_column(tmp_path: Path) -> None:
    table = written(tmp_path / "t.tsv", SMALL.format("system\tsegment\tdocument\tadequacy\tfluency", s="\t"))
    written(table, table.read_text().replace("\t0\td1", "\t1\td1"))
    said = "--human takes one column, and no table has 'adequacy,fluency'; there are adequacy, fluency"
    refused(fstmetrics("correlate", table, "--human", "adequacy,fluency"), said)


def test_documents_have_all_their_segments(tmp_path: Path) -> None:
    """Of the metric those that nobody judged, too, as systems have; a document that nobody judged is no point."""
    scores = {"A": ([1, None, 2, None], [1, 10, 2, 7]), "B": ([3, 3, 5, None], [3, 3, 4, 1])}
    names = ["d1", "d1", "d2", "d3"]
    rows = [
        f"{system}\t{i + 1}\t{names[i]}\t{'NA' if human[i] is None else human[i]}\t{metric[i]}\n"
        for system, (human, metric) in scores.items()
        for i in range(4)
    ]
    table = written(tmp_path / "t.tsv", "system\tsegment\tdocument\thuman\tm\n" + "".join(rows))
    found = fstmetrics("correlate", table, "--level", "document", "--samples", 0, "--json").summary
    assert value(found, "m", "document", "pearson") == pytest.approx(pearson([5.5, 2, 3, 4], [1, 2, 3, 5]))
    assert {c["points"] for c in found["correlations"]} == {4}


@pytest.mark.parametrize(
    ("name", "scale", "quotient"),
    [
        ("meteor", 1, None),  # 55 is no score of 0 to 1
        ("bleu", 0.01, None),
        ("comet", 1, None),
        ("wer", -1, None),  # turned round
        ("TER", 1, 25 / 50),
        ("pe_time", 1, None),
    ],
)
@pytest.mark.parametrize(("of_people", "their_quotient"), [(1, None), (-1, 45 / 85), (-0.01, 45 / 85)])
def test_columns_without_a_known_scale_are_not_set_against_perfect_ones(
    name: str, scale: float, quotient: float | None, of_people: float, their_quotient: float, tmp_path: Path
) -> None:
    scores = [
        ("P", 1, 90, 55),
        ("P", 2, 80, 45),
        ("A", 1, 60, 35),
        ("A", 2, 50, 30),
        ("B", 1, 40, 20),
        ("B", 2, 30, 15),
    ]
    rows = [f"{s}\t{i}\t{of_people * human}\t{scale * m}\n" for s, i, human, m in scores]
    table = written(tmp_path / "t.tsv", f"system\tsegment\thuman\t{name}\n" + "".join(rows))
    arguments = ("correlate", table, "--people", "P", "--samples", 0, "--level", "system")
    rows = {row["metric"]: row for row in fstmetrics(*arguments, "--json").summary["separations"]}
    expected = {"human scores": their_quotient, name: quotient}
    assert {m: row["quotient"] for m, row in rows.items()} == pytest.approx(
        {m: value for m, value in expected.items() if value is not None}
    )
    told = ", ".join(f"0 of {m}" for m in rows)
    assert (f"distance from perfect: from {told}\n" in fstmetrics(*arguments).out) == bool(rows)


@pytest.mark.parametrize("suffix", ["tsv", "jsonl"])
@pytest.mark.parametrize(
    ("name", "said"),
    [
        *(
            (name, "call it assessor if it says who")
            for name in ("worker", "WorkerId", "Judge", "reviewer_id", "crowdworker", "prolific_id")
        ),
        ("doc", "call it document"),
        ("llm-judge", ""),
    ],
)
def test_whole_numbers_that_may_tell_who_rated_are_no_metric(
    name: str, said: str, suffix: str, tmp_path: Path
) -> None:
    """A rater's strictness would be in people's scores, and turned the sign of a correlation."""
    names = ["system", "segment", name, "human", "m"]
    rows = [
        [system, segment, 101 + segment % 2, 50 + 5 * segment + place, segment + place / 2]
        for segment in range(4)
        for place, system in enumerate("ABC")
    ]
    for values, refusal in ((rows, said), ([[*row[:2], row[2] / 8, *row[3:]] for row in rows], "")):
        lines = [dict(zip(names, row, strict=True)) for row in values]
        texts = {
            "tsv": "".join("\t".join(map(str, row)) + "\n" for row in (names, *values)),
            "jsonl": "".join(json.dumps(line) + "\n" for line in lines),
        }
        found = fstmetrics("correlate", written(tmp_path / f"t.{suffix}", texts[suffix]))
        if refusal:
            refused(found, f"the column {name} has whole numbers: {refusal}")
        else:
            assert found.status == 0, found.err


@pytest.mark.parametrize("suffix", ["tsv", "csv", "jsonl"])
@pytest.mark.parametrize(
    ("name", "is_metric"),
    [
        ("Unnamed: 0", False),
        ("id", False),
        ("row", False),
        ("timestamp", False),
        ("ID", False),
        ("Row", False),
        ("row_id", False),
        ("index", False),
        ("Unnamed: 0.1", False),
        ("Timestamp", False),
        ("seg_id", False),
        ("idf", True),
        ("rank", True),
    ],
)
@pytest.mark.parametrize("value", ["{}", "1{}.5", "2026-11-{}T10:00"])
def test_what_rows_are_called_is_no_metric(
    value: str, name: str, is_metric: bool, suffix: str, tmp_path: Path
) -> None:
    names = [name, "system", "segment", "human", "m"]
    rows = [
        [
            value.format(10 + 3 * segment + place),
            system,
            segment,
            50 + 5 * segment + place,
            segment + place / 2,
        ]
        for segment in range(4)
        for place, system in enumerate("ABC")
    ]
    if suffix == "jsonl":
        text = "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)
    else:
        parted = {"tsv": "\t", "csv": ","}[suffix]
        text = "".join(parted.join(map(str, row)) + "\n" for row in (names, *rows))
    found = fstmetrics("correlate", written(tmp_path / f"t.{suffix}", text), "--samples", 0, "--json")
    if is_metric and "T" in value:
        assert found.status == 2
        return
    metrics = {row["metric"] for row in found.summary["correlations"]}
    assert metrics == ({"m", name} if is_metric else {"m"})


def test_a_level_without_scores_is_refused(tmp_path: Path) -> None:
    table = written(tmp_path / "t.tsv", "system\thuman\tm\nA\t1\t2\nB\t2\t3\nC\t3\t1\n")
    refused(
        fstmetrics("correlate", table, "--level", "segment"), "there are no scores by segment: give --level"
    )
    assert fstmetrics("correlate", table, "--level", "system,segment").status == 0
