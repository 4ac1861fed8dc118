"""Are records true, and is no path better? A check of `score`, `oracle` and `hyter` that shares nothing with them.

A record claims a path of either side, the steps of an alignment, and counts. `_replay` takes the steps on the input and
counts again. `_prove` shows that no paths are better: by cost, then length of the reference, edits, moves, matches,
deletions (docs/scores.md, Ties). These six are the digits of one whole number, the rank.

A state says where both sides are, and how many words matched just before. Its `bound` is at most the rank of any way
from there to the end, by numbers of words alone. A list gives some states a number. No path has a rank below C if
(1) the start is listed with 0, or its bound is C or more; (2) each step of rank c from a listed state with d leads to a
listed state with d + c or less, or to one whose bound is C - d - c or more; (3) no listed state in which both sides end
has less than C. For along any path, as long as it is in the list, the number is at most the rank so far; where the path
leaves the list, or ends, it comes to C or more. How the list was found does not matter.
"""

# fmt: off
import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, partial
from heapq import heappop, heappush
from itertools import count, pairwise
from math import inf, lcm
from pathlib import Path
from typing import Any

MARKERS = {"<s>", "</s>", "!SENT_START", "!SENT_END", "!ENTER", "!EXIT"}  # no words anywhere
EPSILONS = {"", "<eps>", "<EPS>", "<epsilon>", "<EPSILON>", "*EPS*", "@0@", "@_EPSILON_SYMBOL_@", "!NULL", "*DELETE*",
            "SENT-START", "SENT-END"}
NAMES = {"=": "matches", "S": "substitutions", "I": "insertions", "D": "deletions"}
COSTS = {"wer": (0, 1, 1, 1), "hyter": (0, 1, 1, 1), "wrr": (-1, 0, 1, 0), "sclite": (0, 4, 3, 3), "grr": ()}
OTHER = {"window", "reordering", "order", "alpha", "beta", "ids", "scales", "symbols", "version"}  # with any value
CHECKED = {"metric": COSTS, "refs": {"1", "network", "lattice"}, "unit": {"word"}, "case": {"mixed"},
           "punctuation": {"kept"}, "tok": {"none"}, "ties": {"longest-path/1"}}  # these must be there
FIELD = re.compile(r"""\s*([^\s=#]+)=(?:(["'])((?:\\.|(?!\2)[^\\])*)\2(?!\S)|((?:\\.|[^\s\\])*))""")
TOKEN = re.compile(r"\s*(?:\[((?:\\.|[^][\\])*)\]|((?:\\.|[^][\s\\])+))(?!\S)")
CARD = re.compile(r"(?m)^(?:\[((?:\\.|[^][\\\n])*)\][ \t]*(?:\d+-\d+[ \t]*)?:(.*)|(id|source|unit|root)[ \t]*:(.*))$")
BARE = partial(re.compile(r"\\(.)").sub, r"\1")
WEIGHT = re.compile(r"[-+]?[.\d]+([eE][-+]?\d+)?|Infinity")

def _need(fine: object, otherwise: str) -> None:
    if not fine:
        raise ValueError(otherwise)

class _Net:
    """Arcs without a cycle; those of `out` go on through arcs without a word. `left`: least, most words to an end."""
    def __init__(self, arcs: Any, start: Any, ends: Any, most: float = inf) -> None:
        into, waits = defaultdict[Any, Any](list), Counter[Any]()
        for number, (source, to, word, *rest) in enumerate(arcs, 1):
            into[to].append((source, word, *(rest or (0, None))))
            waits[source] += 1
            _need(number <= most, "one side has too many arcs; give a larger --max-states")
        self.start, self.ends, self.out, self.left = start, set(ends), defaultdict[Any, Any](dict), dict[Any, Any]()
        ready = [state for state in {start, *ends, *into} if not waits[state]]
        for state in ready:  # backwards; `ready` grows
            ways = [self.left[arc[1]] for arc in self.out[state]] + [(-1, -1)] * (state in self.ends)
            self.left |= {state: (1 + min(a for a, _ in ways), 1 + max(b for _, b in ways))} if ways else {}
            for source, word, moves, at in into[state]:
                self.out[source] |= {} if not ways else {(word, state, moves, at): 0} if word else self.out[state]
                self.ends |= {source} if not word and state in self.ends else set()
                waits[source] -= 1
                ready += [source] * (not waits[source])
        _need(start in self.left and not +waits, "one side has a cycle or no path; only what ends is checked")
    def moves(self, words: list[str], order: Any) -> int | None:  # of a path with these words; None where there is none
        states = {self.start: 0}
        for word, place in zip(words, order or range(len(words)), strict=True):
            states = {to: done + moves for state, done in states.items()
                      for other, to, moves, at in self.out[state] if other == word and at in (order and place, place)}
        return next((done for state, done in states.items() if state in self.ends), None)

