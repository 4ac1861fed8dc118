"""Records of a run that may be stopped at any moment and go on later: `Unfinished`.

Two files lie beside the one that is asked for, until it is whole:

- `FILE.partial`: the records so far, and perhaps a part of the next one.
- `FILE.journal`: the run's settings with a checksum, then a line for every batch of items: a checksum of their records
  and of the line, where the records end, and for each item its id, what it adds to the sums or its fault, and its
  fields. Lines between them have what the inputs hold, once that is known, and what they are where a run goes on with
  a file that was repaired.

Records are written first, the line of the journal after them. So a batch is finished when its line in the journal is
whole and its records are those that were written; what is behind the last such record is cut off when the run stops, or
when it goes on if it was not asked before it stopped.

Only what a run of ours left is written to or taken away: plain files without a second name, a journal that begins as
ours do, and records beside such a journal. What is finished is written over by nobody: a run that does not go on from
it is refused.
"""

from __future__ import annotations

import json
import os
import re
import stat
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO

from fstmetrics.data.fields import Fields, no_fields
from fstmetrics.scoring.sums import Terms, terms_from_json
from fstmetrics.support.errors import FstmetricsError, InputError
from fstmetrics.support.output import keep_rights
from fstmetrics.support.signals import put_off

if TYPE_CHECKING:
    from fstmetrics.scoring.run_files import RunFiles


@dataclass(frozen=True, slots=True)
class Entry:
    """A finished item.

    Attributes:
        id: of the item, or None.
        terms: what it adds to the sums; None for an item that is left out.
        fault: why it is left out.
        fields: what else is known of it; its file is not read again.
    """

    id: str | None
    terms: Terms | None = None
    fault: str | None = None
    fields: Fields = field(default_factory=no_fields)

    def as_json(self) -> list[Any]:
        """What the journal has of it."""
        return [self.id, self.terms, self.fault, self.fields]

    @classmethod
    def from_json(cls, value: list[Any]) -> Entry:
        """The item again; TypeError or ValueError if it is none."""
        id, terms, fault, fields = value
        return cls(id, None if terms is None else terms_from_json(terms), fault, fields)


FORMAT = "fstmetrics-journal/7"
# Not through links: whoever may put one beside FILE does not choose what is overwritten.
FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND
FLAGS |= getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
# Seconds by which a run counts as longer when it stops: what inputs hold may take a fiftieth of them then.
AT_STOP = 5.0
# What lines with what inputs hold, and with what they are from here on, are known by.
MARKS = "inputs hold"
STATES = "inputs are"
# How every journal of any version begins, without the digits of its checksum.
BEGINNING = b'[, {"format": "fstmetrics-journal/'


def files_of_run(path: str) -> tuple[str, str, str]:
    """The files that a run writes: records in the end, records so far, and the journal; where a link leads, too."""
    target = os.path.realpath(path)  # through links, so that a link stays one
    return target, f"{target}.partial", f"{target}.journal"


