"""Archives of binary machines piece by piece: `machines`.

Only reading a machine tells where the next begins, so that nothing can be read behind a damaged one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fstmetrics.errors import InputError
from fstmetrics.readers.base import Item
from fstmetrics.readers.fst_binary import Cursor, is_cut_off
from fstmetrics.readers.window import Window

# More than what stands before a machine: keys and magic numbers.
KEY = 4096


def machines(
    window: Window, read_next: Callable[[Cursor], Item], begin: int = 0, tail: int = 0
) -> Iterator[Item]:
    """The machines of an archive.

    Args:
        window: its content.
        read_next: reads the machine at the cursor, key first.
        begin: bytes before the first one.
        tail: bytes after the last one.

    Raises:
        InputError: what `read_next` raises, where more bytes do not help.
    """
    while window.left < begin and not window.ended:
        window.more()
    window.at = begin
    while window.left > tail or not window.ended:
        if window.left < KEY and not window.ended:
            window.more()
            continue
        cursor = Cursor(window.piece(), window.at)
        try:
            item = read_next(cursor)
        except InputError as error:
            if not is_cut_off(error) or window.ended:
                raise
            window.more()
            continue
        window.at = cursor.at
        yield item
