"""Every command and every option, from click's own tree: numbers of any size, and words of any characters.

`COMMANDS` has a small command line for each command; a command that it lacks fails a test, so that none is forgotten.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Collection, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from command import HYTER, Outcome, all_params, fstmetrics, written
from engine_runs import Pickling

from fstmetrics.apps.annotate.annotation_import import new_sentence
from fstmetrics.apps.annotate.project_store import Project
from fstmetrics.cli import cli
from fstmetrics.cli.click_options import Command, Ranged, Value
from fstmetrics.data.network import Network
from fstmetrics.metrics.grr import DECIMAL
from fstmetrics.support.names import did_you_mean, nearest

# A small run of every command, in a folder as `folder` makes it.
COMMANDS = {
    "oracle": "ref lattice",
    "mbr": "lattice",
    "best": "lattice",
    "combine": "ref hyp hyp2",
    "tune": "nbest --ref ref --weights weights",
    "speakers": "spoken.stm spoken.stm --metric tcpwer",
    "confidence": "spoken.stm spoken.ctm",
    "latency": "instances --samples 20",
    "partials": "partials",
    "hyter": "network.json hyp1",
    "score": "ref hyp",
    "segment": "ref hyp",
    "compare": "--ref ref hyp hyp2 --samples 20",
    "compile": "ref hyp --item 0 --to machines",
    "verify": "records ref hyp",
    "merge": "part --output merged",
    "correlate": "scores --samples 5",
    "rankings": "ranks",
    "variants": "hyp --ref ref",
    "grammar list": "",
    "grammar savings": "ref hyp --grammar rules",
    "grammar show": "rules",
    "grammar test": "rules",
    "grammar try": "rules a b",
    "show": "records",
    "errors": "records",
    "report": "records -o page.html",
    "features": "network.json hyp1",
    "proficiency": "table --folds 2",
    "convert": "lattice out/ --to slf --lossy",
    "pack": "lattice lattices.packed",
    "index": "lattice",
    "network build": "ref -o networks",
    "network accepts": "network.json wanted",
    "network info": "network.json",
    "network paths": "network.json --limit 5",
    "network draw": "network.json",
    "network validate": "network.json",
    "network union": "network.json network.json -o out.json",
    "network spu": "network.json network.json -o out.json",
    "network propose": "network.json --system hyp1",
    "network review": "proposals network.json --accept-all -o out.json",
    "network normalise": "network.json",
    "network convert": "network.json -o out.cards",
    "annotate": "project --export exported",
    "demo": "",
    "doctor": "",
    "completion": "bash",
}
# What an option needs beside it.
BESIDE = {
    ("correlate", "--per-size"): "--documents 1",
    ("correlate", "--p-level"): "--test bootstrap",
    ("tune", "--epochs"): "--algorithm mira",
    ("network paths", "--sample"): None,  # in place of --limit
    ("network paths", "--seed"): None,
}
# The largest number of these takes minutes.
LONG = ("--starts", "--directions", "--epochs", "--samples", "--sample", "--generated", "--per-size")
# Options with numbers in text.
TEXTS = {
    ("oracle", "--beam"): "{}",
    ("oracle", "--max"): "arcs={}",
    ("score", "--grammar"): "rules@{}",
    ("correlate", "--documents"): "{}",
    ("convert", "--scale"): "lm={}",
}
EXTREMES = [
    "0", "-0", "-1", "1", "+3", "007", "2147483647", "2147483648", "4294967296", "9223372036854775807",
    "9223372036854775808", "18446744073709551616", "1" + "0" * 30, "9" * 5000, "0.5", "5.0", "1e3", "1e308",
    "-1e308", "1e400", "1e-320", "nan", "inf", "-inf", "", " ", " 5", "5 ", "0x10", "１", "٣", "1_000", "1,000", "--",
    "a\x1b[31m",
]  # fmt: skip
FEW_EXTREMES = ("", "--", "1e400")
# The longest line on standard error, beyond what a file's name takes.
LONGEST = 800


def commands(command: click.Command = cli, name: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command with its name."""
    if not isinstance(command, click.Group):
        yield name, command
        return
    context = click.Context(command)
    for each in command.list_commands(context):
        found = command.get_command(context, each)
        assert found is not None
        yield from commands(found, f"{name} {each}".strip())


