"""Real lattices, networks and hypotheses: against the totals that came with them.

Most of it may not be published, and these tests are skipped where it is absent; the examples in the package are
always there.
"""

from __future__ import annotations

import csv
import gzip
import json
from importlib.resources import files
from pathlib import Path

import pytest
from places import CASE_FILES, DATA

import fstmetrics as fm
from fstmetrics.io import read_items
from fstmetrics.lattices.oracles import OracleSearch

EXAMPLES = Path(str(files("fstmetrics") / "examples"))


def texts(path: Path) -> dict[str, str]:
    """A Kaldi text file as id and sentence."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return {line.split()[0]: " ".join(line.split()[1:]) for line in data.decode().splitlines()}


def rows(path: Path) -> list[dict[str, str]]:
    """A table with a head; lines of remarks left out."""
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines, delimiter="\t"))


def test_examples_have_these_totals() -> None:
    """Recorded totals of the shipped lattices; oracle errors as in shared/data's exact dynamic programming."""
    references = texts(EXAMPLES / "oracle" / "ref.txt")
    lattices = read_items(EXAMPLES / "oracle" / "lattices").items
    expected = json.loads((CASE_FILES / "examples.json").read_text())
    for metric in (fm.WER(), fm.GRR()):
        items = ((item.id, item.value, references[item.id or ""]) for item in lattices)
        for result in OracleSearch(metric).results(items):
            assert result.one_best is not None
            found = [
                result.edits,
                result.one_best.edits,
                result.path_length,
                float(result.numerator),
                result.arcs,
            ]
            assert found == expected[metric.name][result.id]


@pytest.mark.parametrize("system", ["mono", "tri1"])
def test_kaldi_weather_oracles_and_word_error_rates(shared: Path, system: str) -> None:
    folder = shared / "asr-kaldi-weather"
    known = {line.split()[0] for line in (folder / "words.txt").open()}
    # Kaldi scores integers: reference words that are not in words.txt are all <UNK>.
    references = {
        id: " ".join(word if word in known else "<UNK>" for word in text.split())
        for id, text in texts(folder / "ref.txt").items()
    }
    lattices = read_items(folder / system / "lat.txt.gz", symbols=folder / "words.txt").items
    expected = {row["id"]: int(row["oracle_errors"]) for row in rows(folder / system / "oracle.tsv")}
    pairs = [(item.id, item.value, references[item.id or ""]) for item in lattices]
    assert len(pairs) == 142
    assert {r.id: r.edits for r in OracleSearch(fm.WER()).results(pairs)} == expected
    for weight in (7, 10, 14, 17):
        scales = fm.Scales(lm=weight)
        one_best = fm.CorpusResult.of(
            r.one_best for r in OracleSearch(fm.WER(), scales).results(pairs) if r.one_best
        )
        line = next(line for line in (folder / system / f"wer_{weight}").open() if line.startswith("%WER"))
        errors, words, *_ = (int(word.rstrip(",")) for word in line.split() if word.rstrip(",").isdigit())
        assert (one_best.edits, one_best.path_length) == (errors, words)


def test_pocketsphinx_oracles_and_hypotheses(shared: Path) -> None:
    folder = shared / "asr-pocketsphinx"
    references, hypotheses = texts(folder / "ref.txt"), texts(folder / "hyp.txt")
    expected = {row["id"]: row for row in rows(folder / "oracle.tsv")}
    for item in read_items(folder, format="slf").items:
        row = expected[item.id or ""]
        reference = references[item.id or ""]
        result = fm.oracle(item.value, reference)
        assert result.edits == int(row["oracle_errors"])
        assert fm.align(hypotheses[item.id or ""], reference).edits == int(row["hyp_errors"])
        assert item.value.num_arcs == int(row["links"])
        assert fm.oracle(item.value, reference, "grr").score <= 1
    assert len(expected) == 39


def test_pocketsphinx_nbest_lists(shared: Path) -> None:
    folder = shared / "asr-pocketsphinx"
    references = texts(folder / "ref.txt")
    fillers = fm.Normalisation(ignore=frozenset({"<sil>", "[NOISE]", "++NOISE++"}))
    for item in read_items(folder, format="nbest-lines").items:
        result = fm.oracle(item.value, references[item.id or ""], normalisation=fillers)
        curve = [best.edits for _, best in result.after]
        assert curve == sorted(curve, reverse=True)
        assert curve[-1] == result.edits
        entries = [
            fm.align(words, references[item.id or ""], normalisation=fillers) for words in item.value.entries
        ]
        assert result.edits == min(entry.edits for entry in entries)


