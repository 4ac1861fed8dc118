"""TESLA-F [L11 §2.4]: the paper's example, cuts and n-grams against all of them, language models, wrong files."""

from __future__ import annotations

import gzip
import math
import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from command import EXAMPLES, fstmetrics, written

import fstmetrics as fm
from fstmetrics.metrics.arpa import read_arpa
from fstmetrics.metrics.phrase_table import PhraseTable, ngram_weights, read_phrase_table
from fstmetrics.metrics.tesla_f import FEATURES, pivot_score
from fstmetrics.metrics.tokens import Token

FOLDER = EXAMPLES / "tesla-f"
PAPER = (
    "Good morning , sir . ||| Bonjour , monsieur . ||| 1\n"
    "Hello , ||| Bonjour , ||| .9\nHello , ||| Salut , ||| .1\n"
)
Phrase = tuple[str, ...]


def plain(words: list[str]) -> list[Token]:
    return [Token(word) for word in words]


def weights_of(table: PhraseTable, text: str, n: int) -> dict[str, float]:
    found = ngram_weights(table.network(text.split()), n)
    return {" ".join(ngram): pytest.approx(weight) for ngram, weight in found.items()}


def test_the_paper_s_example(tmp_path: Path) -> None:
    """Phrases become weighted pivot phrases; `Querrien`, which no phrase has, stays as it is."""
    table = read_phrase_table(written(tmp_path / "table", PAPER))
    assert table.network(["Good", "morning", ",", "sir", "."]) == [{("Bonjour", ",", "monsieur", "."): 1.0}]
    network = table.network("Hello , Querrien".split())  # noqa: SIM905
    assert network == [{("Bonjour", ","): 0.9, ("Salut", ","): pytest.approx(0.1)}, {("Querrien",): 1.0}]
    assert weights_of(table, "Hello , Querrien", 1) == {
        "Bonjour": 0.9,
        "Salut": 0.1,
        ",": 1.0,
        "Querrien": 1.0,
    }
    assert weights_of(table, "Hello , Querrien", 2) == {"Bonjour ,": 0.9, "Salut ,": 0.1, ", Querrien": 1.0}
    assert weights_of(table, "Hello , Querrien", 3) == {"Bonjour , Querrien": 0.9, "Salut , Querrien": 0.1}


def test_features_by_hand() -> None:
    """`Hello , sir .` against `Good morning , sir .`: Bonjour , monsieur . with .9 and Salut , monsieur . with .1."""
    metric = fm.TeslaF(str(FOLDER / "phrase-table"), analyser=plain)  # type: ignore[arg-type]
    (found,) = metric.features(["Hello", ",", "sir", "."], [["Good", "morning", ",", "sir", "."]])
    own = [3 / (0.8 * 5 + 0.2 * 4), 2 / (0.8 * 4 + 0.2 * 3), 1 / (0.8 * 3 + 0.2 * 2)]
    pivot = [3.9 / 4, 2.9 / 3, 1.9 / 2]
    assert found == pytest.approx([*own, *pivot, 0.0])
    assert fm.score(["Hello , sir ."], ["Good morning , sir ."], metric).score == pytest.approx(
        sum(own + pivot) / 6
    )


def test_the_command_has_all_files() -> None:
    arguments = ["score", FOLDER / "ref.txt", FOLDER / "hyp.txt", "--metric", "tesla-f"]
    arguments += ["--pivot-table", FOLDER / "phrase-table", "--language-model", FOLDER / "lm.arpa"]
    arguments += ["--tesla-f-weights", FOLDER / "weights"]
    if fstmetrics("score", FOLDER / "ref.txt", FOLDER / "hyp.txt", "--metric", "tesla-m").status:
        pytest.skip("no WordNet")
    summary = fstmetrics(*arguments, "--json").summary
    assert "|table:phrase-table-" in summary["signature"]
    assert "|weights:weights-" in summary["signature"]


def test_weights_of_features(tmp_path: Path) -> None:
    metric = fm.TeslaF(
        str(FOLDER / "phrase-table"),
        str(FOLDER / "lm.arpa"),
        str(FOLDER / "weights"),
        plain,  # type: ignore[arg-type]
    )
    (features,) = metric.features(["Hello", ",", "sir", "."], [["Good", "morning", ",", "sir", "."]])
    # <s> Hello, Hello ',', ', sir', then <unk> after sir, which has no backoff, then </s> after <unk>.
    assert features[-1] == pytest.approx(math.log(10) * (-0.4 - 0.1 - 0.6 - 1.2 - 0.7) / 4)
    expected = features @ [0.2, 0.1, 0, 0.4, 0.2, 0, 0.05]
    assert fm.score(["Hello , sir ."], ["Good morning , sir ."], metric).score == pytest.approx(expected)


def cuts(words: list[str]) -> Iterator[list[Phrase]]:
    if not words:
        yield []
    for size in range(1, len(words) + 1):
        for rest in cuts(words[size:]):
            yield [tuple(words[:size]), *rest]


