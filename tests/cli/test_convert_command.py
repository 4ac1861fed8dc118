"""`fstmetrics convert`: files, archives and folders, what it says, and that nothing half-written stays behind."""

from __future__ import annotations

import gzip
import json
import random
import tarfile
from pathlib import Path
from typing import Any

import pytest
from command import EXAMPLES, Outcome, fstmetrics, written
from round_trips import apart

import fstmetrics as fm
from fstmetrics.convert import files as read_back
from fstmetrics.convert.files import READ_AS, WRITERS
from fstmetrics.data.lattice import word_automaton
from fstmetrics.io import read_items
from fstmetrics.io.file_format import by_beginning
from fstmetrics.io.formats.openfst_binary import far_pieces, vector_bytes
from fstmetrics.support.source import File

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
        "item u1: writing far would lose acoustic costs apart from graph costs; --lossy writes it without them"
        in loss
    )
    assert "--scale lm=1,acoustic=1 multiplies the costs and adds them up" in loss
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
        "written without ids (2 of 2 items)",
        "written without all paths but the best (1 of 2 items)",
        "written without costs (2 of 2 items)",
    ]
    transducer = written(tmp_path / "t.att", "0 1 x a 0.5\n1\n")
    assert "would lose input labels" in refused(tmp_path, transducer, tmp_path / "t.fst")
    transducer = written(tmp_path / "t.k2", "0 1 7 8 0.5\n1 2 -1 -1 0\n2\n")
    assert "would lose input labels" in refused(tmp_path, transducer, tmp_path / "t.fst")
    acceptor = written(tmp_path / "t.k2", "0 1 7 7 0.5\n1 2 -1 -1 0\n2\n")
    assert convert(acceptor, tmp_path / "t.fst").err == ""


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
        ("a.stm", "a 1 x 0.0 1.0 <O> b\n", "times, speakers, labels"),
    ):
        message = refused(tmp_path, written(tmp_path / name, text), tmp_path / "out.lats")
        assert f"writing kaldi-lattice-text would lose {lost};" in message


def test_costs_are_multiplied_by_scale(tmp_path: Path) -> None:
    archive, out = written(tmp_path / "a.ark.txt", ARCHIVE), tmp_path / "out.far"
    assert convert(archive, out, "--scale", "lm=2,acoustic=0.5", "--scale", "word-penalty=1").err == ""
    first, second = (item.value for item in read_items(out).items)
    assert set(apart(first)) == {(("a",), ((2.75, 0.0),)), (("b",), ((2.5, 0.0),))}
    assert set(apart(second)) == {(("c",), ((3.0, 0.0),))}


def test_text_without_ids_gets_some(tmp_path: Path) -> None:
    text = written(tmp_path / "hyp.txt", "the  cat\n\nsat\n")
    outcome = convert(text, tmp_path / "hyp.trn")
    assert outcome.err == "the items have no ids; their ids in OUT are hyp-000001, ...\n"
    assert (tmp_path / "hyp.trn").read_text() == "the cat (hyp-000001)\n(hyp-000002)\nsat (hyp-000003)\n"
    assert convert(text, "-", "--to", "plain").out == "the  cat\n\nsat\n"
    assert convert("-", "-", "--to", "kaldi-text", stdin=b"a b\n").out == "item-000001 a b\n"
    assert convert(text, "-", "--to", "nbest").out == "0 ||| the cat\n1 ||| \n2 ||| sat\n"


def test_ids_that_were_made_up_are_no_loss(tmp_path: Path) -> None:
    """There and back without --lossy; ids that say more are one, wherever they come."""
    text, back = written(tmp_path / "hyp.txt", "the cat\n\nsat\n"), tmp_path / "back.txt"
    for name in ("hyp.trn", "hyp.seglst.json"):
        assert convert(text, tmp_path / name).status == 0
        outcome = convert(tmp_path / name, back)
        assert outcome.status == 0
        assert outcome.err == "the ids only count the items (hyp-000001, ...) and are left out\n"
        assert back.read_text() == text.read_text()
        back.unlink()
    for ids in (
        ("hyp-000001", "hyp-000003"), ("hyp-000002", "hyp-000003"), ("a-000001", "b-000002"), ("x", "y"),
        ("hyp-000001", "x"), ("hyp-1", "hyp-2"), ("hyp-000001", "hyp-0000002"),
    ):  # fmt: skip
        trn = written(tmp_path / "other.trn", "".join(f"a ({id})\n" for id in ids))
        assert "would lose ids" in refused(tmp_path, trn, back)
        outcome = convert(trn, tmp_path / "lossy.txt", "--lossy")
        assert "written without ids" in outcome.err
        assert "only count" not in outcome.err


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


