"""`verify`: true records are proved, false ones never are, and the check is one file that shares nothing."""

from __future__ import annotations

import ast
import gzip
import json
import random
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from command import EXAMPLES, HYTER, ORACLE, Outcome, fstmetrics

import fstmetrics as fm
from fstmetrics.data.symbols import EPSILON_WORDS, SENTENCE_MARKERS
from fstmetrics.openfst import independent_proof

Record = dict[str, Any]
WORDS = ["a", "b", "c", "d", "[x]", "e;f", "g\\h", "<eps>"]
METRICS = {
    "wer": [],
    "wrr": [],
    "sclite": [],
    "grr": [],
    "grr by paper": ["--order", "3", "--alpha", "-0.9", "--beta", "1"],
    "grr where deletions gain": ["--order", "2", "--alpha", "0.3", "--beta", "-0.25"],
}


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def recorded(folder: Path, *command: object) -> Path:
    """Records of a command, with alignments."""
    outcome = fstmetrics(*command, "--alignment", "--output", folder / "records.jsonl")
    assert outcome.status == 0, outcome.err
    return folder / "records.jsonl"


def verified(records: Path, ref: object, hyp: object, *options: object) -> Outcome:
    return fstmetrics("verify", records, ref, hyp, *options)


def items(path: Path) -> tuple[list[Any], dict[str, Any]]:
    """A side, as the check takes it."""
    files = (
        sorted(path.iterdir(), key=lambda file: int(file.name.partition(".")[0][1:]))
        if path.is_dir()
        else [path]
    )
    found = [item for file in files for item in independent_proof.read(file)]
    return found, independent_proof.by_id(found)


def refusal(record: Record, number: int, hyp: Any, ref: Any, most: int = 100_000) -> str:
    """Why a record is not proved, "" where it is."""
    try:
        independent_proof.check(record, number, hyp, ref, most)
    except (ValueError, LookupError, TypeError) as error:
        return str(error) or type(error).__name__
    return ""


# ---- random inputs, as files that people can read


def escaped(word: str) -> str:
    return "".join(f"\\{letter}" if letter in "[];\\" else letter for letter in word)


def phrase(rng: random.Random, cards: list[str]) -> str:
    def token() -> str:
        if cards and rng.random() < 0.3:
            return f"[{escaped(rng.choice(cards))}]"
        return escaped(rng.choice(WORDS))

    return " ".join(token() for _ in range(rng.choice([0, 1, 1, 2, 3, 4])))


def network(rng: random.Random) -> Record:
    """Cards that call one another, given by phrases or by arcs, in the JSON form."""
    cards: Record = {}
    for name in ("X", "[Y]", "Z Z", "S"):
        if name == "S" or rng.random() < 0.7:
            above = list(cards)
            cards[name] = {"phrases": [phrase(rng, above) for _ in range(rng.randint(1, 4))]}
            if rng.random() < 0.3:
                arcs = [
                    [a, b, rng.choice(["", escaped(rng.choice(WORDS)), *(f"[{escaped(each)}]" for each in above)])]
                    for a in range(4) for b in range(a + 1, 4) if rng.random() < 0.6
                ]  # fmt: skip
                cards[name] = {"start": 0, "arcs": [*arcs, [0, 3, "a"]], "final": [3]}
    return {"format": "fstmetrics-network/1", "root": "S", "cards": cards}


def typed(rng: random.Random, data: Record) -> str:
    """The text form of the cards that phrases give, with another phrase in place of arcs."""
    lines = ["# fstmetrics-cards/1", "root: S"]
    for name, card in data["cards"].items():
        phrases = [each or '""' for each in card.get("phrases", ["a b"])]
        between = "\n    " if rng.random() < 0.5 else "; "
        lines.append(f"[{escaped(name)}] 0-1: {between.join(phrases)}")
        lines += ["# a remark"] * (rng.random() < 0.2)
    return "\n".join(lines) + "\n"


def arcs(rng: random.Random) -> tuple[int, list[tuple[int, int, str]]]:
    """The last state and the arcs of a small lattice; some have no word."""
    last = rng.randint(1, 5)
    between = [
        (a, b) for a in range(last) for b in range(a + 1, last + 1) if b == a + 1 or rng.random() < 0.5
    ]
    words = [*WORDS, "<eps>", "</s>"]
    return last, [(a, b, rng.choice(words)) for a, b in between for _ in range(rng.choice([1, 1, 2]))]


