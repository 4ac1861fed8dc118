"""Latency against its definitions, written out slowly with exact fractions."""

from __future__ import annotations

import random
from fractions import Fraction as F

import pytest

import fstmetrics as fm


def slow(delays: list[int], x: int, y: int, end: int | None) -> list[F | None]:
    """AL, LAAL, AP, DAL and YAAL by their formulas."""
    n = len(delays)
    if not n:
        return [None] * 5

    def lagging(words: int) -> F | None:
        if delays[0] > x:
            return F(delays[0])
        if not words:
            return None
        tau = next((t for t in range(1, n + 1) if delays[t - 1] >= x), n)
        return sum((delays[t - 1] - (t - 1) * F(x, words) for t in range(1, tau + 1)), F(0)) / tau

    shifted: list[F] = []
    for delay in delays:
        shifted.append(max(F(delay), shifted[-1] + F(x, n)) if shifted else F(delay))
    dal = sum((shifted[t] - t * F(x, n) for t in range(n)), F(0)) / n
    before = [(t, d) for t, d in enumerate(delays) if d < (x if end is None else end)]
    yaal = sum((d - t * F(x, max(n, y)) for t, d in before), F(0)) / len(before) if before else None
    return [lagging(y), lagging(max(n, y)), F(sum(delays), x * y) if y else None, dal, yaal]


def test_is_what_the_definitions_say() -> None:
    draw = random.Random(5)
    undefined = 0
    for _ in range(3000):
        x, y, n = draw.randint(1, 40), draw.randint(0, 8), draw.randint(0, 8)
        end = draw.choice([None, draw.randint(1, 60)])
        delays = sorted(draw.randint(0 if end is None else -5, 50) for _ in range(n))
        found, expected = fm.latency(delays, x, y, end), slow(delays, x, y, end)
        undefined += None in expected
        assert [value is None for value in found] == [value is None for value in expected]
        for value, exact in zip(found, expected, strict=True):
            assert value is None or value == pytest.approx(float(exact or 0), abs=1e-9)
    assert undefined > 300


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, float("nan")], 3, 2), "finite"),
        (([1, 2], float("inf"), 2), "finite"),
        (([1, 2], 0, 2), "above 0"),
        (([1, 2], 3, -1), "reference_length"),
        ((["a"], 3, 1), "delays"),
        (([1], "3", 1), "source_length"),
        (([3000, 1000, 2000], 3000, 3), "delays goes back from 3000 to 1000 at word 2"),
        (([3, 2], 4, 3, 9), "delays goes back from 3 to 2 at word 2"),
        (([-3, 1], 4, 3), "delays begins at -3; expected times from 0 on"),
    ],
)
def test_numbers_that_are_none(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(fm.FstmetricsError, match=message):
        fm.latency(*arguments)  # type: ignore[arg-type]
