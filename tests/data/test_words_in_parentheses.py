"""Words in parentheses: optional in references, words like others in hypotheses, as sclite without -D has it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from command import fstmetrics
from other_programs import program

import fstmetrics as fm

REFERENCES = ("the (uh) cat sat", "we met", "(oh) yes (yes)", "no")
HYPOTHESES = ("the (Music) cat sat (Music)", "(we) met", "yes (Laughter) yes", "(no)")


def _trn(folder: Path, name: str, lines: tuple[str, ...]) -> Path:
    path = folder / name
    path.write_text("".join(f"{line} (u-{number})\n" for number, line in enumerate(lines)))
    return path


def _counts(*arguments: object) -> tuple[int, int, int, int]:
    found = fstmetrics("score", *arguments, "--json").summary
    assert any("words in parentheses" in remark for remark in found["remarks"])
    return found["matches"], found["substitutions"], found["deletions"], found["insertions"]


def test_counts_are_those_of_sclite_without_d(tmp_path: Path) -> None:
    references, hypotheses = (
        _trn(tmp_path, name, lines) for name, lines in (("r", REFERENCES), ("h", HYPOTHESES))
    )
    command = [*program("sclite", "sctk"), "-r", references, "trn", "-h", hypotheses, "trn", "-i", "rm"]
    shown = subprocess.run(
        [*command, "-o", "rsum", "stdout"], capture_output=True, text=True, check=True
    ).stdout
    (total,) = re.findall(r"Sum .*\|(.*)\|$", shown, re.MULTILINE)
    matches, substitutions, deletions, insertions = map(int, total.split()[:4])
    found = _counts(references, hypotheses, "--metric", "sclite", "--optional-words", "word")
    assert found == (matches, substitutions, deletions, insertions)


def test_hypotheses_are_counted_in_every_format(tmp_path: Path) -> None:
    plain = _trn(tmp_path, "ref.trn", ("the cat", "a dog"))
    assert _counts(plain, _trn(tmp_path, "hyp.trn", ("the (Music) cat", "(Music) dog"))) == (3, 1, 0, 1)
    segments = tmp_path / "r.stm"
    segments.write_text("f 1 spk 0.0 3.0 the cat\n")
    timed, heard = tmp_path / "h.ctm", tmp_path / "h.stm"
    timed.write_text("f 1 0.0 0.5 the\nf 1 0.5 0.5 (Music)\nf 1 1.0 0.5 cat\n")
    heard.write_text("f 1 spk 0.0 3.0 the (Music) cat\n")
    assert _counts(segments, timed) == _counts(segments, heard) == (2, 0, 0, 1)
    speakers = fstmetrics("speakers", segments, heard)
    assert "0.5000      1    0    1" in speakers.out
    assert "words in parentheses" in speakers.out
    choices = _trn(tmp_path, "choices.trn", ("the { (Music) / uh } cat", "a dog"))
    assert _counts(plain, choices) == (4, 0, 0, 1)


def test_strings_and_values() -> None:
    transcript = fm.Transcript.parse("the (Music) cat", "sclite")
    for metric in ("wer", "sclite", "grr", "hyter"):
        found = fm.score([transcript], ["the cat"], metric=metric)
        assert (found.matches, found.insertions) == (2, 1), metric
        if metric != "sclite":  # which has no words that are free to be left out
            assert fm.score(["the cat"], [transcript], metric=metric).edits == 0
    written = fm.score(["the (Music) cat"], ["the cat"], metric="chrf")
    assert fm.score([transcript], ["the cat"], metric="chrf").score == written.score
    meeting = fm.cpwer({"B": [transcript]}, {"A": ["the cat"]})
    assert (meeting.edits, meeting.insertions) == (1, 1)


def test_d_asks_for_hypotheses_without_them(tmp_path: Path) -> None:
    refused = fstmetrics(
        "score", _trn(tmp_path, "r", REFERENCES), _trn(tmp_path, "h", HYPOTHESES), "--metric", "sclite",
        "--optional-words", "correct",
    )  # fmt: skip
    assert refused.status == 2
    assert "in parentheses" in refused.err
