"""Reordering in a window: beyond six words, k best, n-best lists, and what it may cost; checked by enumeration."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest
from command import fstmetrics, written

import fstmetrics as fm
from fstmetrics.metrics.path_metric import Reordering
from fstmetrics.support.errors import SearchError

Words = tuple[str, ...]
Key = tuple[int, ...]


@cache
def reordered(words: Words, window: int, reordering: Reordering) -> dict[Words, int]:
    """The permutations in the window, and the fewest moves of each (design §1, Scores)."""
    fewest: dict[Words, int] = {}

    def take(taken: tuple[int, ...], moves: int) -> None:
        left = next((i for i in range(len(words)) if i not in taken), None)
        if left is None:
            string = tuple(words[i] for i in taken)
            fewest[string] = min(moves, fewest.get(string, moves))
            return
        for i in range(left, min(left + window, len(words))):
            if i not in taken:
                follows = reordering == "moves" and bool(taken) and i == taken[-1] + 1
                take((*taken, i), moves + (i != left and not follows))

    take((), 0)
    return fewest


@cache
def edits(hypothesis: Words, reference: Words) -> Key:
    """S + I + D, minus the matches, and deletions of the best alignment."""
    row: list[Key] = [(j, 0, j) for j in range(len(reference) + 1)]
    for i, word in enumerate(hypothesis, 1):
        above, row = row, [(i, 0, 0)]
        for j, other in enumerate(reference, 1):
            (e, m, d), (ei, mi, di), (ed, md, dd) = above[j - 1], above[j], row[j - 1]
            pair = (e, m - 1, d) if word == other else (e + 1, m, d)
            row.append(min(pair, (ei + 1, mi, di), (ed + 1, md, dd + 1)))
    return row[-1]


def ranked(
    hypotheses: Iterable[Words], references: Iterable[Words], window: int, reordering: Reordering
) -> list[Key]:
    """Of every pair, best first, what ties are decided by (design §1, Ties)."""
    pairs = [(h, r) for h in hypotheses for r in references]
    return sorted(
        min(
            (moves + e, -len(r), e, moves, m, d)
            for string, moves in reordered(h, window, reordering).items()
            for e, m, d in [edits(string, r)]
        )
        for h, r in pairs
    )


def keys(result: fm.Result) -> list[Key]:
    return [
        (path.totals.units, -path.path_length, path.edits, path.moves, -path.matches, path.deletions)
        for path in result.nbest or (result,)
    ]


@pytest.mark.parametrize("seed", range(12))
def test_windows_against_enumeration(seed: int) -> None:
    """Windows to beyond the sentence, k best pairs, and lists whose entries are reordered each by itself."""
    draw = random.Random(seed)
    window, reordering = draw.choice([2, 3, 6, 7, 8, 64]), draw.choice(["moves", "jumps"])
    words = "abcd"[: draw.choice([2, 3, 4])]
    entries = list(dict.fromkeys(tuple(draw.choices(words, k=7)) for _ in range(1 + seed % 3)))
    references = [tuple(draw.choices(words + "x", k=draw.randint(4, 9))) for _ in range(4)]
    references = list(dict.fromkeys(references))
    nbest = fm.NBest("u", tuple(entries), tuple(map(" ".join, entries)))
    expected = ranked(entries, references, window, reordering)  # type: ignore[arg-type]
    given: list[object] = [nbest, fm.Alternatives(entries)]
    given += [" ".join(entries[0])] if len(entries) == 1 else []
    for hypothesis in given:
        for k in (1, 2, 20):
            for route in ("auto", "topological", "best-first"):
                found = fm.align(
                    hypothesis,  # type: ignore[arg-type]
                    fm.Alternatives(references),
                    fm.HyTER(window, reordering),  # type: ignore[arg-type]
                    nbest=k,
                    options=fm.SearchOptions(route=route),
                )
                assert keys(found) == expected[:k]


def test_an_entry_that_is_another_one_reordered_is_a_hypothesis_of_its_own() -> None:
    nbest = fm.NBest("u", (("b", "a"), ("a", "b"), ("a", "b")), ("b a", "a b", "a b"))
    found = fm.align(nbest, "a b", fm.HyTER(2), nbest=5)
    assert [(path.score, [pair.position for pair in path.alignment]) for path in found.nbest] == [
        (0.0, [0, 1]),
        (0.5, [1, 0]),
    ]


def test_the_oracle_of_a_list_in_a_window() -> None:
    nbest = fm.NBest("u", (("c", "b", "a"), ("b", "a", "c")), ("c b a", "b a c"))
    found = fm.oracle(nbest, "a b c", fm.HyTER(3))
    assert (found.moves, found.edits, found.one_best.moves, [n for n, _ in found.after]) == (1, 0, 2, [1, 2])  # type: ignore[union-attr]


def test_lists_in_a_window_on_the_command_line(tmp_path: Path) -> None:
    reference = written(tmp_path / "ref", "u1 a b c\nu2 d e\n")
    lines = "u1 ||| b a c ||| 0 ||| 1\nu1 ||| a c x ||| 0 ||| 2\nu2 ||| e d ||| 0 ||| 1\n"
    hypotheses = written(tmp_path / "hyp.nbest", lines)
    out = tmp_path / "out"
    found = fstmetrics("hyter", reference, hypotheses, "--window", "2", "--nbest", "2", "--output", out)
    assert found.status == 0, found.err
    records = [json.loads(line) for line in out.read_text().splitlines()]
    moves = [
        [record["moves"], *(path["moves"] for path in record["nbest"])]
        for record in records
        if "id" in record
    ]
    assert moves == [[1, 1, 1], [1, 1]]  # the best stands among them


@pytest.mark.parametrize("lattice", [fm.Lattice.from_strings([["a", "b"], ["b"]])])
def test_a_lattice_is_not_reordered(lattice: fm.Lattice) -> None:
    with pytest.raises(SearchError, match="take its n-best list, or use window 1"):
        fm.align(lattice, "a b", fm.HyTER(2))


def far_apart(words: int) -> tuple[str, str]:
    draw = random.Random(words)
    return tuple(" ".join(f"w{draw.randrange(50)}" for _ in range(words)) for _ in "hr")  # type: ignore[return-value]


def test_a_window_that_can_be_written_out_is_never_left_to_best_first_for_long() -> None:
    hypothesis, reference = far_apart(40)
    found = fm.align(hypothesis, reference, fm.HyTER(9))
    assert found.stats is not None
    assert found.stats.route == "topological"
    by_best_first = fm.align(hypothesis, reference, fm.HyTER(9), options=fm.SearchOptions(route="best-first"))
    assert by_best_first.totals == found.totals


@pytest.mark.parametrize("window", [20, 64])
def test_a_window_too_large_is_refused_with_the_reason(window: int) -> None:
    options = fm.SearchOptions(max_nodes=100_000)
    with pytest.raises(SearchError, match="best-first route met more than 100000") as refused:
        fm.align(*far_apart(60), fm.HyTER(window), options=options)
    with pytest.raises(
        SearchError, match=f"60 words in a window of {window} takes .* limit of 20000000, .*smaller window"
    ):
        fm.align(*far_apart(60), fm.HyTER(window))
    near = "a b c d e f g h i j k l m n o p q r s t u v w x y z"
    assert fm.hyter(f"b a {near[4:]}", near, window) == 1 / 26
    assert "raise max_nodes" in str(refused.value)
