"""Ctrl-C and other signals to stop: `listen`, from which on they are heard, and `Stopped`, what they raise while a
command runs. The engine looks for them every 50 ms while it works (native/support/poll.h).

Until a command's modules are imported nothing is open that would have to be tidied up: the process ends at once. From
then on signals raise `Stopped`, so that files are left as they should be. What is imported here takes no time. Behind
the last line there is nothing to be stopped any more, and signals are ignored: Python would die of them while it puts
its modules away.
"""

from __future__ import annotations

import atexit
import math
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

Handler = Callable[[int, Any], Any] | signal.Handlers

# Seconds in which signals belong together.
TOGETHER = 1.0
# By which a process is asked to stop: Ctrl-C, the system, a terminal or connection that goes, used up CPU time.
SIGNALS: tuple[signal.Signals, ...] = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGXCPU") if hasattr(signal, name)
)
# Seconds after which a signal that Python dropped comes again; what dropped it takes a thousandth of that.
AGAIN = 0.01
# Seconds after which is looked whether a library dropped it, as those do that try to import others.
LOOK = 0.2

_last = -math.inf  # when the last signal came that raised
_number = 0  # which it was
_is_put_off = False  # whether what it raises waits


class Stopped(SystemExit):
    """A signal told the process to stop; the code is what shells report then, 128 + its number.

    Attributes:
        status: the code.
        remark: what is left behind.
    """

    def __init__(self, number: int) -> None:
        self.status = 128 + number
        super().__init__(self.status)
        self.remark = ""


def listen() -> None:
    """Signals end the process from now on, and are ignored once it has nothing left to do."""
    _handle(_end)
    _open_streams()
    atexit.register(_handle, signal.SIG_IGN)  # the first one, so the last to be called


def _open_streams() -> None:
    """Streams that the process was started without are /dev/null: files opened later would get their numbers, and what
    is said on standard error would be in them."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


@contextmanager
def raising() -> Iterator[None]:
    """Signals raise `Stopped` here; those that come together, as when a terminal's and a parent's do, only once.

    It comes out as itself, too, where a library made another error of it, as compiled modules do that are imported.
    """
    with _handled_by(_raise), _raised_again():
        try:
            yield
        except Exception as error:
            cause = error.__cause__
            while cause and not isinstance(cause, Stopped):
                cause = cause.__cause__
            if cause:
                raise cause from None
            raise


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """What was stopped ends here, all being tidied up: Python would first put away, for seconds, what was read."""
    try:
        yield
    except SystemExit as end:
        if end.code not in [128 + number for number in SIGNALS]:
            raise
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):  # closed, or not there
                stream.flush()
        os._exit(end.code)


def _end(number: int, frame: object) -> None:
    if _belongs_to_the_last():
        return
    os.write(2, b"fstmetrics: stopped\n")
    os._exit(128 + number)


@contextmanager
def put_off() -> Iterator[None]:
    """Signals raise behind what is done here, which takes no time and is done whole or not at all."""
    global _is_put_off
    before, _is_put_off = _last, True
    try:
        yield
    finally:
        _is_put_off = False
        if _last != before and _number:
            raise Stopped(_number)


def _raise(number: int, frame: object) -> None:
    global _number
    if not _belongs_to_the_last():
        _number = number
        _raise_again_in(LOOK)
        if not _is_put_off:
            raise Stopped(number)


def _raise_again_in(seconds: float) -> None:
    if hasattr(signal, "setitimer"):  # not on every system
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _raise_if_dropped(number: int, frame: object) -> None:
    """Raise what was raised before, unless that still ends what runs: something tidies up because of it."""
    _raise_again_in(LOOK)
    if _is_put_off:
        return
    error = sys.exc_info()[1]
    while error and not isinstance(error, Stopped):
        error = error.__context__
    if error is None:
        raise Stopped(_number)


def _belongs_to_the_last() -> bool:
    """Whether a signal comes right behind one that raised: what tidies up, and says so, is not disturbed by it."""
    global _last
    now = time.monotonic()
    if now - _last < TOGETHER:
        return True
    _last = now
    return False


@contextmanager
def handlers_kept() -> Iterator[None]:
    """What a library sets as handlers here does not stay."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) is not handler:
                signal.signal(number, handler)


@contextmanager
def _raised_again() -> Iterator[None]:
    """What is raised in a callback, as imports and weak references have, and in a finalizer, Python prints and drops;
    compiled libraries drop what comes while they are imported. A `Stopped` is raised again, a moment later, and not
    printed."""
    if not hasattr(signal, "setitimer"):  # not on this system
        yield
        return

    def hear(unraisable: Any) -> None:
        if isinstance(unraisable.exc_value, Stopped):
            _raise_again_in(AGAIN)
        else:
            hook(unraisable)

    hook, handler = sys.unraisablehook, signal.signal(signal.SIGALRM, _raise_if_dropped)
    sys.unraisablehook = hear
    try:
        yield
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)  # first, as it sets the timer again
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        sys.unraisablehook = hook


@contextmanager
def _handled_by(handler: Handler) -> Iterator[None]:
    before = _handle(handler)
    try:
        yield
    finally:
        for number, previous in before.items():
            signal.signal(number, previous)


# While a `with` block runs, signals end the process.
ending_at_once = partial(_handled_by, _end)


def _handle(handler: Handler) -> dict[int, Any]:
    """Set the handler; returns those before. A signal that the process is to ignore, as under nohup, stays ignored."""
    before: dict[int, Any] = {number: signal.getsignal(number) for number in SIGNALS}
    heard = {number: previous for number, previous in before.items() if previous is not signal.SIG_IGN}
    for number in heard:
        signal.signal(number, handler)
    return heard
