"""What the inputs of a run are, so that it goes on with the same: `RunFiles`, by sizes and times, then by content.

`states_of` is what files are by what their system tells; it is found before they are read. That takes no time, but a
copy of a file has other times. So checksums are taken, too, once reading all inputs again takes little of the time that
the run has taken: a run that is stopped before that has little to lose.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fstmetrics.support.file_sets import files_of, is_several
from fstmetrics.support.source import FileState, has_changed

# Bytes of inputs for a second that a run has taken: checksums take about a tenth of that time.
BYTES_A_SECOND = 10**8

State = Sequence[int | str] | str


def states_of(paths: Iterable[str]) -> dict[str, State]:
    """What files are now, by name: the numbers of a `FileState`, of several files in a row; of a URL what its file
    system tells; empty of a folder, whose files may be repaired, and of a pipe."""
    return {path: _state(path) for path in paths}


def _state(path: str) -> State:
    if is_several(path) and not os.path.isdir(path):
        states = [_state(str(file)) for file in files_of(path)]
        return [part for state in states for part in ([state] if isinstance(state, str) else state)]
    if "://" in path:
        from fstmetrics.support.remote_files import mark_of  # few files are remote

        return mark_of(path)
    if path == "-" or not os.path.isfile(path):
        return ""
    return [*FileState.of(path)]


class RunFiles:
    """The inputs of a run.

    Args:
        states: each name with its state, in order: which side it is on matters.
        paths: what is read of them, as `fingerprints` takes it.
    """

    def __init__(self, states: Mapping[str, State], paths: Sequence[str]) -> None:
        self.states: list[list[Any]] = [[name, state] for name, state in states.items()]
        self._paths = paths
        sizes = [sum(state[:: len(FileState._fields)]) for state in states.values() if _is_of_files(state)]  # type: ignore[arg-type]
        self._seconds = sum(sizes) / BYTES_A_SECOND

    def are_due(self, seconds: float) -> bool:
        """Whether checksums take little of the time that the run has taken."""
        return seconds >= self._seconds

    def marks(self, with_folders: bool) -> list[list[Any]]:
        """What the files hold, as JSON has it, with the names and sizes of files of folders or without.

        Raises:
            InputError: one cannot be read, or is not what it was.
        """
        from fstmetrics.scoring.fingerprints import fingerprints  # what few runs need

        paths = [path for path in self._paths if with_folders or not os.path.isdir(path)]
        found = [list(mark) for mark in fingerprints(paths)]
        for name, state in self.states:
            if _state(name) != state:
                raise has_changed(name)
        return found

    def differences(self, before: Sequence[Any], marks: Sequence[Sequence[Any]] | None) -> list[str]:
        """What has changed of the inputs since a run began, in words.

        Args:
            before: the states that it began with.
            marks: what the files held; None where that is not known.
        """
        if before == self.states:
            return []
        from fstmetrics.scoring.file_changes import file_changes, may_hold_the_same
        from fstmetrics.scoring.fingerprints import Fingerprint

        if marks is not None and may_hold_the_same(before, self.states):
            pairs = zip(self.marks(False), marks, strict=True)
            told = [(one[0], Fingerprint(*one).differs(Fingerprint(*other))) for one, other in pairs]
            return [f"{name} is not what it was: {what}" for name, what in told if what]
        return file_changes(before, self.states)


def _is_of_files(state: State) -> bool:
    return not isinstance(state, str) and not any(isinstance(part, str) for part in state)
