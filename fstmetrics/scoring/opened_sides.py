"""The sides of a run, opened: `read_side` opens a path, `settled` finds out who has ids, `open_sides` opens all, and
`read_texts` references without hypotheses.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import product, zip_longest
from shlex import join, quote
from typing import Any

from fstmetrics.data.transcripts import Notation
from fstmetrics.io import FORMATS, Items, Stream, open_stream
from fstmetrics.io.column_roles import (
    HYPOTHESIS,
    ID,
    KNOWN,
    NO_TABLE,
    OPTION,
    TWO_HYPOTHESES,
    USUALLY_REFERENCE,
    SideName,
    TableOptions,
)
from fstmetrics.io.detection.formats_and_refusals import FORMS, TEXT, detect
from fstmetrics.io.detection.head import Head
from fstmetrics.io.detection.text_signs import Refused
from fstmetrics.io.file_format import project_reader, recognised
from fstmetrics.io.formats.plain import Document
from fstmetrics.io.ids import KnownIds, Lines, WithoutIds, settle, shared_names
from fstmetrics.io.items import SPOKEN_TIMES, Item, ReadOptions
from fstmetrics.io.reading import refuse_unused_symbols, refuse_unused_weights, resolve
from fstmetrics.scoring.overlaps import paired_by_overlap
from fstmetrics.scoring.pairing import in_the_order_of
from fstmetrics.scoring.piece_marks import remarked_first, texts_of, unmarked
from fstmetrics.scoring.request import Request, check_run_paths
from fstmetrics.scoring.run_sides import Side
from fstmetrics.scoring.side_remarks import found_nothing, graph_hint
from fstmetrics.support.errors import InputError
from fstmetrics.support.file_sets import is_several
from fstmetrics.support.printable import counted
from fstmetrics.support.progress import listener
from fstmetrics.support.source import Source, open_text
from fstmetrics.text.normalisation import Normalisation

# Formats of lines with times, which sentences with numbers may have the form of.
TIMED = frozenset({"stm", "ctm"})
NO_TAGS = (
    "gives candidates for the tags of references in fstalign's NLP format, and there are no such references"
)


def read_side(
    request: Request,
    path: str,
    is_hypothesis: bool,
    may_stream: bool,
    name: str = "--ref-format",
    both: bool = False,
    column: str = "",
    stored: bool = False,
    is_source: bool = False,
    called: str | None = None,
) -> Side:
    """Open a path: read it, or find that it is to be read item by item, or when others are known.

    Args:
        request: how to read.
        path: a file or folder.
        is_hypothesis: which side it is on.
        may_stream: whether it may be read item by item.
        name: the option that names the format of references.
        both: whether it is a table that has the other side, too.
        column: which column of a table is meant, where there are several of hypotheses.
        stored: whether a large text may stay in its file; where it may be read item by item, it may.
        is_source: whether it is on neither side, and has the sources, which are read as references are.
        called: as of `TableOptions`.

    Raises:
        FstmetricsError: it cannot be read.
    """
    of_hypotheses, of_references = request.format, request.ref_format
    if both:
        of_hypotheses = of_references = of_hypotheses or of_references
    path, format = resolve(path, of_hypotheses if is_hypothesis else of_references)
    own: SideName = "source" if is_source else "hypothesis" if is_hypothesis else "reference"
    lacks_texts = request.in_sessions == (SPOKEN_TIMES,)
    table = TableOptions(own, both, request.columns, column, lacks_texts, called)
    options = (
        ReadOptions(
            request.symbols, weights=request.weights, table=table, features=request.features,
            in_sessions=request.in_sessions, missing=request.missing,
        )
        if is_hypothesis
        else ReadOptions(
            alternations=request.alternations, format_option=name, table=table,
            tag_candidates=request.tag_candidates, in_sessions=request.in_sessions,
        )
    )  # fmt: skip
    opened = open_text if (may_stream or stored) and "://" not in path else Source.open
    with listener.get().stages(f"reading {path}"):
        if (
            not is_hypothesis
            and format is None
            and os.path.isdir(path)
            and (read_project := project_reader(path))
        ):
            items, sentences = read_project(path)
            return Side(path, path, None, ReadOptions(table=table), items, sentences=sentences)
        stream = open_stream(path, format, options) if may_stream else None
        if isinstance(stream, Stream):
            return Side(path, path, format, options, stream=stream)
        if isinstance(stream, Items):
            return Side(path, path, format, options, stream)
        source = stream or (opened(path) if os.path.isfile(path) or not is_several(path) else path)
        side = Side(path, source, format, options)
        if format is None and side.is_blank and side.is_empty_manifest:
            if not is_hypothesis:
                raise source.error("is empty")  # type: ignore[union-attr]
            return side.read_lines(False)
        if format is not None or not isinstance(source, Source) or recognised(source, options):
            return side.read()
        if not side.is_blank and source.line_survey.lines:
            return replace(side, lines=Lines(source, options.format_option))
        if not is_hypothesis and not source.content:
            raise source.error("is empty")
        return side.read_lines(False)


def settled(sides: Sequence[Side]) -> list[Side]:
    """Sides that are read, with ids where they have any.

    A text does not say whether its lines begin with ids, nor an n-best list whether its numbers are ids or an order;
    the names of lattices and networks say it best, the ids of other texts second best.

    Raises:
        FstmetricsError: it cannot be settled, or a text cannot be read.
    """
    sure = [side for side in sides if side.lines is None and side.has_ids and not side.is_empty]
    telling = [side for side in sure if not side.is_text] or sure
    texts = [side.lines for side in sides if side.lines]
    if len(sure) == len(sides):
        return _checked(list(sides))
    known = KnownIds([side.own_ids for side in telling])
    found = list(sides)
    unsettled = [n for n, side in enumerate(sides) if not (side.lines or side.has_ids or side.is_blank)]
    if unsettled:
        guessed = known.all or frozenset().union(*(lines.ids for lines in texts if lines.look_like_ids))
        for place in unsettled:
            # The first words of lines, of which it is not settled that they are ids, make no recording of rows.
            if ids := known.all if sides[place].is_table else guessed:
                found[place] = sides[place].read(ids)
    others = [
        WithoutIds(side.path, len(side.items.items), partial(texts_of, side))
        for side in found
        if not (side.lines or side.has_ids or side.is_empty)
    ]
    is_part = any(side.stream for side in telling)
    begins = partial(_begins, telling)
    have, doubt = settle(texts, known, is_part, others, partial(graph_hint, found), begins)
    verdicts = iter(have)
    return _checked([side.read_lines(next(verdicts), doubt) if side.lines else side for side in found])


def _begins(sides: Sequence[Side], word: str) -> bool:
    """Whether a text of some sides begins with a word, or a network or lattice has it."""
    return any(
        word in (text.split()[:1] if side.is_text else text.split())
        for side in sides
        for text in texts_of(side)
    )


def _by_sentence(side: Side, project: Side) -> Side:
    """A side without ids with those of a project's sentences, not all of which have a network.

    Raises:
        InputError: another number of items than sentences, so that nobody knows which they are of.
    """
    found, wanted = len(side.items.items), len(project.sentences)
    if found != wanted or any(item.is_rest for item in side.items.items):
        raise InputError(
            f"has {counted(found, 'item')} without ids, and {project.path} {counted(wanted, 'sentence')}, not all "
            "with a network: give one for each sentence, in their order, or ids",
            side.path,
        )
    return replace(side, items=_renamed(side.items, project.sentences), by_sentence=project.path)


def _checked(sides: list[Side]) -> list[Side]:
    """The sides, unless `--fields` finds no table among them, or a folder of texts has ids in some files only."""
    tables = [side for side in sides if [format for format in side.kinds if format.has_sides]]
    table = sides[0].options.table
    if table.given and not tables and table.columns - {""} and table.side != "source":
        raise InputError(NO_TABLE, ", ".join(dict.fromkeys(side.path for side in sides)))
    weighed = [side for side in sides if side.options.weights]
    if weighed:
        refuse_unused_weights(weighed[0].options.weights, [name for side in weighed for name in side.formats])
    if numbered := [side for side in sides if side.options.symbols and not side.is_empty]:
        refuse_unused_symbols(numbered[0].options.symbols, [(side.path, side.formats) for side in numbered])
    candidates = [side for side in sides if side.options.tag_candidates]
    if candidates and not [side for side in candidates if "nlp" in side.formats]:
        raise InputError(NO_TAGS, candidates[0].options.tag_candidates)
    for side in sides:
        if isinstance(side.source, Source) or not is_several(side.path):
            continue
        if not (side.has_ids or side.is_by_order or side.has_both or side.is_empty):
            raise InputError(
                f"holds several files whose items have no ids ({', '.join(side.formats)}): a file of a folder is one "
                "item, called by its name; give the items ids, or one file",
                side.path,
            )
    for side in sides:
        if side.formats == ("records",) and not side.has_ids and isinstance(side.source, Source):
            _check_recorded(side, [each for each in sides if each.options.table.side == "reference"])
    if tables and len(sides) > 1 and not sides[0].options.in_sessions:  # what speakers say pairs no rows
        sides = _checked_rows(sides)
    if projects := [side for side in sides if side.sentences and len(side.sentences) > len(side.items.items)]:
        sides = [side if side.has_ids or side.is_empty else _by_sentence(side, projects[0]) for side in sides]
    if len(sides) > 1 and [side for side in sides if side.has_ids and side.may_be_names]:
        first, *others = [side.items.native for side in sides]
        if not (first and all(other and in_the_order_of(first, other) for other in others)):
            return _by_file_names(sides)
    return sides


def _checked_rows(sides: list[Side]) -> list[Side]:
    """The sides, of which some are tables, with remarks on rows whose own references other files have in other rows.

    Raises:
        InputError: rows that may not pair as their makers meant.
    """
    tables = [side for side in sides if side.is_table and not (side.stream or side.is_by_order)]
    if len(tables) > 1:
        from fstmetrics.io.table_ids import refuse_contradicted, refuse_other_columns  # tables only

        _refuse_doubtful([side for side in tables if not side.has_ids], refuse_other_columns)
        if ID not in sides[0].options.table.given:
            _refuse_doubtful([side for side in tables if side.has_ids], refuse_contradicted)
    references = [side for side in sides if side.options.table.side == "reference" and side.is_text]
    notation = references[0].options.alternations if references else None
    hypotheses = {side.path: side for side in sides if side.is_table and side not in references}
    own = [side for side in references if side.has_both] or [
        side
        for each in hypotheses.values()
        if any(_pair_by_place(each, other) for other in references or hypotheses.values())
        and (side := each.own_references(notation))
    ]
    others = [side for side in references if not side.has_both] or own[:1]
    remarks = [checked_order(side, other) for side in own for other in others if side is not other]
    return remarked_first(sides, [*filter(None, remarks)]) if any(remarks) else sides


def _check_recorded(side: Side, references: Sequence[Side]) -> None:
    """Raise an InputError for records without ids whose closest references are those of other rows."""
    from fstmetrics.io.formats.records import read_objects  # records only

    assert isinstance(side.source, Source)
    closest = [" ".join(map(str, record.get("closest") or ())) for _, record in read_objects(side.source)]
    texts = [[" ".join(text.split()) for text in other.first_texts] for other in references]
    rows, known = list(zip(*texts, strict=False)), list(map(frozenset, texts))
    # Of several references the one that is the closest, or that is the closest of another row.
    paired = [
        min(zip(known, row, strict=True), key=lambda each: (each[1] != own, own not in each[0]))[1]
        for own, row in zip(closest, rows, strict=False)
    ]
    if rows and len(closest) == len(rows):
        checked_order(_with_texts(side, closest), _with_texts(references[0], paired))


def _with_texts(side: Side, texts: Iterable[str]) -> Side:
    """The same with other texts."""
    return replace(side, items=replace(side.items, items=[Item(None, None, text) for text in texts]))


def _refuse_doubtful(tables: Sequence[Side], refuse: Callable[[Items, Items], None]) -> None:
    """Raise an InputError for the first table and another one that may not pair as their makers meant."""
    for other in tables[1:]:
        if other.path != tables[0].path:
            refuse(tables[0].items, other.items)


def _pair_by_place(own: Side, other: Side) -> bool:
    """Whether order pairs rows, or ids that are whole numbers and may be no more than those of rows."""
    return not other.stream and not (
        own.has_ids and other.has_ids and not all(str(item.id).isdecimal() for item in own.items.items[:1])
    )


def checked_order(own: Side, other: Side) -> str:
    """What to say of rows that pair by their place and whose own references another file has in other rows; empty where
    there are none. Ids that a caller names are obeyed.

    Raises:
        InputError: the rows are in another order; of ids, most rows are.
    """
    are_by_id = own.has_ids and other.has_ids
    table = own.options.table
    if not _pair_by_place(own, other):
        return ""
    from fstmetrics.engine.misplaced_items import moved_rows  # tables only

    ours, theirs = own.first_texts, other.first_texts
    rows: Sequence[object] = range(1, len(ours) + 1)
    if are_by_id:
        of_id = dict(zip([item.id for item in own.items], ours, strict=True))
        there = {item.id: text for item, text in zip(other.items, theirs, strict=True) if item.id in of_id}
        rows, ours, theirs = list(there), [of_id[id] for id in there], list(there.values())
    if len(ours) != len(theirs) or (moved := moved_rows(ours, theirs)) is None:
        return ""
    row, place = moved.first
    what = "id" if are_by_id else "row"
    found = (
        f"has the reference {ours[row]!r:.80} in {what} {rows[row]}, and {other.path} in {what} {rows[place]}"
    )
    if (ID in table.given and are_by_id) or not (moved.are_most if are_by_id else moved.is_order):
        return f"{own.path} {found}: {moved.rows} own references are those of other rows"
    given = f", with the same {OPTION}" if table.given else ""
    advice = f"say which column has the ids, {'be it these, ' if are_by_id else ''}{OPTION} {ID}=COLUMN"
    if own.has_ids != other.has_ids:
        advice = f"give {(other if own.has_ids else own).path} ids, too"
    if not own.is_table:
        raise InputError(
            f"row {rows[row]} was scored by the reference that {other.path} has in row {rows[place]}, so order would "
            "pair other rows: put the records in the order of the references, or score texts with ids",
            own.path,
        )
    raise InputError(
        f"{found}, so {'these ids' if are_by_id else 'order'} would pair other rows: {advice}, or put the rows in one "
        f"order; fstmetrics score {quote(own.path)}{given} takes its own references",
        own.path,
    )


def read_table(request: Request, path: str, column: str = "") -> Side:
    """The hypotheses of a file that may be a table of both sides (`Side.is_table`).

    Args:
        request, path, column: as of `read_side`.

    Raises:
        FstmetricsError: it cannot be read.
    """
    return read_side(request, path, True, False, both=True, column=column, stored=True)


def read_both(request: Request, path: str) -> list[Side]:
    """The hypotheses and the references of one table, which is opened once; or hypotheses alone, behind `--ref REF`.

    Raises:
        FstmetricsError: it cannot be read, or is no table that may have both.
    """
    # Of references alone, `--ref-format` says nothing of this file.
    hypotheses = read_table(replace(request, ref_format=None) if request.ref_leads else request, path)
    if hypotheses.is_empty_manifest:
        raise InputError("is empty", path)
    if not hypotheses.is_table and request.ref_leads:
        options = replace(hypotheses.options, table=TableOptions("hypothesis", given=request.columns))
        return [replace(hypotheses, options=options)]
    if not hypotheses.is_table and request.more_references:
        raise InputError(
            "the first references are an argument: REF HYP --ref MORE; one of them is missing. If these are the "
            f"hypotheses: --ref {request.more_references[0]} {path}",
            path,
        )
    if not hypotheses.is_table:
        raise InputError(
            "HYP is missing: one file is enough where its rows have the reference and the hypothesis (JSON Lines, "
            "CSV, Parquet, ...)",
            path,
        )
    return [hypotheses, hypotheses.references_beside(request.alternations)]


def read_alike(
    paths: Sequence[str],
    format: str | None,
    words: Normalisation,
    beside: Sequence[Side] = (),
    sides: Sequence[SideName] = (),
    called: Sequence[str | None] = (),
) -> list[Side]:
    """Texts as of `read_texts`, with remarks on marks that only some of them have, sources aside, which are first.

    Args:
        paths, format, sides, called: as there.
        words: what is done to words.
        beside: what they stand beside.

    Raises:
        FstmetricsError: as there, or as of `unmarked`.
    """
    found, others = read_texts(paths, format, None, sides=sides, called=called), sides.count("source")
    theirs = found[others:]
    request = Request(tokenize=words.tokenize, lowercase=words.lowercase)
    return [*found[:others], *(unmarked([*theirs, *beside], request)[: len(theirs)] if theirs else ())]


def read_texts(
    paths: Sequence[str],
    format: str | None,
    alternations: Notation | None,
    fields: Sequence[str] = (),
    sides: Sequence[SideName] = (),
    option: str = "--format",
    beside: Sequence[Side] = (),
    called: Sequence[str | None] = (),
) -> list[Side]:
    """Texts, all in what `option` says; `sides` has what each is, and of references alone nothing; ids of sides
    `beside` them tell theirs. `called` has what each is called, as of `TableOptions`.

    Raises:
        FstmetricsError: a file that cannot be read, or nobody knows whether its lines begin with ids.
    """
    request = Request(format=format, ref_format=format, alternations=alternations, fields=fields)
    read = [
        read_side(request, path, side == "hypothesis", False, option, is_source=side == "source", called=name)
        for path, side, name in zip_longest(paths, sides or ["reference"] * len(paths), called)
    ]
    return settled([*read, *beside])[: len(read)]


def read_source(
    path: str,
    format: str | None,
    fields: Sequence[str] = (),
    option: str = "--format",
    beside: Sequence[Side] = (),
) -> Side:
    """A text of sources: a table is known by itself; what lines are, `option` says, which is of other files, too.

    Args:
        path, format, fields, option, beside: as of `read_texts`.

    Raises:
        FstmetricsError: as there.
    """
    of_lines = format if format in (*TEXT, "trn") else None
    if of_lines and os.path.isfile(path):
        known = detect(Head(Source.open(path), known=KNOWN))
        is_table = isinstance(known, str) and FORMATS[known].has_sides
        may_be_trn = isinstance(known, Refused) and known.also == "trn"
        of_lines = None if is_table or (of_lines == "trn" and not may_be_trn) else of_lines
    (side,) = read_texts([path], of_lines, None, fields, ["source"], option, beside)
    return side


def texts_by_id(side: Side) -> list[tuple[str | None, str]]:
    """Ids and sentences of a side of texts.

    Raises:
        InputError: it has none, or holds something else.
    """
    found = []
    for item in side.items.items:
        text = item.value if item.text is None else item.text
        text = " ".join(text) if isinstance(text, tuple) else text
        if not isinstance(text, str):
            raise InputError(f"expected text, found format {', '.join(side.items.formats)}", side.path)
        found.append((item.id, text))
    if not found:
        raise InputError("holds no sentence", side.path)
    return found


def side_of(path: str, values: Iterable[Any], format: str, ids: Iterable[str | None] = ()) -> Side:
    """Values that are known to be of a format, as a side for `unmarked`, which only remarks on them then."""
    items = [
        Item(id, None, each) if isinstance(each, str) else Item(id, each)
        for id, each in zip_longest(ids, values)
    ]
    return Side(path, path, format, ReadOptions(), Items(items, (format,)))


def open_sides(
    request: Request,
    paths: Sequence[str],
    hypotheses: int,
    streams: bool = False,
    text: bool = True,
    both: bool = False,
    stored: bool = False,
) -> list[Side]:
    """Every path opened once, the first ones as hypotheses; with ids where they have any.

    One side may be read item by item: the hypotheses, otherwise the first references. With `both`, the first path is a
    table of both sides, which are the first two then.

    Raises:
        FstmetricsError: a file that cannot be read, ids that are in doubt, or, without `text`, a first file of text.
    """
    check_run_paths(request, paths)
    sides = read_both(request, paths[0]) if both else []
    has_stream = False
    for path in paths[1:] if both else paths:
        may_stream = streams and len(sides) < 2 and not has_stream
        side = read_side(request, path, len(sides) < hypotheses, may_stream, stored=stored or streams)
        has_stream = has_stream or side.stream is not None
        sides.append(side)
    if not text:
        sides[0] = sides[0].read_lines(False) if sides[0].lines else sides[0]
        _refuse_text(request, sides[0], sides[1])
    found = settled(sides)
    if [side for side in found[:hypotheses] if side.items.remarks]:
        _refuse_references(found[:hypotheses], found[hypotheses:])
    if [side for side in found if not TIMED.isdisjoint(side.formats)]:
        _refuse_half_timed(found)
    if [side for side in found if side.formats == ("plain",) and side.has_ids]:
        found = _of_documents(found, hypotheses)
    return unmarked(found, request)


def _of_documents(sides: Sequence[Side], hypotheses: int) -> list[Side]:
    """The sides, of which some are folders of texts, with a remark where lines of a file are joined on both sides, or
    in files of hypotheses alone, as n-best lists have them, of which some may have one entry.

    Raises:
        InputError: the files have the same numbers of lines, so that these are segments, and nobody says otherwise.
    """
    found = [
        {str(item.id).casefold(): item for item in side.items if isinstance(item, Document)} for side in sides
    ]
    joined: dict[str, None] = {}
    for place, reference in product(range(hypotheses), range(hypotheses, len(sides))):
        own, its = found[place], found[reference]
        pairs = [(own[id], its[id]) for id in own if id in its]
        several = sum(max(a.filled, b.filled) > 1 for a, b in pairs)
        if not several:
            continue
        side, other = sides[place], sides[reference]
        joined |= dict.fromkeys([side.path, other.path])
        are_alike = all(a.lines == b.lines for a, b in pairs)
        is_said = side.format is not None or other.format is not None
        if (
            is_said
            or 2 * several <= len(pairs)
            or not (are_alike or all(a.filled == b.filled for a, b in pairs))
        ):
            continue
        is_in_order = are_alike and list(own) == list(its)
        raise InputError(
            f"its files have as many lines each as those of {other.path}, so that these are segments, and a text of a "
            f"folder is one item: {ORDERED if is_in_order else WRITTEN}; if they are not, {side.options.format_option} "
            "plain joins the lines of each file",
            side.path,
        )
    several_lines = [[item.filled > 1 for item in own.values()] for own in found]
    lists = ""
    if not any(map(any, several_lines[hypotheses:])):
        alone = [sides[place].path for place in range(hypotheses) if any(several_lines[place])]
        joined |= dict.fromkeys(alone)
        lists = "; --format nbest-lines if they are the entries of n-best lists" * bool(
            alone and not sides[0].format
        )
    if not joined:
        return [*sides]
    return remarked_first(
        sides, [f"the lines of each file are joined to one item: {', '.join(joined)}{lists}"]
    )


# How each line becomes an item: where order pairs the lines of files, and otherwise.
ORDERED = "--fields id= takes each line as one"
WRITTEN = "awk NF FILE1 FILE2 ..., the same files of both sides in one order, writes each side as one file"


def _refuse_text(request: Request, hypotheses: Side, references: Side) -> None:
    """Raise an InputError for text in the place of lattices, or a file that holds nothing."""
    if not hypotheses.is_text or (request.format and hypotheses.items.items):
        return
    found = found_nothing(hypotheses) if hypotheses.is_empty else "looks like text"
    of_text = "--format says what it is, such as nbest-kaldi"
    if is_several(hypotheses.path):
        of_text = "--format says what it is, such as nbest-lines, of which each file is one list, called by its name"
    if hypotheses.is_table:
        of_text = (
            "a row has one text; write `id ||| words` lines (format nbest), or rows with lists (nbest-json)"
        )
    swapped = (
        f"REF comes first, LATTICES second: fstmetrics oracle {join([hypotheses.path, references.path])}"
    )
    advice = of_text if references.is_text else swapped
    raise InputError(f"{found}, not lattices or n-best lists; {advice}", hypotheses.path)


def _refuse_references(hypotheses: Sequence[Side], references: Sequence[Side]) -> None:
    """Raise an InputError for a manifest of references in the place of hypotheses: the texts are the references'."""
    for side in hypotheses:
        said = [remark for remark in side.items.remarks if USUALLY_REFERENCE in remark]
        for other in references if said else ():
            if _are_same(side.items, other.items):
                raise InputError(
                    f"has the texts of {other.path}, and no column of hypotheses: is it the manifest of references? "
                    f"{OPTION} {HYPOTHESIS}=COLUMN scores a column all the same",
                    side.path,
                )


