"""Files of other kinds, recognised so that they are not taken for text: `foreign`, `table`.

A recogniser or a corpus hands out its texts in many layouts. Read as plain text they would give a number, and a wrong
one, so each is refused by its name, with what to do.

- `foreign`: signs that a text of sentences cannot have: JSON, subtitles, annotations, markup, Kaldi's lists, results of
  other tools, archives and documents.
- `headed`: the head of a table of columns, which `formats.delimited` reads.
- `table`: columns, with a head or without. Asked last, when no format has recognised its own columns.
"""

from __future__ import annotations

import ast
import csv
import json
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from fstmetrics.readers.columns import KNOWN
from fstmetrics.support.lazy_dataclasses import dataclass
from fstmetrics.support.patterns import pattern
from fstmetrics.support.source import Source, packed_kind

# So many lines tell what a file is.
LINES = 50
# No line of a text is longer; a JSON document may be one line.
LONGEST = 1 << 15
WANTED = "expected a sentence a line, or `id word word ...` lines"


@dataclass(frozen=True)
class Foreign:
    """What a file is, and what its user can do.

    Attributes:
        name: the kind of file.
        advice: how to make something of it that can be read.
        is_text: whether it holds transcripts or lists, and so counts as text among lattices.
        may_be_text: whether a text of sentences may look so, too.
    """

    name: str
    advice: str
    is_text: bool = True
    may_be_text: bool = True

    @property
    def called(self) -> str:
        """The name with its article.

        >>> Foreign("HTML file", "").called, Foreign("list", "").called
        ('an HTML file', 'a list')
        """
        an = self.name[0] in "aeioAEIO" or self.name.startswith(("HTML", "RTF", "xz"))
        return f"{'an' if an else 'a'} {self.name}"


# One of which no more is known.
JSON = Foreign(
    "JSON file",
    f"{WANTED}, or a table: JSON Lines, a list of objects, or an object of columns (docs/tables.md)",
    may_be_text=False,
)
# As pandas writes tables, beside lists of rows.
SPLIT = ({"columns", "data"}, {"schema", "data"})


def foreign(source: Source) -> Foreign | None:
    """What a file is whose content no text has, whatever it is called.

    >>> foreign(Source("a", b'{"audio_filepath": "a.wav", "text": "the cat"}\\n')).name
    'NeMo manifest (JSON)'
    >>> foreign(Source("a", b"the cat, { uh / @ } sat\\n")) is None
    True
    """
    if kind := packed_kind(source.beginning):
        return Foreign(*kind)
    text = _head(source)
    lines = [line for line in text.splitlines() if line.strip()][:LINES]
    if not lines:
        return None
    for name, literal, sign, advice in SIGNS:
        if literal in text and sign.match(text):
            return Foreign(name, advice)
    if is_utf16(source):  # once it is UTF-8, it may be a manifest that can be read
        return None
    for kind_of in (_json, _python, _kaldi_list):
        if found := kind_of(lines):
            return found
    return None


def is_utf16(source: Source) -> bool:
    """Whether a text is in UTF-16, as PowerShell writes it: by its mark, or as JSON that begins so."""
    return source.beginning.startswith((BOM_UTF16_LE, BOM_UTF16_BE, b"{\0", b"[\0", b"\0{", b"\0["))


def table(source: Source) -> Foreign | None:
    """What a file of columns is: values parted by commas, semicolons, bars or tabs.

    >>> table(Source("a", b"path,sentence\\na.wav,the cat\\n")).name
    'table of comma-separated columns with the head path, sentence'
    >>> table(Source("a", b"well, the cat\\nyes, it sat\\n")) is None
    True
    """
    lines = [line for line in _head(source).splitlines() if line.strip()][:LINES]
    for kind_of in (_labelled, _incomplete_trn):
        if found := kind_of(lines):
            return found
    for delimiter, called in DELIMITERS.items():
        rows = list(csv.reader(lines, delimiter=delimiter)) if delimiter in "".join(lines[:1]) else []
        rows = [row for row in rows if row]
        if len(rows) and len(rows[0]) > 1 and (found := _table(rows, delimiter, called)):
            return found
    return None


