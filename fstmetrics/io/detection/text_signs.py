"""Signs by which `detect` tells files: each looks at a `Head` and says whether it is there.

- `Refused`: what is recognised and not read, with its name and what to do.
- `begins`, `opens`, `every`, `some`: a pattern of the first bytes, of the text, of each line, or of one.
- The others say, as a rule of all of the first lines, that they have a form.
"""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from fstmetrics._native import looks_like_att
from fstmetrics.io.detection.head import Head
from fstmetrics.io.ids import LOOKS_LIKE_ID
from fstmetrics.support.source import Source

Sign = Callable[[Head], bool]
WANTED = "expected a sentence a line, or `id word word ...` lines"
# No line of a text is longer; a JSON document may be one line.
LONGEST = 1 << 15


class Refused(NamedTuple):
    """What a file is, and what its user can do.

    Attributes:
        name: the kind of file.
        advice: how to make something of it that can be read.
        is_text: whether it holds transcripts or lists, and so counts as text among lattices.
        may_be_text: whether a text of sentences may look so, too.
        also: a format that has ids, in which the file may be.
    """

    name: str
    advice: str
    is_text: bool = True
    may_be_text: bool = True
    also: str = ""

    @property
    def called(self) -> str:
        """The name with its article.

        >>> Refused("HTML file", "").called, Refused("list", "").called
        ('an HTML file', 'a list')
        """
        an = self.name[0] in "aeioAEIO" or self.name.startswith(("HTML", "HTK", "RTF", "xz", "n-best"))
        return f"{'an' if an else 'a'} {self.name}"


def no_text(name: str, advice: str) -> Refused:
    """A kind of file that no text looks like."""
    return Refused(name, advice, may_be_text=False)


# JSON of which no more is known.
JSON = no_text(
    "JSON file",
    f"{WANTED}, or a table: JSON Lines, a list of objects, or an object of columns (docs/tables.md)",
)


def begins(expression: bytes, flags: int = 0) -> Sign:
    """A pattern of the first bytes, behind a byte order mark."""
    pattern = rb"(?:\xef\xbb\xbf)?(?:" + expression + rb")"
    return lambda head: re.match(pattern, head.data, flags) is not None


def opens(expression: str, flags: int = 0) -> Sign:
    """The same of text, also in UTF-16, without white space before it."""
    return lambda head: re.match(expression, head.text, flags) is not None


def every(expression: str, flags: int = 0, least: int = 1) -> Sign:
    """A pattern of each of the first lines, of which there are so many at least."""

    def sign(head: Head) -> bool:
        lines = head.lines
        return len(lines) >= least and all(re.fullmatch(expression, line.strip(), flags) for line in lines)

    return sign


def some(expression: str) -> Sign:
    """A pattern that one of the first lines begins with."""
    return lambda head: any(re.match(expression, line) for line in head.lines)


# Tables of pyarrow. Letters that a text may begin with are a signature only where bytes follow that no text has.
PARQUET = rb"PAR1[^\x00-\x08]{0,12}[\x00-\x08]"
# A file, or a stream as `datasets` keeps it: its first message has 0xffffffff before its length.
ARROW = rb"ARROW1\x00\x00|\xff\xff\xff\xff[\x00-\xff]{2}[\x00-\x0f]\x00[\x00-\x7f]\x00\x00\x00"
SHERPA = re.compile(rb'(?m)^\S[^\n]*\.(?i:wav|flac|mp3|ogg|opus|m4a|sph|pcm)\r?\n\{[^\n]*"text": ?"')


def is_columnar(source: Source) -> bool:
    """Whether it is a file of Parquet or Arrow."""
    head = source.content[:100]
    return re.match(PARQUET, head) is not None or re.match(ARROW, head, re.DOTALL) is not None


def is_sherpa(head: Head) -> bool:
    """Whether a path and a result are at the beginning, as sherpa-onnx prints them."""
    return b"\n{" in head.data and SHERPA.search(head.data) is not None


# --- lattices ------------------------------------------------------------------------------------


# Python's tuples, three deep; words are in quotes of either kind.
PLF = rb"\s*\(\s*\(\s*\(\s*['\"]"
_COSTS = rb"\n[^\S\n]*+\d++[^\S\n]++\d++[^\S\n][^\n]*,"