def att(rng: random.Random) -> str:
    last, found = arcs(rng)
    two = rng.random() < 0.3
    lines = [f"{a}\t{b}\t{f'x{a}	' if two else ''}{word}\t{rng.random():.2f}" for a, b, word in found]
    lines += [f"0\t{last}\t{'y	' if two else ''}gone\tInfinity"] * (rng.random() < 0.3)
    return (
        "\n".join([*lines, f"{last}\t0.5", *([str(last - 1)] if last > 1 and rng.random() < 0.3 else [])])
        + "\n"
    )


def slf(rng: random.Random) -> str:
    last, found = arcs(rng)
    on_links, back, named = rng.random() < 0.5, rng.random() < 0.5, rng.random() < 0.5
    head = f"VERSION=1.0\n{'dir=b ' if back else ''}{f'start=0 end={last}' if named else ''}\n# a remark\n"
    nodes = [
        f"I={state} t={state}.0" + ("" if on_links else f" W={of_htk(rng.choice([*WORDS, '!NULL', '<s>']))}")
        for state in range(last + 1)
    ]
    links = [
        f"J={j} S={a} E={b}" + (f" W={of_htk(word)}" if on_links else "")
        for j, (a, b, word) in enumerate(found)
    ]
    return "\n".join([head, f"N={last + 1} L={len(found)}", *nodes, *links]) + "\n"


def of_htk(word: str) -> str:
    """A word as HTK writes it."""
    word = word.replace("\\", "\\\\")
    return f'"{word}"' if ";" in word else word


def sentences(rng: random.Random, number: int, longest: int = 8) -> str:
    lines = [
        f"u{n} {' '.join(rng.choice(WORDS[:7]) for _ in range(rng.randint(0, longest)))}"
        for n in range(number)
    ]
    rng.shuffle(lines)
    return "".join(f"{line}\n" for line in lines)


def folder(place: Path, rng: random.Random, number: int) -> Path:
    """Texts, and folders of networks and lattices, of the same items."""
    written(place / "ref.txt", sentences(rng, number))
    written(place / "hyp.txt", sentences(rng, number))
    for n in range(number):
        data = network(rng)
        written(place / "networks" / f"u{n}.json", json.dumps(data))
        written(place / "cards" / f"u{n}.cards", typed(rng, data))
        written(place / "att" / f"u{n}.fst.txt", att(rng))
        (place / "slf").mkdir(exist_ok=True)
        (place / "slf" / f"u{n}.slf.gz").write_bytes(gzip.compress(slf(rng).encode()))
    return place


# In networks <eps> is a word, of which hypotheses have none: it is told, not refused, of a format that is given.
WITH_EPS = ("--ref-format", "network")
# What is scored: command, references, hypotheses, options.
RUNS: dict[str, tuple[str, ...]] = {
    **{f"text {name}": ("score", "ref.txt", "hyp.txt", "--metric", name.split()[0], *more)
       for name, more in METRICS.items()},
    **{f"networks {name}": ("score", "networks", "hyp.txt", *WITH_EPS, "--metric", name.split()[0], *more)
       for name, more in METRICS.items()},
    **{f"att {name}": ("oracle", "ref.txt", "att", "--metric", name.split()[0], *more)
       for name, more in METRICS.items()},
    **{f"slf and networks {name}": ("oracle", "networks", "slf", *WITH_EPS, "--metric", name.split()[0], *more)
       for name, more in METRICS.items()},
    **{f"window {k} {count}": ("hyter", "networks", "hyp.txt", *WITH_EPS, "--window", str(k), "--reordering", count)
       for k in (1, 2, 3, 4, 5) for count in ("moves", "jumps")},
    "cards": ("hyter", "cards", "hyp.txt", "--ref-format", "cards", "--window", "3"),
    "lattices as references": ("score", "att", "hyp.txt"),
}  # fmt: skip


@pytest.mark.parametrize("run", RUNS)
def test_random_records_are_all_proved(tmp_path: Path, run: str) -> None:
    place = folder(tmp_path, random.Random(run), 25)
    command, ref, hyp, *options = RUNS[run]
    records = recorded(tmp_path, command, place / ref, place / hyp, *options)
    outcome = verified(records, place / ref, place / hyp)
    assert (outcome.status, outcome.out.count("\n")) == (0, 1), outcome.out
    assert outcome.out.startswith("25 of 25 records proved: ")


