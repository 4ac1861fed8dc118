"""Hypotheses without segment ends: `resegmented`, sides whose hypotheses are cut into the references' segments.

Which segments are of which document is told by a file, a line a segment; by a field of the references; by the files of
a folder, each a document; or by their ids, which begin with the document's. Else all are of one document. Hypotheses of
a document stand in a row, in their order, or in that of their times.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress, pairwise
from pathlib import Path
from typing import Any

from fstmetrics.data.fields import first_given
from fstmetrics.data.segments import NO_WORD, TimedWord, TimedWords, spoken, times_in
from fstmetrics.data.sessions import same_name
from fstmetrics.data.transcripts import OPEN_STRETCH, Transcript
from fstmetrics.engine.misplaced_items import exchanged_remark
from fstmetrics.engine.search import COUNTS_ONLY, search
from fstmetrics.engine.sides import Alternatives, concatenated, hypothesis_side
from fstmetrics.engine.unlike_sides import LEAST
from fstmetrics.io.column_roles import ID, OPTION, TableOptions
from fstmetrics.io.file_format import by_name, whole_plan
from fstmetrics.io.ids import (
    BEHIND_DOCUMENT,
    KALDI_NAME,
    LOOKS_LIKE_ID,
    document_of,
    is_numbering,
    look_like_ids,
    name_of,
)
from fstmetrics.io.items import Item, Items, ReadOptions
from fstmetrics.io.stream_logs import Kind, Output, log_kind, read_log, words_of
from fstmetrics.io.stream_logs import Unit as LogUnit
from fstmetrics.metrics.wer import WER
from fstmetrics.scoring.opened_sides import read_side
from fstmetrics.scoring.pair_blocks import scored_value
from fstmetrics.scoring.piece_marks import unmarked
from fstmetrics.scoring.request import Request, check_run_paths
from fstmetrics.scoring.run_sides import Side
from fstmetrics.scoring.why_unpaired import renaming_hint
from fstmetrics.streams.segmenting import (
    Segmented,
    best_text,
    cut_units,
    for_cuts,
    joined,
    reference_side,
    units_of,
)
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.file_sets import files_of, is_several
from fstmetrics.support.names import listed
from fstmetrics.support.printable import counted
from fstmetrics.support.source import Source, file_name, stem

# Fields that name the document of a segment.
DOCUMENT = "document"
FIELDS = (DOCUMENT, "doc", "docid", "doc_id", "session", "session_id")
# What has a delay each in the log of a system, by the unit that is cut.
LOG_UNITS: Mapping[str, LogUnit] = {"word": "word", "char-no-space": "char"}
# What an error advises of a document that a hypothesis lacks; commands of several systems have their own.
ADVICE = " (--missing skip leaves its segments out, --missing empty takes it for silence)"
# Fields that name the recording of a segment.
RECORDINGS = ("audio_filepath", "recording_id", "session", "session_id", "file")
# A line of OmniSTEval's files: `docid=0,segid=3`.
DOCID = re.compile(r"(?:.*,\s*)?docid=(?P<document>[^,]+)(?:,.*)?")
# What is behind the document in the id of a segment that has one number there.
NUMBERED = re.compile(r"\D*(\d+)\D*")
# The last number of an id, and what is before it.
LAST_NUMBER = re.compile(r"(|.*\D)(\d+)\D*")
# So many words of a document are cut again in another order, of whose segments half of the errors, or fewer, tell that
# it is theirs.
MOST_WORDS = 30_000
# What else an error advises of segments whose numbers go back.
OF_LINES = "; if they are in the order in which all was said, --documents FILE with the document of each line says so"
SEGID = re.compile(r"(?:^|[,\s])segid=(\d+)")


@dataclass(frozen=True)
class SegmentText:
    """What the hypothesis of a document says in a segment.

    Attributes:
        id: of the reference; None where it has none.
        document: its name; "" where there is one document, without a name, or nobody has said anything of it.
        text: as it was written.
        words: with their times, where the hypotheses are words with times; else None.
        delays, elapsed: when each word came, as the log of a system that translates a stream has it, in its unit and
            from the begin of the recording on; None where there is no log.
    """

    id: str | None
    document: str
    text: str
    words: Sequence[TimedWord] | None = None
    delays: Sequence[float] | None = None
    elapsed: Sequence[float] | None = None


@dataclass(frozen=True)
class Streamed(Item):
    """What a system wrote of a recording, with the log's times of its words."""

    output: Output | None = None


