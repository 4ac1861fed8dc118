"""The format of a file, as the rules of `io.detection` tell it: `recognise`, and `items_of_file`, its items.

Formats of other packages are asked where no rule for those that ship applies: by content, by name, by content again.

Which files of a folder, a pattern or a list are read, and the format of each: `folder_plan`.

A folder in which a program keeps networks is read by what the program names as an entry point of the group
`fstmetrics.projects`, under the file that such a folder has: `project.sqlite` of the annotation tool.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import NamedTuple

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
from fstmetrics.io.ids import KALDI_NAME, Lines, look_like_ids
from fstmetrics.io.items import Format, Item, Items, ReadOptions, Recognised
from fstmetrics.io.register import SHIPPED
from fstmetrics.support.errors import InputError
from fstmetrics.support.file_sets import AnyFile, files_of, is_remote
from fstmetrics.support.limits import limits
from fstmetrics.support.names import unknown
from fstmetrics.support.plugins import Registry
from fstmetrics.support.printable import counted
from fstmetrics.support.source import HEAD, File, Source, encoding_advice, file_name, stem

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


# What a dataset of Hugging Face has beside its tables, where it is saved in a folder.
DATASET_NOTES = ("dataset_info.json", "state.json")
# Endings of the other files that Whisper writes of a recording.
WHISPER_BESIDE = (".txt", ".vtt", ".srt", ".tsv", ".csv", ".lrc")
# Of these a file holds some items, or it was not written to its end. A text of a folder is one, maybe without words.
NEVER_EMPTY = frozenset({"jsonl", "csv", "tsv", "kaldi-text"})
# What is written about a folder's other files.
NOTES = re.compile(
    r"(?:README|LICEN[CS]E|COPYING|NOTICE|CHANGELOG|AUTHORS)(?:\.\w+)?|.*\.(?:md|rst)", re.IGNORECASE
)
# Recordings that stand beside their transcripts.
SOUND = re.compile(r".*\.(?:wav|flac|mp3|m4a|ogg|opus|sph|aac|wma)", re.IGNORECASE)
# All files that `annotate --export` writes beside the folders of its annotators.
EXPORTED = {"annotators.csv", "progress.csv"}
# So many names of files are shown.
SHOWN = 3
# Short files are read once, to be recognised and for their items, up to so many bytes of a folder.
KEPT = 1 << 23


def folder_plan(folder: AnyFile, chosen: Format | None, options: ReadOptions) -> list[tuple[File, Format]]:
    """The files of a folder, a pattern or a list that are to be read, and the format of each.

    Raises:
        InputError: as of `read_items`; or a text or table without a byte among them, whose items would be left out.
    """
    files: dict[AnyFile, File] = {}
    plan = _folder_plan(folder, chosen, options, files)
    if all(format.holds == "text" for _, format in plan):
        _tell_notes(folder, plan, options)
        all_texts = all(format.name == "plain" for _, format in plan)
        for path, format in plan:
            if (format.name in NEVER_EMPTY or (format.name == "plain" and not all_texts)) and _is_empty(path):
                raise InputError(
                    f"is empty, and would be read as a part of {folder}: write it again, or leave it out",
                    path,
                )
    return [(files.get(path) or File(str(path)), format) for path, format in plan]


def _is_empty(path: AnyFile) -> bool:
    if isinstance(path, Path):
        return path.is_file() and not os.path.getsize(path)
    from fstmetrics.support.remote_files import size_of

    return size_of(str(path)) == 0


def _folder_plan(
    folder: AnyFile, chosen: Format | None, options: ReadOptions, files: dict[AnyFile, File]
) -> list[tuple[AnyFile, Format]]:
    if isinstance(folder, Path) and folder.is_dir() and (whole := whole_plan(folder, chosen)):
        return whole
    paths = files_of(str(folder))
    if set(DATASET_NOTES) <= {path.name for path in paths}:
        paths = [path for path in paths if path.name not in DATASET_NOTES]
    paths = _without_notes(folder, paths)
    if isinstance(folder, Path) and {path.name for path in paths} == EXPORTED:
        raise export_refused(folder)
    if chosen is None:
        return _recognised(folder, paths, options, files)
    if is_only_asked(chosen) and chosen.name not in TEXT and not folder.is_dir():
        return [(path, chosen) for path in paths]  # no content tells; a pattern or a list does
    plan = [(path, chosen) for path in paths if _fits(path, chosen, options)]
    if not plan and chosen.name == "nbest-lines":  # of text, which only its name tells, if anything
        plan = [(path, chosen) for path in paths if Source.open(path).is_text]
    if not plan:
        raise InputError(f"no file in this folder looks like format {chosen.name}", folder)
    _tell_left_out(folder, paths, [path for path, _ in plan], options)
    return plan


def export_refused(folder: Path) -> InputError:
    """The error of a folder that `annotate --export` has written, whose networks are in folders."""
    inside = sorted(str(each) for each in folder.iterdir() if each.is_dir())
    return InputError(
        f"is an export of annotate, with a folder of networks for each annotator: give one of them, "
        f"{', '.join(inside[:SHOWN])}, or the project",
        folder,
    )


def whole_plan(folder: Path, chosen: Format | None) -> list[tuple[AnyFile, Format]]:
    """The same of a folder that is one thing in itself, as Kaldi's data folder, by the names of its files and the
    formats of other packages; none of a folder of files."""
    formats = [chosen]
    if chosen is None:
        names = os.listdir(folder)
        marked = [
            FORMATS[name]
            for name, each in SHIPPED.items()
            if each.mark and any(map(re.compile(each.mark).fullmatch, names))
        ]
        formats = [*marked, *FORMATS.others.values()]
    for format in formats:
        if format and format.folder and (found := format.folder(folder)):
            return [(path, format) for path in found]
    return []


def _without_notes(folder: AnyFile, paths: list[AnyFile]) -> list[AnyFile]:
    """The files of a folder without what is written about it, README.md or LICENSE, and without recordings."""
    found = [path for path in paths if NOTES.fullmatch(path.name) or SOUND.fullmatch(path.name)]
    is_folder = isinstance(folder, Path) and folder.is_dir()
    return [path for path in paths if path not in found] if is_folder and len(found) < len(paths) else paths


def _tell_notes(folder: AnyFile, plan: Sequence[tuple[AnyFile, Format]], options: ReadOptions) -> None:
    """Say which notes and recordings are left out of a folder of transcripts; beside lattices none is read anyway."""
    if not (isinstance(folder, Path) and folder.is_dir()):
        return
    read = {path for path, _ in plan}
    others = [each.name for each in files_of(str(folder)) if each not in read]
    if recordings := sum(SOUND.fullmatch(name) is not None for name in others):
        options.remark(f"{folder}: {counted(recordings, 'recording')} left out")
    if notes := [name for name in others if NOTES.fullmatch(name)]:
        names = ", ".join([*notes[:SHOWN], *["..."][: len(notes) > SHOWN]])
        options.remark(f"{folder}: left out as notes: {names}")


def _tell_left_out(
    folder: AnyFile, paths: Sequence[AnyFile], read: Sequence[AnyFile], options: ReadOptions
) -> None:
    """Name the files of a folder that are called like those that are read, and are not read: they may be damaged."""
    chosen, endings = set(read), {_ending(path) for path in read}
    if left_out := [path.name for path in paths if path not in chosen and _ending(path) in endings]:
        names = ", ".join([*left_out[:SHOWN], *["..."][: len(left_out) > SHOWN]])
        options.remark(
            f"{folder}: {counted(len(left_out), 'file')} left out, unlike the others in content: {names}"
        )


def _ending(path: AnyFile) -> str:
    """What a name ends in; numbers of parts (lat.1, lat.2.gz) are none."""
    ending = os.path.splitext(path.name.removesuffix(".gz"))[1]
    return "" if ending[1:].isdigit() else ending


def _recognised(
    folder: AnyFile, paths: list[AnyFile], options: ReadOptions, files: dict[AnyFile, File]
) -> list[tuple[AnyFile, Format]]:
    """Each file's format, without text files if there are others; `files` gets those that were opened for it."""
    found: dict[AnyFile, Format] = {}
    unsupported: dict[AnyFile, UnsupportedError] = {}
    failure: InputError | None = None
    unreadable: list[AnyFile] = []
    room = min(KEPT, limits().bytes)
    for path in paths:
        file = files[path] = File(str(path))
        try:
            head = file.head(room)
            room -= len(file.kept or b"")
            format = by_beginning(head)
            if format is None or (format.name == "jsonl" and options.known_ids):
                format = _format_in_folder(_whole(head), options)
            found[path] = format
        except UnsupportedError as error:
            unsupported[path] = error
        except InputError as error:
            failure = failure or error
            unreadable += [path] if _is_unreadable(path) else []
    structured = {path: format for path, format in found.items() if format.holds != "text"}
    if structured:
        if unreadable:
            structured = _with_unreadable(paths, structured, unreadable)
        others = {path: error for path, error in unsupported.items() if not error.is_text}
        if others or len({format.name for format in structured.values()}) > 1:
            _refuse_several_formats(folder, structured, others, options)
        if len(structured) < len(paths):
            _tell_left_out(folder, paths, list(structured), options)
        return list(structured.items())
    if transcripts := _transcripts(paths, found):
        if left_out := len(paths) - len(transcripts):
            options.remark(
                f"{folder}: the JSON files of Whisper are read, and {left_out} of the same names are not"
            )
        return list(transcripts.items())
    for problem in (*unsupported.values(), failure):
        if problem is not None:
            raise problem
    if not found:
        is_nested = isinstance(folder, Path) and folder.is_dir() and any(map(Path.is_dir, folder.iterdir()))
        advice = (
            f", only folders: a pattern in quotes reads their files, as '{folder}/*/*'" if is_nested else ""
        )
        raise InputError(f"this folder has no file to read{advice}", folder)
    return list(found.items())


