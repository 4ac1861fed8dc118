"""BLEU and its kin, TER, chrF, NIST and METEOR: against slow versions, their peers, and the papers' own numbers."""

from __future__ import annotations

import gzip
import json
import math
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
import reference_metrics as slow
from command import EXAMPLES

import fstmetrics as fm
from fstmetrics.metrics.bleu import ngram_matches
from fstmetrics.metrics.registry import SHIPPED, PathName, TextName

Sentences = list[list[str]]


# Texts that are tokenized already.
AS_THEY_STAND = fm.Normalisation(tokenize="none")


def draw_words(rng: random.Random, most: int = 9, letters: str = "abc") -> list[str]:
    return [rng.choice(letters) for _ in range(rng.randrange(most + 1))]


def draw_corpus(rng: random.Random, items: int = 4) -> tuple[Sentences, list[Sentences]]:
    references = [[draw_words(rng) for _ in range(rng.randint(1, 3))] for _ in range(items)]
    return [draw_words(rng) for _ in range(items)], references


def alternatives(references: list[Sentences]) -> list[fm.Alternatives]:
    return [fm.Alternatives(refs) for refs in references]


def lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().splitlines()


def test_type_checkers_know_every_metric() -> None:
    paths = {name for name in SHIPPED if issubclass(fm.METRICS[name], fm.Metric)}
    assert set(get_args(PathName)) == paths
    assert set(get_args(TextName)) == SHIPPED.keys() - paths


def test_ngram_matches_are_those_of_dictionaries() -> None:
    rng = random.Random(1)
    for _ in range(100):
        hypotheses, references = draw_corpus(rng, rng.randint(1, 5))
        matches, totals = ngram_matches(hypotheses, references)
        for i, (words, refs) in enumerate(zip(hypotheses, references, strict=True)):
            for n in range(1, 5):
                assert matches[i, n - 1] == slow.matches(words, refs, n)
                assert totals[i, n - 1] == max(0, len(words) - n + 1)


@pytest.mark.parametrize("kind", ["closest", "shortest", "average"])
@pytest.mark.parametrize("strict", [False, True])
def test_bleu_is_the_definition(kind: str, strict: bool) -> None:
    rng = random.Random(2)
    metric = (fm.BLEUSBP if strict else fm.BLEU)(kind, "none")  # type: ignore[arg-type]
    scores = []
    for _ in range(500):
        hypotheses, references = draw_corpus(rng)
        if not any(map(len, hypotheses)) or not all(sum(map(len, refs)) for refs in references):
            continue
        found = fm.score(hypotheses, alternatives(references), metric).score
        scores.append(found)
        assert found == pytest.approx(100 * slow.bleu(hypotheses, references, kind, strict), abs=1e-10)
    assert sum(score > 0 for score in scores) > 100


@pytest.mark.parametrize("smoothing", ["exp", "plus-one", "none"])
def test_bleu_is_sacrebleu_s(smoothing: str) -> None:
    sacrebleu = pytest.importorskip("sacrebleu.metrics")
    method = {"exp": "exp", "none": "none", "plus-one": "add-k"}[smoothing]
    peer = sacrebleu.BLEU(tokenize="none", smooth_method=method, force=True)
    rng = random.Random(3)
    for _ in range(100):
        hypotheses, references = draw_corpus(rng)
        found = fm.score(hypotheses, alternatives(references), fm.BLEU(smoothing=smoothing))  # type: ignore[arg-type]
        streams = [[" ".join(refs[j]) if j < len(refs) else None for refs in references] for j in range(3)]
        expected = peer.corpus_score([" ".join(words) for words in hypotheses], streams).score
        assert found.score == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("smoothing", ["exp", "plus-one", "none"])
