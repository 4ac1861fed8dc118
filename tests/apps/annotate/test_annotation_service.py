"""What the tool does for annotators, without a server: feedback, proposals, judgements, order, agreement, time."""

from __future__ import annotations

import json
import math
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from annotation_projects import BERLUSCONI, made

import fstmetrics as fm
from fstmetrics.apps.annotate import annotator_agreement
from fstmetrics.apps.annotate.annotation_import import cut, new_sentence, unit_of
from fstmetrics.apps.annotate.annotation_order import SentenceDistances, annotation_order
from fstmetrics.apps.annotate.annotation_service import AnnotationService, NotAllowedError, NotThereError
from fstmetrics.apps.annotate.progress_tables import as_csv
from fstmetrics.apps.annotate.project_export import lacking
from fstmetrics.apps.annotate.project_file import FILE
from fstmetrics.apps.annotate.project_store import ConflictError, Project
from fstmetrics.apps.annotate.sentence_cards import ChangeRefusedError, network_of
from fstmetrics.support.errors import FstmetricsError


class Tool:
    """The service for annotator `ann`, who has built the paper's example, and for `ben`."""

    def __init__(self, project: Project) -> None:
        self.project, self.now = project, 0.0
        self.service = AnnotationService(project, clock=lambda: self.now)
        self.ann = project.annotator("ann")

    def build(self, changes: list[dict[str, Any]], sentence: int = 1, name: str = "ann") -> dict[str, Any]:
        who = self.project.annotator(name)
        answer: dict[str, Any] = {"revision": self.project.history(sentence, who).revision}
        for change in changes:
            answer = self.service.change(
                who, sentence, {"revision": answer["revision"], "change": change, "look": {}}
            )
        return answer


@pytest.fixture
def tool(tmp_path: Path) -> Iterator[Tool]:
    with Project.open(made(tmp_path / "p", 3)) as project:
        project.add_annotator("ben")
        found = Tool(project)
        found.build(BERLUSCONI)
        yield found


def test_feedback_is_what_the_engine_says(tool: Tool) -> None:
    network = network_of(tool.project.cards(1, tool.ann))
    assert network is not None
    look = tool.service.look(tool.ann, 1, {"samples": 20, "seed": 3})
    assert look["sizes"]["root"] == {"paths": "12", "strings": "12", "shortest": 4, "longest": 7}
    assert [tuple(words) for words in look["samples"]] == list(fm.Paths(network).sample(20, 3))
    for row, text in zip(look["distances"], tool.project.texts(1), strict=True):
        result = fm.align(list(text.words), network)
        assert (row["distance"], tuple(row["closest"])) == (result.edits, result.closest)
        assert [op for op, _, _ in row["alignment"]] == [pair.op for pair in result.alignment]
    part = tool.service.look(tool.ann, 1, {"card": "c4", "drawing": "none"})
    assert (part["sizes"]["c4"]["paths"], part["drawing"]) == ("6", None)
    assert {words[0] for words in part["samples"]} == {"the"}
    assert tool.service.look(tool.ann, 1, {"card": "c1", "text": "PM; [PM"})["phrases"][1]["error"]


def test_a_whole_sentence_without_a_word_is_said(tool: Tool) -> None:
    look = tool.service.look(tool.ann, 1, {"text": '""; yes', "drawing": "none"})
    assert [phrase["error"] for phrase in look["phrases"]] == ["a whole sentence has words", ""]
    assert tool.service.look(tool.ann, 1, {"card": "c1", "text": '""'})["phrases"][0]["error"] == ""


def test_an_ambiguous_network_has_fewer_strings_than_paths(tool: Tool) -> None:
    parts = [{"op": "create", "name": "A", "text": "a; a b"}, {"op": "create", "name": "B", "text": "b c; c"}]
    look = tool.build([*parts, {"op": "text", "card": "root", "text": "[A] [B]"}])["look"]
    assert (look["sizes"]["root"]["paths"], look["sizes"]["root"]["strings"]) == ("4", "3")


def test_a_network_of_10_to_12_paths_is_counted_exactly(tool: Tool) -> None:
    look = tool.build([{"op": "text", "card": "root", "text": " ".join(["(a|b|c (d))"] * 20)}])["look"]
    assert look["sizes"]["root"] == {
        "paths": str(4**20),
        "strings": str(4**20),
        "shortest": 20,
        "longest": 40,
    }
    assert look["distances"]


def test_networks_whose_paths_nobody_can_write_down_are_answered(tool: Tool) -> None:
    doubled = [{"op": "create", "name": f"X{i}", "text": f"[X{i + 1}] [X{i + 1}]"} for i in range(60)]
    look = tool.build(
        [
            *doubled,
            {"op": "create", "name": "X60", "text": "a; b"},
            {"op": "text", "card": "root", "text": "[X0]"},
        ]
    )["look"]
    assert look["sizes"]["root"]["paths"] is None
    assert look["why"]
    assert tool.service.look(tool.ann, 1, {"card": "c5"})["samples"] == []