def is_kaldi_lattice(head: Head) -> bool:
    """A key, and soon an arc with two costs joined by a comma; nothing but Kaldi's lattices has them."""
    if not re.search(_COSTS, head.data):
        return False
    first, *lines = head.data.lstrip().split(b"\n")
    return not _is_weighted_arc(first) and any(map(_is_weighted_arc, lines))


def _is_weighted_arc(line: bytes) -> bool:
    fields = line.split()
    if len(fields) not in (4, 5) or not (fields[0].isdigit() and fields[1].isdigit()):
        return False
    parts = fields[-1].split(b",")
    try:
        return len(parts) in (2, 3) and not math.isnan(float(parts[0]) + float(parts[1]))
    except ValueError:
        return False


_ATT = rb"(?:\xef\xbb\xbf)?\s*\d+[ \t]+\d+[ \t]+[^ \t\r\n|]+(?:[ \t]+[^ \t\r\n]+){0,9}[ \t\r]*\n"


def is_att(head: Head) -> bool:
    """Whether all lines of the file are arcs or final states, and the machine hangs together.

    Lines of numbers with ids that are numbers look the same; but there the "final states" are hardly all ends of
    "arcs", and the "arcs" do not all leave from such ends.
    """
    if b"\n" not in head.data or not re.match(_ATT, head.data):
        return False
    try:
        return looks_like_att(head.source.utf8)
    except ValueError:
        return False


_FOUR_INTEGERS = re.compile(
    rb"(?>(?:(?:[ \t]*\d++[ \t]++\d++[ \t]++\d++[ \t]++\d++|[ \t]*\d*+(?:[ \t]++\S++)?)[ \t\r]*+(?:\n|\Z))*)"
)


def is_open_att(head: Head) -> bool:
    """Whether all arcs of AT&T text are four whole numbers, so that the last may be a cost or the word."""
    data = head.source.data if is_att(head) else b""
    return bool(data) and _FOUR_INTEGERS.fullmatch(data) is not None


_K2 = re.compile(
    rb"(?:\xef\xbb\xbf)?\d+[ \t]+\d+[ \t]+-?\d+"
    rb"(?:(?:[ \t]+\S+){0,2}|(?:[ \t]+-?\d+){0,9}(?:[ \t]*\[[-\d \t]*\]){1,9}(?:[ \t]*[^\s\[\]]+)?)[ \t\r]*\n"
)
_INTO_FINAL = rb"(?:^|\n)\d+[ \t]+\d+[ \t]+-1[ \t\r\n]"
_LAST_LINE = rb"\n[ \t]*\d+\s*\Z"


def is_k2(head: Head) -> bool:
    """Whether the file begins with an arc of numbers, ends with a state alone, and some arc has label -1."""
    if b"\n" not in head.data or not _K2.match(head.data):
        return False
    data = head.source.data
    return re.search(_LAST_LINE, data[-64:]) is not None and re.search(_INTO_FINAL, data) is not None


_PROBABILITY = re.compile(r"[01]\.\d++", re.ASCII)
_BLANKS = r"[ \t]+"


def is_moses_cn(head: Head) -> bool:
    """Whether lines are words with probabilities, where 1 and 0 need a decimal point, and a blank line ends some."""
    lines = [re.split(_BLANKS, line.strip(" \t\r\n")) for line in head.lines]
    if not lines or any(
        len(fields) % 2 or not all(map(_PROBABILITY.fullmatch, fields[1::2])) for fields in lines
    ):
        return False
    return re.search(rb"\n[ \t\r]*\n", head.source.data) is not None


# --- what recognisers write ----------------------------------------------------------------------