def headed(source: Source, known: Collection[str] = ()) -> tuple[str, list[str]] | None:
    """What parts the columns of a table, and their names; None where the first line is no head.

    Args:
        source: the file.
        known: names of columns beside those that are usual.

    >>> headed(Source("a", b"path,sentence\\na.wav,the cat\\n"))
    (',', ['path', 'sentence'])
    """
    lines = [line for line in _head(source).splitlines() if line.strip()][:LINES]
    for delimiter in DELIMITERS if lines else ():
        rows = _cells(lines, delimiter) if delimiter in lines[0] else []
        if rows and len(rows[0]) > 1:
            names = [name.strip() for name in rows[0]]
            if not set(known).isdisjoint(names) or _is_sure(source, lines, delimiter):
                return delimiter, names
    alone = _cells(lines[:1], ",")
    if alone and len(alone[0]) == 1 and (name := alone[0][0].strip()) in known:
        return ",", [name]
    return None


def is_spaced(lines: Sequence[str], delimiter: str) -> bool:
    """Whether each delimiter has a space behind it, as in `id, text`, and the first line none before one.

    >>> is_spaced(["id, text", "a, the cat"], ","), is_spaced(["id,text", "a,well, yes"], ",")
    (True, False)
    >>> is_spaced(["well , yes", "no , it is"], ",")
    False
    """
    rows = [row for row in csv.reader(lines, delimiter=delimiter) if len(row) > 1]
    if not rows or delimiter == "\t" or any(name.endswith(" ") for name in rows[0]):
        return False
    return all(cell.startswith(" ") for row in rows for cell in row[1:] if cell)


