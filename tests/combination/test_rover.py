"""`combine` beside SCTK's rover: slots, votes, times and confidences are the same."""

from __future__ import annotations

import random
import subprocess
from itertools import accumulate, pairwise
from pathlib import Path
from typing import get_args

import pytest
from command import fstmetrics as run
from hypothesis import given
from hypothesis import strategies as st
from other_programs import program
from places import RANDOM_CASES
from slow_slots import slow_slots

import fstmetrics as fm
from fstmetrics.combination.combining import Combination, Method, combine
from fstmetrics.combination.slots import Alignment, Vote
from fstmetrics.data.segments import TimedWord, TimedWords

CASES = min(1000, RANDOM_CASES)
NO_CONFIDENCE = "-1.000000"


def _channel(rng: random.Random, letters: str, with_confidences: bool, pause: float, most: int) -> TimedWords:
    """Random words; with a pause, words may be further apart than a second."""
    time, words = round(rng.random(), 2), []
    for _ in range(rng.randint(1, most)):
        duration = round(rng.choice([0, 0.1, 0.25, rng.random()]), 2)
        confidence = f"{rng.choice([0, 0.5, 1, round(rng.random(), 3)]):g}" if with_confidences else ""
        words.append(TimedWord(rng.choice(letters), time, duration, confidence))
        time = round(time + duration + (rng.random() * pause * 2 if rng.random() < 0.5 else 0), 2)
    return TimedWords("talk", "1", tuple(words))


def _lines(channel: TimedWords) -> str:
    words = (f"talk 1 {w.begin} {w.duration} {w.word} {w.confidence}".rstrip() for w in channel.texts)  # type: ignore[union-attr]
    return "".join(f"{line}\n" for line in words)