# A word that a format cannot write, as it means something else there.
MARKS = {"nbest": "|||", "far-cards": "[S]", "pfsg": "NULL"}


@pytest.mark.parametrize(("name", "mark"), MARKS.items())
def test_what_cannot_be_written_is_named_with_its_file_and_item(name: str, mark: str, tmp_path: Path) -> None:
    """Of several items, files and archives the one that it is."""
    machines = {}
    for id, word in (("u1", "fine"), ("u2", mark)):
        automaton, symbols = word_automaton([(0, 1, word)], 2, 0, [1])
        machines[id] = vector_bytes(automaton, symbols=symbols)
    archive, folder = tmp_path / "all.far", tmp_path / "in"
    archive.write_bytes(b"".join(far_pieces(machines.items())))
    folder.mkdir()
    for id, data in machines.items():
        (folder / f"{id}.fst").write_bytes(data)
    numbers = ["--write-symbols", tmp_path / "words"] if WRITERS[name].carries.numbers == "always" else []
    options = ["--to", name, *numbers, "--lossy"]
    for source, file in ((archive, archive), (folder, folder / "u2.fst")):
        targets = [f"{tmp_path}/out/", *([tmp_path / "out"] if WRITERS[name].carries.several else [])]
        for target in targets:
            message = refused(tmp_path, source, target, *options)
            assert message.startswith(f"fstmetrics: {file}: item u2: "), target
            assert repr(mark) in message, message


def test_costs_and_names_of_files_are_named_too(tmp_path: Path) -> None:
    archive = written(tmp_path / "a.ark.txt", ARCHIVE.replace("1.0,0.0", "-22.5,0.0"))
    for name in ("plf", "srilm-mesh", "moses-cn"):
        message = refused(tmp_path, archive, f"{tmp_path}/o/", "--to", name, "--lossy")
        assert message.startswith(f"fstmetrics: {archive}: item u2: a cost ")
    archive = written(tmp_path / "a.ark.txt", ARCHIVE.replace("u2", "x/y"))
    message = refused(tmp_path, archive, f"{tmp_path}/o/", "--to", "slf")
    assert message.startswith(f"fstmetrics: {archive}: the id 'x/y' is no name for a file")