@pytest.mark.parametrize("metric", METRICS)
def test_the_records_of_the_lattices_of_the_examples_are_proved(tmp_path: Path, metric: str) -> None:
    records = recorded(tmp_path, "oracle", *ORACLE, "--metric", metric.split()[0], *METRICS[metric])
    outcome = verified(records, *ORACLE)
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out.startswith("4 of 4 records proved: ")


@pytest.mark.parametrize("reordering", ["moves", "jumps"])
@pytest.mark.parametrize("window", [1, 2, 3, 4, 5])
def test_the_records_of_the_networks_of_the_examples_are_proved(
    tmp_path: Path, window: int, reordering: str
) -> None:
    records = recorded(tmp_path, "hyter", *HYTER, "--window", window, "--reordering", reordering)
    outcome = verified(records, *HYTER)
    assert (outcome.status, outcome.err) == (0, "")
    sums = [json.loads(line) for line in records.read_text().splitlines()]
    edits, moves, words = (sum(each[name] for each in sums) for name in ("edits", "moves", "path_length"))
    moved = f"{moves} move{'' if moves == 1 else 's'}"
    assert outcome.out == f"3 of 3 records proved: {edits} edits, {moved}, {words} reference words\n"


def test_shipped_records_are_proved() -> None:
    assert verified(EXAMPLES / "records" / "hyter.jsonl", *HYTER).status == 0


def test_a_record_is_proved_whatever_stands_for_no_word(tmp_path: Path) -> None:
    assert independent_proof.MARKERS == SENTENCE_MARKERS
    assert {"", *EPSILON_WORDS} == independent_proof.EPSILONS
    ref = written(tmp_path / "ref.txt", "".join(f"u{number} a b\n" for number in range(len(EPSILON_WORDS))))
    for number, word in enumerate(sorted(EPSILON_WORDS, key=bool, reverse=True)):
        written(tmp_path / "hyp" / f"u{number}.att", f"0 1 a\n1 2 {word or '<eps>'}\n2 3 b\n3\n")
    records = recorded(tmp_path, "oracle", ref, tmp_path / "hyp")
    assert [json.loads(line)["edits"] for line in records.read_text("utf-8").splitlines()] == [0] * len(
        EPSILON_WORDS
    )
    outcome = verified(records, ref, tmp_path / "hyp")
    assert outcome.status == 0, outcome.err


# ---- false records


def falsehoods(rng: random.Random, record: Record) -> Iterator[tuple[str, Record]]:
    """Records that claim something else, each with what is wrong."""
    counts = ("edits", "matches", "substitutions", "insertions", "deletions", "moves", "path_length")
    for name in counts:
        for by in (-1, 1):
            yield f"{name} {by:+}", record | {name: record[name] + by}
    if record["score"] is not None:
        yield "a better score", record | {"score": record["score"] - 0.125}
    if record["gain"] is not None:
        yield "a larger gain", record | {"gain": record["gain"] + 1}
        yield "a smaller limit", record | {"max_gain": record["max_gain"] - 1}
    else:
        yield "a gain of an error rate", record | {"gain": 1.0, "max_gain": 1}
    cheaper = record | {"edits": record["edits"] - 1, "substitutions": record["substitutions"] - 1}
    yield "a cheaper claim", cheaper | {"matches": record["matches"] + 1}
    steps = record["alignment"]
    for at, (op, one, other) in enumerate(steps):
        other_op = rng.choice([each for each in "=SID*" if each != op])
        yield (
            f"step {at} is {other_op}",
            record | {"alignment": [*steps[:at], [other_op, one, other], *steps[at + 1 :]]},
        )
        yield f"step {at} is gone", record | {"alignment": [*steps[:at], *steps[at + 1 :]]}
    for side, place in (("hypothesis", 1), ("closest", 2)):
        for at in range(len(record[side])):
            words = [*record[side][:at], "zz", *record[side][at + 1 :]]
            changed, left = [], list(words)
            for step in steps:
                new = list(step)
                if step[place] is not None:
                    new[place] = left.pop(0)
                changed.append(new)
            yield f"a word of {side} is another", record | {side: words}
            yield (
                f"a word of {side} and its alignment is another",
                record | {side: words, "alignment": changed},
            )
    if order := record.get("order"):
        if len(order) > 1:
            yield "the order is turned", record | {"order": order[::-1]}
            yield "a word is taken twice", record | {"order": [order[0], *order[:-1]]}
        yield "places that there are not", record | {"order": [each + 1 for each in order]}
    elif len(record["hypothesis"]) > 1:
        yield "an order of what has none", record | {"order": list(range(len(record["hypothesis"])))[::-1]}
    yield "another item", record | {"id": "nobody"}
    yield "no alignment", {name: value for name, value in record.items() if name != "alignment"}
    signature = record["signature"]
    for old, new in (("case:mixed", "case:lower"), ("unit:word", "unit:char"), ("|tok:none", ""),
                     ("ties:longest-path/1", "ties:none/1"), ("|ids:yes", "|ids:yes|grammars:en"),
                     (f"metric:{record['metric']}", "metric:bleu")):  # fmt: skip
        yield f"{new or 'no tok'} in the signature", record | {"signature": signature.replace(old, new)}


