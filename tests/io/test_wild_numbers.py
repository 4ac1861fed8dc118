"""One wild number in a small file, in every format of lattices and networks: refused or read, in little memory."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from places import HELPERS

import fstmetrics as fm
from fstmetrics.io import FORMATS, ReadOptions, Source
from fstmetrics.io.formats.openfst_binary import lattice_bytes, vector_bytes
from fstmetrics.support.limits import limited

WILD = (10**6 + 9, 10**9, 2**31 - 3, 2**31 - 1, 2**31, 2**32, 2**63 - 1, 2**63, 10**30)
# Where @ stands in each; some formats have several such places.
TEXTS = {
    "att": ["0 1 a\n1 @ b\n@\n", "@ 1 a\n1\n"],
    "kaldi-lattice": ["k\n0 @ a 1,2,\n@ 1,2,\n\n", "k\n@ 1 a 1,2,\n1\n\n"],
    "k2": ["0 @ -1 0\n@\n", "0 1 5 0\n1 @ -1 0\n@\n", "0 1 @ 0\n1 2 -1 0\n2\n"],
    "slf": [
        "N=2 L=1\nI=0\nI=@\nJ=0 S=0 E=@ W=a\n",
        "N=@ L=1\nI=0\nI=1\nJ=0 S=0 E=1 W=a\n",
        "N=2 L=@\nI=0\nI=1\nJ=0 S=0 E=1 W=a\n",
        "start=0 end=@\nI=0\nI=1\nJ=0 S=0 E=1 W=a\n",
    ],
    "pfsg": [
        "name S\nnodes @ NULL a\ninitial 0\nfinal 1\ntransitions 1\n0 1 0\n",
        "name S\nnodes 2 NULL a\ninitial 0\nfinal @\ntransitions 1\n0 1 0\n",
        "name S\nnodes 2 NULL a\ninitial 0\nfinal 1\ntransitions @\n0 1 0\n",
        "name S\nnodes 2 NULL a\ninitial 0\nfinal 1\ntransitions 1\n0 @ 0\n",
    ],
    "srilm-mesh": ["numaligns @\nalign 0 a 1\n", "numaligns 1\nalign @ a 1\n"],
    "srilm-lattice": ["version 2\ninitial 0\nfinal @\nnode 0 NULL 0 1 @ 1\nnode @ a 0 1\n"],
    "sphinx": ["# -logbase 1.0001\nFrames @\n#\nNodes @ (x)\n0 a 0 0 1\n#\nInitial 0\nFinal 0\n#\nBestSegAscr @\n#\n"
               "Edges (FROM-NODEID TO-NODEID ASCORE)\nEnd\n"],
    "plf": ["((('a',0,@),),)\n"],
    "moses-graph": [
        "@ hyp=0 stack=0\n@ hyp=@ stack=1 back=0 score=-1 transition=-1 forward=-1 fscore=-1 covered=0-0 out=a\n"
    ],
    "target-graph": [
        "# target ||| features ||| source-covered\n@ 1\n1\na ||| ||| 0\n",
        "# target ||| features ||| source-covered\n1 @\n1\na ||| ||| 0\n",
        "# target ||| features ||| source-covered\n1 1\n@\na ||| ||| 0\n",
    ],
    "cicada": ['{"rules": ["[S] ||| a"], "nodes": [[{"rule": @}]], "goal": 0}',
               '{"rules": ["[S] ||| a"], "nodes": [[{"rule": 1}]], "goal": @}'],
    "network": [
        json.dumps({"format": "fstmetrics-network/1", "root": "S", "cards": {"S": card}}).replace('"@"', "@")
        for card in (
            {"arcs": [[0, "@", "a"]], "final": ["@"]},
            {"arcs": [["@", 1, "a"]], "start": "@", "final": [1]},
            {"arcs": [[0, 1, "a"]], "final": [1, "@"]},
            {"phrases": ["a"], "span": [0, "@"]},
        )
    ],
}  # fmt: skip


def binaries() -> dict[str, list[bytes]]:
    """Machines with numbers put everywhere."""
    lattice = fm.Lattice.from_arcs([(0, 1, "a")], finals=[1])
    fst, kaldi = (
        vector_bytes(lattice.automaton),
        b"k " + lattice_bytes(lattice.automaton, np.array([0, 1], np.int32), True),
    )
    found = []
    for data in (fst, kaldi):
        for at in range(len(data) - 8):
            for wild in WILD[:5]:
                code = "<q" if at % 2 else "<i"
                if wild < 2**31 or code == "<q":
                    put = struct.pack(code, wild)
                    found.append(data[:at] + put + data[at + len(put) :])
    return {
        "openfst": [d for d in found if d[0] != ord("k")],
        "kaldi-lattice": [d for d in found if d[0] == ord("k")],
    }


def every() -> list[tuple[str, bytes]]:
    texts = [(name, text.replace("@", str(wild)).encode(), wild)
             for name, all in TEXTS.items() for text in all for wild in WILD]  # fmt: skip
    return [(name, data) for name, data, _ in texts] + [
        (name, data) for name, all in binaries().items() for data in all
    ]


def outcomes() -> list[str]:
    """What becomes of each, the value looked at as a search does."""
    found = []
    for name, data in every():
        try:
            values = [item.value for item in FORMATS[name].read(Source("f", data), ReadOptions())]
            for value in values:
                fm.align(value, "7") if isinstance(value, fm.Lattice) and value.numbered else fm.align(
                    value, "a"
                )
            found.append("read")
        except fm.FstmetricsError as error:
            if "memory" in str(error):  # what did not fit was asked for
                raise
            found.append("refused")
    return found


def test_no_number_fills_the_memory() -> None:
    """In a process of its own, whose memory is bounded; one state too many took gigabytes."""
    script = (
        "import resource, sys\n"
        f"sys.path[:0] = {[str(HELPERS), str(Path(__file__).parent)]!r}\n"
        "import fstmetrics, test_wild_numbers, numpy\n"
        "used = int(open('/proc/self/statm').read().split()[0]) * 4096\n"
        "resource.setrlimit(resource.RLIMIT_AS, (used + 300 * 2**20,) * 2)\n"
        "found = test_wild_numbers.outcomes()\n"
        "print(found.count('read'), found.count('refused'))\n"
    )
    if not Path("/proc/self/statm").exists():
        pytest.skip("memory is bounded by what Linux says of a process")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    read, refused = map(int, done.stdout.split())
    assert read > 30
    assert refused > 100


def test_states_of_cards_are_counted_where_few_are_named() -> None:
    arcs = {"arcs": [[5, 10**9, "a"], [10**9, 7, "b"]], "start": 5, "final": [[7, [1.5, 0]]]}
    data = {"format": "fstmetrics-network/1", "root": "S", "cards": {"S": arcs}}
    for network in (fm.Network.from_json(json.dumps(data)), fm.Network.from_dict(data)):
        assert network.rtn.num_states == 3
        assert network.cards["S"].arcs == ((0, 2, "a"), (2, 1, "b"))
        assert network.best_path().cost == 1.5
        assert fm.wer("a b", network) == 0


def test_cards_of_python_are_held_to_the_limit() -> None:
    network = fm.Network([fm.Card("S", ((0, 10**9, "a"),), frozenset({10**9}))], "S")
    with pytest.raises(fm.FstmetricsError, match="1000000001 states, the limit is"):
        fm.wer("a", network)
    names = [f"C{i}" for i in range(120)]
    cards = [fm.Card(name, ((0, 900_000, "a"),), frozenset({900_000})) for name in names]
    network = fm.Network([*cards, fm.Card.from_phrases("S", [" ".join(f"[{name}]" for name in names)])], "S")
    with limited(states=10**8), pytest.raises(fm.FstmetricsError, match="states, the limit is 100000000"):
        fm.wer("a", network)


def test_many_cards_with_one_key_are_refused_soon() -> None:
    cards = ",".join(f'"C{i % 59_999}":{{"phrases":["a"]}}' for i in range(60_000))
    with pytest.raises(fm.FstmetricsError, match="the key 'C0' is twice"):
        fm.Network.from_json(f'{{"format":"fstmetrics-network/1","root":"C0","cards":{{{cards}}}}}')
    with pytest.raises(fm.FstmetricsError, match="the id '5' is there twice"):
        fm.score(["a"] * 60_000, ["a"] * 60_000, ids=[*map(str, range(59_999)), "5"])


def test_states_are_looked_at_before_a_lattice_is_made() -> None:
    with limited(states=1000), pytest.raises(fm.FstmetricsError, match="lattice 'f' has 2001 states"):
        list(
            FORMATS["att"].read(
                Source("f", b"".join(b"%d %d a\n" % (i, i + 1) for i in range(2000)) + b"2000\n"),
                ReadOptions(),
            )
        )
