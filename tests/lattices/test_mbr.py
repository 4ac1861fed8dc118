"""Minimum Bayes risk against two loops over entries, and over all paths of small lattices."""

from __future__ import annotations

import json
import math
import random
import warnings
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from command import EXAMPLES, fstmetrics, written
from random_cases import METRICS, random_string
from weighted_lattices import costly

import fstmetrics as fm
from fstmetrics.io import read_items


def risks(belief: dict[tuple[str, ...], float], metric: fm.Metric) -> dict[tuple[str, ...], float]:
    """The expected loss of everything believed in."""
    total = sum(belief.values())
    return {
        h: sum(share / total * fm.align(h, e, metric).cost for e, share in belief.items()) for h in belief
    }


@pytest.mark.parametrize("seed", range(80))
def test_an_n_best_list_is_decoded_exactly(seed: int) -> None:
    rng = random.Random(seed)
    metric, scale = rng.choice(METRICS).metric, rng.choice((0.0, 0.3, 1.0, 3.0))
    entries = tuple(random_string(rng, 4) for _ in range(rng.randint(1, 9)))
    scores = tuple(rng.uniform(-3, 3) for _ in entries) if rng.random() < 0.8 else None
    belief: dict[tuple[str, ...], float] = defaultdict(float)
    for entry, score in zip(entries, scores or [0.0] * len(entries), strict=True):
        belief[entry] += math.exp(scale * score)
    expected = risks(belief, metric)
    found = fm.mbr(
        fm.NBest("x", entries, tuple(map(" ".join, entries)), scores), metric, scale=scale, nbest=99
    )
    assert (found.exact, found.mass, found.candidates, found.evidence) == (
        True,
        1.0,
        len(belief),
        len(belief),
    )
    assert {each.words: each.expected_loss for each in found.best} == pytest.approx(expected)
    assert [each.expected_loss for each in found.best] == sorted(each.expected_loss for each in found.best)
    assert sum(each.posterior for each in found.best) == pytest.approx(1)
    assert found.one_best.words == entries[0]
    assert found.words == found.best[0].words


@pytest.mark.parametrize("seed", range(80))
def test_a_lattice_is_decoded_over_its_best_paths_and_the_mass_is_exact(seed: int) -> None:
    rng = random.Random(seed)
    case, metric, scale = costly(rng), rng.choice((fm.WER(), fm.GRR(2))), rng.choice((0.25, 1.0))
    masses: dict[tuple[str, ...], float] = defaultdict(float)
    for path in case.paths:
        masses[path.words] += math.exp(-scale * path.cost())
    total = sum(masses.values())
    evidence = [path.words for path in case.lattice.best_paths(3)]
    found = fm.mbr(case.lattice, metric, scale=scale, evidence=3, nbest=99)
    assert not found.exact
    assert (found.evidence, found.candidates) == (len(evidence), len(masses))
    assert found.mass == pytest.approx(sum(masses[words] for words in evidence) / total)
    kept = sum(masses[words] for words in evidence)
    for each in found.best:
        assert each.posterior == pytest.approx(masses[each.words] / total)
        loss = sum(masses[words] / kept * fm.align(each.words, words, metric).cost for words in evidence)
        assert each.expected_loss == pytest.approx(loss)
    whole = fm.mbr(case.lattice, metric, scale=scale, candidates=999, evidence=999)
    assert whole.mass == pytest.approx(1)
    assert whole.best[0].expected_loss == pytest.approx(min(risks(masses, metric).values()))


