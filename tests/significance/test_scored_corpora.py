"""Scored corpora: their intervals, and comparisons without scoring again, have the numbers of texts and commands."""

from __future__ import annotations

import json
import pickle
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import fstmetrics, written

import fstmetrics as fm
from fstmetrics.metrics import EditTable
from fstmetrics.support.errors import FstmetricsError

RNG = np.random.default_rng(3)
REFERENCES = [" ".join(RNG.choice(list("abcdefgh"), size)) for size in RNG.integers(3, 12, 40)]


def output(rate: float) -> list[str]:
    return [" ".join(word if RNG.random() > rate else "x" for word in text.split()) for text in REFERENCES]


OLD, NEW = output(0.3), output(0.2)
METRICS = ["wer", "cer", "bleu", "chrf", "mean-wer"]


@pytest.mark.parametrize("given", [{}, {"confidence": 0.8}, {"seed": 5, "samples": 300}])
def test_intervals_are_those_of_compare(given: dict[str, Any], tmp_path: Path) -> None:
    ref, hyp = (
        written(tmp_path / name, "".join(f"{text}\n" for text in texts))
        for name, texts in (("ref", REFERENCES), ("hyp", OLD))
    )
    options = [part for name, value in given.items() for part in (f"--{name}", value)]
    told = fstmetrics("compare", "--ref", ref, hyp, "--metric", "wer,bleu", "--json", *options).summary
    for name in ("wer", "bleu"):
        found = told["systems"]["hyp"][name]
        assert fm.score(OLD, REFERENCES, name).interval(**given) == (found["low"], found["high"])


def test_intervals_are_percentiles_of_resampled_scores() -> None:
    """By definition, with random numbers of numpy's own: near to ours."""
    corpus = fm.score(OLD, REFERENCES)
    columns = corpus.columns()
    drawn = np.random.default_rng(1).integers(0, len(corpus), (20_000, len(corpus)))
    scores = columns["edits"][drawn].sum(axis=1) / columns["path_length"][drawn].sum(axis=1)
    assert corpus.interval() == pytest.approx(np.quantile(scores, [0.025, 0.975]), abs=0.004)


@pytest.mark.parametrize(
    ("test", "metrics"),
    [("bootstrap", METRICS), ("randomization", METRICS), ("mapsswe", ["wer"]), ("sign", ["wer"]), ("mcnemar", ["wer"])],
)  # fmt: skip
@pytest.mark.parametrize("normalisation", [fm.Normalisation(), fm.Normalisation(lowercase=True)])
def test_comparisons_are_those_of_texts(
    test: str, metrics: list[str], normalisation: fm.Normalisation
) -> None:
    texts = {"old": OLD, "new": NEW}
    wanted = fm.compare(texts, REFERENCES, metrics, test=test, samples=200, normalisation=normalisation)
    scored = {
        name: fm.score(outputs, REFERENCES, metrics, normalisation=normalisation)
        for name, outputs in texts.items()
    }
    found = fm.compare(scored, test=test, samples=200)
    assert found.as_dict() == wanted.as_dict()
    assert found._repr_html_() == wanted._repr_html_()
    assert fm.compare(scored, metrics=metrics[0], test=test, samples=200).tests == wanted.tests[:1]


LISTS = [fm.NBest(str(n), [text, "a cat"]) for n, text in enumerate(OLD)]


