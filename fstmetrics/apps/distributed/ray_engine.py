"""Runs of commands on Ray: `RayEngine`.

Ray calls a task again when its worker dies, so that a run survives the loss of workers; results do not depend on it.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable, Iterator
from typing import Any

from fstmetrics import FstmetricsError
from fstmetrics.apps.distributed.engine_faults import (
    check_build,
    check_listening,
    failed_there,
    first_line,
    has_stopped,
    unanswered,
    worker_build,
)
from fstmetrics.apps.distributed.waiting import answer_seconds, in_order, start_seconds
from fstmetrics.batches.parcels import Call, Parcel
from fstmetrics.support.errors import need
from fstmetrics.support.signals import Stopped, handlers_kept

# How often a task is called again whose worker died.
RETRIES = 3
# No statistics about use; an item that takes too much memory is not tried for ever.
SETTINGS = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_task_oom_retries": str(RETRIES)}
# Ray gives a cluster a token where its machine has one, and asks nobody for it who is not told to show it.
TOKEN = "; if the cluster has a token, set RAY_AUTH_MODE=token"


class RayEngine:
    """Ray, as `fstmetrics.batches.dispatch.Engine`: connected to, or started here.

    Args:
        workers: how many CPUs a Ray has that is started here; None: all.

    Raises:
        FstmetricsError: ray is not installed, there is no cluster at RAY_ADDRESS, or no worker of it answers in time.
    """

    def __init__(self, workers: int | None = None) -> None:
        self._ray = need("ray", "--on ray", "ray")
        self._errors = self._ray.exceptions
        self._seconds = answer_seconds()
        self._is_own = not self._ray.is_initialized()
        if self._is_own:
            self._start(workers)
        try:
            check_build(self._found(self._ray.remote(worker_build).remote(), start_seconds()))
            self._workers = int(self._ray.cluster_resources().get("CPU", 1))
        except BaseException:
            self.close()
            raise

    def _start(self, workers: int | None) -> None:
        for name, value in SETTINGS.items():
            os.environ.setdefault(name, value)
        options: dict[str, Any] = {
            "log_to_driver": False,
            "logging_level": "ERROR",
            "job_config": _job_config(),
        }
        address = os.environ.get("RAY_ADDRESS", "local")
        if address == "local":
            options |= {"address": "local", "num_cpus": workers, "include_dashboard": False}
        check_listening(address.removeprefix("ray://"), "RAY_ADDRESS")
        with handlers_kept():
            try:
                self._ray.init(**options)
            except Stopped:
                raise
            except (Exception, SystemExit) as error:  # it ends the process where a cluster does not answer
                said = f"no cluster of this version at {address}" if isinstance(error, SystemExit) else error
                asks = address != "local" and "RAY_AUTH_MODE" not in os.environ
                raise FstmetricsError(
                    f"Ray does not start: {first_line(said)}{TOKEN if asks else ''}"
                ) from None
        # It would print of each worker that dies, among the records on standard output.
        printer: Any = importlib.import_module("ray._private.worker")
        printer.print_to_stdstream = _unheard

    def map(self, work: Call, given: Iterable[Parcel]) -> Iterator[Parcel | None]:
        """As of `Engine`."""
        task = self._ray.remote(max_retries=RETRIES)(_call)
        shared = self._ray.put(work)

        def submit(each: Parcel) -> Any:
            return task.remote(shared, each)

        return in_order(submit, self._answer, given, self._workers)

    def _answer(self, reference: Any) -> Parcel | None:
        errors = self._errors
        try:
            found: Parcel = self._found(reference, self._seconds)
        except (errors.WorkerCrashedError, errors.OutOfMemoryError, errors.NodeDiedError):
            return None
        return found

    def _found(self, reference: Any, seconds: float) -> Any:
        """What a task gave.

        Raises:
            FstmetricsError: nothing in time, or Ray has failed; `_answer` hears of workers that died.
        """
        errors = self._errors
        died = (errors.WorkerCrashedError, errors.OutOfMemoryError, errors.NodeDiedError)
        try:
            return self._ray.get(reference, timeout=seconds)
        except errors.GetTimeoutError:
            raise unanswered("Ray", "ray status", seconds) from None
        except errors.RayTaskError as error:
            raise failed_there("Ray", error.cause) from error
        except errors.RayError as error:
            if isinstance(error, died):
                raise
            raise has_stopped("Ray", error) from None

    def close(self) -> None:
        """As of `Engine`."""
        if self._is_own:
            self._ray.shutdown()


def _job_config() -> Any:
    """That of Ray without the folder that the command is called in, where workers would look for modules first: a clone
    of fstmetrics, or any file with the name of a module, would be imported instead of what is installed."""
    config: Any = importlib.import_module("ray.job_config")

    class JobConfig(config.JobConfig):  # type: ignore[misc]
        def _runtime_env_has_working_dir(self) -> bool:
            return True

    return JobConfig()


def _call(work: Call, given: Parcel) -> Parcel:
    return work(given)


def _unheard(*given: Any, **named: Any) -> None:
    """What Ray would print is not."""
