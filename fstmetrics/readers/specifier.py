"""Kaldi's specifiers as paths on the command line: `ark:FILE`, `ark,t:FILE`, `ark:-`, `scp:FILE`.

`ark` says no more than its file does: what it holds is recognised. `scp` means a script file. Options that only say how
a table is gone through (t, b, o, s, cs and their opposites) change nothing here. Commands, `ark:gunzip -c x.gz |`, are
never run.
"""

from __future__ import annotations

import os
import re

from fstmetrics.errors import InputError

SPECIFIER = re.compile(r"(ark|scp)((?:,[a-z]+)*):(.*)", re.DOTALL)
# p, "permissive", is not among them: leaving out what is damaged is what --keep-going and --missing are for.
OPTIONS = frozenset({"t", "b", "o", "no", "s", "ns", "cs", "ncs", "np"})
SCRIPT_FORMAT = "scp"


def resolve(path: str, format: str | None) -> tuple[str, str | None]:
    """The file that a path means, and its format if the specifier says it.

    Args:
        path: a path or a specifier; where a file of just that name exists, it is that file.
        format: the format that a caller named, or None.

    Raises:
        InputError: a command, an option that is not known, or a format that contradicts the specifier.

    >>> resolve("ark,t:lat.1", None), resolve("scp:lat.scp", None), resolve("ark:-", None), resolve("lat.1", "slf")
    (('lat.1', None), ('lat.scp', 'scp'), ('-', None), ('lat.1', 'slf'))
    """
    match = SPECIFIER.fullmatch(path)
    if match is None or os.path.exists(path):
        return path, format
    kind, options, rest = match[1], match[2].split(",")[1:], match[3].strip()
    if rest.endswith("|") or rest.startswith("|"):
        raise InputError(
            "is a command, and those are never run; write `COMMAND | fstmetrics ...` and - for the path",
            path,
        )
    if unknown := [option for option in options if option not in OPTIONS]:
        raise InputError(
            f"the option {unknown[0]!r} is not read; known are {', '.join(sorted(OPTIONS))}", path
        )
    if not rest:
        raise InputError(f"names no file; expected {kind}:FILE", path)
    if kind == "ark":
        return rest, format
    if format not in (None, SCRIPT_FORMAT):
        raise InputError(f"is a script file, which --format {format} is not", path)
    return rest, SCRIPT_FORMAT
