"""Who speaks, where only ids tell: `speakers_of`, and the rules by name, `SPEAKER_RULES`.

The rules are those of NIST's sclite (`-i spu_id`, `-i wsj`). Nothing is guessed: ids that do not fit a rule, or that by
their looks name no speakers, are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import unknown

# So many characters of an id are the speaker in the Wall Street Journal corpus.
WSJ = 3


def spu_id(id: str) -> str | None:
    """The speaker of `speaker-utterance`, or, where there is no hyphen, of `speaker_utterance`; None for other ids.

    Of the path of a file, its name counts.

    >>> spu_id("weather001_004"), spu_id("f_12-03"), spu_id("u7"), spu_id("/data-set/ann_04.wav")
    ('weather001', 'f_12', None, 'ann')
    """
    id = _name(id)
    separator = "-" if "-" in id else "_"
    speaker, _, utterance = id.partition(separator)
    return speaker if speaker and utterance else None


def wsj(id: str) -> str | None:
    """The first three characters, of a path those of the file's name; None for an id that has no more.

    >>> wsj("4k0c0301"), wsj("/data/4k0c0301.wav")
    ('4k0', '4k0')
    """
    id = _name(id)
    return id[:WSJ] if len(id) > WSJ else None


def _name(id: str) -> str:
    """What follows the last `/`."""
    return id.rpartition("/")[2]


SPEAKER_RULES: dict[str, Callable[[str], str | None]] = {"spu_id": spu_id, "wsj": wsj}


def speakers_of(ids: Sequence[str | None], rule: str | None = None) -> list[str]:
    """The speaker of each item, from its id.

    Args:
        ids: of the items.
        rule: `spu_id` or `wsj`. None: `spu_id`, where the ids look as if it were meant: they have several speakers,
            and fewer than items.

    Raises:
        FstmetricsError: no such rule, an item without an id, an id that the rule does not fit, or ids that do not look
            as if they named speakers.

    >>> speakers_of(["ann_1", "ann_2", "bob_1"])
    ['ann', 'ann', 'bob']
    """
    if rule is not None:
        refuse_rule(rule)
    found = list(each_speaker(ids, rule or "spu_id"))
    if rule is None:
        refuse_unlikely(found)
    return found


def each_speaker(ids: Iterable[str | None], rule: str) -> Iterator[str]:
    """The speaker of each item by a rule that there is, one by one; errors as of `speakers_of`."""
    of = SPEAKER_RULES[rule]
    for item, id in enumerate(ids):
        if id is None:
            raise FstmetricsError(f"item {item} (from 0) has no id, so that nothing tells its speaker")
        if (speaker := of(id)) is None:
            wanted = (
                "speaker-utterance or speaker_utterance" if rule == "spu_id" else "more than 3 characters"
            )
            raise FstmetricsError(f"the id {id!r} tells no speaker: the rule {rule} wants {wanted}")
        yield speaker


def refuse_unlikely(speakers: Iterable[str]) -> None:
    """Raise an FstmetricsError for speakers by `spu_id` that nobody can have meant: one for all, or one an item."""
    items, different = 0, set[str]()
    for speaker in speakers:
        items += 1
        different.add(speaker)
    if len(different) == 1:
        raise FstmetricsError(f"the ids tell no speakers: all would be {different.pop()!r}")
    if len(different) == items:
        raise FstmetricsError("the ids tell no speakers: by the rule spu_id every item would have its own")


def refuse_rule(name: str) -> None:
    """Raise an FstmetricsError if there is no such rule."""
    if name not in SPEAKER_RULES:
        raise FstmetricsError(unknown("rule of speakers", name, SPEAKER_RULES))