ROUTES = ("auto", "topological", "best-first")


def check_networks(folder: Path, networks: Path, name: str, routes: tuple[str, ...]) -> int:
    """Every row of expected.tsv for networks of this class; how many there were."""
    read: dict[str, fm.Network] = {}
    checked = 0
    for row in rows(folder / "expected.tsv"):
        if not row["network"].startswith(name):
            continue
        if row["network"] not in read:
            read[row["network"]] = fm.Network.read(networks / f"{row['network']}.json.gz")
        hypothesis = texts(folder / row["hypothesis_file"])[row["network"]]
        metric = fm.HyTER(int(row["window"]), row["reordering"])  # type: ignore[arg-type]
        totals = set()
        for route in routes:
            options = fm.SearchOptions(route=route)
            result = fm.align(hypothesis, read[row["network"]], metric, options=options)
            assert result.numerator == int(row["edits_plus_moves"])
            totals.add(result.totals)
        assert len(totals) == 1
        assert fm.hyter(hypothesis, read[row["network"]], metric.window, metric.reordering) == result.score
        checked += 1
    return checked


@pytest.mark.parametrize(("name", "expected"), [("single", 60), ("combined", 30)])
def test_shipped_networks_on_every_route(name: str, expected: int) -> None:
    folder = DATA / "networks"
    assert check_networks(folder, folder, name, ROUTES) == expected


@pytest.mark.parametrize("name", ["single", "combined"])
def test_synthetic_networks(shared: Path, name: str) -> None:
    """expected.tsv: 60 hypotheses of each class, windows 1, 3, 5, both ways of counting."""
    folder = shared / "synthetic-networks"
    assert check_networks(folder, folder / "networks", name, ("auto",)) == 360


def test_large_synthetic_networks_agree_between_routes(shared: Path) -> None:
    folder = shared / "synthetic-networks"
    for number in range(2):
        network = fm.Network.read(folder / "networks" / f"large-00{number}.json.gz")
        hypothesis = texts(folder / "hyp-large-0.txt")[network.id]
        found = {
            route: fm.align(hypothesis, network, fm.HyTER(), options=fm.SearchOptions(route=route)).totals
            for route in ("topological", "best-first")
        }
        assert found["topological"] == found["best-first"]


def test_fstalign_lattice_oracle(shared: Path) -> None:
    """expected.tsv of fstalign: oracle_1 is an OpenFst transducer with its symbols beside it."""
    folder = shared / "expected-fstalign"
    lattice = fm.Lattice.read(folder / "oracle_1.hyp.fst", symbols=folder / "oracle_1.symbols.txt")
    row = next(row for row in rows(folder / "expected.tsv") if row["case"] == "oracle_1")
    assert row["expected_wer"].startswith("1/9 ")
    assert row["expected_counts"] == "INS:0 DEL:1 SUB:0"
    result = fm.oracle(lattice, (folder / "oracle_1.ref.txt").read_text())
    assert (result.insertions, result.deletions, result.substitutions, result.path_length) == (0, 1, 0, 9)


def test_toy_scores_of_jiwer(shared: Path) -> None:
    """Corpus WER and CER of jiwer's own tests."""
    for line in (shared / "expected-toy-scores" / "cases.jsonl").open():
        case = json.loads(line)
        if not case["metric"].startswith(("wer", "cer")):
            continue
        expected = case["expected"]["wer"] if isinstance(case["expected"], dict) else case["expected"]
        unit = fm.Normalisation(unit="char" if case["metric"].startswith("cer") else "word")
        corpus = fm.score(case["hyp"], case["refs"][0], normalisation=unit)
        assert corpus.score == pytest.approx(expected), case["id"]


@pytest.mark.parametrize("folder", ["mt-joshua", "mt-moses/mert.extractor-txt"])
def test_translation_nbest_lists(shared: Path, folder: str) -> None:
    """n-best lists of Joshua and Moses: the oracle among the first n never gets worse."""
    place = shared / folder
    path = next(p for p in sorted(place.iterdir()) if "nbest" in p.name)
    lists = read_items(path).items
    assert len(lists) >= 5
    names = sorted(p for p in place.iterdir() if "ref" in p.name and p.is_file())
    columns = [p.read_text().splitlines() for p in names]
    for number, item in enumerate(lists):
        references = fm.Alternatives([column[number] for column in columns])
        result = fm.oracle(item.value, references, "grr")
        gains = [best.gain for _, best in result.after]
        assert gains == sorted(gains)
        assert result.gain == gains[-1]
