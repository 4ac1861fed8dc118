"""What summaries, signatures and errors say of sides: their formats, how they pair, what was guessed, what is odd."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

from fstmetrics._native import TextColumn
from fstmetrics.data.nbest import NBest
from fstmetrics.data.segments import outside, overlapped
from fstmetrics.data.transcripts import Texts as References
from fstmetrics.data.transcripts import TranscriptColumn
from fstmetrics.io.column_roles import ID, OPTION
from fstmetrics.io.detection.formats_and_refusals import FORMS
from fstmetrics.io.file_format import has_extension
from fstmetrics.io.ids import RANKS_ADVICE
from fstmetrics.io.items import SEVERAL
from fstmetrics.scoring.pairing import are_timed
from fstmetrics.scoring.piece_marks import texts_of
from fstmetrics.scoring.run_sides import Side
from fstmetrics.support.errors import InputError
from fstmetrics.support.file_sets import is_several
from fstmetrics.support.printable import counted
from fstmetrics.support.source import Source

if TYPE_CHECKING:
    from fstmetrics.data.lattice import Lattice
    from fstmetrics.text.normalisation import Normalisation

# Words in names of files that say which side they are of.
SIDES = dict.fromkeys(
    ("hyp", "hyps", "hypothesis", "hypotheses", "pred", "preds", "predictions"), "hypothesis"
)
SIDES |= dict.fromkeys(("ref", "refs", "reference", "references", "gold", "truth"), "reference")
# Texts of so many bytes and two authors are not the same.
NEVER_THE_SAME = 1000
# Seconds between a word and the nearest segment that are worth a remark; times of two programs differ by less.
FAR = 0.5


def conditions_of(hypotheses: Sequence[Side], references: Sequence[Side]) -> tuple[str, ...]:
    """The parts of signatures that files decide: how many references of which kinds, and which sides have ids."""
    counts = [side.texts for side in references if side.is_text]
    texts = "var" if None in counts else str(sum(filter(None, counts)))
    kinds = ["network" if side.holds_networks else "lattice" for side in references if not side.is_text]
    told = [side for side in hypotheses if not side.is_empty] or references
    without = [[side for side in sides if not side.has_own_ids] for sides in (told, references)]
    ids = "yes" if not any(without) else "no" if all(without) else "one-side"
    return ("refs:" + "+".join([*([texts] if counts else []), *sorted(set(kinds))]), f"ids:{ids}")


def formats_of(sides: Sequence[Side]) -> dict[str, str]:
    """How each path was read."""
    return {side.path: ",".join(side.formats) for side in sides}


def _guessed(sides: Sequence[Side]) -> tuple[str, str]:
    """Paths that were taken to begin their lines with ids, and the options that say otherwise."""
    found = [side for side in sides if side.is_guessed]
    paths = dict.fromkeys(side.path for side in found)
    options = dict.fromkeys(side.options.format_option for side in found)
    return ", ".join(paths), " ".join(f"{option} plain" for option in options)


def hint_of(sides: Sequence[Side]) -> str:
    """What an error about pairs adds: how else the files could be read.

    Raises:
        InputError: files that are one item each, called by their names, and beside them a side without ids: that is
            what is wrong then.
    """
    if not all(side.has_ids for side in sides):
        for side in sides:
            if side.has_own_ids and side.formats == ("plain",) and is_several(side.path):
                raise InputError(_whole_texts(side), side.path)
    paths, options = _guessed(sides)
    hint = f"; {paths} read as lines that begin with ids; change this with {options}" if paths else ""
    hint += graph_hint(sides)
    hint += "".join(f"; {remark}" for side in sides if side.sentences for remark in side.items.remarks[:1])
    if any(side.is_table for side in sides) and all(side.has_ids for side in sides):
        hint += f"; {OPTION} id=COLUMN names another column of ids"
    return hint


def graph_hint(sides: Sequence[Side]) -> str:
    """What an error about ids adds where names of files are ids, or where networks are the hypotheses."""
    texts = [side for side in sides if side.formats == ("plain",) and side.has_ids and not side.by_sentence]
    hint = "".join(f"; {side.path}: {_whole_texts(side)}" for side in texts if is_several(side.path))
    for side in sides:
        if not (side.kinds and all(format.id_of for format in side.kinds)):
            continue
        if side is sides[0] and len(side.ids) == 1 and all(format.has_times for format in side.kinds):
            hint += (
                f"; {side.path} is read as one recording with times: score --resegment cuts its words by the lines of "
                "the references; if its lines are items, give them as text, without times"
            )
        elif len(side.ids) == 1:
            (id,) = side.ids
            hint += (
                f"; the id of {side.path} is the file's name, {id}: rename it, or give its reference that id"
            )
            if side.format is None and not any(has_extension(side.path, each) for each in side.kinds):
                hint += f"; it is read as {', '.join(side.formats)}: {side.options.format_option} plain if it is text"
        else:
            hint += (
                f"; the ids of {side.path} are the names of its files, without endings: rename them, or give the "
                "references these ids"
            )
    if sides[0].holds_networks and not any(side.holds_networks for side in sides[1:]):
        hint += f"; {_networks_remark(sides[0])}"
    return hint


def _whole_texts(side: Side) -> str:
    return (
        f"each file is one item, called by its name ({', '.join(sorted(side.ids)[:2])}, ...): if files pair, call both "
        f"alike; {SEVERAL[str(side.options.table.side)]}; parts of one text: join them (cat)"
    )


def _networks_remark(side: Side) -> str:
    return f"{side.path} holds networks: as references they come first (fstmetrics hyter NETWORKS HYP)"


def choice_remarks(hypotheses: Sequence[Side], one_best: bool) -> list[str]:
    """A reminder where hypotheses leave a choice: the best one is scored, which no decoder has chosen."""
    remarks = []
    if graphs := [side.path for side in hypotheses if not (one_best or side.is_text)]:
        remarks.append(oracle_remark(graphs, "fstmetrics oracle", "fstmetrics best writes it"))
    written = [side for side in hypotheses if side.has_transcripts]
    if choosing := ", ".join([side.path for side in written if side.leaves_choices]):
        remarks.append(f"{choosing} leaves choices: the best are scored, as in references")
    return remarks + [
        f"{side.path}: words in parentheses, as {example}, are words like others in hypotheses, and counted; in "
        "references they may be left out"
        for side in written
        if (example := side.word_in_parentheses)
    ]


def oracle_remark(names: Iterable[str], oracle: str, best: str) -> str:
    """What is said where best paths are scored; `oracle` and `best` show the 1-best."""
    return f"of {', '.join(names)} the best paths are scored (oracles); {oracle} shows the 1-best, too, and {best}"


def pairing_remarks(sides: Sequence[Side], hypotheses: int = 1) -> list[str]:
    """How items were paired, and what was guessed; the first sides are so many hypotheses."""
    scored = "the items of the other files are scored against an empty sentence"
    remarks = [f"{side.path} {found_nothing(side)}: {scored}" for side in sides if side.is_empty]
    if [side for side in sides if side.is_guessed]:
        # Ids that are plain numbers may be how sentences begin.
        others = [id for side in sides if not side.is_text for id in side.ids]
        remarks += [guess_remark(sides)] if all(map(str.isdecimal, others)) else []
    if [side for side in sides if not FORMS.keys().isdisjoint(side.formats)]:
        remarks += form_remarks(sides)
    if [side for side in sides if not side.is_text] and (graphs := _graph_remark(sides, hypotheses)):
        remarks.append(graphs)
    spoken = [side for side in sides[:hypotheses] if side.has_transcripts]
    timed = _by_time(spoken, sides[hypotheses:]) if spoken else []
    remarks.append(_pairing_remark(sides, hypotheses, sides[hypotheses] if timed else None))
    remarks += [said for side in timed if (said := _outside_remark(side, sides[hypotheses]))]
    references = [side for side in sides[hypotheses:] if side.is_text and not side.stream]
    if len(references) > 1 or (references and not references[0].items.native):
        remarks += blank_remarks(references)
    are_plain = not [
        side for side in sides if side.stream or side.is_empty or side.has_ids or side.formats != ("plain",)
    ]
    if are_plain and (not (block := sides[0].items.native) or len(block) > 2):  # fewer hold no two documents
        blanks = {_blanks(side) for side in sides}
        if count := len(frozenset.intersection(*blanks)):
            have = "item is" if count == 1 else "items are"
            way = " (grep '[^[:space:]]' FILE)" if len(blanks) == 1 else ""
            remarks.append(
                f"{count} {have} blank in all files, and counted in means and SER: lines that only part documents are "
                f"to be taken out of all files{way}"
            )
    named = [side for side in sides[:hypotheses] if side.options.symbols is not None]
    numbers = [side for side in sides[:hypotheses] if side.options.symbols is None and side.is_numbers]
    return remarks + (_number_remarks(numbers, named, sides[hypotheses:]) if numbers or named else [])


def _number_remarks(numbers: Sequence[Side], named: Sequence[Side], references: Sequence[Side]) -> list[str]:
    """That words are numbers, which may be labels of a symbol table; digits may be words of references.

    Args:
        numbers: hypotheses whose words are.
        named: hypotheses with a symbol table.
    """
    others = [side.path for side in references if side.is_numbers]
    if others and numbers:
        return [
            f"all words of {side.path} and {others[0]} are numbers: if those of {others[0]} are words, and no labels, "
            "it needs --symbols"
            for side in numbers
            if not side.is_text
        ]
    if others:
        return [
            f"all words of {others[0]} are numbers: if they are labels, as those of {side.path} are without --symbols, "
            "leave it out"
            for side in named
            if not (side.is_text or side.is_numbers)
        ]
    return [
        f"all words of {side.path} are numbers: does it need --symbols?"
        for side in numbers
        if not side.is_text or all(word.isdecimal() for text in texts_of(side) for word in text.split())
    ]


def blank_remarks(texts: Sequence[Side]) -> list[str]:
    """That an item has an empty reference beside one with words, so that no words are right there."""
    remarks = []
    for side in texts:
        several = (
            [item.given for item in side.items if isinstance(item.given, References)]
            if not side.items.native
            else []
        )
        if count := sum(len({not text.strip() for text in each.texts}) > 1 for each in several):
            have = "item has" if count == 1 else "items have"
            remarks.append(
                f"{count} {have} an empty reference beside one with words in {side.path}: {_BLANK}"
            )
    blanks = [_blanks(side) for side in texts]
    for side, own in zip(texts, blanks, strict=True):
        others = [other for other, theirs in zip(texts, blanks, strict=True) if own - theirs]
        if others:
            count = max(len(own - theirs) for theirs in blanks)
            lines, stand = ("blank line", "stands") if count == 1 else ("blank lines", "stand")
            remarks.append(
                f"{count} {lines} of {side.path} {stand} beside words of {others[0].path}: {_BLANK}"
            )
    return remarks


# What is said of an empty reference beside others.
_BLANK = (
    "there a hypothesis without words is right; if these items have fewer references, give all in rows of JSON, "
    '{"ref": ["a b", "a c"], ...}'
)


def _blanks(side: Side) -> frozenset[str | int]:
    """The items of a text without a word: by their ids, or else by their numbers."""
    native = side.items.native
    values = native.values if native else None
    column = values.texts if isinstance(values, TranscriptColumn) else values
    if isinstance(column, TextColumn) and column.filled() == len(column):
        return frozenset()
    return frozenset(
        number if item.id is None or side.is_by_order else item.id
        for number, item in enumerate(side.items)
        if item.text is not None and not item.text.strip()
    )


def _graph_remark(sides: Sequence[Side], hypotheses: int) -> str:
    """A reminder where the graphs are not on the side where they usually are: the files may be in the wrong order.

    References are lattices and hypotheses text, or hypotheses are networks and references text.
    """
    graphs = [side for side in sides[hypotheses:] if not side.is_text]
    others = [side for side in sides[:hypotheses] if not side.is_text]
    networks = [side for side in others if side.holds_networks]
    if networks and not graphs:
        return _networks_remark(networks[0])
    if others or "lattice" not in {format.holds for side in graphs for format in side.kinds}:
        return ""
    paths = dict.fromkeys([side.path for side in graphs])
    return (
        f"the references are lattices: of {', '.join(paths)} the best paths are scored; lattices of hypotheses come "
        "second (fstmetrics oracle REF LATTICES)"
    )


def guess_remark(sides: Sequence[Side]) -> str:
    """That first words of lines were read as ids, and how to change that; empty where none were."""
    paths, options = _guessed(sides)
    said = f"{paths} read as kaldi-text (the first word of each line is its id); change this with {options}"
    return said if paths else ""


def form_remarks(sides: Sequence[Side]) -> list[str]:
    """That files were taken for what they are by the form of their lines alone, and how to change that."""
    return [
        f"{side.path} read as {form} ({FORMS[form]}); change this with {side.options.format_option} plain if these "
        "are words"
        for side in sides
        if (form := side.form)
    ]


def found_nothing(side: Side) -> str:
    """What is said of a text without items, or of blank lines."""
    return "holds blank lines only" if side.items.items else "is empty"


def _pairing_remark(sides: Sequence[Side], hypotheses: int, segments: Side | None) -> str:
    """By what items are paired (by time with the segments of a side), and what that makes of first words of lines."""
    if segments:
        return "paired by time: words with the segments of their channel" + _overlap_remark(segments)
    if overlaps := [side.overlaps for side in sides if side.overlaps]:
        return "; ".join(overlaps)
    told = [side for side in sides if not side.is_empty]
    if sides[0].is_by_order:
        return f"paired by order, as {OPTION} {ID}= says"
    if ordered := {side.path: side.by_sentence for side in sides if side.by_sentence}:
        project = next(iter(ordered.values()))
        return f"paired by order: {', '.join(ordered)} with the sentences of {project}"
    if named := [side.path for side in sides if side.by_file_name]:
        return f"paired by id: of {', '.join(named)} the names of the files, without folder and ending"
    if sides[0].has_both and len(sides) == 2 and not sides[0].has_ids:
        return "paired by row: no ids"
    if lacking := dict.fromkeys([side.path for side in told if not side.has_ids]):
        are_by_id = [side for side in sides[:hypotheses] if side.has_ids]
        apart = are_by_id and not [side for side in sides[hypotheses:] if not side.has_ids]
        more = f" and {len(lacking) - 3} more" if len(lacking) > 3 else ""
        names = short_names([side.path for side in sides])
        files = ", ".join([names[path] for path in lacking][:3]) + more
        return f"paired by order: no ids in {files}" + ("; the others by id" if apart else "")
    first = dict.fromkeys([side.path for side in told if "kaldi-text" in side.formats])
    return f"paired by id: the first word of each line of {', '.join(first)}" if first else "paired by id"


def short_names(paths: Iterable[str]) -> dict[str, str]:
    """What messages call files that have been named in full: by their names, where these differ.

    >>> short_names(["data/ref.txt", "data/hyp.txt"]), short_names(["a/x", "b/x"])
    ({'data/ref.txt': 'ref.txt', 'data/hyp.txt': 'hyp.txt'}, {'a/x': 'a/x', 'b/x': 'b/x'})
    """
    names = {path: os.path.basename(path) or path for path in paths}
    return names if len({*names.values()}) == len(names) else {path: path for path in names}


def lacking_ids(count: int, lacking: Mapping[str, int]) -> str:
    """Why so many items are left out: which files lack ids; empty where that is not known of all.

    Args:
        count: how many are left out.
        lacking: how many of their ids each file lacks, by its path.
    """
    names = short_names(lacking)
    told = {names[path]: number for path, number in lacking.items() if number}
    if sum(told.values()) < count:
        return ""
    if len(told) == 1:
        return f"{next(iter(told))} has nothing for {'its id' if count == 1 else 'their ids'}"
    return ", and ".join(f"{name} has nothing for {number} of their ids" for name, number in told.items())


def left_out_remark(count: int, lacking: Mapping[str, int], what: str = "item") -> str:
    """What is said of so many items that are left out; `lacking` is as of `lacking_ids`."""
    ids = "its id" if count == 1 else "their ids"
    return (
        f"{counted(count, what)} left out: {lacking_ids(count, lacking) or f'a file has nothing for {ids}'}"
    )


def _overlap_remark(references: Side) -> str:
    """What is said of segments of one channel at the same time, among which words are dealt by sclite's rule."""
    count = overlapped([item.segment for item in references.items.items if item.segment])
    if not count:
        return ""
    begin = "begins" if count == 1 else "begin"
    return (
        f"; {counted(count, 'segment')} of {references.path} {begin} before the one before has ended: a word goes to "
        "the first that ends after its middle (fstmetrics speakers keeps speakers apart)"
    )


