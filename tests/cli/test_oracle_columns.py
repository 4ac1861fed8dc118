"""Options of `oracle` whose records and sums come from columns, against the same item by item."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from command import Outcome, fstmetrics, written

from fstmetrics.scoring.path_scoring import PathScoring

WORDS = ["the", "a", "cat", "hat", "sat", "on", "mat", "naïve"]


def lattice(chance: random.Random, id: str) -> str:
    length = chance.randrange(1, 9)

    def arc(n: int, word: str) -> str:
        graph = chance.choice([0.5, 1, 2.25, chance.uniform(0, 9)])
        return f"{n} {n + 1} {word} {graph},{chance.randrange(5)},{'7_' * chance.randrange(3)}7\n"

    rows = [arc(n, word) for n in range(length) for word in chance.sample(WORDS, chance.randrange(1, 4))]
    return f"{id} \n{''.join(rows)}{length} 0,{chance.randrange(3)},\n\n"


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """Lattices, references with fields, and references without."""
    chance, folder = random.Random(6), tmp_path_factory.mktemp("lattices")
    ids = [f"u{n}" for n in range(150)]
    said = {id: " ".join(chance.choices(WORDS, k=chance.randrange(1, 9))) for id in ids}
    lines = []
    for number, id in enumerate(ids):
        fields = {
            "speaker": f"s{number % 4}",
            "noise": chance.choice(["é", "", None, "b"]),
            "length": number % 7,
        }
        lines.append(json.dumps({"id": id, "text": said[id]} | ({} if number % 11 == 0 else fields)))
    return (
        written(folder / "a.ark", "".join(lattice(chance, id) for id in ids)),
        written(folder / "ref.jsonl", "\n".join(lines) + "\n"),
        written(folder / "ref.txt", "".join(f"{id} {text}\n" for id, text in said.items())),
    )


def both(
    run: Callable[[str], Outcome], monkeypatch: pytest.MonkeyPatch, folder: Path
) -> tuple[Outcome, Outcome, list[bytes]]:
    """By columns and item by item: what is printed, and the records."""
    with monkeypatch.context() as patch:
        taken: list[bool] = []
        own = PathScoring.written

        def told(self: PathScoring, *given: object) -> object:
            found = own(self, *given)  # type: ignore[arg-type]
            taken.append(found is not None)
            return found

        patch.setattr(PathScoring, "written", told)
        columns = run(str(folder / "o.jsonl"))
    records = [(folder / "o.jsonl").read_bytes()]
    assert taken
    assert all(taken)
    (folder / "o.jsonl").unlink()
    with monkeypatch.context() as patch:
        for name in ("written", "columns", "_searched_column"):
            patch.setattr(PathScoring, name, lambda *_: None)
        items = run(str(folder / "o.jsonl"))
    records.append((folder / "o.jsonl").read_bytes())
    return columns, items, records


OPTIONS = [
    ("--beam", "2"),
    ("--beam", "2", "--lm-scale", "0.7", "--word-penalty", "0.1"),
    ("--beam", "0", "--alignment"),
    ("--depth",),
    ("--nbest", "5"),
    ("--nbest", "3", "--beam", "1,9", "--alignment", "--depth"),
    ("--beam", "0.5,4"),
    ("--beam", "0.5,4", "--depth", "--lm-scale", "3", "--json"),
]
FIELDS = [
    (),
    ("--by", "speaker"),
    ("--by", "noise", "--by", "speaker,noise"),
    ("--by", "length:3", "--beam", "2"),
    ("--by", "speaker", "--beam", "1,2", "--depth"),
]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
def test_lattices(
    options: tuple[str, ...],
    jobs: int,
    inputs: tuple[Path, Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    archive, _, references = inputs
    given = ("oracle", references, archive, "--ref-format", "kaldi-text", *options, "--jobs", jobs)
    columns, items, records = both(lambda to: fstmetrics(*given, "--output", to), monkeypatch, tmp_path)
    assert (columns.status, columns.out, columns.err) == (items.status, items.out, items.err)
    assert records[0] == records[1]
    assert records[0].count(b"\n") == 150


@pytest.mark.parametrize("shown", [(), ("--json",)])
@pytest.mark.parametrize("options", FIELDS, ids=" ".join)
def test_fields(
    options: tuple[str, ...], shown: tuple[str, ...], inputs: tuple[Path, Path, Path], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    archive, references, _ = inputs
    given = ("oracle", references, archive, *options, *shown)
    columns, items, records = both(lambda to: fstmetrics(*given, "--output", to), monkeypatch, tmp_path)
    assert columns.status == 0
    assert (columns.status, columns.out, columns.err) == (items.status, items.out, items.err)
    assert records[0] == records[1]
    assert records[0].count(b'"fields"') == 150 - 14


def test_a_field_that_is_no_number(inputs: tuple[Path, Path, Path], tmp_path: Path) -> None:
    archive, references, _ = inputs
    outcome = fstmetrics("oracle", references, archive, "--by", "noise:2,5", "--output", tmp_path / "o.jsonl")
    assert outcome.status == 2
    assert outcome.err.count("\n") == 1
    assert not (tmp_path / "o.jsonl").exists()


def test_shards_give_the_tables_of_one_run(inputs: tuple[Path, Path, Path], tmp_path: Path) -> None:
    """Records and entries of shards come from columns, and the tables from the entries."""
    archive, references, _ = inputs
    given = ("oracle", references, archive, "--by", "speaker")
    whole = fstmetrics(*given, "--output", tmp_path / "o.jsonl")
    for shard in ("1/2", "2/2"):
        part = fstmetrics(*given, "--output", tmp_path / f"o-{shard[0]}.jsonl", "--shard", shard)
        assert part.status == 0, part.err
    merged = fstmetrics(
        "merge", tmp_path / "o-1.jsonl", tmp_path / "o-2.jsonl", "--output", tmp_path / "m.jsonl"
    )
    assert merged.out == whole.out
    assert (tmp_path / "m.jsonl").read_bytes() == (tmp_path / "o.jsonl").read_bytes()
