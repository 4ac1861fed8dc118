"""Tables of text: `headed`, the head of one; `is_table`, one without."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from itertools import pairwise

from fstmetrics.io.detection.head import LINES, Head

DELIMITERS = {"\t": "tab", ",": "comma", ";": "semicolon", "|": "bar"}
# Names that columns have beside those of `fstmetrics.io.column_roles`. One of them makes a line of short names a head.
USUAL = frozenset(
    (
        "target", "translation", "segment", "client_id", "speaker", "speaker_id", "spk", "spk_id", "duration", "start",
        "end", "lang", "language", "locale", "source", "src", "tgt", "mt", "human", "system", "score", "key", "index",
        "label", "labels", "name", "hypotheses", "output", "input",
    )
)  # fmt: skip
# Names of columns that have a transcript.
TEXTS = (
    "text", "sentence", "transcript", "transcription", "words", "reference", "ref", "target", "translation",
    "normalized_text", "pred_text", "hypothesis", "hyp", "prediction", "pred",
)  # fmt: skip
_NAME = re.compile(r"[^\W\d][\w .#/()-]{0,40}")
_FIRST_CELL = re.compile(r"(?=.*\d)(?=.*[^\W\d])\S+")
# Moses escapes characters so, and references have choices: their semicolons and bars part no columns.
_NO_COLUMNS = re.compile(r"&(?:\w{2,6}|#\d{1,6});|\{[^{}]*\|[^{}]*\}|\[[^][]*\|[^][]*\]|\([^()]*\|[^()]*\)")
_NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")
_THOUSANDS = re.compile(r"\d{3}(?!\d)")
# Of so many lines none has a space behind its comma: no text is written so.
ENOUGH = 3


def headed(head: Head) -> tuple[str, list[str]] | None:
    """What parts the columns of a table, and their names; None where the first line is no head.

    >>> from fstmetrics.support.source import Source
    >>> headed(Head(Source("a", b"path,sentence\\na.wav,the cat\\n"), known=frozenset({"path", "sentence"})))
    (',', ['path', 'sentence'])
    """
    given = head.columns or frozenset()
    lines = head.lines
    if lines and head.untrimmed.removesuffix(head.text).endswith("\t"):  # a column without a name
        lines = [f"\t{lines[0]}", *lines[1:]]
    for delimiter in DELIMITERS if lines else ():
        rows = cells(lines, delimiter) if delimiter in lines[0] else []
        if rows and len(rows[0]) > 1:
            names = [name.strip() for name in rows[0]]
            if not given.isdisjoint(names) or _is_sure(head, lines, delimiter):
                return delimiter, names
    alone = cells(lines[:1], ",")
    if alone and len(alone[0]) == 1 and (name := alone[0][0].strip()) in given:
        return ",", [name]
    return None


def cells(lines: Sequence[str], delimiter: str, spaced: bool = False) -> list[list[str]]:
    """The cells of lines; spaces behind delimiters are part of them unless they are spaced."""
    return [row for row in csv.reader(lines, delimiter=delimiter, skipinitialspace=spaced) if row]


def is_spaced(lines: Sequence[str], delimiter: str) -> bool:
    """Whether each delimiter has a space behind it, as in `id, text`, and the first line none before one.

    >>> is_spaced(["id, text", "a, the cat"], ","), is_spaced(["id,text", "a,well, yes"], ",")
    (True, False)
    >>> is_spaced(["well , yes", "no , it is"], ",")
    False
    """
    rows = [row for row in csv.reader(lines, delimiter=delimiter) if len(row) > 1]
    if not rows or delimiter == "\t" or any(name.endswith(" ") for name in rows[0]):
        return False
    return all(cell.startswith(" ") for row in rows for cell in row[1:] if cell)


def _is_sure(head: Head, lines: Sequence[str], delimiter: str) -> bool:
    """Whether the first line is a head: one of its names is usual for a column, and it looks like no text.

    A text may have spaces behind its commas: there the file is called a table, or a name is no word of a sentence.
    """
    spaced = is_spaced(lines, delimiter)
    first, *others = cells(lines, delimiter, spaced)
    if any(left.endswith(" ") and right.startswith(" ") for left, right in pairwise(first)):
        return False  # a text whose words are parted from their commas
    names = [name.strip().lower() for name in first]
    known = sum(map(head.knows, names))
    usual = sum(head.knows(name) or name in USUAL or name in TEXTS for name in names)
    are_as_wide = bool(others) and all(len(row) == len(first) for row in others)
    if spaced:
        is_no_word = any(name == "id" or "_" in name for name in names if head.knows(name))
        is_called = head.name.endswith((".csv", ".tsv"))
        return (is_called and known == len(names)) or (is_no_word and (known == len(names) or are_as_wide))
    are_names = all(map(_NAME.fullmatch, filter(None, first)))  # pandas' index has no name
    if known > 1 or (usual > 1 and are_names):
        return True
    if usual and (head.name.endswith((".csv", ".tsv")) or (are_names and others)):
        return True
    return are_as_wide and (known > 0 or _is_head(head, first, others))


def may_be_headed(head: Head) -> bool:
    """Whether a text with spaces behind its commas has a first line of names that are known: `name, text`."""
    for delimiter in DELIMITERS if head.lines else ():
        if delimiter in head.lines[0] and is_spaced(head.lines, delimiter):
            names, *others = cells(head.lines, delimiter, True)
            known = sum(map(head.knows, names))
            if known == len(names) > 1 or (known > 1 and all(len(row) == len(names) for row in others)):
                return True
    return False


def line_of_head(head: Head) -> int | None:
    """The line of a file, from 1, that names its columns below others, as a title; None where there is none.

    Two of the names are known, all are short, and none has a space before it; the first line that is not blank is no
    such line.
    """
    _, *below = [(number, line) for number, line in head.numbered_lines if line.strip()][:LINES] or [(0, "")]
    for number, line in below[:-1]:
        for delimiter in DELIMITERS:
            names = cells([line.rstrip("\r").replace("\r", " ")], delimiter)[0] if delimiter in line else []
            are_names = all(_NAME.fullmatch(name) for name in names if name)
            if are_names and sum(map(head.knows, names)) > 1:
                return number
    return None


def _is_head(head: Head, first: Sequence[str], others: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names columns: short names, all different, one of them well known or the rows many."""
    if len(set(first)) < len(first) or not all(map(_NAME.fullmatch, first)):
        return False
    if any(head.knows(name) or name.strip().lower() in {*USUAL, *TEXTS} for name in first):
        return True
    return len(first) > 2 and len(others) > 2 and not any(" " in name for name in first)


