"""`fstmetrics compare` with scores of other programs, labels, all pairs and several runs."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from command import Outcome, fstmetrics, written
from error_cases import error_cases, label

import fstmetrics as fm

REFUSED = error_cases("given_scores")
OLD, NEW = [0.25, 0.5, 0.75, 0.5], [0.5, 0.5, 1.0, 0.75]
MEANS = {"old": 0.5, "new": 0.6875}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, content in REFUSED["files"].items():
        written(tmp_path / name, content)
    return tmp_path


def blocks(**systems: list[float]) -> str:
    return "".join(f"{name}\t{score}\n" for name, scores in systems.items() for score in scores)


def table(separator: str, first: int = 1) -> str:
    rows = [("system", "segment", "comet", "other")]
    rows += [
        (name, str(i), str(score), "1")
        for name, scores in (("new", NEW), ("old", OLD))
        for i, score in reversed(list(enumerate(scores, first)))
    ]
    return "".join(separator.join(row) + "\n" for row in rows)


COMET = {
    f"out/{name}.txt": [
        {"src": "s", "mt": text, "ref": "r", "COMET": score}
        for text, score in zip(REFUSED["files"][f"{name}.txt"].splitlines(), scores, strict=True)
    ]
    for name, scores in (("old", OLD), ("new", NEW))
}
FILES = {
    "wmt.seg.score": blocks(new=NEW, old=OLD, other=OLD),
    "table.tsv": table("\t"),
    "from-zero.tsv": table("\t", 0),
    "table.csv": table(","),
    "comet.json": json.dumps(COMET, indent=4),
}


@pytest.mark.parametrize("name", FILES)
def test_scores_of_segments_are_tested_like_a_metric(name: str, here: Path) -> None:
    """Whatever the file: equal to what Python makes of the same numbers."""
    written(here / name, FILES[name])
    found = fstmetrics(
        "compare", "--ref", "ref.txt", "old.txt", "new.txt", "--metric", "wer", "--scores", f"comet={name}",
        "--samples", 200, "--test", "randomization", "--json",
    ).summary  # fmt: skip
    assert {system: scores["comet"]["score"] for system, scores in found["systems"].items()} == MEANS
    expected = fm.compare(scores={"comet": {"old": OLD, "new": NEW}}, samples=200, test="randomization")
    (test,) = [test for test in found["tests"] if test["metric"] == "comet"]
    assert (test["p"], test["delta"]) == (expected.tests[0].p, expected.tests[0].delta)
    assert "metric:comet|scores:given|better:higher" in found["settings"]["signatures"][1]


def test_scores_are_of_the_system_that_the_name_of_an_output_has(here: Path) -> None:
    """As in `correlate`, which reads the scores of items that `compare` writes under the files' names."""
    for name in ("old", "new"):
        (here / f"hyp.{name}.de").write_bytes((here / f"{name}.txt").read_bytes())
    comet = table("\t").replace("\tother", "").replace("\t1\n", "\n")
    written(here / "table.tsv", comet)
    written(here / "human.tsv", comet.replace("comet", "human"))
    texts = ("compare", "--ref", "ref.txt", "--metric", "wer", "--samples", 9)
    outputs, scores = ("hyp.old.de", "hyp.new.de"), ("--scores", "comet=table.tsv")
    expected = fstmetrics(*texts, "old.txt", "new.txt", *scores, "--json").summary
    for given in (scores, ("--scores", "comet:old=table.tsv", "--scores", "comet:new=table.tsv")):
        found = fstmetrics(*texts, *outputs, *given, "--items", "items.tsv", "--json").summary
        assert list(found["systems"]) == ["hyp.old", "hyp.new"]
        assert list(found["systems"].values()) == list(expected["systems"].values())
        start = "table.tsv: systems are called as the outputs: "
        told = [remark for remark in found["remarks"] if remark.startswith(start)]
        assert [each.removeprefix(start) for each in told] == (
            ["old is hyp.old, new is hyp.new"] if given is scores else ["old is hyp.old", "new is hyp.new"]
        )
    assert not any("called as" in remark for remark in expected["remarks"])
    correlated = fstmetrics("correlate", "human.tsv", "items.tsv", "--samples", 9, "--json")
    assert correlated.status == 0, correlated.err
    assert "items.tsv: systems are called as in people's scores: hyp.old is old, hyp.new is new" in [
        *correlated.summary["remarks"]
    ]
    assert fstmetrics("report", "--ref", "ref.txt", *outputs, *scores, "-o", "p.html").status == 0


WIDE = [*zip("1234", NEW, OLD, strict=True)]
TABLES = {
    "ordered": [("system", "score"), *(("new", s) for s in NEW), *(("old", s) for s in OLD)],
    "capital": [("System", "score"), *(("new", s) for s in NEW), *(("old", s) for s in OLD)],
    "nameless": [("new", "old"), *(row[1:] for row in WIDE)],
    "unnumbered": [("src", "new", "old"), *zip("abcd", NEW, OLD, strict=True)],
    **{
        name: [(name, "new", "old"), *WIDE[::-1]]
        for name in ("segment", "Segment", "SEG_ID", "id", "idx", "Index", "")
    },
    "indexed": [("", "new", "old"), *zip("0123", NEW, OLD, strict=True)],
    "two": [("Index", "id", "new", "old"), *((n, *row) for n, row in enumerate(WIDE[::-1]))],
}


