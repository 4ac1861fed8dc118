"""Readers of hypergraphs: cdec, target graphs, cicada; real files, every derivation where that can be, bad input."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest
from command import fstmetrics, written
from places import CDEC, HGDECODE, needs_data
from small_files import CDEC_TEXT, CICADA, TARGET_GRAPH

import fstmetrics as fm
from fstmetrics.data.cards import Call
from fstmetrics.data.network import Network
from fstmetrics.io import Source, read_items
from fstmetrics.io.file_format import recognise
from fstmetrics.io.items import ReadOptions
from fstmetrics.io.weights_file import read_weights

Derivation = tuple[tuple[str, ...], float]


def in_network(network: Network, name: str | None = None) -> Iterator[Derivation]:
    """Words and graph cost of every derivation of a network whose cards are acyclic."""
    card = network.cards[name or network.root]

    def walk(state: int) -> Iterator[Derivation]:
        if state in card.finals:
            yield (), 0.0
        for i, (source, destination, token) in enumerate(card.arcs):
            if source == state:
                own = card.costs[i][0] if card.costs else 0.0
                taken = (
                    in_network(network, token.name)
                    if isinstance(token, Call)
                    else [((token,) * bool(token), 0.0)]
                )
                for (words, cost), (rest, more) in product(list(taken), walk(destination)):
                    yield words + rest, own + cost + more

    return walk(card.start)


def in_cdec(text: str, weights: dict[str, float]) -> Iterator[Derivation]:
    """The same straight from a cdec file, its pieces cut out of the text one by one."""
    rules = json.loads("[" + (re.search(r'"rules":\[(.*?)\],"features"', text) or [""])[1] + "]")
    target = {
        number: rule.split(" ||| ")[2].split() for number, rule in zip(rules[::2], rules[1::2], strict=True)
    }
    names = json.loads((re.search(r'"features":(\[.*?\])', text) or [""])[1])
    edges: list[dict[str, object]] = []
    nodes: list[list[int]] = []
    for piece in re.finditer(r'"edges":(\[.*?\]),"node":(\{.*?\})', text):
        edges += json.loads(piece[1])
        nodes.append(json.loads(piece[2])["in_edges"])

    def of(node: int) -> Iterator[Derivation]:
        if not nodes[node]:
            yield (), 0.0
        for number in nodes[node]:
            edge: dict[str, list[float]] = edges[number]  # type: ignore[assignment]
            feats = edge["feats"]
            score = sum(
                weights.get(names[int(i)], 0) * v for i, v in zip(feats[::2], feats[1::2], strict=True)
            )
            for tails in product(*(list(of(int(tail))) for tail in edge["tail"])):
                words: list[str] = []
                for word in target[edge["rule"]]:
                    tail = re.fullmatch(r"\[(\d+)\]", word)
                    words += tails[int(tail[1]) - 1][0] if tail else [word]
                yield tuple(words), sum(cost for _, cost in tails) - score

    return of(len(nodes) - 1)


def rounded(derivations: Iterator[Derivation]) -> Counter[Derivation]:
    return Counter((words, round(cost, 9)) for words, cost in derivations)


@needs_data
@pytest.mark.parametrize(
    ("name", "count"), [("hg_test.hg", 4), ("hg_test.tiny", 2), ("hg_test.tiny_lattice", 4)]
)
def test_cdec_files_have_the_derivations_that_are_written_in_them(
    name: str, count: int, tmp_path: Path
) -> None:
    weights = {"f1": 0.5, "f2": -0.25}
    (tmp_path / "weights").write_text("# mine\nf1 0.5\nf2 -0.25\nunused 3\n")
    network = Network.read(CDEC / name, weights=tmp_path / "weights")
    found = rounded(in_network(network))
    assert found == rounded(in_cdec((CDEC / name).read_text(), weights))
    assert found.total() == fm.network_info(network).paths == count
    best = network.best_path()
    # Sentence markers are no words.
    assert best.cost == pytest.approx(min(cost for _, cost in found))
    assert not Network.read(CDEC / name).has_costs


@needs_data
def test_a_lattice_in_cdec_form() -> None:
    network = Network.read(CDEC / "hg_test.tiny_lattice")
    assert {words for words, _ in in_network(network)} == {("a", "b"), ("a", "B'"), ("A", "b"), ("A", "B'")}
    result = fm.oracle(network, "A b c", nbest=3)
    assert result.nbest[0].hypothesis == ("A", "b")
    assert [path.edits for path in result.nbest] == [1, 2, 2]


@needs_data
def test_a_real_search_graph_of_moses_and_its_1_best() -> None:
    """The graph and its best path under these weights are from Moses' own regression tests."""
    network = Network.read(HGDECODE / "hg.gz", weights=HGDECODE / "dense.weights")
    info = fm.network_info(network)
    # Counted again straight from the file, vertex by vertex.
    counts: list[int] = []
    left = 0
    import gzip

    for line in gzip.decompress((HGDECODE / "hg.gz").read_bytes()).decode().splitlines()[2:]:
        if line.startswith("#"):
            continue
        if left == 0:
            left = int(line)
            counts.append(0)
            continue
        left -= 1
        ways = 1
        for child in re.findall(r"\[(\d+)\]", line.split(" ||| ")[0]):
            ways *= counts[int(child)]
        counts[-1] += ways
    assert info.paths == counts[-1] == 211_319_874
    expected = (HGDECODE / "results.txt").read_text().split("STDOUT_1=")[1].split("\n")[0].split()
    assert network.best_path().words == tuple(expected[1:-1])
    weights = read_weights(str(HGDECODE / "dense.weights"))
    named = re.findall(r"STDERR_\d+=(\S+)=(\S+)", (HGDECODE / "results.txt").read_text())
    total = sum(weights.get(name, 0.0) * float(value) for name, value in named)
    assert network.best_path().cost == pytest.approx(-total, abs=1e-3)