@dataclass(frozen=True)
class Cut:
    """Hypotheses in the segments of references.

    Attributes:
        hypotheses: the sides as they were read.
        segments: of each of them the text of every segment.
        remarks: of each of them, how it was cut.
        first: the first references.
        others: the others.
        references: what each segment should say: a value, or several.
        left_out: how many segments and documents were left out, since the other side lacks the document.
    """

    hypotheses: Sequence[Side]
    segments: Sequence[Sequence[SegmentText]]
    remarks: Sequence[Sequence[str]]
    first: Side
    others: Sequence[Side]
    references: Sequence[Any]
    left_out: int = 0


def resegmented(
    request: Request,
    paths: Sequence[str],
    hypotheses: int,
    both: bool = False,
    advice: str = ADVICE,
) -> list[Side]:
    """The sides of paths, of which the first ones are hypotheses: those are cut into the segments of the references.

    Args:
        request, paths, hypotheses, both: as of `open_sides`.
        advice: what to add to an error about a document that a hypothesis lacks.

    Raises:
        FstmetricsError: a file that cannot be read, documents that do not pair, or a side that cannot be cut.
    """
    if both:
        raise InputError(
            "--resegment takes REF and HYP: a row of a table of both is a segment already", paths[0]
        )
    found = read_cut(request, paths, hypotheses, advice)
    sides = []
    for side, segments, remarks in zip(found.hypotheses, found.segments, found.remarks, strict=True):
        items = tuple(
            Item(
                each.id,
                None,
                each.text,
                fields={**item.fields, **({DOCUMENT: each.document} if each.document else {})},
            )
            for item, each in zip(found.first.items, segments, strict=True)
        )
        texts = Items(items, side.formats, side.path, [*side.items.remarks, *remarks])
        sides.append(
            replace(side, source=side.path, items=texts, stream=None, lines=None, doubt="", overlaps="")
        )
    scored = [not (item.segment and item.segment.ignored) for item in found.first.items]
    first = replace(found.first, left_out=found.left_out)
    return [_only(side, scored) for side in (*sides, first, *found.others)]


def read_cut(request: Request, paths: Sequence[str], hypotheses: int, advice: str = ADVICE) -> Cut:
    """Read hypotheses and references, and cut the former; as of `resegmented`."""
    check_run_paths(request, paths)
    for_cuts(request.of_cuts)  # refuses what documents are not cut by, before anything is read
    first, *others = (_side(request, path, False) for path in paths[hypotheses:])
    heard = [_side(request, path, True) for path in paths[:hypotheses]]
    told = _documents_told(request.documents) if request.documents else None
    first, heard = _with_ids(first, heard, told)
    others = [_settled(side, first.has_ids) for side in others]
    others = [_in_the_order_of(first, side) for side in others]
    names, unheard = _names(first, heard, told)
    if not told or told.ids is not None:
        _refuse_other_order(_by_document(names, first.items), first.path, OF_LINES)
    skips = request.partnerless == "skip" and set(names) != {""}
    spoken = [_of_documents(side, list(dict.fromkeys(names)), skips) for side in heard]
    left_out = 0
    if skips:
        lacking = {name for own, _ in spoken for name, items in own.items() if not items}
        kept = [name not in lacking for name in names]
        left_out = kept.count(False) + len({name.casefold() for _, lost in spoken for name in lost})
        names = list(compress(names, kept))
        if not names:
            raise FstmetricsError("there is nothing to cut: no document is on both sides")
        first, *others = (_only(side, kept) for side in (first, *others))
    heard = unmarked([*heard, first, *others], request)[: len(heard)]
    references = _references(first, others)
    cuts = [
        _cut(request, side, own, first, references, names, unheard, advice)
        for side, (own, _) in zip(heard, spoken, strict=True)
    ]
    texts, remarks = zip(*cuts, strict=True)
    return Cut(heard, texts, remarks, first, others, references, left_out)


def _side(request: Request, path: str, is_hypothesis: bool) -> Side:
    """A side; of a folder of files without ids each is a document, unless the folder is one thing in itself."""
    format = request.format if is_hypothesis else request.ref_format
    if os.path.isdir(path) and whole_plan(Path(path), None if format is None else by_name(format)):
        return read_side(request, path, is_hypothesis, False)
    if not is_several(path):
        of_log = is_hypothesis and request.unit in LOG_UNITS and request.format is None
        # What comes through a pipe comes once.
        kind = log_kind(Source.open(path)) if of_log and os.path.isfile(path) else None
        return _of_log(request, path, kind) if kind else read_side(request, path, is_hypothesis, False)
    parts = [read_side(request, str(file), is_hypothesis, False) for file in files_of(path)]
    if not any(side.lines for side in parts) and all(
        len(side.items.items) == 1 and side.items.has_ids for side in parts
    ):
        return read_side(request, path, is_hypothesis, False)
    sides = [_settled(side, False) for side in parts]
    items = tuple(
        replace(item, fields={**item.fields, DOCUMENT: stem(side.path)})
        for side in sides
        for item in side.items
    )
    remarks = [remark for side in sides for remark in side.items.remarks]
    formats = tuple(dict.fromkeys(name for side in sides for name in side.formats))
    return replace(sides[0], path=path, source=path, items=Items(items, formats, path, remarks))