def _outside_remark(hypotheses: Side, references: Side) -> str:
    """What is said of words that are far from all segments of their channel, which sclite's rule deals nonetheless."""
    channels = [item.given for item in hypotheses.items.items]
    count, farthest = outside(channels, [item.segment for item in references.items.items if item.segment])
    if farthest <= FAR:
        return ""
    lies, its = ("lies", "its middle") if count == 1 else ("lie", "the farthest")
    return (
        f"{counted(count, 'word')} of {hypotheses.path} {lies} outside all segments of the channel, {its} "
        f"{farthest:.1f} s from the nearest: each counts in the first that ends after its middle, or in the last, as "
        "in sclite; are the times of both files in seconds, from the same beginning, each a begin and a duration?"
    )


def pairing_of(sides: Sequence[Side], hypotheses: int = 1) -> dict[str, Any]:
    """How items were paired, and where the ids of each path are; the first sides are so many hypotheses."""
    lacking = [side for side in sides if not (side.is_empty or side.has_own_ids)]
    timed = [side for side in sides if side.overlaps]
    if spoken := [side for side in sides[:hypotheses] if side.has_transcripts]:
        timed += _by_time(spoken, sides[hypotheses:])
    by = "time" if timed else "order" if lacking else "id"
    ids = {}
    for side in sides:
        if side.is_empty or not side.has_own_ids:
            ids[side.path] = "none"
        elif "kaldi-text" not in side.formats:
            ids[side.path] = "file"
        else:
            ids[side.path] = "first word, guessed" if side.is_guessed else "first word"
    return {"by": by, "ids": ids}