@pytest.mark.parametrize(
    "choices",
    [
        LISTS,
        [fm.Lattice.from_strings(each.entries) for each in LISTS],
        [*OLD[:-1], LISTS[-1]],
        [fm.Alternatives(each.texts) for each in LISTS],
    ],
    ids=["lists", "lattices", "one list", "alternatives"],
)
@pytest.mark.parametrize("metric", ["wer", "mean-wer"])
def test_best_paths_are_called_oracles(choices: Any, metric: str) -> None:
    said = "of x the best paths are scored (oracles); fm.oracle shows the 1-best, too, and fm.best_files writes it"
    compared = fm.compare({"x": choices, "y": OLD}, REFERENCES, metric, samples=20)
    assert compared.remarks == (said,)
    assert said in str(compared)
    assert said in compared._repr_html_()
    scored, texts = (fm.score(each, REFERENCES, metric) for each in (choices, OLD))
    assert f"{metric} oracle" in repr(scored)
    assert f"{metric} oracle" in repr(scored + scored)
    assert "|oracle:yes|" in scored.signature
    assert fm.compare({"x": scored}, samples=20).remarks == (said,)
    for call in (lambda: scored + texts, lambda: texts + scored, lambda: sum([texts, scored], texts)):
        with pytest.raises(
            fm.FstmetricsError, match="oracles, the best paths of lattices or n-best lists, cannot"
        ):
            call()
    with pytest.raises(fm.FstmetricsError, match="scored by other rules"):
        fm.compare({"x": scored, "y": texts})


@pytest.mark.parametrize("outputs", [OLD, [text.split() for text in OLD]], ids=["texts", "words"])
def test_outputs_that_leave_no_choice_are_no_oracles(outputs: Any) -> None:
    compared = fm.compare({"x": outputs}, REFERENCES, samples=20)
    scored = fm.score(outputs, REFERENCES)
    assert compared.remarks == fm.compare({"x": scored}, samples=20).remarks == ()
    assert "oracle" not in f"{compared} {scored} {scored!r} {scored.signature}"
    with pytest.raises(
        fm.FstmetricsError, match="oracles, the best paths of lattices or n-best lists, cannot"
    ):
        scored + fm.align(LISTS[0], REFERENCES[0])
    assert len(scored + fm.align(OLD[0], REFERENCES[0])) == len(OLD) + 1


def test_single_oracles_do_not_add_up_with_texts() -> None:
    choices = fm.Lattice.from_strings(["a", "b"])
    oracle, text, best = fm.oracle(choices, "b"), fm.align("a b", "a c"), fm.align(choices, "b")
    calls: list[Callable[[Any], Any]] = [
        lambda found: text + found,
        lambda found: found + text,
        lambda found: fm.score(["a b"], ["a c"]) + found,
        lambda found: fm.CorpusResult.of([text, found]),
        lambda found: sum([found, text]),
        lambda found: found + found + text,
        lambda found: found + fm.score([choices], ["b"]) + text,
    ]
    for call, found in product(calls, (oracle, best, pickle.loads(pickle.dumps(oracle)))):
        with pytest.raises(fm.FstmetricsError, match="oracles, the best paths of lattices"):
            call(found)
    assert "|oracle:yes|" in (oracle + oracle + best).signature
    assert len(oracle + fm.score([choices], ["b"])) == 2
    assert len(next(filter(None, [oracle.one_best])) + text) == 2


def one_by_one(hypothesis: Any = "A b", reference: str = "a b", **settings: Any) -> fm.CorpusResult:
    return fm.CorpusResult.of([fm.align(hypothesis, reference, **settings)] * 2)


LOWER = {"normalisation": fm.Normalisation(lowercase=True)}
LIST = fm.NBest("x", ["A b", "a b"])


