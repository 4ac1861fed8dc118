"""Tar shards of WebDataset and folders of Lhotse Shar: the items of the same plain files; one line for damage."""

from __future__ import annotations

import gzip
import io
import json
import random
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest
from command import HYTER, ORACLE, fstmetrics

import fstmetrics as fm
from fstmetrics.io.column_roles import TableOptions
from fstmetrics.io.reading import read_items
from fstmetrics.support.errors import InputError

NETWORK = fm.networks.from_references(["the cat"]).network.to_json().encode()
TEXTS = {f"{n:03}": (f"the cat {n}", f"a cat {n}") for n in range(7)}


def tar(path: Path, members: list[tuple[str, bytes]], mode: str = "w") -> Path:
    with tarfile.open(path, mode) as shard:  # type: ignore[call-overload]
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            shard.addfile(info, io.BytesIO(data))
    return path


def samples(keys: list[str], sound: int = 3000) -> list[tuple[str, bytes]]:
    """Members in WebDataset's order: sound, what is known, text."""
    found = []
    for key in keys:
        reference, hypothesis = TEXTS[key]
        known = {"pred_text": hypothesis, "speaker": "ann", "meta": {"snr": 3}}
        found += [
            (f"{key}.flac", b"\0\1" * sound),
            (f"{key}.json", json.dumps(known).encode()),
            (f"{key}.txt", reference.encode() + b"\n"),
        ]
    return found


@pytest.fixture
def texts(tmp_path: Path) -> tuple[Path, Path]:
    """The same in two files of text."""
    files = tmp_path / "ref.txt", tmp_path / "hyp.txt"
    for place, path in enumerate(files):
        path.write_text("".join(f"{key} {both[place]}\n" for key, both in TEXTS.items()))
    return files


def scored(tmp_path: Path, *arguments: object) -> list[dict[str, Any]]:
    """Records without what only some inputs have."""
    out = tmp_path / "records.jsonl"
    outcome = fstmetrics("score", *arguments, "--output", out)
    assert outcome.status == 0, outcome.err
    found = [json.loads(line) for line in out.read_text().splitlines()]
    return [
        {name: each for name, each in row.items() if name not in ("fields", "signature")} for row in found
    ]


@pytest.mark.parametrize("mode", ["w", "w:gz"])
@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_a_shard_has_the_records_of_text_files(
    tmp_path: Path, texts: tuple[Path, Path], mode: str, form: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tarfile.TarFile, "format", form)
    shard = tar(tmp_path / "a.tar", samples(list(TEXTS)), mode)
    assert scored(tmp_path, shard) == scored(tmp_path, *texts)
    [first, *_] = read_items(shard, table=TableOptions("reference")).items
    assert (first.id, first.text, first.fields["speaker"], first.fields["meta.snr"]) == (
        "000",
        "the cat 0",
        "ann",
        3,
    )


def test_several_shards_are_one_set(tmp_path: Path, texts: tuple[Path, Path]) -> None:
    folder = tmp_path / "shards"
    folder.mkdir()
    keys = list(TEXTS)
    tar(folder / "00.tar", samples(keys[:3]))
    tar(folder / "01.tar", samples(keys[3:]))
    (tmp_path / "list.txt").write_text(f"{folder}/00.tar\n{folder}/01.tar\n")
    expected = scored(tmp_path, *texts)
    for path in (folder, f"{folder}/*.tar", f"@{tmp_path}/list.txt"):
        assert scored(tmp_path, path) == expected
        assert scored(tmp_path, texts[0], path) == expected
    tar(folder / "02.tar", samples(keys[:1]))
    outcome = fstmetrics("score", folder)
    assert outcome.status == 2
    assert "02.tar: id '000' is already in" in outcome.err


