"""Confidences against what is correct: NCE and ECE by their definitions, and sclite's NCE column."""

from __future__ import annotations

import json
import math
import random
import re
import subprocess
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import fstmetrics, written
from other_programs import client, program

import fstmetrics as fm
from fstmetrics.data.times import Durations, Times
from fstmetrics.data.transcripts import Transcript
from fstmetrics.lattices.posteriors import word_posteriors


def nce(confidences: list[float], correct: list[bool]) -> float:
    """The definition, word by word."""
    share = sum(correct) / len(correct)
    most = -sum(math.log2(share if hit else 1 - share) for hit in correct)
    bounded = [min(max(value, 1e-7), 1 - 1e-7) for value in confidences]
    found = sum(math.log2(value if hit else 1 - value) for value, hit in zip(bounded, correct, strict=True))
    return (most + found) / most


def ece(confidences: list[float], correct: list[bool], bins: int) -> float:
    """The definition, bin by bin."""
    total = 0.0
    for number in range(bins):
        low, high = number / bins, (number + 1) / bins
        inside = [i for i, value in enumerate(confidences) if low < value <= high or value == low == 0]
        if inside:
            mean, share = (sum(values[i] for i in inside) / len(inside) for values in (confidences, correct))
            total += len(inside) / len(confidences) * abs(mean - share)
    return total


@pytest.mark.parametrize("seed", range(20))
def test_numbers_are_those_of_the_definitions(seed: int) -> None:
    draw = random.Random(seed)
    confidences = [draw.choice([0.0, 1.0, 0.3, draw.random()]) for _ in range(60)]
    correct = [draw.random() < value for value in confidences]
    for bins in (1, 3, 10, 15):
        found = fm.calibration(confidences, correct, bins)
        assert found.ece == pytest.approx(ece(confidences, correct, bins), abs=1e-12)
        assert found.nce == pytest.approx(nce(confidences, correct), abs=1e-12)
        assert sum(each.words for each in found.bins) == found.words == 60
        assert sum(each.correct for each in found.bins) == found.correct == sum(correct)


def test_a_confidence_at_the_end_of_a_bin_is_in_it() -> None:
    for bins in (3, 7, 10, 49, 100):
        for number in range(1, bins + 1):
            (row,) = (row for row in fm.calibration([number / bins], [True], bins).bins if row.words)
            assert row.high == number / bins
    assert fm.calibration([0.0], [True], 10).bins[0].words == 1
    # A sum of posteriors that is one half but for its last digit.
    for half in (0.5, 0.5 + 2**-52, 0.5 - 2**-53):
        assert fm.calibration([half], [True], 10).bins[4].words == 1


def test_what_is_not_defined_is_nan_and_null() -> None:
    for hits in ([True, True], [False, False]):
        found = fm.calibration([0.5, 0.6], hits)
        assert math.isnan(found.nce)
        assert found.as_dict()["nce"] is None
    assert json.loads(json.dumps(fm.calibration([], []).as_dict()))["ece"] is None
    assert fm.calibration([1, 1, 0], [True, True, False]).nce == pytest.approx(1, abs=1e-5)


def test_correct_words_may_be_ones() -> None:
    asked = [0.5, 0.75]
    for hits in ([1, 0], np.array([True, False]), np.array([1.0, 0.0])):
        assert fm.calibration(np.array(asked, dtype=np.float32), hits) == fm.calibration(asked, [True, False])


def test_confidences_may_be_decimal_numbers() -> None:
    assert fm.calibration([Decimal("0.5")], [True]).mean_confidence == 0.5


