"""The Poisson bootstrap: its numbers against the definitions, parts against the whole, p against the bootstrap's."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest

import fstmetrics as fm
from fstmetrics.engine import resampling
from fstmetrics.engine.item_tables import ItemTable
from fstmetrics.engine.resampling import Resampling, poisson_sums

WORD = 2**32


def philox(counter: int, key: int) -> list[int]:
    """Philox4x32-10 as Salmon et al. (2011) have it: four words of a block."""
    c = [counter >> 32 * place & WORD - 1 for place in range(4)]
    k = [key & WORD - 1, key >> 32]
    for _ in range(10):
        one, two = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [two >> 32 ^ c[1] ^ k[0], two % WORD, one >> 32 ^ c[3] ^ k[1], one % WORD]
        k = [(k[0] + 0x9E3779B9) % WORD, (k[1] + 0xBB67AE85) % WORD]
    return c


def test_the_generator_here_is_the_published_one() -> None:
    """Known answers of Random123."""
    assert philox(0, 0) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    counter = 0x0370734413198A2E85A308D3243F6A88
    assert philox(counter, 0x299F31D0A4093822) == [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1]


def at_most(k: int) -> int:
    """How likely a Poisson number of mean 1 is to be k or less, times 2^32 and cut: from the series of e, exactly."""
    e = sum(Fraction(1, math.factorial(n)) for n in range(40))
    return math.floor(WORD * sum(Fraction(1, math.factorial(n)) for n in range(k + 1)) / e)


def weight(seed: int, sample: int, item: int) -> int:
    """As the documentation says it."""
    key = int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
    word = philox(item + 2**64 * (sample // 4), key)[sample % 4]
    return sum(at_most(k) <= word for k in range(12))


@pytest.mark.parametrize("places", [range(9), range(5, 45), range(2**33 + 1, 2**33 + 100, 7)])
@pytest.mark.parametrize("threads", [1, 3])
def test_weights_are_those_of_the_definition(places: range, threads: int) -> None:
    (drawn,) = poisson_sums([np.eye(len(places))], Resampling(11, 12, threads), places=places)
    assert drawn.astype(int).tolist() == [[weight(12, b, i) for i in places] for b in range(11)]


def test_weights_are_poisson_numbers() -> None:
    """Chi-square of how often each number comes in 100,000 weights; of 7 classes above 22.46 once in a thousand."""
    (drawn,) = poisson_sums([np.eye(500)], Resampling(200))
    found = np.bincount(np.minimum(drawn.astype(int).ravel(), 6), minlength=7)
    share = [math.exp(-1) / math.factorial(k) for k in range(6)]
    expected = drawn.size * np.array([*share, 1 - sum(share)])
    assert ((found - expected) ** 2 / expected).sum() < 22.46
    assert drawn.sum(axis=1).var() == pytest.approx(500, rel=0.4)


@pytest.mark.parametrize("shards", [1, 2, 3, 7, 300])
def test_sums_of_any_parts_add_up_in_any_order(shards: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    rows = rng.integers(0, 40, (200, 3))
    monkeypatch.setattr(resampling, "POISSON_ITEMS", 64)
    monkeypatch.setattr(resampling, "POISSON_SAMPLES", 6)
    (whole,) = poisson_sums([ItemTable(rows)], Resampling(30, 5))
    parts = [range(n, 200, shards) for n in range(shards)]
    random.Random(1).shuffle(parts)
    found = np.zeros_like(whole)
    for places in parts:
        found += poisson_sums([ItemTable(rows[places.start :: shards])], Resampling(30, 5), places=places)[0]
    assert np.array_equal(found, whole)
    (blocks,) = poisson_sums([ItemTable(rows[50:120])], Resampling(30, 5), places=range(50, 120))
    first = poisson_sums([ItemTable(rows[:50])], Resampling(30, 5))[0]
    last = poisson_sums([ItemTable(rows[120:])], Resampling(30, 5), places=range(120, 200))[0]
    assert np.array_equal(last + blocks + first, whole)


def test_p_and_intervals_are_near_those_of_the_bootstrap() -> None:
    rng = np.random.default_rng(8)
    lengths = rng.integers(5, 30, 2000)
    systems = {
        name: {"wer": fm.Statistics(fm.WER(), np.stack([rng.binomial(lengths, rate), lengths], axis=1) * 1.0)}
        for name, rate in (("a", 0.2), ("b", 0.203), ("c", 0.205))
    }
    found = [
        fm.evaluation.compare_statistics(systems, fm.evaluation.Design(test, Resampling(4000, 2)))
        for test in ("bootstrap", "poisson-bootstrap")
    ]
    for one, two in zip(found[0].tests, found[1].tests, strict=True):
        # The standard error of either p is at most sqrt(.25 / 4000) = .008.
        assert one.p == pytest.approx(two.p, abs=0.035)
        assert 0.001 < one.p < 0.9
    for name in systems:
        for edge in ("low", "high"):
            one, two = (getattr(each.systems[name]["wer"], edge) for each in found)
            assert one == pytest.approx(two, abs=0.0006)


def test_the_report_says_which_bootstrap_it_is() -> None:
    found = fm.compare({"a": ["x y"] * 40, "b": ["x"] * 40}, ["x y"] * 40, "wer", test="poisson-bootstrap")
    assert "Poisson bootstrap, mean shifted to zero, two-sided" in str(found)
    assert "10000 Poisson bootstrap resamples of items" in str(found)
    assert found.as_dict()["settings"]["generator"] == "Philox4x32-10"
