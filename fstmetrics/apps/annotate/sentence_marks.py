"""What annotators say of sentences as a whole, the last of which counts: `sentence_marks`."""

from __future__ import annotations

from typing import NamedTuple

from fstmetrics.apps.annotate.project_store import Project

DONE, NOTE = "done", "note"
# Characters of a note.
MOST_NOTE = 2_000


class SentenceMarks(NamedTuple):
    """What an annotator says of a sentence.

    Attributes:
        done: that it is done; it counts while the whole sentence has a path.
        cannot_translate: that they cannot translate it.
        note: to whoever leads the project.
    """

    done: bool = False
    cannot_translate: bool = False
    note: str = ""


def sentence_marks(project: Project, sentence: int | None = None) -> dict[tuple[str, int], SentenceMarks]:
    """What annotators say, by annotator and sentence, of one sentence or of all."""
    found: dict[tuple[str, int], SentenceMarks] = {}
    for kind in (DONE, NOTE):
        for event in project.events(kind, sentence):
            key = (event.annotator, event.sentence or 0)
            found[key] = found.get(key, SentenceMarks())._replace(**event.data)
    return found
