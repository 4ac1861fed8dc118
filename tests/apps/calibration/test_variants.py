"""What BLEU cannot see: the figures of [CB06], and orders one by one."""

from __future__ import annotations

import json
import math
from collections import Counter
from itertools import permutations, product
from pathlib import Path

import pytest
from command import fstmetrics
from hypothesis import given
from hypothesis import strategies as st
from texts_of_papers import REFERENCES, lowered

import fstmetrics as fm
from fstmetrics.apps.calibration.variants import Variants, permuted, substituted, variants

HYPOTHESIS = "Appeared calm when he was taken to the American plane , which will to Miami , Florida ."
PIECES = [
    "appeared calm",
    "when",
    "he was",
    "taken",
    "to the american plane",
    ",",
    "which will",
    "to miami , florida .",
]
ANOTHER = "which will he was , when taken Appeared calm to the American plane to Miami , Florida ."


def matches(words: list[str], references: list[list[str]], order: int) -> int:
    """Clipped, counted by hand."""

    def grams(text: list[str]) -> Counter[tuple[str, ...]]:
        return Counter(tuple(text[i : i + order]) for i in range(len(text) - order + 1))

    most: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        most |= grams(reference)
    return (grams(words) & most).total()


def test_tables_of_the_paper() -> None:
    """Tables 1 and 2, §3.1: 15/18, 10/17, 5/16, 3/15; eight pieces, 40,320 orders; with case 14, 9, 5, 3."""
    found = variants(HYPOTHESIS.lower(), lowered(REFERENCES))
    assert (found.matches, found.totals) == ((15, 10, 5, 3), (18, 17, 16, 15))
    assert [round(p, 2) for p in found.precisions] == [0.83, 0.59, 0.31, 0.2]
    assert [" ".join(piece) for piece in found.pieces] == PIECES
    assert (found.mismatch_sites, found.permutations) == (7, 40_320)
    assert round(found.bleu, 2) == 41.84
    assert variants(HYPOTHESIS, REFERENCES).matches == (14, 9, 5, 3)
    assert variants(ANOTHER.lower(), lowered(REFERENCES)).matches == found.matches


def test_repeats_are_counted_by_position() -> None:
    """With clipped matches the paper's claim would promise 24 orders; only 6 keep the matches."""
    assert variants("a b c x a b d", ["a b c", "a b d"]).permutations == 6
    assert variants("a a a a", ["a"]).permutations == 24  # orders, of one string


words = st.lists(st.sampled_from("abc"), max_size=6)


@given(words, st.lists(words, min_size=1, max_size=3))
def test_no_order_of_the_pieces_loses_a_match(hypothesis: list[str], references: list[list[str]]) -> None:
    found = variants(hypothesis, references)
    assert found.matches == tuple(matches(hypothesis, references, n) for n in range(1, 5))
    orders = list(permutations(found.pieces))
    assert len(orders) == found.permutations == math.factorial(len(found.pieces))
    for order in orders:
        text = [word for piece in order for word in piece]
        assert all(matches(text, references, n) >= found.matches[n - 1] for n in range(1, 5))
    drawn, bleu = permuted(found, references, seed=3)
    assert sorted(drawn) == sorted(hypothesis)
    assert bleu >= found.bleu


@given(words, st.lists(words, min_size=1, max_size=3), st.sets(st.sampled_from("abcdefg")))
def test_other_words_that_no_reference_has_change_no_match(
    hypothesis: list[str], references: list[list[str]], vocabulary: set[str]
) -> None:
    """[CB06 §3.2], by trying every replacement."""
    found = variants(hypothesis, references)
    known = {word for reference in references for word in reference}
    assert [hypothesis[place] for place in found.unmatched] == [w for w in hypothesis if w not in known]
    others = sorted(vocabulary - known)
    every = set()
    for chosen in product(others, repeat=len(found.unmatched)):
        text = list(hypothesis)
        for place, word in zip(found.unmatched, chosen, strict=True):
            text[place] = word
        every.add(tuple(text))
        assert tuple(matches(text, references, n) for n in range(1, 5)) == found.matches
    assert len(every) == found.substitutions(len(others))
    drawn, bleu = substituted(found, references, vocabulary, seed=2)
    assert drawn in every or not others
    assert bleu == found.bleu


