"""Features of translations against networks, and levels learnt from them [H12 §5]."""

from __future__ import annotations

import warnings
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from command import HYTER, fstmetrics, written
from hypothesis import given
from hypothesis import strategies as st

import fstmetrics as fm
from fstmetrics.apps.proficiency.classifier import agreement, cross_validated, most_frequent, shuffled
from fstmetrics.apps.proficiency.exams import LEVELS, generated_exams
from fstmetrics.apps.proficiency.passage_features import (
    NAMES,
    PassageRules,
    ngram_matches,
    passage_features,
    read_labelled,
)

phrases = st.lists(st.lists(st.sampled_from("abc"), max_size=3).map(" ".join), min_size=1, max_size=3)


@given(st.lists(phrases, min_size=1, max_size=3), st.lists(st.sampled_from("abcd"), max_size=8))
def test_ngrams_against_all_paths_one_by_one(choices: list[list[str]], words: list[str]) -> None:
    cards = [fm.Card.from_phrases(f"C{i}", options) for i, options in enumerate(choices)]
    root = fm.Card.from_phrases("S", [" ".join(f"[C{i}]" for i in range(len(choices)))])
    network = fm.Network([*cards, root], "S")
    paths = [tuple(" ".join(parts).split()) for parts in product(*choices)]
    for order, count in enumerate(ngram_matches(words, network, 5).tolist(), 1):
        grams = {path[i : i + order] for path in paths for i in range(len(path) - order + 1)}
        assert count == sum(tuple(words[i : i + order]) in grams for i in range(len(words) - order + 1))


def test_features_are_sums_over_the_passage() -> None:
    network = fm.Network([fm.Card.from_phrases("S", ["the cat sat", "a cat sat"])], "S")
    table = passage_features(
        [("p", "the cat sat", network), ("q", "x", network), ("p", "cat sat down now", network)]
    )
    assert table.passages == ("p", "q")
    row = dict(zip(NAMES, table.values[0].tolist(), strict=True))
    assert row["hyter"] == 3 / 6  # a longest path among equals; 0 + (1 deletion, 2 insertions) edits
    assert (row["insertions"], row["deletions"], row["substitutions"]) == (2, 1, 0)
    assert row["insertions_or_deletions_per_word"] == 3 / 7
    assert row["precision_1"] == 5 / 7
    assert row["precision_2"] == 3 / 5  # of 2 + 3 bigrams
    assert row["precision_4"] == 0 / 1
    assert row["precision_20"] == 0


def test_papers_figures() -> None:
    """[H12 table 5]: the baseline's 141 of 195 exams, 72 of 73 sure exams found, and both F1."""
    assert round(100 * (32 + 43 + 66) / 195, 2) == 72.31
    gold = [frozenset({"2"})] * 73 + [frozenset({"1", "2"})] * 53 + [frozenset({"1"})] * 69
    predicted = ["2"] * 62 + ["1"] * 11 + ["2"] * 53 + ["1"] * 48 + ["2"] * 21
    found = agreement(predicted, gold)
    assert round(100 * found.recall, 2) == 84.93  # 62 / 73
    assert round(100 * found.precision, 2) == round(100 * 115 / 136, 2)
    for precision, recall, f1 in ((85.62, 84.93, 85.27), (82.11, 98.63, 89.62)):
        assert round(2 * precision * recall / (precision + recall), 2) == pytest.approx(f1, abs=0.011)


def test_shares_of_nothing_are_none() -> None:
    one, two, either = frozenset({"1"}), frozenset({"2"}), frozenset({"1", "2"})
    for predicted, gold, figures in (
        (["1", "1"], [one, one], (None, None, None)),
        (["1", "1"], [one, two], (None, 0, 0)),
        (["2", "1"], [one, one], (0, None, 0)),
        (["2", "1"], [either, one], (1, None, None)),
        (["2", "1"], [two, one], (1, 1, 1)),
    ):
        found = agreement(predicted, gold)
        assert (found.precision, found.recall, found.f1) == figures
    assert most_frequent([frozenset({"2"}), frozenset({"2", "1"})]) == ["2", "2"]


