"""Results of batches added up: the same bytes in any order, and nothing that does not belong together."""

from __future__ import annotations

import json
import random
import zlib
from pathlib import Path
from typing import Any

import pytest
from arrow_batches import batch, random_rows

import fstmetrics as fm
from fstmetrics.batches import Merged, batch_sums, merge, scorer
from fstmetrics.support.errors import FstmetricsError

pa = pytest.importorskip("pyarrow")


def parts(rows: list[dict[str, Any]], partitions: int, seed: int) -> list[Any]:
    """The rows in random order, in so many batches, of which some may be empty."""
    draw = random.Random(seed)
    some: list[list[dict[str, Any]]] = [[] for _ in range(partitions)]
    for row in draw.sample(rows, len(rows)):
        draw.choice(some).append(row)
    schema = batch(rows).schema
    return [pa.RecordBatch.from_pylist(each, schema=schema) for each in some]


SETTINGS: list[dict[str, Any]] = [
    {"metric": "wer"},
    {"metric": "grr", "records": True},
    {"metric": "wrr", "words": True},
    {"metric": "wer", "oracle": True, "records": True},
    {"metric": "wer", "oracle": True},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_shuffled_batches_in_any_partition_have_the_same_sums_and_records(settings: dict[str, Any]) -> None:
    rows = random_rows(1, 50)
    if settings.get("oracle"):
        for row in rows:
            row["hypothesis"] = [row["hypothesis"], row["hypothesis"][:3], "a b"]
    rows[7]["reference"] = None
    score = scorer(**settings)
    whole = score(batch(rows))
    expected = merge([whole]).to_bytes()
    records = sorted(map(str, whole.select(["id", "fault", *(["record"] * score.records)]).to_pylist()))
    for partitions in range(1, 17):
        found = [score(part) for part in parts(rows, partitions, partitions)]
        merged = merge(found)
        assert merged.to_bytes() == expected
        assert (
            (merge(found[::2] or found) + merge(found[1::2])).to_bytes() == expected
            if partitions > 1
            else True
        )
        table = pa.Table.from_batches(found).select(["id", "fault", *(["record"] * score.records)])
        assert sorted(map(str, table.to_pylist())) == records
    again = Merged.from_bytes(expected)
    assert again.to_bytes() == expected
    assert (again.items, again.faults) == (49, 1)


def test_the_score_is_that_of_the_corpus() -> None:
    rows = random_rows(2, 90)
    for metric in ("wer", "wrr", "grr", fm.GRR(2, alpha=0.5)):
        score = scorer(metric)
        found = merge(score(part) for part in parts(rows, 4, 3)).corpus(metric)
        texts = [row["hypothesis"] for row in rows], [row["reference"] for row in rows]
        corpus = fm.score(*texts, metric)
        assert (found.score, found.mean_score, found.edits) == (corpus.score, corpus.mean_score, corpus.edits)
        with pytest.raises(FstmetricsError, match="were scored otherwise than by hyter"):
            merge([score(batch(rows))]).corpus("hyter")


@pytest.mark.parametrize("unit", ["word", "char", "mixed"])
def test_only_the_metric_that_items_were_scored_with_has_a_score(unit: Any) -> None:
    """In the unit that they were scored in; beta 0.0 begins as beta 0.05 does."""
    given = fm.Normalisation(unit=unit)
    found = merge([scorer(fm.GRR(beta=0.05), normalisation=given)(batch(random_rows(7, 20)))])
    assert len(found.corpus(fm.GRR(beta=0.05)).items) == 20
    for other in ("grr", fm.GRR(beta=0.5), "wer"):
        with pytest.raises(FstmetricsError, match="scored otherwise"):
            found.corpus(other)


@pytest.mark.parametrize("unit", ["char", "char-no-space"])
def test_sums_of_characters_have_the_name_of_their_score(unit: Any) -> None:
    given = fm.Normalisation(unit=unit)
    rows = random_rows(7, 20)
    expected = fm.score(
        [row["hypothesis"] for row in rows], [row["reference"] for row in rows], normalisation=given
    )
    for asked in ("wer", "cer"):
        found = merge([scorer(asked, normalisation=given)(batch(rows))])
        for metric in ("wer", "cer", fm.CER()):
            corpus = found.corpus(metric)
            assert (corpus.name, corpus.score, corpus.unit) == ("cer", expected.score, unit)
            assert "|metric:cer|" in corpus.signature


@pytest.mark.parametrize("metric", ["cer", fm.CER()])
def test_characters_are_refused_where_words_are_compared(metric: Any) -> None:
    found = merge([scorer("wer")(batch(random_rows(7, 20)))])
    assert found.corpus("wer").name == "wer"
    with pytest.raises(
        FstmetricsError, match="cer compares characters, and here words are compared: ask for wer"
    ):
        found.corpus(metric)
    with pytest.raises(
        FstmetricsError, match="cer compares characters, and here words are compared: ask for wer"
    ):
        scorer(metric)


def test_terms_and_columns_give_the_same_sums() -> None:
    rows = random_rows(3, 50)
    with_terms, without = (merge([scorer(records=records)(batch(rows))]) for records in (True, False))
    assert with_terms.to_bytes() == without.to_bytes()


def test_records_are_written_in_the_order_of_their_ids(tmp_path: Path) -> None:
    rows = random_rows(4, 30)
    score = scorer(records=True)
    written = []
    for seed in range(3):
        out = tmp_path / f"{seed}.jsonl"
        merge([score(part) for part in parts(rows, 5, seed)], output=str(out))
        written.append(out.read_bytes())
    assert written[0] == written[1] == written[2]
    ids = [json.loads(line)["id"] for line in written[0].splitlines()]
    assert ids == sorted(row["id"] for row in rows)
    with pytest.raises(FstmetricsError, match="records=True"):
        merge([scorer()(batch(rows))], output=str(tmp_path / "none"))
    assert not (tmp_path / "none").exists()


def test_what_does_not_belong_together_is_refused() -> None:
    rows = random_rows(5, 10)
    found = scorer()(batch(rows))
    with pytest.raises(FstmetricsError, match="no results to merge"):
        merge([])
    with pytest.raises(FstmetricsError, match="ids come twice: u3"):
        merge([found, scorer()(batch(rows[3:4]))])
    for other in (scorer("wrr"), scorer(normalisation=fm.Normalisation(lowercase=True))):
        with pytest.raises(FstmetricsError, match="results of different scores"):
            merge([found, other(batch(random_rows(6, 3)))])
    with pytest.raises(FstmetricsError, match=r"expected results of fstmetrics\.batches\.scorer"):
        merge([batch(rows)])
    later = found.replace_schema_metadata({"fstmetrics.results": "2"})
    with pytest.raises(FstmetricsError, match="version 2 of the columns"):
        merge([later])
    other = b'{"format": "fstmetrics-sums/9"}'
    for data in (b"", b"{}", b"[1]", other, b"%d %b" % (zlib.crc32(other), other)):
        with pytest.raises(FstmetricsError, match="sums"):
            Merged.from_bytes(data)


def test_sums_that_are_damaged_are_refused() -> None:
    """A changed digit would be another score."""
    whole = merge([scorer()(batch(random_rows(2, 5)))]).to_bytes()
    for place in range(len(whole)):
        for data in (whole[:place], whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]):
            with pytest.raises(
                FstmetricsError, match="these bytes are no sums of fstmetrics, or are damaged"
            ):
                Merged.from_bytes(data)


