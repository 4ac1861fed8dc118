"""Whole commands as users run them: ours and those of other programs, by the clock, in CPU time and in memory.

Every question has one command of ours and some of others. They are run by turns, and what they print must be the same
before a time is kept.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fstmetrics as fm
from bench import generate, peers, probe
from bench.compiled_items import LARGEST
from bench.inputs import SHARED, Inputs
from bench.measure import Line, Use, missing
from bench.processes import Command, check_same, middle, used
from bench.rows.speakers import meeting
from fstmetrics.openfst.folder import write_machines

SCTK = "apt-get install sctk"
OPENFST = "apt-get install libfst-tools"
REPEATS = 3
OURS = "fstmetrics"

Answer = Callable[[str], Sequence[float]] | None


@dataclass(frozen=True)
class Question:
    """What a user wants to know, and the commands that say it.

    Attributes:
        text: the question.
        ours: our command.
        others: those of other programs.
    """

    text: str
    ours: Command
    others: Sequence[Command]


def whole(inputs: Inputs) -> Iterator[Line]:
    """Every question, a line for each of the other programs."""
    speech = (_score, _start, _alignments, _compare, _oracle, _meeting)
    for make in (*speech, _hyter, _strings, _bootstrap, _page):
        yield from _answered(make(inputs, _home(inputs, make.__name__)), inputs)


def _home(inputs: Inputs, name: str) -> Path:
    folder = inputs.folder / f"whole{name}"
    folder.mkdir(exist_ok=True)
    return folder


def _answered(question: Question, inputs: Inputs) -> Iterator[Line]:
    """The lines of a question: medians of all commands, which take turns."""
    folder = inputs.folder
    uses: dict[str, list[Use]] = {}
    answers: dict[str, Sequence[float]] = {}
    lacking: dict[str, str] = {}
    for _ in range(1 if inputs.tiny else REPEATS):
        for command in (question.ours, *question.others):
            if command.name in lacking:
                continue
            try:
                use, text = used(command, folder)
            except peers.MissingError as hint:
                lacking[command.name] = str(hint)
                continue
            uses.setdefault(command.name, []).append(use)
            if command.answer:
                answers[command.name] = command.answer(text)
    check_same(question.text, answers)
    ours = middle(uses[question.ours.name])
    for command in question.others:
        if command.name in lacking:
            yield missing(question.text, command.name, lacking[command.name])
            continue
        theirs = middle(uses[command.name])
        note = f"CPU time {theirs.cpu / ours.cpu:.3g} times ours; peak {ours.peak:.0f} / {theirs.peak:.0f} MB"
        yield Line(
            question.text,
            command.name,
            1e3 * ours.wall,
            1e3 * theirs.wall,
            theirs.cpu / ours.cpu,
            note=note,
            ours_is=question.ours.name,
            our_use=ours,
            their_use=theirs,
            leaves_out=command.leaves_out,
        )


def numbers(pattern: str) -> Callable[[str], Sequence[float]]:
    """Of what a command prints, the numbers in the first place where a pattern fits."""

    def found(text: str) -> Sequence[float]:
        place = re.search(pattern, text, re.DOTALL)
        if place is None:
            raise RuntimeError(f"{pattern} is not in {text[-300:]!r}")
        return [float(number) for number in place.groups()]

    return found


def of_json(*keys: Any) -> Callable[[str], Sequence[float]]:
    """The number below these keys."""

    def found(text: str) -> Sequence[float]:
        value = json.loads(text)
        for key in keys:
            value = value[key]
        return [float(value)]

    return found


def write_speech(folder: Path, count: int, words: int = 15) -> None:
    """A reference and two outputs of a recogniser, in the formats of all programs: `ref`, `old` and `new`."""
    references, new = generate.string_pairs(1, count, words, 0.1)
    rng = random.Random(7)
    zipf = generate.Zipf(rng)
    old = [" ".join(generate.corrupted(rng, text.split(), 0.12, zipf)) for text in references]
    for name, texts in (("ref", references), ("old", old), ("new", new)):
        ids = [f"speaker{number % 50}-{number:07d}" for number in range(count)]
        rows = list(zip(ids, texts, strict=True))
        for end, lines in (
            ("trn", (f"{text} ({id})\n" for id, text in rows)),
            ("txt", (f"{text}\n" for _, text in rows)),
            ("stm", (f"{id} 1 s 0 1 {text}\n" for id, text in rows)),
        ):
            (folder / f"{name}.{end}").write_text("".join(lines))


def rate(pattern: str) -> Callable[[str], Sequence[float]]:
    """Of what a command prints, the first number where a pattern fits, divided by the second."""

    def found(text: str) -> Sequence[float]:
        errors, words = sorted(numbers(pattern)(text))
        return [errors / words]

    return found


# Errors and words of the references; in sclite's row words, and after matches, S, D and I the errors.
OF_SCORE = rate(r"\[ (\d+) / (\d+),")
OF_SCLITE = rate(r"\| Sum +\| *\d+ +(\d+) \|[ \d]*? (\d+) +\d+ *\|")


def score_commands(folder: Path) -> tuple[Command, list[Command]]:
    """The WER of the files of `write_speech`: our command, and those of others."""
    plain = ["-r", f"{folder}/ref.txt", "-h", f"{folder}/new.txt"]
    stm = ["-r", f"{folder}/ref.stm", "-h", f"{folder}/new.stm"]
    return _ours("score", [f"{folder}/ref.trn", f"{folder}/new.trn"], OF_SCORE), [
        _jiwer(
            [*plain],
            numbers(r"([\d.]+)"),
            "counts, several references",
        ),
        _sclite(
            folder,
            ["-o", "rsum", "stdout"],
            OF_SCLITE,
            "several references, tables, gzip",
        ),
        _meeteval("wer", stm, OF_SCORE, "alignments, several references"),
    ]


def _ours(name: str, arguments: Sequence[str], answer: Answer = None, shown: str = "") -> Command:
    return Command(f"{OURS} {name}{shown}", [OURS, name, *arguments], answer)


def _jiwer(arguments: Sequence[str], answer: Answer, leaves_out: str, shown: str = "") -> Command:
    return Command(f"jiwer{shown}", ["jiwer", *arguments], answer, leaves_out, "pip install jiwer")


def _sclite(folder: Path, output: Sequence[str], answer: Answer, leaves_out: str, shown: str = "") -> Command:
    files = ["-r", f"{folder}/ref.trn", "trn", "-h", f"{folder}/new.trn", "trn", "-i", "spu_id", "-s"]
    return Command(f"sclite{shown}", ["sctk", "sclite", *files, *output], answer, leaves_out, SCTK)


def _meeteval(name: str, arguments: Sequence[str], answer: Answer, leaves_out: str) -> Command:
    words = ["meeteval-wer", name, *arguments]
    return Command(f"meeteval-wer {name}", words, answer, leaves_out, "pip install meeteval")


def _sacrebleu(arguments: Sequence[str], answer: Answer, leaves_out: str, shown: str) -> Command:
    return Command(
        f"sacrebleu{shown}", ["sacrebleu", *arguments], answer, leaves_out, "pip install sacrebleu"
    )


def _score(inputs: Inputs, folder: Path) -> Question:
    count = 200 if inputs.tiny else 100_000
    write_speech(folder, count)
    return Question(f"How long do I wait for the WER of {count:,} utterances?", *score_commands(folder))


def _alignments(inputs: Inputs, folder: Path) -> Question:
    count = 200 if inputs.tiny else 20_000
    write_speech(folder, count)
    files = [f"{folder}/ref.trn", f"{folder}/new.trn", "--alignment", "--output", f"{folder}/a.jsonl"]
    plain = ["-r", f"{folder}/ref.txt", "-h", f"{folder}/new.txt", "-a"]
    return Question(
        f"And for a file with the alignments of {count:,} utterances?",
        _ours("score", files, OF_SCORE, " --alignment --output"),
        [
            _jiwer(plain, None, "files for programs, ids", " -a"),
            _sclite(folder, ["-o", "pralign", "-O", str(folder)], None, "files for programs", " -o pralign"),
        ],
    )


def compare_commands(folder: Path) -> tuple[Command, list[Command]]:
    """MAPSSWE of two systems: our command, and SCTK's, which aligns each system before."""
    files = [f"{folder}/{name}.trn" for name in ("ref", "old", "new")]
    options = ["--test", "mapsswe", "--metric", "sclite", "--json"]
    sclite = "sctk sclite -r ref.trn trn -h {0}.trn trn -i spu_id -s -o sgml -n {0} -O . > {0}.log"
    script = [
        f"set -e; cd {folder}",
        *(sclite.format(name) for name in ("old", "new")),
        "cat old.sgml new.sgml | sctk sc_stats -p -t mapsswe -v -n out",
        "cat out*",
    ]
    theirs = Command(
        "sclite of both, then sc_stats -t mapsswe",
        ["bash", "-c", "\n".join(script)],
        leaves_out="intervals of the rates, small values of p",
        hint=SCTK,
    )
    return _ours(
        "compare", ["--ref", *files, *options], of_json("tests", 0, "segments"), " --test mapsswe"
    ), [theirs]