@pytest.mark.parametrize("run", RUNS)
def test_no_false_record_is_proved(tmp_path: Path, run: str) -> None:
    rng = random.Random(f"false {run}")
    place = folder(tmp_path, rng, 12)
    command, ref, hyp, *options = RUNS[run]
    records = recorded(tmp_path, command, place / ref, place / hyp, *options)
    sides = items(place / hyp), items(place / ref)
    tried = 0
    for number, line in enumerate(records.read_text(encoding="utf-8").splitlines()):
        record = json.loads(line)
        assert refusal(record, number, *sides) == ""
        for what, false in falsehoods(rng, record):
            assert refusal(false, number, *sides), (what, false)
            tried += 1
    assert tried > 12 * 25


def scored(record: Record, metric: str, costs: dict[str, float], order: int) -> Record:
    """A record whose counts, score and gain are those of its steps."""
    steps, memory, gain = record["alignment"], 0, Fraction(0)
    for op, *_ in steps:
        gain += (memory + 1 if metric == "grr" else 1) if op == "=" else -Fraction(str(costs.get(op, 0)))
        memory = min(memory + 1, order - 1) if op == "=" else 0
    counts = {name: sum(step[0] == op for step in steps) for op, name in
              zip("=SID", ("matches", "substitutions", "insertions", "deletions"), strict=True)}  # fmt: skip
    edits, length = len(steps) - counts["matches"], len(record["closest"])
    over, under = Fraction(edits + record["moves"]), length
    if rate := metric in ("wrr", "grr"):
        over, under = gain, sum(max(0, length - k) for k in range(order))
    score = float(over / under) if under else None if over else float(rate)
    gains = {"gain": float(over) if rate else None, "max_gain": under if rate else None}
    return record | counts | gains | {"edits": edits, "path_length": length, "score": score}


def steps_between(rng: random.Random, words: list[str], others: list[str]) -> list[list[str | None]]:
    """Any alignment of two sentences."""
    found: list[list[str | None]] = []
    one, other = list(words), list(others)
    while one or other:
        kind = rng.choice(
            [
                each
                for each in ("I" * bool(one), "D" * bool(other), "P" * bool(one and other) * 6)
                for each in each
            ]
        )
        a, b = one.pop(0) if kind in "IP" else None, other.pop(0) if kind in "DP" else None
        found.append(["=" if a == b else "S" if kind == "P" else kind, a, b])
    return found


def taken(rng: random.Random, words: list[str], k: int, jumps: bool) -> tuple[list[int], int]:
    """Any order within a window, and its moves."""
    rest, order, moves = list(range(len(words))), [], 0
    while rest:
        at = rng.choice([each for each in rest if each < rest[0] + k])
        moves += at != rest[0] and (jumps or not order or at != order[-1] + 1)
        order.append(at)
        rest.remove(at)
    return order, moves


CLAIMS = {
    "wer": (1, {}, []),
    "sclite": (1, {}, []),
    "wrr": (1, {"I": 1}, []),
    "grr": (4, {"I": 1}, []),
    "grr by paper": (3, {"I": -0.9, "D": 1}, METRICS["grr by paper"]),
    "hyter": (1, {}, ["--window", "3"]),
    "hyter by jumps": (1, {}, ["--window", "4", "--reordering", "jumps"]),
}  # fmt: skip