ALL = dict(commands())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Small files of every kind, in the folder where commands run."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "ref", "a b c d\na c\n")
    written(tmp_path / "hyp", "a b d\na c\n")
    written(tmp_path / "hyp1", "where train station is\n")
    written(tmp_path / "hyp2", "a b c d\nc\n")
    written(tmp_path / "wanted", "where is the train station\n")
    written(tmp_path / "rules", "# rules\na b -> c\n")
    lattice = "1\n0 1 a 1,2,1_2\n0 1 b 2,1,3\n1 2 c 0,1,4\n1 0,0,\n2 0,0,\n\n2\n0 1 a 1,2,\n1 0,0,\n\n"
    written(tmp_path / "lattice", lattice)
    shutil.copy(Path(HYTER[0], "station.json"), tmp_path / "network.json")
    written(tmp_path / "proposals", proposals("network", "STATION"))
    written(tmp_path / "spoken.stm", "m 1 ann 0.0 2.5 a b\nm 1 bob 2.5 4.0 c\n")
    written(tmp_path / "spoken.ctm", "m 1 0.5 0.5 a 0.9\nm 1 1.5 0.5 x 0.4\nm 1 3.0 0.5 c 0.8\n")
    written(
        tmp_path / "scores", "system\tsegment\thuman\tbleu\na\t1\t1\t2\na\t2\t1\t3\nb\t1\t3\t2\nb\t2\t3\t5\n"
    )
    written(tmp_path / "ranks", "segment\tA\tB\n1\t1\t2\n2\t1\t1\n")
    written(
        tmp_path / "table", "passage\tx\tlevel\n" + "".join(f"p{i}\t{i % 2}\t{i % 2}\n" for i in range(6))
    )
    written(
        tmp_path / "nbest",
        "0 ||| a b ||| lm= -1 ||| -1\n0 ||| a b c ||| lm= -2 ||| -2\n1 ||| a ||| lm= -1 ||| -1\n",
    )
    written(tmp_path / "weights", "lm 1\n")
    instance = '{"prediction": "a b", "delays": [1, 2], "source_length": 2, "reference": "a b"}'
    written(tmp_path / "instances", f"{instance}\n{instance}\n")
    written(tmp_path / "partials", '{"id": "u", "time": 1, "text": "a b", "final": true}\n')
    with Project.open(tmp_path / "project", create=True) as project:
        networks = {"ann": Network.read(tmp_path / "network.json")}
        project.add("document", [new_sentence("station", "a b c d e", networks=networks)])
    assert fstmetrics("score", "ref", "hyp", "--shard", "1/1", "--output", "part").status == 0
    outcome = fstmetrics("score", "ref", "hyp", "--alignment", "--output", "records")
    assert outcome.status == 0, outcome.err
    return tmp_path


def proposals(network: str, card: str) -> str:
    """A file of one proposal."""
    phrase = {"network": network, "card": card, "phrase": "a new phrase"}
    return json.dumps({"format": "fstmetrics-proposals/1", "proposals": [phrase]})


def check(outcome: Outcome, line: list[str]) -> None:
    """One clear line and status 2, or an answer; faults of networks are the answer of `network validate`."""
    assert outcome.status in (0, 1, 2), line
    assert "Traceback" not in outcome.err
    faults = line[:2] == ["network", "validate"] and re.search("with faults?\n$", outcome.out)
    if outcome.status == 2 and not faults:
        assert outcome.err.startswith("fstmetrics: "), line
        *faults_of_items, last = outcome.err.splitlines()
        are_listed = "--keep-going" in line and "no item can be written" in last  # of convert, a line each
        assert are_listed or not faults_of_items, (line, outcome.err)
        assert len(outcome.err) < LONGEST, line
    if not outcome.out.startswith(
        ("%PDF", "\udc89PNG", "\udcd6\udcfd")
    ):  # pictures and OpenFst's files are bytes
        assert "\x1b" not in outcome.out + outcome.err


