"""Language models in ARPA format: `read_arpa`, and the probabilities of sentences."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fstmetrics.metrics.corpus_metric import Words
from fstmetrics.support.source import Source

START, END, UNKNOWN = "<s>", "</s>", "<unk>"
# log10 of an unknown word where the model has no <unk>, as KenLM has it.
LEAST = -100.0
_SIZE = re.compile(r"ngram\s+(\d+)\s*=\s*(\d+)\s*")


@dataclass(frozen=True)
class LanguageModel:
    """An n-gram model with backoff.

    Attributes:
        order: the longest n-grams.
        probabilities: log10 of each n-gram's last word after the others.
        backoffs: log10 of what each context adds where an n-gram is not there.
    """

    order: int
    probabilities: Mapping[tuple[str, ...], float]
    backoffs: Mapping[tuple[str, ...], float]

    def log10(self, words: Words) -> float:
        """log10 of the probability of a sentence, with its end where the model has one.

        >>> unigrams = {("<s>",): -99.0, ("</s>",): -0.5, ("a",): -0.25}
        >>> LanguageModel(1, unigrams, {}).log10(["a", "a"])
        -1.0
        """
        context: tuple[str, ...] = (START,) if (START,) in self.probabilities else ()
        total = 0.0
        for word in (*words, END) if (END,) in self.probabilities else words:
            known = word if (word,) in self.probabilities else UNKNOWN
            context = context[max(0, len(context) - self.order + 1) :] if self.order > 1 else ()
            total += self._word(context, known)
            context = (*context, known)
        return total

    def _word(self, context: tuple[str, ...], word: str) -> float:
        total = 0.0
        while True:
            found = self.probabilities.get((*context, word))
            if found is not None:
                return total + found
            if not context:
                return total + LEAST
            total += self.backoffs.get(context, 0.0)
            context = context[1:]


def read_arpa(path: str) -> LanguageModel:
    r"""Read a model; gzip is transparent.

    Raises:
        InputError: the file cannot be read, is cut, or has a line that is none of the format.
    """
    source = Source.open(path)
    lines = ((number, line.strip()) for number, line in source.lines())
    lines = ((number, line) for number, line in lines if line)
    sizes, number, line = _sizes(source, lines)
    probabilities: dict[tuple[str, ...], float] = {}
    backoffs: dict[tuple[str, ...], float] = {}
    for order, size in enumerate(sizes, 1):
        if line != f"\\{order}-grams:":
            raise source.error(f"expected \\{order}-grams:, found {_found(line)}", number)
        for read in range(size):
            number, line = next(lines, (number, ""))
            if not line or line.startswith("\\"):
                raise source.error(
                    f"expected {size} n-grams of {order} words, found {read} and then {_found(line)}", number
                )
            parts = line.split()
            if len(parts) not in (order + 1, order + 2):
                raise source.error(
                    f"expected log10 probability, {order} words, and perhaps a backoff, found {len(parts)} columns",
                    number,
                )
            ngram = tuple(parts[1 : order + 1])
            probabilities[ngram] = _log(source, number, parts[0])
            if len(parts) > order + 1:
                backoffs[ngram] = _log(source, number, parts[-1])
        number, line = next(lines, (number, ""))
    if line != "\\end\\":
        raise source.error(f"expected \\end\\, found {_found(line)}", number)
    return LanguageModel(len(sizes), probabilities, backoffs)


def _sizes(source: Source, lines: Iterator[tuple[int, str]]) -> tuple[list[int], int, str]:
    """How many n-grams of each order there are, and the line after that."""
    number, line = next(((number, line) for number, line in lines if line == "\\data\\"), (1, ""))
    if not line:
        raise source.error("expected a language model in ARPA format, found no line \\data\\")
    sizes: list[int] = []
    for number, line in lines:
        match = _SIZE.fullmatch(line)
        if not match:
            break
        if int(match[1]) != len(sizes) + 1:
            raise source.error(f"expected `ngram {len(sizes) + 1}=NUMBER`, found {_found(line)}", number)
        sizes.append(int(match[2]))
    if not sizes:
        raise source.error(f"expected `ngram 1=NUMBER`, found {_found(line)}", number)
    return sizes, number, line


def _found(line: str) -> str:
    return repr(line[:60]) if line else "the end of the file; is it cut?"


def _log(source: Source, number: int, text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if math.isnan(found) or found == math.inf:
        raise source.error(f"expected a logarithm, found {text!r}", number)
    return found
