"""Profiles: the rules of a scoring tool or a leaderboard by one name, `profile("whisper-en")`.

A profile is a `Normalisation`: what rewrites texts, what is compared, what does not count, and which grammars widen the
references. Its name and version are in every signature. `PROFILES` lists them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from fstmetrics.support.arguments import STRING
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.names import did_you_mean
from fstmetrics.support.options import Kind, text
from fstmetrics.text.normalisation import PLAIN, Normalisation
from fstmetrics.text.text_normalisers import (
    RULES,
    TextNormaliser,
    nemo,
    open_asr,
    open_asr_multilingual,
    whisper_basic,
    whisper_english,
)

# The words for what is no speech that Kaldi's `score_basic.sh` removes from both sides, and newer recipes' lower case.
KALDI_NON_SPEECH = ("[NOISE]", "[LAUGHTER]", "[VOCALIZED-NOISE]", "<UNK>", "%HESITATION")


class Profile(NamedTuple):
    """One of `PROFILES`.

    Attributes:
        description: what it does, for help.
        make: the rules, of what comes after a colon in the name.
        argument: what has to or may come after a colon: "FILE", "[CLONE]", or nothing.
    """

    description: str
    make: Callable[[str], Normalisation]
    argument: str = ""

    def written(self, name: str) -> str:
        """The name as help has it, with what comes after a colon."""
        bracket = self.argument.startswith("[")
        return f"{name}[:{self.argument.strip('[]')}]" if bracket else f"{name}:{self.argument}".rstrip(":")


# The Open ASR Leaderboard leaves out items whose reference becomes one of these.
NOTHING_SAID = frozenset({"", "ignore time segment in scoring"})


def _by(normaliser: TextNormaliser, drops: frozenset[str] = frozenset()) -> Normalisation:
    return Normalisation(normaliser=normaliser, drops=drops)


def _glm(path: str) -> Normalisation:
    if not os.path.isfile(path):
        raise FstmetricsError(f"the profile nist-glm needs a global mapping file: {path!r} is none")
    from hashlib import sha256  # OpenSSL takes long to load, and no other profile has a stamp

    stamp = sha256(Path(path).read_bytes()).hexdigest()[:12]
    label = f"nist-glm@{RULES}+{os.path.basename(path)}-{stamp}"
    return Normalisation(lowercase=True, grammars=(path,), label=label)


def _kaldi(_: str) -> Normalisation:
    return Normalisation(ignore=frozenset((*KALDI_NON_SPEECH, *map(str.lower, KALDI_NON_SPEECH))))


def _characters(unit: str) -> Normalisation:
    return Normalisation(unicode="nfkc", lowercase=True, remove_punctuation=True, unit=unit)  # type: ignore[arg-type]


# The profiles, by name.
PROFILES: dict[str, Profile] = {
    "none": Profile("words as they are", lambda _: PLAIN),
    "open-asr": Profile(
        "Open ASR Leaderboard, English; CLONE: a clone of its repository, for its newest rules",
        lambda clone: _by(open_asr(clone), NOTHING_SAID), "[CLONE]",
    ),
    "open-asr-multilingual": Profile(
        "Open ASR Leaderboard, other languages: no case, symbols or diacritics",
        lambda clone: _by(open_asr_multilingual(clone), NOTHING_SAID), "[CLONE]",
    ),
    "whisper-en": Profile(
        "Whisper's English rules: numbers, contractions, spellings, fillers", lambda _: _by(whisper_english())
    ),
    "whisper-basic": Profile(
        "Whisper's rules for other languages: no case, symbols or brackets", lambda _: _by(whisper_basic())
    ),
    "nemo": Profile("NeMo's speech_to_text_eval without case and . , ?", lambda _: _by(nemo())),
    "nist-glm": Profile("NIST: no case, and FILE's global map widens the references", _glm, "FILE"),
    "kaldi": Profile("Kaldi's score_basic.sh: case counts, [NOISE], <UNK> and the like do not", _kaldi),
    "chinese-cer": Profile(
        "characters without spaces, punctuation, case and width of letters",
        lambda _: _characters("char-no-space"),
    ),
    "mixed": Profile(
        "Han characters and the words of other scripts, otherwise as chinese-cer", lambda _: _characters("mixed")
    ),
}  # fmt: skip


def profile(name: str) -> Normalisation:
    """The rules of a scoring tool or leaderboard, as what scoring functions take for `normalisation`.

    Args:
        name: one of `PROFILES`; what some need or take comes after a colon, as in `nist-glm:en20030506.glm`. Grammars
            that widen the references come after a plus sign, as in `whisper-en+compounds`.

    Raises:
        FstmetricsError: no such profile, a file that is missing, or a package that is not installed.

    >>> import fstmetrics as fm
    >>> rules = fm.profile("chinese-cer")
    >>> rules.words("你 好，World")
    ['你', '好', 'w', 'o', 'r', 'l', 'd']
    >>> fm.score(["你好 吗"], ["你 好 嘛"], normalisation=rules).score
    0.3333333333333333
    """
    STRING.check(name, "the name of a profile")
    base, colon, argument, wider = _parts(name)
    if base not in PROFILES:
        near = did_you_mean(base, PROFILES)
        known = f"{near} Profiles" if near else "profiles"
        raise FstmetricsError(f"there is no profile {name!r}; {known} are {', '.join(profile_names())}")
    found = PROFILES[base]
    if colon and not (argument and found.argument):
        raise FstmetricsError(f"the profile {base} is written {found.written(base)}, not {name!r}")
    if not colon and found.argument and not found.argument.startswith("["):
        raise FstmetricsError(f"the profile {base} needs a file: {found.written(base)}")
    rules = found.make(argument)
    rules = replace(rules, grammars=(*rules.grammars, *wider)) if wider else rules
    label = rules.label or (rules.normaliser.label if rules.normaliser else f"{base}@{RULES}")
    return rules if base == "none" else replace(rules, label=label)


def is_profile(name: str) -> bool:
    """Whether a name begins with that of a profile, whatever it needs beside.

    >>> is_profile("whisper-en+compounds"), is_profile("none,kaldi")
    (True, False)
    """
    return _parts(name)[0] in PROFILES


def _parts(name: str) -> tuple[str, str, str, list[str]]:
    """The name of a profile, its colon if it has one, what comes after that, and the grammars after plus signs."""
    base, colon, argument = name.partition(":")
    if not colon:
        base, *grammars = base.split("+")
    elif os.path.exists(argument):
        grammars = []
    else:
        argument, *grammars = argument.split("+")
    return base, colon, argument, grammars


def profile_names() -> list[str]:
    """All names, each with what comes after a colon."""
    return [one.written(name) for name, one in PROFILES.items()]


def _one(given: Any) -> str:
    names = text(given).split(",")
    if len(names) > 1 and all(is_profile(name) for name in names):
        raise FstmetricsError(
            f"--profile takes one profile; for several: fstmetrics compare --profiles {given} --ref REF SYSTEM..."
        )
    profile(given)
    return str(given)


# The name of one.
PROFILE = Kind(_one)


def added(rules: Normalisation, asked: Normalisation) -> Normalisation:
    """The rules of a profile, and what is asked for beside them.

    Raises:
        FstmetricsError: the unit or the form of Unicode that is asked for is another than the profile's.
    """
    for name, usual in (("unit", "word"), ("unicode", "as-is")):
        own, other = getattr(rules, name), getattr(asked, name)
        if own != usual and other not in (usual, own):
            base = rules.label.partition("@")[0]
            raise FstmetricsError(
                f"the profile {base} has the {name} {own}, not {other}; leave one of them out"
            )
    return replace(
        asked,
        unit=asked.unit if rules.unit == "word" else rules.unit,
        unicode=asked.unicode if rules.unicode == "as-is" else rules.unicode,
        lowercase=rules.lowercase or asked.lowercase,
        remove_punctuation=rules.remove_punctuation or asked.remove_punctuation,
        ignore=rules.ignore | asked.ignore,
        normaliser=rules.normaliser,
        drops=rules.drops,
        grammars=rules.grammars,
        label=rules.label,
    )