@pytest.mark.parametrize("seed", range(20))
def test_scales_weigh_the_scores_of_n_best_lists(seed: int) -> None:
    rng = random.Random(seed)
    entries = tuple({random_string(rng, 4) for _ in range(rng.randint(1, 7))})
    scores = tuple(rng.uniform(-3, 3) for _ in entries)
    scales, scale = fm.Scales(rng.choice((0, 0.5, 3)), 1, rng.choice((0, 0.7, -2))), rng.choice((0.3, 1))
    belief = {
        entry: math.exp(scale * (scales.lm * score - scales.word_penalty * len(entry)))
        for entry, score in zip(entries, scores, strict=True)
    }
    nbest = fm.NBest("x", entries, tuple(map(" ".join, entries)), scores)
    found = fm.mbr(nbest, scale=scale, scales=scales, nbest=99)
    assert {each.words: each.expected_loss for each in found.best} == pytest.approx(risks(belief, fm.WER()))
    unscored = fm.NBest("x", entries, tuple(map(" ".join, entries)))
    by_length = fm.mbr(unscored, scales=fm.Scales(word_penalty=scales.word_penalty), nbest=99)
    lengths = {entry: math.exp(-scales.word_penalty * len(entry)) for entry in entries}
    assert {each.words: each.expected_loss for each in by_length.best} == pytest.approx(
        risks(lengths, fm.WER())
    )


def test_candidates_and_evidence_go_to_the_engine_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(1)
    arcs = [(i, i + 1, word, (rng.uniform(0, 3), 0.0)) for i in range(4) for word in "abcd"]
    sources, destinations, words, costs = zip(*arcs, strict=True)
    lattice = fm.Lattice.from_arrays(sources, destinations, words, finals=[4], costs=costs)
    asked = {"candidates": 150, "evidence": 200, "nbest": 150}
    whole = fm.mbr(lattice, **asked)  # type: ignore[arg-type]
    monkeypatch.setattr("fstmetrics.lattices.expected_losses.PAIRS", 450)
    assert fm.mbr(lattice, **asked) == whole  # type: ignore[arg-type]
    assert (whole.candidates, whole.evidence) == (150, 200)


def test_what_has_no_posterior_is_refused() -> None:
    def listed(*scores: float) -> fm.NBest:
        return fm.NBest("x", (("a",),) * len(scores), ("a",) * len(scores), scores)

    for scores in ((math.inf, 0.0), (-math.inf,)):
        with pytest.raises(fm.FstmetricsError, match="finite number"):
            fm.mbr(listed(*scores))
    for scale in (-1.0, math.nan, math.inf):
        with pytest.raises(fm.FstmetricsError, match="scale"):
            fm.mbr(listed(0.0), scale=scale)
    with pytest.raises(fm.FstmetricsError, match="at least 1"):
        fm.mbr(listed(0.0), nbest=0)
    with pytest.raises(fm.FstmetricsError, match="window"):
        fm.mbr(listed(0.0), fm.HyTER(2))
    assert fm.mbr(listed(-math.inf, -1.0, -5000.0), scale=0).best[0].posterior == 1
    far = fm.Lattice.from_arrays([0, 0], [1, 1], ["a", "b"], finals=[1], costs=[(0, 0), (1e6, 0)])
    assert fm.mbr(far).best == ((("a",), 0.0, 1.0),)


def test_a_sample_is_one_text_and_no_list_of_many() -> None:
    assert fm.mbr(["a b", ["a", "b"], ["a b"], "a c"]).words == ("a", "b")
    for samples in ([["a b", "a c"], ["x y", "x z"]], ["a b", ("a b", "c")], [np.array(["a b", "c d"])]):
        with pytest.raises(fm.FstmetricsError, match=r"a list as one hypothesis, .* call once for each item"):
            fm.mbr(samples)


def test_entries_that_normalisation_makes_equal_add_up() -> None:
    nbest = fm.NBest("x", (("A",), ("b",), ("a",)), ("A", "b", "a"), (0.0, 0.5, 0.0))
    assert fm.mbr(nbest).words == ("b",)
    assert fm.mbr(nbest, normalisation=fm.Normalisation(lowercase=True)).words == ("A",)
    spoken = fm.NBest("x", (("uh", "a"), ("a",), ("b",)), ("uh a", "a", "b"), (-1.0, -1.0, -0.5))
    one_sided = fm.Normalisation(ignore_hypothesis=frozenset({"uh"}))
    assert (fm.mbr(spoken).words, fm.mbr(spoken, normalisation=one_sided).candidates) == (("a",), 2)