class Unfinished:
    """The two files of a run. Enter it as a context; leaving it keeps them if an item is finished and not all are.

    Args:
        path: the file to be written in the end.
        settings: what has to be the same for the run to go on.
        resume: whether to go on, if there is something to go on with.
        inputs: what is read, which has to be the same, too; None: nothing.

    Attributes:
        finished: how many items are, without those that are left out.

    Raises:
        FstmetricsError: the files cannot be written, are links or somebody else's, are being written by another run,
            are of other settings, or have finished items and the run is not to go on from there.
    """

    def __init__(
        self, path: str, settings: dict[str, Any], resume: bool, inputs: RunFiles | None = None
    ) -> None:
        self.path = path
        self.target, self.partial, self.journal = files_of_run(path)
        self.finished = 0
        self._settings = json.loads(_line(settings))
        self._inputs = inputs
        self._began = time.monotonic()
        self._has_marks = self._has_others = False
        header = {"format": FORMAT, "settings": {**self._settings, "inputs": inputs.states if inputs else []}}
        self._first = _line([_checksum(b"", header), header])
        self._resume = resume
        self._ends = [0, 0]  # of what is whole in records and journal
        self._next: tuple[list[int], int] | None = None  # ends and number of items once a batch is written

    def __enter__(self) -> Unfinished:
        for path in (self.partial, self.journal):
            if os.path.lexists(path) and not stat.S_ISREG(os.lstat(path).st_mode):
                kind = "a link" if os.path.islink(path) else "no plain file"
                raise FstmetricsError(f"{path} is {kind}, and a run writes through none; remove it")
        self._files: list[int] = []  # the journal, which is locked, is the first to come and the last to go
        self._made: list[str] = []
        try:
            with put_off():
                self._open(self.journal)
                self._lock()
                self._open(self.partial)
            self._refuse_foreign()
            self._begin()
        except BaseException:
            with put_off():
                for path in self._made:  # just now: they hold nothing but how a run begins
                    with suppress(OSError):
                        os.unlink(path)
                self._close()
            raise
        return self

    def _begin(self) -> None:
        if not self._resume:
            self._refuse_finished()
        self._is_counted = not (self._resume and self._is_known())
        if self._is_counted:
            self._cut()
            self._append(1, self._first)
            self._ends[1] = len(self._first)

    def _refuse_foreign(self) -> None:
        """Leave alone what no run of ours can have left."""
        partial, journal = self._files
        beginning = re.sub(rb"^\[\d+", b"[", os.pread(journal, 64, 0))[: len(BEGINNING)]
        if not BEGINNING.startswith(beginning):  # it may break off there
            raise FstmetricsError(
                f"{self.journal} is there already and does not begin as the journal of a run does, so it is left "
                "alone; move it, or give --output another name"
            )
        if beginning != BEGINNING and os.fstat(partial).st_size:
            raise FstmetricsError(
                f"{self.partial} is there already, but the journal of its run is not, so it is left alone; move "
                f"it (or put {self.journal} back), or give --output another name"
            )

    def _refuse_finished(self) -> None:
        """Leave alone what was finished: a new run would be written over it. Behind the first line of the journal each
        whole line is of a batch that was."""
        with open(self.journal, "rb") as journal:
            journal.readline()
            if not journal.readline().endswith(b"\n"):
                return
        raise FstmetricsError(
            f"{self.partial} has finished items of a run that was stopped, and a new run would be written over them; "
            f"--resume continues from there; {self.anew}"
        )

    @property
    def anew(self) -> str:
        """How to begin anew where items are finished."""
        return f"to start anew, remove {self.partial} and {self.journal}, or give --output another name"

    def __exit__(self, *_: object) -> None:
        with put_off():
            self._settle()
            if self._is_complete or (self._is_counted and not self.finished):
                for path in (self.partial, self.journal):
                    with suppress(OSError):
                        os.unlink(path)
            elif self._is_counted:
                with suppress(FstmetricsError):  # the disk may be full
                    self._say_what_inputs_hold(time.monotonic() - self._began + AT_STOP)
                self._settle()
            self._close()

    @property
    def _is_complete(self) -> bool:
        """Whether the records have their name."""
        try:
            return os.path.samestat(os.fstat(self._files[0]), os.stat(self.target))
        except OSError:
            return False

    @property
    def remark(self) -> str:
        """What to tell somebody whose run is stopped here."""
        return self._remark("the same command with --resume continues from there")

    def remark_on_error(self, keep_going: bool) -> str:
        """What to tell somebody whose run ends here with an error, which would come again."""
        others = "" if keep_going else ", or with --keep-going,"
        return self._remark(
            f"after that is fixed{others} the same command with --resume continues from there"
        )

    def _remark(self, how: str) -> str:
        self._settle()
        if self._is_complete:
            return f"all items are finished and in {self.path}"
        if self._is_counted and not self.finished:
            return "nothing was finished"
        items = "1 finished item is" if self.finished == 1 else f"{self.finished} finished items are"
        if not self._is_counted:  # the run was going on from items that it had not yet gone through
            items = "what was finished before is"
        return f"{items} in {self.path}.partial; {how}"

    def entries(self) -> Iterator[Entry]:
        """The items that are finished already, in order; to be taken before any is written.

        Raises:
            FstmetricsError: the files cannot be written.
        """
        with open(self.journal, "rb") as journal, open(self.partial, "rb") as partial:
            journal.seek(self._ends[1])
            for line in journal:
                if (said := _of_inputs(line)) is not None:
                    self._ends[1] += len(line)
                    self._has_marks = MARKS in said
                    continue
                found = self._batch(line, partial)
                if found is None:
                    break
                self._ends = [found[0], self._ends[1] + len(line)]
                self.finished += sum(entry.terms is not None for entry in found[1])
                yield from found[1]
        self._cut()
        self._is_counted = True
        if self._has_others and self._inputs:
            self._has_marks = False
            self._say_of_inputs({STATES: self._inputs.states})

    def write(self, items: Sequence[tuple[str, Entry]]) -> None:
        """Write records, each a line or nothing, and what is said of them in the journal.

        Raises:
            FstmetricsError: they cannot be written, as on a full disk; those before them are kept.
        """
        records = b"".join(record.encode("utf-8", "backslashreplace") for record, _ in items)
        entries = json.dumps([entry.as_json() for _, entry in items]).encode()
        self.write_written(records, entries[1:-1], sum(entry.terms is not None for _, entry in items))

    def write_written(self, records: bytes, entries: bytes, items: int) -> None:
        """The same of records as they are in the file, of so many items, and entries as they are in the journal.

        Raises:
            FstmetricsError: as of `write`.
        """
        end = self._ends[0] + len(records)
        said = b"%d, [%b]]\n" % (end, entries)
        journal = b"[%d, %b" % (zlib.crc32(b"[" + said, zlib.crc32(records)), said)
        self._next = ([end, self._ends[1] + len(journal)], self.finished + items)
        self._append(0, records)
        self._append(1, journal)
        self._settle()
        self._say_what_inputs_hold(time.monotonic() - self._began)

    def _say_what_inputs_hold(self, seconds: float) -> None:
        """Write it once that takes little of so many seconds."""
        if self._inputs and not self._has_marks and self._inputs.are_due(seconds):
            self._has_marks = True
            with suppress(InputError):  # the run may still have all that it needs
                self._say_of_inputs({MARKS: self._inputs.marks()})

    def _say_of_inputs(self, said: dict[str, Any]) -> None:
        """Write what the inputs hold, or are."""
        line = _line([_checksum(b"", said), said])
        self._next = ([self._ends[0], self._ends[1] + len(line)], self.finished)
        self._append(1, line)
        self._settle()

    def _settle(self) -> None:
        """Count the batch that was being written if all of it is there, and cut it off otherwise, so that what is said
        to be finished is what lies in the files. A signal may come between any two bytes, right behind the last one,
        and here, too."""
        if self._next:
            ends, finished = self._next
            if os.fstat(self._files[1]).st_size >= ends[1]:
                self._ends, self.finished = ends, finished
            else:
                self._cut()
            self._next = None

    def written_entries(self) -> Iterator[bytes]:
        """The lines of the journal, without the first."""
        with open(self.journal, "rb") as journal:
            journal.readline()
            yield from (line for line in journal if _of_inputs(line) is None)

    def complete(self) -> None:
        """Give the records their name; leaving the context takes the journal away.

        Raises:
            FstmetricsError: that cannot be done.
        """
        try:
            keep_rights(self._files[0], self.target)
            os.fsync(self._files[0])
            os.replace(self.partial, self.target)
        except OSError as error:
            raise self._unwritable(error) from None

    def _batch(self, line: bytes, partial: BinaryIO) -> tuple[int, list[Entry]] | None:
        """Where records end, and what is said of them; None if the line or its records are not as they were written."""
        if not line.endswith(b"\n"):
            return None
        try:
            checksum, end, entries = json.loads(line)
            if not self._ends[0] <= end <= os.fstat(partial.fileno()).st_size:
                return None
            if _checksum(partial.read(end - self._ends[0]), [end, entries]) != checksum:
                return None
            return end, list(map(Entry.from_json, entries))
        except (ValueError, TypeError, RecursionError):
            return None

    def _is_known(self) -> bool:
        """Whether there is a journal of the same run; False if it ends within its first line, before any record."""
        with open(self.journal, "rb") as journal:
            first = journal.readline()
        if not first.endswith(b"\n") and not os.fstat(self._files[0]).st_size:
            return False
        if differing := self._differing(self._known(first)):
            raise FstmetricsError(
                f"{self.partial} is of a run with other settings: {'; '.join(differing)}; {self.anew}"
            )
        self._ends[1] = len(first)
        return True

    def _differing(self, before: dict[str, Any]) -> list[str]:
        """What differs between settings; of inputs, in which way."""
        inputs = before.pop("inputs", [])
        found = differences(before, self._settings)
        if self._inputs is None or inputs == self._inputs.states:
            return found
        last = {STATES: inputs}
        with open(self.journal, "rb") as journal:
            for said in filter(None, map(_of_inputs, journal)):
                # What a file held before it was repaired is not what was read of it.
                last = said if STATES in said else {**last, **said}
        self._has_others = last[STATES] != self._inputs.states
        return found + self._inputs.differences(last[STATES], last.get(MARKS, []), self._finished_ids)

    def _finished_ids(self) -> set[str | None]:
        """The ids of what may be finished, by whole lines of the journal."""
        lines = (line for line in self.written_entries() if line.endswith(b"\n"))
        found: set[str | None] = set()
        # A damaged line ends what is finished.
        with suppress(ValueError, TypeError, LookupError, RecursionError):
            for line in lines:
                found |= {entry[0] for entry in json.loads(line)[2]}
        return found

    def _known(self, first: bytes) -> dict[str, Any]:
        """The settings in the first line of the journal."""
        try:
            checksum, header = json.loads(first)
            if _checksum(b"", header) != checksum:
                raise ValueError
        except (ValueError, TypeError, RecursionError):
            raise FstmetricsError(
                f"{self.journal}:1: the line with the settings of the run that was stopped is damaged or missing, so "
                f"it is not known whether this run may go on; {self.anew}"
            ) from None
        if header["format"] != FORMAT:
            raise FstmetricsError(
                f"{self.journal}: expected format {FORMAT}, found {header['format']!r}; {self.anew}"
            )
        settings: dict[str, Any] = header["settings"]
        return settings

    def _cut(self) -> None:
        """Leave what is whole."""
        try:
            for file, end in zip(self._files, self._ends, strict=True):
                os.ftruncate(file, end)
        except OSError as error:
            raise self._unwritable(error) from None

    def _open(self, path: str) -> None:
        """Open a file for this run alone; it is looked at once it is open, so that nobody can exchange it."""
        try:
            try:
                file = os.open(path, FLAGS | os.O_EXCL, 0o666)
                self._made.append(path)
            except FileExistsError:
                file = os.open(path, FLAGS, 0o666)
        except OSError as error:
            raise self._unwritable(error) from None
        if os.fstat(file).st_nlink > 1:
            os.close(file)
            raise FstmetricsError(
                f"{path} has a second name (a hard link), and a run writes through none; remove it"
            )
        self._files.insert(0, file)

    def _append(self, file: int, data: bytes) -> None:
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._files[file], view) :]
        except OSError as error:
            raise self._unwritable(error) from None

    def _close(self) -> None:
        for file in self._files:
            os.close(file)

    def _lock(self) -> None:
        """Keep other runs from writing the same files.

        A journal that another run took away after it was opened here is locked in vain, so that is asked, too.
        """
        try:
            import fcntl
        except ImportError:  # not on this system
            return
        try:
            fcntl.flock(self._files[0], fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_there = os.path.samestat(os.fstat(self._files[0]), os.stat(self.journal))
        except OSError:
            is_there = False
        if not is_there:
            self._made.clear()  # it is the other one's
            raise FstmetricsError(f"{self.partial} is being written by another run") from None

    def _unwritable(self, error: OSError) -> FstmetricsError:
        return FstmetricsError(f"{self.path}: cannot be written: {error.strerror}")


def _checksum(records: bytes, said: object) -> int:
    """Of records, and of what the journal says of them."""
    return zlib.crc32(_line(said), zlib.crc32(records))


def _line(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _of_inputs(line: bytes) -> dict[str, Any] | None:
    """What a line of the journal says of the inputs, if it is whole."""
    if not any(key.encode() in line[:64] for key in (MARKS, STATES)):
        return None
    try:
        checksum, said = json.loads(line)
        is_whole = _checksum(b"", said) == checksum and not {MARKS, STATES}.isdisjoint(said)
    except (ValueError, TypeError, RecursionError):
        return None
    return said if is_whole else None


def differences(before: dict[str, Any], now: dict[str, Any], first: str = "", second: str = "") -> list[str]:
    """What differs between settings, in words: before and now, or in two files."""
    what = "{} is {} in {first} and {} in {second}" if first else "{} was {} and is {}"
    return [
        what.format(name, json.dumps(before.get(name)), json.dumps(now.get(name)), first=first, second=second)
        for name in {**before, **now}
        if before.get(name) != now.get(name)
    ]
