"""Costs that a format rounds: said where a digit changes, and not said where none does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from command import fstmetrics, written
from hypothesis import given, settings
from hypothesis import strategies as st

from fstmetrics.io.writing import keeps_single

FLOATS = st.floats(2.0**-20, 1e6, width=32).map(float)


def digits_of(number: float) -> int:
    """Decimal digits that the shortest form of a number has."""
    return len(repr(number).partition("e")[0].replace(".", "").strip("-0"))


def kept(number: float) -> bool:
    """The definition: the 32-bit float, rounded to as many digits, is the number again."""
    single = float(np.float32(number))
    return single == number or (digits_of(number) <= 9 and float(f"{single:.{digits_of(number)}g}") == number)


@given(
    FLOATS
    | st.floats(1e-6, 1e6)
    | st.tuples(FLOATS | st.floats(1e-6, 1e6), st.integers(1, 12)).map(
        lambda pair: float(f"{pair[0]:.{pair[1]}g}")
    )
)
@settings(max_examples=1000)
def test_the_digits_that_32_bit_floats_keep(number: float) -> None:
    assert keeps_single([number, -number, 0.0]) == kept(number)
    if digits_of(number) <= 6 or number == float(np.float32(number)):
        assert keeps_single([number])


def test_decoders_numbers_are_kept_as_they_are_printed() -> None:
    """With six digits as C++ does, with nine, with the fewest that tell floats apart; one number in many is enough."""
    rng = np.random.default_rng(5)
    floats = rng.lognormal(3, 4, 10_000).astype(np.float32)
    for digits in (6, 9):
        assert keeps_single([float(f"{number:.{digits}g}") for number in floats])
    assert keeps_single([float(str(number)) for number in floats])
    assert not keeps_single([*floats.astype(float), 0.123456789])
    assert keeps_single([])


ARCHIVE = "u1\n0\t1\ta\t{},1.5,\n1\t0.0,0.0,\n\nu2\n0\t1\tc\t1.0,0.0,\n1\t0.0,0.0,\n\n"
SAID = "rounded: costs, to 32-bit floats (1 of 2 items)\n"


@pytest.mark.parametrize(
    ("cost", "said"), [("8342.93", ""), ("0.333333343", ""), ("0.3333333333333333", SAID)]
)
def test_what_is_rounded_is_said(cost: str, said: str, tmp_path: Path) -> None:
    source, words = written(tmp_path / "a.ark.txt", ARCHIVE.format(cost)), tmp_path / "words.txt"
    for name in ("kaldi-lattice", "kaldi-lattice4", "far"):
        options = ("--scale", "lm=1") if name == "far" else ("--write-symbols", words)
        outcome = fstmetrics("convert", source, tmp_path / name, "--to", name, *options)
        # Graph and acoustic cost in one have as many digits as both together.
        expected = SAID if name == "far" and cost == "0.333333343" else said
        assert (outcome.status, outcome.err) == (0, expected)
    for name in ("kaldi-lattice-text", "kaldi-lattice4-text"):
        assert fstmetrics("convert", source, tmp_path / name, "--to", name).err == ""


def test_binary_archives_are_not_rounded_again(tmp_path: Path) -> None:
    """Nor is their text, with all of its digits; the floats are the same to the last bit."""
    source, words = written(tmp_path / "a.ark.txt", ARCHIVE.format(1 / 3)), tmp_path / "words.txt"
    steps = (
        (source, tmp_path / "a.ark", "--write-symbols", words, "--lossy"),
        (tmp_path / "a.ark", tmp_path / "b.ark.txt", "--symbols", words),
        (tmp_path / "b.ark.txt", tmp_path / "b.ark", "--symbols", words),
    )
    assert [fstmetrics("convert", *step).err for step in steps] == [SAID, "", ""]
    assert (tmp_path / "a.ark").read_bytes() == (tmp_path / "b.ark").read_bytes()


def test_grammars_have_ten_thousandths(tmp_path: Path) -> None:
    source = written(tmp_path / "a.fst.txt", "0 1 a 0.5\n1\n")
    assert (
        fstmetrics("convert", source, tmp_path / "a.pfsg").err
        == "rounded: costs, to ten thousandths (1 of 1 item)\n"
    )
    assert fstmetrics("convert", tmp_path / "a.pfsg", tmp_path / "b.pfsg").err == ""
    network = tmp_path / "n.json"
    assert fstmetrics("convert", source, network).err == ""
    assert "rounded: costs" in fstmetrics("convert", network, tmp_path / "n.pfsg").err
