"""Words at an end of every text of one side alone, and the remark on them."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import pytest
from command import fstmetrics, written

REFERENCES = ("hello there world", "good day sir", "see you")
SCORES = ("0.91 {}", "-12.5 {}", ".7e3 {}")


def remarks(folder: Path, hypotheses: list[str], references: list[str], *options: str) -> list[str]:
    paths = [
        written(folder / name, "".join(f"{text}\n" for text in texts))
        for name, texts in (("ref", references), ("hyp", hypotheses))
    ]
    outcome = fstmetrics("score", *map(str, paths), *options)
    assert outcome.status == 0, outcome.err
    return [line for line in outcome.out.split("\n") if line.startswith("every text of ")]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("{} <eos>", "ends with <eos>"),
        ("{} [SEP] [PAD]", "ends with '[SEP] [PAD]'"),
        ("en {}", "begins with en"),
        ("spk0 {}", "begins with spk0"),
        ("{}", ""),
    ],
)
def test_a_word_of_one_side_alone(change: str, said: str, tmp_path: Path) -> None:
    texts = [change.format(text) for text in REFERENCES]
    plain = ("--format", "plain", "--ref-format", "plain")
    found = remarks(tmp_path, texts, list(REFERENCES), *plain)
    assert [line.split(", ")[0] for line in found] == [f"every text of {tmp_path}/hyp {said}"] * bool(said)
    for line in found:  # the advice leads to the right number
        words = said.split(" ", 2)[2].strip("'")
        is_one = " " not in words
        assert line.endswith("leaves it out" if is_one else "if these are no words, take them out")
        assert f"--ignore {quote(words)} leaves it out" in line or not is_one
        assert not remarks(tmp_path, texts, list(REFERENCES), *plain, "--ignore", words)


def test_numbers_behind_ids(tmp_path: Path) -> None:
    texts = [
        f"u{n} {change.format(text)}" for n, (change, text) in enumerate(zip(SCORES, REFERENCES, strict=True))
    ]
    references = [f"u{n} {text}" for n, text in enumerate(REFERENCES)]
    (line,) = remarks(tmp_path, texts, references)
    assert line.startswith(
        f"every text of {tmp_path}/hyp begins with a number, and none of {tmp_path}/ref does"
    )


@pytest.mark.parametrize(
    ("hypotheses", "references"),
    [
        # Both have it; it is elsewhere in another; one text lacks it; two texts tell nothing; both have numbers.
        (["so a", "so b", "so c"], ["so d", "so e", "so c"]),
        (["so a", "so b", "so c"], ["d", "e so", "c"]),
        (["so a", "so b", "c"], ["a", "b", "c"]),
        (["so a", "so b"], ["a", "b"]),
        (["hay a", "hay b", "hay c"], ["hey a", "hey b", "hey c"]),
        (["1 a", "2 b", "3 c"], ["7 a", "b", "c"]),
    ],
)
def test_no_remark(hypotheses: list[str], references: list[str], tmp_path: Path) -> None:
    assert not remarks(tmp_path, hypotheses, references, "--format", "plain", "--ref-format", "plain")


def test_of_several_systems(tmp_path: Path) -> None:
    texts = {"ref": "{}", "a": "{} <eos>", "b": "{}"}
    for name, change in texts.items():
        written(tmp_path / name, "".join(f"{change.format(text)}\n" for text in REFERENCES))
    outcome = fstmetrics(
        "compare", "--ref", f"{tmp_path}/ref", f"{tmp_path}/a", f"{tmp_path}/b", "--samples", "10"
    )
    assert (
        f"every text of {tmp_path}/a ends with <eos>, which no text of {tmp_path}/b, {tmp_path}/ref has"
        in outcome.out
    )