def test_results_found_one_by_one_know_their_rules() -> None:
    found, whole = one_by_one(), fm.score(["A b"] * 2, ["a b"] * 2)
    assert (found.signature, found.edits) == (whole.signature, whole.edits)
    assert fm.CorpusResult.of(whole.items[:1]).signature == whole.signature
    assert (
        fm.CorpusResult.of(fm.align("A b", "a b", nbest=2, **LOWER).nbest).normalisation
        == LOWER["normalisation"]
    )
    assert fm.compare({"a": found, "b": whole}, samples=20).test("b", "wer").delta == 0
    mixed = fm.CorpusResult.of([fm.align("a", "b"), fm.align("a", ["b", "c"])])
    assert "|refs:var|" in mixed.signature
    for wrong, message in (
        (
            lambda: fm.CorpusResult.of([fm.align("A", "a"), fm.align("A", "a", **LOWER)]),
            "by other rules cannot be",
        ),
        (lambda: fm.compare({"a": found, "b": one_by_one(**LOWER)}, samples=20), "scored by other rules"),
        (lambda: fm.compare({"a": found, "b": one_by_one(LIST)}, samples=20), "scored by other rules"),
        (
            lambda: fm.compare({"a": found, "b": one_by_one("A b", "A b")}, samples=20),
            "references are not the same",
        ),
    ):
        with pytest.raises(FstmetricsError, match=message):
            wrong()


def test_results_whose_rules_are_not_known_are_warned_of() -> None:
    found = (pickle.loads(pickle.dumps(fm.align("a b", "a b"))), fm.oracle(LIST, "a b").one_best)
    systems = {name: fm.CorpusResult.of([each] * 2) for name, each in zip("ab", found, strict=True)}
    with pytest.warns(UserWarning, match="against which references a and b were scored is not known") as told:
        assert fm.compare(systems, samples=20).test("b", "wer").delta == 0.5
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fm.compare({"a": systems["a"]}, samples=20)


ONE, TWO = "a b", ["a b", "a c"]
NETWORK = fm.Network.from_json(
    '{"format": "fstmetrics-network/1", "root": "S", "cards": {"S": {"phrases": ["a b"]}}}'
)


@pytest.mark.parametrize(
    ("references", "expected"),
    [([ONE, ONE], "1"), ([TWO, TWO], "2"), ([ONE, TWO], "var"), ([ONE, NETWORK], "var+network"),
     ([[ONE, NETWORK], NETWORK], "var+network"), ([[ONE, NETWORK]] * 2, "1+network"), ([NETWORK] * 2, "network")],
)  # fmt: skip
@pytest.mark.parametrize("metric", ["wer", "bleu"])
def test_sums_say_how_many_references_there_are(references: list[Any], expected: str, metric: str) -> None:
    if metric == "bleu" and "network" in expected:
        return
    parts = [fm.score(["a b"], [each], metric) for each in references]
    found, whole = parts[0] + parts[1], fm.score(["a b"] * 2, references, metric)
    assert found.signature == whole.signature
    assert f"|refs:{expected}|" in found.signature
    assert found.score == whole.score


def test_equal_metrics_of_ones_own_are_compared() -> None:
    assert fm.compare({"a": GAPS[0], "b": GAPS[1]}, samples=20).test("b", "wer").delta == 0


def test_fields_and_blocks() -> None:
    fields = {"speaker": ["ann", "bob"] * 20}
    texts = {"old": OLD, "new": NEW}
    options: dict[str, Any] = {"by": "speaker", "blocks": ["s", "t", "u", "v"] * 10, "samples": 50}
    wanted = fm.compare(texts, REFERENCES, "wer", fields=fields, **options).as_dict()
    scored = {name: fm.score(each, REFERENCES, fields=fields) for name, each in texts.items()}
    assert fm.compare(scored, **options).as_dict() == wanted
    bare = {name: fm.score(each, REFERENCES) for name, each in texts.items()}
    assert fm.compare(bare, fields=fields, **options).as_dict() == wanted
    ids = [f"u{n}" for n in range(len(REFERENCES))]
    named = {name: fm.score(each, REFERENCES, ids=ids) for name, each in texts.items()}
    blocks = dict(zip(reversed(ids), reversed(options["blocks"]), strict=True))
    assert fm.compare(named, **options | {"blocks": blocks, "by": ()}).as_dict() == fm.compare(
        texts, REFERENCES, "wer", **options | {"by": ()}
    ).as_dict()  # fmt: skip