@pytest.mark.parametrize("claim", CLAIMS)
def test_other_paths_are_proved_only_where_they_are_as_good(tmp_path: Path, claim: str) -> None:
    """Records that are true in themselves, of any paths and alignment: only the best in the order of ties is proved."""
    rng = random.Random(f"others {claim}")
    order, costs, options = CLAIMS[claim]
    metric, place = claim.split()[0], folder(tmp_path, rng, 15)
    paths = place / "networks", place / "hyp.txt"
    records = recorded(tmp_path, "score", *paths, *WITH_EPS, "--metric", metric, *options)
    sides = items(place / "hyp.txt"), items(place / "networks")
    refused = equal = 0
    for line in records.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        paths = list(
            map(list, fm.networks.Paths(fm.Network.read(place / "networks" / f"{record['id']}.json")))
        )
        given = sides[0][1][record["id"]]
        for _ in range(25):
            words, new = list(given), record | {"closest": rng.choice(paths)}
            if metric == "hyter":
                window, jumps = int(options[1]), "jumps" in options
                places, moves = taken(rng, given, window if rng.random() < 0.5 else 1, jumps)
                new |= {"order": places, "moves": moves}
                words = [given[at] for at in places]
            new = scored(
                new | {"hypothesis": words, "alignment": steps_between(rng, words, new["closest"])},
                metric,
                costs,
                order,
            )
            is_best = all(
                new[name] == record[name]
                for name in ("edits", "moves", "matches", "deletions", "path_length", "gain")
            )
            why = refusal(new, 0, *sides)
            assert why == ("" if is_best else "another path is better"), (new, record)
            refused, equal = refused + (not is_best), equal + is_best
    assert refused > 200, "most paths are worse"
    assert equal, "some are as good"


def test_a_wrong_denominator_is_not_proved(tmp_path: Path) -> None:
    """Of equally cheap paths the longest counts: the score of another one is another."""
    cards = {"S": {"phrases": ["a b c", "a", "a x", "a b x"]}}
    ref = written(
        tmp_path / "u.json", json.dumps({"format": "fstmetrics-network/1", "root": "S", "cards": cards})
    )
    hyp = written(tmp_path / "hyp.txt", "u a b\n")
    (record,) = map(json.loads, recorded(tmp_path, "hyter", ref, hyp).read_text().splitlines())
    assert (record["edits"], record["path_length"]) == (1, 3)
    for closest, steps in (
        (["a"], [["=", "a", "a"], ["I", "b", None]]),
        (["a", "x"], [["=", "a", "a"], ["S", "b", "x"]]),
        (["a", "b", "x"], [["=", "a", "a"], ["=", "b", "b"], ["D", None, "x"]]),
    ):
        other = scored(record | {"closest": closest, "alignment": steps}, "hyter", {}, 1)
        why = refusal(other, 0, items(hyp), items(ref))
        assert why == ("" if len(closest) == 3 else "another path is better")


# ---- the file, the command, what it reads


def test_the_check_is_one_short_file_that_shares_nothing() -> None:
    text = Path(independent_proof.__file__).read_text(encoding="utf-8")
    assert text.count("\n") <= 250
    modules = [
        name
        for node in ast.walk(ast.parse(text))
        for name in ([alias.name for alias in node.names] if isinstance(node, ast.Import)
                     else [node.module or ""] if isinstance(node, ast.ImportFrom) else [])
    ]  # fmt: skip
    assert modules
    assert {name.partition(".")[0] for name in modules} <= sys.stdlib_module_names