@needs_data
@pytest.mark.parametrize("metric", ["wer", "wrr", "grr"])
def test_the_oracle_of_a_real_search_graph(metric: str) -> None:
    network = Network.read(HGDECODE / "hg.gz", weights=HGDECODE / "dense.weights")
    reference = (
        "the EU concerns , but also the focus of national affairs since mid @-@ September on the centre ."
    )
    result = fm.oracle(network, reference, metric, nbest=3)
    assert result.stats is not None
    assert result.stats.route == "chart"
    assert result.one_best is not None
    better = result.one_best.totals.units - result.totals.units
    assert better > 0
    assert len({path.hypothesis for path in result.nbest}) == 3
    for path in result.nbest:
        assert fm.align(path.hypothesis, reference, metric).totals == path.totals
        # It is one of the graph's strings.
        held = fm.align(" ".join(path.hypothesis), network, options=fm.SearchOptions(route="chart"))
        assert held.edits == 0


def read(tmp_path: Path, name: str, text: str, weights: str | None = None) -> Network:
    path = tmp_path / name
    path.write_text(text)
    if weights is None:
        return Network.read(path)
    (tmp_path / "weights").write_text(weights)
    return Network.read(path, weights=tmp_path / "weights")


def test_a_target_graph(tmp_path: Path) -> None:
    # Two weights of `lm` are those of lm_1 and lm_2, which this graph has not.
    assert not read(tmp_path, "one.hg", TARGET_GRAPH, "lm= 0.5 0.25\n").has_costs
    network = read(tmp_path, "one.hg", TARGET_GRAPH, "lm= 0.5\ntm 2\nx=y 0.125\n")
    assert network.id == "one"
    assert rounded(in_network(network)) == {
        (("<s>", "the", "cat", "<s>", "</s>"), 0.5 - 0.25 + 1.25 + 2): 1,
        (("<s>", "a", "<s>", "</s>"), 0.5 - 0.25 + 0.25): 1,
    }
    assert network.best_path().words == ("a",)


def test_cicada(tmp_path: Path) -> None:
    network = read(tmp_path, "one.json", json.dumps(CICADA), "f 2\n")
    assert rounded(in_network(network)) == {
        (("b", '"', "and", "a"), 5.0): 1,
        (("b", '"', "and", "b", '"'), 3.0): 1,
        (("a",), 2.0): 1,
        (("b", '"'), 0.0): 1,
    }


