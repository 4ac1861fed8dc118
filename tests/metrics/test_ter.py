"""TER: against sacrebleu's, word for word, and against the definition of what a list of moves does."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import numpy as np
import pytest

import fstmetrics as fm
from fstmetrics.metrics import Op
from fstmetrics.metrics.ter import ShiftedAlignment, shift_edits, tercom_words

Pairs = tuple[list[list[str]], list[list[str]]]

# Hypothesis and reference files of real systems.
REAL = [
    ("mt-wmt/newstest2021.en-de/hyp.UEdin.de.gz", "mt-wmt/newstest2021.en-de/ref.A.de.gz"),
    ("mt-wmt/newstest2021.cs-en/hyp.Online-A.en.gz", "mt-wmt/newstest2021.cs-en/ref.B.en.gz"),
    ("mt-multeval/set1.out.0.gz", "mt-multeval/set1.ref0.gz"),
    ("mt-multeval/hyps.lc.tok.en.baseline.opt0.gz", "mt-multeval/refs.test2010.lc.tok.en.0.gz"),
    ("mt-compare-mt/ted.sys1.eng.gz", "mt-compare-mt/ted.ref.eng.gz"),
]
FLAGS = ("case_sensitive", "normalized", "no_punct", "asian_support")
PIECES = [
    *"abC'.,;-019&\"()[]{}/\\\n!?:~`@#$% \t", "'s ", "&quot;", "&amp;", "&lt;", "&gt;", "\n-", "1.5", "2-3", "\u3042",
    "\u30a2", "\u31f1", "\u4e2d", "\u3400", "\u3f22", "\u3f23", "\u3201", "\u3001", "\uff0c", "\u2e80", "\u3300",
    "\u30fb", "\uff61", "İ", "ß", "Σ", "\u2028", "\u3000",
]  # fmt: skip


def lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().splitlines()


def edits(hypotheses: list[list[str]], references: list[list[str]]) -> list[int]:
    numbers = np.arange(len(hypotheses), dtype=np.int32)
    return shift_edits(hypotheses, references, numbers, numbers).tolist()


def sacrebleu_edits(hypotheses: list[list[str]], references: list[list[str]]) -> list[int]:
    rate = pytest.importorskip("sacrebleu.metrics.lib_ter").translation_edit_rate
    return [rate(words, other)[0] for words, other in zip(hypotheses, references, strict=True)]


def moved(rng: random.Random, words: list[str]) -> list[str]:
    words = list(words)
    for _ in range(rng.randrange(5)):
        start, length = rng.randrange(len(words) + 1), rng.randrange(1, 13)
        block = words[start : start + length]
        del words[start : start + length]
        at = rng.randrange(len(words) + 1)
        words[at:at] = block
    return words


def drawn(rng: random.Random, count: int, longest: int) -> Pairs:
    """Sentences of few different words, so that many repeat; half of them with blocks moved and words changed."""
    hypotheses, references = [], []
    for _ in range(count):
        vocabulary = [f"w{i}" for i in range(rng.choice([2, 3, 8, 30]))]
        reference = rng.choices(vocabulary, k=rng.randrange(longest + 1))
        hypothesis = rng.choices(vocabulary, k=rng.randrange(longest + 1))
        if rng.random() < 0.6:
            hypothesis = moved(rng, reference)
            for _ in range(rng.randrange(6) if hypothesis else 0):
                hypothesis[rng.randrange(len(hypothesis))] = rng.choice(vocabulary)
        hypotheses.append(hypothesis)
        references.append(reference)
    return hypotheses, references


@pytest.mark.parametrize(("count", "longest"), [(300, 8), (100, 20), (10, 40)])
def test_edits_of_random_sentences_with_repeats_are_sacrebleu_s(count: int, longest: int) -> None:
    pairs = drawn(random.Random(longest), count, longest)
    assert edits(*pairs) == sacrebleu_edits(*pairs)


def test_the_beam_is_sacrebleu_s() -> None:
    """Sentences so long, unlike or unequal that the beam cuts best alignments off, and with words of 64 and more."""
    rng = random.Random(5)
    hypotheses, references = [], []
    for one, other in [(1, 49), (1, 51), (1, 52), (1, 200), (3, 160), (80, 1), (200, 3), (2, 120), (100, 30)]:
        hypotheses.append(rng.choices("ab", k=one))
        references.append(rng.choices("abc", k=other))
    for length in (63, 64, 65, 100):
        reference = [f"w{i}" for i in rng.choices(range(200), k=length)]
        hypotheses.append(moved(rng, reference))
        references.append(reference)
    # Far from the diagonal the words agree, where the beam does not reach: 60 edits instead of 40.
    hypotheses.append([f"x{i}" for i in range(60)] + ["y"] * 3)
    references.append([f"z{i}" for i in range(40)] + [f"x{i}" for i in range(60)])
    assert edits(hypotheses, references) == sacrebleu_edits(hypotheses, references)


@pytest.mark.parametrize(("hypotheses", "references"), REAL)
def test_edits_of_real_systems_are_sacrebleu_s(shared: Path, hypotheses: str, references: str) -> None:
    """Of some sentences here; all were compared once, and are equal."""
    chosen = [
        (a.lower().split(), b.lower().split())
        for a, b in zip(lines(shared / hypotheses), lines(shared / references), strict=True)
    ]
    short = [pair for pair in chosen[::7] if len(pair[0]) < 30][:60]
    pairs = [a for a, _ in short], [b for _, b in short]
    assert edits(*pairs) == sacrebleu_edits(*pairs)


def test_sacrebleu_s_own_cases() -> None:
    """Of its tests/test_ter.py: texts, references, the score."""
    cases: list[tuple[list[str], list[list[str]], float]] = [
        (["aaaa bbbb cccc dddd"], [["aaaa bbbb cccc dddd"]], 0),
        (["dddd eeee ffff"], [["aaaa bbbb cccc"]], 1),
        ([""], [["a"]], 1),
        (["d e f g h a b c"], [["a b c d e f g h"]], 1 / 8),
        (
            [
                "wählen Sie \" Bild neu berechnen , \" um beim Ändern der Bildgröße Pixel hinzuzufügen oder zu "
                "entfernen , damit das Bild ungefähr dieselbe Größe aufweist wie die andere Größe .",
                "wenn Sie alle Aufgaben im aktuellen Dokument aktualisieren möchten , wählen Sie im Menü des "
                "Aufgabenbedienfelds die Option \" Alle Aufgaben aktualisieren . \"",
                "klicken Sie auf der Registerkarte \" Optionen \" auf die Schaltfläche \" Benutzerdefiniert \" und "
                "geben Sie Werte für \" Fehlerkorrektur-Level \" und \" Y / X-Verhältnis \" ein .",
                "Sie können beispielsweise ein Dokument erstellen , das ein Auto über die Bühne enthält .",
                "wählen Sie im Dialogfeld \" Neu aus Vorlage \" eine Vorlage aus und klicken Sie auf \" Neu . \"",
            ],
            [
                [
                    "wählen Sie \" Bild neu berechnen , \" um beim Ändern der Bildgröße Pixel hinzuzufügen oder zu "
                    "entfernen , damit die Darstellung des Bildes in einer anderen Größe beibehalten wird .",
                    "wenn Sie alle Aufgaben im aktuellen Dokument aktualisieren möchten , wählen Sie im Menü des "
                    "Aufgabenbedienfelds die Option \" Alle Aufgaben aktualisieren . \"",
                    "klicken Sie auf der Registerkarte \" Optionen \" auf die Schaltfläche \" Benutzerdefiniert \" und "
                    "geben Sie für \" Fehlerkorrektur-Level \" und \" Y / X-Verhältnis \" niedrigere Werte ein .",
                    "Sie können beispielsweise ein Dokument erstellen , das ein Auto enthalt , das sich über die Bühne "
                    "bewegt .",
                    "wählen Sie im Dialogfeld \" Neu aus Vorlage \" eine Vorlage aus und klicken Sie auf \" Neu . \"",
                ]
            ],
            0.136,
        ),
    ]  # fmt: skip
    for hypotheses, streams, expected in cases:
        references = [fm.Alternatives(refs) for refs in zip(*streams, strict=True)]
        assert fm.score(hypotheses, references, "ter").score == pytest.approx(100 * expected, abs=0.05)


@pytest.mark.parametrize(
    "flags", [(0, 0, 0, 0), (1, 1, 0, 0), (0, 1, 1, 0), (0, 1, 0, 1), (1, 0, 1, 1), (0, 1, 1, 1)]
)
def test_words_are_those_of_sacrebleu_s_tercom_tokenizer(flags: tuple[int, ...]) -> None:
    module = pytest.importorskip("sacrebleu.tokenizers.tokenizer_ter")
    options = {name: bool(flag) for name, flag in zip(FLAGS, flags, strict=True)}
    tokenizer = module.TercomTokenizer(**options)
    rng = random.Random(3)
    for _ in range(2000):
        text = "".join(rng.choices(PIECES, k=rng.randrange(14)))
        assert tercom_words(text, **options) == tokenizer(text.rstrip()).split(), repr(text)


def test_options_and_several_references_are_sacrebleu_s(shared: Path) -> None:
    sacrebleu = pytest.importorskip("sacrebleu.metrics")
    folder = shared / "mt-wmt" / "newstest2021.en-de"
    hypotheses = lines(folder / "hyp.UEdin.de.gz")[:20]
    streams = [lines(folder / f"ref.{name}.de.gz")[:20] for name in "AC"]
    references = [fm.Alternatives(texts) for texts in zip(*streams, strict=True)]
    for options in ({}, {"normalized": True, "no_punct": True}, {"case_sensitive": True, "normalized": True}):
        peer = sacrebleu.TER(**options)
        found = fm.score(hypotheses, references, fm.TER(**options))
        assert found.score == pytest.approx(peer.corpus_score(hypotheses, streams).score, abs=1e-9)
        rows = peer._extract_corpus_statistics(hypotheses, streams)
        assert found.values.tolist() == [[float(value) for value in row] for row in rows]


def test_references_are_tokenized_twice_as_by_sacrebleu() -> None:
    peer = pytest.importorskip("sacrebleu.metrics").TER(normalized=True)
    for text in ("..5 a", "it was &amp;amp; is", "1-.-5", "...,7 x"):
        for hypothesis in (text, "a b"):
            expected = peer.sentence_score(hypothesis, [text]).score
            assert fm.score([hypothesis], [text], fm.TER(normalized=True)).score == pytest.approx(expected)
            row = fm.TER(normalized=True).pair_statistics([hypothesis.split()], [text.split()])[0, 0]
            assert row.tolist() == peer._extract_corpus_statistics([hypothesis], [[text]])[0]
    assert peer.sentence_score("..5 a", ["..5 a"]).score == 50


def applied(alignment: ShiftedAlignment) -> list[str]:
    """The words after the moves, by the definition of one move."""
    words = list(alignment.hypothesis)
    for start, length, to in alignment.shifts:
        block, rest = words[start : start + length], words[:start] + words[start + length :]
        words = rest[:to] + block + rest[to:]
    return words


def test_alignments_show_the_moves_and_the_edits() -> None:
    hypotheses, references = drawn(random.Random(9), 400, 16)
    metric = fm.TER()
    both = [[ref, other] for ref, other in zip(references, [*references[1:], []], strict=True)]
    table = metric.statistics(hypotheses, both)
    shifts = 0
    for found, refs, row in zip(metric.alignments(hypotheses, both), both, table, strict=True):
        assert found.edits == row[0]
        assert list(found.reference) == refs[found.number]
        assert applied(found) == list(found.moved)
        assert sorted(found.order) == list(range(len(found.hypothesis)))
        left, right = iter(found.moved), iter(found.reference)
        for op in found.ops:
            one = next(left) if op is not Op.DELETION else None
            other = next(right) if op is not Op.INSERTION else None
            assert (one == other) == (op is Op.MATCH)
        assert not [*left, *right]
        shifts += len(found.shifts)
    assert shifts > 100


def test_all_pairs_are_those_of_single_ones() -> None:
    hypotheses, references = drawn(random.Random(2), 12, 10)
    metric = fm.TER()
    table = metric.pair_statistics(hypotheses, references)
    assert table.shape == (12, 12, 2)
    for i, words in enumerate(hypotheses):
        expected = metric.statistics([words] * 12, [[ref] for ref in references])
        assert table[i].tolist() == expected.tolist()


def test_it_needs_no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sacrebleu", None)
    assert fm.score(["a b"], ["b a"], "ter").score == 50.0
