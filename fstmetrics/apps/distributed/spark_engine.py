"""Runs of commands on Spark: `SparkEngine`.

Spark calls a task again when its worker dies, as often as `spark.task.maxFailures` says; results do not depend on it.

Batches and answers are files that this machine and the workers see, where that is possible: Spark then hands over names
only. `FileExchange` has the folder; `ByFiles` is what a worker calls.
"""

from __future__ import annotations

import gc
import importlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from glob import glob
from itertools import count
from typing import Any, Generic, TypeVar

from fstmetrics import FstmetricsError
from fstmetrics.apps.distributed.engine_faults import (
    check_build,
    check_listening,
    failed_there,
    has_stopped,
    said_by_java,
    unanswered,
    worker_build,
)
from fstmetrics.apps.distributed.waiting import answer_seconds, in_order, on_thread, start_seconds, within
from fstmetrics.batches.parcels import Call, Parcel, read_from, written_to
from fstmetrics.support.errors import need

try:
    import fcntl
except ImportError:  # not on this system
    fcntl = None  # type: ignore[assignment]

# How folders of batches are called, and what in them is locked by the process that made it.
PREFIX, LOCK = "fstmetrics-batches-", "lock"
# A folder that all machines of a cluster see.
VARIABLE = "FSTMETRICS_EXCHANGE"
# Where files are memory.
MEMORY = "/dev/shm"
# Bytes that have to be free there; containers often have 64 MB, less than a batch and its answer.
ROOM = 1 << 30


class FileExchange:
    """A folder for the batches of a run; `close` removes it.

    Args:
        parent: where it is made.
        is_memory: whether it is on this machine, so that answers need not be copied.

    Raises:
        FstmetricsError: it cannot be made there.
    """

    def __init__(self, parent: str, is_memory: bool) -> None:
        self._parent, self._is_memory = parent, is_memory
        try:
            if is_memory:
                remove_left_behind(parent)
            self._folder = tempfile.TemporaryDirectory(prefix=PREFIX, dir=parent)
            self._lock = _locked(self._folder.name) if is_memory else None
        except OSError as error:
            raise self._failed(error) from None
        self._numbers = count()

    def given(self, batch: Parcel) -> str:
        """The name of a batch, for a worker.

        Raises:
            FstmetricsError: it cannot be written.
        """
        path = os.path.join(self._folder.name, str(next(self._numbers)))
        try:
            written_to(path, batch)
        except OSError as error:
            raise self._failed(error) from None
        return path

    def worker(self, work: Call) -> ByFiles:
        """What a worker calls with the name of a batch."""
        return ByFiles(work, self._is_memory)

    def answer(self, name: str | None, given: str) -> Parcel | None:
        """What a worker has made of a batch, None where it died; the files of both are removed."""
        answer = None if name is None else read_from(name, self._is_memory)
        for path in filter(None, (name, given)):
            os.unlink(path)
        return answer

    def close(self) -> None:
        """Remove all that is left."""
        self._folder.cleanup()
        if self._lock is not None:
            os.close(self._lock)

    def _failed(self, error: OSError) -> FstmetricsError:
        return FstmetricsError(f"batches cannot be exchanged in {self._parent}: {error.strerror}")


def remove_left_behind(parent: str) -> None:
    """Remove the folders of this user's runs that were killed: those whose lock nobody holds.

    Their lock is there once it is held, so a folder that has just been made is let alone.
    """
    if fcntl is None:
        return
    for folder in glob(os.path.join(parent, f"{PREFIX}*")):
        path = os.path.join(folder, LOCK)
        with suppress(OSError):
            if os.path.islink(folder) or os.stat(folder).st_uid != os.geteuid():
                continue
            lock = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)


