"""The command `doctor`, and the call of this name. They work where the engine cannot be loaded."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

import fstmetrics
from fstmetrics.cli.terminal import show, show_json
from fstmetrics.commands import doctor as commands
from fstmetrics.support.installation import BYTES_IN_GIB, Extra, extras, packages, system, wordnet_place
from fstmetrics.support.limits import limits
from fstmetrics.support.printable import brief
from fstmetrics.support.version import __version__

NAMES = {"x86-64-v4": "x86-64-v4 (AVX-512)", "x86-64-v3": "x86-64-v3 (AVX2)", "plain": "plain"}
# Folders of packages that register formats and metrics: docs/plugins.md.
GROUPS = ("formats", "metrics")


def doctor() -> dict[str, Any]:
    """What is installed here: versions, the engine, extras, data and limits, as `fstmetrics doctor --json` prints it.

    Nothing is printed, and nothing is sent anywhere; the home folder is written ~. What cannot be loaded says why.

    >>> import fstmetrics as fm
    >>> sorted(fm.doctor())[:3]
    ['c_library', 'data', 'encoding']
    """
    lacking = {extra.name: extra.as_dict() for extra in extras()}
    return {
        "fstmetrics": __version__,
        "folder": _brief(Path(fstmetrics.__file__).parent),
        "prefix": _brief(Path(sys.prefix)),
        **system(),
        "encoding": sys.stdout.encoding if sys.stdout is not None else "",
        "packages": packages(),
        "engine": _engine(),
        "extras": lacking,
        "data": _data(),
        "plugins": _plugins(),
        "limits": {name: getattr(limits(), name) for name in type(limits()).__dataclass_fields__},
    }


def _brief(path: Path) -> str:
    """A path with the user's home as ~: it may hold a name."""
    home = Path.home()
    return f"~{os.sep}{path.relative_to(home)}" if path.is_relative_to(home) and path != home else str(path)


def _engine() -> dict[str, str]:
    """How the engine was built and what it runs on; why it cannot be loaded, where it cannot."""
    try:
        from fstmetrics import _native
    except Exception as error:  # of which a report is wanted
        return {"error": brief(f"{type(error).__name__}: {error}")}
    return {"compiler": _native.compiler(), "instruction_set": _native.instruction_set()}


def _data() -> dict[str, str]:
    """Folders of data that is not code; an empty text where there is none."""
    from fstmetrics.support.shipped_grammars import names, shipped_folder

    place = wordnet_place()
    return {
        "grammars": f"{_brief(shipped_folder())} ({len(names())})",
        "wordnet": "" if place is None else _brief(place),
    }


def _plugins() -> list[str]:
    """Formats and metrics that other packages register; nothing of them is imported."""
    from importlib.metadata import entry_points

    found = []
    for group in GROUPS:
        for entry in entry_points(group=f"fstmetrics.{group}"):
            package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "a package"
            found.append(f"{group[:-1]} {entry.name} of {package}")
    return sorted(found)


def doctor_lines(found: dict[str, Any]) -> Iterator[str]:
    """The same for people."""
    engine = found["engine"]
    built = engine.get("error") or f"{engine['compiler']}, kernels for {NAMES[engine['instruction_set']]}"
    wordnet = found["data"]["wordnet"] or "none: apt-get install wordnet-base, or nltk.download('wordnet')"
    memory = f"{found['memory'] / BYTES_IN_GIB:.1f} GiB"
    rows = {
        "fstmetrics": f"{found['fstmetrics']} in {found['folder']}",
        "python": f"{found['python']} in {found['prefix']}",
        "system": " ".join(filter(None, (found["system"], found["machine"], found["c_library"]))),
        "machine": f"{found['processors']} processors, {memory} of memory, output in {found['encoding']}",
        "engine": built,
        "packages": ", ".join(
            f"{name} {version or '(missing)'}" for name, version in found["packages"].items()
        ),
        "grammars": found["data"]["grammars"],
        "wordnet": wordnet,
        "plugins": "; ".join(found["plugins"]) or "none",
        "limits": " ".join(f"{name}={value}" for name, value in found["limits"].items()),
    }
    yield from (f"{name:<11} {value}" for name, value in rows.items())
    if not found["extras"]:
        yield "extras      not known: fstmetrics runs from a folder and is not installed (pip install -e .)"
    width = max(map(len, found["extras"]), default=0) + 3
    for extra in (Extra(**given) for given in found["extras"].values()):
        there = [f"{name} {version}" for name, version in extra.present.items()]
        packages = ", ".join(extra.missing or there)
        yield (
            f"[{extra.name}]".ljust(width)
            + f"{'missing' if extra.missing else 'ok':<8} {packages}: {extra.adds}"
        )


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def doctor_command(as_json: bool) -> None:
    """Print what is installed here: versions, the engine, extras, data and limits.

    \b
    Example:  fstmetrics doctor

    Paste it into a report of an error. Nothing is sent anywhere; the home folder is written ~. The exit status is 0,
    whatever is missing: only numpy, click and the engine are needed, and each extra says what it is for.
    """
    found = commands.doctor()
    if as_json:
        show_json(found)
    else:
        show(*commands.doctor_lines(found))
