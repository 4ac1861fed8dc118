"""What callers of Python hand over: each kind of thing is read as what it plainly is, or refused in one line."""

from __future__ import annotations

import importlib.util
import random
import re
import warnings
from collections import namedtuple
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import ROOT

import fstmetrics as fm
from fstmetrics.apps.metaeval import Intervals, ScoreTable, correlate, kappa, pearson, separation
from fstmetrics.lattices.hope_and_fear import Weighing
from fstmetrics.networks.merging import merged

TEXTS = ["the cat", "a dog"]
LATTICE = fm.Lattice.from_strings([["the", "cat"], ["a", "dog"]])


def of(package: str, make: Callable[[Any], object]) -> Callable[[], object]:
    """A thing of a package that need not be installed."""

    def made() -> object:
        return make(pytest.importorskip(package, reason=f"{package} is not installed"))

    return made


# What a user might have at hand, each made anew.
KINDS: dict[str, Callable[[], object]] = {
    "a string": lambda: "the cat",
    "an empty string": lambda: "",
    "a numpy string": lambda: np.str_("the cat"),
    "a list of sentences": lambda: list(TEXTS),
    "a tuple of sentences": lambda: tuple(TEXTS),
    "a generator of sentences": lambda: (text for text in TEXTS),
    "values of a dict": lambda: dict(enumerate(TEXTS)).values(),
    "an array of strings": lambda: np.array(TEXTS),
    "an array of objects": lambda: np.array(TEXTS, dtype=object),
    "a column of pandas": of("pandas", lambda pd: pd.Series(TEXTS)),
    "a column of polars": of("polars", lambda pl: pl.Series(TEXTS)),
    "an array of pyarrow": of("pyarrow", lambda pa: pa.array(TEXTS)),
    "a column of pyarrow": of("pyarrow", lambda pa: pa.table({"text": TEXTS})["text"]),
    "a list of words": lambda: ["the", "cat"],
    "an empty list": list,
    "a lattice": lambda: LATTICE,
    "a list of characters": lambda: list("the cat"),
    "a dict by id": lambda: {"u1": "the cat", "u2": "a dog"},
    "rows of a manifest": lambda: [{"id": "u1", "text": "the cat"}, {"id": "u2", "text": "a dog"}],
    "a row of a manifest": lambda: {"id": "u1", "text": "the cat"},
    "lines of a manifest": lambda: ['{"text": "the cat"}', '{"text": "a dog"}'],
    "a dict of columns": lambda: {"id": ["u1", "u2"], "text": TEXTS},
    "items of a dict": lambda: {"u1": "the cat", "u2": "a dog"}.items(),
    "a frame of pandas": of("pandas", lambda pd: pd.DataFrame({"text": TEXTS})),
    "a frame of polars": of("polars", lambda pl: pl.DataFrame({"text": TEXTS})),
    "a lazy frame of polars": of("polars", lambda pl: pl.LazyFrame({"text": TEXTS})),
    "a table of pyarrow": of("pyarrow", lambda pa: pa.table({"text": TEXTS})),
    "a column with a missing value": of("pandas", lambda pd: pd.Series(["the cat", None])),
    "scalars of pyarrow": of("pyarrow", lambda pa: list(pa.array(TEXTS))),
    "an array of records": lambda: np.array([("u1", "the cat"), ("u2", "a dog")], dtype=[("id", "U2"), ("text", "U9")]),
    "an array of two dimensions": lambda: np.array([TEXTS, TEXTS]),
    "an array of numbers": lambda: np.array([1, 2]),
    "an array of bytes": lambda: np.array([b"the cat", b"a dog"]),
    "an array without dimensions": lambda: np.array("the cat"),
    "bytes": lambda: b"the cat",
    "a list of bytes": lambda: [b"the cat", b"a dog"],
    "a path": lambda: ROOT / "README.md",
    "a path as a string": lambda: str(ROOT / "README.md"),
    "a set": lambda: set(TEXTS),
    "an integer": lambda: 5,
    "a list of integers": lambda: [1, 2],
    "a range": lambda: range(2),
    "None": lambda: None,
    "a list with None": lambda: [None, "a dog"],
    "nan": lambda: float("nan"),
    "a list with nan": lambda: ["the cat", float("nan")],
    "lists of lists of sentences": lambda: [[TEXTS], [TEXTS]],
    "a list in itself": lambda: (loop := [], loop.append(loop), loop)[2],
    "a class": lambda: fm.Lattice,
    "an object": object,
}  # fmt: skip
# What holds one sentence or several, and is read as such. All else is refused wherever texts are wanted.
MANY = (
    "a list of sentences", "a tuple of sentences", "an array of strings", "an array of objects", "a column of pandas",
    "a column of polars", "an array of pyarrow", "a column of pyarrow",
)  # fmt: skip
ITEMS = (*MANY, "a generator of sentences", "values of a dict")


def table(**right: Any) -> dict[str, Any]:
    """By kind, what is right; spaces in names of kinds are underlines here."""
    return {name.replace("_", " "): value for name, value in right.items()}


