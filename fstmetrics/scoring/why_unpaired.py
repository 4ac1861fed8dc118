"""Why items do not pair: what errors say about ids and numbers of items, found out when something has failed.

- `unpaired`: ids without a partner; `half_with_ids`: ids on some sides only; `other_counts`: other numbers of items.
- `refuse_shifted`, `refuse_different_ids`: ids that pair, and would pair the wrong sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import chain, islice
from typing import TYPE_CHECKING

from fstmetrics.io.ids import FEW, RANKED_LISTS, RANKS_ADVICE, document_of, is_numbering, without_rank
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.file_sets import is_several
from fstmetrics.support.names import folded_id, listed
from fstmetrics.support.printable import counted
from fstmetrics.support.source import file_name, stem

if TYPE_CHECKING:
    from fstmetrics.io.items import Items

Id = str | None


def unpaired(lacking: Mapping[int, Sequence[str]], paths: Sequence[str], sides: Sequence[Items]) -> str:
    """What is said of ids without a partner.

    Args:
        lacking: the ids that a side lacks, by the number of the side; the hypotheses are 0.
        paths: of the sides.
        sides: their items, as far as they are in memory.
    """
    parts = []
    for side, ids in lacking.items():
        where = f" in {paths[side]}" if paths[side] else ""
        parts.append(f"no {'reference' if side else 'hypothesis'} for {listed(ids)}{where}")
    return "; ".join(parts) + _ranks_hint(lacking, paths, sides)


def _ranks_hint(lacking: Mapping[int, Sequence[str]], paths: Sequence[str], sides: Sequence[Items]) -> str:
    """What to do where the hypotheses are n-best lists whose ids have ranks behind them."""
    alone = [id for side, ids in lacking.items() if side for id in ids]
    known = {item.id for side in sides[1:] for item in side}
    if not alone or not all(without_rank(id) in known for id in alone):
        return ""
    if RANKED_LISTS in sides[0].formats:
        return f"; {RANKS_ADVICE}"
    return f"; the ids of {paths[0]} are those of n-best lists: --format nbest-kaldi reads them"


def half_with_ids(
    with_ids: str,
    ids: Iterable[Id],
    without: str,
    hint: str = "",
    is_table: bool = False,
    is_plain: bool = False,
    by_order: str = "",
) -> FstmetricsError:
    """The error about items that have ids on one side only.

    Args:
        with_ids: what to call the side that has ids.
        ids: the first of them.
        without: what to call the side that has none.
        hint: what to add.
        is_table, is_plain: whether that is a table, or plain text.
        by_order: how to say that order pairs, where the command takes that.
    """
    shown = ", ".join(str(id) for id in islice(ids, FEW))
    if is_table:
        advice = "; --fields id=COLUMN says which column has them"
    elif is_plain:
        advice = " (the first word of a line, if it is read as kaldi-text)"
    else:
        advice = ""
    return FstmetricsError(
        f"{with_ids} has ids ({shown}, ...) and {without} has none, so that nothing but the order of the items could "
        f"pair them; give {without} ids{advice} (docs/formats.md#pairing){by_order}{hint}"
    )


def count_hint(id: str, sides: Sequence[Items]) -> str:
    """What may be the matter where an id is one before or behind those that count another side's items."""
    for side in sides:
        first = is_numbering(str(item.id) for item in side.items)
        if first is not None and id == (str(len(side.items)), "0")[first]:
            return f"; {side.path} counts its items from {first}: number both alike if they count differently"
    return ""


def other_counts(
    counts: Sequence[int], names: Sequence[str], sides: Sequence[Items], hint: str
) -> FstmetricsError:
    """The error about sides that order would pair, and that have different numbers of items."""
    found = ", ".join(f"{n} in {name}" for n, name in zip(counts, names, strict=True))
    return FstmetricsError(
        f"numbers of items differ: {found}; not all have ids to pair them by"
        f"{''.join(map(_blank_lines, sides))}{hint}"
    )


def segments_hint(sides: Sequence[Items]) -> str:
    """What to do with texts that may be in other segments than the references."""
    first = next(iter(sides[0].items), None)
    if first is None or first.text is None:
        return ""
    return (
        "; where lines are lost or repeated, write the file again; where the hypotheses have no segment ends, or "
        "others, fstmetrics segment cuts them, as score --resegment does (of several documents, with --documents, "
        "which says of which one each reference is)"
    )