_CLOCK = r"(?:\d+:)?\d{1,2}:\d\d(?:[.,]\d+)?"
# A time or two in brackets, and words.
TIMED = re.compile(
    rf"(?:\[(?P<begin>{_CLOCK}|\d+\.\d+s?)\s*-{{1,2}}>\s*(?P<end>{_CLOCK}|\d+\.\d+s?)\]|[(\[](?P<at>{_CLOCK})[)\]])"
    r"(?P<words>.*)",
    re.DOTALL,
)
# Of the language that was detected; tags of LRC, as whisper.cpp -olrc writes one.
NOTE = re.compile(
    r"\s*Detect(?:ing|ed) language\b.*|\s*\[(?:ti|ar|al|au|by|re|ve|la|length|offset|tool):[^\]]*\]\s*",
    re.IGNORECASE,
)
_NAMED = r"\[?[^\W\d][\w .-]{0,30}\]?:(?:\s.*)?"


def seconds_of(clock: str) -> float:
    """The seconds of `1:02:03.4`, `02:03,4` or `3.4s`."""
    seconds = 0.0
    for part in clock.rstrip("s").replace(",", ".").split(":"):
        seconds = 60 * seconds + float(part)
    return seconds


def _timed(head: Head) -> list[re.Match[str]] | None:
    """The lines, if each begins with a time in brackets."""
    found = [TIMED.fullmatch(line.strip()) for line in head.lines if not NOTE.match(line)]
    return None if not found or None in found else [match for match in found if match]


def is_timed_with_names(head: Head) -> bool:
    """Lines with a time, and the name of a speaker behind it."""
    found = _timed(head)
    return found is not None and all(re.fullmatch(_NAMED, match["words"].strip()) for match in found)


def is_timed(head: Head) -> bool:
    """Lines that begin with times in brackets. Where each has one time, none goes back, and one alone is 0."""
    found = _timed(head)
    if found is None:
        return False
    times = [seconds_of(match["at"]) for match in found if match["at"] is not None]
    if not times:
        return True
    are_in_order = all(a <= b for a, b in pairwise(times))
    return len(times) == len(found) and are_in_order and (len(times) > 1 or not any(times))


# The head of a table of Whisper's, and a row of it: when a segment begins and ends, and its words.
WHISPER_HEAD = re.compile(rb"(?:\xef\xbb\xbf)?start([\t,])end\1text\r?(?:\n|\Z)")
_WHISPER_ROW = re.compile(r"(\d+)[\t,](\d+)[\t,](.*)")
# Nobody says a letter in fewer milliseconds: where rows do, their times are seconds.
SHORTEST_LETTER = 10


def is_table_of_whisper(head: Head) -> bool:
    """The table that Whisper writes of a recording, its times whole milliseconds that rise; who names columns says
    that rows are items."""
    if any(head.columns or ()) or not WHISPER_HEAD.match(head.data):
        return False
    found = [_WHISPER_ROW.fullmatch(line) for line in head.lines[1:]]
    rows = [(int(match[1]), int(match[2]), match[3]) for match in found if match]
    if len(rows) < len(found):
        return False
    are_in_order = all(a[0] <= b[0] for a, b in pairwise(rows)) and all(
        begin <= end for begin, end, _ in rows
    )
    length = sum(end - begin for begin, end, _ in rows)
    return are_in_order and length >= SHORTEST_LETTER * sum(len(text) for _, _, text in rows)


_SPAN = r"[(\[]\s*\d+\.\d+s?\s*(?:[,;:|/\s]|-+>?|\u2013|to)\s*\d+\.\d+s?\s*[)\]]"


def is_timed_otherwise(head: Head) -> bool:
    """Lines that begin with times in brackets, whatever they are, also as `(0.00,3.10)`."""
    return _timed(head) is not None or every(rf"{_SPAN}.*")(head)


_SPHINX = r".*\(([^()\s]+) (-?\d+)\)"
_SPHINX_SEGMENTS = re.compile(r"\S+ S -?\d+ T -?\d+ A -?\d+ L -?\d+ .*")


def is_sphinx_results(head: Head) -> bool:
    """`words (id score)`, scores of which one is negative, or ids that look like some; or segments."""
    lines = [line.strip() for line in head.lines]
    if lines and all(map(_SPHINX_SEGMENTS.fullmatch, lines)):
        return True
    found = [match for line in lines if (match := re.fullmatch(_SPHINX, line))]
    return len(found) == len(lines) > 0 and (
        any(match[2][0] == "-" for match in found)
        or all(LOOKS_LIKE_ID.fullmatch(match[1]) for match in found)
    )