LISTS = {
    "case": ("The Cat sat", "the Cat sat", "the cat sits"),
    "marks": ("Yes, I do.", "yes I do", "yes it do"),
    "fillers": ("uh I do think so", "I do think so", "uh I do thing so"),
    "chinese": ("今天天气", "今天天 气", "今夭 天气"),
    "markers": ("<s> a b </s>", "a b", "a c"),
}


@pytest.mark.parametrize(
    ("name", "rules", "metrics"),
    [
        ("case", {"lowercase": True}, ("wer", "wrr", "chrf", "bleu", "ter", "linear-bleu", "cer")),
        ("marks", {"remove_punctuation": True, "lowercase": True}, ("wer", "chrf", "bleu", "ter")),
        ("marks", {"tokenize": "13a"}, ("wer", "bleu")),
        ("fillers", {"ignore": {"I"}}, ("wer", "chrf", "bleu")),
        ("fillers", {"ignore_hypothesis": {"I"}}, ("wer", "chrf", "bleu")),
        ("chinese", {"unit": "char-no-space"}, ("wer", "cer", "bleu")),
        ("chinese", {"unit": "char"}, ("wer", "cer", "bleu", "chrf")),
        ("chinese", {"unit": "mixed"}, ("wer", "bleu")),
        ("markers", {"lowercase": True}, ("wer", "chrf")),
    ],
)  # fmt: skip
def test_what_is_chosen_is_an_entry_as_it_was_given(
    name: str, rules: dict[str, object], metrics: tuple[str, ...], tmp_path: Path
) -> None:
    given = [tuple(word for word in text.split() if word not in ("<s>", "</s>")) for text in LISTS[name]]
    rows = "".join(f"0 ||| {text} ||| ||| -{rank / 10}\n" for rank, text in enumerate(LISTS[name]))
    lists = written(tmp_path / "lists", rows)
    for metric in metrics:
        found = fm.mbr(list(LISTS[name]), metric, nbest=3, normalisation=fm.Normalisation(**rules))  # type: ignore[arg-type]
        assert {each.words for each in found.best} <= {*given}
        assert found.one_best.words == given[0]
        options = {
            key.replace("ignore_hypothesis", "ignore_hyp"): " ".join(value)
            if isinstance(value, set)
            else value
            for key, value in rules.items()
        }
        (record,) = fm.mbr_files(lists, metric=metric, nbest=3, **options).records or ()
        assert {tuple(each["hypothesis"]) for each in record["nbest"]} <= {*given}
        asked = [
            f"--{key.replace('_', '-')}" + ("" if value is True else f"={value}")
            for key, value in options.items()
        ]
        ran = fstmetrics("mbr", lists, "--metric", metric, *asked)
        assert ran.out == " ".join(record["hypothesis"]) + "\n"
        assert "normalised" not in ran.err


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter", "chrf++"])
@pytest.mark.parametrize(
    "rules",
    [
        {"unit": "char"},
        {"unit": "char-no-space"},
        {"remove_punctuation": True},
        {"lowercase": True, "ignore": {"the"}},
        {"tokenize": "intl"},
    ],
)
def test_metrics_of_strings_see_what_they_see_in_score(metric: str, rules: dict[str, object]) -> None:
    texts = ("Well,yes: the cat sat (on) it.", "Well, the cat sat on it", "well,yes the dog-cat sat on it")
    normalisation, scores = fm.Normalisation(**rules), (-1.0, -1.1, -1.3)  # type: ignore[arg-type]
    shares = [math.exp(score) for score in scores]
    expected = {
        tuple(h.split()): sum(
            share
            / sum(shares)
            * float(fm.score([h], [e], metric, normalisation=normalisation).item_scores[0])
            for e, share in zip(texts, shares, strict=True)
        )
        for h in texts
    }
    found = fm.mbr(fm.NBest("x", texts, scores=scores), metric, nbest=3, normalisation=normalisation)  # type: ignore[arg-type]
    assert {each.words: abs(each.expected_loss) for each in found.best} == pytest.approx(expected)