def documents_hint(sides: Sequence[Items]) -> str:
    """What to do where the ids of the hypotheses are those of documents, and the references' those of their segments.

    Args:
        sides: their items, as far as they are in memory; the hypotheses first.
    """
    known = {item.id for item in sides[0].items if item.id is not None}
    for item in chain.from_iterable(side.items for side in sides[1:]):
        if item.id is not None and (document := document_of(item.id, known)) is not None:
            return (
                f"; if {item.id} is a segment of {document}, fstmetrics segment cuts documents into the segments of "
                "references, as score --resegment does"
            )
    return ""


def renaming_hint(path: str, recording: str) -> str:
    """What to do with a file that has the words of a recording, and is called otherwise.

    Args:
        path: of the file, or of several.
        recording: one that the references have.
    """
    if is_several(path):
        return "; a file is called as its recording: rename those that are of recordings of the references"
    name = f"{recording}{file_name(path).removeprefix(stem(path))}"
    return f"; a file is called as its recording: if it is of {recording}, rename it to {name}"


def _blank_lines(side: Items) -> str:
    """What to say of blank lines of plain text, which are why numbers of items differ, as a rule."""
    blank = (
        [place for place, item in enumerate(side.items, 1) if item.text == ""]
        if side.formats == ("plain",)
        else []
    )
    if not blank:
        return ""
    number = len(blank)
    if blank[0] > len(side.items) - number:
        found = f"{side.path} ends with {counted(number, 'blank line')}"
    elif number == 1:
        found = f"line {blank[0]} of {side.path} is blank"
    else:
        found = f"{number} lines of {side.path} are blank (the first is line {blank[0]})"
    return f"; {found}: in plain text a blank line is an empty sentence"


def refuse_different_ids(place: int, ids: Mapping[str, Id], without: str, hint: str = "") -> None:
    """Refuse to pair by order what has different ids, because another side has none.

    Args:
        place: which item, from 0.
        ids: its ids by what to call each side; None where there is none.
        without: the side that has none.
        hint: what to add to the error.

    Raises:
        FstmetricsError: the ids differ, and not in case or the form of Unicode only.
    """
    told = {name: id for name, id in ids.items() if id is not None}
    if len(set(map(folded_id, told.values()))) > 1:
        found = ", ".join(f"{id} in {name}" for name, id in told.items())
        raise FstmetricsError(
            f"item {place + 1} has different ids ({found}), and {without} has no ids, so that order would pair them; "
            f"give {without} ids, or bring all files into the same order{hint}"
        )


def refuse_shifted(sides: Iterable[tuple[str, Set[Id]]]) -> None:
    """Refuse ids that count items from 0 on one side, and as many from 1 on another: equal ids are different sentences.

    Args:
        sides: what to call each, and its ids.

    Raises:
        FstmetricsError: two such sides.
    """
    places: dict[tuple[int, int | None], str] = {}
    for place, ids in sides:
        places.setdefault((len(ids), is_numbering(map(str, ids))), place)
    for (items, first), place in places.items():
        if first == 0 and (other := places.get((items, 1))):
            raise FstmetricsError(
                f"{place} counts its {items} items from 0 and {other} from 1, so that equal ids are different "
                "sentences; number both alike"
            )


def shift_remark(counted_side: tuple[str, Set[str]], other: tuple[str, Set[str]]) -> str:
    """What to say where the ids of a side count items, and another side has some of them, as if it counted from
    another number; empty where that may not be.

    >>> shift_remark(("a", {"0", "1", "2"}), ("b", {"3", "1"}))
    'a counts 3 items from 0, and b has 3 and no 0: if it counts them from 1, number both alike'
    """
    (path, ids), (name, some) = counted_side, other
    if (first := is_numbering(ids)) is None:
        return ""
    ends = "0", str(len(ids))
    if ends[first] in some or ends[1 - first] not in some or not some <= {*ids, *ends}:
        return ""
    return (
        f"{path} counts {len(ids)} items from {first}, and {name} has {ends[1 - first]} and no {ends[first]}: if it "
        f"counts them from {1 - first}, number both alike"
    )