def may_be_sphinx_results(head: Head) -> bool:
    """The same in two lines or more, whatever ids and scores are; four figures may be a year."""
    found = [match for line in head.lines if (match := re.fullmatch(_SPHINX, line.strip()))]
    return len(found) == len(head.lines) > 1 and not all(len(match[2]) == 4 for match in found)


# Letters and bars, the last a bar; the results of fairseq have an id behind.
LETTERS = re.compile(r"(?P<letters>(?:\S )*\|)(?: ?\((?P<id>[^()\s]+)\))?")


def is_letters(head: Head) -> bool:
    """Letters parted by spaces, a bar behind each word."""
    lines = [line.strip() for line in head.lines]
    return any(len(line) > 1 for line in lines) and all(map(LETTERS.fullmatch, lines))


# A line of CSV, which is in quotes if it has a comma or a quote, or nothing, in it.
_QUOTED = re.compile(rb'[^",]*+|"(?:[^",]*+(?:,|"")(?:[^"]|"")*)?"\r?')


def is_quoted(head: Head) -> bool:
    """Whether all lines that need it in a column of CSV, and no others, are in quotes, and there are both."""
    if b'"' not in head.data or not head.source.is_text:
        return False

    def lines() -> Iterator[bytes]:
        return (line for piece in head.source.pieces() for line in piece.split(b"\n"))

    return all(map(_QUOTED.fullmatch, lines())) and any(line.strip()[:1] not in b'"' for line in lines())


# --- NIST ----------------------------------------------------------------------------------------

# Sides of an alternative in ctm.
MARKS = frozenset({"<ALT_BEGIN>", "<ALT>", "<ALT_END>"})


def _are_seconds(fields: Sequence[str]) -> bool:
    try:
        return len(fields) == 2 and all(math.isfinite(float(field)) for field in fields)
    except ValueError:
        return False


def is_ctm(head: Head) -> bool:
    """Whether the lines have a time and a duration where a word has them.

    Some time has a point, so that text with integers in it is not taken for words with times.
    """
    lines = [line.split() for line in head.transcript_lines]
    if len(lines) == 1 and len(lines[0]) > 1 and len(lines[0][1]) > 1:
        return False  # a sentence with two numbers
    return any("." in "".join(f[2:4]) for f in lines) and all(map(_is_timed_word, lines))


def _is_timed_word(fields: Sequence[str]) -> bool:
    """Whether this is a line of ctm, be its word one or, which is a fault, several; stm and RTTM have three numbers."""
    if len(fields) < 5 or fields[4].upper() in MARKS:
        return len(fields) > 4
    return _are_seconds(fields[2:4]) and (len(fields) < 7 or not _are_seconds([fields[4], "0"]))


def is_stm(head: Head) -> bool:
    """Whether the lines have times where a segment has them.

    Text may have numbers there: one time has a point, or all channels are one sign behind names that are no numbers,
    and there is another word, as there is none in texts of digits with ids.
    """
    lines = [line.split(None, 5) for line in head.transcript_lines]
    if not lines or not all(len(f) >= 5 and _are_seconds(f[3:5]) for f in lines):
        return False
    if len(lines) == 1 and len(lines[0][1]) > 1:
        return False  # a sentence with two numbers
    if any("." in f[3] + f[4] for f in lines):
        return True
    has_words = not all("".join(" ".join(f[2:]).split()).isdecimal() for f in lines)
    return has_words and all(len(f[1]) == 1 and not f[0].isdigit() for f in lines)


_TRN = re.compile(r".*\((?P<id>[^()]*)\)\s*")


def is_trn(head: Head) -> bool:
    """Whether the lines end with an id in parentheses, and no id comes twice."""
    ids = _trn_ids(head)
    if len(ids) == 1 and str(ids[0]).isdecimal():
        return False  # a sentence with a year
    return None not in ids and 0 < len(ids) == len(set(ids))


_AT_END = r".*\s(?:\((\S+)\)|\[(\S+)\]|<(\S+)>|\{(\S+)\})\s*"