def test_item_scores_are_sacrebleu_s_sentence_bleu(smoothing: str, shared: Path) -> None:
    """Of short sentences above all: orders that a sentence is too short for do not count."""
    sacrebleu = pytest.importorskip("sacrebleu.metrics")
    method = {"exp": "exp", "none": "none", "plus-one": "add-k"}[smoothing]
    peer = sacrebleu.BLEU(tokenize="none", smooth_method=method, effective_order=True)
    rng = random.Random(4)
    hypotheses = [draw_words(rng, 6) for _ in range(2000)]
    references = [[draw_words(rng, 6) for _ in range(rng.randint(1, 2))] for _ in range(1000)]
    references += [[words] for words in hypotheses[1000:1500]]  # perfect ones
    references += [[draw_words(rng, 5)] for _ in range(500)]
    folder = shared / "mt-wmt" / "newstest2021.en-de"
    real = zip(lines(folder / "hyp.UEdin.de.gz"), lines(folder / "ref.A.de.gz"), strict=True)
    for hypothesis, reference in list(real)[:300]:
        first = rng.randrange(6)  # pieces of one to six words
        hypotheses.append(hypothesis.split()[: first + 1])
        references.append([reference.split()[: rng.randrange(1, 7)]])
    metric = fm.BLEU(smoothing=smoothing)  # type: ignore[arg-type]
    found = fm.score(hypotheses, alternatives(references), metric)
    expected = [
        peer.sentence_score(" ".join(words), [" ".join(ref) for ref in refs]).score
        for words, refs in zip(hypotheses, references, strict=True)
    ]
    both_empty = [not words and not any(refs) for words, refs in zip(hypotheses, references, strict=True)]
    assert found.item_scores == pytest.approx(np.array(expected), abs=1e-9)
    assert sum(score > 0 and len(words) < 4 for score, words in zip(expected, hypotheses, strict=True)) > 300
    assert any(both_empty)
    assert found.mean_score == pytest.approx(np.mean(expected))
    sentence = fm.score(hypotheses, alternatives(references), fm.SentenceBLEU(smoothing=smoothing))  # type: ignore[arg-type]
    assert sentence.score == pytest.approx(np.mean(expected))
    assert sentence.item_scores == pytest.approx(np.array(expected), abs=1e-9)


@pytest.mark.parametrize("metric", ["bleu", "bleu-sbp", "sentence-bleu", "mean-bleu"])
def test_a_perfect_sentence_of_two_words_scores_100_as_an_item(metric: str) -> None:
    assert fm.score(["Hello ,"], ["Hello ,"], metric).item_scores.tolist() == [100.0]


@pytest.mark.parametrize("tokenizer", ["none", "13a", "intl", "char", "zh"])
def test_bleu_of_real_systems_is_sacrebleu_s_with_every_tokenizer(shared: Path, tokenizer: str) -> None:
    sacrebleu = pytest.importorskip("sacrebleu.metrics")
    folder = shared / "mt-wmt" / "newstest2021.en-de"
    hypotheses = lines(folder / "hyp.UEdin.de.gz")[:300]
    streams = [lines(folder / f"ref.{name}.de.gz")[:300] for name in "ACD"]
    words = fm.Normalisation(tokenize=tokenizer)
    found = fm.score(
        hypotheses, [fm.Alternatives(r) for r in zip(*streams, strict=True)], "bleu", normalisation=words
    )
    expected = sacrebleu.BLEU(tokenize=tokenizer, force=True).corpus_score(hypotheses, streams)
    assert found.score == pytest.approx(expected.score, abs=1e-9)


def test_bleu_of_multeval_s_data(shared: Path) -> None:
    """sacrebleu_bleu_tok_none.tsv: four references, and each alone."""
    folder = shared / "mt-multeval"
    streams = {f"ref{i}": lines(folder / f"set1.ref{i}.gz") for i in range(4)}
    checked = 0
    for row in (folder / "sacrebleu_bleu_tok_none.tsv").read_text().splitlines()[1:]:
        file, numbers, expected, _ = row.split("\t")
        if not (folder / f"{file}.gz").exists() or not file.startswith("set1"):
            continue
        chosen = [streams[f"ref{number}"] for number in numbers.split(",")]
        references = [fm.Alternatives(texts) for texts in zip(*chosen, strict=True)]
        found = fm.score(lines(folder / f"{file}.gz"), references, "bleu", normalisation=AS_THEY_STAND).score
        assert f"{found:.6f}" == expected, row
        checked += 1
    assert checked == 10


