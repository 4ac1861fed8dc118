"""Speakers of a run's items where files do not say: `with_speakers` gives items the field `speaker`; `told_by`
is who speaks by what `--speakers` is given, `values_by_id` what a file says of ids.

They come from ids by one of the rules of sclite, or from a file of lines `id speaker`, as Kaldi's utt2spk. Speakers of
items in columns are found when their fields are looked at, a part at a time.

Who speaks, where only ids tell: `speakers_of`, and the rules by name, `SPEAKER_RULES`. They are those of NIST's sclite
(`-i spu_id`, `-i wsj`). Nothing is guessed: ids that do not fit a rule, or that by their looks name no speakers, are
refused.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, takewhile
from typing import overload

from fstmetrics._native import FieldRows, StoredLines, TextColumn, TextIndex
from fstmetrics.data.fields import SPEAKER, Fields, names_of
from fstmetrics.scoring.inputs import Inputs, PairSource
from fstmetrics.scoring.pair_blocks import Pair, PairBlock
from fstmetrics.support.arguments import shortened
from fstmetrics.support.equal_rows import EqualRows
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.names import unknown
from fstmetrics.support.printable import counted
from fstmetrics.support.source import Source, open_text

ADVICE = (
    "--speakers spu_id where ids are speaker-utterance or speaker_utterance, or --speakers FILE with lines "
    "`id speaker`"
)
# The speakers of ids.
Speakers = Callable[[Sequence[str | None]], Sequence[str]]
# So many ids are looked at together.
TOGETHER = 1 << 10


class WithSpeakers:
    """Pairs with the speaker of each among its fields.

    Args:
        pairs: the pairs.
        speakers: of ids.
    """

    def __init__(self, pairs: PairSource, speakers: Speakers) -> None:
        self._pairs = pairs
        self._speakers = speakers

    @property
    def expected(self) -> int | None:
        """About how many there are."""
        return self._pairs.expected

    @property
    def skipped(self) -> int:
        """How many items had no partner."""
        return self._pairs.skipped

    @property
    def lacking(self) -> Mapping[str, int]:
        """How many of their ids each file lacks."""
        return self._pairs.lacking

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the summary says of them."""
        return self._pairs.remarks

    @property
    def known(self) -> PairBlock | None:
        """The pairs, if all are in memory or in columns.

        Raises:
            FstmetricsError: an id that tells no speaker.
        """
        pairs = self._pairs.known
        if pairs is None:
            return None
        if (columns := self._in_columns(pairs)) is None:
            return PairBlock.of(list(map(self._spoken, pairs)), pairs.places)
        for part in _parts(columns.ids, len(columns)):
            self._speakers(part)
        return columns

    def blocks(self) -> Iterator[PairBlock]:
        """Columns as they come; of others each pair alone."""
        for block in self._pairs.blocks():
            columns = self._in_columns(block)
            if columns is None or not self._tell(columns):
                yield from (PairBlock.of([self._spoken(pair)]) for pair in block)
            else:
                yield columns

    def _in_columns(self, block: PairBlock) -> PairBlock | None:
        """A block of columns with the field, which is found when it is looked at; None for other blocks."""
        if not block.is_in_columns:
            return None
        fields = _Spoken(block.ids, block.fields, self._speakers, len(block))
        return PairBlock(block.ids, block.hypotheses, block.references, fields, block.places)

    def _tell(self, block: PairBlock) -> bool:
        """Whether all ids tell a speaker: if one does not, the pairs before it are scored first."""
        try:
            for part in _parts(block.ids, len(block)):
                self._speakers(part)
        except FstmetricsError:
            return False
        return True

    def _spoken(self, pair: Pair) -> Pair:
        return replace(pair, fields={**pair.fields, SPEAKER: self._speakers([pair.id])[0]})


