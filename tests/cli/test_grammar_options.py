"""`--grammar` on the commands that score, and the commands on grammars."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command import HYTER, ORACLE, fstmetrics, written

import fstmetrics as fm
from fstmetrics.analysis.record_table import Vocabulary, read_table
from fstmetrics.apps.pages import Shown, System, page_data


@pytest.fixture
def ref(tmp_path: Path) -> str:
    return str(written(tmp_path / "ref.txt", "it's grey\ndon't go\nx\n"))


@pytest.fixture
def hyp(tmp_path: Path) -> str:
    return str(written(tmp_path / "hyp.txt", "it is gray\ndo not go\ny\n"))


def test_score_widens_references(ref: str, hyp: str) -> None:
    plain = fstmetrics("score", ref, hyp, "--json").summary
    some = fstmetrics("score", ref, hyp, "--json", "--grammar", "en.contractions").summary
    both = fstmetrics("score", ref, hyp, "--json", "--grammar", "en.contractions,en.spelling").summary
    again = fstmetrics(
        "score", ref, hyp, "--json", "--grammar", "en.contractions", "--grammar", "en.spelling"
    ).summary
    assert [s["edits"] for s in (plain, some, both, again)] == [6, 2, 1, 1]
    assert both["path_length"] == 7
    assert "|grammars:en.contractions,en.spelling|" in both["signature"]
    assert "grammars" not in plain["signature"]
    assert both["settings"]["grammars"] == "en.contractions,en.spelling"


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        (["--grammar", "en.contractions@0.25,en.spelling"], ""),
        (["--grammar", "en.contractions@0.25,en.spelling", "--unit", "word", "--percent"], ""),
        (["--grammar", "en.spelling@0.25", "--ignore", "gray grey"], "%WER 125.00 [ 5 / 4"),
        (["--grammar", "en.contractions,en.spelling"], "%WER 14.29 [ 1 / 7"),
        (["--grammar", "en.contractions", "--metric", "sclite"], "%WER 28.57 [ 2 / 7"),
    ],
)
def test_no_line_of_edits_alone_where_rewrites_cost(
    options: list[str], numbers: str, ref: str, hyp: str
) -> None:
    shown = fstmetrics("score", ref, hyp, *options).out
    assert [line for line in shown.splitlines() if "WER" in line or "SER" in line][:1] == [
        line for line in shown.splitlines() if numbers and line.startswith(numbers)
    ]
    assert ("has what rewrites cost beside the edits" in shown) == (not numbers)


@pytest.mark.parametrize("metric", ["wer", "hyter", "wrr"])
def test_what_rewrites_cost_is_in_records_that_are_read(
    metric: str, ref: str, hyp: str, tmp_path: Path
) -> None:
    out = tmp_path / "r.jsonl"
    grammar = ("--grammar", "en.contractions@0.25,en.spelling@0.5", "--metric", metric)
    score = fstmetrics("score", ref, hyp, *grammar, "--output", out, "--alignment", "--json").summary["score"]
    for command in ("errors", "show"):
        assert (fstmetrics(command, out).status, fstmetrics(command, out).err) == (0, "")
    table = read_table(out, Vocabulary())
    data, _ = page_data({"page": System.of_records(table)}, Shown("page"))
    assert data["scores"] == [pytest.approx(score)]
    if metric == "wer":
        loops = fstmetrics("errors", out, "--loops", "--json").summary
        assert (loops["wer"], loops["wer_runs_as_one"]) == (pytest.approx(score), pytest.approx(score))
    out.write_text(out.read_text().replace('"cost": 0.25', '"cost": 0.5'))
    assert "the record was damaged or edited" in fstmetrics("errors", out).err


def test_runs_in_which_rewrites_cost_something_side_by_side(tmp_path: Path) -> None:
    sides = {
        "ref": "u1 the colour is grey\nu2 we analyse it\nu3 the cat sat\n",
        "one": "u1 the color is gray\nu2 we analyze it\nu3 the cat sat ha ha ha\n",
        "two": "u1 the colour is gray\nu2 we analyse it\nu3 the cat sat ha ha ha\n",
    }
    files = {name: written(tmp_path / f"{name}.txt", text) for name, text in sides.items()}
    grammar = ("--grammar", "en.spelling@0.5")
    records = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for out in records:
        fstmetrics("score", files["ref"], files[out.stem], *grammar, "--alignment", "--output", out)
    compared = fstmetrics(
        "compare", "--ref", files["ref"], files["one"], files["two"], *grammar, "--test", "sign", "--json"
    ).summary["tests"][0]
    found = fstmetrics("errors", records[0], "--against", records[1], "--json").summary
    assert (compared["better"], compared["worse"]) == (found["worse"], found["better"]) == (2, 0)
    assert found["items"] == [
        {"id": "u1", "first": 1.0, "second": 0.5}, {"id": "u2", "first": 0.5, "second": 0.0},
    ]  # fmt: skip
    shown = fstmetrics("errors", records[0], "--against", records[1]).out
    assert "one better in 0 items, two in 2, equal in 1" in shown
    assert "  u2  0.5    0        -0.5\n" in shown
    assert fstmetrics("errors", records[0], "--loops").out.splitlines()[-2] == (
        "wer 0.4500; with each of them as one error 0.2500"
    )
    refused = fstmetrics("compare", "--ref", *files.values(), *grammar, "--test", "mapsswe")
    assert (refused.status, "rewrites have costs: rewrite at no cost" in refused.err) == (2, True)
    page = tmp_path / "page.html"
    fstmetrics("report", *records, "--output", page)
    assert "MAPSSWE" not in page.read_text()


@pytest.mark.parametrize("metrics", ["mer", "wil", "wip", "sclite", "wer,mer"])
def test_metrics_of_counts_have_no_room_for_costs(metrics: str, ref: str, hyp: str) -> None:
    done = fstmetrics("score", ref, hyp, "--metric", metrics, "--grammar", "en.contractions@0.25")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "counts words alone and has no room for what rewrites cost; rewrite at no cost" in done.err
    free = ("--grammar", "en.contractions@0", "--grammar", "compounds@hits")
    assert fstmetrics("score", ref, hyp, "--metric", metrics, *free).status == 0
    with pytest.raises(fm.FstmetricsError, match="no room for what rewrites cost"):
        fm.score(["it is"], ["it's"], metrics.split(","), grammars="en.contractions@0.25")


def test_rewriting_at_a_cost(ref: str, hyp: str) -> None:
    shown = fstmetrics("score", ref, hyp, "--json", "--grammar", "en.contractions@0.25,en.spelling").summary
    assert shown["edits"] == 1
    assert shown["score"] == pytest.approx((1 + 2 * 0.25) / 7)
    assert "|grammars:en.contractions@0.25,en.spelling|" in shown["signature"]


def test_records_and_alignments_show_the_rules_used(ref: str, hyp: str) -> None:
    records = fstmetrics("score", ref, hyp, "--output", "-", "--grammar", "en.contractions").records
    (rewrite,) = records[1]["rules"]
    assert isinstance(rewrite.pop("line"), int)
    assert rewrite.pop("rule") == "{NEGATED}{NT} <-> {NEGATED} not"
    assert rewrite == {
        "grammar": "en.contractions", "before": ["don't"], "after": ["do", "not"], "position": 0, "cost": 0.0,
    }  # fmt: skip
    assert "rules" not in records[2]
    shown = fstmetrics("score", ref, hyp, "--alignment", "--grammar", "en.contractions")
    assert "rewritten: don't -> do not  (en.contractions:" in shown.out


def test_errors_counts_the_rules_used(ref: str, hyp: str, tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    fstmetrics("score", ref, hyp, "--output", path, "--alignment", "--grammar", "en.contractions,en.spelling")
    found = fstmetrics("errors", path, "--json").summary["rules"]
    assert {"rule": "{PAIR.1} = {PAIR.2}", "count": 1} in found
    assert {"rule": "{NEGATED}{NT} <-> {NEGATED} not", "count": 1} in found


def test_hyter_and_oracle_take_grammars(tmp_path: Path) -> None:
    path = written(tmp_path / "mine.grammar", "take him <-> carry him\nwas led -> was taken\ni -> ~\n")
    for command in (("hyter", *HYTER), ("oracle", *ORACLE)):
        plain = fstmetrics(*command, "--json").summary
        wider = fstmetrics(*command, "--json", "--grammar", path).summary
        assert wider["edits"] <= plain["edits"]
        assert "grammars:mine" in wider["signature"]
    assert fstmetrics("hyter", *HYTER, "--window", "3", "--grammar", path).status == 0


@pytest.mark.parametrize("grammar", ["compounds", "fragments@0.5", "compounds@hits,en.spelling", "en.speech"])
@pytest.mark.parametrize("command", ["score", "hyter"])
def test_rules_that_depend_on_hypotheses_take_lattices(command: str, grammar: str, tmp_path: Path) -> None:
    arcs = "0 1 air 0,0,\n1 2 port 0,0,\n0 2 road 0,0,\n2\n\n"
    lattices = written(tmp_path / "lattices", f"u1\n{arcs}u2\n{arcs}")
    ref = written(tmp_path / "ref.txt", "u1 airport\nu2 road\n")
    found = fstmetrics(command, ref, lattices, "--grammar", grammar, "--json").summary
    assert found["edits"] == grammar.startswith("fragments")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--grammar", "en.speling"), "there is no grammar 'en.speling'"),
        (("--grammar", "en.spelling@-1"), "less than nothing"),
        (("--grammar", "{tmp}/no.grammar"), "no.grammar: cannot be read"),
        (("--grammar", "{tmp}/bad.grammar"), "bad.grammar:2: expected a rule"),
    ],
)
def test_errors_are_one_line(
    ref: str, hyp: str, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    written(tmp_path / "bad.grammar", "a -> b\nhuh\n")
    outcome = fstmetrics("score", ref, hyp, *(a.format(tmp=tmp_path) for a in arguments))
    assert outcome.status == 2
    assert outcome.err.count("\n") == 1
    assert message in outcome.err


def test_list_names_every_grammar() -> None:
    lines = fstmetrics("grammar", "list").out.splitlines()
    assert lines[0].split()[:3] == ["grammar", "suits", "what"]
    assert len(lines) == 20
    assert lines[-1].startswith("en: all en. that suit text; en.speech: all en. that suit speech")
    assert [line.split()[0] for line in lines[1:-2] if "speech" in line[:32]] == [
        "compounds", "de.numbers", "en.contractions", "en.digits", "en.fillers", "en.hyphenation", "en.letters",
        "en.spelling", "es.numbers", "fr.numbers", "fragments",
    ]  # fmt: skip


def test_show_prints_rules_as_written_plain_and_by_word(tmp_path: Path) -> None:
    path = written(tmp_path / "mine.grammar", "title: mine\nlist X: a b\n{X} -> c ; ~\nd = e\n")
    assert fstmetrics("grammar", "show", path).out == "# mine: mine\n    3  {X} -> c ; ~\n    4  d = e\n"
    plain = fstmetrics("grammar", "show", path, "--plain").out.splitlines()
    assert plain[1:] == ["    3  a -> c ; ~", "    3  b -> c ; ~", "    4  d = e"]
    assert fstmetrics("grammar", "show", path, "--word", "b").out.splitlines()[1:] == ["    3  b -> c ; ~"]


def test_try_shows_what_else_can_be_said() -> None:
    shown = fstmetrics("grammar", "try", "en.spelling,en.numbers", "The Colour 25").out
    assert "Colour -> Color   (en.spelling:" in shown
    assert "25 -> twenty-five   (en.numbers:" in shown
    folded = fstmetrics("grammar", "try", "en.spelling", "The Colour", "--lowercase").out
    assert "colour -> color" in folded


def test_test_runs_the_examples_of_files(tmp_path: Path) -> None:
    assert fstmetrics("grammar", "test").status == 0
    good = written(tmp_path / "good.grammar", "a -> b\naccept: a == b\nreject: b == a\n")
    assert fstmetrics("grammar", "test", good).out == "good: 1 to accept, 1 to reject: ok\n"
    bad = written(tmp_path / "bad.grammar", "a -> b\naccept: b == a\nreject: a == b\n")
    outcome = fstmetrics("grammar", "test", bad)
    assert outcome.status == 1
    assert "2 WRONG" in outcome.out
    assert "line 2: accept: b == a; closest: b" in outcome.out


def test_savings_are_edits_without_minus_edits_with(ref: str, hyp: str) -> None:
    outcome = fstmetrics(
        "grammar",
        "savings",
        ref,
        hyp,
        "--grammar",
        "en.contractions,en.spelling,en.numbers",
        "--examples",
        "5",
    )
    table = outcome.out.partition("\n\n")[0].splitlines()
    rows = {line.split("  ")[0]: line.split() for line in table}
    assert [int(rows[name][2]) for name in ("none", "en.contractions", "en.spelling", "en.numbers")] == [
        6,
        2,
        5,
        6,
    ]
    assert [int(rows[name][3]) for name in ("en.contractions", "en.spelling", "en.numbers")] == [4, 1, 0]
    assert rows["all together"][3:5] == ["1", "5"]
    examples = [re.split("  +", line.strip()) for line in outcome.out.splitlines()]
    assert ["don't", "do not", "1"] in examples
    assert ["grey", "gray", "1"] in examples


def test_compounds_are_shown_as_what_depends_on_the_hypothesis() -> None:
    depends = "compounds: what it allows depends on the words of the hypothesis\n"
    assert fstmetrics("grammar", "try", "compounds", "some one").out == depends
    for option in ((), ("--plain",)):
        shown = fstmetrics("grammar", "show", "compounds", *option).out.splitlines()
        assert [line.split(None, 1)[1] for line in shown[1:]] == ["compounds: join", "compounds: split"]


def test_savings_tell_rewrites_that_change_only_the_length_apart(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "i don't know\ni don't know\n")
    hyp = written(tmp_path / "hyp", "i do not know\nyou see that one\n")
    rules = written(tmp_path / "mine.grammar", "don't = do not\n")
    outcome = fstmetrics("grammar", "savings", ref, hyp, "--grammar", rules)
    row = next(line for line in outcome.out.splitlines() if line.startswith("mine")).split()
    assert row[-2:] == ["1", "1"]
    assert "mine, only length" in outcome.out


def test_savings_take_normalisation_and_all_grammars_by_default(ref: str, hyp: str) -> None:
    outcome = fstmetrics("grammar", "savings", ref, hyp, "--lowercase")
    assert outcome.status == 0
    table = outcome.out.partition("\n\n")[0]
    assert len([line for line in table.splitlines() if line.startswith("en.")]) == 9
    assert json.dumps("all together")[1:-1] in outcome.out


def test_what_has_no_best_paths_takes_no_grammars(ref: str, hyp: str) -> None:
    """An option that changes nothing would be a wrong score."""
    shown = fstmetrics("score", ref, hyp, "--metric", "chrf", "--grammar", "en.spelling")
    assert (shown.status, "chrf takes none" in shown.err) == (2, True)
    assert fstmetrics("compare", hyp, hyp, "--ref", ref, "--grammar", "en.spelling").status == 2
