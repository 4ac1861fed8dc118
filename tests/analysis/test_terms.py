"""Terms and tagged spans against a count by eye and a slow one."""

from __future__ import annotations

import json
import random
from itertools import product
from pathlib import Path

import pytest
from command import fstmetrics

import fstmetrics as fm
from fstmetrics.analysis.record_table import Vocabulary
from fstmetrics.analysis.result_table import table_of_results as table_of
from fstmetrics.analysis.terms import Span, TermRow, span_counts, term_counts
from fstmetrics.engine.results import CorpusResult
from fstmetrics.io.formats.nlp import read_tagged
from fstmetrics.support.errors import FstmetricsError, InputError

HEAD = "token|speaker|ts|endTs|punctuation|case|tags\n"


def slow(corpus: CorpusResult, term: tuple[str, ...]) -> TermRow:
    """One operation at a time."""
    reference = hypothesis = correct = edits = 0
    n = len(term)
    for item in corpus:
        for side in ("reference", "hypothesis"):
            at = [
                i
                for i, pair in enumerate(item.alignment)
                if getattr(pair, side) is not None and pair.op != "*"
            ]
            words = [getattr(item.alignment[i], side) for i in at]
            place = 0
            while place + n <= len(words):
                if tuple(words[place : place + n]) != term:
                    place += 1
                    continue
                pairs = item.alignment[at[place] : at[place + n - 1] + 1]
                if side == "hypothesis":
                    hypothesis += 1
                else:
                    reference += 1
                    edits += sum(pair.op in "SID" for pair in pairs)
                    correct += all(pair.op == "=" for pair in pairs)
                place += n
    return TermRow(" ".join(term), reference, correct, hypothesis, n * reference, edits)


def test_terms_are_counted_as_one_operation_at_a_time_would() -> None:
    rng = random.Random(1)
    texts = [[" ".join(rng.choices("abc", k=rng.randint(0, 9))) for _ in range(300)] for _ in range(2)]
    corpus = fm.score(*texts)
    terms = [(a,) for a in "abcd"] + [(a, b) for a in "abc" for b in "abc"] + [("a", "b", "a")]
    found = fm.terms(corpus, terms)
    assert list(found.rows) == [slow(corpus, term) for term in terms]
    assert found.total.reference == sum(row.reference for row in found.rows)
    assert found.total.edits == sum(row.edits for row in found.rows)
    assert (found.rows[3].recall, found.rows[3].precision, found.rows[3].f1, found.rows[3].score) == (
        None,
    ) * 4


def test_terms_that_overlap_and_share_beginnings_are_counted_in_parts_as_in_one() -> None:
    rng = random.Random(2)
    texts = [[" ".join(rng.choices("ab", k=rng.randint(0, 12))) for _ in range(60)] for _ in range(2)]
    corpus = fm.score(*texts)
    terms = [words for n in range(1, 6) for words in product("abc", repeat=n) if rng.random() < 0.7]
    rng.shuffle(terms)
    assert list(fm.terms(corpus, terms).rows) == [slow(corpus, term) for term in terms]
    vocabulary = Vocabulary()
    bounds = ((0, 1), (1, 25), (25, 60))
    parts = [table_of(fm.score(*(side[a:b] for side in texts)), vocabulary) for a, b in bounds]
    assert term_counts(parts, terms)[:2] == (fm.terms(corpus, terms), 60)
    assert fm.terms(corpus, []).rows == ()


def test_terms_do_not_go_from_one_item_to_the_next_or_over_wildcards() -> None:
    corpus = fm.score(["new", "york new"], ["new", "york new"])
    assert fm.terms(corpus, ["new york"]).rows[0].reference == 0
    wild = fm.Transcript.parse("we saw <*> york", "wildcards")
    row = fm.terms(fm.align("we saw new york", wild) + fm.align("a", "a"), ["new york", "saw york"]).rows
    assert [(each.reference, each.correct, each.hypothesis) for each in row] == [(0, 0, 0), (1, 0, 1)]


