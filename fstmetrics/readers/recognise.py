"""Which format a file is in: `recognise`; by content where a format has a signature, then by name, then as text.

Which files of a folder are read, and the format of each: `folder_plan`.
"""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from graphlib import TopologicalSorter
from itertools import chain
from os import PathLike
from pathlib import Path

from fstmetrics.io.ids import KALDI_NAME
from fstmetrics.readers.bytes import File, Held
from fstmetrics.readers.foreign import JSON, Foreign, foreign, headed, is_utf16, table
from fstmetrics.readers.formats import FORMATS, kaldi_text, outlines, plain
from fstmetrics.readers.formats.kaldi_text import choose_text_format
from fstmetrics.readers.items import Format, Item, ReadOptions, Recognised
from fstmetrics.readers.outlines import Outline
from fstmetrics.support.errors import InputError
from fstmetrics.support.file_sets import AnyFile, files_of, is_remote
from fstmetrics.support.names import unknown
from fstmetrics.support.patterns import pattern
from fstmetrics.support.printable import counted
from fstmetrics.support.source import Source, advice, file_name, stem

# Of such bytes there are none in text.
CONTROL = pattern(rb"[\x00-\x08]")
# What tells the format of a file: before its module is imported, or of another package.
Candidate = Format | Outline
# What a text is if it is nothing else.
LAST = (plain.FORMAT, kaldi_text.FORMAT)
# Recognised, and not read unasked. By content:
_SCRIPT = Foreign(
    "Kaldi script file",
    "it names other files, and only a caller may have those read: --format scp, or scp:FILE for the path",
    is_text=False,
)
REFUSED = (
    (
        pattern(rb"(?:[A-Z]+=[^\n]*\n)*J=\d+\tS=\d+\tE=\d+\ta=[^\n]*\tw="),
        Foreign(
            "Moses word graph",
            "it does not say which states are final; have Moses write the search graph, -output-search-graph",
            is_text=False,
        ),
    ),
    (pattern(rb"\S+ [^\n]*\.(?:ark|gz|lats):\d+\r?(?:\n|$)"), _SCRIPT),
)
# The same by what a file's name is.
REFUSED_NAMES = (
    (pattern(r".*\.scp"), replace(_SCRIPT, is_text=True)),
    (
        pattern(r"preds_out_.*\.tsv"),
        Foreign(
            "file of NeMo's beam search",
            "it does not say where the candidates of one utterance end; write `id ||| words ||| ||| score` lines, "
            "format nbest, where they are found",
        ),
    ),
)


# What a dataset of Hugging Face has beside its tables, where it is saved in a folder.
DATASET_NOTES = ("dataset_info.json", "state.json")


# Endings of the other files that Whisper writes of a recording.
WHISPER_BESIDE = (".txt", ".vtt", ".srt", ".tsv")
# Of these a file holds some items, or it was not written to its end. A text of a folder is one, maybe without words.
NEVER_EMPTY = frozenset({"jsonl", "csv", "tsv", "kaldi-text"})
# So many names of files are shown.
SHOWN = 3
# One of them is in every network.
NETWORK_KEYS = (b'"cards"', b'"root"')


class UnsupportedError(InputError):
    """A file in a format that is known by name only.

    Attributes:
        name: the format's name.
        is_text: whether it holds transcripts, and so counts as text among lattices.
    """

    def __init__(self, source: Source, found: Foreign, remark: str = "") -> None:
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
    try:
        found, error = _shipped(source, options, faults), None
    except InputError as refusal:
        found, error = None, refusal
    if found or (found := _of_other_packages(source, faults)):
        return found
    for fault in faults:
        options.remark(f"{source.path}: {fault}")
    if error:
        raise error
    return None


def _of_other_packages(source: Source, faults: list[str]) -> Format | None:
    others = FORMATS.others.values()
    if found := _first(_ordered(others, "by content"), source, faults):
        return found
    named = (format for format in others if has_extension(source.path, format))
    return next(named, None) or _first(_ordered(others, "after names"), source, faults)


