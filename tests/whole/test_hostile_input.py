"""What docs/hostile-input.md decides: strange, wrong and deep input, one behaviour each."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from command import COUNTS, EXAMPLES, fstmetrics, written
from hostile import samples
from long_runs import OWN_PEAK
from places import HELPERS
from written import Drawn, att, kaldi_binary, kaldi_text, slf

import fstmetrics as fm
from fstmetrics.analysis.read_records import read_records
from fstmetrics.analysis.scored_runs import read_run
from fstmetrics.data.transcripts import Notation, Transcript
from fstmetrics.grammars import Grammar
from fstmetrics.io import FORMATS, ReadOptions, Source, read_items
from fstmetrics.io.file_format import recognise
from fstmetrics.networks.text_form import read_text_form, write_text_form
from fstmetrics.support.printable import printable

DEEP = 100_000
ESCAPE = "\x1b]0;owned\x07\x1b[31m"


def read(format: str, data: bytes | str) -> list[object]:
    raw = data.encode() if isinstance(data, str) else data
    return [item.value for item in FORMATS[format].read(Source("x", raw), ReadOptions())]


def best(value: object) -> str:
    assert isinstance(value, fm.Lattice)
    return " ".join(value.best_path().words)


# Depth. The limit is raised, as its default is lower.


@pytest.mark.parametrize(
    ("notation", "opening", "rest", "depth"),
    [
        ("sclite", "{ ", " / b }", DEEP),
        ("braces", "{", "|b}", DEEP // 10),
        ("brackets", "[", "|b]", DEEP // 10),
    ],
)
def test_deep_choices(notation: Notation, opening: str, rest: str, depth: int) -> None:
    transcript = Transcript.parse(opening * depth + "a" + rest * depth, notation)
    assert transcript.depth == depth
    assert fm.align("b", transcript).edits == 0


def test_deep_choices_in_a_file_are_beyond_the_limit() -> None:
    with pytest.raises(
        fm.InputError, match=r"choices nested 10001 deep, the limit is 10000; --max nesting=N"
    ):
        read("trn", "{ " * 10_001 + "a" + " / b }" * 10_001 + " (id-1)\n")


def chain(depth: int) -> str:
    """A network of cards that each call the next."""
    cards: dict[str, object] = {f"c{i}": {"phrases": [f"[c{i + 1}]"]} for i in range(depth)}
    cards[f"c{depth}"] = {"phrases": ["x y"]}
    return json.dumps({"format": "fstmetrics-network/1", "root": "c0", "cards": cards})


def test_deep_cards() -> None:
    with pytest.raises(
        fm.InputError, match=r"call one another 100001 deep, the limit is 10000; --max nesting=N"
    ):
        read("network", chain(DEEP))
    with fm.limited(nesting=10**6):
        (network,) = read("network", chain(DEEP))
    assert isinstance(network, fm.Network)
    assert fm.align("x y", network).edits == 0


def test_deep_cards_in_text_and_paths() -> None:
    (network,) = read("network", chain(9_000))
    assert isinstance(network, fm.Network)
    assert fm.Paths(network).count == 1
    assert read_text_form(write_text_form(network)).rtn.depth == 9_001
    assert fm.union(network, network).rtn.depth >= 9_001


def test_deep_brackets() -> None:
    for value in ("[" * DEEP, '{"a":' * DEEP):
        with pytest.raises(fm.InputError, match="brackets are nested too deeply"):
            read("network", '{"format": "fstmetrics-network/1", "cards": ' + value)


@pytest.mark.parametrize("command", ["show", "errors", "report", "compare", "network validate"])
def test_deep_brackets_in_records(command: str, tmp_path: Path) -> None:
    path = written(tmp_path / "x.jsonl", '{"id": ' + "[" * DEEP + "\n")
    more = [str(path)] if command == "compare" else []
    outcome = fstmetrics(*command.split(), str(path), *more)
    assert outcome.status == 2
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize("deep", [100, 400, 600, 800, 900, 960, 1200])
def test_deep_objects_in_rows(deep: int, tmp_path: Path) -> None:
    """Some are deeper than Python can flatten, and not too deep for it to read."""
    row = '{"id": "u1", "text": "a b", "more": ' + '{"a": ' * deep + "1" + "}" * (deep + 1) + "\n"
    rows, ref = written(tmp_path / "x.jsonl", row), written(tmp_path / "ref", "u1 a b\n")
    outcome = fstmetrics("score", ref, rows)
    if outcome.status:
        assert outcome.err.startswith(f"fstmetrics: {rows}:1: brackets are nested too deeply")
    assert outcome.status == 2 or deep < 900


@pytest.mark.parametrize("command", ["show", "report", "network info", "network validate"])
def test_endless_integers(command: str, tmp_path: Path) -> None:
    """Two million digits would take a minute to read."""
    text = (
        '{"format": "fstmetrics-network/1", "root": "S", "cards": {"S": {"span": [0, '
        + "9" * 2_000_000
        + "]}}}\n"
    )
    outcome = fstmetrics(*command.split(), str(written(tmp_path / "x.json", text)))
    assert outcome.status in (1, 2)
    assert "more than 4300 digits" in outcome.err + outcome.out


@pytest.mark.parametrize(
    "line",
    [
        '{"a": ' + "[" * DEEP, '{"id": "a", "metric": "wer", "score": ' + "9" * 5000 + "}",
        '{"id": ["a"], "metric": "wer", "score": 1}', '{"id": "a", "metric": ["wer"], "score": 1}', "3", "null", '"id"',
    ],
)  # fmt: skip
def test_records_of_other_kinds(line: str) -> None:
    with pytest.raises(fm.InputError, match=r"r.jsonl:1: (not a|no) record"):
        read_run(Source("r.jsonl", line.encode()), "system")


def test_records_in_records(tmp_path: Path) -> None:
    """The paths of an item have no paths of their own."""
    empty = '"alignment": [], "metric": "wer", "score": 0, "id": null, "hypothesis": [], "closest": [], '
    empty += '"gain": null, "max_gain": null, ' + ", ".join(f'"{name}": 0' for name in COUNTS)
    (record,) = read_records(written(tmp_path / "r.jsonl", f'{{{empty}, "nbest": [{{{empty}}}]}}\n'))
    assert [len(record.nbest), len(record.nbest[0].nbest)] == [1, 0]
    line = f'{{{empty}, "nbest": [' * 300 + "]}" * 300
    with pytest.raises(
        fm.InputError, match=r"r.jsonl:1: not a record of fstmetrics: nbest has paths that have"
    ):
        list(read_records(written(tmp_path / "r.jsonl", line + "\n")))


def test_deep_rules() -> None:
    words = " ".join(f"w{i}" for i in range(DEEP))
    grammar = Grammar.parse(f"{words} -> short", "long")
    assert fm.align("short", words, grammars=[grammar]).edits == 0


def test_a_long_lattice_and_a_long_reference(tmp_path: Path) -> None:
    words = [f"w{i % 997}" for i in range(DEEP)]
    text = "".join(f"{i} {i + 1} {word}\n" for i, word in enumerate(words)) + f"{DEEP}\n"
    lattice = fm.Lattice.read(written(tmp_path / "x.att", text))
    assert fm.align(lattice, words[:-1]).edits == 1


# Shapes of lattices.


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0\n", ""),  # the start is final and has no arc
        ("0 1 a\n1\n5 6 b\n", "a"),  # a part that hangs on nothing
        ("0 1 a\n1 2 b\n1\n", "a"),  # a state that leads nowhere
        ("0 1 a Infinity\n0 1 b 5\n1\n", "b"),  # an arc of no probability is none
        ("0 1 a 1e400\n0 1 b 5\n1\n", "b"),
        ("0 1 a 1e-400\n0 1 b 5\n1\n", "a"),
        ("0 1 a -7.5\n0 1 b 5\n1\n", "a"),  # a probability above 1 is a decoder's business
        ("7 2147483645 a\n2147483645\n", "a"),  # states far apart are numbered anew
        ("0 1 9999999999\n1\n", "9999999999"),  # a number above int32 is a word
        ("0 1 99999999999999999999\n1\n", "99999999999999999999"),
    ],
)
def test_lattices_that_are_read(text: str, expected: str) -> None:
    (lattice,) = read("att", text)
    assert best(lattice) == expected
    assert fm.align(lattice, expected).edits == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0 1 a\n1 0 b\n1\n", "cycle"),
        (
            "0 1 a\n5\n",
            "no path leads from its start to a final state",
        ),  # the start's part has no final state
        ("0 1 a Infinity\n1\n", "no path"),
        ("0 1 a\n1 Infinity\n", "no path"),
    ],
)
def test_lattices_that_cannot_be_scored(text: str, said: str) -> None:
    (lattice,) = read("att", text)
    with pytest.raises(fm.FstmetricsError, match=said):
        fm.align(lattice, "a")


LABELS = {"": 0, "a": 1, "b": 2, "c": 3}
WRITTEN: dict[str, Callable[[Drawn], bytes]] = {
    "att": lambda lattice: att(lattice).replace("inf", "Infinity").encode(),  # as OpenFst writes it
    "kaldi text": lambda lattice: kaldi_text("x", lattice).encode(),
    "kaldi lattice text": lambda lattice: kaldi_text("x", lattice, compact=False).encode(),
    "kaldi binary": lambda lattice: kaldi_binary("x", lattice, LABELS),
    "kaldi lattice binary": lambda lattice: kaldi_binary("x", lattice, LABELS, compact=False),
    "slf": lambda lattice: slf(lattice).encode(),
}
INFINITE = float("inf")
SHAPES: list[tuple[str, list[tuple[int, int, str, float, float]], str]] = [
    ("a chain", [(0, 1, "a", 1, 1), (1, 4, "b", 1, 1)], "a b"),
    ("a part that hangs on nothing", [(0, 4, "a", 1, 1), (2, 3, "b", 1, 1)], "a"),
    ("a state that leads nowhere", [(0, 4, "a", 9, 1), (0, 2, "b", 1, 1)], "a"),
    ("a part that only leads to the end", [(0, 4, "a", 9, 1), (2, 4, "b", 1, 1)], "a"),
    ("an arc of no probability", [(0, 4, "a", INFINITE, 1), (0, 4, "b", 9, 9)], "b"),
    ("a start without arcs", [(1, 4, "a", 1, 1)], "no path"),
    ("no way to the end", [(0, 1, "a", 1, 1), (2, 4, "a", 1, 1)], "no path"),
    ("a cycle", [(0, 1, "a", 1, 1), (1, 0, "b", 1, 1), (1, 4, "c", 1, 1)], "cycle"),
    ("a cycle at one state", [(0, 1, "a", 1, 1), (1, 1, "b", 1, 1), (1, 4, "c", 1, 1)], "cycle"),
    ("a cycle of epsilons", [(0, 1, "", 1, 1), (1, 0, "", 1, 1), (1, 4, "c", 1, 1)], "cycle"),
    ("a cycle that leads nowhere", [(0, 4, "a", 1, 1), (0, 1, "b", 1, 1), (1, 1, "b", 1, 1)], "a"),
]


@pytest.mark.parametrize("format", WRITTEN)
@pytest.mark.parametrize(("shape", "arcs", "expected"), SHAPES, ids=[shape for shape, *_ in SHAPES])
def test_shapes_in_every_format(
    format: str, shape: str, arcs: list[tuple[int, int, str, float, float]], expected: str, tmp_path: Path
) -> None:
    """States 0 to 4, the last one final."""
    symbols = written(
        tmp_path / "words.txt", "".join(f"{word or '<eps>'} {n}\n" for word, n in LABELS.items())
    )
    path = written(tmp_path / "x", WRITTEN[format](Drawn(arcs, {4: (0.0, 0.0)})))
    if shape == "a start without arcs" and format != "slf" and "binary" not in format:
        pytest.skip("in text the first line's state is the start")
    lattice = fm.Lattice.read(
        path, format if format in FORMATS else "kaldi-lattice", symbols if "binary" in format else None
    )
    if expected in ("no path", "cycle"):
        with pytest.raises(fm.FstmetricsError, match=expected):
            lattice.best_path()
        if shape != "a cycle of epsilons":  # which is none between words
            with pytest.raises(fm.FstmetricsError, match=expected):
                fm.align(lattice, "a")
    if expected == "cycle":  # which references may have
        assert fm.align("a c" if arcs[0][2] else "c", lattice).edits == 0
    elif expected != "no path":
        assert " ".join(lattice.best_path().words) == expected
        assert fm.align(lattice, expected).edits == fm.align(expected, lattice).edits == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0 1 a -Infinity\n1\n", "a cost is a number or Infinity"),
        ("0 1 a b nan\n1\n", "a cost is a number or Infinity"),
        ("0 1 a 5\n1 nan\n", "a cost is a number or Infinity"),
        ("0 9999999999999999999 a\n1\n", "a state is a non-negative integer"),
        ("0 2147483648 a\n2147483648\n", "state 2147483648 is out of range"),
        ("0 ² a\n1\n", "a state is a non-negative integer"),
        ("0 ٣ a\n1\n", "a state is a non-negative integer"),
        ("-1 0 a\n0\n", "a state is a non-negative integer"),
    ],
)
def test_lattices_that_are_refused(text: str, said: str) -> None:
    with pytest.raises(fm.InputError, match=said):
        read("att", text)


# Encodings, for every format that is text: the samples that are read, changed.

TEXTS = [(format, data) for format, pool in samples().items() for data in dict.fromkeys(pool[:12])]


def readable(format: str, data: bytes) -> list[str] | None:
    """What a text is read as; None if it is not read, or not text."""
    if b"\0" in data or not data.strip():
        return None
    try:
        data.decode()
        return [_shape(value) for value in read(format, data)]
    except (UnicodeDecodeError, fm.FstmetricsError):
        return None


def _shape(value: object) -> str:
    if isinstance(value, fm.Lattice):
        return repr(
            (value, value.symbols.words, value.automaton.labels.tolist(), value.automaton.arc_costs.tolist())
        )
    if isinstance(value, fm.Network):
        return value.to_json()
    return repr(value.lattice.symbols.words if isinstance(value, Transcript) else value)


@pytest.mark.parametrize("format", list(FORMATS))
def test_line_ends_and_byte_order_marks(format: str) -> None:
    tried = 0
    for data in {data for name, data in TEXTS if name == format}:
        if (expected := readable(format, data)) is None or b"\r" in data:
            continue
        assert readable(format, b"\xef\xbb\xbf" + data) == expected, data
        if not expected or "\\n" not in expected[0]:
            assert readable(format, data.replace(b"\n", b"\r\n")) == expected, data
        tried += 1
    assert (
        tried or format in ("openfst", "far") or not any(readable(format, d) for n, d in TEXTS if n == format)
    )


@pytest.mark.parametrize("format", list(FORMATS))
def test_invalid_utf8_is_refused_with_its_byte(format: str) -> None:
    for data in {data for name, data in TEXTS if name == format}:
        if readable(format, data) is None:
            continue
        for bad, at in ((b"\xff", 0), (b"\xed\xa0\x80", 0), (b"\xc0\xaf", 0), (b"a\xe2\x82", 1)):
            place = data.rfind(b"\n") + 1
            with pytest.raises(fm.InputError, match=rf"^x: byte {place + at}: not UTF-8 text"):
                read(format, data[:place] + bad + data[place:])


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_utf16_is_refused(encoding: str) -> None:
    source = Source("x.txt", "a b\nc\n".encode(encoding))
    with pytest.raises(fm.InputError, match=r"^x.txt: "):
        list(recognise(source, ReadOptions()).read(source, ReadOptions()))


def test_a_lone_surrogate_is_a_word_like_another(tmp_path: Path) -> None:
    text = '{"format": "fstmetrics-network/1", "root": "S", "cards": {"S": {"phrases": ["a\\ud800 b"]}}}'
    network = fm.Network.from_json(text)
    assert fm.align("a\ud800 b", network).edits == 0
    path, hypothesis = written(tmp_path / "x.json", text), written(tmp_path / "h.txt", "x a b\n")
    outcome = fstmetrics("hyter", str(path), str(hypothesis), "--alignment", "--output", "-")
    assert (outcome.status, "\\ud800" in outcome.out) == (0, True)


def test_normal_forms_are_never_silent() -> None:
    composed, apart = (unicodedata.normalize(form, "café ole") for form in ("NFC", "NFD"))
    assert fm.align(apart, composed).substitutions == 1
    for form in ("nfc", "nfd", "nfkc", "nfkd"):
        on_request = fm.Normalisation(unicode=form)  # type: ignore[arg-type]
        assert fm.align(apart, composed, normalisation=on_request).edits == 0
        lattice = fm.Lattice.from_strings([apart.split()])
        assert fm.align(lattice, composed.split(), normalisation=on_request).edits == 0
        assert on_request.signature().startswith(f"unicode:{form}|")
    ignored = fm.Normalisation(unicode="nfc", ignore=frozenset({apart.split()[0]}))
    assert ignored.words(composed) == ["ole"]
    one_sided = fm.Normalisation(unicode="nfc", ignore_reference=frozenset({apart.split()[0]}))
    assert one_sided.of_references.words(composed) == ["ole"]
    assert "unicode" not in fm.Normalisation().signature()
    assert fm.Normalisation(unicode="nfkc").words(["a\u00b4b"]) == [
        "a",
        "\u0301b",
    ]  # an accent alone, as NFKC has it
    with pytest.raises(fm.FstmetricsError, match="unicode is one of"):
        fm.Normalisation(unicode="NFC")  # type: ignore[arg-type]


def test_normal_forms_on_the_command_line(tmp_path: Path) -> None:
    one, two = (written(tmp_path / form, unicodedata.normalize(form, "é\n")) for form in ("NFC", "NFD"))
    assert fstmetrics("score", str(one), str(two), "--json").summary["score"] == 1.0
    found = fstmetrics("score", str(one), str(two), "--json", "--normalise-unicode", "nfc").summary
    assert (found["score"], found["settings"]["unicode"]) == (0.0, "nfc")
    assert "unicode:nfc" in found["signature"]


def test_symbol_tables_of_windows_and_of_any_words(tmp_path: Path) -> None:
    """Byte order mark and CRLF are no part of words; words that look like files and addresses are words."""
    words = ["C:\\dir\\x", "/etc/passwd", "..\\..\\x", "\\\\server\\share", "http://x/", "|ls", "#0"]
    text = "<eps> 0\r\n" + "".join(f"{word}\t{n}\r\n" for n, word in enumerate(words, 1))
    table = written(tmp_path / "words.txt", b"\xef\xbb\xbf" + text.encode())
    arcs = [(n, n + 1, word, 0.0, 0.0) for n, word in enumerate(words)]
    labels = {word: n for n, word in enumerate(words, 1)}
    path = written(tmp_path / "x.lat", kaldi_binary("x", Drawn(arcs, {len(words): (0.0, 0.0)}), labels))
    assert list(fm.Lattice.read(path, symbols=table).best_path().words) == words
    written(table, b"<eps> 0\na 1\nb\xff 2\n")
    with pytest.raises(fm.InputError, match=r"words.txt: byte 13: not UTF-8 text"):
        fm.Lattice.read(path, symbols=table)


def test_sums_that_no_integer_holds() -> None:
    """Sizes and costs beyond 64 bits are refused, or searched lazily; nothing wraps around."""
    cards = [fm.Card.from_phrases("C0", ["a", "b"])]
    cards += [fm.Card.from_phrases(f"C{i}", [f"w{i} [C{i - 1}] [C{i - 1}]", f"v{i}"]) for i in range(1, 101)]
    network = fm.Network(cards, "C100")  # up to 2^101 words a path
    found = fm.align("w100 v99 v99", network)
    assert (found.edits, found.path_length) == (0, 3)
    with pytest.raises(fm.SearchError, match=r"do not fit exact integers"):
        fm.align("w100 v99 v99", network, "wrr")


# What a file may not do.


def test_no_file_names_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names of files, commands and addresses inside of inputs are words, or nothing."""
    monkeypatch.chdir(tmp_path)
    secret = written(Path("secret.txt"), "<eps> 0\nSECRET 1\n")
    slf = f"VERSION=1.0\nUTTERANCE={secret}\nlmname={secret}\nvocab=|touch\nN=2 L=1\nJ=0 S=0 E=1 W=1\n"
    path = written(tmp_path / "x.slf", slf)
    (item,) = read_items(path).items
    assert (item.id, best(item.value)) == ("x", "1")
    kaldi = f"{secret}\n0 1 1 1,2,\n1\n\n|touch\n0\n\n"
    items = read_items(written(tmp_path / "x.ark", kaldi)).items
    assert [item.id for item in items] == [str(secret), "|touch"]
    assert best(items[0].value) == "1"
    assert "SECRET" not in repr(items)