@pytest.mark.parametrize("name", WRITERS)
def test_files_are_recognised_or_said_to_be_misleading(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Words and numbers that other formats have, under a name that says nothing."""
    rng, told, is_certain = random.Random(name), 0, False
    words = ["|||", "1", "0", "1.0", "0.5", "7", "u-1", "u-2", "J=0", "(u)", "[x]", "a"]
    numbers = ["--write-symbols", tmp_path / "words"] if WRITERS[name].carries.numbers == "always" else []
    for number in range(40):
        several = rng.randint(1, 3) if WRITERS[name].carries.several else 1
        lines = [" ".join(rng.choices(words, k=rng.randint(1, 6))) for _ in range(several)]
        source = written(tmp_path / "in.txt", "".join(line + "\n" for line in lines))
        if name == "stm":  # which says who speaks, and when
            turns = [segment("s", "x", at, at + 1, line) for at, line in enumerate(lines)]
            source = written(tmp_path / "in.json", json.dumps(turns))
        target = tmp_path / f"{number}.x"
        form = "seglst" if name == "stm" else "plain"
        outcome = convert(source, target, "--format", form, "--to", name, "--lossy", *numbers)
        if outcome.status == 2:
            assert "word" in outcome.err or "parts the fields" in outcome.err or "all words" in outcome.err
            continue
        form = READ_AS[name].name
        remark = f"{target}: its content may be recognised as another format; read it with --format {form}"
        try:
            found = read_items(target).formats == (form,)
        except fm.InputError as error:  # as what it is not
            found = bool(numbers) and "symbol" in str(error)
        assert (remark in outcome.err) == (not found), outcome.err
        told += not found
        is_certain = by_beginning(File(str(target)).head()) is READ_AS[name]
    if is_certain:
        assert told == 0
        monkeypatch.setattr(read_back, "MAX_KEPT", 300)
        long = written(tmp_path / "in.txt", "a b c " * 1000 + "\n")
        assert (
            "may be recognised" not in convert(long, tmp_path / "l.x", "--to", name, "--lossy", *numbers).err
        )


def test_a_folder_of_misleading_files(tmp_path: Path) -> None:
    text = written(tmp_path / "in.txt", "a b\n1 2 3\n")
    outcome = convert(text, f"{tmp_path}/out/", "--to", "nbest-kaldi")
    assert (
        f"{tmp_path}/out/in-000001.nbest-kaldi: its content may be recognised as another format"
        in outcome.err
    )
    assert outcome.err.count("may be recognised") == 1


def test_scales_that_a_format_has_no_room_for(tmp_path: Path) -> None:
    """The refusal offers the file's own, and with them the best path stays."""
    source = EXAMPLES / "oracle" / "lattices" / "holmes01.slf.gz"
    slf, out = tmp_path / "s.slf", tmp_path / "o.ark.txt"
    assert fstmetrics("convert", source, slf, "--lossy").status == 0
    text = slf.read_text()
    slf.write_text(
        text.replace("lmscale=1 ", "lmscale=14 ") if "lmscale=1 " in text else f"lmscale=14\n{text}"
    )
    scaled = fm.Lattice.read(slf)
    assert scaled.scales.lm == 14
    refused = fstmetrics("convert", slf, out).err
    advice = refused.split("--scale ")[1].split()[0]
    assert advice == "lm=14,acoustic=1"
    told = fstmetrics("convert", slf, out, "--lossy").err
    assert (
        "written without the file's own scales (lm=14,acoustic=1), by which the costs are multiplied" in told
    )
    assert fm.Lattice.read(out).best_path().words == scaled.best_path().words
    assert fstmetrics("convert", slf, out, "--scale", advice, "--lossy").status == 0
    assert fm.Lattice.read(out).best_path().words == scaled.best_path().words


def test_a_damaged_lattice_in_a_pipe_loses_none_behind_it(tmp_path: Path) -> None:
    """What comes through a pipe is read as its file is."""
    lines = ARCHIVE + ARCHIVE.replace("u1", "u3").replace("u2", "u4")
    damaged = lines.replace("u2\n0\t1\tc\t1.0", "u2\n0\t1\tc\tx").encode()
    refused = convert("-", tmp_path / "o.ark.txt", "--lossy", stdin=damaged)
    assert (refused.status, refused.out, list(tmp_path.iterdir())) == (2, "", [])
    assert "-:7: a cost is a number, not 'x'" in refused.err
    held = written(tmp_path / "all.ark.txt", damaged.decode())
    told = {}
    for name, stdin in ((str(held), b""), ("-", damaged)):
        done = convert(name, tmp_path / "o.ark.txt", "--lossy", "--keep-going", stdin=stdin)
        assert done.status == 1
        told[name] = done.err.replace(name, "FILE")
        assert [item.id for item in read_items(tmp_path / "o.ark.txt").items] == ["u1", "u3", "u4"]
    assert told["-"].replace(":7: ", "") == told[str(held)].replace(":7: ", "")


def segment(session: str, speaker: str, begin: float, end: float, words: str) -> dict[str, Any]:
    return {"session_id": session, "speaker": speaker, "start_time": begin, "end_time": end, "words": words}


TURNS = [
    segment("m1", "A", 0.0, 3.125, "good morning"), segment("m1", "B", 2.5, 4.0, "<unk> don't a/b"),
    segment("m2", "A", 0.0, 1.0, ""), segment("m2", "A", 7.0, 8.0, "bye"),
]  # fmt: skip


def test_speakers_and_times_go_from_seglst_to_stm_and_back(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref.seglst.json", json.dumps(TURNS))
    heard = [{**turn, "words": turn["words"].replace("good", "god"), "speaker": "1"} for turn in TURNS]
    hyp = written(tmp_path / "hyp.seglst.json", json.dumps(heard))
    expected = fstmetrics("speakers", ref, hyp, "--metric", "tcpwer", "--json").summary
    assert expected["edits"] > 0
    for made in (".stm", ".seglst.json", ".stm"):
        sides = [tmp_path / f"{name}{made}" for name in ("ref", "hyp")]
        for source, target in zip((ref, hyp), sides, strict=True):
            assert source == target or convert(source, target).err == ""
        ref, hyp = sides
        found = fstmetrics("speakers", ref, hyp, "--metric", "tcpwer", "--json").summary
        assert {name: found[name] for name in ("edits", "path_length")} == {
            name: expected[name] for name in ("edits", "path_length")
        }
    assert (tmp_path / "ref.stm").read_text() == (
        "m1 1 A 0.00 3.125 good morning\nm1 1 B 2.50 4.00 <> <unk> don't a\\/b\n"
        "m2 1 A 0.00 1.00\nm2 1 A 7.00 8.00 bye\n"
    )
    convert(tmp_path / "ref.stm", tmp_path / "again.json", "--to", "seglst")
    again = json.loads((tmp_path / "again.json").read_text())
    assert [{k: v for k, v in turn.items() if k != "channel"} for turn in again] == TURNS


def test_meeteval_reads_segments_as_they_were(tmp_path: Path) -> None:
    meeteval = pytest.importorskip("meeteval")
    ref = written(
        tmp_path / "ref.seglst.json", json.dumps([turn for turn in TURNS if "/" not in turn["words"]])
    )
    for name in ("made.seglst.json", "made.stm"):
        assert convert(ref, tmp_path / name).err == ""
        kind = meeteval.io.STM if name.endswith(".stm") else meeteval.io.SegLST
        found = kind.load(tmp_path / name).to_seglst()
        said = [
            (t["session_id"], t["speaker"], float(t["start_time"]), float(t["end_time"]), t["words"])
            for t in found
        ]
        assert said == [tuple(turn.values()) for turn in json.loads(ref.read_text())]


@pytest.mark.parametrize(
    ("content", "lost"),
    [
        ("id,session,speaker,start,end,text\nu1,m1,A,0,3,a b\n", "ids"),
        ("id,session,speaker,start,end,text\nm1_7,m1,A,0,3,a b\n", ""),
        ("id,session,speaker,start,end,text\nm10_3,m1,A,0,3,a b\n", "ids"),
        ("id,session,speaker,start,end,text\nm1b,m1,A,0,3,a b\n", "ids"),
        ("id,session,speaker,start,end,text\nm1,m1,A,0,3,a b\n", ""),
        ("id,session,speaker,start,end,text\n7-12,7,A,0,3,a b\n", ""),
        ("session_id,speaker,start_time,end_time,words\nm1,A,0,3,a b\n", ""),
        ("id,session,speaker,start,duration,text\nm1_7,m1,A,0,3,a b\n", ""),
        ("id,session,speaker,start,end,duration,text\nm1_7,m1,A,0,3,2.95,a b\n", ""),  # rounded
    ],
)
@pytest.mark.parametrize("name", ["out.stm", "out.seglst.json"])
def test_tables_of_turns_become_stm_and_seglst(content: str, lost: str, name: str, tmp_path: Path) -> None:
    table, out = written(tmp_path / "t.csv", content), tmp_path / name
    if lost:
        assert f"would lose {lost};" in refused(tmp_path, table, out)
    found = convert(table, out, *(["--lossy"] if lost else []))
    assert "left out" not in found.err
    assert "no ids" not in found.err
    (item,) = read_items(out)
    assert (item.fields["speaker"], item.fields["start"], item.fields["end"]) == ("A", 0.0, 3.0)
    assert item.value == ("a", "b")


@pytest.mark.parametrize(
    ("columns", "options", "left_out"),
    [
        ("session,recording,speaker,start,end", "", "recording"),
        ("recording,session,speaker,spk,start,end,duration,offset", "", "recording, spk, offset"),
        ("recording,speaker,start,end,mood", "", "mood"),
        ("file,spk,start,end,duration,channel", "", ""),
        ("rec,who,start,end", "session=rec,speaker=who", ""),
    ],
)
@pytest.mark.parametrize("to", ["stm", "seglst"])
def test_columns_that_turns_have_no_place_for_are_named(
    columns: str, options: str, left_out: str, to: str, tmp_path: Path
) -> None:
    values = {"start": "1", "end": "3", "duration": "2", "offset": "0", "session": "m1"}
    cells = [
        values.get(name, "m1" if name in ("file", "rec", "recording") else "x") for name in columns.split(",")
    ]
    table = written(tmp_path / "t.csv", f"id,{columns},text\nm1_1,{','.join(cells)},a b\n")
    done = convert(table, tmp_path / "o", "--to", to, *(["--fields", options] if options else []))
    assert done.status == 0, done.err
    assert [line for line in done.err.splitlines() if "left out" in line] == (
        [f"{table}: left out: {left_out}"] if left_out else []
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            '[{"session_id": "s", "words": "a"}]',
            "stm has a speaker of each segment, one word, and here is none",
        ),
        (
            json.dumps([segment("s 1", "A", 0, 1, "a")]),
            "stm has a recording of each segment, one word, and here is 's 1'",
        ),
        (json.dumps([segment(";;s", "A", 0, 1, "a")]), "stm has a recording of each segment, one word"),
        (
            '[{"session_id": "s", "speaker": "A", "words": "a"}]',
            "stm has the begin and the end of each segment",
        ),
    ],
)
def test_segments_that_stm_does_not_hold(content: str, message: str, tmp_path: Path) -> None:
    assert message in refused(tmp_path, written(tmp_path / "s.seglst.json", content), tmp_path / "o.stm")