def _window(words: list[str], k: int, jumps: bool) -> Iterator[Any]:
    """Each word at most k - 1 right of the leftmost left. A state: that, what is taken, the last where it matters."""
    states, known, n = [(0, frozenset[int](), -1)], set[Any](), len(words)
    for left, taken, last in states:  # it grows
        for at in {*range(left, min(left + k, n))} - taken:
            now, first = taken | {at}, left
            while first in now:
                now, first = now - {first}, first + 1
            to = first, now, at if not jumps and first <= at + 1 < n and at + 1 not in now else -1
            yield (left, taken, last), to, words[at], int(at != left and (last < 0 or at != last + 1)), at
            states += [] if to in known else [to]
            known.add(to)

def _expanded(cards: Any, name: str, begin: int, end: int, number: Iterator[int], callers: Any = ()) -> Iterator[Any]:
    """The arcs of a card of the JSON form from one state to another; calls, (NAME,), are replaced by what they call."""
    _need(name in cards and name not in callers, f"the card {name!r} is not there, or calls itself")
    card, states = cards[name], defaultdict[Any, int](lambda: next(number))
    yield begin, states[card.get("start", 0)], ""
    yield from ((states[each if isinstance(each, int) else each[0]], end, "") for each in card.get("final", [1]))
    for source, to, phrase, *_ in card.get("arcs") or [(0, 1, phrase) for phrase in card["phrases"]]:
        between = [states[source], *(next(number) for _ in _tokens(phrase)[1:]), states[to]]
        for token, (a, b) in zip(_tokens(phrase), pairwise(between), strict=True):
            is_call = isinstance(token, tuple)
            yield from _expanded(cards, token[0], a, b, number, (*callers, name)) if is_call else [(a, b, token)]

def _tokens(phrase: str) -> list[Any]:
    _need(not TOKEN.sub("", phrase).strip(), f"the phrase {phrase!r} cannot be read")
    found = [BARE(token[2]) if token[1] is None else (BARE(token[1]),) for token in TOKEN.finditer(phrase)]
    return ["" if token in MARKERS else token for token in found] or [""]

def _typed(text: str) -> Any:
    """The text form of networks as their JSON form. Lines that begin with white space go on; a `;` ends a phrase."""
    text = re.sub(r"\n(?:[ \t]*\n)*[ \t]+", "\0", re.sub(r"(?m)\r$|^#.*\n?", "", text))
    _need(not CARD.sub("", text).strip(), f"no card: {CARD.sub('', text).strip()[:50]!r}")
    cards = {BARE(name): {"phrases": [each.strip() * (each.strip() != '""') for line in phrases.split("\0")
                                      for each in re.findall(r"((?:\\.|[^;\\])*)(?:;|$)", line.rstrip())[:-1]]}
             for name, phrases, key, _ in CARD.findall(text) if not key}
    called = {token for card in cards.values() for phrase in card["phrases"] for token in _tokens(phrase)}
    roots = [name for name in cards if (name,) not in called]
    said = {key: value.strip() for _, _, key, value in CARD.findall(text) if key}
    return {"cards": cards, "root": roots[0] if len(roots) == 1 else None, **said}

def _att(text: str) -> tuple[Any, Any, Any]:
    rows = [re.split(r"[ \t]+", line.strip(" \t\r")) for line in text.split("\n") if line.strip()]
    two = any(len(row) == 5 or (len(row) == 4 and not WEIGHT.fullmatch(row[3])) for row in rows)
    arcs = [(row[0], row[1], row[2 + two]) for row in rows if len(row) > 2 and "Infinity" not in row[3 + two:]]
    silent = {"0"} if all(label.isdigit() for *_, label in arcs) else EPSILONS | MARKERS
    arcs = [(a, b, word * (word not in silent)) for a, b, word in arcs]
    return arcs, rows[0][0], [row[0] for row in rows if len(row) < 3 and "Infinity" not in row]

