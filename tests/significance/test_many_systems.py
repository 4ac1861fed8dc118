"""Several systems: all pairs, clusters, parts of the test set, several runs of a system, given scores."""

from __future__ import annotations

import gzip
import itertools
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import fstmetrics as fm
from fstmetrics.data.groupings import Grouping
from fstmetrics.engine.resampling import Resampling, chosen_sums
from fstmetrics.significance import Runs, compare_statistics, external_statistics, holm
from fstmetrics.significance.comparison import Comparison, Design
from fstmetrics.significance.null_distributions import distributions

NAN = float("nan")
WORDS = ["the", "cat", "sat", "on", "a", "mat"]


def corpus(items: int = 60, systems: int = 4, seed: int = 3) -> tuple[dict[str, list[str]], list[str]]:
    """Systems that get worse and worse, the second nearly as the first."""
    rng = random.Random(seed)
    refs = [" ".join(rng.choices(WORDS, k=8)) for _ in range(items)]

    def output(ref: str, wrong: float) -> str:
        return " ".join("x" if rng.random() < wrong else word for word in ref.split())

    return {f"s{n}": [output(ref, (0.1, 0.11, 0.3, 0.5)[n]) for ref in refs] for n in range(systems)}, refs


@pytest.mark.parametrize("test", ["bootstrap", "randomization", "sign", "paired-bootstrap"])
def test_all_pairs_are_the_comparisons_of_two(test: str) -> None:
    """Also the corrected p, which is Holm's over all of them."""
    systems, refs = corpus()
    found = fm.compare(systems, refs, ["wer", "bleu"], test=test, samples=300, pairs="all")
    pairs = list(itertools.combinations(systems, 2))
    assert [(t.baseline, t.system) for t in found.tests if t.metric == "wer"] == pairs
    for metric in ("wer", "bleu"):
        alone = [
            fm.compare({a: systems[a], b: systems[b]}, refs, metric, test=test, samples=300) for a, b in pairs
        ]
        results = [t for t in found.tests if t.metric == metric]
        assert [(t.delta, t.p) for t in results] == [(c.tests[0].delta, c.tests[0].p) for c in alone]
        assert [t.p_holm for t in results] == holm([t.p for t in results])


def test_clusters_are_cut_where_all_above_beat_all_below() -> None:
    systems, refs = corpus()
    found = fm.compare(systems, refs, ["wer", "bleu"], samples=500, pairs="all", correction="holm")
    for metric in ("wer", "bleu"):
        assert found.ranking(metric)[2:] == ["s2", "s3"]
        assert [set(cluster) for cluster in found.clusters(metric)] == [{"s0", "s1"}, {"s2"}, {"s3"}]
    assert found.clusters("wer", level=1e-9) == [found.ranking("wer")]
    assert found.as_dict()["clusters"]["wer"] == found.clusters("wer")
    with pytest.raises(fm.FstmetricsError, match="all pairs"):
        fm.compare(systems, refs, "wer", samples=9).clusters("wer")
    with pytest.raises(fm.FstmetricsError, match="both_ways is for a baseline"):
        Design(pairs="all", both_ways=True)


def test_one_pair_that_does_not_differ_keeps_a_cluster_together() -> None:
    """a > b > c, where only a and c differ significantly: one cluster, for b belongs to both sides."""
    rng = np.random.default_rng(1)
    noise = rng.normal(size=(3, 50))
    noise -= noise.mean(axis=1, keepdims=True)
    scores = {
        name: list(level + noise[i]) for i, (name, level) in enumerate((("a", 0.5), ("b", 0.25), ("c", 0.0)))
    }
    found = fm.compare(scores={"m": scores}, samples=500, pairs="all")
    p = {(t.baseline, t.system): t.p for t in found.tests}
    assert p["a", "c"] < 0.05 < min(p["a", "b"], p["b", "c"])
    assert found.clusters("m") == [["a", "b", "c"]]


