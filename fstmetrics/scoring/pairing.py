"""Which hypothesis belongs to which reference: by id where all sides have ids, by order otherwise.

`Pairs` pairs them, whether all sides are in memory or one is read item by item. What it says of items without a
partner is the same either way; what is in memory is checked as a whole before anything is scored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Literal

import numpy as np

from fstmetrics._native import TextColumn, TextIndex
from fstmetrics.data.segments import TimedWords
from fstmetrics.io import FORMATS, Item, Items, Stream
from fstmetrics.io.ids import count_in_order
from fstmetrics.io.items import Block, Deferred
from fstmetrics.scoring.pair_blocks import Pair, PairBlock, Row
from fstmetrics.scoring.why_unpaired import (
    count_hint,
    documents_hint,
    half_with_ids,
    other_counts,
    refuse_different_ids,
    refuse_shifted,
    renaming_hint,
    segments_hint,
    unpaired,
)
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.names import folded_id, spelled_alike

if TYPE_CHECKING:
    from fstmetrics.scoring.arrivals import Id, Placed, Table

# What becomes of an item without a partner: an error; it is left out; or it is scored against nothing.
Missing = Literal["error", "skip", "empty"]
# What an id may be where a side counts its items from 0, and another one from 1.
FIRST_NUMBER = "0"
# What an error advises: where there is one hypothesis an item, and where there are several systems.
ADVICE = " (--missing skip leaves such items out, --missing empty scores them against nothing)"
ADVICE_OF_SYSTEMS = " (--missing skip leaves such items out)"


BY_ORDER = "; where item N of one is item N of the other, also give --fields id=, which pairs by order"


class Pairs:
    """Pairs, made as they are asked for where a side is read item by item.

    Args:
        hypotheses: one side.
        references: the sets of references. One of all sides may be a stream.
        missing: what becomes of an id that lacks a partner.
        hint: makes what is added to an error: how else the files could be read.
        nothing: whether the hypotheses are an empty text: each of the first references has an empty sentence then.
        advice: what to add to an error about items without a partner.
        by_order: whether a caller says that order pairs, whatever ids there are.
        left_out: how many items of sides in memory were left out before.

    Attributes:
        known: the pairs, if all are in memory; those with deferred values may get more fields when they are loaded.
        expected: about how many there will be.
        skipped: how many items had no partner and were left out, so far.
        lacking: how many of their ids each file lacks, by its path.
        recased: how many ids of the other sides differ in case from those of the references that they are paired with,
            so far.

    In memory they come in the order of the first references. Beside a stream they come in its order, then what it
    lacks; in memory are the other sides, and a set of the ids that have come.

    Raises:
        FstmetricsError: ids without a partner (the first few are named), different numbers of items, or none; where a
            side is a stream, when the pairs are asked for.
    """

    def __init__(
        self,
        hypotheses: Items | Stream,
        references: Sequence[Items | Stream],
        missing: Missing = "error",
        hint: Callable[[], str] = str,
        nothing: bool = False,
        advice: str = ADVICE,
        by_order: bool = False,
        left_out: int = 0,
    ) -> None:
        self.skipped, self.recased = left_out, 0
        self._by_order_told = by_order
        self._recased_example = ("", "")
        self._missing, self._hint, self._advice = missing, hint, advice
        self._takes_none = nothing and missing != "skip"
        # Whether an id of the hypotheses is one of references; of a stream, as far as it has come.
        self._some_shared = False
        # Whether some side lacks an id that came in a stream.
        self._some_lacking = False
        self._came_first: frozenset[str] = frozenset()
        sides = [hypotheses, *references]
        self._paths = [side.path for side in sides]
        self.lacking = Counter(dict.fromkeys(self._paths, 0))
        self.known = None if nothing else self._columns(sides)
        if self.known is not None:
            self.expected = len(self.known)
            return
        streams = [place for place, side in enumerate(sides) if not isinstance(side, Items)]
        self._place = streams[0] if streams else 1
        self._stream = None if isinstance(stream := sides[self._place], Items) else stream
        self._sides = [side if isinstance(side, Items) else EMPTY for side in sides]
        self._rest = self._without_rest() if [side for side in self._sides if Deferred in side.types] else []
        if not self._are_by_id:
            self._refuse_half_with_ids()
        if self._stream is None:
            columns = None if nothing else self._columns(self._sides, True)
            self.known = columns or self._in_memory(nothing)
            self.expected = len(self.known)
            return
        if nothing:
            self._sides[0] = EMPTY
        self._refuse_empty({*range(nothing, len(sides))} - {self._place})
        self.expected = max(len(side.items) for side in self._sides)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is said of ids that differ in case."""
        if not self.recased:
            return ()
        other, reference = self._recased_example
        differ = "id differs" if self.recased == 1 else "ids differ"
        how, like = "spaces at the ends or the form of a number", ""
        if other.casefold() == reference.casefold():
            how, like = "case", ", as in sclite"
        elif not other.isascii():
            how = "the form of Unicode (NFC, NFD)"
        return (
            f"{self.recased} {differ} in {how} from those of the references ({other}, {reference}): paired all the "
            f"same{like}",
        )

    def __iter__(self) -> Iterator[Pair]:
        """From the first one on."""
        return chain.from_iterable(self.blocks())

    def blocks(self) -> Iterator[PairBlock]:
        """The same in blocks; what is read item by item comes in blocks of one."""
        return self._streamed() if self.known is None else iter([self.known])

    @property
    def _names(self) -> list[str]:
        """What to call each side."""
        return [_name(number, path) for number, path in enumerate(self._paths)]

    def _columns(self, sides: Sequence[Items | Stream], half: bool = False) -> PairBlock | None:
        """The pairs where all sides are columns of the same length, and their ids, if they have any, the same.

        None for all others, of which `_in_memory` says what is wrong; and, without `half`, where only some have ids.
        """
        natives = [side.native if isinstance(side, Items) else None for side in sides]
        blocks = [side for side in natives if side is not None and not side.faults]
        if len(blocks) < len(sides) or not all(map(len, blocks)):
            return None
        have_ids = [block.has_ids for block in blocks]
        if any(have_ids) and not (all(have_ids) or half or self._by_order_told):
            return None
        if self._by_order_told or not all(have_ids):
            if len({*map(len, blocks)}) > 1:
                return None
            ids = [block.ids for block in blocks if block.ids is not None]
            first = ids[0] if ids else None
            if not self._by_order_told and [own for own in ids if own is not first and own != first]:
                return None
            return PairBlock.of_sides(first, blocks)
        if self._missing != "error" and (pairs := self._with_others(blocks)) is not None:
            return pairs
        ordered = [blocks[1], *(in_the_order_of(blocks[1], block) for block in (blocks[0], *blocks[2:]))]
        known = [block for block in ordered if block is not None]
        if len(known) < len(ordered):
            return None
        reference, hypothesis, *others = known
        return PairBlock.of_sides(reference.ids, [hypothesis, reference, *others])

    def _with_others(self, blocks: Sequence[Block]) -> PairBlock | None:
        """The pairs of two sides in columns; ids that only one has are left out, or are scored.

        None for sides that are no such or have the same ids, and where items are looked at one by one: no id is on both
        sides, ids may be the same but for their case, or count the items from 0 on one side and from 1 on the other.
        """
        hypotheses, references = blocks if len(blocks) == 2 else (None, None)
        if hypotheses is None or references is None or _have_same_ids(hypotheses, references):
            return None
        ours, theirs = references.ids, hypotheses.ids
        if not (hypotheses.is_in_columns and references.is_in_columns):
            return None
        assert isinstance(ours, TextColumn)
        assert isinstance(theirs, TextColumn)
        places = TextIndex(theirs).found(ours)
        lacking = np.flatnonzero(places < 0), np.flatnonzero(TextIndex(ours).found(theirs) < 0)
        names = [ids.taken(some) for ids, some in zip((ours, theirs), lacking, strict=True)]
        alone = sum(map(len, names))
        if not alone or alone == len(ours) + len(theirs) or any(FIRST_NUMBER in some for some in names):
            return None
        folded = [set(map(folded_id, some)) for some in names]
        if not folded[0].isdisjoint(folded[1]):
            return None
        if self._missing == "skip":
            self.skipped += alone
            self.lacking.update(dict(zip(self._paths, map(len, names), strict=True)))
            both = np.flatnonzero(places >= 0)
            references, hypotheses = references.taken(both), hypotheses.taken(places[both])
            return PairBlock.of_sides(references.ids, [hypotheses, references])
        nothing = np.full(len(lacking[1]), -1)
        sides = [
            hypotheses.taken(np.concatenate([places, lacking[1]])),
            references.taken(np.concatenate([np.arange(len(ours)), nothing])),
        ]
        return PairBlock.of_sides(TextColumn.of_parts([ours, names[1]]), sides)

    def _without_rest(self) -> list[Pair]:
        """What stands for the rest of files in memory that are damaged: it is taken out of the sides.

        Whoever loads it is told.

        Raises:
            InputError: there is some, and an item may not be missing.
        """
        lost: list[Item] = []
        for place, side in enumerate(self._sides):
            rest = [item for item in side.items if item.is_rest] if Deferred in side.types else []
            if rest:
                self._sides[place] = replace(side, items=tuple(i for i in side.items if not i.is_rest))
                lost += rest
        if lost and self._missing == "error":
            lost[0].value.item()
        return list(map(Pair.of_rest, lost))

    def _in_memory(self, nothing: bool) -> PairBlock:
        if self._takes_none:
            spoken = tuple(Item(item.id, None, "") for item in self._sides[1].items)
            self._sides[0] = replace(self._sides[0], items=spoken)
        timed = are_timed(self._sides[0], self._sides[1:])
        if timed:
            self._sides[0] = self._cut()
        if timed or nothing:
            self._sides = _without_ignored(self._sides)
        self._refuse_empty(range(len(self._sides)))
        pairs = self._by_id() if self._are_by_id else self._by_order()
        return PairBlock.of([*pairs, *self._rest]) if self._rest else pairs

    @property
    def _are_by_id(self) -> bool:
        """Whether ids pair the items."""
        return not self._by_order_told and all(side.has_ids for side in self._sides)

    def _refuse_half_with_ids(self) -> None:
        """Refuse sides of which some have ids, unless these count the items in their order, or nothing can be taken for
        something else: of one item, and of empty sentences.

        What a stream has is looked at when it comes.

        Raises:
            FstmetricsError: such sides.
        """
        if self._by_order_told or self._takes_none:
            return
        held = [side for n, side in enumerate(self._sides) if n != self._place or self._stream is None]
        without = next((side for side in held if side.items and not side.has_ids), None)
        if without is None or not _may_be_mistaken(without):
            return
        self._refuse_gaps()
        for side in held:
            if side.items and side.has_ids and count_in_order([item.id for item in side.items]) is None:
                raise self._half(side.path, (item.id for item in side.items), without)

    def _half(self, path: str, ids: Iterable[Id], without: Items) -> FstmetricsError:
        is_table = bool(without.formats) and all(
            name in FORMATS and FORMATS[name].has_sides for name in without.formats
        )
        is_plain = without.formats == ("plain",)
        return half_with_ids(
            path or "one side", ids, without.path or "the other", self._hint(), is_table, is_plain, BY_ORDER
        )

    def _refuse_empty(self, places: Iterable[int]) -> None:
        for place in places:
            if not self._sides[place].items:
                raise FstmetricsError(f"{self._names[place]} holds no item: there is nothing to score")

    def _cut(self) -> Items:
        """Hypotheses a segment of the references. What lacks a channel, or a segment, lacks a partner."""
        from fstmetrics.data.segments import cut, lonely  # few texts have times

        hypotheses, references = self._sides[:2]
        segments = [item.segment for item in references.items if item.segment is not None]
        channels = [item.given for item in hypotheses.items]
        alone = lonely(channels, segments)
        some_shared = {channel.home for channel in channels} & {segment.home for segment in segments}
        files = {segment.file for segment in segments}
        if (
            alone
            and all(FORMATS[name].id_of for name in hypotheses.formats)
            and {c.file for c in channels} - files
        ):
            alone += renaming_hint(hypotheses.path, segments[0].file)
        if alone and not some_shared:
            alone += f"; name files and channels of {hypotheses.path} and {references.path} alike"
        if alone and self._missing == "error":
            raise FstmetricsError(f"{alone}{self._advice if some_shared else ''}")
        if not some_shared:
            raise FstmetricsError(f"there is nothing to score: {alone}")
        homes = {channel.home for channel in channels}
        rows = zip(references.items, segments, cut(channels, segments), strict=True)
        spoken = [Item(item.id, words) for item, segment, words in rows if segment.home in homes]
        homes = {segment.home for segment in segments}
        others = [Item(i.id, i.given.transcript()) for i in hypotheses.items if i.given.home not in homes]
        return replace(hypotheses, items=(*spoken, *others))

    def _streamed(self) -> Iterator[PairBlock]:
        assert self._stream is not None
        self.skipped = self.recased = 0
        self.lacking = Counter(dict.fromkeys(self._paths, 0))
        found = self._streamed_by_id if self._are_by_id else self._streamed_by_order
        empty = True
        for block in chain(found(self._stream), (PairBlock.of([pair]) for pair in self._rest)):
            empty = False
            yield block
        if empty:
            raise FstmetricsError(f"{self._stream.path}: there is nothing to score")

    def _streamed_by_id(self, stream: Stream) -> Iterator[PairBlock]:
        from fstmetrics.scoring.arrivals import Arrivals, gathered  # what is in memory does without

        self._some_shared, self._some_lacking = self._takes_none, False
        self._came_first = stream.first_ids
        arrivals = Arrivals(self._sides, self._place, table_of, self._recase)
        for block in stream.blocks():
            if (pairs := arrivals.matched(block)) is not None:
                self._some_shared = True
                yield pairs
            else:
                yield from gathered(self._kept(arrivals.rows(block, stream.path)), self._place)
        if arrivals.are_all:
            return
        rest = list(arrivals.rest())
        if rest or self._some_lacking:
            refuse_shifted(zip(self._names, arrivals.ids_of_sides(), strict=True))
        if rest and self._missing == "error":
            raise FstmetricsError(self._lacking([id for id, *_ in rest], arrivals.tables))
        yield from gathered(self._kept(rest), self._place)
        if not (self._some_shared or self._rest):
            raise self._nothing_shared()

    def _streamed_by_order(self, stream: Stream) -> Iterator[PairBlock]:
        from fstmetrics.scoring.arrivals import gathered

        return gathered(self._ordered(stream), self._place)

    def _by_id(self) -> PairBlock:
        """The pairs by ids, the first references' first."""
        tables: Sequence[Table] = [table_of(side, self._sides) for side in self._sides]
        if alone := _lonely(tables):
            tables, alone = self._recased(tables, alone)
        ids = list(dict.fromkeys([*tables[1], *chain(*tables)]))
        self._some_shared = not set(tables[0]).isdisjoint(chain(*tables[1:]))
        if alone and self._missing == "error":
            raise FstmetricsError(self._lacking(ids, tables))
        if not self._some_shared or (self._missing == "skip" and len(alone) == len(ids)):
            raise self._nothing_shared()
        if not alone:
            return PairBlock.of_sides(ids, [Block.of([table[id] for id in ids]) for table in tables])
        rows = ((id, [table.get(id) for table in tables]) for id in ids)
        return PairBlock.of(
            [
                Pair.of(id, row)
                for id, row in rows
                if id not in alone
                or self._is_kept(str(id), [n for n, item in enumerate(row) if item is None])
            ]
        )

    def _recased(self, tables: Sequence[Table], alone: set[Id]) -> tuple[Sequence[Table], set[Id]]:
        """The same where ids that only differ in case are those of the references, and the ids that some side lacks.

        Raises:
            FstmetricsError: ids count items from 0 on one side, and from 1 on another.
        """
        refuse_shifted(
            (name, {folded_id(str(id)) for id in t}) for name, t in zip(self._names, tables, strict=True)
        )
        if (changed := _without_case(tables)) is None:
            return tables, alone
        for old, new in zip(tables, changed, strict=True):
            for before, after in zip(old, new, strict=True):
                self._recase(before, after)
        return changed, _lonely(changed)

    def _kept(self, rows: Iterable[Placed]) -> Iterator[Placed]:
        """The rows that are scored."""
        for each in rows:
            id, row, _ = each
            lacking = [side for side, item in enumerate(row) if item is None]
            if id is not None and 0 not in lacking and len(lacking) < len(row) - 1:
                self._some_shared = True
            self._some_lacking = self._some_lacking or bool(lacking)
            # What cannot be read, so that its id is not known, is a pair, too: whoever loads it is told.
            if id is None or not lacking or self._is_kept(id, lacking):
                yield each

    def _recase(self, id: Id, other: Id) -> None:
        """Count an id that is paired as another one, which differs in case."""
        if id != other:
            self.recased += 1
            if self.recased == 1:
                self._recased_example = str(id), str(other)

    def _is_kept(self, id: str, lacking: Sequence[int]) -> bool:
        """Whether an id that some side lacks is scored; if not, it is counted."""
        if self._takes_none and lacking == [0]:
            return True
        if self._missing == "error":
            # Whether one of the first ids of the stream is one of another side, in any case of letters.
            known = set(map(folded_id, self._came_first))
            others = (folded_id(str(item.id)) for side in self._sides for item in side.items)
            self._some_shared = self._some_shared or any(map(known.__contains__, others))
            first = self._message({side: [id] for side in lacking}) + count_hint(id, self._sides)
            raise FstmetricsError(f"{first}; it is the first such id, and what comes after it was not read")
        if self._missing == "skip":
            self.skipped += 1
            self.lacking.update(self._paths[side] for side in lacking)
        return self._missing == "empty"

    def _lacking(self, ids: Iterable[Id], tables: Sequence[Table]) -> str:
        """What to say of ids that some side lacks."""
        named = list(map(str, ids))
        lacking = {side: [id for id in named if id not in table] for side, table in enumerate(tables)}
        return self._message({side: some for side, some in lacking.items() if some})

    def _message(self, lacking: Mapping[int, Sequence[str]]) -> str:
        advice = self._advice if self._some_shared else documents_hint(self._sides)
        return unpaired(lacking, self._paths, self._sides) + advice + self._hint()

    def _nothing_shared(self) -> FstmetricsError:
        return FstmetricsError(
            f"there is nothing to score: no id is on both sides{documents_hint(self._sides)}{self._hint()}"
        )

    def _by_order(self) -> PairBlock:
        self._check_order()
        rows = list(zip(*(side.items for side in self._sides), strict=False))
        for place, row in enumerate(rows):
            self._refuse_different_ids(place, [item.id for item in row])
        sides = [Block.of(column) for column in zip(*rows, strict=True)]
        return PairBlock.of_sides(list(map(_first_id, rows)), sides) if rows else PairBlock.of([])

    def _refuse_different_ids(self, place: int, ids: Sequence[Id]) -> None:
        if self._by_order_told or len(set(ids) - {None}) < 2:
            return
        without = next(name for name, side in zip(self._names, self._sides, strict=True) if not side.has_ids)
        refuse_different_ids(place, dict(zip(self._names, ids, strict=True)), without, self._hint())

    def _ordered(self, stream: Stream) -> Iterator[Placed]:
        """The items of the stream with as many of the other sides, which are in memory."""
        from fstmetrics.scoring.arrivals import placed

        held = [side for i, side in enumerate(self._sides) if i != self._place]
        rows = zip(*(side.items for side in held), strict=False)
        without = next((side for side in held if not side.has_ids and _may_be_mistaken(side)), None)
        without = None if self._by_order_told else without
        came, first = 0, None
        for id, at in placed(stream.blocks()):
            if at.is_rest:
                yield None, [at], at
                self.skipped += max(len(side.items) for side in held) - came
                return
            first = first or id
            if without and id not in (None, str(came + (first == "1"))):
                raise self._half(stream.path, [first, *[id][: id != first]], without)
            came += 1
            if (others := next(rows, None)) is not None:
                row = [*others[: self._place], at, *others[self._place :]]
                self._refuse_different_ids(came - 1, [id if each is at else each.id for each in row])
                before = _first_id(others[: self._place])
                yield before or id or _first_id(others[self._place :]), row, at
        counts = [len(side.items) for side in self._sides]
        counts[self._place] = came
        self._refuse_other_counts(counts)

    def _check_order(self) -> None:
        """Refuse sides of different lengths; beside damaged files, order tells what comes before the damage."""
        self._refuse_gaps()
        counts = [len(side.items) for side in self._sides]
        if self._rest:
            self.skipped = max(counts) - min(counts)
        elif len(set(counts)) > 1:
            _load(self._sides)
            self._refuse_other_counts(counts)

    def _refuse_gaps(self) -> None:
        """Refuse n-best lists whose numbers of sentences have gaps."""
        for side in self._sides:
            if side.formats == ("nbest",):
                from fstmetrics.io.formats.nbest_lists import refuse_gaps  # texts do without it

                try:
                    refuse_gaps(side.path, (item.id for item in side.items))
                except InputError:
                    _load([side])
                    raise

    def _refuse_other_counts(self, counts: Sequence[int]) -> None:
        if len(set(counts)) > 1:
            hint = segments_hint(self._sides) + self._hint()
            raise other_counts(counts, self._names, self._sides, hint)


