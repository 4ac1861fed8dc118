"""Runs on other engines, compared with the same runs on this machine."""

from __future__ import annotations

import gzip
import json
import os
import pickle
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import chdir, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from shutil import copytree
from typing import Any
from unittest import mock

import pytest
from command import HYTER, ORACLE, Outcome, fstmetrics, written
from time_limits import LIMIT, ran, wait_until

from fstmetrics.apps.distributed import engine_faults
from fstmetrics.apps.distributed.waiting import on_thread, within
from fstmetrics.batches import Merged, dispatch, merge, scorer
from fstmetrics.batches.builds import own_build
from fstmetrics.batches.dispatch import BatchWork, Engine, worked
from fstmetrics.batches.parcels import Call, Parcel, apart
from fstmetrics.metrics.grr import GRR
from fstmetrics.metrics.wer import WER
from fstmetrics.scoring.pair_blocks import Pair, PairBlock
from fstmetrics.scoring.path_scoring import PathScoring
from fstmetrics.scoring.work import Work
from fstmetrics.support.errors import FstmetricsError
from fstmetrics.support.limits import limited
from fstmetrics.support.version import __version__


class Pickling:
    """An engine in this process that hands over parcels only."""

    def map(self, work: Call, given: Iterable[Parcel]) -> Iterator[Parcel | None]:
        data = pickle.dumps(work)
        return (pickle.loads(data)(each) for each in given)

    def close(self) -> None:
        pass


WORDS = ["a", "b", "c", "d", "e", "F"]
# Texts, their tables by field and words; best paths of lattices beside the decoder's own; networks.
RUNS = [
    ("score",),
    ("score", "--json"),
    ("score", "--alignment"),
    ("score", "--nbest", "2", "--unit", "char"),
    ("oracle", *ORACLE),
    ("oracle", *ORACLE, "--beam", "4", "--json"),
    ("mbr", ORACLE[1], "--candidates", "5", "--evidence", "20"),
    ("mbr", ORACLE[1], "--candidates", "5", "--evidence", "20", "--json", "--metric", "bleu"),
    ("hyter", *HYTER, "--window", "2"),
    ("hyter", *HYTER, "--max", "cells=10"),  # limits hold for workers
]
# Of files that `odd_files` makes: gzip and other orders, fields, several references, items that are missing, twice or
# no text, n-best lists, packed lattices, options of records and of sums.
ODD_RUNS = [
    "score ref.gz shuffled.txt --alignment",
    "score ref.txt short.txt --missing skip --json",
    "score ref.txt short.txt",
    "score ref.txt twice.txt --keep-going",
    "score ref.txt torn.txt --keep-going",
    "score ref.txt hyp.txt --ref shuffled.txt --metric grr",
    "score ref.txt hyp.txt --report dtl --lowercase",
    "score manifest.jsonl --by speaker --alignment",
    "score manifest.jsonl --by speaker --json",
    "score spoken.txt lists.txt --nbest 2",
    "oracle spoken.txt lists.txt --alignment",
    "oracle REF lattices.packed --alignment",
    "oracle REF lattices.packed --beam 2,5 --lm-scale 10",
    "oracle REF lattices.packed --unit char --max cells=2000 --keep-going",
    "mbr lists.txt --metric chrf",
    "mbr lists.txt --scale 0.2 --json",
]
ODD_COMPARISONS = [
    "compare --ref ref.gz hyp.txt shuffled.txt --metric wer,ter,chrf --samples 20 --json",
    "compare --ref ref.txt hyp.txt short.txt --samples 20",
    "compare --ref ref.txt --ref shuffled.txt hyp.txt short.txt --missing skip --unit char --samples 20",
]