# Packages without which a command says which extra it needs.
NEEDS = {"proficiency": "sklearn", "compile": "pynini"}


def test_every_command_has_a_line_here(folder: Path) -> None:
    assert set(COMMANDS) == set(ALL)
    for name, line in COMMANDS.items():
        if name != "demo" and (name not in NEEDS or find_spec(NEEDS[name])):
            outcome = fstmetrics(*name.split(), *line.split())
            assert outcome.status == 0, (name, outcome.err)


def numbers() -> Iterator[tuple[str, click.Option]]:
    for name, command in ALL.items():
        for option in all_params(command):
            if isinstance(option, click.Option) and isinstance(option.type, Ranged):
                yield name, option


class Range(NamedTuple):
    """The range of a number, as help pages have it."""

    least: str
    most: str
    without_least: bool
    without_most: bool
    is_whole: bool


def range_of(option: click.Option) -> Range:
    assert isinstance(option.type, Ranged)
    match = re.fullmatch(r"(above )?(\S+) to (below )?(\S+)", option.type.kind.extent)
    assert match is not None
    return Range(match[2], match[4], bool(match[1]), bool(match[3]), option.type.kind.word == "N")


@pytest.mark.parametrize("name", [name for name, command in ALL.items() if isinstance(command, Command)])
def test_an_option_without_its_value_says_what_that_is(name: str) -> None:
    for option in all_params(ALL[name]):
        # Of some the value can be left out.
        if isinstance(option, click.Option) and not option.is_flag and not option._flag_needs_value:
            written_so = option.opts[0]
            found = fstmetrics(*name.split(), written_so)
            assert found.status == 2
            said = re.search(rf"requires an argument: {written_so} (.+) \(see ", found.err)
            assert said, found.err
            in_help = option.get_help_record(click.Context(ALL[name]))
            assert in_help is None or in_help[0].endswith(f" {said[1]}")
    if name in ("score", "oracle", "hyter"):
        assert "--check openfst[=N]" in fstmetrics(name, "ref", "hyp", "--check").err


def test_every_number_option_has_a_range() -> None:
    """A type of click's own has none, or one that takes `1_000` and ` 5`."""
    for name, command in ALL.items():
        for option in all_params(command):
            assert isinstance(option.type, Ranged) or not isinstance(
                option.type, click.types.IntParamType | click.types.FloatParamType
            ), (name, option)
    for _, option in numbers():
        found = range_of(option)
        assert not found.is_whole or int(found.most) < 2**32


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_the_range_and_the_default_of_every_number(name: str) -> None:
    context = click.Context(ALL[name])
    for option in (option for command, option in numbers() if command == name):
        record = option.get_help_record(context)
        assert record is not None
        text = " ".join(record[1].split())
        assert re.search(r"\[(.*; )?" + re.escape(option.type.kind.extent) + r"\]$", text), text  # type: ignore[attr-defined]
        if isinstance(option.default, int | float | str):
            assert f"[default: {option.default}; " in text


def line_of(name: str, option: str, value: str) -> list[str]:
    words = [] if option == "--generated" else COMMANDS[name].split()
    beside = BESIDE.get((name, option), "")
    if beside is None:
        words, beside = words[:1], "--sample 2" if option == "--seed" else ""
    return [*name.split(), *words, *beside.split(), option, value]


