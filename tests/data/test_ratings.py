"""`fstmetrics.data.ratings`: standardised scores, of any size."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstmetrics.data.ratings import standardised

SCORES = st.lists(st.integers(-1000, 1000), min_size=2, max_size=30)


@given(SCORES, st.sampled_from([0, 1]))
def test_standardised_scores_are_those_of_numpy(scores: list[int], freedom: int) -> None:
    found = standardised(np.array(scores, dtype=np.float64), freedom)
    if len({*scores}) == 1:
        assert not found.any()
    else:
        assert found == pytest.approx((scores - np.mean(scores)) / np.std(scores, ddof=freedom), abs=1e-12)


@given(SCORES, st.integers(-1000, 1000))
def test_the_scale_of_scores_does_not_change_them(scores: list[int], exponent: int) -> None:
    whole = np.array(scores, dtype=np.float64)
    assert standardised(np.ldexp(whole, exponent)).tolist() == standardised(whole).tolist()


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(1, 30))
def test_the_same_score_everywhere_is_0(score: float, count: int) -> None:
    # The mean of 0.1 a few times is not 0.1: what rounding leaves must not become scores.
    assert standardised(np.full(count, score)).tolist() == [0.0] * count


@given(SCORES, st.data())
def test_missing_scores_stay_missing_and_change_no_other(scores: list[int], data: st.DataObject) -> None:
    places = sorted(data.draw(st.sets(st.integers(0, len(scores)))))
    there = standardised(np.array(scores, dtype=np.float64))
    found = standardised(np.insert(np.array(scores, dtype=np.float64), places, np.nan))
    missing = np.isnan(found)
    assert np.count_nonzero(missing) == len(places)
    assert found[~missing] == pytest.approx(there, abs=1e-12)


def test_of_no_score_none_is_made() -> None:
    assert standardised(np.array([])).tolist() == []
    assert np.isnan(standardised(np.array([np.nan, np.nan]))).all()
