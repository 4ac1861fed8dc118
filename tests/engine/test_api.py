"""The Python interface: what may be given, what comes back, and what is said about misuse."""

from __future__ import annotations

import gzip
import math
import pickle
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fstmetrics as fm
from fstmetrics.io import read_items
from fstmetrics.metrics import EditTable

LATTICE = fm.Lattice.from_arcs([(0, 1, "a"), (0, 1, "the"), (1, 2, "cat")], finals=[2], id="x")
NBEST = fm.NBest("x", (("a",), ("b",)), ("a", "b"))
NETWORK = {"format": "fstmetrics-network/1", "root": "S", "cards": {"S": {"phrases": ["a"]}}}


@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [
        ("the cat", "the cat", 0),
        (["the", "cat"], ["the", "hat"], 0.5),  # both sequences of words
        (("the", "cat"), ["the", "hat"], 0.5),
        (["the", "cat"], "the hat", 0.5),
        ("cat", ["cat", "dog"], 0),  # alternatives beside a string, one word each
        ("cat", ("cat", "dog"), 0),
        ("cat", fm.Alternatives(["cat", "dog"]), 0),
        (["a", "cat"], [["a", "dog"], ["a", "cat"]], 0),  # alternatives, each a sequence of words
        (["a", "cat"], ["a dog", "a cat", "the cat"], 0),
        (fm.Alternatives(["a cat", "a dog"]), "a dog", 0),  # the best hypothesis counts
        (["a dog"], "a dog", 0),
        ("", ["", "a"], 0),
        (LATTICE, "the cat", 0),
        (LATTICE, ["the", "cat"], 0),
        (LATTICE, ["the hat", "a cat"], 0),
        (LATTICE, LATTICE, 0),
        (fm.NBest("x", (("a",), ("b",)), ("a", "b")), "b", 0),
        # Lists are text, in which these are words.
        (fm.NBest("x", (("NULL", "<eps>"), ("b",)), ("NULL <eps>", "b")), "NULL <eps>", 0),
        (fm.NBest("x", (("NULL", "a"), ("b",)), ("NULL a", "b")), "a", 1),
        ("the cat", [LATTICE, "dog"], 0),
    ],
)
def test_what_may_be_given(hypothesis: object, reference: object, expected: float) -> None:
    assert fm.wer(hypothesis, reference) == expected  # type: ignore[arg-type]