def _by_time(hypotheses: Sequence[Side], references: Sequence[Side]) -> list[Side]:
    """The hypotheses whose words have times, where the first references are segments with times."""
    items = [side.items for side in references]
    return [side for side in hypotheses if items and are_timed(side.items, items)]


def file_remarks(sides: Sequence[Side]) -> list[str]:
    """What is odd about files: also that names say that they are on the other side, or that both sides are the same."""
    names = {side.path: re.findall("[a-z]+", os.path.basename(side.path).lower()) for side in sides}
    told = {path: {SIDES[word] for word in words if word in SIDES} for path, words in names.items()}
    references = [side for side in sides if side.options.table.side == "reference"]
    remarks = []
    for one, other in [(side, other) for side in sides if side not in references for other in references]:
        may_be = {"hypothesis"} if told[other.path] or not other.is_text else set()
        if told[one.path] == {"reference"} and told[other.path] == may_be:
            remarks.append(
                f"{other.path} is taken as references, and {one.path} as hypotheses; by their names it is the other "
                f"way round: the references, {one.path}, come first, or behind --ref"
            )
        if not one.is_table and one.path == other.path:
            remarks.append(f"{one.path} is on both sides, and compared with itself")
        elif isinstance(one.source, Source) and isinstance(other.source, Source):
            content = one.source.content
            if len(content) >= NEVER_THE_SAME and content == other.source.content and not one.is_table:
                remarks.append(f"{one.path} and {other.path} are the same, byte for byte")
    own = [side.path for side in sides if side not in references]
    further = [side.path for side in references[1:] if told[side.path] == {"reference"}]
    if len(own) == 1 and further and not told[references[0].path] and "hypothesis" not in told[own[0]]:
        remarks.append(
            f"{references[0].path} is taken as references, too: if it is another system's, fstmetrics compare --ref "
            f"{further[0]} {references[0].path} {own[0]} scores both"
        )
    for side in sides:
        remarks += [
            remark
            for remark in side.remarks
            # Numbers behind ids that the references have, too, are no ranks.
            if not (remark.endswith(RANKS_ADVICE) and any(side.ids <= other.ids for other in references))
        ]
    return list(dict.fromkeys(remarks))


