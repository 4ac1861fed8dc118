"""Which build of fstmetrics a process has: `own_build`, and what differs between two, `differs`."""

from __future__ import annotations

import platform
import zlib
from functools import cache
from pathlib import Path
from typing import NamedTuple

import fstmetrics
from fstmetrics import _native
from fstmetrics.support.version import __version__

ADVISED_BUILD = "install the same wheel on all machines"


class Build(NamedTuple):
    """A build.

    Attributes:
        version: of fstmetrics.
        modules: the checksum of the Python modules.
        native: that of the compiled module.
        machine: what that is compiled for.
    """

    version: str
    modules: int
    native: int
    machine: str


@cache
def own_build() -> Build:
    """That of this process; a few hundredths of a second the first time."""
    folder = Path(str(fstmetrics.__file__)).parent
    modules = 0
    for path in sorted(folder.rglob("*.py")):
        modules = zlib.crc32(
            path.read_bytes(), zlib.crc32(path.relative_to(folder).as_posix().encode(), modules)
        )
    native = zlib.crc32(Path(str(_native.__file__)).read_bytes())
    return Build(__version__, modules, native, f"{platform.system()} {platform.machine()}")


def differs(workers: Build, here: Build) -> str:
    """What differs, in a line; empty where nothing does that records may depend on.

    >>> differs(own_build(), own_build())
    ''
    """
    if workers.version != here.version:
        return f"workers have fstmetrics {workers.version}, this machine has {here.version}; install the same version"
    if workers.modules != here.modules:
        return (
            f"workers have fstmetrics {here.version} of another commit (its modules differ); {ADVISED_BUILD}"
        )
    if workers.machine == here.machine and workers.native != here.native:
        return f"workers have another build of fstmetrics {here.version} (the compiled module differs); {ADVISED_BUILD}"
    return ""