# By function and argument: the call, and what each kind that it understands gives.
ONE_HYPOTHESIS = table(
    a_string=0.0,
    a_numpy_string=0.0,
    a_list_of_words=0.0,
    an_empty_string=1.0,
    an_empty_list=1.0,
    a_lattice=0.0,
)
ONE_REFERENCE = dict.fromkeys(MANY, 0.0) | table(
    a_string=0.0, a_numpy_string=0.0, an_empty_string=float("inf"), a_lattice=0.0
)  # beside a string, words are alternatives, which must be said; and there must be one
SAME = dict.fromkeys(ITEMS, 0.0)
WORDS_AS_ITEMS = table(a_list_of_words=0.75)
CALLS: dict[str, tuple[Callable[[Any], Any], dict[str, Any]]] = {
    "wer(x, .)": (lambda x: fm.wer(x, "the cat"), ONE_HYPOTHESIS),
    "wer(., x)": (lambda x: fm.wer("the cat", x), ONE_REFERENCE),
    "wer(x, lattice)": (lambda x: fm.wer(x, LATTICE), ONE_HYPOTHESIS | table(an_empty_string=1, an_empty_list=1)),
    "hyter(x, .)": (lambda x: fm.hyter(x, "the cat"), ONE_HYPOTHESIS),
    "1 - wrr(x, .)": (lambda x: 1 - fm.wrr(x, "the cat"), ONE_HYPOTHESIS),
    "1 - grr(x, .)": (lambda x: 1 - fm.grr(x, "the cat"), ONE_HYPOTHESIS),
    "align(x, .)": (lambda x: fm.align(x, "the cat").score, ONE_HYPOTHESIS),
    "oracle(x, .)": (
        lambda x: fm.oracle(x, "the cat").score,
        table(a_string=0.0, a_numpy_string=0.0, a_list_of_words=0.0, an_empty_string=1, an_empty_list=1, a_lattice=0.0),
    ),
    "oracle(., x)": (
        lambda x: fm.oracle(LATTICE, x).score,
        ONE_REFERENCE | table(a_list_of_words=0.0, an_empty_string=float("inf"), an_empty_list=float("inf")),
    ),
    "score(x, .)": (lambda x: fm.score(x, TEXTS).score, SAME | WORDS_AS_ITEMS),
    "score(., x)": (lambda x: fm.score(TEXTS, x).score, SAME | table(a_list_of_words=1.5)),
    "score(., x, chrf)": (lambda x: 100 - fm.score(TEXTS, x, "chrf").score, SAME | table(a_list_of_words=54.0165)),
    "score(x, x)": (
        lambda x: fm.score(x, x).score,
        dict.fromkeys((*MANY, "values of a dict", "a dict by id", "a list of words"), 0.0),
    ),
    "score({id: x}, .)": (lambda x: fm.score({"u": x}, {"u": "the cat"}).score, ONE_HYPOTHESIS),
    "score([x], .)": (lambda x: fm.score([x], ["the cat"]).score, ONE_HYPOTHESIS),
    "score([x], ., bleu)": (
        lambda x: 100 - fm.score([x], ["the cat"], "chrf").score,
        table(a_string=0.0, a_numpy_string=0.0, a_list_of_words=0.0, an_empty_string=100, an_empty_list=100),
    ),
    "compare(x)": (
        lambda x: fm.compare({"a": x, "b": TEXTS}, TEXTS, "wer", samples=9).systems["a"]["wer"].score,
        SAME | WORDS_AS_ITEMS,
    ),
    "compare(., x)": (
        lambda x: fm.compare({"a": TEXTS, "b": TEXTS}, x, "wer", samples=9).systems["a"]["wer"].score,
        SAME | table(a_list_of_words=1.5),
    ),
    "mbr(x)": (lambda x: len(fm.mbr(x).words), dict.fromkeys(MANY, 2) | table(a_lattice=2, a_list_of_words=1)),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("call", CALLS)
def test_what_is_handed_over_is_read_or_refused(
    call: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    function, right = CALLS[call]
    given = KINDS[kind]()
    if kind in right:
        assert function(given) == pytest.approx(right[kind], abs=1e-4)
        return
    with pytest.raises(fm.FstmetricsError) as caught:
        function(given)
    message = str(caught.value)
    assert len(message) < 400
    assert "\n" not in message


def test_dicts_pair_by_id_in_the_order_of_the_references() -> None:
    found = fm.score({"u2": "a dog", "u1": "totally wrong"}, {"u1": "a c", "u2": "a dog"})
    assert [(item.id, item.edits) for item in found] == [("u1", 2), ("u2", 0)]
    strings = fm.score({"u2": "a dog", "u1": "totally wrong"}, {"u1": "a c", "u2": "a dog"}, "chrf")
    assert strings.ids == ("u1", "u2")
    assert fm.score({1: "a"}, {1: "a"})[0].id == "1"  # type: ignore[dict-item]
    both = fm.compare(
        {"x": {"b": "b", "a": "a"}, "y": {"a": "a", "b": "c"}}, {"a": "a", "b": "b"}, "wer", samples=9
    )
    assert [both.systems[name]["wer"].score for name in "xy"] == [0, 0.5]


# In an order of their own, as archives are.
NAMED_LISTS = [fm.NBest("u2", ["a b"]), fm.NBest("u1", ["c d"])]
NAMED_LATTICES = {
    "u1": fm.Lattice.from_strings(["c d"], id="u1"),
    "u2": fm.Lattice.from_strings(["a b"], id="u2"),
}


@pytest.mark.parametrize(
    ("hypotheses", "references", "ids"),
    [
        ({each.id: each for each in NAMED_LISTS}, {"u1": "c d", "u2": "a b"}, None),
        (NAMED_LISTS, ["a b", "c d"], ["u2", "u1"]),
        (NAMED_LISTS, ["a b", "c d"], ["a", "b"]),  # names of which none is shared tell nothing
        (NAMED_LISTS, ["a b", "c d"], None),
        ([fm.NBest("x", ["a b"]), fm.NBest("x", ["c d"])], ["a b", "c d"], ["x", "y"]),
        (
            {"u1": NAMED_LATTICES["u1"], "u2": NAMED_LATTICES["u2"]},
            {each.id: each for each in NAMED_LISTS},
            None,
        ),
    ],
)
def test_ids_of_lists_that_agree_with_those_given_pair(
    hypotheses: Any, references: Any, ids: list[str] | None
) -> None:
    assert fm.score(hypotheses, references, ids=ids).score == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fm.score({"a": "x", "b": "x"}, {"a": "x", "c": "x", "d": "x"}),
         "hypotheses lack the ids 'c', 'd'; references lack the id 'b'"),
        (lambda: fm.score({"a": "x"}, ["x"]), "references are of type list; give both as dicts"),
        (lambda: fm.score(["x"], {"a": "x"}), "hypotheses are of type list; give both as dicts"),
        (lambda: fm.score(NAMED_LISTS, {"u1": "c d", "u2": "a b"}), r"type list; give \{x.id: x for x in hypotheses\}"),
        (lambda: fm.score({"u1": "c d", "u2": "a b"}, NAMED_LISTS), r"type list; give \{x.id: x for x in references\}"),
        (lambda: fm.compare({"x": NAMED_LISTS}, {"u1": "c d", "u2": "a b"}), r"give \{x.id: x for x in hypotheses\}"),
        (lambda: fm.score(NAMED_LISTS, {"u1": "c d", "u2": "a b"}, ids=["u1", "u2"]),
         r"hypotheses have ids of their own, and are given by others: 'u2' as 'u1'; give \{x.id: x for x in hyp"),
        (lambda: fm.score(NAMED_LISTS, ["c d", "a b"], ids=["u1", "u2"]), "given by others: 'u2' as 'u1'"),
        (lambda: fm.score(["c d", "a b"], NAMED_LISTS, ids=["u1", "u2"]), "references have ids of their own"),
        (lambda: fm.score(NAMED_LISTS, [*NAMED_LATTICES.values()]), "references .* given by others: 'u1' as 'u2'"),
        (lambda: fm.score({"u1": NAMED_LATTICES["u2"], "u2": NAMED_LATTICES["u1"]}, {"u1": "c d", "u2": "a b"}),
         "given by others: 'u2' as 'u1'"),
        (lambda: fm.score({"u2": NAMED_LISTS[0], "u3": NAMED_LISTS[1]}, {"u2": "a b", "u3": "c d"}), "'u1' as 'u3'"),
        (lambda: fm.compare({"x": dict(zip(["u1", "u2"], NAMED_LISTS, strict=True))}, {"u1": "c d", "u2": "a b"}),
         "the outputs of 'x' have ids of their own"),
        (lambda: fm.score({"a": "x"}, {"a": "x"}, ids=["a"]), "dicts have their ids as keys"),
        (lambda: fm.score({}, {}), "no item to score"),
        (lambda: fm.score({None: "x"}, {None: "x"}), "one key is NoneType None"),  # type: ignore[dict-item]
        (lambda: fm.score({1: "x", "1": "y"}, {1: "x", "1": "y"}), "as a number and as a string"),
        (lambda: fm.score({"text": ["a b", "c d"]}, {"text": ["a b", "c d"]}), "key 'text': it looks like a row"),
        (lambda: fm.score({"u7": None}, {"u7": "a"}), r"item u7, hypothesis: expected a string.* not None"),
        (lambda: fm.score(["a", "b"], ["a", 3]), r"item 1 \(from 0\), reference: .* not int 3"),  # type: ignore[list-item]
        (lambda: fm.score(["a", "b"], ["a", 3], ids=["x", "y"]), "item y, reference: .* not int 3"),  # type: ignore[list-item]
        (lambda: fm.score(["a", LATTICE], ["a", "b"], "chrf"),
         r"item 1 \(from 0\), hypothesis: chrf compares strings, not lattices"),
        (lambda: fm.score(["a"], [[LATTICE]], "bleu", ids=["u1"]),
         "item u1, reference: bleu compares strings; in a list there is Lattice"),
        (lambda: fm.score(["a", ["a b", "c d"]], ["a", "b"], "bleu"),
         r"item 1 \(from 0\), hypothesis: bleu compares one hypothesis"),
        (lambda: fm.score([NAMED_LISTS[0]], ["a"], "sentence-bleu"),
         r"sentence-bleu compares strings, not n-best lists; .* oracle \(fm.oracle_files\) finds the best entries"),
        (lambda: fm.oracle(NAMED_LISTS[0], "a", "sentence-bleu", model_weight=1.0),  # type: ignore[arg-type]
         "no best path to find: .* in files fm.oracle_files finds the best entries, and with model_weight hope"),
        (lambda: fm.score(["a"], ["a"], ids="x y"), "ids are a list, not str 'x y'"),  # type: ignore[arg-type]
        (lambda: fm.score(["a"], ["a"], ids=[1]), r"for id in ids\]; ids\[0\] is int 1"),  # type: ignore[list-item]
        (lambda: fm.latency([True, 2], 3, 2), "delays must be numbers, not list"),
        (lambda: fm.latency(["1", "2"], 3, 2), "delays must be numbers, not list"),  # type: ignore[list-item]
        (lambda: fm.compare({"a": {"u": "x"}, "b": ["x"]}, {"u": "x"}, "wer"), "the outputs of 'b' are of type list"),
        (lambda: fm.compare({"a": {"u": "x"}}, ["x"], "wer"), "references are of type list"),
        (lambda: fm.compare({"a": {"v": "x"}}, {"u": "x"}, "wer"), "the outputs of 'a' lack the id 'u'"),
        (lambda: fm.compare([["x"]], ["x"], "wer"), "systems are a dict of outputs by name"),  # type: ignore[arg-type]
        (lambda: fm.compare({"u1": "x"}, ["x"], "wer"), "the outputs of 'u1' are a list, not str 'x'"),
        (lambda: fm.score([{"text": "a", "pred": "b"}], "text", "pred"),
         r"'text' is no list of references: .* go by name, score\(rows, hypothesis="),
        (lambda: fm.score({"u1": "a"}, {"u1": "b"})["u1"],  # type: ignore[call-overload]
         r"items are numbered, as result\[0\]; by id: dict\(zip\(result.ids, result\)\)\['u1'\]"),
        (lambda: fm.score({"u1": "a"}, {"u1": "b"}, "chrf")["u1"],
         r"result.item_scores has them in order; by id: dict\(zip\(result.ids, result.item_scores\)\)\['u1'\]"),
        (lambda: fm.score(["a"], ["b"], "chrf")[0], "result.item_scores has them in order$"),
        (lambda: fm.wer("the cat sat", ["the", "cat", "sat"]), "alternatives of one word each"),
        (lambda: fm.score(["a b", "a b c"], [["a", "b"], ["a", "b", "c"]]), r"references\[0\] is .* of one word each"),
        (lambda: fm.wer(["the cat", "a dog"], ["the cat", "a dig"]), r"fm.score\(hypotheses, references\).score"),
        (lambda: fm.bleu(["the cat", "a dog"], ["the cat", "a dig"]), r"fm.score\(hypotheses, references\)"),
        (lambda: fm.wer(["the cat sat", "a dog"], "the cat sat a dog"), "a list as one hypothesis, .*: if these are"),
        (lambda: fm.wer([["the", "cat"], ["a", "dog"]], [["the", "cat"], ["a", "fog"]]), "a list as one hypothesis"),
        (lambda: fm.score([["the cat", "a dog"]], [["the cat", "a dig"]]), "hypothesis: a list as one hypothesis"),
        (lambda: fm.hyter(["the cat", "a dog"], "the cat", 3), "hypothesis: a list as one hypothesis"),
        (lambda: fm.cpwer({"ann": [["the cat", "a dog"]]}, {"ann": ["a dog"]}), "ann: a list as one hypothesis"),
        (lambda: fm.segment(["a b", "c d"], ["a b c", "d"]), "a list as one hypothesis"),
        (lambda: fm.segment("a b", [["a", "b"]]), r"references\[0\] is a list of words, .*: give the text"),
        (lambda: fm.segment("a b", ["a", np.array(["b", " c"])]), r"references\[1\] is a list of words"),  # type: ignore[list-item]
        (lambda: fm.align("a", "a", nbest=2.5), "nbest must be a whole number"),  # type: ignore[arg-type]
        (lambda: fm.align("a", "a", options={"threads": 2}), r"options is a SearchOptions, as in"),  # type: ignore[arg-type]
        (lambda: fm.align("a", "a", normalisation="lower"), r"normalisation is a Normalisation, as in"),  # type: ignore[arg-type]
        (lambda: fm.SearchOptions(threads=10**6), "threads must be at most 1024"),
        (lambda: fm.SearchOptions(threads=0), "threads must be at least 1"),
        (lambda: fm.SearchOptions(route="magic"), "unknown route 'magic'"),
        (lambda: fm.mbr(LATTICE, threads=10**6), "threads must be at most 1024"),
        (lambda: fm.mbr(LATTICE, candidates=1.5), "candidates must be a whole number"),  # type: ignore[arg-type]
    ],
)  # fmt: skip
def test_refusals_name_the_item_and_the_side(call: Callable[[], object], message: str) -> None:
    with pytest.raises(fm.FstmetricsError, match=message):
        call()