@pytest.mark.parametrize(
    ("name", "option"),
    [pytest.param(name, option, id=f"{name} {option.opts[-1]}") for name, option in numbers()],
)
def test_extremes_of_numbers(name: str, option: click.Option, folder: Path) -> None:
    """What is no number of the range is refused with the range; what is one is taken, or refused for a reason."""
    assert isinstance(option.type, Ranged)
    kind, bounds = option.type.kind, range_of(option)
    is_first = next(other for _, other in numbers() if range_of(other) == bounds) is option
    ends = [bounds.least] if option.opts[-1] in LONG else [bounds.least, bounds.most]
    for value in [*EXTREMES, *ends]:
        fits = is_within(value, bounds)
        if not fits and not is_first and value not in FEW_EXTREMES:
            # The whole line of what is refused is looked at once for each range.
            with pytest.raises(click.BadParameter, match=re.escape(kind.extent)):
                option.type.convert(value, option, None)
            continue
        line = line_of(name, option.opts[-1], value)
        outcome = fstmetrics(*line)
        check(outcome, line)
        if not fits:
            assert outcome.status == 2, line
            assert f"Invalid value for '{option.opts[0]}'" in outcome.err or value == "--", outcome.err
            assert kind.extent in outcome.err, outcome.err
        else:
            assert outcome.status != 2 or "Invalid value" not in outcome.err or kind is DECIMAL, outcome.err


def is_within(value: str, bounds: Range) -> bool:
    """From the definition: written in ASCII digits, finite, within the range."""
    digits = value.removeprefix("+").removeprefix("-")
    whole = digits.isascii() and digits.isdigit() and len(digits) <= 100
    if bounds.is_whole:
        return whole and int(bounds.least) <= int(value) <= int(bounds.most)
    decimals = ("0.5", "5.0", "1e3", "1e9", "1e308", "-1e9", "-1e308", "1e-320")
    if not (whole or value in decimals or value.endswith(".0")):
        return False
    number, least, most = float(value), float(bounds.least), float(bounds.most)
    above = number > least or (number == least and not bounds.without_least)
    below = number < most or (number == most and not bounds.without_most)
    return above and below


@pytest.mark.parametrize(("name", "option"), TEXTS)
def test_extremes_of_numbers_within_text(name: str, option: str, folder: Path) -> None:
    for value in EXTREMES:
        line = line_of(name, option, TEXTS[name, option].format(value))
        check(fstmetrics(*line), line)


# Every control character but white space, and those that turn the direction of text: what Unicode calls Cc, and
# Bidi_Control, by hand, as Python knows only the first.
TURNING = "".join(map(chr, (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))))
CONTROLS = "".join(map(chr, (*range(1, 9), *range(14, 28), *range(0x7F, 0x85), *range(0x86, 0xA0))))
STRANGE = CONTROLS + TURNING
# Text with others of the control characters is not taken for text.
IN_TEXT = "".join(c for c in STRANGE if c > "~" or c == "\x1b")
# A title, a colour, a link and the screen cleared: what a word may be after.
ATTACKS = "\x1b]0;title\x07", "\x1b[31m", "\x1b]8;;http://x\x1b\\x", "\x1b[2J"
OBEYED = re.compile(f"[{re.escape(STRANGE)}\u2028\u2029]")
# Colours, and what writes the line of progress anew.
OWN = re.compile(r"\x1b\[(\?25[lh]|[0-9;]*[mKA])")
# Commands that print what other programs read: there a word stays as it is, unless a terminal shows it.
DATA = {"mbr", "best", "combine", "segment", "features", "index", "network paths", "convert"}
DATA |= {f"network {name}" for name in ("convert", "normalise", "union", "spu")}
# Those that print no word and no name of files.
SILENT = {
    "verify",
    "annotate",
    "grammar list",
    "grammar test",
    "demo",
    "doctor",
    "completion",
    "proficiency",
    "variants",
    "confidence",
    "partials",
    "pack",
}


