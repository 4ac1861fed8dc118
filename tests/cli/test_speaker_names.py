"""Names of speakers before the texts of one side: what is certain is refused, and the advice, followed, is right."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from command import fstmetrics, written

NUMBER = 30
WORDS = ["the", "cat", "sat", "on", "a", "mat", "dog", "ran", "here", "we", "go", "now", "and", "then", "for"]
TEXTS = [" ".join(WORDS[(7 * n + k) % len(WORDS)] for k in range(5 + n % 4)) for n in range(NUMBER)]
HEARD = [text.replace("mat", "map") for text in TEXTS]
EDITS = " ".join(TEXTS).split().count("mat")
WHO = [("John Smith", "Mar\u00eda L. O'Hara")[n % 3 == 0] for n in range(NUMBER)]

Written = Callable[[Path, Sequence[str]], Path]


def clock(n: int) -> str:
    return f"00:{4 * n // 60:02d}:{4 * n % 60:02d}.000"


def placed(path: Path, content: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    return written(path, content)


def in_lines(path: Path, texts: Sequence[str]) -> Path:
    return written(path.with_suffix(".txt"), "".join(f"{text}\n" for text in texts))


def in_kaldi(path: Path, texts: Sequence[str]) -> Path:
    return written(path, "".join(f"u{n:02d} {text}\n" for n, text in enumerate(texts)))


def in_vtt(path: Path, texts: Sequence[str]) -> Path:
    cues = [f"{clock(n)} --> {clock(n + 1)}\n{text}\n\n" for n, text in enumerate(texts)]
    return placed(path / "f.vtt", "WEBVTT\n\n" + "".join(cues))


def in_srt(path: Path, texts: Sequence[str]) -> Path:
    cues = [f"{n + 1}\n{clock(n)} --> {clock(n + 1)}\n{text}\n\n" for n, text in enumerate(texts)]
    return placed(path / "f.srt", "".join(cues).replace(".000", ",000"))


def in_stm(path: Path, texts: Sequence[str]) -> Path:
    lines = [f"f 1 s {4 * n}.0 {4 * n + 4}.0 {text}\n" for n, text in enumerate(texts)]
    return written(path.with_suffix(".stm"), "".join(lines))


def in_whisper(path: Path, texts: Sequence[str]) -> Path:
    segments = [{"start": 4.0 * n, "end": 4.0 * n + 4, "text": f" {text}"} for n, text in enumerate(texts)]
    return placed(path / "f.json", json.dumps({"segments": segments}))


def in_jsonl(path: Path, texts: Sequence[str]) -> Path:
    rows = [json.dumps({"id": f"u{n}", "text": text}) + "\n" for n, text in enumerate(texts)]
    return written(path.with_suffix(".jsonl"), "".join(rows))


# The references beside each, and what is asked for.
BESIDE: dict[Written, tuple[Written, Sequence[str]]] = {
    in_lines: (in_lines, ()),
    in_kaldi: (in_kaldi, ()),
    in_vtt: (in_stm, ()),
    in_srt: (in_lines, ("--resegment",)),
    in_stm: (in_stm, ()),
    in_whisper: (in_stm, ()),
    in_jsonl: (in_jsonl, ()),
}
BEFORE = ["{name}: {text}", "**{name}:** {text}", "**{name}**: {text}", "[{name}]: {text}", "{name} : {text}"]
ALONE = [
    "{name}:\n{text}", "{name}:\n{text}\n", "**{name}**:\n{text}", "{name}  0:{n:02d}\n{text}\n",
    "{name} (00:{n:02d}):\n{text}\n", "{name} 00:00:{n:02d}\n{text}", "**{name}** [00:{n:02d}]\n{text}\n",
]  # fmt: skip


def named(form: str, texts: Sequence[str] = HEARD, who: Sequence[str] = WHO) -> list[str]:
    return [
        form.format(name=name, text=text, n=n) for n, (name, text) in enumerate(zip(who, texts, strict=True))
    ]


def asked(ref: Path, hyp: Path, *options: str) -> int:
    """The edits."""
    edits: int = fstmetrics("score", ref, hyp, *options, "--json").summary["edits"]
    return edits


def followed(command: str, given: Path) -> str:
    """What the command of a message writes."""
    made = subprocess.run(
        ["sh", "-c", command.replace(" FILE", f" {given}")], capture_output=True, check=True
    )
    return made.stdout.decode()


@pytest.mark.parametrize("form", BEFORE)
@pytest.mark.parametrize("holding", BESIDE)
def test_names_before_texts_of_one_side_are_refused(holding: Written, form: str, tmp_path: Path) -> None:
    of_reference, options = BESIDE[holding]
    if holding is in_kaldi and form == "{name} : {text}":
        return
    ref, hyp = of_reference(tmp_path / "ref", TEXTS), holding(tmp_path / "hyp", named(form))
    outcome = fstmetrics("score", ref, hyp, *options)
    assert outcome.status == 2
    assert f"{hyp}: has names of speakers (" in outcome.err
    assert f" before texts, and {ref} has none: " in outcome.err
    said = outcome.err.partition("has none: ")[2].partition("; if they are words, ")[0]
    if " as of a line: " in said:
        lines = in_lines(tmp_path / "lines", named(form))
        texts = followed(f"{said.partition(' as of a line: ')[2]} FILE", lines).splitlines()
        assert texts == HEARD
        made = holding(tmp_path / "made", texts)
    else:
        made = placed(tmp_path / "made" / hyp.name, followed(said.removesuffix(" takes them out"), hyp))
    assert asked(ref, made, *options) == EDITS
    told = "kaldi-text" if holding is in_kaldi else "whisper" if holding is in_whisper else hyp.suffix[1:]
    told = fstmetrics("score", ref, hyp, *options, "--format", told.replace("txt", "plain")).out
    assert "has names of speakers (" in told


@pytest.mark.parametrize("form", ALONE)
def test_lines_of_names_are_refused(form: str, tmp_path: Path) -> None:
    ref, hyp = in_lines(tmp_path / "ref", TEXTS), in_lines(tmp_path / "hyp", named(form))
    outcome = fstmetrics("score", ref, hyp, "--resegment")
    assert outcome.status == 2
    command = outcome.err.partition("has none: ")[2].partition(" takes them out")[0]
    made = written(tmp_path / "made.txt", followed(command, hyp))
    assert asked(ref, made, "--resegment") == EDITS


@pytest.mark.parametrize("options", [("--lowercase", "--remove-punctuation"), ("--profile", "whisper-en")])
def test_names_without_their_colons_are_words_nevertheless(options: Sequence[str], tmp_path: Path) -> None:
    ref, hyp = in_lines(tmp_path / "ref", TEXTS), in_lines(tmp_path / "hyp", named("{name}: {text}"))
    assert "has names of speakers" in fstmetrics("score", ref, hyp, *options).err
    enclosed = in_lines(tmp_path / "enclosed", named("[{name}] {text}"))
    assert "has names of speakers" in fstmetrics("score", ref, enclosed).out
    if "whisper-en" in options:  # which takes brackets out
        assert "names of speakers" not in fstmetrics("score", ref, enclosed, *options).out


@pytest.mark.parametrize(
    "texts",
    [
        named("[{name}] {text}"),
        named("({name}) {text}"),
        [*named("{name}: {text}")[:12], *HEARD[12:]],  # before some texts
        named("{name}: {text}", who=[f"Guest {chr(65 + n // 2)}" for n in range(NUMBER)]),  # of many
        named("{name}: {text}", who=[*["John Smith"] * (NUMBER - 1), "yes"]),
    ],
    ids=["brackets", "parentheses", "some texts", "many names", "one name"],
)
@pytest.mark.parametrize("holding", [in_lines, in_vtt])
def test_likely_names_are_remarked_on(texts: Sequence[str], holding: Written, tmp_path: Path) -> None:
    of_reference, options = BESIDE[holding]
    ref, hyp = of_reference(tmp_path / "ref", TEXTS), holding(tmp_path / "hyp", texts)
    outcome = fstmetrics("score", ref, hyp, *options)
    assert outcome.status == 0
    assert f"{hyp} has names of speakers (" in outcome.out
    command = outcome.out.partition("has none: ")[2].partition(" takes them out")[0]
    made = placed(tmp_path / "made" / hyp.name, followed(command, hyp))
    assert asked(ref, made, *options) == EDITS + ("yes: " in texts[-1])


def test_one_name_before_all_texts_is_remarked_on_once(tmp_path: Path) -> None:
    for holding in (in_lines, in_vtt):
        of_reference, options = BESIDE[holding]
        ref = of_reference(tmp_path / "ref", TEXTS)
        hyp = holding(tmp_path / "hyp", named("{name}: {text}", who=["John Smith"] * NUMBER))
        said = fstmetrics("score", ref, hyp, *options)
        assert said.status == 0
        of_insertions = said.out.count("--ignore-hyp 'John Smith:'")
        assert said.out.count("John Smith:") - of_insertions == 1 + (holding is in_vtt)  # and in the command


VERSES = [f"Genesis {1 + n // 31}:{1 + n % 31} {text}" for n, text in enumerate(TEXTS)]


@pytest.mark.parametrize(
    ("references", "hypotheses"),
    [
        (named("{name}: {text}", TEXTS), named("{name}: {text}")),
        (
            named("{name}: {text}", TEXTS, ["Jon Smit", "Mary O'Hara"] * 15),
            named("{name}: {text}"),
        ),  # translated
        (named("{name} \u2013 {text}", TEXTS), named("{name}: {text}")),
        (named("{name} {text}", TEXTS), named("{name}: {text}")),  # words of both
        (named("{name}, {text}", TEXTS), named("{name}\uff1a{text}")),
        (TEXTS, VERSES),
        (TEXTS, [f"{text.partition(' ')[0]} {n}: {text}" for n, text in enumerate(TEXTS)]),  # titles
        (TEXTS, [f"{text}: it is 10:{n}" for n, text in enumerate(TEXTS)]),
        (TEXTS, ["note: yes", *TEXTS[1:]]),
        (TEXTS, ["note: yes", "note: no", *TEXTS[2:]]),
        (TEXTS, [f"[noise] {text}" for text in TEXTS[:20]] + TEXTS[20:]),
        (["wake me up at ten"] * NUMBER, [f"Wake me up at 10:{n:02d}" for n in range(NUMBER)]),
    ],
)
def test_colons_of_words_are_not_remarked_on(
    references: Sequence[str], hypotheses: Sequence[str], tmp_path: Path
) -> None:
    ref, hyp = in_jsonl(tmp_path / "ref", references), in_jsonl(tmp_path / "hyp", hypotheses)
    for sides in ((ref, hyp), (hyp, ref)):
        outcome = fstmetrics("score", *sides)
        assert outcome.status == 0, outcome.err
        assert "names of speakers" not in outcome.out


def test_names_of_references_and_of_one_of_two_systems_are_refused(tmp_path: Path) -> None:
    plain, other = in_lines(tmp_path / "plain", TEXTS), in_lines(tmp_path / "other", HEARD)
    names = in_lines(tmp_path / "names", named("{name}: {text}"))
    for arguments in (
        ("score", names, plain),
        ("compare", "--ref", plain, other, names, "--metric", "wer"),
        ("errors", plain, names),
    ):
        outcome = fstmetrics(*arguments)
        assert outcome.status == 2
        assert "has names of speakers (" in outcome.err


def test_names_with_an_underscore_and_a_number_need_no_colon(tmp_path: Path) -> None:
    ref = in_lines(tmp_path / "ref", TEXTS)
    hyp = in_lines(tmp_path / "hyp", [f"SPEAKER_0{n % 2} {text}" for n, text in enumerate(HEARD)])
    outcome = fstmetrics("score", ref, hyp, "--resegment")
    assert outcome.status == 2
    assert "has names of speakers before lines" in outcome.err
    command = outcome.err.partition("make words of them, ")[2].partition("; if they are words")[0]
    assert followed(f"{command} FILE", hyp) == "".join(f"{text}\n" for text in HEARD)
