"""Items of a score one by one, as `--alignment` and `--nbest` print them: `item_texts`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fstmetrics.reports.alignment import ORDERED, alignment_text, as_given, legend, one_best_text, title
from fstmetrics.runs.pair_blocks import Pair
from fstmetrics.runs.path_scoring import choices_taken
from fstmetrics.runs.score import Score
from fstmetrics.scoring.oracle_results import OracleResult
from fstmetrics.scoring.results import Result
from fstmetrics.support.printable import printable
from fstmetrics.support.styled import Styled
from fstmetrics.values.normalisation import PLAIN


def item_texts(score: Score, alignment: bool, width: int) -> Iterator[Styled]:
    """Each item, or each of its best paths, with its alignment or its words.

    Args:
        score: has the items.
        alignment: whether alignments are wanted.
        width: of a line of an alignment.
    """
    if alignment:
        yield Styled(legend(score.results) + "\n", "dim")
    for number, (result, pair) in enumerate(score.shown.items, 1):
        for name, path in _shown_paths(result):
            yield Styled(name + title(path, number), "bold")
            for line in _rewrites_and_choices(path, pair, score):
                yield Styled(f"     {printable(line)}", "dim")
            if alignment:
                text = alignment_text(path.alignment, width)
                is_first = path is (result.nbest or (result,))[0]
                if is_first and isinstance(result, OracleResult) and result.one_best:
                    space = "" if result.unit == "char" else " "
                    text.append_text(one_best_text(result.one_best.hypothesis, result.parts, space, width))
                    text.append("\n")
                yield text
            else:
                for label, words in _rows(path).items():
                    yield Styled(f"     {label} {printable(' '.join(words))}")
        if result.nbest and not alignment:
            yield Styled("")


def _shown_paths(result: Result) -> Iterator[tuple[str, Result]]:
    """The best path or paths of an item, and hope and fear, each with what it is."""
    for rank, path in enumerate(result.nbest or (result,), 1):
        yield (f"{rank:>3}. " if result.nbest else ""), path
    if isinstance(result, OracleResult):
        for name in ("hope", "fear"):
            for rank, weighed in enumerate(getattr(result, name), 1):
                yield f"{name} {rank}. ", weighed.result


def _rewrites_and_choices(path: Result, pair: Pair, score: Score) -> Iterator[str]:
    """What rewrite rules changed in the reference, and what the path uses of each choice that it leaves."""
    for rewrite in path.rewrites:
        after = " ".join(rewrite.after) or "~"
        yield f"rewritten: {' '.join(rewrite.before)} -> {after}  ({rewrite.grammar}:{rewrite.line})"
    for choice in _choices(path, pair, score):
        yield f"chosen: {choice['written']} as {choice['taken'] or 'nothing'}"


def _choices(path: Result, pair: Pair, score: Score) -> Sequence[Mapping[str, Any]]:
    """What the path uses of each choice of the reference."""
    taken = choices_taken(
        path.closest, pair.reference, (score.corpus and score.corpus.normalisation) or PLAIN
    )
    found: Sequence[Mapping[str, Any]] = taken.get("alternatives", ())
    return found


def _rows(path: Result) -> dict[str, Sequence[str]]:
    """The words of both sides, and of the hypothesis as it was reordered."""
    given = [str(pair.hypothesis) for pair in as_given(path.alignment)]
    return {"HYP": given, **({ORDERED: path.hypothesis} if path.moves else {}), "REF": path.closest}