def test_cuts_against_all_cuts() -> None:
    rng = random.Random(3)
    for _ in range(150):
        phrases = {tuple(rng.choices("abc", k=rng.randint(1, 3))) for _ in range(rng.randint(1, 8))}
        counts = {phrase: float(rng.randint(1, 9)) for phrase in phrases} if rng.random() < 0.7 else {}
        table = PhraseTable({phrase: {("x",): 1.0} for phrase in phrases}, counts)
        words = rng.choices("abcd", k=rng.randint(0, 6))

        def rank(cut: list[Phrase], table: PhraseTable = table) -> tuple[int, float, int]:
            unknown = [phrase for phrase in cut if phrase not in table.options]
            product_of = math.prod(
                table.counts[p] / sum(table.counts.values()) if table.counts else 1 / len(table.options)
                for p in cut
                if p in table.options
            )
            return len(unknown), -round(product_of, 12), len(cut)

        allowed = [cut for cut in cuts(words) if all(len(p) == 1 or p in phrases for p in cut)]
        best = min(map(rank, allowed))
        found = rank(table.phrases(words))
        assert found[0] == best[0]
        assert found[1] == pytest.approx(best[1])


def test_ngrams_against_all_paths() -> None:
    rng = random.Random(4)
    for _ in range(80):
        network = []
        for _ in range(rng.randint(0, 4)):
            options = {
                tuple(rng.choices("ab", k=rng.randint(1, 3))): rng.random() for _ in range(rng.randint(1, 3))
            }
            network.append({phrase: weight / sum(options.values()) for phrase, weight in options.items()})
        for n in (1, 2, 3):
            expected: dict[Phrase, float] = {}
            for path in product(*(slot.items() for slot in network)):
                text = sum((phrase for phrase, _ in path), ())
                for i in range(len(text) - n + 1):
                    ngram = text[i : i + n]
                    expected[ngram] = expected.get(ngram, 0) + math.prod(weight for _, weight in path)
            assert ngram_weights(network, n) == pytest.approx(expected)


def test_pivot_f_is_the_linear_programme() -> None:
    from fstmetrics.metrics.transport import best_transport

    rng = random.Random(5)
    for _ in range(50):
        sides = [{(w,): rng.randint(1, 20) / 10 for w in "abcd" if rng.random() < 0.7} for _ in range(2)]
        if not all(sides):
            continue
        supply, demand = (np.array([round(10 * w) for w in side.values()]) for side in sides)
        profit = np.array([[int(a == b) for b in sides[1]] for a in sides[0]])
        best = best_transport(supply, demand, profit) / 10
        ours, theirs = (sum(side.values()) for side in sides)
        assert pivot_score(*sides) == pytest.approx(best / (0.8 * theirs + 0.2 * ours))
    assert pivot_score({}, {}) is None


def test_tables_of_moses(tmp_path: Path) -> None:
    """The third of four scores, the second count; gzip."""
    text = "a b ||| x ||| 0.1 0.2 0.6 0.4 ||| 0-0 1-0 ||| 7 5 3 ||| |||\n"
    text += "a ||| y ||| 0.1 0.2 0.5 2.718 ||| 0-0 ||| 7 50 3\n"
    path = tmp_path / "table.gz"
    path.write_bytes(gzip.compress(text.encode()))
    table = read_phrase_table(str(path))
    assert table.counts == {("a", "b"): 5.0, ("a",): 50.0}
    assert table.options[("a", "b")] == {("x",): 1.0}


TABLES = {
    "a ||| b ||| 1\na ||| 1\n": "2: expected `phrase ||| other phrase ||| scores`, 3 to 7 fields between |||, found 2",
    "a ||| b ||| 1 ||| ||| ||| ||| ||| 2\n": "found 8",
    "a ||| b ||| x\n": "1: expected a number, found 'x'",
    "a ||| ||| 1\n": "1: expected words in both phrases, found none",
    "a ||| b ||| 1\na ||| c ||| 1 1 1\n": "2: expected 1 scores as before, found 3",
    "a ||| b ||| 1\na ||| b ||| 1\n": "2: these two phrases have a line already",
    "a ||| b ||| 1.5\n": "1: expected a probability, 0 to 1, found 1.5",
    "a ||| b ||| 1 ||| ||| 2 3\na ||| c ||| 1\n": "2: expected counts as before",
    "a ||| b ||| 1 ||| ||| 2\n": "1: expected the counts of both phrases, more than 0, found '2'",
    "": "expected a phrase table, found no line",
}


@pytest.mark.parametrize("text", TABLES)
def test_tables_that_are_wrong(text: str, tmp_path: Path) -> None:
    with pytest.raises(fm.FstmetricsError) as caught:
        read_phrase_table(written(tmp_path / "table", text))
    assert TABLES[text] in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "table"))