@pytest.mark.parametrize("blocks", [False, True])
def test_parts_are_the_comparisons_of_their_items(blocks: bool) -> None:
    systems, refs = corpus()
    domains = ["news" if i % 3 else "web" for i in range(60)]
    speakers = [f"p{i % 7}" for i in range(60)]
    found = fm.compare(
        systems, refs, ["wer", "bleu"], samples=200, fields={"domain": domains}, by="domain",
        blocks=speakers if blocks else None,
    )  # fmt: skip
    assert list(found.by["domain"]) == ["news", "web"]
    for value, part in found.by["domain"].items():
        kept = [i for i, domain in enumerate(domains) if domain == value]
        alone = fm.compare(
            {name: [texts[i] for i in kept] for name, texts in systems.items()}, [refs[i] for i in kept],
            ["wer", "bleu"], samples=200, blocks=[speakers[i] for i in kept] if blocks else None,
        )  # fmt: skip
        # Holm's correction is over all values of the field.
        assert [replace(test, corrected={}, family=1) for test in part.tests] == [
            replace(test, corrected={}, family=1) for test in alone.tests
        ]
        for name in systems:
            for metric in ("wer", "bleu"):
                one, two = part.systems[name][metric], alone.systems[name][metric]
                assert (one.score, one.low, one.high) == (two.score, two.low, two.high)
        row = next(row for row in found.as_dict()["by"]["domain"] if row["value"] == value)
        assert (row["items"], row["systems"]["s0"]["wer"]["score"]) == (
            len(kept),
            part.systems["s0"]["wer"].score,
        )


def test_parts_of_a_single_item_have_scores_only() -> None:
    systems, refs = corpus(5, 2)
    found = fm.compare(systems, refs, "wer", samples=50, fields=[{"d": "a"}] * 4 + [{}], by=["d"])
    lone = found.by["d"][None]
    assert (lone.items, lone.tests, lone.systems["s0"]["wer"].low) == (1, (), None)
    assert found.by["d"]["a"].tests
    with pytest.raises(fm.FstmetricsError, match="no item has a field 'x'; the fields are d"):
        fm.compare(systems, refs, "wer", samples=50, fields=[{"d": "a"}] * 5, by="x")


def test_nist_of_a_part_has_the_weights_of_all() -> None:
    systems, refs = corpus(40, 2)
    found = fm.compare(
        systems, refs, "nist", samples=20, fields={"half": [i % 2 for i in range(40)]}, by="half"
    )
    metric = fm.NIST().weighted([[ref.split()] for ref in refs])
    rows = metric.statistics([h.split() for h in systems["s0"][::2]], [[ref.split()] for ref in refs[::2]])
    assert found.by["half"][0].systems["s0"]["nist"].score == float(metric.corpus_score(rows.sum(axis=0)))


class Length(fm.TextMetric):
    """MultEval's: words of the output over those of the reference."""

    name = "length"
    columns = ("output", "reference")
    percent = True

    def statistics(self, hypotheses, references):  # type: ignore[no-untyped-def]
        return np.array(
            [[len(h), len(r[0])] for h, r in zip(hypotheses, references, strict=True)], dtype=float
        )

    def corpus_score(self, sums):  # type: ignore[no-untyped-def]
        return 100 * sums[..., 0] / sums[..., 1]


def lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().removesuffix("\n").split("\n")


def test_runs_of_an_optimizer_give_multeval_s_table(shared: Path) -> None:
    """The row of MultEval's own README: average (s_sel/s_opt/p), printed with one decimal, p with two.

    MultEval counts shuffles above the difference, not equal to it, so that p of a copy of the baseline is 0 there and 1
    here; and p of the length, which is a difference of whole words, is a little smaller: 0.09.
    """
    folder = shared / "mt-multeval"
    table = (folder / "expected_table.txt").read_text().splitlines()
    refs = lines(folder / "refs.test2010.lc.tok.en.0.gz")
    systems = {
        name: Runs([lines(folder / f"hyps.lc.tok.en.{name}.opt{run}.gz") for run in range(3)])
        for name in ("baseline", "sys1")
    }
    found = fm.compare(
        systems,
        refs,
        ["bleu", "ter", Length()],
        test="randomization",
        normalisation=fm.Normalisation(tokenize="none"),
    )
    rows = {name: row.split() for name, row in zip(systems, table[1:3], strict=True)}
    for system, row in rows.items():
        cells = row[-8::2], row[-7::2]
        for metric, place in (("bleu", 0), ("ter", 2), ("length", 3)):
            score = found.systems[system][metric]
            s_sel, s_opt, p = cells[1][place].strip("()").split("/")
            assert f"{score.score:.1f}" == cells[0][place]
            assert score.s_sel == pytest.approx(float(s_sel), abs=0.06)
            assert f"{score.s_opt:.1f}" == s_opt
            assert np.mean(score.runs) == pytest.approx(score.score)
            if p != "-":
                assert found.test(system, metric).p == pytest.approx(float(p), abs=0.02)