def swapped(texts: list[str]) -> list[str]:
    return [texts[1], texts[0], *texts[2:]]


SCORED = fm.score(OLD, REFERENCES)
LOWERED = fm.score(NEW, REFERENCES, normalisation=fm.Normalisation(lowercase=True))
OTHERS = fm.score(swapped(NEW), [*swapped(REFERENCES[:-1]), REFERENCES[-1] + " y"])
TURNED = REFERENCES[::-1]
BLEU = [
    fm.score(OLD, REFERENCES, "bleu", normalisation=fm.Normalisation(lowercase=lower))
    for lower in (False, True)
]


@dataclass(frozen=True)
class Gaps(fm.WER):
    """A metric of one's own, whose parameter is not in its signature."""

    gap: int = 1

    @cached_property
    def table(self) -> EditTable:
        return EditTable(next=((0, 0, 0, 0),), cost=((0, 1, self.gap, self.gap),))


NAMED = [
    fm.score(["a b", "c d"], ["a b", "c x"], ids=["u1", "u2"]),
    fm.score(["c d", "e"], ["c x", "e"], ids=["u2", "u3"]),
    fm.score(["a b"], ["a b"], "bleu", ids=["u1"]),
]
GAPS = [fm.score(OLD, REFERENCES, Gaps(gap)) for gap in (1, 1, 2)]
WRONG: list[tuple[Callable[[], Any], str]] = [
    (lambda: fm.compare({"a": GAPS[0], "b": GAPS[2]}), r"by different metrics that are both called wer: Gaps(gap=1)"),
    (lambda: fm.compare({"a": GAPS[0], "b": SCORED}), r"both called wer: Gaps(gap=1) and WER()"),
    (lambda: SCORED + LOWERED, "results by other rules cannot be added: fstmetrics|metric:wer|unit:word|case:mixed|"),
    (lambda: sum([SCORED, SCORED, LOWERED]), "results by other rules cannot be added: "),
    (lambda: BLEU[0] + BLEU[1], "results by other rules cannot be added: "),
    (lambda: fm.compare({"a": SCORED, "b": NEW}), "b is not scored, and others are: give what score() returns for"),
    (lambda: fm.compare({"a": SCORED}, REFERENCES), "references, networks, normalisation, grammars and options are"),
    (lambda: fm.compare({"a": SCORED}, metrics="bleu"), "a is not scored under bleu, but under wer"),
    (lambda: fm.compare({"a": SCORED, "b": LOWERED}), "a and b were scored by other rules, which would be compared"),
    (lambda: fm.compare({"a": SCORED, "b": fm.score(NEW[1:], REFERENCES[1:])}), "numbers of items differ: 40 in a, 39"),
    (lambda: fm.compare({"a": SCORED, "b": OTHERS}), "the references are not the same"),
    (lambda: fm.compare({name: fm.score(["x", "z"], refs) for name, refs in [("a", ["x", "z"]), ("b", ["x", "y"])]}),
     "the reference of item 1 has 'z' as word 1 in a, and 'y' in b: the references are not the same"),
    (lambda: fm.compare({name: fm.score(["x", "y"], ["x", "y"], ids=[*n]) for name, n in [("a", "12"), ("b", "21")]}),
     "item 0 is 1 in a, and 2 in b: score the same items in one order"),
    *((lambda metric=metric: fm.compare({"a": fm.score(OLD, REFERENCES, metric), "b": fm.score(NEW, TURNED, metric)}),
       f"item 0 has the {length} ") for metric, length in
      [("bleu", "reference_length"), ("chrf", "reference_1"), ("ter", "reference_length")]),
    (lambda: fm.score(["a"], ["a"]).interval(), "an interval is of two items or more"),
    (lambda: fm.score(["a", "b"], ["a", ""]).interval(), "wer has no interval: 2500 of 10000 resamples drew only"),
    (lambda: SCORED.interval(confidence=95), "a confidence lies between 0 and 1"),
    (lambda: SCORED.interval(samples=0), "samples must be at least 1"),
    (lambda: fm.score(OLD, REFERENCES, ["wer", "wer"]), "two metrics are called wer"),
    (lambda: fm.score(OLD, REFERENCES, []), "the list is empty"),
    (lambda: fm.score(OLD, REFERENCES, ["bleu"], grammars="en.spelling"), "grammars are for best paths"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "message"), WRONG, ids=[message for _, message in WRONG])
