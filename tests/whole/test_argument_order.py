"""Hypotheses come before references in all calls; calls on paths take both by name; first lines say which is which."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import fstmetrics as fm

HYPOTHESES = {"hypothesis", "hypotheses", "lattice", "lattices", "systems", "results"}
REFERENCES = {"reference", "references", "network", "networks"}
# What has other words for its sides: libraries whose calls these are.
OTHERS_ORDER = ("jiwer",)


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public functions, and the methods of public classes."""
    places = {"": fm} | {
        f"{name}.": getattr(fm, name)
        for name in ("decoding", "evaluation", "networks", "jiwer")
        if name not in OTHERS_ORDER
    }
    for place, module in places.items():
        for name in getattr(module, "__all__", dir(module)):
            value = getattr(module, name)
            if inspect.isclass(value):
                for part, method in inspect.getmembers(value, inspect.isroutine):
                    own = getattr(method, "__module__", None) or ""
                    if not part.startswith("_") and own.startswith("fstmetrics"):
                        yield f"{place}{name}.{part}", method
                if not issubclass(value, tuple) and not hasattr(value, "__dataclass_fields__"):
                    yield f"{place}{name}", value
            elif callable(value) and not name.startswith("_"):
                yield f"{place}{name}", value


def sides(call: Callable[..., Any]) -> tuple[list[inspect.Parameter], list[inspect.Parameter]]:
    """The parameters for hypotheses, and those for references."""
    try:
        parameters = inspect.signature(call).parameters.values()
    except ValueError:
        return [], []
    hypotheses, references = (
        [each for each in parameters if each.name in names] for names in (HYPOTHESES, REFERENCES)
    )
    # Where both are there, the network is not what is scored against.
    return hypotheses, [each for each in references if each.name != "network"] or references


CALLS = {name: call for name, call in functions() if all(sides(call))}
ON_PATHS = {name: call for name, call in CALLS.items() if name.endswith("_files")}


def test_the_calls_are_those_that_have_both() -> None:
    assert {"wer", "score", "compare", "cpwer", "oracle", "segment", "BLEU.statistics"} <= CALLS.keys()
    assert {"score_files", "oracle_files", "hyter_files", "speakers_files", "tune_files"} <= ON_PATHS.keys()


@pytest.mark.parametrize("name", [name for name in CALLS if name not in ON_PATHS])
def test_hypotheses_come_first(name: str) -> None:
    order = [*inspect.signature(CALLS[name]).parameters]
    hypotheses, references = sides(CALLS[name])
    assert order.index(hypotheses[0].name) < order.index(references[0].name)


@pytest.mark.parametrize("name", ON_PATHS)
def test_sides_in_files_are_given_by_name(name: str) -> None:
    hypotheses, references = sides(ON_PATHS[name])
    named = [each for each in (*hypotheses, *references) if each.name != "systems"]
    assert {each.kind for each in named} == {inspect.Parameter.KEYWORD_ONLY}
    names = ", ".join(f"{each.name}=..." for each in named)
    by_place = [
        each
        for each in inspect.signature(ON_PATHS[name]).parameters.values()
        if each.kind is each.POSITIONAL_OR_KEYWORD
    ]
    with pytest.raises(TypeError, match=rf"{name}\(\) takes its sides by name: ") as refused:
        ON_PATHS[name](*["x.txt"] * (len(by_place) + 2))
    assert set(names.split(", ")) == set(str(refused.value).partition("name: ")[2].split(", "))


@pytest.mark.parametrize("name", [name for name in CALLS if "." not in name])
def test_the_first_line_says_which_is_which(name: str) -> None:
    first = (inspect.getdoc(CALLS[name]) or "").splitlines()[0]
    hypotheses, references = sides(CALLS[name])
    assert f"`{hypotheses[0].name}" in first, first
    assert f"`{references[0].name}" in first, first
    if name not in ON_PATHS:
        assert first.index(f"`{hypotheses[0].name}") < first.index(f"`{references[0].name}"), first
