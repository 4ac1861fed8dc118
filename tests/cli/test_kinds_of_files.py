"""Every file of every command, times every kind of file that a user might hand it: the right number, or one clear line.

`KINDS` are files, all of two sentences "a x" and "c" where they are anything; `WAYS` are commands in which one path is
left open, with the kinds that it takes. All others end with status 2, one line on standard error, and nothing else.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from command import fstmetrics, written

NETWORK = '{"format": "fstmetrics-network/1", "id": "%s", "root": "S", "cards": {"S": {"phrases": ["%s"]}}}'
KINDS: dict[str, str | bytes] = {
    # texts
    "plain": "a x\nc\n",
    "packed": gzip.compress(b"a x\nc\n", mtime=0),
    "kaldi": "u-1 a x\nu-2 c\n",
    "trn": "a x (u-1)\nc (u-2)\n",
    "seglst": '[{"session_id": "u-1", "words": "a x"}, {"session_id": "u-2", "words": "c"}]',
    # lists, lattices, networks
    "nbest": "u-1 ||| a x\nu-2 ||| c\n",
    "lattices": "u-1\n0 1 a 1,1,\n1 2 x 1,1,\n2\n\nu-2\n0 1 c 1,1,\n1\n\n",
    # nothing, or next to nothing
    "empty": "",
    "blank": "\n\n",
    # texts that no pair is for
    "one line": "a\n",
    "other ids": "v-1 a x\nv-2 c\n",
    "an id twice": "u-1 a x\nu-1 c\n",
    "network": NETWORK % ("other", "a x"),
    # what is no text
    "manifest": '{"audio_filepath": "a.wav", "text": "a x"}\n{"audio_filepath": "b.wav", "text": "c"}\n',
    "json list": '[{"text": "a x"}, {"text": "c"}]',
    "records": '{"id": "u-1", "metric": "wer", "score": 0.5, "edits": 1}\n',
    "csv": "path,text\na.wav,a x\nb.wav,c\n",
    "tsv": "id\ttext\nu-1\ta x\nu-2\tc\n",
    "recogs": "u-1:\tref=['a', 'x']\nu-1:\thyp=['a', 'x']\nu-2:\tref=['c']\nu-2:\thyp=['c']\n",
    "python": "['a', 'x']\n['c']\n",
    "subtitles": "1\n00:00:01,000 --> 00:00:02,000\na x\n\n2\n00:00:03,000 --> 00:00:04,000\nc\n",
    "rttm": "SPEAKER f 1 0.0 1.0 <NA> <NA> a <NA> <NA>\n",
    "sgml": '<refset setid="x">\n<seg id="1">a x</seg>\n</refset>\n',
    "wav.scp": "u-1 a.wav\nu-2 b.wav\n",
    "symbols": "<eps> 0\na 1\nx 2\n",
    # what is no text of ours
    "utf-16": "a x\nc\n".encode("utf-16"),
    "latin-1": "caf\u00e9 x\nc\n".encode("latin-1"),
    "rubbish": bytes(range(256)) * 9,
    "parquet": b"PAR1\x15\x04\x00\x00PAR1",
    "xz": b"\xfd7zXZ\x00\x00\x04\xe6\xd6\xb4\x46",
    "sound": b"RIFF\x24\x00\x00\x00WAVEfmt \x10\x00",
    "cut gzip": gzip.compress(b"a x\nc\n" * 9, mtime=0)[:-9],
}
ELSEWHERE = ("no such file", "an empty folder", "a folder in a folder")
TEXTS = {"kaldi", "trn", "seglst", "tsv", "recogs"}
PLAIN = {"plain", "packed"}
ROWS = {"manifest", "json list", "csv"}
LISTS = {"nbest", "lattices"}
NOTHING = {"empty", "blank"}

# Commands in which one path is left open, what it takes, and how many errors there are then.
WAYS: dict[str, tuple[set[str], int | None]] = {
    "score {} ref --json": (TEXTS | LISTS | {"blank"}, 1),
    "score ref {} --json": (TEXTS | LISTS | NOTHING, 1),
    "score ref ref --ref {} --json": (TEXTS | LISTS | {"blank"}, 0),
    "score ref {} --metric bleu --json": (TEXTS | NOTHING, None),
    "score ref {} --metric sclite --json": (TEXTS | LISTS | NOTHING, 1),
    "speakers ref {} --metric dicpwer": (set(), None),
    "speakers {} ref --metric orcwer": (set(), None),
    "hyter {} ref --json": (TEXTS | LISTS | {"blank"}, 1),
    "hyter ref {} --json": (TEXTS | LISTS | NOTHING, 1),
    "hyter networks {} --json": (TEXTS | LISTS | NOTHING, 1),
    "oracle {} lattices --json": (TEXTS | LISTS | {"blank"}, 0),
    "oracle ref {} --json": (LISTS, 1),
    "mbr {}": (LISTS | {"network"}, None),
    "compare --ref {} ref --metric wer --samples 9": (TEXTS | LISTS, None),
    "compare --ref ref ref {} --metric wer --samples 9": (TEXTS | LISTS | NOTHING, None),
    "compare --networks {} ref --metric hyter --samples 9": (LISTS, None),
    "correlate human x={} y=plain --ref plain --metric wer --samples 0": (
        {"plain", "packed", "json list"} | NOTHING,
        None,
    ),
    "variants {} --ref plain": (PLAIN | {"json list"} | NOTHING, None),
    "variants plain --ref {}": (PLAIN | {"json list", "blank"}, None),
    "features {} ref": (set(), None),
    "features networks {}": (TEXTS | NOTHING, None),
    "grammar savings {} ref --grammar en.dates": (TEXTS | LISTS | {"blank"}, None),
    "grammar savings ref {} --grammar en.dates": (TEXTS | LISTS | NOTHING, None),
    "network build {} -o OUT": (PLAIN | TEXTS | ROWS | {"blank", "one line", "other ids", "subtitles"}, None),
    "network build plain {} -o OUT": (PLAIN | {"json list", "blank"}, None),
    "network info {}": ({"network", "lattices"}, None),
    "network normalise {} -o OUT": ({"lattices"}, None),
    "network normalise {} -o OUT.json": ({"network"}, None),
    "network paths {}": ({"network", "lattices"}, None),
    "network union {} {} -o OUT": ({"lattices"}, None),
    "network convert {} -o OUT.json": ({"network"}, None),
    "convert {} OUT.trn": (
        PLAIN | TEXTS | ROWS | {"blank", "one line", "other ids", "nbest", "network"},
        None,
    ),
    "convert {} OUT.ctm": (set(), None),
    "pack {} OUT.packed": ({"lattices"}, None),
    "show {}": (set(), None),
    "errors {}": (set(), None),
    "report {} -o OUT.html": ({"recogs"}, None),
    "proficiency {}": (set(), None),
    "rankings {}": (set(), None),
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with all kinds of files, and those that commands have beside the open one."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "ref", "u-1 a b\nu-2 c\n")
    written(tmp_path / "human", "system\tsegment\thuman\nx\t1\t0.5\nx\t2\t0.7\ny\t1\t0.1\ny\t2\t0.2\n")
    for number, kind in enumerate(KINDS):
        content = KINDS[kind]
        written(tmp_path / f"k{number}", content)
        if kind in ("plain", "lattices"):
            written(tmp_path / kind, content)
    (tmp_path / "networks").mkdir()
    for id, phrase in (("u-1", "a b"), ("u-2", "c")):
        written(tmp_path / "networks" / f"{id}.json", NETWORK % (id, phrase))
    (tmp_path / "folder").mkdir()
    (tmp_path / "outer" / "inner").mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize("way", WAYS)
def test_every_kind_of_file_is_right_or_refused(way: str, here: Path) -> None:
    takes, edits = WAYS[way]
    paths = {kind: f"k{number}" for number, kind in enumerate(KINDS)}
    paths |= dict(zip(ELSEWHERE, ("nowhere", "folder", "outer"), strict=True))
    wrong = []
    for kind, path in paths.items():
        out = f"out-{path}"
        outcome = fstmetrics(*(word.format(path).replace("OUT", out) for word in way.split()))
        if outcome.status == 0:
            errors = json.loads(outcome.out)["edits"] if edits is not None else None
            expected = 3 if kind in NOTHING and edits is not None and "--ref {}" not in way else edits
            if kind not in takes or errors != expected:
                wrong.append((kind, 0, errors, outcome.out[:200]))
        elif kind in takes or (outcome.status, outcome.out, outcome.err.count("\n")) != (2, "", 1):
            wrong.append((kind, outcome.status, outcome.out[:200], outcome.err))
        elif list(here.glob(f"{out}*")):
            wrong.append((kind, "left something"))
    assert not wrong, "\n".join(map(str, wrong))
