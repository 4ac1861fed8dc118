"""Every format that is read into every format that is written: the same paths and costs, or a refusal that says why."""

from __future__ import annotations

import gzip
import io
import json
import math
import os
import random
import re
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conversions import FORMAT_OF, MESHES, PRECISION
from conversions import written as content
from round_trips import apart, network_paths
from small_files import (
    CDEC_TEXT,
    CICADA,
    CITY,
    GRAPH,
    K2,
    MESH,
    PFSG,
    PLF_LINE,
    SCORED,
    SPHINX,
    TARGET_GRAPH,
    WLAT,
)

import fstmetrics as fm
from fstmetrics.convert import convert
from fstmetrics.convert.files import WRITERS
from fstmetrics.data.cards import Call, Card
from fstmetrics.data.segments import TimedWord, TimedWords
from fstmetrics.data.symbols import SENTENCE_MARKERS
from fstmetrics.data.times import Times
from fstmetrics.data.transcripts import Transcript
from fstmetrics.io import FORMATS, Item, NBest
from fstmetrics.io.written_words import Numbering
from fstmetrics.support.errors import FstmetricsError

WORDS = ["a", "the", "don't", "naïve", "東京", "b", "c"]
SEEDS = int(os.environ.get("FSTMETRICS_PAIR_SEEDS", "3"))


# --- a small random file in every format -----------------------------------------------------------------


def lattice(rng: random.Random, acoustic: bool = True, mesh: bool = False) -> fm.Lattice:
    """Up to five states in a row, arcs forward; costs of both kinds, of one, or none."""
    size, kind = rng.randint(2, 5), rng.choice(["none", "graph", "both" if acoustic else "graph"])
    ends = [(i, i + 1) for i in range(size - 1)]
    for _ in range(rng.randint(0, 4)):
        a = rng.randrange(size - 1)
        ends.append((a, a + 1 if mesh else rng.randint(a + 1, size - 1)))
    words = [rng.choice(["", *WORDS]) if i >= size - 1 else rng.choice(WORDS) for i in range(len(ends))]

    def cost() -> tuple[float, float]:
        graph, sound = round(rng.uniform(0, 9), 3), round(rng.uniform(0, 99), 3)
        return {"none": (0.0, 0.0), "graph": (graph, 0.0), "both": (graph, sound)}[kind]

    times = Times(np.cumsum([rng.randint(0, 99) / 100 for _ in range(size)]), "seconds")
    return fm.Lattice.from_arrays(
        [a for a, _ in ends], [b for _, b in ends], words, finals=[size - 1], costs=[cost() for _ in ends], id="u1",
        times=times if rng.random() < 0.7 else None,
    )  # fmt: skip


def network(rng: random.Random, costs: bool = True) -> fm.Network:
    inner = [Card.from_phrases(name, [rng.choice(WORDS), f"{rng.choice(WORDS)} b"]) for name in ("X", "Y")]
    calls = ((0, 1, Call("X")), (1, 2, rng.choice(WORDS)), (2, 3, Call(rng.choice("XY"))))
    pairs = ((0.5, 0.0), (0.25, rng.choice([0.0, 2.0])), (1.0, 0.0)) if costs and rng.random() < 0.5 else ()
    return fm.Network([Card("S", calls, frozenset({3}), costs=pairs), *inner], "S", id="u1")


def sentence(rng: random.Random) -> tuple[str, ...]:
    return tuple(rng.choice(WORDS) for _ in range(rng.randint(1, 4)))


def value_for(name: str, rng: random.Random) -> Any:
    """Something that the writer holds."""
    kind = WRITERS[name].carries.content
    if kind == "network":
        return network(rng, costs=name == "network")
    if kind == "n-best":
        entries = tuple({sentence(rng): None for _ in range(3)})
        has = WRITERS[name].carries.scores
        scores = tuple(sorted((-rng.uniform(0, 9) for _ in entries), reverse=True)) if has else None
        return NBest("u1", entries, tuple(map(" ".join, entries)), scores)
    if kind == "text":
        return sentence(rng)
    if kind == "timed":
        words = [
            TimedWord(word, i / 4, rng.randint(0, 25) / 100, rng.choice(["", "0.9"]))
            for i, word in enumerate(sentence(rng))
        ]
        return TimedWords("u1", "A", tuple(words))
    if WRITERS[name].carries.calls and rng.random() < 0.5:
        return network(rng) if name == "slf" else network(rng, costs=False)
    found = lattice(rng, WRITERS[name].carries.costs == "apart", name in MESHES)
    while WRITERS[name].carries.times and not found.best_path().words:  # ctm has no item without words
        found = lattice(rng, WRITERS[name].carries.costs == "apart", name in MESHES)
    return found