def _locked(folder: str) -> int | None:
    """The lock of a folder, held as long as this process lives, and no longer; None where the system has none."""
    if fcntl is None:
        return None
    path = os.path.join(folder, LOCK)
    lock = os.open(f"{path}.new", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    os.rename(f"{path}.new", path)
    return lock


@dataclass(frozen=True)
class ByFiles:
    """A function of parcels, as one of names of files that have them."""

    work: Call
    is_memory: bool

    def __call__(self, name: str) -> str:
        """The name of the answer; a worker that is called again writes one of its own."""
        answer = self.work(read_from(name, self.is_memory))
        file, own = tempfile.mkstemp(prefix=f"{os.path.basename(name)}-", dir=os.path.dirname(name))
        os.close(file)
        written_to(own, answer)
        return own


def exchange_of(is_one_machine: bool) -> FileExchange | None:
    """The folder that somebody has named, or on one machine one in memory; else None: the engine copies batches."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return FileExchange(chosen, False)
    if not is_one_machine:
        return None
    has_room = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= ROOM
    return FileExchange(MEMORY if has_room else tempfile.gettempdir(), True)


Given = TypeVar("Given")
Found = TypeVar("Found")
# How often a task of a Spark that is started here may fail.
FAILURES = 4
# Where somebody has said which Spark there is.
CHOSEN = ("PYSPARK_SUBMIT_ARGS", "PYSPARK_GATEWAY_PORT", "SPARK_CONF_DIR", "SPARK_HOME")
# A single standalone master among the arguments of spark-submit.
MASTER = re.compile(r"--master[ =]spark://([^\s,]+)(?=\s)")
# Of a Spark that is started here: faults are told in one line, and Java, which hands over names only, is not optimised.
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}
# Of workers of any Spark: they do not look for modules in the folder that they are started in, a clone perhaps.
OF_WORKERS = {"spark.executorEnv.PYTHONSAFEPATH": "1"}
# What Spark says of a task that has failed as often as it may.
FAILED_TASK = "Job aborted due to stage failure"
# Seconds in which Spark stops.
STOP = 60.0


class SparkEngine:
    """Spark, as `fstmetrics.batches.dispatch.Engine`: the session there is, or one that is started here.

    Args:
        workers: how many a Spark has that is started here; None: one for each CPU.

    Attributes:
        session: of Spark.

    Raises:
        FstmetricsError: pyspark is not installed, Spark does not start, or no worker of it answers in time.
    """

    def __init__(self, workers: int | None = None) -> None:
        sql = need("pyspark.sql", "--on spark", "spark")
        self._errors = importlib.import_module("pyspark.errors")
        self._java = importlib.import_module("py4j.protocol")
        self._seconds = answer_seconds()
        self._is_own = sql.SparkSession._instantiatedSession is None
        self.session = self._started(sql.SparkSession.builder.appName("fstmetrics"), workers)
        self._context = self.session.sparkContext
        self._exchange: FileExchange | None = None
        try:
            found = self._found(self._submit(_build, None), start_seconds())
            check_build(found)
            self._exchange = exchange_of(str(self._context.master).startswith("local"))
        except BaseException:
            self.close()
            raise

    def _started(self, builder: Any, workers: int | None) -> Any:
        if "SPARK_REMOTE" in os.environ:
            raise FstmetricsError("--on spark does not run on Spark Connect; unset SPARK_REMOTE")
        if not any(name in os.environ for name in CHOSEN):
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
            os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
            builder = builder.master(f"local[{workers or '*'},{FAILURES}]").config(map=SETTINGS)
        builder = builder.config(map=OF_WORKERS)
        for master in MASTER.findall(os.environ.get("PYSPARK_SUBMIT_ARGS", "")):
            check_listening(master, "the master of PYSPARK_SUBMIT_ARGS")
        start = on_thread(builder.getOrCreate)
        try:
            return within(start_seconds(), start, "Spark does not start: no session")
        except (self._errors.PySparkException, self._java.Py4JError, OSError) as error:
            raise FstmetricsError(
                f"Spark does not start: {said_by_java(error)}; it needs Java 17 or later"
            ) from None

    def map(self, work: Call, given: Iterable[Parcel]) -> Iterator[Parcel | None]:
        """As of `Engine`: a job of one task for each."""
        workers = self._context.defaultParallelism
        exchange = self._exchange
        if exchange is None:
            return in_order(partial(self._submit, work), self._answer, given, workers)
        by_files = exchange.worker(work)

        def submit(batch: Parcel) -> tuple[str, Future[list[str]]]:
            name = exchange.given(batch)
            return name, self._submit(by_files, name)

        def answer(handle: tuple[str, Future[list[str]]]) -> Parcel | None:
            name, found = handle
            return exchange.answer(self._answer(found), name)

        return in_order(submit, answer, given, workers)

    def _submit(self, work: Callable[[Given], Found], given: Given) -> Future[list[Found]]:
        task = _Task(work)
        return on_thread(lambda: self._context.parallelize([given], 1).map(task).collect())

    def _answer(self, found: Future[list[Found]]) -> Found | None:
        return self._found(found, self._seconds)

    def _found(self, found: Future[list[Found]], seconds: float) -> Found | None:
        """What a job gave, None where its worker died, each time. Raises FstmetricsError as of `RayEngine`."""
        try:
            return found.result(seconds)[0]
        except TimeoutError:
            raise unanswered("Spark", "its web page", seconds) from None
        except self._errors.PythonException as error:
            raise failed_there("Spark", error) from None
        except (self._errors.PySparkException, self._java.Py4JError, OSError) as error:
            if FAILED_TASK in str(error):
                return None
            raise has_stopped("Spark", said_by_java(error)) from None

    def close(self) -> None:
        """As of `Engine`; what a Spark does that no longer answers is not waited for."""
        if self._is_own:
            wait([on_thread(self.session.stop)], STOP)
        if self._exchange:
            self._exchange.close()


class _Task(Generic[Given, Found]):
    """A function, as a worker calls it.

    Spark has a worker collect garbage behind each task. What is there before the first one stays, and is not looked at
    again.
    """

    _is_frozen = False

    def __init__(self, work: Callable[[Given], Found]) -> None:
        self._work = work

    def __call__(self, given: Given) -> Found:
        if not _Task._is_frozen:
            gc.collect()
            gc.freeze()
            _Task._is_frozen = True
        return self._work(given)


def _build(_: None) -> tuple[object, ...]:
    return worker_build()
