"""`fstmetrics rankings`: its layouts say the same, the tables of [L11], weights learned from planted ones, refusals."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from command import fstmetrics, written

from fstmetrics.apps.metaeval import preferences, read_rankings
from fstmetrics.apps.metaeval.preferences import agreeing_judgments
from fstmetrics.apps.metaeval.ranking_weights import share_held_out, share_in_order
from fstmetrics.metrics.tesla_f import FEATURES, TeslaF, read_feature_weights

# Two judges, two segments, three systems: ranks of A, B and C; None is not ranked.
SAID = [("1", "x", (1, 2, 1)), ("1", "y", (2, 1, 1)), ("2", "x", (1, 3, 2)), ("2", "y", (1, 1, None))]
WIDE = "segment\tjudge\tA\tB\tC\n" + "".join(
    "\t".join([segment, judge, *("NA" if rank is None else str(rank) for rank in ranks)]) + "\n"
    for segment, judge, ranks in SAID
)
LONG = "judge,system,segment,rank\n" + "".join(
    f"{judge},{system},{segment},{rank}\n"
    for segment, judge, ranks in SAID
    for system, rank in zip("ABC", ranks, strict=True)
    if rank is not None
)
SCORES = (
    LONG.replace("rank\n", "human\n")
    .replace(",3\n", ",-3\n")
    .replace(",2\n", ",-2\n")
    .replace(",1\n", ",-1\n")
)
JSON = "".join(
    json.dumps({"system": system, "segment": int(segment), "judge": judge, "rank": rank}) + "\n"
    for segment, judge, ranks in SAID
    for system, rank in zip("ABC", ranks, strict=True)
    if rank is not None
)
# The head of WMT 2013's tables, without columns that say nothing of the ranks, and of its lines of pairs of 2015.
WMT = (
    "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system3Id,system1rank,system2rank,system3rank\n"
    + "".join(
        f"Czech,English,{segment},{judge},A,B,C,{','.join('-1' if rank is None else str(rank) for rank in ranks)}\n"
        for segment, judge, ranks in SAID
    )
)
PAIRS = (
    "srclang,trglang,srcIndex,segmentId,judgeId,system1Id,system1rank,system2Id,system2rank,rankingID\n"
    + "".join(
        f"ces,eng,{segment},{segment},{judge},{'ABC'[i]},{ranks[i]},{'ABC'[j]},{ranks[j]},{number}\n"
        for number, (segment, judge, ranks) in enumerate(SAID)
        for i, j in ((0, 1), (0, 2), (1, 2))
        if ranks[i] is not None and ranks[j] is not None
    )
)
LAYOUTS = {"wide.tsv": WIDE, "long.csv": LONG, "lines.jsonl": JSON, "wmt.csv": WMT, "pairs.csv": PAIRS}


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_layout_says_the_same(name: str, tmp_path: Path) -> None:
    found = read_rankings(str(written(tmp_path / name, LAYOUTS[name])))
    assert found.systems == ("A", "B", "C")
    assert list(zip(found.segments, found.judges, strict=True)) == [
        (segment, judge) for segment, judge, _ in SAID
    ]
    np.testing.assert_array_equal(found.ranks, np.array([ranks for *_, ranks in SAID], dtype=float))


def test_scores_are_ranks_turned_round(tmp_path: Path) -> None:
    path = str(written(tmp_path / "scores.csv", SCORES))
    found = read_rankings(path, "human", higher=True)
    np.testing.assert_array_equal(found.ranks, np.array([ranks for *_, ranks in SAID], dtype=float))


def test_the_direction_is_said(tmp_path: Path) -> None:
    """The same winner of ranks and of scores; which of the two were read is told."""
    ranks, scores = written(tmp_path / "ranks.csv", LONG), written(tmp_path / "scores.csv", SCORES)
    of_scores = ("rankings", scores, "--ranks", "human", "--higher")
    one, other = fstmetrics("rankings", ranks, "--json").summary, fstmetrics(*of_scores, "--json").summary
    assert (one["higher_is_better"], other["higher_is_better"]) == (False, True)
    assert one["systems"] == other["systems"]
    assert "\nlower numbers are better: rank 1 is best\n" in fstmetrics("rankings", ranks).out
    assert "\nhigher numbers are better\n" in fstmetrics(*of_scores).out


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("1 x 1 2\n1 x 1 2\n2 x 1 1\n", "1 judgment is that of another once more, the same ranks by the same judge"),
        ("1 x 1 2\n1 x 1 2\n1 x 1 2\n", "2 judgments are those of others once more"),
        ("1 x 1 2\n1 x 2 1\n1 y 1 2\n2 x 1 2\n", ""),  # who judges twice, to see whether they agree
    ],
)  # fmt: skip
def test_judgments_that_are_there_twice_are_said(rows: str, said: str, tmp_path: Path) -> None:
    path = written(tmp_path / "ranks.txt", "segment judge A B\n" + rows)
    remarks = fstmetrics("rankings", path, "--json").summary["remarks"]
    assert [said in remark for remark in remarks] == [True] * bool(said)
    assert all(remark in " ".join(fstmetrics("rankings", path).out.split()) for remark in remarks)
    nobody = written(tmp_path / "nobody.txt", "segment A B\n1 1 2\n1 1 2\n")
    assert fstmetrics("rankings", nobody, "--json").summary["remarks"] == []


def test_the_command_prints_what_the_functions_find(tmp_path: Path) -> None:
    path = written(tmp_path / "ranks.tsv", WIDE)
    found = read_rankings(str(path))
    expected = preferences(found.by_system)
    summary = fstmetrics("rankings", path, "--json").summary
    assert summary["pairs"] == expected.rows()
    assert {row["system"]: row["best"] for row in summary["systems"]} == expected.best
    assert (summary["judgments"], summary["segments"], summary["judges"]) == (4, 2, 2)
    # Of segment 1 the judges agree on no pair, of 2, where C was ranked once, not on A and B either.
    assert summary["agreement"]["pairs"] == 4
    assert summary["agreement"]["agreeing"] == 0
    out = fstmetrics("rankings", path).out
    assert "4 judgments of 2 segments by 2 people" in out
    assert "A B 2 50.0 1 25.0 1 1.0000" in [" ".join(line.split()) for line in out.splitlines()]
    only = fstmetrics("rankings", path, "--systems", "C,A", "--json").summary
    assert [(row["a"], row["b"]) for row in only["pairs"]] == [("C", "A")]


@pytest.mark.parametrize("segment", ["segment", "item", "sentence_id", "Segment", "seg"])
@pytest.mark.parametrize("judge", ["judge", "user", "worker_id", "Annotator"])
def test_columns_of_numbers_beside_the_systems_are_none(segment: str, judge: str, tmp_path: Path) -> None:
    text = f"id,{segment},{judge},doc,round,A,B\n1,1,1,1,1,1,2\n2,1,2,1,1,2,1\n3,2,1,2,2,1,2\n"
    found = fstmetrics("rankings", written(tmp_path / "r.csv", text), "--json").summary
    assert [(row["system"], row["best"]) for row in found["systems"]] == [("A", 2 / 3), ("B", 1 / 3)]
    assert (found["judgments"], found["segments"], found["judges"]) == (3, 2, 2)


def test_a_row_of_table_7(tmp_path: Path) -> None:
    """[L11 table 7], French, tuned towards BLEU and TER: 11.4% and 6.5% of 800 judgments, significant at .01."""
    rows = ["1\t2"] * 91 + ["2\t1"] * 52 + ["1\t1"] * 657
    path = written(tmp_path / "french.tsv", "\n".join(["bleu\tter", *rows, ""]))
    outcome = fstmetrics("rankings", path)
    assert "bleu ter 91 11.4 52 6.5 657 0.0014" in [
        " ".join(line.split()) for line in outcome.out.splitlines()
    ]


def test_judgments_of_a_segment_agree_as_counted_by_hand() -> None:
    rng = random.Random(3)
    for _ in range(50):
        segments = [rng.choice("abc") for _ in range(rng.randint(1, 7))]
        ranks = [[rng.choice([1.0, 2.0, 3.0, np.nan]) for _ in range(3)] for _ in segments]
        agreeing = total = 0
        for i in range(len(segments)):
            for j in range(i):
                for a in range(3):
                    for b in range(a):
                        four = [ranks[i][a], ranks[i][b], ranks[j][a], ranks[j][b]]
                        if segments[i] == segments[j] and not np.isnan(four).any():
                            total += 1
                            agreeing += np.sign(four[0] - four[1]) == np.sign(four[2] - four[3])
        assert agreeing_judgments(ranks, segments) == (agreeing, total)


def test_planted_weights_are_learned_and_written(tmp_path: Path) -> None:
    """Rankings by planted weights of TESLA-F's features: the learned ones order nearly all pairs so, also held out."""
    pytest.importorskip("sklearn")
    rng = random.Random(5)
    pivots = [f"{word}|{word}|NN ||| {pivot} ||| 1\n" for word, pivot in zip("abcdef", "xxyyzz", strict=True)]
    metric = TeslaF(str(written(tmp_path / "tagged", "".join(pivots))), analyser="factored")
    references = ["".join(rng.choices("abcdef", k=rng.randint(6, 12))) for _ in range(30)]
    outputs = {
        name: [
            "".join(rng.choice("abcdef") if rng.random() < 0.4 else word for word in line)
            for line in references
        ]
        for name in "ABCD"
    }

    def text(lines: list[str]) -> str:
        return "".join(" ".join(f"{word}|{word}|NN" for word in line) + "\n" for line in lines)

    planted = np.array([0.1, 0.6, 0.0, 0.0, 0.3, 0.0, 0.0])
    lines = ["segment\tsystem\trank"]
    for number, reference in enumerate(references):
        scores = {
            name: float(
                metric.features(text([found[number]]).split(), [text([reference]).split()])[0] @ planted
            )
            for name, found in outputs.items()
        }
        order = sorted(set(scores.values()), reverse=True)
        lines += [f"{number + 1}\t{name}\t{order.index(score) + 1}" for name, score in scores.items()]
    ranks = written(tmp_path / "ranks.tsv", "\n".join([*lines, ""]))
    files = [f"{name}={written(tmp_path / f'{name}.txt', text(found))}" for name, found in outputs.items()]
    reference = written(tmp_path / "ref", text(references))
    weights = tmp_path / "weights"
    given = ("--ref", reference, "--pivot-table", tmp_path / "tagged", "--analyser", "factored")
    outcome = fstmetrics(
        "rankings", ranks, *files, *given, "--learn-weights", weights, "--regularisation", 100, "--json"
    )
    learned = outcome.summary["learned"]
    assert read_feature_weights(str(weights)) == {**dict.fromkeys(FEATURES, 0.0), **learned["weights"]}
    assert learned["in_order"] > 0.97 > learned["in_order_equal_weights"]
    assert learned["in_order_held_out"] > 0.9
    scored = fstmetrics(
        "score",
        reference,
        tmp_path / "A.txt",
        "--metric",
        "tesla-f",
        *given[2:],
        "--tesla-f-weights",
        weights,
    )
    assert scored.status == 0, scored.err


