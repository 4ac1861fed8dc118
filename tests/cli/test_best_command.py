"""`fstmetrics best`: the words of lattice-best-path, OpenFst's k shortest paths, and every format of text and lists."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

import pytest
from command import EXAMPLES, ORACLE, fstmetrics, written

import fstmetrics as fm
from fstmetrics.convert.best_words import TARGETS, write_best
from fstmetrics.io import read_items
from fstmetrics.lattices.costs import weighed
from fstmetrics.scoring.request import LatticeOptions

LATTICES = EXAMPLES / "oracle" / "lattices"
# Paths "a b" (3), "a" (4, twice), "b b" (5) and "" (9).
SMALL = "utt\n0 1 a 1,0,\n0 1 b 3,0,\n1 2 b 2,0,\n0 2 a 4,0,\n0 2 a 5,0,\n0 2 <eps> 9,0,\n2\n\n"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return written(tmp_path / "lat.txt", SMALL)


def test_the_best_words_are_the_one_best_of_oracle() -> None:
    options = ("--lm-scale", "2", "--word-penalty", "15")
    lines = fstmetrics("best", LATTICES, *options).out.splitlines()
    records = fstmetrics("oracle", *ORACLE, *options, "--output", "-").records
    assert lines == [" ".join([record["id"], *record["one_best"]["hypothesis"]]) for record in records]


def test_k_best_are_different_words_with_ids_of_their_own(small: Path) -> None:
    assert fstmetrics("best", small, "--nbest", "9").out == "utt-1 a b\nutt-2 a\nutt-3 b b\nutt-4\n"
    assert fstmetrics("best", small, "--nbest", "2", "--to", "trn").out == "a b (utt-1)\na (utt-2)\n"
    lists = fstmetrics("best", small, "--nbest", "3", "--to", "nbest").out
    assert lists == "utt ||| a b ||| ||| -3.0\nutt ||| a ||| ||| -4.0\nutt ||| b b ||| ||| -5.0\n"
    assert fstmetrics("best", small, "--nbest", "2", "--to", "nbest-kaldi").out == "utt a b\nutt a\n"


def test_scales_choose(small: Path) -> None:
    assert fstmetrics("best", small, "--word-penalty", "2").out == "utt a\n"  # 4 + 2 < 3 + 4
    assert fstmetrics("best", small, "--word-penalty", "9").out == "utt\n"
    weighed = fstmetrics("best", small, "--lm-scale", "10", "--word-penalty", "-1", "--to", "nbest").out
    assert weighed == "utt ||| a b ||| ||| -28.0\n"


def test_numbers_without_a_table_are_written_as_they_are(tmp_path: Path) -> None:
    lattice = written(tmp_path / "lat.txt", "u\n0 1 7 1,0,\n1 2 12 1,0,\n2\n\n")
    table = written(tmp_path / "words", "<eps> 0\nthe 7\ncat 12\n")
    assert fstmetrics("best", lattice).out == "u 7 12\n"
    assert fstmetrics("best", lattice, "--symbols", table).out == "u the cat\n"


@pytest.mark.parametrize("to", sorted(TARGETS))
def test_every_target_can_be_read_again(to: str, tmp_path: Path) -> None:
    several = TARGETS[to].carries.several
    target = tmp_path / "out" if several else f"{tmp_path}/out/"
    ran = fstmetrics("best", LATTICES, "--to", to, "--output", target)
    if to == "stm":
        assert (ran.status, "stm has a speaker of each segment" in ran.err) == (2, True)
        return
    assert (ran.status, ran.out) == (0, "")
    items = read_items(tmp_path / "out", format=to).items
    values = [item.value for item in items]
    best = [lattice.best_path().words for lattice in fm.Lattice.read_all(LATTICES)]
    words = [
        value.entries[0] if isinstance(value, fm.NBest) else value if isinstance(value, tuple)
        else tuple(word.text for word in value.texts)
        for value in values
    ]  # fmt: skip
    assert words == best


def test_forests_and_lists(tmp_path: Path) -> None:
    folder = EXAMPLES / "forests"
    bare = fstmetrics("best", folder / "house.graph")
    assert bare.status == 2
    assert "the forest has no scores, so there is no best path; --weights FILE" in bare.err
    (forest,) = fm.Network.read_all(folder / "house.graph")
    assert forest is not None
    weighed = fstmetrics(
        "best", folder / "house.graph", "--weights", folder / "weights.txt", "--nbest", "2"
    ).out
    assert weighed.count("\n") == 2
    lists = written(tmp_path / "lists", "0 ||| a b ||| ||| -2\n0 ||| a b ||| ||| -3\n0 ||| c ||| ||| -1\n")
    assert (
        fstmetrics("best", lists, "--nbest", "2").out == "lists-000001-1 a b\nlists-000001-2 c\n"
    )  # the decoder's own order
    assert (
        fstmetrics("best", lists, "--lm-scale", "1", "--word-penalty", "-2").out == "lists-000001 a b\n"
    )  # 2 above 1
    assert fstmetrics("best", lists, "--lm-scale", "1").out == "lists-000001 c\n"  # by the scores


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--nbest", "2", "--to", "plain"), "plain holds sentences without ids, so several of an item"),
        (("--nbest", "2", "--to", "ctm"), "ctm holds one sequence of words an item"),
        (("--to", "slf"), "unknown format 'slf'; known are ctm, kaldi-text"),
        (("--to", "ctm"), "here are none"),
        (("--lm-scale", "7:17"), "expected a number"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_is_one_line(small: Path, options: tuple[str, ...], message: str) -> None:
    ran = fstmetrics("best", small, *options)
    assert (ran.status, ran.out) == (2, "")
    (line,) = ran.err.splitlines()
    assert message in line


def test_text_is_refused(tmp_path: Path) -> None:
    text = written(tmp_path / "text", "u1 a b\nu2 c\n")
    out = tmp_path / "out"
    ran = fstmetrics("best", text, "--output", out)
    assert ran.status == 2
    assert "item u1: expected lattices, forests or n-best lists, and found text" in ran.err
    assert not out.exists()


def test_faults_leave_nothing_or_are_left_out(tmp_path: Path) -> None:
    archive = written(tmp_path / "lat.txt", "u1\n0 1 a 1,0,\n1\n\nu2\n0 0 a 1,0,\n0\n\nu3\n0 1 b 1,0,\n1\n\n")
    out = written(tmp_path / "out", "before\n")
    assert fstmetrics("best", archive, "--output", out).status == 2
    assert out.read_text() == "before\n"
    ran = fstmetrics("best", archive, "--output", out, "--keep-going")
    assert ran.status == 1
    assert "u2" in ran.err
    assert out.read_text() == "u1 a\nu3 b\n"


def test_ids_that_come_twice_are_refused(tmp_path: Path) -> None:
    archive = written(tmp_path / "lat.txt", "u\n0 1 a 1,0,\n0 1 c 1,0,\n1\n\nu-2\n0 1 b 1,0,\n1\n\n")
    assert fstmetrics("best", archive).status == 0
    ran = fstmetrics("best", archive, "--nbest", "2")
    assert "the id 'u-2' comes twice" not in ran.err  # u-2 itself is u-2-1
    assert ran.out == "u-1 a\nu-2 c\nu-2-1 b\n"
    archive = written(tmp_path / "lat.txt", "u\n0 1 a 1,0,\n0 1 c 1,0,\n1\n\nu\n0 1 b 1,0,\n1\n\n")
    assert "comes twice" in fstmetrics("best", archive).err


def test_output_is_the_same_again(tmp_path: Path) -> None:
    digests = set()
    for name in ("first.gz", "second.gz"):
        fstmetrics("best", LATTICES, "--nbest", "50", "--to", "nbest", "--output", tmp_path / name)
        digests.add(hashlib.sha256((tmp_path / name).read_bytes()).hexdigest())
    assert len(digests) == 1


@pytest.mark.parametrize("lm", [7, 12, 17])
@pytest.mark.parametrize("system", ["mono", "tri1"])
def test_best_paths_are_kaldis(shared: Path, system: str, lm: int, tmp_path: Path) -> None:
    """lattice-best-path at each LM weight, number by number; and from python the same."""
    folder = shared / "asr-kaldi-weather" / system
    expected = gzip.decompress((folder / f"{lm}.tra.gz").read_bytes()).decode().splitlines()
    lines = fstmetrics("best", folder / "lat.txt.gz", "--lm-scale", lm, "--to", "kaldi-text").out.splitlines()
    assert sorted(lines) == sorted(line.rstrip() for line in expected)

    assert write_best(
        str(folder / "lat.txt.gz"), f"{tmp_path}/out", scales=LatticeOptions(lm_scale=lm)
    ).items == len(expected)
    assert (tmp_path / "out").read_text().splitlines() == lines


def test_k_best_are_those_of_openfst() -> None:
    """Costs of the 30 best distinct sequences, and the sequences wherever costs tell them apart in 32 bits."""
    pynini = pytest.importorskip("pynini", reason="needs pynini: pip install 'fstmetrics[openfst]'")
    for lattice in fm.Lattice.read_all(LATTICES):
        mine = [(" ".join(best.words), best.cost) for best in lattice.best_paths(30)]
        fst = lattice.to_pynini()
        symbols = fst.output_symbols().copy()
        for marker in ("<s>", "</s>", "!SENT_START", "!SENT_END"):
            if symbols.member(marker):
                fst.relabel_pairs(opairs=[(symbols.find(marker), 0)])
        fst = pynini.project(fst, "output").rmepsilon()
        paths = pynini.shortestpath(fst, nshortest=30, unique=True).paths(symbols, symbols)
        theirs = sorted(
            ((" ".join(words.replace("<eps>", "").split()), float(cost)) for _, words, cost in paths.items()),
            key=lambda path: path[1],
        )
        assert [cost for _, cost in mine] == pytest.approx([cost for _, cost in theirs], rel=1e-5)
        apart = [
            i for i in range(1, len(mine) - 1)
            if min(mine[i][1] - mine[i - 1][1], mine[i + 1][1] - mine[i][1]) > 0.01
        ]  # fmt: skip
        assert [mine[i][0] for i in apart] == [theirs[i][0] for i in apart]


def test_k_best_are_kaldis(shared: Path) -> None:
    """Those of Kaldi's lattice-to-nbest, by kaldifst; its lattices are deterministic, so its paths are distinct."""
    kaldifst = pytest.importorskip("kaldifst", reason="kaldifst is not installed")
    folder, scales = shared / "asr-kaldi-weather", fm.Scales(lm=12)
    lattices = fm.Lattice.read_all(folder / "tri1" / "lat.txt.gz", symbols=folder / "words.txt")
    for lattice in lattices[::3]:
        words = dict(enumerate(lattice.symbols.words))
        machine = fm.Lattice(weighed(lattice, scales), lattice.symbols).to_kaldifst()
        found = kaldifst.lattice_to_nbest(machine, n=10)
        paths = (fm.Lattice.from_kaldifst(path, words).best_path() for path in found)
        theirs = {path.words: path.cost for path in paths}
        mine = {path.words: path.cost for path in lattice.best_paths(10, scales)}
        assert theirs.keys() == mine.keys()
        assert list(theirs.values()) == pytest.approx([mine[path] for path in theirs], rel=1e-5)