def _of_log(request: Request, path: str, kind: Kind) -> Side:
    """The recordings of a log: SimulEval's as rows of a table; SimulStream's, whose lines are steps, by name."""
    log = read_log(path, LOG_UNITS[request.unit])
    if kind == "SimulStream":
        join = " " if request.unit == "word" else ""
        items = [Streamed(o.recording, None, join.join(o.words), output=o) for o in log.outputs]
        options = ReadOptions(table=TableOptions("hypothesis", given=request.columns))
        return Side(path, path, None, options, Items(tuple(items), ("jsonl",), path))
    side = read_side(request, path, True, False)
    outputs = sorted(log.outputs, key=lambda output: output.line)
    found = []
    for item, output in zip(side.items, outputs, strict=True):
        text, words = item.text or "", words_of(item.text or "", LOG_UNITS[request.unit])
        if log.markers:
            words = tuple(word for word in words if word not in log.markers)
            text = " ".join(words)
        is_log = words == output.words
        found.append(
            Streamed(item.id, item.given, text, fields=item.fields, output=output) if is_log else item
        )
    remarks = (*side.items.remarks, *log.remarks)
    return replace(side, items=replace(side.items, items=tuple(found), remarks=remarks))


def _settled(side: Side, have_ids: bool) -> Side:
    return side.read_lines(have_ids) if side.lines else side


def _with_ids(first: Side, heard: Sequence[Side], told: Told | None) -> tuple[Side, list[Side]]:
    """The sides, now that it is settled whether lines of texts begin with ids.

    They do in a file called `text`; where all first words are ids of the other side, as in `settle`; where the first
    words of a text are documents that the other side knows; and where all first words of the references look like ids,
    and begin with those of the hypotheses.

    Raises:
        InputError: first words that look like ids, or are documents by chance as likely.
    """
    documents = set(told.names) if told else set()
    if not (first.lines or told):
        documents |= {name for name in _said_by_all(first) if name is not None}
    segments = list(first.lines.firsts) if first.lines else [str(item.id) for item in first.items if item.id]
    if told and told.ids is not None:
        _refuse_other_ids(first, segments, told)
    is_told = told is not None and told.ids is not None
    are_ids = not first.lines or is_told or _is_kaldi(first) or look_like_ids(segments)
    ids: frozenset[str] = frozenset() if first.lines else first.ids | (frozenset() if told else documents)
    found: list[Side] = []
    heard_ids: set[str] = set()
    for side in heard:
        firsts = list(side.lines.firsts) if side.lines else []
        wanted: set[str | None] = set(documents)
        if not wanted and are_ids:
            wanted = {document_of(id, set(firsts)) for id in segments}
        if side.lines and (_is_kaldi(side) or _are_known(firsts, ids) or _are_documents(firsts, wanted)):
            side = side.read_lines(True)
        elif side.lines and len(documents) in (0, 1, len(firsts)) and (named := _may_be(firsts, wanted)):
            raise _doubtful(
                side, "first words of lines begin ids of the references, or are their documents", named
            )
        elif side.lines and look_like_ids(firsts):
            what = "the first words of all lines look like ids"
            raise _doubtful(side, what, firsts, f"; the documents of {told.path} are others" if told else "")
        side = _settled(side, False)
        heard_ids |= side.ids
        found.append(side)
    if first.lines:
        is_covered = any(document_of(id, heard_ids) for id in segments)
        are_ids = are_ids or _are_known(segments, heard_ids)
        if look_like_ids(segments) and not (is_covered or _is_kaldi(first) or is_told):
            raise _doubtful(first, "the first words of all lines look like ids", segments)
        first = first.read_lines(is_told or _is_kaldi(first) or (are_ids and is_covered))
    return first, found


def _refuse_other_ids(first: Side, segments: Sequence[str], told: Told) -> None:
    """Refuse references of which a segment has no id, or one that the file of documents does not have.

    Raises:
        InputError: likewise.
    """
    known = set(told.ids or ())
    if lost := [id for id in segments if id not in known]:
        raise InputError(
            f"has documents of ids ({listed(list(told.ids or ()))}), and {first.path} has {listed(lost)} at the begin "
            "of a line: expected the id of each segment and its document, or the document alone, a line each",
            told.path,
        )
    if not first.lines and len(segments) < len(first.items.items):
        raise InputError(
            f"has documents of ids ({listed(list(told.ids or ()))}), and {first.path} has no ids: expected the "
            "document of each segment, alone, a line each",
            told.path,
        )


