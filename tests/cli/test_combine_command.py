"""`fstmetrics combine`: what it writes, in which format, and what it refuses."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from command import EXAMPLES, fstmetrics, written
from error_cases import error_cases, label

import fstmetrics as fm

CASES = error_cases("combine")
SYSTEMS = [EXAMPLES / "systems" / f"{name}.ctm" for name in ("first", "second", "third")]


def _files(folder: Path, **texts: str) -> list[Path]:
    paths = [folder / name.replace("_", ".") for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_text(text)
    return paths


@pytest.mark.parametrize("case", CASES["case"], ids=label)
def test_what_is_wrong_is_one_line(
    case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in CASES["files"].items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    before = sorted(tmp_path.rglob("*"))
    found = fstmetrics("combine", *case["command"].split())
    assert (found.status, found.out) == (2, "")
    assert case["message"] in found.err
    assert found.err.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before
    assert all((tmp_path / name).read_text() == text for name, text in CASES["files"].items())


def test_case_and_punctuation_of_some_systems_are_remarked_on(tmp_path: Path) -> None:
    """They are words of their own, so that the first system wins; as `score` says it."""
    marked, bare, alike = _files(
        tmp_path,
        marked="".join(f"u{n} Hello, World.\n" for n in range(6)),
        bare="".join(f"u{n} hello world\n" for n in range(6)),
        alike="".join(f"u{n} Hello, Word.\n" for n in range(6)),
    )
    found = fstmetrics("combine", marked, bare, alike)
    options = ("--lowercase", "--remove-punctuation")
    said = (
        f"{bare} beside {marked}: most errors are of case and punctuation: 12, and 0 with {' '.join(options)}"
    )
    assert (found.out.splitlines()[0], said in found.err) == ("u0 Hello, World.", True), found
    followed = fstmetrics("combine", marked, bare, alike, *options)
    assert (followed.out.splitlines()[0], "errors are of" in followed.err) == ("u0 hello world", False), (
        followed
    )
    assert "most errors are of" not in fstmetrics("combine", marked, alike).err


def test_errors_are_fewer_than_of_each_system(tmp_path: Path) -> None:
    reference = EXAMPLES / "systems" / "ref.txt"
    fstmetrics("combine", *SYSTEMS, "--to", "kaldi-text", "-o", tmp_path / "text")
    edits = [
        fstmetrics("score", reference, each, "--json").summary["edits"]
        for each in (tmp_path / "text", *SYSTEMS)
    ]
    assert edits[0] < min(edits[1:])


@pytest.mark.parametrize(
    ("text", "name", "wanted"),
    [
        ("u1 a b\n", "text", "u1 a b\n"),
        ("a b (u1)\n", "x.trn", "a b (u1)\n"),
        ("a b\n", "x.txt", "a b\n"),
        ("u1 1 0.0 0.5 a\nu1 1 0.5 0.5 b\n", "x.ctm", "u1 1 0.00 0.50 a\nu1 1 0.50 0.50 b\n"),
        ("u1 A 0.0 0.5 a\nu1 B 0.5 0.5 b\n", "x.ctm", "u1 A 0.00 0.50 a\nu1 B 0.50 0.50 b\n"),
        (';; a comment\nu1 1 0 1 a;tag 0.5\nu1 1 1 1 \\{ 0.25\nu1 1 2 1 @ 0.5\n', "x.ctm",
         "u1 1 0.00 1.00 a 0.500000\nu1 1 1.00 1.00 \\{ 0.250000\n"),
        ("{} x/y ; @ (z)\n", "x.txt", "{} x/y ; @ (z)\n"),
        ("Ünï 你 好\r\n\r\n", "x.txt", "Ünï 你 好\n\n"),
    ],
)  # fmt: skip
def test_systems_that_agree_come_back_in_their_format(
    text: str, name: str, wanted: str, tmp_path: Path
) -> None:
    paths = []
    for system in "abc":
        (tmp_path / system).mkdir()
        paths.append(tmp_path / system / name)
        paths[-1].write_bytes(text.encode())
    found = fstmetrics("combine", *paths)
    assert (found.status, found.out) == (0, wanted)


@pytest.mark.parametrize("method", ["freq", "oracle"])
@pytest.mark.parametrize(
    "word",
    ["(uh)", "b/c", "(a/b)", "/", "@x", "<x>", "a*", "{a", "a}", "{", "@", "a;b", ";", "a\\b", "\\", "<*>"],
)
def test_words_of_ctm_are_written_as_they_are_and_read_back_the_same(
    word: str, method: str, tmp_path: Path
) -> None:
    escaped = "".join(f"\\{c}" if c in "{}/;\\@<" else c for c in word)
    as_it_is = word in ("(uh)", "b/c", "(a/b)", "/", "@x", "<x>", "a*", ";", "\\")
    for name, other in (("one.ctm", "a"), ("two.ctm", "b")):
        (tmp_path / name).write_text(f"u1 1 0.0 0.5 {escaped}\nu1 1 0.5 0.5 {other}\n")
    systems = [tmp_path / "one.ctm", tmp_path / "two.ctm"]
    path = tmp_path / "out.ctm"
    assert fstmetrics("combine", *systems, "--method", method, "-o", path).status == 0
    (line,) = [line.split() for line in path.read_text().splitlines() if line.startswith("u1 1 0.00")]
    assert (line[4] == word) == as_it_is
    if word != "<*>":  # in a text for references it is no word
        (tmp_path / "text").write_text(f"u1 {word} a\n")
        summary = fstmetrics("score", tmp_path / "text", path, "--ref-format", "kaldi-text", "--json").summary
        assert summary["edits"] == 0
    if method == "freq":
        assert fstmetrics("combine", path, path, "--to", "kaldi-text").out == f"u1 {word} a\n"


def test_the_ending_or_an_option_says_the_format(tmp_path: Path) -> None:
    paths = _files(tmp_path, a_txt="u1 a b\nu2 d\n", b_txt="u1 a c\nu2 d\n")
    fstmetrics("combine", *paths, "-o", tmp_path / "out.trn.gz")
    assert gzip.decompress((tmp_path / "out.trn.gz").read_bytes()) == b"a b (u1)\nd (u2)\n"
    assert fstmetrics("combine", *paths, "--to", "plain").out == "a b\nd\n"
    assert fstmetrics("combine", *SYSTEMS, "--to", "trn").out.startswith("turn on the light")
    for name in ("out", "out.txt", "out.hyp", "sys.1", "table.csv.txt"):
        fstmetrics("combine", *paths, "-o", tmp_path / name)
        assert (tmp_path / name).read_text() == "u1 a b\nu2 d\n"
    fstmetrics("combine", *paths, "-o", tmp_path / "OUT.TRN")
    assert (tmp_path / "OUT.TRN").read_text() == "a b (u1)\nd (u2)\n"


@pytest.mark.parametrize(
    "ending",
    ["csv", "tsv", "json", "jsonl", "CSV", "csv.gz", "parquet", "slf", "xlsx", "xml", "zip", "txt.bz2"],
)
def test_an_ending_of_another_format_is_refused(ending: str, tmp_path: Path) -> None:
    paths = _files(tmp_path, a_csv="id,text\nu1,the cat\n", b_csv="id,text\nu1,the cat\n")
    out = tmp_path / f"c.{ending}"
    told = fstmetrics("combine", *paths, "-o", out)
    assert (told.status, told.out, out.exists()) == (2, "", False)
    expected = (
        f"{out}: the ending names no format of sentences that is written; give --to, or one of .ctm, .txt,"
    )
    assert expected in told.err
    assert fstmetrics("combine", *paths, "-o", out, "--to", "kaldi-text").status == 0


def test_items_that_a_system_lacks(tmp_path: Path) -> None:
    paths = _files(tmp_path, a_txt="u-1 a\nu-2 b\n", b_txt="u-1 a\nu-3 c\n", c_txt="u-1 a\nu-3 c\n")
    skipped = fstmetrics("combine", *paths, "--missing", "skip")
    assert skipped.out == "u-1 a\n"
    assert "left out: 2 items that a system lacks" in skipped.err
    assert fstmetrics("combine", *paths, "--missing", "empty").out == "u-1 a\nu-2\nu-3 c\n"
    timed = _files(tmp_path, a_ctm="u1 1 0 1 a\n", b_ctm="u1 1 0 1 a\nu2 1 0 1 b\n")
    assert fstmetrics("combine", *timed, "--missing", "empty").out == "u1 1 0.00 1.00 a\nu2 1 0.00 1.00 b\n"


def test_json_has_places_and_votes(tmp_path: Path) -> None:
    paths = _files(tmp_path, a_trn="a b (u1)\n", b_trn="a (u1)\n", c_trn="x b (u1)\n")
    found = fstmetrics("combine", *paths, "--json").summary
    assert (found["items"], found["words"], found["places"], found["agreed"]) == (1, 2, 2, 0)
    (output,) = found["outputs"]
    assert output["hypothesis"] == ["a", "b"]
    assert output["places"][1] == {
        "systems": ["b", None, "b"],
        "votes": [{"word": "b", "score": 2 / 3}, {"word": None, "score": 1 / 3}],
        "best": "b",
    }
    written = fstmetrics("combine", *paths, "--json", "-o", tmp_path / "out").summary
    assert "outputs" not in written
    assert (tmp_path / "out").read_text() == "a b (u1)\n"
    assert fm.combine_files(*paths).summary() == json.loads(json.dumps(found))


def test_case_counts_unless_it_is_not_to() -> None:
    assert fm.combine(["The a", "the b", "the"]).words == ("the", "a")
    assert fm.combine(["The A", "the b", "THE a"], normalisation=fm.Normalisation(lowercase=True)).words == (
        "the", "a",
    )  # fmt: skip


@pytest.mark.parametrize("method", ["freq", "median"])
def test_an_output_is_one_text_and_no_list_of_many(method: Any) -> None:
    found = fm.combine(["the cat sat", ["a", "cat", "sat"], ["the cat"], ("the", "cat", "sat")], method)
    assert found.words == ("the", "cat", "sat")
    for other in (["the cat sat", "a dog"], ("the", ""), [["the", "cat"], ["a", "dog"]]):
        with pytest.raises(fm.FstmetricsError, match=r"a list as one hypothesis, .* call once for each item"):
            fm.combine([["the", "cat", "sat"], other], method)
    with pytest.raises(fm.FstmetricsError, match="expected text or words, found list"):
        fm.combine(["the cat", [["the", "cat"]]], method)


def test_one_system_may_be_standard_input(tmp_path: Path) -> None:
    (path,) = _files(tmp_path, a_txt="u1 a b\n")
    assert fstmetrics("combine", path, "-", stdin=b"u1 a b\n").out == "u1 a b\n"


def test_values_that_are_no_outputs_are_refused() -> None:
    with pytest.raises(fm.FstmetricsError, match="takes a list of outputs"):
        fm.combine("a b")
    with pytest.raises(fm.FstmetricsError, match="one system"):
        fm.combine(["a b"])
    with pytest.raises(fm.FstmetricsError, match="expected text or words, found int 3"):
        fm.combine(["a b", 3])
    with pytest.raises(fm.FstmetricsError, match="no method 'best'"):
        fm.combine(["a b", "a"], "best")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="no option 'mode'"):
        fm.combine_files("a", "b", mode=3)


@pytest.mark.parametrize("systems", [("a", "c"), ("a", "c", "both"), ("a", "both", "c")])
@pytest.mark.parametrize("method", ["freq", "median", "putat"])
@pytest.mark.parametrize("ending", ["txt", "ctm"])
def test_systems_that_share_no_item(
    systems: tuple[str, ...], method: str, ending: str, tmp_path: Path
) -> None:
    """What a system lacks is as if it had said nothing there."""
    items = {"a": {"u": "x"}, "c": {"v": "z"}, "both": {"u": "x", "v": "z"}}

    def written(name: str, words: dict[str, str]) -> Path:
        line = "{} 1 0.0 0.5 {}\n" if ending == "ctm" else "{} {}\n"
        path = tmp_path / f"{name}.{ending}"
        path.write_text("".join(line.format(id, word) for id, word in words.items()))
        return path

    paths = [written(name, items[name]) for name in systems]
    read = () if ending == "ctm" else ("--format", "kaldi-text")
    found = fstmetrics("combine", *paths, *read, "--method", method, "--missing", "empty")
    assert found.status == 0, found
    if ending == "txt" and method != "putat":
        for id, word in items["both"].items():
            texts = [tmp_path / f"{name}.{id}.txt" for name in systems]
            for path, name in zip(texts, systems, strict=True):
                path.write_text(f"{word if id in items[name] else ''}\n")
            alone = fstmetrics("combine", *texts, "--method", method, "--format", "plain").out
            assert f"{id} {alone.strip()}".strip() in [line.strip() for line in found.out.splitlines()]
    refused = fstmetrics("combine", *paths, *read, "--method", method, "--missing", "skip")
    assert (refused.status, "there is nothing to combine" in refused.err) == (2, True), refused
    paths = [written(name, items[name] | {"w": "y"}) for name in systems]
    left = fstmetrics("combine", *paths, *read, "--method", method, "--missing", "skip", "--json").summary
    assert (left["items"], left["skipped"]) == (1, 2)


def test_segments_keep_their_speakers_and_times(tmp_path: Path) -> None:
    text = "m1 1 A 0.00 3.00 good morning\nm1 1 B 2.50 4.00 hello\n"
    files = [written(tmp_path / f"{name}.stm", text) for name in "abc"]
    written(files[0], text.replace("good", "god"))
    assert fstmetrics("combine", *files, "--to", "stm").out == text


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ({"audio_filepath": "b/1.wav", "offset": 5.0}, "two recordings are called '1': a/1.wav and b/1.wav"),
        ({"audio_filepath": "a/1.wav", "offset": 5.0}, ""),
        (
            {"audio_filepath": "a/1.wav", "offset": 5.0, "start": 6.0, "begin": 5.0},
            "it has start 6 and begin 5",
        ),
    ],
)
def test_turns_are_written_as_convert_writes_them(
    second: dict[str, object], message: str, tmp_path: Path
) -> None:
    first = {"audio_filepath": "a/1.wav", "offset": 0.0, "duration": 1.0, "speaker": "A", "text": "good day"}
    text = "".join(json.dumps(row) + "\n" for row in (first, first | second))
    files = [written(tmp_path / f"{name}.jsonl", text) for name in "abc"]
    done = fstmetrics("combine", *files, "--to", "stm")
    assert (done.status, message in done.err) == (2 if message else 0, True), done.err


def of_vosk(folder: Path, *words: tuple[str, float | None]) -> Path:
    """A system's folder with JSON of Vosk, of words of a second each."""
    rows = [{"word": word, "start": n, "end": n + 1, "conf": conf} for n, (word, conf) in enumerate(words)]
    folder.mkdir()
    (folder / "a.json").write_text(json.dumps({"result": rows, "text": " ".join(word for word, _ in words)}))
    return folder


