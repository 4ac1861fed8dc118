"""Columns whose rows have labels, of pandas or of a dict's values: what is beside the texts pairs as these do."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import fstmetrics as fm

pd = pytest.importorskip("pandas", reason="pandas is not installed")

REF = pd.Series(["a b", "c d", "e f"])
HYP = pd.Series(["a b", "c x", "e f"])
# The speaker of each row by its label, in another order.
TURNED = pd.Series(["ann", "bob", "cyd"], index=[2, 0, 1])
NUMBERS = pd.Series([3.0, 1.0, 2.0], index=[2, 0, 1])

CALLS: list[tuple[Callable[[Any], Any], Any]] = [
    (lambda column: fm.score(HYP, REF, fields={"speaker": column}), TURNED),
    (lambda column: fm.score(HYP.tolist(), REF, fields={"speaker": column}), TURNED),
    (lambda column: fm.score(HYP, REF, "bleu", fields={"speaker": column}), TURNED),
    (lambda column: fm.score(HYP, REF, ids=column), TURNED),
    (lambda column: fm.score(pd.DataFrame({"text": REF, "pred": HYP}), hypothesis="pred", reference="text",
                             fields={"speaker": column}), TURNED),
    (lambda column: fm.score({"t": REF, "p": HYP, "s": column}, hypothesis="p", reference="t", fields="s"), TURNED),
    (lambda column: fm.score({"t": REF, "p": HYP, "id": column}, hypothesis="p", reference="t"), TURNED),
    (lambda column: fm.score({"t": REF, "p": column}, hypothesis="p", reference="t"), TURNED),
    (lambda column: fm.score({"p": HYP}, {"t": column}, hypothesis="p", reference="t"), TURNED),
    (lambda column: fm.score({"t": REF, "p": HYP}, hypothesis="p", reference="t", ids=column), TURNED),
    (lambda column: fm.score({"t": REF}, pd.DataFrame({"p": HYP}), hypothesis="t", reference="p", ids=column), TURNED),
    (lambda column: fm.score(dict.fromkeys(TURNED, "a"), pd.DataFrame({"p": HYP}), reference="p", ids=column), TURNED),
    (lambda column: fm.score(HYP, REF).interval(samples=100, blocks=column), TURNED),
    (lambda column: fm.score(HYP, REF, "bleu").interval(samples=100, blocks=column), TURNED),
    (lambda column: fm.compare({"a": HYP, "b": REF}, REF, "wer", blocks=column, samples=100), TURNED),
    (lambda column: fm.compare({"a": HYP}, list(REF), "wer", fields={"s": column}, samples=100), TURNED),
    (lambda column: fm.compare({"a": fm.score(HYP, REF)}, blocks=column, samples=100), TURNED),
    (lambda column: fm.compare({"a": HYP}, REF, "wer", scores={"q": {"a": column}}, samples=100), NUMBERS),
    (lambda column: fm.compare(scores={"q": {"a": column, "b": pd.Series([1.0, 2.0, 3.0])}}, samples=100), NUMBERS),
    (lambda column: fm.calibration(pd.Series([0.1, 0.2, 0.9]), column), pd.Series([1, 0, 0], index=[2, 0, 1])),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_what_is_beside_texts_pairs_by_the_same_labels(number: int) -> None:
    call, column = CALLS[number]
    with pytest.raises(fm.FstmetricsError, match=r"different labels \(index\); give .*\.loc\[\w+.*\.index\]"):
        call(column)
    call(column.loc[REF.index])
    call(column.tolist())


def test_fields_in_the_order_of_the_labels_are_those_of_their_items() -> None:
    found = fm.score(HYP, REF, fields={"speaker": TURNED.loc[HYP.index]}).by("speaker")
    assert {name: part.edits for name, part in found.items()} == {"ann": 0, "bob": 0, "cyd": 1}


WAYS: list[tuple[Sequence[object], Sequence[object], str]] = [
    ([2, 1, 0], [0, 1, 2], r"give references\.loc\[hypotheses\.index\], which has them in one order$"),
    (["x", "y", "z"], [0, 1, 2], r"give \.tolist\(\) of each to pair them by position$"),
    ([1, 2, 3], [0, 1, 2], r"give the same rows of both: only one has '0'$"),
    ([0, 1, 1], [0, 0, 1], r"give rows whose labels come once$"),
]


@pytest.mark.parametrize(("ours", "others", "message"), WAYS)
def test_advice_goes_by_the_labels(ours: list[object], others: list[object], message: str) -> None:
    with pytest.raises(fm.FstmetricsError, match=message):
        fm.score(HYP.set_axis(ours), REF.set_axis(others))


def test_frames_of_scores_are_to_be_arrays() -> None:
    metric = pd.DataFrame([[1, 2, 3.0], [2, 3, 1]], index=["a", "b"])
    human = pd.DataFrame([[3, 2, 1.0], [1, 2, 4]], index=["a", "b"])
    for call in (
        lambda x, y: fm.evaluation.correlation(x, y, "pearson"),
        fm.evaluation.segment_kendall,
        lambda x, y: fm.evaluation.ScoreTable.of(["a", "b"], {"m": x}, y),
    ):
        with pytest.raises(fm.FstmetricsError, match=r"not a DataFrame: give its \.to_numpy\(\)"):
            call(metric, human)
        call(metric.to_numpy(), human.to_numpy())


AGREEMENTS: list[Callable[[Any, Any], Any]] = [
    fm.evaluation.pearson,
    fm.evaluation.spearman,
    fm.evaluation.kendall,
    fm.evaluation.pairwise_accuracy,
    lambda x, y: fm.evaluation.correlation([x, x], [x, y], "pearson"),
    lambda x, y: fm.evaluation.segment_kendall([x, y], [x, x]),
    lambda x, y: fm.evaluation.ScoreTable.of(["a", "b"], {"m": [x, x]}, [x, y]),
]


@pytest.mark.parametrize("call", AGREEMENTS)
def test_scores_agree_by_the_same_labels(call: Callable[[Any, Any], Any]) -> None:
    with pytest.raises(fm.FstmetricsError, match=r"different labels \(index\); give .*\.loc\[\w+.*\.index\]"):
        call(NUMBERS.sort_index(), NUMBERS)
    call(NUMBERS, NUMBERS.rank())
    call(NUMBERS, NUMBERS.sort_index().tolist())
    call(NUMBERS, NUMBERS.sort_index().to_numpy())


def test_results_of_other_labels_are_not_compared() -> None:
    turned = HYP[::-1]
    with pytest.raises(fm.FstmetricsError, match=r"different labels"):
        fm.compare({"a": fm.score(HYP, REF), "b": fm.score(turned, REF[::-1])}, samples=100)


def test_values_of_dicts_in_other_orders_do_not_pair() -> None:
    ours, others = {"u": "a b", "v": "c"}, {"v": "c", "u": "a b"}
    with pytest.raises(fm.FstmetricsError, match="keys in different orders; give the dicts"):
        fm.score(ours.values(), others.values())
    with pytest.raises(fm.FstmetricsError, match="keys in different orders; give the dicts"):
        fm.compare({"a": ours.values()}, others.values(), "wer")
    assert fm.score(ours, others).edits == 0
    same = dict(sorted(others.items()))
    assert fm.score(ours.values(), same.values()).edits == 0
    assert fm.score(ours.values(), {1: "a b", 2: "c"}.values()).edits == 0


FRAME = pd.DataFrame(
    {"h": ["a b", "c d", "e f"], "r": ["a b", "c x", "q q"], "spk": ["x", "y", "x"], "right": [0.0, 0.5, 1.0]}
).sample(frac=1, random_state=2)
FEW = FRAME[FRAME.h != "a b"]
OPEN_ASR = pd.DataFrame(
    {
        "h": ["x y", "a b", "c d"],
        "r": ["ignore_time_segment_in_scoring", "a b", "c x"],
        "right": [None, 0.0, 0.5],
    }
)
NAMED = FRAME.assign(id=list(FRAME.h))
OTHERS = NAMED.sort_values("id").reset_index(drop=True)  # an index of its own, in another order
COLUMNS = {"hypothesis": "h", "reference": "r"}
JOINED: list[tuple[Callable[[], Any], Any]] = [
    (lambda: fm.score(FRAME, **COLUMNS), FRAME),
    (lambda: fm.score(dict(FRAME), **COLUMNS), FRAME),
    (lambda: fm.score(FRAME.h, FRAME.r), FRAME),
    (lambda: fm.score(FRAME.h, FRAME.r.tolist()), FRAME),
    (lambda: fm.score(FEW.h, FEW.r), FEW),
    (lambda: fm.score(FRAME.h, FRAME.r, ["wer", "mer"])["wer"], FRAME),
    (lambda: fm.score(FRAME.h, FRAME.r, "mean-wer"), FRAME),
    (lambda: fm.score(OPEN_ASR, **COLUMNS, normalisation=fm.profile("open-asr")), OPEN_ASR),
    (lambda: fm.score(FRAME.h[1:], FRAME.r[1:]) + fm.score(FRAME.h[:1], FRAME.r[:1]), FRAME),
    (lambda: fm.CorpusResult.of(reversed(fm.score(FRAME.h, FRAME.r).items)), FRAME),
    (lambda: fm.score(FRAME, **COLUMNS).by("spk")["x"], FRAME[FRAME.spk == "x"]),
    (lambda: fm.score(FRAME, metric="mean-wer", **COLUMNS).by("spk")["x"], FRAME[FRAME.spk == "x"]),
    (lambda: fm.score(OTHERS, NAMED, **COLUMNS, id="id"), NAMED),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(JOINED)))
def test_frames_have_the_index_of_the_columns_that_were_scored(number: int) -> None:
    call, frame = JOINED[number]
    found = call()
    for result in (found, pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        joined = frame.assign(wer=result.to_pandas()["score"])
        assert joined.wer.tolist() == pytest.approx(joined.right.tolist(), nan_ok=True)


def test_scores_by_a_field_are_copied_with_their_index() -> None:
    found = fm.score(FRAME, **COLUMNS).by("spk")
    for table in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert (str(table), table.rows()) == (str(found), found.rows())
        assert table["x"].to_pandas().index.equals(found["x"].to_pandas().index)


def test_parts_from_other_processes_keep_the_index() -> None:
    parts = [pickle.loads(pickle.dumps(fm.score(part.h, part.r))) for part in (FRAME[:1], FRAME[1:])]
    assert FRAME.assign(wer=sum(parts).to_pandas()["score"]).eval("wer == right").all()
    named = FRAME.set_index("h", drop=False)
    several = pickle.loads(pickle.dumps(fm.score(named.h, named.r, ["wer", "chrf"]))).to_pandas()
    assert named.assign(wer=several["wer"]).eval("wer == right").all()


@pytest.mark.parametrize(
    "scored",
    [
        lambda: fm.score(["a b"], ["a b"]),
        lambda: fm.score(FRAME.h, FRAME.r) + fm.score(["a"], ["a"]),
        lambda: fm.score(FRAME.h, FRAME.r, "bleu") + fm.score(["a"], ["a"], "bleu"),
        lambda: fm.score(NAMED, dict(zip(OTHERS.id, OTHERS.r, strict=True)), hypothesis="h", id="id"),
        lambda: fm.CorpusResult.of(fm.score(FRAME.h, FRAME.r, nbest=2)[0].nbest),
    ],
)
def test_frames_of_other_items_count_from_0(scored: Callable[[], Any]) -> None:
    frame = scored().to_pandas()
    assert frame.index.tolist() == list(range(len(frame)))
