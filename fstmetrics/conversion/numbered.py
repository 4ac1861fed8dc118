"""Ids that only count items, as `convert` makes them where items have none: `id_of`, `Counted`."""

from __future__ import annotations

import re

# So many digits that the order of ids is that of items, which archives keep; more where there are more items.
COUNTING = re.compile(r"(?P<stem>.*)-(?P<number>\d{6,})", re.DOTALL | re.ASCII)


def id_of(stem: str, number: int) -> str:
    """The id of an item without one, counted from 1.

    >>> id_of("hyp", 7)
    'hyp-000007'
    """
    return f"{stem}-{number:06}"


class Counted:
    """Whether the ids of a file say no more than the order of its items does: one name, and 1, 2, 3, ..."""

    def __init__(self) -> None:
        self.first = ""
        self._stem: str | None = None

    def takes(self, id: str, number: int) -> bool:
        """Whether the ids up to this one do; they are to be given in order.

        >>> ids = Counted()
        >>> ids.takes("hyp-000001", 1), ids.takes("hyp-000002", 2), ids.takes("hyp-000004", 3)
        (True, True, False)
        """
        found = COUNTING.fullmatch(id)
        if number == 1 and found:
            self.first, self._stem = id, found["stem"]
        return found is not None and found["stem"] == self._stem and id == id_of(found["stem"], number)