def test_generated_exams_are_the_same_for_a_seed() -> None:
    first, again, other = (list(generated_exams(12, seed)) for seed in (3, 3, 4))
    assert [e.sentences[0][1] for e in first] == [e.sentences[0][1] for e in again]
    assert [e.levels for e in first] == [e.levels for e in again]
    assert [e.sentences[0][1] for e in first] != [e.sentences[0][1] for e in other]
    assert set().union(*(e.levels for e in first)) <= set(LEVELS)


def test_levels_are_learnt_and_chance_is_not() -> None:
    pytest.importorskip("sklearn", reason="needs scikit-learn: pip install 'fstmetrics[proficiency]'")
    exams = list(generated_exams(120, 2))
    values = passage_features(s for e in exams for s in e.sentences).values
    gold = [e.levels for e in exams]
    mixed = shuffled(gold)
    assert sorted(map(sorted, mixed)) == sorted(map(sorted, gold))
    learnt = agreement(cross_validated(values, gold), gold)
    chance = agreement(cross_validated(values, mixed), mixed)
    assert learnt.accuracy > 0.5 > 0.35 > chance.accuracy
    assert learnt.f1 > 0.9 > chance.f1
    with pytest.raises(fm.FstmetricsError, match="5 exams are too few for 10 folds"):
        cross_validated(values[:5], gold[:5])
    assert cross_validated(np.zeros((10, 2)), [frozenset({"2"})] * 10) == ["2"] * 10


def test_a_fit_that_is_done_is_not_warned_of(tmp_path: Path) -> None:
    """Of many features that are nearly the same, which take more than the 1,000 passes that scikit-learn expects."""
    pytest.importorskip("sklearn", reason="needs scikit-learn: pip install 'fstmetrics[proficiency]'")
    for seed in (4, 55, 170):
        rng = np.random.default_rng(seed)
        exams, _, levels = int(rng.integers(10, 120)), rng.choice([1, 2, 3, 36]), int(rng.integers(2, 7))
        level = rng.integers(0, levels, exams)
        base = rng.normal(size=(exams, 1)) * rng.choice([0, 0.1, 1, 3]) + level[:, None]
        features = base @ np.ones((1, 36)) + rng.choice([0, 1e-6, 0.01, 0.3]) * rng.normal(size=(exams, 36))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            cross_validated(features, [frozenset({str(each)}) for each in level], folds=20)


def test_one_level_has_no_precision(tmp_path: Path) -> None:
    pytest.importorskip("sklearn", reason="needs scikit-learn: pip install 'fstmetrics[proficiency]'")
    rows = "".join(f"e{i}\t{i % 2}\t1\n" for i in range(20))
    out = fstmetrics("proficiency", written(tmp_path / "t.tsv", f"exam\tf\tlevel\n{rows}")).out
    assert "features               100.00          -       -   -\n" in out


def test_features_are_written_a_passage_a_row(tmp_path: Path) -> None:
    out = tmp_path / "features.tsv"
    passages = tmp_path / "passages"
    passages.write_text("approval p1\norejuela p1\nstation p2\n")
    made = fstmetrics("features", *HYTER, "--passages", str(passages), "--output", str(out))
    assert (made.status, made.err.count("paired by id")) == (0, 1)
    head, *rows = out.read_text().splitlines()
    assert head.split("\t") == ["passage", *NAMES]
    assert [row.split("\t")[0] for row in rows] == ["p1", "p2"]
    passages.write_text("approval p1\n")
    lacking = fstmetrics("features", *HYTER, "--passages", str(passages))
    assert (lacking.status, "no passage for orejuela" in lacking.err) == (2, True)
    assert "whose first line ends with a column `level`" in fstmetrics("proficiency", str(out)).err
    assert "give a TABLE, or --generated N exams" in fstmetrics("proficiency").err


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        ("a\t1\n", ":2: expected 3 columns as in the first line, found 2"),
        ("a\tx\t2\n", ":2: expected numbers between the first column and the last"),
        ("a\tnan\t2\n", ":2: expected numbers"),
        ("a\t1\t \n", ":2: the last column, `level`, is empty"),
        ("a\t1\t2\nb\t1\t2\na\t1\t2\n", ":4: 'a' is also in line 2; expected each exam once"),
    ],
)
def test_faults_of_tables(rows: str, what: str, tmp_path: Path) -> None:
    table = tmp_path / "t.tsv"
    table.write_text("exam\tf\tlevel\n" + rows)
    done = fstmetrics("proficiency", str(table))
    assert (done.status, what in done.err) == (2, True)


