"""BLEU, TER and chrF against sacrebleu itself: random odd texts, real systems, every parameter, its own signatures."""

from __future__ import annotations

import gzip
import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import fstmetrics, written

import fstmetrics as fm
from fstmetrics.text import tokenizers

metrics = pytest.importorskip("sacrebleu.metrics", reason="sacrebleu is not installed")

TOKENIZERS = ["13a", "intl", "zh", "char", "none"]
# Words, entities, punctuation alone, Han, kana and Hangul, marks that belong to the letter before, and all white space.
WORDS = [
    "the", "cat", "The", "Cat.", "sat,", "don't", "3.5", "1,000", "a-b", "--", "...", ".", "!", "?", "«x»", "日本語",
    "中文字。", "，", "é", "É", "İ", "ß", "ẞ", "ΑΣ.", "&amp;", "&quot;hi&quot;", "<skipped>", "“q”", "$5", "€", "(hi)",
    "hi)", "'", "한국어", "𝒳", "ﬁ", "…", "<unk>",
    "カタカナ", "ひら", "x-", "e\u0301", "\u200b", "\ufeff", "x\u00a0y", "-\n",
    "a\u2028b", "a\x0cb", "\x1c", "\x85", "\u3000",
]  # fmt: skip
SPACES = [" ", " ", " ", "  ", "", "\t", "\u00a0", "\u3000"]


def lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().splitlines()


def text(chance: random.Random, words: int) -> str:
    return "".join(chance.choice(WORDS) + chance.choice(SPACES) for _ in range(chance.randrange(words)))


def corpus(seed: int) -> tuple[list[str], list[list[str]]]:
    """Outputs and their references, as many for each; some outputs are parts of a reference, some texts are empty."""
    chance = random.Random(seed)
    several = chance.randrange(1, 4)
    references = [[text(chance, 12) for _ in range(several)] for _ in range(chance.randrange(1, 6))]
    outputs = [
        " ".join(part for part in refs[0].split(" ") if chance.random() < 0.8)
        if chance.random() < 0.7
        else text(chance, 12)
        for refs in references
    ]
    return outputs, references


def agree(found: Any, peer: Any, of_items: Any, outputs: list[str], references: list[list[str]]) -> None:
    """The score of the corpus and of every item; and the signature, of which sacrebleu makes the same metric."""
    streams = [list(stream) for stream in zip(*references, strict=True)]
    assert found.score == pytest.approx(peer.corpus_score(outputs, streams).score, abs=1e-9)
    items = [of_items.sentence_score(*pair).score for pair in zip(outputs, references, strict=True)]
    assert found.item_scores == pytest.approx(np.array(items), abs=1e-9)
    name, _, signature = found.sacrebleu_signature.partition("|")
    assert signature == peer.get_signature().format()
    assert name == peer.corpus_score(outputs, streams).name
    again = as_it_says(found.sacrebleu_signature).corpus_score(outputs, streams).score
    assert found.score == pytest.approx(again, abs=1e-9)


def as_it_says(signature: str) -> Any:
    """The metric of sacrebleu that a signature describes."""
    name, *parts = signature.split("|")
    said = dict(part.split(":", 1) for part in parts)
    lowercase = said["case"] == "lc"
    if name == "BLEU":
        smooth, _, value = said["smooth"].partition("[")
        number = float(value.rstrip("]")) if value else None
        return metrics.BLEU(lowercase, True, said["tok"], smooth, number)
    if name == "TER":
        assert said["tok"] == "tercom"
        return metrics.TER(
            said["norm"] == "yes", said["punct"] == "no", said["asian"] == "yes", case_sensitive=not lowercase
        )
    beta = int(name.removeprefix("chrF").rstrip("+"))
    assert name.count("+") == int(said["nw"])
    return metrics.CHRF(
        int(said["nc"]), int(said["nw"]), beta, lowercase, said["space"] == "yes", said["eff"] == "no"
    )