def test_toy_scores_of_sacrebleu_and_cdec(shared: Path) -> None:
    checked = 0
    for line in (shared / "expected-toy-scores" / "cases.jsonl").open():
        case = json.loads(line)
        kind = case["metric"]
        references = [fm.Alternatives(refs) for refs in zip(*case["refs"], strict=True)]
        if kind.startswith("TER"):
            found, expected = fm.score(case["hyp"], references, "ter").score, case["expected"]
        elif kind.startswith("BLEU corpus"):
            words = fm.Normalisation(tokenize=kind.split("tokenize=")[1].split(",")[0])
            found, expected = (
                fm.score(case["hyp"], references, "bleu", normalisation=words).score,
                case["expected"],
            )
        elif kind.startswith("IBM BLEU"):
            found = fm.score(case["hyp"], references, "bleu", normalisation=AS_THEY_STAND).score
            expected = 100 * case["expected"]
        else:
            continue
        if case["id"].startswith("cdec-ter"):
            continue
        checked += 1
        assert found == pytest.approx(expected, abs=1e-3), case["id"]
    assert checked >= 7


def decomposability_example() -> tuple[Sentences, Sentences, Sentences]:
    """[C08]: two references of different words, outputs A + 10 foreign words and 20 words of B."""
    a, b = [f"a{i}" for i in range(20)], [f"b{i}" for i in range(30)]
    return [a, b], [[*a, *(f"x{i}" for i in range(10))], b[:20]], [a, b[:20]]


def test_bleu_falls_though_a_sentence_improves() -> None:
    """[C08], the numbers recomputed."""
    references, before, after = decomposability_example()
    score = {
        name: [fm.score(h, references, name).score / 100 for h in (before, after)]
        for name in ("bleu", "bleu-sbp")
    }
    assert score["bleu"] == pytest.approx([0.7867, 0.7788], abs=5e-5)
    assert score["bleu-sbp"] == pytest.approx([0.6127, 0.7788], abs=5e-5)
    first = [fm.score(h[:1], references[:1], "bleu").score / 100 for h in (before, after)]
    assert first == pytest.approx([0.6484, 1], abs=5e-5)
    gains = [fm.score(h, references, "grr") for h in (before, after)]
    assert [(g.gain, g.max_gain) for g in gains] == [(138, 188), (148, 188)]


CB06_TEXT = """Orejuela appeared calm as he was led to the American plane which will take him to Miami , Florida .
Orejuela appeared calm while being escorted to the plane that would take him to Miami , Florida .
Orejuela appeared calm as he was being led to the American plane that was to carry him to Miami in Florida .
Orejuela seemed quite calm as he was being led to the American plane that would take him to Miami in Florida ."""
CB06_REFERENCES = CB06_TEXT.splitlines()
CB06_HYPOTHESIS = "Appeared calm when he was taken to the American plane , which will to Miami , Florida ."


@pytest.mark.parametrize(
    "hypothesis",
    [
        CB06_HYPOTHESIS,
        "which will he was , when taken Appeared calm to the American plane to Miami , Florida .",
    ],
)
def test_table_1_of_cb06(hypothesis: str) -> None:
    """[CB06] tables 1-2: the same counts for the hypothesis and for a permutation of its pieces."""
    words = fm.Normalisation(lowercase=True)
    found = fm.score([hypothesis], [fm.Alternatives(CB06_REFERENCES)], "bleu", normalisation=words)
    assert found.values[0].tolist() == [15, 10, 5, 3, 18, 17, 16, 15, 18, 18, 18]
    assert found.score == pytest.approx(41.84, abs=0.005)
    cased = fm.score([hypothesis], [fm.Alternatives(CB06_REFERENCES)], "bleu")
    assert cased.values[0, :4].tolist() == [14, 9, 5, 3]