def test_a_corpus_with_one_word_references() -> None:
    assert fm.score(["Yes.", "No."], [["Yes.", "Yeah."], ["No.", "Nope."]]).score == 0
    assert fm.score(["Yes.", "No."], list(zip(["Yes.", "No."], ["Yeah.", "Nope."], strict=True))).score == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fm.wer("a", []), "a list of alternatives is empty"),
        (lambda: fm.wer("a", 3), "not int"),
        (lambda: fm.score("a b", ["a b"]), "are a list, not str 'a b'; align"),
        (lambda: fm.score(["a"], ["a", "b"]), "1 hypothesis but 2 references"),
        (lambda: fm.score(["a", "b", "c"], [["a", "b", "c"], ["d", "e", "f"]]), r"by list\(zip\(\*sets\)\)"),
        (lambda: fm.score([], []), "no item to score"),
        (lambda: fm.score(["a", "b"], ["a", "b"], ids=["x", "x"]), "'x' is there twice"),
        (lambda: fm.score(["a"], ["a"], "blue"), "unknown metric 'blue'"),
        (lambda: fm.align("a", "a", nbest=0), "nbest must be at least 1"),
        (lambda: fm.align(LATTICE, "a", fm.HyTER(2)), "reordering in a window is for strings"),
        (lambda: fm.HyTER(0), "1 to 64 words"),
        (lambda: fm.HyTER(1, "hops"), "'moves' or 'jumps'"),  # type: ignore[arg-type]
        (lambda: fm.GRR(0), "order"),
        (lambda: fm.GRR(alpha=math.nan), "alpha must be a finite number"),
        (lambda: fm.EditMetric(memory=[], substitution=1), "either memory or"),
        (lambda: fm.align("a b", "a c", fm.EditMetric(cost=lambda op, h, r: None)), "is None, not a finite number"),  # type: ignore[arg-type,return-value]
        (lambda: fm.align("a b", "a c", fm.EditMetric(cost=lambda op, h, r: math.nan)), r"cost\('.*' is nan|is nan"),
        (lambda: fm.align("a", "a", fm.EditMetric(memory=[[(0, 0), (3, 1), (0, 1), (0, 1)]])), "memory 3 of 1"),
        (lambda: fm.align("a", "b", normalisation=fm.Normalisation(unit="byte")), "unit is"),  # type: ignore[arg-type]
        (lambda: fm.wer(fm.Lattice.from_arcs([(0, 5, "a")], finals=[1], id="l"), "a"), "lattice l: no path"),
        (lambda: fm.score(["a"], ["a"]) + fm.score(["a"], ["a"], "grr"), "different metrics"),
        (lambda: fm.oracle(LATTICE, "a", scales=16), r"scales=Scales\(lm=16, acoustic=1\), not 16"),  # type: ignore[arg-type]
        (lambda: fm.oracle(NBEST, "a", scales=16), "not 16"),  # type: ignore[arg-type]
        (lambda: LATTICE.best_path((16, 1)), r"not \(16, 1\)"),  # type: ignore[arg-type]
        (lambda: LATTICE.best_paths(2, 0), "not 0"),  # type: ignore[arg-type]
        (lambda: LATTICE.pruned(1, 16), "not 16"),  # type: ignore[arg-type]
        (lambda: LATTICE.weighed(16), "not 16"),  # type: ignore[arg-type]
        (lambda: fm.mbr(LATTICE, scales=16), "not 16"),  # type: ignore[arg-type]
        (lambda: fm.mbr(NBEST, scales=16), "not 16"),  # type: ignore[arg-type]
        (lambda: fm.Network.from_dict(NETWORK).best_path(16), "not 16"),  # type: ignore[arg-type]
        (lambda: fm.Scales("16"), "lm of Scales is a finite number, not '16'"),  # type: ignore[arg-type]
        (lambda: fm.oracle(LATTICE, "a", beams=["4"]), "a number from 0 up, not '4'"),  # type: ignore[list-item]
        (lambda: fm.oracle(["a b", "a c"], "a b"), "one sentence, not list; Lattice.from_strings"),
        (lambda: fm.align("a", "a", fm.WER), r"give an instance: WER\(\)"),  # type: ignore[arg-type]
        (lambda: fm.score(["a"], ["a"], 3), "a name or a metric object, not 3; for one of your own derive"),  # type: ignore[call-overload]
        (lambda: fm.score(["a"], ["a"], len), "len>; for one of your own derive a class from fm.TextMetric: docs/plug"),  # type: ignore[call-overload]
        (lambda: fm.score(["a"], ["a"], ["wer", len]), "derive a class from fm.TextMetric"),  # type: ignore[list-item]
        (lambda: fm.compare({"a": ["a"]}, ["a"], len), "derive a class from fm.TextMetric"),  # type: ignore[arg-type]
        (lambda: fm.compare({"a": ["a"]}, ["a"], [int]), "derive a class from fm.TextMetric"),  # type: ignore[list-item]
        (lambda: fm.compare({"a": ["a"]}, ["a"], fm.WER), r"give an instance: WER\(\)"),  # type: ignore[arg-type]
        (lambda: fm.Lattice.from_arcs([(0, 1, "a", 1.0)], finals=[1]), r"arc 0 is \(0, 1, 'a', 1.0\).*from_arrays"),  # type: ignore[list-item]
        (lambda: fm.Lattice.from_arcs([(0, 1, "a"), (1, "b", 2)], finals=[1]), r"arc 1 is \(1, 'b', 2\)"),  # type: ignore[list-item]
        (lambda: fm.EditMetric(cost=1), r"a function cost\(op, .* not 1"),  # type: ignore[arg-type]
        (lambda: fm.EditMetric(substitution="x"), "substitution must be a finite number, not 'x'"),
        (lambda: fm.EditMetric(memory=[[(0, 0), (3, 1), (0, 1), (0, 1)]]), "memory 3 of 1"),
        (lambda: fm.EditMetric(memory=[[0, 1, 1, 1]]), r"four \(next memory, cost\) pairs"),  # type: ignore[list-item]
    ],
)  # fmt: skip
def test_misuse_is_explained(call: object, message: str) -> None:
    with pytest.raises(fm.FstmetricsError, match=message):
        call()  # type: ignore[operator]