def _is_kaldi(side: Side) -> bool:
    return file_name(side.path) == KALDI_NAME


def _are_known(firsts: Sequence[str], ids: Collection[str]) -> bool:
    """Whether all first words are ids of the other side; a number may begin a single line of words."""
    return bool(firsts) and set(firsts) <= set(ids) and (len(firsts) > 1 or is_numbering(ids) is None)


def _are_documents(firsts: Sequence[str], documents: Collection[str | None]) -> bool:
    """Whether first words are documents beyond doubt: some are, and all look like ids and are no numbers; or there are
    two or more, and they are all documents that there are."""
    named = [word for word in firsts if word in documents]
    sure = all(LOOKS_LIKE_ID.fullmatch(word) and not word.isdecimal() for word in firsts)
    return bool(named) and (sure or (len(firsts) > 1 and set(firsts) == documents))


def _may_be(firsts: Sequence[str], documents: Collection[str | None]) -> list[str]:
    """First words that are documents, or words; numbers only if all first words are documents."""
    named = [word for word in firsts if word in documents]
    return named if len(named) == len(firsts) else [word for word in named if not word.isdecimal()]


def _doubtful(side: Side, what: str, firsts: Sequence[str], why: str = "") -> InputError:
    return InputError(
        f"{what} ({listed(list(dict.fromkeys(firsts)))}), and may as well be words{why}: if they are ids, "
        f"{side.options.format_option} kaldi-text says so, if words, {side.options.format_option} plain",
        side.path,
    )


@dataclass(frozen=True)
class Told:
    """What a file says of documents: of each segment, in order, or by its id."""

    path: str
    names: Sequence[str]
    ids: Sequence[str] | None


def _documents_told(path: str) -> Told:
    """The documents of a file.

    Lines are `DOCUMENT`, `docid=DOCUMENT,segid=N`, or two words: a segment's id, and its document.

    Raises:
        InputError: a line that is blank, or that has other words than the first line; an id that comes twice; segments
            of a document whose numbers do not rise.
    """
    source = Source.open(path)
    names: list[str] = []
    lines: dict[str, int] = {}  # of the ids
    last: dict[str, int] = {}  # number of a segment, by the document
    kinds = set()
    for number, line in source.lines():
        words = line.split()
        match = DOCID.fullmatch(line.strip())
        kind = "docid" if match else len(words)
        kinds.add(kind)
        if kind not in ("docid", 1, 2) or len(kinds) > 1:
            raise source.error(
                "expected the document of a segment: `DOCUMENT`, `docid=DOCUMENT,segid=N` or `ID DOCUMENT`, the "
                f"same in all lines; found {line.strip()[:60]!r}", number,
            )  # fmt: skip
        names.append(match["document"].strip() if match else words[-1])
        if kind == 2 and (other := lines.setdefault(words[0], number)) != number:
            raise source.error(
                f"the id {words[0]!r} is already in line {other}: two words are the id of a segment, and its document; "
                "the name of a document has no blank", number,
            )  # fmt: skip
        if match and (segment := SEGID.search(line)):
            if int(segment[1]) <= last.get(names[-1], -1):
                raise source.error(
                    f"segment {segment[1]} of document {names[-1]} comes behind segment {last[names[-1]]}: expected "
                    "the lines in the order of the references, whose segments they number", number,
                )  # fmt: skip
            last[names[-1]] = int(segment[1])
    if not names:
        raise source.error("is empty: expected the document of each segment, a line each")
    return Told(path, names, list(lines) if kinds == {2} else None)


def _by_document(names: Sequence[str], items: Iterable[Item]) -> dict[str, list[Item]]:
    found: dict[str, list[Item]] = {}
    for name, item in zip(names, items, strict=True):
        found.setdefault(name, []).append(item)
    return found


