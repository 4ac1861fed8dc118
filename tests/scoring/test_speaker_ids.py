"""Speakers told by ids, as sclite tells them."""

import subprocess
from pathlib import Path

import pytest
from other_programs import program

import fstmetrics as fm
from fstmetrics.scoring.speaker_fields import SPEAKER_RULES, speakers_of

IDS = ["ab-cd_ef-1", "ab_cd-ef-2", "ab-7", "a-b1", "x_y_z", "sw2001-a_0001", "en_4156_a_0", "lpp-001-002"]


@pytest.mark.parametrize("rule", SPEAKER_RULES)
def test_speakers_are_those_of_sclite(rule: str, tmp_path: Path) -> None:
    trn = tmp_path / "ref.trn"
    trn.write_text("".join(f"word ({id})\n" for id in IDS))
    command = [
        *program("sclite", "sctk"),
        "-r",
        trn,
        "trn",
        "-h",
        trn,
        "trn",
        "-i",
        rule,
        "-o",
        "sgml",
        "stdout",
    ]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    speaker, found = "", {}
    for line in lines:
        if line.startswith('<SPEAKER id="'):
            speaker = line.split('"')[1]
        if line.startswith('<PATH id="('):
            found[line.split('"')[1].strip("()")] = speaker
    assert dict(zip(IDS, speakers_of(IDS, rule), strict=True)) == found


@pytest.mark.parametrize(
    ("ids", "rule", "message"),
    [
        (["a-1", "u7"], None, "the id 'u7' tells no speaker"),
        (["a-1", "-7"], "spu_id", "the id '-7' tells no speaker"),
        (["abc"], "wsj", "wants more than 3 characters"),
        (["a-1", None], None, "item 1 .* has no id"),
        (["utt-1", "utt-2"], None, "all would be 'utt'"),
        (["1-utt", "2-utt"], None, "every item would have its own"),
        (["a-1"], "spk", "unknown rule of speakers|spk"),
    ],
)
def test_ids_that_tell_no_speaker_are_refused(ids: list[str | None], rule: str | None, message: str) -> None:
    with pytest.raises(fm.FstmetricsError, match=message):
        speakers_of(ids, rule)


def test_of_paths_the_names_of_the_files_tell_the_speaker() -> None:
    paths = ["/data-set/weather/weather001_001.wav", "/data-set/weather/weather002_001.wav"]
    assert speakers_of(paths, "spu_id") == ["weather001", "weather002"]
    with pytest.raises(fm.FstmetricsError, match="tells no speaker"):
        speakers_of(["/data-set/001.wav"], "spu_id")


def test_a_rule_that_is_asked_for_is_believed() -> None:
    assert speakers_of(["utt-1", "utt-2"], "spu_id") == ["utt", "utt"]
