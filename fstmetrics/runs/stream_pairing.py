"""Pairing where one side is read item by item: `StreamedPairs`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from fstmetrics.errors import FstmetricsError, InputError
from fstmetrics.pairing import (
    ADVICE,
    Missing,
    Pair,
    Table,
    first_number,
    has_ids,
    lacking_message,
    pair_of,
    refuse_shifted,
    rest_of,
    without_rest,
)
from fstmetrics.readers import Item, Items, Stream


class StreamedPairs:
    """Pairs of a stream with what is in memory, in the order of the stream; what it lacks comes at the end.

    In memory are the other sides, and a set of the ids that have come.

    Args:
        stream: the side that is read item by item.
        others: the other sides, in order: the hypotheses if the references are streamed, then references.
        hypotheses: whether the stream holds the hypotheses.
        missing: as of `pairing.pair`.
        hint: what to add to an error.
        nothing: whether the hypotheses are an empty text, and the first of the other sides: each item has an empty
            sentence then.

    Attributes:
        skipped: how many items had no partner and were left out, so far.
    """

    def __init__(
        self,
        stream: Stream,
        others: Sequence[Items],
        hypotheses: bool,
        missing: Missing,
        hint: str = "",
        nothing: bool = False,
    ) -> None:
        self.stream = stream
        self.others = [without_rest(side) for side in others]
        self._nothing = nothing and missing != "skip"
        if nothing:
            self.others[0] = replace(self.others[0], items=())
        self.skipped = 0
        self._place = 0 if hypotheses else 1
        self._missing = missing
        self._rest = rest_of(others, missing)
        self._hint = hint
        self._paths = [stream.path, *(side.path for side in others)]

    @property
    def expected(self) -> int:
        """About how many pairs there will be."""
        return max(len(side.items) for side in self.others)

    def __iter__(self) -> Iterator[Pair]:
        """The pairs, whose values may be deferred.

        Raises:
            FstmetricsError: an id without a partner, an id that comes twice, or different numbers of items.
        """
        self.skipped = 0
        found = self._by_id() if all(map(has_ids, self.others)) else self._by_order()
        pairs = chain(found, self._rest)
        empty = True
        for pair in pairs:
            empty = False
            yield pair
        if empty:
            raise FstmetricsError(f"{self.stream.path}: there is nothing to score")

    def _by_id(self) -> Iterator[Pair]:
        tables: list[Table] = [{item.id: item for item in side.items} for side in self.others]
        spelling = _without_case(tables)
        seen: set[str | None] = set()
        came: set[str | None] = set()
        for item in self.stream.once():
            id = item.id
            came.add(id)
            if id is not None and not any(id in table for table in tables):
                id = spelling.get(id.casefold(), id)
            if id in seen:
                raise InputError(f"id {id!r} comes twice", self.stream.path)
            present = [id in table for table in tables]
            if any(present):
                seen.add(id)
            # What cannot be read, so that its id is not known, is a pair, too: whoever loads it is told.
            if id is None or all(present) or self._is_kept(id, [True, *present]):
                yield self._pair(id, item, tables)
        refuse_shifted(zip(self._paths, (came, *(table.keys() for table in tables)), strict=True))
        rest = [id for id in dict.fromkeys(id for table in tables for id in table) if id not in seen]
        if rest and self._missing == "error":
            raise FstmetricsError(self._lacking(rest, tables))
        for id in rest:
            if self._is_kept(id, [False, *(id in table for table in tables)]):
                yield self._pair(id, None, tables)

    def _pair(self, id: str | None, item: Item | None, tables: Sequence[Table]) -> Pair:
        found = [table.get(id) for table in tables]
        return pair_of(id, [*found[: self._place], item, *found[self._place :]])

    def _is_kept(self, id: str | None, present: Sequence[bool]) -> bool:
        """Whether an id that some side lacks is scored; if not, it is counted."""
        lacking = [i for i, there in enumerate(present) if not there]
        if self._nothing and lacking == [1]:  # all lack the hypothesis
            return True
        if self._missing == "error":
            raise FstmetricsError(self._message({i: [str(id)] for i in lacking}) + self._count_hint(id))
        self.skipped += self._missing == "skip"
        return self._missing == "empty"

    def _count_hint(self, id: str | None) -> str:
        """What may be the matter where an id is one before or behind those that count another side's items."""
        for side in self.others:
            first = first_number({item.id for item in side.items})
            if first is not None and id == (str(len(side.items)), "0")[first]:
                return f"; {side.path} counts its items from {first}: number both alike if they count differently"
        return ""

    def _lacking(self, rest: Iterable[str | None], tables: Sequence[Table]) -> str:
        ids = list(map(str, rest))
        lacking = {0: ids}
        for i, table in enumerate(tables, 1):
            if absent := [id for id in ids if id not in table]:
                lacking[i] = absent
        return self._message(lacking)

    def _message(self, lacking: dict[int, list[str]]) -> str:
        hypotheses = 0 if self._place == 0 else 1
        sides = (
            ("hypothesis" if i == hypotheses else "reference", self._paths[i], ids)
            for i, ids in lacking.items()
        )
        return lacking_message(sides) + ADVICE + self._hint

    def _by_order(self) -> Iterator[Pair]:
        counts = {len(side.items) for side in self.others}
        rows = zip(*(side.items for side in self.others), strict=False)
        came = 0
        for item in self.stream.once():
            if item.is_rest:
                yield Pair(None, item.value, ("",))
                self.skipped += max(counts) - came
                return
            came += 1
            if (row := next(rows, None)) is not None:
                id = next((other.id for other in (item, *row) if other.id is not None), None)
                yield pair_of(id, [*row[: self._place], item, *row[self._place :]])
        if counts != {came}:
            sides = [(came, self.stream.path), *((len(side.items), side.path) for side in self.others)]
            found = ", ".join(f"{n} in {path}" for n, path in sides)
            raise FstmetricsError(
                f"numbers of items differ: {found}; not all have ids to pair them by{self._hint}"
            )


def _without_case(tables: Sequence[Table]) -> dict[str, str | None]:
    """Ids by their case-folded forms, as sclite pairs; without those that are written in two ways."""
    spelled: dict[str, str | None] = {}
    twice: set[str] = set()
    for table in tables:
        for id in table:
            form = str(id).casefold()
            if spelled.setdefault(form, id) != id:
                twice.add(form)
    return {form: id for form, id in spelled.items() if form not in twice}