def test_proposals_save_what_they_say_and_are_asked_once(tool: Tool) -> None:
    first = tool.service.proposals(tool.ann, 1)["proposals"]
    assert [one["saved"] for one in first] == sorted((one["saved"] for one in first), reverse=True)
    before = distances(tool)
    best = first[0]
    asked = {"revision": 5, "card": best["card"], "phrase": best["phrase"], "action": "accept"}
    tool.service.answer_proposal(tool.ann, 1, asked)
    after = distances(tool)
    assert sum(before.values()) - sum(after.values()) == best["saved"]
    assert best["evidence"] == [
        {"name": name, "kind": kind, "before": before[kind, name], "after": after[kind, name]}
        for kind, name in [(each["kind"], each["name"]) for each in best["evidence"]]
    ]
    second = tool.service.proposals(tool.ann, 1)["proposals"]
    rejected = {"card": second[0]["card"], "phrase": second[0]["phrase"], "action": "reject"}
    tool.service.answer_proposal(tool.ann, 1, rejected)
    third = [one["phrase"] for one in tool.service.proposals(tool.ann, 1)["proposals"]]
    assert second[0]["phrase"] not in third
    edited = {
        "revision": 7,
        "card": second[1]["card"],
        "phrase": second[1]["phrase"],
        "action": "accept",
        "text": "x y",
    }
    state = tool.service.answer_proposal(tool.ann, 1, edited)
    assert next(card for card in state["cards"] if card["id"] == second[1]["card"])["text"].endswith("; x y")
    fourth = [one["phrase"] for one in tool.service.proposals(tool.ann, 1)["proposals"]]
    assert second[1]["phrase"] not in fourth
    assert tool.service.undo(tool.ann, 1, {"revision": 8})["revision"] == 9


def phrases_proposed(tool: Tool) -> list[tuple[str, str]]:
    return [(one["card"], one["phrase"]) for one in tool.service.proposals(tool.ann, 1)["proposals"]]


def counts_of_ann(tool: Tool) -> tuple[int, int]:
    """Rejections and judgements."""
    rows = tool.service.progress(tool.ann)["rows"]
    row = next(row for row in rows if row["annotator"] == "ann" and row["sentence"] == "0")
    return row["rejected"], row["judged"]


def test_changes_rejections_and_judgements_are_undone_in_one_order(tool: Tool) -> None:
    proposed = phrases_proposed(tool)
    (card, phrase), revision = proposed[0], tool.service.sentence(tool.ann, 1)["revision"]
    name = next(one["name"] for one in tool.service.sentence(tool.ann, 1)["cards"] if one["id"] == card)
    path = tool.service.paths(tool.ann, 1, "", 4)["paths"][0]["words"]

    def verdict() -> str | None:
        return tool.service.paths(tool.ann, 1, "", 4)["paths"][0]["verdict"]

    add = {"op": "add", "card": card, "phrase": "x y"}
    cards = tool.service.change(tool.ann, 1, {"revision": revision, "change": add})["cards"]
    tool.service.answer_proposal(tool.ann, 1, {"card": card, "phrase": phrase, "action": "reject"})
    tool.service.judge(tool.ann, 1, {"words": path, "verdict": "odd"})
    now = tool.service.judge(tool.ann, 1, {"words": path, "verdict": "wrong"})
    assert (now["revision"], now["verdict"], now["cards"]) == (revision + 4, "wrong", cards)
    assert (card, phrase) not in phrases_proposed(tool)
    assert counts_of_ann(tool) == (1, 1)
    said = []
    for wanted in ("odd", None, None):
        # A new service reads all from the folder, as after a restart.
        tool.service = AnnotationService(tool.project)
        tool.project._histories.clear()
        now = tool.service.undo(tool.ann, 1, {"revision": now["revision"]})
        said.append(now["what"])
        assert (verdict(), now["cards"]) == (wanted, cards)
    assert said == [f"judgement of {' '.join(path)}"] * 2 + [f"rejection of {phrase}"]
    assert (card, phrase) in phrases_proposed(tool)
    assert counts_of_ann(tool) == (0, 0)
    last = tool.service.undo(tool.ann, 1, {"revision": now["revision"]})
    assert last["what"] == f"phrase of {name}"
    assert last["cards"] != cards
    assert phrases_proposed(tool) == proposed
    for _ in range(4):
        last = tool.service.redo(tool.ann, 1, {"revision": last["revision"]})
    assert not last["can_redo"]
    assert last["what"] == said[0]
    assert verdict() == "wrong"
    assert counts_of_ann(tool) == (1, 1)
    assert (card, phrase) not in phrases_proposed(tool)


@pytest.mark.parametrize("text", [None, "x y"])
def test_a_proposal_that_was_added_is_offered_again_after_undo(tool: Tool, text: str | None) -> None:
    before = phrases_proposed(tool)
    card, phrase = before[0]
    revision = tool.service.sentence(tool.ann, 1)["revision"]
    asked = {"revision": revision, "card": card, "phrase": phrase, "action": "accept"}
    tool.service.answer_proposal(tool.ann, 1, asked | ({"text": text} if text else {}))
    assert before[0] not in phrases_proposed(tool)
    assert counts_of_ann(tool) == (0, 0)
    tool.service.undo(tool.ann, 1, {"revision": revision + 1})
    assert phrases_proposed(tool) == before