@pytest.mark.parametrize("metric", ["wer", "cer", "bleu", "linear-bleu"])
def test_characters_of_lattices_are_printed_as_words(metric: str, tmp_path: Path) -> None:
    """And what else is done to words of lattices is said."""
    lattice = written(tmp_path / "l.att", "0 1 Ab Ab 0\n1 2 c c 0.5\n1 2 d d 0.9\n2 0\n")
    ran = fstmetrics("mbr", lattice, "--metric", metric, "--unit", "char")
    assert (ran.status, ran.out) == (0, "l Ab c\n")
    assert "normalised" not in ran.err
    folded = fstmetrics("mbr", lattice, "--metric", metric, "--lowercase")
    assert folded.out == "l ab c\n"
    assert "what is printed of lattices and forests is normalised" in folded.err


def test_the_command_prints_text_that_can_be_scored(tmp_path: Path) -> None:
    lists = tmp_path / "lists.txt"
    lists.write_text(
        "u1 ||| a b c ||| f ||| -1.0\nu1 ||| a x ||| f ||| -1.1\nu1 ||| a b ||| f ||| -1.2\nu2 ||| z ||| f ||| 0\n"
    )
    ran = fstmetrics("mbr", lists, "--output", tmp_path / "o")
    assert ran.out == "u1 a b\nu2 z\n"
    assert "2 items\nsum of expected wer losses 0.6994 (0.3497 per item), of the 1-best 0.9651" in ran.err
    assert "1 different from the 1-best" in ran.err
    first, second = (json.loads(line) for line in (tmp_path / "o").read_text().splitlines())
    assert (first["hypothesis"], first["one_best"]["hypothesis"]) == (["a", "b"], ["a", "b", "c"])
    assert first["expected_loss"] < first["one_best"]["expected_loss"]
    assert (second["mass"], second["exact"], second["posterior"]) == (1.0, True, 1.0)
    assert fstmetrics("mbr", lists, "--text", "trn").out == "a b (u1)\nz (u2)\n"
    gains = fstmetrics("mbr", lists, "--metric", "wrr", "--json").out
    gain = -json.loads(gains)["expected_loss"]
    assert gain > 0
    assert (
        f"2 items\nsum of expected wrr gains {gain:.4f} ({gain / 2:.4f} per item), of the 1-best"
        in fstmetrics("mbr", lists, "--metric", "wrr").err
    )
    assert fstmetrics("mbr", lists, "--nbest", "2").out == "u1 a b\nu1 a b c\nu2 z\n"
    (tmp_path / "hyp").write_text(ran.out)
    (tmp_path / "ref").write_text("u1 a b\nu2 y\n")
    assert fstmetrics("score", tmp_path / "ref", tmp_path / "hyp").out.startswith("%WER 33.33 [ 1 / 3")
    numbered = tmp_path / "numbered.txt"
    numbered.write_text("0 ||| a b ||| f ||| -1.0\n1 ||| ||| f ||| -1.1\n")
    assert fstmetrics("mbr", numbered).out == "a b\n\n"
    assert "needs; use --text plain" in fstmetrics("mbr", numbered, "--text", "trn").err
    assert "expected lattices, forests or n-best lists" in fstmetrics("mbr", tmp_path / "ref").err
    ran = fstmetrics("mbr", EXAMPLES / "oracle" / "lattices", "--scale", "0.1", "--evidence", "5")
    assert "the evidence of 4 lattices has" in ran.err


def test_numbers_of_lists_need_not_begin_with_0_where_nothing_is_paired(tmp_path: Path) -> None:
    lists = tmp_path / "n"
    lists.write_text("3 ||| a ||| ||| -1\n1 ||| b ||| ||| -1\n")
    assert fstmetrics("mbr", lists).out == "3 a\n1 b\n"
    assert fstmetrics("convert", lists, tmp_path / "o", "--to", "nbest").err == ""
    assert (tmp_path / "o").read_text() == "3 ||| a ||| ||| -1.0\n1 ||| b ||| ||| -1.0\n"