def test_exchanges_of_runs_are_of_items_of_the_same_run() -> None:
    """p by enumerating all exchanges of three items of two runs; of pooled counts."""
    rng = random.Random(2)
    one, two = ([[(rng.randint(0, 4), 5) for _ in range(3)] for _ in range(2)] for _ in range(2))

    def pooled(chosen: list[tuple[int, int]]) -> float:
        return sum(e for e, _ in chosen) / sum(n for _, n in chosen)

    flat = [list(itertools.chain(*runs)) for runs in (one, two)]
    d = abs(pooled(flat[0]) - pooled(flat[1]))
    counted = 0
    for coins in itertools.product((0, 1), repeat=6):
        sides = [[flat[c ^ k][i] for i, c in enumerate(coins)] for k in (0, 1)]
        counted += abs(pooled(sides[0]) - pooled(sides[1])) >= d - 1e-12
    systems = {
        name: {
            "wer": fm.Statistics.of_runs(
                [fm.Statistics(fm.WER(), np.array(run, dtype=float)) for run in runs]
            )
        }
        for name, runs in (("one", one), ("two", two))
    }
    (result,) = compare_statistics(systems, Design("randomization", Resampling(20_000))).tests
    assert result.p == pytest.approx(counted / 64, abs=0.015)


def test_runs_that_do_not_fit_are_refused() -> None:
    systems, refs = corpus(10, 2)
    runs = Runs([systems["s0"], systems["s1"]])
    with pytest.raises(fm.FstmetricsError, match="numbers of runs differ: 2 of a, 1 of b"):
        fm.compare({"a": runs, "b": systems["s0"]}, refs, "wer", samples=9)
    with pytest.raises(
        fm.FstmetricsError, match=r"9 items in the outputs of 'a \(run 2\)', but 10 references"
    ):
        fm.compare({"a": Runs([systems["s0"], systems["s1"][:9]])}, refs, "wer", samples=9)
    with pytest.raises(fm.FstmetricsError, match="two or more"):
        Runs([systems["s0"]])
    with pytest.raises(fm.FstmetricsError, match="mapsswe"):
        fm.compare({"a": runs, "b": runs}, refs, "wer", test="mapsswe", samples=9)


def given(seed: int = 1, items: int = 40) -> dict[str, list[float]]:
    rng = random.Random(seed)
    return {
        name: [rng.random() + better for _ in range(items)] for name, better in (("s0", 0.2), ("s1", 0.0))
    }


def test_given_scores_have_every_test_of_means() -> None:
    """As the mean of item scores of a metric has them: here of WER, whose scores are given back."""
    systems, refs = corpus(40, 2)
    scores = {name: fm.score(texts, refs, "wer").columns()["score"] for name, texts in systems.items()}
    for test in (
        "bootstrap",
        "paired-bootstrap",
        "randomization",
        "sign",
        "plain-sign",
        "sacrebleu-bootstrap",
    ):
        found = fm.compare(
            systems, refs, "mean-wer", test=test, samples=300, scores={"again": scores}, lower=["again"]
        )
        own, again = found.tests
        assert (own.p, own.delta, own.signs) == (again.p, pytest.approx(again.delta), again.signs)
        assert found.systems["s1"]["again"].low == pytest.approx(found.systems["s1"]["mean-wer"].low)
    blocks = [str(i) for i in range(40)]
    ranks = fm.compare(
        scores={"again": scores}, lower="again", test="wilcoxon", blocks=blocks, samples=9
    ).tests[0]
    own = fm.compare(systems, refs, "mean-wer", test="wilcoxon", blocks=blocks, samples=9).tests[0]
    assert ranks.p == own.p