def test_texts_may_be_members_of_their_own(tmp_path: Path, texts: tuple[Path, Path]) -> None:
    members = []
    for key, (reference, hypothesis) in TEXTS.items():
        members += [
            (f"{key}.ref.txt", reference.encode()),
            (f"{key}.hyp.txt.gz", gzip.compress(hypothesis.encode())),
        ]
    assert scored(tmp_path, tar(tmp_path / "a.tar", members)) == scored(tmp_path, *texts)


def test_networks_in_a_shard_are_refused_and_read_from_a_folder(tmp_path: Path) -> None:
    networks, hypotheses = HYTER
    members = [(each.name, each.read_bytes()) for each in sorted(Path(networks).iterdir())]
    shard = tar(tmp_path / "n.tar", members)
    for options in ((), ("--fields", "ref=cards.S.phrases")):
        outcome = fstmetrics("hyter", shard, hypotheses, *options)
        assert (outcome.status, "unpack the tar and give the folder" in outcome.err) == (2, True)
    assert "unpack the tar and give the folder" in fstmetrics("network", "info", shard).err
    with tarfile.open(shard) as packed:
        packed.extractall(tmp_path / "n", filter="data")
    expected = fstmetrics("hyter", networks, hypotheses, "--json")
    unpacked = fstmetrics("hyter", tmp_path / "n", hypotheses, "--json")
    assert (unpacked.status, json.loads(unpacked.out)["score"]) == (0, json.loads(expected.out)["score"])


def test_a_text_beside_a_network_is_read(tmp_path: Path) -> None:
    shard = tar(tmp_path / "a.tar", [("a.json", NETWORK), ("a.txt", b"the cat")])
    assert [item.value for item in read_items(shard).items] == [("the", "cat")]


