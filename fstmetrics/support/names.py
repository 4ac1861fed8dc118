"""Names in messages: those that somebody may have meant (`did_you_mean`, `unknown`); the first of many (`listed`).

What ids have alike that are the same: `folded_id`, `spelled_alike`. A name that nothing has yet: `unused`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Container, Sequence
from itertools import chain, count
from typing import Any

# A whole number, with zeros before it, or with a point behind it, as pandas writes a column with a gap.
_WHOLE = re.compile(r"(-?)0*(\d+)(?:\.0+)?")
# As many are offered.
FEW = 3


def folded_id(id: str) -> str:
    """What ids have alike that are the same: neither case, the form of Unicode, of letters with accents, nor spaces at
    the ends part them, and `7.0` and `007` are 7.

    >>> folded_id("\u00c9t\u00e9") == folded_id("e\u0301te\u0301"), *map(folded_id, ("u-1 ", "7.0", "007"))
    (True, 'u-1', '7', '7')
    """
    id = id.strip()
    if not id.isascii():
        return unicodedata.normalize("NFC", unicodedata.normalize("NFC", id).casefold())
    whole = _WHOLE.fullmatch(id)
    return whole[1] + whole[2] if whole else id.casefold()


def spelled_alike(sides: Sequence[Collection[Any]]) -> list[list[Any]] | None:
    """The ids of each side, spelled as by the first that has them; None where two of a side differ in nothing else.

    >>> spelled_alike([["1", "2"], ["002", "3.0"]]), spelled_alike([["1", "01"]])
    ([['1', '2'], ['2', '3.0']], None)
    """
    forms = [list(map(folded_id, map(str, ids))) for ids in sides]
    pairs = zip(reversed(forms), reversed(sides), strict=True)
    spelled = {form: id for own, ids in pairs for form, id in zip(own, ids, strict=True)}
    if any(len(set(own)) < len(own) for own in forms):
        return None
    return [list(map(spelled.__getitem__, own)) for own in forms]


def unused(name: str, taken: Container[str]) -> str:
    """The name, or where it is taken the first of `name~2`, `name~3` and so on that is not.

    >>> unused("PM", {"X"}), unused("PM", {"PM", "PM~2"})
    ('PM', 'PM~3')
    """
    return next(each for each in chain([name], (f"{name}~{n}" for n in count(2))) if each not in taken)


def did_you_mean(name: str, known: Collection[str]) -> str:
    """A question about the known names nearest to one that is not known; empty where none is near.

    >>> did_you_mean("kaldi-latice", ["plain", "kaldi-lattice"]), did_you_mean("kaldi", ["plain", "kaldi-lattice"])
    ('did you mean kaldi-lattice?', 'did you mean kaldi-lattice?')
    """
    near = nearest(name, known)
    return f"did you mean {_either(near)}?" if near else ""


def nearest(name: str, known: Collection[str]) -> list[str]:
    """A few of the known names that somebody may have meant, the likeliest first.

    Those that begin with the name, those that contain it, and those with few letters changed, the fewest first: more
    than a third of them is too much. Dashes of options and the case of letters count for nothing: a name that differs
    in nothing else is the one that was meant. What is no option of ours may be one of another program, which means
    something else: an option is near where it begins with all words of the name, or where a quarter of the letters, two
    at most, are changed.

    >>> nearest("--metrc", ["--beta", "--metric"]), nearest("jsno", ["json", "join"]), nearest("x", ["y"])
    (['--metric'], ['json'], [])
    >>> nearest("--words", ["--optional-words"]), nearest("--optional", ["--optional-words"]), nearest("-O", ["-o"])
    ([], ['--optional-words'], [])
    """
    asked, is_option = _bare(name), name.startswith("-")
    if is_option and len(asked) == 1:
        return []
    if same := [each for each in known if _bare(each) == asked]:
        return same[:FEW]
    if is_option:
        within = [each for each in known if _bare(each).startswith(f"{asked}-")]
    else:
        within = [each for each in known if len(asked) > 1 and asked in _bare(each)]
    within.sort(key=lambda each: not _bare(each).startswith(asked))
    longest = {each: max(len(asked), len(_bare(each))) for each in known if each not in within}
    most = {each: min(length // 4, 2) if is_option else (length + 1) // 3 for each, length in longest.items()}
    # As many letters as the lengths differ by are put in or left out; so a name of any length is looked up at once.
    alike = [each for each in most if abs(len(asked) - len(_bare(each))) <= most[each]]
    changes = {each: letters_changed(asked, _bare(each)) for each in alike}
    near = [each for each in alike if changes[each] <= most[each]]
    return [*within, *sorted(near, key=lambda each: changes[each])][:FEW]


def letters_changed(one: str, other: str) -> int:
    """How many letters have to be put in, left out, replaced or swapped with their neighbour, each letter once.

    >>> letters_changed("metrc", "metric"), letters_changed("jsno", "json"), letters_changed("", "ab")
    (1, 1, 2)
    """
    two_before: list[int] = []
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        two_before, before, row = before, row, [i]
        for j, beside in enumerate(other, 1):
            least = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != beside))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == beside:
                least = min(least, two_before[j - 2] + 1)
            row.append(least)
    return row[-1]


def unknown(what: str, name: str, known: Collection[str]) -> str:
    """What an error says of a name that is none: those it may stand for, and all that there are.

    >>> unknown("metric", "wre", ["wer", "wrr"])
    "unknown metric 'wre'; did you mean wer or wrr? Known are wer, wrr"
    """
    near = did_you_mean(name, known)
    return f"unknown {what} {name!r}; " + (f"{near} Known are " if near else "known are ") + ", ".join(known)


# No file system takes longer names; the rest is for endings.
MOST_BYTES = 200


def may_name_file(id: str) -> bool:
    """Whether a file can be called by an id, which comes from a file and must not lead anywhere else.

    >>> [may_name_file(id) for id in ("u1", "a b.c", ".u1", "../u1", "a\\tb")]
    [True, True, False, False, False]
    """
    leads_on = id.startswith(".") or "/" in id or "\\" in id
    return bool(id) and not leads_on and id.isprintable() and len(id.encode()) <= MOST_BYTES


def listed(names: Sequence[str], most: int = 3, count: int | None = None) -> str:
    """The first names, and how many more there are; `count` is how many in all, where only the first ones are given.

    >>> listed(["a", "b"]), listed(["a", "b", "c", "d", "e"])
    ('a, b', 'a, b, c and 2 more')
    """
    every = len(names) if count is None else count
    more = f" and {every - most} more" if every > most else ""
    return ", ".join(names[:most]) + more


def _either(names: list[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def _bare(name: str) -> str:
    return name.lower().lstrip("-")
