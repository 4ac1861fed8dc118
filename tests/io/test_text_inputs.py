"""Empty hypotheses, ends of files, ctm beside stm, and ids of a ctm made of lattices."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from command import HYTER, ORACLE, fstmetrics, written

from fstmetrics.io import FORMATS, ReadOptions, Source, read_items
from fstmetrics.support.errors import InputError

PLAIN, IDS, TRN = "a b\nc\n", "u-1 a b\nu-2 c\n", "a b (u-1)\nc (u-2)\n"
STM = "f 1 s 0 1 a b\nf 2 s 0 1 c\n"


@pytest.mark.parametrize("missing", ["error", "empty"])
@pytest.mark.parametrize(
    ("ref", "name", "nothing"),
    [
        (PLAIN, "h", b""), (PLAIN, "h", b"\n\n"), (PLAIN, "h", b"\n"), (PLAIN, "h.gz", gzip.compress(b"", mtime=0)),
        (IDS, "h", b""), (IDS, "h", b"\n\n\n"), (TRN, "h", b""), (TRN, "h.trn", b""), (TRN, "h.trn", b";; nothing\n"),
        (STM, "h.ctm", b""), (STM, "h", b""), (PLAIN, "h", b"\xef\xbb\xbf"),
    ],
)  # fmt: skip
def test_an_empty_hypothesis_file_is_nothing_said(
    ref: str, name: str, nothing: bytes, missing: str, tmp_path: Path
) -> None:
    paths = written(tmp_path / "r", ref), written(tmp_path / name, nothing)
    found = fstmetrics("score", *paths, "--missing", missing, "--json").summary
    assert (found["items"], found["deletions"], found["edits"]) == (2, 3, 3)
    assert (
        f"{paths[1]} {'holds blank lines only' if set(nothing) == {10} else 'is empty'}: "
        in found["remarks"][0]
    )
    assert fstmetrics("score", *paths, "--missing", "skip").status in (0, 2)  # blank lines may pair by order


def test_an_empty_system_beside_others(tmp_path: Path) -> None:
    ref, empty = written(tmp_path / "r", PLAIN), written(tmp_path / "e", "")
    found = fstmetrics(
        "compare", "--ref", ref, ref, empty, "--metric", "wer", "--samples", 9, "--json"
    ).summary
    assert [found["systems"][name]["wer"]["score"] for name in ("r", "e")] == [0, 1]
    assert fstmetrics("score", ref, empty, "--metric", "bleu", "--json").summary["score"] == 0
    assert (
        fstmetrics("score", ref, empty, "--ref", written(tmp_path / "s", "a\nb\n"), "--json").summary["edits"]
        == 2
    )


def test_nothing_against_networks_and_forests(tmp_path: Path) -> None:
    empty = written(tmp_path / "e", "")
    said, by_json = (
        fstmetrics("hyter", HYTER[0], empty).out,
        fstmetrics("hyter", HYTER[0], empty, "--json").summary,
    )
    assert by_json["items"] == len(list(Path(HYTER[0]).iterdir()))
    assert by_json["edits"] == by_json["deletions"] == by_json["path_length"] > 0
    assert f"{empty} is empty: " in said
    assert fstmetrics("hyter", HYTER[0], empty, "--missing", "skip").status == 2


@pytest.mark.parametrize("command", ["score {e} {r}", "score {r} {r} --ref {e}", "score {e} {e}", "mbr {e}",
                                     "oracle {r} {e}", "network build {e} -o o", "convert {e} o.trn"])  # fmt: skip
def test_other_empty_files_are_refused(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "r", PLAIN)
    written(tmp_path / "e", "")
    outcome = fstmetrics(*command.format(r="r", e="e").split())
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert outcome.err.startswith("fstmetrics: e: is empty")


# A last line without its end, in every format that nothing else closes.
CUT = {
    "plain": "a b\nc d",
    "kaldi-text": "u1 a b\nu2 c",
    "trn": "a b (u1)\nc (u2)",
    "stm": "f 1 s 0 1 a b\nf 1 s 1 2 c",
    "ctm": "f 1 0.1 0.2 a\nf 1 0.4 0.2 b",
    "nlp": "token|speaker|ts\na|1|\nb|1|",
    "nbest": "u1 ||| a b ||| ||| -1\nu1 ||| a ||| ||| -2.5",
    "nbest-kaldi": "u1 a b\nu1 a",
    "nbest-lines": "a b\na",
}


@pytest.mark.parametrize("name", CUT)
@pytest.mark.parametrize("packed", [False, True])
def test_a_missing_line_end_is_remarked(name: str, packed: bool, tmp_path: Path) -> None:
    said = ": the last line has no line end: make sure that the file is whole"
    for end in ("", "\n"):
        data = (CUT[name] + end).encode()
        path = written(tmp_path / ("x.gz" if packed else "x"), gzip.compress(data) if packed else data)
        assert [r for r in read_items(path, format=name).remarks if r.endswith(said)] == (
            [] if end else [f"{path}{said}"]
        )
    whole = FORMATS[name].read(Source("x", (CUT[name] + "\n").encode()), ReadOptions())
    cut = FORMATS[name].read(Source("x", CUT[name].encode()), ReadOptions())
    assert [item.value for item in whole] == [item.value for item in cut]


def test_a_missing_line_end_is_said_by_every_command(tmp_path: Path) -> None:
    said = ": the last line has no line end: make sure that the file is whole\n"
    ref, cut = written(tmp_path / "r", "a b\nc\n"), written(tmp_path / "h", "a b\nc")
    lists = written(tmp_path / "n", "0 ||| a b ||| ||| -1\n1 ||| c ||| ||| -2.5")
    for arguments in (("score", ref, cut), ("hyter", ref, cut), ("score", ref, cut, "--metric", "bleu"),
                      ("compare", "--ref", ref, cut, "--metric", "wer"), ("variants", cut, "--ref", ref)):  # fmt: skip
        assert f"{cut}{said}" in fstmetrics(*arguments).out, arguments
    assert f"{lists}{said}" in fstmetrics("oracle", ref, lists).out
    for arguments in (
        ("mbr", lists),
        ("convert", cut, tmp_path / "o.trn"),
        ("network", "build", cut, "-o", tmp_path / "o"),
    ):
        assert f"{arguments[-1] if arguments[0] == 'mbr' else cut}{said}" in fstmetrics(*arguments).err, (
            arguments
        )


@pytest.mark.parametrize("name", ["kaldi-text", "nbest", "nbest-kaldi"])
def test_blank_lines_at_the_end_do_not_count(name: str, tmp_path: Path) -> None:
    text = {"kaldi-text": "u-1 a\nu-2 b\n", "nbest": "u-1 ||| a\nu-1 ||| b\nu-2 ||| c\n"}.get(
        name, "u-1 a\nu-1 b\nu-2 c\n"
    )
    whole = [(item.id, item.value) for item in read_items(Source("x", text.encode()), format=name).items]
    for end in ("\n", "\n \n\n", "\r\n", "\n\t"):
        again = read_items(Source("x", (text + end).encode()), format=name).items
        assert [(item.id, item.value) for item in again] == whole
        if name != "kaldi-text":  # item by item, too
            ref, path = written(tmp_path / "r", "u-1 a\nu-2 c\n"), written(tmp_path / "x", text + end)
            assert fstmetrics("oracle", ref, path, "--format", name, "--json").summary["edits"] == 0
    middle = text.replace("\nu-2", "\n\nu-2")
    with pytest.raises(InputError, match=r"^x:\d: (blank line|expected `id)"):
        read_items(Source("x", middle.encode()), format=name)


@pytest.mark.parametrize(
    ("hyp", "missing", "counts"),
    [
        ("f 1 0.1 0.2 a\n", "empty", (2, 2, 0, 0)),
        ("f 1 0.1 0.2 a\n", "skip", (1, 1, 0, 1)),
        ("", "empty", (2, 3, 0, 0)),
        ("f 1 0.1 0.2 a\nf 1 0.4 0.2 b\nf 2 0.1 0.1 c\ng 1 0.1 0.2 x\n", "empty", (3, 0, 1, 0)),
        ("f 1 0.1 0.2 a\nf 1 0.4 0.2 b\nf 2 0.1 0.1 c\ng 1 0.1 0.2 x\n", "skip", (2, 0, 0, 1)),
        ("F 1 0.1 0.2 a\nF 1 0.4 0.2 b\nf 2 0.1 0.1 c\n", "error", (2, 0, 0, 0)),
    ],
)
def test_channels_that_are_missing(
    hyp: str, missing: str, counts: tuple[int, int, int, int], tmp_path: Path
) -> None:
    """Items, deletions, insertions, items left out. sclite scores missing words likewise (its tests 16_2 to 16_8), and
    refuses words without a segment."""
    paths = written(tmp_path / "r.stm", STM), written(tmp_path / "h.ctm", hyp)
    found = fstmetrics("score", *paths, "--missing", missing, "--json").summary
    assert tuple(found[name] for name in ("items", "deletions", "insertions", "skipped")) == counts
    assert found["settings"]["pairing"]["by"] == ("time" if hyp else "id")


@pytest.mark.skipif(shutil.which("sctk") is None, reason="no sctk here")
@pytest.mark.parametrize("hyp", ["f 1 0.1 0.2 a\n", "", "f 2 0.1 0.2 c\n", "f 1 0.1 -0.2 a\nf 2 0.1 0.2 c\n"])
def test_missing_channels_as_sclite_has_them(hyp: str, tmp_path: Path) -> None:
    ref, path = written(tmp_path / "r.stm", STM), written(tmp_path / "h.ctm", hyp)
    command = [
        "sctk",
        "sclite",
        "-r",
        "r.stm",
        "stm",
        "-h",
        "h.ctm",
        "ctm",
        "-o",
        "rsum",
        "stdout",
    ]  # long names would bend its tables
    report = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    row = next(line for line in report.splitlines() if re.match(r"\s*\| Sum +\|", line))
    _, words, correct, subs, dels, ins, *_ = map(int, re.findall(r"\d+", row))
    found = fstmetrics("score", ref, path, "--missing", "empty", "--metric", "sclite", "--json").summary
    names = ("path_length", "matches", "substitutions", "deletions", "insertions")
    assert tuple(found[name] for name in names) == (words, correct, subs, dels, ins)


def test_missing_channels_are_an_error_unless_asked(tmp_path: Path) -> None:
    paths = written(tmp_path / "r.stm", STM), written(tmp_path / "h.ctm", "f 1 0.1 0.2 a\n")
    assert fstmetrics("score", *paths).err == (
        "fstmetrics: no words for the segments of file f, channel 2: the words are of f 1 (--missing skip leaves such "
        "items out, --missing empty scores them against nothing)\n"
    )


def test_ignored_segments_are_left_out_of_nothing_too(tmp_path: Path) -> None:
    ref = written(tmp_path / "r.stm", STM + "f 1 s 1 2 IGNORE_TIME_SEGMENT_IN_SCORING\n")
    assert fstmetrics("score", ref, written(tmp_path / "h.ctm", ""), "--json").summary["items"] == 2


def test_a_word_of_negative_duration_is_read_with_a_remark(tmp_path: Path) -> None:
    """The middle of its time is before its beginning, as sclite has it: here it falls into the first segment."""
    ref = written(tmp_path / "r.stm", "f 1 s 0 1 a b\nf 1 s 1 2 c d\n")
    hyp = written(tmp_path / "h.ctm", "f 1 0.1 0.2 a\nf 1 1.1 -0.3 b\nf 1 1.1 0.3 c\nf 1 1.5 -0.01 d\n")
    found = fstmetrics("score", ref, hyp, "--json").summary
    assert found["edits"] == 0
    assert (
        f"{hyp}:2: the duration of this word and 1 more words is below 0, and is used as it is"
        in found["remarks"]
    )


def test_a_ctm_of_lattices_pairs_by_their_ids(tmp_path: Path) -> None:
    best, ref = tmp_path / "best.ctm", Path(ORACLE[0])
    assert fstmetrics("convert", ORACLE[1], best, "--lossy").status == 0
    found = fstmetrics("score", ref, best, "--json").summary
    assert found["edits"] == fstmetrics("oracle", *ORACLE, "--json").summary["one_best"]["edits"]
    ids = {line.split()[0] for line in ref.read_text().splitlines()}
    assert {item.id for item in read_items(best).items} == ids
    for name in ("best.trn", "best.txt2"):
        again = tmp_path / name
        assert fstmetrics("convert", best, again, "--lossy", "--to", "trn").status == 0
        assert {item.id for item in read_items(again, format="trn").items} == ids


@pytest.mark.parametrize(
    ("ctm", "ids"),
    [
        ("f 1 0.1 0.2 a\ng 1 0.1 0.2 b\n", ["f", "g"]),
        ("f A 0.1 0.2 a\ng A 0.1 0.2 b\n", ["f_A", "g_A"]),
        ("f 1 0.1 0.2 a\nf 2 0.1 0.2 b\n", ["f_1", "f_2"]),
    ],
)
def test_channels_have_ids_that_other_sides_have(ctm: str, ids: list[str], tmp_path: Path) -> None:
    path = written(tmp_path / "h.ctm", ctm)
    assert [item.id for item in read_items(path).items] == ids
    words = [item.given.texts[0].word for item in read_items(path).items]
    for names in (ids, [f"{line.split()[0]}_{line.split()[1]}" for line in ctm.splitlines()]):
        ref = written(
            tmp_path / "r.trn", "".join(f"{word} ({name})\n" for word, name in zip(words, names, strict=True))
        )
        assert fstmetrics("score", ref, path, "--json").summary["edits"] == 0
