"""Latency of long forms: whole commands, against OmniSTEval."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from bench.inputs import Inputs
from bench.measure import Line, agree, missing, ratio_line
from bench.processes import cpu_of_process

# Recordings, and segments of each; OmniSTEval fills a table of Python's for each recording.
SIZE, TINY = (5, 60), (2, 5)
WORDS, SECONDS = 15, 6.0
MEASURES = {"LongYAAL (CU)": "yaal", "LongLAAL (CU)": "laal", "LongAL (CU)": "al", "LongDAL (CU)": "dal"}


def latency(inputs: Inputs) -> Iterator[Line]:
    """`fstmetrics latency` of a log of SimulEval, its words cut into segments, without quality on their side."""
    recordings, segments = TINY if inputs.tiny else SIZE
    work = f"latency, {recordings} recordings, {recordings * segments * WORDS:,} words"
    if (program := shutil.which("omnisteval")) is None:
        yield missing(work, "OmniSTEval", "needs OmniSTEval: pip install omnisteval")
        return
    log, talks, ref = _written(inputs.folder, recordings, segments)
    theirs = inputs.folder / "omnisteval"
    ours = [sys.executable, "-m", "fstmetrics", "latency", log, "--segments", talks, "--ref", ref, "--json"]
    ours += ["--language", "none", "--ref-format", "plain"]
    given = [
        "longform",
        "--speech_segmentation",
        talks,
        "--ref_sentences_file",
        ref,
        "--hypothesis_file",
        log,
    ]
    given += ["--word_level", "--no_quality", "--output_folder", str(theirs)]
    subprocess.run([program, *given], check=True, capture_output=True)
    rows = (line.split("\t") for line in (theirs / "scores.tsv").read_text().splitlines())
    printed = dict(rows)
    found = json.loads(subprocess.check_output(ours))
    for name, key in MEASURES.items():
        agree(f"{name} of {work}", round(found[key], 4), float(printed[name]), "OmniSTEval")
    yield ratio_line(work, "OmniSTEval", [cpu_of_process(*ours)], [cpu_of_process(program, *given)])


def _written(folder: Path, recordings: int, segments: int) -> tuple[str, str, str]:
    """A log, the segments of its recordings and their references; two words of ten are wrong."""
    rng = random.Random(recordings)
    length = segments * SECONDS
    logs, talks, references = [], [], []
    for name in range(recordings):
        words, delays = [], []
        for number in range(segments):
            said = [f"word{rng.randrange(500)}" for _ in range(WORDS)]
            references.append(" ".join(said))
            talks.append(f"- {{duration: {SECONDS}, offset: {number * SECONDS}, wav: r{name}.wav}}")
            for place, word in enumerate(said):
                words.append(f"word{rng.randrange(500)}" if rng.random() < 0.2 else word)
                at = number * SECONDS + (place + 1) * SECONDS / WORDS
                delays.append(min(round(1000 * (at + 1)), int(1000 * length)))
        logs.append(
            {"index": name, "prediction": " ".join(words), "delays": delays, "elapsed": delays,
             "source": [f"r{name}.wav"], "source_length": 1000 * length, "prediction_length": len(words)}
        )  # fmt: skip
    texts = {
        "latency.log": "".join(f"{json.dumps(log)}\n" for log in logs),
        "latency.yaml": "".join(f"{line}\n" for line in talks),
        "latency.txt": "".join(f"{line}\n" for line in references),
    }
    for file, text in texts.items():
        (folder / file).write_text(text)
    log, segments_file, ref = (str(folder / file) for file in texts)
    return log, segments_file, ref