def weight_remarks(machines: Sequence[Side], lm_scale: float) -> list[str]:
    """Remarks on machines of which paths are chosen, and whose weights, times `lm_scale`, may be no costs."""
    from fstmetrics.lattices.costs import FIRST, weights_remark  # machines alone need it

    def first(side: Side) -> Iterator[Lattice]:
        yield from [] if side.first is None else [side.first]
        for item in islice(side.stream or side.items, 1, FIRST):
            with suppress(InputError):  # of which is told where it is scored
                yield item.loaded().value

    said = [(side.path, weights_remark(first(side), lm_scale)) for side in machines]
    return [f"{path}: {remark}" for path, remark in said if remark]


def id_remarks(sides: Sequence[Side]) -> list[str]:
    """What was assumed about ids, and what is odd about files."""
    return [*filter(None, [guess_remark(sides)]), *form_remarks(sides), *file_remarks(sides)]


def misplaced_lists(
    hypotheses: Sequence[Any], references: Sequence[Any], normalisation: Normalisation
) -> str:
    """What to say of n-best lists that order pairs with the references of other items; empty where nothing tells it.

    Of each list an entry counts that is its reference, else one that is another item's, else the first.
    """
    from fstmetrics.engine.misplaced_items import misplaced_remark  # texts have it said where they are scored

    known = {each for each in references if isinstance(each, str)}
    entries = [
        max(each.texts, key=lambda text: (text == own, text in known))
        if isinstance(each, NBest) and each.texts
        else each
        for each, own in zip(hypotheses, references, strict=True)
    ]
    return misplaced_remark(entries, references, normalisation)
