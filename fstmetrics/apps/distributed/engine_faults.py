"""What is wrong with an engine, in one line; an engine that starts looks for it before there is work."""

from __future__ import annotations

import socket

from fstmetrics import FstmetricsError
from fstmetrics.apps.distributed.waiting import ADVICE
from fstmetrics.batches.builds import ADVISED_BUILD, Build, differs, own_build

# Seconds in which a machine takes a connection.
CONNECTION = 10.0
AGAIN = "--resume continues the run"


def worker_build() -> tuple[object, ...]:
    """What a worker has, as a plain tuple that any version can read."""
    return tuple(own_build())


def check_build(found: object) -> None:
    """Refuse a worker of another version or build: its records might differ.

    Raises:
        FstmetricsError: it has another one.
    """
    if not isinstance(found, tuple) or len(found) != len(Build._fields):
        raise FstmetricsError(f"workers have fstmetrics of an unknown version; {ADVISED_BUILD}")
    if fault := differs(Build(*found), own_build()):
        raise FstmetricsError(fault)


def check_listening(address: str, setting: str) -> None:
    """Refuse an address, `HOST:PORT`, where nothing listens; other forms are the engine's affair.

    Raises:
        FstmetricsError: nothing listens there.
    """
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECTION).close()
    except (OSError, OverflowError) as error:
        raise FstmetricsError(
            f"{setting} is {address}, and nothing can be reached there: {getattr(error, 'strerror', None) or error}"
        ) from None


def unanswered(engine: str, look: str, seconds: float) -> FstmetricsError:
    """No worker has answered in time."""
    return FstmetricsError(
        f"{engine}: no worker has answered in {seconds:g} s; {look} shows what the cluster does, {ADVICE}"
    )


def failed_there(engine: str, error: object) -> FstmetricsError:
    """A worker raised what it should not."""
    if isinstance(error, ModuleNotFoundError) or "ModuleNotFoundError" in str(error):
        missing = next(line for line in reversed(str(error).splitlines()) if "No module named" in line)
        return FstmetricsError(
            f"{engine}: workers need the packages of this machine: {missing.strip()}; install them there"
        )
    return FstmetricsError(f"{engine}: a worker failed: {raised(error)}; {AGAIN}")


def has_stopped(engine: str, error: object) -> FstmetricsError:
    """The engine is not there any more."""
    return FstmetricsError(f"{engine} has stopped: {first_line(error)}; {AGAIN}")


def raised(error: object) -> str:
    """What a worker raised: its message alone, where there is a traceback before it.

    >>> raised("Traceback (most recent call last):\\n  File ...\\nfstmetrics.support.errors.FstmetricsError: no")
    'no'
    >>> raised("Traceback (most recent call last):\\n  File ...\\nKeyError: 'a'")
    "KeyError: 'a'"
    """
    text = str(error).strip()
    if "Traceback (most recent call last)" not in text:
        return first_line(error)
    return text.splitlines()[-1].strip().removeprefix("fstmetrics.support.errors.FstmetricsError: ")


def said_by_java(error: object) -> str:
    """The message of an exception of Java, which is in the line behind that of the call."""
    _, _, behind = str(error).partition("\n: ")
    return first_line(behind or error)


def first_line(error: object) -> str:
    """What an error says, without what other programs add on further lines."""
    lines = str(error).strip().splitlines()
    return lines[0].strip() if lines else type(error).__name__