def test_items_that_come_twice_are_refused_as_long_as_sums_keep_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = random_rows(8, 20)
    rows[4]["reference"] = None  # a fault counts once, too
    one, other = (scorer()(batch(some)) for some in (rows[:12], rows[12:]))
    first, both = merge([one]), merge([one, other])
    again = Merged.from_bytes(first.to_bytes())
    for sums in ([first, first], [both, one], [one, first], [first, again], [both, first]):
        with pytest.raises(FstmetricsError, match="come twice"):
            merge(sums)
    for left, right in ((first, first), (both, first), (first, again), (again, both)):
        before = left.to_bytes()
        with pytest.raises(FstmetricsError, match="come twice"):
            left + right
        with pytest.raises(FstmetricsError, match="come twice"):
            left.update(right)
        assert left.to_bytes() == before
    again.update(merge([other]))
    assert again.to_bytes() == both.to_bytes() == merge([first, other]).to_bytes()
    monkeypatch.setattr(batch_sums, "MOST_IDS", 15)
    large = merge([one, other])
    assert first.ids is not None
    assert large.ids is None
    assert (first + merge([other])).to_bytes() == large.to_bytes()
    with pytest.raises(FstmetricsError, match="ids come twice"):
        merge([one, other, one])
    with pytest.raises(FstmetricsError, match="the same sums come twice"):
        large + large


def test_sums_without_ids_notice_only_the_same_object() -> None:
    found = scorer(id=None)(batch(random_rows(9, 5)).drop_columns(["id"]))
    sums = merge([found])
    assert sums.ids is None
    assert (sums + merge([found])).items == 10
    with pytest.raises(FstmetricsError, match="the same sums come twice"):
        merge([sums, sums])


def test_oracles_and_texts_do_not_add_up() -> None:
    texts = {"id": ["u1"], "hypothesis": ["a b"], "reference": ["a c"]}
    lists = texts | {"id": ["u2"], "hypothesis": [["a b", "a c"]]}
    text, best = (merge([scorer()(pa.table(each))]) for each in (texts, lists))
    assert str(best.corpus()).startswith("wer oracle 0.0000")
    assert str(text.corpus()).startswith("wer 0.5000")
    assert (best + merge([scorer()(pa.table(lists | {"id": ["u3"]}))])).items == 2
    with pytest.raises(FstmetricsError, match=r"different scores cannot be added: .*\|oracle:yes\|"):
        best + text


def test_a_table_or_a_batch_by_itself_is_what_it_is_in_a_list() -> None:
    found = scorer()(batch(random_rows(3, 8)))
    whole = merge([found]).to_bytes()
    for given in (found, pa.Table.from_batches([found]), pa.Table.from_batches([found[:3], found[3:]])):
        assert merge(given).to_bytes() == merge([given]).to_bytes() == whole
    with pytest.raises(FstmetricsError, match=r"expected results of fstmetrics\.batches\.scorer"):
        merge(pa.table({"id": ["u1"]}))