@dataclass(frozen=True)
class Gaps(fm.Metric):
    """A metric of one's own, of which gaps cost so many units; they are added to the table's."""

    gap: Any = 50
    scale: Any = 100
    word_cost: Any = None
    name = "gaps"

    @cached_property
    def table(self) -> EditTable:
        return EditTable(
            ((0, 0, 0, 0),), ((0, 100, self.gap, self.gap),), self.scale, word_cost=self.word_cost
        )


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        (Gaps(12.5), r"are whole numbers, and one is 12.5; .* with scale=100 a cost of 50 is one half"),
        (Gaps(np.float64(50)), "whole numbers, and one is np.float64"),
        (Gaps(Fraction(1, 2), 1), "whole numbers, and one is Fraction"),
        (Gaps(50, 100.0), "whole numbers, and one is 100.0"),
        (Gaps(50, 0), "0 units make 1; give scale a whole number from 1"),
        (Gaps(0, word_cost=lambda op, h, r: 0.5), "whole numbers, and one is 0.5"),
    ],
)
def test_costs_that_are_no_whole_numbers_are_refused(metric: fm.Metric, message: str) -> None:
    for call in (
        lambda: fm.score(["the cat"], ["the big cat"], metric),
        lambda: fm.align("a b", "b c", metric),
    ):
        with pytest.raises(fm.FstmetricsError, match=message):
            call()


@pytest.mark.parametrize(
    "metric", [Gaps(), Gaps(np.int64(50), np.int32(100)), Gaps(0, word_cost=lambda op, h, r: 50 * (op > 1))]
)
def test_costs_are_units_of_the_scale(metric: fm.Metric) -> None:
    assert fm.score(["the cat"], ["the big cat"], metric).score == pytest.approx(1 / 6)


def test_an_error_in_a_function_of_costs_says_where_it_was() -> None:
    table = {("cat", "hat"): 0.5}
    metric = fm.EditMetric(cost=lambda op, hyp, ref: table[hyp, ref] if op == "substitution" else 1)  # type: ignore[index]
    with pytest.raises(KeyError) as caught:
        fm.align("the cat", "the hat", metric)
    assert caught.value.__notes__ == ["in cost('substitution', 'the', 'hat'), the function of an EditMetric"]


def test_one_beam_may_be_a_number_and_a_sentence_is_a_lattice_of_one_path() -> None:
    assert fm.oracle(LATTICE, "a", beams=4) == fm.oracle(LATTICE, "a", beams=[4])
    alone = fm.oracle("a b", "a c", scales=fm.Scales(16))
    assert alone.one_best is not None
    assert (alone.edits, alone.one_best.edits, alone.arcs) == (1, 1, 2)


def test_a_corpus_has_its_items_by_number_and_prints_as_a_line() -> None:
    corpus = fm.score(["a b", "c", "d"], ["a x", "c", "d"], ids=["1", "2", "3"])
    assert (corpus[0].id, corpus[-1].id, [item.id for item in corpus[1:]]) == ("1", "3", ["2", "3"])
    assert (corpus + corpus)[3] == corpus[0]
    with pytest.raises(IndexError):
        corpus[3]
    assert str(corpus) == "wer 0.2500  (1 sub, 0 ins, 0 del; 4 reference words)  3 items, mean 0.1667"


def test_results_add_up_and_are_frozen() -> None:
    a, b = fm.align("the cat", "the hat"), fm.align("x", "x y z")
    corpus = a + b
    assert (corpus.edits, corpus.path_length, corpus.score) == (3, 5, 0.6)
    assert sum([a, b]) == corpus == fm.CorpusResult.of([a]) + b
    assert corpus.mean_score == pytest.approx((1 / 2 + 2 / 3) / 2)
    lowered = fm.score(["A"], ["a"], normalisation=fm.Normalisation(lowercase=True))
    with pytest.raises(fm.FstmetricsError, match="results by other rules cannot be added"):
        a + lowered
    assert (pickle.loads(pickle.dumps(a)) + lowered).edits == 1  # nobody knows the rules of such a result
    assert (lowered + lowered).signature == lowered.signature
    with pytest.raises(AttributeError):
        a.metric = b.metric  # type: ignore[misc]
    with pytest.raises(fm.FstmetricsError, match="totals"):
        fm.Result(a.metric, b.totals, None, a.hypothesis, a.closest, a.alignment)