def _shipped(source: Source, options: ReadOptions, faults: list[str]) -> Format | None:
    for signature, refused in REFUSED:
        if signature.match(source.beginning):
            raise UnsupportedError(source, refused)
    if format := _first(_order("by content"), source, faults):
        return format
    if options.table.given and (format := _table_of(source, options)):
        return format
    if (other := foreign(source)) and not _may_be_network(source, other):
        raise UnsupportedError(source, other, _otherwise(options) if other.may_be_text else "")
    if is_utf16(source):
        raise source.error(f"not UTF-8 text; {advice(source.data, 0)}", byte=0)
    last, name = [format.name for format in LAST], source.name
    for outline in outlines().values():
        if name.endswith(outline.extensions) and outline.name not in last:
            return outline.format
    for called, refused in REFUSED_NAMES:
        if called.fullmatch(source.name):
            raise UnsupportedError(source, refused)
    if format := _first(_order("after names"), source, faults):
        return format
    if other := table(source):
        raise UnsupportedError(source, other, _otherwise(options))
    if looks_binary(source):
        place = CONTROL.search(source.data).start()  # type: ignore[union-attr]
        found = f"neither text (byte 0x{source.data[place]:02x}) nor a format that is recognised"
        raise source.error(f"{found}; {_choose(options)}", byte=place)
    return None


def _table_of(source: Source, options: ReadOptions) -> Format | None:
    """The format of a table whose columns somebody names: he says that it is one."""
    if outlines()["jsonl"].begins(source):
        return FORMATS["jsonl"]
    found = headed(source, options.table.columns)
    return found and FORMATS["tsv" if found[0] == "\t" else "csv"]


@cache
def _order(when: Recognised) -> Sequence[Candidate]:
    """The shipped formats whose content is looked at then, in the order in which that is done."""
    return _ordered(outlines().values(), when)


def _ordered(formats: Iterable[Candidate], when: Recognised) -> Sequence[Candidate]:
    named = {format.name: format for format in formats if format.recognised == when}
    order = TopologicalSorter(dict.fromkeys(sorted(named), ()))
    for format in named.values():
        for later in format.before:
            order.add(later, format.name)
    return [named[name] for name in order.static_order() if name in named]


def _first(formats: Iterable[Candidate], source: Source, faults: list[str]) -> Format | None:
    """The first format that content looks like. One that raises is passed over, and `faults` are told."""
    for format in formats:
        try:
            if format.fits(source):
                return format if isinstance(format, Format) else format.format
        except MemoryError:
            raise
        except Exception as error:
            faults.append(f"format {format.name} could not be tried: {type(error).__name__}: {error}")
    return None


def _may_be_network(source: Source, found: Foreign) -> bool:
    """Whether a file called like a network is a JSON object of no known kind: its reader says what is missing."""
    if found != JSON or not has_extension(source.path, outlines()["network"]):
        return False
    is_object = source.data.removeprefix(BOM_UTF8).lstrip()[:1] == b"{"
    return is_object and any(key in source.data for key in NETWORK_KEYS)


def chosen_format(source: Source, chosen: Format | None, options: ReadOptions) -> Format:
    """The format of a file: as its user says, or as it is recognised; who says that no text is text is told.

    Raises:
        InputError: as of `recognise`, or an empty file that is not called like any format.
    """
    if chosen is None:
        chosen = recognise(source, options)
        if not source.size and chosen in LAST:
            raise source.error("is empty")
    elif chosen in LAST and (found := foreign(source) or table(source)):
        options.remark(
            f"{source.path} looks like {found.called}, and is read as {chosen.name}, as was asked for"
        )
    return chosen


def items_of_file(
    source: Source, chosen: Format | None, options: ReadOptions
) -> tuple[Format, Iterable[Item]]:
    """The format of a file and its items, a Block where it is one; errors as of `chosen_format`, and of reading."""
    format = chosen_format(source, chosen, options)
    if chosen is None and has_extension(source.path, format) and not format.fits(source):
        return format, _by_its_name(format.read(source, options), format, options)
    blocks = format.blocks(Held(source), options) if format.blocks else None
    if blocks is None:
        return format, format.read(source, options)
    block, *others = blocks
    return format, chain(block, *others) if others else block


def _by_its_name(items: Iterator[Item], format: Format, options: ReadOptions) -> Iterator[Item]:
    """The items of a file that nothing but its name has the format of; an error says so."""
    try:
        yield from items
    except InputError as error:
        raise InputError(
            f"{error}; read as {format.name} because of its name alone: {options.format_option} says what it is"
        ) from None


def by_head(path: AnyFile) -> Format | None:
    """The format that the beginning of a file is enough to tell, if there is one; it is what `recognise` would find."""
    return by_beginning(File(str(path)).head())


def _whole(head: Source) -> Source:
    """A file whose beginning has been read; that of a small one is all of it."""
    is_all = not is_remote(head.path) and os.path.getsize(head.path) == len(head.data)
    return head if is_all else Source.open(head.path)