def _rover(folder: Path, paths: list[str], *options: str) -> str | None:
    """The ctm that rover writes; None where it finds no best word."""
    command = [*program("sctk", "rover")[:1], "rover"]
    for path in paths:
        command += ["-h", path, "ctm"]
    command += ["-s", "-f", "0", "-o", "out", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if "No best word found" in done.stdout + done.stderr:
        return None
    assert done.returncode == 0, done.stderr
    return (folder / "out").read_text()


def _written(found: Combination) -> str:
    """As rover writes it."""
    assert found.timed is not None
    return "".join(
        f"talk 1 {w.begin:.3f} {w.duration:.3f} {w.word} {w.confidence or NO_CONFIDENCE}\n"
        for w in found.timed
    )


def _combined(
    systems: list[TimedWords], method: Method, alpha: float, null_confidence: float, by_time: bool
) -> Combination:
    align: Alignment = "times" if by_time else "words"
    return combine(systems, method, alpha=alpha, null_confidence=null_confidence, align=align)


def test_votes_are_those_of_rover_on_random_systems(tmp_path: Path) -> None:
    rng = random.Random(38)
    undefined = compared = cases = 0
    while cases < CASES:
        with_confidences, pause = rng.random() < 0.7, rng.choice([0, 0.3, 1.5])
        letters, most, number = "abcdefg"[: rng.randint(2, 7)], rng.choice([3, 8, 25]), rng.randint(2, 6)
        # Where a system has no more words in a recording, and others pause, rover takes words of the next one.
        talks = 20 if pause < 1 else 1
        systems = [
            [_channel(rng, letters, with_confidences, pause, most) for _ in range(number)]
            for _ in range(talks)
        ]
        paths = [f"s{n}.ctm" for n in range(number)]
        for n, path in enumerate(paths):
            lines = (_lines(each[n]).replace("talk", f"talk{t}") for t, each in enumerate(systems))
            (tmp_path / path).write_text("".join(lines))
        method: Method = rng.choice(get_args(Vote))
        alpha = rng.choice([0, 0.3, 0.5, 0.9, 1]) if with_confidences and method != "freq" else 1
        null_confidence = 0 if method == "freq" else rng.choice([0, 0.2, 0.7, 1])
        by_time = rng.random() < 0.3
        theirs = _rover(
            tmp_path, paths, "-m", "meth1" if method == "freq" else method, "-a", str(alpha),
            "-c", str(null_confidence), *(["-T"] if by_time else []),
        )  # fmt: skip
        cases += talks
        if theirs is None and alpha < 1:
            with pytest.raises(fm.FstmetricsError, match="avgconf shares out the confidences"):
                [_combined(each, method, alpha, null_confidence, by_time) for each in systems]
            undefined += talks
            continue
        found = [_combined(each, method, alpha, null_confidence, by_time) for each in systems]
        ours = "".join(_written(each).replace("talk", f"talk{talk}") for talk, each in enumerate(found))
        if theirs is None:  # it divides by the sum of confidences, also where these do not count
            assert method == "avgconf"
            continue
        assert ours == theirs
        compared += talks
    assert compared > 0.7 * CASES
    assert undefined < 0.2 * CASES


def _alternatives(lines: list[str]) -> list[list[str]]:
    """Of an oracle's ctm the words of each place with their times; no word is empty."""
    places: list[list[str]] = []
    is_open = False
    for line in lines:
        fields = line.split()
        if fields[4] == "<ALT_BEGIN>":
            is_open = True
            places.append([])
        elif fields[4] == "<ALT_END>":
            is_open = False
        elif fields[4] != "<ALT>":
            word = f"{float(fields[2]):.3f} {float(fields[3]):.3f} {fields[4]}"
            if not is_open:
                places.append([word])
            elif fields[4] != "@":
                places[-1].append(word)
    return places


@pytest.mark.parametrize("lower", [False, True])
def test_commands_write_what_rover_writes_of_several_recordings(tmp_path: Path, lower: bool) -> None:
    rng = random.Random(7)
    paths = [str(tmp_path / f"s{n}.ctm") for n in range(4)]
    for path in paths:
        lines = ""
        for talk in range(60):
            lines += _lines(_channel(rng, "abCdE", True, 0.2, 12)).replace("talk", f"talk{talk}")
        Path(path).write_text(lines.replace(" 0\n", " 0.01\n"))  # of zeros alone avgconf has no shares
    options = ["--lowercase"] if lower else []
    for method in ("meth1", "maxconf", "maxconfa", "avgconf"):
        voted = ["--alpha", "0.4", "--null-confidence", "0.3"]
        found = run("combine", *paths, "--method", method, *voted, *options).out
        theirs = _rover(tmp_path, paths, "-m", method, "-a", "0.4", "-c", "0.3")
        assert theirs is not None
        wanted = theirs if not lower else _lower(tmp_path, paths, method)
        rows = [line.split() for line in found.splitlines()]
        ours = [f"{f} {c} {float(b):.3f} {float(d):.3f} {word} {conf}" for f, c, b, d, word, conf in rows]
        assert ours == wanted.splitlines()
    if lower:
        return
    oracle = _rover(tmp_path, paths, "-m", "oracle")
    assert oracle is not None
    found = run("combine", *paths, "--method", "oracle").out
    assert _alternatives(found.splitlines()) == _alternatives(oracle.splitlines())
    putat = _rover(tmp_path, paths, "-m", "putat", "-c", "0.25")
    assert run("combine", *paths, "--method", "putat", "--null-confidence", "0.25").out == putat


def _lower(folder: Path, paths: list[str], method: str) -> str:
    """What rover writes without -s, by which it makes all letters small."""
    command = [*program("sctk", "rover")[:1], "rover"]
    for path in paths:
        command += ["-h", path, "ctm"]
    command += ["-m", method, "-a", "0.4", "-c", "0.3", "-f", "0", "-o", "lower"]
    subprocess.run(command, cwd=folder, capture_output=True, check=True)
    return (folder / "lower").read_text()


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=6), min_size=2, max_size=5))
def test_every_word_has_one_place_in_its_order(outputs: list[list[str]]) -> None:
    found = combine(outputs)
    for system, words in enumerate(outputs):
        places = [slot.places[system] for slot in found.slots if slot.places[system] >= 0]
        assert places == list(range(len(words)))
    for slot in found.slots:
        votes = {
            word: sum(
                (words[place] if place >= 0 else None) == word
                for words, place in zip(outputs, slot.places, strict=True)
            )
            for word in {candidate.word for candidate in slot.candidates}
        }
        assert sum(votes.values()) == len(outputs)
        assert votes[slot.candidates[slot.best].word] == max(votes.values())
    chosen = [slot.candidates[slot.best].word for slot in found.slots]
    assert [word for word in chosen if word is not None] == list(found.words)


@pytest.mark.parametrize("by_time", [False, True])
def test_slots_are_those_of_the_definition(by_time: bool) -> None:
    """Without rover: words follow one another, so that no pause parts them."""
    rng = random.Random(3)
    for _ in range(150):
        arcs = []
        for _ in range(rng.randint(2, 4)):
            ends = list(accumulate(rng.choice([0, 0.25, 0.5, 1]) for _ in range(rng.randint(0, 10))))
            arcs.append([(rng.choice("abc"), span) for span in pairwise([0.0, *ends])])
        systems = [
            TimedWords("talk", "1", tuple(TimedWord(word, begin, end - begin) for word, (begin, end) in each))
            for each in arcs
        ]
        found = combine(systems, align="times" if by_time else "words")
        slots = [
            [(None, (0.0, 0.0)) if slot.places[n] < 0 else arcs[n][slot.places[n]] for n in slot.order]
            for slot in found.slots
        ]
        assert slots == slow_slots(arcs, by_time)


def test_equal_systems_are_combined_into_themselves() -> None:
    assert combine([["a", "b"]] * 4).words == ("a", "b")
    assert combine(["", ""]).words == ()
    assert combine(["", "a", ""]).words == ()


def test_the_earlier_system_wins_a_tie() -> None:
    assert combine(["x", "y"]).words == ("x",)
    assert combine(["y", "x"]).words == ("y",)
    assert combine(["x b", "b"]).words == ("x", "b")