def test_what_looks_like_alternatives_or_words_can_be_said() -> None:
    assert fm.wer("the cat", fm.Alternatives(["the", "cat"])) == 1.0
    assert fm.wer(["the", "cat"], ["the", "cat"]) == 0.0
    # Alternatives of one word for every item of a corpus are as many each.
    assert fm.score(["yes", "no no"], [("yes", "yeah"), ("no", "nope")]).edits == 1
    assert fm.wer(fm.Alternatives(["the cat", "a dog"]), ["the cat", "a dig"]) == 0.0
    assert fm.wer(["README.md"], ["README.md"]) == 0.0


@pytest.mark.parametrize(
    ("hypotheses", "references"),
    [
        (["the cat sat", "yes"], [["the", "cat", "sat"], ["yes"]]),
        (["a b", "c"], [["a", "b"], ["c"]]),
        (["the cat sat", "c d e"], [["the", "cat", "sat"], ["c", "d", "e"]]),
        ([("u1", "total garbage here")], [("u1", "hello world")]),
        ([("u1", "a b"), ("u2", "c")], [("u2", "c"), ("u1", "a b")]),
        ([["id", "text"], ["a", "b c"]], [["id", "text"], ["a", "b c"]]),
        ({"a": ("u1", "tot garb")}, {"a": ("u1", "hello there")}),
    ],
)
def test_rows_and_words_are_no_alternatives(hypotheses: Any, references: Any) -> None:
    with pytest.raises(fm.FstmetricsError, match=r"rows of an id and a text|alternatives of one word each"):
        fm.score(hypotheses, references)


def test_pairs_of_words_are_words_where_nothing_says_that_they_are_rows() -> None:
    assert fm.score([("turn", "left")], [("turn", "right")]).score == 0.5
    assert fm.score([("turn", "left"), ("go", "on")], [("turn", "right"), ("do", "on")]).edits == 2
    assert fm.score([["turn", "left"], ["go", "on"]], [["turn", "right"], ["go", "on"]]).edits == 1
    with pytest.warns(UserWarning, match=r"tuples of two words, .* dict\(rows\) pairs by id") as found:
        assert fm.score([("turn", "left"), ("go", "on")], [("turn", "left"), ("go", "on")]).edits == 0
    assert [Path(each.filename).name for each in found] == [Path(__file__).name]
    with pytest.warns(UserWarning, match=r"tuples of two words, such as \('u1', 'yes'\)"):
        assert fm.score([("u1", "yes"), ("u2", "no")], ["no", "no"]).edits == 3
    row = namedtuple("row", "id text")
    with pytest.warns(UserWarning, match="tuples of two words"):
        fm.score([row("u1", "yes"), row("u2", "no")], [row("u1", "no"), row("u2", "no")])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fm.score(["yes", "no"], [("yes", "yeah"), ("no", "nope")])
        fm.score([("turn", "left"), ("go", "on")], ["turn left", "go on"])
    with pytest.raises(
        fm.FstmetricsError, match="not dict_items; give the dicts themselves, which pair by id"
    ):
        fm.score({"u1": "yes"}.items(), {"u1": "no"}.items())  # type: ignore[call-overload]


TOKENS = ["the", "cat", "", "sat"]  # what split(" ") makes of two spaces
SPACED = [" the", " cat", " sat"]


@pytest.mark.parametrize("words", [TOKENS, SPACED, ["the", "cat", "sat\n"]])
@pytest.mark.parametrize(
    "call",
    [
        lambda words: fm.wer(words, "the cat sat"),
        lambda words: fm.cer(words, "the cat sat"),
        lambda words: fm.wer(["the", "cat"], words),
        lambda words: fm.score([words, ["a"]], [words, ["a"]]),
        lambda words: fm.score([words], ["the cat sat"], "bleu"),
        lambda words: fm.score([{"h": words, "r": "the cat"}], hypothesis="h", reference="r"),
        lambda words: fm.errors([words], ["the cat sat"]),
        lambda words: fm.compare({"a": [words], "b": ["a"]}, ["a"], samples=9),
        lambda words: fm.segment(words, ["the cat", "sat"]),
        lambda words: fm.oracle(LATTICE, words),
    ],
)
def test_words_that_are_empty_or_have_white_space_are_no_alternatives(
    call: Callable[[list[str]], object], words: list[str]
) -> None:
    with pytest.raises(fm.FstmetricsError, match=r"a list of words, .* (is empty|has white space): give"):
        call(words)


def test_words_of_a_reference_that_are_empty_are_no_alternatives_of_a_string() -> None:
    for call in (
        lambda: fm.wer("the cat sat", TOKENS),
        lambda: fm.score(["the cat sat", "a"], [SPACED, ["a"]], "bleu"),
        lambda: fm.wer("a b", [["a", " b"], ["c"]]),
    ):
        with pytest.raises(fm.FstmetricsError, match=r"alternatives of one word each|' b' has white space"):
            call()
    # Where both meanings are the same, and where sentences, or one word, stand beside a blank line.
    assert fm.wer([" the"], "the") == 0.0
    assert fm.wer(["", ""], "the") == fm.wer([""], "the") == 1.0
    assert fm.wer(["the", "cat"], ["cat", "the cat", "a cat"]) == 0.0
    assert fm.wer("uh", ["uh", ""]) == 0.0


@pytest.mark.parametrize(
    "call",
    [fm.wer, fm.cer, fm.mer, fm.wil, fm.wip, fm.wrr, fm.grr, fm.hyter, fm.bleu, fm.chrf, fm.ter, fm.align],
    ids=lambda call: call.__name__,
)
def test_a_list_of_words_beside_as_many_texts_may_be_items(call: Callable[..., object]) -> None:
    words, texts = ["yes", "no"], ["yes", "yes no"]
    for one, other in ((words, texts), (tuple(words), tuple(texts)), (np.array(words), np.array(texts))):
        with pytest.raises(
            fm.FstmetricsError,
            match=r"'yes', 'no'\], beside .*'yes', 'yes no'\]: .*\(hypotheses, references\)\.score.*Alternatives\(\[",
        ):
            call(one, other)
    # One reading, or said.
    assert fm.score(words, texts).score == 1 / 3
    assert fm.wer(words, fm.Alternatives(texts)) == fm.wer("yes no", texts) == fm.wer(words, words) == 0
    assert fm.wer(["yes"], ["yes no"]) == 1 / 2


@pytest.mark.parametrize(
    "call",
    [
        lambda: fm.wer(list("我爱你"), "我爱你"),
        lambda: fm.score([list("abc")], ["abc"]),
        lambda: fm.score({"a": list("abc"), "b": ["d"]}, {"a": "a bc", "b": "d"}, "bleu"),
        lambda: fm.compare({"a": [list("abc")], "b": ["abc"]}, ["abc"], samples=9),
        lambda: fm.wer(np.array(list("abc")), "ab c"),
        lambda: fm.wer("我爱你", list("我爱你")),
        lambda: fm.score(["abc", "a"], [list("abc"), ["a"]]),
    ],
)
def test_texts_taken_apart_into_characters_are_no_words(call: Callable[[], object]) -> None:
    with pytest.raises(
        fm.FstmetricsError, match=r'a list of single characters, .*: give one string, "".join\(list\)'
    ):
        call()


def test_words_of_one_character_are_words_beside_words_of_one_character() -> None:
    assert fm.wer(list("我爱你"), "我 爱 您") == fm.wer(list("我爱你"), list("我爱您")) == 1 / 3
    assert fm.wer(["I", "am"], "I am") == fm.wer("A", ["A", "B"]) == 0
    assert fm.score([list("ab"), ["c", "dog"]], ["a b", "c dog"]).edits == 0
    words = [["the", "cat"], ["a", "dog"]]
    assert fm.score(words, words).score == 0