def test_what_cannot_be_compared_is_refused(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(FstmetricsError, match=re.escape(message)) as refused:
        call()
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("one", "other", "ids"),
    [
        (NAMED[0], NAMED[1], "u2"), (NAMED[0], NAMED[0], "u1, u2"), (NAMED[2], NAMED[2], "u1"),
        (NAMED[0], NAMED[0][1], "u2"),
    ],
)  # fmt: skip
def test_ids_that_come_twice_in_a_sum_have_a_warning(one: Any, other: Any, ids: str) -> None:
    """They may be of sets that number their items alike."""
    with pytest.warns(
        UserWarning, match=f"ids come twice: {ids}; if these are the same items, they count tw"
    ) as found:
        assert len(one + other) == len(one) + (len(other) if isinstance(other, fm.CorpusResult) else 1)
    assert [Path(each.filename).name for each in found] == [Path(__file__).name]


HYPS = ["the cat sat", "a dog ran"]
# References of equal lengths, and several of which one or another differs in a word.
UNLIKE = {
    "equal lengths": (["the cat sat", "a dog ran"], ["the cat sat", "a dig ran"]),
    "a second reference": ([["the cat"] * 2, ["a dog ran", "the dog"]], [["the cat"] * 2, ["a dog ran", "the dig"]]),
    "lists of words": ([["the", "cat"], ["a", "dog"]], [["the", "cat"], ["a", "dig"]]),
}  # fmt: skip


@pytest.mark.parametrize("metric", ["wer", "cer", "bleu", "chrf", "ter", "gtm", "nist", "mean-ter", "grr"])
@pytest.mark.parametrize("kind", UNLIKE)
def test_other_references_are_refused(kind: str, metric: str) -> None:
    hypotheses = [text.split() for text in HYPS] if kind == "lists of words" and metric != "cer" else HYPS
    one, other = UNLIKE[kind]
    if kind == "lists of words" and metric == "cer":
        one, other = ([" ".join(words) for words in side] for side in (one, other))
    scored = {name: fm.score(hypotheses, side, metric) for name, side in (("a", one), ("b", other))}
    with pytest.raises(
        FstmetricsError, match=r"references of item 1 have other|reference of item 1 has .* as word"
    ):
        fm.compare(scored)
    assert fm.compare({"a": scored["a"], "b": fm.score(hypotheses, one, metric)}, samples=9).systems
    kept = {name: pickle.loads(pickle.dumps(each)) for name, each in scored.items()}
    with pytest.raises(FstmetricsError, match="item 1 "):
        fm.compare(kept)


@pytest.mark.parametrize("metric", ["wer", "bleu", "chrf"])
@pytest.mark.parametrize("other", [
    [["the cat", "a  cat sat"], ["dogs", "a dog"]], [["a cat sat", "the cat"], ["a dog", "dogs"]],
    [fm.Alternatives(["a cat sat ", "the cat"]), ("a dog", "dogs")],
])  # fmt: skip
def test_the_same_references_in_another_form_are_compared(other: Any, metric: str) -> None:
    references = [["a cat sat", "the cat"], ["a dog", "dogs"]]
    scored = {name: fm.score(HYPS, side, metric) for name, side in (("a", references), ("b", other))}
    assert fm.compare(scored, samples=9).systems