WORDS = ["(w)", "{ x / y }", "@", "[z]", "a;b", "\\", "a / b", "{", "and/or", "x (u2)", "\x85", "x\xa0y"]
IDS = ["a)b", "(a", "u-1"]


@pytest.mark.parametrize("text", ["kaldi", "trn", "plain"])
def test_what_would_be_read_as_something_else_is_not_printed(text: str, tmp_path: Path) -> None:
    """Every item comes back from what is printed, or is refused by name, and --keep-going prints the others."""
    lists, out, kept = tmp_path / "lists.txt", tmp_path / "out.txt", []
    format = "kaldi-text" if text == "kaldi" else text
    given = [*((f"u{i}", words) for i, words in enumerate(WORDS)), *((id, "a") for id in IDS)]
    for id, words in given:
        lists.write_text(f"{id} ||| {words} ||| f ||| 0\n", encoding="utf-8")
        ran = fstmetrics("mbr", lists, "--text", text, "--format", "nbest")
        out.write_text(ran.out, encoding="utf-8")
        if ran.status == 2:
            assert (ran.out, text) == ("", "trn")
            assert f"item {id}: the " in ran.err
            continue
        (item,) = read_items(out, format=format).items
        assert (item.id, item.value) == (None if text == "plain" else id, tuple(words.split()))
        kept.append(item.value)
    assert len(kept) == len(given) - (2 if text == "trn" else 0)  # ids with parentheses
    lists.write_text("".join(f"{id} ||| {words} ||| f ||| 0\n" for id, words in given), encoding="utf-8")
    ran = fstmetrics("mbr", lists, "--text", text, "--keep-going", "--output", tmp_path / "records")
    out.write_text(ran.out, encoding="utf-8")
    assert [item.value for item in read_items(out, format=format).items] == kept


def test_the_command_decodes_forests(tmp_path: Path) -> None:
    graph, weights = EXAMPLES / "forests" / "house.graph", EXAMPLES / "forests" / "weights.txt"
    forest = fm.Network.read(graph, weights=weights)
    expected = fm.mbr(forest, "wer", scales=fm.Scales(acoustic=1.0, lm=0.5))
    ran = fstmetrics(
        "mbr", graph, "--weights", weights, "--lm-scale", "0.5", "--output", tmp_path / "o", "--json"
    )
    record, summary = json.loads((tmp_path / "o").read_text()), json.loads(ran.out)
    assert record["hypothesis"] == list(expected.words)
    assert record["expected_loss"] == expected.best[0].expected_loss
    assert (record["mass"], record["exact"]) == (expected.mass, False)
    assert (summary["lattices"], summary["without_scores"]) == (1, 0)
    assert "the evidence of 1 forest has" in ran.err
    assert "no scores" not in ran.err


def test_a_forest_without_costs_is_told_how_it_gets_them() -> None:
    ran = fstmetrics("mbr", EXAMPLES / "forests" / "house.graph", "--json")
    assert (ran.status, json.loads(ran.out)["without_scores"]) == (0, 1)
    assert "1 forest has no scores: every derivation counts the same; --weights FILE gives hyper" in ran.err
    assert "1-best" not in ran.err


def test_moses_and_joshua_lists_and_pocketsphinx_lattices(shared: Path) -> None:
    for path in ("mt-joshua/example.nbest.out.srilm.gz", "mt-moses/mert.extractor-txt/nbest.1.gz"):
        for nbest in [item.value for item in read_items(shared / path, format="nbest").items][:2]:
            assert nbest.scores
            short = fm.NBest(
                nbest.id, nbest.entries[:20], nbest.texts[:20], nbest.scores and nbest.scores[:20]
            )
            for metric in (fm.WER(), fm.GRR()):
                belief: dict[tuple[str, ...], float] = defaultdict(float)
                for entry, score in zip(short.entries, short.scores or [0.0] * 20, strict=False):
                    belief[entry] += math.exp(score - max(short.scores or [0.0]))
                found = fm.mbr(short, metric, nbest=20)
                assert {e.words: e.expected_loss for e in found.best} == pytest.approx(risks(belief, metric))
    lattice = fm.Lattice.read(shared / "asr-pocketsphinx/holmes31.slf.gz")
    found = fm.mbr(lattice, scale=0.1, candidates=20, evidence=40)
    assert found.best[0].expected_loss <= found.one_best.expected_loss
    assert 0 < found.mass < 1


