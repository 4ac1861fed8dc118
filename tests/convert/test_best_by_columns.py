"""Best words of lattices in columns are the same bytes, with the same remarks, as of lattices one by one."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from command import written

from fstmetrics.convert import Conversion
from fstmetrics.convert.best_words import Choice, write_best
from fstmetrics.scoring.request import LatticeOptions
from fstmetrics.support.errors import FstmetricsError


def lattice(id: str, chance: random.Random) -> str:
    """Of few costs, so that paths are equally good."""
    length = chance.randrange(0, 7)
    words = ["the", "a", "naïve", "<eps>", "</s>", "cat"]
    arcs = [
        f"{n} {m} {word} {chance.randrange(3)},{chance.choice([1, 0.25])},\n"
        for n in range(length)
        for m in range(n + 1, length + 1)
        for word in chance.sample(words, chance.randrange(1 if m == n + 1 else 0, 3))
    ]
    return f"{id} \n{''.join(arcs)}{length} {chance.randrange(2)},0,\n\n"


def archive(count: int = 60, **others: str) -> str:
    """Lattices `u0`, `u1`, ...; `others` has what stands instead of some."""
    chance = random.Random(3)
    made = [lattice(f"u{n}", chance) for n in range(count)]
    return "".join(others.get(f"u{n}", text) for n, text in enumerate(made))


CONTENTS = {
    "good": archive(),
    "damaged": archive(u5="u5 \n0 1 a 1,2,\nx 1 b 1,2,\n1 0,0,\n\n"),
    "cyclic": archive(u8="u8 \n0 1 a 1,2,\n1 0 b 1,2,\n1 0,0,\n\n"),
    "no path": archive(u8="u8 \n0 1 a 1,2,\n2 0,0,\n\n"),
    "an id twice": archive(u50="u3 \n0 1 a 1,2,\n1 0,0,\n\n"),
    "a word that is no UTF-8": archive(u9="u9 \n0 1 a\udcff 1,2,\n1 0,0,\n\n"),
    "a zero byte": archive(u7="u7 \n0 1 a\0 1,2,\n1 0,0,\n\n"),
    "an unusual space in a word": archive(u7="u7 \n0 1 a\u2003b 1,2,\n1 0,0,\n\n"),
    "a byte order mark": archive(u0="\ufeff\ufeffu0 \n0 1 a 1,2,\n1 0,0,\n\n"),
    "cut off": archive()[:-10],
    "bars in a word": archive(u7="u7 \n0 1 a|||b 1,2,\n1 0,0,\n\n"),
    "no sentence markers": archive().replace("</s>", "</s>x"),
    "costs too large for exact sums": archive(u7="u7 \n0 1 a 1e30,2,\n0 1 b 1e20,2,\n1 0,0,\n\n"),
}


def done(source: Path, target: Path, keep_going: bool, **options: Any) -> tuple[Any, ...]:
    """What was said, and the bytes."""
    target.unlink(missing_ok=True)
    told: list[str] = []
    faulty = (lambda error: told.append(str(error))) if keep_going else None
    try:
        found: Conversion | str = write_best(str(source), str(target), faulty=faulty, **options)
    except FstmetricsError as error:
        found = str(error)
    if isinstance(found, Conversion):
        found.remarks = list(found.remarks)
    return found, told, target.read_bytes() if target.exists() else None


OPTIONS: list[dict[str, Any]] = [
    {},
    {"scales": LatticeOptions(lm_scale=0.3, acoustic_scale=2.0, word_penalty=-0.7)},
    {"nbest": 3},
    {"nbest": 200, "to": "nbest", "scales": LatticeOptions(word_penalty=0.5)},
    {"nbest": 4, "to": "nbest-kaldi"},
    {"nbest": 1, "to": "nbest"},
]


@pytest.mark.parametrize("keep_going", [False, True])
@pytest.mark.parametrize("name", CONTENTS)
def test_columns_say_what_items_say(
    name: str, keep_going: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "lat.txt"
    source.write_bytes(CONTENTS[name].encode("utf-8", "surrogateescape"))
    for options in OPTIONS:
        columns = done(source, tmp_path / "out", keep_going, **options)
        with monkeypatch.context() as patch:
            patch.setattr(Choice, "of_block", lambda *_: None)
            assert columns == done(source, tmp_path / "out", keep_going, **options)


def test_no_object_is_made_of_a_good_lattice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = written(tmp_path / "lat.txt", CONTENTS["no sentence markers"])
    monkeypatch.delattr(Choice, "of")
    for options in OPTIONS[:5]:
        found, _, lines = done(source, tmp_path / "out", False, **options)
        assert found.items >= 60
        assert lines.count(b"\n") >= 60


SCALES = [None, (1.0, 1.0, 0.0), (12.3, 0.7, -0.35)]


@pytest.mark.parametrize("by_columns", [True, False])
@pytest.mark.parametrize("scales", SCALES)
@pytest.mark.parametrize("seed", range(3))
def test_scores_are_the_exact_sums_whatever_the_number_of_paths(
    seed: int,
    scales: tuple[float, float, float] | None,
    by_columns: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of costs that are no multiples of any unit: the one of a list of one is that of a list of all."""
    chance = random.Random(seed)
    texts, expected = [], {}
    lm, acoustic, penalty = scales or (1.0, 1.0, 0.0)
    for number in range(30):
        slots = [
            [
                (word, round(chance.gauss(0, 9), 4), chance.choice([chance.gauss(0, 900), 0.1]))
                for word in words
            ]
            for words in (chance.sample(["the", "a", "cat", "<eps>"], 2) for _ in range(chance.randint(1, 6)))
        ]
        end = round(chance.random(), 2)
        lines = [f"{n} {n + 1} {word} {g},{a},\n" for n, slot in enumerate(slots) for word, g, a in slot]
        texts.append(f"u{number} \n{''.join(lines)}{len(slots)} {end},0,\n\n")
        best: dict[str, Fraction] = {}
        for path in product(*slots):
            costs = [lm * g + acoustic * a + (penalty if word != "<eps>" else 0.0) for word, g, a in path]
            words = " ".join(word for word, *_ in path if word != "<eps>")
            total = sum(map(Fraction, [*costs, lm * end]), Fraction(0))
            best[words] = min(total, best.get(words, total))
        expected[f"u{number}"] = {words: float(-total) for words, total in best.items()}
    source = written(tmp_path / "lat.txt", "".join(texts))
    if not by_columns:
        monkeypatch.setattr(Choice, "of_block", lambda *_: None)
    given = LatticeOptions(lm_scale=lm, acoustic_scale=acoustic, word_penalty=penalty) if scales else None
    found = {}
    for nbest in (1, 100):
        write_best(str(source), str(tmp_path / "out"), nbest=nbest, to="nbest", scales=given)
        rows = [line.split("|||") for line in (tmp_path / "out").read_text().splitlines()]
        found[nbest] = [(id.strip(), words.strip(), float(score)) for id, words, _, score in rows]
    assert {id: {w: s for i, w, s in found[100] if i == id} for id in expected} == expected
    firsts = {id: (id, words, score) for id, words, score in reversed(found[100])}
    assert found[1] == [firsts[id] for id in expected]
