"""MER, WIL, WIP and the character error rate: by their definitions, of items and of corpora."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from command import fstmetrics, written

import fstmetrics as fm
from fstmetrics.engine.results import CorpusResult

RATES = ("mer", "wil", "wip")


def by_definition(name: str, result: fm.Result | CorpusResult) -> float:
    """Morris, Maier and Green (2004), of the counts."""
    matches, edits = result.matches, result.edits
    if name == "mer":
        return edits / (matches + edits) if edits else 0.0
    words, spoken = result.path_length, result.hypothesis_length
    wip = 1.0 if not words and not spoken else matches**2 / (words * spoken) if words and spoken else 0.0
    return wip if name == "wip" else 1 - wip


@pytest.fixture(scope="module")
def texts() -> tuple[list[str], list[str]]:
    draw = random.Random(2)
    sides = [[" ".join(draw.choices("abcd", k=draw.randint(0, 7))) for _ in range(60)] for _ in range(2)]
    return sides[0], sides[1]


@pytest.mark.parametrize("name", RATES)
def test_rates_follow_from_the_counts_of_the_best_path_under_wer(
    name: str, texts: tuple[list[str], list[str]]
) -> None:
    wer, corpus = fm.score(*texts), fm.score(*texts, name)
    assert corpus.totals._replace(denominator=0) == wer.totals._replace(denominator=0)
    assert corpus.score == pytest.approx(by_definition(name, wer))
    function = getattr(fm, name)
    for item, same, hypothesis, reference in zip(corpus, wer, *texts, strict=True):
        assert item.score == pytest.approx(by_definition(name, same))
        assert function(hypothesis, reference) == item.score
        assert item.alignment == same.alignment


@pytest.mark.parametrize("name", RATES)
def test_corpora_divide_sums(name: str, texts: tuple[list[str], list[str]]) -> None:
    corpus = fm.score(*texts, name)
    one, two = fm.score(texts[0][:20], texts[1][:20], name), fm.score(texts[0][20:], texts[1][20:], name)
    assert (one + two).score == corpus.score
    found = fm.compare({"a": texts[0], "b": texts[1][::-1]}, texts[1], name, samples=50)
    assert found.systems["a"][name].score == pytest.approx(corpus.score)
    assert fm.score(*texts, f"mean-{name}").score == pytest.approx(corpus.mean_score)


def test_several_references_are_those_of_wer() -> None:
    references = ["the cat sat", "a cat sat down there"]
    best = fm.align("a cat sat down", references)
    assert fm.mer("a cat sat down", references) == by_definition("mer", best) == 0.2
    assert fm.wil("a cat sat down", references) == pytest.approx(1 - 4 / 5)


def test_cer_is_wer_of_characters() -> None:
    characters = fm.Normalisation(unit="char")
    assert fm.cer("a cat", "the cat") == fm.align("a cat", "the cat", normalisation=characters).score == 3 / 7
    assert fm.cer("a cat", ["the cat", "a cart"]) == 1 / 6
    assert fm.score(["a cat"], ["the cat"], normalisation=characters).name == "cer"


def test_rewrites_that_cost_are_refused() -> None:
    texts, refs = ["it is a cat"], ["it's a dog"]
    with pytest.raises(fm.FstmetricsError, match="no room for what rewrites cost"):
        fm.score(texts, refs, "mer", grammars="en.contractions@0.5")
    with pytest.raises(fm.FstmetricsError, match="no room for what rewrites cost"):
        fm.compare({"a": texts}, refs, "wil", grammars="en.contractions@0.5", samples=5)
    assert fm.score(texts, refs, "wip", grammars="en.contractions").score == 9 / 16


@pytest.mark.parametrize("name", RATES)
def test_the_command_line_has_them_and_reads_its_records_again(name: str, tmp_path: Path) -> None:
    ref = written(tmp_path / "ref.txt", "the cat sat on the mat\na dog\n")
    hyp = written(tmp_path / "hyp.txt", "the cat sat on mat\na dog barked\n")
    outcome = fstmetrics(
        "score", ref, hyp, "--metric", name, "--output", tmp_path / "r.jsonl", "--alignment", "--json"
    )
    assert outcome.summary["score"] == pytest.approx(by_definition(name, fm.score(
        hyp.read_text().splitlines(), ref.read_text().splitlines()
    )))  # fmt: skip
    assert f"metric:{name}|path:wer|" in outcome.summary["signature"]
    assert fstmetrics("show", tmp_path / "r.jsonl").status == 0
    first = json.loads((tmp_path / "r.jsonl").read_text().splitlines()[0])
    first["score"] = 0.5
    (tmp_path / "r.jsonl").write_text(json.dumps(first) + "\n")
    refused = fstmetrics("show", tmp_path / "r.jsonl")
    assert refused.status == 2
    assert "score is 0.5, but" in refused.err
    assert fstmetrics("score", ref, hyp, "--metric", name).status == 0


def test_they_are_no_expected_losses() -> None:
    with pytest.raises(fm.FstmetricsError, match="wil is a rate of a whole alignment"):
        fm.mbr(fm.NBest("u", (("a", "b"), ("a",)), ("a b", "a")), "wil")
