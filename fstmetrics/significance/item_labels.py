"""Fields of items that `compare` is given beside the files: `labelled`; and blocks of them: `blocks_of`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from fstmetrics.data.fields import Field, Fields, coded, merged, names_of, present, values_of
from fstmetrics.data.groupings import Grouping
from fstmetrics.io.ids import LOOKS_LIKE_ID, is_numbering
from fstmetrics.io.scores.score_files import read_documents
from fstmetrics.scoring.speaker_fields import SPEAKER_RULES, speakers_of, told_by, values_by_id
from fstmetrics.significance.comparison import Blocks, blocks_for
from fstmetrics.significance.p_values import as_test
from fstmetrics.significance.system_outputs import Columns
from fstmetrics.support.equal_rows import Repeated
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.names import listed
from fstmetrics.support.printable import counted
from fstmetrics.support.source import Source


def labelled(
    columns: Columns,
    told: Sequence[Fields] | None,
    labels: Sequence[str],
    documents: str | None,
    by: Sequence[Grouping],
    speakers: str | None,
) -> Columns:
    """The same items with the fields of label files; and with speakers, where these are asked for.

    Args:
        columns: what was read.
        told: fields that other files tell, of each item; None where none does. Those of outputs and references count
            before them.
        labels: FIELD=FILE, each.
        documents: WMT's file of domains and documents.
        by: what tables are made by.
        speakers: as the option is given.

    Raises:
        FstmetricsError: a file of another number of lines, or of ids that are not those of the items, or no FIELD=FILE.
    """
    if told is not None and not isinstance(told, Repeated):
        fields: Sequence[Fields] = [merged([*pair]) for pair in zip(columns.fields, told, strict=True)]
        columns = replace(columns, fields=fields)
    found: dict[str, Sequence[Any]] = {}
    if documents is not None:
        found["domain"], found[DOCUMENT] = read_documents(documents)
        if ids := _ids_among(found["domain"], columns):
            found = {DOCUMENT: values_by_id(documents, DOCUMENT)(ids)}
        else:
            _check(documents, len(found["domain"]), len(columns.fields))
    for argument in labels:
        field, _, path = argument.partition("=")
        if not field or not path:
            raise FstmetricsError(f"--labels is FIELD=FILE, as domain=domains.txt, not {argument!r:.80}")
        found[field] = _labels_in(path, field, columns)
    if SPEAKER not in found and speakers is not None:
        found[SPEAKER] = _told(columns.ids, speakers)
    elif by and SPEAKER not in found and any(SPEAKER in grouping.fields for grouping in by):
        found[SPEAKER] = _speakers(columns, "--by speaker")
    if not found:
        return columns
    rows = [dict(zip(found, values, strict=True)) for values in zip(*found.values(), strict=True)]
    fields = [{**own, **more} for own, more in zip(columns.fields, rows, strict=True)]
    return replace(columns, fields=fields)


# A first word with a tab behind it.
_TABBED = re.compile(r"\s*\S+\t")
# So many first words that look like ids, all different, are some.
MANY_IDS = 10


def _labels_in(path: str, field: str, columns: Columns) -> Sequence[str]:
    """A value an item, by its id, or its number and a tab, where lines begin with those of all items; an empty line is
    none.

    Raises:
        InputError: lines that begin with other ids, or some with those of items; or another number of lines.
    """
    written = [line for _, line in Source.open(path).lines()]
    lines, are_tabbed = [line.strip() for line in written], any(map(_TABBED.match, written))
    words = [line.split(None, 1) for line in lines if line]
    firsts, keys = [first for first, *_ in words], [first for first, *more in words if more]
    ids = _ids_among(firsts, columns) if are_tabbed or None not in columns.ids else ()
    if ids and (keys or are_tabbed):
        return values_by_id(path, field)(ids)
    known = {*columns.ids} - {None}
    theirs = [key for key in keys if key in known and LOOKS_LIKE_ID.fullmatch(key)]
    are_keys = len({*firsts}) == len(lines) > 1 and all(map(LOOKS_LIKE_ID.fullmatch, firsts))
    is_moved = ids and lines != [*columns.ids]  # ids alone, in another order
    if (
        are_keys and (are_tabbed or (2 * len(keys) > len(lines) and (theirs or len(lines) >= MANY_IDS)))
    ) or not all(map(str.isdecimal, firsts if is_moved else theirs)):
        own = f"the items have {listed(sorted(map(str, known)))}" if known else "the items have none"
        raise InputError(
            f"its lines begin with ids ({listed(theirs or firsts)}), and {own}: expected a label an item, alone, in "
            f"their order, or `id {field}` lines with the ids of all items",
            path,
        )
    _check(path, len(lines), len(columns.fields))
    return lines


def _ids_among(firsts: Sequence[str], columns: Columns) -> Sequence[str | None]:
    """The ids of all items, or their numbers, where no item has an id, if they are among first words of lines."""
    ids = columns.ids
    if {*ids} == {None} and len(firsts) == len(ids) > 1 and (start := is_numbering(firsts)) is not None:
        return [*map(str, range(start, start + len(ids)))]
    return ids if None not in ids and {*ids} <= {*firsts} else ()


def _check(path: str, lines: int, items: int) -> None:
    if lines != items:
        raise InputError(
            f"{counted(lines, 'line')} for {counted(items, 'item')}: one line an item is expected", path
        )


SPEAKER, DOCUMENT, ITEM = "speaker", "document", "item"


def blocks_of(columns: Columns, blocks: str | None, test: str) -> Blocks | None:
    """The blocks that are asked for, or that the test compares.

    The sign test compares speakers where fields or the ids of trn tell two or more, otherwise items.

    Args:
        columns: what was read, with the speakers that `labelled` found.
        blocks: as the option is given.
        test: its name.

    Raises:
        FstmetricsError: an item of which nothing tells the block.
    """
    if blocks == ITEM:
        items = tuple(map(str, range(len(columns.ids))))
        return Blocks(ITEM, items) if test == "wilcoxon" else None
    if blocks not in (None, SPEAKER):
        return blocks_for(test, str(blocks), _labels(columns, str(blocks)))
    if blocks == SPEAKER or as_test(test).compares == "blocks":
        return blocks_for(test, SPEAKER, _speakers(columns, "--blocks speaker" if blocks else test))
    if test == "sign":
        speakers_told = coded(columns.fields, SPEAKER)[1]
        say_who_speaks = any(present(value) is not None for value in speakers_told)
        labels = _labels(columns, SPEAKER) if say_who_speaks else None
        try:
            return Blocks(SPEAKER, labels or _speakers(columns, test))
        except FstmetricsError:
            return None
    return None


def items_remark(columns: Columns, blocks: str | None, found: Blocks | None, are_cut: bool) -> list[str]:
    """What is said where items are resampled, nobody asked for that, and they are of several documents that were cut,
    or files tell several speakers.

    Args:
        columns: what was read.
        blocks: as the option is given.
        found: the blocks of the comparison.
        are_cut: whether items are segments that documents were cut into.
    """
    if blocks == ITEM or found is not None:
        return []
    if are_cut:
        documents = {*values_of(columns.fields, DOCUMENT)} - {None}
        if len(documents) > 1:
            return [f"resamples are of items; --blocks document resamples the {len(documents)} documents"]
    if isinstance(columns.fields, Repeated) and "trn" not in columns.formats.values():
        return []  # nothing says who speaks
    try:
        number = len(set(_speakers(columns, "")))
    except FstmetricsError:
        return []
    return [f"resamples are of items; --blocks speaker resamples the {number} speakers"] if number > 1 else []


def _speakers(columns: Columns, what: str) -> tuple[str, ...]:
    """By the field, or the ids of trn."""
    values = values_of(columns.fields, SPEAKER)
    if any(present(value) is not None for value in values):
        return _labels(columns, SPEAKER, values)
    advice = (
        "; give --speakers spu_id where ids are speaker-utterance or speaker_utterance, or --speakers FILE of lines "
        "`id speaker`, or --labels speaker=FILE of a speaker an item, or "
        f"{'--by' if what == '--by speaker' else '--blocks'} FIELD"
    )
    if "trn" not in columns.formats.values():
        raise FstmetricsError(f"{what} compares speakers, and the files do not say who speaks{advice}")
    try:
        return tuple(speakers_of(columns.ids))
    except FstmetricsError as error:
        raise FstmetricsError(f"{what} compares speakers: {error}{advice}") from None


def _labels(columns: Columns, field: str, told: Sequence[Field] | None = None) -> tuple[str, ...]:
    """The field of each item, where it has not been looked at before."""
    values = list(map(present, values_of(columns.fields, field) if told is None else told))
    lacking = [item for item, value in enumerate(values) if value is None]
    if not lacking:
        return tuple(map(str, values))
    id = columns.ids[lacking[0]]
    first = str(lacking[0]) if id is None else id
    if len(lacking) < len(values):
        have = "item has" if len(lacking) == 1 else "items have"
        raise FstmetricsError(
            f"{len(lacking)} of {len(values)} {have} no {field}, by which blocks are made, the first {first}: write "
            f"it into the files, or leave such items out"
        )
    known = sorted(set(names_of(columns.fields)) - {field})
    advice = f"; there are {', '.join(known)}" if known else "; the files have no fields"
    raise FstmetricsError(f"item {first} has no field {field!r}, by which blocks are made{advice}")


def _told(ids: Sequence[str | None], rule: str) -> list[str]:
    """Speakers by a rule, or by a file."""
    return speakers_of(ids, rule) if rule in SPEAKER_RULES else list(told_by(rule)(ids))