@pytest.mark.parametrize(
    ("head", "names", "is_refused"),
    [
        ("x", "0.935 0.5 1", True),
        ("", "0.935 1e-3 -2", True),
        ("width", "0.9 0.8 0.7", True),  # `id` is no word of it
        ("hyter", "1 2 3", True),
        ("precision_2", "a b c", True),
        ("word_count", "100 250 80", True),
        ("length", "1.5 nan 2.5", True),
        ("x", "1 2 3", False),
        ("x", "2 3 1", True),
        ("essay", "12 7 9", False),
        ("EssayID", "12 7 9", False),
        ("", "0 1 2", False),
        ("No", "1 2 3", False),
        ("no", "1.5 2.5 3", True),
        ("Nr.", "7 8 9", False),
        ("person", "1 2 3", False),
        ("x", "1.5 2.5 b", False),
        ("x", "1.2.1 1.2.2 1.2.3", False),
        ("exam", "1.1 1.2 2.1", False),
        ("Exam ID", "1.1 1.2 2.1", False),
        ("passage", "1.1 1.2 2.1", False),
    ],
)
def test_a_feature_in_the_place_of_names_is_refused(
    head: str, names: str, is_refused: bool, tmp_path: Path
) -> None:
    """And is one with names before it."""
    rows = [f"{name}\t{n}.5\t{n % 2}" for n, name in enumerate(names.split())]
    table = written(tmp_path / "t.tsv", "\n".join([f"{head}\ty\tlevel", *rows, ""]))
    if not is_refused:
        assert len(read_labelled(table)[1]) == len(names.split())
        return
    with pytest.raises(
        fm.FstmetricsError,
        match=rf":1: expected names of exams .* (numbers of|of a feature,) '{head}': put a column",
    ):
        read_labelled(table)
    if head != "precision_2" and "nan" not in names:
        named = [f"e{n}\t{row}" for n, row in enumerate(rows)]
        written(table, "\n".join([f"passage\t{head}\ty\tlevel", *named, ""]))
        assert read_labelled(table)[0][:, 0].tolist() == list(map(float, names.split()))


def test_command_on_a_table(tmp_path: Path) -> None:
    pytest.importorskip("sklearn", reason="needs scikit-learn: pip install 'fstmetrics[proficiency]'")
    table = tmp_path / "t.tsv"
    rows = [f"e{i}\t{i % 2}\t{['1|1+', '3'][i % 2]}" for i in range(20)]
    table.write_text("\n".join(["exam\tf\tlevel", *rows]) + "\n")
    out = fstmetrics("proficiency", str(table), "--folds", "5").out
    assert "features               100.00     100.00  100.00  100.00" in out
    assert "20 exams, 5 folds" in out


@pytest.mark.parametrize(
    ("levels", "figures", "other"),
    [
        (("1", "2"), "100.00     100.00  100.00  100.00", ""),
        (("1.0", "2.0"), "100.00     100.00  100.00  100.00", ""),
        (("1+|1.0", "5"), "100.00     100.00  100.00  100.00", ""),
        (("3", "4+"), "100.00     100.00  100.00  100.00", ""),
        (("low", "high"), "100.00          -       -   -", "high, low"),
        (("A1", "B1"), "100.00          -       -   -", "A1, B1"),
        (("8", "10"), "100.00          -       -   -", "10, 8"),
        (("1", "2.5"), "100.00          -       -   -", "2.5"),
    ],
)
def test_level_2_or_better_is_of_one_scale(
    levels: tuple[str, str], figures: str, other: str, tmp_path: Path
) -> None:
    pytest.importorskip("sklearn", reason="needs scikit-learn: pip install 'fstmetrics[proficiency]'")
    rows = "".join(f"e{i}\t{i % 2}\t{levels[i % 2]}\n" for i in range(20))
    table = written(tmp_path / "t.tsv", f"exam\tf\tlevel\n{rows}")
    out = fstmetrics("proficiency", table, "--folds", 5).out
    assert f"features               {figures}\n" in out
    assert (f"not defined, as levels are {other}, and a level 2 is of the scale 0, 0+, 1," in out) is bool(
        other
    )
    found = fm.proficiency_files(table, folds=5).summary()["agreement"][0]
    assert (found["precision"], found["f1"]) == ((None, None) if other else (1, 1))