def odd_files(folder: Path) -> None:
    """Files of 60 items."""
    references, hypotheses = (Path(path).read_text().splitlines(keepends=True) for path in texts(folder, 60))
    (folder / "ref.gz").write_bytes(gzip.compress("".join(references).encode()))
    written(folder / "shuffled.txt", "".join(random.Random(2).sample(hypotheses, 60)))
    written(folder / "short.txt", "".join(hypotheses[:-7]))
    written(folder / "twice.txt", "".join([*hypotheses, hypotheses[0]]))
    (folder / "torn.txt").write_bytes("".join(hypotheses).encode()[:400] + b"\xff\n")
    rows = []
    for one, two in zip(references, hypotheses, strict=True):
        (id, said), (_, heard) = one.split(" ", 1), two.split(" ", 1)
        rows.append({"audio_filepath": id, "text": said, "pred_text": heard, "speaker": f"s{id[-1]}"})
    written(folder / "manifest.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    draw = random.Random(3)
    ids = [line.split()[0] for line in references[:12]]
    lines = [(id, n, " ".join(draw.choices(WORDS, k=4))) for id in ids for n in range(5)]
    written(
        folder / "lists.txt", "".join(f"{id} ||| {text} ||| lm=-{n} ||| -{n}.5\n" for id, n, text in lines)
    )
    written(folder / "spoken.txt", "".join(references[:12]))
    assert fstmetrics("pack", ORACLE[1], folder / "lattices.packed").status == 0


def assert_odd_runs_are_as_here(on: str, folder: Path, runs: Sequence[str]) -> None:
    """Records, output, messages and exit status, run by run; comparisons write no records."""
    odd_files(folder)
    with chdir(folder):
        for run in runs:
            arguments = [str(ORACLE[0]) if each == "REF" else each for each in run.split()]
            if arguments[0] == "compare":
                assert fstmetrics(*arguments, "--on", on) == fstmetrics(*arguments, "--on", "local"), run
            else:
                assert_as_here(on, folder, arguments, printed=False)


def texts(folder: Path, items: int) -> list[str]:
    """Files of references and hypotheses."""
    draw = random.Random(1)
    sides = []
    for name in ("ref.txt", "hyp.txt"):
        rows = (f"ann-{n} {' '.join(draw.choices(WORDS, k=1 + draw.randrange(7)))}\n" for n in range(items))
        sides.append(str(written(folder / name, "".join(rows))))
    return sides


def assert_as_here(on: str, folder: Path, run: Sequence[str], *, printed: bool = True) -> Outcome:
    """Records, summary, exit status and faults are those of a run on this machine; returns how it ended.

    Args:
        on: the engine.
        folder: where files are written.
        run: the command line.
        printed: also of a run that prints its records.
    """
    arguments = list(run) if len(run) > 3 else [run[0], *texts(folder, 300), *run[1:]]
    there, here = folder / "there.jsonl", folder / "here.jsonl"
    to_stdout = [("-", "-")] if printed and "--json" not in run else []
    for outputs in [(here, there), *to_stdout, None]:
        outcomes = [
            fstmetrics(*arguments, *(("--output", outputs[number]) if outputs else ()), "--on", place)
            for number, place in enumerate(("local", on))
        ]
        out, err = (
            outcomes[1].out.replace("there.dtl", "here.dtl"),
            outcomes[1].err.replace(str(there), str(here)),
        )
        assert outcomes[0] == replace(outcomes[1], out=out, err=err)
        if outputs == (here, there) and here.exists():
            assert there.read_bytes() == here.read_bytes()
    return outcomes[0]


def assert_faults_as_here(on: str, folder: Path) -> None:
    """Damaged files, searches that fail and an id in two shards end as they do here, and leave the rest."""
    lattices = folder / "lattices"
    copytree(ORACLE[1], lattices)
    damaged, endless = sorted(lattices.iterdir())[:2]
    damaged.write_bytes(damaged.read_bytes()[:100])
    endless.write_text("0 1 a\n1 0 b\n1\n")
    run = ["oracle", ORACLE[0], str(lattices)]
    outcome = assert_as_here(on, folder, [*run, "--keep-going"])
    assert (outcome.status, len(outcome.err.splitlines())) == (1, 2)
    assert str(damaged) in outcome.err
    assert assert_as_here(on, folder, run).status == 2
    shards = [
        written(folder / f"{n}.jsonl", f'{{"id":"{n}","text":"a"}}\n{{"id":"b","text":"c"}}\n') for n in "12"
    ]
    heard = written(folder / "heard.txt", "1 a\nb c\n2 a\n")
    outcome = assert_as_here(on, folder, ["score", str(folder / "[12].jsonl"), str(heard), "--keep-going"])
    assert outcome.err.startswith(f"fstmetrics: {shards[1]}: id 'b' is already in {shards[0]}; ")


# Runs whose items OpenFst solves again, in workers.
CHECKED_RUNS = [
    ("oracle", *ORACLE, "--check", "openfst"),
    ("hyter", *HYTER, "--window", "2", "--check", "openfst=2", "--json"),
]


def assert_checks_are_as_here(on: str, folder: Path) -> None:
    """Of right answers, and of an item that is too large for OpenFst."""
    pytest.importorskip("pynini", reason="needs pynini: pip install 'fstmetrics[openfst]'")
    for run in CHECKED_RUNS:
        assert "OpenFst" in assert_as_here(on, folder, run).out or "--json" in run
    files_with_a_fault(folder)
    large = ["score", "ref.txt", "long.txt", "--check", "openfst", "--max", "expansion=300"]
    with chdir(folder):
        here, there = (fstmetrics(*large, "--on", where) for where in ("local", on))
    assert here == there
    assert here.status == 2
    assert here.err.startswith("fstmetrics: item u20: --check openfst: H ∘ T ∘ R, with H of 301 states")


def assert_wrong_answers_are_told(on: str, folder: Path) -> None:
    """Where OpenFst has another answer in a worker: status 1, and the machines in a folder beside the command.

    Workers import what is installed, also where a command is called in a clone, which has not been built, or where a
    file is called as a module is.
    """
    pytest.importorskip("pynini", reason="needs pynini: pip install 'fstmetrics[openfst]'")
    (folder / "fstmetrics").mkdir()
    for path in (folder / "fstmetrics" / "__init__.py", folder / "fractions.py"):
        path.write_text("raise ImportError('not what is installed')\n")
    written(folder / "ref.txt", "u1 a b\nu2 a c\nu3 d\n")
    written(folder / "hyp.txt", "u1 a b\nu2 wrong c\nu3 e\n")
    helpers = Path(__file__).parent
    program = [sys.executable, "-P", helpers / "wrong_check.py"]  # as the installed script is called
    command = [*program, "score", "ref.txt", "hyp.txt", "--check", "openfst"]
    settings = {**os.environ, "PYTHONPATH": str(helpers), "RAY_AUTH_MODE": "disabled"}
    ended = ran([*command, "--on", on], 4 * LIMIT, capture_output=True, text=True, env=settings, cwd=folder)
    place = folder / "fstmetrics-check" / "u2"
    said = "fstmetrics: item u2: OpenFst has another answer: cost 2 by the engine, 1 by OpenFst; "
    lines = [line for line in ended.stderr.splitlines() if line.startswith("fstmetrics: ")]
    assert ended.returncode == 1, ended.stderr
    assert [line.startswith(said) and line.endswith(f"the machines are in {place}") for line in lines] == [
        True
    ]
    assert (place / "run.sh").exists()


def files_with_a_fault(folder: Path) -> None:
    """Files of 40 items of which the one in the middle, u20, is long or cannot be read."""
    draw = random.Random(4)
    ids = [f"u{number:02}" for number in range(40)]
    texts = [" ".join(draw.choices(WORDS, k=1 + draw.randrange(7))) for _ in ids]
    network = next(Path(HYTER[0]).iterdir()).read_text()
    lists, lattices = [], []
    (folder / "networks").mkdir()
    for id, text in zip(ids, texts, strict=True):
        cost = "minus" if id == "u20" else "1.5"
        lists += [f"{id} ||| {text} ||| lm=-1 ||| -1.5\n", f"{id} ||| a b ||| lm=-1 ||| -{cost}\n"]
        arcs = [f"{at} {at + 1} {word} {cost},0,\n" for at, word in enumerate(text.split())]
        lattices.append(f"{id} \n{''.join(arcs)}{len(arcs)} 0,0,\n\n")
        written(folder / "networks" / f"{id}.json", network[:100] if id == "u20" else network)
    written(folder / "ref.txt", "".join(f"{id} {text}\n" for id, text in zip(ids, texts, strict=True)))
    texts[20] = "a b c " * 100
    written(folder / "long.txt", "".join(f"{id} {text}\n" for id, text in zip(ids, texts, strict=True)))
    written(folder / "lists.txt", "".join(lists))
    written(folder / "lattices.ark", "".join(lattices))


# Each with where its messages say the fault is.
FAULTY_RUNS = {
    "score ref.txt long.txt --metric grr --max cells=300": "item u20: ",
    "oracle ref.txt lattices.ark": "lattices.ark:",
    "hyter networks ref.txt": "networks/u20.json:",
    "mbr lists.txt": "lists.txt:42: ",
    "compare --ref ref.txt ref.txt long.txt --metric grr --max cells=300 --samples 20": "long, item 20 (from 0): ",
}


def assert_faults_in_the_middle_are_as_here(on: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of runs of all commands in small batches: what is kept of the items before, the message, output and status."""
    monkeypatch.setattr(dispatch, "FIRST_SIZE", 7)
    monkeypatch.setattr(dispatch, "LARGEST_SIZE", 7)
    files_with_a_fault(folder)
    with chdir(folder):
        for run, place in FAULTY_RUNS.items():
            for options in [()] if run.startswith("compare") else [("--keep-going",), ()]:
                outcomes, kept = [], []
                for where in ("local", on):
                    output = () if run.startswith("compare") else ("--output", "out.jsonl")
                    outcomes.append(fstmetrics(*run.split(), *options, *output, "--on", where))
                    found = [folder / "out.jsonl", folder / "out.jsonl.partial"]
                    kept.append([path.read_bytes() for path in found if path.exists()])
                    for path in folder.glob("out.jsonl*"):
                        path.unlink()
                here, there = outcomes
                assert here == there, run
                assert kept[0] == kept[1], run
                assert (here.status, here.err.count("fstmetrics: ")) == (1 if options else 2, 1), run
                assert here.err.startswith(f"fstmetrics: {place}"), run
                assert [each.count(b"\n") for each in kept[0]] == ([39 if options else 20] if output else [])


def rows_of_places(folder: Path) -> tuple[list[dict[str, Any]], dict[str, str | None]]:
    """Rows of places in an archive of lattices with references, and the oracle's record of each; None of one that has
    changed since."""
    archive, here = folder / "lattices.ark", folder / "here.jsonl"
    made = fstmetrics("convert", ORACLE[1], archive, "--to", "kaldi-lattice-text", "--lossy")
    assert made.status == 0, made.err
    assert fstmetrics("oracle", ORACLE[0], archive, "--output", here).status == 0
    records: dict[str, str | None] = {json.loads(line)["id"]: line for line in here.read_text().splitlines()}
    spoken = dict(line.split(" ", 1) for line in Path(ORACLE[0]).read_text().splitlines())
    places = fstmetrics("index", archive).records
    names = ("path", "offset", "length", "checksum")
    rows = [
        {"id": row["id"], "hypothesis": {name: row[name] for name in names}, "reference": spoken[row["id"]]}
        for row in places
    ]
    archive.write_bytes(archive.read_bytes()[:-9])
    return rows, {**records, rows[-1]["id"]: None}


def assert_places_scored(output: Path, records: dict[str, str | None]) -> None:
    """The folder has the record of each item, and the fault of the last one."""
    from pyarrow.parquet import read_table

    found = [row for path in output.glob("*.parquet") for row in read_table(path).to_pylist()]
    assert {row["id"]: row["record"] for row in found} == records
    (changed,) = (row for row in found if row["fault"])
    assert "has changed: " in changed["fault"]


def assert_ids_and_faults(output: Path) -> None:
    """The folder has one result of each of four items, two of which have no id."""
    from pyarrow.parquet import read_table

    found = [row for path in output.glob("*.parquet") for row in read_table(path).to_pylist()]
    assert sorted((row["id"] or "", row["edits"], row["fault"]) for row in found if row["id"]) == [
        ("u1", 1, None), ("u2", 1, None),
    ]  # fmt: skip
    assert [(row["edits"], row["fault"]) for row in found if not row["id"]] == [(None, "id is null")] * 2


def in_time(function: Callable[..., Any], *arguments: object, **options: object) -> Any:
    """What a function returns that waits for an engine by itself; it fails where that takes too long."""
    return within(4 * LIMIT, on_thread(partial(function, *arguments, **options)), "the engine is not done")


def mortal(work: BatchWork[Any], calls: Path, deadly: frozenset[str] = frozenset()) -> Any:
    """The work of a batch whose process is killed: where it is called for the third time, whichever that is, or by some
    items, each time. A function within another is carried to workers, which have no modules of tests."""

    def is_third() -> bool:
        for number in range(1, 4):
            try:
                os.close(os.open(calls / f"call{number}", os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                continue
            return number == 3
        return False

    def called(given: Parcel) -> Parcel:
        if is_third() or deadly & {pair.id for pairs in apart(given) for pair in pairs}:
            os.kill(os.getpid(), signal.SIGKILL)
        return work(given)

    called.keep_going = work.keep_going  # type: ignore[attr-defined]
    return called


def assert_killed_worker_does_not_show(engine: Engine, folder: Path) -> None:
    """A worker is killed in the middle; what comes back is what a run here has."""
    pairs = PairBlock.of([Pair(f"u{n}", "a b", ("a",)) for n in range(200)])
    work = BatchWork(Work(PathScoring(WER(), signature="mine"), records=True))
    ((*_, items),) = BatchWork._worked(work, pairs)
    expected = [line for line, _ in items]
    with mock.patch.object(dispatch, "FIRST_SIZE", 10), mock.patch.object(dispatch, "MOST_GROWTH", 1):
        found = [line for some in worked([pairs], mortal(work, folder), engine) for line, _ in some.items]
    assert found == expected
    assert (folder / "call3").exists()


def assert_deadly_item_is_named(engine: Engine, folder: Path) -> None:
    """As one does that takes all the memory: its worker is killed each time, and all others are scored."""
    pairs = PairBlock.of([Pair(f"u{n}", "a b", ("a",)) for n in (1, 2)])
    work = BatchWork(Work(PathScoring(WER()), keep_going=True))
    for number in range(1, 4):
        (folder / f"call{number}").touch()
    found = list(worked([pairs], mortal(work, folder, frozenset(["u2"])), engine))
    faults = [(some.pairs[place].id, said) for some in found for place, said in some.faults.items()]
    message = "item u2: the worker that scored it died or ran out of memory, each time; it was left out"
    assert faults == [("u2", message)]
    assert [pair.id for some in found for n, pair in enumerate(some.pairs) if n not in some.faults] == ["u1"]


def with_little_memory(work: BatchWork[Any], more: int) -> Any:
    """The work of a batch in a process that may have so many bytes more than it has, by the system's limit."""

    def called(given: Parcel) -> Parcel:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        before = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + more, before[1]))
        try:
            return work(given)
        finally:
            resource.setrlimit(resource.RLIMIT_AS, before)

    called.keep_going = work.keep_going  # type: ignore[attr-defined]
    return called