def _format_in_folder(source: Source, options: ReadOptions) -> Format:
    """The format of a file of a folder, where a text is one item; one with Kaldi's name has ids.

    Raises:
        InputError: a text whose lines begin with words that may be ids.
    """
    if format := recognised(source, options):
        return format
    if source.name == KALDI_NAME:
        return FORMATS["kaldi-text"]
    lines = Lines(source, options.format_option)
    may_be_ids = lines.count > 1 and lines.look_like_ids and not lines.are_numbers
    if may_be_ids and (lines.are_certain or lines.are_different):
        raise InputError(
            f"its lines begin with what looks like ids ({lines.shown()}, ...), and a text of a folder is one item, "
            f"called by its name: {options.format_option} kaldi-text if each line is an item, {options.format_option} "
            "plain if not",
            source.path,
        )
    return FORMATS["plain"]


def _transcripts(paths: list[AnyFile], found: dict[AnyFile, Format]) -> dict[AnyFile, Format]:
    """The JSON files that Whisper has written, where all other files are the same recordings in its other formats."""
    transcripts = {path: format for path, format in found.items() if format.name == "whisper"}
    stems = {stem(path) for path in transcripts}
    others = [path for path in paths if path not in transcripts]
    are_same = all(path.suffix in WHISPER_BESIDE and stem(path) in stems for path in others)
    return transcripts if are_same else {}


