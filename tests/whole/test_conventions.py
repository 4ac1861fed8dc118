"""Every metric beside the tools that people check it with: equal by default, or by the option that the docs name."""

from __future__ import annotations

import gzip
import json
import logging
import random
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from command import fstmetrics, written

import fstmetrics as fm

# Raw text as people write it: case, punctuation, entities, what 13a cuts and what it leaves, spaces of all kinds.
REFERENCES = [
    "“İstanbul’da,” he said.", "It's 1,000.50 dollars - O.K.?", "Mr. Smith's  (new) e-mail: a@b.org", "Hello ,",
    "ΌΔΟΣ και ΣΊΣΥΦΟΣ.", "the U.S. economy grew 3.5%", "a &quot;b&quot; &amp; c", "STRASSE straße Straße",
    "l'été, déjà!",
]  # fmt: skip
OTHERS = [
    "“Istanbul’da”, said he.", "It's 1,000.5 dollars, O.K.", "Mr. Smith: the new mail: a@b.org", "Hello",
    "όδος, και Σίσυφος", "the U.S. economy grew 3.6 %", "a 'b' & c", "Straße straße STRASSE", "l'été , déjà",
]  # fmt: skip
HYPOTHESES = [
    "“Istanbul’da”, he said.", "It is 1,000 dollars – OK?", "Mr Smith's new email: a@b.org", "Hello ,",
    "όδος και Σίσυφος .", "the US economy grew by 3.5 %", 'a "b" & c', "Straße STRASSE straße", "l’été déjà !",
]  # fmt: skip
TOKENIZERS = ("none", "13a", "intl", "char", "zh")


@pytest.fixture
def raw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "ref.txt", "\n".join(REFERENCES) + "\n")
    written(tmp_path / "hyp.txt", "\n".join(HYPOTHESES) + "\n")
    written(tmp_path / "other.txt", "\n".join(OTHERS) + "\n")
    return tmp_path


def sacrebleu_by_default(hypotheses: list[str], streams: list[list[str]]) -> dict[str, float]:
    metrics = pytest.importorskip("sacrebleu.metrics", reason="sacrebleu is not installed")
    peers = {"bleu": metrics.BLEU(), "ter": metrics.TER(), "chrf": metrics.CHRF()}
    peers["chrf++"] = metrics.CHRF(word_order=2)
    scores = {name: peer.corpus_score(hypotheses, streams).score for name, peer in peers.items()}
    sentence = metrics.BLEU(effective_order=True)
    items = [
        sentence.sentence_score(*pair).score
        for pair in zip(hypotheses, zip(*streams, strict=True), strict=True)
    ]
    return scores | {"mean-bleu": float(np.mean(items)), "sentence-bleu": float(np.mean(items))}


def test_compare_has_sacrebleu_s_numbers_without_options(raw: Path) -> None:
    expected = sacrebleu_by_default(HYPOTHESES, [REFERENCES])
    found = fstmetrics(
        "compare", "--ref", "ref.txt", "hyp.txt", "other.txt", "--metric", ",".join(expected), "--samples", 9, "--json"
    ).summary  # fmt: skip
    scores = {name: found["systems"]["hyp"][name]["score"] for name in expected}
    assert scores == pytest.approx(expected, abs=1e-9)
    assert found["settings"]["tokenize"] is None  # each metric's own
    of_bleu = found["settings"]["signatures"][0]
    assert "|tok:13a|refs:1|" in of_bleu
    assert "|sacrebleu:" in of_bleu
    assert "|tok:none|" in found["settings"]["signatures"][2]


def test_score_and_python_have_sacrebleu_s_numbers_without_options(raw: Path) -> None:
    expected = sacrebleu_by_default(HYPOTHESES, [REFERENCES, OTHERS])
    both = [list(pair) for pair in zip(REFERENCES, OTHERS, strict=True)]
    for name, score in expected.items():
        assert fm.score(HYPOTHESES, both, name).score == pytest.approx(score, abs=1e-9)
        if not name.startswith("mean-"):
            arguments = ("ref.txt", "hyp.txt", "--ref", "other.txt", "--metric", name, "--json")
            assert fstmetrics("score", *arguments).summary["score"] == pytest.approx(score, abs=1e-9)