@pytest.mark.parametrize("name", ["out.stm", "out.seglst.json"])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("id,speaker,start,end,text\nu1,A,0,3,a b\n", "of each segment"),
        ("id,session,speaker,start,end,text\nm1,m1,A,3,2,a b\n", "it ends at 2, before it begins at 3"),
        ("id,session,speaker,start,duration,text\nm1,m1,A,3,-1,a b\n", "it ends at 2, before it begins at 3"),
        (
            "id,session,speaker,start,end,duration,text\nm1,m1,A,2,5,9,a b\n",
            "it begins at 2 and ends at 5, and its duration is 9",
        ),
        (
            "id,session,speaker,start,start_time,end,text\nm1,m1,A,2,0,5,a b\n",
            "it has start 2 and start_time 0",
        ),
        ("id,session,speaker,start,end,end_time,text\nm1,m1,A,2,5,6,a b\n", "it has end 5 and end_time 6"),
    ],
)
def test_turns_of_no_recording_or_no_stretch_are_refused(
    content: str, message: str, name: str, tmp_path: Path
) -> None:
    assert message in refused(tmp_path, written(tmp_path / "t.csv", content), tmp_path / name)


def said(start: float, end: float, text: str, **more: Any) -> dict[str, Any]:
    return {"start": start, "end": end, "text": text, **more}


