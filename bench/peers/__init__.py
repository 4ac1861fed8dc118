"""The peers: C++ programmes built on demand (`openfst`, `dense`) and Python packages (`package`).

A programme is built into a cache folder, under a name that holds a hash of its source, and answers questions line by
line, so that our calls and the peer's alternate.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).parent
INSTALL_OPENFST = "needs g++ and OpenFst's headers: apt-get install g++ libfst-dev"
INSTALL_GPP = "needs g++: apt-get install g++"


class MissingError(Exception):
    """A peer that is not installed; the message says how to install it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a programme found: the least cost, its CPU milliseconds (median), the states it met, and the arcs of what it
    built as a whole."""

    cost: float
    ms: float
    states: int
    arcs: int = 0


class Programme:
    """A peer that runs and waits for questions."""

    def __init__(self, executable: Path) -> None:
        self._process = subprocess.Popen(
            [executable], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def ask(self, *question: str | Path) -> Answer:
        """Solve one problem: a route, and an item's folder, or of `dense` a window and two sides."""
        reply = self._reply(*map(str, question))
        return Answer(reply["cost"], reply["ms"], reply["states"], reply.get("arcs", 0))

    def prepare(self, path: Path) -> float:
        """CPU milliseconds to read the references of an item and make them ready."""
        return float(self._reply("prepare", str(path))["ms"])

    def _reply(self, *fields: str) -> dict[str, Any]:
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        print("\t".join(fields), file=process.stdin, flush=True)
        reply: dict[str, Any] = json.loads(process.stdout.readline())
        if "error" in reply:
            raise RuntimeError(f"the peer refused {fields[0]}: {reply['error']}")
        return reply


def string(words: str) -> str:
    """A side of `dense` that is a string."""
    return f"words:{words}"


def machine(path: Path) -> str:
    """A side of `dense` that is a file as in peers/dense.cc."""
    return f"file:{path}"


@cache
def openfst() -> Programme:
    """OpenFst's searches; raises MissingError."""
    if not any(Path(folder, "fst/fstlib.h").exists() for folder in _include_folders()):
        raise MissingError(INSTALL_OPENFST)
    return Programme(_built("openfst_peer", ["-lfst", "-ldl", "-pthread"], INSTALL_OPENFST))


@cache
def dense() -> Programme:
    """The plain dense programme; raises MissingError."""
    return Programme(_built("dense", [], INSTALL_GPP))


@cache
def words() -> Path:
    """What reads, splits and hashes the words of files once; raises MissingError."""
    return _built("words", [], INSTALL_GPP)


def package(name: str, project: str = "") -> ModuleType:
    """A module of a package, whose project may have another name; raises MissingError."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingError(f"pip install {project or name.split('.')[0]}") from None


def _include_folders() -> list[str]:
    return ["/usr/include", "/usr/local/include", *os.environ.get("CPATH", "").split(os.pathsep)]


def _cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base) / "fstmetrics-bench"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="fstmetrics-bench-"))
    return folder


def _built(name: str, libraries: list[str], hint: str) -> Path:
    sources = sorted([*HERE.glob("*.h"), HERE / f"{name}.cc"])
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    executable = _cache_folder() / f"{name}-{digest}"
    if executable.exists():
        return executable
    compiler = os.environ.get("CXX") or shutil.which("g++")
    if compiler is None:
        raise MissingError(hint)
    partial = executable.with_suffix(f".{os.getpid()}")
    command = [compiler, "-std=c++17", "-O3", "-march=native", "-o", str(partial), str(HERE / f"{name}.cc")]
    done = subprocess.run([*command, *libraries], capture_output=True, text=True, check=False)
    if done.returncode:
        raise MissingError(f"{hint} (building {name} failed: {done.stderr.strip().splitlines()[0][:200]})")
    partial.rename(executable)
    return executable
