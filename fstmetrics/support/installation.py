"""What is installed here: Python, the system, packages and extras, without importing any of them.

- `system`: Python, the operating system, processors, memory.
- `packages`: those of the base, with their versions.
- `extras`: what each adds, the packages that it has, and those that it lacks.
- `wordnet_place`: where WordNet is.
"""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

from fstmetrics.support.limits import memory_there_is

# Where WordNet's own programs and Debian look for it.
WORDNET_VARIABLE, DEBIAN = "WNSEARCHDIR", "/usr/share/wordnet"
# Where nltk looks for its folder `nltk_data`, behind the folders in NLTK_DATA.
_UNIX = ("/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib")
_PYTHON = (Path(sys.prefix), Path(sys.prefix, "share"), Path(sys.prefix, "lib"))
NLTK_PLACES = (Path("~"), *_PYTHON, *map(Path, _UNIX if os.name != "nt" else ("C:\\", "D:\\", "E:\\")))
# What each extra for users adds; pyproject.toml has their packages.
EXTRAS = {
    "mt": "BLEU's tokenizers, chrF, METEOR; WordNet for TESLA-M, MaxSim",
    "spm": "the tokenizers spm, flores101, flores200, spBLEU-1K",
    "ja": "the tokenizer ja-mecab",
    "ko": "the tokenizer ko-mecab",
    "profiles": "Whisper's normaliser: --profile whisper-en, open-asr",
    "tables": "Parquet and Arrow files, to_pandas(), to_arrow()",
    "moses": "soft re-segmentation by the rules of more languages",
    "gzip": "gzipped files in a third of the time",
    "plots": "pictures: --plot",
    "annotate": "the annotation tool in a browser",
    "proficiency": "learned levels of translators, weights from rankings",
    "openfst": "objects of OpenFst (pynini)",
    "kaldi": "objects of kaldifst",
    "k2": "objects of k2",
    "remote": "files by URL: s3://, gs://, hf://",
    "ray": "runs on Ray: --on ray",
    "spark": "runs on Spark: --on spark",
    "datasets": "scores of datasets of Hugging Face",
    "evaluate": "a module of Hugging Face's evaluate",
    "torchmetrics": "a metric of torchmetrics",
    "lhotse": "scores of cuts of Lhotse",
    "nemo-curator": "a stage of NeMo Curator",
}
BASE = ("numpy", "click")
# A requirement as metadata have it: name, its own extras, versions; behind the semicolon, what it holds for.
REQUIREMENT = re.compile(r"([\w.-]+)(?:\[([\w,-]*)\])?\s*\(?([^;)]*)\)?\s*(?:;(.*))?")
FOR_AN_EXTRA = re.compile(r"""extra == ['"]([\w-]+)['"]""")
BYTES_IN_GIB = 2**30


@dataclass(frozen=True)
class Extra:
    """An extra: what it adds, versions of the packages that are there, and requirements that are not met."""

    name: str
    adds: str
    present: dict[str, str]
    missing: list[str]

    def as_dict(self) -> dict[str, Any]:
        """Its fields."""
        return asdict(self)


def system() -> dict[str, str | int]:
    """Names of Python and of the operating system, processors that the process may use, bytes of memory."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    threads = "" if getattr(sys, "_is_gil_enabled", lambda: True)() else ", free-threaded"
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}{threads}",
        "system": f"{platform.system()} {platform.release()}",
        "machine": platform.machine(),
        "c_library": " ".join(filter(None, platform.libc_ver())),
        "processors": usable,
        "memory": memory_there_is(),
    }


def packages() -> dict[str, str]:
    """Versions of the packages of the base; an empty text where one is missing."""
    return {name: _version(name) for name in BASE}


def extras() -> list[Extra]:
    """The extras for users; none where the package has no metadata, as it was not installed."""
    return [_extra(name, adds) for name, adds in EXTRAS.items() if _version("fstmetrics")]


def _extra(name: str, adds: str) -> Extra:
    present: dict[str, str] = {}
    missing = []
    for package, wanted in _requirements("fstmetrics", (name,)):
        if package == "fstmetrics":
            continue  # another extra of ours, whose packages come next
        found = _version(package)
        if found and _meets(found, wanted):
            present[package] = found
        else:
            missing.append(f"{package}{wanted}" + (f" (it is {found})" if found else ""))
    return Extra(name, adds, present, missing)


def _requirements(package: str, extras: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Names and versions of what extras of a package need, extras of those packages included."""
    try:
        lines = requires(package) or []
    except PackageNotFoundError:
        return
    for line in lines:
        if (found := REQUIREMENT.match(line)) is None:
            continue
        name, of_its_own, wanted, condition = found.groups(default="")
        extra = FOR_AN_EXTRA.search(condition)
        if extra is not None and extra[1] in extras:
            yield name, wanted.strip()
            if of_its_own:
                yield from _requirements(name, of_its_own.split(","))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _meets(found: str, wanted: str) -> bool:
    """Whether a version is one of those wanted; of conditions other than >= and == nothing is known."""
    for condition in wanted.split(","):
        if condition.startswith(">=") and _numbers(found) < _numbers(condition[2:]):
            return False
        if condition.startswith("==") and _numbers(found) != _numbers(condition[2:]):
            return False
    return True


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers of a release, zeros at the end left out."""
    numbers = [int(part) for part in re.match(r"[\d.]*", version)[0].split(".") if part]  # type: ignore[index]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def wordnet_folder() -> Path:
    """Where WordNet's own programs look for it."""
    return Path(os.environ.get(WORDNET_VARIABLE, DEBIAN))


def wordnet_place() -> Path | None:
    """Where WordNet is found, without asking nltk, which takes a second to import; None where it is not installed."""
    folders = [
        Path(folder).expanduser() for folder in os.environ.get("NLTK_DATA", "").split(os.pathsep) if folder
    ]
    places = (*NLTK_PLACES, Path(os.environ.get("APPDATA", "C:\\"))) if os.name == "nt" else NLTK_PLACES
    folders += [place.expanduser() / "nltk_data" for place in places]
    for folder in folders:
        for place in (folder / "corpora" / "wordnet", folder / "corpora" / "wordnet.zip"):
            if place.exists():
                return place
    plain = wordnet_folder()
    return plain if (plain / "data.noun").is_file() else None
