"""Batches that threads work on come in order, with what is raised in its place, and nothing goes on behind the end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from threading import Event, get_ident
from threading import enumerate as threads

import pytest

from fstmetrics._native import TextColumn
from fstmetrics.scoring.pair_blocks import Pair, PairBlock
from fstmetrics.scoring.work import in_order
from fstmetrics.support.errors import FstmetricsError

PATIENCE = 20


def batch(number: int, in_columns: bool = True) -> PairBlock:
    if not in_columns:
        return PairBlock.of([Pair(str(number), "a", ("b",))])
    return PairBlock([str(number)], TextColumn(["a"]), (TextColumn(["b"]),))


def under_way() -> int:
    return sum(thread.name == "batches" for thread in threads())


@pytest.mark.parametrize("seed", range(20))
def test_what_comes_of_batches_is_in_order(seed: int) -> None:
    choose = random.Random(seed)
    kinds = [choose.random() < 0.8 for _ in range(choose.randint(0, 30))]
    given = [batch(number, kind) for number, kind in enumerate(kinds)]
    made = in_order(given, lambda some: [(some[0].id, n) for n in range(2)], choose.randint(1, 4))
    assert list(made) == [(str(number), n) for number in range(len(kinds)) for n in range(2)]
    assert not under_way()


def test_batches_of_python_items_are_worked_on_by_the_caller() -> None:
    given = [batch(0, False), batch(1), batch(2, False)]
    first, second, third = in_order(given, lambda _: [get_ident()], 2)
    assert first == third == get_ident() != second


@pytest.mark.parametrize("place", range(6))
def test_what_work_raises_comes_behind_what_was_made_before(place: int) -> None:
    def work(some: PairBlock) -> Iterator[str | None]:
        yield some[0].id
        if some[0].id == str(place):
            raise FstmetricsError("wrong")

    made = in_order(map(batch, range(6)), work, 2)
    assert list(islice(made, place + 1)) == [str(number) for number in range(place + 1)]
    with pytest.raises(FstmetricsError, match="wrong"):
        next(made)
    assert not under_way()


def test_what_batches_raise_comes_behind_all_before() -> None:
    def given() -> Iterator[PairBlock]:
        yield from map(batch, range(5))
        raise FstmetricsError("damaged")

    made = in_order(given(), lambda some: [some[0].id], 2)
    assert list(islice(made, 5)) == list("01234")
    with pytest.raises(FstmetricsError, match="damaged"):
        next(made)


def test_two_batches_are_worked_on_at_the_same_time() -> None:
    other = {"0": Event(), "1": Event()}

    def work(some: PairBlock) -> Iterator[bool]:
        other[str(some[0].id)].set()
        yield all(event.wait(PATIENCE) for event in other.values())

    assert all(in_order(map(batch, range(2)), work, 2))


def test_threads_end_with_a_caller_who_does_not_come_to_the_end() -> None:
    made = in_order(map(batch, range(1000)), lambda some: [some[0].id], 2)
    assert next(made) == "0"
    made.close()  # type: ignore[attr-defined]
    assert not under_way()
