"""Partial results of recognisers, JSON Lines with `id`, `time` (seconds), `text` and `final`: `read_partials`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from fstmetrics.data.segments import TimedWord, TimedWords
from fstmetrics.io.json_fields import JsonRow, json_rows
from fstmetrics.io.reading import read_items
from fstmetrics.streams.partials import EndOfWord, Partial
from fstmetrics.support.errors import InputError
from fstmetrics.support.source import Source

EXPECTED = 'expected lines {"id": "u1", "time": 0.8, "text": "the cat", "final": false}'


def read_partials(path: str) -> dict[str, list[Partial]]:
    """The results of each utterance, in order of time; the last one is final.

    Lines of several utterances may stand among each other. `final` may be left out where it is false.

    Raises:
        InputError: no such file, or another one; a line without a field; times that go back; a result after the final
            one, or an utterance without a final one.
    """
    source = Source.open(path)
    found: dict[str, list[Partial]] = {}
    finals: dict[str, int] = {}
    last: dict[str, int] = {}
    for row in json_rows(source):
        id, time, text = _id(row), row.number("time"), row.text("text")
        if id in finals:
            raise row.error(f"the final result of {id!r} is in line {finals[id]}; expected none after it")
        results = found.setdefault(id, [])
        if time < (results[-1].time if results else 0):
            raise row.error(
                f"time is {time:g}; expected seconds from {results[-1].time if results else 0:g} on"
            )
        results.append(Partial(time, text))
        last[id] = row.line
        final = row.values.get("final", False)
        if not isinstance(final, bool):
            raise row.error(f"final is {final!r}; expected true or false")
        if final:
            finals[id] = row.line
    if not found:
        raise source.error(f"there is nothing in it; {EXPECTED}")
    if lacking := [id for id in found if id not in finals]:
        raise source.error(
            f'this is the last result of {lacking[0]!r}, and has no "final": true', last[lacking[0]]
        )
    return found


def _id(row: JsonRow) -> str:
    id = row.values.get("id")
    if isinstance(id, bool) or not isinstance(id, str | int) or id == "":
        raise row.error(f"there is no id; {EXPECTED}")
    return str(id)


def read_ends(path: str, utterances: Collection[str]) -> dict[str, list[EndOfWord]]:
    """The words of the references and when they end, from ctm.

    Args:
        path: the file.
        utterances: those of the partial results.

    Raises:
        InputError: no such file, or no ctm; a choice, of which nobody knows what was said; an utterance with several
            channels, of which the partial results name none.
    """
    found: dict[str, list[EndOfWord]] = {}
    items = list(read_items(path, format="ctm").items)
    files = Counter(item.value.file for item in items)
    for item in items:
        value = item.value
        assert isinstance(value, TimedWords)
        name = item.id or value.file
        if name not in utterances and value.file in utterances:
            if files[value.file] > 1:
                raise InputError(
                    f"{value.file!r} has several channels there, and the partial results do not say which: call the "
                    f"utterance {name!r} there, or keep the words of one channel in this file",
                    path,
                )
            name = value.file
        words = found.setdefault(name, [])
        for word in value.texts:
            if not isinstance(word, TimedWord):
                raise InputError(f"{item.id} leaves a choice; expected one word at a time", path)
            words.append(EndOfWord(word.word, word.begin + word.duration))
    return found
