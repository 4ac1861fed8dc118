"""Kaldi's data folder: `text`, with what the files beside it say of each utterance. Source: Kaldi, data preparation.

| file | lines | fields |
|---|---|---|
| `utt2spk` | utterance, speaker | `speaker` |
| `spk2gender` | speaker, gender | `gender` |
| `utt2dur` | utterance, seconds | `duration` |
| `segments` | utterance, recording, begin, end | `file`, `start`, `end`; `duration` where `utt2dur` lacks it |
| `reco2file_and_channel` | recording, file, channel | `file_and_channel` of its segments |
| `utt2NAME`, as `utt2lang` | utterance, value | `NAME`; `language` for `lang`, `gender` for `gender` |

Words with times pair with the segments, by the recording or by its file and channel, as `get_ctm.sh` names them
(`scoring.words_in_segments`). ESPnet has the same folders, and writes what it recognised as `text`
beside `token` and `score`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from fstmetrics.data.fields import Field, Fields
from fstmetrics.data.segments import FILE_AND_CHANNEL, MICROSECONDS, seconds
from fstmetrics.io.arcs import shown
from fstmetrics.io.formats import kaldi_text
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.io.writing import parts_of_turn
from fstmetrics.support.source import Source

TEXT = "text"
CHANNELS = "reco2file_and_channel"
# A folder with `text` and one of these is Kaldi's, or what ESPnet recognised.
BESIDE = ("utt2spk", "segments", "wav.scp", "utt2dur", "token", "score")
OF_UTTERANCES = re.compile(r"utt2([a-z][a-z_0-9]*)")
# Of these files the program has its own names, or no use.
NAMES = {"spk": "speaker", "dur": "duration", "lang": "language"}
NUMBERS = {"duration", "num_frames"}
Table = dict[str, Field]


def files(folder: Path) -> list[Path]:
    """`text` of such a folder."""
    text = folder / TEXT
    return [text] if text.is_file() and any((folder / name).is_file() for name in BESIDE) else []


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The sentences of `text`, with their fields.

    Raises:
        InputError: what is wrong with a line of one of the files; `text` without a folder.
    """
    if source.path == "-":
        raise source.error("is no folder: a data folder of Kaldi is read as a whole")
    fields = _fields(Path(source.path).parent)
    for item in kaldi_text.read(source, options):
        own = fields(item.id or "")
        yield replace(item, fields=own, left_out=parts_of_turn(own) if options.tell_left_out else ())


def _fields(folder: Path) -> Callable[[str], Fields]:
    """What gives the fields of an utterance."""
    tables: dict[str, Table] = {}
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if match := OF_UTTERANCES.fullmatch(path.name):
            name = NAMES.get(match[1], match[1])
            tables[name] = _table(path, number=name in NUMBERS)
    genders = _table(folder / "spk2gender") if (folder / "spk2gender").is_file() else {}
    segments = _segments(folder / "segments") if (folder / "segments").is_file() else {}
    if (folder / CHANNELS).is_file():
        channels = _table(folder / CHANNELS)
        for own in segments.values():
            if own["file"] in channels:
                own[FILE_AND_CHANNEL] = " ".join(str(channels[str(own["file"])]).split())
    return partial(_of_utterance, tables, genders, segments)


def _of_utterance(
    tables: dict[str, Table], genders: Table, segments: dict[str, Table], utterance: str
) -> Fields:
    found = dict(segments.get(utterance, {}))
    found |= {name: table[utterance] for name, table in tables.items() if utterance in table}
    speaker = found.get("speaker")
    if speaker in genders:
        found.setdefault("gender", genders[str(speaker)])
    return found


def _table(path: Path, number: bool = False) -> Table:
    """A file of two columns.

    Raises:
        InputError: a line without a second column, one that is no number where it has to be, or a key twice.
    """
    source = Source.open(path)
    found: Table = {}
    for line, text in source.lines_of_items():
        key, _, value = text.strip().partition(" ") if "\t" not in text else text.strip().partition("\t")
        if not value:
            raise source.error(f"expected two columns, found {shown(text)}", line)
        if key in found:
            raise source.error(f"{shown(key)} comes twice", line)
        found[key] = value.strip()
        if number:
            found[key] = seconds(value)
        if found[key] is None:
            raise source.error(f"expected a number in the second column, found {shown(value)}", line)
    return found


def _segments(path: Path) -> dict[str, Table]:
    """Recording and times of each utterance.

    Raises:
        InputError: a line that is not `utterance recording begin end`.
    """
    source = Source.open(path)
    found: dict[str, Table] = {}
    for line, text in source.lines_of_items():
        parts = text.split()
        times = [seconds(part) for part in parts[2:4]]
        if len(parts) < 4 or times[0] is None or times[1] is None or times[1] < times[0]:
            raise source.error(f"expected `utterance recording begin end`, found {shown(text)}", line)
        if parts[0] in found:
            raise source.error(f"{shown(parts[0])} comes twice", line)
        found[parts[0]] = {
            "file": parts[1],
            "start": times[0],
            "end": times[1],
            "duration": round(times[1] - times[0], MICROSECONDS),
        }
    return found


FORMAT = Format(
    "kaldi-data", "data folder of Kaldi or ESPnet: text, utt2spk, ...", read,
    by_lines=True, folder=files, takes_symbols=True,
)  # fmt: skip
