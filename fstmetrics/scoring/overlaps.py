"""Segments whose times differ a little on either side, and so their ids: `paired_by_overlap`.

Formats such as stm and SegLST make an id of a segment's times. Where another program wrote the times, those of the same
segment are not equal. Segments of the same recording, channel and speaker are partners if they overlap by half of the
shorter one or more, and no other segment does. What has no partner keeps its id, so that it is missing; where there are
two, nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from fstmetrics.io import FORMATS, Item, Items
from fstmetrics.support.errors import InputError
from fstmetrics.support.printable import counted

# The share of the shorter segment that partners have in common, at least.
LEAST_SHARE = 0.5
# The field that says how much of the shorter segment a pair has in common.
OVERLAP = "overlap"


Times = np.ndarray[tuple[int], np.dtype[np.float64]]


class Stretch(NamedTuple):
    """When an item was said."""

    item: Item
    session: str
    channel: str | None
    speaker: str | None
    begin: float
    end: float


class Overlapping(NamedTuple):
    """Items with the ids of the references that they overlap, and a remark about them."""

    items: Items
    remark: str


def paired_by_overlap(hypotheses: Items, references: Items) -> Overlapping | None:
    """The hypotheses with the references' ids, where ids are made of times and are not the same on both sides.

    Returns:
        None where ids decide: all are the same, or the files do not make ids of times.

    Raises:
        InputError: a segment that overlaps several of the other side by half or more.
    """
    if not (hypotheses.items and references.items):
        return None
    if not all(FORMATS[name].ids_from_times for side in (hypotheses, references) for name in side.formats):
        return None
    known = {item.id for item in references.items}
    given = {item.id for item in hypotheses.items}
    if known == given:
        return None
    hyps = [stretch for item in hypotheses.items if item.id not in known for stretch in _stretch(item)]
    refs = [stretch for item in references.items if item.id not in given for stretch in _stretch(item)]
    partners = _partners(refs, hyps, hypotheses.path, references.path)
    if not partners:
        return None
    renamed = tuple(
        replace(item, id=partners[item.id][0], fields={**item.fields, OVERLAP: partners[item.id][1]})
        if item.id in partners
        else item
        for item in hypotheses.items
    )
    share, id = min((share, id) for id, share in partners.values())
    begin = "begins or ends" if len(partners) == 1 else "begin or end"
    remark = (
        f"paired by time: {counted(len(partners), 'segment')} of {hypotheses.path} {begin} at other times than in "
        f"{references.path}; each has the one that it overlaps, by {share:.0%} of the shorter or more ({id})"
    )
    return Overlapping(replace(hypotheses, items=renamed), remark)


def _stretch(item: Item) -> Iterator[Stretch]:
    """When an item was said, if it says so."""
    fields = item.fields
    begin, end = fields.get("start"), fields.get("end")
    session = fields.get("session", fields.get("file"))
    if item.id is None or session is None or not isinstance(begin, float) or not isinstance(end, float):
        return
    channel, speaker = (
        None if fields.get(name) is None else str(fields[name]) for name in ("channel", "speaker")
    )
    yield Stretch(item, str(session).casefold(), channel, speaker, begin, end)


def _partners(
    refs: Sequence[Stretch], hyps: Sequence[Stretch], path: str, other: str
) -> dict[str | None, tuple[str, float]]:
    """The id of the reference, and the share in common, by the id of the hypothesis."""
    home = _home(refs, hyps)
    found: dict[str | None, tuple[str, float]] = {}
    taken: dict[str, str] = {}
    of_home: dict[tuple[str, ...], list[Stretch]] = {}
    for ref in refs:
        of_home.setdefault(home(ref), []).append(ref)
    times = {key: np.array([(ref.begin, ref.end) for ref in own]).T for key, own in of_home.items()}
    for hyp in hyps:
        key = home(hyp)
        if key not in times:
            continue
        shares = _shares(hyp, *times[key])
        near = np.flatnonzero(shares >= LEAST_SHARE)
        if len(near) > 1:
            raise _ambiguous(str(hyp.item.id), path, (str(of_home[key][i].item.id) for i in near), other)
        for i in near:
            id = str(of_home[key][i].item.id)
            if id in taken:
                raise _ambiguous(id, other, [taken[id], str(hyp.item.id)], path)
            taken[id] = str(hyp.item.id)
            found[hyp.item.id] = (id, round(float(shares[i]), 3))
    return found


def _shares(hyp: Stretch, begins: Times, ends: Times) -> Times:
    """What each reference has in common with a hypothesis, of the shorter of both; of a point, 1 if it is inside."""
    common = np.minimum(ends, hyp.end) - np.maximum(begins, hyp.begin)
    shorter = np.minimum(ends - begins, hyp.end - hyp.begin)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(shorter > 0, common / shorter, np.where(common >= 0, 1.0, -1.0))


def _home(refs: Sequence[Stretch], hyps: Sequence[Stretch]) -> Callable[[Stretch], tuple[str, ...]]:
    """What segments have to have in common: the recording; the channel, where there are several; and the speaker, where
    both sides call speakers alike."""
    both = [*refs, *hyps]
    channels = all(s.channel is not None for s in both) and any(
        len({s.channel for s in side if s.session == session}) > 1
        for side in (refs, hyps)
        for session in {s.session for s in side}
    )
    said, heard = ({s.speaker for s in side} for side in (refs, hyps))
    speakers = None not in said | heard and (said <= heard or heard <= said)

    def home(stretch: Stretch) -> tuple[str, ...]:
        channel = (str(stretch.channel).casefold(),) if channels else ()
        return (stretch.session, *channel, *((str(stretch.speaker),) if speakers else ()))

    return home


def _ambiguous(id: str, path: str, others: Iterable[str], other: str) -> InputError:
    named = " and ".join(list(others)[:2])
    return InputError(
        f"segment {id} overlaps {named} of {other} by half or more, so that times do not pair them: score words with "
        "times (ctm), or take fstmetrics speakers, which puts the words of each speaker in a row",
        path,
    )