def _cells(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    """The cells of the first lines, with the spaces behind delimiters."""
    return [row for row in csv.reader(lines, delimiter=delimiter) if row]


def _is_sure(source: Source, lines: Sequence[str], delimiter: str) -> bool:
    """Whether the first line is a head: it has a known name, whatever the others are, and most rows are as wide.

    Where rows are not as wide, two known names are enough, or one and the ending of the file: commas may lack quotes,
    and the reader names the line. A text may have spaces behind its commas: there all rows must be as wide, or all
    names known.
    """
    spaced = is_spaced(lines, delimiter)
    rows = [row for row in csv.reader(lines, delimiter=delimiter, skipinitialspace=spaced) if row]
    head, same = rows[0], sum(len(row) == len(rows[0]) for row in rows)
    if any(left.endswith(" ") and right.startswith(" ") for left, right in pairwise(head)):
        return False  # a text whose words are parted from their commas
    names = [name.strip().lower() for name in head]
    known = sum(name in KNOWN for name in names)
    if spaced:
        return known == len(names) or (known > 0 and same == len(rows) > 1)
    usual = sum(name in COLUMNS for name in names)
    are_names = all(map(_NAME.fullmatch, filter(None, head)))  # pandas' index has no name
    if known > 1 or (usual > 1 and are_names):
        return True
    if usual and source.name.endswith((".csv", ".tsv")):
        return True
    return same >= 0.9 * len(rows) and (_is_head(head, rows, same) or (known > 0 and len(rows) > 1))


def _head(source: Source) -> str:
    """The beginning of a file as text, without a line that is cut off there."""
    data = source.beginning
    encoding = "utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8"
    text = data.removeprefix(BOM_UTF8).decode(encoding, errors="replace").lstrip("\ufeff")
    if len(data) < source.size and "\n" in text:
        text = text[: text.rindex("\n")]
    return text.lstrip()


# Signs at the beginning of a file: name, a literal that is in it and is looked for first, pattern, what to do. Each is
# something no sentence begins with.
_TAGS = r"html|srcset|refset|tstset|hypset|mteval|tmx|xliff|tei|annotation_document|seg\s+id="
_ANNOTATION = "write the words of each segment as a sentence a line, or stm, or SegLST"
_SUBTITLES = "write the words of each subtitle as a line, without numbers and times"
_RESULT = "it holds results of another scorer; give the texts that it was made from"
SIGNS: Sequence[tuple[str, str, re.Pattern[str], str]] = (
    (
        "file of error rates (Kaldi's compute-wer)",
        "%WER",
        pattern(r"(?:compute-wer [^\n]*\n)?%WER [\d.]+ \[ "),
        _RESULT,
    ),
    (
        "file of results (Kaldi's align-text, sclite or compute-wer)",
        "",
        pattern(
            r"(?:[^\n]*\n){0,40}?"
            r"(?:\S+ #csid \d|Scores: \(#C #S #D #I\)|\S+ hyp .*\n\S+ op [CSDI ]+\n|lab: .*\nrec: )"
        ),
        _RESULT,
    ),
    ("subtitle file (WebVTT)", "WEBVTT", pattern(r"WEBVTT\b"), _SUBTITLES),
    (
        "subtitle file (SubRip, .srt)",
        "-->",
        pattern(r"(?:\d+[ \t]*\r?\n)?\d+:\d\d:\d\d[,.]\d+[ \t]*-->"),
        _SUBTITLES,
    ),
    ("subtitle file (SBV)", ":", pattern(r"\d+:\d\d:\d\d\.\d+,\d+:\d\d:\d\d\.\d+\s*\n"), _SUBTITLES),
    ("subtitle file (ASS)", "[Script Info]", pattern(r"\[Script Info\]"), _SUBTITLES),
    ("Praat TextGrid", "ooTextFile", pattern(r'File type = "ooTextFile'), _ANNOTATION),
    (
        "HTML, XML or SGML file",
        "<",
        pattern(
            rf"<(?:\?xml\b|!doctype\b|(?:{_TAGS})[^>\n]*>)|(?:<[a-z][\w:.-]*(?:\s+[\w:.-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))+\s*/?>\s*)+(?:\n|\Z)",
            re.IGNORECASE,
        ),
        "write the text of its segments as a sentence a line",
    ),
    ("RTF document", "{\\rtf", pattern(r"\{\\rtf"), "save it as plain text (UTF-8), a sentence a line"),
)  # fmt: skip

# Names that fields with a transcript have.
TEXTS = (
    "text", "sentence", "transcript", "transcription", "words", "reference", "ref", "target", "translation",
    "normalized_text", "pred_text", "hypothesis", "hyp", "prediction", "pred",
)  # fmt: skip
_MAKERS: Sequence[tuple[frozenset[str], str]] = (
    (frozenset({"audio_filepath"}), "NeMo manifest"),
    (frozenset({"recording_id", "supervisions"}), "Lhotse manifest"),
    (frozenset({"recording_id", "duration"}), "Lhotse manifest"),
    (frozenset({"sampling_rate", "num_samples"}), "Lhotse manifest"),
    (frozenset({"recording", "supervisions"}), "Lhotse manifest"),
    (frozenset({"text", "segments"}), "Whisper transcript"),
)


def _json(lines: Sequence[str]) -> Foreign | None:
    """Lines that are JSON objects or lists, or a file that is one; also behind an id."""
    if lines[0].lstrip()[:1] not in "{[" and not re.match(r'\S+\s+\{\s*"', lines[0]):
        return None
    found = [value for value in map(_json_value, lines[:5]) if value]
    if 2 * len(found) > min(len(lines), 5) or (found and isinstance(found[0], dict)):
        first = found[0]
        if isinstance(first, list) and all(isinstance(each, dict) for each in first):
            return _of_fields(first[0], "JSON", "jq -r '.[].{}'")
        if isinstance(first, list):
            return Foreign("file of JSON lists, one a line", WANTED)
        return _of_fields(first, "JSON Lines" if len(lines) > 1 else "JSON", "jq -r .{}")
    # An object or list that goes on in the next lines, or one line too long to be looked at.
    if re.match(r'\s*(?:\[\s*)*\{\s*(?:$|"(?:[^"\\]|\\.)*"\s*:)|\s*\[\s*$', lines[0]) and _goes_on(lines):
        return JSON
    return None


def _goes_on(lines: Sequence[str]) -> bool:
    """Whether the first lines may be the beginning of JSON: they are, up to the place where they end."""
    text = "\n".join(lines)
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.pos >= len(text.rstrip()) - len(lines[-1]) or len(text) >= LONGEST
    except (ValueError, RecursionError):
        return True
    return True


def _json_value(line: str) -> Any:
    """The object or list of a line, also behind an id; None for what no data is: numbers, `[]`, `[1]`."""
    for text in (line, line.partition(" ")[2], line.partition("\t")[2]):
        text = text.strip()
        if text[:1] not in ("{", "[") or len(text) > LONGEST:
            continue
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) or (isinstance(value, list) and _holds_data(value)):
            return value or None
    return None


def _holds_data(value: list[Any]) -> bool:
    return any(isinstance(each, str | dict | list) for each in value)


def _of_fields(value: dict[str, Any], kind: str, command: str) -> Foreign:
    """What to say of objects with these fields."""
    fields = set(value)
    if {"metric", "score", "id"} <= fields:
        return Foreign(
            "file of records of fstmetrics",
            "show, errors, report and correlate read them; here texts are expected",
        )
    if {"session_id", "words"} <= fields:
        return Foreign(
            "file of SegLST segments, one a line", "SegLST is one list: jq -s . FILE > FILE.seglst.json"
        )
    if any(keys <= fields for keys in SPLIT):
        wanted = "to_json(FILE, orient='records', lines=True) of pandas writes rows, which are read"
        return Foreign("table in JSON that is not a list of rows", wanted, may_be_text=False)
    maker = next((name for needed, name in _MAKERS if needed <= fields), "")
    name = f"{maker} ({kind})" if maker else f"{kind} file"
    texts = [field for field in TEXTS if isinstance(value.get(field), str)]
    if not texts:
        return replace(JSON, name=name)
    commands = " and ".join(command.format(field) for field in texts[:3])
    return Foreign(name, f"{WANTED}; {commands} write{'s' * (len(texts) == 1)} the texts")


