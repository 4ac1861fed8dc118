"""How long the way of a call is: modules, functions, and hops from module to module, of our own Python.

    python tests/helpers/ways.py score ref.txt hyp.txt          # {"modules": 59, "functions": 579, "hops": 2016}
    python tests/helpers/ways.py lists                          # of `fm.score` with lists

It is the second call in a process, as the first imports what it needs. A hop is a call of a function whose module is
not that of the function called before. List, set and dict comprehensions do not count: since Python 3.12 they are no
functions. Clocks stand still, on one processor, so that every run takes the same way.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from types import CodeType, FrameType
from typing import Any

INLINE = ("<listcomp>", "<setcomp>", "<dictcomp>")


def main(*arguments: str) -> None:
    """Print the way of a command, or of `fm.score`, as JSON."""
    time.monotonic = time.perf_counter = lambda: 0.0  # before anything of ours is imported
    os.cpu_count = lambda: 1
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    call = _lists if arguments == ("lists",) else lambda: _command(*arguments)
    print(json.dumps(way(call)))


def way(call: Callable[[], object]) -> dict[str, int]:
    """What a call passes through when it is made for the second time."""
    import fstmetrics

    root = os.path.dirname(fstmetrics.__file__) + os.sep
    path: list[CodeType] = []

    def enter(frame: FrameType, event: str, _argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_name not in INLINE and code.co_filename.startswith(root):
            path.append(code)

    call()
    gc.collect()
    gc.disable()
    sys.setprofile(enter)
    try:
        call()
    finally:
        sys.setprofile(None)
        gc.enable()
    modules = [code.co_filename for code in path]
    hops = sum(before != after for before, after in pairwise(modules))
    return {"modules": len({*modules}), "functions": len({*path}), "hops": hops}


def _command(*arguments: str) -> None:
    from command import fstmetrics

    outcome = fstmetrics(*arguments)
    assert outcome.status == 0, outcome.err


def _lists() -> None:
    import fstmetrics as fm

    assert fm.score(["the cat sat"], ["a cat sat"]).edits == 1


if __name__ == "__main__":
    main(*sys.argv[1:])
