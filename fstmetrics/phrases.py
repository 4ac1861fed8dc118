r"""The phrases annotators type: words and calls, `the [PRIME-MINISTER] of Italy` (design §2).

`parse_phrase` reads one, `write_phrase` writes it back, `write_label` what a single arc says. `[NAME]` calls a card;
`\[`, `\]`, `\;` and `\\` are literal; the empty phrase is legal. Both kinds of token stand between white space.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from fstmetrics.errors import FstmetricsError

_TOKEN = re.compile(r"\s*(?:\[(?P<call>(?:\\.|[^\[\]\\])*)\](?=\s|$)|(?P<word>(?:\\.|[^\s\[\]\\])+)(?=\s|$))")
_ESCAPE = re.compile(r"\\(.)")
_SPECIAL = re.compile(r"[\[\];\\]")


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the card of this name."""

    name: str


Token = str | Call


def parse_phrase(text: str) -> tuple[Token, ...]:
    r"""Split a phrase into words and calls.

    >>> parse_phrase("the [ITALIAN] \\[sic\\]")
    ('the', Call(name='ITALIAN'), '[sic]')

    Raises:
        FstmetricsError: a bracket without its partner or inside a word, or an unknown escape.
    """
    tokens: list[Token] = []
    position = 0
    end = len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            raise FstmetricsError(
                f"phrase {text!r}: cannot read {text[position:].strip()!r}; a call is written [NAME] with white "
                r"space around it, a literal bracket \[ or \]"
            )
        call = match["call"]
        tokens.append(_unescape(match["word"], text) if call is None else Call(_unescape(call, text)))
        position = match.end()
    return tuple(tokens)


def _unescape(token: str, text: str) -> str:
    def literal(match: re.Match[str]) -> str:
        if match[1] not in "[];\\":
            raise FstmetricsError(f"phrase {text!r}: unknown escape {match[0]!r}; known are \\[ \\] \\; \\\\")
        return match[1]

    return _ESCAPE.sub(literal, token)


def write_phrase(tokens: Iterable[Token]) -> str:
    r"""The phrase as text; `parse_phrase` gives the same tokens back.

    >>> write_phrase(["the", Call("ITALIAN"), "[sic]"])
    'the [ITALIAN] \\[sic\\]'
    """
    return " ".join(
        f"[{_escape(token.name)}]" if isinstance(token, Call) else _escape(token) for token in tokens
    )


def write_label(token: Token) -> str:
    r"""What one arc says, "" for nothing; as a phrase it gives the same back.

    Raises:
        FstmetricsError: a word with white space in it, which would come back as several or none.

    >>> write_label("[sic]"), write_label("")
    ('\\[sic\\]', '')
    """
    if isinstance(token, str) and token and token.split() != [token]:
        raise FstmetricsError(
            f"the word {token!r} has white space in it, which parts words; join its parts, say by _"
        )
    return write_phrase([token]) if token else ""


def _escape(token: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", token)