def test_who_only_judges_has_no_cards(tool: Tool) -> None:
    ben = tool.project.annotator("ben")
    assert tool.service.judge(ben, 1, {"words": ["a"], "verdict": "odd"})["can_undo"]
    assert ben not in tool.project.annotated(1)
    same = tool.service.judge(ben, 1, {"words": ["a"], "verdict": "odd"})
    assert same["revision"] == 1, "it says nothing new"
    assert not tool.service.undo(ben, 1, {"revision": 1})["can_undo"]


def test_rejections_of_older_projects_stay_and_are_no_step_of_undo(tool: Tool) -> None:
    card, phrase = phrases_proposed(tool)[0]
    cards = tool.service.sentence(tool.ann, 1)["cards"]
    tool.project.log(tool.ann, 1, "reject", {"card": card, "phrase": phrase})
    revision = tool.service.sentence(tool.ann, 1)["revision"]
    assert tool.service.undo(tool.ann, 1, {"revision": revision})["cards"] != cards
    tool.service.redo(tool.ann, 1, {"revision": revision + 1})
    assert (card, phrase) not in phrases_proposed(tool)
    assert counts_of_ann(tool) == (1, 0)


def distances(tool: Tool) -> dict[tuple[str, str], float]:
    return {
        (row["kind"], row["name"]): row["distance"] for row in tool.service.look(tool.ann, 1, {})["distances"]
    }


def test_without_a_network_there_is_nothing_to_propose_or_judge(tool: Tool) -> None:
    assert tool.service.proposals(tool.ann, 2)["proposals"] == []
    assert tool.service.paths(tool.ann, 2, "", 0) == {"paths": [], "suspects": [], "judged": 0}


def test_a_wrong_path_leads_to_its_card_and_phrase(tool: Tool) -> None:
    tool.build([{"op": "add", "card": "c1", "phrase": "prime rib"}])
    paths = tool.service.paths(tool.ann, 1, "", 4)["paths"]
    assert [path["closest_to"] for path in paths[:3]] == [["best"], ["other"], ["a"]]
    for path in paths:
        verdict = "wrong" if "rib" in path["words"] else "grammatical"
        tool.service.judge(tool.ann, 1, {"words": path["words"], "verdict": verdict})
    found = tool.service.paths(tool.ann, 1, "", 4)
    assert found["paths"][0]["verdict"] == "grammatical"
    assert (found["suspects"][0]["phrase"], found["suspects"][0]["fine"]) == ("prime rib", 0)
    tool.service.judge(tool.project.annotator("ben"), 1, {"words": paths[0]["words"], "verdict": "odd"})
    assert tool.service.paths(tool.ann, 1, "", 4)["paths"][0]["others"] == ["odd"]
    tool.service.judge(tool.ann, 1, {"words": paths[0]["words"], "verdict": None})
    assert tool.service.paths(tool.ann, 1, "", 4)["paths"][0]["verdict"] is None
    said = tool.service.agreement(tool.ann, 1)["verdicts"]
    assert said["judged"] == len(paths)
    assert said["acceptable"] == 1 + said["grammatical"]


def test_agreement_of_annotators_with_union_and_spu(tool: Tool) -> None:
    theirs = [{"op": "create", "span": [1, 3], "text": "prime minister; head of government"}, *BERLUSCONI[1:]]
    tool.build(theirs, name="ben")
    found = tool.service.agreement(tool.ann, 1)
    sizes = {row["name"]: row["strings"] for row in found["networks"]}
    assert sizes == {"ann": "12", "ben": "8", "union": "16", "spu": "16"}
    shares = {(pair["one"], pair["other"]): pair["share"] for pair in found["pairs"]}
    assert shares == {("ann", "ben"): 4 / 12, ("ben", "ann"): 4 / 8}
    assert all(pair["exact"] for pair in found["pairs"])