def test_columns_with_other_row_labels_do_not_pair_by_position() -> None:
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    table = pd.DataFrame({"hyp": TEXTS, "ref": TEXTS}, index=["u1", "u2"])
    assert fm.score(table["hyp"], table["ref"]).score == 0
    turned = table["hyp"].iloc[::-1]
    with pytest.raises(fm.FstmetricsError, match=r"different labels \(index\)"):
        fm.score(turned, table["ref"])
    with pytest.raises(fm.FstmetricsError, match=r"different labels \(index\)"):
        fm.compare({"a": turned, "b": turned}, table["ref"], "wer")
    assert fm.score(turned.tolist(), table["ref"]).score == 1


def test_no_library_of_tables_is_loaded_to_know_its_objects() -> None:
    found = importlib.util.find_spec("fstmetrics.support.arguments")
    assert found is not None
    source = Path(str(found.origin)).read_text("utf-8")
    assert not {"pandas", "polars", "pyarrow"} & {
        line.split()[1] for line in source.splitlines() if line.startswith(("import ", "from "))
    }


# The other arguments of public functions: each with calls that are right, and what else each argument takes.

NETWORK = fm.Network([fm.Card.from_phrases("S", ["a"])], "S")
NBEST = fm.NBest("x", (("a",), ("b",)), ("a", "b"), (-1.0, -2.0))
STATION = "fstmetrics/examples/hyter/networks/station.json"
HOLMES = "fstmetrics/examples/oracle/lattices/holmes23.slf.gz"

SCORES = ScoreTable.of(["a", "b"], {"wer": [[0.1, 0.3], [0.2, 0.5]]}, [[3, 2], [2, 1]], lower="wer")

THINGS: dict[str, Callable[[], object]] = {
    "string": lambda: "no such thing",
    "empty string": lambda: "",
    "zero byte": lambda: "a\0b",
    "list of strings": lambda: ["a", "b"],
    "tuple of strings": lambda: ("a", "b"),
    "generator": lambda: (text for text in "ab"),
    "column": of("pandas", lambda pd: pd.Series(["a", "b"])),
    "frame": of("pandas", lambda pd: pd.DataFrame({"a": ["a"]})),
    "array of strings": lambda: np.array(["a", "b"]),
    "array of numbers": lambda: np.array([0.5, 2.0]),
    "dict": lambda: {"a": "b"},
    "set": lambda: {"a"},
    "empty list": list,
    "bytes": lambda: b"a",
    "path": lambda: Path("no such file"),
    "None": lambda: None,
    "true": lambda: True,
    "one": lambda: 1,
    "minus one": lambda: -1,
    "huge": lambda: 10**30,
    "half": lambda: 0.5,
    "nan": lambda: float("nan"),
    "infinity": lambda: float("inf"),
    "list of numbers": lambda: [0, 1],
    "list in itself": KINDS["a list in itself"],
    "object": object,
    "class": lambda: fm.Lattice,
    "lattice": lambda: LATTICE,
    "n-best list": lambda: NBEST,
    "network": lambda: NETWORK,
}
WHOLE, NAMES = "one", "string, empty string, zero byte"
LISTS = "list of strings, tuple of strings, generator, column, array of strings"
SETTINGS = {
    "metric": "",
    "nbest": WHOLE,
    "normalisation": "",
    "grammars": "None, empty string, empty list",
    "options": "",
}
LATTICE_FIELDS = {"start": "one", "num_states": "None", "costs": "None, empty list", "final_costs": "None, empty list",
                  "id": NAMES, "scales": "None", "times": "None"}  # fmt: skip
PAIR = {"hypotheses": ["a", "b"], "references": ["a", "b"]}
OTHERS: dict[str, tuple[Callable[..., object], dict[str, Any], dict[str, str]]] = {
    "align": (fm.align, {"hypothesis": "a", "reference": "a"}, SETTINGS),
    "grr": (
        fm.grr,
        {"hypothesis": "a", "reference": "a"},
        {"order": "one", "alpha": "one, minus one, half", "beta": "one, minus one, half"},
    ),
    "hyter": (fm.hyter, {"hypothesis": "a", "network": NETWORK}, {"window": "one", "reordering": ""}),
    "score": (fm.score, PAIR, SETTINGS | {"ids": f"None, {LISTS}"}),
    "score chrf": (fm.score, PAIR | {"metric": "chrf"}, SETTINGS | {"ids": f"None, {LISTS}"}),
    "oracle": (
        fm.oracle,
        {"lattice": LATTICE, "reference": "a"},
        SETTINGS
        | {
            "beams": "one, half, huge, infinity, empty list, list of numbers, array of numbers",
            "scales": "None",
            "model_weight": "None, one, half, huge",
            "depth": "true",
        },
    ),
    "mbr": (
        fm.mbr,
        {"hypotheses": LATTICE},
        {
            "hypotheses": "lattice, n-best list, network, list of strings, array of strings, tuple of strings, column",
            "scale": "one, half, huge",
            "scales": "None",
            "nbest": WHOLE,
            "candidates": WHOLE,
            "evidence": WHOLE,
            "threads": WHOLE,
            "metric": "",
            "normalisation": "",
        },
    ),
    "compare": (
        fm.compare,
        {"systems": {"a": ["a"], "b": ["b"]}, "references": ["a"], "metrics": "wer", "samples": 9},
        {
            "systems": "",
            "metrics": "None",
            "test": "",
            "samples": WHOLE,
            "seed": "one, huge",
            "one_sided": "true",
            "both_ways": "true",
            "correction": "",
            "confidence": "half",
            "normalisation": "",
            "options": "",
        },
    ),
    "cards_taken": (
        fm.cards_taken,
        {"network": NETWORK, "words": "a"},
        {"network": "network", "words": "", "normalisation": ""},
    ),
    "network_info": (fm.network_info, {"network": NETWORK}, {"network": "network"}),
    "normal_form": (fm.normal_form, {"network": NETWORK}, {"network": "network"}),
    "union": (lambda other: fm.union(NETWORK, other), {"other": NETWORK}, {"other": "network"}),
    "spu": (
        lambda **given: fm.spu(NETWORK, given["other"], max_pairs=given["max_pairs"]),
        {"other": NETWORK, "max_pairs": 9},
        {"other": "network", "max_pairs": "one, huge"},
    ),
    "merged": (merged, {"references": ["a"]}, {"references": LISTS, "id": NAMES}),
    "hope": (
        lambda **given: Weighing(given["metric"], given["weight"], nbest=given["nbest"]).hope(
            given["hypotheses"], "a"
        ),
        {"metric": fm.WER(), "weight": 1.0, "nbest": 1, "hypotheses": LATTICE},
        {
            "metric": "",
            "weight": "one, half, huge",
            "nbest": WHOLE,
            "hypotheses": "lattice, n-best list, network",
        },
    ),
    "Lattice.read": (fm.Lattice.read, {"path": HOLMES}, {"path": "", "format": "None"}),
    "Network.read": (fm.Network.read, {"path": STATION}, {"path": "", "format": "None"}),
    "NBest.read_all": (fm.NBest.read_all, {"path": STATION}, {"path": "", "format": ""}),
    "Lattice.from_arrays": (
        fm.Lattice.from_arrays,
        {"sources": [0, 0], "destinations": [1, 1], "words": ["a", "b"], "finals": [1]},
        LATTICE_FIELDS
        | {
            "sources": "list of numbers",
            "destinations": "list of numbers",
            "words": LISTS,
            "finals": "empty list, list of numbers",
        },
    ),
    "Lattice.from_arcs": (
        fm.Lattice.from_arcs,
        {"arcs": [(0, 1, "a")], "finals": [1]},
        {"arcs": "empty list", "finals": "empty list, list of numbers", "start": "one", "id": NAMES},
    ),
    "Lattice.from_strings": (
        fm.Lattice.from_strings,
        {"sentences": ["a", "b"]},
        {
            "sentences": f"empty list, {LISTS}",
            "costs": "None, list of numbers, array of numbers",
            "id": NAMES,
        },
    ),
    "Lattice.from_pynini": (fm.Lattice.from_pynini, {}, {"fst": ""}),
    "Lattice.from_kaldifst": (fm.Lattice.from_kaldifst, {}, {"fst": ""}),
    "Lattice.from_k2": (fm.Lattice.from_k2, {}, {"fsa": ""}),
    "Lattice.from_pocketsphinx": (fm.Lattice.from_pocketsphinx, {}, {"decoder": ""}),
    "Lattice.best_paths": (LATTICE.best_paths, {"n": 1}, {"n": WHOLE, "scales": "None"}),
    "Network.best_paths": (NETWORK.best_paths, {"n": 1}, {"n": WHOLE, "scales": "None"}),
    "NBest": (
        fm.NBest,
        {"id": "x", "entries": (("a",), ("b",)), "texts": ("a", "b")},
        {
            "id": NAMES,
            "entries": "list of strings, tuple of strings",
            "texts": "empty list, list of strings, tuple of strings",
            "scores": "None, list of numbers, array of numbers",
        },
    ),
    "Network": (
        fm.Network,
        {"cards": [fm.Card.from_phrases("S", ["a"])], "root": "S"},
        {
            "cards": "",
            "root": "",
            "id": NAMES,
            "source": "None, empty list, list of strings, tuple of strings",
            "scales": "None",
        },
    ),
    "Network.from_json": (fm.Network.from_json, {"text": NETWORK.to_json()}, {"text": "", "id": NAMES}),
    "Network.from_dict": (fm.Network.from_dict, {"data": NETWORK.to_dict()}, {"data": "", "id": NAMES}),
    "Card.from_phrases": (
        fm.Card.from_phrases,
        {"name": "S", "phrases": ["a"]},
        {"name": NAMES, "phrases": LISTS, "span": "None, list of numbers"},
    ),
    "Transcript.parse": (
        fm.Transcript.parse,
        {"text": "a", "notation": "sclite"},
        {"text": NAMES, "notation": "", "tags": "true", "id": NAMES},
    ),
    "Normalisation": (
        fm.Normalisation,
        {},
        {
            "lowercase": "true",
            "remove_punctuation": "true",
            "unit": "",
            "unicode": "",
            "ignore": f"set, empty list, {LISTS}",
            "ignore_hypothesis": f"set, empty list, {LISTS}",
        },
    ),
    "Scales": (
        fm.Scales,
        {},
        dict.fromkeys(("lm", "acoustic", "word_penalty"), "one, minus one, half, huge"),
    ),
    "SearchOptions": (
        fm.SearchOptions,
        {},
        {"route": "", "alignment": "true", "threads": WHOLE, "max_cells": "None, one, huge"},
    ),
    "Alternatives": (
        fm.Alternatives,
        {},
        {"items": f"{LISTS}, list of numbers, array of numbers, list in itself"},
    ),
    "ScoreTable.of": (
        ScoreTable.of,
        {"systems": ["a", "b"], "metrics": {"wer": [[0.1], [0.2]]}, "human": [[1], [2]]},
        {"systems": LISTS, "metrics": "", "human": "", "lower": "empty list"},
    ),
    "correlate": (
        correlate,
        {"table": SCORES, "levels": ["segment"], "intervals": Intervals(samples=0)},
        {
            "table": "",
            "levels": "",
            "intervals": "",
            "threshold": "one, minus one, huge, half, nan, infinity",
        },
    ),
    "pearson": (pearson, {"x": [1, 2], "y": [2, 3]}, {"x": "list of numbers, array of numbers"}),
    "separation": (
        separation,
        {"humans": [1.0], "machines": [2.0]},
        {"machines": "array of numbers, list of numbers"},
    ),
    "kappa": (kappa, {"agreement": 0.5}, {"agreement": "one, half", "chance": "half"}),
    "HyTER": (fm.HyTER, {}, {"window": "one", "reordering": ""}),
    "Mean": (fm.Mean, {}, {"metric": ""}),
    "Grammar.parse": (fm.Grammar.parse, {}, {"text": ""}),
    "CorpusResult.of": (fm.CorpusResult.of, {}, {"items": ""}),
    "Statistics.of": (fm.Statistics.of, {}, {"corpus": ""}),
    "limited": (lambda arcs: fm.limited(arcs=arcs).__enter__(), {}, {"arcs": ""}),
}


