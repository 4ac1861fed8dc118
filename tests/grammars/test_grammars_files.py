"""Grammars from files of others: NIST GLM and synonym lists."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import fstmetrics, written

import fstmetrics as fm
from fstmetrics.grammars.glm import CASE_COUNTS
from fstmetrics.grammars.library import load
from fstmetrics.support.errors import InputError

GLM = """;; a comment
* name "small.glm"
* desc 'Words that count as the same'
* format = 'NIST1'
* case_sensitive = 'F'
UH     =>  %HESITATION  / [ ] __ [ ] ;; a pause
UM     =>  %HESITATION  / [ ] __ [ ]
GONNA  =>  GOING TO
AIN'T  =>  [{ARE NOT / HAVE NOT}] / [ ] __ [ ]
[SHE'S] => [{SHE'S / SHE IS / SHE HAS}] / [ ] __ [ ]
ADVISER => ADVISOR / [ ] __
BINYAMIN => BENJAMIN / __ [ NETANYAHU]
FALKNER => FAULKNER / [WILLIAM ] __
ACH    =>   / [ ] __ [ ]
[X] => [{X/Y {Z / Q}}] / [ ] __A [ ]
" OK " => " OKAY " / [ ] __ [ ]
SOMETIME => SOME TIME
EHM =>
 (LEFT-PAREN  => LEFT PAREN
"""


def glm(tmp_path: Path, text: str = GLM) -> str:
    path = tmp_path / "small.glm"
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("uh well", "um well", 0),
        ("%hesitation well", "uh well", 0),
        ("gonna go", "going to go", 0),
        ("going to go", "gonna go", 0),
        ("they are not", "they ain't", 0),
        ("they ain't", "they have not", 0),
        ("they are not", "they have not", 1),
        ("she is", "she's", 0),
        ("the advisers", "the advisors", 0),
        ("misadviser", "misadvisor", 1),
        ("binyamin netanyahu", "benjamin netanyahu", 0),
        ("binyamin x", "benjamin x", 1),
        ("william falkner", "william faulkner", 0),
        ("w falkner", "w faulkner", 1),
        ("ach so", "so", 0),
        ("so", "ach so", 1),
        ("ok then", "okay then", 0),
        ("(left-paren x", "left paren x", 0),
        ("sometimes", "some times", 0),
        ("some times", "sometimes", 0),
        ("ehm so", "so", 0),
        ("xehmy so", "xy so", 0),
        ("xehmy so", "so", 1),
        ("look", "lokay", 1),
    ],
)
def test_a_glm_file_widens_references(tmp_path: Path, reference: str, hypothesis: str, expected: int) -> None:
    assert fm.align(hypothesis, reference, grammars=glm(tmp_path)).edits == expected


def test_what_a_glm_file_loses_is_noted(tmp_path: Path) -> None:
    grammar = load(glm(tmp_path))
    assert grammar.title == "Words that count as the same"
    assert [note.split(":")[0] for note in grammar.notes] == ["line 15"]
    assert "left out" in grammar.notes[0]


def test_case_matters_in_glm_files_unless_they_say_otherwise(tmp_path: Path) -> None:
    quiet = load(glm(tmp_path, "* case_sensitive = 'F'\nA => B / [ ] __ [ ]\n"))
    assert (quiet.notes, load(glm(tmp_path, "A => B / [ ] __ [ ]\n")).notes) == ((), (CASE_COUNTS,))
    path = glm(tmp_path, ";; exact\nA => B / [ ] __ [ ]\n")
    assert fm.align("B", "A", grammars=path).edits == 0
    assert fm.align("b", "a", grammars=path).edits == 1
    files = written(tmp_path / "r", "x b\n"), written(tmp_path / "h", "x a\n")
    for rules in (("--grammar", path, "--lowercase"), ("--profile", f"nist-glm:{path}")):
        for header in ("", "* case_sensitive = 'T'\n"):
            glm(tmp_path, f"{header}A => B / [ ] __ [ ]\n")
            ran = fstmetrics("score", *files, *rules)
            assert ran.status == 2
            assert (
                "no rule of a GLM file applies where case is folded, unless it says at its top: * case_sens"
                in ran.err
            )
        glm(tmp_path, "* case_sensitive = 'F'\nA => B / [ ] __ [ ]\n")
        assert fstmetrics("score", *files, *rules, "--json").summary["edits"] == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [("* name = 'x'\nA B\n", "small.glm:2: expected A => B"), ("* name = 'x'\n;; nothing\n", "no rule")],
)
def test_broken_glm_files(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load(glm(tmp_path, text))


@pytest.mark.parametrize(
    "line", ["* name" + " " * 30_000, "A => B /" + " " * 30_000, "A => B / [" + " " * 30_000 + "__ ["]
)
def test_spaces_in_a_glm_file_take_no_time(tmp_path: Path, line: str) -> None:
    """Ten seconds and more where time grows with the square."""
    assert len(load(glm(tmp_path, f"* case_sensitive = 'F'\nC => D\n{line}\n")).rules) in (1, 2)


@pytest.mark.parametrize(
    ("name", "least", "notes"),
    [
        ("en20090415.glm.gz", 1600, 2),
        ("kaldi-ami.english.glm.gz", 1700, 1),
        ("example.glm", 80, 3),
        ("test.arb2004.glm", 2, 1),
    ],
)
def test_real_glm_files(shared: Path, name: str, least: int, notes: int) -> None:
    path = shared / "refs-alternations" / name
    grammar = load(str(path))
    assert len(grammar.rules) >= least
    assert len(grammar.notes) == notes
    known = {" ".join(side) for rule in grammar.rules for side in rule.sides}
    for line in _decoded(path).splitlines():
        left, arrow, rest = line.split(";;")[0].partition("=>")
        if arrow and "/ [ ] __ [ ]" in rest and not line.startswith(";;"):
            assert " ".join(left.strip().strip("[]").split()) in known or line.strip() in "".join(
                grammar.notes
            )


def _decoded(path: Path) -> str:
    from fstmetrics.grammars.glm import decoded
    from fstmetrics.support.source import Source

    return decoded(Source.open(path)).text


def test_a_real_glm_file_makes_pauses_equal(shared: Path) -> None:
    path = str(shared / "refs-alternations" / "en20090415.glm.gz")
    assert fm.align("WELL UM YES", "WELL UH YES", grammars=path).edits == 0
    assert fm.align("THEY AIN'T HERE", "THEY ARE NOT HERE", grammars=path).edits == 0
    assert fm.align("WELL YES", "WELL NO", grammars=path).edits == 1


def test_glm_rules_do_what_rfilter1_does(shared: Path, tmp_path: Path) -> None:
    """What SCTK's rfilter1 (2.4.10) made of these words with NIST's own file; of choices, the first and the last."""
    grammar = str(shared / "refs-alternations" / "en20090415.glm.gz")
    for given, filtered in (
        ("awesometimely teenagers teenager", "aweSOME TIMEly TEEN AGErs TEEN AGEr"),
        ("supercatalogues sometime", "superCATALOGs SOME TIME"),
    ):
        assert fm.align(filtered.lower(), given, grammars=grammar).edits == 0


FSTALIGN = [("syn_1", 5, 21), ("syn_2", 0, 1), ("syn_3", 0, 2), ("syn_6", 2, 5)]


@pytest.mark.parametrize(("case", "errors", "words"), FSTALIGN)
def test_synonyms_as_fstalign_has_them(shared: Path, case: str, errors: int, words: int) -> None:
    """Its expected results; of syn_6 those without cut-off words, which are another feature."""
    folder = shared / "expected-fstalign"
    reference, hypothesis = ((folder / f"{case}.{side}.txt").read_text().split() for side in ("ref", "hyp"))
    result = fm.align(hypothesis, reference, grammars=str(folder / "synonyms.rules.txt"))
    assert (result.edits, result.path_length) == (errors, words)


def test_synonym_files_rewrite_from_left_to_right(tmp_path: Path) -> None:
    path = tmp_path / "synonyms.txt"
    path.write_text("# ours\ngoing to | gonna\nok | okay ; all right\n")
    grammar = str(path)
    assert fm.align("i'm gonna go", "i'm going to go", grammars=grammar).edits == 0
    assert fm.align("i'm going to go", "i'm gonna go", grammars=grammar).edits == 2
    assert fm.align("all right", "ok", grammars=grammar).edits == 0
    assert len(load(grammar).rules) == 2


def test_a_synonym_file_without_a_left_side(tmp_path: Path) -> None:
    path = tmp_path / "synonyms.txt"
    path.write_text("a | b\n | c\n")
    with pytest.raises(InputError, match=r"synonyms.txt:2: there is nothing left of"):
        load(str(path))
