"""Subsets of the segments of an stm, as its comments declare them: `SubsetLabels`.

`;; CATEGORY "1" "Gender" "..."` names what stands at a position of a segment's labels `<O,F>`, counted from 0;
`;; LABEL "F" "Female" "..."` a value. Source: SCTK, infmts.htm, "Using stm format for labeled utterance reports".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from fstmetrics.data.fields import Fields
from fstmetrics.data.transcripts import OPEN_STRETCH

DECLARED = re.compile(r';;\s*(LABEL|CATEGORY)\s+"([^"]*)"\s*"([^"]*)"\s*"([^"]*)"')
# What a segment's own columns are called.
COLUMNS = ("file", "channel", "speaker", "start", "end", "duration")


class Declared(NamedTuple):
    """A label or a category.

    Attributes:
        id: of a label, what segments have; of a category, its position.
        title: for the head of a column; `//` is a line end.
        description: in full.
    """

    id: str
    title: str
    description: str


@dataclass
class SubsetLabels:
    """The labels and categories of a file, in its order.

    >>> known = SubsetLabels()
    >>> for line in [';; CATEGORY "0" "" ""', ';; CATEGORY "1" "Gender" "of the speaker"', ';; LABEL "F" "Female" ""']:
    ...     known.hear(line)
    >>> known.fields(["O", "f"])
    {'label1': 'O', 'gender': 'F'}
    """

    labels: list[Declared] = field(default_factory=list)
    categories: list[Declared] = field(default_factory=list)

    def hear(self, comment: str) -> None:
        """Take in a line of comment, which may declare something; what was declared before stays."""
        if found := DECLARED.match(comment):
            kind, *texts = found.groups()
            known = self.labels if kind == "LABEL" else self.categories
            if (declared := Declared(*texts)) not in known:
                known.append(declared)

    def fields(self, labels: Sequence[str]) -> Fields:
        """The labels of a segment by the titles of their categories, in small letters with `_` for spaces.

        A position without a title is `label1`, `label2`, ...; a title that is a column's name already is
        `label_NAME`. A label that differs from a declared one in case only is written as declared.
        """
        spelled = {label.id.casefold(): label.id for label in reversed(self.labels)}
        found = {}
        for position, label in enumerate(labels):
            if label:
                found[self._name(position)] = spelled.get(label.casefold(), label)
        return found

    def names(self, positions: int) -> list[str]:
        """What the fields of so many positions are called."""
        return list(map(self._name, range(positions)))

    def _name(self, position: int) -> str:
        titles = {category.id: category.title for category in self.categories}
        in_order = self.categories[position].title if position < len(self.categories) else ""
        title = titles.get(str(position), in_order)
        name = "_".join(title.replace("//", " ").casefold().split())
        if not name:
            return f"label{position + 1}"
        return f"label_{name}" if name in COLUMNS else name


def labels_in(text: str) -> list[str] | None:
    """The labels that a segment's text begins with; None where it begins with none.

    >>> labels_in("<O,f0,> good morning"), labels_in("good morning"), labels_in("<*> good")
    (['O', 'f0', ''], None, None)
    """
    first, _, _ = text.partition(" ")
    if not (first.startswith("<") and first.endswith(">")) or first == OPEN_STRETCH:
        return None
    return [label.strip() for label in first[1:-1].split(",")]