def _compare(inputs: Inputs, folder: Path) -> Question:
    count = 200 if inputs.tiny else 20_000
    write_speech(folder, count)
    text = f"Does the new recogniser make fewer errors, on {count:,} utterances, or is it chance?"
    return Question(text, *compare_commands(folder))


def _translations(inputs: Inputs, folder: Path) -> int:
    """A reference and two translations, real ones where they are there; how many segments they have."""
    shared = SHARED / "mt-compare-mt"
    names = {"ref": "ted.ref.eng.gz", "a": "ted.sys1.eng.gz", "b": "ted.sys2.eng.gz"}
    if shared.is_dir() and not inputs.tiny:
        texts = {name: gzip.decompress((shared / file).read_bytes()).decode() for name, file in names.items()}
    else:
        reference, first = generate.string_pairs(4, 100 if inputs.tiny else 2500, 20, 0.3)
        _, second = generate.string_pairs(4, len(reference), 20, 0.4)
        sides = {"ref": reference, "a": first, "b": second}
        texts = {name: "".join(f"and {text}\n" for text in side) for name, side in sides.items()}
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return texts["ref"].count("\n")


def _strings(inputs: Inputs, folder: Path) -> Question:
    count = _translations(inputs, folder)
    reference, output = f"{folder}/ref.txt", f"{folder}/a.txt"
    return Question(
        f"What are BLEU and chrF of {count:,} segments?",
        _ours(
            "score",
            [reference, output, "--metric", "bleu,chrf"],
            numbers(r"bleu +([\d.]+).*?chrf +([\d.]+)"),
            " --metric bleu,chrf",
        ),
        [
            _sacrebleu(
                [reference, "-i", output, "-m", "bleu", "chrf", "-w", "2"],
                numbers(r'"score": ([\d.]+).*?"score": ([\d.]+)'),
                "means of the segments' scores",
                " -m bleu chrf",
            )
        ],
    )