METRICS = {
    "wer": fm.WER(), "wrr": fm.WRR(), "grr": fm.GRR(2), "sclite": fm.Sclite(), "hyter": fm.HyTER(2),
    "mean-wer": fm.Mean(fm.WER()), "sentence-bleu": fm.SentenceBLEU(), "ter": fm.TER(),
    "meteor": fm.METEOR("none"), "tesla-m": fm.TeslaM(lambda words: [fm.metrics.tesla.Token(w) for w in words]),
    "bleu": fm.BLEU(smoothing="plus-one"), "bleu-sbp": fm.BLEUSBP(smoothing="plus-one"),
    "chrf": fm.ChrF(), "nist": fm.NIST(), "gtm": fm.GTM(2),
    "tesla-f": fm.TeslaF(
        str(EXAMPLES / "tesla-f" / "phrase-table"), analyser=lambda words: [fm.metrics.tesla.Token(w) for w in words]
    ),
    "maxsim": fm.MaxSim(lambda words: [fm.metrics.tesla.Token(w) for w in words]),
}  # fmt: skip


def worsened(metric: fm.CorpusMetric, several: bool, tries: int, seed: int = 5) -> tuple[object, ...] | None:
    """A corpus of two items of which one improves and the whole gets worse."""
    rng = random.Random(seed)
    sign = 1 if metric.recognition else -1

    def score(hyps: Sentences, refs: Sequence[object]) -> float:
        return sign * fm.score(hyps, refs, metric).score  # type: ignore[call-overload, no-any-return]

    for _ in range(tries):
        refs = [
            fm.Alternatives([draw_words(rng, 6) or ["a"] for _ in range(2 if several else 1)])
            for _ in range(2)
        ]
        hyps = [draw_words(rng, 7) or ["b"] for _ in range(2)]
        other = draw_words(rng, 7) or ["c"]
        before, after = score(hyps[:1], refs[:1]), score([other], refs[:1])
        if before > after:
            before, after, hyps, other = after, before, [other, hyps[1]], hyps[0]
        if after > before + 1e-9 and score([other, hyps[1]], refs) < score(hyps, refs) - 1e-9:
            return refs, hyps, other
    return None


@pytest.mark.parametrize("name", METRICS)
def test_decomposability_is_what_the_metric_says(name: str) -> None:
    """design.md, Scores: where it holds no example is found; where it does not, one is."""
    if name == "meteor":
        pytest.importorskip("nltk")
    metric = METRICS[name]
    tries = 150
    claim = metric.decomposable
    one, several = worsened(metric, False, 3000 if claim == "never" else tries), None
    if claim == "with one reference an item":
        several = worsened(metric, True, 5000)
    elif claim == "always":
        several = worsened(metric, True, tries)
    assert (one is None) == (claim != "never")
    if claim == "with one reference an item":
        assert several is not None
    else:
        assert several is None


def test_ter_and_chrf_score_sums_as_sacrebleu_does() -> None:
    sacrebleu = pytest.importorskip("sacrebleu.metrics")
    rng = random.Random(7)
    for metric, peer in ((fm.TER(), sacrebleu.TER()), (fm.ChrF(), sacrebleu.CHRF())):
        for _ in range(60):
            hypotheses, references = draw_corpus(rng, 3)
            texts = [" ".join(words) for words in hypotheses]
            streams = [
                [" ".join(refs[j]) if j < len(refs) else None for refs in references] for j in range(3)
            ]
            found = fm.score(hypotheses, alternatives(references), metric)
            assert found.score == pytest.approx(peer.corpus_score(texts, streams).score, abs=1e-9)
            for i, score in enumerate(found.item_scores):
                refs = [" ".join(ref) for ref in references[i]]
                assert score == pytest.approx(peer.sentence_score(texts[i], refs).score, abs=1e-9)