def columnar(name: str, words: tuple[str, ...]) -> bytes:
    """A table of one row, as pyarrow writes it."""
    arrow = pytest.importorskip("pyarrow")
    table, sink = arrow.table({"id": ["u1"], "text": [" ".join(words)]}), arrow.BufferOutputStream()
    if name == "parquet":
        pytest.importorskip("pyarrow.parquet").write_table(table, sink)
    else:
        with arrow.ipc.new_file(sink, table.schema) as file:
            file.write(table)
    return bytes(sink.getvalue().to_pybytes())


def rows(**values: Any) -> str:
    """A row of JSON Lines."""
    return json.dumps(values) + "\n"


def errs(words: tuple[str, ...]) -> str:
    """icefall's report of errors on a sentence without any."""
    n = len(words)
    return (
        f"%WER = 0.00\nErrors: 0 insertions, 0 deletions, 0 substitutions, over {n} reference words ({n} correct)\n\n"
        f"PER-UTT DETAILS: corr or (ref->hyp)\nu1:\t{' '.join(words)}\n"
    )


def shard(name: str, data: bytes) -> bytes:
    """A tar of one member."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as tar:
        info = tarfile.TarInfo(name)
        info.size = len(data)
        tar.addfile(info, io.BytesIO(data))
    return stream.getvalue()


Sample = tuple[str, bytes]
# What no writer makes, and some that writers make in one way only: file names and contents, made of random numbers.
BY_HAND: Mapping[str, Callable[[random.Random], Sample]] = {
    "stm": lambda rng: ("a.stm", f"u1 1 x 0.0 2.5 {' '.join(sentence(rng))} {{ uh / um }}\n".encode()),
    "ctm": lambda rng: (
        "a.ctm", "".join(f"u1 1 {i}.0 0.5 {word}\n" for i, word in enumerate(sentence(rng))).encode()
        + b"u1 1 * * <ALT_BEGIN>\nu1 1 9.5 0.5 uh\nu1 1 * * <ALT>\nu1 1 * * <ALT_END>\n"
    ),
    "kaldi-lattice": lambda rng: (
        "a.ark.txt",
        f"u1\n0 1 a 0.5,{rng.randint(1, 9)},3_1_1\n0 1 b 0.25,1.5,3_1\n1 2 the 0.5,0,7\n2 0,0,4_4\n\n".encode(),
    ),
    "nlp": lambda rng: (
        "a.nlp",
        ("token|speaker|ts\n" + "".join(f"{word}|1|0.5\n" for word in sentence(rng))).encode(),
    ),
    "jsonl": lambda rng: ("m.jsonl", rows(id="u1", text=" ".join(sentence(rng))).encode()),
    "shar": lambda rng: ("cuts.000000.jsonl", rows(id="u1", supervisions=[{"text": " ".join(sentence(rng))}]).encode()),
    "webdataset": lambda rng: ("a.tar", shard("u1.txt", " ".join(sentence(rng)).encode())),
    "webdataset-lattices": lambda rng: ("a.tar", shard("u1.fst.txt", f"0 1 {sentence(rng)[0]} 0.5\n1\n".encode())),
    "recogs": lambda rng: ("r.txt", f"u1:\tref={list(sentence(rng))}\nu1:\thyp={list(sentence(rng))}\n".encode()),
    "errs": lambda rng: ("e.txt", errs(sentence(rng)).encode()),
    "kaldi-data": lambda rng: ("text", f"u1 {' '.join(sentence(rng))}\n".encode()),
    "espnet-nbest": lambda rng: ("text", f"u1 {' '.join(sentence(rng))}\n".encode()),
    "nbest-json": lambda rng: ("b.jsonl", rows(id="u1", text="a", nbest=[" ".join(sentence(rng)), "a b"]).encode()),
    "rttm": lambda rng: (
        "a.rttm", b"SPEAKER u1 1 0 9 <NA> <NA> ann 1\n"
        + "".join(f"LEXEME u1 1 {i} 0.5 {word} lex ann 0.9\n" for i, word in enumerate(sentence(rng))).encode()
    ),
    "records": lambda rng: (
        "r.jsonl",
        rows(
            id="u1", metric="wer", hypothesis=sentence(rng),
            signature="fstmetrics|metric:wer|unit:word|case:mixed|punctuation:kept|tok:none|refs:1",
        ).encode(),
    ),
    "sphinx-results": lambda rng: ("h.txt", f"{' '.join(sentence(rng))} (u1 -77)\n".encode()),
    "timed-lines": lambda rng: ("u1.txt", f"[00:00.000 --> 00:01.500]  {' '.join(sentence(rng))}\n".encode()),
    "mlf": lambda rng: ("a.mlf", ('#!MLF!#\n"*/u1.lab"\n' + "".join(f"{w}\n" for w in sentence(rng)) + ".\n").encode()),
    "letters": lambda rng: ("l.ltr", (" | ".join(" ".join(word) for word in sentence(rng)) + " |\n").encode()),
    "wav2letter": lambda rng: ("a.lst", f"u1 a/u1.wav 1.5 {' '.join(sentence(rng))}\n".encode()),
    "sherpa": lambda rng: ("s.log", ("a/u1.wav\n" + rows(text=" ".join(sentence(rng)))).encode()),
    "srt": lambda rng: (
        "u1.srt", f"1\n00:00:00,000 --> 00:00:01,500\n{' '.join(sentence(rng))}\n".encode()
    ),
    "vtt": lambda rng: (
        "u1.vtt", f"WEBVTT\n\n00:00.000 --> 00:01.500\n{' '.join(sentence(rng))}\n".encode()
    ),
    "wmt-xml": lambda rng: (
        "t.sgm",
        f'<refset><doc docid="d"><seg id="1">{" ".join(sentence(rng))}</seg></doc></refset>\n'.encode(),
    ),
    "whisper": lambda rng: ("u1.json", rows(text=" ".join(sentence(rng)), segments=[]).encode()),
    "csv": lambda rng: ("m.csv", f"id,text\nu1,{' '.join(sentence(rng))}\n".encode()),
    "tsv": lambda rng: ("m.tsv", f"id\ttext\nu1\t{' '.join(sentence(rng))}\n".encode()),
    "parquet": lambda rng: ("m.parquet", columnar("parquet", sentence(rng))),
    "arrow": lambda rng: ("m.arrow", columnar("arrow", sentence(rng))),
    "nbest-srilm": lambda rng: ("u1.score", SCORED.replace("-1000", f"-{rng.randint(1, 1999)}").encode()),
    "cdec": lambda rng: ("u1.hg", CDEC_TEXT.replace("0,-1", f"0,-{rng.random():.3f}").encode()),
    "cicada": lambda rng: ("u1.json", json.dumps(CICADA).replace("-1.5", f"-{rng.random():.3f}").encode()),
    "target-graph": lambda rng: ("u1.graph", TARGET_GRAPH.replace("-2.5", f"-{rng.random():.3f}").encode()),
    "sphinx": lambda rng: ("u1.lat", SPHINX.replace("4 1 -1", f"4 1 -{rng.randint(1, 9)}").encode()),
    "att-transducer": lambda rng: ("u1.fst.txt", f"0 1 1 {rng.randint(1, 9)}\n1 2 3 0 0.5\n2\n".encode()),
    "srilm-lattice": lambda rng: ("u1.wlat", WLAT.encode()),
    "srilm-mesh": lambda rng: ("u1.mesh", MESH.encode()),
    "plf-unscored": lambda rng: ("u1.plf", PLF_LINE.encode()),
    "moses-graph": lambda rng: ("u1.osg", GRAPH.replace("=-4 ", f"=-{rng.random():.3f} ").encode()),
    "k2": lambda rng: ("u1.k2", K2.replace("0.4", f"{rng.random():.3f}").encode()),
    "pfsg": lambda rng: ("u1.pfsg", (PFSG + CITY).replace("-6931", f"-{rng.randint(1, 9999)}").encode()),
    "trn": lambda rng: ("u.trn", f"{' '.join(sentence(rng))} {{ uh / @ }} (u1)\n".encode()),
}  # fmt: skip


def sample(name: str, rng: random.Random, folder: Path) -> Path:
    """A file in the format."""
    writers = FORMATS[name].writers
    if name in BY_HAND and (not writers or rng.random() < 0.5):
        file, data = BY_HAND[name](rng)
    elif name == "scp":
        _, archive = written_by("kaldi-lattice-text", rng)
        (folder / "x.lats").write_bytes(archive)
        file, data = "a.scp", f"u1 {folder / 'x.lats'}:{len(b'u1')}\n".encode()
    elif name == "k2-pt":
        return saved_by_torch(rng, folder)
    else:
        file, data = written_by(rng.choice([w.name for w in writers if w.name != "far-cards"]), rng)
    path = folder / file
    path.write_bytes(gzip.compress(data) if rng.random() < 0.2 and name != "scp" else data)
    return path


def written_by(name: str, rng: random.Random) -> Sample:
    numbering = Numbering() if WRITERS[name].carries.numbers == "always" else None
    ending = (*WRITERS[name].extensions, ".x")[0]
    return f"u1{ending}", content(name, [Item("u1", value_for(name, rng))], numbering, lossy=True)


def saved_by_torch(rng: random.Random, folder: Path) -> Path:
    torch = pytest.importorskip("torch")
    score = int(torch.tensor([rng.uniform(-9, 9)]).view(torch.int32)[0])
    arcs = [[0, 1, 5, score], [0, 1, 6, 0], [1, 2, -1, score]]
    torch.save({"arcs": torch.tensor(arcs, dtype=torch.int32)}, folder / "u1.pt")
    return folder / "u1.pt"


# --- what a file says ------------------------------------------------------------------------------------

Paths = list[tuple[tuple[str, ...], float]]


def said_by(path: Path, format: str, symbols: Path | None) -> dict[str, Paths]:
    """Of every item the words and the cost of every path, weighed by the file's own scales; a list in its order."""
    if format == "far" and (
        path.suffix == ".x" or "far-cards" in path.name
    ):  # an archive of cards is one network
        convert(str(path), f"{path}.json", format=format)
        path, format = Path(f"{path}.json"), "network"
    items = fm.io.read_items(path, format=format, symbols=symbols, known_ids=frozenset("4")).items
    return {str(number): paths_of(item.value) for number, item in enumerate(items)}


