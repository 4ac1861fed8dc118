"""Files of scores of systems: every kind says the same; what does not fit is refused with file and line."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

import fstmetrics as fm
from fstmetrics.io.scores.score_files import read_documents, read_scores, score_folder

SCORES = np.array([[0.5, np.nan, 2.0], [-1.0, 0.25, 1e-3]])
BLOCKS = "A\t0.5\nA\tNone\nA\t2\nB\t-1.0\nB\t0.25\nB\t1e-3\n"
HEAD = ("system", "segment", "comet")
ROWS = [
    ("A", "1", "0.5"),
    ("A", "2", ""),
    ("A", "3", "2"),
    ("B", "1", "-1"),
    ("B", "2", "0.25"),
    ("B", "3", "1e-3"),
]
COMET = {
    "out/A.txt": [{"mt": "x", "COMET": 0.5}, {"mt": "x", "COMET": None}, {"mt": "y", "COMET": 2}],
    "out/B.txt": [{"mt": "x", "COMET": -1}, {"mt": "x", "COMET": 0.25}, {"mt": "y", "COMET": 1e-3}],
}
KINDS = {
    "comet.seg.score": BLOCKS,
    "en-de.comet.seg.score": BLOCKS.replace("\t", " "),
    "blocks.txt": BLOCKS,
    "comet.tsv": "".join("\t".join(row) + "\n" for row in [HEAD, *ROWS]),
    "comet.csv": "".join(",".join(row) + "\n" for row in [HEAD, *ROWS]),
    "comet.txt": "".join(" ".join(cell or "NA" for cell in row) + "\n" for row in [HEAD, *ROWS]),
    "comet.json": json.dumps(COMET),
    "comet.jsonl": "".join(
        json.dumps({"system": name, "segment": id, "comet": float(score) if score else None}) + "\n"
        for name, id, score in ROWS
    ),
}


@pytest.mark.parametrize("name", list(KINDS))
def test_every_kind_says_the_same(tmp_path: Path, name: str) -> None:
    for packed in (False, True):
        path = tmp_path / (f"{name}.gz" if packed else name)
        path.write_bytes(gzip.compress(KINDS[name].encode()) if packed else KINDS[name].encode())
        found = read_scores(str(path))
        assert found.systems == ("A", "B")
        assert found.level == "segment"
        assert found.ids == ("1", "2", "3")
        np.testing.assert_array_equal(found.scores, SCORES)
        np.testing.assert_array_equal(found.of("B"), SCORES[1])


def test_parquet_says_the_same(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = list(zip(*ROWS, strict=True))
    numbers = [float(score) if score else None for score in columns[2]]
    ids = [int(number) for number in columns[1]]
    table = arrow.table(
        {"system": columns[0], "segment": ids, "comet": numbers, "domain": ["n", "n", "s"] * 2}
    )
    parquet.write_table(table, tmp_path / "x.parquet")
    found = read_scores(str(tmp_path / "x.parquet"))
    np.testing.assert_array_equal(found.column("comet"), SCORES)
    assert found.domains == ("n", "n", "s")


def test_scores_of_systems_and_of_domains(tmp_path: Path) -> None:
    (tmp_path / "en-de.mqm.sys.score").write_text("A\t0.5\nB\tNone\n")
    found = read_scores(str(tmp_path / "en-de.mqm.sys.score"))
    assert found.level == "system"
    assert found.human is not None
    np.testing.assert_array_equal(found.human, [[0.5], [np.nan]])
    (tmp_path / "en-de.mqm.domain.score").write_text(
        "news\tA\t1\nnews\tB\t2\nspeech\tA\t3\nspeech\tB\tNone\n"
    )
    found = read_scores(str(tmp_path / "en-de.mqm.domain.score"))
    assert found.domains == ("news", "speech")
    np.testing.assert_array_equal(found.scores, [[1, 3], [2, np.nan]])


def test_one_score_a_line(tmp_path: Path) -> None:
    (tmp_path / "online.txt").write_text("0.5\nNone\n2\n")
    found = read_scores(str(tmp_path / "online.txt"), name="comet")
    assert found.systems == ("online",)
    assert list(found.columns) == ["comet"]
    np.testing.assert_array_equal(found.of("any name"), SCORES[0])


def test_ratings_of_assessors_are_joined(tmp_path: Path) -> None:
    rows = ["system segment rater human", "A 1 j 10", "A 1 k 3", "B 1 j 20", "B 1 k 5"]
    (tmp_path / "h.txt").write_text("\n".join(rows))
    found = read_scores(str(tmp_path / "h.txt"), standardise=False)
    assert found.human is not None
    assert (found.human.tolist(), found.assessors) == ([[6.5], [12.5]], 2)


@pytest.mark.parametrize(
    ("name", "text", "parts"),
    [
        ("m.seg.score", "A\t1\nA\t2\nB\t1\n", (":3", "1 scores of B", "2 of A")),
        ("m.seg.score", "A\t1\nB\t2\nA\t1\n", (":3", "A once more", "line 1")),
        ("m.seg.score", "A\tnan\n", (":1", "'nan', not a number")),
        ("m.seg.score", "A\t1_0\n", (":1", "'1_0', not a number")),
        ("t.tsv", "system\tsegment\thuman\tm\na\t1\t2\t\u0663\n", (":2", "not a number")),
        ("m.seg.score", "A\tgood\n", (":1", "'good'")),
        ("m.seg.score", "A\t1\t2\n", (":1", "3 words")),
        ("m.seg.score", "", ("no scores",)),
        ("m.sys.score", "A\t1\nA\t2\n", ("2 scores of A", ".sys.score")),
        ("m.domain.score", "d A 1\nd A 2\n", (":2", "once more")),
        ("m.tsv", "system\tsegment\tm\nA\t1\tnan\n", (":2", "m is 'nan'")),
        ("m.csv", "system,segment,m\nA,1,x\n", (":2", "m is 'x'")),
        ("m.json", '{"a": [{"m": 1}], "b": []}', ("0 scores of b", "1 of a")),
        ("m.json", '{"a": [', ("no JSON",)),
        ("m.txt", "1\n2\nthree\n", (":3", "'three'")),
        ("m.tsv", "name\tscore\n", (":1", "system and segment")),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(
    tmp_path: Path, name: str, text: str, parts: tuple[str, ...]
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(fm.InputError) as caught:
        read_scores(str(path))
    for part in (name, *parts):
        assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def wmt_folder(root: Path) -> Path:
    """Two language pairs, two references; people have not judged system D, refA has no scores with itself."""
    files = {
        "documents/en-de.docs": "news\td1\nnews\td1\ntalk\td2\n",
        "human-scores/en-de.mqm.seg.score": BLOCKS + "refA\t1\nrefA\t1\nrefA\t1\n",
        "human-scores/en-de.wmt-z.seg.score": BLOCKS,
        "human-scores/en-de.mqm.sys.score": "A\t1\nB\t2\nrefA\t3\n",
        "human-scores/cs-en.wmt-z.seg.score": "A\t1\n",
        "metric-scores/en-de/chrF-refA.seg.score": BLOCKS + "D\t1\nD\t1\nD\t1\n",
        "metric-scores/en-de/chrF-refA.sys.score": "A\t3\nB\t4\nD\t5\n",
        "metric-scores/en-de/chrF-refB.seg.score": BLOCKS,
        "metric-scores/en-de/QE-src.seg.score": BLOCKS + "".join("refA\t1\n" for _ in range(3)),
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def test_a_folder_of_wmt(tmp_path: Path) -> None:
    found = score_folder(str(wmt_folder(tmp_path)), "en-de")
    assert (found.human, found.references, found.left_out) == ("mqm", "refA", ("refA", "D"))
    assert [(file.level, [*file.columns] or "human", file.systems) for file in found.files] == [
        ("segment", "human", ("A", "B")),
        ("system", "human", ("A", "B")),
        ("segment", ["QE"], ("A", "B")),
        ("segment", ["chrF"], ("A", "B")),
        ("system", ["chrF"], ("A", "B")),
    ]
    assert (found.files[0].domains, found.files[0].documents) == (
        ("news", "news", "talk"),
        ("d1", "d1", "d2"),
    )
    with pytest.raises(fm.InputError, match="2 language pairs, cs-en, en-de"):
        score_folder(str(tmp_path))
    with pytest.raises(fm.InputError, match="no set of references refC; there are refA, refB"):
        score_folder(str(tmp_path), "en-de", references="refC")


def test_documents_of_another_test_set(tmp_path: Path) -> None:
    (wmt_folder(tmp_path) / "documents" / "en-de.docs").write_text("news d1\n")
    with pytest.raises(fm.InputError, match=r"3 segments of each system, but 1 lines in .*en-de\.docs"):
        score_folder(str(tmp_path), "en-de")
    (tmp_path / "x.docs").write_text("news\n")
    with pytest.raises(fm.InputError, match=r"x\.docs:1: 1 word"):
        read_documents(str(tmp_path / "x.docs"))


def test_real_human_scores_say_the_same_as_blocks_and_as_a_table(shared: Path) -> None:
    folder = shared / "mt-wmt" / "newstest2021.en-de"
    blocks = read_scores(str(folder / "expected" / "mqm.seg.score.gz"))
    table = read_scores(str(folder / "mqm.avg_seg_scores.tsv.gz"))
    assert table.human is not None
    for system, row in zip(blocks.systems, blocks.scores, strict=True):
        name = "Nemo" if system == "NVIDIA-NeMo" else system
        np.testing.assert_allclose(row, table.human[table.systems.index(name)], atol=1e-6)


def test_objects_without_segments_are_numbered_by_system(tmp_path: Path) -> None:
    """Each system's own first object is segment 1; so the reader knows that the file names none."""
    lines = [{"system": name, "comet": float(score) if score else None} for name, _, score in ROWS]
    for name, text in {
        "a.json": json.dumps(lines),
        "a.jsonl": "".join(json.dumps(line) + "\n" for line in lines),
    }.items():
        path = tmp_path / name
        path.write_text(text)
        found = read_scores(str(path))
        assert (found.ids, found.is_numbered) == (("1", "2", "3"), True)
        np.testing.assert_array_equal(found.scores, SCORES)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines[:-1]))
    with pytest.raises(fm.InputError, match="2 scores of B, but 3 of A"):
        read_scores(str(path))