def by_beginning(head: Source) -> Format | None:
    """The same of the beginning itself."""
    sure = _first(_order("by content"), head, [])
    if sure is None and has_extension(head.path, outlines()["moses-cn"]):
        # JSON is known by what may stand further down.
        return None if head.data.lstrip().startswith((b"{", b"[")) else FORMATS["moses-cn"]
    return sure


def has_extension(path: str | PathLike[str], format: Candidate) -> bool:
    """Whether the file's name suggests the format."""
    return file_name(path).endswith(format.extensions)


def looks_binary(source: Source) -> bool:
    """Whether a file is no text of any encoding that is a superset of ASCII."""
    return CONTROL.search(source.beginning) is not None and not plain.looks_like_text(source)


def by_name(name: str) -> Format:
    """The format of a name.

    Raises:
        InputError: there is none of that name.
    """
    try:
        return FORMATS[name]
    except KeyError:
        raise InputError(unknown("format", name, FORMATS)) from None


def _otherwise(options: ReadOptions) -> str:
    return f"; if it is text, use {options.format_option} plain"


def _choose(options: ReadOptions) -> str:
    return f"convert it, or say with {options.format_option} what it is (docs/formats.md)"


def folder_plan(folder: AnyFile, chosen: Format | None, options: ReadOptions) -> list[tuple[AnyFile, Format]]:
    """The files of a folder, a pattern or a list that are to be read, and the format of each.

    Raises:
        InputError: as of `read_items`; or a text or table without a byte among them, whose items would be left out.
    """
    plan = _folder_plan(folder, chosen, options)
    for path, format in plan:
        if format.name in NEVER_EMPTY and _is_empty(path):
            raise InputError(
                f"is empty, and would be read as a part of {folder}: write it again, or leave it out", path
            )
    return plan


def _is_empty(path: AnyFile) -> bool:
    if isinstance(path, Path):
        return path.is_file() and not os.path.getsize(path)
    from fstmetrics.support.remote_files import size_of

    return size_of(str(path)) == 0


def _folder_plan(
    folder: AnyFile, chosen: Format | None, options: ReadOptions
) -> list[tuple[AnyFile, Format]]:
    of_folders = [outline.format for outline in outlines().values() if outline.has_folder]
    for format in [*of_folders, *FORMATS.others.values()] if chosen is None else [chosen]:
        if (
            format.folder
            and isinstance(folder, Path)
            and folder.is_dir()
            and (found := format.folder(folder))
        ):
            return [(path, format) for path in found]
    paths = files_of(str(folder))
    if set(DATASET_NOTES) <= {path.name for path in paths}:
        paths = [path for path in paths if path.name not in DATASET_NOTES]
    if chosen is None:
        return _recognised(folder, paths, options)
    if chosen.recognised == "only asked" and chosen not in LAST and not folder.is_dir():
        return [(path, chosen) for path in paths]  # no content tells; a pattern or a list does
    plan = [(path, chosen) for path in paths if _fits(path, chosen, options)]
    if not plan:
        raise InputError(f"no file in this folder looks like format {chosen.name}", folder)
    _tell_left_out(folder, paths, [path for path, _ in plan], options)
    return plan


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


def _recognised(folder: AnyFile, paths: list[AnyFile], options: ReadOptions) -> list[tuple[AnyFile, Format]]:
    """Each file's format, without text files if there are others."""
    found: dict[AnyFile, Format] = {}
    unsupported: dict[AnyFile, UnsupportedError] = {}
    failure: InputError | None = None
    unreadable: list[AnyFile] = []
    for path in paths:
        try:
            head = File(str(path)).head()
            found[path] = by_beginning(head) or _format_in_folder(_whole(head), options)
        except UnsupportedError as error:
            unsupported[path] = error
        except InputError as error:
            failure = failure or error
            unreadable += [path] if _is_unreadable(path) else []
    structured = {path: format for path, format in found.items() if format.holds != "text"}
    if structured:
        structured = _with_unreadable(paths, structured, unreadable)
        others = {path: error for path, error in unsupported.items() if not error.is_text}
        _refuse_several_formats(folder, structured, others, options)
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
        raise InputError("this folder has no file to read", folder)
    return list(found.items())


def _format_in_folder(source: Source, options: ReadOptions) -> Format:
    """The format of a file of a folder, where a text is one item; one with Kaldi's name has ids."""
    return recognised(source, options) or (kaldi_text.FORMAT if source.name == KALDI_NAME else plain.FORMAT)


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
        Source.head(path)
    except InputError:
        return True
    return False


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
            Source.head(path)  # says what is wrong
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
        if by_head(path) is format:
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
