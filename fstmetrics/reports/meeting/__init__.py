"""The page of meetings: who spoke when on a time line, and every error in its place, `write_meeting_page`.

It is one file that opens without a network; `meeting.html`, `meeting.css` and `meeting.js` are its frame. A lane is
what was compared: above what was said, below what the system says, with each error where its word is in time.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from typing import TextIO

from fstmetrics.data.sessions import Session, Utterance
from fstmetrics.reports.speaker_tables import count_cells, count_heads
from fstmetrics.speakers.aligned_words import AlignedWord, Passage, in_order, utterances_of
from fstmetrics.speakers.chains import Clock
from fstmetrics.speakers.speaker_results import SpeakerPair, SpeakerResult, SpeakerScores
from fstmetrics.support.printable import counted, number

NOBODY = "-"
# Marks on the scale of a time line, at most, and how far apart they may be, in seconds.
MOST_MARKS = 12
STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400)
# From here on, in percent of the scale, what a mark says stands on its left.
LAST_ON_THE_RIGHT = 92
LEGEND = (
    '<p class="soft legend">What was said, <del class="D">deleted</del>, <ins class="I">inserted</ins>, '
    '<span class="S"><del>said</del> <ins>written</ins></span>. On the time line a lane has what was said above, and '
    "what the system says below.</p>"
)


def write_meeting_page(
    scores: SpeakerScores, sessions: Sequence[Session], title: str, signature: str, stream: TextIO
) -> None:
    """Write the page.

    Args:
        scores: of all sessions, with their words.
        sessions: what was scored, in the same order.
        title: of the page.
        signature: all that the scores depend on.
        stream: where the page goes.
    """
    script = _asset("meeting.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    head, rest = _asset("meeting.html").split("BODY")
    head = head.replace("SCRIPT-HASH", f"sha256-{digest}").replace(
        "CSS", _asset("colours.css", "reports") + _asset("meeting.css")
    )
    stream.write(head.replace("TITLE", escape(title)))
    stream.write(f'<h1>{escape(title)}</h1>\n<p class="soft signature">{escape(signature)}</p>\n')
    stream.write("".join(_summary(scores)))
    for place, (result, session) in enumerate(zip(scores, sessions, strict=True)):
        stream.writelines(_section(place, result, session))
    stream.write(rest.replace("SCRIPT", script))


def _asset(name: str, room: str = "reports.meeting") -> str:
    return files(f"fstmetrics.{room}").joinpath(name).read_text(encoding="utf-8")


def _summary(scores: SpeakerScores) -> Iterator[str]:
    rows = [
        (f'<a href="#m{place}">{escape(session.id or NOBODY)}</a>', *count_cells(session))
        for place, session in enumerate(scores)
    ]
    if len(rows) > 1:
        rows += [("all", *count_cells(scores)), ("mean", number(scores.mean_score), *[""] * 6)]
    yield from _table(("session", scores.name, *count_heads(scores)[1:]), rows, 1)
    yield LEGEND


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], texts: int) -> Iterator[str]:
    """A table whose first columns are texts; cells are HTML."""

    def row(cells: Sequence[str], name: str) -> str:
        made = (f"<{name}{'' if n < texts else ' class=n'}>{cell}</{name}>" for n, cell in enumerate(cells))
        return f"<tr>{''.join(made)}</tr>\n"

    yield '<div class="table"><table>\n' + row(head, "th")
    for cells in rows:
        yield row(cells, "td")
    yield "</table></div>\n"


def _section(place: int, result: SpeakerResult, session: Session) -> Iterator[str]:
    """A session: who was compared with whom, the time line, and what was said."""
    lanes = [_Lane(result, session, pair) for pair in result.pairs]
    name = "" if session.id is None else session.id
    yield f'<section id="m{place}">\n<h2>{escape(name or "session")}</h2>\n'
    rows = [(escape(lane.said), escape(lane.heard), *count_cells(lane.numbers)) for lane in lanes]
    yield from _table(("said", "system", *count_heads(result)), rows, 2)
    parts = in_order(result.words, session)
    links = {
        side: {number: at for at, part in enumerate(parts) for number in _numbers_of(part, side)}
        for side in (0, 1)
    }
    timed = [u for side in (session.references, session.hypotheses) for u in side if u.begin is not None]
    yield '<div class="tools">'
    if timed:
        yield '<button data-zoom="2">zoom in</button><button data-zoom="0.5">zoom out</button>'
    wrong = sum(any(word.op != "=" for word in part.words) for part in parts)
    yield f'<label><input type="checkbox"> only what has errors ({wrong} of {len(parts)})</label></div>\n'
    if timed:
        yield from _timeline(place, lanes, session, result, links)
    for at, part in enumerate(parts):
        yield _passage(f"m{place}-{at}", part, session)
    yield "</section>\n"


class _Lane:
    """What was compared: the utterances of both sides, by their numbers."""

    def __init__(self, result: SpeakerResult, session: Session, pair: SpeakerPair) -> None:
        self.numbers = SpeakerResult(result.name, pair.totals, ())
        to = [each.to for each in result.utterances]
        sides: list[list[int]] = []
        for side, own, assigned in (
            (session.references, pair.reference, result.assigns and not result.assigns_hypotheses),
            (session.hypotheses, pair.hypothesis, result.assigns_hypotheses),
        ):
            there = pair.hypothesis if pair.reference is None else pair.reference
            sides.append(
                [
                    number
                    for number, utterance in enumerate(side)
                    if (to[number] == there if assigned else utterance.speaker == own)
                ]
            )
        self.sides = sides
        names = (pair.reference, pair.hypothesis)
        if result.assigns:
            names = tuple(  # type: ignore[assignment]
                counted(len(own), "utterance") if name is None else name
                for own, name in zip(sides, names, strict=True)
            )
        self.said, self.heard = (NOBODY if name is None else name for name in names)


def _timeline(
    place: int,
    lanes: Sequence[_Lane],
    session: Session,
    result: SpeakerResult,
    links: dict[int, dict[int, int]],
) -> Iterator[str]:
    both = (session.references, session.hypotheses)
    times = [(u.begin, u.end) for side in both for u in side if u.begin is not None and u.end is not None]
    first, last = min(begin for begin, _ in times), max(end for _, end in times)
    length = (last - first) or 1.0
    yield '<div class="timeline"><div class="names"><div></div>'
    for lane in lanes:
        yield f"<div><span>{escape(lane.said)}</span><span>{escape(lane.heard)}</span></div>"
    yield '</div><div class="times"><div class="wide"><div class="scale">'
    step = next((step for step in STEPS if length / step <= MOST_MARKS), STEPS[-1])
    mark = -(-int(first) // step) * step
    while mark <= last:
        share = 100 * (mark - first) / length
        edge, gap = ("left", share) if share <= LAST_ON_THE_RIGHT else ("right", 100 - share)
        yield f'<span class="{edge}" style="{edge}:{gap:.3f}%">{_clock(mark)[:-3]}</span>'
        mark += step
    yield "</div>\n"
    words: tuple[dict[int, list[AlignedWord]], ...] = ({}, {})
    for word in result.words:
        for side, at in enumerate((word.reference_utterance, word.hypothesis_utterance)):
            if at is not None:
                words[side].setdefault(at, []).append(word)
    for lane in lanes:
        yield '<div class="lane">'
        for side in (0, 1):
            for at in lane.sides[side]:
                link = links[side].get(at)
                yield _bar(both[side][at], side, words[side].get(at, []), first, length, place, link)
        yield "</div>\n"
    yield "</div></div></div>\n"


def _bar(
    utterance: Utterance,
    side: int,
    words: Sequence[AlignedWord],
    first: float,
    length: float,
    place: int,
    link: int | None,
) -> str:
    """An utterance on the time line, with its errors."""
    if utterance.begin is None or utterance.end is None:
        return ""
    texts = [(word.hypothesis if side else word.reference) or "" for word in words]
    span = utterance.end - utterance.begin
    marks = []
    if span > 0:
        for word, (begin, end) in zip(words, Clock(0.0, 100.0).times(texts), strict=True):
            if word.op != "=":
                marks.append(f'<i class="{word.op}" style="left:{begin:.2f}%;width:{end - begin:.2f}%"></i>')
    says = f"{utterance.speaker} {_clock(utterance.begin)}-{_clock(utterance.end)}: {' '.join(texts)}"
    target = "" if link is None else f' href="#m{place}-{link}"'
    return (
        f'<a class="bar {"heard" if side else "said"}"{target} title="{escape(says)}" '
        f'style="left:{100 * (utterance.begin - first) / length:.4f}%;width:{100 * span / length:.4f}%">'
        f"{''.join(marks)}</a>"
    )


def _numbers_of(passage: Passage, side: int) -> set[int]:
    places = ((word.hypothesis_utterance if side else word.reference_utterance) for word in passage.words)
    return {place for place in places if place is not None}


def _passage(name: str, passage: Passage, session: Session) -> str:
    said, heard = utterances_of(passage, session)
    main = said or heard
    time = (
        ""
        if main is None or main.begin is None or main.end is None
        else f"{_clock(main.begin)}-{_clock(main.end)}"
    )
    right = all(word.op == "=" for word in passage.words)
    hearers = dict.fromkeys(
        word.hypothesis_speaker for word in passage.words if word.hypothesis_speaker is not None
    )
    who = escape(said.speaker) if said else NOBODY
    by = escape(", ".join(hearers)) or NOBODY
    return (
        f'<div class="passage{" right" * right}" id="{name}"><time>{time}</time>'
        f'<div class="who">{who}<small>{by}</small></div><p>{" ".join(map(_word, passage.words))}</p></div>\n'
    )


def _word(word: AlignedWord) -> str:
    said, heard = escape(word.reference or ""), escape(word.hypothesis or "")
    if word.op == "=":
        return said
    if word.op == "S":
        return f'<span class="S"><del>{said}</del> <ins>{heard}</ins></span>'
    return f'<del class="D">{said}</del>' if word.op == "D" else f'<ins class="I">{heard}</ins>'


def _clock(seconds: float) -> str:
    """A time of the recording, in minutes and seconds.

    >>> _clock(5.25), _clock(65), _clock(3725.5)
    ('0:05.25', '1:05.00', '62:05.50')
    """
    minutes, rest = divmod(round(100 * seconds), 6000)
    return f"{minutes}:{rest / 100:05.2f}"
