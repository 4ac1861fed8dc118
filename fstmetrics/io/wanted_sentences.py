"""Sentences that networks are to accept or to reject: `read_wanted`.

    # fstmetrics-sentences/1
    id: approval
    + the level of approval was practically zero
    - the level was approval

A line that begins with `+ ` is a sentence to accept, one that begins with `- ` a sentence to reject; a sign alone is
the empty sentence. `id:` names the network of the lines that follow. Other lines that begin with `#` are comments. A
file that does not begin with this header has a sentence a line, all of one kind, with an id where it is called `.trn`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fstmetrics.data.transcripts import Transcript
from fstmetrics.io.formats import trn
from fstmetrics.io.formats.plain import transcript_lines
from fstmetrics.io.items import ReadOptions
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.source import Source

HEADER = "# fstmetrics-sentences/1"


SIGNS = {"+": True, "-": False}


class Wanted(NamedTuple):
    """A sentence and what a network should do with it.

    Attributes:
        text: the sentence.
        accept: whether it is to be accepted.
        path, line: where it stands.
        id: the network's id, where an `id:` names it; the id of a line of trn, which is the network's if there are
            several.
        is_of_trn: whether it is a line of trn.
    """

    text: str
    accept: bool
    path: str
    line: int
    id: str | None = None
    is_of_trn: bool = False

    def error(self, message: str) -> FstmetricsError:
        """An error at the line."""
        return FstmetricsError(f"{self.path}:{self.line}: {message}")


def read_wanted(path: str, accept: bool = True) -> list[Wanted]:
    """The sentences of a file, in order.

    Args:
        path: the file.
        accept: whether those of a file without a header are to be accepted.

    Raises:
        InputError: a line that is none of the above; without a header, a blank line, or signs before all lines; no
            sentence at all, or in trn one with a choice; or a file of both kinds where one to be rejected is asked for.
    """
    source = Source.open(path)
    lines = source.text.removesuffix("\n").split("\n") if source.text else []
    lines = [line.removesuffix("\r") for line in lines]
    if lines and lines[0].strip() == HEADER:
        if not accept:
            raise source.error("says itself what is to be accepted and rejected; give it as SENTENCES", 1)
        found = list(_signed(source, lines))
    elif source.name.endswith(trn.FORMAT.extensions):
        found = list(_with_ids(source, accept))
    else:
        found = list(_plain(source, lines, accept))
    if not found:
        raise source.error("holds no sentence")
    return found


def _plain(source: Source, lines: list[str], accept: bool) -> Iterator[Wanted]:
    if lines and all(line.partition(" ")[0] in SIGNS for line in lines):
        raise source.error(
            f"every line begins with + or -: if these are signs, {HEADER} is to be the first line; if they are words, "
            "put `+ ` before each line, too",
            1,
        )
    for number, line in enumerate(lines, 1):
        if not line.strip():
            raise source.error(
                f"a blank line; the empty sentence is written `+` in a file that begins with {HEADER}", number
            )
        yield Wanted(line, accept, str(source.path), number)


def _with_ids(source: Source, accept: bool) -> Iterator[Wanted]:
    numbers = (number for number, _ in transcript_lines(source))
    for number, item in zip(numbers, trn.read(source, ReadOptions()), strict=True):
        text = item.value if item.text is None else item.text
        if isinstance(text, Transcript):
            raise source.error("leaves a choice: write each sentence on a line of its own", number)
        yield Wanted(
            text if isinstance(text, str) else " ".join(text), accept, str(source.path), number, item.id, True
        )


def _signed(source: Source, lines: list[str]) -> Iterator[Wanted]:
    id: str | None = None
    for number, line in enumerate(lines, 1):
        sign, _, rest = line.partition(" ")
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("id:"):
            id = line.removeprefix("id:").strip()
        elif sign in SIGNS:
            yield Wanted(rest, SIGNS[sign], str(source.path), number, id)
        else:
            raise source.error(
                f"expected `+ sentence`, `- sentence`, `id: NETWORK` or a comment with #, not {line[:40]!r}",
                number,
            )