def _bootstrap(inputs: Inputs, folder: Path) -> Question:
    count = _translations(inputs, folder)
    reference, *outputs = (f"{folder}/{name}.txt" for name in ("ref", "a", "b"))
    options = ["--metric", "bleu,chrf", "--test", "sacrebleu-bootstrap", "--samples", "1000"]
    return Question(
        f"Is the new translation better by BLEU and chrF, on {count:,} segments, or is it chance?",
        _ours("compare", ["--ref", reference, *outputs, *options], None, " --test sacrebleu-bootstrap"),
        [
            _sacrebleu(
                [reference, "-i", *outputs, "-m", "bleu", "chrf", "--paired-bs", "-f", "text"],
                None,
                "the difference's interval, metrics of words, groups of segments",
                " --paired-bs",
            )
        ],
    )


def _page(inputs: Inputs, folder: Path) -> Question:
    count = _translations(inputs, folder)
    files = [f"{folder}/{name}.txt" for name in ("ref", "a", "b")]
    options = ["--metric", "bleu", "--tokenize", "none", "-o", f"{folder}/page.html"]
    theirs = Command(
        "compare-mt",
        ["compare-mt", *files, "--output_directory", f"{folder}/report"],
        leaves_out="alignments, most segments, and tests unless asked for",
        hint="pip install compare-mt",
    )
    return Question(
        f"How long does a page take that shows two systems on {count:,} segments?",
        _ours("report", ["--ref", *files, *options]),
        [theirs],
    )


def oracle_commands(folder: Path, items: int) -> tuple[Command, list[Command]]:
    """The oracles of lattices in a folder: our command, and OpenFst's programs on what `fstmetrics compile` wrote."""
    ours = _ours("oracle", [f"{folder}/ref.txt", f"{folder}/lattices"], numbers(r"\[ (\d+) / "))
    return ours, [_openfst(folder, [f"u{number}" for number in range(items)])]


def _openfst(folder: Path, items: Sequence[str]) -> Command:
    """OpenFst's programs, an item after the other, each of which is compiled already; the sum of the costs."""
    loop = f"for item in {' '.join(items)}; do sh {folder}/$item/run.sh | sed -n 's/^cost: //p'; done"
    return Command(
        "OpenFst: fstcompose, fstshortestpath",
        ["bash", "-c", f"set -eo pipefail\n{loop}"],
        lambda text: [sum(map(float, text.split()))],
        "reading, counts",
        OPENFST,
    )