def test_columns_of_a_table_of_lists(tmp_path: Path) -> None:
    table = written(
        tmp_path / "lists.jsonl", '{"utt": "u0", "cands": ["a b", "c"]}\n{"utt": "u1", "cands": ["d"]}\n'
    )
    outcome = fstmetrics("best", table, "--format", "nbest-json", "--fields", "id=utt,hyp=cands")
    assert outcome.out == "u0 a b\nu1 d\n", outcome.err


def test_nothing_is_printed_of_a_small_archive_with_a_damaged_lattice(tmp_path: Path) -> None:
    lattices = tmp_path / "bad.lats"
    lattices.write_text("u1\n0 1 the 1,0,\n1\n\nu2\n0 1 the x,0,\n1\n\n")
    outcome = fstmetrics("best", lattices)
    said = f"fstmetrics: {lattices}:6: a cost is a number, not 'x'\n"
    assert (outcome.status, outcome.out, outcome.err) == (2, "", said)


def test_numbered_lists_become_text_that_can_be_scored(tmp_path: Path) -> None:
    """What messages advise leads to the number of the same words without ids."""
    lists = "".join(
        f"{n} ||| {words} ||| f= -1 ||| -1\n" for n, words in enumerate(["a b", "c", "d e f", "g h"])
    )
    nbest, ref = written(tmp_path / "nb", lists), written(tmp_path / "ref", "a b\nc d\nd e f\ng i\n")
    with_ids, plain = tmp_path / "ids", tmp_path / "plain"
    told = fstmetrics("best", nbest, "-o", with_ids).err
    assert told == "the items have no ids; their ids in OUT are nb-000001, ...; --to plain writes none\n"
    assert fstmetrics("best", nbest, "--to", "plain", "-o", plain).err == ""
    assert plain.read_text() == "a b\nc\nd e f\ng h\n"
    right = fstmetrics("score", ref, plain).out.splitlines()[0]
    refused = fstmetrics("score", ref, with_ids)
    assert "--format kaldi-text if they are ids" in refused.err
    refused = fstmetrics("score", ref, with_ids, "--format", "kaldi-text")
    assert "also give --fields id=, which pairs by order" in refused.err
    scored = fstmetrics("score", ref, with_ids, "--format", "kaldi-text", "--fields", "id=")
    assert scored.out.splitlines()[0] == right
