"""What scoring gives back has one protocol, whatever the metric."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from command import EXAMPLES

import fstmetrics as fm

HYPOTHESES = ["the cat sat", "a dog", "", "x"]
REFERENCES = ["the cat sat down", "a dog", "yes", ""]


def of(metric: str) -> Any:
    return fm.score(HYPOTHESES, REFERENCES, metric)


@pytest.mark.parametrize("metric", ["wer", "wrr", "grr", "hyter", "mean-wer", "bleu", "chrf", "ter"])
def test_item_scores_are_the_scores_of_items(metric: str) -> None:
    whole = of(metric)
    alone = [fm.score([h], [r], metric) for h, r in zip(HYPOTHESES, REFERENCES, strict=True)]
    expected = [each.item_scores.item() for each in alone]
    assert np.array_equal(whole.item_scores, expected, equal_nan=True)
    finite = [score for score in expected if math.isfinite(score)]
    assert whole.mean_score == pytest.approx(sum(finite) / len(finite))


@pytest.mark.parametrize("metric", ["wer", "grr", "mean-wer", "chrf"])
def test_parts_add_up_to_the_whole(metric: str) -> None:
    whole = of(metric)
    parts = [fm.score([h], [r], metric) for h, r in zip(HYPOTHESES, REFERENCES, strict=True)]
    added = parts[0] + parts[1] + parts[2] + parts[3]
    assert added.score == whole.score
    assert added.as_dict() == whole.as_dict()


@pytest.mark.parametrize("metric", ["wer", "wrr", "grr", "hyter"])
def test_results_and_corpora_agree_on_the_numbers_of_one_item(metric: str) -> None:
    result = fm.align("the cat sat", "the cat sat down", metric)
    corpus = fm.score(["the cat sat"], ["the cat sat down"], metric)
    assert (result.score, result.mean_score) == (corpus.score, corpus.mean_score)
    assert result.item_scores.tolist() == corpus.item_scores.tolist() == corpus[0].item_scores.tolist()
    common = result.as_dict().keys() & corpus.as_dict().keys()
    assert {"metric", "score", "edits", "matches", "path_length", "gain"} <= common
    assert {name: result.as_dict()[name] for name in common} == {
        name: corpus.as_dict()[name] for name in common
    }


def plain(value: Any) -> bool:
    if isinstance(value, dict):
        return all(type(key) is str and plain(inner) for key, inner in value.items())
    if type(value) is list:
        return all(map(plain, value))
    return value is None or type(value) in (str, int, float, bool)


def results() -> list[Any]:
    lattice = fm.Lattice.read(EXAMPLES / "oracle" / "lattices" / "holmes01.slf.gz")
    found: list[Any] = [of(metric) for metric in ("wer", "grr", "mean-wer", "bleu")]
    found += [fm.align("where train station is", "where is the train station", fm.HyTER(3), nbest=2)]
    found += [fm.align("25 cats", "twenty-five cats", grammars="en.numbers")]
    found += [fm.align("x", ""), fm.oracle(lattice, "a c", depth=True, beams=(0, math.inf), model_weight=1)]
    return found


@pytest.mark.parametrize("number", range(8))
def test_dictionaries_hold_plain_values(number: int) -> None:
    found = results()[number].as_dict()
    assert plain(found)
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_dictionaries_have_none_for_infinite_scores() -> None:
    result = fm.align("x", "")
    assert (result.score, result.as_dict()["score"]) == (math.inf, None)
    assert math.isnan(result.mean_score)
    corpus = of("wer")
    assert corpus.item_scores.tolist() == [0.25, 0.0, 1.0, math.inf]
    assert corpus.infinite == corpus.as_dict()["infinite_scores"] == 1


def test_statistics_of_a_corpus_are_those_of_its_items() -> None:
    corpus = of("wrr")
    found = fm.Statistics.of(corpus)
    assert found.values.tolist() == [list(corpus.metric.statistics(item.totals)) for item in corpus]
    assert found.ids == corpus.ids == tuple(item.id for item in corpus) == (None,) * 4
    named = fm.score(dict(zip("abcd", HYPOTHESES, strict=True)), dict(zip("abcd", REFERENCES, strict=True)))
    assert named.ids == (named + named).ids[4:] == tuple("abcd")
