"""DER and JER: against their definitions, a hundredth of a second after the other, and every mapping tried."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

import fstmetrics as fm
from fstmetrics.data.sessions import Session, Utterance
from fstmetrics.speakers.diarization import Diarization, diarization

FRAMES = 100  # a second


def spoken(rng: random.Random, prefix: str) -> list[Utterance]:
    """Utterances of some speakers, in hundredths; those of one speaker may overlap."""
    found = []
    for _ in range(rng.randint(0, 7)):
        begin, length = rng.randint(0, 600), rng.randint(0, 300)
        who = f"{prefix}{rng.randrange(3)}"
        found.append(Utterance("a", who, begin / FRAMES, (begin + length) / FRAMES))
    return found


def frames(side: list[Utterance]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for u in side:
        assert u.begin is not None
        assert u.end is not None
        found.setdefault(u.speaker, set()).update(range(round(u.begin * FRAMES), round(u.end * FRAMES)))
    return {who: own for who, own in found.items() if own}


def slow(refs: list[Utterance], hyps: list[Utterance], collar: float) -> tuple[list[float], float]:
    """Seconds that are scored, missed, false alarms and confused; and JER."""
    r, h = frames(refs), frames(hyps)
    left_out: set[int] = set()
    for u in refs:
        if u.begin == u.end or not collar:
            continue
        for time in (u.begin, u.end):
            assert time is not None
            around = range(round((time - collar) * FRAMES), round((time + collar) * FRAMES))
            left_out.update(around)
    size = max(len(r), len(h))
    hearers = [*h, *[""] * (size - len(h))]
    mappings = [dict(zip(r, order, strict=False)) for order in permutations(hearers)] or [{}]

    def shared(who: str, other: str) -> set[int]:
        return r[who] & h.get(other, set())

    def gain(mapping: dict[str, str]) -> tuple[int, int]:
        times = [shared(*pair) for pair in mapping.items()]
        return sum(map(len, times)), sum(len(each - left_out) for each in times)

    best = max(mappings, key=gain)
    counts = [0, 0, 0, 0]
    for frame in set().union(*r.values(), *h.values()) - left_out:
        said, heard = ([who for who, own in side.items() if frame in own] for side in (r, h))
        right = sum(best[who] in heard for who in said)
        counts[0] += len(said)
        counts[1] += max(len(said) - len(heard), 0)
        counts[2] += max(len(heard) - len(said), 0)
        counts[3] += min(len(said), len(heard)) - right

    def jaccard(who: str, other: str) -> float:
        return 1 - len(shared(who, other)) / len(r[who] | h.get(other, set())) if other else 1.0

    jer = min(sum(jaccard(*pair) for pair in mapping.items()) for mapping in mappings)
    return [count / FRAMES for count in counts], jer / len(r) if r else 0.0


@pytest.mark.parametrize("seed", range(80))
def test_der_and_jer_are_those_of_their_definitions(seed: int) -> None:
    rng = random.Random(seed)
    refs, hyps = spoken(rng, "r"), spoken(rng, "h")
    collar = rng.choice([0, 0, 0.1, 0.25])
    found = diarization(Session.of(refs, hyps), collar)
    times, jer = slow(refs, hyps, collar)
    assert [found.scored, found.missed, found.false_alarm, found.confusion] == pytest.approx(times)
    if frames(refs):
        assert found.jer == pytest.approx(jer)
    if times[0]:
        assert found.der == pytest.approx(sum(times[1:]) / times[0])


def test_sessions_add_up_by_time_and_by_speaker() -> None:
    short = diarization(Session.of([Utterance("", "a", 0, 1)], []))
    long = diarization(
        Session.of([Utterance("", "a", 0, 6), Utterance("", "b", 6, 9)], [Utterance("", "1", 0, 9)])
    )
    both = Diarization.total([short, long])
    assert (both.der, both.jer) == (4 / 10, pytest.approx((1 + 1 / 3 + 1) / 3))


def test_nobody_speaks() -> None:
    assert diarization(Session.of([], [])).as_dict()["der"] == 0
    assert diarization(Session.of([], [Utterance("", "1", 0, 1)])).as_dict()["der"] is None


def test_utterances_without_times_are_refused() -> None:
    with pytest.raises(fm.FstmetricsError, match="no times"):
        diarization(Session.of([Utterance("a", "ann")], []))
