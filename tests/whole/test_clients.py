"""Real decoders and scorers beside this one: pocketsphinx, sclite, jiwer, kaldialign, sacrebleu."""

from __future__ import annotations

import gzip
import os
import random
import re
import subprocess
import wave
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import fstmetrics, written
from other_programs import client, program

import fstmetrics as fm

SENTENCES = {
    "u-1": "the quick brown fox jumps over the lazy dog",
    "u-2": "please open the window and close the door",
    "u-3": "she had to walk all the way home again",
}
FILLER = re.compile(r"<s>|</s>|<sil>|\[.*\]|\+\+.*\+\+")


def speech(text: str, folder: Path) -> bytes:
    """16 kHz speech, 16 bit."""
    path = folder / "speech.wav"
    subprocess.run([*program("espeak-ng"), "-v", "en-us", "-s", "140", "-w", path, text], check=True)
    with wave.open(str(path)) as file:
        rate, pcm = file.getframerate(), np.frombuffer(file.readframes(file.getnframes()), np.int16)
    places = np.arange(0, len(pcm) - 1, rate / 16000)
    return np.interp(places, np.arange(len(pcm)), pcm).astype(np.int16).tobytes()


@pytest.fixture(scope="module")
def decoded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A decoder for each sentence."""
    pocketsphinx = client("pocketsphinx")
    folder = tmp_path_factory.mktemp("speech")
    found = {}
    for id, text in SENTENCES.items():
        decoder = pocketsphinx.Decoder(loglevel="FATAL", cmn="batch", fwdflatwbeam=1e-20)
        decoder.start_utt()
        decoder.process_raw(speech(text, folder), full_utt=True)
        decoder.end_utt()
        found[id] = decoder
    return found


def fewest_edits(lattice: fm.Lattice, words: list[str]) -> int:
    """Dynamic programming over states and positions, until nothing changes."""
    automaton = lattice.automaton
    silent = {"", "<s>", "</s>", "!SENT_START", "!SENT_END"}
    names = ["" if word in silent else word for word in lattice.symbols.words]
    arcs = list(
        zip(
            automaton.sources.tolist(),
            automaton.destinations.tolist(),
            [names[label] for label in automaton.labels.tolist()],
            strict=True,
        )
    )
    positions = np.arange(len(words) + 1)
    best = np.full((automaton.num_states, len(words) + 1), 10**6)
    best[automaton.start] = positions
    before = None
    while before is None or (before != best).any():
        before = best.copy()
        for source, destination, word in arcs:
            row = best[source]
            if word:
                taken = np.concatenate(([10**6], row[:-1] + [word != other for other in words]))
                row = np.minimum(row + 1, taken)
            row = np.minimum.accumulate(row - positions) + positions
            best[destination] = np.minimum(best[destination], row)
    return int(best[automaton.finals, -1].min())


def test_lattices_of_pocketsphinx(decoded: dict[str, Any], tmp_path: Path) -> None:
    """Both of its formats, and straight from its objects: the same oracles, which a slow search finds, too."""
    (tmp_path / "slf").mkdir()
    (tmp_path / "sphinx").mkdir()
    for id, decoder in decoded.items():
        lattice = decoder.get_lattice()
        lattice.write_htk(str(tmp_path / "slf" / f"{id}.slf"))
        lattice.write(str(tmp_path / "sphinx" / f"{id}.lat"))
    ref = written(tmp_path / "ref.txt", "".join(f"{id} {text}\n" for id, text in SENTENCES.items()))
    corpus = []
    for id, decoder in decoded.items():
        lattice = fm.Lattice.from_pocketsphinx(decoder, id)
        assert lattice.id == id
        assert lattice.num_arcs > 50
        heard = [
            re.sub(r"\(\d+\)$", "", word)
            for word in decoder.hyp().hypstr.split()
            if not FILLER.fullmatch(word)
        ]
        assert fm.oracle(lattice, heard).edits == 0
        result = fm.oracle(lattice, SENTENCES[id])
        assert result.edits == fewest_edits(lattice, SENTENCES[id].split())
        assert result.edits <= fm.align(heard, SENTENCES[id]).edits
        corpus.append(result)
    edits = sum(result.edits for result in corpus)
    for name in ("slf", "sphinx"):
        found = fstmetrics("oracle", ref, tmp_path / name, "--json").summary
        assert (found["edits"], found["items"]) == (edits, 3)


def test_a_decoder_without_a_lattice() -> None:
    pocketsphinx = client("pocketsphinx")
    decoder = pocketsphinx.Decoder(loglevel="FATAL")
    with pytest.raises(fm.FstmetricsError, match="the decoder has no lattice"):
        fm.Lattice.from_pocketsphinx(decoder)
    with pytest.raises(fm.FstmetricsError, match=r"expected a pocketsphinx\.Decoder or Lattice, not str"):
        fm.Lattice.from_pocketsphinx("a")


def sclite(ref: Path, hyp: Path, *options: str) -> tuple[int, int, int, int]:
    """Reference words, substitutions, deletions and insertions by sclite, which takes no names with spaces in them."""
    folder = ref.parent
    command = [
        *program("sclite", "sctk"),
        "-r",
        ref.name,
        "trn",
        "-h",
        os.path.relpath(hyp, folder),
        "trn",
        "-i",
        "spu_id",
        "-o",
        "rsum",
        "stdout",
    ]
    ran = subprocess.run([*command, *options], cwd=folder, capture_output=True, text=True, check=True)
    (row,) = [line for line in ran.stdout.splitlines() if line.strip().startswith("| Sum")]
    _, words, _, substitutions, deletions, insertions, *_ = re.findall(r"\d+", row)
    return int(words), int(substitutions), int(deletions), int(insertions)


def test_optional_words_beside_sclites(tmp_path: Path) -> None:
    """The table of docs/alternatives.md: words, substitutions, deletions and insertions."""
    table = {
        "we uh met": ((3, 1, 0, 0), (3, 0, 0, 0), (3, 0, 0, 0)),
        "we met": ((3, 0, 1, 0), (3, 0, 0, 0), (2, 0, 0, 0)),
        "we um met": ((3, 1, 0, 0), (3, 1, 0, 0), (3, 1, 0, 0)),
    }
    ref, plain = (
        written(tmp_path / "r", "we (uh) met (a-1)\n"),
        written(tmp_path / "p", "we \\(uh\\) met (a-1)\n"),
    )
    for said, (literal, deletable, here) in table.items():
        hyp = written(tmp_path / "h", f"{said} (a-1)\n")
        assert ours(ref, hyp, "wer", "free") == here
        assert ours(ref, hyp, "sclite", "correct") == deletable
        assert ours(ref, hyp, "sclite", "word") == ours(plain, hyp, "sclite", "free") == literal
        assert (sclite(ref, hyp), sclite(ref, hyp, "-D")) == (literal, deletable)


def ours(
    ref: Path, hyp: Path, metric: str = "sclite", optional_words: str = "word"
) -> tuple[int, int, int, int]:
    found = fstmetrics(
        "score",
        ref,
        hyp,
        "--metric",
        metric,
        "--optional-words",
        optional_words,
        "--lowercase",
        "--format",
        "trn",
        "--ref-format",
        "trn",
        "--json",
    ).summary
    return found["path_length"], found["substitutions"], found["deletions"], found["insertions"]


@pytest.mark.parametrize(
    "system", ["asr-kaldi-weather/mono.trn", "asr-kaldi-weather/tri1.trn", "asr-pocketsphinx/hyp.trn"]
)
def test_sclite_on_transcripts(system: str, shared: Path) -> None:
    hyp = shared / system
    assert ours(hyp.parent / "ref.trn", hyp) == sclite(hyp.parent / "ref.trn", hyp)


@pytest.mark.parametrize("name", ["csrnab", "csrnab1"])
def test_sclite_on_its_own_tests(name: str, shared: Path) -> None:
    """Those of whole sentences; test_transcripts.py has the others."""
    folder = shared / "expected-sclite"
    ref, hyp = folder / f"{name}.ref", folder / f"{name}.hyp"
    assert ours(ref, hyp) == sclite(ref, hyp)


def test_sclite_on_alternations(shared: Path, tmp_path: Path) -> None:
    """Real transcripts, of which every third word may be another one, or nothing, or two words."""
    folder = shared / "asr-kaldi-weather"
    lines, number = [], 0
    for line in (folder / "ref.trn").read_text().splitlines():
        text, _, id = line.rpartition("(")
        words = text.split()
        for i in range(len(words)):
            number += 1
            if number % 3 == 0:
                others = ("@", f"{words[i]} again", f"un{words[i]} / {words[i - 1]}")
                words[i] = f"{{ {words[i]} / {others[number // 3 % 3]} }}"
        lines.append(f"{' '.join(words)} ({id}\n")
    ref = written(tmp_path / "ref.trn", "".join(lines))
    for system in ("mono.trn", "tri1.trn"):
        assert ours(ref, folder / system) == sclite(ref, folder / system)


def nested(draw: random.Random, depth: int) -> str:
    """Words and alternations."""
    parts = []
    for _ in range(draw.randint(1, 4)):
        if depth and draw.random() < 0.45:
            count = draw.randint(2, 3)
            choices = ("@" if draw.random() < 0.2 else nested(draw, depth - 1) for _ in range(count))
            parts.append("{ " + " / ".join(choices) + " }")
        else:
            parts.append(draw.choice("abcdefg"))
    return " ".join(parts)


def scores_of_sclite(
    references: list[str], hypotheses: list[str], folder: Path, *options: str
) -> dict[int, tuple[int, ...]]:
    """By number of the item: correct words, substitutions, deletions and insertions."""
    ref, hyp = (
        written(folder / name, "".join(f"{text} (u-{i})\n" for i, text in enumerate(texts)))
        for name, texts in (("ref", references), ("hyp", hypotheses))
    )
    command = [
        *program("sclite", "sctk"),
        "-r",
        ref,
        "trn",
        "-h",
        hyp,
        "trn",
        "-i",
        "spu_id",
        "-o",
        "pra",
        "stdout",
    ]
    out = subprocess.run([*command, *options], capture_output=True, text=True, check=True).stdout
    rows = re.findall(r"id: \(u-(\d+)\)\nScores: \(#C #S #D #I\) (\d+) (\d+) (\d+) (\d+)", out)
    found = {int(row[0]): tuple(map(int, row[1:])) for row in rows}
    assert len(found) == len(references)
    return found


def test_fragments_as_sclites_option_f(tmp_path: Path) -> None:
    """Every item costs what it costs sclite; of equal costs ours has the fewest errors."""
    draw = random.Random(8)
    words = ["fi-", "-ish", "fish", "fi", "fis-", "-fi-", "-sh", "fist", "un-do", "un-", "a", "b"]
    pairs = [[" ".join(draw.choices(words, k=draw.randint(1, 6))) for _ in range(500)] for _ in range(2)]
    theirs = scores_of_sclite(*pairs, tmp_path, "-F")
    completed = 0
    for i, (reference, hypothesis) in enumerate(zip(*pairs, strict=True)):
        found = fm.align(hypothesis, reference, fm.Sclite(), grammars="fragments")
        _, substitutions, deletions, insertions = theirs[i]
        cost = 4 * found.substitutions + 3 * (found.deletions + found.insertions)
        assert cost == 4 * substitutions + 3 * (deletions + insertions), (reference, hypothesis)
        completed += len(found.rewrites)
    assert completed > 100


def test_sclite_on_nested_alternations(tmp_path: Path) -> None:
    """Every item costs what it costs sclite; of equal choices ours is the longest with the fewest errors."""
    draw = random.Random(7)
    references = [nested(draw, 2) for _ in range(400)]
    hypotheses = [" ".join(draw.choices("abcdefg", k=draw.randint(1, 7))) for _ in references]
    theirs = scores_of_sclite(references, hypotheses, tmp_path)
    differing = 0
    for i, (reference, hypothesis) in enumerate(zip(references, hypotheses, strict=True)):
        found = fm.align(hypothesis, fm.Transcript.parse(reference, "sclite"), fm.Sclite())
        correct, substitutions, deletions, insertions = theirs[i]
        cost = 4 * found.substitutions + 3 * (found.deletions + found.insertions)
        assert cost == 4 * substitutions + 3 * (deletions + insertions)
        same = (found.substitutions, found.deletions) == (substitutions, deletions)
        length, errors = correct + substitutions + deletions, substitutions + deletions + insertions
        assert same or (found.path_length, -found.edits) > (length, -errors)
        differing += not same
    assert 0 < differing < 20


def translations(shared: Path) -> tuple[list[str], list[str]]:
    """Thousands of translations by real systems, and their references."""
    folder = shared / "mt-wmt"
    hypotheses: list[str] = []
    references: list[str] = []
    for pair, language in (("newstest2021.cs-en", "en"), ("newstest2021.en-de", "de")):
        reference = _lines(folder / pair / f"ref.A.{language}.gz")
        for path in sorted((folder / pair).glob("hyp.*.gz")):
            hypotheses += _lines(path)
            references += reference
    assert len(hypotheses) == len(references) > 10000
    return hypotheses, references


def _lines(path: Path) -> list[str]:
    """Words with single spaces between: not all programs split at the same white space."""
    return [" ".join(line.split()) for line in gzip.decompress(path.read_bytes()).decode().splitlines()]


def test_jiwer_finds_as_many_edits(shared: Path) -> None:
    jiwer = client("jiwer")
    hypotheses, references = translations(shared)
    theirs = jiwer.process_words(references, hypotheses)
    found = fm.score(hypotheses, references)
    assert found.edits == theirs.substitutions + theirs.deletions + theirs.insertions
    assert found.score == pytest.approx(theirs.wer, rel=1e-12)
    letters = jiwer.process_characters(references[:1000], hypotheses[:1000])
    found = fm.score(hypotheses[:1000], references[:1000], normalisation=fm.Normalisation(unit="char"))
    assert found.edits == letters.substitutions + letters.deletions + letters.insertions


def test_kaldialign_finds_as_many_edits(shared: Path) -> None:
    kaldialign = client("kaldialign")
    hypotheses, references = translations(shared)
    for item, hypothesis, reference in zip(
        fm.score(hypotheses, references), hypotheses, references, strict=True
    ):
        assert item.edits == kaldialign.edit_distance(reference.split(), hypothesis.split())["total"]


def test_sacrebleu_gives_the_same_scores(shared: Path) -> None:
    """Whole corpora at once, each system of both directions."""
    sacrebleu = client("sacrebleu")
    hypotheses, references = translations(shared)
    hypotheses, references = hypotheses[:2000], references[:2000]
    tokens = fm.Normalisation(tokenize="13a")
    bleu = fm.score(hypotheses, references, "bleu", normalisation=tokens)
    assert bleu.score == pytest.approx(sacrebleu.corpus_bleu(hypotheses, [references]).score, abs=1e-9)
    some = slice(0, 2000, 10)  # TER is slow
    ter = fm.score(hypotheses[some], references[some], "ter")
    assert ter.score == pytest.approx(
        sacrebleu.corpus_ter(hypotheses[some], [references[some]]).score, abs=1e-9
    )