WORDS = [
    {"word": " hello", "start": 1.0, "end": 1.4, "probability": 0.9},
    {"word": " there", "start": 1.5, "end": 2.0},
]
RECORDING = {
    "text": " hello there good day hello there",
    "segments": [
        said(1.0, 4.0, " hello there", speaker="A"), said(3.5, 6.0, " good day", speaker="B"),
        said(3.5, 6.0, " hello there", speaker="A"),
    ],
}  # fmt: skip
REFERENCE = "r 1 A 1 4 hello there\nr 1 B 3.5 6 good day\nr 1 A 3.5 6 hello there\n"


@pytest.mark.parametrize("to", ["stm", "seglst"])
@pytest.mark.parametrize("whole", [RECORDING, {"segments": RECORDING["segments"]}])
def test_segments_of_recordings_are_written_as_turns(whole: Any, to: str, tmp_path: Path) -> None:
    """As speakers reads them."""
    hyp, ref = written(tmp_path / "r.json", json.dumps(whole)), written(tmp_path / "ref.stm", REFERENCE)
    assert convert(hyp, tmp_path / "o", "--to", to).err == ""
    for side in (hyp, tmp_path / "o"):
        found = fstmetrics("speakers", ref, side, "--metric", "tcpwer", "--json").summary
        assert (found["edits"], found["path_length"]) == (0, 6)


def test_times_of_words_are_named_where_segments_are_turns(tmp_path: Path) -> None:
    whole = {"text": "hello there", "segments": [said(1, 4, "hello there", speaker="A", words=WORDS)]}
    for recording in (whole, {**whole, "segments": [said(1, 4, "hello there", speaker="A")], "words": WORDS}):
        source = written(tmp_path / "r.json", json.dumps(recording))
        message = refused(tmp_path, source, tmp_path / "o.stm")
        assert "would lose times of words" in message
        convert(source, tmp_path / "o.stm", "--lossy")
        assert (tmp_path / "o.stm").read_text() == "r 1 A 1.00 4.00 hello there\n"
        (tmp_path / "o.stm").unlink()