def test_correlate_and_variants_tokenize_as_compare_does(raw: Path) -> None:
    rows = [f"{s} {i + 1} {i % 3 + (s == 'hyp')}" for s in ("hyp", "other") for i in range(len(REFERENCES))]
    written(raw / "human.txt", "\n".join(["system segment human", *rows]) + "\n")
    fstmetrics(
        "correlate", "human.txt", "hyp.txt", "other.txt", "--ref", "ref.txt", "--metric", "bleu,mean-bleu",
        "--samples", 0, "--output", "scores.tsv",
    )  # fmt: skip
    table = [line.split("\t") for line in (raw / "scores.tsv").read_text().splitlines()[1:]]
    expected = fm.score(HYPOTHESES, REFERENCES, "bleu").item_scores
    assert [float(row[3]) for row in table if row[0] == "hyp"] == pytest.approx(expected)
    items = json.loads(fstmetrics("variants", "hyp.txt", "--ref", "ref.txt", "--json").out)["items"]
    words = fm.Normalisation(tokenize="13a")
    assert [item["totals"][0] for item in items] == [len(words.words(text)) for text in HYPOTHESES]
    plain = json.loads(
        fstmetrics("variants", "hyp.txt", "--ref", "ref.txt", "--tokenize", "none", "--json").out
    )
    assert [item["totals"][0] for item in plain["items"]] == [len(text.split()) for text in HYPOTHESES]


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize("lowercase", [False, True])
def test_words_are_changed_in_sacrebleu_s_order(tokenizer: str, lowercase: bool) -> None:
    """Case is folded before words are cut: `İ` becomes two characters, a sigma at the end of a word another one."""
    metrics = pytest.importorskip("sacrebleu.metrics", reason="sacrebleu is not installed")
    peer = metrics.BLEU(tokenize=tokenizer, lowercase=lowercase)
    words = fm.Normalisation(tokenize=tokenizer, lowercase=lowercase)
    for text in (*REFERENCES, *HYPOTHESES, "İ", "ΑΣ.", "ΑΣ.Α", "ϓǅǲŉ"):
        assert words.words(text) == peer._preprocess_segment(text).split()
    found = fm.score(HYPOTHESES, REFERENCES, "bleu", normalisation=words)
    assert found.score == pytest.approx(peer.corpus_score(HYPOTHESES, [REFERENCES]).score, abs=1e-9)


def test_folding_after_cutting_would_be_another_number() -> None:
    """A capital I with a dot is two characters once it is folded."""
    metrics = pytest.importorskip("sacrebleu.metrics", reason="sacrebleu is not installed")
    expected = metrics.BLEU(tokenize="char", lowercase=True).corpus_score(["İzmir ev"], [["i̇zmir eş"]]).score
    words = fm.Normalisation(tokenize="char", lowercase=True)
    assert fm.score(["İzmir ev"], ["i̇zmir eş"], "bleu", normalisation=words).score == pytest.approx(expected)
    assert words.arc_words("İ") == words.words("İ") == ["i", "̇"]


def test_words_that_do_not_count_go_before_a_tokenizer_cuts_them() -> None:
    pytest.importorskip("sacrebleu")
    words = fm.Normalisation(tokenize="13a", lowercase=True, ignore=frozenset({"<UNK>", "Uh-huh"}))
    assert words.words("<s> A <unk>, <unk> uh-huh B. </s>") == ["a", "<", "unk", ">", ",", "b", "."]