def test_command(tmp_path: Path) -> None:
    paths = []
    for number, reference in enumerate(REFERENCES):
        paths += ["--ref", str(tmp_path / f"ref{number}")]
        (tmp_path / f"ref{number}").write_text(reference + "\n" + "a\n")
    (tmp_path / "hyp").write_text(HYPOTHESIS + "\n" + "b " * 2000 + "\n")
    done = fstmetrics("variants", str(tmp_path / "hyp"), *paths, "--lowercase", "--json")
    first, long = json.loads(done.out)["items"]
    corpus = json.loads(done.out)["corpus"]
    references = [[reference.lower().split(), ["a"]] for reference in REFERENCES]
    for name, texts in (
        ("bleu", [first["pieces"], long["pieces"]]),
        ("permuted_bleu", [first["permuted"]["words"], long["permuted"]["words"]]),
    ):
        sums = [" ".join(text) for text in texts]
        pairs = [fm.Alternatives([" ".join(r) for r in refs]) for refs in zip(*references, strict=True)]
        assert corpus[name] == pytest.approx(fm.score(sums, pairs, fm.BLEU(smoothing="none")).score)
    assert (first["matches"], first["totals"]) == ([15, 10, 5, 3], [18, 17, 16, 15])
    assert (first["mismatch_sites"], first["permutations"]) == (7, 40_320)
    assert first["permuted"]["bleu"] >= first["bleu"]
    assert long["permutations"] == math.factorial(2000)
    text = fstmetrics("variants", str(tmp_path / "hyp"), *paths, "--lowercase").out
    assert "15/18 10/17 5/16 3/15 41.84 7 40320" in " ".join(text.split())
    assert "3.3e5735" in text
    # The words that no reference has: `when`, `taken`; those of the file are these and `b`.
    assert (first["unmatched"], first["substitutions"]) == (["when", "taken"], 9)
    assert first["substituted"]["bleu"] == first["bleu"]
    places = [HYPOTHESIS.lower().split().index(word) for word in ("when", "taken")]
    assert {first["substituted"]["words"][place] for place in places} <= {"when", "taken", "b"}
    assert corpus["substituted_bleu"] == pytest.approx(corpus["bleu"])
    assert f"drawn from all of HYP: {corpus['bleu']:.2f}\n" in text
    assert f"BLEU of all items as they are: {corpus['bleu']:.2f}\n" in text
    assert f"each in one of its orders, drawn at random: {corpus['permuted_bleu']:.2f}\n" in text
    missing = fstmetrics("variants", str(tmp_path / "hyp"), "--ref", str(tmp_path / "none"))
    assert (missing.status, "none: cannot be read" in missing.err) == (2, True)


def test_variants_draws_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs matplotlib: pip install 'fstmetrics[plots]'")
    (tmp_path / "ref").write_text("a b\nc d e\n")
    (tmp_path / "hyp").write_text("b a\nc d e\n")
    out = tmp_path / "plot.png"
    assert (
        fstmetrics(
            "variants", str(tmp_path / "hyp"), "--ref", str(tmp_path / "ref"), "--plot", str(out)
        ).status
        == 0
    )
    assert out.read_bytes().startswith(b"\x89PNG")


def test_variants_need_a_reference() -> None:
    with pytest.raises(fm.FstmetricsError, match="there is no reference"):
        variants("a", [])


pieces = st.lists(st.lists(st.sampled_from("ab"), min_size=1, max_size=3).map(tuple), min_size=1, max_size=5)


@given(pieces.map(tuple))
def test_different_strings_are_those_of_all_orders(cut: tuple[tuple[str, ...], ...]) -> None:
    """`ab` beside `a` and `b` can be put together in two ways: orders one by one."""
    found = Variants((), (), (), cut, 0.0)
    every = {tuple(word for piece in order for word in piece) for order in permutations(cut)}
    assert (found.strings, found.permutations) == (len(every), math.factorial(len(cut)))


def test_orders_and_strings_are_both_told(tmp_path: Path) -> None:
    """x a x a x: 5! = 120 orders of 5! / (3! 2!) = 10 strings."""
    found = variants("x a x a x", ["b"])
    assert (found.permutations, found.strings) == (120, 10)
    (tmp_path / "hyp").write_text("x a x a x\n")
    (tmp_path / "ref").write_text("b\n")
    arguments = ("variants", tmp_path / "hyp", "--ref", tmp_path / "ref")
    (item,) = fstmetrics(*arguments, "--json").summary["items"]
    assert (item["permutations"], item["strings"]) == (120, 10)
    text = fstmetrics(*arguments).out
    assert "120, of item 1, which are 10 different strings" in text
    assert text.splitlines()[1].split()[-5:-3] == ["120", "10"]


def test_strings_that_would_take_too_long_to_count_are_not_guessed() -> None:
    cut = tuple(("a", f"x{i}") for i in range(9)) + tuple((f"x{i}",) for i in range(9)) + (("a",),) * 9
    found = Variants((), (), (), cut, 0.0)
    assert found.strings is None
    assert found.permutations == math.factorial(27)