def test_csv_is_read_as_tabs_are(tmp_path: Path) -> None:
    lines = ["exam\tx\ty\tlevel", "e1\t0.5\t2\t1|1+", "e2\t1e3\t-7\t3"]
    tabs = read_labelled(written(tmp_path / "t.tsv", "\n".join(lines)))
    commas = [line.replace("\t", ",") for line in lines]
    quoted = [line.replace("e1", '"e1"').replace(",1|", ',"1|').replace("1+", '1+"') for line in commas]
    for text in (commas, quoted):
        values, levels = read_labelled(written(tmp_path / "t.csv", "\n".join(text)))
        assert (values.tolist(), levels) == (tabs[0].tolist(), tabs[1])
    for line, message in (
        ('e3,1,2,"3', "quotes are not as CSV has them"),
        ("e3,1,2,3,4", "expected 4 columns"),
    ):
        with pytest.raises(fm.InputError, match=rf"t\.csv:4: {message}"):
            read_labelled(written(tmp_path / "t.csv", "\n".join([*commas, line])))


@pytest.mark.parametrize("form", ["--csv", "--tsv", "--output=t.csv", "--output=t.tsv"])
def test_every_table_of_features_takes_levels(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = fstmetrics("features", *HYTER, form)
    assert made.status == 0
    is_file = form.startswith("--output")
    text = Path(form.partition("=")[2]).read_text() if is_file else made.out
    head, *rows = text.splitlines()
    comma = "," if "csv" in form else "\t"
    table = [f"{head}{comma}level", *(f"{row}{comma}1|2" for row in rows)]
    values, levels = read_labelled(written(tmp_path / "levels", "\n".join(table) + "\n"))
    expected = fm.features_files(networks=HYTER[0], hypotheses=HYTER[1]).table.values
    assert values == pytest.approx(expected, rel=1e-9)
    assert levels == [frozenset({"1", "2"})] * len(rows)


RULES = "# passages\tlevels\nSM,SM,*\t0|0+\n\n*,MM,HM\t2\n*,*,NT\t3+\n"


def test_rules_make_levels_of_labels_of_passages(tmp_path: Path) -> None:
    rules = PassageRules.read(written(tmp_path / "rules", RULES))
    cases = {"SM,SM,HM": {"0", "0+"}, "SM,MM,HM": {"2"}, "SM,SM,NT": {"0", "0+"}, "HM,MM,NT": {"3+"}}
    assert {labels: set(rules.levels(labels.split(","))) for labels in cases} == cases
    lines = "".join(f"e{i}\t1\t{labels.replace(',', ', ')}\n" for i, labels in enumerate(cases))
    table = written(tmp_path / "t.tsv", f"exam\thyter\tlabels\n{lines}")
    assert list(map(set, read_labelled(table, rules)[1])) == list(cases.values())
    written(table, "exam\thyter\tlabels\ne\t1\tHM,HM,HM\n")
    with pytest.raises(fm.InputError, match=r"t\.tsv:2: no rule fits the labels HM,HM,HM"):
        read_labelled(table, rules)
    with pytest.raises(fm.InputError, match="a column `level`"):
        read_labelled(table)
    written(table, f'exam,hyter,labels\ne,1,"{next(iter(cases))}"\n')
    assert read_labelled(table, rules)[1] == [{"0", "0+"}]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("SM,MM 1\n", ":1: expected labels, a tab"),
        ("SM,\t1\n", ":1: expected labels, a tab"),
        ("SM\t1||2\n", ":1: expected labels, a tab"),
        ("SM,MM\t1\nSM\t2\n", ":2: expected labels of 2 passages"),
        ("# none\n", "there is no rule"),
    ],
)
def test_faults_of_rules(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(fm.InputError, match=what):
        PassageRules.read(written(tmp_path / "rules", text))


def test_rules_need_a_table(tmp_path: Path) -> None:
    rules = written(tmp_path / "rules", RULES)
    found = fstmetrics("proficiency", "--generated", 10, "--rules", rules)
    assert (found.status, "--rules is for the labels of a TABLE" in found.err) == (2, True)
