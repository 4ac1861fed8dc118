"""Times of states through `convert`: as they are, from frames, from durations, and refused where there is no room."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import numpy as np
import pytest
from command import fstmetrics, written
from conversions import read
from conversions import written as content
from hypothesis import given, settings
from hypothesis import strategies as st
from round_trips import apart, lattices

import fstmetrics as fm
from fstmetrics.data.times import Durations, Times
from fstmetrics.io import Item

SECONDS = st.floats(0, 1e5) | st.sampled_from([math.nan, 0.0, 0.57, 1e-9])


def timed(lattice: fm.Lattice, times: Times | Durations) -> fm.Lattice:
    return fm.Lattice(lattice.automaton, lattice.symbols, id=lattice.id, times=times)


def through_slf(lattice: fm.Lattice, folder: Path, frame_length: float | None = None) -> fm.Lattice:
    (item,) = read("slf", content("slf", [Item("u", lattice)], frame_length=frame_length), folder)
    assert not item.left_out
    assert isinstance(item.value, fm.Lattice)
    return item.value


@given(lattice=lattices(), data=st.data())
@settings(max_examples=80, deadline=None)
def test_times_come_back(
    lattice: fm.Lattice, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """In seconds as they are, in frames as so many seconds; of states that only the format needs there are none."""
    of_state = np.array(
        data.draw(st.lists(SECONDS, min_size=lattice.num_states, max_size=lattice.num_states))
    )
    folder = tmp_path_factory.getbasetemp()
    found = through_slf(timed(lattice, Times(of_state, "seconds")), folder)
    assert apart(found) == apart(lattice)
    if np.isnan(of_state).all():
        assert found.times is None
        return
    assert isinstance(found.times, Times)
    assert found.times.unit == "seconds"
    np.testing.assert_array_equal(found.times.of_state[: lattice.num_states], of_state)
    ends = set(of_state[lattice.automaton.finals].tolist())
    added = found.times.of_state[lattice.num_states :].tolist()
    assert len(added) <= 1
    assert all(math.isnan(time) or {time} == ends for time in added)
    found = through_slf(timed(lattice, Times(of_state, "frames")), folder, 0.01)
    assert isinstance(found.times, Times)
    np.testing.assert_allclose(found.times.of_state[: lattice.num_states], of_state * 0.01, atol=1e-9)


def test_durations_become_the_longest_way(tmp_path: Path) -> None:
    """Depth, which knows both, sees the same."""
    arcs = [(0, 1, "a"), (0, 2, "b"), (1, 2, "c"), (2, 3, "d")]
    plain = fm.Lattice.from_arcs(arcs, finals=[3], id="u")
    lattice = timed(plain, Durations(np.array([10, 57, 47, 3]), "frames"))
    found = through_slf(lattice, tmp_path, 0.01)
    assert isinstance(found.times, Times)
    assert found.times.of_state.tolist() == [0.0, 0.1, 0.57, 0.6]
    assert found.depth.arcs == lattice.depth.arcs
    assert [round(100 * time) for time in found.depth.times] == list(lattice.depth.times)


SLF = "VERSION=1.0\nN=2 L=1\nI=0 t=0.0\nI=1 t=0.5\nJ=0 S=0 E=1 W=a\n"
KALDI = "u1\n0 1 a 0.5,1.5,3_1_1\n1 0,0,4_4\n\n"


def test_where_there_is_no_room_times_are_named(tmp_path: Path) -> None:
    source = written(tmp_path / "u1.slf", SLF)
    outcome = fstmetrics("convert", source, tmp_path / "a.fst")
    assert (outcome.status, "would lose times; --lossy writes it without them\n" in outcome.err) == (2, True)
    assert fstmetrics("convert", source, tmp_path / "b.slf").err == ""
    assert "I=1 t=0.5" in (tmp_path / "b.slf").read_text()
    sub = "SUBLAT=x\n" + SLF + ".\nN=3 L=2\nI=0 t=0\nI=1 L=x\nI=2\nJ=0 S=0 E=1\nJ=1 S=1 E=2\n"
    outcome = fstmetrics("convert", written(tmp_path / "c.slf", sub), tmp_path / "d.slf")
    assert "would lose times;" in outcome.err


def test_times_of_slf_are_scaled_to_seconds(tmp_path: Path) -> None:
    source = written(tmp_path / "u1.slf", "tscale=0.01\n" + SLF.replace("t=0.5", "t=50"))
    assert fm.Lattice.read(source).depth.times == (0.0, 0.5)
    assert fstmetrics("convert", source, tmp_path / "b.slf").err == ""
    assert fm.Lattice.read(tmp_path / "b.slf").depth.times == (0.0, 0.5)
    (tmp_path / "c.slf").write_text("tscale=x\n" + SLF)
    assert (
        "tscale='x' is not a usable number"
        in fstmetrics("convert", tmp_path / "c.slf", tmp_path / "d.slf").err
    )


def test_frames_need_a_length(tmp_path: Path) -> None:
    source, out = written(tmp_path / "a.ark.txt", KALDI), tmp_path / "u1.slf"
    outcome = fstmetrics("convert", source, out)
    assert outcome.status == 2
    assert (
        "would lose times, transition ids; --lossy writes it without them, --frame-length 0.01 says how many seconds "
        "a frame is" in outcome.err
    )
    outcome = fstmetrics("convert", source, out, "--frame-length", 0.03, "--lossy")
    assert (outcome.status, outcome.err) == (0, "written without transition ids (1 of 1 item)\n")
    found = fm.Lattice.read(out)
    assert isinstance(found.times, Times)
    assert found.times.of_state.tolist() == [0.0, 0.09]
    for length in ("0", "-1", "nan", "inf"):
        outcome = fstmetrics("convert", source, out, f"--frame-length={length}")
        assert outcome.status == 2
        assert "'--frame-length'" in outcome.err


def test_sphinx_lattices_have_the_times_of_their_slf(shared: Path, tmp_path: Path) -> None:
    """pocketsphinx writes both itself; its frames are a hundredth of a second."""
    folder = shared / "asr-pocketsphinx"
    for kind in ("slf", "lat"):
        (tmp_path / f"holmes01.{kind}").write_bytes(
            gzip.decompress((folder / f"holmes01.{kind}.gz").read_bytes())
        )
    outcome = fstmetrics(
        "convert", tmp_path / "holmes01.lat", tmp_path / "x.slf", "--frame-length", 0.01, "--lossy"
    )
    assert outcome.err == "written without end frames (1 of 1 item)\n"
    depths = [fm.Lattice.read(tmp_path / name).depth for name in ("x.slf", "holmes01.slf")]
    assert depths[0].unit == depths[1].unit == "seconds"
    assert depths[0].max == depths[1].max
    assert depths[0].mean == pytest.approx(depths[1].mean, rel=1e-3)