def _names(first: Side, heard: Sequence[Side], told: Told | None) -> tuple[list[str], set[str]]:
    """The document of each segment, "" where there is no more than one, without a name; and ids of segments that stand
    for documents that nobody has said anything in."""
    items = list(first.items)
    if not items:
        raise InputError("holds no item: there is nothing to cut", first.path)
    if told:
        return _told_names(first, items, told), set()
    found = _said_by_all(first)
    if None not in found:
        return [str(name) for name in found], set()
    documents = {
        n for side in heard for each in side.items if (n := _said_by(each) or each.id or _logged(each))
    }
    by_id = [None if item.id is None else document_of(item.id, documents) for item in items]
    if any(by_id):
        rows = list(zip(by_id, items, strict=True))
        return [str(name or item.id) for name, item in rows], {str(i.id) for name, i in rows if name is None}
    for side in heard:
        own = list(dict.fromkeys(_said_by(item) or item.id for item in side.items))
        is_named = first.has_ids and not all(format.id_of for format in side.kinds)
        if None not in own and (len(own) > 1 or is_named):
            raise InputError(
                f"has {counted(len(own), 'document')} ({listed(list(map(str, own)))}), and nothing says which segments "
                f"of {first.path} are of which: --documents FILE has the document of each segment, a line each"
                f"{_rows_advice(side)}",
                side.path,
            )
    return [""] * len(items), set()


def _told_names(first: Side, items: Sequence[Item], told: Told) -> list[str]:
    if told.ids is not None:
        document = dict(zip(told.ids, told.names, strict=True))
        return [document[str(item.id)] for item in items]
    if len(told.names) != len(items):
        raise InputError(
            f"has {counted(len(told.names), 'line')}, and {first.path} {counted(len(items), 'segment')}: expected the "
            "document of each segment, a line each",
            told.path,
        )
    return list(told.names)


def _said_by_all(first: Side) -> list[str | None]:
    """The document that each segment names, or its recording, where a recording has several segments.

    Raises:
        InputError: two recordings of one name.
    """
    items = list(first.items)
    homes = {item.segment.home for item in items if item.segment}
    has_channels = len(homes) > len({file for file, _ in homes})  # of one recording several
    found = [_said_by(item, has_channels) for item in items]
    recordings = [_recording(item) for item in items]
    if any(found) or None in recordings or len(set(recordings)) == len(recordings):
        return found
    known: dict[str, str] = {}
    for file in map(str, recordings):
        if fault := same_name(known, name_of(file), file):
            raise InputError(
                f"{fault}, and hypotheses pair with recordings by name: --documents FILE names the document of each "
                "segment, a line each",
                first.path,
            )
    return [name_of(str(file)) for file in recordings]


def _recording(item: Item) -> str | None:
    """The recording that an item is of, as its fields name it."""
    if item.segment is not None:
        return item.segment.file
    file = first_given(item.fields, RECORDINGS)
    return None if file is None else str(file)


def _begin(item: Item) -> float | None:
    """When an item begins; None where it does not say so."""
    if item.segment is not None:
        return item.segment.begin
    try:
        return times_in(item.fields, item.id)[0]
    except FstmetricsError:
        return None


def _said_by(item: Item, channels: bool = False) -> str | None:
    """The document that an item names."""
    home = item.given if isinstance(item.given, TimedWords) else item.segment
    if home is not None:
        return f"{home.file}_{home.channel}" if channels else home.file
    return next((str(item.fields[name]) for name in FIELDS if item.fields.get(name) is not None), None)


def _of_documents(
    side: Side, documents: Sequence[str], skips: bool
) -> tuple[Mapping[str, list[Item]], Sequence[str]]:
    """The hypotheses of each document; and the names of those of which the references have no segment.

    Args:
        side, documents: the hypotheses, and the documents of the references.
        skips: whether what the references lack is left out.

    Raises:
        FstmetricsError: documents that do not pair.
    """
    items = list(side.items)
    known = {name.casefold(): name for name in documents}
    names = [_name_in(item, known) for item in items]
    found: dict[str, list[Item]] = {name: [] for name in documents}
    own = [_said_by(item) or item.id for item in items]
    if documents != [""] and not any(own) and _are_logged(items, known):
        own = [_logged(item) for item in items]
        names = [_known_as(str(name), known) for name in own]
    if documents == [""] or (len(documents) == 1 and not any(own)):
        return {documents[0]: _ordered(items)}, ()
    lost = list(dict.fromkeys(str(id) for id, name in zip(own, names, strict=True) if name is None))
    if any(own) and lost and not (skips and None not in own):
        raise InputError(
            f"has {listed(lost)}, of which the references have no segment: their documents are "
            f"{listed(list(documents))}{_advice_on_names(side, documents, any(names))}",
            side.path,
        )
    if any(own) or None not in names:
        for name, item in zip(names, items, strict=True):
            if name is not None:
                found[name].append(item)
        _refuse_other_order(found, side.path)
        return {name: _ordered(parts) for name, parts in found.items()}, lost
    if len(items) != len(documents):
        raise InputError(
            f"has {counted(len(items), 'item')}, and there are {counted(len(documents), 'document')} "
            f"({listed(list(documents))}): expected a line each, in their order, or ids",
            side.path,
        )
    return {name: [item] for name, item in zip(documents, items, strict=True)}, ()