def test_what_is_not_proved_is_said_item_by_item(tmp_path: Path) -> None:
    records = recorded(tmp_path, "hyter", *HYTER, "--window", "3")
    outcome = verified(records, *HYTER, "--max-states", "300")
    assert (outcome.status, outcome.err) == (1, "")
    assert outcome.out == (
        f"{records}:2: not proved: orejuela: no proof within 300 states; give a larger --max-states\n"
        "2 of 3 records proved: 1 edit, 2 moves, 12 reference words\n"
    )
    assert verified(records, *HYTER, "--max-states", "3000").status == 0, "the advice helps"
    assert "one side has too many arcs" in verified(records, *HYTER, "--max-states", "100").out
    # A record less is not a false one, and is told; a record twice would count twice.
    lines = records.read_text().splitlines(keepends=True)
    records.write_text("".join(lines[:2]))
    outcome = verified(records, *HYTER)
    assert (outcome.status, outcome.out.splitlines()[1]) == (0, f"{HYTER[0]} has 1 item without a record")
    records.write_text("".join([*lines, lines[0]]))
    outcome = verified(records, *HYTER)
    assert (outcome.status, outcome.out.splitlines()[0]) == (
        1, f"{records}:4: not proved: approval: line 1 has its id, too",
    )  # fmt: skip