def of_whisper(folder: Path, text: str, *words: tuple[str, float | None]) -> Path:
    """The same of Whisper, whose words may go on with those before."""
    rows = [{"word": w, "start": n, "end": n + 1, "probability": p} for n, (w, p) in enumerate(words)]
    folder.mkdir()
    whole = {"start": 0, "end": 9, "text": text, "words": rows}
    (folder / "a.json").write_text(json.dumps({"text": text, "segments": [whole]}))
    return folder


@pytest.mark.parametrize(
    "options",
    [
        ["--method", "maxconf", "--alpha", "0.2"],
        ["--method", "avgconf", "--alpha", "0"],
        ["--align", "times"],
        ["--method", "median"],
        ["--method", "putat"],
    ],
)
def test_json_of_recognisers_is_combined_as_ctm(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    systems = [
        of_vosk(Path("v1"), ("the", 0.9), ("cat", 0.2), ("sat", 0.9)),
        of_vosk(Path("v2"), ("the", 0.9), ("bat", 0.9), ("sat", 0.9)),
        of_whisper(
            Path("w"), " the cat sat-down", (" the", 0.9), (" cat", 0.3), (" sat", 0.9), ("-down", 0.1)
        ),
    ]
    for each in systems:
        assert fstmetrics("convert", each, f"{each}.ctm").status == 0
    of_ctm = [f"{each}.ctm" for each in systems]
    targets = [[]] if "putat" in options else [["--to", "ctm"], ["--to", "kaldi-text"]]
    for target in targets:
        expected = fstmetrics("combine", *of_ctm, *options, *target).out.replace(".ctm", "")
        for mine in (systems, [systems[0], *of_ctm[1:]]):
            found = fstmetrics("combine", *mine, *options, *target)
            assert (found.status, found.err, found.out.replace(".ctm", "")) == (0, "", expected)


@pytest.mark.parametrize(
    ("words", "options", "message"),
    [
        ([("a", 0.9), ("b", None)], ["--method", "maxconf", "--alpha", "0"], "the word 'b' of system 1 has none"),
        ([("a", 0.9), ("b", 1.5)], ["--method", "maxconf", "--alpha", "0"], "has '1.5' as confidence"),
        ([("\u6211", 0.9), ("\u7684", 0.1)], ["--method", "maxconf", "--alpha", "0"], "give ctm, which fstmetrics"),
        ([("\u6211", 0.9), ("\u7684", 0.1)], ["--to", "ctm"], "'\u6211\u7684' has several times: give ctm"),
    ],
)  # fmt: skip
def test_json_without_a_confidence_or_a_time_of_each_word(
    words: list[tuple[str, float | None]], options: list[str], message: str, tmp_path: Path
) -> None:
    """What needs neither takes the text, as ever."""
    if message.endswith("fstmetrics") or "ctm" in options:
        system = of_whisper(tmp_path / "a", "".join(word for word, _ in words), *words)
    else:
        system = of_vosk(tmp_path / "a", *words)
    refused = fstmetrics("combine", system, system, *options)
    assert (refused.status, refused.out) == (2, "")
    assert message in refused.err
    combined = fstmetrics("combine", system, system)
    assert (combined.status, combined.err) == (0, "")
    assert "".join(combined.out.split()[1:]) == "".join(word for word, _ in words)


@pytest.mark.parametrize("method", ["meth1", "maxconf", "maxconfa", "avgconf"])
def test_confidences_are_advised_only_where_every_word_has_one(method: str, tmp_path: Path) -> None:
    rows = "t 1 0 1 the 0.9\nt 1 1 1 cat 0.8\n"
    whole = [written(tmp_path / f"{n}.ctm", rows) for n in "ab"]
    part = written(tmp_path / "part.ctm", rows.replace(" 0.8", ""))
    texts = [written(tmp_path / n, "the cat\n") for n in "ab"]
    for systems, advice, status in (
        (whole, "--alpha 0.5 weighs them as much", 0),
        ([*whole, part], "part.ctm has words without one (cat), so that none can be weighed", 2),
        (texts, "a has words without one (the), so that none can be weighed", 2),
    ):
        done = fstmetrics("combine", *systems, "--method", method)
        said = f"with --alpha 1, as in rover, confidences do not count; {advice}\n"
        assert (done.status, done.err) == (0, said.replace("; ", f"; {tmp_path}/" if status else "; "))
        assert fstmetrics("combine", *systems, "--method", method, "--alpha", "0.5").status == status
    assert fstmetrics("combine", *texts, "--method", "freq").err == ""


def test_texts_without_spaces_are_remarked_on(tmp_path: Path) -> None:
    """Each is one word, so that the first system wins wherever two differ."""
    said, texts = "no spaces part the words of most texts, as of", ("我喜欢猫", "我喜欢狗", "他喜欢猫")
    written = _files(tmp_path, a_txt=texts[0] + "\n", b_txt=texts[1] + "\n", c_txt=texts[2] + "\n")
    found = fstmetrics("combine", *written)
    assert said in found.err
    assert r"perl -CSD -pe 's/[\p{Han}" in found.err
    cut = _files(
        tmp_path, **{f"{name}_txt": f"{' '.join(text)}\n" for name, text in zip("bca", texts, strict=True)}
    )
    found = fstmetrics("combine", *cut)
    assert (found.out, said in found.err) == ("我 喜 欢 猫\n", False)
