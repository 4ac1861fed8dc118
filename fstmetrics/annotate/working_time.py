"""How long annotators work on sentences, without the time in which they do nothing: `WorkingTime`."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from fstmetrics.annotate.project_file import UnsavedError
from fstmetrics.annotate.project_store import Annotator, Project

# Seconds without a request after which somebody is not working, and seconds after which time is saved.
IDLE, SAVED_EVERY = 60.0, 15.0


class _Since(NamedTuple):
    sentence: int
    at: float
    unsaved: float


class WorkingTime:
    """Time by annotator and sentence: between two requests of an annotator on one sentence, if not too far apart.

    It is saved in the log in pieces, so that a process that is killed loses some seconds of it, and no work.
    """

    def __init__(self, project: Project, clock: Callable[[], float]) -> None:
        self._project, self._clock = project, clock
        self._since: dict[Annotator, _Since] = {}
        self._one = threading.Lock()

    def touch(self, annotator: Annotator, sentence: int) -> None:
        """Somebody does something with a sentence now."""
        with self._one:
            now, since = self._clock(), self._since.get(annotator)
            unsaved = 0.0
            if since is not None:
                passed = now - since.at
                unsaved = since.unsaved + (passed if since.sentence == sentence and passed <= IDLE else 0.0)
                if since.sentence != sentence or unsaved >= SAVED_EVERY:
                    self._save(annotator, since.sentence, unsaved)
                    unsaved = 0.0
            self._since[annotator] = _Since(sentence, now, unsaved)

    def save_all(self) -> None:
        """Save what is not saved yet."""
        with self._one:
            for annotator, since in list(self._since.items()):
                self._save(annotator, since.sentence, since.unsaved)
                self._since[annotator] = since._replace(unsaved=0.0)

    def _save(self, annotator: Annotator, sentence: int, seconds: float) -> None:
        if seconds:
            with suppress(UnsavedError):  # what is being done is worth more than how long it took
                self._project.log(annotator, sentence, "time", {"seconds": round(seconds, 1)})

    def seconds(self, name: str) -> dict[int, float]:
        """By sentence, what was saved of an annotator."""
        return seconds_of(self._project).get(name, {})


def seconds_of(project: Project) -> dict[str, dict[int, float]]:
    """By annotator and sentence, how many seconds they worked."""
    found: dict[str, dict[int, float]] = {}
    for event in project.events("time"):
        by_sentence = found.setdefault(event.annotator, {})
        number = event.sentence or 0
        by_sentence[number] = by_sentence.get(number, 0.0) + float(event.data["seconds"])
    return found
