"""NIST global mapping files (GLM), `A => B / [left] __ [right]`, as SCTK's rfilter1 reads them.

NIST applies the map to both sides, so that all that becomes the same counts as the same. Here only references are
widened, so a rule works from each side of the arrow to each other, and so do all left sides with one right side.
`{B1 / B2}` right of the arrow is a choice that a hypothesis gets: A stands for each.

NIST maps characters, here a rule covers words. A context of words is part of the rule; `[ ]` is the end of a word;
without a context at an end, the word may go on there: `SOMETIME => SOME TIME` makes "sometimes" "some times", as with
NIST. What cannot be read so (contexts inside words) is left out and noted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fstmetrics.grammars.model import Grammar, Kind, Rule, Side, reference
from fstmetrics.grammars.open_words import text
from fstmetrics.support.source import Source

HEADER = re.compile(r"\*\s*(\w+)\s*(?:=\s*)?[\"'](.*)[\"']")
# What a word may have before and after what a rule without an end there covers.
BEGINNING, REST = "beginning", "rest"
CHOICE = re.compile(r"\{(.*)\}")
CONTEXT = re.compile(r"/\s*(?:\[([^][]*)\]\s*)?__\s*(?:\[([^][]*)\]\s*)?$")


@dataclass(frozen=True)
class _Line:
    """A rule of the file: its two sides and contexts, as written between their brackets; None for no context."""

    number: int
    written: str
    left: str
    right: str
    before: str | None
    after: str | None


def decoded(source: Source) -> Source:
    """The file as UTF-8: some of NIST's are in ISO 8859-1."""
    try:
        source.data.decode()
    except UnicodeDecodeError:
        return Source(source.path, source.data.decode("iso-8859-1").encode())
    return source


def looks_like(source: Source) -> bool:
    """Whether the first rule or header line looks like one of a GLM file."""
    for _, line in source.lines():
        if line.startswith("*") and HEADER.match(line):
            return True
        if line.strip() and not line.startswith((";;", "#")):
            return "=>" in line
    return False


CASE_COUNTS = (
    "no header `* case_sensitive = 'F'`: rules match words as they are written here, none under --lowercase"
)


def read(source: Source) -> Grammar:
    """Read a GLM file.

    Raises:
        InputError: a rule without an arrow.
    """
    header = {m[1].lower(): m[2] for _, line in source.lines() if (m := HEADER.match(line))}
    # rfilter1's own default is that case matters.
    exact_case = not header.get("case_sensitive", "T").upper().startswith(("F", "N"))
    rules: list[Rule] = []
    notes = [CASE_COUNTS] if exact_case else []
    hubs: dict[tuple[str, str | None, str | None], list[_Line]] = {}
    for line in _lines(source):
        if choice := CHOICE.fullmatch(line.right):
            options = [option.strip() for option in choice[1].split("/")]
            _add(rules, notes, [line], [line.left, *options], "both", exact_case)
        elif not line.right:
            _add(rules, notes, [line], [line.left, ""], "to", exact_case)
        else:
            hub = line.right if exact_case else line.right.lower()
            hubs.setdefault((hub, line.before, line.after), []).append(line)
    for lines in hubs.values():
        _add(rules, notes, lines, [*(line.left for line in lines), lines[0].right], "any", exact_case)
    rules.sort(key=lambda rule: rule.line)
    if not rules:
        raise source.error("there is no rule in this GLM file")
    title = header.get("desc") or header.get("name") or source.name
    opens = {name: text(r"\S*") for name in (BEGINNING, REST)}
    return Grammar(source.stem, tuple(rules), title, {}, opens, (), tuple(notes))


def _lines(source: Source) -> Iterator[_Line]:
    for number, full in source.lines():
        line = full.split(";;")[0].strip()
        if not line or line.startswith("*"):
            continue
        left, arrow, rest = line.partition("=>")
        if not arrow:
            raise source.error(f"expected A => B, found {line!r}", number)
        right, before, after = rest, None, None
        if context := CONTEXT.search(rest):
            right, before, after = rest[: context.start()], context[1], context[2]
        yield _Line(number, line, _bare(left), _bare(right), before, after)


def _bare(side: str) -> str:
    """A side without the brackets or quotes around it, which NIST has where spaces count."""
    side = side.strip()
    for opening, closing in ("[]", '""'):
        if len(side) > 1 and side[0] == opening and side[-1] == closing:
            return side[1:-1].strip()
    # One line of the NIST file lacks the bracket at its end.
    return side[1:] if side.startswith("[{") and side.endswith("}") else side


def _add(
    rules: list[Rule],
    notes: list[str],
    lines: Sequence[_Line],
    texts: Sequence[str],
    kind: Kind,
    exact_case: bool,
) -> None:
    """The rule for some lines with one right side and one context, or a note that says why there is none."""
    first = lines[0]
    written = first.written if len(lines) == 1 else "; ".join(line.written for line in lines)
    # A brace may begin a word that is looked for; what is written is no place for one.
    if any("{" in text or "}" in text for text in texts[1:] if kind != "any" or text == first.right):
        notes.append(f"line {first.number}: choices inside choices are left out: {first.written}")
        return
    if not _is_edge(first.before, -1) or not _is_edge(first.after, 0):
        notes.append(f"line {first.number}: contexts inside words are left out: {first.written}")
        return
    sides = tuple(dict.fromkeys(_in_context(tuple(text.split()), first) for text in texts))
    if len(sides) < 2 or not sides[0]:
        notes.append(f"line {first.number}: the rule changes nothing: {first.written}")
        return
    rules.append(Rule(sides, kind, written, first.number, exact_case=exact_case))


def _is_edge(context: str | None, end: int) -> bool:
    """Whether a context keeps to whole words at the end where the rule is."""
    return not context or context[end].isspace()


def _in_context(words: Side, line: _Line) -> Side:
    """A side with its context; where an end has none, the word may go on there."""
    before, after = (line.before or "").split(), (line.after or "").split()
    beginning = reference(BEGINNING) if line.before is None else ""
    rest = reference(REST) if line.after is None else ""
    if len(words) > 1:
        words = (beginning + words[0], *words[1:-1], words[-1] + rest)
    elif one := beginning + "".join(words) + rest:
        words = (one,)
    return (*before, *words, *after)