@pytest.mark.parametrize("name", OTHERS)
def test_every_argument_takes_what_it_means_and_refuses_the_rest(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    pytest.importorskip("pandas", reason="pandas is not installed")
    function, given, arguments = OTHERS[name]
    for argument, kinds in arguments.items():
        taken = []
        for kind, thing in THINGS.items():
            if name == "limited" and kind == "one":
                continue
            try:
                function(**given | {argument: thing()})
            except fm.FstmetricsError:
                continue
            taken.append(kind)
        assert sorted(taken) == sorted(filter(None, kinds.split(", "))), argument


def test_threads_of_python_give_what_one_gives() -> None:
    """The engine leaves Python's lock; lattices and networks are prepared once, by whichever thread comes first."""
    lattice = fm.Lattice.read(ROOT / HOLMES)
    network = fm.Network.read(ROOT / STATION)
    reference = "i believe that a single lady can get on very nicely"

    def work(number: int) -> tuple[object, ...]:
        words = reference.split()[: number % 9 + 1]
        found = fm.oracle(lattice, words, "grr" if number % 2 else "wer")
        return (
            found.hypothesis,
            found.cost,
            fm.wer(" ".join(words), lattice),
            fm.hyter("where train station is", network, window=number % 3 + 1),
            fm.score([" ".join(words)] * 3, [reference] * 3).score,
        )

    alone = [work(number) for number in range(18)]
    fresh = fm.Lattice.read(ROOT / HOLMES)
    lattice.__dict__ |= {"_graphs": {}}
    assert fresh.num_arcs == lattice.num_arcs
    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(work, range(18 * 4))) == alone * 4


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: fm.wer("a", "b", unit="char"),
            "wer() has no argument 'unit'; align() and score() take normalisation=Normalisation(unit='char')",
        ),
        (
            lambda: fm.score(["a"], ["b"], unit="char"),
            "score() has no argument 'unit'; give normalisation=Normalisation(unit='char')",
        ),
        (
            lambda: fm.oracle(LATTICE, "b", threads=2),
            "oracle() has no argument 'threads'; give options=SearchOptions(threads=2)",
        ),
        (
            lambda: fm.wrr("a", "b", normalisation=fm.Normalisation(lowercase=True)),
            "wrr() has no argument 'normalisation'; align() and score() take "
            "normalisation=Normalisation(...), or normalisation=fstmetrics.profile(NAME)",
        ),
        (
            lambda: fm.hyter("a", "b", windows=3),
            "hyter() has no argument 'windows'; did you mean window? It takes hypothesis, network, window, reordering",
        ),
        (lambda: fm.wer("a", "b", x=1), "wer() has no argument 'x'; it takes hypothesis, reference"),
        (
            lambda: fm.oracle(LATTICE, "a", lm_scale=16),
            "oracle() has no argument 'lm_scale'; did you mean lm_scales? One weight of all is scales=Scales(lm=16). "
            "It takes lattice, reference, metric, scales, nbest, normalisation, grammars, options, beams, "
            "model_weight, depth, lm_scales, word_penalties",
        ),
        (
            lambda: fm.mbr(LATTICE, scal=1),
            "mbr() has no argument 'scal'; did you mean scale or scales? It takes hypotheses, metric, utilities, "
            "scale, scales, nbest, candidates, evidence, normalisation, threads",
        ),
        (
            lambda: fm.compare({"a": ["a"]}, ["a"], ["wer"], sample=1),
            "compare() has no argument 'sample'; did you mean samples? It takes systems, references, metrics, test, "
            "samples, seed, networks, grammars, one_sided, both_ways, correction, pairs, confidence, scores, lower, "
            "higher, fields, by, blocks, normalisation, options, lists, run, progress",
        ),
        (
            lambda: fm.score(["a"], ["b"], by="speaker"),
            "score() has no argument 'by'; score(...).by('speaker') has the scores by a field, which fields= gives, or "
            "a frame",
        ),
        (
            lambda: fm.errors(["a"], ["b"], top=3),
            "errors() has no argument 'top'; it takes hypotheses, references, metric, hypothesis, reference, id, ids, "
            "nbest, normalisation, grammars, options, fields",
        ),
        (
            lambda: fm.show(["a"], ["b"], lowercase=True),
            "show() has no argument 'lowercase'; give normalisation=Normalisation(lowercase=True)",
        ),
        (
            lambda: fm.report({"x": ["a"]}, ["b"], source=["c"]),
            "report() has no argument 'source'; it takes systems, references, metrics, title, hypothesis, reference, "
            "id, ids, nbest, normalisation, grammars, options, fields",
        ),
    ],
)
def test_an_argument_that_there_is_not_says_which_is_meant(call: Callable[[], object], message: str) -> None:
    with pytest.raises(fm.FstmetricsError) as raised:
        call()
    assert str(raised.value) == message


@pytest.mark.parametrize("function", [fm.wer, fm.align, fm.hyter])
def test_dicts_of_items_are_for_score(function: Callable[..., object]) -> None:
    for arguments in (({"u1": "a"}, {"u1": "b"}), ({"u1": "a"}, "b"), ("a", {"u1": "b"})):
        with pytest.raises(
            fm.FstmetricsError, match=r"is a dict, which holds many items: score\(\) takes dicts"
        ):
            function(*arguments)
    with pytest.raises(fm.FstmetricsError, match=r"of a row give the text, as row\['text'\]"):
        function({"text": "a"}, "b")


def test_the_warning_of_tokenized_texts_is_of_the_line_that_calls() -> None:
    with pytest.warns(UserWarning, match="look tokenized") as caught:
        fm.score(["a b ."] * 100, ["a b ."] * 100, "bleu")
    assert caught[0].filename == __file__


def test_a_blank_text_is_an_empty_sentence() -> None:
    for hypotheses, references in (([" "], ["b c"]), (["I", " "], ["I", "a"]), (["x"], ["\u3000"])):
        assert len(fm.score(hypotheses, references)) == len(hypotheses)
    with pytest.raises(fm.FstmetricsError, match="hypotheses are a list of characters"):
        fm.score(list("a b"), ["a", "b", "c"])