def settings(**values: list[Any]) -> Iterator[dict[str, Any]]:
    """All combinations of parameters."""
    for chosen in product(*values.values()):
        yield dict(zip(values, chosen, strict=True))


BLEUS = list(settings(tokenize=TOKENIZERS, lowercase=[False, True], smooth_method=["exp", "add-k", "none"]))
CHRFS = list(
    settings(char_order=[1, 6], word_order=[0, 2], beta=[1, 3], lowercase=[False, True], whitespace=[False, True],
             eps_smoothing=[False, True])
)  # fmt: skip
TERS = list(
    settings(normalized=[False, True], no_punct=[False, True], asian_support=[False, True],
             case_sensitive=[False, True])
)  # fmt: skip


@pytest.mark.parametrize("given", BLEUS, ids=lambda given: "-".join(map(str, given.values())))
def test_bleu_of_odd_texts(given: Mapping[str, Any]) -> None:
    peer, of_items = metrics.BLEU(**given, force=True), metrics.BLEU(**given, effective_order=True)
    words = fm.Normalisation(tokenize=given["tokenize"], lowercase=given["lowercase"])
    smoothing = {"add-k": "plus-one"}.get(given["smooth_method"], given["smooth_method"])
    for seed in range(10):
        found = fm.score(*corpus(seed), fm.BLEU(smoothing=smoothing), normalisation=words)
        agree(found, peer, of_items, *corpus(seed))


@pytest.mark.parametrize("given", CHRFS, ids=lambda given: "-".join(map(str, given.values())))
def test_chrf_of_odd_texts(given: Mapping[str, Any]) -> None:
    peer = metrics.CHRF(**given)
    for seed in range(12):
        agree(fm.score(*corpus(seed), fm.ChrF(**given)), peer, peer, *corpus(seed))


# Characters of all widths, halves of surrogate pairs, all white space, and punctuation at ends of words.
CHARACTERS = "aab\u00e9\u0301 ß\u0130漢字\U0001f600\U0001f601\ud83d\ude00.,(\u3000\u00a0\t\u2028\x1c\x85 "


@pytest.mark.parametrize("given", CHRFS, ids=lambda given: "-".join(map(str, given.values())))
def test_chrf_counts_the_n_grams_of_random_characters(given: Mapping[str, Any]) -> None:
    """Statistics of items, of one to three references, as sacrebleu extracts them."""
    rng = random.Random(str(given))
    metric, peer = fm.ChrF(**given), metrics.CHRF(**given)

    def text() -> str:
        return "".join(rng.choices(CHARACTERS, k=rng.choice([0, 1, 2, 5, 9, 30])))

    hypotheses = [text() for _ in range(60)]
    references = [[text() for _ in range(rng.randint(1, 3))] for _ in hypotheses]
    streams = [[refs[j] if j < len(refs) else None for refs in references] for j in range(3)]
    expected = peer._extract_corpus_statistics(hypotheses, streams)
    found = metric.statistics(
        [[each] for each in hypotheses], [[[each] for each in refs] for refs in references]
    )
    np.testing.assert_array_equal(found, np.array(expected, dtype=float))
    pairs = metric.pair_statistics(
        [[each] for each in hypotheses[:4]], [[refs[0]] for refs in references[:5]]
    )
    for i, row in enumerate(pairs):
        for j, one in enumerate(row):
            alone = peer._extract_corpus_statistics([hypotheses[i]], [[references[j][0]]])
            np.testing.assert_array_equal(one, np.array(alone[0], dtype=float))