def test_a_file_without_words_is_refused(tmp_path: Path) -> None:
    ref = written(tmp_path / "o.stm", "f 1 ann 0 2 a b\n")
    outcome = fstmetrics("confidence", str(ref), str(written(tmp_path / "empty.ctm", "")))
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert "empty.ctm has no word with a confidence" in outcome.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ([0.5], [True, False]),
            r"as many confidences as words that are correct or not, not \[1\] and \[2\]",
        ),
        (([1.5], [True]), "a confidence is a number from 0 to 1, not 1.5"),
        (([math.nan], [True]), "a confidence is a number from 0 to 1, not nan"),
        (([0.5], [True], 0), "bins"),
        (([0.5], ["x"]), r"a word is correct \(True\) or not \(False\), not 'x'"),
        (([0.5], [2]), "or not .False., not 2"),
        (([0.5], [None]), "or not .False., not None"),
        (([0.5], np.array([0.5])), "or not .False., not 0.5"),
        ((["0.5"], [True]), "a confidence is a number from 0 to 1, not '0.5'"),
        (([None], [True]), "a confidence is a number from 0 to 1, not None"),
    ],
)
def test_wrong_arguments_are_refused(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(fm.FstmetricsError, match=message):
        fm.calibration(*arguments)


def test_words_are_correct_where_the_alignment_says_so() -> None:
    found = fm.confidence(["a b c", "x"], ["a c d", ["x y", "z"]], [[0.9, 0.2, 0.8], [0.4]])
    assert (found.words, found.correct) == (4, 3)  # b is inserted
    assert found.nce == pytest.approx(nce([0.9, 0.2, 0.8, 0.4], [True, False, True, True]))
    ignoring = fm.Normalisation(ignore=frozenset({"uh"}))
    assert fm.confidence(["uh a"], ["a"], [[0.1, 0.9]], normalisation=ignoring).words == 1
    for hypotheses, confidences, message in (
        (["a b"], [[0.5]], r"item 0 \(from 0\): 2 words and 1 confidences"),
        (["a b"], [[0.5, 2.0]], "a confidence is a number from 0 to 1"),
        (["a b"], None, r"item 0 \(from 0\): expected words with confidences"),
        (["a", "b"], [[0.5], [0.5]], "2 hypotheses and 1 references"),
    ):
        with pytest.raises(fm.FstmetricsError, match=message):
            fm.confidence(hypotheses, ["a b"], confidences)
    with pytest.raises(fm.FstmetricsError, match="confidences are of words; --unit char"):
        fm.confidence(["a"], ["a"], [[0.5]], normalisation=fm.Normalisation(unit="char"))
    with pytest.raises(fm.FstmetricsError, match="hyter reorders them"):
        fm.confidence(["a"], ["a"], [[0.5]], metric=fm.HyTER(window=2))


def paths(lattice: fm.Lattice) -> list[tuple[float, list[int]]]:
    """Every path: its cost, graph and acoustic, and its arcs."""
    automaton = lattice.automaton
    found, open_paths = [], [(automaton.start, 0.0, list[int]())]
    finals = dict(zip(automaton.finals.tolist(), automaton.final_costs.sum(axis=1).tolist(), strict=True))
    while open_paths:
        state, cost, arcs = open_paths.pop()
        if state in finals:
            found.append((cost + finals[state], arcs))
        for arc in np.flatnonzero(automaton.sources == state).tolist():
            more = float(automaton.arc_costs[arc].sum())
            open_paths.append((int(automaton.destinations[arc]), cost + more, [*arcs, arc]))
    return found


@pytest.mark.parametrize("seed", range(30))
def test_posteriors_of_words_are_sums_over_paths(seed: int) -> None:
    draw = random.Random(seed)
    layers, sources, destinations, words, costs = 4, [], [], [], []
    states = [[0], *([2 * i + 1, 2 * i + 2] for i in range(layers))]
    for here, there in pairwise(states):
        for source in here:
            for destination in there:
                for word in draw.sample(["a", "b", ""], 2):
                    sources.append(source)
                    destinations.append(destination)
                    words.append(word)
                    costs.append((draw.random() * 3, draw.random() * 3))
    of_state = np.array([0.0, *(i + draw.random() * 0.9 for i in range(1, layers + 1) for _ in range(2))])
    lattice = fm.Lattice.from_arrays(
        sources, destinations, words, finals=states[-1], costs=costs, times=Times(of_state, "seconds"),
        final_costs=[(draw.random(), 0.0), (0.0, 1.0)],
    )  # fmt: skip
    scale = draw.choice([0.3, 1.0])
    every = paths(lattice)
    whole = sum(math.exp(-scale * cost) for cost, _ in every)
    label_of = {word: number for number, word in enumerate(lattice.symbols.words)}
    best = lattice.best_path()
    found = word_posteriors(lattice, scale)
    assert tuple(each.word for each in found) == best.words
    for each in found:
        middle = (each.begin + each.end) / 2
        through = sum(
            math.exp(-scale * cost)
            for cost, arcs in every
            if any(
                lattice.automaton.labels[arc] == label_of[each.word]
                and of_state[lattice.automaton.sources[arc]] <= middle < of_state[lattice.automaton.destinations[arc]]
                for arc in arcs
            )
        )  # fmt: skip
        assert each.posterior == pytest.approx(through / whole, rel=1e-9)


@pytest.mark.parametrize("large", [0.0, 1e9, 1e12, 1e14])
def test_large_costs_leave_posteriors_their_digits(large: float) -> None:
    """Ten words that cost as much each: what differs between two arcs is all that counts."""
    states = range(10)
    lattice = fm.Lattice.from_arrays(
        [s for s in states for _ in "ab"],
        [s + 1 for s in states for _ in "ab"],
        ["a", "b"] * 10,
        finals=[10],
        costs=[(large + more, 0) for _ in states for more in (0.0, 2.0)],
        times=Times(np.arange(11.0), "seconds"),
    )
    expected = 1 / (1 + math.exp(-2))
    assert [each.posterior for each in word_posteriors(lattice)] == pytest.approx([expected] * 10, rel=1e-6)


def test_lattices_with_durations_have_posteriors_and_those_without_times_none() -> None:
    arcs = ([0, 0, 1], [1, 1, 2], ["the", "a", "cat"])
    lattice = fm.Lattice.from_arrays(
        *arcs,
        finals=[2],
        costs=[(0, 0), (math.log(3), 0), (0, 0)],
        times=Durations(np.array([5, 5, 9]), "frames"),
    )
    assert [(each.word, round(each.posterior, 9), each.begin, each.end) for each in word_posteriors(lattice)] == [
        ("the", 0.75, 0, 5), ("cat", 1, 5, 14),
    ]  # fmt: skip
    with pytest.raises(fm.FstmetricsError, match="has no times, so its words have no posteriors"):
        word_posteriors(fm.Lattice.from_arrays(*arcs, finals=[2]))
    found = fm.confidence([lattice], ["the dog"])
    assert (found.words, found.correct, found.mean_confidence) == (2, 1, pytest.approx(0.875))


def test_confidences_stay_with_the_words_of_a_ctm(tmp_path: Path) -> None:
    parsed = Transcript.parse("a b", "sclite")
    assert parsed.confidences == ()
    ctm = "f 1 0.0 0.1 a;tag 0.5\nf 1 0.2 0.1 @ 0.1\nf 1 0.4 0.1 \\@ 0.25\n"
    ref = "f 1 s 0.0 1.0 a \\@\n"
    hyp, stm = written(tmp_path / "h.ctm", ctm), written(tmp_path / "r.stm", ref)
    found = fstmetrics("confidence", stm, hyp, "--json").summary
    assert (found["words"], found["correct"], found["mean_confidence"]) == (2, 2, 0.375)


@pytest.mark.parametrize(
    ("name", "text"), [("r.txt", "u1 the cat ran\nu2 call\n"), ("r.trn", "the cat ran (u1)\ncall (u2)\n")]
)
def test_a_ctm_by_utterances_pairs_with_texts_by_id(name: str, text: str, tmp_path: Path) -> None:
    ctm = "u1 1 0 .5 the 0.9\nu1 1 .5 .5 cat 0.8\nu1 1 1 .5 sat 0.3\nu2 1 0 .5 call 0.7\n"
    hyp = written(tmp_path / "h.ctm", ctm)
    stm = written(tmp_path / "r.stm", "u1 1 s 0 1.5 the cat ran\nu2 1 s 0 1 call\n")
    measures = ("words", "correct", "nce", "ece", "mean_confidence")
    by_time, by_id = (
        fstmetrics("confidence", ref, hyp, "--json").summary for ref in (stm, written(tmp_path / name, text))
    )
    assert [by_id[each] for each in measures] == [by_time[each] for each in measures]
    assert by_id["nce"] == pytest.approx(nce([0.9, 0.8, 0.3, 0.7], [True, True, False, True]), abs=1e-9)
    written(hyp, ctm.replace(" 0.3", "").replace("call 0.7", "call"))
    refused = fstmetrics("confidence", tmp_path / name, hyp)
    assert "item u1: word 3 has no confidence; expected a number from 0 to 1" in refused.err


def files(folder: Path, seed: int) -> tuple[Path, Path]:
    """An stm and a ctm with errors of all kinds, and confidences that say something about them."""
    draw, refs, hyps = random.Random(seed), [], []
    for recording in range(10):
        time = 0.0
        for _ in range(12):
            words = [draw.choice("abcde") for _ in range(draw.randint(1, 9))]
            end = time + len(words) + 2
            refs.append(f"rec{recording} 1 spk{recording % 3} {time:.2f} {end:.2f} {' '.join(words)}")
            begin = time + 0.5
            for word in words:
                kind = draw.random()
                said = (
                    [] if kind < 0.15 else [word] if kind < 0.6 else [draw.choice("abcde")] if kind < 0.85
                    else [word, draw.choice("abcde")]
                )  # fmt: skip
                for each in said:
                    sure = (0.8 if each == word else 0.4) + draw.gauss(0, 0.2)
                    hyps.append(f"rec{recording} 1 {begin:.2f} 0.30 {each} {min(1, max(0, sure)):.3f}")
                    begin += 0.45
            time = end
    return written(folder / "ref.stm", "\n".join(refs) + "\n"), written(
        folder / "hyp.ctm", "\n".join(hyps) + "\n"
    )


@pytest.mark.parametrize("seed", range(4))
def test_nce_is_sclites(seed: int, tmp_path: Path) -> None:
    """The column NCE of the real program: of ties in the alignment, those that sclite shows."""
    command = program("sctk", "sclite")
    command = [*command[:1], "sclite"] if command[0].endswith("sctk") else command
    ref, hyp = files(tmp_path, seed)
    printed = subprocess.run(
        [*command, "-r", str(ref), "stm", "-h", str(hyp), "ctm", "-o", "sum", "stdout"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    line = next(line for line in printed.splitlines() if "Sum/Avg" in line)
    expected = float(re.findall(r"-?\d+\.\d+", line)[-1])
    found = fstmetrics("confidence", ref, hyp, "--metric", "sclite", "--lowercase", "--json").summary
    assert round(found["nce"], 3) == pytest.approx(expected, abs=1e-9)


def test_the_command_prints_what_python_finds(tmp_path: Path) -> None:
    ref, hyp = files(tmp_path, 9)
    found = fstmetrics("confidence", ref, hyp, "--bins", "5", "--json").summary
    assert len(found["bins"]) == 5
    assert found["items"] == 120
    assert found["settings"]["bins"] == 5
    out = fstmetrics("confidence", ref, hyp, "--bins", "5").out.splitlines()
    assert out[0] == f"NCE {found['nce']:.4f}"
    assert out[1] == f"ECE {found['ece']:.4f}"
    (line,) = (line for line in out if line.startswith("0.8 to 1 "))
    last = found["bins"][-1]
    assert line.split()[3:6] == [str(last["words"]), str(last["correct"]), f"{last['accuracy']:.4f}"]
    assert "|confidence|metric:wer|" in out[-1]
    assert "|bins:5|" in out[-1]


def test_a_plot_is_written_and_is_the_same_again(tmp_path: Path) -> None:
    client("matplotlib")
    ref, hyp = files(tmp_path, 9)
    pictures = []
    for name in ("one.svg", "two.svg"):
        assert fstmetrics("confidence", ref, hyp, "--plot", tmp_path / name).status == 0
        pictures.append((tmp_path / name).read_text())
    assert "share of correct words" in pictures[0] or "<path" in pictures[0]
    assert len(pictures[0]) == len(pictures[1])
    ran = fstmetrics("confidence", ref, hyp, "--plot", tmp_path / "p.doc")
    assert (ran.status, ran.out) == (2, "")


OF_WHISPER = {
    "text": " Good morning,  all",
    "segments": [
        {
            "start": 0, "end": 2, "text": " Good morning,  all", "words": [
                {"word": " Good", "start": 0, "end": 0.4, "probability": 0.9},
                {"word": " morning,", "start": 0.5, "end": 1.0, "probability": 0.25},
                {"word": " all", "start": 1.0, "end": 2.0, "probability": 1},
            ],
        }
    ],
}  # fmt: skip
OF_VOSK = {
    "result": [
        {"conf": 0.9, "end": 0.4, "start": 0.0, "word": "Good"},
        {"conf": 0.25, "end": 1.0, "start": 0.5, "word": "morning,"},
        {"conf": 1, "end": 2.0, "start": 1.0, "word": "all"},
    ],
    "text": "Good morning, all",
}


@pytest.mark.parametrize("recording", [OF_WHISPER, OF_VOSK], ids=["whisper", "vosk"])
def test_json_of_recognisers_has_confidences(recording: dict[str, Any], tmp_path: Path) -> None:
    hyp = written(tmp_path / "f.json", json.dumps(recording))
    stm = written(tmp_path / "ref.stm", "f 1 ann 0 2 Good evening, all\n")
    text = written(tmp_path / "text", "f Good evening, all\n")
    ctm = tmp_path / "f.ctm"
    assert fstmetrics("convert", hyp, ctm, "--to", "ctm").status == 0
    assert [line.split()[4:] for line in ctm.read_text().splitlines()] == [
        ["Good", "0.9"], ["morning,", "0.25"], ["all", "1"]
    ]  # fmt: skip
    of_ctm = fstmetrics("confidence", stm, ctm, "--json").summary
    assert (of_ctm["correct"], of_ctm["words"], round(of_ctm["ece"], 6)) == (2, 3, 0.116667)
    assert fstmetrics("confidence", stm, hyp, "--json").summary["nce"] == of_ctm["nce"]
    refused = fstmetrics("confidence", text, hyp)
    assert refused.status == 2
    assert "which fstmetrics convert makes of JSON of Whisper or Vosk" in refused.err
    without = json.loads(json.dumps(recording).replace("probability", "p").replace("conf", "c"))
    hyp = written(tmp_path / "f.json", json.dumps(without))
    assert "have no confidences" in fstmetrics("confidence", stm, hyp).err


def in_pieces(text: str, *pieces: tuple[str, float | None]) -> str:
    """JSON as Whisper writes it, of pieces of a second each, with their confidences."""
    words = [
        {"word": piece, "start": n, "end": n + 1, **({} if sure is None else {"probability": sure})}
        for n, (piece, sure) in enumerate(pieces)
    ]
    return json.dumps({"text": text, "segments": [{"start": 0, "end": 9, "text": text, "words": words}]})


HYPHEN = (" A", 0.9), (" well", 0.9), ("-known", 0.4), (" thing", 0.8)
CHINESE = ("我", 0.1), ("的", 0.2), (" iPhone", 0.9), (" ok", 0.95)
IN_TWO = ("今天", 0.9), ("天", 0.8), ("气很", 0.7), ("好", 0.6)


@pytest.mark.parametrize(
    ("pieces", "said", "options", "confidences"),
    [
        (HYPHEN, "A well-known thing", [], [0.4, 0.8, 0.9]),
        (HYPHEN, "A well-known thing", ["--unit", "char-no-space"], [0.4] * 10 + [0.8] * 5 + [0.9]),
        ((*HYPHEN, (",", 0.3)), "A well-known thing,", [], [0.3, 0.4, 0.9]),
        (((" 5", 0.7), (",000", 0.8)), "5,000", [], [0.7]),
        (CHINESE, "我的 iPhone ok", [], [0.1, 0.9, 0.95]),
        (CHINESE, "我的 iPhone ok", ["--unit", "mixed"], [0.1, 0.2, 0.9, 0.95]),
        (CHINESE, "我的 iPhone ok", ["--tokenize", "zh"], [0.1, 0.2, 0.9, 0.95]),
        (CHINESE, "我的 iPhone ok", ["--unit", "char-no-space"], [0.1, 0.2] + [0.9] * 6 + [0.95] * 2),
        (CHINESE, "我的 iPhone ok", ["--ignore", "我的"], [0.9, 0.95]),
        (IN_TWO, "今天天气很好", [], [0.6]),
        (IN_TWO, "今天天气很好", ["--unit", "char-no-space"], [0.6, 0.7, 0.7, 0.8, 0.9, 0.9]),
        ((("ドア", 0.3), ("を", 0.6)), "ドアを", ["--unit", "mixed"], [0.3]),
        ((("ドア", 0.3), ("を", 0.6)), "ドアを", ["--unit", "char-no-space"], [0.3, 0.3, 0.6]),
        ((("วัน", 0.3), ("นี้", 0.6)), "วันนี้", ["--unit", "char-no-space"], [0.3] * 3 + [0.6] * 3),
        ((("{a", 0.3), ("的", 0.6), (" b", 0.9)), "\\{a的 b", ["--unit", "char-no-space"], [0.3, 0.3, 0.6, 0.9]),
        (((" New York", 0.3), (" b", 0.9)), "New York b", [], [0.3, 0.3, 0.9]),
    ],
)  # fmt: skip
def test_confidences_belong_to_the_pieces_of_words(
    pieces: list[tuple[str, float]], said: str, options: list[str], confidences: list[float], tmp_path: Path
) -> None:
    """A word of several pieces has the least of their confidences, and no word has those of others."""
    hyp = written(tmp_path / "f.json", in_pieces("".join(piece for piece, _ in pieces), *pieces))
    stm = written(tmp_path / "ref.stm", f"f 1 ann 0 9 {said}\n")
    found = fstmetrics("confidence", stm, hyp, *options, "--json").summary
    assert found["correct"] == found["words"]
    expected = {}
    for value in confidences:
        expected[round(value, 6)] = expected.get(round(value, 6), 0) + 1
    assert {
        round(each["confidence"], 6): each["words"] for each in found["bins"] if each["words"]
    } == expected


def test_ctm_of_pieces_has_their_confidences(tmp_path: Path) -> None:
    """By way of ctm the number of characters is the same."""
    hyp, ctm = tmp_path / "f.json", tmp_path / "f.ctm"
    stm = written(tmp_path / "ref.stm", "f 1 ann 0 9 A well-known 今天天气很好 thing\n")
    pieces = [*HYPHEN[:3], (" 今天", 0.9), *IN_TWO[1:], HYPHEN[3]]
    written(hyp, in_pieces("".join(piece for piece, _ in pieces), *pieces))
    assert fstmetrics("convert", hyp, ctm, "--to", "ctm").status == 0
    assert [line.split()[4:] for line in ctm.read_text().splitlines()] == [
        ["A", "0.9"], ["well-known", "0.4"], ["今天", "0.9"], ["天", "0.8"], ["气很", "0.7"], ["好", "0.6"],
        ["thing", "0.8"],
    ]  # fmt: skip
    for unit in ("char-no-space", "mixed"):
        ran = [fstmetrics("confidence", stm, each, "--unit", unit, "--json").summary for each in (hyp, ctm)]
        assert ran[0]["correct"] == ran[0]["words"] == {"char-no-space": 22, "mixed": 9}[unit]
        assert ran[0]["bins"] == ran[1]["bins"]


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        ([(" a", 0.9), (" well", 0.9), ("-known", None)], "word 2 has no confidence; expected a number"),
        ([("我", 0.9), ("的", None)], "word 1 has no confidence; expected a number"),
        ([(" a", 0.9), (" well", 95), ("-known", 0.4)], "word 2 has '95' as confidence; expected a number"),
        ([("我", 95), ("的", 0.4)], "word 1 has '95' as confidence; expected a number"),
    ],
)
def test_pieces_without_confidences_are_refused(
    pieces: list[tuple[str, float]], message: str, tmp_path: Path
) -> None:
    hyp = written(tmp_path / "f.json", in_pieces("".join(piece for piece, _ in pieces), *pieces))
    stm = written(tmp_path / "ref.stm", "f 1 ann 0 9 a b\n")
    ran = fstmetrics("confidence", stm, hyp)
    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err


def test_as_many_confidences_as_words() -> None:
    transcript = replace(fm.Transcript.parse("a b", "sclite"), confidences=((("a", "0.5"),),))
    with pytest.raises(
        fm.FstmetricsError, match="2 words and confidences of 1, so that it is not known which"
    ):
        fm.confidence([transcript], ["a b"])


@pytest.mark.parametrize(
    ("ctm", "message"),
    [
        (
            "f 1 0.0 0.1 a\nf 1 0.3 0.1 b\n",
            "the words have no confidences: the sixth field of a line of ctm, `probability` or `conf` in JSON",
        ),
        ("f 1 0.0 0.1 a 0.5\nf 1 0.3 0.1 b\n", "word 2 has no confidence; expected a number from 0 to 1"),
        (
            "f 1 0.0 0.1 a 0.5\nf 1 0.3 0.1 b 1.5\n",
            "word 2 has '1.5' as confidence; expected a number from 0 to 1",
        ),
        ("f 1 0.0 0.1 a x\n", "expected a confidence, a number, after the word 'a', found 'x'"),
        (
            "f 1 * * <ALT_BEGIN>\nf 1 0.0 0.1 a .5\nf 1 * * <ALT>\nf 1 0.0 0.1 b .5\nf 1 * * <ALT_END>\n",
            "the hypothesis leaves a choice",
        ),
    ],
)
def test_words_without_confidences_are_one_line(ctm: str, message: str, tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "ref.stm", "f 1 s 0.0 1.0 a b\n"), written(tmp_path / "hyp.ctm", ctm)
    ran = fstmetrics("confidence", ref, hyp)
    assert (ran.status, ran.out) == (2, "")
    (line,) = ran.err.splitlines()
    assert message in line


def test_text_has_no_confidences(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "ref", "u1 a b\nu2 a\n"), written(tmp_path / "hyp", "u1 a c\nu2 a\n")
    ran = fstmetrics("confidence", ref, hyp)
    assert ran.status == 2
    assert "item u1: expected words with confidences (ctm, which fstmetrics convert makes of" in ran.err


def test_posteriors_of_kaldis_lattices_are_best_at_its_own_scale(shared: Path) -> None:
    """At 1 / LMWT confidences say something; unscaled they are far too sure."""
    folder = shared / "asr-kaldi-weather"
    options = (
        "confidence", folder / "ref.txt", folder / "tri1" / "lat.txt.gz", "--symbols", folder / "words.txt",
        "--lm-scale", "17", "--json",
    )  # fmt: skip
    sure, scaled = (fstmetrics(*options, "--scale", scale).summary for scale in ("1", "0.0588"))
    assert sure["words"] == scaled["words"] == 5016
    assert (
        sure["correct"] == scaled["correct"] == 5016 - 144 - 27
    )  # the substitutions and insertions of wer_17
    assert sure["nce"] < -1 < 0.17 < scaled["nce"] < 0.19
    assert scaled["ece"] < sure["ece"]
    advised = [any("--scale 0.1, or 1/LMWT" in each for each in found["remarks"]) for found in (sure, scaled)]
    assert advised == [True, False]


def test_words_that_differ_in_case_alone(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref.stm", "".join(f"a 1 x {n} {n + 1} GOOD DAY\n" for n in range(6)))
    words = (
        f"a 1 {n}.{place} 0.1 {word} 0.9\n" for n in range(6) for place, word in ((1, "good"), (5, "day"))
    )
    hyp = written(tmp_path / "hyp.ctm", "".join(words))
    said = "most substitutions are of case: 12, and 0 with --lowercase"
    assert said in fstmetrics("confidence", ref, hyp).out.splitlines()
    assert said in fstmetrics("confidence", ref, hyp, "--json").summary["remarks"]
    assert "of case" not in fstmetrics("confidence", ref, hyp, "--lowercase").out
