"""`fstmetrics convert`: files, archives and folders, what it says, and that nothing half-written stays behind."""

from __future__ import annotations

import gzip
import tarfile
from pathlib import Path

import pytest
from command import Outcome, fstmetrics, written
from round_trips import apart

import fstmetrics as fm
from fstmetrics.readers import read_items

# Files that hold both costs apart, several lattices each, and no transition ids.
ARCHIVE = "u1\n0\t1\ta\t0.5,1.5,\n0\t1\tb\t0.25,2.0,\n1\t0.0,0.0,\n\nu2\n0\t1\tc\t1.0,0.0,\n1\t0.0,0.0,\n\n"


def convert(*arguments: object, stdin: bytes = b"") -> Outcome:
    return fstmetrics("convert", *arguments, stdin=stdin)


def refused(folder: Path, *arguments: object) -> str:
    """The one line of a refusal, which leaves no file behind."""
    before = sorted(folder.rglob("*"))
    outcome = convert(*arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("fstmetrics: ")
    assert outcome.err.count("\n") == 1
    assert sorted(folder.rglob("*")) == before
    return outcome.err


def test_folder_to_archive_to_folder(tmp_path: Path) -> None:
    archive, words, texts = (
        tmp_path / "all.ark.gz",
        tmp_path / "words.txt",
        written(tmp_path / "a.ark.txt", ARCHIVE),
    )
    for source, target, *options in (
        (texts, f"{tmp_path}/slf/", "--to", "slf"),
        (tmp_path / "slf", archive, "--write-symbols", words),
        (archive, f"{tmp_path}/att/", "--to", "att", "--symbols", words, "--scale", "lm=1"),
    ):
        outcome = convert(source, target, *options)
        assert (outcome.status, outcome.err) == (0, "")
    assert archive.read_bytes()[:2] == b"\x1f\x8b"
    expected = {item.id: apart(item.value) for item in read_items(texts).items}
    assert {item.id: apart(item.value) for item in read_items(archive, symbols=words).items} == expected
    assert sorted(path.name for path in (tmp_path / "att").iterdir()) == ["u1.fst.txt", "u2.fst.txt"]
    assert (tmp_path / "att" / "u2.fst.txt").read_text() == "0\t1\tc\t1.0\n1\t0.0\n"


def test_refusals_name_what_would_be_lost(tmp_path: Path) -> None:
    archive = written(tmp_path / "a.ark.txt", ARCHIVE)
    out = tmp_path / "out"
    loss = refused(tmp_path, archive, f"{out}.far")
    assert (
        "item u1: writing far would lose acoustic costs apart from graph costs; --lossy does it all the same"
        in loss
    )
    assert "--scale lm=1,acoustic=1 says how costs are to add up" in loss
    assert "more than one item (u1, u2, ...) in a format that holds one a file, slf" in refused(
        tmp_path, archive, f"{out}.slf"
    )
    assert "the format holds numbers, and 'a' is none: --write-symbols FILE" in refused(
        tmp_path, archive, f"{out}.ark"
    )
    assert "would lose ids, all paths but the best, costs" in refused(tmp_path, archive, f"{out}.txt")
    assert "the ending names no format that is written; give --to" in refused(tmp_path, archive, f"{out}.xyz")
    assert "--write-symbols is for formats that can hold numbers; slf holds words" in refused(
        tmp_path, archive, f"{out}/", "--to", "slf", "--write-symbols", tmp_path / "w"
    )
    assert "would overwrite the input" in refused(tmp_path, archive, archive)
    assert "expected lm=, acoustic= or word-penalty= and a number, not 'x=1'" in refused(
        tmp_path, archive, f"{out}.far", "--scale", "x=1"
    )
    kept = written(tmp_path / "full" / "file", "x") if (tmp_path / "full").mkdir() is None else None
    assert "is there already; give a folder that is new or empty" in refused(
        tmp_path, archive, tmp_path / "full", "--to", "slf"
    )
    assert kept is not None
    assert kept.read_text() == "x"


def test_losses_are_printed_with_lossy(tmp_path: Path) -> None:
    archive, out = written(tmp_path / "a.ark.txt", ARCHIVE), tmp_path / "out.txt"
    outcome = convert(archive, out, "--lossy")
    assert (outcome.status, out.read_text()) == (0, "a\nc\n")
    assert outcome.err.splitlines() == [
        "left out: ids (2 of 2 items)",
        "left out: all paths but the best (1 of 2 items)",
        "left out: costs (2 of 2 items)",
    ]
    transducer = written(tmp_path / "t.att", "0 1 x a 0.5\n1\n")
    assert "would lose input labels" in refused(tmp_path, transducer, tmp_path / "t.fst")


def test_transition_ids_are_not_lost_unseen(tmp_path: Path) -> None:
    """In every way in which an archive is read, and nowhere else."""
    with_ids = ARCHIVE.replace("1\t0.0,0.0,\n\nu2", "1\t0.0,0.0,3_1\n\nu2")
    with_ids_on_arcs = "u1\n0 1 7 a 0.5,1.5\n1 0,0\n\n"
    for text in (with_ids, with_ids_on_arcs):
        archive = written(tmp_path / "a.ark.txt", text)
        script = written(tmp_path / "a.scp", f"u1 {archive}:2\n")
        for source in (archive, f"ark:{archive}", f"scp:{script}"):
            assert "item u1: writing kaldi-lattice-text would lose transition ids;" in refused(
                tmp_path, source, tmp_path / "out.lats"
            )
    outcome = convert(written(tmp_path / "a.ark.txt", ARCHIVE), tmp_path / "b.lats")
    assert (outcome.status, outcome.err) == (0, "")


def test_times_and_features_are_not_lost_unseen(tmp_path: Path) -> None:
    slf = "VERSION=1.0\nN=2 L=1\nI=0 t=0.0\nI=1 t=0.5\nJ=0 S=0 E=1 W=a d=:x,1: p=0.5\n"
    for name, text, lost in (
        ("a.slf", slf, "times, posteriors, alignments"),
        ("a.nbest", "0 ||| a ||| lm: -1 ||| -2 ||| 0-0\n", "feature scores, word alignments"),
        (
            "a.seglst.json",
            '[{"session_id": "a", "words": "b", "speaker": "c", "start_time": 1}]',
            "speakers, times",
        ),
        ("a.cn", "a|X 0.5 b|Y 0.5\n\n", "factors"),
        ("a.stm", "a 1 x 0.0 1.0 b\n", "times"),
    ):
        message = refused(tmp_path, written(tmp_path / name, text), tmp_path / "out.lats")
        assert f"writing kaldi-lattice-text would lose {lost};" in message


def test_scale(tmp_path: Path) -> None:
    archive, out = written(tmp_path / "a.ark.txt", ARCHIVE), tmp_path / "out.far"
    assert convert(archive, out, "--scale", "lm=2,acoustic=0.5", "--scale", "word-penalty=1").err == ""
    first, second = (item.value for item in read_items(out).items)
    assert set(apart(first)) == {(("a",), ((2.75, 0.0),)), (("b",), ((2.5, 0.0),))}
    assert set(apart(second)) == {(("c",), ((3.0, 0.0),))}


def test_text_without_ids_gets_some(tmp_path: Path) -> None:
    text = written(tmp_path / "hyp.txt", "the  cat\n\nsat\n")
    outcome = convert(text, tmp_path / "hyp.trn")
    assert outcome.err == "the items have no ids; they are called hyp-000001, ...\n"
    assert (tmp_path / "hyp.trn").read_text() == "the cat (hyp-000001)\n(hyp-000002)\nsat (hyp-000003)\n"
    assert convert(text, "-", "--to", "plain").out == "the  cat\n\nsat\n"
    assert convert("-", "-", "--to", "kaldi-text", stdin=b"a b\n").out == "item-000001 a b\n"
    assert convert(text, "-", "--to", "nbest").out == "0 ||| the cat\n1 ||| \n2 ||| sat\n"


def test_names_of_files_come_from_ids_that_lead_nowhere_else(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for id in ("../x", "a/b", ".hidden", "..", "a\\b", "x" * 300):
        archive = written(tmp_path / "in" / "a.ark.txt", ARCHIVE.replace("u1", id))
        message = refused(tmp_path, archive, f"{tmp_path}/out/", "--to", "slf")
        assert "is no name for a file" in message


def test_the_same_id_twice(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    written(folder / "x.att", "0 1 a\n1\n")
    written(folder / "y.ark.txt", ARCHIVE.replace("u2", "x"))
    assert "the id 'x' comes twice" in refused(tmp_path, folder, tmp_path / "out.far", "--scale", "lm=1")


def test_damaged_in_the_middle_leaves_nothing(tmp_path: Path) -> None:
    archive = written(tmp_path / "a.ark.txt", ARCHIVE + "u3\n0\t1\td\t1.0\n\n")
    assert "a.ark.txt:" in refused(
        tmp_path, archive, tmp_path / "out.ark", "--write-symbols", tmp_path / "w.txt"
    )
    before = written(tmp_path / "kept.far", "kept")
    refused(tmp_path, archive, before, "--scale", "lm=1")
    assert before.read_text() == "kept"


def oracles(
    path: Path, references: dict[str, str], symbols: Path | None = None
) -> dict[str, tuple[int, float]]:
    """Oracle errors of every lattice, and the cost of its best path; items without ids go by the references' order."""
    items = read_items(path, symbols=symbols).items
    ids = [item.id for item in items] if items[0].id else list(references)
    return {
        id or "": (fm.oracle(item.value, references[id or ""]).edits, item.value.best_path().cost)
        for id, item in zip(ids, items, strict=True)
    }


# Formats one after the other, with what the command is told. Binary archives hold 32-bit floats, PFSG ten thousandths.
CHAIN = (
    ("x.ark", "--write-symbols", "words.txt"),
    ("slf/", "--to", "slf"),
    ("y.ark.txt.gz",),
    ("x.far", "--scale", "lm=1"),
    ("fst/", "--to", "openfst"),
    ("k2/", "--to", "k2", "--write-symbols", "words.txt"),
    ("att/", "--to", "att"),
    ("z.ark", "--to", "kaldi-lattice4", "--write-symbols", "words.txt"),
    ("json/", "--to", "network"),
    ("pfsg/", "--to", "pfsg"),
    ("out.plf", "--scale", "lm=0"),
)


def check_chain(source: Path, references: dict[str, str], folder: Path, symbols: Path | None = None) -> None:
    """The same oracle errors at every step, and the same costs of best paths while costs are carried."""
    before, read = oracles(source, references, symbols), source
    references = {id: references[id] for id in before}
    for number, (target, *options) in enumerate(CHAIN):
        out = folder / f"{number}-{target.rstrip('/')}"
        named = [str(folder / option) if option == "words.txt" else option for option in options]
        reading = [] if symbols is None else ["--symbols", str(symbols)]
        outcome = convert(read, f"{out}/" if target.endswith("/") else out, *reading, *named, "--lossy")
        assert outcome.status == 0, outcome.err
        symbols = folder / "words.txt" if "--write-symbols" in options else None
        found, read = oracles(out, references, symbols), out
        assert {id: errors for id, (errors, _) in found.items()} == {id: e for id, (e, _) in before.items()}
        for id, (_, cost) in found.items():
            assert cost == pytest.approx(0 if target == "out.plf" else before[id][1], rel=1e-5, abs=1e-3), (
                target
            )


def lines(path: Path) -> dict[str, str]:
    return {line.split()[0]: line.partition(" ")[2].strip() for line in path.read_text().splitlines()}


@pytest.mark.parametrize("system", ["mono", "tri1"])
def test_kaldi_lattices_keep_their_oracles(system: str, shared: Path, tmp_path: Path) -> None:
    folder = shared / "asr-kaldi-weather"
    check_chain(folder / system / "lat.2.gz", lines(folder / "ref.txt"), tmp_path, folder / "words.txt")


@pytest.mark.parametrize("kind", ["slf", "lat"])
def test_pocketsphinx_lattices_keep_their_oracles(kind: str, shared: Path, tmp_path: Path) -> None:
    folder, some = shared / "asr-pocketsphinx", tmp_path / "in"
    some.mkdir()
    for id in ("cards-002", "cards-005", "holmes01"):
        (some / f"{id}.{kind}").write_bytes(gzip.decompress((folder / f"{id}.{kind}.gz").read_bytes()))
    references = {
        id: text for id, text in lines(folder / "ref.txt").items() if (some / f"{id}.{kind}").exists()
    }
    check_chain(some, references, tmp_path)


def test_synthetic_lattices_keep_their_oracles(shared: Path, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    with tarfile.open(shared / "synthetic-lattices" / "lat-W025-A001000-00.tar.gz") as packed:
        packed.extractall(folder, filter="data")
    path = next(folder.rglob("lat.txt"))
    text = next(folder.rglob("ref.txt")).read_text().strip()
    (tmp_path / "in.att").write_bytes(path.read_bytes())
    check_chain(tmp_path / "in.att", {"in": text}, tmp_path, next(folder.rglob("syms.txt")))