@pytest.mark.parametrize(
    "given", [{}, {"word_order": 2}, {"char_order": 12, "whitespace": True, "lowercase": True}], ids=str
)
def test_chrf_of_real_systems(given: Mapping[str, Any], shared: Path) -> None:
    """Every statistic of every segment of WMT 2021, against two references."""
    folder = shared / "mt-wmt" / "newstest2021.en-de"
    streams = [lines(folder / f"ref.{name}.de.gz")[:400] for name in "AC"]
    outputs = lines(folder / "hyp.Online-W.de.gz")[:400]
    expected = metrics.CHRF(**given)._extract_corpus_statistics(outputs, streams)
    found = fm.score(outputs, list(zip(*streams, strict=True)), fm.ChrF(**given))
    np.testing.assert_array_equal(found.values, np.array(expected, dtype=float))


@pytest.mark.parametrize("given", TERS, ids=lambda given: "-".join(map(str, given.values())))
def test_ter_of_odd_texts(given: Mapping[str, Any]) -> None:
    peer = metrics.TER(**given)
    for seed in range(12):
        agree(fm.score(*corpus(seed), fm.TER(**given)), peer, peer, *corpus(seed))


def test_sentence_bleu_of_wmt(shared: Path) -> None:
    """The segment scores that the WMT tools have of real systems: those of sacrebleu's `sentence_bleu`."""
    folder = shared / "mt-wmt" / "newstest2021.en-de"
    rows = [line.split("\t") for line in lines(folder / "expected" / "sentBLEU-refA.seg.score.gz")]
    references = lines(folder / "ref.A.de.gz")
    for system in ("Facebook-AI", "UEdin"):
        expected = np.array([float(score) for name, score in rows if name == system])
        found = fm.score(lines(folder / f"hyp.{system}.de.gz"), references, "sentence-bleu")
        assert found.item_scores == pytest.approx(expected, abs=1e-4)
        assert found.score == pytest.approx(expected.mean(), abs=1e-4)


@pytest.mark.parametrize(
    "metric", [fm.BLEUSBP(), fm.SentenceBLEU(), fm.Mean(fm.ChrF()), fm.NIST(), fm.TeslaM(str.split)],
    ids=lambda metric: metric.name,
)  # fmt: skip
def test_what_sacrebleu_does_not_have_has_no_signature_of_it(metric: fm.TextMetric) -> None:
    if isinstance(metric, fm.TeslaM):
        metric = fm.TeslaM(lambda words: [fm.metrics.tesla.Token(word) for word in words])
    assert fm.score(["a b"], ["a b"], metric).sacrebleu_signature == ""


def test_a_number_that_sacrebleu_does_not_have_has_no_signature_of_it() -> None:
    outputs, references = ["a b c d, e", "x <s> y"], [["a b c d", "a b c d e f"], ["x y", "x"]]
    closest, shortest = fm.BLEU(), fm.BLEU("shortest")
    first = [refs[:1] for refs in references]
    has = {
        "plain": fm.score(outputs[:1], references[:1], closest),
        "one reference": fm.score(outputs[:1], first[:1], shortest),
        "lowercase": fm.score(
            outputs[:1], first[:1], closest, normalisation=fm.Normalisation(lowercase=True)
        ),
    }
    assert all(found.sacrebleu_signature for found in has.values())
    changed = {
        "remove_punctuation": True, "unit": "char", "unicode": "nfkc", "ignore": {"b"},
        "ignore_hypothesis": {"b"}, "normaliser": fm.profile("nemo").normaliser,
    }  # fmt: skip
    lacks = {
        name: fm.score(outputs[:1], first[:1], closest, normalisation=fm.Normalisation(**{name: value}))  # type: ignore[arg-type]
        for name, value in changed.items()
    }
    lacks["another reference length"] = fm.score(outputs[:1], references[:1], shortest)
    lacks["a sentence marker"] = fm.score(outputs, references, closest)
    lacks["lists of words"] = fm.score([["a", "b"]], [[["a", "b"]]], closest)
    cut = fm.Normalisation(tokenize="13a")
    lacks["a tokenizer for TER"] = fm.score(outputs[:1], first[:1], fm.TER(), normalisation=cut)
    assert {name: found.sacrebleu_signature for name, found in lacks.items()} == dict.fromkeys(lacks, "")