def test_spans_are_counted_by_label() -> None:
    table = table_of(fm.score(["it cost ten big dollars now", "a"], ["it costs ten dollars now", "a"]))
    rows = span_counts(
        table, [Span(0, 2, 4, "MONEY"), Span(0, 0, 1, "X"), Span(1, 0, 1, "X"), Span(0, 1, 2, "Y")]
    ).rows
    assert [(row.term, row.reference, row.correct, row.words, row.edits, row.hypothesis) for row in rows] == [
        ("MONEY", 1, 0, 2, 1, None),
        ("X", 2, 2, 2, 0, None),
        ("Y", 1, 0, 1, 1, None),
    ]
    with pytest.raises(FstmetricsError, match="not within the 1 words"):
        span_counts(table, [Span(1, 0, 2, "X")])


@pytest.mark.parametrize(
    ("hypothesis", "reference", "term", "normalisation", "metric"),
    [
        ("a B c", "A b d", "A  B", fm.Normalisation(lowercase=True), "wer"),
        ("a b, c", "a b c", "b,", fm.Normalisation(remove_punctuation=True), "wer"),
        ("a b c", "a b d", "a b", fm.Normalisation(), "cer"),
        ("a b c", "a b d", ["a", "b"], fm.Normalisation(unit="char"), "wer"),
        ("A b c", "a b d", "a B", fm.Normalisation(unit="char-no-space", lowercase=True), "wer"),
    ],
)
def test_terms_are_normalised_as_the_words_of_results(
    hypothesis: str, reference: str, term: str | list[str], normalisation: fm.Normalisation, metric: str
) -> None:
    corpus = fm.score([hypothesis], [reference], metric, normalisation=normalisation)
    (row,) = fm.terms(corpus, [term]).rows
    assert (row.reference, row.correct, row.hypothesis, row.edits) == (1, 1, 1, 0)


def test_a_call_warns_of_terms_that_differ_in_marks_alone() -> None:
    texts = ["In New York.", "new york", "New York"]
    corpus = fm.score(texts, texts)
    with pytest.warns(UserWarning, match=r"2 in references and 2 .*lowercase=True, remove_punctuation=True"):
        found = fm.terms(corpus, ["New York", "New york"])
    assert found.unlike is not None
    assert (found.unlike.reference, found.unlike.hypothesis) == (2, 2)
    assert [row.reference for row in found.rows] == [1, 0]


def test_terms_need_results_with_paths() -> None:
    for metric in ("bleu", "mean-wer"):
        with pytest.raises(FstmetricsError, match="terms are counted in the best paths of results"):
            fm.terms(fm.score(["a b"], ["a b"], metric), ["a"])  # type: ignore[arg-type]
    with pytest.raises(FstmetricsError, match="no word is left of the term '!'"):
        fm.terms(fm.score(["a"], ["a"], normalisation=fm.Normalisation(remove_punctuation=True)), ["!"])
    with pytest.raises(FstmetricsError, match="'a' is there twice"):
        fm.terms(fm.score(["a"], ["a"], normalisation=fm.Normalisation(lowercase=True)), ["a", "A"])


def test_terms_that_say_nothing_are_refused() -> None:
    corpus = fm.score(["a"], ["a"])
    with pytest.raises(FstmetricsError, match="'a b' is there twice"):
        fm.terms(corpus, ["a b", ["a", "b"]])
    with pytest.raises(FstmetricsError, match=r"term 1 .* has no word"):
        term_counts([table_of(corpus)], ["a", " "])
    counts = fm.score(["a"], ["b"], options=fm.SearchOptions(alignment=False))
    with pytest.raises(FstmetricsError, match="no alignment"):
        fm.terms(counts, ["a"])


