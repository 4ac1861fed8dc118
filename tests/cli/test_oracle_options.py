"""`fstmetrics oracle` with beams, a model's weight and depth: what is printed is what the library finds."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import pytest
from command import EXAMPLES, ORACLE, fstmetrics, written

import fstmetrics as fm
from fstmetrics.lattices.hope_and_fear import Weighing

LATTICES = {lattice.id: lattice for lattice in fm.Lattice.read_all(EXAMPLES / "oracle" / "lattices")}
REFERENCES = {
    line.split()[0]: " ".join(line.split()[1:])
    for line in (EXAMPLES / "oracle" / "ref.txt").read_text().splitlines()
}


def test_several_beams_make_a_curve() -> None:
    found = fstmetrics("oracle", *ORACLE, "--json", "--beam", "32,2,8").summary
    assert [row["beam"] for row in found["beams"]] == [2, 8, 32]
    for row in found["beams"]:
        pruned = [(lattice.pruned(row["beam"]), REFERENCES[id]) for id, lattice in LATTICES.items()]
        assert row["arcs"] == sum(lattice.num_arcs for lattice, _ in pruned)
        assert row["edits"] == sum(fm.align(lattice, reference).edits for lattice, reference in pruned)
        assert row["density"] == row["arcs"] / row["path_length"]
    edits, arcs = ([row[name] for row in found["beams"]] for name in ("edits", "arcs"))
    assert edits == sorted(edits, reverse=True)
    assert arcs == sorted(arcs)
    out = fstmetrics("oracle", *ORACLE, "--beam", "2,8").out
    assert "oracle at beam 2 " in out
    assert "at beam 8 density" in out


SCORED = [
    "u1 ||| a x ||| ||| -5\nu1 ||| a b ||| ||| -3\nu2 ||| a ||| ||| -1\nu2 ||| b ||| ||| -1\n",
    '{"id": "u1", "nbest": [{"text": "a x", "score": -5}, {"text": "a b", "score": 3}]}\n{"id": "u2", "nbest":["a"]}\n',
    '{"id": "u1", "nbest": [{"text": "a x", "cost": 5}, {"text": "a b", "cost": 3}]}\n{"id": "u2", "nbest": ["a"]}\n',
]


@pytest.mark.parametrize("lists", SCORED)
def test_lists_that_are_not_in_the_order_of_their_scores_are_remarked_on(tmp_path: Path, lists: str) -> None:
    ref, nbest = written(tmp_path / "ref", "u1 a b\nu2 a\n"), written(tmp_path / "lists", lists)
    said = "the 1-best is the first entry, and of 1 item another has a better score"
    for options in ([], ["--alignment"]):
        assert said in fstmetrics("oracle", ref, nbest, *options).out
        found = fstmetrics("oracle", ref, nbest, *options, "--json").summary
        assert [said in remark for remark in found["remarks"]].count(True) == 1
    for command in ("oracle", "score"):
        for option in ("--lm-scale", "--acoustic-scale", "--word-penalty"):
            refused = fstmetrics(command, ref, nbest, option, "2")
            assert (refused.status, refused.out) == (2, "")
            assert f"item u1: {option} would change nothing of n-best lists" in refused.err
    ordered = str(tmp_path / "ordered")
    assert (
        fstmetrics("best", nbest, "--lm-scale", "1", "--nbest", "9", "--to", "nbest", "-o", ordered).status
        == 0
    )
    again = fstmetrics("oracle", ref, ordered)
    assert said not in again.out
    assert "%WER 0.00 [ 0 / 3, 0 ins, 0 del, 0 sub ] 1-best" in again.out


def test_one_beam_prunes_everything() -> None:
    (row,) = (
        row
        for row in fstmetrics("oracle", *ORACLE, "--json", "--beam", "2,8").summary["beams"]
        if row["beam"] == 8
    )
    ran = fstmetrics("oracle", *ORACLE, "--json", "--beam", "8").summary
    assert (ran["arcs"], ran["edits"], ran["settings"]["beam"]) == (row["arcs"], row["edits"], 8)
    assert ran["settings"]["beams"] == [8]
    assert ran["one_best"]["edits"] == fstmetrics("oracle", *ORACLE, "--json").summary["one_best"]["edits"]
    assert "pruned to beam 8" in fstmetrics("oracle", *ORACLE, "--beam", "8").out
    everything = fstmetrics("oracle", *ORACLE, "--json", "--beam", "inf,1").summary["beams"][1]
    assert (everything["beam"], everything["edits"]) == (
        None,
        fstmetrics("oracle", *ORACLE, "--json").summary["edits"],
    )


@pytest.mark.parametrize("wrong", ["-1", "nan", "2,x", "1,,2"])
def test_beams_that_are_none_are_refused(wrong: str) -> None:
    ran = fstmetrics("oracle", *ORACLE, "--beam", wrong)
    assert ran.status == 2
    assert "beam" in ran.err


@pytest.mark.parametrize("metric", ["wer", "grr"])
def test_hope_and_fear_stand_in_records_and_summary(metric: str) -> None:
    ran = fstmetrics(
        "oracle", *ORACLE, "--metric", metric, "--model-weight", "0.01", "--nbest", "2", "--output", "-"
    )
    for record in ran.records:
        weighing = Weighing(fm.WER() if metric == "wer" else fm.GRR(), 0.01, nbest=2)
        for name in ("hope", "fear"):
            expected = getattr(weighing, name)(LATTICES[record["id"]], REFERENCES[record["id"]])
            assert [path["combined"] for path in record[name]] == [path.combined for path in expected]
            assert [path["model_cost"] for path in record[name]] == [path.model_cost for path in expected]
            assert [tuple(path["hypothesis"]) for path in record[name]] == [
                path.result.hypothesis for path in expected
            ]
            sign = 1 if name == "hope" else -1
            for path in record[name]:
                assert path["combined"] == pytest.approx(
                    0.01 * path["model_cost"] + sign * path["cost"], abs=1e-5
                )
    out = fstmetrics("oracle", *ORACLE, "--metric", metric, "--model-weight", "0.01").out
    assert "\nhope " in out
    assert "\nfear: model cost" in out
    assert "fear 1. holmes01" in fstmetrics("oracle", *ORACLE, "--model-weight", "0.01", "--nbest", "2").out


def test_hope_and_fear_of_lists_want_scores(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("u1 a b\n")
    (tmp_path / "lists").write_text(
        "u1 ||| a c ||| f ||| -1\nu1 ||| a b ||| f ||| -3\nu1 ||| c ||| f ||| -1.5\n"
    )
    (record,) = fstmetrics(
        "oracle",
        tmp_path / "ref",
        tmp_path / "lists",
        "--model-weight",
        "1",
        "--lm-scale",
        "2",
        "--output",
        "-",
    ).records
    assert (record["hope"][0]["hypothesis"], record["hope"][0]["combined"]) == (["a", "c"], 3)
    assert (record["fear"][0]["hypothesis"], record["fear"][0]["combined"]) == (["c"], 1)
    (tmp_path / "bare").write_text("u1 ||| a c\n")
    ran = fstmetrics("oracle", tmp_path / "ref", tmp_path / "bare", "--model-weight", "1")
    assert (ran.status, "has no scores" in ran.err) == (2, True)


def test_depth_is_over_the_times_of_slf_nodes(tmp_path: Path) -> None:
    lattice = LATTICES["holmes01"]
    assert lattice.times is not None
    depth = lattice.depth
    assert depth.unit == "seconds"
    (record, *_) = fstmetrics("oracle", *ORACLE, "--depth", "--output", "-").records
    assert record["depth"]["arcs"] == list(depth.arcs)
    assert record["depth"]["mean"] == pytest.approx(depth.mean)
    found = fstmetrics("oracle", *ORACLE, "--depth").out
    assert "arcs over 28.41 seconds" in found
    (total,) = fstmetrics("oracle", *ORACLE, "--depth", "--json").summary["depth"]
    assert total["max"] == max(each.depth.max for each in LATTICES.values())


SLF = """VERSION=1.0
N=4 L=4
I=0 t=0.00 W=!NULL
I=1 t=0.10 W=a
I=2 W=b
I=3 t=0.50 W=c
J=0 S=0 E=1
J=1 S=0 E=2
J=2 S=1 E=3
J=3 S=2 E=3
"""


def test_nodes_without_a_time_leave_their_links_out(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "x.slf.gz", "wt") as stream:
        stream.write(SLF)
    depth = fm.Lattice.read(tmp_path / "x.slf.gz").depth
    assert (depth.unit, depth.times, depth.arcs, depth.untimed) == ("seconds", (0, 0.1, 0.5), (1, 1), 2)
    (tmp_path / "y.slf").write_text(SLF.replace("t=0.00", "").replace("t=0.10", "").replace("t=0.50", ""))
    assert fm.Lattice.read(tmp_path / "y.slf").depth.unit == "words"
    (tmp_path / "z.slf").write_text(SLF.replace("W=!NULL", "W=hello"))
    outer = fm.Lattice.read(tmp_path / "z.slf")
    assert outer.best_path().words[0] == "hello"
    assert outer.depth.times == (0, 0.1, 0.5)
    assert math.isclose(outer.depth.mean, 1)


KALDI = "u1\n0 1 a 1,2,7_7_8\n0 2 b 1,2,7\n2 1 c 0,0,9_9\n1 3 d 1,1,\n3 0,0,4\n\n"
PLAIN_KALDI = "u1\n0 1 7 a 1,2\n1 2 0 b 1,2\n2 3 9 c 0,0\n0 3 8 d 1,1\n3 0,0\n\n"


def test_transition_ids_of_kaldi_are_frames(tmp_path: Path) -> None:
    (tmp_path / "compact").write_text(KALDI)
    depth = fm.Lattice.read(tmp_path / "compact").depth
    assert (depth.unit, depth.times, depth.arcs, depth.mean) == ("frames", (0, 1, 3), (2, 2), 2)
    (tmp_path / "plain").write_text(PLAIN_KALDI)
    depth = fm.Lattice.read(tmp_path / "plain").depth
    assert (depth.unit, depth.times, depth.arcs) == ("frames", (0, 1, 2), (2, 2))
    pruned = fm.Lattice.read(tmp_path / "plain").pruned(2)
    assert (pruned.num_arcs, pruned.depth.arcs) == (1, (1,))


def test_frames_of_binary_and_text_lattices_are_the_same(shared: Path) -> None:
    folder = shared / "asr-kaldi-weather"
    text = {lattice.id: lattice for lattice in fm.Lattice.read_all(folder / "mono" / "lat.txt.gz")}
    binary = fm.Lattice.read_all(folder / "mono" / "lat.1.gz")
    assert binary
    for lattice in binary:
        assert lattice.depth == text[lattice.id].depth
        assert lattice.depth.unit == "frames"
        assert lattice.depth.max >= 1


def test_an_item_without_a_lattice_counts_as_empty_everywhere(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text(Path(ORACLE[0]).read_text() + "holmes99 three words here\n")
    run = (
        "oracle",
        tmp_path / "ref",
        ORACLE[1],
        "--missing",
        "empty",
        "--beam",
        "1,8",
        "--model-weight",
        "0.01",
    )
    found, without = (fstmetrics(*each, "--json").summary for each in (run, ("oracle", *ORACLE, *run[5:])))
    for name in ("hope", "fear"):
        assert found[name]["deletions"] == without[name]["deletions"] + 3
        assert found[name]["model_cost"] == without[name]["model_cost"]
    for row, other in zip(found["beams"], without["beams"], strict=True):
        assert (row["arcs"], row["edits"]) == (other["arcs"], other["edits"] + 3)


@pytest.mark.parametrize("options", [("--beam", "3"), ("--beam", "1,2"), ("--depth",)])
def test_lists_have_no_beams_and_no_depth(tmp_path: Path, options: tuple[str, ...]) -> None:
    (tmp_path / "ref").write_text("u1 a b\n")
    (tmp_path / "lists").write_text("u1 ||| a c ||| f ||| -1\n")
    ran = fstmetrics("oracle", tmp_path / "ref", tmp_path / "lists", *options)
    assert (ran.status, "for lattices, not for n-best lists" in ran.err) == (2, True)


def test_a_forest_without_costs_hopes_for_its_oracle() -> None:
    card = fm.Card.from_phrases("S", ["a b", "c"])
    found = fm.oracle(fm.Network([card], "S"), "a", model_weight=1)
    (hope,), (fear,) = found.hope, found.fear
    assert (hope.result.hypothesis, hope.model_cost, hope.combined) == (found.hypothesis, 0.0, found.cost)
    assert {hope.result.hypothesis, fear.result.hypothesis} <= {("a", "b"), ("c",)}
    assert (hope.combined, fear.combined) == (1.0, -1.0)


def test_sweeps_of_several_metrics_say_of_each_that_it_is_the_best_of_many() -> None:
    options = ("--lm-scale", "5:15:5", "--metric", "wer,cer")
    out = fstmetrics("oracle", *ORACLE, *options).out
    for name in ("wer", "cer"):
        alone = fstmetrics("oracle", *ORACLE, "--lm-scale", "5:15:5", "--metric", name).out.splitlines()
        (said,) = [
            line for line in alone if line.startswith("1-best: the best of 3 rows; alone it is --lm-scale")
        ]
        assert f"\n{name}: {said}\n" in out
        head = next(place for place, line in enumerate(alone) if line.startswith("lm scale"))
        assert "\n".join(alone[head : head + 4]) in out


LISTS = "u1 ||| the hat ||| ||| -3\nu1 ||| the cat ||| ||| -4\nu2 ||| a dog ||| ||| -2\n"


@pytest.mark.parametrize("command", ["oracle", "score"])
@pytest.mark.parametrize(
    "options", [(), ("--keep-going", "--nbest", "2"), ("--missing", "empty")], ids=" ".join
)
def test_records_of_oracles_are_called_so_and_are_no_hypotheses(
    command: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    lists = written(tmp_path / "lists", LISTS)
    ref = written(tmp_path / "ref", "u1 the cat\nu2 a dog\n" + "u3 no\n" * ("empty" in options))
    records = tmp_path / "r.jsonl"
    made = fstmetrics(command, ref, lists, "--alignment", "--output", records, *options)
    assert made.status == 0, made.err
    assert "oracle wer" in fstmetrics("errors", records).out
    assert "u1  oracle wer 0.0000" in fstmetrics("show", records).out
    one = written(tmp_path / "one", ref.read_text().replace("cat", "hat"))
    for call in (
        ("score", ref, records),
        ("compare", "--ref", ref, one, records),
        ("convert", records, tmp_path / "x.trn"),
        ("combine", one, records),
    ):
        refused = fstmetrics(*call)
        assert (refused.status, "the words of this record are an oracle" in refused.err) == (2, True), call
    own = tmp_path / "own.jsonl"
    assert fstmetrics("score", ref, one, "--alignment", "--output", own).status == 0
    assert fstmetrics("score", ref, own, "--json").summary["substitutions"] == 1
    assert "oracle" not in fstmetrics("show", own).out
    single = written(tmp_path / "single", "u1 ||| the hat ||| ||| -3\nu2 ||| a dog ||| ||| -2\n")
    made = fstmetrics(command, ref, single, "--output", own, *options)
    assert fstmetrics("score", ref, own, *options[-2:]).status == made.status == 0  # nothing was chosen


def test_show_of_lists_calls_them_oracles(tmp_path: Path) -> None:
    lists, ref = written(tmp_path / "lists", LISTS), written(tmp_path / "ref", "u1 the cat\nu2 a dog\n")
    assert "u1  oracle wer 0.0000" in fstmetrics("show", ref, lists).out
    assert "oracle" not in fstmetrics("show", ref, ref).out


PROBABILITIES = "the weights out of every state sum to 1, as probabilities do"
LOGARITHMS = "no weight is above 0, as of logarithms of probabilities"
MACHINE = "0 1 a {}\n0 1 b {}\n1 2 c {}\n2{}\n"


def machines(folder: Path, weights: tuple[float, ...], end: str = "", to: str = "att") -> Path:
    """A folder of machines, each with the words a or b, and c."""
    folder.mkdir()
    for number in range(3):
        written(folder / f"u{number}.fst.txt", MACHINE.format(*weights, end))
    if to == "att":
        return folder
    assert fstmetrics("convert", folder, f"{folder.parent / 'converted'}/", "--to", to).status == 0
    return folder.parent / "converted"


def one_best_errors(ref: Path, lattices: Path, *options: str) -> int:
    found: int = fstmetrics("oracle", ref, lattices, *options, "--json").summary["one_best"]["edits"]
    assert [line.split()[1] for line in fstmetrics("best", lattices, *options).out.splitlines()] == (
        ["b" if found else "a"] * 3
    )
    return found


@pytest.mark.parametrize("to", ["att", "openfst"])
def test_weights_that_are_probabilities_are_remarked_on(tmp_path: Path, to: str) -> None:
    ref = written(tmp_path / "ref", "".join(f"u{number} a c\n" for number in range(3)))
    lattices = machines(tmp_path / "probabilities", (0.9, 0.1, 1.0), to=to)
    assert f"{lattices}: {PROBABILITIES}" in fstmetrics("oracle", ref, lattices).out
    assert PROBABILITIES in fstmetrics("best", lattices).err
    assert f"{lattices}: {PROBABILITIES}" in fstmetrics("mbr", lattices).err
    assert PROBABILITIES in fstmetrics("best", lattices, "--to", "nbest", "--nbest", "2").err
    assert PROBABILITIES not in fstmetrics("score", ref, lattices).out  # which has no 1-best
    # What the remark says, done to the lines.
    costs = machines(tmp_path / "costs", tuple(-math.log(each) for each in (0.9, 0.1, 1.0)))
    assert (one_best_errors(ref, lattices), one_best_errors(ref, costs)) == (3, 0)
    assert "weight" not in fstmetrics("best", costs).err + fstmetrics("oracle", ref, costs).err
    assert "weights" not in fstmetrics("mbr", costs).err


def test_weights_that_are_logarithms_are_remarked_on(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "".join(f"u{number} a c\n" for number in range(3)))
    lattices = machines(tmp_path / "logarithms", (-0.1, -2.3, -0.5))
    assert f"{lattices}: {LOGARITHMS}" in fstmetrics("oracle", ref, lattices).out
    assert LOGARITHMS in fstmetrics("best", lattices).err
    turned = ("--lm-scale", "-1")
    said = [fstmetrics("mbr", lattices, *options).err for options in ((), turned)]
    assert [LOGARITHMS in each for each in said] == [True, False]
    assert (one_best_errors(ref, lattices), one_best_errors(ref, lattices, *turned)) == (3, 0)
    done = fstmetrics("best", lattices, *turned).err + fstmetrics("oracle", ref, lattices, *turned).out
    assert LOGARITHMS not in done


@pytest.mark.parametrize(
    ("weights", "end"),
    [
        ((0.9, 0.2, 1.0), ""),
        ((0.9, 0.1, 1.0), " 0.5"),
        ((0.9, 0.1, 0.5), ""),
        ((1, 0, 0), ""),
        ((0, 1, 1), ""),
        ((0, 1, 1), " 1"),
        ((0, 0, 0), ""),
        ((-1, 0, 0), ""),  # a word that is to be favoured
        ((-0.1, -2.3, 0.5), ""),
    ],
)
def test_other_weights_of_machines_have_no_remark(
    tmp_path: Path, weights: tuple[float, ...], end: str
) -> None:
    ref = written(tmp_path / "ref", "".join(f"u{number} a c\n" for number in range(3)))
    lattices = machines(tmp_path / "lattices", weights, end)
    for said in (fstmetrics("oracle", ref, lattices).out, fstmetrics("best", lattices).err):
        assert (PROBABILITIES in said, LOGARITHMS in said) == (False, False), said