@pytest.mark.parametrize("mark", ["\t", ","])
@pytest.mark.parametrize("form", TABLES)
def test_tables_of_another_shape_say_how_they_are_lengthened(form: str, mark: str, here: Path) -> None:
    """The line of pandas is run as it stands, and gives the scores, each to its segment."""
    pytest.importorskip("pandas")
    written(here / "scores", "".join(mark.join(map(str, row)) + "\n" for row in TABLES[form]))
    human = table("\t").replace("comet", "human").replace("\tother", "").replace("\t1\n", "\n")
    written(here / "human.tsv", human)
    compared = ("compare", "old", "new", "--samples", 9, "--scores")
    for command in (("correlate", "human.tsv", "scores"), (*compared, "comet=scores")):
        _, _, advice = fstmetrics(*command).err.partition(" python3 -c ")
        _, code, _ = advice.split('"', 2)
        subprocess.run([sys.executable, "-c", code], check=True)
        found = fstmetrics(*compared, "comet=long.csv", "--json").summary
        assert {system: scores["comet"]["score"] for system, scores in found["systems"].items()} == MEANS
        assert fstmetrics("correlate", "human.tsv", "long.csv", "--samples", 9).status == 0
        long = [line.split(",") for line in (here / "long.csv").read_text().splitlines()]
        system, segment, score = (long[0].index(name) for name in ("system", "segment", "score"))
        of_new = sorted((row[segment], float(row[score])) for row in long[1:] if row[system] == "new")
        assert [score for _, score in of_new] == NEW
        (here / "long.csv").unlink()


@pytest.mark.parametrize(
    "ids", [["u4", "u3", "u2", "u1"], ["004", "003", "002", "001"], ["7", "5", "6", "8"]]
)
def test_a_table_of_another_shape_keeps_its_ids(ids: list[str], here: Path) -> None:
    pytest.importorskip("pandas")
    rows = [("id", "new", "old"), *zip(ids, NEW, OLD, strict=True)]
    written(here / "scores.csv", "".join(",".join(map(str, row)) + "\n" for row in rows))
    texts = "".join(f"{id}\tthe cat\n" for id in sorted(ids))
    for name in ("ref", "old", "new"):
        written(here / f"{name}.txt", texts)
    call = ("compare", "--ref", "ref.txt", "old.txt", "new.txt", "--samples", 9, "--scores")
    _, code, _ = fstmetrics(*call, "comet=scores.csv").err.partition(" python3 -c ")[2].split('"', 2)
    subprocess.run([sys.executable, "-c", code], check=True)
    assert fstmetrics(*call, "comet=long.csv", "--items", "items.tsv").status == 0
    found = [line.split("\t") for line in (here / "items.tsv").read_text().splitlines()]
    of_new = {row[1]: float(row[-1]) for row in found if row[0] == "new"}
    assert of_new == dict(zip(ids, NEW, strict=True))


@pytest.mark.parametrize("head", ["", "id;"])
@pytest.mark.parametrize("comma", [".", ","])
def test_tables_with_semicolons_say_so(head: str, comma: str, here: Path) -> None:
    """Also where they name neither systems nor segments; with tabs they say how they are lengthened."""
    rows = [f"{n};{new};{old}" if head else f"{new};{old}" for n, new, old in WIDE]
    content = "\n".join([f"{head}new;old", *rows, ""])
    call = ("compare", "old", "new", "--samples", 9, "--scores", "comet=scores")
    written(here / "scores", content.replace(".", comma))
    assert "its columns are parted by semicolons: write tabs, and decimal commas" in fstmetrics(*call).err
    written(here / "scores", content.replace(";", "\t"))
    assert "python3 -c" in fstmetrics(*call).err


@pytest.mark.parametrize(("content", "number"), [("0.5,0.25\n0.5,1\n", "0.5"), ("u0,3,4\nu1,5,6\n", "3")])
def test_a_table_without_a_head_says_so(content: str, number: str, here: Path) -> None:
    call = ("compare", "old", "new", "--samples", 9, "--scores", "comet=scores")
    written(here / "scores", content)
    said = f"; {number} in its first line is a number and no name: write a line of names before it\n"
    assert fstmetrics(*call).err.endswith(said)
    written(here / "scores", f"{'id,' * content.startswith('u')}new,old\n{content}")
    assert "python3 -c" in fstmetrics(*call).err


@pytest.mark.parametrize(
    "content", ["the system was down\n", "it is a segment, she said\n", "one, two\nthree, four\n"]
)
def test_sentences_are_no_tables_of_another_shape(content: str, here: Path) -> None:
    written(here / "text", content)
    written(here / "human.tsv", table("\t").replace("comet", "human"))
    err = fstmetrics("correlate", "human.tsv", "text").err
    assert "pandas" not in err
    assert "if it is a system's output, give --ref REF" in err


@pytest.mark.parametrize("name", ["x", "hypold", "old-new.a"])
def test_scores_of_a_table_of_all_systems_want_its_names(name: str, here: Path) -> None:
    written(here / "table.tsv", table("\t"))
    given = ("compare", "--ref", "ref.txt", "old.txt", "--scores", "comet=table.tsv", "--samples", 9)
    refused = fstmetrics(*given, f"{name}=new.txt")
    assert refused.err.startswith(
        f"fstmetrics: table.tsv: has no scores of {name}; it has those of new; SYSTEM=FILE"
    )
    assert fstmetrics(*given, "new=new.txt").status == 0
    both = fstmetrics(*given, "a.new=new.txt", "b.new=new.txt")
    assert (
        "has no scores of a.new, b.new; it has those of new; SYSTEM=FILE calls an output as there" in both.err
    )


