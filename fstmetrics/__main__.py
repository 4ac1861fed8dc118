"""Where the command line begins: `main`, which the installed script calls, as does `python -m fstmetrics`."""

import os

from fstmetrics.support.garbage import uncollected
from fstmetrics.support.signals import leaving_at_once, listen


def main() -> None:
    """Hear signals, then import what takes long; behind it the process ends."""
    listen()
    # numpy's threads wait busily for work that few commands have: a fifth of the time of a small run.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
    with uncollected():
        from fstmetrics.cli import main as command_line

    with leaving_at_once():
        command_line()


if __name__ == "__main__":
    main()