def _python(lines: Sequence[str]) -> Foreign | None:
    """Lines that are lists or dictionaries as Python prints them, also behind an id."""
    if all(_is_python(line) for line in lines[:5]):
        return Foreign("file of Python lists, one a line", f"{WANTED}; write ' '.join(words)")
    return None


def _is_python(line: str) -> bool:
    match = re.fullmatch(r"""(?:\S+\s+)?((?:\[\s*['"]|\{\s*['"]).*[\]}])\s*""", line)
    if not match or len(line) > LONGEST:
        return False
    try:
        value = ast.literal_eval(match[1])
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False
    return isinstance(value, dict | list | set)


_AUDIO = pattern(
    r"\S+\s+(?:\S.*\||(?:\S.*)?\S\.(?:wav|flac|sph|mp3|ogg|opus|m4a|aac|wv\d|ark:\d+))\s*", re.IGNORECASE
)
_TIMED = (
    ("list of segments (Kaldi's segments)", pattern(r"\S+\s+\S+\s+\d+\.\d+\s+\d+\.\d+\s*")),
    ("list of numbers (Kaldi's utt2dur, scores)", pattern(r"\S*[\d_-]\S*\s+\d+\.\d+\s*")),
)
_UTTERANCE = pattern(r"(?=.*[^\W\d_])\S*[\d_-]\S*")
_LIST = "it holds no transcripts; Kaldi's transcripts are in the file text"


def _kaldi_list(lines: Sequence[str]) -> Foreign | None:
    """Kaldi's lists about utterances, and symbol tables."""
    if all(map(_AUDIO.fullmatch, lines)):
        return Foreign("list of recordings (Kaldi's wav.scp)", _LIST)
    if len(lines) == 1:  # which may be a sentence
        return None
    for name, line in _TIMED:
        if all(map(line.fullmatch, lines)):
            return Foreign(name, _LIST)
    rows = [line.split() for line in lines]
    if [row[1:] for row in rows] in ([[str(n)] for n in range(k, len(rows) + k)] for k in (0, 1)):
        return Foreign("symbol table (`word integer` lines)", "it names words; give it by --symbols")
    if all(len(row) > 1 and all(_is_of(word, row[0]) for word in row[1:]) for row in rows):
        return Foreign("list of speakers' utterances (Kaldi's spk2utt)", _LIST)
    if all(len(row) == 2 and _is_of(row[0], row[1]) for row in rows):
        return Foreign("list of utterances' speakers (Kaldi's utt2spk)", _LIST)
    return None


def _is_of(utterance: str, speaker: str) -> bool:
    """Whether an utterance is a speaker's by its id, which has letters and some digit, hyphen or underscore."""
    return utterance.startswith(speaker) and _UTTERANCE.fullmatch(utterance) is not None


DELIMITERS = {"\t": "tab", ",": "comma", ";": "semicolon", "|": "bar"}
# Names that columns have. One of them makes a line of short names a head.
COLUMNS = frozenset(
    (
        *TEXTS, *KNOWN,
        "id", "utt_id", "utt", "uttid", "utterance", "utterance_id", "segment", "segment_id", "seg_id",
        "sent_id", "path", "file", "filename", "file_name", "filepath", "audio", "audio_path", "audio_file",
        "audio_filepath", "wav", "wav_path", "client_id", "speaker", "speaker_id", "spk", "spk_id", "duration",
        "start", "end", "lang", "language", "locale", "source", "src", "tgt", "mt", "human", "system", "score",
        "key", "index", "label", "labels", "name", "references", "hypotheses", "predictions", "trans", "asr",
        "gold", "output", "input",
    )
)  # fmt: skip
_NAME = pattern(r"[^\W\d][\w .#/()-]{0,40}")
_FIRST_CELL = pattern(r"(?=.*\d)(?=.*[^\W\d])\S+")
_NUMBER = pattern(r"-?\d+\.\d+(?:e[-+]?\d+)?")
_THOUSANDS = pattern(r"\d{3}(?!\d)")
# Of so many lines none has a space behind its comma: no text is written so.
ENOUGH = 3
# `utt-1: words`, and `A: words`.
_LABEL = pattern(r"(\S+?)\s*([:,;|])\s+\S.*")
_END_OF_TRN = pattern(r".*\(([^()\s/]*[\d_-][^()\s/]*)\)\s*")