EMPTY = Items((), ())


def _have_same_ids(side: Block, other: Block) -> bool:
    """Whether it is known of texts in their files, by a number of all ids, that they have the same."""
    surveys = [each.ids.survey for each in (side, other) if isinstance(each.ids, TextColumn)]
    known = [each.set_digest for each in surveys if each is not None and each.has_digests]
    return len(known) > 1 and len(set(known)) == 1 and len(side) == len(other)


def _are_in_turn(ours: TextColumn, theirs: TextColumn) -> bool:
    """Whether ids are the same in the same order; of texts in their files a number of all ids tells."""
    surveys = ours.survey, theirs.survey
    known = [each.digest for each in surveys if each is not None and each.has_digests]
    return known[0] == known[1] if len(known) > 1 else ours == theirs


def in_the_order_of(first: Block, other: Block) -> Block | None:
    """A side in the order of the ids of another; None where the ids of the two are not the same."""
    ours, theirs = first.ids, other.ids
    if not isinstance(ours, TextColumn) or not isinstance(theirs, TextColumn) or len(ours) != len(theirs):
        return None
    if _are_in_turn(ours, theirs):
        return other
    if not other.is_in_columns:
        return None
    places = TextIndex(theirs).found(ours)
    return None if (places < 0).any() else other.taken(places)