def test_the_two_lattices_of_pocketsphinx_differ_among_equals_only(shared: Path) -> None:
    """One writes whole numbers, the other six decimals: costs differ by millionths, and so does the order of ties."""
    for id in ("holmes33", "holmes07"):
        both = [fm.Lattice.read(shared / f"asr-pocketsphinx/{id}.{form}.gz") for form in ("lat", "slf")]
        lat, slf = (lattice.best_paths(150) for lattice in both)
        costs = {path.words: path.cost for path in lat}
        shared_paths = [path for path in slf if path.words in costs]
        assert len(shared_paths) > 140
        assert all(abs(path.cost - costs[path.words]) < 1e-5 for path in shared_paths)
        assert [path.words for path in lat] != [path.words for path in slf]
        assert all(abs(one.cost - other.cost) < 1e-5 for one, other in zip(lat, slf, strict=True))


@pytest.mark.parametrize("name", ["bleu", "sentence-bleu", "chrf", "ter"])
def test_metrics_of_strings_are_expected_as_item_scores(name: str) -> None:
    texts = ("the cat sat .", "the cat sat down .", "a cat , sat", "the cat sat .")
    scores = (-1.0, -1.2, -1.1, -2.0)
    nbest = fm.NBest("x", tuple(tuple(text.split()) for text in texts), texts, scores)
    belief: dict[str, float] = defaultdict(float)
    for text, score in zip(texts, scores, strict=True):
        belief[text] += math.exp(score)
    total = sum(belief.values())
    sign = 1 if name == "ter" else -1
    expected = {
        tuple(h.split()): sum(
            share / total * sign * float(fm.score([h], [e], name).item_scores[0])
            for e, share in belief.items()
        )
        for h in belief
    }
    found = fm.mbr(nbest, name, nbest=9)
    assert {each.words: each.expected_loss for each in found.best} == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(20))
def test_bleu_of_all_pairs_is_that_of_each(seed: int) -> None:
    rng = random.Random(seed)
    left, right = ([random_string(rng, 9) for _ in range(rng.randint(1, 5))] for _ in range(2))
    metric = fm.BLEU()
    table = metric.pair_statistics(left, right)
    for i, words in enumerate(left):
        for j, other in enumerate(right):
            assert table[i, j].tolist() == metric.statistics([words], [[other]])[0].tolist()


def test_utilities_of_another_program_choose() -> None:
    nbest = fm.NBest("x", (("a",), ("b",), ("a",)), ("a", "b", "a"), (0.0, 0.0, 0.0))
    found = fm.mbr(nbest, utilities=[[0, 1, 2], [3, 3, 3], [9, 0, 9]], nbest=3)
    assert [(each.words, each.expected_loss) for each in found.best] == [
        (("a",), pytest.approx(-6)),
        (("b",), pytest.approx(-3)),
    ]
    assert found.one_best.expected_loss == pytest.approx(-1)
    for wrong, message in (
        ([[1, 2], [3, 4]], "3 entries, and its utilities 2 rows"),
        ([[1, 2, 3]], "a row and a column for each entry"),
        ([[0, 0, 0], [0, math.nan, 0], [0, 0, 0]], "row 2, column 2 is nan"),
        ([["x"]], "matrix of numbers"),
    ):
        with pytest.raises(fm.FstmetricsError, match=message):
            fm.mbr(nbest, utilities=wrong)
    with pytest.raises(fm.FstmetricsError, match="take the place of a metric"):
        fm.mbr(nbest, "bleu", utilities=[[1]])
    with pytest.raises(fm.FstmetricsError, match="of an n-best list"):
        fm.mbr(fm.Lattice.from_strings([["a"]]), utilities=[[1]])


