"""Waiting for engines, with an end: `start_seconds` and `answer_seconds` say how long, `on_thread` and `within` wait.

`in_order` keeps an engine's workers busy.
"""

from __future__ import annotations

import math
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from threading import Thread
from typing import Any, TypeVar

from fstmetrics import FstmetricsError

Found = TypeVar("Found")
Given = TypeVar("Given")
Handle = TypeVar("Handle")
# Batches for each worker: one that it works on, and one that waits.
BATCHES_A_WORKER = 2
# Seconds in which an engine is there and a worker answers; a cluster that grows when it is asked takes minutes.
START = 300.0
# Seconds in which what became of a batch comes. A batch should take half a second, a single item may take long.
ANSWER = 3600.0
# Sets both, in seconds.
VARIABLE = "FSTMETRICS_WAIT"
ADVICE = f"{VARIABLE}=SECONDS waits longer"


def answer_seconds() -> float:
    """How long a worker may take for a batch.

    Raises:
        FstmetricsError: the variable has no number of seconds.
    """
    return _chosen() or ANSWER


def start_seconds() -> float:
    """How long an engine may take to start and to answer. Raises FstmetricsError as of `answer_seconds`."""
    return _chosen() or START


def _chosen() -> float | None:
    text = os.environ.get(VARIABLE, "")
    if not text:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < math.inf:
        raise FstmetricsError(f"{VARIABLE} is {text!r}, expected a number of seconds above 0")
    return seconds


def on_thread(function: Callable[..., Found], *arguments: Any) -> Future[Found]:
    """Call a function on a thread that does not keep the process from ending."""
    found: Future[Found] = Future()

    def call() -> None:
        try:
            found.set_result(function(*arguments))
        except BaseException as error:  # all of it is for whoever waits
            found.set_exception(error)

    Thread(target=call, daemon=True).start()
    return found


def within(seconds: float, found: Future[Found], message: str) -> Found:
    """What a thread has found.

    Raises:
        FstmetricsError: the message, as nothing was found in time.
    """
    try:
        return found.result(seconds)
    except TimeoutError:
        if found.done():
            raise
        raise FstmetricsError(f"{message} within {seconds:g} s; {ADVICE}") from None


def in_order(
    submit: Callable[[Given], Handle],
    answer: Callable[[Handle], Found],
    given: Iterable[Given],
    workers: int,
) -> Iterator[Found]:
    """What an engine makes of each, in order.

    Args:
        submit: hands one over.
        answer: waits for what came of it.
        given: asked for as workers become free.
        workers: how many there are; so many times `BATCHES_A_WORKER` are under way.
    """
    under_way: deque[Handle] = deque()
    for each in given:
        under_way.append(submit(each))
        if len(under_way) >= BATCHES_A_WORKER * workers:
            yield answer(under_way.popleft())
    while under_way:
        yield answer(under_way.popleft())