def _name(number: int, path: str) -> str:
    if path == "-":
        return "standard input"
    return path or ("the references" if number else "the hypotheses")


def _load(sides: Iterable[Items]) -> None:
    """Raise what is wrong with damaged items: one may be why sides do not fit."""
    for item in (item for side in sides for item in side.items if isinstance(item.given, Deferred)):
        item.given.item()


def are_timed(hypotheses: Items, references: Sequence[Items]) -> bool:
    """Whether words with times stand against segments with times."""
    return TimedWords in hypotheses.types and all(item.segment is not None for item in references[0].items)


def _without_ignored(sides: Sequence[Items]) -> list[Items]:
    """The items without those of segments that the references want ignored."""
    ignored = {item.id for side in sides[1:] for item in side.items if item.segment and item.segment.ignored}
    if not ignored:
        return list(sides)
    return [replace(side, items=tuple(i for i in side.items if i.id not in ignored)) for side in sides]


def table_of(side: Items, sides: Sequence[Items]) -> dict[Id, Item]:
    """The items by their ids; words of a channel may go by their file, or by file and channel, as other sides do.

    Raises:
        InputError: two channels go by one id.
    """
    if TimedWords not in side.types:
        return {item.id: item for item in side.items}
    known = {item.id for other in sides if not _channels(other) for item in other.items}
    ids = _ids_of_channels(sides)
    found: dict[Id, Item] = {}
    for item in side.items:
        if not isinstance(item.given, TimedWords):
            found[item.id] = item
            continue
        own = ids[item.given.home]
        names = (own, item.given.file, item.given.id)
        name = next((name for name in names if name in known and name not in found), own)
        if name in found:
            raise InputError(f"two channels go by the id {name!r}: rename one of the files in it", side.path)
        found[name] = item
    return found


