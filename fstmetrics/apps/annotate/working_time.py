"""How long annotators work on sentences, without the time in which they do nothing: `WorkingTime`."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from fstmetrics.apps.annotate.project_file import UnsavedError
from fstmetrics.apps.annotate.project_store import Annotator, Project

# Seconds in which nobody does anything after which somebody is not working, and seconds after which time is saved.
IDLE, SAVED_EVERY = 60.0, 15.0


class _Since(NamedTuple):
    at: float
    unsaved: float


class WorkingTime:
    """Time by annotator and sentence: up to each thing that the annotator does, since the last one, if the sentence was
    in work then. Of several windows of one annotator, the time counts once; what a page asks by itself does not count.

    It is saved in the log in pieces, so that a process that is killed loses some seconds of it, and no work.
    """

    def __init__(self, project: Project, clock: Callable[[], float]) -> None:
        self._project, self._clock = project, clock
        self._since: dict[Annotator, dict[int, _Since]] = {}
        self._one = threading.Lock()

    def touch(self, annotator: Annotator, sentence: int) -> None:
        """Somebody does something with a sentence now."""
        with self._one:
            now, open_ones = self._clock(), self._since.setdefault(annotator, {})
            last = max((since.at for since in open_ones.values()), default=now)
            for other, since in list(open_ones.items()):
                if now - since.at > IDLE:
                    self._save(annotator, other, since.unsaved)
                    del open_ones[other]
            unsaved = 0.0
            if sentence in open_ones:
                unsaved = open_ones[sentence].unsaved + now - last
            if unsaved >= SAVED_EVERY:
                self._save(annotator, sentence, unsaved)
                unsaved = 0.0
            open_ones[sentence] = _Since(now, unsaved)

    def save_all(self) -> None:
        """Save what is not saved yet."""
        with self._one:
            for annotator, open_ones in self._since.items():
                for sentence, since in list(open_ones.items()):
                    self._save(annotator, sentence, since.unsaved)
                    open_ones[sentence] = since._replace(unsaved=0.0)

    def _save(self, annotator: Annotator, sentence: int, seconds: float) -> None:
        if seconds:
            with suppress(UnsavedError):  # what is being done is worth more than how long it took
                self._project.log(annotator, sentence, "time", {"seconds": round(seconds, 1)})

    def seconds(self, annotator: Annotator) -> dict[int, float]:
        """By sentence, how many seconds an annotator has worked, with those that are not saved yet."""
        found = dict(seconds_of(self._project).get(annotator.name, {}))
        with self._one:
            for sentence, since in self._since.get(annotator, {}).items():
                found[sentence] = found.get(sentence, 0.0) + since.unsaved
        return found


def seconds_of(project: Project) -> dict[str, dict[int, float]]:
    """By annotator and sentence, how many seconds they worked."""
    found: dict[str, dict[int, float]] = {}
    for event in project.events("time"):
        by_sentence = found.setdefault(event.annotator, {})
        number = event.sentence or 0
        by_sentence[number] = by_sentence.get(number, 0.0) + float(event.data["seconds"])
    return found
