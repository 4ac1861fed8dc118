"""The format of a file, as the rules of `io.detection` tell it: `recognise`, and `items_of_file`, its items.

Formats of other packages are asked where no rule for those that ship applies: by content, by name, by content again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike

from fstmetrics.io.column_roles import KNOWN
from fstmetrics.io.detection.formats_and_refusals import (
    ASKED,
    CERTAIN,
    TABLE,
    TEXT,
    UNSEEN,
    UTF16,
    Answer,
    detect,
)
from fstmetrics.io.detection.head import CONTROL, Head
from fstmetrics.io.detection.json_signs import are_segments
from fstmetrics.io.detection.text_signs import WANTED, Refused
from fstmetrics.io.formats import FORMATS
from fstmetrics.io.formats.kaldi_text import choose_text_format
from fstmetrics.io.ids import look_like_ids
from fstmetrics.io.items import Format, Item, ReadOptions, Recognised
from fstmetrics.io.register import SHIPPED
from fstmetrics.support.errors import InputError
from fstmetrics.support.names import unknown
from fstmetrics.support.source import HEAD, Source, encoding_advice, file_name

# Formats that no content tells.
ONLY_ASKED = UNSEEN.union(ASKED)


class UnsupportedError(InputError):
    """A file that is known, and not read.

    Attributes:
        name: what it is.
        is_text: whether it holds transcripts, and so counts as text among lattices.
    """

    def __init__(self, source: Source, found: Refused, remark: str = "") -> None:
        self.name, self.is_text = found.name, found.is_text
        super().__init__(f"looks like {found.called}: {found.advice}{remark}", source.path)


def recognise(source: Source, options: ReadOptions) -> Format:
    """The format of a file.

    Raises:
        InputError: it is none of the formats, or one that is known but not supported.
    """
    return recognised(source, options) or choose_text_format(source, options)


def recognised(source: Source, options: ReadOptions) -> Format | None:
    """The same; None for sentences of which nothing but other files tells whether they begin with ids.

    What no shipped format is recognised in may be in one of another package.
    """
    faults: list[str] = []
    answer: Answer = None
    error: InputError | None = None
    try:
        columns = options.table.columns if options.table.given else None
        answer = detect(Head(source, known=KNOWN, columns=columns), TABLE, faults)
    except InputError as refusal:
        error = refusal
    if isinstance(answer, str):
        return beside_ids(FORMATS[answer], source, options)
    if FORMATS.others and (found := _of_other_packages(source, faults)):
        return found
    for fault in faults:
        options.remark(f"{source.path}: {fault}")
    if error:
        raise error
    if answer is not None:
        raise _refusal(source, answer, options)
    if not source.is_text and (control := CONTROL.search(source.beginning)):
        neither = f"neither text (byte 0x{control[0][0]:02x}) nor a format that is recognised"
        choose = f"convert it, or say with {options.format_option} what it is (docs/formats.md)"
        raise source.error(f"{neither}; {choose}", byte=control.start())
    # A line that no sentence is, which the first ones may not show.
    number, called = source.line_survey.stray
    if number:
        raise source.error(
            f"looks like {called}, in a file of text: {WANTED}; take such lines out, or, if it is text, use "
            f"{options.format_option} plain",
            number,
        )
    return None


def _refusal(source: Source, found: Refused, options: ReadOptions) -> InputError:
    """The error of a file that is known, and not read."""
    if found is UTF16:
        return source.error(f"not UTF-8 text; {encoding_advice(source.data, 0)}", byte=0)
    option = options.format_option
    remark = ""
    if found.may_be_text:
        firsts = [line.split()[0] for line in Head(source).lines]
        has_ids = look_like_ids(firsts) and "," not in "".join(firsts)
        remark = f"; if it is text, use {option} {'kaldi-text' if has_ids else 'plain'}"
    if found.also:
        remark = f"; {option} {found.also} if these are ids, {option} plain if they are words"
    return UnsupportedError(source, found, remark)


def beside_ids(format: Format, source: Source, options: ReadOptions) -> Format:
    """The format of a file where the other side has ids: a list of segments, rows that have none, is one recording."""
    is_list = format.name == "jsonl" and options.known_ids and not options.table.given
    return FORMATS["whisper"] if is_list and are_segments(Head(source, known=KNOWN)) else format


def _of_other_packages(source: Source, faults: list[str]) -> Format | None:
    others = list(FORMATS.others.values())
    if found := _first(others, "by content", source, faults):
        return found
    named = (format for format in others if has_extension(source.path, format))
    return next(named, None) or _first(others, "after names", source, faults)


def _first(formats: Iterable[Format], when: Recognised, source: Source, faults: list[str]) -> Format | None:
    """The first format of other packages that content looks like. One that raises is passed over."""
    for format in formats:
        try:
            if format.recognised == when and format.fits(source):
                return format
        except MemoryError:
            raise
        except Exception as error:
            faults.append(f"format {format.name} could not be tried: {type(error).__name__}: {error}")
    return None


def chosen_format(source: Source, chosen: Format | None, options: ReadOptions) -> Format:
    """The format of a file: as its user says, or as it is recognised; who says that no text is text is told.

    Raises:
        InputError: as of `recognise`, or an empty file that is not called like any format.
    """
    if chosen is None:
        chosen = recognise(source, options)
        if not source.content and chosen.name in TEXT:
            raise source.error("is empty")
    elif chosen.name in TEXT and (found := detect(Head(source, known=KNOWN, is_named=False), TABLE, [])):
        called = f"format {found}" if isinstance(found, str) else found.called
        options.remark(f"{source.path} looks like {called}, and is read as {chosen.name}, as was asked for")
    return chosen


def items_of_file(
    source: Source, chosen: Format | None, options: ReadOptions
) -> tuple[Format, Iterable[Item]]:
    """The format of a file and its items, a Block where it is one; errors as of `chosen_format`, and of reading."""
    format = chosen_format(source, chosen, options)
    if chosen is None and has_extension(source.path, format) and not format.fits(source):
        return format, _by_its_name(format.read(source, options), format, options)
    return format, format.at_once(source, options)


def _by_its_name(items: Iterator[Item], format: Format, options: ReadOptions) -> Iterator[Item]:
    """The items of a file that nothing but its name has the format of; an error says so."""
    try:
        yield from items
    except InputError as error:
        raise InputError(
            f"{error}; read as {format.name} because of its name alone: {options.format_option} says what it is"
        ) from None


def by_beginning(head: Source) -> Format | None:
    """The format that the beginning of a file is enough to tell, if there is one; it is what `recognise` would find."""
    seen = Head(head, is_whole=len(head.content) < HEAD, known=KNOWN)
    answer = detect(seen, CERTAIN, [])
    if isinstance(answer, str):
        return FORMATS[answer]
    if answer is None and seen.name.endswith(SHIPPED["moses-cn"].extensions) and seen.json is None:
        return FORMATS["moses-cn"]
    return None


def is_only_asked(format: Format) -> bool:
    """Whether no content tells this format."""
    return format.name in ONLY_ASKED if format.name in SHIPPED else format.recognised == "only asked"


def has_extension(path: str | PathLike[str], format: Format) -> bool:
    """Whether the file's name suggests the format."""
    return file_name(path).endswith(format.extensions)


def by_name(name: str) -> Format:
    """The format of a name.

    Raises:
        InputError: there is none of that name.
    """
    try:
        return FORMATS[name]
    except KeyError:
        raise InputError(unknown("format", name, FORMATS)) from None