def _slf(text: str) -> tuple[Any, Any, Any]:
    """HTK's lattices. Words are on all links, or on nodes; a node is a state before its word, and one behind it."""
    lines = re.sub(r"(?m)^[ \t]*#.*", "", text)
    rows = [{found[1]: BARE(found[3] or found[4]) for found in FIELD.finditer(line)} for line in lines.split("\n")]
    links, nodes = [row for row in rows if "J" in row], {row["I"]: row for row in rows if "I" in row}
    head = {name: value for row in rows if not row.keys() & {"I", "J"} for name, value in row.items()}
    _need((head["N"], head["L"]) == (str(len(nodes)), str(len(links))), "other numbers of nodes and links than it says")
    _need(not FIELD.sub("", lines).strip() and not any("L" in row for row in nodes.values()), "no SLF, or sub-lattices")
    (start,) = [head["start"]] if "start" in head else nodes.keys() - {link["E"] for link in links}
    (end,) = [head["end"]] if "end" in head else nodes.keys() - {link["S"] for link in links}
    _need(len({"W" in link for link in links}) < 2, "words on some links only")
    arcs = [((link["S"], 1), (link["E"], 0), link.get("W", "")) for link in links]
    arcs += [((i, 0), (i, 1), "" if links and "W" in links[0] else node.get("W", "")) for i, node in nodes.items()]
    return [(a, b, word * (word not in EPSILONS | MARKERS)) for a, b, word in arcs], (start, 0), [(end, 1)]

def read(file: Path) -> list[tuple[str | None, Any]]:
    """What a file has: a lattice (arcs, start, ends) or a network (JSON) with its id; or words of lines, without."""
    readers: Any = {".json": json.loads, ".cards": _typed, ".slf": _slf, ".fst.txt": _att, ".att": _att}
    data = file.read_bytes()
    text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8-sig")
    stem, ending = re.fullmatch(r"(.+?)((?:\.fst)?\.\w+|)(?:\.gz)?", file.name).groups()  # type: ignore[union-attr]
    if ending not in readers:
        return [(None, line.split()) for line in text.removesuffix("\n").split("\n")]
    found = readers[ending](text)
    return [((found["cards"] and found.get("id") if ending in (".json", ".cards") else None) or stem, found)]

def by_id(items: list[Any]) -> dict[str, Any]:
    """The items by id; of a line it is the first word."""
    return {id or " ".join(value[:1]): value if id else value[1:] for id, value in items}

def _rules(signature: str, metric: str) -> Any:
    """The metric, who has ids, the window, whether moves are jumps, how many units make 1, and the steps."""
    said = dict(part.partition(":")[::2] for part in signature.split("|")[1:])
    for name in (*CHECKED, *said):
        fine = name in OTHER or (said.get(name) in CHECKED.get(name, ()) and said["metric"] == metric)
        _need(fine, f"{name}:{said.get(name)} in its signature is not checked here")
    alpha, beta = Fraction(said.get("alpha", 0)), Fraction(said.get("beta", 0))
    scale, memories = lcm(alpha.denominator, beta.denominator), int(said.get("order", 1))
    costs = COSTS[said["metric"]] or (-scale, 0, int(alpha * scale), int(beta * scale))
    # What a step costs, and how many words matched in a row behind it, at most N - 1 of N-GRR.
    steps = {(op, m): (cost * (m + 1 if op == "=" else 1), min(m + 1, memories - 1) * (op == "="))
             for op, cost in zip("=SID", costs, strict=True) for m in range(memories)}
    return said["metric"], said["ids"], int(said.get("window", 1)), said.get("reordering") == "jumps", scale, steps

def _replay(record: Any, hyp: _Net, ref: _Net, metric: str, scale: int, costs: Any) -> tuple[int, dict[str, int]]:
    """The cost and the counts of a record's steps, found again; what the record says must be so."""
    steps = record["alignment"]
    for name, at in (("hypothesis", 1), ("closest", 2)):
        words = [step[at] for step in steps if step[at] is not None]
        _need(words == record[name], f"its alignment has other words than its {name}")
    moves = hyp.moves(record["hypothesis"], record.get("order"))
    _need(moves is not None, "its hypothesis, in its order, is no path of HYP")
    _need(ref.moves(record["closest"], None) is not None, "its closest is no path of REF")
    cost, memory, memories = (moves or 0) * (metric == "hyter"), 0, len(costs) // 4
    for op, one, other in steps:
        right = "I" if other is None else "D" if one is None else "=" if one == other else "S"
        _need(op == right and not one is other is None, f"its alignment has {[op, one, other]}, which is no step")
        cost, memory = cost + costs[op, memory][0], costs[op, memory][1]
    found = {name: sum(step[0] == op for step in steps) for op, name in NAMES.items()} | {"moves": moves}
    found |= {"edits": len(steps) - found["matches"], "path_length": len(steps) - found["insertions"]}
    gain, under = metric in ("wrr", "grr"), sum(max(0, found["path_length"] - k) for k in range(memories))
    over = Fraction(-cost, scale) if gain else Fraction(found["edits"] + found["moves"])
    score = over.numerator / (over.denominator * under) if under else None if over else float(gain)
    found_scores = {"score": score, "gain": float(over) if gain else None, "max_gain": under if gain else None}
    for name, value in (found | found_scores).items():
        _need(record[name] == value, f"its {name} is {record[name]}, and {value} by its steps")
    return cost, found