@pytest.mark.parametrize(
    "name",
    ["| touch owned", "touch owned |", "ark:x", "http://localhost/x", "$(touch owned)", "`touch owned`"],
)
def test_a_name_is_a_file_s_name(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    reference = written(tmp_path / "ref.txt", "a\n")
    for arguments in (
        ("score", str(reference), name),
        ("score", str(reference), str(reference), "--output", name),
    ):
        fstmetrics(*arguments)
        assert not (tmp_path / "owned").exists()


def test_ids_do_not_become_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records and reports of items with ids like ../../x are written where they were asked for, and nowhere else."""
    folder = tmp_path / "in" / "side"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    ids = ["../../out-1", "/tmp/fstmetrics-out-2", "C:\\out-3", "..", "a/b-4"]
    lines = "".join(f"{id} a b\n" for id in ids)
    written(folder / "ref.txt", lines), written(folder / "hyp.txt", lines)
    text = ("--format", "kaldi-text", "--ref-format", "kaldi-text")
    assert fstmetrics("score", "ref.txt", "hyp.txt", *text, "--alignment", "--output", "r.jsonl").status == 0
    assert fstmetrics("report", "r.jsonl").status == 0
    assert {str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*") if p.is_file()} == {
        "in/side/ref.txt", "in/side/hyp.txt", "in/side/r.jsonl", "in/side/r.html"}  # fmt: skip


def test_terminals_obey_no_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    reference, hypothesis = (
        written(tmp_path / "ref.txt", f"a {ESCAPE}r\n"),
        written(tmp_path / "hyp.txt", f"{ESCAPE}h b\n"),
    )
    shown = [
        fstmetrics("score", str(reference), str(hypothesis), *more).out
        for more in (("--alignment",), ("--nbest", "2"))
    ]
    fstmetrics("score", str(reference), str(hypothesis), "--alignment", "--output", "r.jsonl")
    shown += [fstmetrics(*command.split(), "r.jsonl").out for command in ("show", "errors")]
    for text in shown:
        assert "\x1b" not in text
        assert "\x07" not in text
    assert "\\x1b]0;owned" in shown[0]
    assert ESCAPE in json.loads((tmp_path / "r.jsonl").read_text())["hypothesis"][0]  # data stay as they are


def test_what_is_printable() -> None:
    assert printable("a\u202eb\x85\ud800\n") == "a\\u202eb\\x85\\ud800\\n"
    assert (
        printable("\u0646\u200c\u0645 👩\u200d👩 \u0301 ü 日本")
        == "\u0646\u200c\u0645 👩\u200d👩 \u0301 ü 日本"
    )


def test_reading_opens_no_other_file_and_starts_nothing(tmp_path: Path) -> None:
    """Every example is read under an audit hook that sees what is opened, run, imported or connected to."""
    code = """
import sys
from pathlib import Path
from fstmetrics.io import FORMATS, ReadOptions, read_items
import fstmetrics.data.network, fstmetrics.networks.text_form
sys.path.insert(0, sys.argv[2])
files = [p for p in Path(sys.argv[1]).rglob("*") if p.is_file()]
for path in files:  # once without the hook: what is imported is imported
    try: read_items(path)
    except ValueError: pass
allowed, seen = {str(p) for p in files}, []
def hook(event, arguments):
    if event == "open" and str(arguments[0]) not in allowed: seen.append((event, str(arguments[0])))
    if event.split(".")[0] in ("subprocess", "os", "socket", "shutil", "ctypes", "exec", "pickle", "marshal", "import"):
        if event not in ("os.listdir", "os.scandir"): seen.append((event, str(arguments)[:200]))
sys.addaudithook(hook)
for path in files:
    try: read_items(path)
    except ValueError: pass
assert not seen, seen[:5]
print(len(files))
"""
    outcome = subprocess.run(
        [sys.executable, "-c", code, str(EXAMPLES), str(HELPERS)], capture_output=True, text=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}, check=False,
    )  # fmt: skip
    assert outcome.returncode == 0, outcome.stderr
    assert int(outcome.stdout) > 5


def test_a_lattice_far_longer_than_the_reference() -> None:
    """Memory does not grow with the edits: 500 MB were taken here, and all there is for ten times the size."""
    code = """
import numpy as np
import fstmetrics as fm
n = 100_000
words = [f"w{i}" for i in range(1000)]
labels = np.random.default_rng(0).integers(0, 1000, 5 * n)
lattice = fm.Lattice.from_labels(np.repeat(np.arange(n), 5), np.repeat(np.arange(n) + 1, 5), labels, words, finals=[n])
lattice.prepared
before = peak()
options = [fm.SearchOptions(alignment=False, route=route) for route in ("auto", "topological")]
edits = [fm.align(lattice, words[:20], options=o).edits for o in options]
assert edits[0] == edits[1] >= n - 20, edits
print((peak() - before) // 1000)
"""
    outcome = subprocess.run(
        [sys.executable, "-c", OWN_PEAK + code], capture_output=True, text=True, check=False
    )
    assert outcome.returncode == 0, outcome.stderr
    assert sys.platform != "linux" or int(outcome.stdout) < 350, outcome.stdout
