"""Engines that commands and calls name: `engine`."""

from __future__ import annotations

from fstmetrics.runs.task import Elsewhere


def engine(name: str, jobs: int) -> Elsewhere | None:
    """What has items worked on by an engine; None of `local`, which is here.

    Args:
        name: `local`, `ray` or `spark`.
        jobs: as of `engine_of`.
    """
    if name == "local":
        return None
    from fstmetrics.cluster.engines import elsewhere

    return elsewhere(name, jobs)