def test_records_without_alignments_are_not_proved(tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    assert fstmetrics("hyter", *HYTER, "--output", records).status == 0
    outcome = verified(records, *HYTER)
    assert outcome.status == 1
    assert (
        f"{records}:1: not proved: approval: it has no alignment; write the records with --alignment"
        in outcome.out
    )
    assert verified(recorded(tmp_path, "hyter", *HYTER), *HYTER).status == 0, "the advice helps"


NOT_CHECKED = {
    "characters": (["--unit", "char"], "metric:cer"),
    "case": (["--lowercase"], "case:lower"),
    "ignored words": (["--ignore", "a"], "ignore"),
    "mer": (["--metric", "mer"], "metric:mer"),
    "two references": (["--ref", "ref.txt"], "refs:2"),
    "choices": (["--alternations", "braces"], "alternations:braces"),
}


@pytest.mark.parametrize("what", NOT_CHECKED)
def test_what_the_check_does_not_know_is_not_proved(
    tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "ref.txt", "a b\nb c\n")
    written(tmp_path / "hyp.txt", "a c\nb c\n")
    options, named = NOT_CHECKED[what]
    records = recorded(tmp_path, "score", "ref.txt", "hyp.txt", *options)
    outcome = verified(records, "ref.txt", "hyp.txt")
    assert (outcome.status, outcome.out.count("not proved")) == (1, 2)
    assert named in outcome.out or what in ("ignored words", "choices")
    assert "in its signature is not checked here" in outcome.out


def test_an_id_that_neither_side_has_is_not_proved(tmp_path: Path) -> None:
    ref, hyp = written(tmp_path / "ref.txt", "a b\nc\n"), written(tmp_path / "hyp.txt", "a b\nd\n")
    records = recorded(tmp_path, "score", ref, hyp)
    assert verified(records, ref, hyp).status == 0
    rows = [json.loads(line) for line in records.read_text().splitlines()]
    assert [row["id"] for row in rows] == [None, None]
    forged = written(
        tmp_path / "forged.jsonl", "".join(json.dumps({**row, "id": "u7"}) + "\n" for row in rows[:1])
    )
    outcome = verified(forged, ref, hyp)
    assert outcome.status == 1
    assert "its id is not that of item 1 of either side" in outcome.out


def test_what_follows_an_item_that_was_left_out_is_told(tmp_path: Path) -> None:
    """By order; records of items before it are proved."""
    networks, hyp = tmp_path / "networks", written(tmp_path / "hyp.txt", "a b\nx b\nc d\n")
    networks.mkdir()
    for name, phrases in (("1", "a b; a c"), ("2", "[X] b"), ("3", "c d")):
        written(networks / f"{name}.cards", f"[S]: {phrases}\n")
    records = tmp_path / "records.jsonl"
    run = fstmetrics("hyter", networks, hyp, "--keep-going", "--alignment", "--output", records)
    assert run.status == 1
    outcome = verified(records, networks, hyp)
    assert outcome.status == 1
    assert (
        ":2: not proved: 3: its id is not that of item 2 of either side; was an item left out" in outcome.out
    )
    assert "1 of 2 records proved" in outcome.out


def converted(folder: Path, source: object, name: str, *options: object) -> Path:
    """What `convert` makes of an input that verify does not read, as its messages say."""
    outcome = fstmetrics("convert", source, f"{folder / name}{'/' if '.' not in name else ''}", *options)
    assert outcome.status == 0, outcome.err
    return folder / name


def test_the_advice_for_what_it_does_not_read_leads_to_proofs(tmp_path: Path) -> None:
    """Records of trn, manifests, folders of text and Kaldi's archives, proved on what `convert` makes of these."""
    text, speech = ("--to", "kaldi-text"), EXAMPLES / "speech"
    small, large = (EXAMPLES / "manifests" / f"{name}.jsonl" for name in ("small", "large"))
    for name in ("ref", "new"):
        for line in (
            converted(tmp_path, speech / f"{name}.trn", f"{name}.txt", *text).read_text().splitlines()
        ):
            id, _, words = line.partition(" ")
            written(tmp_path / name / f"{id}.txt", words + "\n")
    archive = converted(tmp_path, ORACLE[1], "lat.ark.gz", "--to", "kaldi-lattice-text", "--lossy")
    cases = {
        "trn": ("score", speech / "ref.trn", speech / "new.trn", text, text, "does not read .trn files"),
        "manifests": ("score", small, large, (*text, "--fields", "ref=text"), (*text, "--fields", "hyp=pred_text"),
                      "does not read .jsonl files"),
        "folders": ("score", tmp_path / "ref", tmp_path / "new", text, text, "is text in a folder"),
        "archive": ("oracle", ORACLE[0], archive, text, ("--to", "att", "--lossy"),
                    "does not read .ark files"),
    }  # fmt: skip
    for kind, (command, ref, hyp, of_ref, of_hyp, said) in cases.items():
        records = recorded(tmp_path, command, ref, hyp)
        refused = verified(records, ref, hyp)
        assert refused.status == 2, kind
        assert said in refused.err
        assert "convert IN OUT.txt --to kaldi-text" in refused.err
        made = converted(tmp_path, ref, f"{kind}-ref.txt", *of_ref)
        other = converted(tmp_path, hyp, f"{kind}-hyp" + ("" if kind == "archive" else ".txt"), *of_hyp)
        outcome = verified(records, made, other)
        assert outcome.status == 0, outcome.out
        records.unlink()


def test_items_without_ids_pair_by_order(tmp_path: Path) -> None:
    ref = written(tmp_path / "ref.txt", "a b\n\n<s> c </s>\n")
    hyp = written(tmp_path / "hyp.txt", "a\nb\nc d\n")
    records = recorded(tmp_path, "score", ref, hyp)
    assert verified(records, ref, hyp).out == "3 of 3 records proved: 3 edits, 0 moves, 3 reference words\n"
    turned = written(tmp_path / "turned.txt", "b\na\nc d\n")
    assert verified(records, ref, turned).status == 1
    # Networks by number against lines: u10 comes after u9.
    texts = [f"{'word ' * n}end" for n in range(12)]
    for n, text in enumerate(texts):
        cards = {"S": {"phrases": [text]}}
        written(
            tmp_path / "n" / f"{n}.json",
            json.dumps({"format": "fstmetrics-network/1", "root": "S", "cards": cards}),
        )
    hyp = written(tmp_path / "lines.txt", "".join(f"{text}\n" for text in texts))
    assert verified(recorded(tmp_path, "hyter", tmp_path / "n", hyp), tmp_path / "n", hyp).status == 0


DAMAGED: dict[str, tuple[str, bytes, str]] = {
    "no file": ("none/hyp.txt", b"", "No such file or directory"),
    "not gzip": ("u.slf.gz", b"\x1f\x8bxx", "cannot be read"),
    "not UTF-8": ("hyp.txt", b"\xff\xfe", "is no text (UTF-8)"),
    "not JSON": ("u.json", b"{", "cannot be read"),
    "no network": ("u.json", b'{"a": 1}', "it lacks 'cards'"),
    "a list": ("u.json", b'["a"]', "cannot be read"),
    "no card": ("u.cards", b"root: S\nwords\n", "no card: 'words'"),
    "no SLF": ("u.slf", b"a b c\n", "cannot be read"),
    "half an SLF": (
        "u.slf",
        b"N=2 L=2\nI=0\nI=1\nJ=0 S=0 E=1 W=a\n",
        "other numbers of nodes and links than it says",
    ),
    "sub-lattices": ("u.slf", b"N=2 L=1\nI=0\nI=1 L=X\nJ=0 S=0 E=1\n", "no SLF, or sub-lattices"),
    "no AT&T": ("u.fst.txt", b"\n", "cannot be read"),
    "text in a folder": (
        "folder/u.txt",
        b"a b\n",
        "is text in a folder; expected .slf, .fst.txt, .att, .json or .cards",
    ),
}


@pytest.mark.parametrize("what", DAMAGED)
def test_an_input_that_cannot_be_read_is_one_line(tmp_path: Path, what: str) -> None:
    name, content, message = DAMAGED[what]
    records = recorded(tmp_path, "hyter", *HYTER)
    file = tmp_path / name
    if content:
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content)
    given = file.parent if name.startswith("folder") else file
    for sides in ((HYTER[0], given), (given, HYTER[1])):
        outcome = verified(records, *sides)
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
        assert str(file) in outcome.err
        assert message in outcome.err