def _advice_on_names(side: Side, documents: Sequence[str], some_shared: bool) -> str:
    """What to do with a side that has documents of other names: it may have them of the names of files."""
    skip = " (--missing skip leaves them out)" if some_shared else ""
    return (
        renaming_hint(side.path, documents[0]) if all(f.id_of for f in side.kinds) else _rows_advice(side)
    ) + skip


def _rows_advice(side: Side) -> str:
    """What to do with a table whose ids may be no more than the numbers of its rows."""
    ids = [item.id or "" for item in side.items]
    if not side.is_table or is_numbering(ids) is None:
        return ""
    return f"; if the ids of {side.path} number rows that stand in a row, {OPTION} {ID}= takes them so"


def _name_in(item: Item, known: Mapping[str, str]) -> str | None:
    """The document of an item among those that are known, whatever the case of letters."""
    given = [_said_by(item, True), _said_by(item), _recording(item), item.id]
    return next(filter(None, (_known_as(name, known) for name in given if name)), None)


def _known_as(name: str, known: Mapping[str, str]) -> str | None:
    for own in (name.casefold(), name_of(name).casefold()):
        if (found := document_of(own, known.keys())) is not None:
            return known[found]
    return None


def _logged(item: Item) -> str | None:
    """The recording that SimulEval's log names."""
    return (item.output.recording or None) if isinstance(item, Streamed) and item.output else None


def _are_logged(items: Sequence[Item], known: Mapping[str, str]) -> bool:
    """Whether recordings of a log are documents, of which SimulEval's may be numbers by their order: some are called
    alike, and each comes once."""
    names = [_logged(item) for item in items]
    distinct = None not in names and len(set(names)) == len(names)
    return distinct and any(_known_as(str(name), known) for name in names)


def _begins(items: Sequence[Item]) -> list[float] | None:
    """When each item begins, where all are of one recording and say so."""
    begins = [begin for item in items if (begin := _begin(item)) is not None]
    return begins if len(begins) == len(items) and len(set(map(_recording, items))) == 1 else None


def _in_time(items: Sequence[Item]) -> list[int]:
    """The places of items, in the order of their begins where these are known."""
    begins = _begins(items)
    places = list(range(len(items)))
    return places if begins is None else sorted(places, key=begins.__getitem__)


def _ordered(items: Sequence[Item]) -> list[Item]:
    return [items[place] for place in _in_time(items)]


def _refuse_other_order(by_document: Mapping[str, Sequence[Item]], path: str, advice: str = "") -> None:
    """Refuse items of a document in the order of lines whose ids have one number each behind its name, where a number
    is less than the one before. What ids of a document without a name have before their last numbers is the same.

    Raises:
        InputError: one is.
    """
    for document, items in by_document.items():
        ids = [str(item.id) for item in items]
        pattern, begin = (NUMBERED, len(document)) if document else (LAST_NUMBER, 0)
        found = [pattern.fullmatch(id, begin) for id in ids]
        are_of = all(document_of(id.casefold(), {document.casefold()}) for id in ids)
        if not document:
            begins = {match and match[1] for match in found}
            are_of = len(begins) == 1 and ids == sorted(ids)  # others may be any numbers
        if not are_of or None in found or _begins(items) is not None:
            continue
        numbers = [int(match[match.re.groups]) for match in found if match]
        if places := [place for place, (one, next) in enumerate(pairwise(numbers)) if next < one]:
            named = f"document {document}" if document else "the document"
            raise InputError(
                f"has {ids[places[0] + 1]} behind {ids[places[0]]}, and what {named} says is taken in the "
                f"order of the lines: put them into the order of their numbers (sort -V of lines with ids){advice}",
                path,
            )


def _other_orders(items: Sequence[Item]) -> Iterator[list[int]]:
    """Orders of the segments of a document in which they may have been said, if not in that of lines or times.

    That is by the last numbers of their ids, and by these behind what is before them, as ids may begin with speakers.
    """
    found = [LAST_NUMBER.fullmatch(str(item.id)) for item in items]
    if None in found or _begins(items) is not None:
        return
    ends = [(match[1], int(match[2])) for match in found if match]
    first = {begin: place for place, (begin, _) in reversed([*enumerate(ends)])}
    for keys in ([(0, number) for _, number in ends], [(first[begin], number) for begin, number in ends]):
        order = sorted(range(len(items)), key=keys.__getitem__)
        if order != list(range(len(items))):
            yield order


def _only(side: Side, kept: Sequence[bool]) -> Side:
    if all(kept):
        return side
    return replace(side, items=replace(side.items, items=tuple(compress(side.items, kept))))