@pytest.mark.parametrize("command", ["compare", "report"])
def test_scores_are_of_the_outputs(command: str, here: Path) -> None:
    """COMET's JSON says which translations it is of."""
    files = {
        "old.txt": ["The cat sat.", "a dog", "it is", "no"],
        "new.txt": ["the cat", "dog", "it was", "yes"],
    }
    for name, texts in files.items():
        written(here / name, "".join(f"{text}\n" for text in texts))

    def outcome(old: list[str | None]) -> Outcome:
        given = {"old.txt": old, "new.txt": files["new.txt"]}
        rows = {
            name: [{"mt": text, "COMET": n} for n, text in enumerate(texts)] for name, texts in given.items()
        }
        written(here / "c.json", json.dumps(rows))
        page = ("-o", "p.html") if command == "report" else ()
        return fstmetrics(
            command, "--ref", "ref.txt", "old.txt", "new.txt", "--scores", "comet=c.json", *page
        )

    right = files["old.txt"]
    # How words are written is not looked at, and what is not there tells nothing.
    for texts in (right, [" the cat sat . ", "A dog", "it is", "no\n"], [None] * 4):
        assert outcome(texts).status == 0
    moved = outcome([right[0], *reversed(right[1:])]).err
    assert "c.json: its score 2 of old is of the translation 'no', and the output there is 'a dog'" in moved
    assert "the same texts are there in another order" in moved
    other = outcome([*right[:3], "nothing"]).err
    assert "its score 4 of old is of the translation 'nothing', and the output there is 'no'" in other
    assert "comet:old=FILE" in other