def test_items_with_other_numbers_of_references() -> None:
    outputs, references = ["a b c", "x y"], [["a b c", "a b d"], ["x z"]]
    streams = [["a b c", "x z"], ["a b d", None]]
    for metric, peer in ((fm.BLEU(), metrics.BLEU()), (fm.TER(), metrics.TER()), (fm.ChrF(), metrics.CHRF())):
        found = fm.score(outputs, references, metric)
        assert found.score == pytest.approx(peer.corpus_score(outputs, streams).score, abs=1e-9)
        assert found.sacrebleu_signature.partition("|")[2] == peer.get_signature().format()


def test_sentencepiece_tokenizers(shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """flores200 with a small model in the place of the real one, which is downloaded."""
    sentencepiece = pytest.importorskip("sentencepiece", reason="sentencepiece is not installed")
    spm = pytest.importorskip("sacrebleu.tokenizers.tokenizer_spm")
    # What was made before, and what is made here, are not for each other.
    for name in ("sacrebleu_tokenizer", "tokenizer_of"):
        monkeypatch.setattr(tokenizers, name, lru_cache(getattr(tokenizers, name).__wrapped__))
    folder = shared / "mt-wmt" / "newstest2021.en-de"
    outputs, references = (lines(folder / f"{name}.de.gz")[:200] for name in ("hyp.UEdin", "ref.A"))
    monkeypatch.setattr(spm, "SACREBLEU_DIR", str(tmp_path))
    model = tmp_path / "models" / spm.SPM_MODELS["flores200"]["url"].rpartition("/")[2]
    model.parent.mkdir()
    with model.open("wb") as stream:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(references), model_writer=stream, vocab_size=300, minloglevel=2
        )
    words = fm.Normalisation(tokenize="flores200")
    peer = metrics.BLEU(tokenize="flores200")
    found = fm.score(outputs, references, "bleu", normalisation=words)
    assert found.score == pytest.approx(peer.corpus_score(outputs, [references]).score, abs=1e-9)
    assert found.sacrebleu_signature == f"BLEU|{peer.get_signature().format()}"


# Signs beside digits, points and letters of one to four bytes.
SIGNS = [
    *map(chr, range(32, 127)),
    *".,.,--0199",
    *"éß文。，３\u00a0\u3000\ud800\x1c\t\n𝒳’",
    "&quot;",
    "&amp;",
    "<skipped>",
]


@pytest.mark.parametrize("name", ["13a", "zh"])
def test_lines_are_cut_as_sacrebleu_cuts_them(name: str) -> None:
    cut, peer = tokenizers.tokenizer_of(name, False), metrics.BLEU(tokenize=name).tokenizer
    chance = random.Random(name)
    for _ in range(20_000):
        line = "".join(
            chance.choices(SIGNS if chance.random() < 0.5 else ".,-0 a文&;", k=chance.randrange(12))
        )
        assert cut(line) == peer(line), line


def test_rules_of_another_sacrebleu_are_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = pytest.importorskip("sacrebleu.tokenizers.tokenizer_re").TokenizerRegexp
    made = rules.__init__

    def other(self: Any) -> None:
        made(self)
        self._re = [(re.compile("b"), "x"), *self._re]

    monkeypatch.setattr(rules, "__init__", other)
    for name in ("sacrebleu_tokenizer", "tokenizer_of"):
        monkeypatch.setattr(tokenizers, name, lru_cache(getattr(tokenizers, name).__wrapped__))
    assert tokenizers.tokenizer_of("13a", False)("a b.") == "a x ."


