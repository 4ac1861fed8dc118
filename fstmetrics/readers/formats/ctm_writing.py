"""NIST's ctm, written: `file channel begin duration word [confidence]` lines, a choice between lines of its own.

What means something in sclite's notation stands behind a backslash, as in trn.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fstmetrics.errors import FstmetricsError
from fstmetrics.readers.base import Item
from fstmetrics.readers.writing import Carries, WriteOptions, Writer, encoded
from fstmetrics.segments import TimedChoice, TimedWord, TimedWords

# In place of a word, in lines whose times are stars.
MARKS = (BEGIN, OR, END) = ("<ALT_BEGIN>", "<ALT>", "<ALT_END>")
# The channel of an utterance that is a file of its own, as Kaldi's tools have it.
ONLY = "1"
# As many digits as files of recognisers have, if no more are needed.
LEAST_DECIMALS = 2


def write(items: Iterator[Item], options: WriteOptions) -> Iterator[bytes]:
    """A line a word, channel after channel.

    Raises:
        FstmetricsError: a file's name that would begin a comment.
    """
    return encoded(line for item in items for line in _lines(item.value))


def _lines(channel: TimedWords) -> Iterator[str]:
    if channel.file.startswith(";;"):
        raise FstmetricsError(f"the id {channel.file!r} begins with ;;, which begins a comment in ctm")
    head = f"{channel.file} {channel.channel}"
    for text in channel.texts:
        if isinstance(text, TimedChoice):
            yield from _choice(head, text)
        else:
            yield _line(head, text)


def _choice(head: str, choice: TimedChoice) -> Iterator[str]:
    for number, words in enumerate(choice.alternatives):
        yield f"{head} * * {OR if number else BEGIN}\n"
        yield from (_line(head, word) for word in words)
    yield f"{head} * * {END}\n"


def _line(head: str, word: TimedWord) -> str:
    confidence = word.confidence and f" {word.confidence}"
    return f"{head} {_seconds(word.begin)} {_seconds(word.duration)} {word.word}{confidence}\n"


def _seconds(time: float) -> str:
    """A time with all its digits, and no exponent."""
    return str(np.format_float_positional(time, min_digits=LEAST_DECIMALS))


WRITER = Writer("ctm", (".ctm",), Carries("timed", several=True, ids=True, choices=True), write)
