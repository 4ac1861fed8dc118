"""Resampling and tests of significance: against enumeration, numpy's generator, sacrebleu, MultEval and the papers."""

from __future__ import annotations

import csv
import gzip
import itertools
import math
import random
import re
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from command import written

import fstmetrics as fm
from fstmetrics.engine.resampling import bootstrap_sums, chosen_sums
from fstmetrics.significance import TESTS, Design, Resampling, compare_statistics, holm, sign_p
from fstmetrics.significance import p_values as rules

FOLDER = "expected-wmt17-significance"
BASELINE = "LIUM-NMT.4900"


def bootstrap_row(seed: int, row: int, items: int) -> list[int]:
    """How often each item is drawn, as the documentation says it, from numpy's own PCG64."""
    random = np.random.PCG64(seed).jumped(row)
    counts, surplus = [0] * items, 2**32 % items
    while sum(counts) < items:
        output = int(random.random_raw())
        for half in (output & 0xFFFFFFFF, output >> 32):
            if sum(counts) < items and half * items % 2**32 >= surplus:
                counts[half * items >> 32] += 1
    return counts


def coin_row(seed: int, row: int, items: int) -> list[int]:
    random = np.random.PCG64(seed).jumped(row)
    outputs = [int(random.random_raw()) for _ in range(-(-items // 64))]
    return [outputs[i // 64] >> i % 64 & 1 for i in range(items)]


@pytest.mark.parametrize("items", [1, 2, 3, 63, 64, 65, 200])
@pytest.mark.parametrize("threads", [1, 3])
def test_rows_are_those_of_numpy_s_generator(items: int, threads: int) -> None:
    resampling, unit = Resampling(7, seed=12, threads=threads), np.eye(items)
    (drawn,) = bootstrap_sums([unit], resampling)
    assert drawn.astype(int).tolist() == [bootstrap_row(12, b, items) for b in range(7)]
    (exchanged,) = chosen_sums([unit], resampling)
    assert exchanged.astype(int).tolist() == [coin_row(12, b, items) for b in range(7)]


def test_items_are_drawn_evenly() -> None:
    """Chi-square of how often each of 7 items is drawn; expected 6, and above 22.46 once in a thousand."""
    (drawn,) = bootstrap_sums([np.eye(7)], Resampling(20_000))
    expected = 20_000.0
    # Rows that are alike, as where they start a power of two apart, make this 115.
    assert ((drawn.sum(axis=0) - expected) ** 2 / expected).sum() < 22.46
    # The number of times one item is drawn is binomial: mean 1, variance 6/7.
    assert drawn[:, 0].var() == pytest.approx(6 / 7, abs=0.03)


def test_a_resample_depends_on_seed_and_number_only(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    tables = [rng.integers(0, 30, size=(50, 3)).astype(float), rng.random((50, 2))]
    both = bootstrap_sums(tables, Resampling(100, seed=4))
    alone = bootstrap_sums(tables[:1], Resampling(40, seed=4, threads=1))
    assert np.array_equal(both[0][:40], alone[0])
    monkeypatch.setattr("fstmetrics.engine.resampling.BLOCK", 120)
    blocks = bootstrap_sums(tables, Resampling(100, seed=4))
    assert np.array_equal(both[0], blocks[0])
    assert both[1] == pytest.approx(blocks[1], rel=1e-14)
    assert not np.array_equal(both[0], bootstrap_sums(tables, Resampling(100, seed=5))[0])


def test_large_and_broken_numbers_are_summed_in_double_precision() -> None:
    table = np.array([[2.0**30 + 1, 0.1], [1.0, 0.2]])
    (sums,) = bootstrap_sums([table], Resampling(50))
    for b, row in enumerate(sums):
        weights = bootstrap_row(1, b, 2)
        assert row[0] == weights[0] * (2**30 + 1) + weights[1]
        assert row[1] == pytest.approx(weights[0] * 0.1 + weights[1] * 0.2, rel=1e-15)


def statistics(metric: fm.CorpusMetric, rows: list[list[float]]) -> dict[str, fm.Statistics]:
    return {metric.name: fm.Statistics(metric, np.array(rows, dtype=float))}


# Edits and words of two systems, whose differences are many-valued.
ONE = [[3, 10], [1, 7], [0, 9], [4, 11], [2, 5], [2, 4]]
TWO = [[1, 10], [1, 7], [2, 9], [1, 11], [1, 5], [3, 4]]


def wer(indices: tuple[int, ...], table: list[list[int]]) -> Fraction:
    return Fraction(sum(table[i][0] for i in indices), sum(table[i][1] for i in indices))


@cache
def exact_p() -> dict[str, float]:
    """p by enumerating all resamples and all exchanges, for WER, where the second system is better."""
    items = tuple(range(6))
    d = wer(items, ONE) - wer(items, TWO)
    resampled = [wer(chosen, ONE) - wer(chosen, TWO) for chosen in itertools.product(items, repeat=6)]
    mean = sum(resampled) / len(resampled)
    exchanged = []
    for coins in itertools.product((0, 1), repeat=6):
        one = [(TWO if coin else ONE)[i] for i, coin in enumerate(coins)]
        two = [(ONE if coin else TWO)[i] for i, coin in enumerate(coins)]
        exchanged.append(wer(items, one) - wer(items, two))
    sizes = [abs(b) for b in resampled]
    size_mean = sum(sizes) / len(sizes)
    share = {
        "bootstrap": [abs(b - mean) >= abs(d) for b in resampled],
        "bootstrap one-sided": [b - mean >= d for b in resampled],
        "paired-bootstrap": [b < 0 for b in resampled],
        "sacrebleu-bootstrap": [size - size_mean > abs(d) for size in sizes],
        "randomization": [abs(r) >= abs(d) for r in exchanged],
        "randomization one-sided": [r >= d for r in exchanged],
    }
    return {name: sum(found) / len(found) for name, found in share.items()}


@pytest.mark.parametrize("name", exact_p())
@pytest.mark.parametrize("swapped", [False, True])
def test_p_is_that_of_all_resamples(name: str, swapped: bool) -> None:
    """Within four standard errors of the exact value, whichever system is the baseline."""
    samples, exact = 40_000, exact_p()[name]
    systems = {"one": statistics(fm.WER(), ONE), "two": statistics(fm.WER(), TWO)}
    if swapped:
        systems = dict(reversed(systems.items()))
    test, _, sided = name.partition(" ")
    found = compare_statistics(systems, Design(test, Resampling(samples), one_sided=bool(sided)))
    error = 4 * math.sqrt(exact * (1 - exact) / samples) + 1 / samples
    assert found.tests[0].p == pytest.approx(exact, abs=error)
    assert exact not in (0, 1)


def test_p_is_never_zero() -> None:
    systems = {"a": statistics(fm.WER(), [[9, 10]] * 30), "b": statistics(fm.WER(), [[0, 10]] * 30)}
    for test in ("bootstrap", "paired-bootstrap", "randomization", "sacrebleu-bootstrap"):
        (result,) = compare_statistics(systems, Design(test, Resampling(999))).tests
        assert result.p == 1 / 1000, test
    (result,) = compare_statistics(systems, Design("sign")).tests
    assert (result.signs, result.p) == (rules.SignCounts(30, 0, 0), 2.0**-29)


# Those that need no more than statistics of items.
OF_ITEMS = [name for name, test in TESTS.items() if test.compares in ("items", "sentences")]


@pytest.mark.parametrize("test", OF_ITEMS)
def test_a_system_against_itself(test: str) -> None:
    """Not significant, by any test but sacrebleu's rule, which has it that zero should not be attributed to chance."""
    systems = {"a": statistics(fm.WER(), ONE), "b": statistics(fm.WER(), ONE)}
    (result,) = compare_statistics(systems, Design(test, Resampling(99))).tests
    assert result.delta == 0
    assert result.p == (0.01 if test == "sacrebleu-bootstrap" else 1.0)


def test_holm_by_hand() -> None:
    """Holm (1979): .01 x 4, .013 x 3, .02 x 2, .2 x 1, none smaller than the one before."""
    assert holm([0.02, 0.01, 0.2, 0.013]) == pytest.approx([0.04, 0.04, 0.2, 0.04])
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1.0, 1.0]


def test_holm_is_within_a_metric_and_a_direction() -> None:
    rows = {"a": [[5, 10]] * 9, "b": [[4, 10]] * 9, "c": [[5, 10]] * 8 + [[4, 10]]}
    systems = {
        name: {**statistics(fm.WER(), r), **statistics(fm.HyTER(), r)} for name, r in rows.items()
    }  # fmt: skip
    plain = compare_statistics(systems, Design("sign", both_ways=True))
    assert len(plain.tests) == 8
    for metric in ("wer", "hyter"):
        for one, other in (("a", "b"), ("a", "c")):
            for result, third in (
                (plain.test(other, metric, one), plain.test("c" if other == "b" else "b", metric, one)),
                (plain.test(one, metric, other), plain.test(one, metric, "c" if other == "b" else "b")),
            ):
                assert result.p_holm == holm([result.p, third.p])[0]
    corrected = compare_statistics(systems, Design("sign", both_ways=True, correction="holm"))
    assert corrected.tests == plain.tests  # both p values, and what decides
    assert [corrected.decisive(result) for result in corrected.tests] == [r.p_holm for r in plain.tests]
    assert [plain.decisive(result) for result in plain.tests] == [r.p for r in plain.tests]
    assert plain.tests[0].p < plain.tests[0].p_holm


def test_sign_p_is_the_binomial_sum() -> None:
    for n in range(40):
        for better in range(n + 1):
            tail = sum(math.comb(n, k) for k in range(min(better, n - better) + 1))
            assert sign_p(better, n - better) == float(min(Fraction(1), Fraction(2 * tail, 2**n)))
    n = rules.EXACT_BINOMIAL
    for fewer in (0, 100, n // 2 - 200, n // 2 - 3):
        beyond = sign_p(fewer, n + 1 - fewer)
        total = sum(math.comb(n + 1, k) for k in range(fewer + 1)) if fewer < 200 else None
        if total is not None:
            assert math.log(beyond or 5e-324) == pytest.approx(
                max(math.log(2 * total) - (n + 1) * math.log(2), math.log(5e-324)), rel=1e-9
            )
        assert sign_p(fewer, n - fewer) >= beyond


# [L11] table 7: A preferred / B preferred of 800, restored counts, and whether the paper calls it significant.
TABLE_7 = [
    (91, 52, True), (233, 417, True), (224, 418, True), (229, 436, True), (220, 440, True), (61, 70, False),
    (206, 178, False), (248, 405, True), (195, 406, True), (255, 408, True), (211, 419, True), (207, 267, True),
    (174, 147, False), (225, 295, True), (218, 282, True), (215, 316, True), (218, 300, True), (194, 170, False),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b", "significant"), TABLE_7)
def test_table_7_of_l11(a: int, b: int, significant: bool) -> None:
    """Two-sided sign tests at .01 give all eighteen verdicts. A sentence's four judgments are not independent."""
    assert (sign_p(a, b) < 0.01) == significant


def test_table_7_s_p_values() -> None:
    found = [round(sign_p(a, b), 4) for a, b in ((91, 52), (207, 267), (225, 295), (218, 282), (218, 300))]
    assert found == pytest.approx([0.0014, 0.0067, 0.0024, 0.0048, 0.0004], abs=5e-5)
    assert [round(sign_p(*pair), 2) for pair in ((61, 70), (206, 178), (174, 147), (194, 170))] == [
        0.48,
        0.17,
        0.15,
        0.23,
    ]


def c08_systems() -> tuple[dict[str, list[str]], list[str]]:
    """[C08 §3.1], built: b a little too long, c too short but precise."""
    references = [" ".join(f"w{i}.{j}" for j in range(20)) for i in range(100)]
    long = [f"{reference} x" for reference in references]
    short = [" ".join(reference.split()[:18]) for reference in references]
    return {"b": long, "c": short}, references


def test_bleu_s_sign_test_contradicts_itself() -> None:
    """100 better and 0 worse in either direction for BLEU, p = 2^-99; BLEU-SBP and 4-GRR agree with themselves."""
    systems, references = c08_systems()
    found = fm.compare(
        systems, references, ["bleu", "bleu-sbp", "grr"], test="sign", both_ways=True, samples=100
    )
    scores = [found.systems[name]["bleu"].score / 100 for name in "bc"]
    assert scores == pytest.approx([0.9485, 0.8948], abs=5e-5)
    for metric, forward in (("bleu", (100, 0)), ("bleu-sbp", (0, 100)), ("grr", (0, 100))):
        for result, expected in (
            (found.test("c", metric), forward),
            (found.test("b", metric, "c"), (100, 0)),
        ):
            assert result.signs == rules.SignCounts(*expected, 0)
            assert result.p == 2.0**-99
    grr = found.systems["b"]["grr"].score, found.systems["c"]["grr"].score
    assert grr == pytest.approx((73 / 74, 66 / 74))


@pytest.mark.parametrize("metric", ["wer", "wrr", "grr", "mean-wer", "sentence-bleu"])
def test_plain_and_composite_sign_tests_agree_where_metrics_are_decomposable(metric: str) -> None:
    """With one reference an item; for BLEU they do not."""
    rng = np.random.default_rng(3)
    texts = [
        [" ".join(rng.choice(list("abcd"), size=rng.integers(3, 12))) for _ in range(60)] for _ in range(3)
    ]
    systems = {"one": texts[0], "two": texts[1]}
    signs = [
        fm.compare(systems, texts[2], [metric], test=t, samples=9).tests[0].signs
        for t in ("sign", "plain-sign")
    ]
    assert signs[0] == signs[1]
    bleu = [
        fm.compare(systems, texts[2], ["bleu"], test=t, samples=9).tests[0].signs
        for t in ("sign", "plain-sign")
    ]
    assert bleu[0] != bleu[1]


def test_composite_signs_are_those_of_replacing_each_sentence() -> None:
    rng = np.random.default_rng(4)
    one, two, references = ([" ".join(rng.choice(list("abc"), size=7)) for _ in range(30)] for _ in range(3))
    for metric in ("bleu", "wer", "ter"):
        better = worse = 0
        before = fm.score(one, references, metric).score
        for i in range(30):
            after = fm.score([*one[:i], two[i], *one[i + 1 :]], references, metric).score
            gain = (after - before) * (1 if metric == "bleu" else -1)
            better, worse = better + (gain > 1e-9), worse + (gain < -1e-9)
        (result,) = fm.compare({"1": one, "2": two}, references, [metric], test="sign", samples=9).tests
        assert result.signs == rules.SignCounts(better, worse, 30 - better - worse), metric


def lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().splitlines()


@cache
def wmt17(folder: Path) -> tuple[dict[str, list[str]], list[str], dict[str, dict[str, str]]]:
    rows = {
        row["system"].split()[0]: row
        for row in csv.DictReader((folder / "expected.tsv").open(), delimiter="\t")
    }
    systems = {name: lines(folder / f"sys.{name}.de.gz") for name in rows}
    return systems, lines(folder / "ref.de.gz"), rows


@cache
def compared(folder: Path, test: str, one_sided: bool = False) -> fm.Comparison:
    systems, references, _ = wmt17(folder)
    words = fm.Normalisation(tokenize="none")  # the texts are tokenized
    metrics = ["bleu", "bleu-sbp"]
    return fm.compare(systems, references, metrics, test=test, one_sided=one_sided, normalisation=words)


def test_scores_of_wmt17_systems(shared: Path) -> None:
    found, (*_, rows) = compared(shared / FOLDER, "randomization"), wmt17(shared / FOLDER)
    for name, row in rows.items():
        assert f"{found.systems[name]['bleu'].score:.6f}" == row["sacrebleu_bleu_tok_none"]


@pytest.mark.parametrize(
    ("test", "column"),
    [("randomization", "multeval_ar_p_bleu"), ("sacrebleu-bootstrap", "moses_bootstrap_p_bleu")],
)
def test_published_p_values_of_wmt17(shared: Path, test: str, column: str) -> None:
    """MultEval's and Moses' p values within upstream's tolerance of .01, plus the Monte-Carlo error of both sides."""
    found, (*_, rows) = compared(shared / FOLDER, test), wmt17(shared / FOLDER)
    for name, row in rows.items():
        if name == BASELINE:
            continue
        expected = float(row[column])
        trials = 10_000 if test == "randomization" else 6_000  # Moses: three runs of 2000
        error = 3 * math.sqrt(expected * (1 - expected) * (1 / 10_000 + 1 / trials)) + 2e-4
        assert found.test(name, "bleu").p == pytest.approx(expected, abs=max(0.01, error)), name


@pytest.mark.parametrize(
    ("test", "one_sided", "kit", "xmu"),
    [
        ("bootstrap", False, 0.042, 0.71),
        ("bootstrap", True, 0.023, 0.36),
        ("paired-bootstrap", False, 0.020, 0.37),
        ("sacrebleu-bootstrap", False, 0.022, 0.24),
        ("randomization", False, 0.041, 0.71),
    ],
)
def test_p_values_measured_before(shared: Path, test: str, one_sided: bool, kit: float, xmu: float) -> None:
    """Measured there with other random numbers: within 3.5 standard errors of the difference, and rounding."""
    found = compared(shared / FOLDER, test, one_sided)
    for name, expected in (("KIT.4950", kit), ("xmu.4910", xmu)):
        error = 3.5 * math.sqrt(expected * (1 - expected) * (1 / 10_000 + 1 / 2_000)) + 0.005
        assert found.test(name, "bleu").p == pytest.approx(expected, abs=error)


@pytest.mark.parametrize(("test", "kind"), [("sacrebleu-bootstrap", "bs"), ("randomization", "ar")])
def test_p_values_are_sacrebleu_s(shared: Path, test: str, kind: str) -> None:
    """Its own test on the same systems, chrF and BLEU, within the Monte-Carlo error of both."""
    pytest.importorskip("sacrebleu")
    from sacrebleu.metrics import BLEU, CHRF
    from sacrebleu.significance import PairedTest

    systems, references, _ = wmt17(shared / FOLDER)
    chosen = {name: systems[name][:300] for name in (BASELINE, "KIT.4950", "xmu.4910", "online-B.0")}
    samples = 2000
    peer = PairedTest(
        list(chosen.items()), {"BLEU": BLEU(force=True), "chrF2": CHRF()}, [references[:300]],
        test_type=kind, n_samples=samples,
    )  # fmt: skip
    _, expected = peer()
    found = fm.compare(chosen, references[:300], ["bleu", "chrf"], test=test, samples=20_000)
    for ours, theirs in (("bleu", "BLEU"), ("chrf", "chrF2")):
        for name, result in list(zip(chosen, expected[theirs], strict=True))[1:]:
            assert found.systems[name][ours].score == pytest.approx(result.score, abs=1e-9)
            p = found.test(name, ours).p
            error = 4 * math.sqrt(p * (1 - p) * (1 / samples + 1 / 20_000)) + 2 / samples
            assert result.p_value == pytest.approx(p, abs=error), (ours, name)


def test_intervals_are_percentiles_of_resamples(shared: Path) -> None:
    """Half the width of sacrebleu's interval of one system, which is of the same percentiles, within its error."""
    pytest.importorskip("sacrebleu")
    from sacrebleu.metrics import BLEU

    systems, references, _ = wmt17(shared / FOLDER)
    texts = systems["KIT.4950"][:500]
    peer = BLEU(force=True).corpus_score(texts, [references[:500]], n_bootstrap=2000)
    found = fm.compare({"KIT": texts}, references[:500], "bleu", samples=20_000)
    score = found.systems["KIT"]["bleu"]
    assert score.low is not None
    assert score.high is not None
    assert score.low < score.score < score.high
    assert (score.high - score.low) / 2 == pytest.approx(peer._ci, rel=0.06)
    assert found.tests == ()
    wider = fm.compare({"KIT": texts}, references[:500], "bleu", samples=20_000, confidence=0.99).systems[
        "KIT"
    ]["bleu"]
    assert wider.low is not None
    assert wider.low < score.low


def test_one_system_s_p_does_not_depend_on_the_others() -> None:
    rng = np.random.default_rng(6)
    texts = {name: [" ".join(rng.choice(list("abc"), size=6)) for _ in range(40)] for name in "rxyz"}
    references = texts.pop("r")
    for test in OF_ITEMS:
        metrics = ["wer", "hyter"] if test == "mcnemar" else ["bleu", "wer", "ter"]
        every = fm.compare(texts, references, metrics, test=test, samples=500)
        alone = fm.compare({n: texts[n] for n in "xz"}, references, ["wer"], test=test, samples=500)
        assert every.test("z", "wer").p == alone.test("z", "wer").p
        assert every.systems["z"]["wer"] == alone.systems["z"]["wer"]
        mirrored = fm.compare({n: texts[n] for n in "zx"}, references, ["wer"], test=test, samples=500)
        if test not in ("sign",):
            assert mirrored.tests[0].p == alone.tests[0].p
        assert mirrored.tests[0].delta == -alone.tests[0].delta


def test_shared_statistics_are_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    original = fm.BLEU.statistics
    monkeypatch.setattr(fm.BLEU, "statistics", lambda self, *a: calls.append(self.name) or original(self, *a))
    found = fm.compare({"a": ["x y"], "b": ["x"]}, ["x y"], ["bleu", "bleu-sbp"], samples=5)
    assert len(calls) == 2
    assert set(found.metrics) == {"bleu", "bleu-sbp"}
    calls.clear()
    mean = fm.compare({"a": ["x y", "x"]}, ["x y", "y"], ["mean-bleu", "bleu"], samples=5)
    assert len(calls) == 1
    assert mean.statistics["a"]["mean-bleu"].score == mean.statistics["a"]["bleu"].mean_score


def test_progress_counts_items_under_every_metric() -> None:
    told: list[tuple[str, int, int]] = []
    texts = ["x y"] * 1200
    fm.compare(
        {"a": texts, "b": texts}, texts, ["bleu", "wer"], samples=5, progress=lambda *step: told.append(step)
    )
    scoring = [step for step in told if " of " in step[0]]
    assert {all for _, _, all in scoring} == {4800}
    assert [done for _, done, _ in scoring] == sorted(done for _, done, _ in scoring)
    assert ("bleu of a", 500, 4800) in scoring
    assert ("wer of b", 4800, 4800) in scoring
    assert told[-1] == ("resampling", 5, 5)


def test_statistics_that_only_some_systems_share_are_not_mixed_up() -> None:
    table = np.array(ONE, dtype=float)
    first = {"wer": fm.Statistics(fm.WER(), table), "hyter": fm.Statistics(fm.HyTER(), table)}
    second = {
        "wer": fm.Statistics(fm.WER(), table),
        "hyter": fm.Statistics(fm.HyTER(), np.array(TWO, dtype=float)),
    }
    found = compare_statistics({"a": first, "b": second}, Design("randomization", Resampling(99)))
    assert found.test("b", "wer").p == 1.0
    assert found.test("b", "hyter").p < 1.0


def test_a_table_in_place_of_a_column_names_the_column_of_its_side() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame({"text": ["a"], "pred_text": ["b"]})
    with pytest.raises(fm.FstmetricsError, match=r"the outputs of 'm' .* as table\['pred_text'\]"):
        fm.compare({"m": frame}, frame["text"])
    with pytest.raises(fm.FstmetricsError, match=r"references are .* as table\['text'\]"):
        fm.compare({"m": frame["pred_text"]}, frame)


SPOKEN = [f"the {word} sat on the mat" for word in ("cat", "dog", "cow", "fox", "hen", "owl")] * 4
HEARD = {
    name: [text.replace(" sat", said, 1) if place % step else text for place, text in enumerate(SPOKEN)]
    for name, said, step in (("old", " sad", 2), ("new", "", 3))
}
SPEAKERS = [f"s{place % 8}" for place in range(len(SPOKEN))]


@pytest.mark.parametrize("kind", ["texts", "by id", "scored", "rows"])
@pytest.mark.parametrize(
    "test", ["wilcoxon, mapsswe", ["mapsswe", "wilcoxon"], ("sign", "mapsswe", "mcnemar")]
)
def test_several_tests_by_the_name_of_a_field(kind: str, test: str | list[str], tmp_path: Path) -> None:
    """Each as it is alone, by labels; and as of the command."""
    systems, references, fields = HEARD, SPOKEN, {"speaker": SPEAKERS}
    if kind == "rows":
        fields = [{"speaker": each} for each in SPEAKERS]
    if kind == "by id":
        ids = [f"u{place}" for place in reversed(range(len(SPOKEN)))]
        references = dict(zip(ids, SPOKEN, strict=True))
        systems = {name: dict(zip(ids, texts, strict=True)) for name, texts in HEARD.items()}
        fields = {id: {"speaker": each} for id, each in sorted(zip(ids, SPEAKERS, strict=True))}
    if kind == "scored":
        systems = {name: fm.score(texts, SPOKEN, fields=fields) for name, texts in HEARD.items()}
        references = fields = None
    found = fm.compare(
        systems, references, test=test, blocks="speaker", fields=fields, by="speaker", samples=50
    )
    assert found.design.test == "mapsswe"
    names = test.split(", ") if isinstance(test, str) else test
    assert {each.design.test for each in (found, *found.others)} == {*names}
    for each in (found, *found.others):
        alone = fm.compare(HEARD, SPOKEN, "wer", test=each.design.test, blocks=SPEAKERS, samples=50)
        assert each.tests == alone.tests
        assert each.design.blocks.name == "speaker"
    assert [len(group.others) for group in found.by["speaker"].values()] == [len(names) - 1] * 8
    paths = [
        written(tmp_path / f"{name}.txt", "".join(f"{who}-{n} {text}\n" for n, (who, text) in enumerate(
            zip(SPEAKERS, texts, strict=True)))) for name, texts in (("ref", SPOKEN), *HEARD.items())
    ]  # fmt: skip
    files = fm.compare_files(
        paths[1:], references=paths[0], test=list(names), metric="wer", samples=50, speakers="spu_id"
    )
    by_files = [files.comparison, *files.comparison.others]
    assert {one.design.test: one.tests[0].p for one in by_files} == {
        one.design.test: one.tests[0].p for one in (found, *found.others)
    }


def test_what_cannot_be_tested_is_said() -> None:
    for given, said in (
        ({"blocks": "speaker"}, "no item has a field 'speaker'; the items have no fields"),
        (
            {"blocks": "spk", "fields": {"speaker": SPEAKERS}},
            "no item has a field 'spk'; the fields are speaker",
        ),
        ({"blocks": []}, "all items are of one block"),
        ({"test": []}, "unknown test ''"),
        ({"test": "mapsswe,boot"}, "unknown test 'boot'"),
        ({"test": ["bootstrap", "sign"], "one_sided": True}, "the test sign is two-sided"),
    ):
        with pytest.raises(fm.FstmetricsError, match=re.escape(said)):
            fm.compare(HEARD, SPOKEN, "wer", **given)
    with pytest.raises(fm.FstmetricsError, match="unknown test 'boot'"):
        fm.compare({"a": ["x"]}, ["x"], test="boot")
    with pytest.raises(fm.FstmetricsError, match="unknown test 'MAPSSWE'; did you mean mapsswe"):
        fm.compare({"a": ["x"]}, ["x"], test="MAPSSWE")
    with pytest.raises(fm.FstmetricsError, match="the test sign is two-sided"):
        fm.compare({"a": ["x"]}, ["x"], test="sign", one_sided=True)
    with pytest.raises(fm.FstmetricsError, match=r"2 items in the outputs of 'b', but 1 reference$"):
        fm.compare({"a": ["x"], "b": ["x", "y"]}, ["x"])
    with pytest.raises(fm.FstmetricsError, match="resamples with nothing to divide by"):
        fm.compare({"a": ["x", "y"], "b": ["x", "y"]}, ["x", ""], ["wer"], samples=100)
    with pytest.raises(fm.FstmetricsError, match="samples must be at least 1"):
        Resampling(0)
    with pytest.raises(fm.FstmetricsError, match="at least one system"):
        fm.compare({}, [])


def test_networks_are_for_finite_state_metrics() -> None:
    network = fm.Network.from_dict(
        {"format": "fstmetrics-network/1", "root": "S", "cards": {"S": {"phrases": ["a b", "c d"]}}}
    )
    with pytest.raises(fm.FstmetricsError, match=r"networks are for finite-state metrics .*, not for bleu"):
        fm.compare({"s": ["c d"]}, ["a b"], ["bleu"], networks=[network])
    names = ["wer", "hyter", "mean-hyter", "ter"]
    found = fm.compare({"s": ["c d"]}, ["a b"], names, networks=[network], samples=9)
    assert [found.systems["s"][name].score for name in names] == [0.0, 0.0, 0.0, 100.0]
    assert [found.conditions[name] for name in names] == [*[("refs:network",)] * 3, ("refs:1",)]


def test_nist_has_every_test_of_items() -> None:
    """Its weights are those of all references, so that a test is that of fixed rows: here by resampling them anew."""
    rng = random.Random(4)
    words = ["a", "b", "c", "d", "e"]
    refs = [" ".join(rng.choices(words, k=9)) for _ in range(40)]
    one, two = ([" ".join(rng.sample(r.split(), k=k)) for r in refs] for k in (9, 8))
    for test in OF_ITEMS:
        if test == "mcnemar":
            continue
        found = fm.compare({"one": one, "two": two}, refs, "nist", test=test, samples=500, seed=3)
        assert found.systems["one"]["nist"].score == fm.score(one, refs, "nist").score
        assert 0 < found.tests[0].p <= 1
    metric = fm.NIST().weighted([[r.split()] for r in refs])
    expected = []
    for b in range(20):
        kept = [i for i, times in enumerate(bootstrap_row(3, b, 40)) for _ in range(times)]
        rows = metric.statistics([one[i].split() for i in kept], [[refs[i].split()] for i in kept])
        expected.append(float(metric.corpus_score(rows.sum(axis=0))))
    (sums,) = bootstrap_sums([found.statistics["one"]["nist"].values], Resampling(20, seed=3))
    assert metric.corpus_score(sums) == pytest.approx(expected)
