"""What `score` says the score would be by other rules: it is what that command line prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command import EXAMPLES, fstmetrics, written

CASED = (EXAMPLES / "profiles" / "ref.txt", EXAMPLES / "profiles" / "north.txt")
CHINESE = ["你好世界今天天气", "我们去公园吧好", "他是一个学生吗"] * 8


@pytest.fixture
def chinese(tmp_path: Path) -> tuple[Path, Path]:
    ref = written(tmp_path / "ref.txt", "".join(f"{line}\n" for line in CHINESE))
    hyp = written(tmp_path / "hyp.txt", "".join(f"{line[:-1]}些\n" for line in CHINESE))
    return ref, hyp


APOSTROPHES = ["don't you think it's fine", "she's here and they're not", "it isn't what we'd expect"] * 8


def hints(files: tuple[Path, Path]) -> list[str]:
    """The options that hints name; their numbers are those of the commands."""
    found = fstmetrics("score", *files)
    options = []
    for line in found.err.splitlines():
        hint = re.fullmatch(r"with (.+) it would be (\w+) ([\d.]+)( \(rules for English\))?", line)
        assert hint
        assert bool(hint[4]) == hint[1].startswith("--profile")
        summary = fstmetrics("score", *files, *hint[1].split(), "--json").summary
        assert (hint[2], hint[3]) == (summary["metric"], f"{summary['score']:.4f}")
        percent = fstmetrics("score", *files, "--percent").err
        assert f"{100 * summary['score']:.2f}" in percent
        options.append(hint[1])
    return options


def test_hints_are_what_the_commands_print(chinese: tuple[Path, Path], tmp_path: Path) -> None:
    assert hints(CASED) == ["--lowercase --remove-punctuation"]  # the profile takes no further quarter away
    assert hints(chinese) == ["--unit char-no-space"]
    spaced = written(tmp_path / "spaced.txt", "".join(f"{' '.join(line)}\n" for line in CHINESE))
    assert hints((spaced, chinese[1])) == ["--unit char-no-space"]
    ref = written(tmp_path / "straight.txt", "".join(f"{line}\n" for line in APOSTROPHES))
    hyp = written(tmp_path / "curly.txt", "".join(f"{line}\n".replace("'", "\u2019") for line in APOSTROPHES))
    # The profile knows contractions of one apostrophe only, and is hardly better.
    assert hints((ref, hyp)) == ["--remove-punctuation"]


@pytest.mark.parametrize(
    "options",
    [
        ("--json",),
        ("--csv",),
        ("--profile", "whisper-en"),
        ("--lowercase", "--remove-punctuation"),
    ],
)
def test_no_hint_where_nobody_reads_it_or_nothing_is_owed(options: tuple[str, ...]) -> None:
    assert fstmetrics("score", *CASED, *options).err == ""


@pytest.mark.parametrize("command", ["score", "hyter", "compare"])
def test_texts_without_spaces_on_both_sides_are_remarked_on(command: str, tmp_path: Path) -> None:
    """A character is wrong in each text, so that no word is right."""
    texts = [
        "我们今天讨论天气和海洋",
        "他们明天去学校看书",
        "พรุ่งนี้เราจะไปโรงเรียน",
        "猫",
        "キョウハトテモアツイ",
    ]
    sides = [
        written(tmp_path / "ref", "\n".join(texts)),
        written(tmp_path / "hyp", "\n".join(t[1:] for t in texts)),
    ]
    if command == "hyter":
        assert fstmetrics("network", "build", sides[0], "-o", tmp_path / "n").status == 0
        given = (command, tmp_path / "n", f"{sides[1]}", "--fields", "id=")
    elif command == "compare":
        given = (command, "--ref", sides[0], f"A={sides[1]}", f"B={sides[1]}", "--metric", "wer")
    else:
        given = (command, *sides)
    said = "no spaces part the words of most texts"
    for options, is_said in (
        ((), True),
        (("--unit", "char-no-space"), False),
        (("--tokenize", "char"), False),
    ):
        assert (said in fstmetrics(*given, *options).out) is is_said


def test_words_that_spaces_part_are_not_remarked_on(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref", "我们 今天 讨论 天气\nGPS 公司\na dog\n서울에 갔다\n")
    hyp = written(tmp_path / "hyp", "他们 今天 看 天气\nGPS 公\nthe cat\n서울 갔다\n")
    assert "no spaces part" not in fstmetrics("score", ref, hyp).out


def test_no_hint_where_words_differ(tmp_path: Path) -> None:
    ref, hyp = (written(tmp_path / name, f"{name} two three four\n" * 30) for name in ("one", "five"))
    assert fstmetrics("score", ref, hyp).err == ""
    text = CASED[1].read_bytes()
    assert fstmetrics("score", CASED[0], "-", stdin=text).err == ""  # which cannot be read again


SWEPT = (EXAMPLES / "oracle" / "ref.txt", EXAMPLES / "oracle" / "lattices")


def weighed(folder: Path) -> tuple[Path, Path]:
    """A reference, and a lattice whose 1-best it is under lm scales above 1."""
    lattice = "u1\n0 1 x 5,10,\n0 2 y 1,6,\n2 1 z 2,6,\n1\n\n"
    return written(folder / "ref", "u1 y z\n"), written(folder / "lat.txt", lattice)


def test_a_sweep_whose_best_is_at_the_edge(tmp_path: Path) -> None:
    said = "at the edge of the lm scales that were tried (0.4 to 1.4): try --lm-scale 1.4:2.4:0.5"
    assert said in fstmetrics("oracle", *weighed(tmp_path), "--lm-scale", ".4:1.4:.5").out
    said = "at the edge of the word penalties that were tried (10 to 30): try --word-penalty 30:50:10"
    assert said in fstmetrics("oracle", *SWEPT, "--word-penalty", "10:30:10").out
    assert "at the edge" not in fstmetrics("oracle", *SWEPT, "--word-penalty", "0:40:10").out
    # All rows are equal: the first is no better than those inside.
    assert "at the edge" not in fstmetrics("oracle", *SWEPT, "--lm-scale", "7:9").out


@pytest.mark.parametrize(
    ("option", "values"),
    [("--lm-scale", ".4:1.4:.5"), ("--word-penalty", "30:50:10"), ("--word-penalty", "10:30:10")],
)
def test_what_is_advised_at_an_edge_finds_what_is_no_worse(option: str, values: str, tmp_path: Path) -> None:
    files = weighed(tmp_path) if option == "--lm-scale" else SWEPT
    advice = re.search(r": try (\S+) (\S+)\n", fstmetrics("oracle", *files, option, values).out)
    assert advice
    assert advice[1] == option
    best = [
        min(row["score"] for row in fstmetrics("oracle", *files, option, v, "--json").summary["sweep"])
        for v in (values, advice[2])
    ]
    assert best[1] <= best[0]


def test_the_last_epoch_of_mira() -> None:
    folder = EXAMPLES / "tuning"
    call = ("tune", folder / "nbest.txt", "--ref", folder / "ref.txt", "--weights", folder / "start.weights")
    for epochs in (1, 2, 3, 5, 8):
        found = fstmetrics(*call, "--algorithm", "mira", "--epochs", epochs, "--json")
        (tuned,) = found.summary["tuned"]
        is_last = max(tuned["scores"]) not in tuned["scores"][:-1] and tuned["score"] == tuned["scores"][-1]
        assert (f"try --epochs {2 * epochs}" in found.err) == is_last
    assert "the best epoch is the last of 2" in fstmetrics(*call, "--algorithm", "mira", "--epochs", 2).err


@pytest.mark.parametrize("metric", ["bleu", "wer"])
@pytest.mark.parametrize("algorithm", ["mert", "mira", "pro"])
def test_weights_that_are_no_better_than_those_at_the_start(
    algorithm: str, metric: str, tmp_path: Path
) -> None:
    folder = EXAMPLES / "tuning"
    call = ("tune", folder / "nbest.txt", "--ref", folder / "ref.txt", "--metric", metric, "--json")
    best = tmp_path / "best.weights"
    assert fstmetrics(*call, "--weights", folder / "start.weights", "-o", best).status == 0
    for start in (folder / "start.weights", best):
        found = fstmetrics(*call, "--weights", start, "--algorithm", algorithm)
        (tuned,) = found.summary["tuned"]
        is_kept = algorithm != "mert" and tuned["score"] == tuned["start_score"]
        assert is_kept == (start is best and algorithm != "mert")
        assert (f"{metric}: the weights are those of START, as none of " in found.err) == is_kept
