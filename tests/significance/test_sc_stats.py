"""The tests of NIST's sc_stats: equal to the real program on real and on random data, and to slow definitions."""

from __future__ import annotations

import pickle
import random
import re
import subprocess
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import fstmetrics, written
from other_programs import program

import fstmetrics as fm
from fstmetrics.engine.aligned_paths import Paths
from fstmetrics.engine.program_alignments import operations_of
from fstmetrics.significance.sc_stats import BOUNDARY, matched_pairs, mean_ranks, segments, tabled_binomial
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import limited

# Our names of the tests, and the real program's: the option, and the row of its unified report.
TESTS = {
    "mapsswe": ("mapsswe", "MP"),
    "mcnemar": ("mcn", "MN"),
    "sign": ("sign", "SI"),
    "wilcoxon": ("wilc", "WI"),
}
NUMBER = r"(-?\d+\.?\d*)"


# --- slow definitions ---------------------------------------------------------------------------------------


def slow_operations(hypothesis: list[str], reference: list[str]) -> str:
    """sclite's alignment, cell by cell: pairs first, then insertions, then deletions, from the end backwards."""
    cost = {(0, 0): 0}
    step = {}
    for i, j in product(range(len(reference) + 1), range(len(hypothesis) + 1)):
        ways = []
        if i and j:
            same = reference[i - 1] == hypothesis[j - 1]
            ways.append((cost[i - 1, j - 1] + (0 if same else 4), 0, "=" if same else "S"))
        if j:
            ways.append((cost[i, j - 1] + 3, 1, "I"))
        if i:
            ways.append((cost[i - 1, j] + 3, 2, "D"))
        if ways:
            cost[i, j], _, step[i, j] = min(ways)
    i, j, found = len(reference), len(hypothesis), ""
    while i or j:
        found = step[i, j] + found
        i, j = i - (found[0] != "I"), j - (found[0] != "D")
    return found


def slow_segments(one: str, two: str) -> list[tuple[int, int]]:
    """Errors of two alignments with one reference, cut after `BOUNDARY` words that both have right."""

    def columns(operations: str) -> list[tuple[int, bool]]:
        """Before and at every word of the reference: insertions, and whether the word is right."""
        found, inserted = [], 0
        for operation in [*operations, "="]:
            if operation == "I":
                inserted += 1
            else:
                found.append((inserted, operation == "="))
                inserted = 0
        return found

    cut, errors, right = [], [0, 0], 0
    for a, b in zip(columns(one), columns(two), strict=True):
        if a[0] or b[0]:
            errors, right = [errors[0] + a[0], errors[1] + b[0]], 0
        if a[1] and b[1]:
            right += 1
        else:
            errors, right = [errors[0] + (not a[1]), errors[1] + (not b[1])], 0
        if right == BOUNDARY:
            cut.append((errors[0], errors[1]))
            errors = [0, 0]
    return [found for found in [*cut, (errors[0], errors[1])] if any(found)]


def some_pairs(seed: int, words: int, items: int) -> list[tuple[list[str], list[str], list[str]]]:
    """References, and what two systems make of them."""
    draw = random.Random(seed)
    vocabulary = [f"w{number}" for number in range(words)]

    def damaged(reference: list[str]) -> list[str]:
        ways = draw.choices([[None], [None, 0], [0], []], [0.8, 0.07, 0.07, 0.06], k=len(reference))
        made = zip(reference, ways, strict=True)
        return [draw.choice(vocabulary) if new == 0 else word for word, way in made for new in way]

    found = []
    for _ in range(items):
        reference = draw.choices(vocabulary, k=draw.randint(1, 14))
        found.append((reference, damaged(reference), damaged(reference)))
    return found


