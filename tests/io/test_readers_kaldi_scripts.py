"""Kaldi's script files and specifiers: offsets, and nothing that an input could make the program do."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from command import fstmetrics as command
from hypothesis import given
from written import Drawn, drawn, kaldi_binary, kaldi_text, rows

from fstmetrics.io import FORMATS, ReadOptions, Source, open_stream, read_items
from fstmetrics.io.reading import resolve
from fstmetrics.support.errors import InputError

LATTICE = Drawn([(0, 1, "a", 1.0, 2.0), (1, 2, "b", 0.5, 0.25)], {2: (0.0, 0.0)})
OTHER = Drawn([(0, 1, "c", 1.0, 2.0)], {1: (3.0, 0.0)})


def archive(folder: Path, parts: dict[str, bytes]) -> str:
    """An archive of lattices, and the lines of a script file for it, last lattice first."""
    data, lines = b"", []
    for key, lattice in parts.items():
        lines.append(f"{key} {folder / 'a.ark'}:{len(data) + len(key) + 1}\n")
        data += lattice
    (folder / "a.ark").write_bytes(data)
    return "".join(reversed(lines))


def text_parts() -> dict[str, bytes]:
    # As Kaldi writes a table: the key, a space, and the lattice, which begins with the end of the line.
    return {
        key: kaldi_text(key, lattice).replace(f"{key}\n", f"{key} \n", 1).encode()
        for key, lattice in (("utt1", LATTICE), ("utt2", OTHER))
    }


@given(machine=drawn(), other=drawn())
def test_scripts_give_what_the_archive_gives(
    tmp_path_factory: pytest.TempPathFactory, machine: Drawn, other: Drawn
) -> None:
    folder = tmp_path_factory.mktemp("scp")
    labels = {word: i for i, word in enumerate(sorted({a[2] for a in (*machine.arcs, *other.arcs)} | {""}))}
    for parts in (
        {"u1": kaldi_binary("u1", machine, labels), "u2": kaldi_binary("u2", other, labels)},
        {"u1": kaldi_text("u1", machine).replace("u1\n", "u1 \n", 1).encode(),
         "u2": kaldi_text("u2", other).replace("u2\n", "u2 \n", 1).encode()},
    ):  # fmt: skip
        (folder / "a.scp").write_text(archive(folder, parts))
        expected = {item.id: rows(item.value) for item in read_items(folder / "a.ark").items}
        for path, format in ((f"{folder}/a.scp", "scp"), (f"scp:{folder}/a.scp", None)):
            items = read_items(path, format=format)
            assert items.formats == ("scp",)
            assert [item.id for item in items.items] == ["u2", "u1"]
            assert {item.id: rows(item.value) for item in items.items} == expected
        stream = open_stream(f"{folder}/a.scp", "scp")
        assert stream is not None
        assert {item.id: rows(item.value.item().value) for item in stream} == expected


def test_a_file_without_offset_holds_the_lattice_alone(tmp_path: Path) -> None:
    words = {"a": 1, "b": 2, "": 0}
    (tmp_path / "one").write_bytes(kaldi_binary("", LATTICE, words)[1:])
    (tmp_path / "two").write_text(kaldi_text("", LATTICE))
    (tmp_path / "a.scp").write_text(f"u1 {tmp_path}/one\nu2 {tmp_path}/two\n")
    binary, text = read_items(tmp_path / "a.scp", format="scp").items
    assert (binary.id, text.id) == ("u1", "u2")
    assert rows(text.value) == (0, LATTICE.arcs, LATTICE.finals)
    assert [arc[2] for arc in rows(binary.value)[1]] == ["1", "2"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("utt1", ":1: expected `key file` or `key file:offset`"),
        ("utt1 gunzip -c a.gz |", ":1: 'gunzip -c a.gz |' is a command; commands are never run"),
        ("utt1 | cat", ":1: '| cat' is a command"),
        ("utt1 a.ark:5[0:9]", ":1: 'a.ark:5.0:9.' has a range"),
        ("utt1 -", ":1: a script file cannot name standard input"),
        ("utt1 none.ark:5", ":1: none.ark: cannot be read: No such file.*start at the working directory"),
        ("utt1 a.ark:9999", ":1: 'utt1': a.ark: offset 9999 is behind the end: the file has 97 bytes"),
        ("utt1 a.ark:2", ":1: 'utt1': a.ark: byte 2: no lattice begins here"),
        ("utt1 a.ark:5\nutt1 a.ark:5", ":2: key 'utt1' is already in line 1"),
        ("utt1 z.gz:5", ":1: z.gz is compressed, so an offset into it means nothing"),
        ("utt1 a.ark", ":1: 'utt1': a.ark: byte 0: no lattice begins here"),
        ("utt1 b.ark:5", ":1: 'utt1': b.ark from byte 5:2: a state is"),
    ],
)
def test_a_line_of_a_script_that_cannot_be_followed_is_refused(
    line: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    archive(tmp_path, text_parts())
    (tmp_path / "z.gz").write_bytes(gzip.compress(b"utt1 \n"))
    (tmp_path / "b.ark").write_text("utt1 \n0 x a 1,2,\n1\n\n")
    with pytest.raises(InputError, match=r"^f" + message):
        list(FORMATS["scp"].read(Source("f", line.encode()), ReadOptions()))


def test_script_files_are_read_only_when_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a.scp").write_text(archive(tmp_path, text_parts()))
    (tmp_path / "b.txt").write_text((tmp_path / "a.scp").read_text())
    for name in ("a.scp", "b.txt"):
        with pytest.raises(InputError, match="Kaldi script file: it names other files, and only a caller"):
            read_items(tmp_path / name)


def test_specifiers_of_archives_are_read_and_commands_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    archive(tmp_path, text_parts())
    for path in ("ark:a.ark", "ark,t:a.ark", "ark,s,cs: a.ark"):
        assert [item.id for item in read_items(path).items] == ["utt1", "utt2"]
    for path, format, message in [
        ("ark:gunzip -c a.gz |", None, "commands? .*never run|is a command"),
        ("scp:cat a|", None, "is a command"),
        ("ark,p:a.ark", None, "the option 'p' is not read"),
        ("ark:", None, "names no file"),
        ("scp:a.scp", "slf", "is a script file, which --format slf is not"),
    ]:
        with pytest.raises(InputError, match=message):
            resolve(path, format)
    (tmp_path / "ark:odd").write_text("u1 a\n")
    assert resolve("ark:odd", None) == ("ark:odd", None)


def test_specifiers_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ref").write_text("utt1 a b\nutt2 d\n")
    lines = archive(tmp_path, text_parts())
    (tmp_path / "a.scp").write_text(lines)
    for hypotheses in ("ark:a.ark", "scp:a.scp"):
        found = command("oracle", "ark:ref", hypotheses, "--json").summary
        assert (found["edits"], found["path_length"]) == (1, 3)
    refused = command("oracle", "ark:ref", "ark:touch pwned; cat a.ark |")
    assert refused.status == 2
    assert "never run" in refused.err
    assert not (tmp_path / "pwned").exists()