def paths_of(value: Any) -> Paths:
    if isinstance(value, TimedWords):
        value = value.transcript()
    if isinstance(value, Transcript):
        value = value.lattice
    if isinstance(value, tuple):
        return [(value, 0.0)]
    if isinstance(value, NBest):
        return list(
            zip(value.entries, [0.0 - s for s in value.scores or [0.0] * len(value.entries)], strict=True)
        )
    scales, found = value.scales, network_paths(value) if isinstance(value, fm.Network) else apart(value)

    def total(words: tuple[str, ...], costs: tuple[tuple[float, float], ...]) -> float:
        counted = sum(word not in SENTENCE_MARKERS for word in words)
        return sum(scales.lm * g + scales.acoustic * a for g, a in costs) + scales.word_penalty * counted

    return sorted((words, total(words, costs)) for words, costs in found.elements())


# What may be named as lost without a path or a cost of what the program reads being touched.
HARMLESS = re.compile(
    r"times|confidences|ids|source spans|cards and their calls|acoustic costs apart from graph costs|"
    r"the file's own scales \(.*\)|"
    r"input labels|transition ids|end frames|source words covered|source sides of rules|speakers|factors|"
    r"scores of words|punctuation|tags|features \(--weights FILE makes costs of them\)|feature scores|ranks|"
    r"times, references and hypotheses of words|"
    r"all alternatives but the first|all entries but the first|all paths but the best|costs|scores|sentence markers"
)
ONE_PATH = {"all alternatives but the first", "all entries but the first", "all paths but the best"}
# What a format cannot hold whatever is asked for.
CANNOT = re.compile(
    r"no confusion network: an arc leads past a column|a cost is not that of a posterior|logs of probabilities|"
    r"ctm holds words with the times|stm has a speaker of each segment"
)


