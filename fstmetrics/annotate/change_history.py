"""Undo and redo without limit: `ChangeHistory`, the fold of an annotator's log for one sentence.

Every event of the log is a revision, an undo and a redo, too. A change that `continues` the one before it, as the next
letter of a word does, is undone together with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from fstmetrics.annotate.sentence_cards import Cards, ChangeRefusedError, Effect

Kind = Literal["change", "undo", "redo"]


class _Stack(NamedTuple):
    """States that can be gone back to, the nearest first."""

    cards: Cards
    rest: _Stack | None


@dataclass(frozen=True, slots=True)
class ChangeHistory:
    """Where an annotator is with a sentence.

    Attributes:
        cards: as they are now.
        revision: how many events led here.
        past, future: what undo and redo lead to.
        last: the card that the last change was about, "" behind an undo or redo.
    """

    cards: Cards
    revision: int = 0
    past: _Stack | None = None
    future: _Stack | None = None
    last: str = ""

    def after(self, kind: Kind, data: dict[str, Any]) -> ChangeHistory:
        """The history with one more event.

        Raises:
            ChangeRefusedError: nothing to undo, or to redo.

        >>> from fstmetrics.annotate.sentence_cards import changed, first_cards
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
            past = self.past if joined else _Stack(self.cards, self.past)
            return ChangeHistory(Effect.of_dict(data).on(self.cards), revision, past, None, card)
        there, stack = (self.past, self.future) if kind == "undo" else (self.future, self.past)
        if there is None:
            raise ChangeRefusedError(f"there is nothing to {kind}")
        stack = _Stack(self.cards, stack)
        past, future = (there.rest, stack) if kind == "undo" else (stack, there.rest)
        return ChangeHistory(there.cards, revision, past, future)