def test_files_of_utilities_are_arrays_by_id_or_tables(tmp_path: Path) -> None:
    lists = tmp_path / "lists.nbest"
    lists.write_text(
        "0 ||| a ||| f= 1 ||| -1\n0 ||| b ||| f= 1 ||| -1\n1 ||| c ||| f= 1 ||| -1\n", encoding="utf-8"
    )
    chosen = np.array([[0.0, 1.0], [5.0, 2.0]])
    np.savez(tmp_path / "u.npz", **{"0": chosen, "1": np.array([[1.0]])})
    head = "id,candidate,evidence,utility\n"
    rows = [f"0,{i},{j},{chosen[i, j]}\n" for i in range(2) for j in range(2)]
    (tmp_path / "u.csv").write_text(head + "".join(rows) + "1,0,0,1\n", encoding="utf-8")
    for name in ("u.npz", "u.csv"):
        ran = fstmetrics("mbr", lists, "--utilities", tmp_path / name)
        assert ran.out.split() == ["b", "c"]
        assert "that no n-best list has" not in ran.err
    np.savez(tmp_path / "more.npz", **{"0": chosen, "1": np.array([[1.0]]), "7": chosen})
    ran = fstmetrics("mbr", lists, "--utilities", tmp_path / "more.npz")
    assert "more.npz has utilities of ids that no n-best list has: 7" in ran.err
    for text, message in (
        (head + "".join(rows), "no utilities of the n-best list '1'"),
        (head + "0,0,0,1\n0,0,0,2\n", ":3: list '0', candidate 0, evidence 0 is there twice"),
        (head + "0,0,-1,1\n", ":2: evidence is '-1', not the number of an entry"),
        (head + "0,0,0,nan\n", ":2: utility is 'nan', not a finite number"),
        ("id,candidate,utility\n0,0,1\n", "no column is called evidence"),
        (
            head + "0,1,1,1\n1,0,0,1\n",
            "u.csv: list '0' has no utility of candidate 0 with evidence 0; expected all",
        ),
        (head + "0,0,0,1\n0,0,1,1\n0,1,0,1\n", "list '0' has no utility of candidate 1 with evidence 1"),
    ):
        (tmp_path / "u.csv").write_text(text, encoding="utf-8")
        ran = fstmetrics("mbr", lists, "--utilities", tmp_path / "u.csv")
        assert ran.status == 2
        assert message in ran.err


@pytest.mark.parametrize(
    "matrix", [[["1", "2"], ["3", "4"]], [[1j, 0], [0, 1]], [[1, 2], [3]], [[None, 1], [1, 1]]]
)
def test_utilities_are_real_numbers(matrix: list[list[object]]) -> None:
    nbest = fm.NBest("x", (("a",), ("b",)), ("a", "b"), (0.0, 0.0))
    with pytest.raises(fm.FstmetricsError, match="matrix of numbers"):
        fm.mbr(nbest, utilities=matrix)