def check_same(name: str, found: dict[str, Paths], source: dict[str, Paths], lost: set[str]) -> None:
    assert found.keys() == source.keys()
    for item, expected in source.items():
        if "sentence markers" in lost:
            expected = [
                (tuple(w for w in words if w not in SENTENCE_MARKERS), cost) for words, cost in expected
            ]
        here = found[item]
        if ONE_PATH & lost:
            ((words, _),) = here
            assert words in [said for said, _ in expected]
            if "all paths but the best" in lost:
                least = min(cost for _, cost in expected)
                assert any(said == words and cost == pytest.approx(least) for said, cost in expected)
            continue
        assert sorted(words for words, _ in here) == sorted(words for words, _ in expected)
        if {"costs", "scores"} & lost:
            continue
        tolerance = 20 * PRECISION.get(name, 1e-12) + 1e-9
        for (_, one), (_, other) in zip(sorted(here), sorted(expected), strict=True):
            assert math.isclose(one, other, rel_tol=1e-6, abs_tol=tolerance)


@pytest.mark.parametrize("name", FORMATS)
def test_every_pair(name: str, tmp_path: Path) -> None:
    """Nothing is lost, or what is lost is named and the rest is the same, or the format cannot hold it and says so."""
    done = 0
    for seed in range(SEEDS):
        folder = tmp_path / str(seed)
        folder.mkdir()
        path = sample(name, random.Random(f"{name}-{seed}"), folder)
        source = said_by(path, name, None)
        for to in WRITERS:
            done += converted(path, name, to, folder, source)
    assert done >= SEEDS * (len(WRITERS) - len(MESHES) - 3)