def test_nist_and_meteor_are_nltk_s(shared: Path) -> None:
    pytest.importorskip("nltk")
    from nltk.translate.meteor_score import meteor_score
    from nltk.translate.nist_score import corpus_nist

    folder = shared / "mt-compare-mt"
    hypotheses = [line.split() for line in lines(folder / "ted.sys1.eng.gz")[:60]]
    references = [line.split() for line in lines(folder / "ted.ref.eng.gz")[:60]]
    found = fm.score(hypotheses, references, "nist")
    assert found.score == pytest.approx(corpus_nist([[r] for r in references], hypotheses, 5))
    assert math.isnan(found.mean_score)
    without = type("Empty", (), {"synsets": staticmethod(lambda word: [])})
    expected = [meteor_score([r], h, wordnet=without) for h, r in zip(hypotheses, references, strict=True)]
    assert fm.score(hypotheses, references, fm.METEOR("none")).score == pytest.approx(np.mean(expected))


def test_nist_is_mteval_s_definition(shared: Path) -> None:
    """With several references, too, where nltk takes the best one by itself; and in small corpora."""
    folder = shared / "mt-multeval"
    hypotheses = [line.split() for line in lines(folder / "set1.out.0.gz")[:100]]
    streams = [[line.split() for line in lines(folder / f"set1.ref{i}.gz")[:100]] for i in range(4)]
    for several in (1, 2, 4):
        references = [list(refs) for refs in zip(*streams[:several], strict=True)]
        expected = slow.nist(hypotheses, references)
        assert fm.score(hypotheses, alternatives(references), "nist").score == pytest.approx(expected)
    rng = random.Random(8)
    for _ in range(200):
        short, refs = draw_corpus(rng, 3)
        if any(map(len, short)) and any(len(ref) for item in refs for ref in item):
            found = fm.score(short, alternatives(refs), "nist").score
            assert found == pytest.approx(slow.nist(short, refs))


def test_meteor_with_synonyms() -> None:
    pytest.importorskip("nltk")
    wordnet_or_skip()
    with_synonyms, without = (
        fm.score(["the auto stopped"], ["the car stopped"], fm.METEOR(kind)).score
        for kind in ("wordnet", "none")
    )
    assert with_synonyms > without


def wordnet_or_skip() -> None:
    from fstmetrics.metrics.wordnet import wordnet

    try:
        wordnet()
    except fm.FstmetricsError as error:
        pytest.skip(str(error))


def test_chrf_takes_text_as_written() -> None:
    pytest.importorskip("sacrebleu")  # its tokenizer
    texts = ['"Well," he said.', "It's &quot;late&quot;."], ['"Good," he said.', "It is &quot;late&quot;."]
    words = fm.Normalisation(tokenize="13a")
    assert fm.score(*texts, "chrf", normalisation=words).score == fm.score(*texts, "chrf").score
    bleu = fm.score(*texts, "bleu", normalisation=words).score
    assert (
        bleu == fm.score(*texts, "bleu").score != fm.score(*texts, "bleu", normalisation=AS_THEY_STAND).score
    )


def test_means_and_sums() -> None:
    hypotheses, references = ["a b c d", "x", "a b"], ["a b c d", "y z", "a c"]
    for name in ("wer", "hyter", "bleu", "grr"):
        inner = fm.score(hypotheses, references, name)
        outer = fm.score(hypotheses, references, f"mean-{name}")
        assert outer.score == pytest.approx(inner.mean_score)
    whole, parts = (
        fm.score(hypotheses, references, "bleu-sbp"),
        [fm.score([h], [r], "bleu-sbp") for h, r in zip(hypotheses, references, strict=True)],
    )
    assert (parts[0] + parts[1] + parts[2]).score == whole.score
    assert [part.mean_score for part in parts] == whole.item_scores.tolist()
    with pytest.raises(fm.FstmetricsError):
        parts[0] + fm.score(["a"], ["a"], "bleu")