@pytest.mark.parametrize("words", [2, 5, 100])
def test_alignments_and_segments_are_those_of_the_definition(words: int) -> None:
    pairs = some_pairs(words, words, 150)
    references, *systems = map(list, zip(*pairs, strict=True))
    paths = [Paths(outputs, references) for outputs in systems]
    wanted: list[tuple[int, int]] = []
    for reference, one, two in pairs:
        operations = [slow_operations(one, reference), slow_operations(two, reference)]
        assert [operations_of(one, reference), operations_of(two, reference)] == operations
        wanted += slow_segments(*operations)
    found = segments(*paths, paths[0].errors, paths[1].errors)
    assert sorted(map(tuple, found.tolist())) == sorted(wanted)
    differences = np.array([two - one for one, two in wanted])
    result = matched_pairs(*paths, paths[0].errors, paths[1].errors)
    assert result.mean == pytest.approx(differences.mean())
    assert result.std_dev == pytest.approx(differences.std(ddof=1))
    assert result.z == pytest.approx(differences.mean() / (differences.std(ddof=1) / len(wanted) ** 0.5))


def one_pair(hypothesis: str, reference: str) -> Paths:
    return Paths([hypothesis.split()], [reference.split()])


def test_references_with_a_choice_are_cut_where_both_paths_agree() -> None:
    # The systems were compared with "one a b two c d three" and "one a b dos c d three".
    one = one_pair("one a b two c d free", "one a b two c d three")
    two = one_pair("won a b dos c d three", "one a b dos c d three")
    found = segments(one, two, one.errors, two.errors)
    assert found.tolist() == [[0, 1], [1, 0]]
    # With one word between, the word that is not shared joins the two errors to one segment.
    one = one_pair("one a two d free", "one a two d three")
    two = one_pair("won a dos d three", "one a dos d three")
    assert segments(one, two, one.errors, two.errors).tolist() == [[1, 1]]
    # Paths of different lengths: errors stand at the words of the first path.
    one = one_pair("a b c d e x", "a b c d e f")
    two = one_pair("a b q d e f", "a b u v d e f")
    assert segments(one, two, one.errors, two.errors).tolist() == [[0, 2], [1, 0]]


def test_ranks_are_those_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    values = np.array([0.0, 2.5, 1.0, 2.5, 2.5, 7.0, 1.0])
    assert mean_ranks(values).tolist() == stats.rankdata(values).tolist()


def test_exact_p_is_that_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    references = ["a b"] * 40
    old, new = ["a x"] * 23 + ["a b"] * 17, ["a b"] * 25 + ["a x"] * 7 + ["a b"] * 8
    test = fm.compare({"old": old, "new": new}, references, "wer", test="mcnemar", samples=10).tests[0]
    assert test.signs
    assert (test.signs.better, test.signs.worse, test.statistic) == (23, 7, 7)
    assert test.p == pytest.approx(stats.binomtest(7, 30).pvalue)
    assert test.p > 100 * tabled_binomial(23, 7) == 100 * test.details["p_sc_stats"]


# --- the real program ---------------------------------------------------------------------------------------


def test_the_real_program_on_real_data(shared: Path) -> None:
    folder = shared / "asr-kaldi-weather"
    files = [folder / f"{name}.trn" for name in ("ref", "mono", "tri1")]
    found = {}
    for name, (_, row) in TESTS.items():
        found[name] = fstmetrics("compare", "--ref", *files, "--test", name, "--json").summary["tests"][0]
        assert found[name]["metric"] == "wer"
        assert found[name]["systems"] == ["mono", "tri1"]
        report = (folder / f"sc_stats_{TESTS[name][0]}_unified.stats.unified").read_text()
        agrees(found[name], printed_p(report, row, "mono.trn"))
    report = (folder / "sc_stats_mapsswe.stats.mapsswe").read_text()
    segments_agree(found["mapsswe"], report)
    report = (folder / "sc_stats_wilc.stats.wilc").read_text()
    assert f"Z statistic = {found['wilcoxon']['statistic']:.2f}" in report
    assert f"ranks = {found['wilcoxon']['ranks_better']:.1f}" in report
    report = (folder / "sc_stats_mcn.stats.mcn").read_text()
    table = [found["mcnemar"][name] for name in ("both_right", "worse", "better", "both_wrong")]
    assert (
        list(
            map(
                int,
                re.findall(r"corr +(\d+) +(\d+)", report)[0] + re.findall(r"incorr +(\d+) +(\d+)", report)[0],
            )
        )
        == table
    )
    report = (folder / "sc_stats_sign.stats.sign").read_text()
    assert re.findall(r"N\(.\) = +(\d+)", report) == [
        str(found["sign"][name]) for name in ("better", "worse", "equal")
    ]


