"""Undo and redo without limit: `ChangeHistory`, the fold of an annotator's log for one sentence.

Every event of the log is a revision, an undo and a redo, too. A change that `continues` the one before it, as the next
letter of a word does, is undone together with it. Rejections of proposals and judgements of paths are changes with a
`Mark`: they change no card, and are undone in the same one order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from fstmetrics.apps.annotate.sentence_cards import Cards, ChangeRefusedError, Effect

Kind = Literal["change", "undo", "redo"]


# What a step did, for people: `{}` is the name of its card, or what it was about.
_DONE = {
    "create": "new card {}",
    "text": "text of {}",
    "add": "phrase of {}",
    "rename": "name of {}",
    "span": "source words of {}",
    "delete": "deletion of {}",
    "copy": "copy of {}",
    "reject": "rejection of {}",
    "judge": "judgement of {}",
}


class Mark(NamedTuple):
    """What a change says of a phrase or a path, and changes no card: an event of a kind of its own.

    Attributes:
        kind: of the event.
        done: its data.
        undone: the data of the event that takes it back.
    """

    kind: str
    done: dict[str, Any]
    undone: dict[str, Any]


class _Step(NamedTuple):
    """A step of undo: the request that began it, the id of its card, and its marks."""

    op: Mapping[str, Any]
    card: str
    marks: tuple[Mark, ...]

    @classmethod
    def of_dict(cls, data: Mapping[str, Any]) -> _Step:
        """From the log."""
        marks = (Mark(each["kind"], each["done"], each["undone"]) for each in data.get("marks", ()))
        return cls(data.get("op") or {}, data.get("card", ""), tuple(marks))

    def told(self, before: Cards, after: Cards) -> str:
        """What it did, for people."""
        op = str(self.op.get("op", ""))
        there = after.get(self.card) if op != "delete" else before.get(self.card)
        what = there.name if there else str(self.op.get("shown", ""))
        return _DONE[op].format(what) if op in _DONE else op or "change"


class _Stack(NamedTuple):
    """States that can be gone back to, the nearest first, each with the step that lies between."""

    cards: Cards
    step: _Step
    rest: _Stack | None


@dataclass(frozen=True, slots=True)
class ChangeHistory:
    """Where an annotator is with a sentence.

    Attributes:
        cards: as they are now.
        revision: how many events led here.
        past, future: what undo and redo lead to.
        last: the card that the last change was about, "" behind an undo or redo.
        told: what the last undo or redo was of, for people.
        about: the id of the card that the last undo or redo was of, or "".
        marks: what the last event says of phrases and paths: kind and data.
    """

    cards: Cards
    revision: int = 0
    past: _Stack | None = None
    future: _Stack | None = None
    last: str = ""
    told: str = ""
    about: str = ""
    marks: tuple[tuple[str, dict[str, Any]], ...] = ()

    def after(self, kind: Kind, data: dict[str, Any]) -> ChangeHistory:
        """The history with one more event.

        Raises:
            ChangeRefusedError: nothing to undo, or to redo.

        >>> from fstmetrics.apps.annotate.sentence_cards import changed, first_cards
        >>> history = ChangeHistory(first_cards(1))
        >>> effect = changed(history.cards, {"op": "text", "card": "root", "text": "yes"}, 1)
        >>> history = history.after("change", effect.as_dict())
        >>> history.after("undo", {}).cards["root"].text, history.after("undo", {}).after("redo", {}).cards["root"].text
        ('', 'yes')
        """
        revision = self.revision + 1
        if kind == "change":
            card = data.get("card", "")
            joined = bool(data.get("continues") and card and card == self.last)
            step = _Step.of_dict(data)
            past = self.past if joined else _Stack(self.cards, step, self.past)
            marks = tuple((mark.kind, mark.done) for mark in step.marks)
            return ChangeHistory(Effect.of_dict(data).on(self.cards), revision, past, None, card, marks=marks)
        there, stack = (self.past, self.future) if kind == "undo" else (self.future, self.past)
        if there is None:
            raise ChangeRefusedError(f"there is nothing to {kind}")
        stack = _Stack(self.cards, there.step, stack)
        if kind == "undo":
            told = there.step.told(there.cards, self.cards)
            marks = tuple((mark.kind, mark.undone) for mark in reversed(there.step.marks))
            return ChangeHistory(there.cards, revision, there.rest, stack, "", told, there.step.card, marks)
        told = there.step.told(self.cards, there.cards)
        marks = tuple((mark.kind, mark.done) for mark in there.step.marks)
        return ChangeHistory(there.cards, revision, stack, there.rest, "", told, there.step.card, marks)