@pytest.mark.parametrize("line", ["", "x", "{", "[", '{"id": "approval"', "NaN]"])
def test_a_line_that_is_no_record_is_named(tmp_path: Path, line: str) -> None:
    records = recorded(tmp_path, "hyter", *HYTER)
    records.write_text(records.read_text() + line + "\n")
    outcome = verified(records, *HYTER)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert f"{records}:4: expected a record" in outcome.err


@pytest.mark.parametrize("value", [1, None, "x", [], {}, {"signature": 3}, {"id": [], "signature": "x|y"}])
def test_another_object_is_not_proved(tmp_path: Path, value: Any) -> None:
    records = written(tmp_path / "records.jsonl", json.dumps(value) + "\n")
    outcome = verified(records, *HYTER)
    assert (outcome.status, outcome.err) == (1, "")
    assert outcome.out.splitlines()[0].startswith(f"{records}:1: not proved: ")


BREAKS: dict[str, Callable[[Record], None]] = {
    "a circle": lambda data: data["cards"]["RATE"]["phrases"].append("[S]"),
    "a card that there is not": lambda data: data["cards"]["RATE"]["phrases"].append("[NOBODY]"),
    "a bracket": lambda data: data["cards"]["RATE"]["phrases"].append("a[b"),
    "a cycle": lambda data: data["cards"].update(RATE={"arcs": [[0, 1, "a"], [1, 0, "b"]], "final": [1]}),
}


@pytest.mark.parametrize("what", BREAKS)
def test_a_network_that_cannot_be_followed_proves_nothing(tmp_path: Path, what: str) -> None:
    records = recorded(tmp_path, "hyter", *HYTER)
    data = json.loads((Path(HYTER[0]) / "approval.json").read_text())
    BREAKS[what](data)
    ref = written(tmp_path / "approval.json", json.dumps(data))
    records.write_text(records.read_text().splitlines(keepends=True)[0])
    outcome = verified(records, ref, HYTER[1])
    assert (outcome.status, outcome.err) == (1, "")
    assert outcome.out.startswith(f"{records}:1: not proved: approval: ")


EMPTY_CHOICES = [
    "[S]: ; b",
    "[S]: a;; b",
    "[S]: a\n ; b",
    "[S]: a\n\n  ; b",
    "[S]: a;\n b;",
    '[S]: ""; b',
    "[S]: ;",
]


@pytest.mark.parametrize("cards", EMPTY_CHOICES)
def test_phrases_are_those_of_the_reader_of_cards(cards: str, tmp_path: Path) -> None:
    """A phrase may be nothing; what verify reads is what was scored."""
    (tmp_path / "n.cards").write_text(f"{cards}\n")
    network = fm.Network.read(tmp_path / "n.cards")
    found = independent_proof._typed(f"{cards}\n")["cards"]["S"]["phrases"]
    assert sorted(found) == sorted(" ".join(map(str, phrase)) for phrase in network.cards["S"].phrases)


def test_a_record_of_another_metric_is_not_proved(tmp_path: Path) -> None:
    ref, hyp = (
        written(tmp_path / "r", "u_1 a b c\nu_2 a b\n"),
        written(tmp_path / "h", "u_2 a b\nu_1 a x c\n"),
    )
    records = tmp_path / "records.jsonl"
    assert fstmetrics("score", ref, hyp, "--alignment", "--output", records).status == 0
    assert fstmetrics("verify", records, ref, hyp).status == 0
    written(records, records.read_text().replace('"metric": "wer"', '"metric": "grr"'))
    outcome = fstmetrics("verify", records, ref, hyp)
    assert (outcome.status, "0 of 2 records proved" in outcome.out) == (1, True)