@pytest.mark.parametrize(("seed", "words"), [(1, 5), (2, 30), (3, 1000)])
def test_the_real_program_on_random_data(seed: int, words: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    names = ["ref", "a", "b"]
    lines: dict[str, list[str]] = {name: [] for name in names}
    for number, texts in enumerate(some_pairs(seed, words, 120)):
        id = f"s{draw.randrange(9 + 4 * seed)}-{number}"
        for name, text in zip(names, texts, strict=True):
            lines[name].append(f"{' '.join(text)} ({id})\n")
    files = [written(tmp_path / f"{name}.trn", "".join(lines[name])) for name in names]
    sgml = [sgml_of(files[0], path) for path in files[1:]]
    for name, (option, row) in TESTS.items():
        found = fstmetrics("compare", "--ref", *files, "--test", name, "--json").summary["tests"][0]
        command = [*program("sc_stats", "sctk"), "-p", "-t", option, "-u", "-n", "out"]
        subprocess.run(command, input="".join(sgml), text=True, cwd=tmp_path, check=True, capture_output=True)
        agrees(found, printed_p((tmp_path / "out.stats.unified").read_text(), row, "a"))
    command = [*program("sc_stats", "sctk"), "-p", "-t", "mapsswe", "-v", "-n", "long"]
    subprocess.run(command, input="".join(sgml), text=True, cwd=tmp_path, check=False, capture_output=True)
    found = fstmetrics("compare", "--ref", *files, "--test", "mapsswe", "--json").summary["tests"][0]
    segments_agree(found, (tmp_path / "long.stats.mapsswe").read_text(errors="replace"))


@pytest.mark.parametrize("segments", [3, 4, 5, 6, 10])
def test_a_z_of_1_is_cut_as_the_real_program_cuts_it(segments: int, tmp_path: Path) -> None:
    """One system has one error more in one segment: Z is 1, but for rounding errors, which the table of p sees."""
    one = ["z z", *["z y"] * (segments - 1)]
    lines = {"ref": ["x y"] * segments, "a": one, "b": ["z y"] * segments}
    files = [
        written(tmp_path / f"{name}.trn", "".join(f"{text} (s{i % 2}-{i})\n" for i, text in enumerate(texts)))
        for name, texts in lines.items()
    ]
    found = fstmetrics("compare", "--ref", *files, "--test", "mapsswe", "--json").summary["tests"][0]
    assert round(found["statistic"], 9) == -1
    command = [*program("sc_stats", "sctk"), "-p", "-t", "mapsswe", "-u", "-n", "out"]
    sgml = "".join(sgml_of(files[0], path) for path in files[1:])
    subprocess.run(command, input=sgml, text=True, cwd=tmp_path, check=True, capture_output=True)
    agrees(found, printed_p((tmp_path / "out.stats.unified").read_text(), "MP", "a"))


@pytest.mark.parametrize("test", ["mcnemar", "mapsswe"])
def test_sentences_and_segments_of_one_speaker_are_tested(test: str, tmp_path: Path) -> None:
    lines = {"ref": ["a b", "c d", "e"], "one": ["a x", "c x", "e"], "two": ["a b", "c d", "x"]}
    files = [
        written(tmp_path / f"{name}.trn", "".join(f"{text} (ann-{i})\n" for i, text in enumerate(texts)))
        for name, texts in lines.items()
    ]
    alone = fstmetrics("compare", "--ref", *files, "--test", test, "--json").summary
    told = fstmetrics("compare", "--ref", *files, "--test", test, "--speakers", "spu_id", "--json").summary
    assert told["tests"] == alone["tests"]
    refused = fstmetrics("compare", "--ref", *files, "--test", "wilcoxon", "--speakers", "spu_id")
    assert "a test by speaker needs two or more" in refused.err


def sgml_of(ref: Path, hyp: Path) -> str:
    """What sclite tells sc_stats of a system."""
    command = [*program("sclite", "sctk"), "-r", ref, "trn", "-h", hyp, "trn", hyp.stem, "-i", "spu_id"]
    return subprocess.run(
        [*command, "-o", "sgml", "stdout"], capture_output=True, text=True, check=True
    ).stdout


def printed_p(report: str, row: str, baseline: str) -> str:
    """p in a unified report, of the two systems there are."""
    (cell,) = re.findall(rf"\|\s+{row}\s+\|\|\s+{re.escape(baseline)}\s+\|[^|]*\|([^|]*)\|", report)
    return re.search(r"<?\d\.\d+", cell)[0]  # type: ignore[index]


def agrees(test: dict[str, Any], printed: str) -> None:
    """Three decimals, or less than .001."""
    if printed.startswith("<"):
        assert test["p_sc_stats"] < float(printed[1:]) + 5e-4
    else:
        assert f"{test['p_sc_stats']:.3f}" == printed


def segments_agree(test: dict[str, Any], report: str) -> None:
    """The program has the baseline minus the system, here it is the system minus the baseline, as of scores."""
    line = next(line for line in report.splitlines() if line.startswith("MTCH_PR_RESULTS"))
    for name, value in (("# segs", test["segments"]), ("mean", f"{-test['mean']:.3f}")):
        assert re.search(rf"\({name}: +{NUMBER}\)", line)[1] == str(value)  # type: ignore[index]
    for name, value in (("std dev", test["std_dev"]), ("Z Stat", -test["statistic"])):
        assert re.search(rf"\({name}: +{NUMBER}\)", line)[1] == f"{value:.3f}"  # type: ignore[index]
    totals = re.search(r"Totals +\d+ +(\d+) +(\d+)", report)
    assert totals is not None
    assert [int(number) for number in totals.groups()] == [test["baseline_errors"], test["system_errors"]]


def test_pairs_beyond_the_limit_are_refused() -> None:
    with fm.limited(cells=2):
        assert operations_of(["a"] * 4, ["b"] * 4) == "SSSS"
        with pytest.raises(fm.FstmetricsError, match="align 5 and 5 words as sclite does takes 3 cells"):
            operations_of(["a"] * 5, ["b"] * 5)


def test_alignments_add_up_in_parts_and_go_through_a_pickle() -> None:
    hypotheses = [["a", "b"], [], ["x"], ["b", "a"], []]
    references = [["a", "c"], ["y"], [], ["b", "a"], []]
    whole = Paths(hypotheses, references)
    parts = [Paths(hypotheses[n : n + 2], references[n : n + 2]) for n in (0, 2, 4)]
    again = [pickle.loads(pickle.dumps(part)) for part in parts]
    found = again[0] + again[1] + again[2]
    assert list(found.references) == list(map(tuple, references))
    for one, two in zip(found.errors[:3], whole.errors[:3], strict=True):
        assert one.tolist() == two.tolist()
    some = whole.taken([3, 0, 2])
    assert some.references[1] == ("a", "c")
    assert (some.errors.items.tolist(), some.errors.operations.tolist()) == ([1, 2], [0, 1])


def test_a_word_with_a_zero_byte_is_refused() -> None:
    with pytest.raises(FstmetricsError, match="a word has a zero byte in it"):
        Paths([["a"]], [["a\0b"]])


def test_a_pair_that_is_too_long_is_named_by_its_place_among_all() -> None:
    with limited(cells=1):
        found = Paths([["a"]] * 2, [["a"]] * 2) + Paths([["a"] * 9], [["b"] * 9])
        with pytest.raises(
            FstmetricsError, match=r"item 2 \(from 0\): to align 9 and 9 words as sclite does"
        ):
            assert found.errors