def test_scores_of_whole_systems_are_shown_and_not_tested() -> None:
    systems, refs = corpus(40, 2)
    found = fm.compare(systems, refs, "wer", samples=50, scores={"m": {"s0": 0.8, "s1": 0.7, "other": 0.1}})
    assert (found.systems["s0"]["m"].score, found.systems["s0"]["m"].low) == (0.8, None)
    assert [t.metric for t in found.tests] == ["wer"]
    assert "m: scores of whole systems; there is nothing to resample, so it is not tested" in str(found)
    only = fm.compare(scores={"m": {"s0": 0.8, "s1": 0.7}}, samples=50)
    assert (list(only.systems), only.tests) == (["s0", "s1"], ())


def test_higher_and_lower_decide_who_is_better() -> None:
    scores = given()
    high = fm.compare(scores={"m": scores}, samples=300, test="sign")
    low = fm.compare(scores={"m": scores}, lower="m", samples=300, test="sign")
    one, two = high.tests[0].signs, low.tests[0].signs
    assert one is not None
    assert two is not None
    assert (one.better, one.worse) == (two.worse, two.better)
    assert one.worse > one.better


@pytest.mark.parametrize(
    ("scores", "lower", "message"),
    [
        ({"m": {"s0": [1.0] * 40}}, (), "m has no scores of the system s1; it has those of s0"),
        ({"m": {"s0": [1.0] * 39, "s1": [1.0] * 39}}, (), "m has 39 scores of s0, but there are 40 items"),
        (
            {"m": {"s0": [1.0] * 40, "s1": 3}},
            (),
            "m of s1 is one score of the system, but that of s0 one an item",
        ),
        (
            {"m": {"s0": [1.0, float("nan")] * 20, "s1": [1.0] * 40}},
            (),
            "m of item 2 is missing for s0, and there for s1",
        ),
        ({"m": {"s0": [NAN] * 40, "s1": [NAN] * 40}}, (), "m has no score of any item"),
        ({"m": {"s0": [1.0, float("inf")] * 20, "s1": [1.0] * 40}}, (), "m of item 2 of s0 is inf"),
        ({"m": {"s0": NAN, "s1": 1.0}}, (), "m of s0 is nan"),
        ({"m": {}}, (), "scores of m are a dict of scores by system"),
        ({"wer": given()}, (), "two metrics are called wer"),
        ({}, ("m",), "lower: 'm': no scores were given"),
    ],
)
def test_scores_that_do_not_fit_are_refused(
    scores: dict[str, object], lower: tuple[str, ...], message: str
) -> None:
    systems, refs = corpus(40, 2)
    with pytest.raises(fm.FstmetricsError, match=message):
        fm.compare(systems, refs, "wer", samples=9, scores=scores, lower=lower)  # type: ignore[arg-type]


def test_one_function_gives_everything_of_n_systems() -> None:
    """Metrics of texts, given scores, all pairs and parts from statistics: what `compare` is made of."""
    systems, refs = corpus(40, 3)
    labels = [{"domain": "ab"[i % 2]} for i in range(40)]
    texts = {name: fm.score(output, refs, "bleu", fields=labels) for name, output in systems.items()}
    rng = random.Random(1)
    comet = external_statistics("comet", {name: [rng.random() for _ in refs] for name in systems})
    found = compare_statistics(
        {name: {"bleu": texts[name], "comet": comet[name]} for name in systems},
        Design(pairs="all", by=(Grouping(("domain",)),)),
    )
    assert isinstance(found, Comparison)
    record = found.as_dict()
    assert set(record) == {"systems", "tests", "clusters", "by", "settings"}
    assert [set(part) for part in record["by"]["domain"]] == [
        {"value", "items", "systems", "tests", "clusters"}
    ] * 2
    assert len(record["tests"]) == 2 * 3
    assert {metric for system in record["systems"].values() for metric in system} == {"bleu", "comet"}