@pytest.mark.parametrize("to", ["stm", "seglst"])
def test_segments_without_speakers_are_turns_of_nobody(to: str, tmp_path: Path) -> None:
    segments = [{k: v for k, v in each.items() if k != "speaker"} for each in RECORDING["segments"]]  # type: ignore[attr-defined]
    hyp = written(tmp_path / "r.json", json.dumps({"segments": segments}))
    if to == "stm":
        assert "stm has a speaker of each segment" in refused(tmp_path, hyp, tmp_path / "o", "--to", to)
        return
    assert convert(hyp, tmp_path / "o", "--to", to).err == ""
    turns = json.loads((tmp_path / "o").read_text())
    assert turns[1] == {"session_id": "r", "start_time": 3.5, "end_time": 6.0, "words": "good day"}


VTT = "WEBVTT\n\n00:01.000 --> 00:04.000\n{}hello there\n"
RECORD = {
    "id": "m1", "metric": "wer", "hypothesis": ["hello", "there"],
    "signature": "fstmetrics|metric:wer|unit:word|case:mixed|punctuation:kept|tok:none|refs:1",
}  # fmt: skip
RECORD_LINE = json.dumps(RECORD) + "\n"
SPOKEN_LINE = json.dumps(RECORD | {"fields": {"speaker": "A", "start": 0.0}}) + "\n"
OTHER_LINE = json.dumps(RECORD | {"fields": {"mood": "x", "duration": 2.0}}) + "\n"
HAS_WORDS = json.dumps({"segments": [said(1, 4, "hello there", words=WORDS)]})
IS_OPEN = json.dumps({"text": "hello there", "chunks": [{"timestamp": [1.0, None], "text": "hello there"}]})
LEXEMES = "SPEAKER r 1 0 2 <NA> <NA> A 1\nLEXEME r 1 0.5 0.5 hello lex A 1\n"
HELD = [
    # name, content, what text loses, what SegLST loses
    ("r.json", json.dumps(RECORDING), "times, speakers", ""),
    ("r.json", HAS_WORDS, "times, confidences", "times of words, confidences"),
    ("r.json", IS_OPEN, "times", "times"),
    ("r.json", json.dumps({"text": "hello there"}), "", ""),
    ("r.json", json.dumps({"text": "hello there", "language": "en", "duration": 2.0}), "", ""),
    ("r.vtt", VTT.format("<v Anna>"), "times, speakers", "times, speakers"),
    ("r.vtt", VTT.format("<i>"), "times", "times"),
    ("r.srt", "1\n00:00:01,000 --> 00:00:04,000\nhello there\n", "times", "times"),
    ("r.txt", "[0.00s -> 1.50s] hello there\n", "times", "times"),
    ("r.txt", "(00:00) hello there\n(00:02) good day\n", "times", "times"),
    ("r.rttm", LEXEMES, "times, speakers", ""),
    ("r.mlf", '#!MLF!#\n"*/r.lab"\n0 10 hello -1.5\n.\n', "scores of words, times", "scores of words, times"),
    ("r.mlf", '#!MLF!#\n"*/r.lab"\nhello\n12\n.\n', "", ""),
    ("r.log", 'r.wav\n{"text": "hello", "timestamps": [0.1]}\n', "times", "times"),
    ("r.log", 'r.wav\n{"text": "hello", "timestamps": []}\n', "", ""),
    ("r.jsonl", SPOKEN_LINE, "speakers, times", "speakers, times"),
    ("r.jsonl", OTHER_LINE, "", ""),
    ("r.jsonl", RECORD_LINE, "", ""),
]


@pytest.mark.parametrize(("name", "content", "text_loses", "seglst_loses"), HELD)
def test_times_and_speakers_are_written_or_named(
    name: str, content: str, text_loses: str, seglst_loses: str, tmp_path: Path
) -> None:
    source = written(tmp_path / name, content)
    for to, loses in (("kaldi-text", text_loses), ("trn", text_loses), ("seglst", seglst_loses)):
        if loses:
            assert f"writing {to} would lose {loses};" in refused(
                tmp_path, source, tmp_path / "o", "--to", to
            )
        done = convert(source, tmp_path / "o", "--to", to, *["--lossy"] * bool(loses))
        assert done.status == 0, done.err
        for what in filter(None, loses.split(", ")):
            assert f"written without {what} (" in done.err
        assert ("written without" in done.err) == bool(loses)
        assert "hello" in (tmp_path / "o").read_text()