def brackets_at_end(head: Head) -> str | None:
    """The opening bracket of the words in brackets with which all lines end, all different, two lines or more; None
    where they do not. Of several kinds of brackets it is a square one; but for parentheses, the words look like ids.
    """
    found = [re.fullmatch(_AT_END, line) for line in (head.lines if head.is_text else ())]
    words = [next(filter(None, match.groups())) for match in found if match]
    if len(words) < len(found) or len(set(words)) < max(2, len(words)):
        return None
    if {match[0].rstrip()[-1] for match in found if match} == {")"}:
        return "("
    return "[" if all(map(LOOKS_LIKE_ID.fullmatch, words)) else None


_SURE_ID = r"(?=.*\d)(?=.*[^\W\d_])[^\s/]+"


def is_trn_with_ids_twice(head: Head) -> bool:
    """The same but for ids that come twice."""
    ids = _trn_ids(head)
    return None not in ids and len(set(ids)) < len(ids)


def is_trn_without_ids(head: Head) -> bool:
    """Whether two lines in a row end with an id that has letters and digits, and others have none."""
    are_sure = [id is not None and re.fullmatch(_SURE_ID, id) is not None for id in _trn_ids(head)]
    return any(a and b for a, b in pairwise(are_sure))


def _trn_ids(head: Head) -> list[str | None]:
    """The id at the end of each line; None where there is none."""
    found = map(_TRN.fullmatch, head.transcript_lines if head.is_text else ())
    return [match["id"] if match and LOOKS_LIKE_ID.fullmatch(match["id"]) else None for match in found]


# --- n-best lists --------------------------------------------------------------------------------

_LEADING = re.compile(r"([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)\s.*", re.IGNORECASE)
_TRAILING = re.compile(r".*\s([-+]?\d+\.\d+(?:e[-+]?\d+)?|-\d+)", re.IGNORECASE)


def is_nbest_with_scores(head: Head) -> bool:
    """A file that is called .nbest, whose lines all begin or all end with a number, not all with the same one."""
    lines = [line.strip() for line in head.lines]
    if not head.name.endswith(".nbest") or not lines:
        return False
    for form in (_LEADING, _TRAILING):
        numbers = [match[1] for line in lines if (match := form.fullmatch(line))]
        if len(numbers) == len(lines) and (len(set(numbers)) > 1 or numbers[0].startswith("-")):
            return True
    return False


# --- Kaldi's lists, and others that hold no transcripts ------------------------------------------

SOUND = r"(?:wav|flac|sph|mp3|ogg|opus|m4a|aac|wv\d|ark:\d+)"
_WITH_PATH = rf"(?i)\S+\s+(?:\S.*\||(?:\S.*)?/(?:\S.*)?\S\.{SOUND})"
_WITH_NAME = rf"(?i)(\S+)\s+\S+\.{SOUND}"


def is_wav_scp(head: Head) -> bool:
    """Whether each line is an id and a path with a slash, or a command and a bar; or an id and a name, nothing else.

    One line with a name is a list if its first word looks like an id: `play it.wav` is speech.
    """
    others = [line.strip() for line in head.lines if not re.fullmatch(_WITH_PATH, line.strip())]
    named = [match for line in others if (match := re.fullmatch(_WITH_NAME, line))]
    return len(head.lines) > 0 == len(others) - len(named) and (
        len(head.lines) > 1 or not named or LOOKS_LIKE_ID.fullmatch(named[0][1]) is not None
    )


def is_symbol_table(head: Head) -> bool:
    """Whether the second words are 0, 1, 2, ... or 1, 2, 3, ..."""
    rows = [line.split() for line in head.lines]
    counted = ([[str(n)] for n in range(k, len(rows) + k)] for k in (0, 1))
    return len(rows) > 1 and [row[1:] for row in rows] in counted


# An id of an utterance has letters and some digit, hyphen or underscore, and begins with its speaker.
_UTTERANCE = r"(?=\S*[^\W\d_])(?=\S*[\d_-])"
is_spk2utt = every(rf"(\S+)(?:\s+{_UTTERANCE}\1\S*)+", least=2)
is_utt2spk = every(rf"(?=\S+\s+(\S+)$){_UTTERANCE}\1\S*\s+\S+", least=2)


