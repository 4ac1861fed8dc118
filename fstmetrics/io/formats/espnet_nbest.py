"""N-best lists of ESPnet: a folder with `1best_recog/text`, `2best_recog/text` and so on, of `id word word ...` lines.

Scores are in `score` beside each `text`. A folder of the parts of a run, `output.1`, `output.2` and so on, is read as
one. Source: ESPnet, espnet2/bin/asr_inference.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from fstmetrics.data.nbest import NBest
from fstmetrics.io.arcs import real, shown
from fstmetrics.io.formats import kaldi_text
from fstmetrics.io.items import Format, Item, ReadOptions
from fstmetrics.support.source import Source

PART = re.compile(r"output\.(\d+)")
# A number, or a number as PyTorch prints its tensors.
SCORE = re.compile(r"(?:tensor\()?([^\s,()]+)[^\n]*")


def files(folder: Path) -> list[Path]:
    """The first choices of each part of such a folder, in the order of the parts."""
    parts = [
        (int(match[1]), path) for path in folder.glob("output.*") if (match := PART.fullmatch(path.name))
    ]
    roots = [folder, *(path for _, path in sorted(parts))]
    return [path for root in roots if (path := _choices(root, 1)).is_file()]


def _choices(root: Path, rank: int) -> Path:
    return root / f"{rank}best_recog" / "text"


def read(source: Source, options: ReadOptions) -> Iterator[Item]:
    """The lists of one part, by the path of its first choices, in their order.

    Raises:
        InputError: what is wrong with a line of one of the files; a choice whose better ones are not there.
    """
    root = Path(source.path).parent.parent
    ranks = [{item.id: item.text or "" for item in kaldi_text.read(source, options)}]
    scores = [_scores(Path(source.path))]
    for rank in count(2):
        path = _choices(root, rank)
        if not path.is_file():
            break
        other = Source.open(path)
        ranks.append({item.id: item.text or "" for item in kaldi_text.read(other, options)})
        scores.append(_scores(path))
        if strange := next((id for id in ranks[-1] if id not in ranks[-2]), None):
            raise other.error(f"{shown(strange)} has a choice {rank} and no choice {rank - 1}")
    for id in ranks[0]:
        texts = tuple(texts[id] for texts in ranks if id in texts)
        found = tuple(scores[rank][id] for rank in range(len(texts)) if id in scores[rank])
        entries = tuple(tuple(text.split()) for text in texts)
        yield Item(id, NBest(id or "", entries, texts, found if len(found) == len(texts) else None))


def _scores(text: Path) -> dict[str | None, float]:
    """The scores beside a file of choices; none where there is no such file."""
    path = text.with_name("score")
    if not path.is_file():
        return {}
    source = Source.open(path)
    found: dict[str | None, float] = {}
    for number, line in source.lines_of_items():
        id, _, value = line.strip().partition(" ")
        match = SCORE.fullmatch(value.strip())
        try:
            found[id] = real(match[1] if match else value)
        except ValueError as error:
            raise source.error(f"the score of {shown(id)}: {error}", number) from None
    return found


FORMAT = Format(
    "espnet-nbest", "n-best folder of ESPnet, 1best_recog, 2best_recog, ...", read,
    folder=files, takes_symbols=True,
)  # fmt: skip