OPTIONS = [
    ([], []),
    (["--lowercase"], ["--lowercase"]),
    (["--metric", "bleu", "--tokenize", "intl", "--smoothing", "plus-one"], ["-tok", "intl", "-s", "add-k"]),
    (["--metric", "chrf", "--chrf-char-order", "4", "--chrf-word-order", "1", "--chrf-beta", "1"],
     ["-m", "chrf", "--chrf-char-order", "4", "--chrf-word-order", "1", "--chrf-beta", "1"]),
    (["--metric", "chrf++", "--chrf-whitespace", "--chrf-eps-smoothing"],
     ["-m", "chrf", "--chrf-word-order", "2", "--chrf-whitespace", "--chrf-eps-smoothing"]),
    (["--metric", "ter", "--ter-case-sensitive", "--ter-normalized"],
     ["-m", "ter", "--ter-case-sensitive", "--ter-normalized"]),
    (["--metric", "ter", "--ter-no-punct", "--ter-asian-support"],
     ["-m", "ter", "--ter-no-punct", "--ter-asian-support"]),
]  # fmt: skip


@pytest.mark.parametrize(("ours", "theirs"), OPTIONS, ids=lambda options: " ".join(options) or "default")
def test_the_commands_of_both_on_the_same_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ours: list[str], theirs: list[str]
) -> None:
    """Two references, odd texts, and empty lines in files; equal signatures."""
    monkeypatch.chdir(tmp_path)
    chance = random.Random(3)
    sides = [[text(chance, 9).replace("\n", " ") for _ in range(40)] for _ in range(3)]
    sides[2] = [" ".join(part for part in line.split(" ") if chance.random() < 0.8) for line in sides[0]]
    for name, side in zip(("one", "two", "out"), sides, strict=True):
        written(tmp_path / name, "\n".join(side) + "\n")
    named = [] if "--metric" in ours else ["--metric", "bleu,chrf,ter"]
    arguments = ("--ref", "one", "--ref", "two", "out", *named, *ours, "--samples", "1", "--json")
    summary = fstmetrics("compare", *arguments).summary
    every = [] if "-m" in theirs or named == [] else ["-m", "bleu", "chrf", "ter"]
    lower = ["--chrf-lowercase"] if "--lowercase" in theirs else []
    command = [
        sys.executable,
        "-m",
        "sacrebleu",
        "one",
        "two",
        "-i",
        "out",
        "-w",
        "9",
        *every,
        *theirs,
        *lower,
    ]
    said = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    expected = said if isinstance(said, list) else [said]
    found = summary["systems"]["out"]
    assert [metric["score"] for metric in found.values()] == pytest.approx(
        [metric["score"] for metric in expected], abs=1e-8
    )
    signatures = list(summary["settings"]["sacrebleu_signatures"].values())
    assert signatures == [f"{metric['name']}|{metric['signature']}" for metric in expected]


def test_sacrebleu_s_signature_is_in_summaries_beside_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "ref", "a b c d e\nf g h\n")
    written(tmp_path / "out", "a b c d\nf g h i\n")
    signature = fm.score(["a"], ["a"], "bleu").sacrebleu_signature
    assert signature.startswith("BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:")
    alone = fstmetrics("score", "ref", "out", "--metric", "bleu")
    assert alone.out.splitlines()[-2] == f"sacrebleu: {signature}"
    summary = fstmetrics("score", "ref", "out", "--metric", "bleu", "--json").summary
    assert summary["sacrebleu_signature"] == signature
    assert (
        "sacrebleu_signature"
        not in fstmetrics("score", "ref", "out", "--metric", "bleu-sbp", "--json").summary
    )
    for layout in ([], ["--markdown"], ["--latex"]):
        shown = fstmetrics("compare", "--ref", "ref", "out", "--metric", "bleu,wer,chrf", *layout).out
        assert shown.count("sacrebleu: ") == 2
        assert f"sacrebleu: {signature}" in shown
    written(tmp_path / "marked", "a b c d </s>\nf g h i\n")
    assert "sacrebleu: " not in fstmetrics("score", "ref", "marked", "--metric", "bleu").out
    assert "sacrebleu: " not in fstmetrics("compare", "--ref", "ref", "out", "marked").out