def test_exchanges_of_all_pairs_are_those_of_two() -> None:
    """What a pair gains is the difference of its sums of chosen items, as of the differences of the pair alone."""
    rng = np.random.default_rng(6)
    tables = [rng.integers(0, 9, (70, 3)).astype(float) for _ in range(3)]
    chosen = chosen_sums(tables, Resampling(40, seed=2))
    for i, j in itertools.combinations(range(3), 2):
        (gained,) = chosen_sums([tables[j] - tables[i]], Resampling(40, seed=2))
        assert np.array_equal(gained, chosen[j] - chosen[i])


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_pictures_of_runs_have_the_p_of_their_test(test: str) -> None:
    systems, refs = corpus(30, 2)
    runs = {"a": Runs([systems["s0"], systems["s1"]]), "b": Runs([systems["s1"], refs])}
    found = fm.compare(runs, refs, "wer", test=test, samples=200)
    one, two = (each["wer"] for each in found.statistics.values())
    (drawn,) = [each for each in distributions(one, two, found.design.resampling) if each.test == test]
    assert (drawn.count + 1) / 201 == found.tests[0].p


def test_networks_alone_are_references_enough() -> None:
    network = fm.Network.from_dict(
        {"format": "fstmetrics-network/1", "root": "S", "cards": {"S": {"phrases": ["a b", "c d"]}}}
    )
    found = fm.compare({"s": ["c d"]}, metrics=["wer", "grr"], networks=[network], samples=9)
    assert [found.systems["s"][name].score for name in ("wer", "grr")] == [0.0, 1.0]
    with pytest.raises(fm.FstmetricsError, match="bleu compares strings, not networks"):
        fm.compare({"s": ["c d"]}, metrics=["wer", "bleu"], networks=[network], samples=9)


def test_wilcoxon_of_items_is_scipy_s() -> None:
    """Without equal differences, whose ranks sc_stats shares out in turn; items without a score do not count."""
    stats = pytest.importorskip("scipy.stats")
    scores = given(2, 60)
    expected = stats.wilcoxon(scores["s0"], scores["s1"], method="asymptotic").pvalue
    for more in ([], [NAN] * 5):
        rows = {name: values + more for name, values in scores.items()}
        items = [str(i) for i in range(60 + len(more))]
        found = fm.compare(scores={"m": rows}, test="wilcoxon", blocks=items, samples=9)
        assert found.tests[0].p == pytest.approx(expected, rel=1e-9)


def test_tables_of_many_values_show_those_with_the_most_items() -> None:
    values = [f"d{i:02}" for i in range(60)] + [f"d{i:02}" for i in range(5, 55)]
    found = fm.compare(
        scores={"m": {"a": [0.5] * 110, "b": [0.25] * 110}},
        samples=9,
        fields={"document": values},
        by="document",
    )
    text = str(found)
    assert [f"d{i:02}" in text for i in range(60)] == [5 <= i < 55 for i in range(60)]
    assert "by document: and 10 more values with fewer items; --json has all" in text
    assert len(found.as_dict()["by"]["document"]) == 60


def test_metrics_of_other_items_are_refused() -> None:
    systems, refs = corpus(40, 1)
    comet = external_statistics("comet", {"s0": [0.5] * 39})["s0"]
    with pytest.raises(fm.FstmetricsError, match="numbers of items differ: 40 of wer, 39 of comet"):
        compare_statistics({"s0": {"wer": fm.compare(systems, refs, "wer", samples=9).statistics["s0"]["wer"],
                                   "comet": comet}}, Design())  # fmt: skip


@pytest.mark.parametrize("grammar", ["en@0.25", "compounds@0.5"])
def test_costs_of_rewriting_count_in_a_comparison_as_in_a_score(grammar: str) -> None:
    references = ["the colour of 25 houses", "I don't like it", "the cat sat"]
    outputs = ["the color of twenty-five houses", "I do not like it", "a cat sat"]
    alone = fm.score(outputs, references, "wer", grammars=grammar)
    found = fm.compare({"a": outputs, "b": references}, references, "wer", grammars=grammar, samples=10)
    assert found.systems["a"]["wer"].score == alone.score
