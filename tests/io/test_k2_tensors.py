"""k2's `.pt` files: written by PyTorch where it is installed, and by a stand-in everywhere."""

from __future__ import annotations

import io
import pickle
import re
import struct
import sys
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from small_files import K2
from small_paths import one, paths

from fstmetrics.io import FORMATS, Item, ReadOptions, Source, read_items
from fstmetrics.support.errors import InputError
from fstmetrics.support.limits import limited


def test_k2_tensors(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    scores = torch.tensor([0.1, -0.5, 0.4, 0.0]).view(torch.int32)
    arcs = torch.tensor([[0, 1, 10], [0, 2, 0], [1, 3, -1], [2, 3, -1]], dtype=torch.int32)
    saved = {"arcs": torch.cat([arcs, scores[:, None]], dim=1)}
    torch.save(saved, tmp_path / "a.pt")
    items = read_items(tmp_path / "a.pt")
    assert items.formats == ("k2-pt",)
    assert items.items[0].id == "a"
    assert paths(items.items[0].value) == one("k2", K2)
    torch.save(saved | {"aux_labels": torch.tensor([7, 0, -1, -1])}, tmp_path / "b.pt")
    assert paths(read_items(tmp_path / "b.pt").items[0].value) == Counter({(("7",), -0.5): 1, ((), 0.5): 1})
    torch.save({"arcs": torch.zeros(4)}, tmp_path / "c.pt")
    with pytest.raises(InputError, match='"arcs" is no tensor of integers'):
        read_items(tmp_path / "c.pt")


def vector_of(machines: list[list[list[int]]]) -> list[int]:
    """The tensor of a vector of machines, as k2's source says: FsaVecToTensor in k2/csrc/fsa.cu."""
    states, ends = [0], [0]
    for arcs in machines:
        states.append(states[-1] + (1 + max(arc[1] for arc in arcs) if arcs else 0))
        ends.append(ends[-1] + len(arcs))
    return [len(machines), 0, *states, *ends, *(n for arcs in machines for arc in arcs for n in arc)]


def check_vector(read: Callable[[dict[str, Any]], list[Item]], tensor: Callable[[list[int]], Any]) -> None:
    """A vector of three machines, the second without arcs, comes as three lattices in its order."""
    bits = [[*arc[:3], int(np.float32(arc[3]).view(np.int32))] for arc in K2_ARCS]
    other = [[0, 1, 3, 0], [1, 2, -1, 0]]
    items = read({"arcs": tensor(vector_of([bits, [], other]))})
    assert [item.id for item in items] == [None] * 3
    assert [paths(item.value) for item in items] == [one("k2", K2), Counter(), Counter({(("3",), 0.0): 1})]
    items = read({"arcs": tensor(vector_of([bits, other])), "aux_labels": tensor([7, 0, -1, -1, 5, -1])})
    assert [paths(item.value) for item in items] == [
        Counter({(("7",), -0.5): 1, ((), 0.5): 1}), Counter({(("5",), 0.0): 1}),
    ]  # fmt: skip


def test_k2_vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_vector(lambda saved: loaded(saved, monkeypatch), lambda values: Tensor(values, np.int32))


def test_k2_vectors_by_pytorch(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")

    def read(saved: dict[str, Any]) -> list[Item]:
        torch.save(saved, tmp_path / "v.pt")
        return list(read_items(tmp_path / "v.pt").items)

    check_vector(read, lambda values: torch.tensor(values, dtype=torch.int32))


class Attack:
    """An object that leaves a file behind where it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.touch, (self.path,)


@pytest.mark.parametrize("zipped", [True, False])
def test_nothing_in_a_pt_file_is_run(tmp_path: Path, zipped: bool) -> None:
    torch = pytest.importorskip("torch")
    sign, path = tmp_path / "sign", tmp_path / "a.pt"
    saved = {"arcs": torch.zeros(1, 4, dtype=torch.int32), "x": Attack(sign)}
    torch.save(saved, path, _use_new_zipfile_serialization=zipped)
    said = r"holds Python objects that are not tensors.*no object is loaded" if zipped else "no zip archive"
    with pytest.raises(InputError, match=said):
        read_items(path, format="k2-pt")
    assert not sign.exists()
    torch.load(path, weights_only=False)
    assert sign.exists()  # the attack works where it is let in


def test_pt_files_become_no_larger_than_they_are(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    path = tmp_path / "a.pt"
    torch.save({"arcs": torch.zeros(1, dtype=torch.int32).expand(10**9, 4)}, path)
    with pytest.raises(InputError, match="says it has 4000000000 numbers, which the file does not hold"):
        read_items(path)
    torch.save({"arcs": torch.zeros(10**6, 4, dtype=torch.int32)}, path)
    with (
        zipfile.ZipFile(path) as plain,
        zipfile.ZipFile(tmp_path / "b.pt", "w", zipfile.ZIP_DEFLATED) as packed,
    ):
        for name in plain.namelist():
            packed.writestr(name, plain.read(name))
    assert (tmp_path / "b.pt").stat().st_size < 50_000
    with pytest.raises(InputError, match="packed files"):
        read_items(tmp_path / "b.pt", format="k2-pt")


def test_programs_are_not_loaded(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    path = tmp_path / "a.pt"
    with warnings.catch_warnings(action="ignore"):
        torch.jit.save(torch.jit.script(torch.nn.Linear(1, 1)), path)
    with pytest.raises(InputError, match="holds a program") as caught:
        read_items(path, format="k2-pt")
    assert "weights_only" not in str(caught.value)


def test_pt_files_cut_off_anywhere_are_errors(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    torch.save({"arcs": torch.tensor([[0, 1, -1, 0]], dtype=torch.int32)}, tmp_path / "a.pt")
    data = (tmp_path / "a.pt").read_bytes()
    for size in range(4, len(data), 7):
        with pytest.raises(InputError):
            list(FORMATS["k2-pt"].read(Source("f", data[:size]), ReadOptions()))


class Tensor:
    """As much of a tensor as the reader uses, for machines without PyTorch."""

    def __init__(self, values: object, dtype: type) -> None:
        self.array = np.array(values, dtype=dtype)

    def numpy(self) -> np.ndarray:
        return self.array


K2_ARCS = [[0, 1, 10, 0.1], [0, 2, 0, -0.5], [1, 3, -1, 0.4], [2, 3, -1, 0.0]]


def loaded(saved: object, monkeypatch: pytest.MonkeyPatch, version: str = "2.6.0+cpu") -> list[Item]:
    """What the reader makes of a file of which PyTorch would make `saved`."""

    def load(file: object, map_location: str, weights_only: bool) -> object:
        assert weights_only  # anything else would run what a file holds
        if isinstance(saved, Exception):
            raise saved
        return saved

    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(load=load, __version__=version))
    return list(FORMATS["k2-pt"].read(Source("f", archive()), ReadOptions()))


def archive(**entries: bytes) -> bytes:
    """A zip archive as PyTorch writes it, not packed."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as target:
        for name, data in (entries or {"pkl": bytes(700)}).items():
            target.writestr(f"a/data.{name}", data)
    return file.getvalue()


@pytest.mark.parametrize("version", ["1.13.1", "2.5.1+cu124", "strange"])
def test_a_pytorch_that_may_run_files(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        InputError, match=rf"^f: PyTorch {re.escape(version)} can be made to run.*'torch>=2\.6'$"
    ):
        loaded({}, monkeypatch, version)


def test_advice_to_run_files_is_not_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (RuntimeError("set weights_only=False"), pickle.UnpicklingError("use weights_only=False")):
        with pytest.raises(InputError) as caught:
            loaded(error, monkeypatch)
        assert "weights_only" not in str(caught.value)


def test_ragged_labels_are_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    error = pickle.UnpicklingError(
        "Unsupported global: GLOBAL _k2.ragged.RaggedTensor was not an allowed global"
    )
    with pytest.raises(
        InputError, match=r"^f: holds ragged labels, several an arc.*k2\.to_str\(fsa\)\)`, format k2$"
    ):
        loaded(error, monkeypatch)


def test_archives_that_say_they_are_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(__version__="2.6.0"))
    data = bytearray(archive(pkl=bytes(100)))
    at = data.index(b"PK\x01\x02")
    data[at + 20 : at + 28] = struct.pack("<ii", 10**9, 10**9)
    with pytest.raises(InputError, match=r"says its files have 1000000000$"):
        list(FORMATS["k2-pt"].read(Source("f", bytes(data)), ReadOptions()))


def test_a_numpy_that_pytorch_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    def numpy() -> object:
        raise RuntimeError("Numpy is not available")

    with pytest.raises(InputError, match="does not go with this numpy"):
        loaded({"arcs": SimpleNamespace(numpy=numpy)}, monkeypatch)


def test_the_limit_on_arcs(monkeypatch: pytest.MonkeyPatch) -> None:
    arcs = Tensor([[0, 1, -1, 0]] * 3, np.int32)
    with limited(arcs=2), pytest.raises(InputError, match=r"has 3 arcs, the limit is 2; --max arcs=N"):
        loaded({"arcs": arcs}, monkeypatch)


def test_k2_dictionaries(monkeypatch: pytest.MonkeyPatch) -> None:
    bits = [[*arc[:3], int(np.float32(arc[3]).view(np.int32))] for arc in K2_ARCS]
    arcs = Tensor(bits, np.int32)
    (item,) = loaded({"arcs": arcs}, monkeypatch)
    assert paths(item.value) == one("k2", K2)
    (item,) = loaded({"arcs": arcs, "aux_labels": Tensor([7, 0, -1, -1], np.int32)}, monkeypatch)
    assert paths(item.value) == Counter({(("7",), -0.5): 1, ((), 0.5): 1})
    for saved, message in [
        ([], "holds no dictionary"),
        ({}, 'holds no dictionary with the tensor "arcs"'),
        ({"arcs": Tensor(bits, np.int64)}, '"arcs" is no int32 tensor'),
        ({"arcs": Tensor([bits], np.int32)}, '"arcs" is no tensor of integers with one or two axes'),
        ({"arcs": arcs, "aux_labels": Tensor([7], np.int32)}, r'"aux_labels" has shape \[1\] for 4 arcs'),
        ({"arcs": arcs, "aux_labels": Tensor([1 << 32] * 4, np.int64)}, '"aux_labels" has numbers beyond 32'),
        ({"arcs": arcs, "aux_labels": [[7], [], [], []]}, '"aux_labels" is no tensor of integers'),
        (
            {"arcs": Tensor([[0, 1, 5, 0]] * 999, np.int32)},
            "says it has 3996 numbers, which the file does not",
        ),
        ({"arcs": Tensor([[0, 1, 5, 0], [0, -5, -1, 0]], np.int32)}, "arc 1: state -5 is out of range"),
        ({"arcs": Tensor([[0, -5, -1, 0]], np.int32)}, "arc 0: state -5 is out of range"),
        ({"arcs": Tensor([[0, 10**9, -1, 0]], np.int32)}, "has 1000000001 states, the limit is"),
        ({"arcs": Tensor([2, 0, 0, 3], np.int32)}, "is no vector of 2 machines: 4 integers"),
        (
            {"arcs": Tensor([1, 0, 0, 2, 0, 2, 0, 1, -1, 0], np.int32)},
            "sums of states or arcs are out of order",
        ),
        (
            {"arcs": Tensor(bits[:3], np.int32), "aux_labels": Tensor([-7, 0, 0], np.int32)},
            "arc 0: label -7 is neg",
        ),
        (
            {"arcs": Tensor([[0, 1, 5, 0]], np.int32)},
            "label -1 must be on the arcs into the final state 1",
        ),
    ]:
        with pytest.raises(InputError, match=f"^f: .*{message}"):
            loaded(saved, monkeypatch)


def test_k2_tensors_without_torch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    (tmp_path / "a.pt").write_bytes(b"PK\x03\x04" + b"\0" * 26 + b"a/data.pkl")
    with pytest.raises(InputError, match="needs PyTorch to be read"):
        read_items(tmp_path / "a.pt")
