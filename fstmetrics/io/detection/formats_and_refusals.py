"""What a file is: `TABLE`, read from top to bottom; the first rule that applies gives a format, or a refusal.

A rule is a sign (the first bytes, the form of the first lines, or the name) and what a file with it is. There are no
shares and no likelihoods: what is said of lines holds of all that are looked at, the first `head.LINES`. A text is what
no rule knows. docs/recognition.md shows this table.

- `detect`: the answer of the table. `is_kind`: whether content has the sign of one format. `look_of`: what texts of
  other formats look like.
- `TABLE`: a new format has a rule here where it is to be recognised; its name is in `register.py`. So has a
  new refusal; of files that begin with certain bytes it is in `SIGNATURES`, of JSON in `json_signs`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from fstmetrics.io.column_roles import KNOWN, TEXTS
from fstmetrics.io.detection import text_signs as signs
from fstmetrics.io.detection.head import Head
from fstmetrics.io.detection.json_signs import has_list, json_kind
from fstmetrics.io.detection.table_signs import columns_without_head, headed, line_of_head, may_be_headed
from fstmetrics.io.detection.text_signs import WANTED, Refused, Sign, begins, every, no_text, opens
from fstmetrics.io.register import SHIPPED
from fstmetrics.support.errors import InputError
from fstmetrics.support.source import Source

# What a text is if it is nothing else.
TEXT = ("plain", "kaldi-text")
# Formats by the endings of names; the first that fits counts.
NAMED: Mapping[str, str] = {
    ending: format
    for format, shipped in SHIPPED.items()
    if format not in TEXT
    for ending in shipped.extensions
}


# The name of a format, a refusal, or None where the sign is not there.
Answer = str | Refused | None


class Rule(NamedTuple):
    """A row of the table.

    Attributes:
        answer: what a file with the sign is; None: the sign says it.
        sign: what is looked for in a file.
        needs: bytes of which no file with the sign lacks all: where it has none of them, nobody looks for the sign.
            Empty: always.
    """

    answer: Answer
    sign: Callable[[Head], Answer | bool]
    needs: bytes = b""


def refused(name: str, advice: str, sign: Sign, needs: bytes) -> Rule:
    """A file with this sign is refused; a text may look so, too."""
    return Rule(Refused(name, advice), sign, needs)


def never_text(name: str, advice: str, sign: Sign, needs: bytes = b"") -> Rule:
    """A file with this sign is refused, and no text looks so."""
    return Rule(no_text(name, advice), sign, needs)


# Files that are no text, by their first bytes, and what to do.
_UNPACK = "unpack it first"
_DOCUMENT = "save its text as plain text (UTF-8), a sentence a line"
_BINARY_TABLE = "write its column of text to a file, a sentence a line"
_SOUND = "here texts or lattices are expected"
SIGNATURES: tuple[tuple[bytes, str, str], ...] = (
    (b"\x1f\x8b", "file that is gzipped twice", "gunzip it once"),
    (b"BZh", "bzip2 file", "bunzip2 it first; gzip is read as it is"),
    (b"\xfd7zXZ\x00", "xz file", "unxz it first; gzip is read as it is"),
    (b"\x28\xb5\x2f\xfd", "zstd file", "unzstd it first; gzip is read as it is"),
    (b"\x04\x22\x4d\x18", "lz4 file", "unpack it first; gzip is read as it is"),
    (b"7z\xbc\xaf\x27\x1c", "7z archive", _UNPACK),
    (b"Rar!\x1a\x07", "rar archive", _UNPACK),
    (b"%PDF-", "PDF document", _DOCUMENT),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Word or Excel document", _DOCUMENT),
    (b"PAR1", "Parquet table", _BINARY_TABLE),
    (b"ARROW1", "Arrow table", _BINARY_TABLE),
    (b"SQLite format 3\x00", "SQLite database", _BINARY_TABLE),
    (b"\x89HDF\r\n", "HDF5 file", _BINARY_TABLE),
    (b"\x93NUMPY", "NumPy array", _SOUND),
    (b"RIFF", "sound file (WAV)", _SOUND),
    (b"fLaC", "sound file (FLAC)", _SOUND),
    (b"OggS", "sound file (Ogg)", _SOUND),
    (b"ID3", "sound file (MP3)", _SOUND),
    (b"NIST_1A", "sound file (SPHERE)", _SOUND),
    (b"\x89PNG\r\n", "picture (PNG)", _SOUND),
    (b"\xff\xd8\xff", "picture (JPEG)", _SOUND),
)
# Letters that a text may begin with are a signature only where bytes follow that no text has.
_NO_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1a]")
# Each of these files has one of these bytes at least.
BINARY = bytes([*range(9), *range(0x0E, 0x1B)]) + b"\x1c\x1f\x89\x93\xfd\xff%_"


def binary(head: Head) -> Refused | None:
    """What a file is that is an archive, a document, a table, sound or a picture; None for all others.

    >>> from fstmetrics.support.source import Source
    >>> binary(Head(Source("a", b"PAR1\\x15\\x04\\x15"))).name, binary(Head(Source("a", b"RIFF is a word")))
    ('Parquet table', None)
    """
    data = head.data
    for signature, name, advice in SIGNATURES:
        if data.startswith(signature):
            is_sure = not signature.isalnum() or _NO_TEXT.search(data)
            return no_text(name, advice) if is_sure else None
    if data.startswith(b"PK\x03\x04"):
        document = b"word/" in data[:4096] or b"xl/" in data[:4096] or b"[Content_Types]" in data[:4096]
        name, advice = ("Word or Excel document", _DOCUMENT) if document else ("zip archive", _UNPACK)
        return no_text(name, advice)
    if data[257:262] == b"ustar":
        return no_text("tar archive", _UNPACK)
    return None


def tar(head: Head) -> Answer:
    """A shard of lattices if there is one among its first members, else one of texts."""
    if head.data[257:262] != b"ustar":
        return None
    has_lattices = any(f".{kind}".endswith(ENDINGS) for kind in signs.kinds_in_tar(head.data))
    return "webdataset-lattices" if has_lattices else "webdataset"


def json(head: Head) -> Answer:
    """By the keys of its objects; an empty list is a table if it is called JSON."""
    if head.name.endswith(".json") and len(head.source.content) < 100 and head.data.strip() == b"[]":
        return "jsonl"
    return json_kind(head) if head.json else None


def one_of_lines(head: Head) -> Answer:
    """By the form of all lines; what may be two things is refused."""
    there = set(head.data)
    found = [name for name, (sign, needs) in LINES.items() if not there.isdisjoint(needs) and sign(head)]
    if len(found) > 1:
        return no_text(f"file of {' or of '.join(found)}", "it may be either: say which, --format NAME")
    return found[0] if found else None


def is_by_form(format: str, name: str) -> bool:
    """Whether nothing but the form of the lines of a file of this name gives it the format.

    >>> is_by_form("stm", "ref.txt"), is_by_form("stm", "ref.stm"), is_by_form("jsonl", "ref.txt")
    (True, False, False)
    """
    return format in LINES and not name.endswith(SHIPPED[format].extensions)


def table_that_is_named(head: Head) -> Answer:
    """A table whose columns somebody names: he says that it is one."""
    return table(head) if head.columns is not None else None


def table(head: Head) -> Answer:
    """By the names in its first line; the table that Whisper writes is a recording."""
    found = headed(head) if head.is_text else None
    if found and signs.is_table_of_whisper(head):
        return "timed-lines"
    return found and ("tsv" if found[0] == "\t" else "csv")


def by_name(head: Head) -> Answer:
    """By its name; .txt says nothing."""
    for ending, format in NAMED.items():
        if head.name.endswith(ending):
            return format
    for name, answer in REFUSED_NAMES.items():
        if re.fullmatch(name, head.name, re.IGNORECASE):
            return answer
    return None


def utf16(head: Head) -> Answer:
    """Text that is no UTF-8."""
    return UTF16 if head.is_utf16 else None


def table_without_head(head: Head) -> Answer:
    """Columns in all lines."""
    if (found := columns_without_head(head)) is None:
        return None
    delimiter, called = found
    mark, timed = "<tab>" if delimiter == "\t" else delimiter, ""
    if delimiter == "\t" and all(map(LABEL.match, head.lines)):
        timed = "if lines have begin, end and words of a recording, --format timed-lines reads them; "
    return Refused(
        f"table of {called}-separated columns",
        f"{WANTED}; {timed}if it is a table, its first line must name the columns, as id{mark}text, or --fields "
        "id=COLUMN,ref=COLUMN,hyp=COLUMN says which of its names mean what",
    )


def table_below(head: Head) -> Answer:
    """A table with lines above its head."""
    if not head.is_text or (line := line_of_head(head)) is None:
        return None
    return Refused(
        f"table whose head is not its first line, but line {line}",
        f"tail -n +{line} FILE leaves out those above it",
    )


def table_by_name(head: Head) -> Answer:
    """A table of one column, by the name in its first line, if it is called a table; a file that is called one, with
    lines that are none, nor ids with a tab behind each.
    """
    ending = head.name[-4:] if head.name.endswith((".csv", ".tsv")) else ""
    if name := ONE_COLUMN.match(head.data):
        if ending or len(head.lines) < 2:
            return ending[1:] or None
        return Refused(
            f"table of one column by its first line, {name[1].decode()}",
            "--format csv (of REF --ref-format) reads the lines below it, tail -n +2 FILE leaves it out",
        )
    if not (ending and head.lines) or all(line.strip().count("\t") == 1 for line in head.lines):
        return None
    mark = "<tab>" if ending == ".tsv" else ","
    return Refused(
        f"table by its name, {ending}, whose first line has no name of a column that is known",
        f"name them there, as id{mark}text, or say by --fields id=COLUMN,ref=COLUMN,hyp=COLUMN which names mean what",
    )


def labelled(head: Head) -> Answer:
    """Ids, or names of speakers, with a colon, comma, semicolon, bar, dash or arrow behind them."""
    mark = signs.mark_behind_first_words(head)
    if mark is None:
        return None
    form = f"[{mark}]" if len(mark) == 1 else mark
    firsts = [line.strip().partition(mark)[0].rstrip() for line in head.lines]
    ids = f"if the first words are ids, sed -E 's/^ *([^ ]+) *{form} +/\\1\\t/' FILE puts a tab behind each"
    names = f"if they are names of speakers, sed -E 's/^ *[^ ]+ *{form} +//' FILE takes them out"
    advice = [ids] if len({*firsts}) == len(firsts) else []  # ids do not come twice
    called = f"list of texts with {mark!r} behind their first words"
    return Refused(called, "; ".join([WANTED, *advice, names]))


def with_ids_behind(head: Head) -> Answer:
    """Words in brackets at the end of all lines, which may be ids."""
    found = signs.brackets_at_end(head)
    if found == "(":
        return Refused("text with a word in parentheses at the end of each line", WANTED, also="trn")
    return found and Refused(
        "text with a word in brackets at the end of each line",
        f"{WANTED}; if these words are ids, sed -E 's/^(.*) [[<{{]([^ ]+)[]>}}] *$/\\2\\t\\1/' FILE puts them first",
    )


def generated(head: Head) -> Answer:
    """What fairseq-generate writes: its hypotheses as text (D), or as tokens (H)."""
    kinds = signs.kinds_generated(head)
    kind = next((kind for kind in "DH" if kind in kinds), None)
    if kind is None:
        return None
    if signs.is_nbest_generated(head, kind):
        row = 'substr($1, 3) " ||| " $3 " ||| ||| " $2 * log(2)'  # scores are logarithms to base 2
        lists = f"awk -F'\\t' '/^{kind}-/ {{print {row}}}' FILE | sort -s -n -k1,1"
        first = f"grep '^{kind}-' FILE | sort -s -V -u -k1,1 | cut -f3"
        return Refused(
            "output of fairseq-generate with n-best lists",
            f"{lists} writes the lists (--format nbest), {first} the first of each",
        )
    return Refused(
        "output of fairseq-generate", f"grep '^{kind}-' FILE | sort -V | cut -f3 writes its hypotheses"
    )


def factored(head: Head) -> Answer:
    """Words with factors or tags."""
    mark = signs.factors(head)
    return mark and Refused(
        f"text with factors or tags behind {mark!r}", f"{signs.without_factors(mark)} takes them out"
    )


# Scores or times behind words, what sed replaces, and what else such lines may be; a word is no number.
_BEHIND_WORDS = (
    (
        r"\s+-?\d+\.\d+(?:e[-+]?\d+)?(?!\S)",
        r"s/[[:space:]]+-?[0-9]+\.[0-9]+(e[-+]?[0-9]+)?([[:space:]]|$)/\2/g",
        "; --format moses-cn if lines are slots of a network",
    ),
    (r"\s*[(\[]-?\d*\.\d+s?[)\]]", r"s/[[:space:]]*[[(]-?[0-9]*\.[0-9]+s?[])]//g", ""),
)
_WORD = r"(?!-?\d+\.\d+(?:\s|$))(?:[^\s()\[\]]+|[(\[][^\W\d]\w*[)\]])"


def scored_words(head: Head) -> Answer:
    """A score or time behind each word of all lines, which may begin with ids, and two in some line."""
    for score, script, also in _BEHIND_WORDS:
        several = [line for line in head.lines if len(re.findall(score, line)) > 1]
        form = rf"(?:{_WORD}\s+)?(?:{_WORD}{score}\s*)+|{_WORD}"
        if several and every(form)(head) and not signs.is_moses_cn(head):
            advice = f"sed -E '{script}' FILE takes them out{also}"
            return Refused("text with a score behind each word", advice)
    return None


def scored_lines(head: Head) -> Answer:
    """Lines that begin, or end, with a score, two or more."""
    if not every(rf"{_SCORE}\s+\S.*|\S.*\s{_SCORE}", least=2)(head):
        return None
    before, behind = every(rf"{_SCORE}\s.*")(head), every(rf".*\s{_SCORE}")(head)
    commands = [r"s/^\s*\S+\s+//"] * before + [r"s/\s+\S+\s*$//"] * behind
    advice = f"sed -E '{'; '.join(commands)}' FILE takes them out" if commands else "take them out"
    return Refused("list of texts with scores", advice)


def in_turn(head: Head) -> Answer:
    """Numbers or times, and texts."""
    if (rest := signs.between_marks(head)) is None:
        return None
    advice = f"awk 'NF && ++n % 2 == {rest}' FILE writes the others"
    return Refused("text of which every other line is a number or a time", advice)


UTF16 = Refused("text in UTF-16", "iconv -f utf-16 -t utf-8 converts it")
_ANNOTATION = "write the words of each segment as a sentence a line, or stm, or SegLST"
_SUBTITLES = "write the words of each subtitle as a line, without numbers and times"
_RESULT = "it holds results of another scorer; give the texts that it was made from"
_LIST = "it holds no transcripts; Kaldi's transcripts are in the file text"
_SCRIPT = Refused(
    "Kaldi script file",
    "it names other files, and only a caller may have those read: --format scp, or scp:FILE for the path",
    is_text=False,
)
# A score rather than a number of the text.
_SCORE = r"(?:-\d+\.\d+|\d\.\d{3,})(?:e[-+]?\d+)?"
_TAGS = r"html|tt|sami|smil|hypset|tmx|xliff|tei|annotation_document|seg\s+id=|doc\s+\w+="

# Names that no format has, in any case of letters.
REFUSED_NAMES: Mapping[str, Refused] = {
    r".*\.scp": _SCRIPT._replace(is_text=True),
    r"preds_out_.*\.tsv": Refused(
        "file of NeMo's beam search",
        "it does not say where the candidates of one utterance end; write `id ||| words ||| ||| score` lines, format "
        "nbest, where they are found",
    ),
    r".*\.(?:md|markdown|rst)": Refused("Markdown or reStructuredText file", WANTED),
    r".*\.(?:ya?ml|toml|ini|cfg|conf)": Refused("file of settings", WANTED),
    r".*\.(?:xml|html?|tmx|xlf|xliff|sgml?|eaf|trs|ttml|dfxp)": Refused("XML or HTML file", WANTED),
    r".*\.(?:po|pot)": Refused("catalogue of translations", WANTED),
    r".*\.(?:diff|patch)": Refused("difference of two files", WANTED),
    r".*\.(?:tex|bib)": Refused("LaTeX document", WANTED),
}

# A line of Audacity's labels: begin, end and words.
LABEL = re.compile(r"\d+(?:\.\d+)?\t\d+(?:\.\d+)?(?:\t|$)")
# A first line that is the name of a column of texts.
ONE_COLUMN = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*"?(%s)"?[ \t\r]*\n' % "|".join(TEXTS).replace("_", "[ _-]").encode(), re.IGNORECASE
)
# Digits of ASCII; with bytes that those of other scripts have in UTF-8; what parts the columns of tables.
DIGITS = b"0123456789"
NUMBERS = DIGITS + bytes(range(0xD9, 0x100))
DELIMITED = b"\t,;|"

# Formats that lines of texts hardly look like, all of them, and bytes of which such a file has one.
LINES: Mapping[str, tuple[Sign, bytes]] = {
    "stm": (signs.is_stm, NUMBERS),
    "ctm": (signs.is_ctm, b"."),
    "moses-cn": (signs.is_moses_cn, b"."),
    "trn": (signs.is_trn, b"("),
}
# What these lines have, for messages.
FORMS: Mapping[str, str] = {
    "stm": "words 4 and 5 of each line are times",
    "ctm": "words 3 and 4 of each line are times",
    "moses-cn": "each line is a slot of words and numbers",
    "trn": "the word in parentheses at the end of each line is its id",
}

# What content says without doubt, whatever the file is called: `by_beginning` asks these rules alone.
CERTAIN: tuple[Rule, ...] = (
    Rule("packed", begins(rb"ARROW1\x00\x00(?s:.{8,16000}?)fstmetrics\.lattices"), b"\0"),
    Rule("arrow", begins(signs.ARROW, re.DOTALL), b"\0"),
    Rule("parquet", begins(signs.PARQUET), bytes(range(9))),
    Rule("far", begins(rb"\\\xf3\xb2\x7e|\\QV\x00"), b"\\"),
    Rule("k2-pt", begins(rb"PK\x03\x04.{0,4080}?/data\.pkl", re.DOTALL), b"\3"),
    Rule("openfst", begins(rb"\xd6\xfd\xb2\x7e"), b"\xd6"),
    Rule("kaldi-lattice", begins(rb"[^ ]{1,4096} \xd6\xfd\xb2\x7e"), b"\xd6"),
    Rule(None, tar, b"\0"),
    Rule(None, json, b"[{"),
    Rule(
        Refused(
            "Moses word graph",
            "it does not say which states are final; have Moses write the search graph, -output-search-graph",
            is_text=False,
        ),
        begins(rb"(?:[A-Z]+=[^\n]*\n)*J=\d+\tS=\d+\tE=\d+\ta=[^\n]*\tw="),
        b"=",
    ),
    Rule(_SCRIPT, begins(rb"\S+ [^\n]*\.(?:ark|gz|lats):\d+\r?(?:\n|$)"), b":"),
    Rule("cards", begins(rb"# fstmetrics-cards/"), b"#"),
    Rule("errs", begins(rb"%WER = "), b"%"),
    Rule("moses-graph", begins(rb"\d+ hyp=\d+ stack=\d+"), b"="),
    Rule("nbest-srilm", begins(rb"NBestList[12]\.0[ \t\r]*(?:\n|$)"), b"."),
    Rule("nlp", begins(rb"token\|speaker\|"), b"|"),
    Rule("pfsg", begins(rb"\s*name[ \t]+[^\n]*\nnodes[ \t]+\d"), DIGITS),
    Rule("recogs", begins(rb"(?:\S+:[ \t]+)?(?:ref|hyp)=\["), b"="),
    Rule(
        "rttm",
        begins(
            rb"(?:;;[^\n]*\n)*(?:SPEAKER|SPKR-INFO|LEXEME|NON-LEX|NON-SPEECH|NOSCORE|SEGMENT)[ \t]+\S+[ \t]+"
            rb"(?:\d+|<NA>)[ \t]+[\d.]"
        ),
        DIGITS + b".",
    ),
    Rule(
        "slf",
        begins(
            rb"(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t]*(?:VERSION|V|UTTERANCE|U|SUBLAT|S|base|lmname|lmscale|wdpenalty|"
            rb"acscale|prscale|tscale|vocab|hmms|start|end|dir|NODES|N|LINKS|L)=[^\s]"
        ),
        b"=",
    ),
    Rule("sphinx", begins(rb"(?>(?:#[^\n]*+\n)*)Frames[ \t]+\d+\s"), DIGITS),
    Rule(
        "srilm-lattice",
        begins(rb"version[ \t]+2[ \t\r]*\n(?:name [^\n]*\n)?(?:initial|final|node)[ \t]"),
        b"2",
    ),
    Rule("srilm-mesh", begins(rb"(?:name [^\n]*\n)?numaligns[ \t]+\d"), DIGITS),
    Rule("target-graph", begins(rb"# target \|\|\| features \|\|\| source-covered"), b"|"),
    Rule("plf", begins(signs.PLF), b"("),
    Rule("nbest", begins(rb"\s*[^\s|]+[ \t]*\|\|\|"), b"|"),
    Rule("kaldi-lattice", signs.is_kaldi_lattice, b","),
    Rule("sherpa", signs.is_sherpa, b"{"),
)

TABLE: tuple[Rule, ...] = (
    *CERTAIN,
    Rule(None, table_that_is_named),
    Rule(None, binary, BINARY),
    # Files of other tools, by how they begin; no sentence begins so.
    never_text(
        "file of error rates (Kaldi's compute-wer)",
        _RESULT,
        opens(r"(?:compute-wer [^\n]*\n)?%WER [\d.]+ \[ "),
        b"%",
    ),
    never_text(
        "file of results (Kaldi's align-text, sclite or compute-wer)",
        _RESULT,
        opens(
            r"(?:[^\n]*\n){0,40}?"
            r"(?:\S+ #csid \d|Scores: \(#C #S #D #I\)|\S+ hyp .*\n\S+ op [CSDI ]+\n|lab: .*\nrec: "
            r"|\s*REF: .*\n\s*HYP: |[ \t]*SYSTEM SUMMARY PERCENTAGES by SPEAKER"
            r"|[ \t]*DUMP OF SYSTEM ALIGNMENT STRUCTURE)"
        ),
        b"#:CSDI",
    ),
    never_text(
        "file of results (sacreBLEU)",
        _RESULT,
        opens(r"(?:BLEU|chrF\d?\+*|TER)(?:\|\S+)? = \d+\.\d+(?:\s|$)"),
        b"=",
    ),
    never_text(
        "file of results (Kaldi's wer_ops)",
        _RESULT,
        every(r"(?:correct|substitution|insertion|deletion)\s+\S+\s+\S+\s+\d+"),
        NUMBERS,
    ),
    never_text(
        "text with line ends of old Macs (CR)",
        "tr '\\r' '\\n' < FILE writes lines",
        signs.has_old_line_ends,
        b"\r",
    ),
    Rule("vtt", opens(r"WEBVTT\b"), b"V"),
    Rule("srt", opens(r"(?:\d+[ \t]*\r?\n)?(?:\d+:)?\d\d:\d\d[,.]\d+[ \t]*-->"), b">"),
    never_text("subtitle file (SBV)", _SUBTITLES, opens(r"\d+:\d\d:\d\d\.\d+,\d+:\d\d:\d\d\.\d+\s*\n"), b":"),
    never_text("subtitle file (ASS)", _SUBTITLES, opens(r"\[Script Info\]"), b"["),
    never_text("subtitle file (MicroDVD)", _SUBTITLES, every(r"\{\d+\}\{\d+\}.*"), b"{"),
    never_text("subtitle file (SCC)", _SUBTITLES, opens(r"Scenarist_SCC "), b"_"),
    never_text("CHAT transcript (CHILDES)", _ANNOTATION, opens(r"@(?:UTF8|Begin)\b"), b"@"),
    never_text(
        "Praat TextGrid",
        _ANNOTATION,
        opens(r'(?:File type = "ooTextFile|"Praat chronological TextGrid)'),
        b'"',
    ),
    Rule(
        "wmt-xml",
        opens(
            r"(?:<\?xml\b[^>]*>\s*|<!doctype\b[^>]*>\s*|<!--(?s:.{0,2000}?)-->\s*)*"
            r"<(?:dataset|srcset|refset|tstset|mteval)\b",
            re.IGNORECASE,
        ),
        b"<",
    ),
    refused(
        "HTML, XML or SGML file",
        "write the text of its segments as a sentence a line",
        opens(
            rf"<(?:\?xml\b|!doctype\b|(?:{_TAGS})[^>\n]*>)"
            r"|(?:<[a-z][\w:.-]*(?:\s+[\w:.-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))+\s*/?>\s*)+(?:\n|\Z)",
            re.IGNORECASE,
        ),
        b"<",
    ),
    never_text("Python pickle", WANTED, opens(r"\([ld]p\d+\n|c[\w.]+\n\w+\n\("), b"("),
    never_text("RTF document", "save it as plain text (UTF-8), a sentence a line", opens(r"\{\\rtf"), b"{"),
    Rule(None, utf16, b"\0\xff\xfe"),
    refused("JSON Lines file with ids before its objects", WANTED, signs.is_json_behind_ids, b"{"),
    refused("file of Python lists, one a line", f"{WANTED}; write ' '.join(words)", signs.is_python, b"'\""),
    # What recognisers write.
    Rule("mlf", opens(r"#!MLF!#"), b"#"),
    Rule("sphinx-results", signs.is_sphinx_results, b"(T"),
    refused(
        "text with a word and a number in parentheses at the end of all lines",
        "are they ids and scores of Sphinx? --format sphinx-results reads them",
        signs.may_be_sphinx_results,
        b"(",
    ),
    refused(
        "printed transcript with the names of speakers",
        "without the names it is read; `fstmetrics speakers` reads SegLST, stm and RTTM",
        signs.is_timed_with_names,
        b"[(",
    ),
    Rule("timed-lines", signs.is_timed, b"[("),
    refused(
        "text whose lines begin with times in brackets",
        "take them out: sed 's/^[[(][^])]*[])] *//' FILE",
        signs.is_timed_otherwise,
        b"[(",
    ),
    Rule("letters", signs.is_letters, b"|"),
    Rule(
        "wav2letter",
        every(rf"\S+\s+\S+\.{signs.SOUND}\s+\d+(?:\.\d+)?(?:\s.*)?", re.IGNORECASE, least=2),
        b".",
    ),
    refused(
        "output of Moses with phrases (-report-segmentation)",
        r"sed -E 's/ ?\|[0-9]+-[0-9]+[^|]*\|//g' takes them out",
        signs.has_segmentation,
        b"|",
    ),
    # Kaldi's lists.
    refused("list of recordings (Kaldi's wav.scp)", _LIST, signs.is_wav_scp, b"|."),
    refused(
        "list of segments (Kaldi's segments)", _LIST, every(r"\S+\s+\S+\s+\d+\.\d+\s+\d+\.\d+", least=2), b"."
    ),
    refused(
        "list of numbers (Kaldi's utt2dur, scores)", _LIST, every(r"\S*[\d_-]\S*\s+\d+\.\d+", least=2), b"."
    ),
    never_text(
        "list of scores (ESPnet)", _LIST, every(r"(?:\S+\s+)?tensor\(-?[\d.]+(?:e[-+]?\d+)?(?:, .*)?\)"), b"("
    ),
    refused(
        "symbol table (`word integer` lines)",
        "it names words; give it by --symbols",
        signs.is_symbol_table,
        b"01",
    ),
    refused("list of speakers' utterances (Kaldi's spk2utt)", _LIST, signs.is_spk2utt, NUMBERS + b"_-"),
    refused("list of utterances' speakers (Kaldi's utt2spk)", _LIST, signs.is_utt2spk, NUMBERS + b"_-"),
    Rule(
        Refused(
            "machine in AT&T text whose arcs are four whole numbers",
            "the last may be a cost or the word: --format att reads it as a cost, --format att-transducer as the word",
            is_text=False,
            may_be_text=False,
        ),
        signs.is_open_att,
        DIGITS,
    ),
    Rule(
        Refused(
            "n-best list with scores or ranks beside the words",
            "write `id ||| words ||| ||| score` lines, format nbest, or take them out; --format nbest-lines counts "
            "them as words",
            is_text=False,
            may_be_text=False,
        ),
        signs.is_nbest_with_scores,
        NUMBERS,
    ),
    # Names.
    Rule(None, by_name),
    Rule(None, scored_words, b"."),
    # Formats whose lines have a form that lines of a text have hardly, all of them.
    Rule("k2", signs.is_k2, DIGITS),
    Rule("att", signs.is_att, DIGITS),
    Rule(None, one_of_lines, NUMBERS + b".("),
    Rule(None, table, DELIMITED),
    Rule(
        Refused(
            "table whose cells have spaces before them, and like a text",
            "--format csv if its first line names columns, --format plain if it is a sentence",
            may_be_text=False,
        ),
        may_be_headed,
        DELIMITED,
    ),
    Rule(None, table_below, DELIMITED),
    Rule(None, labelled, b":,;|->\xe2"),
    refused(
        "sclite trn file with ids that come twice",
        "with the format trn the error names the line",
        signs.is_trn_with_ids_twice,
        b"(",
    ),
    refused(
        "sclite trn file with lines without an id",
        "with the format trn the error names the line",
        signs.is_trn_without_ids,
        b"(",
    ),
    Rule(None, with_ids_behind, b")]>}"),
    # Text of other tools: not all its words are words that were said.
    never_text(
        "text with colours of a terminal",
        r"sed 's/\x1b\[[0-9;]*m//g' takes them out",
        signs.has_colours,
        b"\x1b",
    ),
    refused("file of keys and values (YAML, TOML, INI)", WANTED, signs.is_settings, b"-%:="),
    refused("log of a program", "take the transcripts out of it, a sentence a line", signs.is_log, b"(-:[%"),
    Rule(None, in_turn, NUMBERS),
    refused(
        "log of OpenNMT", "sed -n 's/^PRED [0-9]*: //p' FILE writes its hypotheses", signs.is_translated, b":"
    ),
    Rule(None, generated, b"-"),
    never_text(
        "text with the tokens of Whisper",
        r"sed -E 's/<\|[^|]*\|>//g' takes them out",
        signs.has_tokens_of_whisper,
        b"<",
    ),
    refused(
        "text with times", r"sed -E 's/<[0-9:.,]+>|<\/?c[^<>]*>//g' takes them out", signs.has_times, b"<"
    ),
    Rule(None, factored, b"|/_\xef"),
    refused(
        "n-best list of pocketsphinx",
        "each line ends with a score: sed -E 's/ -[0-9]+$//' takes it out",
        every(r"(?:\S.* )?-\d{3,}"),
        b"-",
    ),
    refused(
        "HTK label file",
        "give the master label file (MLF), or its words, a sentence a line",
        signs.is_htk_labels,
        NUMBERS,
    ),
    refused(
        "list of recordings and lengths (fairseq)", "it holds no transcripts", signs.is_audio_list, b"\t"
    ),
    refused(
        "list of texts with paths of recordings",
        "cut -d' ' -f1,3- FILE leaves ids and words",
        signs.is_with_paths,
        b"/",
    ),
    refused(
        "difference of two files (diff)",
        "give the files",
        opens(r"diff --git |--- \S[^\n]*\n\+\+\+ \S"),
        b"-",
    ),
    refused(
        "catalogue of translations (PO)",
        "msgexec or polib write its texts, a sentence a line",
        opens(r"(?s:.*?)^msgid \"", re.MULTILINE),
        b'"',
    ),
    refused(
        "table as pandas prints it",
        "to_csv(FILE, index=False) writes one that is read",
        signs.is_frame,
        NUMBERS,
    ),
    refused("list of texts with names before them", "cut -d: -f2- FILE takes them out", signs.is_named, b":"),
    refused(
        "numbered list",
        r"sed -E 's/^[^0-9]*([0-9]+)[.):] */\1\t/' FILE makes ids of the numbers, a tab behind each",
        signs.is_numbered,
        b".):",
    ),
    never_text(
        "file of sentences that networks are to accept or to reject",
        "fstmetrics network accepts NETWORKS FILE reads it",
        opens(r"# fstmetrics-sentences/"),
        b"#",
    ),
    never_text(
        "biasing list",
        "--biasing FILE reads its lists; cut -f1,2 FILE writes its ids and references, which score reads",
        every(r"[^\t]+\t[^\t]*\t\[(?:\s*\"|\s*\]).*"),
        b"[",
    ),
    Rule(None, table_without_head, DELIMITED),
    Rule(None, scored_lines, b"."),
    Rule(None, table_by_name),
    refused(
        "text in which the lines with commas are in quotes, and no others, as in CSV",
        'sed -E \'s/^"(.*)"(\\r?)$/\\1\\2/; s/""/"/g\' FILE takes them out; in a file called .csv, '
        "the name of the column, as text, is its first line",
        signs.is_quoted,
        b'"',
    ),
)

# The rules that are about texts themselves, whatever format they are in.
_OF_TEXTS = frozenset({
    signs.is_sphinx_results, signs.may_be_sphinx_results, signs.is_timed_with_names, signs.is_timed,
    signs.is_timed_otherwise, signs.is_letters, signs.has_segmentation, labelled,
    signs.is_trn_with_ids_twice, signs.is_trn_without_ids, with_ids_behind, signs.has_colours,
    signs.has_tokens_of_whisper, signs.has_times, signs.is_named, signs.is_numbered,
    scored_words, scored_lines,
})  # fmt: skip
# Texts without any of these have the sign of none of them.
SIGNS = re.compile("[\x1b()\\[\\]{}<>|/_:\u2013\u2014\u2192-]|[0-9]|\\bb['\"]")
OF_TEXTS = (
    Rule("trn", signs.is_trn, b"("),
    refused("list, or bytes, as Python writes them", WANTED, signs.is_python, b"'\""),
    *(rule for rule in TABLE if rule.sign in _OF_TEXTS),
)
# How signs are taken out that stand between words, whatever is before and behind them in a line.
_BETWEEN_WORDS = {signs.has_segmentation, signs.has_tokens_of_whisper, signs.has_times}
_TAKEN_OUT = {
    rule.answer.called: rule.answer.advice
    for rule in OF_TEXTS
    if rule.sign in _BETWEEN_WORDS and isinstance(rule.answer, Refused)
}

# Formats that no rule gives, by what their files are nevertheless known by.
ASKED: Mapping[str, Sign] = {
    "att-transducer": signs.is_att,
    "nbest-kaldi": signs.has_repeated_ids,
    "nbest-lines": lambda head: (
        head.name.endswith(SHIPPED["nbest-lines"].extensions) and not head.source.has(b"|||")
    ),
    "plain": lambda head: head.source.is_text,
    "plf-unscored": begins(signs.PLF),
}
# Formats that some files are in, too, that are another: they may be asked for.
ALSO: Mapping[str, Sign] = {
    **{name: sign for name, (sign, _) in LINES.items()},
    "att": signs.is_att,
    "jsonl": lambda head: head.json is not None and isinstance(head.json.first, dict),
    "nbest-json": lambda head: head.json is not None and has_list(head.json.first),
    "webdataset": lambda head: head.data[257:262] == b"ustar",
}
# Formats that their files do not show.
UNSEEN = frozenset({"kaldi-text", "scp", *(name for name, each in SHIPPED.items() if each.mark)})
# Endings of lattices, networks and n-best lists in a tar shard, where an object is one of columns.
ENDINGS = tuple(
    ending
    for shipped in SHIPPED.values()
    for ending in shipped.extensions
    if shipped.holds != "text" and ending != ".json"
)


def detect(head: Head, rules: Iterable[Rule] = TABLE, faults: list[str] | None = None) -> Answer:
    """What a file is: the answer of the first rule whose sign it has; None for text.

    Args:
        head: the file.
        rules: those that are asked.
        faults: is told of rules that cannot be tried, which are passed over; None: what they raise is raised.
    """
    there = set(head.data)
    for answer, sign, needs in rules:
        if needs and there.isdisjoint(needs):
            continue
        try:
            if found := sign(head):
                return answer or found  # type: ignore[return-value]  # a sign without an answer gives one
        except (MemoryError, InputError):
            raise
        except Exception as error:
            if faults is None:
                raise
            faults.append(f"a rule for formats could not be tried: {type(error).__name__}: {error}")
    return None


def look_of(texts: Iterable[str]) -> str:
    """What texts of a table, or of another format, look like that lines of text are not read as; empty where nothing.

    >>> look_of(["the cat (u1)", "a dog (u2)"]), look_of(["1. the cat", "2. a dog"]), look_of(["<|en|>the cat"])
    ('texts of trn', 'a numbered list', 'a text with the tokens of Whisper')
    """
    lines = "\n".join(" ".join(text.split()) for text in texts)
    found = detect(Head(Source("", lines.encode("utf-8", "replace")), is_named=False), OF_TEXTS, [])
    return found.called if isinstance(found, Refused) else f"texts of {found}" if found else ""


def look_remark(look: str) -> str:
    """What is said of texts that look so; with the command, where it fits lines of lists and tables as those of text.

    >>> look_remark("texts of trn")
    'look like texts of trn: take out what is no word'
    """
    return f"look like {look}: {_TAKEN_OUT.get(look, 'take out what is no word')}"


def is_kind(name: str, source: Source) -> bool | None:
    """Whether content has the sign of a format that ships, whatever the file is called; None where it has no sign."""
    head = Head(source, known=KNOWN, is_named=False)
    if name in ASKED:
        return ASKED[name](head)
    if name not in SHIPPED or name in UNSEEN:
        return None
    return detect(head) == name or (name in ALSO and ALSO[name](head))