def _prove(hyp: _Net, ref: _Net, metric: str, costs: Any, cost: int, found: dict[str, int], most: int) -> None:
    # Of recognition rates with a gain the shortest reference is best, otherwise the longest. No digit reaches the base.
    longer = 1 if metric in ("wrr", "grr") and cost <= 0 else -1
    base, memories = 4 * (1 + hyp.left[hyp.start][1] + ref.left[ref.start][1]), len(costs) // 4
    def rank(*digits: int) -> int:
        return sum(digit * base ** (5 - at) for at, digit in enumerate(digits))
    price = {(op, memory): rank(price, longer * (op != "I"), op != "=", 0, -(op == "="), op == "D")
             for (op, memory), (price, _) in costs.items()}
    move, lengths = rank(metric == "hyter", 0, 0, 1), longer * found["path_length"]
    claim = rank(cost, lengths, found["edits"], found["moves"], -found["matches"], found["deletions"])
    def steps(h: Any, r: Any, memory: int) -> Iterator[tuple[int, Any]]:
        for one, to, moves, _ in hyp.out[h]:
            yield price["I", memory] + moves * move, (to, r, 0)
            for other, there, *_ in ref.out[r]:
                op = "=" if one == other else "S"
                yield price[op, memory] + moves * move, (to, there, costs[op, memory][1])
        yield from ((price["D", memory], (h, there, 0)) for _, there, *_ in ref.out[r])
    @cache
    def bound(h: tuple[int, int], r: tuple[int, int], memory: int) -> int:
        """With x pairs of words the others stand alone. The sum is concave between the x below: one has the least."""
        (least, longest), (fewest, length), sums = h, r, list[int]()
        for x in {min(each, longest, length) for each in (0, least, fewest, longest)}:
            pairs = [min(price["=", min(memory + i, memories - 1)], price["S", 0]) for i in range(min(x, memories))]
            sums.append(sum(pairs) + (x - len(pairs)) * min(pairs, default=0))
            for alone, low, high in ((price["I", 0], least, longest), (price["D", 0], fewest, length)):
                sums[-1] += alone * (max(low - x, 0) if alone > 0 else high - x)
        return min(sums)
    listed = {(hyp.start, ref.start, 0): 0} if bound(hyp.left[hyp.start], ref.left[ref.start], 0) < claim else {}
    queue, number = [(0, 0, 0, state) for state in listed], count()
    while queue and len(listed) <= most:
        _, _, done, state = heappop(queue)
        _need(done >= claim or state[0] not in hyp.ends or state[1] not in ref.ends, "another path is better")
        for more, to in steps(*state) if done == listed[state] else ():
            least = done + more + bound(hyp.left[to[0]], ref.left[to[1]], to[2])
            if done + more < listed.get(to, inf) and least < claim:
                listed[to] = done + more
                heappush(queue, (least, next(number), done + more, to))
    for (h, r, memory), done in listed.items():
        _need(done >= claim or h not in hyp.ends or r not in ref.ends, "another path is better")
        for more, to in steps(h, r, memory):
            least = listed[to] if to in listed else claim - bound(hyp.left[to[0]], ref.left[to[1]], to[2])
            _need(done + more >= least, f"no proof within {most} states; give a larger --max-states")

def check(record: Any, number: int, hyp: Any, ref: Any, most: int) -> None:
    """Raise a ValueError, LookupError or TypeError that says why a record, by its number from 0, is not proved."""
    metric, ids, window, jumps, scale, costs = _rules(record["signature"], record["metric"])
    nets, own = [], [record["id"]] if ids == "yes" else [items[number][0] for items, _ in (hyp, ref)]
    _need(record["id"] in own, f"its id is not that of item {number + 1} of either side; was an item left out before?")
    for (items, named), k in ((hyp, window), (ref, 1)):
        id, value = (record["id"], named.get(record["id"])) if ids == "yes" else items[number]
        fine = value is not None and id in (None, record["id"]) and (ids != "yes" or len(named) == len(items))
        _need(fine, f"the id {record['id']} is not on both sides, or some id is there twice")
        _need(k == 1 or isinstance(value, list), "a window over a lattice is not checked here")
        if isinstance(value, dict):
            value = _expanded(value["cards"], value["root"], 0, 1, count(2)), 0, [1]
        elif isinstance(value, list):
            words = [word for word in value if word not in MARKERS]
            value = _window(words, k, jumps), (0, frozenset(), -1), [(len(words), frozenset(), -1)]
        nets.append(_Net(value[0], value[1], value[2], most))
    _prove(nets[0], nets[1], metric, costs, *_replay(record, nets[0], nets[1], metric, scale, costs), most)