def refuse_two_hypotheses(hypotheses: Sequence[Side]) -> None:
    """Raise an InputError for rows of which nobody has said whether their n-best lists or their texts are scored."""
    for side in hypotheses:
        for remark in side.items.remarks if side.format is None else ():
            if TWO_HYPOTHESES in remark:
                raise InputError(
                    "has n-best lists and texts of hypotheses in its rows: --format jsonl scores the texts, --format "
                    "nbest-json the best of each list (fstmetrics oracle shows its first, too)",
                    side.path,
                )


def _are_same(side: Items, other: Items) -> bool:
    """Whether two sides have the same ids with the same texts, in any order."""
    ours, theirs = side.native, other.native
    if ours and theirs and ours.ids is not None and theirs.ids is not None:
        if len(ours) != len(theirs):
            return False
        ordered = in_the_order_of(theirs, ours)
        if ordered is not None:
            return bool(ordered.values == theirs.values)
    return {(item.id, item.text) for item in side.items} == {(item.id, item.text) for item in other.items}


def by_overlap(sides: Sequence[Side], hypotheses: int) -> list[Side]:
    """Sides whose ids are made of times, with the ids of the first references that their segments overlap.

    Raises:
        InputError: a segment that overlaps several.
    """
    found = list(sides)
    for side in sides[:hypotheses]:
        if side.kinds and side.kinds[0].has_times and hypotheses < len(sides):
            from fstmetrics.scoring.words_in_segments import by_segments

            found = by_segments(found, hypotheses)
            break
    timed = [format.ids_from_times for side in sides[hypotheses : hypotheses + 1] for format in side.kinds]
    if not timed or False in timed or [side for side in sides if side.stream or side.lines]:
        return found
    for place, side in enumerate(sides):
        if place != hypotheses and (pairs := paired_by_overlap(side.items, sides[hypotheses].items)):
            found[place] = replace(side, items=pairs.items, overlaps=pairs.remark)
    return found


