"""How far a project is: `progress_rows`, a row an annotator and sentence; `annotator_rows`; both as CSV. `WorkingTime`
is how long annotators work on sentences, without the time in which they do nothing.
"""

from __future__ import annotations

import csv
import io
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from fstmetrics.apps.annotate.open_proposals import REJECTED, answered
from fstmetrics.apps.annotate.path_judgments import JUDGED, judged_paths
from fstmetrics.apps.annotate.project_file import UnsavedError
from fstmetrics.apps.annotate.project_store import Annotator, Project, SentenceMarks, sentence_marks
from fstmetrics.apps.annotate.rooted_cards import whole_sentence
from fstmetrics.apps.annotate.sentence_cards import compiled
from fstmetrics.apps.annotate.typing_feedback import digits, sizes

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


Row = dict[str, Any]


def progress_rows(project: Project, annotators: Collection[str] | None = None) -> list[Row]:
    """What everybody has done on each sentence that they changed, judged or said something of.

    Fields: `document`, `sentence` (its id), `annotator`, `changes`, `cards` (without the whole sentence), `paths`,
    `strings`, `seconds` (of work), `done`, `rejected` (proposals), `judged` (paths), `cannot_translate`, `note`.
    What was undone does not count.
    """
    sentences = {sentence.id: sentence for sentence in project.sentences()}
    seconds = seconds_of(project)
    revisions = project.revisions()
    answers = answered(project.events(REJECTED))
    rejected = Counter((name, id) for (name, id, _, _), really in answers.items() if really)
    judged = Counter((name, id) for name, id, _ in judged_paths(project.events(JUDGED)))
    marks = sentence_marks(project)
    found: list[Row] = []
    cards = {(annotator.name, sentence): cards for annotator, sentence, cards in project.all_cards()}
    for annotator in project.annotators():
        if annotators is not None and annotator.name not in annotators:
            continue
        name = annotator.name
        for id, sentence in sentences.items():
            own = cards.get((name, id))
            worked = seconds.get(name, {}).get(id, 0.0)
            said = marks.get((name, id), SentenceMarks())
            if own is None and not worked and (name, id) not in judged and not any(said[1:]):
                continue
            size = sizes(whole_sentence(compiled(own, project.normalisation))) if own else None
            found.append({
                "document": sentence.document, "sentence": sentence.key, "annotator": name,
                "changes": revisions.get((id, annotator.id), 0), "cards": len(own) - 1 if own else 0,
                "paths": size.as_dict()["paths"] if size else "0",
                "strings": size.as_dict()["strings"] if size else "0",
                "seconds": round(worked, 1), "done": said.done and size is not None and size.paths != 0,
                "rejected": rejected[name, id], "judged": judged[name, id],
                "cannot_translate": said.cannot_translate, "note": said.note,
            })  # fmt: skip
    return found


def annotator_rows(rows: Iterable[Row]) -> list[Row]:
    """Sums by annotator: `sentences`, `done`, `cards`, `seconds`, `cards_per_hour`, `median_paths` (of all
    networks whose paths are counted), `cannot_translate`."""
    by_name: dict[str, list[Row]] = {}
    for row in rows:
        by_name.setdefault(row["annotator"], []).append(row)
    found: list[Row] = []
    for name, own in by_name.items():
        seconds, cards = sum(row["seconds"] for row in own), sum(row["cards"] for row in own)
        found.append({
            "annotator": name, "sentences": len(own), "done": sum(row["done"] for row in own), "cards": cards,
            "seconds": round(seconds, 1), "cards_per_hour": round(cards / seconds * 3600, 1) if seconds else None,
            "median_paths": _median([row["paths"] for row in own if row["paths"] not in (None, "0")]),
            "cannot_translate": sum(row["cannot_translate"] for row in own),
        })  # fmt: skip
    return found


def _median(paths: Sequence[str]) -> str | None:
    """The median of numbers as `digits` writes them; None of none.

    >>> _median(["12", "3"]), _median(["12", "10^3000", "3"]), _median([])
    ('7.5', '12', None)
    """
    if not paths:
        return None
    counts = sorted(
        int(written) if written.isdigit() else 10 ** int(written.removeprefix("10^")) for written in paths
    )
    both = counts[(len(counts) - 1) // 2] + counts[len(counts) // 2]
    half = digits(both // 2) or ""
    return f"{half}.5" if both % 2 and half.isdigit() else half


def as_csv(rows: Iterable[Row]) -> str:
    """Rows as CSV with a header; text that a spreadsheet would compute begins with an apostrophe.

    >>> as_csv([{"sentence": "=1+1", "cards": -1}]).splitlines()
    ['sentence,cards', "'=1+1,-1"]
    """
    rows = list(rows)
    stream = io.StringIO()
    if rows:
        writer = csv.DictWriter(stream, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return stream.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return f"'{value}"
    return value