def items_of_much_memory() -> list[Pair]:
    """Nine, of which u3 takes 150 MB under `grr`."""
    draw = random.Random(1)
    sizes = [3000 if n == 3 else 5 for n in range(9)]
    texts = [[" ".join(draw.choices(WORDS, k=size)) for size in sizes] for _ in range(2)]
    return [Pair(f"u{n}", one, (two,)) for n, (one, two) in enumerate(zip(*texts, strict=True))]


def assert_memory_that_does_not_suffice_is_told(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of its item, in one line; the rest is scored. Without `keep_going` the run ends with the line."""
    monkeypatch.setattr(dispatch, "FIRST_SIZE", 9)
    pairs = PairBlock.of(items_of_much_memory())
    message = r"^item u3: there is not enough memory for this search: [^\n]*$"
    with limited(cells=10**10):
        works = [BatchWork(Work(PathScoring(GRR()), keep_going=keep_going)) for keep_going in (True, False)]
    found = list(worked([pairs], with_little_memory(works[0], 64 << 20), engine))
    ((fault_id, fault),) = [(some.pairs[n].id, said) for some in found for n, said in some.faults.items()]
    assert fault_id == "u3"
    assert re.match(message, fault)
    assert sum(len(some.items) for some in found) == 8
    with pytest.raises(FstmetricsError, match=message):
        list(worked([pairs], with_little_memory(works[1], 64 << 20), engine))


def assert_no_run_waits_for_ever(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not answer in time is an error."""

    def slow(given: Parcel) -> Parcel:
        time.sleep(2)
        return given

    monkeypatch.setattr(engine, "_seconds", 0.2)
    with pytest.raises(
        FstmetricsError, match=r"no worker has answered in 0\.2 s; .* FSTMETRICS_WAIT=SECONDS"
    ):
        list(engine.map(slow, [[]]))


def assert_other_versions_are_refused(on: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of workers."""
    monkeypatch.setattr(engine_faults, "own_build", lambda: own_build()._replace(version="99.0"))
    outcome = fstmetrics("score", *texts(folder, 3), "--on", on)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err == (
        f"fstmetrics: workers have fstmetrics {__version__}, this machine has 99.0; install the same version\n"
    )


def assert_nobody_listens(on: str, setting: str, value: str, folder: Path) -> None:
    """At the address that a setting names; one line says so."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))  # and listens to nobody
        port = bound.getsockname()[1]
        command = [sys.executable, "-m", "fstmetrics", "score", *texts(folder, 3), "--on", on]
        settings = {**os.environ, setting: value.format(port)}
        ended = ran(command, capture_output=True, text=True, env=settings)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1), ended.stderr
    assert f"127.0.0.1:{port}, and nothing can be reached there: Connection refused" in ended.stderr
    assert setting in ended.stderr


def assert_as_here_in_processes(on: str, settings: dict[str, str], folder: Path) -> None:
    """A command in a process of its own writes what it writes here."""
    here, there = folder / "here.jsonl", folder / "there.jsonl"
    paths = texts(folder, 300)
    expected = fstmetrics("score", *paths, "--output", here)
    command = [sys.executable, "-m", "fstmetrics", "score", *paths, "--output", there, "--on", on]
    ended = ran(command, 4 * LIMIT, capture_output=True, text=True, env={**os.environ, **settings})
    assert (ended.returncode, ended.stdout) == (0, expected.out), ended.stderr
    assert there.read_bytes() == here.read_bytes()


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


@contextmanager
def running(
    *commands: Sequence[str], ready: Callable[[], bool], named: str, settings: dict[str, str]
) -> Iterator[None]:
    """Processes that run meanwhile, each with all that it starts, once they are ready."""
    started: list[subprocess.Popen[bytes]] = []
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        for command in commands:
            environment = {**os.environ, **settings}
            started.append(subprocess.Popen(command, env=environment, start_new_session=True, **quiet))
        wait_until(ready, named)
        yield
    finally:
        for process in started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        for process in started:
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(30)


def is_listening(port: int) -> bool:
    """Whether somebody does, on this machine."""
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def other_schemas(folder: Path) -> dict[str, str]:
    """Data sets of two Parquet files each: the second has no references, ids that are numbers, or packed lattices of
    another version."""
    import pyarrow as pa
    from pyarrow.parquet import write_table

    assert fstmetrics("pack", ORACLE[1], folder / "lattices.packed").status == 0
    lattices = pa.ipc.open_file(folder / "lattices.packed").read_all().to_struct_array().combine_chunks()
    names = [field.name for field in lattices.type]
    later = [f"{name}2" if name == "arcs" else name for name in names]
    pairs = [{"id": "u1", "hypothesis": "a", "reference": "b"}]
    packed = [
        pa.table({"id": [f"{version}{n}" for n in range(len(lattices))], "hypothesis": column, "reference": texts})
        for version, own in (("first", names), ("later", later))
        for column in [pa.StructArray.from_arrays(lattices.flatten(), own)]
        for texts in [["a"] * len(lattices)]
    ]  # fmt: skip
    sets = {
        "lacking": (pairs, [{"id": "u2", "hypothesis": "a"}]),
        "numbers": (pairs, [{"id": 2, "hypothesis": "a", "reference": "a"}]),
        "later": tuple(packed),
    }
    for name, parts in sets.items():
        (folder / name).mkdir()
        for number, part in enumerate(parts):
            table = part if isinstance(part, pa.Table) else pa.Table.from_pylist(part)
            write_table(table, folder / name / f"{number}.parquet")
    return {name: str(folder / name) for name in sets}


def assert_lacking_columns_are_faults(output: Path) -> None:
    """Of the rows of a file without references."""
    from pyarrow.parquet import read_table

    found = [row for path in output.glob("*.parquet") for row in read_table(path).to_pylist()]
    assert sorted((row["id"], row["edits"], row["fault"]) for row in found) == [
        ("u1", 1, None), ("u2", None, "reference is null"),
    ]  # fmt: skip


def rows_and_records(folder: Path) -> tuple[list[dict[str, str | None]], dict[str, str | None]]:
    """Rows of 40 items and one without a reference, and the record of each item; None of that one."""
    here = folder / "here.jsonl"
    paths = texts(folder, 40)
    assert fstmetrics("score", *paths, "--output", here).status == 0
    said, heard = (dict(line.split(" ", 1) for line in Path(path).read_text().splitlines()) for path in paths)
    rows: list[dict[str, str | None]] = [
        {"id": id, "hypothesis": heard[id], "reference": text} for id, text in said.items()
    ]
    records: dict[str, str | None] = dict(zip(said, here.read_text().splitlines(), strict=True))
    return [*rows, {"id": "null", "hypothesis": "a", "reference": None}], {**records, "null": None}


def assert_scored(output: Path, records: dict[str, str | None]) -> None:
    """The folder has one result of each item: its record, or the fault of the one without a reference."""
    from pyarrow.parquet import read_table

    found = [row for path in output.glob("*.parquet") for row in read_table(path).to_pylist()]
    assert len(found) == len(records)
    assert {row["id"]: row["record"] for row in found} == records
    assert [(row["id"], row["fault"]) for row in found if row["fault"]] == [("null", "reference is null")]
    merged = merge_of(output)
    assert (merged.items, merged.faults) == (len(records) - 1, 1)
    assert merged.totals.edits == sum(json.loads(record)["edits"] for record in records.values() if record)


def merge_of(output: Path) -> Merged:
    """The sums of a folder of results, as docs/scale.md has it."""
    from pyarrow.dataset import dataset

    return merge(dataset(output).to_batches())


def assert_other_results_are_refused(score: Callable[..., object], output: Path) -> None:
    """A folder of results under `wer` with records takes no others, and none again."""
    files = sorted(output.rglob("*"))
    for scoring, resume, message in (
        (scorer("wer", records=True), False, "out: has results already; give resume=True, or another folder"),
        (
            scorer("grr", records=True),
            True,
            r"another signature: metric:wer, the scorer has metric:grr\S*; use an",
        ),
        (scorer("wer", records=True, words=True), True, "other columns: no hypothesis, closest, operations;"),
        (scorer("wer"), True, "other columns: record, terms, which this run has not;"),
    ):
        with pytest.raises(FstmetricsError, match=message):
            score(scoring, str(output), resume=resume)
    assert sorted(output.rglob("*")) == files
