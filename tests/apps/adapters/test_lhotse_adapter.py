"""Cuts of Lhotse, real ones: what is scored, what comes back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import fstmetrics as fm
from fstmetrics.apps.adapters.lhotse import cut_batches, score_cuts
from fstmetrics.batches import merge, scorer

lhotse: Any = pytest.importorskip("lhotse", reason="lhotse is not installed")

TEXTS = [("the cat", "a cat"), ("", "oh"), (None, "x"), ("a dog", None)]


def cut(number: int, reference: str | None, hypothesis: str | None, supervisions: int = 1) -> Any:
    from lhotse.testing.dummies import dummy_cut

    made = [
        lhotse.SupervisionSegment(
            f"s{number}-{n}", "rec", 0.0, 1.0, text=reference, speaker="ann", custom={"hyp": hypothesis}
        )
        for n in range(supervisions)
    ]
    return dummy_cut(number, supervisions=made)


@pytest.fixture
def cuts() -> Any:
    return lhotse.CutSet.from_cuts([cut(n, *texts) for n, texts in enumerate(TEXTS)])


def test_batches_have_the_texts_and_fields_of_cuts(cuts: Any) -> None:
    first, second = cut_batches(cuts, size=2)
    assert first.to_pylist()[0] == {
        "id": cuts[0].id, "hypothesis": "a cat", "reference": "the cat", "speaker": "ann", "language": None,
        "duration": 1.0,
    }  # fmt: skip
    assert first.schema == second.schema
    sums = [merge(map(scorer("wer"), cut_batches(cuts, size=size))) for size in (1, 3, 10)]
    assert len({each.to_bytes() for each in sums}) == 1
    assert (sums[0].items, sums[0].faults, sums[0].totals.edits) == (2, 2, 2)


def test_cuts_come_back_with_their_results(cuts: Any, tmp_path: Path) -> None:
    found = lhotse.CutSet.from_cuts(score_cuts(cuts, scorer("wer"), prefix="wer_", size=3))
    path = tmp_path / "cuts.jsonl.gz"
    found.to_file(path)
    fields = [each.supervisions[0].custom for each in lhotse.load_manifest_lazy(path)]
    assert [each.get("wer_edits") for each in fields] == [1, 1, None, None]
    assert [each.get("wer_fault") for each in fields] == [
        None,
        None,
        "reference is null",
        "hypothesis is null",
    ]
    assert cuts[0].supervisions[0].custom == {"hyp": "a cat"}
    bad = found.filter(lambda each: each.supervisions[0].custom.get("wer_edits") == 1)
    assert len(list(bad)) == 2


def test_hypotheses_are_looked_up_in_a_mapping_or_in_other_cuts(cuts: Any) -> None:
    of_mapping = merge(map(scorer("wer"), cut_batches(cuts, {cuts[0].id: "the cat"})))
    assert (of_mapping.items, of_mapping.totals.edits, of_mapping.faults) == (1, 0, 3)
    other = lhotse.CutSet.from_cuts(cut(n, hypothesis, None) for n, (_, hypothesis) in enumerate(TEXTS))
    of_cuts = merge(map(scorer("wer"), cut_batches(cuts, other)))
    of_fields = merge(map(scorer("wer"), cut_batches(cuts)))
    assert of_cuts.to_bytes() == of_fields.to_bytes()


def test_a_cut_that_is_mixed_with_noise_is_scored(cuts: Any) -> None:
    mixed = cuts[0].mix(cut(9, None, None, supervisions=0), snr=10)
    [found] = score_cuts([mixed], scorer("wer"))
    assert found.supervisions[0].custom["edits"] == 1


def test_what_is_wrong_with_cuts_is_told(cuts: Any) -> None:
    with pytest.raises(fm.FstmetricsError, match=r"no custom field 'hypo'; it has .*hyp"):
        list(cut_batches(cuts, "hypo"))
    with pytest.raises(fm.FstmetricsError, match=r"2 supervisions, expected one: .*trim_to_supervisions"):
        list(cut_batches([cut(1, "a", "a", supervisions=2)]))
    with pytest.raises(fm.FstmetricsError, match="'score' already"):
        list(score_cuts(score_cuts(cuts, scorer("wer")), scorer("wer")))
    with pytest.raises(fm.FstmetricsError, match="at least one cut"):
        list(cut_batches(cuts, size=0))