def _channels(side: Items) -> list[Item]:
    return [item for item in side.items if isinstance(item.given, TimedWords)]


def _ids_of_channels(sides: Sequence[Items]) -> dict[tuple[str, str], Id]:
    """One id for a channel and its partners, that of the last side that has it: they are of one file where no side has
    several channels of it, else of one file and channel."""
    channels = [_channels(side) for side in sides]
    homes = [{item.given.home for item in some} for some in channels]
    counts = [Counter(file for file, _ in some) for some in homes]
    several = {file for some in counts for file, count in some.items() if count > 1}
    keys = {home: home if home[0] in several else home[:1] for some in homes for home in some}
    ids = {keys[item.given.home]: item.id for some in channels for item in some}
    return {home: ids[key] for home, key in keys.items()}


def _may_be_mistaken(side: Items) -> bool:
    """Whether one item of a side may be taken for another: there are several, and not all are empty sentences."""
    return len(side.items) > 1 and not all(item.text == "" for item in side.items)


def _lonely(tables: Sequence[Table]) -> set[Id]:
    """Ids that some side lacks."""
    return set(chain(*tables)).difference(set(tables[0]).intersection(*tables[1:]))


def _without_case(tables: Sequence[Table]) -> list[Table] | None:
    """The same with the references' ids for those of other case, as sclite pairs, or of another form of Unicode.

    None where two of a side differ in nothing else.
    """
    hypotheses, references, *others = tables
    if (found := spelled_alike([references, hypotheses, *others])) is None:
        return None
    found[:2] = found[1::-1]
    return [dict(zip(ids, table.values(), strict=True)) for ids, table in zip(found, tables, strict=True)]


def _first_id(row: Row) -> Id:
    """The first id of items that order pairs."""
    return next((item.id for item in row if item is not None and item.id is not None), None)