@pytest.mark.parametrize("metric", ["wer", "bleu", "ter"])
def test_words_are_compared_as_they_are_scored(metric: str) -> None:
    lowered = fm.Normalisation(lowercase=True)
    sides = {"a": [["a cat", "x y"], ["a dog", "z"]], "b": [["A cat", "x Y"], ["a dog", "z"]]}
    scored = {name: fm.score(HYPS, side, metric, normalisation=lowered) for name, side in sides.items()}
    assert fm.compare(scored, samples=9).systems
    with pytest.raises(FstmetricsError, match="the references of item 0 have other words in a than in b"):
        fm.compare({name: fm.score(HYPS, side, metric) for name, side in sides.items()})


@pytest.mark.parametrize(("changed", "references"), [
    (["a", "cat"], lambda changed: [changed, ["a", "dog"]]),
    (["a cat", "the cat"], lambda changed: [changed, ["a dog", "dogs"]]),
    (["a", "cat"], lambda changed: [[changed, ["the", "cat"]], [["a", "dog"], ["dogs"]]]),
    (["a", "cat"], lambda changed: [fm.Alternatives([changed, ["the", "cat"]]), ["a", "dog"]]),
])  # fmt: skip
@pytest.mark.parametrize("metric", ["wer", "bleu"])
def test_lists_that_change_later_are_as_they_were_scored(changed: Any, references: Any, metric: str) -> None:
    hyps: list[Any] = HYPS if " " in changed[0] else [text.split() for text in HYPS]
    given = references([*changed])
    one = fm.score(hyps, given, metric)
    first = given[0].items if isinstance(given[0], fm.Alternatives) else given[0]
    (first if isinstance(first[0], str) else first[0])[0] = "other"
    other = fm.score(hyps, given, metric)
    with pytest.raises(
        FstmetricsError, match=r"the references? of item 0 (have other words|has 'a' as word 1) in a"
    ):
        fm.compare({"a": one, "b": other})
    assert fm.compare({"a": one, "b": fm.score(hyps, references([*changed]), metric)}, samples=9).systems


@pytest.mark.parametrize("metric", ["wer", "bleu"])
def test_fields_that_change_later_are_as_they_were_scored(metric: Any) -> None:
    fields = [{"speaker": "ann"}, {"speaker": "bob"}]
    found = fm.score(HYPS, HYPS, metric, fields=fields)
    texts = dict(zip("12", HYPS, strict=True))
    by_id = fm.score(texts, texts, metric, fields=dict(zip("12", fields, strict=True)))
    fields[0]["speaker"] = "bob"
    for corpus in (found, by_id):
        assert set(corpus.by("speaker")) == {"ann", "bob"}
        with pytest.raises(FstmetricsError, match="the fields of a result do not change"):
            corpus.fields[0]["speaker"] = "bob"  # type: ignore[index]
    assert pickle.loads(pickle.dumps(found)).fields == found.fields
    if metric == "wer":
        with pytest.raises(FstmetricsError, match="the fields of a result do not change"):
            fm.score(HYPS, HYPS)[0].fields["speaker"] = "bob"


def test_sums_know_their_references() -> None:
    one, other = UNLIKE["a second reference"]
    for metric in ("wer", "bleu"):
        parts = {
            name: [fm.score([h], [r], metric) for h, r in zip(HYPS, side, strict=True)]
            for name, side in (("a", one), ("b", other))
        }
        with pytest.raises(FstmetricsError, match="the references of item 1 have other words in a than in b"):
            fm.compare({name: first + second for name, (first, second) in parts.items()})


def test_files_that_were_scored_by_other_references_are_refused(tmp_path: Path) -> None:
    hyp = written(tmp_path / "hyp", "".join(f"{text}\n" for text in HYPS))
    scored = {}
    for name, texts in zip("ab", UNLIKE["equal lengths"], strict=True):
        ref = written(tmp_path / name, "".join(f"{text}\n" for text in texts))
        scored[name] = fm.score_files(references=ref, hypotheses=hyp, metric="bleu").corpus
    with pytest.raises(FstmetricsError, match="the references of item 1 have other words in a than in b"):
        fm.compare(scored)
    assert fm.compare({"a": scored["a"], "b": scored["a"]}, samples=9).systems