def _in_the_order_of(first: Side, side: Side) -> Side:
    """Further references in the order of the first, by their ids where both have some.

    Raises:
        InputError: they are of other segments.
    """
    if side.has_ids and first.has_ids:
        table = {item.id: item for item in side.items}
        ids = [item.id for item in first.items]
        for one, other, having in (
            (side, first, [id for id in ids if id not in table]),
            (first, side, [id for id in table if id not in set(ids)]),
        ):
            if having:
                raise InputError(
                    f"lacks {listed(list(map(str, having)))}, which {other.path} has: expected the same segments in "
                    "all references",
                    one.path,
                )
        return replace(side, items=replace(side.items, items=tuple(table[id] for id in ids)))
    if len(side.items.items) != len(first.items.items):
        raise InputError(
            f"has {counted(len(side.items.items), 'item')}, and {first.path} "
            f"{counted(len(first.items.items), 'segment')}: --resegment takes the same segments in the same order",
            side.path,
        )
    return side


def _references(first: Side, others: Sequence[Side]) -> list[Any]:
    """What each segment should say: a value, or several; anything at all where it is not to be scored."""
    rows = zip(*(map(_value, side.items) for side in (first, *others)), strict=True)
    found = [row[0] if len(row) == 1 else Alternatives(row) for row in rows]
    ignored = [item.segment is not None and item.segment.ignored for item in first.items]
    anything = Transcript.parse(OPEN_STRETCH, "wildcards")
    return [anything if is_ignored else value for value, is_ignored in zip(found, ignored, strict=True)]


def _value(item: Item) -> Any:
    return scored_value(item.loaded().scored)


def _cut(
    request: Request,
    side: Side,
    spoken: Mapping[str, Sequence[Item]],
    first: Side,
    references: Sequence[Any],
    names: Sequence[str],
    unheard: Collection[str],
    advice: str,
) -> tuple[list[SegmentText], list[str]]:
    """The segments of a side, and what is said of them."""
    documents = list(dict.fromkeys(names))
    lacking = [name for name in documents if not spoken[name]]
    if lacking and request.missing == "error" and documents != [""]:
        raise InputError(
            f"has nothing of {listed(lacking)}, and {first.path} has segments of it{advice}",
            side.path,
        )
    places: dict[str, list[int]] = {name: [] for name in documents}
    for place, name in enumerate(names):
        places[name].append(place)
    items = list(first.items)
    for own in places.values():
        order = _in_time([items[place] for place in own])
        own[:] = [own[number] for number in order]
    ids = [item.id for item in first.items]
    texts = [
        SegmentText(id, "" if name in unheard else name, "") for id, name in zip(ids, names, strict=True)
    ]
    unlike: list[str] = []
    orders: list[str] = []
    for name in documents:
        told = [references[place] for place in places[name]]
        found, of_words = _document(request, spoken[name], told)
        orders += _order_remarks(
            request, first, [items[place] for place in places[name]], spoken[name], told, found
        )
        for number, place in enumerate(places[name]):
            part = slice(found.cuts[number], found.cuts[number + 1])
            own_words = {name: those[part] for name, those in of_words.items()}
            texts[place] = replace(texts[place], text=found.texts[number], **own_words)
        if not found.is_alike:
            unlike.append(name)
    silent = lacking if documents != [""] else []
    remarks = [*_remarks(request, side, texts, names, silent, unlike), *orders]
    named = any(_said_by(item) or item.id or _recording(item) for item in side.items)
    named = named or _are_logged(list(side.items), {name.casefold(): name for name in documents})
    if len(documents) > 1 and not named:  # nothing but their order says which documents hypotheses are of
        given = {name: [_value(items[place]) for place in places[name]] for name in documents}
        remarks += _exchanged(request, side, spoken, given)
    elif documents == [""] and not named and first.has_ids:
        remarks += _in_a_row(side, first)
    return texts, remarks


def _order_remarks(
    request: Request,
    first: Side,
    segments: Sequence[Item],
    heard: Sequence[Item],
    references: Sequence[Any],
    found: Segmented,
) -> Iterator[str]:
    """What is said of a document whose segments have far fewer errors in an order that their ids tell."""
    for order in _other_orders(segments):
        before = _edits(request, found, references)
        if before < LEAST or found.cuts[-1] > MOST_WORDS:
            return
        others = [references[place] for place in order]
        after = _edits(request, _document(request, heard, others)[0], others)
        if 2 * after <= before:
            ids = ", ".join(str(segments[place].id) for place in order[:3])
            yield (
                f"{first.path}: in the order of the numbers of their ids ({ids}, ...) segments have {after} errors in "
                f"place of {before}; what a document says is taken in the order of the lines: put them into that in "
                "which it was said"
            )
            return