def columns_without_head(head: Head) -> tuple[str, str] | None:
    """What parts the columns of a table without a head that is known, and its name; None where it is no table."""
    lines = [_NO_COLUMNS.sub("", line) for line in head.lines]
    for delimiter, called in DELIMITERS.items():
        rows = cells(lines, delimiter) if delimiter in "".join(lines[:1]) else []
        if rows and len(rows[0]) > 1 and _is_table(rows, delimiter):
            return delimiter, called
    return None


def _is_table(rows: Sequence[Sequence[str]], delimiter: str) -> bool:
    width = len(rows[0])
    are_as_wide = all(len(row) == width for row in rows)
    firsts = [row[0] for row in rows]
    if delimiter == "\t":  # with ids and one tab it is Kaldi text
        if all(_NUMBER.fullmatch(first.strip()) for first in firsts):
            return True
        if len(rows) < 2:
            return False
        if min(map(len, rows)) > 2:
            return True
        has_no_ids = len(set(firsts)) < len(firsts) or any(" " in first.strip() for first in firsts)
        return are_as_wide and has_no_ids
    # `id,sentence`: an id and no space behind it.
    are_different = len(set(firsts)) == len(rows)
    are_parted = all(len(row) > 1 and not row[1].startswith(" ") for row in rows)
    below_head = firsts[1:] if len(rows) > 2 else firsts
    if are_different and are_parted and all(map(_FIRST_CELL.fullmatch, below_head)):
        return True
    if (
        are_different
        and are_parted
        and len(rows) >= ENOUGH
        and all(len(first.split()) == 1 for first in firsts)
    ):
        return width == 2 and are_as_wide
    if delimiter == "|" and all("|||" in delimiter.join(row) for row in rows):
        return True
    if not are_as_wide or len(rows) < 2:
        return False
    # No text of two lines or more has none but such commas, other than in numbers: 2,000.
    return not any(map(_is_of_text, rows)) or (delimiter == "|" and " | " in delimiter.join(rows[0]))


def _is_of_text(row: Sequence[str]) -> bool:
    """Whether the commas of a line may be those of a text: one with a space beside it, or one within a number."""
    return any(cell != cell.strip() for cell in row) or any(
        left[-1:].isdecimal() and _THOUSANDS.match(right) for left, right in pairwise(row)
    )
