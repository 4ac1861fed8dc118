"""What icefall and its relatives (k2, Zipformer recipes) write of a test set; both sides are in one file.

- "recogs": `id:<tab>ref=['a', 'b']` and `id:<tab>hyp=['a', 'c']` lines, as `store_transcripts` writes them.
- "errs": a report of errors, with a line `id:<tab>a (b->c) (*->d)` for each utterance, as `write_error_stats` writes
  it. Its head counts words and errors: what was read must come to the same.

Source: icefall, icefall/utils.py.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from fstmetrics.io.arcs import shown, take_id
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.support.source import Source

# A line of recogs; old ones have no id.
LINE = re.compile(r"(?:(\S+):\s+)?(ref|hyp)=(.*)")
# A further line of some recipes, of times.
TIMES = re.compile(r"(?:\S+:\s+)?timestamp_(?:ref|hyp)=")
HEAD = re.compile(
    r"Errors: (\d+) insertions, (\d+) deletions, (\d+) substitutions, over (\d+) reference words \((\d+) correct\)"
)
DETAILS = "PER-UTT DETAILS:"
# A word or a stretch of words that was taken for another; `*` for nothing.
ERROR = re.compile(r"\((\*|[^()]+?)->(\*|[^()]+?)\)")
# What is left of one that is damaged.
DAMAGED = re.compile(r"\([^()]*->|->[^()]*\)")
NOTHING = "*"


@dataclass(slots=True)
class _Utterance:
    id: str | None
    line: int
    reference: str
    hypothesis: str


def read_recogs(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The utterances of recogs, in order.

    Raises:
        InputError: another line, a reference without its hypothesis, or an id that comes twice.
    """
    return _items(source, _recogs(source), options)


def _recogs(source: Source) -> Iterator[_Utterance]:
    reference: tuple[str | None, str] | None = None
    for number, line in source.lines():
        if not line.strip() or TIMES.match(line):
            continue
        match = LINE.fullmatch(line.rstrip())
        if match is None or (match[2] == "ref") != (reference is None):
            expected = "ref" if reference is None else "hyp"
            raise source.error(f"expected `id:<tab>{expected}=[...]`, found {shown(line)}", number)
        words = _words(source, number, match[3])
        if reference is None:
            reference = match[1], words
            continue
        if match[1] != reference[0]:
            raise source.error(
                f"the hypothesis of {shown(str(match[1]))} follows the reference of {shown(str(reference[0]))}",
                number,
            )
        yield _Utterance(match[1], number, reference[1], words)
        reference = None
    if reference is not None:
        raise source.error(f"the file ends before the hypothesis of {shown(str(reference[0]))}")


def _words(source: Source, number: int, written: str) -> str:
    """Words of a list as Python writes it, or of a string."""
    try:
        found = ast.literal_eval(written)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        found = None
    if isinstance(found, str):
        return found
    if not isinstance(found, list) or not all(isinstance(word, str) for word in found):
        raise source.error(f"expected a list of words, ['a', 'b'], found {shown(written)}", number)
    return " ".join(found)


def read_errs(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The utterances of a report of errors, in order.

    Raises:
        InputError: another head, a line that is no utterance, an id that comes twice, or words that are not those that
            the head counts.
    """
    return _items(source, _errs(source), options)


def _errs(source: Source) -> Iterator[_Utterance]:
    lines = source.lines()
    counts = None
    for _, line in lines:
        counts = counts or HEAD.match(line)
        if line.startswith(DETAILS):
            break
    if counts is None:
        raise source.error(
            "expected `Errors: N insertions, N deletions, ... over N reference words` in the head"
        )
    insertions, deletions, _, words, correct = map(int, counts.groups())
    references = hypotheses = hits = 0
    damaged: tuple[int, str] | None = None
    for number, line in lines:
        if not line.strip():
            break
        id, colon, text = line.partition(":\t")
        if not colon:
            raise source.error(f"expected `id:<tab>words`, found {shown(line)}", number)
        same = ERROR.sub(" ", text)
        if damaged is None and (found := DAMAGED.search(same)):
            damaged = number, found[0]
        hits += len(same.split())
        reference, hypothesis = _side(text, 1), _side(text, 2)
        references += len(reference.split())
        hypotheses += len(hypothesis.split())
        yield _Utterance(id, number, reference, hypothesis)
    if (references, hypotheses) != (words, words - deletions + insertions):
        raise source.error(
            f"the utterances have {references} words of the references and {hypotheses} of the hypotheses, and the "
            f"head counts {words} and {words - deletions + insertions}: words with brackets cannot be told from "
            "errors; give the recogs file"
        )
    if damaged is not None:
        raise source.error(f"expected `(word->word)`, found {shown(damaged[1])}", damaged[0])
    if hits != correct:
        raise source.error(
            f"{hits} words of the utterances are in no error, and the head counts {correct} correct: words with "
            "brackets cannot be told from errors; give the recogs file"
        )


def _side(text: str, side: int) -> str:
    """The words of a side."""
    return " ".join(ERROR.sub(lambda found: "" if found[side] == NOTHING else found[side], text).split())


def _items(source: Source, utterances: Iterator[_Utterance], options: ReadOptions) -> Iterator[Item]:
    source.refuse_empty()
    if options.table.side is None:
        options.remark(f"{source.path} has both sides: its references are read")
    seen: dict[str, int] = {}
    for utterance in utterances:
        take_id(source, utterance.id, utterance.line, seen)
        is_hypothesis = options.table.side == "hypothesis"
        yield Item(utterance.id, None, utterance.hypothesis if is_hypothesis else utterance.reference)


FORMAT = Format(
    "recogs", "icefall's recogs, ref= and hyp= of each utterance", read_recogs, by_lines=True, has_sides=True,
)  # fmt: skip
REPORT = Format(
    "errs", "icefall's report of errors, (ref->hyp) in each utterance", read_errs,
    by_lines=True, has_sides=True,
)  # fmt: skip