@pytest.mark.parametrize("metric", ["wer", "chrf", "bleu"])
def test_samples_are_a_list_without_scores(metric: str) -> None:
    texts = ["The cat sat.", "a cat sat", "The cat sat.", "the cats sat"]
    expected = fm.mbr(fm.NBest("", tuple(tuple(t.split()) for t in texts), tuple(texts)), metric)
    for given in (texts, tuple(texts), np.array(texts), [t.split() for t in texts]):
        found = fm.mbr(given, metric)
        assert found.words == expected.words
        assert found.best[0].posterior == 0.5
    assert fm.mbr(texts, metric, nbest=9).best[0].expected_loss == expected.best[0].expected_loss


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "there is no sample"),
        (["a", 3], "samples"),
        ("a b", "not str"),
        ({"a": "b"}, "not dict"),
        ([None], "None"),
    ],
)
def test_other_samples_are_refused(given: object, message: str) -> None:
    with pytest.raises(fm.FstmetricsError, match=message):
        fm.mbr(given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("scores", "warned"),
    [
        ((0.2, 0.8), True),
        ((0.0, 1.0), True),
        ((0.0, 0.0), False),
        ((-0.2, -0.8), False),
        ((0.2, 3.0), False),
        (None, False),
    ],
)
def test_scores_that_may_be_probabilities_are_warned_of(
    scores: tuple[float, ...] | None, warned: bool, tmp_path: Path
) -> None:
    """As the command remarks on them, which does not warn."""
    nbest = fm.NBest("u", (("a", "b"), ("a", "c")), ("a b", "a c"), scores=scores)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        assert fm.mbr(nbest).best[0].posterior > 0
    said = "scores between 0 and 1, which are read as natural logarithms of probabilities"
    assert sum(said in str(each.message) for each in found) == warned
    assert all(each.filename == __file__ for each in found)
    if scores:
        rows = "".join(f"u ||| {t} ||| ||| {s}\n" for t, s in zip(nbest.texts, scores, strict=True))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            remarks = fm.mbr_files(written(tmp_path / "lists", rows)).summary()["remarks"]
        assert any(said in remark for remark in remarks) == warned


COSTS = fm.NBest("u", ["a", "b b", "b c"], scores=[1.0, 20.0, 21.0])


@pytest.mark.parametrize(
    ("scores", "scales", "warned"),
    [
        ((1.0, 20.0, 21.0), None, "; if scores are costs, give scales=Scales(lm=-1)"),
        ((-9.0, -1.0, -2.0), None, ""),
        ((1.0, 20.0, 21.0), fm.Scales(lm=-1), None),
        ((-1.0, -9.0, -9.0), None, None),
        (None, None, None),
    ],
)
@pytest.mark.parametrize("what", ["mbr", "oracle"])
def test_scores_that_may_be_costs_are_warned_of(
    what: str, scores: tuple[float, ...] | None, scales: fm.Scales | None, warned: str | None, tmp_path: Path
) -> None:
    """As the command remarks on them."""
    nbest = fm.NBest("u", COSTS.entries, scores=scores)
    if what == "oracle" and scores is None:
        return  # nothing weighs them
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        if what == "mbr":
            fm.mbr(nbest, scales=scales)
        else:
            fm.oracle(nbest, "a", scales=scales, model_weight=1.0)
    said = "in 1 list another entry has a better score than the first, that is, a higher one"
    assert [str(each.message) for each in found] == ([] if warned is None else [said + warned])
    assert all(each.filename == __file__ for each in found)
    if scores and scales is None:
        rows = "".join(f"u ||| {t} ||| ||| {s}\n" for t, s in zip(nbest.texts, scores, strict=True))
        remarks = fm.mbr_files(written(tmp_path / "lists", rows)).summary()["remarks"]
        assert any(said in remark for remark in remarks) == (warned is not None)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: fm.mbr(COSTS, scales=fm.Scales(lm=-1, acoustic=2)),
            "^acoustic of scales .* nothing of n-best lists",
        ),
        (
            lambda: fm.mbr(["a", "b"], scales=fm.Scales(lm=2)),
            "^lm of scales would change nothing of texts, which have",
        ),
        (
            lambda: fm.oracle(COSTS, "a", scales=fm.Scales(lm=3)),
            "scales would change nothing of n-best lists, whose",
        ),
    ],
)
def test_scales_that_would_change_nothing_are_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(fm.FstmetricsError, match=message):
        call()


def test_scales_that_weigh_lists_and_samples_are_taken() -> None:
    assert fm.mbr(COSTS, scales=fm.Scales(lm=-1)).words == ("a",)
    assert fm.mbr(["a b", "c"], scales=fm.Scales(word_penalty=9)).words == ("c",)
    found = fm.oracle(COSTS, "a", scales=fm.Scales(lm=-1), model_weight=1.0)
    assert found.hope[0].result.hypothesis == ("a",)