def test_sets_of_references_in_columns_of_pyarrow_have_a_recipe() -> None:
    """What the errors say works."""
    pa = pytest.importorskip("pyarrow")
    rows = pa.table({"ours": ["a b", "c", "d"], "one": ["a b", "x", "d"], "other": ["a", "c", "e"]})
    sets = [rows["one"], rows["other"]]
    with pytest.raises(
        fm.FstmetricsError, match=r"by list\(zip\(\*\(column\.to_pylist\(\) for column in sets\)\)\)"
    ):
        fm.score(rows["ours"], sets)
    with pytest.raises(
        fm.FstmetricsError, match=r"not StringScalar; make a list of the column first, as table\['text'\]"
    ):
        fm.score(rows["ours"], list(zip(*sets, strict=True)))
    assert fm.score(rows["ours"], list(zip(*(column.to_pylist() for column in sets), strict=True))).edits == 0  # type: ignore[union-attr]


IDS = ["u1 the cat", "u2 a dog", "u3 so it is"]


@pytest.mark.parametrize(
    "call",
    [
        lambda hyps: fm.score(hyps, IDS),
        lambda hyps: fm.score(hyps, IDS, "bleu"),
        lambda hyps: fm.score(hyps, IDS, ["wer", "chrf"]),
        lambda hyps: fm.score((f"{line}\n" for line in hyps), iter(IDS)),
        lambda hyps: fm.score([line.replace(" ", "\t", 1) for line in hyps], IDS),
        lambda hyps: fm.compare({"a": [line[3:] for line in hyps], "b": hyps}, IDS, "wer", samples=9),
    ],
)
@pytest.mark.parametrize("hyps", [IDS, [*IDS[1:], IDS[0]]], ids=["in order", "in another order"])
def test_lines_that_begin_with_ids_have_a_warning(call: Callable[[Any], Any], hyps: list[str]) -> None:
    with pytest.warns(UserWarning, match=r"begin with words that look like ids \('u1', ...\)") as found:
        call(hyps)
    assert [Path(each.filename).name for each in found] == [Path(__file__).name]


@pytest.mark.parametrize("between", [" ", "\t", "  ", " \t "])
def test_the_advice_takes_ids_off_whatever_stands_behind_them(between: str) -> None:
    bare = [f"the cat sat w{n}" for n in range(20)]
    texts = [f"u{n}{between}{text}" for n, text in enumerate(bare)]
    with pytest.warns(UserWarning, match="begin with words that look like ids") as found:
        fm.score(texts, bare)
    (advice,) = re.findall(r"; (\[.*\]) takes them off", str(found[0].message))
    assert fm.score(eval(advice, {"texts": texts}), bare).edits == 0


@pytest.mark.parametrize(
    ("hyps", "refs"),
    [
        (["u1 the cat"], ["u1 the cat"]),
        (["u1 the cat", "u1 a dog"], ["u1 the cat", "u1 a dog"]),
        (["u1 the cat", "u2 a dog"], ["u3 the cat", "u4 a dog"]),
        (["u1 the cat", "a dog"], ["u1 the cat", "a dog"]),
        (["u1 the cat", "u2 a dog"], ["so is", "it was"]),
        (["e-mail me", "1st of two"], ["email me", "first of two"]),
        (["in (2019)"], ["in (2019)"]),
        (["10 men", "20 women"], ["10 men", "20 women"]),
        (["1 2 3", "2 3 4"], ["1 2 3", "2 3 5"]),
        (["u1 the\ncat", "u2 a dog"], ["u1 the cat", "u2 a dog"]),
        ([["u1", "cat"], ["u2", "dog"]], ["u1 cat", "u2 dog"]),
        (dict(zip("ab", IDS, strict=False)), dict(zip("ab", IDS, strict=False))),
    ],
)
def test_lines_that_may_begin_with_words_have_none(
    hyps: Any, refs: Any, recwarn: pytest.WarningsRecorder
) -> None:
    fm.score(hyps, refs)
    fm.compare({"a": hyps}, refs, "wer", samples=9)
    if isinstance(hyps, list):
        fm.score(IDS, IDS, ids=["1", "2", "3"])
    assert not [each for each in recwarn if "look like ids" in str(each.message)]


ENDED = ["the cat (u1)", "a dog (u2)"]
BARE = ["the cat", "a dog"]


@pytest.mark.parametrize(
    ("hyps", "refs", "message"),
    [
        (ENDED, ENDED[::-1], r"hypotheses and references end with ids in parentheses \('\(u1\)', ...\), as of trn"),
        (BARE, ENDED, r"references end with ids in parentheses"),
        (["u1 the cat", "u2 the dog"], BARE, r"hypotheses begin with words that look like ids \('u1', ...\), and"),
        (BARE, ["u1 the cat", "u2 the dog"], r"references begin with .*, and hypotheses do not; .* fm.read_text"),
    ],
)  # fmt: skip
def test_ids_at_ends_and_on_one_side_have_a_warning(hyps: list[str], refs: list[str], message: str) -> None:
    for call in (lambda: fm.score(hyps, refs), lambda: fm.compare({"a": hyps}, refs, "wer", samples=9)):
        with pytest.warns(UserWarning, match=message) as found:
            call()
        assert [Path(each.filename).name for each in found] == [Path(__file__).name]
        message = message.replace("hypotheses", "the outputs of 'a'")
    if hyps is ENDED or refs is ENDED:
        with pytest.warns(
            UserWarning, match=r"end with ids in parentheses .*\[:-1\]\) takes them out of a text"
        ):
            fm.score(dict(zip("ab", hyps, strict=True)), dict(zip("ab", refs, strict=True)))


BY_ID = {"s1_u1": "the cat sat", "s1_u2": "a dog", "s1_u3": "so it is", "s1_u4": ""}


@pytest.mark.parametrize(
    ("form", "verb", "advice"),
    [
        ("{id} {text}", "begin", '" ".join(text.split()[1:])'),
        ("({id}) {text}", "begin", '" ".join(text.split()[1:])'),
        ("{id}\t{text}", "begin", '" ".join(text.split()[1:])'),
        ("{text} {id}", "end", '" ".join(text.split()[:-1])'),
        ("{text} ({id})", "end", '" ".join(text.split()[:-1])'),
        ("{text}\t{id}", "end", '" ".join(text.split()[:-1])'),
    ],
)
@pytest.mark.parametrize(
    "named", [str, dict(zip(BY_ID, ("ann", "bob", "cy", "di"), strict=True)).get], ids=["ids", "names"]
)
def test_texts_with_the_ids_of_their_items_have_a_warning(
    named: Callable[[str], str], form: str, verb: str, advice: str
) -> None:
    refs = {named(id): text for id, text in BY_ID.items()}
    hyps = {id: form.format(id=id, text=text) for id, text in refs.items()}
    ids, empty = list(refs), list(refs)[-1]
    rows = [{"id": id, "h": hyps[id], "r": refs[id]} for id in refs]
    has_words = {id: text for id, text in refs.items() if text}
    calls: list[tuple[Callable[[], Any], str]] = [
        (lambda: fm.score(hyps, refs), "hypotheses"),
        (lambda: fm.score(hyps, dict(hyps), "bleu"), "hypotheses and references"),
        (lambda: fm.score(refs, {id: [text] for id, text in hyps.items()} | {empty: [hyps[empty]]}), "references"),
        (lambda: fm.score({**hyps, empty: ""}, refs), "hypotheses"),
        (lambda: fm.score(list(hyps.values()), list(refs.values()), ids=ids), "hypotheses"),
        (lambda: fm.score(rows, hypothesis="h", reference="r", id="id"), "hypotheses"),
        (lambda: fm.compare({"a": has_words, "b": {id: hyps[id] for id in has_words}}, has_words, samples=9), "of 'b'"),
    ]  # fmt: skip
    if named is not str and form in ("{id} {text}", "{text} {id}"):  # names may be words
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert fm.score(hyps, dict(hyps)).edits == 0
        return
    for call, sides in calls:
        with pytest.warns(
            UserWarning, match=f"{sides} {verb} with their own ids \\('{ids[0]}', ...\\)"
        ) as found:
            call()
        assert str(found[0].message).endswith(f"count as words: {advice} takes them out of a text")
        assert {Path(each.filename).name for each in found} == {Path(__file__).name}
        assert len(found) == 1
    mended = {id: eval(advice, {"text": text}) for id, text in hyps.items()}
    assert fm.score(mended, refs).edits == 0


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "texts",
    [
        {"u1": "u1 the cat", "u2": "a dog"},
        {"u1": "u1 the cat", "u2": ""},
        {"u1": "u1", "u2": "u2"},
        {"u1": "u2 a", "u2": "u1 b"},
        {"1": "chapter 1", "2": "chapter 2"},
        {"yes": "yes please", "no": "no thanks"},
        {"u1": ["u1", "a"], "u2": ["u2", "b"]},
    ],
)
def test_keys_that_may_be_words_have_none(texts: dict[str, Any]) -> None:
    assert fm.score(texts, dict(texts)).edits == 0