def test_lists_of_words_are_words() -> None:
    pytest.importorskip("sacrebleu")
    text, words = fm.score(["It's."], ["It's!"], "bleu"), fm.score([["It's."]], [[["It's!"]]], "bleu")
    assert (text.item_scores[0] > 0, words.item_scores[0]) == (True, 0)
    assert [each.normalisation and each.normalisation.tokenize for each in (text, words)] == ["13a", "none"]
    joined = fm.score([["It's."]], [[["It's!"]]], "bleu", normalisation=fm.Normalisation(tokenize="13a"))
    assert joined.item_scores[0] == text.item_scores[0]
    with pytest.raises(fm.FstmetricsError, match="some texts are strings"):
        fm.score(["a b", ["a", "b"]], [["a b"], ["a b"]], "bleu")
    for metric in ("wer", "chrf", "ter"):
        assert fm.score(["a b", ["a", "b"]], [["a b"], ["a b"]], metric).score in (0, 100)


def test_texts_that_look_tokenized_earn_a_remark(raw: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Where sacrebleu warns, but for text that is said to be tokenized: --tokenize none."""
    metrics = pytest.importorskip("sacrebleu.metrics")
    caplog.set_level(logging.WARNING)
    texts = ["It is late ."] * 100
    for given in (
        texts,
        [*texts[1:], "It is late."],
        [*texts[1:], "late . ", "late."],
        [*texts, *["a"] * 900],
    ):
        for tokenize in (None, "13a", "intl", "none"):
            caplog.clear()
            metrics.BLEU(tokenize=tokenize or "13a").corpus_score(given, [given])
            metrics.CHRF().corpus_score(given, [given])
            expected = any("detokenize" in message for message in caplog.messages) and tokenize != "none"
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                fm.score(given, given, "bleu", normalisation=fm.Normalisation(tokenize=tokenize))
                fm.score(given, given, "chrf", normalisation=fm.Normalisation(tokenize=tokenize))
            assert ["look tokenized" in str(each.message) for each in caught] == [True] * expected
    written(raw / "a.txt", "\n".join(texts) + "\n")
    for arguments in (("score", "a.txt", "a.txt", "--metric", "bleu"), ("compare", "--ref", "a.txt", "a.txt"),
                      ("variants", "a.txt", "--ref", "a.txt")):  # fmt: skip
        assert "100 of 100 items end in ' .' on both sides" in fstmetrics(*arguments).out
        assert "look tokenized" not in fstmetrics(*arguments, "--tokenize", "none").out
    assert "look tokenized" not in fstmetrics("score", "ref.txt", "hyp.txt", "--metric", "bleu").out


def test_without_sacrebleu_one_line_says_what_to_do(raw: Path) -> None:
    program = (
        "import sys; sys.modules['sacrebleu'] = None; sys.modules['sacrebleu.metrics.bleu'] = None\n"
        "from fstmetrics.cli import main; sys.argv[0] = 'fstmetrics'; main()"
    )
    for arguments in (["score", "ref.txt", "hyp.txt", "--metric", "bleu"], ["compare", "--ref", "ref.txt", "hyp.txt"],
                      ["variants", "hyp.txt", "--ref", "ref.txt"]):  # fmt: skip
        command = [sys.executable, "-c", program, *arguments]
        outcome = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (outcome.returncode, outcome.stdout, outcome.stderr.count("\n")) == (2, "", 1), outcome.stderr
        assert "fstmetrics[mt]" in outcome.stderr
        assert "--tokenize none" in outcome.stderr
        outcome = subprocess.run(
            [*command, "--tokenize", "none"], capture_output=True, text=True, check=False
        )
        assert (outcome.returncode, outcome.stderr) == (0, "")


@pytest.mark.parametrize(
    "tokenizer", ["flores101", "flores200", "spm", "spBLEU-1K", "ja-mecab", "ko-mecab", "nosuch"]
)
@pytest.mark.parametrize("metric", ["bleu", "wer", "hyter"])
def test_tokenizers_that_are_not_there_are_refused_in_a_line(raw: Path, tokenizer: str, metric: str) -> None:
    pytest.importorskip("sacrebleu")
    command = ("hyter",) if metric == "hyter" else ("score", "--metric", metric)
    outcome = fstmetrics(*command, "ref.txt", "hyp.txt", "--tokenize", tokenizer)
    if outcome.status == 0:
        pytest.skip(f"{tokenizer} is installed here")
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert tokenizer in outcome.err
    assert "pip install" in outcome.err or "--allow-download" in outcome.err or "unknown" in outcome.err
    with pytest.raises(fm.FstmetricsError, match=tokenizer):
        fm.Normalisation(tokenize=tokenizer).words("a")


def test_nothing_is_downloaded_unasked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With sentencepiece there, the model is what is missing; asked for, sacrebleu fetches it or says why it cannot."""
    spm = pytest.importorskip("sacrebleu.tokenizers.tokenizer_spm")
    import types

    from fstmetrics.text import tokenizers

    fetched: list[str] = []

    def download(url: str, path: str) -> None:
        fetched.append(url)
        raise OSError("no\nnetwork")

    monkeypatch.setattr(spm, "SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr(spm, "download_file", download)
    monkeypatch.setattr(tokenizers, "find_spec", lambda name: object())
    sentencepiece = types.ModuleType("sentencepiece")
    sentencepiece.SentencePieceProcessor = object  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentencepiece", sentencepiece)
    with pytest.raises(fm.FstmetricsError, match="--allow-download") as refused:
        fm.Normalisation(tokenize="flores200").words("a")
    assert (fetched, str(tmp_path) in str(refused.value)) == ([], True)
    with pytest.raises(fm.FstmetricsError, match="no network") as failed:
        fm.Normalisation(tokenize="flores200", allow_download=True).words("a")
    assert (len(fetched), "\n" in str(failed.value)) == (1, False)
    assert fm.Normalisation(allow_download=True) == fm.Normalisation()


def draw(rng: random.Random, letters: str = "abcd ") -> str:
    return "".join(rng.choice(letters) for _ in range(rng.randrange(1, 20)))


def test_wer_and_cer_are_jiwer_s() -> None:
    """Corpora of raw text, references with words in them, as jiwer asks for."""
    jiwer = pytest.importorskip("jiwer", reason="jiwer is not installed")
    rng = random.Random(5)
    hypotheses, references = [draw(rng) for _ in range(300)], ["a " + draw(rng) for _ in range(300)]
    assert fm.score(hypotheses, references).score == pytest.approx(jiwer.wer(references, hypotheses))
    single = [(" ".join(h.split()), " ".join(r.split())) for h, r in zip(hypotheses, references, strict=True)]
    characters = fm.Normalisation(unit="char")
    expected = jiwer.cer([r for _, r in single], [h for h, _ in single])
    assert fm.score(hypotheses, references, normalisation=characters).score == pytest.approx(expected)


def test_wer_of_items_is_kaldialign_s() -> None:
    kaldialign = pytest.importorskip("kaldialign", reason="kaldialign is not installed")
    rng = random.Random(6)
    for _ in range(300):
        hypothesis, reference = draw(rng).split(), draw(rng).split()
        counts, found = kaldialign.edit_distance(reference, hypothesis), fm.align(hypothesis, reference)
        assert counts["total"] == found.edits
        if found.path_length:
            assert counts["err_rate"] == pytest.approx(found.score)


def lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().splitlines()


def test_bleu_is_multeval_s_without_a_tokenizer(shared: Path) -> None:
    """It takes tokens as they stand."""
    folder = shared / "mt-multeval"
    hypotheses = lines(folder / "hyps.lc.tok.en.baseline.opt0.gz")
    references = lines(folder / "refs.test2010.lc.tok.en.0.gz")
    words = fm.Normalisation(tokenize="none")
    expected = float((folder / "hyps.baseline.opt0.bleu.gold").read_text())
    found = fm.score(hypotheses, references, "bleu", normalisation=words).score
    assert f"{found:.2f}" == f"{expected:.2f}"