def test_references_that_are_wider_may_be_closest_in_other_words() -> None:
    texts = {"a": ["I do not", "x y"], "b": ["I don't", "x y"]}
    wanted = fm.compare(texts, ["I don't", "x y"], grammars="en.contractions", samples=50).as_dict()
    widened = {
        name: fm.score(each, ["I don't", "x y"], grammars="en.contractions") for name, each in texts.items()
    }
    assert fm.compare(widened, samples=50).as_dict() == wanted
    wildcards = [fm.Transcript.parse("x <*>", "wildcards"), "y"]
    found = fm.compare({name: fm.score([f"x {name}", "y"], wildcards) for name in "ab"}, samples=50)
    assert [system["wer"].score for system in found.systems.values()] == [0, 0]


def test_columns_of_other_labels_are_not_compared() -> None:
    series = pytest.importorskip("pandas").Series
    systems = {"a": ["x", "z"], "b": series(["x", "z"], index=[1, 0]), "c": series(["z", "x"], index=[0, 1])}
    with pytest.raises(
        FstmetricsError, match="the outputs of 'c' and the outputs of 'b' have different labels"
    ):
        fm.compare(systems, ["x", "z"], "wer")


def test_corpora_of_files_say_that_they_keep_no_items(tmp_path: Path) -> None:
    ref, hyp = (
        written(tmp_path / name, "".join(f"{text}\n" for text in texts))
        for name, texts in (("ref", REFERENCES), ("hyp", OLD))
    )
    corpus = fm.score_files(references=ref, hypotheses=hyp).corpus
    assert isinstance(corpus, fm.CorpusResult)
    with pytest.raises(FstmetricsError, match="only the sums of these items are kept"):
        corpus.interval()
    pytest.importorskip("pandas")
    several = ["wer", "cer", "bleu"]
    with pytest.raises(FstmetricsError, match="one metric and alignment=True keeps them"):
        fm.score_files(references=ref, hypotheses=hyp, metric=several).to_pandas()
    kept = fm.score(fm.read_text(hyp), fm.read_text(ref), several).to_pandas()
    for name in ("wer", "cer"):
        alone = fm.score_files(references=ref, hypotheses=hyp, metric=name, alignment=True)
        assert len(alone.to_pandas()) == len(alone.results) == len(kept) == len(OLD)


@pytest.mark.parametrize("metrics", [["wer", "bleu"], ("cer", fm.WER(), fm.TER())])
def test_several_metrics_are_those_of_a_call_each(metrics: Any) -> None:
    found = fm.score(OLD, REFERENCES, metrics)
    assert isinstance(found, fm.Scores)
    for metric, (name, scored) in zip(metrics, found.items(), strict=True):
        alone = fm.score(OLD, REFERENCES, metric)
        assert (name, scored.score, scored.signature) == (alone.name, alone.score, alone.signature)
        assert name in found._repr_html_()
    assert found.as_dict() == {"items": 40, "scores": {name: each.score for name, each in found.items()}}


def test_grammars_widen_what_takes_them() -> None:
    found = fm.score(["the color"], ["the colour"], ["wer", "chrf"], grammars="en.spelling")
    assert found["wer"].score == 0
    assert found["chrf"].score < 100


SPEAKERS = [f"s{number % 5}" for number in range(len(REFERENCES))]