def is_python(head: Head) -> bool:
    """Whether the first lines are lists, dictionaries or bytes as Python prints them, also behind an id."""
    return bool(head.lines) and all(map(_is_python, head.lines[:5]))


def _is_python(line: str) -> bool:
    match = re.fullmatch(r"""(?:\S+\s+)?((?:[\[({]\s*)+b?['"].*[\])}]|b'.*'|b".*")\s*""", line)
    if not match or len(line) > LONGEST:
        return False
    try:
        value = ast.literal_eval(match[1])
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False
    return isinstance(value, dict | list | set | tuple | bytes)


def is_json_behind_ids(head: Head) -> bool:
    """Whether the lines are a word and an object of JSON."""
    return bool(head.lines) and all(map(_is_object_behind_id, head.lines[:5]))


def _is_object_behind_id(line: str) -> bool:
    match = re.fullmatch(r'\S+\s+(\{\s*"(?:[^"\\]|\\.)*"\s*:.*\})\s*', line)
    if match is None or len(line) > LONGEST:
        return False
    try:
        return isinstance(json.loads(match[1]), dict)
    except (ValueError, RecursionError):
        return False


# `utt-1: words`, and `A: words`, and with a dash or an arrow between them, as in `A -> words`.
_LABEL = r"(\S+?)(?:\s*(?P<mark>[:,;|])|\s+(?P<dash>--?|[-=]?>|[\u2013\u2014\u2192]))\s+\S.*"
_DIGIT = r"[\d_]"


def mark_behind_first_words(head: Head) -> str | None:
    """The colon, comma, semicolon, bar, dash or arrow behind all first words; behind a comma or semicolon those have
    digits.
    """
    labels = [re.fullmatch(_LABEL, line.strip()) for line in head.lines]
    found = [(label[1], label["mark"] or label["dash"]) for label in labels if label]
    if len(found) < len(labels) or len(found) < 2 or len({mark for _, mark in found}) > 1:
        return None
    mark = found[0][1]
    if mark in ",;" and not all(re.search(_DIGIT, first) for first, _ in found):
        return None  # "well, the cat"
    return mark


def has_repeated_ids(head: Head) -> bool:
    """Whether some line of the file begins with the same word as the one before."""
    try:
        firsts = [line.split(None, 1)[:1] for _, line in head.source.lines()]
    except ValueError:
        return False
    return any(first and first == second for first, second in pairwise(firsts))


# Of a header of a tar: its bytes, those of the name, and where the size is, in octal digits.
_BLOCK, _LENGTH, _SIZE = 512, 100, slice(124, 136)
_MEMBER = r"((?:.*/)?[^./][^./]*)\.([^/]+)"