def _by_file_names(sides: Sequence[Side]) -> list[Side]:
    """Sides with the names of files as ids, where these pair what folders or endings part."""
    # Not all ids of a stream are known, and it keeps them.
    held = [
        [str(item.id) for item in side.items if not item.is_rest]
        if side.has_ids and not (side.is_empty or side.stream)
        else None
        for side in sides
    ]
    streams = [list(side.ids) for side in sides if side.stream]
    renamed = shared_names([*held, *streams])
    return [
        side if names is None else replace(side, items=_renamed(side.items, names), by_file_name=True)
        for side, names in zip(sides, renamed[: len(sides)], strict=True)
    ]


def _renamed(items: Items, ids: Iterable[str]) -> Items:
    """The items with other ids."""
    new = iter(ids)
    return replace(
        items, items=tuple(item if item.is_rest else replace(item, id=next(new)) for item in items)
    )


def _refuse_half_timed(sides: Sequence[Side]) -> None:
    """Raise an InputError for a text with the form of segments or words with times beside lines of text, as many."""
    for side in sides:
        if (form := side.form) not in TIMED:
            continue
        for other in sides:
            if other.formats == ("plain",) and len(other.items.items) == len(side.items.items):
                option = side.options.format_option
                raise InputError(
                    f"its lines have the form of {form} ({FORMS[form]}), and {other.path} is text of as many lines: "
                    f"{option} plain if these are words, {option} {form} if they are times",
                    side.path,
                )