def test_shares_by_hand() -> None:
    assert share_in_order([[3, 2, 1]], [[1, 2, np.nan]]) == 1
    assert share_in_order([[1, 1], [2, 1]], [[1, 2], [2, 1]]) == 0
    assert np.isnan(share_in_order([[1, 1]], [[1, 1]]))
    assert share_held_out(np.zeros((2, 2, 1)), [[1, 2], [1, 2]], ["1", "2"]) is None


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("a b\n1 x\n", [], "ranks:2: b is 'x', not a number"),
        ("segment rank\n1 1\n", [], "ranks:1: no table of rankings; it has the columns segment, rank"),
        ("system rank\na 1\n", [], "ranks:1: no column segment"),
        ("segment system rank\n1 a 1\n1 a 2\n", [], "ranks:3: a has the rank 2 here, and 1 before in the same"),
        ("a b\n", [], "ranks: a head, and no rankings under it"),
        ("a b\nNA NA\n", [], "ranks: no rank in it"),
        ("a b\n1 2\n", ["--systems", "a,x"], "--systems: nobody ranked x; ranked are a, b"),
        ("a b\n1 2\n", ["--systems", "a"], "give the ranks of two systems or more"),
        ("a b\n1 2\n", ["--lowercase"], "--lowercase is for --learn-weights FILE"),
        ("system seg_id human\na 1 2\n", [],
         "ranks:1: no column rank; there are system, seg_id, human; --ranks says which it is, for example "
         "--ranks human --higher if"),
        ("judge system segment other\nx a 1 2\n", [], "for example --ranks other --higher if"),
        ("system segment human\na 1 3\nb 1 -2\n", ["--ranks", "human"],
         "ranks:3: human is -2, and a rank is a whole number from 1, the best; give --higher"),
        ("system segment rank\na 1 1\nb 1 1.5\n", [], "ranks:3: rank is 1.5, and a rank is a whole"),
        ("a b\n1.5 1.5\n", [], "the best; systems that are tied have the same whole rank, as 1 and 1, not"),
        ("a b\n1.5 1.5\n", ["--lower"], "as 1 and 1, not the mean of their ranks\n"),
        ("a b\n1 -1\n", [], "the best; leave the cell empty where a system was not ranked; give --higher"),
        ("a b\n1 0\n", ["--lower"], "the best; write ranks as whole numbers\n"),
        ("a b\n1 0\n", [], "ranks:2: b is 0, and a rank is a whole"),
        ("a b c\n3 2 2\n2 3 3\n", [], "ranks: no judgment has a rank 1, the best; give --higher (in Python"),
        ("a b\n1 2\n70 85\n", [], "ranks:3: a is 70, and there are 2 systems; give --higher (in Python"),
        (WMT + "Czech,English,3,x,A,B,C,1,0.5,3\n", [], "ranks:6: system2rank is 0.5, and a rank is a whole"),
        ("a b\n1 2\n", ["--ranks", "x"], "ranks:1: no columns system and x; there are a, b"),
        ("a b\n1 2\n", ["--language-pair", "x-y"], "--language-pair is for WMT's tables"),
        ("a b\n1 2\n", ["--learn-weights", "w"], "--learn-weights needs the outputs of two systems or more"),
        ("a b\n1 2\n", ["a=o", "b=o2", "--ref", "o3", "--learn-weights", "w"], "no column segment"),
        (
            "segment a b\n9 1 2\n",
            ["a=o", "b=o2", "--ref", "o3", "--learn-weights", "w", "--pivot-table", "t", "--analyser", "factored"],
            "ranks: segment 9 is no line of the outputs, which have 1",
        ),
        (
            "segment a b\n1 1 2\n",
            ["a=o", "c=o2", "--ref", "o3", "--learn-weights", "w", "--pivot-table", "t", "--analyser", "factored"],
            "nobody ranked c; ranked are a, b",
        ),
        (WMT + "German,English,1,x,A,B,C,1,2,3\n", [], "--language-pair says which: Czech-English, German-English"),
        (WMT, ["--language-pair", "x"], "no rankings of the language pair x; there are Czech-English"),
    ],
)  # fmt: skip
def test_what_is_refused(
    content: str, options: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "ranks", content)
    for name in ("o", "o2", "o3"):
        written(tmp_path / name, "a|a|NN\n")
    written(tmp_path / "t", "a ||| x ||| 1\n")
    outcome = fstmetrics("rankings", "ranks", *options)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert message in outcome.err
    assert not (tmp_path / "w").exists()


def test_correlate_names_the_command_for_rankings(tmp_path: Path) -> None:
    outcome = fstmetrics("correlate", written(tmp_path / "wmt.csv", WMT))
    assert outcome.status == 2
    assert "rankings of systems; `fstmetrics rankings FILE` counts who is preferred" in outcome.err


def test_ranks_of_more_systems_are_read_with_lower(tmp_path: Path) -> None:
    ranks = tmp_path / "ranks"
    ranks.write_text("a b\n3 5\n4 1\n")
    (pair,) = fstmetrics("rankings", ranks, "--lower", "--json").summary["pairs"]
    assert (pair["better"], pair["worse"]) == (1, 1)