@pytest.fixture
def strange(folder: Path) -> dict[str, list[str]]:
    """The command lines, with strange words, ids, names of cards and of files."""
    names = {path.name: f"{path.name}{STRANGE}" for path in folder.iterdir()}
    for before, after in names.items():
        shutil.move(before, after)
    words = [f"w{IN_TEXT}w", *(f"w{attack}w".replace("\x07", "") for attack in ATTACKS)]
    for name in ("ref", "hyp", "hyp1", "hyp2"):
        row = words if name == "ref" else [*words[1:], name, words[0]]
        written(folder / names[name], f"u{IN_TEXT} {' '.join(row)}\n" + "u2 a c\n" * (name != "hyp1"))
    written(folder / names["rules"], f"# title{IN_TEXT}\n{words[0]} -> {words[1]}\n")
    arcs = "".join(f"0 1 {word} 1,2,\n" for word in words)
    written(folder / names["lattice"], f"u{IN_TEXT}\n{arcs}1 0,0,\n\nu2\n{arcs}1 0,0,\n\n")
    written(folder / names["spoken.stm"], f"m{IN_TEXT} 1 ann{IN_TEXT} 0 2 {words[0]}\nm{IN_TEXT} 1 b 2 4 a\n")
    written(folder / names["spoken.ctm"], f"m{IN_TEXT} 1 1 0.5 {words[0]} 0.9\nm{IN_TEXT} 1 3 0.5 b 0.4\n")
    written(
        folder / names["nbest"],
        "".join(
            f"u{IN_TEXT} ||| {w} ||| lm{IN_TEXT}= 1 ||| 1\nu2 ||| {w} ||| lm{IN_TEXT}= 1 ||| 1\n"
            for w in words
        ),
    )
    written(folder / names["weights"], f"lm{IN_TEXT} 1\n")
    phrases = [re.sub(r"([][\\])", r"\\\1", word) for word in [f"w{STRANGE}w", *words]]
    cards = {f"S{STRANGE}": {"phrases": [f"[B{STRANGE}] c", *phrases]}, f"B{STRANGE}": {"phrases": phrases}}
    cards[f"never{STRANGE}"] = {"phrases": phrases}  # on which there is a remark
    network = {"format": "fstmetrics-network/1", "id": f"u{IN_TEXT}", "root": f"S{STRANGE}", "cards": cards}
    written(folder / names["network.json"], json.dumps(network))
    written(folder / names["proposals"], proposals(f"u{IN_TEXT}", f"B{STRANGE}"))
    rows = [f"{s}{IN_TEXT}\t{n}{IN_TEXT}\t{h}\t{b}" for s, n, h, b in ("a112", "a213", "b132", "b235")]
    written(folder / names["scores"], "\n".join([f"system\tsegment\thuman\tbleu{IN_TEXT}", *rows, ""]))
    written(folder / names["ranks"], f"segment\tA{IN_TEXT}\tB\n1{IN_TEXT}\t1\t2\n")
    outcome = fstmetrics("score", names["ref"], names["hyp"], "--alignment", "--output", names["records"])
    assert outcome.status == 0, outcome.err
    shard = fstmetrics("score", names["ref"], names["hyp"], "--shard", "1/1", "--output", names["part"])
    assert shard.status == 0, shard.err
    lines = {name: [names.get(word, word) for word in line.split()] for name, line in COMMANDS.items()}
    lines["grammar try"] = [names["rules"], *words]
    lines["compare"] = ["--ref", names["ref"], f"x{STRANGE}={names['hyp']}", names["hyp2"], "--samples", "20"]
    lines["convert"] = [names["ref"], "-", "--to", "trn"]
    lines["network convert"] = [names["network.json"], "--to", "cards"]
    lines["network union"] = lines["network spu"] = [names["network.json"], names["network.json"]]
    lines["network build"] = [names["ref"], "-o", f"out{STRANGE}"]
    lines["network review"][-1] = f"out{STRANGE}.json"
    lines["report"] = [names["records"], "-o", f"page{STRANGE}.html"]
    lines["oracle"] += ["--alignment", "--nbest", "2"]
    lines["score"] += ["--alignment"]
    lines["hyter"] += ["--alignment"]
    return lines