@pytest.mark.parametrize(
    ("files", "text_loses"),
    [
        ({"utt2spk": "u1 A\nu2 B\n", "segments": "u1 r 0 1.5\nu2 r 1.5 3\n"}, "speakers, times"),
        ({"utt2spk": "u1 A\nu2 B\n"}, "speakers"),
        ({"utt2dur": "u1 1.5\nu2 1.5\n"}, ""),
    ],
)
def test_fields_of_a_data_folder_are_written_or_named(
    files: dict[str, str], text_loses: str, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    for name, content in {"text": "u1 hello there\nu2 good day\n", **files}.items():
        written(tmp_path / "data" / name, content)
    if text_loses:
        message = refused(tmp_path, tmp_path / "data", tmp_path / "o.trn")
        assert f"writing trn would lose {text_loses};" in message
    assert convert(tmp_path / "data", tmp_path / "o.trn", *["--lossy"] * bool(text_loses)).status == 0
    is_cut = "segments" in files
    done = convert(tmp_path / "data", tmp_path / "o.json", "--to", "seglst", *["--lossy"] * is_cut)
    assert [line for line in done.err.splitlines() if "without" in line] == [
        "written without ids (2 of 2 items)"
    ] * is_cut
    assert [turn.get("speaker") for turn in json.loads((tmp_path / "o.json").read_text())] == (
        ["A", "B"] if "utt2spk" in files else [None, None]
    )


def test_segments_of_a_manifest_are_of_its_recordings(tmp_path: Path) -> None:
    rows = [
        {"audio_filepath": "a/m1.wav", "offset": at, "duration": 0.1, "speaker": who, "text": text}
        for at, who, text in ((0.7, "B", "yes"), (0.8, "A", "no"))
    ]
    manifest = written(tmp_path / "n.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    convert(manifest, tmp_path / "n.stm")
    assert (tmp_path / "n.stm").read_text() == "m1 1 B 0.70 0.80 yes\nm1 1 A 0.80 0.90 no\n"
    ctm = written(tmp_path / "n.ctm", "m1 1 0.71 0.08 yes\nm1 1 0.81 0.08 no\n")
    assert fstmetrics("score", tmp_path / "n.stm", ctm, "--json").summary["edits"] == 0


def manifest_of(recordings: list[tuple[str, float]], **more: Any) -> str:
    """Rows of a manifest, each of another speaker."""
    rows = [
        {
            "audio_filepath": file,
            "offset": at,
            "duration": 1.0,
            "speaker": f"S{n}",
            "text": f"word {n}",
            **more,
        }
        for n, (file, at) in enumerate(recordings)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.mark.parametrize("to", ["stm", "seglst"])
@pytest.mark.parametrize(
    ("recordings", "names"),
    [
        ([("day1/001.wav", 0.0), ("day2/001.wav", 0.5)], "'001': day1/001.wav and day2/001.wav"),
        ([("day1/001.wav", 0.0), ("day2/001.wav", 0.0)], "'001': day1/001.wav and day2/001.wav"),
        ([("a/x.wav", 0.0), ("a/y.wav", 0.0), ("b/x.flac", 9.0)], "'x': a/x.wav and b/x.flac"),
        ([("a/x.wav", 0.0), ("a/y.wav", 0.0), ("a/x.wav", 1.0)], ""),
        ([("spk1/v1/1.wav", 0.0), ("spk1/v1/2.wav", 0.0), ("spk2/v1/3.wav", 0.0)], ""),
    ],
)
def test_recordings_of_one_name_are_not_made_one(
    recordings: list[tuple[str, float]], names: str, to: str, tmp_path: Path
) -> None:
    manifest = written(tmp_path / "m.jsonl", manifest_of(recordings))
    if names:
        for options in ((), ("--lossy",)):
            message = refused(tmp_path, manifest, tmp_path / "o", "--to", to, *options)
            assert f"two recordings are called {names}, and turns have no folder" in message
        several = convert(manifest, tmp_path / "kept", "--to", to, "--keep-going")
        assert (several.status, f"called {names}" in several.err) == (1, True)
        assert len(read_items(tmp_path / "kept").items) == len(recordings) - 1
        manifest = written(tmp_path / "m.jsonl", manifest_of(recordings, session="one"))  # whoever says so
    assert convert(manifest, tmp_path / "o", "--to", to, "--lossy").status == 0
    assert len(read_items(tmp_path / "o", format=to).items) == len(recordings)


def test_recordings_of_one_name_named_apart_score_as_they_did(tmp_path: Path) -> None:
    """The advice of the refusal."""
    rows = [json.loads(line) for line in manifest_of([("a/1.wav", 0.0), ("b/1.wav", 0.0)]).splitlines()]
    named = "".join(json.dumps(row | {"session": row["audio_filepath"]}) + "\n" for row in rows)
    ref = written(tmp_path / "ref.jsonl", named)
    hyp = written(tmp_path / "hyp.jsonl", named.replace("S", "T").replace('"text"', '"pred_text"'))
    for side in (ref, hyp):
        assert convert(side, side.with_suffix(".stm")).status == 0
    found = fstmetrics("speakers", tmp_path / "ref.stm", tmp_path / "hyp.stm", "--json").summary
    assert (found["edits"], found["path_length"], found["sessions"]) == (0, 4, ["a/1.wav", "b/1.wav"])


@pytest.mark.parametrize("to", ["stm", "seglst"])
@pytest.mark.parametrize(
    ("rows", "twice"),
    [
        ("m1_1,m1,A,1.5,1.6,a b\nm1_2,m1,A,1.5,1.6,a b\n", True),
        ("m1_1,m1,A,1.5,1.6,\nm1_2,m1,B,1,2,c\nm1_3,m1,A,1.5,1.6,\n", True),
        ("m1_1,m1,A,1.5,1.6,a b\nm1_2,m1,B,1.5,1.6,a b\n", False),
        ("m1_1,m1,A,1.5,1.6,a b\nm1_2,m1,A,1.5,1.6,c\n", False),
        ("m1_1,m1,A,1.5,1.6,a b\nm2_2,m2,A,1.5,1.6,a b\n", False),
        ("m1_1,m1,A,1.5,1.6,a b\nm1_2,m1,A,1.6,1.7,a b\n", False),
    ],
)
def test_what_is_written_of_turns_can_be_read(rows: str, twice: bool, to: str, tmp_path: Path) -> None:
    table = written(tmp_path / "t.csv", f"id,session,speaker,start,end,text\n{rows}")
    out = tmp_path / "o"
    if twice:
        assert "m1_1 has the same speaker, times (or none) and words" in refused(
            tmp_path, table, out, "--to", to
        )
    assert convert(table, out, "--to", to, *["--keep-going"] * twice).status == twice
    expected = fstmetrics("speakers", table, table, "--metric", "tcpwer", "--json").summary
    found = fstmetrics("speakers", out, out, "--metric", "tcpwer", "--json").summary
    assert found["edits"] == 0
    assert found["path_length"] == expected["path_length"] - 2 * (rows.count("a b") > 1) * twice


def test_the_first_alternative_with_words_is_kept(tmp_path: Path) -> None:
    trn = written(tmp_path / "a.trn", "{ a / @ } y (u1)\n{ b c / d } { @ / e } (u2)\n")
    convert(trn, tmp_path / "a", "--to", "kaldi-text", "--lossy")
    assert (tmp_path / "a").read_text() == "u1 a y\nu2 b c e\n"


@pytest.mark.parametrize("to", ["plain", "kaldi-text", "seglst", "nbest"])
def test_words_that_a_reference_may_leave_out_become_words(to: str, tmp_path: Path) -> None:
    for source in (
        written(tmp_path / "a.stm", "m 1 A 0 1 hello (uh) there\n"),
        written(tmp_path / "a.trn", "hello (uh) there (m)\n"),
    ):
        message = refused(tmp_path, source, tmp_path / "o", "--to", to)
        assert "the parentheses of (word), which a reference may leave out" in message
        done = convert(source, tmp_path / "o", "--to", to, "--lossy")
        assert "written without the parentheses of (word), which a reference may leave out (1 of" in done.err
        assert "alternatives" not in done.err
        assert "hello uh there" in (tmp_path / "o").read_text()
        (tmp_path / "o").unlink()


def test_segments_that_are_not_scored_stay_so_or_are_named(tmp_path: Path) -> None:
    stm = written(tmp_path / "a.stm", "m 1 A 0 1 IGNORE_TIME_SEGMENT_IN_SCORING\nm 1 A 1 2 a\n")
    assert "would lose that a segment is not to be scored;" in refused(
        tmp_path, stm, tmp_path / "o.seglst.json"
    )
    convert(stm, tmp_path / "b.stm")
    assert [item.segment.ignored for item in read_items(tmp_path / "b.stm") if item.segment] == [True, False]