def test_cicada_epsilon_is_no_word(tmp_path: Path) -> None:
    data = {"rules": ["[X] ||| <epsilon>", "[S] ||| [X] a <epsilon>"], "goal": 1}
    nodes = [[{"rule": 1}], [{"tail": [0], "rule": 2}]]
    network = read(tmp_path, "one.json", json.dumps({**data, "nodes": nodes}))
    assert rounded(in_network(network)) == {(("a",), 0.0): 1}


def test_what_the_goal_does_not_need_is_left_out(tmp_path: Path) -> None:
    data = {**CICADA, "goal": 1}
    assert set(read(tmp_path, "one.json", json.dumps(data)).cards) == {"1"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.json", CDEC_TEXT),
        ("x.txt", CDEC_TEXT.replace(":", " : ")),
        ("x", TARGET_GRAPH),
        ("x.json", json.dumps(CICADA)),
    ],
)
def test_they_are_recognised_by_content(name: str, text: str) -> None:
    format = recognise(Source(name, b"\xef\xbb\xbf" + text.encode()), ReadOptions())
    assert format.name == "target-graph" if text is TARGET_GRAPH else format.name in ("cdec", "cicada")


def changed(edit: Callable[[dict[str, list[list[dict[str, object]]]]], object]) -> str:
    data = json.loads(json.dumps(CICADA))
    edit(data)
    return json.dumps(data)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda d: d.update(goal=3), '"goal" must be one of the 3 nodes'),
        (lambda d: d.pop("goal"), '"goal" must be one of the 3 nodes'),
        (lambda d: d["nodes"][2].clear(), "node 2 has no edge"),
        (lambda d: d["nodes"][2][0].update(rule=0), "node 2: there are 4 rules, numbered from 1"),
        (lambda d: d["nodes"][0][0].update(tail=[1, 9]), '"tail" must be a list of the 3 nodes'),
        (lambda d: d["nodes"][1][0].update(tail=[0], rule=4), "circle: "),
        (lambda d: d["nodes"][1][0].update(feature={"f": "1"}), "a feature's value is a finite number"),
    ],
)
def test_bad_cicada(tmp_path: Path, edit: Callable[..., object], message: str) -> None:
    with pytest.raises(fm.InputError, match=message):
        read(tmp_path, "x.json", changed(edit))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("f 1\nf 2\n", "x 2|2.*'f' has a weight already"),
        ("f\n", "expected `name weight`"),
        ("f 1 2\n", "expected `name weight`"),
        ("f nan\n", "a weight is a finite number, not 'nan'"),
        ("f 1_0\n", "a weight is a finite number, not '1_0'"),
        ("f_1 1\nf= 1 2\n", "'f_1' has two weights"),
    ],
)
def test_bad_weights(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(fm.InputError, match=message):
        read(tmp_path, "x", TARGET_GRAPH, text)
    with pytest.raises(fm.InputError, match="cannot be read"):
        Network.read(tmp_path / "x", weights=tmp_path / "nothing")


def test_brackets_without_end_are_no_crash(tmp_path: Path) -> None:
    with pytest.raises(fm.InputError, match="nested too deeply"):
        read(tmp_path, "x.json", '{"rules": ["[' + '", ' + "[" * 200_000)


def test_the_command_line_takes_weights(tmp_path: Path) -> None:
    (tmp_path / "one.hg").write_text(TARGET_GRAPH)
    (tmp_path / "weights").write_text("lm 1\n")
    (tmp_path / "ref").write_text("the cat\n")
    command = ("oracle", tmp_path / "ref", tmp_path / "one.hg")
    plain = fstmetrics(*command)
    weighed = fstmetrics(*command, "--weights", tmp_path / "weights")
    turned = fstmetrics(*command, "--weights", tmp_path / "weights", "--lm-scale", "-1")
    assert "no 1-best: the forests have no scores" in plain.out
    assert "%WER 100.00 [ 2 / 2, 0 ins, 1 del, 1 sub ] 1-best" in weighed.out
    assert "%WER 0.00 [ 0 / 2, 0 ins, 0 del, 0 sub ] 1-best" in turned.out


@pytest.mark.parametrize("word", ["[2005]", "[laughter]", "[a,b]", "[X,2005]", "[]", "[[", "[x]"])
def test_words_in_brackets_are_words(word: str) -> None:
    """Nothing but `[1]`, `[X,1]` and, in order, categories that rules derive are tails."""
    for target, expected in ((f"{word} [1]", f"{word} a"), (f"[X,1] {word}", f"a {word}")):
        cdec = {
            "rules": [1, "[X] ||| x ||| a", 2, f"[S] ||| [X] y ||| {target}"],
            "features": [],
            "edges": [{"tail": [], "feats": [], "rule": 1}, {"tail": [0], "feats": [], "rule": 2}],
        }
        text = json.dumps(cdec)[:-1]
        text = text.replace('}, {"tail": [0]', '}], "node": {"in_edges": [0]}, "edges": [{"tail": [0]')
        source = Source("h.hg", f'{text}, "node": {{"in_edges": [1]}}}}'.encode())
        (item,) = read_items(source).items
        assert words_of(item.value) == {expected}
    for target, expected in ((f"{word} [X]", f"{word} a"), (word, word)):
        tails = [0] if "[X]" in target else []
        cicada = {
            "rules": ["[X] ||| a", f"[S] ||| {target}"],
            "nodes": [[{"rule": 1}], [{"tail": tails, "rule": 2}]],
            "goal": 1,
        }
        (item,) = read_items(Source("h.json", json.dumps(cicada).encode())).items
        assert words_of(item.value) == {expected}


def words_of(network: object) -> set[str]:
    assert isinstance(network, Network)
    return {" ".join(words) for words, _ in in_network(network)}


GRAPH = (
    "# target ||| features ||| source-covered\n1 2\n2\na ||| lm=-1 tm_1=-2 ||| 1\nb ||| lm=-2 tm_1=-1 ||| 1\n"
)
PLF = "((('a',{'lm': -1, 'tm_1': -2},1),('b',{'lm': -2, 'tm_1': -1},1),),)\n"


@pytest.mark.parametrize("text", [GRAPH, PLF], ids=["graph", "plf"])
@pytest.mark.parametrize(
    ("weights", "told"),
    [
        ("lm 1\nTM_1 3\n", ["'TM_1'", "'tm_1'"]),
        ("lm 1\ntm1 3\n", ["'tm1'", "'tm_1'"]),
        ("lm 1\ntm 3\n", ["'tm'", "'tm_1'"]),
        ("lm 1\nTM 3\ntm_2 1\n", ["'TM'", "'tm_1'"]),
        ("lm= 1 2\ntm_1 3\n", ["'lm_1'", "'lm_2'", "'lm'"]),
        ("lm 1\ntm_1 3\n", []),
        ("lm 1\n", []),
        ("lm 1\ntm_1 3\nTM_1 3\n", []),  # the weight of another decoder beside its own
        ("lm 1\ntm_2 3\nword_penalty 1\n", []),  # another value of a function is another feature
        ("lm 1\nTM_1 3\n" + "".join(f"sparse_{n}x 1\n" for n in range(200)), []),
    ],
)
def test_weights_of_no_feature_beside_features_of_nearly_their_names_are_told(
    text: str, weights: str, told: list[str], tmp_path: Path
) -> None:
    forests, ref = written(tmp_path / "0", text), written(tmp_path / "ref", "b\n")
    asked = ("--weights", written(tmp_path / "w", weights))
    for line in (("best", forests), ("oracle", ref, forests), ("mbr", forests)):
        outcome = fstmetrics(*line, *asked)
        said = [one for one in (outcome.out + outcome.err).splitlines() if one.startswith("--weights: ")]
        assert (outcome.status, bool(said)) == (0, bool(told))
        assert all(name in " ".join(said) for name in told)


def test_a_folder_tells_of_weights_of_no_feature_once(tmp_path: Path) -> None:
    folder = tmp_path / "forests"
    folder.mkdir()
    for name in "123":
        written(folder / name, GRAPH)
    weights = written(tmp_path / "w", "lm 1\nTM_1 3\n")
    ref = written(tmp_path / "ref", "1 b\n2 b\n3 b\n")
    for line in (("best", folder), ("oracle", ref, folder), ("mbr", folder)):
        outcome = fstmetrics(*line, "--weights", weights)
        assert (outcome.status, (outcome.out + outcome.err).count("no feature 'TM_1'")) == (0, 1)