@pytest.mark.parametrize("terminal", [False, True], ids=["piped", "on a terminal"])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_terminal_obeys_no_word_id_or_name(
    name: str, terminal: bool, strange: dict[str, list[str]], folder: Path
) -> None:
    """Of any file. Piped data keeps the words as they are; lines for people never do."""
    if name == "proficiency":
        pytest.importorskip("sklearn")
    outcome = fstmetrics(*name.split(), *strange[name], terminal=terminal)
    assert outcome.status in (0, 1), outcome.err
    err = OWN.sub("", outcome.err).replace("\r", "")
    out = OWN.sub("", outcome.out) if terminal else outcome.out
    assert not OBEYED.search(err), err
    if name in DATA and not terminal:
        assert OBEYED.search(out)
    else:
        assert not OBEYED.search(out), out
        assert name in SILENT or re.search(r"\\x1b|u001b", out + err), out


@pytest.mark.parametrize("name", [name for name, line in COMMANDS.items() if line])
def test_an_error_about_a_strange_name(name: str, folder: Path) -> None:
    """It is one line of a length that can be read, whatever it quotes."""
    for strange in (
        *ATTACKS,
        STRANGE,
        "x" * 30_000,
        "\x1b" * 3_000,
        " ".join("x" * 3_000),
        "\u202e" * 200,
        "\udc80",
    ):
        for line in (
            [strange] * (2 if name != "grammar try" else 1),
            [*COMMANDS[name].split(), f"--no{strange}"],
        ):
            outcome = fstmetrics(*name.split(), *line)
            assert outcome.status == 2 or name in ("grammar try", "network validate")
            check(outcome, line) if outcome.status == 2 and name != "network validate" else None
            assert not OBEYED.search(outcome.out + outcome.err)


def typos(name: str, rng: random.Random) -> Iterator[str]:
    """A letter left out, doubled, replaced, and swapped with the next, each somewhere behind the first."""
    at = rng.randrange(1, len(name) - 1)
    yield name[:at] + name[at + 1 :]
    yield name[:at] + name[at] + name[at:]
    yield name[:at] + "q" + name[at + 1 :]
    yield name[:at] + name[at + 1] + name[at] + name[at + 2 :]


def test_typical_typos_of_commands_are_understood() -> None:
    rng = random.Random(1)
    for name in ALL:
        *group, own = name.split()
        for typo in typos(own, rng):
            if typo != own:
                outcome = fstmetrics(*group, typo)
                assert outcome.status == 2
                assert outcome.err.startswith(f"fstmetrics: no such command {typo!r}; did you mean {own}"), (
                    outcome.err
                )


@pytest.mark.parametrize("name", ALL)
def test_typical_typos_of_options_are_understood(name: str) -> None:
    """Of every option with four letters; shorter ones have too many neighbours. The command line says of one what all
    would have."""
    rng = random.Random(2)
    known = options_of(ALL[name])
    options = [opt for opt in known if opt.startswith("--") and len(opt) > 5]
    said = rng.choice(options)
    for option in options:
        for typo in (f"--{each}" for each in typos(option[2:], rng)):
            if typo in known:
                continue
            assert option in nearest(typo, known), (typo, option)
            assert typo not in OF_ALL  # of an option of other commands these are named
            if option == said:
                outcome = fstmetrics(*name.split(), typo)
                assert outcome.status == 2
                assert f"no such option '{typo}'; {did_you_mean(typo, known)}" in outcome.err, outcome.err


# As the program has it: click keeps by which names a command was asked for help first.
CONTEXT = click.Context(cli, **cli.context_settings)


def options_of(command: click.Command) -> list[str]:
    """The names of all options of a command, as its messages have them."""
    return [opt for param in command.get_params(CONTEXT) for opt in param.opts if opt[0] == "-"]


OF_ALL = {opt for command in ALL.values() for opt in options_of(command)}