def test_sound_is_not_read_into_memory(tmp_path: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("the size of memory is measured in KiB")
    import resource

    path = tmp_path / "a.tar"
    with tarfile.open(path, "w") as shard:
        for key, (reference, _) in TEXTS.items():
            for name, size, content in ((f"{key}.wav", 1 << 26, None), (f"{key}.txt", 9, reference.encode())):
                info = tarfile.TarInfo(name)
                info.size = size
                if content is None:
                    shard.fileobj.write(info.tobuf())  # type: ignore[union-attr]
                    shard.fileobj.seek(size, 1)  # type: ignore[union-attr]  # a hole, which takes no place on disk
                    shard.offset += tarfile.BLOCKSIZE + size
                else:
                    shard.addfile(info, io.BytesIO(content))
    assert path.stat().st_size > 400 << 20
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert len(read_items(path).items) == len(TEXTS)
    assert fstmetrics("score", path, path, "--fields", "ref=text,hyp=text").status == 0
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 << 10


def lattice_members() -> list[tuple[str, bytes]]:
    return [(path.name, path.read_bytes()) for path in sorted(Path(ORACLE[1]).iterdir())]


def test_lattices_in_a_shard_have_the_records_of_their_folder(tmp_path: Path) -> None:
    shard = tar(tmp_path / "lattices.tar", [("README", b"x"), *lattice_members()])
    outputs = []
    for number, path in enumerate((ORACLE[1], shard)):
        out = tmp_path / f"{number}.jsonl"
        assert fstmetrics("oracle", ORACLE[0], path, "--output", out).status == 0
        outputs.append(sorted(out.read_text().splitlines()))
    assert outputs[0] == outputs[1]
    assert [each.num_arcs for each in fm.Lattice.read_all(shard)] == [
        each.num_arcs for each in fm.Lattice.read_all(ORACLE[1])
    ]


def test_one_damaged_lattice_is_one_fault(tmp_path: Path) -> None:
    members = lattice_members()
    name, data = members[1]
    members[1] = (name, gzip.compress(gzip.decompress(data)[:300]))
    shard = tar(tmp_path / "lattices.tar", members)
    outcome = fstmetrics("oracle", ORACLE[0], shard)
    assert outcome.status == 2
    assert f"lattices.tar/{name}" in outcome.err
    outcome = fstmetrics("oracle", ORACLE[0], shard, "--keep-going", "--json")
    assert outcome.status == 1
    assert (json.loads(outcome.out)["items"], len(outcome.err.splitlines())) == (3, 1)
    assert f"lattices.tar/{name}" in outcome.err


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ([("a.txt", b"x\xff")], "a.tar/a.txt: .*not UTF-8"),
        ([("a.json", b"{")], "a.tar/a.json:1: not JSON"),
        ([("a.json", b"[1]")], "a.tar/a.json: expected a JSON object, found"),
        ([("a.json", b'{"x": 1, "x": 2}')], "a.tar/a.json: the key 'x' comes twice"),
        ([("a.txt", b"one\ntwo\n")], "a.tar/a.txt: expected a text in one line, found 2"),
        ([("a.txt", b"x"), ("a.json", b'{"text": "y"}')], "a.tar/a.json: 'text' is '\"y\"' here"),
        ([("a.txt", b"x"), ("b.txt", b"y"), ("a.txt", b"z")], "a.tar: sample 'a' comes again"),
        ([("a.txt", b"x"), ("a.txt", b"z")], r"a.tar: member a.txt comes twice"),
        ([("a.txt", b"x"), ("b.json", b'{"n": 1}')], "a.tar: sample 'b': no 'text' here"),
        ([("a.json", b'{"text": 3}')], "a.tar: sample 'a': 'text' is no text, but 3"),
        ([("a.txt.gz", b"\x1f\x8b\x08")], "a.tar/a.txt.gz: damaged gzip"),
        ([("a.wav", b"x"), ("b.npy", b"x")], "a.tar: no text: expected members KEY.txt or KEY.json, found npy, wav"),
        ([("a.json", NETWORK)], r"a.tar: sample 'a' is a network .*: unpack the tar and give the folder"),
        ([("a.ref.json", NETWORK)], "a.tar: sample 'a' is a network"),
        ([("a.txt", b"x"), ("b.json", NETWORK)], "a.tar: sample 'b' is a network"),
        ([("README", b"x")], "a.tar: no text: .*found no sample"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_member_names_shard_and_member(
    tmp_path: Path, members: list[tuple[str, bytes]], told: str
) -> None:
    shard = tar(tmp_path / "a.tar", members)
    with pytest.raises(InputError, match=told):
        read_items(shard)
    outcome = fstmetrics("score", shard, shard, "--fields", "ref=text,hyp=text")
    assert (outcome.status, len(outcome.err.splitlines())) == (2, 1)


def test_links_are_refused(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar", "w") as shard:
        info = tarfile.TarInfo("a.txt")
        info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
        shard.addfile(info)
    with pytest.raises(InputError, match=r"a\.tar/a\.txt: is a link or device"):
        read_items(tmp_path / "a.tar")


@pytest.mark.parametrize("compressed", [False, True])
def test_a_shard_that_is_cut_off_is_refused_wherever_it_is_cut(tmp_path: Path, compressed: bool) -> None:
    whole = tar(tmp_path / "a.tar", samples(list(TEXTS)[:3], 300)).read_bytes()
    end = len(whole.rstrip(b"\0")) // 512 * 512 + 512
    for size in [*range(512, end + 1, 512), *random.Random(1).sample(range(300, end), 20)]:
        data = whole[:size]
        (tmp_path / "b.tar").write_bytes(gzip.compress(data) if compressed else data)
        with pytest.raises(InputError, match=r"b\.tar"):
            read_items(tmp_path / "b.tar", format="webdataset")
    (tmp_path / "b.tar").write_bytes(whole + whole)
    with pytest.raises(InputError, match="goes on behind its end: are several joined"):
        read_items(tmp_path / "b.tar")


def test_damaged_shards_are_refused_or_have_the_same_ids(tmp_path: Path) -> None:
    whole = tar(tmp_path / "a.tar", samples(list(TEXTS)[:3], 10)).read_bytes()
    draw = random.Random(4)
    path, refused = tmp_path / "b.tar", 0
    for _ in range(200):
        data = bytearray(whole)
        data[draw.randrange(9000)] ^= 1 << draw.randrange(8)
        path.write_bytes(bytes(data))
        try:
            found = [
                item.id
                for item in read_items(path, format="webdataset", table=TableOptions("reference")).items
            ]
        except InputError:
            refused += 1
            continue
        assert found == list(TEXTS)[:3]
    assert refused > 50


def test_shards_of_webdataset_itself(tmp_path: Path, texts: tuple[Path, Path]) -> None:
    library = pytest.importorskip("webdataset", reason="webdataset is not installed")
    with library.ShardWriter(str(tmp_path / "w-%06d.tar"), maxcount=3, verbose=0) as sink:
        for key, (reference, hypothesis) in TEXTS.items():
            sink.write({"__key__": key, "npy": b"x", "txt": reference, "json": {"pred_text": hypothesis}})
    assert scored(tmp_path, f"{tmp_path}/w-*.tar") == scored(tmp_path, *texts)


def shar(folder: Path) -> None:
    """What Lhotse writes of cuts with a field of texts and no sound."""
    folder.mkdir()
    for number, keys in enumerate((list(TEXTS)[:4], list(TEXTS)[4:])):
        cuts, fields = [], []
        for key in keys:
            one = {
                "id": f"s-{key}",
                "recording_id": "r",
                "start": 0,
                "duration": 1,
                "channel": 0,
                "text": TEXTS[key][0],
            }
            cuts.append(
                {
                    "id": key,
                    "start": 0,
                    "duration": 1.0,
                    "channel": 0,
                    "supervisions": [one],
                    "type": "MonoCut",
                }
            )
            fields.append({"cut_id": key, "hyp": TEXTS[key][1]})
        for name, rows in (("cuts", cuts), ("hyp", fields)):
            lines = "".join(json.dumps(row) + "\n" for row in rows)
            (folder / f"{name}.{number:06}.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
        tar(folder / f"recording.{number:06}.tar", [("x.flac", b"x")])


def test_a_folder_of_shar_is_its_cuts(tmp_path: Path, texts: tuple[Path, Path]) -> None:
    folder = tmp_path / "shar"
    shar(folder)
    expected = scored(tmp_path, *texts)
    assert scored(tmp_path, folder, texts[1]) == expected
    assert scored(tmp_path, folder, f"{folder}/hyp.*.jsonl.gz") == expected
    first = sorted(folder.glob("cuts.*"))[1]
    first.write_bytes(first.read_bytes()[:-9])
    outcome = fstmetrics("score", folder, texts[1])
    assert (outcome.status, len(outcome.err.splitlines())) == (2, 1)
    assert "cuts.000001.jsonl.gz: damaged gzip" in outcome.err


def test_a_folder_that_lhotse_writes(tmp_path: Path, texts: tuple[Path, Path]) -> None:
    lhotse = pytest.importorskip("lhotse", reason="lhotse is not installed")
    from lhotse.shar import SharWriter

    folder = tmp_path / "shar"
    folder.mkdir()
    with SharWriter(str(folder), fields={"hyp": "jsonl"}, shard_size=3) as writer:
        for key, (reference, hypothesis) in TEXTS.items():
            one = lhotse.SupervisionSegment(f"s-{key}", "r", 0, 1, text=reference)
            cut = lhotse.MonoCut(
                key, start=0, duration=1, channel=0, supervisions=[one], custom={"hyp": hypothesis}
            )
            writer.write(cut)
    expected = scored(tmp_path, *texts)
    assert scored(tmp_path, folder, f"{folder}/hyp.*.jsonl.gz") == expected
    assert scored(tmp_path, folder, folder, "--fields", "ref=text,hyp=hyp") == expected