def _labelled(lines: Sequence[str]) -> Foreign | None:
    """Ids with a colon, comma, semicolon or bar behind them, in every line."""
    labels = [_LABEL.fullmatch(line.strip()) for line in lines]
    found = [(label[1], label[2]) for label in labels if label]
    if len(found) < len(lines) or len(found) < 2 or len({mark for _, mark in found}) > 1:
        return None
    firsts, mark = [first for first, _ in found], found[0][1]
    if mark in ",;" and not all(re.search(r"[\d_]", first) for first in firsts):
        return None  # "well, the cat"
    return Foreign(
        f"list of texts with {mark!r} behind their first words", f"{WANTED}: take the {mark!r} out"
    )


def _incomplete_trn(lines: Sequence[str]) -> Foreign | None:
    """sclite's trn, but for lines without an id, or ids that come twice."""
    ids = [match[1] for line in lines if not line.startswith(";;") and (match := _END_OF_TRN.fullmatch(line))]
    ids = [id for id in ids if not _NUMBER.fullmatch(id)]
    if len(ids) < 2 or 2 * len(ids) < len(lines):
        return None
    fault = "ids that come twice" if len(set(ids)) < len(ids) else "lines without an id"
    return Foreign(f"sclite trn file with {fault}", "with the format trn the error names the line")


def _table(rows: Sequence[Sequence[str]], delimiter: str, called: str) -> Foreign | None:
    """What rows are that have the same number of cells, if they are a table."""
    head, width = rows[0], len(rows[0])
    same = sum(len(row) == width for row in rows)
    if same < 0.9 * len(rows):
        return None
    kind = f"table of {called}-separated columns"
    names = [name.strip() for name in head]
    if _is_head(head, rows, same):
        texts = [name for name in names if name.lower() in TEXTS]
        column = f"; the column {texts[0]} has them" if texts else ""
        return Foreign(f"{kind} with the head {', '.join(names[:6])}", f"{WANTED}, without a head{column}")
    if delimiter == "\t":  # with ids and one tab it is Kaldi text
        is_table = len(rows) > 1 and (width > 2 or sum(" " in row[0].strip() for row in rows) > len(rows) / 2)
        is_table |= all(_NUMBER.fullmatch(row[0].strip()) for row in rows)
    else:  # `id|sentence`: an id and no space behind it
        firsts = [row[0] for row in rows]
        parted = [
            row for row in rows if len(row) > 1 and len(row[0].split()) == 1 and not row[1].startswith(" ")
        ]
        is_table = len(set(firsts)) == len(rows) > 1 and all(
            _FIRST_CELL.fullmatch(row[0]) and not row[1].startswith(" ") for row in rows if len(row) > 1
        )
        is_table |= len(set(firsts)) == len(rows) == len(parted) >= ENOUGH and width == 2
        # No text of two lines or more has none but such commas, other than in numbers: 2,000.
        is_table |= same == len(rows) > 1 and not any(map(_is_of_text, rows))
        is_table |= delimiter == "|" and same == len(rows) > 1 and " | " in delimiter.join(head)
        is_table |= delimiter == "|" and all("|||" in delimiter.join(row) for row in rows)
    mark = "<tab>" if delimiter == "\t" else delimiter
    head = f"if it is a table, its first line must name the columns, as id{mark}text"
    return Foreign(kind, f"{WANTED}; {head}; or write the column of the text") if is_table else None


def _is_of_text(row: Sequence[str]) -> bool:
    """Whether the commas of a line may be those of a text: one with a space beside it, or one within a number."""
    return any(cell != cell.strip() for cell in row) or any(
        left[-1:].isdecimal() and _THOUSANDS.match(right) for left, right in pairwise(row)
    )


def _is_head(head: Sequence[str], rows: Sequence[Sequence[str]], same: int) -> bool:
    """Whether the first row names columns: short names, all different, one of them well known or the rows many."""
    if len(set(head)) < len(head) or not all(map(_NAME.fullmatch, head)):
        return False
    if not COLUMNS.isdisjoint(name.strip().lower() for name in head):
        return True
    return len(head) > 2 and len(rows) > 3 and same == len(rows) and not any(" " in name for name in head)