@pytest.mark.parametrize("metric", ["wer", "bleu"])
def test_intervals_by_blocks_are_those_of_compare(metric: str, tmp_path: Path) -> None:
    rows = [
        {"id": f"u{number}", "text": ref, "pred_text": hyp, "speaker": speaker}
        for number, (ref, hyp, speaker) in enumerate(zip(REFERENCES, OLD, SPEAKERS, strict=True))
    ]
    table = written(tmp_path / "rows.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    told = fstmetrics("compare", table, "--metric", metric, "--blocks", "speaker", "--json").summary
    wanted = tuple(told["systems"]["rows"][metric][name] for name in ("low", "high"))
    corpus = fm.score(OLD, REFERENCES, metric, ids=[row["id"] for row in rows])
    fields = fm.score(OLD, REFERENCES, metric, fields=[{"speaker": name} for name in SPEAKERS])
    by_id = {str(row["id"]): row["speaker"] for row in rows}
    for found in (
        corpus.interval(blocks=SPEAKERS),
        corpus.interval(blocks=by_id),
        fields.interval(blocks="speaker"),
    ):
        assert found == wanted
    assert corpus.interval() != wanted


def test_intervals_by_blocks_are_percentiles_of_resampled_blocks() -> None:
    """By definition, with random numbers of numpy's own: near to ours."""
    corpus = fm.score(OLD, REFERENCES)
    columns = corpus.columns()
    edits, words = (
        np.array(
            [sum(columns[name][place] for place, s in enumerate(SPEAKERS) if s == f"s{b}") for b in range(5)]
        )
        for name in ("edits", "path_length")
    )
    drawn = np.random.default_rng(1).integers(0, 5, (20_000, 5))
    scores = edits[drawn].sum(axis=1) / words[drawn].sum(axis=1)
    assert corpus.interval(blocks=SPEAKERS) == pytest.approx(np.quantile(scores, [0.025, 0.975]), abs=0.004)


@pytest.mark.parametrize(
    ("blocks", "message"),
    [
        ("speaker", "no item has a field 'speaker'; the items have no fields"),
        (["a"] * len(REFERENCES), "all items are of one block, 'a': a test by block needs two or more"),
        (["a", "b"], "2 labels of blocks, but 40 items"),
        (
            [None, *SPEAKERS[1:]],
            "blocks[0] must be the name of a speaker or session, not None; 1 of 40 items has none",
        ),
        ({"u1": "a"}, "blocks are given by id, and the items have no ids: give a list, a label an item"),
    ],
)
def test_blocks_that_are_none(blocks: Any, message: str) -> None:
    with pytest.raises(FstmetricsError, match=re.escape(message)):
        fm.score(OLD, REFERENCES).interval(blocks=blocks)


@pytest.mark.parametrize("kind", ["numpy", "pandas", "polars", "pyarrow", "iterator"])
def test_blocks_of_an_interval_may_be_any_column(kind: str) -> None:
    labels = ["ann", "bob", "bob", "cid"]
    corpus = fm.score(["a b", "a", "c d", "e"], ["a b", "b", "c e", "e f"])
    column: Any = iter(labels)
    if kind != "iterator":
        library = pytest.importorskip(kind)
        column = library.Series(labels) if kind in ("pandas", "polars") else library.array(labels)
    assert corpus.interval(samples=200, blocks=column) == corpus.interval(samples=200, blocks=labels)


def test_a_comparison_has_its_systems_by_name() -> None:
    found = fm.compare({"old": OLD, "new": NEW}, REFERENCES, "wer", samples=50)
    assert found["new"] is found.systems["new"]
    with pytest.raises(FstmetricsError, match="no system is called 'x'; these are: old, new"):
        found["x"]


def test_references_are_compared_where_the_same_was_done_to_their_words() -> None:
    """TER ignores case by itself, so that both have one signature."""
    texts, references = ["X y", "a"], ["x y", "b"]
    lower = fm.score(texts, references, "ter", normalisation=fm.Normalisation(lowercase=True))
    found = fm.compare({"a": lower, "b": fm.score(texts, references, "ter")}, samples=9)
    assert found.tests[0].delta == 0