class _Spoken(EqualRows[Fields]):
    """The fields of items, and the speaker of each.

    Args:
        ids: of the items; None where they have none.
        fields: the others; None where there are none.
        speakers: of ids.
        items: how many there are.
    """

    __slots__ = ("_fields", "_ids", "_items", "_speakers")

    def __init__(
        self,
        ids: Sequence[str | None] | None,
        fields: Sequence[Fields] | None,
        speakers: Speakers,
        items: int,
    ) -> None:
        self._ids, self._fields, self._speakers, self._items = ids, fields, speakers, items

    def __len__(self) -> int:
        return self._items

    @overload
    def __getitem__(self, index: int) -> Fields: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Fields]: ...
    def __getitem__(self, index: int | slice) -> Fields | Sequence[Fields]:
        if not isinstance(index, slice):
            place = range(len(self))[index]
            return self[place : place + 1][0]
        places = range(len(self))[index]
        told = self._speakers([None] * len(places) if self._ids is None else self._ids[index])
        fields = None if self._fields is None else self._fields[index]
        if fields is None or isinstance(fields, FieldRows):
            texts = told if isinstance(told, TextColumn) else TextColumn(list(told))
            return FieldRows.with_texts(fields, SPEAKER, texts)
        return [{**some, SPEAKER: speaker} for some, speaker in zip(fields, told, strict=True)]

    def __iter__(self) -> Iterator[Fields]:
        parts = (self[begin : begin + TOGETHER] for begin in range(0, len(self), TOGETHER))
        return chain.from_iterable(parts)

    def names(self) -> list[str]:
        """Those that items have."""
        return list(dict.fromkeys([*(names_of(self._fields) if self._fields is not None else ()), SPEAKER]))


def _parts(ids: Sequence[str | None] | None, items: int) -> Iterator[Sequence[str | None]]:
    """All ids, some at a time."""
    for begin in range(0, items, TOGETHER):
        end = min(begin + TOGETHER, items)
        yield [None] * (end - begin) if ids is None else ids[begin:end]


def with_speakers(inputs: Inputs, rule: str | None, asker: str | None) -> Inputs:
    """The inputs with speakers by a rule; without a rule those of trn by its ids, where somebody asks for speakers.

    Args:
        inputs: what was read.
        rule: as `--speakers` is given.
        asker: the option that asks for speakers; None: nothing does.

    Raises:
        FstmetricsError: an id that tells no speaker, with the option that helps.
    """
    if rule is not None:
        return replace(inputs, source=WithSpeakers(inputs.source, told_by(rule)), given_fields=(SPEAKER,))
    if asker is None or _are_told(inputs):
        return inputs
    pairs = inputs.source.known
    said = f"{asker} needs speakers, and the files do not say who speaks"
    if pairs is None or "trn" not in inputs.formats.values():
        raise FstmetricsError(f"{said}; give {ADVICE}")
    try:
        refuse_unlikely(each_speaker(chain.from_iterable(_parts(pairs.ids, len(pairs))), "spu_id"))
    except FstmetricsError as error:
        raise FstmetricsError(f"{said}: {error}; give {ADVICE}") from None
    remark = "speakers by the ids: what stands before the first - or _"
    source = WithSpeakers(inputs.source, _by_rule("spu_id"))
    return replace(inputs, source=source, assumed=(*inputs.assumed, remark), given_fields=(SPEAKER,))


def _are_told(inputs: Inputs) -> bool:
    """Whether files say of an item who speaks, or may say so of one that is not read yet."""
    pairs = inputs.source.known
    if pairs is None or pairs.is_deferred:
        names = inputs.fields
        return names is None or SPEAKER in names
    return SPEAKER in names_of(pairs.fields or ())


def told_by(rule: str) -> Speakers:
    """The speakers of ids, by a rule or a file of lines `id speaker`.

    Raises:
        FstmetricsError: no such rule and no such file; or, when it is asked, an id that tells no speaker.
    """
    is_file = rule not in SPEAKER_RULES and os.path.exists(rule)
    of_known = values_by_id(rule, SPEAKER) if is_file else None
    if of_known is None:
        refuse_rule(rule)
        of_known = _by_rule(rule)

    def speakers(ids: Sequence[str | None]) -> Sequence[str]:
        known = ids if isinstance(ids, TextColumn) else [*takewhile(lambda id: id is not None, ids)]
        found = of_known(known)
        if len(known) < len(ids):
            raise FstmetricsError(f"an item has no id, so that --speakers {rule} cannot tell its speaker")
        return found

    return speakers


def _by_rule(rule: str) -> Speakers:
    return lambda ids: list(each_speaker(ids, rule))


def values_by_id(path: str, field: str) -> Speakers:
    """What a file of lines `id value` says of ids; a speaker is one word. A large one stays where it is.

    Raises:
        InputError: it cannot be read, a line without an id, or with a speaker of several words, or an id that comes
            twice; or, when it is asked, an id that it lacks.
    """
    source = open_text(path)
    lines = source.stored_lines(has_ids=True) if source.have_different_ids() else None
    index = None if lines is None else source.index()
    if lines is not None and index is not None:
        for number, line in source.lines_of_items():
            _words(source, number, line, field)
        return partial(_stored_values, path, field, lines, index)
    table: dict[str, str] = {}
    for number, line in source.lines_of_items():
        id, speaker = _words(source, number, line, field)
        if id in table:
            said = f"its {field} is {shortened(table[id])} above, here {shortened(speaker)}"
            raise source.error(f"{shortened(id)} comes twice: {said}", number)
        table[id] = speaker

    def speakers(ids: Sequence[str | None]) -> list[str]:
        for id in ids:
            if id not in table:
                raise InputError(f"has no {field} for {id}", path)
        return [table[id] for id in ids if id is not None]

    return speakers