def kinds_in_tar(head: bytes) -> Iterator[str]:
    """What is behind the first dot of names, as far as the beginning of a tar has them."""
    at = 0
    while at + _BLOCK <= len(head) and head[at]:
        name = head[at : at + _LENGTH].partition(b"\0")[0].decode(errors="replace")
        if match := re.fullmatch(_MEMBER, name.removeprefix("./")):
            yield match[2].removesuffix(".gz")
        size = head[at + _SIZE.start : at + _SIZE.stop].strip(b"\0 ")
        if not size.isdigit():  # empty, or of more than 8 GB
            return
        at += _BLOCK + -(-int(size, 8) // _BLOCK) * _BLOCK


# --- files of other tools ------------------------------------------------------------------------

# Some line is one of a program's log.
is_log = some(
    r"(?:LOG|WARNING|VLOG\[\d+\]|ERROR|ASSERTION_FAILED) \([\w./-]+\["  # Kaldi
    r"|\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[\d,.Z+:]*\]?(?:\s|$)"
    r"|(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[\w.]+:"
    r"|\[(?:NeMo )?[IWED] \d{4}-|\[(?:DEBUG|INFO|WARN|WARNING|ERROR)\]\s"
    r"|[IWEF]\d{4} \d\d:\d\d:\d\d"  # glog
    r"|(?:whisper_\w+|llama_\w+|ggml_\w+|system_info): "
    r"|\s*\d{1,3}%\|"  # tqdm
    r"|Traceback \(most recent call last\):"
)


_COUNTER = re.compile(r"(\D*)(\d+)(\D*)")
_TIME_ALONE = re.compile(rf"{_CLOCK}")


def between_marks(head: Head) -> int | None:
    """Which lines are between numbers that count, with the same around them, or between times: 1 for the first, third,
    ... line, 0 for the second, fourth, ...; None where no such lines take turns, four of them or more.
    """
    lines = [line.strip() for line in head.lines]
    for odd in (0, 1):  # the marks are the first line, or the second
        marks, others = lines[odd::2], lines[1 - odd :: 2]
        if len(marks) < 2 or len(others) < 2:
            continue
        if all(map(_TIME_ALONE.fullmatch, marks)) and not any(map(_TIME_ALONE.fullmatch, others)):
            return odd
        found = [match for mark in marks if (match := _COUNTER.fullmatch(mark))]
        if len(found) < len(marks) or len({(match[1], match[3]) for match in found}) > 1:
            continue
        numbers = [int(match[2][:18]) for match in found]
        if all(b == a + 1 for a, b in pairwise(numbers)) and not all(map(_COUNTER.fullmatch, others)):
            return odd
    return None


def is_numbered(head: Head) -> bool:
    """Whether lines begin with 1., 2., ... or 1), 2), ... or with a name and 1:, 2:, ..."""
    found = [re.match(r"([^\W\d]*\s*#?)(\d+)[.):]\s", line.lstrip()) for line in head.lines]
    if len({match[1] for match in found if match}) > 1:
        return False
    numbers = [int(match[2][:9]) for match in found if match]
    return len(numbers) == len(found) > 1 and all(b == a + 1 for a, b in pairwise(numbers))


_MARKS = re.compile(r".*\|\d+-\d+(?:,[^|]*)?\|\s*")


def has_segmentation(head: Head) -> bool:
    """Whether each line ends with the mark of a phrase, as Moses reports it."""
    return bool(head.lines) and all(map(_MARKS.fullmatch, head.lines))


# Moses' factors, and OpenNMT's.
_FACTORED = {bar: re.compile(rf"[^{bar}]+(?:[{bar}][^{bar}]+)+") for bar in "|\uffe8"}
_TAGGED = re.compile(r"\S+[/_](?:[A-Z]{1,5}\$?(?:[-:][A-Za-z]+)?|[.,:$#]|``|'')")


def factors(head: Head) -> str | None:
    """What parts each word from its factors or its tag in all lines; None where not all have some."""
    return sign_of_factors([word for line in head.lines for word in line.split()])


def sign_of_factors(words: Sequence[str]) -> str | None:
    """The same of words; tags are behind three words or more.

    >>> sign_of_factors(["the/DT", "cat/NN", "sat/VBD"]), sign_of_factors(["and/or", "on/off", "the"])
    ('/', None)
    """
    if not words:
        return None
    for bar, factored in _FACTORED.items():
        if all(map(factored.fullmatch, words)) and len({word.count(bar) for word in words}) == 1:
            return bar
    if len(words) > 2 and all(map(_TAGGED.fullmatch, words)):
        return next((mark for mark in "/_" if all(mark in word for word in words)), None)
    return None


def without_factors(mark: str) -> str:
    """The command that takes factors or tags out of lines of text.

    >>> without_factors("_")
    "sed -E 's/_[^ _]*( |$)/\\\\1/g'"
    """
    sign = {"|": r"\|", "/": "[/]"}.get(mark, mark)
    pattern = f"s/{sign}[^ {mark}]*( |$)/\\1/g" if mark in "/_" else f"s/{sign}[^ ]*//g"
    return f"sed -E '{pattern}'"


_KEY = r"\s*(?:-\s+)*[\w.\"'-]+:(?:\s.*)?"
_ITEM = r"\s*-\s.*|\s*[\w.]+\s*\{|\s*\}"
_SETTING = r"[\w.-]+\s*=\s*\S.*"
_SECTION = r"\[\[?[\w. \"'-]+\]?\]"


def is_settings(head: Head) -> bool:
    """Whether lines are keys and values, as of YAML, TOML and INI files: two lines or more, and a key among them."""
    lines = [line.rstrip() for line in head.lines if not line.lstrip().startswith("#")]
    if len(lines) < 2:
        return False
    if lines[0] == "---" or lines[0].startswith("%YAML"):
        return True
    keys = [re.fullmatch(_KEY, line) is not None for line in lines]
    if any(keys) and all(key or re.fullmatch(_ITEM, line) for key, line in zip(keys, lines, strict=True)):
        return True
    settings = [re.fullmatch(_SETTING, line) is not None for line in lines]
    return any(settings) and all(
        each or re.fullmatch(_SECTION, line.strip()) for each, line in zip(settings, lines, strict=True)
    )


_HTK = r"\d+\s+\d+\s+\S+(?:\s+-?\d+\.\d+)?"


def is_htk_labels(head: Head) -> bool:
    """Whether lines are begin, end and label of HTK, one after the other in time, two lines or more."""
    lines = [line.split() for line in head.lines]
    if len(lines) < 2 or not all(re.fullmatch(_HTK, line.strip()) for line in head.lines):
        return False
    times = [int(part[:18]) for fields in lines for part in fields[:2]]
    # In units of 100 ns: no frame is shorter than a millisecond.
    return (
        all(a <= b for a, b in pairwise(times)) and times[-1] > 0 and not any(time % 10_000 for time in times)
    )


def is_frame(head: Head) -> bool:
    """Whether it is a table as pandas prints it: names, and rows that are numbered from 0 with spaces behind."""
    rows = [re.match(r"(\d+)\s{2,}\S", line) for line in head.lines[1:]]
    return bool(rows) and all(match and match[1] == str(n) for n, match in enumerate(rows))


# Each line says what it is: `hypothesis: words`.
is_named = every(
    r"(?:(?:speaker|spk)[ _-]?\w{0,4}|hyp(?:othesis)?"
    r"|ref(?:erence)?|text|transcript(?:ion)?|result|output|prediction|recogni[sz]ed|translation)"
    r"\s*:\s.*",
    re.IGNORECASE,
)
# Each line has the path of a recording behind its first word, and words behind that.
is_with_paths = every(r"(?i)\S+\s+\S*/\S+\.(?:wav|flac|sph|mp3|ogg|opus|m4a|aac)\s+\S.*")


def is_audio_list(head: Head) -> bool:
    """Whether it is a folder and lines of a recording and its length, as fairseq has it."""
    return len(head.lines) > 1 and all(
        re.fullmatch(r"\S+\.(?:wav|flac|ogg|mp3)\t\d+\s*", line) for line in head.lines[1:]
    )


_COLOUR = re.compile(r"\x1b\[[0-9;]+m[^\x1b]+\x1b\[0?m")


def has_colours(head: Head) -> bool:
    """Whether each line has words between codes of a terminal."""
    return b"\x1b[" in head.data and all(map(_COLOUR.search, head.lines))


_TOKEN, _TIME_TAG = re.compile(r"<\|\w[\w.]*\|>"), re.compile(r"<\d+(?::\d\d)*[.:,]\d+>")


def has_tokens_of_whisper(head: Head) -> bool:
    """Whether there is `<|en|>` or the like."""
    return "<|" in head.text and _TOKEN.search(head.text) is not None


def has_times(head: Head) -> bool:
    """Whether there is `<00:01.50>` or the like."""
    return _TIME_TAG.search(head.text) is not None


def has_old_line_ends(head: Head) -> bool:
    """Whether lines end with CR alone."""
    return b"\n" not in head.data and b"\r" in head.data.strip()


# Some line is a hypothesis of OpenNMT's translate with -verbose.
is_translated = some(r"PRED \d+: .*|PRED SCORE: -?\d.*")
_GENERATED = r"([HD])-\d+\t-?\d"


def kinds_generated(head: Head) -> set[str]:
    """The letters before lines that are hypotheses of fairseq-generate."""
    return {match[1] for line in head.lines if (match := re.match(_GENERATED, line))}


def is_nbest_generated(head: Head, kind: str) -> bool:
    """Whether a sentence has several hypotheses of a kind."""
    names = [line.split("\t")[0] for line in head.lines if line.startswith(f"{kind}-")]
    return len({*names}) < len(names)