def converted(path: Path, name: str, to: str, folder: Path, source: dict[str, Paths]) -> bool:
    """Whether one file became one in another format; that it says the same."""
    writer = WRITERS[to]
    out = folder / f"{to}{(*writer.extensions, '.x')[0]}"
    words = folder / f"{to}.words" if writer.carries.numbers == "always" else None
    options: dict[str, Any] = {
        "format": name, "to": to, "write_symbols": None if words is None else str(words), "frame_length": 0.01,
    }  # fmt: skip
    outcome, refusal = attempt(path, out, **options)
    if refusal and CANNOT.search(refusal):
        return False
    if refusal:
        assert (
            named := re.search(rf"writing {to} would lose (.*?); --lossy writes it without them", refusal)
        ), refusal
        outcome, refusal = attempt(path, out, lossy=True, **options)
        if refusal:
            assert CANNOT.search(refusal), refusal
            return False
        assert ", ".join(outcome.lost) == named[1]
    assert all(HARMLESS.fullmatch(what) for what in outcome.lost), outcome.lost
    assert outcome.items == len(source)
    check_same(to, said_by(out, FORMAT_OF[to].name, words), source, set(outcome.lost))
    return True


def attempt(path: Path, out: Path, **options: Any) -> tuple[Any, str]:
    """What was done, or why not; then nothing is there."""
    try:
        return convert(str(path), str(out), **options), ""
    except FstmetricsError as error:
        assert not out.exists()
        return None, str(error)


def test_archives_of_cards_are_networks_where_calls_have_room(tmp_path: Path) -> None:
    expected = network(random.Random(7), costs=False)
    path = tmp_path / "n.far"
    path.write_bytes(content("far-cards", [Item("n", expected)], lossy=True))
    for name in ("n.json", "n.slf", "n.pfsg", "n.cards"):
        assert not convert(str(path), str(tmp_path / name)).lost
        assert network_paths(fm.Network.read(tmp_path / name)) == network_paths(expected)
    # Labels in brackets that call nothing are words.
    lattice = fm.Lattice.from_strings([["a", "[noise]"]], id="u1")
    path.write_bytes(content("far", [Item("u1", lattice)]))
    for name in ("m.json", "m.slf"):
        assert not convert(str(path), str(tmp_path / name)).lost
        (item,) = fm.io.read_items(tmp_path / name).items
        assert [words for words, _ in paths_of(item.value)] == [("a", "[noise]")]