@pytest.fixture
def records(tmp_path: Path) -> str:
    (tmp_path / "ref.trn").write_text("It costs $10 billions now (u1)\nthe second (u2)\n")
    (tmp_path / "hyp.trn").write_text("it costs $10 billion now (u1)\nthe second (u2)\n")
    path = str(tmp_path / "records.jsonl")
    out = fstmetrics(
        "score",
        str(tmp_path / "ref.trn"),
        str(tmp_path / "hyp.trn"),
        "--lowercase",
        "--alignment",
        "--output",
        path,
    )
    assert out.status == 0
    return path


def test_the_command_shows_terms(records: str, tmp_path: Path) -> None:
    terms = tmp_path / "terms.txt"
    terms.write_text("# money\n$10  billions\nsecond\n\nnowhere\n")
    shown = fstmetrics("errors", records, "--terms", str(terms)).out.splitlines()
    assert shown[0].startswith("term          in ref  correct  recall  in hyp  precision")
    assert shown[1].split() == ["$10", "billions", "1", "0", "0.0%", "0", "0.0%", "2", "1", "50.0%"]
    assert "1 of 3 terms on neither side" in "\n".join(shown)
    found = json.loads(fstmetrics("errors", records, "--terms", str(terms), "--json").out)
    assert found["all"]["recall"] == 0.5
    assert [row["term"] for row in found["terms"]] == ["$10 billions", "second", "nowhere"]
    terms.write_text("a\nb\na\n")
    assert (
        "terms.txt:3: the term 'a' is already in line 1"
        in fstmetrics("errors", records, "--terms", str(terms)).err
    )
    terms.write_text("\n")
    assert "there is no term" in fstmetrics("errors", records, "--terms", str(terms)).err
    assert fstmetrics("errors", records, "--terms", str(terms), "--op", "S").status == 2


def test_the_command_shows_tagged_spans(records: str, tmp_path: Path) -> None:
    folder = tmp_path / "nlp"
    folder.mkdir()
    (folder / "u1.ref.nlp").write_text(
        HEAD
        + "It|1||||UC|[]\ncosts|1||||LC|[]\n$10|1||||LC|['0:MONEY']\nbillions|1||||LC|['0:MONEY']\nnow|1|||.|LC|[]\n"
    )
    missing = fstmetrics("errors", records, "--spans", str(folder))
    assert "item u2: there is neither u2.ref.nlp nor u2.nlp" in missing.err
    (folder / "u2.nlp").write_text(HEAD + "the|1||||LC|[]\nsecond|1||||LC|['1:ORDINAL', '2:X']\n")
    found = json.loads(fstmetrics("errors", records, "--spans", str(folder), "--json").out)
    assert [(row["term"], row["reference"], row["score"]) for row in found["terms"]] == [
        ("MONEY", 1, 0.5),
        ("ORDINAL", 1, 0.0),
        ("X", 1, 0.0),
    ]
    assert "label" in fstmetrics("errors", records, "--spans", str(folder)).out.splitlines()[0]
    (folder / "u2.nlp").write_text(HEAD + "the|1||||LC|[]\nthird|1||||LC|[]\n")
    assert "item u2: word 2 is 'third'" in fstmetrics("errors", records, "--spans", str(folder)).err
    (folder / "u2.nlp").write_text(HEAD + "the|1||||LC|[]\n")
    assert "expected the 1 words of the file" in fstmetrics("errors", records, "--spans", str(folder)).err
    assert "2; give the folder" in fstmetrics("errors", records, "--spans", str(folder / "u1.ref.nlp")).err


def test_spans_of_fstalign(shared: Path) -> None:
    folder = shared / "expected-fstalign"
    assert read_tagged(folder / "syn_7.ref.nlp").spans == (("MONEY", 2, 4), ("ORDINAL", 15, 16))
    assert [label for label, *_ in read_tagged(folder / "align_2.ref.nlp").spans] == ["NAME"]


def test_a_tag_needs_a_label(tmp_path: Path) -> None:
    path = tmp_path / "x.nlp"
    path.write_text(HEAD + "a|1||||LC|MONEY\n")
    with pytest.raises(InputError, match="expected tags"):
        read_tagged(path)