def test_agreement_of_large_networks_is_drawn(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(annotator_agreement, "LISTED", 11)
    monkeypatch.setattr(annotator_agreement, "DRAWN", 199)
    tool.build(
        [{"op": "create", "span": [1, 3], "text": "prime minister; head of government"}, *BERLUSCONI[1:]],
        name="ben",
    )
    annotator_agreement._share.cache_clear()
    pairs = {(p["one"], p["other"]): p for p in tool.service.agreement(tool.ann, 1)["pairs"]}
    annotator_agreement._share.cache_clear()
    assert pairs["ben", "ann"]["exact"]
    assert pairs["ben", "ann"]["share"] == 4 / 8
    assert not pairs["ann", "ben"]["exact"]
    assert pairs["ann", "ben"]["share"] == pytest.approx(4 / 12, abs=0.12)


def test_all_paths_of_a_small_network_are_judged(tool: Tool) -> None:
    theirs = [{"op": "create", "span": [1, 3], "text": "prime minister; head of government"}, *BERLUSCONI[1:]]
    tool.build(theirs, name="ben")
    for seed in range(5):
        found = tool.service.paths(tool.project.annotator("ben"), 1, "", seed)["paths"]
        assert len({tuple(path["words"]) for path in found}) == len(found) == 8


def test_order_is_the_change_of_p_that_a_sentence_could_make() -> None:
    rng = random.Random(2)
    distances = {name: [rng.randrange(9) for _ in range(40)] for name in "abc"}
    found = annotation_order(distances)
    slow = [0.0] * 40
    for one, other in combinations("abc", 2):
        apart = [d - e for d, e in zip(distances[one], distances[other], strict=True)]
        mean = sum(apart) / 40
        error = math.sqrt(sum((each - mean) ** 2 for each in apart) / 39 * 40)

        def p_of(total: float, error: float = error) -> float:
            return math.erfc(abs(total) / error / math.sqrt(2))

        step = 1e-4
        slope = abs(p_of(sum(apart) + step) - p_of(sum(apart) - step)) / (2 * step)
        for i in range(40):
            slow[i] += slope * max(distances[one][i], distances[other][i])
    assert found.weights == pytest.approx(slow, rel=1e-3)
    assert [found.weights[i] for i in found.order] == sorted(found.weights, reverse=True)


@pytest.mark.parametrize(
    "distances", [{}, {"a": []}, {"a": [3, 1]}, {"a": [0, 0], "b": [0, 0]}, {"a": [2], "b": [1]}]
)
def test_order_of_few_systems_and_sentences(distances: dict[str, list[float]]) -> None:
    found = annotation_order(distances)
    assert len(found.order) == len(next(iter(distances.values()), []))
    assert all(math.isfinite(weight) for weight in found.weights)


def test_what_is_annotated_goes_down_in_the_order(tool: Tool) -> None:
    rows = tool.service.order(tool.ann)["sentences"]
    assert [row["id"] for row in rows[:2]] == [2, 3]
    assert rows[2]["distances"] == {"a": 0, "b": 1}
    references = [list(text.words) for text in tool.project.texts(2) if text.kind == "reference"]
    outputs = {text.name: list(text.words) for text in tool.project.texts(2) if text.kind == "system"}
    assert rows[0]["distances"] == {
        name: fm.align(words, references).edits for name, words in outputs.items()
    }


def test_a_short_output_is_as_far_as_all_that_it_lacks(tmp_path: Path) -> None:
    with Project.open(tmp_path / "p", create=True) as project:
        long, short = ["two", "words", "here"], ["no"]
        project.add("d", [new_sentence("0", "a", "auto", {"r": long}, {"s": short}),
                          new_sentence("1", "a", "auto", {}, {"s": short})])  # fmt: skip
        distances = SentenceDistances()
        assert distances.of(project, 1) == {"s": fm.align(short, long).edits} == {"s": 3}
        assert distances.of(project, 2) == {"s": 1}  # nothing to compare with: all its words


def test_cards_of_the_same_source_words_are_offered_once_a_text(tool: Tool) -> None:
    text = "prime minister; PM; premier"
    assert tool.service.offers(tool.ann, 1, 1, 3)["cards"] == [], (
        "those of the sentence itself are there already"
    )
    for sentence, name, own in ((3, "ann", text), (2, "ben", "head of government"), (1, "ben", text)):
        tool.build([{"op": "create", "span": [1, 3], "text": own}], sentence, name)
    tool.build([{"op": "create", "span": [2, 3], "text": "minister"}], 3)  # other words
    cards = tool.service.offers(tool.ann, 2, 1, 3)["cards"]
    assert [(one["text"], one["count"]) for one in cards] == [(text, 3), ("head of government", 1)]
    # Taken for other source words, it is another card; taken again for the same ones, it is the same.
    tool.project.add_annotator("src", "source")
    one = tool.service.offers(tool.ann, 2, 1, 3)["cards"][0]
    given = {name: one[name] for name in ("annotator", "sentence", "card")}
    for span, cards_then in (([1, 3], 1), ([1, 3], 1), ([4, 5], 2)):
        revision = tool.project.history(2, tool.ann).revision
        answer = tool.service.copy(tool.ann, 2, {"revision": revision, "from": given, "span": span})
        assert len(answer["cards"]) == 1 + cards_then
        assert next(card for card in answer["cards"] if card["id"] == answer["card"])["span"] == span
    assert tool.service.offers(tool.project.annotator("src"), 2, 1, 3)["cards"] == [], "nothing of others"
    with pytest.raises(ChangeRefusedError, match="within 0 to 6"):
        tool.service.offers(tool.ann, 2, 3, 9)


def test_an_empty_sentence_is_not_done(tool: Tool) -> None:
    answer = tool.service.done(tool.ann, 2, {"done": True})
    assert not answer["done"]
    assert "no string yet" in answer["why"]
    assert not tool.service.sentence(tool.ann, 2)["done"]
    # A phrase that cannot be read, or that waits for a card, is none.
    for text, done in (("the (cat", False), ("the [CAT]", False), ("the cat", True)):
        tool.build([{"op": "text", "card": "root", "text": text}], 2)
        assert tool.service.done(tool.ann, 2, {"done": True})["done"] is done
    # What was done and becomes empty is not done any more, wherever it is shown.
    tool.build([{"op": "text", "card": "root", "text": ""}], 2)
    assert not tool.service.sentence(tool.ann, 2)["done"]
    listed = tool.service.project(tool.ann)["documents"][0]["sentences"]
    assert [one["done"] for one in listed] == [False] * 3
    assert not any(row["done"] for row in tool.service.progress(tool.ann)["rows"])


def test_notes_reach_whoever_leads_the_project(tool: Tool) -> None:
    said = [{"note": "which minister?"}, {"cannot_translate": True}, {"note": "=which minister, and when?"}]
    told = []
    tool.service._notify = lambda who, sentence, what: told.append((who.name, sentence, what))
    ben = tool.project.annotator("ben")
    for each in said:
        assert tool.service.note(ben, 3, each) == each
    assert told == [("ben", 3, each) for each in said]
    found = tool.service.sentence(ben, 3)
    assert (found["note"], found["cannot_translate"]) == ("=which minister, and when?", True)
    assert tool.service.sentence(tool.ann, 3)["note"] == ""
    progress = tool.service.progress(tool.ann)
    (row,) = [row for row in progress["rows"] if row["annotator"] == "ben"]
    assert (row["sentence"], row["cannot_translate"], row["note"]) == (
        "2",
        True,
        "=which minister, and when?",
    )
    assert [one["cannot_translate"] for one in progress["annotators"]] == [0, 1]
    assert "True,'=which" in as_csv(progress["rows"]).replace('"', "")
    assert lacking(tool.project, {1}) == [
        f"{tool.project.path}: 2 of 3 sentences have no network yet; 1 cannot be translated, as annotators say"
    ]
    (said,) = lacking(tool.project, {1, 2, 3})
    assert said.endswith(": 1 sentence that cannot be translated, as annotators say, with a network: 2")
    tool.service.note(ben, 3, {"note": "", "cannot_translate": False})
    assert not [row for row in tool.service.progress(tool.ann)["rows"] if row["annotator"] == "ben"]


def test_time_without_requests_is_left_out(tool: Tool) -> None:
    tool.service.progress(tool.ann)
    for at in (1000, 1010, 1030, 1500, 1520):  # 470 seconds of nothing
        tool.now = at
        tool.service.look(tool.ann, 2, {})
        tool.service.progress(tool.ann)  # which somebody may ask for at any time
    tool.now = 1530
    tool.service.look(tool.ann, 3, {})  # on another sentence: from where to where is not known
    tool.service.close()
    seconds = {row["sentence"]: row["seconds"] for row in tool.service.progress(tool.ann)["rows"]}
    assert seconds["1"] == 50
    assert seconds.get("2", 0) == 0


def test_time_of_windows_that_nobody_touches_is_left_out(tool: Tool) -> None:
    for at in range(0, 100, 10):  # somebody works on the second sentence, and a window shows the first one
        tool.now = 1000 + at
        tool.service.work(tool.ann, 2, {})
        tool.service.sentence(tool.ann, 1, quiet=True)
        tool.service.look(tool.ann, 1, {"quiet": True})
    listed = tool.service.project(tool.ann)["documents"][0]["sentences"]
    assert [one["seconds"] for one in listed][:2] == [0, 90], "also what is not saved yet"
    tool.service.close()
    seconds = {row["sentence"]: row["seconds"] for row in tool.service.progress(tool.ann)["rows"]}
    assert (seconds["0"], seconds["1"]) == (0, 90)


def test_progress_is_told_and_written(tool: Tool) -> None:
    tool.service.done(tool.ann, 1, {"done": True})
    (row,) = [each for each in tool.service.progress(tool.ann)["rows"] if each["changes"]]
    assert (row["cards"], row["paths"], row["done"], row["changes"]) == (4, "12", True, 5)
    assert as_csv([row]).splitlines()[0].startswith("document,sentence,annotator,changes,cards,paths")


def test_what_a_protocol_does_not_show_is_not_answered(tmp_path: Path) -> None:
    with Project.open(made(tmp_path / "p")) as project:
        ann, src = project.annotator("ann"), project.add_annotator("src", "source")
        tool = Tool(project)
        for name in ("ann", "src"):
            tool.build(BERLUSCONI, name=name)
        for ask in (
            lambda: tool.service.order(src), lambda: tool.service.agreement(src, 1),
            lambda: tool.service.paths(src, 1, "ann", 0),
        ):  # fmt: skip
            with pytest.raises(NotAllowedError):
                ask()
        assert tool.service.proposals(src, 1)["proposals"] == []
        assert {row["annotator"] for row in tool.service.progress(src)["rows"]} <= {"src"}
        assert not any(path["closest_to"] for path in tool.service.paths(src, 1, "", 0)["paths"])
        assert tool.service.proposals(ann, 1)["proposals"]


BAD = {
    "look": [{"seed": "1"}, {"samples": 51}, {"samples": -1}, {"drawing": "x"}, {"card": "c1", "text": 3}],
    "judge": [{}, {"words": "a", "verdict": "odd"}, {"words": [""], "verdict": "odd"}, {"words": ["a"], "verdict": "x"},
              {"words": ["\ud800"], "verdict": "odd"}],
    "done": [{}, {"done": 1}],
    "note": [{}, {"note": 1}, {"note": "x" * 2001}, {"cannot_translate": "yes"}, {"cannot_translate": None}],
    "answer_proposal": [{}, {"card": "c9", "phrase": "x", "action": "accept"},
                        {"card": "c1", "phrase": 1, "action": "accept"},
                        {"card": "c1", "phrase": "x", "action": "?"}, {"card": "c1", "phrase": "x", "action": "accept"},
                        {"card": "c1", "phrase": "x" * 30_000, "action": "reject"}],
    "copy": [{"revision": 5}, {"revision": 5, "from": {"annotator": "ann", "sentence": "1", "card": "c1"}},
             {"revision": 5, "from": {"annotator": "ann", "sentence": 1, "card": "root"}}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("method", "data"), [(method, data) for method, rows in BAD.items() for data in rows]
)
def test_bad_requests_are_refused_and_change_nothing(tool: Tool, method: str, data: dict[str, Any]) -> None:
    before = tool.service.sentence(tool.ann, 1)
    with pytest.raises(ChangeRefusedError):
        getattr(tool.service, method)(tool.ann, 1, data)
    assert tool.service.sentence(tool.ann, 1) == before


def test_there_is_no_such_sentence_or_annotator(tool: Tool) -> None:
    with pytest.raises(NotThereError):
        tool.service.sentence(tool.ann, 99)
    with pytest.raises(NotThereError):
        tool.service.paths(tool.ann, 1, "nobody", 0)


@pytest.mark.parametrize("data", [b"[]", 7, None, True])
def test_a_hostile_card_reference_is_refused(tool: Tool, data: Any) -> None:
    with pytest.raises(ChangeRefusedError):
        tool.service.change(tool.ann, 1, {"revision": 5, "change": data})


CUTS = {
    "el primer ministro": ["el", "primer", "ministro"], "意大利总理贝卢斯科尼": list("意大利总理贝卢斯科尼"),
    "2010年，Berlusconi来了。": ["2010", "年", "，", "Berlusconi", "来", "了", "。"],
    "رئيس الوزراء": ["رئيس", "الوزراء"],
    "प्रधान मंत्री ने कहा": ["प्रधान", "मंत्री", "ने", "कहा"], "นายกรัฐมนตรี": None,
}  # fmt: skip


@pytest.mark.parametrize("text", CUTS)
def test_sources_are_cut_where_people_select(text: str) -> None:
    found = cut(text, unit_of(text))
    assert "".join(found) == text.replace(" ", "")
    assert CUTS[text] is None or list(found) == CUTS[text]


@pytest.mark.parametrize("key", ["", "a/b", "..", ".x", "a\nb", "a\0", "x" * 300, "a\\b"])
def test_ids_that_can_be_no_file_s_name_are_refused(key: str) -> None:
    with pytest.raises(FstmetricsError, match="cannot be a file's name"):
        new_sentence(key, "a b")


def test_texts_without_spaces_are_compared_by_unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tool's distances are those of HyTER in the same unit, of the project and of what it exports."""
    from command import fstmetrics, written

    monkeypatch.chdir(tmp_path)
    written(tmp_path / "src", "the Italian premier\nno\n")
    written(tmp_path / "ref", "意大利总理\n不\n")
    written(tmp_path / "out", "意大利GPS首相\n不\n")
    written(tmp_path / "links", "0-0\n0-0\n")
    line = "annotate p --import src --ref ref --system A=out --align A=links --annotator ann --export x"
    assert "no sentence has a network" in fstmetrics(*line.split()).err
    with Project.open("p") as project:
        assert project.normalisation.unit == "mixed"
        assert [text.words for text in project.texts(1)] == [tuple("意大利总理"), (*"意大利", "GPS", *"首相")]
        assert project.texts(1)[1].links == tuple((0, at) for at in range(6))
        tool = Tool(project)
        tool.build([
            {"op": "create", "span": [2, 3], "text": "总理;领导人"},
            {"op": "text", "card": "root", "text": "意大利(的)[总理]"},
        ], 1, "ann")  # fmt: skip
        tool.build([{"op": "text", "card": "root", "text": "不"}], 2, "ann")
        look = tool.service.look(tool.ann, 1, {})
        assert look["sizes"]["root"]["paths"] == "4"
        found = [row["distance"] for row in look["distances"]]
        assert found == [0, 3]
        proposal = tool.service.proposals(tool.ann, 1)["proposals"][0]
        assert proposal["text"] == "GPS 首相"
        data = {"revision": 2, "card": proposal["card"], "phrase": proposal["phrase"], "action": "accept"}
        after = tool.service.answer_proposal(tool.ann, 1, data)
        assert after["cards"][1]["text"] == "总理;领导人; GPS 首相"
        tool.service.undo(tool.ann, 1, {"revision": 3})
        with pytest.raises(FstmetricsError, match="unit mixed"):
            project.add("more", [new_sentence("9", "x")])
    assert fstmetrics("annotate", "p", "--export", "nets").status == 0
    for networks in ("p", "nets/ann"):
        summary = fstmetrics("hyter", networks, "out", "--unit", "mixed", "--json").summary
        assert summary["edits"] == found[1]
    refused = fstmetrics("hyter", "p", "out")
    assert (refused.status, "give --unit mixed" in refused.err) == (2, True)
    line = "annotate q --import src --ref ref --networks ann=nets/ann --export again"
    again = fstmetrics(*line.split())
    assert again.status == 0, again.err
    with Project.read("q") as project:
        cards = project.cards(1, project.annotator("ann"))
        assert {card.name: card.text for card in cards.values()} == {
            "S": "意大利的 [总理]; 意大利 [总理]", "总理": "总理; 领导人",
        }  # fmt: skip
    first, second = (Path(folder, "ann", "0.json").read_text() for folder in ("nets", "again"))
    assert fm.Network.from_json(first) == fm.Network.from_json(second)


def test_imported_networks_and_links_are_checked() -> None:
    network = fm.Network([fm.Card.from_phrases("X", ["a"], (0, 9))], "X")
    with pytest.raises(FstmetricsError, match="has the span"):
        new_sentence("1", "a b", networks={"ann": network})
    with pytest.raises(FstmetricsError, match="another source"):
        new_sentence(
            "1", "a b", networks={"ann": fm.Network([fm.Card.from_phrases("X", ["a"])], "X", source=["c"])}
        )
    with pytest.raises(FstmetricsError, match="has 0-5"):
        new_sentence("1", "a b", references={"r": ["x"]}, links={"r": {(0, 5)}})
    assert new_sentence("1", "a b", references={"r": ["x"]}, links={"r": {(1, 0)}}).texts[0].links == (
        (1, 0),
    )


def test_a_project_is_an_input_where_networks_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from command import fstmetrics, written

    monkeypatch.chdir(tmp_path)
    with Project.open(made(tmp_path / "p", 3)) as project:
        project.add_annotator("ben")
        tool = Tool(project)
        for name, sentence in product(("ann", "ben"), (1, 2)):
            tool.build(BERLUSCONI, sentence, name)
    written(tmp_path / "h1", "0 the premier of Italy Berlusconi\n1 Italian PM Berlusconi\n")
    written(tmp_path / "h2", "0 the premier\n1 Italian PM Berlusconi\n")
    assert fstmetrics("annotate", "p", "--export", "one", "--combine", "spu").status == 0
    for line in ("hyter {} h1", "compare --networks {} h1 h2 --metric hyter --samples 9", "network info {}"):
        ours, theirs = (fstmetrics(*line.format(path).split(), "--json") for path in ("p", "one"))
        assert ours.status == theirs.status == 0, ours.err
        if line.startswith("hyter"):
            for name in ("score", "edits", "path_length"):
                assert ours.summary[name] == theirs.summary[name]
            assert any("1 of 3 sentences has no network yet" in remark for remark in ours.summary["remarks"])
        elif line.startswith("compare"):
            assert ours.summary["systems"] == theirs.summary["systems"]
    assert sorted(str(path.relative_to("one")) for path in Path("one").rglob("*.*")) == ["0.json", "1.json"]
    assert fstmetrics("annotate", "p", "--export", "all", "--to", "cards").status == 0
    assert {str(path.relative_to("all")) for path in Path("all").rglob("*.*")} == {
        "ann/0.cards", "ann/1.cards", "ben/0.cards", "ben/1.cards", "progress.csv", "annotators.csv"}  # fmt: skip
    for line in (
        "hyter all h1",
        "hyter all h1 --ref-format plain",
        "network info all",
        "network validate all",
        "compare --networks all h1 h2",
    ):
        refused = fstmetrics(*line.split(), *(["--metric", "hyter"] if line.startswith("compare") else []))
        said = "all: is an export of annotate, with a folder of networks for each annotator: give one of them, all/ann"
        assert (refused.status, said in refused.err) == (2, True)
    assert fstmetrics("hyter", "all/ann", "h1").status == 0
    empty = fstmetrics("hyter", made(tmp_path / "q"), "h1")
    assert (empty.status, "no sentence of this project has a network yet" in empty.err) == (2, True)


def test_an_edited_proposal_that_is_refused_is_proposed_again(tool: Tool) -> None:
    first = tool.service.proposals(tool.ann, 1)["proposals"][0]
    asked = {
        "revision": 5,
        "card": first["card"],
        "phrase": first["phrase"],
        "action": "accept",
        "text": "x y",
    }
    with pytest.raises(ChangeRefusedError):
        tool.service.answer_proposal(tool.ann, 1, {**asked, "text": "(x"})
    with pytest.raises(ConflictError):
        tool.service.answer_proposal(tool.ann, 1, {**asked, "revision": 4})
    assert tool.service.proposals(tool.ann, 1)["proposals"][0] == first
    tool.service.answer_proposal(tool.ann, 1, asked)
    left = [one["phrase"] for one in tool.service.proposals(tool.ann, 1)["proposals"]]
    assert first["phrase"] not in left


def test_progress_counts_paths_and_proposals_and_not_what_was_clicked(tool: Tool) -> None:
    path, other = ({"words": [word, "b"]} for word in "ac")
    for verdict in ("odd", "wrong", "wrong"):
        tool.service.judge(tool.ann, 1, {**path, "verdict": verdict})
    for verdict in ("odd", None):
        tool.service.judge(tool.ann, 1, {**other, "verdict": verdict})
    for phrase in ("x", "x", "y"):
        tool.service.answer_proposal(tool.ann, 1, {"card": "c1", "phrase": phrase, "action": "reject"})
    (row,) = [each for each in tool.service.progress(tool.ann)["rows"] if each["changes"]]
    assert (row["judged"], row["rejected"]) == (1, 2)


def test_time_of_two_windows_on_two_sentences_counts_once(tool: Tool) -> None:
    for at in range(0, 100, 10):
        tool.now = 1000 + at
        tool.service.look(tool.ann, 2 + at // 10 % 2, {})
    tool.service.close()
    seconds = {row["sentence"]: row["seconds"] for row in tool.service.progress(tool.ann)["rows"]}
    assert (seconds["1"], seconds["2"]) == (40, 40)  # from 1000 to 1090, without that until both were there


def test_the_log_keeps_nothing_that_no_change_has(tool: Tool) -> None:
    change = {"op": "text", "card": "root", "text": "a", "more": "\ud800", "deep": [[[]]]}
    answer = tool.service.change(tool.ann, 2, {"revision": 0, "change": change})
    assert answer["revision"] == 1
    with closing(sqlite3.connect(tool.project.path / FILE)) as connection:
        ((data,),) = connection.execute("SELECT data FROM events WHERE sentence = 2 AND kind = 'change'")
    assert json.loads(data)["op"] == {"op": "text", "card": "root", "text": "a"}


def test_the_page_says_that_a_whole_sentence_has_words(tool: Tool) -> None:
    look = tool.service.look(tool.ann, 1, {"text": "(the cat sat); the (cat)"})
    assert [phrase["error"] for phrase in look["phrases"]] == [
        "a whole sentence has words, and here all of them can be left out",
        "",
    ]


def test_a_proposal_in_a_long_phrase_becomes_a_choice(tmp_path: Path) -> None:
    words = [
        "the",
        "home",
        "team",
        "scored",
        "again",
        "five",
        "minutes",
        "before",
        "the",
        "end",
        "of",
        "the",
        "match",
    ]
    texts = {
        "A": [
            "the",
            "home",
            "team",
            "scored",
            "again",
            "5",
            "minutes",
            "before",
            "the",
            "end",
            "of",
            "the",
            "match",
        ],
        "B": [
            "the",
            "home",
            "side",
            "scored",
            "again",
            "5",
            "minutes",
            "before",
            "the",
            "end",
            "of",
            "the",
            "match",
        ],
        "C": [
            "the",
            "home",
            "team",
            "scored",
            "a",
            "second",
            "goal",
            "five",
            "minutes",
            "before",
            "the",
            "end",
            "of",
            "the",
            "match",
        ],
    }
    with Project.open(tmp_path / "p", create=True) as project:
        project.add_annotator("ann")
        project.add("news", [new_sentence("0", "x y", "auto", {"r": words}, texts)])
        tool = Tool(project)
        tool.build([{"op": "text", "card": "root", "text": " ".join(words)}])
        before = distances(tool)
        for least, changes in (
            (0, {"five 5", "team side", "again a second goal"}),
            (2, {"five 5"}),
            (3, set()),
        ):
            found = tool.service.proposals(tool.ann, 1, least)["proposals"]
            shown = {f"{one['choice']['before']} {one['choice']['after']}" for one in found}
            assert changes <= shown
            assert all(sum(e["kind"] == "system" for e in one["evidence"]) >= least for one in found)
        best = tool.service.proposals(tool.ann, 1, 2)["proposals"][0]
        asked = {"revision": 1, "card": "root", "phrase": best["phrase"], "action": "accept"}
        asked["instead"] = best["instead"]
        with pytest.raises(ChangeRefusedError, match="has changed meanwhile"):
            tool.service.answer_proposal(tool.ann, 1, asked | {"instead": "no such phrase"})
        with pytest.raises(ConflictError):
            tool.service.answer_proposal(tool.ann, 1, asked | {"revision": 0})
        state = tool.service.answer_proposal(tool.ann, 1, asked)
        text = " ".join(words).replace("five", "(five|5)")
        assert state["cards"][0]["text"] == text
        assert sum(before.values()) - sum(distances(tool).values()) == best["saved"]
        # With other words, what was proposed is not proposed again.
        other = next(
            one
            for one in tool.service.proposals(tool.ann, 1)["proposals"]
            if one["choice"]["after"] == "side"
        )
        asked = {"revision": 2, "card": "root", "phrase": other["phrase"], "action": "accept"}
        asked |= {"instead": other["instead"], "text": "eleven"}
        state = tool.service.answer_proposal(tool.ann, 1, asked)
        assert state["cards"][0]["text"] == text.replace("team", "(team|eleven)")
        again = tool.service.proposals(tool.ann, 1)["proposals"]
        assert other["phrase"] not in [one["phrase"] for one in again]
        assert tool.service.undo(tool.ann, 1, {"revision": 3})["cards"][0]["text"] == text


def test_a_path_says_what_was_typed_for_its_phrases(tool: Tool) -> None:
    paths = tool.service.paths(tool.ann, 1, "", 0)["paths"]
    cards = {card["id"]: card["text"] for card in tool.service.sentence(tool.ann, 1)["cards"]}
    found = {(each["phrase"], each["typed"]) for path in paths for each in path["taken"]}
    assert {("Berlusconi", "(Silvio) Berlusconi"), ("PM", "PM")} <= found
    assert all(each["typed"] in cards[each["card"]] for path in paths for each in path["taken"])