def test_statistics_of_the_engine_give_its_scores() -> None:
    rng = random.Random(11)
    for name in ("wer", "wrr", "grr", "sclite", "hyter"):
        for _ in range(50):
            hypotheses, references = draw_corpus(rng, 3)
            corpus = fm.score(hypotheses, alternatives(references), name)
            statistics = fm.Statistics.of(corpus)
            assert statistics.score == corpus.score or math.isnan(corpus.score)
            assert statistics.item_scores.tolist() == [item.score for item in corpus]


def test_what_cannot_be_scored_is_said() -> None:
    lattice = fm.Lattice.from_arcs([(0, 1, "a")], finals=[1])
    with pytest.raises(fm.FstmetricsError, match="bleu compares strings"):
        fm.score([["a"]], [lattice], "bleu")
    with pytest.raises(fm.FstmetricsError, match="bleu has no best path"):
        fm.align("a", "a", "bleu")
    with pytest.raises(fm.FstmetricsError, match="did you mean bleu"):
        fm.score(["a"], ["a"], "blue")
    with pytest.raises(fm.FstmetricsError, match="'longest' is not one of closest"):
        fm.BLEU("longest")  # type: ignore[arg-type]
    with pytest.raises(fm.FstmetricsError, match="there is no item"):
        fm.score([], [], "bleu")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("nltk.translate.meteor_score", "sacrebleu.metrics"):
        monkeypatch.setitem(__import__("sys").modules, module, None)
    with pytest.raises(fm.FstmetricsError, match=r"METEOR needs nltk.*pip install 'fstmetrics\[mt\]'"):
        fm.score(["a"], ["a"], fm.METEOR("none"))
    assert fm.score(["a b"], ["a b"], "chrf").score == 100


@pytest.mark.parametrize("metric", [fm.METEOR("none"), fm.TER()])
def test_metrics_that_fold_case_say_so(metric: fm.TextMetric) -> None:
    mixed = fm.score(["THE CAT sat"], ["the cat Sat"], metric)
    lower = fm.score(["THE CAT sat"], ["the cat Sat"], metric, normalisation=fm.Normalisation(lowercase=True))
    assert (mixed.score, mixed.signature) == (lower.score, lower.signature)
    assert "|case:lower|" in mixed.signature


class Given(fm.TextMetric):
    """Statistics as a test has them, whatever the texts are."""

    name = "given"
    columns = ("same", "all")
    rows: Any = None

    def statistics(self, hypotheses: Any, references: Any) -> Any:
        return self.rows

    def corpus_score(self, sums: Any) -> Any:
        return sums[..., 0] / np.maximum(sums[..., 1], 1)


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (np.ones((1, 2)), r"shape \[1, 2\]"),
        (np.ones((9, 2)), r"shape \[9, 2\]"),
        (np.ones((2, 1)), r"shape \[2, 1\]"),
        (np.ones(2), r"shape \[2\]"),
        ([[1, 1], [0, 1]], "list"),
        (None, "None"),
    ],
)
def test_statistics_that_have_no_row_an_item_are_refused(rows: Any, found: str) -> None:
    metric = Given()
    metric.rows = rows
    texts = ["a", "b"]
    for call in (
        lambda: fm.score(texts, texts, metric),
        lambda: fm.score(dict(zip("xy", texts, strict=True)), dict(zip("xy", texts, strict=True)), metric),
        lambda: fm.compare({"a": texts, "b": texts}, texts, metric, samples=9),
    ):
        with pytest.raises(
            fm.FstmetricsError, match=rf"of given gave {found}.*of shape \[2, 2\] is expected"
        ):
            call()
    metric.rows = np.array([[1, 1], [0, 1]])
    assert fm.score(texts, texts, metric).score == 0.5
