"""Names that somebody may have meant: `did_you_mean`, `unknown`."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

# As many are offered.
FEW = 3


def did_you_mean(name: str, known: Collection[str]) -> str:
    """A question about the known names nearest to one that is not known; empty where none is near.

    Near are those that begin with it or contain it, or if there are none, those with few letters changed.

    >>> did_you_mean("kaldi-latice", ["plain", "kaldi-lattice"]), did_you_mean("kaldi", ["plain", "kaldi-lattice"])
    ('did you mean kaldi-lattice?', 'did you mean kaldi-lattice?')
    """
    asked = name.lower()
    within = [each for each in known if asked and asked in each.lower()]
    within.sort(key=lambda each: not each.lower().startswith(asked))
    near = within[:FEW] or get_close_matches(asked, known, FEW)
    return f"did you mean {_either(near)}?" if near else ""


def unknown(what: str, name: str, known: Collection[str]) -> str:
    """What an error says of a name that is none: those it may stand for, and all that there are.

    >>> unknown("metric", "wre", ["wer", "wrr"])
    "unknown metric 'wre'; did you mean wrr or wer? Known are wer, wrr"
    """
    near = did_you_mean(name, known)
    return f"unknown {what} {name!r}; " + (f"{near} Known are " if near else "known are ") + ", ".join(known)


def _either(names: list[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last