ARPA = (FOLDER / "lm.arpa").read_text()
MODELS = {
    ARPA[
        : ARPA.index("-0.6")
    ]: "14: expected 4 n-grams of 2 words, found 2 and then the end of the file; is it cut?",
    ARPA[: ARPA.index("\\end")]: "expected \\end\\, found the end of the file; is it cut?",
    ARPA.replace("-0.9\t,", "-0.9x\t,"): "10: expected a logarithm, found '-0.9x'",
    ARPA.replace(
        "Hello ,\n", "Hello\n"
    ): "expected log10 probability, 2 words, and perhaps a backoff, found 2 columns",
    ARPA.replace("ngram 2", "ngram 3"): "3: expected `ngram 2=NUMBER`, found 'ngram 3=4'",
    ARPA.replace("1=6", "1=7"): "expected 7 n-grams of 1 words, found 6 and then '\\\\2-grams:'",
    "no model\n": "expected a language model in ARPA format, found no line \\data\\",
}


@pytest.mark.parametrize("text", MODELS)
def test_language_models_that_are_wrong(text: str, tmp_path: Path) -> None:
    with pytest.raises(fm.FstmetricsError) as caught:
        read_arpa(written(tmp_path / "lm.arpa", text))
    assert MODELS[text].partition(": ")[2] in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "lm.arpa"))


def test_probabilities_are_kenlm_s(tmp_path: Path) -> None:
    kenlm = pytest.importorskip("kenlm", reason="kenlm is not installed")
    rng = random.Random(6)
    words = ["<unk>", "a", "b", "c"]

    def drawn(ngram: Phrase, backoff: bool) -> str:
        line = f"{-rng.random() - 0.1:.4f}\t{' '.join(ngram)}"
        return f"{line}\t{-rng.random():.4f}" if backoff and ngram[-1] != "</s>" else line

    bigrams = [(x, y) for x in ("<s>", "a", "b") for y in ("a", "c", "</s>") if rng.random() < 0.7]
    trigrams = [(x, y, z) for x, y in bigrams for z in ("a", "b", "</s>") if (y, z) in bigrams]
    lines = [
        "\\data\\",
        f"ngram 1={len(words) + 2}",
        f"ngram 2={len(bigrams)}",
        f"ngram 3={len(trigrams)}",
        "",
    ]
    lines += ["\\1-grams:", "-99\t<s>\t-0.3", "-0.9\t</s>", *(drawn((word,), True) for word in words), ""]
    lines += ["\\2-grams:", *(drawn(bigram, True) for bigram in bigrams), ""]
    lines += ["\\3-grams:", *(drawn(trigram, False) for trigram in trigrams), "", "\\end\\", ""]
    path = str(written(tmp_path / "lm.arpa", "\n".join(lines)))
    ours, theirs = read_arpa(path), kenlm.Model(path)
    for _ in range(100):
        sentence = rng.choices("abcx", k=rng.randint(0, 6))
        assert ours.log10(sentence) == pytest.approx(theirs.score(" ".join(sentence)), abs=1e-4)


def test_what_is_not_given_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(fm.FstmetricsError, match="tesla-f needs a phrase table"):
        fm.score(["a"], ["a"], fm.TeslaF(analyser=plain))  # type: ignore[arg-type]
    table, model = str(FOLDER / "phrase-table"), str(FOLDER / "lm.arpa")
    with pytest.raises(fm.FstmetricsError, match="counts in tesla-f only with weights"):
        fm.score(["a"], ["a"], fm.TeslaF(table, model, analyser=plain))  # type: ignore[arg-type]
    with pytest.raises(fm.FstmetricsError, match="has a weight of the feature lm"):
        fm.score(["a"], ["a"], fm.TeslaF(table, None, str(FOLDER / "weights"), plain))  # type: ignore[arg-type]
    for line in ("f9 1", "f1", "f1 x", "f1 1\nf1 2"):
        weights = str(written(tmp_path / "w", line + "\n"))
        with pytest.raises(fm.FstmetricsError, match=r"w:[12]: expected"):
            fm.score(["a"], ["a"], fm.TeslaF(table, None, weights, plain))  # type: ignore[arg-type]


def test_planted_weights_are_learned() -> None:
    """Rankings by known weights: the learned ones order nearly all pairs of new translations alike."""
    pytest.importorskip("sklearn")
    rng = np.random.default_rng(7)
    planted = np.array([0.5, 0.1, 0.0, 0.3, 0.2, 0.0, 0.05])
    assert len(planted) == len(FEATURES)
    seen, new = rng.random((60, 5, 7)), rng.random((60, 5, 7))
    ranks = (-(seen @ planted)).argsort(axis=1).argsort(axis=1).astype(float)
    ranks[0, 0] = np.nan
    weights = fm.evaluation.learn_weights(seen, ranks, regularisation=100.0)
    pairs = [(new @ w)[:, :, None] > (new @ w)[:, None, :] for w in (planted, weights)]
    assert (pairs[0] == pairs[1]).mean() > 0.97


def test_rankings_that_are_none() -> None:
    learn = fm.evaluation.learn_weights
    with pytest.raises(fm.FstmetricsError, match="no two translations"):
        learn(np.zeros((1, 2, 3)), [[1, 1]])
    with pytest.raises(fm.FstmetricsError, match="features have the shape"):
        learn(np.zeros((1, 2)), [[1, 1]])
    with pytest.raises(fm.FstmetricsError, match="no finite number"):
        learn(np.full((1, 2, 3), np.nan), [[1, 2]])