def _is_unreadable(path: AnyFile) -> bool:
    """Whether not even the beginning of a file can be had: damaged gzip, no permission, a link that leads nowhere."""
    try:
        _read_beginning(path)
    except InputError:
        return True
    return False


def _read_beginning(path: AnyFile) -> None:
    """Raise an InputError where the beginning of a file cannot be read."""
    with File(str(path)).opened() as stream:
        stream.read(HEAD)


def _with_unreadable(
    paths: list[AnyFile], found: dict[AnyFile, Format], unreadable: list[AnyFile]
) -> dict[AnyFile, Format]:
    """The files that are lattices or networks, and those that cannot be read but are called like them.

    They are reported when their turn comes: leaving them out without a word would change a score.

    Raises:
        InputError: a file cannot be read, and its name does not say what it is.
    """
    for path in unreadable:
        format = next((each for each in found.values() if has_extension(path, each)), None)
        if format is None:
            _read_beginning(path)  # says what is wrong
        else:
            found[path] = format
    return {path: found[path] for path in paths if path in found}


def _refuse_several_formats(
    folder: AnyFile,
    found: dict[AnyFile, Format],
    unsupported: dict[AnyFile, UnsupportedError],
    options: ReadOptions,
) -> None:
    """Raise an InputError if files of one stem differ in format: they are the same lattice several times.

    So too if there are lattices that cannot be read: leaving them out must be somebody's decision.
    """
    by_stem: dict[str, set[str]] = {}
    for path, format in found.items():
        by_stem.setdefault(stem(path), set()).add(format.name)
    if not unsupported and all(len(names) == 1 for names in by_stem.values()):
        return
    usable = ", ".join(sorted({format.name for format in found.values()}))
    others = ", ".join(sorted({error.name for error in unsupported.values()}))
    also = f" (also {others}, not supported yet)" if others else ""
    raise InputError(
        f"holds several formats: {usable}{also}; choose one with {options.format_option}", folder
    )


def _fits(path: AnyFile, format: Format, options: ReadOptions) -> bool:
    """Whether a file of a folder is in the format asked for.

    A file whose name says so, but whose content is nothing that is known, is taken too: it is damaged,
    and leaving it out without a word would change a score.
    """
    try:
        if by_beginning(File(str(path)).head()) is format:
            return True
        source = Source.open(path)
    except InputError:  # damaged gzip, or not to be read at all
        if has_extension(path, format):
            return True
        raise
    if format.fits(source):
        return True
    if not has_extension(path, format):
        return False
    try:
        return recognise(source, options) is format
    except UnsupportedError:
        return False
    except InputError:
        return True


def _whole(head: Source) -> Source:
    """A file whose beginning has been read; that of a small one is all of it."""
    is_all = not is_remote(head.path) and os.path.getsize(head.path) == len(head.data)
    return head if is_all else Source.open(head.path)


class ProjectNetworks(NamedTuple):
    """The networks of a project, and the ids of all its sentences, of which some may have no network yet."""

    items: Items
    sentences: tuple[str, ...]


Reader = Callable[[str], ProjectNetworks]
PROJECTS: Registry[Reader] = Registry("reader of projects", "fstmetrics.projects", dict)
# Files that a project may be kept in: other folders are not asked for.
SUFFIX = ".sqlite"


def project_reader(path: str) -> Reader | None:
    """What reads a folder as a project; None where it is none."""
    marks = [file.name for file in Path(path).glob(f"*{SUFFIX}")]
    return next((PROJECTS[name] for name in marks if name in PROJECTS), None)
