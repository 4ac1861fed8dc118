"""Words in parentheses, as sclite counts them without and with -D: its own numbers, and the program where it is."""

from __future__ import annotations

import random
import re
import subprocess
from pathlib import Path

import pytest
from command import fstmetrics as command
from command import written
from other_programs import program

import fstmetrics as fm
from fstmetrics.io import read_items

# Reference, hypothesis, and (#C #S #D #I) of SCTK 2.4.10's sclite without and with -D.
OF_SCLITE = [
    ("we (uh) met", "we uh met", (2, 1, 0, 0), (3, 0, 0, 0)),
    ("we (uh) met", "we met", (2, 0, 1, 0), (3, 0, 0, 0)),
    ("we (uh) met", "we um met", (2, 1, 0, 0), (2, 1, 0, 0)),
    ("(uh)", "", (0, 0, 1, 0), (1, 0, 0, 0)),
    ("(uh) met", "met", (1, 0, 1, 0), (2, 0, 0, 0)),
    ("we { (uh) / x y } met", "we met", (2, 0, 1, 0), (3, 0, 0, 0)),
    ("we (fi-) met", "we fish met", (2, 1, 0, 0), (2, 1, 0, 0)),
    ("we (uh) (um) met", "we met", (2, 0, 2, 0), (4, 0, 0, 0)),
    ("we (uh) met", "we", (1, 0, 2, 0), (2, 0, 1, 0)),
    ("we (uh) met", "we uh uh met", (2, 1, 0, 1), (3, 0, 0, 1)),
    ("we met { (uh) / @ }", "we met", (2, 0, 0, 0), (2, 0, 0, 0)),
    ("we { (uh) / um } met", "we met", (2, 0, 1, 0), (3, 0, 0, 0)),
]


def counts(result: fm.Result) -> tuple[int, ...]:
    return result.matches, result.substitutions, result.deletions, result.insertions


def rules(how: str) -> fm.Normalisation:
    return fm.Normalisation(lowercase=True, optional_words=how)  # type: ignore[arg-type]


@pytest.mark.parametrize(("reference", "hypothesis", "word", "correct"), OF_SCLITE)
def test_counts_are_those_of_sclite(
    reference: str, hypothesis: str, word: tuple[int, ...], correct: tuple[int, ...]
) -> None:
    given = fm.Transcript.parse(reference, "sclite")
    for how, expected in (("word", word), ("correct", correct)):
        result = fm.align(hypothesis, given, "sclite", normalisation=rules(how))
        assert counts(result) == expected
        assert result.path_length == sum(expected[:3]) == len(result.closest)
        shown = [pair.op for pair in result.alignment]
        assert tuple(map(shown.count, "=SDI")) == expected
        corpus = fm.score([hypothesis] * 2, [given] * 2, "sclite", normalisation=rules(how))
        assert corpus.totals == result.totals + result.totals
        assert corpus.columns()["matches"].tolist() == [expected[0]] * 2


def test_all_that_a_program_counts_is_the_same(tmp_path: Path) -> None:
    """Of random references with choices; alignments that cost the same may be others."""
    sclite = program("sclite", "sctk")
    chosen = random.Random(14)
    words = ["a", "b", "c", "fi-", "fish", "-sh"]

    def word() -> str:
        found = chosen.choice(words)
        return f"({found})" if chosen.random() < 0.3 and found != "-sh" else found

    def reference() -> str:
        found = []
        for _ in range(chosen.randint(0, 6)):
            ways = ["@" if chosen.random() < 0.2 else " ".join([word() for _ in range(k)]) for k in (1, 2)]
            found.append(f"{{ {' / '.join(ways)} }}" if chosen.random() < 0.25 else word())
        return " ".join(found)

    said = [" ".join(chosen.choices(words, k=chosen.randint(0, 6))) for _ in range(200)]
    texts = {"ref.trn": [reference() for _ in said], "hyp.trn": said}
    paths = [
        written(tmp_path / name, "".join(f"{text} (a-{i})\n" for i, text in enumerate(lines)))
        for name, lines in texts.items()
    ]
    references, hypotheses = ({item.id: item.value for item in read_items(path).items} for path in paths)
    files = ["-r", str(paths[0]), "trn", "-h", str(paths[1]), "trn", "-i", "spu_id", "-o", "pra", "stdout"]
    for options, how, grammars in (
        ([], "word", ()),
        (["-F"], "word", "fragments"),
        (["-D"], "correct", ()),
        (["-D", "-F"], "correct", "fragments"),
    ):
        printed = subprocess.run([*sclite, *options, *files], capture_output=True, text=True, check=True)
        pattern = r"id: \((.*?)\)\nScores: \(#C #S #D #I\) (.*)"
        theirs = {m[1]: tuple(map(int, m[2].split())) for m in re.finditer(pattern, printed.stdout)}
        found = fm.score(hypotheses, references, "sclite", normalisation=rules(how), grammars=grammars)
        assert len(theirs) == len(found) == len(said)
        equal = 0
        for result in found:
            hits, s, d, i = theirs[str(result.id)]
            equal += counts(result) == (hits, s, d, i)
            left_out, odd = divmod(round(result.cost) - 4 * s - 3 * d - 3 * i, 2)
            assert not odd
            assert 0 <= left_out <= (hits if how == "correct" else 0)
        assert equal >= 0.97 * len(said)