def _words(source: Source, number: int, line: str, field: str) -> tuple[str, str]:
    words = line.split()
    if not words or (field == SPEAKER and len(words) != 2):
        raise source.error(f"expected `id {field}`, found {counted(len(words), 'word')}", number)
    return words[0], line.strip()[len(words[0]) :].strip()


def _stored_values(
    path: str, field: str, lines: StoredLines, index: TextIndex, ids: Sequence[str | None]
) -> TextColumn:
    """What a file says of ids, whose lines are read when they are asked for; `index`: where each id is."""
    wanted = ids if isinstance(ids, TextColumn) else TextColumn([id for id in ids if id is not None])
    places = index.found(wanted)
    if (places < 0).any():
        raise InputError(f"has no {field} for {wanted[int((places < 0).argmax())]}", path)
    return lines.texts.taken(places)[:]


# So many characters of an id are the speaker in the Wall Street Journal corpus.
WSJ = 3


def spu_id(id: str) -> str | None:
    """The speaker of `speaker-utterance`, or, where there is no hyphen, of `speaker_utterance`; None for other ids.

    Of the path of a file, its name counts.

    >>> spu_id("weather001_004"), spu_id("f_12-03"), spu_id("u7"), spu_id("/data-set/ann_04.wav")
    ('weather001', 'f_12', None, 'ann')
    """
    id = _name(id)
    separator = "-" if "-" in id else "_"
    speaker, _, utterance = id.partition(separator)
    return speaker if speaker and utterance else None


def wsj(id: str) -> str | None:
    """The first three characters, of a path those of the file's name; None for an id that has no more.

    >>> wsj("4k0c0301"), wsj("/data/4k0c0301.wav")
    ('4k0', '4k0')
    """
    id = _name(id)
    return id[:WSJ] if len(id) > WSJ else None


def _name(id: str) -> str:
    """What follows the last `/`."""
    return id.rpartition("/")[2]


SPEAKER_RULES: dict[str, Callable[[str], str | None]] = {"spu_id": spu_id, "wsj": wsj}


def speakers_of(ids: Sequence[str | None], rule: str | None = None) -> list[str]:
    """The speaker of each item, from its id.

    Args:
        ids: of the items.
        rule: `spu_id` or `wsj`. None: `spu_id`, where the ids look as if it were meant: they have several speakers,
            and fewer than items.

    Raises:
        FstmetricsError: no such rule, an item without an id, an id that the rule does not fit, or ids that do not look
            as if they named speakers.

    >>> speakers_of(["ann_1", "ann_2", "bob_1"])
    ['ann', 'ann', 'bob']
    """
    if rule is not None:
        refuse_rule(rule)
    found = list(each_speaker(ids, rule or "spu_id"))
    if rule is None:
        refuse_unlikely(found)
    return found


def each_speaker(ids: Iterable[str | None], rule: str) -> Iterator[str]:
    """The speaker of each item by a rule that there is, one by one; errors as of `speakers_of`."""
    of = SPEAKER_RULES[rule]
    for item, id in enumerate(ids):
        if id is None:
            raise FstmetricsError(f"item {item} (from 0) has no id, so that nothing tells its speaker")
        if (speaker := of(id)) is None:
            wanted = (
                "speaker-utterance or speaker_utterance" if rule == "spu_id" else "more than 3 characters"
            )
            raise FstmetricsError(f"the id {id!r} tells no speaker: the rule {rule} wants {wanted}")
        yield speaker


def refuse_unlikely(speakers: Iterable[str]) -> None:
    """Raise an FstmetricsError for speakers by `spu_id` that nobody can have meant: one for all, or one an item."""
    items, different = 0, set[str]()
    for speaker in speakers:
        items += 1
        different.add(speaker)
    if len(different) == 1:
        raise FstmetricsError(f"the ids tell no speakers: all would be {different.pop()!r}")
    if len(different) == items:
        raise FstmetricsError("the ids tell no speakers: by the rule spu_id every item would have its own")


def refuse_rule(name: str) -> None:
    """Raise an FstmetricsError if there is no such rule."""
    if name not in SPEAKER_RULES:
        raise FstmetricsError(unknown("rule of speakers", name, SPEAKER_RULES))
