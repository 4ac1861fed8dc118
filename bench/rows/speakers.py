"""Error rates of sessions with several speakers, against MeetEval on the same segments."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator
from functools import partial
from typing import Any

from bench import peers
from bench.inputs import Inputs
from bench.measure import Line, agree, cpu_ms_cold, missing, ratio_line
from fstmetrics.data.sessions import Session, Utterance
from fstmetrics.speakers.meetings import SpeakerMetric, meeting_wer

Rows = list[dict[str, Any]]


def speakers(inputs: Inputs) -> Iterator[Line]:
    """Meetings of an hour for cpWER and tcpWER; of a few minutes and two channels for ORC-WER."""
    long, short = (300, 60) if inputs.tiny else (9000, 800)
    for metric, speakers, words in (("cpwer", 4, long), ("tcpwer", 4, long), ("orcwer", 2, short)):
        yield _line(metric, speakers, words)  # type: ignore[arg-type]


def _line(metric: SpeakerMetric, speakers: int, words: int) -> Line:
    work = f"{metric}, {words} words, {speakers} speakers"
    references, hypotheses = meeting(words, speakers)
    session = Session.of(_utterances(references), _utterances(hypotheses))
    ours = partial(meeting_wer, session, metric)
    try:
        theirs = partial(_meeteval(metric), references, hypotheses)
        result, rate = ours(), theirs()
    except peers.MissingError as hint:
        return missing(work, "MeetEval", str(hint))
    agree(f"edits of {work}", result.edits, rate.errors, "MeetEval")
    agree(f"words of {work}", result.path_length, rate.length, "MeetEval")
    return ratio_line(work, "MeetEval", [cpu_ms_cold(ours)], [cpu_ms_cold(theirs)])


def _meeteval(metric: SpeakerMetric) -> Any:
    logging.getLogger().setLevel(logging.ERROR)
    package = peers.package("meeteval")
    of, wer = package.io.SegLST, package.wer.wer
    calls = {
        "cpwer": lambda r, h: wer.cp.cp_word_error_rate(of(r), of(h)),
        "tcpwer": lambda r, h: wer.time_constrained.tcp_word_error_rate(of(r), of(h), collar=5),
        "orcwer": lambda r, h: wer.orc.orc_word_error_rate(of(r), of(h)),
    }
    return calls[metric]


def meeting(words: int, speakers: int, seed: int = 1) -> tuple[Rows, Rows]:
    """Segments of a meeting with some overlap, and of a system with about 20% of wrong words, a tenth of a second late,
    that gives one segment in twenty to the wrong speaker."""
    rng = random.Random(seed)
    vocabulary = [f"w{number}" for number in range(2000)]
    references: Rows = []
    hypotheses: Rows = []
    begin, said = 0.0, 0
    while said < words:
        count, speaker = rng.randint(2, 18), rng.randrange(speakers)
        text = [vocabulary[int(2000 * rng.random() ** 3)] for _ in range(count)]
        duration = 0.35 * count
        heard = [word for spoken in text for word in _heard(rng, spoken, vocabulary)]
        other = speaker if rng.random() > 0.05 else rng.randrange(speakers)
        references.append(_row(f"r{speaker}", begin, duration, text))
        hypotheses.append(_row(f"h{other}", begin + 0.1, duration, heard))
        begin += duration * rng.uniform(0.7, 1.2)
        said += count
    return references, hypotheses


def _heard(rng: random.Random, word: str, vocabulary: list[str]) -> list[str]:
    chance = rng.random()
    if chance < 0.1:
        return [rng.choice(vocabulary)]
    if chance < 0.15:
        return []
    return [word, rng.choice(vocabulary)] if chance < 0.2 else [word]


def _row(speaker: str, begin: float, duration: float, words: list[str]) -> dict[str, Any]:
    times = {"start_time": round(begin, 2), "end_time": round(begin + duration, 2)}
    return {"session_id": "meeting", "speaker": speaker, "words": " ".join(words), **times}


def _utterances(rows: Rows) -> list[Utterance]:
    return [Utterance(row["words"], row["speaker"], row["start_time"], row["end_time"]) for row in rows]