def test_records_and_reports_have_the_word_in_parentheses(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "r.trn", "we (uh) met (a)\n"), written(tmp_path / "h.trn", "we met (a)\n")
    out = tmp_path / "r.jsonl"
    asked = ("--metric", "sclite", "--optional-words", "correct", "--alignment", "--output", out, "--json")
    summary = command("score", ref, hyp, *asked).summary
    assert (summary["matches"], summary["edits"], summary["path_length"]) == (3, 0, 3)
    assert "|optional-words:correct|" in summary["signature"]
    assert command("show", out, "--style", "jsonl").records[0]["closest"] == ["we", "(uh)", "met"]
    assert command("errors", out).status == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--metric", "wer"], "under the metric sclite only"),
        (["--metric", "bleu"], "bleu compares strings, not texts with choices"),
        (["--metric", "sclite", "--remove-punctuation"], "only where words stay as they are"),
        (["--metric", "sclite", "--unit", "char"], "only where words stay as they are"),
        (["--metric", "sclite", "--ignore", "uh"], "only where words stay as they are"),
        (["--metric", "sclite", "--grammar", "compounds@0.5"], "no room for what rewrites cost"),
    ],
)
def test_what_cannot_be_counted_is_refused(tmp_path: Path, options: list[str], message: str) -> None:
    ref, hyp = written(tmp_path / "r.trn", "we (uh) met (a)\n"), written(tmp_path / "h.trn", "we met (a)\n")
    done = command("score", ref, hyp, "--optional-words", "correct", *options)
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert message in done.err


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [
        (r"we \(uh\) met (a)", "we met (a)"),
        ("we met (a)", "we (uh) met (a)"),
        (r"we (um) \(uh) (a)", "we (a)"),
    ],
)
def test_ordinary_words_in_parentheses_are_refused(tmp_path: Path, reference: str, hypothesis: str) -> None:
    ref, hyp = written(tmp_path / "r.trn", reference + "\n"), written(tmp_path / "h.trn", hypothesis + "\n")
    done = command("score", ref, hyp, "--optional-words", "correct", "--metric", "sclite")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "in parentheses" in done.err
    text = fm.Normalisation(optional_words="correct")
    with pytest.raises(fm.FstmetricsError, match=r"'\(uh\)' of the reference is in parentheses"):
        fm.align("we", ["we (uh)", "us"], "sclite", normalisation=text)


@pytest.mark.parametrize(
    "call",
    [
        ("score", "{ref}", "{hyp}"),
        ("score", "{ref}", "{hyp}", "--json"),
        ("compare", "--ref", "{ref}", "{hyp}", "b={hyp}"),
        ("errors", "--ref", "{ref}", "--hyp", "{hyp}"),
        ("report", "--ref", "{ref}", "{hyp}", "--output", "{out}"),
        ("oracle", "{ref}", "{lists}"),
    ],
)
def test_words_free_to_be_left_out_are_refused_where_sclite_counts(
    tmp_path: Path, call: tuple[str, ...]
) -> None:
    paths = {
        "ref": written(tmp_path / "r.trn", "b (c) d e (u-1)\nx y (u-2)\n"),
        "hyp": written(tmp_path / "h.trn", "b d e (u-1)\nx y (u-2)\n"),
        "lists": written(tmp_path / "n.moses", "u-1 ||| b d e ||| m=1 ||| 1\nu-2 ||| x y ||| m=1 ||| 1\n"),
        "out": tmp_path / "page.html",
    }
    asked = [part.format(**paths) for part in call]
    for how in ([], ["--optional-words", "free"]):
        done = command(*asked, "--metric", "sclite", *how)
        assert (done.status, done.err.count("\n")) == (2, 1)
        assert (
            "--optional-words word counts as sclite does, --optional-words correct as sclite -D" in done.err
        )
    assert command(*asked, "--metric", "sclite", "--optional-words", "word").status == 0
    assert command(*asked, "--metric", "wer").status == 0


def test_what_is_scored_by_the_rules_of_sclite(tmp_path: Path) -> None:
    """Words in parentheses of hypotheses are words, and so they are in texts that leave no choice."""
    ref, hyp = (
        written(tmp_path / "r.trn", "b d { e / f } (u-1)\n"),
        written(tmp_path / "h.trn", "b (d) e (u-1)\n"),
    )
    assert command("score", ref, hyp, "--metric", "sclite", "--json").summary["edits"] == 1
    assert fm.score(["a b"], ["a (b)"], "sclite").edits == 1
    choice = fm.Transcript.parse("we { (uh) / um } met", "sclite")
    with pytest.raises(fm.FstmetricsError, match="in parentheses is not free"):
        fm.align("we met", choice, "sclite")


@pytest.mark.parametrize("command_line", [("score",), ("compare", "--ref")])
def test_a_hint_that_cannot_be_tried_is_no_answer(tmp_path: Path, command_line: tuple[str, ...]) -> None:
    ref = written(tmp_path / "r.trn", "a's b c d e f g h i j (u-1)\n")
    hyp = written(tmp_path / "h.trn", "k (u-1)\n")
    done = command(*command_line, ref, hyp, "--metric", "sclite", "--optional-words", "correct", "--json")
    assert (done.status, done.err) == (0, "")
    upper = written(tmp_path / "u.trn", "A'S B C D E F G H I J (u-1)\n")
    done = command("score", ref, upper, "--metric", "sclite", "--optional-words", "correct", "--json")
    assert "most substitutions are of case: 10, and 0 with --lowercase" in done.summary["remarks"]