def test_tables_of_parquet(here: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [
        (name, i, score) for name, scores in (("old", OLD), ("new", NEW)) for i, score in enumerate(scores, 1)
    ]
    columns = dict(zip(("system", "segment", "comet"), map(list, zip(*rows, strict=True)), strict=True))
    parquet.write_table(pyarrow.table(columns), here / "s.parquet")
    found = fstmetrics("compare", "--scores", "comet=s.parquet", "--samples", 9, "--json").summary
    assert {system: scores["comet"]["score"] for system, scores in found["systems"].items()} == MEANS


def test_files_of_one_system_are_named(here: Path) -> None:
    for name, scores in (("old", OLD), ("new", NEW)):
        written(here / f"{name}.scores", "".join(f"{score}\n" for score in scores))
    given = [part for name in MEANS for part in ("--scores", f"comet:{name}={name}.scores")]
    for rest in (["--ref", "ref.txt", "old.txt", "new.txt", "--metric", "wer"], []):
        found = fstmetrics("compare", *rest, *given, "--samples", 9, "--json").summary
        assert {system: scores["comet"]["score"] for system, scores in found["systems"].items()} == MEANS


def test_scores_of_systems_are_shown(here: Path) -> None:
    written(here / "m.sys.score", "old\t0.5\nnew\t0.75\n")
    arguments = ("compare", "--ref", "ref.txt", "old.txt", "new.txt", "--scores", "m=m.sys.score", "--tokenize", "none",
                 "--samples", 200)  # fmt: skip
    found = fstmetrics(*arguments, "--json").summary
    assert found["systems"]["new"]["m"] == {"score": 0.75, "low": None, "high": None}
    assert [test["metric"] for test in found["tests"]] == ["bleu"]
    out = fstmetrics(*arguments).out
    assert "m: scores of whole systems; there is nothing to resample, so it is not tested" in out
    for layout in ("--markdown", "--latex"):
        assert "0.7500" in fstmetrics(*arguments, layout).out


def test_scores_alone_compare_the_systems_of_the_file(here: Path) -> None:
    written(here / "BLEU-refA.seg.score", FILES["wmt.seg.score"])
    found = fstmetrics(
        "compare", "--scores", "BLEU-refA.seg.score", "--samples", 9, "--pairs", "all", "--json"
    ).summary
    assert list(found["systems"]) == ["new", "old", "other"]
    assert list(found["systems"]["new"]) == ["BLEU-refA"]
    assert len(found["tests"]) == 3
    some = fstmetrics(
        "compare", "old", "new", "--scores", "x=BLEU-refA.seg.score", "--samples", 9, "--json"
    ).summary
    assert list(some["systems"]) == ["old", "new"]


def test_lower_scores_are_better_where_that_is_said(here: Path) -> None:
    written(here / "s.seg.score", FILES["wmt.seg.score"])
    arguments = ("compare", "old", "new", "--scores", "a=s.seg.score", "--scores", "b=s.seg.score", "--samples", 9,
                 "--test", "sign", "--json")  # fmt: skip
    found = fstmetrics(*arguments, "--lower", "b").summary
    assert [(t["better"], t["worse"]) for t in found["tests"]] == [(3, 0), (0, 3)]
    assert found["settings"]["metrics"]["b"]["better"] == "lower"


def test_a_relative_change_has_the_sign_of_the_difference_also_of_negative_scores(here: Path) -> None:
    written(here / "mqm.seg.score", blocks(old=[-1, -2, -1, -2], new=[-2, -2, -2, -3]))
    arguments = ("compare", "--scores", "mqm=mqm.seg.score", "--samples", 9)
    [test] = fstmetrics(*arguments, "old", "new", "--json").summary["tests"]
    assert test["delta"] == -0.75
    assert test["relative"] == -0.5
    [back] = fstmetrics(*arguments, "new", "old", "--json").summary["tests"]
    assert back["delta"] == 0.75
    assert back["relative"] == 0.75 / 2.25
    assert "-50.00" in fstmetrics(*arguments, "old", "new").out


def test_fields_come_from_labels_documents_and_score_files(here: Path) -> None:
    written(here / "s.seg.score", FILES["wmt.seg.score"])
    written(here / "labels", "a\n\nb\na\n")
    written(here / "lp.docs", "news\td1\nnews\td1\nweb\td2\nweb\td2\n")
    rows = ["system segment m domain", *(f"old {i} {s} {'ab'[i % 2]}" for i, s in enumerate(OLD, 1))]
    written(here / "table.txt", "\n".join(rows) + "\n")
    arguments = ("compare", "old", "--scores", "m=s.seg.score", "--samples", 9, "--json")
    found = fstmetrics(*arguments, "--labels", "kind=labels", "--by", "kind").summary["by"]["kind"]
    assert [(part["value"], part["items"], part["systems"]["old"]["m"]["score"]) for part in found] == [
        ("a", 2, 0.375), ("b", 1, 0.75), (None, 1, 0.5),
    ]  # fmt: skip
    found = fstmetrics(*arguments, "--documents", "lp.docs", "--by", "domain,document").summary["by"]
    assert [part["systems"]["old"]["m"]["score"] for part in found["domain"]] == [0.375, 0.625]
    assert [part["value"] for part in found["document"]] == ["d1", "d2"]
    found = fstmetrics(
        "compare", "--scores", "m=table.txt", "--samples", 9, "--by", "domain", "--json"
    ).summary["by"]
    assert [part["systems"]["old"]["m"]["score"] for part in found["domain"]] == [0.5, 0.5]


IDS = [f"{speaker}_{n:02d}" for speaker in ("ada", "ivo") for n in range(1, 7)]


def spoken(here: Path, ids: Sequence[str] = IDS) -> tuple[str, ...]:
    """Of the items the second of ada is wrong by one system, all by the other."""
    for name, words in (("r", "a b"), ("x", "a b"), ("y", "c d")):
        lines = [f"{'a c' if (name, id) == ('x', 'ada_02') else words} ({id})\n" for id in ids]
        written(here / f"{name}.trn", "".join(lines))
    return ("compare", "--ref", "r.trn", "x.trn", "y.trn", "--metric", "wer", "--samples", "99", "--json")


def by_kind(*arguments: object) -> list[tuple[str, int, float]]:
    """The values of a field, how many items have them, and the score of a system."""
    [found] = fstmetrics(*arguments).summary["by"].values()
    return [(part["value"], part["items"], part["systems"]["x"]["wer"]["score"]) for part in found]


@pytest.mark.parametrize("ids", [IDS, IDS[::-1], ["bo_1", *IDS]], ids=["in order", "otherwise", "and others"])
@pytest.mark.parametrize("option", ["--labels kind=labels --by kind", "--documents labels --by document"])
def test_lines_that_begin_with_the_ids_of_items_pair_by_these(
    ids: Sequence[str], option: str, here: Path
) -> None:
    kinds = {"ada_02": "web", "ivo_01": "web"}
    written(here / "labels", "".join(f"{id}\t{kinds.get(id, 'news')}\n" for id in ids))
    found = by_kind(*spoken(here), *option.split())
    assert sorted(found) == [("news", 10, 0.0), ("web", 2, 0.25)]


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("sep", [" ", "\t"])
@pytest.mark.parametrize("option", ["--labels kind=labels --by kind", "--documents labels --by document"])
def test_lines_that_begin_with_the_numbers_of_items_pair_by_these(
    option: str, sep: str, first: int, here: Path
) -> None:
    for name, words in (("r", "a b"), ("x", "a b"), ("y", "c d")):
        written(here / name, "".join(f"{'a c' if (name, n) == ('x', 1) else words}\n" for n in range(4)))
    kinds = {n: "web" if n == 1 else "news" for n in range(4)}
    asked = (
        "compare",
        "--ref",
        "r",
        "x",
        "y",
        "--metric",
        "wer",
        "--samples",
        "9",
        "--json",
        *option.split(),
    )
    for order in ([0, 1, 2, 3], [2, 1, 3, 0]):
        written(here / "labels", "".join(f"{n + first}{sep}{kinds[n]}\n" for n in order))
        if option.startswith("--labels") and sep == " ":  # whole values, as in "2 speakers"
            assert {value for value, *_ in by_kind(*asked)} == {f"{n + first} {kinds[n]}" for n in order}
        else:
            assert sorted(by_kind(*asked)) == [("news", 3, 0.0), ("web", 1, 0.5)]
    if option.startswith("--labels"):
        written(here / "labels", "2\n1\n3\n4\n")
        assert {value for value, *_ in by_kind(*asked)} == {"1", "2", "3", "4"}


def test_scores_by_id_are_to_be_lists() -> None:
    scores = {"c": {"old": {"a": 1.0, "b": 2.0}, "new": {"b": 3.0, "a": 1.0}}}
    with pytest.raises(fm.FstmetricsError, match=r"give them in the order of the items, as \[scores\[id\]"):
        fm.compare(scores=scores)  # type: ignore[arg-type]


def test_scores_of_systems_are_no_few_items(here: Path) -> None:
    written(here / "X.sys.score", "a\t40\nb\t30\n")
    out = fstmetrics("compare", "--scores", "X.sys.score").out
    assert ("few items" in out, "scores of whole systems" in out) == (False, True)


BY_LABELS = (
    "compare", "--ref", "r", "x", "--metric", "wer", "--samples", "9", "--json", "--labels", "kind=labels",
    "--by", "kind",
)  # fmt: skip


@pytest.mark.parametrize("items", [3, 12])
@pytest.mark.parametrize("tab", ["\t", ""])
def test_a_number_without_a_label_says_that_the_item_has_none(items: int, tab: str, here: Path) -> None:
    for name, word in (("r", "b"), ("x", "c")):
        written(here / name, "".join(f"a {word if n == 1 else 'b'}\n" for n in range(items)))
    lines = [f"{n}{tab}" if n == 1 else f"{n}\tnews" for n in range(items, 0, -1)]
    written(here / "labels", "\n".join(lines) + "\n")
    assert ("news", items - 1, 0.5 / (items - 1)) in by_kind(*BY_LABELS)


@pytest.mark.parametrize("keys", ["20 10 30", "003 001 002", "u3 u1 u2", "2 3 4"])
def test_keys_before_tabs_that_no_item_has_are_refused_as_labels(keys: str, here: Path) -> None:
    for name in "rx":
        written(here / name, "a b\n" * 3)
    written(here / "labels", "".join(f"{key}\tx\n" for key in keys.split()))
    done = fstmetrics(*BY_LABELS)
    assert (done.status, "its lines begin with ids" in done.err) == (2, True)
    written(here / "labels", "2 speakers\n1 speaker\n3 speakers\n")
    assert {value for value, *_ in by_kind(*BY_LABELS)} == {"2 speakers", "1 speaker", "3 speakers"}


def test_numbers_of_items_with_ids_are_refused_as_labels(here: Path) -> None:
    written(here / "labels", "".join(f"{n} news\n" for n in range(1, len(IDS) + 1)))
    done = fstmetrics(*spoken(here), "--labels", "kind=labels", "--by", "kind")
    assert (done.status, "its lines begin with ids (1, 2, 3" in done.err) == (2, True)


def test_labels_of_ids_may_be_several_words_or_none(here: Path) -> None:
    written(here / "labels", "".join(f"{id} talk  show\n" if id[0] == "i" else f"{id}\n" for id in IDS))
    found = by_kind(*spoken(here), "--labels", "kind=labels", "--by", "kind")
    assert [(value, items) for value, items, _ in found] == [("talk  show", 6), (None, 6)]


def test_labels_of_speakers_are_those_of_the_option(here: Path) -> None:
    written(here / "utt2spk", "".join(f"{id} {id[:3]}\n" for id in IDS))
    asked = spoken(here), ("--blocks", "speaker")
    labelled = fstmetrics(*asked[0], "--labels", "speaker=utt2spk", *asked[1]).summary["tests"]
    assert labelled == fstmetrics(*asked[0], "--speakers", "utt2spk", *asked[1]).summary["tests"]


def test_who_speaks_changes_no_resample(here: Path) -> None:
    """Only --blocks asks for resamples of speakers, however they are known."""
    written(here / "utt2spk", "".join(f"{id} {id[:3]}\n" for id in IDS))
    plain = fstmetrics(*spoken(here)).summary
    told = fstmetrics(*spoken(here), "--speakers", "utt2spk").summary
    assert (told["tests"], told["systems"]) == (plain["tests"], plain["systems"])
    assert "resamples are of items; --blocks speaker resamples the 2 speakers" in told["remarks"]
    asked = fstmetrics(*spoken(here), "--speakers", "utt2spk", "--blocks", "speaker").summary
    assert asked["settings"]["blocks"] == {"by": "speaker", "number": 2}


@pytest.mark.parametrize(
    "lines",
    [
        [f"{id} news" for id in IDS[:-1]] + ["ivo_07 news"],  # one is another
        [f"{id} news" for id in IDS[:-1]] + ["news"],  # one has none
        [f"{id} news" for id in IDS[:-1]],
        [f"bo_{n:02d} news" for n in range(12)],
        [f"{id}.wav news" for id in IDS],
        [f"{id} news" for id in [*IDS, IDS[0]]],
        IDS[::-1],
    ],
)
def test_lines_that_begin_with_other_ids_are_refused(lines: Sequence[str], here: Path) -> None:
    written(here / "labels", "".join(f"{line}\n" for line in lines))
    outcome = fstmetrics(*spoken(here), "--labels", "kind=labels", "--by", "kind")
    assert outcome.status == 2
    assert "labels: its lines begin with ids (" in outcome.err or "'ada_01' comes twice" in outcome.err


@pytest.mark.parametrize(
    "lines",
    [
        ["news of ada", "web pages"] * 6,
        [f"18-{20 + n % 2} years" for n in range(12)],
        ["12 months", "ada_2 news"] * 6,
        IDS,  # each a value of its own
        ["", "a"] * 6,
    ],
)
def test_other_lines_are_labels_by_order(lines: Sequence[str], here: Path) -> None:
    written(here / "labels", "".join(f"{line}\n" for line in lines))
    found = by_kind(*spoken(here), "--labels", "kind=labels", "--by", "kind")
    assert {value for value, *_ in found} == {line or None for line in lines}


def test_runs_are_files_of_one_system(here: Path) -> None:
    arguments = ("compare", "--ref", "ref.txt", "a=old.txt,new.txt", "b=new.txt,ref.txt", "--metric", "wer",
                 "--test", "randomization", "--samples", 50)  # fmt: skip
    score = fstmetrics(*arguments, "--json").summary["systems"]["a"]["wer"]
    texts = {name: (here / f"{name}.txt").read_text().splitlines() for name in ("old", "new", "ref")}
    assert score["runs"] == [fm.score(texts[name], texts["ref"], "wer").score for name in ("old", "new")]
    assert score["score"] == pytest.approx(sum(score["runs"]) / 2)
    assert score["s_opt"] == pytest.approx(abs(score["runs"][0] - score["runs"][1]) / 2**0.5)
    assert "score: mean of 2 runs" in fstmetrics(*arguments).out
    assert "(s\\_sel/s\\_opt)" in fstmetrics(*arguments, "--markdown").out
    assert "|runs:2|" in fstmetrics(*arguments).out


def test_all_pairs_have_a_matrix(here: Path) -> None:
    arguments = ("compare", "--ref", "ref.txt", "old.txt", "new.txt", "best=ref.txt", "--metric", "wer", "--pairs",
                 "all", "--test", "randomization", "--samples", 99)  # fmt: skip
    for correction in ("none", "holm"):
        found = fstmetrics(*arguments, "--json", "--correction", correction).summary
        lines = fstmetrics(*arguments, "--correction", correction).out.splitlines()
        ranking = [system for cluster in found["clusters"]["wer"] for system in cluster]
        corrected = correction == "holm"
        title = "wer: p \\ p Holm" if corrected else "wer: p "
        at = next(i for i, line in enumerate(lines) if line.startswith(title))
        assert lines[at].removeprefix(title).split() == ranking
        p = {frozenset((t["baseline"], t["system"])): (t["p"], t["p_holm"]) for t in found["tests"]}
        for i, one in enumerate(ranking):
            cells = lines[at + 1 + i].split()[1:]
            others = [(j, o) for j, o in enumerate(ranking) if o != one and (j > i or corrected)]
            assert cells == [f"{p[frozenset((one, other))][j < i]:.4f}" for j, other in others]
        markdown = fstmetrics(*arguments, "--markdown", "--correction", correction).out
        for test in found["tests"]:
            name = f"| {test['system']} against {test['baseline']}"
            row = next(line for line in markdown.splitlines() if line.startswith(name))
            assert f"p {test['p']:.4f}" in row
            assert (f"p Holm {test['p_holm']:.4f}" in row) == (correction == "holm")


def test_wmt_s_own_files_of_scores(shared: Path) -> None:
    """Means of sentence BLEU as computed here and as read: the same numbers, intervals and p."""
    folder = shared / "mt-wmt" / "newstest2021.en-de"
    systems = [f"{name}={folder / f'hyp.{name}.de.gz'}" for name in ("UEdin", "Facebook-AI")]
    found = fstmetrics(
        "compare", "--ref", folder / "ref.A.de.gz", *systems, "--metric", "mean-bleu", "--samples", 500, "--json",
        "--scores", f"wmt={folder / 'expected' / 'sentBLEU-refA.seg.score.gz'}",
    ).summary  # fmt: skip
    for scores in found["systems"].values():
        for end in ("score", "low", "high"):
            assert scores["wmt"][end] == pytest.approx(scores["mean-bleu"][end], abs=1e-4)
    own, given = found["tests"]
    assert own["p"] == given["p"]


def test_segments_that_nobody_judged_are_left_out(shared: Path) -> None:
    """As of WMT's human scores: means are of the 527 that were judged."""
    file = shared / "mt-wmt" / "newstest2021.en-de" / "expected" / "mqm.seg.score.gz"
    rows: dict[str, list[float]] = {}
    for line in gzip.decompress(file.read_bytes()).decode().splitlines():
        system, score = line.split("\t")
        rows.setdefault(system, []).extend([] if score == "None" else [float(score)])
    found = fstmetrics("compare", "--scores", file, "--samples", 50, "--json").summary
    for system, scores in found["systems"].items():
        assert scores["mqm"]["score"] == pytest.approx(sum(rows[system]) / len(rows[system]))
    shown = fstmetrics("compare", "--scores", file, "--samples", 9).out
    assert "mqm: 475 of 1002 items without a score of any system, and left out" in shown


def test_segments_pair_by_the_ids_of_the_items(here: Path) -> None:
    written(here / "ref", "u1 a b\nu2 c d\nu3 e f\n")
    written(here / "sys", "u3 e f\nu1 a x\nu2 c d\n")
    written(here / "s.tsv", "system\tsegment\tm\nsys\tu2\t2\nsys\tu3\t3\nsys\tu1\t1\n")
    written(here / "kinds", "x\ny\nz\n")
    found = fstmetrics("compare", "--ref", "ref", "sys", "--metric", "wer", "--scores", "m=s.tsv", "--samples", 9,
                       "--labels", "kind=kinds", "--by", "kind", "--json")  # fmt: skip
    parts = found.summary["by"]["kind"]
    assert [part["systems"]["sys"]["m"]["score"] for part in parts] == [1.0, 2.0, 3.0]


# Scores of twelve segments in no order; some are below zero, which `sort` puts behind one another by their digits.
MANY = {
    "old": [7, 31, -4, 12, 9.5, 40, -22, 3, 16, 28, 5, -1.5],
    "new": [8, 30, 2, -13, 9, 44, 25, -3.5, 15, 29, 6, -11],
}


def small(scores: Sequence[float]) -> list[float]:
    """Scores within 1, of many decimals."""
    return [round(score / 70, 4) for score in scores]


SORTED, MEAN = "in the order of their size, as sort leaves them", "is the mean of those before"
LINES = {
    "as written": (lambda scores: scores, ""),
    "sort": (lambda scores: sorted(scores, key=str), SORTED),
    "sort -n": (sorted, SORTED),
    "sort -r": (lambda scores: sorted(scores, key=str, reverse=True), SORTED),
    "mean": (lambda scores: [*scores, round(sum(scores) / 12, 3)], MEAN),
    "mean of fewer decimals": (lambda scores: [*small(scores), round(sum(small(scores)) / 12, 2)], MEAN),
    "score of fewer decimals": (
        lambda scores: [*small(scores), round(sum(small(scores)) / 12, 2) + 0.01],
        "",
    ),
    "ties": (lambda scores: [0.0] * 9 + [1.0] * 3, ""),
    "few": (lambda scores: sorted(scores)[:4], ""),
}


@pytest.mark.parametrize("kind", LINES)
@pytest.mark.parametrize("form", ["blocks", "a file each"])
def test_lines_that_are_no_segments_in_their_order_are_refused(form: str, kind: str, here: Path) -> None:
    """They would pair the best of one system with the best of another, or count a mean as one more segment."""
    change, said = LINES[kind]
    lines = {name: list(map(float, change(scores))) for name, scores in MANY.items()}
    written(here / "human", blocks(**{name: scores[: len(lines[name])] for name, scores in MANY.items()}))
    written(here / "m", blocks(**lines))
    given = ["m=m"]
    if form == "a file each":
        given = [
            f"m:{name}={written(here / f'm.{name}', ''.join(f'{score}' + chr(10) for score in scores))}"
            for name, scores in lines.items()
        ]
    calls = [("compare", *(part for each in given for part in ("--scores", each)), "--samples", 9)]
    calls += [("correlate", "human", *given, "--human", "human", "--samples", 0)] * (len(lines["old"]) <= 12)
    for call in calls:
        done = fstmetrics(*call)
        assert (done.status == 2) == bool(said), done
        assert said in done.err
    alone = fstmetrics("compare", *calls[0][1:3], "--samples", 9, *(["old"] * (form == "blocks")))
    assert form == "blocks" or alone.status == 0  # of one system it may be so by chance


def test_sorted_scores_of_few_values_are_refused(here: Path) -> None:
    ratings = {name: [float((3 * n + ord(name)) % 5) for n in range(30)] for name in "ab"}
    for change, said in ((list, ""), (sorted, SORTED)):
        written(
            here / "m", blocks(**{name: list(map(float, change(each))) for name, each in ratings.items()})
        )
        done = fstmetrics("compare", "--scores", "m=m", "--samples", 9)
        assert (done.status, said in done.err) == (2 if said else 0, True)


@pytest.mark.parametrize("case", REFUSED["case"], ids=label)
def test_what_does_not_fit_is_one_line(case: dict[str, str], here: Path) -> None:
    outcome = fstmetrics(*case["command"].split())
    assert (outcome.status, outcome.out) == (2, "")
    assert case["message"] in outcome.err
    assert len(outcome.err.splitlines()) == 1


# The lines of new.txt where it has the items in another order.
MOVED = [2, 0, 3, 1]
REMARK = "comet: scores of new are those of the lines of the output, which are not those of the references in their"


def with_ids(here: Path, name: str, order: Sequence[int] = range(4)) -> list[str]:
    """Write a text with ids, its lines in an order; return these without their ids."""
    lines = REFUSED["files"][f"{name}.txt"].splitlines()
    written(here / f"{name}.txt", "".join(f"utt-{i} {lines[i]}\n" for i in order))
    return [lines[i] for i in order]


@pytest.mark.parametrize("kind", ["lines", "blocks", "comet", "comet with texts", "ids", "numbers", "fewer"])
def test_scores_by_line_are_those_of_the_output_s_lines(kind: str, here: Path) -> None:
    """The output pairs by id with the references, whose lines are in another order."""
    with_ids(here, "ref")
    texts = {"old": with_ids(here, "old"), "new": with_ids(here, "new", MOVED)}
    moved = {"old": OLD, "new": [NEW[i] for i in MOVED]}
    rows = [(name, i, n) for name in ("old", "new") for i, n in enumerate(moved[name], 1)]
    ids = {("old", i): f"utt-{i - 1}" for i in range(1, 5)}
    ids |= {("new", i): f"utt-{MOVED[i - 1]}" for i in range(1, 5)}
    comet = {
        name: [
            {"COMET": n} | ({"mt": mt} if kind == "comet with texts" else {})
            for mt, n in zip(texts[name], moved[name], strict=True)
        ]
        for name in texts
    }
    head = "system\tsegment\tcomet\n"
    contents = {
        "blocks": blocks(**moved),
        "ids": head + "".join(f"{name}\t{ids[name, i]}\t{n}\n" for name, i, n in rows),
        "numbers": head + "".join(f"{name}\t{i}\t{n}\n" for name, i, n in rows),
    }
    given = ["--scores", f"comet={written(here / 's', contents.get(kind, json.dumps(comet)))}"]
    if kind in ("lines", "fewer"):
        for name, scores in moved.items():
            written(here / f"{name}.scores", "".join(f"{n}\n" for n in scores))
        given = [part for name in moved for part in ("--scores", f"comet:{name}={name}.scores")]
    more = []
    if kind == "fewer":  # a line of the outputs has no reference
        written(here / "ref.txt", "".join((here / "ref.txt").read_text().splitlines(True)[1:]))
        more = ["--missing", "skip"]
    asked = [
        "--ref",
        "ref.txt",
        "old.txt",
        "new.txt",
        "--metric",
        "wer",
        *given,
        *more,
        "--test",
        "randomization",
        "--samples",
        200,
        "--json",
    ]
    outcome = fstmetrics("compare", *asked)
    if kind == "numbers":
        assert outcome.status == 2
        assert "s: its segments are numbers, and the lines of new" in outcome.err
        return
    some = slice(kind == "fewer", None)
    expected = fm.compare(
        scores={"comet": {"old": OLD[some], "new": NEW[some]}}, test="randomization", samples=200
    )
    (test,) = [test for test in outcome.summary["tests"] if test["metric"] == "comet"]
    assert (test["p"], test["delta"]) == (expected.tests[0].p, expected.tests[0].delta)
    said = [remark for remark in outcome.summary["remarks"] if remark.startswith("comet: scores of")]
    assert ["new" in each and "lines of the output" in each for each in said] == [True] * (kind != "ids")
    if kind != "fewer":
        page = fstmetrics("report", *asked[:-5], "-o", "p.html")
        assert page.status == 0
        assert (REMARK in page.err) == (kind != "ids")


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("other", ["blocks", "from 0", "from 1", "zeros", "points"])
def test_scores_alone_pair_by_number(other: str, first: int, here: Path) -> None:
    """The first table has its segments in another order."""
    written(here / "a.tsv", table("\t", first).replace("comet", "a").replace("other", "b"))
    rows = [
        (name, i, score) for name, scores in (("old", OLD), ("new", NEW)) for i, score in enumerate(scores)
    ]
    form = {"from 0": "{}", "from 1": "{}", "zeros": "{:03}", "points": "{}.0"}.get(other, "")
    begin = 0 if other == "from 0" else 1
    own = "system\tsegment\tc\n" + "".join(
        f"{name}\t{form.format(i + begin)}\t{score}\n" for name, i, score in rows
    )
    written(here / "c", blocks(old=OLD, new=NEW) if other == "blocks" else own)
    arguments = ("compare", "old", "new", "--scores", "a.tsv", "--scores", "c=c", "--samples", 9)
    assert fstmetrics(*arguments, "--items", "items.tsv").status == 0
    head, *lines = [line.split("\t") for line in (here / "items.tsv").read_text().splitlines()]
    assert head == ["system", "segment", "a", "b", "c"]
    assert all(line[2] == line[4] for line in lines)


RATED = [(system, n, judge, score) for n in range(1, 5) for system, judge, score in (
    ("old", "x", 50 + n), ("new", "x", 60 + 3 * n), ("old", "y", 20 - n), ("new", "y", 30 + n))]  # fmt: skip
DA = "SYS SID RAW.SCR Z.SCR N\n" + "".join(
    f"{system}.{n} {i} {50 + 9 * n + i} {n - 1.5 + i / 9} 1\n"
    for n, system in ((1, "old"), (2, "new"))
    for i in range(1, 5)
)
APPRAISE = "".join(f"{who},{system},{n},TGT,eng,deu,{score},d,False\n" for system, n, who, score in RATED)
RATINGS = "system\tsegment\tassessor\thuman\n" + "".join(
    f"{system}\t{n}\t{who}\t{score}\n" for system, n, who, score in RATED
)


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        (APPRAISE, "app=", "app: scores of 2 assessors, standardised by assessor"),
        (RATINGS, "x=", "x: scores of 2 assessors, standardised by assessor"),
        (DA, "da=", "da: scores of Z.SCR, standardised by assessor; --scores RAW.SCR=FILE takes them as they are"),
        (DA, "RAW.SCR=", ""),
        ("".join(line for line in RATINGS.splitlines(True) if "\ty\t" not in line).replace("assessor", "batch")
         .replace("\tx\t", "\t0\t"), "human=", ""),
    ],
)  # fmt: skip
def test_scores_that_are_standardised_are_said(content: str, name: str, said: str, here: Path) -> None:
    written(here / "s", content)
    outcome = fstmetrics("compare", "old", "new", "--scores", f"{name}s", "--samples", 99, "--json")
    found = outcome.summary
    assert [said in remark for remark in found["remarks"] if "standardised" in remark] == [True] * bool(said)
    (test,) = found["tests"]
    assert (test["relative"] is None) == bool(said)
    assert ["|standardised:assessor" in each for each in found["settings"]["signatures"]] == [bool(said)]
    if name == "RAW.SCR=":
        assert [each["RAW.SCR"]["score"] for each in found["systems"].values()] == [61.5, 70.5]