def _edits(request: Request, found: Segmented, references: Sequence[Any]) -> int:
    own = for_cuts(request.of_cuts)
    counts = search(None, found.texts, references, WER(), normalisation=own, options=COUNTS_ONLY)
    return counts.sum().edits


def _in_a_row(side: Side, first: Side) -> Iterator[str]:
    """What is said of several items without names, in one document, where ids of segments begin with as many names."""
    ids = [str(item.id) for item in first.items]
    ends = [[match.start() for match in BEHIND_DOCUMENT.finditer(id)] for id in ids]
    count = len(side.items.items)
    for depth in range(min(map(len, ends))) if 1 < count < len(ids) else ():
        names = dict.fromkeys(id[: places[depth]] for id, places in zip(ids, ends, strict=True))
        if len(names) == count:
            yield (
                f"{_path(side)} has {count} items without ids, which are taken for one document in a row, and the ids "
                f"of {first.path} begin with as many names ({listed(list(names))}): if each item is one of these "
                "documents, in their order, --documents FILE with `ID DOCUMENT` of each segment says so"
            )
            return


def _exchanged(
    request: Request, side: Side, spoken: Mapping[str, Sequence[Item]], told: Mapping[str, Sequence[Any]]
) -> Iterator[str]:
    """What is said of documents that pair by order and fit the first references of others, `told`; nothing where some
    are no texts."""
    given = [[_value(item) for item in spoken[name]] for name in told]
    if not all(isinstance(value, str) for values in (*given, *told.values()) for value in values):
        return
    own = for_cuts(request.of_cuts)
    hypotheses = [units_of(joined(texts, own), own.of_hypotheses).words for texts in given]
    references = [units_of(joined(texts, own), own.of_references).words for texts in told.values()]
    if remark := exchanged_remark(list(told), hypotheses, references):
        yield (
            f"{_path(side)}, whose documents pair by order: {remark}; put them in the order of the references "
            f"({listed(list(told))}), or name the document of each, which then pairs them: lines `DOCUMENT text` with "
            f"{side.options.format_option} kaldi-text, or a column {DOCUMENT!r}"
        )


def _path(side: Side) -> str:
    return "standard input" if side.path == "-" else side.path


def _document(
    request: Request, items: Sequence[Item], references: Sequence[Any]
) -> tuple[Segmented, dict[str, Any]]:
    """The segments of a document, and what is known of each of its words, by the fields of `SegmentText`."""
    own = for_cuts(request.of_cuts)
    sides = [reference_side(reference, own) for reference in references]
    given = [_value(item) for item in items]
    values = list(map(spoken, given))
    if not all(isinstance(value, str) for value in values):
        whole = concatenated([hypothesis_side(value, own.of_hypotheses) for value in values])
        units = units_of(best_text(whole, sides, own), own.of_hypotheses)
        return cut_units(units, sides, request.criterion), {}
    units = units_of(joined(values, own), own.of_hypotheses)
    words = [text for value in given if isinstance(value, TimedWords) for text in value.texts]
    timed = [word for word in words if isinstance(word, TimedWord) and word.word != NO_WORD]
    outputs = [item.output for item in items if isinstance(item, Streamed) and item.output]
    delays = [delay for output in outputs for delay in output.delays]
    elapsed = [time for output in outputs for time in output.elapsed or ()]
    known: dict[str, Any] = {"words": timed}
    if outputs:
        known = {"delays": delays, "elapsed": elapsed} if elapsed else {"delays": delays}
    of_each = {name: those for name, those in known.items() if len(those) == len(units.places)}
    return cut_units(units, sides, request.criterion), of_each


def _remarks(
    request: Request,
    side: Side,
    texts: Sequence[SegmentText],
    names: Sequence[str],
    silent: Sequence[str],
    unlike: Sequence[str],
) -> Iterator[str]:
    path = _path(side)
    heard = [name for name in names if name not in silent]
    how = "the fewest edits" if request.criterion == "edits" else "the most similar words"
    if heard:
        whole = counted(len(set(heard)), "document")
        yield f"{path}: {whole} cut into {counted(len(heard), 'segment')} by {how}"
    if silent:
        yield (
            f"{path} has nothing of {listed(list(silent))}: {counted(len(names) - len(heard), 'segment')} without "
            "words, by --missing empty"
        )
    if not any(each.text for each in texts):
        yield f"{path} has no word: all segments are empty"
    elif unlike:
        named = f" of {listed(list(unlike))}" if list(unlike) != [""] else ""
        yield (
            f"{path}: no word{named} is in its references; is it the right document, and are words cut as in the "
            "references (--unit mixed for texts without spaces)?"
        )