# Texts of one side that are no sentences, and what is said of them.
NO_SENTENCES = {
    "pieces": (["the c@@ at sat", "a d@@ og"], "have pieces of words, marked @@, and references have none: make words"),
    "sentencepiece": (["\u2581the \u2581c at", "\u2581a \u2581dog"], "have pieces of words, marked \u2581"),
    "lists": (["['the', 'cat']", "['a', 'dog']"], "look like a list, or bytes, as Python writes them"),
    "bytes": (["b'the cat'", "b'a dog'"], "look like a list, or bytes, as Python writes them"),
    "JSON": (['[{"text": "the cat"}]', '[{"text": "a dog"}]'], "look like a list"),
    "tokens": (["<|en|> the cat", "<|en|> a dog"], "look like a text with the tokens of Whisper"),
    "quotes": (['"the cat"', '"a dog"'], "have quotation marks around each line"),
    "German quotes": (["\u201ethe cat\u201c", "\u201ea dog\u201c"], "have quotation marks around each line"),
    "quotes of Python": (["'the cat'", "'a dog'"], "have quotation marks around each line"),
    "German quotes in books": (["\u00bbthe cat\u00ab", "\u00bba dog\u00ab"], "have quotation marks around each line"),
    "Japanese quotes": (["\u300cthe cat\u300d", "\u300ca dog\u300d"], "have quotation marks around each line"),
    "quotes before the full stop": (['"the cat".', '"a dog".'], "have quotation marks around each line"),
    "ends": (["the cat\\n", "a dog\\n"], r"have ends of lines written as \\n"),
    "columns": (["the cat\ta", "a dog\tb"], "look like a table of tab-separated columns"),
    "markup": (['<seg id="1">the cat</seg>', '<seg id="2">a dog</seg>'], "have markup around each line"),
    "lists of Moses": (["0 ||| the cat ||| x ||| 1", "1 ||| a dog ||| x ||| 2"], "look like lines of nbest"),
    "times": (["1.5 2.7 the cat", "2.7 4.0 a dog", "4.0 4.5 so it is"], "have times before texts, and references"),
    "scores": (["the cat 0.91", "a dog 0.85", "so it is 0.77"], "have scores behind texts, and references"),
    "numbers": (["17 4", "3 9", "2"], "have numbers in place of words, and references have none: make words"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("texts", "references", "message"),
    [
        (["<|en|> the cat<|endoftext|>", "<|en|> a dog"], ["the cat", "a dog"], "hypotheses look like a text with the"),
        (["1. the cat", "2. a dog"], ["the cat", "a dog"], "hypotheses look like a numbered list"),
        (["['the', 'cat']"] * 2, ["['the', 'hat']"] * 2, "hypotheses and references look like a list"),
    ],
)  # fmt: skip
def test_of_texts_that_are_no_sentences_there_is_one_warning(
    texts: list[str], references: list[str], message: str
) -> None:
    with pytest.warns(UserWarning, match=message) as found:
        fm.score(texts, references)
    assert len(found) == 1


def test_a_system_with_the_texts_of_the_references_has_a_warning() -> None:
    texts = [f"the {name} cats" for name in "abcdefghijkl"]
    other = [*texts[:-1], "a dog"]
    with pytest.warns(UserWarning, match="^the outputs of 'text' are the texts of the references$") as found:
        fm.compare({"text": list(texts), "new": other}, texts, "wer", samples=9)
    assert len(found) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fm.compare({"text": other, "new": other}, texts, "wer", samples=9)
        fm.compare({"text": texts[:5], "new": other[:5]}, texts[:5], "wer", samples=9)


TWELVE = [
    " ".join(f"{word}{name}" for word in ("ca", "do", "re", "it", "so", "my")) for name in "abcdefghijkl"
]
# What is wrong in many places, and the warning of it, as commands have it.
OFTEN_WRONG = {
    "another order": ([*TWELVE[5:], *TWELVE[:5]], "12 hypotheses are word for word the reference of another item"),
    "a missing line": (
        [*TWELVE[1:], ""], "hypotheses 1 to 11 fit the references of items 2 to 12, 0 errors in place of",
    ),
    "case": ([text.upper() for text in TWELVE], "are of case: 72, and 0 with normalisation=Normalisation[(]low"),
    "case and punctuation": (
        [text.title().replace(" ", ", ") for text in TWELVE],
        r"with normalisation=Normalisation[(]lowercase=True, remove_punctuation=True[)]",
    ),
}  # fmt: skip


@pytest.mark.parametrize("metric", ["wer", "bleu", ["bleu", "wer"]], ids=str)
@pytest.mark.parametrize("name", OFTEN_WRONG)
def test_texts_with_many_errors_have_the_remark_of_commands(name: str, metric: Any) -> None:
    texts, message = OFTEN_WRONG[name]
    with pytest.warns(UserWarning, match=message) as found:
        fm.score(texts, TWELVE, metric)
    assert len(found) == 1
    with pytest.warns(UserWarning, match=f"^the outputs of 'b': .*{message}"):
        fm.compare({"a": [*TWELVE[:-1], "x"], "b": texts}, TWELVE, "wer", samples=9)


UNSPACED = [
    f"\u610f\u5927\u5229{name}\u5230\u4e86\u7f57\u9a6c" for name in "\u4e00\u4e8c\u4e09\u56db\u4e94\u516d" * 2
]
WITHOUT_ONE = [text.replace("\u4e86", "") for text in UNSPACED]
WRITTEN = [
    f"{word} came to Rome on a Monday, and left it."
    for word in ["Ann", "Ben", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo"]
]
BARE = [text.replace(",", "").replace(".", "").lower() for text in WRITTEN]
UNLIKE = [
    f"nobody at all knows why there is some {word} in these"
    for word in ["dew", "fog", "hay", "ice", "jam"] * 2
]
SPACES = "no spaces part the words of most texts.*: normalisation=Normalisation[(]unit='char-no-space'[)], or mixed"
SPELT = r"are of case and punctuation: .*with normalisation=Normalisation[(]lowercase=True, remove_punctuation=True[)]$"
UNMATCHED = (
    "^only . of 1.. words match: do both sides have the same items in the same order, in one language[?]$"
)


@pytest.mark.parametrize(
    ("hypotheses", "references", "metric", "message"),
    [
        *((WITHOUT_ONE, UNSPACED, metric, SPACES) for metric in ("wer", "wil", ["cer", "wer"])),
        *((WITHOUT_ONE, UNSPACED, metric, "") for metric in ("cer", "chrf", "mean-cer", ["cer", "chrf"])),
        (WITHOUT_ONE, UNSPACED, "bleu", r"one word: normalisation=Normalisation[(]tokenize='zh'[)], ja-mecab, ko-"),
        *((BARE, WRITTEN, metric, SPELT) for metric in ("wer", "mer", "mean-wer", "bleu", ["chrf", "wer"])),
        *((BARE, WRITTEN, metric, "") for metric in ("per", "case", "mean-per", ["wer", "case"])),
        ([text.upper() for text in WRITTEN], WRITTEN, "ter", ""),  # which folds case by itself
        ([text.upper() for text in WRITTEN], WRITTEN, "chrf", "are of case: .*[(]lowercase=True[)]$"),
        *((UNLIKE, WRITTEN, metric, UNMATCHED) for metric in ("wer", "cer", "grr", "bleu", "chrf", "ter", "per")),
        ([text[::-1] for text in UNSPACED], UNSPACED, "chrf", ""),
        ([text.replace("o", "0").replace("a", "e") for text in WRITTEN], WRITTEN, "chrf", ""),
    ],
)  # fmt: skip
def test_what_is_said_is_of_what_the_metrics_count(
    hypotheses: list[str], references: list[str], metric: Any, message: str
) -> None:
    """Of spaces to metrics of words, of spelling where the advice can be followed, of other texts to all."""
    for call in (
        lambda: fm.score(hypotheses, references, metric),
        lambda: fm.compare({"a": references, "b": hypotheses}, references, metric, samples=9),
    ):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            call()
        said = [str(each.message).removeprefix("the outputs of 'b': ") for each in found]
        said = [each for each in said if "texts of the references" not in each]
        assert len(said) == bool(message) or metric == "bleu", said
        assert all(re.search(message, each) for each in said), said


def test_a_frame_is_no_field() -> None:
    frame = importlib.import_module("pandas").DataFrame({"speaker": list("aabb")})
    systems = {"a": TWELVE[:4]}
    with pytest.raises(fm.FstmetricsError, match="fields are a dict of columns"):
        fm.compare(systems, TWELVE[:4], "wer", fields=frame, blocks="speaker")  # type: ignore[arg-type]


def test_warnings_name_the_line_that_called() -> None:
    capitals, marked = [text.upper() for text in TWELVE], [f"{text} c@@ at" for text in TWELVE]
    calls: list[Callable[[], Any]] = [
        lambda: fm.score(capitals, TWELVE),
        lambda: fm.score(marked, TWELVE, ["wer", "bleu"]),
        lambda: fm.errors(capitals, TWELVE),
        lambda: fm.errors(fm.score(marked, TWELVE)),
        lambda: fm.compare({"a": marked, "b": TWELVE}, TWELVE, "wer", samples=9),
        lambda: fm.compare_profiles({"a": marked, "b": TWELVE}, TWELVE, "none,whisper-en"),
        lambda: fm.report({"a": marked, "b": TWELVE}, TWELVE, "wer"),
        lambda: fm.show(marked, TWELVE),
    ]
    for call in calls:
        with pytest.warns(UserWarning, match="case|pieces") as found:
            call()
        assert {each.filename for each in found} == {__file__}


def test_texts_that_pair_by_id_or_differ_otherwise_have_no_remark_of_errors() -> None:
    ids, other = [f"u{n}" for n in range(12)], [*TWELVE[5:], *TWELVE[:5]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fm.score(dict(zip(ids, other, strict=True)), dict(zip(ids, TWELVE, strict=True)))
        fm.score(
            [{"h": h, "r": r} for h, r in zip(other, TWELVE, strict=True)], hypothesis="h", reference="r"
        )
        for seed in range(20):  # short texts, of which errors make others
            draw = random.Random(seed).choice
            for words, length in (
                (["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"], 2),
                (["yes", "no"], 1),
            ):
                said = [[draw(words) for _ in range(length)] for _ in range(60)]
                heard = [" ".join(draw(words) if draw((0, 1)) else word for word in each) for each in said]
                fm.score(heard, [" ".join(each) for each in said])
        fm.score([*TWELVE[1:9], ""], TWELVE[:9])


@pytest.mark.parametrize("name", NO_SENTENCES)
def test_texts_that_are_no_sentences_have_a_warning(name: str) -> None:
    texts, message = NO_SENTENCES[name]
    pattern = message.replace("(", "[(]").replace("none: make words", "none: they count as words; make words")
    refs = ["the 2 cats" if name == "numbers" else "the cat", "a dog", "so it is"][: len(texts)]
    rows = [{"h": h, "r": r} for h, r in zip(texts, refs, strict=True)]
    ids = ["1", "2", "3"][: len(texts)]
    calls: list[Callable[[], Any]] = [
        lambda: fm.score(texts, refs),
        lambda: fm.score(iter(texts), refs, "bleu"),
        lambda: fm.score(dict(zip(ids, texts, strict=True)), dict(zip(ids, refs, strict=True))),
        lambda: fm.score(rows, hypothesis="h", reference="r"),
        lambda: fm.score(texts, [[ref, "x y"] for ref in refs]),
        lambda: fm.compare({"a": texts}, refs, "wer", samples=9),
        lambda: fm.compare({"a": refs, "b": texts}, refs, "wer", samples=9),
        lambda: fm.compare_profiles({"a": texts}, refs, "none,whisper-basic"),
    ]
    if name == "numbers":  # where references have numbers, too, they may be said
        fm.score(texts, refs)
        refs[0] = "the cat"
        rows[:] = [{"h": h, "r": r} for h, r in zip(texts, refs, strict=True)]
    for call in calls:
        with pytest.warns(
            UserWarning, match=pattern.replace("references", "(references|the outputs of 'a')")
        ):
            call()
    with pytest.warns(UserWarning, match=r"references (have|look like)"):
        fm.score(refs, texts)
    words = [text.split() for text in texts]
    assert fm.score(words, [ref.split() for ref in refs]).score > 0 == fm.score(words, words).score


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("hyps", "refs"),
    [
        (['"no" he said', "yes"], ["no he said", "yes"]),
        (["well, the cat", "a - dog (big)"], ["well the cat", "a dog"]),
        (["it was 5 % of 1,000", "on/off: 3-4"], ["it was five percent of a thousand", "on off"]),
        (["un \u00e9l\u00e8ve cr\u00e9\u00e9", "F\u00fc\u00dfe"], ["un \u00e9l\u00e8ve", "Fuesse"]),
        (["1. the cat", "x"], ["the cat", "x"]),
        (["a & b", "c_d"], ["a and b", "cd"]),
        (["x|y"], ["x y"]),
        (["5", "12"], ["five", "twelve"]),
        (["a 0.91", "a 0.85"], ["a", "a"]),
        (["[noise] the cat", "<unk> dog"], ["the cat", "a dog"]),
    ],
)
def test_signs_within_sentences_are_words(hyps: list[str], refs: list[str]) -> None:
    assert fm.score(hyps, refs).edits == fm.score([h.split() for h in hyps], [r.split() for r in refs]).edits
    fm.compare({"a": hyps}, refs, "wer", samples=9)


def test_a_mark_in_few_texts_has_a_warning() -> None:
    hyps = ["the c@@ at", *["a dog"] * 99]
    with pytest.warns(
        UserWarning, match="have pieces of words, marked @@, in few texts, and references have none: th"
    ):
        fm.score(hyps, ["a dog"] * 100)
    with pytest.warns(UserWarning, match="all sides have pieces of words, marked @@, which count as words"):
        fm.score(["the c@@ at"], ["a c@@ at"])
    with pytest.warns(
        UserWarning, match=r"have accents apart .*: they count as words; .*\(unicode='nfc'\) w"
    ):
        fm.score(["e\u0301t\u0065"], ["\u00e9te"])


@pytest.mark.parametrize(
    ("reference", "notation"), [("{ a / b } c", "sclite"), ("{a|b} c", "braces"), ("[a|b] c", "brackets")]
)
def test_references_with_choices_in_strings_have_a_warning(reference: str, notation: Any) -> None:
    for hypothesis in ("a c", fm.NBest("1", ["a c", "b"])):
        with pytest.warns(
            UserWarning,
            match=rf"references have choices .* as words; fm.Transcript.parse\(text, '{notation}'\)",
        ):
            fm.score([hypothesis], [reference])
    with pytest.warns(UserWarning, match=r"written as \[a\|b\], fm.Transcript.parse\(text, 'brackets'\)"):
        fm.score(["a c"], ["(a|b) c"])
    assert fm.score(["a c"], [fm.Transcript.parse(reference, notation)]).score == 0
    assert fm.score([["a", "car"]], [reference.split()]).score > 0


SETS = [["it is a guide", "he read it"], ["this is a guide", "he reads it"]]


@pytest.mark.parametrize(
    "call",
    [
        lambda: fm.score(["it is a guide", "he read it"], SETS),
        lambda: fm.score(["it is a guide", "he read it"], [tuple(each) for each in SETS]),
        lambda: fm.score(*split(["it is a guide", "he read it"], SETS)),
        lambda: fm.score(["it is a guide", "x y"], [["it is a guide", "x y"]] * 2, "bleu"),
        lambda: fm.score([f"a b{n}" for n in range(25)], [[f"a b{n}" for n in range(25)]] * 25),
        lambda: fm.score(["it is a guide", "he read it"], SETS, ids=["x", "y"]),
        lambda: fm.score(["x y", "z"], SETS),
        lambda: fm.score(split(["it is a guide", "he read it"], SETS)[0], SETS),
        lambda: fm.score(["it is a guide", "he read it"], split([], SETS)[1]),
        lambda: fm.compare({"a": ["it is a guide", "he read it"]}, SETS, "wer", samples=9),
        lambda: fm.compare_profiles({"a": ["it is a guide", "he read it"]}, SETS, "none,whisper-basic"),
    ],
)  # fmt: skip
def test_as_many_sets_of_references_as_items_have_a_warning(call: Callable[[], Any]) -> None:
    with pytest.warns(
        UserWarning, match=r"fits better as one set of all items: .* list\(zip\(\*sets\)\)"
    ) as found:
        call()
    assert [Path(each.filename).name for each in found] == [Path(__file__).name]


def split(texts: list[str], sets: list[list[str]]) -> Any:
    """The same as words."""
    return [text.split() for text in texts], [[text.split() for text in each] for each in sets]


@pytest.mark.filterwarnings("error")
def test_references_of_their_own_items_have_no_warning() -> None:
    assert (
        fm.score(["it is a guide", "he read it"], [list(row) for row in zip(*SETS, strict=True)]).score == 0
    )
    fm.score(["a b", "a b"], [["a b", "a c"], ["a b", "a d"]])
    fm.score(["x", "y"], [["a b", "c d"], ["e f", "g h"]])
    fm.score(["turn on", "no"], [["turn on", "turn on"], ["no", "no"]])
    hypotheses = ["the cat is on the mat", "there is a dog in the yard"]
    sets = [
        ["the cat is on a mat", "there is one dog in the yard"],
        ["a cat sits on the mat", "a dog is in the yard"],
    ]
    assert (
        round(fm.score(hypotheses, [list(row) for row in zip(*sets, strict=True)], "bleu").score, 2) == 60.41
    )
    # References of one template, which are alike in each place; a place that is the same in all items.
    names = [("anna", "her"), ("bob", "him"), ("carl", "")]
    commands = [[f"call {name} please", f"ring {who}".strip(), f"phone {name}"] for name, who in names]
    for heard in ("call {}", "phone {}", "please call {}", "{}"):
        fm.score([heard.format(name) for name, _ in names], commands)
    fm.score(
        ["the cat sat", "a dog", "it is"], [[text, "x y", "z"] for text in ("the cat", "a dog", "it is so")]
    )
    # A system that has nothing right, but a word of another item: references of an item are like each other.
    fm.score(["reads x", "guide y"], [list(row) for row in zip(*SETS, strict=True)])
    fm.score([["reads"], ["guide"]], [list(row) for row in zip(*SETS, strict=True)], ids=["x", "y"])
    by_id = dict(zip("xy", SETS, strict=True))
    fm.score({"x": "it is a guide", "y": "he read it"}, by_id)
    rows = [
        {"text": text, "reference": row}
        for text, row in zip(["it is a guide", "he read it"], SETS, strict=True)
    ]
    fm.score(rows, hypothesis="text", reference="reference")
    fm.score(["x a", "y c"], [fm.Alternatives(["a b", "c"]), fm.Alternatives(["a b", "a d"])])
    fm.score([["a", "b"], ["c", "d"]], [["a", "b"], ["c", "x"]])
