"""Words and confidences of lattices in columns are those of the lattices one by one."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from command import fstmetrics, written

import fstmetrics as fm
from fstmetrics.apps.calibration import confidence_command
from fstmetrics.apps.calibration.calibration import SaidWords, said, said_by_lattices
from fstmetrics.io import FORMATS
from fstmetrics.io.items import ReadOptions
from fstmetrics.support.source import File

WORDS = ["the", "a", "cat", "naïve", "<eps>", "</s>"]


def lattice(chance: random.Random, id: str) -> str:
    """Arcs over one state or two, which last as long as they say."""
    length = chance.randrange(1, 7)
    arcs = [
        f"{n} {m} {word} {chance.uniform(0, 3)},{chance.randrange(3)},{'7_' * (2 * (m - n) + chance.randrange(2))}7\n"
        for n in range(length)
        for m in (n + 1, n + 2)
        if m <= length
        for word in chance.sample(WORDS, chance.randrange(1, 4))
    ]
    return f"{id} \n{''.join(arcs)}{length} 0,{chance.randrange(3)},\n\n"


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """References and lattices."""
    chance, folder = random.Random(8), tmp_path_factory.mktemp("lattices")
    ids = [f"u{n}" for n in range(80)]
    texts = (" ".join(chance.choices(WORDS[:4], k=chance.randrange(1, 7))) for _ in ids)
    return (
        written(folder / "ref.txt", "".join(f"{id} {text}\n" for id, text in zip(ids, texts, strict=True))),
        written(folder / "lat.txt", "".join(lattice(chance, id) for id in ids)),
    )


def columns(path: Path) -> list[Any]:
    read = FORMATS["kaldi-lattice"].blocks
    assert read is not None
    return [block.values for block in read(File(str(path)), ReadOptions()) or ()]


@pytest.mark.parametrize("scales", [{}, {"lm": 0.3}, {"lm": 2.0, "acoustic": 0.7, "word_penalty": -1.0}])
def test_words_and_confidences_are_those_of_each_lattice(
    inputs: tuple[Path, Path], scales: dict[str, float]
) -> None:
    for column in columns(inputs[1]):
        found = said_by_lattices(column, 0.5, scales, 2)
        assert isinstance(found, SaidWords)
        alone = [said(each, 0.5, fm.Scales(**scales)) for each in column]
        assert list(found.words) == [each.words for each in alone]
        assert found.confidences.tolist() == [value for each in alone for value in each.confidences]
        assert len(set(found.confidences.tolist())) > 10


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--metric", "sclite"),
        ("--ignore", "the"),
        ("--remove-punctuation", "--bins", "3"),
        ("--lm-scale", "0.3", "--scale", "2"),
    ],
)
def test_the_command_says_the_same(
    options: tuple[str, ...], inputs: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = fstmetrics("confidence", *inputs, "--json", *options)
    assert whole.status == 0
    with monkeypatch.context() as patch:
        patch.setattr(confidence_command, "said_by_lattices", lambda *_: None)
        assert fstmetrics("confidence", *inputs, "--json", *options).out == whole.out


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("0 1 a 1,2,7\n1 0 b 1,2,7\n1 0,0,\n", "item u5: lattice u5: the lattice has a cycle"),
        ("0 1 a 1,2,7\n2 0,0,\n", "item u5: lattice u5: no path leads from its start to a final state"),
        ("0 1 a 1,x,7\n1 0,0,\n", "a cost is a number, not 'x'"),
    ],
)
def test_what_is_wrong_with_a_lattice_is_said(
    body: str, message: str, inputs: tuple[Path, Path], tmp_path: Path
) -> None:
    items = inputs[1].read_text().split("\n\n")
    items[5] = f"u5 \n{body}".rstrip("\n")
    ran = fstmetrics("confidence", inputs[0], written(tmp_path / "lat.txt", "\n\n".join(items)))
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert message in ran.err
