"""What the inputs of a run are, so that it goes on with the same: `RunFiles`, by sizes and times, then by content.

`states_of` is what files are by what their system tells; it is found before they are read. That takes no time, but a
copy of a file has other times. So checksums are taken, too, once reading all inputs again takes little of the time that
the run has taken, or when it stops, if that takes little time. `file_changes` says in words how inputs differ from
those that a run began with.

Which files the shards of a run have read is told by a `Fingerprint` of each, by content, as jobs on several machines
have copies. Names and times are not compared, sizes and checksums are. Of a folder a shard may read its own items only,
so that names and sizes of its files are compared, and no content. Of a URL its name is compared, and what its file
system tells of it: size, and time or checksum. Of a pipe it is compared that it is one.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeGuard

from fstmetrics.io.reading import resolve
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.file_bytes import FileState, has_changed, readable, state_of
from fstmetrics.support.file_sets import files_in, files_of, is_several
from fstmetrics.support.printable import counted, have

# Bytes of inputs for a second that a run has taken: checksums take about a fiftieth of that time.
BYTES_A_SECOND = 4 * 10**7
# To open a file takes as long as to read so many bytes.
A_FILE = 50_000

# The key of what a folder is known by: a digest of name and `FileState` of each file, as there may be a million.
FILES = "files"
BYTES = "bytes"  # the key of how many they have
State = Sequence[int | str] | Mapping[str, Sequence[int]] | str
# The ids of the items in files of a folder, pattern or list, file by file; None where they are not known.
IdsOf = Callable[[str, Sequence[str]], Iterable[tuple[str, Sequence[str | None] | None]]]


def states_of(paths: Iterable[str]) -> dict[str, State]:
    """What files are now, by name: the numbers of a `FileState`, of several files in a row; of a folder a digest a
    file; of a URL what its file system tells; empty of a pipe."""
    return {path: _state(path) for path in paths}


def _state(path: str) -> State:
    if os.path.isdir(path):
        with readable(path), os.scandir(path) as entries:
            files = [file for file in entries if not file.name.startswith(".")]
            sizes = [file.stat().st_size for file in files if file.is_file()]
            return {FILES: sorted({_stamp(file.path) for file in files} - {0}), BYTES: [sum(sizes)]}
    if is_several(path):
        states = [_state(str(file)) for file in files_of(path)]
        return [part for state in states for part in ([state] if isinstance(state, str) else state)]
    if "://" in path:
        from fstmetrics.support.remote_files import mark_of  # few files are remote

        return mark_of(path)
    if path == "-" or not os.path.isfile(path):
        return ""
    return [*FileState.of(path)]


def _stamp(path: str) -> int:
    """A digest of name and state; 0 of what does not count."""
    state = state_of(path)
    if path.endswith(".sqlite-shm") or (path.endswith(".sqlite-wal") and not (state and state.size)):
        return 0  # it comes and goes as the database of a project is read
    return _digest(f"{os.path.basename(path)} {state and [*state]}")


def _content(path: str) -> int:
    """A digest of path and content; 0 of what cannot be read."""
    try:
        found = Fingerprint.of(path)
    except InputError:
        return 0
    return _digest(f"{path} {found.size} {found.checksum}")


def _digest(text: str) -> int:
    """64 bits."""
    from hashlib import blake2b  # few runs have folders

    return int.from_bytes(blake2b(os.fsencode(text), digest_size=8).digest(), "big")


class RunFiles:
    """The inputs of a run.

    Args:
        states: each name with its state, in order: which side it is on matters.
        paths: what is read of them, as `fingerprints` takes it.
        ids_of: which items are in files among several.
    """

    def __init__(self, states: Mapping[str, State], paths: Sequence[str], ids_of: IdsOf) -> None:
        self.states: list[list[Any]] = [[name, state] for name, state in states.items()]
        self._paths, self._ids_of = paths, ids_of
        self._seconds = sum(map(_reading, states.values())) / BYTES_A_SECOND

    def are_due(self, seconds: float) -> bool:
        """Whether checksums take little of the time that the run has taken."""
        return seconds >= self._seconds

    def fingerprints(self) -> list[list[Any]]:
        """What the files hold, as JSON has it, with the names and sizes of files of folders.

        Raises:
            InputError: one cannot be read, or is not what it was.
        """
        found = [list(mark) for mark in fingerprints(self._paths)]
        self._check()
        return found

    def marks(self) -> list[int]:
        """A digest of path and content of each file, also of folders, as far as it can be read.

        Raises:
            InputError: one is not what it was.
        """
        files = [
            str(file) for name, _ in self.states for file in (files_of(name) if is_several(name) else [name])
        ]
        found = sorted({*map(_content, files)} - {0})
        self._check()
        return found

    def _check(self) -> None:
        for name, state in self.states:
            if _state(name) != state:
                raise has_changed(name)

    def differences(
        self, before: Sequence[Any], marks: Sequence[int], finished: Callable[[], set[str | None]]
    ) -> list[str]:
        """What has changed of the inputs since a run began, in words. One of several files may have been repaired: it
        may be another if no item of it is finished.

        Args:
            before: the states that it began with.
            marks: what the files held, as far as that is known.
            finished: the ids of its finished items.
        """
        if before == self.states:
            return []
        if [name for name, _ in before] != [name for name, _ in self.states]:
            return file_changes(before, self.states)
        ids, known = finished(), {*marks}
        return [
            said
            for (name, was), (_, has) in zip(before, self.states, strict=True)
            if was != has and (said := self._finished_change(name, was, has, known, ids))
        ]

    def _finished_change(
        self, name: str, was: State, has: State, marks: set[int], finished: set[str | None]
    ) -> str:
        """What has changed of an input of which items are finished; empty where none of what has changed is."""
        changed = _changed_files(name, was, has)
        if changed is None:
            if not is_several(name) and _content(name) in marks:
                return ""
            if marks and _sizes(was) == _sizes(has) != []:
                return f"{name} is not what it was: it has as many bytes, and others"
            return file_changes([[name, was]], [[name, has]])[0]
        changed = [file for file in changed if _content(file) not in marks]
        for file, ids in self._ids_of(name, changed):
            if ids is None or None in ids or not finished.isdisjoint(ids):
                return (
                    f"{file}, of {name}, has changed, and items of it are finished ({len(changed)} of its files "
                    f"{have(len(changed))} changed)"
                )
        return ""


def _changed_files(name: str, was: State, has: State) -> list[str] | None:
    """The files of a folder, pattern or list that are not what they were; None where this is not so to be said."""
    if isinstance(was, Mapping) and isinstance(has, Mapping):
        before = {0, *was[FILES]}
        return [file for file in map(str, files_of(name)) if _stamp(file) not in before]
    if not (is_several(name) and isinstance(was, Sequence) and _is_of_files(was) and _is_of_files(has)):
        return None
    files = list(map(str, files_of(name)))
    one, other = list(_states(was)), list(_states(has))
    if not len(files) == len(one) == len(other):
        return None
    return [file for file, before, now in zip(files, one, other, strict=True) if before != now]


def _is_of_files(state: State) -> TypeGuard[Sequence[int]]:
    return (
        isinstance(state, Sequence)
        and not isinstance(state, str)
        and not any(isinstance(part, str) for part in state)
    )


# Nanoseconds.
SECOND = 10**9


def file_changes(before: Sequence[Any], now: Sequence[Any]) -> list[str]:
    """What has changed of inputs, each a name with its state: the numbers of a `FileState` of its files, in a row.

    Args:
        before: those of the run that was stopped.
        now: those that are given.

    >>> file_changes([["ref", [10, 0, 0, 7]]], [["ref", [12, 3 * SECOND, 3 * SECOND, 7]]])
    ['ref had 10 bytes of 1970-01-01 00:00:00 and has 12 bytes of 1970-01-01 00:00:03 (UTC)']
    >>> file_changes([["ref", ""], ["hyp", ""]], [["hyp", ""], ["ref", ""]])
    ['the inputs were ref, hyp and are hyp, ref']
    """
    names, others = ([name for name, _ in inputs] for inputs in (before, now))
    if names != others:
        return [f"the inputs were {', '.join(names)} and are {', '.join(others)}"]
    return [
        f"{name} {_change(was, has)}" for (name, was), (_, has) in zip(before, now, strict=True) if was != has
    ]


def _change(before: Sequence[Any] | str, now: Sequence[Any] | str) -> str:
    if isinstance(before, str) and isinstance(now, str):
        return "has changed"  # a URL
    if not (isinstance(before, list) and isinstance(now, list)):
        kinds = ["a file" if isinstance(state, list) else "a folder or pipe" for state in (before, now)]
        return f"was {kinds[0]} and is {kinds[1]}"
    if str in map(type, [*before, *now]):
        return "are files by URL, and some have changed"
    one, other = list(_states(before)), list(_states(now))
    if len(one) != len(other):
        were = "was" if len(one) == 1 else "were"
        return f"{were} {counted(len(one), 'file')} and {'is' if len(other) == 1 else 'are'} {len(other)}"
    if len(one) > 1:
        changed = sum(a != b for a, b in zip(one, other, strict=True))
        return f"were {len(one)} files, and {changed} of them {have(changed)} changed"
    was, is_now = one[0], other[0]
    if was.size != is_now.size:
        dates = _date(was.written), _date(is_now.written)
        return f"had {was.size} bytes of {dates[0]} and has {is_now.size} bytes of {dates[1]} (UTC)"
    if was.written == is_now.written:
        when = _date(is_now.changed)
        return f"was changed or replaced on {when} (UTC), {is_now.size} bytes of the same time of writing as before"
    digits = was.written // SECOND == is_now.written // SECOND
    dates = _date(was.written, digits), _date(is_now.written, digits)
    return f"was of {dates[0]} and is of {dates[1]} (UTC), {is_now.size} bytes as before"


def _reading(state: State) -> int:
    """How many bytes may be read in the time that reading an input takes."""
    if isinstance(state, Mapping):
        return state[BYTES][0] + len(state[FILES]) * A_FILE
    return sum(size + A_FILE for size in _sizes(state))


def _sizes(state: State) -> list[int]:
    return [each.size for each in _states(state)] if _is_of_files(state) else []


def _states(numbers: Sequence[int]) -> Iterator[FileState]:
    width = len(FileState._fields)
    return (FileState(*numbers[at : at + width]) for at in range(0, len(numbers), width))


def _date(nanoseconds: int, digits: bool = False) -> str:
    seconds, rest = divmod(nanoseconds, SECOND)
    whole = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")
    return f"{whole}.{rest:09}" if digits else whole


# Bytes that are looked at at a time: as many as stay in a cache.
PIECE = 1 << 18


class Fingerprint(NamedTuple):
    """A file or folder that a run reads.

    Attributes:
        name: as messages have it: without the folder it is in; a URL is whole. A folder's ends with `/`.
        size: in bytes, as it is stored; of a folder its files; -1 where it is neither.
        checksum: the CRC-32 of these bytes, or of the names and sizes of the files; of a URL that of what its file
            system tells; 0 of a pipe.
    """

    name: str
    size: int = -1
    checksum: int = 0

    @classmethod
    def of(cls, path: str) -> Fingerprint:
        """That of a file, which is read to its end, or of a URL, which is not.

        Raises:
            InputError: it cannot be read.
        """
        if "://" in path:
            from fstmetrics.support.remote_files import mark_of  # few files are remote

            return cls(path, checksum=zlib.crc32(mark_of(path).encode()))
        if not os.path.isfile(path):
            return cls("a pipe")
        size = checksum = 0
        piece = memoryview(bytearray(PIECE))
        with readable(path), open(path, "rb", buffering=0) as stream:
            while count := stream.readinto(piece):
                size, checksum = size + count, zlib.crc32(piece[:count], checksum)
        return cls(os.path.basename(path), size, checksum)

    @classmethod
    def of_folder(cls, path: str) -> Fingerprint:
        """That of a folder, of which no file is read.

        Raises:
            InputError: it cannot be read.
        """
        checksum = size = 0
        with readable(path):
            for file in files_in(path):
                line = f"{file.name} {file.stat().st_size}\n"
                size, checksum = size + 1, zlib.crc32(os.fsencode(line), checksum)
        return cls(os.path.basename(os.path.abspath(path)) + "/", size, checksum)

    def differs(self, other: Fingerprint) -> str:
        """What differs between the content of two, in words; empty if nothing does."""
        is_folder = self.name.endswith("/")
        if -1 in (self.size, other.size) or is_folder != other.name.endswith("/"):
            if self.name != other.name:
                return f"it is {self.name}, not {other.name}"
            return "" if self == other else "it has changed"
        if self.size != other.size:
            return f"it has {self.size} {'files' if is_folder else 'bytes'}, not {other.size}"
        if self.checksum == other.checksum:
            return ""
        return "its files have other names or sizes" if is_folder else "it has as many bytes, and others"


def fingerprints(paths: Iterable[str]) -> list[Fingerprint]:
    """The fingerprints of all that paths mean, in order: of patterns and lists each file, of a folder one.

    Raises:
        InputError: one cannot be read.
    """
    found: list[Fingerprint] = []
    for path in paths:
        file, _ = resolve(path, None)
        if os.path.isdir(file):
            found.append(Fingerprint.of_folder(file))
        else:
            found += map(Fingerprint.of, map(str, files_of(file)) if is_several(file) else [file])
    return found


def refuse_other_inputs(
    first: Sequence[Sequence[object]], found: Sequence[Sequence[object]], shards: tuple[object, object]
) -> None:
    """Refuse shards that have read other files.

    Args:
        first, found: the fingerprints of two shards, as JSON has them.
        shards: the two.

    Raises:
        FstmetricsError: a file differs, or there are more.

    >>> refuse_other_inputs([("ref.txt", 5, 77)], [("copy.txt", 5, 77)], ("1/3", "3/3"))
    >>> refuse_other_inputs([("ref.txt", 5, 77)], [("ref.txt", 6, 78)], ("1/3", "3/3"))
    Traceback (most recent call last):
    fstmetrics.support.errors.FstmetricsError: ref.txt of shard 3/3 is not that of shard 1/3: it has 6 bytes, not 5
    """
    if len(first) != len(found):
        raise FstmetricsError(
            f"shards of different inputs: shard {shards[0]} has read {len(first)} files, and shard {shards[1]} "
            f"{len(found)}"
        )
    for one, other in zip(first, found, strict=True):
        before, now = Fingerprint(*one), Fingerprint(*other)  # type: ignore[arg-type]
        if what := now.differs(before):
            raise FstmetricsError(f"{now.name} of shard {shards[1]} is not that of shard {shards[0]}: {what}")