def test_a_word_that_is_near_to_nothing_has_no_question() -> None:
    for line in (["oracle", "--zzzzzzz"], ["zzzzzzz"], ["oracle", "-z"]):
        assert "did you mean" not in fstmetrics(*line).err
    assert "--beta" not in fstmetrics("score", "--metrc", "wer").err


# What random command lines are made of, beside the options and the files.
SCRAPS = [
    "0",
    "1",
    "2",
    "-1",
    "x",
    "",
    "-",
    "wer",
    "bleu",
    "no-such-file",
    "a=b",
    "{file}",
    "{file}",
    "{file}",
    "{file}",
]


@pytest.mark.parametrize("seed", range(10))
def test_random_command_lines(seed: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is asked for: status 0, 1 or 2, and one line where it is 2. No traceback: it would be raised here."""
    monkeypatch.setattr("fstmetrics.apps.annotate.project_server.serve", lambda *given: None)  # it has no end
    monkeypatch.setattr("fstmetrics.batches.dispatch.engine_of", lambda *given: Pickling())  # none is started
    rng = random.Random(seed)
    files = sorted(path.name for path in folder.iterdir())
    # Completion writes into the home folder.
    left_out = ("demo", "doctor", "completion", "proficiency", "grammar list")
    names = [name for name in COMMANDS if name not in left_out]
    for _ in range(40):
        name = rng.choice(names)
        line = [*name.split(), *COMMANDS[name].split()] if rng.random() < 0.8 else name.split()
        for _ in range(rng.randint(0, 4)):
            option = rng.choice(all_params(ALL[name]))
            if not isinstance(option, click.Option) or option.opts[-1] == "--allow-download":
                continue
            line.append(rng.choice(option.opts))
            if not option.is_flag:
                line.append(value_of(option, rng, files))
        if rng.random() < 0.2:
            line.insert(rng.randint(1, len(line)), rng.choice(SCRAPS).format(file=rng.choice(files)))
        check(fstmetrics(*line), line)


def names_of(option: click.Option) -> Collection[str]:
    """The names of which an option takes one; none if it takes others."""
    return option.type.kind.offers or () if isinstance(option.type, Value) else ()


def value_of(option: click.Option, rng: random.Random, files: list[str]) -> str:
    names = option.type.choices if isinstance(option.type, click.Choice) else names_of(option)
    if names and rng.random() < 0.9:
        return str(rng.choice(list(names)))
    if isinstance(option.type, Ranged) and option.type.kind.word == "N" and rng.random() < 0.8:
        least = int(range_of(option).least)
        return str(rng.randint(least, least + 9))
    if option.opts[-1] in ("--output", "--plot", "--grid", "--write-symbols") and rng.random() < 0.7:
        return rng.choice(["new", "new.png", "-", "new.json"])
    return rng.choice(SCRAPS).format(file=rng.choice(files))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("compare", "--test", "sign", "--test", "wilcoxon"), "--test is given twice; give it once"),
        (
            ("score", "--profile", "whisper-en", "--profile", "whisper-basic"),
            "--profile is given twice; give it once",
        ),
        (("score", "--unit=char", "--unit", "word"), "--unit is given twice; give it once"),
        (("speakers", "-m", "cpwer", "--metric", "orcwer"), "--metric is given twice; give it once"),
        (("score", "-m", "wer", "-m", "cer"), "--metric is given twice; give a list: --metric wer,cer"),
        (("oracle", "--beam", "1", "--beam", "2"), "--beam is given twice; give it once"),
        (("score", "-mwer", "-mcer"), "--metric is given twice; give a list: --metric wer,cer"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_an_option_of_one_value_is_given_once(arguments: tuple[str, ...], said: str) -> None:
    """The last one would be taken, and the first dropped without a word."""
    outcome = fstmetrics(*arguments, "a", "b")
    assert (outcome.status, said in outcome.err) == (2, True), outcome.err
