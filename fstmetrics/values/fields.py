"""Named fields of an item, as its speaker or its duration: `Fields`.

The same fields have the same names whatever the file: `speaker`, `session`, `file`, `channel`, and in seconds `start`,
`end` and `duration`. A file with columns of its own keeps their names.
"""

from __future__ import annotations

from collections.abc import Mapping

Field = str | int | float | bool | None
Fields = Mapping[str, Field]

NO_FIELDS: Fields = {}  # one for all items without any; nobody writes to it


def no_fields() -> Fields:
    """Those of an item that has none."""
    return NO_FIELDS


def merged(sides: list[Fields]) -> Fields:
    """The fields of all sides of an item; where two have the same, the first one's.

    >>> merged([{"speaker": "ann"}, {}, {"speaker": "bob", "domain": "news"}])
    {'speaker': 'ann', 'domain': 'news'}
    """
    found = [fields for fields in sides if fields]
    if len(found) < 2:
        return found[0] if found else NO_FIELDS
    every: dict[str, Field] = {}
    for fields in found:
        for name, value in fields.items():
            every.setdefault(name, value)
    return every