def write_lattices(folder: Path, items: int, arcs: int, compiled: bool = True, words: int = 25) -> None:
    """Lattices in a folder, their references, and if `compiled` each as machines for OpenFst."""
    (folder / "lattices").mkdir(exist_ok=True)
    text = " ".join(f"w{word}" for word in probe.reference(words))
    rng = random.Random(0)
    references = []
    for number in range(items):
        path = folder / "lattices" / f"u{number}.fst.txt"
        probe.write_wide(path, arcs, words)
        said = " ".join(word for word in text.split() if rng.random() > 0.05)
        references.append(f"u{number} {said}\n")
        if compiled:
            write_machines(fm.compile(fm.Lattice.read(path), said, "wer"), str(folder / f"u{number}"))
    (folder / "ref.txt").write_text("".join(references))


def _oracle(inputs: Inputs, folder: Path) -> Question:
    items, arcs = (3, 200) if inputs.tiny else (50, 1000)
    write_lattices(folder, items, arcs)
    text = f"How near does a path of {items} lattices of {arcs:,} arcs come to the reference?"
    return Question(text, *oracle_commands(folder, items))


def hyter_commands(folder: Path, items: int, window: int) -> tuple[Command, list[Command]]:
    """HyTER of what `write_networks` wrote: our command, and OpenFst's programs."""
    files = [f"{folder}/networks", f"{folder}/hyp.txt", "--window", str(window), "--json"]
    ours = _ours("hyter", files, _cost, f" --window {window}")
    return ours, [_openfst(folder, [f"u{number}" for number in range(items)])]


def _cost(text: str) -> Sequence[float]:
    summary = json.loads(text)
    return [summary["edits"] + summary["moves"]]


def write_networks(folder: Path, items: int, alternatives: int, window: int | None) -> int:
    """Networks without nested cards in a folder, and a translation for each; how many words a network has.

    Args:
        window: of the machines for OpenFst; None: there are none.
    """
    (folder / "networks").mkdir(exist_ok=True)
    translations, words = [], 0
    for number in range(items):
        net = generate.network(number, 10, alternatives, 1)
        path = folder / "networks" / f"u{number}.json"
        path.write_text(json.dumps(net))
        rng = random.Random(number)
        said = generate.corrupted(rng, generate.sampled_path(rng, net), 0.2, generate.Zipf(rng))
        text = " ".join(generate.with_swaps(rng, said, 2))
        translations.append(f"u{number} {text}\n")
        words += sum(len(phrase.split()) for card in net["cards"].values() for phrase in card["phrases"])
        if window is not None:
            with fm.limited(expansion=LARGEST):
                machines = fm.compile(text, fm.Network.read(path), fm.HyTER(window=window))
                write_machines(machines, str(folder / f"u{number}"))
    (folder / "hyp.txt").write_text("".join(translations))
    return words // items


def _hyter(inputs: Inputs, folder: Path) -> Question:
    items, alternatives, window = (2, 3, 2) if inputs.tiny else (50, 20, 3)
    words = write_networks(folder, items, alternatives, window)
    text = f"How far are {items} translations from networks of {words:,} words, if words may move within {window}?"
    return Question(text, *hyter_commands(folder, items, window))


def _meeting(inputs: Inputs, folder: Path) -> Question:
    words, speakers = 200 if inputs.tiny else 9000, 4
    for name, rows in zip(("ref", "hyp"), meeting(words, speakers), strict=True):
        lines = (
            f"meeting 1 {row['speaker']} {row['start_time']} {row['end_time']} {row['words']}\n"
            for row in rows
        )
        (folder / f"{name}.stm").write_text("".join(lines))
    reference, output = f"{folder}/ref.stm", f"{folder}/hyp.stm"
    return Question(
        f"What is the cpWER of a meeting of {words:,} words and {speakers} speakers?",
        _ours("speakers", [reference, output, "--json"], of_json("edits")),
        [_meeteval("cpwer", ["-r", reference, "-h", output], numbers(r"\[ (\d+) / "), "alignments in files")],
    )


def _start(inputs: Inputs, folder: Path) -> Question:
    write_speech(folder, 1)
    return Question("And how long for a single utterance?", *score_commands(folder))
