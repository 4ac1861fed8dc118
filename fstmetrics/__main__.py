"""Where the command line begins: `main`, which the installed script calls, as does `python -m fstmetrics`."""

import gc
import os

from fstmetrics.support.signals import leaving_at_once, listen

# Bytes of address space that the smallest command takes beyond what Python has, products of matrices among them.
NEEDED = 165 << 20


def main() -> None:
    """Hear signals, then import what takes long; behind it the process ends."""
    listen()
    _check_memory()
    # numpy's threads wait busily for work that few commands have: a fifth of the time of a small run.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
    gc.disable()  # until a command is imported: of what modules make nothing is garbage
    from fstmetrics.cli import main as command_line

    with leaving_at_once():
        command_line()


def _check_memory() -> None:
    """End with one line where a limit of memory is too low for what is imported, which ends in words of its own."""
    try:
        import resource
    except ImportError:  # not on this system
        return
    limits = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    set_ones = [limit for limit in limits if limit != resource.RLIM_INFINITY]
    if not set_ones:
        return
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each thread takes much
    import mmap

    try:
        mmap.mmap(-1, NEEDED, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
    except OSError:
        said = f"the limit is {min(set_ones) >> 10} kB (ulimit -v or -d), and the smallest command takes {NEEDED >> 10}"
        os.write(2, f"fstmetrics: out of memory: {said} beside Python\n".encode())
        os._exit(2)
    import numpy as np

    square = np.ones((100, 100))
    square @ square  # what products of matrices take they take now, as they end the process where it is not there


if __name__ == "__main__":
    main()