def test_infinite_scores_stay_in_the_sums() -> None:
    corpus = fm.score(["a b", "a"], ["", "a"])
    assert corpus.items[0].score == math.inf
    assert (corpus.score, corpus.mean_score, corpus.infinite) == (2.0, 0.0, 1)


def test_a_result_prints_as_rows() -> None:
    shown = str(fm.score(["the cat sat"], ["the hat sat down"], ids=["u1"]).items[0])
    assert shown.splitlines()[0].startswith("u1  wer 0.5000")
    assert "HYP the cat sat" in shown
    assert len(repr(fm.score(["a"] * 500, ["b"] * 500))) < 300


def test_read_all_reads_archives_and_folders_in_natural_order(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        text = f"u{number}\n0\t1\tw{number}\t1,2,\n1\t0,0,\n\n"
        (tmp_path / f"lat.{number}.gz").write_bytes(gzip.compress(text.encode()))
    assert [lattice.id for lattice in fm.Lattice.read_all(tmp_path)] == ["u1", "u2", "u10"]
    (tmp_path / "lat.1.gz").write_bytes(gzip.compress(text.encode() + text.replace("u1", "v1").encode()))
    with pytest.raises(fm.InputError, match=r"found 2 items .*read_all\(\)"):
        fm.Lattice.read(tmp_path / "lat.1.gz")


def test_symbols_turn_kaldi_transcripts_of_numbers_into_words(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("<eps> 0\nthe 1\ncat 2\n")
    (tmp_path / "9.tra").write_text("utt-1 1 2\nutt-2\nutt-3 2 0\n")
    items = read_items(tmp_path / "9.tra", symbols=tmp_path / "words.txt").items
    assert [item.value for item in items] == [("the", "cat"), (), ("cat",)]
    (tmp_path / "9.tra").write_text("utt-1 1 2\nutt-2 7\n")
    with pytest.raises(fm.InputError, match=r"9\.tra:2: label 7 is not in the symbol table"):
        read_items(tmp_path / "9.tra", symbols=tmp_path / "words.txt")


def test_text_that_is_scored_in_one_step_equals_the_long_way() -> None:
    """White space of every kind, sentence markers, unknown words, long and empty texts."""
    network = fm.Network([fm.Card.from_phrases("S", ["a b c d", "x y", ""])], "S")
    for text in (
        "a b",
        "a\u00a0b\u3000c",
        " a\tb\n",
        "<s> a b </s>",
        "q",
        "",
        "a " * 70,
        "x\x1cy",
        "a\u200bb",
    ):
        for window in (1, 3, 7):
            for reordering in ("moves", "jumps"):
                metric = fm.HyTER(window, reordering)  # type: ignore[arg-type]
                assert fm.hyter(text, network, window, reordering) == fm.align(text, network, metric).score  # type: ignore[arg-type]
    marked = fm.Network([fm.Card.from_phrases("S", ["<s> a b </s>"])], "S")
    assert fm.hyter("a b", marked) == 0


def test_error_rates_of_lattices_in_one_step_equal_the_long_way() -> None:
    lattice = fm.Lattice.from_arcs(
        [(0, 1, "<s>"), (1, 2, "a"), (1, 2, "b"), (2, 3, "!NULL"), (3, 4, "c")], finals=[4, 3]
    )
    for text in ("a c", "b", "", "x y z", "<s> a c", "c " * 80):
        assert fm.wer(lattice, text) == fm.align(lattice, text).score
        assert fm.wer(text, lattice) == fm.align(text, lattice).score
    with pytest.raises(fm.SearchError, match="cycle"):
        fm.wer(fm.Lattice.from_arcs([(0, 1, "a"), (1, 0, "b")], finals=[1]), "a")


def test_networks_come_back_from_their_json() -> None:
    cards = [
        fm.Card.from_phrases("S", ["a [X] \\[sic\\]", ""], span=(0, 2)),
        fm.Card("X", ((0, 1, "b"), (1, 1, "c;"), (0, 1, "")), frozenset({1})),
    ]
    network = fm.Network(cards, "S", id="n", source=["un", "deux"])
    again = fm.Network.from_json(network.to_json())
    assert again == network
    assert again.source == ("un", "deux")
    assert fm.wer("a b c; c; [sic]", again) == 0
