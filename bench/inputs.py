"""Problems of the rows: the shared files where they are, generated ones otherwise, each also written for the peers.

`Inputs` has `hyter_problems(class)`, `oracle_problems()`, `lattices_around(problem)`; the rest is in `generate`.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import fstmetrics as fm
from bench import generate

Size = Literal["tiny", "full"]

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
# Segments, alternatives and depth of generated networks; about 240, 1,900 and 27,000 states.
CLASSES = {"single": (12, 6, 2), "combined": (11, 12, 3), "large": (27, 21, 3)}
TINY_CLASSES = {"single": (5, 2, 2), "combined": (6, 3, 2), "large": (8, 3, 3)}
WORDS, ARCS = (25, 200), (1_000, 10_000, 100_000)
TINY_WORDS, TINY_ARCS = (8, 20), (100, 300)
# At these arcs, as many lattices.
LATTICES = {1_000: 4, 10_000: 2, 100_000: 1}


@dataclass(frozen=True, slots=True)
class HyterProblem:
    """A hypothesis and its network, as the file `json` and, for the peers, the file `machine`."""

    id: str
    hypothesis: str
    network: fm.Network
    json: Path
    machine: Path


@dataclass(frozen=True, slots=True)
class OracleProblem:
    """A reference and a lattice; `machine` is the lattice for the peers."""

    id: str
    words: int
    arcs: int
    reference: str
    lattice: fm.Lattice
    machine: Path


class Inputs:
    """Every problem of a run. Files for the peers go to `folder`."""

    def __init__(self, folder: Path, size: Size) -> None:
        self.folder = folder
        self.tiny = size == "tiny"
        self._networks: dict[str, tuple[fm.Network, Path, Path]] = {}

    @cached_property
    def shared_networks(self) -> Path | None:
        """The shared networks, at full size and where they are."""
        folder = SHARED / "synthetic-networks"
        return folder if folder.is_dir() and not self.tiny else None

    def source(self) -> str:
        """Where the inputs come from, for the report."""
        return "shared files" if self.shared_networks else "generated from seeds"

    def hyter_problems(self, kind: str, hypotheses: int = 2) -> list[HyterProblem]:
        """Every network of a class with its first hypotheses."""
        if self.shared_networks:
            return list(self._shared_hyter(self.shared_networks, kind, hypotheses))
        return list(self._generated_hyter(kind, hypotheses))

    def _shared_hyter(self, folder: Path, kind: str, hypotheses: int) -> Iterator[HyterProblem]:
        for i in range(hypotheses):
            for line in (folder / f"hyp-{kind}-{i}.txt").read_text().splitlines():
                id, text = line.split(maxsplit=1)
                yield self._problem(f"{id}/{i}", text, folder / "networks" / f"{id}.json.gz")

    def _generated_hyter(self, kind: str, hypotheses: int) -> Iterator[HyterProblem]:
        shape = (TINY_CLASSES if self.tiny else CLASSES)[kind]
        for seed in range(2 if self.tiny else 6):
            net = generate.network(seed, *shape)
            path = self.folder / f"{kind}-{seed}.json"
            path.write_text(json.dumps(net))
            rng = random.Random(seed)
            for i in range(hypotheses):
                words = generate.corrupted(rng, generate.sampled_path(rng, net), 0.2, generate.Zipf(rng))
                yield self._problem(f"{path.stem}/{i}", " ".join(generate.with_swaps(rng, words, 2)), path)

    def _problem(self, id: str, hypothesis: str, path: Path) -> HyterProblem:
        name = path.name.split(".")[0]
        if name not in self._networks:
            machine = self.folder / f"{name}.machine"
            write_network(_json(path), machine)
            self._networks[name] = (fm.Network.read(path), path, machine)
        return HyterProblem(id, hypothesis, *self._networks[name])

    def oracle_problems(self) -> list[OracleProblem]:
        """Lattices of every size."""
        shared = SHARED / "synthetic-lattices"
        if shared.is_dir() and not self.tiny:
            return [self._shared_lattice(path) for path in sorted(shared.glob("*.tar.gz"))]
        words, arcs = (TINY_WORDS, TINY_ARCS) if self.tiny else (WORDS, ARCS)
        return [
            self.generated_oracle(w, a, seed)
            for w in words
            for a in arcs
            for seed in range(LATTICES.get(a, 1))
        ]

    def generated_oracle(self, words: int, arcs: int, seed: int = 0) -> OracleProblem:
        """A lattice of this size and its reference."""
        rng = random.Random(seed)
        zipf = generate.Zipf(rng)
        reference = zipf.words(words)
        spoken = generate.corrupted(rng, reference, 0.2, zipf) or reference
        return self._oracle(
            f"W{words}-A{arcs}-{seed}", reference, *generate.lattice(seed, spoken, arcs), arcs
        )

    def _shared_lattice(self, path: Path) -> OracleProblem:
        name = path.name.split(".")[0]
        with tarfile.open(path) as archive:
            reference = _member(archive, f"{name}/ref.txt").split()
            rows = [line.split() for line in _member(archive, f"{name}/lat.txt").splitlines()]
        arcs = [(int(row[0]), int(row[1]), row[2]) for row in rows if len(row) >= 3]
        (final,) = [int(row[0]) for row in rows if len(row) < 3]
        size = re.search(r"A0*(\d+)", name)
        return self._oracle(name, reference, arcs, final, int(size[1]) if size else len(arcs))

    def _oracle(
        self, name: str, reference: list[str], arcs: list[generate.Arc], final: int, size: int
    ) -> OracleProblem:
        machine = self.folder / f"{name}.machine"
        write_lattice(arcs, final, machine)
        rows = [(a, b, "" if word == "<eps>" else word) for a, b, word in arcs]
        lattice = fm.Lattice.from_arcs(rows, finals=[final], id=name)
        return OracleProblem(name, len(reference), size, " ".join(reference), lattice, machine)

    def lattice_around(self, problem: HyterProblem, arcs: int) -> OracleProblem:
        """A lattice of competing words around a hypothesis, to meet its network."""
        words = problem.hypothesis.split()
        name = f"around-{problem.id.replace('/', '-')}"
        return self._oracle(name, words, *generate.lattice(1, words, arcs), arcs)


def _member(archive: tarfile.TarFile, name: str) -> str:
    file = archive.extractfile(name)
    assert file is not None
    return file.read().decode()


def _json(path: Path) -> dict[str, Any]:
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    data: dict[str, Any] = json.loads(text)
    return data


def write_lattice(arcs: Iterable[generate.Arc], final: int, path: Path) -> None:
    """A file as in peers/machines.h, one card."""
    rows = list(arcs)
    states = 1 + max(max(a, b) for a, b, _ in rows)
    lines = [f"card {states} 0", f"final {final}", *(f"word {a} {b} {word}" for a, b, word in rows)]
    path.write_text("\n".join(lines) + "\n")


def write_network(net: dict[str, Any], path: Path) -> None:
    """A file as in peers/machines.h, the root first."""
    names = [net["root"], *(name for name in net["cards"] if name != net["root"])]
    number = {name: i for i, name in enumerate(names)}
    lines: list[str] = []
    for name in names:
        arcs, start, finals = _card_arcs(net["cards"][name])
        lines.append(f"card {1 + max([start, *finals, *(max(a, b) for a, b, _ in arcs)])} {start}")
        lines += [f"final {state}" for state in finals]
        for a, b, label in arcs:
            call = re.fullmatch(r"\[(.*)\]", label)
            lines.append(f"call {a} {b} {number[call[1]]}" if call else f"word {a} {b} {label or '<eps>'}")
    path.write_text("\n".join(lines) + "\n")


def _card_arcs(card: dict[str, Any]) -> tuple[list[generate.Arc], int, list[int]]:
    if "arcs" in card:
        return [tuple(arc) for arc in card["arcs"]], card.get("start", 0), card["final"]
    arcs: list[generate.Arc] = []
    states = 2
    for phrase in card["phrases"]:
        tokens = phrase.split() or [""]
        path = [0, *range(states, states + len(tokens) - 1), 1]
        states += len(tokens) - 1
        arcs += zip(path, path[1:], tokens, strict=False)
    return arcs, 0, [1]
